//! DiscardResource.

use core::ops::Range;

use heapstone_driver::dma::{Address, Command, Image};
use heapstone_layout::subresource_count;
use heapstone_spec::commands::{CommandListType, Rect};
use heapstone_spec::rules::clear as rules;
use heapstone_spec::{ResourceDesc, ResourceDimension, ResourceFlags, Violation};

use super::fill::clipped;
use super::grid::{Grid, surface_of};
use super::list::CommandList;
use super::observed::ListCommand;
use crate::error::Error;
use crate::resource::Resource;

const CALL: &str = "DiscardResource";
const TYPES: &[CommandListType] = &[CommandListType::Direct, CommandListType::Compute];

/// D3D12_DISCARD_REGION.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiscardRegion<'a> {
    /// In texels of each subresource; none: all of it.
    pub rects: &'a [Rect],
    /// The first subresource.
    pub first_subresource: u32,
    /// How many.
    pub num_subresources: u32,
}

impl CommandList {
    /// ID3D12GraphicsCommandList::DiscardResource: the contents are not needed any more. `region` `None` is the
    /// whole resource; rectangles are widened to whole elements.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `discard.*`, `copy.texture.opaque`, `list.*`.
    pub fn discard_resource(
        &mut self,
        resource: &Resource,
        region: Option<&DiscardRegion<'_>>,
    ) -> Result<(), Error> {
        let result = self.record_discard(resource, region);
        self.ended(result, || ListCommand::DiscardResource {
            resource: resource.id(),
            region: region.copied(),
        })
    }

    fn record_discard(
        &mut self,
        resource: &Resource,
        region: Option<&DiscardRegion<'_>>,
    ) -> Result<(), Box<Violation>> {
        self.recorder(CALL, TYPES)?;
        self.check_device("pResource", resource)?;
        let desc = &resource.inner.desc;
        check_flags(self.list_type, desc.flags)?;
        let subresources = subresources_of(desc, region)?;
        let rects = region.map_or(&[][..], |region| region.rects);
        if !rects.is_empty() {
            check_rects(desc, &subresources)?;
        }
        if desc.is_buffer() {
            return self.discard_buffer(resource);
        }
        surface_of("pResource", "pRegion", resource, subresources.start)?;
        let recorder = self.recorder(CALL, TYPES)?;
        recorder.begin_call(subresources.len().saturating_mul(rects.len().max(1)))?;
        for subresource in subresources {
            let grid = Grid::of_surface(
                resource,
                subresource,
                surface_of("pResource", "pRegion", resource, subresource)?,
            );
            let destination = grid.image(recorder, resource);
            if rects.is_empty() {
                let size = grid.counted(grid.elements);
                recorder.push(&Command::Discard { destination, origin: [0; 3], size });
            }
            for rect in rects {
                if let Some((origin, size)) = elements_of(&grid, rect) {
                    let (origin, size) = (grid.counted(origin), grid.counted(size));
                    recorder.push(&Command::Discard { destination, origin, size });
                }
            }
        }
        Ok(())
    }

    /// As one row of bytes, as far as 32 bits count them: it is a hint.
    fn discard_buffer(&mut self, buffer: &Resource) -> Result<(), Box<Violation>> {
        let width = buffer.inner.desc.width;
        let recorder = self.recorder(CALL, TYPES)?;
        recorder.begin_call(1)?;
        let address =
            Address { allocation: recorder.allocation(buffer), at: buffer.inner.gpu_virtual_address };
        let row = u32::try_from(width).unwrap_or(u32::MAX);
        recorder.push(&Command::Discard {
            destination: Image::Pitched { address, row_pitch: row, slice_pitch: width },
            origin: [0; 3],
            size: [row, 1, 1],
        });
        Ok(())
    }
}

fn check_flags(list_type: CommandListType, flags: ResourceFlags) -> Result<(), Box<Violation>> {
    let mut needed = ResourceFlags::ALLOW_UNORDERED_ACCESS;
    if list_type == CommandListType::Direct {
        needed |= ResourceFlags::ALLOW_RENDER_TARGET.union(ResourceFlags::ALLOW_DEPTH_STENCIL);
    }
    if flags.intersects(needed) {
        return Ok(());
    }
    Err(rules::DISCARD_FLAGS.violated(
        "pResource",
        format_args!("a resource with flags {flags} in a list of type {list_type}"),
        format_args!("one of {needed}"),
    ))
}

fn subresources_of(
    desc: &ResourceDesc,
    region: Option<&DiscardRegion<'_>>,
) -> Result<Range<u32>, Box<Violation>> {
    let count = u32::try_from(subresource_count(desc))
        .expect("invariant: a legal resource has at most 30720 subresources");
    let Some(region) = region else { return Ok(0..count) };
    let end = region.first_subresource.checked_add(region.num_subresources);
    match end {
        Some(end) if region.num_subresources > 0 && end <= count => Ok(region.first_subresource..end),
        _ => Err(rules::DISCARD_SUBRESOURCES.violated(
            "pRegion->FirstSubresource, NumSubresources",
            format_args!("{} from {}", region.num_subresources, region.first_subresource),
            format_args!("at least 1, within {count}"),
        )),
    }
}

fn check_rects(desc: &ResourceDesc, subresources: &Range<u32>) -> Result<(), Box<Violation>> {
    if desc.dimension != ResourceDimension::Texture2D {
        return Err(rules::DISCARD_RECTS_DIMENSION.violated(
            "pRegion->NumRects",
            format_args!("rectangles for a {}", desc.dimension),
            "0, or a TEXTURE2D",
        ));
    }
    let mips = u32::from(desc.mip_levels);
    let is_one_mip = mips == 1 || subresources.len() == 1;
    if !is_one_mip {
        return Err(rules::DISCARD_RECTS_MIPS.violated(
            "pRegion->NumSubresources",
            format_args!("{} subresources of {mips} mips beside rectangles", subresources.len()),
            "1 of a texture with several mips",
        ));
    }
    Ok(())
}

/// Origin and size of the elements that a rectangle of texels touches.
fn elements_of(grid: &Grid, rect: &Rect) -> Option<([u32; 3], [u32; 3])> {
    let [width, height, _] = grid.texels().map(|texels| u32::try_from(texels).unwrap_or(u32::MAX));
    let [[left, top], [wide, high]] = clipped(rect, width, height)?;
    let (across, down) = (1_u32 << grid.element.width_log2, 1_u32 << grid.element.height_log2);
    let (x, y) = (left / across, top / down);
    let size = [(left + wide).div_ceil(across) - x, (top + high).div_ceil(down) - y, grid.elements[2]];
    Some(([x, y, 0], size))
}
