//! A device whose copy engine has no GPU virtual addresses: programs see no difference, but for time and parts.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::spec::commands::{CommandListType, FenceFlags};
use heapstone::spec::profile::EngineAddressing;
use heapstone::{
    Backing, CommandQueue, CommandQueueDesc, CommittedResourceDesc, CreationOrder, Device, Error, Fence,
    GpuMode, HeapType, RemovalReason, Resource, ResourceDesc, StepUnit,
};
use heapstone_driver_soft::SoftDriverFactory;

const SIZE: u64 = 64 << 10;
const COUNT: usize = 6;

/// A device whose copy engine reaches `aperture` bytes at once.
fn device_with(aperture: u64, mode: GpuMode) -> Device {
    let mut profile = profile("discrete-tier1-2g");
    assert_eq!(profile.engines.copy, EngineAddressing::Patched);
    profile.engines.aperture_size = aperture;
    let factory = SoftDriverFactory::default();
    Device::builder().profile(profile).driver(&factory).backing(Backing::Host).gpu_mode(mode).build().unwrap()
}

struct Chain {
    device: Device,
    queue: CommandQueue,
    fence: Fence,
    upload: Resource,
    buffers: Vec<Resource>,
    readback: Resource,
}

impl Chain {
    fn new(aperture: u64, mode: GpuMode) -> Chain {
        let device = device_with(aperture, mode);
        let buffer = |heap_type| {
            let desc = CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(SIZE));
            device.create_committed_resource(&desc).unwrap()
        };
        Chain {
            queue: device.create_command_queue(&CommandQueueDesc::new(CommandListType::Copy)).unwrap(),
            fence: device.create_fence(0, FenceFlags::empty()).unwrap(),
            upload: buffer(HeapType::Upload),
            buffers: (0..COUNT).map(|_| buffer(HeapType::Default)).collect(),
            readback: buffer(HeapType::Readback),
            device,
        }
    }

    /// Copies from the upload buffer through all others to the readback buffer, in one list.
    fn submit(&self) -> Result<(), Error> {
        let allocator = self.device.create_command_allocator(CommandListType::Copy).unwrap();
        let mut list = self.device.create_command_list(CommandListType::Copy, &allocator).unwrap();
        let mut from = &self.upload;
        for to in self.buffers.iter().chain([&self.readback]) {
            list.copy_buffer_region(to, 0, from, 0, SIZE).unwrap();
            from = to;
        }
        list.close().unwrap();
        self.queue.execute_command_lists(&[&list])
    }

    fn content() -> Vec<u8> {
        (0..SIZE).map(|byte| u8::try_from(byte % 251).unwrap()).collect()
    }

    fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(SIZE).unwrap()];
        self.readback.read(0, &mut bytes).unwrap();
        bytes
    }
}

#[test]
fn a_list_that_exceeds_the_aperture_runs_in_parts() {
    // Each copy needs two buffers, and two copies three, because they share one.
    for (aperture, part_count) in [(2 * SIZE, 7), (3 * SIZE, 4), (8 * SIZE, 1)] {
        let chain = Chain::new(aperture, GpuMode::Immediate);
        chain.upload.write(0, &Chain::content()).unwrap();
        chain.submit().unwrap();
        chain.queue.signal(&chain.fence, 1).unwrap();
        chain.fence.wait(1).unwrap();
        assert_eq!(chain.read(), Chain::content());
        let statistics = chain.queue.statistics();
        assert_eq!((statistics.parts, statistics.calls), (part_count, 7), "an aperture of {aperture} bytes");
    }
}

#[test]
fn a_split_list_runs_call_by_call() {
    let chain = Chain::new(2 * SIZE, GpuMode::Stepped);
    chain.upload.write(0, &Chain::content()).unwrap();
    chain.submit().unwrap();
    assert_ne!(chain.read(), Chain::content());
    chain.device.run_until_idle_by(StepUnit::Command, &mut CreationOrder).unwrap();
    assert_eq!((chain.read(), chain.queue.statistics().parts), (Chain::content(), 7));
}

/// No plan makes two buffers fit an aperture of one: the list does not begin, and the device is removed.
#[test]
fn a_command_that_exceeds_the_aperture_removes_the_device() {
    let chain = Chain::new(SIZE, GpuMode::Immediate);
    chain.upload.write(0, &Chain::content()).unwrap();
    chain.submit().unwrap_err();
    let Some(RemovalReason::Fault(fault)) = chain.device.removed_reason() else {
        panic!("removed by a fault: {:?}", chain.device.removed_reason());
    };
    let text = fault.to_string();
    assert!(
        text.contains("group 0 at SplitOffset 0 needs 128 KiB at once; the segment has 64 KiB"),
        "{text}"
    );
}
