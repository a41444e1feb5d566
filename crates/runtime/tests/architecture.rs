//! The dependency direction and the absences of ARCHITECTURE.md, checked over `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// Which crates of the workspace each may depend on. A crate that is not here may not exist: adding one
/// means deciding its place.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("heapstone-units", &[]),
    ("heapstone-spec", &["heapstone-units"]),
    ("heapstone-layout", &["heapstone-units", "heapstone-spec"]),
    ("heapstone-kernel", &["heapstone-units", "heapstone-spec"]),
    ("heapstone-driver", &["heapstone-units", "heapstone-spec", "heapstone-layout", "heapstone-kernel"]),
    (
        "heapstone-driver-soft",
        &["heapstone-units", "heapstone-spec", "heapstone-layout", "heapstone-kernel", "heapstone-driver"],
    ),
    (
        "heapstone",
        &["heapstone-units", "heapstone-spec", "heapstone-layout", "heapstone-kernel", "heapstone-driver"],
    ),
    ("heapstone-trace", &["heapstone-units", "heapstone-spec", "heapstone-layout", "heapstone"]),
    (
        "heapstone-cli",
        &[
            "heapstone-units",
            "heapstone-spec",
            "heapstone-layout",
            "heapstone",
            "heapstone-driver",
            "heapstone-driver-soft",
            "heapstone-trace",
        ],
    ),
];

/// Never reached, not even through others (DESIGN: `layout` and `kernel` never see a driver; `runtime` names no
/// concrete driver).
const NEVER_REACHES: &[(&str, &[&str])] = &[
    ("heapstone-layout", &["heapstone-driver", "heapstone-driver-soft", "heapstone-kernel", "heapstone"]),
    ("heapstone-kernel", &["heapstone-driver", "heapstone-driver-soft", "heapstone-layout", "heapstone"]),
    ("heapstone", &["heapstone-driver-soft"]),
    ("heapstone-trace", &["heapstone-driver-soft"]),
];

/// The only crates that may hold `unsafe`.
const MAY_BE_UNSAFE: &[&str] = &["heapstone-driver-soft"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(vec!["--offline".to_owned()])
        .exec()
        .expect("cargo metadata describes the workspace")
}

/// Normal dependencies of each crate of the workspace, by name: inside the workspace, and outside.
fn dependencies(metadata: &Metadata) -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let packages = metadata.workspace_packages();
    let inside: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut all = BTreeMap::new();
    for package in &packages {
        let normal =
            package.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
        let names: BTreeSet<String> = normal.map(|dependency| dependency.name.clone()).collect();
        let (ours, others) = names.into_iter().partition(|name| inside.contains(name.as_str()));
        all.insert(package.name.to_string(), (ours, others));
    }
    all
}

#[test]
fn crates_depend_only_downwards() {
    let dependencies = dependencies(&metadata());
    let allowed: BTreeMap<&str, &[&str]> = MAY_DEPEND_ON.iter().copied().collect();
    assert_eq!(
        dependencies.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        allowed.keys().copied().collect(),
        "the crates of the workspace and those whose place is decided differ"
    );
    for (name, (inside, _)) in &dependencies {
        for dependency in inside {
            assert!(
                allowed[name.as_str()].contains(&dependency.as_str()),
                "{name} depends on {dependency}, which ARCHITECTURE.md does not allow"
            );
        }
    }
}

#[test]
fn absences_hold_through_others_too() {
    let dependencies = dependencies(&metadata());
    for (name, absent) in NEVER_REACHES {
        let mut reached = BTreeSet::new();
        let mut open = vec![(*name).to_owned()];
        while let Some(next) = open.pop() {
            for dependency in &dependencies[&next].0 {
                if reached.insert(dependency.clone()) {
                    open.push(dependency.clone());
                }
            }
        }
        for other in *absent {
            assert!(!reached.contains(*other), "{name} reaches {other}");
        }
    }
}

#[test]
fn unsafe_code_is_forbidden_but_in_the_driver() {
    for package in metadata().workspace_packages() {
        for target in &package.targets {
            let is_crate_root = target.is_lib() || target.is_bin() || target.is_cdylib();
            if !is_crate_root || MAY_BE_UNSAFE.contains(&package.name.as_str()) {
                continue;
            }
            let text = std::fs::read_to_string(&target.src_path).expect("a crate root is a file");
            assert!(
                text.contains("#![forbid(unsafe_code)]"),
                "{} does not forbid unsafe code",
                target.src_path
            );
        }
    }
}

#[test]
fn every_dependency_has_its_reason_in_architecture_md() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    let metadata = metadata();
    let all = metadata.workspace_packages().into_iter().flat_map(|package| package.dependencies.clone());
    let inside: BTreeSet<String> = metadata.workspace_packages().iter().map(|p| p.name.to_string()).collect();
    let named: BTreeSet<String> =
        all.map(|dependency| dependency.name).filter(|name| !inside.contains(name)).collect();
    let missing: Vec<&String> =
        named.iter().filter(|name| !text.contains(&format!("| `{name}` |"))).collect();
    assert!(missing.is_empty(), "no row of ARCHITECTURE.md's table of dependencies for {missing:?}");
}
