//! What the GPU did.

use heapstone_trace::report::{GpuWork, QueueWork, Report};

use crate::format::{bytes, count, grouped};
use crate::page::{Page, Side, Table, shortened};

/// Characters of a queue's name that are shown.
const NAME_SHOWN: usize = 40;

const NS_PER_US: u64 = 1_000;

/// Nothing of a trace without GPU work.
pub(super) fn write(page: &mut Page, report: &Report) {
    let Some(gpu) = &report.gpu else { return };
    page.heading("GPU work");
    if !gpu.queues.is_empty() {
        queues(page, gpu);
        page.line(
            "Times are simulated: a command takes 1 us, and its bytes at the bandwidth of the profile's segments.",
        );
    }
    page.heading("Calls of GPU work");
    let mut table = Table::new([
        ("call", Side::Left),
        ("count", Side::Right),
        ("refused", Side::Right),
        ("bytes", Side::Right),
    ]);
    for used in &gpu.calls {
        let moved = if used.bytes == 0 { "-".to_owned() } else { bytes(used.bytes) };
        table.row([used.call.to_owned(), grouped(used.count), grouped(used.refused), moved]);
    }
    page.table(&table);
    asides(page, gpu);
}

/// Residency; nothing of a trace without calls of it.
pub(super) fn residency(page: &mut Page, report: &Report) {
    let Some(residency) = &report.residency else { return };
    page.heading("Residency");
    let mut table = Table::new([("call", Side::Left), ("count", Side::Right), ("refused", Side::Right)]);
    for used in &residency.calls {
        table.row([used.call.to_owned(), grouped(used.count), grouped(used.refused)]);
    }
    page.table(&table);
    page.line(format_args!(
        "Bytes that the device paged in: {}; that it wrote back: {}.",
        bytes(residency.bytes_paged_in),
        bytes(residency.bytes_written_back)
    ));
    if residency.objects_left_out > 0 {
        page.item(format_args!(
            "{} left out: without a heap of its own in this placement",
            count(residency.objects_left_out, "object", "objects")
        ));
    }
}

fn queues(page: &mut Page, gpu: &GpuWork) {
    let mut table = Table::new([
        ("queue", Side::Left),
        ("lists", Side::Right),
        ("commands", Side::Right),
        ("bytes read", Side::Right),
        ("bytes written", Side::Right),
        ("tiles mapped", Side::Right),
        ("waits", Side::Right),
        ("busy us", Side::Right),
        ("clock us", Side::Right),
    ]);
    for queue in &gpu.queues {
        table.row([
            name(queue),
            grouped(queue.lists),
            grouped(queue.commands),
            bytes(queue.bytes_read),
            bytes(queue.bytes_written),
            grouped(queue.tiles_mapped),
            grouped(queue.waits),
            grouped(queue.busy_ns / NS_PER_US),
            grouped(queue.time_ns / NS_PER_US),
        ]);
    }
    page.table(&table);
}

/// `COPY 3 "uploads"`, by type and number.
fn name(queue: &QueueWork) -> String {
    match (queue.list_type, queue.id) {
        (Some(list_type), Some(id)) => {
            let name = queue.name.as_ref().map(|name| format!(" {}", shortened(name, NAME_SHOWN)));
            format!("{list_type} {id}{}", name.unwrap_or_default())
        }
        _ => "others".to_owned(),
    }
}

/// What did not go as it was recorded.
fn asides(page: &mut Page, gpu: &GpuWork) {
    for queue in gpu.queues.iter().filter(|queue| queue.parts > 0) {
        let parts = count(queue.parts, "part", "parts");
        page.item(format_args!("{}: its engine is patched, and ran the buffers in {parts}", name(queue)));
    }
    let pending = gpu.queues.iter().map(|queue| queue.pending).fold(0, u64::saturating_add);
    for (number, singular, plural, what) in [
        (gpu.lists_failed, "list", "lists", "failed to close, for a command that was refused"),
        (gpu.lists_left_out, "execution", "executions", "of lists that are not there, left out"),
        (gpu.waits_unreached, "wait", "waits", "of the CPU given up: nothing pending leads to the value"),
        (gpu.copies_left_out, "copy", "copies", "by the CPU of more than 1 GiB, left out"),
        (pending, "packet", "packets", "left pending: their queue waits for a fence that nobody signals"),
    ] {
        if number > 0 {
            page.item(format_args!("{} {what}", count(number, singular, plural)));
        }
    }
    if let Some(reason) = &gpu.removed {
        page.item(format_args!("the device was removed: {reason}"));
    }
}
