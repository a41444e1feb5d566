//! Both allocators on a device: the handles lead where they say, and what a list in flight reads is not
//! overwritten.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone::spec::commands::{CommandListType, FenceFlags};
use heapstone::spec::views::{DescriptorHeapDesc, DescriptorHeapType, Filter, SamplerDesc};
use heapstone::{Backing, CommandQueueDesc, DescriptorHeap, Device, GpuMode, Profile};
use heapstone_descriptors::{DescriptorAllocator, DescriptorRing, HeapRange, UsePoint};
use heapstone_driver_soft::SoftDriverFactory;

fn device() -> Device {
    let factory = SoftDriverFactory::default();
    let builder = Device::builder().profile(Profile::builtin("discrete-8g").unwrap()).driver(&factory);
    builder.backing(Backing::Phantom).gpu_mode(GpuMode::Stepped).build().unwrap()
}

fn samplers(device: &Device, count: u32) -> (DescriptorHeap, HeapRange) {
    let desc = DescriptorHeapDesc::new(DescriptorHeapType::Sampler, count).shader_visible();
    let heap = device.create_descriptor_heap(&desc).unwrap();
    let increment = device.descriptor_handle_increment_size(desc.heap_type);
    let range = HeapRange::of_heap(heap.cpu_start(), heap.gpu_start().ok(), increment, count).unwrap();
    (heap, range)
}

#[test]
fn handles_lead_to_the_descriptors_that_were_handed_out() {
    let device = device();
    let (heap, range) = samplers(&device, 64);
    let mut allocator = DescriptorAllocator::new(range.part(32, 32).unwrap());
    let mut ring = DescriptorRing::new(range.part(0, 32).unwrap());
    let sampler = SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR);
    for count in [1, 7, 3] {
        for span in [allocator.allocate(count).unwrap().span(), ring.allocate(count).unwrap()] {
            for index in span.first..span.first + span.count {
                let handle = range.cpu(index).unwrap();
                device.create_sampler(&sampler, handle).unwrap();
                let place = device.locate_gpu_descriptor(range.gpu(index).unwrap()).unwrap();
                assert_eq!((place.heap_start, place.index), (heap.cpu_start(), index));
                assert_eq!(device.sampler(handle).unwrap(), sampler);
            }
        }
    }
}

#[test]
fn frames_come_back_when_the_queue_has_signalled() {
    let device = device();
    let (_heap, range) = samplers(&device, 8);
    let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
    let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
    let mut ring = DescriptorRing::new(range);
    let used = |value| UsePoint { queue: 0, value };
    for frame in 1..=2 {
        ring.allocate(4).unwrap();
        queue.signal(&fence, frame).unwrap();
        ring.finish(&[used(frame)]).unwrap();
    }
    ring.complete(used(fence.completed_value())).unwrap();
    assert!(ring.allocate(1).is_err(), "both frames are in flight");
    queue.run_until_idle().unwrap();
    assert_eq!(fence.completed_value(), 2);
    ring.complete(used(fence.completed_value())).unwrap();
    assert_eq!(ring.allocate(8).unwrap().first, 0);
}
