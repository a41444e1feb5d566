//! The paging of a plan in the words that a paging engine takes.

use heapstone_units::ByteRange;

use super::plan::{PlannedPagingKind, SplitPart};
use crate::paging::{AllocationKey, PagingOperation, PagingPlace};
use crate::segment::SegmentId;

impl SplitPart {
    /// What the paging engine must do before the part, where `segment` is the request's and `key_of` names an
    /// allocation of the request by its index.
    pub fn paging_operations(
        &self,
        segment: SegmentId,
        key_of: impl Fn(u32) -> AllocationKey,
    ) -> impl Iterator<Item = PagingOperation> {
        self.paging.iter().map(move |paging| {
            let allocation = key_of(paging.allocation);
            let place = |ranges: &[ByteRange]| PagingPlace::Segment { segment, ranges: ranges.into() };
            let bytes = |ranges: &[ByteRange]| ranges.iter().map(|range| range.size()).sum();
            match &paging.kind {
                PlannedPagingKind::WriteBack { from } => {
                    let (bytes, from) = (bytes(from), place(from));
                    PagingOperation::Transfer { allocation, from, to: PagingPlace::BackingStore, bytes }
                }
                PlannedPagingKind::Discard { from } => {
                    PagingOperation::Discard { allocation, bytes: bytes(from), place: place(from) }
                }
                PlannedPagingKind::PageIn { to } => {
                    let (bytes, to) = (bytes(to), place(to));
                    PagingOperation::Transfer { allocation, from: PagingPlace::BackingStore, to, bytes }
                }
                PlannedPagingKind::Move { from, to } => {
                    let bytes = bytes(from);
                    PagingOperation::Transfer { allocation, from: place(from), to: place(to), bytes }
                }
            }
        })
    }
}
