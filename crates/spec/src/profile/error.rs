//! What is wrong with a profile.

use core::fmt;

/// A profile that cannot be used: every problem that was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ProfileError {
    /// The file as the caller named it; empty for a profile that was built in code.
    pub file: String,
    /// What is wrong; never empty. In the order of the file where the file says it.
    pub problems: Vec<Problem>,
}

/// One problem of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub kind: ProblemKind,
    /// Where in the file; `None` where there is no text (a profile built in code, a file that cannot
    /// be read).
    pub position: Option<Position>,
    /// The dotted key, e.g. `memory.segments.0.size`; empty where the whole file is meant.
    pub key: String,
    /// What was given.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The file cannot be read.
    Unreadable,
    /// There is no built-in profile of that name.
    UnknownProfile,
    /// The text is not TOML.
    Syntax,
    /// There is no such key.
    UnknownKey,
    /// The key is needed.
    MissingKey,
    /// The value is not of the key's type.
    WrongType,
    /// The value is of the right type and outside what the key allows.
    OutOfRange,
    /// Two values cannot both hold.
    Contradiction,
}

impl ProblemKind {
    const fn words(self) -> &'static str {
        match self {
            ProblemKind::Unreadable => "cannot be read",
            ProblemKind::UnknownProfile => "no such profile",
            ProblemKind::Syntax => "not TOML",
            ProblemKind::UnknownKey => "unknown key",
            ProblemKind::MissingKey => "missing key",
            ProblemKind::WrongType => "wrong type",
            ProblemKind::OutOfRange => "out of range",
            ProblemKind::Contradiction => "contradiction",
        }
    }
}

/// Walks a text forwards from position to position.
pub(super) struct Cursor<'t> {
    text: &'t str,
    offset: usize,
    position: Position,
}

impl<'t> Cursor<'t> {
    pub(super) const fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, offset: 0, position: Position { line: 1, column: 1 } }
    }

    /// The position of the character that holds byte `offset`, which is not before the previous one;
    /// the end where it lies behind the text.
    pub(super) fn advance(&mut self, offset: usize) -> Position {
        for character in self.text[self.offset..].chars() {
            if self.offset + character.len_utf8() > offset {
                break;
            }
            self.offset += character.len_utf8();
            if character == '\n' {
                self.position = Position { line: self.position.line + 1, column: 1 };
            } else {
                self.position.column += 1;
            }
        }
        self.position
    }
}

impl Problem {
    fn write(&self, f: &mut fmt::Formatter<'_>, file: &str) -> fmt::Result {
        f.write_str(if file.is_empty() { "profile" } else { file })?;
        if let Some(Position { line, column }) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.kind.words())?;
        if !self.key.is_empty() {
            write!(f, " `{}`", self.key)?;
        }
        if !self.given.is_empty() {
            write!(f, ": given {}", self.given)?;
        }
        write!(f, "; allowed: {}", self.allowed)
    }
}

/// How many problems are shown: a file that is no profile at all has hundreds.
const SHOWN_MAX: usize = 20;

impl fmt::Display for ProfileError {
    /// A line for each problem: `file:line:column: kind, key: given ...; allowed: ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().take(SHOWN_MAX).enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.write(f, &self.file)?;
        }
        if self.problems.len() > SHOWN_MAX {
            write!(f, "\n... and {} more", self.problems.len() - SHOWN_MAX)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut cursor = Cursor::new("a\nb\u{fc} c\n");
        for (offset, line, column) in [
            (0, 1, 1),
            (0, 1, 1),
            (1, 1, 2),
            (2, 2, 1),
            (3, 2, 2),
            (4, 2, 2),
            (5, 2, 3),
            (7, 2, 5),
            (99, 3, 1),
        ] {
            assert_eq!(cursor.advance(offset), Position { line, column }, "{offset}");
        }
    }
}
