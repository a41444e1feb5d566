//! How D3D12's structures stand in text: small ones of numbers as lists, in the order of D3D12's fields.
//! Floats that JSON has no number for are the texts `NaN`, `inf` and `-inf`.

use core::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::commands::{BarrierSubresourceRange, Box3D, Rect};
use crate::tiles::TiledResourceCoordinate;

macro_rules! as_list {
    ($name:ident, [$number:ty; $count:literal], $( $field:ident ),*) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                [$( self.$field ),*].serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let [$( $field ),*] = <[$number; $count]>::deserialize(deserializer)?;
                Ok($name { $( $field ),* })
            }
        }
    };
}

as_list!(Box3D, [u32; 6], left, top, front, right, bottom, back);
as_list!(Rect, [i32; 4], left, top, right, bottom);
as_list!(TiledResourceCoordinate, [u32; 4], x, y, z, subresource);
as_list!(
    BarrierSubresourceRange,
    [u32; 6],
    index_or_first_mip_level,
    num_mip_levels,
    first_array_slice,
    num_array_slices,
    first_plane,
    num_planes
);

/// A number, or one of the texts that stand for what JSON has no number for.
#[derive(Clone, Copy)]
struct Float(f32);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Float(value) = *self;
        if value.is_nan() {
            serializer.serialize_str("NaN")
        } else if value.is_infinite() {
            serializer.serialize_str(if value > 0.0 { "inf" } else { "-inf" })
        } else {
            serializer.serialize_f32(value)
        }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Float, D::Error> {
        struct FloatVisitor;
        impl Visitor<'_> for FloatVisitor {
            type Value = Float;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
            }
            // The nearest 32-bit float is what the field holds; nothing smaller is meant.
            #[allow(clippy::cast_possible_truncation)]
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Float, E> {
                Ok(Float(value as f32))
            }
            #[allow(clippy::cast_precision_loss)]
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Float, E> {
                Ok(Float(value as f32))
            }
            #[allow(clippy::cast_precision_loss)]
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Float, E> {
                Ok(Float(value as f32))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Float, E> {
                match text {
                    "NaN" => Ok(Float(f32::NAN)),
                    "inf" => Ok(Float(f32::INFINITY)),
                    "-inf" => Ok(Float(f32::NEG_INFINITY)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(FloatVisitor)
    }
}

/// `#[serde(with = "float")]` of a field of type f32.
pub mod float {
    use super::{Deserialize, Deserializer, Float, Serialize, Serializer};

    /// As a number or a text.
    ///
    /// # Errors
    /// The serializer's.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over so")]
    pub fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        Float(*value).serialize(serializer)
    }

    /// From a number or a text.
    ///
    /// # Errors
    /// Where it is neither.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        Ok(Float::deserialize(deserializer)?.0)
    }
}

/// `#[serde(with = "floats")]` of a field of four floats.
pub mod floats {
    use super::{Deserialize, Deserializer, Float, Serialize, Serializer};

    /// As a list.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(values: &[f32; 4], serializer: S) -> Result<S::Ok, S::Error> {
        values.map(Float).serialize(serializer)
    }

    /// From a list.
    ///
    /// # Errors
    /// Where it is none of four numbers.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f32; 4], D::Error> {
        Ok(<[Float; 4]>::deserialize(deserializer)?.map(|float| float.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_lists_in_the_order_of_their_fields() {
        let texels = Box3D { left: 1, top: 2, front: 3, right: 4, bottom: 5, back: 6 };
        assert_eq!(serde_json::to_string(&texels).unwrap(), "[1,2,3,4,5,6]");
        assert_eq!(serde_json::from_str::<Box3D>("[1,2,3,4,5,6]").unwrap(), texels);
        assert_eq!(serde_json::from_str::<Rect>("[-1,0,4,4]").unwrap(), Rect::new(-1, 0, 4, 4));
        let tile = TiledResourceCoordinate::new(7, 8, 9, 10);
        assert_eq!(serde_json::to_string(&tile).unwrap(), "[7,8,9,10]");
        assert!(serde_json::from_str::<Rect>("[1,2,3]").is_err());
        assert!(serde_json::from_str::<Rect>("[1,2,3,4,5]").is_err());
    }

    #[test]
    fn floats_without_a_number_are_texts() {
        let texts = ["1.5", "\"NaN\"", "\"inf\"", "\"-inf\"", "-0.0"];
        for text in texts {
            let value: Float = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
        }
        assert!(serde_json::from_str::<Float>("\"one\"").is_err());
    }
}
