//! Barrier: enhanced barriers. Rules: Microsoft's public D3D12 enhanced-barriers specification.

use heapstone_driver::dma::{Barrier, Command};
use heapstone_layout::{array_size, subresource_count};
use heapstone_spec::commands::{
    BarrierAccess, BarrierSubresourceRange, BarrierSync, CommandListType, TextureBarrierFlags,
};
use heapstone_spec::rules::barrier as rules;
use heapstone_spec::{BarrierLayout, HeapType, ResourceDesc, ResourceFlags, Violation};

use super::barrier_desc::{BarrierGroup, BufferBarrier, GlobalBarrier, TextureBarrier};
use super::barrier_tables as tables;
use super::copy_buffer::heap_type;
use super::list::CommandList;
use super::observed::ListCommand;
use super::recorder::Recorder;
use crate::error::Error;
use crate::resource::Resource;
use crate::validate::states::check_layout_flags;

const CALL: &str = "Barrier";
const SYNC: [&str; 2] = ["SyncBefore", "SyncAfter"];
const ACCESS: [&str; 2] = ["AccessBefore", "AccessAfter"];
const LAYOUT: [&str; 2] = ["LayoutBefore", "LayoutAfter"];

impl CommandList {
    /// ID3D12GraphicsCommandList7::Barrier. Barriers are kept in the stream with all their fields; which
    /// layouts textures are in is not followed. No barriers are no command.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `barrier.*` or `list.*`; none of the barriers is recorded then.
    pub fn barrier(&mut self, groups: &[BarrierGroup<'_>]) -> Result<(), Error> {
        let result = self.record_barriers(groups);
        self.ended(result, || ListCommand::Barrier { groups })
    }

    fn record_barriers(&mut self, groups: &[BarrierGroup<'_>]) -> Result<(), Box<Violation>> {
        self.recorder(CALL, CommandListType::ALL)?;
        if !self.device.layout_rules.caps.enhanced_barriers {
            return Err(rules::ENHANCED_UNSUPPORTED.violated(
                CALL,
                format_args!(
                    "adapter profile {} under SDK {}",
                    self.device.adapter.profile.name, self.device.sdk
                ),
                "an adapter with EnhancedBarriersSupported",
            ));
        }
        let mut count = 0_usize;
        for group in groups {
            count = count.saturating_add(self.check_group(group)?);
        }
        if count == 0 {
            return Ok(());
        }
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(count)?;
        for group in groups {
            record_group(recorder, group);
        }
        Ok(())
    }

    /// Answers the group's barriers.
    fn check_group(&self, group: &BarrierGroup<'_>) -> Result<usize, Box<Violation>> {
        match *group {
            BarrierGroup::Global(barriers) => {
                for barrier in barriers {
                    self.check_global(barrier)?;
                }
                Ok(barriers.len())
            }
            BarrierGroup::Texture(barriers) => {
                for barrier in barriers {
                    self.check_texture(barrier)?;
                }
                Ok(barriers.len())
            }
            BarrierGroup::Buffer(barriers) => {
                for barrier in barriers {
                    self.check_buffer_barrier(barrier)?;
                }
                Ok(barriers.len())
            }
        }
    }

    fn check_global(&self, barrier: &GlobalBarrier) -> Result<(), Box<Violation>> {
        let sync = [barrier.sync_before, barrier.sync_after];
        self.check_scopes(sync, [barrier.access_before, barrier.access_after])?;
        for (field, sync) in SYNC.into_iter().zip(sync) {
            if sync.contains(BarrierSync::SPLIT) {
                return Err(rules::SYNC_SPLIT.violated(field, sync, "no SPLIT in a global barrier"));
            }
        }
        Ok(())
    }

    fn check_texture(&self, barrier: &TextureBarrier<'_>) -> Result<(), Box<Violation>> {
        self.check_device("pResource", barrier.resource)?;
        let desc = &barrier.resource.inner.desc;
        if desc.is_buffer() {
            return Err(rules::ENHANCED_TYPE.violated(
                "pResource",
                "a buffer in a texture barrier",
                "a texture",
            ));
        }
        let access = [barrier.access_before, barrier.access_after];
        let layout = [barrier.layout_before, barrier.layout_after];
        self.check_scopes([barrier.sync_before, barrier.sync_after], access)?;
        for side in 0..2 {
            self.check_layout(LAYOUT[side], desc, layout[side])?;
            check_access_of_resource(ACCESS[side], barrier.resource, access[side])?;
            check_access_of_layout(ACCESS[side], desc, layout, side, access[side])?;
        }
        check_subresources(desc, &barrier.subresources)?;
        check_texture_flags(barrier)
    }

    fn check_buffer_barrier(&self, barrier: &BufferBarrier<'_>) -> Result<(), Box<Violation>> {
        self.check_device("pResource", barrier.resource)?;
        let desc = &barrier.resource.inner.desc;
        if !desc.is_buffer() {
            return Err(rules::ENHANCED_TYPE.violated(
                "pResource",
                format_args!("a {} texture in a buffer barrier", desc.dimension),
                "a buffer",
            ));
        }
        let access = [barrier.access_before, barrier.access_after];
        self.check_scopes([barrier.sync_before, barrier.sync_after], access)?;
        for side in 0..2 {
            check_access_of_resource(ACCESS[side], barrier.resource, access[side])?;
        }
        if barrier.offset != 0 || (barrier.size != u64::MAX && barrier.size != desc.width) {
            return Err(rules::BUFFER_RANGE.violated(
                "Offset, Size",
                format_args!("{} bytes at {}", barrier.size, barrier.offset),
                format_args!("{} or {} bytes at 0", desc.width, u64::MAX),
            ));
        }
        Ok(())
    }

    /// What all kinds of barriers have in common: each side by itself, and the two sides' SPLIT.
    fn check_scopes(&self, sync: [BarrierSync; 2], access: [BarrierAccess; 2]) -> Result<(), Box<Violation>> {
        for side in 0..2 {
            self.check_sync(SYNC[side], sync[side])?;
            self.check_access(side, sync[side], access[side])?;
        }
        let is_split = |sync: BarrierSync| sync.contains(BarrierSync::SPLIT);
        if is_split(sync[0]) && is_split(sync[1]) {
            return Err(rules::SYNC_SPLIT.violated(
                "SyncBefore, SyncAfter",
                "SPLIT on both sides",
                "SPLIT on one side",
            ));
        }
        Ok(())
    }

    fn check_sync(&self, field: &'static str, sync: BarrierSync) -> Result<(), Box<Violation>> {
        let unknown = sync.difference(BarrierSync::all());
        if !unknown.is_empty() {
            return Err(unrecognized(field, sync.bits(), BarrierSync::all().bits()));
        }
        if sync.contains(BarrierSync::SPLIT) && sync != BarrierSync::SPLIT {
            return Err(rules::SYNC_SPLIT.violated(field, sync, "SPLIT alone"));
        }
        let of_list = tables::sync_of_list(self.list_type);
        if !of_list.contains(sync) {
            return Err(rules::SYNC_LIST_TYPE.violated(
                field,
                format_args!("{} in a list of type {}", sync.difference(of_list), self.list_type),
                of_list,
            ));
        }
        Ok(())
    }

    fn check_access(
        &self,
        side: usize,
        sync: BarrierSync,
        access: BarrierAccess,
    ) -> Result<(), Box<Violation>> {
        let field = ACCESS[side];
        let unknown = access.difference(BarrierAccess::all());
        if !unknown.is_empty() {
            return Err(unrecognized(field, access.bits(), BarrierAccess::all().bits()));
        }
        if access.contains(BarrierAccess::NO_ACCESS) {
            if access == BarrierAccess::NO_ACCESS {
                return Ok(());
            }
            return Err(rules::NO_ACCESS.violated(field, access, "NO_ACCESS alone"));
        }
        if sync.is_empty() {
            return Err(rules::NO_ACCESS.violated(
                field,
                format_args!("{access} beside sync NONE"),
                "NO_ACCESS",
            ));
        }
        let of_list = tables::access_of_list(self.list_type);
        if !of_list.contains(access) {
            return Err(rules::ACCESS_LIST_TYPE.violated(
                field,
                format_args!("{} in a list of type {}", access.difference(of_list), self.list_type),
                of_list,
            ));
        }
        check_sync_of_access(field, sync, access)
    }

    fn check_layout(
        &self,
        field: &'static str,
        desc: &ResourceDesc,
        layout: BarrierLayout,
    ) -> Result<(), Box<Violation>> {
        if !tables::has_layout(self.list_type, layout) {
            return Err(rules::LAYOUT_LIST_TYPE.violated(
                field,
                format_args!("{layout} in a list of type {}", self.list_type),
                "a layout of that type of queue",
            ));
        }
        let is_common = matches!(layout, BarrierLayout::Common | BarrierLayout::Undefined);
        if desc.flags.contains(ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS) && !is_common {
            return Err(rules::LAYOUT_RESOURCE.violated(
                field,
                format_args!("{layout} with flags {}", desc.flags),
                "COMMON beside ALLOW_SIMULTANEOUS_ACCESS",
            ));
        }
        check_layout_flags(&rules::LAYOUT_RESOURCE, field, desc, layout)
    }
}

#[cold]
fn unrecognized(field: &'static str, given: u32, known: u32) -> Box<Violation> {
    rules::ENHANCED_UNRECOGNIZED.violated(
        field,
        format_args!("{given:#x}, with unknown bits {:#x}", given & !known),
        format_args!("bits of {known:#x}"),
    )
}

fn check_sync_of_access(
    field: &'static str,
    sync: BarrierSync,
    access: BarrierAccess,
) -> Result<(), Box<Violation>> {
    if sync.contains(BarrierSync::SPLIT) {
        return Ok(());
    }
    for (one, made_by) in tables::SYNC_OF_ACCESS {
        if access.contains(*one) && !sync.intersects(*made_by) {
            return Err(rules::ACCESS_SYNC.violated(
                field,
                format_args!("{one} beside sync {sync}"),
                format_args!("{one} beside one of {made_by}"),
            ));
        }
    }
    Ok(())
}

/// An access against dimension, heap and flags.
fn check_access_of_resource(
    field: &'static str,
    resource: &Resource,
    access: BarrierAccess,
) -> Result<(), Box<Violation>> {
    let desc = &resource.inner.desc;
    let mut allowed = match heap_type(resource) {
        Some(HeapType::Upload) => tables::UPLOAD_ACCESS,
        Some(HeapType::Readback) => tables::READBACK_ACCESS,
        _ if desc.is_buffer() => tables::BUFFER_ACCESS,
        _ => tables::TEXTURE_ACCESS,
    };
    for (needed, accesses) in [
        (ResourceFlags::ALLOW_RENDER_TARGET, BarrierAccess::RENDER_TARGET),
        (
            ResourceFlags::ALLOW_UNORDERED_ACCESS,
            BarrierAccess::UNORDERED_ACCESS
                .union(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_READ)
                .union(BarrierAccess::RAYTRACING_ACCELERATION_STRUCTURE_WRITE),
        ),
        (
            ResourceFlags::ALLOW_DEPTH_STENCIL,
            BarrierAccess::DEPTH_STENCIL_WRITE.union(BarrierAccess::DEPTH_STENCIL_READ),
        ),
    ] {
        if !desc.flags.contains(needed) {
            allowed = allowed.difference(accesses);
        }
    }
    if desc.flags.contains(ResourceFlags::DENY_SHADER_RESOURCE) {
        allowed = allowed.difference(BarrierAccess::SHADER_RESOURCE);
    }
    if allowed.contains(access) {
        return Ok(());
    }
    Err(rules::ACCESS_RESOURCE.violated(
        field,
        format_args!("{} for a {} with flags {}", access.difference(allowed), desc.dimension, desc.flags),
        allowed,
    ))
}

/// An access against its side's layout. COMMON access is whatever the layout allows.
fn check_access_of_layout(
    field: &'static str,
    desc: &ResourceDesc,
    layouts: [BarrierLayout; 2],
    side: usize,
    access: BarrierAccess,
) -> Result<(), Box<Violation>> {
    let (layout, other) = (layouts[side], layouts[1 - side]);
    if access == BarrierAccess::NO_ACCESS {
        return Ok(());
    }
    if layout == BarrierLayout::Undefined {
        if other == BarrierLayout::Undefined {
            return Ok(());
        }
        return Err(rules::LAYOUT_UNDEFINED.violated(
            field,
            format_args!("{access} beside layout UNDEFINED"),
            "NO_ACCESS",
        ));
    }
    let mut allowed = tables::access_of_layout(layout);
    if desc.flags.contains(ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS) {
        allowed |= tables::SIMULTANEOUS;
    }
    if allowed.contains(access) {
        return Ok(());
    }
    Err(rules::ACCESS_LAYOUT.violated(
        field,
        format_args!("{} in layout {layout}", access.difference(allowed)),
        allowed,
    ))
}

/// NumMipLevels 0: a subresource index, or all; counts of 0 slices or planes mean 1.
fn check_subresources(desc: &ResourceDesc, range: &BarrierSubresourceRange) -> Result<(), Box<Violation>> {
    if range.num_mip_levels == 0 {
        let count = subresource_count(desc);
        if range.index_or_first_mip_level == u32::MAX || u64::from(range.index_or_first_mip_level) < count {
            return Ok(());
        }
        return Err(rules::SUBRESOURCES.violated(
            "Subresources.IndexOrFirstMipLevel",
            range.index_or_first_mip_level,
            format_args!("0 to {}, or all: {}", count.saturating_sub(1), u32::MAX),
        ));
    }
    let axes = [
        ("mips", range.index_or_first_mip_level, range.num_mip_levels, u32::from(desc.mip_levels)),
        ("slices", range.first_array_slice, range.num_array_slices, u32::from(array_size(desc))),
        ("planes", range.first_plane, range.num_planes, u32::from(desc.format.info().plane_count)),
    ];
    for (what, first, count, there_are) in axes {
        let end = u64::from(first) + u64::from(count.max(1));
        if end > u64::from(there_are) {
            return Err(rules::SUBRESOURCES.violated(
                "Subresources",
                format_args!("{} {what} from {first}", count.max(1)),
                format_args!("within {there_are} {what}"),
            ));
        }
    }
    Ok(())
}

fn check_texture_flags(barrier: &TextureBarrier<'_>) -> Result<(), Box<Violation>> {
    let known = TextureBarrierFlags::all();
    if !known.contains(barrier.flags) {
        return Err(unrecognized("Flags", barrier.flags.bits(), known.bits()));
    }
    let discards = barrier.flags.contains(TextureBarrierFlags::DISCARD);
    if discards && barrier.layout_before != BarrierLayout::Undefined {
        return Err(rules::DISCARD.violated(
            "Flags",
            format_args!("DISCARD from layout {}", barrier.layout_before),
            "DISCARD from layout UNDEFINED",
        ));
    }
    Ok(())
}

fn record_group(recorder: &mut Recorder, group: &BarrierGroup<'_>) {
    match *group {
        BarrierGroup::Global(barriers) => {
            for barrier in barriers {
                recorder.push(&Command::Barrier(Barrier::Global {
                    sync: [barrier.sync_before, barrier.sync_after],
                    access: [barrier.access_before, barrier.access_after],
                }));
            }
        }
        BarrierGroup::Texture(barriers) => {
            for barrier in barriers {
                let allocation = recorder.allocation(barrier.resource);
                recorder.push(&Command::Barrier(Barrier::Texture {
                    allocation,
                    sync: [barrier.sync_before, barrier.sync_after],
                    access: [barrier.access_before, barrier.access_after],
                    layout: [barrier.layout_before, barrier.layout_after],
                    subresources: barrier.subresources,
                    flags: barrier.flags,
                }));
            }
        }
        BarrierGroup::Buffer(barriers) => {
            for barrier in barriers {
                let allocation = recorder.allocation(barrier.resource);
                recorder.push(&Command::Barrier(Barrier::Buffer {
                    allocation,
                    sync: [barrier.sync_before, barrier.sync_after],
                    access: [barrier.access_before, barrier.access_after],
                    offset: barrier.offset,
                    size: barrier.size,
                }));
            }
        }
    }
}
