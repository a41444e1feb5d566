//! Paging buffers: what the memory manager has a driver fill, and submits.

use heapstone_kernel::PagingOperation;
use heapstone_kernel::paging_buffer::{BuiltPaging, PagingBufferError, PagingBufferStep, PagingBuffers};

use super::PagingEngine;
use crate::DriverError;

/// Bytes of a paging buffer, where nothing else is said (chosen: sixteen pages hold the commands of more than a
/// thousand scattered ranges).
pub const PAGING_BUFFER_SIZE: u32 = 64 << 10;

/// A buffer of commands that only its driver understands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PagingBuffer {
    begin: u64,
    /// Bytes that it can hold.
    size: u32,
    words: Vec<u32>,
}

impl PagingBuffer {
    /// An empty one of `size` bytes, whose first byte is `begin`: a multiple of 4 KiB.
    #[must_use]
    pub const fn new(begin: u64, size: u32) -> PagingBuffer {
        PagingBuffer { begin, size, words: Vec::new() }
    }

    /// Its first byte, counted over all buffers.
    #[must_use]
    pub const fn begin(&self) -> u64 {
        self.begin
    }

    /// What it holds.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Bytes that it holds.
    #[must_use]
    pub fn byte_count(&self) -> u32 {
        u32::try_from(self.words.len() * 4).expect("invariant: no more than its size is pushed")
    }

    /// Adds a command, all or nothing; whether there was room.
    pub fn push(&mut self, command: &[u32]) -> bool {
        let has_room = (self.words.len() + command.len()) * 4 <= self.size as usize;
        if has_room {
            self.words.extend_from_slice(command);
        }
        has_room
    }
}

/// Carries operations out, in order, packed into paging buffers of `size` bytes.
///
/// # Errors
/// Those of [`PagingEngine::build_paging_buffer`] and [`PagingEngine::submit_paging_buffer`]; the operations before are
/// done. [`DriverError::Unsupported`] for a size that is no multiple of 4 KiB, or that holds not even one command.
pub fn page_in_buffers<Engine: PagingEngine + ?Sized>(
    engine: &mut Engine,
    operations: &[PagingOperation],
    size: u32,
) -> Result<(), DriverError> {
    let mut buffers = PagingBuffers::new(operations, size).map_err(|error| refused(&error))?;
    let mut buffer = PagingBuffer::new(0, size);
    loop {
        match buffers.step() {
            PagingBufferStep::Build { operation, multipass_offset, .. } => {
                let built = engine.build_paging_buffer(operation, multipass_offset, &mut buffer);
                let answered = built
                    .and_then(|built: BuiltPaging| buffers.built(built).map_err(|error| refused(&error)));
                if let Err(error) = answered {
                    // What was before it is done all the same.
                    engine.submit_paging_buffer(&buffer)?;
                    return Err(error);
                }
            }
            PagingBufferStep::Submit { .. } => {
                engine.submit_paging_buffer(&buffer)?;
                buffers.submitted();
                buffer = PagingBuffer::new(buffers.begin(), size);
            }
            PagingBufferStep::WaitIdle { allocation } => {
                engine.wait_idle(allocation);
                buffers.idle();
            }
            PagingBufferStep::Done => return Ok(()),
        }
    }
}

fn refused(error: &PagingBufferError) -> DriverError {
    DriverError::Unsupported { what: format!("paging so: {error}") }
}
