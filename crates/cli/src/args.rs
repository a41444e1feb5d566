//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use heapstone::{GpuMode, PolicyKind};
use heapstone_spec::{Format, MipRegion, Profile, ResourceFlags, SdkVersion, TextureLayout};
use heapstone_trace::Placement;

use crate::format::parse_bytes;
use crate::paging::{Budget, parse_budget, parse_policy};
use crate::samplers::SamplersArgs;
use crate::simulate::SimulateArgs;
use crate::swizzle::SwizzleCommand;
use crate::views::ViewsArgs;

const EXIT_CODES: &str = "\
Exit codes:
  0  every call, or the description, was accepted
  1  some were refused, or failed for want of memory
  2  the command line or an input file is wrong, or output cannot be written";

/// Direct3D 12's memory system on any device profile and SDK version, without a GPU.
#[derive(Debug, Parser)]
#[command(
    name = "heapstone",
    version,
    max_term_width = 100,
    after_help = EXIT_CODES,
    after_long_help = format!(
        "Examples:\n  \
         heapstone replay trace.json\n  \
         heapstone replay trace.json --profile discrete-tier1-2g --sdk 606\n  \
         heapstone profiles compare discrete-8g integrated-uma\n  \
         heapstone layout texture2d --format BC7_UNORM --width 4096 --height 4096 --mips full\n  \
         heapstone rules heap.alignment\n\n{EXIT_CODES}"
    )
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run an allocation trace call by call on a device, and report what it cost
    Replay(ReplayArgs),
    /// List, show or compare adapter profiles
    #[command(
        subcommand,
        after_help = "\
Examples:
  heapstone profiles list
  heapstone profiles show discrete-tier1-2g
  heapstone profiles show discrete-8g --toml > my-card.toml
  heapstone profiles compare discrete-8g my-card.toml"
    )]
    Profiles(ProfilesCommand),
    /// Size, alignment, footprints and tiles of one resource description, and why
    Layout(Box<LayoutArgs>),
    /// List the validation rules, or show one in full
    Rules(RulesArgs),
    /// Write a generated trace, for benchmarks and demonstrations
    Generate(GenerateArgs),
    /// Run workloads through the memory manager, under budgets and policies, beside what the best policy could do
    Simulate(SimulateArgs),
    /// List and draw swizzle patterns, and convert textures to them and back
    #[command(
        subcommand,
        after_help = "\
Examples:
  heapstone swizzle patterns
  heapstone swizzle draw standard-4kb
  heapstone swizzle to standard-64kb texture.dds texture.bin
  heapstone swizzle from texture.bin texture.dds"
    )]
    Swizzle(SwizzleCommand),
    /// Plan the root signature and the heap for the samplers of bind groups, and lower shaders to them
    Samplers(SamplersArgs),
    /// Whether a view of a buffer is legal, its padded size, and what other APIs say of it
    Views(Box<ViewsArgs>),
}

/// The device to run on.
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    /// Adapter profile: a built-in name (`heapstone profiles list`) or a .toml file
    #[arg(long, value_name = "NAME|FILE.toml", default_value = Profile::DEFAULT_NAME)]
    pub(crate) profile: String,
    /// SDK version: inbox, 606, 614, 618, 619.3, 619.4 or latest
    #[arg(long, value_name = "VERSION", default_value = "latest")]
    pub(crate) sdk: SdkVersion,
}

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  heapstone replay trace.json
  heapstone replay trace.json --profile discrete-tier1-2g --sdk inbox
  heapstone replay trace.json --placement pooled=32MiB --json report.json
  heapstone replay trace.jsonl --backing host --gpu-mode threaded
  heapstone replay trace.jsonl --budget 50% --policy lru
  gunzip -c trace.jsonl.gz | heapstone replay -

docs/report.md says what each row of the report means, and each field of --json.

{EXIT_CODES}"))]
pub(crate) struct ReplayArgs {
    /// The trace: our own format or GPGMM's, recognised by its content; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Where resources go
    #[arg(
        long,
        value_name = "recorded|committed|pooled=SIZE",
        default_value = "recorded",
        long_help = "Where resources go.\n\
            recorded: into the heaps of the trace; where it does not say which, first fit in those alive\n\
            committed: each into an implicit heap of its own\n\
            pooled=SIZE: placed into heaps of SIZE (e.g. pooled=32MiB) that are made when needed"
    )]
    pub(crate) placement: Placement,
    /// Where heaps' bytes are: phantom has none (sizes only), host has memory
    #[arg(long, value_enum, default_value_t = BackingArg::Phantom)]
    pub(crate) backing: BackingArg,
    /// When the GPU does its work: in the calls, on threads of its own, or as late as the trace's waits allow
    #[arg(long, value_enum, default_value_t = GpuModeArg::Immediate)]
    pub(crate) gpu_mode: GpuModeArg,
    /// Write the report as JSON; `-` is standard output, in place of the text
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the calls as they were run, in our own trace format
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Stop at the first call that is refused or fails
    #[arg(long)]
    pub(crate) strict: bool,
    /// Page under a budget of video memory: of the trace's footprint (50%), or in bytes (512MiB)
    #[arg(long, value_name = "SHARE|SIZE", value_parser = parse_budget)]
    pub(crate) budget: Option<Budget>,
    /// Who leaves memory first under --budget: lru, lru-grace, clock, adaptive
    #[arg(long, value_name = "NAME", value_parser = parse_policy, default_value = "adaptive", requires = "budget")]
    pub(crate) policy: PolicyKind,
    /// Leave out the comparison with tight alignment: half the time
    #[arg(long)]
    pub(crate) no_tight: bool,
}

/// `--backing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackingArg {
    Phantom,
    Host,
}

impl BackingArg {
    /// As the command line takes it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            BackingArg::Phantom => "phantom",
            BackingArg::Host => "host",
        }
    }
}

/// `--gpu-mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GpuModeArg {
    Immediate,
    Threaded,
    Stepped,
}

impl GpuModeArg {
    pub(crate) const fn mode(self) -> GpuMode {
        match self {
            GpuModeArg::Immediate => GpuMode::Immediate,
            GpuModeArg::Threaded => GpuMode::Threaded,
            GpuModeArg::Stepped => GpuMode::Stepped,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// The built-in profiles, each with one sentence
    List,
    /// Every key of a profile, its value, and where the value comes from
    #[command(after_help = "\
Examples:
  heapstone profiles show integrated-uma
  heapstone profiles show discrete-8g --toml > my-card.toml")]
    Show {
        /// A built-in name or a .toml file
        #[arg(value_name = "NAME|FILE.toml")]
        profile: String,
        /// As a file to edit and to pass back with --profile
        #[arg(long)]
        toml: bool,
    },
    /// The keys in which two profiles differ, side by side
    #[command(after_help = "\
Examples:
  heapstone profiles compare discrete-8g discrete-tier1-2g
  heapstone profiles compare discrete-8g my-card.toml")]
    Compare {
        /// A built-in name or a .toml file
        #[arg(value_name = "A")]
        left: String,
        /// A built-in name or a .toml file
        #[arg(value_name = "B")]
        right: String,
    },
}

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  heapstone layout buffer --width 25600 --tight
  heapstone layout texture2d --format R8G8B8A8_UNORM --width 1024 --height 1024 --mips 11
  heapstone layout texture2d --format R8G8B8A8_UNORM --width 1024 --height 1024 --alignment 4KiB
  heapstone layout texture2d --format BC7_UNORM --width 4096 --height 4096 --mips full --reserved
  heapstone layout texture2d --format D32_FLOAT --width 1920 --height 1080 --samples 4 \\
      --flags ALLOW_DEPTH_STENCIL --all-profiles

{EXIT_CODES}"))]
pub(crate) struct LayoutArgs {
    /// What it is
    #[arg(value_enum)]
    pub(crate) dimension: DimensionArg,
    /// DXGI_FORMAT, e.g. R8G8B8A8_UNORM; needed of a texture
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    pub(crate) format: Option<Format>,
    /// Of a buffer in bytes (25600, 64KiB), of a texture in texels
    #[arg(long, value_name = "WIDTH", value_parser = parse_bytes)]
    pub(crate) width: u64,
    /// In texels
    #[arg(long, default_value_t = 1)]
    pub(crate) height: u32,
    /// Of a 3D texture, in texels
    #[arg(long)]
    pub(crate) depth: Option<u16>,
    /// Slices of an array
    #[arg(long, value_name = "SLICES", conflicts_with = "depth")]
    pub(crate) array: Option<u16>,
    /// Mip levels; `full` or 0 is the whole chain
    #[arg(long, value_name = "MIPS", default_value = "1", value_parser = parse_mips)]
    pub(crate) mips: u16,
    /// Samples a texel
    #[arg(long, default_value_t = 1)]
    pub(crate) samples: u32,
    /// Quality level of the samples
    #[arg(long, default_value_t = 0)]
    pub(crate) quality: u32,
    /// D3D12_RESOURCE_FLAGS, e.g. "ALLOW_RENDER_TARGET | ALLOW_UNORDERED_ACCESS"
    #[arg(long, default_value = "NONE", value_parser = parse_flags)]
    pub(crate) flags: ResourceFlags,
    /// Add USE_TIGHT_ALIGNMENT to the flags
    #[arg(long)]
    pub(crate) tight: bool,
    /// Alignment of the description, e.g. 4096 or 4KiB; 0 is the default
    #[arg(long, value_name = "BYTES", default_value = "0", value_parser = parse_bytes)]
    pub(crate) alignment: u64,
    /// UNKNOWN, ROW_MAJOR, 64KB_UNDEFINED_SWIZZLE or 64KB_STANDARD_SWIZZLE [default: ROW_MAJOR of a buffer,
    /// 64KB_UNDEFINED_SWIZZLE of a reserved texture, else UNKNOWN]
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<TextureLayout>,
    /// Mip region of a sampler-feedback map in texels, e.g. 8x8x1
    #[arg(long, value_name = "WxHxD", value_parser = parse_mip_region)]
    pub(crate) mip_region: Option<MipRegion>,
    /// The call that it is for: rules and alignments differ
    #[arg(long, value_enum, default_value_t = PurposeArg::Query)]
    pub(crate) purpose: PurposeArg,
    /// For CreateReservedResource: --purpose reserved
    #[arg(long, conflicts_with = "purpose")]
    pub(crate) reserved: bool,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Size, alignment or refusal on every built-in profile
    #[arg(long, conflicts_with = "profile")]
    pub(crate) all_profiles: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// D3D12_RESOURCE_DIMENSION, but for UNKNOWN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DimensionArg {
    Buffer,
    #[value(name = "texture1d")]
    Texture1D,
    #[value(name = "texture2d")]
    Texture2D,
    #[value(name = "texture3d")]
    Texture3D,
}

/// What a description is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PurposeArg {
    /// GetResourceAllocationInfo
    Query,
    /// CreatePlacedResource
    Placed,
    /// CreateCommittedResource
    Committed,
    /// CreateReservedResource
    Reserved,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone rules
  heapstone rules heap.alignment
  heapstone rules heap --sdk 606")]
pub(crate) struct RulesArgs {
    /// A rule, or the beginning of several rules' names
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Only the rules that hold under this SDK version
    #[arg(long, value_name = "VERSION")]
    pub(crate) sdk: Option<SdkVersion>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone generate --calls 1000000 --live 10000 --seed 1 -o trace.jsonl
  heapstone generate --workload streaming --calls 5000 -o streaming.jsonl
  heapstone generate --workload laps --calls 5000 --live 40 | heapstone replay - --budget 50%
  heapstone generate --calls 5000 | heapstone replay -")]
pub(crate) struct GenerateArgs {
    /// What the program does
    #[arg(long, value_enum, default_value_t = WorkloadArg::Memory)]
    pub(crate) workload: WorkloadArg,
    /// Calls to write
    #[arg(long, default_value_t = 100_000)]
    pub(crate) calls: u64,
    /// Resources that live at the same time, at most; of streaming the textures, 192 at most, of laps the cells
    #[arg(long, default_value_t = 1_000)]
    pub(crate) live: usize,
    /// One seed gives one trace
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Where to write; standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `--workload`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WorkloadArg {
    /// Heaps and resources come and go
    Memory,
    /// Textures are streamed on two queues: uploads, tiles, a defragmentation, fences
    Streaming,
    /// A camera goes round a course that needs more video memory than there is to be; with residency calls
    Laps,
}

/// DXGI's name in any case; a wrong one is answered with names that begin alike.
pub(crate) fn parse_format(text: &str) -> Result<Format, String> {
    let name = text.trim().to_ascii_uppercase();
    let name = name.strip_prefix("DXGI_FORMAT_").unwrap_or(&name);
    name.parse().map_err(|_| {
        let spelled: Vec<&str> = match spelled_out(name) {
            Some(spelled) => Format::ALL
                .iter()
                .map(|format| format.name())
                .filter(|name| name.contains(&spelled))
                .collect(),
            None => Vec::new(),
        };
        if !spelled.is_empty() {
            return format!(
                "no such DXGI_FORMAT; did you mean {}?",
                spelled[..spelled.len().min(8)].join(", ")
            );
        }
        let begins_alike =
            |format: &Format| format.name().bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        let best = Format::ALL.iter().map(begins_alike).max().unwrap_or(0);
        let near: Vec<&str> = Format::ALL
            .iter()
            .filter(|format| best > 0 && begins_alike(format) == best)
            .map(|format| format.name())
            .take(8)
            .collect();
        if near.is_empty() {
            "no such DXGI_FORMAT; allowed: DXGI's names, e.g. R8G8B8A8_UNORM, D32_FLOAT, BC7_UNORM, NV12"
                .to_owned()
        } else {
            format!("no such DXGI_FORMAT; did you mean {}?", near.join(", "))
        }
    })
}

/// `RGBA8`, as other programs have it, in DXGI's spelling: `R8G8B8A8`. `None` where a name is not of that kind.
fn spelled_out(name: &str) -> Option<String> {
    let (channels, rest) = name.split_at(name.bytes().take_while(u8::is_ascii_alphabetic).count());
    let (bits, _) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
    let is_short = channels.len() > 1 && !bits.is_empty();
    is_short.then(|| channels.chars().map(|channel| format!("{channel}{bits}")).collect())
}

/// Names joined by `|` or commas, in any case.
fn parse_flags(text: &str) -> Result<ResourceFlags, String> {
    let text = text.to_ascii_uppercase().replace("D3D12_RESOURCE_FLAG_", "").replace(',', " | ");
    text.trim().parse::<ResourceFlags>().map_err(|error| error.to_string())
}

fn parse_mips(text: &str) -> Result<u16, String> {
    if text.eq_ignore_ascii_case("full") {
        return Ok(0);
    }
    text.parse().map_err(|_| "allowed: a number of mip levels, or `full`".to_owned())
}

fn parse_mip_region(text: &str) -> Result<MipRegion, String> {
    let numbers: Option<Vec<u32>> = text.split(['x', 'X']).map(|number| number.parse().ok()).collect();
    match numbers.as_deref() {
        Some([width, height]) => Ok(MipRegion { width: *width, height: *height, depth: 1 }),
        Some([width, height, depth]) => Ok(MipRegion { width: *width, height: *height, depth: *depth }),
        _ => Err("allowed: texels as WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH, e.g. 8x8x1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        fn check(command: &mut clap::Command) {
            let name = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            // `list` takes nothing: its parent shows it.
            assert!(name == "list" || name == "help" || help.contains("Examples:"), "{name}: {help}");
            command.get_subcommands_mut().for_each(check);
        }
        check(&mut Cli::command());
    }

    #[test]
    fn values_of_arguments() {
        assert_eq!(parse_format("r8g8b8a8_unorm"), Ok(Format::R8G8B8A8_UNORM));
        assert!(parse_format("R8G8B8A8_NORM").unwrap_err().contains("R8G8B8A8_UNORM"));
        for (given, want) in
            [("RGBA8", "R8G8B8A8_"), ("rgba16f", "R16G16B16A16_"), ("BGRA8_UNORM", "B8G8R8A8_")]
        {
            let error = parse_format(given).unwrap_err();
            let (_, names) = error.split_once("did you mean ").unwrap();
            assert!(names.split(", ").all(|name| name.starts_with(want)), "{given}: {error}");
        }
        assert!(parse_format("BC9_UNORM").unwrap_err().contains("BC1_UNORM"));
        assert_eq!(
            parse_flags("allow_render_target, ALLOW_UNORDERED_ACCESS"),
            Ok(ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS)
        );
        assert!(parse_flags("RENDER").unwrap_err().contains("ALLOW_RENDER_TARGET"));
        assert_eq!(parse_mips("full"), Ok(0));
        assert_eq!(parse_mip_region("8x4"), Ok(MipRegion { width: 8, height: 4, depth: 1 }));
        assert!(parse_mip_region("8").is_err());
    }
}
