//! Descriptor handles: which numbers there are, and where each leads.
//!
//! ```text
//!   0 ........ FIRST |-- heap --| gap |---- heap ----| gap | ...        2^63 | the same again: GPU handles
//! ```
//! Numbers are given out upwards and never twice. Between two heaps lies a gap, so that the handle behind a
//! heap's last is no other heap's first. A GPU handle is its descriptor's CPU handle plus 2^63.
//!
//! Every use of a handle looks its heap up. Were there one table, all threads would write its lock; so there
//! are several, equal ones, and a thread reads the one that is its own. Heaps come and go rarely, and write
//! all of them.

use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use heapstone_driver::DriverError;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{
    CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapType, GpuDescriptorHandle,
};
use heapstone_spec::{Rule, Violation};
use heapstone_units::Alignment;
use parking_lot::{RwLock, RwLockReadGuard};

use super::DescriptorPlace;
use super::stored::Descriptor;
use crate::device::stripe;
use crate::error::Error;

/// The first handle (chosen: small numbers are mistakes).
const FIRST: u64 = 1 << 32;

/// What GPU handles have beyond CPU handles, and the end of those.
const GPU_BASE: u64 = 1 << 63;

/// Heaps begin at multiples of it, behind a gap of at least as much.
const HEAP_ALIGNMENT: Alignment = Alignment::constant(64 * 1024);

/// Chosen: as many as threads that write descriptors at once, on ordinary machines.
const TABLE_COUNT: usize = 8;

/// Descriptors behind one lock (chosen: 4 KiB, so that a copy of many takes few locks, and threads that write
/// different descriptors seldom meet).
pub(super) const CHUNK: u32 = 64;
const CHUNK_LENGTH: usize = CHUNK as usize;

/// Chunks that are made together (chosen: 65,536 descriptors in 16 KiB of locks, so that most heaps are one group,
/// and one of 2^32 descriptors begins with less than 2 MiB).
const GROUP: u32 = 1024;

/// The descriptor heaps of a device, by their handles.
pub(crate) struct DescriptorSpace {
    next: AtomicU64,
    tables: [PaddedTable; TABLE_COUNT],
}

/// Alone in its cache lines, as threads write its lock.
#[repr(align(128))]
#[derive(Default)]
struct PaddedTable(RwLock<Table>);

/// Heaps in the order of their first CPU handle, which is that of their creation.
#[derive(Default)]
pub(super) struct Table {
    heaps: BTreeMap<u64, Arc<Storage>>,
}

/// A heap's descriptors.
pub(super) struct Storage {
    start: CpuDescriptorHandle,
    increment_log2: u32,
    desc: DescriptorHeapDesc,
    groups: Box<[OnceLock<Group>]>,
}

/// Nothing until one of its descriptors is asked for: the locks of the largest heap take 1 GiB.
type Group = Box<[RwLock<Chunk>]>;

/// Nothing until the first of them is written: large heaps are mostly empty.
type Chunk = Option<Box<[Descriptor; CHUNK_LENGTH]>>;

/// A descriptor's place.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) storage: &'a Storage,
    pub(super) index: u32,
}

impl DescriptorSpace {
    pub(crate) fn new() -> DescriptorSpace {
        DescriptorSpace {
            next: AtomicU64::new(FIRST),
            tables: core::array::from_fn(|_| PaddedTable::default()),
        }
    }

    /// A heap of that description, which was judged before.
    pub(super) fn create(
        &self,
        desc: &DescriptorHeapDesc,
        increment_log2: u32,
    ) -> Result<Arc<Storage>, Error> {
        let groups = empty_groups(desc.descriptor_count)?;
        let start = self.take_handles(u64::from(desc.descriptor_count) << increment_log2)?;
        let storage = Arc::new(Storage { start, increment_log2, desc: *desc, groups });
        for table in &self.tables {
            table.0.write().insert(start.ptr, Arc::clone(&storage));
        }
        Ok(storage)
    }

    /// Its handles lead nowhere from now on.
    pub(super) fn remove(&self, storage: &Storage) {
        for table in &self.tables {
            // Never the last reference: the caller has one.
            table.0.write().remove(storage.start.ptr);
        }
    }

    /// The heaps that there are while it is held. Not to be asked for again by the thread that holds it.
    pub(super) fn table(&self) -> RwLockReadGuard<'_, Table> {
        self.tables[stripe() % TABLE_COUNT].0.read()
    }

    fn take_handles(&self, size: u64) -> Result<CpuDescriptorHandle, Error> {
        let room = HEAP_ALIGNMENT.align_up(size).and_then(|size| size.checked_add(HEAP_ALIGNMENT.bytes()));
        let behind = |next: u64| next.checked_add(room?).filter(|end| *end <= GPU_BASE);
        // Relaxed: only that ranges differ matters.
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, behind);
        let ptr = taken.map_err(|next| DriverError::OutOfMemory {
            what: "descriptor handles",
            size,
            reason: format!("{} of 2^63 are left, and none is given twice", GPU_BASE - next),
        })?;
        Ok(CpuDescriptorHandle { ptr })
    }
}

fn empty_groups(descriptor_count: u32) -> Result<Box<[OnceLock<Group>]>, Error> {
    let count = descriptor_count.div_ceil(CHUNK).div_ceil(GROUP);
    let size = u64::from(count) * size_of::<OnceLock<Group>>() as u64;
    let no_memory = |reason: String| DriverError::OutOfMemory { what: "a descriptor heap", size, reason };
    let count = usize::try_from(count).map_err(|error| no_memory(error.to_string()))?;
    let mut groups = Vec::new();
    groups.try_reserve_exact(count).map_err(|error| no_memory(error.to_string()))?;
    groups.resize_with(count, OnceLock::new);
    Ok(groups.into_boxed_slice())
}

impl Table {
    fn insert(&mut self, start: u64, storage: Arc<Storage>) {
        self.heaps.insert(start, storage);
    }

    fn remove(&mut self, start: u64) {
        self.heaps.remove(&start);
    }

    /// Where a CPU handle leads.
    #[inline]
    pub(super) fn find(&self, handle: CpuDescriptorHandle) -> Result<Place<'_>, Box<Violation>> {
        let below = self.heaps.range(..=handle.ptr).next_back().map(|(_, storage)| &**storage);
        let Some(storage) = below.filter(|storage| handle.ptr - storage.start.ptr < storage.handles()) else {
            return Err(self.leads_nowhere("D3D12_CPU_DESCRIPTOR_HANDLE.ptr", handle.ptr, 0, handle));
        };
        let offset = handle.ptr - storage.start.ptr;
        let increment = storage.increment();
        if offset & (increment - 1) != 0 {
            return Err(rules::HANDLE_INCREMENT.violated(
                "D3D12_CPU_DESCRIPTOR_HANDLE.ptr",
                format_args!("{handle}, {offset} behind its heap's first"),
                format_args!("{} and multiples of {increment}", storage.start),
            ));
        }
        let index = u32::try_from(offset >> storage.increment_log2)
            .expect("invariant: a heap's descriptors fit 32 bits");
        Ok(Place { storage, index })
    }

    /// The same, where it is in a heap of that type.
    #[inline]
    pub(super) fn find_in(
        &self,
        handle: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
    ) -> Result<Place<'_>, Box<Violation>> {
        let place = self.find(handle)?;
        let given = place.storage.desc.heap_type;
        if given == heap_type {
            return Ok(place);
        }
        Err(rules::HANDLE_HEAP_TYPE.violated(
            "D3D12_CPU_DESCRIPTOR_HANDLE.ptr",
            format_args!("{handle}, descriptor {} of a heap of type {given}", place.index),
            format_args!("a heap of type {heap_type}"),
        ))
    }

    /// Where a GPU handle leads.
    pub(super) fn find_gpu(&self, handle: GpuDescriptorHandle) -> Result<Place<'_>, Box<Violation>> {
        let cpu = handle.ptr.checked_sub(GPU_BASE).map(|ptr| CpuDescriptorHandle { ptr });
        let place = cpu.map(|cpu| self.find(cpu));
        match place {
            Some(Ok(place)) if place.storage.desc.is_shader_visible() => Ok(place),
            Some(Err(violation)) if violation.rule.id == rules::HANDLE_INCREMENT.id => {
                Err(rules::HANDLE_INCREMENT.violated(
                    "D3D12_GPU_DESCRIPTOR_HANDLE.ptr",
                    handle,
                    violation.allowed,
                ))
            }
            _ => Err(self.leads_nowhere("D3D12_GPU_DESCRIPTOR_HANDLE.ptr", handle.ptr, GPU_BASE, handle)),
        }
    }

    #[cold]
    fn leads_nowhere(
        &self,
        field: &'static str,
        ptr: u64,
        base: u64,
        handle: impl core::fmt::Display,
    ) -> Box<Violation> {
        const RULE: &Rule = &rules::HANDLE;
        let wanted = |storage: &&Arc<Storage>| base == 0 || storage.desc.is_shader_visible();
        let distance = |storage: &Arc<Storage>| {
            let begin = storage.start.ptr + base;
            let last = begin + (storage.handles() - storage.increment());
            begin.saturating_sub(ptr).max(ptr.saturating_sub(last))
        };
        let nearest = self.heaps.values().filter(wanted).min_by_key(|storage| distance(storage));
        let kind = if base == 0 { "heaps" } else { "shader-visible heaps" };
        let count = self.heaps.values().filter(wanted).count();
        let allowed = match nearest {
            None => format!("none: there are no {kind}"),
            Some(storage) => format!(
                "handles of {count} {kind}; the nearest, of {} {} descriptors, has {:#x} and multiples of {} up \
                 to {:#x}",
                storage.desc.descriptor_count,
                storage.desc.heap_type,
                storage.start.ptr + base,
                storage.increment(),
                storage.start.ptr + base + (storage.handles() - storage.increment()),
            ),
        };
        RULE.violated(field, handle, allowed)
    }
}

impl Storage {
    pub(super) const fn desc(&self) -> DescriptorHeapDesc {
        self.desc
    }

    pub(super) const fn cpu_start(&self) -> CpuDescriptorHandle {
        self.start
    }

    pub(super) const fn gpu_start(&self) -> GpuDescriptorHandle {
        GpuDescriptorHandle { ptr: GPU_BASE + self.start.ptr }
    }

    pub(super) const fn place(&self, index: u32) -> DescriptorPlace {
        DescriptorPlace { heap: self.desc, heap_start: self.start, index }
    }

    /// How far its handles reach.
    fn handles(&self) -> u64 {
        u64::from(self.desc.descriptor_count) << self.increment_log2
    }

    const fn increment(&self) -> u64 {
        1 << self.increment_log2
    }

    #[inline]
    fn chunk(&self, index: u32) -> (&RwLock<Chunk>, usize) {
        let at = |index: u32| usize::try_from(index).expect("invariant: the groups of a heap were allocated");
        let chunk = index / CHUNK;
        let group = self.groups[at(chunk / GROUP)].get_or_init(|| self.new_group(chunk / GROUP));
        (&group[at(chunk % GROUP)], at(index % CHUNK))
    }

    /// As many chunks as the heap has there.
    #[cold]
    fn new_group(&self, group: u32) -> Group {
        let chunks = self.desc.descriptor_count.div_ceil(CHUNK) - group * GROUP;
        (0..chunks.min(GROUP)).map(|_| RwLock::new(None)).collect()
    }

    #[inline]
    pub(super) fn write(&self, index: u32, write: impl FnOnce(&mut Descriptor)) {
        let (chunk, at) = self.chunk(index);
        write(&mut filled(&mut chunk.write())[at]);
    }

    pub(super) fn read(&self, index: u32) -> Descriptor {
        let (chunk, at) = self.chunk(index);
        chunk.read().as_ref().map_or(Descriptor::Empty, |descriptors| descriptors[at])
    }
}

/// Copies `count` descriptors, which lie in one chunk on both sides and do not overlap.
pub(super) fn copy_within_chunks(to: Place<'_>, from: Place<'_>, count: usize) {
    let ((to_chunk, to), (from_chunk, from)) = (to.storage.chunk(to.index), from.storage.chunk(from.index));
    if ptr::eq(to_chunk, from_chunk) {
        filled(&mut to_chunk.write()).copy_within(from..from + count, to);
        return;
    }
    // By address, so that two copies that take the same locks take them in the same order.
    let (source, mut destination);
    if ptr::from_ref(from_chunk) < ptr::from_ref(to_chunk) {
        source = from_chunk.read();
        destination = to_chunk.write();
    } else {
        destination = to_chunk.write();
        source = from_chunk.read();
    }
    let destination = &mut filled(&mut destination)[to..to + count];
    match &*source {
        Some(source) => destination.copy_from_slice(&source[from..from + count]),
        None => destination.fill(Descriptor::Empty),
    }
}

fn filled(chunk: &mut Chunk) -> &mut [Descriptor; CHUNK_LENGTH] {
    chunk.get_or_insert_with(|| Box::new([const { Descriptor::Empty }; CHUNK_LENGTH]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heap that only the CPU sees has no largest size: what it has not written takes next to no memory.
    #[test]
    fn the_largest_heap_is_made_as_it_is_used() {
        let desc = DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, u32::MAX);
        let Ok(storage) = DescriptorSpace::new().create(&desc, 6) else { panic!("no memory") };
        // 2^32 descriptors in groups of 1024 chunks of 64.
        assert_eq!(storage.groups.len(), 65_536);
        assert!(size_of_val(&*storage.groups) < 2 << 20);
        let made = || storage.groups.iter().filter_map(|group| group.get()).map(|group| group.len());
        assert_eq!(made().count(), 0);
        for index in [u32::MAX - 1, 0, 65_535] {
            storage.write(index, |descriptor| *descriptor = Descriptor::ConstantBuffer(None));
            assert!(matches!(storage.read(index), Descriptor::ConstantBuffer(None)), "{index}");
        }
        assert!(matches!(storage.read(65_534), Descriptor::Empty));
        assert_eq!(made().collect::<Vec<_>>(), [1024, 1024]);
    }

    #[test]
    fn a_group_has_as_many_chunks_as_its_heap() {
        for (count, index, chunks) in [(1, 0, 1), (64, 63, 1), (65, 64, 2), (65_537, 65_536, 1)] {
            let desc = DescriptorHeapDesc::new(DescriptorHeapType::Sampler, count);
            let Ok(storage) = DescriptorSpace::new().create(&desc, 4) else { panic!("no memory") };
            storage.write(index, |descriptor| *descriptor = Descriptor::ConstantBuffer(None));
            let made: Vec<_> =
                storage.groups.iter().filter_map(|group| group.get()).map(|group| group.len()).collect();
            assert_eq!(made, [chunks], "{count}");
        }
    }
}
