//! ID3D12LifetimeTracker: what it keeps, what its owner is told, and who destroys it.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::cell::{Cell, RefCell};
use core::ffi::c_void;
use core::ptr;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

const IN_USE: u32 = 0;
const NOT_IN_USE: u32 = 1;

/// A client's ID3D12LifetimeOwner, which writes down what it is told.
#[repr(C)]
struct Owner {
    vtable: *const [*const c_void; 4],
    count: Cell<u32>,
    told: RefCell<Vec<u32>>,
    /// What it does when nobody uses the object any more: destroys that object of that tracker.
    destroys: Cell<Option<(*mut c_void, *mut c_void)>>,
    answer: Cell<HRESULT>,
}

impl Owner {
    fn new(vtable: &[*const c_void; 4]) -> Owner {
        Owner {
            vtable,
            count: Cell::new(1),
            told: RefCell::default(),
            destroys: Cell::new(None),
            answer: Cell::new(E_FAIL),
        }
    }

    fn vtable() -> [*const c_void; 4] {
        [
            ptr::null(),
            Owner::add as *const c_void,
            Owner::release as *const c_void,
            Owner::updated as *const c_void,
        ]
    }

    fn interface(&self) -> *mut c_void {
        assert!(!self.vtable.is_null());
        ptr::from_ref(self).cast_mut().cast()
    }

    fn told(&self) -> Vec<u32> {
        self.told.take()
    }

    unsafe extern "C" fn add(this: *mut c_void) -> u32 {
        let this = unsafe { &*this.cast::<Owner>() };
        this.count.set(this.count.get() + 1);
        this.count.get()
    }

    unsafe extern "C" fn release(this: *mut c_void) -> u32 {
        let this = unsafe { &*this.cast::<Owner>() };
        this.count.set(this.count.get() - 1);
        this.count.get()
    }

    unsafe extern "C" fn updated(this: *mut c_void, state: u32) {
        let this = unsafe { &*this.cast::<Owner>() };
        this.told.borrow_mut().push(state);
        if let (NOT_IN_USE, Some((tracker, object))) = (state, this.destroys.take()) {
            let tracker: Com<ID3D12LifetimeTrackerVtbl> = Com::new(tracker);
            this.answer.set(unsafe { (tracker.v().DestroyOwnedObject)(tracker.0, object) });
            core::mem::forget(tracker);
        }
    }
}

type Tracker = Com<ID3D12LifetimeTrackerVtbl>;

fn tracker(device: &Device, owner: &Owner) -> Result<Tracker, HRESULT> {
    made(|out| unsafe {
        (device.v().CreateLifetimeTracker)(device.0, owner.interface(), &IID_ID3D12LifetimeTracker, out)
    })
}

fn shared(
    device: &Device,
    tracker: *mut c_void,
    flags: u32,
    swap_chain: *mut c_void,
) -> Result<Resource, HRESULT> {
    let compatibility: Com<ID3D12CompatibilityDeviceVtbl> =
        device.query(&IID_ID3D12CompatibilityDevice).expect("the interface");
    let (properties, desc) = (heap_desc(0, DEFAULT).Properties, buffer(1 << 20));
    made(|out| unsafe {
        (compatibility.v().CreateSharedResource)(
            compatibility.0,
            &properties,
            0,
            &desc,
            0,
            ptr::null(),
            ptr::null(),
            flags,
            tracker,
            swap_chain,
            &IID_ID3D12Resource2,
            out,
        )
    })
}

fn destroy(tracker: &Tracker, object: *mut c_void) -> HRESULT {
    unsafe { (tracker.v().DestroyOwnedObject)(tracker.0, object) }
}

/// Whether the object is gone, by ID3DDestructionNotifier.
unsafe extern "C" fn gone(flag: *mut c_void) {
    unsafe { *flag.cast::<bool>() = true };
}

fn watch(resource: &Resource, flag: &mut bool) {
    let notifier: Com<ID3DDestructionNotifierVtbl> =
        resource.query(&IID_ID3DDestructionNotifier).expect("a notifier");
    let mut id = 0;
    let data = ptr::from_mut(flag).cast();
    let result = unsafe { (notifier.v().RegisterDestructionCallback)(notifier.0, Some(gone), data, &mut id) };
    assert_eq!(result, S_OK);
}

#[test]
fn an_owner_is_told_and_decides_when_its_object_ends() {
    let device = device();
    let vtable = Owner::vtable();
    let owner = Owner::new(&vtable);
    let tracker = tracker(&device, &owner).expect("a tracker");
    assert_eq!(owner.count.get(), 2, "the tracker holds its owner");
    let mut is_gone = false;
    let resource = shared(&device, tracker.0, 0, ptr::null_mut()).expect("a resource");
    watch(&resource, &mut is_gone);
    let pointer = resource.0;
    assert_eq!(resource.count(), 1, "the tracker's reference is not the client's");
    assert_eq!(destroy(&tracker, pointer), E_INVALIDARG, "in use");
    let second: Resource = resource.query(&IID_ID3D12Resource).expect("itself");
    drop(resource);
    assert!(owner.told().is_empty(), "one is left");
    drop(second);
    assert_eq!(owner.told(), [NOT_IN_USE]);
    assert!(!is_gone);

    // It is whole: the owner hands it out again.
    let again: Resource = Com::new(pointer);
    assert_eq!(again.add_ref(), 1);
    assert_eq!(owner.told(), [IN_USE]);
    assert_ne!(unsafe { (again.v().GetGPUVirtualAddress)(again.0) }, 0);
    drop(again);
    assert_eq!(owner.told(), [NOT_IN_USE]);

    assert_eq!(destroy(&tracker, pointer), S_OK);
    assert!(is_gone && owner.told().is_empty());
    assert_eq!(destroy(&tracker, pointer), E_INVALIDARG, "twice");
    drop(tracker);
    assert_eq!(owner.count.get(), 1);
}

#[test]
fn an_owner_may_destroy_while_it_is_told() {
    let device = device();
    let vtable = Owner::vtable();
    let owner = Owner::new(&vtable);
    let tracker = tracker(&device, &owner).expect("a tracker");
    let mut is_gone = false;
    let resource = shared(&device, tracker.0, 1, ptr::null_mut()).expect("a resource");
    watch(&resource, &mut is_gone);
    owner.destroys.set(Some((tracker.0, resource.0)));
    drop(resource);
    assert_eq!((owner.told(), owner.answer.get(), is_gone), (vec![NOT_IN_USE], S_OK, true));
}

#[test]
fn a_tracker_that_goes_lets_go_without_a_word() {
    let device = device();
    let vtable = Owner::vtable();
    let owner = Owner::new(&vtable);
    let first = tracker(&device, &owner).expect("a tracker");
    let (mut unused_gone, mut used_gone) = (false, false);
    let unused = shared(&device, first.0, 0, ptr::null_mut()).expect("a resource");
    let used = shared(&device, first.0, 0, ptr::null_mut()).expect("a resource");
    watch(&unused, &mut unused_gone);
    watch(&used, &mut used_gone);
    drop(unused);
    assert_eq!(owner.told(), [NOT_IN_USE]);
    drop(first);
    assert!(unused_gone && !used_gone);
    drop(used);
    assert!(used_gone && owner.told().is_empty());
    assert_eq!(owner.count.get(), 1);
}

#[test]
fn what_is_refused() {
    let device = device();
    let vtable = Owner::vtable();
    let owner = Owner::new(&vtable);
    let nobody = made::<ID3D12LifetimeTrackerVtbl>(|out| unsafe {
        (device.v().CreateLifetimeTracker)(device.0, ptr::null_mut(), &IID_ID3D12LifetimeTracker, out)
    });
    assert_eq!(nobody.err(), Some(E_INVALIDARG));
    let probe = unsafe {
        (device.v().CreateLifetimeTracker)(device.0, owner.interface(), &IID_IUnknown, ptr::null_mut())
    };
    assert_eq!((probe, owner.count.get()), (S_FALSE, 1));
    let tracker = tracker(&device, &owner).expect("a tracker");
    let plain = committed(&device, DEFAULT, &buffer(1000), 0).expect("a resource");
    for object in [ptr::null_mut(), plain.0, tracker.0, device.0] {
        assert_eq!(destroy(&tracker, object), E_INVALIDARG);
    }
    assert_eq!(plain.count(), 1);
    // No tracker; one of another device; keyed mutexes; flags that there are none of; swap chains.
    let other = watched_device();
    for (device, given, flags, swap_chain) in [
        (&device, plain.0, 0, ptr::null_mut()),
        (&other, tracker.0, 0, ptr::null_mut()),
        (&device, tracker.0, 2, ptr::null_mut()),
        (&device, tracker.0, 8, ptr::null_mut()),
        (&device, tracker.0, 0, plain.0),
    ] {
        assert_eq!(shared(device, given, flags, swap_chain).err(), Some(E_INVALIDARG));
    }
    drop(tracker);
    assert_eq!((owner.count.get(), owner.told()), (1, vec![]), "what was refused is kept by nobody");
}

/// Without a tracker it is a committed resource that can be shared; a heap likewise.
#[test]
fn without_a_tracker_they_are_shared_and_no_more() {
    let device = device();
    let mut is_gone = false;
    let resource = shared(&device, ptr::null_mut(), 5, ptr::null_mut()).expect("a resource");
    watch(&resource, &mut is_gone);
    let mut flags = 0;
    let result = unsafe {
        (resource.v().GetHeapProperties)(resource.0, ptr::null_mut(), ptr::from_mut(&mut flags).cast())
    };
    assert_eq!((result, flags & 1), (S_OK, 1));
    drop(resource);
    assert!(is_gone);
    let compatibility: Com<ID3D12CompatibilityDeviceVtbl> =
        device.query(&IID_ID3D12CompatibilityDevice).expect("the interface");
    let create = |flags| {
        made::<ID3D12Heap1Vtbl>(|out| unsafe {
            (compatibility.v().CreateSharedHeap)(
                compatibility.0,
                &heap_desc(1 << 20, DEFAULT),
                flags,
                &IID_ID3D12Heap1,
                out,
            )
        })
    };
    assert_eq!(create(2).err(), Some(E_INVALIDARG));
    let heap = create(1).expect("a heap");
    type Get = unsafe extern "C" fn(*mut c_void) -> D3D12_HEAP_DESC;
    let desc = unsafe { slot::<Get>(&heap.v().GetDesc)(heap.0) };
    assert_eq!(desc.Flags, 1);
}
