//! Fence values of queues, and what waits for them.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Queues whose work is told apart. Chosen: two that draw and two that compute; a program with more of them
/// lets several signal one fence.
pub const QUEUES_MAX: usize = 4;

/// A moment of a queue: when its fence has reached `value`, all that it read before is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsePoint {
    /// Which queue, below [`QUEUES_MAX`]; the program numbers them.
    pub queue: usize,
    /// The value that the queue signals behind the use; 0 is passed from the beginning.
    pub value: u64,
}

/// A queue beyond [`QUEUES_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("timeline.queue: queue is {queue}; allowed: 0 to {}", QUEUES_MAX - 1)]
pub struct UnknownQueue {
    /// The number given.
    pub queue: usize,
}

/// For each queue the last value up to which something may be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses([u64; QUEUES_MAX]);

impl Uses {
    /// Never used.
    pub const NONE: Uses = Uses([0; QUEUES_MAX]);

    /// The uses by `points`.
    ///
    /// # Errors
    /// [`UnknownQueue`].
    pub fn of(points: &[UsePoint]) -> Result<Uses, UnknownQueue> {
        let mut uses = Uses::NONE;
        points.iter().try_for_each(|point| uses.add(*point))?;
        Ok(uses)
    }

    /// One use more. A value below that of an earlier use changes nothing.
    ///
    /// # Errors
    /// [`UnknownQueue`].
    #[inline]
    pub fn add(&mut self, point: UsePoint) -> Result<(), UnknownQueue> {
        let value = self.0.get_mut(point.queue).ok_or(UnknownQueue { queue: point.queue })?;
        *value = point.value.max(*value);
        Ok(())
    }

    /// Those of both.
    #[inline]
    #[must_use]
    pub fn and(mut self, other: Uses) -> Uses {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = other.max(*value);
        }
        self
    }

    /// Whether queues that have completed `completed` have passed every use.
    #[inline]
    #[must_use]
    pub fn are_passed(&self, completed: &Uses) -> bool {
        self.first_open(completed).is_none()
    }

    fn first_open(&self, completed: &Uses) -> Option<usize> {
        self.0.iter().zip(completed.0).position(|(wanted, completed)| *wanted > completed)
    }

    /// The value of a queue; 0 of one that there is not.
    #[must_use]
    pub fn value(&self, queue: usize) -> u64 {
        self.0.get(queue).copied().unwrap_or(0)
    }
}

/// What waits until the GPU has passed its last uses.
///
/// Each thing waits for one queue at a time, in the queue's order of values, so that completing costs what
/// becomes ready and not what waits.
#[derive(Clone, Debug)]
pub struct Deferred<T> {
    completed: Uses,
    waiting: [BinaryHeap<Reverse<Waiting<T>>>; QUEUES_MAX],
    /// How many were ever deferred: what was deferred first is ready first, of those that wait for one value.
    sequence: u64,
}

#[derive(Clone, Copy, Debug)]
struct Waiting<T> {
    value: u64,
    sequence: u64,
    uses: Uses,
    item: T,
}

impl<T> Waiting<T> {
    const fn key(&self) -> (u64, u64) {
        (self.value, self.sequence)
    }
}

impl<T> PartialEq for Waiting<T> {
    fn eq(&self, other: &Waiting<T>) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Waiting<T> {}

impl<T> PartialOrd for Waiting<T> {
    fn partial_cmp(&self, other: &Waiting<T>) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Waiting<T> {
    fn cmp(&self, other: &Waiting<T>) -> core::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl<T> Default for Deferred<T> {
    fn default() -> Deferred<T> {
        Deferred { completed: Uses::NONE, waiting: Default::default(), sequence: 0 }
    }
}

impl<T> Deferred<T> {
    /// Nothing that waits, where queues have completed that already.
    #[must_use]
    pub fn since(completed: Uses) -> Deferred<T> {
        Deferred { completed, ..Deferred::default() }
    }

    /// What queues have completed.
    #[inline]
    #[must_use]
    pub const fn completed(&self) -> &Uses {
        &self.completed
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.iter().map(BinaryHeap::len).sum()
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets `item` wait; answers it when there is nothing to wait for.
    #[inline]
    #[must_use = "what need not wait is given back"]
    pub fn defer(&mut self, item: T, uses: Uses) -> Option<T> {
        let Some(queue) = uses.first_open(&self.completed) else { return Some(item) };
        let waiting = Waiting { value: uses.0[queue], sequence: self.sequence, uses, item };
        self.sequence += 1;
        self.waiting[queue].push(Reverse(waiting));
        None
    }

    /// The queue of `point` has completed its value: hands what waits for nothing more to `ready`.
    ///
    /// # Errors
    /// [`UnknownQueue`].
    pub fn complete(&mut self, point: UsePoint, mut ready: impl FnMut(T)) -> Result<(), UnknownQueue> {
        self.completed.add(point)?;
        let queue = point.queue;
        let completed = self.completed.0[queue];
        while self.waiting[queue].peek().is_some_and(|Reverse(first)| first.value <= completed) {
            let Some(Reverse(mut first)) = self.waiting[queue].pop() else { break };
            match first.uses.first_open(&self.completed) {
                None => ready(first.item),
                Some(other) => {
                    first.value = first.uses.0[other];
                    self.waiting[other].push(Reverse(first));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(queue: usize, value: u64) -> UsePoint {
        UsePoint { queue, value }
    }

    fn ready(deferred: &mut Deferred<&'static str>, point: UsePoint) -> Vec<&'static str> {
        let mut all = Vec::new();
        deferred.complete(point, |item| all.push(item)).unwrap();
        all
    }

    #[test]
    fn what_waits_for_two_queues_waits_for_both() {
        let mut deferred = Deferred::default();
        let both = Uses::of(&[at(0, 5), at(2, 7)]).unwrap();
        assert_eq!(deferred.defer("both", both), None);
        assert_eq!(deferred.defer("late", Uses::of(&[at(0, 6)]).unwrap()), None);
        assert_eq!(deferred.defer("early", Uses::of(&[at(0, 4), at(0, 2)]).unwrap()), None);
        assert_eq!(deferred.defer("never used", Uses::NONE), Some("never used"));
        assert_eq!(ready(&mut deferred, at(0, 3)), [""; 0]);
        assert_eq!(ready(&mut deferred, at(0, 5)), ["early"]);
        assert_eq!(ready(&mut deferred, at(2, 6)), [""; 0]);
        assert_eq!(ready(&mut deferred, at(2, u64::MAX)), ["both"]);
        assert_eq!(ready(&mut deferred, at(0, 1)), [""; 0], "a value that goes back changes nothing");
        assert_eq!(deferred.defer("passed", Uses::of(&[at(0, 5)]).unwrap()), Some("passed"));
        assert_eq!((deferred.len(), deferred.is_empty()), (1, false));
        assert_eq!(ready(&mut deferred, at(0, 6)), ["late"]);
        assert!(deferred.is_empty());
    }

    #[test]
    fn of_one_value_the_first_is_ready_first() {
        let mut deferred = Deferred::default();
        for name in ["a", "b", "c"] {
            assert_eq!(deferred.defer(name, Uses::of(&[at(1, 9)]).unwrap()), None);
        }
        assert_eq!(ready(&mut deferred, at(1, 9)), ["a", "b", "c"]);
    }

    #[test]
    fn a_queue_that_there_is_not_is_refused() {
        let refused = Uses::of(&[at(0, 1), at(4, 1)]);
        assert_eq!(refused, Err(UnknownQueue { queue: 4 }));
        let text = refused.unwrap_err().to_string();
        assert_eq!(text, "timeline.queue: queue is 4; allowed: 0 to 3");
        let mut deferred = Deferred::<()>::default();
        assert_eq!(deferred.complete(at(9, 1), |()| {}), Err(UnknownQueue { queue: 9 }));
    }
}
