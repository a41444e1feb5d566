//! What README.md shows of the command is what the command prints.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::path::Path;
use std::process::Command;

#[test]
fn the_quoted_report_is_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let quoted = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(quoted.lines().count() > 10, "the quotation is there");

    let output = Command::new(env!("CARGO_BIN_EXE_heapstone"))
        .args(["replay", "examples/workloads/textured-scene.jsonl", "--profile", "discrete-tier1-2g"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains(quoted), "README.md quotes what is not printed; printed:\n{printed}");
}
