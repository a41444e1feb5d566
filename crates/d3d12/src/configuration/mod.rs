//! Which device a program gets, chosen from outside of it: environment variables and a TOML file.
//!
//! ```text
//!  HEAPSTONE_CONFIG=FILE.toml --> File --.
//!                                        +--> Configuration --> adapters, SDK version, GPU mode, debug layer, recording
//!  HEAPSTONE_PROFILE, _SDK, ... ---------'
//!  (a variable wins over the file, the file over the default)
//! ```
//! docs/cpp.md lists variables and keys. All of it is *chosen*: D3D12 has nothing of the kind.
//!
//! This module is pure: who calls it hands it the environment and the files ([`Configuration::read`]). The one
//! place that looks at the process's own is [`Configuration::of_process`].

mod environment;
mod error;
mod file;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use heapstone::{Backing, FaultPlan, GpuMode, Profile, SdkVersion};
use heapstone_driver_soft::PagingBytes;

pub use error::ConfigurationError;

/// The profile of the one adapter that there is unless a configuration says otherwise: it refuses nothing that
/// a device could accept, so that a program's first run shows its own mistakes and not a device's limits.
pub const DEFAULT_PROFILE: &str = "discrete-8g";

/// What a process's devices are like.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// The adapters in the order in which they are enumerated; at least one.
    pub adapters: Vec<AdapterConfiguration>,
    /// The SDK version of devices that the program asks no version for.
    pub sdk: SdkVersion,
    /// When the GPU does its work. Never [`GpuMode::Stepped`]: D3D12 has no call that steps.
    pub gpu_mode: GpuMode,
    /// How much the debug layer says.
    pub debug: DebugLevel,
    /// Where the trace of the devices' calls goes.
    pub record: Option<PathBuf>,
    /// Whether the objects that are alive when the process ends are listed on standard error.
    pub live_objects: bool,
    /// Whether the bytes of heaps in host memory follow what the memory manager decides.
    pub paging_bytes: PagingBytes,
    /// What goes wrong on purpose, on each adapter by itself.
    pub faults: Option<FaultPlan>,
}

/// One adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct AdapterConfiguration {
    /// What describes it.
    pub profile: Profile,
    /// Where its heaps' bytes are.
    pub backing: Backing,
}

/// How much the debug layer says on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DebugLevel {
    /// Nothing; the program may still read the info queue.
    #[default]
    Off,
    /// Every message of the info queue.
    Messages,
    /// Also every call of a method that does nothing here.
    Trace,
}

impl Configuration {
    /// Reads what an environment asks for.
    ///
    /// # Errors
    /// [`ConfigurationError`]: where, which key, what was given, what is allowed.
    pub fn read(
        variable: &dyn Fn(&str) -> Option<OsString>,
        read_file: &dyn Fn(&Path) -> std::io::Result<String>,
    ) -> Result<Configuration, ConfigurationError> {
        let file = match environment::path(variable, environment::CONFIG)? {
            Some(path) => file::read(&path, read_file)?,
            None => file::File::default(),
        };
        environment::over(variable, file)
    }

    /// Reads what the environment of this process asks for.
    ///
    /// # Errors
    /// As [`Configuration::read`].
    pub fn of_process() -> Result<Configuration, ConfigurationError> {
        Configuration::read(&environment::of_process, &|path| std::fs::read_to_string(path))
    }
}

/// A clock of this process, in microseconds from now on: the trace's.
#[must_use]
pub fn clock() -> Box<dyn Fn() -> u64 + Send + Sync> {
    environment::clock()
}

/// The folder of names of what processes of this user share: in `XDG_RUNTIME_DIR`, which is the user's alone and
/// empty after a restart, or in the system's folder of temporary files under the user's number.
#[must_use]
pub fn runtime_folder(user: u32) -> PathBuf {
    match environment::of_process("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => Path::new(&folder).join("heapstone"),
        None => environment::temporary_folder().join(format!("heapstone-{user}")),
    }
}

/// The default adapter.
fn default_adapter(backing: Backing) -> AdapterConfiguration {
    let profile = Profile::builtin(DEFAULT_PROFILE).expect("invariant: the default profile is built in");
    AdapterConfiguration { profile, backing }
}
