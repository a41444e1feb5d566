//! Grids of elements in memory: where a box of one lies, and how it is read and written.
//!
//! ```text
//!   Layout   rows, or swizzled blocks         Memory   Host     one run of bytes
//!      \                                      /        Nothing  no bytes: zero to read, dropped to write
//!       '---------------- Grid --------------'         Tiled    64 KiB here, 64 KiB there
//! ```
//! A box is read and written one sample at a time, from and to rows. Where memory is tiled it is cut:
//!
//! ```text
//!   blocks   a swizzled block that lies in one tile    one call of the swizzle engine
//!   runs     of rows, up to the tile's border          one copy
//!            elsewhere of what lies side by side, one element or less
//! ```

use core::convert::Infallible;
use core::ops::Range;

use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{BlockStrides, Storage, Surface};
use heapstone_units::{ByteRange, Elements, Extent};

use crate::bytes::{self, Region, Rows, Source, View};
use crate::device::{TILE_SIZE, Tiled};
use crate::heap::in_u64;
use crate::pieces::{Cut, Piece};

/// How the elements of a grid follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) storage: Storage,
    /// Bytes of an element of one sample: `2^` this, 0 to 4.
    pub(crate) element_bytes_log2: u8,
    /// Samples of an element: `2^` this, 0 to 5.
    pub(crate) samples_log2: u8,
}

/// A box of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GridBox {
    pub(crate) origin: [u32; 3],
    /// None is 0.
    pub(crate) size: [u32; 3],
}

impl GridBox {
    /// One past the last element along an axis.
    #[inline]
    pub(crate) fn end(&self, axis: usize) -> u64 {
        u64::from(self.origin[axis]) + u64::from(self.size[axis])
    }

    /// A part of `whole`, as the same part of `other`, a box of the same size whose end is counted.
    pub(crate) fn moved(&self, whole: &GridBox, other: &GridBox) -> GridBox {
        let origin =
            core::array::from_fn(|axis| other.origin[axis] + (self.origin[axis] - whole.origin[axis]));
        GridBox { origin, size: self.size }
    }

    /// Whether every coordinate can be counted in 32 bits, and there is an element.
    #[inline(always)]
    pub(crate) fn is_counted(&self) -> bool {
        (0..3).all(|axis| self.size[axis] > 0 && self.end(axis) <= u64::from(u32::MAX))
    }

    #[inline(always)]
    pub(crate) fn lies_in(&self, elements: Extent<Elements>) -> bool {
        self.end(0) <= elements.width
            && self.end(1) <= u64::from(elements.height)
            && self.end(2) <= u64::from(elements.depth)
    }

    pub(crate) fn overlaps(&self, other: &GridBox) -> bool {
        (0..3).all(|axis| {
            u64::from(self.origin[axis]) < other.end(axis) && u64::from(other.origin[axis]) < self.end(axis)
        })
    }
}

impl Layout {
    #[inline]
    pub(crate) const fn of_surface(surface: &Surface) -> Layout {
        let Surface { storage, element_bytes_log2, samples_log2, .. } = *surface;
        Layout { storage, element_bytes_log2, samples_log2 }
    }

    /// Whether the exponents are in their ranges, and blocks hold the samples and begin at multiples of their
    /// bytes.
    #[inline(always)]
    pub(crate) fn is_sound(&self) -> bool {
        let blocks_are = match self.storage {
            Storage::Linear { .. } => true,
            Storage::Swizzled { pattern, strides } => {
                let block = pattern.block();
                self.samples_log2 <= block.samples_log2
                    && (strides.row | strides.slice) & (block.bytes() - 1) == 0
            }
        };
        self.element_bytes_log2 <= 4 && self.samples_log2 <= 5 && blocks_are
    }

    #[inline]
    pub(crate) const fn is_linear(&self) -> bool {
        matches!(self.storage, Storage::Linear { .. })
    }

    /// Rows whose elements are side by side: linear ones of one sample.
    #[inline(always)]
    pub(crate) const fn rows(&self) -> Option<RowPitches> {
        match self.storage {
            Storage::Linear { row_pitch, slice_pitch } if self.samples_log2 == 0 => {
                Some(RowPitches { row: row_pitch, slice: slice_pitch })
            }
            _ => None,
        }
    }

    /// The same bytes with each sample an element of its own, where rows are linear.
    pub(crate) fn folded(&self) -> Layout {
        Layout { samples_log2: 0, ..*self }
    }

    /// The bytes from the grid's first among which all of a box lie, all samples; `None` where they leave 64
    /// bits.
    #[inline(always)]
    pub(crate) fn reach(&self, of: &GridBox) -> Option<ByteRange> {
        match self.storage {
            Storage::Linear { row_pitch, slice_pitch } => {
                let shift = self.element_bytes_log2 + self.samples_log2;
                let pitches = RowPitches { row: row_pitch, slice: slice_pitch };
                let begin = self.linear_offset(of.origin, row_pitch, slice_pitch)?;
                let [width, height, depth] = of.size;
                let rows = Rows { width: u64::from(width) << shift, height, depth };
                ByteRange::at(begin, rows.end(pitches)?)
            }
            Storage::Swizzled { pattern, strides } => {
                let block = pattern.block();
                let stacks = pattern.pattern().stack_depth_slices;
                // Of a byte along x, a row, a slice.
                let at = |[x, mut y, mut z]: [u64; 3]| {
                    if stacks {
                        y = z.checked_mul(u64::from(strides.stacked_rows))?.checked_add(y)?;
                        z = 0;
                    }
                    let x = (x >> block.x_bytes_log2).checked_mul(block.bytes())?;
                    let y = (y >> block.y_log2).checked_mul(strides.row)?;
                    let z = (z >> block.z_log2).checked_mul(strides.slice)?;
                    x.checked_add(y)?.checked_add(z)
                };
                let element = self.element_bytes_log2;
                let [x, y, z] = of.origin.map(u64::from);
                let begin = at([x << element, y, z])?;
                let last = at([(of.end(0) << element) - 1, of.end(1) - 1, of.end(2) - 1])?;
                Some(ByteRange::new(begin, last.checked_add(block.bytes())?))
            }
        }
    }

    #[inline(always)]
    fn linear_offset(&self, [x, y, z]: [u32; 3], row_pitch: u64, slice_pitch: u64) -> Option<u64> {
        let x = u64::from(x) << (self.element_bytes_log2 + self.samples_log2);
        u64::from(y)
            .checked_mul(row_pitch)?
            .checked_add(u64::from(z).checked_mul(slice_pitch)?)?
            .checked_add(x)
    }

    /// The rows of one sample of a box.
    #[inline(always)]
    pub(crate) fn rows_of(&self, of: &GridBox) -> Rows {
        let [width, height, depth] = of.size;
        Rows { width: u64::from(width) << self.element_bytes_log2, height, depth }
    }

    /// One sample of a box, of a swizzled layout.
    #[inline(always)]
    pub(crate) fn region(
        &self,
        pattern: &'static CompiledPattern,
        strides: BlockStrides,
        sample: u32,
        of: &GridBox,
    ) -> Region {
        Region {
            pattern,
            strides,
            x_bytes: u64::from(of.origin[0]) << self.element_bytes_log2,
            y: of.origin[1],
            z: of.origin[2],
            sample,
            rows: self.rows_of(of),
        }
    }
}

/// Where the bytes of a grid are, from its first to the last that a box reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory<'a> {
    Host(View<'a>),
    Nothing,
    Tiled(Tiled<'a>),
}

impl<'a> Memory<'a> {
    /// The bytes of a piece; `None` where there are none.
    fn part(&self, offset: u64, size: u64) -> Option<View<'a>> {
        match self {
            Memory::Host(view) => Some(view.part(offset, size).expect("bug: a piece lies in its memory")),
            Memory::Nothing => None,
            Memory::Tiled(tiled) => tiled.part(offset, size),
        }
    }

    /// Copies bytes from `offset` on.
    pub(crate) fn read(&self, offset: u64, to: View<'_>) {
        let total = in_u64(to.size());
        self.each_part(offset, total, |part, at, size| {
            let to = to.part(at, size).expect("bug: a part lies in the whole");
            match part {
                Some(from) => to.copy_part_from(from.source(), total),
                None => to.zero(),
            }
        });
    }

    /// Writes bytes from `offset` on.
    pub(crate) fn write(&self, offset: u64, from: Source<'_>) {
        let total = in_u64(from.size());
        self.each_part(offset, total, |part, at, size| {
            if let Some(to) = part {
                to.copy_part_from(from.part(at, size).expect("bug: a part lies in the whole"), total);
            }
        });
    }

    /// Visits bytes from `offset` on by what lies in one run of memory: the part, and where it lies from
    /// `offset` on.
    fn each_part(&self, offset: u64, size: u64, mut visit: impl FnMut(Option<View<'a>>, u64, u64)) {
        let Some(phase) = self.phase() else { return visit(self.part(offset, size), 0, size) };
        let mut done = 0;
        while done < size {
            let here = (TILE_SIZE - (phase + offset + done) % TILE_SIZE).min(size - done);
            visit(self.part(offset + done, here), done, here);
            done += here;
        }
    }

    /// Where `reach` is in memory of this process.
    pub(crate) fn addresses(&self, reach: ByteRange) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        self.each_part(reach.begin, reach.size(), |part, _, size| {
            if let Some(part) = part {
                all.push(part.addresses(ByteRange::new(0, size)));
            }
        });
        all
    }

    /// Bytes from a border of tiles to the first byte; `None` where there are no tiles.
    const fn phase(&self) -> Option<u64> {
        match self {
            Memory::Tiled(tiled) => Some(tiled.phase()),
            Memory::Host(_) | Memory::Nothing => None,
        }
    }
}

/// Elements in memory. Every box that it is asked for has its reach in the memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid<'a> {
    pub(crate) memory: Memory<'a>,
    pub(crate) layout: &'a Layout,
}

impl Grid<'_> {
    /// Copies one sample of a box into rows.
    #[inline(always)]
    pub(crate) fn read(&self, sample: u32, of: &GridBox, to: View<'_>, pitches: RowPitches) {
        let rows = self.layout.rows_of(of);
        match (self.memory, self.layout.storage) {
            (Memory::Nothing, _) => bytes::zero_rows(to, pitches, rows),
            (Memory::Host(view), Storage::Swizzled { pattern, strides }) => {
                let region = self.layout.region(pattern, strides, sample, of);
                bytes::read_swizzled(view.source(), &region, to, pitches);
            }
            (Memory::Host(view), Storage::Linear { .. }) if self.layout.samples_log2 == 0 => {
                let (from, own) = self.linear_rows(view, of);
                bytes::copy_rows(to, pitches, from.source(), own, rows);
            }
            _ => self.read_pieces(sample, of, to, pitches),
        }
    }

    /// Copies rows into one sample of a box.
    #[inline(always)]
    pub(crate) fn write(&self, sample: u32, of: &GridBox, from: Source<'_>, pitches: RowPitches) {
        match (self.memory, self.layout.storage) {
            (Memory::Nothing, _) => {}
            (Memory::Host(view), Storage::Swizzled { pattern, strides }) => {
                let region = self.layout.region(pattern, strides, sample, of);
                bytes::write_swizzled(view, &region, from, pitches);
            }
            (Memory::Host(view), Storage::Linear { .. }) if self.layout.samples_log2 == 0 => {
                let (to, own) = self.linear_rows(view, of);
                bytes::copy_rows(to, own, from, pitches, self.layout.rows_of(of));
            }
            _ => self.write_pieces(sample, of, from, pitches),
        }
    }

    /// What of the memory a box of linear rows of one sample reaches, and the rows' pitches.
    #[inline]
    pub(crate) fn linear_rows<'v>(&self, view: View<'v>, of: &GridBox) -> (View<'v>, RowPitches) {
        let reach = self.layout.reach(of);
        let part = reach.and_then(|reach| view.part(reach.begin, reach.size()));
        (part.expect("bug: a box leaves its memory"), self.layout.rows().expect("bug: no rows"))
    }

    #[cold]
    fn read_pieces(&self, sample: u32, of: &GridBox, to: View<'_>, pitches: RowPitches) {
        let Ok(()) = self.pieces(sample, of, pitches, |piece| {
            self.read_piece(piece, to, pitches);
            Ok::<(), Infallible>(())
        });
    }

    #[cold]
    fn write_pieces(&self, sample: u32, of: &GridBox, from: Source<'_>, pitches: RowPitches) {
        let Ok(()) = self.pieces(sample, of, pitches, |piece| {
            self.write_piece(piece, from, pitches);
            Ok::<(), Infallible>(())
        });
    }

    fn read_piece(&self, piece: Piece, to: View<'_>, pitches: RowPitches) {
        let rows = piece.rows();
        let to = rows.end(pitches).and_then(|size| to.part(piece.linear(), size));
        let to = to.expect("bug: a piece lies in the rows");
        match (piece, self.memory.part(piece.offset(), piece.memory_size())) {
            (_, None) => bytes::zero_rows(to, pitches, rows),
            (Piece::Run { .. }, Some(from)) => to.copy_from(from.source()),
            (Piece::Block { region, .. }, Some(from)) => {
                bytes::read_swizzled(from.source(), &region, to, pitches);
            }
        }
    }

    fn write_piece(&self, piece: Piece, from: Source<'_>, pitches: RowPitches) {
        let from = piece.rows().end(pitches).and_then(|size| from.part(piece.linear(), size));
        let from = from.expect("bug: a piece lies in the rows");
        match (piece, self.memory.part(piece.offset(), piece.memory_size())) {
            (_, None) => {}
            (Piece::Run { .. }, Some(to)) => to.copy_from(from),
            (Piece::Block { region, .. }, Some(to)) => bytes::write_swizzled(to, &region, from, pitches),
        }
    }

    /// Cuts one sample of a box into pieces; `pitches` are those of the rows that it is copied from or to.
    fn pieces<E>(
        &self,
        sample: u32,
        of: &GridBox,
        pitches: RowPitches,
        visit: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        Cut { layout: *self.layout, phase: self.memory.phase(), sample, of: *of, pitches }.pieces(visit)
    }
}
