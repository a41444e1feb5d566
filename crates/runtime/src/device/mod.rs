//! Devices.

mod anchor;
mod builder;
mod create;
mod existing;
pub mod features;
mod memory;
mod next_address;
mod query;
mod share;

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use heapstone_kernel::{Allocation, Process, UnknownNode};
use heapstone_layout::LayoutRules;
use heapstone_spec::profile::Caps;
use heapstone_spec::rules::mapping as rules;
use heapstone_spec::{HeapType, Profile, ResourceDesc, SdkVersion, SegmentGroup, Violation};
use heapstone_units::GpuVirtualAddress;
use parking_lot::Mutex;

use crate::adapter::{Adapter, AdapterInner};
use crate::address::AddressMap;
use crate::desc::InitialState;
use crate::descriptor::{DescriptorSpace, ViewTargets};
use crate::error::Error;
use crate::gpu::{GpuSlot, Timeline};
use crate::observer::{Call, Notice, ObjectId, Observer, notices};
use crate::residency::DeviceResidency;
use crate::resource::Resource;
use crate::tiles::TilesInFlight;
use crate::validate::beginning::BeginningRules;
use crate::validate::heap::HeapRules;
use anchor::Anchors;
pub(crate) use anchor::{DeviceRef, stripe};
pub use builder::DeviceBuilder;
use heapstone_driver::paging::PagingStatistics as HeapPagingStatistics;
use memory::ShaderAtomicsBudget;
pub use next_address::GpuVirtualAddressRange;
use next_address::NextAddresses;

/// A device: a process on an adapter, under the rules of one SDK version. A cheap handle; all of it is
/// free-threaded.
#[derive(Clone)]
pub struct Device {
    pub(crate) inner: Arc<DeviceInner>,
    anchors: Arc<Anchors>,
}

pub(crate) struct DeviceInner {
    pub(crate) adapter: Arc<AdapterInner>,
    pub(crate) sdk: SdkVersion,
    pub(crate) layout_rules: LayoutRules,
    pub(crate) process: Process,
    pub(crate) atomics: ShaderAtomicsBudget,
    /// Who has which GPU virtual addresses.
    pub(crate) addresses: AddressMap,
    pub(crate) residency: DeviceResidency,
    pub(crate) gpu: GpuSlot,
    pub(crate) next_addresses: NextAddresses,
    pub(crate) descriptors: DescriptorSpace,
    pub(crate) view_targets: ViewTargets,
    pub(crate) tiles_in_flight: TilesInFlight,
    observation: Option<Observation>,
    /// Those of its handles, while there are handles.
    anchors: Mutex<Weak<Anchors>>,
}

/// There on observed devices only: others share no counter between threads.
struct Observation {
    observer: Arc<dyn Observer>,
    last_id: AtomicU64,
}

impl Device {
    /// Builds a device: a profile with a driver, or an adapter; an SDK version; where bytes are; who watches.
    ///
    /// ```
    /// # use heapstone::*;
    /// # fn show(driver: &dyn DriverFactory) -> Result<(), Error> {
    /// let profile = Profile::builtin("discrete-8g").expect("a built-in profile");
    /// let device = Device::builder()
    ///     .profile(profile)
    ///     .driver(driver)
    ///     .backing(Backing::Phantom)
    ///     .sdk(SdkVersion::V618)
    ///     .build()?;
    /// let heap = device.create_heap(&HeapDesc::new(64 << 20, HeapType::Default))?;
    /// let buffer = device.create_placed_resource(&heap, 0, &PlacedResourceDesc::new(ResourceDesc::buffer(1000)))?;
    /// assert_eq!(buffer.size(), 65_536);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn builder<'a>() -> DeviceBuilder<'a> {
        DeviceBuilder::default()
    }

    /// The adapter it is on.
    #[must_use]
    pub fn adapter(&self) -> Adapter {
        Adapter { inner: Arc::clone(&self.inner.adapter) }
    }

    /// The adapter's profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.inner.adapter.profile
    }

    /// What the adapter can do, as far as the SDK version knows it: what CheckFeatureSupport tells.
    #[must_use]
    pub fn caps(&self) -> &Caps {
        &self.inner.layout_rules.caps
    }

    /// The SDK version whose rules hold.
    #[must_use]
    pub fn sdk(&self) -> SdkVersion {
        self.inner.sdk
    }

    /// The handle of a device that an object holds: also when the last handle is gone, since objects hold
    /// their device publicly (facts/behaviour.md, Creation).
    pub(crate) fn of(device: &DeviceRef) -> Device {
        let inner = Arc::clone(device.inner());
        let mut kept = inner.anchors.lock();
        let anchors = kept.upgrade().unwrap_or_else(|| {
            let anchors = Anchors::new(&inner);
            *kept = Arc::downgrade(&anchors);
            anchors
        });
        drop(kept);
        Device { inner, anchors }
    }

    fn new(inner: DeviceInner) -> Device {
        let inner = Arc::new(inner);
        let anchors = Anchors::new(&inner);
        *inner.anchors.lock() = Arc::downgrade(&anchors);
        Device { inner, anchors }
    }

    /// What its queues and fences have in common.
    pub(crate) fn timeline(&self) -> &Arc<Timeline> {
        self.anchors.timeline()
    }

    /// What an object that the current thread creates holds.
    #[inline]
    pub(crate) fn reference(&self) -> DeviceRef {
        self.anchors.reference()
    }
}

impl DeviceInner {
    pub(crate) fn segment_group_of(&self, allocation: &Allocation) -> SegmentGroup {
        let mut segments = self.adapter.memory.segments();
        let segment = segments.find(|segment| segment.id == allocation.segment());
        segment.expect("invariant: an allocation lies in a segment of its manager").group
    }

    /// Whether somebody watches.
    #[inline]
    pub(crate) const fn is_observed(&self) -> bool {
        self.observation.is_some()
    }

    /// Tells the observer, where there is one; `call` is not evaluated otherwise.
    #[inline]
    pub(crate) fn observe<'a>(&self, call: impl FnOnce() -> Call<'a>) {
        if let Some(observation) = &self.observation {
            observation.observer.observe(&call());
        }
    }

    /// Whose `address` is, and the offset in bytes there; `None` of nobody's.
    pub(crate) fn place_of(&self, address: GpuVirtualAddress) -> Option<(ObjectId, u64)> {
        self.addresses.place(address)
    }

    /// Tells the observer, where there is one, what was paged so far.
    pub(crate) fn observe_paging(&self, statistics: &HeapPagingStatistics) {
        if let Some(observation) = &self.observation {
            observation.observer.paged(statistics);
        }
    }

    /// Tells the observer, where there is one, what the debug layer would say.
    pub(crate) fn notice(&self, notice: impl FnOnce() -> Notice) {
        if let Some(observation) = &self.observation {
            observation.observer.notice(&notice());
        }
    }

    /// Tells the observer what there is to say of a resource that was created.
    fn notify(
        &self,
        given: &ResourceDesc,
        initial: InitialState,
        heap_type: Option<HeapType>,
        created: &Result<Resource, Error>,
    ) {
        if let (Some(observation), Ok(created)) = (&self.observation, created) {
            for notice in notices(given, initial, heap_type, created) {
                observation.observer.notice(&notice);
            }
        }
    }

    #[inline]
    pub(crate) fn new_object(&self) -> ObjectId {
        match &self.observation {
            // Relaxed: only that numbers differ matters.
            Some(observation) => ObjectId(observation.last_id.fetch_add(1, Ordering::Relaxed) + 1),
            None => ObjectId(0),
        }
    }

    fn heap_rules(&self) -> HeapRules<'_> {
        HeapRules { profile: &self.adapter.profile, sdk: self.sdk, caps: &self.layout_rules.caps }
    }

    fn beginning_rules(&self) -> BeginningRules<'_> {
        BeginningRules { profile: &self.adapter.profile, sdk: self.sdk, caps: &self.layout_rules.caps }
    }
}

impl PartialEq for Device {
    /// Whether both are the same object.
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("profile", &self.inner.adapter.profile.name)
            .field("sdk", &self.inner.sdk)
            .finish_non_exhaustive()
    }
}

/// The kernel's refusal of a node, as the rule that it is.
pub(crate) fn unknown_node(error: UnknownNode) -> Box<Violation> {
    rules::QUERY_NODE.violated("NodeIndex", error.given, format_args!("0 to {}", error.node_count - 1))
}
