//! Which work must wait for which, so that a program has no race: by memory, not by resources, as those overlap.

use std::collections::BTreeMap;

use crate::model::Memory;
use crate::program::{QUEUES, QueueIndex};

/// What each queue has to have done: the value of its fence. 0 is nothing.
pub(crate) type Needs = [u64; QUEUES];

/// Who used each memory last.
#[derive(Debug, Default)]
pub(crate) struct Hazards {
    uses: BTreeMap<Memory, Uses>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// The last write.
    write: Option<(QueueIndex, u64)>,
    /// The last read of each queue.
    reads: Needs,
}

impl Hazards {
    /// What must be done before anybody may access that memory so.
    pub(crate) fn needs(&self, accesses: &[(Memory, bool)]) -> Needs {
        let mut needs = Needs::default();
        for (memory, is_written) in accesses {
            let Some(uses) = self.uses.get(memory) else { continue };
            if let Some((queue, value)) = uses.write {
                needs[queue] = needs[queue].max(value);
            }
            if *is_written {
                for (need, read) in needs.iter_mut().zip(uses.reads) {
                    *need = (*need).max(read);
                }
            }
        }
        needs
    }

    /// Notes that a queue's work, done at that value of its fence, accesses the memory.
    pub(crate) fn note(&mut self, accesses: &[(Memory, bool)], queue: QueueIndex, value: u64) {
        for (memory, is_written) in accesses {
            let uses = self.uses.entry(*memory).or_default();
            uses.reads[queue] = value;
            if *is_written {
                uses.write = Some((queue, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_wait_for_writers_and_writers_for_all() {
        let heap = Memory::Heap(0);
        let mut hazards = Hazards::default();
        hazards.note(&[(heap, true)], 0, 1);
        assert_eq!(hazards.needs(&[(heap, false)]), [1, 0, 0]);
        hazards.note(&[(heap, false)], 1, 4);
        hazards.note(&[(heap, false)], 2, 7);
        assert_eq!(hazards.needs(&[(heap, false)]), [1, 0, 0], "readers do not wait for readers");
        assert_eq!(hazards.needs(&[(heap, true)]), [1, 4, 7]);
        assert_eq!(hazards.needs(&[(Memory::Resource(0), true)]), [0, 0, 0]);
    }
}
