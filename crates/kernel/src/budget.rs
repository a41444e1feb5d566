//! Budgets: how much of a segment group each process should use.
//!
//! For each node and group, with
//! - `available` = the group's capacity, less what is held outside of the manager ([`crate::MemoryManager::set_external_usage`]),
//! - `usable` = `usable_permille` thousandths of `available`,
//! - `weight` = the weight of the process's role, `weights` = that of all processes,
//! - `reserved_by_others` = the reservations of all other processes,
//!
//! ```text
//!   budget = min(usable * weight / weights, usable - reserved_by_others)     (each at least 0)
//!   available for reservation = reservable_permille thousandths of budget
//! ```
//! unless a test has set the budget outright; of either, what a [`crate::FaultPlan`] leaves. *Chosen*, because the real formula is not published; what
//! is known (spec/2-resource-heaps.txt 1533, facts/residency.md) holds:
//! - a process alone has all that is usable; the compositor and the foreground are favoured;
//! - more available memory lowers nobody's budget: both terms of the minimum rise with `usable`;
//! - going to the background raises no budget of the process that goes: `weight / weights` falls with
//!   `weight`, and the other term does not depend on it;
//! - a process's own reservation does not occur in its budget, so it cannot raise it.
//!
//! A budget depends on the set of processes, roles, reservations, overrides and external usage, and **not on
//! allocations**: allocating recomputes nothing and takes no lock of this module. Linked nodes that share
//! system memory each see all of it.
//!
//! Notifications are called after the change, with no lock held, on the thread that caused it, and only
//! when the value is another one. Concurrent changes may be told out of order; their `sequence` orders them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use parking_lot::Mutex;

use crate::config::BudgetPolicy;
use crate::error::{OutOfProcessIdentifiers, ReservationError};
use crate::range_allocator::Owner;
use heapstone_spec::SegmentGroup;

/// What a process is to the user, which weighs its budgets (spec/2-resource-heaps.txt 1533).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProcessRole {
    /// The application that the user works with.
    #[default]
    Foreground,
    /// Any other application.
    Background,
    /// The desktop's compositor.
    Compositor,
}

/// A process's video memory of one node and group (DXGI_QUERY_VIDEO_MEMORY_INFO,
/// spec/2-resource-heaps.txt 1551-1566). In bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VideoMemoryInfo {
    /// What the process should use at most.
    pub budget: u64,
    /// What it uses.
    pub current_usage: u64,
    /// What it can reserve.
    pub available_for_reservation: u64,
    /// What it has reserved. It can exceed `available_for_reservation` when the budget fell since.
    pub current_reservation: u64,
}

/// A budget that is another one now. In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetChange {
    /// The node.
    pub node: u32,
    /// The group.
    pub group: SegmentGroup,
    /// The budget before.
    pub previous: u64,
    /// The budget now.
    pub current: u64,
    /// Rises with every recomputation of the manager's budgets.
    pub sequence: u64,
}

/// Names a registered notification. Never 0, and never used twice by a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BudgetCookie(u64);

impl BudgetCookie {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// What is called when a budget changes. It may call the manager.
pub type BudgetNotification = Arc<dyn Fn(BudgetChange) + Send + Sync>;

/// A node's group, as an index: `node * 2 + group`.
pub(crate) const fn group_index(node: u32, group: SegmentGroup) -> usize {
    node as usize * SegmentGroup::ALL.len() + group as usize
}

/// A process's budgets, readable without the lock. Written under it.
#[derive(Debug)]
pub(crate) struct ProcessBudgets {
    groups: Box<[GroupBudget]>,
}

#[derive(Debug, Default)]
struct GroupBudget {
    budget: AtomicU64,
    reservation: AtomicU64,
}

impl ProcessBudgets {
    /// The budget of a group, in bytes.
    pub(crate) fn budget(&self, index: usize) -> u64 {
        self.groups[index].budget.load(Relaxed)
    }
}

/// Every process's budgets.
pub(crate) struct BudgetBoard {
    policy: BudgetPolicy,
    /// Bytes of each node's group.
    capacities: Box<[u64]>,
    state: Mutex<BoardState>,
}

struct BoardState {
    /// Thousandths of budgets that faults leave.
    fault_permille: u32,
    /// Whether the foreground is there; else a fault has put it into the background.
    has_focus: bool,
    external_usage: Box<[u64]>,
    processes: Vec<Entry>,
    last_process: u64,
    last_cookie: u64,
    sequence: u64,
}

struct Entry {
    id: Owner,
    role: ProcessRole,
    overrides: Box<[Option<u64>]>,
    budgets: Arc<ProcessBudgets>,
    notifications: Vec<(BudgetCookie, BudgetNotification)>,
}

impl fmt::Debug for BudgetBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BudgetBoard").field("capacities", &self.capacities).finish_non_exhaustive()
    }
}

impl BudgetBoard {
    pub(crate) fn new(policy: BudgetPolicy, capacities: Box<[u64]>) -> BudgetBoard {
        let state = BoardState {
            fault_permille: 1000,
            has_focus: true,
            external_usage: vec![0; capacities.len()].into(),
            processes: Vec::new(),
            last_process: 0,
            last_cookie: 0,
            sequence: 0,
        };
        BudgetBoard { policy, capacities, state: Mutex::new(state) }
    }

    /// Enters a process; every other one's budgets may fall.
    pub(crate) fn add_process(
        &self,
        role: ProcessRole,
    ) -> Result<(Owner, Arc<ProcessBudgets>), OutOfProcessIdentifiers> {
        let groups = self.capacities.iter().map(|_| GroupBudget::default()).collect();
        let budgets = Arc::new(ProcessBudgets { groups });
        let id = self.change(|state| {
            let id = state.last_process.checked_add(1).and_then(Owner::new)?;
            state.last_process = id.get();
            let overrides = vec![None; self.capacities.len()].into();
            let budgets = Arc::clone(&budgets);
            state.processes.push(Entry { id, role, overrides, budgets, notifications: Vec::new() });
            Some(id)
        });
        Ok((id.ok_or(OutOfProcessIdentifiers)?, budgets))
    }

    /// Takes a process out; every other one's budgets may rise.
    pub(crate) fn remove_process(&self, id: Owner) {
        // The notifications may own what calls the manager when it is dropped: drop them without the lock.
        let removed = self.change(|state| {
            let position = state.processes.iter().position(|entry| entry.id == id)?;
            Some(state.processes.remove(position))
        });
        drop(removed);
    }

    pub(crate) fn process_count(&self) -> usize {
        self.state.lock().processes.len()
    }

    pub(crate) fn role(&self, id: Owner) -> ProcessRole {
        let mut state = self.state.lock();
        let role = state.entry(id).role;
        state.effective(role)
    }

    pub(crate) fn set_role(&self, id: Owner, role: ProcessRole) {
        self.change(|state| state.entry(id).role = role);
    }

    pub(crate) fn set_override(&self, id: Owner, index: usize, budget: Option<u64>) {
        self.change(|state| state.entry(id).overrides[index] = budget);
    }

    pub(crate) fn set_external_usage(&self, index: usize, bytes: u64) {
        self.change(|state| state.external_usage[index] = bytes);
    }

    /// Leaves so many thousandths of every budget, at most 1000.
    pub(crate) fn set_fault_permille(&self, permille: u32) {
        self.change(|state| state.fault_permille = permille.min(1000));
    }

    /// Whether processes in the foreground are there.
    pub(crate) fn set_focus(&self, has_focus: bool) {
        self.change(|state| state.has_focus = has_focus);
    }

    /// Reserves `bytes` in all, not in addition.
    pub(crate) fn set_reservation(
        &self,
        id: Owner,
        index: usize,
        bytes: u64,
    ) -> Result<(), ReservationError> {
        self.change(|state| {
            let group = &state.entry(id).budgets.groups[index];
            let available = self.reservable(group.budget.load(Relaxed));
            if bytes > available {
                return Err(ReservationError::ExceedsAvailable { given: bytes, available });
            }
            group.reservation.store(bytes, Relaxed);
            Ok(())
        })
    }

    pub(crate) fn register(&self, id: Owner, notification: BudgetNotification) -> BudgetCookie {
        let mut state = self.state.lock();
        state.last_cookie += 1;
        let cookie = BudgetCookie(state.last_cookie);
        state.entry(id).notifications.push((cookie, notification));
        cookie
    }

    pub(crate) fn unregister(&self, id: Owner, cookie: BudgetCookie) -> bool {
        let mut state = self.state.lock();
        let notifications = &mut state.entry(id).notifications;
        let position = notifications.iter().position(|(registered, _)| *registered == cookie);
        // The closure may own what calls the manager when it is dropped: drop it without the lock.
        let removed = position.map(|position| notifications.remove(position));
        drop(state);
        removed.is_some()
    }

    pub(crate) fn info(&self, budgets: &ProcessBudgets, index: usize, current_usage: u64) -> VideoMemoryInfo {
        let group = &budgets.groups[index];
        let budget = group.budget.load(Relaxed);
        VideoMemoryInfo {
            budget,
            current_usage,
            available_for_reservation: self.reservable(budget),
            current_reservation: group.reservation.load(Relaxed),
        }
    }

    fn reservable(&self, budget: u64) -> u64 {
        permille(budget, self.policy.reservable_permille)
    }

    /// Makes a change, recomputes, and tells those whose budgets are other ones.
    fn change<R>(&self, change: impl FnOnce(&mut BoardState) -> R) -> R {
        let (result, told) = {
            let mut state = self.state.lock();
            let result = change(&mut state);
            (result, self.recompute(&mut state))
        };
        for (notification, change) in told {
            notification(change);
        }
        result
    }

    fn recompute(&self, state: &mut BoardState) -> Vec<(BudgetNotification, BudgetChange)> {
        state.sequence += 1;
        let weights: u64 = state.processes.iter().map(|entry| self.weight(state.effective(entry.role))).sum();
        let mut told = Vec::new();
        for (index, capacity) in self.capacities.iter().enumerate() {
            let available = capacity.saturating_sub(state.external_usage[index]);
            let usable = permille(available, self.policy.usable_permille);
            let reserved: u128 =
                state.processes.iter().map(|entry| u128::from(entry.reservation(index))).sum();
            for entry in &state.processes {
                let share = fraction(usable, self.weight(state.effective(entry.role)), weights);
                let reserved_by_others = reserved - u128::from(entry.reservation(index));
                // Reservations that exceed 64 bits leave nothing, like any that exceed what is usable.
                let left = usable.saturating_sub(u64::try_from(reserved_by_others).unwrap_or(u64::MAX));
                let meant = entry.overrides[index].unwrap_or(share.min(left));
                let current = permille(meant, state.fault_permille);
                let previous = entry.budgets.groups[index].budget.swap(current, Relaxed);
                if previous != current {
                    let (node, group) = node_and_group(index);
                    let change = BudgetChange { node, group, previous, current, sequence: state.sequence };
                    told.extend(
                        entry
                            .notifications
                            .iter()
                            .map(|(_, notification)| (Arc::clone(notification), change)),
                    );
                }
            }
        }
        told
    }

    fn weight(&self, role: ProcessRole) -> u64 {
        u64::from(match role {
            ProcessRole::Foreground => self.policy.weight_foreground,
            ProcessRole::Background => self.policy.weight_background,
            ProcessRole::Compositor => self.policy.weight_compositor,
        })
    }
}

impl BoardState {
    /// What a role is while the focus is where it is.
    const fn effective(&self, role: ProcessRole) -> ProcessRole {
        match role {
            ProcessRole::Foreground if !self.has_focus => ProcessRole::Background,
            role => role,
        }
    }

    fn entry(&mut self, id: Owner) -> &mut Entry {
        self.processes
            .iter_mut()
            .find(|entry| entry.id == id)
            .expect("invariant: a process is entered as long as it lives")
    }
}

impl Entry {
    fn reservation(&self, index: usize) -> u64 {
        self.budgets.groups[index].reservation.load(Relaxed)
    }
}

pub(crate) fn node_and_group(index: usize) -> (u32, SegmentGroup) {
    let node = u32::try_from(index / SegmentGroup::ALL.len()).expect("invariant: at most 32 nodes");
    (node, SegmentGroup::ALL[index % SegmentGroup::ALL.len()])
}

/// `floor(value * numerator / denominator)`, where the fraction is at most 1.
fn fraction(value: u64, numerator: u64, denominator: u64) -> u64 {
    let exact = u128::from(value) * u128::from(numerator) / u128::from(denominator);
    u64::try_from(exact).expect("invariant: a fraction of a value is not above it")
}

fn permille(value: u64, share: u32) -> u64 {
    fraction(value, u64::from(share), 1000)
}
