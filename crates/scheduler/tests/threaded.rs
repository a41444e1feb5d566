//! `GpuMode::Threaded`: a worker per engine.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use common::{Job, LONG, Log, await_status, queue, queue_for};
use heapstone_scheduler::{
    Event, GpuMode, Queue, QueueStatus, RemovalReason, RunError, Scheduler, StepUnit, WaitOutcome,
};

fn scheduler() -> Scheduler<Job> {
    Scheduler::new(GpuMode::Threaded)
}

/// Keeps an engine busy until the event is set.
fn hold(queue: &Queue<Job>, log: &Log) -> Event {
    let (started, go) = (Event::auto_reset(), Event::auto_reset());
    let (is_started, may_go) = (started.clone(), go.clone());
    let job = Job::new(0, log).commands(0, 0).acting(move || {
        is_started.set();
        assert!(may_go.wait(LONG));
    });
    queue.submit(job).unwrap();
    assert!(started.wait(LONG));
    go
}

#[test]
fn engines_run_at_once_and_not_in_the_submitting_thread() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let fence = scheduler.create_fence(0).unwrap();
    let (there, back) = (Event::auto_reset(), Event::auto_reset());
    let (here, other) = (thread::current().id(), (there.clone(), back.clone()));
    first
        .submit(Job::new(1, &log).acting(move || {
            assert_ne!(thread::current().id(), here);
            there.set();
            assert!(back.wait(LONG), "the other engine answers meanwhile");
        }))
        .unwrap();
    second
        .submit(Job::new(2, &log).acting(move || {
            assert!(other.0.wait(LONG));
            other.1.set();
        }))
        .unwrap();
    first.signal(&fence, 1).unwrap();
    assert_eq!(fence.wait(1, LONG), Ok(WaitOutcome::Reached));
    assert_eq!(scheduler.removed(), None);
}

#[test]
fn queues_of_an_engine_take_turns() {
    let (scheduler, log) = (scheduler(), Log::default());
    let queues: Vec<_> = (0..3).map(|context| queue_for(&scheduler, 0, context, 0)).collect();
    let fences: Vec<_> = (0..3).map(|_| scheduler.create_fence(0).unwrap()).collect();
    let go = hold(&queues[0], &log);
    for (queue, fence) in queues.iter().zip(&fences) {
        for name in 0..3 {
            queue.submit(Job::new(name, &log)).unwrap();
        }
        queue.signal(fence, 1).unwrap();
    }
    go.set();
    fences.iter().for_each(|fence| assert_eq!(fence.wait(1, LONG), Ok(WaitOutcome::Reached)));
    // Queue 0 was running: it comes behind the others.
    let order: Vec<u32> = log.lock().iter().map(|(queue, _)| *queue).collect();
    assert_eq!(order, [1, 2, 0, 1, 2, 0, 1, 2, 0]);
}

#[test]
fn the_greater_priority_goes_first() {
    let (scheduler, log) = (scheduler(), Log::default());
    let [normal, high, low] =
        [(0, 0), (1, 100), (2, -1)].map(|(context, priority)| queue_for(&scheduler, 0, context, priority));
    let fence = scheduler.create_fence(0).unwrap();
    let go = hold(&normal, &log);
    for name in 0..2 {
        for queue in [&low, &normal, &high] {
            queue.submit(Job::new(name, &log)).unwrap();
        }
    }
    low.signal(&fence, 1).unwrap();
    go.set();
    assert_eq!(fence.wait(1, LONG), Ok(WaitOutcome::Reached));
    let order: Vec<u32> = log.lock().iter().map(|(queue, _)| *queue).collect();
    assert_eq!(order, [1, 1, 0, 0, 2, 2]);
}

#[test]
fn what_work_held_is_free_once_the_fence_says_so() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    let dropped = Arc::new(AtomicU32::new(0));
    for value in 1..=500 {
        let count = Arc::clone(&dropped);
        queue
            .submit(Job::new(0, &log).on_drop(move || {
                count.fetch_add(1, Ordering::Relaxed);
            }))
            .unwrap();
        queue.signal(&fence, u64::from(value)).unwrap();
        assert_eq!(fence.wait(value.into(), LONG), Ok(WaitOutcome::Reached));
        assert_eq!(dropped.load(Ordering::Relaxed), value);
    }
}

#[test]
fn the_last_handle_ends_what_can_run_and_joins() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (first, second) = (queue(&scheduler, 0), queue(&scheduler, 1));
    let fence = scheduler.create_fence(0).unwrap();
    let ended = Arc::new(AtomicU32::new(0));
    let go = hold(&first, &log);
    for round in 1..=50 {
        for queue in [&first, &second] {
            let count = Arc::clone(&ended);
            queue
                .submit(Job::new(1, &log).on_drop(move || {
                    count.fetch_add(1, Ordering::Relaxed);
                }))
                .unwrap();
        }
        // Each engine gets the other going: neither worker may stop before both are done.
        first.signal(&fence, round).unwrap();
        second.wait(&fence, round).unwrap();
    }
    let setter = thread::spawn(move || go.set());
    drop((scheduler, first, second, fence));
    assert_eq!(ended.load(Ordering::Relaxed), 100);
    assert_eq!(log.lock().len(), 100);
    setter.join().unwrap();
}

#[test]
fn a_job_may_drop_the_last_handle() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, ended) = (queue(&scheduler, 0), Event::auto_reset());
    let (own, told, go) = (queue.clone(), ended.clone(), Event::auto_reset());
    let may_go = go.clone();
    let other = common::queue(&scheduler, 1);
    other.submit(Job::new(2, &log)).unwrap();
    queue
        .submit(Job::new(1, &log).acting(move || assert!(may_go.wait(LONG))).on_drop(move || {
            drop(own);
            told.set();
        }))
        .unwrap();
    drop((scheduler, queue, other));
    go.set();
    assert!(ended.wait(LONG));
}

#[test]
fn a_dropped_queue_still_runs_what_it_has() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    queue.wait(&fence, 1).unwrap();
    queue.submit(Job::new(1, &log)).unwrap();
    queue.signal(&fence, 2).unwrap();
    drop(queue);
    fence.signal(1).unwrap();
    assert_eq!(fence.wait(2, LONG), Ok(WaitOutcome::Reached));
    assert_eq!(*log.lock(), [(0, 1)]);
}

#[test]
fn a_panic_of_work_removes_the_device_and_nobody_hangs() {
    let (scheduler, log) = (scheduler(), Log::default());
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    queue.submit(Job::new(1, &log).acting(|| panic!("a bug of the work, as the test wants it"))).unwrap();
    // The call may come before the panic, or after it.
    let _ = queue.signal(&fence, 1);
    assert_eq!(fence.wait(2, LONG), Ok(WaitOutcome::Reached));
    assert_eq!(scheduler.removed(), Some(RemovalReason::Panicked { queue: queue.id() }));
}

#[test]
fn workers_are_not_stepped() {
    let scheduler = scheduler();
    let (queue, fence) = (queue(&scheduler, 0), scheduler.create_fence(0).unwrap());
    let not_stepped = RunError::NotStepped { mode: GpuMode::Threaded };
    assert_eq!(queue.step(StepUnit::Packet).unwrap_err(), not_stepped);
    assert_eq!(scheduler.run_until(&fence, 1).unwrap_err(), not_stepped);
    assert_eq!(scheduler.run_until_idle().unwrap_err(), not_stepped);
    assert_eq!(not_stepped.to_string(), "the mode is Threaded; only in Stepped are packets run by a call");
}

/// Four threads, four queues on two engines, a fence per thread; signals and waits across.
#[test]
fn threads_hammer_queues_of_two_engines() {
    let scheduler = scheduler();
    let queues: Vec<_> = (0..4).map(|context| queue_for(&scheduler, context % 2, context, 0)).collect();
    let fences: Vec<_> = (0..4).map(|_| scheduler.create_fence(0).unwrap()).collect();
    let logs: Vec<Log> = (0..4).map(|_| Log::default()).collect();
    thread::scope(|scope| {
        for me in 0..4 {
            let (queues, fences, log) = (&queues, &fences, &logs[me]);
            scope.spawn(move || {
                for round in 1..=500_u32 {
                    let value = u64::from(round);
                    queues[me].submit(Job::new(round, log)).unwrap();
                    queues[me].signal(&fences[me], value).unwrap();
                    // What the neighbour has signalled is ordered before what this queue does next.
                    queues[me].wait(&fences[(me + 1) % 4], value - 1).unwrap();
                    if round % 50 == 0 {
                        assert_eq!(fences[me].wait(value, LONG), Ok(WaitOutcome::Reached));
                        assert!(log.lock().iter().map(|(_, name)| *name).eq(1..=round));
                    }
                }
            });
        }
    });
    for queue in &queues {
        await_status(queue, QueueStatus::Idle);
    }
    assert!(fences.iter().all(|fence| fence.completed_value() == 500));
}
