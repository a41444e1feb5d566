//! Where the indices of bind groups lie: runs of elements, packed many to a buffer.
//!
//! ```text
//!   buffer 0   [ chunk of runs of 2 ][ chunk of runs of 16                ][ free        ]
//!              [r][r][r]...[r][r]    [r ][r ]...[r ]
//! ```
//! A chunk holds up to 64 runs of one length and tells by a bit of each whether it is free; chunks come from an
//! allocator of ranges for each buffer, and go back when they are empty. So a run costs one bit and its share of
//! a chunk, where a list of ranges would cost more than most groups have indices.

use heapstone_kernel::range_allocator::Block;
use heapstone_kernel::{Owner, RangeAllocator};
use heapstone_units::{Alignment, ByteRange};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::error::SamplersError;

/// Indices of a buffer, side by side: elements `first` to `first + count` of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IndexRange {
    /// Which buffer.
    pub buffer: u32,
    /// The first element.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// Runs of a chunk: a bit each.
const RUNS_MAX: u32 = 64;
/// Elements of a chunk, where its runs are shorter. Chosen: 64 runs of 16, so that a length which few groups have takes 4 KiB.
const CHUNK_ELEMENTS: u32 = 1024;
/// No chunk.
const NONE: u32 = u32::MAX;

/// A run: its chunk, and its number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    chunk: u32,
    number: u8,
}

impl Run {
    /// No run.
    pub(crate) const NONE: Run = Run { chunk: NONE, number: 0 };
}

#[derive(Debug)]
struct Buffer {
    ranges: RangeAllocator,
    indices: Box<[u32]>,
}

#[derive(Debug)]
struct Chunk {
    buffer: u32,
    first: u32,
    /// Elements of a run.
    length: u32,
    /// A bit for each run that is free.
    free: u64,
    /// A bit for each run that there is.
    runs: u64,
    /// `None` of a chunk that is none now.
    block: Option<Block>,
    /// Neighbours among the chunks of this length that have a free run.
    previous: u32,
    next: u32,
}

/// The buffers.
#[derive(Debug)]
pub(crate) struct IndexBuffers {
    elements: u32,
    buffers: Vec<Buffer>,
    /// The buffer that gave the last chunk: where to look first.
    last: usize,
    chunks: Vec<Chunk>,
    /// Chunks that are none now.
    vacant: Vec<u32>,
    /// The first chunk of each length that has a free run.
    open: FxHashMap<u32, u32>,
    unwritten: Vec<IndexRange>,
}

impl IndexBuffers {
    pub(crate) fn new(elements: u32) -> IndexBuffers {
        IndexBuffers {
            elements,
            buffers: Vec::new(),
            last: 0,
            chunks: Vec::new(),
            vacant: Vec::new(),
            open: FxHashMap::default(),
            unwritten: Vec::new(),
        }
    }

    pub(crate) const fn elements(&self) -> u32 {
        self.elements
    }

    pub(crate) fn buffer_count(&self) -> usize {
        self.buffers.len()
    }

    /// A run of `length` elements, 1 to the elements of a buffer.
    #[inline]
    pub(crate) fn allocate(&mut self, length: u32) -> Result<Run, SamplersError> {
        let chunk = match self.open.get(&length) {
            Some(chunk) => *chunk,
            None => self.open_chunk(length)?,
        };
        let open = &mut self.chunks[at(chunk)];
        let number = open.free.trailing_zeros();
        open.free &= open.free - 1;
        if open.free == 0 {
            self.close(chunk);
        }
        Ok(Run { chunk, number: u8::try_from(number).expect("invariant: an open chunk has a free run") })
    }

    /// Gives a run back.
    pub(crate) fn free(&mut self, run: Run) {
        let chunk = &mut self.chunks[at(run.chunk)];
        let bit = 1 << run.number;
        assert!(chunk.free & bit == 0, "bug: a run is freed twice");
        let was_full = chunk.free == 0;
        chunk.free |= bit;
        if was_full {
            self.link(run.chunk);
        }
        let chunk = &mut self.chunks[at(run.chunk)];
        if chunk.free == chunk.runs {
            let block = chunk.block.take().expect("invariant: a chunk with runs has its block");
            self.buffers[at(chunk.buffer)].ranges.free(block);
            self.close(run.chunk);
            self.vacant.push(run.chunk);
        }
    }

    /// Where a run lies.
    #[inline]
    pub(crate) fn range(&self, run: Run) -> IndexRange {
        let chunk = &self.chunks[at(run.chunk)];
        let first = chunk.first + u32::from(run.number) * chunk.length;
        IndexRange { buffer: chunk.buffer, first, count: chunk.length }
    }

    /// What a range holds.
    #[inline]
    pub(crate) fn indices(&self, range: IndexRange) -> &[u32] {
        &self.buffers[at(range.buffer)].indices[at(range.first)..][..at(range.count)]
    }

    /// The same, to be written: it counts as unwritten on the GPU from now on.
    #[inline]
    pub(crate) fn write(&mut self, range: IndexRange) -> &mut [u32] {
        match self.unwritten.last_mut() {
            Some(last) if last.buffer == range.buffer && last.first + last.count == range.first => {
                last.count += range.count;
            }
            _ => self.unwritten.push(range),
        }
        &mut self.buffers[at(range.buffer)].indices[at(range.first)..][..at(range.count)]
    }

    /// Hands out each range that must be written, with what belongs there.
    pub(crate) fn take_writes(&mut self, mut write: impl FnMut(IndexRange, &[u32])) {
        for range in core::mem::take(&mut self.unwritten) {
            write(range, self.indices(range));
        }
    }

    /// A new chunk of runs of `length`.
    #[cold]
    fn open_chunk(&mut self, length: u32) -> Result<u32, SamplersError> {
        let runs = (CHUNK_ELEMENTS / length).clamp(1, RUNS_MAX).min(self.elements / length);
        let (buffer, block) = match self.allocate_block(length, runs) {
            Some(found) => found,
            None => {
                self.add_buffer()?;
                self.allocate_block(length, runs)
                    .expect("invariant: an empty buffer holds a chunk no larger than it")
            }
        };
        let first = u32::try_from(block.offset()).expect("invariant: within a buffer");
        let all = u64::MAX >> (RUNS_MAX - runs);
        let chunk = Chunk {
            buffer,
            first,
            length,
            free: all,
            runs: all,
            block: Some(block),
            previous: NONE,
            next: NONE,
        };
        let index = match self.vacant.pop() {
            Some(index) => {
                self.chunks[at(index)] = chunk;
                index
            }
            None => {
                let index = u32::try_from(self.chunks.len()).ok().filter(|index| *index != NONE);
                let index = index.ok_or(SamplersError::TooMany { what: "chunks of indices" })?;
                self.chunks.push(chunk);
                index
            }
        };
        self.link(index);
        Ok(index)
    }

    /// A block of some buffer, the last one that had room first.
    fn allocate_block(&mut self, length: u32, runs: u32) -> Option<(u32, Block)> {
        let size = u64::from(length) * u64::from(runs);
        let count = self.buffers.len();
        for step in 0..count {
            let buffer = (self.last + step) % count;
            let ranges = &mut self.buffers[buffer].ranges;
            if let Some(block) = ranges.allocate_quickly(size, Alignment::ONE, Owner::MIN) {
                self.last = buffer;
                let buffer = u32::try_from(buffer).expect("invariant: buffers are fewer than 2^32");
                return Some((buffer, block));
            }
        }
        None
    }

    fn add_buffer(&mut self) -> Result<(), SamplersError> {
        if u32::try_from(self.buffers.len() + 1).is_err() {
            return Err(SamplersError::TooMany { what: "buffers of indices" });
        }
        self.last = self.buffers.len();
        self.buffers.push(Buffer {
            ranges: RangeAllocator::new(ByteRange::new(0, u64::from(self.elements))),
            indices: vec![0; at(self.elements)].into_boxed_slice(),
        });
        Ok(())
    }

    /// Puts a chunk before the others of its length that have a free run.
    fn link(&mut self, index: u32) {
        let length = self.chunks[at(index)].length;
        let next = self.open.insert(length, index).unwrap_or(NONE);
        let chunk = &mut self.chunks[at(index)];
        (chunk.previous, chunk.next) = (NONE, next);
        if next != NONE {
            self.chunks[at(next)].previous = index;
        }
    }

    /// Takes it out of them.
    fn close(&mut self, index: u32) {
        let chunk = &self.chunks[at(index)];
        let (previous, next, length) = (chunk.previous, chunk.next, chunk.length);
        match (previous, next) {
            (NONE, NONE) => {
                self.open.remove(&length);
            }
            (NONE, next) => {
                self.open.insert(length, next);
            }
            (previous, next) => self.chunks[at(previous)].next = next,
        }
        if next != NONE {
            self.chunks[at(next)].previous = previous;
        }
    }
}

#[inline]
fn at(index: u32) -> usize {
    // usize has 32 bits at least wherever there is memory for as many elements.
    usize::try_from(index).unwrap_or(usize::MAX)
}
