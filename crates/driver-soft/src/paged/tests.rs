//! Heaps that are paged, by hand: pages go, bytes come back, and what finds no memory stays.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone_driver::cost::CostModel;
use heapstone_driver::engine::PageFaultReason;
use heapstone_driver::paging::HeapPaging;
use heapstone_kernel::residency::{EvictFlags, MakeResidentFlags, ResidencyConfig};
use heapstone_kernel::{
    AdapterMemory, AllocationDesc, BudgetPolicy, MemoryManager, MemoryPool, PagingOperation, PagingPlace,
    Process, ProcessDesc, SegmentDesc, SegmentId, SegmentNodes,
};
use heapstone_spec::Profile;
use heapstone_units::GpuVirtualAddress;

use super::*;
use crate::bytes::Access;
use crate::device::HeapRegion;

const PAGE: u64 = 64 << 10;

/// Two segments of a few pages, and who pages between them.
struct Bench {
    segments: Arc<[Segment]>,
    heaps: Arc<PagedHeaps>,
    paging: SoftHeapPaging,
    manager: MemoryManager,
    process: Process,
}

impl Bench {
    fn new(store_bytes: u64) -> Bench {
        let segments: Arc<[Segment]> =
            (0..2).map(|index| Segment::new(index, 16 * PAGE, Access::Open)).collect();
        let heaps = Arc::new(PagedHeaps::new(Arc::clone(&segments), store_bytes));
        let profile = Profile::builtin("discrete-8g").unwrap();
        let paging = SoftHeapPaging::new(Arc::clone(&heaps), Arc::new(CostModel::new(&profile)));
        let segment = |name: &str, pool| SegmentDesc {
            name: name.to_owned(),
            nodes: SegmentNodes::All,
            pool,
            size: 16 * PAGE,
        };
        let manager = MemoryManager::new(AdapterMemory {
            segments: vec![segment("video", MemoryPool::L1), segment("system", MemoryPool::L0)],
            node_count: 1,
            gpu_va_bits_per_process: 40,
            budget_policy: BudgetPolicy::default(),
            residency: ResidencyConfig::default(),
        })
        .unwrap();
        let process = manager.create_process(ProcessDesc::default()).unwrap();
        Bench { segments, heaps, paging, manager, process }
    }

    /// A heap of so many pages, known to the manager.
    fn heap(&self, pages: u64) -> (Allocation, PagedHeap) {
        let allocation = self.process.allocate(&AllocationDesc::heap(pages * PAGE)).unwrap();
        let size = usize::try_from(pages * PAGE).unwrap();
        let heap = PagedHeap::new(&self.heaps, &allocation, size, size);
        heap.enter_paging(self.process.make_known(&allocation, 0));
        (allocation, heap)
    }

    fn carry_out(&mut self) -> Result<(), DriverError> {
        let operations = self.manager.take_paging_operations();
        operations.iter().try_for_each(|operation| self.paging.page(operation))
    }

    /// A byte of the first segment, as its pages hold it.
    fn byte(&self, offset: u64) -> u8 {
        let size = usize::try_from(PAGE).unwrap();
        let page = ByteRange::at(offset / PAGE * PAGE, PAGE).unwrap();
        let window = self.segments[0].heap(page, size);
        let bytes = window.expect("nobody is there").touched_bytes().unwrap();
        let mut byte = [0; 1];
        View::from(&mut byte[..]).copy_from(bytes.view().part(offset % PAGE, 1).unwrap().source());
        byte[0]
    }
}

fn pattern(seed: u8, pages: u64) -> Vec<u8> {
    (0..pages * PAGE).map(|at| u8::try_from(at % 251).unwrap() ^ seed).collect()
}

fn content(heap: &PagedHeap, pages: u64) -> Vec<u8> {
    let mut bytes = vec![0xee; usize::try_from(pages * PAGE).unwrap()];
    heap.read(0, &mut bytes).unwrap();
    bytes
}

#[test]
fn evicted_pages_are_given_back_and_reads_of_them_are_caught() {
    let mut bench = Bench::new(u64::MAX);
    let (allocation, heap) = bench.heap(3);
    heap.write(0, &pattern(1, 3)).unwrap();
    let place = allocation.physical_ranges().next().unwrap();
    let _ = bench.process.evict(&[&allocation], EvictFlags::NONE).unwrap();
    bench.carry_out().unwrap();
    for offset in [place.begin, place.begin + PAGE, place.end - 1] {
        assert_eq!(bench.byte(offset), 0, "its pages went back");
    }
    let mut byte = [0];
    assert_eq!(heap.read(0, &mut byte), Err(DriverError::NotResident));
    assert_eq!(heap.write(0, &byte), Err(DriverError::NotResident));
    // Somebody else takes its place, so that it comes back elsewhere.
    let (_other_allocation, other) = bench.heap(3);
    other.write(0, &pattern(2, 3)).unwrap();
    let flags = MakeResidentFlags::NONE;
    let _ = bench.process.make_resident(&[&allocation], flags).unwrap();
    bench.carry_out().unwrap();
    assert_ne!(allocation.physical_ranges().next(), Some(place));
    assert_eq!(content(&heap, 3), pattern(1, 3));
    assert_eq!(content(&other, 3), pattern(2, 3));
}

#[test]
fn bytes_that_the_store_has_no_room_for_stay_and_are_evicted_all_the_same() {
    let mut bench = Bench::new(PAGE);
    let (allocation, heap) = bench.heap(2);
    heap.write(0, &pattern(1, 2)).unwrap();
    let place = allocation.physical_ranges().next().unwrap();
    let _ = bench.process.evict(&[&allocation], EvictFlags::NONE).unwrap();
    bench.carry_out().unwrap();
    assert_eq!(heap.read(0, &mut [0]), Err(DriverError::NotResident));
    assert_eq!(bench.paging.statistics().bytes_written_back, 0);
    // The kernel gives the place away: the other is kept off the bytes.
    let (other_allocation, other) = bench.heap(2);
    assert_eq!(other_allocation.physical_ranges().next(), Some(place));
    other.write(0, &pattern(2, 2)).unwrap();
    let flags = MakeResidentFlags::NONE;
    let _ = bench.process.make_resident(&[&allocation], flags).unwrap();
    bench.carry_out().unwrap();
    assert_eq!(content(&heap, 2), pattern(1, 2));
    assert_eq!(content(&other, 2), pattern(2, 2));
    // The manager believes that the store has a copy, and has it dropped: it is saved then, or stays.
    let _ = bench.process.evict(&[&allocation], EvictFlags::NONE).unwrap();
    bench.carry_out().unwrap();
    let _ = bench.process.make_resident(&[&allocation], flags).unwrap();
    bench.carry_out().unwrap();
    assert_eq!(content(&heap, 2), pattern(1, 2));
}

#[test]
fn copies_of_the_store_are_counted_until_they_go() {
    let bench = Bench::new(3 * PAGE);
    let (_allocation, heap) = bench.heap(4);
    // A page of zeros takes no room.
    heap.write(0, &pattern(1, 1)).unwrap();
    heap.write(2 * PAGE, &pattern(1, 2)).unwrap();
    let bytes = heap.0.state.lock().known_bytes();
    let room = bench.heaps.store_room();
    let first = Stored::copy_of(bytes.as_ref(), room).unwrap();
    Stored::copy_of(bytes.as_ref(), room).unwrap_err();
    drop(first);
    // What was refused took nothing.
    let _second = Stored::copy_of(bytes.as_ref(), room).unwrap();
}

#[test]
fn moves_and_fills_of_any_pattern_are_carried_out() {
    let mut bench = Bench::new(u64::MAX);
    let (allocation, heap) = bench.heap(2);
    heap.write(0, &pattern(1, 2)).unwrap();
    let (key, bytes) = (allocation.key().unwrap(), 2 * PAGE);
    let ids: Vec<SegmentId> = bench.manager.segments().map(|segment| segment.id).collect();
    let at = |segment: usize, ranges: &[(u64, u64)]| PagingPlace::Segment {
        segment: ids[segment],
        ranges: ranges
            .iter()
            .map(|(page, pages)| ByteRange::at(page * PAGE, pages * PAGE).unwrap())
            .collect(),
    };
    let from = at(0, &[(allocation.physical_ranges().next().unwrap().begin / PAGE, 2)]);
    // Within the segment, scattered, and to the other one.
    for to in [at(0, &[(8, 2)]), at(0, &[(4, 1), (12, 1)]), at(1, &[(3, 2)])] {
        let from = from.clone();
        bench.paging.page(&PagingOperation::Transfer { allocation: key, from, to, bytes }).unwrap();
        assert_eq!(content(&heap, 2), pattern(1, 2));
    }
    assert_eq!(bench.paging.statistics().bytes_moved, 3 * bytes);
    assert_eq!(heap.0.state.lock().window.as_ref().unwrap().segment(), 1);
    let place = at(0, &[(1, 2)]);
    bench.paging.page(&PagingOperation::Discard { allocation: key, place: place.clone(), bytes }).unwrap();
    let fill = PagingOperation::Fill { allocation: key, place, bytes, pattern: 0x0403_0201 };
    bench.paging.page(&fill).unwrap();
    let expected: Vec<u8> = [1, 2, 3, 4].into_iter().cycle().take(content(&heap, 2).len()).collect();
    assert_eq!(content(&heap, 2), expected);
}

#[test]
fn a_heap_whose_address_is_known_stays_and_one_that_is_gone_does_not_come_back() {
    let mut bench = Bench::new(u64::MAX);
    let (allocation, heap) = bench.heap(2);
    let address = heap.map().unwrap().unwrap();
    heap.write(0, &pattern(1, 2)).unwrap();
    let flags = MakeResidentFlags::NONE;
    for _ in 0..2 {
        let _ = bench.process.evict(&[&allocation], EvictFlags::NONE).unwrap();
        bench.carry_out().unwrap();
        assert_eq!(heap.read(0, &mut [0]), Err(DriverError::NotResident));
        let _ = bench.process.make_resident(&[&allocation], flags).unwrap();
        bench.carry_out().unwrap();
        assert_eq!(content(&heap, 2), pattern(1, 2));
        assert_eq!(heap.map().unwrap(), Some(address));
    }
    assert_eq!(bench.paging.statistics().operations, 0);
    let _ = bench.process.evict(&[&allocation], EvictFlags::NONE).unwrap();
    let _ = bench.process.make_resident(&[&allocation], flags).unwrap();
    drop(heap);
    bench.carry_out().unwrap();
    assert_eq!(bench.paging.statistics().operations, 0);
}

/// A region of a heap that is evicted faults, also where it was made while the heap was; and follows the heap.
#[test]
fn regions_fault_while_their_heap_is_evicted() {
    let mut bench = Bench::new(u64::MAX);
    let (allocation, heap) = bench.heap(1);
    heap.write(0, &pattern(1, 1)).unwrap();
    let directory = Mutex::new(crate::device::Directory::default());
    let region_at = |address: u64| -> Arc<HeapRegion> {
        heap.show(&mut |memory| directory.lock().map_heap(GpuVirtualAddress(address), PAGE, memory)).unwrap();
        match directory.lock().find(GpuVirtualAddress(address)).unwrap() {
            crate::device::Region::Heap(region) => region,
            crate::device::Region::Reserved(_) => unreachable!("a heap was mapped"),
        }
    };
    let before = region_at(PAGE);
    let _ = bench.process.evict(&[&allocation], EvictFlags::NONE).unwrap();
    bench.carry_out().unwrap();
    let during = region_at(2 * PAGE);
    for region in [&before, &during] {
        assert_eq!(region.hold().unwrap_err(), PageFaultReason::HeapEvicted);
    }
    let flags = MakeResidentFlags::NONE;
    let _ = bench.process.make_resident(&[&allocation], flags).unwrap();
    bench.carry_out().unwrap();
    for region in [&before, &during] {
        let memory = region.hold().unwrap();
        let HeapBacking::Bytes(bytes) = &memory.backing else { panic!("it has bytes") };
        let mut bytes_there = vec![0; usize::try_from(PAGE).unwrap()];
        View::from(&mut bytes_there[..]).copy_from(bytes.view().source());
        assert_eq!(bytes_there, pattern(1, 1));
    }
    drop(heap);
    for region in [&before, &during] {
        assert_eq!(region.hold().unwrap_err(), PageFaultReason::HeapDestroyed);
    }
}
