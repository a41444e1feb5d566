//! `heapstone simulate`.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::process::Command;

fn simulate(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_heapstone")).arg("simulate").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const LAPS: [&str; 6] = ["--workload", "camera-lap", "--budget", "50%,90%", "--policy", "lru,adaptive"];

#[test]
fn runs_are_the_same_each_time_and_the_adaptive_policy_is_nearer_the_bound() {
    let json = || {
        let (code, out, _) = simulate(&[&LAPS[..], &["--json", "-"]].concat());
        assert_eq!(code, 0);
        out
    };
    let text = json();
    assert_eq!(text, json());
    let rows: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let number = |row: usize, name: &str| rows[row][name].as_u64().unwrap();
    for (lru, own) in [(0, 1), (2, 3)] {
        assert_eq!((&rows[lru]["policy"], &rows[own]["policy"]), (&"lru".into(), &"adaptive".into()));
        assert_eq!(number(lru, "bound_bytes"), number(own, "bound_bytes"));
        assert!(number(own, "page_in_bytes") < number(lru, "page_in_bytes"));
        for row in [lru, own] {
            assert!(number(row, "bound_bytes") <= number(row, "page_in_bytes"));
            assert!(number(row, "bound_bytes") >= number(row, "footprint_bytes"));
            assert!(number(row, "peak_bytes") <= number(row, "budget_bytes"));
        }
    }
}

#[test]
fn a_csv_has_a_row_for_each_run_and_a_table_a_line() {
    let (code, csv, _) = simulate(&[&LAPS[..], &["--csv", "-"]].concat());
    assert_eq!(code, 0);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 5);
    let columns = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == columns));
    assert!(lines[0].contains("ratio_permille"));
    let (_, table, _) = simulate(&LAPS);
    assert!(table.contains("camera-lap on discrete-8g"), "{table}");
    assert_eq!(table.lines().filter(|line| line.contains("adaptive")).count(), 2);
}

#[test]
fn memory_that_is_unified_is_paged_too_and_mistakes_are_named() {
    let (code, out, error) =
        simulate(&["--workload", "load-burst", "--budget", "512MiB", "--profile", "integrated-uma"]);
    assert!(code == 0 && out.contains("load-burst on integrated-uma"), "{out}{error}");
    for (arguments, told) in [
        (["--workload", "walk"], "camera-lap"),
        (["--policy", "mru"], "adaptive"),
        (["--budget", "0%"], "1% to 1000%"),
        (["--profile", "nowhere"], "nowhere"),
    ] {
        let (code, _, error) = simulate(&arguments);
        assert!(code == 2 && error.contains(told), "{arguments:?}: {error}");
    }
}

/// Three buffers of 1 MiB, of which each pair is used once: of a budget of two, the third page-in of a lap is new.
const LAPS_OF_BUFFERS: &str = r#"{"heapstone_trace":{"version":1}}
{"create_committed_resource":{"id":1,"width":1048576}}
{"create_committed_resource":{"id":2,"width":1048576}}
{"create_committed_resource":{"id":3,"width":1048576}}
{"create_committed_resource":{"id":9,"heap_type":"UPLOAD","width":1048576,"state":"GENERIC_READ"}}
{"create_command_queue":{"id":4,"type":"COPY"}}
{"create_command_allocator":{"id":5,"type":"COPY"}}
"#;

/// The laps: list after list, which copies from upload memory into a buffer.
fn laps_trace(laps: u64) -> String {
    let mut text = LAPS_OF_BUFFERS.to_owned();
    for step in 0..laps * 3 {
        let (list, buffer) = (100 + step, 1 + step % 3);
        text += &format!(
            "{{\"create_command_list\":{{\"id\":{list},\"allocator\":5,\"type\":\"COPY\"}}}}\n\
             {{\"copy_resource\":{{\"id\":{list},\"destination\":{buffer},\"source\":9}}}}\n\
             {{\"close_command_list\":{{\"id\":{list}}}}}\n\
             {{\"execute_command_lists\":{{\"id\":4,\"lists\":[{list}]}}}}\n"
        );
    }
    text
}

#[test]
fn a_trace_is_a_workload_whose_steps_are_what_is_executed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("laps.jsonl");
    std::fs::write(&path, laps_trace(4)).unwrap();
    let path = path.to_str().unwrap();
    let (code, out, error) =
        simulate(&["--trace", path, "--budget", "100%,1MiB", "--policy", "lru", "--json", "-"]);
    assert_eq!(code, 0, "{error}");
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    let number = |row: usize, name: &str| rows[row][name].as_u64();
    let mib = 1 << 20;
    for row in 0..2 {
        // The upload buffer lies in system memory, which the budget does not hold.
        assert_eq!(number(row, "footprint_bytes"), Some(3 * mib));
        assert_eq!((number(row, "frames"), number(row, "uses")), (Some(12), Some(12)));
        assert_eq!((number(row, "seed"), number(row, "parts")), (None, None));
    }
    // All fit, and begin as zeros: nothing is paged.
    assert_eq!((number(0, "page_in_bytes"), number(0, "bound_bytes")), (Some(0), Some(0)));
    // Two frames are in flight, so that two buffers are in memory though one fits the budget. LRU evicts what comes next: of
    // 12 uses the first three find zeros, and nine page in. Keeping what comes back first, every second use finds its
    // buffer: uses 5, 7, 9 and 11 page in.
    assert_eq!((number(1, "page_in_bytes"), number(1, "bound_bytes")), (Some(9 * mib), Some(4 * mib)));
    assert_eq!(number(1, "peak_bytes"), Some(2 * mib));
}

/// The same laps by a program that evicts each buffer after its use, and makes it resident again before the next.
fn evicting_laps_trace(laps: u64) -> String {
    let mut text = String::new();
    let plain = laps_trace(laps).replace("\"version\":2", "\"version\":3");
    let mut step = 0;
    for line in plain.lines() {
        let buffer = 1 + step % 3;
        if line.starts_with("{\"execute_command_lists\"") {
            if step >= 3 {
                text += &format!("{{\"make_resident\":{{\"objects\":[{buffer}]}}}}\n");
            }
            text += &format!("{line}\n{{\"evict\":{{\"objects\":[{buffer}]}}}}\n");
            step += 1;
        } else {
            text += line;
            text += "\n";
        }
    }
    text
}

#[test]
fn a_programs_own_residency_calls_are_part_of_its_workload() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evicting.jsonl");
    std::fs::write(&path, evicting_laps_trace(4)).unwrap();
    let path = path.to_str().unwrap();
    let (code, out, error) =
        simulate(&["--trace", path, "--budget", "100%", "--policy", "lru", "--json", "-"]);
    assert_eq!(code, 0, "{error}");
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    let number = |name: &str| rows[0][name].as_u64();
    // All fit, and the best policy pages nothing; but the program evicts: each of the nine uses after the first three finds
    // its buffer gone.
    assert_eq!((number("page_in_bytes"), number("bound_bytes")), (Some(9 << 20), Some(0)));
    // Two frames in flight, and the buffers that were not used yet.
    assert_eq!(number("peak_bytes"), Some(3 << 20));
    // Nine MakeResident, and twelve Evict but the one behind the last frame. MakeResident waits, so that frames do not; but
    // the first, which comes while the buffers are filled with zeros.
    assert_eq!((number("residency_calls"), number("residency_refused")), (Some(20), Some(0)));
    assert!(number("residency_wait_ns") > Some(0) && number("stalls") == Some(1), "{out}");

    let replay = Command::new(env!("CARGO_BIN_EXE_heapstone"))
        .args(["replay", path, "--no-tight", "--budget", "100%"])
        .output()
        .unwrap();
    let text = String::from_utf8(replay.stdout).unwrap();
    assert!(replay.status.success() && text.contains("20 residency calls"), "{text}");
    let line = |call: &str| text.lines().find(|line| line.starts_with(call)).map(str::to_owned);
    let cells =
        |call: &str| line(call).map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "));
    assert_eq!((cells("make_resident"), cells("evict")), (Some("9 0".to_owned()), Some("12 0".to_owned())));
}

#[test]
fn a_trace_without_gpu_work_is_used_by_its_creations_and_gpgmm_s_too() {
    const GPGMM: &str = r#"{"traceEvents":[
{"name":"ResourceAllocator.CreateResource","cat":"default","ph":"i","tid":7,"ts":10,"pid":1,"args":{
"allocationDescriptor":{"Flags":0,"HeapType":1},
"resourceDescriptor":{"Dimension":1,"Alignment":0,"Width":1000,"Height":1,"DepthOrArraySize":1,"MipLevels":1,"Format":0,"Layout":1,"SampleDesc":{"Count":1,"Quality":0},"Flags":0},
"initialResourceState":0,"clearValue":{}}},
{"name":"ResourceAllocation","cat":"default","ph":"N","id":"0xb0","tid":7,"ts":30,"pid":1}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gpgmm.json");
    std::fs::write(&path, GPGMM).unwrap();
    let path = path.to_str().unwrap();
    let (code, out, error) =
        simulate(&["--trace", path, "--budget", "100%", "--policy", "adaptive", "--json", "-"]);
    assert_eq!(code, 0, "{error}");
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(rows[0]["footprint_bytes"].as_u64(), Some(64 << 10), "1000 bytes take a page of 64 KiB");
    assert_eq!(rows[0]["frames"].as_u64(), Some(1));

    let (code, _, error) = simulate(&["--trace", path, "--json", path]);
    assert!(code == 2 && error.contains("an output names a trace"), "{error}");
    let empty = folder.path().join("empty.jsonl");
    std::fs::write(&empty, "{\"heapstone_trace\":{\"version\":1}}\n").unwrap();
    let (code, _, error) = simulate(&["--trace", empty.to_str().unwrap()]);
    assert!(code == 2 && error.contains("nothing of it uses video memory"), "{error}");
}

#[test]
fn a_replay_pages_under_a_budget() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("laps.jsonl");
    std::fs::write(&path, laps_trace(4)).unwrap();
    let path = path.to_str().unwrap();
    let replay = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_heapstone"))
            .args(["replay", path, "--no-tight"])
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = replay(&["--budget", "1MiB", "--policy", "lru"]);
    assert!(code == 0 && text.contains("Paging under a budget"), "{text}");
    let (_, json) = replay(&["--budget", "1MiB", "--policy", "lru", "--json", "-"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["paging"]["page_in_bytes"].as_u64(), Some(9 << 20));
    assert!(report["calls"].is_object(), "the report is there beside it");
    let (_, plain) = replay(&["--json", "-"]);
    assert!(!plain.contains("\"paging\""));
    // On engines that are patched the work is run in parts, one each of buffers that fit.
    let (_, json) = replay(&[
        "--budget",
        "50%",
        "--profile",
        "discrete-tier1-2g",
        "--placement",
        "committed",
        "--json",
        "-",
    ]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["paging"]["parts"].as_u64(), Some(12));
    let (code, _) = replay(&["--policy", "lru"]);
    assert_eq!(code, 2, "a policy without a budget");
}

/// The example of README.md and docs/simulate.md.
#[test]
fn the_example_pages_and_the_adaptive_policy_pages_less() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/workloads/laps.jsonl");
    let arguments = ["--trace", example, "--budget", "70%", "--policy", "lru,adaptive", "--json", "-"];
    let (code, out, error) = simulate(&arguments);
    assert_eq!(code, 0, "{error}");
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    let paged_in = |row: usize| rows[row]["page_in_bytes"].as_u64().unwrap();
    let bound = rows[0]["bound_bytes"].as_u64().unwrap();
    assert!(bound > 0 && bound <= paged_in(1) && paged_in(1) < paged_in(0), "{out}");
}

#[test]
fn faults_are_of_their_seed_and_are_told() {
    let with = |faults: &str, seed: &str| {
        let row = ["--budget", "70%", "--policy", "lru", "--workload", "load-burst", "--json", "-"];
        let (_, out, error) = simulate(&[&row[..], &["--faults", faults, "--seed", seed]].concat());
        let rows: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
        rows[0].clone()
    };
    let storm = "budget-storm:60:300+slow:90:4+remove:600";
    let row = with(storm, "7");
    assert_eq!(row, with(storm, "7"));
    assert_eq!((row["faults"].as_str(), row["removals"].as_u64()), (Some(storm), Some(1)));
    assert_ne!(row["page_in_bytes"], with(storm, "8")["page_in_bytes"]);
    let some = with("some", "7");
    assert!(some["allocations_failed"].as_u64().unwrap() > 0, "{some}");
    let (code, _, error) = simulate(&["--faults", "fire:1"]);
    assert!(code == 2 && error.contains("`fire:1` is no fault"), "{error}");
}
