//! [`crate::GpuMode::Threaded`]: a worker thread per engine.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use parking_lot::Condvar;

use crate::error::QueueError;
use crate::locked::Locked;
use crate::patience;
use crate::queue::{EngineId, QueueId};
use crate::scheduler::Shared;
use crate::state::State;
use crate::work::{RunLimit, Work};

/// The engines that have a worker.
#[derive(Default)]
pub(crate) struct Engines {
    engines: BTreeMap<EngineId, Engine>,
    /// No handle is left: workers stop once nothing can run any more.
    is_stopping: bool,
}

struct Engine {
    ready: VecDeque<Ready>,
    alarm: Arc<Alarm>,
    is_parked: bool,
    worker: Option<JoinHandle<()>>,
}

struct Ready {
    queue: QueueId,
    priority: i32,
}

/// How a worker is told that there is something for it.
#[derive(Default)]
struct Alarm {
    /// A hint for the worker that spins without the lock.
    is_raised: AtomicBool,
    /// For the one that is parked.
    raised: Condvar,
}

impl Engine {
    fn raise(&mut self) {
        self.alarm.is_raised.store(true, Ordering::Release);
        if self.is_parked {
            self.is_parked = false;
            self.alarm.raised.notify_one();
        }
    }

    /// The first of the queues with the greatest priority: equals take turns, since who has run comes last.
    fn next(&mut self) -> Option<QueueId> {
        let greatest = self.ready.iter().map(|ready| ready.priority).max()?;
        let index = self.ready.iter().position(|ready| ready.priority == greatest)?;
        self.ready.remove(index).map(|ready| ready.queue)
    }
}

impl Engines {
    pub(crate) fn enlist(&mut self, queue: QueueId, engine: EngineId, priority: i32) {
        let engine = self.of(engine);
        engine.ready.push_back(Ready { queue, priority });
        engine.raise();
    }

    /// Nothing is ready for anybody.
    pub(crate) fn clear(&mut self) {
        self.engines.values_mut().for_each(|engine| engine.ready.clear());
    }

    fn of(&mut self, engine: EngineId) -> &mut Engine {
        self.engines.get_mut(&engine).expect("invariant: a worker starts with its engine's first packet")
    }

    fn raise_all(&mut self) {
        self.engines.values_mut().for_each(Engine::raise);
    }
}

impl<W: Work> State<W> {
    /// Whether a worker that has nothing to run may go: nobody can bring anything any more.
    fn is_over(&self) -> bool {
        self.engines.is_stopping && !self.is_active()
    }
}

impl<W: Work> Shared<W> {
    /// Starts the engine's worker unless it runs.
    pub(crate) fn start_worker(
        self: &Arc<Self>,
        locked: &mut Locked<'_, W>,
        engine: EngineId,
    ) -> Result<(), QueueError<W::Fault>> {
        if locked.engines.engines.contains_key(&engine) {
            return Ok(());
        }
        let alarm = Arc::new(Alarm::default());
        let (shared, alarm_of_worker) = (Arc::clone(self), Arc::clone(&alarm));
        let worker = thread::Builder::new()
            .name(format!("gpu engine {}", engine.0))
            .spawn(move || shared.work(engine, &alarm_of_worker))
            .map_err(|source| QueueError::Worker { engine, source })?;
        let ready = VecDeque::new();
        let started = Engine { ready, alarm, is_parked: false, worker: Some(worker) };
        locked.engines.engines.insert(engine, started);
        Ok(())
    }

    /// What a worker does.
    fn work(&self, id: EngineId, alarm: &Alarm) {
        let mut locked = self.lock();
        while !locked.is_over() {
            if let Some(queue) = locked.engines.of(id).next() {
                // A panic has removed the device, and the hook has told.
                (locked, _) = self.run_head(locked, queue, RunLimit::All);
                locked.bury();
                if locked.is_over() {
                    locked.engines.raise_all();
                }
            } else {
                locked = self.rest(locked, id, alarm);
            }
        }
    }

    /// Waits for something to do: a while awake, then parked.
    fn rest<'a>(&'a self, mut locked: Locked<'a, W>, id: EngineId, alarm: &Alarm) -> Locked<'a, W> {
        alarm.is_raised.store(false, Ordering::Relaxed);
        drop(locked);
        patience::is_rewarded(|| alarm.is_raised.load(Ordering::Acquire));
        locked = self.lock();
        while !alarm.is_raised.load(Ordering::Relaxed) {
            locked.engines.of(id).is_parked = true;
            locked.wait(&alarm.raised);
        }
        locked
    }

    /// The last handle is gone: workers run what can run, then stop and are joined. A worker that drops the last
    /// handle itself cannot wait for its own end; it and the others stop on their own.
    pub(crate) fn stop_workers(&self) {
        let mut locked = self.lock();
        locked.engines.is_stopping = true;
        locked.engines.raise_all();
        let workers: Vec<JoinHandle<()>> =
            locked.engines.engines.values_mut().filter_map(|engine| engine.worker.take()).collect();
        drop(locked);
        let me = thread::current().id();
        if workers.iter().any(|worker| worker.thread().id() == me) {
            return;
        }
        for worker in workers {
            // A worker's panic is not this thread's: the device was removed for it.
            drop(worker.join());
        }
    }
}
