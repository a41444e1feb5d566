//! Objects and their counts.

use core::ffi::c_void;
use core::ops::Deref;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::Weak;

use super::held::Held;
use super::live::Live;
use super::private_data::{Rare, Watcher};
use super::quarantine;
use crate::device::Device;
use crate::types::GUID;

/// How a client calls methods that return structures, and how wide its characters are (facts/abi.md, Calling
/// convention).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// DirectX-Headers on Linux: structures as C returns them, characters of 4 bytes.
    Linux,
    /// Structures through an explicit pointer behind `this`, characters of 2 bytes.
    ExplicitReturn,
}

/// A slot whose function returns a structure: its type differs between the conventions.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StructReturn(*const ());

// SAFETY: the address of a function.
unsafe impl Sync for StructReturn {}

impl StructReturn {
    /// The slot of that function.
    #[must_use]
    pub const fn new(function: *const ()) -> StructReturn {
        StructReturn(function)
    }
}

/// A vtable type, made for a class and the way to its objects.
pub trait Vtable<T, F>: Sized {
    /// The identifiers that a pointer to it answers to: its interface's and those of all that it extends.
    const CHAIN: &'static [GUID];
    /// For clients of DirectX-Headers on Linux.
    const LINUX: Self;
    /// For clients that return structures explicitly.
    const EXPLICIT_RETURN: Self;
}

/// What is the same for all objects of a class.
pub struct ClassInfo {
    /// The interface's name, for messages.
    pub name: &'static str,
    /// What the main interface answers to.
    pub chain: &'static [GUID],
    /// The main vtable of each [`Convention`].
    pub vtables: [*const c_void; 2],
    /// Finds a further interface.
    pub face: unsafe fn(*const Header, &GUID) -> Option<NonNull<c_void>>,
    /// What ReportLiveDeviceObjects tells.
    pub live: unsafe fn(*const Header) -> Live,
    /// Drops the object and frees its memory.
    pub destroy: unsafe fn(*mut Header),
}

// SAFETY: addresses of statics and of functions.
unsafe impl Sync for ClassInfo {}

/// What an object is. Declared by `class!`.
///
/// # Safety
/// `info` must describe objects of the type `Object<Self>`.
pub unsafe trait Class: Sized + Send + Sync + 'static {
    /// Its description: one static.
    fn info() -> &'static ClassInfo;

    /// The face with that identifier, beyond the main interface's.
    fn face(_object: &Object<Self>, _iid: &GUID) -> Option<NonNull<c_void>> {
        None
    }

    /// Called when the last reference is gone, while the object is whole.
    fn released(_object: &Object<Self>) {}

    /// Called by SetName.
    fn renamed(_object: &Object<Self>, _name: &str) {}

    /// What ReportLiveDeviceObjects tells of it.
    fn live(_object: &Object<Self>) -> Live {
        Live::default()
    }
}

/// The first words of every object.
///
/// Two counts: clients' references, which Release answers, and ours. Clients' references together are one of
/// ours; the object dies with the last of ours. So a client may get an object back after it let go of it, as
/// ID3D12PipelineState1::GetRootSignature has it.
#[repr(C)]
pub struct Header {
    vtable: *const c_void,
    public: AtomicU32,
    private: AtomicU32,
    class: &'static ClassInfo,
    /// Held publicly; null of the device and of what has none.
    device: *const Object<Device>,
    rare: AtomicPtr<Rare>,
    convention: Convention,
}

/// An object. It lives at a fixed place; its memory is counted.
#[repr(C)]
pub struct Object<T: Class> {
    header: Header,
    body: T,
}

// SAFETY: a class is Sync; the header's counts are atomic, and the rest does not change.
unsafe impl<T: Class> Sync for Object<T> {}
// SAFETY: as above; objects are reached through pointers alone.
unsafe impl<T: Class> Send for Object<T> {}

impl<T: Class> Deref for Object<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.body
    }
}

impl<T: Class> Object<T> {
    /// A new object with one reference of a client's; `device` is held publicly.
    #[inline]
    pub fn create(body: T, device: Option<&Object<Device>>, convention: Convention) -> Held<T> {
        Object::create_with(|| body, device, convention)
    }

    /// The same, of a body that is made where it stays: a copy of what was just put together would wait for it.
    #[inline(always)]
    pub fn create_with(
        body: impl FnOnce() -> T,
        device: Option<&Object<Device>>,
        convention: Convention,
    ) -> Held<T> {
        let info = T::info();
        let place = Box::<Object<T>>::new_uninit();
        if let Some(device) = device {
            device.header.add_public();
        }
        let header = Header {
            vtable: info.vtables[convention as usize],
            public: AtomicU32::new(1),
            private: AtomicU32::new(1),
            class: info,
            device: device.map_or(ptr::null(), ptr::from_ref),
            rare: AtomicPtr::new(ptr::null_mut()),
            convention,
        };
        let object = NonNull::from(Box::leak(Box::write(place, Object { header, body: body() })));
        // Clients get pointers that were made of a part of it, and give them back: see `whole`.
        let _ = object.as_ptr().expose_provenance();
        if let Some(live) = device.and_then(|device| device.live_objects()) {
            // SAFETY: it was just made.
            live.enter(unsafe { &(*object.as_ptr()).header });
        }
        // SAFETY: it was just made, with a reference.
        Held::adopt(unsafe { object.as_ref() })
    }

    /// The pointer that clients know the object by.
    #[inline]
    #[must_use]
    pub fn as_interface(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// What it is.
    #[inline]
    #[must_use]
    pub fn body(&self) -> &T {
        &self.body
    }

    /// Its header.
    #[inline]
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How its client calls.
    #[inline]
    #[must_use]
    pub fn convention(&self) -> Convention {
        self.header.convention
    }

    /// The device that it is of.
    ///
    /// # Panics
    /// Never of a class whose objects are created with one.
    #[inline]
    #[must_use]
    pub fn device(&self) -> &Object<Device> {
        self.header.device().expect("invariant: the class's objects have a device")
    }
}

impl Header {
    /// The device that it is of, where it has one.
    #[inline]
    #[must_use]
    pub fn device(&self) -> Option<&Object<Device>> {
        // SAFETY: held publicly for as long as the object is there.
        unsafe { self.device.as_ref() }
    }

    /// Its class.
    #[must_use]
    pub fn class(&self) -> &'static ClassInfo {
        self.class
    }

    /// How its client calls.
    #[must_use]
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// What few objects have.
    pub(super) fn rare(&self) -> &Rare {
        let known = self.rare.load(Ordering::Acquire);
        // SAFETY: once set it stays until the object is destroyed.
        if let Some(rare) = unsafe { known.as_ref() } {
            return rare;
        }
        let made = Box::into_raw(Box::new(Rare::new(self)));
        match self.rare.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it was just made, and stays.
            Ok(_) => unsafe { &*made },
            Err(other) => {
                // SAFETY: nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: as for `known`.
                unsafe { &*other }
            }
        }
    }

    /// The object's further interface with that vtable.
    ///
    /// # Safety
    /// `vtables` are made for [`super::FaceCell`] and the object's class.
    pub(crate) unsafe fn lazy_face(&self, vtables: [*const c_void; 2]) -> NonNull<c_void> {
        // SAFETY: the caller's promise.
        unsafe { self.rare().face(self, vtables) }
    }

    /// AddRef: the new count.
    #[inline]
    pub fn add_public(&self) -> u32 {
        // Relaxed: who adds a reference has one, or holds the object privately.
        let before = self.public.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            self.private.fetch_add(1, Ordering::Relaxed);
            self.use_changed(true);
        }
        before.wrapping_add(1)
    }

    /// Tells whoever wants to know that clients have references, or have none, from now on.
    pub(crate) fn watch(&self, watcher: Weak<dyn Watcher>) {
        self.rare().watch(watcher);
    }

    #[inline]
    fn use_changed(&self, is_in_use: bool) {
        // SAFETY: once set it stays until the object is destroyed.
        if let Some(rare) = unsafe { self.rare.load(Ordering::Acquire).as_ref() } {
            rare.use_changed(is_in_use);
        }
    }

    /// One more reference of our own, by somebody who has one.
    pub(super) fn keep(&self) {
        self.private.fetch_add(1, Ordering::Relaxed);
    }

    /// One more reference, unless clients have let go of it: for those who know it without holding it.
    #[must_use]
    pub fn try_add_public(&self) -> bool {
        let step = |count: u32| (count > 0).then(|| count + 1);
        self.public.fetch_update(Ordering::AcqRel, Ordering::Relaxed, step).is_ok()
    }

    /// What ReportLiveDeviceObjects tells of it.
    pub(crate) fn live(&self) -> Live {
        // SAFETY: of the same class.
        unsafe { (self.class.live)(self) }
    }

    /// The name that the client gave it, where it has one.
    pub(crate) fn debug_name(&self) -> Option<String> {
        // SAFETY: once set it stays until the object is destroyed.
        unsafe { self.rare.load(Ordering::Acquire).as_ref() }?.name(self.convention)
    }

    /// How many references of our own it has beside the one that clients' have together.
    pub(crate) fn own_count(&self) -> usize {
        let of_clients = u32::from(self.public_count() > 0);
        let count = self.private.load(Ordering::Relaxed).saturating_sub(of_clients);
        usize::try_from(count).expect("invariant: 32 bits fit an address")
    }

    /// How many references clients have.
    #[must_use]
    pub fn public_count(&self) -> u32 {
        self.public.load(Ordering::Relaxed)
    }
}

/// Release: the new count. The object may be gone afterwards.
///
/// # Safety
/// `object` points to a live object, or, in a build with debug assertions, to one that died not long ago.
#[inline]
pub unsafe fn release(object: *const Header) -> u32 {
    // SAFETY: the caller's promise.
    let header = unsafe { &*object };
    let before = header.public.fetch_sub(1, Ordering::Release);
    if before == 1 {
        // What threads did that let go before happened before whatever follows the last of ours, in whichever thread that is.
        core::sync::atomic::fence(Ordering::Acquire);
        header.use_changed(false);
        // SAFETY: the references of clients had one of ours.
        unsafe { release_private(object) };
        return 0;
    }
    if before == 0 {
        header.public.store(0, Ordering::Relaxed);
        quarantine::report_double_release(header.class.name);
        return 0;
    }
    before - 1
}

/// Lets go of one of our references.
///
/// # Safety
/// The caller has one.
pub(crate) unsafe fn release_private(object: *const Header) {
    // SAFETY: the caller's promise.
    let header = unsafe { &*object };
    // Who sees the count at 1 has the last reference: no other is there to make one of. Then nothing needs to be taken
    // off, which would take a twentieth of a resource's life (measured).
    if header.private.load(Ordering::Acquire) == 1 || header.private.fetch_sub(1, Ordering::Release) == 1 {
        core::sync::atomic::fence(Ordering::Acquire);
        let destroy = header.class.destroy;
        // SAFETY: nobody has a reference any more.
        unsafe { destroy(object.cast_mut()) };
    }
}

/// The object of a header. A pointer to the header alone may not be used for what lies behind it; the object's own was
/// exposed when it was made.
pub(super) fn whole<T: Class>(header: *const Header) -> *mut Object<T> {
    ptr::with_exposed_provenance_mut(header.addr())
}

/// `ClassInfo::destroy` of class `T`.
pub(crate) unsafe fn destroy<T: Class>(header: *mut Header) {
    let whole = whole::<T>(header);
    // SAFETY: the last reference is gone, and the object is whole.
    let object: &Object<T> = unsafe { &*whole };
    if let Some(live) = object.header.device().and_then(|device| device.live_objects()) {
        live.leave(&object.header);
    }
    T::released(object);
    let device = object.header.device;
    // Two steps, not a swap: nobody else is there any more.
    let rare = object.header.rare.load(Ordering::Acquire);
    object.header.rare.store(ptr::null_mut(), Ordering::Relaxed);
    let rare = NonNull::new(rare).map(|rare| {
        // SAFETY: made by `Box`, and only here given back.
        unsafe { Box::from_raw(rare.as_ptr()) }
    });
    // SAFETY: nobody reaches the body any more, and it is dropped once.
    unsafe { ptr::drop_in_place(&raw mut (*whole).body) };
    if let Some(rare) = rare {
        rare.destroyed();
    }
    quarantine::free::<T>(whole);
    if !device.is_null() {
        // SAFETY: the object held it publicly.
        unsafe { release(device.cast()) };
    }
}

/// `ClassInfo::face` of class `T`.
pub(crate) unsafe fn face<T: Class>(header: *const Header, iid: &GUID) -> Option<NonNull<c_void>> {
    // SAFETY: the header is that of an object of the class.
    T::face(unsafe { &*whole::<T>(header) }, iid)
}

/// `ClassInfo::live` of class `T`.
pub(crate) unsafe fn live<T: Class>(header: *const Header) -> Live {
    // SAFETY: the header is that of an object of the class.
    T::live(unsafe { &*whole::<T>(header) })
}

/// Declares a class: its main interface, and its name for messages.
///
/// `class!(Heap, ID3D12Heap1, ID3D12Heap1Vtbl)`; what follows in braces goes into `impl Class`.
macro_rules! class {
    ($class:ident, $vtable:ident, $name:literal $(, { $($more:item)* })?) => {
        const _: () = {
            use $crate::com::{Primary, Vtable};
            static LINUX: $crate::vtables::$vtable = <$crate::vtables::$vtable as Vtable<$class, Primary>>::LINUX;
            static EXPLICIT_RETURN: $crate::vtables::$vtable =
                <$crate::vtables::$vtable as Vtable<$class, Primary>>::EXPLICIT_RETURN;
            static INFO: $crate::com::ClassInfo = $crate::com::ClassInfo {
                name: $name,
                chain: <$crate::vtables::$vtable as Vtable<$class, Primary>>::CHAIN,
                vtables: [
                    core::ptr::from_ref(&LINUX).cast(),
                    core::ptr::from_ref(&EXPLICIT_RETURN).cast(),
                ],
                face: $crate::com::object_face::<$class>,
                live: $crate::com::object_live::<$class>,
                destroy: $crate::com::object_destroy::<$class>,
            };

            // SAFETY: the statics are made for this class.
            unsafe impl $crate::com::Class for $class {
                #[inline]
                fn info() -> &'static $crate::com::ClassInfo {
                    &INFO
                }
                $($($more)*)?
            }
        };
    };
}

pub(crate) use class;
