//! Layouts as text.

use heapstone_layout::{
    ExplainedPlane, Explanation, Purpose, ResolvedPattern, ResourceTiling, SubresourceTiling,
    decompose_subresource,
};
use heapstone_spec::{ResourceDesc, ResourceDimension, ResourceFlags, SampleDesc};
use heapstone_units::{Extent, Unit};

use super::{Answer, Footprints, Layout, OVERRIDDEN, REFUSED_INFO, Tiling, call};
use crate::format::{bytes, count, grouped, short};
use crate::page::{Page, Side, Table};
use crate::violation;

/// Subresources shown: JSON has them all.
const SUBRESOURCES_SHOWN: usize = 30;

pub(super) fn write(page: &mut Page, desc: &ResourceDesc, answer: &Answer) {
    page.field("resource", sentence(desc));
    page.field("device", format_args!("{}, SDK {}", answer.label, answer.rules.sdk));
    page.field("for", call(answer.purpose));
    match &answer.outcome {
        Ok(layout) => accepted(page, layout),
        Err(refusal) => {
            page.field("answer", "refused");
            if answer.purpose == Purpose::Query {
                let (size, alignment) = REFUSED_INFO;
                page.field(
                    "returned",
                    format_args!("size UINT64_MAX ({}), alignment {}", grouped(size), bytes(alignment)),
                );
            }
            violation::write(page, refusal);
        }
    }
}

/// A line for each device.
pub(super) fn write_all(page: &mut Page, desc: &ResourceDesc, answers: &[Answer]) {
    page.field("resource", sentence(desc));
    if let Some(answer) = answers.first() {
        page.field("device", format_args!("every built-in profile, SDK {}", answer.rules.sdk));
        page.field("for", call(answer.purpose));
    }
    let mut table = Table::new([
        ("profile", Side::Left),
        ("size", Side::Right),
        ("alignment", Side::Right),
        ("refused by", Side::Left),
    ]);
    for answer in answers {
        table.row(match &answer.outcome {
            Ok(Layout { explanation: Explanation { allocation, .. }, .. }) => [
                answer.profile.clone(),
                bytes(allocation.size),
                bytes(allocation.alignment.bytes()),
                String::new(),
            ],
            Err(refusal) => [
                answer.profile.clone(),
                "-".to_owned(),
                "-".to_owned(),
                format!(
                    "{}: {} is {}; allowed: {}",
                    refusal.rule.id, refusal.field, refusal.given, refusal.allowed
                ),
            ],
        });
    }
    page.gap();
    page.table(&table);
}

/// The description in one line, without what is as always.
fn sentence(desc: &ResourceDesc) -> String {
    if desc.is_buffer() {
        let mut parts = vec![format!("buffer of {} bytes", grouped(desc.width))];
        push_rest(&mut parts, desc);
        return parts.join(", ");
    }
    let (kind, extent, slices) = match desc.dimension {
        ResourceDimension::Texture1D => ("1D", desc.width.to_string(), Some(desc.depth_or_array_size)),
        ResourceDimension::Texture3D => {
            ("3D", format!("{}x{}x{}", desc.width, desc.height, desc.depth_or_array_size), None)
        }
        _ => ("2D", format!("{}x{}", desc.width, desc.height), Some(desc.depth_or_array_size)),
    };
    let mut parts = vec![
        format!("{kind} texture {} {extent}", desc.format),
        match desc.mip_levels {
            0 => "all mips".to_owned(),
            mips => count(u64::from(mips), "mip", "mips"),
        },
    ];
    parts.extend(slices.filter(|slices| *slices != 1).map(|slices| format!("{slices} slices")));
    push_rest(&mut parts, desc);
    parts.push(format!("layout {}", desc.layout));
    parts.join(", ")
}

fn push_rest(parts: &mut Vec<String>, desc: &ResourceDesc) {
    if desc.sample_desc != SampleDesc::SINGLE {
        parts.push(format!("{} samples of quality {}", desc.sample_desc.count, desc.sample_desc.quality));
    }
    if desc.alignment != 0 {
        parts.push(format!("Alignment {}", desc.alignment));
    }
    if desc.flags != ResourceFlags::empty() {
        parts.push(desc.flags.to_string());
    }
}

fn accepted(page: &mut Page, layout: &Layout) {
    let explanation = &layout.explanation;
    let allocation = &explanation.allocation;
    page.field("size", bytes(allocation.size));
    page.field("alignment", bytes(allocation.alignment.bytes()));
    if allocation.alignment_overridden {
        page.field("message", format_args!("{OVERRIDDEN}, for information"));
    }

    page.heading("Why");
    for reason in &explanation.reasons {
        page.item(reason);
    }

    let mut parts = Table::new([("bytes of", Side::Left), ("count", Side::Right)]);
    parts.row(["subresources".to_owned(), bytes(explanation.data_size)]);
    for (name, size) in [
        ("driver's padding", explanation.driver_padding),
        ("metadata", explanation.metadata_size),
        ("rounding", explanation.rounding),
    ] {
        if size > 0 {
            parts.row([name.to_owned(), bytes(size)]);
        }
    }
    parts.row(["size".to_owned(), bytes(allocation.size)]);
    page.gap();
    page.table(&parts);

    for (index, plane) in explanation.planes.iter().enumerate() {
        let name =
            if explanation.planes.len() > 1 { format!("plane {index}") } else { "each slice".to_owned() };
        write_plane(page, &name, plane, ResolvedPattern::name(allocation.driver.pattern));
    }
    write_footprints(page, &explanation.desc, layout);
    match &layout.tiling {
        Some(Ok(tiling)) => write_tiling(page, &explanation.desc, tiling),
        Some(Err(refusal)) => {
            page.heading("Tiles (GetResourceTiling): refused");
            violation::write(page, refusal);
        }
        None => {}
    }
}

fn write_plane(page: &mut Page, name: &str, plane: &ExplainedPlane, pattern: &str) {
    let block = plane.block.elements();
    page.heading(format_args!(
        "Mips of {name}: {} in blocks of {} elements, {} ({pattern})",
        plane.format,
        extent(block),
        short(plane.block.bytes()),
    ));
    let mut table = Table::new([
        ("mip", Side::Right),
        ("texels", Side::Right),
        ("elements", Side::Right),
        ("blocks", Side::Right),
        ("offset", Side::Right),
        ("bytes", Side::Right),
    ]);
    for mip in &plane.mips {
        table.row([
            mip.mip.to_string(),
            extent(mip.texels),
            extent(mip.elements),
            mip.blocks.map_or_else(|| "tail".to_owned(), extent),
            grouped(mip.offset),
            grouped(mip.size),
        ]);
    }
    page.table(&table);
    let tail = if plane.tail_size > 0 {
        format!("; the mips of the tail share {}", bytes(plane.tail_size))
    } else {
        String::new()
    };
    let slices = count(u64::from(plane.slices), "slice", "slices");
    page.line(format_args!("{slices} of {}{tail}", bytes(plane.slice_size)));
}

/// `256x128`, `256x128x2`.
fn extent<U: Unit>(extent: Extent<U>) -> String {
    if extent.depth == 1 {
        format!("{}x{}", extent.width, extent.height)
    } else {
        format!("{}x{}x{}", extent.width, extent.height, extent.depth)
    }
}

/// Mip, slice and plane of a subresource.
pub(super) fn place(desc: &ResourceDesc, subresource: usize) -> (u32, u32, u32) {
    let slices = if desc.dimension == ResourceDimension::Texture3D { 1 } else { desc.depth_or_array_size };
    decompose_subresource(
        u32::try_from(subresource).unwrap_or(u32::MAX),
        u32::from(desc.mip_levels),
        u32::from(slices),
    )
}

fn write_footprints(page: &mut Page, desc: &ResourceDesc, layout: &Layout) {
    let Footprints { total, layouts, row_counts, row_sizes } = match &layout.footprints {
        Ok(footprints) => footprints,
        Err(refusal) => {
            page.heading("Footprints (GetCopyableFootprints): refused");
            violation::write(page, refusal);
            return;
        }
    };
    page.heading(format_args!("Footprints (GetCopyableFootprints): {} in all", bytes(*total)));
    let mut table = Table::new([
        ("subresource", Side::Right),
        ("mip", Side::Right),
        ("slice", Side::Right),
        ("plane", Side::Right),
        ("offset", Side::Right),
        ("format", Side::Left),
        ("extent", Side::Right),
        ("row pitch", Side::Right),
        ("rows", Side::Right),
        ("row bytes", Side::Right),
    ]);
    let rows = layouts.iter().zip(row_counts).zip(row_sizes).enumerate();
    for (index, ((footprint, rows), row_size)) in rows.take(SUBRESOURCES_SHOWN) {
        let (mip, slice, plane) = place(desc, index);
        table.row([
            index.to_string(),
            mip.to_string(),
            slice.to_string(),
            plane.to_string(),
            grouped(footprint.offset),
            footprint.format.to_string(),
            if footprint.depth == 1 {
                format!("{}x{}", footprint.width, footprint.height)
            } else {
                format!("{}x{}x{}", footprint.width, footprint.height, footprint.depth)
            },
            grouped(u64::from(footprint.row_pitch)),
            grouped(u64::from(*rows)),
            grouped(*row_size),
        ]);
    }
    page.table(&table);
    write_omitted(page, layouts.len());
}

fn write_omitted(page: &mut Page, subresources: usize) {
    if let Some(more) = subresources.checked_sub(SUBRESOURCES_SHOWN).filter(|more| *more > 0) {
        page.line(format_args!("... and {more} more (--json has all)"));
    }
}

fn write_tiling(page: &mut Page, desc: &ResourceDesc, tiling: &Tiling) {
    let ResourceTiling { total_tiles, packed, tile_shape } = tiling.whole;
    page.heading(format_args!(
        "Tiles (GetResourceTiling): {} of {}x{}x{} texels",
        grouped(u64::from(total_tiles)),
        tile_shape.width_in_texels,
        tile_shape.height_in_texels,
        tile_shape.depth_in_texels,
    ));
    let mut table = Table::new([
        ("subresource", Side::Right),
        ("mip", Side::Right),
        ("slice", Side::Right),
        ("tiles", Side::Right),
        ("first tile", Side::Right),
    ]);
    for (index, grid) in tiling.subresources.iter().enumerate().take(SUBRESOURCES_SHOWN) {
        let (mip, slice, _) = place(desc, index);
        let (tiles, first) = if *grid == SubresourceTiling::PACKED {
            ("packed".to_owned(), "-".to_owned())
        } else {
            (
                format!("{}x{}x{}", grid.width_in_tiles, grid.height_in_tiles, grid.depth_in_tiles),
                grouped(u64::from(grid.start_tile_index)),
            )
        };
        table.row([index.to_string(), mip.to_string(), slice.to_string(), tiles, first]);
    }
    page.table(&table);
    write_omitted(page, tiling.subresources.len());
    if packed.packed_mips > 0 {
        page.line(format_args!(
            "{} of each slice share {}; those of slice 0 begin with tile {}.",
            count(u64::from(packed.packed_mips), "packed mip", "packed mips"),
            count(u64::from(packed.tiles_for_packed_mips), "tile", "tiles"),
            packed.start_tile_index
        ));
    }
}
