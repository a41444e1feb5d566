use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{
    BlockStrides, SwizzleAddress, SwizzlePattern, named_pattern, parse_bits, reference_offset,
};
use std::sync::{LazyLock, OnceLock};

use super::*;
use crate::bytes::swizzled::SurfaceBytes;
use crate::bytes::{Access, Region, Reservation, read_swizzled, write_swizzled};
use crate::heap::in_u64;

fn numbered(count: usize) -> Vec<u8> {
    (0..=250).cycle().take(count).collect()
}

fn heap(count: usize) -> HeapBytes {
    let mapping = Arc::new(Reservation::new(16 << 10, Access::Open, "a test").unwrap());
    HeapBytes::new(&mapping, 4096, count)
}

fn bytes_of(view: View<'_>) -> Vec<u8> {
    let mut bytes = vec![0xEE; view.size()];
    View::from(bytes.as_mut_slice()).copy_from(view.source());
    bytes
}

#[test]
fn heap_bytes_outlive_who_made_them() {
    let bytes = heap(100);
    bytes.view().copy_from(Source::from(numbered(100).as_slice()));
    let part = bytes.part(90, 10).unwrap();
    drop(bytes);
    assert_eq!(bytes_of(part.view()), numbered(100)[90..]);
    part.view().part(1, 3).unwrap().zero();
    assert_eq!(bytes_of(part.view())[..5], [90, 0, 0, 0, 94]);
}

#[test]
fn parts_end_where_the_whole_does() {
    let bytes = heap(100);
    let view = bytes.view();
    assert_eq!(view.part(100, 0).map(View::size), Some(0));
    for (offset, size) in [(0, 101), (100, 1), (u64::MAX, 1), (1, u64::MAX), (u64::MAX, u64::MAX)] {
        assert!(view.part(offset, size).is_none(), "{offset} {size}");
        assert!(bytes.part(offset, size).is_none(), "{offset} {size}");
    }
}

#[test]
fn copies_in_one_heap_may_overlap() {
    for (from, to) in [(0, 7), (7, 0), (3, 3), (0, 50)] {
        let bytes = heap(100);
        bytes.view().copy_from(Source::from(numbered(100).as_slice()));
        let mut expected = numbered(100);
        expected.copy_within(from..from + 50, to);
        let part = |offset: usize| bytes.view().part(in_u64(offset), 50).unwrap();
        part(to).copy_from(part(from).source());
        assert_eq!(bytes_of(bytes.view()), expected, "{from} to {to}");
    }
}

#[test]
fn rows_are_copied_without_what_lies_between() {
    let rows = Rows { width: 5, height: 3, depth: 2 };
    let (to, from) = (RowPitches { row: 7, slice: 30 }, RowPitches { row: 5, slice: 15 });
    assert_eq!((rows.end(to), rows.end(from)), (Some(30 + 14 + 5), Some(30)));
    let bytes = heap(60);
    copy_rows(bytes.view(), to, Source::from(numbered(30).as_slice()), from, rows);
    let mut expected = vec![0; 60];
    for (index, value) in numbered(30).into_iter().enumerate() {
        expected[index / 15 * 30 + index % 15 / 5 * 7 + index % 5] = value;
    }
    assert_eq!(bytes_of(bytes.view()), expected);
    zero_rows(bytes.view(), to, Rows { depth: 1, ..rows });
    expected[..19].fill(0);
    assert_eq!(bytes_of(bytes.view()), expected);
    for rows in [Rows { width: 0, ..rows }, Rows { height: 0, ..rows }, Rows { depth: 0, ..rows }] {
        assert_eq!(rows.end(to), Some(0));
        copy_rows(bytes.view(), to, Source::from([].as_slice()), from, rows);
    }
    assert_eq!(bytes_of(bytes.view()), expected);
}

#[test]
fn rows_that_leave_64_bits_have_no_end() {
    let rows = Rows { width: 1, height: 3, depth: 1 };
    assert_eq!(rows.end(RowPitches { row: u64::MAX, slice: 0 }), None);
    assert_eq!(rows.end(RowPitches { row: u64::MAX / 2 + 1, slice: 0 }), None);
    assert_eq!(Rows { height: 2, ..rows }.end(RowPitches { row: u64::MAX - 1, slice: 0 }), Some(u64::MAX));
}

#[test]
#[should_panic(expected = "do not lie in 10 and 10 bytes")]
fn rows_beyond_a_view_are_a_bug() {
    let bytes = heap(10);
    let pitches = RowPitches { row: 6, slice: 0 };
    let rows = Rows { width: 5, height: 2, depth: 1 };
    copy_rows(bytes.view(), pitches, bytes.view().source(), pitches, rows);
}

/// 4 bytes x 4 rows, two of them side by side and two below.
fn pattern() -> (&'static CompiledPattern, BlockStrides) {
    static PATTERN: OnceLock<CompiledPattern> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        let row = parse_bits("X0 Y0 X1 Y1").unwrap();
        CompiledPattern::new(&SwizzlePattern::of_interleave(row)).unwrap()
    });
    (pattern, BlockStrides { row: 32, slice: 0, stacked_rows: 0 })
}

const SURFACE: Rows = Rows { width: 8, height: 8, depth: 1 };

#[test]
fn the_engine_moves_boxes_of_heaps() {
    let (pattern, strides) = pattern();
    let bytes = heap(64);
    let rows = Rows { width: 5, height: 6, depth: 1 };
    let region = Region { pattern, strides, x_bytes: 2, y: 1, z: 0, sample: 0, rows };
    let pitches = RowPitches { row: 5, slice: 30 };
    write_swizzled(bytes.view(), &region, Source::from(numbered(30).as_slice()), pitches);
    let mut expected = vec![0; 64];
    for (x, y) in (0..5_u32).flat_map(|x| (0..6_u32).map(move |y| (x, y))) {
        let at = SwizzleAddress { x_bytes: u64::from(x + 2), y: y + 1, z: 0, sample: 0 };
        let offset = reference_offset(pattern.pattern(), at, &strides);
        expected[usize::try_from(offset).unwrap()] = u8::try_from(5 * y + x).unwrap();
    }
    assert_eq!(bytes_of(bytes.view()), expected);
    let mut read = vec![0xEE; 30];
    read_swizzled(bytes.view().source(), &region, View::from(read.as_mut_slice()), pitches);
    assert_eq!(read, numbered(30));
}

#[test]
#[should_panic(expected = "was not checked")]
fn a_box_beyond_its_surface_is_a_bug() {
    let (pattern, strides) = pattern();
    let bytes = heap(63);
    let rows = Rows { width: 1, height: 1, depth: 1 };
    let region = Region { pattern, strides, x_bytes: 7, y: 7, z: 0, sample: 0, rows };
    let pitches = RowPitches { row: 1, slice: 1 };
    write_swizzled(bytes.view(), &region, Source::from([1].as_slice()), pitches);
}

#[test]
fn a_surface_is_checked_once_and_its_boxes_are_compared() {
    let (pattern, strides) = pattern();
    assert!(SurfaceBytes::new(heap(63), pattern, strides, SURFACE).is_none(), "a byte is missing");
    let odd = BlockStrides { row: 33, ..strides };
    assert!(SurfaceBytes::new(heap(100), pattern, odd, SURFACE).is_none(), "no multiple of a block");
    let bytes = heap(64);
    let mut surface = SurfaceBytes::new(bytes.clone(), pattern, strides, SURFACE).unwrap();
    let pitches = RowPitches { row: 8, slice: 64 };
    let mut linear = numbered(64);
    let mut copy = |surface: &mut SurfaceBytes, at, rows, length: usize| {
        surface.copy::<true>(at, rows, View::from(&mut linear[..length]), pitches)
    };
    for (at, rows, length) in [
        ((1, 0, 0), SURFACE, 64),
        ((0, 1, 0), SURFACE, 64),
        ((0, 0, 1), SURFACE, 64),
        ((u64::MAX, 0, 0), Rows { width: 1, ..SURFACE }, 64),
        ((0, 0, 0), SURFACE, 63),
    ] {
        assert_eq!(copy(&mut surface, at, rows, length), None, "{at:?} {length}");
    }
    assert_eq!(bytes_of(bytes.view()), [0; 64]);
    assert_eq!(copy(&mut surface, (0, 0, 0), SURFACE, 64), Some(64));
    let same = surface.copy::<true>((0, 0, 0), SURFACE, bytes.view(), pitches);
    assert_eq!(same, None, "the sides are the same bytes");
    // Bits of x and y in turn: (3, 0) is 0b0101, (0, 3) is 0b1010 (the interleave above).
    let found = bytes_of(bytes.view());
    assert_eq!([found[0b0101], found[0b1010], found[16], found[32]], [3, 24, 4, 32]);
    let mut back = vec![0; 64];
    let read = surface.copy::<false>((0, 0, 0), SURFACE, View::from(back.as_mut_slice()), pitches);
    assert_eq!(read, Some(64));
    assert_eq!(back, numbered(64));
}

/// Boxes of one size, one after the other, as an upload of tiles has them: some at multiples of their size, one not.
#[test]
fn many_boxes_of_one_size_are_copied_alike() {
    // One block of 128 x 128 texels, or of 32 x 32 where an interpreter compares every byte of it after every box.
    const NAME: &str = if cfg!(miri) { "standard_4KB_2D_32bpp" } else { "standard_64KB_2D_32bpp" };
    const SIZE: usize = if cfg!(miri) { 1 << 12 } else { 1 << 16 };
    const WIDTH: u32 = if cfg!(miri) { 128 } else { 512 };
    // Boxes of 16 x 8 texels.
    const IN_ROW: u32 = WIDTH / 64;
    const COUNT: u32 = if cfg!(miri) { 8 } else { 32 };
    const HEIGHT: u32 = COUNT / IN_ROW * 8;
    // Of a static, so that an interpreter sees no leak.
    static COMPILED: LazyLock<CompiledPattern> =
        LazyLock::new(|| CompiledPattern::new(&named_pattern(NAME).unwrap().pattern).unwrap());
    let pattern = named_pattern(NAME).unwrap().pattern;
    let compiled = &*COMPILED;
    let strides = BlockStrides { row: u64::try_from(SIZE).unwrap(), ..BlockStrides::default() };
    let mapping = Arc::new(Reservation::new(1 << 16, Access::Open, "a test").unwrap());
    let bytes = HeapBytes::new(&mapping, 0, SIZE);
    let all = Rows { width: WIDTH.into(), height: HEIGHT, depth: 1 };
    let mut surface = SurfaceBytes::new(bytes.clone(), compiled, strides, all).unwrap();
    let boxes = Rows { width: 64, height: 8, depth: 1 };
    let pitches = RowPitches { row: WIDTH.into(), slice: 0 };
    let mut linear: Vec<u8> = (0..WIDTH * HEIGHT).map(|at| u8::try_from(at % 251).unwrap()).collect();
    let mut expected = vec![0; SIZE];
    let aligned = (0..COUNT).map(|index| (u64::from(index % IN_ROW) * 64, index / IN_ROW * 8, 0));
    for at in aligned.chain([(20, 0, 0)]) {
        let first = usize::try_from(u64::from(at.1) * u64::from(WIDTH) + at.0).unwrap();
        // What is copied changes with each box: else what an earlier one wrote would hide what a later one did not.
        linear[first] ^= 0x80;
        assert_eq!(surface.copy::<true>(at, boxes, View::from(&mut linear[first..]), pitches), Some(512));
        for (x, y) in (0..64_u64).flat_map(|x| (0..8_u32).map(move |y| (at.0 + x, at.1 + y))) {
            let place = SwizzleAddress { x_bytes: x, y, z: 0, sample: 0 };
            let offset = usize::try_from(reference_offset(&pattern, place, &strides)).unwrap();
            expected[offset] = linear[usize::try_from(u64::from(y) * u64::from(WIDTH) + x).unwrap()];
        }
        assert!(bytes_of(bytes.view()) == expected, "{at:?}");
    }
    let mut back = vec![0; linear.len()];
    for index in 0..COUNT {
        let at = (u64::from(index % IN_ROW) * 64, index / IN_ROW * 8, 0);
        let first = usize::try_from(u64::from(at.1) * u64::from(WIDTH) + at.0).unwrap();
        let copied = surface.copy::<false>(at, boxes, View::from(&mut back[first..]), pitches);
        assert_eq!(copied, Some(512));
    }
    assert!(back == linear);
}
