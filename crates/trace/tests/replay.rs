//! Replay: what is placed where, what it costs, and what goes wrong.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use common::{device, plan, profile, replay_text, tight_plan};
use heapstone::{Backing, SdkVersion};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_spec::HeapType;
use heapstone_trace::report::{Failure, Moment, Report, TraceMistake, Usage};
use heapstone_trace::{
    GenerateOptions, Placement, ReplayOptions, Replayer, TraceWriter, generate, open_trace, read_trace,
    replay, tight_device,
};

const HEADER: &str = "{\"heapstone_trace\":{\"version\":1}}\n";
const SCENE: &str = include_str!("../../../examples/workloads/textured-scene.jsonl");

fn run(lines: &str) -> Report {
    run_with(lines, ReplayOptions::default())
}

fn run_with(lines: &str, options: ReplayOptions) -> Report {
    replay_text(&format!("{HEADER}{lines}"), "discrete-8g", options)
}

fn with(placement: Placement) -> ReplayOptions {
    ReplayOptions { placement, ..ReplayOptions::default() }
}

/// The books balance, in total and in each heap type.
fn assert_adds_up(moment: &Moment) {
    let mut sum = Usage::default();
    for usage in moment.by_type.iter().map(|row| &row.usage).chain([&moment.total]) {
        assert_eq!(usage.committed + usage.aliased, usage.asked + usage.waste.total(), "{moment:?}");
    }
    for row in &moment.by_type {
        sum.committed += row.usage.committed;
        sum.asked += row.usage.asked;
    }
    assert_eq!((sum.committed, sum.asked), (moment.total.committed, moment.total.asked));
}

#[test]
fn every_cause_of_waste_by_hand() {
    let report = run(concat!(
        // 1 MiB: a buffer of 100 bytes at 0, one of 65536 at 128 KiB; a hole of 64 KiB between, a tail behind.
        "{\"create_heap\":{\"id\":1,\"size\":1048576}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"width\":100}}\n",
        "{\"create_placed_resource\":{\"id\":3,\"heap\":1,\"offset\":131072,\"width\":65536}}\n",
        // An empty heap.
        "{\"create_heap\":{\"id\":4,\"size\":65536,\"type\":\"UPLOAD\"}}\n",
        // A small committed buffer, and a larger one.
        "{\"create_committed_resource\":{\"id\":5,\"heap_type\":\"UPLOAD\",\"width\":100,\"state\":\"GENERIC_READ\"}}\n",
        "{\"create_committed_resource\":{\"id\":6,\"heap_type\":\"READBACK\",\"width\":65537,\"state\":\"COPY_DEST\"}}\n",
    ));
    assert_eq!(report.refused_count() + report.failed_count() + report.trace_error_count(), 0);
    let peak = &report.peak;
    assert_eq!(peak.call, 6);
    assert_adds_up(peak);
    let total = &peak.total;
    assert_eq!((total.heaps, total.placed_resources, total.committed_resources), (2, 2, 2));
    assert_eq!(total.asked, 100 + 65_536 + 100 + 65_537);
    assert_eq!(total.taken, 65_536 + 65_536 + 65_536 + 131_072);
    assert_eq!(total.committed, 1_048_576 + 65_536 + 65_536 + 131_072);
    let waste = &total.waste;
    assert_eq!(waste.buffer_rounding, (65_536 - 100) + (131_072 - 65_537));
    assert_eq!(waste.heap_free, 65_536 + 65_536, "the hole and the empty heap");
    assert_eq!(waste.heap_tail, 1_048_576 - 196_608);
    assert_eq!((waste.small_committed, total.small_committed_buffers), (65_536 - 100, 1));
    assert_eq!((waste.start_alignment, waste.texture_padding), (0, 0));
    let types: Vec<_> = peak.by_type.iter().map(|row| row.heap_type).collect();
    assert_eq!(types, [HeapType::Default, HeapType::Upload, HeapType::Readback]);
    assert_eq!(report.end.total, *total, "nothing was destroyed");
}

#[test]
fn alignment_of_the_start_is_counted() {
    // A 4 KiB texture of 16 KiB, then a buffer at the next 64 KiB: 48 KiB lost to alignment.
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":1048576}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"dimension\":\"TEXTURE2D\",\"width\":64,\"height\":64,",
        "\"format\":\"R8G8B8A8_UNORM\",\"alignment\":4096}}\n",
        "{\"create_placed_resource\":{\"id\":3,\"heap\":1,\"offset\":65536,\"width\":65536}}\n",
    ));
    assert_eq!(report.refused_count(), 0);
    assert_adds_up(&report.peak);
    assert_eq!(report.peak.total.taken, 16_384 + 65_536);
    assert_eq!(report.peak.total.waste.start_alignment, 49_152);
    assert_eq!(report.peak.total.waste.heap_free, 0);
}

#[test]
fn aliased_bytes_are_no_negative_waste() {
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":1048576}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"width\":1048576}}\n",
        "{\"create_placed_resource\":{\"id\":3,\"heap\":1,\"width\":524288}}\n",
        "{\"create_placed_resource\":{\"id\":4,\"heap\":1,\"offset\":262144,\"width\":786432}}\n",
        "{\"destroy\":{\"id\":2}}\n",
    ));
    assert_eq!(report.peak.total.aliased, 524_288 + 786_432);
    assert_eq!(report.peak.total.waste.total(), 0);
    assert_adds_up(&report.peak);
    assert_eq!(report.end.total.aliased, 262_144);
    assert_adds_up(&report.end);
}

#[test]
fn the_peak_is_the_fullest_moment_of_the_most_committed() {
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":1048576,\"t\":10}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"width\":65536,\"t\":20}}\n",
        "{\"destroy\":{\"id\":2,\"t\":30}}\n",
        "{\"create_placed_resource\":{\"id\":3,\"heap\":1,\"width\":655360,\"t\":40}}\n",
        "{\"destroy\":{\"id\":3,\"t\":50}}\n",
        "{\"destroy\":{\"id\":1,\"t\":60}}\n",
        "{\"create_committed_resource\":{\"id\":4,\"width\":917504,\"t\":70}}\n",
    ));
    // Line 5 is the fourth call: the heap with the most in it. What came later is fuller, but smaller.
    let peak = &report.peak;
    assert_eq!((peak.call, peak.position.line, peak.timestamp_us), (4, 5, Some(40)));
    assert_eq!((peak.total.committed, peak.total.asked), (1_048_576, 655_360));
    assert_eq!((report.peak_asked.bytes, report.peak_asked.call), (917_504, 7));
    assert_eq!(report.end.total.committed, 917_504);
}

#[test]
fn the_example_runs_everywhere_and_heap_tier_1_refuses_some() {
    let report = replay_text(SCENE, "discrete-8g", ReplayOptions::default());
    assert_eq!(
        (report.refused_count(), report.failed_count(), report.trace_error_count()),
        (0, 0, 0),
        "{report:?}"
    );
    assert_eq!(report.calls.total, 63);
    assert_eq!(report.calls.create_heap, 6);
    assert_eq!((report.calls.create_committed_resource, report.calls.create_reserved_resource), (5, 1));
    assert_eq!(report.peak.reserved_resources, 1);
    // Bloom and shadow moments share their place: 4 MiB of shadow moments cover bloom.
    assert!(report.peak.total.aliased >= 960 * 540 * 4, "{}", report.peak.total.aliased);
    assert_eq!(report.placement.heaps_outlived, 0);
    assert_adds_up(&report.peak);
    assert_adds_up(&report.end);

    let tier1 = replay_text(SCENE, "discrete-tier1-2g", ReplayOptions::default());
    let [group] = &tier1.refused[..] else { panic!("one rule: {:?}", tier1.refused) };
    assert_eq!((group.rule, group.count), ("heap.flags.tier1", 1));
    // Heap 6 stands in line 11 of the file; two resources would lie in it, and it was to get a name.
    assert_eq!((group.first.position.line, group.first.call), (11, 10));
    assert_eq!((tier1.skipped.heap_missing, tier1.skipped.object_missing), (2, 1));
    assert_eq!(tier1.failed_count(), 0, "{:?}", tier1.failed);
}

#[test]
fn the_example_is_opened_by_its_path() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/workloads/textured-scene.jsonl");
    let trace = open_trace(path).unwrap();
    assert_eq!(trace.header().profile.as_deref(), Some("discrete-8g"));
    assert_eq!(trace.header().sdk, Some(SdkVersion::V619_4));
    assert_eq!(trace.count(), 63);
}

#[test]
fn mistakes_of_a_trace_are_told_and_survived() {
    let lines = concat!(
        "{\"destroy\":{\"id\":9}}\n",
        "{\"create_placed_resource\":{\"id\":1,\"heap\":9,\"width\":1}}\n",
        "{\"map\":{\"id\":1}}\n",
        "{\"create_heap\":{\"id\":2,\"size\":65536}}\n",
        "{\"map\":{\"id\":2}}\n",
        "{\"create_placed_resource\":{\"id\":3,\"heap\":1,\"width\":1}}\n",
        "{\"create_heap\":{\"id\":2,\"size\":131072}}\n",
        "{\"destroy\":{\"id\":2}}\n",
        "{\"destroy\":{\"id\":2}}\n",
    );
    let report = run(lines);
    let mistakes: Vec<_> =
        report.trace_errors.iter().map(|group| (group.mistake, group.count, group.first.call)).collect();
    assert_eq!(
        mistakes,
        [
            (TraceMistake::UnknownObject, 2, 1),
            (TraceMistake::WrongKind, 2, 5),
            (TraceMistake::UnknownHeap, 1, 2),
            (TraceMistake::NumberInUse, 1, 7),
        ]
    );
    assert_eq!(report.skipped.object_missing, 1, "Map of what could not be placed");
    assert_eq!(report.end.total, Usage::default());
    assert_eq!((report.refused_count(), report.stopped.clone()), (0, None));

    let strict = run_with(lines, ReplayOptions { strict: true, ..ReplayOptions::default() });
    let stop = strict.stopped.unwrap();
    assert_eq!((strict.calls.total, stop.first.position.line), (1, 2));
    assert_eq!(stop.first.text, "{\"destroy\":{\"id\":9}}");
}

#[test]
fn a_heap_lives_until_its_last_resource() {
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":65536}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"width\":65536}}\n",
        "{\"destroy\":{\"id\":1}}\n",
        "{\"create_committed_resource\":{\"id\":3,\"width\":65536}}\n",
        "{\"destroy\":{\"id\":2}}\n",
    ));
    assert_eq!(report.placement.heaps_outlived, 1);
    assert_eq!(report.peak.total.committed, 131_072);
    assert_eq!(report.end.total.committed, 65_536);
}

#[test]
fn requests_go_first_fit_into_compatible_heaps() {
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":131072,\"type\":\"UPLOAD\"}}\n",
        "{\"create_heap\":{\"id\":2,\"size\":131072,\"flags\":\"DENY_BUFFERS\"}}\n",
        "{\"create_heap\":{\"id\":3,\"size\":131072,\"type\":\"CUSTOM\",\"cpu_page_property\":\"WRITE_BACK\",\"memory_pool\":\"L0\"}}\n",
        "{\"create_heap\":{\"id\":4,\"size\":131072}}\n",
        // Into the heap made for it, though another of its type is free.
        "{\"request_resource\":{\"id\":10,\"width\":65536,\"made_heap\":3}}\n",
        // Its own type before CUSTOM; not where buffers are denied, nor another type.
        "{\"request_resource\":{\"id\":11,\"width\":131072}}\n",
        // CUSTOM takes what its own type has no room for.
        "{\"request_resource\":{\"id\":12,\"width\":65536}}\n",
        // No room anywhere: committed.
        "{\"request_resource\":{\"id\":13,\"width\":65536}}\n",
        // A freed place is used again.
        "{\"destroy\":{\"id\":11}}\n",
        "{\"request_resource\":{\"id\":14,\"width\":100}}\n",
        // As recorded.
        "{\"request_resource\":{\"id\":15,\"heap_type\":\"UPLOAD\",\"width\":65536,\"state\":\"GENERIC_READ\",\"heap\":1,\"offset\":65536}}\n",
    ));
    assert_eq!(report.refused_count() + report.trace_error_count(), 0, "{:?}", report.refused);
    let placement = &report.placement;
    assert_eq!((placement.first_fit, placement.in_made_heap, placement.as_recorded), (4, 1, 1));
    assert_eq!((placement.committed_instead, placement.committed_instead_bytes), (1, 65_536));
    assert_eq!(placement.first_committed_instead.unwrap().0, 13);
    let row = |heap_type| report.end.by_type.iter().find(|row| row.heap_type == heap_type).unwrap().usage;
    assert_eq!(row(HeapType::Custom).placed_resources, 2);
    assert_eq!(row(HeapType::Upload).waste.heap_free, 65_536, "a hole before the resource at 64 KiB");
    assert_adds_up(&report.peak);
    assert_adds_up(&report.end);
}

#[test]
fn committed_and_pooled_placements_do_not_need_the_heaps() {
    let committed = replay_text(SCENE, "discrete-8g", with(Placement::Committed));
    assert_eq!(committed.refused_count() + committed.trace_error_count(), 0, "{:?}", committed.refused);
    assert_eq!((committed.peak.total.heaps, committed.peak.total.placed_resources), (0, 0));
    assert_adds_up(&committed.peak);
    let pooled = replay_text(SCENE, "discrete-8g", with(Placement::Pooled { heap_size: 8 << 20 }));
    assert_eq!(pooled.refused_count() + pooled.trace_error_count(), 0, "{:?}", pooled.refused);
    assert_eq!(pooled.peak.total.committed_resources, 0);
    assert!(pooled.placement.pool_heaps_of_one >= 3, "the targets of 1920 x 1080: {:?}", pooled.placement);
    assert_adds_up(&pooled.peak);
    assert_adds_up(&pooled.end);
    // Nothing to refuse on tier 1: a pool's heap holds one kind.
    let tier1 = replay_text(SCENE, "discrete-tier1-2g", with(Placement::Pooled { heap_size: 8 << 20 }));
    assert_eq!(tier1.refused_count(), 0, "{:?}", tier1.refused);
}

#[test]
fn pools_give_empty_heaps_back() {
    let report = run_with(
        concat!(
            "{\"create_committed_resource\":{\"id\":1,\"width\":65536}}\n",
            "{\"create_committed_resource\":{\"id\":2,\"width\":65536}}\n",
            "{\"create_committed_resource\":{\"id\":3,\"width\":200000}}\n",
            "{\"destroy\":{\"id\":1}}\n",
            "{\"create_committed_resource\":{\"id\":4,\"width\":1}}\n",
            "{\"destroy\":{\"id\":2}}\n",
            "{\"destroy\":{\"id\":4}}\n",
        ),
        with(Placement::Pooled { heap_size: 131_072 }),
    );
    // Two of 64 KiB share a heap; 200000 bytes get one of 256 KiB; 1 byte goes where the first one was.
    assert_eq!((report.placement.pool_heaps, report.placement.pool_heaps_of_one), (2, 1));
    assert_eq!(report.peak.total.committed, 131_072 + 262_144);
    assert_eq!(report.end.total.committed, 262_144);
    assert_eq!(report.placement.pooled, 4);
}

#[test]
fn refused_calls_are_grouped_and_memory_failures_beside_them() {
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":65536,\"alignment\":4096}}\n",
        "{\"create_heap\":{\"id\":2,\"size\":65536,\"alignment\":131072}}\n",
        "{\"create_placed_resource\":{\"id\":3,\"heap\":2,\"width\":1}}\n",
        "{\"create_heap\":{\"id\":4,\"size\":1099511627776}}\n",
        "{\"destroy\":{\"id\":1}}\n",
    ));
    let [group] = &report.refused[..] else { panic!("{:?}", report.refused) };
    assert_eq!((group.count, group.first.position.line, group.first.call), (2, 2, 1));
    assert_eq!(group.first.text, "{\"create_heap\":{\"id\":1,\"size\":65536,\"alignment\":4096}}");
    assert!(group.given.contains("4096") || group.given.contains("4 KiB"), "{group:?}");
    let [failed] = &report.failed[..] else { panic!("{:?}", report.failed) };
    assert_eq!((failed.failure, failed.count, failed.first.call), (Failure::VideoMemory, 1, 4));
    assert_eq!(report.skipped.heap_missing, 1);
    assert_eq!(report.outcomes.refused_here, 3);
    assert_eq!(report.trace_error_count(), 0);
}

#[test]
fn a_call_that_was_refused_when_recorded_leaves_nothing_behind() {
    let report = run(concat!(
        "{\"create_heap\":{\"id\":1,\"size\":65536,\"refused\":\"heap.flags.tier1\"}}\n",
        "{\"create_heap\":{\"id\":2,\"size\":65536,\"alignment\":4096,\"refused\":\"heap.alignment\"}}\n",
        "{\"create_committed_resource\":{\"id\":3,\"width\":1,\"failed\":\"no memory\"}}\n",
    ));
    assert_eq!((report.outcomes.accepted_here, report.outcomes.refused_here), (2, 0));
    assert_eq!(report.refused_count(), 1);
    assert_eq!(report.end.total, Usage::default());
}

#[test]
fn budgets_are_watched() {
    // discrete-8g: 7.6 GiB of budget; twelve heaps of 512 MiB stay below, twenty do not fit in video memory.
    let mut lines = String::new();
    for id in 1..=20 {
        lines += &format!("{{\"create_heap\":{{\"id\":{id},\"size\":536870912}}}}\n");
    }
    let report = run(&lines);
    let local = &report.budgets[0];
    assert!(local.budget > 6 << 30 && local.budget < 8 << 30, "{local:?}");
    let exceeded = local.exceeded.unwrap();
    assert_eq!(exceeded.bytes, (local.budget / 536_870_912 + 1) * 536_870_912);
    assert_eq!(exceeded.call, local.budget / 536_870_912 + 1);
    let demoted_or_failed = report.demoted.heaps + report.failed_count();
    assert!(demoted_or_failed >= 4, "16 heaps are all of 8 GiB: {:?} {:?}", report.demoted, report.failed);
}

#[test]
fn tight_alignment_needs_less_and_refuses_nothing() {
    let options = with(Placement::Committed);
    let trace = read_trace(SCENE.as_bytes(), "scene").unwrap();
    let report = replay(trace, tight_plan("discrete-8g", options), |_| {}).unwrap();
    let tight = report.tight.unwrap();
    assert_eq!((tight.sdk, tight.sdk_raised, tight.tier_switched_on), (SdkVersion::LATEST, false, false));
    assert_eq!(tight.report.refused_count(), 0, "{:?}", tight.report.refused);
    // Three committed buffers below 64 KiB, and two placed ones that are committed here, of 4 KiB pages.
    let small = |usage: &Usage| usage.waste.small_committed;
    assert!(small(&tight.report.peak.total) < small(&report.peak.total));
    assert_adds_up(&tight.report.peak);

    let older = tight_device(
        &profile("discrete-tier1-2g"),
        SdkVersion::V606,
        &SoftDriverFactory::default(),
        Backing::Phantom,
    )
    .unwrap();
    assert!(older.sdk_raised && older.tier_switched_on);
    assert_eq!(older.device.sdk(), SdkVersion::LATEST);
    let kept = tight_device(
        &profile("discrete-8g"),
        SdkVersion::V618,
        &SoftDriverFactory::default(),
        Backing::Phantom,
    )
    .unwrap();
    assert!(!kept.sdk_raised && !kept.tier_switched_on);
    assert_eq!(kept.device.sdk(), SdkVersion::V618);
}

#[test]
fn the_largest_resources_are_named() {
    let report = replay_text(SCENE, "discrete-8g", ReplayOptions { largest: 3, ..ReplayOptions::default() });
    let [first, second, third] = &report.largest[..] else { panic!("{:?}", report.largest) };
    assert_eq!(first.name.as_deref(), Some("terrain, virtual"));
    // 1920 x 1080 texels of 4 samples of 4 bytes.
    assert_eq!((second.asked, third.asked), (33_177_600, 33_177_600));
    assert!(first.size >= second.size && second.size >= third.size);
    assert!(second.text.contains("sample_count") && second.position.line > 0);
}

#[test]
fn generated_traces_run_without_refusal_on_every_profile() {
    for name in heapstone_spec::Profile::builtin_names() {
        let (_, calls) = generate(GenerateOptions { seed: 5, calls: 4000, live: 300 });
        let mut replayer = Replayer::new(device(name), ReplayOptions::default());
        for record in calls {
            assert!(replayer.step(&record).is_continue());
        }
        let report = replayer.finish();
        assert_eq!(
            (report.refused_count(), report.trace_error_count()),
            (0, 0),
            "{name}: {:?}",
            report.refused
        );
        assert_eq!(report.failed_count(), 0, "{name}: {:?}", report.failed);
        assert_adds_up(&report.peak);
        assert_adds_up(&report.end);
    }
}

#[test]
fn memory_grows_with_what_lives_not_with_the_calls() {
    let live_after = |calls: u64, placement| {
        let (_, calls) = generate(GenerateOptions { seed: 11, calls, live: 500 });
        let mut replayer = Replayer::new(device("discrete-8g"), with(placement));
        let mut most = 0;
        for record in calls {
            assert!(replayer.step(&record).is_continue());
            most = most.max(replayer.live_objects() + replayer.heap_slots());
        }
        most
    };
    for placement in [Placement::Recorded, Placement::Committed, Placement::Pooled { heap_size: 4 << 20 }] {
        let (few, many) = (live_after(10_000, placement), live_after(100_000, placement));
        // 500 resources, and some heaps: ten times the calls, no tenth more to hold.
        assert!(few >= 500 && many < few + few / 10, "{placement}: {few} then {many}");
    }
}

#[test]
fn a_whole_file_gives_what_single_steps_give() {
    let (header, calls) = generate(GenerateOptions { seed: 21, calls: 5000, live: 400 });
    let mut writer = TraceWriter::new(Vec::new(), &header).unwrap();
    let mut replayer = Replayer::new(device("discrete-8g"), ReplayOptions::default());
    for record in calls {
        writer.write(&record).unwrap();
        assert!(replayer.step(&record).is_continue());
    }
    let stepped = replayer.finish();
    let text = writer.into_inner().unwrap();
    let mut progress = Vec::new();
    let trace = read_trace(&text[..], "generated").unwrap();
    let read =
        replay(trace, plan("discrete-8g", ReplayOptions::default()), |calls| progress.push(calls)).unwrap();
    assert_eq!((read.calls, read.asked, read.peak.total), (stepped.calls, stepped.asked, stepped.peak.total));
    assert_eq!((read.end.total, read.alignment_cost), (stepped.end.total, stepped.alignment_cost));
    assert_eq!(progress.last(), Some(&5000));
    assert!(progress.is_sorted());
}

#[test]
fn an_unreadable_end_is_an_error_with_its_place() {
    let text = format!("{HEADER}{{\"create_heap\":{{\"id\":1,\"size\":65536}}}}\n{{\"destr");
    let trace = read_trace(text.as_bytes(), "cut.jsonl").unwrap();
    let error = replay(trace, plan("discrete-8g", ReplayOptions::default()), |_| {}).unwrap_err();
    assert_eq!(error.position.unwrap().line, 3);
}

#[test]
fn a_report_is_plain_data() {
    let report = replay_text(SCENE, "discrete-tier1-2g", ReplayOptions::default());
    let json: serde_json::Value = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(json["refused"][0]["rule"], "heap.flags.tier1");
    assert_eq!(json["peak"]["total"]["committed"], report.peak.total.committed);
    assert_eq!(json["peak"]["by_type"][0]["heap_type"], "DEFAULT");
    assert_eq!(json["options"]["placement"], "recorded");
}

/// Lines that create what lives already, and are refused: of every placement the same answer.
#[test]
fn a_number_in_use_is_a_mistake_wherever_its_object_lay() {
    let lines = concat!(
        "{\"create_committed_resource\":{\"id\":1,\"width\":1}}\n",
        "{\"create_committed_resource\":{\"id\":1,\"width\":1,\"state\":\"DEPTH_WRITE\"}}\n",
    );
    for placement in [
        Placement::Recorded,
        Placement::Committed,
        // Room for both: the pool's heap would go with the first.
        Placement::Pooled { heap_size: 131_072 },
    ] {
        let report = run_with(lines, with(placement));
        assert_eq!((report.refused_count(), report.trace_error_count()), (1, 1), "{placement}");
        assert_eq!(report.trace_errors[0].mistake, TraceMistake::NumberInUse);
        assert_eq!(report.end.total, Usage::default(), "{placement}");
    }
}

/// What was refused when it was recorded never had its number.
#[test]
fn the_number_of_a_refused_call_is_free() {
    let heap = concat!(
        "{\"create_heap\":{\"id\":1,\"size\":65536,\"alignment\":4096,\"refused\":\"heap.alignment\"}}\n",
        "{\"create_heap\":{\"id\":1,\"size\":65536}}\n",
    );
    for placement in [Placement::Recorded, Placement::Committed, Placement::Pooled { heap_size: 65_536 }] {
        assert_eq!(run_with(heap, with(placement)).trace_error_count(), 0, "{placement}");
    }
    // The heap is refused on heap tier 1.
    let ghost = concat!(
        "{\"create_heap\":{\"id\":1,\"size\":65536}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"offset\":1,\"width\":1,",
        "\"refused\":\"placement.offset.alignment\"}}\n",
        "{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"width\":1}}\n",
        "{\"request_resource\":{\"id\":3,\"heap\":1,\"width\":1,\"refused\":\"a.rule\"}}\n",
        "{\"request_resource\":{\"id\":3,\"made_heap\":1,\"width\":1,\"refused\":\"a.rule\"}}\n",
        "{\"request_resource\":{\"id\":3,\"heap\":1,\"width\":1}}\n",
    );
    let report = replay_text(&format!("{HEADER}{ghost}"), "discrete-tier1-2g", ReplayOptions::default());
    assert_eq!((report.refused_count(), report.trace_error_count()), (1, 0));
    assert_eq!(report.skipped.heap_missing, 2);
}

/// A recorded refusal that is none here is undone, and one that is one here leaves all as it was.
#[test]
fn maps_and_unmaps_that_were_refused_change_nothing() {
    let lines = concat!(
        "{\"create_committed_resource\":{\"id\":1,\"width\":1,\"heap_type\":\"UPLOAD\",\"state\":\"GENERIC_READ\"}}\n",
        "{\"map\":{\"id\":1}}\n",
        "{\"unmap\":{\"id\":1,\"refused\":\"a.rule\"}}\n",
        "{\"unmap\":{\"id\":1}}\n",
        "{\"map\":{\"id\":1,\"failed\":\"device_removed\"}}\n",
        "{\"map\":{\"id\":1}}\n",
        "{\"map\":{\"id\":1,\"subresource\":9,\"refused\":\"a.rule\"}}\n",
        "{\"unmap\":{\"id\":1}}\n",
    );
    let report = run(lines);
    assert_eq!(report.outcomes.accepted_here, 2);
    assert_eq!((report.refused_count(), report.outcomes.refused_here), (1, 0), "{:?}", report.refused);
}

/// What stands behind the call that strict replay stops at is not judged, however far it was read.
#[test]
fn strict_replay_judges_nothing_behind_its_stop() {
    let refused = "{\"create_heap\":{\"id\":1,\"size\":65536,\"alignment\":4096}}\n";
    let fine = "{\"create_committed_resource\":{\"id\":2,\"width\":1}}\n{\"destroy\":{\"id\":2}}\n";
    let strict = ReplayOptions { strict: true, ..ReplayOptions::default() };
    // In the batch of the stop, and in later ones.
    for between in [0, 1, 63, 64, 200, 1000] {
        let text = format!("{HEADER}{refused}{}garbage\n", fine.repeat(between));
        for tight in [false, true] {
            let plan = if tight { tight_plan("discrete-8g", strict) } else { plan("discrete-8g", strict) };
            let report = replay(read_trace(text.as_bytes(), "text").unwrap(), plan, |_| {}).unwrap();
            assert_eq!((report.calls.total, report.refused_count()), (1, 1), "{between}");
            assert!(report.stopped.is_some() && report.tight.is_none());
        }
        let lenient = read_trace(text.as_bytes(), "text").unwrap();
        let error = replay(lenient, plan("discrete-8g", ReplayOptions::default()), |_| {}).unwrap_err();
        assert_eq!(error.position.unwrap().line, 3 + 2 * between as u64);
        // Nor is a stop missed that the same batch has before the garbage.
        let late = format!("{HEADER}{}{refused}garbage\n", fine.repeat(between));
        let report =
            replay(read_trace(late.as_bytes(), "text").unwrap(), plan("discrete-8g", strict), |_| {});
        assert_eq!(report.unwrap().calls.total, 1 + 2 * between as u64);
    }
}
