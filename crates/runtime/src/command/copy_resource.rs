//! CopyResource.

use heapstone_driver::dma::{Address, Command};
use heapstone_layout::subresource_count;
use heapstone_spec::commands::CommandListType;
use heapstone_spec::rules::copy as rules;
use heapstone_spec::{ResourceDesc, Violation};

use super::copy_buffer::{check_destination_heap, check_source_heap};
use super::element::is_copied_whole_as;
use super::grid::{Grid, surface_of};
use super::list::CommandList;
use super::observed::ListCommand;
use crate::error::Error;
use crate::resource::Resource;

const CALL: &str = "CopyResource";
const DESTINATION: &str = "pDstResource";
const SOURCE: &str = "pSrcResource";

impl CommandList {
    /// ID3D12GraphicsCommandList::CopyResource: all subresources of `source` to those of `destination`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `copy.resource.*`, `copy.texture.opaque`, `copy.destination.heap`,
    /// `copy.source.heap`, `list.*`.
    pub fn copy_resource(&mut self, destination: &Resource, source: &Resource) -> Result<(), Error> {
        let result = self.record_copy_resource(destination, source);
        self.ended(result, || ListCommand::CopyResource {
            destination: destination.id(),
            source: source.id(),
        })
    }

    fn record_copy_resource(
        &mut self,
        destination: &Resource,
        source: &Resource,
    ) -> Result<(), Box<Violation>> {
        self.recorder(CALL, CommandListType::ALL)?;
        self.check_device(DESTINATION, destination)?;
        self.check_device(SOURCE, source)?;
        if destination == source {
            return Err(rules::RESOURCE_SAME.violated(
                "pDstResource, pSrcResource",
                "one resource twice",
                "two resources",
            ));
        }
        check_destination_heap(DESTINATION, destination)?;
        check_source_heap(SOURCE, source)?;
        check_shapes(&destination.inner.desc, &source.inner.desc)?;
        if source.inner.desc.is_buffer() {
            return self.copy_whole_buffer(destination, source);
        }
        // Both tell how all of their subresources lie, or the call is refused before anything is recorded.
        surface_of(DESTINATION, DESTINATION, destination, 0)?;
        surface_of(SOURCE, SOURCE, source, 0)?;
        self.copy_all_subresources(destination, source)
    }

    fn copy_whole_buffer(&mut self, destination: &Resource, source: &Resource) -> Result<(), Box<Violation>> {
        let size = source.inner.desc.width;
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(1)?;
        let [destination, source] = [destination, source].map(|buffer| Address {
            allocation: recorder.allocation(buffer),
            at: buffer.inner.gpu_virtual_address,
        });
        recorder.push(&Command::CopyBuffer { destination, source, size });
        Ok(())
    }

    fn copy_all_subresources(
        &mut self,
        destination: &Resource,
        source: &Resource,
    ) -> Result<(), Box<Violation>> {
        let count = u32::try_from(subresource_count(&source.inner.desc))
            .expect("invariant: a legal texture has at most 30720 subresources");
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(usize::try_from(count).unwrap_or(usize::MAX))?;
        for subresource in 0..count {
            let from =
                Grid::of_surface(source, subresource, surface_of(SOURCE, SOURCE, source, subresource)?);
            let to = surface_of(DESTINATION, DESTINATION, destination, subresource)?;
            let to = Grid::of_surface(destination, subresource, to);
            let destination = to.image(recorder, destination);
            let source = from.image(recorder, source);
            recorder.push(&Command::CopyRegion {
                destination,
                destination_origin: [0; 3],
                source,
                source_origin: [0; 3],
                size: from.counted(from.elements),
                element_bytes_log2: from.element.bytes_log2,
                samples_log2: from.samples_log2,
                mask: u32::MAX,
            });
        }
        Ok(())
    }
}

fn check_shapes(destination: &ResourceDesc, source: &ResourceDesc) -> Result<(), Box<Violation>> {
    let shape = |desc: &ResourceDesc| {
        (
            (desc.dimension, desc.width, desc.height, desc.depth_or_array_size),
            (desc.mip_levels, desc.sample_desc, desc.sampler_feedback_mip_region),
        )
    };
    if shape(destination) != shape(source) {
        return Err(rules::RESOURCE_SHAPE.violated(
            "pDstResource, pSrcResource",
            format_args!("{} to {}", Shape(source), Shape(destination)),
            "resources of one shape",
        ));
    }
    if !is_copied_whole_as(source.format, destination.format) {
        return Err(rules::RESOURCE_FORMATS.violated(
            "pDstResource, pSrcResource",
            format_args!("{} to {}", source.format, destination.format),
            format_args!(
                "formats of the family {}; R9G9B9E5_SHAREDEXP beside R32_UINT or R32_SINT",
                source.format.info().family
            ),
        ));
    }
    Ok(())
}

/// A description's shape in words.
struct Shape<'a>(&'a ResourceDesc);

impl core::fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let desc = self.0;
        if desc.is_buffer() {
            return write!(f, "a buffer of {} bytes", desc.width);
        }
        write!(
            f,
            "a {} of {}x{}x{}, {} mips, {} samples of quality {}",
            desc.dimension,
            desc.width,
            desc.height,
            desc.depth_or_array_size,
            desc.mip_levels,
            desc.sample_desc.count,
            desc.sample_desc.quality
        )
    }
}
