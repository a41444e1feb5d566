//! The configuration file.

use std::path::{Path, PathBuf};

use heapstone::{Backing, FaultPlan, GpuMode, Profile, SdkVersion};
use heapstone_driver_soft::PagingBytes;
use serde::Deserialize;

use super::{AdapterConfiguration, ConfigurationError, DebugLevel};

/// What a file says; what it leaves out is `None`.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) adapters: Option<Vec<AdapterConfiguration>>,
    pub(super) backing: Option<Backing>,
    pub(super) sdk: Option<SdkVersion>,
    pub(super) gpu_mode: Option<GpuMode>,
    pub(super) debug: Option<DebugLevel>,
    pub(super) record: Option<PathBuf>,
    pub(super) live_objects: Option<bool>,
    pub(super) paging_bytes: Option<PagingBytes>,
    pub(super) faults: Option<FaultPlan>,
    pub(super) faults_seed: Option<u64>,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Schema {
    sdk: Option<String>,
    gpu_mode: Option<String>,
    debug: Option<String>,
    record: Option<PathBuf>,
    live_objects: Option<String>,
    paging_bytes: Option<String>,
    faults: Option<String>,
    faults_seed: Option<u64>,
    backing: Option<String>,
    #[serde(default)]
    adapters: Vec<AdapterSchema>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdapterSchema {
    profile: String,
    description: Option<String>,
    backing: Option<String>,
}

/// Reads and understands the file; paths in it are relative to it.
pub(super) fn read(
    path: &Path,
    read_file: &dyn Fn(&Path) -> std::io::Result<String>,
) -> Result<File, ConfigurationError> {
    let place = path.display().to_string();
    let text = read_file(path).map_err(|error| {
        ConfigurationError::new(
            "environment",
            super::environment::CONFIG,
            &place,
            format!("a readable file ({error})"),
        )
    })?;
    let schema: Schema = toml::from_str(&text).map_err(|error| {
        let message = error.to_string();
        ConfigurationError::new(&place, "the file", "not what it should be", message.trim_end())
    })?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let value = |key: &str, text: Option<String>| text.map(|text| (place.clone(), key.to_owned(), text));
    let backing = value("backing", schema.backing)
        .map(|(place, key, text)| backing(&place, &key, &text))
        .transpose()?;
    let adapters = schema
        .adapters
        .into_iter()
        .enumerate()
        .map(|(index, adapter)| adapter_of(&place, directory, index, adapter, backing.unwrap_or_default()))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(File {
        adapters: (!adapters.is_empty()).then_some(adapters),
        backing,
        sdk: value("sdk", schema.sdk).map(|(place, key, text)| sdk(&place, &key, &text)).transpose()?,
        gpu_mode: value("gpu_mode", schema.gpu_mode)
            .map(|(place, key, text)| gpu_mode(&place, &key, &text))
            .transpose()?,
        debug: value("debug", schema.debug)
            .map(|(place, key, text)| debug(&place, &key, &text))
            .transpose()?,
        record: schema.record.map(|record| directory.join(record)),
        live_objects: value("live_objects", schema.live_objects)
            .map(|(place, key, text)| live_objects(&place, &key, &text))
            .transpose()?,
        paging_bytes: value("paging_bytes", schema.paging_bytes)
            .map(|(place, key, text)| paging_bytes(&place, &key, &text))
            .transpose()?,
        faults: value("faults", schema.faults)
            .map(|(place, key, text)| faults(&place, &key, &text))
            .transpose()?,
        faults_seed: schema.faults_seed,
    })
}

fn adapter_of(
    place: &str,
    directory: &Path,
    index: usize,
    adapter: AdapterSchema,
    backing_of_all: Backing,
) -> Result<AdapterConfiguration, ConfigurationError> {
    let mut profile = profile(place, &format!("adapters[{index}].profile"), &adapter.profile, directory)?;
    if let Some(description) = adapter.description {
        profile.identity.description = description;
    }
    let backing = match adapter.backing {
        Some(text) => backing(place, &format!("adapters[{index}].backing"), &text)?,
        None => backing_of_all,
    };
    Ok(AdapterConfiguration { profile, backing })
}

/// A built-in profile's name, or a file, relative to `directory`.
pub(super) fn profile(
    place: &str,
    key: &str,
    name_or_path: &str,
    directory: &Path,
) -> Result<Profile, ConfigurationError> {
    let found = match Profile::builtin(name_or_path) {
        Some(profile) => return Ok(profile),
        None if name_or_path.ends_with(".toml") => Profile::load(directory.join(name_or_path)),
        None => Profile::find(name_or_path),
    };
    found.map_err(|error| ConfigurationError::new(place, key, format_args!("\"{name_or_path}\""), error))
}

pub(super) fn sdk(place: &str, key: &str, text: &str) -> Result<SdkVersion, ConfigurationError> {
    text.parse().map_err(|error: heapstone::spec::UnknownName| {
        ConfigurationError::new(place, key, format_args!("\"{text}\""), error.allowed)
    })
}

pub(super) fn gpu_mode(place: &str, key: &str, text: &str) -> Result<GpuMode, ConfigurationError> {
    one_of(place, key, text, &[("immediate", GpuMode::Immediate), ("threaded", GpuMode::Threaded)])
}

pub(super) fn debug(place: &str, key: &str, text: &str) -> Result<DebugLevel, ConfigurationError> {
    one_of(
        place,
        key,
        text,
        &[("0", DebugLevel::Off), ("1", DebugLevel::Messages), ("trace", DebugLevel::Trace)],
    )
}

pub(super) fn live_objects(place: &str, key: &str, text: &str) -> Result<bool, ConfigurationError> {
    one_of(place, key, text, &[("0", false), ("1", true)])
}

pub(super) fn paging_bytes(place: &str, key: &str, text: &str) -> Result<PagingBytes, ConfigurationError> {
    one_of(place, key, text, &[("in-place", PagingBytes::InPlace), ("moved", PagingBytes::Moved)])
}

pub(super) fn faults(place: &str, key: &str, text: &str) -> Result<FaultPlan, ConfigurationError> {
    text.parse().map_err(|error: heapstone::FaultPlanError| {
        ConfigurationError::new(
            place,
            key,
            format_args!("\"{text}\""),
            format_args!("faults with + between them ({error})"),
        )
    })
}

pub(super) fn faults_seed(place: &str, key: &str, text: &str) -> Result<u64, ConfigurationError> {
    text.parse().map_err(|_| {
        ConfigurationError::new(place, key, format_args!("\"{text}\""), "a whole number below 2^64")
    })
}

pub(super) fn backing(place: &str, key: &str, text: &str) -> Result<Backing, ConfigurationError> {
    let names = [("host", Backing::Host), ("shared", Backing::Shared), ("phantom", Backing::Phantom)];
    one_of(place, key, text, &names)
}

fn one_of<T: Copy>(place: &str, key: &str, text: &str, names: &[(&str, T)]) -> Result<T, ConfigurationError> {
    let found = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let allowed: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        ConfigurationError::new(place, key, format_args!("\"{text}\""), allowed.join(", "))
    })
}
