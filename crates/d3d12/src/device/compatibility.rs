//! ID3D12CompatibilityDevice: shared resources and heaps, as layers for older APIs make them.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;

use heapstone::HeapFlags;

use super::{Device, create};
use crate::com::{Object, deliver};
use crate::failure::{Failure, Unknown};
use crate::heap::Heap;
use crate::lifetime;
use crate::types::{
    D3D12_CLEAR_VALUE, D3D12_HEAP_DESC, D3D12_HEAP_FLAGS, D3D12_HEAP_PROPERTIES, D3D12_RESOURCE_DESC, GUID,
    HRESULT, S_OK,
};
use crate::vtables::ID3D12CompatibilityDevice;

/// D3D12_COMPATIBILITY_SHARED_FLAGS: handles that are no NT handles, keyed mutexes, D3D9 on 12.
const NON_NT_HANDLE: u32 = 1;
const KEYED_MUTEX: u32 = 2;
const NINE_ON_12: u32 = 4;

/// What older APIs would do with a handle changes nothing here; there is no keyed mutex.
fn check_flags(flags: u32) -> Result<(), Failure> {
    if flags & KEYED_MUTEX != 0 {
        return Err(Failure::Argument("CompatibilityFlags has KEYED_MUTEX, which there is none of"));
    }
    if flags & !(NON_NT_HANDLE | NINE_ON_12) != 0 {
        return Err(Unknown { field: "CompatibilityFlags", given: u64::from(flags) }.into());
    }
    Ok(())
}

impl ID3D12CompatibilityDevice for Device {
    /// A committed resource with SHARED, which the tracker keeps, where there is one. `flags11` change nothing here.
    unsafe fn CreateSharedResource(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: D3D12_HEAP_FLAGS,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        _flags11: *const c_void,
        compatibility_flags: u32,
        tracker: *mut c_void,
        swap_chain: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let owned = Cell::new(None);
        let create = || {
            check_flags(compatibility_flags)?;
            // SAFETY: the pointer is the client's.
            let tracker = unsafe { lifetime::of_client(this, tracker) }?;
            if !swap_chain.is_null() {
                return Err(Failure::Argument("pOwningSwapchain: there are no swap chains"));
            }
            let flags = heap_flags | HeapFlags::SHARED.bits();
            let begins = create::Begins::in_state(state, clear_value);
            // SAFETY: the arguments are the client's.
            let resource = unsafe { create::new_committed(this, properties, flags, desc, &begins) }?;
            owned.set(tracker.map(|tracker| (tracker, ptr::from_ref(&*resource))));
            Ok(resource)
        };
        // SAFETY: as above.
        let result = unsafe { deliver(iid, out, || this.attempt(create)) };
        if let (S_OK, Some((tracker, resource))) = (result, owned.get()) {
            // SAFETY: the client has a reference to it now.
            lifetime::keep(tracker, unsafe { &*resource });
        }
        result
    }

    /// A heap with SHARED.
    unsafe fn CreateSharedHeap(
        this: &Object<Self>,
        desc: *const D3D12_HEAP_DESC,
        compatibility_flags: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        if let Err(result) = this.attempt(|| check_flags(compatibility_flags)) {
            // SAFETY: the arguments are the client's.
            return unsafe { deliver::<Heap>(iid, out, || Err(result)) };
        }
        // SAFETY: the pointer is the client's.
        let shared = unsafe { desc.as_ref() }.map(|desc| {
            let mut shared = *desc;
            shared.Flags |= HeapFlags::SHARED.bits();
            shared
        });
        let desc = shared.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: the arguments are the client's.
        unsafe { create::heap(this, desc, ptr::null_mut(), iid, out) }
    }
}
