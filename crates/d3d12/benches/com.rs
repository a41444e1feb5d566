//! Calls through the C interface, in nanoseconds each: the least of several rounds.
//!
//! `cargo bench -p heapstone-d3d12 --bench com [-- NAME]`: of those whose names hold NAME.
#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use core::ffi::c_void;
use core::hint::black_box;
use core::ptr;
use std::env;
use std::time::Instant;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

/// Rounds, of which the least counts: what else the machine does only adds.
const ROUNDS: u32 = 15;

fn measure(name: &str, calls: u32, goal_ns: f64, mut call: impl FnMut()) {
    // What begins with a hyphen is for benches of cargo's own kind.
    if env::args().skip(1).any(|wanted| !wanted.starts_with('-') && !name.contains(&wanted)) {
        return;
    }
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        for _ in 0..calls {
            call();
        }
        least = least.min(begin.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    println!("{name:40} {least:9.1} ns   (goal {goal_ns})");
}

fn descriptors(device: &Device, heap_type: u32, count: u32) -> Com<ID3D12DescriptorHeapVtbl> {
    let desc = D3D12_DESCRIPTOR_HEAP_DESC { Type: heap_type, NumDescriptors: count, Flags: 0, NodeMask: 0 };
    made(|out| unsafe { (device.v().CreateDescriptorHeap)(device.0, &desc, &IID_ID3D12DescriptorHeap, out) })
        .expect("a descriptor heap")
}

fn start(heap: &Com<ID3D12DescriptorHeapVtbl>) -> D3D12_CPU_DESCRIPTOR_HANDLE {
    type Start = unsafe extern "C" fn(*mut c_void) -> D3D12_CPU_DESCRIPTOR_HANDLE;
    unsafe { slot::<Start>(&heap.v().GetCPUDescriptorHandleForHeapStart)(heap.0) }
}

fn main() {
    type GetDesc = unsafe extern "C" fn(*mut c_void) -> D3D12_RESOURCE_DESC;
    type Sizes = unsafe extern "C" fn(
        *mut c_void,
        u32,
        u32,
        *const D3D12_RESOURCE_DESC,
    ) -> D3D12_RESOURCE_ALLOCATION_INFO;
    let device = device();
    let v = device.v();
    let upload = committed(&device, UPLOAD, &buffer(65_536), GENERIC_READ).expect("a buffer");
    let heap = heap(&device, &heap_desc(64 << 20, DEFAULT)).expect("a heap");
    let fence = fence(&device, 0);
    unsafe {
        let get_desc = slot::<GetDesc>(&upload.v().GetDesc);
        measure("GetDesc", 100_000, 3.0, || {
            black_box(get_desc(black_box(upload.0)));
        });
        measure("GetGPUVirtualAddress", 100_000, 2.0, || {
            black_box((upload.v().GetGPUVirtualAddress)(black_box(upload.0)));
        });
        let sizes = slot::<Sizes>(&v.GetResourceAllocationInfo);
        let (small, mipped) = (buffer(100_000), texture(1024, 1024, 11, RGBA8));
        measure("GetResourceAllocationInfo, buffer", 50_000, 15.0, || {
            black_box(sizes(device.0, 0, 1, black_box(&small)));
        });
        measure("GetResourceAllocationInfo, 11 mips", 50_000, 70.0, || {
            black_box(sizes(device.0, 0, 1, black_box(&mipped)));
        });
        measure("CreatePlacedResource + Release, buffer", 20_000, 90.0, || {
            drop(placed(&device, &heap, 0, &small, 0));
        });
        let image = texture(256, 256, 1, RGBA8);
        measure("CreatePlacedResource + Release, texture", 20_000, 200.0, || {
            drop(placed(&device, &heap, 0, &image, 0));
        });
        measure("Map + Unmap", 50_000, 7.0, || {
            let mut data = ptr::null_mut();
            let _ = (upload.v().Map)(upload.0, 0, ptr::null(), &mut data);
            black_box(data);
            (upload.v().Unmap)(upload.0, 0, ptr::null());
        });
        let objects = [heap.0];
        measure("MakeResident + Evict", 20_000, 150.0, || {
            let _ = (v.MakeResident)(device.0, 1, objects.as_ptr());
            let _ = (v.Evict)(device.0, 1, objects.as_ptr());
        });
        let address = (upload.v().GetGPUVirtualAddress)(upload.0);
        let constants = D3D12_CONSTANT_BUFFER_VIEW_DESC { BufferLocation: address, SizeInBytes: 256 };
        let (kept_from, kept_to) = (descriptors(&device, 0, 1024), descriptors(&device, 0, 1024));
        let (at, into) = (start(&kept_from), start(&kept_to));
        // Whatever is measured: what nothing was written into is copied faster.
        let increment = (v.GetDescriptorHandleIncrementSize)(device.0, 0) as usize;
        for index in 0..1024 {
            let at = D3D12_CPU_DESCRIPTOR_HANDLE { ptr: at.ptr + index * increment };
            (v.CreateConstantBufferView)(device.0, &constants, at);
        }
        measure("CreateConstantBufferView", 50_000, 15.0, || {
            (v.CreateConstantBufferView)(device.0, black_box(&constants), at);
        });
        measure("CopyDescriptorsSimple of one", 50_000, 20.0, || {
            (v.CopyDescriptorsSimple)(device.0, 1, into, at, 0);
        });
        measure("CopyDescriptorsSimple of 1024", 2_000, 1500.0, || {
            (v.CopyDescriptorsSimple)(device.0, 1024, into, at, 0);
        });
        // D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER.
        let samplers = descriptors(&device, 1, 4);
        let mut sampler = D3D12_SAMPLER_DESC::zeroed();
        (sampler.Filter, sampler.AddressU, sampler.AddressV, sampler.AddressW) = (0x15, 1, 1, 1);
        (sampler.MaxAnisotropy, sampler.ComparisonFunc) = (1, 1);
        let place = start(&samplers);
        measure("CreateSampler", 50_000, 20.0, || (v.CreateSampler)(device.0, black_box(&sampler), place));
        measure("CreateDescriptorHeap of 1024 + Release", 2_000, 3000.0, || {
            drop(descriptors(&device, 0, 1024))
        });
        let mut value = 0;
        measure("ID3D12Fence::Signal", 50_000, 12.0, || {
            value += 1;
            let _ = (fence.v().Signal)(fence.0, value);
        });
    }
}
