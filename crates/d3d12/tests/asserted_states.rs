//! ID3D12DebugCommandList 0 to 3, ID3D12DebugCommandQueue 0 and 1: assertions on a device that the debug layer watches.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ptr;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

const ALL: u32 = u32::MAX;
const COMMON: u32 = 0;
const COPY_SOURCE: u32 = 0x800;
/// PIXEL_SHADER_RESOURCE | NON_PIXEL_SHADER_RESOURCE.
const SHADER_RESOURCE: u32 = 0xc0;

fn transition(gpu: &Gpu, resource: &Resource, subresource: u32, before: u32, after: u32, flags: u32) {
    let mut barrier = D3D12_RESOURCE_BARRIER::zeroed();
    barrier.Flags = flags;
    barrier.u.Transition = D3D12_RESOURCE_TRANSITION_BARRIER {
        pResource: resource.0,
        Subresource: subresource,
        StateBefore: before,
        StateAfter: after,
    };
    unsafe { (gpu.list.v().ResourceBarrier)(gpu.list.0, 1, &barrier) };
}

/// The info queue, emptied.
fn messages(device: &Device) -> Com<ID3D12InfoQueue1Vtbl> {
    let queue: Com<ID3D12InfoQueue1Vtbl> = device.query(&IID_ID3D12InfoQueue).expect("an info queue");
    unsafe { (queue.v().ClearStoredMessages)(queue.0) };
    queue
}

fn stored(queue: &Com<ID3D12InfoQueue1Vtbl>) -> u64 {
    unsafe { (queue.v().GetNumStoredMessages)(queue.0) }
}

/// The first message's number.
fn first_id(queue: &Com<ID3D12InfoQueue1Vtbl>) -> u32 {
    let mut length = 0;
    unsafe {
        assert_eq!((queue.v().GetMessage)(queue.0, 0, ptr::null_mut(), &mut length), S_OK);
        let mut room = vec![0_u64; length.div_ceil(8)];
        let message = room.as_mut_ptr().cast::<D3D12_MESSAGE>();
        assert_eq!((queue.v().GetMessage)(queue.0, 0, message, &mut length), S_OK);
        (*message).ID
    }
}

#[test]
fn a_list_knows_what_its_barriers_told() {
    let device = watched_device();
    let image = committed(&device, DEFAULT, &texture(64, 64, 3, RGBA8), COMMON).expect("a texture");
    let gpu = Gpu::new(&device, 0);
    let debug: Com<ID3D12DebugCommandList1Vtbl> =
        gpu.list.query(&IID_ID3D12DebugCommandList1).expect("a debug list");
    let said = messages(&device);
    let holds = |subresource, state| unsafe {
        (debug.v().AssertResourceState)(debug.0, image.0, subresource, state) != 0
    };
    assert!(holds(0, COPY_DEST) && holds(ALL, COPY_SOURCE), "nothing is known yet");
    transition(&gpu, &image, ALL, COMMON, SHADER_RESOURCE, 0);
    assert!(holds(ALL, SHADER_RESOURCE) && holds(2, 0x80), "one of the read states");
    assert_eq!(stored(&said), 0);
    assert!(!holds(1, COPY_DEST));
    // D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE.
    assert_eq!((stored(&said), first_id(&said)), (1, 538));
    transition(&gpu, &image, 1, SHADER_RESOURCE, COPY_DEST, 0);
    assert!(holds(1, COPY_DEST) && holds(0, SHADER_RESOURCE) && !holds(ALL, SHADER_RESOURCE));
    // BEGIN_ONLY: in no state until END_ONLY.
    transition(&gpu, &image, 1, COPY_DEST, COPY_SOURCE, 1);
    assert!(holds(1, COPY_DEST) && holds(1, COPY_SOURCE));
    transition(&gpu, &image, 1, COPY_DEST, COPY_SOURCE, 2);
    assert!(holds(1, COPY_SOURCE) && !holds(1, COPY_DEST));
    assert!(!holds(3, COMMON), "there are three subresources");
    assert_eq!(gpu.close(), S_OK);
    assert_eq!(gpu.reset(), S_OK);
    assert!(holds(1, COPY_DEST), "a new recording knows nothing");
}

#[test]
fn a_queue_knows_what_lists_left() {
    let device = watched_device();
    let image = committed(&device, DEFAULT, &texture(64, 64, 2, RGBA8), COPY_DEST).expect("a texture");
    let local = committed(&device, DEFAULT, &buffer(256), COMMON).expect("a buffer");
    let upload = committed(&device, UPLOAD, &buffer(256), GENERIC_READ).expect("a buffer");
    let gpu = Gpu::new(&device, 0);
    let debug: Com<ID3D12DebugCommandQueue1Vtbl> =
        gpu.queue.query(&IID_ID3D12DebugCommandQueue).expect("a debug queue");
    let holds = |resource: &Resource, subresource, state| unsafe {
        (debug.v().AssertResourceState)(debug.0, resource.0, subresource, state) != 0
    };
    assert!(holds(&image, ALL, COPY_DEST) && !holds(&image, 0, COPY_SOURCE), "as created");
    assert!(holds(&upload, 0, GENERIC_READ) && holds(&local, 0, COMMON));
    transition(&gpu, &image, 1, COPY_DEST, COPY_SOURCE, 0);
    transition(&gpu, &local, ALL, COMMON, COPY_DEST, 0);
    assert!(holds(&image, 1, COPY_DEST), "the list is not executed");
    gpu.run();
    assert!(holds(&image, 0, COPY_DEST) && holds(&image, 1, COPY_SOURCE) && !holds(&image, 1, COPY_DEST));
    assert!(holds(&local, 0, COMMON) && !holds(&local, 0, COPY_DEST), "buffers decay");
    assert!(
        !holds(
            &Resource::new({
                device.add_ref();
                device.0
            }),
            0,
            COMMON
        ),
        "no resource"
    );
}

#[test]
fn accesses_and_layouts_are_of_enhanced_barriers() {
    let device = watched_device();
    let image = committed(&device, DEFAULT, &texture(64, 64, 3, RGBA8), COMMON).expect("a texture");
    let gpu = Gpu::new(&device, 0);
    let debug: Com<ID3D12DebugCommandList3Vtbl> =
        gpu.list.query(&IID_ID3D12DebugCommandList3).expect("a debug list");
    let said = messages(&device);
    let mut barrier = D3D12_TEXTURE_BARRIER::zeroed();
    // SYNC_NONE to SYNC_COPY, NO_ACCESS to COPY_DEST, COMMON to COPY_DEST; mips 1 and 2 of one slice.
    barrier.SyncAfter = 0x200;
    barrier.AccessBefore = 0x8000_0000;
    barrier.AccessAfter = 0x400;
    barrier.LayoutAfter = 8;
    barrier.pResource = image.0;
    barrier.Subresources.IndexOrFirstMipLevel = 1;
    barrier.Subresources.NumMipLevels = 2;
    let group = D3D12_BARRIER_GROUP { Type: 1, NumBarriers: 1, pBarriers: (&raw const barrier).cast() };
    unsafe {
        (gpu.list.v().Barrier)(gpu.list.0, 1, &group);
        assert_eq!(stored(&said), 0, "the barrier is accepted");
        let (layout, access) = (debug.v().AssertTextureLayout, debug.v().AssertResourceAccess);
        for mip in [1, 2] {
            layout(debug.0, image.0, mip, 8);
            access(debug.0, image.0, mip, 0x400);
        }
        layout(debug.0, image.0, 0, 7);
        assert_eq!(stored(&said), 0, "mip 0 is in no barrier");
        layout(debug.0, image.0, 2, 7);
        assert_eq!(stored(&said), 1);
        access(debug.0, image.0, 1, 0x800);
        assert_eq!(stored(&said), 2);
    }
    assert_eq!(gpu.close(), S_OK);
}

#[test]
fn debug_interfaces_keep_their_parameters() {
    let device = watched_device();
    let gpu = Gpu::new(&device, 0);
    for iid in [IID_ID3D12DebugCommandList, IID_ID3D12DebugCommandList2] {
        gpu.list.query::<()>(&iid).expect("a debug list");
    }
    gpu.queue.query::<()>(&IID_ID3D12DebugCommandQueue1).expect("a debug queue");
    let contract: Com<ID3D12SharingContractVtbl> =
        gpu.queue.query(&IID_ID3D12SharingContract).expect("a contract with tools");
    let said = messages(&device);
    unsafe { (contract.v().SharedFenceSignal)(contract.0, gpu.fence.0, 7) };
    assert_eq!((stored(&said), unsafe { (gpu.fence.v().GetCompletedValue)(gpu.fence.0) }), (0, 0));
    let debug: Com<ID3D12DebugCommandList3Vtbl> =
        gpu.list.query(&IID_ID3D12DebugCommandList3).expect("a debug list");
    unsafe {
        assert_eq!((debug.v().SetFeatureMask)(debug.0, 5), S_OK);
        assert_eq!((debug.v().GetFeatureMask)(debug.0), 5);
        let (mut value, set) = (3_u32, debug.v().SetDebugParameter);
        let get = debug.v().GetDebugParameter;
        // GPU_BASED_VALIDATION_SETTINGS: a mode of 4 bytes.
        assert_eq!(set(debug.0, 0, (&raw const value).cast(), 4), S_OK);
        value = 0;
        assert_eq!((get(debug.0, 0, (&raw mut value).cast(), 4), value), (S_OK, 3));
        assert_eq!(set(debug.0, 0, (&raw const value).cast(), 8), E_INVALIDARG);
        assert_eq!(set(debug.0, 1, (&raw const value).cast(), 4), E_INVALIDARG);
        assert_eq!(get(debug.0, 0, ptr::null_mut(), 4), E_INVALIDARG);
        assert_eq!((debug.v().AssertResourceState)(debug.0, ptr::null_mut(), 0, 0), 0, "NULL is in no state");
        (debug.v().AssertTextureLayout)(debug.0, ptr::null_mut(), 0, 0);
    }
}
