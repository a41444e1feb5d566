//! `heapstone simulate`.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use heapstone::{PolicyKind, adapter_memory};
use heapstone_simulate::workload::{Workload, WorkloadKind};
use heapstone_simulate::{Outcome, RunDesc, run as run_one};
use heapstone_spec::Profile;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::{Failure, Verdict};
use crate::format::{grouped, parse_bytes, short};
use crate::outputs::{is_stream, same_file};
use crate::page::{Page, Side, Style, Table};
use crate::profiles;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone simulate
  heapstone simulate --workload camera-lap --budget 50%,2GiB --policy lru,adaptive
  heapstone simulate --profile discrete-8g,integrated-uma --csv runs.csv
  heapstone simulate --workload background-hog --seed 7 --json -")]
pub(crate) struct SimulateArgs {
    /// What the application does: camera-lap, random-walk, plane-walk, teleport, load-burst, target-resize, alt-tab,
    /// background-hog; all of them without it
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = workload)]
    workload: Vec<WorkloadKind>,
    /// Budgets: of the workload's footprint (50%), or in bytes (512MiB)
    #[arg(long, value_name = "SHARE|SIZE", value_delimiter = ',', value_parser = budget,
        default_values = ["30%", "50%", "70%", "90%"])]
    budget: Vec<Budget>,
    /// Who leaves memory first: lru, lru-grace, clock, adaptive; all of them without it
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = policy)]
    policy: Vec<PolicyKind>,
    /// Adapter profiles: built-in names (`heapstone profiles list`) or .toml files
    #[arg(long, value_name = "NAME|FILE.toml", value_delimiter = ',', default_value = Profile::DEFAULT_NAME)]
    profile: Vec<String>,
    /// One seed gives one run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write a row for each run as CSV; `-` is standard output, in place of the table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write an object for each run as JSON; `-` is standard output, in place of the table
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A budget of video memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Budget {
    /// Of the workload's footprint, in per cent.
    Percent(u64),
    Bytes(u64),
}

impl Budget {
    fn of(self, footprint: u64) -> u64 {
        match self {
            Budget::Percent(percent) => {
                let bytes = u128::from(footprint) * u128::from(percent) / 100;
                u64::try_from(bytes).unwrap_or(u64::MAX)
            }
            Budget::Bytes(bytes) => bytes,
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Percent(percent) => write!(f, "{percent}%"),
            Budget::Bytes(bytes) => f.write_str(&short(*bytes)),
        }
    }
}

fn workload(text: &str) -> Result<WorkloadKind, String> {
    let names = WorkloadKind::ALL.map(WorkloadKind::name).join(", ");
    WorkloadKind::from_name(text).ok_or_else(|| format!("no such workload; there are {names}"))
}

fn policy(text: &str) -> Result<PolicyKind, String> {
    let names = PolicyKind::ALL.map(PolicyKind::name).join(", ");
    PolicyKind::from_name(text).ok_or_else(|| format!("no such policy; there are {names}"))
}

fn budget(text: &str) -> Result<Budget, String> {
    if let Some(number) = text.strip_suffix('%') {
        let percent = number.parse().ok().filter(|percent| (1..=1000).contains(percent));
        return percent.map(Budget::Percent).ok_or_else(|| "allowed: 1% to 1000%, or a size".to_owned());
    }
    parse_bytes(text).map(Budget::Bytes).map_err(|error| error.to_string())
}

/// A run that is to be made.
struct Job<'a> {
    profile: &'a Profile,
    workload: &'a Workload,
    footprint: u64,
    share: Budget,
    budget: u64,
    policy: PolicyKind,
}

/// A run as it is written: the fields of the JSON, and the columns of the CSV, by name.
#[derive(Debug, Serialize)]
struct Row {
    profile: String,
    workload: String,
    policy: &'static str,
    seed: u64,
    footprint_bytes: u64,
    budget_bytes: u64,
    page_in_bytes: u64,
    bound_bytes: u64,
    /// Page-ins in thousandths of the bound.
    ratio_permille: Option<u64>,
    write_back_bytes: u64,
    stalls: u64,
    stall_ns: u64,
    stall_max_ns: u64,
    demotions: u64,
    promotions: u64,
    suspensions: u64,
    peak_bytes: u64,
    frames: u64,
    frames_over_budget: u64,
    frames_refused: u64,
    uses: u64,
    duration_ns: u64,
}

impl Row {
    fn new(job: &Job<'_>, seed: u64, outcome: &Outcome) -> Row {
        let paging = &outcome.paging;
        Row {
            profile: job.profile.name.clone(),
            workload: job.workload.name.clone(),
            policy: job.policy.name(),
            seed,
            footprint_bytes: job.footprint,
            budget_bytes: job.budget,
            page_in_bytes: paging.bytes_paged_in,
            bound_bytes: outcome.bound_bytes(),
            ratio_permille: outcome.ratio_permille(),
            write_back_bytes: paging.bytes_written_back,
            stalls: paging.stall_count,
            stall_ns: paging.stall_ns,
            stall_max_ns: paging.stall_ns_max,
            demotions: paging.demotion_count,
            promotions: paging.promotion_count,
            suspensions: paging.suspension_count,
            peak_bytes: outcome.usage_peak,
            frames: outcome.frame_count,
            frames_over_budget: outcome.over_budget_count,
            frames_refused: outcome.refused_count,
            uses: outcome.use_count,
            duration_ns: outcome.duration_ns,
        }
    }
}

pub(crate) fn run(args: &SimulateArgs) -> Result<Verdict, Failure> {
    check_outputs(args)?;
    let profiles =
        args.profile.iter().map(|name| profiles::find(name)).collect::<Result<Vec<_>, Failure>>()?;
    let kinds = if args.workload.is_empty() { WorkloadKind::ALL.to_vec() } else { args.workload.clone() };
    let policies = if args.policy.is_empty() { PolicyKind::ALL.to_vec() } else { args.policy.clone() };
    let workloads: Vec<Workload> = kinds.iter().map(|kind| kind.generate(args.seed)).collect();
    let mut jobs = Vec::new();
    for profile in &profiles {
        for workload in &workloads {
            let footprint = workload.footprint();
            for share in &args.budget {
                for policy in &policies {
                    let budget = share.of(footprint);
                    jobs.push(Job { profile, workload, footprint, share: *share, budget, policy: *policy });
                }
            }
        }
    }
    let outcomes = run_all(&jobs)?;
    let rows: Vec<Row> =
        jobs.iter().zip(&outcomes).map(|(job, outcome)| Row::new(job, args.seed, outcome)).collect();
    if ![&args.csv, &args.json].into_iter().flatten().any(|path| is_stream(path)) {
        page(&jobs, &outcomes).print()?;
    }
    if let Some(path) = &args.csv {
        output(path, |out| write_csv(&rows, out))?;
    }
    if let Some(path) = &args.json {
        output(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &rows).map_err(io::Error::from)?;
            out.write_all(b"\n")
        })?;
    }
    let is_refused = outcomes.iter().any(|outcome| outcome.refused_count > 0);
    Ok(if is_refused { Verdict::Refused } else { Verdict::Accepted })
}

fn check_outputs(args: &SimulateArgs) -> Result<(), Failure> {
    if let (Some(csv), Some(json)) = (&args.csv, &args.json)
        && ((is_stream(csv) && is_stream(json)) || same_file(csv, json))
    {
        return Err(Failure::new("--csv and --json name the same output").with_remedy("give two"));
    }
    for profile in args.profile.iter().filter(|name| Profile::builtin(name).is_none()) {
        for path in [&args.csv, &args.json].into_iter().flatten() {
            if same_file(path, Path::new(profile)) {
                let message = format!("an output names the profile itself: {}", path.display());
                return Err(Failure::new(message).with_remedy("give another file"));
            }
        }
    }
    Ok(())
}

/// Runs all jobs on as many threads as the machine has, each job alone on one: the outcomes do not depend on it.
fn run_all(jobs: &[Job<'_>]) -> Result<Vec<Outcome>, Failure> {
    let progress = if io::stderr().is_terminal() {
        let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs, {eta} left");
        let count = u64::try_from(jobs.len()).unwrap_or(u64::MAX);
        ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    } else {
        ProgressBar::hidden()
    };
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, job)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    jobs.get(index).map(|job| (index, job))
                } {
                    let memory = adapter_memory(job.profile);
                    let desc = RunDesc { memory, policy: job.policy, budget: job.budget };
                    let outcome = run_one(job.workload, &desc);
                    done.lock().expect("invariant: no run panics").push((index, outcome));
                    progress.inc(1);
                }
            });
        }
    });
    progress.finish_and_clear();
    let mut done = done.into_inner().expect("invariant: no run panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter()
        .map(|(index, outcome)| {
            outcome.map_err(|error| {
                let job = &jobs[index];
                let what = format!("{} on {}: {error}", job.workload.name, job.profile.name);
                Failure::new(what).with_remedy("give a profile with more memory or addresses")
            })
        })
        .collect()
}

fn page(jobs: &[Job<'_>], outcomes: &[Outcome]) -> Page {
    let mut page = Page::new(Style::of_stdout());
    let all: Vec<(&Job<'_>, &Outcome)> = jobs.iter().zip(outcomes).collect();
    for group in all
        .chunk_by(|(a, _), (b, _)| std::ptr::eq(a.profile, b.profile) && std::ptr::eq(a.workload, b.workload))
    {
        let (job, outcome) = group[0];
        page.heading(format_args!(
            "{} on {}: footprint {}, {} frames, {} uses",
            job.workload.name,
            job.profile.name,
            short(job.footprint),
            grouped(outcome.frame_count),
            grouped(outcome.use_count)
        ));
        let mut table = Table::new([
            ("budget", Side::Right),
            ("policy", Side::Left),
            ("page-ins", Side::Right),
            ("bound", Side::Right),
            ("ratio", Side::Right),
            ("written", Side::Right),
            ("stalls", Side::Right),
            ("longest", Side::Right),
            ("demoted", Side::Right),
            ("peak", Side::Right),
            ("refused", Side::Right),
        ]);
        for (job, outcome) in group {
            table.row([
                job.share.to_string(),
                job.policy.to_string(),
                short(outcome.paging.bytes_paged_in),
                short(outcome.bound_bytes()),
                ratio(outcome),
                short(outcome.paging.bytes_written_back),
                grouped(outcome.paging.stall_count),
                milliseconds(outcome.paging.stall_ns_max),
                grouped(outcome.paging.demotion_count),
                short(outcome.usage_peak),
                grouped(outcome.refused_count),
            ]);
        }
        page.table(&table);
        page.gap();
    }
    page
}

/// Page-ins over the bound, rounded up to hundredths.
fn ratio(outcome: &Outcome) -> String {
    outcome.ratio_permille().map_or_else(
        || "-".to_owned(),
        |permille| {
            let hundredths = permille.div_ceil(10);
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        },
    )
}

fn milliseconds(ns: u64) -> String {
    let tenths = ns.div_ceil(100_000);
    format!("{}.{} ms", tenths / 10, tenths % 10)
}

fn output(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_stream(path) {
        return match write(&mut io::stdout().lock()) {
            // A reader that has gone has all it wanted.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => Ok(result?),
        };
    }
    let write_file = || {
        let mut file = BufWriter::new(File::create(path)?);
        write(&mut file)?;
        file.flush()
    };
    write_file().map_err(|error| Failure::write(path, &error))
}

/// Names and numbers hold no comma but where a profile's name does, which is quoted.
fn write_csv(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    for (number, row) in rows.iter().enumerate() {
        let value = serde_json::to_value(row).map_err(io::Error::from)?;
        let fields = value.as_object().expect("invariant: a row is an object");
        if number == 0 {
            // The order of the names is that of the rows below.
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        let cells: Vec<String> = fields.values().map(cell).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

fn cell(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) if text.contains([',', '"', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
