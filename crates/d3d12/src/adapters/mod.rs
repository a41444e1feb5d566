//! The adapters of this process, and the device of each.
//!
//! D3D12's devices are singletons: D3D12CreateDevice for an adapter that has a device already gives another
//! reference to it. A device factory makes devices of its own.

mod memory;
mod recording;

use core::ffi::c_void;
use std::sync::OnceLock;

use heapstone::{Adapter, GpuMode, SdkVersion, SegmentGroup};
use heapstone_driver_soft::{SoftDriverFactory, SoftDriverOptions};

use crate::com::{Convention, Held, Object, Singleton, from_client};
use crate::configuration::{Configuration, DebugLevel};
use crate::device::Device;
use crate::failure::Failure;
use crate::layers::global;
use crate::types::LUID;
use crate::{dxcore, dxgi};

use memory::ProcessMemory;
pub use memory::{BudgetChanged, Membership, segment_group};
pub use recording::Recording;

/// The version of the driver, as DXGI and DXCore tell it: four numbers of 16 bits, those of this crate.
pub const DRIVER_VERSION: u64 = 0x0000_0000_0001_0000;

/// PCI identifiers that software adapters report (crates/spec/profiles/software.toml).
const SOFTWARE: (u32, u32) = (0x1414, 0x8c);

/// An adapter that the process can create devices on.
pub struct AdapterEntry {
    /// The library's.
    pub adapter: Adapter,
    /// What programs know it by.
    pub luid: LUID,
    /// What its devices are made with.
    pub settings: DeviceSettings,
    /// Its device for D3D12CreateDevice.
    device: Singleton<Device>,
    /// Its object of DXCore.
    pub(crate) core_adapter: Singleton<dxcore::Adapter>,
    memory: ProcessMemory,
}

/// What a device is made with beside its adapter.
#[derive(Clone, Debug)]
pub struct DeviceSettings {
    /// The SDK version whose rules hold.
    pub sdk: SdkVersion,
    /// When the GPU does its work.
    pub gpu_mode: GpuMode,
    /// What is said on standard error.
    pub debug: DebugLevel,
    /// Where the trace of its calls goes.
    pub record: Option<std::path::PathBuf>,
    /// Whether its live objects are told when the process ends.
    pub live_objects: bool,
}

/// An adapter's memory as DXGI and DXCore describe it, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySizes {
    /// Video memory of its own; 0 where it shares the CPU's.
    pub dedicated: u64,
    /// System memory that it can use.
    pub shared: u64,
}

/// The adapters, in the order in which they are enumerated: those of the configuration, which is read once.
///
/// # Errors
/// What is wrong with the configuration, or why an adapter cannot be opened; the same each time. The first time it is
/// said on standard error too, since a result code cannot say it.
pub fn entries() -> Result<&'static [AdapterEntry], &'static str> {
    static ENTRIES: OnceLock<Result<Vec<AdapterEntry>, String>> = OnceLock::new();
    let opened = ENTRIES.get_or_init(|| {
        let entries =
            Configuration::of_process().map_err(|error| error.to_string()).and_then(|read| open(&read));
        entries.inspect_err(|error| eprintln!("heapstone: {error}"))
    });
    opened.as_deref().map_err(String::as_str)
}

fn open(configuration: &Configuration) -> Result<Vec<AdapterEntry>, String> {
    let settings = DeviceSettings {
        sdk: configuration.sdk,
        gpu_mode: configuration.gpu_mode,
        debug: configuration.debug,
        record: configuration.record.clone(),
        live_objects: configuration.live_objects,
    };
    let options =
        SoftDriverOptions { paging_bytes: configuration.paging_bytes, ..SoftDriverOptions::default() };
    let driver = SoftDriverFactory { options };
    let numbered = (0_u32..).zip(&configuration.adapters);
    let open_one = |(index, adapter): (u32, &crate::configuration::AdapterConfiguration)| {
        let opened = Adapter::open(adapter.profile.clone(), &driver, adapter.backing)
            .map_err(|error| format!("adapter {index}, {}: {error}", adapter.profile.name))?;
        opened.inject_faults(configuration.faults);
        Ok(AdapterEntry::new(opened, index, settings.clone()))
    };
    numbered.map(open_one).collect()
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
    // SAFETY: the caller's promise.
    if let Some(adapter) = unsafe { from_client::<dxgi::Adapter>(adapter) } {
        return Ok(adapter.entry);
    }
    // SAFETY: as above.
    match unsafe { from_client::<dxcore::Adapter>(adapter) } {
        Some(adapter) => Ok(adapter.entry),
        None => Err(Failure::Argument("pAdapter is no adapter of this library")),
    }
}

impl AdapterEntry {
    /// The entry that is enumerated as number `index`.
    #[must_use]
    pub fn new(adapter: Adapter, index: u32, settings: DeviceSettings) -> AdapterEntry {
        // Chosen: a LUID says nothing but which adapter it is; 0 would look like none.
        let luid = LUID { LowPart: 0x4853_0000 + index, HighPart: 0 };
        AdapterEntry {
            adapter,
            luid,
            settings,
            device: Singleton::new(),
            core_adapter: Singleton::new(),
            memory: ProcessMemory::default(),
        }
    }

    /// The adapter's device: another reference to the one that there is, or a new one. One that was removed stays until
    /// the program has let go of it.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn device(&'static self, convention: Convention) -> Result<Held<Device>, Failure> {
        self.device.get(convention, || {
            // ID3D12SDKConfiguration::SetSDKVersion says more than the configuration.
            let sdk = global().sdk.lock().unwrap_or(self.settings.sdk);
            Device::create(self, &DeviceSettings { sdk, ..self.settings.clone() }, convention)
        })
    }

    /// The device goes.
    pub(crate) fn forget(&self, device: &Object<Device>) {
        self.device.forget(device);
    }

    /// Whether it says that it is a software adapter.
    #[must_use]
    pub fn is_software(&self) -> bool {
        let identity = &self.adapter.profile().identity;
        (identity.vendor_id, identity.device_id) == SOFTWARE
    }

    /// Its memory, by where it is: a segment in the LOCAL group of an adapter with memory of its own is dedicated.
    #[must_use]
    pub fn memory_sizes(&self) -> MemorySizes {
        let profile = self.adapter.profile();
        let is_dedicated = |group| group == SegmentGroup::Local && !profile.architecture.uma;
        let sum = |dedicated: bool| {
            let segments = profile.memory.segments.iter();
            let sizes =
                segments.filter(|segment| is_dedicated(segment.group) == dedicated).map(|one| one.size);
            sizes.fold(0_u64, u64::saturating_add)
        };
        MemorySizes { dedicated: sum(true), shared: sum(false) }
    }
}
