//! Hands out the events of a Chrome trace one by one, without holding the file.
//!
//! Both shapes that Chrome knows: `{ "traceEvents": [ ... ], ... }` and a bare `[ ... ]`. Only the
//! text of one event is in memory; it is cut out by counting brackets outside of strings, and
//! whoever takes it parses it as JSON.
//!
//! ```text
//!   start --'['--------------------------> in array --event--> in array ... --']'--> done
//!     |                                      ^    \--end of file: the array is unterminated, done
//!     '--'{'--> key --"traceEvents" : [------'
//!                 ^--other key : value ,--|
//! ```

use std::io::{BufRead, ErrorKind};

use crate::error::{Position, TraceError, TraceErrorKind};
use crate::format::read::BOM;

/// The longest event that is read, in bytes: GPGMM's have some hundred (chosen).
pub const EVENT_SIZE_MAX: usize = 1 << 20;

/// Deeper nesting is no trace (chosen: serde_json's own bound).
const DEPTH_MAX: u32 = 128;

const SHAPE: &str = "a Chrome trace: {\"traceEvents\": [...]} or an array of events";

pub(super) struct EventScanner<R> {
    reader: R,
    file: String,
    position: Position,
    state: State,
    event: Vec<u8>,
    /// Where the file ended, if that was inside the array, after a whole event.
    unterminated: Option<Position>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    InArray { first: bool },
    Done,
}

impl<R: BufRead> EventScanner<R> {
    pub(super) fn new(reader: R, file: &str) -> EventScanner<R> {
        EventScanner {
            reader,
            file: file.to_owned(),
            position: Position { line: 1, column: 1 },
            state: State::Start,
            event: Vec::with_capacity(1024),
            unterminated: None,
        }
    }

    /// Where an unterminated array ended.
    pub(super) const fn unterminated(&self) -> Option<Position> {
        self.unterminated
    }

    /// The text of the next event and where it begins; `None` after the last.
    pub(super) fn next_event(&mut self) -> Result<Option<(Position, &str)>, TraceError> {
        if self.state == State::Start {
            self.open()?;
        }
        let State::InArray { first } = self.state else { return Ok(None) };
        let Some(start) = self.before_event(first)? else {
            self.state = State::Done;
            return Ok(None);
        };
        self.state = State::InArray { first: false };
        self.event.clear();
        self.value(Keep::Text)?;
        match core::str::from_utf8(&self.event) {
            Ok(text) => Ok(Some((start, text))),
            Err(error) => Err(TraceError::new(
                TraceErrorKind::Encoding,
                &self.file,
                Some(Position {
                    line: start.line,
                    column: start.column + crate::error::as_u64(error.valid_up_to()),
                }),
                "UTF-8 text",
                "a byte that is none",
            )),
        }
    }

    /// To the first event.
    fn open(&mut self) -> Result<(), TraceError> {
        let with_bom = match self.reader.fill_buf() {
            Ok(buffer) => buffer.starts_with(BOM),
            Err(error) => return Err(TraceError::io(&self.file, Some(self.position), &error)),
        };
        if with_bom {
            self.reader.consume(BOM.len());
        }
        match self.peek_solid()? {
            Some(b'[') => self.advance(),
            Some(b'{') => {
                self.advance();
                self.find_events()?;
            }
            other => return Err(self.unexpected(SHAPE, other)),
        }
        self.state = State::InArray { first: true };
        Ok(())
    }

    /// Inside the outer object: past the `[` of "traceEvents".
    fn find_events(&mut self) -> Result<(), TraceError> {
        loop {
            match self.peek_solid()? {
                Some(b'"') => {}
                other => return Err(self.unexpected("the key \"traceEvents\"", other)),
            }
            self.event.clear();
            self.value(Keep::Text)?;
            let wanted = self.event == b"\"traceEvents\"";
            self.expect(b':')?;
            if wanted {
                return self.expect(b'[');
            }
            self.peek_solid()?;
            self.value(Keep::Nothing)?;
            match self.peek_solid()? {
                Some(b',') => self.advance(),
                Some(b'}') => {
                    return Err(TraceError::new(
                        TraceErrorKind::NotATrace,
                        &self.file,
                        Some(self.position),
                        "the key \"traceEvents\" of a Chrome trace, or in the first line our own header \
                         {\"heapstone_trace\":{\"version\":1}}",
                        "an object without either",
                    ));
                }
                other => return Err(self.unexpected("`,` or `}`", other)),
            }
        }
    }

    /// Past the comma; the place of the next event, or `None` at the array's end.
    fn before_event(&mut self, first: bool) -> Result<Option<Position>, TraceError> {
        let end = "`,` or `]` after an event";
        match self.peek_solid()? {
            Some(b']') => return Ok(None),
            Some(b',') if !first => self.advance(),
            Some(_) if first => {}
            None => {
                self.unterminated = Some(self.position);
                return Ok(None);
            }
            other => return Err(self.unexpected(end, other)),
        }
        match self.peek_solid()? {
            Some(b'{') => Ok(Some(self.position)),
            // Chrome allows a comma after the last event and a missing end.
            Some(b']') => Ok(None),
            None => {
                self.unterminated = Some(self.position);
                Ok(None)
            }
            other => Err(self.unexpected("an event, `{...}`", other)),
        }
    }

    /// One JSON value, its text kept or not.
    fn value(&mut self, keep: Keep) -> Result<(), TraceError> {
        let start = self.position;
        let mut depth = 0_u32;
        loop {
            let Some(byte) = self.peek()? else { return Err(self.truncated(start)) };
            match byte {
                b'"' => self.string(keep, start)?,
                b'{' | b'[' => {
                    depth += 1;
                    if depth > DEPTH_MAX {
                        return Err(self.unexpected("at most 128 nested values", Some(byte)));
                    }
                    self.take(byte, keep)?;
                }
                b'}' | b']' if depth == 0 => return Err(self.unexpected("a value", Some(byte))),
                b'}' | b']' => {
                    depth -= 1;
                    self.take(byte, keep)?;
                }
                _ => self.take(byte, keep)?,
            }
            if depth == 0 {
                // A number or a word ends before what cannot be in it.
                let more = byte != b'"'
                    && byte != b'}'
                    && byte != b']'
                    && self.peek()?.is_some_and(|next| {
                        !matches!(next, b',' | b'}' | b']' | b':') && !next.is_ascii_whitespace()
                    });
                if !more {
                    return Ok(());
                }
            }
        }
    }

    fn string(&mut self, keep: Keep, start: Position) -> Result<(), TraceError> {
        self.take(b'"', keep)?;
        loop {
            let Some(byte) = self.peek()? else { return Err(self.truncated(start)) };
            self.take(byte, keep)?;
            match byte {
                b'"' => return Ok(()),
                b'\\' => {
                    let Some(escaped) = self.peek()? else { return Err(self.truncated(start)) };
                    self.take(escaped, keep)?;
                }
                _ => {}
            }
        }
    }

    fn take(&mut self, byte: u8, keep: Keep) -> Result<(), TraceError> {
        if keep == Keep::Text {
            if self.event.len() >= EVENT_SIZE_MAX {
                return Err(TraceError::new(
                    TraceErrorKind::TooLong,
                    &self.file,
                    Some(self.position),
                    format!("an event of at most {EVENT_SIZE_MAX} bytes"),
                    "a longer one",
                ));
            }
            self.event.push(byte);
        }
        self.advance();
        Ok(())
    }

    fn expect(&mut self, wanted: u8) -> Result<(), TraceError> {
        match self.peek_solid()? {
            Some(byte) if byte == wanted => {
                self.advance();
                Ok(())
            }
            other => Err(self.unexpected(&format!("`{}`", char::from(wanted)), other)),
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, TraceError> {
        loop {
            match self.reader.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.io(&error)),
            }
        }
    }

    /// The next byte that is no blank.
    fn peek_solid(&mut self) -> Result<Option<u8>, TraceError> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.advance();
        }
        Ok(None)
    }

    /// Past the byte that was peeked.
    fn advance(&mut self) {
        if let Ok([byte, ..]) = self.reader.fill_buf() {
            if *byte == b'\n' {
                self.position = Position { line: self.position.line + 1, column: 1 };
            } else {
                self.position.column += 1;
            }
            self.reader.consume(1);
        }
    }

    fn io(&self, error: &std::io::Error) -> TraceError {
        TraceError::io(&self.file, Some(self.position), error)
    }

    fn unexpected(&self, expected: &str, found: Option<u8>) -> TraceError {
        let (kind, found) = match found {
            None => (TraceErrorKind::Truncated, "the end of the file".to_owned()),
            Some(byte) if byte.is_ascii_graphic() => {
                (TraceErrorKind::Syntax, format!("`{}`", char::from(byte)))
            }
            Some(byte) => (TraceErrorKind::Syntax, format!("the byte 0x{byte:02x}")),
        };
        TraceError::new(kind, &self.file, Some(self.position), expected, found)
    }

    fn truncated(&self, start: Position) -> TraceError {
        TraceError::new(
            TraceErrorKind::Truncated,
            &self.file,
            Some(self.position),
            format!("the rest of what begins at {start}"),
            "the end of the file",
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Text,
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events, and where an unterminated array ended or what was wrong.
    fn scan(text: &str) -> (Vec<String>, Result<Option<Position>, TraceError>) {
        let mut scanner = EventScanner::new(text.as_bytes(), "t.json");
        let mut events = Vec::new();
        loop {
            match scanner.next_event() {
                Ok(Some((_, event))) => events.push(event.to_owned()),
                Ok(None) => return (events, Ok(scanner.unterminated())),
                Err(error) => return (events, Err(error)),
            }
        }
    }

    #[test]
    fn both_shapes_and_brackets_in_strings() {
        let events = [r#"{"a":"]}\"{["}"#, r#"{ "b" : [1,{"c":null}] }"#];
        for text in [
            format!("[{},{}]", events[0], events[1]),
            format!("{{\"traceEvents\":[{}\n, {} ] }}", events[0], events[1]),
            format!(
                "\u{feff}{{\"x\":[{{}}], \"y\": -1.5e3,\"z\":\"[\",\"traceEvents\":[{},{}],\"w\":1}}",
                events[0], events[1]
            ),
        ] {
            let (found, end) = scan(&text);
            assert_eq!(found, events, "{text}");
            assert_eq!(end, Ok(None));
        }
        assert_eq!(scan("[]"), (vec![], Ok(None)));
    }

    #[test]
    fn an_unterminated_array_ends_and_says_where() {
        for (text, column) in [("[{}", 4), ("[{},", 5), ("{\"traceEvents\":[{}", 19)] {
            let (events, end) = scan(text);
            assert_eq!(events, ["{}"], "{text}");
            assert_eq!(end, Ok(Some(Position { line: 1, column })), "{text}");
        }
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, kind, line, column) in [
            ("[{}\n{}]", TraceErrorKind::Syntax, 2, 1),
            ("[{\"a\":", TraceErrorKind::Truncated, 1, 7),
            ("{\"a\":1}", TraceErrorKind::NotATrace, 1, 7),
            ("{\"traceEvents\":{}}", TraceErrorKind::Syntax, 1, 16),
            ("[1]", TraceErrorKind::Syntax, 1, 2),
            ("{,}", TraceErrorKind::Syntax, 1, 2),
            ("{\"a\" 1}", TraceErrorKind::Syntax, 1, 6),
        ] {
            let error = scan(text).1.unwrap_err();
            assert_eq!(
                (error.kind, error.position),
                (kind, Some(Position { line, column })),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let long = format!("[{{\"a\":\"{}\"}}]", "x".repeat(EVENT_SIZE_MAX));
        assert_eq!(scan(&long).1.unwrap_err().kind, TraceErrorKind::TooLong);
        let deep = "[{\"a\":".to_owned() + &"[".repeat(100_000);
        assert_eq!(scan(&deep).1.unwrap_err().kind, TraceErrorKind::Syntax);
    }
}
