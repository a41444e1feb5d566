//! ID3D12Device0 to 15.

mod create;
pub mod features;
mod query;

use core::ffi::c_void;
use std::sync::OnceLock;

use heapstone::Error;

use crate::adapters::{AdapterEntry, DeviceSettings};
use crate::com::{Class, Convention, Held, Object, class};
use crate::failure::{Failure, removal_code};
use crate::messages::{Category, Message, Messages, Severity};
use crate::types::*;
use crate::vtables::ID3D12Device15;

/// A device.
pub struct Device {
    /// The library's.
    pub runtime: heapstone::Device,
    /// What it is on.
    pub entry: &'static AdapterEntry,
    /// What there is to say of it.
    pub messages: Messages,
    /// The bug that removed it.
    panicked: OnceLock<String>,
}

class!(Device, ID3D12Device15Vtbl, "ID3D12Device", {
    fn released(this: &Object<Device>) {
        this.entry.forget(this);
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
        settings: DeviceSettings,
        convention: Convention,
    ) -> Result<Held<Device>, Failure> {
        let builder = heapstone::Device::builder().adapter(&entry.adapter);
        let runtime = builder.sdk(settings.sdk).gpu_mode(settings.gpu_mode).build()?;
        let device = Device { runtime, entry, messages: Messages::default(), panicked: OnceLock::new() };
        Ok(Object::create(device, None, convention))
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

impl ID3D12Device15 for Device {
    unsafe fn GetNodeCount(this: &Object<Self>) -> u32 {
        this.runtime.profile().memory.node_count
    }

    unsafe fn CheckFeatureSupport(
        this: &Object<Self>,
        feature: u32,
        data: *mut c_void,
        size: u32,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { features::check(this, feature, data, size) })
    }

    unsafe fn GetResourceAllocationInfo(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info(this, visible_mask, count, descs, core::ptr::null_mut()) }
    }

    unsafe fn GetResourceAllocationInfo1(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC,
        infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info(this, visible_mask, count, descs, infos) }
    }

    unsafe fn GetResourceAllocationInfo2(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC1,
        infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info(this, visible_mask, count, descs, infos) }
    }

    unsafe fn GetResourceAllocationInfo3(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC1,
        castable_counts: *const u32,
        castable_formats: *const *const DXGI_FORMAT,
        infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe {
            match query::check_castable_formats(this, count, castable_counts, castable_formats) {
                true => query::allocation_info(this, visible_mask, count, descs, infos),
                false => query::INVALID,
            }
        }
    }

    unsafe fn GetCustomHeapProperties(
        this: &Object<Self>,
        node_mask: u32,
        heap_type: u32,
    ) -> D3D12_HEAP_PROPERTIES {
        query::custom_heap_properties(this, node_mask, heap_type)
    }

    unsafe fn CreateCommittedResource(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreateHeap(
        this: &Object<Self>,
        desc: *const D3D12_HEAP_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { create::heap(this, desc, core::ptr::null_mut(), iid, out) }
    }

    unsafe fn CreatePlacedResource(
        this: &Object<Self>,
        heap: *mut c_void,
        offset: u64,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::placed(this, heap, offset, desc, &begins, iid, out) }
    }

    unsafe fn CreateReservedResource(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::reserved(this, desc, &begins, iid, out) }
    }

    unsafe fn GetDeviceRemovedReason(this: &Object<Self>) -> HRESULT {
        this.removed_code()
    }

    unsafe fn GetCopyableFootprints(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        first: u32,
        count: u32,
        base_offset: u64,
        layouts: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
        row_counts: *mut u32,
        row_sizes: *mut u64,
        total: *mut u64,
    ) {
        let outputs = query::FootprintPointers { layouts, row_counts, row_sizes, total };
        // SAFETY: the arguments are the client's.
        unsafe { query::copyable_footprints(this, desc, first, count, base_offset, &outputs) }
    }

    unsafe fn GetCopyableFootprints1(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC1,
        first: u32,
        count: u32,
        base_offset: u64,
        layouts: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
        row_counts: *mut u32,
        row_sizes: *mut u64,
        total: *mut u64,
    ) {
        let outputs = query::FootprintPointers { layouts, row_counts, row_sizes, total };
        // SAFETY: the arguments are the client's.
        unsafe { query::copyable_footprints(this, desc, first, count, base_offset, &outputs) }
    }

    unsafe fn GetResourceTiling(
        this: &Object<Self>,
        resource: *mut c_void,
        total_tiles: *mut u32,
        packed_mip: *mut D3D12_PACKED_MIP_INFO,
        tile_shape: *mut D3D12_TILE_SHAPE,
        subresource_count: *mut u32,
        first_subresource: u32,
        subresources: *mut D3D12_SUBRESOURCE_TILING,
    ) {
        let outputs =
            query::TilingPointers { total_tiles, packed_mip, tile_shape, subresource_count, subresources };
        // SAFETY: the arguments are the client's.
        unsafe { query::resource_tiling(this, resource, first_subresource, &outputs) }
    }

    unsafe fn GetAdapterLuid(this: &Object<Self>) -> LUID {
        this.entry.luid
    }

    unsafe fn CreateCommittedResource1(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value).protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreateHeap1(
        this: &Object<Self>,
        desc: *const D3D12_HEAP_DESC,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { create::heap(this, desc, session, iid, out) }
    }

    unsafe fn CreateReservedResource1(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value).protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::reserved(this, desc, &begins, iid, out) }
    }

    unsafe fn RemoveDevice(this: &Object<Self>) {
        this.runtime.remove();
    }

    unsafe fn CreateCommittedResource2(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC1,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value).protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreatePlacedResource1(
        this: &Object<Self>,
        heap: *mut c_void,
        offset: u64,
        desc: *const D3D12_RESOURCE_DESC1,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::placed(this, heap, offset, desc, &begins, iid, out) }
    }

    unsafe fn CreateCommittedResource3(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC1,
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_layout(layout, clear_value, castable_count, castable_formats);
        let begins = begins.protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreatePlacedResource2(
        this: &Object<Self>,
        heap: *mut c_void,
        offset: u64,
        desc: *const D3D12_RESOURCE_DESC1,
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_layout(layout, clear_value, castable_count, castable_formats);
        // SAFETY: the arguments are the client's.
        unsafe { create::placed(this, heap, offset, desc, &begins, iid, out) }
    }

    unsafe fn CreateReservedResource2(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_layout(layout, clear_value, castable_count, castable_formats);
        // SAFETY: the arguments are the client's.
        unsafe { create::reserved(this, desc, &begins.protected_by(session), iid, out) }
    }
}
