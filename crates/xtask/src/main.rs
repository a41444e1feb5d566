//! `cargo xtask`: development tasks.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "cargo xtask codegen    writes crates/d3d12/src/vtables from crates/d3d12/interfaces.tsv";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let result = match arguments.next().as_deref() {
        Some("codegen") => heapstone_xtask::codegen::write(Path::new(".")),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
