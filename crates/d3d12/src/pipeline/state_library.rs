//! ID3D12PipelineLibrary 0 and 1: names of pipeline states, for as long as the library is there.

use core::ffi::c_void;
use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::state::PipelineState;
use crate::com::{Held, Kept, Object, class, deliver, from_client, query_interface, text};
use crate::device::Device;
use crate::failure::Failure;
use crate::types::{
    D3D12_COMPUTE_PIPELINE_STATE_DESC, D3D12_PIPELINE_STATE_STREAM_DESC, E_INVALIDARG, GUID, HRESULT, S_OK,
};
use crate::vtables::ID3D12PipelineLibrary1;

/// A pipeline library.
pub struct PipelineLibrary {
    states: Mutex<BTreeMap<String, Kept<PipelineState>>>,
}

class!(PipelineLibrary, ID3D12PipelineLibrary1Vtbl, "ID3D12PipelineLibrary");

/// What an empty library is serialized to: nothing that was compiled is in it.
const SERIALIZED: &[u8] = b"heapstone pipeline library";

/// ID3D12Device1::CreatePipelineLibrary: of no bytes, or of those that a library was serialized to.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    blob: *const c_void,
    length: usize,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<PipelineLibrary>, Failure> {
        if length > 0 {
            if blob.is_null() {
                return Err(Failure::Argument("pLibraryBlob is NULL"));
            }
            // SAFETY: the client gives as many bytes as it says.
            let bytes = unsafe { core::slice::from_raw_parts(blob.cast::<u8>(), length) };
            if bytes != SERIALIZED {
                return Err(Failure::Argument("pLibraryBlob is no library of this driver"));
            }
        }
        let library = PipelineLibrary { states: Mutex::default() };
        Ok(Object::create(library, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// The state of that name; E_INVALIDARG where there is none.
unsafe fn load(
    this: &Object<PipelineLibrary>,
    name: *const c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    unsafe {
        if !out.is_null() {
            out.write(core::ptr::null_mut());
        }
        let Some(name) = text::wide(name, this.convention()) else { return E_INVALIDARG };
        let states = this.states.lock();
        match states.get(&name) {
            Some(state) => query_interface(state.header(), iid, out),
            None => E_INVALIDARG,
        }
    }
}

impl ID3D12PipelineLibrary1 for PipelineLibrary {
    unsafe fn StorePipeline(this: &Object<Self>, name: *const c_void, state: *mut c_void) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the arguments are the client's.
            let (name, state) =
                unsafe { (text::wide(name, this.convention()), from_client::<PipelineState>(state)) };
            let (Some(name), Some(state)) = (name, state) else {
                return Err(Failure::Argument("a name and a pipeline state are needed"));
            };
            let mut states = this.states.lock();
            if states.contains_key(&name) {
                return Err(Failure::Argument("pName: the library has a pipeline of that name"));
            }
            states.insert(name, Kept::of(state));
            Ok(())
        })
    }

    unsafe fn LoadGraphicsPipeline(
        this: &Object<Self>,
        name: *const c_void,
        _desc: *const c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { load(this, name, iid, out) }
    }

    unsafe fn LoadComputePipeline(
        this: &Object<Self>,
        name: *const c_void,
        _desc: *const D3D12_COMPUTE_PIPELINE_STATE_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { load(this, name, iid, out) }
    }

    unsafe fn GetSerializedSize(_this: &Object<Self>) -> usize {
        SERIALIZED.len()
    }

    unsafe fn Serialize(_this: &Object<Self>, data: *mut c_void, length: usize) -> HRESULT {
        if data.is_null() || length < SERIALIZED.len() {
            return E_INVALIDARG;
        }
        // SAFETY: the client gives as many bytes as it says.
        unsafe { core::ptr::copy_nonoverlapping(SERIALIZED.as_ptr(), data.cast(), SERIALIZED.len()) };
        S_OK
    }

    unsafe fn LoadPipeline(
        this: &Object<Self>,
        name: *const c_void,
        _desc: *const D3D12_PIPELINE_STATE_STREAM_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { load(this, name, iid, out) }
    }
}
