//! What is younger than C++'s headers: ID3D12Device13's and 15's methods, through their slots.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ffi::c_void;
use core::ptr;
use std::alloc::{Layout, alloc_zeroed, dealloc};

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

const PAGE: usize = 65_536;

#[test]
fn an_existing_heap_has_as_many_bytes_as_asked_for() {
    let device = device();
    let layout = Layout::from_size_align(4 * PAGE, PAGE).expect("a layout");
    let memory = unsafe { alloc_zeroed(layout) };
    assert!(!memory.is_null());
    let open = |address: *const u8, size| {
        made::<ID3D12Heap1Vtbl>(|out| unsafe {
            (device.v().OpenExistingHeapFromAddress1)(device.0, address.cast(), size, &IID_ID3D12Heap, out)
        })
    };
    for (offset, size) in [(0, 0), (0, PAGE - 1), (1, PAGE), (0, usize::MAX), (0, 1 << 63), (0, 1 << 46)] {
        assert_eq!(open(memory.wrapping_add(offset), size).err(), Some(E_INVALIDARG), "{size} at {offset}");
    }
    let heap = open(memory.wrapping_add(PAGE), 2 * PAGE).expect("a heap");
    let resource = placed(&device, &heap, 0, &buffer(2 * PAGE as u64), 0).expect("all of it");
    let mut data = ptr::null_mut();
    assert_eq!(unsafe { (resource.v().Map)(resource.0, 0, ptr::null(), &mut data) }, S_OK);
    assert_eq!(data.cast::<u8>(), memory.wrapping_add(PAGE));
    assert_eq!(
        placed(&device, &heap, 2 * PAGE as u64, &buffer(1), 0).err(),
        Some(E_INVALIDARG),
        "beyond its end"
    );
    drop((resource, heap));
    unsafe { dealloc(memory, layout) };
}

#[test]
fn query_heaps_are_resolved_on_the_cpu_where_they_were_created_for_it() {
    let device = device();
    let desc = D3D12_QUERY_HEAP_DESC { Type: 1, Count: 3, NodeMask: 0 };
    let create = |flags| {
        made::<ID3D12QueryHeapVtbl>(|out| unsafe {
            (device.v().CreateQueryHeap1)(device.0, &desc, flags, &IID_ID3D12QueryHeap, out)
        })
    };
    let resolve = |heap: *mut c_void, kind, first, count, to: *mut u64| unsafe {
        (device.v().ResolveQueryData)(device.0, heap, kind, first, count, to.cast())
    };
    assert_eq!(create(2).err(), Some(E_INVALIDARG));
    let mut results = [u64::MAX; 3];
    let plain = create(0).expect("a heap");
    assert_eq!(resolve(plain.0, 2, 0, 1, results.as_mut_ptr()), E_INVALIDARG);
    let heap = create(1).expect("a heap");
    assert_eq!(resolve(heap.0, 2, 0, 2, results.as_mut_ptr()), S_OK);
    assert_eq!(results, [0, 0, u64::MAX], "queries that never ended, and no more than asked for");
    for (kind, first, count) in [(2, 3, 1), (2, 0, 4), (2, u32::MAX, u32::MAX), (0, 0, 1)] {
        assert_eq!(resolve(heap.0, kind, first, count, results.as_mut_ptr()), E_INVALIDARG);
    }
    assert_eq!(resolve(heap.0, 2, 0, 1, ptr::null_mut()), E_INVALIDARG);
    assert_eq!(resolve(heap.0, 2, 0, 0, ptr::null_mut()), S_OK);
    assert_eq!(resolve(device.0, 2, 0, 1, results.as_mut_ptr()), E_INVALIDARG);
    assert_eq!(resolve(ptr::null_mut(), 2, 0, 1, results.as_mut_ptr()), E_INVALIDARG);
    assert_eq!(results, [0, 0, u64::MAX]);
}

unsafe extern "C" fn count_trims(notification: *const D3D12_TRIM_NOTIFICATION) {
    let notification = unsafe { &*notification };
    let heard = unsafe { &mut *notification.pContext.cast::<Vec<(u32, u64)>>() };
    heard.push((notification.Flags, notification.NumBytesToTrim));
}

#[test]
fn trims_are_told_to_who_registered() {
    let device = device();
    let mut heard: Vec<(u32, u64)> = Vec::new();
    let mut data = D3D12_REGISTER_TRIM_NOTIFICATION {
        pfnCallback: Some(count_trims),
        pContext: (&raw mut heard).cast(),
        CallbackCookie: 0,
    };
    let register = |data| unsafe { (device.v().RegisterTrimNotificationCallback)(device.0, data) };
    let unregister = |cookie| unsafe { (device.v().UnregisterTrimNotificationCallback)(device.0, cookie) };
    assert_eq!(register(ptr::null_mut()), E_INVALIDARG);
    let mut nothing = D3D12_REGISTER_TRIM_NOTIFICATION::zeroed();
    assert_eq!(register(&mut nothing), E_INVALIDARG);
    assert_eq!(unregister(0), E_INVALIDARG);
    assert_eq!(register(&mut data), S_OK);
    assert_ne!(data.CallbackCookie, 0);
    // 4 MiB in video memory, of which the budget leaves 1 MiB.
    let _heap = heap(&device, &heap_desc(4 << 20, DEFAULT)).expect("a heap");
    set_local_budget(1 << 20);
    assert_eq!(heard, [(4, 3 << 20)], "TRIM_TO_BUDGET, and how far it is over");
    assert_eq!(unregister(data.CallbackCookie), S_OK);
    assert_eq!(unregister(data.CallbackCookie), E_INVALIDARG);
    set_local_budget(2 << 20);
    set_local_budget(1 << 20);
    assert_eq!(heard.len(), 1);
    set_local_budget(u64::MAX);
}

/// HeapstoneSetVideoMemoryBudget of the first adapter's segment group LOCAL.
fn set_local_budget(bytes: u64) {
    let result = unsafe { d3d12::entry::HeapstoneSetVideoMemoryBudget(ptr::null_mut(), 0, 0, bytes) };
    assert_eq!(result, S_OK);
}
