//! What lies at a GPU virtual address: D3D12's calls give addresses where they could give resources.
//!
//! ```text
//!   address --/ 4 GiB, modulo SHARDS--> shard: begin -> (end, owner), a tree
//! ```
//! An owner is a heap, or a committed or reserved buffer: their ranges never overlap, as the kernel gave
//! them out. A range stands in the shard of every 4 GiB that it touches, so that one lookup sees one
//! shard, and threads that create at once mostly meet in none, as the kernel spreads their addresses.
//!
//! Constant buffer views ask most, and only how far they may reach. Beside its tree each shard has a few ranges that
//! were asked for before ([`Hint`]): those are read without its lock.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering, fence};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use heapstone_driver::DriverError;
use heapstone_units::{ByteRange, GpuVirtualAddress};
use parking_lot::Mutex;

use crate::device::DeviceInner;
use crate::fault::NearObject;
use crate::gpu::Gpu;
use crate::heap::{Heap, HeapCore, HeapInner};
use crate::observer::{Notice, NoticeSubject, ObjectId, Severity};
use crate::resource::{Place, Resource, ResourceInner};

/// Chosen: more than threads that create at once.
const SHARDS: usize = 32;

/// 4 GiB: most ranges touch one.
const GRANULE_LOG2: u32 = 32;

/// What a command refers to: a resource, or a heap where only an address was given. It keeps neither
/// alive, as D3D12's command lists do not.
#[derive(Clone)]
pub(crate) enum MemoryReference {
    Resource(Weak<ResourceInner>),
    Heap(Weak<HeapInner>),
}

impl MemoryReference {
    /// Keeps it alive; `None` where it is gone.
    pub(crate) fn hold(&self) -> Option<MemoryHold> {
        match self {
            MemoryReference::Resource(resource) => {
                resource.upgrade().map(|inner| MemoryHold::Resource(Resource { inner }))
            }
            MemoryReference::Heap(heap) => heap.upgrade().map(|inner| MemoryHold::Heap(Heap { inner })),
        }
    }
}

/// What GPU work holds while it is in flight.
#[derive(Clone)]
pub(crate) enum MemoryHold {
    Resource(Resource),
    Heap(Heap),
}

impl MemoryHold {
    /// Its bytes' addresses.
    pub(crate) fn range(&self) -> ByteRange {
        let (begin, size) = match self {
            MemoryHold::Resource(resource) => (resource.inner.gpu_virtual_address.0, resource.inner.size),
            MemoryHold::Heap(heap) => {
                (heap.inner.core.gpu_virtual_address().0, heap.inner.core.allocation().size())
            }
        };
        ByteRange::at(begin, size).expect("invariant: the kernel gave the addresses out")
    }

    /// Shows its bytes at its addresses: the GPU is about to use it.
    pub(crate) fn make_resident(&self, gpu: &Gpu) -> Result<(), DriverError> {
        match self {
            MemoryHold::Resource(resource) => resource.inner.make_resident(gpu),
            MemoryHold::Heap(heap) => heap.inner.core.make_resident(gpu),
        }
    }

    /// The memory that it lies in; `None` of a reserved resource.
    pub(crate) fn heap_core(&self) -> Option<&HeapCore> {
        match self {
            MemoryHold::Resource(resource) => resource.inner.heap_core(),
            MemoryHold::Heap(heap) => Some(&heap.inner.core),
        }
    }

    /// Tells the observer, where there is one, that the program let go of it before its work ended: it goes
    /// with this hold.
    pub(crate) fn tell_if_last(&self) {
        let (device, object, handles) = match self {
            MemoryHold::Resource(resource) => {
                (resource.inner.device(), resource.id(), Arc::strong_count(&resource.inner))
            }
            MemoryHold::Heap(heap) => (&*heap.inner.device, heap.id(), Arc::strong_count(&heap.inner)),
        };
        // What a query heap writes to has no number: its heap tells.
        if handles == 1 && object != ObjectId::default() {
            device.notice(|| deleted_in_use(object));
        }
    }

    pub(crate) fn device(&self) -> &DeviceInner {
        match self {
            MemoryHold::Resource(resource) => resource.inner.device(),
            MemoryHold::Heap(heap) => &heap.inner.device,
        }
    }

    /// A list that refers to it is submitted. A reserved resource's tiles may be used from now on, where
    /// somebody watches who would hear of a heap that goes under them.
    pub(crate) fn begin_flight(&self) {
        if let Some((device, address)) = self.watched_tiles() {
            device.tiles_in_flight.begin(address);
        }
    }

    /// And has run.
    pub(crate) fn end_flight(&self) {
        if let Some((device, address)) = self.watched_tiles() {
            device.tiles_in_flight.end(address);
        }
    }

    fn watched_tiles(&self) -> Option<(&DeviceInner, GpuVirtualAddress)> {
        match self {
            MemoryHold::Resource(resource) => {
                let device = resource.inner.device();
                let is_reserved = matches!(resource.inner.place, Place::Reserved { .. });
                (is_reserved && device.is_observed()).then_some((device, resource.inner.gpu_virtual_address))
            }
            MemoryHold::Heap(_) => None,
        }
    }

    /// As a fault at `address` tells it.
    pub(crate) fn near(&self, address: GpuVirtualAddress) -> NearObject {
        let (object, kind, name) = match self {
            MemoryHold::Resource(resource) => {
                let kind = match resource.inner.place {
                    Place::Placed { .. } => "placed",
                    Place::Committed { .. } => "committed",
                    Place::Reserved { .. } => "reserved",
                };
                let kind = format!("{kind} {}", resource.inner.desc.dimension);
                (resource.id(), kind, resource.name())
            }
            MemoryHold::Heap(heap) => (heap.id(), "heap".to_owned(), heap.name()),
        };
        NearObject { object, kind, name, range: self.range(), address }
    }

    pub(crate) fn reference(&self) -> MemoryReference {
        match self {
            MemoryHold::Resource(resource) => MemoryReference::Resource(Arc::downgrade(&resource.inner)),
            MemoryHold::Heap(heap) => MemoryReference::Heap(Arc::downgrade(&heap.inner)),
        }
    }
}

/// What the debug layer says of an object that goes before the work that refers to it.
pub(crate) fn deleted_in_use(object: ObjectId) -> Notice {
    Notice {
        severity: Severity::Warning,
        subject: NoticeSubject::DeletedWhileInUse,
        object,
        text: format!("{object} was let go of while a command list that refers to it was in flight"),
    }
}

/// Who has which addresses of a device.
pub(crate) struct AddressMap {
    shards: [Shard; SHARDS],
}

/// Padded to two cache lines, because processors prefetch them in pairs.
#[repr(align(128))]
#[derive(Default)]
struct Shard {
    by_begin: Mutex<BTreeMap<u64, Entry>>,
    hints: [Hint; HINTS],
}

struct Entry {
    end: u64,
    /// See [`AddressMap::reach`].
    reach: u64,
    owner: MemoryReference,
}

/// Chosen: more than the heaps that a program takes its constants from at once.
const HINTS: usize = 4;

/// A range that is somebody's, up to its reach. Written under the shard's lock, read without: the version is odd while
/// it is written, and another one afterwards.
#[derive(Default)]
struct Hint {
    version: AtomicU64,
    begin: AtomicU64,
    /// 0 where there is none.
    end: AtomicU64,
}

impl Hint {
    #[inline]
    fn get(&self) -> Option<ByteRange> {
        let version = self.version.load(Ordering::Acquire);
        let range = ByteRange::new(self.begin.load(Ordering::Relaxed), self.end.load(Ordering::Relaxed));
        // The range is read before the version is read again.
        fence(Ordering::Acquire);
        let is_whole = version & 1 == 0 && self.version.load(Ordering::Relaxed) == version;
        is_whole.then_some(range)
    }

    fn set(&self, range: ByteRange) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        // Who reads a part of the range that follows reads the odd version as well.
        fence(Ordering::Release);
        self.begin.store(range.begin, Ordering::Relaxed);
        self.end.store(range.end, Ordering::Relaxed);
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }
}

impl AddressMap {
    pub(crate) fn new() -> AddressMap {
        AddressMap { shards: core::array::from_fn(|_| Shard::default()) }
    }

    /// `range` is `owner`'s from now on; its first `size` bytes are what views may show.
    #[inline]
    pub(crate) fn insert(&self, range: ByteRange, size: u64, owner: MemoryReference) {
        let (end, reach) = (range.end, range.begin.saturating_add(size));
        let (first, last) = granules(range);
        if first == last {
            self.shard(first).by_begin.lock().insert(range.begin, Entry { end, reach, owner });
            return;
        }
        for shard in self.touched(first, last) {
            let entry = Entry { end, reach, owner: owner.clone() };
            shard.by_begin.lock().insert(range.begin, entry);
        }
    }

    /// `range` is nobody's any more.
    #[inline]
    pub(crate) fn remove(&self, range: ByteRange) {
        let (first, last) = granules(range);
        for shard in self.touched(first, last) {
            // What it held is dropped behind the lock: a weak reference frees memory at most.
            let removed = {
                let mut by_begin = shard.by_begin.lock();
                shard.forget(range);
                by_begin.remove(&range.begin)
            };
            drop(removed);
        }
    }

    /// The bytes around `address` that views may show: of a heap all, of a committed or reserved buffer its width;
    /// `None` where nobody has the address.
    #[inline]
    pub(crate) fn reach(&self, address: GpuVirtualAddress) -> Option<ByteRange> {
        let shard = self.shard(address.0 >> GRANULE_LOG2);
        match shard.hint(address).get() {
            Some(range) if range.begin <= address.0 && address.0 < range.end => Some(range),
            _ => shard.find_reach(address),
        }
    }

    /// Who has `address`; `None` where nobody does, or its owner is just going.
    pub(crate) fn owner(&self, address: GpuVirtualAddress) -> Option<MemoryHold> {
        let shard = self.shard(address.0 >> GRANULE_LOG2);
        let reference = {
            let by_begin = shard.by_begin.lock();
            let (_, entry) = by_begin.range(..=address.0).next_back()?;
            (address.0 < entry.end).then(|| entry.owner.clone())?
        };
        reference.hold()
    }

    /// Who has the addresses around `address`: of each shard the owner that begins there or before, and the one
    /// behind. For errors.
    #[cold]
    pub(crate) fn nearest(&self, address: GpuVirtualAddress) -> Vec<MemoryHold> {
        let mut references = Vec::new();
        for shard in &self.shards {
            let by_begin = shard.by_begin.lock();
            let below = by_begin.range(..=address.0).next_back();
            let above = by_begin.range(address.0..).next();
            references.extend(below.into_iter().chain(above).map(|(_, entry)| entry.owner.clone()));
        }
        references.iter().filter_map(MemoryReference::hold).collect()
    }

    /// Whose `address` is and the offset in bytes there, for observers.
    #[cold]
    pub(crate) fn place(&self, address: GpuVirtualAddress) -> Option<(ObjectId, u64)> {
        let hold = self.owner(address)?;
        let object = match &hold {
            MemoryHold::Resource(resource) => resource.id(),
            MemoryHold::Heap(heap) => heap.id(),
        };
        Some((object, address.0.checked_sub(hold.range().begin)?))
    }

    fn shard(&self, granule: u64) -> &Shard {
        let index = usize::try_from(granule % SHARDS as u64).unwrap_or(0);
        &self.shards[index]
    }

    /// The shards of the granules from `first` to `last`, each once.
    fn touched(&self, first: u64, last: u64) -> impl Iterator<Item = &Shard> {
        let count = (last - first).saturating_add(1).min(SHARDS as u64);
        (first..first + count).map(|granule| self.shard(granule))
    }
}

impl Shard {
    /// Where a range around `address` would be: by 64 KiB, which no two heaps share.
    #[inline]
    fn hint(&self, address: GpuVirtualAddress) -> &Hint {
        // Fibonacci hashing: neighbours are far from each other.
        let hash = (address.0 >> 16).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62;
        &self.hints[usize::try_from(hash).unwrap_or(0)]
    }

    #[inline(never)]
    fn find_reach(&self, address: GpuVirtualAddress) -> Option<ByteRange> {
        let by_begin = self.by_begin.lock();
        let (begin, entry) = by_begin.range(..=address.0).next_back()?;
        let range = (address.0 < entry.end).then(|| ByteRange::new(*begin, entry.reach))?;
        self.hint(address).set(range);
        Some(range)
    }

    /// Under the lock: the range goes.
    fn forget(&self, range: ByteRange) {
        for hint in &self.hints {
            if hint.begin.load(Ordering::Relaxed) == range.begin {
                hint.set(ByteRange::default());
            }
        }
    }
}

/// The first and the last granule that a range touches; it is not empty.
const fn granules(range: ByteRange) -> (u64, u64) {
    (range.begin >> GRANULE_LOG2, (range.end - 1) >> GRANULE_LOG2)
}

impl fmt::Debug for AddressMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressMap").finish_non_exhaustive()
    }
}
