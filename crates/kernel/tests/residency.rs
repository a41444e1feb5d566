//! MakeResident, Evict, paging fences, offers, priorities, trims.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::sync::{Arc, Mutex};

use heapstone_kernel::residency::*;
use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{GIB, KIB, MIB};

const LOCAL: SegmentGroup = SegmentGroup::Local;
const NON_LOCAL: SegmentGroup = SegmentGroup::NonLocal;
const NONE: MakeResidentFlags = MakeResidentFlags::NONE;
const DENY: MakeResidentFlags = MakeResidentFlags::DENY_OVERBUDGET;
const LAZILY: EvictFlags = EvictFlags::EVICT_ONLY_IF_NECESSARY;

fn memory(local: u64, system: u64) -> AdapterMemory {
    let residency = ResidencyConfig { policy: policy::PolicyKind::Lru, ..ResidencyConfig::default() };
    AdapterMemory { residency, ..AdapterMemory::discrete(&[local], system, 40) }
}

fn manager(local: u64, system: u64) -> MemoryManager {
    MemoryManager::new(memory(local, system)).unwrap()
}

fn process(manager: &MemoryManager) -> Process {
    manager.create_process(ProcessDesc::default()).unwrap()
}

fn heap(process: &Process, size: u64) -> Allocation {
    process.allocate(&AllocationDesc::heap(size)).unwrap()
}

fn evicted(process: &Process, size: u64) -> Allocation {
    process.allocate_evicted(&AllocationDesc::heap(size), InitialContent::Stored).unwrap()
}

fn count(process: &Process, allocation: &Allocation) -> u32 {
    process.residency(allocation).count
}

fn usage(process: &Process) -> u64 {
    process.usage(0, LOCAL).unwrap()
}

#[test]
fn an_allocation_is_created_resident_once_and_evicted_at_zero() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    let object = heap(&process, MIB);
    let address = object.virtual_address();
    assert_eq!((count(&process, &object), usage(&process)), (1, MIB));
    let made = process.make_resident(&[&object], NONE).unwrap();
    assert_eq!(made, MadeResident::default(), "it was there: nothing is pending");
    process.evict(&[&object], EvictFlags::NONE).unwrap();
    assert_eq!((count(&process, &object), usage(&process)), (1, MIB), "a count above 0 keeps it");
    process.evict(&[&object], EvictFlags::NONE).unwrap();
    assert_eq!((count(&process, &object), usage(&process)), (0, 0));
    assert!(!object.is_in_memory() && object.physical_ranges().next().is_none());
    assert_eq!(object.virtual_address(), address, "evicted objects keep their addresses");
    let made = process.make_resident(&[&object], NONE).unwrap();
    assert!(made.paging_fence.is_some() && object.is_in_memory());
    assert_eq!(usage(&process), MIB);
    process.free(object);
    assert_eq!(usage(&process), 0);
}

#[test]
fn evicting_too_often_changes_nothing() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    let (one, two) = (heap(&process, MIB), heap(&process, MIB));
    // The second object stands there twice and counts 1: neither is counted down.
    let error = process.evict(&[&one, &two, &two], EvictFlags::NONE).unwrap_err();
    assert_eq!(error, ResidencyError::NotResident { index: 2, count: 1 });
    assert_eq!((count(&process, &one), count(&process, &two), usage(&process)), (1, 1, 2 * MIB));
    process.evict(&[&one], EvictFlags::NONE).unwrap();
    let error = process.evict(&[&two, &one], EvictFlags::NONE).unwrap_err();
    assert_eq!(error, ResidencyError::NotResident { index: 1, count: 0 });
    assert_eq!((count(&process, &one), count(&process, &two)), (0, 1));
    assert_eq!(
        error.to_string(),
        "object 1 is evicted more often than it was made resident: its count is 0; allowed: at least 1"
    );
}

#[test]
fn the_newest_fence_is_that_of_the_specification() {
    // spec/2-resource-heaps.txt 511-516: {3, 1} gives 43, {2} gives 42; the answer is 43.
    assert_eq!(newest_paging_fence([43, 42]), Ok(Some(43)));
    assert_eq!(newest_paging_fence([42, 43]), Ok(Some(43)));
    // Batches that were resident already answer 0, and are not asked.
    assert_eq!(newest_paging_fence([0, 42, 0]), Ok(Some(42)));
    assert_eq!(newest_paging_fence([0]), Ok(None));
    assert_eq!(newest_paging_fence([]), Ok(None));
    // Across 2^32: the winner's own 64 bits come back.
    let wrapped = (1 << 32) + 2;
    assert_eq!(newest_paging_fence([0xFFFF_FFFE, wrapped]), Ok(Some(wrapped)));
    assert_eq!(newest_paging_fence([wrapped, 0xFFFF_FFFE]), Ok(Some(wrapped)));
    // A distance just below 2^31 is told, one of 2^31 is not.
    assert_eq!(newest_paging_fence([1, 0x8000_0000]), Ok(Some(0x8000_0000)));
    assert_eq!(newest_paging_fence([1, 0x8000_0001]), Err(AmbiguousFences { first: 1, second: 0x8000_0001 }));
}

#[test]
fn a_call_waits_for_the_newest_batch_of_its_objects() {
    // The paging fence wraps around its low half between the two batches.
    let memory = AdapterMemory {
        residency: ResidencyConfig { paging_fence_first: u64::from(u32::MAX), ..memory(GIB, GIB).residency },
        ..memory(GIB, GIB)
    };
    let manager = MemoryManager::new(memory).unwrap();
    let process = process(&manager);
    let (a, b) = (evicted(&process, MIB), evicted(&process, MIB));
    let first = process.make_resident(&[&a], NONE).unwrap().paging_fence;
    assert_eq!(first, Some(u64::from(u32::MAX)));
    let second = process.make_resident(&[&b, &a], NONE).unwrap().paging_fence;
    assert_eq!(second, Some(1 << 32));
    assert_eq!(process.make_resident(&[&a], NONE).unwrap().paging_fence, first, "still pending");
    assert_eq!(manager.paging_fence_value(), u64::from(u32::MAX) - 1);
    // 1 MiB at 16 GB/s, rounded up, and 10 us.
    manager.advance_clock(65_536 + 10_000);
    assert_eq!(manager.paging_fence_value(), u64::from(u32::MAX));
    assert_eq!(process.make_resident(&[&a], NONE).unwrap().paging_fence, None);
    manager.advance_clock(65_536 + 10_000);
    assert_eq!(manager.paging_fence_value(), 1 << 32);
}

#[test]
fn over_budget_is_told_and_denied_where_asked() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    process.set_budget(0, LOCAL, Some(10 * MIB)).unwrap();
    let one = heap(&process, 6 * MIB);
    let two = evicted(&process, 6 * MIB);
    let error = process.make_resident(&[&two, &one], DENY).unwrap_err();
    let ResidencyError::OverBudget(over) = &error else { panic!("{error}") };
    assert_eq!(
        **over,
        OverBudget {
            node: 0,
            group: LOCAL,
            requested: 6 * MIB,
            needed: 6 * MIB,
            budget: 10 * MIB,
            bytes_to_trim: 2 * MIB
        }
    );
    assert_eq!((count(&process, &one), count(&process, &two), usage(&process)), (1, 0, 6 * MIB));
    let made = process.make_resident(&[&two], NONE).unwrap();
    assert_eq!((made.bytes_to_trim, usage(&process)), (2 * MIB, 12 * MIB));
    // Evicting one brings it below again; exactly at the budget is not over it.
    assert_eq!(process.evict(&[&one], EvictFlags::NONE).unwrap(), Evicted { bytes_to_trim: 0 });
    process.set_budget(0, LOCAL, Some(12 * MIB)).unwrap();
    assert_eq!(process.make_resident(&[&one], DENY).unwrap().bytes_to_trim, 0);
    assert_eq!(usage(&process), 12 * MIB);
}

#[test]
fn an_object_that_stands_in_a_call_twice_counts_twice_and_adds_its_bytes_once() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    process.set_budget(0, LOCAL, Some(6 * MIB)).unwrap();
    let object = evicted(&process, 6 * MIB);
    process.make_resident(&[&object, &object], DENY).unwrap().paging_fence.unwrap();
    assert_eq!((count(&process, &object), usage(&process)), (2, 6 * MIB));
    process.evict(&[&object, &object], EvictFlags::NONE).unwrap();
    assert_eq!((count(&process, &object), usage(&process)), (0, 0));
}

#[test]
fn usage_exactly_at_the_budget_terminates_and_a_loop_at_its_edge_progresses() {
    let manager = manager(64 * MIB, 64 * MIB);
    let process = process(&manager);
    process.set_budget(0, LOCAL, Some(16 * MIB)).unwrap();
    let objects: Vec<Allocation> = (0..8).map(|_| evicted(&process, 4 * MIB)).collect();
    for round in 0..64 {
        let object = &objects[round % 8];
        let _ = process.make_resident(&[object], DENY).unwrap();
        assert!(object.is_in_memory() && usage(&process) <= 16 * MIB);
        process.evict(&[object], LAZILY).unwrap();
    }
    assert_eq!(usage(&process), 16 * MIB, "what nobody needs stays as long as there is room");
    // Five of 4 MiB can never be within 16 MiB: refused, not tried for ever.
    let all: Vec<&Allocation> = objects[..5].iter().collect();
    let error = process.make_resident(&all, DENY).unwrap_err();
    let ResidencyError::OverBudget(over) = error else { panic!("{error}") };
    assert_eq!((over.requested, over.needed, over.bytes_to_trim), (20 * MIB, 0, 4 * MIB));
}

#[test]
fn a_failed_call_leaves_counts_and_places_as_they_were() {
    // No system memory to speak of: what does not fit is lost.
    let manager = manager(16 * MIB, 64 * KIB);
    let process = process(&manager);
    let kept = heap(&process, 8 * MIB);
    let idle = heap(&process, 4 * MIB);
    process.evict(&[&idle], LAZILY).unwrap();
    let before: Vec<_> = idle.physical_ranges().collect();
    let (small, large) = (evicted(&process, 2 * MIB), evicted(&process, 12 * MIB));
    let _ = manager.take_paging_operations();
    let error = process.make_resident(&[&kept, &small, &large], NONE).unwrap_err();
    let ResidencyError::OutOfVideoMemory(shortage) = &error else { panic!("{error}") };
    // Of 16 MiB 8 are needed and 2 are the small one's: 6 are lacking for 12, with all evicted that can be.
    assert_eq!((shortage.requested, shortage.bytes_lacking()), (12 * MIB, 6 * MIB));
    assert_eq!([&kept, &small, &large, &idle].map(|object| count(&process, object)), [1, 0, 0, 0]);
    assert_eq!(idle.physical_ranges().collect::<Vec<_>>(), before, "what was evicted for it is back");
    assert_eq!((usage(&process), manager.take_paging_operations()), (12 * MIB, vec![]));
}

#[test]
fn a_heap_larger_than_all_that_can_be_evicted_fails_cleanly() {
    let manager = manager(16 * MIB, 64 * KIB);
    let process = process(&manager);
    let objects: Vec<Allocation> = (0..4).map(|_| heap(&process, 4 * MIB)).collect();
    process.evict(&[&objects[0], &objects[1]], LAZILY).unwrap();
    let error = process.allocate(&AllocationDesc::heap(12 * MIB)).unwrap_err();
    let AllocateError::OutOfVideoMemory(shortage) = &error else { panic!("{error}") };
    assert_eq!(shortage.requested, 12 * MIB);
    assert!(objects.iter().all(Allocation::is_in_memory), "nobody was evicted in vain");
    let fits = process.allocate(&AllocationDesc::heap(8 * MIB)).unwrap();
    assert!(!objects[0].is_in_memory() && !objects[1].is_in_memory() && fits.is_in_memory());
    assert_eq!(usage(&process), 16 * MIB);
}

#[test]
fn dirty_content_is_written_back_and_clean_content_is_dropped() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    let object = evicted(&process, MIB);
    let key = {
        let _ = process.make_resident(&[&object], NONE).unwrap();
        object.key().unwrap()
    };
    let segment = object.segment();
    let place =
        |object: &Allocation| PagingPlace::Segment { segment, ranges: object.physical_ranges().collect() };
    let store = PagingPlace::BackingStore;
    let first = place(&object);
    assert_eq!(
        manager.take_paging_operations(),
        [PagingOperation::Transfer { allocation: key, from: store.clone(), to: first.clone(), bytes: MIB }]
    );
    process.evict(&[&object], EvictFlags::NONE).unwrap();
    assert_eq!(
        manager.take_paging_operations(),
        [PagingOperation::Discard { allocation: key, place: first, bytes: MIB }]
    );
    let _ = process.make_resident(&[&object], NONE).unwrap();
    let work = process.begin_use(&[SubmissionUse { allocation: &object, writes: true }]).unwrap();
    process.evict(&[&object], EvictFlags::NONE).unwrap();
    assert!(object.is_in_memory(), "what is in flight stays");
    let _ = manager.take_paging_operations();
    let second = place(&object);
    process.end_use(work);
    assert!(!object.is_in_memory());
    assert_eq!(
        manager.take_paging_operations(),
        [PagingOperation::Transfer { allocation: key, from: second, to: store, bytes: MIB }]
    );
    // What there is no copy of comes back as zeros.
    let zero = process.allocate_evicted(&AllocationDesc::heap(MIB), InitialContent::Zero).unwrap();
    let _ = process.make_resident(&[&zero], NONE).unwrap();
    let operations = manager.take_paging_operations();
    assert!(
        matches!(operations[..], [PagingOperation::Fill { bytes: MIB, pattern: 0, .. }]),
        "{operations:?}"
    );
}

#[test]
fn what_is_evicted_or_offered_is_not_to_be_used() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    let (one, two) = (heap(&process, MIB), evicted(&process, MIB));
    let used = |allocation| SubmissionUse { allocation, writes: false };
    let error = process.begin_use(&[used(&one), used(&two)]).unwrap_err();
    assert_eq!(error, ResidencyError::UsedEvicted { index: 1 });
    assert_eq!(process.residency(&one).in_flight_count, 0, "a refused submission holds nothing");
    process.offer(&[&one], OfferPriority::Low).unwrap();
    assert_eq!(process.begin_use(&[used(&one)]).unwrap_err(), ResidencyError::Offered { index: 0 });
    assert_eq!(process.make_resident(&[&one], NONE).unwrap_err(), ResidencyError::Offered { index: 0 });
    assert_eq!(process.reclaim(&[&one, &two]).unwrap(), [Reclaimed::Kept, Reclaimed::Kept]);
    process.end_use(process.begin_use(&[used(&one)]).unwrap());
}

#[test]
fn what_is_reclaimed_together_is_not_discarded_for_each_other() {
    let manager = manager(8 * MIB, 64 * KIB);
    let process = process(&manager);
    let (one, two) = (heap(&process, 4 * MIB), heap(&process, 4 * MIB));
    process.offer(&[&one, &two], OfferPriority::Low).unwrap();
    let (first, second) = (heap(&process, 4 * MIB), heap(&process, 4 * MIB));
    assert!(!one.is_in_memory() && !two.is_in_memory(), "both were discarded for others");
    process.free(first);
    // There is room for one of the two.
    let error = process.reclaim(&[&one, &two]).unwrap_err();
    assert!(matches!(error, ResidencyError::OutOfVideoMemory(_)), "{error:?}");
    assert!(!one.is_in_memory() && !two.is_in_memory());
    let used = SubmissionUse { allocation: &one, writes: false };
    assert_eq!(process.begin_use(&[used]).unwrap_err(), ResidencyError::Offered { index: 0 });
    assert_eq!(usage(&process), 4 * MIB);
    process.free(second);
    assert_eq!(process.reclaim(&[&one, &two]).unwrap(), [Reclaimed::Lost; 2]);
    assert!(one.is_in_memory() && two.is_in_memory());
}

#[test]
fn offers_are_discarded_before_anything_is_evicted_low_first() {
    let manager = manager(16 * MIB, 64 * KIB);
    let process = process(&manager);
    let objects: Vec<Allocation> = (0..4).map(|_| heap(&process, 4 * MIB)).collect();
    process.offer(&[&objects[0]], OfferPriority::High).unwrap();
    process.offer(&[&objects[1]], OfferPriority::Normal).unwrap();
    process.offer(&[&objects[2]], OfferPriority::Low).unwrap();
    process.evict(&[&objects[3]], LAZILY).unwrap();
    let present = || objects.iter().map(Allocation::is_in_memory).collect::<Vec<_>>();
    let mut made = Vec::new();
    for expected in [
        [true, true, false, true],
        [true, false, false, true],
        [false, false, false, true],
        [false, false, false, false],
    ] {
        made.push(heap(&process, 4 * MIB));
        assert_eq!(present(), expected);
    }
    made.into_iter().for_each(|object| process.free(object));
    let all: Vec<&Allocation> = objects[..3].iter().collect();
    assert_eq!(process.reclaim(&all).unwrap(), [Reclaimed::Lost; 3]);
    assert_eq!(present(), [true, true, true, false], "what is needed is back, as zeros");
}

#[test]
fn priorities_are_those_of_the_documentation() {
    use ResidencyPriority as P;
    let numbers = [P::MINIMUM, P::LOW, P::NORMAL, P::HIGH, P::MAXIMUM].map(P::to_d3d12);
    assert_eq!(numbers, [0x2800_0000, 0x5000_0000, 0x7800_0000, 0xA001_0000, 0xC800_0000]);
    assert_eq!(P::from_d3d12(0), None);
    assert_eq!(P::from_d3d12(1).unwrap().class(), 0);
    assert_eq!([P::LOW, P::NORMAL, P::HIGH, P::MAXIMUM].map(P::class), [1, 2, 3, 4]);
    assert_eq!(P::default_of(false, 4 * GIB), P::NORMAL);
    assert_eq!(P::default_of(true, 0), P::HIGH);
    assert_eq!(P::default_of(true, 25 * MIB).to_d3d12(), 0xA001_0002);
    assert_eq!(P::default_of(true, u64::MAX).to_d3d12(), 0xA001_0000 + 0xFFFF);
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    let object = heap(&process, MIB);
    assert_eq!(process.residency(&object).priority, P::NORMAL);
    process.set_residency_priority(&object, P::HIGH);
    assert_eq!(process.residency(&object).priority, P::HIGH);
}

#[test]
fn trims_are_asked_for_periodically_and_when_a_budget_falls() {
    let manager = manager(GIB, GIB);
    let process = process(&manager);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let register = |name: &'static str| {
        let heard = Arc::clone(&heard);
        process
            .register_trim_notification(Arc::new(move |request| heard.lock().unwrap().push((name, request))))
    };
    let (first, second) = (register("first"), register("second"));
    assert_ne!(first, second);
    let take = || std::mem::take(&mut *heard.lock().unwrap());
    let object = heap(&process, 8 * MIB);
    let work = process.begin_use(&[SubmissionUse { allocation: &object, writes: false }]).unwrap();
    process.end_use(work);

    manager.advance_clock(999_999_999);
    assert_eq!(take(), []);
    manager.advance_clock(1);
    let trim = |since_submission| TrimRequest {
        periodic: Some(PeriodicTrim::Trim { since_submission }),
        bytes_to_trim: 0,
    };
    assert_eq!(take(), [("first", trim(0)), ("second", trim(0))]);
    manager.advance_clock(1_000_000_000);
    assert_eq!(take(), [("first", trim(1)), ("second", trim(1))], "the one submission was before that");

    assert!(process.unregister_trim_notification(first) && !process.unregister_trim_notification(first));
    process.set_budget(0, LOCAL, Some(3 * MIB)).unwrap();
    assert_eq!(take(), [("second", TrimRequest { periodic: None, bytes_to_trim: 5 * MIB })]);
    process.evict(&[&object], LAZILY).unwrap();
    process.set_budget(0, LOCAL, Some(2 * MIB)).unwrap();
    assert_eq!(take(), [], "what nobody needs goes before anybody is asked");
    assert!(!object.is_in_memory());
}

#[test]
fn with_unified_memory_the_non_local_group_is_zero() {
    let manager = MemoryManager::new(AdapterMemory::uma(GIB, 40)).unwrap();
    let process = process(&manager);
    let desc = AllocationDesc { placement: Placement::L0, ..AllocationDesc::heap(MIB) };
    let upload = process.allocate(&desc).unwrap();
    assert_eq!(usage(&process), MIB, "memory of UPLOAD heaps is local");
    process.evict(&[&upload], EvictFlags::NONE).unwrap();
    assert_eq!(usage(&process), 0);
    let _ = process.make_resident(&[&upload], NONE).unwrap();
    let info = process.query_video_memory_info(0, NON_LOCAL).unwrap();
    assert_eq!(info, VideoMemoryInfo::default());
}

#[test]
fn a_bad_configuration_is_named() {
    let wrong = ResidencyConfig { trim_period_ns: 0, ..ResidencyConfig::default() };
    let error = MemoryManager::new(AdapterMemory { residency: wrong, ..memory(GIB, GIB) }).unwrap_err();
    assert_eq!(error.to_string(), "residency: trim_period_ns is 0; allowed: 1 to 18446744073709551615");
}
