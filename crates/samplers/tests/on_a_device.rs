//! On a device: descriptors and indices are written as they are handed out, each group's view of its indices is
//! legal, and while a list is in flight its slots keep what it reads.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone::spec::commands::{CommandListType, FenceFlags};
use heapstone::spec::views::{
    BufferViewFlags, ComponentMapping, CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapType, Filter,
    SamplerDesc, ShaderResourceViewDesc, SrvDimension,
};
use heapstone::{
    Backing, CommandQueueDesc, CommittedResourceDesc, DescriptorHeap, Device, Format, GpuMode, HeapType,
    Profile, Resource, ResourceDesc,
};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_samplers::{GroupId, Samplers, SamplersDesc, UsePoint};

const SAMPLER: DescriptorHeapType = DescriptorHeapType::Sampler;
const INDICES: u32 = 4096;

/// A device with a sampler heap, a buffer of indices, and views of it.
struct Rig {
    device: Device,
    heap: DescriptorHeap,
    views: DescriptorHeap,
    buffer: Resource,
    samplers: Samplers,
}

impl Rig {
    fn new(heap_samplers: u32) -> Rig {
        let device = Device::builder()
            .profile(Profile::builtin("discrete-8g").unwrap())
            .driver(&SoftDriverFactory::default())
            .backing(Backing::Host)
            .gpu_mode(GpuMode::Stepped)
            .build()
            .unwrap();
        let heap = DescriptorHeapDesc::new(SAMPLER, heap_samplers).shader_visible();
        let views = DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, 1);
        let buffer = ResourceDesc::buffer(u64::from(INDICES) * 4);
        let desc = SamplersDesc { heap_samplers, buffer_indices: INDICES, ..SamplersDesc::default() };
        Rig {
            heap: device.create_descriptor_heap(&heap).unwrap(),
            views: device.create_descriptor_heap(&views).unwrap(),
            buffer: device
                .create_committed_resource(&CommittedResourceDesc::new(HeapType::Upload, buffer))
                .unwrap(),
            samplers: Samplers::new(desc).unwrap(),
            device,
        }
    }

    fn at(&self, slot: u32) -> CpuDescriptorHandle {
        self.heap.cpu_start().offset(slot, self.device.descriptor_handle_increment_size(SAMPLER))
    }

    /// As a program does before it submits.
    fn write(&mut self) {
        let mut writes = Vec::new();
        self.samplers.take_sampler_writes(|write| writes.push(write));
        for write in writes {
            self.device.create_sampler(&write.desc, self.at(write.slot)).unwrap();
        }
        let buffer = &self.buffer;
        self.samplers.take_index_writes(|range, indices| {
            assert_eq!(range.buffer, 0);
            let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
            buffer.write(u64::from(range.first) * 4, &bytes).unwrap();
        });
    }

    /// What a shader finds for each sampler of a group: the index in the buffer, and the heap there.
    fn found(&self, group: GroupId) -> Vec<SamplerDesc> {
        let range = self.samplers.group(group).unwrap().range;
        let dimension = SrvDimension::Buffer {
            first_element: u64::from(range.first),
            element_count: range.count,
            structure_byte_stride: 4,
            flags: BufferViewFlags::empty(),
        };
        let view = ShaderResourceViewDesc {
            format: Format::UNKNOWN,
            dimension,
            component_mapping: ComponentMapping::IDENTITY,
        };
        self.device
            .create_shader_resource_view(Some(&self.buffer), Some(&view), self.views.cpu_start())
            .unwrap();
        let mut bytes = vec![0; usize::try_from(range.count).unwrap() * 4];
        self.buffer.read(u64::from(range.first) * 4, &mut bytes).unwrap();
        let indices = bytes.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
        indices.map(|index| self.device.sampler(self.at(index)).unwrap()).collect()
    }
}

fn distinct(number: u16) -> SamplerDesc {
    SamplerDesc { mip_lod_bias: f32::from(number) / 2048.0, ..SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR) }
}

#[test]
fn groups_find_their_samplers() {
    let mut rig = Rig::new(64);
    let descs: Vec<SamplerDesc> = (0..40).map(distinct).collect();
    let samplers = rig.samplers.create_samplers(&descs).unwrap();
    let members: Vec<Vec<usize>> =
        (0..60).map(|group| (0..1 + group % 7).map(|at| (group * 11 + at * 5) % 40).collect()).collect();
    let mut groups = Vec::new();
    for members in &members {
        let bound: Vec<_> = members.iter().map(|at| &samplers[*at]).collect();
        groups.push(rig.samplers.create_group(&bound).unwrap());
    }
    rig.write();
    for (group, members) in groups.iter().zip(&members) {
        let wanted: Vec<SamplerDesc> = members.iter().map(|at| descs[*at]).collect();
        assert_eq!(rig.found(*group), wanted);
    }
}

#[test]
fn what_a_list_in_flight_reads_stays_until_the_fence() {
    let mut rig = Rig::new(1);
    let queue = rig.device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
    let fence = rig.device.create_fence(0, FenceFlags::empty()).unwrap();
    let used = |value| UsePoint { queue: 0, value };
    let sampler = rig.samplers.create_sampler(&distinct(1)).unwrap();
    let group = rig.samplers.create_group(&[&sampler]).unwrap();
    rig.write();
    queue.signal(&fence, 1).unwrap();
    rig.samplers.mark_used(group, used(1)).unwrap();
    rig.samplers.destroy_group(group, &[]).unwrap();
    rig.samplers.destroy_sampler(sampler, &[]).unwrap();
    rig.samplers.complete(used(fence.completed_value())).unwrap();
    assert!(rig.samplers.create_sampler(&distinct(2)).is_err(), "the only slot is read");
    rig.write();
    assert_eq!(rig.device.sampler(rig.at(0)).unwrap(), distinct(1));
    queue.run_until_idle().unwrap();
    rig.samplers.complete(used(fence.completed_value())).unwrap();
    let next = rig.samplers.create_sampler(&distinct(2)).unwrap();
    rig.write();
    assert_eq!((next.place(), rig.device.sampler(rig.at(0)).unwrap()), ((0, 0), distinct(2)));
}
