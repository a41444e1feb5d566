//! The scheduler: its handles, and what all modes have in common.

use std::fmt::{self, Debug};
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::{any::Any, thread};

use parking_lot::{Condvar, Mutex};

use crate::error::{FenceError, QueueError, RemovalReason};
use crate::fence::{CpuWaiter, Fence, FenceHost, FenceId};
use crate::fence_state::{Mirror, Waiter};
use crate::locked::{Locked, Remains};
use crate::queue::{Queue, QueueDesc, QueueId};
use crate::queue_state::QueueState;
use crate::state::{NewPacket, State};
use crate::work::{Progress, RunLimit, Turn, Work};

/// Who runs the packets, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GpuMode {
    /// The thread that submits them, or that signals the fence they wait for: done when its call returns.
    #[default]
    Immediate,
    /// One worker thread per engine, started at the engine's first packet.
    Threaded,
    /// Nobody, until a call steps a queue.
    Stepped,
}

/// The timeline of one device's queues and fences. A cheap clone; the clones are one scheduler.
pub struct Scheduler<W: Work>(Arc<Handle<W>>);

/// What keeps the workers: scheduler, queues and fences share one.
pub(crate) struct Handle<W: Work>(Arc<Shared<W>>);

/// What handles and workers share.
pub(crate) struct Shared<W: Work> {
    pub(crate) mode: GpuMode,
    state: Mutex<State<W>>,
    /// Notified when a thread that runs or steps packets of a queue has got somewhere and another awaits that.
    pub(crate) progress: Condvar,
}

impl<W: Work> Handle<W> {
    pub(crate) fn shared(&self) -> &Arc<Shared<W>> {
        &self.0
    }
}

impl<W: Work> Drop for Handle<W> {
    fn drop(&mut self) {
        self.0.stop_workers();
    }
}

impl<W: Work> Clone for Scheduler<W> {
    fn clone(&self) -> Scheduler<W> {
        Scheduler(Arc::clone(&self.0))
    }
}

impl<W: Work> Scheduler<W> {
    /// A scheduler without queues.
    #[must_use]
    pub fn new(mode: GpuMode) -> Scheduler<W> {
        Scheduler(Arc::new(Handle(Arc::new(Shared {
            mode,
            state: Mutex::new(State::new(mode)),
            progress: Condvar::new(),
        }))))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared<W>> {
        self.0.shared()
    }

    /// Its mode.
    #[must_use]
    pub fn mode(&self) -> GpuMode {
        self.shared().mode
    }

    /// A queue whose work runs on the context. Queues of one engine share its worker.
    ///
    /// # Errors
    /// [`QueueError::Removed`].
    pub fn create_queue(
        &self,
        desc: QueueDesc,
        context: W::Context,
    ) -> Result<Queue<W>, QueueError<W::Fault>> {
        let mut locked = self.shared().lock();
        locked.check_present()?;
        let id = locked.add_queue(desc.clone(), context);
        drop(locked);
        Ok(Queue::new(id, desc, Arc::clone(&self.0)))
    }

    /// A fence with a value to begin with.
    ///
    /// # Errors
    /// [`QueueError::Removed`].
    pub fn create_fence(&self, initial: u64) -> Result<Fence, QueueError<W::Fault>> {
        let mut locked = self.shared().lock();
        locked.check_present()?;
        let (id, state) = locked.add_fence(initial);
        let completed = state.shared_value();
        drop(locked);
        let host: Arc<dyn FenceHost> = Arc::<Handle<W>>::clone(&self.0);
        Ok(Fence::new(id, completed, host))
    }

    /// Why the device was removed, if it was.
    #[must_use]
    pub fn removed(&self) -> Option<RemovalReason<W::Fault>> {
        self.shared().lock().removal().cloned()
    }

    /// Removes the device: pending packets are dropped, what runs at this moment ends, every fence goes to
    /// `u64::MAX` and lets everybody go, and later calls are refused. Does nothing when it was removed before.
    pub fn remove(&self, fault: W::Fault) {
        self.shared().remove(&mut self.shared().lock(), RemovalReason::Fault(fault));
    }

    pub(crate) fn is_host_of(&self, fence: &Fence) -> bool {
        fence.is_of(&self.0)
    }
}

impl<W: Work> Debug for Scheduler<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler").field("mode", &self.mode()).finish_non_exhaustive()
    }
}

impl<W: Work> State<W> {
    pub(crate) fn check_present(&self) -> Result<(), QueueError<W::Fault>> {
        self.removal().map_or(Ok(()), |reason| Err(QueueError::Removed(reason.clone())))
    }
}

/// How a turn of work ended.
pub(crate) enum Ran {
    Done,
    More,
    /// By a panic, which whoever called goes on with.
    Panicked(Box<dyn Any + Send>),
}

impl<W: Work> Shared<W> {
    pub(crate) fn lock(&self) -> Locked<'_, W> {
        Locked::new(&self.state)
    }

    /// Looks at a queue that has a handle.
    pub(crate) fn look<T>(&self, queue: QueueId, look: impl FnOnce(&QueueState<W>) -> T) -> T {
        look(self.lock().queue(queue))
    }

    /// Appends packets to a queue and does what the mode does then. The packets' numbers.
    pub(crate) fn enqueue(
        self: &Arc<Self>,
        queue: QueueId,
        packets: impl IntoIterator<Item = NewPacket<W>>,
    ) -> Result<Range<u64>, QueueError<W::Fault>> {
        let mut locked = self.lock();
        locked.check_present()?;
        if self.mode == GpuMode::Threaded {
            let engine = locked.queue(queue).desc.engine;
            self.start_worker(&mut locked, engine)?;
        }
        let start = locked.queue(queue).next_number();
        for packet in packets {
            locked.push(queue, packet);
        }
        let end = locked.queue(queue).next_number();
        locked.settle();
        if self.mode == GpuMode::Immediate {
            self.drive_until(locked, queue, end);
        }
        Ok(start..end)
    }

    /// Runs what a change has made ready, where the mode is that the thread that changes it does so.
    pub(crate) fn go_on(&self, mut locked: Locked<'_, W>) {
        locked.settle();
        if self.mode == GpuMode::Immediate && !locked.ready.is_empty() {
            drop(self.drive(locked));
        }
    }

    pub(crate) fn release_queue(&self, id: QueueId) {
        let mut locked = self.lock();
        locked.queue_mut(id).held = false;
        locked.reap(id);
    }

    pub(crate) fn remove(&self, locked: &mut Locked<'_, W>, reason: RemovalReason<W::Fault>) {
        locked.remove(reason);
        locked.settle();
        self.progress.notify_all();
    }

    /// Runs the work at a queue's head for a turn, without the lock. Work that is done is dropped before anybody
    /// can see that it is: what it held is free once a fence says so.
    pub(crate) fn run_head<'a>(
        &'a self,
        mut locked: Locked<'a, W>,
        id: QueueId,
        limit: RunLimit,
    ) -> (Locked<'a, W>, Ran) {
        let queue = locked.queue_mut(id);
        queue.enlisted = false;
        let time_ns = queue.time_ns();
        let (mut work, mut context) =
            queue.begin(thread::current().id()).expect("invariant: work is at the head of an enlisted queue");
        drop(locked);

        let turn = Turn { limit, time_ns };
        let outcome = panic::catch_unwind(AssertUnwindSafe(move || {
            let result = work.run(&mut context, turn);
            let unfinished = match result {
                Ok(Progress { done: false, .. }) => Some(work),
                Ok(Progress { done: true, .. }) | Err(_) => {
                    drop(work);
                    None
                }
            };
            (result, unfinished, context)
        }));
        self.after_turn(id, outcome)
    }

    fn after_turn(&self, id: QueueId, outcome: thread::Result<TurnResult<W>>) -> (Locked<'_, W>, Ran) {
        let mut locked = self.lock();
        let ran = match outcome {
            Ok((Ok(Progress { elapsed_ns, .. }), unfinished, context)) => {
                let queue = locked.queue_mut(id);
                queue.end(context, elapsed_ns);
                let ran = if unfinished.is_some() { Ran::More } else { Ran::Done };
                match unfinished {
                    Some(work) => {
                        let homeless = queue.put_back(work);
                        locked.grave.extend(homeless.map(|work| Remains::Work { _work: work }));
                    }
                    // Packets are gone when the device was removed meanwhile.
                    None => drop(queue.pop()),
                }
                ran
            }
            Ok((Err(fault), _, context)) => {
                locked.queue_mut(id).end(context, 0);
                self.remove(&mut locked, RemovalReason::Fault(fault));
                Ran::Done
            }
            Err(payload) => {
                locked.queue_mut(id).runner = None;
                self.remove(&mut locked, RemovalReason::Panicked { queue: id });
                Ran::Panicked(payload)
            }
        };
        // A queue without handles goes with the device that its fault removed.
        if locked.is_awaited(id) {
            // They look when the lock is free.
            self.progress.notify_all();
        }
        locked.unsettle(id);
        locked.settle();
        locked.reap(id);
        (locked, ran)
    }
}

/// What a turn of work leaves: its answer, the work unless it is done, the context.
type TurnResult<W> = (Result<Progress, <W as Work>::Fault>, Option<W>, <W as Work>::Context);

impl<W: Work> FenceHost for Handle<W> {
    fn mode(&self) -> GpuMode {
        self.0.mode
    }

    fn signal(&self, fence: FenceId, value: u64) -> Result<(), FenceError> {
        let mut locked = self.0.lock();
        if locked.removal().is_some() {
            return Err(FenceError::Removed);
        }
        locked.signal(fence, value, 0);
        self.0.go_on(locked);
        Ok(())
    }

    fn mirror(&self, fence: FenceId, begin: &mut dyn FnMut(u64), mirror: Mirror) {
        let mut locked = self.0.lock();
        let state = locked.fence_mut(fence).expect("invariant: a fence with a handle is not released");
        state.close();
        begin(state.completed());
        if let Some(before) = state.set_mirror(mirror) {
            locked.grave.push(Remains::Mirror { _mirror: before });
        }
    }

    fn follow(&self, fence: FenceId, value: &dyn Fn() -> u64) -> Result<Option<u64>, FenceError> {
        let mut locked = self.0.lock();
        if locked.removal().is_some() {
            return Err(FenceError::Removed);
        }
        let value = value();
        if locked.completed(fence) == value {
            return Ok(None);
        }
        locked.set(fence, value, 0);
        self.0.go_on(locked);
        Ok(Some(value))
    }

    fn raised(&self, fence: FenceId) {
        let mut locked = self.0.lock();
        locked.raised(fence);
        self.0.go_on(locked);
    }

    fn register(
        &self,
        fence: FenceId,
        value: u64,
        waiter: &Arc<CpuWaiter>,
        forever: bool,
    ) -> Result<(), FenceError> {
        let mut locked = self.0.lock();
        if forever
            && self.0.mode == GpuMode::Stepped
            && locked.completed(fence) < value
            && let Some(would_deadlock) = locked.pending_signal(fence, value)
        {
            return Err(would_deadlock.into());
        }
        let state = locked.fence_mut(fence).expect("invariant: a fence with a handle is not released");
        if state.reached_at_or_await(value, Waiter::Cpu(Arc::clone(waiter))).is_some() {
            waiter.reached();
        }
        Ok(())
    }

    fn unregister(&self, fence: FenceId, value: u64, waiter: &Arc<CpuWaiter>) {
        if let Some(state) = self.0.lock().fence_mut(fence) {
            state.remove_waiter(value, waiter);
        }
    }

    fn release(&self, fence: FenceId) {
        let mut locked = self.0.lock();
        locked.release_fence(fence);
        self.0.go_on(locked);
    }
}
