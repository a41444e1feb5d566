//! What the creation calls take: one structure for all versions of each call.

use heapstone_spec::{
    BarrierLayout, ClearValue, Format, HeapFlags, HeapProperties, HeapType, ResourceDesc, ResourceStates,
};

/// The state in which a resource begins: a state in the first two versions of the creation calls, a
/// layout in the third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InitialState {
    /// D3D12_RESOURCE_STATES.
    State(ResourceStates),
    /// D3D12_BARRIER_LAYOUT, of enhanced barriers.
    Layout(BarrierLayout),
}

impl InitialState {
    /// The state that a heap type asks for: GENERIC_READ on UPLOAD, COPY_DEST on READBACK, COMMON elsewhere.
    #[must_use]
    pub const fn for_heap_type(heap_type: HeapType) -> InitialState {
        InitialState::State(match heap_type {
            HeapType::Upload => ResourceStates::GENERIC_READ,
            HeapType::Readback => ResourceStates::COPY_DEST,
            HeapType::Default | HeapType::Custom | HeapType::GpuUpload => ResourceStates::COMMON,
        })
    }
}

/// What CreateCommittedResource 0 to 3 take (spec/2-resource-heaps.txt 152-159).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommittedResourceDesc<'a> {
    /// Of the implicit heap.
    pub heap_properties: HeapProperties,
    /// Of the implicit heap; no DENY flags.
    pub heap_flags: HeapFlags,
    /// The resource.
    pub resource: ResourceDesc,
    /// State or layout in which it begins.
    pub initial: InitialState,
    /// Of a render target or depth-stencil.
    pub clear_value: Option<ClearValue>,
    /// Formats, beyond its family, that views may have.
    pub castable_formats: &'a [Format],
}

/// What CreatePlacedResource 0 to 2 take beside heap and offset (spec/2-resource-heaps.txt 166-173).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedResourceDesc<'a> {
    /// The resource.
    pub resource: ResourceDesc,
    /// State or layout in which it begins.
    pub initial: InitialState,
    /// Of a render target or depth-stencil.
    pub clear_value: Option<ClearValue>,
    /// Formats, beyond its family, that views may have.
    pub castable_formats: &'a [Format],
}

/// What CreateReservedResource 0 to 2 take (spec/2-resource-heaps.txt 160-165).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReservedResourceDesc<'a> {
    /// The resource.
    pub resource: ResourceDesc,
    /// State or layout in which it begins.
    pub initial: InitialState,
    /// Of a render target or depth-stencil.
    pub clear_value: Option<ClearValue>,
    /// Formats, beyond its family, that views may have.
    pub castable_formats: &'a [Format],
}

impl CommittedResourceDesc<'static> {
    /// On one of the heap types, node 0, in the state that the type asks for.
    #[must_use]
    pub const fn new(heap_type: HeapType, resource: ResourceDesc) -> CommittedResourceDesc<'static> {
        CommittedResourceDesc {
            heap_properties: HeapProperties::new(heap_type),
            heap_flags: HeapFlags::empty(),
            resource,
            initial: InitialState::for_heap_type(heap_type),
            clear_value: None,
            castable_formats: &[],
        }
    }
}

impl PlacedResourceDesc<'static> {
    /// Beginning in COMMON.
    #[must_use]
    pub const fn new(resource: ResourceDesc) -> PlacedResourceDesc<'static> {
        PlacedResourceDesc {
            resource,
            initial: InitialState::State(ResourceStates::COMMON),
            clear_value: None,
            castable_formats: &[],
        }
    }
}

impl ReservedResourceDesc<'static> {
    /// Beginning in COMMON.
    #[must_use]
    pub const fn new(resource: ResourceDesc) -> ReservedResourceDesc<'static> {
        ReservedResourceDesc {
            resource,
            initial: InitialState::State(ResourceStates::COMMON),
            clear_value: None,
            castable_formats: &[],
        }
    }
}

/// What a resource begins with, whichever call creates it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'a> {
    pub(crate) initial: InitialState,
    pub(crate) clear_value: Option<&'a ClearValue>,
    pub(crate) castable_formats: &'a [Format],
}

macro_rules! begins {
    ($($name:ident),*) => {$(
        impl<'a> $name<'a> {
            pub(crate) const fn beginning(&'a self) -> Beginning<'a> {
                Beginning {
                    initial: self.initial,
                    clear_value: self.clear_value.as_ref(),
                    castable_formats: self.castable_formats,
                }
            }
        }
    )*};
}

begins!(CommittedResourceDesc, PlacedResourceDesc, ReservedResourceDesc);
