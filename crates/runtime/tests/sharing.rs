//! Shared heaps and committed resources (spec/2-resource-heaps.txt 75-101).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::fs::File;
use std::os::fd::OwnedFd;

use common::*;
use heapstone::spec::rules::sharing as rules;
use heapstone::{
    CommittedResourceDesc, Heap, HeapDesc, HeapFlags, HeapType, PlacedResourceDesc, Resource, ResourceDesc,
};

const SIZE: u64 = 128 << 10;

fn shared_heap() -> HeapDesc {
    HeapDesc { flags: HeapFlags::SHARED, ..HeapDesc::new(SIZE, HeapType::Upload) }
}

fn placed(device: &heapstone::Device, heap: &Heap) -> Resource {
    device.create_placed_resource(heap, 0, &PlacedResourceDesc::new(ResourceDesc::buffer(SIZE))).unwrap()
}

#[test]
fn a_heap_that_another_device_opens_has_the_same_bytes() {
    let (first, second) = (host_device("discrete-8g"), host_device("integrated-uma"));
    let heap = first.create_heap(&shared_heap()).unwrap();
    let opened = second.open_shared_heap(&shared_heap(), heap.create_shared_handle().unwrap()).unwrap();
    let (a, b) = (placed(&first, &heap), placed(&second, &opened));
    a.write(70_000, b"there").unwrap();
    let mut seen = [0; 5];
    b.read(70_000, &mut seen).unwrap();
    assert_eq!(&seen, b"there");
    b.write(70_000, b"back.").unwrap();
    // Who made it may go.
    drop((a, heap, first));
    b.read(70_000, &mut seen).unwrap();
    assert_eq!(&seen, b"back.");
}

#[test]
fn a_committed_resource_that_another_device_opens_has_the_same_bytes() {
    let (first, second) = (host_device("discrete-8g"), host_device("discrete-8g"));
    let desc = CommittedResourceDesc {
        heap_flags: HeapFlags::SHARED,
        ..CommittedResourceDesc::new(HeapType::Readback, ResourceDesc::buffer(1000))
    };
    let made = first.create_committed_resource(&desc).unwrap();
    let opened = second.open_shared_resource(&desc, made.create_shared_handle().unwrap()).unwrap();
    made.write(990, &[7; 10]).unwrap();
    let mut seen = [0; 10];
    opened.read(990, &mut seen).unwrap();
    assert_eq!(seen, [7; 10]);
}

#[test]
fn what_was_not_created_for_it_is_not_shared() {
    let device = host_device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(SIZE, HeapType::Upload)).unwrap();
    refused(heap.create_shared_handle(), &rules::SHARED_FLAG);
    let shared = device.create_heap(&shared_heap()).unwrap();
    refused(placed(&device, &shared).create_shared_handle(), &rules::SHARED_KIND);
    let plain = HeapDesc { flags: HeapFlags::empty(), ..shared_heap() };
    refused(device.open_shared_heap(&plain, shared.create_shared_handle().unwrap()), &rules::SHARED_FLAG);
}

#[test]
fn a_file_that_does_not_fit_the_description_is_refused() {
    let device = host_device("discrete-8g");
    let heap = device.create_heap(&shared_heap()).unwrap();
    let used = device.gpu_virtual_address_statistics().used;
    let larger = HeapDesc { size: SIZE + (64 << 10), ..shared_heap() };
    refused(
        device.open_shared_heap(&larger, heap.create_shared_handle().unwrap()),
        &rules::SHARED_DESCRIPTION,
    );
    // No file in memory: nobody promises its size.
    let other = OwnedFd::from(File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap());
    refused(device.open_shared_heap(&shared_heap(), other), &rules::SHARED_DESCRIPTION);
    assert_eq!(device.gpu_virtual_address_statistics().used, used, "after an error nothing has changed");
}
