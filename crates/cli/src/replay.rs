//! `heapstone replay`.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

use heapstone::{Backing, Device};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_spec::Profile;
use heapstone_trace::report::Report;
use heapstone_trace::{
    MemoryLog, Origin, Placement, Recorder, RecorderOptions, ReplayOptions, ReplayPlan, TightDevice,
    TraceHeader, read_trace, replay, tight_device,
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{BackingArg, ReplayArgs};
use crate::failure::{Failure, Verdict};
use crate::outputs::{self, is_stream};
use crate::page::{Page, Style};
use crate::paging::{self, Job, Row};
use crate::profiles;
use crate::report::{json, text};

/// Smaller files are done before a progress bar could be read.
const LONG_INPUT: u64 = 16 << 20;
/// Of the reader: large reads, so that a call into the system costs nothing beside parsing.
const READ_SIZE: usize = 1 << 18;

pub(crate) fn run(args: &ReplayArgs) -> Result<Verdict, Failure> {
    let profile = profiles::find(&args.device.profile)?;
    outputs::check(args)?;
    let name =
        if is_stream(&args.file) { "standard input".to_owned() } else { args.file.display().to_string() };

    let progress = progress_bar(&args.file);
    let input = BufReader::with_capacity(READ_SIZE, progress.wrap_read(open(&args.file)?));
    let trace = read_trace(input, &name).map_err(Failure::new)?;
    let kind = kind(trace.header(), trace.import_notes().map(|notes| notes.events));

    let recorder = recorder(args, &profile, &name)?;
    let plan = ReplayPlan {
        device: device(args, &profile, recorder.clone())?,
        options: ReplayOptions { placement: args.placement, strict: args.strict, ..ReplayOptions::default() },
        tight: tight(args, &profile)?,
        keeps_memory_log: args.budget.is_some(),
    };
    let report = replay(trace, plan, |_| ()).map_err(Failure::new)?;
    progress.finish_and_clear();
    if let (Some(recorder), Some(path)) = (recorder, &args.record) {
        recorder.finish().map_err(|error| Failure::write(path, &error))?;
    }

    let workload = report.memory.as_ref().map(|log| paging::workload_of(log, &name));
    let paging = match (&workload, args.budget) {
        (Some(workload), Some(share)) => {
            let parts = parts(&report);
            let job = Job { parts, ..Job::new(&profile, workload, share, args.policy) };
            let outcome = job.run()?;
            Some((job, outcome))
        }
        _ => None,
    };
    let json_to_stdout = args.json.as_deref().is_some_and(is_stream);
    if !json_to_stdout {
        let run = text::Run {
            file: &name,
            kind: &kind,
            placement: &args.placement.to_string(),
            backing: args.backing.name(),
            profile: &profiles::label(&args.device.profile, &profile),
            tight: !args.no_tight,
        };
        let mut page = Page::new(Style::of_stdout());
        text::write(&mut page, &run, &report);
        if let Some((job, outcome)) = &paging {
            page.heading(format_args!("Paging under a budget: {}", paging::heading(job, outcome)));
            page.table(&paging::table(&[(job, outcome)]));
        }
        page.print()?;
    }
    if let Some(path) = &args.json {
        json::write(path, &report, paging.as_ref().map(|(job, outcome)| Row::new(job, outcome)))?;
    }
    verdict(&name, &report)
}

/// What a trace uses of video memory on a device of `profile`, and the parts that its GPU work ran in.
pub(crate) fn memory_log(
    path: &Path,
    profile: &Profile,
    placement: Placement,
) -> Result<(MemoryLog, Option<u64>), Failure> {
    let name = if is_stream(path) { "standard input".to_owned() } else { path.display().to_string() };
    let trace = read_trace(BufReader::with_capacity(READ_SIZE, open(path)?), &name).map_err(Failure::new)?;
    let driver = SoftDriverFactory::default();
    let device = Device::builder()
        .profile(profile.clone())
        .driver(&driver)
        .backing(Backing::Phantom)
        .build()
        .map_err(|error| Failure::new(format_args!("profile {}: {error}", profile.name)))?;
    let options = ReplayOptions { placement, ..ReplayOptions::default() };
    let plan = ReplayPlan { device, options, tight: None, keeps_memory_log: true };
    let report = replay(trace, plan, |_| ()).map_err(Failure::new)?;
    verdict(&name, &report)?;
    let parts = parts(&report);
    Ok((report.memory.unwrap_or_default(), parts))
}

/// Parts that the DMA buffers of patched engines ran in; `None` where no engine is patched that had work.
fn parts(report: &Report) -> Option<u64> {
    let queues = report.gpu.iter().flat_map(|gpu| &gpu.queues);
    Some(queues.map(|queue| queue.parts).fold(0, u64::saturating_add)).filter(|parts| *parts > 0)
}

/// A trace that names what is not there is a wrong input, though it was replayed to its end.
fn verdict(name: &str, report: &Report) -> Result<Verdict, Failure> {
    let mistakes = report.trace_error_count();
    if mistakes > 0 {
        let first = report.trace_errors.iter().map(|group| &group.first).min_by_key(|first| first.call);
        let first = first
            .map_or_else(String::new, |first| format!("; the first at {}: {}", first.position, first.error));
        return Err(Failure::new(format_args!(
            "{name}: {mistakes} calls contradict the calls before them{first}"
        )));
    }
    let refused = report.refused_count() + report.failed_count();
    Ok(if refused == 0 { Verdict::Accepted } else { Verdict::Refused })
}

fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if is_stream(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| {
        Failure::new(format_args!("cannot read {}: {error}", path.display()))
            .with_remedy("give the path of a trace, or `-` for standard input")
    })?;
    Ok(Box::new(file))
}

/// By bytes read, on a terminal, of long input; else one that draws nothing.
fn progress_bar(path: &Path) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match path.metadata() {
        Ok(metadata) if metadata.is_file() => {
            if metadata.len() < LONG_INPUT {
                return ProgressBar::hidden();
            }
            (ProgressBar::new(metadata.len()), "{bar:40} {bytes} of {total_bytes}, {eta} left")
        }
        // A pipe: how much will come is not known.
        _ => (ProgressBar::new_spinner(), "{spinner} {bytes} read, {bytes_per_sec}"),
    };
    // A template that indicatif refuses costs the words, not the replay.
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Writes the calls that are made to `--record`.
fn recorder(
    args: &ReplayArgs,
    profile: &Profile,
    name: &str,
) -> Result<Option<Arc<Recorder<File>>>, Failure> {
    let Some(path) = &args.record else { return Ok(None) };
    let header = TraceHeader {
        profile: Some(profile.name.clone()),
        sdk: Some(args.device.sdk),
        tool: Some(concat!("heapstone ", env!("CARGO_PKG_VERSION")).to_owned()),
        source: Some(name.to_owned()),
        ..TraceHeader::new()
    };
    File::create(path)
        .and_then(|file| Recorder::new(file, &header, RecorderOptions::default()))
        .map(|recorder| Some(Arc::new(recorder)))
        .map_err(|error| Failure::write(path, &error))
}

fn device(
    args: &ReplayArgs,
    profile: &Profile,
    recorder: Option<Arc<Recorder<File>>>,
) -> Result<Device, Failure> {
    let backing = match args.backing {
        BackingArg::Phantom => Backing::Phantom,
        BackingArg::Host => Backing::Host,
    };
    let driver = SoftDriverFactory::default();
    let mut builder = Device::builder()
        .profile(profile.clone())
        .driver(&driver)
        .backing(backing)
        .sdk(args.device.sdk)
        .gpu_mode(args.gpu_mode.mode());
    if let Some(recorder) = recorder {
        builder = builder.observer(recorder);
    }
    builder.build().map_err(|error| Failure::new(format_args!("profile {}: {error}", profile.name)))
}

/// Sizes are all that is compared: the tight device has no bytes.
fn tight(args: &ReplayArgs, profile: &Profile) -> Result<Option<TightDevice>, Failure> {
    if args.no_tight {
        return Ok(None);
    }
    tight_device(profile, args.device.sdk, &SoftDriverFactory::default(), Backing::Phantom)
        .map(Some)
        .map_err(|error| Failure::new(format_args!("profile {} with tight alignment: {error}", profile.name)))
}

fn kind(header: &TraceHeader, events: Option<u64>) -> String {
    match header.origin {
        Origin::Heapstone => format!("Heapstone trace, version {}", header.version),
        Origin::Gpgmm => {
            format!("GPGMM trace, {}", crate::format::count(events.unwrap_or(0), "event", "events"))
        }
    }
}
