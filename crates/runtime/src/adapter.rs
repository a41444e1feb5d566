//! Adapters: physical memory and a driver, shared by the devices on them.

use std::sync::Arc;

use heapstone_driver::{Backing, Driver, DriverFactory, OpenAdapter};
use heapstone_kernel::residency::{PagingCosts, ResidencyConfig};
use heapstone_kernel::{
    AdapterMemory, BudgetPolicy, FaultPlan, FaultStatistics, MemoryManager, SegmentDesc, SegmentNodes,
};
use heapstone_spec::profile::Memory;
use heapstone_spec::{Profile, SegmentGroup};

use crate::error::{BuildError, Error};
use crate::paging::HeapPager;

/// An adapter. Devices on one adapter share its memory, as processes on one machine do.
#[derive(Clone)]
pub struct Adapter {
    pub(crate) inner: Arc<AdapterInner>,
}

pub(crate) struct AdapterInner {
    pub(crate) profile: Arc<Profile>,
    pub(crate) backing: Backing,
    pub(crate) driver: Arc<dyn Driver>,
    pub(crate) memory: MemoryManager,
    /// Where the driver moves bytes of heaps.
    pub(crate) pager: Option<HeapPager>,
}

impl Adapter {
    /// Opens an adapter of that profile with a driver of that factory.
    ///
    /// # Errors
    /// [`BuildError::Profile`] where the profile contradicts itself, [`BuildError::AdapterMemory`] where the kernel cannot
    /// manage its memory, [`Error::Driver`] where the driver cannot serve it.
    pub fn open(profile: Profile, driver: &dyn DriverFactory, backing: Backing) -> Result<Adapter, Error> {
        profile.check().map_err(BuildError::Profile)?;
        let memory = MemoryManager::new(adapter_memory(&profile)).map_err(BuildError::AdapterMemory)?;
        let mut profile = Arc::new(profile);
        let driver = driver.open(OpenAdapter { profile: Arc::clone(&profile), backing })?;
        // The adapter can do what its driver can; together with the rest of the profile it must make sense.
        let caps = driver.caps();
        if profile.caps != caps {
            let reported = Profile { caps, ..Profile::clone(&profile) };
            reported.check().map_err(BuildError::DriverCaps)?;
            profile = Arc::new(reported);
        }
        let pager = driver.heap_paging().map(HeapPager::new);
        if pager.is_some() {
            memory.keep_paging_operations();
        }
        Ok(Adapter { inner: Arc::new(AdapterInner { profile, backing, driver, memory, pager }) })
    }

    /// What describes it.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.inner.profile
    }

    /// Where its heaps' bytes are.
    #[must_use]
    pub fn backing(&self) -> Backing {
        self.inner.backing
    }

    /// The driver's name.
    #[must_use]
    pub fn driver_name(&self) -> &str {
        self.inner.driver.name()
    }

    /// Its segments with how full each is, in the order of the profile.
    pub fn segments(&self) -> impl Iterator<Item = (&str, heapstone_kernel::RangeStatistics)> {
        let memory = &self.inner.memory;
        memory.segments().map(|segment| (segment.name.as_str(), memory.segment_statistics(segment.id)))
    }

    /// Lets the world take memory that no device here has: other programs' usage, which lowers budgets.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`query.node`) where there is no such node.
    pub fn set_external_usage(&self, node: u32, group: SegmentGroup, bytes: u64) -> Result<(), Error> {
        let set = self.inner.memory.set_external_usage(node, group, bytes);
        self.inner.carry_out_if_any();
        set.map_err(|error| crate::device::unknown_node(error).into())
    }

    /// Makes a plan's faults happen from now on, in place of another's; `None` ends them. Every device on the adapter
    /// meets them: allocations that fail are [`Error::OutOfMemory`], a removal is that of the device whose call comes to
    /// its point. Points are counted over all devices; calls of one thread in the same order meet the same faults.
    pub fn inject_faults(&self, plan: Option<FaultPlan>) {
        self.inner.memory.inject(plan);
    }

    /// What the plan has made happen since it was injected.
    #[must_use]
    pub fn fault_statistics(&self) -> FaultStatistics {
        self.inner.memory.fault_statistics()
    }
}

impl core::fmt::Debug for Adapter {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Adapter")
            .field("profile", &self.inner.profile.name)
            .field("backing", &self.inner.backing)
            .finish_non_exhaustive()
    }
}

/// The kernel's view of a profile's memory; segments keep their order, so that a segment's index is the
/// same in both.
#[must_use]
pub fn adapter_memory(profile: &Profile) -> AdapterMemory {
    let memory = &profile.memory;
    let segments = memory.segments.iter().map(|segment| SegmentDesc {
        name: segment.name.clone(),
        nodes: segment.node.map_or(SegmentNodes::All, SegmentNodes::One),
        pool: kernel_pool(segment.pool),
        size: segment.size,
    });
    AdapterMemory {
        segments: segments.collect(),
        node_count: memory.node_count,
        gpu_va_bits_per_process: profile.gpu_va.bits_per_process,
        budget_policy: BudgetPolicy { usable_permille: memory.budget_permille, ..BudgetPolicy::default() },
        residency: ResidencyConfig {
            costs: paging_costs(memory),
            // For whoever carries them out: an adapter whose driver does asks for them.
            keeps_operations: false,
            ..ResidencyConfig::default()
        },
    }
}

/// Paging passes the slowest segment, and fills the fastest.
fn paging_costs(memory: &Memory) -> PagingCosts {
    let rates = || memory.segments.iter().map(|segment| segment.bandwidth_bytes_per_second.max(1));
    let default = PagingCosts::default();
    PagingCosts {
        bus_bytes_per_second: rates().min().unwrap_or(default.bus_bytes_per_second),
        fill_bytes_per_second: rates().max().unwrap_or(default.fill_bytes_per_second),
        ..default
    }
}

fn kernel_pool(pool: heapstone_spec::MemoryPool) -> heapstone_kernel::MemoryPool {
    match pool {
        heapstone_spec::MemoryPool::L1 => heapstone_kernel::MemoryPool::L1,
        // A profile's segment is never of an unknown pool: `Profile::check` refuses it.
        heapstone_spec::MemoryPool::L0 | heapstone_spec::MemoryPool::Unknown => {
            heapstone_kernel::MemoryPool::L0
        }
    }
}
