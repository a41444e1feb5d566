//! ResourceBarrier: transitions, aliasing and UAV barriers.

use heapstone_driver::dma::{Barrier, Command};
use heapstone_layout::subresource_count;
use heapstone_spec::commands::{ALL_SUBRESOURCES, CommandListType, ResourceBarrierFlags};
use heapstone_spec::rules::barrier as rules;
use heapstone_spec::{HeapType, ResourceFlags, ResourceStates, Violation};

use super::barrier_desc::ResourceBarrier;
use super::copy_buffer::heap_type;
use super::list::CommandList;
use super::observed::ListCommand;
use super::recorder::Recorder;
use crate::error::Error;
use crate::resource::{Place, Resource};
use crate::validate::states::{StateRules, check_state};

const CALL: &str = "ResourceBarrier";

static STATE_RULES: StateRules = StateRules {
    unrecognized: &rules::STATE_UNRECOGNIZED,
    exclusive: &rules::STATE_EXCLUSIVE,
    dimension: &rules::STATE_DIMENSION,
    flags: &rules::STATE_FLAGS,
    denied: &rules::STATE_DENIED,
};

/// States of a copy queue.
const COPY_STATES: ResourceStates = ResourceStates::COPY_DEST.union(ResourceStates::COPY_SOURCE);

/// States of a direct queue: all but those of video queues.
const DIRECT_STATES: ResourceStates = ResourceStates::all()
    .difference(ResourceStates::VIDEO_DECODE_READ)
    .difference(ResourceStates::VIDEO_DECODE_WRITE)
    .difference(ResourceStates::VIDEO_PROCESS_READ)
    .difference(ResourceStates::VIDEO_PROCESS_WRITE)
    .difference(ResourceStates::VIDEO_ENCODE_READ)
    .difference(ResourceStates::VIDEO_ENCODE_WRITE);

/// States of a compute queue (Microsoft's public documentation of D3D12_RESOURCE_STATES: those of the 3D and
/// compute class that no graphics stage has alone).
const COMPUTE_STATES: ResourceStates = COPY_STATES
    .union(ResourceStates::UNORDERED_ACCESS)
    .union(ResourceStates::NON_PIXEL_SHADER_RESOURCE)
    .union(ResourceStates::VERTEX_AND_CONSTANT_BUFFER)
    .union(ResourceStates::INDIRECT_ARGUMENT)
    .union(ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE);

impl CommandList {
    /// ID3D12GraphicsCommandList::ResourceBarrier. Barriers are kept in the stream with all their fields; what
    /// states resources are in is not followed. No barriers are no command.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `barrier.*` or `list.*`; none of the barriers is recorded then.
    pub fn resource_barrier(&mut self, barriers: &[ResourceBarrier<'_>]) -> Result<(), Error> {
        let result = self.record_resource_barriers(barriers);
        self.ended(result, || ListCommand::ResourceBarrier { barriers })
    }

    #[inline]
    fn record_resource_barriers(&mut self, barriers: &[ResourceBarrier<'_>]) -> Result<(), Box<Violation>> {
        self.recorder(CALL, CommandListType::ALL)?;
        for barrier in barriers {
            self.check_barrier(barrier)?;
        }
        if barriers.is_empty() {
            return Ok(());
        }
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(barriers.len())?;
        for barrier in barriers {
            let barrier = compiled(recorder, barrier);
            recorder.push(&Command::Barrier(barrier));
        }
        Ok(())
    }

    #[inline]
    fn check_barrier(&self, barrier: &ResourceBarrier<'_>) -> Result<(), Box<Violation>> {
        match *barrier {
            ResourceBarrier::Transition { resource, subresource, before, after, flags } => {
                check_flags(flags)?;
                self.check_device("Transition.pResource", resource)?;
                check_transition(resource, subresource, before, after)?;
                self.check_state("Transition.StateBefore", resource, before)?;
                self.check_state("Transition.StateAfter", resource, after)
            }
            ResourceBarrier::Aliasing { before, after, flags } => {
                check_flags(flags)?;
                self.check_aliased("Aliasing.pResourceBefore", before)?;
                self.check_aliased("Aliasing.pResourceAfter", after)
            }
            ResourceBarrier::Uav { resource, flags } => {
                check_flags(flags)?;
                let Some(resource) = resource else { return Ok(()) };
                self.check_device("UAV.pResource", resource)?;
                check_unordered_access(resource)
            }
        }
    }

    #[inline]
    fn check_state(
        &self,
        field: &'static str,
        resource: &Resource,
        state: ResourceStates,
    ) -> Result<(), Box<Violation>> {
        if state.is_empty() {
            return Ok(());
        }
        check_state(&STATE_RULES, field, &resource.inner.desc, state)?;
        let has = match self.list_type {
            CommandListType::Direct => DIRECT_STATES,
            CommandListType::Compute => COMPUTE_STATES,
            CommandListType::Copy => COPY_STATES,
        };
        if !has.contains(state) {
            return Err(list_type_violation(field, state, self.list_type, has));
        }
        if state == ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE {
            return Err(rules::STATE_ACCELERATION_STRUCTURE.violated(field, state, "another state"));
        }
        Ok(())
    }

    fn check_aliased(&self, field: &'static str, resource: Option<&Resource>) -> Result<(), Box<Violation>> {
        let Some(resource) = resource else { return Ok(()) };
        self.check_device(field, resource)?;
        match resource.inner.place {
            Place::Placed { .. } | Place::Reserved { .. } => Ok(()),
            Place::Committed { .. } => Err(rules::ALIASING_RESOURCE.violated(
                field,
                "a committed resource",
                "a placed or reserved one, or NULL",
            )),
        }
    }
}

#[inline]
fn check_flags(flags: ResourceBarrierFlags) -> Result<(), Box<Violation>> {
    // None, or one of the two bits.
    if flags.is_empty()
        || flags == ResourceBarrierFlags::BEGIN_ONLY
        || flags == ResourceBarrierFlags::END_ONLY
    {
        return Ok(());
    }
    Err(flags_violation(flags))
}

#[cold]
fn flags_violation(flags: ResourceBarrierFlags) -> Box<Violation> {
    rules::FLAGS.violated("Flags", flags, "NONE, BEGIN_ONLY, END_ONLY")
}

#[inline]
fn check_transition(
    resource: &Resource,
    subresource: u32,
    before: ResourceStates,
    after: ResourceStates,
) -> Result<(), Box<Violation>> {
    if subresource != ALL_SUBRESOURCES && u64::from(subresource) >= subresource_count(&resource.inner.desc) {
        return Err(subresource_violation(resource, subresource));
    }
    if before == after {
        return Err(same_violation(before));
    }
    match heap_type(resource) {
        Some(heap_type @ (HeapType::Upload | HeapType::Readback)) => Err(heap_violation(heap_type)),
        _ => Ok(()),
    }
}

#[cold]
fn subresource_violation(resource: &Resource, subresource: u32) -> Box<Violation> {
    let count = subresource_count(&resource.inner.desc);
    rules::TRANSITION_SUBRESOURCE.violated(
        "Transition.Subresource",
        subresource,
        format_args!("0 to {}, or all: {ALL_SUBRESOURCES}", count.saturating_sub(1)),
    )
}

#[cold]
fn same_violation(state: ResourceStates) -> Box<Violation> {
    rules::TRANSITION_SAME.violated(
        "Transition.StateBefore, StateAfter",
        format_args!("{state} twice"),
        "two states",
    )
}

#[cold]
fn heap_violation(heap_type: HeapType) -> Box<Violation> {
    rules::STATE_HEAP.violated(
        "Transition.pResource",
        format_args!("a resource on a {heap_type} heap"),
        "a resource on a heap of another type",
    )
}

#[cold]
fn list_type_violation(
    field: &'static str,
    state: ResourceStates,
    list_type: CommandListType,
    has: ResourceStates,
) -> Box<Violation> {
    rules::STATE_LIST_TYPE.violated(
        field,
        format_args!("{state} in a list of type {list_type}"),
        format_args!("COMMON | {has}"),
    )
}

fn check_unordered_access(resource: &Resource) -> Result<(), Box<Violation>> {
    let flags = resource.inner.desc.flags;
    if flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS) {
        return Ok(());
    }
    Err(rules::UAV_FLAGS.violated(
        "UAV.pResource",
        format_args!("a resource with flags {flags}"),
        "one with ALLOW_UNORDERED_ACCESS, or NULL",
    ))
}

#[inline]
fn compiled(recorder: &mut Recorder, barrier: &ResourceBarrier<'_>) -> Barrier {
    match *barrier {
        ResourceBarrier::Transition { resource, subresource, before, after, flags } => Barrier::Transition {
            allocation: recorder.allocation(resource),
            subresource,
            before,
            after,
            flags,
        },
        ResourceBarrier::Aliasing { before, after, flags } => Barrier::Aliasing {
            before: before.map(|resource| recorder.allocation(resource)),
            after: after.map(|resource| recorder.allocation(resource)),
            flags,
        },
        ResourceBarrier::Uav { resource, flags } => {
            Barrier::Uav { allocation: resource.map(|resource| recorder.allocation(resource)), flags }
        }
    }
}
