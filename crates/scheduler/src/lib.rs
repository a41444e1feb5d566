//! The GPU's timeline: queues that run packets in order, fences that order queues and the CPU, and three modes
//! that say who runs a packet and when. It knows no driver and no D3D12 object: what a packet does is a
//! [`Work`], what it does it on is the work's [`Work::Context`].
//!
//! ```text
//!  Queue --submit/signal/wait--> | Execute | Signal(f,v) | Wait(f,v) | ...   in order, one list per queue
//!                                     |          |            |
//!                    work.run(context)'          v            v
//!                                          Fence f: completed value, who waits for which value
//!                                                ^            |
//!                               CPU: signal -----'            '--> CPU: wait, Event
//!
//!  GpuMode    who runs the packets
//!  Immediate  the thread that submits them, or that signals the fence they wait for; done when its call returns
//!  Threaded   one worker thread per engine
//!  Stepped    nobody, until Queue::step, Queue::run_until_idle or Scheduler::run_until is called
//! ```
//!
//! **A wait is satisfied** once the fence's value is at least the wanted one at some moment between the wait's
//! call and the queue's reaching it: what a signal has satisfied stays so when the value goes back afterwards
//! (facts/behaviour.md, "Lists, queues, fences").
//!
//! **Locks.** One mutex per scheduler guards queues and fences; no work runs under it, and nothing of the
//! caller's is dropped under it, so that work and destructors may call back: a destructor may submit, signal
//! and release.
//!
//! **Lifetimes.** [`Scheduler`], [`Queue`] and [`Fence`] are cheap clones that keep the scheduler alive; packets
//! refer to fences by number and keep none alive. When the last handle of a queue goes, its packets still run
//! to their end as the mode has it. When the last handle of all goes, workers run what can run, stop and are
//! joined; what is left can never run and is dropped. A packet that itself owns a handle keeps the scheduler
//! until it has run, which in Stepped may be never: [`Scheduler::remove`] drops it.
#![forbid(unsafe_code)]

mod error;
mod event;
mod fence;
mod fence_state;
mod immediate;
mod locked;
mod order;
mod patience;
mod queue;
mod queue_state;
mod scheduler;
mod state;
mod stepped;
mod threaded;
mod view;
mod work;

pub use error::{BlockedQueue, Deadlock, FenceError, QueueError, RemovalReason, RunError, WouldDeadlock};
pub use event::Event;
pub use fence::{Fence, FenceId, WaitMode, WaitOutcome, signal_when, wait_many};
pub use order::{CreationOrder, Order, RoundRobin, Seeded};
pub use queue::{EngineId, Queue, QueueDesc, QueueId};
pub use scheduler::{GpuMode, Scheduler};
pub use stepped::{StepOutcome, StepUnit};
pub use view::{PacketKind, PacketView, QueueStatus};
pub use work::{Progress, RunLimit, Turn, Work};
