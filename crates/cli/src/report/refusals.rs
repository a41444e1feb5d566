//! Calls that did not do what they should, grouped, the first of each group in full.

use heapstone_spec::rules;
use heapstone_trace::report::{Failure, FirstCall, RefusedGroup, Report, TraceMistake};

use crate::format::{count, grouped};
use crate::page::{Page, Side, Table, shortened};
use crate::rules::sdk_range;

/// Groups told in full: JSON has them all.
const GROUPS_SHOWN: usize = 10;
/// Places of a group's other calls shown: JSON has up to a hundred.
const PLACES_SHOWN: usize = 10;
/// Characters of a call shown: only names and lists of formats are longer.
const CALL_SHOWN: usize = 1000;

pub(super) fn write(page: &mut Page, report: &Report) {
    refused(page, report);
    for group in &report.failed {
        page.heading(format_args!(
            "Failed: {}, {}",
            count(group.count, "call", "calls"),
            failure_words(group.failure)
        ));
        first_call(page, &group.first);
        page.field("error", &group.first.error);
    }
    for group in &report.trace_errors {
        page.heading(format_args!(
            "Wrong in the trace: {}, {}",
            count(group.count, "call", "calls"),
            mistake_words(group.mistake)
        ));
        first_call(page, &group.first);
        page.field("error", &group.first.error);
    }
    if let Some(stop) = &report.stopped {
        page.heading("Stopped at the first call that was refused or failed (--strict)");
        first_call(page, &stop.first);
        page.field("error", &stop.first.error);
    }
}

fn refused(page: &mut Page, report: &Report) {
    if report.refused.is_empty() {
        return;
    }
    page.heading(format_args!(
        "Refused: {} under {}",
        count(report.refused_count(), "call", "calls"),
        count(u64::try_from(report.refused.len()).unwrap_or(u64::MAX), "rule", "rules")
    ));
    let mut table = Table::new([("calls", Side::Right), ("rule", Side::Left), ("statement", Side::Left)]);
    for group in &report.refused {
        table.row([grouped(group.count), group.rule.to_owned(), group.statement.to_owned()]);
    }
    page.table(&table);
    for group in report.refused.iter().take(GROUPS_SHOWN) {
        page.heading(format_args!("First refused under {}", group.rule));
        in_full(page, group);
    }
    if report.refused.len() > GROUPS_SHOWN {
        page.line(format_args!(
            "... and {} rules more (--json has all)",
            report.refused.len() - GROUPS_SHOWN
        ));
    }
}

fn in_full(page: &mut Page, group: &RefusedGroup) {
    first_call(page, &group.first);
    page.field("also at", also_at(group));
    page.field("statement", group.statement);
    page.field("field", group.field);
    page.field("given", &group.given);
    page.field("allowed", &group.allowed);
    page.field("what to change", group.remedy);
    let message = group.message.as_ref().map(|message| format!("D3D12_MESSAGE_ID_{message}"));
    page.field("message", message.as_deref().unwrap_or("none in D3D12"));
    if let Some(rule) = rules::find(group.rule) {
        page.field("sdk", sdk_range(rule));
    }
    page.field("source", group.source);
}

/// Where the group's other calls stand: `lines 12, 15 and 3 more`, with columns where these tell them apart.
fn also_at(group: &RefusedGroup) -> String {
    let others = group.at.get(1..).unwrap_or_default();
    let shown: Vec<String> = others
        .iter()
        .take(PLACES_SHOWN)
        .map(|at| if at.column == 1 { at.line.to_string() } else { at.to_string() })
        .collect();
    if shown.is_empty() {
        return String::new();
    }
    let word = if shown.len() == 1 { "line" } else { "lines" };
    let more = (group.count - 1).saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    let more = if more == 0 { String::new() } else { format!(" and {} more", grouped(more)) };
    format!("{word} {}{more}", shown.join(", "))
}

fn first_call(page: &mut Page, first: &FirstCall) {
    page.field(
        "call",
        format_args!("{} at {}: {}", grouped(first.call), first.position, shortened(&first.text, CALL_SHOWN)),
    );
}

const fn failure_words(failure: Failure) -> &'static str {
    match failure {
        Failure::VideoMemory => "no physical memory left",
        Failure::VirtualAddress => "no GPU virtual addresses left",
        Failure::ShaderAtomics => "no share of shader-atomics heaps left",
        Failure::System => "the system gave no memory",
        Failure::DeviceRemoved => "the device is removed",
        Failure::Driver => "the driver failed",
    }
}

const fn mistake_words(mistake: TraceMistake) -> &'static str {
    match mistake {
        TraceMistake::UnknownObject => "on an object that does not live",
        TraceMistake::UnknownHeap => "in a heap that does not live",
        TraceMistake::WrongKind => "on an object of the wrong kind",
        TraceMistake::NumberInUse => "under a number that is in use",
    }
}
