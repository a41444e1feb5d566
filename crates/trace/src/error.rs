//! What is wrong with a trace file, and where.

use core::fmt;

use serde::Serialize;

/// A place in a trace file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// From 1; 0 of a call that was made up and stands in no file.
    pub line: u64,
    /// In bytes, from 1.
    pub column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What kind of mistake it is, for programs; [`TraceError`] has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TraceErrorKind {
    /// The system could not read the file.
    Io,
    /// There is nothing in it.
    Empty,
    /// Neither our format nor a Chrome trace.
    NotATrace,
    /// Compressed: it must be unpacked first.
    Compressed,
    /// Text, but not in UTF-8.
    Encoding,
    /// A version of our format that this program does not know.
    Version,
    /// A line or an event above the bound.
    TooLong,
    /// The file ends inside a call.
    Truncated,
    /// Not JSON.
    Syntax,
    /// JSON, but not a call: an unknown name, a missing field, a value of the wrong type.
    Content,
}

/// What is wrong with a trace file: where, what was expected, what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// What kind.
    pub kind: TraceErrorKind,
    /// The name of the file, as it was given.
    pub file: String,
    /// Where; `None` where the whole file is meant.
    pub position: Option<Position>,
    /// What was expected, in words.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}

impl TraceError {
    pub(crate) fn new(
        kind: TraceErrorKind,
        file: &str,
        position: Option<Position>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> TraceError {
        TraceError { kind, file: file.to_owned(), position, expected: expected.into(), found: found.into() }
    }

    pub(crate) fn io(file: &str, position: Option<Position>, error: &std::io::Error) -> TraceError {
        TraceError::new(TraceErrorKind::Io, file, position, "a readable file", error.to_string())
    }

    /// From serde_json's error on the text that begins at `start`; `what` stands for the expectation
    /// where serde_json names none.
    pub(crate) fn json(file: &str, start: Position, what: &str, error: &serde_json::Error) -> TraceError {
        let kind = if error.is_data() { TraceErrorKind::Content } else { TraceErrorKind::Syntax };
        // A text of one line counts on from the start's column; a later line counts for itself.
        let (line, column) = (as_u64(error.line()), as_u64(error.column()));
        let position = if line <= 1 {
            Position { line: start.line, column: start.column + column.saturating_sub(1) }
        } else {
            Position { line: start.line + line - 1, column: column.max(1) }
        };
        let (found, expected) = split_message(&error.to_string(), what);
        TraceError { kind, file: file.to_owned(), position: Some(position), expected, found }
    }
}

/// A count of bytes or lines in memory as a 64-bit number.
pub(crate) fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// serde's messages read "FOUND, expected EXPECTED at line L column C".
fn split_message(message: &str, what: &str) -> (String, String) {
    let message = match message.rfind(" at line ") {
        Some(at) => &message[..at],
        None => message,
    };
    match message.split_once(", expected ") {
        Some((found, expected)) => (found.to_owned(), expected.to_owned()),
        None => (message.to_owned(), what.to_owned()),
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(position) = self.position {
            write!(f, ":{position}")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for TraceError {}
