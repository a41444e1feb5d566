//! facts/behaviour.md through the C interface: what is accepted, and the exact code of what is not.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ffi::c_void;
use core::ptr;

use common::*;
use d3d12::layers::D3D12GetInterface;
use d3d12::types::*;
use d3d12::vtables::*;

type GetDesc = unsafe extern "C" fn(*mut c_void) -> D3D12_RESOURCE_DESC;

fn desc_of(resource: &Resource) -> D3D12_RESOURCE_DESC {
    unsafe { slot::<GetDesc>(&resource.v().GetDesc)(resource.0) }
}

/// DXGI_FORMAT_BC1_UNORM.
const BC1: u32 = 71;

#[test]
fn more_mips_than_the_chain_are_accepted_and_told() {
    let image = committed(&device(), DEFAULT, &texture(32, 32, 10, RGBA8), 0).expect("accepted");
    assert_eq!(desc_of(&image).MipLevels, 10);
}

#[test]
fn msaa_is_aligned_to_4_mib_and_no_samples_are_refused() {
    let device = device();
    let mut desc = texture(32, 32, 1, RGBA8);
    desc.Flags = 1;
    desc.SampleDesc.Count = 4;
    let image = committed(&device, DEFAULT, &desc, 4).expect("accepted");
    assert_eq!(desc_of(&image).Alignment, 4 << 20);
    desc.SampleDesc.Count = 0;
    assert_eq!(committed(&device, DEFAULT, &desc, 4).err(), Some(E_INVALIDARG));
}

#[test]
fn unaligned_blocks_are_legal_but_not_in_1d() {
    let device = device();
    for (width, height) in [(32, 31), (30, 30), (2, 2)] {
        assert!(committed(&device, DEFAULT, &texture(width, height, 1, BC1), 0).is_ok(), "{width}x{height}");
    }
    let line = D3D12_RESOURCE_DESC { Dimension: 2, ..texture(32, 1, 1, BC1) };
    assert_eq!(committed(&device, DEFAULT, &line, 0).err(), Some(E_INVALIDARG));
}

#[test]
fn heaps_of_the_cpu_have_states_of_their_own() {
    let device = device();
    for state in [GENERIC_READ, 0, 0x800] {
        assert!(committed(&device, UPLOAD, &buffer(256), state).is_ok(), "UPLOAD in {state:#x}");
    }
    for state in [COPY_DEST, 0] {
        assert!(committed(&device, READBACK, &buffer(256), state).is_ok(), "READBACK in {state:#x}");
    }
    for state in [GENERIC_READ, 0x800] {
        assert_eq!(committed(&device, READBACK, &buffer(256), state).err(), Some(E_INVALIDARG), "{state:#x}");
    }
}

#[test]
fn buffers_have_their_flags() {
    let device = device();
    let with = |flags| D3D12_RESOURCE_DESC { Flags: flags, ..buffer(256) };
    // ALLOW_RENDER_TARGET yes; ALLOW_DEPTH_STENCIL and SIMULTANEOUS_ACCESS no.
    assert!(committed(&device, DEFAULT, &with(0x1), 0).is_ok());
    for refused in [0x2, 0x20] {
        assert_eq!(committed(&device, DEFAULT, &with(refused), 0).err(), Some(E_INVALIDARG), "{refused:#x}");
    }
    for refused in [0x1, 0x4] {
        assert_eq!(committed(&device, UPLOAD, &with(refused), GENERIC_READ).err(), Some(E_INVALIDARG));
        assert_eq!(committed(&device, READBACK, &with(refused), COPY_DEST).err(), Some(E_INVALIDARG));
    }
    let no_mips = D3D12_RESOURCE_DESC { MipLevels: 0, ..buffer(256) };
    assert_eq!(committed(&device, DEFAULT, &no_mips, 0).err(), Some(E_INVALIDARG));
}

#[test]
fn a_resource_beyond_its_heap_is_refused() {
    let device = device();
    let heap = heap(&device, &heap_desc(65_536, DEFAULT)).expect("a heap");
    assert!(placed(&device, &heap, 0, &buffer(65_536), 0).is_ok());
    assert_eq!(placed(&device, &heap, 65_536, &buffer(1), 0).err(), Some(E_INVALIDARG));
    assert_eq!(placed(&device, &heap, u64::MAX - 65_535, &buffer(1), 0).err(), Some(E_INVALIDARG));
}

#[test]
fn map_of_a_default_buffer_is_refused_and_wrong_unmaps_are_harmless() {
    let device = device();
    let target = committed(&device, DEFAULT, &buffer(256), 0).expect("a buffer");
    let mut data = ptr::dangling_mut();
    let map = |resource: &Resource, data: *mut *mut c_void| unsafe {
        (resource.v().Map)(resource.0, 0, ptr::null(), data)
    };
    assert_eq!((map(&target, &mut data), data), (E_INVALIDARG, ptr::dangling_mut()));
    let upload = committed(&device, UPLOAD, &buffer(256), GENERIC_READ).expect("a buffer");
    assert_eq!(map(&upload, ptr::null_mut()), S_OK, "NULL succeeds on buffers");
    unsafe {
        (upload.v().Unmap)(upload.0, 7, ptr::null());
        (upload.v().Unmap)(upload.0, 0, ptr::null());
    }
}

#[test]
fn subresources_of_buffers_are_neither_written_nor_read() {
    let upload = committed(&device(), UPLOAD, &buffer(256), GENERIC_READ).expect("a buffer");
    let mut bytes = [0_u8; 256];
    unsafe {
        let write = upload.v().WriteToSubresource;
        assert_eq!(write(upload.0, 0, ptr::null(), bytes.as_ptr().cast(), 256, 256), E_INVALIDARG);
        let read = upload.v().ReadFromSubresource;
        assert_eq!(read(upload.0, bytes.as_mut_ptr().cast(), 256, 256, 0, ptr::null()), E_INVALIDARG);
    }
}

/// CLSID_D3D12SDKConfiguration.
const SDK_CONFIGURATION: GUID = GUID::parse("7cda6aca-a03e-49c8-9458-0334d20e07ce");

/// A device of an SDK version.
fn device_of(sdk: u32) -> Device {
    let configuration: Com<ID3D12SDKConfiguration1Vtbl> =
        made(|out| unsafe { D3D12GetInterface(&SDK_CONFIGURATION, &IID_ID3D12SDKConfiguration1, out) })
            .expect("a configuration");
    let factory: Com<ID3D12DeviceFactoryVtbl> = made(|out| unsafe {
        let create = configuration.v().CreateDeviceFactory;
        create(configuration.0, sdk, c".".as_ptr(), &IID_ID3D12DeviceFactory, out)
    })
    .expect("a factory");
    made(|out| unsafe {
        (factory.v().CreateDevice)(factory.0, ptr::null_mut(), 0xb000, &IID_ID3D12Device15, out)
    })
    .expect("a device")
}

#[test]
fn what_606_made_legal_was_refused_before() {
    let (old, new) = (device_of(4), device_of(606));
    for (width, height) in [(32, 31), (30, 30), (2, 2)] {
        let blocks = texture(width, height, 1, BC1);
        assert_eq!(committed(&old, DEFAULT, &blocks, 0).err(), Some(E_INVALIDARG), "{width}x{height}");
        assert!(committed(&new, DEFAULT, &blocks, 0).is_ok(), "{width}x{height}");
    }
    assert!(committed(&old, DEFAULT, &texture(32, 32, 1, BC1), 0).is_ok());
    // COMMON and COPY_SOURCE of UPLOAD, COMMON of READBACK.
    for (heap_type, state) in [(UPLOAD, 0), (UPLOAD, 0x800), (READBACK, 0)] {
        let refused = committed(&old, heap_type, &buffer(256), state).err();
        assert_eq!(refused, Some(E_INVALIDARG), "{heap_type} in {state:#x}");
        assert!(committed(&new, heap_type, &buffer(256), state).is_ok(), "{heap_type} in {state:#x}");
    }
    assert!(committed(&old, UPLOAD, &buffer(256), GENERIC_READ).is_ok());
    assert!(committed(&old, READBACK, &buffer(256), COPY_DEST).is_ok());
}

/// Sizes that real implementations gave: ours hold the texels, and are no more than a quarter above theirs.
#[test]
fn sizes_are_plausible() {
    let device = device();
    let info = |desc: &D3D12_RESOURCE_DESC| unsafe {
        type Get = unsafe extern "C" fn(
            *mut c_void,
            u32,
            u32,
            *const D3D12_RESOURCE_DESC,
        ) -> D3D12_RESOURCE_ALLOCATION_INFO;
        slot::<Get>(&device.v().GetResourceAllocationInfo)(device.0, 0, 1, desc)
    };
    let small = |width, height| D3D12_RESOURCE_DESC { Alignment: 4096, ..texture(width, height, 1, RGBA8) };
    let target = D3D12_RESOURCE_DESC { Flags: 1, ..texture(1920, 1080, 1, RGBA8) };
    let samples = D3D12_RESOURCE_DESC { SampleDesc: DXGI_SAMPLE_DESC { Count: 4, Quality: 0 }, ..target };
    let volume = D3D12_RESOURCE_DESC { Dimension: 4, DepthOrArraySize: 128, ..texture(128, 128, 8, RGBA8) };
    // DXGI_FORMAT_BC7_UNORM and NV12.
    let (bc7, nv12) = (texture(4096, 4096, 13, 98), texture(1920, 1080, 1, 103));
    for (what, desc, texels, theirs) in [
        ("64x64 at 4 KiB", small(64, 64), 16_384, 16_384),
        ("128x128 at 4 KiB", small(128, 128), 65_536, 65_536),
        ("256x256, 9 mips", texture(256, 256, 9, RGBA8), 349_524, 393_216),
        ("1024x1024, 11 mips", texture(1024, 1024, 11, RGBA8), 5_592_404, 5_636_096),
        ("1000x777, 10 mips", texture(1000, 777, 10, RGBA8), 4_142_308, 4_259_840),
        ("1920x1080", target, 8_294_400, 8_323_072),
        ("1920x1080, 4 samples", samples, 33_177_600, 33_554_432),
        ("BC7 4096x4096, 13 mips", bc7, 22_369_648, 22_413_312),
        ("128x128x128, 8 mips", volume, 9_586_980, 9_633_792),
        ("NV12 1920x1080", nv12, 3_110_400, 3_145_728),
    ] {
        let size = info(&desc).SizeInBytes;
        assert!(size >= texels && size <= theirs / 4 * 5, "{what}: {size}, texels {texels}, theirs {theirs}");
    }
    assert_eq!(info(&samples).Alignment, 4 << 20);
}
