//! Where CopyTextureRegion copies from and to.

use heapstone_layout::PlacedFootprint;

use crate::resource::Resource;

/// What of a resource is copied (D3D12_TEXTURE_COPY_TYPE with its union; spec/2-resource-heaps.txt 271-284).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureCopyType {
    /// D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX: a subresource of a texture.
    SubresourceIndex(u32),
    /// D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT: rows in a buffer.
    PlacedFootprint(PlacedFootprint),
}

/// D3D12_TEXTURE_COPY_LOCATION (spec/2-resource-heaps.txt 276-284).
#[derive(Clone, Copy, Debug)]
pub struct TextureCopyLocation<'a> {
    /// A texture, or a buffer.
    pub resource: &'a Resource,
    /// What of it.
    pub copy_type: TextureCopyType,
}

impl<'a> TextureCopyLocation<'a> {
    /// A subresource of a texture.
    #[must_use]
    pub const fn subresource(resource: &'a Resource, subresource: u32) -> TextureCopyLocation<'a> {
        TextureCopyLocation { resource, copy_type: TextureCopyType::SubresourceIndex(subresource) }
    }

    /// Rows in a buffer.
    #[must_use]
    pub const fn footprint(resource: &'a Resource, footprint: PlacedFootprint) -> TextureCopyLocation<'a> {
        TextureCopyLocation { resource, copy_type: TextureCopyType::PlacedFootprint(footprint) }
    }
}
