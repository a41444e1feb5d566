//! Packing paging operations into paging buffers (facts/dma-splitting.md, Paging operations).
//!
//! ```text
//!   operations   [ A ][ B          ][ C ]
//!   buffer 0     |A|B: first pass..|        insufficient DMA buffer: submitted, and B goes on where it was
//!   buffer 1     |B: second pass|C|         C's allocation busy: submitted, waited for, and C built again
//!   begins       0   4096
//! ```
//! The driver builds ([`PagingBufferStep::Build`]), this says where and what next, and knows no driver: a step is
//! asked for, done, and answered.

use heapstone_units::Alignment;

use crate::paging::{AllocationKey, PagingOperation};

/// What a paging buffer's first byte is a multiple of.
pub const PAGING_BUFFER_ALIGNMENT: Alignment = Alignment::constant(4 << 10);

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagingBufferStep<'a> {
    /// The driver builds an operation behind what the buffer holds (DxgkDdiBuildPagingBuffer); answered by
    /// [`PagingBuffers::built`].
    Build {
        /// The operation.
        operation: &'a PagingOperation,
        /// MultipassOffset: the driver's own number of how far the operation is; 0 at first.
        multipass_offset: u64,
        /// Bytes that are left of the buffer.
        room: u32,
    },
    /// The buffer is submitted, and a new one begun; answered by [`PagingBuffers::submitted`].
    Submit {
        /// The buffer's first byte, counted over all buffers: a multiple of [`PAGING_BUFFER_ALIGNMENT`].
        begin: u64,
        /// Its bytes.
        bytes: u32,
    },
    /// The allocation is waited for until nothing uses it; answered by [`PagingBuffers::idle`].
    WaitIdle {
        /// The allocation.
        allocation: AllocationKey,
    },
    /// All is submitted.
    Done,
}

/// What a driver answers to [`PagingBufferStep::Build`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltPaging {
    /// The operation is in the buffer, or what was left of it.
    Complete {
        /// Bytes that were added.
        bytes: u32,
    },
    /// STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: there is no room for the rest.
    InsufficientDmaBuffer {
        /// Bytes that were added.
        bytes: u32,
        /// From where to go on.
        multipass_offset: u64,
    },
    /// STATUS_GRAPHICS_ALLOCATION_BUSY: work in flight uses the allocation; nothing was added.
    AllocationBusy,
}

/// What a driver may not answer, or a buffer not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PagingBufferError {
    /// A buffer of no whole pages.
    #[error("paging buffers of {given} bytes; allowed: multiples of {PAGING_BUFFER_ALIGNMENT}, and not 0")]
    Size {
        /// As given, in bytes.
        given: u32,
    },
    /// More was added than there was room for.
    #[error("the driver added {given} bytes to a paging buffer; allowed: {room}, which were left")]
    Overrun {
        /// As given, in bytes.
        given: u32,
        /// Bytes that were left.
        room: u32,
    },
    /// An empty buffer is insufficient: another would be too.
    #[error(
        "{allocation}: an empty paging buffer of {size} bytes is insufficient; allowed: to add something"
    )]
    NoProgress {
        /// Whose operation.
        allocation: AllocationKey,
        /// The buffer's bytes.
        size: u32,
    },
    /// Busy again, right after it was waited for.
    #[error("{allocation}: busy after it was waited for; allowed: idle")]
    StillBusy {
        /// Whose operation.
        allocation: AllocationKey,
    },
}

/// Operations on their way into paging buffers.
#[derive(Clone, Debug)]
pub struct PagingBuffers<'a> {
    operations: &'a [PagingOperation],
    multipass_offset: u64,
    size: u32,
    begin: u64,
    used: u32,
    next: Next,
}

/// What comes next, where anything is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Build { has_waited: bool },
    Submit { then_waits: bool },
    Wait,
}

impl<'a> PagingBuffers<'a> {
    /// Of `operations`, in order, in buffers of `size` bytes.
    ///
    /// # Errors
    /// [`PagingBufferError::Size`].
    pub fn new(operations: &'a [PagingOperation], size: u32) -> Result<PagingBuffers<'a>, PagingBufferError> {
        if size == 0 || !PAGING_BUFFER_ALIGNMENT.is_aligned(u64::from(size)) {
            return Err(PagingBufferError::Size { given: size });
        }
        let next = Next::Build { has_waited: false };
        Ok(PagingBuffers { operations, multipass_offset: 0, size, begin: 0, used: 0, next })
    }

    /// The first byte of the buffer that is being built, counted over all buffers.
    #[must_use]
    pub const fn begin(&self) -> u64 {
        self.begin
    }

    /// What is to be done now; the same until it is answered.
    #[must_use]
    pub fn step(&self) -> PagingBufferStep<'a> {
        let submit = PagingBufferStep::Submit { begin: self.begin, bytes: self.used };
        match (self.next, self.operations.first()) {
            (Next::Submit { .. }, _) => submit,
            (Next::Wait, Some(operation)) => {
                PagingBufferStep::WaitIdle { allocation: operation.allocation() }
            }
            (Next::Build { .. }, Some(operation)) => PagingBufferStep::Build {
                operation,
                multipass_offset: self.multipass_offset,
                room: self.size - self.used,
            },
            (_, None) if self.used > 0 => submit,
            (_, None) => PagingBufferStep::Done,
        }
    }

    /// The driver's answer to [`PagingBufferStep::Build`].
    ///
    /// # Errors
    /// What it may not be; nothing has changed then.
    ///
    /// # Panics
    /// As the other answers, where another step was asked for: a bug of the caller.
    pub fn built(&mut self, answer: BuiltPaging) -> Result<(), PagingBufferError> {
        let (Next::Build { has_waited }, Some(operation)) = (self.next, self.operations.first()) else {
            unreachable!("bug: an answer to what was not asked");
        };
        let (allocation, room) = (operation.allocation(), self.size - self.used);
        match answer {
            BuiltPaging::Complete { bytes: given }
            | BuiltPaging::InsufficientDmaBuffer { bytes: given, .. }
                if given > room =>
            {
                return Err(PagingBufferError::Overrun { given, room });
            }
            BuiltPaging::Complete { bytes } => {
                self.used += bytes;
                self.multipass_offset = 0;
                self.operations = &self.operations[1..];
                self.next = Next::Build { has_waited: false };
            }
            BuiltPaging::InsufficientDmaBuffer { bytes, multipass_offset } => {
                if self.used == 0 && bytes == 0 {
                    return Err(PagingBufferError::NoProgress { allocation, size: self.size });
                }
                self.used += bytes;
                self.multipass_offset = multipass_offset;
                self.next = Next::Submit { then_waits: false };
            }
            BuiltPaging::AllocationBusy if has_waited => {
                return Err(PagingBufferError::StillBusy { allocation });
            }
            // What there is goes first: it may be what the allocation waits for.
            BuiltPaging::AllocationBusy if self.used > 0 => self.next = Next::Submit { then_waits: true },
            BuiltPaging::AllocationBusy => self.next = Next::Wait,
        }
        Ok(())
    }

    /// The buffer was submitted; a new one begins behind it.
    pub fn submitted(&mut self) {
        let end = self.begin.saturating_add(u64::from(self.used));
        self.begin = PAGING_BUFFER_ALIGNMENT.align_up(end).unwrap_or(0);
        self.used = 0;
        self.next = match self.next {
            Next::Submit { then_waits: true } => Next::Wait,
            Next::Submit { then_waits: false } | Next::Build { .. } => Next::Build { has_waited: false },
            Next::Wait => unreachable!("bug: an answer to what was not asked"),
        };
    }

    /// Nothing uses the allocation any more.
    pub fn idle(&mut self) {
        assert!(self.next == Next::Wait, "bug: an answer to what was not asked");
        self.next = Next::Build { has_waited: true };
    }
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroU64;

    use super::*;
    use crate::PagingPlace;

    fn operations(count: u64) -> Vec<PagingOperation> {
        let key = |number| AllocationKey(NonZeroU64::new(number).expect("invariant: from 1 on"));
        let store = PagingPlace::BackingStore;
        let discard =
            |number| PagingOperation::Discard { allocation: key(number), place: store.clone(), bytes: 1 };
        (1..=count).map(discard).collect()
    }

    #[test]
    fn what_is_insufficient_goes_on_in_a_new_buffer_where_it_was() {
        let operations = operations(2);
        let mut buffers = PagingBuffers::new(&operations, 8192).expect("two pages");
        let build = |operation, multipass_offset, room| PagingBufferStep::Build {
            operation: &operations[operation],
            multipass_offset,
            room,
        };
        assert_eq!(buffers.step(), build(0, 0, 8192));
        buffers.built(BuiltPaging::Complete { bytes: 5000 }).expect("it fits");
        assert_eq!(buffers.step(), build(1, 0, 3192));
        let more = BuiltPaging::InsufficientDmaBuffer { bytes: 3000, multipass_offset: 77 };
        buffers.built(more).expect("something was added");
        assert_eq!(buffers.step(), PagingBufferStep::Submit { begin: 0, bytes: 8000 });
        buffers.submitted();
        // 8000 rounded up to 4096s.
        assert_eq!(buffers.step(), build(1, 77, 8192));
        buffers.built(BuiltPaging::Complete { bytes: 10 }).expect("it fits");
        assert_eq!(buffers.step(), PagingBufferStep::Submit { begin: 8192, bytes: 10 });
        buffers.submitted();
        assert_eq!(buffers.step(), PagingBufferStep::Done);
    }

    #[test]
    fn a_busy_allocation_is_waited_for_behind_what_there_is_and_tried_again() {
        let operations = operations(2);
        let allocation = operations[1].allocation();
        let mut buffers = PagingBuffers::new(&operations, 4096).expect("a page");
        buffers.built(BuiltPaging::Complete { bytes: 64 }).expect("it fits");
        buffers.built(BuiltPaging::AllocationBusy).expect("it was not waited for yet");
        assert_eq!(buffers.step(), PagingBufferStep::Submit { begin: 0, bytes: 64 });
        buffers.submitted();
        assert_eq!(buffers.step(), PagingBufferStep::WaitIdle { allocation });
        buffers.idle();
        let step = PagingBufferStep::Build { operation: &operations[1], multipass_offset: 0, room: 4096 };
        assert_eq!(buffers.step(), step);
        let error = buffers.built(BuiltPaging::AllocationBusy).expect_err("it was waited for");
        assert_eq!(error, PagingBufferError::StillBusy { allocation });
        assert_eq!(buffers.step(), step, "after an error nothing has changed");
    }

    #[test]
    fn nothing_spins() {
        let operations = operations(1);
        for given in [0, 1, 4095, 6144] {
            let error = PagingBuffers::new(&operations, given).expect_err("no whole pages");
            assert_eq!(error, PagingBufferError::Size { given });
        }
        let mut buffers = PagingBuffers::new(&operations, 4096).expect("a page");
        let empty = BuiltPaging::InsufficientDmaBuffer { bytes: 0, multipass_offset: 0 };
        let allocation = operations[0].allocation();
        assert_eq!(buffers.built(empty), Err(PagingBufferError::NoProgress { allocation, size: 4096 }));
        let over = BuiltPaging::Complete { bytes: 4097 };
        assert_eq!(buffers.built(over), Err(PagingBufferError::Overrun { given: 4097, room: 4096 }));
        let none = PagingBuffers::new(&[], 4096).expect("a page");
        assert_eq!(none.step(), PagingBufferStep::Done);
    }
}
