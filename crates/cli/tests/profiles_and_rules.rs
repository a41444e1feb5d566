//! `heapstone profiles`, `heapstone rules`, and the command line as a whole.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::heapstone;

const NAMES: [&str; 9] = [
    "discrete-8g",
    "discrete-tier1-2g",
    "integrated-uma",
    "cache-coherent-uma",
    "discrete-no-msaa64k",
    "discrete-256k-images",
    "limited-va",
    "linked-two-nodes",
    "software",
];

#[test]
fn list_names_every_built_in_profile() {
    heapstone(&["profiles", "list"]).exits(0).prints(&NAMES);
}

#[test]
fn show_has_key_value_and_source() {
    let run = heapstone(&["profiles", "show", "discrete-tier1-2g"]).exits(0);
    let line = run.line("caps.resource_heap_tier");
    assert_eq!(line.split_whitespace().nth(1), Some("1"), "{line}");
    assert!(line.split_whitespace().count() > 2, "no source: {line}");
    assert!(run.line("memory.segments.0.size").contains("2 GiB"));
}

#[test]
fn a_shown_profile_can_be_edited_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let path = file.to_str().unwrap();
    let text = heapstone(&["profiles", "show", "discrete-8g", "--toml"]).exits(0).stdout;
    fs::write(&file, &text).unwrap();
    heapstone(&["profiles", "compare", "discrete-8g", path]).exits(0).prints(&["differ in no key"]);

    let edited = text.replacen("resource_heap_tier = { value = 2", "resource_heap_tier = { value = 1", 1);
    assert_ne!(edited, text);
    fs::write(&file, edited).unwrap();
    let run = heapstone(&["profiles", "compare", "discrete-8g", path]).exits(0);
    assert_eq!(
        run.line("caps.resource_heap_tier").split_whitespace().collect::<Vec<_>>(),
        ["caps.resource_heap_tier", "2", "1"]
    );
    // Two descriptions, a gap, the headings, and this key alone.
    assert_eq!(run.stdout.lines().count(), 5, "{}", run.stdout);
}

#[test]
fn a_wrong_profile_file_is_told_by_file_key_and_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.toml");
    let path = file.to_str().unwrap();
    let text = heapstone(&["profiles", "show", "discrete-8g", "--toml"]).exits(0).stdout;
    fs::write(
        &file,
        text.replacen("resource_heap_tier = { value = 2", "resource_heap_tier = { value = 3", 1),
    )
    .unwrap();
    for arguments in [
        ["profiles", "show", path].as_slice(),
        &["layout", "buffer", "--width", "1", "--profile", path],
        &["replay", "-", "--profile", path],
    ] {
        heapstone(arguments).fails_with(&[path, "caps.resource_heap_tier", "3", "1, 2"]);
    }
}

#[test]
fn unknown_profiles_list_those_there_are() {
    heapstone(&["profiles", "show", "discrete-9g"]).fails_with(&NAMES);
    heapstone(&["profiles", "show", "./absent.toml"]).fails_with(&["./absent.toml"]);
}

#[test]
fn rules_are_listed_and_told_in_full() {
    let list = heapstone(&["rules"]).exits(0).prints(&["heap.alignment", "heap.flags.tier1"]).stdout;
    for line in list.lines().skip(1) {
        let id = line.split_whitespace().next().expect("a rule has a name");
        heapstone(&["rules", id]).exits(0).prints(&[id, "what to change", "source"]);
        if id.starts_with("heap.size") {
            break;
        }
    }
    // D3D12_MESSAGE_ID_CREATEHEAP_INVALIDALIGNMENT is 629 in D3D12's header.
    heapstone(&["rules", "heap.alignment"])
        .exits(0)
        .prints(&["D3D12_MESSAGE_ID_CREATEHEAP_INVALIDALIGNMENT (629)", "4 MiB"]);
    heapstone(&["rules", "heap.algnment"]).fails_with(&["heap.alignment"]);
}

#[test]
fn rules_can_be_asked_for_an_sdk() {
    let all = heapstone(&["rules"]).exits(0).stdout.lines().count();
    let inbox = heapstone(&["rules", "--sdk", "inbox"]).exits(0).stdout.lines().count();
    let latest = heapstone(&["rules", "--sdk", "latest"]).exits(0).stdout.lines().count();
    assert!(inbox < all && latest < all, "{inbox} {latest} {all}");
}

#[test]
fn every_help_has_examples_and_the_first_has_exit_codes() {
    for arguments in [
        ["--help"].as_slice(),
        &["replay", "--help"],
        &["profiles", "--help"],
        &["profiles", "show", "--help"],
        &["profiles", "compare", "--help"],
        &["layout", "--help"],
        &["rules", "--help"],
        &["generate", "--help"],
    ] {
        heapstone(arguments).exits(0).prints(&["Examples:", "heapstone "]);
    }
    heapstone(&["--help"]).prints(&["Exit codes:"]);
    heapstone(&["replay", "--help"]).prints(&["Exit codes:"]);
}

#[test]
fn wrong_command_lines_exit_with_2() {
    for arguments in [
        [].as_slice(),
        &["reply"],
        &["replay"],
        &["replay", "-", "--placement", "pooled=none"],
        &["replay", "-", "--sdk", "617"],
        &["layout", "texture4d", "--width", "1"],
        &["layout", "buffer", "--width", "64KB"],
        &["generate", "--calls", "-1"],
    ] {
        assert_eq!(heapstone(arguments).code, 2, "{arguments:?}");
    }
    heapstone(&["layout", "buffer", "--width", "1", "--sdk", "617"]).fails_with(&["619.3", "inbox"]);
}

#[test]
fn piped_output_is_plain() {
    for arguments in [
        ["profiles", "list"].as_slice(),
        &["profiles", "show", "software"],
        &["profiles", "compare", "software", "discrete-8g"],
        &["rules"],
        &[
            "layout",
            "texture2d",
            "--format",
            "BC7_UNORM",
            "--width",
            "64",
            "--height",
            "64",
            "--mips",
            "full",
        ],
        &["layout", "buffer", "--width", "64", "--all-profiles"],
    ] {
        let run = heapstone(arguments).exits(0);
        assert!(run.stdout.is_ascii() && !run.stdout.contains('\u{1b}'), "{arguments:?}:\n{}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.trim_end() == line), "{arguments:?}: blanks at an end");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in
        [["rules"].as_slice(), &["generate", "--calls", "50000"], &["profiles", "show", "software", "--toml"]]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_heapstone"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
