//! Immediate writes and predicates.

use heapstone::HeapType;
use heapstone::spec::commands::{CommandListSupportFlags, CommandListType, PredicationOp};

use super::{Judged, Op, range_in};
use crate::model::{Model, Verdict};
use crate::program::Slot;

impl Model {
    pub(super) fn write_immediate(
        &self,
        list_type: CommandListType,
        slot: Slot,
        writes: &[(u64, u32)],
    ) -> Judged {
        let buffer = self.known(slot)?;
        if !buffer.desc.is_buffer() {
            return Err(Verdict::Skip);
        }
        let supported = self.rules.caps.write_buffer_immediate;
        if !supported.contains(CommandListSupportFlags::of(list_type)) {
            return Err(Verdict::Refused);
        }
        let write = |(offset, value): &(u64, u32)| {
            // Behind a placed buffer others may lie: not refused, and not for the model to follow.
            let range = range_in(buffer, *offset, 4).map_err(|_| Verdict::Skip)?;
            if !offset.is_multiple_of(4) || buffer.heap_type() == Some(HeapType::Upload) {
                return Err(Verdict::Refused);
            }
            Ok(Op::WriteBytes { to: (slot, range.start), bytes: value.to_le_bytes().to_vec() })
        };
        let judged: Vec<Judged<Op>> = writes.iter().map(write).collect();
        // What is skipped goes before what is refused.
        if judged.iter().any(|judged| matches!(judged, Err(Verdict::Skip))) {
            return Err(Verdict::Skip);
        }
        judged.into_iter().collect()
    }

    /// A list of timestamps.
    pub(crate) fn judge_timestamps(&self, list_type: CommandListType) -> Verdict {
        let is_legal = list_type != CommandListType::Copy || self.rules.caps.copy_queue_timestamp_queries;
        if is_legal { Verdict::Legal } else { Verdict::Refused }
    }

    pub(super) fn set_predication(&self, buffer: Option<(Slot, u64)>, op: PredicationOp) -> Judged {
        let Some((slot, offset)) = buffer else { return Ok(vec![Op::SetPredicate(None)]) };
        self.known(slot)?;
        let range = range_in(self.source(slot)?, offset, 8)?;
        if !offset.is_multiple_of(8) {
            return Err(Verdict::Refused);
        }
        Ok(vec![Op::SetPredicate(Some(((slot, range.start), op)))])
    }
}
