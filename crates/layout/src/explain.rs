//! Why a resource has the size and the alignment that it has.

use heapstone_spec::{Format, ResourceDesc, Violation};
use heapstone_units::{Alignment, Blocks, Bytes, Elements, Extent, Texels};

use crate::alignment::{self, SMALL_MSAA_TILES_MAX, SMALL_TILES_MAX};
use crate::allocation::{
    ProfileSizer, ResourceAllocation, TightAlignment, allocation_info, resource_allocation,
};
use crate::blocks::{BlockShape, ResolvedPattern};
use crate::rules::{LayoutRules, Purpose};
use crate::surface::{self, Geometry, Plan};
use crate::validate;

/// One mip of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplainedMip {
    /// The mip.
    pub mip: u16,
    /// Texels of the resource, rounded to the format's alignment.
    pub texels: Extent<Texels>,
    /// Elements of the plane; those of 96 bits count as three.
    pub elements: Extent<Elements>,
    /// Blocks of its own; `None` in the tail.
    pub blocks: Option<Extent<Blocks>>,
    /// From the slice's first byte.
    pub offset: u64,
    /// Bytes it takes.
    pub size: u64,
}

/// One plane.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedPlane {
    /// The format of its elements.
    pub format: Format,
    /// Its blocks.
    pub block: BlockShape,
    /// The mips of each slice.
    pub mips: Vec<ExplainedMip>,
    /// Bytes of the tail's blocks in each slice; 0: no tail.
    pub tail_size: u64,
    /// Bytes of each slice.
    pub slice_size: u64,
    /// Slices.
    pub slices: u16,
}

/// Why a resource has the size and the alignment that it has, on the profile's own driver.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The legal description, mips resolved.
    pub desc: ResourceDesc,
    /// Size and alignment; the size of a query as GetResourceAllocationInfo gives it, rounded up to the
    /// alignment also where the resource takes less.
    pub allocation: ResourceAllocation,
    /// The planes; none of a buffer.
    pub planes: Vec<ExplainedPlane>,
    /// Bytes of the subresources: of the planes, or of a buffer its width.
    pub data_size: u64,
    /// Bytes that the driver adds so that any start at the alignment works.
    pub driver_padding: u64,
    /// Bytes of metadata.
    pub metadata_size: u64,
    /// Bytes that rounding adds: of the metadata's start and of the size.
    pub rounding: u64,
    /// Sentences that say why, from the description to the size.
    pub reasons: Vec<String>,
}

/// Explains a description.
///
/// # Errors
/// As [`validate`](crate::validate()) and [`resource_allocation`].
pub fn explain(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    purpose: Purpose,
) -> Result<Explanation, Box<Violation>> {
    let legal = validate::validate(rules, desc, purpose)?;
    let sizer = ProfileSizer { rules: *rules };
    let mut allocation = resource_allocation(rules, &sizer, &legal, purpose)?;
    if purpose == Purpose::Query {
        // GetResourceAllocationInfo answers for a structure of this one member.
        allocation.size = allocation_info(rules, &sizer, core::slice::from_ref(&legal), None)?.size;
    }
    let mut reasons = alignment_reasons(rules, &legal, purpose, &allocation);

    let (planes, data_size) = if legal.is_buffer() {
        reasons.push(format!("A buffer takes its width, {}.", Bytes(legal.width)));
        (Vec::new(), legal.width)
    } else {
        let planes = explained_planes(rules, &legal, allocation.alignment);
        let data_size = planes.iter().map(|plane| plane.slice_size.saturating_mul(u64::from(plane.slices)));
        let data_size = data_size.fold(0_u64, u64::saturating_add);
        reasons.extend(planes.iter().map(|plane| plane_reason(plane, allocation.driver.pattern)));
        (planes, data_size)
    };

    let driver_padding = allocation.driver.resource_data_size.saturating_sub(data_size);
    let metadata_size = allocation.driver.additional_data_size;
    if driver_padding > 0 {
        reasons.push(format!(
            "The hardware wants the first byte at {}; D3D12 lets the driver ask for {}, so it adds {} to round up in.",
            rules.layout.image_alignment,
            allocation.alignment,
            Bytes(driver_padding)
        ));
    }
    if metadata_size > 0 {
        reasons.push(format!(
            "Metadata of a {} takes {}.",
            if legal.flags.contains(heapstone_spec::ResourceFlags::ALLOW_DEPTH_STENCIL) {
                "depth-stencil"
            } else {
                "render target"
            },
            Bytes(metadata_size)
        ));
    }
    let rounding =
        allocation.size.saturating_sub(allocation.driver.resource_data_size.saturating_add(metadata_size));
    if rounding > 0 {
        reasons.push(format!("Rounding up to {} adds {}.", allocation.alignment, Bytes(rounding)));
    }
    Ok(Explanation {
        desc: legal,
        allocation,
        planes,
        data_size,
        driver_padding,
        metadata_size,
        rounding,
        reasons,
    })
}

fn explained_planes(rules: &LayoutRules, desc: &ResourceDesc, alignment: Alignment) -> Vec<ExplainedPlane> {
    let geometry = Geometry::new(desc);
    let plan = Plan::new(rules, desc, &geometry, alignment);
    let mut planes = Vec::new();
    for plane in geometry.planes.iter() {
        let Some(block) = plan.block(&geometry, plane) else { continue };
        let mut mips = Vec::new();
        let slice = surface::walk_slice(&geometry, plane, block, plan.rule, |placement| {
            mips.push(ExplainedMip {
                mip: placement.mip,
                texels: geometry.mip_texels(u32::from(placement.mip)).unwrap_or(Extent::new(
                    u64::MAX,
                    u32::MAX,
                    u32::MAX,
                )),
                elements: placement.elements,
                blocks: (!placement.in_tail).then(|| surface::grid(placement.elements, block)),
                offset: placement.offset,
                size: placement.bytes,
            });
        });
        let Some(slice) = slice else { continue };
        planes.push(ExplainedPlane {
            format: plane.footprint_format,
            block,
            mips,
            tail_size: slice.bytes - slice.tail_offset,
            slice_size: slice.bytes,
            slices: geometry.slices,
        });
    }
    planes
}

fn plane_reason(plane: &ExplainedPlane, pattern: ResolvedPattern) -> String {
    let own = plane.mips.iter().filter(|mip| mip.blocks.is_some()).count();
    let own_count = u64::try_from(own).expect("invariant: at most 15 mips");
    let blocks: u64 = plane.mips.iter().filter_map(|mip| mip.blocks?.checked_count()).sum();
    let tail = match plane.mips.len() - own {
        0 => String::new(),
        1 => format!(", and one shares {}", Bytes(plane.tail_size)),
        shared => format!(", and {shared} mips share {}", Bytes(plane.tail_size)),
    };
    format!(
        "{} in blocks of {} elements, {} each ({pattern}): {} in {}{tail}; {:#} a slice, {}.",
        plane.format,
        plane.block.elements(),
        Bytes(plane.block.bytes()),
        counted(own_count, "mip"),
        counted(blocks, "block"),
        Bytes(plane.slice_size),
        counted(u64::from(plane.slices), "slice"),
    )
}

/// `1 mip`, `5 mips`.
fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn alignment_reasons(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    purpose: Purpose,
    allocation: &ResourceAllocation,
) -> Vec<String> {
    let mut reasons = vec![match allocation.tight {
        TightAlignment::Applied => {
            let range = alignment::tight_range(rules, desc, purpose);
            format!(
                "USE_TIGHT_ALIGNMENT lets the driver choose from {} to {}; it answers {}.",
                range.min, range.max, allocation.driver.resource_data_alignment
            )
        }
        TightAlignment::IgnoredCrossAdapter => {
            format!(
                "ALLOW_CROSS_ADAPTER keeps the alignment at {} in spite of USE_TIGHT_ALIGNMENT.",
                allocation.alignment
            )
        }
        TightAlignment::IgnoredReserved => "A reserved buffer is mapped by tiles of 64 KiB.".to_owned(),
        TightAlignment::NotAsked if desc.alignment != 0 => {
            format!("Alignment asks for {}.", allocation.alignment)
        }
        TightAlignment::NotAsked if alignment::is_msaa(desc) => {
            format!("A multisampled texture lies at {} by default.", allocation.alignment)
        }
        TightAlignment::NotAsked => format!("The default alignment is {}.", allocation.alignment),
    }];
    if allocation.alignment_overridden {
        reasons.push(format!(
            "The floor of {} was clamped up to {}.",
            Bytes(desc.alignment),
            allocation.alignment
        ));
    }
    if !desc.is_buffer() && !desc.layout.is_64kb() {
        let geometry = Geometry::new(desc);
        let (tiles, size, max) = if alignment::is_msaa(desc) {
            (geometry.tiles_64kb(), alignment::KIB_64, SMALL_MSAA_TILES_MAX)
        } else {
            (geometry.tiles_4kb(), alignment::KIB_4, SMALL_TILES_MAX)
        };
        if let Some(tiles) = tiles {
            reasons.push(format!(
                "Mip 0 counts as {tiles} tiles of {size}; a small resource has at most {max}."
            ));
        }
    }
    reasons
}
