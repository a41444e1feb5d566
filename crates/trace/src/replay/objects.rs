//! What lives, by the trace's numbers.
//!
//! Kept small: a replay's time is mostly spent waiting for these to come from memory. What the
//! resource itself knows (size, offset, alignment) is asked of it.

use heapstone::{HeapDesc, Resource};
use heapstone_units::Alignment;
use rustc_hash::FxHashMap;

use super::accounting::Account;
use super::heaps::HeapKey;
use crate::model::TraceId;

/// An object of the trace.
#[derive(Debug)]
pub(crate) enum Object {
    /// A heap that was created, or a ghost.
    Heap(HeapKey),
    /// A heap of the trace in a placement that does not use the trace's heaps.
    VirtualHeap(Box<HeapDesc>),
    /// A resource that was created.
    Resource(LiveResource),
    /// A resource that was refused, failed or skipped; in the ghost of its heap where it was put there.
    Missing(Option<Box<GhostPlace>>),
}

/// A resource that lives.
#[derive(Debug)]
pub(crate) struct LiveResource {
    pub(crate) handle: Resource,
    /// Bytes of its content.
    pub(crate) asked: u64,
    /// The number of the call that created it.
    pub(crate) call: u64,
    pub(crate) place: Place,
}

/// Where a resource lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Heap(HeapKey),
    Committed(Account),
    Reserved,
}

/// Where a skipped resource would lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GhostPlace {
    pub(crate) heap: HeapKey,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) alignment: Alignment,
}

/// All living objects.
pub(crate) type Objects = FxHashMap<TraceId, Object>;
