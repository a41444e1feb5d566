//! An adapter for the tests: the kernel's memory manager over two segments, and the driver.
#![allow(dead_code, reason = "each test crate uses its part")]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

pub mod gpu;
pub mod memory_model;

use std::sync::Arc;

use heapstone_driver::{Backing, CreateHeap, Driver, DriverError, DriverHeap, OpenAdapter};
use heapstone_driver_soft::{PagingBytes, SoftDriver, SoftDriverOptions};
use heapstone_kernel::{
    AdapterMemory, Allocation, AllocationDesc, MemoryManager, PageSize, Placement, Process, ProcessDesc,
};
use heapstone_spec::profile::EngineAddressing;
use heapstone_spec::{CpuPageProperty, HeapFlags, MemoryPool, Profile};

/// Driver options with and without poison.
pub const BOTH_OPTIONS: [SoftDriverOptions; 2] = [
    SoftDriverOptions { poison: false, paging_bytes: PagingBytes::InPlace },
    SoftDriverOptions { poison: true, paging_bytes: PagingBytes::InPlace },
];

/// A kernel's process and a driver over the same segments.
pub struct Adapter {
    pub driver: SoftDriver,
    process: Process,
}

/// A heap and its place.
pub struct Heap {
    pub bytes: Box<dyn DriverHeap>,
    pub allocation: Allocation,
}

impl Adapter {
    /// Video memory of `size` bytes.
    pub fn new(backing: Backing, size: u64, options: SoftDriverOptions) -> Adapter {
        Adapter::with_engines(backing, size, options, None)
    }

    /// The same with engines that are patched and have an aperture of so many bytes.
    pub fn with_engines(
        backing: Backing,
        size: u64,
        options: SoftDriverOptions,
        aperture_size: Option<u64>,
    ) -> Adapter {
        let kernel = MemoryManager::new(AdapterMemory::discrete(&[size], 1 << 20, 63)).unwrap();
        let mut profile = Profile::builtin(Profile::DEFAULT_NAME).unwrap();
        let mut segment = profile.memory.segments[0].clone();
        segment.size = size;
        let mut system = segment.clone();
        system.size = 1 << 20;
        profile.memory.segments = vec![segment, system];
        if let Some(aperture_size) = aperture_size {
            profile.engines.direct = EngineAddressing::Patched;
            profile.engines.aperture_size = aperture_size;
        }
        let adapter = OpenAdapter { profile: Arc::new(profile), backing };
        Adapter {
            driver: SoftDriver::new(adapter, options),
            process: kernel.create_process(ProcessDesc::default()).unwrap(),
        }
    }

    /// Where a heap of `size` bytes lies in video memory.
    pub fn allocate(&self, size: u64, page_size: PageSize) -> Allocation {
        let desc = AllocationDesc {
            page_size,
            alignment: page_size.alignment(),
            placement: Placement::L1 { demotable: false },
            ..AllocationDesc::heap(size)
        };
        self.process.allocate(&desc).unwrap()
    }

    /// Gives a place back.
    pub fn free(&self, allocation: Allocation) {
        self.process.free(allocation);
    }

    /// The heap at a place; what the driver refuses, is freed.
    pub fn create_at(
        &self,
        allocation: Allocation,
        size: u64,
        flags: HeapFlags,
    ) -> Result<Heap, DriverError> {
        match self.driver.create_heap_and_resource(Some(desc(&allocation, size, flags)), None) {
            Ok(made) => Ok(Heap { bytes: made.heap.expect("a heap was asked for"), allocation }),
            Err(error) => {
                self.process.free(allocation);
                Err(error)
            }
        }
    }

    /// A heap of `size` bytes.
    pub fn create(&self, size: u64, flags: HeapFlags) -> Result<Heap, DriverError> {
        self.create_at(self.allocate(size, PageSize::SixtyFourKib), size, flags)
    }

    /// Destroys in the order that the driver demands: bytes, then place.
    pub fn destroy(&self, heap: Heap) {
        self.driver.destroy_heap_and_resource(Some(heap.bytes), None);
        self.process.free(heap.allocation);
    }
}

/// What the runtime says of a heap in video memory.
pub fn desc(allocation: &Allocation, size: u64, flags: HeapFlags) -> CreateHeap<'_> {
    CreateHeap {
        size,
        alignment: PageSize::SixtyFourKib.alignment(),
        memory_pool: MemoryPool::L1,
        cpu_page_property: CpuPageProperty::WriteCombine,
        flags,
        implicit: false,
        deny_demotion: false,
        allocation,
    }
}

impl Heap {
    /// The bytes at `offset`.
    pub fn read(&self, offset: u64, count: usize) -> Vec<u8> {
        let mut bytes = vec![0xEE; count];
        self.bytes.read(offset, &mut bytes).unwrap();
        bytes
    }

    /// Its address.
    pub fn address(&self) -> *mut u8 {
        self.bytes.map().unwrap().expect("the backing has bytes").as_ptr()
    }
}

/// Numbers from a seed (SplitMix64: Steele, Lea and Flood, 2014).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// An index below `bound`.
    pub fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(u64::try_from(bound).unwrap())).unwrap()
    }
}
