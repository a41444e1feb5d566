//! Registers for what a pipeline binds: spaces apart from the plan's, and the proof that nothing overlaps.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroU32;

use heapstone_samplers::plan::{Register, RootParameter, SamplerPlan, SamplerSource};

use crate::error::Error;
use crate::resources::{Resources, ViewKind};

/// The kinds of registers: HLSL's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `b`: constant buffers and root constants.
    ConstantBuffer,
    /// `t`: shader resource views.
    ShaderResource,
    /// `u`: unordered access views.
    UnorderedAccess,
    /// `s`: samplers.
    Sampler,
}

impl Class {
    /// The letter in `register(t0)`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Class::ConstantBuffer => 'b',
            Class::ShaderResource => 't',
            Class::UnorderedAccess => 'u',
            Class::Sampler => 's',
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::ConstantBuffer => "constant buffer",
            Class::ShaderResource => "shader resource",
            Class::UnorderedAccess => "unordered access",
            Class::Sampler => "sampler",
        })
    }
}

/// A binding of the shaders that is no sampler, and where HLSL declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewBinding {
    /// WGSL's `@group`.
    pub group: u32,
    /// WGSL's `@binding`.
    pub binding: u32,
    /// The variable's name in the source; empty where it has none.
    pub name: String,
    /// The kind of register.
    pub class: Class,
    /// The first register.
    pub register: Register,
    /// Registers that it takes: an array's length, otherwise 1.
    pub registers: NonZeroU32,
}

/// Where everything is declared that no plan of samplers places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignment {
    /// By group, class and register.
    pub(crate) views: Vec<ViewBinding>,
    /// The immediate block's register and dwords.
    pub(crate) immediates: Option<(Register, u32)>,
}

/// naga counts the spaces of what it declares in 8 bits; the last one marks what lowering replaces.
pub(crate) const MARKED_SPACE: u8 = u8::MAX;
const SPACES: u32 = 255;
const _: () = assert!(SPACES == MARKED_SPACE as u32);

/// Gives each view a register: a space for each group, within it each class from 0 by ascending binding. A
/// group's number is its space where the plan leaves that free.
pub(crate) fn assign(resources: &Resources, plan: &SamplerPlan) -> Result<Assignment, Error> {
    let mut spaces = Spaces::beside(plan);
    let mut group_space: BTreeMap<u32, u32> = BTreeMap::new();
    let mut next: BTreeMap<(u32, Class), u32> = BTreeMap::new();
    let mut views = Vec::with_capacity(resources.views.len());
    let groups: BTreeSet<u32> = resources.views.keys().map(|(group, _)| *group).collect();
    for group in &groups {
        // Chosen, because a reader then finds a binding's group in its space.
        if spaces.take(*group) {
            group_space.insert(*group, *group);
        }
    }
    for ((group, binding), view) in &resources.views {
        let ViewKind { class, registers } = view.kind;
        let space = match group_space.get(group) {
            Some(space) => *space,
            None => *group_space.entry(*group).or_insert(spaces.next()?),
        };
        let first = next.entry((*group, class)).or_insert(0);
        let register = Register { register: *first, space };
        *first = first.checked_add(registers.get()).ok_or(Error::Limit {
            field: "registers of a group",
            given: u64::from(*first) + u64::from(registers.get()),
            allowed: u64::from(u32::MAX),
        })?;
        let (group, binding, name) = (*group, *binding, view.name.clone());
        views.push(ViewBinding { group, binding, name, class, register, registers });
    }
    let immediates = match resources.immediate_dwords {
        Some(dwords) => Some((Register { register: 0, space: spaces.next()? }, dwords)),
        None => None,
    };
    views.sort_by_key(|view| (view.group, view.class, view.register));
    let assignment = Assignment { views, immediates };
    declared_is_bound(plan)?;
    constants_agree(plan)?;
    nothing_overlaps(&assignment, plan)?;
    Ok(assignment)
}

/// Register spaces that are still free.
struct Spaces {
    taken: BTreeSet<u32>,
}

impl Spaces {
    fn beside(plan: &SamplerPlan) -> Spaces {
        Spaces { taken: planned_ranges(plan).iter().map(|range| range.first.space).collect() }
    }

    /// Takes this one, and answers whether it was free.
    fn take(&mut self, space: u32) -> bool {
        space < SPACES && self.taken.insert(space)
    }

    fn next(&mut self) -> Result<u32, Error> {
        let free = (0..SPACES).find(|space| self.taken.insert(*space));
        free.ok_or(Error::Limit {
            field: "register spaces of the groups and the plan",
            given: u64::from(SPACES) + 1,
            allowed: u64::from(SPACES),
        })
    }
}

/// Registers in a row.
struct Range {
    class: Class,
    first: Register,
    count: u32,
    purpose: String,
}

impl Range {
    fn end(&self) -> u64 {
        u64::from(self.first.register) + u64::from(self.count)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, Register { register, space }) = (self.class.letter(), self.first);
        if self.count == 1 {
            return write!(f, "{letter}{register}, space{space} ({})", self.purpose);
        }
        let last = self.end().saturating_sub(1);
        write!(f, "{letter}{register} to {letter}{last}, space{space} ({})", self.purpose)
    }
}

/// What the plan's root parameters take.
fn planned_ranges(plan: &SamplerPlan) -> Vec<Range> {
    let mut ranges = Vec::new();
    for parameter in &plan.root_parameters {
        let one = |class, first, purpose| Range { class, first, count: 1, purpose };
        match parameter {
            RootParameter::SamplerTable { ranges: table } => ranges.extend(table.iter().map(|range| Range {
                class: Class::Sampler,
                first: range.register,
                count: range.descriptors,
                purpose: "samplers of the plan".to_owned(),
            })),
            RootParameter::ViewTable { group, register } | RootParameter::RootView { group, register } => {
                let purpose = format!("indices of group {group}");
                ranges.push(one(Class::ShaderResource, *register, purpose));
            }
            RootParameter::Constants { register, .. } => {
                ranges.push(one(Class::ConstantBuffer, *register, "packed indices".to_owned()));
            }
        }
    }
    ranges
}

/// What the plan has shaders declare is in its root parameters. A plan that was made by hand could say otherwise,
/// and D3D12 would refuse the pipeline.
fn declared_is_bound(plan: &SamplerPlan) -> Result<(), Error> {
    let bound = planned_ranges(plan);
    for range in declared_ranges(plan) {
        let holds = |other: &Range| {
            (other.class, other.first.space) == (range.class, range.first.space)
                && other.first.register <= range.first.register
                && range.end() <= other.end()
        };
        if !bound.iter().any(holds) {
            return Err(Error::Plan {
                field: "root_parameters".to_owned(),
                given: format!("none that has {range}"),
                allowed: "one for each register that the plan declares".to_owned(),
            });
        }
    }
    Ok(())
}

/// The root constants are as many as the shaders declare.
fn constants_agree(plan: &SamplerPlan) -> Result<(), Error> {
    let Some(constants) = &plan.constants else { return Ok(()) };
    let bound = plan.root_parameters.iter().find_map(|parameter| match parameter {
        RootParameter::Constants { register, dwords } if *register == constants.register => Some(*dwords),
        _ => None,
    });
    if bound == Some(constants.dwords) {
        return Ok(());
    }
    Err(Error::Plan {
        field: "constants.dwords".to_owned(),
        given: constants.dwords.to_string(),
        allowed: format!("{}, as in root_parameters", bound.unwrap_or(0)),
    })
}

/// What the plan has shaders declare.
fn declared_ranges(plan: &SamplerPlan) -> Vec<Range> {
    let mut ranges = Vec::new();
    let mut add = |class, first, count, purpose: &str| {
        ranges.push(Range { class, first, count, purpose: purpose.to_owned() });
    };
    if let Some(heap) = &plan.heap {
        add(Class::Sampler, heap.standard, heap.descriptors, "the heap");
        add(Class::Sampler, heap.comparison, heap.descriptors, "the heap, of comparison samplers");
    }
    if let Some(constants) = &plan.constants {
        add(Class::ConstantBuffer, constants.register, 1, "packed indices");
    }
    for group in &plan.groups {
        if let Some(buffer) = &group.index_buffer {
            add(Class::ShaderResource, buffer.register, 1, "a group's indices");
        }
        for sampler in &group.samplers {
            if let SamplerSource::Register { register, .. } = sampler.source {
                add(Class::Sampler, register, sampler.count.unwrap_or(1), "samplers of a binding");
            }
        }
    }
    ranges
}

/// D3D12 refuses root signatures in which a register of a space stands twice for its class.
fn nothing_overlaps(assignment: &Assignment, plan: &SamplerPlan) -> Result<(), Error> {
    let mut ranges = planned_ranges(plan);
    ranges.extend(assignment.views.iter().map(|view| Range {
        class: view.class,
        first: view.register,
        count: view.registers.get(),
        purpose: format!("@group({}) @binding({})", view.group, view.binding),
    }));
    ranges.extend(assignment.immediates.iter().map(|(first, _)| Range {
        class: Class::ConstantBuffer,
        first: *first,
        count: 1,
        purpose: "the immediate block".to_owned(),
    }));
    ranges.sort_by_key(|range| (range.class, range.first.space, range.first.register));
    for pair in ranges.windows(2) {
        let [low, high] = pair else { continue };
        let together = low.class == high.class && low.first.space == high.first.space;
        if together && u64::from(high.first.register) < low.end() {
            return Err(Error::Collision { given: high.to_string(), other: low.to_string() });
        }
    }
    Ok(())
}
