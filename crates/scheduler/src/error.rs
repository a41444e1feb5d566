//! What can go wrong, with the operands. After an error nothing has changed.

use std::fmt::{self, Debug, Display};
use std::io;

use crate::fence::FenceId;
use crate::queue::{EngineId, QueueId};
use crate::scheduler::GpuMode;

/// Why a device was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemovalReason<F: Debug> {
    /// Work answered a fault, or [`crate::Scheduler::remove`] was given one.
    #[error("{0:?}")]
    Fault(F),
    /// Work panicked: a bug of whoever wrote it, kept from hanging everybody who waits.
    #[error("work of queue {queue} panicked")]
    Panicked {
        /// The queue that ran it.
        queue: QueueId,
    },
}

/// Why a queue's call is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError<F: Debug> {
    /// The device was removed before.
    #[error("the device was removed: {0}")]
    Removed(RemovalReason<F>),
    /// The fence is of another scheduler.
    #[error(
        "fence {fence} belongs to another device than queue {queue}; allowed: a fence of the same device"
    )]
    ForeignFence {
        /// The fence, by the number it has on its own scheduler.
        fence: FenceId,
        /// The queue.
        queue: QueueId,
    },
    /// The system gave no thread for the engine.
    #[error("the worker thread of engine {} cannot be started: {source}", engine.0)]
    Worker {
        /// The engine.
        engine: EngineId,
        /// What the system answered.
        source: io::Error,
    },
}

/// Why a call of a fence is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenceError {
    /// The device was removed before; the fence's value is `u64::MAX` and stays so.
    #[error("the device was removed")]
    Removed,
    /// Waiting for no fence at all.
    #[error("a wait for several fences was given none; allowed: at least 1")]
    NoFences,
    /// Waiting without end for what nobody does.
    #[error(transparent)]
    WouldDeadlock(#[from] WouldDeadlock),
}

/// A wait without a timeout, in [`GpuMode::Stepped`], for a value that a packet would signal which nothing runs
/// by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "waiting for fence {fence} to reach {value} would not end: packet {packet} of queue {queue} signals it, and in \
     the mode Stepped packets run only when they are stepped"
)]
pub struct WouldDeadlock {
    /// The fence.
    pub fence: FenceId,
    /// The value waited for.
    pub value: u64,
    /// The queue on which a signal that would reach it is pending.
    pub queue: QueueId,
    /// The number of that packet.
    pub packet: u64,
}

/// Why stepping stopped short.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError<F: Debug> {
    /// The device was removed, by this step or before.
    #[error("the device was removed: {0}")]
    Removed(RemovalReason<F>),
    /// The mode is not [`GpuMode::Stepped`].
    #[error("the mode is {mode:?}; only in Stepped are packets run by a call")]
    NotStepped {
        /// The scheduler's mode.
        mode: GpuMode,
    },
    /// Work that is being run, or its destructor, steps its own queue.
    #[error("queue {queue} is being stepped by this very thread")]
    Reentrant {
        /// The queue.
        queue: QueueId,
    },
    /// The fence is of another scheduler.
    #[error("fence {fence} belongs to another device")]
    ForeignFence {
        /// The fence, by the number it has on its own scheduler.
        fence: FenceId,
    },
    /// Nothing can run any more, and the value is not reached.
    #[error(transparent)]
    Deadlock(Deadlock),
}

/// Nothing can run any more, and the value is not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The fence.
    pub fence: FenceId,
    /// The value that was to be reached.
    pub value: u64,
    /// The value it has.
    pub completed: u64,
    /// The queues that wait, in the order of creation.
    pub blocked: Vec<BlockedQueue>,
}

/// A queue whose next packet waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedQueue {
    /// The queue.
    pub queue: QueueId,
    /// Its name.
    pub name: String,
    /// The fence it waits for.
    pub fence: FenceId,
    /// The value it waits for.
    pub value: u64,
    /// The value the fence has.
    pub completed: u64,
}

impl Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deadlock { fence, value, completed, blocked } = self;
        write!(f, "fence {fence} is at {completed} and cannot reach {value}: ")?;
        if blocked.is_empty() {
            return f.write_str("every queue is idle");
        }
        for (index, queue) in blocked.iter().enumerate() {
            write!(f, "{}{queue}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Deadlock {}

impl Display for BlockedQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockedQueue { queue, name, fence, value, completed } = self;
        write!(
            f,
            "queue {queue} \"{name}\" waits for fence {fence} to reach {value}, which is at {completed}"
        )
    }
}
