//! What an adapter can do, as CheckFeatureSupport reports it.

use serde::{Deserialize, Serialize};

macro_rules! tier {
    ($(#[$doc:meta])* $name:ident { $( $(#[$vdoc:meta])* $variant:ident = $number:literal ),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "u32", into = "u32")]
        pub enum $name { $( $(#[$vdoc])* $variant = $number ),* }

        impl $name {
            /// Every tier, least first.
            pub const ALL: &'static [$name] = &[$( $name::$variant ),*];
        }

        impl From<$name> for u32 {
            fn from(tier: $name) -> u32 {
                tier as u32
            }
        }

        impl TryFrom<u32> for $name {
            type Error = String;
            fn try_from(number: u32) -> Result<$name, String> {
                match number {
                    $( $number => Ok($name::$variant), )*
                    _ => Err(format!(
                        "{number} is no {}; allowed: {}",
                        stringify!($name),
                        [$( stringify!($number) ),*].join(", ")
                    )),
                }
            }
        }
    };
}

tier! {
    /// D3D12_RESOURCE_HEAP_TIER (spec/2-resource-heaps.txt 369-372).
    ResourceHeapTier {
        /// A heap holds one of the three categories of resources.
        Tier1 = 1,
        /// A heap holds any.
        Tier2 = 2,
    }
}

tier! {
    /// D3D12_TILED_RESOURCES_TIER (facts/layout.md, Tiling).
    TiledResourcesTier {
        /// No reserved resources.
        NotSupported = 0,
        /// 2D, no arrays with mips that are no multiple of a tile.
        Tier1 = 1,
        /// 2D, mips of at least a tile are never packed.
        Tier2 = 2,
        /// And 3D.
        Tier3 = 3,
        /// And full chains of arrays.
        Tier4 = 4,
    }
}

tier! {
    /// D3D12_TIGHT_ALIGNMENT_TIER (spec/1, Runtime changes).
    TightAlignmentTier {
        /// The flag is refused.
        NotSupported = 0,
        /// Buffers are aligned tightly.
        Tier1 = 1,
    }
}

tier! {
    /// D3D12_CROSS_NODE_SHARING_TIER (spec/2-resource-heaps.txt 1468-1482).
    CrossNodeSharingTier {
        /// A node sees its own memory only.
        NotSupported = 0,
        /// Copies between nodes.
        Tier1 = 1,
        /// And views.
        Tier2 = 2,
        /// And shader atomics.
        Tier3 = 3,
    }
}

tier! {
    /// D3D12_RECREATE_AT_TIER (Microsoft's specification Recreate at GPUVA).
    RecreateAtTier {
        /// Objects lie where the runtime puts them.
        NotSupported = 0,
        /// Heaps and buffers can be created at a given address.
        Tier1 = 1,
    }
}

tier! {
    /// D3D12_PROGRAMMABLE_SAMPLE_POSITIONS_TIER (Microsoft's public specification of programmable sample
    /// positions, Hardware Tiers).
    ProgrammableSamplePositionsTier {
        /// No ResolveSubresourceRegion, and no copies of parts of depth-stencils and multisampled textures.
        NotSupported = 0,
        /// One pattern for all pixels.
        Tier1 = 1,
        /// A pattern for each pixel of a square of 2x2.
        Tier2 = 2,
    }
}

tier! {
    /// D3D12_RESOURCE_BINDING_TIER.
    ResourceBindingTier {
        /// Tier 1.
        Tier1 = 1,
        /// Tier 2.
        Tier2 = 2,
        /// Tier 3.
        Tier3 = 3,
    }
}

tier! {
    /// D3D12_SAMPLER_FEEDBACK_TIER, in whole steps of D3D12's values (0, 90, 100).
    SamplerFeedbackTier {
        /// No feedback maps.
        NotSupported = 0,
        /// 0.9: views of the whole texture only.
        Tier0_9 = 90,
        /// 1.0.
        Tier1_0 = 100,
    }
}
