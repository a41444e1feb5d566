//! Segments: the physical memory of an adapter, and the placement of allocations in it.

use heapstone_units::ByteRange;

use crate::config::{MemoryPool, SegmentDesc, SegmentNodes};
use crate::sharded::ShardedSpace;
use heapstone_spec::SegmentGroup;

/// A segment of a manager: its index in [`crate::AdapterMemory::segments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(pub(crate) u32);

impl SegmentId {
    /// The index in [`crate::AdapterMemory::segments`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a segment is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentInfo {
    /// Its identifier.
    pub id: SegmentId,
    /// Its name.
    pub name: String,
    /// Its pool.
    pub pool: MemoryPool,
    /// Its group, which processes are budgeted by.
    pub group: SegmentGroup,
    /// Which nodes reach it.
    pub nodes: SegmentNodes,
    /// Its bytes.
    pub size: u64,
}

#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) info: SegmentInfo,
    pub(crate) space: ShardedSpace,
}

impl Segment {
    pub(crate) fn new(id: SegmentId, desc: SegmentDesc, group: SegmentGroup) -> Segment {
        let SegmentDesc { name, nodes, pool, size } = desc;
        let space = ShardedSpace::new(ByteRange::new(0, size));
        Segment { info: SegmentInfo { id, name, pool, group, nodes, size }, space }
    }
}
