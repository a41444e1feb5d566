//! ID3D12DebugDevice::ReportLiveDeviceObjects. The debug layer is the process's: these tests have one of their own.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ffi::CStr;
use core::ptr;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

/// What ReportLiveDeviceObjects says: numbers and texts.
fn report(device: &Device, flags: u32) -> Vec<(u32, String)> {
    let debug: Com<ID3D12DebugDevice2Vtbl> = device.query(&IID_ID3D12DebugDevice).expect("a debug device");
    let queue: Com<ID3D12InfoQueue1Vtbl> = device.query(&IID_ID3D12InfoQueue).expect("an info queue");
    unsafe {
        (queue.v().ClearStoredMessages)(queue.0);
        assert_eq!((debug.v().ReportLiveDeviceObjects)(debug.0, flags), S_OK);
        (0..(queue.v().GetNumStoredMessages)(queue.0))
            .map(|index| {
                let mut length = 0;
                assert_eq!((queue.v().GetMessage)(queue.0, index, ptr::null_mut(), &mut length), S_OK);
                let mut room = vec![0_u64; length.div_ceil(8)];
                let message = room.as_mut_ptr().cast::<D3D12_MESSAGE>();
                assert_eq!((queue.v().GetMessage)(queue.0, index, message, &mut length), S_OK);
                // D3D12_MESSAGE_CATEGORY_STATE_CREATION, D3D12_MESSAGE_SEVERITY_WARNING.
                assert_eq!(((*message).Category, (*message).Severity), (5, 2));
                let text = CStr::from_ptr((*message).pDescription).to_str().expect("text");
                ((*message).ID, text.to_owned())
            })
            .collect()
    }
}

/// Without the address, which differs from run to run.
fn without_address(text: &str) -> String {
    let (kind, rest) = text.split_once(" at 0x").expect("an address");
    format!("{kind}{}", rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

const NONE: u32 = 0;
const SUMMARY: u32 = 1;
const DETAIL: u32 = 2;
const IGNORE_INTERNAL: u32 = 4;

#[test]
fn each_live_object_is_listed_with_its_counts() {
    let device = watched_device();
    assert_eq!(report(&device, DETAIL).len(), 1, "the device alone");
    let heap = heap(&device, &heap_desc(1 << 20, DEFAULT)).expect("a heap");
    let name: Vec<u32> = "the heap\0".chars().map(u32::from).collect();
    assert_eq!(unsafe { (heap.v().SetName)(heap.0, name.as_ptr().cast()) }, S_OK);
    let first = placed(&device, &heap, 0, &buffer(256), 0).expect("a buffer");
    let second = placed(&device, &heap, 65_536, &buffer(100), 0).expect("a buffer");
    let fence = fence(&device, 0);
    let again = fence.query::<()>(&IID_ID3D12Fence).expect("the fence");
    let dead = committed(&device, DEFAULT, &buffer(256), 0).expect("a buffer");
    drop(dead);

    let said = report(&device, DETAIL);
    // The device: the test's reference, two of the report's own interfaces, and one of each of four objects.
    assert_eq!((said[0].0, without_address(&said[0].1)), (274, "Live ID3D12Device, Refcount: 7".to_owned()));
    assert!(said[0].1.contains(&format!("{:p}", device.0)), "{}", said[0].1);
    let texts: Vec<(u32, String)> = said[1..].iter().map(|(id, text)| (*id, without_address(text))).collect();
    let line = |id, text: &str| (id, format!("\tLive {text}"));
    assert_eq!(
        texts,
        [
            // Two resources keep it.
            line(579, "ID3D12Heap, Name: the heap, Refcount: 1, IntRef: 2, Size: 1048576"),
            line(575, "ID3D12Resource, Refcount: 1, IntRef: 0, Size: 65536"),
            line(575, "ID3D12Resource, Refcount: 1, IntRef: 0, Size: 65536"),
            line(580, "ID3D12Fence, Refcount: 2, IntRef: 0"),
        ]
    );
    assert!(said[1].1.contains(&format!("{:p}", heap.0)), "{}", said[1].1);

    let summary: Vec<(u32, String)> = report(&device, SUMMARY).split_off(1);
    assert_eq!(
        summary,
        [
            line(255, "ID3D12Fence: 1"),
            line(255, "ID3D12Heap: 1, Size: 1048576"),
            line(255, "ID3D12Resource: 2, Size: 131072"),
        ]
    );
    assert_eq!(report(&device, NONE).len(), 1);
    assert_eq!(report(&device, SUMMARY | DETAIL).len(), 1 + 4 + 3);

    // A heap that its client let go of, and that a resource keeps: an internal reference only.
    drop((second, again, fence, heap));
    let texts: Vec<String> =
        report(&device, DETAIL).into_iter().map(|(_, text)| without_address(&text)).collect();
    assert_eq!(
        texts[1..],
        [
            "\tLive ID3D12Resource, Refcount: 1, IntRef: 0, Size: 65536",
            "\tLive ID3D12Heap, Name: the heap, Refcount: 0, IntRef: 1, Size: 1048576",
        ]
    );
    assert_eq!(report(&device, DETAIL | IGNORE_INTERNAL).len(), 2, "the client has the resource alone");
    drop(first);
    assert_eq!(report(&device, DETAIL).len(), 1);
}

#[test]
fn every_kind_has_its_message() {
    let device = watched_device();
    let list_of = allocator(&device, 0).expect("an allocator");
    let _list = list(&device, 0, &list_of).expect("a list");
    let _queue = queue(&device, 0).expect("a queue");
    let mut ids: Vec<u32> = report(&device, DETAIL).into_iter().map(|(id, _)| id).collect();
    ids.sort_unstable();
    // Device, queue, allocator, list.
    assert_eq!(ids, [274, 570, 571, 573]);
}

#[test]
fn unknown_flags_are_refused() {
    let device = watched_device();
    let debug: Com<ID3D12DebugDevice1Vtbl> = device.query(&IID_ID3D12DebugDevice1).expect("a debug device");
    assert_eq!(unsafe { (debug.v().ReportLiveDeviceObjects)(debug.0, 0x8) }, E_INVALIDARG);
    assert_eq!(unsafe { (debug.v().ReportLiveDeviceObjects)(debug.0, 0x7) }, S_OK);
}
