//! Heaps and resources through their vtables: references, identity, mapping (facts/behaviour.md).

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

/// Of a struct-returning method of no arguments.
type Getter<R> = unsafe extern "C" fn(*mut c_void) -> R;

#[test]
fn a_placed_resource_holds_its_device_publicly_and_its_heap_privately() {
    let device = device();
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    let heap_count = heap.count();
    let resource = placed(&device, &heap, 65_536, &buffer(1000), 0).expect("a buffer");
    assert_eq!(heap.count(), heap_count);
    assert_eq!(resource.count(), 1);
    let mut of = ptr::null_mut();
    let result = unsafe { (resource.v().GetDevice)(resource.0, &IID_ID3D12Device, &mut of) };
    assert_eq!((result, of), (S_OK, device.0));
    drop(Device::new(of));
    // The client lets go of the heap first: the resource is whole.
    drop(heap);
    let address = unsafe { (resource.v().GetGPUVirtualAddress)(resource.0) };
    assert_ne!(address, 0);
}

#[test]
fn all_versions_of_an_interface_are_one_pointer_and_others_are_none() {
    let device = device();
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    for iid in [
        IID_IUnknown,
        IID_ID3D12Object,
        IID_ID3D12DeviceChild,
        IID_ID3D12Pageable,
        IID_ID3D12Heap,
        IID_ID3D12Heap1,
    ] {
        let same: Heap = heap.query(&iid).expect("an interface of the chain");
        assert_eq!(same.0, heap.0);
    }
    assert_eq!(heap.query::<()>(&IID_ID3D12Resource).err(), Some(E_NOINTERFACE));
    let null = unsafe { (heap.v().QueryInterface)(heap.0, &IID_IUnknown, ptr::null_mut()) };
    assert_eq!(null, E_POINTER);
    assert_eq!(heap.count(), 1);
}

#[test]
fn descriptions_come_back_as_structures() {
    let device = device();
    let heap = heap(&device, &heap_desc(1 << 20, UPLOAD)).expect("a heap");
    let desc = unsafe { slot::<Getter<D3D12_HEAP_DESC>>(&heap.v().GetDesc)(heap.0) };
    assert_eq!((desc.SizeInBytes, desc.Alignment, desc.Properties.Type), (1 << 20, 65_536, UPLOAD));
    let texture = committed(&device, DEFAULT, &texture(256, 128, 0, RGBA8), 0).expect("a texture");
    let desc = unsafe { slot::<Getter<D3D12_RESOURCE_DESC>>(&texture.v().GetDesc)(texture.0) };
    // MipLevels 0 becomes the full count; Alignment is filled in (facts/behaviour.md, Creation).
    assert_eq!((desc.Width, desc.Height, desc.MipLevels, desc.Alignment), (256, 128, 9, 65_536));
    assert_eq!(unsafe { (texture.v().GetGPUVirtualAddress)(texture.0) }, 0);
    let luid = unsafe { slot::<Getter<LUID>>(&device.v().GetAdapterLuid)(device.0) };
    assert_ne!((luid.LowPart, luid.HighPart), (0, 0));
}

#[test]
fn bytes_written_through_a_mapping_are_there_in_the_next() {
    let device = device();
    let upload = committed(&device, UPLOAD, &buffer(4096), GENERIC_READ).expect("a buffer");
    let map = || {
        let mut data = ptr::null_mut();
        let result = unsafe { (upload.v().Map)(upload.0, 0, ptr::null(), &mut data) };
        assert_eq!(result, S_OK);
        data.cast::<u8>()
    };
    unsafe { map().add(4095).write(0x5a) };
    unsafe { (upload.v().Unmap)(upload.0, 0, ptr::null()) };
    assert_eq!(unsafe { map().add(4095).read() }, 0x5a);
    // A subresource that a buffer does not have; the output is left alone.
    let mut data = ptr::dangling_mut();
    let result = unsafe { (upload.v().Map)(upload.0, 1, ptr::null(), &mut data) };
    assert_eq!((result, data), (E_INVALIDARG, ptr::dangling_mut()));
}

#[test]
fn null_outputs_are_probes_and_failures_set_null() {
    let device = device();
    let wrong = IID_ID3D12Fence;
    for iid in [IID_ID3D12Heap, wrong] {
        let probe =
            unsafe { (device.v().CreateHeap)(device.0, &heap_desc(65_536, DEFAULT), &iid, ptr::null_mut()) };
        assert_eq!(probe, S_FALSE);
    }
    let refused =
        unsafe { (device.v().CreateHeap)(device.0, &heap_desc(0, DEFAULT), &wrong, ptr::null_mut()) };
    assert_eq!(refused, E_INVALIDARG);
    assert_eq!(heap(&device, &heap_desc(0, DEFAULT)).err(), Some(E_INVALIDARG));
    assert_eq!(heap(&device, &heap_desc(65_536, 77)).err(), Some(E_INVALIDARG));
    let of_wrong_type: Result<Heap, _> =
        made(|out| unsafe { (device.v().CreateHeap)(device.0, &heap_desc(65_536, DEFAULT), &wrong, out) });
    assert_eq!(of_wrong_type.err(), Some(E_NOINTERFACE));
}

#[test]
fn names_and_private_data_are_kept() {
    let device = device();
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    // "hé" in UTF-32, as headers on Linux have it.
    let name: [u32; 3] = [0x68, 0xe9, 0];
    assert_eq!(unsafe { (heap.v().SetName)(heap.0, name.as_ptr().cast()) }, S_OK);
    // WKPDID_D3DDebugObjectNameW.
    let name_w = GUID::parse("4cca5fd8-921f-42c8-8566-70caf2a9b741");
    let mut size = 0;
    let get =
        |size: &mut u32, out: *mut c_void| unsafe { (heap.v().GetPrivateData)(heap.0, &name_w, size, out) };
    assert_eq!((get(&mut size, ptr::null_mut()), size), (S_OK, 8));
    let mut read = [0_u32; 2];
    size = 4;
    assert_eq!((get(&mut size, read.as_mut_ptr().cast()), size), (DXGI_ERROR_MORE_DATA, 8));
    assert_eq!((get(&mut size, read.as_mut_ptr().cast()), read), (S_OK, [0x68, 0xe9]));
    assert_eq!(unsafe { (heap.v().SetPrivateData)(heap.0, &name_w, 0, ptr::null()) }, S_OK);
    assert_eq!(get(&mut size, ptr::null_mut()), DXGI_ERROR_NOT_FOUND);
    // An interface is held; of an object that is this test's alone, for others hold the device, too.
    let held = fence(&device, 0);
    let count = held.count();
    assert_eq!(unsafe { (heap.v().SetPrivateDataInterface)(heap.0, &name_w, held.0) }, S_OK);
    assert_eq!(held.count(), count + 1);
}

#[test]
fn callbacks_are_told_of_destruction() {
    unsafe extern "C" fn count(data: *mut c_void) {
        unsafe { *data.cast::<u32>() += 1 };
    }
    let device = device();
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    let notifier: Com<ID3DDestructionNotifierVtbl> =
        heap.query(&IID_ID3DDestructionNotifier).expect("a notifier");
    assert_eq!(notifier.query::<ID3D12Heap1Vtbl>(&IID_IUnknown).expect("the identity").0, heap.0);
    let (mut kept, mut dropped, mut id) = (0_u32, 0_u32, 0);
    let register = |data: *mut u32, id: &mut u32| unsafe {
        (notifier.v().RegisterDestructionCallback)(notifier.0, Some(count), data.cast(), id)
    };
    assert_eq!(register(&mut dropped, &mut id), S_OK);
    assert_eq!(unsafe { (notifier.v().UnregisterDestructionCallback)(notifier.0, id) }, S_OK);
    assert_eq!(unsafe { (notifier.v().UnregisterDestructionCallback)(notifier.0, id) }, DXGI_ERROR_NOT_FOUND);
    assert_eq!(register(&mut kept, &mut id), S_OK);
    drop(heap);
    assert_eq!(kept, 0, "the notifier is a reference");
    drop(notifier);
    assert_eq!((kept, dropped), (1, 0));
}

/// A client's object that looks at the private data that holds it whenever its references are counted.
#[repr(C)]
struct Curious {
    vtable: *const [*const c_void; 3],
    heap: *mut c_void,
    looked: Cell<u32>,
}

impl Curious {
    const DATA: GUID = GUID::parse("0d1f1a52-5f5c-4c0b-9d5e-6a0a6b0c7e11");

    unsafe extern "C" fn look(this: *mut c_void) -> u32 {
        let this = unsafe { &*this.cast::<Curious>() };
        let mut size = 0;
        let heap = Heap::new(this.heap);
        let _ = unsafe { (heap.v().GetPrivateData)(heap.0, &Curious::DATA, &mut size, ptr::null_mut()) };
        core::mem::forget(heap);
        this.looked.set(this.looked.get() + 1);
        1
    }
}

#[test]
fn a_client_whose_references_are_counted_may_ask_for_the_data() {
    let device = device();
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    let count = Curious::look as *const c_void;
    let vtable = [ptr::null(), count, count];
    let curious = Curious { vtable: &raw const vtable, heap: heap.0, looked: Cell::new(0) };
    assert!(!curious.vtable.is_null());
    let interface = (&raw const curious).cast_mut().cast::<c_void>();
    let set = |data| unsafe { (heap.v().SetPrivateDataInterface)(heap.0, &Curious::DATA, data) };
    assert_eq!((set(interface), curious.looked.get()), (S_OK, 1));
    let (mut size, mut got) = (8, ptr::null_mut::<c_void>());
    let out = (&raw mut got).cast();
    let result = unsafe { (heap.v().GetPrivateData)(heap.0, &Curious::DATA, &mut size, out) };
    assert_eq!((result, size, got, curious.looked.get()), (S_OK, 8, interface, 2));
    assert_eq!((set(ptr::null_mut()), curious.looked.get()), (S_OK, 3), "let go of");
}

/// GetResourceAllocationInfo3 decides by the castable formats of each description, as creation does.
#[test]
fn allocation_info_3_knows_castable_formats() {
    type Ask = unsafe extern "C" fn(
        *mut c_void,
        u32,
        u32,
        *const D3D12_RESOURCE_DESC1,
        *const u32,
        *const *const DXGI_FORMAT,
        *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO;
    const BC3_UNORM: DXGI_FORMAT = 77;
    const R32G32B32A32_UINT: DXGI_FORMAT = 3;
    const R32_UINT: DXGI_FORMAT = 42;
    let device = device();
    let mut descs = [D3D12_RESOURCE_DESC1::zeroed(); 2];
    for desc in &mut descs {
        desc.Dimension = 3;
        (desc.Width, desc.Height, desc.DepthOrArraySize, desc.MipLevels) = (256, 256, 1, 1);
        desc.SampleDesc.Count = 1;
        desc.Format = R32_UINT;
    }
    (descs[1].Format, descs[1].Flags) = (BC3_UNORM, 4); // ALLOW_UNORDERED_ACCESS
    let ask = |counts: *const u32, formats: *const *const DXGI_FORMAT, infos| unsafe {
        let get = slot::<Ask>(&device.v().GetResourceAllocationInfo3);
        get(device.0, 0, 2, descs.as_ptr(), counts, formats, infos)
    };
    let (fits, misfit) = ([R32G32B32A32_UINT], [R32_UINT]);
    let mut infos = [D3D12_RESOURCE_ALLOCATION_INFO1::zeroed(); 2];
    let info = ask([0, 1].as_ptr(), [ptr::null(), fits.as_ptr()].as_ptr(), infos.as_mut_ptr());
    // 256 x 256 texels of 4 bytes, and 64 x 64 blocks of 16.
    assert_eq!((info.SizeInBytes, info.Alignment), (262_144 + 65_536, 65_536));
    assert_eq!((infos[1].Offset, infos[1].SizeInBytes), (262_144, 65_536));
    let refused = [
        ask(ptr::null(), ptr::null(), ptr::null_mut()),
        ask([0, 0].as_ptr(), ptr::null(), ptr::null_mut()),
        ask([0, 1].as_ptr(), ptr::null(), ptr::null_mut()),
        ask([0, 1].as_ptr(), [ptr::null(), ptr::null()].as_ptr(), ptr::null_mut()),
        ask([0, 1].as_ptr(), [ptr::null(), misfit.as_ptr()].as_ptr(), ptr::null_mut()),
    ];
    assert!(refused.iter().all(|info| info.SizeInBytes == u64::MAX));
}
