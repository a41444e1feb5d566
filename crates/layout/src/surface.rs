//! Where each subresource lies inside a resource, and so how large the resource is.
//!
//! ```text
//!  resource            plane                     slice
//!  +-------------+     +---------------+         +-----------------------------+
//!  | plane 0     |---->| slice 0       |-------->| mip 0: whole blocks         |
//!  +-------------+     +---------------+         +-----------------------------+
//!  | plane 1     |     | slice 1       |         | mip 1: whole blocks         |
//!  +-------------+     +---------------+         +-----------------------------+
//!  | padding     |     | ...           |         | tail: whole blocks together |
//!  +-------------+     +---------------+         | +-------+-----+--+--+-+     |
//!  | metadata    |                               | | mip 2 | 3   |4 |5 |6|     |
//!  +-------------+                               | +-------+-----+--+--+-+     |
//!  | padding     |                               +-----------------------------+
//!  +-------------+
//! ```
//! The order is that of subresources: mip first, then slice, then plane (spec/2-resource-heaps.txt
//! 404-408). Each mip outside the tail is a grid of whole blocks. The tail begins with the first mip
//! that its [`TailRule`] names; its mips follow each other as rows without padding (chosen: a row-major
//! second pattern is what MipLevelSwizzleTransition can express, and a mip kept so never takes more than
//! its blocks would, which makes sizes grow with extents).

use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{ResourceDesc, ResourceDimension, TextureLayout, limits};
use heapstone_units::{Alignment, Blocks, Elements, Extent, Texels};

use crate::blocks::{self, BlockShape, Cut, ResolvedPattern};
use crate::planes::{self, Plane, Planes};
use crate::rules::LayoutRules;

/// Which mips are in the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TailRule {
    /// From the first that fits one block along every axis.
    FitsBlock,
    /// Every mip but mip 0, and mip 0 too where it fits one block (chosen for small textures: long and
    /// narrow chains would else take more than twice their mip 0).
    AfterFirst,
    /// From the first that does not fill one block along every axis (tiled resources from tier 2 on:
    /// facts/layout.md, Tiling).
    BelowBlock,
    /// From the first that is no multiple of the block along every axis (tiled resources of tier 1).
    NotMultiple,
}

impl TailRule {
    /// Of the 64KB layouts on this adapter. Without tiled resources the layouts exist for placed and
    /// committed textures only, and follow the simpler rule of tier 2 (chosen).
    pub(crate) const fn of_tiles(rules: &LayoutRules) -> TailRule {
        match rules.caps.tiled_resources_tier {
            heapstone_spec::caps::TiledResourcesTier::Tier1 => TailRule::NotMultiple,
            _ => TailRule::BelowBlock,
        }
    }

    #[inline]
    const fn starts(self, mip: u16, elements: Extent<Elements>, block: BlockShape) -> bool {
        let shape = block.elements();
        match self {
            TailRule::FitsBlock => shape.contains(elements),
            TailRule::AfterFirst => mip > 0 || shape.contains(elements),
            TailRule::BelowBlock => !elements.contains(shape),
            TailRule::NotMultiple => {
                (elements.width & (shape.width - 1) != 0)
                    || (elements.height & (shape.height - 1) != 0)
                    || (elements.depth & (shape.depth - 1) != 0)
            }
        }
    }
}

/// The numbers of a texture description that its layout depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    pub(crate) dimension: ResourceDimension,
    /// Of mip 0; of a sampler-feedback map in mip regions.
    pub(crate) texels: Extent<Texels>,
    pub(crate) slices: u16,
    /// 0 counts as 1: descriptions are normalised before.
    pub(crate) mips: u16,
    /// Rounded up to a power of two.
    pub(crate) samples_log2: u8,
    pub(crate) planes: &'static Planes,
}

impl Geometry {
    #[inline]
    pub(crate) fn new(desc: &ResourceDesc) -> Geometry {
        let planes = planes::of(desc.format);
        let (depth, slices) = match desc.dimension {
            ResourceDimension::Texture3D => (u32::from(desc.depth_or_array_size), 1),
            _ => (1, desc.depth_or_array_size),
        };
        let (mut width, mut height) = (desc.width, desc.height);
        if planes.feedback {
            // One texel of the map for each region of the paired texture (D3D12_MIP_REGION).
            width = width.div_ceil(u64::from(desc.sampler_feedback_mip_region.width.max(1)));
            height = height.div_ceil(desc.sampler_feedback_mip_region.height.max(1));
        }
        Geometry {
            dimension: desc.dimension,
            texels: Extent::new(width, height, depth),
            slices,
            mips: desc.mip_levels.max(1),
            samples_log2: log2_ceil(desc.sample_desc.count),
            planes,
        }
    }

    /// Mips of the full chain: down to one texel along every axis.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // At most 64.
    const fn chain_length(&self) -> u16 {
        let longest = self.texels.width | self.texels.height as u64 | self.texels.depth as u64 | 1;
        // The bits of the longest axis.
        (u64::BITS - longest.leading_zeros()) as u16
    }

    /// Texels of a mip, rounded up to what the format needs (facts/layout.md, GetCopyableFootprints:
    /// W, H, D); `None` where the width leaves 64 bits or the height 32.
    #[inline]
    pub(crate) fn mip_texels(&self, mip: u32) -> Option<Extent<Texels>> {
        let (width_mask, height_mask) = (self.width_mask(), self.height_mask());
        let width = self.texels.width.checked_shr(mip).unwrap_or(0).max(1).checked_add(width_mask)?;
        let height = self.texels.height.checked_shr(mip).unwrap_or(0).max(1).checked_add(height_mask)?;
        let depth = self.texels.depth.checked_shr(mip).unwrap_or(0).max(1);
        Some(Extent::new(width & !width_mask, height & !height_mask, depth))
    }

    #[inline]
    const fn width_mask(&self) -> u64 {
        (1 << self.planes.width_alignment_log2) - 1
    }

    #[inline]
    const fn height_mask(&self) -> u32 {
        (1 << self.planes.height_alignment_log2) - 1
    }

    /// Elements of a mip of a plane. The width of elements of 96 bits counts their three parts.
    #[inline]
    pub(crate) fn mip_elements(&self, plane: &Plane, mip: u32) -> Option<Extent<Elements>> {
        let texels = self.mip_texels(mip)?;
        // Texels are multiples of the format's alignment here, so nothing is cut off.
        let width = texels.width >> (plane.width_shift + plane.element_width_log2);
        let height = texels.height >> (plane.height_shift + plane.element_height_log2);
        Some(Extent::new(width.checked_mul(u64::from(plane.repeat))?, height, texels.depth))
    }

    /// What cuts a plane into blocks.
    #[inline]
    pub(crate) const fn cut(&self, plane: &Plane) -> Cut {
        Cut { dimension: self.dimension, bytes_log2: plane.bytes_log2, samples_log2: self.samples_log2 }
    }

    /// Tiles of 4 KiB that mip 0 of every plane takes: the architecture-independent estimate of
    /// spec/2-resource-heaps.txt 215-216. `None` beyond 64 bits.
    pub(crate) fn tiles_4kb(&self) -> Option<u64> {
        self.tiles(|cut| blocks::tile_4kb(cut.dimension, cut.bytes_log2, cut.samples_log2))
    }

    /// The same in tiles of 64 KiB.
    pub(crate) fn tiles_64kb(&self) -> Option<u64> {
        self.tiles(|cut| blocks::tile_64kb(cut.dimension, cut.bytes_log2, cut.samples_log2))
    }

    fn tiles(&self, tile: impl Fn(Cut) -> BlockShape) -> Option<u64> {
        self.planes.iter().try_fold(0_u64, |total, plane| {
            let elements = self.mip_elements(plane, 0)?;
            let tile = tile(self.cut(plane));
            bounded(elements, tile)?;
            total.checked_add(grid(elements, tile).checked_count()?)
        })
    }
}

/// `ceil(log2(value))`; 0 for 0.
#[allow(clippy::cast_possible_truncation)] // At most 32.
const fn log2_ceil(value: u32) -> u8 {
    if value <= 1 { 0 } else { (32 - (value - 1).leading_zeros()) as u8 }
}

/// The blocks that cover `elements`, of a texture that passed [`bounded`].
#[inline]
pub(crate) const fn grid(elements: Extent<Elements>, block: BlockShape) -> Extent<Blocks> {
    Extent::new(
        (elements.width + ((1 << block.width_log2) - 1)) >> block.width_log2,
        (elements.height + ((1 << block.height_log2) - 1)) >> block.height_log2,
        (elements.depth + ((1 << block.depth_log2) - 1)) >> block.depth_log2,
    )
}

/// Whether every number on the way to the blocks of mip 0, and so of every mip, fits its bits. Mip 0 is
/// the greatest along every axis, and takes in blocks no less than in rows.
#[inline]
fn bounded(elements: Extent<Elements>, block: BlockShape) -> Option<()> {
    elements.width.checked_add(block.elements().width)?;
    elements.height.checked_add(block.elements().height)?;
    elements.depth.checked_add(block.elements().depth)?;
    grid(elements, block).checked_count()?.checked_mul(block.bytes())?;
    Some(())
}

/// One mip of one slice of one plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MipPlacement {
    pub(crate) mip: u16,
    /// From the slice's first byte.
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    pub(crate) elements: Extent<Elements>,
    pub(crate) in_tail: bool,
}

/// The bytes of one slice of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// All blocks.
    pub(crate) bytes: u64,
    /// Where the tail's blocks begin; `bytes` where there is none.
    pub(crate) tail_offset: u64,
    /// The first mip of the tail; the number of mips where there is none.
    pub(crate) tail_mip: u16,
}

/// Lays out the mips of one slice of a plane, calling `visit` for each in order; `None` where a number
/// leaves its bits.
#[inline]
pub(crate) fn walk_slice(
    geometry: &Geometry,
    plane: &Plane,
    block: BlockShape,
    rule: TailRule,
    visit: impl FnMut(MipPlacement),
) -> Option<Slice> {
    bounded(geometry.mip_elements(plane, 0)?, block)?;
    if plane.texel_is_element {
        walk_chain::<true, true>(Chain::new(geometry, plane), geometry, plane, block, rule, visit)
    } else {
        walk_chain::<false, true>(Chain::new(geometry, plane), geometry, plane, block, rule, visit)
    }
}

/// The size of what [`walk_slice`] lays out, without a look at each mip of the tail where none is needed.
#[inline]
pub(crate) fn measure_slice(
    geometry: &Geometry,
    plane: &Plane,
    block: BlockShape,
    rule: TailRule,
) -> Option<Slice> {
    bounded(geometry.mip_elements(plane, 0)?, block)?;
    if plane.texel_is_element {
        walk_chain::<true, false>(Chain::new(geometry, plane), geometry, plane, block, rule, |_| ())
    } else {
        walk_chain::<false, false>(Chain::new(geometry, plane), geometry, plane, block, rule, |_| ())
    }
}

/// [`walk_slice`] of a geometry whose numbers fit their bits; where not `VISITS`, mips of the tail may go
/// unvisited.
#[inline]
fn walk_chain<const TEXEL_IS_ELEMENT: bool, const VISITS: bool>(
    mut chain: Chain<TEXEL_IS_ELEMENT>,
    geometry: &Geometry,
    plane: &Plane,
    block: BlockShape,
    rule: TailRule,
    mut visit: impl FnMut(MipPlacement),
) -> Option<Slice> {
    let mut offset = 0_u64;
    let mut mip = 0_u16;
    while mip < geometry.mips {
        let elements = chain.elements();
        if rule.starts(mip, elements, block) {
            break;
        }
        let blocks = grid(elements, block);
        let bytes = (blocks.width * (u64::from(blocks.height) * u64::from(blocks.depth))) << block.bytes_log2;
        visit(MipPlacement { mip, offset, bytes, elements, in_tail: false });
        offset = offset.checked_add(bytes)?;
        mip += 1;
        chain.halve();
    }

    let (tail_offset, tail_mip) = (offset, mip);
    let block_mask = block.bytes() - 1;
    if !VISITS && TEXEL_IS_ELEMENT && mip < geometry.mips && geometry.mips <= geometry.chain_length() {
        // Within its own chain each mip has at most half the texels of the one before: all that follow the
        // first take at least a byte each and, together, less than it. Mostly both ends of that are the
        // same number of blocks.
        let elements = chain.elements();
        let rows = u64::from(elements.height) * u64::from(elements.depth);
        let first = (elements.width * rows) << (plane.bytes_log2 + geometry.samples_log2);
        let followers = u64::from(geometry.mips - mip - 1);
        let most_of_followers = if followers == 0 { 0 } else { first - 1 };
        let least = offset.checked_add(first)?.checked_add(followers)?.checked_add(block_mask)? & !block_mask;
        let most =
            offset.checked_add(first)?.checked_add(most_of_followers)?.checked_add(block_mask)? & !block_mask;
        if least == most {
            return Some(Slice { bytes: most, tail_offset, tail_mip });
        }
    }
    while mip < geometry.mips {
        let elements = chain.elements();
        let rows = u64::from(elements.height) * u64::from(elements.depth);
        let bytes = (elements.width * rows) << (plane.bytes_log2 + geometry.samples_log2);
        visit(MipPlacement { mip, offset, bytes, elements, in_tail: true });
        offset = offset.checked_add(bytes)?;
        mip += 1;
        chain.halve();
    }
    let bytes = offset.checked_add(block_mask)? & !block_mask;
    Some(Slice { bytes, tail_offset, tail_mip })
}

/// The elements of mip after mip of a plane: as [`Geometry::mip_elements`], by halving. Only for a
/// geometry whose mip 0 has elements that fit. Most formats have one texel an element, and need nothing
/// but the halving.
struct Chain<const TEXEL_IS_ELEMENT: bool> {
    width: u64,
    height: u32,
    depth: u32,
    width_mask: u64,
    height_mask: u32,
    width_shift: u8,
    height_shift: u8,
    repeat: u64,
}

impl<const TEXEL_IS_ELEMENT: bool> Chain<TEXEL_IS_ELEMENT> {
    #[inline]
    fn new(geometry: &Geometry, plane: &Plane) -> Self {
        Chain {
            width: geometry.texels.width.max(1),
            height: geometry.texels.height.max(1),
            depth: geometry.texels.depth.max(1),
            width_mask: geometry.width_mask(),
            height_mask: geometry.height_mask(),
            width_shift: plane.width_shift + plane.element_width_log2,
            height_shift: plane.height_shift + plane.element_height_log2,
            repeat: u64::from(plane.repeat),
        }
    }

    #[inline]
    fn elements(&self) -> Extent<Elements> {
        if TEXEL_IS_ELEMENT {
            return Extent::new(self.width, self.height, self.depth);
        }
        let width = (self.width + self.width_mask) & !self.width_mask;
        let height = (self.height + self.height_mask) & !self.height_mask;
        Extent::new((width >> self.width_shift) * self.repeat, height >> self.height_shift, self.depth)
    }

    #[inline]
    fn halve(&mut self) {
        self.width = (self.width >> 1).max(1);
        self.height = (self.height >> 1).max(1);
        self.depth = (self.depth >> 1).max(1);
    }
}

/// Bytes of a row of elements with all their samples.
#[inline]
pub(crate) fn row_bytes(elements: Extent<Elements>, plane: &Plane, samples_log2: u8) -> Option<u64> {
    elements.width.checked_mul(1_u64 << (plane.bytes_log2 + samples_log2))
}

/// The pattern of a texture, and which mips its tail has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) pattern: ResolvedPattern,
    pub(crate) rule: TailRule,
    /// Whether a driver whose hardware needs more than 64 KiB pads the texture: not where the layout is
    /// D3D12's, nor where blocks of 4 KiB need no more than 4 KiB.
    pub(crate) padded: bool,
}

impl Plan {
    const fn unpadded(pattern: ResolvedPattern, rule: TailRule) -> Plan {
        Plan { pattern, rule, padded: false }
    }

    /// Bytes with the room for a start that the hardware wants beyond 4 KiB.
    fn padded_bytes(&self, rules: &LayoutRules, geometry: &Geometry) -> Option<u64> {
        let (bytes, _) = texture_bytes(geometry, self)?;
        let needed = rules.layout.image_alignment.bytes();
        let padding = if needed > limits::DEFAULT_RESOURCE_ALIGNMENT {
            needed.saturating_sub(limits::SMALL_RESOURCE_ALIGNMENT)
        } else {
            0
        };
        bytes.checked_add(padding)
    }

    const fn opaque(family: SwizzleFamily) -> Plan {
        Plan { pattern: ResolvedPattern::Family(family), rule: TailRule::FitsBlock, padded: true }
    }

    /// What the driver of these rules chooses for a description, given the alignment that the runtime
    /// restricts it to (AlignmentRestriction of CheckResourceAllocationInfo).
    ///
    /// A small texture at an explicit 4 KiB takes no more than its tiles of 4 KiB, twice with mips
    /// (facts/behaviour.md, Creation, Placed sizes): it gets blocks of 4 KiB, whatever the family. One with
    /// USE_TIGHT_ALIGNMENT is aligned to 4 KiB at most, and gets those or the family's own, whichever take
    /// less (chosen, because the flag is there to save: it must cost no bytes against either of what the
    /// texture gets without it; and sizes do not fall where a texture grows out of being small, as the
    /// lesser of two is never above the family's own).
    #[inline]
    pub(crate) fn new(
        rules: &LayoutRules,
        desc: &ResourceDesc,
        geometry: &Geometry,
        restriction: Alignment,
    ) -> Plan {
        match desc.layout {
            TextureLayout::RowMajor => Plan::unpadded(ResolvedPattern::RowMajor, TailRule::FitsBlock),
            TextureLayout::Undefined64KbSwizzle => {
                Plan::unpadded(ResolvedPattern::Undefined64KbTiles, TailRule::of_tiles(rules))
            }
            TextureLayout::Standard64KbSwizzle => {
                Plan::unpadded(ResolvedPattern::Standard64KbTiles, TailRule::of_tiles(rules))
            }
            TextureLayout::Unknown => {
                let family = rules.layout.unknown_pattern;
                let small = restriction.bytes() <= limits::SMALL_RESOURCE_ALIGNMENT
                    && crate::alignment::is_small(desc, geometry);
                if !small {
                    return Plan::opaque(family);
                }
                let blocks = match family {
                    SwizzleFamily::Linear => ResolvedPattern::CompactLinear,
                    _ => ResolvedPattern::Family(SwizzleFamily::Standard4Kb),
                };
                let small = Plan::unpadded(blocks, TailRule::AfterFirst);
                if !crate::alignment::is_tight(desc) {
                    return small;
                }
                let own = Plan::opaque(family);
                // None, a size beyond 64 bits, is never the smaller one.
                match (texture_bytes(geometry, &small), own.padded_bytes(rules, geometry)) {
                    (Some((small_bytes, _)), Some(own_bytes)) if own_bytes <= small_bytes => own,
                    (None, Some(_)) => own,
                    _ => small,
                }
            }
        }
    }

    /// The pattern of a plane. A texture whose mip 0 fits one block of 256 KiB gets blocks of 64 KiB
    /// instead (chosen: the smallest one would else take 256 KiB; one that is larger takes at least two
    /// of the larger blocks, more than any chain of the smaller ones, so that sizes grow with extents).
    #[inline]
    pub(crate) fn plane_pattern(&self, geometry: &Geometry, plane: &Plane) -> Option<ResolvedPattern> {
        if matches!(self.pattern, ResolvedPattern::Family(SwizzleFamily::Amd256Kb))
            && blocks::block(self.pattern, geometry.cut(plane))
                .elements()
                .contains(geometry.mip_elements(plane, 0)?)
        {
            return Some(ResolvedPattern::Family(SwizzleFamily::Standard64Kb));
        }
        Some(self.pattern)
    }

    /// The block of a plane.
    #[inline]
    pub(crate) fn block(&self, geometry: &Geometry, plane: &Plane) -> Option<BlockShape> {
        Some(blocks::block(self.plane_pattern(geometry, plane)?, geometry.cut(plane)))
    }
}

/// The bytes of all planes, and the first mip of the first plane's tail; `None` where they leave 64 bits.
#[inline]
pub(crate) fn texture_bytes(geometry: &Geometry, plan: &Plan) -> Option<(u64, u16)> {
    let mut total = 0_u64;
    let mut tail_mip = None;
    for plane in geometry.planes.iter() {
        let block = plan.block(geometry, plane)?;
        let slice = measure_slice(geometry, plane, block, plan.rule)?;
        tail_mip = tail_mip.or(Some(slice.tail_mip));
        total = total.checked_add(slice.bytes.checked_mul(u64::from(geometry.slices))?)?;
    }
    Some((total, tail_mip.unwrap_or(geometry.mips)))
}
