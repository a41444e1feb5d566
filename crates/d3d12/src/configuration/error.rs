//! What is wrong with a configuration.

use core::fmt;

/// A value that cannot be: where it stands, which key, what was given, what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationError {
    /// `environment`, or the file's path.
    pub place: String,
    /// The variable, or the dotted key.
    pub key: String,
    /// What was given.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
}

impl ConfigurationError {
    pub(super) fn new(
        place: impl Into<String>,
        key: impl Into<String>,
        given: impl fmt::Display,
        allowed: impl fmt::Display,
    ) -> ConfigurationError {
        ConfigurationError {
            place: place.into(),
            key: key.into(),
            given: given.to_string(),
            allowed: allowed.to_string(),
        }
    }
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} is {}; allowed: {}", self.place, self.key, self.given, self.allowed)
    }
}

impl core::error::Error for ConfigurationError {}
