//! Paging of heaps; engines without GPU virtual addresses, and the engine that pages for them.
//!
//! ```text
//!   SplitPlan            PagingEngine                  PatchedQueue
//!     part 0  ---------> page: in                ----> patch, submit [0, o)
//!                                    waits for <---'
//!     part 1  ---------> page: out, moves, in    ----> patch, submit [o, end)
//! ```
//! The paging engine builds operations into paging buffers and runs these ([`page_in_buffers`]). What a part in flight
//! uses is busy for it, and waited for; what it does not use is paged meanwhile.
//!
//! Splitting is not preemption (spec/3-dma-buffer-splitting.id.txt 5): the parts of one buffer follow each other, and
//! slot registers and state carry over, whether or not the engine can be preempted. Where another context's buffer runs
//! between two parts, whoever schedules it saves the context and restores it.

mod buffer;

use core::ops::Range;

use heapstone_kernel::dma_split::{SplitPart, SplitPlan};
use heapstone_kernel::paging_buffer::BuiltPaging;
use heapstone_kernel::{AllocationKey, PagingOperation, SegmentId};

pub use buffer::{PAGING_BUFFER_SIZE, PagingBuffer, page_in_buffers};

use crate::DriverError;
use crate::dma::patched::PatchedBuffer;
use crate::engine::{EngineFault, QueueStatistics};

/// What a paging engine has done since it was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PagingStatistics {
    /// Operations.
    pub operations: u64,
    /// Paging buffers that were submitted.
    pub buffers: u64,
    /// Times that a buffer was insufficient, and an operation went on in another.
    pub insufficient_buffers: u64,
    /// Times that an allocation was busy, and waited for.
    pub busy_allocations: u64,
    /// Bytes that came from the backing store.
    pub bytes_paged_in: u64,
    /// Bytes that went to the backing store.
    pub bytes_written_back: u64,
    /// Bytes that moved within segments or from one to another.
    pub bytes_moved: u64,
    /// Bytes that were filled.
    pub bytes_filled: u64,
    /// Time that it took on the simulated engine, in nanoseconds.
    pub busy_ns: u64,
}

/// Moves bytes between segments and the backing store.
///
/// The backing store keeps its copy of an allocation when the bytes are transferred to a segment, until they are
/// transferred back or the copy is discarded: what is not written meanwhile may be discarded in the segment. An
/// allocation that was never stored is zero.
pub trait PagingEngine: Send {
    /// DxgkDdiBuildPagingBuffer: adds what carries an operation out to a buffer, from `multipass_offset` on, which is
    /// this engine's own number, 0 at first. All bytes of an operation are read before any is written. What a transfer
    /// leaves and a discard drops holds nothing afterwards.
    ///
    /// # Errors
    /// [`DriverError::OutOfRange`] where a range does not lie in its segment, [`DriverError::Unsupported`] where ranges
    /// and bytes disagree, [`DriverError::OutOfMemory`]. Nothing was added then.
    fn build_paging_buffer(
        &mut self,
        operation: &PagingOperation,
        multipass_offset: u64,
        buffer: &mut PagingBuffer,
    ) -> Result<BuiltPaging, DriverError>;

    /// Runs a buffer that this engine built.
    ///
    /// # Errors
    /// [`DriverError::Unsupported`] for words that it did not build, [`DriverError::OutOfMemory`].
    fn submit_paging_buffer(&mut self, buffer: &PagingBuffer) -> Result<(), DriverError>;

    /// An allocation is used by work that ends at `time_ns`: busy until then.
    fn use_until(&mut self, allocation: AllocationKey, time_ns: u64);

    /// Waits until nothing uses an allocation.
    fn wait_idle(&mut self, allocation: AllocationKey);

    /// Carries operations out, in order, in buffers of [`PAGING_BUFFER_SIZE`].
    ///
    /// # Errors
    /// As [`page_in_buffers`].
    fn page(&mut self, operations: &[PagingOperation]) -> Result<(), DriverError> {
        page_in_buffers(self, operations, PAGING_BUFFER_SIZE)
    }

    /// Makes bytes the backing store's copy of an allocation.
    fn store(&mut self, allocation: AllocationKey, bytes: &[u8]);

    /// Reads the backing store's copy of an allocation from its first byte on: zero where there is none.
    fn load(&self, allocation: AllocationKey, to: &mut [u8]);

    /// What it has done.
    fn statistics(&self) -> PagingStatistics;

    /// The engine's time in nanoseconds.
    fn time_ns(&self) -> u64;

    /// Moves the engine's time to `time_ns` where it is behind: it waited for another.
    fn wait_until(&mut self, time_ns: u64);
}

/// Carries out on a driver's heaps what the memory manager decides of them.
///
/// Heaps are known from [`DriverHeap::enter_paging`](crate::DriverHeap::enter_paging) on. An operation on an allocation
/// that is no heap of the driver, or no more, changes nothing and is not counted; nor is one on a heap that stays where
/// it is because a program has its address. What pages in of the backing store stays there as well, as
/// [`PagingEngine`] has it.
///
/// The caller keeps the order: operations are carried out as they were queued, each before GPU work that uses the heap
/// begins, and none while such work is in flight. An engine that reaches the heap all the same is waited for, or finds
/// it evicted.
pub trait HeapPaging: Send {
    /// Carries one operation out.
    ///
    /// # Errors
    /// [`DriverError::OutOfMemory`] where bytes that come from the backing store, or are filled, find no memory: the heap
    /// is evicted still, and all it held is in the store. Nothing else fails: where there is no memory for a copy, the
    /// bytes stay where they are, and others are kept off them.
    fn page(&mut self, operation: &PagingOperation) -> Result<(), DriverError>;

    /// What it has done.
    fn statistics(&self) -> PagingStatistics;
}

/// What an engine keeps of a context while another's buffer runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineContext {
    /// By slot: the index in the allocation list, and the address; `None`: NULL.
    pub slots: Vec<Option<(u32, u64)>>,
    /// Whether a predicate leaves commands out.
    pub leaves_out: bool,
}

/// A part of a DMA buffer, patched (DXGKARG_SUBMITCOMMAND).
#[derive(Clone, Debug)]
pub struct PartSubmission<'a> {
    /// The whole buffer.
    pub buffer: &'a PatchedBuffer,
    /// SubmissionStartOffset to SubmissionEndOffset, in bytes. A start of 0 begins the buffer: its slots are NULL.
    pub range: Range<u32>,
    /// The segment that its addresses are of.
    pub segment: SegmentId,
}

/// An engine that reads physical addresses from slot registers.
pub trait PatchedQueue: Send {
    /// Runs a part. Slot registers keep what the part before left in them; the rest of the state is programmed anew, as
    /// paging may have changed it (spec/3-dma-buffer-splitting.id.txt 5).
    ///
    /// # Errors
    /// As [`crate::engine::DriverQueue::execute`]; faults tell the addresses of the allocation list.
    fn submit(&mut self, part: &PartSubmission<'_>) -> Result<(), EngineFault>;

    /// The context between two parts, for another's buffer to run.
    fn save_context(&mut self) -> EngineContext;

    /// Goes on where [`PatchedQueue::save_context`] was called.
    fn restore_context(&mut self, context: EngineContext);

    /// What it has done.
    fn statistics(&self) -> QueueStatistics;

    /// The engine's time in nanoseconds.
    fn time_ns(&self) -> u64;

    /// Moves the engine's time to `time_ns` where it is behind.
    fn wait_until(&mut self, time_ns: u64);
}

/// A split buffer in flight: its parts, one after the other.
#[derive(Debug)]
pub struct SplitRun<'a> {
    plan: &'a SplitPlan,
    buffer: PatchedBuffer,
    segment: SegmentId,
    paging_buffer_size: u32,
    next: usize,
}

impl<'a> SplitRun<'a> {
    /// Of a buffer that `plan` was made for, in `segment`.
    #[must_use]
    pub const fn new(plan: &'a SplitPlan, buffer: PatchedBuffer, segment: SegmentId) -> SplitRun<'a> {
        SplitRun { plan, buffer, segment, paging_buffer_size: PAGING_BUFFER_SIZE, next: 0 }
    }

    /// With paging buffers of so many bytes: a multiple of 4 KiB.
    #[must_use]
    pub fn with_paging_buffers(self, paging_buffer_size: u32) -> SplitRun<'a> {
        SplitRun { paging_buffer_size, ..self }
    }

    /// Parts that are left.
    #[must_use]
    pub fn remaining(&self) -> &'a [SplitPart] {
        self.plan.parts.get(self.next..).unwrap_or_default()
    }

    /// Pages for the next part, patches and runs it. Whether there was one. `key_of` names an allocation of the plan.
    ///
    /// Paging that re-uses pages of the part before waits for it (facts/dma-splitting.md, Edge cases): what stands there
    /// is busy.
    ///
    /// # Errors
    /// Of paging, and of the part. The run does not go on.
    pub fn run_part(
        &mut self,
        paging: &mut dyn PagingEngine,
        queue: &mut dyn PatchedQueue,
        key_of: impl Fn(u32) -> AllocationKey,
    ) -> Result<bool, EngineFault> {
        let index = self.next;
        let Some(part) = self.plan.parts.get(index) else { return Ok(false) };
        // Not again where it fails.
        self.next = self.plan.parts.len();
        let operations: Vec<PagingOperation> = part.paging_operations(self.segment, &key_of).collect();
        if !operations.is_empty() {
            let size = self.paging_buffer_size;
            page_in_buffers(paging, &operations, size).map_err(EngineFault::Driver)?;
            queue.wait_until(paging.time_ns());
        }
        self.buffer.patch(part);
        let range = part.submission.clone();
        queue.submit(&PartSubmission { buffer: &self.buffer, range, segment: self.segment })?;
        let mut last = None;
        for address in &part.addresses {
            if last.replace(address.allocation) != Some(address.allocation) {
                paging.use_until(key_of(address.allocation), queue.time_ns());
            }
        }
        self.next = index + 1;
        Ok(true)
    }
}
