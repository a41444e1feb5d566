//! Trim notifications (ID3D12Device15; facts/residency.md, Trim): the manager asks a process to evict by itself.

use std::sync::Arc;

use super::pager::Pager;
use crate::manager::ManagerInner;

/// Names a registered trim notification. Never 0, and never used twice by a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrimCookie(u64);

impl TrimCookie {
    pub(crate) const fn new(value: u64) -> TrimCookie {
        TrimCookie(value)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The periodic part of a trim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeriodicTrim {
    /// Evict what no submission after `since_submission` used.
    Trim {
        /// The last submission at the previous trim.
        since_submission: u64,
    },
    /// Start again: what was noted of uses so far is of no use, as the process was suspended. Never together with
    /// [`PeriodicTrim::Trim`].
    Restart,
}

/// What the manager asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrimRequest {
    /// Whether it is periodic.
    pub periodic: Option<PeriodicTrim>,
    /// NumBytesToTrim: how far the process is over its budgets, in bytes; 0: it is not.
    pub bytes_to_trim: u64,
}

/// What is called to trim. It may call the manager.
pub type TrimNotification = Arc<dyn Fn(TrimRequest) + Send + Sync>;

/// Calls to make once no lock is held.
pub(crate) type TrimCalls = Vec<(TrimNotification, TrimRequest)>;

impl Pager {
    pub(crate) fn register_trim(&mut self, index: usize, notification: TrimNotification) -> TrimCookie {
        self.last_cookie += 1;
        let cookie = TrimCookie::new(self.last_cookie);
        self.processes[index].notifications.push((cookie, notification));
        cookie
    }

    /// The notification that the cookie named, to be dropped without the lock.
    pub(crate) fn unregister_trim(&mut self, index: usize, cookie: TrimCookie) -> Option<TrimNotification> {
        let notifications = &mut self.processes[index].notifications;
        let position = notifications.iter().position(|(registered, _)| *registered == cookie)?;
        Some(notifications.remove(position).1)
    }

    /// The periodic trim of all processes.
    pub(crate) fn trim_periodically(&mut self, memory: &ManagerInner, calls: &mut TrimCalls) {
        for index in self.live_processes().collect::<Vec<_>>() {
            if self.check_process(index).is_err() {
                continue;
            }
            self.evict_expired(memory, index);
            let bytes_to_trim = self.bytes_over_budget(index);
            let submission = self.submission;
            let process = &mut self.processes[index];
            let since_submission = core::mem::replace(&mut process.trimmed_at_submission, submission);
            let periodic = if core::mem::take(&mut process.trim_restarts) {
                PeriodicTrim::Restart
            } else {
                PeriodicTrim::Trim { since_submission }
            };
            let request = TrimRequest { periodic: Some(periodic), bytes_to_trim };
            calls.extend(process.notifications.iter().map(|(_, call)| (Arc::clone(call), request)));
        }
    }

    /// Evicts what the policies let go although nobody needs the room.
    fn evict_expired(&mut self, memory: &ManagerInner, index: usize) {
        let mut transaction = super::room::Transaction::default();
        for segment in &memory.segments {
            loop {
                let process = &mut self.processes[index];
                let node = match segment.info.nodes {
                    crate::SegmentNodes::One(node) => node,
                    crate::SegmentNodes::All => 0,
                };
                let group = crate::budget::group_index(node, segment.info.group);
                let (usage, budget) = (process.usage.get(group), process.budgets.budget(group));
                let policy = &mut process.segments[segment.info.id.index()].policy;
                let Some(expired) = policy.expired(usage, budget, self.now_ns) else { break };
                self.page_out(memory, expired, &mut transaction);
            }
        }
        self.commit(&mut transaction);
    }

    /// After budgets changed: what nobody needs goes from who is over budget, and who still is, is asked.
    pub(crate) fn trim_to_budgets(&mut self, memory: &ManagerInner, calls: &mut TrimCalls) {
        for index in self.live_processes().collect::<Vec<_>>() {
            self.set_capacities(memory, index);
            self.processes[index].role = memory.budgets.role(self.processes[index].owner);
            let mut transaction = super::room::Transaction::default();
            for group in 0..self.processes[index].evictable.len() {
                let (node, _) = crate::budget::node_and_group(group);
                self.trim_own(memory, index, node, group, 0, &mut transaction);
            }
            self.commit(&mut transaction);
            let bytes_to_trim = self.bytes_over_budget(index);
            let process = &self.processes[index];
            if bytes_to_trim > 0 && process.suspended_until_ns.is_none() && process.removed.is_none() {
                let request = TrimRequest { periodic: None, bytes_to_trim };
                calls.extend(process.notifications.iter().map(|(_, call)| (Arc::clone(call), request)));
            }
        }
    }
}
