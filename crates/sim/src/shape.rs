//! The subresources of a description as grids of elements, by the formulas of facts/layout.md
//! (GetCopyableFootprints): written down once more, naively, so that the model shares no layout code with what
//! it judges.

use heapstone::{Format, ResourceDesc, ResourceDimension};
use heapstone_spec::FormatKind;

/// A subresource: a grid of elements. An element is a texel with all its samples, a block, or the smallest group of
/// texels with bytes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subresource {
    /// Elements along x, y, z.
    pub extent: [usize; 3],
    /// Bytes of an element, of one sample.
    pub bytes: usize,
    /// Texels of an element along x and y.
    pub block: [u32; 2],
    /// Samples of a texel.
    pub samples: usize,
    /// What it copies as.
    pub format: Format,
    /// Whether it is a depth plane of 24 bits in 32.
    pub is_d24: bool,
    /// In the texture.
    pub mip: u32,
    /// In the texture.
    pub slice: u32,
    /// In the texture.
    pub plane: u32,
}

impl Subresource {
    /// Bytes of an element with its samples.
    #[must_use]
    pub const fn element(&self) -> usize {
        self.bytes * self.samples
    }

    /// Elements.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.extent[0] * self.extent[1] * self.extent[2]
    }

    /// The extent in texels of whole elements.
    #[must_use]
    pub fn texels(&self) -> [u32; 3] {
        let [x, y, z] = self.extent.map(|extent| u32::try_from(extent).unwrap_or(u32::MAX));
        [x * self.block[0], y * self.block[1], z]
    }
}

/// What an element of a format of one plane is: bytes, texels across, texels down. `None` where it has no known
/// elements.
#[must_use]
pub fn element_of(format: Format) -> Option<(usize, [u32; 2])> {
    let info = format.info();
    if info.bits_per_element == 0 || info.kind.intersects(FormatKind::PLANAR.union(FormatKind::OPAQUE)) {
        return None;
    }
    let width = u32::from(info.width_alignment);
    if info.kind.contains(FormatKind::BLOCK_COMPRESSED) {
        return Some((usize::from(info.bits_per_element / 8), [width, u32::from(info.height_alignment)]));
    }
    let bits = usize::from(info.bits_per_element) * usize::from(info.width_alignment);
    Some((bits / 8, [width, 1]))
}

/// A plane: its footprint's format, and its extent of a mip's.
struct Plane {
    format: Format,
    width: fn(u32) -> u32,
    height: fn(u32) -> u32,
}

const fn same(extent: u32) -> u32 {
    extent
}

const fn half(extent: u32) -> u32 {
    extent / 2
}

const fn quarter_up(extent: u32) -> u32 {
    extent.div_ceil(4)
}

fn planes(format: Format) -> Vec<Plane> {
    use Format as F;
    let of = |format, width: fn(u32) -> u32, height: fn(u32) -> u32| Plane { format, width, height };
    match format {
        F::NV12 => vec![of(F::R8_TYPELESS, same, same), of(F::R8G8_TYPELESS, half, half)],
        F::P010 | F::P016 => vec![of(F::R16_TYPELESS, same, same), of(F::R16G16_TYPELESS, half, half)],
        F::P208 => vec![of(F::R8_TYPELESS, same, same), of(F::R8G8_TYPELESS, half, same)],
        F::V208 => vec![
            of(F::R8_TYPELESS, same, same),
            of(F::R8_TYPELESS, same, half),
            of(F::R8_TYPELESS, same, half),
        ],
        F::V408 => vec![
            of(F::R8_TYPELESS, same, same),
            of(F::R8_TYPELESS, same, same),
            of(F::R8_TYPELESS, same, same),
        ],
        F::NV11 => vec![of(F::R8_TYPELESS, same, same), of(F::R8G8_TYPELESS, quarter_up, same)],
        _ if format.info().plane_count == 2 => {
            vec![of(F::R32_TYPELESS, same, same), of(F::R8_TYPELESS, same, same)]
        }
        _ => vec![of(format, same, same)],
    }
}

/// Array slices of a texture; 1 of a 3D texture.
#[must_use]
pub fn slices(desc: &ResourceDesc) -> u32 {
    if desc.dimension == ResourceDimension::Texture3D { 1 } else { u32::from(desc.depth_or_array_size) }
}

/// All subresources of a texture whose mips are counted, in order; empty of buffers.
#[must_use]
pub fn subresources(desc: &ResourceDesc) -> Vec<Subresource> {
    let mut all = Vec::new();
    if desc.is_buffer() {
        return all;
    }
    let info = desc.format.info();
    let align = |extent: u32, to: u8| extent.div_ceil(u32::from(to)).max(1) * u32::from(to);
    for (plane_index, plane) in (0..).zip(planes(desc.format)) {
        let (bytes, block) = element_of(plane.format).unwrap_or((0, [1, 1]));
        for slice in 0..slices(desc) {
            for mip in 0..u32::from(desc.mip_levels) {
                let shrunk = |extent: u32| extent.checked_shr(mip).unwrap_or(0);
                let width = shrunk(u32::try_from(desc.width).unwrap_or(u32::MAX));
                let width = (plane.width)(align(width, info.width_alignment));
                let height = (plane.height)(align(shrunk(desc.height), info.height_alignment));
                let depth = match desc.dimension {
                    ResourceDimension::Texture3D => shrunk(u32::from(desc.depth_or_array_size)).max(1),
                    _ => 1,
                };
                let extent = [width / block[0], height / block[1], depth];
                all.push(Subresource {
                    extent: extent.map(|extent| usize::try_from(extent).unwrap_or(usize::MAX)),
                    bytes,
                    block,
                    samples: usize::try_from(desc.sample_desc.count).unwrap_or(1),
                    format: plane.format,
                    is_d24: plane_index == 0
                        && info.plane_count == 2
                        && info.family == Format::R24G8_TYPELESS,
                    mip,
                    slice,
                    plane: plane_index,
                });
            }
        }
    }
    all
}
