//! Values of HLSL, and their operators.

use std::collections::BTreeMap;

use heapstone_samplers::SamplerKind;

/// One component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar {
    Bool(bool),
    Int(i32),
    Uint(u32),
    Float(f32),
}

/// The types of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Bool,
    Int,
    Uint,
    Float,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Void,
    Scalar(Scalar),
    Vector(Vec<Scalar>),
    /// Rows.
    Matrix(Vec<Vec<Scalar>>),
    Array(Vec<Value>),
    Struct(BTreeMap<String, Value>),
    /// A sampler: its slot in the heap.
    Sampler(SamplerKind, usize),
    /// A slot of the bound heap, which becomes a sampler where one is declared.
    Descriptor(usize),
    /// A texture: its register, and the type of its texels.
    Texture(super::syntax::Place, String),
    /// A buffer of bytes.
    Bytes(super::syntax::Place),
}

impl Scalar {
    pub(crate) fn base(self) -> Base {
        match self {
            Scalar::Bool(_) => Base::Bool,
            Scalar::Int(_) => Base::Int,
            Scalar::Uint(_) => Base::Uint,
            Scalar::Float(_) => Base::Float,
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "HLSL's conversion of a float is Rust's: towards zero, within the type"
    )]
    pub(crate) fn to(self, base: Base) -> Scalar {
        match base {
            Base::Bool => Scalar::Bool(self.truth()),
            Base::Float => Scalar::Float(self.float()),
            Base::Int => Scalar::Int(match self {
                Scalar::Float(x) => x as i32,
                other => other.bits().cast_signed(),
            }),
            Base::Uint => Scalar::Uint(match self {
                Scalar::Float(x) => x as u32,
                other => other.bits(),
            }),
        }
    }

    pub(crate) fn bits(self) -> u32 {
        match self {
            Scalar::Bool(x) => u32::from(x),
            Scalar::Int(x) => x.cast_unsigned(),
            Scalar::Uint(x) => x,
            Scalar::Float(x) => x.to_bits(),
        }
    }

    pub(crate) fn of_bits(base: Base, bits: u32) -> Scalar {
        match base {
            Base::Bool => Scalar::Bool(bits != 0),
            Base::Int => Scalar::Int(bits.cast_signed()),
            Base::Uint => Scalar::Uint(bits),
            Base::Float => Scalar::Float(f32::from_bits(bits)),
        }
    }

    pub(crate) fn float(self) -> f32 {
        match self {
            Scalar::Bool(x) => f32::from(u8::from(x)),
            Scalar::Int(x) => x as f32,
            Scalar::Uint(x) => x as f32,
            Scalar::Float(x) => x,
        }
    }

    pub(crate) fn truth(self) -> bool {
        match self {
            Scalar::Bool(x) => x,
            Scalar::Float(x) => x != 0.0,
            other => other.bits() != 0,
        }
    }
}

impl Value {
    pub(crate) fn uint(x: u32) -> Value {
        Value::Scalar(Scalar::Uint(x))
    }

    /// The components of a scalar, vector or matrix.
    pub(crate) fn components(&self) -> Vec<Scalar> {
        match self {
            Value::Scalar(x) => vec![*x],
            Value::Vector(x) => x.clone(),
            Value::Matrix(rows) => rows.concat(),
            other => panic!("{other:?} has no components"),
        }
    }

    pub(crate) fn scalar(&self) -> Scalar {
        match self {
            Value::Scalar(x) => *x,
            Value::Vector(x) if x.len() == 1 => x[0],
            other => panic!("{other:?} is no scalar"),
        }
    }

    pub(crate) fn truth(&self) -> bool {
        self.scalar().truth()
    }

    /// As an index: HLSL takes it as a uint.
    pub(crate) fn index(&self) -> usize {
        usize::try_from(self.scalar().to(Base::Uint).bits()).expect("32 bits fit usize")
    }

    /// The same shape with each component changed.
    pub(crate) fn map(&self, change: impl Fn(Scalar) -> Scalar + Copy) -> Value {
        match self {
            Value::Scalar(x) => Value::Scalar(change(*x)),
            Value::Vector(x) => Value::Vector(x.iter().copied().map(change).collect()),
            Value::Matrix(rows) => {
                Value::Matrix(rows.iter().map(|row| row.iter().copied().map(change).collect()).collect())
            }
            other => panic!("{other:?} has no components"),
        }
    }

    /// Componentwise; a scalar goes with each component of the other.
    pub(crate) fn zip(&self, other: &Value, join: impl Fn(Scalar, Scalar) -> Scalar + Copy) -> Value {
        match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(join(*a, *b)),
            (Value::Scalar(a), b) => b.map(|b| join(*a, b)),
            (a, Value::Scalar(b)) => a.map(|a| join(a, *b)),
            (Value::Vector(a), Value::Vector(b)) => {
                Value::Vector(a.iter().zip(b).map(|(a, b)| join(*a, *b)).collect())
            }
            (Value::Matrix(a), Value::Matrix(b)) => Value::Matrix(
                a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| join(*a, *b)).collect()).collect(),
            ),
            (a, b) => panic!("{a:?} and {b:?} do not go together"),
        }
    }
}

/// The type of an operation: float before uint before int; bools are ints.
fn common(a: Scalar, b: Scalar) -> Base {
    let bases = [a.base(), b.base()];
    [Base::Float, Base::Uint].into_iter().find(|base| bases.contains(base)).unwrap_or(Base::Int)
}

/// A binary operator on components.
pub(crate) fn binary(operator: &str, a: Scalar, b: Scalar) -> Scalar {
    if let "&&" | "||" = operator {
        let (a, b) = (a.truth(), b.truth());
        return Scalar::Bool(if operator == "&&" { a && b } else { a || b });
    }
    if let "<<" | ">>" = operator {
        let amount = b.bits() & 31;
        return match (operator, a) {
            ("<<", a) => Scalar::of_bits(a.base(), a.bits() << amount),
            (_, Scalar::Int(a)) => Scalar::Int(a >> amount),
            (_, a) => Scalar::of_bits(a.base(), a.bits() >> amount),
        };
    }
    let base = common(a, b);
    match (a.to(base), b.to(base)) {
        (Scalar::Float(a), Scalar::Float(b)) => match operator {
            "+" => Scalar::Float(a + b),
            "-" => Scalar::Float(a - b),
            "*" => Scalar::Float(a * b),
            "/" => Scalar::Float(a / b),
            "%" => Scalar::Float(a % b),
            _ => Scalar::Bool(compared(operator, a.partial_cmp(&b))),
        },
        (Scalar::Uint(a), Scalar::Uint(b)) => match operator {
            "/" => Scalar::Uint(a.checked_div(b).unwrap_or(u32::MAX)),
            "%" => Scalar::Uint(a.checked_rem(b).unwrap_or(u32::MAX)),
            _ => integer(operator, a, b, Base::Uint, Some(a.cmp(&b))),
        },
        (Scalar::Int(a), Scalar::Int(b)) => match operator {
            "/" => Scalar::Int(a.checked_div(b).unwrap_or(-1)),
            "%" => Scalar::Int(a.checked_rem(b).unwrap_or(-1)),
            _ => integer(operator, a.cast_unsigned(), b.cast_unsigned(), Base::Int, Some(a.cmp(&b))),
        },
        other => panic!("{other:?} have not the common type {base:?}"),
    }
}

/// Operators whose bits do not depend on the sign.
fn integer(operator: &str, a: u32, b: u32, base: Base, order: Option<std::cmp::Ordering>) -> Scalar {
    let bits = match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        _ => return Scalar::Bool(compared(operator, order)),
    };
    Scalar::of_bits(base, bits)
}

fn compared(operator: &str, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match operator {
        "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        "<" => order == Some(Less),
        "<=" => matches!(order, Some(Less | Equal)),
        ">" => order == Some(Greater),
        ">=" => matches!(order, Some(Greater | Equal)),
        other => panic!("the interpreter has no operator {other}"),
    }
}
