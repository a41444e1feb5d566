//! Which of several paging fence values is the newest.
//!
//! A call that made some of its objects resident long ago is answered with old values among new ones; the caller
//! waits for the newest, as 32 bits that wrap around tell it (spec/2-resource-heaps.txt 511-516):
//! `newer(a, b) = (a - b) as a signed number of 32 bits > 0`, an order within any window below 2^31.

/// Two values half the range apart: neither is newer (*chosen* to be an error, facts/residency.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("paging fence values {first} and {second} are 2^31 apart as 32 bits; allowed: less")]
pub struct AmbiguousFences {
    /// The newest so far.
    pub first: u64,
    /// The value that cannot be compared with it.
    pub second: u64,
}

/// The newest of the values that batches answered "pending" with, as they gave it, in 64 bits. Zeros are of batches
/// that were resident already; `None` where there is nothing to wait for.
///
/// # Errors
/// [`AmbiguousFences`].
pub fn newest_paging_fence(values: impl IntoIterator<Item = u64>) -> Result<Option<u64>, AmbiguousFences> {
    let mut newest: Option<u64> = None;
    for value in values.into_iter().filter(|value| *value != 0) {
        let Some(before) = newest else {
            newest = Some(value);
            continue;
        };
        match low_half(value).wrapping_sub(low_half(before)) {
            HALF => return Err(AmbiguousFences { first: before, second: value }),
            1..HALF => newest = Some(value),
            _ => {}
        }
    }
    Ok(newest)
}

/// 2^31.
const HALF: u32 = 1 << 31;

fn low_half(value: u64) -> u32 {
    u32::try_from(value & u64::from(u32::MAX)).expect("invariant: 32 bits")
}
