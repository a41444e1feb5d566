//! Finds what naga declared for samplers, and puts the plan's declarations and accesses in its place.

use std::collections::{BTreeMap, BTreeSet};

use heapstone_samplers::SamplerKind;
use heapstone_samplers::plan::SamplerPlan;

use super::declarations::{
    ArrayAccess, COMPARISON_HEAP, DIRECT_HEAP, Declarations, HEAP, Through, qualified, type_name,
};
use super::tokens::{Kind, Token, tokens};
use crate::error::Error;
use crate::registers::MARKED_SPACE;
use crate::resources::Planned;

/// naga's text with the samplers of a plan.
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// Names of naga's text that had to change, because shader model 6.6 has them.
    pub(crate) renamed: BTreeMap<String, String>,
}

/// Rewrites naga's `text`. `planned` are the module's samplers in the order of their declarations, number n of which
/// naga was given as register `marks[n]`.
pub(crate) fn rewrite(
    text: &str,
    planned: &[Planned],
    marks: &[u32],
    plan: &SamplerPlan,
) -> Result<Rewritten, Error> {
    let mut all = tokens(text);
    let names: BTreeSet<String> = all
        .iter()
        .filter(|token| token.kind == Kind::Identifier)
        .map(|token| token.text.to_owned())
        .collect();
    let unused = |stem: &str| unused_name(&names, stem);
    let mut renamed = BTreeMap::new();
    for builtin in [DIRECT_HEAP, "ResourceDescriptorHeap"] {
        if names.contains(builtin) {
            renamed.insert(builtin.to_owned(), unused(builtin));
        }
    }
    for token in &mut all {
        if token.kind == Kind::Identifier
            && let Some(other) = renamed.get(token.text)
        {
            token.text = other;
        }
    }
    let mut rewriter = Rewriter {
        tokens: &all,
        declarations: Declarations::new(plan, planned, unused),
        planned: planned.iter().zip(marks.iter().copied()).collect(),
        next: 0,
        arrays: BTreeMap::new(),
        out: String::with_capacity(text.len()),
    };
    rewriter.file()?;
    let text = rewriter.out;
    Ok(Rewritten { text, renamed })
}

/// `stem`, lengthened until no name begins with it.
fn unused_name(names: &BTreeSet<String>, stem: &str) -> String {
    let mut name = format!("{stem}_");
    while names.range(name.clone()..).next().is_some_and(|next| next.starts_with(&name)) {
        name.push('h');
    }
    name
}

/// Shape of a declaration that naga makes for samplers.
enum Marked<'t> {
    /// One of the heap's two arrays.
    Heap(SamplerKind),
    /// The index buffer of a group.
    Buffer { group: u32, name: &'t str },
    /// A fixed sampler.
    Fixed { mark: u32, name: &'t str },
    /// The first element of an array of samplers.
    Array { mark: u32, name: &'t str },
}

struct Rewriter<'t, 'p> {
    tokens: &'t [Token<'t>],
    declarations: Declarations<'p>,
    planned: Vec<(&'p Planned, u32)>,
    /// Samplers declared so far.
    next: usize,
    /// Arrays of samplers by naga's names.
    arrays: BTreeMap<&'t str, ArrayAccess>,
    out: String,
}

impl<'t, 'p> Rewriter<'t, 'p> {
    /// The whole text, one top-level statement after another.
    fn file(&mut self) -> Result<(), Error> {
        let mut at = 0;
        while at < self.tokens.len() {
            if self.tokens[at].kind == Kind::Trivia {
                self.out.push_str(self.tokens[at].text);
                at += 1;
                continue;
            }
            let end = self.statement_end(at);
            let is_data = self.tokens[at].is("struct") || self.tokens[at].is("cbuffer");
            let before = self.out.len();
            match self.marked(at, end) {
                Some(marked) => self.declare(marked)?,
                None if is_data => self.copy(at, end),
                None => self.expressions(at, end)?,
            }
            at = end;
            // The line of what is gone goes, too.
            if self.out.len() == before && self.tokens.get(at).is_some_and(|next| next.kind == Kind::Trivia) {
                let space = self.tokens[at].text;
                self.out.push_str(space.strip_prefix('\n').unwrap_or(space));
                at += 1;
            }
        }
        if self.next < self.planned.len() {
            return Err(unknown(&format!("naga declared {} of {} samplers", self.next, self.planned.len())));
        }
        Ok(())
    }

    /// Behind the `;` or the outermost `}` that ends what begins here.
    fn statement_end(&self, from: usize) -> usize {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth = depth.saturating_sub(1);
                // `};` ends a structure and an initializer.
                let closed = self.significant(at + 1);
                if depth == 0 && !closed.is_some_and(|next| self.tokens[next].is(";")) {
                    return at + 1;
                }
            } else if depth == 0 && token.is(";") {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    /// The first token from here that is no white space or comment.
    fn significant(&self, from: usize) -> Option<usize> {
        (from..self.tokens.len()).find(|at| self.tokens[*at].kind != Kind::Trivia)
    }

    fn copy(&mut self, from: usize, to: usize) {
        for token in &self.tokens[from..to] {
            self.out.push_str(token.text);
        }
    }

    /// Whether a statement is one of the declarations that lowering replaces.
    fn marked(&self, from: usize, to: usize) -> Option<Marked<'t>> {
        let words: Vec<&'t str> = self.tokens[from..to]
            .iter()
            .filter(|token| token.kind != Kind::Trivia)
            .map(|token| token.text)
            .collect();
        let marked_space = format!("space{MARKED_SPACE}");
        match words.as_slice() {
            ["SamplerState", HEAP, "[", ..] => Some(Marked::Heap(SamplerKind::Standard)),
            ["SamplerComparisonState", COMPARISON_HEAP, "[", ..] => {
                Some(Marked::Heap(SamplerKind::Comparison))
            }
            [
                "StructuredBuffer",
                "<",
                "uint",
                ">",
                name,
                ":",
                "register",
                "(",
                register,
                ",",
                space,
                ")",
                ";",
            ] if *space == marked_space => {
                let group = register.strip_prefix('t')?.parse().ok()?;
                Some(Marked::Buffer { group, name })
            }
            ["static", "const", ty, name, "=", heap, "[", _, "[", mark, "]", "]", ";"]
                if [HEAP, COMPARISON_HEAP].contains(heap)
                    && [SamplerKind::Standard, SamplerKind::Comparison].map(type_name).contains(ty) =>
            {
                Some(Marked::Fixed { mark: mark.parse().ok()?, name })
            }
            // A constant of the shader's has a number with the suffix of its type.
            ["static", "const", "uint", name, "=", mark, ";"] => {
                Some(Marked::Array { mark: mark.parse().ok()?, name })
            }
            _ => None,
        }
    }

    fn declare(&mut self, marked: Marked<'t>) -> Result<(), Error> {
        let text = match marked {
            Marked::Heap(SamplerKind::Standard) => self.declarations.heap(),
            // Written with the other one.
            Marked::Heap(SamplerKind::Comparison) => String::new(),
            Marked::Buffer { group, name } => self.declarations.buffer(group, name),
            Marked::Fixed { mark, name } => {
                let planned = self.next_planned(mark)?;
                self.declarations.fixed(planned, name)?
            }
            Marked::Array { mark, name } => {
                let planned = self.next_planned(mark)?;
                let (text, access) = self.declarations.array(planned, name)?;
                self.arrays.insert(name, access);
                text
            }
        };
        self.out.push_str(&text);
        Ok(())
    }

    /// The sampler whose declaration is due, which must be the marked one.
    fn next_planned(&mut self, mark: u32) -> Result<&'p Planned, Error> {
        match self.planned.get(self.next) {
            Some(&(planned, due)) if due == mark => {
                self.next += 1;
                Ok(planned)
            }
            _ => Err(unknown(&format!("sampler number {mark} is declared out of turn"))),
        }
    }

    /// Copies tokens, with accesses of arrays as planned.
    fn expressions(&mut self, from: usize, to: usize) -> Result<(), Error> {
        let mut at = from;
        let mut member = false;
        while at < to {
            let token = self.tokens[at];
            let kind = match token.text {
                HEAP => Some(SamplerKind::Standard),
                COMPARISON_HEAP => Some(SamplerKind::Comparison),
                _ => None,
            };
            match kind {
                Some(kind) if token.kind == Kind::Identifier && !member => at = self.access(at, to, kind)?,
                _ => {
                    self.out.push_str(token.text);
                    at += 1;
                }
            }
            if token.kind != Kind::Trivia {
                member = token.is(".");
            }
        }
        Ok(())
    }

    /// An access `HEAP[INDICES[array + e]]`, or the same with the index marked as not uniform. Answers what follows.
    fn access(&mut self, from: usize, to: usize, kind: SamplerKind) -> Result<usize, Error> {
        let mut cursor = Cursor { tokens: self.tokens, at: from + 1, to };
        let body = cursor.bracketed("[", "]")?;
        let end = cursor.at;
        let mut inner = Cursor { tokens: self.tokens, at: body.0, to: body.1 };
        let non_uniform = inner.take("NonUniformResourceIndex");
        if non_uniform {
            let (start, stop) = inner.bracketed("(", ")")?;
            inner.at_end()?;
            inner = Cursor { tokens: self.tokens, at: start, to: stop };
        }
        inner.name()?;
        let (start, stop) = inner.bracketed("[", "]")?;
        inner.at_end()?;
        let mut index = Cursor { tokens: self.tokens, at: start, to: stop };
        let name = index.name()?;
        index.expect("+")?;
        let access = self
            .arrays
            .get(name)
            .cloned()
            .ok_or_else(|| unknown(&format!("{name} is no array of samplers")))?;
        if access.kind != kind {
            return Err(unknown(&format!("{name} is an array of other samplers")));
        }
        let text = self.within(index.at, stop, access.length)?;
        let buffer = &self.tokens[self.buffer_name(body)?];
        let text = match access.through {
            Through::Registers => format!("{name}[{}]", qualified(&text, non_uniform)),
            Through::Buffer => {
                let index = format!("{}[{name} + {text}]", buffer.text);
                self.declarations.of_heap(kind, non_uniform, &index)
            }
            Through::Packed => self.declarations.of_heap(kind, non_uniform, &format!("{name}[{text}]")),
        };
        self.out.push_str(&text);
        Ok(end)
    }

    /// The token that names the index buffer within an access.
    fn buffer_name(&self, body: (usize, usize)) -> Result<usize, Error> {
        let is_name = |at: &usize| {
            let token = self.tokens[*at];
            token.kind == Kind::Identifier && token.text != "NonUniformResourceIndex"
        };
        (body.0..body.1).find(is_name).ok_or_else(|| unknown("an access names no index buffer"))
    }

    /// An index held below an array's length: behind its elements lie those of other bindings and, where many groups
    /// share a buffer, of other groups.
    fn within(&mut self, from: usize, to: usize, length: u32) -> Result<String, Error> {
        let outside = std::mem::take(&mut self.out);
        let written = self.expressions(from, to);
        let index = std::mem::replace(&mut self.out, outside);
        written?;
        let index = index.trim();
        if index.parse::<u32>().is_ok_and(|constant| constant < length) {
            return Ok(index.to_owned());
        }
        Ok(format!("min(uint({index}), {}u)", length.saturating_sub(1)))
    }
}

/// Reads the tokens of an access.
struct Cursor<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    to: usize,
}

impl<'t> Cursor<'t> {
    fn next(&mut self) -> Option<Token<'t>> {
        while self.at < self.to {
            let token = self.tokens[self.at];
            self.at += 1;
            if token.kind != Kind::Trivia {
                return Some(token);
            }
        }
        None
    }

    /// Steps over a token, where it is the next.
    fn take(&mut self, text: &str) -> bool {
        let before = self.at;
        let taken = self.next().is_some_and(|token| token.is(text));
        if !taken {
            self.at = before;
        }
        taken
    }

    fn expect(&mut self, text: &str) -> Result<(), Error> {
        if self.take(text) { Ok(()) } else { Err(unknown(&format!("an access without {text}"))) }
    }

    fn name(&mut self) -> Result<&'t str, Error> {
        match self.next() {
            Some(token) if token.kind == Kind::Identifier => Ok(token.text),
            _ => Err(unknown("an access without a name")),
        }
    }

    fn at_end(&mut self) -> Result<(), Error> {
        match self.next() {
            None => Ok(()),
            Some(token) => Err(unknown(&format!("an access with {} in it", token.text))),
        }
    }

    /// The tokens between a bracket, which is next, and the one that closes it.
    fn bracketed(&mut self, open: &str, close: &str) -> Result<(usize, usize), Error> {
        self.expect(open)?;
        let start = self.at;
        let mut depth = 1_usize;
        while let Some(token) = self.next() {
            if token.is(open) {
                depth += 1;
            } else if token.is(close) {
                depth -= 1;
            }
            if depth == 0 {
                return Ok((start, self.at - 1));
            }
        }
        Err(unknown(&format!("an access without {close}")))
    }
}

fn unknown(what: &str) -> Error {
    Error::Translator { message: format!("the HLSL of samplers is not as expected: {what}") }
}
