//! A pattern spelled out, as descriptions of swizzled files and pattern files have it.

use heapstone_layout::swizzle::{BitRow, NO_BITS, SwizzlePattern, bits_text, parse_bits};
use serde::{Deserialize, Serialize};

/// D3D12DDI_SWIZZLE_PATTERN_DESC_0022 as text: bits from address bit 0 on, as `X0 X1 Y0 - S0`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatternBits {
    /// InterleavePatternSourceBits.
    pub(crate) interleave: String,
    /// InterleavePatternXORSourceBits, XOR2, XOR3, XOR4.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) interleave_xor: Vec<String>,
    /// PostambleXORSourceBits, XOR2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) postamble_xor: Vec<String>,
    /// PostambleXORImmediate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) postamble_immediate: u32,
    /// STACK_DEPTH_SLICES.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) stack_depth_slices: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl From<&SwizzlePattern> for PatternBits {
    fn from(pattern: &SwizzlePattern) -> PatternBits {
        // Empty arrays at the end are left out.
        let texts = |rows: &[BitRow]| {
            let count = rows.iter().rposition(|row| *row != NO_BITS).map_or(0, |last| last + 1);
            rows.iter().take(count).map(bits_text).collect()
        };
        PatternBits {
            interleave: bits_text(&pattern.interleave),
            interleave_xor: texts(&pattern.interleave_xor),
            postamble_xor: texts(&pattern.postamble_xor),
            postamble_immediate: pattern.postamble_immediate,
            stack_depth_slices: pattern.stack_depth_slices,
        }
    }
}

impl PatternBits {
    /// The pattern, which may be none yet.
    ///
    /// # Errors
    /// A text that is none of bits, or too many of them.
    pub(crate) fn pattern(&self) -> Result<SwizzlePattern, String> {
        let mut pattern = SwizzlePattern {
            postamble_immediate: self.postamble_immediate,
            stack_depth_slices: self.stack_depth_slices,
            ..SwizzlePattern::of_interleave(row("interleave", &self.interleave)?)
        };
        fill("interleave_xor", &mut pattern.interleave_xor, &self.interleave_xor)?;
        fill("postamble_xor", &mut pattern.postamble_xor, &self.postamble_xor)?;
        Ok(pattern)
    }
}

fn row(field: &str, text: &str) -> Result<BitRow, String> {
    parse_bits(text).map_err(|error| format!("{field} is {text:?}: {error}"))
}

fn fill(field: &str, rows: &mut [BitRow], texts: &[String]) -> Result<(), String> {
    if texts.len() > rows.len() {
        return Err(format!("{field} has {} texts; allowed: {}", texts.len(), rows.len()));
    }
    for (into, text) in rows.iter_mut().zip(texts) {
        *into = row(field, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use heapstone_layout::swizzle::named_patterns;

    use super::*;

    #[test]
    fn every_pattern_is_spelled_and_read() {
        for named in named_patterns() {
            let bits = PatternBits::from(&named.pattern);
            let text = serde_json::to_string(&bits).unwrap();
            let read: PatternBits = serde_json::from_str(&text).unwrap();
            assert_eq!(read.pattern(), Ok(named.pattern), "{text}");
        }
    }

    #[test]
    fn by_hand() {
        let bits: PatternBits = serde_json::from_str(
            r#"{"interleave": "X0 Y0", "interleave_xor": ["- X5", "- Y7"], "postamble_immediate": 2}"#,
        )
        .unwrap();
        let pattern = bits.pattern().unwrap();
        let sources: Vec<String> = pattern.sources(1).map(|entry| entry.to_string()).collect();
        assert_eq!(sources, ["Y0", "X5", "Y7"]);
        assert_eq!(pattern.postamble_immediate, 2);
        for (text, says) in [
            (r#"{"interleave": "X0 Y99"}"#, "interleave is \"X0 Y99\""),
            (r#"{"interleave": "X0", "postamble_xor": ["", "", ""]}"#, "3 texts; allowed: 2"),
        ] {
            let bits: PatternBits = serde_json::from_str(text).unwrap();
            assert!(bits.pattern().unwrap_err().contains(says), "{text}");
        }
        assert!(serde_json::from_str::<PatternBits>(r#"{"interleave": "", "xor": []}"#).is_err());
    }
}
