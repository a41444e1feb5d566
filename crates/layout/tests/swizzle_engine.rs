//! The engine of swizzle copies from outside: refusals, copies so large that they go around the caches, and
//! memory that ends with the surface.
#![allow(unsafe_code, reason = "raw copies beside pages that may not be touched")]

use heapstone_layout::swizzle::engine::{
    Backend, CompiledPattern, LinearPitch, PitchedCopy, STREAM_BYTES, SwizzleError, SwizzleRegion,
    SwizzleSide, SwizzledImage, copy_pitched_raw, copy_raw,
};
use heapstone_layout::swizzle::{
    BlockStrides, GroupOfBytes, PatternError, SwizzleAddress, SwizzlePattern, block_linear, named_pattern,
    parse_bits, reference_offset,
};

fn compiled(name: &str) -> CompiledPattern {
    let named = named_pattern(name).unwrap_or_else(|| panic!("{name} is no pattern of the data files"));
    CompiledPattern::new(&named.pattern).expect("which is legal")
}

fn small(bytes: u64) -> usize {
    usize::try_from(bytes).expect("bytes of a test")
}

/// One row of blocks of `width` bytes.
fn strides(pattern: &CompiledPattern, width: u64, height: u64) -> BlockStrides {
    let block = pattern.block();
    let row = width.div_ceil(1 << block.x_bytes_log2) << block.bytes_log2;
    let stacked = pattern.pattern().stack_depth_slices;
    BlockStrides {
        row,
        slice: if stacked { 0 } else { row * height.div_ceil(1 << block.y_log2) },
        stacked_rows: if stacked { u32::try_from(height).expect("few rows") } else { 0 },
    }
}

/// facts/layout.md: 64 KB standard swizzle of 32 bits, XYXY XYXY XYYY XXXX, the most significant bit first.
#[test]
fn texels_lie_where_the_facts_say() {
    let pattern = compiled("standard_64KB_2D_32bpp");
    let image = SwizzledImage { pattern: &pattern, strides: strides(&pattern, 512, 128) };
    let mut surface = vec![0; 1 << 16];
    let mut put = |x: u64, y: u32, value: u8| {
        let region =
            SwizzleRegion { x_bytes: 4 * x, y, width_bytes: 4, height: 1, depth: 1, ..Default::default() };
        image
            .write(&mut surface, &region, &[value; 4], LinearPitch::default())
            .expect("a texel of the block");
    };
    put(1, 0, 1);
    put(0, 1, 2);
    put(4, 0, 3);
    put(0, 4, 4);
    put(127, 127, 5);
    // X2 is address bit 2, Y0 bit 4, X4 (of bytes) bit 7, Y2 bit 6.
    for (at, value) in [(4, 1), (16, 2), (128, 3), (64, 4), (65532, 5)] {
        assert_eq!(surface[at..at + 4], [value; 4], "at {at}");
    }
    assert_eq!(surface.iter().filter(|byte| **byte != 0).count(), 20, "and nowhere else");
}

#[test]
fn refusals_name_what_was_given_and_allowed_and_change_nothing() {
    let pattern = compiled("standard_64KB_2D_32bpp");
    let image = SwizzledImage { pattern: &pattern, strides: strides(&pattern, 512, 128) };
    let whole = SwizzleRegion { width_bytes: 512, height: 128, depth: 1, ..Default::default() };
    let pitch = LinearPitch { row: 512, slice: 0 };
    let rows = vec![7; 1 << 16];
    let mut surface = vec![0; 1 << 16];

    let short = image.write(&mut surface[1..], &whole, &rows, pitch);
    let needs = |side, needed, given| Err(SwizzleError::Bytes { side, needed, given });
    assert_eq!(short, needs(SwizzleSide::Surface, Some(65536), 65535));
    assert_eq!(
        short.expect_err("refused").to_string(),
        "the surface has 65535 bytes; the region needs 65536"
    );
    let short = image.write(&mut surface, &whole, &rows[1..], pitch);
    assert_eq!(short, needs(SwizzleSide::Rows, Some(65536), 65535));
    let apart = LinearPitch { row: u64::MAX, slice: 0 };
    assert_eq!(image.write(&mut surface, &whole, &rows, apart), needs(SwizzleSide::Rows, None, 65536));

    let below = SwizzleRegion { y: u32::MAX, height: 1, ..whole };
    // The row of blocks 2^25 - 1, each of 65536 bytes, and its one block.
    assert_eq!(
        image.write(&mut surface, &below, &rows, pitch),
        needs(SwizzleSide::Surface, Some(1 << 41), 65536)
    );
    let beyond = SwizzleRegion { y: u32::MAX, height: 2, ..whole };
    assert_eq!(image.write(&mut surface, &beyond, &rows, pitch), needs(SwizzleSide::Surface, None, 65536));
    let beyond = SwizzleRegion { x_bytes: u64::MAX, ..whole };
    assert_eq!(image.write(&mut surface, &beyond, &rows, pitch), needs(SwizzleSide::Surface, None, 65536));

    let sample = SwizzleRegion { sample: 1, ..whole };
    assert_eq!(
        image.write(&mut surface, &sample, &rows, pitch),
        Err(SwizzleError::Sample { given: 1, samples_log2: 0 })
    );
    let askew = SwizzledImage { strides: BlockStrides { row: 65537, ..image.strides }, ..image };
    assert_eq!(
        askew.write(&mut surface, &whole, &rows, pitch),
        Err(SwizzleError::Stride { given: 65537, bytes_log2: 16 })
    );
    assert!(surface.iter().all(|byte| *byte == 0), "refused copies write nothing");

    let nothing = SwizzleRegion { x_bytes: u64::MAX, height: 0, ..whole };
    assert_eq!(image.end_offset(&nothing), Some(0));
    assert_eq!(image.write(&mut [], &nothing, &[], pitch), Ok(()), "an empty region lies anywhere");
    assert_eq!(image.end_offset(&whole), Some(65536));
}

#[test]
fn what_is_no_pattern_does_not_compile() {
    let mut pattern = SwizzlePattern::of_interleave(parse_bits("X0 X1 Y0 Y1").expect("bits"));
    pattern.interleave_xor[0] = parse_bits("- - - Y0").expect("bits");
    assert!(CompiledPattern::new(&pattern).is_ok());
    pattern.interleave_xor[0] = parse_bits("- - - Y1").expect("bits");
    let error = CompiledPattern::new(&pattern).expect_err("Y1 ^ Y1 is nothing");
    assert_eq!(error, PatternError::Dependent { address_bit: 3 });
}

/// 2^32 bytes and more: slices beyond them are found, and what leaves 64 bits is no offset.
#[test]
fn offsets_beyond_four_gigabytes() {
    let pattern = compiled("standard_64KB_3D_32bpp");
    // 16384 x 16384 x 2048 texels of 32 bits: 2^41 bytes. Blocks of 32 x 32 x 16.
    let strides = BlockStrides { row: 512 << 16, slice: (512 * 512) << 16, stacked_rows: 0 };
    let image = SwizzledImage { pattern: &pattern, strides };
    let region = SwizzleRegion { width_bytes: 65536, height: 16384, depth: 2048, ..SwizzleRegion::default() };
    assert_eq!(image.end_offset(&region), Some(1 << 41));
    let at = SwizzleAddress { x_bytes: 65535, y: 16383, z: 2047, sample: 0 };
    assert_eq!(pattern.offset(at, strides), (1 << 41) - 1, "the last byte of the last block");
    let at = SwizzleAddress { x_bytes: u64::MAX, ..at };
    assert_eq!(pattern.offset(at, strides), u64::MAX);
}

/// Bytes that repeat after a prime number of them.
fn filled(count: usize, first: u8) -> Vec<u8> {
    let period: Vec<u8> = (first..251).chain(0..first).collect();
    let mut bytes = period.repeat(count / period.len() + 1);
    bytes.truncate(count);
    bytes
}

/// Copies of more than [`STREAM_BYTES`], and a box within a surface of as many, against the reference routine
/// at every run of the pattern.
#[test]
fn copies_larger_than_caches() {
    /// Of 256 KiB: 64 bytes x 128 rows x 32 slices.
    const LARGE_BLOCKS: &str = "block-linear, 16 by 32 groups of bytes";
    let cases = [
        ("standard_64KB_2D_32bpp", 4096 + 512, 2800, 1),
        ("amd_gfx11_navi31_SW_64KB_Z_X_2d_32bpp", 4096 + 1536, 2300, 1),
        ("nvidia_fermi_color_blocklinear_h16", 4096 + 64, 3111, 1),
        ("intel_tile4_3D_stacked_slices_qpitch96", 2048, 1600, 4),
        ("intel_tileX", 8192, 1650, 1),
        ("intel_tileW_stencil", 4096 + 48, 1100, 1),
        (LARGE_BLOCKS, 448, 300, 35),
        ("standard_64KB_2D_8bpp", 2048 + 256, 2304, 1),
        ("standard_64KB_2D_64bpp", 16384 + 1040, 260, 1),
        ("amd_gfx9_vega10_SW_64KB_S_X_3d_32bpp", 1024, 360, 36),
    ];
    for (name, width_bytes, height, depth) in cases {
        let pattern = match name {
            LARGE_BLOCKS => CompiledPattern::new(&block_linear(GroupOfBytes::Tegra, 4, 5)).unwrap(),
            _ => compiled(name),
        };
        let strides = strides(&pattern, width_bytes, height.into());
        let image = SwizzledImage { pattern: &pattern, strides };
        let pitch = LinearPitch { row: width_bytes, slice: width_bytes * u64::from(height) };
        let whole = SwizzleRegion { width_bytes, height, depth, ..SwizzleRegion::default() };
        assert!(whole.bytes() > STREAM_BYTES);
        let boxed =
            SwizzleRegion { x_bytes: 192, y: 5, width_bytes: width_bytes - 276, height: height - 9, ..whole };
        let end = small(image.end_offset(&whole).expect("a small surface"));
        let linear = small(whole.bytes());
        let run = 1 << pattern.run_log2().min(6);
        for region in [whole, boxed] {
            let (surface, rows) = (filled(end, 3), filled(linear, 90));
            let (mut surface_after, mut rows_after) = (surface.clone(), rows.clone());
            for z in 0..region.depth {
                for y in 0..region.height {
                    let mut x = 0;
                    while x < region.width_bytes {
                        let at = SwizzleAddress {
                            x_bytes: region.x_bytes + x,
                            y: region.y + y,
                            z: region.z + z,
                            sample: 0,
                        };
                        let size = (run - at.x_bytes % run).min(region.width_bytes - x);
                        let tiled = small(reference_offset(pattern.pattern(), at, &strides));
                        let row = small(u64::from(z) * pitch.slice + u64::from(y) * pitch.row + x);
                        surface_after[tiled..][..small(size)].copy_from_slice(&rows[row..][..small(size)]);
                        rows_after[row..][..small(size)].copy_from_slice(&surface[tiled..][..small(size)]);
                        x += size;
                    }
                }
            }
            // The portable way knows nothing of sizes.
            for backend in Backend::available().filter(|backend| *backend != Backend::Portable) {
                for beyond_a_line in [0, 13] {
                    let place = |bytes: &[u8]| {
                        let mut around = vec![0xee; bytes.len() + 128];
                        let begin = around.as_ptr().align_offset(64) + beyond_a_line;
                        around[begin..][..bytes.len()].copy_from_slice(bytes);
                        (around, begin)
                    };
                    let (mut to, begin) = place(&surface);
                    // SAFETY: both reach as far as the whole surface does.
                    unsafe {
                        image.write_raw(backend, to[begin..].as_mut_ptr(), &region, rows.as_ptr(), pitch);
                    }
                    let what = format!("{name} {backend:?} {beyond_a_line} {region:?}");
                    assert!(to[begin..][..end] == surface_after, "{what} written otherwise");
                    let (mut back, begin) = place(&rows);
                    // SAFETY: as above.
                    unsafe {
                        image.read_raw(backend, surface.as_ptr(), &region, back[begin..].as_mut_ptr(), pitch);
                    }
                    assert!(back[begin..][..linear] == rows_after, "{what} read otherwise");
                    let untouched = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0xee);
                    assert!(untouched(&back[..begin]) && untouched(&back[begin + linear..]), "{what} beside");
                }
            }
        }
    }
}

#[test]
fn plain_copies_copy_the_rows_and_no_byte_more() {
    for backend in Backend::available() {
        for (row_bytes, rows, slices, from, to) in [
            (100, 7, 3, LinearPitch { row: 100, slice: 700 }, LinearPitch { row: 100, slice: 700 }),
            (100, 7, 3, LinearPitch { row: 128, slice: 1000 }, LinearPitch { row: 103, slice: 900 }),
            (
                1 << 20,
                5,
                1,
                LinearPitch { row: (1 << 20) + 7, slice: 0 },
                LinearPitch { row: 1 << 20, slice: 0 },
            ),
            (65, 1, 1, LinearPitch::default(), LinearPitch::default()),
            (0, 9, 9, LinearPitch::default(), LinearPitch::default()),
        ] {
            let copy = PitchedCopy { row_bytes, rows, slices, from, to };
            let source = filled(13 << 20, 1);
            let mut expected = filled(13 << 20, 50);
            let mut target = expected.clone();
            // Off a line by 5: what streams has to begin by itself.
            for slice in 0..u64::from(slices) {
                for row in 0..u64::from(rows) {
                    let at = |pitch: LinearPitch| small(slice * pitch.slice + row * pitch.row);
                    let (at_to, at_from, size) = (5 + at(to), at(from), small(row_bytes));
                    expected[at_to..at_to + size].copy_from_slice(&source[at_from..at_from + size]);
                }
            }
            // SAFETY: both vectors hold every row, the last of which ends below 13 MiB.
            unsafe { copy_pitched_raw(backend, target[5..].as_mut_ptr(), source.as_ptr(), &copy) }
            assert!(target == expected, "{backend:?} {copy:?}");
        }
        for size in [0, 1, 63, 64, 129, small(STREAM_BYTES) + 77] {
            let source = filled(size + 8, 9);
            let mut target = vec![0; size + 16];
            // SAFETY: both vectors hold `size` bytes from there.
            unsafe { copy_raw(backend, target[3..].as_mut_ptr(), source[1..].as_ptr(), size) }
            assert!(target[3..3 + size] == source[1..=size], "{backend:?} {size}");
            assert!(
                target[..3].iter().chain(&target[3 + size..]).all(|byte| *byte == 0),
                "{backend:?} {size}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
mod beside_forbidden_pages {
    use super::*;

    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

    const PAGE: usize = 4096;

    /// Memory with a page before and after it that no access survives.
    struct Fenced {
        base: *mut u8,
        pages: usize,
    }

    impl Fenced {
        fn new(size: usize) -> Fenced {
            let pages = size.div_ceil(PAGE);
            let all = ProtFlags::READ | ProtFlags::WRITE;
            let length = (pages + 2) * PAGE;
            // SAFETY: a new mapping, wherever the system likes.
            let base = unsafe { mmap_anonymous(core::ptr::null_mut(), length, all, MapFlags::PRIVATE) };
            let base = base.expect("some pages").cast::<u8>();
            for fence in [base, base.wrapping_add((pages + 1) * PAGE)] {
                // SAFETY: a page of the mapping, which nobody uses yet.
                unsafe { mprotect(fence.cast(), PAGE, MprotectFlags::empty()) }.expect("a page of ours");
            }
            Fenced { base, pages }
        }

        /// `size` bytes that begin behind the first fence, or end before the second.
        fn place(&self, size: usize, at_end: bool) -> *mut u8 {
            let begin = self.base.wrapping_add(PAGE);
            if at_end { begin.wrapping_add(self.pages * PAGE - size) } else { begin }
        }
    }

    impl Drop for Fenced {
        fn drop(&mut self) {
            // SAFETY: the mapping, to which no reference is left.
            unsafe { munmap(self.base.cast(), (self.pages + 2) * PAGE) }.expect("pages of ours");
        }
    }

    /// Copies a box to and fro, with rows at several pitches, between surfaces and rows that end and begin where an access
    /// would end the test's process.
    fn copy_to_and_fro(pattern: &CompiledPattern, region: &SwizzleRegion) {
        let SwizzleRegion { x_bytes, y, width_bytes, height, .. } = *region;
        let strides = strides(pattern, x_bytes + width_bytes, u64::from(y + height));
        let image = SwizzledImage { pattern, strides };
        let end = small(image.end_offset(region).expect("small"));
        for row in [width_bytes, width_bytes.next_multiple_of(256), width_bytes + 3] {
            let pitch = LinearPitch { row, slice: 0 };
            let linear = small(u64::from(height - 1) * row + width_bytes);
            let (surface, rows) = (Fenced::new(end), Fenced::new(linear));
            for backend in Backend::available() {
                for at_end in [false, true] {
                    let (surface, rows) = (surface.place(end, at_end), rows.place(linear, at_end));
                    // SAFETY: the surface reaches to its end, the rows to the last one's.
                    unsafe { image.write_raw(backend, surface, region, rows, pitch) }
                    // SAFETY: as above.
                    unsafe { image.read_raw(backend, surface, region, rows, pitch) }
                }
            }
        }
    }

    /// Large enough to go around the caches, and by way of a stage where rows begin beside lines.
    #[test]
    fn no_byte_beside_is_touched_around_the_caches() {
        for name in ["standard_64KB_2D_32bpp", "nvidia_fermi_color_blocklinear_h16", "intel_tileW_stencil"] {
            let (width_bytes, height) = (8192 + 708, 530);
            let region =
                SwizzleRegion { x_bytes: 4, y: 1, width_bytes, height, depth: 1, ..SwizzleRegion::default() };
            assert!(region.bytes() > STREAM_BYTES);
            copy_to_and_fro(&compiled(name), &region);
        }
    }

    #[test]
    fn no_byte_beside_is_touched() {
        let names = [
            "standard_64KB_2D_8bpp",
            "standard_64KB_2D_32bpp",
            "standard_64KB_2D_128bpp",
            "standard_4KB_2D_32bpp",
            "standard_64KB_3D_32bpp",
            "nvidia_blocklinear_h2",
            "nvidia_fermi_color_blocklinear_h16",
            "amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp",
            "intel_tileW_stencil",
            "intel_tileX",
        ];
        for name in names {
            let pattern = compiled(name);
            for (x, y, width_bytes, height) in
                [(0, 0, 512, 128), (4, 1, 260, 37), (60, 3, 8, 5), (0, 0, 64, 16)]
            {
                let region = SwizzleRegion {
                    x_bytes: x,
                    y,
                    width_bytes,
                    height,
                    depth: 1,
                    ..SwizzleRegion::default()
                };
                copy_to_and_fro(&pattern, &region);
            }
        }
    }
}
