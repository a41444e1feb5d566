//! `GpuMode::Stepped`: the test decides how far each queue gets.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::Arc;
use std::thread;

use common::{Fault, Job, LONG, Log, SHORT, queue};
use heapstone_scheduler::{
    BlockedQueue, CreationOrder, Deadlock, Event, FenceError, GpuMode, PacketKind, PacketView, QueueStatus,
    RemovalReason, RunError, Scheduler, Seeded, StepOutcome, StepUnit, WaitOutcome, WouldDeadlock,
};
use parking_lot::Mutex;

fn scheduler() -> Scheduler<Job> {
    Scheduler::new(GpuMode::Stepped)
}

const fn ran(packet: u64, finished: bool) -> StepOutcome {
    StepOutcome::Ran { packet, finished }
}

#[test]
fn nothing_runs_by_itself_and_everything_can_be_seen() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    let id = fence.id();
    queue.submit(Job::new(1, &log).commands(2, 10)).unwrap();
    queue.signal(&fence, 1).unwrap();
    queue.wait(&fence, 5).unwrap();
    fence.signal(5).unwrap();
    fence.signal(0).unwrap();
    let view = |number, kind| PacketView { number, kind };
    let job = |remaining, started| PacketKind::Execute { description: "job 1".into(), remaining, started };
    let rest = [
        view(1, PacketKind::Signal { fence: id, value: 1 }),
        view(2, PacketKind::Wait { fence: id, value: 5, satisfied: true }),
    ];
    assert_eq!(queue.pending(), [&[view(0, job(2, false))], &rest[..]].concat());
    assert_eq!(queue.state(), QueueStatus::Ready);
    assert!(log.lock().is_empty());

    assert_eq!(queue.step(StepUnit::Command), Ok(ran(0, false)));
    assert_eq!(queue.pending(), [&[view(0, job(1, true))], &rest[..]].concat());
    assert_eq!((queue.time_ns(), log.lock().len()), (10, 1));
    assert_eq!(queue.step(StepUnit::Command), Ok(ran(0, true)));
    assert_eq!(queue.pending(), rest);
    assert_eq!(fence.completed_value(), 0);
    assert_eq!(queue.step(StepUnit::Packet), Ok(ran(1, true)));
    assert_eq!(fence.completed_value(), 1);
    assert_eq!(queue.step(StepUnit::Command), Ok(ran(2, true)), "what was satisfied stays so");
    assert_eq!(queue.step(StepUnit::Command), Ok(StepOutcome::Idle));
    assert_eq!((queue.state(), queue.pending_count()), (QueueStatus::Idle, 0));
    assert_eq!((queue.time_ns(), queue.busy_ns()), (20, 20));
}

#[test]
fn a_blocked_queue_says_for_what() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(2).unwrap());
    queue.wait(&fence, 3).unwrap();
    queue.submit(Job::new(1, &log)).unwrap();
    let blocked = StepOutcome::Blocked { fence: fence.id(), value: 3 };
    assert_eq!(queue.step(StepUnit::Packet), Ok(blocked));
    let blocked = QueueStatus::Blocked { fence: fence.id(), value: 3 };
    assert_eq!((queue.state(), queue.run_until_idle()), (blocked, Ok(blocked)));
    fence.signal(3).unwrap();
    assert_eq!(queue.state(), QueueStatus::Ready);
    assert!(log.lock().is_empty());
    assert_eq!(queue.run_until_idle(), Ok(QueueStatus::Idle));
    assert_eq!(*log.lock(), [(0, 1)]);
}

#[test]
fn running_to_a_fence_goes_no_further() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let fence = scheduler.create_fence(0).unwrap();
    for name in 1..=3 {
        first.submit(Job::new(name, &log)).unwrap();
        first.signal(&fence, name.into()).unwrap();
        second.submit(Job::new(10 + name, &log)).unwrap();
    }
    scheduler.run_until(&fence, 2).unwrap();
    // In turns, a packet each: job 1, job 11, signal 1, job 12, job 2, job 13, signal 2.
    assert_eq!(*log.lock(), [(0, 1), (1, 11), (1, 12), (0, 2), (1, 13)]);
    assert_eq!((fence.completed_value(), first.pending_count()), (2, 2));
    scheduler.run_until(&fence, 1).unwrap();
    assert_eq!(first.pending_count(), 2, "it is there already");
    assert_eq!(scheduler.run_until_idle(), Ok(vec![]));
    assert_eq!(fence.completed_value(), 3);
}

#[test]
fn running_to_a_value_that_goes_back_at_once_ends_there() {
    let scheduler = scheduler();
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    for value in [5, 0, 1] {
        queue.signal(&fence, value).unwrap();
    }
    scheduler.run_until(&fence, 3).unwrap();
    assert_eq!((fence.completed_value(), queue.pending_count()), (5, 2));
}

#[test]
fn a_deadlock_names_who_waits_for_what() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let (a, b) = (scheduler.create_fence(0).unwrap(), scheduler.create_fence(7).unwrap());
    first.wait(&a, 1).unwrap();
    first.signal(&b, 8).unwrap();
    second.submit(Job::new(1, &log)).unwrap();
    second.wait(&b, 8).unwrap();
    second.signal(&a, 1).unwrap();
    let blocked = vec![
        BlockedQueue { queue: first.id(), name: "queue 0".into(), fence: a.id(), value: 1, completed: 0 },
        BlockedQueue { queue: second.id(), name: "queue 1".into(), fence: b.id(), value: 8, completed: 7 },
    ];
    let error = scheduler.run_until(&b, 8).unwrap_err();
    let deadlock = Deadlock { fence: b.id(), value: 8, completed: 7, blocked: blocked.clone() };
    assert_eq!(error, RunError::Deadlock(deadlock));
    assert_eq!(
        error.to_string(),
        "fence 2 is at 7 and cannot reach 8: queue 1 \"queue 0\" waits for fence 1 to reach 1, which is at 0; \
         queue 2 \"queue 1\" waits for fence 2 to reach 8, which is at 7"
    );
    assert_eq!(*log.lock(), [(1, 1)], "what could run has");
    assert_eq!(scheduler.run_until_idle(), Ok(blocked));
    a.signal(1).unwrap();
    assert_eq!(scheduler.run_until(&b, 8), Ok(()));
    assert_eq!(scheduler.run_until_idle(), Ok(vec![]));
    let idle = scheduler.run_until(&b, 9).unwrap_err();
    assert_eq!(idle.to_string(), "fence 2 is at 8 and cannot reach 9: every queue is idle");
}

#[test]
fn a_cpu_wait_for_what_nobody_steps_is_refused() {
    let scheduler = scheduler();
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    queue.signal(&fence, 3).unwrap();
    queue.signal(&fence, 5).unwrap();
    let refused = WouldDeadlock { fence: fence.id(), value: 4, queue: queue.id(), packet: 1 };
    assert_eq!(fence.wait(4, None), Err(FenceError::WouldDeadlock(refused)));
    assert_eq!(
        refused.to_string(),
        "waiting for fence 1 to reach 4 would not end: packet 1 of queue 1 signals it, and in the mode Stepped \
         packets run only when they are stepped"
    );
    assert_eq!(fence.wait(4, SHORT), Ok(WaitOutcome::TimedOut), "with a timeout it ends");
    thread::scope(|scope| {
        scope.spawn(|| scheduler.run_until_idle().unwrap());
        assert_eq!(fence.wait(4, LONG), Ok(WaitOutcome::Reached), "and another thread may step meanwhile");
    });
    thread::scope(|scope| {
        scope.spawn(|| fence.signal(6).unwrap());
        assert_eq!(fence.wait(6, None), Ok(WaitOutcome::Reached), "no packet would signal it; the CPU does");
    });
}

#[test]
fn simulated_time_follows_work_and_waits() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (copy, direct) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let (fence, cpu) = (scheduler.create_fence(0).unwrap(), scheduler.create_fence(0).unwrap());
    copy.submit(Job::new(1, &log).commands(3, 100)).unwrap();
    copy.signal(&fence, 1).unwrap();
    copy.submit(Job::new(2, &log).commands(1, 5000)).unwrap();
    copy.signal(&fence, 2).unwrap();
    assert_eq!(copy.run_until_idle(), Ok(QueueStatus::Idle));
    assert_eq!((copy.time_ns(), copy.busy_ns()), (5300, 5300));

    direct.submit(Job::new(3, &log).commands(1, 50)).unwrap();
    direct.wait(&fence, 1).unwrap();
    direct.submit(Job::new(4, &log).commands(1, 20)).unwrap();
    assert_eq!(direct.run_until_idle(), Ok(QueueStatus::Idle));
    // It waits until 300, when value 1 was reached, not until 5300, when this test got to look.
    assert_eq!((direct.time_ns(), direct.busy_ns()), (320, 70));

    direct.wait(&cpu, 1).unwrap();
    cpu.signal(1).unwrap();
    direct.wait(&fence, 1).unwrap();
    assert_eq!(direct.run_until_idle(), Ok(QueueStatus::Idle));
    assert_eq!(
        direct.time_ns(),
        320,
        "the CPU's signals carry no time, and the past does not take time back"
    );
    direct.wait(&fence, 2).unwrap();
    assert_eq!(direct.run_until_idle(), Ok(QueueStatus::Idle));
    assert_eq!((direct.time_ns(), direct.busy_ns()), (5300, 70));
}

#[test]
fn the_caller_chooses_the_order() {
    let run = |order: &mut dyn heapstone_scheduler::Order| {
        let (scheduler, log) = (scheduler(), Log::default());
        let queues = [queue(&scheduler, 0), queue(&scheduler, 1), queue(&scheduler, 2)];
        for queue in &queues {
            queue.submit(Job::new(0, &log).commands(4, 0)).unwrap();
        }
        assert_eq!(scheduler.run_until_idle_by(StepUnit::Command, order), Ok(vec![]));
        let order: Vec<u32> = log.lock().iter().map(|(queue, _)| *queue).collect();
        order
    };
    assert_eq!(run(&mut CreationOrder), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    let in_turns = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2];
    assert_eq!(run(&mut heapstone_scheduler::RoundRobin::default()), in_turns);
    let seeded = run(&mut Seeded::new(1));
    assert_eq!(run(&mut Seeded::new(1)), seeded);
    assert!((2..20).any(|seed| run(&mut Seeded::new(seed)) != seeded));
}

#[test]
fn a_fault_ends_the_run() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    queue.submit(Job::new(1, &log).faulting("lost")).unwrap();
    queue.signal(&fence, 1).unwrap();
    let removed = RunError::Removed(RemovalReason::Fault(Fault("lost")));
    assert_eq!(
        scheduler.run_until(&fence, 1),
        Err(removed.clone()),
        "not reached, although it is at the end"
    );
    assert_eq!(fence.completed_value(), u64::MAX);
    assert_eq!(queue.step(StepUnit::Packet), Err(removed.clone()));
    assert_eq!(scheduler.run_until_idle(), Err(removed));
}

#[test]
fn work_cannot_step_its_own_queue_but_others() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    second.submit(Job::new(2, &log)).unwrap();
    let (own, other, whole) = (first.clone(), second.clone(), scheduler.clone());
    let job = Job::new(1, &log).acting(move || {
        assert_eq!(own.step(StepUnit::Packet), Err(RunError::Reentrant { queue: own.id() }));
        assert_eq!(other.step(StepUnit::Packet), Ok(ran(0, true)));
        assert_eq!(whole.run_until_idle(), Err(RunError::Reentrant { queue: own.id() }));
    });
    first.submit(job).unwrap();
    assert_eq!(first.step(StepUnit::Packet), Ok(ran(0, true)));
    assert_eq!(*log.lock(), [(1, 2), (0, 1)]);
}

#[test]
fn two_threads_step_one_queue_after_each_other() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, in_work) = (queue(&scheduler, 0), Arc::new(Mutex::new(())));
    for name in 0..200 {
        let alone = Arc::clone(&in_work);
        let job = Job::new(name, &log).acting(move || {
            let guard = alone.try_lock().expect("one thread at a time");
            thread::yield_now();
            drop(guard);
        });
        queue.submit(job).unwrap();
    }
    let runs = |_| assert_eq!(scheduler.run_until_idle(), Ok(vec![]));
    thread::scope(|scope| (0..3).for_each(|index| drop(scope.spawn(move || runs(index)))));
    assert!(log.lock().iter().map(|(_, name)| *name).eq(0..200));
}

#[test]
fn a_queue_without_handle_is_still_the_schedulers() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, dropped) = (queue(&scheduler, 0), Event::auto_reset());
    let told = dropped.clone();
    queue.submit(Job::new(1, &log).on_drop(move || told.set())).unwrap();
    drop(queue);
    assert!(!dropped.is_set());
    assert_eq!(scheduler.run_until_idle(), Ok(vec![]));
    assert!(dropped.is_set());
    assert_eq!(*log.lock(), [(0, 1)]);
}

#[test]
fn the_last_handle_drops_what_nobody_can_step() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, dropped) = (queue(&scheduler, 0), Event::auto_reset());
    let told = dropped.clone();
    queue.submit(Job::new(1, &log).on_drop(move || told.set())).unwrap();
    drop(queue);
    drop(scheduler);
    assert!(dropped.is_set());
    assert!(log.lock().is_empty());
}
