//! The scheduler against a naive model: one thread, one vector per fence of all the values it ever had, and a
//! wait that looks through that vector whenever it is asked.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::collections::VecDeque;
use std::thread;
use std::time::Duration;

use common::{Fault, Job, Log, queue_for};
use heapstone_scheduler::{
    Deadlock, Fence, FenceId, GpuMode, PacketKind, PacketView, Queue, QueueId, QueueStatus, RunError,
    Scheduler, StepOutcome, StepUnit,
};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Op {
    Submit { queue: usize, commands: u64, command_ns: u64, faults: bool },
    Signal { queue: usize, fence: usize, value: u64 },
    Wait { queue: usize, fence: usize, value: u64 },
    CpuSignal { fence: usize, value: u64 },
    Release { fence: usize },
    Step { queue: usize, unit: StepUnit },
}

#[derive(Clone, Debug)]
enum Packet {
    Work {
        name: u32,
        commands: u64,
        command_ns: u64,
        faults: bool,
        started: bool,
    },
    Signal {
        fence: usize,
        value: u64,
    },
    /// `since`: the index of the value that the fence had when the wait was called.
    Wait {
        fence: usize,
        value: u64,
        since: usize,
    },
}

#[derive(Default)]
struct ModelQueue {
    packets: VecDeque<Packet>,
    done: u64,
    time_ns: u64,
    busy_ns: u64,
}

struct ModelFence {
    /// Every value it ever had, and the simulated time of whoever set it.
    past: Vec<(u64, u64)>,
    is_released: bool,
}

impl ModelFence {
    fn value(&self) -> u64 {
        self.past.last().unwrap().0
    }

    /// When a wait of that moment was satisfied, if it was.
    fn satisfied_at(&self, wanted: u64, since: usize) -> Option<u64> {
        let reached = |index: &usize| self.past[*index].0 >= wanted;
        let found = if reached(&since) {
            // Since when without a break?
            (0..=since).rev().take_while(reached).last()
        } else {
            (since..self.past.len()).find(reached)
        };
        found.map(|index| self.past[index].1).or(self.is_released.then_some(0))
    }
}

struct Model {
    queues: Vec<ModelQueue>,
    fences: Vec<ModelFence>,
    log: Vec<(u32, u32)>,
    submitted: u32,
    is_removed: bool,
}

impl Model {
    fn new(queues: usize, fences: usize) -> Model {
        Model {
            queues: (0..queues).map(|_| ModelQueue::default()).collect(),
            fences: (0..fences).map(|_| ModelFence { past: vec![(0, 0)], is_released: false }).collect(),
            log: Vec::new(),
            submitted: 0,
            is_removed: false,
        }
    }

    /// What a call does; whether it is accepted.
    fn apply(&mut self, op: &Op) -> bool {
        if self.is_removed && !matches!(op, Op::Release { .. }) {
            return false;
        }
        match *op {
            Op::Submit { queue, commands, command_ns, faults } => {
                self.submitted += 1;
                let name = self.submitted;
                let work = Packet::Work { name, commands, command_ns, faults, started: false };
                self.queues[queue].packets.push_back(work);
            }
            Op::Signal { queue, fence, value } => {
                self.queues[queue].packets.push_back(Packet::Signal { fence, value });
            }
            Op::Wait { queue, fence, value } => {
                let since = self.fences[fence].past.len() - 1;
                self.queues[queue].packets.push_back(Packet::Wait { fence, value, since });
            }
            Op::CpuSignal { fence, value } => self.set(fence, value, 0),
            Op::Release { fence } => self.fences[fence].is_released = true,
            Op::Step { .. } => unreachable!("stepped, not applied"),
        }
        true
    }

    fn set(&mut self, fence: usize, value: u64, time_ns: u64) {
        if !self.fences[fence].is_released {
            self.fences[fence].past.push((value, time_ns));
        }
    }

    fn status(&self, queue: usize) -> QueueStatus {
        match self.queues[queue].packets.front() {
            None => QueueStatus::Idle,
            Some(&Packet::Wait { fence, value, since })
                if self.fences[fence].satisfied_at(value, since).is_none() =>
            {
                QueueStatus::Blocked { fence: fence_id(fence), value }
            }
            Some(_) => QueueStatus::Ready,
        }
    }

    fn views(&self, queue: usize) -> Vec<PacketView> {
        let kind = |packet: &Packet| match *packet {
            Packet::Work { name, commands, started, .. } => {
                PacketKind::Execute { description: format!("job {name}"), remaining: commands, started }
            }
            Packet::Signal { fence, value } => PacketKind::Signal { fence: fence_id(fence), value },
            Packet::Wait { fence, value, since } => {
                let satisfied = self.fences[fence].satisfied_at(value, since).is_some();
                PacketKind::Wait { fence: fence_id(fence), value, satisfied }
            }
        };
        let queue = &self.queues[queue];
        (queue.done..)
            .zip(&queue.packets)
            .map(|(number, packet)| PacketView { number, kind: kind(packet) })
            .collect()
    }

    /// `None` when the device is removed, before or by the step.
    fn step(&mut self, index: usize, unit: StepUnit) -> Option<StepOutcome> {
        if self.is_removed {
            return None;
        }
        match self.status(index) {
            QueueStatus::Idle => return Some(StepOutcome::Idle),
            QueueStatus::Blocked { fence, value } => return Some(StepOutcome::Blocked { fence, value }),
            QueueStatus::Ready | QueueStatus::Running => {}
        }
        let queue = &mut self.queues[index];
        let packet = queue.done;
        match queue.packets.front_mut().unwrap() {
            Packet::Work { faults: true, .. } => {
                self.is_removed = true;
                self.fences.iter_mut().for_each(|fence| fence.past.push((u64::MAX, 0)));
                self.queues.iter_mut().for_each(|queue| queue.packets.clear());
                return None;
            }
            Packet::Work { name, commands, command_ns, started, .. } => {
                let count = if unit == StepUnit::Command { 1 } else { *commands };
                for _ in 0..count {
                    self.log.push((u32::try_from(index).unwrap(), *name));
                }
                (*commands, *started) = (*commands - count, true);
                queue.time_ns += count * *command_ns;
                queue.busy_ns += count * *command_ns;
                if *commands > 0 {
                    return Some(StepOutcome::Ran { packet, finished: false });
                }
            }
            &mut Packet::Signal { fence, value } => {
                let time_ns = queue.time_ns;
                self.set(fence, value, time_ns);
            }
            &mut Packet::Wait { fence, value, since } => {
                let at = self.fences[fence].satisfied_at(value, since).unwrap();
                queue.time_ns = queue.time_ns.max(at);
            }
        }
        self.queues[index].packets.pop_front();
        self.queues[index].done += 1;
        Some(StepOutcome::Ran { packet, finished: true })
    }

    /// The queues take turns, as long as one can, or until the fence has reached the value.
    fn run(&mut self, target: Option<(usize, u64)>) -> bool {
        let since = target.map(|(fence, _)| self.fences[fence].past.len() - 1);
        let mut last = self.queues.len() - 1;
        loop {
            let is_reached = target.zip(since).is_some_and(|((fence, value), since)| {
                self.fences[fence].past[since..].iter().any(|(reached, _)| *reached >= value)
            });
            let count = self.queues.len();
            let next = (1..=count).map(|step| (last + step) % count);
            let ready = next.filter(|queue| self.status(*queue) == QueueStatus::Ready).take(1).last();
            match ready {
                _ if is_reached => return true,
                None => return false,
                Some(queue) => {
                    let outcome = self.step(queue, StepUnit::Packet);
                    if outcome.is_none() {
                        return false;
                    }
                    last = queue;
                }
            }
        }
    }
}

fn fence_id(fence: usize) -> FenceId {
    FenceId(u64::try_from(fence).unwrap() + 1)
}

struct Real {
    scheduler: Scheduler<Job>,
    queues: Vec<Queue<Job>>,
    fences: Vec<Option<Fence>>,
    log: Log,
    submitted: u32,
}

impl Real {
    /// Two queues on each engine.
    fn new(mode: GpuMode, queues: usize, fences: usize) -> Real {
        let scheduler = Scheduler::new(mode);
        let queue = |index| queue_for(&scheduler, index / 2, index, 0);
        let queues: Vec<_> = (0..u32::try_from(queues).unwrap()).map(queue).collect();
        let fences: Vec<_> = (0..fences).map(|_| Some(scheduler.create_fence(0).unwrap())).collect();
        Real { scheduler, queues, fences, log: Log::default(), submitted: 0 }
    }

    fn apply(&mut self, op: &Op) -> bool {
        let fence = |index: usize| self.fences[index].as_ref().unwrap();
        match *op {
            Op::Submit { queue, commands, command_ns, faults } => {
                let mut job = Job::new(self.submitted + 1, &self.log).commands(commands, command_ns);
                job.fault = faults.then_some(Fault("model"));
                let accepted = self.queues[queue].submit(job).is_ok();
                self.submitted += u32::from(accepted);
                accepted
            }
            Op::Signal { queue, fence: of, value } => self.queues[queue].signal(fence(of), value).is_ok(),
            Op::Wait { queue, fence: of, value } => self.queues[queue].wait(fence(of), value).is_ok(),
            Op::CpuSignal { fence: of, value } => fence(of).signal(value).is_ok(),
            Op::Release { fence: of } => {
                self.fences[of] = None;
                true
            }
            Op::Step { .. } => unreachable!("stepped, not applied"),
        }
    }

    /// Everything that can be looked at, but the order of different queues' commands.
    fn compare(&self, model: &Model) {
        for (index, (queue, expected)) in self.queues.iter().zip(&model.queues).enumerate() {
            let seen = (queue.state(), queue.pending(), queue.pending_count());
            assert_eq!(seen, (model.status(index), model.views(index), expected.packets.len()));
            let times = (queue.time_ns(), queue.busy_ns());
            assert_eq!(times, (expected.time_ns, expected.busy_ns), "queue {index}");
        }
        for (fence, expected) in self.fences.iter().zip(&model.fences) {
            if let Some(fence) = fence {
                assert_eq!(fence.completed_value(), expected.value());
            }
        }
        assert_eq!(self.scheduler.removed().is_some(), model.is_removed);
    }

    fn compare_logs_by_queue(&self, model: &Model) {
        let log = self.log.lock();
        for queue in 0..u32::try_from(self.queues.len()).unwrap() {
            let of_queue = |(of, name): &(u32, u32)| (*of == queue).then_some(*name);
            let seen: Vec<u32> = log.iter().filter_map(of_queue).collect();
            let expected: Vec<u32> = model.log.iter().filter_map(of_queue).collect();
            assert_eq!(seen, expected, "queue {queue}");
        }
    }
}

#[derive(Clone, Debug)]
struct Program {
    queues: usize,
    fences: usize,
    ops: Vec<Op>,
}

/// Programs of 1 to 4 queues and fences. Values are few, so that they meet.
fn program() -> impl Strategy<Value = Program> {
    let op = (0..16_u32, 0..4_usize, 0..4_usize, 0..6_u64, 1..4_u64, any::<bool>());
    (1..=4_usize, 1..=4_usize, prop::collection::vec(op, 1..60)).prop_map(|(queues, fences, raw)| {
        let ops = raw.into_iter().map(|(kind, queue, fence, value, commands, flag)| {
            let (queue, fence) = (queue % queues, fence % fences);
            let unit = if flag { StepUnit::Command } else { StepUnit::Packet };
            match kind {
                0..=3 => Op::Submit { queue, commands, command_ns: value * 7, faults: false },
                4..=6 => Op::Signal { queue, fence, value },
                7..=9 => Op::Wait { queue, fence, value },
                10..=11 => Op::CpuSignal { fence, value },
                12..=14 => Op::Step { queue, unit },
                _ if value == 0 => Op::Submit { queue, commands, command_ns: 0, faults: true },
                _ if value < 3 => Op::Release { fence },
                _ => Op::Step { queue, unit },
            }
        });
        Program { queues, fences, ops: ops.collect() }
    })
}

/// What names a fence that is released can be said no more.
fn uses_released(op: &Op, model: &Model) -> bool {
    match *op {
        Op::Signal { fence, .. }
        | Op::Wait { fence, .. }
        | Op::CpuSignal { fence, .. }
        | Op::Release { fence } => model.fences[fence].is_released,
        Op::Submit { .. } | Op::Step { .. } => false,
    }
}

/// One signaller for each fence, so that the order in which queues happen to run does not decide its values:
/// the CPU for the first fence, a queue for the others.
fn with_one_signaller(op: Op, queues: usize) -> Op {
    match op {
        Op::Signal { fence: 0, value, .. } => Op::CpuSignal { fence: 0, value },
        Op::Signal { fence, value, .. } | Op::CpuSignal { fence, value } if fence > 0 => {
            Op::Signal { queue: fence % queues, fence, value }
        }
        other => other,
    }
}

fn is_step_or_fault(op: &Op) -> bool {
    matches!(op, Op::Step { .. } | Op::Submit { faults: true, .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Step by step, everything is the model's, in any program.
    #[test]
    fn stepped(program in program(), target in (0..4_usize, 0..7_u64)) {
        let (mut model, mut real) = (
            Model::new(program.queues, program.fences),
            Real::new(GpuMode::Stepped, program.queues, program.fences),
        );
        for op in &program.ops {
            if uses_released(op, &model) {
                continue;
            }
            if let Op::Step { queue, unit } = *op {
                prop_assert_eq!(real.queues[queue].step(unit).ok(), model.step(queue, unit));
            } else {
                prop_assert_eq!(real.apply(op), model.apply(op), "{:?}", op);
            }
            real.compare(&model);
            prop_assert_eq!(&*real.log.lock(), &model.log);
        }
        let (fence, value) = (target.0 % program.fences, target.1);
        if let Some(of) = &real.fences[fence]
            && !model.is_removed
        {
            let outcome = real.scheduler.run_until(of, value);
            let is_reached = model.run(Some((fence, value)));
            match outcome {
                Ok(()) => prop_assert!(is_reached),
                Err(RunError::Deadlock(Deadlock { blocked, .. })) => {
                    prop_assert!(!is_reached && !model.is_removed);
                    let expected: Vec<QueueId> = (0..program.queues)
                        .filter(|queue| matches!(model.status(*queue), QueueStatus::Blocked { .. }))
                        .map(|queue| real.queues[queue].id())
                        .collect();
                    prop_assert_eq!(blocked.iter().map(|b| b.queue).collect::<Vec<_>>(), expected);
                }
                Err(RunError::Removed(_)) => prop_assert!(model.is_removed),
                Err(other) => prop_assert!(false, "{}", other),
            }
            real.compare(&model);
            prop_assert_eq!(&*real.log.lock(), &model.log);
        }
    }

    /// After each call, what could run has; of fences with one signaller also when values go back.
    #[test]
    fn immediate(program in program()) {
        let (mut model, mut real) = (
            Model::new(program.queues, program.fences),
            Real::new(GpuMode::Immediate, program.queues, program.fences),
        );
        for op in program.ops {
            let op = with_one_signaller(op, program.queues);
            if is_step_or_fault(&op) || uses_released(&op, &model) {
                continue;
            }
            prop_assert_eq!(real.apply(&op), model.apply(&op), "{:?}", op);
            model.run(None);
            real.compare(&model);
            real.compare_logs_by_queue(&model);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// In the end, whatever the threads did meanwhile, of fences with one signaller and rising values.
    #[test]
    fn threaded(program in program()) {
        let (mut model, mut real) = (
            Model::new(program.queues, program.fences),
            Real::new(GpuMode::Threaded, program.queues, program.fences),
        );
        let mut values = vec![0; program.fences];
        for op in program.ops {
            let mut op = with_one_signaller(op, program.queues);
            if is_step_or_fault(&op) || matches!(op, Op::Release { .. }) {
                continue;
            }
            if let Op::Signal { fence, value, .. } | Op::CpuSignal { fence, value } = &mut op {
                values[*fence] += *value;
                *value = values[*fence];
            }
            prop_assert_eq!(real.apply(&op), model.apply(&op), "{:?}", op);
        }
        model.run(None);
        for (queue, expected) in real.queues.iter().zip(&model.queues) {
            let is_there = || queue.pending_count() == expected.packets.len();
            for _ in 0..20_000 {
                if is_there() {
                    break;
                }
                thread::sleep(Duration::from_millis(1));
            }
            prop_assert!(is_there());
        }
        real.compare(&model);
        real.compare_logs_by_queue(&model);
    }
}
