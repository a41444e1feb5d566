//! What a reader must know to trust the numbers of a report.

use heapstone_trace::Placement;
use heapstone_trace::report::Report;

use crate::format::{bytes, count};
use crate::page::Page;

/// Nothing where there is nothing to say.
pub(super) fn write(page: &mut Page, report: &Report) {
    let mut notes: Vec<String> = Vec::new();
    let mut say = |number: u64, singular: &str, plural: &str, what: &str| {
        if number > 0 {
            notes.push(format!("{} {what}", count(number, singular, plural)));
        }
    };
    let placement = &report.placement;
    say(placement.as_recorded, "resource", "resources", "placed where the trace says");
    say(
        placement.overlapping,
        "resource overlaps",
        "resources overlap",
        "others at the recorded offset: aliasing, or larger here than where it was recorded",
    );
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
    say(report.skipped.heap_missing, "resource", "resources", skipped_words(report));
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
    say(
        report.custom_l0.heaps,
        "CUSTOM heap",
        "CUSTOM heaps",
        &format!(
            "of pool L0 ({} bytes): system memory, counted as NON_LOCAL here",
            bytes(report.custom_l0.bytes)
        ),
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

/// Resources of heaps that are not there, and how to hear of them all the same.
const fn skipped_words(report: &Report) -> &'static str {
    match report.options.placement {
        Placement::Recorded => {
            "skipped, because the heap was refused or failed: `--placement committed` or `pooled=64MiB` shows \
             what the device says of them"
        }
        _ => "skipped, because the heap was refused or failed",
    }
}
