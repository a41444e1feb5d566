//! Heaps of all backings, as the runtime uses them.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::{Adapter, BOTH_OPTIONS, Heap, desc};
use heapstone_driver::{Backing, CreateHeap, CreateResource, Driver, DriverError, ResourcePlace};
use heapstone_driver_soft::{PagingBytes, SoftDriverOptions};
use heapstone_kernel::PageSize;
use heapstone_spec::HeapFlags;
use heapstone_units::ByteRange;

const MIB: u64 = 1 << 20;
const PAGE: u64 = 64 << 10;
const PAGE_LENGTH: usize = 64 << 10;

fn host(size: u64, options: SoftDriverOptions) -> Adapter {
    Adapter::new(Backing::Host, size, options)
}

#[test]
fn a_new_heap_is_zero_touched_or_not() {
    for options in BOTH_OPTIONS {
        for flags in [HeapFlags::empty(), HeapFlags::CREATE_NOT_ZEROED] {
            let adapter = host(MIB, options);
            let heap = adapter.create(2 * PAGE, flags).unwrap();
            assert_eq!(heap.read(0, 2 * PAGE_LENGTH), vec![0; 2 * PAGE_LENGTH]);
            heap.bytes.write(PAGE, &[9]).unwrap();
            assert_eq!(heap.read(PAGE - 1, 3), [0, 9, 0]);
            adapter.destroy(heap);
        }
    }
}

#[test]
fn memory_used_again_is_zero() {
    for options in BOTH_OPTIONS {
        let adapter = host(2 * PAGE, options);
        for round in 1..=3 {
            // All of video memory, so that it is the same bytes each time.
            let heap = adapter.create(2 * PAGE, HeapFlags::CREATE_NOT_ZEROED).unwrap();
            let first = heap.address();
            assert_eq!(heap.read(0, 2 * PAGE_LENGTH), vec![0; 2 * PAGE_LENGTH], "round {round}");
            heap.bytes.write(0, &vec![round; 2 * PAGE_LENGTH]).unwrap();
            assert_eq!(heap.address(), first, "the address is the heap's for its life");
            adapter.destroy(heap);
        }
    }
}

/// Dropping without the driver's call is as good.
#[test]
fn a_dropped_heap_gives_its_memory_back() {
    let adapter = host(PAGE, SoftDriverOptions { poison: false, paging_bytes: PagingBytes::InPlace });
    let Heap { bytes, allocation } = adapter.create(PAGE, HeapFlags::empty()).unwrap();
    bytes.write(0, &[1; PAGE_LENGTH]).unwrap();
    drop(bytes);
    let heap = adapter.create_at(allocation, PAGE, HeapFlags::empty()).unwrap();
    heap.address();
    assert_eq!(heap.read(0, PAGE_LENGTH), [0; PAGE_LENGTH]);
}

#[test]
fn neighbours_keep_their_bytes_at_both_page_sizes() {
    for (page_size, size) in [(PageSize::FourKib, 4096), (PageSize::SixtyFourKib, PAGE)] {
        for options in BOTH_OPTIONS {
            let adapter = host(4 * PAGE, options);
            let length = usize::try_from(size).unwrap();
            let heap = |byte: u8| {
                let heap = adapter.create_at(adapter.allocate(size, page_size), size, HeapFlags::empty());
                let heap = heap.unwrap();
                heap.bytes.write(0, &vec![byte; length]).unwrap();
                heap
            };
            let (a, b, c) = (heap(1), heap(2), heap(3));
            adapter.destroy(b);
            assert_eq!(a.read(0, length), vec![1; length]);
            assert_eq!(c.read(0, length), vec![3; length]);
            let again = adapter.create_at(adapter.allocate(size, page_size), size, HeapFlags::empty());
            let again = again.unwrap();
            again.address();
            assert_eq!(again.read(0, length), vec![0; length]);
            assert_eq!(a.read(0, length), vec![1; length]);
            assert_eq!(c.read(0, length), vec![3; length]);
        }
    }
}

/// The heap's bytes are those of the segment where the kernel placed it.
#[test]
fn addresses_differ_as_physical_offsets_do() {
    for options in BOTH_OPTIONS {
        let adapter = host(MIB, options);
        let heaps: Vec<Heap> =
            (1..=3).map(|pages| adapter.create(pages * PAGE, HeapFlags::empty()).unwrap()).collect();
        let places: Vec<u64> =
            heaps.iter().map(|heap| heap.allocation.physical_ranges().next().unwrap().begin).collect();
        let address = |heap: &Heap| u64::try_from(heap.address().addr()).unwrap();
        for (heap, place) in heaps.iter().zip(&places) {
            assert_eq!(address(heap).wrapping_sub(address(&heaps[0])), place.wrapping_sub(places[0]));
        }
    }
}

#[test]
fn a_scattered_heap_is_contiguous_for_the_cpu() {
    for options in BOTH_OPTIONS {
        let adapter = host(8 * PAGE, options);
        let pages: Vec<_> = (0..8).map(|_| adapter.allocate(PAGE, PageSize::SixtyFourKib)).collect();
        let mut kept = Vec::new();
        for page in pages {
            // Every second page, by its place and not by the order in which the kernel hands them out.
            let begin = page.physical_ranges().next().unwrap().begin;
            if (begin / PAGE).is_multiple_of(2) { adapter.free(page) } else { kept.push(page) }
        }
        let heap = adapter.create(4 * PAGE, HeapFlags::empty()).unwrap();
        assert_eq!(heap.allocation.physical_ranges().count(), 4);
        assert_eq!(heap.read(0, 4 * PAGE_LENGTH), vec![0; 4 * PAGE_LENGTH]);

        let pattern: Vec<u8> = (0..=250).cycle().take(4 * PAGE_LENGTH).collect();
        heap.bytes.write(0, &pattern).unwrap();
        let address = heap.address();
        let mut seen = vec![0; 4 * PAGE_LENGTH];
        // SAFETY: the heap has four pages, the vector as many bytes, and nobody writes either now.
        unsafe { seen.as_mut_ptr().copy_from_nonoverlapping(address, 4 * PAGE_LENGTH) };
        assert_eq!(seen, pattern);
        assert_eq!(heap.address(), address);
        assert_eq!(heap.read(3 * PAGE - 1, 2), pattern[3 * PAGE_LENGTH - 1..=3 * PAGE_LENGTH]);

        let place = ByteRange::new(4 * PAGE, 4 * PAGE + 1);
        assert_eq!(
            heap.bytes.write(4 * PAGE, &[1]),
            Err(DriverError::OutOfRange { range: place, size: 4 * PAGE })
        );
        adapter.destroy(heap);
    }
}

/// A heap need not be whole pages: its last byte is not its page's.
#[test]
fn bytes_outside_the_heap_are_refused_with_the_numbers() {
    let size = 100_000;
    let backings: &[Backing] = if cfg!(miri) { &[Backing::Host] } else { &[Backing::Host, Backing::Shared] };
    for backing in backings {
        let adapter = Adapter::new(*backing, MIB, SoftDriverOptions::default());
        let heap = adapter.create(size, HeapFlags::empty()).unwrap();
        for (offset, count, end) in [
            (size, 1, size + 1),
            (size - 1, 2, size + 1),
            (0, 100_001, size + 1),
            (1 << 63, 1, (1 << 63) + 1),
            ((1 << 63) - 1, 2, (1 << 63) + 1),
            (u64::MAX, 1, u64::MAX),
            (u64::MAX, 2, u64::MAX),
            (u64::MAX - 1, 1, u64::MAX),
        ] {
            let refused = Err(DriverError::OutOfRange { range: ByteRange::new(offset, end), size });
            let mut bytes = vec![0xEE; count];
            assert_eq!(heap.bytes.write(offset, &bytes), refused, "{backing:?} {offset} {count}");
            assert_eq!(heap.bytes.read(offset, &mut bytes), refused, "{backing:?} {offset} {count}");
            assert!(bytes.iter().all(|byte| *byte == 0xEE), "nothing is copied");
        }
        assert_eq!(heap.read(0, 100_000), vec![0; 100_000], "nothing was written");
        heap.bytes.write(size - 1, &[1]).unwrap();
        assert_eq!(heap.read(size - 2, 2), [0, 1]);
        // No byte is in every heap, as an empty D3D12_RANGE is.
        assert_eq!(heap.bytes.write(u64::MAX, &[]), Ok(()));
        assert_eq!(heap.bytes.read(size, &mut []), Ok(()));
    }
}

#[test]
fn a_phantom_heap_has_no_bytes() {
    let adapter = Adapter::new(Backing::Phantom, 1 << 50, SoftDriverOptions::default());
    for flags in [HeapFlags::empty(), HeapFlags::SHARED] {
        let heap = adapter.create(1 << 40, flags).unwrap();
        assert_eq!(heap.bytes.backing(), Backing::Phantom);
        assert_eq!(heap.bytes.map(), Ok(None));
        heap.bytes.unmap();
        assert_eq!(heap.bytes.read(0, &mut [0]), Err(DriverError::NoBytes));
        assert_eq!(heap.bytes.write(0, &[0]), Err(DriverError::NoBytes));
        adapter.destroy(heap);
    }
}

/// 2^62 bytes: no machine has so many addresses, neither for the segment nor for the heap.
#[test]
fn a_segment_that_cannot_be_reserved_costs_only_its_large_heaps() {
    for options in BOTH_OPTIONS {
        let adapter = host(1 << 62, options);
        let large = adapter.create(1 << 61, HeapFlags::empty()).unwrap();
        for refused in [large.bytes.map().unwrap_err(), large.bytes.write(1 << 60, &[1]).unwrap_err()] {
            assert!(
                matches!(&refused, DriverError::OutOfMemory { size, reason, .. }
                    if *size == 1 << 61 && !reason.is_empty()),
                "{refused:?}"
            );
        }
        assert_eq!(large.read(1 << 60, 3), [0; 3], "an untouched heap is zero all the same");
        let small = adapter.create(PAGE, HeapFlags::empty()).unwrap();
        small.bytes.write(PAGE - 1, &[3]).unwrap();
        assert_eq!(small.read(PAGE - 2, 2), [0, 3]);
        adapter.destroy(large);
        adapter.destroy(small);
    }
}

/// A caller's mistake, not a panic; and nothing was made.
#[test]
fn a_place_that_is_not_the_drivers_is_refused() {
    let small = host(PAGE, SoftDriverOptions::default());
    let large = host(2 * PAGE, SoftDriverOptions::default());
    let foreign = large.allocate(2 * PAGE, PageSize::SixtyFourKib);
    let create = |adapter: &Adapter, heap: CreateHeap<'_>| {
        adapter.driver.create_heap_and_resource(Some(heap), None).err().unwrap().to_string()
    };
    assert_eq!(
        create(&small, desc(&foreign, 2 * PAGE, HeapFlags::empty())),
        "the driver does not do a heap of 131072 bytes in an allocation of 131072 bytes at [0, 131072) of \
         segment 0: it does not lie in the segment"
    );
    assert_eq!(
        create(&large, desc(&foreign, 2 * PAGE + 1, HeapFlags::empty())),
        "the driver does not do a heap of 131073 bytes in an allocation of 131072 bytes at [0, 131072) of \
         segment 0: the allocation is smaller"
    );
}

#[test]
fn heap_and_resource_come_together_or_apart() {
    use heapstone_layout::ResourceSizer;
    use heapstone_spec::ResourceDesc;
    use heapstone_units::Alignment;

    let adapter = host(MIB, SoftDriverOptions::default());
    let buffer = ResourceDesc::buffer(1000);
    let info = adapter.driver.check_resource_allocation_info(&buffer, Alignment::constant(PAGE)).unwrap();
    let resource = |place| CreateResource { desc: &buffer, info: &info, clear_value: None, place };
    let allocation = adapter.allocate(PAGE, PageSize::SixtyFourKib);
    let heap = desc(&allocation, PAGE, HeapFlags::empty());

    let both = adapter.driver.create_heap_and_resource(Some(heap), Some(resource(ResourcePlace::WithHeap)));
    let both = both.unwrap();
    // The driver keeps nothing of a resource, made with its heap or without.
    assert_eq!(both.resource, None);
    let heap = both.heap.unwrap();
    let placed = ResourcePlace::InHeap { heap: heap.as_ref(), offset: 4096 };
    let in_heap = adapter.driver.create_heap_and_resource(None, Some(resource(placed))).unwrap();
    assert!(in_heap.heap.is_none() && in_heap.resource.is_none());
    let reserved = adapter.driver.create_heap_and_resource(None, Some(resource(ResourcePlace::Reserved)));
    let reserved = reserved.unwrap();
    assert!(reserved.heap.is_none() && reserved.resource.is_none());
    let neither = adapter.driver.create_heap_and_resource(None, None).unwrap();
    assert!(neither.heap.is_none() && neither.resource.is_none());
    let orphan = adapter.driver.create_heap_and_resource(None, Some(resource(ResourcePlace::WithHeap)));
    assert!(matches!(orphan, Err(DriverError::Unsupported { .. })));

    adapter.driver.destroy_heap_and_resource(Some(heap), both.resource);
}

/// A pointer that outlives its heap meets a closed page, in place of a later heap's bytes.
#[cfg(not(miri))]
#[test]
fn poison_closes_the_pages_of_a_heap_that_is_gone() {
    let permissions = |address: usize| {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().find_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let (begin, end) = fields.next()?.split_once('-')?;
            let range = usize::from_str_radix(begin, 16).ok()?..usize::from_str_radix(end, 16).ok()?;
            range.contains(&address).then(|| fields.next().unwrap().to_owned())
        })
    };
    for (options, gone) in BOTH_OPTIONS.into_iter().zip(["rw-p", "---p"]) {
        let adapter = host(4 * PAGE, options);
        let (before, heap) =
            (adapter.create(PAGE, HeapFlags::empty()), adapter.create(PAGE, HeapFlags::empty()));
        let (before, heap) = (before.unwrap(), heap.unwrap());
        let (neighbour, address) = (before.address().addr(), heap.address().addr());
        assert_eq!(permissions(address).as_deref(), Some("rw-p"));
        adapter.destroy(heap);
        assert_eq!(permissions(address).as_deref(), Some(gone), "{options:?}");
        assert_eq!(permissions(neighbour).as_deref(), Some("rw-p"));
        let again = adapter.create(PAGE, HeapFlags::empty()).unwrap();
        assert_eq!(again.address().addr(), address, "the kernel gives the same place again");
        assert_eq!(again.read(0, PAGE_LENGTH), [0; PAGE_LENGTH]);
    }
}
