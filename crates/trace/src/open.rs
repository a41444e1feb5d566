//! Opens a trace of any known format, recognised by its content.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use crate::error::{TraceError, TraceErrorKind, as_u64};
use crate::format::call::LineKind;
use crate::format::read::{BOM, TraceReader, is_header_key};
use crate::import::gpgmm::{GpgmmImporter, ImportNotes};
use crate::model::{Record, TraceHeader};

/// How much of a file decides what it is, in bytes.
const DETECT_SIZE: u64 = 4096;

/// A format, by its first bytes.
pub(crate) enum Detected {
    Own,
    Chrome,
}

/// What the first bytes of a file say it is; else the kind of mistake and what was found.
pub(crate) fn detect(prefix: &[u8]) -> Result<Detected, (TraceErrorKind, String)> {
    let other = |kind, found: &str| Err((kind, found.to_owned()));
    match prefix {
        [] => return other(TraceErrorKind::Empty, "an empty file"),
        [0x1f, 0x8b, ..] => {
            return other(TraceErrorKind::Compressed, "a gzip file: unpack it first (gunzip)");
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            return other(TraceErrorKind::Compressed, "a zstd file: unpack it first (unzstd)");
        }
        [b'P', b'K', 3 | 5 | 7, ..] => {
            return other(TraceErrorKind::Compressed, "a zip file: unpack it first");
        }
        [0xfd, b'7', b'z', b'X', b'Z', ..] => {
            return other(TraceErrorKind::Compressed, "an xz file: unpack it first (unxz)");
        }
        [b'B', b'Z', b'h', ..] => {
            return other(TraceErrorKind::Compressed, "a bzip2 file: unpack it first (bunzip2)");
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'{' | b'[', 0, ..] | [0, b'{' | b'[', ..] => {
            return other(TraceErrorKind::Encoding, "UTF-16 text: save it as UTF-8");
        }
        _ => {}
    }
    let text = prefix.strip_prefix(BOM).unwrap_or(prefix).trim_ascii_start();
    match text {
        [] => other(TraceErrorKind::Empty, "nothing but blanks"),
        [b'[', ..] => Ok(Detected::Chrome),
        [b'{', rest @ ..] if is_header_key(rest.trim_ascii_start()) => Ok(Detected::Own),
        [b'{', rest @ ..] if begins_with_a_call(rest.trim_ascii_start()) => Err((
            TraceErrorKind::NotATrace,
            "a call in its place: the first line must be the `heapstone_trace` header".to_owned(),
        )),
        [b'{', ..] => Ok(Detected::Chrome),
        [byte, ..] if byte.is_ascii_graphic() => {
            Err((TraceErrorKind::NotATrace, format!("text that begins with `{}`", char::from(*byte))))
        }
        [byte, ..] => {
            Err((TraceErrorKind::NotATrace, format!("a file that begins with the byte 0x{byte:02x}")))
        }
    }
}

/// A call of our own format: its header is missing.
fn begins_with_a_call(text: &[u8]) -> bool {
    let name = text.strip_prefix(b"\"").and_then(|rest| rest.split(|byte| *byte == b'"').next());
    name.and_then(|name| core::str::from_utf8(name).ok())
        .is_some_and(|name| LineKind::from_name(name).is_some())
}

/// What was looked at to recognise the format, and the rest.
pub type Prefixed<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// A trace of any known format: an iterator of its calls, in the order in which they were made.
#[derive(Debug)]
pub enum Trace<R> {
    /// Our own format.
    Own(TraceReader<Prefixed<R>>),
    /// A Chrome trace of GPGMM's.
    Gpgmm(GpgmmImporter),
}

impl<R: BufRead> Trace<R> {
    /// What the trace says of itself.
    #[must_use]
    pub const fn header(&self) -> &TraceHeader {
        match self {
            Trace::Own(reader) => reader.header(),
            Trace::Gpgmm(importer) => importer.header(),
        }
    }

    /// What the import found beside the calls; `None` of our own format.
    #[must_use]
    pub const fn import_notes(&self) -> Option<&ImportNotes> {
        match self {
            Trace::Own(_) => None,
            Trace::Gpgmm(importer) => Some(importer.notes()),
        }
    }
}

impl<R: BufRead> Iterator for Trace<R> {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Result<Record, TraceError>> {
        match self {
            Trace::Own(reader) => reader.next(),
            Trace::Gpgmm(importer) => importer.next().map(Ok),
        }
    }
}

/// Opens the trace at `path`.
///
/// # Errors
/// As [`read_trace`], and where the file cannot be opened.
pub fn open_trace(path: impl AsRef<Path>) -> Result<Trace<BufReader<File>>, TraceError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| TraceError::io(&name, None, &error))?;
    read_trace(BufReader::with_capacity(1 << 18, file), &name)
}

/// Reads a trace of any known format, recognised by its content; `file` is for the errors only.
///
/// # Errors
/// Where it is none; of a Chrome trace also what is wrong inside it, for that is read as a whole.
pub fn read_trace<R: BufRead>(mut reader: R, file: &str) -> Result<Trace<R>, TraceError> {
    let mut prefix = Vec::new();
    (&mut reader)
        .take(DETECT_SIZE)
        .read_to_end(&mut prefix)
        .map_err(|error| TraceError::io(file, None, &error))?;
    let detected = detect(&prefix);
    let whole_prefix = as_u64(prefix.len()) == DETECT_SIZE;
    let whole = Cursor::new(prefix).chain(reader);
    match detected {
        // So many blank lines: what is behind them is read line by line.
        Err((TraceErrorKind::Empty, _)) if whole_prefix => Ok(Trace::Own(TraceReader::new(whole, file)?)),
        Ok(Detected::Own) => Ok(Trace::Own(TraceReader::new(whole, file)?)),
        Ok(Detected::Chrome) => Ok(Trace::Gpgmm(GpgmmImporter::read(whole, file)?)),
        Err((kind, found)) => Err(TraceError::new(
            kind,
            file,
            None,
            "a trace: JSON Lines that begin with a heapstone_trace header, or a Chrome trace of GPGMM's",
            found,
        )),
    }
}
