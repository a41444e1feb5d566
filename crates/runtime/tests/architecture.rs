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
    ("heapstone-texel", &["heapstone-spec"]),
    ("heapstone-kernel", &["heapstone-units", "heapstone-spec"]),
    ("heapstone-scheduler", &[]),
    ("heapstone-descriptors", &["heapstone-units", "heapstone-spec", "heapstone-kernel"]),
    (
        "heapstone-samplers",
        &["heapstone-units", "heapstone-spec", "heapstone-kernel", "heapstone-descriptors"],
    ),
    ("heapstone-lowering", &["heapstone-samplers"]),
    ("heapstone-simulate", &["heapstone-units", "heapstone-spec", "heapstone-kernel"]),
    ("heapstone-driver", &["heapstone-units", "heapstone-spec", "heapstone-layout", "heapstone-kernel"]),
    (
        "heapstone-driver-soft",
        &[
            "heapstone-units",
            "heapstone-spec",
            "heapstone-layout",
            "heapstone-texel",
            "heapstone-kernel",
            "heapstone-driver",
        ],
    ),
    (
        "heapstone",
        &[
            "heapstone-units",
            "heapstone-spec",
            "heapstone-layout",
            "heapstone-texel",
            "heapstone-kernel",
            "heapstone-scheduler",
            "heapstone-driver",
        ],
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
            "heapstone-simulate",
            "heapstone-trace",
            "heapstone-samplers",
            "heapstone-lowering",
        ],
    ),
    (
        "heapstone-d3d12",
        &["heapstone-spec", "heapstone-layout", "heapstone", "heapstone-driver-soft", "heapstone-trace"],
    ),
    ("heapstone-xtask", &[]),
    (
        "heapstone-sim",
        &["heapstone-spec", "heapstone-layout", "heapstone-texel", "heapstone", "heapstone-driver-soft"],
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
const MAY_BE_UNSAFE: &[&str] = &["heapstone-driver-soft", "heapstone-layout", "heapstone-d3d12"];

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

/// The crate's name in ARCHITECTURE.md: that of its folder.
fn folder(package: &str) -> &str {
    if package == "heapstone" { "runtime" } else { package.trim_start_matches("heapstone-") }
}

/// What ARCHITECTURE.md's table must say of each dependency from outside: the crates that use it, `tests`
/// where it is a dev-dependency, `benches` where that is criterion.
fn users(metadata: &Metadata) -> BTreeMap<String, BTreeSet<String>> {
    let packages = metadata.workspace_packages();
    let inside: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in &packages {
        for dependency in package.dependencies.iter().filter(|d| !inside.contains(d.name.as_str())) {
            let user = match (dependency.kind, dependency.name.as_str()) {
                (DependencyKind::Development, "criterion") => "benches",
                (DependencyKind::Development, _) => "tests",
                _ => folder(&package.name),
            };
            all.entry(dependency.name.clone()).or_default().insert(user.to_owned());
        }
    }
    all
}

/// The rows of ARCHITECTURE.md's table of dependencies: the crate, and who uses it.
fn rows(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let (_, table) = text.split_once("## Dependencies").expect("ARCHITECTURE.md lists the dependencies");
    let mut rows = BTreeMap::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let columns: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, users, reason] = columns.as_slice() else { panic!("three columns, but {line:?}") };
        assert!(!reason.is_empty(), "{name} has no reason");
        let users = users.split(", ").map(str::to_owned).collect();
        let twice = rows.insert(name.trim_matches('`').to_owned(), users);
        assert!(twice.is_none(), "{name} has two rows");
    }
    rows
}

#[test]
fn the_table_of_dependencies_is_that_of_cargo() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    let (rows, users) = (rows(&text), users(&metadata()));
    for (name, used_by) in &users {
        let row = rows.get(name).unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        assert_eq!(row, used_by, "ARCHITECTURE.md says who uses {name}; cargo says otherwise");
    }
    for name in rows.keys() {
        assert!(users.contains_key(name), "ARCHITECTURE.md has a row for {name}, which no crate depends on");
    }
}

/// Cargo does not say so itself: a line of the workspace that no crate inherits has no effect.
#[test]
fn the_workspace_declares_no_dependency_that_no_crate_has() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let (_, declared) = text.split_once("[workspace.dependencies]\n").expect("it declares dependencies");
    let names =
        declared.lines().take_while(|line| !line.starts_with('[')).filter_map(|l| l.split_once(" = "));
    let metadata = metadata();
    let packages = metadata.workspace_packages();
    let used: BTreeSet<&str> =
        packages.iter().flat_map(|package| &package.dependencies).map(|d| d.name.as_str()).collect();
    let mut seen = 0;
    for (name, _) in names {
        seen += 1;
        assert!(used.contains(name), "Cargo.toml declares {name}, which no crate depends on");
    }
    assert!(seen > 0, "no dependency was read from Cargo.toml");
}

/// Words that no code of a library or of the command holds, and what each would break.
const ABSENT: &[(&str, &str)] = &[
    ("Instant::now", "a clock is an argument"),
    ("SystemTime::now", "a clock is an argument"),
    ("UNIX_EPOCH", "a clock is an argument"),
    ("std::env", "the environment is an argument"),
    ("env::var", "the environment is an argument"),
    ("option_env!", "the environment of a build is no argument either"),
    (" rand::", "a seed is an argument"),
    ("fastrand", "a seed is an argument"),
    ("getrandom", "a seed is an argument"),
    ("thread_rng", "a seed is an argument"),
    ("RandomState", "a seed is an argument"),
    ("HashMap::new", "the standard library seeds its order from the system: BTreeMap, or FxHashMap::default"),
    ("HashSet::new", "the standard library seeds its order from the system: BTreeSet, or FxHashSet::default"),
    ("HRESULT", "errors are Rust's"),
];

/// Where a word of [`ABSENT`] stands all the same, by the end of the file's path.
const EXCEPTED: &[(&str, &str)] = &[
    // It takes its arguments.
    ("crates/xtask/src/main.rs", "std::env"),
    // The one C interface: it alone knows the codes, and its configuration alone reads the environment.
    ("crates/d3d12/src/configuration/environment.rs", "std::env"),
    ("crates/d3d12/src/configuration/environment.rs", "env::var"),
    ("crates/d3d12/src/configuration/environment.rs", "Instant::now"),
    ("crates/d3d12/src/", "HRESULT"),
    // It writes the code of that interface.
    ("crates/xtask/src/codegen/", "HRESULT"),
];

fn is_excepted(path: &Path, word: &str) -> bool {
    let path = path.display().to_string();
    EXCEPTED.iter().any(|(place, excepted)| *excepted == word && path.contains(place))
}

/// The code of a file: without its comments, and without its tests, which stand at its end.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split_once("\n#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    (1..).zip(code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code)))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_code_reads_a_clock_a_random_source_or_the_environment() {
    let mut found = Vec::new();
    let metadata = metadata();
    for package in metadata.workspace_packages() {
        let crate_folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        sources(crate_folder.join("src").as_std_path(), &mut found);
    }
    assert!(found.len() > MAY_DEPEND_ON.len(), "{} files for {} crates", found.len(), MAY_DEPEND_ON.len());
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a source file is text");
        for (number, line) in code(&text) {
            for (word, reason) in ABSENT {
                let is_absent = !line.contains(word) || is_excepted(&path, word);
                assert!(is_absent, "{}:{number}: {word}: {reason}", path.display());
            }
        }
    }
}

#[test]
fn the_search_sees_code_only() {
    let text = "// std::env\n#[cfg(test)]\nmod own;\nlet a = now(); // HRESULT\n#[cfg(test)]\nmod tests {\nfn f() {}";
    let seen: Vec<(usize, &str)> = code(text).collect();
    assert_eq!(seen, [(1, ""), (2, "#[cfg(test)]"), (3, "mod own;"), (4, "let a = now(); ")]);
}
