//! The environment variables, over what the file says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use heapstone::{FaultPlan, SdkVersion};
use heapstone_driver_soft::PagingBytes;

use super::file::{self, File};
use super::{AdapterConfiguration, Configuration, ConfigurationError, default_adapter};

/// The configuration file.
pub(super) const CONFIG: &str = "HEAPSTONE_CONFIG";
/// Profiles by name or path, separated by commas: an adapter each.
const PROFILE: &str = "HEAPSTONE_PROFILE";
const SDK: &str = "HEAPSTONE_SDK";
const GPU_MODE: &str = "HEAPSTONE_GPU_MODE";
const DEBUG: &str = "HEAPSTONE_DEBUG";
const RECORD: &str = "HEAPSTONE_RECORD";
const BACKING: &str = "HEAPSTONE_BACKING";
const LIVE_OBJECTS: &str = "HEAPSTONE_LIVE_OBJECTS";
const PAGING_BYTES: &str = "HEAPSTONE_PAGING_BYTES";
const FAULTS: &str = "HEAPSTONE_FAULTS";
/// Of what is random in a plan of faults.
const FAULTS_SEED: &str = "HEAPSTONE_FAULTS_SEED";

const PLACE: &str = "environment";

type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// A variable of this process: this file is the one place that reads its environment.
pub(super) fn of_process(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Where this process is to keep temporary files (`TMPDIR`, or the system's own).
pub(super) fn temporary_folder() -> PathBuf {
    std::env::temp_dir()
}

/// The one place that reads its clock.
pub(super) fn clock() -> Box<dyn Fn() -> u64 + Send + Sync> {
    let began = Instant::now();
    Box::new(move || u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX))
}

/// The configuration: variables win over the file, the file over what is chosen here.
pub(super) fn over(variable: Variable<'_>, file: File) -> Result<Configuration, ConfigurationError> {
    let backing = match text(variable, BACKING)? {
        Some(text) => Some(file::backing(PLACE, BACKING, &text)?),
        None => None,
    };
    let adapters = match text(variable, PROFILE)? {
        Some(names) => named(&names, backing.or(file.backing).unwrap_or_default())?,
        None => match file.adapters {
            Some(adapters) => with_backing(adapters, backing),
            None => vec![default_adapter(backing.or(file.backing).unwrap_or_default())],
        },
    };
    let seed = either(variable, FAULTS_SEED, file::faults_seed, file.faults_seed)?.unwrap_or_default();
    let faults = either(variable, FAULTS, file::faults, file.faults)?;
    Ok(Configuration {
        adapters,
        sdk: either(variable, SDK, file::sdk, file.sdk)?.unwrap_or(SdkVersion::LATEST),
        gpu_mode: either(variable, GPU_MODE, file::gpu_mode, file.gpu_mode)?.unwrap_or_default(),
        debug: either(variable, DEBUG, file::debug, file.debug)?.unwrap_or_default(),
        record: path(variable, RECORD)?.or(file.record),
        live_objects: either(variable, LIVE_OBJECTS, file::live_objects, file.live_objects)?
            .unwrap_or_default(),
        paging_bytes: either(variable, PAGING_BYTES, file::paging_bytes, file.paging_bytes)?
            .unwrap_or(PagingBytes::InPlace),
        faults: faults.map(|plan| FaultPlan { seed, ..plan }),
    })
}

/// A variable that names a file; `None` where it is not set or empty.
pub(super) fn path(variable: Variable<'_>, name: &str) -> Result<Option<PathBuf>, ConfigurationError> {
    Ok(variable(name).filter(|value| !value.is_empty()).map(PathBuf::from))
}

fn named(names: &str, backing: heapstone::Backing) -> Result<Vec<AdapterConfiguration>, ConfigurationError> {
    let one = |name: &str| {
        let profile = file::profile(PLACE, PROFILE, name.trim(), Path::new(""))?;
        Ok(AdapterConfiguration { profile, backing })
    };
    names.split(',').map(one).collect()
}

fn with_backing(
    adapters: Vec<AdapterConfiguration>,
    backing: Option<heapstone::Backing>,
) -> Vec<AdapterConfiguration> {
    let Some(backing) = backing else { return adapters };
    adapters.into_iter().map(|adapter| AdapterConfiguration { backing, ..adapter }).collect()
}

fn either<T>(
    variable: Variable<'_>,
    name: &str,
    parse: fn(&str, &str, &str) -> Result<T, ConfigurationError>,
    otherwise: Option<T>,
) -> Result<Option<T>, ConfigurationError> {
    match text(variable, name)? {
        Some(text) => parse(PLACE, name, &text).map(Some),
        None => Ok(otherwise),
    }
}

/// A variable's text; `None` where it is not set or empty.
fn text(variable: Variable<'_>, name: &str) -> Result<Option<String>, ConfigurationError> {
    let Some(value) = variable(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    value.into_string().map(Some).map_err(|value| {
        ConfigurationError::new(PLACE, name, format_args!("\"{}\"", value.display()), "text in UTF-8")
    })
}
