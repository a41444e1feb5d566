//! ID3D12SDKConfiguration 0 and 1, ID3D12DeviceFactory.

use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

use heapstone::SdkVersion;

use super::{get_interface, global, layer, sdk_version};
use crate::adapters::{self, DeviceSettings};
use crate::com::{Object, class};
use crate::device::Device;
use crate::entry::{border, hand_out, is_feature_level};
use crate::types::{E_INVALIDARG, GUID, HRESULT, S_OK};
use crate::vtables::{ID3D12DeviceFactory, ID3D12SDKConfiguration1};

/// Which SDK version's rules hold. All of them are in this library: the path is not looked at.
pub struct SdkConfiguration;

class!(SdkConfiguration, ID3D12SDKConfiguration1Vtbl, "ID3D12SDKConfiguration");

impl ID3D12SDKConfiguration1 for SdkConfiguration {
    unsafe fn SetSDKVersion(_this: &Object<Self>, version: u32, _path: *const c_char) -> HRESULT {
        *global().sdk.lock() = Some(sdk_version(version));
        S_OK
    }

    unsafe fn CreateDeviceFactory(
        _this: &Object<Self>,
        version: u32,
        _path: *const c_char,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { layer(DeviceFactory::new(Some(sdk_version(version))), iid, out) }
    }

    unsafe fn FreeUnusedSDKs(_this: &Object<Self>) {}
}

/// Makes devices of its own, of one SDK version.
pub struct DeviceFactory {
    sdk: Option<SdkVersion>,
    flags: AtomicU32,
}

class!(DeviceFactory, ID3D12DeviceFactoryVtbl, "ID3D12DeviceFactory");

/// D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE.
const ALLOW_EXISTING: u32 = 0x1;
/// And ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE, DISALLOW_STORING_NEW_DEVICE_AS_SINGLETON.
const ALL_FLAGS: u32 = 0x7;

impl DeviceFactory {
    pub(super) const fn new(sdk: Option<SdkVersion>) -> DeviceFactory {
        DeviceFactory { sdk, flags: AtomicU32::new(0) }
    }
}

impl ID3D12DeviceFactory for DeviceFactory {
    unsafe fn InitializeFromGlobalState(_this: &Object<Self>) -> HRESULT {
        S_OK
    }

    unsafe fn ApplyToGlobalState(this: &Object<Self>) -> HRESULT {
        if let Some(sdk) = this.sdk {
            *global().sdk.lock() = Some(sdk);
        }
        S_OK
    }

    unsafe fn SetFlags(this: &Object<Self>, flags: u32) -> HRESULT {
        if flags & !ALL_FLAGS != 0 {
            return E_INVALIDARG;
        }
        this.flags.store(flags, Ordering::Relaxed);
        S_OK
    }

    unsafe fn GetFlags(this: &Object<Self>) -> u32 {
        this.flags.load(Ordering::Relaxed)
    }

    unsafe fn GetConfigurationInterface(
        _this: &Object<Self>,
        class: *const GUID,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { get_interface(class, iid, out) }
    }

    unsafe fn EnableExperimentalFeatures(
        _this: &Object<Self>,
        _count: u32,
        _iids: *const GUID,
        _structures: *mut c_void,
        _sizes: *mut u32,
    ) -> HRESULT {
        S_OK
    }

    /// A device of its own, unless the flags allow the adapter's.
    unsafe fn CreateDevice(
        this: &Object<Self>,
        adapter: *mut c_void,
        minimum_feature_level: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        border(|| {
            if !out.is_null() {
                // SAFETY: the client's place for the pointer.
                unsafe { out.write(core::ptr::null_mut()) };
            }
            if !is_feature_level(minimum_feature_level) {
                return Err(E_INVALIDARG.into());
            }
            // SAFETY: the arguments are the client's.
            let entry = unsafe { adapters::of_client(adapter) }?;
            let convention = this.convention();
            let device = if this.flags.load(Ordering::Relaxed) & ALLOW_EXISTING != 0 {
                entry.device(convention)?
            } else {
                let sdk = this.sdk.or(*global().sdk.lock()).unwrap_or(entry.settings.sdk);
                Device::create(entry, &DeviceSettings { sdk, ..entry.settings.clone() }, convention)?
            };
            // SAFETY: as above.
            unsafe { hand_out(&device, minimum_feature_level, iid, out) }
        })
    }
}
