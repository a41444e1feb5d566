//! Recorded commands as observers hear of them.

use heapstone_spec::commands::{Box3D, TileCopyFlags, WriteBufferImmediateMode};
use heapstone_spec::tiles::{TileRegionSize, TiledResourceCoordinate};
use heapstone_units::GpuVirtualAddress;

use super::barrier_desc::{BarrierGroup, ResourceBarrier};
use super::copy_location::{TextureCopyLocation, TextureCopyType};
use crate::observer::ObjectId;

/// A command as it was given to a list.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ListCommand<'a> {
    /// CopyBufferRegion.
    CopyBufferRegion {
        /// Where to.
        destination: ObjectId,
        /// In bytes.
        destination_offset: u64,
        /// Where from.
        source: ObjectId,
        /// In bytes.
        source_offset: u64,
        /// In bytes.
        size: u64,
    },
    /// CopyTextureRegion.
    CopyTextureRegion {
        /// Where to.
        destination: CopyLocation,
        /// DstX, DstY, DstZ.
        origin: [u32; 3],
        /// Where from.
        source: CopyLocation,
        /// In texels; `None`: all of the source.
        source_box: Option<Box3D>,
    },
    /// CopyResource.
    CopyResource {
        /// Where to.
        destination: ObjectId,
        /// Where from.
        source: ObjectId,
    },
    /// ResourceBarrier.
    ResourceBarrier {
        /// As given.
        barriers: &'a [ResourceBarrier<'a>],
    },
    /// Barrier.
    Barrier {
        /// As given.
        groups: &'a [BarrierGroup<'a>],
    },
    /// CopyTiles.
    CopyTiles {
        /// The reserved resource.
        tiled_resource: ObjectId,
        /// Where its region begins.
        start: TiledResourceCoordinate,
        /// Of the region.
        size: TileRegionSize,
        /// The buffer.
        buffer: ObjectId,
        /// In bytes.
        buffer_start_offset: u64,
        /// Which way.
        flags: TileCopyFlags,
    },
    /// WriteBufferImmediate.
    WriteBufferImmediate {
        /// Where, and what.
        writes: &'a [(GpuVirtualAddress, u32)],
        /// What each waits for; `None`: DEFAULT.
        modes: Option<&'a [WriteBufferImmediateMode]>,
    },
}

/// A [`TextureCopyLocation`] as observers hear of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CopyLocation {
    /// The resource.
    pub resource: ObjectId,
    /// What of it.
    pub copy_type: TextureCopyType,
}

impl CopyLocation {
    pub(super) fn of(location: &TextureCopyLocation<'_>) -> CopyLocation {
        CopyLocation { resource: location.resource.id(), copy_type: location.copy_type }
    }
}
