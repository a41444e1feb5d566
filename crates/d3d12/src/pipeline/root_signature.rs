//! ID3D12RootSignature, its serialization and its deserializers.

use core::ffi::c_void;
use core::ptr;
use std::sync::OnceLock;

use super::blob;
use super::root_signature_desc::{self, OwnedDesc};
use super::signature_bytes::{self, RootSignatureData};
use crate::com::{Convention, Held, Object, class, deliver};
use crate::device::Device;
use crate::entry::border;
use crate::failure::Failure;
use crate::types::{
    D3D12_ROOT_SIGNATURE_DESC, D3D12_VERSIONED_ROOT_SIGNATURE_DESC, E_INVALIDARG, E_NOTIMPL, E_POINTER, GUID,
    HRESULT, S_OK,
};
use crate::vtables::{
    ID3D12RootSignature, ID3D12RootSignatureDeserializer, ID3D12VersionedRootSignatureDeserializer,
};

/// A root signature: its bytes are kept.
pub struct RootSignature {
    /// The container.
    pub blob: Box<[u8]>,
}

class!(RootSignature, ID3D12RootSignatureVtbl, "ID3D12RootSignature");

impl ID3D12RootSignature for RootSignature {}

unsafe fn bytes<'a>(blob: *const c_void, length: usize) -> Result<&'a [u8], Failure> {
    if blob.is_null() || length == 0 {
        return Err(Failure::Argument("the blob is NULL or empty"));
    }
    // SAFETY: the client gives as many bytes as it says.
    Ok(unsafe { core::slice::from_raw_parts(blob.cast(), length) })
}

/// ID3D12Device::CreateRootSignature: of a container that has one, as a shader's may.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    blob: *const c_void,
    length: usize,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<RootSignature>, Failure> {
        // SAFETY: the arguments are the client's.
        let bytes = unsafe { bytes(blob, length) }?;
        signature_bytes::parse(bytes).ok_or(Failure::Argument("the blob holds no root signature"))?;
        Ok(Object::create(RootSignature { blob: bytes.into() }, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// D3D12SerializeRootSignature: version 1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12SerializeRootSignature(
    desc: *const D3D12_ROOT_SIGNATURE_DESC,
    version: u32,
    out: *mut *mut c_void,
    error: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { serialize(desc, if version == 1 { 1 } else { 0 }, out, error) }))
}

/// D3D12SerializeVersionedRootSignature.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12SerializeVersionedRootSignature(
    desc: *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC,
    out: *mut *mut c_void,
    error: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { serialize_versioned(desc, out, error) }))
}

pub(crate) unsafe fn serialize_versioned(
    desc: *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC,
    out: *mut *mut c_void,
    error: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    unsafe {
        match desc.as_ref() {
            Some(versioned) => serialize(&raw const versioned.Desc, versioned.Version, out, error),
            None => serialize(ptr::null(), 0, out, error),
        }
    }
}

/// A blob of the root signature, or of why there is none.
unsafe fn serialize(
    desc: *const D3D12_ROOT_SIGNATURE_DESC,
    version: u32,
    out: *mut *mut c_void,
    error: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    unsafe {
        for place in [out, error] {
            if !place.is_null() {
                place.write(ptr::null_mut());
            }
        }
        let read = desc
            .as_ref()
            .ok_or(Failure::Argument("the root signature's description is NULL"))
            .and_then(|desc| root_signature_desc::read(desc, version));
        match read {
            Ok(data) if out.is_null() => {
                drop(data);
                E_INVALIDARG
            }
            Ok(data) => blob::hand_out(signature_bytes::serialize(&data), out),
            Err(failure) => {
                if !error.is_null() {
                    let mut text = failure.to_string().into_bytes();
                    text.push(0);
                    let _ = blob::hand_out(text, error);
                }
                failure.code()
            }
        }
    }
}

/// What a deserializer read.
pub struct Deserializer {
    data: RootSignatureData,
    /// In the version it came in, and as 1.0, 1.1 and 1.2 describe it.
    versions: [OnceLock<OwnedDesc>; 3],
}

impl Deserializer {
    fn new(bytes: &[u8]) -> Result<Deserializer, Failure> {
        let data =
            signature_bytes::parse(bytes).ok_or(Failure::Argument("the blob holds no root signature"))?;
        Ok(Deserializer { data, versions: [const { OnceLock::new() }; 3] })
    }

    fn at(&self, version: u32) -> Option<&OwnedDesc> {
        let index = usize::try_from(version.checked_sub(1)?).ok()?;
        Some(self.versions.get(index)?.get_or_init(|| OwnedDesc::new(&self.data, version)))
    }
}

/// ID3D12RootSignatureDeserializer.
pub struct RootSignatureDeserializer(Deserializer);

class!(RootSignatureDeserializer, ID3D12RootSignatureDeserializerVtbl, "ID3D12RootSignatureDeserializer");

impl ID3D12RootSignatureDeserializer for RootSignatureDeserializer {
    unsafe fn GetRootSignatureDesc(this: &Object<Self>) -> *const D3D12_ROOT_SIGNATURE_DESC {
        this.0.at(1).map_or(ptr::null(), OwnedDesc::unversioned)
    }
}

/// ID3D12VersionedRootSignatureDeserializer.
pub struct VersionedDeserializer(Deserializer);

class!(
    VersionedDeserializer,
    ID3D12VersionedRootSignatureDeserializerVtbl,
    "ID3D12VersionedRootSignatureDeserializer"
);

impl ID3D12VersionedRootSignatureDeserializer for VersionedDeserializer {
    unsafe fn GetRootSignatureDescAtVersion(
        this: &Object<Self>,
        version: u32,
        out: *mut *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC,
    ) -> HRESULT {
        if out.is_null() {
            return E_POINTER;
        }
        let Some(desc) = this.0.at(version) else { return E_INVALIDARG };
        // SAFETY: the client's place for it.
        unsafe { out.write(desc.desc()) };
        S_OK
    }

    unsafe fn GetUnconvertedRootSignatureDesc(
        this: &Object<Self>,
    ) -> *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC {
        this.0.at(this.0.data.version).map_or(ptr::null(), OwnedDesc::desc)
    }
}

/// D3D12CreateRootSignatureDeserializer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12CreateRootSignatureDeserializer(
    blob: *const c_void,
    length: usize,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    border(|| {
        let create = || {
            // SAFETY: the arguments are the client's.
            let read = unsafe { bytes(blob, length) }.and_then(Deserializer::new);
            let body = RootSignatureDeserializer(read.map_err(|failure| failure.code())?);
            Ok(Object::create(body, None, Convention::Linux))
        };
        // SAFETY: the arguments are the client's.
        Ok(unsafe { deliver(iid, out, create) })
    })
}

/// D3D12CreateVersionedRootSignatureDeserializer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12CreateVersionedRootSignatureDeserializer(
    blob: *const c_void,
    length: usize,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: the arguments are the client's.
    border(|| Ok(unsafe { create_versioned_deserializer(blob, length, iid, out) }))
}

pub(crate) unsafe fn create_versioned_deserializer(
    blob: *const c_void,
    length: usize,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || {
        // SAFETY: the arguments are the client's.
        let read = unsafe { bytes(blob, length) }.and_then(Deserializer::new);
        let body = VersionedDeserializer(read.map_err(|failure| failure.code())?);
        Ok(Object::create(body, None, Convention::Linux))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, create) }
}

/// D3D12CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary: libraries of shaders are not read here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn D3D12CreateVersionedRootSignatureDeserializerFromSubobjectInLibrary(
    _library: *const c_void,
    _length: usize,
    _subobject: *const c_void,
    _iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    if !out.is_null() {
        // SAFETY: the client's place for the pointer.
        unsafe { out.write(ptr::null_mut()) };
    }
    E_NOTIMPL
}
