//! A fence, as the scheduler keeps it under its lock.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::fence::CpuWaiter;
use crate::queue::QueueId;

/// Steps of a fence's simulated past that are kept (chosen: more frames than anybody has in flight). What was
/// reached before them has the time of the oldest.
const HISTORY_LENGTH_MAX: usize = 64;

/// Waiters among which nobody looks for those who were told by another fence (chosen: more than wait for
/// one fence at a time).
const WAITERS_KEPT_MIN: usize = 64;

pub(crate) struct FenceState {
    /// Shared with the handles, which read it without the lock; written under it only.
    completed: Arc<AtomicU64>,
    /// By the value they wait for, then by the order in which they came.
    waiters: BTreeMap<(u64, u64), Waiter>,
    waiters_count: u64,
    /// At how many waiters those go who were told meanwhile: at twice as many as were left the last time, so that
    /// a fence which is waited for beside others and never signalled keeps no more than it must.
    waiters_sweep_at: usize,
    /// When each value was first reached since the fence last was below it, in simulated time: (value, time in
    /// nanoseconds), values rising strictly, the last one the value the fence has.
    ///
    /// The order in which threads of this machine get to run packets is not the order of the simulated
    /// timelines: a queue may look at the fence long after the signal that it needs, when others followed.
    history: VecDeque<(u64, u64)>,
    /// Told of each signal, before the fence has its value.
    mirror: Option<Mirror>,
}

/// See [`crate::Fence::mirror`].
pub(crate) type Mirror = Box<dyn Fn(u64) + Send + Sync>;

/// Who waits for a value.
pub(crate) enum Waiter {
    /// The wait packet of that number.
    Queue {
        queue: QueueId,
        packet: u64,
    },
    Cpu(Arc<CpuWaiter>),
}

impl FenceState {
    pub(crate) fn new(initial: u64) -> FenceState {
        FenceState {
            completed: Arc::new(AtomicU64::new(initial)),
            waiters: BTreeMap::new(),
            waiters_count: 0,
            waiters_sweep_at: WAITERS_KEPT_MIN,
            history: VecDeque::from([(initial, 0)]),
            mirror: None,
        }
    }

    /// Tells `mirror` each value that is signalled from now on. The one before it.
    pub(crate) fn set_mirror(&mut self, mirror: Mirror) -> Option<Mirror> {
        self.mirror.replace(mirror)
    }

    /// It is told no more.
    pub(crate) fn take_mirror(&mut self) -> Option<Mirror> {
        self.mirror.take()
    }

    pub(crate) fn tell_mirror(&self, value: u64) {
        if let Some(mirror) = &self.mirror {
            mirror(value);
        }
    }

    pub(crate) fn completed(&self) -> u64 {
        self.completed.load(Ordering::Relaxed)
    }

    pub(crate) fn shared_value(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.completed)
    }

    /// Takes the value; those who waited for it, or for less.
    pub(crate) fn signal(&mut self, value: u64, time_ns: u64) -> Vec<Waiter> {
        // Release: who reads the value sees what the packets before the signal wrote.
        self.completed.store(value, Ordering::Release);
        self.remember(value, time_ns);
        let mut reached = Vec::new();
        while let Some(first) = self.waiters.first_entry()
            && first.key().0 <= value
        {
            reached.push(first.remove());
        }
        reached
    }

    /// When the value was reached, in simulated nanoseconds, if the fence is at least there.
    pub(crate) fn reached_at(&self, value: u64) -> Option<u64> {
        let first = self.history.partition_point(|(reached, _)| *reached < value);
        self.history.get(first).map(|(_, time_ns)| *time_ns)
    }

    pub(crate) fn add_waiter(&mut self, value: u64, waiter: Waiter) {
        if self.waiters.len() >= self.waiters_sweep_at {
            self.waiters.retain(|_, waiter| !matches!(waiter, Waiter::Cpu(cpu) if cpu.is_done()));
            self.waiters_sweep_at = (self.waiters.len() * 2).max(WAITERS_KEPT_MIN);
        }
        self.waiters_count += 1;
        self.waiters.insert((value, self.waiters_count), waiter);
    }

    /// Forgets that somebody waits for a value.
    pub(crate) fn remove_waiter(&mut self, value: u64, gone: &Arc<CpuWaiter>) {
        let of_value = self.waiters.extract_if(
            (value, 0)..=(value, u64::MAX),
            |_, waiter| matches!(waiter, Waiter::Cpu(cpu) if Arc::ptr_eq(cpu, gone)),
        );
        of_value.for_each(drop);
    }

    pub(crate) fn take_waiters(&mut self) -> Vec<Waiter> {
        std::mem::take(&mut self.waiters).into_values().collect()
    }

    fn remember(&mut self, value: u64, time_ns: u64) {
        // Going back: the lower value was reached when the one above it was.
        let mut reached_ns = time_ns;
        while let Some(&(above, above_ns)) = self.history.back()
            && above > value
        {
            reached_ns = above_ns;
            self.history.pop_back();
        }
        if self.history.back().is_none_or(|(last, _)| *last < value) {
            self.history.push_back((value, reached_ns));
        }
        if self.history.len() > HISTORY_LENGTH_MAX {
            self.history.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    fn after(signals: &[(u64, u64)]) -> FenceState {
        let mut fence = FenceState::new(0);
        for (value, time_ns) in signals {
            assert!(fence.signal(*value, *time_ns).is_empty());
        }
        fence
    }

    #[test]
    fn a_value_is_reached_when_it_or_a_greater_one_is_first_signalled() {
        let fence = after(&[(1, 100), (5, 200), (6, 300)]);
        assert_eq!(fence.reached_at(0), Some(0));
        assert_eq!(fence.reached_at(1), Some(100));
        assert_eq!(fence.reached_at(2), Some(200));
        assert_eq!(fence.reached_at(5), Some(200));
        assert_eq!(fence.reached_at(6), Some(300));
        assert_eq!(fence.reached_at(7), None);
    }

    #[test]
    fn going_back_forgets_what_is_above_only() {
        let fence = after(&[(1, 100), (5, 200), (3, 300)]);
        assert_eq!(fence.reached_at(1), Some(100));
        assert_eq!(fence.reached_at(3), Some(200));
        assert_eq!(fence.reached_at(4), None);
        let fence = after(&[(1, 100), (5, 200), (1, 300), (5, 400)]);
        assert_eq!(fence.reached_at(1), Some(100));
        assert_eq!(fence.reached_at(2), Some(400));
    }

    /// SetEventOnMultipleFenceCompletion with the flag ANY, each frame, on a fence that is never signalled.
    #[test]
    fn who_was_told_by_another_fence_does_not_stay() {
        let mut fence = FenceState::new(0);
        let waiting = CpuWaiter::new(1, Event::manual_reset());
        fence.add_waiter(1, Waiter::Cpu(Arc::clone(&waiting)));
        for _ in 0..10_000 {
            let told = CpuWaiter::new(1, Event::manual_reset());
            told.reached();
            fence.add_waiter(1, Waiter::Cpu(told));
        }
        assert!(fence.waiters.len() <= WAITERS_KEPT_MIN, "{} waiters", fence.waiters.len());
        let reached = fence.signal(1, 0);
        let is_waiting = |waiter: &Waiter| matches!(waiter, Waiter::Cpu(cpu) if Arc::ptr_eq(cpu, &waiting));
        assert_eq!(reached.iter().filter(|waiter| is_waiting(waiter)).count(), 1);
    }

    #[test]
    fn the_oldest_steps_are_merged_into_the_next() {
        let signals: Vec<(u64, u64)> = (1..=100).map(|value| (value, value * 10)).collect();
        let fence = after(&signals);
        assert_eq!(fence.reached_at(100), Some(1000));
        assert_eq!(fence.reached_at(37), Some(370));
        assert_eq!(fence.reached_at(36), Some(370), "64 steps are kept: 37 to 100");
    }
}
