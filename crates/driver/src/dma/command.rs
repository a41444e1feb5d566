//! The commands of a stream, typed.

use heapstone_spec::commands::{
    BarrierAccess, BarrierSubresourceRange, BarrierSync, PredicationOp, ResolveMode, ResourceBarrierFlags,
    TextureBarrierFlags, WriteBufferImmediateMode,
};
use heapstone_spec::{BarrierLayout, Format, ResourceStates};
use heapstone_units::GpuVirtualAddress;

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Index in the allocation list.
    pub allocation: u32,
    /// Within that allocation.
    pub at: GpuVirtualAddress,
}

/// A grid of elements in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// A subresource of a texture, laid out as its surface says.
    Surface {
        /// Index in the allocation list; the allocation has surfaces.
        allocation: u32,
        /// Index in the surfaces.
        subresource: u32,
        /// Of the texture's first byte; the surface's offset is from here.
        base: GpuVirtualAddress,
    },
    /// Rows in a buffer, one after the other. An element's samples lie beside each other.
    Pitched {
        /// Where the element at the origin begins.
        address: Address,
        /// Bytes from a row to the next.
        row_pitch: u32,
        /// Bytes from a slice to the next.
        slice_pitch: u64,
    },
}

/// A position in a grid, in elements along x, y, z.
pub type Origin = [u32; 3];

/// The extent of a box in a grid, in elements along x, y, z; none is 0.
pub type Size = [u32; 3];

/// A barrier, with all its fields. The software driver's engines order everything; barriers are kept for
/// who looks at the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// D3D12_RESOURCE_BARRIER_TYPE_TRANSITION.
    Transition {
        /// Index in the allocation list.
        allocation: u32,
        /// Or [`heapstone_spec::commands::ALL_SUBRESOURCES`].
        subresource: u32,
        /// The state before.
        before: ResourceStates,
        /// The state after.
        after: ResourceStates,
        /// Halves of a split barrier.
        flags: ResourceBarrierFlags,
    },
    /// D3D12_RESOURCE_BARRIER_TYPE_ALIASING; `None` is NULL: any.
    Aliasing {
        /// Used until now.
        before: Option<u32>,
        /// Used from now on.
        after: Option<u32>,
        /// Halves of a split barrier.
        flags: ResourceBarrierFlags,
    },
    /// D3D12_RESOURCE_BARRIER_TYPE_UAV; `None` is NULL: any.
    Uav {
        /// Index in the allocation list.
        allocation: Option<u32>,
        /// Halves of a split barrier.
        flags: ResourceBarrierFlags,
    },
    /// D3D12_GLOBAL_BARRIER.
    Global {
        /// What is waited for, and who waits.
        sync: [BarrierSync; 2],
        /// The accesses before and after.
        access: [BarrierAccess; 2],
    },
    /// D3D12_TEXTURE_BARRIER.
    Texture {
        /// Index in the allocation list.
        allocation: u32,
        /// What is waited for, and who waits.
        sync: [BarrierSync; 2],
        /// The accesses before and after.
        access: [BarrierAccess; 2],
        /// The layouts before and after.
        layout: [BarrierLayout; 2],
        /// Which subresources.
        subresources: BarrierSubresourceRange,
        /// DISCARD.
        flags: TextureBarrierFlags,
    },
    /// D3D12_BUFFER_BARRIER.
    Buffer {
        /// Index in the allocation list.
        allocation: u32,
        /// What is waited for, and who waits.
        sync: [BarrierSync; 2],
        /// The accesses before and after.
        access: [BarrierAccess; 2],
        /// In bytes; D3D12 allows 0 only.
        offset: u64,
        /// In bytes; D3D12 allows the buffer's width or `u64::MAX`.
        size: u64,
    },
}

/// What an engine does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Copies bytes. Source and destination may overlap: the bytes arrive as they were before.
    CopyBuffer {
        /// Where to.
        destination: Address,
        /// Where from.
        source: Address,
        /// How many bytes.
        size: u64,
    },
    /// Copies a box of elements, all samples of each. Within one allocation boxes may overlap.
    CopyRegion {
        /// Where to.
        destination: Image,
        /// Of the box there.
        destination_origin: Origin,
        /// Where from.
        source: Image,
        /// Of the box there.
        source_origin: Origin,
        /// Of the box.
        size: Size,
        /// Bytes of an element of one sample are `2^` this: both sides' are the same.
        element_bytes_log2: u8,
        /// Samples of an element are `2^` this.
        samples_log2: u8,
        /// Of elements of 4 bytes: the bits that are copied; the others become 0. All ones but for a
        /// 24-bit depth (facts/behaviour.md, Copies and footprints).
        mask: u32,
    },
    /// Sets elements of a box, all samples of each.
    Fill {
        /// Where.
        destination: Image,
        /// Of the box.
        origin: Origin,
        /// Of the box.
        size: Size,
        /// Bytes of an element of one sample are `2^` this.
        element_bytes_log2: u8,
        /// Samples of an element are `2^` this.
        samples_log2: u8,
        /// An element's bytes, in order, in the first words; of a texel of 96 bits the three elements of
        /// each texel take the first three words in turn (`period` 3).
        value: [u32; 4],
        /// After how many elements along x the value begins anew: 3 of a texel of 96 bits, else 1.
        period: u8,
    },
    /// Writes 32 bits (WriteBufferImmediate).
    Write {
        /// Where.
        destination: Address,
        /// What.
        value: u32,
        /// What it waits for; the software driver's engines do one command after the other.
        mode: WriteBufferImmediateMode,
    },
    /// Resolves samples into one.
    Resolve {
        /// Where to; one sample an element.
        destination: Image,
        /// Of the box there.
        destination_origin: Origin,
        /// Where from.
        source: Image,
        /// Of the box there.
        source_origin: Origin,
        /// Of the box.
        size: Size,
        /// Samples of the source are `2^` this.
        samples_log2: u8,
        /// How the elements are to be read.
        format: Format,
        /// How samples become one.
        mode: ResolveMode,
    },
    /// The contents of a box are not needed any more.
    Discard {
        /// Where.
        destination: Image,
        /// Of the box.
        origin: Origin,
        /// Of the box.
        size: Size,
    },
    /// Sets the predicate of the commands that follow, or none. The value is read now, and forgotten at
    /// the stream's end.
    SetPredication {
        /// Of 64 bits; `None`: no predicate.
        value: Option<Address>,
        /// When commands are left out.
        op: PredicationOp,
    },
    /// Writes the engine's time in ticks of the timestamp frequency, 64 bits.
    Timestamp {
        /// Where.
        destination: Address,
    },
    /// A barrier.
    Barrier(Barrier),
    /// Of an engine that is patched: the slot holds an address from now on (see
    /// [`super::patched`]). The commands that follow name slots in place of allocations.
    BindSlot {
        /// The slot.
        slot: u32,
        /// Index in the allocation list of the patched buffer; entry 0 is NULL and unbinds.
        allocation: u32,
        /// Of the allocation's first byte in its segment, once it is patched.
        address: u64,
    },
}

impl Command {
    /// Whether a predicate may leave it out (Microsoft's public documentation of SetPredication: draws,
    /// dispatches, copies, clears and resolves are predicated; barriers and queries are not).
    #[must_use]
    pub const fn is_predicated(&self) -> bool {
        match self {
            Command::CopyBuffer { .. }
            | Command::CopyRegion { .. }
            | Command::Fill { .. }
            | Command::Resolve { .. } => true,
            Command::Write { .. }
            | Command::Discard { .. }
            | Command::SetPredication { .. }
            | Command::Timestamp { .. }
            | Command::Barrier(_)
            | Command::BindSlot { .. } => false,
        }
    }
}
