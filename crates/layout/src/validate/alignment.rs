//! Rules of the alignment.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{ResourceDesc, ResourceFlags, TextureLayout, limits};
use heapstone_units::Bytes;

use super::Checked;
use crate::alignment::{SMALL_MSAA_TILES_MAX, SMALL_TILES_MAX, is_msaa, tight_range};
use crate::rules::{LayoutRules, Purpose};
use crate::surface::Geometry;

const FIELD: &str = "D3D12_RESOURCE_DESC.Alignment";

/// Of textures.
#[inline]
pub(super) fn check(rules: &LayoutRules, desc: &ResourceDesc, purpose: Purpose) -> Checked {
    if desc.alignment == 0 {
        return Ok(());
    }
    if desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
        return tight(rules, desc, purpose);
    }
    if desc.layout.is_64kb() {
        return layout_64kb(desc);
    }
    if is_msaa(desc) { multisampled(rules, desc) } else { single_sampled(desc) }
}

/// A non-zero Alignment beside USE_TIGHT_ALIGNMENT (spec/1, Validation); of buffers and textures.
pub(super) fn tight(rules: &LayoutRules, desc: &ResourceDesc, purpose: Purpose) -> Checked {
    if rule::TIGHT_ALIGNMENT_NON_ZERO.holds_in(rules.sdk) {
        return Err(rule::TIGHT_ALIGNMENT_NON_ZERO.violated(
            FIELD,
            format!("{} beside USE_TIGHT_ALIGNMENT under SDK {}", desc.alignment, rules.sdk),
            "0 before SDK 619.4",
        ));
    }
    if !desc.alignment.is_power_of_two() {
        return Err(rule::TIGHT_ALIGNMENT_POWER_OF_TWO.violated(
            FIELD,
            format!("{} beside USE_TIGHT_ALIGNMENT", desc.alignment),
            "0 or a power of two",
        ));
    }
    let max = tight_range(rules, desc, purpose).max;
    if desc.alignment <= max.bytes() {
        return Ok(());
    }
    Err(rule::TIGHT_ALIGNMENT_MAX.violated(
        FIELD,
        format!("{} beside USE_TIGHT_ALIGNMENT", desc.alignment),
        format!("0, or a power of two of at most {} ({max})", max.bytes()),
    ))
}

fn layout_64kb(desc: &ResourceDesc) -> Checked {
    if desc.alignment == limits::DEFAULT_RESOURCE_ALIGNMENT {
        return Ok(());
    }
    Err(rule::LAYOUT_64KB_ALIGNMENT.violated(
        FIELD,
        format!("{} with layout {}", desc.alignment, desc.layout),
        "0 or 65536",
    ))
}

fn single_sampled(desc: &ResourceDesc) -> Checked {
    match desc.alignment {
        limits::DEFAULT_RESOURCE_ALIGNMENT => Ok(()),
        limits::SMALL_RESOURCE_ALIGNMENT => small(desc),
        _ => Err(rule::TEXTURE_ALIGNMENT.violated(FIELD, desc.alignment, "0, 4096 or 65536")),
    }
}

fn small(desc: &ResourceDesc) -> Checked {
    if desc.layout != TextureLayout::Unknown || desc.is_rt_ds() {
        return Err(rule::SMALL_ALIGNMENT_KIND.violated(
            FIELD,
            format!("4096 with layout {} and flags {}", desc.layout, desc.flags),
            "0 or 65536; 4096 with layout UNKNOWN, without ALLOW_RENDER_TARGET and ALLOW_DEPTH_STENCIL",
        ));
    }
    match Geometry::new(desc).tiles_4kb() {
        Some(tiles) if tiles <= SMALL_TILES_MAX => Ok(()),
        tiles => Err(rule::SMALL_ALIGNMENT_TILES.violated(
            FIELD,
            format!("4096 with a mip 0 of {}", tiles_text(tiles, limits::SMALL_RESOURCE_ALIGNMENT)),
            format!("0 or 65536; 4096 with at most {SMALL_TILES_MAX} tiles of 4 KiB"),
        )),
    }
}

fn multisampled(rules: &LayoutRules, desc: &ResourceDesc) -> Checked {
    match desc.alignment {
        limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT => return Ok(()),
        limits::SMALL_MSAA_RESOURCE_ALIGNMENT => {}
        _ => {
            return Err(rule::MSAA_ALIGNMENT.violated(
                FIELD,
                format!("{} with {} samples", desc.alignment, desc.sample_desc.count),
                "0, 65536 or 4194304",
            ));
        }
    }
    if !rules.caps.msaa_64kb_aligned_texture {
        return Err(rule::MSAA_SMALL_ALIGNMENT_CAP.violated(
            FIELD,
            format!("65536 with {} samples", desc.sample_desc.count),
            "0 or 4194304 on an adapter without MSAA64KBAlignedTextureSupported",
        ));
    }
    match Geometry::new(desc).tiles_64kb() {
        Some(tiles) if tiles <= SMALL_MSAA_TILES_MAX => Ok(()),
        tiles => Err(rule::MSAA_SMALL_ALIGNMENT_TILES.violated(
            FIELD,
            format!(
                "65536 with {} samples and {}",
                desc.sample_desc.count,
                tiles_text(tiles, limits::SMALL_MSAA_RESOURCE_ALIGNMENT)
            ),
            format!("0 or 4194304; 65536 with at most {SMALL_MSAA_TILES_MAX} tiles of 64 KiB"),
        )),
    }
}

fn tiles_text(tiles: Option<u64>, size: u64) -> String {
    match tiles {
        Some(tiles) => format!("{tiles} tiles of {}", Bytes(size)),
        None => format!("more than 64 bits of tiles of {}", Bytes(size)),
    }
}
