//! The explicit-return flavour, through vtables declared by hand: structures come back through a pointer behind `this`,
//! characters have 2 bytes (facts/abi.md, Calling convention; slots: facts/d3d12-interfaces.tsv).

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

use core::ffi::c_void;
use core::ptr;

use d3d12::entry::D3D12CreateDeviceExplicitReturn;
use d3d12::types::*;
use d3d12::vtables::*;

/// The function in a slot.
unsafe fn slot<F: Copy>(object: *mut c_void, index: usize) -> F {
    assert_eq!(size_of::<F>(), size_of::<usize>());
    unsafe { (*object.cast::<*const *const c_void>()).add(index).cast::<F>().read() }
}

type Release = unsafe extern "C" fn(*mut c_void) -> u32;
type Get<R> = unsafe extern "C" fn(*mut c_void, *mut R) -> *mut R;

/// What a getter without arguments returns.
unsafe fn get<R: Copy>(object: *mut c_void, index: usize, mut place: R) -> R {
    let answer = unsafe { slot::<Get<R>>(object, index)(object, &mut place) };
    assert_eq!(answer, &raw mut place, "the pointer comes back");
    place
}

unsafe fn release(object: *mut c_void) -> u32 {
    unsafe { slot::<Release>(object, 2)(object) }
}

#[test]
fn structures_come_back_through_the_pointer() {
    let mut device = ptr::null_mut();
    unsafe {
        let created =
            D3D12CreateDeviceExplicitReturn(ptr::null_mut(), 0xb000, &IID_ID3D12Device, &mut device);
        assert_eq!(created, S_OK);

        // GetAdapterLuid, slot 43: a structure of 8 bytes, by pointer too.
        let luid = get(device, 43, LUID::zeroed());
        assert_ne!((luid.LowPart, luid.HighPart), (0, 0));

        // GetResourceAllocationInfo, slot 25: this, place, visibleMask, count, descriptions.
        type Sizes = unsafe extern "C" fn(
            *mut c_void,
            *mut D3D12_RESOURCE_ALLOCATION_INFO,
            u32,
            u32,
            *const D3D12_RESOURCE_DESC,
        ) -> *mut D3D12_RESOURCE_ALLOCATION_INFO;
        let desc = D3D12_RESOURCE_DESC {
            Dimension: 1,
            Alignment: 0,
            Width: 100_000,
            Height: 1,
            DepthOrArraySize: 1,
            MipLevels: 1,
            Format: 0,
            SampleDesc: DXGI_SAMPLE_DESC { Count: 1, Quality: 0 },
            Layout: 1,
            Flags: 0,
        };
        let mut info = D3D12_RESOURCE_ALLOCATION_INFO::zeroed();
        slot::<Sizes>(device, 25)(device, &mut info, 0, 1, &desc);
        // A buffer takes whole pages of 64 KiB.
        assert_eq!((info.SizeInBytes, info.Alignment), (131_072, 65_536));

        // GetCustomHeapProperties, slot 26: 20 bytes.
        type Custom = unsafe extern "C" fn(
            *mut c_void,
            *mut D3D12_HEAP_PROPERTIES,
            u32,
            u32,
        ) -> *mut D3D12_HEAP_PROPERTIES;
        let mut properties = D3D12_HEAP_PROPERTIES::zeroed();
        slot::<Custom>(device, 26)(device, &mut properties, 0, 2);
        // CUSTOM; UPLOAD stands for write-combined memory of L0.
        assert_eq!((properties.Type, properties.CPUPageProperty, properties.MemoryPoolPreference), (4, 2, 1));

        // CreateHeap, slot 28; ID3D12Heap::GetDesc, slot 8: 48 bytes.
        type CreateHeap = unsafe extern "C" fn(
            *mut c_void,
            *const D3D12_HEAP_DESC,
            *const GUID,
            *mut *mut c_void,
        ) -> HRESULT;
        let mut heap_desc = D3D12_HEAP_DESC::zeroed();
        heap_desc.SizeInBytes = 1 << 20;
        heap_desc.Properties.Type = 1;
        let mut heap = ptr::null_mut();
        assert_eq!(slot::<CreateHeap>(device, 28)(device, &heap_desc, &IID_ID3D12Heap, &mut heap), S_OK);
        let desc = get(heap, 8, D3D12_HEAP_DESC::zeroed());
        assert_eq!((desc.SizeInBytes, desc.Alignment), (1 << 20, 65_536));

        // SetName, slot 6, in UTF-16; GetPrivateData, slot 3.
        type SetName = unsafe extern "C" fn(*mut c_void, *const u16) -> HRESULT;
        type GetPrivateData =
            unsafe extern "C" fn(*mut c_void, *const GUID, *mut u32, *mut c_void) -> HRESULT;
        assert_eq!(slot::<SetName>(heap, 6)(heap, [0x68, 0xe9, 0].as_ptr()), S_OK);
        let name = GUID::parse("4cca5fd8-921f-42c8-8566-70caf2a9b741");
        let (mut size, mut read) = (4, [0_u16; 2]);
        let got = slot::<GetPrivateData>(heap, 3)(heap, &name, &mut size, read.as_mut_ptr().cast());
        assert_eq!((got, size, read), (S_OK, 4, [0x68, 0xe9]));

        // CreateDescriptorHeap, slot 14; its description and handles, slots 8 and 9.
        type CreateDescriptorHeap = unsafe extern "C" fn(
            *mut c_void,
            *const D3D12_DESCRIPTOR_HEAP_DESC,
            *const GUID,
            *mut *mut c_void,
        ) -> HRESULT;
        let wanted = D3D12_DESCRIPTOR_HEAP_DESC { Type: 0, NumDescriptors: 3, Flags: 0, NodeMask: 0 };
        let mut descriptors = ptr::null_mut();
        let create = slot::<CreateDescriptorHeap>(device, 14);
        assert_eq!(create(device, &wanted, &IID_ID3D12DescriptorHeap, &mut descriptors), S_OK);
        assert_eq!(get(descriptors, 8, D3D12_DESCRIPTOR_HEAP_DESC::zeroed()), wanted);
        assert_ne!(get(descriptors, 9, D3D12_CPU_DESCRIPTOR_HANDLE::zeroed()).ptr, 0);

        assert_eq!(release(descriptors), 0);
        assert_eq!(release(heap), 0);
        release(device);
    }
}
