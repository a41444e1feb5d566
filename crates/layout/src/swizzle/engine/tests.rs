//! Every copy against the reference routine, byte by byte: all patterns, instructions and ways.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::unit::MAX_ROWS;
use super::walk::Order;
use super::{Backend, CompiledPattern, LinearPitch, SwizzleRegion, SwizzledImage, Way};
use crate::swizzle::{
    BlockStrides, Channel, NO_BITS, PatternBlock, SwizzleAddress, SwizzlePattern, named_pattern,
    named_patterns, parse_bits, reference_offset,
};

/// What no copy writes: bytes of the surface and rows are below.
const UNTOUCHED: u8 = 0xFF;

fn bits(text: &str) -> crate::swizzle::BitRow {
    parse_bits(text).expect("a row of bits")
}

/// Patterns that no processor has, for what those in the data files leave out.
fn invented() -> Vec<(String, SwizzlePattern)> {
    let of = SwizzlePattern::of_interleave;
    let mut postamble = of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 Y4"));
    postamble.postamble_xor[0] = bits("- - - - - - - - X7 Y5 Y6");
    postamble.postamble_xor[1] = bits("- - - - - - - - Y7 - X0 X4");
    postamble.postamble_immediate = 0x5C0;
    let mut lines_inverted = of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5 Y2"));
    lines_inverted.postamble_immediate = 0x1F0;
    let mut bytes_inverted = of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5"));
    bytes_inverted.postamble_immediate = 0xF;
    let mut far_into_line = of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5 Y2"));
    far_into_line.interleave_xor[0] = bits("- - - - Y3 X6");
    let mut all_four = of(bits("X0 X1 X2 X3 Y0 X4 Y1 X5 Y2 Z0 Z1 Y3"));
    all_four.interleave_xor = [
        bits("- - - - - - - - X6 X7 X8 X9"),
        bits("- - - - - - - - Y4 Y5 Y6 Y7"),
        bits("- - - - - - - - Z2 Z3 X10 Y8"),
        bits("- - - - - X5 - - Z4 Y2 Z5 Z0"),
    ];
    let mut stacked = of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 X6 Y3 Y4"));
    stacked.stack_depth_slices = true;
    stacked.interleave_xor[0] = bits("- - - - - - X6 Y3 Y5 X8 Y6 X7");
    let mut tied = of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 Y3"));
    tied.interleave_xor[0] = bits("- - - - Y2 - X5 - - -");
    let group = of(bits("X0 X1 X2 X3 Y0 X4 Y1 Y2 X5 Y3 X6"));
    let (mut tied_below, mut tied_above) = (group, group);
    tied_below.interleave_xor[0] = bits("- - - - - - Y2 - - - -");
    tied_above.interleave_xor[0] = bits("- - - - - - - Y1 - - -");
    let mut pair_tied = of(bits("X0 X1 X2 X3 Y0 Y1 Y2 Y3 X4 X5 Y4 X6"));
    pair_tied.interleave_xor[0] = bits("- - - - - - - Y2 - - - -");
    let mut tied_to_line = of(bits("X0 X1 X2 X3 Y0 X4 Y1 X5 Y2 Y3 X6"));
    tied_to_line.interleave_xor[0] = bits("- - - - - - X5 - - - -");
    [
        ("group_tied_to_line", tied_to_line),
        ("pair_tied", pair_tied),
        ("group", group),
        ("group_tied_below", tied_below),
        ("group_tied_above", tied_above),
        ("postamble", postamble),
        ("lines_inverted", lines_inverted),
        ("bytes_inverted", bytes_inverted),
        ("far_into_line", far_into_line),
        ("all_four_xors", all_four),
        ("stacked_xor", stacked),
        ("rows_tied_to_rows", tied),
        ("granules_exchanged", of(bits("X0 X1 X2 X3 X5 X4 Y0 Y1"))),
        ("half_lines", of(bits("X0 X1 X2 X3 X4 Y0 X5 Y1 Z0"))),
        ("row_then_x5", of(bits("X0 X1 X2 X3 Y0 X5 X4 Y1"))),
        ("slices_in_lines", of(bits("X0 X1 X2 X3 Z0 Y0 X4 X5 Y1"))),
        ("three_axes_in_lines", of(bits("X0 X1 X2 Z0 Y0 Z1 X3 X4 X5"))),
        ("sixteen_rows", of(bits("X0 X1 Y0 Z0 Y1 Z1 X2 X3 X4 X5"))),
        ("bytes_of_rows", of(bits("Y0 Y1 Y2 X0 X1 X2 X3 X4 X5"))),
        ("rows_apart", of(bits("X0 X1 X2 X3 Y1 X4 Y0 X5 Y2"))),
        ("far_columns", of(bits("X0 X1 X2 X3 X6 Y0 X4 X5"))),
        ("samples_on_top", of(bits("X0 X1 X2 X3 Y0 Y1 X4 X5 Y2 S0 S1"))),
        ("one_line", of(bits("X0 X1 X2 X3 Y0 Y1"))),
        ("less_than_a_line", of(bits("X0 X1 Y0 Y1"))),
        ("a_byte", of(NO_BITS)),
        ("row_major", SwizzlePattern::row_major(2)),
        ("a_line_of_a_row", of(bits("X0 X1 X2 X3 X4 X5 Y0"))),
    ]
    .map(|(name, pattern)| (name.to_owned(), pattern))
    .into()
}

fn patterns() -> Vec<(String, CompiledPattern)> {
    let named = named_patterns().into_iter().map(|named| (named.name, named.pattern));
    // Some are equal under several names.
    let mut seen = Vec::new();
    named
        .chain(invented())
        .filter(|(_, pattern)| {
            let is_new = !seen.contains(pattern);
            if is_new {
                seen.push(*pattern);
            }
            is_new
        })
        // An interpreter has no memory for large surfaces.
        .filter(|(_, pattern)| !cfg!(miri) || pattern.block().is_ok_and(|block| block.bytes_log2 <= 12))
        .map(|(name, pattern)| {
            let compiled = CompiledPattern::new(&pattern);
            (name, compiled.expect("patterns of the data files and of this file are legal"))
        })
        .collect()
}

/// A region of a surface, and how both sides lie.
#[derive(Clone, Debug)]
struct Case {
    region: SwizzleRegion,
    pitch: LinearPitch,
    /// Blocks from a row of blocks to the next beyond what it takes, and rows from a slice to the next.
    gaps: (u64, u64, u32),
    /// Bytes that both sides begin at beyond a line's begin.
    starts: (usize, usize),
}

/// Where a box may begin and how far reach: around multiples of units and blocks, and short.
fn interval(block_log2: u8, least_log2: u8) -> impl Strategy<Value = (u32, u32)> {
    let block = 1_u32 << block_log2.min(10);
    let least = 1_u32 << least_log2.min(6);
    (0..2_u32, 0..=block, 0..=least, 0..=2 * least, 0..4_u8).prop_map(
        move |(blocks, within, near, length, kind)| match kind {
            0 => (blocks * block, block),
            1 => (blocks * block, length + 1),
            2 => (blocks * block + within / least * least, within.max(1)),
            _ => (within + near, length + 1),
        },
    )
}

/// Of a region.
const MOST_BYTES: u32 = if cfg!(miri) { 600 } else { 12 << 10 };

fn cases(block: PatternBlock) -> impl Strategy<Value = Case> {
    let samples = 1_u32 << block.samples_log2;
    let depth = if block.z_log2 == 0 { interval(0, 1).boxed() } else { interval(block.z_log2, 2).boxed() };
    (
        interval(block.x_bytes_log2, 6),
        interval(block.y_log2, 3),
        depth,
        0..samples,
        (0..80_u64, prop::bool::ANY, 0..200_u64),
        (0..3_u64, 0..3_u64, 0..70_u32),
        (0..64_usize, 0..64_usize, 0..3_u8),
    )
        .prop_map(|(x, y, z, sample, (row_gap, lines, slice_gap), gaps, (surface, rows, aligned))| {
            // As many rows and slices as keep the reference routine's time short.
            let height = y.1.min((MOST_BYTES / x.1).max(1));
            let region = SwizzleRegion {
                x_bytes: x.0.into(),
                y: y.0,
                z: z.0,
                sample,
                width_bytes: x.1.into(),
                height,
                depth: z.1.min((MOST_BYTES / (x.1 * height)).max(1)),
            };
            let row = region.width_bytes + row_gap;
            let row = if lines { row.next_multiple_of(64) } else { row };
            let slice = row * u64::from(region.height) + if lines { slice_gap / 64 * 64 } else { slice_gap };
            let begin = usize::try_from(region.x_bytes % 64).expect("below 64");
            let starts = match aligned {
                0 => (0, begin),
                1 => (0, rows),
                _ => (surface, rows),
            };
            Case { region, pitch: LinearPitch { row, slice }, gaps, starts }
        })
}

impl Case {
    fn strides(&self, block: PatternBlock, stacked: bool) -> BlockStrides {
        let region = &self.region;
        let last_x = region.x_bytes + region.width_bytes - 1;
        let last_y = u64::from(region.y + region.height - 1);
        let row = ((last_x >> block.x_bytes_log2) + 1 + self.gaps.0) << block.bytes_log2;
        let layers = (last_y >> block.y_log2) + 1 + self.gaps.1;
        BlockStrides {
            row,
            slice: if stacked { 0 } else { row * layers },
            stacked_rows: if stacked { region.y + region.height + self.gaps.2 } else { 0 },
        }
    }
}

/// Bytes that are equal to no neighbour and never [`UNTOUCHED`].
fn filled(count: usize, seed: u8) -> Vec<u8> {
    let period: Vec<u8> = (seed..251).chain(0..seed).collect();
    let mut bytes = period.repeat(count / period.len() + 1);
    bytes.truncate(count);
    bytes
}

/// Some bytes within a vector, beginning so many bytes beyond a line.
struct Placed {
    memory: Vec<u8>,
    begin: usize,
    size: usize,
}

impl Placed {
    fn new(content: &[u8], beyond: usize) -> Placed {
        let mut memory = vec![UNTOUCHED; content.len() + 64 * 4];
        let begin = memory.as_ptr().align_offset(64) + 64 + beyond;
        memory[begin..begin + content.len()].copy_from_slice(content);
        Placed { memory, begin, size: content.len() }
    }

    fn bytes(&self) -> &[u8] {
        &self.memory[self.begin..self.begin + self.size]
    }

    fn pointer(&mut self) -> *mut u8 {
        self.memory[self.begin..].as_mut_ptr()
    }

    fn is_untouched_around(&self) -> bool {
        let around = self.memory[..self.begin].iter().chain(&self.memory[self.begin + self.size..]);
        around.into_iter().all(|byte| *byte == UNTOUCHED)
    }
}

/// For every byte of the region its place in the surface and in the rows.
fn places(pattern: &SwizzlePattern, case: &Case, strides: &BlockStrides) -> Vec<(usize, usize)> {
    let region = &case.region;
    let mut places = Vec::new();
    for z in 0..region.depth {
        for y in 0..region.height {
            for x in 0..region.width_bytes {
                let at = SwizzleAddress {
                    x_bytes: region.x_bytes + x,
                    y: region.y + y,
                    z: region.z + z,
                    sample: region.sample,
                };
                let surface = reference_offset(pattern, at, strides);
                let rows = u64::from(z) * case.pitch.slice + u64::from(y) * case.pitch.row + x;
                let small = |place: u64| usize::try_from(place).expect("a small surface");
                places.push((small(surface), small(rows)));
            }
        }
    }
    places
}

const WAYS: [Way; 6] = [
    Way { order: Order::Strips, stream: false, far: false, ordered: true },
    Way { order: Order::Strips, stream: false, far: true, ordered: true },
    Way { order: Order::Strips, stream: true, far: true, ordered: true },
    Way { order: Order::Strips, stream: true, far: false, ordered: false },
    Way { order: Order::Addresses, stream: false, far: true, ordered: true },
    Way { order: Order::Addresses, stream: true, far: true, ordered: true },
];

fn check(name: &str, pattern: &CompiledPattern, case: &Case) -> Result<(), TestCaseError> {
    let strides = case.strides(pattern.block(), pattern.pattern().stack_depth_slices);
    let image = SwizzledImage { pattern, strides };
    let places = places(pattern.pattern(), case, &strides);
    let end = usize::try_from(image.end_offset(&case.region).expect("a small region")).expect("small");
    let rows_end = places.iter().map(|(_, rows)| rows + 1).max().unwrap_or(0);
    prop_assert!(places.iter().all(|(surface, _)| *surface < end), "{name}: end_offset is {end}");

    let surface = filled(end, 1);
    let rows = filled(rows_end, 100);
    let mut surface_after = surface.clone();
    let mut rows_after = rows.clone();
    for (surface_at, rows_at) in &places {
        surface_after[*surface_at] = rows[*rows_at];
        rows_after[*rows_at] = surface[*surface_at];
    }

    for backend in Backend::available() {
        for way in WAYS {
            let mut to = Placed::new(&surface, case.starts.0);
            let mut from = Placed::new(&rows, case.starts.1);
            let job = image.job(backend, to.pointer(), &case.region, from.pointer(), case.pitch);
            // SAFETY: the surface reaches to `end_offset`, the rows to the last byte that the pitch leads to.
            unsafe { image.copy_so::<true>(job, way) }
            prop_assert!(to.bytes() == surface_after, "{name} {backend:?} {way:?}: written otherwise");
            prop_assert!(from.bytes() == rows, "{name} {backend:?} {way:?}: what was read has changed");
            prop_assert!(to.is_untouched_around(), "{name} {backend:?} {way:?}: wrote beside the surface");

            let mut from = Placed::new(&surface, case.starts.0);
            let mut to = Placed::new(&rows, case.starts.1);
            let job = image.job(backend, from.pointer(), &case.region, to.pointer(), case.pitch);
            // SAFETY: as above.
            unsafe { image.copy_so::<false>(job, way) }
            prop_assert!(to.bytes() == rows_after, "{name} {backend:?} {way:?}: read otherwise");
            prop_assert!(from.bytes() == surface, "{name} {backend:?} {way:?}: what was read has changed");
            prop_assert!(to.is_untouched_around(), "{name} {backend:?} {way:?}: wrote beside the rows");
        }
        let region = &case.region;
        let at = (region.x_bytes, region.y, region.z);
        let plan = image.plan(backend, region, case.pitch).filter(|plan| plan.begins_at(at.0, at.1, at.2));
        let Some(plan) = plan else { continue };
        for around in [false, true] {
            let mut to = Placed::new(&surface, case.starts.0);
            let mut from = Placed::new(&rows, case.starts.1);
            if around {
                // SAFETY: as above; the plan is of the region, and the region begins where it says.
                unsafe { plan.write_around_raw(to.pointer(), at, from.pointer()) }
            } else {
                // SAFETY: as above.
                unsafe { plan.write_raw(to.pointer(), at, from.pointer()) }
            }
            prop_assert!(to.bytes() == surface_after, "{name} {backend:?} planned: written otherwise");
            prop_assert!(from.bytes() == rows, "{name} {backend:?} planned: what was read has changed");
            prop_assert!(to.is_untouched_around(), "{name} {backend:?} planned: wrote beside the surface");
        }
        let mut from = Placed::new(&surface, case.starts.0);
        let mut to = Placed::new(&rows, case.starts.1);
        // SAFETY: as above.
        unsafe { plan.read_raw(from.pointer(), at, to.pointer()) }
        prop_assert!(to.bytes() == rows_after, "{name} {backend:?} planned: read otherwise");
        prop_assert!(from.bytes() == surface, "{name} {backend:?} planned: what was read has changed");
        prop_assert!(to.is_untouched_around(), "{name} {backend:?} planned: wrote beside the rows");
    }
    Ok(())
}

/// Boxes at multiples of a power of two that is no less than their size, which is what plans are for.
fn planned_cases(block: PatternBlock) -> impl Strategy<Value = Case> {
    let samples = 1_u32 << block.samples_log2;
    let sizes = (1..=4_u32, 1..=8_u32, 1..=4_u32);
    let line = prop::sample::select(vec![64, 128, 256_u64]);
    (sizes, line, (0..5_u32, 0..9_u32, 0..5_u32), 0..samples, (0..80_u64, 0..64_usize, prop::bool::ANY))
        .prop_map(move |((width, height, depth), line, (x, y, z), sample, (gap, rows, aligned))| {
            let (height, depth) = (height << 1, if block.z_log2 == 0 { 1 } else { depth });
            let width_bytes = if width == 4 { line } else { u64::from(width) * 64 };
            let region = SwizzleRegion {
                x_bytes: width_bytes.next_power_of_two() * u64::from(x),
                y: height.next_power_of_two() * y,
                z: depth.next_power_of_two() * z,
                sample,
                width_bytes,
                height,
                depth,
            };
            let row = width_bytes + if aligned { 64 } else { gap };
            let pitch = LinearPitch { row, slice: row * u64::from(height) + gap };
            Case { region, pitch, gaps: (0, 1, 3), starts: if aligned { (0, 0) } else { (rows, rows / 3) } }
        })
}

#[test]
fn boxes_of_one_size_are_what_the_reference_routine_says() {
    for (name, pattern) in patterns().iter().step_by(if cfg!(miri) { 9 } else { 1 }) {
        let config = Config { cases: CASES.div_ceil(3), failure_persistence: None, ..Config::default() };
        let result =
            TestRunner::new(config).run(&planned_cases(pattern.block()), |case| check(name, pattern, &case));
        if let Err(error) = result {
            panic!("{name}: {error}");
        }
    }
}

/// Which boxes have plans is not left to chance: in blocks of 128 x 128 texels of 32 bits, with four rows to a line, all
/// of whole units within a row of blocks.
#[test]
fn small_boxes_of_whole_units_have_plans() {
    let named = crate::swizzle::named_pattern("standard_64KB_2D_32bpp").expect("it is in the data files");
    let pattern = CompiledPattern::new(&named.pattern).expect("patterns of the data files are legal");
    // Of 128 x 128 texels.
    let image = SwizzledImage {
        pattern: &pattern,
        strides: BlockStrides { row: 1 << 18, ..BlockStrides::default() },
    };
    let pitch = LinearPitch { row: 256, slice: 4096 };
    for backend in Backend::available() {
        let plan = |width_bytes, height| {
            let region = SwizzleRegion { width_bytes, height, depth: 1, ..SwizzleRegion::default() };
            image.plan(backend, &region, pitch)
        };
        for (width_bytes, height) in [(64, 4), (64, 16), (192, 12), (64, 128), (512, 16), (2048, 4)] {
            assert!(plan(width_bytes, height).is_some(), "{backend:?} {width_bytes} x {height}");
        }
        // Nothing, parts of lines, parts of units, more than a row of blocks, and more units than a plan has.
        for (width_bytes, height) in [(0, 4), (60, 16), (96, 16), (64, 15), (64, 2), (64, 132), (128, 128)] {
            assert!(plan(width_bytes, height).is_none(), "{backend:?} {width_bytes} x {height}");
        }
        let plan = plan(192, 12).expect("as above");
        for (x, y, is_begin) in
            [(0, 0, true), (256, 16, true), (512, 48, true), (192, 16, false), (256, 12, false)]
        {
            assert_eq!(plan.begins_at(x, y, 0), is_begin, "{backend:?} at {x}, {y}");
        }
        assert!(plan.begins_at(256, 16, 7), "a slice begins anywhere");
    }
}

/// Cases for each pattern.
const CASES: u32 = if cfg!(miri) { 1 } else { 12 };

#[test]
fn every_copy_is_what_the_reference_routine_says() {
    let patterns = patterns();
    let step = if cfg!(miri) { 3 } else { 1 };
    for (name, pattern) in patterns.iter().step_by(step) {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        let result = TestRunner::new(config).run(&cases(pattern.block()), |case| check(name, pattern, &case));
        if let Err(error) = result {
            panic!("{name}: {error}");
        }
    }
}

/// Sizes that are no multiple of anything, whole surfaces.
#[test]
fn odd_surfaces_are_copied_whole() {
    let sizes = [
        (33, 33, 33),
        (132, 33, 5),
        (20, 7, 3),
        (1, 1, 1),
        (4, 1, 1),
        (28, 5, 7),
        (255, 65, 1),
        (1000, 17, 1),
    ];
    for (name, pattern) in patterns().iter().step_by(if cfg!(miri) { 8 } else { 1 }) {
        for (width_bytes, height, depth) in sizes {
            if cfg!(miri) && width_bytes > 4 {
                continue;
            }
            let region = SwizzleRegion { width_bytes, height, depth, ..SwizzleRegion::default() };
            let row = width_bytes.next_multiple_of(256);
            let pitch = LinearPitch { row, slice: row * u64::from(height) };
            let case = Case { region, pitch, gaps: (0, 0, 0), starts: (0, 0) };
            if let Err(error) = check(name, pattern, &case) {
                panic!("{name} {region:?}: {error}");
            }
        }
    }
}

/// Rows longer than what a strip asks for ahead, and of many pieces.
#[test]
#[cfg_attr(miri, ignore = "megabytes, which an interpreter takes hours for")]
fn long_rows_are_copied_whole() {
    let names = [
        "standard_64KB_2D_32bpp",
        "standard_64KB_3D_32bpp",
        "intel_tileX",
        "amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp",
    ];
    for name in names {
        let named = named_pattern(name).expect("a pattern of the data files");
        let pattern = CompiledPattern::new(&named.pattern).expect("a legal pattern");
        for (x_bytes, width_bytes, beside) in [(0, 5 << 15, 0), (96, 140_001, 0), (64, 140_001, 5)] {
            let region = SwizzleRegion {
                x_bytes,
                y: 3,
                width_bytes,
                height: 13,
                depth: 1,
                ..SwizzleRegion::default()
            };
            let row = width_bytes.next_multiple_of(64) + beside;
            let pitch = LinearPitch { row, slice: row * 13 };
            let begin = usize::try_from(x_bytes % 64 + beside).expect("below 64");
            let case = Case { region, pitch, gaps: (0, 0, 0), starts: (0, begin) };
            if let Err(error) = check(name, &pattern, &case) {
                panic!("{name} {region:?}: {error}");
            }
        }
    }
}

#[test]
fn offsets_by_table_are_those_of_the_reference_routine() {
    for (name, pattern) in patterns() {
        let any = (any::<u64>(), any::<u32>(), any::<u32>(), any::<(u8, u8, u8)>());
        let config = Config {
            cases: if cfg!(miri) { 2 } else { 200 },
            failure_persistence: None,
            ..Config::default()
        };
        let result = TestRunner::new(config).run(&any, |(x, y, z, shifts)| {
            let block = pattern.block();
            let at = SwizzleAddress {
                x_bytes: x >> (shifts.0 % 64),
                y: y >> (shifts.1 % 32),
                z: z >> (shifts.2 % 32),
                sample: z % (1 << block.samples_log2),
            };
            let stacked = pattern.pattern().stack_depth_slices;
            let row = 77 << block.bytes_log2;
            let strides = BlockStrides {
                row,
                slice: if stacked { 0 } else { row * 13 },
                stacked_rows: if stacked { 97 } else { 0 },
            };
            prop_assert_eq!(
                pattern.offset(at, strides),
                reference_offset(pattern.pattern(), at, &strides),
                "{} {:?}",
                name,
                at
            );
            Ok(())
        });
        if let Err(error) = result {
            panic!("{error}");
        }
    }
}

/// That patterns are copied by lines is not left to chance: all of the data files are, but those with
/// samples within a line or more rows than a unit has.
#[test]
fn patterns_of_processors_have_units() {
    for named in named_patterns() {
        let line = named.pattern.interleave.iter().take(6).flatten();
        let of = |channel: Channel| line.clone().filter(|entry| entry.channel == channel).count();
        let expected = of(Channel::Sample) == 0 && 1 << (of(Channel::Y) + of(Channel::Z)) <= MAX_ROWS;
        let compiled = CompiledPattern::new(&named.pattern).expect("patterns of the data files are legal");
        assert_eq!(compiled.unit().is_some(), expected, "{}", named.name);
    }
}

/// A step by two bits would leave rows between them out: of the first tied ones, Y1 and Y2 together lead to the second
/// unit, or from it to the third. Of the last, Y1 leads to both, but for a bit of the line.
#[test]
fn groups_have_all_rows_of_their_extent() {
    for (name, rows_log2, count_log2) in [
        ("group", 1, 2),
        ("group_tied_below", 1, 1),
        ("group_tied_above", 1, 0),
        ("pair_tied", 2, 0),
        ("group_tied_to_line", 1, 1),
    ] {
        let (_, pattern) = invented().into_iter().find(|(known, _)| known == name).expect("a name");
        let compiled = CompiledPattern::new(&pattern).expect("a pattern");
        let unit = compiled.unit().expect("lines");
        assert_eq!((unit.rows_log2, unit.group.count_log2), (rows_log2, count_log2), "{name}");
        assert_eq!(unit.group.extent.y.count_ones(), u32::from(rows_log2 + count_log2), "{name}");
    }
}
