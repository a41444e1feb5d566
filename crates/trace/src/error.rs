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
        let found = shorten(found.into());
        TraceError { kind, file: file.to_owned(), position, expected: expected.into(), found }
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
        TraceError::new(kind, file, Some(position), expected, found)
    }
}

/// What was found, cut: a name may be as long as a line.
fn shorten(mut found: String) -> String {
    const LETTERS_MAX: usize = 160;
    if let Some((end, _)) = found.char_indices().nth(LETTERS_MAX) {
        found.truncate(end);
        found.push_str("...");
    }
    found
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
    // Of a name that an enumeration does not have: "`X` is no ENUMERATION; allowed: NAMES".
    if let Some((found, rest)) = message.split_once(" is no ")
        && let Some((enumeration, names)) = rest.split_once("; allowed: ")
    {
        // The field stands before it, where it is known.
        let (field, found) = found.rsplit_once(": ").unwrap_or(("", found));
        let field = if field.is_empty() { String::new() } else { format!(" as {field}") };
        return (found.to_owned(), format!("{enumeration}{field}, one of {names}"));
    }
    match message.split_once(", expected ") {
        Some((found, expected)) => (found_words(found), expected_words(expected)),
        None => (message.to_owned(), what.to_owned()),
    }
}

/// What was found without serde's verdict on it: `invalid value: integer `-1`` is the integer `-1`.
fn found_words(found: &str) -> String {
    let Some((_, value)) = found.split_once("invalid value: ").or(found.split_once("invalid type: ")) else {
        return found.to_owned();
    };
    let article = match value.split(' ').next() {
        Some("integer") => "an ",
        Some("floating" | "string" | "map" | "sequence" | "boolean") => "a ",
        _ => "",
    };
    format!("{article}{value}")
}

/// Rust's names of types, and the field behind them, in words.
fn expected_words(expected: &str) -> String {
    let (kind, field) = match expected.split_once(" as `") {
        Some((kind, field)) => (kind, format!(" as `{field}")),
        None => (expected, String::new()),
    };
    let kind = match kind {
        "u64" => format!("an integer from 0 to {}", u64::MAX),
        "u32" => format!("an integer from 0 to {}", u32::MAX),
        "u16" => format!("an integer from 0 to {}", u16::MAX),
        "u8" => format!("an integer from 0 to {}", u8::MAX),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text".to_owned(),
        other => other.to_owned(),
    };
    kind + &field
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
