//! Copies between swizzled memory and rows, at the speed of memory.
//!
//! ```text
//!   SwizzlePattern --compiled--> columns over GF(2) (gf2), tables, units (unit)
//!   SwizzledImage.write/read  --> Job (job) --dispatch--> walk: strips, pieces or addresses
//!                                                            |  unit by unit: kernel, avx2, avx512
//!                                                            '- edges, odd patterns: runs
//! ```
//! The size of an element never matters: X counts bytes, and a legal use of a pattern keeps an element
//! within a run. Only the pattern's shape does: which bytes make up a line of 64.
//!
//! Large copies go around the caches (see [`STREAM_BYTES`]). A surface that is written should begin at a multiple of 64
//! bytes, for elsewhere none of its lines is one of memory, and it takes two to three times as long. (A large `Vec<u8>`
//! as a rule begins 16 bytes beyond a multiple.) Rows that are written may begin anywhere: those that begin at multiples
//! of 64 take up to a third less time with AVX-512, and as long with AVX2. Only rows of fewer than 512 bytes take two to
//! three times as long elsewhere.
//!
//! # Unsafe code
//! This module and its children alone may be unsafe. Every byte of the region is read, and is written once,
//! and no other byte is touched. Memory that others access at the same time (a GPU's memory is) may be given
//! as raw pointers only. What a racing read sees is unspecified, byte by byte; the loads of these
//! copies are never branched on or used as addresses, so that a compiler that takes them for undefined
//! values moves undefined values and no more.
#![allow(unsafe_code)]
// Kernels go over arrays of a constant number of registers by index: each turn is code of its own.
#![allow(clippy::needless_range_loop)]

mod addresses;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
mod backend;
mod compiled;
mod dispatch;
mod error;
mod gf2;
mod job;
mod kernel;
mod pieces;
mod plain;
mod plan;
mod runs;
mod strips;
#[cfg(test)]
mod tests;
mod unit;
mod walk;

use super::reference::BlockStrides;
use job::{At, Job, Span, Stores};
use walk::Order;

pub use backend::Backend;
pub use compiled::CompiledPattern;
pub use error::{SwizzleError, SwizzleSide};
pub use plain::{PitchedCopy, STREAM_BYTES, copy_pitched_raw, copy_raw, order_streams};
pub use plan::BoxPlan;

/// A box of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SwizzleRegion {
    /// Bytes from the row's begin to the box's.
    pub x_bytes: u64,
    /// The first row of elements.
    pub y: u32,
    /// The first slice.
    pub z: u32,
    /// The sample: a copy takes one.
    pub sample: u32,
    /// Bytes of a row.
    pub width_bytes: u64,
    /// Rows of elements.
    pub height: u32,
    /// Slices.
    pub depth: u32,
}

/// How rows follow each other. They may be any number of bytes apart; rows that are read may overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinearPitch {
    /// Bytes from a row to the next.
    pub row: u64,
    /// Bytes from a slice to the next.
    pub slice: u64,
}

/// A surface in swizzled memory.
#[derive(Clone, Copy, Debug)]
pub struct SwizzledImage<'a> {
    /// How bytes lie in their block.
    pub pattern: &'a CompiledPattern,
    /// How blocks follow each other: multiples of the block's bytes.
    pub strides: BlockStrides,
}

impl SwizzledImage<'_> {
    /// Writes a box from rows: `to` is the surface's first byte, `from` the box's first byte in rows.
    ///
    /// # Safety
    /// - [`SwizzledImage::end_offset`] knows an end for the region, and `to` can be written up to there.
    /// - `from` can be read for every row that `pitch` leads to, and none of it overlaps what is written.
    /// - `backend` is one of [`Backend::available`].
    /// - What the module says of racing accesses holds.
    pub unsafe fn write_raw(
        &self,
        backend: Backend,
        to: *mut u8,
        region: &SwizzleRegion,
        from: *const u8,
        pitch: LinearPitch,
    ) {
        // SAFETY: as this function demands of its caller. The rows are only read where `WRITE` is set.
        unsafe { self.copy::<true>(backend, to, region, from.cast_mut(), pitch) }
    }

    /// As [`SwizzledImage::write_raw`], around the caches however small the box is, wherever it has whole lines: for
    /// many boxes of a surface of [`STREAM_BYTES`] and more, of which each line would be fetched to be written,
    /// and pushed out before it is read. Three to five times as fast then (measured).
    ///
    /// This thread reads what was written; before others are told of it, by whatever store, [`order_streams`] is to be
    /// called. Once for many boxes: for each, it would take longer than the box.
    ///
    /// # Safety
    /// As [`SwizzledImage::write_raw`] demands.
    pub unsafe fn write_around_raw(
        &self,
        backend: Backend,
        to: *mut u8,
        region: &SwizzleRegion,
        from: *const u8,
        pitch: LinearPitch,
    ) {
        if region.is_empty() {
            return;
        }
        let job = self.job(backend, to, region, from.cast_mut(), pitch);
        let way = Way { stream: true, ordered: false, ..Way::of::<true>(&job, region.bytes()) };
        // SAFETY: as this function demands of its caller.
        unsafe { self.copy_so::<true>(job, way) }
    }

    /// Reads a box into rows: `from` is the surface's first byte, `to` the box's first byte in rows.
    ///
    /// # Safety
    /// - [`SwizzledImage::end_offset`] knows an end for the region, and `from` can be read up to there.
    /// - `to` can be written for every row that `pitch` leads to, and none of it overlaps what is read.
    /// - `backend` is one of [`Backend::available`].
    /// - What the module says of racing accesses holds.
    pub unsafe fn read_raw(
        &self,
        backend: Backend,
        from: *const u8,
        region: &SwizzleRegion,
        to: *mut u8,
        pitch: LinearPitch,
    ) {
        // SAFETY: as this function demands of its caller. The surface is only read where `WRITE` is not set.
        unsafe { self.copy::<false>(backend, from.cast_mut(), region, to, pitch) }
    }

    /// Writes a box of the surface `to` from the rows `from`.
    ///
    /// # Errors
    /// As [`SwizzledImage::check`]; nothing is written then.
    pub fn write(
        &self,
        to: &mut [u8],
        region: &SwizzleRegion,
        from: &[u8],
        pitch: LinearPitch,
    ) -> Result<(), SwizzleError> {
        self.check(to.len(), region, from.len(), pitch)?;
        // SAFETY: both slices reach as far as the region does, and are not the same memory.
        unsafe { self.write_raw(Backend::detect(), to.as_mut_ptr(), region, from.as_ptr(), pitch) }
        Ok(())
    }

    /// Reads a box of the surface `from` into the rows `to`. Where rows overlap, which is seen is not said.
    ///
    /// # Errors
    /// As [`SwizzledImage::check`]; nothing is written then.
    pub fn read(
        &self,
        from: &[u8],
        region: &SwizzleRegion,
        to: &mut [u8],
        pitch: LinearPitch,
    ) -> Result<(), SwizzleError> {
        self.check(from.len(), region, to.len(), pitch)?;
        // SAFETY: both slices reach as far as the region does, and are not the same memory.
        unsafe { self.read_raw(Backend::detect(), from.as_ptr(), region, to.as_mut_ptr(), pitch) }
        Ok(())
    }

    /// Whether `region` lies in a surface of `swizzled` bytes, and in `linear` bytes of rows.
    ///
    /// # Errors
    /// A sample that blocks do not have, strides that are no multiples of a block, or bytes that are too few.
    pub fn check(
        &self,
        swizzled: usize,
        region: &SwizzleRegion,
        linear: usize,
        pitch: LinearPitch,
    ) -> Result<(), SwizzleError> {
        let block = self.pattern.block();
        if u64::from(region.sample) >> block.samples_log2 != 0 {
            return Err(SwizzleError::Sample { given: region.sample, samples_log2: block.samples_log2 });
        }
        for given in [self.strides.row, self.strides.slice] {
            if given & (block.bytes() - 1) != 0 {
                return Err(SwizzleError::Stride { given, bytes_log2: block.bytes_log2 });
            }
        }
        let fits = |side, needed: Option<u64>, given: usize| {
            let given = given as u64;
            match needed {
                Some(needed) if needed <= given => Ok(()),
                _ => Err(SwizzleError::Bytes { side, needed, given }),
            }
        };
        fits(SwizzleSide::Surface, self.end_offset(region), swizzled)?;
        fits(SwizzleSide::Rows, linear_end(region, pitch), linear)
    }

    /// One past the last byte of the blocks that the region reaches into, from the surface's first byte; 0
    /// of an empty region. `None` if that leaves 64 bits, or the region its coordinates.
    #[must_use]
    pub fn end_offset(&self, region: &SwizzleRegion) -> Option<u64> {
        if region.is_empty() {
            return Some(0);
        }
        let last_x = region.x_bytes.checked_add(region.width_bytes - 1)?;
        let last_y = region.y.checked_add(region.height - 1)?;
        let last_z = region.z.checked_add(region.depth - 1)?;
        let block = self.pattern.block();
        let (last_y, last_z) = self.pattern.stacked(last_y.into(), last_z.into(), &self.strides);
        let blocks = u128::from(last_x >> block.x_bytes_log2) + 1;
        let end = self.pattern.rows_of_blocks(last_y, last_z, &self.strides) + (blocks << block.bytes_log2);
        u64::try_from(end).ok()
    }

    /// # Safety
    /// As [`SwizzledImage::write_raw`] if `WRITE`, else as [`SwizzledImage::read_raw`].
    unsafe fn copy<const WRITE: bool>(
        &self,
        backend: Backend,
        swizzled: *mut u8,
        region: &SwizzleRegion,
        linear: *mut u8,
        pitch: LinearPitch,
    ) {
        if region.is_empty() {
            return;
        }
        let job = self.job(backend, swizzled, region, linear, pitch);
        let way = Way::of::<WRITE>(&job, region.bytes());
        // SAFETY: as this function demands of its caller.
        unsafe { self.copy_so::<WRITE>(job, way) }
    }

    /// The copy of a region that is not empty.
    fn job(
        &self,
        backend: Backend,
        swizzled: *mut u8,
        region: &SwizzleRegion,
        linear: *mut u8,
        pitch: LinearPitch,
    ) -> Job<'_> {
        let (y, z) = (u64::from(region.y), u64::from(region.z));
        let end = At {
            x: region.x_bytes + region.width_bytes,
            y: y + u64::from(region.height),
            z: z + u64::from(region.depth),
        };
        Job {
            pattern: self.pattern,
            backend,
            strides: self.strides,
            swizzled,
            linear,
            pitch,
            span: Span { begin: At { x: region.x_bytes, y, z }, end },
            fixed: self.pattern.sample(region.sample) ^ self.pattern.immediate(),
            stores: Stores::Cached,
            far: false,
        }
    }

    /// Makes the copy in a way. Lines of a surface that begin beside lines of memory are written by way of the caches
    /// nevertheless: each would have to be put together of two.
    ///
    /// # Safety
    /// As [`SwizzledImage::copy`] demands for the region of the job.
    unsafe fn copy_so<const WRITE: bool>(&self, mut job: Job<'_>, way: Way) {
        job.far = way.far;
        job.stores = match (way.stream, job.writes_lines::<WRITE>()) {
            (true, true) if WRITE || job.backend != Backend::Avx2 => Stores::Lines,
            (true, _) if !WRITE && job.backend != Backend::Portable => Stores::Staged,
            _ => Stores::Cached,
        };
        let is_ordered = way.ordered && job.stores != Stores::Cached;
        if !self.pattern.pattern().stack_depth_slices {
            // SAFETY: as this function demands of its caller.
            unsafe { dispatch::copy::<WRITE>(&job, way.order) }
            if is_ordered {
                order_streams();
            }
            return;
        }
        let Span { begin, end } = job.span;
        let linear = job.linear;
        for z in begin.z..end.z {
            let (first, _) = self.pattern.stacked(begin.y, z, &self.strides);
            job.span.begin = At { y: first, z: 0, ..begin };
            job.span.end = At { y: first + (end.y - begin.y), z: 1, ..end };
            let slices = (z - begin.z).wrapping_mul(job.pitch.slice);
            job.linear = linear.wrapping_add(job::distance(slices));
            // SAFETY: as this function demands of its caller, for one slice.
            unsafe { dispatch::copy::<WRITE>(&job, way.order) }
        }
        if is_ordered {
            order_streams();
        }
    }
}

/// How a copy is made: what it copies does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    order: Order,
    /// Around the caches.
    stream: bool,
    /// Whether what is read is in no near cache.
    far: bool,
    /// Whether what was streamed is ordered when the copy returns.
    ordered: bool,
}

impl Way {
    /// Alone, less is never worth a special way.
    const LEAST_BYTES: u64 = 64 << 10;
    /// What reaches over so many bytes is not taken for near (chosen: half of a second-level cache; asked for ahead,
    /// 256 KiB in one are copied more slowly, 4 MiB a seventh faster).
    const FAR_BYTES: u64 = 512 << 10;
    /// Bytes of rows that are worth a stage (chosen: of shorter ones, a quarter of the lines is written in parts).
    const STAGED_ROW: u64 = 512;

    /// The fastest. Boxes of a large surface are copied one after the other as a rule: what lies between their
    /// first and their last byte on each side tells, too, that what is read is in no cache and that what is
    /// written is worth no place in one. That is less than their surface has, so it counts from [`STREAM_BYTES`] on,
    /// where a surface that is copied at once has to have more.
    fn of<const WRITE: bool>(job: &Job<'_>, bytes: u64) -> Way {
        if bytes < Way::LEAST_BYTES {
            return Way { order: Order::Strips, stream: false, far: false, ordered: true };
        }
        let Span { begin, end } = job.span;
        let reach = |rows: u64, row: u64, slices: u64, slice: u64| {
            bytes.max(rows.saturating_mul(row).saturating_add((slices - 1).saturating_mul(slice)))
        };
        let block = job.pattern.block();
        let blocks = |begin: u64, end: u64, log2: u8| ((end - 1) >> log2) - (begin >> log2) + 1;
        let linear = reach(end.y - begin.y, job.pitch.row, end.z - begin.z, job.pitch.slice);
        let swizzled = reach(
            blocks(begin.y, end.y, block.y_log2),
            job.strides.row,
            blocks(begin.z, end.z, block.z_log2),
            job.strides.slice,
        );
        let is_large = |reach: u64| reach > STREAM_BYTES || (reach == STREAM_BYTES && bytes < reach);
        let (read, written) = if WRITE { (linear, swizzled) } else { (swizzled, linear) };
        let in_lines = WRITE || end.x - begin.x >= Way::STAGED_ROW || job.writes_lines::<WRITE>();
        let order = if WRITE || !is_large(read) { Order::Strips } else { Order::Addresses };
        Way { order, stream: is_large(written) && in_lines, far: read >= Way::FAR_BYTES, ordered: true }
    }
}

impl SwizzleRegion {
    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.width_bytes == 0 || self.height == 0 || self.depth == 0
    }

    /// Bytes in it, 2^64 - 1 at most.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        // Both factors have 32 bits.
        let rows = self.height as u64 * self.depth as u64;
        self.width_bytes.saturating_mul(rows)
    }
}

/// One past the last byte that `pitch` leads to from the first; 0 of an empty region.
fn linear_end(region: &SwizzleRegion, pitch: LinearPitch) -> Option<u64> {
    if region.is_empty() {
        return Some(0);
    }
    let slices = u64::from(region.depth - 1).checked_mul(pitch.slice)?;
    let rows = u64::from(region.height - 1).checked_mul(pitch.row)?;
    slices.checked_add(rows)?.checked_add(region.width_bytes)
}

/// Whether lines at multiples of `offset` begin where lines of memory do.
const fn is_line(offset: u64) -> bool {
    offset & (unit::LINE as u64 - 1) == 0
}
