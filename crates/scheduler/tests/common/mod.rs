//! Work whose doing can be seen.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;
use std::time::Duration;

use heapstone_scheduler::{
    EngineId, GpuMode, Progress, Queue, QueueDesc, QueueStatus, RunLimit, Scheduler, Turn, Work,
};
use parking_lot::Mutex;

/// Longer than anything here takes: a wait that is not over by then hangs.
pub(crate) const LONG: Option<Duration> = Some(Duration::from_secs(30));
/// Long enough to see that something does not happen.
pub(crate) const SHORT: Option<Duration> = Some(Duration::from_millis(20));

pub(crate) const MODES: [GpuMode; 3] = [GpuMode::Immediate, GpuMode::Threaded, GpuMode::Stepped];

/// What was done: (the queue's context, the name of the work), a line per command.
pub(crate) type Log = Arc<Mutex<Vec<(u32, u32)>>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) &'static str);

type Action = Box<dyn FnMut() + Send>;

/// So many commands, each of which takes so long and writes a line.
pub(crate) struct Job {
    pub(crate) name: u32,
    pub(crate) commands: u64,
    pub(crate) command_ns: u64,
    pub(crate) log: Log,
    pub(crate) fault: Option<Fault>,
    /// Done by every call of `run`, before the commands.
    pub(crate) action: Option<Action>,
    /// Done when the job is dropped.
    pub(crate) on_drop: Option<Box<dyn FnOnce() + Send>>,
}

impl Job {
    pub(crate) fn new(name: u32, log: &Log) -> Job {
        Job {
            name,
            commands: 1,
            command_ns: 0,
            log: Arc::clone(log),
            fault: None,
            action: None,
            on_drop: None,
        }
    }

    pub(crate) fn commands(mut self, commands: u64, command_ns: u64) -> Job {
        (self.commands, self.command_ns) = (commands, command_ns);
        self
    }

    pub(crate) fn acting(mut self, action: impl FnMut() + Send + 'static) -> Job {
        self.action = Some(Box::new(action));
        self
    }

    pub(crate) fn faulting(mut self, fault: &'static str) -> Job {
        self.fault = Some(Fault(fault));
        self
    }

    pub(crate) fn on_drop(mut self, action: impl FnOnce() + Send + 'static) -> Job {
        self.on_drop = Some(Box::new(action));
        self
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let Some(action) = self.on_drop.take() {
            action();
        }
    }
}

impl Work for Job {
    type Context = u32;
    type Fault = Fault;

    fn run(&mut self, context: &mut u32, turn: Turn) -> Result<Progress, Fault> {
        if let Some(action) = &mut self.action {
            action();
        }
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let count = match turn.limit {
            RunLimit::Commands(count) => count.min(self.commands),
            RunLimit::All => self.commands,
        };
        for _ in 0..count {
            self.log.lock().push((*context, self.name));
        }
        self.commands -= count;
        let elapsed_ns = count * self.command_ns;
        Ok(Progress { done: self.commands == 0, elapsed_ns })
    }

    fn describe(&self) -> String {
        format!("job {}", self.name)
    }

    fn remaining(&self) -> u64 {
        self.commands
    }
}

/// A queue of an engine, which writes the engine's number into the log.
pub(crate) fn queue(scheduler: &Scheduler<Job>, engine: u32) -> Queue<Job> {
    queue_for(scheduler, engine, engine, 0)
}

pub(crate) fn queue_for(scheduler: &Scheduler<Job>, engine: u32, context: u32, priority: i32) -> Queue<Job> {
    let desc = QueueDesc { engine: EngineId(engine), name: format!("queue {context}"), priority };
    scheduler.create_queue(desc, context).unwrap()
}

/// Waits for a queue that workers run to get where the test says that it must.
pub(crate) fn await_status(queue: &Queue<Job>, status: QueueStatus) {
    for _ in 0..30_000 {
        if queue.state() == status {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(queue.state(), status);
}
