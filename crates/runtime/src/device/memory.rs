//! Budgets: what DXGI's adapter tells a process, and the cap on peer-visible shader atomics.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use heapstone_kernel::{BudgetChange, BudgetCookie, ProcessRole, ReservationError, VideoMemoryInfo};
use heapstone_spec::SegmentGroup;
use heapstone_spec::rules::mapping as rules;

use super::{Device, unknown_node};
use crate::error::{Error, OutOfMemory};
use crate::observer::Call;

/// The bytes of ALLOW_SHADER_ATOMICS heaps that a peer sees: a cap of each process, checked when heaps
/// are created and destroyed, deaf to eviction (spec/2-resource-heaps.txt 1465, 1522).
pub(crate) struct ShaderAtomicsBudget {
    taken: AtomicU64,
    /// `None` where nodes have no atomics between them: there is nothing to bound, and custom heaps with the
    /// flag succeed (spec/2-resource-heaps.txt 1519).
    maximum: Option<u64>,
}

impl ShaderAtomicsBudget {
    pub(super) const fn new(maximum: Option<u64>) -> ShaderAtomicsBudget {
        ShaderAtomicsBudget { taken: AtomicU64::new(0), maximum }
    }

    /// Takes `size` bytes where `applies`.
    #[inline]
    pub(super) fn charge(&self, applies: bool, size: u64) -> Result<(), OutOfMemory> {
        let Some(maximum) = self.maximum.filter(|_| applies) else { return Ok(()) };
        let sum = |taken: u64| taken.checked_add(size).filter(|sum| *sum <= maximum);
        match self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum) {
            Ok(_) => Ok(()),
            Err(taken) => Err(OutOfMemory::ShaderAtomics { requested: size, taken, maximum }),
        }
    }

    /// Gives back what [`ShaderAtomicsBudget::charge`] took.
    #[inline]
    pub(crate) fn discharge(&self, applies: bool, size: u64) {
        if applies && self.maximum.is_some() {
            let before = self.taken.fetch_sub(size, Ordering::Relaxed);
            assert!(before >= size, "bug: more bytes of peer-visible heaps destroyed than created");
        }
    }
}

impl Device {
    /// IDXGIAdapter3::QueryVideoMemoryInfo (spec/2-resource-heaps.txt 1540-1571): budget, usage and reservation
    /// of this process. On UMA the NON_LOCAL group is all 0.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`query.node`) where there is no such node.
    pub fn query_video_memory_info(&self, node: u32, group: SegmentGroup) -> Result<VideoMemoryInfo, Error> {
        let info = self.inner.process.query_video_memory_info(node, group);
        info.map_err(|error| unknown_node(error).into())
    }

    /// IDXGIAdapter3::SetVideoMemoryReservation: a hint of the least working set; it never raises the budget.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `query.node`, or `query.reservation` beyond AvailableForReservation.
    pub fn set_video_memory_reservation(
        &self,
        node: u32,
        group: SegmentGroup,
        bytes: u64,
    ) -> Result<(), Error> {
        let set = self.inner.process.set_video_memory_reservation(node, group, bytes);
        let result = set.map_err(|error| match error {
            ReservationError::UnknownNode(error) => Error::from(unknown_node(error)),
            ReservationError::ExceedsAvailable { given, available } => {
                rules::RESERVATION.violated("Reservation", given, format_args!("at most {available}")).into()
            }
        });
        self.inner.observe(|| Call::SetVideoMemoryReservation {
            node,
            group,
            reservation: bytes,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// Sets this process's budget outright, in bytes, or leaves it to the formula again: pressure on purpose.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`query.node`) where there is no such node.
    pub fn set_budget(&self, node: u32, group: SegmentGroup, budget: Option<u64>) -> Result<(), Error> {
        // Whom pressure is put on, the manager is to know.
        self.inner.residency.track();
        let set = self.inner.process.set_budget(node, group, budget);
        self.inner.carry_out_if_any();
        let result = set.map_err(|error| Error::from(unknown_node(error)));
        self.inner.observe(|| Call::SetBudget { node, group, budget, outcome: result.as_ref().copied() });
        result
    }

    /// Makes the process foreground, background or compositor; everybody's budgets follow.
    pub fn set_role(&self, role: ProcessRole) {
        self.inner.process.set_role(role);
        self.inner.carry_out_if_any();
    }

    /// IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent: `notification` is called with each
    /// change of this process's budgets, by the thread that causes it, with no lock held.
    pub fn register_video_memory_budget_change_notification(
        &self,
        notification: Arc<dyn Fn(BudgetChange) + Send + Sync>,
    ) -> BudgetCookie {
        self.inner.process.register_budget_notification(notification)
    }

    /// Ends a notification; whether the cookie named one of this device.
    pub fn unregister_video_memory_budget_change_notification(&self, cookie: BudgetCookie) -> bool {
        self.inner.process.unregister_budget_notification(cookie)
    }

    /// How full the process's GPU virtual address space is.
    #[must_use]
    pub fn gpu_virtual_address_statistics(&self) -> heapstone_kernel::RangeStatistics {
        self.inner.process.virtual_address_statistics()
    }
}
