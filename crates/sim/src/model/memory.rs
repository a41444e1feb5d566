//! The bytes of a heap, as far as they are known.

use core::ops::Range;
use std::collections::BTreeMap;

use heapstone::{Format, HeapDesc};

use crate::program::Slot;

/// A byte; `None` where D3D12 does not say what it is.
pub(crate) type Cell = Option<u8>;

/// Bytes of a tile.
pub(crate) const TILE: usize = 65_536;

/// How the texels of a tile lie in it, where only the driver knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TileKind {
    /// As 64KB_UNDEFINED_SWIZZLE lays out tiles of such textures.
    Texels {
        /// Of a 3D texture.
        is_3d: bool,
        /// Bytes of an element.
        bytes: usize,
        /// Samples of a texel.
        samples: usize,
        /// The format's family.
        family: Format,
    },
    /// A tile of a slice's packed mips; the texels are kept with the resource.
    Packed {
        /// Whose.
        resource: Slot,
        /// Of it.
        slice: u32,
        /// Among the slice's packed tiles.
        index: u32,
        /// Which time they were set up.
        epoch: u64,
    },
}

/// What a tile holds, in the order that the kind's textures see: x, y, z, samples beside each other.
#[derive(Debug)]
struct TileView {
    kind: TileKind,
    cells: Vec<Cell>,
}

/// ```text
///   tile   fresh: zeros, however one looks at them
///          bytes: written by buffers and standard swizzle
///          view:  written as texels of an unknown layout; the bytes are unknown, but not to others of the kind
/// ```
#[derive(Debug)]
pub(crate) struct HeapMemory {
    pub(crate) desc: HeapDesc,
    bytes: Vec<Cell>,
    is_fresh: Vec<bool>,
    views: BTreeMap<usize, TileView>,
}

impl HeapMemory {
    pub(crate) fn new(desc: HeapDesc) -> HeapMemory {
        let size = usize::try_from(desc.size).expect("invariant: a program's heaps are small");
        HeapMemory {
            desc,
            bytes: vec![Some(0); size],
            is_fresh: vec![true; size.div_ceil(TILE)],
            views: BTreeMap::new(),
        }
    }

    pub(crate) fn tile_count(&self) -> u32 {
        u32::try_from(self.is_fresh.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn bytes(&self, range: Range<usize>) -> &[Cell] {
        self.bytes.get(range).unwrap_or(&[])
    }

    /// Whether nobody wrote to the tiles that the range touches.
    pub(crate) fn is_fresh(&self, range: Range<usize>) -> bool {
        self.is_fresh[range.start / TILE..range.end.div_ceil(TILE)].iter().all(|fresh| *fresh)
    }

    pub(crate) fn write(&mut self, offset: usize, cells: &[Cell]) {
        self.spoil(offset..offset + cells.len());
        self.bytes[offset..offset + cells.len()].copy_from_slice(cells);
    }

    /// Makes the bytes unknown.
    pub(crate) fn forget(&mut self, range: Range<usize>) {
        self.spoil(range.clone());
        self.bytes[range].fill(None);
    }

    /// The tiles of the range are seen as bytes from now on.
    fn spoil(&mut self, range: Range<usize>) {
        for tile in range.start / TILE..range.end.div_ceil(TILE) {
            self.is_fresh[tile] = false;
            self.views.remove(&tile);
        }
    }

    /// What the tile holds as `kind` sees it; `None` where that is not known.
    pub(crate) fn view(&self, tile: usize, kind: &TileKind) -> Option<&[Cell]> {
        static ZEROS: [Cell; TILE] = [Some(0); TILE];
        if self.is_fresh[tile] {
            return Some(&ZEROS);
        }
        self.views.get(&tile).filter(|view| view.kind == *kind).map(|view| view.cells.as_slice())
    }

    /// The kind as which the tile was written last.
    pub(crate) fn kind(&self, tile: usize) -> Option<&TileKind> {
        self.views.get(&tile).map(|view| &view.kind)
    }

    /// The tile as `kind` sees it, to be written.
    pub(crate) fn view_mut(&mut self, tile: usize, kind: &TileKind) -> &mut [Cell] {
        if self.kind(tile) != Some(kind) {
            let cell = self.is_fresh[tile].then_some(0);
            let cells = match kind {
                TileKind::Texels { .. } => vec![cell; TILE],
                TileKind::Packed { .. } => Vec::new(),
            };
            self.forget(tile * TILE..(tile + 1) * TILE);
            self.views.insert(tile, TileView { kind: kind.clone(), cells });
        }
        &mut self.views.get_mut(&tile).expect("invariant: it was just put there").cells
    }
}
