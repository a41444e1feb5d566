//! [`crate::GpuMode::Immediate`]: the thread that makes a queue ready runs it.
//!
//! A thread that runs packets is a *driver*: it has a list of the queues that it has taken upon itself, and goes
//! on until the list is empty. Signals that its packets make put further queues into the list, and so do calls
//! that its work or destructors make: no recursion, however long the chain. Other threads that submit to one of
//! those queues sleep until their packet is done; the driver hands the queue to them once it has done what it
//! owed to its own caller.

use std::collections::VecDeque;
use std::panic;
use std::thread::{self, ThreadId};

use crate::locked::Locked;
use crate::queue::QueueId;
use crate::scheduler::{Ran, Shared};
use crate::state::State;
use crate::view::QueueStatus;
use crate::work::{RunLimit, Work};

#[derive(Default)]
pub(crate) struct Drivers(Vec<Driver>);

struct Driver {
    thread: ThreadId,
    queues: VecDeque<Taken>,
}

/// A queue that a driver has taken upon itself.
#[derive(Clone, Copy)]
struct Taken {
    queue: QueueId,
    /// Packets below this number were there when it was taken: what the driver owes its caller.
    owed: u64,
}

impl Drivers {
    fn of(&mut self, thread: ThreadId) -> Option<&mut Driver> {
        self.0.iter_mut().find(|driver| driver.thread == thread)
    }

    /// Nobody has anything to run.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|driver| driver.queues.clear());
    }
}

impl<W: Work> State<W> {
    /// The queues that became ready, for a driver to take.
    fn take_ready(&mut self) -> Vec<Taken> {
        let ready = std::mem::take(&mut self.ready);
        ready.into_iter().map(|queue| Taken { queue, owed: self.queue(queue).next_number() }).collect()
    }
}

impl<W: Work> Shared<W> {
    /// Runs what is ready, and what that makes ready.
    pub(crate) fn drive<'a>(&'a self, mut locked: Locked<'a, W>) -> Locked<'a, W> {
        if locked.ready.is_empty() {
            return locked;
        }
        let me = thread::current().id();
        let ready = locked.take_ready();
        if let Some(driver) = locked.drivers.of(me) {
            // Called by work or a destructor that this very thread runs: it goes on with these afterwards.
            driver.queues.extend(ready);
            return locked;
        }
        locked.drivers.0.push(Driver { thread: me, queues: ready.into() });
        while let Some(taken) = locked.drivers.of(me).and_then(|driver| driver.queues.pop_front()) {
            let ran;
            (locked, ran) = self.run_head(locked, taken.queue, RunLimit::All);
            if let Ran::Panicked(payload) = ran {
                locked.drivers.0.retain(|driver| driver.thread != me);
                drop(locked);
                panic::resume_unwind(payload);
            }
            self.take_on(&mut locked, me, taken);
            locked.bury();
        }
        locked.drivers.0.retain(|driver| driver.thread != me);
        locked
    }

    /// The driver takes upon itself what its last packet has made ready. The queue of that packet goes to
    /// whoever sleeps for it, if the driver owes nothing of it any more.
    fn take_on(&self, locked: &mut Locked<'_, W>, me: ThreadId, last: Taken) {
        for mut taken in locked.take_ready() {
            if taken.queue == last.queue {
                taken.owed = last.owed;
                let queue = locked.queue_mut(taken.queue);
                if queue.awaiting > 0 && queue.first_number() >= last.owed {
                    queue.enlisted = false;
                    self.progress.notify_all();
                    continue;
                }
            }
            let driver = locked.drivers.of(me).expect("invariant: it drives");
            driver.queues.push_back(taken);
        }
    }

    /// Runs what is ready, until the packets below the number are done, their queue waits, or the device is
    /// removed.
    pub(crate) fn drive_until<'a>(&'a self, mut locked: Locked<'a, W>, id: QueueId, end: u64) {
        loop {
            locked = self.drive(locked);
            locked.bury();
            let queue = locked.queue_mut(id);
            let is_blocked = matches!(queue.status(), QueueStatus::Blocked { .. });
            if queue.first_number() >= end || is_blocked {
                return;
            }
            // Two threads that run packets and waited for each other would wait for ever.
            if locked.drivers.of(thread::current().id()).is_some() {
                return;
            }
            let queue = locked.queue_mut(id);
            if queue.runner.is_some() || queue.enlisted {
                queue.awaiting += 1;
                locked.wait(&self.progress);
                locked.queue_mut(id).awaiting -= 1;
            }
            // Whoever is woken may have been handed the queue, with packets that nobody sleeps for.
            locked.unsettle(id);
            locked.settle();
        }
    }
}
