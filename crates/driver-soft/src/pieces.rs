//! Boxes of grids cut into pieces that lie in one tile each.

use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{BlockStrides, Storage, SwizzleAddress};

use crate::bytes::{Region, Rows};
use crate::device::TILE_SIZE;
use crate::grid::{GridBox, Layout};

/// A piece of one sample of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    /// Bytes side by side.
    Run {
        /// Of the first, from the grid's first byte.
        offset: u64,
        /// How many.
        size: u64,
        /// Of the first, in the rows that the box is copied from or to.
        linear: u64,
    },
    /// A box within a swizzled block.
    Block {
        /// Of the block's first byte, from the grid's.
        offset: u64,
        /// The block's bytes.
        size: u64,
        /// The box, counted from the block's first element.
        region: Region,
        /// Of its first element, in the rows that the box is copied from or to.
        linear: u64,
    },
}

impl Piece {
    /// Of the memory that it lies in.
    pub(crate) const fn offset(&self) -> u64 {
        match *self {
            Piece::Run { offset, .. } | Piece::Block { offset, .. } => offset,
        }
    }

    /// Bytes of the memory that it lies in.
    pub(crate) const fn memory_size(&self) -> u64 {
        match *self {
            Piece::Run { size, .. } | Piece::Block { size, .. } => size,
        }
    }

    pub(crate) const fn linear(&self) -> u64 {
        match *self {
            Piece::Run { linear, .. } | Piece::Block { linear, .. } => linear,
        }
    }

    /// The rows that are copied.
    pub(crate) const fn rows(&self) -> Rows {
        match *self {
            Piece::Run { size, .. } => Rows { width: size, height: 1, depth: 1 },
            Piece::Block { region, .. } => region.rows,
        }
    }

    /// Of the first byte that is accessed, from the grid's first.
    pub(crate) fn first_byte(&self) -> u64 {
        match *self {
            Piece::Run { offset, .. } => offset,
            Piece::Block { offset, ref region, .. } => offset + region.first_byte(),
        }
    }

    /// Bytes that are accessed.
    pub(crate) const fn byte_count(&self) -> u64 {
        let rows = self.rows();
        rows.width * rows.height as u64 * rows.depth as u64
    }
}

/// What is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) layout: Layout,
    /// Bytes from a border of tiles to the grid's first byte; `None`: there are no borders.
    pub(crate) phase: Option<u64>,
    pub(crate) sample: u32,
    pub(crate) of: GridBox,
    /// Of the rows that the box is copied from or to.
    pub(crate) pitches: RowPitches,
}

impl Cut {
    /// Visits the pieces, each of which lies in one tile, in the order of rows, or of blocks.
    ///
    /// # Errors
    /// The first of `visit`.
    pub(crate) fn pieces<E>(&self, mut visit: impl FnMut(Piece) -> Result<(), E>) -> Result<(), E> {
        match self.layout.storage {
            Storage::Linear { row_pitch, slice_pitch } => {
                self.linear(RowPitches { row: row_pitch, slice: slice_pitch }, &mut visit)
            }
            Storage::Swizzled { pattern, strides } if self.has_whole_blocks(pattern, &strides) => {
                self.blocks(pattern, &strides, &mut visit)
            }
            Storage::Swizzled { pattern, strides } => self.elements(pattern, &strides, &mut visit),
        }
    }

    /// Whether each block lies in one tile, and where its elements lie in it depends on nothing outside.
    fn has_whole_blocks(&self, pattern: &'static CompiledPattern, strides: &BlockStrides) -> bool {
        let shape = pattern.block();
        let block = shape.bytes();
        block <= TILE_SIZE
            && shape.x_bytes_log2 >= self.layout.element_bytes_log2
            && [self.phase.unwrap_or(0), strides.row, strides.slice].iter().all(|bytes| bytes % block == 0)
            && is_within_block(pattern)
    }

    /// Rows, or where samples lie between the elements single elements.
    fn linear<E>(&self, own: RowPitches, visit: &mut impl FnMut(Piece) -> Result<(), E>) -> Result<(), E> {
        let Layout { element_bytes_log2, samples_log2, .. } = self.layout;
        let ([x, y, z], [width, height, depth]) =
            (self.of.origin.map(u64::from), self.of.size.map(u64::from));
        let sample = u64::from(self.sample) << element_bytes_log2;
        let stride = 1_u64 << (element_bytes_log2 + samples_log2);
        // Elements that are one run, and how many such runs a row has.
        let (run, runs) = if samples_log2 == 0 { (width, 1) } else { (1, width) };
        let size = run << element_bytes_log2;
        for slice in 0..depth {
            for row in 0..height {
                let offset = (z + slice) * own.slice + (y + row) * own.row + x * stride + sample;
                let linear = slice * self.pitches.slice + row * self.pitches.row;
                for index in 0..runs {
                    self.run(offset + index * stride, size, linear + index * size, visit)?;
                }
            }
        }
        Ok(())
    }

    /// The parts of the box in each block.
    fn blocks<E>(
        &self,
        pattern: &'static CompiledPattern,
        strides: &BlockStrides,
        visit: &mut impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        if !pattern.pattern().stack_depth_slices {
            let first = self.of.origin.map(u64::from);
            return self.layer(pattern, strides, first, self.of.size, 0, visit);
        }
        // Stacked slices are one slice, whose blocks may hold rows of two of them.
        for slice in 0..self.of.size[2] {
            let z = u64::from(self.of.origin[2]) + u64::from(slice);
            let y = u64::from(self.of.origin[1]) + z * u64::from(strides.stacked_rows);
            let first = [u64::from(self.of.origin[0]), y, 0];
            let size = [self.of.size[0], self.of.size[1], 1];
            self.layer(pattern, strides, first, size, u64::from(slice) * self.pitches.slice, visit)?;
        }
        Ok(())
    }

    /// The parts in each block of `size` elements from `first` on, whose rows begin at `linear`.
    fn layer<E>(
        &self,
        pattern: &'static CompiledPattern,
        strides: &BlockStrides,
        first: [u64; 3],
        size: [u32; 3],
        linear: u64,
        visit: &mut impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = pattern.block();
        let element = self.layout.element_bytes_log2;
        // As exponents of elements, of which a block has at least one along x.
        let log2 = [block.x_bytes_log2 - element, block.y_log2, block.z_log2];
        for z in steps(first[2], size[2], log2[2]) {
            for y in steps(first[1], size[1], log2[1]) {
                for x in steps(first[0], size[0], log2[0]) {
                    let offset = x.block * block.bytes() + y.block * strides.row + z.block * strides.slice;
                    let of =
                        GridBox { origin: [x.within, y.within, z.within], size: [x.count, y.count, z.count] };
                    let region = self.layout.region(pattern, BlockStrides::default(), self.sample, &of);
                    let linear = linear
                        + z.done * self.pitches.slice
                        + y.done * self.pitches.row
                        + (x.done << element);
                    visit(Piece::Block { offset, size: block.bytes(), region, linear })?;
                }
            }
        }
        Ok(())
    }

    /// Element by element, or less where a pattern parts the bytes of one.
    fn elements<E>(
        &self,
        pattern: &'static CompiledPattern,
        strides: &BlockStrides,
        visit: &mut impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let element = self.layout.element_bytes_log2;
        let unit = 1_u64 << pattern.run_log2().min(element);
        let width = u64::from(self.of.size[0]) << element;
        for z in 0..self.of.size[2] {
            for y in 0..self.of.size[1] {
                let linear = u64::from(z) * self.pitches.slice + u64::from(y) * self.pitches.row;
                for x in (0..width / unit).map(|index| index * unit) {
                    let at = SwizzleAddress {
                        x_bytes: (u64::from(self.of.origin[0]) << element) + x,
                        y: self.of.origin[1] + y,
                        z: self.of.origin[2] + z,
                        sample: self.sample,
                    };
                    self.run(pattern.offset(at, *strides), unit, linear + x, visit)?;
                }
            }
        }
        Ok(())
    }

    /// A run, cut where a tile ends.
    #[inline]
    fn run<E>(
        &self,
        mut offset: u64,
        mut size: u64,
        mut linear: u64,
        visit: &mut impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(phase) = self.phase {
            let left = TILE_SIZE - (phase + offset) % TILE_SIZE;
            if size <= left {
                break;
            }
            visit(Piece::Run { offset, size: left, linear })?;
            (offset, size, linear) = (offset + left, size - left, linear + left);
        }
        visit(Piece::Run { offset, size, linear })
    }
}

/// Whether where an element lies in its block depends on nothing outside the block.
fn is_within_block(pattern: &CompiledPattern) -> bool {
    let block = pattern.block();
    let sources = (0..block.bytes_log2).flat_map(|bit| pattern.pattern().sources(bit));
    sources.into_iter().all(|entry| entry.bit < block.log2(entry.channel))
}

/// What of a range along one axis lies in one block.
#[derive(Clone, Copy, Debug)]
struct Step {
    block: u64,
    /// The first within the block.
    within: u32,
    count: u32,
    /// How many of the range lie before.
    done: u64,
}

/// The blocks of `2^log2` that `count` from `first` on lie in.
fn steps(first: u64, count: u32, log2: u8) -> impl Iterator<Item = Step> {
    let (count, length) = (u64::from(count), 1_u64 << log2);
    let mut done = 0;
    core::iter::from_fn(move || {
        let at = first + done;
        let within = at & (length - 1);
        let taken = (length - within).min(count - done);
        let step = Step {
            block: at >> log2,
            within: u32::try_from(within).ok()?,
            count: u32::try_from(taken).ok().filter(|taken| *taken > 0)?,
            done,
        };
        done += taken;
        Some(step)
    })
}
