//! What a thread waits on: Win32's event objects, as fences set them.

use std::fmt::{self, Debug};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// An event: set or not, and threads that wait for it to be set. A cheap clone; the clones are one event.
#[derive(Clone)]
pub struct Event(Arc<Inner>);

struct Inner {
    is_set: Mutex<bool>,
    changed: Condvar,
    resets_itself: bool,
    /// Told each time it is set.
    listener: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Event {
    /// An event that is not set, and that lets one wait through for each time it is set.
    #[must_use]
    pub fn auto_reset() -> Event {
        Event::new(true)
    }

    /// An event that is not set, and that stays set until [`Event::reset`].
    #[must_use]
    pub fn manual_reset() -> Event {
        Event::new(false)
    }

    /// An event for somebody elsewhere, as an `eventfd`: `listener` is called each time it is set. It must not
    /// block, nor call back into the scheduler, since fences set events under their lock.
    #[must_use]
    pub fn forwarding(listener: impl Fn() + Send + Sync + 'static) -> Event {
        Event::made(false, Some(Box::new(listener)))
    }

    fn new(resets_itself: bool) -> Event {
        Event::made(resets_itself, None)
    }

    fn made(resets_itself: bool, listener: Option<Box<dyn Fn() + Send + Sync>>) -> Event {
        let is_set = Mutex::new(false);
        Event(Arc::new(Inner { is_set, changed: Condvar::new(), resets_itself, listener }))
    }

    /// Sets it: one waiting thread goes on when it resets itself, else all do.
    pub fn set(&self) {
        *self.0.is_set.lock() = true;
        if self.0.resets_itself {
            self.0.changed.notify_one();
        } else {
            self.0.changed.notify_all();
        }
        if let Some(listener) = &self.0.listener {
            listener();
        }
    }

    /// Makes it not set.
    pub fn reset(&self) {
        *self.0.is_set.lock() = false;
    }

    /// Whether it is set; changes nothing.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.0.is_set.lock()
    }

    /// Waits until it is set, at most for the timeout; without one, for ever. Whether it was set: if not, the
    /// time is over. An auto-reset event is not set any more afterwards.
    ///
    /// In [`crate::GpuMode::Stepped`] nobody sets an event for the fence of a packet that is not stepped.
    #[must_use = "false means that the time is over"]
    pub fn wait(&self, timeout: Option<Duration>) -> bool {
        let mut is_set = self.0.is_set.lock();
        match timeout {
            None => self.0.changed.wait_while(&mut is_set, |is_set| !*is_set),
            Some(timeout) => {
                self.0.changed.wait_while_for(&mut is_set, |is_set| !*is_set, timeout);
            }
        }
        let was_set = *is_set;
        if self.0.resets_itself {
            *is_set = false;
        }
        was_set
    }
}

impl Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { resets_itself, .. } = &*self.0;
        f.debug_struct("Event").field("is_set", &self.is_set()).field("resets_itself", resets_itself).finish()
    }
}
