//! ID3D12QueryHeap.

use core::ffi::c_void;

use heapstone::spec::commands::{QueryHeapDesc, QueryHeapType};

use crate::com::{Held, Object, class, deliver};
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
}

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

/// ID3D12Device::CreateQueryHeap.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    desc: *const D3D12_QUERY_HEAP_DESC,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<QueryHeap>, Failure> {
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
        let heap = QueryHeap { runtime, heap_type: desc.Type, count: desc.Count };
        Ok(Object::create(heap, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}
