//! ID3D12Tools 0 to 2 and ID3D12DeviceTools. Ranges are kept for the process: this test has one of its own.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ptr;

use common::*;
use d3d12::layers::D3D12GetInterface;
use d3d12::types::*;
use d3d12::vtables::*;

/// CLSID_D3D12Tools.
const TOOLS: GUID = GUID::parse("e38216b1-3c8c-4833-aa09-0a06b65d96c8");

#[test]
fn ranges_are_judged_at_the_call_and_kept_for_what_asks_for_them() {
    let tools: Com<ID3D12Tools2Vtbl> =
        made(|out| unsafe { D3D12GetInterface(&TOOLS, &IID_ID3D12Tools2, out) }).expect("tools");
    let reserve = |start: u64, size: u64| {
        let mut range = D3D12_GPU_VIRTUAL_ADDRESS_RANGE { StartAddress: start, SizeInBytes: size };
        unsafe { (tools.v().ReserveGPUVARangesAtCreate)(tools.0, &mut range, 1) }
    };
    // No bytes; below the first 64 KiB; over the end of numbers; beyond the 2^48 that no adapter has.
    for (start, size) in [
        (1 << 32, 0),
        (0, 1 << 20),
        (4096, 4096),
        (u64::MAX - 4095, 8192),
        (1 << 62, 4096),
        (1 << 32, 1 << 62),
    ] {
        assert_eq!(reserve(start, size), E_INVALIDARG, "{size} bytes at {start:#x}");
    }
    let null = unsafe { (tools.v().ReserveGPUVARangesAtCreate)(tools.0, ptr::null_mut(), 1) };
    assert_eq!(null, E_INVALIDARG);
    // One wrong range of several: none is kept, and devices are created.
    let wrong = D3D12_GPU_VIRTUAL_ADDRESS_RANGE { StartAddress: 1 << 62, SizeInBytes: 4096 };
    let mut both = [D3D12_GPU_VIRTUAL_ADDRESS_RANGE { StartAddress: 1 << 33, SizeInBytes: 4096 }, wrong];
    let refused = unsafe { (tools.v().ReserveGPUVARangesAtCreate)(tools.0, both.as_mut_ptr(), 2) };
    assert_eq!(refused, E_INVALIDARG);

    const KEPT: u64 = 1 << 32;
    assert_eq!(reserve(KEPT, 1 << 20), S_OK);
    let device = watched_device();
    let at = |heap: &Heap| {
        let tools: Com<ID3D12PageableToolsVtbl> = heap.query(&IID_ID3D12PageableTools).expect("tools");
        let mut range = D3D12_GPU_VIRTUAL_ADDRESS_RANGE::zeroed();
        assert_eq!(unsafe { (tools.v().GetAllocation)(tools.0, &mut range) }, S_OK);
        range.StartAddress
    };
    let elsewhere = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    assert!(!(KEPT..KEPT + (1 << 20)).contains(&at(&elsewhere)), "{:#x}", at(&elsewhere));
    let device_tools: Com<ID3D12DeviceToolsVtbl> = device.query(&IID_ID3D12DeviceTools).expect("tools");
    unsafe { (device_tools.v().SetNextAllocationAddress)(device_tools.0, KEPT + 65_536) };
    let wanted = heap(&device, &heap_desc(65_536, DEFAULT)).expect("a heap");
    assert_eq!(at(&wanted), KEPT + 65_536);
    unsafe { (tools.v().ClearReservedGPUVARangesList)(tools.0) };
}

#[test]
fn driver_states_are_of_adapters() {
    let tools: Com<ID3D12Tools2Vtbl> =
        made(|out| unsafe { D3D12GetInterface(&TOOLS, &IID_ID3D12Tools2, out) }).expect("tools");
    let set =
        |adapter| unsafe { (tools.v().SetApplicationSpecificDriverState)(tools.0, adapter, ptr::null_mut()) };
    assert_eq!(set(ptr::null_mut()), E_INVALIDARG);
    assert_eq!(set(tools.0), E_INVALIDARG, "no adapter");
    let factory: Com<IDXGIFactory4Vtbl> =
        made(|out| unsafe { d3d12::entry::CreateDXGIFactory1(&IID_IDXGIFactory4, out) }).expect("a factory");
    let adapter: Com<()> =
        made(|out| unsafe { (factory.v().EnumAdapters)(factory.0, 0, out) }).expect("an adapter");
    assert_eq!(set(adapter.0), S_OK);
    unsafe {
        (tools.v().EnableShaderInstrumentation)(tools.0, 1);
        assert_eq!((tools.v().ShaderInstrumentationEnabled)(tools.0), 1);
        (tools.v().EnableShaderInstrumentation)(tools.0, 0);
        assert_eq!((tools.v().ShaderInstrumentationEnabled)(tools.0), 0);
    }
}
