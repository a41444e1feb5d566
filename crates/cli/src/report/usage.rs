//! Memory in a report: by heap type and cause, against budgets, the largest resources.

use heapstone_trace::Position;
use heapstone_trace::report::{LargeResource, Report, Usage};
use serde_json::Value;

use crate::format::{bytes, grouped, percent};
use crate::page::{Page, Side, Table, shortened};

/// Characters of a name shown.
const NAME_SHOWN: usize = 120;

/// The bytes of a usage by name, the total of waste before its causes.
pub(super) fn rows(usage: &Usage) -> [(&'static str, u64); 11] {
    let waste = &usage.waste;
    [
        ("bytes asked", usage.asked),
        ("bytes taken", usage.taken),
        ("bytes aliased", usage.aliased),
        ("bytes committed", usage.committed),
        ("bytes wasted", waste.total()),
        ("wasted: start alignment", waste.start_alignment),
        ("wasted: buffer rounding", waste.buffer_rounding),
        ("wasted: texture padding", waste.texture_padding),
        ("wasted: heap tail", waste.heap_tail),
        ("wasted: heap free", waste.heap_free),
        ("wasted: small committed", waste.small_committed),
    ]
}

/// The objects of a usage by name.
fn counts(usage: &Usage) -> [(&'static str, u64); 4] {
    [
        ("heaps", usage.heaps),
        ("placed resources", usage.placed_resources),
        ("committed resources", usage.committed_resources),
        ("small committed buffers", usage.small_committed_buffers),
    ]
}

/// Where a moment is: `call 12 at 7:1, 1.500 s`; below a millisecond in microseconds.
fn when(call: u64, position: Position, timestamp_us: Option<u64>) -> String {
    let mut text = format!("call {} at {position}", grouped(call));
    if let Some(time) = timestamp_us.filter(|time| *time < 1000) {
        text += &format!(", {time} us");
    } else if let Some(time) = timestamp_us {
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
    let by_type: Vec<_> = peak.by_type.iter().map(|of_type| counts(&of_type.usage)).collect();
    for (index, (name, total)) in counts(&peak.total).into_iter().enumerate() {
        let of_types = by_type.iter().map(|counts| grouped(counts[index].1));
        table.row([name.to_owned(), grouped(total)].into_iter().chain(of_types));
    }
    let by_type: Vec<_> = peak.by_type.iter().map(|of_type| rows(&of_type.usage)).collect();
    for (index, (name, total)) in rows(&peak.total).into_iter().enumerate() {
        let of_types = by_type.iter().map(|rows| grouped(rows[index].1));
        table.row([name.to_owned(), bytes(total)].into_iter().chain(of_types));
    }
    page.table(&table);
    let asked = &report.peak_asked;
    page.line(format_args!(
        "{} of what is committed is wasted; most asked at once: {} ({})",
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

/// Alike resources share a row: a program's largest ones often come in tens.
pub(super) fn largest(page: &mut Page, report: &Report) {
    if report.largest.is_empty() {
        return;
    }
    page.heading("Largest resources");
    let mut table = Table::new([
        ("count", Side::Right),
        ("size of each", Side::Right),
        ("asked", Side::Right),
        ("first at", Side::Right),
        ("name or description", Side::Left),
    ]);
    let name = |resource: &LargeResource| match &resource.name {
        Some(name) => shortened(name, NAME_SHOWN),
        None => shortened(&in_short(&resource.text), NAME_SHOWN),
    };
    let alike =
        |a: &LargeResource, b: &LargeResource| (a.size, a.asked, name(a)) == (b.size, b.asked, name(b));
    for resources in report.largest.chunk_by(alike) {
        let first = &resources[0];
        table.row([
            resources.len().to_string(),
            bytes(first.size),
            grouped(first.asked),
            first.position.to_string(),
            name(first),
        ]);
    }
    page.table(&table);
}

/// A call of our format, `{"call":{"field":value, ...}}`, by what makes the resource large:
/// `TEXTURE2D R8_UNORM 64x64, mip_levels 7`, `buffer, UPLOAD`.
fn in_short(text: &str) -> String {
    let call: Value = serde_json::from_str(text).unwrap_or_default();
    let Some(fields) = call.as_object().and_then(|call| call.values().next()) else { return text.to_owned() };
    let word = |name: &str| match &fields[name] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let axis = |name: &str| word(name).unwrap_or_else(|| "1".to_owned());
    let mut parts = vec![match word("dimension").as_deref() {
        None | Some("BUFFER") => "buffer".to_owned(),
        Some("TEXTURE3D") => {
            let depth = axis("depth_or_array_size");
            format!("TEXTURE3D {} {}x{}x{depth}", axis("format"), axis("width"), axis("height"))
        }
        Some(dimension) => format!("{dimension} {} {}x{}", axis("format"), axis("width"), axis("height")),
    }];
    let slices = word("depth_or_array_size").filter(|_| parts[0].starts_with("TEXTURE2D"));
    parts.extend(slices.map(|slices| format!("{slices} slices")));
    for name in ["mip_levels", "sample_count"] {
        parts.extend(word(name).map(|value| format!("{name} {value}")));
    }
    parts.extend(["heap_type", "flags"].into_iter().filter_map(word));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_in_short() {
        for (text, want) in [
            (r#"{"request_resource":{"id":1,"heap_type":"UPLOAD","width":12}}"#, "buffer, UPLOAD"),
            (
                r#"{"create_placed_resource":{"id":1,"heap":2,"offset":0,"dimension":"TEXTURE2D","width":8,"height":4,"format":"R8_UNORM","depth_or_array_size":6,"mip_levels":2,"flags":"ALLOW_RENDER_TARGET"}}"#,
                "TEXTURE2D R8_UNORM 8x4, 6 slices, mip_levels 2, ALLOW_RENDER_TARGET",
            ),
            (
                r#"{"create_reserved_resource":{"dimension":"TEXTURE3D","width":8,"height":4,"depth_or_array_size":2,"format":"R8_UNORM"}}"#,
                "TEXTURE3D R8_UNORM 8x4x2",
            ),
            ("no JSON", "no JSON"),
        ] {
            assert_eq!(in_short(text), want);
        }
    }
}
