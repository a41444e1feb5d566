//! Queues and fences of a device: the facts of facts/behaviour.md (Lists, queues, fences), in every mode.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::profile;
use heapstone::spec::commands::{CommandListType, FenceFlags, QueryHeapDesc, QueryHeapType, QueryType};
use heapstone::spec::tiles::TileRangeFlags;
use heapstone::*;
use heapstone_driver_soft::SoftDriverFactory;

const MODES: [GpuMode; 3] = [GpuMode::Immediate, GpuMode::Threaded, GpuMode::Stepped];

fn device_in(mode: GpuMode) -> Device {
    let factory = SoftDriverFactory::default();
    Device::builder().profile(profile("discrete-8g")).driver(&factory).gpu_mode(mode).build().unwrap()
}

struct Rig {
    device: Device,
    queue: CommandQueue,
    fence: Fence,
    allocator: CommandAllocator,
}

impl Rig {
    fn new(mode: GpuMode) -> Rig {
        Rig::on(device_in(mode))
    }

    fn on(device: Device) -> Rig {
        let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
        let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
        let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
        Rig { device, queue, fence, allocator }
    }

    fn list(&self) -> CommandList {
        self.device.create_command_list(CommandListType::Direct, &self.allocator).unwrap()
    }

    fn buffer(&self, heap_type: HeapType, size: u64) -> Resource {
        let desc = CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(size));
        self.device.create_committed_resource(&desc).unwrap()
    }

    /// Runs all that is pending, whatever the mode.
    fn finish(&self, value: u64) {
        self.queue.signal(&self.fence, value).unwrap();
        if self.device.gpu_mode() == GpuMode::Stepped {
            self.device.run_until(&self.fence, value).unwrap();
        }
        self.fence.wait(value).unwrap();
    }
}

/// The violation of a refused call.
fn violation_of(error: &Error) -> &Violation {
    error.violation().unwrap_or_else(|| panic!("not refused by a rule: {error}"))
}

#[test]
fn bytes_arrive_through_a_default_buffer_in_every_mode() {
    for mode in MODES {
        let rig = Rig::new(mode);
        let upload = rig.buffer(HeapType::Upload, 4096);
        let middle = rig.buffer(HeapType::Default, 4096);
        let readback = rig.buffer(HeapType::Readback, 4096);
        let bytes: Vec<u8> = (0..4096_u32).map(|at| (at * 7 % 251) as u8).collect();
        upload.write(0, &bytes).unwrap();
        let mut list = rig.list();
        list.copy_buffer_region(&middle, 96, &upload, 0, 4000).unwrap();
        list.copy_buffer_region(&readback, 0, &middle, 96, 4000).unwrap();
        list.close().unwrap();
        rig.queue.execute_command_lists(&[&list]).unwrap();
        rig.finish(1);
        let mut read = vec![0; 4096];
        readback.read(0, &mut read).unwrap();
        assert_eq!(read[..4000], bytes[..4000], "{mode:?}");
        assert_eq!(read[4000..], [0; 96], "{mode:?}");
        let statistics = rig.queue.statistics();
        assert_eq!(
            (statistics.calls, statistics.bytes_read, statistics.bytes_written),
            (2, 8000, 8000),
            "{mode:?}"
        );
    }
}

#[test]
fn a_step_is_one_call_of_the_program() {
    let rig = Rig::new(GpuMode::Stepped);
    let upload = rig.buffer(HeapType::Upload, 256);
    let readback = rig.buffer(HeapType::Readback, 256);
    upload.write(0, &[1; 256]).unwrap();
    let mut list = rig.list();
    list.copy_buffer_region(&readback, 0, &upload, 0, 1).unwrap();
    list.copy_buffer_region(&readback, 1, &upload, 0, 1).unwrap();
    list.close().unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    let byte = |at| {
        let mut byte = [0];
        readback.read(at, &mut byte).unwrap();
        byte[0]
    };
    assert_eq!((byte(0), byte(1)), (0, 0));
    assert_eq!(rig.queue.step(StepUnit::Command).unwrap(), StepOutcome::Ran { packet: 0, finished: false });
    assert_eq!((byte(0), byte(1)), (1, 0));
    assert!(matches!(
        rig.queue.pending()[..],
        [PacketView { number: 0, kind: PacketKind::Execute { remaining: 1, started: true, .. } }]
    ));
    assert_eq!(rig.queue.step(StepUnit::Command).unwrap(), StepOutcome::Ran { packet: 0, finished: true });
    assert_eq!((byte(0), byte(1)), (1, 1));
    assert_eq!(rig.queue.status(), QueueStatus::Idle);
}

/// Of one call each list is a packet; between two steps bytes, fences, time and what is pending can be seen.
#[test]
fn a_packet_is_one_list_and_all_can_be_seen_between() {
    let rig = Rig::new(GpuMode::Stepped);
    let upload = rig.buffer(HeapType::Upload, 256);
    let readback = rig.buffer(HeapType::Readback, 256);
    upload.write(0, &[1; 256]).unwrap();
    // Of list n bytes 2n and 2n + 1, by a command each.
    let lists = [0, 2, 4].map(|at| {
        let mut list = rig.list();
        list.copy_buffer_region(&readback, at, &upload, 0, 1).unwrap();
        list.copy_buffer_region(&readback, at + 1, &upload, 0, 1).unwrap();
        list.close().unwrap();
        list
    });
    rig.queue.execute_command_lists(&[&lists[0], &lists[1], &lists[2]]).unwrap();
    rig.queue.signal(&rig.fence, 1).unwrap();
    rig.queue.execute_command_lists(&[&lists[0]]).unwrap();
    let bytes = || {
        let mut bytes = [0; 6];
        readback.read(0, &mut bytes).unwrap();
        bytes
    };
    let ran = |packet, finished| StepOutcome::Ran { packet, finished };
    assert_eq!((rig.queue.pending().len(), bytes()), (5, [0; 6]));
    assert_eq!(rig.queue.step(StepUnit::Packet).unwrap(), ran(0, true));
    assert_eq!((rig.queue.pending().len(), bytes()), (4, [1, 1, 0, 0, 0, 0]));
    // COMMAND_NS for each of both; a byte takes less than a nanosecond.
    assert_eq!((rig.queue.statistics().calls, rig.queue.timestamp()), (2, 2_000));
    assert_eq!(rig.queue.step(StepUnit::Command).unwrap(), ran(1, false));
    assert_eq!(bytes(), [1, 1, 1, 0, 0, 0]);
    // To the end of the list that has begun, and no further.
    assert_eq!(rig.queue.step(StepUnit::Packet).unwrap(), ran(1, true));
    assert_eq!((bytes(), rig.fence.completed_value()), ([1, 1, 1, 1, 0, 0], 0));
    rig.device.run_until(&rig.fence, 1).unwrap();
    assert_eq!((bytes(), rig.fence.completed_value()), ([1; 6], 1));
    // What the CPU writes before the last list runs is what that list copies.
    upload.write(0, &[9; 256]).unwrap();
    assert_eq!((rig.queue.pending().len(), bytes()), (1, [1; 6]));
    rig.device.run_until_idle().unwrap();
    assert_eq!((rig.queue.timestamp(), bytes()), (8_000, [9, 9, 1, 1, 1, 1]));
}

#[test]
fn executing_an_open_list_removes_the_device() {
    for mode in MODES {
        let rig = Rig::new(mode);
        let list = rig.list();
        let error = rig.queue.execute_command_lists(&[&list]).unwrap_err();
        let Error::DeviceRemoved(reason) = error else { panic!("{mode:?}: {error}") };
        let RemovalReason::InvalidCall(violation) = *reason else { panic!("{mode:?}: {reason}") };
        assert_eq!(violation.rule.id, "list.execute.open");
        assert_eq!(rig.fence.completed_value(), u64::MAX);
        assert!(matches!(rig.device.removed_reason(), Some(RemovalReason::InvalidCall(_))));
        // Later creation is refused as well.
        let heap = rig.device.create_heap(&HeapDesc::new(65_536, HeapType::Default));
        assert!(matches!(heap, Err(Error::DeviceRemoved(_))));
        assert!(matches!(rig.device.create_fence(0, FenceFlags::empty()), Err(Error::DeviceRemoved(_))));
        assert!(matches!(rig.queue.signal(&rig.fence, 1), Err(Error::DeviceRemoved(_))));
    }
}

/// Whoever asks for the timeline first after the device was removed finds it removed as well.
#[test]
fn a_device_removed_before_its_first_queue_steps_no_more() {
    let device = device_in(GpuMode::Stepped);
    device.remove();
    assert!(matches!(device.run_until_idle(), Err(Error::DeviceRemoved(_))));
    let device = device_in(GpuMode::Stepped);
    assert_eq!(device.run_until_idle().unwrap(), 0);
}

#[test]
fn a_list_does_not_keep_a_resource_and_says_when_it_is_gone() {
    let rig = Rig::new(GpuMode::Immediate);
    let upload = rig.buffer(HeapType::Upload, 256);
    let readback = rig.buffer(HeapType::Readback, 256);
    let mut list = rig.list();
    list.copy_buffer_region(&readback, 0, &upload, 0, 256).unwrap();
    list.close().unwrap();
    drop(upload);
    let error = rig.queue.execute_command_lists(&[&list]).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "queue.execute.destroyed");
    // The device goes on.
    assert!(rig.device.removed_reason().is_none());
    rig.finish(1);
}

#[derive(Default)]
struct Notices(Mutex<Vec<Notice>>);

impl Observer for Notices {
    fn observe(&self, _: &Call<'_>) {}

    fn notice(&self, notice: &Notice) {
        self.0.lock().unwrap().push(notice.clone());
    }
}

#[test]
fn what_is_in_flight_lives_and_its_early_release_is_told() {
    let notices = Arc::new(Notices::default());
    let factory = SoftDriverFactory::default();
    let device = Device::builder()
        .profile(profile("discrete-8g"))
        .driver(&factory)
        .gpu_mode(GpuMode::Stepped)
        .observer(Arc::<Notices>::clone(&notices))
        .build()
        .unwrap();
    let used = || {
        let groups = [SegmentGroup::Local, SegmentGroup::NonLocal];
        groups
            .map(|group| device.query_video_memory_info(0, group).unwrap().current_usage)
            .iter()
            .sum::<u64>()
    };
    let before = used();
    let buffer = |heap_type| {
        let desc = CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(65_536));
        device.create_committed_resource(&desc).unwrap()
    };
    let (upload, readback) = (buffer(HeapType::Upload), buffer(HeapType::Readback));
    let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
    let mut list = device.create_command_list(CommandListType::Direct, &allocator).unwrap();
    list.copy_buffer_region(&readback, 0, &upload, 0, 65_536).unwrap();
    list.close().unwrap();
    let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
    queue.execute_command_lists(&[&list]).unwrap();
    let id = upload.id();
    drop(upload);
    assert_eq!(used() - before, 131_072, "the GPU still needs both");
    device.run_until_idle().unwrap();
    assert_eq!(used() - before, 65_536);
    let told = notices.0.lock().unwrap();
    assert!(
        told.iter().any(|notice| notice.subject == NoticeSubject::DeletedWhileInUse && notice.object == id),
        "{told:?}"
    );
}

#[test]
fn lists_run_on_queues_of_their_type() {
    let rig = Rig::new(GpuMode::Immediate);
    let copy = rig.device.create_command_queue(&CommandQueueDesc::new(CommandListType::Copy)).unwrap();
    let mut list = rig.list();
    list.close().unwrap();
    let error = copy.execute_command_lists(&[&list]).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "queue.execute.type");
    let other = Rig::new(GpuMode::Immediate);
    let error = other.queue.execute_command_lists(&[&list]).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "queue.execute.device");
    let error = other.queue.signal(&rig.fence, 1).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "queue.execute.device");
    let desc = CommandQueueDesc { node_mask: 2, ..CommandQueueDesc::new(CommandListType::Copy) };
    let error = rig.device.create_command_queue(&desc).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "queue.node");
}

#[test]
fn an_allocator_with_lists_in_flight_is_not_reset() {
    let rig = Rig::new(GpuMode::Stepped);
    let mut list = rig.list();
    list.close().unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    let error = rig.allocator.reset().unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "allocator.reset.in_flight");
    rig.device.run_until_idle().unwrap();
    rig.allocator.reset().unwrap();
    let error = rig.queue.execute_command_lists(&[&list]).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "list.execute.allocator_reset");
}

#[test]
fn values_go_back_and_satisfied_waits_stay_so() {
    for mode in [GpuMode::Immediate, GpuMode::Threaded] {
        let rig = Rig::new(mode);
        rig.fence.signal(5).unwrap();
        rig.queue.wait(&rig.fence, 5).unwrap();
        rig.fence.signal(2).unwrap();
        assert_eq!(rig.fence.completed_value(), 2, "{mode:?}");
        let other = rig.device.create_fence(10, FenceFlags::empty()).unwrap();
        rig.queue.signal(&other, 3).unwrap();
        // 10 is at least 3: to see the signal the value itself is looked at.
        while other.completed_value() != 3 {
            std::thread::yield_now();
        }
    }
}

#[test]
fn events_are_set_and_a_released_fence_lets_its_waiters_go() {
    let rig = Rig::new(GpuMode::Immediate);
    let event = Event::auto_reset();
    rig.fence.set_event_on_completion(3, &event);
    assert!(!event.is_set());
    rig.queue.signal(&rig.fence, 3).unwrap();
    assert!(event.wait(Some(Duration::ZERO)));
    let released = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
    released.set_event_on_completion(1, &event);
    rig.queue.wait(&released, 1).unwrap();
    drop(released);
    assert!(event.wait(Some(Duration::from_secs(10))));
    rig.finish(4);
}

#[test]
fn several_fences_are_waited_for() {
    let rig = Rig::new(GpuMode::Immediate);
    let second = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
    let none = rig.device.wait_for_fences(&[], WaitMode::All, None).unwrap_err();
    assert_eq!(violation_of(&none).rule.id, "fence.none");
    rig.queue.signal(&rig.fence, 1).unwrap();
    let both = [(&rig.fence, 1), (&second, 1)];
    let any = rig.device.wait_for_fences(&both, WaitMode::Any, None).unwrap();
    assert_eq!(any, WaitOutcome::Reached);
    let all = rig.device.wait_for_fences(&both, WaitMode::All, Some(Duration::ZERO)).unwrap();
    assert_eq!(all, WaitOutcome::TimedOut);
    let stranger = Rig::new(GpuMode::Immediate);
    let foreign = rig.device.wait_for_fences(&[(&stranger.fence, 1)], WaitMode::All, None).unwrap_err();
    assert_eq!(violation_of(&foreign).rule.id, "queue.execute.device");
}

#[test]
fn a_wait_that_nobody_steps_is_an_error_and_not_a_hang() {
    let rig = Rig::new(GpuMode::Stepped);
    rig.queue.signal(&rig.fence, 1).unwrap();
    assert!(matches!(rig.fence.wait(1), Err(Error::Deadlock(_))));
    rig.device.run_until(&rig.fence, 1).unwrap();
    rig.fence.wait(1).unwrap();
    rig.queue.wait(&rig.fence, 2).unwrap();
    let error = rig.device.run_until(&rig.fence, 2).unwrap_err();
    let Error::Deadlock(stuck) = error else { panic!("{error}") };
    assert!(stuck.to_string().contains("cannot reach 2"), "{stuck}");
    let error = Rig::new(GpuMode::Immediate).queue.step(StepUnit::Packet).unwrap_err();
    assert_eq!(violation_of(&error).rule.id, "queue.step.mode");
}

#[test]
fn queues_follow_each_other_in_simulated_time() {
    let rig = Rig::new(GpuMode::Immediate);
    let copy = rig.device.create_command_queue(&CommandQueueDesc::new(CommandListType::Copy)).unwrap();
    let (upload, default) = (rig.buffer(HeapType::Upload, 1 << 20), rig.buffer(HeapType::Default, 1 << 20));
    let allocator = rig.device.create_command_allocator(CommandListType::Copy).unwrap();
    let mut list = rig.device.create_command_list(CommandListType::Copy, &allocator).unwrap();
    list.copy_buffer_region(&default, 0, &upload, 0, 1 << 20).unwrap();
    list.close().unwrap();
    copy.execute_command_lists(&[&list]).unwrap();
    copy.signal(&rig.fence, 1).unwrap();
    assert_eq!(rig.queue.timestamp(), 0);
    rig.queue.wait(&rig.fence, 1).unwrap();
    // COMMAND_NS, and 1 MiB over PCI Express at 31,508,000,000 bytes a second, the slower of both sides.
    let expected = 1_000 + (1_u64 << 20) * 1_000_000_000 / 31_508_000_000;
    assert_eq!(copy.timestamp(), expected);
    assert_eq!(rig.queue.timestamp(), expected);
    assert_eq!(rig.queue.statistics().busy_ns, 0);
}

#[test]
fn the_last_handle_of_a_device_may_go_with_its_work() {
    for mode in MODES {
        let counting = common::counting::CountingFactory::default();
        let builder = Device::builder().profile(profile("discrete-8g")).driver(&counting);
        let rig = Rig::on(builder.gpu_mode(mode).build().unwrap());
        let (upload, readback) = (rig.buffer(HeapType::Upload, 256), rig.buffer(HeapType::Readback, 256));
        let mut list = rig.list();
        list.copy_buffer_region(&readback, 0, &upload, 0, 256).unwrap();
        list.close().unwrap();
        for _ in 0..50 {
            rig.queue.execute_command_lists(&[&list]).unwrap();
        }
        // What waits for ever holds its resources as well.
        rig.queue.wait(&rig.fence, 99).unwrap();
        rig.queue.execute_command_lists(&[&list]).unwrap();
        drop((upload, readback, list, rig));
        assert!(counting.watch.is_empty(), "{mode:?}: {:?}", counting.watch);
    }
}

/// A panic of the driver is a removal as any other: the device tells the reason, and creates nothing any more.
#[test]
fn a_driver_that_panics_removes_the_device() {
    for mode in MODES {
        let factory = common::counting::CountingFactory::default();
        factory.watch.panics.store(true, Ordering::SeqCst);
        let builder = Device::builder().profile(profile("discrete-8g")).driver(&factory);
        let rig = Rig::on(builder.gpu_mode(mode).build().unwrap());
        let mut list = rig.list();
        list.close().unwrap();
        assert!(rig.device.removed_reason().is_none(), "{mode:?}");
        let ran = catch_unwind(AssertUnwindSafe(|| {
            // The driver's thread may panic before the call ends, or after it.
            let _ = rig.queue.execute_command_lists(&[&list]);
            if mode == GpuMode::Stepped {
                let _ = rig.device.run_until_idle();
            }
        }));
        assert_eq!(ran.is_err(), mode != GpuMode::Threaded, "{mode:?}: whose thread panics");
        rig.fence.wait(1).unwrap();
        assert_eq!(rig.fence.completed_value(), u64::MAX, "{mode:?}");
        let reason = rig.device.removed_reason();
        assert!(matches!(reason, Some(RemovalReason::Panicked)), "{mode:?}: {reason:?}");
        let desc = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(256));
        let created = rig.device.create_committed_resource(&desc).map(|_| ());
        assert!(matches!(created, Err(Error::DeviceRemoved { .. })), "{mode:?}: {created:?}");
    }
}

/// What a query heap writes to has no number: who lets go of the heap hears of the heap.
#[test]
fn a_query_heap_let_go_of_in_flight_is_told_by_its_number() {
    let notices = Arc::<Notices>::default();
    let factory = SoftDriverFactory::default();
    let builder = Device::builder().profile(profile("discrete-8g")).driver(&factory);
    let builder = builder.gpu_mode(GpuMode::Stepped).observer(Arc::<Notices>::clone(&notices));
    let rig = Rig::on(builder.build().unwrap());
    let desc = QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 4, node_mask: 0 };
    let heaps = [(); 2].map(|()| rig.device.create_query_heap(&desc).unwrap());
    let mut list = rig.list();
    for heap in &heaps {
        list.end_query(heap, QueryType::Timestamp, 0).unwrap();
    }
    list.close().unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    let [early, late] = heaps;
    let id = early.id();
    drop(early);
    rig.device.run_until_idle().unwrap();
    drop(late);
    let told = notices.0.lock().unwrap();
    let told: Vec<_> =
        told.iter().filter(|notice| notice.subject == NoticeSubject::DeletedWhileInUse).collect();
    assert_eq!(told.iter().map(|notice| notice.object).collect::<Vec<_>>(), [id], "{told:?}");
}

/// A mapping keeps no heap alive: one that goes under tiles which work in flight uses is told, and no other.
#[test]
fn a_heap_let_go_of_under_tiles_in_flight_is_told() {
    let notices = Arc::<Notices>::default();
    let factory = SoftDriverFactory::default();
    let builder = Device::builder().profile(profile("discrete-8g")).driver(&factory);
    let builder = builder.gpu_mode(GpuMode::Stepped).observer(Arc::<Notices>::clone(&notices));
    let rig = Rig::on(builder.build().unwrap());
    let heap = || rig.device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap();
    let (shown, hidden, unused) = (heap(), heap(), heap());
    let reserved = |heap: &Heap| {
        let desc = ReservedResourceDesc::new(ResourceDesc::buffer(65_536));
        let resource = rig.device.create_reserved_resource(&desc).unwrap();
        let desc = UpdateTileMappingsDesc {
            heap: Some(heap),
            heap_range_start_offsets: Some(&[0]),
            ..UpdateTileMappingsDesc::default()
        };
        rig.queue.update_tile_mappings(&resource, &desc).unwrap();
        resource
    };
    let (used, idle) = (reserved(&shown), reserved(&unused));
    // Was shown, and is not any more.
    let before = reserved(&hidden);
    rig.queue
        .update_tile_mappings(
            &before,
            &UpdateTileMappingsDesc {
                range_flags: Some(&[TileRangeFlags::NULL]),
                ..UpdateTileMappingsDesc::default()
            },
        )
        .unwrap();
    rig.device.run_until_idle().unwrap();

    let readback = rig.buffer(HeapType::Readback, 65_536);
    let mut list = rig.list();
    list.copy_buffer_region(&readback, 0, &used, 0, 4).unwrap();
    list.copy_buffer_region(&readback, 4, &before, 0, 4).unwrap();
    list.close().unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    let id = shown.id();
    drop((shown, hidden, unused));
    let told = |notices: &Notices| -> Vec<ObjectId> {
        let all = notices.0.lock().unwrap();
        let deleted = all.iter().filter(|notice| notice.subject == NoticeSubject::DeletedWhileInUse);
        deleted.map(|notice| notice.object).collect()
    };
    assert_eq!(told(&notices), [id]);
    // And the work faults, at the tile.
    let error = rig.device.run_until_idle().unwrap_err();
    assert!(error.to_string().contains("byte 0 of the reserved BUFFER"), "{error}");
    drop((used, idle, before));
    assert_eq!(told(&notices), [id]);
}

/// Panics when it is told that something went too early.
#[derive(Default)]
struct Nervous;

impl Observer for Nervous {
    fn observe(&self, _: &Call<'_>) {}

    fn notice(&self, _: &Notice) {
        panic!("the test wants it so")
    }
}

/// An observer that panics in a worker takes the device with it, as work that panics does: who waits is told, and
/// nobody hangs.
#[test]
fn an_observer_that_panics_in_a_worker_removes_the_device() {
    let factory = SoftDriverFactory::default();
    let builder = Device::builder().profile(profile("discrete-8g")).driver(&factory);
    let rig = Rig::on(builder.gpu_mode(GpuMode::Threaded).observer(Arc::new(Nervous)).build().unwrap());
    let gate = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
    let done = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
    let (upload, readback) = (rig.buffer(HeapType::Upload, 16), rig.buffer(HeapType::Readback, 16));
    let mut list = rig.list();
    list.copy_buffer_region(&readback, 0, &upload, 0, 16).unwrap();
    list.close().unwrap();
    rig.queue.wait(&gate, 1).unwrap();
    rig.queue.execute_command_lists(&[&list]).unwrap();
    rig.queue.signal(&done, 1).unwrap();
    drop(upload);
    gate.signal(1).unwrap();
    // A removed device's fences are at their greatest value, which ends the wait too.
    match done.wait(1) {
        Ok(()) => assert_eq!(done.completed_value(), u64::MAX),
        Err(error) => assert!(matches!(error, Error::DeviceRemoved(_)), "{error}"),
    }
    let reason = rig.device.removed_reason().unwrap();
    assert!(matches!(reason, RemovalReason::Panicked), "{reason}");
    assert!(reason.to_string().contains("observer"), "{reason}");
    assert!(matches!(rig.queue.execute_command_lists(&[]), Err(Error::DeviceRemoved(_))));
}
