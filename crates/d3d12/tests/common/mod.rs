//! A client: interface pointers that are called through their vtables, as C++ does.
#![allow(dead_code, unreachable_pub, reason = "each test uses what it needs")]

use core::ffi::c_void;
use core::marker::PhantomData;
use core::ptr;

use d3d12::entry::D3D12CreateDevice;
use d3d12::layers::{D3D12GetDebugInterface, D3D12GetInterface};
use d3d12::types::*;
use d3d12::vtables::*;

/// An owned reference to an interface whose vtable is `V`.
pub struct Com<V>(pub *mut c_void, PhantomData<V>);

impl<V> Com<V> {
    /// Takes the reference over.
    pub fn new(pointer: *mut c_void) -> Com<V> {
        assert!(!pointer.is_null());
        Com(pointer, PhantomData)
    }

    /// Its vtable.
    pub fn v(&self) -> &V {
        unsafe { &**self.0.cast::<*const V>() }
    }

    fn unknown(&self) -> &IUnknownSlots {
        unsafe { &**self.0.cast::<*const IUnknownSlots>() }
    }

    pub fn add_ref(&self) -> u32 {
        unsafe { (self.unknown().add_ref)(self.0) }
    }

    /// Release without giving this reference up.
    pub fn release_one(&self) -> u32 {
        unsafe { (self.unknown().release)(self.0) }
    }

    /// How many references there are.
    pub fn count(&self) -> u32 {
        self.add_ref();
        self.release_one()
    }

    pub fn query<W>(&self, iid: &GUID) -> Result<Com<W>, HRESULT> {
        let mut out = ptr::null_mut();
        let result = unsafe { (self.unknown().query_interface)(self.0, iid, &mut out) };
        if result == S_OK { Ok(Com::new(out)) } else { Err(result) }
    }
}

impl<V> Drop for Com<V> {
    fn drop(&mut self) {
        self.release_one();
    }
}

unsafe impl<V> Send for Com<V> {}
unsafe impl<V> Sync for Com<V> {}

#[repr(C)]
struct IUnknownSlots {
    query_interface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    add_ref: unsafe extern "C" fn(*mut c_void) -> u32,
    release: unsafe extern "C" fn(*mut c_void) -> u32,
}

/// The function in a slot that returns a structure.
pub unsafe fn slot<F: Copy>(slot: &d3d12::com::StructReturn) -> F {
    assert_eq!(size_of::<F>(), size_of::<usize>());
    unsafe { *ptr::from_ref(slot).cast::<F>() }
}

pub type Device = Com<ID3D12Device15Vtbl>;
pub type Heap = Com<ID3D12Heap1Vtbl>;
pub type Resource = Com<ID3D12Resource2Vtbl>;

/// The process's device.
pub fn device() -> Device {
    let mut out = ptr::null_mut();
    let result = unsafe { D3D12CreateDevice(ptr::null_mut(), 0xb000, &IID_ID3D12Device15, &mut out) };
    assert_eq!(result, S_OK);
    Com::new(out)
}

/// CLSID_D3D12DeviceFactory.
const DEVICE_FACTORY: GUID = GUID::parse("114863bf-c386-4aee-b39d-8f0bbb062955");

/// A device of its own that the debug layer watches. The layer is the process's: tests that want none are in another.
pub fn watched_device() -> Device {
    let debug: Com<ID3D12Debug6Vtbl> =
        made(|out| unsafe { D3D12GetDebugInterface(&IID_ID3D12Debug6, out) }).expect("a debug interface");
    unsafe { (debug.v().EnableDebugLayer)(debug.0) };
    let factory: Com<ID3D12DeviceFactoryVtbl> =
        made(|out| unsafe { D3D12GetInterface(&DEVICE_FACTORY, &IID_ID3D12DeviceFactory, out) })
            .expect("a factory");
    made(|out| unsafe {
        (factory.v().CreateDevice)(factory.0, ptr::null_mut(), 0xc000, &IID_ID3D12Device15, out)
    })
    .expect("a device")
}

/// What a creating call made.
pub fn made<V>(call: impl FnOnce(*mut *mut c_void) -> HRESULT) -> Result<Com<V>, HRESULT> {
    let mut out = ptr::dangling_mut();
    let result = call(&mut out);
    if result == S_OK {
        Ok(Com::new(out))
    } else {
        assert!(out.is_null(), "a call that fails sets its output to NULL");
        Err(result)
    }
}

pub fn heap_desc(size: u64, heap_type: u32) -> D3D12_HEAP_DESC {
    let mut desc = D3D12_HEAP_DESC::zeroed();
    desc.SizeInBytes = size;
    desc.Properties.Type = heap_type;
    desc
}

pub fn buffer(width: u64) -> D3D12_RESOURCE_DESC {
    D3D12_RESOURCE_DESC {
        Dimension: 1,
        Alignment: 0,
        Width: width,
        Height: 1,
        DepthOrArraySize: 1,
        MipLevels: 1,
        Format: 0,
        SampleDesc: DXGI_SAMPLE_DESC { Count: 1, Quality: 0 },
        Layout: 1,
        Flags: 0,
    }
}

/// DXGI_FORMAT_R8G8B8A8_UNORM.
pub const RGBA8: u32 = 28;

pub fn texture(width: u64, height: u32, mips: u16, format: u32) -> D3D12_RESOURCE_DESC {
    D3D12_RESOURCE_DESC {
        Dimension: 3,
        Height: height,
        MipLevels: mips,
        Format: format,
        Layout: 0,
        ..buffer(width)
    }
}

pub fn heap(device: &Device, desc: &D3D12_HEAP_DESC) -> Result<Heap, HRESULT> {
    made(|out| unsafe { (device.v().CreateHeap)(device.0, desc, &IID_ID3D12Heap1, out) })
}

pub fn committed(
    device: &Device,
    heap_type: u32,
    desc: &D3D12_RESOURCE_DESC,
    state: u32,
) -> Result<Resource, HRESULT> {
    let properties = heap_desc(0, heap_type).Properties;
    made(|out| unsafe {
        (device.v().CreateCommittedResource)(
            device.0,
            &properties,
            0,
            desc,
            state,
            ptr::null(),
            &IID_ID3D12Resource2,
            out,
        )
    })
}

pub fn placed(
    device: &Device,
    heap: &Heap,
    offset: u64,
    desc: &D3D12_RESOURCE_DESC,
    state: u32,
) -> Result<Resource, HRESULT> {
    made(|out| unsafe {
        (device.v().CreatePlacedResource)(
            device.0,
            heap.0,
            offset,
            desc,
            state,
            ptr::null(),
            &IID_ID3D12Resource2,
            out,
        )
    })
}

pub const DEFAULT: u32 = 1;
pub const UPLOAD: u32 = 2;
pub const READBACK: u32 = 3;
pub const GENERIC_READ: u32 = 0xac3;
pub const COPY_DEST: u32 = 0x400;

pub type Queue = Com<ID3D12CommandQueue1Vtbl>;
pub type Allocator = Com<ID3D12CommandAllocatorVtbl>;
pub type List = Com<ID3D12GraphicsCommandList10Vtbl>;
pub type Fence = Com<ID3D12Fence1Vtbl>;

/// A queue, an allocator and an open list of a type.
pub struct Gpu {
    pub queue: Queue,
    pub allocator: Allocator,
    pub list: List,
    pub fence: Fence,
}

pub fn fence(device: &Device, value: u64) -> Fence {
    made(|out| unsafe { (device.v().CreateFence)(device.0, value, 0, &IID_ID3D12Fence1, out) })
        .expect("a fence")
}

pub fn allocator(device: &Device, list_type: u32) -> Result<Allocator, HRESULT> {
    made(|out| unsafe {
        (device.v().CreateCommandAllocator)(device.0, list_type, &IID_ID3D12CommandAllocator, out)
    })
}

pub fn list(device: &Device, list_type: u32, allocator: &Allocator) -> Result<List, HRESULT> {
    made(|out| unsafe {
        (device.v().CreateCommandList)(
            device.0,
            0,
            list_type,
            allocator.0,
            ptr::null_mut(),
            &IID_ID3D12GraphicsCommandList10,
            out,
        )
    })
}

pub fn queue(device: &Device, list_type: u32) -> Result<Queue, HRESULT> {
    let desc = D3D12_COMMAND_QUEUE_DESC { Type: list_type, Priority: 0, Flags: 0, NodeMask: 0 };
    made(|out| unsafe { (device.v().CreateCommandQueue)(device.0, &desc, &IID_ID3D12CommandQueue1, out) })
}

impl Gpu {
    pub fn new(device: &Device, list_type: u32) -> Gpu {
        let allocator = allocator(device, list_type).expect("an allocator");
        Gpu {
            queue: queue(device, list_type).expect("a queue"),
            list: list(device, list_type, &allocator).expect("a list"),
            allocator,
            fence: fence(device, 0),
        }
    }

    /// Closes the list.
    pub fn close(&self) -> HRESULT {
        unsafe { (self.list.v().Close)(self.list.0) }
    }

    pub fn reset(&self) -> HRESULT {
        unsafe { (self.list.v().Reset)(self.list.0, self.allocator.0, ptr::null_mut()) }
    }

    /// Closes the list, executes it, and waits.
    pub fn run(&self) {
        assert_eq!(self.close(), S_OK);
        let value = unsafe { (self.fence.v().GetCompletedValue)(self.fence.0) } + 1;
        unsafe {
            (self.queue.v().ExecuteCommandLists)(self.queue.0, 1, &self.list.0);
            assert_eq!((self.queue.v().Signal)(self.queue.0, self.fence.0, value), S_OK);
            // A NULL event blocks.
            assert_eq!((self.fence.v().SetEventOnCompletion)(self.fence.0, value, ptr::null_mut()), S_OK);
            assert_eq!((self.fence.v().GetCompletedValue)(self.fence.0), value);
        }
    }
}

/// The bytes of a buffer that the CPU sees, mapped for good.
pub fn mapped(resource: &Resource) -> *mut u8 {
    let mut data = ptr::null_mut();
    assert_eq!(unsafe { (resource.v().Map)(resource.0, 0, ptr::null(), &mut data) }, S_OK);
    data.cast()
}
