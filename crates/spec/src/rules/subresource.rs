//! Rules of WriteToSubresource and ReadFromSubresource. A violation carries the message of the call that
//! was made; those of WriteToSubresource stand here.

use crate::message;

rules! {
    BUFFER = "subresource.buffer" {
        statement: "Buffers have no subresource copies by the CPU.",
        remedy: "Map the buffer and copy.",
        message: Some(message::WRITETOSUBRESOURCE_INVALIDRESOURCE),
        source: "spec/2-resource-heaps.txt 317",
    }
    RESERVED = "subresource.reserved" {
        statement: "A reserved resource has no heap that the CPU could reach.",
        remedy: "Copy through a buffer, or write to a resource placed in the heap.",
        message: Some(message::WRITETOSUBRESOURCE_INVALIDRESOURCE),
        source: "facts/behaviour.md, Creation",
    }
    HEAP = "subresource.heap" {
        statement: "The CPU copies textures on heaps that it can access.",
        remedy: "Use a CUSTOM heap with WRITE_COMBINE or WRITE_BACK, or a GPU_UPLOAD heap.",
        message: Some(message::WRITETOSUBRESOURCE_INVALIDHEAP),
        source: "spec/2-resource-heaps.txt 317",
    }
    INDEX = "subresource.index" {
        statement: "A subresource is one that the texture has.",
        remedy: "Give an index below mips x slices x planes.",
        message: Some(message::WRITETOSUBRESOURCE_INVALIDSUBRESOURCE),
        source: "facts/behaviour.md, Map, Write, Read",
    }
    BOX_RANGE = "subresource.box.range" {
        statement: "A box lies in the subresource.",
        remedy: "Keep it within the mip's texels, of a block-compressed format rounded up to blocks.",
        message: Some(message::WRITETOSUBRESOURCE_INVALIDBOX),
        source: "facts/behaviour.md, Map, Write, Read",
    }
    BOX_BLOCK = "subresource.box.block" {
        statement: "A box of a block format covers whole blocks.",
        remedy: "Align the box to the format's blocks; where the mip ends within a block, to the block's end.",
        message: Some(message::WRITETOSUBRESOURCE_INVALIDBOX),
        source: "facts/behaviour.md, Map, Write, Read",
    }
    ROW_PITCH = "subresource.pitch.row" {
        statement: "Rows do not overlap: the row pitch is at least a row of the box.",
        remedy: "Pass the bytes from a row to the next; rows are of blocks where the format has blocks.",
        message: None,
        source: "chosen, because a smaller pitch reads or writes bytes twice",
    }
    DEPTH_PITCH = "subresource.pitch.depth" {
        statement: "Slices do not overlap: the depth pitch is at least a slice of the box.",
        remedy: "Pass the bytes from a slice to the next.",
        message: None,
        source: "chosen, because a smaller pitch reads or writes bytes twice",
    }
    DATA = "subresource.data" {
        statement: "The memory holds every row of the box; the last one needs no padding.",
        remedy: "Pass all of it.",
        message: None,
        source: "chosen, because D3D12's pointer has no length, and memory behind it is not touched here",
    }
}
