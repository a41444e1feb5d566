//! Where resources are put: as recorded, first-fit into the trace's heaps, committed, or pooled.

use heapstone::{CommittedResourceDesc, PlacedResourceDesc};
use heapstone_spec::{HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceAllocationInfo, ResourceDesc};
use heapstone_units::Alignment;

use super::heaps::{HeapKey, HeapState};
use super::intervals::Intervals;
use super::objects::{GhostPlace, Object, Place};
use super::options::Placement;
use super::replayer::{PAGE, Replayer, bytes_of, extent_of};
use super::report::TraceMistake;
use super::shelves::ShelfKind;
use crate::model::{Record, RecordedOutcome, ResourceArguments, TraceId};

/// Size and alignment as the device answers them.
#[derive(Clone, Copy)]
struct Wanted {
    size: u64,
    alignment: Alignment,
}

impl Replayer {
    pub(crate) fn create_placed(
        &mut self,
        record: &Record,
        id: TraceId,
        (heap, offset): (TraceId, u64),
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) {
        match self.objects.get(&heap) {
            Some(Object::Heap(key)) => {
                let key = *key;
                let is_placed = self.place(record, id, (key, offset), desc, resource);
                self.placement.as_recorded += u64::from(is_placed);
            }
            Some(Object::VirtualHeap(of)) => {
                // Nor is it evicted, since what makes the trace's heap resident makes no other.
                let apart = HeapFlags::DENY_ALL | HeapFlags::CREATE_NOT_RESIDENT;
                let on = (of.properties, of.flags.difference(apart));
                match self.options.placement {
                    Placement::Pooled { heap_size } => {
                        self.pooled(record, id, heap_size, (&on.0, on.1), desc, resource);
                    }
                    _ => self.committed(record, id, (&on.0, on.1), desc, resource),
                }
            }
            Some(Object::Resource(_) | Object::Missing(_)) => {
                self.mistake(
                    record,
                    TraceMistake::WrongKind,
                    format!("object {heap} is a resource, not a heap"),
                );
                self.missing(record, id);
            }
            None => {
                let what = format!("no heap {heap} lives: it was never created, or is destroyed");
                self.mistake(record, TraceMistake::UnknownHeap, what);
                self.missing(record, id);
            }
        }
    }

    /// What an allocator was asked for: as it was placed where that is known, else as the mode says.
    pub(crate) fn request(
        &mut self,
        record: &Record,
        id: TraceId,
        heap_type: HeapType,
        (recorded, made_heap): (Option<(TraceId, u64)>, Option<TraceId>),
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) {
        let on = (&HeapProperties::new(heap_type), HeapFlags::empty());
        match (self.options.placement, recorded) {
            (Placement::Committed, _) => self.committed(record, id, on, desc, resource),
            (Placement::Pooled { heap_size }, _) => self.pooled(record, id, heap_size, on, desc, resource),
            (Placement::Recorded, Some(place)) => self.create_placed(record, id, place, desc, resource),
            (Placement::Recorded, None) => {
                self.request_first_fit(record, id, heap_type, made_heap, desc, resource);
            }
        }
    }

    fn request_first_fit(
        &mut self,
        record: &Record,
        id: TraceId,
        heap_type: HeapType,
        made_heap: Option<TraceId>,
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) {
        let Some(wanted) = self.wanted(record, id, desc) else { return };
        if let Some((heap, offset, is_made)) = self.fit_in_trace_heaps(heap_type, made_heap, desc, wanted) {
            if self.place_known(record, id, (heap, offset), wanted, desc, resource) {
                self.placement.first_fit += 1;
                self.placement.in_made_heap += u64::from(is_made);
            }
        } else if self.is_ghost(made_heap) {
            // It lay in the heap that was made for it; that heap is not there.
            self.skip(record, id);
        } else {
            self.placement.committed_instead += 1;
            self.placement.committed_instead_bytes =
                self.placement.committed_instead_bytes.saturating_add(wanted.size);
            self.placement.first_committed_instead.get_or_insert(id);
            let on = (&HeapProperties::new(heap_type), HeapFlags::empty());
            self.committed(record, id, on, desc, resource);
        }
    }

    fn is_ghost(&mut self, heap: Option<TraceId>) -> bool {
        match heap.and_then(|heap| self.objects.get(&heap)) {
            Some(Object::Heap(key)) => self.heaps.get_mut(*key).handle.is_none(),
            _ => false,
        }
    }

    /// The heap and offset for a request, and whether it is the heap that was made for it.
    fn fit_in_trace_heaps(
        &mut self,
        heap_type: HeapType,
        made_heap: Option<TraceId>,
        desc: &ResourceDesc,
        wanted: Wanted,
    ) -> Option<(HeapKey, u64, bool)> {
        if let Some(Object::Heap(key)) = made_heap.and_then(|heap| self.objects.get(&heap)) {
            let heap = self.heaps.get_mut(*key);
            if heap.shelf.is_some_and(|shelf| self.shelves.takes(shelf, heap_type, desc, wanted.alignment))
                && let Some(offset) = heap.intervals.first_fit(wanted.size, wanted.alignment)
            {
                return Some((*key, offset, true));
            }
        }
        for kind in self.shelves.compatible(heap_type, desc, wanted.alignment) {
            let fit = self.shelves.first_fit(&kind, wanted.size, wanted.alignment, &mut self.heaps);
            if let Some((key, offset)) = fit {
                return Some((key, offset, false));
            }
        }
        None
    }

    /// Size and alignment of a description; a refusal is booked as that of the creation.
    fn wanted(&mut self, record: &Record, id: TraceId, desc: &ResourceDesc) -> Option<Wanted> {
        let info = self.device.try_resource_allocation_info(0, core::slice::from_ref(desc), None);
        match info {
            Ok(ResourceAllocationInfo { size, alignment }) => {
                Some(Wanted { size, alignment: Alignment::new(alignment).unwrap_or(PAGE) })
            }
            Err(error) => {
                if let Some(None) = self.ended::<()>(record, Err(error)) {
                    self.missing(record, id);
                }
                None
            }
        }
    }

    /// As [`Replayer::place`], where size and alignment are known: a resource of a ghost takes its
    /// place there, so that the next one gets another.
    fn place_known(
        &mut self,
        record: &Record,
        id: TraceId,
        (key, offset): (HeapKey, u64),
        wanted: Wanted,
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) -> bool {
        let heap = self.heaps.get_mut(key);
        if heap.handle.is_some() {
            return self.place(record, id, (key, offset), desc, resource);
        }
        if record.outcome != RecordedOutcome::Accepted {
            return false;
        }
        self.skipped.heap_missing += 1;
        let ghost =
            GhostPlace { heap: key, start: offset, end: offset + wanted.size, alignment: wanted.alignment };
        heap.intervals.insert(ghost.start, ghost.end, ghost.alignment);
        heap.resources += 1;
        self.insert(record, id, Object::Missing(Some(Box::new(ghost))));
        false
    }

    /// Places a resource in a heap, and whether it lies there; in a ghost it is skipped.
    fn place(
        &mut self,
        record: &Record,
        id: TraceId,
        (key, offset): (HeapKey, u64),
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) -> bool {
        let Some(heap) = &self.heaps.get_mut(key).handle else {
            self.skip(record, id);
            return false;
        };
        let created = self.device.create_placed_resource(
            heap,
            offset,
            &PlacedResourceDesc {
                resource: *desc,
                initial: resource.initial,
                clear_value: resource.clear_value,
                castable_formats: &resource.castable_formats,
            },
        );
        match self.ended(record, created) {
            None => false,
            Some(None) => {
                self.missing(record, id);
                false
            }
            Some(Some(handle)) => {
                let bytes = bytes_of(&handle);
                let extent = extent_of(&handle);
                let heap = self.heaps.get_mut(key);
                heap.resources += 1;
                let twice = |intervals: &Intervals| intervals.taken().wrapping_sub(intervals.covered());
                let before = twice(&heap.intervals);
                self.accounting.placed(heap.account, &mut heap.intervals, extent, bytes);
                // First fit never overlaps: only a recorded offset does.
                self.placement.overlapping += u64::from(twice(&heap.intervals) != before);
                if let Some(memory) = &mut self.memory {
                    memory.touched(&handle, true);
                }
                self.insert_resource(record, id, handle, Place::Heap(key), bytes);
                true
            }
        }
    }

    /// Creates a resource with a heap of its own.
    pub(crate) fn committed(
        &mut self,
        record: &Record,
        id: TraceId,
        (properties, flags): (&HeapProperties, HeapFlags),
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) {
        let created = self.device.create_committed_resource(&CommittedResourceDesc {
            heap_properties: *properties,
            heap_flags: flags,
            resource: *desc,
            initial: resource.initial,
            clear_value: resource.clear_value,
            castable_formats: &resource.castable_formats,
        });
        match self.ended(record, created) {
            None => {}
            Some(None) => self.missing(record, id),
            Some(Some(handle)) => {
                let bytes = bytes_of(&handle);
                let committed = handle.committed_size();
                let account = self.accounting.account(
                    properties.heap_type,
                    properties.creation_node_mask,
                    handle.segment_group().unwrap_or(heapstone_spec::SegmentGroup::Local),
                );
                self.accounting.committed_created(account, committed, bytes);
                self.demoted(id, handle.is_demoted(), committed);
                if let Some(group) = handle.segment_group() {
                    self.custom_l0(properties, group, committed);
                    if let Some(address) = handle.heap_address() {
                        self.log_created(address, committed, flags, (group, handle.is_demoted()));
                    }
                }
                if let Some(memory) = &mut self.memory {
                    memory.touched(&handle, true);
                }
                self.insert_resource(record, id, handle, Place::Committed(account), bytes);
            }
        }
    }

    /// Places a resource first-fit in the pool of its heap type and kind.
    pub(crate) fn pooled(
        &mut self,
        record: &Record,
        id: TraceId,
        heap_size: u64,
        (properties, flags): (&HeapProperties, HeapFlags),
        desc: &ResourceDesc,
        resource: &ResourceArguments,
    ) {
        let Some(wanted) = self.wanted(record, id, desc) else { return };
        let kind = ShelfKind {
            properties: *properties,
            // One kind of resource a heap: legal on every heap tier. Pools are resident, whatever one of their resources is.
            flags: flags.difference(HeapFlags::CREATE_NOT_RESIDENT)
                | HeapFlags::DENY_ALL.difference(desc.denied_by()),
            alignment: wanted.alignment.max(PAGE),
        };
        let fit = self.shelves.first_fit(&kind, wanted.size, wanted.alignment, &mut self.heaps);
        let place = match fit {
            Some(place) => Some(place),
            None => self.pool_heap(record, id, &kind, heap_size, wanted).map(|key| (key, 0)),
        };
        if let Some((key, offset)) = place {
            // Held meanwhile: what had the number before may be the last in this heap, and goes now.
            self.heaps.get_mut(key).resources += 1;
            let is_placed = self.place(record, id, (key, offset), desc, resource);
            self.placement.pooled += u64::from(is_placed);
            let heap = self.heaps.get_mut(key);
            heap.resources -= 1;
            if heap.resources == 0 {
                self.release_heap(key);
            }
        }
    }

    /// Makes a heap for a pool: of the pool's size, or as large as a larger resource needs.
    fn pool_heap(
        &mut self,
        record: &Record,
        id: TraceId,
        kind: &ShelfKind,
        heap_size: u64,
        wanted: Wanted,
    ) -> Option<HeapKey> {
        let for_one = wanted.size > heap_size;
        let size = if for_one { kind.alignment.align_up(wanted.size)? } else { PAGE.align_up(heap_size)? };
        let desc = HeapDesc {
            size,
            properties: kind.properties,
            alignment: kind.alignment.bytes(),
            flags: kind.flags,
        };
        // Whether the trace's call is refused as when it was recorded, the resource decides.
        match self.device.create_heap(&desc) {
            Err(error) => {
                if let Some(None) = self.ended::<()>(record, Err(error)) {
                    self.missing(record, id);
                }
                None
            }
            Ok(handle) => {
                let account = self.accounting.account(
                    kind.properties.heap_type,
                    kind.properties.creation_node_mask,
                    handle.segment_group(),
                );
                let committed = handle.committed_size();
                self.placement.pool_heaps += 1;
                self.placement.pool_heaps_of_one += u64::from(for_one);
                self.demoted(id, handle.is_demoted(), committed);
                self.custom_l0(&kind.properties, handle.segment_group(), committed);
                let place = (handle.segment_group(), handle.is_demoted());
                self.log_created(handle.gpu_virtual_address(), committed, kind.flags, place);
                let intervals = Intervals::new(committed);
                self.accounting.heap_created(account, committed, &intervals);
                let ghost = HeapState::ghost(account, committed, intervals);
                Some(self.shelve(*kind, HeapState { handle: Some(handle), is_pool: true, ..ghost }))
            }
        }
    }
}
