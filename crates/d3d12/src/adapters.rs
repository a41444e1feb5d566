//! The adapters of this process, and the device of each.
//!
//! D3D12's devices are singletons: D3D12CreateDevice for an adapter that has a device already gives another
//! reference to it. A device factory makes devices of its own.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::sync::OnceLock;

use heapstone::{Adapter, Backing, GpuMode, Profile, SdkVersion};
use heapstone_driver_soft::SoftDriverFactory;
use parking_lot::Mutex;

use crate::com::{Convention, Held, Object};
use crate::device::Device;
use crate::failure::Failure;
use crate::types::LUID;

/// An adapter that the process can create devices on.
pub struct AdapterEntry {
    /// The library's.
    pub adapter: Adapter,
    /// What programs know it by.
    pub luid: LUID,
    /// What its devices are made with.
    pub settings: DeviceSettings,
    /// Its device for D3D12CreateDevice, one for each convention.
    devices: Mutex<[Option<Known>; 2]>,
}

/// What a device is made with beside its adapter.
#[derive(Clone, Copy, Debug)]
pub struct DeviceSettings {
    /// The SDK version whose rules hold.
    pub sdk: SdkVersion,
    /// When the GPU does its work.
    pub gpu_mode: GpuMode,
}

/// A device that is known and not held.
#[derive(Clone, Copy)]
struct Known(NonNull<Object<Device>>);

// SAFETY: it is read under the lock, which a device takes to be forgotten before it dies.
unsafe impl Send for Known {}

/// The adapters, in the order in which they are enumerated.
///
/// # Errors
/// Why they cannot be opened; the same each time.
pub fn entries() -> Result<&'static [AdapterEntry], &'static str> {
    static ENTRIES: OnceLock<Result<Vec<AdapterEntry>, String>> = OnceLock::new();
    ENTRIES.get_or_init(open).as_deref().map_err(String::as_str)
}

fn open() -> Result<Vec<AdapterEntry>, String> {
    let profile = Profile::builtin("discrete-8g").expect("invariant: a built-in profile");
    let adapter = Adapter::open(profile, &SoftDriverFactory::default(), Backing::Host)
        .map_err(|error| error.to_string())?;
    let settings = DeviceSettings { sdk: SdkVersion::LATEST, gpu_mode: GpuMode::Immediate };
    Ok(vec![AdapterEntry::new(adapter, 0, settings)])
}

/// The entry that a client names by an adapter of DXGI or DXCore; the first where it names none.
///
/// # Safety
/// `adapter` is NULL or points to a live COM object.
///
/// # Errors
/// No adapter of ours.
pub unsafe fn of_client(adapter: *mut c_void) -> Result<&'static AdapterEntry, Failure> {
    if adapter.is_null() {
        let entries = entries().map_err(Failure::Argument)?;
        return entries.first().ok_or(Failure::Argument("there is no adapter"));
    }
    Err(Failure::Argument("pAdapter is no adapter of this library"))
}

impl AdapterEntry {
    /// The entry that is enumerated as number `index`.
    #[must_use]
    pub fn new(adapter: Adapter, index: u32, settings: DeviceSettings) -> AdapterEntry {
        // Chosen: a LUID says nothing but which adapter it is; 0 would look like none.
        let luid = LUID { LowPart: 0x4853_0000 + index, HighPart: 0 };
        AdapterEntry { adapter, luid, settings, devices: Mutex::new([None; 2]) }
    }

    /// The adapter's device: another reference to the one that there is, or a new one.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn device(&'static self, convention: Convention) -> Result<Held<Device>, Failure> {
        let mut devices = self.devices.lock();
        let known = &mut devices[convention as usize];
        if let Some(Known(device)) = known {
            // SAFETY: a device is forgotten, under this lock, before its memory goes.
            let device = unsafe { device.as_ref() };
            if device.header().try_add_public() {
                return Ok(Held::adopt(device));
            }
        }
        let device = Device::create(self, self.settings, convention)?;
        *known = Some(Known(NonNull::from(&*device)));
        Ok(device)
    }

    /// The adapter's devices for D3D12CreateDevice that are there now.
    #[must_use]
    pub fn live_devices(&self) -> Vec<Held<Device>> {
        let devices = self.devices.lock();
        let known = devices.iter().flatten().filter_map(|Known(device)| {
            // SAFETY: a device is forgotten, under this lock, before its memory goes.
            let device = unsafe { device.as_ref() };
            device.header().try_add_public().then(|| Held::adopt(device))
        });
        known.collect()
    }

    /// The device goes.
    pub(crate) fn forget(&self, device: &Object<Device>) {
        for known in self.devices.lock().iter_mut() {
            if known.is_some_and(|Known(known)| core::ptr::eq(known.as_ptr(), device)) {
                *known = None;
            }
        }
    }
}
