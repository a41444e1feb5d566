//! ID3D12ProtectedResourceSession 0 and 1: there on devices whose profile has them. Nothing is encrypted.

use core::ffi::c_void;

use heapstone::spec::commands::FenceFlags;

use crate::com::{Held, Kept, Object, class, deliver, from_client, query_interface};
use crate::device::Device;
use crate::device::features::SESSION_HARDWARE_PROTECTED;
use crate::failure::{Failure, Unknown};
use crate::fence::Fence;
use crate::types::{
    D3D12_PROTECTED_RESOURCE_SESSION_DESC, D3D12_PROTECTED_RESOURCE_SESSION_DESC1, DXGI_ERROR_UNSUPPORTED,
    GUID, HRESULT,
};
use crate::vtables::ID3D12ProtectedResourceSession1;

/// A session. It stays valid: nothing ends it.
pub struct ProtectedResourceSession {
    desc: D3D12_PROTECTED_RESOURCE_SESSION_DESC1,
    status: Kept<Fence>,
}

class!(ProtectedResourceSession, ID3D12ProtectedResourceSession1Vtbl, "ID3D12ProtectedResourceSession");

/// ID3D12Device4::CreateProtectedResourceSession and its successor.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    desc: Option<D3D12_PROTECTED_RESOURCE_SESSION_DESC1>,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<ProtectedResourceSession>, Failure> {
        let desc = desc.ok_or(Failure::Argument("pDesc is NULL"))?;
        if !this.runtime.caps().protected_resource_sessions {
            return Err(DXGI_ERROR_UNSUPPORTED.into());
        }
        if desc.Flags != 0 {
            let field = "D3D12_PROTECTED_RESOURCE_SESSION_DESC.Flags";
            return Err(Unknown { field, given: u64::from(desc.Flags) }.into());
        }
        if desc.ProtectionType != SESSION_HARDWARE_PROTECTED {
            return Err(Failure::Argument("ProtectionType is none of the device's"));
        }
        crate::device::query::check_node(this, desc.NodeMask)?;
        let fence = Fence::create(this, this.runtime.create_fence(0, FenceFlags::empty())?);
        let session = ProtectedResourceSession { desc, status: Kept::of(&fence) };
        Ok(Object::create(session, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// D3D12_PROTECTED_RESOURCE_SESSION_DESC in its successor's words.
#[must_use]
pub fn desc1(given: &D3D12_PROTECTED_RESOURCE_SESSION_DESC) -> D3D12_PROTECTED_RESOURCE_SESSION_DESC1 {
    D3D12_PROTECTED_RESOURCE_SESSION_DESC1 {
        NodeMask: given.NodeMask,
        Flags: given.Flags,
        ProtectionType: SESSION_HARDWARE_PROTECTED,
    }
}

/// What creating calls take beside a description: NULL, or a session of this device.
pub(crate) unsafe fn check(this: &Object<Device>, session: *mut c_void) -> Result<(), Failure> {
    if session.is_null() {
        return Ok(());
    }
    // SAFETY: the pointer is the client's.
    let session = unsafe { from_client::<ProtectedResourceSession>(session) };
    match session {
        Some(session) if core::ptr::eq(session.device(), this) => Ok(()),
        _ => Err(Failure::Argument("pProtectedSession: no protected session of this device")),
    }
}

impl ID3D12ProtectedResourceSession1 for ProtectedResourceSession {
    unsafe fn GetStatusFence(this: &Object<Self>, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { query_interface(this.status.header(), iid, out) }
    }

    /// D3D12_PROTECTED_SESSION_STATUS_OK.
    unsafe fn GetSessionStatus(_this: &Object<Self>) -> u32 {
        0
    }

    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_PROTECTED_RESOURCE_SESSION_DESC {
        D3D12_PROTECTED_RESOURCE_SESSION_DESC { NodeMask: this.desc.NodeMask, Flags: this.desc.Flags }
    }

    unsafe fn GetDesc1(this: &Object<Self>) -> D3D12_PROTECTED_RESOURCE_SESSION_DESC1 {
        this.desc
    }
}
