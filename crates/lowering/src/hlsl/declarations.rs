//! The declarations that lowering writes.

use std::collections::{BTreeMap, BTreeSet};

use heapstone_samplers::SamplerKind;
use heapstone_samplers::plan::{ConstantsBinding, Register, SamplerPlan, SamplerSource};

use crate::error::Error;
use crate::resources::{Extent, Planned};

/// naga's names of the heap's two arrays, which are reserved words to it, so that nothing else has them.
pub(super) const HEAP: &str = "nagaSamplerHeap";
/// That of comparison samplers.
pub(super) const COMPARISON_HEAP: &str = "nagaComparisonSamplerHeap";
/// The bound heap as shader model 6.6 names it.
pub(super) const DIRECT_HEAP: &str = "SamplerDescriptorHeap";

/// HLSL's type.
pub(super) const fn type_name(kind: SamplerKind) -> &'static str {
    match kind {
        SamplerKind::Standard => "SamplerState",
        SamplerKind::Comparison => "SamplerComparisonState",
    }
}

const fn heap_name(kind: SamplerKind) -> &'static str {
    match kind {
        SamplerKind::Standard => HEAP,
        SamplerKind::Comparison => COMPARISON_HEAP,
    }
}

/// How a body reaches a sampler of an array.
#[derive(Clone, Debug)]
pub(super) struct ArrayAccess {
    pub(super) kind: SamplerKind,
    /// Its length: indices are held below it.
    pub(super) length: u32,
    pub(super) through: Through,
}

/// The expression around an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Through {
    /// `array[e]`: registers of its own.
    Registers,
    /// `heap[buffer[array + e]]`.
    Buffer,
    /// `heap[array[e]]`: the packed indices.
    Packed,
}

/// Writes declarations as a plan has them.
pub(super) struct Declarations<'p> {
    plan: &'p SamplerPlan,
    /// What the packed constants' names begin with, and no name of the text.
    constants_name: String,
    /// What the names of the functions that index the bound heap begin with, and no name of the text.
    direct_name: String,
    /// The kinds of which there are arrays.
    array_kinds: BTreeSet<SamplerKind>,
    /// The names of the groups' index buffers.
    buffers: BTreeMap<u32, String>,
}

impl<'p> Declarations<'p> {
    /// `unused(stem)` answers a name that begins with `stem` and that no name of the text begins with.
    pub(super) fn new(
        plan: &'p SamplerPlan,
        planned: &[Planned],
        unused: impl Fn(&str) -> String,
    ) -> Declarations<'p> {
        let arrays = planned.iter().filter(|planned| planned.sampler.extent != Extent::One);
        Declarations {
            plan,
            array_kinds: arrays.map(|planned| planned.sampler.kind).collect(),
            constants_name: unused("packedSamplerIndices"),
            direct_name: unused("samplerOfHeap"),
            buffers: BTreeMap::new(),
        }
    }

    /// The whole heap and the packed constants, where the plan has them; the functions that index the bound heap
    /// otherwise. Stands before all other declarations of samplers.
    pub(super) fn heap(&self) -> String {
        let mut lines = Vec::new();
        if let Some(heap) = &self.plan.heap {
            for (kind, register) in
                [(SamplerKind::Standard, heap.standard), (SamplerKind::Comparison, heap.comparison)]
            {
                let (ty, name, place) = (type_name(kind), heap_name(kind), at('s', register));
                lines.push(format!("{ty} {name}[{}] : {place};", heap.descriptors));
            }
        }
        if self.plan.strategy.is_direct() {
            for &kind in &self.array_kinds {
                for non_uniform in [false, true] {
                    let (ty, name) = (type_name(kind), self.direct_function(kind, non_uniform));
                    let index = qualified("index", non_uniform);
                    lines.push(format!(
                        "{ty} {name}(uint index) {{ {ty} found = {DIRECT_HEAP}[{index}]; return found; }}"
                    ));
                }
            }
        }
        if let Some(constants) = &self.plan.constants {
            let (name, place) = (&self.constants_name, at('b', constants.register));
            let words: Vec<String> =
                (0..constants.dwords).map(|dword| format!("uint {name}_{dword};")).collect();
            lines.push(format!("cbuffer {name} : {place} {{ {} }}", words.join(" ")));
        }
        lines.join("\n")
    }

    /// A group's index buffer, which naga calls `name`; nothing where the plan has none.
    pub(super) fn buffer(&mut self, group: u32, name: &str) -> String {
        self.buffers.insert(group, name.to_owned());
        let planned = self.plan.group(group).and_then(|group| group.index_buffer);
        planned.map_or_else(String::new, |buffer| {
            format!("StructuredBuffer<uint> {name} : {};", at('t', buffer.register))
        })
    }

    /// A fixed sampler, which naga calls `name`.
    pub(super) fn fixed(&self, planned: &Planned, name: &str) -> Result<String, Error> {
        let kind = planned.sampler.kind;
        let ty = type_name(kind);
        let index = match planned.plan.source {
            SamplerSource::Register { register, .. } => {
                return Ok(format!("{ty} {name} : {};", at('s', register)));
            }
            SamplerSource::IndexBuffer { first } => format!("{}[{first}]", self.buffer_of(planned, first)?),
            SamplerSource::Constants { first } => self.packed(planned, first)?,
        };
        let heap = if self.plan.strategy.is_direct() { DIRECT_HEAP } else { self.heap_of(planned)? };
        Ok(format!("static const {ty} {name} = {heap}[{index}];"))
    }

    /// An array of samplers, which naga calls `name`, and how bodies reach its elements.
    pub(super) fn array(&self, planned: &Planned, name: &str) -> Result<(String, ArrayAccess), Error> {
        let kind = planned.sampler.kind;
        let planned_count = planned.plan.count.unwrap_or(1);
        let length = match planned.sampler.extent {
            Extent::Array(count) => count.get(),
            Extent::One | Extent::Unsized => planned_count,
        };
        let access = |through| ArrayAccess { kind, length, through };
        match planned.plan.source {
            SamplerSource::Register { register, .. } => {
                let text = format!("{} {name}[{length}] : {};", type_name(kind), at('s', register));
                Ok((text, access(Through::Registers)))
            }
            SamplerSource::IndexBuffer { first } => {
                let last = last_of(planned, first, length)?;
                self.buffer_of(planned, last)?;
                self.reachable(planned)?;
                Ok((format!("static const uint {name} = {first}u;"), access(Through::Buffer)))
            }
            SamplerSource::Constants { first } => {
                let last = last_of(planned, first, length)?;
                self.reachable(planned)?;
                let indices: Result<Vec<String>, Error> =
                    (first..=last).map(|index| self.packed(planned, index)).collect();
                let text = format!("static const uint {name}[{length}] = {{ {} }};", indices?.join(", "));
                Ok((text, access(Through::Packed)))
            }
        }
    }

    /// The sampler of the heap whose index an expression is.
    pub(super) fn of_heap(&self, kind: SamplerKind, non_uniform: bool, index: &str) -> String {
        if self.plan.strategy.is_direct() {
            return format!("{}({index})", self.direct_function(kind, non_uniform));
        }
        format!("{}[{}]", heap_name(kind), qualified(index, non_uniform))
    }

    fn direct_function(&self, kind: SamplerKind, non_uniform: bool) -> String {
        let kind = match kind {
            SamplerKind::Standard => "",
            SamplerKind::Comparison => "Comparison",
        };
        format!("{}{kind}{}", self.direct_name, if non_uniform { "NonUniform" } else { "" })
    }

    fn reachable(&self, planned: &Planned) -> Result<(), Error> {
        if self.plan.strategy.is_direct() { Ok(()) } else { self.heap_of(planned).map(|_| ()) }
    }

    fn heap_of(&self, planned: &Planned) -> Result<&'static str, Error> {
        if self.plan.heap.is_some() {
            return Ok(heap_name(planned.sampler.kind));
        }
        Err(contradiction(planned, "an index into the heap", "a register, where plan.heap is none"))
    }

    /// The name of the buffer that holds a sampler's element `last`.
    fn buffer_of(&self, planned: &Planned, last: u32) -> Result<&str, Error> {
        let group = planned.sampler.group;
        let length = self.plan.group(group).and_then(|group| group.index_buffer).map_or(0, |b| b.index_count);
        match self.buffers.get(&group) {
            Some(name) if last < length => Ok(name),
            _ => Err(contradiction(
                planned,
                &format!("element {last} of the group's index buffer"),
                &format!("elements below {length}"),
            )),
        }
    }

    /// The packed index number `at`: bits of one dword, or of two.
    fn packed(&self, planned: &Planned, at: u32) -> Result<String, Error> {
        let beyond = |allowed: &str| contradiction(planned, &format!("packed index {at}"), allowed);
        let Some(ConstantsBinding { dwords, index_bits: bits, .. }) = self.plan.constants else {
            return Err(beyond("another source, where plan.constants is none"));
        };
        let first_bit = u64::from(at) * u64::from(bits);
        let end = first_bit + u64::from(bits);
        if !(1..=32).contains(&bits) || end > u64::from(dwords) * 32 {
            return Err(beyond(&format!("what fits {dwords} dwords by {bits} bits, 1 to 32")));
        }
        let (word, shift) = (first_bit / 32, first_bit % 32);
        let mask = u32::MAX >> (32 - bits);
        let name = &self.constants_name;
        let low = if shift == 0 { format!("{name}_{word}") } else { format!("({name}_{word} >> {shift}u)") };
        if shift + u64::from(bits) <= 32 {
            return Ok(format!("({low} & {mask}u)"));
        }
        let (next, up) = (word + 1, 32 - shift);
        Ok(format!("(({low} | ({name}_{next} << {up}u)) & {mask}u)"))
    }
}

/// The last element of an array that begins at element `first`.
fn last_of(planned: &Planned, first: u32, length: u32) -> Result<u32, Error> {
    let last = length.checked_sub(1).and_then(|more| first.checked_add(more));
    last.ok_or_else(|| {
        contradiction(planned, &format!("{length} elements from {first}"), "at least 1, in 32 bits")
    })
}

fn contradiction(planned: &Planned, given: &str, allowed: &str) -> Error {
    let (group, binding) = (planned.sampler.group, planned.sampler.binding);
    Error::Plan {
        field: format!("source of @group({group}) @binding({binding})"),
        given: given.to_owned(),
        allowed: allowed.to_owned(),
    }
}

/// HLSL's mark of an index that differs between the threads of a wave.
pub(super) fn qualified(index: &str, non_uniform: bool) -> String {
    if non_uniform { format!("NonUniformResourceIndex({index})") } else { index.to_owned() }
}

fn at(letter: char, Register { register, space }: Register) -> String {
    format!("register({letter}{register}, space{space})")
}
