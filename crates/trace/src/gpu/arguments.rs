//! Arguments that are structures in D3D12, with objects by their numbers.

use heapstone::{PlacedFootprint, TextureCopyType};
use heapstone_spec::commands::{
    ALL_SUBRESOURCES, BarrierAccess, BarrierSubresourceRange, BarrierSync, Rect, ResourceBarrierFlags,
    TextureBarrierFlags,
};
use heapstone_spec::{BarrierLayout, Format, ResourceStates};
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::model::TraceId;

/// A descriptor: `[heap, index]`, or `[null, handle]` of a handle that led into no heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DescriptorPlaceArguments(
    /// The descriptor heap.
    pub Option<TraceId>,
    /// Descriptors from its first; without a heap the handle as it was given.
    pub u64,
);

/// An address: `[object, offset]` of a heap or a buffer, or `[null, address]` where nobody had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AddressPlace(
    /// The heap, or the committed or reserved buffer.
    pub Option<TraceId>,
    /// Bytes from its first; without an object the address as it was given.
    pub u64,
);

/// One side of CopyDescriptors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptorRangesArguments {
    /// The first descriptor of each range.
    pub starts: Box<[DescriptorPlaceArguments]>,
    /// Descriptors of each range; `None` is D3D12's NULL: one each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Box<[u32]>>,
}

/// D3D12_TEXTURE_COPY_LOCATION.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "CopyLocationText", into = "CopyLocationText")]
pub struct CopyLocationArguments {
    /// A texture, or a buffer.
    pub resource: TraceId,
    /// What of it.
    pub copy_type: TextureCopyType,
}

/// It as it stands in the file: with one of subresource and footprint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CopyLocationText {
    resource: TraceId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subresource: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    footprint: Option<FootprintArguments>,
}

impl TryFrom<CopyLocationText> for CopyLocationArguments {
    type Error = &'static str;

    fn try_from(text: CopyLocationText) -> Result<CopyLocationArguments, &'static str> {
        let copy_type = match (text.subresource, text.footprint) {
            (Some(subresource), None) => TextureCopyType::SubresourceIndex(subresource),
            (None, Some(footprint)) => TextureCopyType::PlacedFootprint(footprint.into()),
            (None, None) => return Err("neither subresource nor footprint, expected one of them"),
            (Some(_), Some(_)) => return Err("both subresource and footprint, expected one of them"),
        };
        Ok(CopyLocationArguments { resource: text.resource, copy_type })
    }
}

impl From<CopyLocationArguments> for CopyLocationText {
    fn from(location: CopyLocationArguments) -> CopyLocationText {
        let (subresource, footprint) = match location.copy_type {
            TextureCopyType::SubresourceIndex(subresource) => (Some(subresource), None),
            TextureCopyType::PlacedFootprint(footprint) => (None, Some(footprint.into())),
        };
        CopyLocationText { resource: location.resource, subresource, footprint }
    }
}

/// D3D12_PLACED_SUBRESOURCE_FOOTPRINT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintArguments {
    /// Of the first row in the buffer, in bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: u64,
    /// Of the plane.
    pub format: Format,
    /// In texels.
    pub width: u32,
    /// In texels.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub height: u32,
    /// In texels.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub depth: u32,
    /// In bytes.
    pub row_pitch: u32,
}

const fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over so")]
const fn is_one(value: &u32) -> bool {
    *value == 1
}

impl From<FootprintArguments> for PlacedFootprint {
    fn from(given: FootprintArguments) -> PlacedFootprint {
        let FootprintArguments { offset, format, width, height, depth, row_pitch } = given;
        PlacedFootprint { offset, format, width, height, depth, row_pitch }
    }
}

impl From<PlacedFootprint> for FootprintArguments {
    fn from(given: PlacedFootprint) -> FootprintArguments {
        let PlacedFootprint { offset, format, width, height, depth, row_pitch } = given;
        FootprintArguments { offset, format, width, height, depth, row_pitch }
    }
}

/// D3D12_DISCARD_REGION.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscardRegionArguments {
    /// In texels of each subresource; none: all of it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rects: Box<[Rect]>,
    /// The first subresource.
    #[serde(default, skip_serializing_if = "is_default")]
    pub first_subresource: u32,
    /// How many.
    pub num_subresources: u32,
}

const fn all_subresources() -> u32 {
    ALL_SUBRESOURCES
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over so")]
const fn is_all(subresource: &u32) -> bool {
    *subresource == ALL_SUBRESOURCES
}

/// D3D12_RESOURCE_BARRIER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ResourceBarrierArguments {
    /// D3D12_RESOURCE_TRANSITION_BARRIER.
    Transition {
        /// The resource.
        resource: TraceId,
        /// One of its subresources, or all.
        #[serde(default = "all_subresources", skip_serializing_if = "is_all")]
        subresource: u32,
        /// The state before.
        #[serde(default, skip_serializing_if = "is_default")]
        before: ResourceStates,
        /// The state after.
        #[serde(default, skip_serializing_if = "is_default")]
        after: ResourceStates,
        /// Halves of a split barrier.
        #[serde(default, skip_serializing_if = "is_default")]
        flags: ResourceBarrierFlags,
    },
    /// D3D12_RESOURCE_ALIASING_BARRIER; `None` is NULL: any.
    Aliasing {
        /// Used until now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<TraceId>,
        /// Used from now on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<TraceId>,
        /// Halves of a split barrier.
        #[serde(default, skip_serializing_if = "is_default")]
        flags: ResourceBarrierFlags,
    },
    /// D3D12_RESOURCE_UAV_BARRIER; `None` is NULL: any.
    Uav {
        /// The resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resource: Option<TraceId>,
        /// Halves of a split barrier.
        #[serde(default, skip_serializing_if = "is_default")]
        flags: ResourceBarrierFlags,
    },
}

/// D3D12_BARRIER_GROUP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierGroupArguments {
    /// For all memory.
    Global(Box<[GlobalBarrierArguments]>),
    /// For textures.
    Texture(Box<[TextureBarrierArguments]>),
    /// For buffers.
    Buffer(Box<[BufferBarrierArguments]>),
}

/// D3D12_GLOBAL_BARRIER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlobalBarrierArguments {
    /// What is waited for.
    pub sync_before: BarrierSync,
    /// Who waits.
    pub sync_after: BarrierSync,
    /// The accesses before.
    pub access_before: BarrierAccess,
    /// The accesses after.
    pub access_after: BarrierAccess,
}

/// D3D12_TEXTURE_BARRIER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureBarrierArguments {
    /// What is waited for.
    pub sync_before: BarrierSync,
    /// Who waits.
    pub sync_after: BarrierSync,
    /// The accesses before.
    pub access_before: BarrierAccess,
    /// The accesses after.
    pub access_after: BarrierAccess,
    /// The layout before.
    pub layout_before: BarrierLayout,
    /// The layout after.
    pub layout_after: BarrierLayout,
    /// The texture.
    pub resource: TraceId,
    /// Of it.
    pub subresources: BarrierSubresourceRange,
    /// DISCARD.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flags: TextureBarrierFlags,
}

/// D3D12_BUFFER_BARRIER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferBarrierArguments {
    /// What is waited for.
    pub sync_before: BarrierSync,
    /// Who waits.
    pub sync_after: BarrierSync,
    /// The accesses before.
    pub access_before: BarrierAccess,
    /// The accesses after.
    pub access_after: BarrierAccess,
    /// The buffer.
    pub resource: TraceId,
    /// In bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: u64,
    /// In bytes.
    pub size: u64,
}
