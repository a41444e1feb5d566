//! What lowering refuses, and where.

use std::fmt;

/// Where in the source something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1; 0 where the source is a module that keeps no text.
    pub line: u32,
    /// Column in bytes, from 1; 0 likewise.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { f.write_str("module") } else { write!(f, "{}:{}", self.line, self.column) }
    }
}

/// A shader, options or a plan that cannot be lowered. Nothing has been written when one is returned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is no WGSL.
    #[error("lowering.syntax at {place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What naga's front end says.
        message: String,
    },
    /// The module breaks a rule of WGSL, or uses a feature that no target of this crate has.
    #[error("lowering.valid at {place}: {message}")]
    Invalid {
        /// Where.
        place: Place,
        /// What naga's validator says.
        message: String,
    },
    /// A feature that WGSL or naga has and this crate does not lower.
    #[error("lowering.feature at {place}: {name} uses {feature}; allowed: {allowed}")]
    Unsupported {
        /// Where.
        place: Place,
        /// What uses it.
        name: String,
        /// The feature.
        feature: &'static str,
        /// What could be used.
        allowed: &'static str,
    },
    /// A value for a pipeline-overridable constant is missing or wrong.
    #[error(
        "lowering.constants: {message}; allowed: a value for each override that has none, and for no other"
    )]
    Constants {
        /// What naga says.
        message: String,
    },
    /// A sampler that the plan does not know.
    #[error(
        "lowering.planned at {place}: sampler {name} is @group({group}) @binding({binding}), which the plan has \
         not; allowed: bindings of the plan's layouts"
    )]
    NotPlanned {
        /// Where.
        place: Place,
        /// The variable.
        name: String,
        /// Its group.
        group: u32,
        /// Its number.
        binding: u32,
    },
    /// A sampler that is another thing in the plan.
    #[error(
        "lowering.{rule} at {place}: {rule} of {name}, @group({group}) @binding({binding}), is {given}; allowed: \
         {allowed}, as planned"
    )]
    Differs {
        /// Where.
        place: Place,
        /// `kind` or `count`.
        rule: &'static str,
        /// The variable.
        name: String,
        /// Its group.
        group: u32,
        /// Its number.
        binding: u32,
        /// What the shader says.
        given: String,
        /// What the plan says.
        allowed: String,
    },
    /// Shaders of one pipeline that see different things at one binding.
    #[error(
        "lowering.pipeline at {place}: {name} is @group({group}) @binding({binding}), a {given}; allowed: a \
         {allowed}, as in another variable of the pipeline"
    )]
    Contradicts {
        /// Where.
        place: Place,
        /// The variable that came later.
        name: String,
        /// Its group.
        group: u32,
        /// Its number.
        binding: u32,
        /// What it is.
        given: String,
        /// What an earlier one is.
        allowed: String,
    },
    /// Two things at one register.
    #[error("lowering.registers: {given} overlaps {other}; allowed: registers that no other binding takes")]
    Collision {
        /// A range and what it is for.
        given: String,
        /// The other.
        other: String,
    },
    /// A number beyond what the target has.
    #[error("lowering.limit: {field} is {given}; allowed: {allowed}")]
    Limit {
        /// What.
        field: &'static str,
        /// How many.
        given: u64,
        /// How many may be.
        allowed: u64,
    },
    /// A target that this crate does not write, or that lacks what the plan uses.
    #[error("lowering.target: {field} is {given}; allowed: {allowed}")]
    Target {
        /// What.
        field: &'static str,
        /// Which.
        given: String,
        /// Which may be.
        allowed: String,
    },
    /// A plan that contradicts itself.
    #[error("lowering.plan: {field} is {given}; allowed: {allowed}")]
    Plan {
        /// Which part of the plan.
        field: String,
        /// What it says.
        given: String,
        /// What it could say.
        allowed: String,
    },
    /// naga could not write what it had accepted, or wrote something that this crate does not recognise.
    #[error("lowering.translator: {message}; allowed: modules that naga's HLSL back end writes")]
    Translator {
        /// What happened.
        message: String,
    },
}
