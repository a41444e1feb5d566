//! Errors of JSON files, with the field whose value is wrong.

use serde::de::DeserializeOwned;

/// Reads a file's text.
///
/// # Errors
/// What serde says, with line and column; of a value that is wrong in itself the field's name before it.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // serde names the field where it is the field that is wrong.
        let of_value = ["invalid type", "invalid value", "unknown variant"];
        let field =
            of_value.iter().find(|begin| message.starts_with(**begin)).and_then(|_| field(text, &error));
        field.map_or_else(|| message.clone(), |field| format!("{field}: {message}"))
    })
}

/// The field whose value ends where the error is.
fn field<'a>(text: &'a str, error: &serde_json::Error) -> Option<&'a str> {
    let line = error.line().checked_sub(1)?;
    let begin: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    last_key(text.get(..begin.checked_add(error.column())?)?)
}

/// The last string before a colon.
fn last_key(text: &str) -> Option<&str> {
    let (mut key, mut string, mut begin, mut is_escaped) = (None, None, None, false);
    for (at, byte) in text.bytes().enumerate() {
        match (begin, byte) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), b'\\') => is_escaped = true,
            (Some(first), b'"') => (string, begin) = (text.get(first..at), None),
            (None, b'"') => begin = Some(at + 1),
            (None, b':') => key = string,
            _ => {}
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::super::bits::PatternBits;
    use super::*;

    #[test]
    fn a_wrong_value_is_told_with_its_field() {
        for (text, says) in [
            (r#"{"interleave": 7}"#, "interleave: invalid type: integer `7`"),
            (
                "{\"interleave\": \"X0\",\n \"postamble_immediate\" : -1}",
                "postamble_immediate: invalid value",
            ),
            (r#"{"interleave": "a:\"b", "postamble_xor": [true]}"#, "postamble_xor: invalid type: boolean"),
            (r#"{"interleave": "X0", "stack_depth_slices": "\u00e9"}"#, "stack_depth_slices: invalid type"),
            // The field itself: serde names it.
            (r#"{"interleave": "X0", "other": 1}"#, "unknown field `other`"),
            (r#"{"postamble_immediate": 1}"#, "missing field `interleave`"),
            ("[]", "invalid"),
            ("", "EOF"),
        ] {
            let error = from_text::<PatternBits>(text).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }
}
