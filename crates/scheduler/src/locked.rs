//! The scheduler's lock, held.

use std::mem;
use std::ops::{Deref, DerefMut};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::fence_state::Mirror;
use crate::state::State;
use crate::work::Work;

/// What is dropped once the lock is not held: its destructor is the caller's, and may call back.
pub(crate) enum Remains<W: Work> {
    Work { _work: W },
    Context { _context: W::Context },
    Mirror { _mirror: Mirror },
}

/// The scheduler's lock, held. What [`State::grave`] has when it is given up is dropped after that.
pub(crate) struct Locked<'a, W: Work> {
    mutex: &'a Mutex<State<W>>,
    guard: Option<MutexGuard<'a, State<W>>>,
}

impl<'a, W: Work> Locked<'a, W> {
    pub(crate) fn new(mutex: &'a Mutex<State<W>>) -> Locked<'a, W> {
        Locked { mutex, guard: Some(mutex.lock()) }
    }

    /// Sleeps, without the lock, until the condition is notified. Nothing may be left to bury: to give the lock
    /// up for that could miss the notification.
    pub(crate) fn wait(&mut self, condition: &Condvar) {
        assert!(self.grave.is_empty(), "invariant: whoever sleeps has buried what there was");
        condition.wait(self.guard.as_mut().expect(HELD));
    }

    /// Drops what is to be dropped; gives the lock up for that.
    pub(crate) fn bury(&mut self) {
        if !self.grave.is_empty() {
            self.give_up();
            self.guard = Some(self.mutex.lock());
        }
    }

    #[inline]
    fn give_up(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            if guard.grave.is_empty() {
                return;
            }
            let grave = mem::take(&mut guard.grave);
            drop(guard);
            drop(grave);
        }
    }
}

const HELD: &str = "invariant: given up for moments only";

impl<W: Work> Drop for Locked<'_, W> {
    fn drop(&mut self) {
        self.give_up();
    }
}

impl<W: Work> Deref for Locked<'_, W> {
    type Target = State<W>;

    fn deref(&self) -> &State<W> {
        self.guard.as_ref().expect(HELD)
    }
}

impl<W: Work> DerefMut for Locked<'_, W> {
    fn deref_mut(&mut self) -> &mut State<W> {
        self.guard.as_mut().expect(HELD)
    }
}
