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
use d3d12::types::*;

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
