//! Clears of views, as boxes of elements to fill.

use heapstone_driver::dma::{Address, Command, Image};
use heapstone_layout::{array_size, calc_subresource};
use heapstone_spec::Violation;
use heapstone_spec::commands::Rect;
use heapstone_spec::rules::clear as rules;
use heapstone_texel::Texel;

use super::copy_buffer::address_in;
use super::grid::surface_of;
use super::recorder::Recorder;
use crate::descriptor::{TextureRange, ViewRange};
use crate::resource::Resource;

/// Elements in one row of a filled buffer: a row pitch has 32 bits, an element 16 bytes at most. A multiple of
/// every period, as each row begins the value anew.
const ROW_ELEMENTS_MAX: u32 = 3 << 24;
const _: () =
    assert!(ROW_ELEMENTS_MAX.is_multiple_of(3) && (ROW_ELEMENTS_MAX as u64) << 4 <= u32::MAX as u64);

/// What a clear writes.
#[derive(Clone, Copy)]
pub(super) struct Filling {
    value: [u32; 4],
    element_bytes_log2: u8,
    /// Elements that the value takes: 3 of a texel of 96 bits.
    period: u8,
}

impl Filling {
    pub(super) fn of(texel: &Texel) -> Filling {
        let mut value = [0; 4];
        for (word, bytes) in value.iter_mut().zip(texel.bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let (bytes, period) = if texel.size == 12 { (4, 3) } else { (texel.size, 1) };
        let element_bytes_log2 =
            u8::try_from(bytes.trailing_zeros()).expect("invariant: 8 bits have at most 8 zeros");
        Filling { value, element_bytes_log2, period }
    }
}

/// One plane of a view, with what it is filled with.
pub(super) struct PlaneFill {
    pub(super) plane: u32,
    pub(super) filling: Filling,
}

/// The part of the grid of `width` x `height` elements that a rectangle covers; `None` where it covers
/// nothing. What lies outside is clipped (chosen: D3D12 says nothing, and D3D11's ClearView clips).
pub(super) fn clipped(rect: &Rect, width: u32, height: u32) -> Option<[[u32; 2]; 2]> {
    let within = |at: i32, size: u32| u32::try_from(at).unwrap_or(0).min(size);
    let (left, right) = (within(rect.left, width), within(rect.right, width));
    let (top, bottom) = (within(rect.top, height), within(rect.bottom, height));
    (left < right && top < bottom).then(|| [[left, top], [right - left, bottom - top]])
}

/// Begins a call that fills `planes` of a view; `rects` in texels of the view, none: all of it. The resource has
/// the view's range.
///
/// # Errors
/// `clear.rects.buffer`, `copy.texture.opaque`, `list.full`; nothing is recorded then.
pub(super) fn record_fill(
    recorder: &mut Recorder,
    resource: &Resource,
    range: &ViewRange,
    planes: &[PlaneFill],
    rects: &[Rect],
) -> Result<(), Box<Violation>> {
    match *range {
        ViewRange::Buffer { offset, size, .. } => {
            if !rects.is_empty() {
                return Err(rules::RECTS_BUFFER.violated(
                    "NumRects",
                    format_args!("{} for a view of a buffer", rects.len()),
                    "0",
                ));
            }
            for plane in planes {
                fill_buffer(recorder, resource, offset, size, &plane.filling)?;
            }
            Ok(())
        }
        ViewRange::Texture(range) => fill_texture(recorder, resource, &range, planes, rects),
    }
}

fn fill_buffer(
    recorder: &mut Recorder,
    buffer: &Resource,
    offset: u64,
    size: u64,
    filling: &Filling,
) -> Result<(), Box<Violation>> {
    let elements = size >> filling.element_bytes_log2;
    let pieces = elements.div_ceil(u64::from(ROW_ELEMENTS_MAX));
    recorder.begin_call(usize::try_from(pieces).unwrap_or(usize::MAX))?;
    let allocation = recorder.allocation(buffer);
    let mut first = 0;
    while first < elements {
        let count = u32::try_from(elements - first).unwrap_or(u32::MAX).min(ROW_ELEMENTS_MAX);
        let row_pitch = count << filling.element_bytes_log2;
        let address =
            Address { allocation, at: address_in(buffer, offset + (first << filling.element_bytes_log2)) };
        recorder.push(&Command::Fill {
            destination: Image::Pitched { address, row_pitch, slice_pitch: u64::from(row_pitch) },
            origin: [0; 3],
            size: [count, 1, 1],
            element_bytes_log2: filling.element_bytes_log2,
            samples_log2: 0,
            value: filling.value,
            period: filling.period,
        });
        first += u64::from(count);
    }
    Ok(())
}

fn fill_texture(
    recorder: &mut Recorder,
    texture: &Resource,
    range: &TextureRange,
    planes: &[PlaneFill],
    rects: &[Rect],
) -> Result<(), Box<Violation>> {
    let desc = &texture.inner.desc;
    let subresource_of = |slice: u32, plane: u32| {
        calc_subresource(
            range.first_mip,
            slice,
            plane,
            u32::from(desc.mip_levels),
            u32::from(array_size(desc)),
        )
    };
    let slices = range.first_slice..range.first_slice + range.slice_count;
    let boxes = planes.len().saturating_mul(slices.len()).saturating_mul(rects.len().max(1));
    // Before the call begins: the driver tells how the view's texels lie.
    surface_of("View", "View", texture, subresource_of(range.first_slice, 0))?;
    recorder.begin_call(boxes)?;
    let allocation = recorder.surface_allocation(texture);
    for (plane, slice) in planes.iter().flat_map(|plane| slices.clone().map(move |slice| (plane, slice))) {
        let subresource = subresource_of(slice, plane.plane);
        let surface = surface_of("View", "View", texture, subresource)?;
        let filling = &plane.filling;
        let width = u32::try_from(surface.elements.width).unwrap_or(u32::MAX) / u32::from(filling.period);
        let mut fill = |[[left, top], [wide, high]]: [[u32; 2]; 2]| {
            recorder.push(&Command::Fill {
                destination: Image::Surface {
                    allocation,
                    subresource,
                    base: texture.inner.gpu_virtual_address,
                },
                origin: [left * u32::from(filling.period), top, range.first_w],
                size: [wide * u32::from(filling.period), high, range.w_count],
                element_bytes_log2: filling.element_bytes_log2,
                samples_log2: surface.samples_log2,
                value: filling.value,
                period: filling.period,
            });
        };
        if rects.is_empty() {
            fill([[0, 0], [width, surface.elements.height]]);
        }
        for rect in rects {
            if let Some(covered) = clipped(rect, width, surface.elements.height) {
                fill(covered);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_cut_to_the_grid() {
        for (rect, covered) in [
            (Rect::new(0, 0, 8, 4), Some([[0, 0], [8, 4]])),
            (Rect::new(-5, -1, 3, 2), Some([[0, 0], [3, 2]])),
            (Rect::new(7, 3, i32::MAX, i32::MAX), Some([[7, 3], [1, 1]])),
            (Rect::new(8, 0, 9, 4), None),
            (Rect::new(3, 2, 3, 4), None),
            (Rect::new(4, 2, 3, 4), None),
            (Rect::new(i32::MIN, i32::MIN, 0, 0), None),
        ] {
            assert_eq!(clipped(&rect, 8, 4), covered, "{rect}");
        }
    }
}
