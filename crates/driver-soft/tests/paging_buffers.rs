//! Paging in small buffers: an operation takes many passes, and the bytes are those of one pass.
#![cfg(not(miri))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::num::NonZeroU64;

use common::{Adapter, Random};
use heapstone_driver::paging::{PAGING_BUFFER_SIZE, PagingBuffer, PagingEngine, page_in_buffers};
use heapstone_driver::{Backing, Driver, DriverError};
use heapstone_driver_soft::{PagingBytes, SoftDriverOptions};
use heapstone_kernel::paging_buffer::BuiltPaging;
use heapstone_kernel::{AllocationKey, PageSize, PagingOperation, PagingPlace, SegmentId};
use heapstone_units::ByteRange;

const PAGE: u64 = 4 << 10;
const SEGMENT: u64 = 4 << 20;
const ONE_PAGE: u32 = 4 << 10;

fn key(number: u64) -> AllocationKey {
    AllocationKey(NonZeroU64::new(number).unwrap())
}

fn engine(backing: Backing) -> (Box<dyn PagingEngine>, SegmentId) {
    let adapter = Adapter::new(
        backing,
        SEGMENT,
        SoftDriverOptions { poison: true, paging_bytes: PagingBytes::InPlace },
    );
    let allocation = adapter.allocate(1 << 16, PageSize::SixtyFourKib);
    let segment = allocation.segment();
    adapter.free(allocation);
    (adapter.driver.create_paging_engine().unwrap(), segment)
}

fn pages(segment: SegmentId, pages: &[u64]) -> PagingPlace {
    let ranges = pages.iter().map(|page| ByteRange::new(page * PAGE, (page + 1) * PAGE));
    PagingPlace::Segment { segment, ranges: ranges.collect() }
}

fn transfer(allocation: AllocationKey, from: &PagingPlace, to: &PagingPlace, bytes: u64) -> PagingOperation {
    PagingOperation::Transfer { allocation, from: from.clone(), to: to.clone(), bytes }
}

fn content(random: &mut Random, bytes: u64) -> Vec<u8> {
    (0..bytes).map(|_| random.next().to_le_bytes()[0]).collect()
}

fn load(engine: &dyn PagingEngine, allocation: AllocationKey, bytes: usize) -> Vec<u8> {
    let mut content = vec![0; bytes];
    engine.load(allocation, &mut content);
    content
}

/// 300 pages that lie apart: a command each, of which a buffer of one page holds 78 at the most.
#[test]
fn a_buffer_of_one_page_takes_many_passes_and_the_bytes_come_out_equal() {
    let (mut engine, segment) = engine(Backing::Host);
    let mut random = Random(1);
    let (a, b) = (key(1), key(2));
    let (first, second) = (content(&mut random, 300 * PAGE), content(&mut random, 200 * PAGE));
    engine.store(a, &first);
    engine.store(b, &second);
    let odd: Vec<u64> = (0..300).map(|page| 2 * page + 1).collect();
    let even: Vec<u64> = (0..200).map(|page| 2 * page).collect();
    // Every page of A goes to where another of its pages is.
    let rotated: Vec<u64> = (0..300).map(|page| odd[(page + 1) % 300]).collect();
    let (odd, even, rotated) = (pages(segment, &odd), pages(segment, &even), pages(segment, &rotated));
    let store = PagingPlace::BackingStore;
    let operations = [
        transfer(a, &store, &odd, 300 * PAGE),
        transfer(b, &store, &even, 200 * PAGE),
        transfer(a, &odd, &rotated, 300 * PAGE),
        transfer(b, &even, &store, 200 * PAGE),
        transfer(a, &rotated, &store, 300 * PAGE),
    ];
    // What is stored is to be what was in memory, and not the copy that was there before.
    page_in_buffers(engine.as_mut(), &operations[..2], ONE_PAGE).unwrap();
    engine.store(a, &[]);
    engine.store(b, &[]);
    page_in_buffers(engine.as_mut(), &operations[2..], ONE_PAGE).unwrap();
    assert!(load(engine.as_ref(), a, first.len()) == first);
    assert!(load(engine.as_ref(), b, second.len()) == second);
    let statistics = engine.statistics();
    assert_eq!(statistics.operations, 5);
    assert_eq!((statistics.bytes_paged_in, statistics.bytes_written_back), (500 * PAGE, 500 * PAGE));
    assert_eq!(statistics.bytes_moved, 300 * PAGE);
    // At least a command for each page of each operation, and 52 bytes a command.
    assert!(statistics.buffers >= 1300 / 78, "{statistics:?}");
    assert!(statistics.insufficient_buffers >= statistics.buffers - 2, "{statistics:?}");
}

/// The same operations, in buffers of one page and in large ones, on random scattered places.
#[test]
fn buffers_of_any_size_leave_the_same_bytes() {
    for seed in 0..8 {
        let run = |size: u32| {
            let (mut engine, segment) = engine(Backing::Host);
            let mut random = Random(seed);
            let bytes = content(&mut random, 120 * PAGE);
            engine.store(key(1), &bytes);
            let mut at = PagingPlace::BackingStore;
            let mut operations = Vec::new();
            for _ in 0..6 {
                let mut free: Vec<u64> = (0..SEGMENT / PAGE).collect();
                let chosen: Vec<u64> = (0..120).map(|_| free.swap_remove(random.index(free.len()))).collect();
                let to = pages(segment, &chosen);
                operations.push(transfer(key(1), &at, &to, 120 * PAGE));
                at = to;
            }
            operations.push(transfer(key(1), &at, &PagingPlace::BackingStore, 120 * PAGE));
            page_in_buffers(engine.as_mut(), &operations, size).unwrap();
            let left = load(engine.as_ref(), key(1), bytes.len());
            assert!(left == bytes, "seed {seed}, buffers of {size} bytes");
            engine.statistics()
        };
        let (small, large) = (run(ONE_PAGE), run(1 << 20));
        assert!(small.insufficient_buffers > 0 && large.insufficient_buffers == 0);
        assert_eq!((small.busy_ns, small.bytes_moved), (large.busy_ns, large.bytes_moved));
    }
}

#[test]
fn a_busy_allocation_is_waited_for_and_others_are_not() {
    let (mut engine, segment) = engine(Backing::Host);
    let store = PagingPlace::BackingStore;
    let (here, there) = (pages(segment, &[0]), pages(segment, &[1]));
    engine.page(&[transfer(key(1), &store, &here, PAGE), transfer(key(2), &store, &there, PAGE)]).unwrap();
    engine.use_until(key(1), 1_000_000);
    engine.page(&[transfer(key(2), &there, &store, PAGE)]).unwrap();
    assert!(engine.time_ns() < 1_000_000, "nothing waits for what it does not touch");
    engine.page(&[transfer(key(1), &here, &store, PAGE)]).unwrap();
    assert!(engine.time_ns() > 1_000_000);
    assert_eq!(engine.statistics().busy_allocations, 1);
    // What was used until a time that has passed is idle.
    engine.page(&[transfer(key(1), &store, &here, PAGE)]).unwrap();
    assert_eq!(engine.statistics().busy_allocations, 1);
}

#[test]
fn the_same_multipass_offset_goes_on_where_it_was() {
    let (mut engine, segment) = engine(Backing::Host);
    let scattered: Vec<u64> = (0..100).map(|page| 2 * page).collect();
    let operation = transfer(key(1), &PagingPlace::BackingStore, &pages(segment, &scattered), 100 * PAGE);
    let mut whole = PagingBuffer::new(0, PAGING_BUFFER_SIZE);
    let bytes = 100 * 52;
    assert_eq!(engine.build_paging_buffer(&operation, 0, &mut whole), Ok(BuiltPaging::Complete { bytes }));
    let mut pieces = Vec::new();
    let mut at = 0;
    loop {
        let mut buffer = PagingBuffer::new(0, 1024);
        let built = engine.build_paging_buffer(&operation, at, &mut buffer).unwrap();
        pieces.extend_from_slice(buffer.words());
        match built {
            BuiltPaging::InsufficientDmaBuffer { multipass_offset, .. } => at = multipass_offset,
            BuiltPaging::Complete { .. } => break,
            BuiltPaging::AllocationBusy => unreachable!("nothing uses it"),
        }
    }
    assert_eq!(pieces, whole.words());
}

#[test]
fn without_bytes_paging_takes_its_time_all_the_same() {
    let run = |backing| {
        let (mut engine, segment) = engine(backing);
        let scattered: Vec<u64> = (0..200).map(|page| 2 * page).collect();
        let place = pages(segment, &scattered);
        let operations = [
            transfer(key(1), &PagingPlace::BackingStore, &place, 200 * PAGE),
            PagingOperation::Fill { allocation: key(1), place: place.clone(), bytes: 200 * PAGE, pattern: 7 },
            PagingOperation::Discard { allocation: key(1), place, bytes: 200 * PAGE },
        ];
        page_in_buffers(engine.as_mut(), &operations, ONE_PAGE).unwrap();
        engine.statistics()
    };
    assert_eq!(run(Backing::Phantom), run(Backing::Host));
}

#[test]
fn what_is_refused_leaves_what_was_before_it_done() {
    let (mut engine, segment) = engine(Backing::Host);
    engine.store(key(1), &[7; 16]);
    let place = pages(segment, &[3]);
    let good = transfer(key(1), &PagingPlace::BackingStore, &place, PAGE);
    let short = transfer(key(1), &place, &PagingPlace::BackingStore, PAGE - 1);
    let error = engine.page(&[good, short]).unwrap_err();
    assert!(matches!(error, DriverError::Unsupported { .. }), "{error}");
    assert_eq!(engine.statistics().bytes_paged_in, PAGE);
    let error = page_in_buffers(engine.as_mut(), &[], 100).unwrap_err();
    assert!(error.to_string().contains("100 bytes"), "{error}");
    let mut foreign = PagingBuffer::new(0, ONE_PAGE);
    assert!(foreign.push(&[9; 13]));
    assert!(engine.submit_paging_buffer(&foreign).is_err());
}
