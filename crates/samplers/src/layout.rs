//! What a plan is made for: the samplers that bind groups bind.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What a shader does with what it samples. A plain sampler and a comparison sampler are two types in HLSL, so
/// that the one heap is declared once for each (facts/buffer-views.md, Sampler heaps).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SamplerKind {
    /// HLSL's `SamplerState`, WGSL's `sampler`.
    #[default]
    Standard,
    /// HLSL's `SamplerComparisonState`, WGSL's `sampler_comparison`.
    Comparison,
}

/// One binding of samplers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplerBinding {
    /// Its number in the group: WGSL's `@binding`.
    pub binding: u32,
    /// How shaders use it.
    #[serde(default)]
    pub kind: SamplerKind,
    /// Samplers of an array, at least 1; `None` of a fixed sampler, which is no array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

impl SamplerBinding {
    /// A fixed sampler that does not compare.
    #[must_use]
    pub const fn fixed(binding: u32) -> SamplerBinding {
        SamplerBinding { binding, kind: SamplerKind::Standard, count: None }
    }

    /// An array of `count` such samplers.
    #[must_use]
    pub const fn array(binding: u32, count: u32) -> SamplerBinding {
        SamplerBinding { count: Some(count), ..SamplerBinding::fixed(binding) }
    }

    /// The same, of comparison samplers.
    #[must_use]
    pub const fn comparison(self) -> SamplerBinding {
        SamplerBinding { kind: SamplerKind::Comparison, ..self }
    }

    /// How many samplers it binds.
    #[must_use]
    pub const fn sampler_count(&self) -> u32 {
        match self.count {
            Some(count) => count,
            None => 1,
        }
    }
}

/// A bind group's layout, as far as a plan of samplers must know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BindGroupLayout {
    /// Its number: WGSL's `@group`.
    pub group: u32,
    /// Its samplers, in any order.
    #[serde(default)]
    pub samplers: Vec<SamplerBinding>,
    /// Dwords of the root signature that its other bindings take: 1 for a table of views, 2 for each root
    /// descriptor.
    #[serde(default)]
    pub other_dwords: u32,
}

impl BindGroupLayout {
    /// How many samplers it binds; `None` beyond 32 bits.
    #[must_use]
    pub fn sampler_count(&self) -> Option<u32> {
        self.samplers.iter().try_fold(0_u32, |sum, sampler| sum.checked_add(sampler.sampler_count()))
    }
}

/// Layouts that contradict themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// Two layouts of one number.
    #[error("layout.group: group is {group}, twice; allowed: each number once")]
    GroupTwice {
        /// The number.
        group: u32,
    },
    /// Two bindings of one number.
    #[error(
        "layout.binding: binding is {binding} of group {group}, twice; allowed: each number once in a group"
    )]
    BindingTwice {
        /// The group.
        group: u32,
        /// The number.
        binding: u32,
    },
    /// An array of none.
    #[error(
        "layout.count: count is 0, of binding {binding} of group {group}; allowed: at least 1, or none for a \
             fixed sampler"
    )]
    NoSamplers {
        /// The group.
        group: u32,
        /// The array.
        binding: u32,
    },
    /// More samplers than any heap may hold.
    #[error(
        "layout.samplers: samplers of group {group} are more than {allowed}; allowed: what one heap holds, \
             {allowed}"
    )]
    TooMany {
        /// The group.
        group: u32,
        /// What one heap holds.
        allowed: u32,
    },
}

/// That every number stands once, that arrays hold something, and that a group's samplers fit one heap of
/// `heap_samplers`.
pub(crate) fn check(layouts: &[BindGroupLayout], heap_samplers: u32) -> Result<(), LayoutError> {
    let mut groups = BTreeSet::new();
    for layout in layouts {
        let group = layout.group;
        if !groups.insert(group) {
            return Err(LayoutError::GroupTwice { group });
        }
        let mut bindings = BTreeSet::new();
        for sampler in &layout.samplers {
            let binding = sampler.binding;
            if !bindings.insert(binding) {
                return Err(LayoutError::BindingTwice { group, binding });
            }
            if sampler.count == Some(0) {
                return Err(LayoutError::NoSamplers { group, binding });
            }
        }
        if layout.sampler_count().is_none_or(|count| count > heap_samplers) {
            return Err(LayoutError::TooMany { group, allowed: heap_samplers });
        }
    }
    Ok(())
}
