//! Fences, as the CPU sees them.

use std::fmt::{self, Debug, Display};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::error::FenceError;
use crate::event::Event;
use crate::fence_state::{FenceValue, Mirror, Raised};
use crate::patience;
use crate::scheduler::GpuMode;

/// A fence, by the order of creation on its scheduler, from 1. Never re-used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FenceId(pub u64);

impl Display for FenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// A value that queues and the CPU signal and wait for. A cheap clone; the clones are one fence.
///
/// Values may go back, from the CPU and from a queue (facts/behaviour.md, "Lists, queues, fences"). Releasing
/// the last clone lets everybody go who waits for it; pending signals of it have no effect then. Packets are no
/// clones: a signal or wait takes no reference that anybody sees.
#[derive(Clone)]
pub struct Fence(Arc<FenceHandle>);

struct FenceHandle {
    id: FenceId,
    value: Arc<FenceValue>,
    host: Arc<dyn FenceHost>,
}

impl Drop for FenceHandle {
    fn drop(&mut self) {
        self.host.release(self.id);
    }
}

/// The scheduler, as a fence sees it: without the type of the work.
pub(crate) trait FenceHost: Send + Sync {
    fn mode(&self) -> GpuMode;
    fn signal(&self, fence: FenceId, value: u64) -> Result<(), FenceError>;
    /// The value was raised without the scheduler's lock, and somebody waits.
    fn raised(&self, fence: FenceId);
    /// Calls `begin` with the value that the fence has now.
    fn mirror(&self, fence: FenceId, begin: &mut dyn FnMut(u64), mirror: Mirror);
    /// The value, where the fence had another.
    fn follow(&self, fence: FenceId, value: &dyn Fn() -> u64) -> Result<Option<u64>, FenceError>;
    /// Tells the waiter once the value is reached, at once if it is. `forever`: a thread will wait for it
    /// without a timeout.
    fn register(
        &self,
        fence: FenceId,
        value: u64,
        waiter: &Arc<CpuWaiter>,
        forever: bool,
    ) -> Result<(), FenceError>;
    fn unregister(&self, fence: FenceId, value: u64, waiter: &Arc<CpuWaiter>);
    fn release(&self, fence: FenceId);
}

/// Somebody on the CPU who waits for one or several fences.
pub(crate) struct CpuWaiter {
    /// Fences that are still to be reached, until it is told.
    remaining: AtomicUsize,
    is_done: AtomicBool,
    event: Event,
}

impl CpuWaiter {
    pub(crate) fn new(remaining: usize, event: Event) -> Arc<CpuWaiter> {
        Arc::new(CpuWaiter { remaining: AtomicUsize::new(remaining), is_done: AtomicBool::new(false), event })
    }

    /// One of its fences has reached the value.
    pub(crate) fn reached(&self) {
        let before =
            self.remaining.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1));
        if before == Ok(1) {
            self.is_done.store(true, Ordering::Release);
            self.event.set();
        }
    }

    /// Whether it was told.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Acquire)
    }
}

/// Which of several fences are waited for: D3D12_MULTIPLE_FENCE_WAIT_FLAGS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitMode {
    /// Every one of them: each must have reached its value at some moment of the wait, not all at one moment.
    All,
    /// One of them.
    Any,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "the time may be over"]
pub enum WaitOutcome {
    /// The value was reached, or the device was removed.
    Reached,
    /// The time is over.
    TimedOut,
}

impl Fence {
    pub(crate) fn new(id: FenceId, value: Arc<FenceValue>, host: Arc<dyn FenceHost>) -> Fence {
        Fence(Arc::new(FenceHandle { id, value, host }))
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> FenceId {
        self.0.id
    }

    pub(crate) fn is_of<T>(&self, host: &Arc<T>) -> bool {
        ptr::addr_eq(Arc::as_ptr(&self.0.host), Arc::as_ptr(host))
    }

    /// The value last signalled; the initial one before; `u64::MAX` once the device is removed. What was
    /// written before a signal by a packet is visible to whoever has read the signal's value here.
    #[must_use]
    pub fn completed_value(&self) -> u64 {
        self.0.value.completed()
    }

    /// Sets the value from the CPU. It carries no simulated time: queues that it releases keep theirs. In
    /// [`GpuMode::Immediate`] this thread runs the queues that it releases before the call returns. It takes the
    /// scheduler's lock only where the value does not rise, or somebody waits.
    ///
    /// # Errors
    /// [`FenceError::Removed`].
    #[inline]
    pub fn signal(&self, value: u64) -> Result<(), FenceError> {
        match self.0.value.raise(value) {
            Raised::Alone => Ok(()),
            Raised::Awaited => {
                self.0.host.raised(self.0.id);
                Ok(())
            }
            Raised::No => self.0.host.signal(self.0.id, value),
        }
    }

    /// Makes the fence one of several that have one value, which lies elsewhere: `told` is called with each value that
    /// is signalled from now on, by the CPU or a queue, before the fence has it; not with the `u64::MAX` of a removed
    /// device. `begin` is called once, with the value that the fence has at that moment. Both are called under the
    /// scheduler's lock, so that the other side sees values in the fence's order, and must neither block nor call back. A
    /// fence has one mirror: a second takes the first's place.
    pub fn mirror(&self, mut begin: impl FnMut(u64), told: impl Fn(u64) + Send + Sync + 'static) {
        self.0.host.mirror(self.0.id, &mut begin, Box::new(told));
    }

    /// Brings the fence to the value that lies elsewhere, as [`Fence::signal`] does, without telling the mirror. `value` is
    /// asked under the scheduler's lock: a signal is either before it in both places or after it in both, so that the
    /// fence never goes back to what it was. The value, where the fence had another.
    ///
    /// # Errors
    /// [`FenceError::Removed`].
    pub fn follow(&self, value: impl Fn() -> u64) -> Result<Option<u64>, FenceError> {
        self.0.host.follow(self.0.id, &value)
    }

    /// Sets the event once the value is reached, at once if it is: SetEventOnCompletion. The event is set as
    /// well when the device is removed and when the fence is released.
    pub fn on_completion(&self, value: u64, event: &Event) {
        if self.completed_value() >= value {
            event.set();
            return;
        }
        self.register(value, &CpuWaiter::new(1, event.clone()), false)
            .expect("invariant: only a thread that waits can be refused");
    }

    /// Waits until the value is reached, at most for the timeout; without one, for ever: SetEventOnCompletion
    /// without an event. Removal of the device ends the wait as if the value were reached.
    ///
    /// # Errors
    /// [`FenceError::WouldDeadlock`], without a timeout in [`GpuMode::Stepped`], when a pending packet would
    /// signal the value (chosen: with a timeout the wait ends, and another thread may step meanwhile).
    pub fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<WaitOutcome, FenceError> {
        wait_many(&[(self, value)], WaitMode::All, timeout)
    }

    fn register(&self, value: u64, waiter: &Arc<CpuWaiter>, forever: bool) -> Result<(), FenceError> {
        self.0.host.register(self.0.id, value, waiter, forever)
    }

    fn unregister(&self, value: u64, waiter: &Arc<CpuWaiter>) {
        self.0.host.unregister(self.0.id, value, waiter);
    }
}

impl Debug for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fence").field("id", &self.id()).field("completed", &self.completed_value()).finish()
    }
}

/// Waits for several fences, at most for the timeout; without one, for ever: SetEventOnMultipleFenceCompletion
/// without an event. A fence may stand more than once.
///
/// # Errors
/// [`FenceError::NoFences`] (facts/behaviour.md: 0 fences are refused); [`FenceError::WouldDeadlock`] as of
/// [`Fence::wait`], for any of the fences (chosen for [`WaitMode::Any`] too: what could be meant to end the wait
/// is the packet that nobody steps).
pub fn wait_many(
    fences: &[(&Fence, u64)],
    mode: WaitMode,
    timeout: Option<Duration>,
) -> Result<WaitOutcome, FenceError> {
    if let Some(outcome) = decided(fences, mode)? {
        return Ok(outcome);
    }
    if timeout == Some(Duration::ZERO) {
        return Ok(WaitOutcome::TimedOut);
    }
    let event = Event::manual_reset();
    let waiter = CpuWaiter::new(needed(fences, mode), event.clone());
    let registered = register_all(fences, &waiter, timeout.is_none());
    if registered.is_ok() {
        // Workers are about to answer; other threads may not be.
        let is_awaited = fences.iter().any(|(fence, _)| fence.0.host.mode() == GpuMode::Threaded);
        if !(is_awaited && patience::is_rewarded(|| waiter.is_done())) {
            let is_set = event.wait(timeout);
            debug_assert!(!is_set || waiter.is_done(), "the event is the waiter's own");
        }
    }
    if registered.is_err() || !waiter.is_done() || fences.len() > 1 {
        fences.iter().for_each(|(fence, value)| fence.unregister(*value, &waiter));
    }
    registered?;
    Ok(if waiter.is_done() { WaitOutcome::Reached } else { WaitOutcome::TimedOut })
}

/// Sets the event once all, or one, of the fences have reached their values, at once if they have:
/// SetEventOnMultipleFenceCompletion. A fence may stand more than once.
///
/// # Errors
/// [`FenceError::NoFences`].
pub fn signal_when(fences: &[(&Fence, u64)], mode: WaitMode, event: &Event) -> Result<(), FenceError> {
    if decided(fences, mode)?.is_some() {
        event.set();
        return Ok(());
    }
    register_all(fences, &CpuWaiter::new(needed(fences, mode), event.clone()), false)
}

/// Whether the wait is over before it begins, which takes no lock to see.
fn decided(fences: &[(&Fence, u64)], mode: WaitMode) -> Result<Option<WaitOutcome>, FenceError> {
    if fences.is_empty() {
        return Err(FenceError::NoFences);
    }
    let mut reached = fences.iter().map(|(fence, value)| fence.completed_value() >= *value);
    let is_over = match mode {
        WaitMode::All => reached.all(|reached| reached),
        WaitMode::Any => reached.any(|reached| reached),
    };
    Ok(is_over.then_some(WaitOutcome::Reached))
}

fn needed(fences: &[(&Fence, u64)], mode: WaitMode) -> usize {
    match mode {
        WaitMode::All => fences.len(),
        WaitMode::Any => 1,
    }
}

fn register_all(fences: &[(&Fence, u64)], waiter: &Arc<CpuWaiter>, forever: bool) -> Result<(), FenceError> {
    fences.iter().try_for_each(|(fence, value)| fence.register(*value, waiter, forever))
}
