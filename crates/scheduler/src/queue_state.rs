//! A queue, as the scheduler keeps it under its lock.

use std::collections::VecDeque;
use std::mem;
use std::thread::ThreadId;

use crate::fence::FenceId;
use crate::queue::QueueDesc;
use crate::view::{PacketKind, PacketView, QueueStatus};
use crate::work::Work;

pub(crate) enum Packet<W> {
    Execute {
        /// Absent while a thread runs it.
        work: Option<W>,
        started: bool,
    },
    Signal {
        fence: FenceId,
        value: u64,
    },
    Wait {
        fence: FenceId,
        value: u64,
        /// Once the value was reached: the simulated time of the signal that reached it, in nanoseconds.
        reached_ns: Option<u64>,
    },
}

pub(crate) struct QueueState<W: Work> {
    pub(crate) desc: QueueDesc,
    packets: VecDeque<Packet<W>>,
    /// The number of the first packet that is not done.
    first: u64,
    /// Absent while a thread runs work with it.
    context: Option<W::Context>,
    /// The thread that runs the first packet's work at this moment.
    pub(crate) runner: Option<ThreadId>,
    /// Whether it stands in a list of queues that some thread is going to run.
    pub(crate) enlisted: bool,
    /// Threads that sleep until one of its packets is done.
    pub(crate) awaiting: u32,
    /// Whether a handle of it is alive.
    pub(crate) held: bool,
    time_ns: u64,
    busy_ns: u64,
}

impl<W: Work> QueueState<W> {
    pub(crate) fn new(desc: QueueDesc, context: W::Context) -> QueueState<W> {
        QueueState {
            desc,
            packets: VecDeque::new(),
            first: 0,
            context: Some(context),
            runner: None,
            enlisted: false,
            awaiting: 0,
            held: true,
            time_ns: 0,
            busy_ns: 0,
        }
    }

    pub(crate) fn push(&mut self, packet: Packet<W>) {
        self.packets.push_back(packet);
    }

    pub(crate) fn head(&self) -> Option<&Packet<W>> {
        self.packets.front()
    }

    /// Takes the first packet off: it is done.
    pub(crate) fn pop(&mut self) -> Option<Packet<W>> {
        let packet = self.packets.pop_front()?;
        self.first += 1;
        Some(packet)
    }

    /// Takes all packets off: they will not be done.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = W> {
        self.first = self.next_number();
        mem::take(&mut self.packets).into_iter().filter_map(|packet| match packet {
            Packet::Execute { work, .. } => work,
            Packet::Signal { .. } | Packet::Wait { .. } => None,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.packets.len()
    }

    /// The number of the first packet that is not done.
    pub(crate) fn first_number(&self) -> u64 {
        self.first
    }

    /// The number of the packet that comes next.
    pub(crate) fn next_number(&self) -> u64 {
        self.first + u64::try_from(self.packets.len()).expect("invariant: a length is below 2^64")
    }

    /// The packet of a number, unless it is done.
    pub(crate) fn packet_mut(&mut self, number: u64) -> Option<&mut Packet<W>> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.packets.get_mut(index)
    }

    /// The pending packets with their numbers.
    pub(crate) fn packets(&self) -> impl Iterator<Item = (u64, &Packet<W>)> {
        (self.first..).zip(&self.packets)
    }

    /// The first packet's work and what it runs on, for the thread that is going to run it.
    pub(crate) fn begin(&mut self, runner: ThreadId) -> Option<(W, W::Context)> {
        let Some(Packet::Execute { work, started }) = self.packets.front_mut() else { return None };
        let taken =
            (work.take()?, self.context.take().expect("invariant: only running work has the context"));
        *started = true;
        self.runner = Some(runner);
        Some(taken)
    }

    /// The thread that ran the first packet's work gives the context back, with the time the work took.
    pub(crate) fn end(&mut self, context: W::Context, elapsed_ns: u64) {
        self.context = Some(context);
        self.runner = None;
        self.time_ns = self.time_ns.saturating_add(elapsed_ns);
        self.busy_ns = self.busy_ns.saturating_add(elapsed_ns);
    }

    /// The first packet's work has more to do. Gives it back when the packet is gone meanwhile.
    pub(crate) fn put_back(&mut self, unfinished: W) -> Option<W> {
        match self.packets.front_mut() {
            Some(Packet::Execute { work, .. }) if work.is_none() => {
                *work = Some(unfinished);
                None
            }
            _ => Some(unfinished),
        }
    }

    pub(crate) fn advance_to(&mut self, time_ns: u64) {
        self.time_ns = self.time_ns.max(time_ns);
    }

    pub(crate) fn take_context(&mut self) -> Option<W::Context> {
        self.context.take()
    }

    pub(crate) fn time_ns(&self) -> u64 {
        self.time_ns
    }

    pub(crate) fn busy_ns(&self) -> u64 {
        self.busy_ns
    }

    pub(crate) fn status(&self) -> QueueStatus {
        match self.head() {
            _ if self.runner.is_some() => QueueStatus::Running,
            None => QueueStatus::Idle,
            Some(Packet::Wait { fence, value, reached_ns: None }) => {
                QueueStatus::Blocked { fence: *fence, value: *value }
            }
            Some(_) => QueueStatus::Ready,
        }
    }

    pub(crate) fn views(&self) -> Vec<PacketView> {
        self.packets().map(|(number, packet)| PacketView { number, kind: packet.kind() }).collect()
    }
}

impl<W: Work> Packet<W> {
    fn kind(&self) -> PacketKind {
        match self {
            Packet::Execute { work: Some(work), started } => PacketKind::Execute {
                description: work.describe(),
                remaining: work.remaining(),
                started: *started,
            },
            Packet::Execute { work: None, .. } => PacketKind::Running,
            Packet::Signal { fence, value } => PacketKind::Signal { fence: *fence, value: *value },
            Packet::Wait { fence, value, reached_ns } => {
                PacketKind::Wait { fence: *fence, value: *value, satisfied: reached_ns.is_some() }
            }
        }
    }
}
