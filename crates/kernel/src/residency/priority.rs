//! Residency priorities (D3D12_RESIDENCY_PRIORITY; facts/residency.md, Priorities).

/// What stays in fast memory longer when there is not enough: any number but 0, of which five have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResidencyPriority(u32);

/// The bytes that raise the default priority of a render target, depth-stencil or unordered-access resource by
/// one: 10 MB, read as 10 * 2^20 (chosen, as the source does not say which).
const DEFAULT_STEP_BYTES: u64 = 10 << 20;

/// The most that a size raises a default priority by.
const DEFAULT_STEPS_MAX: u64 = 0xFFFF;

impl ResidencyPriority {
    /// D3D12_RESIDENCY_PRIORITY_MINIMUM.
    pub const MINIMUM: ResidencyPriority = ResidencyPriority(0x2800_0000);
    /// D3D12_RESIDENCY_PRIORITY_LOW.
    pub const LOW: ResidencyPriority = ResidencyPriority(0x5000_0000);
    /// D3D12_RESIDENCY_PRIORITY_NORMAL.
    pub const NORMAL: ResidencyPriority = ResidencyPriority(0x7800_0000);
    /// D3D12_RESIDENCY_PRIORITY_HIGH.
    pub const HIGH: ResidencyPriority = ResidencyPriority(0xA001_0000);
    /// D3D12_RESIDENCY_PRIORITY_MAXIMUM.
    pub const MAXIMUM: ResidencyPriority = ResidencyPriority(0xC800_0000);
    /// Classes that priorities fall into: one for each name.
    pub const CLASS_COUNT: usize = 5;

    /// The priority of that number; `None` of 0, which is invalid.
    #[must_use]
    pub const fn from_d3d12(value: u32) -> Option<ResidencyPriority> {
        if value == 0 { None } else { Some(ResidencyPriority(value)) }
    }

    /// D3D12's number.
    #[must_use]
    pub const fn to_d3d12(self) -> u32 {
        self.0
    }

    /// What an object has before anybody sets one: high and more for render targets, depth-stencil and
    /// unordered-access resources, by their size in bytes; normal for all others.
    #[must_use]
    pub fn default_of(is_written_by_the_gpu: bool, size: u64) -> ResidencyPriority {
        if !is_written_by_the_gpu {
            return ResidencyPriority::NORMAL;
        }
        let steps = (size / DEFAULT_STEP_BYTES).min(DEFAULT_STEPS_MAX);
        let steps = u32::try_from(steps).expect("invariant: at most 0xFFFF");
        ResidencyPriority(ResidencyPriority::HIGH.0 + steps)
    }

    /// Its class, from 0: how many of the names above minimum it reaches. Objects of one class are told apart by
    /// their use (chosen: an order by the full number would make eviction logarithmic for no gain).
    #[must_use]
    pub fn class(self) -> usize {
        [Self::LOW, Self::NORMAL, Self::HIGH, Self::MAXIMUM].iter().filter(|name| self >= **name).count()
    }
}

impl Default for ResidencyPriority {
    fn default() -> Self {
        ResidencyPriority::NORMAL
    }
}
