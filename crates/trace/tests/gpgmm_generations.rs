//! Two traces written by hand, one for each way in which GPGMM tells of heaps, and what is made of them
//! without any data beside the repository.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use common::plan;
use heapstone_spec::{HeapDesc, HeapProperties, HeapType, ResourceDesc, ResourceStates};
use heapstone_trace::report::{Report, Usage};
use heapstone_trace::{Call, ReplayOptions, ResourceArguments, Trace, TraceId, read_trace, replay};

/// A description in an event of its own, before the heap begins.
const HEAP_EVENTS: &str = include_str!("golden/gpgmm-heap-events.json");
/// The description in a snapshot of the heap, the heap's type under the key SizeInBytes, and the
/// resource's place in a snapshot of the allocation.
const HEAP_SNAPSHOTS: &str = include_str!("golden/gpgmm-heap-snapshots.json");

fn read(text: &str) -> Trace<&[u8]> {
    read_trace(text.as_bytes(), "by hand").unwrap()
}

fn calls(text: &str) -> Vec<(u64, Call)> {
    read(text)
        .map(|record| {
            let record = record.unwrap();
            (record.timestamp_us.unwrap(), record.call)
        })
        .collect()
}

fn replayed(text: &str) -> Report {
    replay(read(text), plan("discrete-8g", ReplayOptions::default()), |_| {}).unwrap()
}

fn buffer(width: u64, state: ResourceStates) -> ResourceArguments {
    ResourceArguments::new(ResourceDesc::buffer(width)).with_state(state)
}

#[test]
fn heaps_described_by_events() {
    let properties = HeapProperties {
        creation_node_mask: 1,
        visible_node_mask: 1,
        ..HeapProperties::new(HeapType::Upload)
    };
    let heap = HeapDesc { properties, alignment: 65_536, ..HeapDesc::new(1 << 20, HeapType::Upload) };
    let request = |id, width, made_heap| Call::RequestResource {
        id: TraceId(id),
        heap_type: HeapType::Upload,
        resource: buffer(width, ResourceStates::GENERIC_READ),
        place: None,
        made_heap,
    };
    let want = [
        (21, Call::CreateHeap { id: TraceId(1), desc: heap }),
        (22, Call::SetName { id: TraceId(1), name: "uploads".into() }),
        (30, request(2, 1000, Some(TraceId(1)))),
        (41, request(3, 70_000, None)),
        (50, Call::Destroy { id: TraceId(2) }),
        (51, Call::Destroy { id: TraceId(3) }),
        (60, Call::Destroy { id: TraceId(1) }),
    ];
    assert_eq!(calls(HEAP_EVENTS), want);

    let report = replayed(HEAP_EVENTS);
    let notes = report.import.as_ref().unwrap();
    assert_eq!((notes.events, notes.memory_events, notes.heaps, notes.resources), (11, 10, 1, 2));
    assert_eq!((report.refused_count(), report.failed_count(), report.trace_error_count()), (0, 0, 0));
    assert_eq!((report.placement.in_made_heap, report.placement.first_fit), (1, 2));
    // 1000 and 70000 bytes take 64 KiB and 128 KiB of the 1 MiB.
    let peak = &report.peak.total;
    assert_eq!((peak.committed, peak.taken, peak.asked), (1_048_576, 196_608, 71_000));
    assert_eq!(report.end.total, Usage::default());
}

#[test]
fn heaps_described_by_snapshots() {
    let heap = HeapDesc { alignment: 65_536, ..HeapDesc::new(262_144, HeapType::Readback) };
    let want = [
        // Described one microsecond after it began.
        (6, Call::CreateHeap { id: TraceId(1), desc: heap }),
        (
            8,
            Call::RequestResource {
                id: TraceId(2),
                // 0 in the file: as the state asks.
                heap_type: HeapType::Readback,
                resource: buffer(300, ResourceStates::COPY_DEST),
                place: Some((TraceId(1), 131_072)),
                made_heap: Some(TraceId(1)),
            },
        ),
        (14, Call::Destroy { id: TraceId(2) }),
        (16, Call::Destroy { id: TraceId(1) }),
    ];
    assert_eq!(calls(HEAP_SNAPSHOTS), want);

    let report = replayed(HEAP_SNAPSHOTS);
    let notes = report.import.as_ref().unwrap();
    assert_eq!((notes.events, notes.heaps, notes.resources_with_place), (9, 2, 1));
    assert_eq!(notes.heaps_without_description, 1, "nothing tells what the heap at 0x11 is");
    assert_eq!((report.refused_count(), report.failed_count(), report.trace_error_count()), (0, 0, 0));
    assert_eq!(report.placement.as_recorded, 1);
    // Behind the resource at 128 KiB are 64 KiB of tail, before it 128 KiB of hole.
    let peak = &report.peak.total;
    assert_eq!((peak.committed, peak.waste.heap_free, peak.waste.heap_tail), (262_144, 131_072, 65_536));
    assert_eq!(report.end.total, Usage::default());
}

/// A heap that is described as empty is refused: it is not one without a description.
#[test]
fn a_described_heap_of_size_0_is_refused() {
    for text in [HEAP_EVENTS.replace("1048576", "0"), HEAP_SNAPSHOTS.replace("262144", "0")] {
        let report = replayed(&text);
        let [group] = &report.refused[..] else { panic!("one rule: {:?}", report.refused) };
        assert_eq!((group.rule, group.count), ("heap.size.zero", 1));
        let undescribed = report.import.as_ref().unwrap().heaps_without_description;
        assert_eq!(undescribed, u64::from(text.contains("0x11")));
    }
}
