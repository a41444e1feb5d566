//! Map and Unmap (spec/2-resource-heaps.txt 236-253; facts/behaviour.md, Map, Write, Read).
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use core::sync::atomic::Ordering;

use common::counting::CountingFactory;
use common::*;
use heapstone::spec::rules::mapping as rules;
use heapstone::{
    Backing, ByteRange, CommittedResourceDesc, CpuPageProperty, Device, Error, Format, HeapFlags,
    HeapProperties, HeapType, MapPointer, MemoryPool, Resource, ResourceDesc, ResourceFlags, TextureLayout,
};

use MapPointer::{Null, Wanted};

fn buffer(device: &Device, heap_type: HeapType, width: u64) -> Resource {
    let desc = CommittedResourceDesc::new(heap_type, ResourceDesc::buffer(width));
    device.create_committed_resource(&desc).unwrap()
}

/// On a CUSTOM heap that the CPU writes and reads.
fn visible(device: &Device, desc: ResourceDesc) -> Resource {
    let heap_properties = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
    let desc = CommittedResourceDesc::new(HeapType::Default, desc);
    device.create_committed_resource(&CommittedResourceDesc { heap_properties, ..desc }).unwrap()
}

fn range(begin: u64, end: u64) -> Option<ByteRange> {
    Some(ByteRange::new(begin, end))
}

#[test]
fn a_resource_on_a_default_heap_is_refused() {
    let device = device("discrete-8g");
    let default = buffer(&device, HeapType::Default, 1000);
    for pointer in [Wanted, Null] {
        let violation = refused(default.map(0, None, pointer), &rules::MAP_HEAP);
        says(&violation, "Map", &["DEFAULT", "NOT_AVAILABLE"], &["WRITE_COMBINE", "WRITE_BACK"]);
    }
    refused(default.write(0, &[0]), &rules::MAP_HEAP);
    let uma = common::device("integrated-uma");
    refused(buffer(&uma, HeapType::Default, 1000).map(0, None, Wanted), &rules::MAP_HEAP);
    let heap_properties = HeapProperties::custom(CpuPageProperty::NotAvailable, MemoryPool::L0);
    let desc = CommittedResourceDesc {
        heap_properties,
        ..CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(1000))
    };
    let hidden = device.create_committed_resource(&desc).unwrap();
    refused(hidden.map(0, None, Wanted), &rules::MAP_HEAP);
    assert_eq!(default.map_count(), 0);
}

#[test]
fn mapped_bytes_are_the_buffers_bytes() {
    let device = host_device("discrete-8g");
    for heap_type in [HeapType::Upload, HeapType::Readback, HeapType::GpuUpload] {
        let buffer = buffer(&device, heap_type, 1000);
        let mapping = buffer.map(0, None, Wanted).unwrap();
        assert!(mapping.pointer.is_some());
        assert_eq!(mapping.size, 1000, "to the buffer's end, not its heap's");
        let mut bytes = [9; 1000];
        buffer.read(0, &mut bytes).unwrap();
        assert_eq!(bytes, [0; 1000], "new memory is zero");
        let data: [u8; 1000] = core::array::from_fn(|index| u8::try_from(index % 251).unwrap());
        buffer.write(0, &data).unwrap();
        buffer.write(997, b"end").unwrap();
        buffer.read(0, &mut bytes).unwrap();
        assert_eq!((&bytes[..997], &bytes[997..]), (&data[..997], &b"end"[..]));
        buffer.unmap(0, None).unwrap();
    }
}

#[test]
fn every_map_gives_the_same_address() {
    let device = host_device("discrete-8g");
    let heap = device.create_heap(&heapstone::HeapDesc::new(MIB, HeapType::Upload)).unwrap();
    let place = |offset| {
        let desc = heapstone::PlacedResourceDesc::new(ResourceDesc::buffer(1000));
        device.create_placed_resource(&heap, offset, &desc).unwrap()
    };
    let (low, high, same) = (place(0), place(131_072), place(131_072));
    let address =
        |resource: &Resource| resource.map(0, None, Wanted).unwrap().pointer.unwrap().as_ptr().addr();
    let base = address(&low);
    assert_eq!(base % 4096, 0);
    assert_eq!((address(&high), address(&same)), (base + 131_072, base + 131_072));
    for _ in 0..3 {
        assert_eq!(address(&low), base, "persistent");
    }
    while low.map_count() > 0 {
        low.unmap(0, None).unwrap();
    }
    assert_eq!(address(&low), base);
}

#[test]
fn maps_are_counted() {
    let device = device("discrete-8g");
    let buffer = buffer(&device, HeapType::Upload, 1000);
    let violation = refused(buffer.unmap(0, None), &rules::UNMAP_NOT_MAPPED);
    says(&violation, "Unmap", &["not mapped"], &["Map"]);
    for count in 1..=5 {
        buffer.map(0, None, if count % 2 == 0 { Null } else { Wanted }).unwrap();
        assert_eq!(buffer.map_count(), count);
    }
    for count in (0..5).rev() {
        buffer.unmap(0, None).unwrap();
        assert_eq!(buffer.map_count(), count);
    }
    refused(buffer.unmap(0, None), &rules::UNMAP_NOT_MAPPED);
    buffer.map(0, None, Wanted).unwrap();
    assert_eq!(buffer.map_count(), 1);
}

#[test]
fn an_unmap_of_a_wrong_subresource_is_harmless() {
    let device = device("discrete-8g");
    let buffer = buffer(&device, HeapType::Upload, 1000);
    buffer.map(0, None, Wanted).unwrap();
    for wrong in [1, 7, u32::MAX] {
        buffer.unmap(wrong, None).unwrap();
    }
    assert_eq!(buffer.map_count(), 1, "nothing was undone");
    buffer.unmap(0, None).unwrap();
    buffer.unmap(1, None).unwrap();
    assert_eq!(buffer.map_count(), 0);
}

#[test]
fn buffers_have_subresource_0_only() {
    let device = device("discrete-8g");
    let buffer = buffer(&device, HeapType::Upload, 1000);
    for wrong in [1, u32::MAX] {
        let violation = refused(buffer.map(wrong, None, Wanted), &rules::MAP_SUBRESOURCE);
        says(&violation, "Subresource", &[&wrong.to_string()], &["0 to 0"]);
    }
    assert_eq!(buffer.map_count(), 0);
}

#[test]
fn ranges_end_within_the_buffer() {
    let device = device("discrete-8g");
    let buffer = buffer(&device, HeapType::Readback, 1000);
    // Whole, part, empty anywhere, inverted: D3D12 reads nothing there.
    for legal in [range(0, 1000), range(999, 1000), range(0, 0), range(5000, 5000), range(5000, 0)] {
        buffer.map(0, legal, Wanted).unwrap();
        buffer.unmap(0, legal).unwrap();
    }
    for (begin, end) in [(0, 1001), (1000, 1001), (0, u64::MAX)] {
        let violation = refused(buffer.map(0, range(begin, end), Wanted), &rules::MAP_RANGE);
        says(&violation, "ReadRange", &[&end.to_string()], &["1000"]);
        assert_eq!(buffer.map_count(), 0);
        buffer.map(0, None, Wanted).unwrap();
        let violation = refused(buffer.unmap(0, range(begin, end)), &rules::UNMAP_RANGE);
        says(&violation, "WrittenRange", &[&end.to_string()], &["1000"]);
        assert_eq!(buffer.map_count(), 1, "a refused Unmap undoes nothing");
        buffer.unmap(0, None).unwrap();
    }
}

#[test]
fn map_with_null_succeeds_on_buffers_and_gives_nothing() {
    let device = host_device("discrete-8g");
    let buffer = buffer(&device, HeapType::Upload, 1000);
    let mapping = buffer.map(0, None, Null).unwrap();
    assert!(mapping.pointer.is_none());
    assert_eq!((mapping.size, buffer.map_count()), (0, 1));
}

#[test]
fn opaque_textures_map_with_null_only() {
    for name in ["integrated-uma", "cache-coherent-uma", "discrete-8g"] {
        let device = device(name);
        let texture = visible(&device, rgba8(64, 64).with_mip_levels(3).with_array_size(2));
        for subresource in 0..6 {
            assert!(texture.map(subresource, None, Null).unwrap().pointer.is_none());
            texture.unmap(subresource, None).unwrap();
        }
        let violation = refused(texture.map(6, None, Null), &rules::MAP_SUBRESOURCE);
        says(&violation, "Subresource", &["6"], &["0 to 5"]);
        let violation = refused(texture.map(0, None, Wanted), &rules::MAP_OPAQUE_POINTER);
        says(&violation, "ppData", &["pointer"], &["NULL", "UNKNOWN"]);
        texture.map(0, range(0, 0), Null).unwrap();
        let violation = refused(texture.map(0, range(0, 16), Null), &rules::MAP_OPAQUE_RANGE);
        says(&violation, "ReadRange", &["16"], &["NULL", "empty"]);
        let violation = refused(texture.unmap(0, range(0, 16)), &rules::UNMAP_RANGE);
        says(&violation, "WrittenRange", &["16"], &["NULL", "empty"]);
        assert_eq!(texture.map_count(), 1);
        refused(texture.read(0, &mut [0]), &rules::ACCESS_OPAQUE);
        refused(texture.write(0, &[0]), &rules::ACCESS_OPAQUE);
    }
}

#[test]
fn opaque_volumes_map_with_one_mip_only() {
    let device = device("integrated-uma");
    let volume = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 16, 16, 16);
    visible(&device, volume).map(0, None, Null).unwrap();
    let violation =
        refused(visible(&device, volume.with_mip_levels(2)).map(0, None, Null), &rules::MAP_OPAQUE_3D);
    says(&violation, "MipLevels", &["2"], &["1"]);
}

#[test]
fn depth_and_samples_have_no_copies_by_the_cpu() {
    let device = device("integrated-uma");
    let violation =
        refused(visible(&device, depth_stencil(64, 64)).map(0, None, Null), &rules::MAP_OPAQUE_KIND);
    says(&violation, "Flags", &["ALLOW_DEPTH_STENCIL"], &["no ALLOW_DEPTH_STENCIL"]);
    let msaa = visible(&device, render_target(64, 64).with_samples(4));
    says(&refused(msaa.map(0, None, Null), &rules::MAP_OPAQUE_KIND), "Count", &["4"], &["1"]);
}

#[test]
fn a_row_major_texture_cannot_be_mapped() {
    let device = device("discrete-8g");
    let desc =
        rgba8(64, 64).with_layout(TextureLayout::RowMajor).with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER);
    let texture = device
        .create_committed_resource(&CommittedResourceDesc {
            heap_flags: HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER,
            ..CommittedResourceDesc::new(HeapType::Default, desc)
        })
        .unwrap();
    for pointer in [Wanted, Null] {
        let violation = refused(texture.map(0, None, pointer), &rules::MAP_ROW_MAJOR);
        says(&violation, "Map", &["ROW_MAJOR"], &["buffer"]);
    }
}

/// Mip 0 of 256x256 RGBA8 is 2x2 tiles; mip 1 is the fifth tile.
#[test]
fn standard_swizzle_has_an_address_for_each_subresource() {
    let device = host_device("integrated-uma");
    let desc = rgba8(256, 256).with_mip_levels(2).with_layout(TextureLayout::Standard64KbSwizzle);
    let texture = visible(&device, desc);
    let mip = |subresource| texture.map(subresource, None, Wanted).unwrap();
    let (first, second) = (mip(0), mip(1));
    let distance = second.pointer.unwrap().as_ptr().addr() - first.pointer.unwrap().as_ptr().addr();
    assert_eq!(u64::try_from(distance).unwrap(), 4 * 65_536);
    for (subresource, mapping, size) in [(0, first, 4 * 65_536), (1, second, 65_536)] {
        assert_eq!(mapping.size, size, "mip {subresource}");
        let violation = refused(texture.map(subresource, range(0, size + 1), Wanted), &rules::MAP_RANGE);
        says(&violation, "ReadRange", &[&(size + 1).to_string()], &[&size.to_string()]);
        refused(texture.unmap(subresource, range(0, size + 1)), &rules::UNMAP_RANGE);
        texture.map(subresource, range(0, size), Wanted).unwrap();
        texture.unmap(subresource, range(0, size)).unwrap();
    }
}

#[test]
fn a_phantom_map_counts_and_gives_no_pointer() {
    let device = device("discrete-8g");
    let buffer = buffer(&device, HeapType::Upload, 1000);
    let mapping = buffer.map(0, None, Wanted).unwrap();
    assert!(mapping.pointer.is_none());
    assert_eq!((mapping.size, buffer.map_count()), (0, 1));
    let error = buffer.read(0, &mut [0]).unwrap_err();
    assert!(matches!(&error, Error::Driver(_)), "{error}");
    assert!(error.to_string().contains("phantom"), "{error}");
}

#[test]
fn bytes_lie_within_the_buffer() {
    let device = host_device("discrete-8g");
    let buffer = buffer(&device, HeapType::Upload, 1000);
    let mut bytes = [0; 8];
    buffer.read(992, &mut bytes).unwrap();
    buffer.read(1000, &mut []).unwrap();
    for offset in [993, 1000, 65_000, 65_536, u64::MAX] {
        let violation = refused(buffer.read(offset, &mut bytes), &rules::ACCESS_RANGE);
        says(&violation, "", &[&offset.to_string(), "8 bytes"], &["1000"]);
        refused(buffer.write(offset, &bytes), &rules::ACCESS_RANGE);
    }
}

#[test]
fn a_map_that_fails_counts_nothing() {
    let factory = CountingFactory::default();
    let device =
        Device::builder().profile(profile("discrete-8g")).driver(&factory).backing(Backing::Host).build();
    let buffer = buffer(&device.unwrap(), HeapType::Upload, 1000);
    factory.watch.failing_maps.store(2, Ordering::SeqCst);
    for _ in 0..2 {
        assert!(buffer.map(0, None, Wanted).unwrap_err().is_out_of_memory());
        assert_eq!(buffer.map_count(), 0);
    }
    assert!(buffer.map(0, None, Wanted).unwrap().pointer.is_some());
    assert_eq!(buffer.map_count(), 1);
    drop(buffer);
    assert!(factory.watch.is_empty(), "the driver's mapping is given back with the heap");
}

#[test]
fn many_threads_map_one_resource() {
    const THREADS: usize = 8;
    const ROUNDS: usize = 200;
    let factory = CountingFactory::default();
    let device = Device::builder()
        .profile(profile("discrete-8g"))
        .driver(&factory)
        .backing(Backing::Host)
        .build()
        .unwrap();
    let buffer = buffer(&device, HeapType::Upload, 4096);
    let addresses: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let address = buffer.map(0, None, Wanted).unwrap().pointer.unwrap().as_ptr().addr();
                    for _ in 0..ROUNDS {
                        let again = buffer.map(0, None, Wanted).unwrap().pointer.unwrap().as_ptr().addr();
                        assert_eq!(again, address);
                        buffer.unmap(0, None).unwrap();
                    }
                    address
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(addresses.iter().all(|address| *address == addresses[0]));
    assert_eq!(buffer.map_count(), u64::try_from(THREADS).unwrap());
    // The runtime serialises MapHeap and avoids redundant calls (spec/2-resource-heaps.txt 249).
    assert_eq!(factory.watch.mapped.load(Ordering::SeqCst), 1);
    drop(buffer);
    assert!(factory.watch.is_empty());
}
