//! How a command ends when it does not do what it should.

use std::fmt;
use std::process::ExitCode;

use crate::page;

/// How a command that ran ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All was accepted: exit code 0.
    Accepted,
    /// Calls, or the description, were refused: exit code 1.
    Refused,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        match verdict {
            Verdict::Accepted => ExitCode::SUCCESS,
            Verdict::Refused => ExitCode::from(1),
        }
    }
}

/// The command line or an input is wrong, or output cannot be written: exit code 2.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    remedy: Option<String>,
}

impl Failure {
    /// What is wrong, in words that carry file, field and numbers.
    pub(crate) fn new(message: impl fmt::Display) -> Failure {
        // A message may have a line for each problem; what it quotes from a file must not steer a terminal.
        let lines: Vec<String> = message.to_string().lines().map(page::visible).collect();
        Failure { message: lines.join("\n"), remedy: None }
    }

    /// The same with what to do.
    #[must_use]
    pub(crate) fn with_remedy(self, remedy: impl fmt::Display) -> Failure {
        Failure { remedy: Some(remedy.to_string()), ..self }
    }

    /// The same of an input; `-` is standard input.
    #[must_use]
    pub(crate) fn of(self, path: &std::path::Path) -> Failure {
        let name = if crate::outputs::is_stream(path) {
            "standard input".to_owned()
        } else {
            page::visible(&path.display().to_string())
        };
        Failure { message: format!("{name}: {}", self.message), ..self }
    }

    /// A file that cannot be written.
    pub(crate) fn write(path: &std::path::Path, error: &std::io::Error) -> Failure {
        Failure::new(format_args!("cannot write {}: {error}", path.display()))
    }

    /// The exit code.
    pub(crate) fn exit_code() -> ExitCode {
        ExitCode::from(2)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.remedy {
            Some(remedy) => write!(f, "\n  {remedy}"),
            None => Ok(()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::new(format_args!("cannot write to standard output: {error}"))
    }
}
