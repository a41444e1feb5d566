//! Building a device.

use core::sync::atomic::AtomicU64;
use std::sync::{Arc, Weak};

use heapstone_driver::{Backing, DriverFactory};
use heapstone_kernel::{FaultPlan, GPU_VA_BEGIN, Process, ProcessDesc, ProcessRole};
use heapstone_layout::LayoutRules;
use heapstone_scheduler::GpuMode;
use heapstone_spec::rules::address as rules;
use heapstone_spec::{Profile, SdkVersion, Violation};
use heapstone_units::ByteRange;
use parking_lot::Mutex;

use super::memory::ShaderAtomicsBudget;
use super::next_address::{GpuVirtualAddressRange, NextAddresses, check_sdk};
use super::{Device, DeviceInner, Observation};
use crate::adapter::Adapter;
use crate::address::AddressMap;
use crate::descriptor::{DescriptorSpace, ViewTargets};
use crate::error::{BuildError, Error};
use crate::gpu::GpuSlot;
use crate::observer::Observer;
use crate::residency::DeviceResidency;
use crate::tiles::TilesInFlight;

/// What a device is built of. See [`Device::builder`].
#[derive(Default)]
pub struct DeviceBuilder<'a> {
    adapter: Option<Adapter>,
    profile: Option<Profile>,
    driver: Option<&'a dyn DriverFactory>,
    backing: Backing,
    sdk: Option<SdkVersion>,
    role: Option<ProcessRole>,
    observer: Option<Arc<dyn Observer>>,
    reserved_ranges: Vec<GpuVirtualAddressRange>,
    gpu_mode: GpuMode,
    faults: Option<FaultPlan>,
}

impl<'a> DeviceBuilder<'a> {
    /// An adapter that there is: devices on it share its memory. Profile, driver and backing are its own.
    #[must_use]
    pub fn adapter(self, adapter: &Adapter) -> Self {
        DeviceBuilder { adapter: Some(adapter.clone()), ..self }
    }

    /// A profile, for an adapter of the device's own.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        DeviceBuilder { profile: Some(profile), ..self }
    }

    /// The driver of an adapter of the device's own.
    #[must_use]
    pub fn driver(self, driver: &'a dyn DriverFactory) -> Self {
        DeviceBuilder { driver: Some(driver), ..self }
    }

    /// Where the bytes of an adapter of the device's own are; [`Backing::Host`] unless said.
    #[must_use]
    pub fn backing(self, backing: Backing) -> Self {
        DeviceBuilder { backing, ..self }
    }

    /// The SDK version whose rules hold; [`SdkVersion::LATEST`] unless said.
    #[must_use]
    pub fn sdk(self, sdk: SdkVersion) -> Self {
        DeviceBuilder { sdk: Some(sdk), ..self }
    }

    /// What the process is to the user; the foreground unless said. Budgets depend on it.
    #[must_use]
    pub fn role(self, role: ProcessRole) -> Self {
        DeviceBuilder { role: Some(role), ..self }
    }

    /// Who sees every call.
    #[must_use]
    pub fn observer(self, observer: Arc<dyn Observer>) -> Self {
        DeviceBuilder { observer: Some(observer), ..self }
    }

    /// ID3D12Tools1::ReserveGPUVARangesAtCreate: only what is created at a given address
    /// ([`Device::set_next_allocation_address`]) lies in these ranges, which may overlap. They are kept in whole
    /// pages of 4 KiB while the device lives, and each call adds to those before.
    #[must_use]
    pub fn reserve_gpu_va_ranges(mut self, ranges: &[GpuVirtualAddressRange]) -> Self {
        self.reserved_ranges.extend_from_slice(ranges);
        self
    }

    /// When the GPU does its work; [`GpuMode::Immediate`] unless said.
    #[must_use]
    pub fn gpu_mode(self, gpu_mode: GpuMode) -> Self {
        DeviceBuilder { gpu_mode, ..self }
    }

    /// What goes wrong on purpose once the device is built: [`Adapter::inject_faults`].
    #[must_use]
    pub fn faults(self, plan: FaultPlan) -> Self {
        DeviceBuilder { faults: Some(plan), ..self }
    }

    /// Builds it.
    ///
    /// # Errors
    /// [`BuildError::Incomplete`] without an adapter and without profile and driver; those of [`Adapter::open`];
    /// [`BuildError::TooManyDevices`]; [`Error::Invalid`] for ranges to reserve: `address.sdk`, `address.range`.
    pub fn build(self) -> Result<Device, Error> {
        let adapter = match (self.adapter, self.profile, self.driver) {
            (Some(adapter), None, None) => adapter,
            (Some(_), _, _) => {
                return Err(BuildError::Incomplete {
                    what: "either an adapter or a profile with a driver, not both",
                }
                .into());
            }
            (None, Some(profile), Some(driver)) => Adapter::open(profile, driver, self.backing)?,
            (None, None, _) => return Err(BuildError::Incomplete { what: "an adapter or a profile" }.into()),
            (None, Some(_), None) => {
                return Err(BuildError::Incomplete { what: "a driver beside the profile" }.into());
            }
        };
        let adapter = adapter.inner;
        let sdk = self.sdk.unwrap_or(SdkVersion::LATEST);
        let role = self.role.unwrap_or(ProcessRole::Foreground);
        let process =
            adapter.memory.create_process(ProcessDesc { role }).map_err(|_| BuildError::TooManyDevices)?;
        reserve_ranges(&process, &self.reserved_ranges, sdk)?;
        let has_atomics = adapter.profile.caps.cross_node_atomic_shader_instructions;
        let atomics_maximum = has_atomics.then_some(adapter.profile.memory.shader_atomics_heap_bytes_max);
        let inner = DeviceInner {
            layout_rules: LayoutRules::new(&adapter.profile, sdk),
            atomics: ShaderAtomicsBudget::new(atomics_maximum),
            addresses: AddressMap::new(),
            residency: DeviceResidency::default(),
            next_addresses: NextAddresses::new(),
            gpu: GpuSlot::new(self.gpu_mode),
            descriptors: DescriptorSpace::new(),
            view_targets: ViewTargets::new(),
            tiles_in_flight: TilesInFlight::default(),
            observation: self.observer.map(|observer| Observation { observer, last_id: AtomicU64::new(0) }),
            adapter,
            sdk,
            process,
            anchors: Mutex::new(Weak::new()),
        };
        if self.faults.is_some() {
            inner.adapter.memory.inject(self.faults);
        }
        Ok(Device::new(inner))
    }
}

/// Keeps the ranges of ReserveGPUVARangesAtCreate.
fn reserve_ranges(
    process: &Process,
    given: &[GpuVirtualAddressRange],
    sdk: SdkVersion,
) -> Result<(), Box<Violation>> {
    if given.is_empty() {
        return Ok(());
    }
    const FIELD: &str = "ReserveGPUVARangesAtCreate";
    check_sdk(FIELD, sdk)?;
    let outside = |range: &GpuVirtualAddressRange| {
        rules::RANGE.violated(
            FIELD,
            format_args!("{}, {} bytes", range.start_address, range.size_in_bytes),
            format_args!("within {:#x} to {:#x}", GPU_VA_BEGIN.0, 1_u64 << process.virtual_address_bits()),
        )
    };
    let range_of = |range: &GpuVirtualAddressRange| {
        ByteRange::at(range.start_address.0, range.size_in_bytes).ok_or_else(|| outside(range))
    };
    let ranges = given.iter().map(range_of).collect::<Result<Vec<_>, _>>()?;
    process.set_aside_virtual_addresses(&ranges).map_err(|unavailable| {
        outside(&GpuVirtualAddressRange {
            start_address: unavailable.address,
            size_in_bytes: unavailable.size,
        })
    })
}
