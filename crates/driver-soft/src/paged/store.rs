//! The backing store's copy of a heap: memory that the GPU does not reach. Zeros take none.

use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_driver::DriverError;

use crate::bytes::{HeapBytes, View};
use crate::heap::in_u64;

/// Bytes that are copied at once: a page of the memory manager.
const PIECE: usize = 64 << 10;

static ZEROS: [u8; PIECE] = [0; PIECE];

const COPY: &str = "the copy of an evicted heap";

/// What the copies of all heaps may take together, in bytes.
#[derive(Debug)]
pub(crate) struct StoreRoom {
    left: AtomicU64,
}

impl StoreRoom {
    pub(crate) const fn new(bytes: u64) -> StoreRoom {
        StoreRoom { left: AtomicU64::new(bytes) }
    }

    fn take(&self, bytes: u64) -> Result<(), DriverError> {
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(drop).map_err(|left| DriverError::OutOfMemory {
            what: COPY,
            size: bytes,
            reason: format!("the backing store has {left} bytes left"),
        })
    }

    fn give_back(&self, bytes: u64) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A heap's bytes, by piece; pieces that are not there are zero.
#[derive(Debug)]
pub(crate) struct Stored {
    pieces: BTreeMap<u64, Box<[u8]>>,
    room: Arc<StoreRoom>,
}

impl Stored {
    /// All zero.
    pub(crate) const fn zero(room: Arc<StoreRoom>) -> Stored {
        Stored { pieces: BTreeMap::new(), room }
    }

    /// A copy of `bytes`; `None`: of zeros.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(crate) fn copy_of(bytes: Option<&HeapBytes>, room: &Arc<StoreRoom>) -> Result<Stored, DriverError> {
        let mut stored = Stored::zero(Arc::clone(room));
        let Some(bytes) = bytes else { return Ok(stored) };
        each_piece(bytes, |offset, piece| {
            stored.room.take(in_u64(piece.len()))?;
            let kept = boxed(piece).inspect_err(|_| stored.room.give_back(in_u64(piece.len())))?;
            stored.pieces.insert(offset, kept);
            Ok(())
        })?;
        Ok(stored)
    }

    /// Writes the copy to bytes that are zero, and as many.
    pub(crate) fn write_to(&self, bytes: &HeapBytes) {
        for (offset, piece) in &self.pieces {
            let to = bytes.view().part(*offset, in_u64(piece.len()));
            to.expect("invariant: a copy has the bytes of its heap").copy_from((&piece[..]).into());
        }
    }

    /// Whether it is of zeros.
    pub(crate) fn is_zero(&self) -> bool {
        self.pieces.is_empty()
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        self.room.give_back(self.pieces.values().map(|piece| in_u64(piece.len())).sum());
    }
}

/// Copies all bytes of one heap to those of another that are zero.
pub(crate) fn copy_all(from: &HeapBytes, to: &HeapBytes) {
    let copied = each_piece(from, |offset, piece| {
        let to = to.view().part(offset, in_u64(piece.len()));
        to.expect("invariant: a heap is moved to as many bytes").copy_from(piece.into());
        Ok::<(), core::convert::Infallible>(())
    });
    match copied {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// Calls `take` with the pieces that are not zero, in order.
fn each_piece<E>(bytes: &HeapBytes, mut take: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<(), E> {
    let mut piece = [0; PIECE];
    let size = bytes.view().size();
    for begin in (0..size).step_by(PIECE) {
        let piece = &mut piece[..PIECE.min(size - begin)];
        let from = bytes.view().part(in_u64(begin), in_u64(piece.len()));
        View::from(&mut *piece).copy_from(from.expect("invariant: a piece lies in its heap").source());
        if *piece != ZEROS[..piece.len()] {
            take(in_u64(begin), piece)?;
        }
    }
    Ok(())
}

fn boxed(piece: &[u8]) -> Result<Box<[u8]>, DriverError> {
    let mut kept = Vec::new();
    kept.try_reserve_exact(piece.len()).map_err(|error| DriverError::OutOfMemory {
        what: COPY,
        size: in_u64(piece.len()),
        reason: error.to_string(),
    })?;
    kept.extend_from_slice(piece);
    Ok(kept.into())
}
