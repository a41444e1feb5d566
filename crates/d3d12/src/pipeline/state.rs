//! ID3D12PipelineState 0 and 1, ID3D12CommandSignature.

use core::ffi::c_void;

use super::blob;
use super::root_signature::RootSignature;
use crate::com::{Held, Kept, Object, class, deliver, from_client, query_interface};
use crate::device::Device;
use crate::failure::Failure;
use crate::types::{D3D12_COMMAND_SIGNATURE_DESC, D3D12_PIPELINE_STATE_STREAM_DESC, GUID, HRESULT};
use crate::vtables::{ID3D12CommandSignature, ID3D12PipelineState1};

/// A pipeline state: it knows its root signature.
pub struct PipelineState {
    root_signature: Option<Kept<RootSignature>>,
}

class!(PipelineState, ID3D12PipelineState1Vtbl, "ID3D12PipelineState");

/// What a cached blob holds: nothing was compiled that a later run could use (chosen, so that clients which keep caches
/// have something to keep).
const CACHED: &[u8] = b"heapstone pipeline state";

impl ID3D12PipelineState1 for PipelineState {
    unsafe fn GetCachedBlob(_this: &Object<Self>, out: *mut *mut c_void) -> HRESULT {
        // SAFETY: the pointer is the client's.
        unsafe { blob::hand_out(CACHED.to_vec(), out) }
    }

    unsafe fn GetRootSignature(this: &Object<Self>, iid: *const GUID, out: *mut *mut c_void) -> HRESULT {
        match &this.root_signature {
            // SAFETY: the arguments are the client's.
            Some(signature) => unsafe { query_interface(signature.header(), iid, out) },
            // SAFETY: as above.
            None => unsafe { crate::heap::no_session(out) },
        }
    }
}

/// CreateGraphicsPipelineState and CreateComputePipelineState: both descriptions begin with the root signature, which may
/// be NULL where a shader brings its own.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    desc: *const c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<PipelineState>, Failure> {
        if desc.is_null() {
            return Err(Failure::Argument("pDesc is NULL"));
        }
        // SAFETY: the description begins with a pointer.
        let signature = unsafe { desc.cast::<*mut c_void>().read() };
        // SAFETY: the pointer is the client's.
        Ok(state(this, unsafe { kept(signature) }?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

unsafe fn kept(signature: *mut c_void) -> Result<Option<Kept<RootSignature>>, Failure> {
    if signature.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let signature = unsafe { from_client::<RootSignature>(signature) };
    Ok(Some(Kept::of(signature.ok_or(Failure::Argument("pRootSignature is no root signature"))?)))
}

fn state(this: &Object<Device>, root_signature: Option<Kept<RootSignature>>) -> Held<PipelineState> {
    Object::create(PipelineState { root_signature }, Some(this), this.convention())
}

/// ID3D12Device2::CreatePipelineState. Of the stream only the root signature is looked for, where it stands first, as all
/// clients' helpers have it: the sizes of what follows differ with the headers' version.
pub(crate) unsafe fn create_from_stream(
    this: &Object<Device>,
    desc: *const D3D12_PIPELINE_STATE_STREAM_DESC,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    /// D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE, its word, and the pointer behind it.
    const ROOT_SIGNATURE: u32 = 0;
    const SIZE: usize = 16;
    let create = || -> Result<Held<PipelineState>, Failure> {
        // SAFETY: the pointer is the client's.
        let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
        let stream = desc.pPipelineStateSubobjectStream;
        if stream.is_null() || desc.SizeInBytes < size_of::<u32>() {
            return Err(Failure::Argument("the stream is NULL or empty"));
        }
        // SAFETY: the stream has as many bytes as it says.
        let is_first = unsafe { stream.cast::<u32>().read() } == ROOT_SIGNATURE && desc.SizeInBytes >= SIZE;
        if !is_first {
            return Ok(state(this, None));
        }
        // SAFETY: as above.
        let signature = unsafe { stream.cast::<*mut c_void>().add(1).read() };
        // SAFETY: the pointer is the client's.
        Ok(state(this, unsafe { kept(signature) }?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// A command signature: nothing is executed indirectly.
pub struct CommandSignature;

class!(CommandSignature, ID3D12CommandSignatureVtbl, "ID3D12CommandSignature");

impl ID3D12CommandSignature for CommandSignature {}

/// ID3D12Device::CreateCommandSignature.
pub(crate) unsafe fn create_command_signature(
    this: &Object<Device>,
    desc: *const D3D12_COMMAND_SIGNATURE_DESC,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<CommandSignature>, Failure> {
        // SAFETY: the pointer is the client's.
        let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
        if desc.NumArgumentDescs == 0 || desc.pArgumentDescs.is_null() {
            return Err(Failure::Argument("a command signature has arguments"));
        }
        if desc.ByteStride == 0 || desc.ByteStride % 4 != 0 {
            return Err(Failure::Argument("ByteStride is a multiple of 4"));
        }
        Ok(Object::create(CommandSignature, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}
