//! What a process has of an adapter's memory: the sums over its devices, and notifications that outlive each of them.
//!
//! In D3D12 a process has one budget for each adapter, whatever devices it makes. Here each device is a process of the
//! kernel's; so the process's figures are the sums, and what was registered or reserved with an adapter is passed on
//! to devices that come later.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone::{BudgetCookie, Device, Error, SegmentGroup, VideoMemoryInfo};
use parking_lot::Mutex;

use super::AdapterEntry;
use crate::failure::{Failure, Unknown};

/// Called when a budget of the process has changed.
pub type BudgetChanged = Arc<dyn Fn() + Send + Sync>;

/// What the process asked of an adapter, and its devices there.
#[derive(Default)]
pub(super) struct ProcessMemory(Mutex<State>);

#[derive(Default)]
struct State {
    last_device: u64,
    /// The library's devices that are alive, by the number that they entered with.
    devices: BTreeMap<u64, Live>,
    last_cookie: u32,
    notifications: BTreeMap<u32, BudgetChanged>,
    /// What holds of the process, bytes by node and group. The first of its devices has it, and the next when that goes.
    reservations: BTreeMap<(u32, SegmentGroup), u64>,
    /// As `reservations`; the other devices' budgets are 0.
    budgets: BTreeMap<(u32, SegmentGroup), u64>,
}

/// What a device is given when it comes to be the process's first, or beside the first.
struct Share {
    device: Device,
    reservations: BTreeMap<(u32, SegmentGroup), u64>,
    budgets: BTreeMap<(u32, SegmentGroup), u64>,
}

impl State {
    /// Of the first device: all, so that the sums are what was asked for.
    fn all_for(&self, device: &Device) -> Share {
        Share {
            device: device.clone(),
            reservations: self.reservations.clone(),
            budgets: self.budgets.clone(),
        }
    }

    /// Of a further one: nothing.
    fn nothing_for(&self, device: &Device) -> Share {
        let budgets = self.budgets.keys().map(|place| (*place, 0)).collect();
        Share { device: device.clone(), reservations: BTreeMap::new(), budgets }
    }
}

impl Share {
    /// Without the lock: budgets change, and who is told of it may ask here.
    fn give(self) {
        for ((node, group), bytes) in self.reservations {
            // A reservation is a hint: what is not there any more is not reserved.
            let _ = self.device.set_video_memory_reservation(node, group, bytes);
        }
        for ((node, group), bytes) in self.budgets {
            // The nodes are the adapter's, which all its devices have.
            let _ = self.device.set_budget(node, group, Some(bytes));
        }
    }
}

struct Live {
    device: Device,
    /// The kernel's cookie of each of the process's.
    cookies: BTreeMap<u32, BudgetCookie>,
}

/// A device's entry in its process's memory; whoever made it ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership(u64);

/// DXGI_MEMORY_SEGMENT_GROUP and DXCoreSegmentGroup, which number them alike.
///
/// # Errors
/// A number that is none of its values.
pub fn segment_group(number: u32) -> Result<SegmentGroup, Unknown> {
    match number {
        0 => Ok(SegmentGroup::Local),
        1 => Ok(SegmentGroup::NonLocal),
        _ => Err(Unknown { field: "MemorySegmentGroup", given: u64::from(number) }),
    }
}

impl AdapterEntry {
    /// Counts a device as the process's.
    pub fn enter(&self, device: &Device) -> Membership {
        let mut state = self.memory.0.lock();
        state.last_device += 1;
        let number = state.last_device;
        let share = if state.devices.is_empty() { state.all_for(device) } else { state.nothing_for(device) };
        let cookies =
            state.notifications.iter().map(|(cookie, told)| (*cookie, register(device, told))).collect();
        state.devices.insert(number, Live { device: device.clone(), cookies });
        drop(state);
        share.give();
        Membership(number)
    }

    /// The device goes.
    pub fn leave(&self, membership: Membership) {
        let mut state = self.memory.0.lock();
        let was_first = state.devices.keys().next() == Some(&membership.0);
        let gone = state.devices.remove(&membership.0);
        let heir = if was_first { state.devices.values().next() } else { None };
        let share = heir.map(|live| state.all_for(&live.device));
        drop(state);
        // Without the lock: a device that goes changes budgets, and who is told of it may ask here.
        drop(gone);
        if let Some(share) = share {
            share.give();
        }
    }

    /// IDXGIAdapter3::QueryVideoMemoryInfo: of all devices of the process together.
    ///
    /// # Errors
    /// `query.node`; why no device can be made where there is none.
    pub fn query_video_memory_info(&self, node: u32, group: SegmentGroup) -> Result<VideoMemoryInfo, Error> {
        let devices = self.devices_or_a_new_one()?;
        let mut sum = VideoMemoryInfo::default();
        for device in &devices {
            let info = device.query_video_memory_info(node, group)?;
            sum.budget = sum.budget.saturating_add(info.budget);
            sum.current_usage = sum.current_usage.saturating_add(info.current_usage);
            sum.available_for_reservation =
                sum.available_for_reservation.saturating_add(info.available_for_reservation);
            sum.current_reservation = sum.current_reservation.saturating_add(info.current_reservation);
        }
        Ok(sum)
    }

    /// IDXGIAdapter3::SetVideoMemoryReservation: by the first device, which the process's others come after.
    ///
    /// # Errors
    /// `query.node`, `query.reservation`.
    pub fn set_video_memory_reservation(
        &self,
        node: u32,
        group: SegmentGroup,
        bytes: u64,
    ) -> Result<(), Error> {
        let devices = self.devices_or_a_new_one()?;
        let device = devices.first().expect("invariant: there is one, or one was made");
        device.set_video_memory_reservation(node, group, bytes)?;
        self.memory.0.lock().reservations.insert((node, group), bytes);
        Ok(())
    }

    /// Sets the process's budget outright, as a test does to bring it about; `None` leaves it to the kernel again.
    ///
    /// # Errors
    /// `query.node`; [`Failure::Argument`] where the process has no device on the adapter.
    pub fn set_budget(&self, node: u32, group: SegmentGroup, bytes: Option<u64>) -> Result<(), Failure> {
        let devices = self.live();
        let Some((first, others)) = devices.split_first() else {
            return Err(Failure::Argument("the process has no device on the adapter"));
        };
        first.set_budget(node, group, bytes)?;
        for device in others {
            // The sum is what was asked for.
            device.set_budget(node, group, bytes.map(|_| 0))?;
        }
        let mut state = self.memory.0.lock();
        match bytes {
            Some(bytes) => state.budgets.insert((node, group), bytes),
            None => state.budgets.remove(&(node, group)),
        };
        Ok(())
    }

    /// Calls `told` with each change of the process's budgets, until [`AdapterEntry::unregister`] with the cookie,
    /// which is never 0.
    pub fn register(&self, told: BudgetChanged) -> u32 {
        let mut state = self.memory.0.lock();
        state.last_cookie = state.last_cookie.checked_add(1).unwrap_or(1);
        let cookie = state.last_cookie;
        for live in state.devices.values_mut() {
            live.cookies.insert(cookie, register(&live.device, &told));
        }
        state.notifications.insert(cookie, told);
        cookie
    }

    /// Ends a notification; whether the cookie named one.
    pub fn unregister(&self, cookie: u32) -> bool {
        let mut state = self.memory.0.lock();
        for live in state.devices.values_mut() {
            if let Some(kernels) = live.cookies.remove(&cookie) {
                live.device.unregister_video_memory_budget_change_notification(kernels);
            }
        }
        state.notifications.remove(&cookie).is_some()
    }

    fn live(&self) -> Vec<Device> {
        self.memory.0.lock().devices.values().map(|live| live.device.clone()).collect()
    }

    fn devices_or_a_new_one(&self) -> Result<Vec<Device>, Error> {
        let live = self.live();
        if !live.is_empty() {
            return Ok(live);
        }
        // What a process that makes a device would have.
        let device = Device::builder().adapter(&self.adapter).sdk(self.settings.sdk).build()?;
        Ok(vec![device])
    }
}

fn register(device: &Device, told: &BudgetChanged) -> BudgetCookie {
    let told = Arc::clone(told);
    device.register_video_memory_budget_change_notification(Arc::new(move |_| told()))
}

#[cfg(test)]
mod tests {
    use heapstone::{Adapter, Backing, GpuMode, Profile, SdkVersion};
    use heapstone_driver_soft::SoftDriverFactory;

    use super::*;
    use crate::adapters::DeviceSettings;
    use crate::configuration::DebugLevel;

    fn entry() -> AdapterEntry {
        let profile = Profile::builtin("discrete-8g").unwrap();
        let adapter = Adapter::open(profile, &SoftDriverFactory::default(), Backing::Phantom).unwrap();
        let settings = DeviceSettings {
            sdk: SdkVersion::LATEST,
            gpu_mode: GpuMode::default(),
            debug: DebugLevel::default(),
            record: None,
            live_objects: false,
        };
        AdapterEntry::new(adapter, 0, settings)
    }

    fn device(entry: &AdapterEntry) -> Device {
        Device::builder().adapter(&entry.adapter).build().unwrap()
    }

    #[test]
    fn a_reservation_is_the_processs_however_many_devices_it_has() {
        let entry = entry();
        let reserved = || entry.query_video_memory_info(0, SegmentGroup::Local).unwrap().current_reservation;
        let (first, second) = (device(&entry), device(&entry));
        let membership = entry.enter(&first);
        entry.set_video_memory_reservation(0, SegmentGroup::Local, 1 << 20).unwrap();
        let other = entry.enter(&second);
        assert_eq!(reserved(), 1 << 20);
        entry.leave(membership);
        assert_eq!(reserved(), 1 << 20, "the next device's, where the first goes");
        entry.leave(other);
        let _ = entry.enter(&first);
        assert_eq!(reserved(), 1 << 20, "kept for devices that come later");
    }

    #[test]
    fn a_budget_is_the_processs_however_many_devices_it_has() {
        let entry = entry();
        let budget = || entry.query_video_memory_info(0, SegmentGroup::Local).unwrap().budget;
        let (first, second) = (device(&entry), device(&entry));
        let membership = entry.enter(&first);
        entry.set_budget(0, SegmentGroup::Local, Some(64 << 20)).unwrap();
        assert_eq!(budget(), 64 << 20);
        let _other = entry.enter(&second);
        assert_eq!(budget(), 64 << 20, "a further device adds nothing");
        entry.leave(membership);
        assert_eq!(budget(), 64 << 20, "the next device's, where the first goes");
        entry.set_budget(0, SegmentGroup::Local, None).unwrap();
        let of_the_kernel = budget();
        assert!(of_the_kernel > 64 << 20, "{of_the_kernel} is the kernel's again");
    }
}
