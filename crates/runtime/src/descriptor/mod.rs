//! Descriptor heaps and what is in them.
//!
//! ```text
//!   DescriptorHeap (handle) --> HeapInner --> Storage: its first handle
//!                                                |
//!   CpuDescriptorHandle --> DescriptorSpace --> slot --> groups, made when needed, of
//!                                                        chunks of 64 descriptors, a lock each
//! ```
//! A handle is a number. [`space`] gives out ranges of numbers, never one twice, and finds heap and index of a
//! handle again, without a lock: one that leads nowhere is refused, also that of a heap which is gone. Views are judged when
//! they are created ([`check`]), and name their resource by a key ([`targets`]) that does not keep it alive: that
//! it still exists is asked when a view is used ([`read`]).

mod check;
mod copy;
mod create;
mod handle;
mod read;
mod shape;
mod space;
mod stored;
mod targets;

use core::fmt;
use std::sync::{Arc, OnceLock, Weak};

use heapstone_kernel::{Allocation, AllocationDesc, PageSize, Placement};

use heapstone_spec::Violation;
use heapstone_spec::caps::ResourceBindingTier;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{
    CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapFlags, DescriptorHeapType, GpuDescriptorHandle,
};

use crate::device::{Device, DeviceInner, DeviceRef};
use crate::error::Error;
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};
use crate::validate::node::one_node;
pub use copy::DescriptorRanges;
pub use read::{
    ConstantBufferView, DepthStencilView, RenderTargetView, ShaderResourceView, UnorderedAccessView,
};
pub use shape::{TextureRange, ViewRange};
pub(crate) use space::DescriptorSpace;
use space::Storage;
pub(crate) use targets::{KeptKey, ViewTargets};

/// A descriptor heap. A cheap handle; the heap dies with the last one, and its descriptors' handles lead
/// nowhere then.
#[derive(Clone)]
pub struct DescriptorHeap {
    inner: Arc<HeapInner>,
}

/// A descriptor heap that is not kept alive.
#[derive(Clone)]
pub(crate) struct WeakDescriptorHeap(Weak<HeapInner>);

struct HeapInner {
    device: DeviceRef,
    storage: Storage,
    /// Its memory, from the first residency call on that names it.
    allocation: OnceLock<Allocation>,
    id: ObjectId,
    labels: Labels,
}

/// Where a descriptor handle leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorPlace {
    /// The heap's description.
    pub heap: DescriptorHeapDesc,
    /// The heap's first handle, by which heaps differ.
    pub heap_start: CpuDescriptorHandle,
    /// Descriptors from there.
    pub index: u32,
}

impl Device {
    /// ID3D12Device::CreateDescriptorHeap.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `descriptor_heap.*`; [`Error::OutOfMemory`].
    pub fn create_descriptor_heap(&self, desc: &DescriptorHeapDesc) -> Result<DescriptorHeap, Error> {
        let id = self.inner.new_object();
        let result = self.create_descriptors_unobserved(desc, id);
        self.inner.observe(|| Call::CreateDescriptorHeap {
            object: id,
            desc,
            cpu_start: result
                .as_ref()
                .map_or_else(|_| CpuDescriptorHandle::default(), DescriptorHeap::cpu_start),
            gpu_start: result.as_ref().ok().and_then(|heap| heap.gpu_start().ok()),
            increment: self.descriptor_handle_increment_size(desc.heap_type),
            outcome: result.as_ref().map(|_| ()),
        });
        result
    }

    fn create_descriptors_unobserved(
        &self,
        desc: &DescriptorHeapDesc,
        id: ObjectId,
    ) -> Result<DescriptorHeap, Error> {
        check_heap(&self.inner, desc)?;
        let storage = self.inner.descriptors.create(desc)?;
        let inner = HeapInner {
            device: self.reference(),
            storage,
            allocation: OnceLock::new(),
            id,
            labels: Labels::default(),
        };
        Ok(DescriptorHeap { inner: Arc::new(inner) })
    }

    /// ID3D12Device::GetDescriptorHandleIncrementSize: what lies between the handles of two neighbours in a
    /// heap of that type.
    #[must_use]
    pub fn descriptor_handle_increment_size(&self, heap_type: DescriptorHeapType) -> u32 {
        1 << increment_log2(heap_type)
    }

    /// Where a CPU handle leads. D3D12 does not tell it; tools want it.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `descriptor.handle`, `descriptor.handle.increment`.
    pub fn locate_cpu_descriptor(&self, handle: CpuDescriptorHandle) -> Result<DescriptorPlace, Error> {
        Ok(self.inner.descriptor_of_cpu(handle)?)
    }

    /// Where a GPU handle leads. D3D12 does not tell it; tools want it.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `descriptor.handle`, `descriptor.handle.increment`.
    pub fn locate_gpu_descriptor(&self, handle: GpuDescriptorHandle) -> Result<DescriptorPlace, Error> {
        Ok(self.inner.descriptor_of_gpu(handle)?)
    }
}

impl DeviceInner {
    pub(crate) fn descriptor_of_cpu(
        &self,
        handle: CpuDescriptorHandle,
    ) -> Result<DescriptorPlace, Box<Violation>> {
        Ok(self.descriptors.find(handle)?.shown())
    }

    pub(crate) fn descriptor_of_gpu(
        &self,
        handle: GpuDescriptorHandle,
    ) -> Result<DescriptorPlace, Box<Violation>> {
        Ok(self.descriptors.find_gpu(handle)?.shown())
    }
}

/// GetDescriptorHandleIncrementSize. Chosen within the 64 bytes that the resource binding specification
/// speaks of, and another for each type, so that a program that mixes types up is found out; powers of two, given
/// by their logarithm, so that no handle needs a division.
const fn increment_log2(heap_type: DescriptorHeapType) -> u32 {
    match heap_type {
        DescriptorHeapType::CbvSrvUav => 6,
        DescriptorHeapType::Sampler => 4,
        DescriptorHeapType::Rtv => 5,
        DescriptorHeapType::Dsv => 3,
    }
}

fn check_heap(device: &DeviceInner, desc: &DescriptorHeapDesc) -> Result<(), Box<Violation>> {
    let (heap_type, count) = (desc.heap_type, desc.descriptor_count);
    if count == 0 {
        return Err(rules::HEAP_COUNT_ZERO.violated("NumDescriptors", count, "at least 1"));
    }
    let unknown = desc.flags.difference(DescriptorHeapFlags::all());
    if !unknown.is_empty() {
        return Err(rules::HEAP_FLAGS_UNRECOGNIZED.violated(
            "Flags",
            format_args!("{:#x}", desc.flags.bits()),
            format_args!("bits of {:#x}", DescriptorHeapFlags::all().bits()),
        ));
    }
    if desc.is_shader_visible() {
        check_visible_count(device, heap_type, count)?;
    }
    one_node(&device.adapter.profile.memory, &rules::HEAP_NODE, "NodeMask", desc.node_mask).map(drop)
}

fn check_visible_count(
    device: &DeviceInner,
    heap_type: DescriptorHeapType,
    count: u32,
) -> Result<(), Box<Violation>> {
    let caps = &device.layout_rules.caps;
    let (rule, maximum) = match heap_type {
        DescriptorHeapType::Rtv | DescriptorHeapType::Dsv => {
            return Err(rules::HEAP_SHADER_VISIBLE.violated(
                "Flags",
                format_args!("SHADER_VISIBLE of a heap of type {heap_type}"),
                "NONE; SHADER_VISIBLE of CBV_SRV_UAV and SAMPLER",
            ));
        }
        DescriptorHeapType::Sampler => (&rules::HEAP_SAMPLERS_MAX, caps.sampler_heap_descriptors_max),
        DescriptorHeapType::CbvSrvUav => (&rules::HEAP_VIEWS_MAX, caps.view_heap_descriptors_max()),
    };
    if count <= maximum {
        return Ok(());
    }
    let whose = match (heap_type, caps.resource_binding_tier) {
        (DescriptorHeapType::Sampler, _) => "this adapter (MaxSamplerDescriptorHeapSize)".to_owned(),
        (_, ResourceBindingTier::Tier3) => "this adapter (MaxViewDescriptorHeapSize)".to_owned(),
        (_, tier) => format!("resource binding tier {}", u32::from(tier)),
    };
    Err(rule.violated("NumDescriptors", count, format!("at most {maximum} on {whose}")))
}

impl DescriptorHeap {
    pub(crate) fn device_inner(&self) -> &DeviceInner {
        &self.inner.device
    }

    /// Its memory, for residency: system memory, which the driver keeps descriptors in (chosen).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn allocation(&self) -> Result<&Allocation, Error> {
        if let Some(allocation) = self.inner.allocation.get() {
            return Ok(allocation);
        }
        let desc = self.desc();
        let size = u64::from(desc.descriptor_count) << increment_log2(desc.heap_type);
        let allocated = self.inner.device.process.allocate(&AllocationDesc {
            size,
            page_size: PageSize::FourKib,
            alignment: PageSize::FourKib.alignment(),
            placement: Placement::L0,
            with_virtual_address: false,
            ..AllocationDesc::heap(size)
        });
        self.inner.device.carry_out_if_any();
        let made = allocated?;
        if let Err(second) = self.inner.allocation.set(made) {
            // Another thread was faster.
            self.inner.device.process.free(second);
        }
        Ok(self.inner.allocation.get().expect("invariant: it was set"))
    }

    /// ID3D12DescriptorHeap::GetDesc.
    #[must_use]
    pub fn desc(&self) -> DescriptorHeapDesc {
        self.inner.storage.desc()
    }

    /// ID3D12DescriptorHeap::GetCPUDescriptorHandleForHeapStart. Handles of heaps that are gone are not given
    /// again (chosen, so that a stale one is refused and does not lead to another heap's descriptor).
    #[must_use]
    pub fn cpu_start(&self) -> CpuDescriptorHandle {
        self.inner.storage.cpu_start()
    }

    /// ID3D12DescriptorHeap::GetGPUDescriptorHandleForHeapStart. No GPU handle is a CPU handle as well
    /// (chosen, so that one given for the other is refused).
    ///
    /// # Errors
    /// [`Error::Invalid`] (`descriptor_heap.gpu_start`) where shaders do not see the heap: D3D12 answers 0, and
    /// the debug layer an error.
    pub fn gpu_start(&self) -> Result<GpuDescriptorHandle, Error> {
        if !self.desc().is_shader_visible() {
            return Err(rules::HEAP_GPU_START
                .violated("Flags", self.desc().flags, DescriptorHeapFlags::SHADER_VISIBLE)
                .into());
        }
        Ok(self.inner.storage.gpu_start())
    }
}

shared_object!(DescriptorHeap);

impl WeakDescriptorHeap {
    pub(crate) fn of(heap: &DescriptorHeap) -> WeakDescriptorHeap {
        WeakDescriptorHeap(Arc::downgrade(&heap.inner))
    }

    pub(crate) fn is(&self, other: &WeakDescriptorHeap) -> bool {
        Weak::ptr_eq(&self.0, &other.0)
    }

    /// The heap, where it lives and is evicted: no residency call that named it left it in memory.
    pub(crate) fn evicted(&self) -> Option<DescriptorHeap> {
        let inner = self.0.upgrade()?;
        let allocation = inner.allocation.get()?;
        let is_evicted = inner.device.process.residency(allocation).segment.is_none();
        is_evicted.then(|| DescriptorHeap { inner: Arc::clone(&inner) })
    }
}

impl fmt::Debug for DescriptorHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DescriptorHeap")
            .field("desc", &self.desc())
            .field("cpu_start", &self.cpu_start())
            .finish_non_exhaustive()
    }
}

impl Drop for HeapInner {
    fn drop(&mut self) {
        self.device.observe(|| Call::Destroy { object: self.id });
        if let Some(allocation) = self.allocation.take() {
            self.device.process.free(allocation);
        }
        self.device.descriptors.remove(&self.storage);
    }
}
