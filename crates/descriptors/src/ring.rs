//! A ring of descriptors: what a frame needs is handed out in order, and taken back when the GPU has passed it.

use std::collections::VecDeque;

use crate::error::{DescriptorsError, Shortage};
use crate::heap_range::HeapRange;
use crate::timeline::{UnknownQueue, UsePoint, Uses};

/// Descriptors side by side, by their place in the heap. A number, which nothing keeps from being used too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescriptorSpan {
    /// The first, counted from the heap's beginning.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// The ring.
///
/// ```text
///   0         tail            head            capacity
///   | free    | in flight     | free          |
///             '-- frames, closed by finish, in order; the last may be open
/// ```
/// A span does not go over the end: what is left there is skipped, and comes back with its frame.
#[derive(Clone, Debug)]
pub struct DescriptorRing {
    range: HeapRange,
    /// Descriptors handed out or skipped since the beginning, and those of them that came back. They count on,
    /// so that a full ring and an empty one differ.
    head: u64,
    tail: u64,
    frames: VecDeque<Frame>,
    completed: Uses,
}

/// What was handed out before `end`, and is used until `uses`.
#[derive(Clone, Copy, Debug)]
struct Frame {
    end: u64,
    uses: Uses,
}

impl DescriptorRing {
    /// A ring of that range, all of it free.
    #[must_use]
    pub const fn new(range: HeapRange) -> DescriptorRing {
        DescriptorRing { range, head: 0, tail: 0, frames: VecDeque::new(), completed: Uses::NONE }
    }

    /// The range that it hands out.
    #[must_use]
    pub const fn range(&self) -> &HeapRange {
        &self.range
    }

    /// `count` descriptors side by side, until the frame that [`finish`](Self::finish) closes next is passed.
    ///
    /// # Errors
    /// [`DescriptorsError::NoDescriptors`]; [`DescriptorsError::Full`], which counts descriptors of open frames
    /// as waiting.
    pub fn allocate(&mut self, count: u32) -> Result<DescriptorSpan, DescriptorsError> {
        if count == 0 {
            return Err(DescriptorsError::NoDescriptors);
        }
        let capacity = u64::from(self.range.count());
        let begin = self.head % capacity;
        let fits_behind = u64::from(count) <= capacity - begin;
        let skipped = if fits_behind { 0 } else { capacity - begin };
        if u64::from(count) + skipped > self.free() {
            // An empty ring may begin where it likes.
            if self.head == self.tail && u64::from(count) <= capacity {
                self.head = 0;
                self.tail = 0;
                return self.allocate(count);
            }
            return Err(DescriptorsError::Full(self.shortage(count)));
        }
        self.head += skipped + u64::from(count);
        Ok(DescriptorSpan { first: self.range.first() + small(if fits_behind { begin } else { 0 }), count })
    }

    /// Closes a frame: what was handed out since the last call is used until all `points` are passed. Without
    /// points it is free when the frames before it are.
    ///
    /// # Errors
    /// [`UnknownQueue`].
    pub fn finish(&mut self, points: &[UsePoint]) -> Result<(), UnknownQueue> {
        let uses = Uses::of(points)?;
        if self.frames.back().map_or(self.tail, |frame| frame.end) != self.head {
            self.frames.push_back(Frame { end: self.head, uses });
            self.take_back();
        }
        Ok(())
    }

    /// A queue has completed that value.
    ///
    /// # Errors
    /// [`UnknownQueue`].
    pub fn complete(&mut self, point: UsePoint) -> Result<(), UnknownQueue> {
        self.completed.add(point)?;
        self.take_back();
        Ok(())
    }

    fn take_back(&mut self) {
        while let Some(frame) = self.frames.pop_front_if(|frame| frame.uses.are_passed(&self.completed)) {
            self.tail = frame.end;
        }
    }

    fn free(&self) -> u64 {
        u64::from(self.range.count()) - (self.head - self.tail)
    }

    fn shortage(&self, wanted: u32) -> Shortage {
        let capacity = u64::from(self.range.count());
        let behind = capacity - self.head % capacity;
        let free = self.free();
        // Either what is left behind the head, or from the beginning on.
        let longest = behind.min(free).max(free.saturating_sub(behind));
        Shortage {
            wanted,
            free: small(free),
            longest: small(longest),
            waiting: small(capacity - free),
            capacity: self.range.count(),
        }
    }
}

fn small(count: u64) -> u32 {
    u32::try_from(count).expect("invariant: at most the descriptors of the range")
}
