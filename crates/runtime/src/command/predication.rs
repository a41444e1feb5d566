//! SetPredication.

use heapstone_driver::dma::{Address, Command};
use heapstone_spec::Violation;
use heapstone_spec::commands::{CommandListType, PredicationOp};
use heapstone_spec::rules::query as rules;

use super::copy_buffer::{address_in, check_buffer, check_source_heap, range_in};
use super::list::CommandList;
use super::observed::ListCommand;
use crate::error::Error;
use crate::resource::Resource;

const CALL: &str = "SetPredication";
const TYPES: &[CommandListType] = &[CommandListType::Direct, CommandListType::Compute];
/// Bytes of a predicate.
const SIZE: u64 = 8;

impl CommandList {
    /// ID3D12GraphicsCommandList::SetPredication: from now on, and to the list's end, copies, clears and resolves
    /// are left out where the 64 bits at an offset of the buffer are (EQUAL_ZERO) or are not (NOT_EQUAL_ZERO) 0.
    /// They are read when the engine comes here. `None`: nothing is left out.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `predication.buffer`, `copy.source.heap`, or a rule of `list.*`.
    pub fn set_predication(
        &mut self,
        buffer: Option<(&Resource, u64)>,
        op: PredicationOp,
    ) -> Result<(), Error> {
        let result = self.record_predication(buffer, op);
        self.ended(result, || ListCommand::SetPredication {
            buffer: buffer.map(|(buffer, offset)| (buffer.id(), offset)),
            op,
        })
    }

    fn record_predication(
        &mut self,
        buffer: Option<(&Resource, u64)>,
        op: PredicationOp,
    ) -> Result<(), Box<Violation>> {
        self.recorder(CALL, TYPES)?;
        if let Some((buffer, offset)) = buffer {
            self.check_device("pBuffer", buffer)?;
            check_buffer(&rules::PREDICATION_BUFFER, "pBuffer", buffer)?;
            check_source_heap("pBuffer", buffer)?;
            if !offset.is_multiple_of(SIZE) {
                return Err(rules::PREDICATION_BUFFER.violated(
                    "AlignedBufferOffset",
                    offset,
                    "a multiple of 8",
                ));
            }
            range_in(&rules::PREDICATION_BUFFER, "AlignedBufferOffset", buffer, offset, SIZE)?;
        }
        let recorder = self.recorder(CALL, TYPES)?;
        recorder.begin_call(1)?;
        let value = buffer.map(|(buffer, offset)| Address {
            allocation: recorder.allocation(buffer),
            at: address_in(buffer, offset),
        });
        recorder.push(&Command::SetPredication { value, op });
        Ok(())
    }
}
