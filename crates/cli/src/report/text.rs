//! The report as text.

use heapstone_trace::Placement;
use heapstone_trace::report::{Report, TightComparison};

use super::{gpu, notes, refusals, usage};
use crate::format::{bytes, count, difference, grouped};
use crate::page::{Page, Side, Table};

/// What the report does not know: the command line's words.
pub(crate) struct Run<'a> {
    /// The file, as it was given.
    pub(crate) file: &'a str,
    /// GPGMM's format or ours, in words.
    pub(crate) kind: &'a str,
    /// `--placement`.
    pub(crate) placement: &'a str,
    /// `--backing`.
    pub(crate) backing: &'a str,
    /// The profile, with the file that it is from.
    pub(crate) profile: &'a str,
    /// Whether a comparison with tight alignment was asked for.
    pub(crate) tight: bool,
}

/// The whole report.
pub(crate) fn write(page: &mut Page, run: &Run<'_>, report: &Report) {
    header(page, run, report);
    refusals::write(page, report);
    gpu::write(page, report);
    gpu::residency(page, report);
    asked(page, report);
    usage::at_peak(page, report);
    usage::budgets(page, report);
    alignment_cost(page, report);
    notes::write(page, report);
    usage::largest(page, report);
    if let Some(tight) = &report.tight {
        comparison(page, run, report, tight);
    } else if run.tight && report.stopped.is_some() {
        page.heading(
            "No comparison with tight alignment: the run stopped before the end of the trace (--strict)",
        );
    }
}

fn header(page: &mut Page, run: &Run<'_>, report: &Report) {
    page.field("trace", format_args!("{} ({})", run.file, run.kind));
    if let Some(header) = &report.trace {
        let recorded: Vec<String> = [
            header.tool.as_ref().map(|tool| by(tool)),
            header.profile.as_ref().map(|profile| format!("on {profile}")),
            header.sdk.map(|sdk| format!("under SDK {sdk}")),
            header
                .source
                .as_ref()
                .filter(|source| *source != run.file)
                .map(|source| format!("from {source}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        page.field("recorded", recorded.join(", "));
    }
    page.field("device", format_args!("{}, SDK {}", run.profile, report.sdk));
    let mode = report.gpu.as_ref().map_or_else(String::new, |gpu| format!(", GPU mode {}", gpu.mode));
    page.field("run as", format_args!("placement {}, backing {}{mode}", run.placement, run.backing));
    page.field("result", result(report));
}

/// The tool may be in words that say so already: `written by hand`.
fn by(tool: &str) -> String {
    if tool.split(' ').any(|word| word == "by") { tool.to_owned() } else { format!("by {tool}") }
}

/// What became of the calls, in one line.
fn result(report: &Report) -> String {
    let calls = count(report.calls.total, "call", "calls");
    let skipped = report.skipped.heap_missing.saturating_add(report.skipped.object_missing);
    let parts: Vec<String> = [
        (report.refused_count(), "refused"),
        (report.failed_count(), "failed"),
        (skipped, "skipped"),
        (report.trace_error_count(), "wrong in the trace"),
    ]
    .iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{} {what}", grouped(*number)))
    .collect();
    if parts.is_empty() { format!("{calls}, all accepted") } else { format!("{calls}: {}", parts.join(", ")) }
}

fn asked(page: &mut Page, report: &Report) {
    let asked = &report.asked;
    page.heading("Asked by the trace");
    let mut table = Table::new([("what", Side::Left), ("count", Side::Right), ("bytes", Side::Right)]);
    for (what, number, size) in [
        ("heaps", asked.heaps, asked.heap_bytes),
        ("buffers", asked.buffers, asked.buffer_bytes),
        ("textures", asked.textures, asked.texture_bytes),
    ] {
        table.row([what.to_owned(), grouped(number), bytes(size)]);
    }
    if asked.reserved > 0 {
        table.row(["reserved".to_owned(), grouped(asked.reserved), "-".to_owned()]);
    }
    page.table(&table);
}

fn alignment_cost(page: &mut Page, report: &Report) {
    let cost = &report.alignment_cost;
    if cost.buffers == 0 {
        return;
    }
    page.heading(format_args!(
        "Alignment of {}, {} bytes, each rounded up by itself; {} below 64 KiB",
        count(cost.buffers, "buffer", "buffers"),
        grouped(cost.bytes),
        grouped(cost.small_buffers),
    ));
    let mut table = Table::new([("rounded up to", Side::Left), ("bytes it adds", Side::Right)]);
    table.row(["64 KiB".to_owned(), bytes(cost.at_64_kib)]);
    table.row(["256 B".to_owned(), bytes(cost.at_256)]);
    page.table(&table);
}

/// As is, and tight, side by side.
fn comparison(page: &mut Page, run: &Run<'_>, report: &Report, tight: &TightComparison) {
    page.heading(format_args!(
        "Under tight alignment, SDK {}: {} got USE_TIGHT_ALIGNMENT",
        tight.sdk,
        count(tight.descriptions, "description", "descriptions"),
    ));
    if tight.tier_switched_on {
        page.line(format_args!("{} lacks tight alignment: switched on for the comparison.", run.profile));
    }
    if let Some(places) = recorded_places(report) {
        page.line(places);
    }
    if tight.sdk_raised {
        page.line(format_args!("SDK {} has no tight alignment: a newer one for the comparison.", report.sdk));
    }
    let mut table = Table::new([
        ("at the peak", Side::Left),
        ("as is", Side::Right),
        ("tight", Side::Right),
        ("difference", Side::Right),
    ]);
    let (before, after) = (&report.peak.total, &tight.report.peak.total);
    let mut rows = usage::rows(before).into_iter().zip(usage::rows(after)).collect::<Vec<_>>();
    // What both lack says nothing.
    rows.retain(|((_, before), (_, after))| *before != 0 || *after != 0);
    for ((name, before), (_, after)) in rows {
        table.row([name.to_owned(), bytes(before), bytes(after), difference(before, after)]);
    }
    let (before, after) = (report.refused_count(), tight.report.refused_count());
    if before != 0 || after != 0 {
        table.row(["calls refused".to_owned(), grouped(before), grouped(after), difference(before, after)]);
    }
    page.table(&table);
    let (before, after) = (report.placement.overlapping, tight.report.placement.overlapping);
    if after > before && tight.report.peak.total.aliased > report.peak.total.aliased {
        page.line(format_args!(
            "{} at the recorded offsets only here, which is why more bytes are aliased: larger under tight \
             alignment, or refused as is.",
            count(after - before, "resource overlaps others", "resources overlap others")
        ));
    }
}

/// What the comparison cannot show, because heaps and offsets come from the trace.
fn recorded_places(report: &Report) -> Option<&'static str> {
    let placement = &report.placement;
    match (report.options.placement, placement.as_recorded > 0, placement.first_fit > 0) {
        (Placement::Recorded, true, false) => Some(
            "Heaps and offsets are the trace's, so bytes committed for heaps cannot change: \
             `--placement pooled=64MiB` shows what repacking saves.",
        ),
        (Placement::Recorded, _, true) => Some(
            "Heaps are the trace's, though places in them are by first fit, so bytes committed for heaps cannot \
             change: `--placement pooled=64MiB` shows what repacking saves.",
        ),
        _ => None,
    }
}
