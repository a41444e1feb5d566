//! The keys of a profile file: each once, with its type and the field it stands for. The loader, the
//! writer, [`Profile::entries`] and the test of `docs/profiles.md` all go through these two tables.

use heapstone_units::Bytes;

use super::{EngineAddressing, Profile, Segment, SwizzleFamily};
use crate::caps::{
    CrossNodeSharingTier, ProgrammableSamplePositionsTier, ResourceBindingTier, ResourceHeapTier,
    SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier,
};
use crate::commands::CommandListSupportFlags;
use crate::{MemoryPool, SegmentGroup};

/// A value as TOML has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Text(String),
    Integer(i128),
    Bool(bool),
}

/// The type of a key.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Text.
    Text,
    /// true or false.
    Flag,
    /// A number up to 2^32 - 1, and the range of it that a profile may have, in words.
    Count(&'static str),
    /// A number up to 2^32 - 1 that people write in hexadecimal.
    Id,
    /// A number up to 2^64 - 1 that is no size.
    Rate,
    /// Bytes.
    Size,
    /// Bytes, or the word `none`.
    SizeOrNone,
    /// A node's index, or the word `all`.
    NodeOrAll,
    /// One of some numbers.
    Tier(fn() -> String),
    /// One of some words.
    Name(fn() -> String),
    /// Some of some words, joined by ` | `, or `NONE`.
    Names(fn() -> String),
}

impl Kind {
    /// The name that `docs/profiles.md` gives the type.
    #[cfg(test)]
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Flag => "flag",
            Kind::Count(_) => "count",
            Kind::Id => "id",
            Kind::Rate => "rate",
            Kind::Size => "size",
            Kind::SizeOrNone => "size or none",
            Kind::NodeOrAll => "node or all",
            Kind::Tier(_) => "tier",
            Kind::Name(_) => "name",
            Kind::Names(_) => "names",
        }
    }

    /// What a value of the type may be, for an error.
    pub(super) fn allowed(self) -> String {
        const SIZE: &str = "bytes as an integer, or text like \"64 KiB\" or \"8 GiB\" (B, KiB, MiB, GiB, TiB, PiB, \
                            EiB), from 0 to 18446744073709551615 bytes";
        match self {
            Kind::Text => "text in quotes".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Count(range) => range.to_owned(),
            Kind::Id => "an integer from 0 to 0xffffffff".to_owned(),
            Kind::Rate => "an integer from 1 to 9223372036854775807".to_owned(),
            Kind::Size => SIZE.to_owned(),
            Kind::SizeOrNone => format!("{SIZE}, or \"none\""),
            Kind::NodeOrAll => "a node's index as an integer, or \"all\"".to_owned(),
            Kind::Tier(names) | Kind::Name(names) => format!("one of {}", names()),
            Kind::Names(names) => format!("some of {}, joined by \" | \", or \"NONE\"", names()),
        }
    }

    /// The scalar as the field's type takes it: a size written as text becomes its bytes.
    pub(super) fn resolve(self, scalar: Scalar) -> Scalar {
        match (self, &scalar) {
            (Kind::Size | Kind::SizeOrNone, Scalar::Text(text)) => {
                parse_size(text).map_or(scalar, Scalar::Integer)
            }
            _ => scalar,
        }
    }

    /// Whether a scalar that the field did not take is a number of its kind, too large or too small.
    pub(super) fn is_out_of_range(self, scalar: &Scalar) -> bool {
        let is_number = match self {
            Kind::Count(_) | Kind::Id | Kind::Rate | Kind::Size | Kind::SizeOrNone | Kind::NodeOrAll => true,
            Kind::Text | Kind::Flag | Kind::Tier(_) | Kind::Name(_) | Kind::Names(_) => false,
        };
        is_number && matches!(scalar, Scalar::Integer(_))
    }

    /// The value as a profile file has it.
    pub(super) fn toml(self, scalar: &Scalar) -> String {
        match (self, scalar) {
            (_, Scalar::Bool(flag)) => flag.to_string(),
            (_, Scalar::Text(text)) => toml::Value::String(text.clone()).to_string(),
            (Kind::Id, Scalar::Integer(number)) => format!("{number:#06x}"),
            (Kind::Size | Kind::SizeOrNone, Scalar::Integer(number)) => match u64::try_from(*number) {
                // TOML's integers end at 2^63 - 1, and a size in units is what people write.
                Ok(bytes) if !bytes.is_multiple_of(1024) && bytes <= i64::MAX.cast_unsigned() => {
                    bytes.to_string()
                }
                Ok(bytes) if bytes > 0 => format!("\"{}\"", Bytes(bytes)),
                _ => number.to_string(),
            },
            (_, Scalar::Integer(number)) => number.to_string(),
        }
    }

    /// The value for a reader.
    pub(super) fn plain(self, scalar: &Scalar) -> String {
        match (self, scalar) {
            (_, Scalar::Text(text)) => text.clone(),
            (Kind::Size | Kind::SizeOrNone, Scalar::Integer(number)) => {
                u64::try_from(*number).map_or_else(|_| number.to_string(), |bytes| Bytes(bytes).to_string())
            }
            _ => self.toml(scalar),
        }
    }
}

/// The bytes of a text like `8 GiB`, which may be more than 64 bits hold; `None` where it is none.
pub(super) fn parse_size(text: &str) -> Option<i128> {
    const UNITS: [(&str, u32); 7] =
        [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("PiB", 50), ("EiB", 60), ("B", 0)];
    let (digits, log2) = UNITS.iter().find_map(|(unit, log2)| Some((text.strip_suffix(unit)?, *log2)))?;
    let digits = digits.strip_suffix(' ').unwrap_or(digits);
    // `parse` alone would take a sign.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // More digits than 128 bits hold: too large, whatever it is.
    Some(digits.parse::<i128>().map_or(i128::MAX, |number| number.saturating_mul(1 << log2)))
}

/// A type that a key can have.
trait Leaf: Sized {
    /// The value, or `None` where the scalar is none of the type.
    fn read(scalar: &Scalar) -> Option<Self>;
    fn write(&self) -> Scalar;
}

impl Leaf for String {
    fn read(scalar: &Scalar) -> Option<String> {
        if let Scalar::Text(text) = scalar { Some(text.clone()) } else { None }
    }
    fn write(&self) -> Scalar {
        Scalar::Text(self.clone())
    }
}

impl Leaf for bool {
    fn read(scalar: &Scalar) -> Option<bool> {
        if let Scalar::Bool(flag) = scalar { Some(*flag) } else { None }
    }
    fn write(&self) -> Scalar {
        Scalar::Bool(*self)
    }
}

macro_rules! number_leaf {
    ($($number:ty, $none:literal;)*) => { $(
        impl Leaf for $number {
            fn read(scalar: &Scalar) -> Option<$number> {
                if let Scalar::Integer(number) = scalar { <$number>::try_from(*number).ok() } else { None }
            }
            fn write(&self) -> Scalar {
                Scalar::Integer(i128::from(*self))
            }
        }

        impl Leaf for Option<$number> {
            fn read(scalar: &Scalar) -> Option<Option<$number>> {
                if *scalar == Scalar::Text($none.to_owned()) { Some(None) } else { Leaf::read(scalar).map(Some) }
            }
            fn write(&self) -> Scalar {
                self.map_or_else(|| Scalar::Text($none.to_owned()), |number| number.write())
            }
        }
    )* };
}

number_leaf! { u32, "all"; u64, "none"; }

macro_rules! tier_leaf {
    ($($tier:ty),*) => { $(
        impl Leaf for $tier {
            fn read(scalar: &Scalar) -> Option<$tier> {
                <$tier>::try_from(u32::read(scalar)?).ok()
            }
            fn write(&self) -> Scalar {
                u32::from(*self).write()
            }
        }
    )* };
}

tier_leaf!(
    CrossNodeSharingTier,
    ProgrammableSamplePositionsTier,
    ResourceBindingTier,
    ResourceHeapTier,
    SamplerFeedbackTier,
    TightAlignmentTier,
    TiledResourcesTier
);

macro_rules! name_leaf {
    ($($name:ty),*) => { $(
        impl Leaf for $name {
            fn read(scalar: &Scalar) -> Option<$name> {
                if let Scalar::Text(text) = scalar { text.parse().ok() } else { None }
            }
            fn write(&self) -> Scalar {
                Scalar::Text(self.to_string())
            }
        }
    )* };
}

name_leaf!(SegmentGroup, MemoryPool, SwizzleFamily, EngineAddressing);

impl Leaf for CommandListSupportFlags {
    fn read(scalar: &Scalar) -> Option<CommandListSupportFlags> {
        let Scalar::Text(text) = scalar else { return None };
        // The text form takes bits without a name too.
        text.parse().ok().filter(|flags| CommandListSupportFlags::all().contains(*flags))
    }
    fn write(&self) -> Scalar {
        Scalar::Text(self.to_string())
    }
}

/// A key of the file and the field it stands for.
pub(super) struct Field<T> {
    /// The table the key is in; empty at the top.
    pub(super) table: &'static str,
    /// The key inside its table.
    pub(super) name: &'static str,
    /// Its type.
    pub(super) kind: Kind,
    /// The field's value.
    pub(super) get: fn(&T) -> Scalar,
    /// Sets the field; false where the scalar is none of the type.
    pub(super) set: fn(&mut T, &Scalar) -> bool,
}

impl<T> Field<T> {
    /// The key with `prefix` and its table before it.
    pub(super) fn key(&self, prefix: &str) -> String {
        [prefix, self.table, self.name]
            .iter()
            .filter(|part| !part.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(".")
    }
}

macro_rules! tiers {
    ($tier:ty) => {
        Kind::Tier(|| {
            <$tier>::ALL.iter().map(|tier| u32::from(*tier).to_string()).collect::<Vec<_>>().join(", ")
        })
    };
}

macro_rules! names {
    ($($name:expr),*) => {
        Kind::Name(|| [$($name.name()),*].join(", "))
    };
}

macro_rules! field {
    ($owner:ty, $table:expr, $name:expr, $kind:expr, $($path:ident).+) => {
        Field {
            table: $table,
            name: $name,
            kind: $kind,
            get: |owner: &$owner| Leaf::write(&owner.$($path).+),
            set: |owner: &mut $owner, scalar: &Scalar| match Leaf::read(scalar) {
                Some(value) => {
                    owner.$($path).+ = value;
                    true
                }
                None => false,
            },
        }
    };
}

macro_rules! fields {
    (
        top { $( $top:ident: $top_kind:expr, )* }
        $( $table:ident { $( $name:ident: $kind:expr, )* } )*
    ) => {
        /// The tables of a file, in the order in which they are written.
        pub(super) const TABLES: &[&str] = &[$( stringify!($table) ),*];

        /// Every key outside `[[memory.segments]]`, in the order in which they are written.
        pub(super) static FIELDS: &[Field<Profile>] = &[
            $( field!(Profile, "", stringify!($top), $top_kind, $top), )*
            $( $( field!(Profile, stringify!($table), stringify!($name), $kind, $table.$name), )* )*
        ];
    };
}

fields! {
    top {
        name: Kind::Text,
        description: Kind::Text,
    }
    identity {
        description: Kind::Text,
        vendor_id: Kind::Id,
        device_id: Kind::Id,
        subsystem_id: Kind::Id,
        revision: Kind::Id,
    }
    architecture {
        uma: Kind::Flag,
        cache_coherent_uma: Kind::Flag,
        tile_based_renderer: Kind::Flag,
        isolated_mmu: Kind::Flag,
    }
    caps {
        resource_heap_tier: tiers!(ResourceHeapTier),
        tiled_resources_tier: tiers!(TiledResourcesTier),
        resource_binding_tier: tiers!(ResourceBindingTier),
        standard_swizzle_64kb: Kind::Flag,
        cross_adapter_row_major_texture: Kind::Flag,
        msaa_64kb_aligned_texture: Kind::Flag,
        tight_alignment_tier: tiers!(TightAlignmentTier),
        gpu_upload_heap: Kind::Flag,
        cross_node_sharing_tier: tiers!(CrossNodeSharingTier),
        cross_node_atomic_shader_instructions: Kind::Flag,
        existing_heaps: Kind::Flag,
        unaligned_block_textures: Kind::Flag,
        enhanced_barriers: Kind::Flag,
        relaxed_format_casting: Kind::Flag,
        writeable_msaa_textures: Kind::Flag,
        sampler_feedback_tier: tiers!(SamplerFeedbackTier),
        protected_resource_sessions: Kind::Flag,
        programmable_sample_positions_tier: tiers!(ProgrammableSamplePositionsTier),
        copy_queue_timestamp_queries: Kind::Flag,
        write_buffer_immediate: Kind::Names(|| {
            CommandListSupportFlags::all().iter_names().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
        }),
        unrestricted_buffer_texture_copy_pitch: Kind::Flag,
        sample_count_max: Kind::Count("1, 2, 4, 8 or 16"),
        sampler_heap_descriptors_max: Kind::Count("an integer from 2048 to 1000000"),
    }
    memory {
        node_count: Kind::Count("an integer from 1 to 32"),
        budget_permille: Kind::Count("an integer from 1 to 1000"),
        shader_atomics_heap_bytes_max: Kind::Size,
    }
    gpu_va {
        bits_per_process: Kind::Count("an integer from 31 to 57"),
        bits_per_resource: Kind::Count("an integer from 31 to 57"),
    }
    layout {
        unknown_pattern: Kind::Name(|| SwizzleFamily::ALL.map(SwizzleFamily::name).join(", ")),
        image_alignment: Kind::Size,
        tight_buffer_alignment: Kind::Size,
        tight_texture_alignment: Kind::Size,
        render_target_metadata_ratio: Kind::Count("an integer from 0 to 4294967295"),
        depth_stencil_metadata_ratio: Kind::Count("an integer from 0 to 4294967295"),
    }
    limits {
        heap_size_max: Kind::SizeOrNone,
    }
    engines {
        direct: names!(EngineAddressing::GpuVa, EngineAddressing::Patched),
        compute: names!(EngineAddressing::GpuVa, EngineAddressing::Patched),
        copy: names!(EngineAddressing::GpuVa, EngineAddressing::Patched),
        slot_count: Kind::Count("an integer from 2 to 16777216"),
        aperture_size: Kind::Size,
    }
}

/// Every key of one of `[[memory.segments]]`.
pub(super) static SEGMENT_FIELDS: &[Field<Segment>] = &[
    field!(Segment, "", "name", Kind::Text, name),
    field!(Segment, "", "node", Kind::NodeOrAll, node),
    field!(Segment, "", "group", names!(SegmentGroup::Local, SegmentGroup::NonLocal), group),
    field!(Segment, "", "pool", names!(MemoryPool::L0, MemoryPool::L1), pool),
    field!(Segment, "", "size", Kind::Size, size),
    field!(Segment, "", "cpu_visible_size", Kind::Size, cpu_visible_size),
    field!(Segment, "", "bandwidth_bytes_per_second", Kind::Rate, bandwidth_bytes_per_second),
];

/// The key of the array of segments.
pub(super) const SEGMENTS: &str = "memory.segments";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_typed_by_hand() {
        for (text, want) in [
            ("64 KiB", Some(65_536)),
            ("64KiB", Some(65_536)),
            ("8 GiB", Some(8_589_934_592)),
            ("0 B", Some(0)),
            ("15 EiB", Some(17_293_822_569_102_704_640)),
            ("16 EiB", Some(1 << 64)),
            ("999999999999999999999999999999999999999999 KiB", Some(i128::MAX)),
            ("-1 KiB", None),
            ("+1 KiB", None),
            ("1.5 GiB", None),
            ("8 GB", None),
            ("8  GiB", None),
            ("KiB", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(parse_size(text), want, "{text:?}");
        }
    }

    #[test]
    fn sizes_are_written_as_they_can_be_read() {
        for (bytes, want) in [
            (0, "0"),
            (1, "1"),
            (65_536, "\"64 KiB\""),
            (25_601, "25601"),
            (i128::from(u64::MAX), "\"18446744073709551615 B\""),
        ] {
            assert_eq!(Kind::Size.toml(&Scalar::Integer(bytes)), want);
        }
    }
}
