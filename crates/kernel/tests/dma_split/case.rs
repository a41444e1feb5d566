//! A DMA buffer to split, in units of a byte: one entry for each binding.

use heapstone_kernel::dma_split::{
    AllocationListEntry, PatchLocation, Residency, SearchLimits, SegmentPlacement, SplitAllocation,
    SplitError, SplitPlan, SplitRequest, SplitSegment, plan,
};
use heapstone_units::{Alignment, ByteRange};

pub(crate) const CONTIGUOUS: SegmentPlacement = SegmentPlacement::Contiguous;
pub(crate) const PAGED: SegmentPlacement = SegmentPlacement::Paged;

/// What a group does to a slot.
pub(crate) type Binding = (u32, Option<u32>);

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) segment: SplitSegment,
    pub(crate) allocations: Vec<SplitAllocation>,
    /// Allocations with WriteOperation.
    pub(crate) written: Vec<u32>,
    /// SplitOffset and bindings of each group.
    pub(crate) groups: Vec<(u32, Vec<Binding>)>,
    pub(crate) slot_count: u32,
    pub(crate) dma_buffer_size: u32,
    pub(crate) limits: SearchLimits,
}

impl Case {
    /// A segment of `size`; allocations of these sizes and alignments; groups 100 bytes apart, the first at 0.
    pub(crate) fn new(
        placement: SegmentPlacement,
        size: u64,
        shapes: &[(u64, u64)],
        groups: &[&[Binding]],
    ) -> Case {
        let allocation = |&(size, alignment): &(u64, u64)| SplitAllocation {
            size,
            alignment: Alignment::new(alignment).unwrap(),
            residency: None,
        };
        let groups: Vec<(u32, Vec<Binding>)> =
            (0..).zip(groups).map(|(index, group)| (index * 100, group.to_vec())).collect();
        Case {
            segment: SplitSegment { size, placement, occupied: Vec::new() },
            allocations: shapes.iter().map(allocation).collect(),
            written: Vec::new(),
            dma_buffer_size: u32::try_from(groups.len()).unwrap() * 100,
            groups,
            slot_count: 16,
            limits: SearchLimits::default(),
        }
    }

    /// An allocation lies at `offset` before.
    pub(crate) fn resident(mut self, allocation: usize, offset: u64, is_dirty: bool) -> Case {
        let range = ByteRange::at(offset, self.allocations[allocation].size).unwrap();
        self.allocations[allocation].residency = Some(Residency { ranges: Box::new([range]), is_dirty });
        self
    }

    pub(crate) fn entries(&self) -> Vec<PatchLocation> {
        // Entry 0 of the allocation list is NULL, entry n + 1 the allocation n.
        let entry = |offset: u32, (slot_id, allocation): Binding| PatchLocation {
            allocation_index: allocation.map_or(0, |allocation| allocation + 1),
            slot_id,
            driver_id: 0,
            allocation_offset: 0,
            patch_offset: offset,
            split_offset: offset,
        };
        let groups = self.groups.iter();
        groups.flat_map(|(offset, group)| group.iter().map(|binding| entry(*offset, *binding))).collect()
    }

    pub(crate) fn list(&self) -> Vec<AllocationListEntry> {
        let null = AllocationListEntry { allocation: None, is_written: false };
        let count = u32::try_from(self.allocations.len()).unwrap();
        let entry = |index| AllocationListEntry {
            allocation: Some(index),
            is_written: self.written.contains(&index),
        };
        core::iter::once(null).chain((0..count).map(entry)).collect()
    }

    pub(crate) fn plan(&self) -> Result<SplitPlan, SplitError> {
        plan(&SplitRequest {
            dma_buffer_size: self.dma_buffer_size,
            allocation_list: &self.list(),
            patch_locations: &self.entries(),
            slot_count: self.slot_count,
            allocations: &self.allocations,
            segment: &self.segment,
            limits: self.limits,
        })
    }

    /// The slot table after each group, the last binding of a slot winning; with a group of no bindings before where
    /// bytes come before the first SplitOffset.
    pub(crate) fn tables(&self) -> Vec<Vec<Option<u32>>> {
        let mut table = vec![None; self.slot_count as usize];
        let mut tables = Vec::new();
        if self.has_prefix() {
            tables.push(table.clone());
        }
        for (_, group) in &self.groups {
            for (slot, allocation) in group {
                table[*slot as usize] = *allocation;
            }
            tables.push(table.clone());
        }
        tables
    }

    pub(crate) fn has_prefix(&self) -> bool {
        self.groups.first().is_none_or(|(offset, _)| *offset > 0) && self.dma_buffer_size > 0
    }

    /// The slots that each group of [`Case::tables`] sets.
    pub(crate) fn programmed(&self) -> Vec<Vec<u32>> {
        let mut programmed: Vec<Vec<u32>> = Vec::new();
        if self.has_prefix() {
            programmed.push(Vec::new());
        }
        programmed.extend(self.groups.iter().map(|(_, group)| group.iter().map(|(slot, _)| *slot).collect()));
        programmed
    }
}

/// Numbers from a seed (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    pub(crate) fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(u64::try_from(end).unwrap())).unwrap()
    }

    /// A small case, of anything.
    pub(crate) fn case(&mut self, placement: SegmentPlacement) -> Case {
        let size = 3 + self.below(4);
        let allocation_count = 2 + self.below(4);
        let shapes: Vec<(u64, u64)> = (0..allocation_count)
            .map(|_| (1 + self.below(size.min(3)), [1, 1, 2, 4][self.index(4)]))
            .collect();
        let slots = 1 + self.below(3);
        let groups: Vec<Vec<Binding>> = (0..1 + self.below(5))
            .map(|_| {
                let count = 1 + self.below(slots);
                (0..count).map(|_| self.binding(slots, allocation_count)).collect()
            })
            .collect();
        let groups: Vec<&[Binding]> = groups.iter().map(Vec::as_slice).collect();
        let mut case = Case::new(placement, size, &shapes, &groups);
        if self.below(4) == 0 {
            let at = self.below(size);
            case.segment.occupied.push(ByteRange::new(at, at + 1));
        }
        if self.below(4) == 0 {
            case.groups.iter_mut().for_each(|(offset, _)| *offset += 50);
            case.dma_buffer_size += 50;
        }
        self.make_some_resident(case)
    }

    fn binding(&mut self, slots: u64, allocation_count: u64) -> Binding {
        let slot = u32::try_from(self.below(slots)).unwrap();
        let allocation = self.below(allocation_count + 1);
        (slot, u32::try_from(allocation).unwrap().checked_sub(1))
    }

    fn make_some_resident(&mut self, mut case: Case) -> Case {
        let mut taken = case.segment.occupied.clone();
        for index in 0..case.allocations.len() {
            let SplitAllocation { size, alignment, .. } = case.allocations[index];
            let at = ByteRange::at(self.below(case.segment.size), size).unwrap();
            let is_free = at.end <= case.segment.size && !taken.iter().any(|taken| taken.overlaps(at));
            if is_free && alignment.is_aligned(at.begin) && self.below(2) == 0 {
                taken.push(at);
                let is_dirty = self.below(2) == 0;
                case = case.resident(index, at.begin, is_dirty);
            }
            if self.below(4) == 0 {
                case.written.push(u32::try_from(index).unwrap());
            }
        }
        case
    }
}
