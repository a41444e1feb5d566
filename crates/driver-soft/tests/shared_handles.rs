//! Heaps that other processes map. One test counts the process's handles, so that they run in turn.
#![cfg(all(target_os = "linux", not(miri)))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::fs::File;
use std::os::unix::fs::FileExt;

use common::{Adapter, Heap};
use heapstone_driver::{Backing, Driver as _, DriverError};
use heapstone_driver_soft::SoftDriverOptions;
use heapstone_spec::HeapFlags;

const PAGE: u64 = 64 << 10;

#[test]
fn shared_heaps() {
    a_second_mapping_is_the_same_bytes();
    a_heap_of_a_host_device_is_shared_where_its_flags_say_so();
    bytes_live_as_long_as_a_handle();
    nothing_is_left_of_heaps_destroyed_or_refused();
    only_shared_heaps_of_the_driver_have_handles();
}

fn shared(adapter: &Adapter, heap: &Heap) -> File {
    File::from(adapter.driver.share_heap(heap.bytes.as_ref()).unwrap())
}

fn a_second_mapping_is_the_same_bytes() {
    let adapter = Adapter::new(Backing::Shared, 64 * PAGE, SoftDriverOptions::default());
    let heap = adapter.create(100_000, HeapFlags::empty()).unwrap();
    assert_eq!(heap.bytes.backing(), Backing::Shared);
    let file = shared(&adapter, &heap);
    // 25 pages, and one for the description.
    assert_eq!(file.metadata().unwrap().len(), 26 * 4096);
    // SAFETY: the size of the file is sealed, and no other thread writes it meanwhile.
    let mut mapped = unsafe { memmap2::MmapMut::map_mut(&file) }.unwrap();
    assert_ne!(mapped.as_mut_ptr(), heap.address());
    assert_eq!(&mapped[..], vec![0; 26 * 4096]);
    heap.bytes.write(99_998, &[1, 2]).unwrap();
    assert_eq!(mapped[99_997..100_000], [0, 1, 2]);
    mapped[5] = 9;
    assert_eq!(heap.read(4, 3), [0, 9, 0]);
    let sixth = heap.address().wrapping_add(5);
    // SAFETY: the byte is the heap's, and nobody writes it meanwhile.
    assert_eq!(unsafe { sixth.read_volatile() }, 9);
    adapter.destroy(heap);
}

fn a_heap_of_a_host_device_is_shared_where_its_flags_say_so() {
    let adapter = Adapter::new(Backing::Host, 64 * PAGE, SoftDriverOptions::default());
    let heap = adapter.create(PAGE, HeapFlags::SHARED).unwrap();
    assert_eq!(heap.bytes.backing(), Backing::Shared);
    heap.bytes.write(10, b"shared").unwrap();
    let mut seen = [0; 6];
    shared(&adapter, &heap).read_exact_at(&mut seen, 10).unwrap();
    assert_eq!(&seen, b"shared");
    adapter.destroy(heap);
}

fn bytes_live_as_long_as_a_handle() {
    let adapter = Adapter::new(Backing::Shared, PAGE, SoftDriverOptions::default());
    let heap = adapter.create(PAGE, HeapFlags::empty()).unwrap();
    heap.bytes.write(0, b"kept").unwrap();
    let file = shared(&adapter, &heap);
    adapter.destroy(heap);
    let mut seen = [0; 4];
    file.read_exact_at(&mut seen, 0).unwrap();
    assert_eq!(&seen, b"kept");
    let again = adapter.create(PAGE, HeapFlags::empty()).unwrap();
    assert_eq!(again.read(0, 4), [0; 4], "a heap at the same place has a file of its own");
}

fn nothing_is_left_of_heaps_destroyed_or_refused() {
    let handles = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let mappings = || {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().filter(|line| line.contains("heapstone heap")).count()
    };
    let adapter = Adapter::new(Backing::Shared, 1 << 62, SoftDriverOptions::default());
    let (handles_before, mappings_before) = (handles(), mappings());
    let heaps: Vec<Heap> = (0..10).map(|_| adapter.create(PAGE, HeapFlags::empty()).unwrap()).collect();
    assert_eq!((handles(), mappings()), (handles_before + 10, mappings_before + 10));
    // 2^61 bytes: the file can be made, and then not be mapped.
    let refused = adapter.create(1 << 61, HeapFlags::empty()).err().unwrap();
    assert!(matches!(refused, DriverError::OutOfMemory { size, .. } if size == 1 << 61), "{refused:?}");
    assert_eq!((handles(), mappings()), (handles_before + 10, mappings_before + 10));
    heaps.into_iter().for_each(|heap| adapter.destroy(heap));
    assert_eq!((handles(), mappings()), (handles_before, mappings_before));
}

fn only_shared_heaps_of_the_driver_have_handles() {
    let host = Adapter::new(Backing::Host, 64 * PAGE, SoftDriverOptions::default());
    let phantom = Adapter::new(Backing::Phantom, 64 * PAGE, SoftDriverOptions::default());
    let other = Adapter::new(Backing::Shared, 64 * PAGE, SoftDriverOptions::default());
    for heap in [
        host.create(PAGE, HeapFlags::empty()).unwrap(),
        phantom.create(PAGE, HeapFlags::SHARED).unwrap(),
        other.create(PAGE, HeapFlags::empty()).unwrap(),
    ] {
        let refused = host.driver.share_heap(heap.bytes.as_ref()).unwrap_err();
        assert!(matches!(refused, DriverError::Unsupported { .. }), "{refused:?}");
    }
}
