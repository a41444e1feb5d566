//! What residency is configured with. All of it chosen, because the real values are not published.

use crate::error::ConfigError;

use super::policy::PolicyKind;

/// How long paging takes: `operation_ns` and, for a transfer, its bytes by the bandwidth of what it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagingCosts {
    /// Between video memory and system memory, and between a segment and the backing store, which is system memory
    /// that the GPU does not reach: bytes a second, at least 1.
    pub bus_bytes_per_second: u64,
    /// Fills, in bytes a second, at least 1.
    pub fill_bytes_per_second: u64,
    /// Of each operation, in nanoseconds.
    pub operation_ns: u64,
}

impl Default for PagingCosts {
    /// 16 GB/s, as PCI Express 3.0 with sixteen lanes; 200 GB/s for fills; 10 us for an operation.
    fn default() -> Self {
        PagingCosts {
            bus_bytes_per_second: 16_000_000_000,
            fill_bytes_per_second: 200_000_000_000,
            operation_ns: 10_000,
        }
    }
}

/// How the manager pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidencyConfig {
    /// Who of those that nobody needs leaves memory first.
    pub policy: PolicyKind,
    /// How long it takes.
    pub costs: PagingCosts,
    /// Virtual time between periodic trims, in nanoseconds, at least 1.
    pub trim_period_ns: u64,
    /// Virtual time that a process stays suspended, in nanoseconds, at least 1.
    pub suspension_ns: u64,
    /// Bytes a second of virtual time that are promoted back to video memory at most.
    pub promotion_bytes_per_second: u64,
    /// Thousandths of a segment that stay free when objects are promoted to it, so that the next allocation does not
    /// demote them again. At most 1000.
    pub promotion_headroom_permille: u32,
    /// The first paging fence value, at least 1.
    pub paging_fence_first: u64,
    /// Whether paging operations are kept for who carries them out
    /// ([`crate::MemoryManager::take_paging_operations`]). Without, they are counted only.
    pub keeps_operations: bool,
}

impl Default for ResidencyConfig {
    /// The adaptive policy; a trim a second, ten seconds of suspension, promotion at 1 GB/s with 1/16 of the
    /// segment kept free.
    fn default() -> Self {
        ResidencyConfig {
            policy: PolicyKind::default(),
            costs: PagingCosts::default(),
            trim_period_ns: 1_000_000_000,
            suspension_ns: 10_000_000_000,
            promotion_bytes_per_second: 1_000_000_000,
            promotion_headroom_permille: 62,
            paging_fence_first: 1,
            keeps_operations: true,
        }
    }
}

impl ResidencyConfig {
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        for (field, given, min, max) in [
            ("costs.bus_bytes_per_second", self.costs.bus_bytes_per_second, 1, u64::MAX),
            ("costs.fill_bytes_per_second", self.costs.fill_bytes_per_second, 1, u64::MAX),
            ("trim_period_ns", self.trim_period_ns, 1, u64::MAX),
            ("suspension_ns", self.suspension_ns, 1, u64::MAX),
            ("promotion_headroom_permille", u64::from(self.promotion_headroom_permille), 0, 1000),
            ("paging_fence_first", self.paging_fence_first, 1, u64::MAX),
        ] {
            if !(min..=max).contains(&given) {
                return Err(ConfigError::Residency { field, given, min, max });
            }
        }
        Ok(())
    }
}
