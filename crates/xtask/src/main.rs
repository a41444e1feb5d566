//! `cargo xtask`: development tasks.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

use heapstone_xtask::codegen;
use heapstone_xtask::install::{Build, install};

const USAGE: &str = "\
cargo xtask codegen                          writes crates/d3d12/src/vtables from crates/d3d12/interfaces.tsv
cargo xtask install --prefix DIR [--debug]   builds libd3d12.so and installs it with its headers and pkg-config file";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(".");
    let result = match words[..] {
        ["codegen"] => codegen::write(root),
        ["install", "--prefix", prefix] => install(root, Path::new(prefix), Build::Release),
        ["install", "--prefix", prefix, "--debug"] => install(root, Path::new(prefix), Build::Debug),
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
