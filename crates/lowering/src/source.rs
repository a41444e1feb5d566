//! From a text or a module to a module that is known to be lowered.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use heapstone_samplers::plan::ShaderModel;
use naga::back::{hlsl, pipeline_constants};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage, Span};

use crate::Options;
use crate::error::{Error, Place};

/// A shader to lower.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// WGSL.
    Wgsl(&'a str),
    /// naga's intermediate representation, validated or not.
    Module(&'a Module),
}

/// A validated module without overrides.
pub(crate) struct Checked<'a> {
    pub(crate) module: Module,
    pub(crate) info: ModuleInfo,
    text: Option<&'a str>,
}

impl Checked<'_> {
    /// Where a span begins.
    pub(crate) fn place(&self, span: Span) -> Place {
        place(self.text, span)
    }
}

/// Reads, validates and specialises a shader.
pub(crate) fn check<'a>(source: Source<'a>, options: &Options) -> Result<Checked<'a>, Error> {
    guarded("the front end", || {
        let (module, text) = match source {
            Source::Module(module) => (module.clone(), None),
            Source::Wgsl(text) => {
                let parsed = naga::front::wgsl::parse_str(text);
                (parsed.map_err(|error| syntax(text, &error))?, Some(text))
            }
        };
        let info = Validator::new(ValidationFlags::all(), capabilities(options.shader_model))
            .validate(&module)
            .map_err(|error| Error::Invalid {
                place: error.spans().next().map_or(Place::default(), |(span, _)| place(text, *span)),
                message: with_causes(error.as_inner()),
            })?;
        stages_are_lowered(&module)?;
        let constants: naga::back::PipelineConstants =
            options.constants.iter().map(|(name, value)| (name.clone(), *value)).collect();
        let (module, info) = pipeline_constants::process_overrides(&module, &info, None, &constants)
            .map_err(|error| Error::Constants { message: with_causes(&error) })?;
        Ok(Checked { module: module.into_owned(), info: info.into_owned(), text })
    })
}

/// What the validator lets through: what naga's HLSL back end writes, less what has no place in the layouts of
/// this crate (external textures, acceleration structures, mesh and ray stages), less what the shader model lacks.
fn capabilities(model: ShaderModel) -> Capabilities {
    let unplanned = Capabilities::TEXTURE_EXTERNAL
        | Capabilities::RAY_QUERY
        | Capabilities::ACCELERATION_STRUCTURE_BINDING_ARRAY
        | Capabilities::MESH_SHADER
        | Capabilities::PER_VERTEX
        | Capabilities::MULTIVIEW;
    let mut capabilities = hlsl::supported_capabilities() - unplanned;
    let since = |minor| ShaderModel { major: 6, minor };
    let later = [
        (since(0), Capabilities::SUBGROUP | Capabilities::SHADER_INT64),
        (since(1), Capabilities::SHADER_BARYCENTRICS),
        (since(2), Capabilities::SHADER_FLOAT16 | Capabilities::SHADER_INT16),
        (
            since(6),
            Capabilities::SHADER_INT64_ATOMIC_ALL_OPS
                | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX
                | Capabilities::TEXTURE_INT64_ATOMIC,
        ),
    ];
    for (first, features) in later {
        if model < first {
            capabilities -= features;
        }
    }
    capabilities
}

fn stages_are_lowered(module: &Module) -> Result<(), Error> {
    for entry in &module.entry_points {
        if !matches!(entry.stage, ShaderStage::Vertex | ShaderStage::Fragment | ShaderStage::Compute) {
            return Err(Error::Unsupported {
                place: Place::default(),
                name: entry.name.clone(),
                feature: "a mesh or ray tracing stage",
                allowed: "vertex, fragment and compute stages",
            });
        }
    }
    Ok(())
}

/// naga's name of a shader model.
pub(crate) fn naga_model(model: ShaderModel) -> Result<hlsl::ShaderModel, Error> {
    const MODELS: [(u8, u8, hlsl::ShaderModel); 11] = [
        (5, 1, hlsl::ShaderModel::V5_1),
        (6, 0, hlsl::ShaderModel::V6_0),
        (6, 1, hlsl::ShaderModel::V6_1),
        (6, 2, hlsl::ShaderModel::V6_2),
        (6, 3, hlsl::ShaderModel::V6_3),
        (6, 4, hlsl::ShaderModel::V6_4),
        (6, 5, hlsl::ShaderModel::V6_5),
        (6, 6, hlsl::ShaderModel::V6_6),
        (6, 7, hlsl::ShaderModel::V6_7),
        (6, 8, hlsl::ShaderModel::V6_8),
        (6, 9, hlsl::ShaderModel::V6_9),
    ];
    let known = MODELS.iter().find(|(major, minor, _)| (*major, *minor) == (model.major, model.minor));
    known.map(|(_, _, model)| *model).ok_or_else(|| Error::Target {
        field: "options.shader_model",
        given: model.to_string(),
        allowed: "5.1, 6.0 to 6.9".to_owned(),
    })
}

/// HLSL of a checked module.
pub(crate) fn write(checked: &Checked<'_>, options: &hlsl::Options) -> Result<(String, Vec<String>), Error> {
    guarded("the HLSL back end", || {
        let pipeline = hlsl::PipelineOptions::default();
        let mut text = String::new();
        let mut writer = hlsl::Writer::new(&mut text, options, &pipeline);
        let reflection = writer
            .write(&checked.module, &checked.info, None)
            .map_err(|error| Error::Translator { message: with_causes(&error) })?;
        let names = reflection.entry_point_names.into_iter().collect::<Result<Vec<_>, _>>();
        Ok((text, names.map_err(|error| Error::Translator { message: with_causes(&error) })?))
    })
}

/// naga asserts in places; what it meets there is an error here, and no panic of the caller's.
fn guarded<T>(part: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason");
        Err(Error::Translator { message: format!("{part} gave up: {said}") })
    })
}

fn syntax(text: &str, error: &naga::front::wgsl::ParseError) -> Error {
    let span = error.labels().next().map(|(span, _)| span);
    let message = error.message().to_owned();
    Error::Syntax { place: span.map_or(Place::default(), |span| place(Some(text), span)), message }
}

/// An error with those behind it, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        message.push_str(": ");
        message.push_str(&next.to_string());
        cause = next.source();
    }
    message
}

fn place(text: Option<&str>, span: Span) -> Place {
    let start = span.to_range().map(|range| range.start);
    let before = text.zip(start).and_then(|(text, start)| text.get(..start));
    let Some(before) = before else { return Place::default() };
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Place {
        line: number(before.matches('\n').count().saturating_add(1)),
        column: number((before.len() - line_start).saturating_add(1)),
    }
}

/// Values for overrides, by name or, where an override has an @id, by that number.
pub type Constants = BTreeMap<String, f64>;
