//! An empty packet and the CPU's wait for it, in the modes that run packets by themselves. Beside them, what
//! cannot be done without: `mutex` takes and frees an uncontended lock, `threads` sends an empty message to
//! another thread and waits for the answer over the standard library's channels.

use std::hint::black_box;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use heapstone_scheduler::{
    EngineId, Event, Fence, GpuMode, Progress, Queue, QueueDesc, Scheduler, Turn, WaitOutcome, Work,
};
use parking_lot::Mutex;

struct Empty;

impl Work for Empty {
    type Context = ();
    type Fault = ();

    fn run(&mut self, (): &mut (), _: Turn) -> Result<Progress, ()> {
        Ok(Progress::done(0))
    }

    fn describe(&self) -> String {
        "empty".to_owned()
    }

    fn remaining(&self) -> u64 {
        0
    }
}

fn queue(mode: GpuMode) -> (Scheduler<Empty>, Queue<Empty>, Fence) {
    let scheduler = Scheduler::new(mode);
    let desc = QueueDesc { engine: EngineId(0), name: "bench".to_owned(), priority: 0 };
    let queue = scheduler.create_queue(desc, ()).expect("a queue");
    let fence = scheduler.create_fence(0).expect("a fence");
    (scheduler, queue, fence)
}

fn round_trip(c: &mut Criterion) {
    let mut group = c.benchmark_group("empty submit, signal, wait");
    for mode in [GpuMode::Immediate, GpuMode::Threaded] {
        let (_scheduler, queue, fence) = queue(mode);
        let mut value = 0;
        group.bench_function(format!("{mode:?}"), |b| {
            b.iter(|| {
                value += 1;
                queue.submit(Empty).expect("accepted");
                queue.signal(&fence, value).expect("accepted");
                assert_eq!(fence.wait(value, None), Ok(WaitOutcome::Reached));
            });
        });
    }
    {
        let (_scheduler, queue, fence) = queue(GpuMode::Threaded);
        let (mut value, event) = (0, Event::auto_reset());
        group.bench_function("Threaded, by event", |b| {
            b.iter(|| {
                value += 1;
                queue.submit(Empty).expect("accepted");
                queue.signal(&fence, value).expect("accepted");
                fence.on_completion(value, &event);
                assert!(event.wait(None));
            });
        });
    }
    {
        let (_scheduler, queue, fence) = queue(GpuMode::Threaded);
        let mut value = 0;
        group.bench_function("Threaded, worker asleep", |b| {
            b.iter_custom(|rounds| {
                let mut total = Duration::ZERO;
                for _ in 0..rounds {
                    thread::sleep(Duration::from_micros(200));
                    let start = Instant::now();
                    value += 1;
                    queue.submit(Empty).expect("accepted");
                    queue.signal(&fence, value).expect("accepted");
                    assert_eq!(fence.wait(value, None), Ok(WaitOutcome::Reached));
                    total += start.elapsed();
                }
                total
            });
        });
    }
    let (to_thread, at_thread) = mpsc::channel::<()>();
    let (to_us, at_us) = mpsc::channel::<()>();
    let echo = thread::spawn(move || at_thread.iter().for_each(|()| to_us.send(()).expect("we listen")));
    group.bench_function("threads", |b| {
        b.iter(|| {
            to_thread.send(()).expect("it listens");
            at_us.recv().expect("it answers");
        });
    });
    drop(to_thread);
    echo.join().expect("it ends");
    let mutex = Mutex::new(0_u64);
    group.bench_function("mutex", |b| b.iter(|| *black_box(&mutex).lock() += 1));
    group.finish();
}

fn calls(c: &mut Criterion) {
    let mut group = c.benchmark_group("one call");
    let (_scheduler, queue, fence) = queue(GpuMode::Immediate);
    let mut value = 0;
    group.bench_function("submit", |b| b.iter(|| queue.submit(Empty).expect("accepted")));
    group.bench_function("queue signal", |b| {
        b.iter(|| {
            value += 1;
            queue.signal(&fence, value).expect("accepted")
        });
    });
    group.bench_function("queue wait, reached", |b| b.iter(|| queue.wait(&fence, 0).expect("accepted")));
    group.bench_function("completed value", |b| b.iter(|| black_box(&fence).completed_value()));
    group.finish();
}

criterion_group!(benches, round_trip, calls);
criterion_main!(benches);
