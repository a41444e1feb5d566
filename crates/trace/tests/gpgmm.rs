//! The five GPGMM traces. The expected numbers were counted in the files by another program (Python,
//! see each constant's line), or stand in the README of the data.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use common::{data, plan, replay_file, tight_plan};
use heapstone_spec::HeapType;
use heapstone_trace::report::{Report, Usage};
use heapstone_trace::{Origin, Placement, ReplayOptions, open_trace, replay};

/// File; heaps and their bytes; buffers and their bytes; textures; 64 KiB and 256-byte cost; events;
/// resources of which the trace says where they lie.
type Expected = (&'static str, (u64, u64), (u64, u64), u64, (u64, u64), u64, u64);

const TRACES: [Expected; 5] = [
    (
        "dawn_end2end_queuewritebuffertests_manywritebuffer.json",
        (4, 16_777_216),
        (4, 12_638_608),
        0,
        (75_376, 112),
        204,
        0,
    ),
    (
        "directml_samples_directmlxsuperresolution.json",
        (8, 1_119_879_168),
        (45, 727_812_716),
        1,
        (1_865_108, 2708),
        352,
        0,
    ),
    (
        "old2022-06_directmlxsuperresolution.json",
        (10, 1_128_267_776),
        (45, 727_812_716),
        1,
        (1_865_108, 2708),
        353,
        0,
    ),
    ("webnn_mobilenetv2_nchw.json", (6, 79_691_776), (9, 69_402_624), 0, (0, 0), 231, 0),
    ("webnn_resnet50v2_nchw_2022-05-18.json", (8, 570_425_344), (9, 421_724_160), 0, (0, 0), 204, 9),
];

const DIRECTML: &str = "directml_samples_directmlxsuperresolution.json";

fn assert_adds_up(usage: &Usage) {
    assert_eq!(usage.committed + usage.aliased, usage.asked + usage.waste.total(), "{usage:?}");
}

#[test]
fn all_five_replay_on_the_discrete_profile() {
    let Some(folder) = data("gpgmm") else { return };
    for (file, heaps, buffers, textures, cost, events, with_place) in TRACES {
        let report = replay_file(&folder.join(file), "discrete-8g", ReplayOptions::default());
        let import = report.import.as_ref().unwrap();
        assert_eq!(report.trace.as_ref().unwrap().origin, Origin::Gpgmm);
        assert_eq!(
            (import.events, import.heaps, import.resources),
            (events, heaps.0, buffers.0 + textures),
            "{file}"
        );
        assert_eq!(
            import.requests_without_allocation
                + import.allocations_without_request
                + import.heaps_without_description
                + import.unknown_objects
                + import.lost_ends,
            0,
            "{file}"
        );
        assert_eq!((report.asked.heaps, report.asked.heap_bytes), heaps, "{file}");
        assert_eq!((report.asked.buffers, report.asked.buffer_bytes), buffers, "{file}");
        assert_eq!(report.asked.textures, textures, "{file}");
        assert_eq!((report.alignment_cost.at_64_kib, report.alignment_cost.at_256), cost, "{file}");
        assert_eq!(report.alignment_cost.bytes, buffers.1);
        assert_eq!(
            (report.refused_count(), report.failed_count(), report.trace_error_count()),
            (0, 0, 0),
            "{file}"
        );
        // Nothing of the trace is left out, nothing committed for want of a place.
        let resources = buffers.0 + textures;
        assert_eq!(
            (report.placement.as_recorded, report.placement.first_fit),
            (with_place, resources - with_place)
        );
        assert_eq!(report.placement.committed_instead, 0, "{file}");
        // All heaps live at once in every one of the five.
        assert_eq!(report.peak.total.committed, heaps.1, "{file}");
        assert_adds_up(&report.peak.total);
        assert_eq!(report.end.total, Usage::default(), "{file}: everything is destroyed at the end");
    }
}

#[test]
fn directml_in_numbers() {
    let Some(folder) = data("gpgmm") else { return };
    let report = replay_file(&folder.join(DIRECTML), "discrete-8g", ReplayOptions::default());
    // 1920 x 1080 texels of 4 bytes; 30 of the buffers below 64 KiB.
    assert_eq!((report.asked.texture_bytes, report.alignment_cost.small_buffers), (8_294_400, 30));
    // At the peak 15 resources live, 735,372,140 bytes of them (counted in the file).
    let peak = &report.peak.total;
    assert_eq!((peak.heaps, peak.placed_resources, peak.asked), (8, 15, 735_372_140));
    // Each heap was made for a request that then fits into it.
    assert_eq!(report.placement.in_made_heap, 8);
    // Newer traces of UMA machines have CUSTOM heaps only, in system memory.
    assert_eq!(report.peak.by_type.len(), 1);
    assert_eq!(report.peak.by_type[0].heap_type, HeapType::Custom);
    let largest = &report.largest[0];
    assert_eq!((largest.asked, report.largest.len()), (709_171_200, 10));
}

#[test]
fn heap_tier_1_refuses_the_heaps_under_one_rule() {
    let Some(folder) = data("gpgmm") else { return };
    let report = replay_file(&folder.join(DIRECTML), "discrete-tier1-2g", ReplayOptions::default());
    let [group] = &report.refused[..] else { panic!("one rule: {:?}", report.refused) };
    assert_eq!((group.rule, group.count), ("heap.flags.tier1", 8));
    assert!(!group.remedy.is_empty() && group.allowed.contains("ALLOW_ONLY_BUFFERS"), "{group:?}");
    assert!(
        group.first.text.starts_with("{\"create_heap\":{\"id\":1,\"size\":4194304,\"type\":\"CUSTOM\""),
        "{group:?}"
    );
    assert_eq!(group.first.position.line, 1);
    // Every resource would lie in one of them.
    assert_eq!(report.skipped.heap_missing, 46);
    assert_eq!((report.placement.committed_instead, report.peak.total.committed), (0, 0));
}

#[test]
fn recorded_places_are_kept() {
    let Some(folder) = data("gpgmm") else { return };
    let path = folder.join("webnn_resnet50v2_nchw_2022-05-18.json");
    let places: Vec<_> = open_trace(&path)
        .unwrap()
        .filter_map(|record| match record.unwrap().call {
            heapstone_trace::Call::RequestResource { place, .. } => Some(place.unwrap()),
            _ => None,
        })
        .collect();
    // Two resources lie in the third heap, the second of them at 64 KiB (HeapOffset in the file).
    assert_eq!(places.len(), 9);
    assert_eq!(places.iter().filter(|(_, offset)| *offset == 65_536).count(), 1);
    let second = places.iter().find(|(_, offset)| *offset == 65_536).unwrap();
    assert!(places.contains(&(second.0, 0)));
}

#[test]
fn other_placements() {
    let Some(folder) = data("gpgmm") else { return };
    let with = |placement| {
        let options = ReplayOptions { placement, ..ReplayOptions::default() };
        replay_file(&folder.join(DIRECTML), "discrete-8g", options)
    };
    let clean = |report: &Report| {
        assert_eq!((report.refused_count(), report.failed_count(), report.trace_error_count()), (0, 0, 0));
        assert_adds_up(&report.peak.total);
        assert_eq!(report.end.total, Usage::default());
    };
    let committed = with(Placement::Committed);
    clean(&committed);
    assert_eq!(committed.peak.total.heaps, 0);
    // A committed resource takes whole pages of 64 KiB and no more.
    assert_eq!(committed.peak.total.committed, committed.peak.total.taken);
    let pooled = with(Placement::Pooled { heap_size: 4 << 20 });
    clean(&pooled);
    assert_eq!(pooled.placement.pooled, 46);
    // 709,171,200 bytes do not fit in 4 MiB.
    assert!(pooled.placement.pool_heaps_of_one >= 1);
    assert!(pooled.peak.total.committed < 1_119_879_168);
}

#[test]
fn tight_alignment_beside_it() {
    let Some(folder) = data("gpgmm") else { return };
    for placement in [Placement::Recorded, Placement::Committed, Placement::Pooled { heap_size: 4 << 20 }] {
        let options = ReplayOptions { placement, ..ReplayOptions::default() };
        let trace = open_trace(folder.join(DIRECTML)).unwrap();
        let report = replay(trace, tight_plan("discrete-8g", options), |_| {}).unwrap();
        let tight = report.tight.as_ref().unwrap();
        assert_eq!((tight.sdk_raised, tight.tier_switched_on, tight.descriptions), (false, false, 46));
        assert_eq!((tight.report.refused_count(), tight.report.failed_count()), (0, 0), "{placement}");
        let (classic, tight) = (&report.peak.total, &tight.report.peak.total);
        assert_eq!(tight.asked, classic.asked);
        assert!(
            tight.waste.buffer_rounding + tight.waste.small_committed
                < classic.waste.buffer_rounding + classic.waste.small_committed,
            "{placement}"
        );
        assert!(tight.committed <= classic.committed, "{placement}");
        assert_adds_up(tight);
    }
}

#[test]
fn a_profile_without_tight_alignment_gets_it_for_the_comparison() {
    let Some(folder) = data("gpgmm") else { return };
    let trace = open_trace(folder.join(TRACES[0].0)).unwrap();
    let report = replay(trace, tight_plan("discrete-no-msaa64k", ReplayOptions::default()), |_| {}).unwrap();
    let tight = report.tight.unwrap();
    assert!(tight.tier_switched_on);
    assert_eq!(tight.report.refused_count(), 0);
}

#[test]
fn truncated_traces() {
    let Some(folder) = data("gpgmm") else { return };
    let text = std::fs::read_to_string(folder.join(TRACES[0].0)).unwrap();
    // Cut after a whole event: Chrome allows the missing end, and what was read counts.
    let cut =
        text.find("}, { \"name\": \"ResourceAllocation\", \"cat\": \"default\", \"ph\": \"D\"").unwrap() + 1;
    let trace = heapstone_trace::read_trace(text.as_bytes()[..cut].as_ref(), "cut.json").unwrap();
    let at = trace.import_notes().unwrap().unterminated.unwrap();
    assert_eq!((at.line, at.column), (1, u64::try_from(cut).unwrap() + 1));
    let report = replay(trace, plan("discrete-8g", ReplayOptions::default()), |_| {}).unwrap();
    assert_eq!(report.refused_count() + report.trace_error_count(), 0);
    // Cut inside an event: an error that says where.
    let error = heapstone_trace::read_trace(text.as_bytes()[..cut - 1].as_ref(), "cut.json").unwrap_err();
    assert_eq!(error.kind, heapstone_trace::TraceErrorKind::Truncated);
    assert_eq!(error.position.unwrap().column, u64::try_from(cut).unwrap());
}
