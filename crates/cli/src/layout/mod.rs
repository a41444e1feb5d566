//! `heapstone layout`: one description, and what becomes of it.

use heapstone_layout::{
    Explanation, FootprintOutputs, LayoutRules, PlacedFootprint, Purpose, ResourceTiling, SubresourceTiling,
    copyable_footprints, explain, resource_tiling, subresource_count,
};
use heapstone_spec::{
    Format, Profile, ResourceDesc, ResourceDimension, ResourceFlags, SampleDesc, TextureLayout, Violation,
    limits,
};

use crate::args::{DimensionArg, LayoutArgs, PurposeArg};
use crate::failure::{Failure, Verdict};
use crate::page::{self, Page, Style};
use crate::profiles;

mod json;
mod text;

pub(crate) fn run(args: &LayoutArgs) -> Result<Verdict, Failure> {
    let desc = describe(args)?;
    let purpose = purpose(args);
    if args.all_profiles {
        let answers: Vec<Answer> = Profile::builtin_names()
            .into_iter()
            .filter_map(|name| Some((name, Profile::builtin(name)?)))
            .map(|profile| Answer::new(args, profile, &desc, purpose))
            .collect();
        print(args, &answers, |page| text::write_all(page, &desc, &answers))?;
        return Ok(verdict(answers.iter().all(|answer| answer.outcome.is_ok())));
    }
    let profile = args.device.profile.as_str();
    let answer = Answer::new(args, (profile, profiles::find(profile)?), &desc, purpose);
    print(args, &answer, |page| text::write(page, &desc, &answer))?;
    Ok(verdict(answer.outcome.is_ok()))
}

const fn verdict(accepted: bool) -> Verdict {
    if accepted { Verdict::Accepted } else { Verdict::Refused }
}

fn print<T: json::ToJson + ?Sized>(
    args: &LayoutArgs,
    answers: &T,
    write: impl FnOnce(&mut Page),
) -> Result<(), Failure> {
    if args.json {
        return Ok(page::print(&answers.to_json())?);
    }
    let mut page = Page::new(Style::of_stdout());
    write(&mut page);
    Ok(page.print()?)
}

/// What a device answers for the description.
struct Answer {
    rules: LayoutRules,
    profile: String,
    /// The profile's name, of a file also the file.
    label: String,
    purpose: Purpose,
    outcome: Result<Layout, Box<Violation>>,
}

/// What is known of a legal description.
struct Layout {
    explanation: Explanation,
    footprints: Result<Footprints, Box<Violation>>,
    /// Only where it was asked for, or the layout is one that is tiled.
    tiling: Option<Result<Tiling, Box<Violation>>>,
}

/// GetCopyableFootprints of every subresource, from offset 0.
struct Footprints {
    total: u64,
    layouts: Vec<PlacedFootprint>,
    row_counts: Vec<u32>,
    row_sizes: Vec<u64>,
}

/// GetResourceTiling.
struct Tiling {
    whole: ResourceTiling,
    subresources: Vec<SubresourceTiling>,
}

impl Answer {
    fn new(
        args: &LayoutArgs,
        (name_or_path, profile): (&str, Profile),
        desc: &ResourceDesc,
        purpose: Purpose,
    ) -> Answer {
        let rules = LayoutRules::new(&profile, args.device.sdk);
        let outcome = explain(&rules, desc, purpose).map(|explanation| {
            let legal = explanation.desc;
            let tiled = !legal.is_buffer() && legal.layout.is_64kb();
            Layout {
                footprints: footprints(&rules, &legal),
                tiling: (purpose == Purpose::Reserved || tiled).then(|| tiling(&rules, &legal)),
                explanation,
            }
        });
        let label = profiles::label(name_or_path, &profile);
        Answer { rules, profile: profile.name, label, purpose, outcome }
    }
}

/// At most [`limits::SUBRESOURCES_MAX`] of a legal description.
fn subresources(desc: &ResourceDesc) -> u32 {
    u32::try_from(subresource_count(desc)).unwrap_or(u32::MAX).min(limits::SUBRESOURCES_MAX)
}

fn footprints(rules: &LayoutRules, desc: &ResourceDesc) -> Result<Footprints, Box<Violation>> {
    let count = subresources(desc);
    let room = usize::try_from(count).unwrap_or_default();
    let mut layouts = vec![PlacedFootprint::EMPTY; room];
    let mut row_counts = vec![0; room];
    let mut row_sizes = vec![0; room];
    let outputs = FootprintOutputs {
        layouts: Some(&mut layouts),
        row_counts: Some(&mut row_counts),
        row_sizes: Some(&mut row_sizes),
    };
    let total = copyable_footprints(rules, desc, 0, count, 0, outputs)?;
    Ok(Footprints { total, layouts, row_counts, row_sizes })
}

fn tiling(rules: &LayoutRules, desc: &ResourceDesc) -> Result<Tiling, Box<Violation>> {
    let room = usize::try_from(subresources(desc)).unwrap_or_default();
    let mut subresources = vec![SubresourceTiling::PACKED; room];
    let whole = resource_tiling(rules, desc, 0, &mut subresources)?;
    Ok(Tiling { whole, subresources })
}

fn purpose(args: &LayoutArgs) -> Purpose {
    if args.reserved {
        return Purpose::Reserved;
    }
    match args.purpose {
        PurposeArg::Query => Purpose::Query,
        PurposeArg::Placed => Purpose::Placed,
        PurposeArg::Committed => Purpose::Committed,
        PurposeArg::Reserved => Purpose::Reserved,
    }
}

/// The description that the arguments spell. Fields that D3D12 fixes for a dimension are taken as given
/// where they were given, so that its rules judge them.
fn describe(args: &LayoutArgs) -> Result<ResourceDesc, Failure> {
    let dimension = match args.dimension {
        DimensionArg::Buffer => ResourceDimension::Buffer,
        DimensionArg::Texture1D => ResourceDimension::Texture1D,
        DimensionArg::Texture2D => ResourceDimension::Texture2D,
        DimensionArg::Texture3D => ResourceDimension::Texture3D,
    };
    let is_buffer = dimension == ResourceDimension::Buffer;
    let format = match args.format {
        Some(format) => format,
        None if is_buffer => Format::UNKNOWN,
        None => {
            return Err(Failure::new("a texture needs a format")
                .with_remedy("add --format, e.g. --format R8G8B8A8_UNORM"));
        }
    };
    let depth_or_array_size = match (dimension, args.depth, args.array) {
        (ResourceDimension::Texture3D, _, Some(_)) => {
            return Err(
                Failure::new("a 3D texture has no array").with_remedy("give --depth in place of --array")
            );
        }
        (ResourceDimension::Texture3D, depth, None) => depth.unwrap_or(1),
        (_, Some(_), _) => {
            return Err(Failure::new("only a 3D texture has a depth")
                .with_remedy("give --array for slices, or texture3d in place of the dimension"));
        }
        (_, None, array) => array.unwrap_or(1),
    };
    let layout = args.layout.unwrap_or(match (is_buffer, purpose(args)) {
        (true, _) => TextureLayout::RowMajor,
        (false, Purpose::Reserved) => TextureLayout::Undefined64KbSwizzle,
        (false, _) => TextureLayout::Unknown,
    });
    let tight = if args.tight { ResourceFlags::USE_TIGHT_ALIGNMENT } else { ResourceFlags::empty() };
    Ok(ResourceDesc {
        dimension,
        alignment: args.alignment,
        width: args.width,
        height: args.height,
        depth_or_array_size,
        mip_levels: args.mips,
        format,
        sample_desc: SampleDesc { count: args.samples, quality: args.quality },
        layout,
        flags: args.flags | tight,
        sampler_feedback_mip_region: args.mip_region.unwrap_or_default(),
    })
}

/// What GetResourceAllocationInfo answers for a description that is not legal, as size and alignment: it has no
/// HRESULT (facts/layout.md).
const REFUSED_INFO: (u64, u64) = (u64::MAX, 65_536);

/// The debug layer's message where a floor of Alignment was clamped up (spec/1-tight-placed-resource-alignment.txt
/// 140; its number is in none of the public headers at hand).
const OVERRIDDEN: &str = "D3D12_MESSAGE_ID_CREATERESOURCE_ALIGNMENT_OVERRIDDEN";

/// The call that asks so, by D3D12's name.
const fn call(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Query => "GetResourceAllocationInfo",
        Purpose::Placed => "CreatePlacedResource",
        Purpose::Committed => "CreateCommittedResource",
        Purpose::Reserved => "CreateReservedResource",
    }
}
