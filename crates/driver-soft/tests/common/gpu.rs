//! A device with a queue over heaps of an adapter, at addresses of the test's choice.

use std::sync::Arc;

use heapstone_driver::dma::{Address, Command, Cursor, DmaAllocation, DmaBuffer, DmaBuilder, Image};
use heapstone_driver::engine::{
    DriverDevice, DriverQueue, DriverQueueDesc, EngineFault, ExecuteLimit, TileRun, TileTarget,
};
use heapstone_driver::{Backing, Driver, OpenAdapter};
use heapstone_driver_soft::{SoftDriver, SoftDriverOptions};
use heapstone_layout::swizzle::{Storage, Surface, SwizzleAddress, SwizzlePattern, reference_offset};
use heapstone_spec::commands::CommandListType;
use heapstone_spec::{HeapFlags, Profile, ResourceDesc};
use heapstone_units::GpuVirtualAddress;

use super::{Adapter, Heap};

pub const TILE: u64 = 64 << 10;

/// A device, a queue, and the heaps that the device shows.
pub struct Gpu {
    pub adapter: Adapter,
    pub device: Arc<dyn DriverDevice>,
    pub queue: Box<dyn DriverQueue>,
    /// At [`Gpu::heap_address`] of their index.
    pub heaps: Vec<Heap>,
}

impl Gpu {
    /// With heaps of these sizes.
    pub fn new(backing: Backing, sizes: &[u64]) -> Gpu {
        Gpu::with_aperture(backing, sizes, None)
    }

    /// The same on an engine that is patched, with an aperture of so many bytes.
    pub fn with_aperture(backing: Backing, sizes: &[u64], aperture_size: Option<u64>) -> Gpu {
        let options = SoftDriverOptions::default();
        let adapter = Adapter::with_engines(backing, 1 << 34, options, aperture_size);
        let device = adapter.driver.create_device().unwrap();
        let queue = device.create_queue(&direct()).unwrap();
        let mut gpu = Gpu { adapter, device, queue, heaps: Vec::new() };
        for size in sizes {
            gpu.add_heap(*size);
        }
        gpu
    }

    /// Creates and maps a heap; its address.
    pub fn add_heap(&mut self, size: u64) -> u64 {
        let heap = self.adapter.create(size, HeapFlags::empty()).unwrap();
        let address = Gpu::heap_address(self.heaps.len());
        self.device.map_heap(GpuVirtualAddress(address), size, heap.bytes.as_ref()).unwrap();
        self.heaps.push(heap);
        address
    }

    /// Where the heap `index` is mapped.
    pub fn heap_address(index: usize) -> u64 {
        0x10_0000_0000 * (u64::try_from(index).unwrap() + 1)
    }

    /// Runs a whole buffer.
    pub fn execute(&mut self, buffer: &DmaBuffer) -> Result<(), EngineFault> {
        self.queue.execute(buffer, &mut Cursor::default(), ExecuteLimit::End)
    }

    /// Runs commands, each a call of its own.
    pub fn run(&mut self, allocations: &[DmaAllocation], commands: &[Command]) -> Result<(), EngineFault> {
        self.execute(&buffer(allocations, commands))
    }

    /// Maps tiles one by one: `None` shows nothing, else the heap's address and its tile.
    pub fn map_tiles(&mut self, resource: u64, tiles: &[Option<(u64, u32)>]) {
        let runs: Vec<TileRun> = (0..).zip(tiles).map(|(tile, shown)| tile_run(tile, *shown)).collect();
        self.queue.update_tile_mappings(GpuVirtualAddress(resource), &runs).unwrap();
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        for (index, heap) in self.heaps.drain(..).enumerate() {
            self.device.unmap_heap(GpuVirtualAddress(Gpu::heap_address(index)));
            self.adapter.destroy(heap);
        }
    }
}

pub fn direct() -> DriverQueueDesc {
    DriverQueueDesc { list_type: CommandListType::Direct, node: 0 }
}

pub fn tile_run(tile: u32, shown: Option<(u64, u32)>) -> TileRun {
    let target = match shown {
        None => TileTarget::Null,
        Some((heap, first_tile)) => {
            TileTarget::Heap { heap: GpuVirtualAddress(heap), first_tile, reuse_single_tile: false }
        }
    };
    TileRun { first_tile: tile, tile_count: 1, target }
}

/// A buffer of these commands, each a call of its own.
pub fn buffer(allocations: &[DmaAllocation], commands: &[Command]) -> DmaBuffer {
    let mut builder = DmaBuilder::new(DmaBuffer::default());
    for allocation in allocations {
        builder.add_allocation(allocation.clone());
    }
    for command in commands {
        builder.begin_call();
        builder.push(command);
    }
    builder.finish()
}

/// An entry of an allocation list without surfaces.
pub fn bytes_at(address: u64, size: u64) -> DmaAllocation {
    DmaAllocation { address: GpuVirtualAddress(address), size, is_written: false, surfaces: None }
}

/// An entry of a texture that begins at `address`.
pub fn texture_at(address: u64, surfaces: &Arc<[Surface]>) -> DmaAllocation {
    let size = surfaces.iter().map(|surface| surface.offset + surface.size).max().unwrap();
    DmaAllocation { surfaces: Some(Arc::clone(surfaces)), ..bytes_at(address, size) }
}

pub fn at(allocation: u32, address: u64) -> Address {
    Address { allocation, at: GpuVirtualAddress(address) }
}

pub fn pitched(allocation: u32, address: u64, row_pitch: u32, slice_pitch: u64) -> Image {
    Image::Pitched { address: at(allocation, address), row_pitch, slice_pitch }
}

pub fn subresource(allocation: u32, base: u64, subresource: u32) -> Image {
    Image::Surface { allocation, subresource, base: GpuVirtualAddress(base) }
}

/// How a profile's driver lays a texture out.
pub fn surfaces_of(profile: &str, desc: &ResourceDesc) -> Arc<[Surface]> {
    let profile = Arc::new(Profile::builtin(profile).unwrap());
    let adapter = OpenAdapter { profile, backing: Backing::Phantom };
    SoftDriver::new(adapter, SoftDriverOptions::default()).surfaces(desc, None).unwrap()
}

/// The pattern's description.
pub fn pattern_of(storage: &Storage) -> Option<&'static SwizzlePattern> {
    match storage {
        Storage::Swizzled { pattern, .. } => Some(pattern.pattern()),
        Storage::Linear { .. } => None,
    }
}

/// Where an element of a surface lies, from the surface's first byte: by the reference routine.
pub fn offset_in(surface: &Surface, [x, y, z]: [u32; 3], sample: u32) -> u64 {
    let shift = surface.element_bytes_log2;
    let (x, row, slice) = (u64::from(x), u64::from(y), u64::from(z));
    match surface.storage {
        Storage::Linear { row_pitch, slice_pitch } => {
            let elements = (x << surface.samples_log2) + u64::from(sample);
            slice * slice_pitch + row * row_pitch + (elements << shift)
        }
        Storage::Swizzled { strides, .. } => {
            let address = SwizzleAddress { x_bytes: x << shift, y, z, sample };
            reference_offset(pattern_of(&surface.storage).unwrap(), address, &strides)
        }
    }
}
