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
}
