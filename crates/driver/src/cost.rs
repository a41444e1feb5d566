//! How long work takes on a simulated engine: a simple model, of the profile's numbers.

use heapstone_spec::Profile;

/// Nanoseconds that an engine takes for any command beside its bytes.
///
/// Chosen, because launching a copy or a barrier on GPUs takes in the order of a microsecond; profiles do
/// not say it.
pub const COMMAND_NS: u64 = 1_000;

const NS_PER_SECOND: u64 = 1_000_000_000;

/// The time that a command takes: [`COMMAND_NS`], and its bytes at the bandwidth of the segments they lie in.
///
/// ```text
///   time = COMMAND_NS + max over segments (bytes read and written there / bandwidth)
/// ```
/// Segments are reached side by side, and each in turn for reads and writes (chosen: a copy within
/// video memory takes its bandwidth twice, one over the bus the bus's once).
#[derive(Clone, Debug)]
pub struct CostModel {
    /// Of each segment, bytes a second.
    bandwidths: Box<[u64]>,
    /// Of the backing store, bytes a second.
    store_bandwidth: u64,
}

impl CostModel {
    /// Of a profile's segments, in the profile's order.
    #[must_use]
    pub fn new(profile: &Profile) -> CostModel {
        let segments = profile.memory.segments.iter();
        let slowest = segments.clone().map(|segment| segment.bandwidth_bytes_per_second).min();
        CostModel {
            bandwidths: segments.map(|segment| segment.bandwidth_bytes_per_second.max(1)).collect(),
            store_bandwidth: slowest.unwrap_or(1).max(1),
        }
    }

    /// Nanoseconds for `bytes` read from the backing store or written to it: at the bandwidth of the slowest segment
    /// (chosen: system memory is the slowest there is, and the way to it is that to the store).
    #[must_use]
    pub fn store_ns(&self, bytes: u64) -> u64 {
        Self::ns(bytes, self.store_bandwidth)
    }

    /// Nanoseconds for `bytes` read or written in a segment of that index; 0 for one there is not.
    #[must_use]
    #[inline]
    pub fn transfer_ns(&self, segment: usize, bytes: u64) -> u64 {
        let Some(&bandwidth) = self.bandwidths.get(segment) else { return 0 };
        Self::ns(bytes, bandwidth)
    }

    #[inline]
    fn ns(bytes: u64, bandwidth: u64) -> u64 {
        // Mostly the product has 64 bits, whose division takes a fraction of the time.
        if let Some(product) = bytes.checked_mul(NS_PER_SECOND) {
            return product / bandwidth;
        }
        let ns = u128::from(bytes) * u128::from(NS_PER_SECOND) / u128::from(bandwidth);
        u64::try_from(ns).unwrap_or(u64::MAX)
    }
}
