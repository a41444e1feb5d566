//! ID3D12Device0 to 15.

mod compatibility;
mod create;
pub(crate) mod debug_device;
mod dred;
mod existing;
pub mod features;
mod info_queue;
pub(crate) mod live;
mod methods;
pub(crate) mod query;
mod residency;
mod trim;
mod views;

use core::ffi::c_void;
use core::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use heapstone::Error;

use crate::adapters::{AdapterEntry, DeviceSettings, Membership, Recording};
use crate::com::{Class, Convention, Held, Object, class, faces};
use crate::configuration::DebugLevel;
use crate::failure::{Failure, removal_code};
use crate::layers::global;
use crate::messages::{Category, Message, Messages, Severity};
use crate::types::{DXGI_ERROR_DRIVER_INTERNAL_ERROR, GUID, HRESULT, S_OK};
use debug_device::observer;

/// A device.
pub struct Device {
    /// The library's.
    pub runtime: heapstone::Device,
    /// What it is on.
    pub entry: &'static AdapterEntry,
    /// What there is to say of it.
    pub messages: Arc<Messages>,
    /// Whether the debug layer was there when it was created, and hears what the library says of accepted calls.
    has_debug_layer: bool,
    /// What DebugDevice set.
    debug: debug_device::DebugState,
    /// Its live objects, where it is watched.
    live: Option<live::LiveObjects>,
    /// Who is to be told to trim.
    trims: trim::Registered,
    /// The bug that removed it.
    panicked: OnceLock<String>,
    membership: Membership,
    /// The last field: the trace ends when all else of the device has gone.
    #[expect(dead_code, reason = "it is there to be dropped")]
    recording: Option<Recording>,
}

class!(Device, ID3D12Device15Vtbl, "ID3D12Device", {
    fn face(this: &Object<Device>, iid: &GUID) -> Option<NonNull<c_void>> {
        faces!(
            Device,
            this,
            iid,
            [
                ID3D12InfoQueue1Vtbl,
                ID3D12DebugDevice2Vtbl,
                ID3D12DebugDevice1Vtbl,
                ID3D12DeviceRemovedExtendedData2Vtbl,
                ID3D12DeviceToolsVtbl,
                ID3D12DeviceConfiguration1Vtbl,
                ID3D12CompatibilityDeviceVtbl,
            ]
        )
    }

    fn released(this: &Object<Device>) {
        live::forget(this);
        trim::unregister_all(this);
        this.entry.forget(this);
        this.entry.leave(this.membership);
    }
});

/// The device of an object: itself, or its own.
#[must_use]
pub fn of<T: Class>(object: &Object<T>) -> Option<&Object<Device>> {
    if let Some(device) = object.header().device() {
        return Some(device);
    }
    if !core::ptr::eq(T::info(), Device::info()) {
        return None;
    }
    // SAFETY: only objects of the class have its description.
    Some(unsafe { &*core::ptr::from_ref(object).cast::<Object<Device>>() })
}

impl Device {
    /// A new device.
    ///
    /// # Errors
    /// Why the library cannot build it.
    pub fn create(
        entry: &'static AdapterEntry,
        settings: &DeviceSettings,
        convention: Convention,
    ) -> Result<Held<Device>, Failure> {
        let recording = match &settings.record {
            Some(path) => Some(Recording::begin(path, &entry.adapter.profile().name, settings.sdk).map_err(
                |error| {
                    eprintln!("heapstone: no trace can be written to {}: {error}", path.display());
                    Failure::Argument("the trace's file cannot be written")
                },
            )?),
            None => None,
        };
        let messages = Arc::new(Messages::new(settings.debug));
        let ranges = global().reserved_ranges.lock().clone();
        let mut builder = heapstone::Device::builder().adapter(&entry.adapter).reserve_gpu_va_ranges(&ranges);
        let has_debug_layer = global().has_debug_layer();
        let layer = has_debug_layer.then(|| Arc::clone(&messages));
        let is_watched = has_debug_layer || settings.debug > DebugLevel::Off || settings.live_objects;
        if let Some(observer) = observer(recording.as_ref(), layer) {
            builder = builder.observer(observer);
        }
        let runtime = builder.sdk(settings.sdk).gpu_mode(settings.gpu_mode).build()?;
        let membership = entry.enter(&runtime);
        let device = Device {
            runtime,
            entry,
            membership,
            messages,
            has_debug_layer,
            debug: debug_device::DebugState::default(),
            live: is_watched.then(live::LiveObjects::default),
            trims: trim::Registered::default(),
            panicked: OnceLock::new(),
            recording,
        };
        let device = Object::create(device, None, convention);
        if settings.live_objects {
            live::tell_at_exit(&device);
        }
        Ok(device)
    }

    /// Its live objects, where it is watched.
    #[inline]
    pub(crate) fn live_objects(&self) -> Option<&live::LiveObjects> {
        self.live.as_ref()
    }

    /// What the caller gets for a failure, which is reported.
    #[cold]
    pub fn fail(&self, failure: &Failure) -> HRESULT {
        let id =
            failure.violation().and_then(|violation| violation.message).map_or(0, |message| message.number);
        self.say(Category::StateCreation, Severity::Error, id, failure.to_string());
        failure.code()
    }

    /// The result, or what the caller gets; see [`Device::fail`].
    ///
    /// # Errors
    /// What the caller gets.
    #[inline]
    pub fn attempt<R>(&self, call: impl FnOnce() -> Result<R, Failure>) -> Result<R, HRESULT> {
        call().map_err(|failure| self.fail(&failure))
    }

    /// S_OK, or what the caller gets; see [`Device::fail`].
    #[inline]
    pub fn done(&self, call: impl FnOnce() -> Result<(), Failure>) -> HRESULT {
        match call() {
            Ok(()) => S_OK,
            Err(failure) => self.fail(&failure),
        }
    }

    /// Reports the failure of a call that returns nothing.
    #[cold]
    pub fn report(&self, error: Error) {
        let _ = self.fail(&Failure::Error(error));
    }

    /// Adds a message.
    pub fn say(&self, category: Category, severity: Severity, id: u32, text: String) {
        self.messages.add(Message { category: category as u32, severity: severity as u32, id, text });
    }

    /// Reports `method`, the first time.
    #[cold]
    pub fn report_once(&self, method: &'static str, what: &str) {
        if self.messages.is_first(method) {
            self.say(Category::Miscellaneous, Severity::Warning, 0, format!("{method} {what}"));
        }
    }

    /// A bug of ours: the device is removed, and says why.
    #[cold]
    pub fn removed_by_panic(&self, message: &str) {
        let _ = self.panicked.set(message.to_owned());
        self.runtime.remove();
        let text = format!("the device is removed because of a bug of this library: {message}");
        self.say(Category::Miscellaneous, Severity::Corruption, 0, text);
    }

    /// What GetDeviceRemovedReason answers.
    pub fn removed_code(&self) -> HRESULT {
        match self.runtime.removed_reason() {
            None => S_OK,
            Some(_) if self.panicked.get().is_some() => DXGI_ERROR_DRIVER_INTERNAL_ERROR,
            Some(reason) => removal_code(reason),
        }
    }
}
