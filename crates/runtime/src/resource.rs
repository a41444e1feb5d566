//! Resources: the public handle.

use core::fmt;
use core::sync::atomic::{AtomicPtr, AtomicU64};
use std::sync::{Arc, OnceLock};

use heapstone_driver::engine::NullTileAccess;
use heapstone_driver::{DriverError, DriverResource};
use heapstone_kernel::VirtualRange;
use heapstone_layout::swizzle::Surface;
use heapstone_spec::caps::TiledResourcesTier;
use heapstone_spec::limits;
use heapstone_spec::rules::mapping as rules;
use heapstone_spec::{
    ClearValue, Format, HeapFlags, HeapProperties, ResourceAllocationInfo, ResourceDesc, SegmentGroup,
};
use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress};

use crate::desc::InitialState;
use crate::descriptor::KeptKey;
use crate::device::{DeviceInner, DeviceRef};
use crate::error::Error;
use crate::gpu::{Gpu, Residence};
use crate::heap::{Heap, HeapCore};
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};
use crate::tiles::TileGrid;

/// How a resource was created (spec/2-resource-heaps.txt 180-184).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// With an implicit heap of its own.
    Committed,
    /// In a heap.
    Placed,
    /// With addresses only.
    Reserved,
}

/// A resource.
#[derive(Clone)]
pub struct Resource {
    pub(crate) inner: Arc<ResourceInner>,
}

pub(crate) struct ResourceInner {
    pub(crate) place: Place,
    /// As GetDesc tells it: mip levels and alignment are filled in.
    pub(crate) desc: ResourceDesc,
    pub(crate) size: u64,
    pub(crate) alignment: Alignment,
    /// What the driver keeps of it.
    pub(crate) driver: Option<DriverResource>,
    pub(crate) gpu_virtual_address: GpuVirtualAddress,
    pub(crate) map_count: AtomicU64,
    /// The address of a buffer's first byte once it was mapped with a pointer on a device that nobody
    /// watches; null of everything else. It spares later calls the rules that cannot be broken any more.
    pub(crate) mapped: AtomicPtr<u8>,
    /// What [`ResourceInner::surfaces`] answered.
    pub(crate) surfaces: OnceLock<Option<Arc<[Surface]>>>,
    /// What its views name it by.
    pub(crate) view_key: KeptKey,
    pub(crate) beginning: KeptBeginning,
    pub(crate) id: ObjectId,
    pub(crate) labels: Labels,
}

/// Where a resource lies. What it needs to die stands here too.
pub(crate) enum Place {
    Placed {
        heap: Heap,
        offset: u64,
    },
    /// Boxed: placed resources, of which there are many, stay small.
    Committed {
        device: DeviceRef,
        core: Box<HeapCore>,
        properties: HeapProperties,
    },
    /// Boxed, as above.
    Reserved {
        device: DeviceRef,
        reservation: Box<Reservation>,
    },
}

/// What a reserved resource has: addresses, and tiles that show something.
pub(crate) struct Reservation {
    addresses: Option<VirtualRange>,
    residence: Residence,
    /// What [`ResourceInner::tile_grid`] answered.
    pub(crate) tiles: OnceLock<Box<TileGrid>>,
}

impl Reservation {
    pub(crate) const fn new(addresses: VirtualRange) -> Reservation {
        Reservation { addresses: Some(addresses), residence: Residence::new(), tiles: OnceLock::new() }
    }
}

/// What it began with.
pub(crate) struct KeptBeginning {
    pub(crate) initial: InitialState,
    /// What most resources lack: they stay small, as there are many.
    pub(crate) rare: Option<Box<RareBeginning>>,
}

pub(crate) struct RareBeginning {
    pub(crate) clear_value: Option<ClearValue>,
    pub(crate) castable_formats: Box<[Format]>,
}

impl Resource {
    /// ID3D12Resource::GetDesc: as created, with mip levels and alignment filled in. From SDK 619.4 on, and
    /// without USE_TIGHT_ALIGNMENT always, the call that created it and the queries accept it again (spec/1,
    /// Non-zero Alignment as a target floor).
    ///
    /// Of a buffer with USE_TIGHT_ALIGNMENT other calls may not (chosen, because the maxima of the kinds in
    /// spec/1, Validation, say so against its promise): the 4096 of a committed one is above a placed one's
    /// 256, the 65536 of a reserved one above what the queries take.
    #[must_use]
    pub fn desc(&self) -> &ResourceDesc {
        &self.inner.desc
    }

    /// How many handles there are of it: this one and its clones, and those of GPU work in flight.
    #[must_use]
    pub fn handle_count(&self) -> usize {
        Arc::strong_count(&self.inner)
    }

    /// How it was created.
    #[must_use]
    pub fn kind(&self) -> ResourceKind {
        match self.inner.place {
            Place::Placed { .. } => ResourceKind::Placed,
            Place::Committed { .. } => ResourceKind::Committed,
            Place::Reserved { .. } => ResourceKind::Reserved,
        }
    }

    /// Bytes that it takes of its heap, or of addresses where reserved.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.inner.size
    }

    /// Its alignment in the heap, in bytes.
    #[must_use]
    pub fn alignment(&self) -> u64 {
        self.inner.alignment.bytes()
    }

    /// Size and alignment as GetResourceAllocationInfo gives them.
    #[must_use]
    pub fn allocation_info(&self) -> ResourceAllocationInfo {
        let alignment = self.inner.alignment;
        // A tightly aligned buffer takes its width; as the only member of a structure it is rounded up.
        let size = alignment.align_up(self.inner.size).expect("invariant: a query sized the resource before");
        ResourceAllocationInfo { size, alignment: alignment.bytes() }
    }

    /// The heap that it is placed in.
    #[must_use]
    pub fn heap(&self) -> Option<&Heap> {
        match &self.inner.place {
            Place::Placed { heap, .. } => Some(heap),
            Place::Committed { .. } | Place::Reserved { .. } => None,
        }
    }

    /// In bytes from its heap's start; `None` where reserved.
    #[must_use]
    pub fn heap_offset(&self) -> Option<u64> {
        match self.inner.place {
            Place::Placed { offset, .. } => Some(offset),
            Place::Committed { .. } => Some(0),
            Place::Reserved { .. } => None,
        }
    }

    /// Bytes that the kernel committed for its implicit heap; 0 where it has none.
    #[must_use]
    pub fn committed_size(&self) -> u64 {
        match &self.inner.place {
            Place::Committed { core, .. } => core.allocation().size(),
            Place::Placed { .. } | Place::Reserved { .. } => 0,
        }
    }

    /// The segment group that its bytes count in; `None` where reserved.
    #[must_use]
    pub fn segment_group(&self) -> Option<SegmentGroup> {
        let allocation = self.inner.heap_core()?.allocation();
        Some(self.inner.device().segment_group_of(allocation))
    }

    /// Whether its heap asked for video memory and lies in system memory.
    #[must_use]
    pub fn is_demoted(&self) -> bool {
        self.inner.heap_core().is_some_and(|core| core.allocation().is_demoted())
    }

    /// ID3D12Resource::GetGPUVirtualAddress: of a buffer; 0 of a texture (facts/behaviour.md, Creation).
    ///
    /// A placed buffer's address is its heap's plus the offset: one of the two ways that
    /// spec/2-resource-heaps.txt 365 leaves to a driver, chosen, because it costs no second range.
    #[must_use]
    pub fn gpu_virtual_address(&self) -> GpuVirtualAddress {
        if self.inner.desc.is_buffer() { self.inner.gpu_virtual_address } else { GpuVirtualAddress(0) }
    }

    /// ID3D12Resource::GetHeapProperties (spec/2-resource-heaps.txt 70-72).
    ///
    /// # Errors
    /// [`Error::Invalid`] (`query.heap_properties.reserved`) of a reserved resource.
    pub fn heap_properties(&self) -> Result<(HeapProperties, HeapFlags), Error> {
        match &self.inner.place {
            Place::Placed { heap, .. } => Ok((heap.inner.desc.properties, heap.inner.desc.flags)),
            Place::Committed { core, properties, .. } => Ok((*properties, core.flags())),
            Place::Reserved { .. } => Err(rules::HEAP_PROPERTIES_RESERVED
                .violated(
                    "ID3D12Resource::GetHeapProperties",
                    "a reserved resource",
                    "a placed or committed one",
                )
                .into()),
        }
    }

    /// The state or layout that it began in.
    #[must_use]
    pub fn initial_state(&self) -> InitialState {
        self.inner.beginning.initial
    }

    /// The optimised clear value that it was created with.
    #[must_use]
    pub fn clear_value(&self) -> Option<ClearValue> {
        self.inner.beginning.rare.as_ref().and_then(|rare| rare.clear_value)
    }

    /// The castable formats that it was created with.
    #[must_use]
    pub fn castable_formats(&self) -> &[Format] {
        self.inner.beginning.rare.as_ref().map_or(&[], |rare| &rare.castable_formats)
    }
}

impl ResourceInner {
    fn device_ref(&self) -> &DeviceRef {
        match &self.place {
            Place::Placed { heap, .. } => &heap.inner.device,
            Place::Committed { device, .. } | Place::Reserved { device, .. } => device,
        }
    }

    pub(crate) fn device(&self) -> &DeviceInner {
        self.device_ref()
    }

    /// The addresses that lead to it alone: of a committed or reserved buffer. A placed one's are its
    /// heap's, and textures have none that a program sees.
    #[inline]
    pub(crate) fn own_addresses(&self) -> Option<ByteRange> {
        match &self.place {
            Place::Placed { .. } => None,
            _ if !self.desc.is_buffer() => None,
            Place::Committed { core, .. } => Some(core.addresses()),
            Place::Reserved { reservation, .. } => {
                let addresses = reservation.addresses.as_ref()?;
                ByteRange::at(addresses.address().0, addresses.size())
            }
        }
    }

    /// Where its subresources lie, of a texture that the driver does not keep opaque. Asked once.
    #[inline]
    pub(crate) fn surfaces(&self) -> Option<&Arc<[Surface]>> {
        if let Some(surfaces) = self.surfaces.get() {
            return surfaces.as_ref();
        }
        self.surfaces.get_or_init(|| self.device().adapter.driver.surfaces(&self.desc, self.driver)).as_ref()
    }

    /// Shows its bytes at its addresses: the GPU is about to use it.
    pub(crate) fn make_resident(&self, gpu: &Gpu) -> Result<(), DriverError> {
        match &self.place {
            Place::Placed { heap, .. } => heap.inner.core.make_resident(gpu),
            Place::Committed { core, .. } => core.make_resident(gpu),
            Place::Reserved { device, reservation } => reservation.residence.enter(|| {
                let addresses =
                    reservation.addresses.as_ref().expect("invariant: it has addresses until it dies");
                let tiles = limits::TILE_SIZE;
                let count = u32::try_from(self.size.div_ceil(tiles))
                    .expect("invariant: the tiles of a reserved resource fit 32 bits");
                let null = match device.layout_rules.caps.tiled_resources_tier {
                    TiledResourcesTier::Tier1 | TiledResourcesTier::NotSupported => NullTileAccess::Fault,
                    _ => NullTileAccess::Zero,
                };
                gpu.driver.reserve(addresses.address(), count, null)
            }),
        }
    }

    pub(crate) fn heap_core(&self) -> Option<&HeapCore> {
        match &self.place {
            Place::Placed { heap, .. } => Some(&heap.inner.core),
            Place::Committed { core, .. } => Some(core),
            Place::Reserved { .. } => None,
        }
    }
}

shared_object!(Resource, self => self.inner.device_ref());

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource")
            .field("id", &self.inner.id)
            .field("kind", &self.kind())
            .field("desc", &self.inner.desc)
            .finish_non_exhaustive()
    }
}

impl Drop for ResourceInner {
    fn drop(&mut self) {
        // Objects have a number where somebody watches.
        if self.id != ObjectId::default() {
            self.device().observe(|| Call::Destroy { object: self.id });
        }
        if let Some(range) = self.own_addresses() {
            self.device().addresses.remove(range);
        }
        if let Some(key) = self.view_key.get() {
            self.device().view_targets.forget(key);
        }
        if let Some(driver) = self.driver {
            self.device().adapter.driver.destroy_heap_and_resource(None, Some(driver));
        }
        match &mut self.place {
            // The heap's handle goes after this: a placed resource dies before its heap can.
            Place::Placed { .. } => {}
            Place::Committed { device, core, .. } => core.release(device),
            Place::Reserved { device, reservation } => {
                if reservation.residence.is_resident()
                    && let Some(gpu) = device.gpu.made()
                {
                    gpu.driver.release(self.gpu_virtual_address);
                }
                if let Some(addresses) = reservation.addresses.take() {
                    device.process.release_virtual_address(addresses);
                }
            }
        }
    }
}
