//! ID3D12DescriptorHeap.

use core::ffi::c_void;

use crate::com::{Held, Live, Object, class, deliver};
use crate::convert;
use crate::device::Device;
use crate::failure::Failure;
use crate::types::{
    D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_DESCRIPTOR_HEAP_DESC, D3D12_GPU_DESCRIPTOR_HANDLE, GUID, HRESULT,
};
use crate::vtables::ID3D12DescriptorHeap;

/// A descriptor heap.
pub struct DescriptorHeap {
    /// The library's.
    pub runtime: heapstone::DescriptorHeap,
    desc: D3D12_DESCRIPTOR_HEAP_DESC,
}

class!(DescriptorHeap, ID3D12DescriptorHeapVtbl, "ID3D12DescriptorHeap", {
    fn renamed(this: &Object<DescriptorHeap>, name: &str) {
        this.runtime.set_name(name);
    }

    fn live(this: &Object<DescriptorHeap>) -> Live {
        let desc = this.runtime.desc();
        let increment = this.device().runtime.descriptor_handle_increment_size(desc.heap_type);
        Live { size: Some(u64::from(desc.descriptor_count) * u64::from(increment)), ..Live::default() }
    }
});

/// ID3D12Device::CreateDescriptorHeap.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    desc: *const D3D12_DESCRIPTOR_HEAP_DESC,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<DescriptorHeap>, Failure> {
        // SAFETY: the pointer is the client's.
        let given = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDescriptorHeapDesc is NULL"))?;
        let runtime = this.runtime.create_descriptor_heap(&convert::descriptor_heap_desc(given)?)?;
        Ok(Object::create(DescriptorHeap { runtime, desc: *given }, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

impl ID3D12DescriptorHeap for DescriptorHeap {
    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_DESCRIPTOR_HEAP_DESC {
        this.desc
    }

    unsafe fn GetCPUDescriptorHandleForHeapStart(this: &Object<Self>) -> D3D12_CPU_DESCRIPTOR_HANDLE {
        convert::to_cpu_handle(this.runtime.cpu_start())
    }

    /// 0 of a heap that no shader sees, which is reported.
    unsafe fn GetGPUDescriptorHandleForHeapStart(this: &Object<Self>) -> D3D12_GPU_DESCRIPTOR_HANDLE {
        let start = this.device().attempt(|| Ok(this.runtime.gpu_start()?));
        D3D12_GPU_DESCRIPTOR_HANDLE { ptr: start.map_or(0, |start| start.ptr) }
    }
}
