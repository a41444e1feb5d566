//! The GPU of a device: its addresses in the driver and its timeline. Made when first needed, so that a
//! device that only creates and maps pays nothing for it.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use heapstone_driver::DriverError;
use heapstone_driver::engine::DriverDevice;
use parking_lot::Mutex;

use crate::device::DeviceInner;
use crate::error::Error;

/// When the GPU does its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GpuMode {
    /// In the call that submits it, or that signals what it waits for.
    #[default]
    Immediate,
    /// In one thread for each engine.
    Threaded,
    /// When the program says so, step by step.
    Stepped,
}

/// The GPU's side of a device.
pub(crate) struct Gpu {
    pub(crate) driver: Arc<dyn DriverDevice>,
}

/// Where a device keeps its [`Gpu`].
pub(crate) struct GpuSlot {
    mode: GpuMode,
    made: OnceLock<Gpu>,
    /// Held while it is made, so that it is made once.
    making: Mutex<()>,
}

impl GpuSlot {
    pub(crate) const fn new(mode: GpuMode) -> GpuSlot {
        GpuSlot { mode, made: OnceLock::new(), making: Mutex::new(()) }
    }

    pub(crate) const fn mode(&self) -> GpuMode {
        self.mode
    }

    /// The GPU, where it was needed before.
    pub(crate) fn made(&self) -> Option<&Gpu> {
        self.made.get()
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
