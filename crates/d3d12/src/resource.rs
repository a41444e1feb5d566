//! ID3D12Resource 0 to 2.

use core::ffi::c_void;
use core::ptr::NonNull;

use heapstone::spec::commands::Box3D;
use heapstone::{FootprintOutputs, MapPointer, Mapping, PlacedFootprint, ResourceDimension};

use crate::com::{Held, KeptHeap, Live, Object, class, faces};
use crate::convert;
use crate::device::Device;
use crate::failure::Failure;
use crate::heap::no_session;
use crate::types::{
    D3D12_BOX, D3D12_GPU_VIRTUAL_ADDRESS_RANGE, D3D12_HEAP_FLAGS, D3D12_HEAP_PROPERTIES, D3D12_RANGE,
    D3D12_RESOURCE_DESC, D3D12_RESOURCE_DESC1, E_INVALIDARG, E_OUTOFMEMORY, GUID, HRESULT, S_OK,
};
use crate::vtables::{ID3D12PageableTools, ID3D12Resource2};

/// A resource.
pub struct Resource {
    /// The library's.
    pub runtime: heapstone::Resource,
    /// As GetDesc tells it: asked for often.
    desc: D3D12_RESOURCE_DESC1,
    gpu_virtual_address: u64,
}

class!(Resource, ID3D12Resource2Vtbl, "ID3D12Resource", {
    fn face(this: &Object<Resource>, iid: &GUID) -> Option<NonNull<c_void>> {
        faces!(Resource, this, iid, [ID3D12PageableToolsVtbl])
    }

    fn renamed(this: &Object<Resource>, name: &str) {
        this.runtime.set_name(name);
    }

    fn live(this: &Object<Resource>) -> Live {
        Live {
            size: Some(this.runtime.size()),
            // All but the object's own: GPU work.
            internal_count: this.runtime.handle_count().saturating_sub(1),
            is_heap: None,
            in_heap: this.runtime.heap().map(KeptHeap::of),
        }
    }
});

impl Resource {
    /// The object of a resource.
    #[inline]
    #[must_use]
    pub fn create(device: &Object<Device>, runtime: heapstone::Resource) -> Held<Resource> {
        let body = || Resource {
            desc: convert::to_resource_desc1(runtime.desc()),
            gpu_virtual_address: runtime.gpu_virtual_address().0,
            runtime,
        };
        Object::create_with(body, Some(device), device.convention())
    }
}

impl ID3D12Resource2 for Resource {
    #[inline]
    unsafe fn Map(
        this: &Object<Self>,
        subresource: u32,
        read_range: *const D3D12_RANGE,
        data: *mut *mut c_void,
    ) -> HRESULT {
        let pointer = if data.is_null() { MapPointer::Null } else { MapPointer::Wanted };
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let range = unsafe { read_range.as_ref() }.map(convert::range);
            let Mapping { pointer: found, .. } = this.runtime.map(subresource, range, pointer)?;
            if data.is_null() {
                return Ok(());
            }
            let Some(found) = found else {
                // A phantom has no bytes that a client could touch.
                this.runtime.unmap(subresource, None)?;
                return Err(E_OUTOFMEMORY.into());
            };
            // SAFETY: the client's place for the pointer.
            unsafe { data.write(found.as_ptr().cast()) };
            Ok(())
        })
    }

    #[inline]
    unsafe fn Unmap(this: &Object<Self>, subresource: u32, written_range: *const D3D12_RANGE) {
        // SAFETY: the pointer is the client's.
        let range = unsafe { written_range.as_ref() }.map(convert::range);
        if let Err(error) = this.runtime.unmap(subresource, range) {
            this.device().report(error);
        }
    }

    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_RESOURCE_DESC {
        convert::without_region(&this.desc)
    }

    unsafe fn GetGPUVirtualAddress(this: &Object<Self>) -> u64 {
        this.gpu_virtual_address
    }

    unsafe fn WriteToSubresource(
        this: &Object<Self>,
        subresource: u32,
        destination_box: *const D3D12_BOX,
        source: *const c_void,
        row_pitch: u32,
        depth_pitch: u32,
    ) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let texels = unsafe { destination_box.as_ref() }.map(convert::box3d);
            let length = bytes_of_box(this, subresource, texels.as_ref(), row_pitch, depth_pitch);
            if source.is_null() && length > 0 {
                return Err(Failure::Argument("pSrcData is NULL"));
            }
            let bytes: &[u8] = match length {
                0 => &[],
                // SAFETY: the client gives as many bytes as box and pitches reach.
                _ => unsafe { core::slice::from_raw_parts(source.cast(), length) },
            };
            Ok(this.runtime.write_to_subresource(
                subresource,
                texels.as_ref(),
                bytes,
                row_pitch,
                depth_pitch,
            )?)
        })
    }

    unsafe fn ReadFromSubresource(
        this: &Object<Self>,
        destination: *mut c_void,
        row_pitch: u32,
        depth_pitch: u32,
        subresource: u32,
        source_box: *const D3D12_BOX,
    ) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let texels = unsafe { source_box.as_ref() }.map(convert::box3d);
            let length = bytes_of_box(this, subresource, texels.as_ref(), row_pitch, depth_pitch);
            if destination.is_null() && length > 0 {
                return Err(Failure::Argument("pDstData is NULL"));
            }
            let bytes: &mut [u8] = match length {
                0 => &mut [],
                // SAFETY: the client gives as many bytes as box and pitches reach.
                _ => unsafe { core::slice::from_raw_parts_mut(destination.cast(), length) },
            };
            Ok(this.runtime.read_from_subresource(
                bytes,
                row_pitch,
                depth_pitch,
                subresource,
                texels.as_ref(),
            )?)
        })
    }

    unsafe fn GetHeapProperties(
        this: &Object<Self>,
        properties: *mut D3D12_HEAP_PROPERTIES,
        flags: *mut D3D12_HEAP_FLAGS,
    ) -> HRESULT {
        this.device().done(|| {
            let (found, found_flags) = this.runtime.heap_properties()?;
            if !properties.is_null() {
                // SAFETY: the client's place for them.
                unsafe { properties.write(convert::to_heap_properties(&found)) };
            }
            if !flags.is_null() {
                // SAFETY: the client's place for them.
                unsafe { flags.write(found_flags.bits()) };
            }
            Ok(())
        })
    }

    unsafe fn GetProtectedResourceSession(
        _this: &Object<Self>,
        _iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the pointer is the client's.
        unsafe { no_session(out) }
    }

    unsafe fn GetDesc1(this: &Object<Self>) -> D3D12_RESOURCE_DESC1 {
        this.desc
    }
}

/// The bytes from the first texel of a box to its last with these pitches, as the client has them in memory; 0
/// where the call will be refused or copies nothing. C gives a pointer without a length.
fn bytes_of_box(
    this: &Object<Resource>,
    subresource: u32,
    texels: Option<&Box3D>,
    row_pitch: u32,
    depth_pitch: u32,
) -> usize {
    let desc = this.runtime.desc();
    if desc.dimension == ResourceDimension::Buffer {
        return 0;
    }
    let mut layouts = [PlacedFootprint::EMPTY];
    let outputs = FootprintOutputs { layouts: Some(&mut layouts), row_counts: None, row_sizes: None };
    // The footprint knows the subresource's plane: its size in texels, and its elements.
    if this.device().runtime.get_copyable_footprints(desc, subresource, 1, 0, outputs).is_err() {
        return 0;
    }
    let [plane] = layouts;
    let (width, height, depth) = match texels {
        Some(texels) if texels.is_empty() => return 0,
        Some(texels) => (texels.right - texels.left, texels.bottom - texels.top, texels.back - texels.front),
        None => (plane.width, plane.height, plane.depth),
    };
    let element = plane.format.info();
    let columns = width.div_ceil(element.element_width());
    let rows = height.div_ceil(element.element_height());
    let row = u64::from(columns) * u64::from(element.bits_per_element / 8);
    let slices = u64::from(depth.saturating_sub(1)) * u64::from(depth_pitch);
    let rows = u64::from(rows.saturating_sub(1)) * u64::from(row_pitch);
    let bytes = slices.saturating_add(rows).saturating_add(row);
    // No array has more than half of all addresses: such a box is refused by the resource's size.
    isize::try_from(bytes).map_or(0, isize::unsigned_abs)
}

impl ID3D12PageableTools for Resource {
    unsafe fn GetAllocation(this: &Object<Self>, out: *mut D3D12_GPU_VIRTUAL_ADDRESS_RANGE) -> HRESULT {
        // SAFETY: the pointer is the client's.
        let Some(out) = (unsafe { out.as_mut() }) else { return E_INVALIDARG };
        let range = this.runtime.allocation();
        out.StartAddress = range.start_address.0;
        out.SizeInBytes = range.size_in_bytes;
        S_OK
    }
}
