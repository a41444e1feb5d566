//! The answer as text.

use heapstone_samplers::SamplerKind;
use heapstone_samplers::overflow::Partition;
use heapstone_samplers::plan::{RootParameter, SamplerPlan, SamplerRange, SamplerSource};
use heapstone_spec::views::{BorderColor, SamplerDesc, TextureAddressMode};

use super::input::filter_name;
use super::{Answer, PlacedGroup};
use crate::page::{Page, Side, Table};

/// Rows of a list, beyond which it is cut.
const ROWS_MAX: usize = 64;

pub(super) fn write(page: &mut Page, answer: &Answer) {
    strategies(page, answer);
    if let Some(plan) = &answer.plan {
        planned(page, plan);
    }
    if let Some(root_signature) = &answer.root_signature {
        page.heading("root signature with the shader's other bindings");
        root_signature.lines().for_each(|line| page.line(line));
    }
    if answer.plan.is_some() {
        heap_map(page, answer);
        groups(page, &answer.bind_groups);
    }
    if let Some(partition) = &answer.partition {
        divided(page, partition);
    }
    if let Some(refused) = &answer.refused {
        page.heading("refused");
        page.line(refused);
    }
}

fn strategies(page: &mut Page, answer: &Answer) {
    page.heading("strategies");
    let mut table = Table::new([
        ("strategy", Side::Left),
        ("samplers", Side::Right),
        ("others", Side::Right),
        ("dwords", Side::Right),
        ("", Side::Left),
    ]);
    let chosen = answer.plan.as_ref().map(|plan| plan.strategy);
    for candidate in &answer.candidates {
        let cost = candidate.cost;
        let remark = match candidate.unfit {
            Some(unfit) => unfit.to_string(),
            None if chosen == Some(candidate.strategy) => "taken".to_owned(),
            None => "fits".to_owned(),
        };
        let numbers = [cost.samplers(), cost.others, cost.total()].map(|number| number.to_string());
        table.row([candidate.strategy.to_string()].into_iter().chain(numbers).chain([remark]));
    }
    page.table(&table);
}

fn planned(page: &mut Page, plan: &SamplerPlan) {
    page.heading("bindings");
    let mut table = Table::new([
        ("group", Side::Right),
        ("binding", Side::Right),
        ("kind", Side::Left),
        ("samplers", Side::Right),
        ("found in", Side::Left),
    ]);
    for group in &plan.groups {
        for sampler in &group.samplers {
            let kind = match sampler.kind {
                SamplerKind::Standard => "standard",
                SamplerKind::Comparison => "comparison",
            };
            let count = sampler.count.map_or_else(|| "1".to_owned(), |count| format!("array of {count}"));
            let source = match sampler.source {
                SamplerSource::Register { register, .. } => {
                    format!("s{}, space {}", register.register, register.space)
                }
                SamplerSource::IndexBuffer { first } => format!("index buffer of the group, element {first}"),
                SamplerSource::Constants { first } => format!("root constants, index {first}"),
            };
            table.row([group.group.to_string(), sampler.binding.to_string(), kind.to_owned(), count, source]);
        }
    }
    page.table(&table);
    page.heading("root parameters");
    let mut table = Table::new([("", Side::Right), ("dwords", Side::Right), ("parameter", Side::Left)]);
    for (number, parameter) in (0_usize..).zip(&plan.root_parameters) {
        table.row([number.to_string(), parameter.dwords().to_string(), parameter_text(parameter)]);
    }
    page.table(&table);
}

fn parameter_text(parameter: &RootParameter) -> String {
    match parameter {
        RootParameter::SamplerTable { ranges } => {
            let range = |range: &SamplerRange| {
                let last = range.register.register + (range.descriptors - 1);
                format!("s{} to s{last}, space {}", range.register.register, range.register.space)
            };
            format!("table of samplers: {}", ranges.iter().map(range).collect::<Vec<_>>().join("; "))
        }
        RootParameter::ViewTable { group, register } => {
            format!("table, index buffer of group {group}: t{}, space {}", register.register, register.space)
        }
        RootParameter::RootView { group, register } => {
            format!(
                "root view, index buffer of group {group}: t{}, space {}",
                register.register, register.space
            )
        }
        RootParameter::Constants { register, dwords } => {
            format!("{dwords} root constants: b{}, space {}", register.register, register.space)
        }
    }
}

fn heap_map(page: &mut Page, answer: &Answer) {
    for (number, heap) in (0_usize..).zip(&answer.heaps) {
        page.heading(format_args!(
            "heap {number}: {} slots for {} samplers that are bound",
            heap.len(),
            answer.bound
        ));
        let mut table = Table::new([("slot", Side::Right), ("uses", Side::Right), ("sampler", Side::Left)]);
        for slot in heap.iter().take(ROWS_MAX) {
            table.row([slot.slot.to_string(), slot.uses.to_string(), sampler_text(&slot.sampler)]);
        }
        page.table(&table);
        if heap.len() > ROWS_MAX {
            page.line(format_args!("and {} more; --json has them all", heap.len() - ROWS_MAX));
        }
    }
}

/// What counts of a sampler.
fn sampler_text(desc: &SamplerDesc) -> String {
    let axes = [desc.address_u, desc.address_v, desc.address_w];
    let mut text = filter_name(desc.filter);
    let mut add = |part: String| {
        text.push_str(", ");
        text.push_str(&part);
    };
    if axes.iter().all(|axis| *axis == axes[0]) {
        add(axes[0].to_string());
    } else {
        add(axes.map(|axis| axis.to_string()).join("/"));
    }
    if desc.filter.anisotropic {
        add(format!("anisotropy {}", desc.max_anisotropy));
    }
    if desc.comparison_func != heapstone_spec::views::ComparisonFunc::None {
        add(desc.comparison_func.to_string());
    }
    if axes.contains(&TextureAddressMode::Border) {
        add(match desc.border_color {
            BorderColor::Float(color) => format!("border {color:?}"),
            BorderColor::Uint(color) => format!("border {color:?}, integers"),
        });
    }
    if desc.mip_lod_bias != 0.0 {
        add(format!("bias {}", desc.mip_lod_bias));
    }
    if desc.min_lod != 0.0 || desc.max_lod < f32::MAX {
        add(format!("levels {} to {}", desc.min_lod, desc.max_lod));
    }
    text
}

fn groups(page: &mut Page, groups: &[PlacedGroup]) {
    page.heading("bind groups");
    let mut table = Table::new([
        ("bind group", Side::Left),
        ("group", Side::Right),
        ("count", Side::Right),
        ("heap", Side::Right),
        ("buffer", Side::Right),
        ("element", Side::Right),
        ("indices", Side::Left),
    ]);
    for group in groups.iter().take(ROWS_MAX) {
        let indices: Vec<String> = group.indices.iter().take(ROWS_MAX).map(u32::to_string).collect();
        let dots = if group.indices.len() > ROWS_MAX { " ..." } else { "" };
        table.row([
            group.name.clone(),
            group.group.to_string(),
            group.count.to_string(),
            group.heap.to_string(),
            group.range.buffer.to_string(),
            group.range.first.to_string(),
            format!("{}{dots}", indices.join(" ")),
        ]);
    }
    page.table(&table);
    if groups.len() > ROWS_MAX {
        page.line(format_args!("and {} more; --json has them all", groups.len() - ROWS_MAX));
    }
}

fn divided(page: &mut Page, partition: &Partition) {
    page.heading("a frame's draws");
    page.field("heaps", partition.heaps.len());
    page.field("draws", partition.draws.len());
    page.field("switches", partition.switches);
    let is_optimal = if partition.is_optimal { "the least there can be" } else { "maybe not the least" };
    page.field(
        "",
        format_args!("{is_optimal}; no frame like this has fewer than {}", partition.switches_min),
    );
    let draws: Vec<String> = partition.draws.iter().take(ROWS_MAX).map(u32::to_string).collect();
    let dots = if partition.draws.len() > ROWS_MAX { " ..." } else { "" };
    page.field("heap of each", format_args!("{}{dots}", draws.join(" ")));
}
