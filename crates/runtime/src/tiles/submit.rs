//! The calls of a queue.

use heapstone_spec::tiles::{TileMappingFlags, TileRegionSize, TiledResourceCoordinate};

use super::{UpdateTileMappingsDesc, plan_copy, plan_update};
use crate::error::Error;
use crate::gpu::queue_error;
use crate::observer::Call;
use crate::queue::CommandQueue;
use crate::resource::Resource;
use crate::submission::Submission;

impl CommandQueue {
    /// ID3D12CommandQueue::UpdateTileMappings: once all that is pending has run, tiles of the reserved resource
    /// show tiles of the heap, nothing, or what they did before. Where regions share a tile the later one wins
    /// (facts/behaviour.md, Copies and footprints).
    ///
    /// ```
    /// # use heapstone::*;
    /// # use heapstone::spec::tiles::TileRangeFlags;
    /// # fn show(queue: &CommandQueue, texture: &Resource, heap: &Heap) -> Result<(), Error> {
    /// // All tiles, one after the other, from the heap's first on.
    /// queue.update_tile_mappings(texture, &UpdateTileMappingsDesc {
    ///     heap: Some(heap),
    ///     heap_range_start_offsets: Some(&[0]),
    ///     ..UpdateTileMappingsDesc::default()
    /// })?;
    /// // And none.
    /// queue.update_tile_mappings(texture, &UpdateTileMappingsDesc {
    ///     range_flags: Some(&[TileRangeFlags::NULL]),
    ///     ..UpdateTileMappingsDesc::default()
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `tile.*`, `placement.heap.category` or `placement.heap_type.*`: nothing
    /// is mapped. [`Error::DeviceRemoved`]; [`Error::OutOfMemory`], [`Error::Driver`]: what was touched first found
    /// no memory.
    pub fn update_tile_mappings(
        &self,
        resource: &Resource,
        desc: &UpdateTileMappingsDesc<'_>,
    ) -> Result<(), Error> {
        let result = self.update_tiles(resource, desc);
        self.inner.device.observe(|| Call::UpdateTileMappings {
            queue: self.id(),
            resource: resource.id(),
            desc,
            outcome: result.as_ref().copied(),
        });
        result
    }

    fn update_tiles(&self, resource: &Resource, desc: &UpdateTileMappingsDesc<'_>) -> Result<(), Error> {
        let device = &*self.inner.device;
        device.gpu.removal.check()?;
        let plan = plan_update(device, resource, desc)?;
        if plan.runs.is_empty() {
            return Ok(());
        }
        let gpu = device.gpu()?;
        resource.inner.make_resident(gpu)?;
        if let Some(heap) = &plan.heap {
            heap.inner.core.make_resident(gpu)?;
        }
        let work = Submission::UpdateTiles { resource: resource.clone(), runs: plan.runs, heap: plan.heap };
        self.inner.queue.submit(work).map_err(queue_error)?;
        device.gpu.removal.check()
    }

    /// ID3D12CommandQueue::CopyTileMappings: once all that is pending has run, the tiles of a region of
    /// `destination` show what those of a region of `source` show. The regions may overlap: all mappings are
    /// read first.
    ///
    /// # Errors
    /// As [`CommandQueue::update_tile_mappings`].
    pub fn copy_tile_mappings(
        &self,
        destination: &Resource,
        destination_start: &TiledResourceCoordinate,
        source: &Resource,
        source_start: &TiledResourceCoordinate,
        size: &TileRegionSize,
        flags: TileMappingFlags,
    ) -> Result<(), Error> {
        let result = self.copy_tiles((destination, destination_start), (source, source_start), size, flags);
        self.inner.device.observe(|| Call::CopyTileMappings {
            queue: self.id(),
            destination: destination.id(),
            destination_start,
            source: source.id(),
            source_start,
            size,
            flags,
            outcome: result.as_ref().copied(),
        });
        result
    }

    fn copy_tiles(
        &self,
        destination: (&Resource, &TiledResourceCoordinate),
        source: (&Resource, &TiledResourceCoordinate),
        size: &TileRegionSize,
        flags: TileMappingFlags,
    ) -> Result<(), Error> {
        let device = &*self.inner.device;
        device.gpu.removal.check()?;
        let runs = plan_copy(device, destination, source, size, flags)?;
        if runs.is_empty() {
            return Ok(());
        }
        let gpu = device.gpu()?;
        destination.0.inner.make_resident(gpu)?;
        source.0.inner.make_resident(gpu)?;
        let (destination, source) = (destination.0.clone(), source.0.clone());
        let work = Submission::CopyTiles { destination, source, runs };
        self.inner.queue.submit(work).map_err(queue_error)?;
        device.gpu.removal.check()
    }
}
