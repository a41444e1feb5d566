//! A fence, as the scheduler keeps it under its lock.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::fence::CpuWaiter;
use crate::queue::QueueId;

/// Steps of a fence's simulated past that are kept (chosen: more frames than anybody has in flight). What was
/// reached before them has the time of the oldest.
const HISTORY_LENGTH_MAX: usize = 64;

/// Waiters among which nobody looks for those who were told by another fence (chosen: more than wait for
/// one fence at a time).
const WAITERS_KEPT_MIN: usize = 64;

/// A fence's value, which its handles read, and raise from the CPU, without the scheduler's lock.
///
/// Who raises it looks afterwards whether anybody waits; who begins to wait says so before he looks at the value. So
/// one of both sees the other. Both are in one order with all such steps (`SeqCst`).
///
/// A fence with a mirror has it told before the fence has the value, which takes the lock: it is closed to such steps,
/// and so is one that had a value from [`CLOSED`] on. It stays so.
pub(crate) struct FenceValue {
    /// The value, or [`CLOSED`].
    open: AtomicU64,
    /// The value once it is closed; written under the lock.
    locked: AtomicU64,
    /// Whether there are waiters; written under the lock.
    is_awaited: AtomicBool,
}

/// No value that is raised without the lock.
const CLOSED: u64 = 1 << 63;

/// What became of an attempt to raise a fence's value without the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raised {
    /// It is raised, and nobody waits.
    Alone,
    /// It is raised, and who waits is to be told under the lock.
    Awaited,
    /// It is as it was.
    No,
}

impl FenceValue {
    fn new(initial: u64) -> FenceValue {
        FenceValue {
            open: AtomicU64::new(initial.min(CLOSED)),
            locked: AtomicU64::new(initial),
            is_awaited: AtomicBool::new(false),
        }
    }

    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        match self.open.load(Ordering::SeqCst) {
            CLOSED => self.locked.load(Ordering::SeqCst),
            open => open,
        }
    }

    /// Sets a greater value. Never where the device is removed: it is at the greatest.
    #[inline]
    pub(crate) fn raise(&self, value: u64) -> Raised {
        let before = self.open.load(Ordering::Relaxed);
        if value <= before
            || value >= CLOSED
            || self.open.compare_exchange(before, value, Ordering::SeqCst, Ordering::Relaxed).is_err()
        {
            return Raised::No;
        }
        if self.is_awaited.load(Ordering::SeqCst) { Raised::Awaited } else { Raised::Alone }
    }

    /// Under the lock: sets the value, by the one before, which it returns. `closes`: nobody raises it without the lock
    /// any more.
    fn set(&self, value: impl Fn(u64) -> u64, closes: bool) -> u64 {
        let mut before = self.open.load(Ordering::SeqCst);
        while before != CLOSED {
            let value = value(before);
            let is_closed = closes || value >= CLOSED;
            if is_closed {
                self.locked.store(value, Ordering::SeqCst);
            }
            let open = if is_closed { CLOSED } else { value };
            match self.open.compare_exchange(before, open, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(before) => return before,
                Err(raised) => before = raised,
            }
        }
        let before = self.locked.load(Ordering::SeqCst);
        self.locked.store(value(before), Ordering::SeqCst);
        before
    }
}

pub(crate) struct FenceState {
    value: Arc<FenceValue>,
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
    ///
    /// What the CPU raised meanwhile, without the lock, follows at time 0, once somebody looks ([`Self::catch_up`]).
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
            value: Arc::new(FenceValue::new(initial)),
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
        self.value.completed()
    }

    pub(crate) fn shared_value(&self) -> Arc<FenceValue> {
        Arc::clone(&self.value)
    }

    /// Takes the value; those who waited for it, for less, or for what the CPU raised it to just before.
    pub(crate) fn signal(&mut self, value: u64, time_ns: u64) -> Vec<Waiter> {
        // Who reads the value sees what the packets before the signal wrote.
        let before = self.value.set(|_| value, false);
        self.remember_raised(before);
        self.remember(value, time_ns);
        self.take_reached(value.max(before))
    }

    /// The CPU changes the value under the lock only from now on.
    pub(crate) fn close(&self) {
        self.value.set(|value| value, true);
    }

    /// Those who waited for what the CPU has raised the value to.
    pub(crate) fn raised(&mut self) -> Vec<Waiter> {
        let completed = self.catch_up();
        self.take_reached(completed)
    }

    fn take_reached(&mut self, value: u64) -> Vec<Waiter> {
        let mut reached = Vec::new();
        while let Some(first) = self.waiters.first_entry()
            && first.key().0 <= value
        {
            reached.push(first.remove());
        }
        self.tell_handles();
        reached
    }

    /// Puts what the CPU raised the value to into the history; the value.
    fn catch_up(&mut self) -> u64 {
        let completed = self.value.completed();
        self.remember_raised(completed);
        completed
    }

    fn remember_raised(&mut self, completed: u64) {
        // Without the lock it only rises.
        if self.history.back().is_some_and(|(last, _)| *last < completed) {
            self.remember(completed, 0);
        }
    }

    /// The CPU raises the value under the lock from now on: somebody is about to wait.
    fn begin_wait(&self) {
        self.value.is_awaited.store(true, Ordering::SeqCst);
    }

    fn tell_handles(&self) {
        self.value.is_awaited.store(!self.waiters.is_empty(), Ordering::SeqCst);
    }

    /// When the value was reached, in simulated nanoseconds, if the fence is at least there; else `waiter` waits for
    /// it from now on.
    pub(crate) fn reached_at_or_await(&mut self, value: u64, waiter: Waiter) -> Option<u64> {
        self.begin_wait();
        self.catch_up();
        let reached_ns = self.reached_at(value);
        match reached_ns {
            Some(_) => self.tell_handles(),
            None => self.add_waiter(value, waiter),
        }
        reached_ns
    }

    /// When the value was reached, as far as the history knows.
    fn reached_at(&self, value: u64) -> Option<u64> {
        let first = self.history.partition_point(|(reached, _)| *reached < value);
        self.history.get(first).map(|(_, time_ns)| *time_ns)
    }

    fn add_waiter(&mut self, value: u64, waiter: Waiter) {
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
        self.tell_handles();
    }

    pub(crate) fn take_waiters(&mut self) -> Vec<Waiter> {
        std::mem::take(&mut self.waiters).into_values().collect()
    }

    #[inline]
    fn remember(&mut self, value: u64, time_ns: u64) {
        // What is reached at one time is one step: the CPU signals at 0, always.
        if let Some((last, last_ns)) = self.history.back_mut()
            && *last <= value
            && *last_ns == time_ns
        {
            *last = value;
            return;
        }
        self.remember_step(value, time_ns);
    }

    fn remember_step(&mut self, value: u64, time_ns: u64) {
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
    fn values_of_one_time_are_one_step() {
        let fence = after(&[(1, 0), (2, 0), (5, 100), (7, 100), (8, 200)]);
        let reached: Vec<_> = [0, 1, 2, 3, 5, 6, 7, 8, 9].map(|value| fence.reached_at(value)).into();
        let expected =
            [Some(0), Some(0), Some(0), Some(100), Some(100), Some(100), Some(100), Some(200), None];
        assert_eq!(reached, expected);
        assert_eq!(fence.history.len(), 3);
        // Back into a step: what is above it is not reached any more.
        let fence = after(&[(1, 0), (4, 100), (7, 100), (5, 300)]);
        assert_eq!([1, 4, 5, 6].map(|value| fence.reached_at(value)), [Some(0), Some(100), Some(100), None]);
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

    #[test]
    fn what_the_cpu_raises_follows_at_time_0() {
        let mut fence = after(&[(1, 100)]);
        let value = fence.shared_value();
        assert_eq!(value.raise(5), Raised::Alone);
        assert_eq!(value.raise(7), Raised::Alone);
        assert_eq!([value.raise(7), value.raise(6)], [Raised::No, Raised::No]);
        assert_eq!(fence.completed(), 7);
        let waiting = || Waiter::Cpu(CpuWaiter::new(1, Event::manual_reset()));
        let reached: Vec<_> = [1, 2, 7, 8].map(|value| fence.reached_at_or_await(value, waiting())).into();
        assert_eq!(reached, [Some(100), Some(0), Some(0), None]);
        // One waits for 8.
        assert_eq!(value.raise(9), Raised::Awaited);
        assert_eq!(fence.raised().len(), 1);
        assert_eq!(value.raise(10), Raised::Alone);
        // A queue's signal comes before who raised it has told: it tells for him.
        assert_eq!(fence.reached_at_or_await(12, waiting()), None);
        assert_eq!(value.raise(12), Raised::Awaited);
        assert_eq!(fence.signal(3, 500).len(), 1);
        assert!(fence.raised().is_empty());
        assert_eq!((fence.completed(), fence.reached_at(3), fence.reached_at(4)), (3, Some(0), None));
        // Closed, it is as it was, and others set it under the lock.
        assert_eq!(value.raise(4), Raised::Alone);
        fence.close();
        assert_eq!((value.raise(5), fence.completed()), (Raised::No, 4));
        assert!(fence.signal(6, 600).is_empty());
        assert_eq!((value.completed(), value.raise(7)), (6, Raised::No));
        assert_eq!([4, 5].map(|value| fence.reached_at(value)), [Some(0), Some(600)]);
        // So it is from 2^63 on, and of a removed device.
        let mut fence = after(&[(1 << 63, 100), (2, 200)]);
        let value = fence.shared_value();
        assert_eq!((value.completed(), value.raise(3)), (2, Raised::No));
        assert!(fence.signal(u64::MAX, 0).is_empty());
        assert_eq!(value.raise(u64::MAX), Raised::No);
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
