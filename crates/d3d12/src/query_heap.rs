//! ID3D12QueryHeap.

use core::ffi::c_void;

use heapstone::spec::commands::{QueryHeapDesc, QueryHeapType};

use crate::com::{Held, Object, class, deliver, from_client};
use crate::device::Device;
use crate::failure::{Failure, Unknown};
use crate::types::{D3D12_QUERY_HEAP_DESC, GUID, HRESULT};
use crate::vtables::ID3D12QueryHeap;

/// A query heap.
pub struct QueryHeap {
    /// The library's, of timestamps. Other queries count what shaders and rasterisers do: nothing, as none run.
    pub runtime: Option<heapstone::QueryHeap>,
    /// D3D12_QUERY_HEAP_TYPE.
    pub heap_type: u32,
    /// How many queries.
    pub count: u32,
    /// D3D12_QUERY_HEAP_FLAGS.
    flags: u32,
}

/// D3D12_QUERY_HEAP_FLAG_CPU_RESOLVE (D3D12's public headers).
const CPU_RESOLVE: u32 = 1;

class!(QueryHeap, ID3D12QueryHeapVtbl, "ID3D12QueryHeap", {
    fn renamed(this: &Object<QueryHeap>, name: &str) {
        if let Some(runtime) = &this.runtime {
            runtime.set_name(name);
        }
    }
});

impl ID3D12QueryHeap for QueryHeap {}

/// D3D12_QUERY_HEAP_TYPE_OCCLUSION, PIPELINE_STATISTICS, SO_STATISTICS, VIDEO_DECODE_STATISTICS,
/// PIPELINE_STATISTICS1.
const INERT: &[u32] = &[0, 2, 3, 4, 7];

/// ID3D12Device::CreateQueryHeap, and ID3D12Device15::CreateQueryHeap1, which has flags.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    desc: *const D3D12_QUERY_HEAP_DESC,
    flags: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<QueryHeap>, Failure> {
        if flags & !CPU_RESOLVE != 0 {
            return Err(Unknown { field: "D3D12_QUERY_HEAP_FLAGS", given: u64::from(flags) }.into());
        }
        // SAFETY: the pointer is the client's.
        let desc = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
        let runtime = match QueryHeapType::from_d3d12(desc.Type) {
            Some(heap_type) => Some(this.runtime.create_query_heap(&QueryHeapDesc {
                heap_type,
                count: desc.Count,
                node_mask: desc.NodeMask,
            })?),
            None if !INERT.contains(&desc.Type) => {
                return Err(
                    Unknown { field: "D3D12_QUERY_HEAP_DESC.Type", given: u64::from(desc.Type) }.into()
                );
            }
            None if desc.Count == 0 => return Err(Failure::Argument("D3D12_QUERY_HEAP_DESC.Count is 0")),
            None => None,
        };
        let heap = QueryHeap { runtime, heap_type: desc.Type, count: desc.Count, flags };
        Ok(Object::create(heap, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// ID3D12Device15::ResolveQueryData: on the CPU, of a heap that was created for it. Timestamps alone have results here.
pub(crate) unsafe fn resolve(
    this: &Object<Device>,
    heap: *mut c_void,
    query_type: u32,
    start: u32,
    count: u32,
    data: *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the pointer is the client's.
    let heap = unsafe { from_client::<QueryHeap>(heap) }.filter(|heap| core::ptr::eq(heap.device(), this));
    let heap = heap.ok_or(Failure::Argument("pQueryHeap is no query heap of this device"))?;
    if heap.flags & CPU_RESOLVE == 0 {
        return Err(Failure::Argument("pQueryHeap was not created with D3D12_QUERY_HEAP_FLAG_CPU_RESOLVE"));
    }
    let Some(runtime) = &heap.runtime else {
        this.report_once(
            "ID3D12Device15::ResolveQueryData",
            "of queries other than timestamps writes nothing",
        );
        return Ok(());
    };
    if query_type != TIMESTAMP {
        return Err(Unknown {
            field: "D3D12_QUERY_TYPE of a heap of timestamps",
            given: u64::from(query_type),
        }
        .into());
    }
    let results = runtime.read_timestamps(start, count)?;
    if results.is_empty() {
        return Ok(());
    }
    if data.is_null() {
        return Err(Failure::Argument("pResolvedQueryData is NULL"));
    }
    // SAFETY: the client has room for as many results as it asks for, aligned as it likes.
    unsafe {
        core::ptr::copy_nonoverlapping(results.as_ptr().cast::<u8>(), data.cast(), size_of_val(&*results))
    };
    Ok(())
}

/// D3D12_QUERY_TYPE_TIMESTAMP.
const TIMESTAMP: u32 = 2;
