//! Programs as plain data: what a test generates, runs, shrinks and prints.

use core::fmt;

use heapstone::spec::commands::{Box3D, ClearFlags, PredicationOp, Rect, ResolveMode};
use heapstone::spec::tiles::{TileRangeFlags, TileRegionSize, TiledResourceCoordinate};
use heapstone::spec::views::{DepthStencilViewDesc, RenderTargetViewDesc, UnorderedAccessViewDesc};
use heapstone::{Format, HeapDesc, HeapProperties, PlacedFootprint, ResourceDesc};

/// The number of a heap or of a resource; each is created once.
pub type Slot = usize;

/// The number of a queue: 0 direct, 1 compute, 2 copy.
pub type QueueIndex = usize;

/// Queues that every program has.
pub const QUEUES: usize = 3;

/// A program: a profile and the calls that it makes, in order. Steps that name what does not exist (any more)
/// are left out when it runs, so that any subset of the steps is a program too.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The built-in profile's name.
    pub profile: &'static str,
    /// What is done.
    pub steps: Vec<Step>,
}

/// A call, or a few that belong together.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// CreateHeap.
    CreateHeap {
        /// Which.
        heap: Slot,
        /// Its description.
        desc: HeapDesc,
    },
    /// CreateCommittedResource.
    CreateCommitted {
        /// Which.
        resource: Slot,
        /// Of the implicit heap.
        properties: HeapProperties,
        /// Its description.
        desc: ResourceDesc,
    },
    /// CreatePlacedResource.
    CreatePlaced {
        /// Which.
        resource: Slot,
        /// Where.
        heap: Slot,
        /// In bytes of the heap.
        offset: u64,
        /// Its description.
        desc: ResourceDesc,
    },
    /// CreateReservedResource.
    CreateReserved {
        /// Which.
        resource: Slot,
        /// Its description.
        desc: ResourceDesc,
    },
    /// The last handle of a resource goes; work in flight may still use it.
    DestroyResource {
        /// Which.
        resource: Slot,
    },
    /// The last handle of a heap goes. Resources in it keep it alive; none of its tiles are mapped.
    DestroyHeap {
        /// Which.
        heap: Slot,
    },
    /// The CPU writes bytes of a buffer, through Map.
    WriteBuffer {
        /// Which.
        resource: Slot,
        /// In bytes.
        offset: u64,
        /// How many bytes.
        size: u64,
        /// Of the bytes.
        seed: u64,
    },
    /// WriteToSubresource.
    WriteTexels {
        /// Which.
        resource: Slot,
        /// Of it.
        subresource: u32,
        /// `None`: all of it.
        texels: Option<Box3D>,
        /// Bytes between rows beyond a row's own.
        row_padding: u32,
        /// Bytes between slices beyond a slice's own.
        slice_padding: u32,
        /// Of the bytes.
        seed: u64,
    },
    /// ReadFromSubresource, compared at once.
    ReadTexels {
        /// Which.
        resource: Slot,
        /// Of it.
        subresource: u32,
        /// `None`: all of it.
        texels: Option<Box3D>,
        /// Bytes between rows beyond a row's own.
        row_padding: u32,
    },
    /// Records a list and executes it, if it closes.
    Execute {
        /// Where.
        queue: QueueIndex,
        /// How often, by one call.
        times: usize,
        /// What is recorded.
        commands: Vec<Command>,
    },
    /// UpdateTileMappings.
    UpdateTileMappings {
        /// Where.
        queue: QueueIndex,
        /// The reserved resource.
        resource: Slot,
        /// The arguments.
        update: TileUpdate,
    },
    /// CopyTileMappings.
    CopyTileMappings {
        /// Where.
        queue: QueueIndex,
        /// The reserved resource written.
        destination: Slot,
        /// Its region.
        destination_start: TiledResourceCoordinate,
        /// The reserved resource read.
        source: Slot,
        /// Its region.
        source_start: TiledResourceCoordinate,
        /// Of both regions.
        size: TileRegionSize,
    },
    /// A queue waits for all that another has to do, though nothing asks for it.
    Order {
        /// Waited for.
        before: QueueIndex,
        /// Waits.
        after: QueueIndex,
    },
    /// The same by a fence that takes a value and goes back at once: who waits for the value goes on all the same.
    OrderBack {
        /// Waited for.
        before: QueueIndex,
        /// Waits; the same queue: nobody does.
        after: QueueIndex,
    },
    /// A list takes two timestamps, with a copy between them, and they are read back.
    Timestamps {
        /// Where.
        queue: QueueIndex,
        /// Bytes that are copied.
        copied: u64,
    },
    /// A queue waits for the CPU, which lets it go before it waits itself.
    Hold {
        /// Waits.
        queue: QueueIndex,
    },
    /// The CPU lets the queues go.
    Release,
    /// The CPU waits for all queues.
    Finish,
    /// All of a resource is read back and compared.
    Check {
        /// Which.
        resource: Slot,
    },
}

/// UpdateTileMappings, behind the resource; `None` is D3D12's NULL.
#[derive(Clone, Debug, PartialEq)]
pub struct TileUpdate {
    /// pResourceRegionStartCoordinates.
    pub starts: Option<Vec<TiledResourceCoordinate>>,
    /// pResourceRegionSizes.
    pub sizes: Option<Vec<TileRegionSize>>,
    /// pHeap.
    pub heap: Option<Slot>,
    /// pRangeFlags.
    pub flags: Option<Vec<TileRangeFlags>>,
    /// pHeapRangeStartOffsets.
    pub offsets: Option<Vec<u32>>,
    /// pRangeTileCounts.
    pub counts: Option<Vec<u32>>,
}

/// A command of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// CopyBufferRegion.
    CopyBuffer {
        /// Written.
        destination: Slot,
        /// In bytes.
        destination_offset: u64,
        /// Read.
        source: Slot,
        /// In bytes.
        source_offset: u64,
        /// In bytes.
        size: u64,
    },
    /// CopyTextureRegion.
    CopyTexture {
        /// Written.
        destination: Location,
        /// DstX, DstY, DstZ.
        origin: [u32; 3],
        /// Read.
        source: Location,
        /// pSrcBox.
        source_box: Option<Box3D>,
    },
    /// CopyResource.
    CopyResource {
        /// Written.
        destination: Slot,
        /// Read.
        source: Slot,
    },
    /// CopyTiles.
    CopyTiles {
        /// The reserved resource.
        tiled: Slot,
        /// Its region's first tile.
        start: TiledResourceCoordinate,
        /// Its region.
        size: TileRegionSize,
        /// The buffer.
        buffer: Slot,
        /// In bytes.
        offset: u64,
        /// Whether the buffer is read.
        to_tiles: bool,
    },
    /// ClearRenderTargetView.
    ClearRenderTarget {
        /// The view's.
        resource: Slot,
        /// The view.
        view: RenderTargetViewDesc,
        /// The colour.
        color: [f32; 4],
        /// In texels.
        rects: Vec<Rect>,
    },
    /// ClearDepthStencilView.
    ClearDepthStencil {
        /// The view's.
        resource: Slot,
        /// The view.
        view: DepthStencilViewDesc,
        /// Depth, stencil, or both.
        flags: ClearFlags,
        /// The depth.
        depth: f32,
        /// The stencil.
        stencil: u8,
        /// In texels.
        rects: Vec<Rect>,
    },
    /// ClearUnorderedAccessViewUint, or Float.
    ClearUnordered {
        /// The view's.
        resource: Slot,
        /// The view.
        view: UnorderedAccessViewDesc,
        /// What is written.
        values: ClearValues,
        /// In texels.
        rects: Vec<Rect>,
    },
    /// ResolveSubresourceRegion.
    Resolve(Resolve),
    /// WriteBufferImmediate.
    WriteImmediate {
        /// Written.
        resource: Slot,
        /// Of the resource's address, and the value.
        writes: Vec<(u64, u32)>,
    },
    /// SetPredication.
    SetPredication {
        /// The buffer and the offset of 64 bits in it.
        buffer: Option<(Slot, u64)>,
        /// When commands are left out.
        op: PredicationOp,
    },
    /// DiscardResource of all of it.
    Discard {
        /// Which.
        resource: Slot,
    },
    /// A transition of all subresources from COPY_SOURCE to COPY_DEST.
    Transition {
        /// Whose.
        resource: Slot,
    },
    /// Barrier, with layouts or access of COMMON on both sides.
    EnhancedBarrier {
        /// Of which a buffer or a texture is; `None`: all.
        resource: Option<Slot>,
        /// Whether a buffer's barrier is given a texture, and the other way round.
        is_of_other_kind: bool,
    },
    /// An aliasing barrier between any two resources.
    AliasingBarrier,
    /// A UAV barrier of any resource.
    UavBarrier,
}

/// The values of a clear of unordered access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClearValues {
    /// Of ClearUnorderedAccessViewUint.
    Uint([u32; 4]),
    /// Of ClearUnorderedAccessViewFloat.
    Float([f32; 4]),
}

/// ResolveSubresourceRegion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolve {
    /// Written.
    pub destination: Slot,
    /// Of it.
    pub destination_subresource: u32,
    /// DstX, DstY.
    pub origin: [u32; 2],
    /// Read.
    pub source: Slot,
    /// Of it.
    pub source_subresource: u32,
    /// `None`: all of it.
    pub rect: Option<Rect>,
    /// How texels are read.
    pub format: Format,
    /// How samples become one.
    pub mode: ResolveMode,
}

/// A side of CopyTextureRegion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Location {
    /// A subresource of a texture.
    Subresource(Slot, u32),
    /// Rows in a buffer.
    Rows(Slot, PlacedFootprint),
}

impl Location {
    /// The resource.
    #[must_use]
    pub const fn resource(&self) -> Slot {
        match self {
            Location::Subresource(resource, _) | Location::Rows(resource, _) => *resource,
        }
    }
}

impl fmt::Display for Program {
    /// Step by step, as a person reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "on {}:", self.profile)?;
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Execute { queue, times, commands } => {
                    writeln!(f, "  {index}: Execute on queue {queue}, {times} times")?;
                    for command in commands {
                        writeln!(f, "       {command:?}")?;
                    }
                }
                other => writeln!(f, "  {index}: {other:?}")?,
            }
        }
        Ok(())
    }
}
