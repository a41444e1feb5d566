//! Processes: who has memory, addresses and budgets.

use std::sync::{Arc, OnceLock};

use heapstone_units::{Alignment, ByteRange, GpuVirtualAddress};
use parking_lot::Mutex;

use crate::address_space::{AddressSpace, VirtualRange};
use crate::allocation::{Allocation, AllocationDesc, Place};
use crate::budget::{
    BudgetCookie, BudgetNotification, ProcessBudgets, ProcessRole, VideoMemoryInfo, group_index,
};
use crate::error::{
    AddressUnavailable, AllocateError, OutOfProcessIdentifiers, ReservationError, ReserveAddressError,
    UnknownNode,
};
use crate::fault::AllocationStep;
use crate::home::Home;
use crate::manager::{ManagerInner, Placed, ProcessDesc};
use crate::range_allocator::{Owner, RangeView};
use crate::sharded::Blocks;
use crate::statistics::RangeStatistics;
use crate::usage::UsageCounters;
use heapstone_spec::SegmentGroup;

/// A process of a [`crate::MemoryManager`]. A cheap handle: clones are the same process. Free-threaded.
///
/// The process ends when its last handle is dropped: all that it still has is freed, and the budgets of the
/// others rise.
#[derive(Clone, Debug)]
pub struct Process {
    inner: Arc<ProcessInner>,
}

#[derive(Debug)]
pub(crate) struct ProcessInner {
    manager: Arc<ManagerInner>,
    pub(crate) id: Owner,
    addresses: AddressSpace,
    pub(crate) usage: Arc<UsageCounters>,
    pub(crate) budgets: Arc<ProcessBudgets>,
}

impl Process {
    pub(crate) fn new(
        manager: Arc<ManagerInner>,
        desc: ProcessDesc,
    ) -> Result<Process, OutOfProcessIdentifiers> {
        let (id, budgets) = manager.budgets.add_process(desc.role)?;
        let addresses = AddressSpace::new(manager.gpu_va_bits);
        let usage = Arc::new(UsageCounters::new(group_index(manager.node_count(), SegmentGroup::Local)));
        manager.trim_to_budgets();
        Ok(Process { inner: Arc::new(ProcessInner { manager, id, addresses, usage, budgets }) })
    }

    /// Its identifier, which owns its ranges in [`crate::MemoryManager::segment_ranges`]. A manager uses none
    /// twice.
    #[must_use]
    pub fn id(&self) -> Owner {
        self.inner.id
    }

    /// Takes memory, and virtual addresses where asked; both or neither.
    pub fn allocate(&self, desc: &AllocationDesc) -> Result<Allocation, AllocateError> {
        self.allocate_with(desc, |process, home, size| process.take_addresses(home, desc, size))
    }

    /// As [`Process::allocate`], with the virtual addresses from `address` on, whatever the description says
    /// of them: what D3D12's tools ask for with SetNextAllocationAddress. Linear in the process's free ranges.
    ///
    /// # Errors
    /// [`AllocateError::AddressUnavailable`] besides, which names what is in the way.
    pub fn allocate_at(
        &self,
        desc: &AllocationDesc,
        address: GpuVirtualAddress,
    ) -> Result<Allocation, AllocateError> {
        let desc = AllocationDesc { with_virtual_address: true, ..*desc };
        self.allocate_with(&desc, |process, _home, size| process.take_addresses_at(address, &desc, size))
    }

    #[inline(always)]
    fn allocate_with(
        &self,
        desc: &AllocationDesc,
        take_addresses: impl FnOnce(&ProcessInner, Home, u64) -> Result<Blocks, AllocateError>,
    ) -> Result<Allocation, AllocateError> {
        let process = &*self.inner;
        let manager = &*process.manager;
        manager.pass_point(process);
        if desc.size == 0 {
            return Err(AllocateError::SizeIsZero);
        }
        let Some(size) = desc.page_size.alignment().align_up(desc.size) else {
            return Err(manager.out_of_video_memory(desc, 0));
        };
        let home = Home::in_manager(manager.identity);
        let Placed { segment, group, demoted, blocks } = manager.place(home, desc, size, process.id)?;
        let mut addresses = None;
        if desc.with_virtual_address {
            match take_addresses(process, home, size) {
                Ok(taken) => addresses = Some(taken),
                Err(error) => {
                    manager.segment(segment).space.free(blocks);
                    return Err(error);
                }
            }
        }
        process.usage.add(home, group_index(desc.node, group), size);
        Ok(Allocation {
            owner: process.id,
            size,
            node: desc.node,
            alignment: desc.alignment,
            page_size: desc.page_size,
            placement: desc.placement,
            contiguous: desc.contiguous,
            addresses,
            place: Mutex::new(Place { segment, demoted, blocks: Some(blocks) }),
            managed: OnceLock::new(),
        })
    }

    /// Addresses for an allocation, and no memory.
    pub(crate) fn allocate_addresses(&self, desc: &AllocationDesc) -> Result<Allocation, AllocateError> {
        let process = &*self.inner;
        let manager = &*process.manager;
        manager.pass_point(process);
        if desc.size == 0 {
            return Err(AllocateError::SizeIsZero);
        }
        let Some(size) = desc.page_size.alignment().align_up(desc.size) else {
            return Err(manager.out_of_video_memory(desc, 0));
        };
        let segment = manager.candidates(desc)?[0];
        let home = Home::in_manager(manager.identity);
        let addresses = match desc.with_virtual_address {
            true => Some(process.take_addresses(home, desc, size)?),
            false => None,
        };
        Ok(Allocation {
            owner: process.id,
            size,
            node: desc.node,
            alignment: desc.alignment,
            page_size: desc.page_size,
            placement: desc.placement,
            contiguous: desc.contiguous,
            addresses,
            place: Mutex::new(Place { segment, demoted: false, blocks: None }),
            managed: OnceLock::new(),
        })
    }

    pub(crate) fn inner(&self) -> &ProcessInner {
        &self.inner
    }

    pub(crate) fn memory(&self) -> &ManagerInner {
        &self.inner.manager
    }

    /// Gives an allocation back, at once: its memory and its addresses.
    ///
    /// # Panics
    /// When it is of another process: a bug of the caller.
    pub fn free(&self, allocation: Allocation) {
        let process = &*self.inner;
        let manager = &*process.manager;
        assert!(allocation.owner == process.id, "bug: an allocation is freed by another process");
        let home = Home::in_manager(manager.identity);
        if let Some(blocks) = allocation.addresses {
            process.addresses.release(blocks);
        }
        let place = match allocation.managed.into_inner() {
            None => allocation.place.into_inner(),
            Some(managed) => manager.forget(&managed),
        };
        if let Some(blocks) = place.blocks {
            let segment = manager.segment(place.segment);
            process.usage.subtract(home, group_index(allocation.node, segment.info.group), allocation.size);
            segment.space.free(blocks);
        }
    }

    /// Takes `size` bytes of virtual addresses, rounded up to 4 KiB, at a multiple of `alignment`, at least
    /// 4 KiB: for reserved resources, and for resources that do not use their heap's addresses.
    pub fn reserve_virtual_address(
        &self,
        size: u64,
        alignment: Alignment,
    ) -> Result<VirtualRange, ReserveAddressError> {
        let process = &*self.inner;
        if size != 0 && process.manager.refuses(AllocationStep::TakeVirtualAddress) {
            return Err(process.addresses.shortage(size, alignment, true).into());
        }
        let home = Home::in_manager(process.manager.identity);
        process.addresses.reserve(home, size, alignment, process.id)
    }

    /// As [`Process::reserve_virtual_address`], from `address` on. Linear in the process's free ranges.
    ///
    /// # Errors
    /// [`ReserveAddressError::AddressUnavailable`] besides, which names what is in the way.
    pub fn reserve_virtual_address_at(
        &self,
        address: GpuVirtualAddress,
        size: u64,
        alignment: Alignment,
    ) -> Result<VirtualRange, ReserveAddressError> {
        let process = &*self.inner;
        if size != 0 && process.manager.refuses(AllocationStep::TakeVirtualAddress) {
            return Err(process.addresses.shortage(size, alignment, true).into());
        }
        process.addresses.reserve_at(address, size, alignment, process.id)
    }

    /// Keeps ranges of addresses, in whole pages of 4 KiB, for what is created at given ones: nothing else lies
    /// there while the process lives, and they count as used. They may overlap. Once, before anything is taken.
    ///
    /// # Errors
    /// The first range that does not lie in the space; none is kept then.
    ///
    /// # Panics
    /// The second time: a bug of the caller.
    pub fn set_aside_virtual_addresses(&self, ranges: &[ByteRange]) -> Result<(), Box<AddressUnavailable>> {
        self.inner.addresses.set_aside(ranges, self.inner.id)
    }

    /// Gives an address range back.
    ///
    /// # Panics
    /// When it is of another process: a bug of the caller.
    pub fn release_virtual_address(&self, range: VirtualRange) {
        assert!(range.owner == self.inner.id, "bug: an address range is released by another process");
        self.inner.addresses.release(range.blocks);
    }

    /// How full the virtual address space is. Its capacity is `2^bits` less the 64 KiB at its start.
    #[must_use]
    pub fn virtual_address_statistics(&self) -> RangeStatistics {
        self.inner.addresses.statistics()
    }

    /// The limit of its virtual addresses: all are below `2^bits`.
    #[must_use]
    pub fn virtual_address_bits(&self) -> u32 {
        self.inner.addresses.limit_bits()
    }

    /// The virtual address ranges of one moment, in address order.
    #[must_use]
    pub fn virtual_ranges(&self) -> Vec<RangeView> {
        self.inner.addresses.ranges()
    }

    /// Bytes that it has in a node's group.
    pub fn usage(&self, node: u32, group: SegmentGroup) -> Result<u64, UnknownNode> {
        self.inner.manager.check_node(node)?;
        Ok(self.inner.usage.get(group_index(node, group)))
    }

    /// Its budget, usage and reservation (IDXGIAdapter3::QueryVideoMemoryInfo). All 0 for the non-local
    /// group with unified memory.
    pub fn query_video_memory_info(
        &self,
        node: u32,
        group: SegmentGroup,
    ) -> Result<VideoMemoryInfo, UnknownNode> {
        let usage = self.usage(node, group)?;
        let process = &*self.inner;
        Ok(process.manager.budgets.info(&process.budgets, group_index(node, group), usage))
    }

    /// Reserves `bytes` in all (IDXGIAdapter3::SetVideoMemoryReservation), at most
    /// [`VideoMemoryInfo::available_for_reservation`]. It never raises the budget: it is a hint of the least
    /// working set, and it bounds the budgets of other processes.
    pub fn set_video_memory_reservation(
        &self,
        node: u32,
        group: SegmentGroup,
        bytes: u64,
    ) -> Result<(), ReservationError> {
        let process = &*self.inner;
        process.manager.check_node(node)?;
        process.manager.budgets.set_reservation(process.id, group_index(node, group), bytes)?;
        process.manager.trim_to_budgets();
        Ok(())
    }

    /// Sets the budget outright, or leaves it to the formula again: for tests that provoke pressure.
    pub fn set_budget(&self, node: u32, group: SegmentGroup, budget: Option<u64>) -> Result<(), UnknownNode> {
        let process = &*self.inner;
        process.manager.check_node(node)?;
        process.manager.budgets.set_override(process.id, group_index(node, group), budget);
        process.manager.trim_to_budgets();
        Ok(())
    }

    /// Its role.
    #[must_use]
    pub fn role(&self) -> ProcessRole {
        self.inner.manager.budgets.role(self.inner.id)
    }

    /// Gives it another role, which changes everybody's budgets.
    pub fn set_role(&self, role: ProcessRole) {
        self.inner.manager.budgets.set_role(self.inner.id, role);
        self.inner.manager.trim_to_budgets();
    }

    /// Has `notification` called whenever one of this process's budgets changes
    /// (IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent). See [`crate::budget`] for when.
    pub fn register_budget_notification(&self, notification: BudgetNotification) -> BudgetCookie {
        self.inner.manager.budgets.register(self.inner.id, notification)
    }

    /// Ends the calls of a notification; whether `cookie` named one of this process. A call that another
    /// thread has begun may still run.
    pub fn unregister_budget_notification(&self, cookie: BudgetCookie) -> bool {
        self.inner.manager.budgets.unregister(self.inner.id, cookie)
    }
}

impl ProcessInner {
    #[inline]
    fn take_addresses(&self, home: Home, desc: &AllocationDesc, size: u64) -> Result<Blocks, AllocateError> {
        let alignment = desc.alignment.max(desc.page_size.alignment());
        let injected = self.manager.refuses(AllocationStep::TakeVirtualAddress);
        let blocks = if injected { None } else { self.addresses.take(home, size, alignment, self.id) };
        blocks.ok_or_else(|| {
            AllocateError::OutOfVirtualAddress(self.addresses.shortage(desc.size, alignment, injected))
        })
    }

    #[cold]
    fn take_addresses_at(
        &self,
        address: GpuVirtualAddress,
        desc: &AllocationDesc,
        size: u64,
    ) -> Result<Blocks, AllocateError> {
        let alignment = desc.alignment.max(desc.page_size.alignment());
        if self.manager.refuses(AllocationStep::TakeVirtualAddress) {
            let shortage = self.addresses.shortage(desc.size, alignment, true);
            return Err(AllocateError::OutOfVirtualAddress(shortage));
        }
        Ok(self.addresses.take_at(address, size, alignment, self.id)?)
    }
}

impl Drop for ProcessInner {
    fn drop(&mut self) {
        self.manager.pager.lock().remove_process(self.id);
        for segment in &self.manager.segments {
            // Most processes free what they had: then no lock is taken.
            if segment.space.used() > 0 {
                segment.space.free_all_of(self.id);
            }
        }
        self.manager.budgets.remove_process(self.id);
        self.manager.trim_to_budgets();
    }
}
