//! Queues, as whoever submits to them sees them.

use std::fmt::{self, Debug, Display};
use std::ops::Range;
use std::sync::Arc;

use crate::error::QueueError;
use crate::fence::Fence;
use crate::scheduler::{Handle, Shared};
use crate::state::NewPacket;
use crate::view::{PacketView, QueueStatus};
use crate::work::Work;

/// A queue, by the order of creation on its scheduler, from 1. Never re-used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId(pub u64);

impl Display for QueueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// An engine of the adapter: what one worker thread stands for. Queues of one engine take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(pub u32);

/// What a queue is to be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueueDesc {
    /// The engine that runs its packets.
    pub engine: EngineId,
    /// For people, in errors.
    pub name: String,
    /// As in D3D12_COMMAND_QUEUE_DESC: greater goes first. [`crate::GpuMode::Threaded`] asks it among the ready
    /// queues of an engine, whose equals take turns packet by packet; the other modes do not.
    pub priority: i32,
}

/// Runs packets in the order in which they were given. A cheap clone; the clones are one queue.
///
/// When the last clone goes, the packets that are pending stay so and run as the mode has it; then the queue's
/// context is dropped.
pub struct Queue<W: Work>(Arc<QueueHandle<W>>);

struct QueueHandle<W: Work> {
    id: QueueId,
    desc: QueueDesc,
    scheduler: Arc<Handle<W>>,
}

impl<W: Work> Drop for QueueHandle<W> {
    fn drop(&mut self) {
        self.scheduler.shared().release_queue(self.id);
    }
}

impl<W: Work> Clone for Queue<W> {
    fn clone(&self) -> Queue<W> {
        Queue(Arc::clone(&self.0))
    }
}

impl<W: Work> Queue<W> {
    pub(crate) fn new(id: QueueId, desc: QueueDesc, scheduler: Arc<Handle<W>>) -> Queue<W> {
        Queue(Arc::new(QueueHandle { id, desc, scheduler }))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared<W>> {
        self.0.scheduler.shared()
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> QueueId {
        self.0.id
    }

    /// What it was created as.
    #[must_use]
    pub fn desc(&self) -> &QueueDesc {
        &self.0.desc
    }

    /// Appends work. The packet's number: packets of a queue count from 0.
    ///
    /// In [`crate::GpuMode::Immediate`] the work is done when the call returns, unless the queue waits for a
    /// fence, or the call comes from work that is being run, or from its destructor: then the packet runs once
    /// that returns. A panic of the work goes on in this thread.
    ///
    /// # Errors
    /// [`QueueError::Removed`]: the device had been removed. A fault of this very work is none: the packet was
    /// accepted, and [`crate::Scheduler::removed`] tells. [`QueueError::Worker`].
    pub fn submit(&self, work: W) -> Result<u64, QueueError<W::Fault>> {
        self.append([NewPacket::Execute(work)]).map(|numbers| numbers.start)
    }

    /// Appends several pieces of work, a packet each, between which no other thread's packets come: the lists of
    /// one ExecuteCommandLists. The packets' numbers.
    ///
    /// # Errors
    /// As [`Queue::submit`]; none is appended then.
    pub fn submit_all(&self, work: impl IntoIterator<Item = W>) -> Result<Range<u64>, QueueError<W::Fault>> {
        let packets: Vec<NewPacket<W>> = work.into_iter().map(NewPacket::Execute).collect();
        self.append(packets)
    }

    /// Appends a signal: the fence takes the value once everything before it has run. The packet's number.
    ///
    /// # Errors
    /// [`QueueError::Removed`], [`QueueError::ForeignFence`], [`QueueError::Worker`].
    pub fn signal(&self, fence: &Fence, value: u64) -> Result<u64, QueueError<W::Fault>> {
        self.own(fence)?;
        self.append([NewPacket::Signal { fence: fence.id(), value }]).map(|numbers| numbers.start)
    }

    /// Appends a wait: what follows runs once the fence has been at the value, or above, at some moment from
    /// now on, or was released. The packet's number.
    ///
    /// # Errors
    /// As [`Queue::signal`].
    pub fn wait(&self, fence: &Fence, value: u64) -> Result<u64, QueueError<W::Fault>> {
        self.own(fence)?;
        self.append([NewPacket::Wait { fence: fence.id(), value }]).map(|numbers| numbers.start)
    }

    fn append(
        &self,
        packets: impl IntoIterator<Item = NewPacket<W>>,
    ) -> Result<Range<u64>, QueueError<W::Fault>> {
        self.shared().enqueue(self.id(), packets)
    }

    fn own(&self, fence: &Fence) -> Result<(), QueueError<W::Fault>> {
        if fence.is_of(&self.0.scheduler) {
            Ok(())
        } else {
            Err(QueueError::ForeignFence { fence: fence.id(), queue: self.id() })
        }
    }

    /// Whether it can go on.
    #[must_use]
    pub fn state(&self) -> QueueStatus {
        self.shared().look(self.id(), |queue| queue.status())
    }

    /// What it has not done yet, in order.
    #[must_use]
    pub fn pending(&self) -> Vec<PacketView> {
        self.shared().look(self.id(), |queue| queue.views())
    }

    /// Packets that it has not done yet.
    #[must_use]
    pub fn pending_count(&self) -> usize {
        self.shared().look(self.id(), |queue| queue.len())
    }

    /// Its simulated time in nanoseconds: what its work took, and what it waited for signals of other queues. A
    /// queue's wait takes its time to that of the signal that first reached the value, if that is later.
    #[must_use]
    pub fn time_ns(&self) -> u64 {
        self.shared().look(self.id(), |queue| queue.time_ns())
    }

    /// The part of [`Queue::time_ns`] in which its work ran.
    #[must_use]
    pub fn busy_ns(&self) -> u64 {
        self.shared().look(self.id(), |queue| queue.busy_ns())
    }
}

impl<W: Work> Debug for Queue<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("id", &self.id()).field("desc", self.desc()).finish_non_exhaustive()
    }
}
