//! Rules of copies between resources.

use crate::message;

rules! {
    BUFFER_DESTINATION = "copy.buffer.destination" {
        statement: "CopyBufferRegion copies to a buffer.",
        remedy: "Use CopyTextureRegion for textures.",
        message: Some(message::COPYBUFFERREGION_INVALIDDSTRESOURCEDIMENSION),
        source: "Microsoft's public D3D12 documentation, CopyBufferRegion",
    }
    BUFFER_SOURCE = "copy.buffer.source" {
        statement: "CopyBufferRegion copies from a buffer.",
        remedy: "Use CopyTextureRegion for textures.",
        message: Some(message::COPYBUFFERREGION_INVALIDSRCRESOURCEDIMENSION),
        source: "Microsoft's public D3D12 documentation, CopyBufferRegion",
    }
    BUFFER_DESTINATION_RANGE = "copy.buffer.destination.range" {
        statement: "The bytes that CopyBufferRegion writes lie in the destination.",
        remedy: "Copy fewer bytes, or to an earlier offset.",
        message: Some(message::COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS),
        source: "Microsoft's public D3D12 documentation, CopyBufferRegion",
    }
    BUFFER_SOURCE_RANGE = "copy.buffer.source.range" {
        statement: "The bytes that CopyBufferRegion reads lie in the source.",
        remedy: "Copy fewer bytes, or from an earlier offset.",
        message: Some(message::COPYBUFFERREGION_SRCRANGEOUTOFBOUNDS),
        source: "Microsoft's public D3D12 documentation, CopyBufferRegion",
    }
    BUFFER_OVERLAP = "copy.buffer.overlap" {
        statement: "The bytes that CopyBufferRegion reads are not those that it writes.",
        remedy: "Copy through another buffer, or in parts that do not overlap.",
        message: Some(message::COPY_ON_SAME_SUBRESOURCE),
        source: "Microsoft's public D3D12 enhanced-barriers specification: what a copy within one resource writes where its regions overlap is undefined",
    }
    DESTINATION_HEAP = "copy.destination.heap" {
        statement: "Nothing on an UPLOAD heap is written by the GPU.",
        remedy: "Copy to a DEFAULT, READBACK or CUSTOM heap.",
        message: Some(message::COPYBUFFERREGION_INVALID_DST_RESOURCE),
        source: "facts/behaviour.md, Creation: the states of UPLOAD heaps are read states",
    }
    SOURCE_HEAP = "copy.source.heap" {
        statement: "Nothing on a READBACK heap is read by the GPU.",
        remedy: "Copy from a DEFAULT, UPLOAD or CUSTOM heap.",
        message: Some(message::COPYBUFFERREGION_INVALID_SRC_RESOURCE),
        source: "facts/behaviour.md, Creation: a READBACK heap's state is COPY_DEST",
    }
    TEXTURE_KIND = "copy.texture.kind" {
        statement: "A subresource index selects a part of a texture, a placed footprint a part of a buffer.",
        remedy: "Give a footprint for a buffer, a subresource index for a texture.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTRESOURCEDIMENSION),
        source: "spec/2-resource-heaps.txt 271-284",
    }
    TEXTURE_SUBRESOURCE = "copy.texture.subresource" {
        statement: "A subresource index is below mips x slices x planes.",
        remedy: "Give the index of a subresource that the texture has.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTSUBRESOURCE),
        source: "facts/layout.md, Tiling: the order of subresources",
    }
    TEXTURE_OPAQUE = "copy.texture.opaque" {
        statement: "An engine copies elements where the driver tells how they lie.",
        remedy: "Use a driver that tells the layout of such a texture.",
        message: None,
        source: "chosen, because the driver interface lets a driver keep a layout to itself",
    }
    FOOTPRINT_OFFSET = "copy.footprint.offset" {
        statement: "A footprint's offset is a multiple of 512; of its element's bytes where the adapter has UnrestrictedBufferTextureCopyPitchSupported.",
        remedy: "Round the offset in the buffer up to D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTOFFSET),
        source: "spec/2-resource-heaps.txt 255, 265-268; Microsoft's public VulkanOn12 specification, Unrestricted Buffer Texture Copy Row Pitch and Offset",
    }
    FOOTPRINT_FORMAT = "copy.footprint.format" {
        statement: "A footprint's format has one plane, whose elements are known.",
        remedy: "Give the format of the plane, as GetCopyableFootprints does: e.g. R8_TYPELESS and R8G8_TYPELESS of NV12.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTFORMAT),
        source: "facts/layout.md, GetCopyableFootprints: Planes",
    }
    FOOTPRINT_DIMENSIONS = "copy.footprint.dimensions" {
        statement: "A footprint's width, height and depth are not 0, and whole elements of its format.",
        remedy: "Round width and height up to the format's blocks.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTDIMENSIONS),
        source: "facts/behaviour.md, Copies and footprints",
    }
    FOOTPRINT_ROW_PITCH = "copy.footprint.row_pitch" {
        statement: "A footprint's row pitch is at least a row's bytes, and a multiple of 256; of its element's bytes where the adapter has UnrestrictedBufferTextureCopyPitchSupported.",
        remedy: "Round a row's bytes up to D3D12_TEXTURE_DATA_PITCH_ALIGNMENT.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTROWPITCH),
        source: "spec/2-resource-heaps.txt 254, 256-264; Microsoft's public VulkanOn12 specification, Unrestricted Buffer Texture Copy Row Pitch and Offset",
    }
    FOOTPRINT_PLACEMENT = "copy.footprint.placement" {
        statement: "A footprint lies in its buffer; its last row is not padded.",
        remedy: "Create the buffer as large as GetCopyableFootprints says from the offset on.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTPLACEMENT),
        source: "facts/layout.md, GetCopyableFootprints",
    }
    TEXTURE_FORMATS = "copy.texture.formats" {
        statement: "Both sides are of one typeless family, or one block-compressed and the other of 32-bit or 16-bit UINT or SINT components with elements as large.",
        remedy: "Use formats of one family; for a plane the family of its footprint's format.",
        message: Some(message::COPYTEXTUREREGION_FORMATMISMATCH),
        source: "facts/behaviour.md, Copies and footprints; Microsoft's public documentation, Format conversion using Direct3D 10.1",
    }
    TEXTURE_SAMPLES = "copy.texture.samples" {
        statement: "A multisampled subresource is copied to one of the same samples and quality.",
        remedy: "Copy to a texture like the source, or resolve.",
        message: Some(message::COPYTEXTUREREGION_INVALIDSRCRESOURCE),
        source: "Microsoft's public documentation, CopySubresourceRegion",
    }
    TEXTURE_WHOLE = "copy.texture.whole" {
        statement: "Without programmable sample positions a subresource of a depth-stencil or of several samples is copied whole, and to all of one.",
        remedy: "Copy without a box to the origin of a subresource of the same extent, on adapters of ProgrammableSamplePositionsTier 0.",
        message: Some(message::COPYTEXTUREREGION_INVALIDSRCBOX),
        source: "Microsoft's public documentation, CopySubresourceRegion: whole; its specification of programmable sample positions, Copy DepthStencil (Full Subresource): parts work with the tier",
    }
    TEXTURE_BOX_ALIGNMENT = "copy.texture.box.alignment" {
        statement: "The edges of a box are those of elements: of blocks, where the format is block-compressed.",
        remedy: "Move the edges to multiples of the element.",
        message: Some(message::COPYTEXTUREREGION_INVALIDSRCBOX),
        source: "facts/behaviour.md, Copies and footprints",
    }
    TEXTURE_BOX_RANGE = "copy.texture.box.range" {
        statement: "The box lies in the source.",
        remedy: "Cut the box to the subresource, rounded up to whole elements.",
        message: Some(message::COPYTEXTUREREGION_SRCREGIONOUTOFBOUNDS),
        source: "Microsoft's public D3D12 documentation, CopyTextureRegion",
    }
    TEXTURE_DESTINATION_ALIGNMENT = "copy.texture.destination.alignment" {
        statement: "The destination's origin is one of an element: of a block, where the format is block-compressed.",
        remedy: "Move the origin to multiples of the element.",
        message: Some(message::COPYTEXTUREREGION_INVALIDDSTCOORDINATES),
        source: "facts/behaviour.md, Copies and footprints",
    }
    TEXTURE_DESTINATION_RANGE = "copy.texture.destination.range" {
        statement: "The region that is written lies in the destination.",
        remedy: "Copy a smaller box, or to an earlier origin.",
        message: Some(message::COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS),
        source: "Microsoft's public D3D12 documentation, CopyTextureRegion",
    }
    TEXTURE_OVERLAP = "copy.texture.overlap" {
        statement: "Within one subresource or one footprint the region that is read is not part of the one that is written.",
        remedy: "Copy through another texture, or in parts that do not overlap.",
        message: Some(message::COPY_ON_SAME_SUBRESOURCE),
        source: "Microsoft's public D3D12 enhanced-barriers specification, Self Resource Copy",
    }
    RESOURCE_SAME = "copy.resource.same" {
        statement: "CopyResource copies to another resource.",
        remedy: "Leave the copy out.",
        message: Some(message::COPYRESOURCE_INVALIDSRCRESOURCE),
        source: "Microsoft's public D3D12 documentation, CopyResource",
    }
    RESOURCE_SHAPE = "copy.resource.shape" {
        statement: "CopyResource copies between resources of one dimension, extent, mip count, array size, sample count and quality.",
        remedy: "Copy the parts that both have with CopyBufferRegion or CopyTextureRegion.",
        message: Some(message::COPYRESOURCE_INVALIDSRCRESOURCE),
        source: "Microsoft's public D3D12 documentation, CopyResource",
    }
    RESOURCE_FORMATS = "copy.resource.formats" {
        statement: "CopyResource copies between formats of one typeless family, and between R9G9B9E5_SHAREDEXP and R32_UINT or R32_SINT.",
        remedy: "Use formats of one family; CopyTextureRegion copies between blocks and integers as large.",
        message: Some(message::COPYRESOURCE_INVALIDSRCRESOURCE),
        source: "Microsoft's public D3D12 documentation, CopyResource; Format conversion using Direct3D 10.1",
    }
}
