//! Traces of real programs, where they are there. The numbers are counted in the files themselves
//! (their folder's README).

mod common;

use common::{data, heapstone};
use serde_json::Value;

const TRACES: [&str; 5] = [
    "dawn_end2end_queuewritebuffertests_manywritebuffer.json",
    "directml_samples_directmlxsuperresolution.json",
    "old2022-06_directmlxsuperresolution.json",
    "webnn_mobilenetv2_nchw.json",
    "webnn_resnet50v2_nchw_2022-05-18.json",
];

fn path(name: &str) -> Option<String> {
    Some(data()?.join("gpgmm").join(name).to_str().expect("a path of UTF-8").to_owned())
}

#[test]
fn every_trace_is_accepted_on_a_discrete_card() {
    for name in TRACES {
        let Some(path) = path(name) else { return };
        for placement in ["recorded", "committed", "pooled=64MiB"] {
            heapstone(&["replay", &path, "--placement", placement])
                .exits(0)
                .prints(&["all accepted", "GPGMM trace"]);
        }
    }
}

#[test]
fn directml_by_the_numbers() {
    let Some(path) = path("directml_samples_directmlxsuperresolution.json") else { return };
    let run = heapstone(&["replay", &path]).exits(0);
    let cells = |name| run.line(name).split_whitespace().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(cells("buffers "), ["buffers", "45", "727,812,716"]);
    assert_eq!(cells("heaps "), ["heaps", "8", "1,119,879,168"]);
    assert_eq!(cells("64 KiB "), ["64", "KiB", "1,865,108"]);
    assert_eq!(cells("256 B "), ["256", "B", "2,708"]);
    let run = run.prints(&[
        "727,812,716 (694.1 MiB)",
        "30 below 64 KiB",
        "because the trace does not say where",
        "Under tight alignment",
        "difference",
    ]);
    assert!(run.stdout.is_ascii() && !run.stdout.contains('\u{1b}'), "piped text is plain");

    let json = heapstone(&["replay", &path, "--json", "-"]).exits(0).stdout;
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["asked"]["buffers"], 45);
    assert_eq!(report["asked"]["buffer_bytes"], 727_812_716);
    assert_eq!(report["asked"]["heap_bytes"], 1_119_879_168);
    assert_eq!(report["alignment_cost"]["at_64_kib"], 1_865_108);
    assert_eq!(report["alignment_cost"]["at_256"], 2708);
    assert_eq!(report["alignment_cost"]["small_buffers"], 30);
}

#[test]
fn directml_on_heap_tier_1() {
    let Some(path) = path("directml_samples_directmlxsuperresolution.json") else { return };
    let run = heapstone(&["replay", &path, "--profile", "discrete-tier1-2g"]).exits(1);
    let run = run.prints(&[
        "8 refused",
        "Refused: 8 calls under 1 rule",
        "First refused under heap.flags.tier1",
        "ALLOW_ONLY_BUFFERS",
        "D3D12_MESSAGE_ID_CREATEHEAP_INVALIDMISCFLAGS (631)",
    ]);
    assert!(run.line("what to change").contains("one heap for each category"), "{}", run.stdout);
    let json = heapstone(&["replay", &path, "--profile", "discrete-tier1-2g", "--json", "-"]).exits(1).stdout;
    let report: Value = serde_json::from_str(&json).unwrap();
    let groups = report["refused"].as_array().unwrap();
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0]["rule"], "heap.flags.tier1");
    assert_eq!(groups[0]["count"], 8);
}
