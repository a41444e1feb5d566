//! `heapstone simulate`.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use heapstone::{FaultPlan, FaultPlanError, PolicyKind};
use heapstone_simulate::Outcome;
use heapstone_simulate::workload::{Workload, WorkloadKind};
use heapstone_spec::Profile;
use heapstone_trace::Placement;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::{Failure, Verdict};
use crate::outputs::{is_stream, same_file};
use crate::page::{Page, Style};
use crate::paging::{self, Budget, Job, Row, parse_budget, parse_policy};
use crate::{profiles, replay};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone simulate
  heapstone simulate --workload camera-lap --budget 50%,2GiB --policy lru,adaptive
  heapstone simulate --profile discrete-8g,integrated-uma --csv runs.csv
  heapstone simulate --workload background-hog --seed 7 --json -
  heapstone simulate --workload plane-walk --faults budget-storm:60:300+slow:90:4 --seed 7
  heapstone simulate --trace trace.json --placement committed --budget 60%

docs/simulate.md says what the workloads, the policies and the columns are.")]
pub(crate) struct SimulateArgs {
    /// What the application does: camera-lap, random-walk, plane-walk, teleport, load-burst, target-resize, alt-tab,
    /// background-hog; all of them without it
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = workload)]
    workload: Vec<WorkloadKind>,
    /// A trace as a workload, our own format or GPGMM's; `-` is standard input. Can be given several times; generated
    /// workloads run beside it where --workload names them
    #[arg(long, value_name = "FILE")]
    trace: Vec<PathBuf>,
    /// Where the traces' resources go: recorded, committed, pooled=SIZE
    #[arg(long, value_name = "recorded|committed|pooled=SIZE", default_value = "recorded")]
    placement: Placement,
    /// Budgets: of the workload's footprint (50%), or in bytes (512MiB)
    #[arg(long, value_name = "SHARE|SIZE", value_delimiter = ',', value_parser = parse_budget,
        default_values = ["30%", "50%", "70%", "90%"])]
    budget: Vec<Budget>,
    /// Who leaves memory first: lru, lru-grace, clock, adaptive; all of them without it
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = parse_policy)]
    policy: Vec<PolicyKind>,
    /// Adapter profiles: built-in names (`heapstone profiles list`) or .toml files
    #[arg(long, value_name = "NAME|FILE.toml", value_delimiter = ',', default_value = Profile::DEFAULT_NAME)]
    profile: Vec<String>,
    /// What goes wrong on purpose, of the seed: `some` of everything, or faults with `+` between them (fail-every:50,
    /// budget-storm:20:250, focus:60, slow:40:8, remove:1000, ...; docs/simulate.md has all)
    #[arg(long, value_name = "some|FAULT+...", value_parser = faults)]
    faults: Option<Faults>,
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

/// What `--faults` asks for.
#[derive(Clone, Copy, Debug)]
enum Faults {
    /// As the seed has it.
    Some,
    /// These, of the seed.
    Plan(FaultPlan),
}

impl Faults {
    fn of_seed(self, seed: u64) -> FaultPlan {
        match self {
            Faults::Some => FaultPlan::of_seed(seed),
            Faults::Plan(plan) => FaultPlan { seed, ..plan },
        }
    }
}

fn faults(text: &str) -> Result<Faults, String> {
    if text == "some" {
        return Ok(Faults::Some);
    }
    text.parse().map(Faults::Plan).map_err(|error: FaultPlanError| error.to_string())
}

fn workload(text: &str) -> Result<WorkloadKind, String> {
    let names = WorkloadKind::ALL.map(WorkloadKind::name).join(", ");
    WorkloadKind::from_name(text).ok_or_else(|| format!("no such workload; there are {names}"))
}

/// A workload, and what is known of it beside.
struct Entry {
    workload: Workload,
    /// Index of the profile that a trace was replayed on: where its heaps lie depends on it. `None`: on any.
    profile: Option<usize>,
    parts: Option<u64>,
}

pub(crate) fn run(args: &SimulateArgs) -> Result<Verdict, Failure> {
    check_outputs(args)?;
    let profiles =
        args.profile.iter().map(|name| profiles::find(name)).collect::<Result<Vec<_>, Failure>>()?;
    let policies = if args.policy.is_empty() { PolicyKind::ALL.to_vec() } else { args.policy.clone() };
    let entries = entries(args, &profiles)?;
    let mut jobs = Vec::new();
    for (number, profile) in profiles.iter().enumerate() {
        for entry in entries.iter().filter(|entry| entry.profile.is_none_or(|index| index == number)) {
            for share in &args.budget {
                for policy in &policies {
                    let seed = entry.profile.is_none().then_some(args.seed);
                    let job = Job::new(profile, &entry.workload, *share, *policy);
                    let faults = args.faults.map(|faults| faults.of_seed(args.seed));
                    jobs.push(Job { seed, parts: entry.parts, faults, ..job });
                }
            }
        }
    }
    let outcomes = run_all(&jobs)?;
    let rows: Vec<Row> = jobs.iter().zip(&outcomes).map(|(job, outcome)| Row::new(job, outcome)).collect();
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

/// The workloads that are asked for: all generated ones where none is.
fn entries(args: &SimulateArgs, profiles: &[Profile]) -> Result<Vec<Entry>, Failure> {
    let kinds = if args.workload.is_empty() && args.trace.is_empty() {
        WorkloadKind::ALL.to_vec()
    } else {
        args.workload.clone()
    };
    let generated = kinds.iter().map(|kind| kind.generate(args.seed));
    let mut entries: Vec<Entry> =
        generated.map(|workload| Entry { workload, profile: None, parts: None }).collect();
    for path in &args.trace {
        for (index, profile) in profiles.iter().enumerate() {
            let (log, parts) = replay::memory_log(path, profile, args.placement)?;
            let workload = paging::workload_of(&log, &path.display().to_string());
            if workload.footprint() == 0 {
                let message =
                    format!("{}: nothing of it uses video memory on {}", path.display(), profile.name);
                return Err(Failure::new(message).with_remedy("give a trace that creates resources there"));
            }
            entries.push(Entry { workload, profile: Some(index), parts });
        }
    }
    Ok(entries)
}

fn check_outputs(args: &SimulateArgs) -> Result<(), Failure> {
    if let (Some(csv), Some(json)) = (&args.csv, &args.json)
        && ((is_stream(csv) && is_stream(json)) || same_file(csv, json))
    {
        return Err(Failure::new("--csv and --json name the same output").with_remedy("give two"));
    }
    for path in [&args.csv, &args.json].into_iter().flatten() {
        if !is_stream(path) && args.trace.iter().any(|trace| same_file(path, trace)) {
            let message = format!("an output names a trace: {}", path.display());
            return Err(Failure::new(message).with_remedy("give another file"));
        }
    }
    if args.trace.iter().filter(|trace| is_stream(trace)).count() * args.profile.len() > 1 {
        let message = "standard input is read once: one trace from it, on one profile";
        return Err(Failure::new(message).with_remedy("give a file"));
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
                    let outcome = job.run();
                    done.lock().expect("invariant: no run panics").push((index, outcome));
                    progress.inc(1);
                }
            });
        }
    });
    progress.finish_and_clear();
    let mut done = done.into_inner().expect("invariant: no run panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn page(jobs: &[Job<'_>], outcomes: &[Outcome]) -> Page {
    let mut page = Page::new(Style::of_stdout());
    let all: Vec<(&Job<'_>, &Outcome)> = jobs.iter().zip(outcomes).collect();
    for group in all
        .chunk_by(|(a, _), (b, _)| std::ptr::eq(a.profile, b.profile) && std::ptr::eq(a.workload, b.workload))
    {
        let (job, outcome) = group[0];
        page.heading(paging::heading(job, outcome));
        page.table(&paging::table(group));
        page.gap();
    }
    page
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
