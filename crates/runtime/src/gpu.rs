//! The GPU of a device: its addresses in the driver and its timeline. Made when first needed, so that a
//! device that only creates and maps pays nothing for it.
//!
//! ```text
//!   DeviceInner --GpuSlot--> Gpu --> Arc<dyn DriverDevice>      addresses, as engines see them
//!                   :
//!                   : weak
//!                   v
//!   Device (handle), CommandQueue, Fence --> Timeline --> Scheduler<Submission>     queues, fences, the mode
//!
//!   Residence (of a heap, of a reserved resource): whether the driver's page tables know its addresses
//!   Removal: whether and why the device is gone, one flag that every creation looks at
//! ```
//! Packets keep resources alive, and resources their device. So the device does not keep the packets: the
//! timeline lives as long as a handle of device, queue or fence does, and with it what waits to be run. When
//! the last of them goes, what can run has run, or will never, and lets go of what it holds.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use heapstone_driver::DriverError;
use heapstone_driver::engine::{DriverDevice, Translation};
use heapstone_scheduler::{FenceError, GpuMode, Order, Queue, QueueError, RunError, Scheduler, StepUnit};
use heapstone_spec::rules::queue as rules;
use heapstone_units::GpuVirtualAddress;
use parking_lot::Mutex;

use crate::device::{Device, DeviceInner};
use crate::error::{Error, RemovalReason, Stuck};
use crate::fence::Fence;
use crate::submission::Submission;

/// The GPU's side of a device.
pub(crate) struct Gpu {
    pub(crate) driver: Arc<dyn DriverDevice>,
}

/// What queues and fences of a device have in common.
pub(crate) struct Timeline {
    /// The queue that pages, where somebody does not wait for it.
    pub(crate) paging: OnceLock<Queue<Submission>>,
    pub(crate) scheduler: Scheduler<Submission>,
}

/// Where a device keeps its [`Gpu`].
pub(crate) struct GpuSlot {
    mode: GpuMode,
    made: OnceLock<Gpu>,
    /// Held while it is made, so that it is made once.
    making: Mutex<()>,
    timeline: Mutex<Weak<Timeline>>,
    pub(crate) removal: Arc<Removal>,
}

impl GpuSlot {
    pub(crate) fn new(mode: GpuMode) -> GpuSlot {
        GpuSlot {
            mode,
            made: OnceLock::new(),
            making: Mutex::new(()),
            timeline: Mutex::new(Weak::new()),
            removal: Arc::default(),
        }
    }

    /// The timeline: the one that somebody has, or a new one.
    pub(crate) fn timeline(&self) -> Arc<Timeline> {
        let mut kept = self.timeline.lock();
        if let Some(timeline) = kept.upgrade() {
            return timeline;
        }
        let timeline = Arc::new(Timeline { paging: OnceLock::new(), scheduler: Scheduler::new(self.mode) });
        *kept = Arc::downgrade(&timeline);
        drop(kept);
        // A removal raises the flag before it looks for a timeline: one of both sees the other.
        if let Some(reason) = self.removal.reason() {
            timeline.scheduler.remove(reason.clone());
        }
        timeline
    }

    /// The GPU, where it was needed before.
    pub(crate) fn made(&self) -> Option<&Gpu> {
        self.made.get()
    }
}

/// Whether and why a device is removed. Queues share it, so that the flag is up before a fence tells.
#[derive(Debug, Default)]
pub(crate) struct Removal {
    is_removed: AtomicBool,
    reason: OnceLock<RemovalReason>,
}

impl Removal {
    /// Notes the first reason.
    pub(crate) fn set(&self, reason: RemovalReason) {
        let _ = self.reason.set(reason);
        self.is_removed.store(true, Ordering::Release);
    }

    pub(crate) fn reason(&self) -> Option<&RemovalReason> {
        if self.is_removed.load(Ordering::Acquire) { self.reason.get() } else { None }
    }

    /// # Errors
    /// [`Error::DeviceRemoved`].
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        // Acquire, so that the reason is seen where the flag is.
        if self.is_removed.load(Ordering::Acquire) { Err(self.error()) } else { Ok(()) }
    }

    #[cold]
    fn error(&self) -> Error {
        self.reason.get().cloned().unwrap_or(RemovalReason::Panicked).into()
    }
}

impl Device {
    /// When its GPU does its work.
    #[must_use]
    pub fn gpu_mode(&self) -> GpuMode {
        self.inner.gpu.mode
    }

    /// ID3D12Device::GetDeviceRemovedReason: `None` while the device is there. From then on creation, submission
    /// and signals are refused, and every fence has the value `u64::MAX`.
    #[must_use]
    pub fn removed_reason(&self) -> Option<&RemovalReason> {
        self.inner.gpu.removal.reason()
    }

    /// ID3D12Device5::RemoveDevice: as if the hardware were gone.
    pub fn remove(&self) {
        self.inner.remove(RemovalReason::Requested);
    }

    /// Where `address` leads as engines see it: to a byte of a heap, to a tile that shows nothing, or nowhere.
    /// Heaps are shown from the first GPU work on that refers to them.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn translate(&self, address: GpuVirtualAddress) -> Result<Option<Translation>, Error> {
        Ok(self.inner.gpu()?.driver.translate(address))
    }

    /// In the mode Stepped: runs packets until the fence has reached the value, and no further. Queues take
    /// turns, a packet each, in the order of their creation.
    ///
    /// # Errors
    /// [`Error::Deadlock`] where nothing can run any more; [`Error::DeviceRemoved`]; [`Error::Invalid`]:
    /// `queue.step.mode`, `queue.step.reentrant`, `queue.execute.device`.
    pub fn run_until(&self, fence: &Fence, value: u64) -> Result<(), Error> {
        self.timeline().scheduler.run_until(fence.timeline(), value).map_err(run_error)
    }

    /// [`Device::run_until`] in an order of the caller's, e.g. [`heapstone_scheduler::Seeded`], and by single
    /// commands where wanted.
    ///
    /// # Errors
    /// As [`Device::run_until`].
    pub fn run_until_by(
        &self,
        fence: &Fence,
        value: u64,
        unit: StepUnit,
        order: &mut dyn Order,
    ) -> Result<(), Error> {
        self.timeline().scheduler.run_until_by(fence.timeline(), value, unit, order).map_err(run_error)
    }

    /// In the mode Stepped: runs packets until every queue is idle or waits. Answers how many wait.
    ///
    /// # Errors
    /// As [`Device::run_until`].
    pub fn run_until_idle(&self) -> Result<usize, Error> {
        Ok(self.timeline().scheduler.run_until_idle().map_err(run_error)?.len())
    }

    /// [`Device::run_until_idle`] in an order of the caller's, and by single commands where wanted.
    ///
    /// # Errors
    /// As [`Device::run_until`].
    pub fn run_until_idle_by(&self, unit: StepUnit, order: &mut dyn Order) -> Result<usize, Error> {
        Ok(self.timeline().scheduler.run_until_idle_by(unit, order).map_err(run_error)?.len())
    }
}

impl DeviceInner {
    /// The device's GPU.
    ///
    /// # Errors
    /// Where the driver has no memory for it.
    pub(crate) fn gpu(&self) -> Result<&Gpu, Error> {
        if let Some(gpu) = self.gpu.made.get() {
            return Ok(gpu);
        }
        let _making = self.gpu.making.lock();
        if let Some(gpu) = self.gpu.made.get() {
            return Ok(gpu);
        }
        let driver = self.adapter.driver.create_device()?;
        Ok(self.gpu.made.get_or_init(|| Gpu { driver }))
    }

    /// Removes the device, unless it is removed already.
    pub(crate) fn remove(&self, reason: RemovalReason) {
        self.gpu.removal.set(reason.clone());
        let timeline = self.gpu.timeline.lock().upgrade();
        if let Some(timeline) = timeline {
            timeline.scheduler.remove(reason);
        }
    }
}

/// Whether the driver's page tables know a range of addresses: from the first GPU work that refers to it.
#[derive(Default)]
pub(crate) struct Residence {
    is_resident: AtomicBool,
    /// Held while the driver is told, so that it is told once.
    entering: Mutex<()>,
}

impl Residence {
    pub(crate) const fn new() -> Residence {
        Residence { is_resident: AtomicBool::new(false), entering: Mutex::new(()) }
    }

    pub(crate) fn is_resident(&self) -> bool {
        self.is_resident.load(Ordering::Acquire)
    }

    /// Calls `tell` unless it did so before; after an error it is tried again the next time.
    #[inline]
    pub(crate) fn enter(&self, tell: impl FnOnce() -> Result<(), DriverError>) -> Result<(), DriverError> {
        if self.is_resident() {
            return Ok(());
        }
        let _entering = self.entering.lock();
        if self.is_resident() {
            return Ok(());
        }
        tell()?;
        self.is_resident.store(true, Ordering::Release);
        Ok(())
    }
}

#[cold]
pub(crate) fn removed(reason: heapstone_scheduler::RemovalReason<RemovalReason>) -> Error {
    match reason {
        heapstone_scheduler::RemovalReason::Fault(reason) => reason.into(),
        heapstone_scheduler::RemovalReason::Panicked { .. } => RemovalReason::Panicked.into(),
    }
}

#[cold]
pub(crate) fn queue_error(error: QueueError<RemovalReason>) -> Error {
    match error {
        QueueError::Removed(reason) => removed(reason),
        QueueError::Worker { source, .. } => {
            DriverError::OutOfMemory { what: "the thread of an engine", size: 0, reason: source.to_string() }
                .into()
        }
        QueueError::ForeignFence { .. } => foreign_fence(),
        other => DriverError::Unsupported { what: other.to_string() }.into(),
    }
}

#[cold]
pub(crate) fn run_error(error: RunError<RemovalReason>) -> Error {
    match error {
        RunError::Removed(reason) => removed(reason),
        RunError::NotStepped { mode } => {
            rules::STEP_MODE.violated("the GPU's mode", format_args!("{mode:?}"), "Stepped").into()
        }
        RunError::Reentrant { queue } => rules::STEP_REENTRANT
            .violated(
                "the queue",
                format_args!("queue {queue}, which this thread is stepping"),
                "another queue",
            )
            .into(),
        RunError::ForeignFence { .. } => foreign_fence(),
        RunError::Deadlock(deadlock) => Error::Deadlock(Box::new(Stuck::Queues(deadlock))),
        other => DriverError::Unsupported { what: other.to_string() }.into(),
    }
}

#[cold]
pub(crate) fn fence_error(device: &DeviceInner, error: FenceError) -> Error {
    match error {
        FenceError::Removed => device.gpu.removal.reason().cloned().unwrap_or(RemovalReason::Panicked).into(),
        FenceError::NoFences => rules::FENCE_NONE.violated("NumFences", 0, "at least 1").into(),
        FenceError::WouldDeadlock(wait) => Error::Deadlock(Box::new(Stuck::Cpu(wait))),
        other => DriverError::Unsupported { what: other.to_string() }.into(),
    }
}

#[cold]
fn foreign_fence() -> Error {
    rules::EXECUTE_DEVICE.violated("pFence", "a fence of another device", "a fence of this device").into()
}
