//! What the tests have in common.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use heapstone::{Backing, Device, Profile, SdkVersion};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_trace::report::Report;
use heapstone_trace::{ReplayOptions, ReplayPlan, Trace, open_trace, read_trace, replay, tight_device};

/// A folder of the shared data: below HEAPSTONE_DATA, else beside the workspace. `None`, with a line
/// that says so, where it is not there; HEAPSTONE_REQUIRE_DATA=1 makes that a failure.
pub fn data(folder: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("HEAPSTONE_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let path = root.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(
        std::env::var_os("HEAPSTONE_REQUIRE_DATA").is_none_or(|value| value != "1"),
        "HEAPSTONE_REQUIRE_DATA=1, and {} is no folder",
        path.display()
    );
    println!("skipped: {} is no folder; HEAPSTONE_DATA can name another", path.display());
    None
}

pub fn profile(name: &str) -> Profile {
    Profile::builtin(name).unwrap()
}

pub fn device(name: &str) -> Device {
    device_of(profile(name), SdkVersion::LATEST)
}

pub fn device_of(profile: Profile, sdk: SdkVersion) -> Device {
    Device::builder()
        .profile(profile)
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .sdk(sdk)
        .build()
        .unwrap()
}

pub fn plan(name: &str, options: ReplayOptions) -> ReplayPlan {
    ReplayPlan { device: device(name), options, tight: None, keeps_memory_log: false }
}

pub fn tight_plan(name: &str, options: ReplayOptions) -> ReplayPlan {
    let tight =
        tight_device(&profile(name), SdkVersion::LATEST, &SoftDriverFactory::default(), Backing::Phantom)
            .unwrap();
    ReplayPlan { tight: Some(tight), ..plan(name, options) }
}

pub fn replay_file(path: &Path, profile: &str, options: ReplayOptions) -> Report {
    replay(open_trace(path).unwrap(), plan(profile, options), |_| {}).unwrap()
}

pub fn replay_text(text: &str, profile: &str, options: ReplayOptions) -> Report {
    let trace: Trace<&[u8]> = read_trace(text.as_bytes(), "text").unwrap();
    replay(trace, plan(profile, options), |_| {}).unwrap()
}
