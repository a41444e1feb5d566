//! What a queue is about to do, to look at.

use crate::fence::FenceId;

/// Whether a queue can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueStatus {
    /// It has nothing to do.
    Idle,
    /// Its next packet can run.
    Ready,
    /// Its next packet is being run.
    Running,
    /// Its next packet waits.
    Blocked {
        /// The fence it waits for.
        fence: FenceId,
        /// The value it waits for.
        value: u64,
    },
}

/// A packet that is not done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PacketView {
    /// Its number on its queue, from 0.
    pub number: u64,
    /// What it is.
    pub kind: PacketKind,
}

/// What a packet is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PacketKind {
    /// Work.
    Execute {
        /// [`crate::Work::describe`].
        description: String,
        /// [`crate::Work::remaining`].
        remaining: u64,
        /// Whether a part of it has run.
        started: bool,
    },
    /// Work that a thread runs at this moment, which cannot be looked at.
    Running,
    /// The fence will take the value.
    Signal {
        /// The fence.
        fence: FenceId,
        /// The value.
        value: u64,
    },
    /// What follows waits for the value.
    Wait {
        /// The fence.
        fence: FenceId,
        /// The value.
        value: u64,
        /// Whether the value was reached meanwhile: it will not wait, even when the value goes back.
        satisfied: bool,
    },
}
