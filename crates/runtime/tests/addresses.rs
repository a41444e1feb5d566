//! Creation at a given GPU virtual address: what a recording's player needs (Microsoft's specification
//! Recreate at GPUVA).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::Arc;
use std::thread;

use common::*;
use heapstone::features::Options20;
use heapstone::spec::caps::RecreateAtTier;
use heapstone::spec::commands::{QueryHeapDesc, QueryHeapType};
use heapstone::spec::rules::{address as rules, mapping};
use heapstone::*;
use parking_lot::Mutex;

fn heap_desc() -> HeapDesc {
    HeapDesc::new(MIB, HeapType::Default)
}

fn buffer(width: u64) -> CommittedResourceDesc<'static> {
    CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(width))
}

fn set(device: &Device, address: u64) {
    device.set_next_allocation_address(GpuVirtualAddress(address)).unwrap();
}

#[test]
fn the_next_object_lies_there_and_the_one_after_does_not() {
    let device = device("discrete-8g");
    assert_eq!(
        device.check_feature_support::<Options20>(()).unwrap().recreate_at_tier,
        RecreateAtTier::Tier1
    );

    set(&device, 16 * GIB);
    let heap = device.create_heap(&heap_desc()).unwrap();
    assert_eq!(heap.gpu_virtual_address(), GpuVirtualAddress(16 * GIB));
    let range = GpuVirtualAddressRange { start_address: GpuVirtualAddress(16 * GIB), size_in_bytes: MIB };
    assert_eq!(heap.allocation(), range);
    let next = device.create_heap(&heap_desc()).unwrap();
    assert_ne!(next.gpu_virtual_address(), GpuVirtualAddress(16 * GIB + MIB));

    set(&device, 16 * GIB + MIB);
    let committed = device.create_committed_resource(&buffer(1000)).unwrap();
    assert_eq!(committed.gpu_virtual_address(), GpuVirtualAddress(16 * GIB + MIB));
    assert_eq!(committed.allocation().size_in_bytes, 64 * KIB);

    set(&device, 32 * GIB);
    let reserved =
        device.create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(GIB))).unwrap();
    assert_eq!(reserved.gpu_virtual_address(), GpuVirtualAddress(32 * GIB));
    assert_eq!(reserved.allocation().size_in_bytes, GIB);

    // 0 takes it back.
    set(&device, 48 * GIB);
    set(&device, 0);
    let anywhere = device.create_heap(&heap_desc()).unwrap();
    assert_ne!(anywhere.gpu_virtual_address(), GpuVirtualAddress(48 * GIB));
}

#[test]
fn what_is_in_the_way_is_named_and_the_address_stays_set() {
    let device = device("discrete-8g");
    set(&device, 16 * GIB);
    let first = device.create_heap(&heap_desc()).unwrap();
    let before = footprint(&device);

    set(&device, 16 * GIB + 64 * KIB);
    let taken = ["free addresses; 0x400000000 to 0x400100000 is taken"];
    let refused_heap = refused(device.create_heap(&heap_desc()), &rules::TAKEN);
    says(&refused_heap, "SetNextAllocationAddress", &["0x400010000", "1048576 bytes"], &taken);
    let refused_buffer = refused(device.create_committed_resource(&buffer(1)), &rules::TAKEN);
    says(&refused_buffer, "SetNextAllocationAddress", &["0x400010000", "65536 bytes"], &taken);
    let reserved = ReservedResourceDesc::new(ResourceDesc::buffer(1));
    refused(device.create_reserved_resource(&reserved), &rules::TAKEN);
    assert_eq!(footprint(&device), before);

    // Nothing was created: once the way is free it is still set.
    drop(first);
    let heap = device.create_heap(&heap_desc()).unwrap();
    assert_eq!(heap.gpu_virtual_address(), GpuVirtualAddress(16 * GIB + 64 * KIB));
    drop(heap);
    assert_empty(&device);
}

#[test]
fn misaligned_and_outlying_addresses_are_refused() {
    let device = device("discrete-8g");
    set(&device, 16 * GIB + 4 * KIB);
    let violation = refused(device.create_heap(&heap_desc()), &rules::ALIGNMENT);
    says(&violation, "SetNextAllocationAddress", &["0x400001000"], &["65536"]);
    // A heap of 4 MiB alignment.
    set(&device, 16 * GIB + MIB);
    let large = HeapDesc::new(4 * MIB, HeapType::Default).with_alignment(4 * MIB);
    let violation = refused(device.create_heap(&large), &rules::ALIGNMENT);
    says(&violation, "SetNextAllocationAddress", &["0x400100000"], &["4194304"]);

    let limit = 1u64 << device.profile().gpu_va.bits_per_process;
    for address in [limit, limit - 64 * KIB, 1 << 63, u64::MAX - 0xffff] {
        set(&device, address);
        let violation = refused(device.create_heap(&heap_desc()), &rules::RANGE);
        says(
            &violation,
            "SetNextAllocationAddress",
            &["1048576 bytes"],
            &["0x10000", &format!("{limit:#x}")],
        );
    }
    assert_empty(&device);
}

#[test]
fn only_heaps_and_buffers_lie_at_a_given_address() {
    let device = device("discrete-8g");
    let heap = device.create_heap(&heap_desc()).unwrap();
    let base = heap.gpu_virtual_address().0;
    set(&device, base + 64 * KIB);
    let texture = CommittedResourceDesc::new(HeapType::Default, rgba8(16, 16));
    let violation = refused(device.create_committed_resource(&texture), &rules::KIND);
    says(&violation, "Dimension", &["TEXTURE2D", &format!("{:#x}", base + 64 * KIB)], &["BUFFER"]);
    let placed = PlacedResourceDesc::new(rgba8(16, 16));
    refused(device.create_placed_resource(&heap, 64 * KIB, &placed), &rules::KIND);
    let reserved = rgba8(16, 16).with_layout(TextureLayout::Undefined64KbSwizzle);
    refused(device.create_reserved_resource(&ReservedResourceDesc::new(reserved)), &rules::KIND);

    // A placed buffer lies where its heap does.
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(1));
    let violation = refused(device.create_placed_resource(&heap, 0, &placed), &rules::PLACED);
    let wanted = format!("{:#x}", base + 64 * KIB);
    says(&violation, "SetNextAllocationAddress", &[&wanted], &[&format!("{base:#x}")]);
    let buffer = device.create_placed_resource(&heap, 64 * KIB, &placed).unwrap();
    assert_eq!(buffer.gpu_virtual_address(), GpuVirtualAddress(base + 64 * KIB));
    // It is used up.
    device.create_placed_resource(&heap, 0, &placed).unwrap();
    device.create_committed_resource(&texture).unwrap();
}

/// What a query heap keeps its results in is no buffer of the program's.
#[test]
fn query_heaps_take_no_address() {
    let device = device("discrete-8g");
    set(&device, 16 * GIB);
    let queries = QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 4, node_mask: 0 };
    let _queries = device.create_query_heap(&queries).unwrap();
    let heap = device.create_heap(&heap_desc()).unwrap();
    assert_eq!(heap.gpu_virtual_address(), GpuVirtualAddress(16 * GIB));
}

#[test]
fn an_address_is_of_the_thread_that_set_it() {
    let device = device("discrete-8g");
    set(&device, 16 * GIB);
    let other = thread::spawn({
        let device = device.clone();
        move || {
            let heap = device.create_heap(&heap_desc()).unwrap();
            let first = heap.gpu_virtual_address();
            set(&device, 20 * GIB);
            (first, device.create_heap(&heap_desc()).unwrap().gpu_virtual_address())
        }
    });
    let (anywhere, given) = other.join().unwrap();
    assert_ne!(anywhere, GpuVirtualAddress(16 * GIB));
    assert_eq!(given, GpuVirtualAddress(20 * GIB));
    assert_eq!(device.create_heap(&heap_desc()).unwrap().gpu_virtual_address(), GpuVirtualAddress(16 * GIB));
}

#[test]
fn older_sdks_do_not_know_it() {
    for sdk in SdkVersion::ALL.iter().copied() {
        let device = device_under("discrete-8g", sdk);
        let set = device.set_next_allocation_address(GpuVirtualAddress(16 * GIB));
        let feature = device.check_feature_support::<Options20>(());
        if sdk < SdkVersion::V614 {
            let violation = refused(set, &rules::SDK);
            says(&violation, "ID3D12DeviceTools", &[sdk.name()], &["614"]);
            refused(feature, &mapping::QUERY_FEATURE);
            // Nothing is set.
            assert!(!rules::SDK.holds_in(SdkVersion::V614) && rules::SDK.holds_in(sdk));
            device
                .create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, rgba8(4, 4)))
                .unwrap();
        } else {
            set.unwrap();
            feature.unwrap();
        }
    }
}

#[test]
fn a_recording_is_played_back_at_its_addresses() {
    // Objects come and go, so that addresses are used again and lie in no order.
    let recorder = device("discrete-8g");
    let mut heaps: Vec<Heap> =
        (1..20).map(|n| recorder.create_heap(&HeapDesc::new(n * MIB, HeapType::Default)).unwrap()).collect();
    heaps.retain(|heap| heap.desc().size % (3 * MIB) != 0);
    heaps
        .extend((1..8).map(|n| recorder.create_heap(&HeapDesc::new(n * 2 * MIB, HeapType::Upload)).unwrap()));
    let buffers: Vec<Resource> =
        (1..40).map(|n| recorder.create_committed_resource(&buffer(n * 40 * KIB)).unwrap()).collect();
    let tight: Vec<Resource> = (1..10)
        .map(|n| {
            let desc = CommittedResourceDesc::new(HeapType::Default, tight_buffer(n * 4000));
            recorder.create_committed_resource(&desc).unwrap()
        })
        .collect();

    let player = device("discrete-8g");
    let mut played_buffers = Vec::new();
    for recorded in tight.iter().chain(&buffers).rev() {
        let range = recorded.allocation();
        player.set_next_allocation_address(range.start_address).unwrap();
        let desc =
            CommittedResourceDesc::new(HeapType::Default, ResourceDesc { alignment: 0, ..*recorded.desc() });
        let played = player.create_committed_resource(&desc).unwrap();
        assert_eq!(
            (played.allocation(), played.gpu_virtual_address()),
            (range, recorded.gpu_virtual_address())
        );
        played_buffers.push(played);
    }
    let mut played_heaps = Vec::new();
    for recorded in heaps.iter().rev() {
        player.set_next_allocation_address(recorded.gpu_virtual_address()).unwrap();
        let played = player.create_heap(&recorded.desc()).unwrap();
        assert_eq!(played.allocation(), recorded.allocation());
        played_heaps.push(played);
    }
    drop((played_buffers, played_heaps));
    assert_empty(&player);
}

#[test]
fn observers_hear_of_it() {
    struct Addresses(Mutex<Vec<(u64, bool)>>);
    impl Observer for Addresses {
        fn observe(&self, call: &Call<'_>) {
            if let Call::SetNextAllocationAddress { address, outcome } = call {
                self.0.lock().push((address.0, outcome.is_ok()));
            }
        }
    }
    let heard = Arc::new(Addresses(Mutex::default()));
    let factory = heapstone_driver_soft::SoftDriverFactory::default();
    let build = |sdk| {
        let observer = Arc::<Addresses>::clone(&heard);
        let builder = Device::builder().profile(profile("discrete-8g")).driver(&factory).sdk(sdk);
        builder.backing(Backing::Phantom).observer(observer).build().unwrap()
    };
    set(&build(SdkVersion::LATEST), 4096);
    build(SdkVersion::V606).set_next_allocation_address(GpuVirtualAddress(8192)).unwrap_err();
    assert_eq!(*heard.0.lock(), [(4096, true), (8192, false)]);
}

/// ReserveGPUVARangesAtCreate: only what is created at a given address lies there, and again once it is gone.
#[test]
fn ranges_that_were_reserved_are_for_given_addresses() {
    // 2 GiB of addresses: what is not kept runs out.
    let factory = heapstone_driver_soft::SoftDriverFactory::default();
    let range = |start: u64, size_in_bytes| GpuVirtualAddressRange {
        start_address: GpuVirtualAddress(start),
        size_in_bytes,
    };
    let build = |ranges: &[GpuVirtualAddressRange], sdk| {
        let builder = Device::builder().profile(profile("limited-va")).driver(&factory).sdk(sdk);
        builder.backing(Backing::Phantom).reserve_gpu_va_ranges(ranges).build()
    };
    // They overlap, and are no whole pages.
    let kept = [range(256 * MIB, 200 * MIB), range(300 * MIB + 1, 156 * MIB - 2)];
    let device = build(&kept, SdkVersion::LATEST).unwrap();
    let is_kept = |address: GpuVirtualAddress| (256 * MIB..456 * MIB).contains(&address.0);
    let heap_of = |size| HeapDesc::new(size, HeapType::Default).with_flags(HeapFlags::ALLOW_ONLY_BUFFERS);
    let (large_heap, small_heap) = (heap_of(16 * MIB), heap_of(MIB));
    let mut heaps = Vec::new();
    while let Ok(heap) = device.create_heap(&large_heap) {
        assert!(!is_kept(heap.gpu_virtual_address()));
        heaps.push(heap);
    }
    // 2 GiB less 200 MiB less the first 64 KiB, each heap whole.
    assert!((112..=115).contains(&heaps.len()), "{}", heaps.len());
    for _ in 0..2 {
        set(&device, 256 * MIB + 64 * KIB);
        let heap = device.create_heap(&small_heap).unwrap();
        assert_eq!(heap.gpu_virtual_address(), GpuVirtualAddress(256 * MIB + 64 * KIB));
        set(&device, 256 * MIB);
        refused(device.create_committed_resource(&buffer(128 * KIB)), &rules::TAKEN);
        let below = device.create_committed_resource(&buffer(64 * KIB)).unwrap();
        assert_eq!(below.gpu_virtual_address(), GpuVirtualAddress(256 * MIB));
        drop((heap, below));
        assert!(device.create_heap(&large_heap).is_err());
    }
    // Half within, half outside where a heap lay.
    heaps.retain(|heap| heap.gpu_virtual_address().0 < 224 * MIB);
    set(&device, 448 * MIB);
    let large = device.create_heap(&large_heap).unwrap();
    assert_eq!(large.gpu_virtual_address(), GpuVirtualAddress(448 * MIB));

    for (start, size) in [(0, 4096), (2 * GIB - 4096, 8192), (u64::MAX, 2), (1 << 63, 1 << 63)] {
        let violation = refused(build(&[range(start, size)], SdkVersion::LATEST), &rules::RANGE);
        says(&violation, "ReserveGPUVARangesAtCreate", &["bytes"], &["0x10000 to 0x80000000"]);
    }
    let violation = refused(build(&kept, SdkVersion::V606), &rules::SDK);
    says(&violation, "ReserveGPUVARangesAtCreate", &["606"], &["614"]);
    build(&[], SdkVersion::Inbox).unwrap();
}
