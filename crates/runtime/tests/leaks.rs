//! Nothing leaks: not where the driver fails, and not in random series of legal and illegal calls, whose
//! usage a naive model predicts.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use core::sync::atomic::Ordering;
use std::collections::BTreeMap;

use common::counting::CountingFactory;
use common::*;
use heapstone::{
    Backing, ByteRange, CommittedResourceDesc, CpuPageProperty, Device, Error, Format, Heap, HeapDesc,
    HeapFlags, HeapProperties, HeapType, MapPointer, MemoryPool, Pageable, PlacedResourceDesc,
    ReservedResourceDesc, Resource, ResourceDesc, ResourceFlags, ResourceKind, SdkVersion, TextureLayout,
};
use proptest::prelude::*;

fn watched(name: &str, sdk: SdkVersion, backing: Backing) -> (Device, CountingFactory) {
    let factory = CountingFactory::default();
    let builder = Device::builder().profile(profile(name)).driver(&factory).backing(backing).sdk(sdk);
    (builder.build().unwrap(), factory)
}

type Made<T> = Vec<Result<T, Error>>;

/// Every kind of creation, in turn. Answers the objects of those that succeeded.
fn script(device: &Device) -> (Made<Heap>, Made<Resource>) {
    let heaps = vec![
        device.create_heap(&HeapDesc::new(MIB, HeapType::Default)),
        device.create_heap(&HeapDesc::new(MIB, HeapType::Upload)),
    ];
    let mut resources = vec![
        device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, rgba8(64, 64))),
        device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Upload, tight_buffer(10))),
        device.create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(100_000))),
    ];
    if let Ok(heap) = &heaps[0] {
        let placed =
            |offset, desc| device.create_placed_resource(heap, offset, &PlacedResourceDesc::new(desc));
        resources.push(placed(0, ResourceDesc::buffer(1000)));
        resources.push(placed(65_536, render_target(64, 64)));
    }
    (heaps, resources)
}

#[test]
fn the_driver_fails_at_each_creation_in_turn() {
    for backing in [Backing::Phantom, Backing::Host] {
        for failing in 1..=7 {
            let (device, factory) = watched("discrete-8g", SdkVersion::LATEST, backing);
            factory.watch.failing_creation.store(failing, Ordering::SeqCst);
            let (heaps, resources) = script(&device);
            let errors = heaps.iter().filter_map(|heap| heap.as_ref().err());
            let errors: Vec<&Error> =
                errors.chain(resources.iter().filter_map(|resource| resource.as_ref().err())).collect();
            assert_eq!(errors.len(), 1, "creation {failing} fails, and the calls after it work");
            assert!(errors[0].is_out_of_memory(), "{}", errors[0]);
            drop((heaps, resources));
            assert_empty(&device);
            assert!(factory.watch.is_empty(), "creation {failing}: {:?}", factory.watch);
        }
    }
}

#[test]
fn the_order_of_destruction_does_not_matter() {
    let (device, factory) = watched("discrete-8g", SdkVersion::LATEST, Backing::Host);
    for rotation in 0..7 {
        let (heaps, resources) = script(&device);
        let mut objects: Vec<Box<dyn core::any::Any>> = Vec::new();
        objects.extend(heaps.into_iter().map(|heap| Box::new(heap.unwrap()) as Box<dyn core::any::Any>));
        objects.extend(resources.into_iter().map(|one| Box::new(one.unwrap()) as Box<dyn core::any::Any>));
        objects.rotate_left(rotation);
        drop(objects);
        assert_empty(&device);
        assert!(factory.watch.is_empty());
    }
}

/// A call; indices are taken modulo what there is.
#[derive(Clone, Debug)]
enum Op {
    CreateHeap(HeapDesc),
    Commit(HeapProperties, HeapFlags, ResourceDesc),
    Place(usize, u64, ResourceDesc),
    Reserve(ResourceDesc),
    Map(usize, u32, Option<ByteRange>, MapPointer),
    Unmap(usize, u32),
    DropHeap(usize),
    DropResource(usize),
    FailNextCreation,
}

fn size() -> impl Strategy<Value = u64> {
    prop_oneof![
        24 => (0_u32..24, 0_u64..3).prop_map(|(log2, more)| (1 << log2) + more),
        2 => (24_u32..40).prop_map(|log2| 1 << log2),
        1 => Just(0),
        1 => Just(u64::MAX),
        1 => Just(0xFFFF_0000),
    ]
}

fn heap_type() -> impl Strategy<Value = HeapType> {
    prop_oneof![
        8 => Just(HeapType::Default),
        2 => Just(HeapType::Upload),
        2 => Just(HeapType::Readback),
        1 => Just(HeapType::GpuUpload),
        2 => Just(HeapType::Custom),
    ]
}

fn properties() -> impl Strategy<Value = HeapProperties> {
    let page = prop_oneof![
        Just(CpuPageProperty::NotAvailable),
        Just(CpuPageProperty::WriteCombine),
        Just(CpuPageProperty::WriteBack),
    ];
    let pool =
        prop_oneof![4 => Just(MemoryPool::L0), 2 => Just(MemoryPool::L1), 1 => Just(MemoryPool::Unknown)];
    let nodes =
        prop_oneof![16 => Just((0, 0)), 1 => Just((1, 3)), 1 => Just((2, 2)), 1 => (0_u32..5, 0_u32..5)];
    (heap_type(), page, pool, nodes).prop_map(|(heap_type, page, pool, (creation, visible))| {
        let properties = if heap_type == HeapType::Custom {
            HeapProperties::custom(page, pool)
        } else {
            HeapProperties::new(heap_type)
        };
        properties.with_nodes(creation, visible)
    })
}

/// Of explicit heaps, which tier 1 wants to deny two kinds, and of implicit ones, which deny none.
fn heap_flags(is_explicit: bool) -> impl Strategy<Value = HeapFlags> {
    let denying = if is_explicit { 4 } else { 1 };
    prop_oneof![
        12 => Just(HeapFlags::empty()),
        denying => Just(HeapFlags::ALLOW_ONLY_BUFFERS),
        denying => Just(HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES),
        1 => Just(HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES),
        2 => Just(HeapFlags::ALLOW_SHADER_ATOMICS),
        1 => Just(HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER),
        1 => (0_u32..0x4000).prop_map(HeapFlags::from_bits_retain),
    ]
}

fn alignment() -> impl Strategy<Value = u64> {
    prop_oneof![24 => Just(0), 1 => Just(4096), 1 => Just(65_536), 2 => Just(4_194_304), 1 => 0_u64..300]
}

fn resource() -> impl Strategy<Value = ResourceDesc> {
    let flags = prop_oneof![
        12 => Just(ResourceFlags::empty()),
        3 => Just(ResourceFlags::USE_TIGHT_ALIGNMENT),
        2 => Just(ResourceFlags::ALLOW_UNORDERED_ACCESS),
        2 => Just(ResourceFlags::ALLOW_RENDER_TARGET),
        1 => (0_u32..0x800).prop_map(ResourceFlags::from_bits_retain),
    ];
    let format = prop_oneof![
        8 => Just(Format::R8G8B8A8_UNORM),
        2 => Just(Format::BC7_UNORM),
        1 => Just(Format::D32_FLOAT),
        1 => Just(Format::NV12),
        1 => Just(Format::UNKNOWN),
    ];
    let layout = prop_oneof![
        5 => Just(TextureLayout::Unknown),
        1 => Just(TextureLayout::RowMajor),
        4 => Just(TextureLayout::Undefined64KbSwizzle),
        1 => Just(TextureLayout::Standard64KbSwizzle),
    ];
    let extent = || prop_oneof![12 => 1_u32..600, 4 => Just(64), 1 => Just(0), 1 => Just(u32::MAX)];
    let texture = (format, extent(), extent(), 0_u16..40, 0_u16..16, layout, 0_u32..16, 0_u32..4).prop_map(
        |(format, width, height, depth, mips, layout, samples, volume)| {
            let width = u64::from(width);
            let desc = if volume == 0 {
                ResourceDesc::texture_3d(format, width, height, depth)
            } else {
                ResourceDesc::texture_2d(format, width, height).with_array_size(depth % 5 + 1)
            };
            desc.with_mip_levels(mips).with_layout(layout).with_samples(if samples == 4 { 4 } else { 1 })
        },
    );
    let desc = prop_oneof![2 => size().prop_map(ResourceDesc::buffer), 1 => texture];
    (desc, flags, alignment())
        .prop_map(|(desc, flags, alignment)| desc.with_flags(flags).with_alignment(alignment))
}

fn op() -> impl Strategy<Value = Op> {
    let offset = prop_oneof![
        4 => (0_u64..64).prop_map(|page| page * 65_536),
        1 => (0_u64..4096).prop_map(|line| line * 256),
        1 => any::<u64>(),
    ];
    let range =
        prop_oneof![Just(None), (size(), size()).prop_map(|(begin, end)| Some(ByteRange::new(begin, end))),];
    let pointer = prop_oneof![Just(MapPointer::Wanted), Just(MapPointer::Null)];
    let heap = (size(), properties(), alignment(), heap_flags(true))
        .prop_map(|(size, properties, alignment, flags)| HeapDesc { size, properties, alignment, flags });
    prop_oneof![
        4 => heap.prop_map(Op::CreateHeap),
        4 => (properties(), heap_flags(false), resource())
            .prop_map(|(properties, flags, desc)| Op::Commit(properties, flags, desc)),
        6 => (any::<usize>(), offset, resource()).prop_map(|(heap, offset, desc)| Op::Place(heap, offset, desc)),
        3 => resource().prop_map(Op::Reserve),
        2 => (any::<usize>(), 0_u32..3, range, pointer)
            .prop_map(|(index, subresource, range, pointer)| Op::Map(index, subresource, range, pointer)),
        2 => (any::<usize>(), 0_u32..3).prop_map(|(index, subresource)| Op::Unmap(index, subresource)),
        2 => any::<usize>().prop_map(Op::DropHeap),
        4 => any::<usize>().prop_map(Op::DropResource),
        1 => Just(Op::FailNextCreation),
    ]
}

/// What lives, by the handles that the test has.
struct World {
    device: Device,
    factory: CountingFactory,
    heaps: Vec<Heap>,
    resources: Vec<Resource>,
}

impl World {
    /// Whether the call succeeded.
    fn run(&mut self, op: Op) -> bool {
        let device = &self.device;
        let made = match op {
            Op::CreateHeap(desc) => {
                let heap = device.create_heap(&desc);
                let is_made = heap.is_ok();
                self.heaps.extend(heap);
                return is_made;
            }
            Op::Commit(heap_properties, heap_flags, desc) => {
                device.create_committed_resource(&CommittedResourceDesc {
                    heap_properties,
                    heap_flags,
                    ..CommittedResourceDesc::new(heap_properties.heap_type, desc)
                })
            }
            Op::Place(heap, offset, desc) if !self.heaps.is_empty() => {
                let heap = &self.heaps[heap % self.heaps.len()];
                device.create_placed_resource(heap, offset, &PlacedResourceDesc::new(desc))
            }
            Op::Reserve(desc) => device.create_reserved_resource(&ReservedResourceDesc::new(desc)),
            Op::Map(index, subresource, range, pointer) if !self.resources.is_empty() => {
                let resource = &self.resources[index % self.resources.len()];
                return resource.map(subresource, range, pointer).is_ok();
            }
            Op::Unmap(index, subresource) if !self.resources.is_empty() => {
                return self.resources[index % self.resources.len()].unmap(subresource, None).is_ok();
            }
            Op::DropHeap(index) if !self.heaps.is_empty() => {
                self.heaps.swap_remove(index % self.heaps.len());
                return true;
            }
            Op::DropResource(index) if !self.resources.is_empty() => {
                self.resources.swap_remove(index % self.resources.len());
                return true;
            }
            Op::FailNextCreation => {
                let next = self.factory.watch.creations.load(Ordering::SeqCst) + 1;
                self.factory.watch.failing_creation.store(next, Ordering::SeqCst);
                return true;
            }
            _ => return true,
        };
        let is_made = made.is_ok();
        self.resources.extend(made);
        is_made
    }

    /// Bytes committed and addresses taken, from the handles alone: what was created not resident takes addresses only.
    fn expected(&self) -> (u64, u64) {
        let is_resident = |object: Pageable<'_>| self.device.residency_count(object).unwrap() > 0;
        let kept = self.resources.iter().filter_map(Resource::heap);
        let heaps: BTreeMap<u64, (u64, bool)> = self
            .heaps
            .iter()
            .chain(kept)
            .map(|heap| {
                (heap.gpu_virtual_address().0, (heap.committed_size(), is_resident(Pageable::Heap(heap))))
            })
            .collect();
        let own = self.resources.iter().filter(|one| one.kind() == ResourceKind::Committed);
        let own = own.map(|one| (one.committed_size(), is_resident(Pageable::Resource(one))));
        let (mut committed, mut addresses) = (0, 0);
        for (bytes, is_resident) in heaps.into_values().chain(own) {
            addresses += bytes;
            committed += if is_resident { bytes } else { 0 };
        }
        let reserved = self.resources.iter().filter(|one| one.kind() == ResourceKind::Reserved);
        (committed, addresses + reserved.map(Resource::size).sum::<u64>())
    }

    fn check(&self) {
        let (usage, addresses, segments) = footprint(&self.device);
        let expected = self.expected();
        assert_eq!((usage.iter().sum::<u64>(), addresses), expected);
        assert_eq!(segments.iter().sum::<u64>(), expected.0);
        let resources = i64::try_from(self.resources.len()).unwrap();
        assert_eq!(self.factory.watch.resources.load(Ordering::SeqCst), resources);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_calls_take_what_the_model_says_and_leave_nothing(
        profile in prop::sample::select(heapstone::Profile::builtin_names()),
        sdk in prop_oneof![3 => Just(SdkVersion::LATEST), 1 => Just(SdkVersion::Inbox), 1 => Just(SdkVersion::V618)],
        ops in prop::collection::vec(op(), 1..60),
        resources_first in any::<bool>(),
    ) {
        let (device, factory) = watched(profile, sdk, Backing::Phantom);
        let mut world = World { device, factory, heaps: Vec::new(), resources: Vec::new() };
        for op in ops {
            let before = footprint(&world.device);
            let told = format!("{op:?}");
            if !world.run(op) {
                prop_assert_eq!(footprint(&world.device), before, "a refused call takes nothing: {}", told);
            }
            world.check();
        }
        let World { device, factory, heaps, resources } = world;
        if resources_first {
            drop(resources);
            drop(heaps);
        } else {
            drop(heaps);
            drop(resources);
        }
        assert_empty(&device);
        prop_assert!(factory.watch.is_empty());
    }
}
