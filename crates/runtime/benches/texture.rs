//! Copies of a texture of 2048x2048 texels of 32 bits in each layout of the profiles, end to end: CopyTextureRegion as
//! executed and waited for, WriteToSubresource, ReadFromSubresource; turn by turn with the swizzle engine alone in the same
//! layout.
//!
//! `cargo bench -p heapstone --bench texture [-- PROFILE]`: of profiles whose names hold PROFILE.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the bench")]

#[path = "../../layout/benches/race/mod.rs"]
mod race;

use std::cell::RefCell;
use std::env;
use std::hint::black_box;

use heapstone::spec::SdkVersion;
use heapstone::spec::commands::{CommandListType, FenceFlags};
use heapstone::{
    CommandQueueDesc, CommittedResourceDesc, CpuPageProperty, Device, Format, GpuMode, HeapProperties,
    HeapType, MemoryPool, PlacedFootprint, Profile, ResourceDesc, TextureCopyLocation,
};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_layout::swizzle::Storage;
use heapstone_layout::swizzle::engine::{LinearPitch, SwizzleRegion, SwizzledImage};
use heapstone_layout::{LayoutRules, surface};
use race::{LINE, Lines, race};

const EXTENT: u32 = 2048;
const PITCH: u32 = EXTENT * 4;

fn texture(name: &str) {
    let profile = Profile::builtin(name).unwrap();
    let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, EXTENT.into(), EXTENT);
    let surface = surface(&LayoutRules::new(&profile, SdkVersion::LATEST), &desc, 0).unwrap();
    let Storage::Swizzled { pattern, strides } = surface.storage else {
        panic!("{name} has linear textures")
    };
    let engine = SwizzledImage { pattern, strides };
    let region =
        SwizzleRegion { width_bytes: PITCH.into(), height: EXTENT, depth: 1, ..SwizzleRegion::default() };
    let bytes = u64::from(PITCH) * u64::from(EXTENT);
    let linear = LinearPitch { row: PITCH.into(), slice: bytes };
    let size = usize::try_from(bytes).unwrap();

    let device = Device::builder()
        .profile(profile)
        .driver(&SoftDriverFactory::default())
        .gpu_mode(GpuMode::Immediate)
        .build()
        .unwrap();
    let create = |properties, desc| {
        let desc = CommittedResourceDesc {
            heap_properties: properties,
            ..CommittedResourceDesc::new(HeapType::Default, desc)
        };
        device.create_committed_resource(&desc).unwrap()
    };
    let upload = create(HeapProperties::new(HeapType::Upload), ResourceDesc::buffer(bytes));
    let target = create(HeapProperties::new(HeapType::Default), desc);
    let cpu_target = create(HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0), desc);
    let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
    let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
    let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
    let mut list = device.create_command_list(CommandListType::Direct, &allocator).unwrap();
    let footprint = PlacedFootprint {
        offset: 0,
        format: Format::R8G8B8A8_UNORM,
        width: EXTENT,
        height: EXTENT,
        depth: 1,
        row_pitch: PITCH,
    };
    let to = TextureCopyLocation::subresource(&target, 0);
    let from = TextureCopyLocation::footprint(&upload, footprint);
    list.copy_texture_region(&to, 0, 0, 0, &from, None).unwrap();
    list.close().unwrap();
    let mut signalled = 0;

    let tiled = Lines::new(7, usize::try_from(surface.size).unwrap());
    // One line more: rows begin at a line, or 16 bytes beyond one, as those of a large vector do.
    let mut rows = Lines::new(7, size + LINE);
    for (at, byte) in rows.iter_mut().enumerate() {
        *byte = (at >> 3).to_le_bytes()[0];
    }
    upload.write(0, &rows[..size]).unwrap();
    cpu_target.write_to_subresource(0, None, &rows[..size], PITCH, 0).unwrap();
    let rows = RefCell::new(rows);
    let tiled = RefCell::new(tiled);
    let read = |begin: usize| {
        let rows = &mut rows.borrow_mut()[begin..][..size];
        cpu_target.read_from_subresource(black_box(rows), PITCH, 0, 0, None).unwrap();
    };
    let read_alone = |begin: usize| {
        let rows = &mut rows.borrow_mut()[begin..][..size];
        engine.read(&tiled.borrow(), &region, black_box(rows), linear).unwrap();
    };
    let times = race(
        &mut [
            ("memcpy", &mut |_| {
                tiled.borrow_mut()[..size].copy_from_slice(black_box(&rows.borrow()[..size]))
            }),
            ("to tiled", &mut |_| {
                engine.write(black_box(&mut tiled.borrow_mut()), &region, &rows.borrow(), linear).unwrap();
            }),
            ("CopyTextureRegion", &mut |_| {
                queue.execute_command_lists(&[&list]).unwrap();
                signalled += 1;
                queue.signal(&fence, signalled).unwrap();
                fence.wait(signalled).unwrap();
            }),
            ("WriteToSubresource", &mut |_| {
                let rows = rows.borrow();
                cpu_target.write_to_subresource(0, None, black_box(&rows[..size]), PITCH, 0).unwrap();
            }),
            ("to rows", &mut |_| read_alone(0)),
            ("ReadFromSubresource", &mut |_| read(0)),
            ("to rows beside lines", &mut |_| read_alone(16)),
            ("ReadFromSubresource, rows beside lines", &mut |_| read(16)),
        ],
        1,
    );
    println!("{name}");
    println!(
        "  the engine alone: to tiled {:.2}x memcpy, to rows {:.2}x, beside lines {:.2}x (memcpy {:.1} GB/s)",
        times.speed(1, 0),
        times.speed(4, 0),
        times.speed(6, 0),
        times.rate(0, size)
    );
    for (name, of, alone) in [
        ("CopyTextureRegion", 2, 1),
        ("WriteToSubresource", 3, 1),
        ("ReadFromSubresource", 5, 4),
        ("ReadFromSubresource, into rows beside lines", 7, 6),
    ] {
        println!(
            "  {name:<44} {:.2}x the engine alone, {:.2}x memcpy",
            times.speed(of, alone),
            times.speed(of, 0)
        );
    }
    println!(
        "  ReadFromSubresource, into rows beside lines, {:.2}x the engine alone at lines",
        times.speed(7, 4)
    );
}

fn main() {
    for name in
        ["discrete-8g", "cache-coherent-uma", "discrete-no-msaa64k", "integrated-uma", "discrete-256k-images"]
    {
        if env::args().skip(1).all(|wanted| wanted.starts_with('-') || name.contains(&wanted)) {
            texture(name);
        }
    }
}
