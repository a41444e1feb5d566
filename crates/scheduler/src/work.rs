//! What a packet does, as its owner implements it.

use std::fmt::Debug;

/// What an execute packet does: the runtime's command lists, seen from their queue.
pub trait Work: Send + 'static {
    /// What the work of one queue is done on, kept from packet to packet. One queue's work is never run by two
    /// threads at once; the thread may differ from packet to packet.
    type Context: Send + 'static;
    /// Why work can fail. A fault removes the device.
    type Fault: Clone + Send + Debug + 'static;

    /// Runs on, from where the last call stopped, at most as far as the turn's limit. Called again until it
    /// answers that it is done, then dropped. No lock is held meanwhile.
    ///
    /// # Errors
    /// A fault removes the device: every pending packet is dropped and every fence goes to `u64::MAX`.
    fn run(&mut self, context: &mut Self::Context, turn: Turn) -> Result<Progress, Self::Fault>;

    /// A line that tells a person what this is, for [`crate::PacketView`]. Must not call the scheduler, whose
    /// lock is held.
    fn describe(&self) -> String;

    /// Commands that have not run yet, for [`crate::PacketView`]. Must not call the scheduler, whose lock is
    /// held.
    fn remaining(&self) -> u64;
}

/// One call of [`Work::run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How far it may go.
    pub limit: RunLimit,
    /// The queue's simulated time at the start, in nanoseconds.
    pub time_ns: u64,
}

/// How far a piece of work may go in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunLimit {
    /// At most so many commands; at least 1.
    Commands(u64),
    /// To its end.
    All,
}

/// What a call of [`Work::run`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether nothing is left to do. With [`RunLimit::All`], `false` lets other queues of the engine go first.
    pub done: bool,
    /// Simulated time that the call took on the queue, in nanoseconds.
    pub elapsed_ns: u64,
}

impl Progress {
    /// All done.
    #[must_use]
    pub const fn done(elapsed_ns: u64) -> Progress {
        Progress { done: true, elapsed_ns }
    }

    /// More to do.
    #[must_use]
    pub const fn more(elapsed_ns: u64) -> Progress {
        Progress { done: false, elapsed_ns }
    }
}
