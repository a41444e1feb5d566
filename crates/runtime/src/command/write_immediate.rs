//! WriteBufferImmediate.

use heapstone_driver::dma::{Address, Command};
use heapstone_spec::commands::{CommandListSupportFlags, CommandListType, WriteBufferImmediateMode};
use heapstone_spec::rules::query as rules;
use heapstone_spec::{HeapType, Violation};
use heapstone_units::GpuVirtualAddress;

use super::copy_buffer::heap_type;
use super::list::CommandList;
use super::observed::ListCommand;
use crate::address::MemoryHold;
use crate::error::Error;

const CALL: &str = "WriteBufferImmediate";
/// Bytes of a write.
const SIZE: u64 = 4;

impl CommandList {
    /// ID3D12GraphicsCommandList2::WriteBufferImmediate: 32 bits to each address. `modes` says what each write
    /// waits for, `None`: DEFAULT for all. No writes are no command.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `write_immediate.*` or `list.*`; none of the writes is recorded then.
    pub fn write_buffer_immediate(
        &mut self,
        writes: &[(GpuVirtualAddress, u32)],
        modes: Option<&[WriteBufferImmediateMode]>,
    ) -> Result<(), Error> {
        let result = self.record_writes(writes, modes);
        // Of a device that nobody watches it stays empty.
        let places: Vec<_> = if self.device.is_observed() {
            writes.iter().map(|(address, _)| self.device.place_of(*address)).collect()
        } else {
            Vec::new()
        };
        self.ended(result, || ListCommand::WriteBufferImmediate { writes, places: &places, modes })
    }

    fn record_writes(
        &mut self,
        writes: &[(GpuVirtualAddress, u32)],
        modes: Option<&[WriteBufferImmediateMode]>,
    ) -> Result<(), Box<Violation>> {
        self.recorder(CALL, CommandListType::ALL)?;
        self.check_takes_writes()?;
        if let Some(modes) = modes
            && modes.len() != writes.len()
        {
            return Err(rules::WRITE_MODES.violated("pModes", modes.len(), writes.len()));
        }
        let holds: Vec<MemoryHold> =
            writes.iter().map(|(address, _)| self.writable_at(*address)).collect::<Result<_, _>>()?;
        if writes.is_empty() {
            return Ok(());
        }
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(writes.len())?;
        for (index, (hold, (at, value))) in holds.iter().zip(writes).enumerate() {
            let mode = modes.and_then(|modes| modes.get(index)).copied();
            let destination = Address { allocation: recorder.allocation_of(hold), at: *at };
            recorder.push(&Command::Write {
                destination,
                value: *value,
                mode: mode.unwrap_or(WriteBufferImmediateMode::Default),
            });
        }
        Ok(())
    }

    fn check_takes_writes(&self) -> Result<(), Box<Violation>> {
        let supported = self.device.layout_rules.caps.write_buffer_immediate;
        if supported.contains(CommandListSupportFlags::of(self.list_type)) {
            return Ok(());
        }
        Err(rules::WRITE_LIST_TYPE.violated(
            CALL,
            format_args!("a list of type {}", self.list_type),
            format_args!("lists of the types {supported}"),
        ))
    }

    /// Who has the 4 bytes at `address`, which the GPU may write. Of an address in an explicit heap it is the
    /// heap: buffers in it may overlap.
    fn writable_at(&self, address: GpuVirtualAddress) -> Result<MemoryHold, Box<Violation>> {
        if !address.0.is_multiple_of(SIZE) {
            return Err(rules::WRITE_ALIGNMENT.violated(
                "pParams->Dest",
                format_args!("{:#x}", address.0),
                "a multiple of 4",
            ));
        }
        let owner = self.device.addresses.owner(address);
        let Some(owner) = owner else {
            return Err(destination_violation(address, "where no buffer lies"));
        };
        let (end, heap_type) = match &owner {
            MemoryHold::Resource(buffer) => {
                let begin = buffer.inner.gpu_virtual_address.0;
                (begin.checked_add(buffer.inner.desc.width), heap_type(buffer))
            }
            MemoryHold::Heap(heap) => (Some(owner.range().end), Some(heap.inner.core.resolved.heap_type)),
        };
        let write_end = address.0.checked_add(SIZE);
        if end.is_none() || write_end.is_none() || write_end > end {
            return Err(destination_violation(address, "which lies behind the buffer's last 4 bytes"));
        }
        if heap_type == Some(HeapType::Upload) {
            return Err(destination_violation(address, "of an UPLOAD heap"));
        }
        Ok(owner)
    }
}

#[cold]
fn destination_violation(address: GpuVirtualAddress, what: &str) -> Box<Violation> {
    rules::WRITE_DESTINATION.violated(
        "pParams->Dest",
        format_args!("{:#x}, {what}", address.0),
        "4 bytes of a buffer that the GPU may write",
    )
}
