//! From a device through the recorder, the file and the reader back to the calls.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use heapstone::{
    Backing, CommittedResourceDesc, Device, InitialState, MapPointer, PlacedResourceDesc,
    ReservedResourceDesc, SdkVersion,
};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_spec::{
    Format, HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc, ResourceStates, TextureLayout,
};
use heapstone_trace::{
    Call, Record, RecordedOutcome, Recorder, RecorderOptions, ReplayOptions, Replayer, ResourceArguments,
    TraceHeader, TraceId, TraceReader, read_trace, replay,
};
use heapstone_units::ByteRange;

/// Memory that outlives the recorder.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn records(&self) -> Vec<Record> {
        let bytes = self.0.lock().unwrap().clone();
        TraceReader::new(&bytes[..], "recorded").unwrap().map(Result::unwrap).collect()
    }
}

fn observed<W: Write + Send + 'static>(recorder: &Arc<Recorder<W>>, profile: &str) -> Device {
    Device::builder()
        .profile(common::profile(profile))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .sdk(SdkVersion::LATEST)
        .observer(recorder.clone())
        .build()
        .unwrap()
}

fn header() -> TraceHeader {
    TraceHeader {
        profile: Some("discrete-8g".to_owned()),
        sdk: Some(SdkVersion::LATEST),
        tool: Some("a test".to_owned()),
        ..TraceHeader::new()
    }
}

#[test]
fn every_call_is_recorded_and_read_again() {
    let file = Shared::default();
    let recorder = Arc::new(Recorder::new(file.clone(), &header(), RecorderOptions::default()).unwrap());
    let device = observed(&recorder, "discrete-8g");
    let heap_desc = HeapDesc::new(1 << 20, HeapType::Upload);
    let heap = device.create_heap(&heap_desc).unwrap();
    heap.set_name("uploads");
    let buffer = ResourceDesc::buffer(1000);
    let generic = InitialState::State(ResourceStates::GENERIC_READ);
    let placed_desc = PlacedResourceDesc { initial: generic, ..PlacedResourceDesc::new(buffer) };
    let placed = device.create_placed_resource(&heap, 65_536, &placed_desc).unwrap();
    placed.set_tag("frame");
    placed.map(0, Some(ByteRange::new(0, 0)), MapPointer::Wanted).unwrap();
    placed.unmap(0, Some(ByteRange::new(0, 1000))).unwrap();
    let committed =
        device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Readback, buffer)).unwrap();
    let tiled = ResourceDesc::texture_2d(Format::BC1_UNORM, 4096, 4096)
        .with_layout(TextureLayout::Undefined64KbSwizzle);
    let reserved = device.create_reserved_resource(&ReservedResourceDesc::new(tiled)).unwrap();
    let refused_desc = HeapDesc::new(65_536, HeapType::Default).with_alignment(4096);
    let rule = device.create_heap(&refused_desc).unwrap_err().violation().unwrap().rule.id;
    drop(reserved);
    drop(committed);
    drop(heap);
    drop(placed);
    recorder.finish().unwrap();

    let [id1, id2, id3, id4, id5] = [1, 2, 3, 4, 5].map(TraceId);
    let in_state = |desc, state| ResourceArguments::new(desc).with_state(state);
    let want = [
        Call::CreateHeap { id: id1, desc: heap_desc },
        Call::SetName { id: id1, name: "uploads".into() },
        Call::CreatePlacedResource {
            id: id2,
            heap: id1,
            offset: 65_536,
            resource: in_state(buffer, ResourceStates::GENERIC_READ),
        },
        Call::SetTag { id: id2, tag: "frame".into() },
        Call::Map {
            id: id2,
            subresource: 0,
            read_range: Some(ByteRange::new(0, 0)),
            pointer: MapPointer::Wanted,
        },
        Call::Unmap { id: id2, subresource: 0, written_range: Some(ByteRange::new(0, 1000)) },
        Call::CreateCommittedResource {
            id: id3,
            heap_properties: HeapProperties::new(HeapType::Readback),
            heap_flags: HeapFlags::empty(),
            resource: in_state(buffer, ResourceStates::COPY_DEST),
        },
        Call::CreateReservedResource { id: id4, resource: ResourceArguments::new(tiled) },
        Call::CreateHeap { id: id5, desc: refused_desc },
        Call::Destroy { id: id4 },
        Call::Destroy { id: id3 },
        // The placed resource keeps its heap.
        Call::Destroy { id: id2 },
        Call::Destroy { id: id1 },
    ];
    let records = file.records();
    let calls: Vec<Call> = records.iter().map(|record| record.call.clone()).collect();
    assert_eq!(calls, want);
    let refused: Vec<_> =
        records.iter().filter(|record| record.outcome != RecordedOutcome::Accepted).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].outcome, RecordedOutcome::Refused(rule.into()));
}

#[test]
fn a_recorded_replay_replays_the_same() {
    let scene = include_str!("../../../examples/workloads/textured-scene.jsonl");
    let file = Shared::default();
    let recorder = Arc::new(Recorder::new(file.clone(), &header(), RecorderOptions::default()).unwrap());
    let device = observed(&recorder, "discrete-8g");
    let mut replayer = Replayer::new(device, ReplayOptions::default());
    for record in read_trace(scene.as_bytes(), "scene").unwrap() {
        assert!(replayer.step(&record.unwrap()).is_continue());
    }
    let first = replayer.finish();
    recorder.finish().unwrap();

    let bytes = file.0.lock().unwrap().clone();
    let trace = read_trace(&bytes[..], "recorded").unwrap();
    assert_eq!(trace.header().profile.as_deref(), Some("discrete-8g"));
    let again = replay(trace, common::plan("discrete-8g", ReplayOptions::default()), |_| {}).unwrap();
    assert_eq!(again.peak.total, first.peak.total);
    assert_eq!(
        (again.asked, again.alignment_cost, again.budgets.len()),
        (first.asked, first.alignment_cost, first.budgets.len())
    );
    assert_eq!(again.refused_count() + again.trace_error_count(), 0);
    // The recording ends with the destruction of what the scene leaves alive.
    assert_eq!(again.end.total.committed, 0);
    assert!(again.calls.destroy > first.calls.destroy);
}

#[test]
fn threads_and_times_come_from_outside() {
    let file = Shared::default();
    let now = Arc::new(AtomicU64::new(100));
    let clock = {
        let now = now.clone();
        Box::new(move || now.fetch_add(10, Ordering::Relaxed))
    };
    let options = RecorderOptions { clock: Some(clock), threads: true };
    let recorder = Arc::new(Recorder::new(file.clone(), &header(), options).unwrap());
    let device = observed(&recorder, "discrete-8g");
    let create =
        |device: &Device| drop(device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap());
    create(&device);
    let other = device.clone();
    std::thread::spawn(move || create(&other)).join().unwrap();
    create(&device);
    recorder.finish().unwrap();
    let records = file.records();
    let times: Vec<_> = records.iter().map(|record| record.timestamp_us.unwrap()).collect();
    assert_eq!(times, [100, 110, 120, 130, 140, 150]);
    let threads: Vec<_> = records.iter().map(|record| record.thread.unwrap()).collect();
    assert_eq!(threads, [0, 0, 1, 1, 0, 0]);
}

#[test]
fn times_never_fall_whoever_calls() {
    let file = Shared::default();
    let now = AtomicU64::new(0);
    // Every other reading is late: what is read outside of the lock is written out of order.
    let clock = Box::new(move || {
        let time = now.fetch_add(1, Ordering::Relaxed);
        if time.is_multiple_of(2) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        time
    });
    let options = RecorderOptions { clock: Some(clock), threads: false };
    let recorder = Arc::new(Recorder::new(file.clone(), &header(), options).unwrap());
    let device = observed(&recorder, "discrete-8g");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    drop(device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap());
                }
            });
        }
    });
    recorder.finish().unwrap();
    let times: Vec<_> = file.records().iter().map(|record| record.timestamp_us.unwrap()).collect();
    assert_eq!(times, (0..160).collect::<Vec<_>>());
}

/// Takes some bytes, then fails.
struct Full {
    left: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left < bytes.len() {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"));
        }
        self.left -= bytes.len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_at_the_end() {
    let recorder =
        Arc::new(Recorder::new(Full { left: 200 }, &header(), RecorderOptions::default()).unwrap());
    let device = observed(&recorder, "discrete-8g");
    // More than the recorder buffers.
    for _ in 0..2000 {
        drop(device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap());
    }
    let error = recorder.finish().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(recorder.finish().is_ok(), "told once");
}

#[test]
fn what_is_buffered_is_written_on_drop() {
    let file = Shared::default();
    let recorder = Arc::new(Recorder::new(file.clone(), &header(), RecorderOptions::default()).unwrap());
    let device = observed(&recorder, "discrete-8g");
    drop(device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap());
    drop(device);
    drop(recorder);
    assert_eq!(file.records().len(), 2);
}
