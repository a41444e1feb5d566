//! Rules that bind a resource to its heap: category, heap type, alignment, offset, range.

use heapstone_spec::rules::placement as rules;
use heapstone_spec::{
    Format, HeapFlags, HeapType, ResourceDesc, ResourceDimension, ResourceFlags, TextureLayout, Violation,
};
use heapstone_units::{Alignment, ByteRange};

use super::heap::ResolvedHeap;
use crate::heap::HeapCore;

/// The category that a DENY flag keeps out.
const fn category_name(deny_flag: HeapFlags) -> &'static str {
    if deny_flag.contains(HeapFlags::DENY_BUFFERS) {
        "a buffer"
    } else if deny_flag.contains(HeapFlags::DENY_RT_DS_TEXTURES) {
        "a render-target or depth-stencil texture"
    } else {
        "a texture that is neither render target nor depth-stencil"
    }
}

/// Which resources a heap takes, by its type and flags; for placed and committed ones alike.
#[inline]
pub(crate) fn check_heap_takes(heap: &ResolvedHeap, desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    if heap.is_cpu_abstraction() {
        check_cpu_abstraction(heap.heap_type, desc)?;
    }
    if heap.flags.is_empty() && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) && desc.is_buffer() {
        return Ok(());
    }
    check_flags(heap, desc)
}

fn check_cpu_abstraction(heap_type: HeapType, desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    if !desc.is_buffer() {
        return Err(rules::TEXTURE_HEAP_TYPE.violated(
            "D3D12_RESOURCE_DESC.Dimension",
            format_args!("{} on a heap of type {heap_type}", desc.dimension),
            "BUFFER",
        ));
    }
    let written = ResourceFlags::ALLOW_RENDER_TARGET.union(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    if desc.flags.intersects(written) {
        return Err(rules::BUFFER_HEAP_TYPE.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format_args!("{} on a heap of type {heap_type}", desc.flags),
            "neither ALLOW_RENDER_TARGET nor ALLOW_UNORDERED_ACCESS",
        ));
    }
    Ok(())
}

fn check_flags(heap: &ResolvedHeap, desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    let denied_by = desc.denied_by();
    if heap.flags.contains(denied_by) {
        return Err(rules::HEAP_CATEGORY.violated(
            "D3D12_RESOURCE_DESC",
            format_args!("{}, in a heap with flags {}", category_name(denied_by), heap.flags),
            format_args!("a heap without {denied_by}"),
        ));
    }
    let cross_adapter = HeapFlags::SHARED.union(HeapFlags::SHARED_CROSS_ADAPTER);
    if !desc.is_buffer()
        && desc.layout == TextureLayout::RowMajor
        && (!heap.flags.contains(cross_adapter) || heap.is_cpu_visible())
    {
        return Err(rules::ROW_MAJOR_HEAP.violated(
            "D3D12_RESOURCE_DESC.Layout",
            format_args!(
                "ROW_MAJOR on a heap with flags {}, {}",
                heap.flags, heap.properties.cpu_page_property
            ),
            "flags SHARED | SHARED_CROSS_ADAPTER, NOT_AVAILABLE",
        ));
    }
    if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) && !heap.flags.contains(cross_adapter) {
        return Err(rules::CROSS_ADAPTER_HEAP.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format_args!("{} on a heap with flags {}", desc.flags, heap.flags),
            "a heap with flags SHARED | SHARED_CROSS_ADAPTER",
        ));
    }
    if heap.flags.contains(HeapFlags::ALLOW_DISPLAY) {
        check_primary(desc)?;
    }
    Ok(())
}

/// What may be scanned out (spec/2-resource-heaps.txt 463, 736, 746).
fn check_primary(desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    const FORMATS: [Format; 4] = [
        Format::R16G16B16A16_FLOAT,
        Format::B8G8R8A8_UNORM,
        Format::R8G8B8A8_UNORM,
        Format::R10G10B10A2_UNORM,
    ];
    let refused = |field, given: &dyn core::fmt::Display, allowed: &str| {
        Err(rules::PRIMARY_SHAPE.violated(field, given, allowed))
    };
    if desc.dimension != ResourceDimension::Texture2D {
        return refused("D3D12_RESOURCE_DESC.Dimension", &desc.dimension, "TEXTURE2D");
    }
    if desc.mip_levels != 1 {
        return refused("D3D12_RESOURCE_DESC.MipLevels", &desc.mip_levels, "1");
    }
    if desc.depth_or_array_size > 2 {
        return refused(
            "D3D12_RESOURCE_DESC.DepthOrArraySize",
            &desc.depth_or_array_size,
            "1, or 2 for stereo",
        );
    }
    if desc.sample_desc.count != 1 {
        return refused("D3D12_RESOURCE_DESC.SampleDesc.Count", &desc.sample_desc.count, "1");
    }
    let family = desc.format.info().family;
    if !FORMATS.iter().any(|format| format.info().family == family) {
        return refused(
            "D3D12_RESOURCE_DESC.Format",
            &desc.format,
            "R16G16B16A16_FLOAT, B8G8R8A8_UNORM, R8G8B8A8_UNORM, R10G10B10A2_UNORM and their families",
        );
    }
    if desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL) {
        return refused("D3D12_RESOURCE_DESC.Flags", &desc.flags, "no ALLOW_DEPTH_STENCIL");
    }
    Ok(())
}

/// Whether `size` bytes at `offset` lie aligned within the heap.
#[inline]
pub(crate) fn check_place(
    heap: &HeapCore,
    offset: u64,
    size: u64,
    alignment: Alignment,
) -> Result<(), Box<Violation>> {
    if alignment > heap.alignment() {
        return Err(rules::HEAP_ALIGNMENT.violated(
            "D3D12_HEAP_DESC.Alignment",
            heap.alignment(),
            format_args!("at least the resource's alignment, {alignment}"),
        ));
    }
    if !alignment.is_aligned(offset) {
        return Err(rules::OFFSET_ALIGNMENT.violated(
            "HeapOffset",
            offset,
            format_args!("a multiple of {} ({alignment})", alignment.bytes()),
        ));
    }
    match ByteRange::at(offset, size) {
        Some(range) if range.end <= heap.usable_size => Ok(()),
        _ => Err(rules::HEAP_RANGE.violated(
            "HeapOffset",
            format_args!("{offset}, for a resource of {size} bytes"),
            format_args!(
                "at most {} in a heap of {} bytes",
                heap.usable_size.saturating_sub(size),
                heap.usable_size
            ),
        )),
    }
}
