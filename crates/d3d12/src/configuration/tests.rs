use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU64;

use heapstone::AllocationFault;

use super::*;

const FILE: &str = "configs/two.toml";

fn read(variables: &[(&str, &str)], file: Option<&str>) -> Result<Configuration, ConfigurationError> {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    let read_file = |path: &Path| match file {
        Some(text) if path == Path::new(FILE) => Ok(text.to_owned()),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    Configuration::read(&|name| variables.get(name).map(OsString::from), &read_file)
}

fn names(configuration: &Configuration) -> Vec<&str> {
    configuration.adapters.iter().map(|adapter| adapter.profile.name.as_str()).collect()
}

#[test]
fn nothing_said_is_one_adapter_that_refuses_nothing() {
    let configuration = read(&[], None).unwrap();
    assert_eq!(names(&configuration), ["discrete-8g"]);
    assert_eq!(configuration.sdk, SdkVersion::LATEST);
    assert_eq!(configuration.gpu_mode, GpuMode::Immediate);
    assert_eq!(configuration.debug, DebugLevel::Off);
    assert_eq!(configuration.record, None);
    assert!(!configuration.live_objects);
    assert_eq!(configuration.paging_bytes, PagingBytes::InPlace);
    assert_eq!(configuration.faults, None);
}

#[test]
fn variables_choose() {
    let configuration = read(
        &[
            ("HEAPSTONE_PROFILE", "integrated-uma, discrete-tier1-2g"),
            ("HEAPSTONE_SDK", "1.606"),
            ("HEAPSTONE_GPU_MODE", "threaded"),
            ("HEAPSTONE_DEBUG", "trace"),
            ("HEAPSTONE_RECORD", "out.jsonl"),
            ("HEAPSTONE_BACKING", "phantom"),
            ("HEAPSTONE_LIVE_OBJECTS", "1"),
            ("HEAPSTONE_PAGING_BYTES", "moved"),
            ("HEAPSTONE_FAULTS", "fail-nth:3"),
            ("HEAPSTONE_FAULTS_SEED", "18446744073709551615"),
        ],
        None,
    )
    .unwrap();
    assert_eq!(names(&configuration), ["integrated-uma", "discrete-tier1-2g"]);
    assert!(configuration.adapters.iter().all(|adapter| adapter.backing == Backing::Phantom));
    assert_eq!(configuration.sdk, SdkVersion::V606);
    assert_eq!(configuration.gpu_mode, GpuMode::Threaded);
    assert_eq!(configuration.debug, DebugLevel::Trace);
    assert_eq!(configuration.record, Some(PathBuf::from("out.jsonl")));
    assert!(configuration.live_objects);
    assert_eq!(configuration.paging_bytes, PagingBytes::Moved);
    let third = AllocationFault::Nth(NonZeroU64::new(3).unwrap());
    let plan = FaultPlan { seed: u64::MAX, allocations: Some(third), ..FaultPlan::default() };
    assert_eq!(configuration.faults, Some(plan));
}

const TWO: &str = r#"
sdk = "618"
gpu_mode = "threaded"
debug = "1"
record = "trace.jsonl"
backing = "shared"
paging_bytes = "moved"
faults = "remove:9"
faults_seed = 7
[[adapters]]
profile = "discrete-8g"
[[adapters]]
profile = "integrated-uma"
description = "The small one"
backing = "host"
"#;

#[test]
fn a_file_chooses_and_its_paths_are_relative_to_it() {
    let configuration = read(&[("HEAPSTONE_CONFIG", FILE)], Some(TWO)).unwrap();
    assert_eq!(names(&configuration), ["discrete-8g", "integrated-uma"]);
    assert_eq!(configuration.adapters[0].backing, Backing::Shared);
    assert_eq!(configuration.adapters[1].backing, Backing::Host);
    assert_eq!(configuration.adapters[1].profile.identity.description, "The small one");
    assert_eq!(configuration.sdk, SdkVersion::V618);
    assert_eq!(configuration.record, Some(PathBuf::from("configs/trace.jsonl")));
    assert_eq!(configuration.paging_bytes, PagingBytes::Moved);
    let plan = FaultPlan { seed: 7, removal_at: NonZeroU64::new(9), ..FaultPlan::default() };
    assert_eq!(configuration.faults, Some(plan));
}

#[test]
fn a_variable_wins_over_the_file() {
    let variables =
        [("HEAPSTONE_CONFIG", FILE), ("HEAPSTONE_PROFILE", "limited-va"), ("HEAPSTONE_SDK", "inbox")];
    let configuration = read(&variables, Some(TWO)).unwrap();
    assert_eq!(names(&configuration), ["limited-va"]);
    assert_eq!(configuration.sdk, SdkVersion::Inbox);
    assert_eq!(configuration.gpu_mode, GpuMode::Threaded);
}

#[test]
fn an_empty_variable_is_none() {
    assert_eq!(names(&read(&[("HEAPSTONE_PROFILE", "")], None).unwrap()), ["discrete-8g"]);
}

fn refused(variables: &[(&str, &str)], file: Option<&str>, key: &str, allowed: &str) {
    let error = read(variables, file).unwrap_err();
    assert_eq!(error.key, key, "{error}");
    assert!(error.allowed.contains(allowed), "{error}");
}

#[test]
fn errors_name_key_and_what_is_allowed() {
    refused(&[("HEAPSTONE_SDK", "617")], None, "HEAPSTONE_SDK", "619.4");
    refused(&[("HEAPSTONE_GPU_MODE", "stepped")], None, "HEAPSTONE_GPU_MODE", "immediate, threaded");
    refused(&[("HEAPSTONE_DEBUG", "yes")], None, "HEAPSTONE_DEBUG", "0, 1, trace");
    refused(&[("HEAPSTONE_PAGING_BYTES", "yes")], None, "HEAPSTONE_PAGING_BYTES", "in-place, moved");
    refused(&[("HEAPSTONE_FAULTS", "fail")], None, "HEAPSTONE_FAULTS", "fail-every:N");
    refused(&[("HEAPSTONE_FAULTS_SEED", "-1")], None, "HEAPSTONE_FAULTS_SEED", "below 2^64");
    refused(&[("HEAPSTONE_PROFILE", "discrete-8gb")], None, "HEAPSTONE_PROFILE", "discrete-8g");
    refused(&[("HEAPSTONE_CONFIG", "nowhere.toml")], None, "HEAPSTONE_CONFIG", "a readable file");
    let config = [("HEAPSTONE_CONFIG", FILE)];
    refused(&config, Some("[[adapters]]\nprofile = \"no-such\"\n"), "adapters[0].profile", "discrete-8g");
    refused(&config, Some("backing = \"disk\""), "backing", "host, shared, phantom");
    refused(&config, Some("colour = 1"), "the file", "colour");
}
