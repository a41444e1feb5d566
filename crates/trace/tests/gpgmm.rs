//! The five GPGMM traces; expected numbers were counted from the files with another program (Python).
#![allow(missing_docs)]

mod common;

use common::*;
#[test]
fn dump() {
    let Some(dir) = data("gpgmm") else { return };
    for file in std::fs::read_dir(dir).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") { continue }
        for profile in ["discrete-8g", "discrete-tier1-2g", "integrated-uma"] {
            let report = replay_file(&path, profile, Default::default());
            println!("{} {profile}\n{}", path.display(), serde_json::to_string_pretty(&report).unwrap());
        }
    }
}
