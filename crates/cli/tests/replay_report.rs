//! What the report of a replay says beyond its numbers, on traces made here.

mod common;

use std::fs;

use common::{heapstone, heapstone_with_input};
use serde_json::Value;

const HEADER: &str = r#"{"heapstone_trace":{"version":1}}"#;

fn trace(lines: &[&str]) -> String {
    [&[HEADER], lines, &[""]].concat().join("\n")
}

fn json(arguments: &[&str], input: &str, code: i32) -> Value {
    let run = heapstone_with_input(&[&["replay", "-", "--json", "-"], arguments].concat(), input.as_bytes());
    serde_json::from_str(&run.exits(code).stdout).expect("the report is JSON")
}

const ONE_OF_THREE_REFUSED: [&str; 3] = [
    r#"{"create_committed_resource":{"id":1,"width":100}}"#,
    r#"{"create_heap":{"id":2,"size":65536,"alignment":4096}}"#,
    r#"{"create_committed_resource":{"id":3,"width":100}}"#,
];

/// The tight device would go on to the third call, and be compared with two.
#[test]
fn a_run_that_stopped_is_not_compared() {
    let input = trace(&ONE_OF_THREE_REFUSED);
    let strict = heapstone_with_input(&["replay", "-", "--strict"], input.as_bytes()).exits(1);
    let strict =
        strict.prints(&["No comparison with tight alignment: the run stopped", "2 calls: 1 refused"]);
    assert!(!strict.stdout.contains("Under tight alignment"), "{}", strict.stdout);
    assert_eq!(json(&["--strict"], &input, 1)["tight"], Value::Null);
    let without = heapstone_with_input(&["replay", "-", "--strict", "--no-tight"], input.as_bytes()).exits(1);
    assert!(!without.stdout.contains("tight alignment"), "{}", without.stdout);
    heapstone_with_input(&["replay", "-"], input.as_bytes()).exits(1).prints(&["Under tight alignment"]);
    // Nothing stopped it.
    let whole = trace(&ONE_OF_THREE_REFUSED[..1]);
    heapstone_with_input(&["replay", "-", "--strict"], whole.as_bytes())
        .exits(0)
        .prints(&["Under tight alignment"]);
}

#[test]
fn the_comparison_says_what_it_cannot_show() {
    let recorded = trace(&[
        r#"{"create_heap":{"id":1,"size":1048576}}"#,
        r#"{"create_placed_resource":{"id":2,"heap":1,"width":100}}"#,
    ]);
    let fitted = trace(&[
        r#"{"create_heap":{"id":1,"size":1048576}}"#,
        r#"{"request_resource":{"id":2,"width":100}}"#,
    ]);
    let committed = trace(&[r#"{"create_committed_resource":{"id":2,"width":100}}"#]);
    let run = |arguments: &[&str], input: &str| {
        heapstone_with_input(&[&["replay", "-"], arguments].concat(), input.as_bytes()).exits(0)
    };
    run(&[], &recorded)
        .prints(&["Heaps and offsets are the trace's, so bytes committed for heaps cannot change: \
         `--placement pooled=64MiB` shows what repacking saves."]);
    run(&[], &fitted).prints(&["Heaps are the trace's, though places in them are by first fit"]);
    for (arguments, input) in [
        (["--placement", "pooled=64MiB"].as_slice(), &recorded),
        (&["--placement", "committed"], &recorded),
        (&[], &committed),
    ] {
        let run = run(arguments, input);
        assert!(!run.stdout.contains("cannot change"), "{arguments:?}\n{}", run.stdout);
    }
}

/// Three buffers of 64 KiB at 0, 0 and 64 KiB: the second overlaps the first, the third none.
#[test]
fn overlapping_resources_are_counted() {
    let input = trace(&[
        r#"{"create_heap":{"id":1,"size":1048576}}"#,
        r#"{"create_placed_resource":{"id":2,"heap":1,"width":65536}}"#,
        r#"{"create_placed_resource":{"id":3,"heap":1,"width":65536}}"#,
        r#"{"create_placed_resource":{"id":4,"heap":1,"offset":65536,"width":65536}}"#,
    ]);
    heapstone_with_input(&["replay", "-"], input.as_bytes())
        .exits(0)
        .prints(&["1 resource overlaps others at the recorded offset: aliasing, or larger here"]);
    assert_eq!(json(&[], &input, 0)["placement"]["overlapping"], 1);
    assert_eq!(json(&["--placement", "pooled=1MiB"], &input, 0)["placement"]["overlapping"], 0);
}

/// A buffer at 256, which only tight alignment allows, in the 1,000 bytes of the one at 0: 744 of them twice.
#[test]
fn resources_that_overlap_only_under_tight_alignment_are_told() {
    let at = |offset: u32| {
        trace(&[
            r#"{"create_heap":{"id":1,"size":1048576}}"#,
            r#"{"create_placed_resource":{"id":2,"heap":1,"width":1000}}"#,
            &format!(r#"{{"create_placed_resource":{{"id":3,"heap":1,"offset":{offset},"width":1000}}}}"#),
        ])
    };
    let note = "1 resource overlaps others at the recorded offsets only here";
    let run = heapstone_with_input(&["replay", "-"], at(256).as_bytes()).exits(1).prints(&[note]);
    assert!(run.stdout.contains("+744"), "{}", run.stdout);
    let run = heapstone_with_input(&["replay", "-"], at(65_536).as_bytes()).exits(0);
    assert!(!run.stdout.contains("only here"), "{}", run.stdout);
}

/// An edited profile keeps its name: the file tells it from the built-in one.
#[test]
fn a_profile_from_a_file_is_called_by_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my-card.toml");
    let path = file.to_str().unwrap();
    fs::write(&file, heapstone(&["profiles", "show", "discrete-8g", "--toml"]).exits(0).stdout).unwrap();
    let record = folder.path().join("recorded.jsonl");
    let input = trace(&ONE_OF_THREE_REFUSED[..1]);
    let arguments = ["replay", "-", "--profile", path, "--record", record.to_str().unwrap()];
    let run = heapstone_with_input(&arguments, input.as_bytes()).exits(0);
    assert!(run.line("device").contains(&format!("{path} (profile discrete-8g), SDK")), "{}", run.stdout);
    assert!(fs::read_to_string(&record).unwrap().contains(r#""profile":"discrete-8g""#));
    let run = heapstone(&["layout", "buffer", "--width", "1", "--profile", path]).exits(0);
    assert!(run.line("device").contains(&format!("{path} (profile discrete-8g), SDK")), "{}", run.stdout);
    let run = heapstone(&["replay", record.to_str().unwrap()]).exits(0);
    assert!(!run.line("device").contains("profile"), "{}", run.stdout);

    let edited =
        fs::read_to_string(&file).unwrap().replacen("heap_tier = { value = 2", "heap_tier = { value = 1", 1);
    fs::write(&file, edited).unwrap();
    let run = heapstone(&["profiles", "compare", "discrete-8g", path]).exits(0);
    let headings: Vec<&str> = run.line("key").split_whitespace().collect();
    assert_eq!(headings, ["key", "discrete-8g", path]);
}

/// 112 heaps below one rule: the first in full, ten more places in the text, a hundred in JSON.
#[test]
fn refused_calls_are_told_where_they_are() {
    let heap = |id: u32| format!(r#"{{"create_heap":{{"id":{id},"size":65536,"alignment":4096}}}}"#);
    let calls: Vec<String> = (1..=112).map(heap).collect();
    let lines: Vec<&str> = calls.iter().map(String::as_str).collect();
    let input = trace(&lines);
    let run = heapstone_with_input(&["replay", "-"], input.as_bytes()).exits(1);
    assert!(
        run.line("also at").ends_with("lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 101 more"),
        "{}",
        run.stdout
    );
    let report = json(&[], &input, 1);
    let at = report["refused"][0]["at"].as_array().unwrap();
    assert_eq!((at.len(), &report["refused"][0]["count"]), (100, &Value::from(112)));
    assert_eq!((&at[0]["line"], &at[99]["line"]), (&Value::from(2), &Value::from(101)));

    let run = heapstone_with_input(&["replay", "-"], trace(&lines[..2]).as_bytes()).exits(1);
    assert!(run.line("also at").ends_with("line 3"), "{}", run.stdout);
    let run = heapstone_with_input(&["replay", "-"], trace(&lines[..1]).as_bytes()).exits(1);
    assert!(!run.stdout.contains("also at"), "{}", run.stdout);
}

#[test]
fn skipped_resources_can_be_asked_about() {
    let input = trace(&[
        r#"{"create_heap":{"id":1,"size":65536,"alignment":4096}}"#,
        r#"{"create_placed_resource":{"id":2,"heap":1,"width":100}}"#,
    ]);
    heapstone_with_input(&["replay", "-"], input.as_bytes()).exits(1).prints(&[
        "1 resource skipped, because the heap was refused or failed: `--placement committed` or `pooled=64MiB` shows",
    ]);
}

/// Pool L0 is system memory on a discrete card and all there is on UMA.
#[test]
fn custom_heaps_of_pool_l0_are_told_on_a_discrete_card() {
    let input = trace(&[
        r#"{"create_heap":{"id":1,"size":1048576,"type":"CUSTOM","cpu_page_property":"WRITE_BACK","memory_pool":"L0"}}"#,
        r#"{"create_committed_resource":{"id":2,"heap_type":"CUSTOM","cpu_page_property":"NOT_AVAILABLE","memory_pool":"L0","width":65536}}"#,
        r#"{"create_committed_resource":{"id":3,"heap_type":"CUSTOM","cpu_page_property":"NOT_AVAILABLE","memory_pool":"L1","width":65536}}"#,
    ]);
    heapstone_with_input(&["replay", "-"], input.as_bytes()).exits(0).prints(&[
        "2 CUSTOM heaps of pool L0 (1,114,112 (1.1 MiB) bytes): system memory, counted as NON_LOCAL here",
    ]);
    let uma = trace(&[
        r#"{"create_heap":{"id":1,"size":1048576,"type":"CUSTOM","cpu_page_property":"WRITE_BACK","memory_pool":"L0"}}"#,
    ]);
    let run = heapstone_with_input(&["replay", "-", "--profile", "integrated-uma"], uma.as_bytes()).exits(0);
    assert!(!run.stdout.contains("pool L0"), "{}", run.stdout);
}

#[test]
fn early_peaks_are_told_in_microseconds() {
    let at = |time: u32| {
        trace(&[&format!(r#"{{"create_committed_resource":{{"id":1,"width":100,"t":{time}}}}}"#)])
    };
    for (time, want) in
        [(150, "1 at 2:1, 150 us)"), (999, "999 us)"), (1000, "0.001 s)"), (1_500_000, "1.500 s)")]
    {
        heapstone_with_input(&["replay", "-"], at(time).as_bytes()).exits(0).prints(&[want]);
    }
}

#[test]
fn tools_in_words_are_not_doubled() {
    for (tool, want) in [("written by hand", "written by hand"), ("gpgmm", "by gpgmm")] {
        let input = format!("{{\"heapstone_trace\":{{\"version\":1,\"tool\":\"{tool}\"}}}}\n");
        let run = heapstone_with_input(&["replay", "-"], input.as_bytes()).exits(0);
        assert_eq!(run.line("recorded").trim_start_matches("recorded").trim(), want);
    }
}

/// Mistakes in a file, in words that need no knowledge of the program's types.
#[test]
fn mistakes_in_a_file_are_told_in_sentences() {
    let body = |line: &str| trace(&[line]);
    for (input, want) in [
        (
            body(r#"{"create_heap":{"id":1,"size":-1}}"#),
            "expected an integer from 0 to 18446744073709551615 as `size`, found an integer `-1`",
        ),
        (
            body(r#"{"destroy":{"id":"1"}}"#),
            "expected an integer from 0 to 18446744073709551615 as `id`, found a string \"1\"",
        ),
        (body(r#"{"set_name":{"id":1,"name":7}}"#), "expected a text as `name`, found an integer `7`"),
        (body(r#"{"create_heap":{"id":1,"size":1,"flags":"DENY_BUFERS"}}"#), ", found `DENY_BUFERS`"),
        (
            body(r#"{"create_heap":{"id":1,"size":1,"flags":"DENY_BUFERS"}}"#),
            "expected D3D12_HEAP_FLAGS as `flags`, one of SHARED | DENY_BUFFERS | ",
        ),
        (ONE_OF_THREE_REFUSED.join("\n"), "the first line must be the `heapstone_trace` header"),
        (
            "{\"a\":1}\n{\"b\":1}\n".to_owned(),
            "in the first line our own header {\"heapstone_trace\":{\"version\":1}}",
        ),
    ] {
        let run = heapstone_with_input(&["replay", "-"], input.as_bytes()).exits(2);
        assert!(run.stderr.contains(want), "no {want:?} in {}", run.stderr);
    }
}
