//! The format table against Microsoft's format property tables (tests/golden/formats.json).

use std::collections::BTreeMap;

use heapstone_spec::{Format, FormatKind, FormatUses};

#[derive(serde::Deserialize)]
struct Row {
    parent: String,
    bits_per_unit: u16,
    w_align: u8,
    h_align: u8,
    d_align: u8,
    planar: bool,
    yuv: bool,
}

fn rows() -> BTreeMap<String, Row> {
    serde_json::from_str(include_str!("golden/formats.json")).expect("the golden file is JSON of rows")
}

#[test]
fn every_row_agrees() {
    let rows = rows();
    assert_eq!(rows.len(), 119);
    for (name, row) in rows {
        let format: Format = name.parse().unwrap();
        let info = format.info();
        // The tables put the feedback maps below UNKNOWN, which would make them a family of two that
        // could be cast to each other; here each is alone (chosen).
        let parent = if name.starts_with("SAMPLER_FEEDBACK") { &name } else { &row.parent };
        assert_eq!(info.family, parent.parse().unwrap(), "{name}: family");
        assert_eq!(info.bits_per_element, row.bits_per_unit, "{name}: bits");
        assert_eq!((info.width_alignment, info.height_alignment), (row.w_align, row.h_align), "{name}");
        assert_eq!(row.d_align, 1, "{name}: no format is aligned in depth");
        assert_eq!(info.kind.contains(FormatKind::PLANAR), row.planar, "{name}: planar");
        assert_eq!(info.plane_count > 1, row.planar, "{name}: planes");
        assert_eq!(info.kind.contains(FormatKind::YUV), row.yuv, "{name}: video");
        let block = (row.w_align, row.h_align) == (4, 4);
        assert_eq!(info.kind.contains(FormatKind::BLOCK_COMPRESSED), block, "{name}: blocks");
    }
}

#[test]
fn the_formats_without_a_row_are_the_late_ones() {
    let rows = rows();
    let without: Vec<&str> =
        Format::ALL.iter().map(|format| format.name()).filter(|name| !rows.contains_key(*name)).collect();
    assert_eq!(without, ["P208", "V208", "V408"]);
}

/// A resource of a typeless format is created for any use of its members.
#[test]
fn a_typeless_format_has_the_uses_of_its_family() {
    for format in Format::ALL.iter().filter(|format| format.info().kind.contains(FormatKind::TYPELESS)) {
        let members = Format::ALL.iter().filter(|member| format.info().same_family(**member));
        let uses = members.fold(FormatUses::empty(), |uses, member| uses | member.uses());
        assert_eq!(format.uses(), uses, "{format}");
    }
    assert!(Format::R32_TYPELESS.uses().contains(FormatUses::DEPTH_STENCIL));
    assert!(!Format::R32_FLOAT.uses().contains(FormatUses::DEPTH_STENCIL));
}
