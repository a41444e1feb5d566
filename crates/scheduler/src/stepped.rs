//! [`crate::GpuMode::Stepped`]: the caller decides how far each queue gets.

use std::panic;
use std::sync::Arc;
use std::thread;

use crate::error::{BlockedQueue, Deadlock, RunError};
use crate::event::Event;
use crate::fence::{CpuWaiter, Fence, FenceId};
use crate::fence_state::Waiter;
use crate::locked::Locked;
use crate::order::{Order, RoundRobin};
use crate::queue::{Queue, QueueId};
use crate::queue_state::Packet;
use crate::scheduler::{GpuMode, Ran, Scheduler, Shared};
use crate::state::State;
use crate::view::QueueStatus;
use crate::work::{RunLimit, Work};

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepUnit {
    /// One command of work; a signal or a wait counts as one.
    Command,
    /// To the end of the first packet.
    Packet,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepOutcome {
    /// It ran, or passed, a part of a packet or all of it.
    Ran {
        /// The packet's number on its queue.
        packet: u64,
        /// Whether the packet is done.
        finished: bool,
    },
    /// Nothing: the queue has no packet.
    Idle,
    /// Nothing: the queue waits.
    Blocked {
        /// The fence it waits for.
        fence: FenceId,
        /// The value it waits for.
        value: u64,
    },
}

impl<W: Work> Queue<W> {
    /// Goes on by one command or one packet. When another thread steps the same queue, its step ends first.
    ///
    /// # Errors
    /// [`RunError::NotStepped`], [`RunError::Reentrant`], [`RunError::Removed`]: before, or by this step's work.
    pub fn step(&self, unit: StepUnit) -> Result<StepOutcome, RunError<W::Fault>> {
        self.shared().step(self.id(), unit)
    }

    /// Runs this queue alone until it is idle or waits; which of both.
    ///
    /// # Errors
    /// As [`Queue::step`].
    pub fn run_until_idle(&self) -> Result<QueueStatus, RunError<W::Fault>> {
        loop {
            match self.step(StepUnit::Packet)? {
                StepOutcome::Ran { .. } => {}
                StepOutcome::Idle => return Ok(QueueStatus::Idle),
                StepOutcome::Blocked { fence, value } => return Ok(QueueStatus::Blocked { fence, value }),
            }
        }
    }
}

impl<W: Work> Scheduler<W> {
    /// Runs packets until the fence has reached the value, and no further. The queues take turns, a packet each,
    /// in the order of creation.
    ///
    /// # Errors
    /// [`RunError::Deadlock`]: nothing can run any more; what could, has. [`RunError::ForeignFence`],
    /// [`RunError::NotStepped`], [`RunError::Reentrant`], [`RunError::Removed`].
    pub fn run_until(&self, fence: &Fence, value: u64) -> Result<(), RunError<W::Fault>> {
        self.run_until_by(fence, value, StepUnit::Packet, &mut RoundRobin::default())
    }

    /// [`Scheduler::run_until`] in the caller's order and by the caller's unit.
    ///
    /// # Errors
    /// As [`Scheduler::run_until`].
    pub fn run_until_by(
        &self,
        fence: &Fence,
        value: u64,
        unit: StepUnit,
        order: &mut dyn Order,
    ) -> Result<(), RunError<W::Fault>> {
        if !self.is_host_of(fence) {
            return Err(RunError::ForeignFence { fence: fence.id() });
        }
        let shared = self.shared();
        let waiter = CpuWaiter::new(1, Event::manual_reset());
        let mut locked = shared.lock();
        locked.check_steppable()?;
        let state = locked.fence_mut(fence.id()).expect("invariant: a fence with a handle is not released");
        if state.reached_at_or_await(value, Waiter::Cpu(Arc::clone(&waiter))).is_some() {
            return Ok(());
        }
        drop(locked);

        let stopped = shared.run(unit, order, || waiter.is_done());
        let mut locked = shared.lock();
        if let Some(state) = locked.fence_mut(fence.id()) {
            state.remove_waiter(value, &waiter);
        }
        stopped?;
        if waiter.is_done() {
            return Ok(());
        }
        let completed = locked.completed(fence.id());
        Err(RunError::Deadlock(Deadlock { fence: fence.id(), value, completed, blocked: locked.blocked() }))
    }

    /// Runs packets until nothing can run any more. The queues that wait, in the order of creation; none when
    /// all are idle. The queues take turns, a packet each, in the order of creation.
    ///
    /// # Errors
    /// [`RunError::NotStepped`], [`RunError::Reentrant`], [`RunError::Removed`].
    pub fn run_until_idle(&self) -> Result<Vec<BlockedQueue>, RunError<W::Fault>> {
        self.run_until_idle_by(StepUnit::Packet, &mut RoundRobin::default())
    }

    /// [`Scheduler::run_until_idle`] in the caller's order and by the caller's unit.
    ///
    /// # Errors
    /// As [`Scheduler::run_until_idle`].
    pub fn run_until_idle_by(
        &self,
        unit: StepUnit,
        order: &mut dyn Order,
    ) -> Result<Vec<BlockedQueue>, RunError<W::Fault>> {
        let shared = self.shared();
        shared.lock().check_steppable()?;
        shared.run(unit, order, || false)?;
        Ok(shared.lock().blocked())
    }
}

impl<W: Work> State<W> {
    fn check_steppable(&self) -> Result<(), RunError<W::Fault>> {
        let mode = self.mode();
        if mode != GpuMode::Stepped {
            return Err(RunError::NotStepped { mode });
        }
        self.removal().map_or(Ok(()), |reason| Err(RunError::Removed(reason.clone())))
    }

    /// The queues whose head could run and that no thread steps, in the order of creation.
    fn steppable(&self) -> Vec<QueueId> {
        let ready = self.queues.iter().filter(|(_, queue)| queue.status() == QueueStatus::Ready);
        ready.map(|(id, _)| *id).collect()
    }
}

impl<W: Work> Shared<W> {
    /// Steps queues until told to stop, or nothing can run.
    fn run(
        &self,
        unit: StepUnit,
        order: &mut dyn Order,
        mut is_over: impl FnMut() -> bool,
    ) -> Result<(), RunError<W::Fault>> {
        while !is_over() {
            let ready = self.ready_to_step()?;
            if ready.is_empty() {
                break;
            }
            let index = order.choose(&ready) % ready.len();
            self.step(ready[index], unit)?;
        }
        self.lock().check_steppable()
    }

    /// The queues that can be stepped. Waits while there are none but other threads step some.
    fn ready_to_step(&self) -> Result<Vec<QueueId>, RunError<W::Fault>> {
        let me = thread::current().id();
        let mut locked = self.lock();
        loop {
            let ready = locked.steppable();
            if !ready.is_empty() {
                return Ok(ready);
            }
            let Some((id, queue)) = locked.queues.iter().find(|(_, queue)| queue.runner.is_some()) else {
                return Ok(ready);
            };
            let id = *id;
            if queue.runner == Some(me) {
                return Err(RunError::Reentrant { queue: id });
            }
            self.await_progress(&mut locked, id);
        }
    }

    fn step(&self, id: QueueId, unit: StepUnit) -> Result<StepOutcome, RunError<W::Fault>> {
        let mut locked = self.lock();
        locked.check_steppable()?;
        while let Some(runner) = locked.queues.get(&id).and_then(|queue| queue.runner) {
            if runner == thread::current().id() {
                return Err(RunError::Reentrant { queue: id });
            }
            self.await_progress(&mut locked, id);
            locked.check_steppable()?;
        }
        let Some(queue) = locked.queues.get(&id) else { return Ok(StepOutcome::Idle) };
        let packet = queue.first_number();
        match queue.head() {
            None => Ok(StepOutcome::Idle),
            Some(&Packet::Wait { fence, value, reached_ns: None }) => {
                Ok(StepOutcome::Blocked { fence, value })
            }
            Some(Packet::Wait { .. } | Packet::Signal { .. }) => {
                locked.pass(id);
                locked.reap(id);
                Ok(StepOutcome::Ran { packet, finished: true })
            }
            Some(Packet::Execute { .. }) => self.step_work(locked, id, packet, unit),
        }
    }

    fn step_work<'a>(
        &'a self,
        mut locked: Locked<'a, W>,
        id: QueueId,
        packet: u64,
        unit: StepUnit,
    ) -> Result<StepOutcome, RunError<W::Fault>> {
        let limit = match unit {
            StepUnit::Command => RunLimit::Commands(1),
            StepUnit::Packet => RunLimit::All,
        };
        loop {
            let ran;
            (locked, ran) = self.run_head(locked, id, limit);
            if let Ran::Panicked(payload) = ran {
                drop(locked);
                panic::resume_unwind(payload);
            }
            locked.check_steppable()?;
            let finished = matches!(ran, Ran::Done);
            if finished || unit == StepUnit::Command {
                return Ok(StepOutcome::Ran { packet, finished });
            }
        }
    }

    /// Sleeps until the thread that steps the queue has got on.
    fn await_progress(&self, locked: &mut Locked<'_, W>, id: QueueId) {
        locked.queue_mut(id).awaiting += 1;
        locked.wait(&self.progress);
        if let Some(queue) = locked.queues.get_mut(&id) {
            queue.awaiting -= 1;
        }
    }
}
