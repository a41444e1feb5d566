//! Traces of devices' calls: a file each, in the format that `heapstone replay` reads.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once, Weak};

use heapstone::{Observer, SdkVersion};
use heapstone_trace::{Recorder, RecorderOptions, TraceHeader};
use parking_lot::Mutex;

use crate::configuration;

/// Recorders whose devices are alive: a program that ends without letting go of its devices ends their traces too.
static LIVE: Mutex<Vec<Weak<Recorder<File>>>> = Mutex::new(Vec::new());

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> core::ffi::c_int;
}

/// The trace of one device, until it is dropped.
pub struct Recording(Arc<Recorder<File>>);

impl Recording {
    /// Begins a trace in a new file: `path` for the process's first device, with a number for each that follows.
    ///
    /// # Errors
    /// Where the file cannot be made or written.
    pub fn begin(path: &Path, profile: &str, sdk: SdkVersion) -> io::Result<Recording> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let file = File::create(numbered(path, COUNT.fetch_add(1, Ordering::Relaxed)))?;
        let header = TraceHeader {
            profile: Some(profile.to_owned()),
            sdk: Some(sdk),
            tool: Some(concat!("libd3d12.so ", env!("CARGO_PKG_VERSION")).to_owned()),
            ..TraceHeader::new()
        };
        let options = RecorderOptions { clock: Some(configuration::clock()), threads: true };
        let recorder = Arc::new(Recorder::new(file, &header, options)?);
        keep(&recorder);
        Ok(Recording(recorder))
    }

    /// What sees the device's calls.
    #[must_use]
    pub fn observer(&self) -> Arc<dyn Observer> {
        self.0.clone()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        finish(&self.0);
    }
}

fn keep(recorder: &Arc<Recorder<File>>) {
    static AT_EXIT: Once = Once::new();
    AT_EXIT.call_once(|| {
        // SAFETY: a function without arguments, as C wants it; it lives as long as the library, which is never unloaded
        // while its devices are there.
        unsafe { atexit(finish_all) };
    });
    let mut live = LIVE.lock();
    live.retain(|recorder| recorder.strong_count() > 0);
    live.push(Arc::downgrade(recorder));
}

extern "C" fn finish_all() {
    for recorder in LIVE.lock().drain(..).filter_map(|recorder| recorder.upgrade()) {
        finish(&recorder);
    }
}

fn finish(recorder: &Recorder<File>) {
    if let Err(error) = recorder.finish() {
        eprintln!("heapstone: the trace is not whole: {error}");
    }
}

/// `trace.jsonl`, `trace-2.jsonl`, ...
fn numbered(path: &Path, index: u32) -> PathBuf {
    if index == 0 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}", index + 1));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_numbered_before_their_extension() {
        let path = Path::new("out/trace.jsonl");
        assert_eq!(numbered(path, 0), path);
        assert_eq!(numbered(path, 1), Path::new("out/trace-2.jsonl"));
        assert_eq!(numbered(Path::new("trace"), 9), Path::new("trace-10"));
    }
}
