//! Heaps and resources: CreateHeap 0 and 1, CreateCommittedResource 0 to 3, CreatePlacedResource 0 to 2,
//! CreateReservedResource 0 to 2.

use core::ffi::c_void;
use core::ptr;

use heapstone::{
    ClearValue, CommittedResourceDesc, Format, HeapFlags, InitialState, PlacedResourceDesc,
    ReservedResourceDesc, ResourceDesc, ResourceStates,
};

use super::Device;
use crate::com::{Held, Object, deliver, from_client};
use crate::convert::{self, AnyResourceDesc};
use crate::failure::Failure;
use crate::heap::Heap;
use crate::protected_session;
use crate::resource::Resource;
use crate::types::{D3D12_CLEAR_VALUE, D3D12_HEAP_DESC, D3D12_HEAP_PROPERTIES, DXGI_FORMAT, GUID, HRESULT};

/// What a resource begins with, as a client gives it.
pub(super) struct Begins {
    initial: Given,
    clear_value: *const D3D12_CLEAR_VALUE,
    castable_count: u32,
    castable_formats: *const DXGI_FORMAT,
    session: *mut c_void,
}

enum Given {
    State(u32),
    Layout(u32),
}

impl Begins {
    #[inline]
    pub(super) fn in_state(state: u32, clear_value: *const D3D12_CLEAR_VALUE) -> Begins {
        Begins {
            initial: Given::State(state),
            clear_value,
            castable_count: 0,
            castable_formats: ptr::null(),
            session: ptr::null_mut(),
        }
    }

    pub(super) fn in_layout(
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
    ) -> Begins {
        Begins {
            initial: Given::Layout(layout),
            clear_value,
            castable_count,
            castable_formats,
            session: ptr::null_mut(),
        }
    }

    pub(super) fn protected_by(self, session: *mut c_void) -> Begins {
        Begins { session, ..self }
    }

    #[inline]
    fn initial(&self) -> Result<InitialState, Failure> {
        Ok(match self.initial {
            Given::State(state) => InitialState::State(ResourceStates::from_bits_retain(state)),
            Given::Layout(layout) => InitialState::Layout(convert::barrier_layout(layout, "InitialLayout")?),
        })
    }

    #[inline]
    unsafe fn clear_value(&self, desc: &ResourceDesc) -> Result<Option<ClearValue>, Failure> {
        // SAFETY: the pointer is the client's.
        match unsafe { self.clear_value.as_ref() } {
            Some(given) => Ok(Some(convert::clear_value(given, desc)?)),
            None => Ok(None),
        }
    }

    #[inline]
    unsafe fn castable_formats(&self) -> Result<Vec<Format>, Failure> {
        if self.castable_count == 0 {
            return Ok(Vec::new());
        }
        let field = "pCastableFormats is NULL";
        // SAFETY: the pointer is the client's.
        let given = unsafe { convert::slice(self.castable_formats, self.castable_count, field) }?;
        given.iter().map(|format| Ok(convert::format(*format)?)).collect()
    }

    unsafe fn check_session(&self, device: &Object<Device>) -> Result<(), Failure> {
        // SAFETY: the pointer is the client's.
        unsafe { protected_session::check(device, self.session) }
    }
}

#[inline(always)]
unsafe fn described<D: AnyResourceDesc>(desc: *const D) -> Result<ResourceDesc, Failure> {
    // SAFETY: the pointer is the client's.
    let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
    Ok(desc.convert()?)
}

pub(super) unsafe fn heap(
    this: &Object<Device>,
    desc: *const D3D12_HEAP_DESC,
    session: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || {
        // SAFETY: the pointer is the client's.
        let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
        // SAFETY: as above.
        unsafe { protected_session::check(this, session) }?;
        Ok(Heap::create(this, this.runtime.create_heap(&convert::heap_desc(desc)?)?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

pub(super) unsafe fn committed<D: AnyResourceDesc>(
    this: &Object<Device>,
    properties: *const D3D12_HEAP_PROPERTIES,
    heap_flags: u32,
    desc: *const D,
    begins: &Begins,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    let create = || unsafe { new_committed(this, properties, heap_flags, desc, begins) };
    // SAFETY: as above.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

#[inline(always)]
pub(super) unsafe fn new_committed<D: AnyResourceDesc>(
    this: &Object<Device>,
    properties: *const D3D12_HEAP_PROPERTIES,
    heap_flags: u32,
    desc: *const D,
    begins: &Begins,
) -> Result<Held<Resource>, Failure> {
    // SAFETY: the pointer is the client's.
    let properties = unsafe { properties.as_ref() }.ok_or(Failure::Argument("pHeapProperties is NULL"))?;
    // SAFETY: as above.
    let resource = unsafe { described(desc) }?;
    // SAFETY: as above.
    unsafe { begins.check_session(this) }?;
    // SAFETY: as above.
    let castable_formats = unsafe { begins.castable_formats() }?;
    let desc = CommittedResourceDesc {
        heap_properties: convert::heap_properties(properties)?,
        heap_flags: HeapFlags::from_bits_retain(heap_flags),
        resource,
        initial: begins.initial()?,
        // SAFETY: as above.
        clear_value: unsafe { begins.clear_value(&resource) }?,
        castable_formats: &castable_formats,
    };
    Ok(Resource::create(this, this.runtime.create_committed_resource(&desc)?))
}

#[inline]
pub(super) unsafe fn placed<D: AnyResourceDesc>(
    this: &Object<Device>,
    heap: *mut c_void,
    offset: u64,
    desc: *const D,
    begins: &Begins,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || {
        // SAFETY: the pointer is the client's.
        let heap = unsafe { from_client::<Heap>(heap) }.ok_or(Failure::Argument("pHeap is no heap"))?;
        // SAFETY: as above.
        let resource = unsafe { described(desc) }?;
        // SAFETY: as above.
        let castable_formats = unsafe { begins.castable_formats() }?;
        let desc = PlacedResourceDesc {
            resource,
            initial: begins.initial()?,
            // SAFETY: as above.
            clear_value: unsafe { begins.clear_value(&resource) }?,
            castable_formats: &castable_formats,
        };
        Ok(Resource::create(this, this.runtime.create_placed_resource(&heap.runtime, offset, &desc)?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

pub(super) unsafe fn reserved<D: AnyResourceDesc>(
    this: &Object<Device>,
    desc: *const D,
    begins: &Begins,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || {
        // SAFETY: the pointer is the client's.
        let resource = unsafe { described(desc) }?;
        // SAFETY: as above.
        unsafe { begins.check_session(this) }?;
        // SAFETY: as above.
        let castable_formats = unsafe { begins.castable_formats() }?;
        let desc = ReservedResourceDesc {
            resource,
            initial: begins.initial()?,
            // SAFETY: as above.
            clear_value: unsafe { begins.clear_value(&resource) }?,
            castable_formats: &castable_formats,
        };
        Ok(Resource::create(this, this.runtime.create_reserved_resource(&desc)?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}
