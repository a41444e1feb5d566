//! Shaders for a sampler heap: WGSL or naga's intermediate representation in, HLSL out whose samplers are found as
//! a plan of the crate `heapstone-samplers` says, and the root signature beside it.
//!
//! ```
//! use heapstone_lowering::{Options, Source, lower};
//! use heapstone_samplers::plan::{PlanLimits, Strategy, plan};
//! use heapstone_samplers::{BindGroupLayout, SamplerBinding};
//!
//! let wgsl = "
//!     @group(0) @binding(0) var texture: texture_2d<f32>;
//!     @group(0) @binding(1) var linear: sampler;
//!     @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
//!         return textureSample(texture, linear, uv);
//!     }";
//! let group = BindGroupLayout { group: 0, samplers: vec![SamplerBinding::fixed(1)], other_dwords: 1 };
//! let plan = plan(&[group], &PlanLimits::default(), Some(Strategy::IndexBuffers))?;
//! let lowered = lower(Source::Wgsl(wgsl), &plan, &Options::default())?;
//! assert!(lowered.hlsl.contains("static const SamplerState linear_"));
//! println!("{}", lowered.root_signature);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What holds of every output:
//! - Samplers are where the plan says, in all of its strategies; nothing else is in the plan's register spaces
//!   ([`lower_pipeline`] proves that no two bindings overlap, or refuses).
//! - An index into an array of samplers is held below the array's length. Behind an array's indices lie those of
//!   other bindings, so that a shader could otherwise reach samplers that it was not given.
//! - Names of the source never decide anything: naga makes them unique and keeps them off HLSL's words, and what is
//!   replaced is found by marks (see the module `hlsl`).
#![forbid(unsafe_code)]

mod error;
mod hlsl;
mod registers;
mod resources;
mod root_signature;
mod source;

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use heapstone_samplers::plan::{SamplerPlan, ShaderModel};
use naga::ShaderStage;
use naga::back::hlsl::{self as naga_hlsl, BindTarget, SamplerIndexBufferKey};

pub use error::{Error, Place};
pub use naga;
pub use registers::{Class, ViewBinding};
pub use root_signature::{Parameter, ROOT_SIGNATURE_DWORDS, RootSignature, ViewRange};
pub use source::{Constants, Source};

use registers::{Assignment, MARKED_SPACE};
use resources::{Planned, Resources};
use source::Checked;

/// What a shader is lowered for.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The shader model that the HLSL is compiled for: 5.1, or 6.0 to 6.9. A plan that indexes the bound heap needs
    /// 6.6.
    pub shader_model: ShaderModel,
    /// Values for pipeline-overridable constants.
    pub constants: Constants,
    /// Lengths of binding arrays of textures that have none in the shader, by group and binding.
    pub array_lengths: BTreeMap<(u32, u32), NonZeroU32>,
}

impl Default for Options {
    /// Shader model 5.1, the first in which a whole heap is one array; 6.6 must be asked for.
    fn default() -> Options {
        Options {
            shader_model: ShaderModel::V5_1,
            constants: Constants::new(),
            array_lengths: BTreeMap::new(),
        }
    }
}

/// A shader in HLSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The text.
    pub hlsl: String,
    /// Its entry points, in the order of the source.
    pub entry_points: Vec<EntryPoint>,
    /// Where its other bindings are declared, by group, class and register. Of a pipeline, those of all its shaders.
    pub views: Vec<ViewBinding>,
    /// The root signature that it runs under.
    pub root_signature: RootSignature,
}

/// An entry point and its name in HLSL, which differs where the source's name is a word of HLSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its name in the source.
    pub name: String,
    /// Its name in HLSL.
    pub hlsl_name: String,
    /// Its stage.
    pub stage: ShaderStage,
}

/// Lowers a shader that makes a pipeline by itself: one compute shader, or vertex and fragment shader in one module.
///
/// # Errors
/// Where the source is wrong or uses what is not lowered, where its samplers are not as planned, and where
/// registers or the root signature's dwords do not suffice: see [`Error`].
pub fn lower(source: Source<'_>, plan: &SamplerPlan, options: &Options) -> Result<Lowered, Error> {
    let mut lowered = lower_pipeline(&[source], plan, options)?;
    lowered.pop().ok_or(Error::Limit { field: "shaders", given: 0, allowed: 1 })
}

/// Lowers shaders of one pipeline, from modules of their own: they share the registers and the root signature.
///
/// # Errors
/// As [`lower`]; and where two shaders bind different things at one place.
pub fn lower_pipeline(
    sources: &[Source<'_>],
    plan: &SamplerPlan,
    options: &Options,
) -> Result<Vec<Lowered>, Error> {
    target_suffices(plan, options)?;
    let checked: Vec<Checked<'_>> =
        sources.iter().map(|source| source::check(*source, options)).collect::<Result<_, _>>()?;
    let own: Vec<Resources> =
        checked.iter().map(|checked| resources::resources(checked, options)).collect::<Result<_, _>>()?;
    let mut shared = Resources::default();
    for resources in &own {
        shared.merge(resources)?;
    }
    let assignment = registers::assign(&shared, plan)?;
    let entries = || checked.iter().flat_map(|checked| &checked.module.entry_points);
    let input_layout = entries().any(|entry| entry.stage == ShaderStage::Vertex);
    let root_signature = RootSignature::new(plan, &assignment, input_layout)?;
    let lower_one = |(checked, own): (&Checked<'_>, &Resources)| {
        let planned = resources::planned(&own.samplers, plan)?;
        let (hlsl, entry_points) = write(checked, &planned, &assignment, plan, options)?;
        let views = assignment.views.clone();
        Ok(Lowered { hlsl, entry_points, views, root_signature: root_signature.clone() })
    };
    checked.iter().zip(&own).map(lower_one).collect()
}

fn target_suffices(plan: &SamplerPlan, options: &Options) -> Result<(), Error> {
    if plan.strategy.is_direct() && options.shader_model < ShaderModel::V6_6 {
        return Err(Error::Target {
            field: "options.shader_model",
            given: options.shader_model.to_string(),
            allowed: format!("6.6 and later, for the plan's strategy {}", plan.strategy),
        });
    }
    Ok(())
}

/// Has naga write a module with marks for its samplers, and puts the plan's in their place.
fn write(
    checked: &Checked<'_>,
    planned: &[Planned],
    assignment: &Assignment,
    plan: &SamplerPlan,
    options: &Options,
) -> Result<(String, Vec<EntryPoint>), Error> {
    let mut target = naga_hlsl::Options {
        shader_model: source::naga_model(options.shader_model)?,
        fake_missing_bindings: false,
        ..naga_hlsl::Options::default()
    };
    for view in &assignment.views {
        let bound = BindTarget {
            space: narrow(view.register.space)?,
            register: view.register.register,
            binding_array_size: Some(view.registers.get()),
            dynamic_storage_buffer_offsets_index: None,
            restrict_indexing: true,
        };
        target.binding_map.insert(resource(view.group, view.binding), bound);
    }
    if let Some((register, _)) = assignment.immediates {
        let (space, register) = (narrow(register.space)?, register.register);
        target.immediates_target = Some(BindTarget { space, register, ..BindTarget::default() });
    }
    let mut marks = Vec::with_capacity(planned.len());
    for Planned { sampler, .. } in planned {
        // One binding may have several variables; naga knows bindings only.
        let next = u32::try_from(marks.len()).map_err(|_| too_many())?;
        let at = resource(sampler.group, sampler.binding);
        let mark = target.binding_map.entry(at).or_insert_with(|| marked(next)).register;
        marks.push(mark);
        let group = sampler.group;
        target.sampler_buffer_binding_map.insert(SamplerIndexBufferKey { group }, marked(group));
    }
    let (text, names) = source::write(checked, &target)?;
    let rewritten = hlsl::rewrite(&text, planned, &marks, plan)?;
    let entry_points = checked
        .module
        .entry_points
        .iter()
        .zip(names)
        .map(|(entry, name)| EntryPoint {
            name: entry.name.clone(),
            hlsl_name: rewritten.renamed.get(&name).cloned().unwrap_or(name),
            stage: entry.stage,
        })
        .collect();
    Ok((rewritten.text, entry_points))
}

fn marked(register: u32) -> BindTarget {
    BindTarget { space: MARKED_SPACE, register, ..BindTarget::default() }
}

fn resource(group: u32, binding: u32) -> naga::ResourceBinding {
    naga::ResourceBinding { group, binding }
}

fn narrow(space: u32) -> Result<u8, Error> {
    u8::try_from(space).map_err(|_| Error::Limit {
        field: "register spaces",
        given: u64::from(space),
        allowed: u64::from(MARKED_SPACE),
    })
}

fn too_many() -> Error {
    Error::Limit { field: "samplers of a module", given: u64::MAX, allowed: u64::from(u32::MAX) }
}
