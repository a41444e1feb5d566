//! What the rules are broken with: a device with heaps, short forms of descriptions, and the list of the broken.

use heapstone::spec::message::{self, MessageId};
use heapstone::spec::views::*;
use heapstone::{
    CommittedResourceDesc, DescriptorHeap, Device, Error, Format, GpuVirtualAddress, HeapType, Resource,
    ResourceDesc, ResourceFlags, Rule,
};

use crate::common::*;

pub(crate) const VIEWS: DescriptorHeapType = DescriptorHeapType::CbvSrvUav;
pub(crate) const SAMPLERS: DescriptorHeapType = DescriptorHeapType::Sampler;
pub(crate) const ALL: Option<u32> = None;

#[derive(Default)]
pub(crate) struct Broken(pub(crate) Vec<&'static str>);

impl Broken {
    #[track_caller]
    pub(crate) fn by<T: core::fmt::Debug>(
        &mut self,
        rule: &'static Rule,
        message: Option<MessageId>,
        result: Result<T, Error>,
        [given, allowed]: [&str; 2],
    ) {
        let violation = refused(result, rule);
        says(&violation, "", &[given], &[allowed]);
        assert_eq!(violation.message, message, "{violation}");
        self.0.push(rule.id);
    }
}

/// A device, and a heap of each type.
pub(crate) struct Bench {
    pub(crate) device: Device,
    pub(crate) views: DescriptorHeap,
    pub(crate) samplers: DescriptorHeap,
    pub(crate) targets: DescriptorHeap,
    pub(crate) depths: DescriptorHeap,
}

impl Bench {
    pub(crate) fn on(device: Device) -> Bench {
        let heap =
            |heap_type| device.create_descriptor_heap(&DescriptorHeapDesc::new(heap_type, 64)).unwrap();
        let views = heap(VIEWS);
        let samplers = heap(SAMPLERS);
        let targets = heap(DescriptorHeapType::Rtv);
        let depths = heap(DescriptorHeapType::Dsv);
        Bench { device, views, samplers, targets, depths }
    }

    pub(crate) fn new() -> Bench {
        Bench::on(device("discrete-8g"))
    }

    pub(crate) fn commit(&self, desc: ResourceDesc) -> Resource {
        let desc = CommittedResourceDesc::new(HeapType::Default, desc);
        self.device.create_committed_resource(&desc).unwrap()
    }

    pub(crate) fn texture(&self, format: Format) -> Resource {
        self.commit(ResourceDesc::texture_2d(format, 64, 64))
    }

    /// With every flag that a colour can have.
    pub(crate) fn written(&self, format: Format) -> Resource {
        let flags = ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_UNORDERED_ACCESS;
        self.commit(ResourceDesc::texture_2d(format, 64, 64).with_flags(flags))
    }

    pub(crate) fn buffer(&self, width: u64) -> Resource {
        self.commit(ResourceDesc::buffer(width).with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS))
    }

    pub(crate) fn srv(
        &self,
        resource: Option<&Resource>,
        format: Format,
        dimension: SrvDimension,
    ) -> Result<(), Error> {
        let component_mapping = ComponentMapping::IDENTITY;
        let desc = ShaderResourceViewDesc { format, dimension, component_mapping };
        self.device.create_shader_resource_view(resource, Some(&desc), self.views.cpu_start())
    }

    pub(crate) fn uav(
        &self,
        resource: Option<&Resource>,
        format: Format,
        dimension: UavDimension,
    ) -> Result<(), Error> {
        self.counted(resource, None, format, dimension)
    }

    pub(crate) fn counted(
        &self,
        resource: Option<&Resource>,
        counter: Option<&Resource>,
        format: Format,
        dimension: UavDimension,
    ) -> Result<(), Error> {
        let desc = UnorderedAccessViewDesc { format, dimension };
        self.device.create_unordered_access_view(resource, counter, Some(&desc), self.views.cpu_start())
    }

    pub(crate) fn rtv(
        &self,
        resource: Option<&Resource>,
        format: Format,
        dimension: RtvDimension,
    ) -> Result<(), Error> {
        let desc = RenderTargetViewDesc { format, dimension };
        self.device.create_render_target_view(resource, Some(&desc), self.targets.cpu_start())
    }

    pub(crate) fn dsv(&self, resource: &Resource, format: Format, flags: DsvFlags) -> Result<(), Error> {
        let desc =
            DepthStencilViewDesc { format, dimension: DsvDimension::Texture2D { mip_slice: 0 }, flags };
        self.device.create_depth_stencil_view(Some(resource), Some(&desc), self.depths.cpu_start())
    }

    pub(crate) fn cbv(&self, buffer_location: u64, size_in_bytes: u32) -> Result<(), Error> {
        let desc =
            ConstantBufferViewDesc { buffer_location: GpuVirtualAddress(buffer_location), size_in_bytes };
        self.device.create_constant_buffer_view(Some(&desc), self.views.cpu_start())
    }

    pub(crate) fn sampler(&self, desc: &SamplerDesc) -> Result<(), Error> {
        self.device.create_sampler(desc, self.samplers.cpu_start())
    }
}

pub(crate) fn tex2d(most_detailed_mip: u32, mip_levels: Option<u32>) -> SrvDimension {
    SrvDimension::Texture2D { most_detailed_mip, mip_levels, plane_slice: 0, resource_min_lod_clamp: 0.0 }
}

pub(crate) fn tex2d_array(first_array_slice: u32, array_size: Option<u32>) -> SrvDimension {
    SrvDimension::Texture2DArray {
        most_detailed_mip: 0,
        mip_levels: ALL,
        first_array_slice,
        array_size,
        plane_slice: 0,
        resource_min_lod_clamp: 0.0,
    }
}

pub(crate) fn cubes(first_2d_array_face: u32, cube_count: Option<u32>) -> SrvDimension {
    SrvDimension::TextureCubeArray {
        most_detailed_mip: 0,
        mip_levels: ALL,
        first_2d_array_face,
        cube_count,
        resource_min_lod_clamp: 0.0,
    }
}

pub(crate) fn elements(
    first_element: u64,
    element_count: u32,
    stride: u32,
    flags: BufferViewFlags,
) -> SrvDimension {
    SrvDimension::Buffer { first_element, element_count, structure_byte_stride: stride, flags }
}

pub(crate) fn typed(first_element: u64, element_count: u32) -> SrvDimension {
    elements(first_element, element_count, 0, BufferViewFlags::empty())
}

pub(crate) fn structures(stride: u32, counter_offset_in_bytes: u64, flags: BufferViewFlags) -> UavDimension {
    UavDimension::Buffer {
        first_element: 0,
        element_count: 1,
        structure_byte_stride: stride,
        counter_offset_in_bytes,
        flags,
    }
}

pub(crate) const UAV_2D: UavDimension = UavDimension::Texture2D { mip_slice: 0, plane_slice: 0 };
pub(crate) const RTV_2D: RtvDimension = RtvDimension::Texture2D { mip_slice: 0, plane_slice: 0 };
pub(crate) const RAW: BufferViewFlags = BufferViewFlags::RAW;

pub(crate) const SRV_FORMAT: Option<MessageId> = Some(message::CREATESHADERRESOURCEVIEW_INVALIDFORMAT);
pub(crate) const SRV_DESC: Option<MessageId> = Some(message::CREATESHADERRESOURCEVIEW_INVALIDDESC);
pub(crate) const SRV_DIMENSIONS: Option<MessageId> =
    Some(message::CREATESHADERRESOURCEVIEW_INVALIDDIMENSIONS);
pub(crate) const HANDLE: Option<MessageId> = Some(message::INVALID_DESCRIPTOR_HANDLE);
pub(crate) const COUNTER: Option<MessageId> =
    Some(message::CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE);
