//! The descriptor heaps of a device, and where a handle ([`super::handle`]) leads.
//!
//! ```text
//!   class --> slots, in buckets of 1, 2, 4, ... --> groups of 1024 chunks --> chunks of 64 descriptors, a lock each
//!                  '-- the first handle of the heap that has the slot now
//! ```
//! Every use of a handle looks its heap up, so that takes no lock and no search: the handle tells the slot, and the
//! slot its heap's first handle, generation included. A heap that goes leaves slot, groups and locks to the next
//! one of its class; its descriptors go with it. No number is given twice: a slot whose generations are used up is
//! left alone. A GPU handle is its descriptor's CPU handle plus 2^63.
//!
//! Who writes a descriptor holds its chunk's lock and finds that the heap is still there; who removes a heap says so
//! before it takes these locks one after the other. So nothing of a heap that is gone is left for the next one.

use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::sync::OnceLock;

use heapstone_driver::DriverError;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{
    CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapFlags, DescriptorHeapType, GpuDescriptorHandle,
};
use heapstone_spec::{Rule, Violation};
use parking_lot::{Mutex, RwLock};

use super::handle::{
    CLASS_COUNT, Fields, SLOT_BITS_MAX, fields, first_handle, in_u32, index_of, taken_apart, type_of,
};
use super::stored::Descriptor;
use super::{DescriptorPlace, increment_log2};
use crate::error::Error;

/// What GPU handles have beyond CPU handles, and the end of those.
const GPU_BASE: u64 = 1 << 63;

/// Descriptors behind one lock (chosen: 4 KiB, so that a copy of many takes few locks, and threads that write
/// different descriptors seldom meet).
pub(super) const CHUNK: u32 = 64;
const CHUNK_LENGTH: usize = CHUNK as usize;

/// Chunks that are made together (chosen: 65,536 descriptors in 16 KiB of locks, so that most heaps are one group,
/// and one of 2^32 descriptors begins with less than 2 MiB).
const GROUP: u32 = 1024;

/// The descriptor heaps of a device, by their handles.
pub(crate) struct DescriptorSpace {
    classes: [Slots; CLASS_COUNT],
    books: Mutex<Books>,
}

/// What creation, removal and errors look at.
struct Books {
    /// In the order of their first handle.
    heaps: BTreeMap<u64, DescriptorHeapDesc>,
    /// Of each class.
    vacancies: [Vacancies; CLASS_COUNT],
}

#[derive(Default)]
struct Vacancies {
    /// Slots without a heap, with the generation that their next one has. The last one is used first, so that few
    /// slots are ever made.
    free: Vec<(u32, u64)>,
    /// Slots that were made.
    made: u32,
}

/// The slots of a class: bucket `b` has 2^b, from slot 2^b - 1 on. They stay as long as the device.
#[derive(Default)]
struct Slots {
    buckets: [OnceLock<Box<[Slot]>>; SLOT_BITS_MAX as usize],
}

/// What a heap has, and after it the next one.
#[repr(align(64))]
#[derive(Default)]
struct Slot {
    /// The first handle of the heap; 0 without one.
    start: AtomicU64,
    /// See [`Extent`].
    extent: AtomicU64,
    first: OnceLock<Group>,
    /// Those behind the first one, where the class has more.
    others: OnceLock<Box<[OnceLock<Group>]>>,
}

/// Nothing until one of its descriptors is asked for: the locks of the largest heap take 1 GiB.
type Group = Box<[RwLock<Chunk>]>;

/// Nothing until the first of them is written: large heaps are mostly empty.
type Chunk = Option<Box<[Descriptor; CHUNK_LENGTH]>>;

/// A heap's handles.
pub(super) struct Storage {
    start: CpuDescriptorHandle,
    desc: DescriptorHeapDesc,
}

/// What a heap's description says beside its type, as one number: its descriptors in the lower 32 bits, whether
/// shaders see it, and the number of its node from 1 on; 0 for none.
#[derive(Clone, Copy)]
struct Extent(u64);

/// A descriptor's place.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    space: &'a DescriptorSpace,
    slot: &'a Slot,
    start: u64,
    extent: Extent,
    heap_type: DescriptorHeapType,
    pub(super) index: u32,
}

impl Extent {
    const VISIBLE: u64 = 1 << 32;
    const NODE_SHIFT: u32 = 33;

    fn of(desc: &DescriptorHeapDesc) -> Extent {
        let visible = if desc.is_shader_visible() { Extent::VISIBLE } else { 0 };
        // The mask of a heap has one bit or none.
        let node = desc.node_mask.checked_ilog2().map_or(0, |node| u64::from(node) + 1);
        Extent(u64::from(desc.descriptor_count) | visible | node << Extent::NODE_SHIFT)
    }

    const fn descriptor_count(self) -> u64 {
        self.0 & (Extent::VISIBLE - 1)
    }

    const fn is_shader_visible(self) -> bool {
        self.0 & Extent::VISIBLE != 0
    }

    fn desc(self, heap_type: DescriptorHeapType) -> DescriptorHeapDesc {
        let flags = if self.is_shader_visible() {
            DescriptorHeapFlags::SHADER_VISIBLE
        } else {
            DescriptorHeapFlags::empty()
        };
        let node = self.0 >> Extent::NODE_SHIFT;
        DescriptorHeapDesc {
            heap_type,
            descriptor_count: in_u32(self.descriptor_count()),
            flags,
            node_mask: if node == 0 { 0 } else { 1 << (node - 1) },
        }
    }
}

impl DescriptorSpace {
    pub(crate) fn new() -> DescriptorSpace {
        let books =
            Books { heaps: BTreeMap::new(), vacancies: core::array::from_fn(|_| Vacancies::default()) };
        DescriptorSpace { classes: core::array::from_fn(|_| Slots::default()), books: Mutex::new(books) }
    }

    /// A heap of that description, which was judged before.
    pub(super) fn create(&self, desc: &DescriptorHeapDesc) -> Result<Storage, Error> {
        let chunks = u64::from(desc.descriptor_count.div_ceil(CHUNK));
        let class = chunks.next_power_of_two().ilog2();
        let fields = fields(class);
        let mut books = self.books.lock();
        let (number, generation) = books.vacancies[index_of(class)].take(fields).ok_or_else(no_handles)?;
        let slot = match self.classes[index_of(class)].make(number) {
            Ok(slot) => slot,
            Err(error) => {
                books.vacancies[index_of(class)].free.push((number, generation));
                return Err(error);
            }
        };
        let start = first_handle(desc.heap_type, class, number, generation);
        // Release: whoever sees it sees that the slot was empty before; see `DescriptorSpace::find`.
        slot.extent.store(Extent::of(desc).0, Ordering::Release);
        slot.start.store(start, Ordering::Release);
        books.heaps.insert(start, *desc);
        Ok(Storage { start: CpuDescriptorHandle { ptr: start }, desc: *desc })
    }

    /// Its handles lead nowhere from now on.
    pub(super) fn remove(&self, storage: &Storage) {
        let start = storage.start.ptr;
        let (class, number, generation) = taken_apart(start);
        let Some(slot) = self.slot(class, number) else { return };
        {
            let mut books = self.books.lock();
            slot.start.store(0, Ordering::Release);
            books.heaps.remove(&start);
        }
        slot.empty(storage.desc.descriptor_count);
        if generation < fields(class).generation_last() {
            self.books.lock().vacancies[index_of(class)].free.push((number, generation + 1));
        }
    }

    #[inline(always)]
    fn slot(&self, class: u32, number: u32) -> Option<&Slot> {
        self.classes.get(index_of(class))?.get(number)
    }

    /// Where a CPU handle leads.
    // Inlined by force, as all on the way of who uses a handle: what is handed on right after it was stored waits for
    // the stores, which takes as long as all the rest.
    #[inline(always)]
    pub(super) fn find(&self, handle: CpuDescriptorHandle) -> Result<Place<'_>, Box<Violation>> {
        let (class, number, _) = taken_apart(handle.ptr);
        let start = handle.ptr & !((1 << fields(class).slot_shift) - 1);
        let heap_type = type_of(start);
        let Some(slot) = self.slot(class, number).filter(|slot| slot.has(start)) else {
            return Err(self.no_descriptor(handle));
        };
        let extent = Extent(slot.extent.load(Ordering::Acquire));
        let (offset, increment_log2) = (handle.ptr - start, increment_log2(heap_type));
        let index = offset >> increment_log2;
        // Another heap's extent is seen only where this one's start is seen no more.
        if index >= extent.descriptor_count() || !slot.has(start) {
            return Err(self.no_descriptor(handle));
        }
        if offset & ((1 << increment_log2) - 1) != 0 {
            return Err(between(handle, start, increment_log2));
        }
        Ok(Place { space: self, slot, start, extent, heap_type, index: in_u32(index) })
    }

    /// The same, where it is in a heap of that type.
    #[inline(always)]
    pub(super) fn find_in(
        &self,
        handle: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
    ) -> Result<Place<'_>, Box<Violation>> {
        let place = self.find(handle)?;
        if place.heap_type == heap_type {
            return Ok(place);
        }
        Err(of_other_type(handle, place.index, place.heap_type, heap_type))
    }

    /// Where a GPU handle leads.
    pub(super) fn find_gpu(&self, handle: GpuDescriptorHandle) -> Result<Place<'_>, Box<Violation>> {
        let cpu = handle.ptr.checked_sub(GPU_BASE).map(|ptr| CpuDescriptorHandle { ptr });
        let place = cpu.map(|cpu| self.find(cpu));
        match place {
            Some(Ok(place)) if place.is_shader_visible() => Ok(place),
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

    /// The locks of a group that has none yet; `None` where the heap is gone.
    #[cold]
    #[inline(never)]
    fn new_group<'a>(&self, slot: &'a Slot, start: u64, number: u32) -> Option<&'a Group> {
        // Under the lock that removal takes first: it finds the group, or this finds the heap gone.
        let _books = self.books.lock();
        if !slot.has(start) {
            return None;
        }
        let (class, ..) = taken_apart(start);
        let chunk_count = 1 << class;
        let locks = || {
            let count = (chunk_count - number * GROUP).min(GROUP);
            (0..count).map(|_| RwLock::new(None)).collect()
        };
        let Some(other) = number.checked_sub(1) else { return Some(slot.first.get_or_init(locks)) };
        let others = slot.others.get_or_init(|| (1..chunk_count / GROUP).map(|_| OnceLock::new()).collect());
        Some(others[index_of(other)].get_or_init(locks))
    }

    #[cold]
    #[inline(never)]
    fn no_descriptor(&self, handle: CpuDescriptorHandle) -> Box<Violation> {
        self.leads_nowhere("D3D12_CPU_DESCRIPTOR_HANDLE.ptr", handle.ptr, 0, handle)
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
        let books = self.books.lock();
        let heaps = || books.heaps.iter().filter(|(_, desc)| base == 0 || desc.is_shader_visible());
        let reach = |(start, desc): (&u64, &DescriptorHeapDesc)| {
            let increment = 1_u64 << increment_log2(desc.heap_type);
            let begin = start + base;
            (begin, begin + (u64::from(desc.descriptor_count) - 1) * increment, increment)
        };
        let nearest = heaps().min_by_key(|heap| {
            let (begin, last, _) = reach(*heap);
            begin.saturating_sub(ptr).max(ptr.saturating_sub(last))
        });
        let kind = if base == 0 { "heaps" } else { "shader-visible heaps" };
        let allowed = match nearest {
            None => format!("none: there are no {kind}"),
            Some(heap) => {
                let (begin, last, increment) = reach(heap);
                format!(
                    "handles of {} {kind}; the nearest, of {} {} descriptors, has {begin:#x} and multiples of \
                     {increment} up to {last:#x}",
                    heaps().count(),
                    heap.1.descriptor_count,
                    heap.1.heap_type,
                )
            }
        };
        RULE.violated(field, handle, allowed)
    }
}

#[cold]
fn no_handles() -> Error {
    let reason = "all of this size are in use, and none is given twice".to_owned();
    DriverError::OutOfMemory { what: "descriptor handles", size: 0, reason }.into()
}

#[cold]
#[inline(never)]
fn between(handle: CpuDescriptorHandle, start: u64, increment_log2: u32) -> Box<Violation> {
    rules::HANDLE_INCREMENT.violated(
        "D3D12_CPU_DESCRIPTOR_HANDLE.ptr",
        format_args!("{handle}, {} behind its heap's first", handle.ptr - start),
        format_args!("{} and multiples of {}", CpuDescriptorHandle { ptr: start }, 1_u64 << increment_log2),
    )
}

#[cold]
#[inline(never)]
fn of_other_type(
    handle: CpuDescriptorHandle,
    index: u32,
    given: DescriptorHeapType,
    heap_type: DescriptorHeapType,
) -> Box<Violation> {
    rules::HANDLE_HEAP_TYPE.violated(
        "D3D12_CPU_DESCRIPTOR_HANDLE.ptr",
        format_args!("{handle}, descriptor {index} of a heap of type {given}"),
        format_args!("a heap of type {heap_type}"),
    )
}

impl Vacancies {
    /// A slot without a heap, and its generation.
    fn take(&mut self, fields: Fields) -> Option<(u32, u64)> {
        self.free.pop().or_else(|| {
            let number = (self.made < fields.slot_count()).then_some(self.made)?;
            self.made += 1;
            Some((number, 1))
        })
    }
}

impl Slots {
    /// Its bucket, and where it is there.
    #[inline]
    fn place(number: u32) -> (u32, usize) {
        let bucket = (number + 1).ilog2();
        (bucket, index_of(number + 1 - (1 << bucket)))
    }

    #[inline]
    fn get(&self, number: u32) -> Option<&Slot> {
        let (bucket, at) = Slots::place(number);
        self.buckets.get(index_of(bucket))?.get()?.get(at)
    }

    /// The slot, with its bucket where that is not there yet.
    fn make(&self, number: u32) -> Result<&Slot, Error> {
        let (bucket, at) = Slots::place(number);
        let place = &self.buckets[index_of(bucket)];
        if let Some(slots) = place.get() {
            return Ok(&slots[at]);
        }
        let count = 1_usize << bucket;
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).map_err(|error| DriverError::OutOfMemory {
            what: "descriptor heaps",
            size: (count * size_of::<Slot>()) as u64,
            reason: error.to_string(),
        })?;
        slots.resize_with(count, Slot::default);
        Ok(&place.get_or_init(|| slots.into_boxed_slice())[at])
    }
}

impl Slot {
    #[inline]
    fn has(&self, start: u64) -> bool {
        self.start.load(Ordering::Acquire) == start
    }

    #[inline]
    fn group(&self, number: u32) -> Option<&Group> {
        match number.checked_sub(1) {
            None => self.first.get(),
            Some(other) => self.others.get()?.get(index_of(other))?.get(),
        }
    }

    /// Drops the descriptors of a heap of so many, which is gone.
    fn empty(&self, descriptor_count: u32) {
        let chunk_count = index_of(descriptor_count.div_ceil(CHUNK));
        let others = self.others.get().into_iter().flatten();
        let groups = core::iter::once(&self.first).chain(others).enumerate();
        for (number, group) in groups.take(chunk_count.div_ceil(index_of(GROUP))) {
            let Some(group) = group.get() else { continue };
            for chunk in group.iter().take(chunk_count - number * index_of(GROUP)) {
                // Dropped without the lock.
                let descriptors = chunk.write().take();
                drop(descriptors);
            }
        }
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
}

impl<'a> Place<'a> {
    pub(super) const fn is_shader_visible(&self) -> bool {
        self.extent.is_shader_visible()
    }

    /// Of its heap.
    pub(super) fn descriptor_count(&self) -> u32 {
        in_u32(self.extent.descriptor_count())
    }

    /// The first handle of its heap, by which heaps differ.
    pub(super) const fn heap_start(&self) -> u64 {
        self.start
    }

    /// As tools see it.
    pub(super) fn shown(&self) -> DescriptorPlace {
        DescriptorPlace {
            heap: self.extent.desc(self.heap_type),
            heap_start: CpuDescriptorHandle { ptr: self.start },
            index: self.index,
        }
    }

    /// The handle of a descriptor of the same heap.
    #[inline]
    pub(super) fn handle(&self, index: u32) -> CpuDescriptorHandle {
        CpuDescriptorHandle { ptr: self.start + (u64::from(index) << increment_log2(self.heap_type)) }
    }

    /// The place of a descriptor of the same heap.
    pub(super) const fn at(&self, index: u32) -> Place<'a> {
        Place { index, ..*self }
    }

    /// Whether its heap is there. It stays so for who holds the chunk's lock, as far as he can tell.
    #[inline]
    fn lives(&self) -> bool {
        self.slot.has(self.start)
    }

    /// Its lock, where somebody made it.
    #[inline(always)]
    fn made_chunk(&self) -> Option<&'a RwLock<Chunk>> {
        let chunk = self.index / CHUNK;
        self.slot.group(chunk / GROUP).map(|group| &group[index_of(chunk % GROUP)])
    }

    /// Descriptors from this one to the end of its group, where nobody asked for one of the group yet; else 0.
    #[inline]
    pub(super) fn untouched_left(&self) -> u32 {
        let chunk = self.index / CHUNK;
        if self.slot.group(chunk / GROUP).is_some() {
            0
        } else {
            GROUP * CHUNK - self.index % (GROUP * CHUNK)
        }
    }

    /// Its lock; `None` where the heap is gone.
    #[inline(always)]
    fn chunk(&self) -> Option<&'a RwLock<Chunk>> {
        self.made_chunk().or_else(|| {
            let chunk = self.index / CHUNK;
            let group = self.space.new_group(self.slot, self.start, chunk / GROUP)?;
            Some(&group[index_of(chunk % GROUP)])
        })
    }

    #[inline]
    fn index_in_chunk(&self) -> usize {
        index_of(self.index % CHUNK)
    }

    /// Has the descriptor written; not where another thread removed the heap meanwhile.
    #[inline(always)]
    pub(super) fn write(&self, write: impl FnOnce(&mut Descriptor)) {
        let Some(chunk) = self.chunk() else { return };
        let mut chunk = chunk.write();
        if self.lives() {
            write(&mut filled(&mut chunk)[self.index_in_chunk()]);
        }
    }

    /// What it holds; nothing where another thread removed the heap meanwhile.
    pub(super) fn read(&self) -> Descriptor {
        let Some(chunk) = self.made_chunk() else { return Descriptor::Empty };
        let chunk = chunk.read();
        match &*chunk {
            Some(descriptors) if self.lives() => descriptors[self.index_in_chunk()],
            _ => Descriptor::Empty,
        }
    }
}

/// Copies `count` descriptors, which lie in one chunk on both sides and do not overlap; none where another thread
/// removed a heap meanwhile. What holds nothing takes no memory in the heap that it is copied to either.
#[inline(always)]
pub(super) fn copy_within_chunks(to: &Place<'_>, from: &Place<'_>, count: usize) {
    let (to_at, from_at) = (to.index_in_chunk(), from.index_in_chunk());
    let Some(from_chunk) = from.made_chunk() else {
        if let Some(to_chunk) = to.made_chunk() {
            let mut destination = to_chunk.write();
            if to.lives() && from.lives() {
                empty(&mut destination, to_at..to_at + count);
            }
        }
        return;
    };
    let Some(to_chunk) = to.chunk() else { return };
    if ptr::eq(to_chunk, from_chunk) {
        let mut chunk = to_chunk.write();
        if to.lives()
            && let Some(descriptors) = &mut *chunk
        {
            descriptors.copy_within(from_at..from_at + count, to_at);
        }
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
    if !to.lives() || !from.lives() {
        return;
    }
    let Some(source) = &*source else { return empty(&mut destination, to_at..to_at + count) };
    match (&mut filled(&mut destination)[to_at..to_at + count], &source[from_at..from_at + count]) {
        // A single one, which many copies are of, is moved at once: a call for a few bytes would take a tenth of the copy.
        ([destination], [source]) => *destination = *source,
        (destination, source) => destination.copy_from_slice(source),
    }
}

/// Makes descriptors hold nothing, where they hold anything.
#[inline]
fn empty(chunk: &mut Chunk, descriptors: Range<usize>) {
    if let Some(chunk) = chunk {
        chunk[descriptors].fill(Descriptor::Empty);
    }
}

#[inline(always)]
fn filled(chunk: &mut Chunk) -> &mut [Descriptor; CHUNK_LENGTH] {
    if chunk.is_none() {
        *chunk = Some(empty_chunk());
    }
    chunk.as_mut().expect("invariant: it was just filled")
}

#[cold]
#[inline(never)]
fn empty_chunk() -> Box<[Descriptor; CHUNK_LENGTH]> {
    Box::new([const { Descriptor::Empty }; CHUNK_LENGTH])
}

#[cfg(test)]
mod tests;
