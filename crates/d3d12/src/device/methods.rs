//! The methods of the interface: each hands its arguments to who knows them.

use core::ffi::c_void;

use super::{Device, create, existing, features, query, residency, trim, views};
use crate::com::Object;
use crate::pipeline::{root_signature, state, state_library};
use crate::protected_session;
use crate::types::*;
use crate::vtables::ID3D12Device15;
use crate::{allocator, convert, descriptor_heap, fence, lifetime, list, query_heap, queue, sharing};

impl ID3D12Device15 for Device {
    unsafe fn GetNodeCount(this: &Object<Self>) -> u32 {
        this.runtime.profile().memory.node_count
    }

    unsafe fn CheckFeatureSupport(
        this: &Object<Self>,
        feature: u32,
        data: *mut c_void,
        size: u32,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { features::check(this, feature, data, size) })
    }

    #[inline]
    unsafe fn GetResourceAllocationInfo(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info(this, visible_mask, count, descs, core::ptr::null_mut()) }
    }

    unsafe fn GetResourceAllocationInfo1(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC,
        infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info(this, visible_mask, count, descs, infos) }
    }

    unsafe fn GetResourceAllocationInfo2(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC1,
        infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info(this, visible_mask, count, descs, infos) }
    }

    unsafe fn GetResourceAllocationInfo3(
        this: &Object<Self>,
        visible_mask: u32,
        count: u32,
        descs: *const D3D12_RESOURCE_DESC1,
        castable_counts: *const u32,
        castable_formats: *const *const DXGI_FORMAT,
        infos: *mut D3D12_RESOURCE_ALLOCATION_INFO1,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO {
        let castable = (castable_counts, castable_formats);
        // SAFETY: the arguments are the client's.
        unsafe { query::allocation_info_cast(this, visible_mask, count, descs, castable, infos) }
    }

    unsafe fn CreateLifetimeTracker(
        this: &Object<Self>,
        owner: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { lifetime::create(this, owner, iid, out) }
    }

    unsafe fn GetCustomHeapProperties(
        this: &Object<Self>,
        node_mask: u32,
        heap_type: u32,
    ) -> D3D12_HEAP_PROPERTIES {
        query::custom_heap_properties(this, node_mask, heap_type)
    }

    unsafe fn CreateCommittedResource(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreateHeap(
        this: &Object<Self>,
        desc: *const D3D12_HEAP_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { create::heap(this, desc, core::ptr::null_mut(), iid, out) }
    }

    #[inline]
    unsafe fn CreatePlacedResource(
        this: &Object<Self>,
        heap: *mut c_void,
        offset: u64,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::placed(this, heap, offset, desc, &begins, iid, out) }
    }

    unsafe fn CreateReservedResource(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::reserved(this, desc, &begins, iid, out) }
    }

    unsafe fn CreateSharedHandle(
        this: &Object<Self>,
        object: *mut c_void,
        attributes: *const SECURITY_ATTRIBUTES,
        access: u32,
        name: *const c_void,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { sharing::create_handle(this, object, attributes, access, name, out) }
    }

    unsafe fn OpenSharedHandle(
        this: &Object<Self>,
        handle: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { sharing::open_handle(this, handle, iid, out) }
    }

    unsafe fn OpenSharedHandleByName(
        this: &Object<Self>,
        name: *const c_void,
        access: u32,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { sharing::open_by_name(this, name, access, out) }
    }

    unsafe fn OpenExistingHeapFromAddress(
        this: &Object<Self>,
        address: *const c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { existing::from_address(this, address, None, iid, out) }
    }

    unsafe fn OpenExistingHeapFromAddress1(
        this: &Object<Self>,
        address: *const c_void,
        size: usize,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { existing::from_address(this, address, Some(size), iid, out) }
    }

    unsafe fn OpenExistingHeapFromFileMapping(
        this: &Object<Self>,
        handle: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { existing::from_file_mapping(this, handle, iid, out) }
    }

    unsafe fn RegisterTrimNotificationCallback(
        this: &Object<Self>,
        data: *mut D3D12_REGISTER_TRIM_NOTIFICATION,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { trim::register(this, data) })
    }

    unsafe fn UnregisterTrimNotificationCallback(this: &Object<Self>, cookie: u32) -> HRESULT {
        this.done(|| trim::unregister(this, cookie))
    }

    #[inline]
    unsafe fn MakeResident(this: &Object<Self>, count: u32, pageables: *const *mut c_void) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { residency::make_resident(this, count, pageables) })
    }

    #[inline]
    unsafe fn Evict(this: &Object<Self>, count: u32, pageables: *const *mut c_void) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { residency::evict(this, count, pageables) })
    }

    unsafe fn SetResidencyPriority(
        this: &Object<Self>,
        count: u32,
        pageables: *const *mut c_void,
        priorities: *const D3D12_RESIDENCY_PRIORITY,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { residency::set_priorities(this, count, pageables, priorities) })
    }

    unsafe fn EnqueueMakeResident(
        this: &Object<Self>,
        flags: u32,
        count: u32,
        pageables: *const *mut c_void,
        fence: *mut c_void,
        value: u64,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { residency::enqueue(this, flags, count, pageables, fence, value) })
    }

    unsafe fn GetDeviceRemovedReason(this: &Object<Self>) -> HRESULT {
        this.removed_code()
    }

    unsafe fn GetCopyableFootprints(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        first: u32,
        count: u32,
        base_offset: u64,
        layouts: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
        row_counts: *mut u32,
        row_sizes: *mut u64,
        total: *mut u64,
    ) {
        let outputs = query::FootprintPointers { layouts, row_counts, row_sizes, total };
        // SAFETY: the arguments are the client's.
        unsafe { query::copyable_footprints(this, desc, first, count, base_offset, &outputs) }
    }

    unsafe fn GetCopyableFootprints1(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC1,
        first: u32,
        count: u32,
        base_offset: u64,
        layouts: *mut D3D12_PLACED_SUBRESOURCE_FOOTPRINT,
        row_counts: *mut u32,
        row_sizes: *mut u64,
        total: *mut u64,
    ) {
        let outputs = query::FootprintPointers { layouts, row_counts, row_sizes, total };
        // SAFETY: the arguments are the client's.
        unsafe { query::copyable_footprints(this, desc, first, count, base_offset, &outputs) }
    }

    unsafe fn GetResourceTiling(
        this: &Object<Self>,
        resource: *mut c_void,
        total_tiles: *mut u32,
        packed_mip: *mut D3D12_PACKED_MIP_INFO,
        tile_shape: *mut D3D12_TILE_SHAPE,
        subresource_count: *mut u32,
        first_subresource: u32,
        subresources: *mut D3D12_SUBRESOURCE_TILING,
    ) {
        let outputs =
            query::TilingPointers { total_tiles, packed_mip, tile_shape, subresource_count, subresources };
        // SAFETY: the arguments are the client's.
        unsafe { query::resource_tiling(this, resource, first_subresource, &outputs) }
    }

    unsafe fn GetAdapterLuid(this: &Object<Self>) -> LUID {
        this.entry.luid
    }

    unsafe fn CreateCommittedResource1(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value).protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreateHeap1(
        this: &Object<Self>,
        desc: *const D3D12_HEAP_DESC,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { create::heap(this, desc, session, iid, out) }
    }

    unsafe fn CreateReservedResource1(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value).protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::reserved(this, desc, &begins, iid, out) }
    }

    unsafe fn RemoveDevice(this: &Object<Self>) {
        this.runtime.remove();
    }

    unsafe fn CreateCommittedResource2(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC1,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value).protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreatePlacedResource1(
        this: &Object<Self>,
        heap: *mut c_void,
        offset: u64,
        desc: *const D3D12_RESOURCE_DESC1,
        state: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_state(state, clear_value);
        // SAFETY: the arguments are the client's.
        unsafe { create::placed(this, heap, offset, desc, &begins, iid, out) }
    }

    unsafe fn CreateCommittedResource3(
        this: &Object<Self>,
        properties: *const D3D12_HEAP_PROPERTIES,
        heap_flags: u32,
        desc: *const D3D12_RESOURCE_DESC1,
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_layout(layout, clear_value, castable_count, castable_formats);
        let begins = begins.protected_by(session);
        // SAFETY: the arguments are the client's.
        unsafe { create::committed(this, properties, heap_flags, desc, &begins, iid, out) }
    }

    unsafe fn CreatePlacedResource2(
        this: &Object<Self>,
        heap: *mut c_void,
        offset: u64,
        desc: *const D3D12_RESOURCE_DESC1,
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_layout(layout, clear_value, castable_count, castable_formats);
        // SAFETY: the arguments are the client's.
        unsafe { create::placed(this, heap, offset, desc, &begins, iid, out) }
    }

    unsafe fn CreateReservedResource2(
        this: &Object<Self>,
        desc: *const D3D12_RESOURCE_DESC,
        layout: u32,
        clear_value: *const D3D12_CLEAR_VALUE,
        session: *mut c_void,
        castable_count: u32,
        castable_formats: *const DXGI_FORMAT,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        let begins = create::Begins::in_layout(layout, clear_value, castable_count, castable_formats);
        // SAFETY: the arguments are the client's.
        unsafe { create::reserved(this, desc, &begins.protected_by(session), iid, out) }
    }

    unsafe fn CreateCommandQueue(
        this: &Object<Self>,
        desc: *const D3D12_COMMAND_QUEUE_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { queue::create(this, desc, iid, out) }
    }

    /// The creator's identifier changes nothing: it groups queues for a scheduler that is not there.
    unsafe fn CreateCommandQueue1(
        this: &Object<Self>,
        desc: *const D3D12_COMMAND_QUEUE_DESC,
        _creator: *const GUID,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { queue::create(this, desc, iid, out) }
    }

    unsafe fn CreateCommandAllocator(
        this: &Object<Self>,
        list_type: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { allocator::create(this, list_type, iid, out) }
    }

    unsafe fn CreateCommandList(
        this: &Object<Self>,
        node_mask: u32,
        list_type: u32,
        allocator: *mut c_void,
        _pipeline: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { list::create(this, node_mask, list_type, allocator, iid, out) }
    }

    unsafe fn CreateCommandList1(
        this: &Object<Self>,
        node_mask: u32,
        list_type: u32,
        flags: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { list::create_closed(this, node_mask, list_type, flags, iid, out) }
    }

    unsafe fn CreateFence(
        this: &Object<Self>,
        initial_value: u64,
        flags: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { fence::create(this, initial_value, flags, iid, out) }
    }

    unsafe fn SetEventOnMultipleFenceCompletion(
        this: &Object<Self>,
        fences: *const *mut c_void,
        values: *const u64,
        count: u32,
        flags: u32,
        event: *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { fence::set_event_on_multiple(this, fences, values, count, flags, event) }
    }

    unsafe fn CreateQueryHeap(
        this: &Object<Self>,
        desc: *const D3D12_QUERY_HEAP_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { query_heap::create(this, desc, 0, iid, out) }
    }

    unsafe fn CreateQueryHeap1(
        this: &Object<Self>,
        desc: *const D3D12_QUERY_HEAP_DESC,
        flags: u32,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { query_heap::create(this, desc, flags, iid, out) }
    }

    unsafe fn ResolveQueryData(
        this: &Object<Self>,
        heap: *mut c_void,
        query_type: u32,
        start: u32,
        count: u32,
        data: *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { query_heap::resolve(this, heap, query_type, start, count, data) })
    }

    unsafe fn CreateDescriptorHeap(
        this: &Object<Self>,
        desc: *const D3D12_DESCRIPTOR_HEAP_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { descriptor_heap::create(this, desc, iid, out) }
    }

    unsafe fn GetDescriptorHandleIncrementSize(this: &Object<Self>, heap_type: u32) -> u32 {
        let size = this.attempt(|| {
            let heap_type = convert::descriptor_heap_type(heap_type)?;
            Ok(this.runtime.descriptor_handle_increment_size(heap_type))
        });
        size.unwrap_or(0)
    }

    #[inline]
    unsafe fn CreateConstantBufferView(
        this: &Object<Self>,
        desc: *const D3D12_CONSTANT_BUFFER_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::constant_buffer(this, desc, at) });
    }

    unsafe fn CreateShaderResourceView(
        this: &Object<Self>,
        resource: *mut c_void,
        desc: *const D3D12_SHADER_RESOURCE_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::shader_resource_view(this, resource, desc, at) });
    }

    unsafe fn CreateUnorderedAccessView(
        this: &Object<Self>,
        resource: *mut c_void,
        counter: *mut c_void,
        desc: *const D3D12_UNORDERED_ACCESS_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::unordered_access_view(this, resource, counter, desc, at) });
    }

    unsafe fn CreateRenderTargetView(
        this: &Object<Self>,
        resource: *mut c_void,
        desc: *const D3D12_RENDER_TARGET_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::render_target_view(this, resource, desc, at) });
    }

    unsafe fn CreateDepthStencilView(
        this: &Object<Self>,
        resource: *mut c_void,
        desc: *const D3D12_DEPTH_STENCIL_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::depth_stencil_view(this, resource, desc, at) });
    }

    #[inline]
    unsafe fn CreateSampler(
        this: &Object<Self>,
        desc: *const D3D12_SAMPLER_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::sampler(this, desc, at) });
    }

    unsafe fn CreateSampler2(
        this: &Object<Self>,
        desc: *const D3D12_SAMPLER_DESC2,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) {
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::sampler2(this, desc, at) });
    }

    unsafe fn TryCreateShaderResourceView(
        this: &Object<Self>,
        resource: *mut c_void,
        desc: *const D3D12_SHADER_RESOURCE_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { views::shader_resource_view(this, resource, desc, at) })
    }

    unsafe fn TryCreateUnorderedAccessView(
        this: &Object<Self>,
        resource: *mut c_void,
        counter: *mut c_void,
        desc: *const D3D12_UNORDERED_ACCESS_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { views::unordered_access_view(this, resource, counter, desc, at) })
    }

    unsafe fn TryCreateConstantBufferView(
        this: &Object<Self>,
        desc: *const D3D12_CONSTANT_BUFFER_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { views::constant_buffer(this, desc, at) })
    }

    unsafe fn TryCreateSampler2(
        this: &Object<Self>,
        desc: *const D3D12_SAMPLER_DESC2,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { views::sampler2(this, desc, at) })
    }

    unsafe fn TryCreateRenderTargetView(
        this: &Object<Self>,
        resource: *mut c_void,
        desc: *const D3D12_RENDER_TARGET_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { views::render_target_view(this, resource, desc, at) })
    }

    unsafe fn TryCreateDepthStencilView(
        this: &Object<Self>,
        resource: *mut c_void,
        desc: *const D3D12_DEPTH_STENCIL_VIEW_DESC,
        at: D3D12_CPU_DESCRIPTOR_HANDLE,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        this.done(|| unsafe { views::depth_stencil_view(this, resource, desc, at) })
    }

    unsafe fn CopyDescriptors(
        this: &Object<Self>,
        destination_count: u32,
        destination_starts: *const D3D12_CPU_DESCRIPTOR_HANDLE,
        destination_sizes: *const u32,
        source_count: u32,
        source_starts: *const D3D12_CPU_DESCRIPTOR_HANDLE,
        source_sizes: *const u32,
        heap_type: u32,
    ) {
        let destination =
            views::Ranges { count: destination_count, starts: destination_starts, sizes: destination_sizes };
        let source = views::Ranges { count: source_count, starts: source_starts, sizes: source_sizes };
        // SAFETY: the arguments are the client's.
        let _ = this.done(|| unsafe { views::copy(this, &destination, &source, heap_type) });
    }

    #[inline]
    unsafe fn CopyDescriptorsSimple(
        this: &Object<Self>,
        count: u32,
        destination: D3D12_CPU_DESCRIPTOR_HANDLE,
        source: D3D12_CPU_DESCRIPTOR_HANDLE,
        heap_type: u32,
    ) {
        let _ = this.done(|| views::copy_simple(this, count, destination, source, heap_type));
    }

    unsafe fn CreateRootSignature(
        this: &Object<Self>,
        _node_mask: u32,
        blob: *const c_void,
        length: usize,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { root_signature::create(this, blob, length, iid, out) }
    }

    unsafe fn CreateGraphicsPipelineState(
        this: &Object<Self>,
        desc: *const c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { state::create(this, desc, iid, out) }
    }

    unsafe fn CreateComputePipelineState(
        this: &Object<Self>,
        desc: *const D3D12_COMPUTE_PIPELINE_STATE_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { state::create(this, desc.cast(), iid, out) }
    }

    unsafe fn CreatePipelineState(
        this: &Object<Self>,
        desc: *const D3D12_PIPELINE_STATE_STREAM_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { state::create_from_stream(this, desc, iid, out) }
    }

    unsafe fn CreatePipelineLibrary(
        this: &Object<Self>,
        blob: *const c_void,
        length: usize,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { state_library::create(this, blob, length, iid, out) }
    }

    unsafe fn CreateCommandSignature(
        this: &Object<Self>,
        desc: *const D3D12_COMMAND_SIGNATURE_DESC,
        _root_signature: *mut c_void,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { state::create_command_signature(this, desc, iid, out) }
    }

    /// No clock changes: there is nothing to hold.
    unsafe fn SetStablePowerState(_this: &Object<Self>, _enable: BOOL) -> HRESULT {
        S_OK
    }

    /// D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE: nothing is serialized for a driver here.
    unsafe fn CheckDriverMatchingIdentifier(
        _this: &Object<Self>,
        _kind: u32,
        _identifier: *const c_void,
    ) -> u32 {
        1
    }

    /// There are none.
    unsafe fn EnumerateMetaCommands(_this: &Object<Self>, count: *mut u32, _descs: *mut c_void) -> HRESULT {
        if count.is_null() {
            return E_INVALIDARG;
        }
        // SAFETY: the client's place for it.
        unsafe { count.write(0) };
        S_OK
    }

    unsafe fn CreateProtectedResourceSession(
        this: &Object<Self>,
        desc: *const D3D12_PROTECTED_RESOURCE_SESSION_DESC,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { protected_session::create(this, desc.as_ref().map(protected_session::desc1), iid, out) }
    }

    unsafe fn CreateProtectedResourceSession1(
        this: &Object<Self>,
        desc: *const D3D12_PROTECTED_RESOURCE_SESSION_DESC1,
        iid: *const GUID,
        out: *mut *mut c_void,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { protected_session::create(this, desc.as_ref().copied(), iid, out) }
    }
}
