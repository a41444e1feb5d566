//! Swizzle copies of whole surfaces and of boxes, beside a memcpy and a copy with non-temporal stores of as
//! many bytes, and beside the crate `tegra_swizzle` where it has the pattern. Ratios are printed at the end of
//! each surface: copies of one run swing together.
//!
//! `cargo bench -p heapstone-layout --bench swizzle [-- NAME]`: of those whose names hold NAME.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the bench")]
#![allow(unsafe_code, reason = "the copy with non-temporal stores takes pointers")]

mod race;

use std::cell::RefCell;
use std::env;
use std::hint::black_box;

use heapstone_layout::swizzle::engine::{
    Backend, CompiledPattern, LinearPitch, STREAM_BYTES, SwizzleRegion, SwizzledImage, copy_raw,
};
use heapstone_layout::swizzle::{
    BlockStrides, GroupOfBytes, SwizzlePattern, block_linear, named_pattern, named_patterns,
};
use race::{LINE, Lines, race};
use tegra_swizzle::BlockHeight;
use tegra_swizzle::swizzle::{deswizzle_block_linear, swizzle_block_linear};

/// A square surface of a pattern, with its rows.
struct Surface {
    pattern: CompiledPattern,
    strides: BlockStrides,
    region: SwizzleRegion,
    rows: Lines,
    tiled: Lines,
}

impl Surface {
    /// Of about `bytes` bytes: rows of twice as many bytes as there are rows times 2^`extra`.
    fn new(pattern: &SwizzlePattern, bytes: u64) -> Surface {
        let block = pattern.block().unwrap();
        let depth = 1_u32 << block.z_log2;
        let area = bytes / u64::from(depth);
        let height = 1_u64 << (area.ilog2() / 2).saturating_sub(1).max(u32::from(block.y_log2));
        let width = (area / height).max(1 << block.x_bytes_log2);
        let row = width >> block.x_bytes_log2 << block.bytes_log2;
        let slice = (height >> block.y_log2) * row;
        let size = usize::try_from(width * height * u64::from(depth)).unwrap();
        Surface {
            pattern: CompiledPattern::new(pattern).unwrap(),
            strides: BlockStrides {
                row,
                slice: if pattern.stack_depth_slices { 0 } else { slice },
                stacked_rows: if pattern.stack_depth_slices { u32::try_from(height).unwrap() } else { 0 },
            },
            region: SwizzleRegion {
                x_bytes: 0,
                y: 0,
                z: 0,
                sample: 0,
                width_bytes: width,
                height: u32::try_from(height).unwrap(),
                depth,
            },
            rows: Lines::new(0x5a, size),
            tiled: Lines::new(0xa5, size),
        }
    }

    fn pitch(region: &SwizzleRegion) -> LinearPitch {
        LinearPitch { row: region.width_bytes, slice: region.width_bytes * u64::from(region.height) }
    }
}

/// Whether the arguments ask for it: what begins with a hyphen is for benches of cargo's own kind.
fn is_wanted(name: &str) -> bool {
    env::args().skip(1).all(|wanted| wanted.starts_with('-') || name.contains(&wanted))
}

fn surfaces(name: &str, pattern: &SwizzlePattern, bytes: u64) {
    if !is_wanted(name) {
        return;
    }
    let surface = Surface::new(pattern, bytes);
    let Surface { pattern, strides, region, rows, tiled } = surface;
    let image = SwizzledImage { pattern: &pattern, strides };
    let pitch = Surface::pitch(&region);
    let backend = Backend::detect();
    let repeat = u32::try_from((64 << 20) / rows.len().max(1)).unwrap().clamp(1, 256);
    let size = rows.len();
    // The same memory for all who take a turn: whose pages lie well in the caches' sets is chance. For the same reason
    // turns of small surfaces take place in several.
    let places = ((8 << 20) / size).clamp(1, 8);
    let mut sides: Vec<_> = (1..places).map(|_| (rows.clone(), tiled.clone())).collect();
    sides.push((rows, tiled));
    let sides: Vec<_> = sides.into_iter().map(RefCell::new).collect();
    let times = race(
        &mut [
            ("memcpy", &mut |turn| {
                let (rows, tiled) = &mut *sides[turn % places].borrow_mut();
                black_box(tiled).copy_from_slice(black_box(rows));
            }),
            ("non-temporal", &mut |turn| {
                let (rows, tiled) = &mut *sides[turn % places].borrow_mut();
                // SAFETY: both have `size` bytes, and neither is the other.
                unsafe { copy_raw(backend, black_box(tiled).as_mut_ptr(), black_box(rows).as_ptr(), size) }
            }),
            ("to tiled", &mut |turn| {
                let (rows, tiled) = &mut *sides[turn % places].borrow_mut();
                image.write(black_box(tiled), &region, black_box(rows), pitch).unwrap();
            }),
            ("to rows", &mut |turn| {
                let (rows, tiled) = &mut *sides[turn % places].borrow_mut();
                image.read(black_box(tiled), &region, black_box(rows), pitch).unwrap();
            }),
        ],
        repeat,
    );
    // What is no larger than this goes by way of the caches: the copy around them is a memcpy then.
    let beside_stream = |of: usize| {
        let streams = size as u64 > STREAM_BYTES;
        if streams { format!(" {:.2}x non-temporal", times.speed(of, 1)) } else { String::new() }
    };
    println!(
        "{name:<44} {:>9} KiB  to tiled {:.2}x memcpy{}   to rows {:.2}x memcpy{}   (memcpy {:.1} GB/s)",
        size >> 10,
        times.speed(2, 0),
        beside_stream(2),
        times.speed(3, 0),
        beside_stream(3),
        times.rate(0, size),
    );
}

/// Boxes of 256 x 256 texels of 32 bits over a large surface, against the surface at once.
fn boxes(name: &str, pattern: &SwizzlePattern) {
    if !is_wanted(&format!("{name} boxes")) {
        return;
    }
    let Surface { pattern, strides, region, rows, tiled } = Surface::new(pattern, 64 << 20);
    let image = SwizzledImage { pattern: &pattern, strides };
    let pitch = Surface::pitch(&region);
    let small: Vec<SwizzleRegion> = (0..region.height / 256)
        .flat_map(|y| (0..region.width_bytes / 1024).map(move |x| (x, y)))
        .map(|(x, y)| SwizzleRegion {
            x_bytes: x * 1024,
            y: y * 256,
            width_bytes: 1024,
            height: 256,
            ..region
        })
        .collect();
    let start = |part: &SwizzleRegion| usize::try_from(u64::from(part.y) * pitch.row + part.x_bytes).unwrap();
    // The same memory for all, as in `surfaces`.
    let sides = RefCell::new((rows, tiled));
    let write = |parts: &[SwizzleRegion]| {
        let (rows, tiled) = &mut *sides.borrow_mut();
        for part in parts {
            image.write(black_box(tiled), part, &rows[start(part)..], pitch).unwrap();
        }
    };
    let read = |parts: &[SwizzleRegion]| {
        let (rows, tiled) = &mut *sides.borrow_mut();
        for part in parts {
            image.read(tiled, part, &mut black_box(&mut *rows)[start(part)..], pitch).unwrap();
        }
    };
    let times = race(
        &mut [
            ("whole, to tiled", &mut |_| write(&[region])),
            ("boxes, to tiled", &mut |_| write(&small)),
            ("whole, to rows", &mut |_| read(&[region])),
            ("boxes, to rows", &mut |_| read(&small)),
        ],
        1,
    );
    println!(
        "{name:<44} boxes of 256x256: to tiled {:.2}x, to rows {:.2}x of the whole surface's rate",
        times.speed(1, 0),
        times.speed(3, 2),
    );
}

/// A surface read into rows that begin 16 bytes beyond a line, as a large vector does, against rows at lines. With other
/// bytes in the caches.
fn rows_beside_lines(name: &str, pattern: &SwizzlePattern) {
    if !is_wanted(&format!("{name} beside lines")) {
        return;
    }
    let Surface { pattern, strides, region, rows, tiled } = Surface::new(pattern, 16 << 20);
    let image = SwizzledImage { pattern: &pattern, strides };
    let pitch = Surface::pitch(&region);
    let size = rows.len();
    let rows = RefCell::new(Lines::new(0, size + LINE));
    let read = |begin: usize| {
        let rows = &mut rows.borrow_mut()[begin..][..size];
        image.read(&tiled, &region, black_box(rows), pitch).unwrap();
    };
    let times = race(
        &mut [
            ("memcpy", &mut |_| rows.borrow_mut()[16..][..size].copy_from_slice(black_box(&tiled))),
            ("at lines", &mut |_| read(0)),
            ("beside lines", &mut |_| read(16)),
        ],
        1,
    );
    println!(
        "{name:<44} {:>9} KiB  to rows 16 bytes beyond a line {:.2}x memcpy, {:.2}x the rate of rows at lines",
        size >> 10,
        times.speed(2, 0),
        times.speed(2, 1),
    );
}

/// `side` x `side` texels of `element` bytes in NVIDIA's block-linear, 16 groups of bytes high. Theirs returns a new vector,
/// which is part of its time; ours writes to memory that is there.
fn tegra(side: u32, element: u32) {
    let name = format!("block-linear {side:>4} x {side:>4}, {element:>2} bytes");
    if !is_wanted(&name) {
        return;
    }
    let pattern = CompiledPattern::new(&block_linear(GroupOfBytes::Tegra, 4, 0)).unwrap();
    let (width, height) = (side, side);
    let row_bytes = u64::from(width) * u64::from(element);
    let strides = BlockStrides { row: row_bytes << 7, slice: 0, stacked_rows: 0 };
    let region =
        SwizzleRegion { x_bytes: 0, y: 0, z: 0, sample: 0, width_bytes: row_bytes, height, depth: 1 };
    let image = SwizzledImage { pattern: &pattern, strides };
    let pitch = Surface::pitch(&region);
    let size = usize::try_from(row_bytes * u64::from(height)).unwrap();
    let mut rows = Lines::new(0, size);
    for (at, byte) in rows.iter_mut().enumerate() {
        *byte = (at >> 3).to_le_bytes()[0];
    }
    let mut tiled = Lines::new(0, size);
    image.write(&mut tiled, &region, &rows, pitch).unwrap();
    let block_height = BlockHeight::new(16).unwrap();
    assert!(swizzle_block_linear(width, height, 1, &rows, block_height, element).unwrap() == *tiled);
    // The same memory for all, as in `surfaces`. What is copied to and fro stays as it is.
    let sides = RefCell::new((rows, tiled));
    let times = race(
        &mut [
            ("ours, to tiled", &mut |_| {
                let (rows, tiled) = &mut *sides.borrow_mut();
                image.write(black_box(tiled), &region, black_box(rows), pitch).unwrap();
            }),
            ("theirs, to tiled", &mut |_| {
                let (rows, _) = &*sides.borrow();
                black_box(swizzle_block_linear(width, height, 1, rows, block_height, element).unwrap());
            }),
            ("ours, to rows", &mut |_| {
                let (rows, tiled) = &mut *sides.borrow_mut();
                image.read(black_box(tiled), &region, black_box(rows), pitch).unwrap();
            }),
            ("theirs, to rows", &mut |_| {
                let (_, tiled) = &*sides.borrow();
                black_box(deswizzle_block_linear(width, height, 1, tiled, block_height, element).unwrap());
            }),
        ],
        // As many bytes a turn whatever the size: one copy of a small texture would be of bytes that the others' have
        // driven out of the caches.
        u32::try_from((16 << 20) / size).unwrap_or(1).max(1),
    );
    println!(
        "{name}: to tiled {:.1}x, to rows {:.1}x the rate of tegra_swizzle (ours {:.1} and {:.1} GB/s)",
        times.speed(0, 1),
        times.speed(2, 3),
        times.rate(0, size),
        times.rate(2, size),
    );
}

fn main() {
    println!("backend {:?}", Backend::detect());
    for bits in [8, 16, 32, 64, 128] {
        let name = format!("standard_64KB_2D_{bits}bpp");
        let found = named_pattern(&name).unwrap_or_else(|| {
            let names: Vec<_> = named_patterns().iter().map(|pattern| pattern.name.to_string()).collect();
            panic!("no pattern {name}; there are {}", names.join(", "))
        });
        surfaces(&name, &found.pattern, 256 << 20);
        surfaces(&name, &found.pattern, 256 << 10);
        boxes(&name, &found.pattern);
        rows_beside_lines(&name, &found.pattern);
    }
    let others = [
        "intel_tileX",
        "intel_tileW_stencil",
        "nvidia_blocklinear_h2",
        "nvidia_turing_color2d_blocklinear_h16",
    ];
    let amd = ["amd_gfx10_navi10_SW_64KB_S_X_2d_32bpp", "amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp"];
    for name in others.into_iter().chain(amd).chain(["standard_64KB_3D_32bpp"]) {
        surfaces(name, &named_pattern(name).unwrap().pattern, 64 << 20);
    }
    for side in [512, 2048, 4096] {
        [1, 4, 8, 16].into_iter().for_each(|element| tegra(side, element));
    }
}
