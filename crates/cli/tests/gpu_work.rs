//! GPU work on the command line: a streaming workload, replayed in every mode and recorded again.

mod common;

use std::fs;

use common::{Run, heapstone, heapstone_with_input};
use serde_json::Value;

const STREAMING: &str = include_str!("../../../examples/workloads/streaming-upload.jsonl");

fn replay(arguments: &[&str]) -> Run {
    heapstone_with_input(&[&["replay", "-", "--no-tight"], arguments].concat(), STREAMING.as_bytes())
}

#[test]
fn queues_and_calls_are_reported() {
    let run = replay(&["--gpu-mode", "stepped"]).exits(0);
    let run = run.prints(&[
        "GPU mode stepped",
        "all accepted",
        "GPU work",
        "Times are simulated: a command takes 1 us",
    ]);
    assert!(run.line("DIRECT 1 frames").contains("MiB"));
    assert!(run.line("COPY 2 uploads").contains("MiB"));
    // One value, 4 bytes a texel, of a target of 1280 x 720.
    let clears = STREAMING.matches("\"clear_render_target_view\"").count() * 1280 * 720 * 4;
    let line = run.line("clear_render_target_view").replace(',', "");
    assert!(line.contains(&clears.to_string()), "{line}");
}

#[test]
fn every_mode_and_backing_tells_the_same_of_queues() {
    let queues = |arguments: &[&str]| {
        let run = replay(&[&["--json", "-"], arguments].concat()).exits(0);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        report["gpu"]["queues"].clone()
    };
    let want = queues(&[]);
    assert_eq!(want.as_array().map(Vec::len), Some(2));
    for arguments in [
        ["--gpu-mode", "threaded", "--backing", "phantom"],
        ["--gpu-mode", "threaded", "--backing", "host"],
        ["--gpu-mode", "stepped", "--backing", "host"],
    ] {
        assert_eq!(queues(&arguments), want, "{arguments:?}");
    }
}

/// Heaps of the trace are not made, but for the one that tiles are mapped to.
#[test]
fn tiles_find_their_heap_in_every_placement() {
    for placement in ["committed", "pooled=64MiB"] {
        replay(&["--placement", placement]).exits(0).prints(&["all accepted", "tiles mapped"]);
    }
}

#[test]
fn a_recording_is_replayed_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.jsonl");
    let path = path.to_str().unwrap();
    let first = replay(&["--record", path]).exits(0);
    let again = fs::read_to_string(path).unwrap();
    let second = heapstone_with_input(&["replay", "-", "--no-tight"], again.as_bytes()).exits(0);
    for line in ["DIRECT 1 frames", "COPY 2 uploads"] {
        assert_eq!(first.line(line), second.line(line));
    }
}

#[test]
fn the_generator_writes_streaming_on_demand() {
    let arguments = ["generate", "--workload", "streaming", "--calls", "600", "--live", "24", "--seed", "1"];
    assert!(heapstone(&arguments).exits(0).stdout == STREAMING);
}
