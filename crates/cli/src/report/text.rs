//! The report as text.

use heapstone_trace::report::{Report, TightComparison};

use super::{refusals, usage};
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
}

/// The whole report.
pub(crate) fn write(page: &mut Page, run: &Run<'_>, report: &Report) {
    header(page, run, report);
    refusals::write(page, report);
    asked(page, report);
    usage::at_peak(page, report);
    usage::budgets(page, report);
    alignment_cost(page, report);
    notes(page, report);
    usage::largest(page, report);
    if let Some(tight) = &report.tight {
        comparison(page, report, tight);
    }
}

fn header(page: &mut Page, run: &Run<'_>, report: &Report) {
    page.field("trace", format_args!("{} ({})", run.file, run.kind));
    if let Some(header) = &report.trace {
        let recorded: Vec<String> = [
            header.tool.as_ref().map(|tool| format!("by {tool}")),
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
    page.field("device", format_args!("{}, SDK {}", report.profile, report.sdk));
    page.field("run as", format_args!("placement {}, backing {}", run.placement, run.backing));
    page.field("result", result(report));
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

/// What a reader must know to trust the numbers; nothing where there is nothing to say.
fn notes(page: &mut Page, report: &Report) {
    let mut notes: Vec<String> = Vec::new();
    let mut say = |number: u64, singular: &str, plural: &str, what: &str| {
        if number > 0 {
            notes.push(format!("{} {what}", count(number, singular, plural)));
        }
    };
    let placement = &report.placement;
    say(placement.as_recorded, "resource", "resources", "placed where the trace says");
    say(
        placement.first_fit,
        "resource",
        "resources",
        "placed by first fit into heaps of the trace, because the trace does not say where",
    );
    say(placement.in_made_heap, "of those", "of those", "in the heap that the program made for the request");
    say(
        placement.committed_instead,
        "resource",
        "resources",
        "committed instead, because no heap of the trace had room",
    );
    say(placement.pooled, "resource", "resources", "placed by first fit into pools");
    say(placement.pool_heaps, "pool heap", "pool heaps", "made");
    say(
        placement.pool_heaps_of_one,
        "of those",
        "of those",
        "made for one resource larger than a pool's heap",
    );
    say(
        placement.heaps_outlived,
        "heap",
        "heaps",
        "kept beyond the end in the trace, because resources lie there",
    );
    say(
        report.skipped.heap_missing,
        "resource",
        "resources",
        "skipped, because the heap was refused or failed",
    );
    say(
        report.skipped.object_missing,
        "call",
        "calls",
        "skipped, because the object was refused, failed or skipped",
    );
    say(
        report.demoted.heaps,
        "heap",
        "heaps",
        &format!("({} bytes) in system memory, because video memory was full", bytes(report.demoted.bytes)),
    );
    say(report.outcomes.refused_here, "call", "calls", "accepted when recorded, refused or failed here");
    say(report.outcomes.accepted_here, "call", "calls", "refused or failed when recorded, accepted here");
    if let Some(import) = &report.import {
        say(
            import.requests_without_allocation,
            "request",
            "requests",
            "that no allocation followed: left out",
        );
        say(
            import.allocations_without_request,
            "allocation",
            "allocations",
            "without a description: left out",
        );
        say(import.heaps_without_description, "heap", "heaps", "without a description: left out");
        say(import.unknown_objects, "event", "events", "of objects that have no beginning: left out");
        say(import.lost_ends, "object", "objects", "taken as destroyed when its address was used again");
    }
    if report.import.as_ref().is_some_and(|import| import.unterminated.is_some()) {
        notes.push("the file ends before its events are closed: replayed to there".to_owned());
    }
    if !notes.is_empty() {
        page.heading("Notes");
        for note in notes {
            page.item(note);
        }
    }
}

/// As is, and tight, side by side.
fn comparison(page: &mut Page, report: &Report, tight: &TightComparison) {
    page.heading(format_args!(
        "Under tight alignment, SDK {}: {} got USE_TIGHT_ALIGNMENT",
        tight.sdk,
        count(tight.descriptions, "description", "descriptions"),
    ));
    if tight.tier_switched_on {
        page.line(format_args!("{} lacks tight alignment: switched on for the comparison.", report.profile));
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
}
