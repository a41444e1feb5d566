//! What a text of HLSL says, as a tree.

/// A type: a name, and the lengths of an array of it, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: String,
    /// The type between angle brackets, e.g. that of a texture's texels.
    pub(crate) of: Option<String>,
    pub(crate) lengths: Vec<usize>,
}

/// A register of a declaration: the letter of its class, its number, its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) class: char,
    pub(crate) register: u32,
    pub(crate) space: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) ty: Type,
    pub(crate) name: String,
    pub(crate) semantic: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) field: Field,
    /// `out` or `inout`.
    pub(crate) written_back: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) result: Type,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub(crate) enum Global {
    /// Something bound, e.g. a texture, or the one field of a `cbuffer`.
    Bound { ty: Type, name: String, place: Place },
    /// The fields of a `cbuffer`, each a name of its own.
    Constants { fields: Vec<Field>, place: Place },
    /// A static variable or a constant, or shared memory.
    Static { ty: Type, name: String, value: Option<Expression> },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) structs: Vec<(String, Vec<Field>)>,
    pub(crate) typedefs: Vec<(String, Type)>,
    pub(crate) globals: Vec<Global>,
    pub(crate) functions: Vec<Function>,
    /// How many calls that sample a texture the text has; each has a number below it.
    pub(crate) sample_sites: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Declare { ty: Type, name: String, value: Option<Expression> },
    Evaluate(Expression),
    If { condition: Expression, then: Vec<Statement>, otherwise: Vec<Statement> },
    While { condition: Expression, body: Vec<Statement> },
    DoWhile { condition: Expression, body: Vec<Statement> },
    Switch { selector: Expression, cases: Vec<Case> },
    Block(Vec<Statement>),
    Break,
    Continue,
    Return(Option<Expression>),
    Discard,
}

/// Labels of a switch (`None` is default) and what follows them; the next case follows where nothing breaks.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) labels: Vec<Option<Expression>>,
    pub(crate) body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(super::value::Scalar),
    Name(String),
    /// A function, a type's constructor or an intrinsic.
    Call {
        name: String,
        arguments: Vec<Expression>,
    },
    /// A method; `site` numbers those that sample.
    Method {
        object: Box<Expression>,
        name: String,
        arguments: Vec<Expression>,
        site: Option<usize>,
    },
    Member {
        object: Box<Expression>,
        name: String,
    },
    Index {
        object: Box<Expression>,
        index: Box<Expression>,
    },
    Unary {
        operator: char,
        operand: Box<Expression>,
    },
    Binary {
        operator: String,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Conditional {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    Assign {
        operator: String,
        target: Box<Expression>,
        value: Box<Expression>,
    },
    Cast {
        ty: Type,
        operand: Box<Expression>,
    },
    /// `{ a, b }`.
    List(Vec<Expression>),
}
