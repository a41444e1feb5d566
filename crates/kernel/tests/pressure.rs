//! The pressure ladder: demotion, promotion, suspension, removal, compaction; several processes on one adapter.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use heapstone_kernel::residency::*;
use heapstone_kernel::*;
use heapstone_spec::SegmentGroup;
use heapstone_units::{Alignment, KIB, MIB};

const LOCAL: SegmentGroup = SegmentGroup::Local;
const NON_LOCAL: SegmentGroup = SegmentGroup::NonLocal;
const SECOND_NS: u64 = 1_000_000_000;

fn manager(local: u64, system: u64) -> MemoryManager {
    let residency = ResidencyConfig {
        policy: policy::PolicyKind::Lru,
        promotion_bytes_per_second: 8 * MIB,
        promotion_headroom_permille: 0,
        ..ResidencyConfig::default()
    };
    let memory = AdapterMemory { residency, ..AdapterMemory::discrete(&[local], system, 40) };
    MemoryManager::new(memory).unwrap()
}

fn process(manager: &MemoryManager, role: ProcessRole) -> Process {
    manager.create_process(ProcessDesc { role }).unwrap()
}

fn heap(process: &Process, size: u64) -> Allocation {
    let heap = process.allocate(&AllocationDesc::heap(size)).unwrap();
    // Named, so that the manager knows it.
    process.set_residency_priority(&heap, ResidencyPriority::NORMAL);
    heap
}

#[test]
fn who_is_over_budget_is_demoted_for_others_and_promoted_when_the_pressure_is_gone() {
    let manager = manager(16 * MIB, 64 * MIB);
    let hog = process(&manager, ProcessRole::Background);
    let game = process(&manager, ProcessRole::Foreground);
    hog.set_budget(0, LOCAL, Some(8 * MIB)).unwrap();
    game.set_budget(0, LOCAL, Some(12 * MIB)).unwrap();
    let hogged: Vec<Allocation> = (0..4).map(|_| heap(&hog, 4 * MIB)).collect();
    hog.set_residency_priority(&hogged[0], ResidencyPriority::HIGH);

    let mine = heap(&game, 8 * MIB);
    assert!(!mine.is_demoted(), "the hog gives way");
    assert_eq!(
        hogged.iter().map(Allocation::is_demoted).collect::<Vec<_>>(),
        [false, true, true, false],
        "of the lower class the ones named first"
    );
    assert_eq!(hog.usage(0, LOCAL).unwrap(), 8 * MIB);
    assert_eq!(hog.usage(0, NON_LOCAL).unwrap(), 8 * MIB);
    // Within its budget the hog gives no more: the next one goes to system memory itself.
    let next = heap(&game, 4 * MIB);
    assert!(next.is_demoted());
    let statistics = manager.paging_statistics();
    assert_eq!((statistics.demotion_count, statistics.bytes_demoted), (2, 8 * MIB));

    game.free(mine);
    manager.advance_clock(SECOND_NS / 4);
    assert!(next.is_demoted(), "2 MiB of credit do not pay for 4");
    manager.advance_clock(SECOND_NS / 4);
    assert!(!next.is_demoted(), "the foreground is promoted first");
    assert!(hogged[1].is_demoted() && hogged[2].is_demoted());
    manager.advance_clock(60 * SECOND_NS);
    assert!(hogged[1].is_demoted() && hogged[2].is_demoted(), "never beyond its budget");
    hog.set_budget(0, LOCAL, Some(12 * MIB)).unwrap();
    manager.advance_clock(SECOND_NS);
    assert_eq!(hog.usage(0, LOCAL).unwrap(), 12 * MIB);
    assert_eq!(manager.paging_statistics().promotion_count, 2);
}

#[test]
fn a_process_demotes_its_own_only_for_what_is_more_important() {
    let manager = manager(8 * MIB, 64 * MIB);
    let game = process(&manager, ProcessRole::Foreground);
    let high = heap(&game, 4 * MIB);
    game.set_residency_priority(&high, ResidencyPriority::MAXIMUM);
    let low = heap(&game, 4 * MIB);
    game.set_residency_priority(&low, ResidencyPriority::LOW);
    let evicted = |priority| {
        let made = game.allocate_evicted(&AllocationDesc::heap(4 * MIB), InitialContent::Zero).unwrap();
        game.set_residency_priority(&made, priority);
        made
    };
    let normal = evicted(ResidencyPriority::NORMAL);
    let _ = game.make_resident(&[&normal], MakeResidentFlags::NONE).unwrap();
    assert_eq!([&high, &low, &normal].map(Allocation::is_demoted), [false, true, false]);
    let minimum = evicted(ResidencyPriority::MINIMUM);
    let _ = game.make_resident(&[&minimum], MakeResidentFlags::NONE).unwrap();
    assert_eq!([&high, &normal, &minimum].map(Allocation::is_demoted), [false, false, true]);
}

#[test]
fn what_denies_demotion_and_what_is_in_flight_stays() {
    let manager = manager(8 * MIB, 64 * MIB);
    let game = process(&manager, ProcessRole::Foreground);
    let atomics =
        AllocationDesc { placement: Placement::L1 { demotable: false }, ..AllocationDesc::heap(4 * MIB) };
    let atomics = game.allocate(&atomics).unwrap();
    game.set_residency_priority(&atomics, ResidencyPriority::MINIMUM);
    let busy = heap(&game, 4 * MIB);
    game.set_residency_priority(&busy, ResidencyPriority::LOW);
    let work = game.begin_use(&[SubmissionUse { allocation: &busy, writes: true }]).unwrap();
    let place: Vec<_> = busy.physical_ranges().collect();
    let other = heap(&game, 4 * MIB);
    assert!(other.is_demoted() && !atomics.is_demoted() && !busy.is_demoted());
    assert_eq!(busy.physical_ranges().collect::<Vec<_>>(), place);
    game.end_use(work);
    let third = heap(&game, 4 * MIB);
    assert!(busy.is_demoted() && !third.is_demoted() && !atomics.is_demoted());
}

#[test]
fn a_process_in_the_background_is_suspended_when_all_memory_is_gone() {
    let manager = manager(8 * MIB, 8 * MIB);
    let hog = process(&manager, ProcessRole::Background);
    let game = process(&manager, ProcessRole::Foreground);
    hog.set_budget(0, LOCAL, Some(16 * MIB)).unwrap();
    let hogged: Vec<Allocation> = (0..4).map(|_| heap(&hog, 4 * MIB)).collect();
    let mine = heap(&game, 8 * MIB);
    assert!(!mine.is_demoted() && !hogged.iter().any(Allocation::is_in_memory));
    let until_ns = hog.suspended_until_ns().unwrap();
    assert_eq!(until_ns, 10 * SECOND_NS);
    let used = [SubmissionUse { allocation: &hogged[0], writes: false }];
    assert_eq!(hog.begin_use(&used).unwrap_err(), ResidencyError::Suspended { until_ns });
    assert_eq!(manager.paging_statistics().suspension_count, 1);

    game.free(mine);
    manager.advance_clock(until_ns);
    assert!(hog.suspended_until_ns().is_none() && hogged.iter().all(Allocation::is_in_memory));
    hog.end_use(hog.begin_use(&used).unwrap());
    assert_eq!(hog.removal(), None);
}

#[test]
fn who_cannot_go_on_loses_its_device() {
    let manager = manager(8 * MIB, 64 * KIB);
    let hog = process(&manager, ProcessRole::Background);
    let game = process(&manager, ProcessRole::Foreground);
    let hogged = heap(&hog, 4 * MIB);
    let mine = heap(&game, 8 * MIB);
    manager.advance_clock(10 * SECOND_NS);
    assert_eq!(hog.removal(), Some(ProcessRemoval::OutOfMemory));
    let error = hog.make_resident(&[&hogged], MakeResidentFlags::NONE).unwrap_err();
    assert_eq!(error, ResidencyError::Removed(ProcessRemoval::OutOfMemory));
    assert!(mine.is_in_memory() && game.removal().is_none());
    // A removed device gives back what it had.
    hog.free(hogged);
    game.free(mine);
    assert_eq!(manager.segment_statistics(manager.segments().next().unwrap().id).used, 0);
}

#[test]
fn with_unified_memory_fragmentation_is_compacted() {
    let residency = ResidencyConfig { policy: policy::PolicyKind::Lru, ..ResidencyConfig::default() };
    let memory = AdapterMemory { residency, ..AdapterMemory::uma(16 * MIB, 40) };
    let manager = MemoryManager::new(memory).unwrap();
    let segment = manager.segments().next().unwrap().id;
    let game = process(&manager, ProcessRole::Foreground);
    let piece = AllocationDesc { placement: Placement::L0, ..AllocationDesc::heap(MIB) };
    let mut pieces: Vec<Allocation> = (0..16).map(|_| game.allocate(&piece).unwrap()).collect();
    // Every second one goes: 8 MiB are free, 1 in a range.
    for index in (0..8).rev() {
        game.free(pieces.remove(index * 2));
    }
    for piece in &pieces {
        game.set_residency_priority(piece, ResidencyPriority::NORMAL);
    }
    let before = manager.segment_statistics(segment);
    assert_eq!((before.free, before.largest_free_range), (8 * MIB, MIB));
    assert_eq!(before.fragmentation_permille(), 875);
    let contiguous = AllocationDesc {
        contiguous: true,
        alignment: Alignment::new(MIB).unwrap(),
        placement: Placement::L0,
        ..AllocationDesc::heap(4 * MIB)
    };
    let primary = game.allocate(&contiguous).unwrap();
    assert_eq!(primary.physical_ranges().count(), 1);
    assert!(pieces.iter().all(Allocation::is_in_memory), "they were moved, not evicted");
    let statistics = manager.paging_statistics();
    assert_eq!(statistics.bytes_written_back, 0);
    // A window of 4 MiB holds two pieces at least.
    assert_eq!(statistics.bytes_compacted, 2 * MIB);
    assert_eq!(manager.segment_statistics(segment).used, 12 * MIB);
}

/// Unified memory of 16 MiB whose every second MiB is free, with `contiguous` pieces between, which nothing moves.
fn fragmented(contiguous: bool) -> (MemoryManager, Process, Vec<Allocation>) {
    let residency = ResidencyConfig { policy: policy::PolicyKind::Lru, ..ResidencyConfig::default() };
    let memory = AdapterMemory { residency, ..AdapterMemory::uma(16 * MIB, 40) };
    let manager = MemoryManager::new(memory).unwrap();
    let game = process(&manager, ProcessRole::Foreground);
    let piece = AllocationDesc { contiguous, placement: Placement::L0, ..AllocationDesc::heap(MIB) };
    let mut pieces: Vec<Allocation> = (0..16).map(|_| game.allocate(&piece).unwrap()).collect();
    for index in (0..8).rev() {
        game.free(pieces.remove(index * 2));
    }
    for piece in &pieces {
        game.set_residency_priority(piece, ResidencyPriority::NORMAL);
    }
    (manager, game, pieces)
}

fn primary(size: u64) -> AllocationDesc {
    AllocationDesc { contiguous: true, placement: Placement::L0, ..AllocationDesc::heap(size) }
}

fn used(manager: &MemoryManager) -> u64 {
    manager.segments().map(|segment| manager.segment_statistics(segment.id).used).sum()
}

#[test]
fn with_unified_memory_fragmentation_takes_the_device() {
    let (manager, game, pieces) = fragmented(true);
    // A creation fails, and that is all: the application chose when to make it.
    let AllocateError::OutOfVideoMemory(shortage) = game.allocate(&primary(4 * MIB)).unwrap_err() else {
        panic!("there is memory of that kind");
    };
    assert_eq!((shortage.segments[0].shortage, shortage.segments[0].free), (Shortage::Fragmented, 8 * MIB));
    assert_eq!(game.removal(), None);
    // What is larger than all that is free is out of memory.
    let larger = game.allocate_evicted(&primary(9 * MIB), InitialContent::Zero).unwrap();
    let error = game.make_resident(&[&larger], MakeResidentFlags::NONE).unwrap_err();
    assert!(matches!(error, ResidencyError::OutOfVideoMemory(_)), "{error}");
    // What it had and needs again has nowhere to go.
    let frame = game.allocate_evicted(&primary(4 * MIB), InitialContent::Stored).unwrap();
    let before = (used(&manager), manager.paging_statistics());
    let error = game.make_resident(&[&frame], MakeResidentFlags::NONE).unwrap_err();
    let fragmentation = ProcessRemoval::Fragmentation;
    assert_eq!(error, ResidencyError::Removed(fragmentation));
    assert_eq!(game.removal(), Some(fragmentation));
    assert_eq!(game.residency(&frame).count, 0);
    assert_eq!((used(&manager), manager.paging_statistics()), before, "nothing else has changed");
    // Others go on, and what it had is given back.
    let other = process(&manager, ProcessRole::Foreground);
    for allocation in pieces.into_iter().chain([frame, larger]) {
        game.free(allocation);
    }
    let whole = other.allocate_evicted(&primary(16 * MIB), InitialContent::Zero).unwrap();
    let _ = other.make_resident(&[&whole], MakeResidentFlags::NONE).unwrap();
    assert_eq!(other.removal(), None);
}

#[test]
fn fragmentation_that_compaction_ends_takes_no_device() {
    let (manager, game, pieces) = fragmented(false);
    let frame = game.allocate_evicted(&primary(4 * MIB), InitialContent::Stored).unwrap();
    // What is in flight stays where it is: for now there is no range, later there is.
    let uses: Vec<SubmissionUse<'_>> =
        pieces.iter().map(|allocation| SubmissionUse { allocation, writes: false }).collect();
    let flight = game.begin_use(&uses).unwrap();
    let error = game.make_resident(&[&frame], MakeResidentFlags::NONE).unwrap_err();
    assert!(matches!(error, ResidencyError::OutOfVideoMemory(_)), "{error}");
    game.end_use(flight);
    let _ = game.make_resident(&[&frame], MakeResidentFlags::NONE).unwrap();
    assert_eq!(frame.physical_ranges().count(), 1);
    assert_eq!(manager.paging_statistics().bytes_compacted, 2 * MIB);
    assert_eq!(game.removal(), None);
}

#[test]
fn an_injected_failure_is_no_fragmentation() {
    let (manager, game, _pieces) = fragmented(true);
    let frame = game.allocate_evicted(&primary(MIB), InitialContent::Stored).unwrap();
    manager.inject(Some("fail-every:1".parse().unwrap()));
    let error = game.make_resident(&[&frame], MakeResidentFlags::NONE).unwrap_err();
    let ResidencyError::OutOfVideoMemory(shortage) = error else { panic!("{error}") };
    assert_eq!(shortage.segments[0].shortage, Shortage::Injected);
    assert_eq!(game.removal(), None);
    manager.inject(None);
    let _ = game.make_resident(&[&frame], MakeResidentFlags::NONE).unwrap();
}

/// With memory of two kinds there is somewhere else to go.
#[test]
fn discrete_memory_demotes_where_unified_memory_ends() {
    let manager = manager(16 * MIB, 16 * MIB);
    let game = process(&manager, ProcessRole::Foreground);
    let piece = AllocationDesc { contiguous: true, ..AllocationDesc::heap(MIB) };
    let mut pieces: Vec<Allocation> = (0..16).map(|_| game.allocate(&piece).unwrap()).collect();
    for index in (0..8).rev() {
        game.free(pieces.remove(index * 2));
    }
    let desc = AllocationDesc { contiguous: true, ..AllocationDesc::heap(4 * MIB) };
    let frame = game.allocate_evicted(&desc, InitialContent::Stored).unwrap();
    let _ = game.make_resident(&[&frame], MakeResidentFlags::NONE).unwrap();
    assert!(game.residency(&frame).is_demoted && game.removal().is_none());
}
