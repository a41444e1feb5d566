//! The streaming reader: one reused line buffer, one [`Record`] at a time.

use std::io::{BufRead, Read};

use heapstone_spec::SdkVersion;
use serde::Deserialize;
use serde::de::DeserializeSeed;

use super::call::{Draft, LineSeed};
use super::{FORMAT_VERSION, HEADER_KEY};
use crate::error::{Position, TraceError, TraceErrorKind, as_u64};
use crate::model::{Origin, Record, TraceHeader};
use crate::open::{Detected, detect};

/// The longest line that is read, in bytes: names and tags are the only long things of a call
/// (chosen; a file without line ends must not fill the memory).
pub const LINE_SIZE_MAX: usize = 1 << 20;

/// Reads our own format call by call; memory does not grow with the file.
///
/// After an error it yields nothing more: a call that is not understood may have created what later
/// ones need.
#[derive(Debug)]
pub struct TraceReader<R> {
    reader: R,
    file: String,
    header: TraceHeader,
    line: Vec<u8>,
    line_number: u64,
    finished: bool,
    draft: Box<Draft>,
}

impl<R: BufRead> TraceReader<R> {
    /// Reads up to the header line; `file` is for the errors only.
    ///
    /// # Errors
    /// Where the text is not ours: empty, compressed, not UTF-8, another format, a newer version.
    pub fn new(reader: R, file: &str) -> Result<TraceReader<R>, TraceError> {
        let mut trace = TraceReader {
            reader,
            file: file.to_owned(),
            header: TraceHeader::new(),
            line: Vec::with_capacity(256),
            line_number: 0,
            finished: false,
            draft: Box::new(Draft::new()),
        };
        loop {
            if !trace.next_line()? {
                let found = if trace.line_number > 1 { "nothing but blanks" } else { "an empty file" };
                return Err(trace.error(TraceErrorKind::Empty, None, HEADER_EXPECTED, found));
            }
            if trace.line_number == 1 && trace.line.starts_with(BOM) {
                trace.line.drain(..BOM.len());
            }
            if !trace.is_blank() {
                break;
            }
        }
        match detect(&trace.line) {
            Ok(Detected::Own) => {}
            Ok(Detected::Chrome) => {
                return Err(trace.error(
                    TraceErrorKind::NotATrace,
                    Some(1),
                    HEADER_EXPECTED,
                    "other JSON (a Chrome trace is opened by `open_trace`)",
                ));
            }
            Err((kind, found)) => return Err(trace.error(kind, Some(1), HEADER_EXPECTED, found)),
        }
        trace.header = trace.parse_header()?;
        Ok(trace)
    }

    /// What the trace says of itself.
    #[must_use]
    pub const fn header(&self) -> &TraceHeader {
        &self.header
    }

    fn error(
        &self,
        kind: TraceErrorKind,
        column: Option<u64>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> TraceError {
        let position = column.map(|column| Position { line: self.line_number, column });
        TraceError::new(kind, &self.file, position, expected, found)
    }

    /// The next line into the buffer, without its end; false at the end of the file.
    fn next_line(&mut self) -> Result<bool, TraceError> {
        self.line.clear();
        self.line_number += 1;
        let bound = as_u64(LINE_SIZE_MAX) + 1;
        let read = (&mut self.reader).take(bound).read_until(b'\n', &mut self.line);
        match read {
            Err(error) => {
                let position = Position { line: self.line_number, column: as_u64(self.line.len()) + 1 };
                return Err(TraceError::io(&self.file, Some(position), &error));
            }
            Ok(0) => return Ok(false),
            Ok(_) => {}
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > LINE_SIZE_MAX {
            return Err(self.error(
                TraceErrorKind::TooLong,
                Some(bound),
                format!("a line of at most {LINE_SIZE_MAX} bytes"),
                "a longer one",
            ));
        }
        Ok(true)
    }

    /// Blank lines are nothing: files put together by hand or by `cat` have them.
    fn is_blank(&self) -> bool {
        self.line.first().is_none_or(u8::is_ascii_whitespace) && self.line.trim_ascii().is_empty()
    }

    #[cold]
    fn not_utf8(&self) -> TraceError {
        let at = self.line.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
        let found = self.line.get(at).map_or(String::new(), |byte| format!("the byte 0x{byte:02x}"));
        self.error(TraceErrorKind::Encoding, Some(as_u64(at) + 1), "UTF-8 text", found)
    }

    fn json_error(&self, what: &str, error: &serde_json::Error) -> TraceError {
        let start = Position { line: self.line_number, column: 1 };
        let mut found = TraceError::json(&self.file, start, what, error);
        if error.is_eof() {
            found.kind = TraceErrorKind::Truncated;
            found.found = "the end of the line inside it".to_owned();
        }
        found
    }

    fn parse_header(&self) -> Result<TraceHeader, TraceError> {
        let Ok(text) = core::str::from_utf8(&self.line) else { return Err(self.not_utf8()) };
        let line: HeaderLine =
            serde_json::from_str(text).map_err(|e| self.json_error(HEADER_EXPECTED, &e))?;
        let header = line.heapstone_trace;
        if header.version == 0 || header.version > FORMAT_VERSION {
            return Err(self.error(
                TraceErrorKind::Version,
                Some(1),
                format!("version {FORMAT_VERSION} of the format, the newest that this program reads"),
                format!("version {}", header.version),
            ));
        }
        let sdk = match &header.sdk {
            None => None,
            Some(text) => Some(text.parse::<SdkVersion>().map_err(|e| {
                self.error(
                    TraceErrorKind::Content,
                    Some(1),
                    e.allowed.clone(),
                    format!("`{}` as sdk", e.given),
                )
            })?),
        };
        Ok(TraceHeader {
            version: header.version,
            origin: Origin::Heapstone,
            profile: header.profile,
            sdk,
            tool: header.tool,
            source: header.source,
        })
    }

    fn next_record(&mut self) -> Result<Option<Record>, TraceError> {
        loop {
            if !self.next_line()? {
                return Ok(None);
            }
            if !self.is_blank() {
                break;
            }
        }
        let Ok(text) = core::str::from_utf8(&self.line) else { return Err(self.not_utf8()) };
        let mut json = serde_json::Deserializer::from_str(text);
        let parsed = LineSeed { draft: &mut self.draft }.deserialize(&mut json);
        match parsed.and_then(|kind| json.end().map(|()| kind)) {
            Ok(kind) => Ok(Some(self.draft.record(kind, Position { line: self.line_number, column: 1 }))),
            Err(error) => Err(self.json_error("one call", &error)),
        }
    }
}

impl<R: BufRead> Iterator for TraceReader<R> {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Result<Record, TraceError>> {
        if self.finished {
            return None;
        }
        let next = self.next_record();
        if !matches!(next, Ok(Some(_))) {
            self.finished = true;
        }
        next.transpose()
    }
}

pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

const HEADER_EXPECTED: &str = "the header line {\"heapstone_trace\":{\"version\":1}}";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    heapstone_trace: HeaderBody,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderBody {
    version: u32,
    #[serde(default)]
    profile: Option<String>,
    #[serde(default)]
    sdk: Option<String>,
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    source: Option<String>,
}

/// The key that opens a header line.
pub(crate) fn is_header_key(text: &[u8]) -> bool {
    text.strip_prefix(b"\"")
        .and_then(|rest| rest.strip_prefix(HEADER_KEY.as_bytes()))
        .is_some_and(|rest| rest.first() == Some(&b'"'))
}
