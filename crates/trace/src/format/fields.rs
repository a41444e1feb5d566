//! The names of the format: the calls, and which fields each has.

macro_rules! names {
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $( $variant:ident = $text:literal ),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        $vis enum $name { $( $variant ),* }

        impl $name {
            /// All of them.
            $vis const ALL: &'static [$name] = &[$( $name::$variant ),*];

            /// The name in the file.
            #[must_use]
            $vis const fn name(self) -> &'static str {
                match self { $( $name::$variant => $text ),* }
            }

            /// The one of that name.
            #[must_use]
            $vis fn from_name(name: &str) -> Option<$name> {
                match name {
                    $( $text => Some($name::$variant), )*
                    _ => None,
                }
            }
        }
    };
}

names! {
    /// The calls of a trace, as the format names them.
    pub enum CallKind {
        CreateHeap = "create_heap",
        CreateCommittedResource = "create_committed_resource",
        CreatePlacedResource = "create_placed_resource",
        CreateReservedResource = "create_reserved_resource",
        RequestResource = "request_resource",
        Map = "map",
        Unmap = "unmap",
        SetName = "set_name",
        SetTag = "set_tag",
        Destroy = "destroy",
    }
}

names! {
    /// Every field of every call.
    pub(crate) enum Field {
        Id = "id",
        Heap = "heap",
        Offset = "offset",
        Width = "width",
        Size = "size",
        Type = "type",
        HeapType = "heap_type",
        Dimension = "dimension",
        Height = "height",
        DepthOrArraySize = "depth_or_array_size",
        MipLevels = "mip_levels",
        Format = "format",
        Flags = "flags",
        State = "state",
        Alignment = "alignment",
        SampleCount = "sample_count",
        SampleQuality = "sample_quality",
        Layout = "layout",
        MipRegion = "mip_region",
        BarrierLayout = "barrier_layout",
        ClearValue = "clear_value",
        CastableFormats = "castable_formats",
        HeapFlags = "heap_flags",
        CpuPageProperty = "cpu_page_property",
        MemoryPool = "memory_pool",
        CreationNodeMask = "creation_node_mask",
        VisibleNodeMask = "visible_node_mask",
        MadeHeap = "made_heap",
        Subresource = "subresource",
        ReadRange = "read_range",
        WrittenRange = "written_range",
        NoPointer = "no_pointer",
        Name = "name",
        Tag = "tag",
        Time = "t",
        Thread = "thread",
        Refused = "refused",
        Failed = "failed",
    }
}

/// A set of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldSet(u64);

impl FieldSet {
    pub(crate) const fn of(fields: &[Field]) -> FieldSet {
        let mut bits = 0;
        let mut at = 0;
        while at < fields.len() {
            bits |= 1 << fields[at] as u32;
            at += 1;
        }
        FieldSet(bits)
    }

    pub(crate) const fn has(self, field: Field) -> bool {
        self.0 >> field as u32 & 1 == 1
    }

    pub(crate) const fn union(self, other: FieldSet) -> FieldSet {
        FieldSet(self.0 | other.0)
    }

    pub(crate) const fn minus(self, other: FieldSet) -> FieldSet {
        FieldSet(self.0 & !other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn names(self) -> String {
        let names: Vec<_> = Field::ALL.iter().filter(|f| self.has(**f)).map(|f| f.name()).collect();
        names.join(", ")
    }
}

/// Fields of every line.
const COMMON: FieldSet =
    FieldSet::of(&[Field::Id, Field::Time, Field::Thread, Field::Refused, Field::Failed]);

const NODES: FieldSet = FieldSet::of(&[
    Field::CpuPageProperty,
    Field::MemoryPool,
    Field::CreationNodeMask,
    Field::VisibleNodeMask,
]);

const RESOURCE: FieldSet = FieldSet::of(&[
    Field::Dimension,
    Field::Alignment,
    Field::Width,
    Field::Height,
    Field::DepthOrArraySize,
    Field::MipLevels,
    Field::Format,
    Field::SampleCount,
    Field::SampleQuality,
    Field::Layout,
    Field::Flags,
    Field::MipRegion,
    Field::State,
    Field::BarrierLayout,
    Field::ClearValue,
    Field::CastableFormats,
]);

impl CallKind {
    /// The fields that the call may have.
    pub(crate) const fn allowed(self) -> FieldSet {
        let own = match self {
            CallKind::CreateHeap => {
                NODES.union(FieldSet::of(&[Field::Size, Field::Type, Field::Alignment, Field::Flags]))
            }
            CallKind::CreateCommittedResource => {
                RESOURCE.union(NODES).union(FieldSet::of(&[Field::HeapType, Field::HeapFlags]))
            }
            CallKind::CreatePlacedResource => RESOURCE.union(FieldSet::of(&[Field::Heap, Field::Offset])),
            CallKind::CreateReservedResource => RESOURCE,
            CallKind::RequestResource => {
                RESOURCE.union(FieldSet::of(&[Field::HeapType, Field::Heap, Field::Offset, Field::MadeHeap]))
            }
            CallKind::Map => FieldSet::of(&[Field::Subresource, Field::ReadRange, Field::NoPointer]),
            CallKind::Unmap => FieldSet::of(&[Field::Subresource, Field::WrittenRange]),
            CallKind::SetName => FieldSet::of(&[Field::Name]),
            CallKind::SetTag => FieldSet::of(&[Field::Tag]),
            CallKind::Destroy => FieldSet::of(&[]),
        };
        own.union(COMMON)
    }

    /// The fields that it must have.
    pub(crate) const fn required(self) -> FieldSet {
        match self {
            CallKind::CreateHeap => FieldSet::of(&[Field::Id, Field::Size]),
            CallKind::CreateCommittedResource
            | CallKind::CreateReservedResource
            | CallKind::RequestResource => FieldSet::of(&[Field::Id, Field::Width]),
            CallKind::CreatePlacedResource => FieldSet::of(&[Field::Id, Field::Heap, Field::Width]),
            CallKind::Map | CallKind::Unmap | CallKind::Destroy => FieldSet::of(&[Field::Id]),
            CallKind::SetName => FieldSet::of(&[Field::Id, Field::Name]),
            CallKind::SetTag => FieldSet::of(&[Field::Id, Field::Tag]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_required_field_is_allowed_and_every_field_is_used() {
        let mut used = FieldSet::default();
        for kind in CallKind::ALL {
            assert!(kind.required().minus(kind.allowed()).is_empty(), "{kind:?}");
            assert_eq!(CallKind::from_name(kind.name()), Some(*kind));
            used = used.union(kind.allowed());
        }
        assert!(FieldSet::of(Field::ALL).minus(used).is_empty());
        // A set is a word of 64 bits.
        assert!(Field::ALL.len() <= 64);
    }
}
