//! The states of resources as command lists leave them: what ID3D12DebugCommandList and ID3D12DebugCommandQueue assert.
//! Kept on devices that are watched.
//!
//! ```text
//!   a list's ResourceBarrier, Barrier --> States of the list, from its Reset on: unknown until a barrier tells
//!                                           | ExecuteCommandLists, then decay
//!                                           v
//!                                         States of the device: as created until a list tells
//! ```
//! Promotion is not followed: what a list uses without a barrier keeps its state, into which it decays anyway
//! (chosen: the debug layer asks for what barriers said).

use core::ffi::c_void;
use std::collections::BTreeMap;

use heapstone::spec::commands::ALL_SUBRESOURCES;
use heapstone::{HeapType, InitialState, ResourceDimension, ResourceFlags};
use heapstone_layout::{array_size, subresource_count};

use crate::com::{Object, from_client};
use crate::device::Device;
use crate::failure::Failure;
use crate::messages::{Category, Severity};
use crate::resource::Resource;
use crate::types::{
    BOOL, D3D12_BARRIER_GROUP, D3D12_BARRIER_SUBRESOURCE_RANGE, D3D12_BUFFER_BARRIER, D3D12_RESOURCE_BARRIER,
    D3D12_TEXTURE_BARRIER,
};

/// D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY: between it and the other half a subresource is in no state.
const BEGIN_ONLY: u32 = 0x1;
/// D3D12_COMMAND_LIST_TYPE_COPY.
const COPY: u32 = 3;
/// D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE (D3D12's public headers).
const INVALID_SUBRESOURCE_STATE: u32 = 538;

/// What is known of a subresource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// D3D12_RESOURCE_STATES.
    state: Option<u32>,
    /// D3D12_BARRIER_ACCESS.
    access: Option<u32>,
    /// D3D12_BARRIER_LAYOUT.
    layout: Option<u32>,
}

/// What is known of a resource's subresources.
#[derive(Clone, Default)]
pub(crate) struct Tracked {
    /// Of those that have nothing of their own.
    all: State,
    each: BTreeMap<u32, State>,
}

impl Tracked {
    fn set(&mut self, subresource: u32, state: State) {
        if subresource == ALL_SUBRESOURCES {
            *self = Tracked { all: state, each: BTreeMap::new() };
        } else {
            let _ = self.each.insert(subresource, state);
        }
    }
}

/// The states of resources, by their numbers on a watched device.
#[derive(Default)]
pub(crate) struct States(BTreeMap<u64, Tracked>);

/// What is asserted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asserted {
    /// D3D12_RESOURCE_STATES.
    State(u32),
    /// D3D12_BARRIER_ACCESS.
    Access(u32),
    /// D3D12_BARRIER_LAYOUT.
    Layout(u32),
}

impl Asserted {
    /// What contradicts it; nothing where nothing is known.
    fn contradiction(self, known: &State) -> Option<u32> {
        let (given, holds): (Option<u32>, fn(u32, u32) -> bool) = match self {
            // A combination of read states has each of them.
            Asserted::State(_) => {
                (known.state, |known, wanted| known == wanted || (wanted != 0 && known & wanted == wanted))
            }
            // D3D12_BARRIER_ACCESS_COMMON, 0, is every access that the layout has.
            Asserted::Access(_) => (known.access, |known, wanted| known == 0 || known & wanted == wanted),
            Asserted::Layout(_) => (known.layout, |known, wanted| known == wanted),
        };
        given.filter(|known| !holds(*known, self.wanted()))
    }

    fn wanted(self) -> u32 {
        let (Asserted::State(wanted) | Asserted::Access(wanted) | Asserted::Layout(wanted)) = self;
        wanted
    }

    fn method(self) -> &'static str {
        match self {
            Asserted::State(_) => "AssertResourceState",
            Asserted::Access(_) => "AssertResourceAccess",
            Asserted::Layout(_) => "AssertTextureLayout",
        }
    }
}

impl States {
    /// Nothing is known.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The resource is gone.
    pub(crate) fn forget(&mut self, number: u64) {
        let _ = self.0.remove(&number);
    }

    fn set(&mut self, number: u64, subresource: u32, state: State) {
        self.0.entry(number).or_default().set(subresource, state);
    }

    /// ResourceBarrier was recorded.
    ///
    /// # Safety
    /// The barriers' pointers are to live objects, or NULL.
    pub(crate) unsafe fn record_barriers(&mut self, device: &Device, barriers: &[D3D12_RESOURCE_BARRIER]) {
        for barrier in barriers.iter().filter(|barrier| barrier.Type == 0) {
            // SAFETY: the type says which part is there.
            let transition = unsafe { barrier.u.Transition };
            let state = (barrier.Flags & BEGIN_ONLY == 0).then_some(transition.StateAfter);
            // SAFETY: the caller's promise.
            if let Some(number) = unsafe { number_of(device, transition.pResource) } {
                self.set(number, transition.Subresource, State { state, ..State::default() });
            }
        }
    }

    /// Barrier was recorded.
    ///
    /// # Safety
    /// As of [`States::record_barriers`]; a group's type says what its pointer points to, and how many there are.
    pub(crate) unsafe fn record_groups(&mut self, device: &Device, groups: &[D3D12_BARRIER_GROUP]) {
        for group in groups {
            let count = crate::convert::size(group.NumBarriers);
            match group.Type {
                1 if count > 0 => {
                    let pointer = group.pBarriers.cast::<D3D12_TEXTURE_BARRIER>();
                    // SAFETY: the caller's promise.
                    for barrier in unsafe { core::slice::from_raw_parts(pointer, count) } {
                        // SAFETY: as above.
                        unsafe { self.record_texture(device, barrier) };
                    }
                }
                2 if count > 0 => {
                    let pointer = group.pBarriers.cast::<D3D12_BUFFER_BARRIER>();
                    // SAFETY: the caller's promise.
                    for barrier in unsafe { core::slice::from_raw_parts(pointer, count) } {
                        // SAFETY: as above.
                        if let Some(number) = unsafe { number_of(device, barrier.pResource) } {
                            let state = State { access: Some(barrier.AccessAfter), ..State::default() };
                            self.set(number, ALL_SUBRESOURCES, state);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    unsafe fn record_texture(&mut self, device: &Device, barrier: &D3D12_TEXTURE_BARRIER) {
        // SAFETY: the caller's promise.
        let Some(resource) = (unsafe { from_client::<Resource>(barrier.pResource) }) else { return };
        let Some(number) = device.live_objects().and_then(|live| live.number(resource.header())) else {
            return;
        };
        let state =
            State { access: Some(barrier.AccessAfter), layout: Some(barrier.LayoutAfter), state: None };
        for subresource in subresources(resource, &barrier.Subresources) {
            self.set(number, subresource, state);
        }
    }

    /// What a list of a submission leaves behind, after the decay into COMMON of all that a copy queue used (Microsoft's
    /// documentation of implicit state transitions); that of other queues depends on the resource: see [`decays`].
    pub(crate) fn execute(&mut self, list: &States, list_type: u32) {
        let decayed = |state: State| match state.state {
            Some(_) if list_type == COPY => State { state: Some(0), ..state },
            _ => state,
        };
        for (number, left) in &list.0 {
            let known = self.0.entry(*number).or_default();
            if left.all != State::default() {
                known.set(ALL_SUBRESOURCES, decayed(left.all));
            }
            for (subresource, state) in &left.each {
                known.set(*subresource, decayed(*state));
            }
        }
    }

    /// What is known of a resource that begins so.
    pub(crate) fn known(&self, number: u64, begins: State) -> Tracked {
        let mut known = self.0.get(&number).cloned().unwrap_or_default();
        if known.all == State::default() {
            known.all = begins;
        }
        known
    }
}

impl Tracked {
    /// The subresource, of `count`, that contradicts an assertion of one or all, and how.
    fn contradiction(&self, subresource: u32, count: u64, asserted: Asserted) -> Option<(u32, u32)> {
        if subresource != ALL_SUBRESOURCES {
            let state = self.each.get(&subresource).unwrap_or(&self.all);
            return asserted.contradiction(state).map(|given| (subresource, given));
        }
        let mut each = self.each.iter();
        let own = each.find_map(|(index, state)| asserted.contradiction(state).map(|given| (*index, given)));
        let rest = || asserted.contradiction(&self.all).map(|given| (ALL_SUBRESOURCES, given));
        let has_rest = u64::try_from(self.each.len()).is_ok_and(|own| own < count);
        own.or_else(|| if has_rest { rest() } else { None })
    }
}

/// The subresources of a barrier's range: mips of slices of planes, or one index, or all.
fn subresources(resource: &Resource, range: &D3D12_BARRIER_SUBRESOURCE_RANGE) -> Vec<u32> {
    if range.NumMipLevels == 0 {
        return vec![range.IndexOrFirstMipLevel];
    }
    let desc = resource.runtime.desc();
    let (mips, slices) = (u32::from(desc.mip_levels), u32::from(array_size(desc)));
    let mut all = Vec::new();
    for plane in range.FirstPlane..range.FirstPlane.saturating_add(range.NumPlanes.max(1)) {
        for slice in range.FirstArraySlice..range.FirstArraySlice.saturating_add(range.NumArraySlices.max(1))
        {
            let first = (plane * slices + slice) * mips + range.IndexOrFirstMipLevel;
            all.extend(first..first + range.NumMipLevels);
        }
    }
    all
}

unsafe fn number_of(device: &Device, resource: *mut c_void) -> Option<u64> {
    // SAFETY: the caller's promise.
    let resource = unsafe { from_client::<Resource>(resource) }?;
    device.live_objects()?.number(resource.header())
}

/// How a resource begins.
fn begins(resource: &Resource) -> State {
    match resource.runtime.initial_state() {
        InitialState::State(state) => State { state: Some(state.bits()), ..State::default() },
        InitialState::Layout(layout) => State { layout: Some(layout.to_d3d12()), ..State::default() },
    }
}

/// The state into which a resource decays at the end of ExecuteCommandLists, where it does (Microsoft's documentation of
/// implicit state transitions): buffers and simultaneous-access textures to COMMON, on heaps whose states may change.
fn decays(resource: &Resource) -> bool {
    let desc = resource.runtime.desc();
    let is_free = desc.dimension == ResourceDimension::Buffer
        || desc.flags.contains(ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS);
    let heap_type = resource.runtime.heap_properties().map(|(properties, _)| properties.heap_type);
    is_free && !matches!(heap_type, Ok(HeapType::Upload | HeapType::Readback))
}

/// Whom an assertion is made to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// A list: what it does not know it does not contradict.
    List,
    /// A queue, between submissions.
    Queue,
}

/// An assertion: TRUE where it holds, or nothing is known. One that does not is reported. `look_up` finds what is known of
/// the resource with a number, which begins so ([`States::known`]); no lock is held when something is reported.
///
/// # Safety
/// `resource` is NULL or a live COM object.
pub(crate) unsafe fn check(
    device: &Object<Device>,
    look_up: impl FnOnce(u64, State) -> Tracked,
    of: Of,
    resource: *mut c_void,
    subresource: u32,
    asserted: Asserted,
) -> BOOL {
    let checked = device.attempt(|| {
        // SAFETY: the caller's promise.
        let resource = unsafe { from_client::<Resource>(resource) }
            .ok_or(Failure::Argument("pResource is no resource"))?;
        let count = subresource_count(resource.runtime.desc());
        if subresource != ALL_SUBRESOURCES && u64::from(subresource) >= count {
            return Err(Failure::Argument("Subresource is beyond the resource's"));
        }
        let Some(number) = device.live_objects().and_then(|live| live.number(resource.header())) else {
            return Ok(None);
        };
        let known = match of {
            Of::List => look_up(number, State::default()),
            // Whatever a list left it in.
            Of::Queue if decays(resource) => {
                Tracked { all: State { state: Some(0), ..State::default() }, each: BTreeMap::new() }
            }
            Of::Queue => look_up(number, begins(resource)),
        };
        let contradiction = known.contradiction(subresource, count, asserted);
        Ok(contradiction.map(|found| (resource.runtime.name(), found)))
    });
    match checked {
        Ok(None) => BOOL::from(true),
        Ok(Some((name, (subresource, given)))) => {
            let text = format!(
                "{}: subresource {subresource:#x} of resource \"{name}\" is in {given:#x}; asserted: {:#x}",
                asserted.method(),
                asserted.wanted()
            );
            device.say(Category::Execution, Severity::Error, INVALID_SUBRESOURCE_STATE, text);
            BOOL::from(false)
        }
        Err(_) => BOOL::from(false),
    }
}
