//! ID3D12LifetimeTracker: objects that stay when clients let go of them, until their owner destroys them.
//!
//! ```text
//!   ID3D12Device5::CreateLifetimeTracker(owner) -> tracker
//!   ID3D12CompatibilityDevice::CreateSharedResource(.., tracker, ..) -> a resource that the tracker keeps
//!
//!     in use  --(the last reference of clients goes)-->  not in use  --(DestroyOwnedObject)--> gone
//!        ^--------(somebody has a reference again)-----------'
//! ```
//! On each arrow between the states the owner's LifetimeStateUpdated is called, by the thread that did it and under no
//! lock of ours. The public documentation tells no more than what each call is for; chosen here: states are of
//! clients' references alone (work of the GPU holds what it uses anyway), what is in use is not destroyed, and a
//! tracker that goes lets go of what it keeps, without a word.

use core::ffi::c_void;
use core::ptr;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::com::{Held, Kept, Object, Reference, Watcher, class, deliver, from_client};
use crate::device::Device;
use crate::failure::Failure;
use crate::resource::Resource;
use crate::types::{GUID, HRESULT};
use crate::vtables::ID3D12LifetimeTracker;

/// D3D12_LIFETIME_STATE_IN_USE and NOT_IN_USE.
const STATES: [u32; 2] = [0, 1];

/// A tracker.
pub(crate) struct LifetimeTracker {
    tracked: Arc<Tracked>,
}

class!(LifetimeTracker, ID3D12LifetimeTrackerVtbl, "ID3D12LifetimeTracker");

struct Tracked {
    /// The client's ID3D12LifetimeOwner.
    owner: Reference,
    /// What is kept, by its address.
    objects: Mutex<BTreeMap<usize, Kept<Resource>>>,
}

impl Watcher for Tracked {
    fn use_changed(&self, is_in_use: bool) {
        type LifetimeStateUpdated = unsafe extern "C" fn(*mut c_void, u32);
        let owner = self.owner.as_ptr();
        // SAFETY: an ID3D12LifetimeOwner, which is held: its vtable has the method in slot 3.
        let updated = unsafe { *(*owner.cast::<*const LifetimeStateUpdated>()).add(3) };
        // SAFETY: as above.
        unsafe { updated(owner, STATES[usize::from(!is_in_use)]) };
    }
}

/// ID3D12Device5::CreateLifetimeTracker.
///
/// # Safety
/// `owner` is NULL or points to a live ID3D12LifetimeOwner; `iid` and `out` as [`deliver`] wants them.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    owner: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<LifetimeTracker>, Failure> {
        // SAFETY: the caller's promise.
        let owner = unsafe { Reference::of(owner) }.ok_or(Failure::Argument("pOwner is NULL"))?;
        let tracked = Arc::new(Tracked { owner, objects: Mutex::default() });
        Ok(Object::create(LifetimeTracker { tracked }, Some(this), this.convention()))
    };
    // SAFETY: the caller's promise.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// The tracker that a client passed: `None` for NULL.
///
/// # Errors
/// Another object, or a tracker of another device.
///
/// # Safety
/// `tracker` is NULL or points to a live COM object.
pub(crate) unsafe fn of_client<'a>(
    this: &Object<Device>,
    tracker: *mut c_void,
) -> Result<Option<&'a Object<LifetimeTracker>>, Failure> {
    if tracker.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let tracker = unsafe { from_client::<LifetimeTracker>(tracker) };
    match tracker.filter(|tracker| ptr::eq(tracker.device(), this)) {
        Some(tracker) => Ok(Some(tracker)),
        None => Err(Failure::Argument("pLifetimeTracker is no tracker of this device")),
    }
}

/// Keeps a resource that nobody else keeps yet.
pub(crate) fn keep(tracker: &Object<LifetimeTracker>, resource: &Object<Resource>) {
    let tracked = &tracker.tracked;
    tracked.objects.lock().insert(address(resource.as_interface()), Kept::of(resource));
    let watcher: Weak<dyn Watcher> = Arc::downgrade(&(Arc::clone(tracked) as Arc<dyn Watcher>));
    resource.header().watch(watcher);
}

fn address(interface: *mut c_void) -> usize {
    interface.addr()
}

impl ID3D12LifetimeTracker for LifetimeTracker {
    /// E_INVALIDARG: an object that it does not keep, or one that is in use.
    unsafe fn DestroyOwnedObject(this: &Object<Self>, object: *mut c_void) -> HRESULT {
        this.device().done(|| {
            let mut objects = this.tracked.objects.lock();
            let kept = objects.get(&address(object)).ok_or(Failure::Argument("pObject is not owned here"))?;
            if kept.header().public_count() > 0 {
                return Err(Failure::Argument("pObject is in use"));
            }
            let kept = objects.remove(&address(object));
            // Outside the lock: it may call the client.
            drop(objects);
            drop(kept);
            Ok(())
        })
    }
}
