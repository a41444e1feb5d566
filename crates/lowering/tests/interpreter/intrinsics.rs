//! HLSL's own functions, as far as the corpus needs them.

use super::value::{Base, Scalar, Value, binary};

/// The result of an intrinsic.
pub(crate) fn call(name: &str, arguments: &[Value]) -> Value {
    let float = |f: fn(f32) -> f32| arguments[0].map(|x| Scalar::Float(f(x.float())));
    let bits = |base: Base| arguments[0].map(|x| Scalar::of_bits(base, x.bits()));
    match (name, arguments) {
        // It marks an index, and leaves it as it is.
        ("NonUniformResourceIndex", [index]) => index.clone(),
        ("min", [a, b]) => a.zip(b, |a, b| lesser(a, b, true)),
        ("max", [a, b]) => a.zip(b, |a, b| lesser(a, b, false)),
        ("clamp", [x, low, high]) => {
            x.zip(low, |x, low| lesser(x, low, false)).zip(high, |x, high| lesser(x, high, true))
        }
        ("saturate", [x]) => x.map(|x| Scalar::Float(x.float().clamp(0.0, 1.0))),
        ("abs", [x]) => x.map(|x| match x {
            Scalar::Int(x) => Scalar::Int(x.wrapping_abs()),
            Scalar::Float(x) => Scalar::Float(x.abs()),
            other => other,
        }),
        ("floor", _) => float(f32::floor),
        ("ceil", _) => float(f32::ceil),
        ("trunc", _) => float(f32::trunc),
        ("round", _) => float(f32::round_ties_even),
        ("frac", _) => float(|x| x - x.floor()),
        ("sqrt", _) => float(f32::sqrt),
        ("rsqrt", _) => float(|x| 1.0 / x.sqrt()),
        ("sin", _) => float(f32::sin),
        ("cos", _) => float(f32::cos),
        ("exp2", _) => float(f32::exp2),
        ("log2", _) => float(f32::log2),
        ("pow", [a, b]) => a.zip(b, |a, b| Scalar::Float(a.float().powf(b.float()))),
        ("step", [edge, x]) => edge.zip(x, |e, x| Scalar::Float(f32::from(u8::from(x.float() >= e.float())))),
        ("lerp", [a, b, t]) => {
            let way = b.zip(a, |b, a| Scalar::Float(b.float() - a.float()));
            let part = way.zip(t, |way, t| Scalar::Float(way.float() * t.float()));
            a.zip(&part, |a, part| Scalar::Float(a.float() + part.float()))
        }
        ("dot", [a, b]) => Value::Scalar(dot(&a.components(), &b.components())),
        ("length", [x]) => Value::Scalar(length(x)),
        ("normalize", [x]) => {
            let length = length(x).float();
            x.map(|x| Scalar::Float(x.float() / length))
        }
        ("mul", [Value::Vector(vector), Value::Matrix(rows)]) => {
            let column = |c: usize| rows.iter().map(|row| row[c]).collect::<Vec<_>>();
            Value::Vector((0..rows[0].len()).map(|c| dot(vector, &column(c))).collect())
        }
        ("mul", [Value::Matrix(rows), Value::Vector(vector)]) => {
            Value::Vector(rows.iter().map(|row| dot(row, vector)).collect())
        }
        ("any", [x]) => Value::Scalar(Scalar::Bool(x.components().iter().any(|x| x.truth()))),
        ("all", [x]) => Value::Scalar(Scalar::Bool(x.components().iter().all(|x| x.truth()))),
        // Neighbouring pixels see the same here.
        ("ddx" | "ddy" | "fwidth", [x]) => x.map(|_| Scalar::Float(0.0)),
        ("asuint", _) => bits(Base::Uint),
        ("asint", _) => bits(Base::Int),
        ("asfloat", _) => bits(Base::Float),
        ("countbits", [x]) => x.map(|x| Scalar::Uint(x.bits().count_ones())),
        ("firstbitlow", [x]) => x.map(|x| Scalar::Uint(x.bits().trailing_zeros())),
        ("GroupMemoryBarrierWithGroupSync", []) => Value::Void,
        _ => panic!("the interpreter has no function {name} of {} arguments", arguments.len()),
    }
}

fn lesser(a: Scalar, b: Scalar, least: bool) -> Scalar {
    let first = binary(if least { "<" } else { ">" }, a, b).truth();
    let base = binary("+", a, b).base();
    if first { a.to(base) } else { b.to(base) }
}

fn dot(a: &[Scalar], b: &[Scalar]) -> Scalar {
    let products = a.iter().zip(b).map(|(a, b)| binary("*", *a, *b));
    products.reduce(|sum, x| binary("+", sum, x)).expect("vectors have components")
}

fn length(x: &Value) -> Scalar {
    Scalar::Float(dot(&x.components(), &x.components()).float().sqrt())
}
