//! What a DMA buffer needs when: its groups, and from which group to which each allocation stands in a slot.
//!
//! ```text
//!   group            0     1     2     3     4
//!   slot 0           A     .     B     .     NULL        . the group does not re-program it
//!   slot 1           .     C     .     C     .
//!   R                A     AC    BC    BC    C
//!   needs            A [0,2)   B [2,4)   C [1,5)         W(a, b): all whose need meets [a, b)
//!   pinned before          A     C     B     C           in a slot that the group leaves alone
//! ```
//! Built in one pass over the list with a reference count for each allocation. What a window needs beyond a
//! shorter one is read from the events at its end: an allocation that enters at group `j` is new to the window
//! from `a` exactly when its need before ended at or before `a`.

use super::request::{PatchLocation, SplitAllocation, SplitRequest};

/// Behind the last group: of an allocation that is not needed again.
pub(super) const NEVER: usize = usize::MAX;

/// Patch locations with one SplitOffset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) split_offset: u32,
    /// Its first entry of the patch-location list.
    pub(super) first_entry: usize,
}

/// An allocation that comes to stand in a slot, or ceases to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) allocation: u32,
    /// Of what comes: the group at which its need before ended, 0 where there was none. Of what goes: the
    /// group at which it is needed again, or [`NEVER`].
    pub(super) other: usize,
}

/// Lists of one length each, one after the other.
#[derive(Debug)]
pub(super) struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Lists<T> {
    pub(super) fn get(&self, index: usize) -> &[T] {
        let begin = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.items[begin..self.ends[index]]
    }

    fn with_capacity(items: usize, lists: usize) -> Lists<T> {
        Lists { items: Vec::with_capacity(items), ends: Vec::with_capacity(lists) }
    }

    fn end_list(&mut self) {
        self.ends.push(self.items.len());
    }
}

/// A need: from its first group up to, not including, another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) begin: usize,
    pub(super) end: usize,
}

#[derive(Debug)]
pub(super) struct Timeline {
    pub(super) groups: Vec<Group>,
    pub(super) entry_count: usize,
    /// Of each allocation, in bytes.
    pub(super) sizes: Vec<u64>,
    /// By group: what comes into R.
    pub(super) enters: Lists<Event>,
    /// By group: what was in R before it and is not any more.
    pub(super) leaves: Lists<Event>,
    /// By group: what stood in slots before it, all of which it re-programs.
    released: Lists<u32>,
    /// By group: the bytes of R. They may exceed 64 bits.
    pub(super) bytes: Vec<u128>,
    /// By group: the bytes that a cut before it pins.
    pub(super) pinned_bytes: Vec<u128>,
    /// By allocation, in order.
    needs: Lists<Need>,
    /// By allocation: the end of its last need; 0 of what is never needed.
    last_end: Vec<usize>,
    /// R at some groups, from which the others are found.
    snapshots: Vec<(usize, Box<[u32]>)>,
    /// By allocation: whether an entry that names it says WriteOperation.
    pub(super) is_written: Vec<bool>,
}

impl Timeline {
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The end of the DMA buffer's bytes before group `group`, which may be one past the last.
    pub(super) fn offset(&self, group: usize, dma_buffer_size: u32) -> u32 {
        self.groups.get(group).map_or(dma_buffer_size, |group| group.split_offset)
    }

    /// The first patch location of `group`, which may be one past the last.
    pub(super) fn entry(&self, group: usize) -> usize {
        self.groups.get(group).map_or(self.entry_count, |group| group.first_entry)
    }

    pub(super) fn size(&self, allocation: u32) -> u64 {
        self.sizes[allocation as usize]
    }

    pub(super) fn needs(&self, allocation: u32) -> &[Need] {
        self.needs.get(allocation as usize)
    }

    /// The first group from `group` on that needs the allocation.
    pub(super) fn next_need(&self, allocation: u32, group: usize) -> usize {
        let needs = self.needs(allocation);
        let index = needs.partition_point(|need| need.end <= group);
        needs.get(index).map_or(NEVER, |need| need.begin.max(group))
    }

    /// Whether any group from `group` on needs the allocation.
    pub(super) fn is_needed_from(&self, allocation: u32, group: usize) -> bool {
        self.last_end[allocation as usize] > group
    }

    /// As [`next_need`](Self::next_need), looked for from the need that `hint` counts on: near it, where the groups
    /// that are asked of do not jump.
    pub(super) fn next_need_near(&self, hint: &mut u32, allocation: u32, group: usize) -> usize {
        let needs = self.needs(allocation);
        let mut index = (*hint as usize).min(needs.len());
        while index > 0 && needs[index - 1].end > group {
            index -= 1;
        }
        while needs.get(index).is_some_and(|need| need.end <= group) {
            index += 1;
        }
        *hint = u32::try_from(index).unwrap_or(0);
        needs.get(index).map_or(NEVER, |need| need.begin.max(group))
    }

    /// R of a group, in ascending order.
    pub(super) fn standing(&self, group: usize) -> Vec<u32> {
        let index = self.snapshots.partition_point(|(at, _)| *at <= group) - 1;
        let (at, snapshot) = &self.snapshots[index];
        if *at == group {
            return snapshot.to_vec();
        }
        // Snapshots lie as far apart as R has members.
        let mut standing: Vec<u32> = Vec::with_capacity(2 * snapshot.len() + 16);
        standing.extend(snapshot);
        // What left may have come back: the need at `group` decides.
        for group in at + 1..=group {
            standing.extend(self.enters.get(group).iter().map(|event| event.allocation));
        }
        standing.sort_unstable();
        standing.dedup();
        standing.retain(|allocation| self.next_need(*allocation, group) == group);
        standing
    }

    /// W of the groups from `begin` up to `end`, in ascending order; R of the first is `standing`.
    pub(super) fn window(&self, begin: usize, end: usize, standing: Vec<u32>) -> Vec<u32> {
        let mut window = standing;
        for group in begin + 1..end {
            window.extend(self.new_in(begin, group));
        }
        window.sort_unstable();
        window
    }

    /// What group `group` adds to the window from `begin`.
    pub(super) fn new_in(&self, begin: usize, group: usize) -> impl Iterator<Item = u32> + '_ {
        self.enters.get(group).iter().filter(move |event| event.other <= begin).map(|event| event.allocation)
    }

    /// What a cut before `group` pins, in ascending order: it stands in a slot which the group leaves alone.
    pub(super) fn pinned(&self, group: usize) -> Vec<u32> {
        if group == 0 || group >= self.len() {
            return Vec::new();
        }
        self.pinned_of(group, self.standing(group))
    }

    /// As [`pinned`](Self::pinned), where R of the group is known.
    pub(super) fn pinned_of(&self, group: usize, standing: Vec<u32>) -> Vec<u32> {
        if group == 0 {
            return Vec::new();
        }
        let mut pinned = standing;
        let mut not_pinned: Vec<u32> = self.released.get(group).to_vec();
        not_pinned.extend(self.enters.get(group).iter().map(|event| event.allocation));
        not_pinned.sort_unstable();
        pinned.retain(|allocation| not_pinned.binary_search(allocation).is_err());
        pinned
    }

    pub(super) fn new(request: &SplitRequest<'_>) -> Timeline {
        Builder::new(request).build(request)
    }
}

/// What is known of an allocation while the list is read.
#[derive(Clone, Copy, Default)]
struct Standing {
    /// Slots that it stands in.
    slots: u32,
    /// Slots that it stood in before the group.
    before: u32,
    /// Of those, the ones that the group re-programs.
    released: u32,
    /// The group that it came in at, where it is in R.
    since: Option<usize>,
    /// The end of its need before.
    ended: usize,
    /// The event of that end, where there was one.
    left_by: Option<usize>,
    /// Whether the group has touched it.
    is_touched: bool,
}

struct Builder {
    timeline: Timeline,
    /// The slot table, up to the last slot that is used.
    table: Vec<Option<u32>>,
    /// By slot: the group that last set it, and one more.
    set_by: Vec<usize>,
    standing: Vec<Standing>,
    touched: Vec<u32>,
    /// R, and where in it each allocation is.
    members: Vec<u32>,
    place: Vec<usize>,
    bytes: u128,
    /// Needs in the order of their ends, to be sorted by allocation.
    ended: Vec<(u32, Need)>,
    since_snapshot: usize,
}

impl Builder {
    fn new(request: &SplitRequest<'_>) -> Builder {
        let slots = request.patch_locations.iter().map(|entry| entry.slot_id as usize + 1).max().unwrap_or(0);
        let sizes: Vec<u64> =
            request.allocations.iter().map(|allocation: &SplitAllocation| allocation.size).collect();
        let count = sizes.len();
        let mut is_written = vec![false; count];
        for entry in request.allocation_list {
            if let (Some(allocation), true) = (entry.allocation, entry.is_written) {
                is_written[allocation as usize] = true;
            }
        }
        let entry_count = request.patch_locations.len();
        // One more, for the bytes before the first SplitOffset.
        let group_count = entry_count.min(request.dma_buffer_size as usize) + 1;
        let timeline = Timeline {
            groups: Vec::with_capacity(group_count),
            entry_count,
            sizes,
            enters: Lists::with_capacity(entry_count, group_count),
            leaves: Lists::with_capacity(entry_count, group_count),
            released: Lists::with_capacity(0, group_count),
            bytes: Vec::with_capacity(group_count),
            pinned_bytes: Vec::with_capacity(group_count),
            needs: Lists::default(),
            last_end: vec![0; count],
            snapshots: Vec::new(),
            is_written,
        };
        Builder {
            timeline,
            table: vec![None; slots],
            set_by: vec![0; slots],
            standing: vec![Standing::default(); count],
            touched: Vec::new(),
            members: Vec::new(),
            place: vec![0; count],
            bytes: 0,
            ended: Vec::with_capacity(entry_count),
            since_snapshot: 0,
        }
    }

    fn build(mut self, request: &SplitRequest<'_>) -> Timeline {
        let entries = request.patch_locations;
        // The bytes before the first SplitOffset run with an empty table.
        let has_prefix = entries.first().is_none_or(|entry| entry.split_offset > 0);
        if has_prefix && request.dma_buffer_size > 0 {
            self.group(Group { split_offset: 0, first_entry: 0 }, &[], request);
        }
        let mut first_entry = 0;
        for group in entries.chunk_by(|a, b| a.split_offset == b.split_offset) {
            self.group(Group { split_offset: group[0].split_offset, first_entry }, group, request);
            first_entry += group.len();
        }
        self.finish()
    }

    fn group(&mut self, group: Group, entries: &[PatchLocation], request: &SplitRequest<'_>) {
        let index = self.timeline.groups.len();
        self.timeline.groups.push(group);
        // From the last on: what binds a slot last wins.
        for entry in entries.iter().rev() {
            let slot = entry.slot_id as usize;
            if self.set_by[slot] == index + 1 {
                continue;
            }
            self.set_by[slot] = index + 1;
            let new = request.allocation_list[entry.allocation_index as usize].allocation;
            let old = core::mem::replace(&mut self.table[slot], new);
            if let Some(old) = old {
                let standing = self.touch(old);
                standing.slots -= 1;
                standing.released += 1;
            }
            if let Some(new) = new {
                self.touch(new).slots += 1;
            }
        }
        self.settle(index);
    }

    fn touch(&mut self, allocation: u32) -> &mut Standing {
        let standing = &mut self.standing[allocation as usize];
        if !standing.is_touched {
            standing.is_touched = true;
            standing.before = standing.slots;
            standing.released = 0;
            self.touched.push(allocation);
        }
        standing
    }

    /// What a group changed, once all its entries are read.
    fn settle(&mut self, group: usize) {
        // In the order of the allocations, so that nothing depends on the order of entries.
        self.touched.sort_unstable();
        let mut pinned = self.bytes;
        for allocation in self.touched.drain(..) {
            let standing = &mut self.standing[allocation as usize];
            standing.is_touched = false;
            let size = u128::from(self.timeline.sizes[allocation as usize]);
            match (standing.since, standing.slots > 0) {
                (None, true) => {
                    standing.since = Some(group);
                    self.bytes += size;
                    self.timeline.enters.items.push(Event { allocation, other: standing.ended });
                    if let Some(event) = standing.left_by {
                        self.timeline.leaves.items[event].other = group;
                    }
                    self.place[allocation as usize] = self.members.len();
                    self.members.push(allocation);
                }
                (Some(begin), false) => {
                    standing.since = None;
                    standing.ended = group;
                    self.bytes -= size;
                    pinned -= size;
                    standing.left_by = Some(self.timeline.leaves.items.len());
                    self.timeline.leaves.items.push(Event { allocation, other: NEVER });
                    self.ended.push((allocation, Need { begin, end: group }));
                    let place = self.place[allocation as usize];
                    self.members.swap_remove(place);
                    if let Some(moved) = self.members.get(place) {
                        self.place[*moved as usize] = place;
                    }
                }
                (Some(_), true) if standing.released == standing.before => {
                    self.timeline.released.items.push(allocation);
                    pinned -= size;
                }
                (Some(_), true) | (None, false) => {}
            }
        }
        self.timeline.bytes.push(self.bytes);
        self.timeline.pinned_bytes.push(pinned);
        self.since_snapshot +=
            self.timeline.enters.items.len() - self.timeline.enters.ends.last().unwrap_or(&0);
        self.timeline.enters.end_list();
        self.timeline.leaves.end_list();
        self.timeline.released.end_list();
        if group == 0 || self.since_snapshot > self.members.len().max(16) {
            self.since_snapshot = 0;
            let mut members = self.members.clone();
            members.sort_unstable();
            self.timeline.snapshots.push((group, members.into_boxed_slice()));
        }
    }

    fn finish(mut self) -> Timeline {
        let group_count = self.timeline.groups.len();
        for allocation in &self.members {
            if let Some(begin) = self.standing[*allocation as usize].since {
                self.ended.push((*allocation, Need { begin, end: group_count }));
            }
        }
        let mut timeline = self.timeline;
        for (allocation, need) in &self.ended {
            timeline.last_end[*allocation as usize] = need.end;
        }
        timeline.needs = by_allocation(&self.ended, timeline.sizes.len());
        timeline
    }
}

/// Needs, which come in the order of their ends, by allocation.
fn by_allocation(needs: &[(u32, Need)], count: usize) -> Lists<Need> {
    let mut ends = vec![0_usize; count];
    for (allocation, _) in needs {
        ends[*allocation as usize] += 1;
    }
    let mut sum = 0;
    let mut next = Vec::with_capacity(count);
    for end in &mut ends {
        next.push(sum);
        sum += *end;
        *end = sum;
    }
    let mut items = vec![Need { begin: 0, end: 0 }; needs.len()];
    for (allocation, need) in needs {
        let next = &mut next[*allocation as usize];
        items[*next] = *need;
        *next += 1;
    }
    Lists { items, ends }
}
