//! The versions of the runtime whose rules differ.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::UnknownName;

/// A version of the D3D12 runtime, oldest first: the one inside Windows before the Agility SDK, then
/// the Agility SDKs that changed a rule of the memory system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SdkVersion {
    /// The runtime that comes with Windows, before 606.
    #[serde(rename = "inbox")]
    Inbox,
    /// 1.606: unaligned block-compressed sizes, relaxed initial states (facts/behaviour.md).
    #[serde(rename = "606")]
    V606,
    /// 1.614: GPU upload heaps (Microsoft's public Agility SDK notes: first retail release 1.613).
    #[serde(rename = "614")]
    V614,
    /// 1.618.1: tight alignment (spec/1-tight-placed-resource-alignment.txt).
    #[serde(rename = "618")]
    V618,
    /// 1.619.3: no rule of the memory system differs from 618 (chosen as the last version before the
    /// alignment floor).
    #[serde(rename = "619.3")]
    V619_3,
    /// 1.619.4: beside USE_TIGHT_ALIGNMENT a non-zero Alignment is a floor (spec/1, Non-zero Alignment).
    #[serde(rename = "619.4")]
    V619_4,
}

impl SdkVersion {
    /// Every version, oldest first.
    pub const ALL: &'static [SdkVersion] = &[
        SdkVersion::Inbox,
        SdkVersion::V606,
        SdkVersion::V614,
        SdkVersion::V618,
        SdkVersion::V619_3,
        SdkVersion::V619_4,
    ];

    /// The newest.
    pub const LATEST: SdkVersion = SdkVersion::V619_4;

    /// The short name, as the command line takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SdkVersion::Inbox => "inbox",
            SdkVersion::V606 => "606",
            SdkVersion::V614 => "614",
            SdkVersion::V618 => "618",
            SdkVersion::V619_3 => "619.3",
            SdkVersion::V619_4 => "619.4",
        }
    }
}

impl fmt::Display for SdkVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SdkVersion {
    type Err = UnknownName;

    /// Parses the short name; `1.618.1` and `618.1` are 618, a leading `1.` is dropped, `latest` is
    /// the newest.
    fn from_str(text: &str) -> Result<SdkVersion, UnknownName> {
        let short = text.strip_prefix("1.").unwrap_or(text);
        match short {
            "latest" => Ok(SdkVersion::LATEST),
            "618.1" => Ok(SdkVersion::V618),
            _ => SdkVersion::ALL.iter().copied().find(|version| version.name() == short).ok_or_else(|| {
                UnknownName {
                    enumeration: "SDK version",
                    given: text.to_owned(),
                    allowed: SdkVersion::ALL
                        .iter()
                        .map(|v| v.name())
                        .chain(["latest"])
                        .collect::<Vec<_>>()
                        .join(", "),
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_and_named() {
        assert!(SdkVersion::ALL.is_sorted());
        for version in SdkVersion::ALL {
            assert_eq!(version.name().parse(), Ok(*version));
        }
        assert_eq!("1.618.1".parse(), Ok(SdkVersion::V618));
        assert_eq!("1.619.4".parse(), Ok(SdkVersion::V619_4));
        assert!("617".parse::<SdkVersion>().unwrap_err().to_string().contains("619.3"));
    }
}
