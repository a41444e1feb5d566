//! What commands do to the cells.

use heapstone::spec::commands::PredicationOp;
use heapstone_texel::resolve;

use super::access::{Elements, Physical};
use super::judge::{Op, Side};
use super::memory::Cell;
use super::{Memory, Model};

/// Whether a list's commands are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Predicate {
    /// They run.
    #[default]
    Runs,
    /// They are left out.
    LeavesOut,
    /// The value is not known: what they write is not known either.
    Unknown,
}

impl Model {
    /// The memory that an op reads and writes.
    pub(crate) fn memory_of_op(&self, op: &Op, all: &mut Vec<(Memory, bool)>) {
        match op {
            Op::CopyBytes { to, from, .. } => {
                self.memory_of(to.0, true, all);
                self.memory_of(from.0, false, all);
            }
            Op::CopyTexels { to, from, .. } | Op::Resolve { to, from, .. } => {
                self.memory_of(to.slot(), true, all);
                self.memory_of(from.slot(), false, all);
            }
            Op::Fill { to, .. } => self.memory_of(to.slot(), true, all),
            Op::FillBytes { to, .. } | Op::WriteBytes { to, .. } => self.memory_of(to.0, true, all),
            Op::Forget(slot) | Op::ForgetTile(slot, _) => self.memory_of(*slot, true, all),
            Op::ForgetBytes { to, reads, .. } => {
                self.memory_of(to.0, true, all);
                self.memory_of(*reads, false, all);
            }
            Op::SetPredicate(Some(((slot, _), _))) => self.memory_of(*slot, false, all),
            Op::SetPredicate(None) => {}
        }
    }

    pub(crate) fn apply(&mut self, op: &Op, predicate: &mut Predicate) {
        if let Op::SetPredicate(value) = op {
            *predicate = value.map_or(Predicate::Runs, |(at, op)| self.predicate(at, op));
            return;
        }
        // WriteBufferImmediate is not predicated (Microsoft's documentation of predication).
        let is_predicated = !matches!(op, Op::WriteBytes { .. });
        let predicate = if is_predicated { *predicate } else { Predicate::Runs };
        if predicate == Predicate::LeavesOut {
            return;
        }
        let forgets = predicate == Predicate::Unknown;
        match op {
            Op::CopyBytes { to, from, size } => {
                let mut cells = self.buffer_read(from.0, from.1..from.1 + size);
                let to_memory = self.physical_bytes(to.0, to.1..to.1 + size);
                let from_memory = self.physical_bytes(from.0, from.1..from.1 + size);
                if forgets || is_entangled(&to_memory, &from_memory) {
                    cells.fill(None);
                }
                self.buffer_write(to.0, to.1, &cells);
            }
            Op::CopyTexels { to, from, size, element, low_24_bits } => {
                let mut cells = self.side_read(from, *size, *element);
                let to_memory = self.physical(to, *size, *element);
                let from_memory = self.physical(from, *size, *element);
                if *low_24_bits {
                    cells.iter_mut().skip(3).step_by(4).for_each(|cell| *cell = Some(0));
                }
                if forgets || is_entangled(&to_memory, &from_memory) {
                    cells.fill(None);
                }
                self.side_write(to, *size, *element, &cells);
            }
            Op::Fill { to, size, value, repeats } => {
                let count = size.iter().product::<usize>() * repeats;
                let cells = filled(value, count, forgets);
                self.side_write(to, *size, value.len() * repeats, &cells);
            }
            Op::FillBytes { to, size, value } => {
                let cells = filled(value, size / value.len(), forgets);
                self.buffer_write(to.0, to.1, &cells);
            }
            Op::Resolve { to, from, size, samples, bytes, by } => {
                let cells = self.side_read(from, *size, bytes * samples);
                let to_memory = self.physical(to, *size, *bytes);
                let from_memory = self.physical(from, *size, bytes * samples);
                let unknown = forgets || is_entangled(&to_memory, &from_memory);
                let mut resolved = Vec::with_capacity(size.iter().product::<usize>() * bytes);
                for element in cells.chunks(bytes * samples) {
                    let known: Option<Vec<u8>> = element.iter().copied().collect();
                    let texel = known.filter(|_| !unknown).and_then(|known| {
                        resolve(by.0, by.1, known.chunks(*bytes)).map(|texel| texel.as_bytes().to_vec())
                    });
                    match texel {
                        Some(texel) => resolved.extend(texel.into_iter().map(Some)),
                        None => resolved.extend((0..*bytes).map(|_| None)),
                    }
                }
                self.side_write(to, *size, *bytes, &resolved);
            }
            Op::WriteBytes { to, bytes } => {
                let cells: Vec<Cell> = bytes.iter().copied().map(Some).collect();
                self.buffer_write(to.0, to.1, &cells);
            }
            Op::Forget(slot) => self.forget(*slot),
            Op::ForgetTile(slot, tile) => self.forget_tile(*slot, *tile),
            Op::ForgetBytes { to, size, .. } => self.buffer_write(to.0, to.1, &vec![None; *size]),
            Op::SetPredicate(_) => {}
        }
    }

    /// Whether the 64 bits at `at` leave commands out.
    fn predicate(&self, (slot, at): (crate::program::Slot, usize), op: PredicationOp) -> Predicate {
        let bytes: Option<Vec<u8>> = self.buffer_read(slot, at..at + 8).into_iter().collect();
        let Some(bytes) = bytes else { return Predicate::Unknown };
        let is_zero = bytes.iter().all(|byte| *byte == 0);
        if is_zero == (op == PredicationOp::EqualZero) { Predicate::LeavesOut } else { Predicate::Runs }
    }

    fn side_read(&self, side: &Side, size: [usize; 3], element: usize) -> Vec<Cell> {
        match *side {
            Side::Texels { slot, subresource, origin } => {
                self.texels_read(slot, &Elements { subresource, origin, size })
            }
            Side::Rows { slot, begin, row, slice } => {
                let mut cells = Vec::with_capacity(size.iter().product::<usize>() * element);
                for z in 0..size[2] {
                    for y in 0..size[1] {
                        let at = begin + z * slice + y * row;
                        cells.extend(self.buffer_read(slot, at..at + size[0] * element));
                    }
                }
                cells
            }
        }
    }

    fn side_write(&mut self, side: &Side, size: [usize; 3], element: usize, cells: &[Cell]) {
        match *side {
            Side::Texels { slot, subresource, origin } => {
                self.texels_write(slot, &Elements { subresource, origin, size }, cells);
            }
            Side::Rows { slot, begin, row, slice } => {
                for (index, cells) in cells.chunks(size[0] * element).enumerate() {
                    let (y, z) = (index % size[1], index / size[1]);
                    self.buffer_write(slot, begin + z * slice + y * row, cells);
                }
            }
        }
    }

    /// Makes all of a resource unknown.
    fn forget(&mut self, slot: crate::program::Slot) {
        let resource = &self.resources[&slot];
        if resource.desc.is_buffer() {
            let cells = vec![None; usize::try_from(resource.desc.width).unwrap_or(0)];
            self.buffer_write(slot, 0, &cells);
            return;
        }
        for (subresource, shape) in (0..).zip(resource.subresources.clone()) {
            let elements = Elements { subresource, origin: [0; 3], size: shape.extent };
            self.texels_write(slot, &elements, &vec![None; shape.count() * shape.element()]);
        }
    }
}

fn filled(value: &[u8], count: usize, forgets: bool) -> Vec<Cell> {
    let cells = value.iter().map(|byte| (!forgets).then_some(*byte));
    cells.collect::<Vec<Cell>>().repeat(count)
}

/// Whether a copy reads what it writes, or writes it twice: D3D12 does not say what comes of it then.
pub(super) fn is_entangled(to: &[Physical], from: &[Physical]) -> bool {
    let twice = || (1..to.len()).any(|end| to[..end].iter().any(|other| other.overlaps(&to[end])));
    to.iter().any(|to| from.iter().any(|from| to.overlaps(from))) || twice()
}
