//! Patterns by name.

use super::gpu;
use super::pattern::SwizzlePattern;
use super::standard;

/// A pattern of the field under its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPattern {
    /// As facts/gpu-swizzle-patterns.json names it; of facts/standard-swizzle.json `standard_` and its keys
    /// joined by `_`, or the keys alone where it is a variant.
    pub name: String,
    /// Bits of an element that it is meant for; `None`: any that its runs hold.
    pub element_bits: Option<u8>,
    /// The pattern.
    pub pattern: SwizzlePattern,
}

/// Every pattern of the two files of facts, and those of D3D12's 4 KiB tiles whose shapes have none there.
#[must_use]
pub fn named_patterns() -> Vec<NamedPattern> {
    let mut all = standard::named();
    all.extend(gpu::named());
    all
}

/// The pattern of that name.
#[must_use]
pub fn named_pattern(name: &str) -> Option<NamedPattern> {
    named_patterns().into_iter().find(|pattern| pattern.name == name)
}
