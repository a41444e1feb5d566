//! Whatever a trace says, the replay goes on and its books balance.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use common::device;
use heapstone::{InitialState, MapPointer};
use heapstone_spec::{
    Format, HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc, ResourceFlags, ResourceStates,
};
use heapstone_trace::report::{Moment, Report};
use heapstone_trace::{
    Call, Placement, Record, RecordedOutcome, ReplayOptions, Replayer, ResourceArguments, TraceId,
};
use proptest::prelude::*;

/// So few numbers that each is taken again and again.
const IDS: core::ops::Range<u64> = 1..4;

fn ids() -> impl Strategy<Value = TraceId> {
    IDS.prop_map(TraceId)
}

fn sizes() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![
        0,
        1,
        100,
        4096,
        65_536,
        65_537,
        131_072,
        1 << 20,
        4 << 20,
        1 << 40,
        1 << 63,
        u64::MAX,
    ])
}

fn heap_types() -> impl Strategy<Value = HeapType> {
    // Mostly one, so that resources meet in a pool.
    prop_oneof![3 => Just(HeapType::Default), 1 => prop::sample::select(HeapType::ALL)]
}

fn heap_flags() -> impl Strategy<Value = HeapFlags> {
    let any = prop::sample::select(vec![
        HeapFlags::empty(),
        HeapFlags::ALLOW_ONLY_BUFFERS,
        HeapFlags::DENY_BUFFERS,
        HeapFlags::DENY_ALL,
        HeapFlags::SHARED,
        HeapFlags::ALLOW_DISPLAY,
    ]);
    prop_oneof![2 => Just(HeapFlags::empty()), 1 => any]
}

fn resources() -> impl Strategy<Value = ResourceArguments> {
    let flags = prop::sample::select(vec![
        ResourceFlags::empty(),
        ResourceFlags::empty(),
        ResourceFlags::empty(),
        ResourceFlags::USE_TIGHT_ALIGNMENT,
        ResourceFlags::ALLOW_RENDER_TARGET,
        ResourceFlags::ALLOW_CROSS_ADAPTER,
    ]);
    let desc = prop_oneof![
        sizes().prop_map(ResourceDesc::buffer),
        (1_u64..300, 1_u32..300, 0_u16..5).prop_map(|(w, h, mips)| ResourceDesc::texture_2d(
            Format::R8G8B8A8_UNORM,
            w,
            h
        )
        .with_mip_levels(mips)),
        (1_u64..100, 1_u32..100)
            .prop_map(|(w, h)| ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, w, h).with_samples(4)),
    ];
    let alignment = prop::sample::select(vec![0, 0, 0, 8, 4096, 65_536, 4 << 20]);
    // States that a heap type or a kind of resource refuses: sizes are known, and the creation is refused.
    let state = prop::sample::select(vec![
        ResourceStates::COMMON,
        ResourceStates::COMMON,
        ResourceStates::GENERIC_READ,
        ResourceStates::DEPTH_WRITE,
    ]);
    (desc, flags, alignment, state).prop_map(|(desc, flags, alignment, state)| {
        let desc = desc.with_flags(flags).with_alignment(alignment);
        ResourceArguments { initial: InitialState::State(state), ..ResourceArguments::new(desc) }
    })
}

fn calls() -> impl Strategy<Value = Call> {
    let offsets = prop::sample::select(vec![0, 1, 4096, 65_536, 131_072, 1 << 20, u64::MAX]);
    prop_oneof![
        3 => (ids(), sizes(), heap_types(), heap_flags(), prop::sample::select(vec![0, 65_536, 4 << 20, 3]))
            .prop_map(|(id, size, heap_type, flags, alignment)| Call::CreateHeap {
                id,
                desc: HeapDesc::new(size, heap_type).with_flags(flags).with_alignment(alignment),
            }),
        2 => (ids(), heap_types(), heap_flags(), resources()).prop_map(|(id, heap_type, heap_flags, resource)| {
            let heap_properties = HeapProperties::new(heap_type);
            Call::CreateCommittedResource { id, heap_properties, heap_flags, resource }
        }),
        5 => (ids(), ids(), offsets.clone(), resources())
            .prop_map(|(id, heap, offset, resource)| Call::CreatePlacedResource { id, heap, offset, resource }),
        1 => (ids(), resources()).prop_map(|(id, resource)| Call::CreateReservedResource { id, resource }),
        4 => (
            ids(),
            heap_types(),
            resources(),
            prop::option::weighted(0.3, (ids(), offsets)),
            prop::option::of(ids())
        )
            .prop_map(|(id, heap_type, resource, place, made_heap)| Call::RequestResource {
                id, heap_type, resource, place, made_heap
            }),
        1 => ids().prop_map(|id| Call::Map { id, subresource: 0, read_range: None, pointer: MapPointer::Wanted }),
        1 => ids().prop_map(|id| Call::Unmap { id, subresource: 0, written_range: None }),
        1 => ids().prop_map(|id| Call::SetName { id, name: "a name".into() }),
        4 => ids().prop_map(|id| Call::Destroy { id }),
    ]
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let outcome = prop_oneof![9 => Just(RecordedOutcome::Accepted), 1 => Just(RecordedOutcome::Refused("a.rule".into()))];
    let record = (calls(), outcome).prop_map(|(call, outcome)| Record { outcome, ..Record::new(call) });
    prop::collection::vec(record, 1..60)
}

fn assert_adds_up(moment: &Moment) {
    for usage in moment.by_type.iter().map(|row| &row.usage).chain([&moment.total]) {
        assert_eq!(
            usage.committed.wrapping_add(usage.aliased),
            usage.asked.wrapping_add(usage.waste.total()),
            "{moment:?}"
        );
        assert!(usage.asked <= usage.taken, "{usage:?}");
    }
}

fn run(mut replayer: Replayer, records: &[Record]) -> Report {
    for record in records {
        let before = replayer.live_objects();
        assert!(replayer.step(record).is_continue());
        if record.outcome != RecordedOutcome::Accepted {
            assert!(replayer.live_objects() <= before, "nothing stays of a refused call: {record:?}");
        }
    }
    // The end of every object that may live.
    for id in IDS {
        if replayer.live_objects() > 0 {
            let _ = replayer.step(&Record::new(Call::Destroy { id: TraceId(id) }));
        }
    }
    assert_eq!(replayer.live_objects(), 0);
    replayer.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_books_balance_whatever_happens(records in records()) {
        for name in ["discrete-8g", "discrete-tier1-2g", "integrated-uma"] {
            for placement in [
                Placement::Recorded,
                Placement::Committed,
                Placement::Pooled { heap_size: 1 << 16 },
                Placement::Pooled { heap_size: 1 << 20 },
            ] {
                let options = ReplayOptions { placement, ..ReplayOptions::default() };
                let report = run(Replayer::new(device(name), options), &records);
                assert_adds_up(&report.peak);
                prop_assert_eq!(report.end.total, Default::default());
                prop_assert!(report.peak_asked.bytes >= report.peak.total.asked);
            }
        }
        let tight = run(Replayer::tight(device("discrete-8g"), ReplayOptions::default()), &records);
        assert_adds_up(&tight.peak);
        prop_assert_eq!(tight.end.total, Default::default());
    }
}
