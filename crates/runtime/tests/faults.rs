//! Devices that faults take.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use core::num::NonZeroU64;

use common::profile;
use heapstone::spec::commands::{CommandListType, FenceFlags};
use heapstone::*;
use heapstone_driver_soft::SoftDriverFactory;

/// A program that never names residency: what it is told, and the device.
fn program(faults: FaultPlan, flags: HeapFlags) -> (Result<(), Error>, Device) {
    let factory = SoftDriverFactory::default();
    let device =
        Device::builder().profile(profile("discrete-8g")).driver(&factory).faults(faults).build().unwrap();
    let run = || {
        let heap = HeapDesc { flags, ..HeapDesc::new(1 << 20, HeapType::Default) };
        let _heap = device.create_heap(&heap)?;
        let desc = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(65_536));
        let (from, to) = (device.create_committed_resource(&desc)?, device.create_committed_resource(&desc)?);
        let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct))?;
        let fence = device.create_fence(0, FenceFlags::empty())?;
        let allocator = device.create_command_allocator(CommandListType::Direct)?;
        let mut list = device.create_command_list(CommandListType::Direct, &allocator)?;
        list.copy_resource(&to, &from)?;
        list.close()?;
        queue.execute_command_lists(&[&list])?;
        queue.signal(&fence, 1)
    };
    (run(), device)
}

fn removal_at(point: u64) -> FaultPlan {
    FaultPlan { removal_at: NonZeroU64::new(point), ..FaultPlan::default() }
}

#[test]
fn a_device_is_taken_at_any_point_of_a_program_that_names_no_residency() {
    // Three creations that allocate, and one submission.
    for point in 1..=4 {
        let (result, device) = program(removal_at(point), HeapFlags::empty());
        assert!(matches!(result, Err(Error::DeviceRemoved(_))), "point {point}: {result:?}");
        let reason = device.removed_reason();
        assert!(
            matches!(reason, Some(RemovalReason::Memory(ProcessRemoval::Injected))),
            "point {point}: {reason:?}"
        );
        let usage = device.query_video_memory_info(0, SegmentGroup::Local).unwrap().current_usage;
        assert_eq!(
            usage, 0,
            "point {point}: what the program let go of is free, and what was refused never was its"
        );
    }
    let (result, device) = program(removal_at(5), HeapFlags::empty());
    result.unwrap();
    assert!(device.removed_reason().is_none());
}

#[test]
fn a_heap_that_is_created_evicted_is_none_where_the_device_is_taken() {
    let (result, device) = program(removal_at(1), HeapFlags::CREATE_NOT_RESIDENT);
    assert!(matches!(result, Err(Error::DeviceRemoved(_))), "{result:?}");
    assert!(device.removed_reason().is_some());
}
