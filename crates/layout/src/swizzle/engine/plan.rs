//! Boxes of one size, many of them: what does not depend on where a box lies is found once.
//!
//! A box of 16 x 16 texels is copied in a few nanoseconds; to validate it, to cut it into units and to find each unit
//! anew takes several times as long. Offsets are separable: where boxes begin at multiples of a power of two that is no
//! less than their size, the same flips lead from the first unit of each to its others.

use super::super::pattern::PatternBlock;
use super::backend::Backend;
use super::job::{At, Boxes, Span, distance};
use super::kernel::UnitKernel;
use super::unit::{LINE_LOG2, MAX_ROWS_LOG2, Unit};
use super::walk::{Steps, Units, Walk, lines_of};
use super::{LinearPitch, SwizzleRegion, SwizzledImage, dispatch, is_line, runs};

/// Units of a box at most: with more, to find them weighs little beside copying them (chosen: 8 KiB of units that have
/// four rows).
const MAX_UNITS: usize = 32;

/// How every box of one size, between one surface and rows at one pitch, is copied.
///
/// It has no box's place, and no memory: both are given to each copy.
#[derive(Clone, Debug)]
pub struct BoxPlan<'a> {
    image: SwizzledImage<'a>,
    unit: &'a Unit,
    backend: Backend,
    /// What the sample and the immediate flip.
    fixed: u64,
    /// Bits of a begin that are zero.
    within: Boxes,
    /// Bytes from a unit's first row to rows 1, 2 and 4.
    rows: [usize; MAX_ROWS_LOG2],
    /// What to flip in the offset of a unit's line 0 for those of lines 1, 2 and 4.
    lines: [usize; MAX_ROWS_LOG2],
    steps: [UnitStep; MAX_UNITS],
    count: usize,
    /// Whether the surface's lines are lines of memory where it begins with one.
    has_lines: bool,
}

/// From the first unit of a box to another.
#[derive(Clone, Copy, Debug, Default)]
struct UnitStep {
    /// Bytes in the rows.
    linear: usize,
    /// What is flipped of the offsets of its lines.
    flips: usize,
}

impl<'a> SwizzledImage<'a> {
    /// How boxes that are as large as `region`, of its sample, are copied from or to rows at `pitch`, with `backend`,
    /// which is one of [`Backend::available`]. `None` for boxes that are no small number of whole lines on both sides
    /// (those go by [`SwizzledImage::write_raw`] and `read_raw` as well), or whose lines the backend has no way with.
    #[must_use]
    pub fn plan(&self, backend: Backend, region: &SwizzleRegion, pitch: LinearPitch) -> Option<BoxPlan<'a>> {
        let unit = self.pattern.unit()?;
        if region.is_empty()
            || self.pattern.pattern().stack_depth_slices
            || self.pattern.run_log2() >= runs::LONG_LOG2
            || !dispatch::has_kernels(backend, unit)
        {
            return None;
        }
        let size = At { x: region.width_bytes, y: region.height.into(), z: region.depth.into() };
        let span = Span { begin: At { x: 0, y: 0, z: 0 }, end: size };
        let within = Boxes::holding(size)?;
        if !span.is_whole(&unit.boxes) || !lies_in_one_row_of_blocks(&self.pattern.block(), size) {
            return None;
        }
        let mut plan = BoxPlan {
            image: *self,
            unit,
            backend,
            fixed: self.pattern.sample(region.sample) ^ self.pattern.immediate(),
            within,
            rows: unit.rows.map(|row| pitch.step(row.y.into(), row.z.into())),
            lines: unit.lines.map(distance),
            steps: [UnitStep::default(); MAX_UNITS],
            count: 0,
            has_lines: is_line(self.strides.row) && is_line(self.strides.slice),
        };
        let firsts = |size: u64, bits: u32| (0..size).filter(move |at| at & u64::from(bits) == 0);
        for z in firsts(size.z, unit.extent.z) {
            for y in firsts(size.y, unit.extent.y) {
                for line in 0..size.x >> LINE_LOG2 {
                    let x = line << LINE_LOG2;
                    let flips = self.pattern.x(x) ^ self.pattern.y(y) ^ self.pattern.z(z);
                    let linear = pitch.step(y, z).wrapping_add(distance(x));
                    *plan.steps.get_mut(plan.count)? = UnitStep { linear, flips: lines_of(flips) };
                    plan.count += 1;
                }
            }
        }
        Some(plan)
    }
}

/// Whether a box of that size, at a multiple of a power of two that is no less, lies in one row of blocks.
fn lies_in_one_row_of_blocks(block: &PatternBlock, size: At) -> bool {
    size.y <= 1 << block.y_log2 && size.z <= 1 << block.z_log2
}

impl BoxPlan<'_> {
    /// Whether it is one of boxes that begin there: at multiples of a power of two that is no less than their size.
    #[must_use]
    #[inline(always)]
    pub fn begins_at(&self, x_bytes: u64, y: u32, z: u32) -> bool {
        let at = At { x: x_bytes, y: y.into(), z: z.into() };
        Span { begin: at, end: at }.is_whole(&self.within)
    }

    /// As [`SwizzledImage::write_raw`], of the box that begins there.
    ///
    /// # Safety
    /// As there, for the region, the pitch and the backend that this was made for; and [`BoxPlan::begins_at`] holds.
    #[inline(always)]
    pub unsafe fn write_raw(&self, to: *mut u8, at: (u64, u32, u32), from: *const u8) {
        // SAFETY: as this function demands of its caller. The rows are only read where `WRITE` is set.
        unsafe { self.copy::<true>(to, at, from.cast_mut(), false) }
    }

    /// As [`SwizzledImage::write_around_raw`], of the box that begins there.
    ///
    /// # Safety
    /// As there, for the region, the pitch and the backend that this was made for; and [`BoxPlan::begins_at`] holds.
    #[inline(always)]
    pub unsafe fn write_around_raw(&self, to: *mut u8, at: (u64, u32, u32), from: *const u8) {
        let stream = self.has_lines && is_line(to.addr() as u64);
        // SAFETY: as above; lines begin at multiples of 64 if it streams.
        unsafe { self.copy::<true>(to, at, from.cast_mut(), stream) }
    }

    /// As [`SwizzledImage::read_raw`], of the box that begins there.
    ///
    /// # Safety
    /// As there, for the region, the pitch and the backend that this was made for; and [`BoxPlan::begins_at`] holds.
    #[inline(always)]
    pub unsafe fn read_raw(&self, from: *const u8, at: (u64, u32, u32), to: *mut u8) {
        // SAFETY: as above. The surface is only read where `WRITE` is not set.
        unsafe { self.copy::<false>(from.cast_mut(), at, to, false) }
    }

    /// # Safety
    /// As [`BoxPlan::write_raw`] if `WRITE`, else as [`BoxPlan::read_raw`]. If it streams, the surface's lines begin at
    /// multiples of 64.
    #[inline(always)]
    unsafe fn copy<const WRITE: bool>(
        &self,
        swizzled: *mut u8,
        (x, y, z): (u64, u32, u32),
        linear: *mut u8,
        stream: bool,
    ) {
        let (pattern, strides) = (self.image.pattern, &self.image.strides);
        let (y, z) = (u64::from(y), u64::from(z));
        let walk = PlannedBox {
            plan: self,
            linear,
            blocks: pattern.row_of_blocks(swizzled, y, z, strides),
            flips: lines_of(pattern.x(x) ^ pattern.y(y) ^ pattern.z(z) ^ self.fixed),
            stream,
        };
        let moves = if WRITE { &self.unit.write } else { &self.unit.read };
        // SAFETY: as this function demands of its caller.
        let is_done = unsafe { dispatch::with_kernel::<WRITE>(self.backend, walk, moves) };
        debug_assert!(is_done, "bug: a plan was made for a backend without kernels");
    }
}

/// A box of a plan.
#[derive(Clone, Copy)]
struct PlannedBox<'a> {
    plan: &'a BoxPlan<'a>,
    /// Its first byte in the rows.
    linear: *mut u8,
    /// The first byte of its row of blocks.
    blocks: *mut u8,
    /// What is flipped of the offsets of all its lines.
    flips: usize,
    stream: bool,
}

impl Walk for PlannedBox<'_> {
    /// What uploads small boxes has just written their rows.
    const ROWS_ARE_FAR: bool = false;

    #[inline(always)]
    fn unit(&self) -> &Unit {
        self.plan.unit
    }

    #[inline(always)]
    fn streams(&self) -> bool {
        self.stream
    }

    #[inline(always)]
    unsafe fn copy<const WRITE: bool, const R: usize, K: UnitKernel<R>>(self, kernel: K) {
        let steps = &self.plan.steps[..self.plan.count];
        let BoxPlan { rows, lines, .. } = *self.plan;
        let (rows, lines) = (Steps::new(rows), Steps::new(lines));
        // Flipping serves also where it is the same as adding: what is flipped is known before the box.
        let units = Units::<WRITE, true, R, K> { kernel, rows, lines };
        for step in steps {
            // SAFETY: a unit of the box, which the caller promises.
            unsafe {
                units.copy(self.linear.wrapping_add(step.linear), self.blocks, self.flips ^ step.flips);
            }
        }
    }
}
