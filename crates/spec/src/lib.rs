//! Direct3D 12's vocabulary for memory: enumerations, flags, descriptions, formats, limits, the SDK
//! versions that changed a rule, the rules themselves as data, and adapter profiles.
//!
//! Nothing here computes a layout or keeps state; every other crate speaks in these words.
#![forbid(unsafe_code)]

pub mod caps;
pub mod commands;
mod desc;
mod enums;
mod flags;
mod format;
pub mod limits;
pub mod message;
mod nearest;
pub mod profile;
pub mod rules;
mod sdk;
pub mod text;
pub mod tiles;
pub mod views;

pub use desc::{
    ClearColor, ClearValue, HeapDesc, HeapProperties, MipRegion, ResourceAllocationInfo, ResourceDesc,
    SampleDesc,
};
pub use enums::{
    BarrierLayout, CpuPageProperty, HeapType, MemoryPool, ResourceDimension, SegmentGroup, TextureLayout,
    UnknownName,
};
pub use flags::{HeapFlags, ResourceFlags, ResourceStates};
pub use format::{Format, FormatInfo, FormatKind, FormatUses};
pub use profile::Profile;
pub use rules::{Rule, Violation};
pub use sdk::SdkVersion;
