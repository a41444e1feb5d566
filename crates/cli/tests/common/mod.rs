//! Runs the command as a user does.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run ended with.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Asserts the exit code, telling what was printed where it differs.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard output has every text.
    #[track_caller]
    pub(crate) fn prints(self, texts: &[&str]) -> Run {
        for text in texts {
            assert!(self.stdout.contains(text), "no {text:?} in:\n{}", self.stdout);
        }
        self
    }

    /// Asserts that standard error begins with `error: ` and has every text, and that nothing else was printed.
    #[track_caller]
    pub(crate) fn fails_with(self, texts: &[&str]) -> Run {
        let run = self.exits(2);
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
        assert!(run.stdout.is_empty(), "{}", run.stdout);
        for text in texts {
            assert!(run.stderr.contains(text), "no {text:?} in:\n{}", run.stderr);
        }
        run
    }

    /// The line that begins with `name`, its fields parted by blanks.
    #[track_caller]
    pub(crate) fn line(&self, name: &str) -> &str {
        self.stdout
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("no line {name:?} in:\n{}", self.stdout))
    }
}

/// Runs the command with `arguments`, its output piped.
#[track_caller]
pub(crate) fn heapstone(arguments: &[&str]) -> Run {
    heapstone_with_input(arguments, b"")
}

/// The same with something on standard input.
#[track_caller]
pub(crate) fn heapstone_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_heapstone"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        // The command may end before it has read all: that is no error here.
        scope.spawn(move || stdin.write_all(input).ok());
        child.wait_with_output().expect("the command ends")
    });
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    let run = Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run
}

/// Real programs' traces: `HEAPSTONE_DATA`, else `shared/data` beside the repository. `None` where the
/// folder is not there, unless `HEAPSTONE_REQUIRE_DATA` is 1.
pub(crate) fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("HEAPSTONE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    if folder.join("gpgmm").is_dir() {
        return Some(folder);
    }
    let required = std::env::var_os("HEAPSTONE_REQUIRE_DATA").is_some_and(|value| value == "1");
    assert!(!required, "HEAPSTONE_REQUIRE_DATA=1, and there is no {}", folder.display());
    println!("skipped: no real traces in {} (set HEAPSTONE_DATA)", folder.display());
    None
}
