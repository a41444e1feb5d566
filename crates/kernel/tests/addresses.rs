//! Given ranges of addresses: who gets one, and who is in the way, against a naive list of what is taken.
#![allow(clippy::unwrap_used, reason = "a test or bench stops at what it did not expect")]

use std::sync::Arc;

use heapstone_kernel::*;
use heapstone_units::{Alignment, ByteRange, GIB, GpuVirtualAddress, KIB, MIB};
use proptest::prelude::*;

const PAGE: Alignment = Alignment::constant(64 * KIB);

/// 2 GiB of addresses: shards of 256 MiB.
fn process() -> Process {
    let manager = MemoryManager::new(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31)).unwrap();
    manager.create_process(ProcessDesc::default()).unwrap()
}

fn obstacle(error: &ReserveAddressError) -> AddressObstacle {
    match error {
        ReserveAddressError::AddressUnavailable(error) => error.obstacle,
        other => panic!("{other}"),
    }
}

#[test]
fn a_free_range_is_had_and_a_taken_one_is_named() {
    let process = process();
    let at = GpuVirtualAddress(16 * MIB);
    let range = process.reserve_virtual_address_at(at, 64 * KIB + 1, PAGE).unwrap();
    // Rounded up to 4 KiB.
    assert_eq!((range.address(), range.size()), (at, 68 * KIB));
    let by = ByteRange::new(16 * MIB, 16 * MIB + 68 * KIB);
    for (address, size) in [(16 * MIB, 1), (16 * MIB - 64 * KIB, 64 * KIB + 1), (16 * MIB + 64 * KIB, GIB)] {
        let error = process.reserve_virtual_address_at(GpuVirtualAddress(address), size, PAGE).unwrap_err();
        assert_eq!(obstacle(&error), AddressObstacle::Taken { by }, "{address:#x}, {size}");
    }
    let error = process.reserve_virtual_address_at(at, 4 * KIB, PAGE).unwrap_err();
    assert_eq!(
        error.to_string(),
        "4 KiB at GPU virtual address 0x1000000 cannot be had: 0x1000000 up to 0x1011000 is taken"
    );
    process.release_virtual_address(range);
    let again = process.reserve_virtual_address_at(at, 64 * KIB, PAGE).unwrap();
    assert_eq!(again.address(), at);
    process.release_virtual_address(again);
    assert_eq!(process.virtual_address_statistics().used, 0);
}

#[test]
fn addresses_outside_the_space_and_between_multiples_are_refused() {
    let process = process();
    let space = ByteRange::new(64 * KIB, 2 * GIB);
    let outside = [
        (0, 1),
        (2 * GIB, 1),
        (2 * GIB - 64 * KIB, 64 * KIB + 1),
        (64 * KIB, 2 * GIB),
        (64 * KIB, u64::MAX),
        (1 << 63, 1 << 63),
        (u64::MAX - 65_535, u64::MAX),
    ];
    for (address, size) in outside {
        let error = process.reserve_virtual_address_at(GpuVirtualAddress(address), size, PAGE).unwrap_err();
        assert_eq!(obstacle(&error), AddressObstacle::OutsideSpace { space }, "{address:#x}, {size}");
    }
    let error = process.reserve_virtual_address_at(GpuVirtualAddress(MIB + 4 * KIB), 1, PAGE).unwrap_err();
    assert_eq!(obstacle(&error), AddressObstacle::Misaligned { alignment: PAGE });
    // An alignment below a page's is a page's.
    let byte = Alignment::constant(1);
    let error = process.reserve_virtual_address_at(GpuVirtualAddress(MIB + 1), 1, byte).unwrap_err();
    assert_eq!(obstacle(&error), AddressObstacle::Misaligned { alignment: Alignment::constant(4 * KIB) });
    let error = process.reserve_virtual_address_at(GpuVirtualAddress(MIB), 0, PAGE).unwrap_err();
    assert_eq!(error, ReserveAddressError::SizeIsZero);
    // All of it, across every shard.
    let all = process.reserve_virtual_address_at(GpuVirtualAddress(64 * KIB), 2 * GIB - 64 * KIB, PAGE);
    process.release_virtual_address(all.unwrap());
    assert_eq!(process.virtual_address_statistics().free_range_count, 1);
}

#[test]
fn a_refused_address_gives_the_memory_back() {
    let manager = MemoryManager::new(AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31)).unwrap();
    let process = manager.create_process(ProcessDesc::default()).unwrap();
    let at = GpuVirtualAddress(GIB);
    let heap = process.allocate_at(&AllocationDesc::heap(32 * MIB), at).unwrap();
    assert_eq!(heap.virtual_address(), Some(at));
    let segments = || manager.segments().map(|s| manager.segment_statistics(s.id).used).collect::<Vec<_>>();
    let before = segments();
    let error =
        process.allocate_at(&AllocationDesc::heap(64 * KIB), GpuVirtualAddress(GIB + MIB)).unwrap_err();
    let AllocateError::AddressUnavailable(error) = error else { panic!("{error}") };
    assert_eq!(error.obstacle, AddressObstacle::Taken { by: ByteRange::new(GIB, GIB + 32 * MIB) });
    assert_eq!((error.address, error.size), (GpuVirtualAddress(GIB + MIB), 64 * KIB));
    // A heap's own alignment holds for its addresses.
    let large = AllocationDesc { alignment: Alignment::constant(4 * MIB), ..AllocationDesc::heap(4 * MIB) };
    let error = process.allocate_at(&large, GpuVirtualAddress(64 * MIB + 64 * KIB)).unwrap_err();
    let AllocateError::AddressUnavailable(error) = error else { panic!("{error}") };
    assert_eq!(error.obstacle, AddressObstacle::Misaligned { alignment: large.alignment });
    assert_eq!(segments(), before);
    process.free(heap);
    assert_eq!(process.virtual_address_statistics().used, 0);
    assert!(segments().iter().all(|used| *used == 0));
}

#[test]
fn faults_that_a_test_injects_refuse_given_addresses_too() {
    struct Addresses;
    impl AllocationFaults for Addresses {
        fn refuses(&self, step: AllocationStep) -> bool {
            step == AllocationStep::TakeVirtualAddress
        }
    }
    let memory = AdapterMemory::discrete(&[8 * GIB], 16 * GIB, 31);
    let manager = MemoryManager::with_faults(memory, Some(Arc::new(Addresses))).unwrap();
    let process = manager.create_process(ProcessDesc::default()).unwrap();
    let at = GpuVirtualAddress(MIB);
    let error = process.allocate_at(&AllocationDesc::heap(64 * KIB), at).unwrap_err();
    assert!(
        matches!(error, AllocateError::OutOfVirtualAddress(error) if error.shortage == Shortage::Injected)
    );
    let error = process.reserve_virtual_address_at(at, 1, PAGE).unwrap_err();
    assert!(
        matches!(error, ReserveAddressError::OutOfVirtualAddress(error) if error.shortage == Shortage::Injected)
    );
}

#[derive(Clone, Debug)]
enum Step {
    At { address: u64, size: u64 },
    Anywhere { size: u64 },
    Heap { address: u64, size: u64 },
    Free(prop::sample::Index),
}

enum Taken {
    Range(VirtualRange),
    Heap(Allocation),
}

impl Taken {
    fn range(&self) -> ByteRange {
        let (begin, size) = match self {
            Taken::Range(range) => (range.address().0, range.size()),
            Taken::Heap(heap) => (heap.virtual_address().unwrap().0, heap.size()),
        };
        ByteRange::at(begin, size).unwrap()
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Few distinct places, so that ranges meet; some across the shards' borders at multiples of 256 MiB.
    let address = prop_oneof![
        (0u64..64).prop_map(|page| page * 64 * KIB),
        (0u64..9, 0u64..8)
            .prop_map(|(shard, page)| (shard * 256 * MIB + page * 64 * KIB).saturating_sub(256 * KIB)),
        any::<u64>(),
    ];
    let size = prop_oneof![
        6 => 1..512 * KIB,
        2 => 1..300 * MIB,
        1 => any::<u64>(),
    ];
    let step = prop_oneof![
        5 => (address.clone(), size.clone()).prop_map(|(address, size)| Step::At { address, size }),
        1 => (1..4 * MIB).prop_map(|size| Step::Anywhere { size }),
        2 => (address, 1..64 * MIB).prop_map(|(address, size)| Step::Heap { address, size }),
        4 => any::<prop::sample::Index>().prop_map(Step::Free),
    ];
    prop::collection::vec(step, 1..60)
}

/// What is to be answered for `size` whole pages at `address`.
fn expected(taken: &[Taken], address: u64, size: u64) -> Result<ByteRange, AddressObstacle> {
    if !address.is_multiple_of(64 * KIB) {
        return Err(AddressObstacle::Misaligned { alignment: PAGE });
    }
    let space = ByteRange::new(64 * KIB, 2 * GIB);
    let range =
        ByteRange::at(address, size).filter(|range| range.begin >= space.begin && range.end <= space.end);
    let range = range.ok_or(AddressObstacle::OutsideSpace { space })?;
    let in_the_way = taken.iter().map(Taken::range).filter(|by| by.begin < range.end && range.begin < by.end);
    match in_the_way.min_by_key(|by| by.begin) {
        Some(by) => Err(AddressObstacle::Taken { by }),
        None => Ok(range),
    }
}

/// Of an obstacle: a range in the way may show as its part in one shard.
fn agrees(given: AddressObstacle, expected: AddressObstacle) -> bool {
    match (given, expected) {
        (AddressObstacle::Taken { by: part }, AddressObstacle::Taken { by: whole }) => whole.contains(part),
        (given, expected) => given == expected,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn given_addresses_follow_the_naive_model(steps in steps()) {
        let process = process();
        let mut taken: Vec<Taken> = Vec::new();
        for step in steps {
            match step {
                Step::At { address, size } => {
                    let pages = size.div_ceil(4 * KIB).checked_mul(4 * KIB).unwrap_or(size);
                    let got = process.reserve_virtual_address_at(GpuVirtualAddress(address), size, PAGE);
                    match (got, expected(&taken, address, pages)) {
                        (Ok(range), Ok(expected)) => {
                            taken.push(Taken::Range(range));
                            prop_assert_eq!(taken[taken.len() - 1].range(), expected);
                        }
                        (Err(error), Err(expected)) => prop_assert!(agrees(obstacle(&error), expected), "{}", error),
                        (got, expected) => prop_assert!(false, "{got:?}, not {expected:?}"),
                    }
                }
                Step::Heap { address, size } => {
                    let pages = size.div_ceil(64 * KIB) * 64 * KIB;
                    let got = process.allocate_at(&AllocationDesc::heap(size), GpuVirtualAddress(address));
                    match (got, expected(&taken, address, pages)) {
                        (Ok(heap), Ok(expected)) => {
                            taken.push(Taken::Heap(heap));
                            prop_assert_eq!(taken[taken.len() - 1].range(), expected);
                        }
                        (Err(AllocateError::AddressUnavailable(error)), Err(expected)) => {
                            prop_assert!(agrees(error.obstacle, expected), "{}", error);
                        }
                        (got, expected) => prop_assert!(false, "{got:?}, not {expected:?}"),
                    }
                }
                Step::Anywhere { size } => {
                    if let Ok(range) = process.reserve_virtual_address(size, PAGE) {
                        let range = Taken::Range(range);
                        prop_assert!(taken.iter().all(|other| !other.range().overlaps(range.range())));
                        taken.push(range);
                    }
                }
                Step::Free(index) => {
                    if !taken.is_empty() {
                        match taken.swap_remove(index.index(taken.len())) {
                            Taken::Range(range) => process.release_virtual_address(range),
                            Taken::Heap(heap) => process.free(heap),
                        }
                    }
                }
            }
            let used: u64 = taken.iter().map(|taken| taken.range().size()).sum();
            let statistics = process.virtual_address_statistics();
            prop_assert_eq!((statistics.used, statistics.free), (used, 2 * GIB - 64 * KIB - used));
        }
        for taken in taken {
            match taken {
                Taken::Range(range) => process.release_virtual_address(range),
                Taken::Heap(heap) => process.free(heap),
            }
        }
        prop_assert_eq!(process.virtual_address_statistics().free_range_count, 1);
    }
}

/// What is set aside is nobody's but of those who name it, also across shards and while others take and free.
#[test]
fn addresses_that_are_set_aside_are_had_by_name_only() {
    let process = process();
    // Across the border of two shards, at 256 MiB.
    let aside = ByteRange::new(255 * MIB, 257 * MIB);
    let outside = ByteRange::new(2 * GIB - 4 * KIB, 2 * GIB + 1);
    let error = process.set_aside_virtual_addresses(&[aside, outside]).unwrap_err();
    assert!(matches!(error.obstacle, AddressObstacle::OutsideSpace { .. }), "{error}");
    assert_eq!(process.virtual_address_statistics().used, 0, "nothing has changed");
    process.set_aside_virtual_addresses(&[aside, ByteRange::new(256 * MIB, 256 * MIB + 1)]).unwrap();
    assert_eq!(process.virtual_address_statistics().used, 2 * MIB);

    let at = |address, size| process.reserve_virtual_address_at(GpuVirtualAddress(address), size, PAGE);
    let all = process.reserve_virtual_address(2 * GIB - 258 * MIB, PAGE).unwrap();
    assert!(all.address().0 >= aside.end, "{}", all.address());
    for _ in 0..3 {
        let middle = at(256 * MIB - 64 * KIB, 128 * KIB).unwrap();
        let error = at(255 * MIB, 2 * MIB).unwrap_err();
        let by = ByteRange::new(256 * MIB - 64 * KIB, 256 * MIB);
        assert_eq!(obstacle(&error), AddressObstacle::Taken { by });
        // What was refused has changed nothing: the rest is still there to be had.
        let (first, last) =
            (at(255 * MIB, MIB - 64 * KIB).unwrap(), at(256 * MIB + 64 * KIB, MIB - 64 * KIB));
        [middle, first, last.unwrap()].into_iter().for_each(|range| process.release_virtual_address(range));
        assert_eq!(process.virtual_address_statistics().used, 2 * MIB + all.size());
    }
    // Over an edge: what lies outside is free afterwards.
    let over = at(254 * MIB, 2 * MIB).unwrap();
    process.release_virtual_address(over);
    assert_eq!(process.virtual_address_statistics().used, 2 * MIB + all.size());
    let free = at(254 * MIB, MIB).unwrap();
    process.release_virtual_address(free);
    process.release_virtual_address(all);
    assert_eq!(process.virtual_address_statistics().used, 2 * MIB);
}
