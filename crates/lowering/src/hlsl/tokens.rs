//! HLSL as tokens, as far as declarations and accesses must be recognised: joined again, they are the text.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Identifier,
    /// A number, with its suffix.
    Number,
    /// One character of punctuation.
    Punctuation,
    /// White space, a comment.
    Trivia,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
}

impl Token<'_> {
    /// Whether it is this name, keyword or mark. A comment never is.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Trivia && self.text == text
    }
}

/// The tokens of a text, in order; together they are the whole of it.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = first_token(rest, first);
        let (token, after) = rest.split_at(length);
        all.push(Token { kind, text: token });
        rest = after;
    }
    all
}

/// Kind and length in bytes of the token that a text, which begins with `first`, begins with.
fn first_token(text: &str, first: char) -> (Kind, usize) {
    let while_true = |accepts: fn(char) -> bool| text.find(|c| !accepts(c)).unwrap_or(text.len());
    if let Some(comment) = text.strip_prefix("/*") {
        let inner = comment.find("*/").map_or(comment.len(), |end| end + 2);
        return (Kind::Trivia, inner + 2);
    }
    if text.starts_with("//") {
        return (Kind::Trivia, text.find('\n').unwrap_or(text.len()));
    }
    if first.is_whitespace() {
        return (Kind::Trivia, while_true(char::is_whitespace));
    }
    if is_name(first) && !first.is_ascii_digit() {
        return (Kind::Identifier, while_true(is_name));
    }
    if first.is_ascii_digit() {
        return (Kind::Number, while_true(|c| is_name(c) || c == '.'));
    }
    (Kind::Punctuation, first.len_utf8())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        let text = "a.b[1u]+0x1F; // heap\n/* c[ */ float2 é = 1.5e3;";
        let all = tokens(text);
        assert_eq!(all.iter().map(|token| token.text).collect::<String>(), text);
        let words: Vec<&str> =
            all.iter().filter(|token| token.kind != Kind::Trivia).map(|token| token.text).collect();
        assert_eq!(
            words,
            ["a", ".", "b", "[", "1u", "]", "+", "0x1F", ";", "float2", "é", "=", "1.5e3", ";"]
        );
        assert!(!all.iter().any(|token| token.is("heap") || token.is("c")), "comments hold no names");
    }

    #[test]
    fn a_comment_may_never_end() {
        assert_eq!(tokens("/*/ x").len(), 1);
        assert_eq!(tokens("// x").len(), 1);
    }
}
