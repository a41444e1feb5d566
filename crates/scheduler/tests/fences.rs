//! Fences, events, waits of the CPU; what they do in every mode (facts/behaviour.md, "Lists, queues, fences").
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use common::{Fault, Job, LONG, Log, MODES, SHORT, await_status, queue};
use heapstone_scheduler::{
    Event, FenceError, GpuMode, QueueError, QueueStatus, RemovalReason, Scheduler, WaitMode, WaitOutcome,
    signal_when, wait_many,
};

const NOW: Option<Duration> = Some(Duration::ZERO);

#[test]
fn values_go_where_they_are_set_also_back() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let fence = scheduler.create_fence(99).unwrap();
        assert_eq!(fence.completed_value(), 99, "facts: a fence created with 99 has 99");
        for value in [100, 3, u64::MAX, 0] {
            fence.signal(value).unwrap();
            assert_eq!(fence.completed_value(), value);
        }
    }
}

#[test]
fn a_cpu_wait_stays_satisfied_when_the_value_goes_back() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let fence = scheduler.create_fence(0).unwrap();
        let event = Event::manual_reset();
        fence.on_completion(5, &event);
        fence.signal(4).unwrap();
        assert!(!event.is_set());
        fence.signal(6).unwrap();
        fence.signal(0).unwrap();
        assert!(event.wait(NOW));
        assert_eq!(fence.wait(5, NOW), Ok(WaitOutcome::TimedOut), "a later wait looks at the value anew");
    }
}

/// Between two looks of a thread that waits, the value rises and falls again.
#[test]
fn a_waiting_thread_misses_no_moment() {
    for mode in [GpuMode::Immediate, GpuMode::Threaded] {
        let scheduler = Scheduler::<Job>::new(mode);
        let (fence, back) = (scheduler.create_fence(0).unwrap(), scheduler.create_fence(0).unwrap());
        thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=200 {
                    assert_eq!(fence.wait(1, LONG), Ok(WaitOutcome::Reached));
                    back.signal(round).unwrap();
                }
            });
            for round in 1..=200 {
                while back.completed_value() < round {
                    fence.signal(1).unwrap();
                    fence.signal(0).unwrap();
                }
            }
        });
    }
}

#[test]
fn waits_end_when_the_value_is_reached_or_the_time_is_over() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let fence = scheduler.create_fence(7).unwrap();
        assert_eq!(fence.wait(7, None), Ok(WaitOutcome::Reached));
        assert_eq!(fence.wait(8, NOW), Ok(WaitOutcome::TimedOut));
        assert_eq!(fence.wait(8, SHORT), Ok(WaitOutcome::TimedOut));
        thread::scope(|scope| {
            let waits = scope.spawn(|| fence.wait(8, None));
            thread::sleep(Duration::from_millis(5));
            fence.signal(8).unwrap();
            assert_eq!(waits.join().unwrap(), Ok(WaitOutcome::Reached));
        });
    }
}

#[test]
fn an_event_resets_itself_or_does_not() {
    let (auto, manual) = (Event::auto_reset(), Event::manual_reset());
    for event in [&auto, &manual] {
        assert!(!event.wait(SHORT));
        event.set();
        event.set();
        assert!(event.is_set());
        assert!(event.wait(None));
    }
    assert!(!auto.wait(NOW));
    assert!(manual.wait(NOW));
    manual.reset();
    assert!(!manual.wait(NOW));
}

#[test]
fn a_forwarding_event_tells_its_listener() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let scheduler = Scheduler::<Job>::new(GpuMode::Immediate);
    let fence = scheduler.create_fence(0).unwrap();
    let told = Arc::new(AtomicU32::new(0));
    let listener = Arc::clone(&told);
    let event = Event::forwarding(move || {
        listener.fetch_add(1, Ordering::Relaxed);
    });
    fence.on_completion(2, &event);
    fence.signal(1).unwrap();
    assert_eq!(told.load(Ordering::Relaxed), 0);
    fence.signal(2).unwrap();
    assert_eq!(told.load(Ordering::Relaxed), 1);
    fence.on_completion(1, &event);
    assert_eq!(told.load(Ordering::Relaxed), 2, "reached already: at once");
}

#[test]
fn an_auto_reset_event_lets_one_thread_through_for_each_set() {
    let (event, through) = (Event::auto_reset(), Event::auto_reset());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                assert!(event.wait(LONG));
                through.set();
            });
        }
        for _ in 0..3 {
            event.set();
            assert!(through.wait(LONG));
            assert!(!through.wait(SHORT), "one for each set");
        }
    });
}

#[test]
fn releasing_a_fence_lets_queues_and_events_go() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let (queue, log) = (queue(&scheduler, 0), Log::default());
        let (fence, drain) = (scheduler.create_fence(0).unwrap(), scheduler.create_fence(0).unwrap());
        let event = Event::auto_reset();
        queue.wait(&fence, u64::MAX).unwrap();
        queue.submit(Job::new(1, &log)).unwrap();
        queue.wait(&fence, u64::MAX).unwrap();
        queue.submit(Job::new(2, &log)).unwrap();
        queue.signal(&fence, 1).unwrap();
        queue.signal(&drain, 1).unwrap();
        fence.on_completion(u64::MAX, &event);
        let twin = fence.clone();
        drop(fence);
        assert!(!event.wait(SHORT));
        assert_eq!(queue.state(), QueueStatus::Blocked { fence: twin.id(), value: u64::MAX });
        drop(twin);
        assert!(event.wait(LONG));
        if mode == GpuMode::Stepped {
            scheduler.run_until(&drain, 1).unwrap();
        }
        assert_eq!(drain.wait(1, LONG), Ok(WaitOutcome::Reached));
        assert_eq!(*log.lock(), [(0, 1), (0, 2)]);
    }
}

#[test]
fn a_wait_for_all_ends_with_the_last_and_for_any_with_the_first() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let fences: Vec<_> = (0..4).map(|_| scheduler.create_fence(0).unwrap()).collect();
        let wanted: Vec<_> = fences.iter().zip([2, 1, 53, 11]).collect();
        let (all, any) = (Event::auto_reset(), Event::auto_reset());
        signal_when(&wanted, WaitMode::All, &all).unwrap();
        signal_when(&wanted, WaitMode::Any, &any).unwrap();
        assert!(!any.wait(NOW));
        fences[1].signal(4).unwrap();
        assert!(any.wait(NOW));
        assert_eq!(wait_many(&wanted, WaitMode::Any, NOW), Ok(WaitOutcome::Reached));
        assert_eq!(wait_many(&wanted, WaitMode::All, SHORT), Ok(WaitOutcome::TimedOut));
        fences[1].signal(0).unwrap();
        for (fence, value) in [(0, 2), (3, 14), (2, 53)] {
            assert!(!all.is_set());
            fences[fence].signal(value).unwrap();
        }
        assert!(all.wait(NOW), "the value that went back had been reached");
        assert!(!any.wait(NOW), "set once");
        assert_eq!(wait_many(&wanted, WaitMode::All, NOW), Ok(WaitOutcome::TimedOut), "0 < 1 now");
        fences[1].signal(1).unwrap();
        assert_eq!(wait_many(&wanted, WaitMode::All, None), Ok(WaitOutcome::Reached));
    }
}

#[test]
fn a_fence_may_stand_twice_in_a_wait() {
    let scheduler = Scheduler::<Job>::new(GpuMode::Immediate);
    let fence = scheduler.create_fence(0).unwrap();
    let event = Event::auto_reset();
    signal_when(&[(&fence, 1), (&fence, 2)], WaitMode::All, &event).unwrap();
    fence.signal(1).unwrap();
    assert!(!event.wait(NOW));
    fence.signal(2).unwrap();
    assert!(event.wait(NOW));
}

/// facts/behaviour.md: "Waiting on several: 0 fences ... are refused".
#[test]
fn waiting_for_no_fence_is_refused() {
    for mode in [WaitMode::All, WaitMode::Any] {
        assert_eq!(wait_many(&[], mode, None), Err(FenceError::NoFences));
        let event = Event::auto_reset();
        assert_eq!(signal_when(&[], mode, &event), Err(FenceError::NoFences));
        assert!(!event.is_set());
    }
}

#[test]
fn a_fence_of_another_device_is_refused() {
    for mode in MODES {
        let (scheduler, other) = (Scheduler::<Job>::new(mode), Scheduler::<Job>::new(mode));
        let queue = queue(&scheduler, 0);
        let foreign = other.create_fence(0).unwrap();
        for refused in [queue.signal(&foreign, 1), queue.wait(&foreign, 1)] {
            let error = refused.unwrap_err();
            assert!(matches!(error, QueueError::ForeignFence { .. }));
            assert_eq!(
                error.to_string(),
                "fence 1 belongs to another device than queue 1; allowed: a fence of the same device"
            );
        }
        assert_eq!(queue.pending_count(), 0);
    }
}

#[test]
fn removal_takes_every_fence_to_the_end_and_refuses_what_follows() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let (queue, log) = (queue(&scheduler, 0), Log::default());
        let (fence, other) = (scheduler.create_fence(0).unwrap(), scheduler.create_fence(u64::MAX).unwrap());
        let (event, dropped) = (Event::auto_reset(), Event::auto_reset());
        other.signal(3).unwrap();
        other.on_completion(4, &event);
        let told = dropped.clone();
        queue.wait(&fence, 1).unwrap();
        queue.submit(Job::new(1, &log).on_drop(move || told.set())).unwrap();
        queue.signal(&fence, 2).unwrap();
        await_status(&queue, QueueStatus::Blocked { fence: fence.id(), value: 1 });
        assert_eq!(scheduler.removed(), None);

        scheduler.remove(Fault("first"));
        scheduler.remove(Fault("second"));
        assert_eq!(scheduler.removed(), Some(RemovalReason::Fault(Fault("first"))));
        assert!(event.wait(NOW) && dropped.wait(NOW));
        assert_eq!((fence.completed_value(), other.completed_value()), (u64::MAX, u64::MAX));
        assert_eq!(fence.wait(u64::MAX, None), Ok(WaitOutcome::Reached));
        assert_eq!(fence.signal(1), Err(FenceError::Removed));
        assert_eq!(fence.completed_value(), u64::MAX);
        assert_eq!((queue.state(), queue.pending_count()), (QueueStatus::Idle, 0));
        assert!(log.lock().is_empty());

        assert!(matches!(queue.signal(&fence, 1), Err(QueueError::Removed(_))));
        assert!(matches!(queue.wait(&fence, 1), Err(QueueError::Removed(_))));
        let told = dropped.clone();
        let refused = queue.submit(Job::new(1, &log).on_drop(move || told.set())).unwrap_err();
        assert_eq!(refused.to_string(), "the device was removed: Fault(\"first\")");
        assert!(dropped.wait(NOW));
        assert!(matches!(scheduler.create_fence(0), Err(QueueError::Removed(_))));
        assert!(matches!(
            scheduler.create_queue(queue.desc().clone(), 0),
            Err(QueueError::Removed(RemovalReason::Fault(Fault("first"))))
        ));
    }
}

#[test]
fn a_fault_of_a_queue_without_handles_removes_the_device_and_nothing_else() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let log = Log::default();
        let fence = scheduler.create_fence(0).unwrap();
        let ended = scheduler.create_fence(0).unwrap();
        let queue = queue(&scheduler, 0);
        queue.wait(&fence, 1).unwrap();
        queue.submit(Job::new(1, &log).faulting("page fault")).unwrap();
        queue.signal(&ended, 1).unwrap();
        drop(queue);
        // Whoever lets the work go runs it in Immediate.
        drop(fence);
        if mode == GpuMode::Stepped {
            scheduler.run_until_idle().unwrap_err();
        }
        assert_eq!(ended.wait(1, LONG).unwrap(), WaitOutcome::Reached, "{mode:?}");
        assert_eq!(scheduler.removed(), Some(RemovalReason::Fault(Fault("page fault"))), "{mode:?}");
    }
}

#[test]
fn a_fault_of_work_removes_the_device() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let (queue, other) = (queue(&scheduler, 0), queue(&scheduler, 1));
        let log = Log::default();
        let fence = scheduler.create_fence(0).unwrap();
        other.wait(&fence, 1).unwrap();
        other.submit(Job::new(3, &log)).unwrap();
        queue.submit(Job::new(1, &log)).unwrap();
        queue.submit(Job::new(2, &log).faulting("page fault")).unwrap();
        if mode == GpuMode::Stepped {
            assert!(scheduler.run_until(&fence, 1).is_err());
        }
        assert_eq!(fence.wait(u64::MAX, LONG), Ok(WaitOutcome::Reached));
        assert_eq!(scheduler.removed(), Some(RemovalReason::Fault(Fault("page fault"))));
        assert_eq!(*log.lock(), [(0, 1)]);
        assert_eq!((queue.pending_count(), other.pending_count()), (0, 0));
    }
}

/// One value for several fences: each signal is told before the fence has it, in the order of the signals, and a fence that
/// follows tells nothing.
#[test]
fn a_mirror_is_told_of_each_signal_and_of_no_following() {
    for mode in MODES {
        let scheduler = Scheduler::<Job>::new(mode);
        let fence = scheduler.create_fence(3).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let begun = Arc::clone(&told);
        fence
            .mirror(|value| told.lock().unwrap().push(value), move |value| begun.lock().unwrap().push(value));
        fence.signal(5).unwrap();
        let queue = queue(&scheduler, 0);
        queue.signal(&fence, 4).unwrap();
        if mode == GpuMode::Stepped {
            let _ = scheduler.run_until_idle().unwrap();
        }
        assert_eq!(fence.completed_value(), 4);
        assert_eq!(*told.lock().unwrap(), [3, 5, 4]);
        let event = Event::manual_reset();
        fence.on_completion(8, &event);
        assert_eq!(fence.follow(|| 8), Ok(Some(8)));
        assert_eq!((fence.completed_value(), event.is_set()), (8, true));
        assert_eq!(fence.follow(|| 8), Ok(None));
        assert_eq!(*told.lock().unwrap(), [3, 5, 4], "it knows");
        scheduler.remove(Fault("lost"));
        assert_eq!(fence.completed_value(), u64::MAX);
        assert_eq!(fence.follow(|| 9), Err(FenceError::Removed));
        assert_eq!(fence.signal(9), Err(FenceError::Removed));
        assert_eq!(*told.lock().unwrap(), [3, 5, 4], "other devices are not removed");
    }
}

/// Of a value elsewhere that is at least the fence's when it is asked under the lock, the fence sees no older one.
#[test]
fn a_fence_that_follows_does_not_go_back() {
    let scheduler = Scheduler::<Job>::new(GpuMode::Immediate);
    let fence = scheduler.create_fence(0).unwrap();
    let page = Arc::new(AtomicU64::new(0));
    let written = Arc::clone(&page);
    fence.mirror(|_| {}, move |value| written.store(value, Ordering::SeqCst));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                fence.follow(|| page.load(Ordering::SeqCst)).unwrap();
            }
        });
        for value in 1..=20_000 {
            fence.signal(value).unwrap();
            assert_eq!(fence.completed_value(), value, "the follower set it back");
        }
        is_over.store(true, Ordering::SeqCst);
    });
}
