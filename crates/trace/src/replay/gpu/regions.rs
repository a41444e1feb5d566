//! How many bytes of texels a call moves, without any padding.

use heapstone::{Device, FootprintOutputs, PlacedFootprint, Resource, ViewRange};
use heapstone_spec::commands::{Box3D, Rect};

/// Bytes of a box of rows that a footprint describes; all of it without a box.
pub(super) fn of_footprint(footprint: &PlacedFootprint, texels: Option<&Box3D>) -> u64 {
    let info = footprint.format.info();
    let [width, height, depth] = match texels {
        None => [footprint.width, footprint.height, footprint.depth],
        Some(texels) => [
            texels.right.saturating_sub(texels.left),
            texels.bottom.saturating_sub(texels.top),
            texels.back.saturating_sub(texels.front),
        ],
    };
    let elements = u64::from(width.div_ceil(info.element_width()))
        .saturating_mul(u64::from(height.div_ceil(info.element_height())))
        .saturating_mul(u64::from(depth));
    elements.saturating_mul(u64::from(info.bits_per_element)).div_ceil(8)
}

/// Bytes of a box of a subresource, all samples; all of it without a box. 0 where there is no such one.
pub(super) fn of_subresource(
    device: &Device,
    resource: &Resource,
    subresource: u32,
    texels: Option<&Box3D>,
) -> u64 {
    let desc = resource.desc();
    let mut layout = [PlacedFootprint::EMPTY];
    let outputs = FootprintOutputs { layouts: Some(&mut layout), ..FootprintOutputs::default() };
    match device.get_copyable_footprints(desc, subresource, 1, 0, outputs) {
        Ok(_) => of_footprint(&layout[0], texels).saturating_mul(u64::from(desc.sample_desc.count.max(1))),
        Err(_) => 0,
    }
}

/// Bytes of what a view sees, or of rectangles of each of its slices; what of these lies outside is counted
/// too.
pub(super) fn of_view(device: &Device, resource: &Resource, range: Option<ViewRange>, rects: &[Rect]) -> u64 {
    let range = match range {
        None => return 0,
        Some(ViewRange::Buffer { size, element_size, .. }) => {
            if rects.is_empty() {
                return size;
            }
            let elements = rects
                .iter()
                .map(|rect| u64::from(rect.right.saturating_sub(rect.left).max(0).unsigned_abs()));
            return elements.fold(0, u64::saturating_add).saturating_mul(u64::from(element_size));
        }
        Some(ViewRange::Texture(range)) => range,
    };
    let desc = resource.desc();
    let mips = u32::from(desc.mip_levels.max(1));
    let is_3d = desc.dimension == heapstone_spec::ResourceDimension::Texture3D;
    let slices = if is_3d { 1 } else { u32::from(desc.depth_or_array_size.max(1)) };
    let subresource = range
        .first_mip
        .saturating_add(range.first_slice.saturating_mul(mips))
        .saturating_add(range.plane.saturating_mul(mips).saturating_mul(slices));
    let count = u64::from(range.slice_count).saturating_mul(u64::from(range.w_count));
    let of = |texels: Option<&Box3D>| of_subresource(device, resource, subresource, texels);
    let of_slice = if rects.is_empty() {
        // Of a 3D texture the slices that the view sees.
        let whole = of(None);
        let depth = u64::from(desc.depth_or_array_size >> range.first_mip.min(15)).max(1);
        if is_3d { whole / depth } else { whole }
    } else {
        rects.iter().map(|rect| of(Some(&of_rect(rect)))).fold(0, u64::saturating_add)
    };
    of_slice.saturating_mul(count)
}

pub(super) fn of_rect(rect: &Rect) -> Box3D {
    let extent = |low: i32, high: i32| high.saturating_sub(low).max(0).unsigned_abs();
    Box3D::of_size(extent(rect.left, rect.right), extent(rect.top, rect.bottom), 1)
}
