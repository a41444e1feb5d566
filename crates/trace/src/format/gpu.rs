//! Calls of GPU work: serde's reading of their own fields, with those that every call has taken out first.

use core::fmt;
use std::io::{self, Write};

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};

use super::call::{Draft, of_field, shorten};
use super::fields::Field;
use crate::gpu::{GpuCall, GpuCallKind};

/// The fields of one call, `{...}`.
pub(super) struct GpuBodySeed<'a> {
    pub(super) kind: GpuCallKind,
    pub(super) draft: &'a mut Draft,
}

impl<'de> DeserializeSeed<'de> for GpuBodySeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for GpuBodySeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of {}", self.kind.name())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let GpuBodySeed { kind, draft } = self;
        *draft = Draft::new();
        let call = GpuCall::deserialize(Body { kind, draft: &mut *draft, map })
            .map_err(|error| without_field(kind, error))?;
        draft.check_gpu(kind)?;
        draft.gpu = Some(Box::new(call));
        Ok(())
    }
}

/// The call's fields as serde's enumeration of calls: the variant is known.
struct Body<'a, A> {
    kind: GpuCallKind,
    draft: &'a mut Draft,
    map: A,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Body<'_, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Body<'_, A> {
    type Error = A::Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), A::Error> {
        let name = StrDeserializer::<A::Error>::new(self.kind.name());
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Body<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        Err(no_struct())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value, A::Error> {
        Err(no_struct())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, A::Error> {
        Err(no_struct())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let Body { kind, draft, map } = self;
        visitor.visit_map(OwnFields { kind, fields, draft, map, name: "" })
    }
}

/// Every call is a variant with fields; serde asks for no other.
fn no_struct<E: de::Error>() -> E {
    E::custom("a call without fields, expected a call with fields")
}

/// The fields that are the call's own: those of every call go to the draft on the way.
struct OwnFields<'a, A> {
    kind: GpuCallKind,
    fields: &'static [&'static str],
    draft: &'a mut Draft,
    map: A,
    /// The field whose value comes next, for errors about it.
    name: &'static str,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for OwnFields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            let key = KeySeed { kind: self.kind, fields: self.fields, seed };
            match self.map.next_key_seed(key)? {
                None => return Ok(None),
                Some(Key::Own(name, value)) => {
                    self.name = name;
                    return Ok(Some(value));
                }
                Some(Key::Common(field, unused)) => {
                    self.draft.common(field, &mut self.map)?;
                    seed = unused;
                }
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed).map_err(|error| of_field(self.name, error))
    }
}

/// The name of a field.
struct KeySeed<K> {
    kind: GpuCallKind,
    fields: &'static [&'static str],
    seed: K,
}

enum Key<V, K> {
    Own(&'static str, V),
    Common(Field, K),
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<K> {
    type Value = Key<K::Value, K>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for KeySeed<K> {
    type Value = Key<K::Value, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        if let Some(own) = self.fields.iter().find(|field| **field == name) {
            let value = self.seed.deserialize(StrDeserializer::<E>::new(name))?;
            return Ok(Key::Own(own, value));
        }
        match common_field(self.kind, name) {
            Some(field) => Ok(Key::Common(field, self.seed)),
            None => Err(E::custom(format!(
                "the field `{}` of {}, expected one of {}",
                shorten(name),
                self.kind.name(),
                allowed(self.kind, self.fields)
            ))),
        }
    }
}

/// The field of every call that has the name.
fn common_field(kind: GpuCallKind, name: &str) -> Option<Field> {
    let field = Field::from_name(name)?;
    match field {
        Field::Id if kind.has_object() => Some(field),
        Field::Time | Field::Thread | Field::Refused | Field::Failed => Some(field),
        _ => None,
    }
}

fn allowed(kind: GpuCallKind, fields: &[&str]) -> String {
    let id = if kind.has_object() { &["id"][..] } else { &[] };
    [id, fields, &["t", "thread", "refused", "failed"]].concat().join(", ")
}

/// serde's word for a field that is not there, as the format's other calls have it.
#[cold]
fn without_field<E: de::Error>(kind: GpuCallKind, error: E) -> E {
    let message = error.to_string();
    match message.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
        Some((field, _)) => {
            E::custom(format_args!("{} without {field}, expected the field {field}", kind.name()))
        }
        None => error,
    }
}

/// The call's own fields, behind a comma where an `id` stands before them, without the braces around.
pub(super) fn write_fields(out: &mut Vec<u8>, call: &GpuCall) -> io::Result<()> {
    let text = serde_json::to_vec(call).map_err(io::Error::from)?;
    // `{"name":{` and `}}` around the fields.
    let before = call.kind().name().len() + 5;
    let fields = text.get(before..text.len().saturating_sub(2)).unwrap_or_default();
    if call.kind().has_object() && !fields.is_empty() {
        out.push(b',');
    }
    out.write_all(fields)
}
