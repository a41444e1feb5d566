//! Queues, lists, fences, events, descriptors through their vtables (facts/behaviour.md).

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ffi::c_void;
use core::ptr;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsRawFd, FromRawFd, OwnedFd};

const DIRECT: u32 = 0;
const COPY: u32 = 3;

fn as_handle(descriptor: &OwnedFd) -> *mut c_void {
    ptr::without_provenance_mut(usize::try_from(descriptor.as_raw_fd()).expect("a descriptor"))
}

/// How often an eventfd was set since it was read last.
fn count(descriptor: &OwnedFd) -> u64 {
    let mut bytes = [0; 8];
    match rustix::io::read(descriptor, &mut bytes) {
        Ok(_) => u64::from_ne_bytes(bytes),
        Err(_) => 0,
    }
}

fn event() -> OwnedFd {
    eventfd(0, EventfdFlags::NONBLOCK).expect("an eventfd")
}

#[test]
fn a_buffer_is_copied_by_the_gpu() {
    let device = device();
    let gpu = Gpu::new(&device, COPY);
    let upload = committed(&device, UPLOAD, &buffer(4096), GENERIC_READ).expect("a buffer");
    let target = committed(&device, DEFAULT, &buffer(4096), 0).expect("a buffer");
    let readback = committed(&device, READBACK, &buffer(4096), COPY_DEST).expect("a buffer");
    for index in 0..4096 {
        unsafe { mapped(&upload).add(index).write(u8::try_from(index % 251).expect("a byte")) };
    }
    unsafe {
        (gpu.list.v().CopyResource)(gpu.list.0, target.0, upload.0);
        (gpu.list.v().CopyBufferRegion)(gpu.list.0, readback.0, 100, target.0, 1000, 17);
    }
    gpu.run();
    let read: Vec<u8> = (100..117).map(|index| unsafe { mapped(&readback).add(index).read() }).collect();
    let expected: Vec<u8> =
        (1000..1017).map(|index: u32| u8::try_from(index % 251).expect("a byte")).collect();
    assert_eq!(read, expected);
}

#[test]
fn a_texture_goes_up_and_comes_back() {
    let device = device();
    let gpu = Gpu::new(&device, DIRECT);
    let desc = texture(5, 3, 1, RGBA8);
    let image = committed(&device, DEFAULT, &desc, COPY_DEST).expect("a texture");
    let mut footprint = D3D12_PLACED_SUBRESOURCE_FOOTPRINT::zeroed();
    let (mut rows, mut row_size, mut total) = (0, 0, 0);
    unsafe {
        (device.v().GetCopyableFootprints)(
            device.0,
            &desc,
            0,
            1,
            0,
            &mut footprint,
            &mut rows,
            &mut row_size,
            &mut total,
        );
    }
    // 5 texels of 4 bytes; rows are 256 apart, and the last is not padded.
    assert_eq!((rows, row_size, footprint.Footprint.RowPitch, total), (3, 20, 256, 532));
    let upload = committed(&device, UPLOAD, &buffer(total), GENERIC_READ).expect("a buffer");
    let readback = committed(&device, READBACK, &buffer(total), COPY_DEST).expect("a buffer");
    for index in 0..532 {
        unsafe { mapped(&upload).add(index).write(u8::try_from(index % 253).expect("a byte")) };
    }
    let in_buffer = |resource: &Resource| D3D12_TEXTURE_COPY_LOCATION {
        pResource: resource.0,
        Type: 1,
        u: CopyLocationUnion { PlacedFootprint: footprint },
    };
    let in_texture = D3D12_TEXTURE_COPY_LOCATION {
        pResource: image.0,
        Type: 0,
        u: CopyLocationUnion { SubresourceIndex: 0 },
    };
    let mut barrier = D3D12_RESOURCE_BARRIER::zeroed();
    barrier.u.Transition = D3D12_RESOURCE_TRANSITION_BARRIER {
        pResource: image.0,
        Subresource: u32::MAX,
        StateBefore: COPY_DEST,
        StateAfter: 0x800,
    };
    unsafe {
        (gpu.list.v().CopyTextureRegion)(gpu.list.0, &in_texture, 0, 0, 0, &in_buffer(&upload), ptr::null());
        (gpu.list.v().ResourceBarrier)(gpu.list.0, 1, &barrier);
        (gpu.list.v().CopyTextureRegion)(
            gpu.list.0,
            &in_buffer(&readback),
            0,
            0,
            0,
            &in_texture,
            ptr::null(),
        );
    }
    gpu.run();
    for row in 0..3 {
        for byte in 0..20 {
            let at = row * 256 + byte;
            assert_eq!(unsafe { mapped(&readback).add(at).read() }, u8::try_from(at % 253).expect("a byte"));
        }
    }
}

#[test]
fn a_box_beyond_all_addresses_is_refused_and_nothing_else() {
    let device = device();
    let image = committed(&device, DEFAULT, &texture(4, 4, 1, RGBA8), COPY_DEST).expect("a texture");
    let mut bytes = [0_u8; 64];
    let most = u32::MAX;
    for end in [1 << 31, most] {
        let texels = D3D12_BOX { left: 0, top: 0, front: 0, right: end, bottom: end, back: end };
        let (write, read) = (image.v().WriteToSubresource, image.v().ReadFromSubresource);
        let written = unsafe { write(image.0, 0, &texels, bytes.as_ptr().cast(), most, most) };
        let read = unsafe { read(image.0, bytes.as_mut_ptr().cast(), most, most, 0, &texels) };
        assert_eq!((written, read), (E_INVALIDARG, E_INVALIDARG));
    }
    assert_eq!(unsafe { (device.v().GetDeviceRemovedReason)(device.0) }, S_OK);
}

#[test]
fn events_are_set_when_fences_reach_their_values() {
    let device = device();
    let fence = fence(&device, 5);
    assert_eq!(unsafe { (fence.v().GetCompletedValue)(fence.0) }, 5);
    let reached = event();
    let on = |value, event: &OwnedFd| unsafe {
        (fence.v().SetEventOnCompletion)(fence.0, value, as_handle(event))
    };
    assert_eq!(on(4, &reached), S_OK);
    assert_eq!(count(&reached), 1, "reached already: at once");
    assert_eq!(on(7, &reached), S_OK);
    assert_eq!(unsafe { (fence.v().Signal)(fence.0, 6) }, S_OK);
    assert_eq!(count(&reached), 0);
    assert_eq!(unsafe { (fence.v().Signal)(fence.0, 7) }, S_OK);
    assert_eq!(count(&reached), 1);
    // Values go back.
    assert_eq!(unsafe { (fence.v().Signal)(fence.0, 2) }, S_OK);
    assert_eq!(unsafe { (fence.v().GetCompletedValue)(fence.0) }, 2);
    // A client may close its event before it is set, and release the fence: nothing is hit.
    let closed = event();
    assert_eq!(on(9, &closed), S_OK);
    drop(closed);
    assert_eq!(on(9, &reached), S_OK);
    drop(fence);
    assert_eq!(count(&reached), 1, "releasing a fence lets its waiters go");
    let no_descriptor = ptr::without_provenance_mut(0x7fff_ffff);
    let other = common::fence(&device, 0);
    assert_eq!(unsafe { (other.v().SetEventOnCompletion)(other.0, 9, no_descriptor) }, E_HANDLE);
}

#[test]
fn a_shared_fences_value_is_there_whoever_signals_it() {
    let device = device();
    let gpu = Gpu::new(&device, COPY);
    // D3D12_FENCE_FLAG_SHARED
    let fence: Fence =
        made(|out| unsafe { (device.v().CreateFence)(device.0, 1, 1, &IID_ID3D12Fence1, out) })
            .expect("a fence");
    let mut handle = ptr::null_mut();
    let shared = unsafe {
        (device.v().CreateSharedHandle)(device.0, fence.0, ptr::null(), 0x1000_0000, ptr::null(), &mut handle)
    };
    assert_eq!(shared, S_OK);
    let descriptor = i32::try_from(handle.addr()).expect("a descriptor");
    drop(unsafe { OwnedFd::from_raw_fd(descriptor) });
    let value = || unsafe { (fence.v().GetCompletedValue)(fence.0) };
    assert_eq!(unsafe { (gpu.queue.v().Signal)(gpu.queue.0, fence.0, 5) }, S_OK);
    assert_eq!(value(), 5);
    let heap = heap(&device, &heap_desc(65_536, DEFAULT)).expect("a heap");
    let enqueued = unsafe { (device.v().EnqueueMakeResident)(device.0, 0, 1, &heap.0, fence.0, 9) };
    assert_eq!(enqueued, S_OK);
    assert_eq!(value(), 9);
}

#[test]
fn several_fences_are_waited_for() {
    let device = device();
    let fences = [fence(&device, 0), fence(&device, 0)];
    let pointers = [fences[0].0, fences[1].0];
    let values = [1, 1];
    let wait = |pointers: *const *mut c_void, values: *const u64, count, flags, event| unsafe {
        (device.v().SetEventOnMultipleFenceCompletion)(device.0, pointers, values, count, flags, event)
    };
    let (all, any) = (event(), event());
    assert_eq!(wait(pointers.as_ptr(), values.as_ptr(), 2, 0, as_handle(&all)), S_OK);
    assert_eq!(wait(pointers.as_ptr(), values.as_ptr(), 2, 1, as_handle(&any)), S_OK);
    unsafe { assert_eq!((fences[1].v().Signal)(fences[1].0, 1), S_OK) };
    assert_eq!((count(&all), count(&any)), (0, 1));
    unsafe { assert_eq!((fences[0].v().Signal)(fences[0].0, 1), S_OK) };
    assert_eq!((count(&all), count(&any)), (1, 0));
    assert_eq!(wait(pointers.as_ptr(), values.as_ptr(), 2, 0, ptr::null_mut()), S_OK, "NULL blocks: reached");
    // 0 fences, NULL arrays or unknown flags are refused.
    assert_eq!(wait(pointers.as_ptr(), values.as_ptr(), 0, 0, as_handle(&all)), E_INVALIDARG);
    assert_eq!(wait(ptr::null(), values.as_ptr(), 2, 0, as_handle(&all)), E_INVALIDARG);
    assert_eq!(wait(pointers.as_ptr(), ptr::null(), 2, 0, as_handle(&all)), E_INVALIDARG);
    assert_eq!(wait(pointers.as_ptr(), values.as_ptr(), 2, 2, as_handle(&all)), E_INVALIDARG);
    assert_eq!(wait([device.0].as_ptr(), values.as_ptr(), 1, 0, as_handle(&all)), E_INVALIDARG, "no fence");
}

#[test]
fn one_list_records_from_an_allocator_and_no_reset_disturbs_it() {
    let device = device();
    let gpu = Gpu::new(&device, DIRECT);
    assert_eq!(list(&device, DIRECT, &gpu.allocator).err(), Some(E_INVALIDARG));
    let reset = || unsafe { (gpu.allocator.v().Reset)(gpu.allocator.0) };
    assert_eq!(reset(), E_FAIL);
    assert_eq!(gpu.reset(), E_FAIL, "an open list is not reset");
    assert_eq!(gpu.close(), S_OK);
    assert_eq!(gpu.close(), E_FAIL, "a closed list is not closed");
    assert_eq!(reset(), S_OK);
    let of_another_type = allocator(&device, COPY).expect("an allocator");
    assert_eq!(list(&device, DIRECT, &of_another_type).err(), Some(E_INVALIDARG));
    let null = unsafe { (gpu.list.v().Reset)(gpu.list.0, ptr::null_mut(), ptr::null_mut()) };
    assert_eq!(null, E_INVALIDARG);
    assert_eq!(gpu.reset(), S_OK);
    assert_eq!(unsafe { (gpu.list.v().GetType)(gpu.list.0) }, DIRECT);
}

#[test]
fn a_list_with_a_refused_command_fails_at_close() {
    let device = device();
    let gpu = Gpu::new(&device, DIRECT);
    let target = committed(&device, DEFAULT, &buffer(256), 0).expect("a buffer");
    // NULL; an object that is no resource; a region beyond the buffer.
    for (source, size) in [(ptr::null_mut(), 1), (gpu.fence.0, 1), (target.0, 1000)] {
        unsafe { (gpu.list.v().CopyBufferRegion)(gpu.list.0, target.0, 0, source, 0, size) };
        assert_eq!(gpu.close(), E_INVALIDARG);
        assert_eq!(gpu.reset(), S_OK);
    }
    let mut barrier = D3D12_RESOURCE_BARRIER::zeroed();
    barrier.Type = 9;
    unsafe { (gpu.list.v().ResourceBarrier)(gpu.list.0, 1, &barrier) };
    assert_eq!(gpu.close(), E_INVALIDARG);
    assert_eq!(gpu.reset(), S_OK);
    // Draws are recorded without effect.
    unsafe {
        (gpu.list.v().DrawInstanced)(gpu.list.0, 3, 1, 0, 0);
        (gpu.list.v().Dispatch)(gpu.list.0, 1, 1, 1);
    }
    gpu.run();
}

#[test]
fn tiles_of_a_reserved_buffer_show_a_heap() {
    let device = device();
    let gpu = Gpu::new(&device, DIRECT);
    let reserved: Resource = made(|out| unsafe {
        let desc = buffer(2 * 65_536);
        let create = device.v().CreateReservedResource;
        create(device.0, &desc, 0, ptr::null(), &IID_ID3D12Resource2, out)
    })
    .expect("a reserved buffer");
    let (mut tiles, mut shape, mut count) = (0, D3D12_TILE_SHAPE::zeroed(), 1);
    let mut tiling = D3D12_SUBRESOURCE_TILING::zeroed();
    unsafe {
        let query = device.v().GetResourceTiling;
        query(device.0, reserved.0, &mut tiles, ptr::null_mut(), &mut shape, &mut count, 0, &mut tiling);
    }
    assert_eq!((tiles, shape.WidthInTexels, count, tiling.WidthInTiles), (2, 65_536, 1, 2));
    let mut desc = heap_desc(65_536, DEFAULT);
    // ALLOW_ONLY_BUFFERS
    desc.Flags = 0xc0;
    let heap = heap(&device, &desc).expect("a heap");
    let start = D3D12_TILED_RESOURCE_COORDINATE { X: 1, Y: 0, Z: 0, Subresource: 0 };
    let region = D3D12_TILE_REGION_SIZE { NumTiles: 1, UseBox: 0, Width: 0, Height: 0, Depth: 0 };
    unsafe {
        let update = gpu.queue.v().UpdateTileMappings;
        update(gpu.queue.0, reserved.0, 1, &start, &region, heap.0, 1, ptr::null(), &0, &1, 0);
        // NULL stands for one region and for one range: with other counts the call changes nothing.
        let (null, none) = (ptr::null(), ptr::null_mut());
        // D3D12_TILE_RANGE_FLAG_NULL
        for count in [0, 3] {
            update(gpu.queue.0, reserved.0, count, ptr::null(), ptr::null(), none, 1, &1, null, null, 0);
            update(gpu.queue.0, reserved.0, 1, &start, &region, heap.0, count, null, null, null, 0);
        }
    }
    let upload = committed(&device, UPLOAD, &buffer(16), GENERIC_READ).expect("a buffer");
    let readback = committed(&device, READBACK, &buffer(16), COPY_DEST).expect("a buffer");
    unsafe { mapped(&upload).add(3).write(77) };
    unsafe {
        (gpu.list.v().CopyBufferRegion)(gpu.list.0, reserved.0, 65_536, upload.0, 0, 16);
        (gpu.list.v().CopyBufferRegion)(gpu.list.0, readback.0, 0, reserved.0, 65_536, 16);
    }
    gpu.run();
    assert_eq!(unsafe { mapped(&readback).add(3).read() }, 77);
    // GetHeapProperties and Map of a reserved resource are refused and touch nothing.
    let mut properties = heap_desc(0, 77).Properties;
    let result = unsafe { (reserved.v().GetHeapProperties)(reserved.0, &mut properties, ptr::null_mut()) };
    assert_eq!((result, properties.Type), (E_INVALIDARG, 77));
}

#[test]
fn render_targets_are_cleared_through_their_views() {
    let device = device();
    let gpu = Gpu::new(&device, DIRECT);
    let mut desc = texture(4, 4, 1, RGBA8);
    // ALLOW_RENDER_TARGET, in the state RENDER_TARGET
    desc.Flags = 1;
    let image = committed(&device, DEFAULT, &desc, 4).expect("a texture");
    let heap_desc = D3D12_DESCRIPTOR_HEAP_DESC { Type: 2, NumDescriptors: 4, Flags: 0, NodeMask: 0 };
    let heap: Com<ID3D12DescriptorHeapVtbl> = made(|out| unsafe {
        (device.v().CreateDescriptorHeap)(device.0, &heap_desc, &IID_ID3D12DescriptorHeap, out)
    })
    .expect("a descriptor heap");
    type Start = unsafe extern "C" fn(*mut c_void) -> D3D12_CPU_DESCRIPTOR_HANDLE;
    type Desc = unsafe extern "C" fn(*mut c_void) -> D3D12_DESCRIPTOR_HEAP_DESC;
    let start = unsafe { slot::<Start>(&heap.v().GetCPUDescriptorHandleForHeapStart)(heap.0) };
    assert_eq!(unsafe { slot::<Desc>(&heap.v().GetDesc)(heap.0) }, heap_desc);
    let increment = unsafe { (device.v().GetDescriptorHandleIncrementSize)(device.0, 2) };
    assert!(increment > 0);
    let second =
        D3D12_CPU_DESCRIPTOR_HANDLE { ptr: start.ptr + usize::try_from(increment).expect("a small number") };
    unsafe {
        (device.v().CreateRenderTargetView)(device.0, image.0, ptr::null(), start);
        (device.v().CopyDescriptorsSimple)(device.0, 1, second, start, 2);
        let color = [1.0, 0.0, 0.5, 1.0];
        (gpu.list.v().ClearRenderTargetView)(gpu.list.0, second, color.as_ptr(), 0, ptr::null());
        let mut barrier = D3D12_RESOURCE_BARRIER::zeroed();
        barrier.u.Transition = D3D12_RESOURCE_TRANSITION_BARRIER {
            pResource: image.0,
            Subresource: 0,
            StateBefore: 4,
            StateAfter: 0x800,
        };
        (gpu.list.v().ResourceBarrier)(gpu.list.0, 1, &barrier);
    }
    assert_eq!(image.count(), 1, "a view holds nothing");
    let readback = committed(&device, READBACK, &buffer(1024), COPY_DEST).expect("a buffer");
    let mut footprint = D3D12_PLACED_SUBRESOURCE_FOOTPRINT::zeroed();
    footprint.Footprint =
        D3D12_SUBRESOURCE_FOOTPRINT { Format: RGBA8, Width: 4, Height: 4, Depth: 1, RowPitch: 256 };
    let to = D3D12_TEXTURE_COPY_LOCATION {
        pResource: readback.0,
        Type: 1,
        u: CopyLocationUnion { PlacedFootprint: footprint },
    };
    let from = D3D12_TEXTURE_COPY_LOCATION {
        pResource: image.0,
        Type: 0,
        u: CopyLocationUnion { SubresourceIndex: 0 },
    };
    unsafe { (gpu.list.v().CopyTextureRegion)(gpu.list.0, &to, 0, 0, 0, &from, ptr::null()) };
    gpu.run();
    // The last texel: 0.5 becomes 128, the nearest of 255 steps (round to nearest even of 127.5).
    let texel: Vec<u8> =
        (0..4).map(|byte| unsafe { mapped(&readback).add(3 * 256 + 12 + byte).read() }).collect();
    assert_eq!(texel, [255, 0, 128, 255]);
}

/// A blocking eventfd whose count is as high as it goes would hold up whoever sets it.
#[test]
fn an_event_that_is_set_as_often_as_can_be_holds_nobody_up() {
    let device = device();
    let fence = fence(&device, 0);
    let event = eventfd(0, EventfdFlags::empty()).expect("an eventfd");
    rustix::io::write(&event, &(u64::MAX - 1).to_ne_bytes()).expect("room for the highest count");
    assert_eq!(unsafe { (fence.v().SetEventOnCompletion)(fence.0, 1, as_handle(&event)) }, S_OK);
    assert_eq!(unsafe { (fence.v().Signal)(fence.0, 1) }, S_OK);
    assert_eq!(unsafe { (fence.v().GetCompletedValue)(fence.0) }, 1);
    assert_eq!(count(&event), u64::MAX - 1);
}
