//! A device with a queue, and what tests of GPU work do on it.
#![allow(dead_code, reason = "each test crate uses its part")]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::cell::Cell;

use heapstone::spec::commands::{CommandListType, FenceFlags};
use heapstone::*;
use heapstone_driver_soft::{PagingBytes, SoftDriverFactory, SoftDriverOptions};

pub const MODES: [GpuMode; 3] = [GpuMode::Immediate, GpuMode::Threaded, GpuMode::Stepped];

/// An adapter whose heaps' bytes move, and whose freed pages are poison.
pub fn moving_adapter(profile: Profile) -> Adapter {
    let options = SoftDriverOptions { poison: true, paging_bytes: PagingBytes::Moved };
    Adapter::open(profile, &SoftDriverFactory { options }, Backing::Host).unwrap()
}

pub struct Rig {
    pub device: Device,
    pub queue: CommandQueue,
    pub fence: Fence,
    allocator: CommandAllocator,
    signalled: Cell<u64>,
}

impl Rig {
    pub fn new(profile: Profile, mode: GpuMode) -> Rig {
        let factory = SoftDriverFactory::default();
        let device = Device::builder().profile(profile).driver(&factory).gpu_mode(mode).build().unwrap();
        Rig::on(device)
    }

    /// On an adapter whose heaps' bytes move.
    pub fn moving(profile: Profile, mode: GpuMode) -> Rig {
        let adapter = moving_adapter(profile);
        Rig::on(Device::builder().adapter(&adapter).gpu_mode(mode).build().unwrap())
    }

    pub fn on(device: Device) -> Rig {
        let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
        let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
        let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
        Rig { device, queue, fence, allocator, signalled: Cell::new(0) }
    }

    pub fn list(&self) -> CommandList {
        self.device.create_command_list(CommandListType::Direct, &self.allocator).unwrap()
    }

    pub fn buffer(&self, heap_type: HeapType, size: u64) -> Resource {
        let desc = CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(size));
        self.device.create_committed_resource(&desc).unwrap()
    }

    /// An UPLOAD buffer with those bytes.
    pub fn upload(&self, bytes: &[u8]) -> Resource {
        let buffer = self.buffer(HeapType::Upload, bytes.len() as u64);
        buffer.write(0, bytes).unwrap();
        buffer
    }

    pub fn heap(&self, size: u64) -> Heap {
        self.device.create_heap(&HeapDesc::new(size, HeapType::Default)).unwrap()
    }

    pub fn reserved(&self, desc: ResourceDesc) -> Resource {
        self.device.create_reserved_resource(&ReservedResourceDesc::new(desc)).unwrap()
    }

    /// Executes what `record` records, and waits for it.
    pub fn run(&self, record: impl FnOnce(&mut CommandList)) {
        self.try_run(record).unwrap();
    }

    /// As [`Rig::run`], where the work may remove the device.
    pub fn try_run(&self, record: impl FnOnce(&mut CommandList)) -> Result<(), Error> {
        let mut list = self.list();
        record(&mut list);
        list.close()?;
        self.queue.execute_command_lists(&[&list])?;
        self.finish()
    }

    /// Waits for all that is pending, whatever the mode.
    pub fn finish(&self) -> Result<(), Error> {
        let value = self.signalled.get() + 1;
        self.signalled.set(value);
        self.queue.signal(&self.fence, value)?;
        if self.device.gpu_mode() == GpuMode::Stepped {
            self.device.run_until(&self.fence, value)?;
        }
        self.fence.wait(value)?;
        self.device.removed_reason().map_or(Ok(()), |reason| Err(reason.clone().into()))
    }

    /// Bytes of a buffer on any heap, or reserved.
    pub fn bytes(&self, buffer: &Resource, offset: u64, size: u64) -> Vec<u8> {
        let readback = self.buffer(HeapType::Readback, size);
        self.run(|list| list.copy_buffer_region(&readback, 0, buffer, offset, size).unwrap());
        let mut bytes = vec![0; usize::try_from(size).unwrap()];
        readback.read(0, &mut bytes).unwrap();
        bytes
    }
}
