//! `HEAPSTONE_RECORD`: what a client calls through vtables is in the trace, residency among it.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use std::fs;

use common::*;
use d3d12::types::*;
use heapstone::spec::commands::ResidencyFlags;
use heapstone_trace::{Call, GpuCall, RecordedOutcome, TraceId, TraceReader};

/// D3D12_RESIDENCY_PRIORITY_LOW (facts/residency.md, Priorities).
const LOW: u32 = 0x5000_0000;

/// The only test of its process: it sets the environment before the library reads it.
#[test]
fn residency_calls_through_vtables_are_in_the_trace() {
    let path = std::env::temp_dir().join(format!("heapstone-recording-{}.jsonl", std::process::id()));
    // SAFETY: no other thread of this process reads or writes the environment.
    unsafe { std::env::set_var("HEAPSTONE_RECORD", &path) };
    {
        let device = device();
        let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
        let fence = fence(&device, 0);
        let objects = [heap.0];
        unsafe {
            assert_eq!((device.v().MakeResident)(device.0, 1, objects.as_ptr()), S_OK);
            for _ in 0..2 {
                assert_eq!((device.v().Evict)(device.0, 1, objects.as_ptr()), S_OK);
            }
            assert_eq!((device.v().Evict)(device.0, 1, objects.as_ptr()), E_INVALIDARG);
            let enqueue = device.v().EnqueueMakeResident;
            assert_eq!(enqueue(device.0, 1, 1, objects.as_ptr(), fence.0, 7), S_OK);
            assert_eq!((device.v().SetResidencyPriority)(device.0, 1, objects.as_ptr(), &LOW), S_OK);
        }
    }
    let text = fs::read(&path).expect("the trace is written");
    fs::remove_file(&path).expect("it was there");
    let records = TraceReader::new(&text[..], "recorded").expect("a trace");
    let residency: Vec<(GpuCall, bool)> = records
        .map(|record| record.expect("a call"))
        .filter_map(|record| match record.call {
            Call::Gpu { call, .. } if call.kind().is_residency() => {
                Some((*call, record.outcome == RecordedOutcome::Accepted))
            }
            _ => None,
        })
        .collect();
    let (heap, fence) = (TraceId(1), TraceId(2));
    let objects = || [heap].into();
    let flags = ResidencyFlags::DenyOverbudget;
    assert_eq!(
        residency,
        [
            (GpuCall::MakeResident { objects: objects() }, true),
            (GpuCall::Evict { objects: objects() }, true),
            (GpuCall::Evict { objects: objects() }, true),
            (GpuCall::Evict { objects: objects() }, false),
            (GpuCall::EnqueueMakeResident { flags, objects: objects(), fence, value: 7 }, true),
            (GpuCall::SetResidencyPriority { objects: [(heap, LOW)].into() }, true),
        ]
    );
}
