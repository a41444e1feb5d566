//! What surrounds the memory system: info queue, factories, tools, root signatures, pipelines, residency.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ffi::{c_char, c_void};
use core::ptr;

use common::*;
use d3d12::layers::{D3D12GetDebugInterface, D3D12GetInterface};
use d3d12::pipeline::root_signature::{
    D3D12CreateVersionedRootSignatureDeserializer, D3D12SerializeVersionedRootSignature,
};
use d3d12::types::*;
use d3d12::vtables::*;

/// CLSID_D3D12DeviceFactory.
const DEVICE_FACTORY: GUID = GUID::parse("114863bf-c386-4aee-b39d-8f0bbb062955");

/// A device that no other test has.
fn own_device() -> Device {
    let factory: Com<ID3D12DeviceFactoryVtbl> =
        made(|out| unsafe { D3D12GetInterface(&DEVICE_FACTORY, &IID_ID3D12DeviceFactory, out) })
            .expect("a factory");
    made(|out| unsafe {
        (factory.v().CreateDevice)(factory.0, ptr::null_mut(), 0xc000, &IID_ID3D12Device15, out)
    })
    .expect("a device")
}

#[test]
fn children_hold_their_device_and_the_last_takes_it_along() {
    let device = own_device();
    assert_eq!(device.count(), 1);
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    assert_eq!(device.count(), 2);
    let buffer = placed(&device, &heap, 0, &buffer(256), 0).expect("a buffer");
    assert_eq!(device.count(), 3);
    assert_eq!(heap.count(), 1);
    let pointer = device.0;
    drop(device);
    drop(heap);
    let mut of = ptr::null_mut();
    assert_eq!(unsafe { (buffer.v().GetDevice)(buffer.0, &IID_ID3D12Device, &mut of) }, S_OK);
    assert_eq!(of, pointer);
    assert_eq!(Device::new(of).count(), 2);
}

#[test]
fn refused_calls_stand_in_the_info_queue() {
    let device = own_device();
    let queue: Com<ID3D12InfoQueue1Vtbl> = device.query(&IID_ID3D12InfoQueue).expect("an info queue");
    assert_eq!(queue.query::<()>(&IID_ID3D12Device).expect("the device").0, device.0, "one identity");
    let stored = || unsafe { (queue.v().GetNumStoredMessages)(queue.0) };
    assert_eq!(stored(), 0);
    assert_eq!(heap(&device, &heap_desc(0, DEFAULT)).err(), Some(E_INVALIDARG));
    assert_eq!(stored(), 1);
    let mut length = 0;
    unsafe {
        assert_eq!((queue.v().GetMessage)(queue.0, 0, ptr::null_mut(), &mut length), S_OK);
        let mut room = vec![0_u64; length.div_ceil(8)];
        let message = room.as_mut_ptr().cast::<D3D12_MESSAGE>();
        assert_eq!((queue.v().GetMessage)(queue.0, 0, message, &mut length), S_OK);
        // D3D12_MESSAGE_ID_CREATEHEAP_INVALIDSIZE, an error.
        assert_eq!(((*message).ID, (*message).Severity), (624, 1));
        assert!(!(*message).pDescription.is_null());
    }
    // A filter of severities keeps the next away; the limit lets the oldest go.
    let mut errors = [1_u32];
    let mut filter = D3D12_INFO_QUEUE_FILTER { ..D3D12_INFO_QUEUE_FILTER::zeroed() };
    filter.DenyList.NumSeverities = 1;
    filter.DenyList.pSeverityList = errors.as_mut_ptr();
    unsafe {
        assert_eq!((queue.v().PushStorageFilter)(queue.0, &mut filter), S_OK);
        assert_eq!(heap(&device, &heap_desc(0, DEFAULT)).err(), Some(E_INVALIDARG));
        assert_eq!((stored(), (queue.v().GetNumMessagesDeniedByStorageFilter)(queue.0)), (1, 1));
        (queue.v().PopStorageFilter)(queue.0);
        assert_eq!((queue.v().SetMessageCountLimit)(queue.0, 2), S_OK);
        for _ in 0..3 {
            let text: *const c_char = c"said by the program".as_ptr();
            assert_eq!((queue.v().AddApplicationMessage)(queue.0, 3, text), S_OK);
        }
        assert_eq!((stored(), (queue.v().GetNumMessagesDiscardedByMessageCountLimit)(queue.0)), (2, 2));
    }
}

#[test]
fn what_a_class_does_not_have_is_reported_once() {
    let device = own_device();
    let queue: Com<ID3D12InfoQueue1Vtbl> = device.query(&IID_ID3D12InfoQueue1).expect("an info queue");
    for _ in 0..2 {
        let result = unsafe { (device.v().ShaderCacheControl)(device.0, 0, 0) };
        assert_eq!(result, E_NOTIMPL);
    }
    assert_eq!(unsafe { (queue.v().GetNumStoredMessages)(queue.0) }, 1);
}

#[test]
fn layers_are_there_by_their_interfaces() {
    let debug: Com<ID3D12Debug6Vtbl> =
        made(|out| unsafe { D3D12GetDebugInterface(&IID_ID3D12Debug6, out) }).expect("a debug interface");
    let first: Com<ID3D12Debug1Vtbl> = debug.query(&IID_ID3D12Debug1).expect("an interface of its own");
    assert_ne!(first.0, debug.0);
    assert_eq!(first.query::<()>(&IID_IUnknown).expect("the identity").0, debug.0);
    made::<()>(|out| unsafe { D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings1, out) })
        .expect("DRED's settings");
    let wrong = made::<()>(|out| unsafe { D3D12GetDebugInterface(&IID_ID3D12Heap, out) });
    assert_eq!(wrong.err(), Some(E_NOINTERFACE));
    let device = own_device();
    for iid in [
        IID_ID3D12DebugDevice2,
        IID_ID3D12DebugDevice1,
        IID_ID3D12DeviceTools,
        IID_ID3D12DeviceConfiguration1,
    ] {
        device.query::<()>(&iid).expect("an interface of a device");
    }
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    let tools: Com<ID3D12PageableToolsVtbl> = heap.query(&IID_ID3D12PageableTools).expect("tools");
    let mut range = D3D12_GPU_VIRTUAL_ADDRESS_RANGE::zeroed();
    assert_eq!(unsafe { (tools.v().GetAllocation)(tools.0, &mut range) }, S_OK);
    assert_eq!(range.SizeInBytes, 1 << 20);
    assert_ne!(range.StartAddress, 0);
}

#[test]
fn root_signatures_and_pipelines_are_inert_objects() {
    let device = own_device();
    let mut parameter = D3D12_ROOT_PARAMETER::zeroed();
    // 32-bit constants: register 1, space 2, 3 of them.
    parameter.ParameterType = 1;
    parameter.u = RootParameterUnion { Words: [1, 2, 3] };
    let mut desc = D3D12_VERSIONED_ROOT_SIGNATURE_DESC::zeroed();
    desc.Version = 2;
    desc.Desc.NumParameters = 1;
    desc.Desc.pParameters = &parameter;
    desc.Desc.Flags = 1;
    let blob: Com<ID3D10BlobVtbl> =
        made(|out| unsafe { D3D12SerializeVersionedRootSignature(&desc, out, ptr::null_mut()) })
            .expect("a blob");
    let (bytes, length) = unsafe { ((blob.v().GetBufferPointer)(blob.0), (blob.v().GetBufferSize)(blob.0)) };
    let deserializer: Com<ID3D12VersionedRootSignatureDeserializerVtbl> = made(|out| unsafe {
        let iid = &IID_ID3D12VersionedRootSignatureDeserializer;
        D3D12CreateVersionedRootSignatureDeserializer(bytes, length, iid, out)
    })
    .expect("a deserializer");
    let mut read = ptr::null();
    unsafe {
        let at_1_0 = (deserializer.v().GetRootSignatureDescAtVersion)(deserializer.0, 1, &mut read);
        assert_eq!(
            (at_1_0, (*read).Version, (*read).Desc.NumParameters, (*read).Desc.Flags),
            (S_OK, 1, 1, 1)
        );
        assert_eq!((*(*read).Desc.pParameters).u.Words, [1, 2, 3]);
    }
    let create = |bytes: *const c_void, length| {
        made::<()>(|out| unsafe {
            (device.v().CreateRootSignature)(device.0, 0, bytes, length, &IID_ID3D12RootSignature, out)
        })
    };
    assert_eq!(create(bytes, length - 1).err(), Some(E_INVALIDARG));
    let signature = create(bytes, length).expect("a root signature");
    let mut pipeline_desc = D3D12_COMPUTE_PIPELINE_STATE_DESC::zeroed();
    pipeline_desc.pRootSignature = signature.0;
    let pipeline: Com<ID3D12PipelineState1Vtbl> = made(|out| unsafe {
        (device.v().CreateComputePipelineState)(device.0, &pipeline_desc, &IID_ID3D12PipelineState1, out)
    })
    .expect("a pipeline state");
    // Kept privately: the client's count does not show it, and the object comes back after its last release.
    assert_eq!(signature.count(), 1);
    let pointer = signature.0;
    drop(signature);
    let again: Com<()> =
        made(|out| unsafe { (pipeline.v().GetRootSignature)(pipeline.0, &IID_ID3D12RootSignature, out) })
            .expect("the root signature");
    assert_eq!((again.0, again.count()), (pointer, 1));
}

#[test]
fn residency_counts_and_refuses_what_has_none() {
    let device = own_device();
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    let objects = [heap.0];
    let make = |objects: &[*mut c_void]| unsafe { (device.v().MakeResident)(device.0, 1, objects.as_ptr()) };
    let evict = |objects: &[*mut c_void]| unsafe { (device.v().Evict)(device.0, 1, objects.as_ptr()) };
    assert_eq!((make(&objects), evict(&objects), evict(&objects)), (S_OK, S_OK, S_OK));
    assert_eq!(evict(&objects), E_INVALIDARG, "it is resident no more");
    assert_eq!(make(&objects), S_OK);
    for wrong in [ptr::null_mut(), device.0] {
        assert_eq!(make(&[wrong]), E_INVALIDARG);
    }
    let fence = fence(&device, 0);
    let enqueued = unsafe { (device.v().EnqueueMakeResident)(device.0, 0, 1, objects.as_ptr(), fence.0, 7) };
    assert_eq!((enqueued, unsafe { (fence.v().GetCompletedValue)(fence.0) }), (S_OK, 7));
    let priority =
        |value: u32| unsafe { (device.v().SetResidencyPriority)(device.0, 1, objects.as_ptr(), &value) };
    assert_eq!((priority(0x5000_0000), priority(0)), (S_OK, E_INVALIDARG));
}

#[test]
fn features_check_their_sizes() {
    let device = own_device();
    let check = |feature, data: &mut [u32], size: usize| unsafe {
        let size = u32::try_from(size).expect("a small size");
        (device.v().CheckFeatureSupport)(device.0, feature, data.as_mut_ptr().cast(), size)
    };
    let mut data = [0_u32; 16];
    // OPTIONS: 60 bytes, and no other size.
    assert_eq!(check(0, &mut data, 60), S_OK);
    assert_eq!(data[14], 2, "resource heap tier 2 of the profile discrete-8g");
    assert_eq!(check(0, &mut data, 56), E_INVALIDARG);
    assert_eq!(check(0, &mut data, 64), E_INVALIDARG);
    for (feature, size) in
        [(1, 16), (16, 20), (23, 12), (32, 8), (45, 8), (54, 4), (50, 16), (41, 12), (48, 40)]
    {
        data = [0; 16];
        assert_eq!(check(feature, &mut data, size), S_OK, "feature {feature}");
        assert_eq!(check(feature, &mut data, size + 4), E_INVALIDARG, "feature {feature}");
    }
    assert_eq!(check(9999, &mut data, 4), E_INVALIDARG);
    let null = unsafe { (device.v().CheckFeatureSupport)(device.0, 0, ptr::null_mut(), 60) };
    assert_eq!(null, E_INVALIDARG);
}

#[test]
fn executing_an_open_list_removes_the_device() {
    let device = own_device();
    let gpu = Gpu::new(&device, 0);
    unsafe { (gpu.queue.v().ExecuteCommandLists)(gpu.queue.0, 1, &gpu.list.0) };
    let reason = unsafe { (device.v().GetDeviceRemovedReason)(device.0) };
    assert_eq!(reason, DXGI_ERROR_INVALID_CALL);
    assert_eq!(heap(&device, &heap_desc(1 << 20, DEFAULT)).err(), Some(DXGI_ERROR_DEVICE_REMOVED));
    assert_eq!(unsafe { (gpu.fence.v().GetCompletedValue)(gpu.fence.0) }, u64::MAX);
}
