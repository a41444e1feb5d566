//! What a module binds.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use heapstone_samplers::SamplerKind;
use heapstone_samplers::plan::{PlannedSampler, SamplerPlan};
use naga::proc::Layouter;
use naga::{AddressSpace, ArraySize, GlobalVariable, Handle, ImageClass, StorageAccess, TypeInner};

use crate::Options;
use crate::error::{Error, Place};
use crate::registers::Class;
use crate::source::Checked;

/// A bound variable that is no sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) kind: ViewKind,
}

/// What shaders of one pipeline must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ViewKind {
    /// The kind of register.
    pub(crate) class: Class,
    /// Registers that it takes.
    pub(crate) registers: NonZeroU32,
}

impl std::fmt::Display for ViewKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} registers", self.class, self.registers)
    }
}

/// A sampler, or an array of them, as the shader declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sampler {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) group: u32,
    pub(crate) binding: u32,
    pub(crate) kind: SamplerKind,
    pub(crate) extent: Extent,
}

/// How many samplers a variable names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A fixed sampler.
    One,
    /// An array of so many.
    Array(NonZeroU32),
    /// An array that is as long as its bind group makes it.
    Unsized,
}

/// All that a module binds.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    /// By group and binding.
    pub(crate) views: BTreeMap<(u32, u32), View>,
    /// In order of declaration.
    pub(crate) samplers: Vec<Sampler>,
    /// Dwords of the immediate block (WGSL's `var<immediate>`), where there is one.
    pub(crate) immediate_dwords: Option<u32>,
}

/// Collects what a module binds.
pub(crate) fn resources(checked: &Checked<'_>, options: &Options) -> Result<Resources, Error> {
    let module = &checked.module;
    let mut all = Resources::default();
    for (handle, variable) in module.global_variables.iter() {
        let place = checked.place(module.global_variables.get_span(handle));
        let name = variable.name.clone().unwrap_or_default();
        if variable.space == AddressSpace::Immediate {
            all.immediate_dwords = all.immediate_dwords.max(Some(dwords(checked, variable.ty)?));
        }
        let Some(binding) = &variable.binding else { continue };
        let (element, extent) = match &module.types[variable.ty].inner {
            TypeInner::BindingArray { base, size } => (&module.types[*base].inner, array_extent(*size)),
            inner => (inner, Extent::One),
        };
        if let TypeInner::Sampler { comparison } = element {
            let kind = if *comparison { SamplerKind::Comparison } else { SamplerKind::Standard };
            let (group, binding) = (binding.group, binding.binding);
            all.samplers.push(Sampler { name, place, group, binding, kind, extent });
            continue;
        }
        let at = (binding.group, binding.binding);
        let registers = match extent {
            Extent::One => NonZeroU32::MIN,
            Extent::Array(count) => count,
            Extent::Unsized => *options.array_lengths.get(&at).ok_or_else(|| Error::Unsupported {
                place,
                name: name.clone(),
                feature: "a binding array without a length",
                allowed: "a length in the shader, or one for the binding in options.array_lengths",
            })?,
        };
        let class = class(variable, element).ok_or_else(|| Error::Unsupported {
            place,
            name: name.clone(),
            feature: "an external texture or an acceleration structure",
            allowed: "buffers, textures, storage textures and samplers",
        })?;
        let kind = ViewKind { class, registers };
        add_view(&mut all.views, at, View { name, place, kind })?;
    }
    all.unlike_bindings_differ()?;
    Ok(all)
}

impl Resources {
    /// Adds another shader of the same pipeline.
    pub(crate) fn merge(&mut self, other: &Resources) -> Result<(), Error> {
        for (at, view) in &other.views {
            add_view(&mut self.views, *at, view.clone())?;
        }
        self.samplers.extend(other.samplers.iter().cloned());
        self.immediate_dwords = self.immediate_dwords.max(other.immediate_dwords);
        self.unlike_bindings_differ()
    }

    /// No binding is a sampler here and something else there. (That samplers agree with each other follows from
    /// each agreeing with the plan.)
    fn unlike_bindings_differ(&self) -> Result<(), Error> {
        for sampler in &self.samplers {
            if let Some(view) = self.views.get(&(sampler.group, sampler.binding)) {
                return Err(Error::Contradicts {
                    place: sampler.place,
                    name: sampler.name.clone(),
                    group: sampler.group,
                    binding: sampler.binding,
                    given: "sampler".to_owned(),
                    allowed: format!("{} ({})", view.kind, view.name),
                });
            }
        }
        Ok(())
    }
}

/// Adds a variable, where no other of its binding contradicts it. Variables of different entry points may share
/// a binding.
fn add_view(views: &mut BTreeMap<(u32, u32), View>, at: (u32, u32), view: View) -> Result<(), Error> {
    let known = views.entry(at).or_insert_with(|| view.clone());
    if known.kind == view.kind {
        return Ok(());
    }
    Err(Error::Contradicts {
        place: view.place,
        name: view.name,
        group: at.0,
        binding: at.1,
        given: view.kind.to_string(),
        allowed: format!("{} ({})", known.kind, known.name),
    })
}

fn array_extent(size: ArraySize) -> Extent {
    match size {
        ArraySize::Constant(count) => Extent::Array(count),
        // Overrides are gone, so that a size that waits for one is an array without a size.
        ArraySize::Dynamic | ArraySize::Pending(_) => Extent::Unsized,
    }
}

/// The registers in which naga declares a variable; `None` for those that this crate does not lower.
fn class(variable: &GlobalVariable, element: &TypeInner) -> Option<Class> {
    match (variable.space, element) {
        (AddressSpace::Uniform, _) => Some(Class::ConstantBuffer),
        (AddressSpace::Storage { access }, _) if access.contains(StorageAccess::STORE) => {
            Some(Class::UnorderedAccess)
        }
        (AddressSpace::Storage { .. }, _) => Some(Class::ShaderResource),
        (AddressSpace::Handle, TypeInner::Image { class: ImageClass::Storage { .. }, .. }) => {
            Some(Class::UnorderedAccess)
        }
        (AddressSpace::Handle, TypeInner::Image { class: ImageClass::External, .. }) => None,
        (AddressSpace::Handle, TypeInner::Image { .. }) => Some(Class::ShaderResource),
        _ => None,
    }
}

fn dwords(checked: &Checked<'_>, ty: Handle<naga::Type>) -> Result<u32, Error> {
    let mut layouter = Layouter::default();
    layouter
        .update(checked.module.to_ctx())
        .map_err(|error| Error::Translator { message: error.to_string() })?;
    Ok(layouter[ty].size.div_ceil(4))
}

/// A sampler with its plan.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) sampler: Sampler,
    pub(crate) plan: PlannedSampler,
}

/// Finds each sampler in the plan, and holds it against that.
pub(crate) fn planned(samplers: &[Sampler], plan: &SamplerPlan) -> Result<Vec<Planned>, Error> {
    samplers.iter().map(|sampler| planned_one(sampler, plan)).collect()
}

fn planned_one(sampler: &Sampler, plan: &SamplerPlan) -> Result<Planned, Error> {
    let (group, binding, place) = (sampler.group, sampler.binding, sampler.place);
    let name = sampler.name.clone();
    let Some(planned) = plan.sampler(group, binding) else {
        return Err(Error::NotPlanned { place, name, group, binding });
    };
    let differs = |rule, given: String, allowed: String| {
        Err(Error::Differs { place, rule, name: name.clone(), group, binding, given, allowed })
    };
    if sampler.kind != planned.kind {
        return differs("kind", kind_name(sampler.kind).to_owned(), kind_name(planned.kind).to_owned());
    }
    match (sampler.extent, planned.count) {
        (Extent::One, None) | (Extent::Unsized, Some(_)) => {}
        (Extent::Array(count), Some(most)) if count.get() <= most => {}
        (Extent::Array(count), Some(most)) => {
            return differs("count", format!("{count}"), format!("1 to {most}"));
        }
        (_, None) => return differs("count", "an array".to_owned(), "a fixed sampler".to_owned()),
        (Extent::One, Some(count)) => {
            return differs("count", "a fixed sampler".to_owned(), format!("an array of {count}"));
        }
    }
    Ok(Planned { sampler: sampler.clone(), plan: *planned })
}

fn kind_name(kind: SamplerKind) -> &'static str {
    match kind {
        SamplerKind::Standard => "sampler",
        SamplerKind::Comparison => "sampler_comparison",
    }
}
