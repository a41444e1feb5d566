//! What a client sets up before it has a device: debug layer, DRED, tools, SDK version, device factories.

mod debug;
mod dred_settings;
mod factory;
mod tools;

use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};

use heapstone::{GpuVirtualAddressRange, SdkVersion};
use parking_lot::Mutex;

use crate::com::{Class, Convention, Held, Object, deliver};
use crate::entry::border;
use crate::types::{E_INVALIDARG, E_NOINTERFACE, GUID, HRESULT, S_FALSE};

pub use debug::Debug;
pub use dred_settings::DredSettings;
pub use factory::{DeviceFactory, SdkConfiguration};
pub use tools::Tools;

/// What holds for the devices that are created from now on.
#[derive(Default)]
pub struct Global {
    /// Whether the debug layer watches.
    pub debug_layer: AtomicBool,
    /// The SDK version that the program asked for.
    pub sdk: Mutex<Option<SdkVersion>>,
    /// ID3D12Tools1's addresses.
    pub reserved_ranges: Mutex<Vec<GpuVirtualAddressRange>>,
    /// ID3D12Tools' switch, which changes nothing: no shader runs.
    pub shader_instrumentation: AtomicBool,
}

/// The process's.
pub fn global() -> &'static Global {
    static GLOBAL: Global = Global {
        debug_layer: AtomicBool::new(false),
        sdk: Mutex::new(None),
        reserved_ranges: Mutex::new(Vec::new()),
        shader_instrumentation: AtomicBool::new(false),
    };
    &GLOBAL
}

impl Global {
    /// Whether devices that are created now are watched.
    #[must_use]
    pub fn has_debug_layer(&self) -> bool {
        self.debug_layer.load(Ordering::Relaxed)
    }
}

/// The SDK version that a number like 618 names: the newest known that is not newer.
#[must_use]
pub fn sdk_version(number: u32) -> SdkVersion {
    match number {
        0..606 => SdkVersion::Inbox,
        606..614 => SdkVersion::V606,
        614..618 => SdkVersion::V614,
        618 => SdkVersion::V618,
        _ => SdkVersion::LATEST,
    }
}

/// The number of an SDK version.
#[must_use]
pub const fn sdk_number(version: SdkVersion) -> u32 {
    match version {
        SdkVersion::Inbox => 4,
        SdkVersion::V606 => 606,
        SdkVersion::V614 => 614,
        SdkVersion::V618 => 618,
        SdkVersion::V619_3 | SdkVersion::V619_4 => 619,
    }
}

/// D3D12GetDebugInterface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12GetDebugInterface(iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    border(|| {
        // SAFETY: the arguments are the client's.
        let code = unsafe { layer(Debug, iid, out) };
        if code != E_NOINTERFACE {
            return Ok(code);
        }
        // SAFETY: as above.
        Ok(unsafe { layer(DredSettings, iid, out) })
    })
}

const CLSID_DEBUG: GUID = GUID::parse("f2352aeb-dd84-49fe-b97b-a9dcfdcc1b4f");
const CLSID_TOOLS: GUID = GUID::parse("e38216b1-3c8c-4833-aa09-0a06b65d96c8");
const CLSID_DRED: GUID = GUID::parse("4a75bbc4-9ff4-4ad8-9f18-abae84dc5ff2");
const CLSID_SDK_CONFIGURATION: GUID = GUID::parse("7cda6aca-a03e-49c8-9458-0334d20e07ce");
const CLSID_DEVICE_FACTORY: GUID = GUID::parse("114863bf-c386-4aee-b39d-8f0bbb062955");

/// D3D12GetInterface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12GetInterface(
    class: *const GUID,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { get_interface(class, iid, out) }))
}

/// The object of a class that D3D12GetInterface knows.
unsafe fn get_interface(class: *const GUID, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    // SAFETY: the arguments are the client's.
    unsafe {
        let Some(class) = class.as_ref() else { return E_INVALIDARG };
        match *class {
            CLSID_DEBUG => layer(Debug, iid, out),
            CLSID_TOOLS => layer(Tools, iid, out),
            CLSID_DRED => layer(DredSettings, iid, out),
            CLSID_SDK_CONFIGURATION => layer(SdkConfiguration, iid, out),
            CLSID_DEVICE_FACTORY => layer(DeviceFactory::new(None), iid, out),
            _ => {
                if !out.is_null() {
                    out.write(core::ptr::null_mut());
                }
                E_NOINTERFACE
            }
        }
    }
}

/// An object without a device.
unsafe fn layer<T: Class>(body: T, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
    let create = || -> Result<Held<T>, HRESULT> { Ok(Object::create(body, None, Convention::Linux)) };
    if out.is_null() {
        return S_FALSE;
    }
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, create) }
}
