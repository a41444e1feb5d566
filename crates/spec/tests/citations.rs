//! The citations of the rules against the specification that they cite: where it is at hand, cited lines
//! must speak of the rule's subject, and cited sections must exist.
//!
//! The specification is the folder that HEAPSTONE_SPEC names, else `shared/spec` beside the workspace.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heapstone_spec::rules::{self, Rule};

const HEAPS: &str = "spec/2-resource-heaps.txt";
const TIGHT: &str = "spec/1-tight-placed-resource-alignment.txt";

/// Of each rule that cites lines of `spec/2-resource-heaps.txt`: words that the cited lines hold, of each
/// range in turn, in its source and then in its remedy. Chosen so that few other lines hold them.
const WORDS: &[(&str, &[&str])] = &[
    ("residency.pageable", &["are only supported on the following: Descriptor Heaps, Heaps"]),
    ("share.flag", &["D3D12_HEAP_FLAG_SHARED"]),
    ("share.kind", &["Both heaps and committed resources can be shared"]),
    ("resource.dimension", &["D3D12_RESOURCE_DIMENSION_TEXTURE_3D"]),
    ("resource.size", &["how large each resource GPU VA space can be"]),
    ("resource.driver.alignment", &["must not be larger than 64KiB"]),
    ("resource.flags.deny_shader_resource", &["DENY_SHADER_RESOURCE, // Only used with DEPTH_STENCIL"]),
    ("resource.layout.standard_swizzle.cap", &["StandardSwizzle64KBSupported"]),
    ("resource.alignment.small.tiles", &["equal or less than 16"]),
    ("resource.reserved.layout", &["Reserved textures can only be created with"]),
    ("heap.size.zero", &["UINT64 Size;"]),
    ("heap.size.driver", &["32MB"]),
    ("heap.type.unrecognized", &["D3D12_HEAP_TYPE_CUSTOM"]),
    ("heap.cpu_page_property.unrecognized", &["D3D12_CPU_PAGE_WRITE_COMBINE"]),
    ("heap.memory_pool.unrecognized", &["D3D12_MEMORY_POOL_L1"]),
    ("heap.properties.abstract", &["Custom enables more control"]),
    ("heap.properties.custom_l1_uma", &["not request _L1 on UMA"]),
    ("heap.properties.custom_l1_write_back", &["never request WRITE_BACK with _L1"]),
    ("heap.flags.unrecognized", &["D3D12_HEAP_FLAG_ALLOW_WRITE_WATCH"]),
    ("heap.flags.deny_all", &["a heap flag associated with each category"]),
    ("heap.flags.tier1", &["mutually exclusive"]),
    ("heap.flags.display", &["with the PRIMARY flag", "primary heap creation"]),
    ("heap.atomics.cpu_abstraction", &["UPLOAD and READBACK"]),
    ("heap.atomics.peer", &["peer-to-peer visible DEFAULT heaps"]),
    ("heap.atomics.committed_uav", &["UNORDERED_ACCESS"]),
    ("heap.node.creation", &["CreationNodeMask"]),
    ("heap.node.visible", &["VisibleNodeMask", "bits that aren’t in the CreationNodeMask"]),
    ("heap.node.sharing", &["D3D12_CROSS_NODE_SHARING_TIER"]),
    ("map.heap", &["D3D12_CPU_PAGE_NOT_AVAILABLE"]),
    ("map.opaque.pointer", &["if ppData is NULL"]),
    ("map.opaque.range", &["Ranges must be NULL or empty"]),
    ("map.opaque.kind", &["MSAA resources and depth-stencil resources with opaque"]),
    ("map.opaque.format", &["power-of-two element size"]),
    ("map.range", &["One past end"]),
    ("unmap.not_mapped", &["::Unmap("]),
    ("unmap.range", &["pWrittenRange"]),
    ("access.opaque", &["only succeed on opaque resource layouts"]),
    ("query.reservation", &["AvailableForReservation"]),
    ("view.resource.flags", &["D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET"]),
    ("view.format.typeless", &["view/ descriptor creation"]),
    ("subresource.buffer", &["except buffers"]),
    ("subresource.heap", &["will succeed with a NULL ppData"]),
    ("tile.resource", &["hTiledResource"]),
    ("tile.copy_mappings.category", &["mutually exclusive"]),
    ("address.range", &["per-process GPU VA capability"]),
    ("placement.heap.category", &["types of resources that may be used on the heap"]),
    (
        "placement.heap_type.texture",
        &["locate texture data in buffers", "may be located in buffer resources"],
    ),
    (
        "placement.display.shape",
        &["non-mipped, non-MSAA 2D arrays", "non-mipped, non-MSAA 2D arrays", "single-subresource"],
    ),
    ("placement.state.unrecognized", &["allowed for initial states"]),
    ("placement.state.flags", &["initial resource state must be valid", "resource flags are allowed"]),
    ("placement.state.dimension", &["valid for the resource type", "VERTEX_AND_CONSTANT_BUFFER"]),
    ("placement.clear_value.use", &["cleared color"]),
    ("placement.clear_value.typeless", &["view/ descriptor creation"]),
    ("placement.clear_value.format", &["same typeless group"]),
    ("placement.clear_value.kind", &["D3D12_DEPTH_STENCIL_VALUE DepthStencil"]),
    ("copy.texture.kind", &["VIEW_PLACED_PITCHED_SUBRESOURCE"]),
    (
        "copy.footprint.offset",
        &["PLACEMENT_ALIGNMENT = 512", "multiple of D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT"],
    ),
    (
        "copy.footprint.row_pitch",
        &["PITCH_ALIGNMENT = 256", "multiple of D3D12_TEXTURE_DATA_PITCH_ALIGNMENT"],
    ),
];

/// A text of the specification; `None`, with a line that says so, where it is not at hand.
/// HEAPSTONE_REQUIRE_SPEC=1 makes that a failure.
fn text(citation: &str) -> Option<String> {
    let folder = std::env::var_os("HEAPSTONE_SPEC")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec"), PathBuf::from);
    let path = folder.join(citation.trim_start_matches("spec/"));
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(reason) => {
            let required = std::env::var_os("HEAPSTONE_REQUIRE_SPEC").is_some_and(|value| value == "1");
            assert!(!required, "HEAPSTONE_REQUIRE_SPEC=1, and {}: {reason}", path.display());
            println!("skipped: {}: {reason}; HEAPSTONE_SPEC names another folder", path.display());
            None
        }
    }
}

/// The line ranges, first and last, that `words` cites of `spec/2-resource-heaps.txt`.
fn ranges(words: &str) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for cited in words.split(HEAPS).skip(1) {
        let listed = cited.find(|c: char| !c.is_ascii_digit() && !", -".contains(c)).unwrap_or(cited.len());
        for range in cited[..listed].split(',').map(str::trim).filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            all.push((first.parse().expect(words), last.parse().expect(words)));
        }
    }
    all
}

fn ranges_of(rule: &Rule) -> Vec<(usize, usize)> {
    [ranges(rule.source), ranges(rule.remedy)].concat()
}

/// The numbers of the lines that say `words`.
fn saying(lines: &[&str], words: &str) -> String {
    let said = lines.iter().zip(1..).filter(|(line, _)| line.contains(words));
    said.map(|(_, number): (_, usize)| number.to_string()).collect::<Vec<_>>().join(", ")
}

#[test]
fn ranges_are_read_from_citations() {
    assert_eq!(ranges("facts/layout.md, Tiling"), []);
    assert_eq!(ranges("spec/2-resource-heaps.txt 54-60; chosen: 8 is 8"), [(54, 60)]);
    assert_eq!(ranges("facts/a.md, B; spec/2-resource-heaps.txt 34-41, 1517"), [(34, 41), (1517, 1517)]);
    assert_eq!(ranges("Split: spec/2-resource-heaps.txt 1623 recommends 32 MiB."), [(1623, 1623)]);
}

/// Both ways: a rule that cites lines has its words here, and no words are of a rule that cites none.
#[test]
fn every_citation_of_lines_has_its_words() {
    let words: BTreeMap<&str, &[&str]> = WORDS.iter().copied().collect();
    assert_eq!(words.len(), WORDS.len(), "a rule stands twice in WORDS");
    for rule in rules::all() {
        let named = words.get(rule.id).map_or(0, |of_ranges| of_ranges.len());
        assert_eq!(named, ranges_of(rule).len(), "{}: one entry of WORDS for each range cited", rule.id);
    }
    for (id, _) in WORDS {
        assert!(rules::find(id).is_some(), "{id} is in WORDS and no rule");
    }
}

#[test]
fn cited_lines_speak_of_the_rule() {
    let Some(text) = text(HEAPS) else { return };
    let lines: Vec<&str> = text.lines().collect();
    for (id, words) in WORDS {
        let rule = rules::find(id).unwrap();
        for ((first, last), words) in ranges_of(rule).into_iter().zip(*words) {
            assert!(1 <= first && first <= last && last <= lines.len(), "{id}: no lines {first}-{last}");
            let cited = &lines[first - 1..last];
            let says = cited.iter().any(|line| line.contains(words));
            assert!(says, "{id}: lines {first}-{last} do not say {words:?}; {} do", saying(&lines, words));
        }
    }
}

/// A section is cited by how its heading begins; "head" is what stands above the first.
#[test]
fn cited_sections_exist() {
    let Some(text) = text(TIGHT) else { return };
    let mut seen = 0;
    for rule in rules::all() {
        for clause in rule.source.split("; ") {
            let Some(sections) = clause.strip_prefix(TIGHT) else {
                assert!(!clause.starts_with("spec/1"), "{}: {clause:?} does not name the file", rule.id);
                continue;
            };
            for section in sections.split(", ").filter(|section| !matches!(*section, "" | "head")) {
                seen += 1;
                let exists = text.lines().any(|line| line.starts_with(section));
                assert!(exists, "{}: there is no section {section:?}", rule.id);
            }
        }
    }
    assert!(seen > 0, "no rule cites a section of {TIGHT}");
}
