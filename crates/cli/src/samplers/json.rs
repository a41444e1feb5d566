//! JSON as it is meant: objects are objects, numbers fit, and what is wrong is told in the file's words.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// An object: serde reads a structure's fields from a list without names, too.
#[derive(Debug, Default)]
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Object<T>, M::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_any(Fields(PhantomData))
    }
}

/// A number of 32 bits, or the text of one that JSON has not. One that is too large would be read as infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number(pub(super) f32);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number that a float of 32 bits holds, \"NaN\", \"inf\" or \"-inf\"")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
                // The nearest float is what the field holds; nothing smaller is meant.
                #[allow(clippy::cast_possible_truncation, reason = "what it loses is looked at")]
                let nearest = value as f32;
                if nearest.is_finite() {
                    Ok(Number(nearest))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(value), &self))
                }
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
                // Every integer of 64 bits has a near float.
                #[allow(clippy::cast_precision_loss, reason = "the nearest float is meant")]
                Ok(Number(value as f32))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
                #[allow(clippy::cast_precision_loss, reason = "the nearest float is meant")]
                Ok(Number(value as f32))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                match text {
                    "NaN" => Ok(Number(f32::NAN)),
                    "inf" => Ok(Number(f32::INFINITY)),
                    "-inf" => Ok(Number(f32::NEG_INFINITY)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}
