//! What `heapstone samplers` reads: docs/samplers.md.

use std::collections::BTreeMap;
use std::fmt;

use heapstone_samplers::plan::PlanLimits;
use heapstone_samplers::{BindGroupLayout, SamplerBinding, SamplerKind};
use heapstone_spec::views::{
    BorderColor, ComparisonFunc, Filter, FilterReduction, SamplerDesc, TextureAddressMode,
};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::json::{Number, Object};
use crate::failure::Failure;

/// The file, or the list of bind groups alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    #[serde(default)]
    pub(super) limits: Object<PlanLimits>,
    #[serde(default = "one")]
    pub(super) heaps_max: u32,
    #[serde(default, deserialize_with = "named_once")]
    samplers: BTreeMap<String, Object<SamplerFields>>,
    bind_groups: Vec<Object<GroupFields>>,
    /// The bind groups of each draw of a frame, by their places in `bind_groups`.
    #[serde(default)]
    pub(super) draws: Vec<Vec<u32>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupFields {
    name: Option<String>,
    #[serde(default)]
    group: u32,
    #[serde(default = "one")]
    count: u32,
    #[serde(default)]
    other_dwords: u32,
    #[serde(default)]
    samplers: Vec<Object<BindingFields>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BindingFields {
    binding: u32,
    /// A fixed sampler.
    sampler: Option<SamplerName>,
    /// Those of an array.
    samplers: Option<Vec<SamplerName>>,
}

/// A sampler by its name among the file's, or as it is.
#[derive(Debug)]
enum SamplerName {
    Named(String),
    Fields(SamplerFields),
}

/// Not by an untagged choice, so that an error tells the field that is wrong.
impl<'de> Deserialize<'de> for SamplerName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SamplerName, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = SamplerName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sampler's name or its fields")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<SamplerName, E> {
                Ok(SamplerName::Named(name.to_owned()))
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<SamplerName, M::Error> {
                SamplerFields::deserialize(MapAccessDeserializer::new(map)).map(SamplerName::Fields)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Samplers by name, each name once: of two equal ones a map would keep the last without a word.
fn named_once<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Object<SamplerFields>>, D::Error> {
    struct Names;
    impl<'de> Visitor<'de> for Names {
        type Value = BTreeMap<String, Object<SamplerFields>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("samplers by name")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut named = BTreeMap::new();
            while let Some(name) = map.next_key::<String>()? {
                if named.contains_key(&name) {
                    return Err(de::Error::custom(format_args!(
                        "samplers: name is {name:?}, twice; allowed: each name once"
                    )));
                }
                named.insert(name, map.next_value()?);
            }
            Ok(named)
        }
    }
    deserializer.deserialize_map(Names)
}

/// D3D12_SAMPLER_DESC2; what is left out is as [`SamplerDesc::new`] has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SamplerFields {
    filter: Option<String>,
    address: Option<TextureAddressMode>,
    address_u: Option<TextureAddressMode>,
    address_v: Option<TextureAddressMode>,
    address_w: Option<TextureAddressMode>,
    mip_lod_bias: Option<Number>,
    max_anisotropy: Option<u32>,
    comparison_func: Option<ComparisonFunc>,
    border_color: Option<[Number; 4]>,
    border_color_uint: Option<[u32; 4]>,
    min_lod: Option<Number>,
    max_lod: Option<Number>,
}

/// Bind groups of a file, each as often as it counts. Chosen: as many as are made in a moment; all of them are alive
/// at once.
const GROUPS_MAX: u64 = 1 << 20;

const fn one() -> u32 {
    1
}

/// A bind group, its samplers by ascending binding.
#[derive(Debug)]
pub(super) struct BindGroup {
    pub(super) name: String,
    pub(super) layout: BindGroupLayout,
    /// How many such groups there are.
    pub(super) count: u32,
    pub(super) samplers: Vec<SamplerDesc>,
}

/// Reads the text of a file.
pub(super) fn parse(text: &str) -> Result<(Input, Vec<BindGroup>), Failure> {
    let wrong = |error: serde_json::Error| Failure::new(error).with_remedy("docs/samplers.md has the fields");
    if text.trim().is_empty() {
        let message = "nothing but blanks; allowed: a list of bind groups, or an object with `bind_groups`";
        return Err(Failure::new(message).with_remedy("docs/samplers.md has the fields"));
    }
    let is_list = text.trim_start().starts_with('[');
    // Not by an untagged choice, so that an error tells its line.
    let input: Input = if is_list {
        let bind_groups = serde_json::from_str(text).map_err(wrong)?;
        let limits = Object::default();
        Input { limits, heaps_max: 1, samplers: BTreeMap::new(), bind_groups, draws: Vec::new() }
    } else {
        let Object(input) = serde_json::from_str(text).map_err(wrong)?;
        input
    };
    let limits = &input.limits.0;
    if limits.heap_samplers() == 0 {
        return Err(Failure::new(format_args!(
            "limits: heap_descriptors is {}; allowed: more than heap_reserved, {}",
            limits.heap_descriptors, limits.heap_reserved
        )));
    }
    let named: BTreeMap<&str, SamplerDesc> = input
        .samplers
        .iter()
        .map(|(name, Object(fields))| Ok((name.as_str(), sampler(fields)?)))
        .collect::<Result<_, Failure>>()?;
    let count: u64 = input.bind_groups.iter().map(|Object(group)| u64::from(group.count)).sum();
    if count > GROUPS_MAX {
        return Err(Failure::new(format_args!(
            "bind_groups: count is {count} in all; allowed: at most {GROUPS_MAX}"
        )));
    }
    let groups = (0_usize..)
        .zip(&input.bind_groups)
        .map(|(number, Object(group))| bind_group(number, group, &named))
        .collect::<Result<_, Failure>>()?;
    Ok((input, groups))
}

fn bind_group(
    number: usize,
    fields: &GroupFields,
    named: &BTreeMap<&str, SamplerDesc>,
) -> Result<BindGroup, Failure> {
    let name = fields.name.clone().unwrap_or_else(|| number.to_string());
    let mut bindings: Vec<&BindingFields> = fields.samplers.iter().map(|Object(fields)| fields).collect();
    bindings.sort_by_key(|binding| binding.binding);
    let mut layout =
        BindGroupLayout { group: fields.group, samplers: Vec::new(), other_dwords: fields.other_dwords };
    let mut samplers = Vec::new();
    for fields in bindings {
        let binding = fields.binding;
        let at = format!("bind group {name}, binding {binding}");
        let (bound, count) = match (&fields.sampler, &fields.samplers) {
            (Some(sampler), None) => (core::slice::from_ref(sampler), None),
            (None, Some(list)) => {
                let count =
                    u32::try_from(list.len()).map_err(|_| Failure::new(format_args!("{at}: too long")))?;
                (list.as_slice(), Some(count))
            }
            _ => {
                return Err(Failure::new(format_args!("{at}: one of `sampler` and `samplers` is allowed")));
            }
        };
        let first = samplers.len();
        for name in bound {
            samplers.push(match name {
                SamplerName::Fields(fields) => sampler(fields)?,
                SamplerName::Named(name) => *named
                    .get(name.as_str())
                    .ok_or_else(|| Failure::new(format_args!("{at}: no sampler is named {name:?}")))?,
            });
        }
        let mut kinds = samplers[first..].iter().map(kind);
        let kind = kinds.next().unwrap_or_default();
        if kinds.any(|other| other != kind) {
            return Err(Failure::new(format_args!(
                "{at}: an array holds comparison samplers and others; allowed: one kind"
            )));
        }
        layout.samplers.push(SamplerBinding { binding, kind, count });
    }
    Ok(BindGroup { name, layout, count: fields.count, samplers })
}

fn kind(desc: &SamplerDesc) -> SamplerKind {
    if desc.filter.reduction == FilterReduction::Comparison {
        SamplerKind::Comparison
    } else {
        SamplerKind::Standard
    }
}

fn sampler(fields: &SamplerFields) -> Result<SamplerDesc, Failure> {
    let filter = match &fields.filter {
        None => Filter::MIN_MAG_MIP_LINEAR,
        Some(name) => filter(name).ok_or_else(|| {
            Failure::new(format_args!("no D3D12_FILTER is called {name:?}")).with_remedy(
                "MIN_MAG_MIP_POINT to MIN_MAG_MIP_LINEAR, ANISOTROPIC, and those with COMPARISON_, MINIMUM_, MAXIMUM_ before",
            )
        })?,
    };
    let desc = SamplerDesc::new(filter);
    let address = |axis: Option<TextureAddressMode>| axis.or(fields.address).unwrap_or(desc.address_u);
    let number = |given: Option<Number>, usual: f32| given.map_or(usual, |Number(value)| value);
    let border_color = match (fields.border_color, fields.border_color_uint) {
        (Some(_), Some(_)) => {
            return Err(Failure::new(
                "a sampler has border_color and border_color_uint; allowed: one of them",
            ));
        }
        (Some(color), None) => BorderColor::Float(color.map(|Number(value)| value)),
        (None, Some(color)) => BorderColor::Uint(color),
        (None, None) => desc.border_color,
    };
    Ok(SamplerDesc {
        address_u: address(fields.address_u),
        address_v: address(fields.address_v),
        address_w: address(fields.address_w),
        mip_lod_bias: number(fields.mip_lod_bias, desc.mip_lod_bias),
        max_anisotropy: fields.max_anisotropy.unwrap_or(desc.max_anisotropy),
        comparison_func: fields.comparison_func.unwrap_or(desc.comparison_func),
        border_color,
        min_lod: number(fields.min_lod, desc.min_lod),
        max_lod: number(fields.max_lod, desc.max_lod),
        ..desc
    })
}

/// D3D12_FILTER's names without a reduction, and their numbers (`d3d12.h`).
const FILTERS: [(&str, u32); 9] = [
    ("MIN_MAG_MIP_POINT", 0x00),
    ("MIN_MAG_POINT_MIP_LINEAR", 0x01),
    ("MIN_POINT_MAG_LINEAR_MIP_POINT", 0x04),
    ("MIN_POINT_MAG_MIP_LINEAR", 0x05),
    ("MIN_LINEAR_MAG_MIP_POINT", 0x10),
    ("MIN_LINEAR_MAG_POINT_MIP_LINEAR", 0x11),
    ("MIN_MAG_LINEAR_MIP_POINT", 0x14),
    ("MIN_MAG_MIP_LINEAR", 0x15),
    ("ANISOTROPIC", 0x55),
];

/// What stands before them, and the reduction.
const REDUCTIONS: [(&str, FilterReduction); 4] = [
    ("COMPARISON_", FilterReduction::Comparison),
    ("MINIMUM_", FilterReduction::Minimum),
    ("MAXIMUM_", FilterReduction::Maximum),
    ("", FilterReduction::Standard),
];

fn filter(name: &str) -> Option<Filter> {
    let (name, reduction) =
        REDUCTIONS.iter().find_map(|(prefix, reduction)| Some((name.strip_prefix(prefix)?, *reduction)))?;
    let (_, number) = FILTERS.iter().find(|(known, _)| *known == name)?;
    Some(Filter::from_d3d12(*number)?.with_reduction(reduction))
}

/// The filter's name in D3D12.
pub(super) fn filter_name(filter: Filter) -> String {
    let (prefix, _) = REDUCTIONS
        .iter()
        .find(|(_, reduction)| *reduction == filter.reduction)
        .expect("invariant: the table has every reduction");
    let number = filter.with_reduction(FilterReduction::Standard).to_d3d12();
    let (name, _) = FILTERS.iter().find(|(_, known)| *known == number).expect("invariant: a legal filter");
    format!("{prefix}{name}")
}
