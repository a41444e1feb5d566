//! Reads HLSL: the part of it that lowered shaders are written in. What is beyond it panics, by name.

use std::collections::BTreeSet;

use super::syntax::{Case, Expression, Field, File, Function, Global, Parameter, Place, Statement, Type};
use super::value::Scalar;

/// The tree of a text.
pub(crate) fn parse(text: &str) -> File {
    let mut parser = Parser { words: words(text), at: 0, types: BTreeSet::new(), sites: 0 };
    let mut file = File::default();
    while parser.at < parser.words.len() {
        parser.top_level(&mut file);
    }
    file.sample_sites = parser.sites;
    file
}

/// Names, numbers and marks, without comments.
fn words(text: &str) -> Vec<String> {
    const MARKS: [&str; 18] = [
        "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=",
        "|=", "^=",
    ];
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            rest = rest.trim_start();
            continue;
        } else if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
            continue;
        } else if first.is_ascii_digit() {
            number_length(rest)
        } else if first.is_alphabetic() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else {
            MARKS.iter().find(|mark| rest.starts_with(**mark)).map_or(first.len_utf8(), |mark| mark.len())
        };
        let (word, after) = rest.split_at(length);
        words.push(word.to_owned());
        rest = after;
    }
    words
}

fn number_length(text: &str) -> usize {
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let exponent = matches!(previous, 'e' | 'E') && matches!(c, '+' | '-') && !text.starts_with("0x");
        if !(c.is_ascii_alphanumeric() || c == '.' || exponent) {
            return at;
        }
        previous = c;
    }
    text.len()
}

/// Base, rows and columns of the name of a scalar, vector or matrix.
pub(crate) fn numeric(name: &str) -> Option<(&str, usize, usize)> {
    let base = ["bool", "int", "uint", "float", "half"].into_iter().find(|base| {
        name.strip_prefix(base).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == 'x'))
    })?;
    let shape = &name[base.len()..];
    match shape.split_once('x') {
        Some((rows, columns)) => Some((base, rows.parse().ok()?, columns.parse().ok()?)),
        None if shape.is_empty() => Some((base, 1, 0)),
        None => Some((base, 1, shape.parse().ok()?)),
    }
}

struct Parser {
    words: Vec<String>,
    at: usize,
    /// Names of structures and type definitions.
    types: BTreeSet<String>,
    sites: usize,
}

impl Parser {
    fn peek(&self, ahead: usize) -> &str {
        self.words.get(self.at + ahead).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        let word = self.peek(0).to_owned();
        assert!(!word.is_empty(), "the text ends early");
        self.at += 1;
        word
    }

    fn take(&mut self, word: &str) -> bool {
        let taken = self.peek(0) == word;
        self.at += usize::from(taken);
        taken
    }

    fn expect(&mut self, word: &str) {
        let from = self.at.saturating_sub(12);
        let to = (self.at + 6).min(self.words.len());
        assert!(self.take(word), "{word} expected at word {} of {:?}", self.at - from, &self.words[from..to]);
    }

    fn name(&mut self) -> String {
        let name = self.next();
        assert!(name.starts_with(|c: char| c.is_alphabetic() || c == '_'), "{name} is no name");
        name
    }

    fn is_type(&self, name: &str) -> bool {
        const OPAQUE: [&str; 4] = ["void", "SamplerState", "SamplerComparisonState", "StructuredBuffer"];
        numeric(name).is_some()
            || OPAQUE.contains(&name)
            || name.contains("ByteAddressBuffer")
            || ["Texture", "RWTexture", "ConstantBuffer"].iter().any(|prefix| {
                name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || !rest.starts_with('_'))
            }) && !self.types.contains(name)
            || self.types.contains(name)
    }

    fn ty(&mut self) -> Type {
        while [
            "const",
            "static",
            "groupshared",
            "nointerpolation",
            "noperspective",
            "linear",
            "centroid",
            "sample",
            "row_major",
            "globallycoherent",
            "precise",
            "unorm",
            "snorm",
        ]
        .contains(&self.peek(0))
        {
            self.at += 1;
        }
        let name = self.name();
        let mut of = None;
        if self.take("<") {
            // `unorm float4` is the texel type of some storage textures.
            let mut inner = self.next();
            while self.peek(0) != ">" {
                inner = self.next();
            }
            self.expect(">");
            of = Some(inner);
        }
        Type { name, of, lengths: Vec::new() }
    }

    fn lengths(&mut self, ty: &mut Type) {
        while self.take("[") {
            ty.lengths.push(self.next().trim_end_matches('u').parse().expect("an array's length"));
            self.expect("]");
        }
    }

    fn top_level(&mut self, file: &mut File) {
        while self.take("[") {
            while self.next() != "]" {}
        }
        match self.peek(0) {
            ";" => self.at += 1,
            "struct" => {
                self.at += 1;
                let name = self.name();
                self.types.insert(name.clone());
                let fields = self.fields();
                self.expect(";");
                file.structs.push((name, fields));
            }
            "typedef" => {
                self.at += 1;
                let mut ty = self.ty();
                let name = self.name();
                self.lengths(&mut ty);
                self.expect(";");
                self.types.insert(name.clone());
                file.typedefs.push((name, ty));
            }
            "cbuffer" => {
                self.at += 1;
                self.name();
                let place = self.place().expect("a cbuffer has a register");
                let fields = self.fields();
                file.globals.push(Global::Constants { fields, place });
            }
            _ => self.variable_or_function(file),
        }
    }

    fn fields(&mut self) -> Vec<Field> {
        self.expect("{");
        let mut fields = Vec::new();
        while !self.take("}") {
            fields.push(self.field());
            // Several in one line, as in `float2 m_0; float2 m_1;`.
            self.expect(";");
        }
        fields
    }

    fn field(&mut self) -> Field {
        let mut ty = self.ty();
        let name = self.name();
        self.lengths(&mut ty);
        let semantic = self.take(":").then(|| self.name());
        Field { ty, name, semantic }
    }

    /// `: register(t0, space1)`.
    fn place(&mut self) -> Option<Place> {
        if !self.take(":") {
            return None;
        }
        self.expect("register");
        self.expect("(");
        let register = self.name();
        let class = register.chars().next().expect("a name has a letter");
        let mut place = Place { class, register: register[1..].parse().expect("a number"), space: 0 };
        if self.take(",") {
            let space = self.name();
            place.space = space.strip_prefix("space").and_then(|s| s.parse().ok()).expect("a space");
        }
        self.expect(")");
        Some(place)
    }

    fn variable_or_function(&mut self, file: &mut File) {
        let mut ty = self.ty();
        let name = self.name();
        if self.peek(0) == "(" {
            file.functions.push(self.function(ty, name));
            return;
        }
        self.lengths(&mut ty);
        if let Some(place) = self.place() {
            self.expect(";");
            file.globals.push(Global::Bound { ty, name, place });
            return;
        }
        let value = self.take("=").then(|| self.initializer());
        self.expect(";");
        file.globals.push(Global::Static { ty, name, value });
    }

    fn function(&mut self, result: Type, name: String) -> Function {
        self.expect("(");
        let mut parameters = Vec::new();
        while !self.take(")") {
            let direction = self.peek(0).to_owned();
            let written_back = direction == "out" || direction == "inout";
            self.at += usize::from(written_back || direction == "in");
            parameters.push(Parameter { field: self.field(), written_back });
            if self.peek(0) != ")" {
                self.expect(",");
            }
        }
        if self.take(":") {
            self.name();
        }
        let body = self.block();
        Function { name, result, parameters, body }
    }

    fn block(&mut self) -> Vec<Statement> {
        self.expect("{");
        let mut body = Vec::new();
        while !self.take("}") {
            body.push(self.statement());
        }
        body
    }

    /// A block, or one statement.
    fn body(&mut self) -> Vec<Statement> {
        if self.peek(0) == "{" { self.block() } else { vec![self.statement()] }
    }

    fn parenthesised(&mut self) -> Expression {
        self.expect("(");
        let expression = self.expression();
        self.expect(")");
        expression
    }

    fn statement(&mut self) -> Statement {
        while self.peek(0) == "[" {
            while self.next() != "]" {}
        }
        let word = self.peek(0).to_owned();
        let simple = match word.as_str() {
            "break" => Some(Statement::Break),
            "continue" => Some(Statement::Continue),
            "discard" => Some(Statement::Discard),
            _ => None,
        };
        if let Some(statement) = simple {
            self.at += 1;
            self.expect(";");
            return statement;
        }
        match word.as_str() {
            "{" => return Statement::Block(self.block()),
            ";" => {
                self.at += 1;
                return Statement::Block(Vec::new());
            }
            "if" => {
                self.at += 1;
                let condition = self.parenthesised();
                let then = self.body();
                let otherwise = if self.take("else") { self.body() } else { Vec::new() };
                return Statement::If { condition, then, otherwise };
            }
            "while" => {
                self.at += 1;
                let condition = self.parenthesised();
                return Statement::While { condition, body: self.body() };
            }
            "do" => {
                self.at += 1;
                let body = self.body();
                self.expect("while");
                let condition = self.parenthesised();
                self.expect(";");
                return Statement::DoWhile { condition, body };
            }
            "switch" => {
                self.at += 1;
                return self.switch();
            }
            "return" => {
                self.at += 1;
                let value = (self.peek(0) != ";").then(|| self.expression());
                self.expect(";");
                return Statement::Return(value);
            }
            _ => {}
        }
        let declares = word == "const"
            || self.is_type(&word) && self.peek(1).starts_with(|c: char| c.is_alphabetic() || c == '_')
            || self.is_type(&word) && self.peek(1) == "<";
        if declares {
            let mut ty = self.ty();
            let name = self.name();
            self.lengths(&mut ty);
            let value = self.take("=").then(|| self.initializer());
            self.expect(";");
            return Statement::Declare { ty, name, value };
        }
        let expression = self.expression();
        self.expect(";");
        Statement::Evaluate(expression)
    }

    fn switch(&mut self) -> Statement {
        let selector = self.parenthesised();
        self.expect("{");
        let mut cases: Vec<Case> = Vec::new();
        while !self.take("}") {
            let mut labels = Vec::new();
            loop {
                if self.take("case") {
                    labels.push(Some(self.expression()));
                } else if self.take("default") {
                    labels.push(None);
                } else {
                    break;
                }
                self.expect(":");
            }
            let mut body = Vec::new();
            while !["case", "default", "}"].contains(&self.peek(0)) {
                body.push(self.statement());
            }
            cases.push(Case { labels, body });
        }
        Statement::Switch { selector, cases }
    }

    fn initializer(&mut self) -> Expression {
        if self.peek(0) == "{" { self.list() } else { self.expression() }
    }

    fn list(&mut self) -> Expression {
        self.expect("{");
        let mut items = Vec::new();
        while !self.take("}") {
            items.push(self.initializer());
            self.take(",");
        }
        Expression::List(items)
    }

    fn expression(&mut self) -> Expression {
        const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
        let left = self.conditional();
        if !ASSIGNMENTS.contains(&self.peek(0)) {
            return left;
        }
        let operator = self.next();
        let value = Box::new(self.initializer());
        Expression::Assign { operator, target: Box::new(left), value }
    }

    fn conditional(&mut self) -> Expression {
        let condition = self.binary(0);
        if !self.take("?") {
            return condition;
        }
        let then = Box::new(self.conditional());
        self.expect(":");
        let otherwise = Box::new(self.conditional());
        Expression::Conditional { condition: Box::new(condition), then, otherwise }
    }

    fn binary(&mut self, level: usize) -> Expression {
        const LEVELS: [&[&str]; 10] = [
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<", ">", "<=", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        while operators.contains(&self.peek(0)) {
            let operator = self.next();
            let right = Box::new(self.binary(level + 1));
            left = Expression::Binary { operator, left: Box::new(left), right };
        }
        left
    }

    fn unary(&mut self) -> Expression {
        if let "-" | "!" | "~" | "+" = self.peek(0) {
            let operator = self.next().chars().next().expect("a mark");
            return Expression::Unary { operator, operand: Box::new(self.unary()) };
        }
        if self.peek(0) == "(" && self.is_type(self.peek(1)) && [")", "["].contains(&self.peek(2)) {
            self.expect("(");
            let mut ty = self.ty();
            self.lengths(&mut ty);
            self.expect(")");
            return Expression::Cast { ty, operand: Box::new(self.unary()) };
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Expression {
        let mut expression = self.primary();
        loop {
            let object = Box::new(expression);
            expression = if self.take("[") {
                let index = Box::new(self.expression());
                self.expect("]");
                Expression::Index { object, index }
            } else if self.take(".") {
                let name = self.name();
                if self.peek(0) == "(" {
                    let arguments = self.arguments();
                    let samples = name.starts_with("Sample") || name.starts_with("Gather");
                    let site = samples.then(|| {
                        self.sites += 1;
                        self.sites - 1
                    });
                    Expression::Method { object, name, arguments, site }
                } else {
                    Expression::Member { object, name }
                }
            } else {
                return *object;
            };
        }
    }

    fn arguments(&mut self) -> Vec<Expression> {
        self.expect("(");
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression());
            if self.peek(0) != ")" {
                self.expect(",");
            }
        }
        arguments
    }

    fn primary(&mut self) -> Expression {
        if self.peek(0) == "(" {
            return self.parenthesised();
        }
        if self.peek(0).starts_with(|c: char| c.is_ascii_digit()) {
            return Expression::Number(number(&self.next()));
        }
        let name = self.name();
        match name.as_str() {
            "true" | "false" => Expression::Number(Scalar::Bool(name == "true")),
            _ if self.peek(0) == "(" => Expression::Call { name, arguments: self.arguments() },
            _ => Expression::Name(name),
        }
    }
}

fn number(word: &str) -> Scalar {
    if let Some(hex) = word.strip_prefix("0x") {
        let digits = hex.trim_end_matches('u');
        return Scalar::Uint(u32::from_str_radix(digits, 16).expect("a hexadecimal number"));
    }
    if word.contains(['.', 'e']) {
        return Scalar::Float(word.trim_end_matches(['f', 'h']).parse().expect("a float"));
    }
    match word.strip_suffix('u') {
        Some(digits) => Scalar::Uint(digits.parse().expect("a uint")),
        // -2147483648 is written by its magnitude.
        None => Scalar::Int(word.parse().unwrap_or(i32::MIN)),
    }
}
