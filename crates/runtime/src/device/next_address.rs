//! Creation at a given GPU virtual address: what capture tools use to play a recording back in another
//! process (Microsoft's specification Recreate at GPUVA; ID3D12DeviceTools, ID3D12PageableTools).

use core::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use heapstone_spec::rules::address as rules;
use heapstone_spec::{ResourceDesc, SdkVersion, Violation};
use heapstone_units::GpuVirtualAddress;
use parking_lot::Mutex;

use super::{Device, DeviceInner};
use crate::error::Error;
use crate::heap::Heap;
use crate::observer::Call;
use crate::resource::Resource;

/// D3D12_GPU_VIRTUAL_ADDRESS_RANGE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GpuVirtualAddressRange {
    /// StartAddress.
    pub start_address: GpuVirtualAddress,
    /// SizeInBytes.
    pub size_in_bytes: u64,
}

/// The addresses that threads have set and not used yet.
pub(crate) struct NextAddresses {
    /// Those of `by_thread`, readable without its lock.
    count: AtomicUsize,
    by_thread: Mutex<Vec<(ThreadId, GpuVirtualAddress)>>,
}

impl NextAddresses {
    pub(crate) const fn new() -> NextAddresses {
        NextAddresses { count: AtomicUsize::new(0), by_thread: Mutex::new(Vec::new()) }
    }

    /// What the current thread has set. One relaxed load where no thread has: a thread sees what it
    /// stored itself.
    #[inline]
    pub(super) fn get(&self) -> Option<GpuVirtualAddress> {
        if self.count.load(Ordering::Relaxed) == 0 { None } else { self.get_own() }
    }

    #[cold]
    fn get_own(&self) -> Option<GpuVirtualAddress> {
        let own = thread::current().id();
        self.by_thread.lock().iter().find(|(thread, _)| *thread == own).map(|(_, address)| *address)
    }

    /// Sets the current thread's, or forgets it.
    #[cold]
    fn set(&self, address: Option<GpuVirtualAddress>) {
        let own = thread::current().id();
        let mut by_thread = self.by_thread.lock();
        by_thread.retain(|(thread, _)| *thread != own);
        by_thread.extend(address.map(|address| (own, address)));
        self.count.store(by_thread.len(), Ordering::Relaxed);
    }

    /// Creates something that is not what the current thread has set the address for.
    pub(crate) fn set_aside<T>(&self, create: impl FnOnce() -> T) -> T {
        let address = self.get();
        if address.is_some() {
            self.set(None);
        }
        let created = create();
        if address.is_some() {
            self.set(address);
        }
        created
    }

    /// The object is created at the address: the next one is not.
    #[inline]
    pub(super) fn used(&self, address: Option<GpuVirtualAddress>) {
        if address.is_some() {
            self.set(None);
        }
    }
}

impl Device {
    /// ID3D12DeviceTools::SetNextAllocationAddress: the next heap or buffer that the current thread creates lies
    /// at `address`; 0 takes it back. It holds until something is created, so also past a creation that was
    /// refused, as after an error nothing has changed.
    ///
    /// A placed buffer lies where its heap does: its address is checked only.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `address.sdk`. What is wrong with the address itself the creation tells, by a rule of
    /// `address.*`.
    pub fn set_next_allocation_address(&self, address: GpuVirtualAddress) -> Result<(), Error> {
        let result = self.set_next_address(address).map_err(Error::from);
        self.inner.observe(|| Call::SetNextAllocationAddress { address, outcome: result.as_ref().copied() });
        result
    }

    fn set_next_address(&self, address: GpuVirtualAddress) -> Result<(), Box<Violation>> {
        check_sdk("ID3D12DeviceTools", self.sdk())?;
        self.inner.next_addresses.set(Some(address).filter(|address| address.0 != 0));
        Ok(())
    }
}

/// That the SDK version knows given addresses.
pub(super) fn check_sdk(field: &'static str, sdk: SdkVersion) -> Result<(), Box<Violation>> {
    if sdk >= SdkVersion::V614 {
        return Ok(());
    }
    let newer = format_args!("SDK {} or newer", SdkVersion::V614);
    Err(rules::SDK.violated(field, format_args!("SDK {sdk}"), newer))
}

impl DeviceInner {
    /// Where the resource is to lie, where the thread has set that.
    #[inline]
    pub(super) fn next_buffer_address(
        &self,
        desc: &ResourceDesc,
    ) -> Result<Option<GpuVirtualAddress>, Box<Violation>> {
        match self.next_addresses.get() {
            Some(address) if !desc.is_buffer() => Err(not_a_buffer(desc, address)),
            address => Ok(address),
        }
    }
}

#[cold]
fn not_a_buffer(desc: &ResourceDesc, address: GpuVirtualAddress) -> Box<Violation> {
    rules::KIND.violated(
        "D3D12_RESOURCE_DESC.Dimension",
        format_args!("{}, at {address}", desc.dimension),
        "BUFFER at a given address",
    )
}

/// Whether a placed buffer would lie where it is to.
#[inline]
pub(super) fn check_placed_address(
    wanted: Option<GpuVirtualAddress>,
    address: GpuVirtualAddress,
) -> Result<(), Box<Violation>> {
    match wanted {
        Some(wanted) if wanted != address => Err(misplaced(wanted, address)),
        _ => Ok(()),
    }
}

#[cold]
fn misplaced(wanted: GpuVirtualAddress, address: GpuVirtualAddress) -> Box<Violation> {
    rules::PLACED.violated(
        "SetNextAllocationAddress",
        wanted,
        format_args!("{address}, where its heap puts it"),
    )
}

impl Heap {
    /// ID3D12PageableTools::GetAllocation: the addresses that it takes.
    #[must_use]
    pub fn allocation(&self) -> GpuVirtualAddressRange {
        let addresses = self.inner.core.addresses();
        GpuVirtualAddressRange {
            start_address: GpuVirtualAddress(addresses.begin),
            size_in_bytes: addresses.size(),
        }
    }
}

impl Resource {
    /// ID3D12PageableTools::GetAllocation: the addresses that it takes; of a placed one those of its heap
    /// where it lies.
    #[must_use]
    pub fn allocation(&self) -> GpuVirtualAddressRange {
        GpuVirtualAddressRange {
            start_address: self.inner.gpu_virtual_address,
            size_in_bytes: self.inner.size,
        }
    }
}
