//! How a trace is replayed.

use core::fmt;
use core::str::FromStr;

use heapstone_units::{Bytes, GIB, KIB, MIB};
use serde::Serialize;

/// Where resources are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// As the trace says: into its heaps. What the trace gives no place is put first-fit into those of
    /// its heaps that live; what fits in none is committed.
    #[default]
    Recorded,
    /// Every resource committed; the trace's heaps are not created.
    Committed,
    /// First-fit into heaps of the replay's own, by heap type and kind of resource; the trace's heaps
    /// are not created. An empty heap is destroyed.
    Pooled {
        /// Bytes of a heap; a larger resource gets one of its own.
        heap_size: u64,
    },
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placement::Recorded => f.write_str("recorded"),
            Placement::Committed => f.write_str("committed"),
            Placement::Pooled { heap_size } => write!(f, "pooled={}", Bytes(*heap_size)),
        }
    }
}

/// What [`Placement::from_str`] answers for a text that names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePlacementError {
    /// What was given.
    pub given: String,
}

impl fmt::Display for ParsePlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no placement; allowed: recorded, committed, pooled=SIZE with SIZE from 64KiB to 64GiB, \
             as 67108864, 64MiB or 1GiB",
            self.given
        )
    }
}

impl std::error::Error for ParsePlacementError {}

impl FromStr for Placement {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Placement, ParsePlacementError> {
        match text {
            "recorded" => Ok(Placement::Recorded),
            "committed" => Ok(Placement::Committed),
            _ => text
                .strip_prefix("pooled=")
                .and_then(parse_size)
                .filter(|size| (64 * KIB..=64 * GIB).contains(size))
                .map(|heap_size| Placement::Pooled { heap_size })
                .ok_or_else(|| ParsePlacementError { given: text.to_owned() }),
        }
    }
}

/// A number of bytes, KiB, MiB or GiB.
fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].trim_start() {
        "" | "B" => 1,
        "K" | "KiB" => KIB,
        "M" | "MiB" => MIB,
        "G" | "GiB" => GIB,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// How a trace is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayOptions {
    /// Where resources are put.
    pub placement: Placement,
    /// Stop at the first call that is refused, fails, or is a mistake of the trace.
    pub strict: bool,
    /// How many of the largest resources the report names.
    pub largest: usize,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions { placement: Placement::Recorded, strict: false, largest: 10 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_parsed_and_named() {
        for (text, want) in [
            ("recorded", Placement::Recorded),
            ("committed", Placement::Committed),
            ("pooled=64MiB", Placement::Pooled { heap_size: 64 << 20 }),
            ("pooled=65536", Placement::Pooled { heap_size: 65_536 }),
            ("pooled=1 G", Placement::Pooled { heap_size: 1 << 30 }),
        ] {
            assert_eq!(text.parse(), Ok(want), "{text}");
        }
        assert_eq!(Placement::Pooled { heap_size: 64 << 20 }.to_string(), "pooled=64 MiB");
        for text in [
            "",
            "pooled",
            "pooled=",
            "pooled=0",
            "pooled=1KiB",
            "pooled=65 GiB",
            "pooled=99999999999G",
            "placed",
        ] {
            assert!(text.parse::<Placement>().unwrap_err().to_string().contains("pooled=SIZE"), "{text}");
        }
    }
}
