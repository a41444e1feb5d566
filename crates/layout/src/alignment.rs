//! Which alignment a description gets: the classic 64 KiB / 4 KiB / 4 MiB, or a tight one.

use heapstone_spec::{ResourceDesc, ResourceFlags, TextureLayout, limits};
use heapstone_units::Alignment;

use crate::rules::{LayoutRules, Purpose};
use crate::surface::Geometry;

/// Tiles of 4 KiB that mip 0 of a small texture takes at most (facts/layout.md, Small-resource alignment).
pub(crate) const SMALL_TILES_MAX: u64 = 16;
/// Tiles of 64 KiB that a small multisampled texture takes at most.
pub(crate) const SMALL_MSAA_TILES_MAX: u64 = 64;

pub(crate) const KIB_4: Alignment = Alignment::constant(limits::SMALL_RESOURCE_ALIGNMENT);
pub(crate) const KIB_64: Alignment = Alignment::constant(limits::DEFAULT_RESOURCE_ALIGNMENT);
pub(crate) const MIB_4: Alignment = Alignment::constant(limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT);
const TIGHT_PLACED_MIN: Alignment = Alignment::constant(limits::TIGHT_PLACED_ALIGNMENT_MIN);
const TIGHT_COMMITTED_MIN: Alignment = Alignment::constant(limits::TIGHT_COMMITTED_ALIGNMENT_MIN);
const TIGHT_PLACED_BUFFER_MAX: Alignment = Alignment::constant(limits::TIGHT_PLACED_BUFFER_ALIGNMENT_MAX);
const TIGHT_COMMITTED_BUFFER_MAX: Alignment =
    Alignment::constant(limits::TIGHT_COMMITTED_BUFFER_ALIGNMENT_MAX);

/// Whether the flag is set and has an effect on a resource that is not reserved.
#[inline]
pub(crate) const fn is_tight(desc: &ResourceDesc) -> bool {
    desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)
        && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER)
}

/// Whether a texture has more than one sample.
#[inline]
pub(crate) const fn is_msaa(desc: &ResourceDesc) -> bool {
    desc.sample_desc.count > 1
}

/// Whether a texture of one sample is a small resource (spec/1, Background).
pub(crate) fn is_small(desc: &ResourceDesc, geometry: &Geometry) -> bool {
    desc.layout == TextureLayout::Unknown
        && !desc.is_rt_ds()
        && !is_msaa(desc)
        && geometry.tiles_4kb().is_some_and(|tiles| tiles <= SMALL_TILES_MAX)
}

/// Whether a multisampled texture may lie at 64 KiB: small, and the adapter takes it. That it is a
/// render target or depth-stencil cannot count against it, since every multisampled texture is
/// (facts/layout.md, Small-resource alignment).
pub(crate) fn is_small_msaa(rules: &LayoutRules, desc: &ResourceDesc, geometry: &Geometry) -> bool {
    rules.caps.msaa_64kb_aligned_texture
        && desc.layout == TextureLayout::Unknown
        && geometry.tiles_64kb().is_some_and(|tiles| tiles <= SMALL_MSAA_TILES_MAX)
}

/// The least and the greatest alignment that a driver may answer beside USE_TIGHT_ALIGNMENT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TightRange {
    /// The least; a floor below is clamped up.
    pub(crate) min: Alignment,
    /// The greatest; a floor above is refused.
    pub(crate) max: Alignment,
}

/// The tables of spec/1, Placed Resources and Committed Resources. A query takes the least minimum and
/// the greatest maximum of both. Where the flag has no effect there is one alignment, which GetDesc tells
/// and which is accepted again.
///
/// What GetDesc tells of a tightly aligned buffer, 4096 if committed and 65536 if reserved, is accepted
/// by the call that made it, and 4096 by the queries; a placed buffer takes at most 256 bytes, and a
/// query, which does not know what it is asked for, no 65536 (chosen: spec/1's maxima of the kind before
/// its promise that a description passes from any of the calls to any other).
pub(crate) fn tight_range(rules: &LayoutRules, desc: &ResourceDesc, purpose: Purpose) -> TightRange {
    if purpose == Purpose::Reserved {
        // A tile is mapped whole.
        return TightRange { min: KIB_64, max: KIB_64 };
    }
    if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        // spec/1, Validation: "MUST be 64 KiB, or 4MiB for MSAA".
        let only = if is_msaa(desc) { MIB_4 } else { KIB_64 };
        return TightRange { min: only, max: only };
    }
    let min = if purpose == Purpose::Committed { TIGHT_COMMITTED_MIN } else { TIGHT_PLACED_MIN };
    let max = if !desc.is_buffer() {
        tight_texture_max(rules, desc)
    } else if purpose == Purpose::Placed {
        TIGHT_PLACED_BUFFER_MAX
    } else {
        TIGHT_COMMITTED_BUFFER_MAX
    };
    TightRange { min, max }
}

/// What a texture gets at most beside the flag: what it could get without.
pub(crate) fn tight_texture_max(rules: &LayoutRules, desc: &ResourceDesc) -> Alignment {
    let geometry = Geometry::new(desc);
    if is_msaa(desc) {
        if is_small_msaa(rules, desc, &geometry) { KIB_64 } else { MIB_4 }
    } else if is_small(desc, &geometry) {
        KIB_4
    } else {
        KIB_64
    }
}

/// What a legal description gets without the flag: what it asks for, or 4 MiB where it is multisampled,
/// or 64 KiB. A reserved resource, and a 64KB layout, are mapped by tiles of 64 KiB.
#[inline]
pub(crate) fn classic(desc: &ResourceDesc, purpose: Purpose) -> Alignment {
    if desc.is_buffer() || desc.layout.is_64kb() || purpose == Purpose::Reserved {
        return KIB_64;
    }
    match desc.alignment {
        limits::SMALL_RESOURCE_ALIGNMENT => KIB_4,
        limits::DEFAULT_RESOURCE_ALIGNMENT => KIB_64,
        _ if is_msaa(desc) => MIB_4,
        _ => KIB_64,
    }
}
