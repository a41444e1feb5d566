//! `heapstone samplers`: bind groups, and how shaders find their samplers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use heapstone_lowering::{Options, Source, lower};
use heapstone_samplers::overflow::{Frame, Partition, PartitionLimits, partition};
use heapstone_samplers::plan::{Candidate, PlanError, SamplerPlan, ShaderModel, Strategy, candidates, plan};
use heapstone_samplers::{
    BindGroupLayout, IndexRange, NormalizedSampler, Samplers, SamplersDesc, SamplersError,
};
use heapstone_spec::views::SamplerDesc;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::failure::{Failure, Verdict};
use crate::outputs::is_stream;
use crate::page::{self, Page, Style};

mod input;
mod json;
mod text;

use input::{BindGroup, Input};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone samplers examples/samplers/materials.json
  heapstone samplers examples/samplers/materials.json --strategy packed-constants
  heapstone samplers examples/samplers/materials.json --hlsl examples/samplers/material.wgsl

docs/samplers.md has the fields of the file.")]
pub(crate) struct SamplersArgs {
    /// Bind groups as JSON: a list, or an object with limits and named samplers; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The strategy, in place of the cheapest that fits
    #[arg(long, value_parser = parse_strategy)]
    strategy: Option<Strategy>,
    /// A shader to lower to HLSL under the plan
    #[arg(long, value_name = "FILE.wgsl")]
    hlsl: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_strategy(text: &str) -> Result<Strategy, String> {
    Strategy::ALL.into_iter().find(|strategy| strategy.name() == text).ok_or_else(|| {
        let names: Vec<&str> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

/// What is printed.
#[derive(Serialize)]
struct Answer {
    candidates: Vec<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<SamplerPlan>,
    heaps: Vec<Vec<SlotOfHeap>>,
    bind_groups: Vec<PlacedGroup>,
    /// Samplers that the groups bind, equal ones counted each time.
    bound: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    partition: Option<Partition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hlsl: Option<String>,
}

/// A descriptor of the heap map.
#[derive(Serialize)]
struct SlotOfHeap {
    slot: u32,
    sampler: SamplerDesc,
    /// How often bind groups name it.
    uses: u64,
}

/// The first of a bind group's copies.
#[derive(Serialize)]
struct PlacedGroup {
    name: String,
    group: u32,
    count: u32,
    heap: u32,
    range: IndexRange,
    indices: Vec<u32>,
}

pub(crate) fn run(args: &SamplersArgs) -> Result<Verdict, Failure> {
    let (input, groups) = input::parse(&read(&args.file)?).map_err(|error| error.of(&args.file))?;
    let layouts = layouts(&groups)?;
    let mut answer = Answer {
        candidates: candidates(&layouts, &input.limits.0),
        refused: None,
        plan: None,
        heaps: Vec::new(),
        bind_groups: Vec::new(),
        bound: 0,
        partition: None,
        root_signature: None,
        hlsl: None,
    };
    let planned = match plan(&layouts, &input.limits.0, args.strategy) {
        Ok(plan) => Some(plan),
        Err(PlanError::Layout(error)) => return Err(Failure::new(error)),
        Err(error) => {
            answer.refused = Some(error.to_string());
            None
        }
    };
    if let Some(plan) = planned {
        if let Some(path) = &args.hlsl {
            add_shader(&mut answer, &read(path)?, &plan, input.limits.0.shader_model)?;
        }
        answer.plan = Some(plan);
        if let Err(error) = fill(&mut answer, &input, &groups) {
            if !matches!(error, SamplersError::Full { .. }) {
                return Err(Failure::new(error));
            }
            answer.refused = Some(error.to_string());
        }
    }
    if !input.draws.is_empty() {
        match divide(&input, &groups) {
            Ok(partition) => answer.partition = Some(partition),
            Err(error) => answer.refused = answer.refused.or(Some(error)),
        }
    }
    if args.json {
        let text = serde_json::to_string_pretty(&answer).map_err(Failure::new)?;
        page::print(&(text + "\n"))?;
    } else {
        let mut page = Page::new(Style::of_stdout());
        text::write(&mut page, &answer);
        page.print()?;
        // As it is: a page wraps lines.
        if let Some(hlsl) = &answer.hlsl {
            page::print(&format!("\n{hlsl}"))?;
        }
    }
    Ok(if answer.refused.is_none() { Verdict::Accepted } else { Verdict::Refused })
}

/// Bytes of a file, at most (chosen: as many bind groups as may be take less, unless they have long names).
const FILE_SIZE_MAX: u64 = 256 << 20;

fn read(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let cannot = |error| Failure::new(format_args!("cannot read {name}: {error}"));
    let mut bytes = Vec::new();
    let read = if is_stream(path) {
        std::io::stdin().take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes))
    };
    let read = read.map_err(cannot)?;
    if u64::try_from(read).is_ok_and(|size| size > FILE_SIZE_MAX) {
        return Err(Failure::new(format_args!(
            "{name} is larger than {FILE_SIZE_MAX} bytes, which are allowed"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::new(format_args!("{name} is no text: byte {at} begins no character; allowed: UTF-8"))
    })?;
    // Editors of other systems write a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The layout of each group's number: bind groups of one number have one.
fn layouts(groups: &[BindGroup]) -> Result<Vec<BindGroupLayout>, Failure> {
    let mut layouts: BTreeMap<u32, &BindGroup> = BTreeMap::new();
    for group in groups {
        let first = layouts.entry(group.layout.group).or_insert(group);
        if first.layout != group.layout {
            return Err(Failure::new(format_args!(
                "bind groups {} and {} are both of group {}, and their layouts differ",
                first.name, group.name, group.layout.group
            ))
            .with_remedy("give both the same bindings, kinds, array lengths and other_dwords"));
        }
    }
    Ok(layouts.into_values().map(|group| group.layout.clone()).collect())
}

fn add_shader(
    answer: &mut Answer,
    wgsl: &str,
    plan: &SamplerPlan,
    shader_model: ShaderModel,
) -> Result<(), Failure> {
    let options = Options { shader_model, ..Options::default() };
    let lowered = lower(Source::Wgsl(wgsl), plan, &options).map_err(Failure::new)?;
    answer.root_signature = Some(lowered.root_signature.to_string());
    answer.hlsl = Some(lowered.hlsl);
    Ok(())
}

/// Creates everything that the file has, one after the other, and tells where it went.
fn fill(answer: &mut Answer, input: &Input, groups: &[BindGroup]) -> Result<(), SamplersError> {
    let mut samplers = Samplers::new(SamplersDesc {
        heap_samplers: input.limits.0.heap_samplers(),
        heaps_max: input.heaps_max,
        ..SamplersDesc::default()
    })?;
    let mut uses: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut result = Ok(());
    for group in groups.iter().filter(|group| !group.samplers.is_empty() && group.count != 0) {
        let placed = create(&mut samplers, group, &mut uses);
        match placed {
            Ok(placed) => answer.bind_groups.push(placed),
            Err(error) => {
                result = Err(error);
                break;
            }
        }
        let bound = u64::try_from(group.samplers.len()).unwrap_or(u64::MAX);
        answer.bound = answer.bound.saturating_add(bound.saturating_mul(u64::from(group.count)));
    }
    let heaps = usize::try_from(samplers.statistics().heaps).unwrap_or_default();
    answer.heaps.resize_with(heaps, Vec::new);
    samplers.take_sampler_writes(|write| {
        if let Some(heap) = answer.heaps.get_mut(usize::try_from(write.heap).unwrap_or(usize::MAX)) {
            let uses = uses.get(&(write.heap, write.slot)).copied().unwrap_or_default();
            heap.push(SlotOfHeap { slot: write.slot, sampler: write.desc, uses });
        }
    });
    result
}

/// As many as the file says; each makes samplers of its own and destroys them.
fn create(
    samplers: &mut Samplers,
    group: &BindGroup,
    uses: &mut BTreeMap<(u32, u32), u64>,
) -> Result<PlacedGroup, SamplersError> {
    let mut first = None;
    for _ in 0..group.count {
        let own = samplers.create_samplers(&group.samplers)?;
        let bound: Vec<_> = own.iter().collect();
        let id = samplers.create_group(&bound)?;
        for sampler in own {
            samplers.destroy_sampler(sampler, &[]).map_err(|(_, error)| error)?;
        }
        let view = samplers.group(id)?;
        for slot in view.indices {
            *uses.entry((view.heap, *slot)).or_default() += 1;
        }
        first.get_or_insert_with(|| (view.heap, view.range, view.indices.to_vec()));
    }
    let (heap, range, indices) = first.expect("invariant: groups that there are none of were left out");
    let (name, number) = (group.name.clone(), group.layout.group);
    Ok(PlacedGroup { name, group: number, count: group.count, heap, range, indices })
}

/// The frame's draws over as many heaps as there may be.
fn divide(input: &Input, groups: &[BindGroup]) -> Result<Partition, String> {
    // Numbers are given in the order of the file; that of the map is never seen.
    let mut numbers: FxHashMap<NormalizedSampler, u32> = FxHashMap::default();
    let mut number = |desc: &SamplerDesc| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(NormalizedSampler::of(desc)).or_insert(next)
    };
    let frame = Frame {
        groups: groups.iter().map(|group| group.samplers.iter().map(&mut number).collect()).collect(),
        draws: input.draws.clone(),
    };
    let limits = PartitionLimits {
        heap_samplers: input.limits.0.heap_samplers(),
        heaps_max: input.heaps_max,
        ..PartitionLimits::default()
    };
    partition(&frame, &limits).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// Each with a sampler of its own, which a bias tells apart, and one that all have: a heap of 2032 holds 2031 of them.
    /// Comparing each with all before would be 5,000,000,000 comparisons, and a bit for each sampler of each draw 1.25 GB.
    #[test]
    fn a_hundred_thousand_groups_are_divided() {
        const GROUPS: usize = 100_000;
        let mut text = String::from("{\"heaps_max\":52,\"samplers\":{\"all\":{}},\"bind_groups\":[");
        for group in 0..GROUPS {
            let comma = if group == 0 { "" } else { "," };
            write!(
                text,
                "{comma}{{\"samplers\":[{{\"binding\":0,\"sampler\":\"all\"}},\
                 {{\"binding\":1,\"sampler\":{{\"mip_lod_bias\":{}}}}}]}}",
                f64::from(u32::try_from(group + 1).expect("few")) / 8192.0
            )
            .expect("memory takes it");
        }
        text.push_str("],\"draws\":[");
        for draw in 0..GROUPS {
            write!(text, "{}[{draw}]", if draw == 0 { "" } else { "," }).expect("memory takes it");
        }
        text.push_str("]}");
        let (input, groups) = input::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let partition = divide(&input, &groups).expect("they fit");
        let samplers: usize = partition.heaps.iter().map(Vec::len).sum();
        // The one that all have is in each heap.
        assert_eq!(samplers, GROUPS + partition.heaps.len());
        // 2031 draws a heap, and no fewer switches than that: 100,000 / 2031 is 49.2.
        assert_eq!((partition.heaps.len(), partition.switches, partition.is_optimal), (50, 49, true));
    }
}
