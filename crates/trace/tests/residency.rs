//! Residency in traces: carried out on the device, counted, and written down for a simulation.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use heapstone::ResidencyPriority;
use heapstone_trace::report::{Report, ResidencyCallUse};
use heapstone_trace::{
    LapsOptions, MakeResident, MemoryEvent, Placement, Record, ReplayOptions, Replayer, TraceReader,
    TraceWriter, generate_laps,
};

const MIB: u64 = 1 << 20;

/// A heap, a buffer of its own heap in video memory, one in system memory; MakeResident and Evict of them.
const CALLS: &str = r#"{"heapstone_trace":{"version":3}}
{"create_heap":{"id":1,"size":4194304}}
{"create_committed_resource":{"id":2,"width":1048576}}
{"create_committed_resource":{"id":3,"heap_type":"UPLOAD","width":1048576,"state":"GENERIC_READ"}}
{"create_heap":{"id":4,"size":2097152,"flags":"CREATE_NOT_RESIDENT"}}
{"create_fence":{"id":5}}
{"evict":{"objects":[1,2,3]}}
{"make_resident":{"objects":[1,4]}}
{"enqueue_make_resident":{"flags":"DENY_OVERBUDGET","objects":[2],"fence":5,"value":1}}
{"set_residency_priority":{"objects":[[2,1342177280]]}}
{"set_budget":{"group":"LOCAL","budget":3145728}}
{"create_placed_resource":{"id":6,"heap":1,"width":65536}}
"#;

fn records(text: &str) -> Vec<Record> {
    TraceReader::new(text.as_bytes(), "t").unwrap().map(Result::unwrap).collect()
}

fn replayer(text: &str, placement: Placement) -> Replayer {
    let mut replayer =
        Replayer::new(common::device("discrete-8g"), ReplayOptions { placement, ..ReplayOptions::default() });
    replayer.keep_memory_log();
    assert!(replayer.steps(&records(text)).is_continue());
    replayer
}

fn used(report: &Report) -> Vec<(&'static str, u64, u64)> {
    let calls = &report.residency.as_ref().unwrap().calls;
    calls.iter().map(|ResidencyCallUse { call, count, refused }| (*call, *count, *refused)).collect()
}

#[test]
fn calls_are_carried_out_counted_and_written_down() {
    let mut replayer = replayer(CALLS, Placement::Recorded);
    let log = replayer.take_memory_log().unwrap();
    let report = replayer.finish();
    assert_eq!((report.refused_count(), report.failed_count(), report.trace_error_count()), (0, 0, 0));
    assert_eq!(
        used(&report),
        [
            ("make_resident", 1, 0),
            ("enqueue_make_resident", 1, 0),
            ("evict", 1, 0),
            ("set_residency_priority", 1, 0),
            ("set_budget", 1, 0)
        ]
    );
    assert_eq!((report.calls.residency, report.calls.gpu), (5, 1));
    assert_eq!(report.residency.unwrap().objects_left_out, 0);

    // The upload buffer lies in system memory: no budget of video memory holds it. Without GPU work each creation of a
    // resource is a step; what came after the buffer's is before the placed resource's.
    assert_eq!(log.heap_bytes, [4 * MIB, MIB, 2 * MIB]);
    let events: Vec<MemoryEvent> = log.steps.into_iter().flat_map(|step| step.events).collect();
    let waits = MakeResident { waits: true, denies_over_budget: false };
    let denies = MakeResident { waits: false, denies_over_budget: true };
    assert_eq!(
        events,
        [
            MemoryEvent::Created { heap: 0, is_resident: true },
            MemoryEvent::Created { heap: 1, is_resident: true },
            MemoryEvent::Created { heap: 2, is_resident: false },
            MemoryEvent::Evict([0, 1].into()),
            MemoryEvent::MakeResident([0, 2].into(), waits),
            MemoryEvent::MakeResident([1].into(), denies),
            MemoryEvent::Priority([1].into(), ResidencyPriority::LOW),
            MemoryEvent::Budget(Some(3 * MIB)),
        ]
    );
}

#[test]
fn what_a_placement_does_not_make_is_left_out() {
    for (placement, left_out, uses) in [
        // The trace's heaps are not made: 1 is named twice, 4 once.
        (Placement::Committed, 3, [("make_resident", 1, 0), ("evict", 1, 0)]),
        // Nor have resources heaps of their own: 2 is named three times, 3 once.
        (Placement::Pooled { heap_size: 4 * MIB }, 7, [("make_resident", 1, 0), ("evict", 1, 0)]),
    ] {
        let report = replayer(CALLS, placement).finish();
        assert_eq!((report.refused_count(), report.trace_error_count()), (0, 0), "{placement}");
        assert_eq!(report.residency.as_ref().unwrap().objects_left_out, left_out, "{placement}");
        let used = used(&report);
        assert!(uses.iter().all(|one| used.contains(one)), "{placement}: {used:?}");
    }
}

#[test]
fn what_residency_calls_do_wrong_is_reported() {
    let wrong = r#"{"heapstone_trace":{"version":3}}
{"create_heap":{"id":1,"size":4194304}}
{"create_placed_resource":{"id":2,"heap":1,"width":65536}}
{"create_fence":{"id":3}}
{"evict":{"objects":[1]}}
{"evict":{"objects":[1]}}
{"evict":{"objects":[1],"refused":"residency.evict"}}
{"make_resident":{"objects":[2]}}
{"make_resident":{"objects":[9]}}
{"make_resident":{"objects":[3]}}
{"set_residency_priority":{"objects":[[1,0]]}}
{"set_video_memory_reservation":{"group":"LOCAL","reservation":9223372036854775808}}
{"enqueue_make_resident":{"objects":[1],"fence":1,"value":1}}
"#;
    let report = replayer(wrong, Placement::Recorded).finish();
    let rules: Vec<(&str, u64)> = report.refused.iter().map(|group| (group.rule, group.count)).collect();
    assert_eq!(
        rules,
        [
            ("residency.evict", 2),
            ("residency.pageable", 1),
            ("residency.priority", 1),
            ("query.reservation", 1)
        ]
    );
    // The one that was refused when it was recorded is no change.
    assert_eq!(report.outcomes.refused_here, 4);
    // An object that there is not; fences have no memory; a heap is no fence.
    assert_eq!(report.trace_error_count(), 3);
}

/// What the program was refused and is accepted here is taken back: else it would stay resident once more than it knows.
#[test]
fn a_call_that_is_accepted_here_only_is_taken_back() {
    let calls = r#"{"heapstone_trace":{"version":3}}
{"create_heap":{"id":1,"size":4194304}}
{"make_resident":{"objects":[1],"failed":"no memory"}}
{"evict":{"objects":[1]}}
{"evict":{"objects":[1]}}
{"make_resident":{"objects":[1]}}
{"evict":{"objects":[1],"refused":"residency.evict"}}
{"evict":{"objects":[1]}}
"#;
    let report = replayer(calls, Placement::Recorded).finish();
    assert_eq!(report.outcomes.accepted_here, 2);
    assert_eq!(used(&report), [("make_resident", 2, 0), ("evict", 4, 1)]);
    assert_eq!(report.refused[0].at[0].line, 5);
}

#[test]
fn the_example_is_what_the_generator_writes_and_replays_everywhere() {
    let example = include_str!("../../../examples/workloads/laps.jsonl");
    let (header, calls) = generate_laps(LapsOptions { seed: 1, calls: 900, cells: 12 });
    let mut writer = TraceWriter::new(Vec::new(), &header).unwrap();
    calls.for_each(|call| writer.write(&call).unwrap());
    assert!(String::from_utf8(writer.into_inner().unwrap()).unwrap() == example);
    for profile in ["discrete-8g", "discrete-tier1-2g", "integrated-uma"] {
        let mut replayer = Replayer::new(common::device(profile), ReplayOptions::default());
        assert!(replayer.steps(&records(example)).is_continue());
        let report = replayer.finish();
        let wrong = report.refused_count() + report.failed_count() + report.trace_error_count();
        assert_eq!((wrong, report.gpu.unwrap().removed), (0, None), "{profile}");
        assert!(report.residency.unwrap().bytes_paged_in > 0, "{profile}");
    }
    // Where the interiors' heaps are not made, what lies in them is resident elsewhere.
    for placement in [Placement::Committed, Placement::Pooled { heap_size: 64 * MIB }] {
        let report = replayer(example, placement).finish();
        let wrong = report.refused_count() + report.failed_count() + report.trace_error_count();
        assert_eq!((wrong, report.gpu.unwrap().removed), (0, None), "{placement}");
        // Three visits of an interior each way; pools hold the target too, whose priority is set once.
        let left_out = if placement == Placement::Committed { 6 } else { 7 };
        assert_eq!(report.residency.unwrap().objects_left_out, left_out, "{placement}");
    }
}

/// Tiles have no other place than their heap, which is made when they are mapped, and is resident.
#[test]
fn a_heap_of_tiles_is_resident_where_it_is_made_late() {
    let calls = r#"{"heapstone_trace":{"version":3}}
{"create_command_queue":{"id":1,"type":"DIRECT"}}
{"create_heap":{"id":2,"size":1048576,"flags":"DENY_RT_DS_TEXTURES | DENY_NON_RT_DS_TEXTURES | CREATE_NOT_RESIDENT"}}
{"create_reserved_resource":{"id":3,"width":65536}}
{"create_committed_resource":{"id":4,"width":65536}}
{"make_resident":{"objects":[2]}}
{"make_resident":{"objects":[2]}}
{"update_tile_mappings":{"id":1,"resource":3,"heap":2,"range_flags":["NONE"],"heap_range_start_offsets":[0],"range_tile_counts":[1]}}
{"evict":{"objects":[2]}}
{"create_command_allocator":{"id":5,"type":"DIRECT"}}
{"create_command_list":{"id":6,"type":"DIRECT","allocator":5}}
{"copy_buffer_region":{"id":6,"destination":4,"source":3,"size":65536}}
{"close_command_list":{"id":6}}
{"execute_command_lists":{"id":1,"lists":[6]}}
{"create_heap":{"id":7,"size":65536}}
"#;
    for (placement, left_out) in [(Placement::Recorded, 0), (Placement::Committed, 3)] {
        let report = replayer(calls, placement).finish();
        let wrong = report.refused_count() + report.failed_count() + report.trace_error_count();
        assert_eq!((wrong, report.gpu.unwrap().removed), (0, None), "{placement}");
        assert_eq!(report.residency.unwrap().objects_left_out, left_out, "{placement}");
    }
}
