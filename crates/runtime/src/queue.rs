//! Command queues: what the GPU is to do, in order.

use core::fmt;
use std::sync::Arc;

use heapstone_driver::engine::{DriverQueueDesc, QueueStatistics};
use heapstone_scheduler::{EngineId, PacketView, Queue, QueueDesc, QueueStatus, StepOutcome, StepUnit};
use heapstone_spec::commands::{CommandListType, CommandQueuePriority};
use heapstone_spec::rules::command::EXECUTE_ALLOCATOR_RESET;
use heapstone_spec::rules::queue as rules;
use parking_lot::Mutex;

use crate::command::CommandList;
use crate::device::{Device, DeviceRef};
use crate::error::{Error, RemovalReason};
use crate::fence::Fence;
use crate::gpu::{Gpu, Timeline, queue_error, run_error};
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};
use crate::submission::{Execution, QueueContext, Submission};
use crate::validate::node::one_node;

/// Ticks of a timestamp a second: nanoseconds of the engine's simulated time.
pub const TIMESTAMP_FREQUENCY: u64 = 1_000_000_000;

/// D3D12_COMMAND_QUEUE_DESC. Its one flag, DISABLE_GPU_TIMEOUT, is not there: no engine times out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandQueueDesc {
    /// What lists it executes, and on which engine.
    pub list_type: CommandListType,
    /// Which of the ready queues of an engine goes first, in the mode Threaded.
    pub priority: CommandQueuePriority,
    /// The node as a bit; 0 means node 0.
    pub node_mask: u32,
}

impl CommandQueueDesc {
    /// A queue of normal priority on node 0.
    #[must_use]
    pub const fn new(list_type: CommandListType) -> CommandQueueDesc {
        CommandQueueDesc { list_type, priority: CommandQueuePriority::Normal, node_mask: 0 }
    }
}

/// A command queue (ID3D12CommandQueue). A cheap handle, free-threaded. What is pending when the last
/// handle goes still runs.
#[derive(Clone)]
pub struct CommandQueue {
    pub(crate) inner: Arc<QueueInner>,
}

pub(crate) struct QueueInner {
    pub(crate) device: DeviceRef,
    pub(crate) queue: Queue<Submission>,
    desc: CommandQueueDesc,
    statistics: Arc<Mutex<QueueStatistics>>,
    /// Kept, so that another queue or fence of the device is on the same one.
    #[expect(dead_code, reason = "it is there to be alive")]
    timeline: Arc<Timeline>,
    id: ObjectId,
    labels: Labels,
}

impl Device {
    /// ID3D12Device::CreateCommandQueue.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`queue.node`), [`Error::DeviceRemoved`], [`Error::Driver`].
    pub fn create_command_queue(&self, desc: &CommandQueueDesc) -> Result<CommandQueue, Error> {
        let id = self.inner.new_object();
        let result = self.create_queue_unobserved(desc, id);
        self.inner.observe(|| Call::CreateCommandQueue {
            object: id,
            desc,
            outcome: result.as_ref().map(|_| ()),
        });
        result
    }

    fn create_queue_unobserved(&self, desc: &CommandQueueDesc, id: ObjectId) -> Result<CommandQueue, Error> {
        let device = &*self.inner;
        let memory = &device.adapter.profile.memory;
        let field = "D3D12_COMMAND_QUEUE_DESC.NodeMask";
        let node = one_node(memory, &rules::QUEUE_NODE, field, desc.node_mask)?;
        device.gpu.removal.check()?;
        let gpu = device.gpu()?;
        let driver = gpu.driver.create_queue(&DriverQueueDesc { list_type: desc.list_type, node })?;
        let statistics = Arc::<Mutex<QueueStatistics>>::default();
        let context = QueueContext {
            driver,
            statistics: Arc::clone(&statistics),
            removal: Arc::clone(&device.gpu.removal),
        };
        let engine = match desc.list_type {
            CommandListType::Direct => 0,
            CommandListType::Compute => 1,
            CommandListType::Copy => 2,
        };
        let queue_desc = QueueDesc {
            engine: EngineId(node * 3 + engine),
            name: desc.list_type.name().to_owned(),
            priority: i32::try_from(desc.priority.to_d3d12()).unwrap_or(i32::MAX),
        };
        let timeline = Arc::clone(self.timeline());
        let queue = timeline.scheduler.create_queue(queue_desc, context).map_err(queue_error)?;
        let inner = QueueInner {
            device: self.reference(),
            queue,
            desc: *desc,
            statistics,
            timeline,
            id,
            labels: Labels::default(),
        };
        Ok(CommandQueue { inner: Arc::new(inner) })
    }
}

impl CommandQueue {
    /// ID3D12CommandQueue::ExecuteCommandLists: the lists run one after the other behind what is pending.
    /// All that they refer to stays alive until they have run.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `queue.execute.*` or `list.execute.allocator_reset`: no list is executed.
    /// [`Error::DeviceRemoved`]: the device was removed, is removed by the work, or by this call, as a list is
    /// open or failed to close (facts/behaviour.md, Lists, queues, fences). [`Error::OutOfMemory`],
    /// [`Error::Driver`]: what was touched first found no memory; no list is executed.
    pub fn execute_command_lists(&self, lists: &[&CommandList]) -> Result<(), Error> {
        let result = self.execute(lists);
        self.inner.device.observe(|| Call::ExecuteCommandLists {
            queue: self.inner.id,
            lists,
            outcome: result.as_ref().copied(),
        });
        result
    }

    fn execute(&self, lists: &[&CommandList]) -> Result<(), Error> {
        let device = &*self.inner.device;
        device.gpu.removal.check()?;
        let gpu = device.gpu()?;
        // The frequent call has one list: nothing is collected.
        if let [list] = lists {
            let execution = self.prepare(gpu, list)?;
            self.inner.queue.submit(Submission::Execute(execution)).map_err(queue_error)?;
        } else {
            let executions =
                lists.iter().map(|list| self.prepare(gpu, list)).collect::<Result<Vec<_>, _>>()?;
            let work = executions.into_iter().map(Submission::Execute);
            self.inner.queue.submit_all(work).map_err(queue_error)?;
        }
        device.gpu.removal.check()
    }

    /// A list ready to run: its rules checked, its memory resident and held.
    fn prepare(&self, gpu: &Gpu, list: &CommandList) -> Result<Execution, Error> {
        let device = &*self.inner.device;
        if !core::ptr::eq(list.device_inner(), device) {
            let given = "a list of another device";
            return Err(rules::EXECUTE_DEVICE
                .violated("ppCommandLists", given, "lists of this device")
                .into());
        }
        if list.list_type() != self.inner.desc.list_type {
            return Err(rules::EXECUTE_TYPE
                .violated("ppCommandLists", list.list_type(), self.inner.desc.list_type)
                .into());
        }
        let closed = match list.closed() {
            Ok(closed) => closed,
            Err(violation) if *violation.rule == EXECUTE_ALLOCATOR_RESET => return Err(violation.into()),
            Err(violation) => {
                let reason = RemovalReason::InvalidCall(violation);
                device.remove(reason.clone());
                return Err(reason.into());
            }
        };
        let holds = closed.hold_all()?;
        for hold in &holds {
            hold.make_resident(gpu)?;
        }
        device.check_descriptor_heaps(&closed.descriptor_heaps)?;
        let kept = device.begin_use(&holds, |index| closed.is_written(index))?;
        let list = match closed.enter_flight() {
            Ok(list) => list,
            Err(violation) => {
                device.end_use(kept, &holds);
                return Err(violation.into());
            }
        };
        Ok(Execution::new(list, holds, kept))
    }

    /// ID3D12CommandQueue::Signal: the fence takes the value once all that is pending has run.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`queue.execute.device`), [`Error::DeviceRemoved`].
    pub fn signal(&self, fence: &Fence, value: u64) -> Result<(), Error> {
        let result = self.inner.queue.signal(fence.timeline(), value).map(drop).map_err(queue_error);
        self.inner.device.observe(|| Call::QueueSignal {
            queue: self.inner.id,
            fence: fence.id(),
            value,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12CommandQueue::Wait: what follows waits until the fence has reached the value. A wait that a signal has
    /// satisfied stays so, also when the value goes back.
    ///
    /// # Errors
    /// As [`CommandQueue::signal`].
    pub fn wait(&self, fence: &Fence, value: u64) -> Result<(), Error> {
        let result = self.inner.queue.wait(fence.timeline(), value).map(drop).map_err(queue_error);
        self.inner.device.observe(|| Call::QueueWait {
            queue: self.inner.id,
            fence: fence.id(),
            value,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// ID3D12CommandQueue::GetTimestampFrequency: ticks a second.
    #[must_use]
    pub fn timestamp_frequency(&self) -> u64 {
        TIMESTAMP_FREQUENCY
    }

    /// The queue's time in ticks: the GPU's half of GetClockCalibration. It moves on with the work alone, by
    /// the cost model of the profile ([`heapstone_driver::cost`]), and is the same in every run.
    #[must_use]
    pub fn timestamp(&self) -> u64 {
        self.inner.queue.time_ns()
    }

    /// What it has done since it was created.
    #[must_use]
    pub fn statistics(&self) -> QueueStatistics {
        *self.inner.statistics.lock()
    }

    /// In the mode Stepped: goes on by one command or one packet.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`queue.step.mode`, `queue.step.reentrant`), [`Error::DeviceRemoved`]: before, or by the
    /// step's work.
    pub fn step(&self, unit: StepUnit) -> Result<StepOutcome, Error> {
        self.inner.queue.step(unit).map_err(run_error)
    }

    /// In the mode Stepped: runs this queue alone until it is idle or waits; which of both.
    ///
    /// # Errors
    /// As [`CommandQueue::step`].
    pub fn run_until_idle(&self) -> Result<QueueStatus, Error> {
        self.inner.queue.run_until_idle().map_err(run_error)
    }

    /// What it has not done yet, in order.
    #[must_use]
    pub fn pending(&self) -> Vec<PacketView> {
        self.inner.queue.pending()
    }

    /// Whether it can go on.
    #[must_use]
    pub fn status(&self) -> QueueStatus {
        self.inner.queue.state()
    }

    /// ID3D12CommandQueue::GetDesc.
    #[must_use]
    pub fn desc(&self) -> CommandQueueDesc {
        self.inner.desc
    }
}

impl Drop for QueueInner {
    fn drop(&mut self) {
        self.device.observe(|| Call::Destroy { object: self.id });
    }
}

shared_object!(CommandQueue);

impl fmt::Debug for CommandQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandQueue")
            .field("id", &self.inner.id)
            .field("desc", &self.inner.desc)
            .finish_non_exhaustive()
    }
}
