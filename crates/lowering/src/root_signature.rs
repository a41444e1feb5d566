//! The root signature that belongs to lowered shaders.

use std::fmt;
use std::num::NonZeroU32;

use heapstone_samplers::plan::{Register, RootParameter, SamplerPlan};

use crate::error::Error;
use crate::registers::{Assignment, Class, ViewBinding};

/// Dwords that a root signature may have (spec/4-sampler-heap.txt, "a max of 64 DWORDS").
pub const ROOT_SIGNATURE_DWORDS: u32 = 64;

/// D3D12_ROOT_SIGNATURE_DESC of a pipeline. Its `Display` is HLSL's text of a root signature, as
/// `[RootSignature("...")]` takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSignature {
    /// Its parameters. The plan's come first, so that places in [`SamplerPlan::root_parameters`] are places here.
    pub parameters: Vec<Parameter>,
    /// D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT: a vertex shader is among the shaders.
    pub input_layout: bool,
    /// D3D12_ROOT_SIGNATURE_FLAG_SAMPLER_HEAP_DIRECTLY_INDEXED: shaders index the bound heap by themselves.
    pub sampler_heap_directly_indexed: bool,
}

/// D3D12_ROOT_PARAMETER. Chosen: visible to all stages, since a pipeline's shaders share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// One of the plan's.
    Samplers(RootParameter),
    /// A descriptor table of a group's views: 1 dword.
    Views {
        /// WGSL's `@group`.
        group: u32,
        /// Its ranges, in the order of the descriptors.
        ranges: Vec<ViewRange>,
    },
    /// Root constants of WGSL's immediate block: a dword each.
    Immediates {
        /// Their register in class b.
        register: Register,
        /// How many.
        dwords: u32,
    },
}

impl Parameter {
    /// Dwords that it takes (facts/buffer-views.md, Sampler heaps).
    #[must_use]
    pub const fn dwords(&self) -> u32 {
        match self {
            Parameter::Samplers(parameter) => parameter.dwords(),
            Parameter::Views { .. } => 1,
            Parameter::Immediates { dwords, .. } => *dwords,
        }
    }
}

/// D3D12_DESCRIPTOR_RANGE of views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewRange {
    /// RangeType.
    pub class: Class,
    /// BaseShaderRegister and RegisterSpace.
    pub register: Register,
    /// NumDescriptors.
    pub descriptors: NonZeroU32,
    /// OffsetInDescriptorsFromTableStart.
    pub offset: u32,
}

impl RootSignature {
    /// Of a plan and what else the shaders bind.
    pub(crate) fn new(
        plan: &SamplerPlan,
        assignment: &Assignment,
        input_layout: bool,
    ) -> Result<RootSignature, Error> {
        let mut parameters: Vec<Parameter> =
            plan.root_parameters.iter().cloned().map(Parameter::Samplers).collect();
        for views in assignment.views.chunk_by(|a, b| a.group == b.group) {
            parameters.push(table(views)?);
        }
        let immediates = assignment.immediates;
        parameters.extend(immediates.map(|(register, dwords)| Parameter::Immediates { register, dwords }));
        let sampler_heap_directly_indexed = plan.strategy.is_direct();
        let signature = RootSignature { parameters, input_layout, sampler_heap_directly_indexed };
        let given = signature.dwords();
        if given > u64::from(ROOT_SIGNATURE_DWORDS) {
            let allowed = u64::from(ROOT_SIGNATURE_DWORDS);
            return Err(Error::Limit { field: "dwords of the root signature", given, allowed });
        }
        Ok(signature)
    }

    /// Dwords that it takes, at most [`ROOT_SIGNATURE_DWORDS`].
    #[must_use]
    pub fn dwords(&self) -> u64 {
        self.parameters.iter().map(|parameter| u64::from(parameter.dwords())).sum()
    }
}

/// The table of one group's views.
fn table(views: &[ViewBinding]) -> Result<Parameter, Error> {
    let mut ranges: Vec<ViewRange> = Vec::new();
    let mut offset = 0_u32;
    let mut group = 0;
    for view in views {
        group = view.group;
        let registers = view.registers.get();
        let range =
            ViewRange { class: view.class, register: view.register, descriptors: view.registers, offset };
        offset = offset.checked_add(registers).ok_or(Error::Limit {
            field: "descriptors of a group's table",
            given: u64::from(offset) + u64::from(registers),
            allowed: u64::from(u32::MAX),
        })?;
        // Registers of a group and class are dense, so that one range holds them.
        match ranges.last_mut() {
            Some(last) if last.class == view.class => {
                last.descriptors = last.descriptors.saturating_add(registers);
            }
            _ => ranges.push(range),
        }
    }
    Ok(Parameter::Views { group, ranges })
}

impl fmt::Display for RootSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let flags: Vec<&str> = [
            (self.input_layout, "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"),
            (self.sampler_heap_directly_indexed, "SAMPLER_HEAP_DIRECTLY_INDEXED"),
        ]
        .into_iter()
        .filter_map(|(set, name)| set.then_some(name))
        .collect();
        if !flags.is_empty() {
            parts.push(format!("RootFlags({})", flags.join(" | ")));
        }
        parts.extend(self.parameters.iter().map(text));
        f.write_str(&parts.join(", "))
    }
}

fn text(parameter: &Parameter) -> String {
    let at = |letter, register: &Register| format!("{letter}{}, space={}", register.register, register.space);
    match parameter {
        Parameter::Samplers(RootParameter::SamplerTable { ranges }) => {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|range| {
                    let (place, count, offset) = (at('s', &range.register), range.descriptors, range.offset);
                    format!("Sampler({place}, numDescriptors={count}, offset={offset})")
                })
                .collect();
            format!("DescriptorTable({})", ranges.join(", "))
        }
        Parameter::Samplers(RootParameter::ViewTable { register, .. }) => {
            format!("DescriptorTable(SRV({}))", at('t', register))
        }
        Parameter::Samplers(RootParameter::RootView { register, .. }) => {
            format!("SRV({})", at('t', register))
        }
        Parameter::Samplers(RootParameter::Constants { register, dwords })
        | Parameter::Immediates { register, dwords } => {
            format!("RootConstants(num32BitConstants={dwords}, {})", at('b', register))
        }
        Parameter::Views { ranges, .. } => {
            let ranges: Vec<String> = ranges.iter().map(view_range).collect();
            format!("DescriptorTable({})", ranges.join(", "))
        }
    }
}

fn view_range(range: &ViewRange) -> String {
    let kind = match range.class {
        Class::ConstantBuffer => "CBV",
        Class::ShaderResource => "SRV",
        Class::UnorderedAccess => "UAV",
        Class::Sampler => "Sampler",
    };
    let (letter, register) = (range.class.letter(), range.register);
    format!(
        "{kind}({letter}{}, space={}, numDescriptors={}, offset={})",
        register.register, register.space, range.descriptors, range.offset
    )
}
