//! What few objects have: private data, names, callbacks when they die.

use core::ffi::c_void;
use core::ptr::{self, NonNull};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;

use super::client::{Reference, query_interface};
use super::face::FaceCell;
use super::object::{Convention, Header, release};
use super::text;
use crate::types::{
    DXGI_ERROR_MORE_DATA, DXGI_ERROR_NOT_FOUND, E_INVALIDARG, E_POINTER, GUID, HRESULT,
    PFN_DESTRUCTION_CALLBACK, S_OK,
};
use crate::vtables::ID3DDestructionNotifierVtbl;

/// WKPDID_D3DDebugObjectNameW: where SetName puts the name (D3D12's public headers).
pub(crate) const DEBUG_OBJECT_NAME_W: GUID = GUID::parse("4cca5fd8-921f-42c8-8566-70caf2a9b741");
/// WKPDID_D3DDebugObjectName: the same in bytes, which clients set themselves.
pub(crate) const DEBUG_OBJECT_NAME: GUID = GUID::parse("429b8c22-9188-4b0c-8742-acb0bf85c200");

/// See the module.
pub(super) struct Rare {
    data: Mutex<BTreeMap<GUID, Data>>,
    notifier: FaceCell,
    callbacks: Mutex<Callbacks>,
    /// Further interfaces, with their vtables: made when first asked for, and there as long as the object.
    faces: Mutex<Vec<(usize, Box<FaceCell>)>>,
    /// Who is told whether clients have references; set once.
    watcher: OnceLock<Weak<dyn Watcher>>,
}

/// Who is told that clients' last reference to an object is gone, or that they have one again: under no lock, while the
/// object is whole.
pub(crate) trait Watcher: Send + Sync {
    /// Whether clients have references now.
    fn use_changed(&self, is_in_use: bool);
}

enum Data {
    Bytes(Box<[u8]>),
    Interface(Arc<Reference>),
}

#[derive(Default)]
struct Callbacks {
    last_id: u32,
    registered: BTreeMap<u32, Callback>,
}

struct Callback {
    function: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
}

// SAFETY: the client's word that it may be called by whichever thread lets go of the object.
unsafe impl Send for Callback {}

impl Rare {
    pub(super) fn new(owner: &Header) -> Rare {
        let notifier = FaceCell::new();
        let vtable = ptr::from_ref(&NOTIFIER).cast();
        // SAFETY: nobody has the interface yet; the vtable's functions take any owner.
        unsafe { notifier.attach(owner, [vtable, vtable]) };
        Rare {
            data: Mutex::default(),
            notifier,
            callbacks: Mutex::default(),
            faces: Mutex::default(),
            watcher: OnceLock::new(),
        }
    }

    /// Who is told from now on; the first stays.
    pub(super) fn watch(&self, watcher: Weak<dyn Watcher>) {
        let _ = self.watcher.set(watcher);
    }

    pub(super) fn use_changed(&self, is_in_use: bool) {
        if let Some(watcher) = self.watcher.get().and_then(Weak::upgrade) {
            watcher.use_changed(is_in_use);
        }
    }

    pub(super) fn notifier(&self) -> NonNull<c_void> {
        self.notifier.interface()
    }

    /// The interface of `owner` with that vtable.
    ///
    /// # Safety
    /// `vtables` are made for [`FaceCell`] and the owner's class.
    pub(super) unsafe fn face(&self, owner: &Header, vtables: [*const c_void; 2]) -> NonNull<c_void> {
        let vtable = vtables[owner.convention() as usize] as usize;
        let mut faces = self.faces.lock();
        if let Some((_, face)) = faces.iter().find(|(known, _)| *known == vtable) {
            return face.interface();
        }
        let face = Box::new(FaceCell::new());
        // SAFETY: nobody has the interface yet; the rest is the caller's promise.
        unsafe { face.attach(owner, vtables) };
        let interface = face.interface();
        faces.push((vtable, face));
        interface
    }

    /// The object is gone: tells who wanted to know, in the order of registration, and lets go of the data.
    pub(super) fn destroyed(self) {
        let Rare { callbacks, data, .. } = self;
        for callback in callbacks.into_inner().registered.into_values() {
            // SAFETY: the client registered it for this.
            unsafe { (callback.function)(callback.data) };
        }
        drop(data);
    }

    /// SetPrivateData; no bytes take what is there away.
    pub(super) fn set(&self, name: GUID, bytes: Option<&[u8]>) {
        let before = match bytes {
            Some(bytes) => self.data.lock().insert(name, Data::Bytes(bytes.into())),
            None => self.data.lock().remove(&name),
        };
        // Outside the lock: it may call the client.
        drop(before);
    }

    /// SetPrivateDataInterface.
    ///
    /// # Safety
    /// `interface` is NULL or points to a live COM object.
    pub(super) unsafe fn set_interface(&self, name: GUID, interface: *mut c_void) {
        // SAFETY: the caller's promise.
        let before = match unsafe { Reference::of(interface) } {
            Some(reference) => self.data.lock().insert(name, Data::Interface(Arc::new(reference))),
            None => self.data.lock().remove(&name),
        };
        drop(before);
    }

    /// GetPrivateData.
    ///
    /// # Safety
    /// `size` and `out` are NULL or point to what they should; `out` to as many bytes as `size` says.
    pub(super) unsafe fn get(&self, name: &GUID, size: *mut u32, out: *mut c_void) -> HRESULT {
        if size.is_null() {
            return E_INVALIDARG;
        }
        // SAFETY: the caller's promise.
        let room = unsafe { size.read() };
        let data = self.data.lock();
        let pointer;
        let (bytes, interface): (&[u8], _) = match data.get(name) {
            None => {
                // SAFETY: the caller's promise.
                unsafe { size.write(0) };
                return DXGI_ERROR_NOT_FOUND;
            }
            Some(Data::Bytes(bytes)) => (bytes, None),
            Some(Data::Interface(reference)) => {
                pointer = (reference.as_ptr() as usize).to_ne_bytes();
                (&pointer, Some(Arc::clone(reference)))
            }
        };
        let length =
            u32::try_from(bytes.len()).expect("invariant: private data was set with 32 bits of size");
        // SAFETY: the caller's promise.
        unsafe { size.write(length) };
        if out.is_null() {
            return S_OK;
        }
        if room < length {
            return DXGI_ERROR_MORE_DATA;
        }
        // SAFETY: there is room, as was checked.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast(), bytes.len()) };
        // Outside the lock: AddRef, and Release where the data was taken away meanwhile, are the client's code.
        drop(data);
        if let Some(reference) = interface {
            reference.add_one();
        }
        S_OK
    }

    /// What SetName said, or WKPDID_D3DDebugObjectName.
    pub(super) fn name(&self, convention: Convention) -> Option<String> {
        let data = self.data.lock();
        let bytes = |name| match data.get(name) {
            Some(Data::Bytes(bytes)) if !bytes.is_empty() => Some(bytes),
            _ => None,
        };
        if let Some(wide) = bytes(&DEBUG_OBJECT_NAME_W) {
            return Some(text::from_wide_bytes(wide, convention));
        }
        let narrow = bytes(&DEBUG_OBJECT_NAME)?;
        Some(String::from_utf8_lossy(narrow).trim_end_matches('\0').to_owned())
    }

    fn register(&self, callback: Callback) -> u32 {
        let mut callbacks = self.callbacks.lock();
        callbacks.last_id += 1;
        let id = callbacks.last_id;
        callbacks.registered.insert(id, callback);
        id
    }

    fn unregister(&self, id: u32) -> HRESULT {
        if self.callbacks.lock().registered.remove(&id).is_some() { S_OK } else { DXGI_ERROR_NOT_FOUND }
    }
}

/// ID3DDestructionNotifier, of objects of any class.
static NOTIFIER: ID3DDestructionNotifierVtbl = ID3DDestructionNotifierVtbl {
    QueryInterface: notifier_query_interface,
    AddRef: notifier_add_ref,
    Release: notifier_release,
    RegisterDestructionCallback: register_destruction_callback,
    UnregisterDestructionCallback: unregister_destruction_callback,
};

unsafe extern "C" fn notifier_query_interface(
    this: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: `this` is the notifier of a live object, and the arguments are the client's.
    unsafe { query_interface(FaceCell::owner(this), iid, out) }
}

unsafe extern "C" fn notifier_add_ref(this: *mut c_void) -> u32 {
    // SAFETY: `this` is the notifier of a live object.
    unsafe { &*FaceCell::owner(this) }.add_public()
}

unsafe extern "C" fn notifier_release(this: *mut c_void) -> u32 {
    // SAFETY: `this` is the notifier of a live object, of which the client has a reference.
    unsafe { release(FaceCell::owner(this)) }
}

unsafe extern "C" fn register_destruction_callback(
    this: *mut c_void,
    function: PFN_DESTRUCTION_CALLBACK,
    data: *mut c_void,
    id: *mut u32,
) -> HRESULT {
    let Some(function) = function else { return E_INVALIDARG };
    if id.is_null() {
        return E_POINTER;
    }
    // SAFETY: `this` is the notifier of a live object.
    let registered = unsafe { &*FaceCell::owner(this) }.rare().register(Callback { function, data });
    // SAFETY: the client's place for it.
    unsafe { id.write(registered) };
    S_OK
}

unsafe extern "C" fn unregister_destruction_callback(this: *mut c_void, id: u32) -> HRESULT {
    // SAFETY: `this` is the notifier of a live object.
    unsafe { &*FaceCell::owner(this) }.rare().unregister(id)
}
