//! Both allocators against a model that remembers each descriptor, under random use and a random GPU timeline.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone_descriptors::{
    DescriptorAllocator, DescriptorBlock, DescriptorRing, DescriptorSpan, DescriptorsError, HeapRange,
    QUEUES_MAX, UsePoint,
};
use heapstone_spec::views::{CpuDescriptorHandle, GpuDescriptorHandle};
use proptest::prelude::*;

const INCREMENT: u32 = 32;

fn heap(count: u32) -> HeapRange {
    let (cpu, gpu) = (CpuDescriptorHandle { ptr: 0x1_0000 }, GpuDescriptorHandle { ptr: 0x8_0000 });
    HeapRange::of_heap(cpu, Some(gpu), INCREMENT, count).unwrap()
}

/// What a descriptor is used for, as far as the model knows.
#[derive(Clone, Debug, PartialEq)]
enum State {
    Free,
    Held,
    Until(Vec<UsePoint>),
}

struct Model {
    first: u32,
    states: Vec<State>,
    completed: [u64; QUEUES_MAX],
}

impl Model {
    fn new(range: &HeapRange) -> Model {
        let count = usize::try_from(range.count()).unwrap();
        Model { first: range.first(), states: vec![State::Free; count], completed: [0; QUEUES_MAX] }
    }

    fn of(&mut self, span: DescriptorSpan) -> &mut [State] {
        let first = usize::try_from(span.first - self.first).unwrap();
        &mut self.states[first..first + usize::try_from(span.count).unwrap()]
    }

    /// They must have been free.
    fn take(&mut self, span: DescriptorSpan) {
        for state in self.of(span) {
            assert_eq!(*state, State::Free, "{span:?} is used still");
            *state = State::Held;
        }
    }

    fn release(&mut self, span: DescriptorSpan, points: &[UsePoint]) {
        self.of(span).fill(State::Until(points.to_vec()));
        self.settle();
    }

    fn complete(&mut self, point: UsePoint) {
        self.completed[point.queue] = self.completed[point.queue].max(point.value);
        self.settle();
    }

    fn settle(&mut self) {
        for state in &mut self.states {
            if matches!(state, State::Until(points) if points.iter().all(|p| self.completed[p.queue] >= p.value))
            {
                *state = State::Free;
            }
        }
    }

    fn free(&self) -> u32 {
        u32::try_from(self.states.iter().filter(|state| **state == State::Free).count()).unwrap()
    }

    fn waiting(&self) -> u32 {
        u32::try_from(self.states.iter().filter(|state| matches!(state, State::Until(_))).count()).unwrap()
    }

    /// The longest run of free ones.
    fn longest(&self) -> u32 {
        let mut longest = 0;
        let mut run = 0;
        for state in &self.states {
            run = if *state == State::Free { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        longest
    }
}

#[derive(Clone, Debug)]
enum Step {
    Allocate(u32),
    /// Frees one of those held, or closes a frame.
    Release(usize, Vec<UsePoint>),
    Complete(UsePoint),
}

fn point() -> impl Strategy<Value = UsePoint> {
    (0..QUEUES_MAX, 0..30_u64).prop_map(|(queue, value)| UsePoint { queue, value })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1..12_u32).prop_map(Step::Allocate),
        3 => (any::<usize>(), prop::collection::vec(point(), 0..3)).prop_map(|(at, p)| Step::Release(at, p)),
        2 => point().prop_map(Step::Complete),
    ];
    prop::collection::vec(step, 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn blocks_are_used_once(steps in steps()) {
        let range = heap(100).part(20, 40).unwrap();
        let (mut allocator, mut model) = (DescriptorAllocator::new(range), Model::new(&range));
        let mut held: Vec<DescriptorBlock> = Vec::new();
        for step in steps {
            match step {
                Step::Allocate(count) => match allocator.allocate(count) {
                    Ok(block) => {
                        prop_assert_eq!(block.span().count, count);
                        model.take(block.span());
                        held.push(block);
                    }
                    Err(DescriptorsError::Full(shortage)) => {
                        prop_assert!(model.longest() < count, "a run of {} is free", model.longest());
                        prop_assert_eq!(
                            (shortage.wanted, shortage.free, shortage.longest, shortage.waiting, shortage.capacity),
                            (count, model.free(), model.longest(), model.waiting(), 40)
                        );
                    }
                    Err(other) => prop_assert!(false, "{}", other),
                },
                Step::Release(at, points) if !held.is_empty() => {
                    let block = held.swap_remove(at % held.len());
                    let span = block.span();
                    allocator.free(block, &points).unwrap();
                    model.release(span, &points);
                }
                Step::Release(..) => {}
                Step::Complete(point) => {
                    allocator.complete(point).unwrap();
                    model.complete(point);
                }
            }
            prop_assert_eq!(allocator.free_count(), model.free());
            prop_assert_eq!(allocator.waiting_count(), model.waiting());
        }
    }

    /// A ring takes frames back in order: what the model frees earlier stays unused, but nothing is used twice.
    #[test]
    fn spans_are_used_once(steps in steps()) {
        let range = heap(100).part(20, 40).unwrap();
        let (mut ring, mut model) = (DescriptorRing::new(range), Model::new(&range));
        let mut open: Vec<DescriptorSpan> = Vec::new();
        let mut last = 0;
        for step in steps {
            match step {
                Step::Allocate(count) => match ring.allocate(count) {
                    Ok(span) => {
                        prop_assert_eq!(span.count, count);
                        model.take(span);
                        open.push(span);
                    }
                    Err(DescriptorsError::Full(shortage)) => {
                        prop_assert!(shortage.longest < count && shortage.wanted == count);
                        prop_assert!(shortage.longest <= model.longest() && shortage.free <= model.free());
                        prop_assert_eq!(shortage.free + shortage.waiting, 40);
                    }
                    Err(other) => prop_assert!(false, "{}", other),
                },
                Step::Release(_, points) => {
                    ring.finish(&points).unwrap();
                    open.drain(..).for_each(|span| model.release(span, &points));
                }
                Step::Complete(point) => {
                    last = last.max(point.value);
                    ring.complete(point).unwrap();
                    model.complete(point);
                }
            }
        }
        // When every queue is done, all is free.
        ring.finish(&[]).unwrap();
        for queue in 0..QUEUES_MAX {
            ring.complete(UsePoint { queue, value: u64::MAX }).unwrap();
        }
        prop_assert_eq!(ring.allocate(40).map(|span| (span.first, span.count)), Ok((20, 40)));
    }
}

#[test]
fn handles_are_those_of_the_heap() {
    let range = heap(100).part(20, 40).unwrap();
    assert_eq!(range.cpu(20), Some(CpuDescriptorHandle { ptr: 0x1_0000 + 20 * 32 }));
    assert_eq!(range.gpu(99), Some(GpuDescriptorHandle { ptr: 0x8_0000 + 99 * 32 }));
    assert_eq!((range.cpu(100), range.gpu(100)), (None, None));
    let unseen = HeapRange::of_heap(CpuDescriptorHandle { ptr: 64 }, None, 8, 4).unwrap();
    assert_eq!(unseen.gpu(0), None);
    let refused = range.part(39, 2);
    assert_eq!(refused, Err(DescriptorsError::Range { first: 39, count: 2, heap: 40 }));
    assert_eq!(range.part(0, 0), Err(DescriptorsError::Range { first: 0, count: 0, heap: 40 }));
    assert_eq!(range.part(u32::MAX, 1), Err(DescriptorsError::Range { first: u32::MAX, count: 1, heap: 40 }));
    assert_eq!(range.part(39, 1).map(|part| (part.first(), part.count())), Ok((59, 1)));
    let none = HeapRange::of_heap(CpuDescriptorHandle { ptr: 64 }, None, 8, 0);
    assert_eq!(none, Err(DescriptorsError::Range { first: 0, count: 0, heap: 0 }));
}

#[test]
fn refusals_say_how_full_it_is_and_change_nothing() {
    let mut allocator = DescriptorAllocator::new(heap(10));
    let blocks: Vec<_> = (0..5).map(|_| allocator.allocate(2).unwrap()).collect();
    let mut blocks = blocks.into_iter();
    let (first, second) = (blocks.next().unwrap(), blocks.next().unwrap());
    allocator.free(first, &[]).unwrap();
    allocator.free(second, &[UsePoint { queue: 1, value: 3 }]).unwrap();
    let text = allocator.allocate(3).unwrap_err().to_string();
    assert_eq!(
        text,
        "descriptors.full: count is 3; allowed: at most 2 side by side; 2 of 10 are free, and 2 wait for the GPU"
    );
    let third = blocks.next().unwrap();
    let (third, error) = allocator.free(third, &[UsePoint { queue: 7, value: 0 }]).unwrap_err();
    assert_eq!(error.to_string(), "timeline.queue: queue is 7; allowed: 0 to 3");
    let mut other = DescriptorAllocator::new(heap(10));
    let (third, error) = other.free(third, &[]).unwrap_err();
    assert_eq!(error, DescriptorsError::ForeignBlock);
    assert_eq!((allocator.free_count(), other.free_count()), (2, 10));
    allocator.free(third, &[]).unwrap();
    assert_eq!(allocator.allocate(0), Err(DescriptorsError::NoDescriptors));
    assert_eq!(DescriptorRing::new(heap(1)).allocate(0), Err(DescriptorsError::NoDescriptors));
}

/// A span never goes over the ring's end; what is left there comes back with its frame.
#[test]
fn the_rings_end_is_skipped() {
    let frame = |value| [UsePoint { queue: 0, value }];
    let mut ring = DescriptorRing::new(heap(10));
    assert_eq!(ring.allocate(4).unwrap(), DescriptorSpan { first: 0, count: 4 });
    ring.finish(&frame(1)).unwrap();
    assert_eq!(ring.allocate(4).unwrap(), DescriptorSpan { first: 4, count: 4 });
    ring.finish(&frame(2)).unwrap();
    ring.complete(frame(1)[0]).unwrap();
    assert_eq!(ring.allocate(3).unwrap(), DescriptorSpan { first: 0, count: 3 }, "2 are left at the end");
    let text = ring.allocate(2).unwrap_err().to_string();
    assert_eq!(
        text,
        "descriptors.full: count is 2; allowed: at most 1 side by side; 1 of 10 are free, and 9 wait for the GPU"
    );
    ring.finish(&frame(3)).unwrap();
    ring.complete(frame(2)[0]).unwrap();
    assert_eq!(ring.allocate(5).unwrap(), DescriptorSpan { first: 3, count: 5 });
    // Larger than what is left on either side, but nothing is in flight.
    ring.finish(&[]).unwrap();
    ring.complete(frame(3)[0]).unwrap();
    assert_eq!(ring.allocate(10).unwrap(), DescriptorSpan { first: 0, count: 10 });
    assert!(matches!(ring.allocate(11), Err(DescriptorsError::Full(full)) if full.longest == 0));
}
