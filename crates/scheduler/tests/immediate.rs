//! `GpuMode::Immediate`: who submits or signals runs the packets.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use common::{Job, LONG, Log, SHORT, queue};
use heapstone_scheduler::{Event, GpuMode, QueueStatus, RemovalReason, Scheduler, WaitOutcome};

fn scheduler() -> Scheduler<Job> {
    Scheduler::new(GpuMode::Immediate)
}

#[test]
fn work_is_done_when_submit_returns() {
    let (scheduler, log) = (scheduler(), Log::default());
    let queue = queue(&scheduler, 0);
    assert_eq!(queue.submit(Job::new(1, &log)).unwrap(), 0);
    assert_eq!(*log.lock(), [(0, 1)]);
    assert_eq!(queue.submit_all([Job::new(2, &log), Job::new(3, &log)]).unwrap(), 1..3);
    assert_eq!(queue.submit_all([]).unwrap(), 3..3);
    assert_eq!(*log.lock(), [(0, 1), (0, 2), (0, 3)]);
    assert_eq!(queue.state(), QueueStatus::Idle);
}

#[test]
fn a_blocked_queue_runs_in_the_thread_that_signals() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let fence = scheduler.create_fence(0).unwrap();
    first.wait(&fence, 1).unwrap();
    let (sender, receiver) = mpsc::channel();
    first.submit(Job::new(1, &log).acting(move || sender.send(thread::current().id()).unwrap())).unwrap();
    first.signal(&fence, 2).unwrap();
    second.wait(&fence, 2).unwrap();
    second.submit(Job::new(2, &log)).unwrap();
    assert!(log.lock().is_empty());
    fence.signal(1).unwrap();
    assert_eq!(*log.lock(), [(0, 1), (1, 2)]);
    assert_eq!(receiver.recv().unwrap(), thread::current().id());
    assert_eq!(fence.completed_value(), 2);
}

#[test]
fn a_long_chain_of_signals_needs_no_stack() {
    let (scheduler, log) = (scheduler(), Log::default());
    let fence = scheduler.create_fence(0).unwrap();
    let count = 20_000;
    let queues: Vec<_> = (0..count).map(|index| queue(&scheduler, index)).collect();
    for (index, queue) in (0..).zip(&queues) {
        queue.wait(&fence, index + 1).unwrap();
        queue.submit(Job::new(0, &log)).unwrap();
        queue.signal(&fence, index + 2).unwrap();
    }
    fence.signal(1).unwrap();
    assert_eq!(fence.completed_value(), u64::from(count) + 1);
    assert!(log.lock().iter().map(|(queue, _)| *queue).eq(0..count));
}

/// Each job's end submits the next one, to the same queue.
#[test]
fn a_long_chain_of_calls_out_of_destructors_needs_no_stack() {
    fn job(queue: &heapstone_scheduler::Queue<Job>, left: u32, log: &Log) -> Job {
        let (queue, rest) = (queue.clone(), log.clone());
        Job::new(left, log).on_drop(move || {
            if left > 0 {
                let next = job(&queue, left - 1, &rest);
                queue.submit(next).unwrap();
            }
        })
    }
    let (scheduler, log) = (scheduler(), Log::default());
    let queue = queue(&scheduler, 0);
    queue.submit(job(&queue, 50_000, &log)).unwrap();
    assert!(log.lock().iter().map(|(_, name)| *name).eq((0..=50_000).rev()));
}

#[test]
fn work_and_its_destructor_may_call_back() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let fence = scheduler.create_fence(0).unwrap();
    second.wait(&fence, 1).unwrap();
    second.submit(Job::new(2, &log)).unwrap();
    let (of_work, of_drop) = (fence.clone(), (scheduler.clone(), log.clone()));
    let job = Job::new(1, &log)
        .acting(move || {
            of_work.signal(1).unwrap();
            of_work.signal(0).unwrap();
        })
        .on_drop(move || {
            let (scheduler, log) = of_drop;
            let third = queue(&scheduler, 3);
            third.submit(Job::new(3, &log)).unwrap();
        });
    first.submit(job).unwrap();
    assert_eq!(*log.lock(), [(0, 1), (1, 2), (3, 3)], "what a job calls for runs once the job has returned");
    assert_eq!(fence.completed_value(), 0);
}

#[test]
fn other_threads_go_on_while_work_runs() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (slow, started, finish) = (queue(&scheduler, 0), Event::auto_reset(), Event::auto_reset());
    thread::scope(|scope| {
        let (is_started, may_finish) = (started.clone(), finish.clone());
        let job = Job::new(1, &log).acting(move || {
            is_started.set();
            assert!(may_finish.wait(LONG));
        });
        scope.spawn(|| slow.submit(job).unwrap());
        assert!(started.wait(LONG));
        assert_eq!(slow.state(), QueueStatus::Running);
        let fast = queue(&scheduler, 1);
        fast.submit(Job::new(2, &log)).unwrap();
        assert_eq!(*log.lock(), [(1, 2)]);
        finish.set();
    });
    assert_eq!(*log.lock(), [(1, 2), (0, 1)]);
}

/// A thread that submits to a queue which another thread runs finds its work done all the same.
#[test]
fn submit_waits_for_the_thread_that_runs_the_queue() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, started, finish) = (queue(&scheduler, 0), Event::auto_reset(), Event::auto_reset());
    let returned = Event::auto_reset();
    thread::scope(|scope| {
        let (is_started, may_finish) = (started.clone(), finish.clone());
        let job = Job::new(1, &log).acting(move || {
            is_started.set();
            assert!(may_finish.wait(LONG));
        });
        scope.spawn(|| queue.submit(job).unwrap());
        assert!(started.wait(LONG));
        scope.spawn(|| {
            queue.submit(Job::new(2, &log)).unwrap();
            assert_eq!(*log.lock(), [(0, 1), (0, 2)]);
            returned.set();
        });
        assert!(!returned.wait(SHORT));
        finish.set();
        assert!(returned.wait(LONG));
    });
}

/// A thread that has done what it owes is not kept by others that submit on and on.
#[test]
fn who_waits_takes_the_queue_over() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, started, finish) = (queue(&scheduler, 0), Event::auto_reset(), Event::auto_reset());
    let (sender, ran_by) = mpsc::channel();
    thread::scope(|scope| {
        let (is_started, may_finish) = (started.clone(), finish.clone());
        let job = Job::new(1, &log).acting(move || {
            is_started.set();
            assert!(may_finish.wait(LONG));
        });
        let first = scope.spawn(|| queue.submit(job).unwrap());
        assert!(started.wait(LONG));
        for _ in 0..2 {
            let sender = sender.clone();
            let job = Job::new(2, &log).acting(move || sender.send(thread::current().id()).unwrap());
            scope.spawn(|| queue.submit(job).unwrap());
        }
        while queue.pending_count() < 3 {
            thread::yield_now();
        }
        finish.set();
        let first = first.thread().id();
        for _ in 0..2 {
            assert_ne!(ran_by.recv().unwrap(), first);
        }
    });
}

/// Two threads whose work submits to the queue that the other one runs.
#[test]
fn threads_that_run_packets_do_not_wait_for_each_other() {
    let (scheduler, log) = (scheduler(), Log::default());
    let queues = [queue(&scheduler, 0), queue(&scheduler, 1)];
    let (meet_a, meet_b) = (Event::auto_reset(), Event::auto_reset());
    thread::scope(|scope| {
        for (mine, mine_set, other_set) in [(0, &meet_a, &meet_b), (1, &meet_b, &meet_a)] {
            let (other, inner) = (queues[1 - mine].clone(), log.clone());
            let (mine_set, other_set) = (mine_set.clone(), other_set.clone());
            let name = u32::try_from(mine).unwrap();
            let job = Job::new(name, &log).acting(move || {
                mine_set.set();
                assert!(other_set.wait(LONG), "both run");
                other.submit(Job::new(10 + name, &inner)).unwrap();
            });
            let queue = &queues[mine];
            scope.spawn(move || queue.submit(job).unwrap());
        }
    });
    let mut done = log.lock().clone();
    done.sort_unstable();
    assert_eq!(done, [(0, 0), (0, 11), (1, 1), (1, 10)]);
}

#[test]
fn threads_hammer_one_queue() {
    let scheduler = scheduler();
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    let logs: Vec<Log> = (0..4).map(|_| Log::default()).collect();
    thread::scope(|scope| {
        for log in &logs {
            scope.spawn(|| {
                for name in 0..2_000 {
                    queue.submit(Job::new(name, log)).unwrap();
                    assert_eq!(log.lock().last(), Some(&(0, name)), "done when submit returns");
                }
                queue.signal(&fence, 1).unwrap();
            });
        }
    });
    assert_eq!(fence.wait(1, None), Ok(WaitOutcome::Reached));
    for log in logs {
        assert!(log.lock().iter().map(|(_, name)| *name).eq(0..2_000));
    }
}

/// A queue that goes from thread to thread, blocked in between: whoever signals runs it, whoever submits finds
/// the work done or the queue blocked.
#[test]
fn threads_signal_and_submit_at_once() {
    let scheduler = scheduler();
    let queues = [queue(&scheduler, 0), queue(&scheduler, 1)];
    let fence = scheduler.create_fence(0).unwrap();
    let log = Log::default();
    thread::scope(|scope| {
        for queue in &queues {
            scope.spawn(|| {
                for value in 1..=2_000 {
                    queue.wait(&fence, value).unwrap();
                    queue.submit(Job::new(0, &log)).unwrap();
                }
            });
        }
        scope.spawn(|| (1..=2_000).for_each(|value| fence.signal(value).unwrap()));
    });
    assert_eq!(log.lock().len(), 4_000);
    assert!(queues.iter().all(|queue| queue.state() == QueueStatus::Idle));
}

#[test]
fn a_panic_goes_on_in_the_submitting_thread_and_removes_the_device() {
    let (scheduler, log) = (scheduler(), Log::default());
    let queue = queue(&scheduler, 0);
    let fence = scheduler.create_fence(0).unwrap();
    let job = Job::new(1, &log).acting(|| panic!("a bug of the work"));
    let panic = catch_unwind(AssertUnwindSafe(|| queue.submit(job))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a bug of the work"));
    assert_eq!(scheduler.removed(), Some(RemovalReason::Panicked { queue: queue.id() }));
    assert_eq!(fence.completed_value(), u64::MAX);
    assert!(queue.submit(Job::new(2, &log)).is_err());
}
