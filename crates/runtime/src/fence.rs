//! Fences.

use core::fmt;
use core::time::Duration;
use std::sync::Arc;

use heapstone_scheduler::{Event, FenceId, WaitMode, WaitOutcome, signal_when, wait_many};
use heapstone_spec::commands::FenceFlags;
use heapstone_spec::rules::queue as rules;

use crate::device::{Device, DeviceInner, DeviceRef};
use crate::error::Error;
use crate::gpu::{Timeline, fence_error, queue_error};
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};

/// A fence (ID3D12Fence): a value that queues and the CPU signal and wait for, and that may go back. A cheap
/// handle, free-threaded.
#[derive(Clone)]
pub struct Fence {
    inner: Arc<FenceInner>,
}

struct FenceInner {
    device: DeviceRef,
    fence: heapstone_scheduler::Fence,
    /// Kept, so that another queue or fence of the device is on the same one.
    #[expect(dead_code, reason = "it is there to be alive")]
    timeline: Arc<Timeline>,
    flags: FenceFlags,
    id: ObjectId,
    labels: Labels,
}

impl Device {
    /// ID3D12Device::CreateFence.
    ///
    /// # Errors
    /// [`Error::DeviceRemoved`].
    pub fn create_fence(&self, initial_value: u64, flags: FenceFlags) -> Result<Fence, Error> {
        let id = self.inner.new_object();
        let result = self.create_fence_unobserved(initial_value, flags, id);
        self.inner.observe(|| Call::CreateFence {
            object: id,
            initial_value,
            flags,
            outcome: result.as_ref().map(|_| ()),
        });
        result
    }

    fn create_fence_unobserved(
        &self,
        initial_value: u64,
        flags: FenceFlags,
        id: ObjectId,
    ) -> Result<Fence, Error> {
        self.inner.gpu.removal.check()?;
        let timeline = Arc::clone(self.timeline());
        let fence = timeline.scheduler.create_fence(initial_value).map_err(queue_error)?;
        let inner =
            FenceInner { device: self.reference(), fence, timeline, flags, id, labels: Labels::default() };
        Ok(Fence { inner: Arc::new(inner) })
    }

    /// ID3D12Device1::SetEventOnMultipleFenceCompletion: sets the event once all, or one, of the fences have
    /// reached their values, at once if they have.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`fence.none`, `queue.execute.device`).
    pub fn set_event_on_multiple_fence_completion(
        &self,
        fences: &[(&Fence, u64)],
        mode: WaitMode,
        event: &Event,
    ) -> Result<(), Error> {
        let fences = self.inner.timelines(fences)?;
        signal_when(&fences, mode, event).map_err(|error| fence_error(&self.inner, error))
    }

    /// The same with a NULL event: blocks until the fences have reached their values, or the time is over.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`fence.none`, `queue.execute.device`); [`Error::Deadlock`] without a timeout in the mode
    /// Stepped, where only a step could end it.
    pub fn wait_for_fences(
        &self,
        fences: &[(&Fence, u64)],
        mode: WaitMode,
        timeout: Option<Duration>,
    ) -> Result<WaitOutcome, Error> {
        let timelines = self.inner.timelines(fences)?;
        let outcome =
            wait_many(&timelines, mode, timeout).map_err(|error| fence_error(&self.inner, error))?;
        if self.inner.is_observed() && outcome == WaitOutcome::Reached {
            // In the mode Any those that were reached: the program goes on as if it had waited for them.
            for (fence, value) in fences {
                if mode == WaitMode::All || fence.completed_value() >= *value {
                    self.inner.observe(|| Call::FenceWait { fence: fence.id(), value: *value });
                }
            }
        }
        Ok(outcome)
    }
}

impl DeviceInner {
    fn timelines<'a>(
        &self,
        fences: &[(&'a Fence, u64)],
    ) -> Result<Vec<(&'a heapstone_scheduler::Fence, u64)>, Error> {
        let mut timelines = Vec::with_capacity(fences.len());
        for (fence, value) in fences {
            if !core::ptr::eq(&raw const *fence.inner.device, self) {
                let given = "a fence of another device";
                return Err(rules::EXECUTE_DEVICE
                    .violated("ppFences", given, "fences of this device")
                    .into());
            }
            timelines.push((fence.timeline(), *value));
        }
        Ok(timelines)
    }
}

impl Fence {
    pub(crate) fn device_inner(&self) -> &DeviceInner {
        &self.inner.device
    }

    pub(crate) fn timeline(&self) -> &heapstone_scheduler::Fence {
        &self.inner.fence
    }

    /// ID3D12Fence::GetCompletedValue: the value last signalled; `u64::MAX` once the device is removed.
    #[must_use]
    pub fn completed_value(&self) -> u64 {
        self.inner.fence.completed_value()
    }

    /// ID3D12Fence::Signal: sets the value from the CPU. In the mode Immediate this thread runs what it
    /// releases before the call returns.
    ///
    /// # Errors
    /// [`Error::DeviceRemoved`].
    pub fn signal(&self, value: u64) -> Result<(), Error> {
        let result = self.inner.fence.signal(value).map_err(|error| fence_error(&self.inner.device, error));
        self.inner.device.observe(|| Call::FenceSignal {
            fence: self.inner.id,
            value,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// Makes it one of several fences that have one value, which lies elsewhere, as shared fences of processes do:
    /// `told` is called with each value that the CPU or a queue signals, before the fence has it, and `begin` once, with
    /// the one that it has. See [`heapstone_scheduler::Fence::mirror`]: they must neither block nor call back.
    pub fn mirror(&self, begin: impl FnMut(u64), told: impl Fn(u64) + Send + Sync + 'static) {
        self.inner.fence.mirror(begin, told);
    }

    /// Brings it to the value that lies elsewhere, which others changed: a signal that the mirror is not told of.
    /// `value` must neither block nor call back: see [`heapstone_scheduler::Fence::follow`].
    ///
    /// # Errors
    /// [`Error::DeviceRemoved`].
    pub fn follow(&self, value: impl Fn() -> u64) -> Result<(), Error> {
        let followed = self.inner.fence.follow(value);
        let result = followed.map_err(|error| fence_error(&self.inner.device, error));
        if let Ok(Some(value)) = result {
            self.inner.device.observe(|| Call::FenceSignal { fence: self.inner.id, value, outcome: Ok(()) });
        }
        result.map(drop)
    }

    /// ID3D12Fence::SetEventOnCompletion: sets the event once the value is reached, at once if it is; also when
    /// the device is removed or the fence released.
    pub fn set_event_on_completion(&self, value: u64, event: &Event) {
        self.inner.fence.on_completion(value, event);
    }

    /// SetEventOnCompletion with a NULL event: blocks until the value is reached.
    ///
    /// # Errors
    /// [`Error::Deadlock`] in the mode Stepped, where only a step could end it.
    pub fn wait(&self, value: u64) -> Result<(), Error> {
        self.wait_for(value, None).map(|_| ())
    }

    /// [`Fence::wait`], at most for `timeout`.
    ///
    /// # Errors
    /// As [`Fence::wait`], without a timeout.
    pub fn wait_for(&self, value: u64, timeout: Option<Duration>) -> Result<WaitOutcome, Error> {
        let outcome =
            self.inner.fence.wait(value, timeout).map_err(|error| fence_error(&self.inner.device, error))?;
        if outcome == WaitOutcome::Reached {
            self.inner.device.observe(|| Call::FenceWait { fence: self.inner.id, value });
        }
        Ok(outcome)
    }

    /// ID3D12Fence1::GetCreationFlags.
    #[must_use]
    pub fn creation_flags(&self) -> FenceFlags {
        self.inner.flags
    }

    /// Its number on the device's timeline, as pending packets name it.
    #[must_use]
    pub fn timeline_id(&self) -> FenceId {
        self.inner.fence.id()
    }
}

impl Drop for FenceInner {
    fn drop(&mut self) {
        self.device.observe(|| Call::Destroy { object: self.id });
    }
}

shared_object!(Fence);

impl fmt::Debug for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fence")
            .field("id", &self.inner.id)
            .field("completed_value", &self.completed_value())
            .finish_non_exhaustive()
    }
}
