//! Queues and fences under the lock: what a signal, a wait, a release and a removal change. Pure bookkeeping;
//! nothing runs here.

use std::collections::{BTreeMap, VecDeque};

use crate::error::{BlockedQueue, RemovalReason, WouldDeadlock};
use crate::fence::FenceId;
use crate::fence_state::{FenceState, Waiter};
use crate::immediate::Drivers;
use crate::locked::Remains;
use crate::queue::{QueueDesc, QueueId};
use crate::queue_state::{Packet, QueueState};
use crate::scheduler::GpuMode;
use crate::threaded::Engines;
use crate::view::QueueStatus;
use crate::work::Work;

/// A packet that is to be appended.
pub(crate) enum NewPacket<W> {
    Execute(W),
    Signal { fence: FenceId, value: u64 },
    Wait { fence: FenceId, value: u64 },
}

pub(crate) struct State<W: Work> {
    mode: GpuMode,
    /// In the order of creation, which every walk over them keeps.
    pub(crate) queues: BTreeMap<QueueId, QueueState<W>>,
    fences: BTreeMap<FenceId, FenceState>,
    last_queue: u64,
    last_fence: u64,
    removal: Option<RemovalReason<W::Fault>>,
    /// Queues at whose head something may have changed. Empty in [`GpuMode::Stepped`].
    unsettled: VecDeque<QueueId>,
    /// [`GpuMode::Immediate`]: queues whose head is work that no thread has taken upon itself yet.
    pub(crate) ready: VecDeque<QueueId>,
    /// [`GpuMode::Immediate`]: the threads that run packets.
    pub(crate) drivers: Drivers,
    /// [`GpuMode::Threaded`]: the workers and what is ready for each.
    pub(crate) engines: Engines,
    /// What is to be dropped without the lock.
    pub(crate) grave: Vec<Remains<W>>,
}

impl<W: Work> State<W> {
    pub(crate) fn new(mode: GpuMode) -> State<W> {
        State {
            mode,
            queues: BTreeMap::new(),
            fences: BTreeMap::new(),
            last_queue: 0,
            last_fence: 0,
            removal: None,
            unsettled: VecDeque::new(),
            ready: VecDeque::new(),
            drivers: Drivers::default(),
            engines: Engines::default(),
            grave: Vec::new(),
        }
    }

    pub(crate) fn mode(&self) -> GpuMode {
        self.mode
    }

    pub(crate) fn removal(&self) -> Option<&RemovalReason<W::Fault>> {
        self.removal.as_ref()
    }

    pub(crate) fn add_queue(&mut self, desc: QueueDesc, context: W::Context) -> QueueId {
        self.last_queue += 1;
        let id = QueueId(self.last_queue);
        self.queues.insert(id, QueueState::new(desc, context));
        id
    }

    pub(crate) fn add_fence(&mut self, initial: u64) -> (FenceId, &FenceState) {
        self.last_fence += 1;
        let id = FenceId(self.last_fence);
        (id, self.fences.entry(id).or_insert_with(|| FenceState::new(initial)))
    }

    pub(crate) fn fence_mut(&mut self, fence: FenceId) -> Option<&mut FenceState> {
        self.fences.get_mut(&fence)
    }

    pub(crate) fn queue_mut(&mut self, queue: QueueId) -> &mut QueueState<W> {
        self.queues.get_mut(&queue).expect("invariant: a queue stays while it has a handle or a packet")
    }

    pub(crate) fn queue(&self, queue: QueueId) -> &QueueState<W> {
        self.queues.get(&queue).expect("invariant: a queue stays while it has a handle or a packet")
    }

    /// Whether threads wait for the queue to get on; not where it is gone.
    pub(crate) fn is_awaited(&self, queue: QueueId) -> bool {
        self.queues.get(&queue).is_some_and(|queue| queue.awaiting > 0)
    }

    pub(crate) fn push(&mut self, id: QueueId, packet: NewPacket<W>) {
        let number = self.queue(id).next_number();
        let packet = match packet {
            NewPacket::Execute(work) => Packet::Execute { work: Some(work), started: false },
            NewPacket::Signal { fence, value } => Packet::Signal { fence, value },
            NewPacket::Wait { fence, value } => {
                Packet::Wait { fence, value, reached_ns: self.reached_or_await(id, number, fence, value) }
            }
        };
        self.queue_mut(id).push(packet);
        self.unsettle(id);
    }

    /// When the wait was satisfied, if it is. Otherwise the fence will tell the packet.
    fn reached_or_await(&mut self, queue: QueueId, packet: u64, fence: FenceId, value: u64) -> Option<u64> {
        // A fence that was released lets everybody go.
        let Some(fence) = self.fences.get_mut(&fence) else { return Some(0) };
        fence.reached_at_or_await(value, Waiter::Queue { queue, packet })
    }

    /// Sets a fence's value and lets those go who waited for it. The time is the signalling queue's; 0 for the
    /// CPU, which moves nobody's.
    pub(crate) fn signal(&mut self, fence: FenceId, value: u64, time_ns: u64) {
        if let Some(state) = self.fences.get(&fence) {
            state.tell_mirror(value);
        }
        self.set(fence, value, time_ns);
    }

    /// The same for a value that the fence's mirror has, or shall not have.
    pub(crate) fn set(&mut self, fence: FenceId, value: u64, time_ns: u64) {
        if let Some(state) = self.fences.get_mut(&fence) {
            let waiters = state.signal(value, time_ns);
            self.let_go(waiters, time_ns);
        }
    }

    /// The CPU raised a fence's value: lets those go who waited for it.
    pub(crate) fn raised(&mut self, fence: FenceId) {
        if let Some(state) = self.fences.get_mut(&fence) {
            let waiters = state.raised();
            self.let_go(waiters, 0);
        }
    }

    pub(crate) fn release_fence(&mut self, fence: FenceId) {
        if let Some(mut state) = self.fences.remove(&fence) {
            self.grave.extend(state.take_mirror().map(|mirror| Remains::Mirror { _mirror: mirror }));
            self.let_go(state.take_waiters(), 0);
        }
    }

    fn let_go(&mut self, waiters: Vec<Waiter>, time_ns: u64) {
        for waiter in waiters {
            match waiter {
                Waiter::Cpu(cpu) => cpu.reached(),
                Waiter::Queue { queue, packet } => self.satisfy(queue, packet, time_ns),
            }
        }
    }

    fn satisfy(&mut self, id: QueueId, packet: u64, time_ns: u64) {
        let Some(queue) = self.queues.get_mut(&id) else { return };
        let is_head = queue.first_number() == packet;
        if let Some(Packet::Wait { reached_ns, .. }) = queue.packet_mut(packet) {
            *reached_ns = Some(time_ns);
        }
        if is_head {
            self.unsettle(id);
        }
    }

    pub(crate) fn unsettle(&mut self, queue: QueueId) {
        if self.mode != GpuMode::Stepped {
            self.unsettled.push_back(queue);
        }
    }

    /// Takes signals and satisfied waits off the heads of queues, and what follows from them, until each queue's
    /// head is work, which is enlisted to be run, or waits. One loop, however long the chain.
    pub(crate) fn settle(&mut self) {
        while let Some(id) = self.unsettled.pop_front() {
            while self.pass(id) {}
            self.enlist(id);
            self.reap(id);
        }
    }

    /// Takes the head off when it is a signal or a satisfied wait.
    pub(crate) fn pass(&mut self, id: QueueId) -> bool {
        let Some(queue) = self.queues.get_mut(&id) else { return false };
        match queue.head() {
            Some(&Packet::Wait { reached_ns: Some(reached_ns), .. }) => {
                queue.advance_to(reached_ns);
                queue.pop();
            }
            Some(&Packet::Signal { fence, value }) => {
                let time_ns = queue.time_ns();
                queue.pop();
                self.signal(fence, value, time_ns);
            }
            Some(Packet::Execute { .. } | Packet::Wait { reached_ns: None, .. }) | None => return false,
        }
        true
    }

    fn enlist(&mut self, id: QueueId) {
        let Some(queue) = self.queues.get_mut(&id) else { return };
        let is_work = matches!(queue.head(), Some(Packet::Execute { .. }));
        if !is_work || queue.runner.is_some() || queue.enlisted {
            return;
        }
        queue.enlisted = true;
        match self.mode {
            GpuMode::Immediate => self.ready.push_back(id),
            GpuMode::Threaded => self.engines.enlist(id, queue.desc.engine, queue.desc.priority),
            GpuMode::Stepped => unreachable!("invariant: nothing is unsettled in Stepped"),
        }
    }

    /// Forgets a queue that has no handle and nothing to do.
    pub(crate) fn reap(&mut self, id: QueueId) {
        let Some(queue) = self.queues.get_mut(&id) else { return };
        if !queue.held && queue.len() == 0 && queue.runner.is_none() {
            let context = queue.take_context();
            self.grave.extend(context.map(|context| Remains::Context { _context: context }));
            self.queues.remove(&id);
        }
    }

    /// The device is gone: no packet will run, every fence is at `u64::MAX`, and nobody waits. The first
    /// reason stays.
    pub(crate) fn remove(&mut self, reason: RemovalReason<W::Fault>) {
        if self.removal.is_some() {
            return;
        }
        self.removal = Some(reason);
        for queue in self.queues.values_mut() {
            self.grave.extend(queue.drain().map(|work| Remains::Work { _work: work }));
            queue.enlisted = false;
        }
        self.ready.clear();
        self.drivers.clear();
        self.engines.clear();
        let fences: Vec<FenceId> = self.fences.keys().copied().collect();
        for fence in fences {
            // Not told: the mirror's other side has a device of its own.
            self.set(fence, u64::MAX, 0);
        }
        let queues: Vec<QueueId> = self.queues.keys().copied().collect();
        for queue in queues {
            self.reap(queue);
        }
    }

    /// Whether a thread runs a packet or is going to.
    pub(crate) fn is_active(&self) -> bool {
        self.queues.values().any(|queue| queue.enlisted || queue.runner.is_some())
    }

    /// The pending packet that would signal the fence to the value, if there is one.
    pub(crate) fn pending_signal(&self, wanted: FenceId, at_least: u64) -> Option<WouldDeadlock> {
        self.queues.iter().find_map(|(id, queue)| {
            queue.packets().find_map(|(number, packet)| match packet {
                Packet::Signal { fence, value } if *fence == wanted && *value >= at_least => {
                    Some(WouldDeadlock { fence: wanted, value: at_least, queue: *id, packet: number })
                }
                _ => None,
            })
        })
    }

    /// The queues that wait, in the order of creation.
    pub(crate) fn blocked(&self) -> Vec<BlockedQueue> {
        let blocked = self.queues.iter().filter_map(|(id, queue)| match queue.status() {
            QueueStatus::Blocked { fence, value } => Some(BlockedQueue {
                queue: *id,
                name: queue.desc.name.clone(),
                fence,
                value,
                completed: self.completed(fence),
            }),
            QueueStatus::Idle | QueueStatus::Ready | QueueStatus::Running => None,
        });
        blocked.collect()
    }

    /// The value of a fence that is not released.
    pub(crate) fn completed(&self, fence: FenceId) -> u64 {
        self.fences.get(&fence).expect("invariant: a fence that is waited for is not released").completed()
    }
}
