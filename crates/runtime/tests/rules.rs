//! No rule of heaps, placement or mapping is dead data: each is broken here by some call, and says what was
//! given and what is allowed.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::*;
use heapstone::features::TightAlignment;
use heapstone::spec::caps::CrossNodeSharingTier;
use heapstone::spec::rules::{heap, mapping, placement};
use heapstone::{
    Backing, BarrierLayout, ByteRange, ClearColor, ClearValue, CommittedResourceDesc, CpuPageProperty,
    Device, Error, Format, HeapDesc, HeapFlags, HeapProperties, HeapType, InitialState, MapPointer,
    MemoryPool, PlacedResourceDesc, Profile, ReservedResourceDesc, Resource, ResourceDesc, ResourceFlags,
    ResourceStates, Rule, SdkVersion, SegmentGroup, TextureLayout, Violation,
};

/// Only a C caller can give a number that is no enumerator: Rust's types hold none.
const FROM_C_ONLY: [&Rule; 3] =
    [&heap::TYPE_UNRECOGNIZED, &heap::CPU_PAGE_PROPERTY_UNRECOGNIZED, &heap::MEMORY_POOL_UNRECOGNIZED];

const SHARED: HeapFlags = HeapFlags::SHARED.union(HeapFlags::SHARED_CROSS_ADAPTER);
const DEFAULT: HeapProperties = HeapProperties::new(HeapType::Default);

/// Broken rules, each with the text of the refusal that must hold `given` and `allowed`.
#[derive(Default)]
struct Broken {
    rules: Vec<&'static str>,
}

impl Broken {
    #[track_caller]
    fn by<T: core::fmt::Debug>(
        &mut self,
        device: &Device,
        rule: &'static Rule,
        result: Result<T, Error>,
        given: &str,
        allowed: &str,
    ) {
        let violation: Violation = refused(result, rule);
        says(&violation, "", &[given], &[allowed]);
        assert!(rule.holds_in(device.sdk()), "{} is refused under {}", rule.id, device.sdk());
        self.rules.push(rule.id);
    }

    /// That nothing of `rules` is missing but what no Rust caller can break.
    #[track_caller]
    fn are_all(&self, rules: &[&'static Rule]) {
        let is_missing = |rule: &&&Rule| {
            !self.rules.contains(&rule.id) && !FROM_C_ONLY.iter().any(|only| only.id == rule.id)
        };
        let missing: Vec<&str> = rules.iter().filter(is_missing).map(|rule| rule.id).collect();
        assert!(missing.is_empty(), "no call breaks {missing:?}");
        for only in FROM_C_ONLY {
            assert!(!self.rules.contains(&only.id), "{} can be broken after all", only.id);
        }
    }
}

/// Two linked cards that share less than they could.
fn linked(sharing: CrossNodeSharingTier) -> Device {
    let mut profile: Profile = profile("linked-two-nodes");
    profile.caps.cross_node_sharing_tier = sharing;
    profile.caps.cross_node_atomic_shader_instructions = false;
    device_of(profile, SdkVersion::LATEST, Backing::Phantom)
}

fn create(device: &Device, properties: HeapProperties, flags: HeapFlags) -> Result<heapstone::Heap, Error> {
    device.create_heap(&heap_of(MIB, properties, flags))
}

fn commit(device: &Device, heap_flags: HeapFlags, desc: ResourceDesc) -> Result<Resource, Error> {
    let desc = CommittedResourceDesc { heap_flags, ..CommittedResourceDesc::new(HeapType::Default, desc) };
    device.create_committed_resource(&desc)
}

#[test]
fn every_rule_of_heaps() {
    let mut broken = Broken::default();
    let device = device("discrete-8g");
    let sized = |size, heap_type| device.create_heap(&HeapDesc::new(size, heap_type));
    let default = |flags| create(&device, DEFAULT, flags);
    let custom = |page, pool| create(&device, HeapProperties::custom(page, pool), HeapFlags::empty());
    let nodes =
        |creation, visible| create(&device, DEFAULT.with_nodes(creation, visible), HeapFlags::empty());
    let (l0, l1) = (MemoryPool::L0, MemoryPool::L1);

    broken.by(&device, &heap::SIZE_ZERO, sized(0, HeapType::Default), "0", "1");
    broken.by(
        &device,
        &heap::SIZE_ADDRESSES,
        sized(u64::MAX, HeapType::Default),
        "18446744073709551615",
        "65536",
    );
    broken.by(&device, &heap::SIZE_CPU_VISIBLE, sized(1 << 32, HeapType::Upload), "4294967296", "0xFFFF0000");
    let aligned = device.create_heap(&HeapDesc::new(MIB, HeapType::Default).with_alignment(131_072));
    broken.by(&device, &heap::ALIGNMENT, aligned, "131072", "4194304");
    let both = HeapProperties { memory_pool_preference: l0, ..DEFAULT };
    broken.by(
        &device,
        &heap::ABSTRACT_PROPERTIES,
        create(&device, both, HeapFlags::empty()),
        "L0",
        "UNKNOWN",
    );
    broken.by(&device, &heap::CUSTOM_UNKNOWN, custom(CpuPageProperty::Unknown, l0), "UNKNOWN", "WRITE_BACK");
    broken.by(
        &device,
        &heap::CUSTOM_L1_WRITE_BACK,
        custom(CpuPageProperty::WriteBack, l1),
        "WRITE_BACK",
        "NOT_AVAILABLE",
    );
    broken.by(&device, &heap::FLAGS_UNRECOGNIZED, default(HeapFlags::from_bits_retain(0x10)), "0x10", "0x");
    broken.by(&device, &heap::FLAGS_DENY_ALL, default(HeapFlags::DENY_ALL), "DENY", "two");
    broken.by(
        &device,
        &heap::FLAGS_CROSS_ADAPTER,
        default(HeapFlags::SHARED_CROSS_ADAPTER),
        "SHARED_CROSS_ADAPTER",
        "SHARED |",
    );
    broken.by(
        &device,
        &heap::FLAGS_DISPLAY,
        default(HeapFlags::ALLOW_DISPLAY),
        "ALLOW_DISPLAY",
        "no ALLOW_DISPLAY",
    );
    broken.by(
        &device,
        &heap::FLAGS_PROTECTED,
        default(HeapFlags::HARDWARE_PROTECTED),
        "HARDWARE_PROTECTED",
        "discrete-8g",
    );
    broken.by(
        &device,
        &heap::FLAGS_WRITE_WATCH,
        default(HeapFlags::ALLOW_WRITE_WATCH),
        "NOT_AVAILABLE",
        "L0",
    );
    let committed = commit(&device, HeapFlags::ALLOW_ONLY_BUFFERS, ResourceDesc::buffer(1));
    broken.by(&device, &heap::COMMITTED_DENY, committed, "DENY", "no DENY");
    let atomics = HeapFlags::ALLOW_SHADER_ATOMICS;
    let upload = create(&device, HeapProperties::new(HeapType::Upload), atomics);
    broken.by(&device, &heap::ATOMICS_CPU_ABSTRACTION, upload, "UPLOAD", "DEFAULT");
    let plain = commit(&device, atomics, ResourceDesc::buffer(1));
    broken.by(&device, &heap::ATOMICS_COMMITTED_UAV, plain, "ALLOW_SHADER_ATOMICS", "ALLOW_UNORDERED_ACCESS");
    broken.by(&device, &heap::NODE_CREATION, nodes(3, 3), "0x3", "0x1");
    broken.by(&device, &heap::NODE_VISIBLE, nodes(1, 2), "0x2", "0x1");
    let translated = device.get_custom_heap_properties(0, HeapType::Custom);
    broken.by(&device, &heap::CUSTOM_PROPERTIES_TYPE, translated, "CUSTOM", "READBACK");

    let uma = common::device("integrated-uma");
    let on_uma = create(&uma, HeapProperties::custom(CpuPageProperty::NotAvailable, l1), HeapFlags::empty());
    broken.by(&uma, &heap::CUSTOM_L1_UMA, on_uma, "L1", "L0");
    let old = device_under("discrete-8g", SdkVersion::V606);
    let written = create(&old, HeapProperties::custom(CpuPageProperty::WriteCombine, l1), HeapFlags::empty());
    broken.by(&old, &heap::CUSTOM_L1_WRITE_COMBINE, written, "WRITE_COMBINE", "606");
    let uploaded = create(&old, HeapProperties::new(HeapType::GpuUpload), HeapFlags::empty());
    broken.by(&old, &heap::GPU_UPLOAD_UNSUPPORTED, uploaded, "GPU_UPLOAD", "606");
    let tier1 = common::device("discrete-tier1-2g");
    broken.by(&tier1, &heap::FLAGS_TIER1, create(&tier1, DEFAULT, HeapFlags::empty()), "denies 0", "0xC0");
    let software = common::device("software");
    let large = software.create_heap(&HeapDesc::new(8 * GIB, HeapType::Default));
    broken.by(&software, &heap::SIZE_DRIVER, large, "8589934592", "4294967296");
    let apart = linked(CrossNodeSharingTier::NotSupported);
    let peer = create(&apart, DEFAULT.with_nodes(1, 3), HeapFlags::empty());
    broken.by(&apart, &heap::NODE_SHARING, peer, "0x3", "NOT_SUPPORTED");
    let views = linked(CrossNodeSharingTier::Tier2);
    broken.by(&views, &heap::ATOMICS_PEER, create(&views, DEFAULT.with_nodes(1, 3), atomics), "0x3", "FALSE");
    broken.are_all(heap::ALL);
}

/// What a resource begins with.
fn every_rule_of_beginnings(broken: &mut Broken, device: &Device) {
    let (rt, ds, buffer) = (render_target(64, 64), depth_stencil(64, 64), ResourceDesc::buffer(1000));
    let begin = |device: &Device, heap_type, desc, state| {
        let initial = InitialState::State(state);
        let desc = CommittedResourceDesc { initial, ..CommittedResourceDesc::new(heap_type, desc) };
        device.create_committed_resource(&desc)
    };
    let default = |desc, state| begin(device, HeapType::Default, desc, state);
    let unknown = ResourceStates::from_bits_retain(0x4000);
    broken.by(device, &placement::STATE_UNRECOGNIZED, default(buffer, unknown), "0x4000", "0x");
    let two = ResourceStates::COPY_DEST | ResourceStates::COPY_SOURCE;
    broken.by(device, &placement::STATE_EXCLUSIVE, default(buffer, two), "COPY_SOURCE", "COPY_DEST alone");
    let target = ResourceStates::RENDER_TARGET;
    broken.by(device, &placement::STATE_FLAGS, default(rgba8(64, 64), target), "NONE", "ALLOW_RENDER_TARGET");
    let index = ResourceStates::INDEX_BUFFER;
    broken.by(device, &placement::STATE_DIMENSION, default(rt, index), "INDEX_BUFFER", "textures");
    let upload = begin(device, HeapType::Upload, buffer, index);
    broken.by(device, &placement::STATE_UPLOAD, upload, "INDEX_BUFFER", "COPY_SOURCE");
    let readback = begin(device, HeapType::Readback, buffer, index);
    broken.by(device, &placement::STATE_READBACK, readback, "INDEX_BUFFER", "COPY_DEST");
    let inbox = device_under("discrete-8g", SdkVersion::Inbox);
    let upload = begin(&inbox, HeapType::Upload, buffer, ResourceStates::COMMON);
    broken.by(&inbox, &placement::STATE_UPLOAD_INBOX, upload, "COMMON", "GENERIC_READ");
    let readback = begin(&inbox, HeapType::Readback, buffer, ResourceStates::COMMON);
    broken.by(&inbox, &placement::STATE_READBACK_INBOX, readback, "COMMON", "COPY_DEST");

    let layout = |device: &Device, desc, layout| {
        let initial = InitialState::Layout(layout);
        let desc = CommittedResourceDesc { initial, ..CommittedResourceDesc::new(HeapType::Default, desc) };
        device.create_committed_resource(&desc)
    };
    broken.by(
        &inbox,
        &placement::LAYOUT_UNSUPPORTED,
        layout(&inbox, rt, BarrierLayout::Common),
        "COMMON",
        "inbox",
    );
    broken.by(
        device,
        &placement::LAYOUT_BUFFER,
        layout(device, buffer, BarrierLayout::Common),
        "COMMON",
        "UNDEFINED",
    );
    let write = layout(device, rt, BarrierLayout::DepthStencilWrite);
    broken.by(device, &placement::LAYOUT_FLAGS, write, "DEPTH_STENCIL_WRITE", "ALLOW_DEPTH_STENCIL");

    let clear = |desc, format, value| {
        let clear_value = Some(ClearValue { format, value });
        let desc = CommittedResourceDesc::new(HeapType::Default, desc);
        device.create_committed_resource(&CommittedResourceDesc { clear_value, ..desc })
    };
    let (black, unorm) = (ClearColor::Color([0.0; 4]), Format::R8G8B8A8_UNORM);
    let depth = |depth| ClearColor::DepthStencil { depth, stencil: 0 };
    broken.by(device, &placement::CLEAR_VALUE_USE, clear(buffer, unorm, black), "buffer", "NULL");
    let typeless = clear(rt, Format::R8G8B8A8_TYPELESS, black);
    broken.by(device, &placement::CLEAR_VALUE_TYPELESS, typeless, "TYPELESS", "typed");
    broken.by(
        device,
        &placement::CLEAR_VALUE_FORMAT,
        clear(rt, Format::R32_FLOAT, black),
        "R32_FLOAT",
        "R8G8B8A8",
    );
    broken.by(device, &placement::CLEAR_VALUE_KIND, clear(rt, unorm, depth(1.0)), "depth", "colour");
    broken.by(
        device,
        &placement::CLEAR_VALUE_DEPTH,
        clear(ds, Format::D32_FLOAT, depth(1.5)),
        "1.5",
        "0 to 1",
    );

    let cast = |device: &Device, desc, format| {
        let castable_formats: &[Format] = &[format];
        let desc = CommittedResourceDesc::new(HeapType::Default, desc);
        device.create_committed_resource(&CommittedResourceDesc { castable_formats, ..desc })
    };
    broken.by(&inbox, &placement::CASTABLE_UNSUPPORTED, cast(&inbox, rt, unorm), "1", "inbox");
    broken.by(device, &placement::CASTABLE_BUFFER, cast(device, buffer, unorm), "R8G8B8A8_UNORM", "UNKNOWN");
    broken.by(device, &placement::CASTABLE_FORMAT, cast(device, rt, Format::R32G32_UINT), "64", "32");
}

#[test]
fn every_rule_of_placement() {
    let mut broken = Broken::default();
    let device = device("discrete-8g");
    every_rule_of_beginnings(&mut broken, &device);
    let heap = create(&device, DEFAULT, HeapFlags::empty()).unwrap();
    let place =
        |heap, offset, desc| device.create_placed_resource(heap, offset, &PlacedResourceDesc::new(desc));
    let other = create(&common::device("discrete-8g"), DEFAULT, HeapFlags::empty()).unwrap();
    let buffer = ResourceDesc::buffer(1000);
    broken.by(&device, &placement::HEAP_DEVICE, place(&other, 0, buffer), "another", "this");
    let textures = create(&device, DEFAULT, HeapFlags::DENY_BUFFERS).unwrap();
    broken.by(&device, &placement::HEAP_CATEGORY, place(&textures, 0, buffer), "buffer", "DENY_BUFFERS");
    let msaa = render_target(64, 64).with_samples(4);
    broken.by(&device, &placement::HEAP_ALIGNMENT, place(&heap, 0, msaa), "64 KiB", "4 MiB");
    broken.by(&device, &placement::OFFSET_ALIGNMENT, place(&heap, 4096, buffer), "4096", "65536");
    broken.by(&device, &placement::HEAP_RANGE, place(&heap, MIB, buffer), "1048576", "983040");
    let upload = |desc| {
        let initial = InitialState::State(ResourceStates::GENERIC_READ);
        let desc = CommittedResourceDesc { initial, ..CommittedResourceDesc::new(HeapType::Upload, desc) };
        device.create_committed_resource(&desc)
    };
    broken.by(&device, &placement::TEXTURE_HEAP_TYPE, upload(rgba8(64, 64)), "TEXTURE2D", "BUFFER");
    let written = buffer.with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS);
    broken.by(&device, &placement::BUFFER_HEAP_TYPE, upload(written), "UPLOAD", "ALLOW_UNORDERED_ACCESS");
    let crossing = ResourceFlags::ALLOW_CROSS_ADAPTER;
    let rows = rgba8(64, 64).with_layout(TextureLayout::RowMajor).with_flags(crossing);
    broken.by(
        &device,
        &placement::ROW_MAJOR_HEAP,
        place(&heap, 0, rows),
        "ROW_MAJOR",
        "SHARED_CROSS_ADAPTER",
    );
    let shared = buffer.with_flags(crossing);
    broken.by(
        &device,
        &placement::CROSS_ADAPTER_HEAP,
        place(&heap, 0, shared),
        "NONE",
        "SHARED_CROSS_ADAPTER",
    );
    let displayed = commit(&device, HeapFlags::ALLOW_DISPLAY, render_target(64, 64).with_array_size(3));
    broken.by(&device, &placement::PRIMARY_SHAPE, displayed, "3", "1");
    broken.are_all(placement::ALL);
}

#[test]
fn every_rule_of_mapping() {
    let mut broken = Broken::default();
    let device = device("discrete-8g");
    let custom = |device: &Device, desc| {
        let heap_properties = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
        let desc = CommittedResourceDesc::new(HeapType::Default, desc);
        device.create_committed_resource(&CommittedResourceDesc { heap_properties, ..desc }).unwrap()
    };
    let (wanted, null) = (MapPointer::Wanted, MapPointer::Null);
    let buffer = custom(&device, ResourceDesc::buffer(1000));
    let reserved =
        device.create_reserved_resource(&ReservedResourceDesc::new(ResourceDesc::buffer(1000))).unwrap();
    broken.by(&device, &mapping::MAP_RESERVED, reserved.map(0, None, wanted), "reserved", "placed");
    broken.by(&device, &mapping::HEAP_PROPERTIES_RESERVED, reserved.heap_properties(), "reserved", "placed");
    let foreign = common::device("discrete-8g").get_resource_tiling(&reserved, 0, &mut []);
    broken.by(&device, &mapping::QUERY_RESOURCE_DEVICE, foreign, "another", "this device");
    let tiling = device.get_resource_tiling(&buffer, 0, &mut []);
    broken.by(&device, &mapping::TILING_RESERVED, tiling, "committed", "reserved");
    let hidden = commit(&device, HeapFlags::empty(), ResourceDesc::buffer(1000)).unwrap();
    broken.by(&device, &mapping::MAP_HEAP, hidden.map(0, None, wanted), "NOT_AVAILABLE", "WRITE_BACK");
    broken.by(&device, &mapping::MAP_SUBRESOURCE, buffer.map(1, None, wanted), "1", "0 to 0");
    let past = Some(ByteRange::new(0, 1001));
    broken.by(&device, &mapping::MAP_RANGE, buffer.map(0, past, wanted), "1001", "1000");
    broken.by(&device, &mapping::UNMAP_RANGE, buffer.unmap(0, past), "1001", "1000");
    broken.by(&device, &mapping::UNMAP_NOT_MAPPED, buffer.unmap(0, None), "not mapped", "Map");
    let texture = custom(&device, rgba8(64, 64));
    broken.by(&device, &mapping::MAP_OPAQUE_POINTER, texture.map(0, None, wanted), "pointer", "NULL");
    broken.by(
        &device,
        &mapping::MAP_OPAQUE_RANGE,
        texture.map(0, Some(ByteRange::new(0, 4)), null),
        "4",
        "NULL",
    );
    let volume = custom(&device, ResourceDesc::texture_3d(Format::R8_UNORM, 8, 8, 8).with_mip_levels(4));
    broken.by(&device, &mapping::MAP_OPAQUE_3D, volume.map(0, None, null), "4", "1");
    let depth = custom(&device, depth_stencil(64, 64));
    broken.by(&device, &mapping::MAP_OPAQUE_KIND, depth.map(0, None, null), "ALLOW_DEPTH_STENCIL", "no");
    let odd = custom(&device, ResourceDesc::texture_2d(Format::R32G32B32_FLOAT, 8, 8));
    broken.by(&device, &mapping::MAP_OPAQUE_FORMAT, odd.map(0, None, null), "96 bits", "128 bits");
    let rows =
        rgba8(64, 64).with_layout(TextureLayout::RowMajor).with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER);
    let rows = commit(&device, SHARED, rows).unwrap();
    broken.by(&device, &mapping::MAP_ROW_MAJOR, rows.map(0, None, wanted), "ROW_MAJOR", "buffer");
    broken.by(&device, &mapping::ACCESS_RANGE, buffer.read(1000, &mut [0]), "1000", "1000");
    broken.by(&device, &mapping::ACCESS_OPAQUE, texture.write(0, &[0]), "texture", "buffer");
    let local = SegmentGroup::Local;
    broken.by(&device, &mapping::QUERY_NODE, device.query_video_memory_info(7, local), "7", "0");
    let reserve = device.set_video_memory_reservation(0, local, u64::MAX);
    broken.by(&device, &mapping::RESERVATION, reserve, "18446744073709551615", "at most");
    let old = device_under("discrete-8g", SdkVersion::V614);
    let feature = old.check_feature_support::<TightAlignment>(());
    broken.by(&old, &mapping::QUERY_FEATURE, feature, "614", "618");
    broken.are_all(mapping::ALL);
}
