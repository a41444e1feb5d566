//! `heapstone replay` and `heapstone generate` on traces made here.

mod common;

use std::fs;

use common::{heapstone, heapstone_with_input};
use serde_json::Value;

const HEADER: &str = r#"{"heapstone_trace":{"version":1}}"#;

/// A heap of 1 MiB with a buffer of 100,000 bytes at 64 KiB, and a committed buffer of 100.
fn small_trace() -> String {
    [
        HEADER,
        r#"{"create_heap":{"id":1,"size":1048576,"type":"DEFAULT","flags":"ALLOW_ONLY_BUFFERS"}}"#,
        r#"{"create_placed_resource":{"id":2,"heap":1,"offset":65536,"dimension":"BUFFER","width":100000}}"#,
        r#"{"create_committed_resource":{"id":3,"heap_type":"UPLOAD","dimension":"BUFFER","width":100,"state":"GENERIC_READ"}}"#,
        r#"{"destroy":{"id":2}}"#,
        "",
    ]
    .join("\n")
}

/// The bytes of `name` in the column "all", in front of the short form.
fn exact(line: &str, name: &str) -> u64 {
    let rest = line.strip_prefix(name).expect("the line begins so");
    let number = rest.split_whitespace().next().expect("a number").replace(',', "");
    number.parse().unwrap_or_else(|_| panic!("{line}"))
}

/// 1 MiB and 64 KiB are committed, 100,100 bytes asked; by hand: 65,536 before the buffer are free, it takes
/// 131,072, the rest of the heap is its tail, and the small buffer wastes 65,436 of its own 64 KiB.
#[test]
fn a_small_trace_by_hand() {
    let run = heapstone_with_input(&["replay", "-"], small_trace().as_bytes()).exits(0);
    let run = run.prints(&[
        "Heapstone trace",
        "discrete-8g, SDK 619.4",
        "4 calls, all accepted",
        "ALL".to_lowercase().as_str(),
    ]);
    for (name, want) in [
        ("bytes asked", 100_100),
        ("bytes committed", 1_114_112),
        ("bytes taken", 196_608),
        ("bytes wasted", 1_014_012),
        ("wasted: buffer rounding", 31_072),
        ("wasted: heap tail", 851_968),
        ("wasted: small committed", 65_436),
    ] {
        assert_eq!(exact(run.line(name), name), want, "{name}:\n{}", run.stdout);
    }
    // Free in front of the buffer, whatever its cause is called.
    let front = exact(run.line("wasted: heap free"), "wasted: heap free")
        + exact(run.line("wasted: start alignment"), "wasted: start alignment");
    assert_eq!(front, 65_536);
}

/// Text shows what JSON holds.
#[test]
fn json_and_text_agree() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let input = small_trace();
    let run =
        heapstone_with_input(&["replay", "-", "--json", file.to_str().unwrap()], input.as_bytes()).exits(0);
    let written: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let printed = heapstone_with_input(&["replay", "-", "--json", "-"], input.as_bytes()).exits(0).stdout;
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(written, printed);
    assert_eq!(written["profile"], "discrete-8g");
    let total = &written["peak"]["total"];
    for (name, value) in [
        ("bytes asked", &total["asked"]),
        ("bytes committed", &total["committed"]),
        ("bytes taken", &total["taken"]),
        ("wasted: buffer rounding", &total["waste"]["buffer_rounding"]),
        ("wasted: texture padding", &total["waste"]["texture_padding"]),
        ("wasted: heap tail", &total["waste"]["heap_tail"]),
        ("wasted: heap free", &total["waste"]["heap_free"]),
        ("wasted: start alignment", &total["waste"]["start_alignment"]),
        ("wasted: small committed", &total["waste"]["small_committed"]),
    ] {
        assert_eq!(Some(exact(run.line(name), name)), value.as_u64(), "{name}");
    }
    assert!(written["tight"]["report"]["peak"]["total"]["committed"].is_u64());
    let without =
        heapstone_with_input(&["replay", "-", "--json", "-", "--no-tight"], input.as_bytes()).exits(0);
    assert_eq!(serde_json::from_str::<Value>(&without.stdout).unwrap()["tight"], Value::Null);
}

#[test]
fn what_was_run_can_be_recorded_and_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("recorded.jsonl");
    let record = record.to_str().unwrap();
    let input = small_trace();
    let first = heapstone_with_input(&["replay", "-", "--record", record], input.as_bytes()).exits(0);
    let again = heapstone(&["replay", record]).exits(0).prints(&["on discrete-8g", "under SDK 619.4"]);
    for name in ["bytes asked", "bytes committed", "bytes taken", "bytes wasted"] {
        assert_eq!(exact(first.line(name), name), exact(again.line(name), name), "{name}");
    }
    // The input is never emptied.
    heapstone(&["replay", record, "--record", record]).fails_with(&["--record", "itself"]);
    heapstone(&["replay", record, "--json", record]).fails_with(&["--json", "itself"]);
    heapstone(&["replay", record]).exits(0);
    heapstone(&["replay", record, "--record", "-"]).fails_with(&["--record"]);
    let other = folder.path().join("other");
    let other = other.to_str().unwrap();
    heapstone(&["replay", record, "--record", other, "--json", other]).fails_with(&["same file"]);
    // However it is spelled, and though it is not there yet.
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    let folder = folder.path().to_str().unwrap();
    for spelled in [format!("{folder}/./other"), format!("{folder}/../{name}/other")] {
        let twice = ["replay", record, "--record", other, "--json", &spelled];
        heapstone(&twice).fails_with(&["same file"]);
        assert!(!std::path::Path::new(other).exists(), "nothing was written");
    }
}

/// 64 GiB do not fit in 8.
#[test]
fn calls_that_memory_fails() {
    let trace = [
        HEADER,
        r#"{"create_heap":{"id":1,"size":68719476736,"type":"DEFAULT"}}"#,
        r#"{"create_placed_resource":{"id":2,"heap":1,"offset":0,"dimension":"BUFFER","width":100}}"#,
        r#"{"set_name":{"id":2,"name":"a\u001b[2Jb"}}"#,
        "",
    ]
    .join("\n");
    heapstone_with_input(&["replay", "-"], trace.as_bytes()).exits(1).prints(&[
        "3 calls: 1 failed, 2 skipped",
        "Failed: 1 call, no physical memory left",
        "1 at 2:1",
    ]);
}

/// What a file says is shown, never obeyed.
#[test]
fn names_do_not_steer_the_terminal() {
    let trace = [
        HEADER,
        r#"{"create_committed_resource":{"id":1,"width":100}}"#,
        r#"{"set_name":{"id":1,"name":"two\nlines\u001b[2J"}}"#,
        "",
    ]
    .join("\n");
    let run = heapstone_with_input(&["replay", "-"], trace.as_bytes()).exits(0);
    assert!(!run.stdout.contains('\u{1b}'), "{:?}", run.stdout);
    run.prints(&[r"two\nlines\u{1b}[2J"]);
    let run = heapstone_with_input(&["replay", "-"], b"{\"\x1b[2Jheapstone\": 1}").exits(2);
    assert!(!run.stderr.contains('\u{1b}'), "{:?}", run.stderr);
}

#[test]
fn refused_calls_are_grouped_and_the_first_is_told_in_full() {
    let trace = [
        HEADER,
        r#"{"create_heap":{"id":1,"size":65536,"type":"DEFAULT","alignment":4096}}"#,
        r#"{"create_placed_resource":{"id":2,"heap":1,"offset":0,"dimension":"BUFFER","width":100}}"#,
        r#"{"create_heap":{"id":3,"size":65536,"type":"DEFAULT","alignment":131072}}"#,
        "",
    ]
    .join("\n");
    let run = heapstone_with_input(&["replay", "-"], trace.as_bytes()).exits(1);
    let run = run.prints(&[
        "2 refused, 1 skipped",
        "Refused: 2 calls under 1 rule",
        "First refused under heap.alignment",
        "1 at 2:1",
        "CREATEHEAP_INVALIDALIGNMENT (629)",
        "4096",
        "what to change",
    ]);
    assert!(run.line("allowed").contains("4194304"), "{}", run.stdout);

    let strict = heapstone_with_input(&["replay", "-", "--strict"], trace.as_bytes()).exits(1);
    strict.prints(&["1 call: 1 refused", "--strict"]);
}

#[test]
fn placements_and_backings() {
    let input = small_trace();
    for arguments in [
        ["--placement", "committed"].as_slice(),
        &["--placement", "pooled=1MiB"],
        &["--backing", "host"],
        &["--sdk", "inbox", "--profile", "software"],
    ] {
        let run = heapstone_with_input(&[["replay", "-"].as_slice(), arguments].concat(), input.as_bytes());
        assert_eq!(exact(run.exits(0).line("bytes asked"), "bytes asked"), 100_100, "{arguments:?}");
    }
    heapstone_with_input(&["replay", "-", "--placement", "committed"], input.as_bytes())
        .exits(0)
        .prints(&["placement committed", "backing phantom"]);
}

/// The program's own mistakes are told, and are none of the device's.
#[test]
fn traces_that_contradict_themselves() {
    let trace = format!("{HEADER}\n{}\n", r#"{"destroy":{"id":7}}"#);
    let run = heapstone_with_input(&["replay", "-"], trace.as_bytes()).exits(2);
    assert!(run.stderr.starts_with("error: standard input: 1 call"), "{}", run.stderr);
    assert!(run.stdout.contains("Wrong in the trace: 1 call"), "{}", run.stdout);
}

#[test]
fn hostile_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.json");
    let path = file.to_str().unwrap();
    let own = small_trace();
    let cut = &own[..own.len() - 12];
    let deep = "[".repeat(100_000);
    let long = format!("{HEADER}\n{}", "x".repeat(3 << 20));
    let inputs: [(&[u8], &str); 12] = [
        (b"", "empty"),
        (b"  \n ", "nothing"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "expected"),
        (&[0x1f, 0x8b, 8, 0], "gunzip"),
        (&[0xff, 0xfe, b'{', 0], "UTF-8"),
        (b"hello", "expected"),
        (b"{}", "expected"),
        (b"{\"traceEvents\": [{\"name\": ", "expected"),
        (deep.as_bytes(), "expected"),
        (cut.as_bytes(), "expected"),
        (long.as_bytes(), "expected"),
        (b"{\"heapstone_trace\":{\"version\":999}}\n", "version"),
    ];
    for (input, word) in inputs {
        fs::write(&file, input).unwrap();
        heapstone(&["replay", path]).fails_with(&[path, word]);
        heapstone_with_input(&["replay", "-"], input).fails_with(&["standard input", word]);
    }
    heapstone(&["replay", "/no/such/trace.json"]).fails_with(&["/no/such/trace.json"]);
    heapstone(&["replay", folder.path().to_str().unwrap()]).fails_with(&[folder.path().to_str().unwrap()]);
    let absent = folder.path().join("no").join("report.json");
    let run =
        heapstone_with_input(&["replay", "-", "--json", absent.to_str().unwrap()], own.as_bytes()).exits(2);
    assert!(run.stderr.contains("report.json"), "{}", run.stderr);
}

#[test]
fn generated_traces_are_accepted_and_the_same_for_one_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("generated.jsonl");
    let path = file.to_str().unwrap();
    heapstone(&["generate", "--calls", "5000", "--live", "200", "--seed", "7", "-o", path]).exits(0);
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 5001);
    let same = heapstone(&["generate", "--calls", "5000", "--live", "200", "--seed", "7"]).exits(0).stdout;
    assert!(text == same, "one seed gave two traces");
    let other = heapstone(&["generate", "--calls", "5000", "--live", "200", "--seed", "8"]).exits(0).stdout;
    assert!(text != other, "two seeds gave one trace");
    heapstone(&["replay", path]).exits(0).prints(&["5,000 calls, all accepted", "generated: seed 7"]);
}

/// Links, standard streams, the profile: whatever a name stands for, nothing is opened that is read or written
/// elsewhere.
#[test]
fn outputs_overwrite_nothing_that_is_used() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (trace, hard, dangling, new) = (path("trace"), path("hard"), path("dangling"), path("new"));
    fs::write(&trace, small_trace()).unwrap();
    fs::hard_link(&trace, &hard).unwrap();
    std::os::unix::fs::symlink("new", &dangling).unwrap();
    let profile = path("mine.toml");
    fs::write(&profile, heapstone(&["profiles", "show", "discrete-8g", "--toml"]).exits(0).stdout).unwrap();

    for option in ["--record", "--json"] {
        heapstone(&["replay", &trace, option, &hard]).fails_with(&[option, "the trace itself"]);
        let arguments = ["replay", &trace, "--profile", &profile, option, &profile];
        heapstone(&arguments).fails_with(&[option, "the profile"]);
        let command = |stdin: Stdio, stdout: Stdio, file: &str, output: &str| {
            Command::new(env!("CARGO_BIN_EXE_heapstone"))
                .args(["replay", file, option, output])
                .stdin(stdin)
                .stdout(stdout)
                .output()
                .unwrap()
        };
        let input = fs::File::open(&trace).unwrap();
        let run = command(input.into(), Stdio::piped(), "-", &trace);
        assert_eq!(run.status.code(), Some(2), "{option}");
        let printed = path("printed");
        let run = command(Stdio::null(), fs::File::create(&printed).unwrap().into(), &trace, &printed);
        assert_eq!(run.status.code(), Some(2), "{option}");
    }
    heapstone(&["replay", &trace, "--record", &new, "--json", &dangling]).fails_with(&["same file"]);
    assert!(!fs::exists(&new).unwrap(), "nothing was written");
    assert_eq!(fs::read_to_string(&trace).unwrap(), small_trace());
    heapstone(&["replay", &trace, "--record", "/dev/null", "--json", "/dev/null"]).exits(0);
}

/// The same answer each time, though threads read ahead.
#[test]
fn strict_replay_is_deterministic() {
    let fine =
        "{\"create_committed_resource\":{\"id\":2,\"width\":1}}\n{\"destroy\":{\"id\":2}}\n".repeat(300);
    let trace = format!(
        "{HEADER}\n{{\"create_heap\":{{\"id\":1,\"size\":65536,\"alignment\":4096}}}}\n{fine}garbage\n"
    );
    let run = || {
        heapstone_with_input(&["replay", "-", "--strict", "--json", "-"], trace.as_bytes()).exits(1).stdout
    };
    let first = run();
    for _ in 0..5 {
        assert!(run() == first, "two runs gave two reports");
    }
}
