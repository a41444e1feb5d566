//! The types of a text: values of them, and how they lie in constant buffers.

use std::collections::BTreeMap;

use heapstone_samplers::SamplerKind;

use super::parse::numeric;
use super::syntax::{Field, File, Type};
use super::value::{Base, Scalar, Value};

/// The structures and type definitions of a text.
#[derive(Clone, Copy)]
pub(crate) struct Types<'f>(pub(crate) &'f File);

impl<'f> Types<'f> {
    fn resolved(&self, ty: &Type) -> Type {
        let Some((_, of)) = self.0.typedefs.iter().find(|(name, _)| *name == ty.name) else {
            return ty.clone();
        };
        let lengths = ty.lengths.iter().chain(&of.lengths).copied().collect();
        Type { lengths, ..of.clone() }
    }

    pub(crate) fn zero(&self, ty: &Type) -> Value {
        let ty = self.resolved(ty);
        if let Some((first, rest)) = ty.lengths.split_first() {
            let element = Type { lengths: rest.to_vec(), ..ty.clone() };
            return Value::Array(vec![self.zero(&element); *first]);
        }
        if let Some((base, rows, columns)) = numeric(&ty.name) {
            return constructed(base_of(base), rows, columns, &[Value::Scalar(Scalar::Int(0))]);
        }
        let fields = self.structure(&ty.name);
        Value::Struct(fields.iter().map(|field| (field.name.clone(), self.zero(&field.ty))).collect())
    }

    pub(crate) fn structure(&self, name: &str) -> &'f [Field] {
        let found = self.0.structs.iter().find(|(of, _)| of == name);
        &found.unwrap_or_else(|| panic!("no structure {name}")).1
    }

    pub(crate) fn converted(&self, ty: &Type, value: Value) -> Value {
        let ty = self.resolved(ty);
        if !ty.lengths.is_empty() {
            let Value::Array(items) = value else { panic!("{value:?} becomes an array") };
            assert_eq!(items.len(), ty.lengths[0], "an initializer's length");
            let element = Type { lengths: ty.lengths[1..].to_vec(), ..ty.clone() };
            return Value::Array(items.into_iter().map(|item| self.converted(&element, item)).collect());
        }
        if let Some((base, rows, columns)) = numeric(&ty.name) {
            return constructed(base_of(base), rows, columns, &[value]);
        }
        match (ty.name.as_str(), &value) {
            ("SamplerState", Value::Descriptor(slot)) => return Value::Sampler(SamplerKind::Standard, *slot),
            ("SamplerComparisonState", Value::Descriptor(slot)) => {
                return Value::Sampler(SamplerKind::Comparison, *slot);
            }
            ("SamplerState", Value::Sampler(kind, _)) => assert_eq!(*kind, SamplerKind::Standard),
            ("SamplerComparisonState", Value::Sampler(kind, _)) => assert_eq!(*kind, SamplerKind::Comparison),
            ("SamplerState" | "SamplerComparisonState", other) => panic!("{other:?} becomes a sampler"),
            _ => {}
        }
        if let Value::Array(items) = value {
            let names = self.structure(&ty.name).iter();
            return Value::Struct(
                names.zip(items).map(|(f, item)| (f.name.clone(), self.converted(&f.ty, item))).collect(),
            );
        }
        value
    }

    /// A value from a constant buffer, at a dword.
    pub(crate) fn read(&self, ty: &Type, dwords: &[u32], at: usize) -> Value {
        let ty = self.resolved(ty);
        if let Some((length, rest)) = ty.lengths.split_first() {
            let element = Type { lengths: rest.to_vec(), ..ty.clone() };
            let stride = self.size(&element).next_multiple_of(4);
            return Value::Array(
                (0..*length).map(|i| self.read(&element, dwords, at + i * stride)).collect(),
            );
        }
        let word = |at: usize| dwords.get(at).copied().unwrap_or(0);
        if let Some((base, rows, columns)) = numeric(&ty.name) {
            let row = |row: usize| -> Vec<Scalar> {
                (0..columns.max(1)).map(|c| Scalar::of_bits(base_of(base), word(at + row * 4 + c))).collect()
            };
            return match (rows, columns) {
                (1, 0) => Value::Scalar(row(0)[0]),
                (1, _) => Value::Vector(row(0)),
                _ => Value::Matrix((0..rows).map(row).collect()),
            };
        }
        self.laid_out(self.structure(&ty.name), dwords, at)
    }

    /// Fields by HLSL's packing of constant buffers: no vector crosses 16 bytes; arrays, matrices and structures
    /// begin at a multiple of 16.
    pub(crate) fn laid_out(&self, fields: &[Field], dwords: &[u32], start: usize) -> Value {
        let mut at = start;
        let mut values = BTreeMap::new();
        for field in fields {
            let (offset, end) = self.packed(&field.ty, at);
            values.insert(field.name.clone(), self.read(&field.ty, dwords, offset));
            at = end;
        }
        Value::Struct(values)
    }

    /// Where a field of a constant buffer begins and ends, in dwords.
    fn packed(&self, ty: &Type, at: usize) -> (usize, usize) {
        let size = self.size(ty);
        let resolved = self.resolved(ty);
        let vector = resolved.lengths.is_empty() && matches!(numeric(&resolved.name), Some((_, 1, _)));
        let crosses = at % 4 + size > 4;
        let offset = if !vector || crosses { at.next_multiple_of(4) } else { at };
        (offset, offset + size)
    }

    /// Dwords of a value in a constant buffer.
    fn size(&self, ty: &Type) -> usize {
        let ty = self.resolved(ty);
        if let Some((length, rest)) = ty.lengths.split_first() {
            let element = self.size(&Type { lengths: rest.to_vec(), ..ty.clone() });
            return element.next_multiple_of(4) * (length - 1) + element;
        }
        match numeric(&ty.name) {
            Some((_, rows, columns)) => (rows - 1) * 4 + columns.max(1),
            None => self.structure(&ty.name).iter().fold(0, |at, field| self.packed(&field.ty, at).1),
        }
    }
}

pub(crate) fn base_of(name: &str) -> Base {
    match name {
        "bool" => Base::Bool,
        "int" => Base::Int,
        "uint" => Base::Uint,
        _ => Base::Float,
    }
}

/// A number of a type from components; one alone fills it.
pub(crate) fn constructed(base: Base, rows: usize, columns: usize, values: &[Value]) -> Value {
    let mut all: Vec<Scalar> =
        values.iter().flat_map(Value::components).map(|component| component.to(base)).collect();
    let count = rows * columns.max(1);
    if all.len() == 1 {
        all = vec![all[0]; count];
    }
    assert!(all.len() >= count, "{} components for {count}", all.len());
    match (rows, columns) {
        (1, 0) => Value::Scalar(all[0]),
        (1, _) => Value::Vector(all[..columns].to_vec()),
        _ => Value::Matrix(all.chunks(columns).take(rows).map(<[Scalar]>::to_vec).collect()),
    }
}
