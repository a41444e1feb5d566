//! Boxes of textures that the CPU copies: ReadFromSubresource and WriteToSubresource of every kind of heap.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::gpu::{offset_in, surfaces_of};
use common::{Adapter, Heap, Random};
use heapstone_driver::engine::{RowPitches, SurfaceBox};
use heapstone_driver::{Backing, DriverError};
use heapstone_driver_soft::SoftDriverOptions;
use heapstone_kernel::PageSize;
use heapstone_layout::swizzle::Surface;
use heapstone_spec::{Format, HeapFlags, ResourceDesc};
use heapstone_units::ByteRange;

const PAGE: u64 = 64 << 10;

fn heaps(size: u64) -> Vec<(Adapter, Heap)> {
    let backings: &[Backing] = if cfg!(miri) { &[Backing::Host] } else { &[Backing::Host, Backing::Shared] };
    let made = backings.iter().map(|backing| {
        let adapter = Adapter::new(*backing, 2 * size, SoftDriverOptions::default());
        let heap = adapter.create(size, HeapFlags::empty()).unwrap();
        (adapter, heap)
    });
    made.collect()
}

/// Copies of random boxes, both ways, against offsets of the reference routine.
fn against_offsets(surface: &Surface, heap: &Heap, size: u64, random: &mut Random) {
    let resource_offset = random.below(2) * PAGE;
    let element = 1_usize << surface.element_bytes_log2;
    let mut model: Vec<u8> = (0..size).map(|_| random.next().to_le_bytes()[0]).collect();
    heap.bytes.write(0, &model).unwrap();
    let below = |random: &mut Random, bound: u32| u32::try_from(random.below(u64::from(bound))).unwrap();
    for step in 0..if cfg!(miri) { 3 } else { 12 } {
        let all =
            [u32::try_from(surface.elements.width).unwrap(), surface.elements.height, surface.elements.depth];
        let size = all.map(|count| 1 + below(random, count.min(40)));
        let origin = [0, 1, 2].map(|axis: usize| below(random, all[axis] - size[axis] + 1));
        let row = u64::from(size[0]) * u64::try_from(element).unwrap() + random.below(20);
        let slice = row * u64::from(size[1]) + random.below(9);
        let pitches = RowPitches { row, slice };
        let used = slice * u64::from(size[2] - 1) + row * u64::from(size[1] - 1);
        let used = usize::try_from(used).unwrap() + usize::try_from(size[0]).unwrap() * element;
        let mut rows: Vec<u8> = (0..used + 5).map(|_| random.next().to_le_bytes()[0]).collect();
        let of = SurfaceBox { resource_offset, surface, origin, size };
        let mut expected_rows = rows.clone();
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let at = [origin[0] + x, origin[1] + y, origin[2] + z];
                    let there = resource_offset + surface.offset + offset_in(surface, at, 0);
                    let there = usize::try_from(there).unwrap();
                    let here = slice * u64::from(z) + row * u64::from(y);
                    let here = usize::try_from(here).unwrap() + usize::try_from(x).unwrap() * element;
                    if step % 2 == 0 {
                        model[there..there + element].copy_from_slice(&rows[here..here + element]);
                    } else {
                        expected_rows[here..here + element].copy_from_slice(&model[there..there + element]);
                    }
                }
            }
        }
        if step % 2 == 0 {
            heap.bytes.write_box(&of, &rows[..used], pitches).unwrap();
        } else {
            heap.bytes.read_box(&of, &mut rows[..used], pitches).unwrap();
        }
        assert!(rows == expected_rows, "rows of {of:?}");
        assert!(heap.read(0, model.len()) == model, "heap after {of:?}");
    }
}

#[test]
fn boxes_are_the_texels_of_their_surface() {
    let color = Format::R8G8B8A8_UNORM;
    let textures = [
        ("discrete-8g", ResourceDesc::texture_2d(color, 70, 50)),
        ("discrete-8g", ResourceDesc::texture_2d(color, 100, 60).with_mip_levels(4)),
        ("discrete-8g", ResourceDesc::texture_2d(Format::BC1_UNORM, 100, 60)),
        ("discrete-8g", ResourceDesc::texture_3d(Format::R8_UNORM, 33, 33, 33)),
        ("cache-coherent-uma", ResourceDesc::texture_2d(Format::R16G16B16A16_FLOAT, 70, 50)),
        ("discrete-no-msaa64k", ResourceDesc::texture_2d(Format::R32G32B32A32_FLOAT, 7, 150)),
        ("integrated-uma", ResourceDesc::texture_3d(color, 40, 40, 4)),
        ("software", ResourceDesc::texture_2d(color, 70, 50)),
    ];
    let mut random = Random(7);
    let textures = if cfg!(miri) { &textures[..1] } else { &textures[..] };
    for (profile, desc) in textures {
        let surfaces = surfaces_of(profile, desc);
        let bytes = surfaces.iter().map(|surface| surface.offset + surface.size).max().unwrap();
        let size = (bytes + PAGE).next_multiple_of(PAGE);
        for (adapter, heap) in heaps(size) {
            for surface in surfaces.iter() {
                against_offsets(surface, &heap, size, &mut random);
            }
            adapter.destroy(heap);
        }
    }
}

/// Reading commits nothing, and what nobody wrote is zero.
#[test]
fn an_untouched_heap_reads_as_zero() {
    let surfaces = surfaces_of("discrete-8g", &ResourceDesc::texture_2d(Format::R8_UNORM, 8, 8));
    let adapter = Adapter::new(Backing::Host, 4 * PAGE, SoftDriverOptions::default());
    let heap =
        adapter.create_at(adapter.allocate(PAGE, PageSize::FourKib), PAGE, HeapFlags::empty()).unwrap();
    let of = SurfaceBox { resource_offset: 0, surface: &surfaces[0], origin: [0; 3], size: [8, 8, 1] };
    let mut rows = vec![0xEE; 64];
    heap.bytes.read_box(&of, &mut rows, RowPitches { row: 8, slice: 64 }).unwrap();
    assert_eq!(rows, [0; 64]);
    adapter.destroy(heap);
}

#[test]
fn boxes_outside_are_refused_with_the_numbers() {
    let surfaces = surfaces_of("discrete-8g", &ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 64, 64));
    let surface = &surfaces[0];
    assert_eq!(
        surface.size, 16_384,
        "4 blocks of 32 x 32 texels (facts/layout.md, Small-resource alignment)"
    );
    for (adapter, heap) in heaps(PAGE) {
        let pitches = RowPitches { row: 256, slice: 16_384 };
        let whole = SurfaceBox { resource_offset: PAGE - 16_384, surface, origin: [0; 3], size: [64, 64, 1] };
        let mut rows = vec![0x55; 16_384];
        heap.bytes.write_box(&whole, &rows, pitches).unwrap();
        heap.bytes.read_box(&whole, &mut rows, pitches).unwrap();
        let mut refused = |of: &SurfaceBox<'_>, length: usize| {
            let written = heap.bytes.write_box(of, &vec![0; length], pitches).unwrap_err();
            let read = heap.bytes.read_box(of, &mut rows[..length], pitches).unwrap_err();
            assert_eq!(written, read);
            written
        };
        let heap_range =
            |begin, end| DriverError::OutOfRange { range: ByteRange::new(begin, end), size: PAGE };
        let beyond = SurfaceBox { resource_offset: PAGE - 16_383, ..whole };
        assert_eq!(refused(&beyond, 16_384), heap_range(PAGE - 16_383, PAGE + 1));
        let far = SurfaceBox { resource_offset: u64::MAX, ..whole };
        assert_eq!(refused(&far, 16_384), heap_range(u64::MAX, u64::MAX));
        for (origin, size) in [
            ([1, 0, 0], [64, 64, 1]),
            ([0, 0, 1], [64, 64, 1]),
            ([0, 0, 0], [0, 1, 1]),
            ([u32::MAX, 0, 0], [1, 1, 1]),
        ] {
            let outside = SurfaceBox { origin, size, ..whole };
            assert!(matches!(refused(&outside, 16_384), DriverError::OutOfRange { .. }), "{origin:?}");
        }
        let short = DriverError::OutOfRange { range: ByteRange::new(0, 16_384), size: 16_383 };
        assert_eq!(refused(&whole, 16_383), short);
        let samples =
            surfaces_of("discrete-8g", &ResourceDesc::texture_2d(Format::R8_UNORM, 8, 8).with_samples(4));
        let of = SurfaceBox { resource_offset: 0, surface: &samples[0], origin: [0; 3], size: [8, 8, 1] };
        assert!(matches!(refused(&of, 256), DriverError::Unsupported { .. }));
        assert_eq!(rows, vec![0x55; 16_384], "nothing was copied");
        assert_eq!(heap.read(PAGE - 16_384, 16_384), rows);
        adapter.destroy(heap);
    }
}

#[test]
fn phantom_heaps_have_no_boxes() {
    let surfaces = surfaces_of("discrete-8g", &ResourceDesc::texture_2d(Format::R8_UNORM, 8, 8));
    let adapter = Adapter::new(Backing::Phantom, 1 << 30, SoftDriverOptions::default());
    let heap = adapter.create(PAGE, HeapFlags::empty()).unwrap();
    let of = SurfaceBox { resource_offset: 0, surface: &surfaces[0], origin: [0; 3], size: [8, 8, 1] };
    let pitches = RowPitches { row: 8, slice: 64 };
    assert_eq!(heap.bytes.write_box(&of, &[0; 64], pitches), Err(DriverError::NoBytes));
    assert_eq!(heap.bytes.read_box(&of, &mut [0; 64], pitches), Err(DriverError::NoBytes));
    adapter.destroy(heap);
}
