//! How long the queries take that a program makes before it creates anything, each with its validation;
//! beside them a straightforward sizer (divisions, a list of mips) over the same textures.
//!
//! `cargo bench -p heapstone-layout`

#![allow(missing_docs)] // Of what criterion's macros make.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use heapstone_layout::{
    FootprintOutputs, LayoutRules, PlacedFootprint, ProfileSizer, allocation_info, copyable_footprints,
};
use heapstone_spec::profile::{Profile, SwizzleFamily};
use heapstone_spec::{Format, ResourceDesc, SdkVersion};

fn rules(family: SwizzleFamily) -> LayoutRules {
    let mut profile = Profile::builtin("discrete-8g").expect("a built-in profile");
    profile.layout.unknown_pattern = family;
    LayoutRules::new(&profile, SdkVersion::LATEST)
}

fn texture() -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 1024, 1024).with_mip_levels(11)
}

/// The rivals: what one writes first. They check nothing.
mod naive {
    use super::{PlacedFootprint, ResourceDesc};

    pub(crate) fn size(desc: &ResourceDesc, shape: [u64; 3]) -> u64 {
        let mips: Vec<[u64; 3]> = (0..desc.mip_levels)
            .map(|mip| [(desc.width >> mip).max(1), (u64::from(desc.height) >> mip).max(1), 1])
            .collect();
        let slice: u64 = mips
            .iter()
            .map(|mip| mip.iter().zip(shape).map(|(side, block)| side.div_ceil(block)).product::<u64>())
            .sum();
        let bytes = u64::from(desc.format.info().bits_per_element) / 8;
        (slice * shape.iter().product::<u64>() * bytes * u64::from(desc.depth_or_array_size))
            .next_multiple_of(65_536)
    }

    pub(crate) fn footprints(desc: &ResourceDesc) -> (u64, Vec<PlacedFootprint>) {
        let bytes = u64::from(desc.format.info().bits_per_element) / 8;
        let mut total = 0;
        let mut layouts = Vec::new();
        for subresource in 0..u32::from(desc.mip_levels) * u32::from(desc.depth_or_array_size) {
            let mip = subresource % u32::from(desc.mip_levels);
            let (width, height) = ((desc.width >> mip).max(1), (desc.height >> mip).max(1));
            total = u64::next_multiple_of(total, 512);
            let pitch = (width * bytes).next_multiple_of(256);
            layouts.push(PlacedFootprint {
                offset: total,
                format: desc.format,
                width: u32::try_from(width).unwrap_or(0),
                height,
                depth: 1,
                row_pitch: u32::try_from(pitch).unwrap_or(0),
            });
            total += (u64::from(height) - 1) * pitch + width * bytes;
        }
        (total, layouts)
    }
}

fn allocation(c: &mut Criterion) {
    let mut group = c.benchmark_group("allocation_info");
    for (name, desc) in [
        ("buffer", ResourceDesc::buffer(1_000_000)),
        ("texture 1024x1024, 11 mips", texture()),
        (
            "texture 256x256 at 4 KiB",
            ResourceDesc::texture_2d(Format::R8_UNORM, 256, 256).with_alignment(4096),
        ),
    ] {
        for family in [SwizzleFamily::Standard64Kb, SwizzleFamily::BlockLinear] {
            let rules = rules(family);
            let sizer = ProfileSizer { rules };
            let descs = [desc];
            group.bench_function(format!("{name}, {family:?}"), |b| {
                b.iter(|| allocation_info(&rules, &sizer, black_box(&descs[..]), None));
            });
        }
    }
    let sixteen = [texture(); 16];
    let rules = rules(SwizzleFamily::Standard64Kb);
    let sizer = ProfileSizer { rules };
    group.bench_function("16 textures 1024x1024, 11 mips", |b| {
        b.iter(|| allocation_info(&rules, &sizer, black_box(&sixteen[..]), None));
    });
    group.bench_function("texture 1024x1024, 11 mips, naive", |b| {
        let desc = texture();
        b.iter(|| naive::size(black_box(&desc), black_box([128, 128, 1])));
    });
    group.finish();
}

fn footprints(c: &mut Criterion) {
    let mut group = c.benchmark_group("copyable_footprints");
    let rules = rules(SwizzleFamily::Standard64Kb);
    let desc = texture();
    let mut layouts = [PlacedFootprint::EMPTY; 11];
    let mut rows = [0; 11];
    let mut row_sizes = [0; 11];
    group.bench_function("texture 1024x1024, 11 mips", |b| {
        b.iter(|| {
            let out = FootprintOutputs {
                layouts: Some(&mut layouts),
                row_counts: Some(&mut rows),
                row_sizes: Some(&mut row_sizes),
            };
            copyable_footprints(&rules, black_box(&desc), 0, 11, 0, out)
        });
    });
    group.bench_function("total only", |b| {
        b.iter(|| copyable_footprints(&rules, black_box(&desc), 0, 11, 0, FootprintOutputs::default()));
    });
    group.bench_function("texture 1024x1024, 11 mips, naive", |b| {
        b.iter(|| naive::footprints(black_box(&desc)));
    });
    group.finish();
}

criterion_group!(benches, allocation, footprints);
criterion_main!(benches);
