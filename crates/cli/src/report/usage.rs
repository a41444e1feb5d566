//! Memory in a report: by heap type and cause, against budgets, the largest resources.

use heapstone_trace::Position;
use heapstone_trace::report::{Report, Usage};
use serde_json::Value;

use crate::format::{bytes, grouped, percent};
use crate::page::{Page, Side, Table};

/// Fields of a call that say nothing of how large it is: number, heap, time, thread.
const SAID_OR_IDLE: [&str; 6] = ["id", "heap", "made_heap", "t", "thread", "offset"];

/// The bytes of a usage by name, the total of waste before its causes.
pub(super) fn rows(usage: &Usage) -> [(&'static str, u64); 11] {
    let waste = &usage.waste;
    [
        ("asked", usage.asked),
        ("taken", usage.taken),
        ("aliased", usage.aliased),
        ("committed", usage.committed),
        ("waste", waste.total()),
        ("waste: start alignment", waste.start_alignment),
        ("waste: buffer rounding", waste.buffer_rounding),
        ("waste: texture padding", waste.texture_padding),
        ("waste: heap tail", waste.heap_tail),
        ("waste: heap free", waste.heap_free),
        ("waste: small committed", waste.small_committed),
    ]
}

/// Where a moment is: `call 12 at 7:1, 1.500 s`.
fn when(call: u64, position: Position, timestamp_us: Option<u64>) -> String {
    let mut text = format!("call {} at {position}", grouped(call));
    if let Some(time) = timestamp_us {
        text += &format!(", {}.{:03} s", grouped(time / 1_000_000), time / 1000 % 1000);
    }
    text
}

pub(super) fn at_peak(page: &mut Page, report: &Report) {
    let peak = &report.peak;
    if peak.call == 0 {
        page.heading("Memory: nothing was committed");
        return;
    }
    page.heading(format_args!(
        "Memory at the peak of what was committed ({}), in bytes",
        when(peak.call, peak.position, peak.timestamp_us)
    ));
    let names: Vec<&str> = peak.by_type.iter().map(|of_type| of_type.heap_type.name()).collect();
    let mut table = Table::new(
        [("", Side::Left), ("all", Side::Right)]
            .into_iter()
            .chain(names.iter().map(|name| (*name, Side::Right))),
    );
    let counts: [(&str, fn(&Usage) -> u64); 4] = [
        ("heaps", |usage| usage.heaps),
        ("placed resources", |usage| usage.placed_resources),
        ("committed resources", |usage| usage.committed_resources),
        ("small committed buffers", |usage| usage.small_committed_buffers),
    ];
    for (name, number) in counts {
        let of_types = peak.by_type.iter().map(|of_type| grouped(number(&of_type.usage)));
        table.row([name.to_owned(), grouped(number(&peak.total))].into_iter().chain(of_types));
    }
    let by_type: Vec<_> = peak.by_type.iter().map(|of_type| rows(&of_type.usage)).collect();
    for (index, (name, total)) in rows(&peak.total).into_iter().enumerate() {
        let of_types = by_type.iter().map(|rows| grouped(rows[index].1));
        table.row([name.to_owned(), bytes(total)].into_iter().chain(of_types));
    }
    page.table(&table);
    let asked = &report.peak_asked;
    page.line(format_args!(
        "waste is {} of what is committed; most asked at once: {} ({})",
        percent(peak.total.waste.total(), peak.total.committed),
        bytes(asked.bytes),
        when(asked.call, asked.position, asked.timestamp_us)
    ));
    if peak.reserved_resources > 0 {
        page.line(format_args!(
            "{} reserved resources take {} of addresses",
            grouped(peak.reserved_resources),
            bytes(peak.reserved_addresses)
        ));
    }
    let end = &report.end.total;
    if end.committed > 0 {
        page.line(format_args!("still committed after the last call: {}", bytes(end.committed)));
    }
}

pub(super) fn budgets(page: &mut Page, report: &Report) {
    page.heading("Budget");
    let mut table = Table::new([
        ("node", Side::Right),
        ("group", Side::Left),
        ("budget", Side::Right),
        ("peak", Side::Right),
        ("of budget", Side::Right),
        ("first over budget", Side::Left),
    ]);
    for budget in &report.budgets {
        table.row([
            budget.node.to_string(),
            budget.group.to_string(),
            bytes(budget.budget),
            bytes(budget.peak.bytes),
            percent(budget.peak.bytes, budget.budget),
            budget.exceeded.as_ref().map_or_else(
                || "never".to_owned(),
                |over| {
                    format!("{}, {}", bytes(over.bytes), when(over.call, over.position, over.timestamp_us))
                },
            ),
        ]);
    }
    page.table(&table);
}

pub(super) fn largest(page: &mut Page, report: &Report) {
    if report.largest.is_empty() {
        return;
    }
    page.heading("Largest resources");
    let mut table = Table::new([
        ("resource", Side::Right),
        ("size", Side::Right),
        ("asked", Side::Right),
        ("at", Side::Right),
        ("name or call", Side::Left),
    ]);
    for resource in &report.largest {
        table.row([
            resource.id.to_string(),
            bytes(resource.size),
            grouped(resource.asked),
            resource.position.to_string(),
            resource.name.clone().unwrap_or_else(|| in_short(&resource.text)),
        ]);
    }
    page.table(&table);
}

/// A call of our format, `{"call":{"field":value, ...}}`, as `field value, ...` without what the table
/// says already.
fn in_short(text: &str) -> String {
    let Ok(Value::Object(call)) = serde_json::from_str(text) else { return text.to_owned() };
    let fields: Vec<String> = call
        .values()
        .filter_map(Value::as_object)
        .flatten()
        .filter(|(name, _)| !SAID_OR_IDLE.contains(&name.as_str()))
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name} {text}"),
            other => format!("{name} {other}"),
        })
        .collect();
    fields.join(", ")
}
