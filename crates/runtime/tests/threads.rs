//! Free-threaded use (spec/2-resource-heaps.txt 185, 249, 647).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::mpsc;

use common::counting::CountingFactory;
use common::*;
use heapstone::{
    Adapter, Backing, CommittedResourceDesc, Device, Error, Heap, HeapDesc, HeapType, MapPointer,
    PlacedResourceDesc, ReservedResourceDesc, Resource, ResourceDesc,
};

const _: () = {
    const fn is_free_threaded<T: Send + Sync>() {}
    is_free_threaded::<Adapter>();
    is_free_threaded::<Device>();
    is_free_threaded::<Heap>();
    is_free_threaded::<Resource>();
    is_free_threaded::<Error>();
};

const THREADS: u64 = 4;
const ROUNDS: u64 = 150;

#[test]
fn threads_create_map_and_drop_on_one_device() {
    for backing in [Backing::Host, Backing::Phantom] {
        let factory = CountingFactory::default();
        let device = Device::builder().profile(profile("discrete-8g")).driver(&factory).backing(backing);
        let device = device.build().unwrap();
        let shared = device.create_heap(&HeapDesc::new(MIB, HeapType::Upload)).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (device, shared) = (&device, &shared);
                scope.spawn(move || work(device, shared, thread, backing));
            }
        });
        assert_eq!(usage(&device), [0, MIB], "only the shared heap is left");
        drop(shared);
        assert_empty(&device);
        assert!(factory.watch.is_empty());
    }
}

/// Each thread has two pages of the shared heap, and keeps what it writes there.
fn work(device: &Device, shared: &Heap, thread: u64, backing: Backing) {
    let buffer = PlacedResourceDesc::new(ResourceDesc::buffer(65_536));
    for round in 0..ROUNDS {
        let heap = device.create_heap(&HeapDesc::new((round % 7 + 1) * 65_536, HeapType::Default)).unwrap();
        let inside = device.create_placed_resource(&heap, 0, &buffer).unwrap();
        let mine = device.create_placed_resource(shared, (2 * thread + round % 2) * 65_536, &buffer).unwrap();
        let mapping = mine.map(0, None, MapPointer::Wanted).unwrap();
        assert_eq!(mapping.pointer.is_some(), backing == Backing::Host);
        if backing == Backing::Host {
            let bytes = [u8::try_from(thread).unwrap(), u8::try_from(round).unwrap()];
            mine.write(round, &bytes).unwrap();
            let mut read = [0; 2];
            mine.read(round, &mut read).unwrap();
            assert_eq!(read, bytes);
        }
        mine.unmap(0, None).unwrap();
        let committed = device
            .create_committed_resource(&CommittedResourceDesc::new(
                HeapType::Readback,
                tight_buffer(round + 1),
            ))
            .unwrap();
        let reserved = device
            .create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(round + 1)))
            .unwrap();
        device.create_heap(&HeapDesc::new(1 << 60, HeapType::Default)).unwrap_err();
        drop(heap);
        drop((committed, inside, reserved, mine));
    }
}

#[test]
fn an_object_may_die_on_another_thread() {
    let device = device("discrete-8g");
    let (sender, receiver) = mpsc::channel::<Resource>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for resource in receiver {
                drop(resource);
            }
        });
        let heap = device.create_heap(&HeapDesc::new(16 * MIB, HeapType::Default)).unwrap();
        for index in 0..200 {
            let placed = PlacedResourceDesc::new(ResourceDesc::buffer(1000));
            sender.send(device.create_placed_resource(&heap, index * 65_536, &placed).unwrap()).unwrap();
            let committed = CommittedResourceDesc::new(HeapType::Default, rgba8(64, 64));
            sender.send(device.create_committed_resource(&committed).unwrap()).unwrap();
        }
        drop((heap, sender));
    });
    assert_empty(&device);
}

/// The cap on what peers reach holds whoever comes first.
#[test]
fn threads_share_one_cap() {
    let device = device("linked-two-nodes");
    let peer = HeapDesc {
        flags: heapstone::HeapFlags::ALLOW_SHADER_ATOMICS,
        properties: heapstone::HeapProperties::new(HeapType::Default).with_nodes(1, 3),
        ..HeapDesc::new(8 * MIB, HeapType::Default)
    };
    let made: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| (0..4).filter_map(|_| device.create_heap(&peer).ok()).collect::<Vec<_>>())
            })
            .collect();
        let heaps: Vec<Vec<Heap>> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        heaps.iter().map(Vec::len).sum()
    });
    assert_eq!(made, 8, "64 MiB of 8 MiB each");
    assert_empty(&device);
}
