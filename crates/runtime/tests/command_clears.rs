//! Clears, discards, resolves, immediate writes, predication, timestamps and descriptor heaps of lists: what each
//! is compiled to, and what each refuses.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::{
    ClearFlags, CommandListType, PredicationOp, QueryHeapDesc, QueryHeapType, QueryType, Rect, ResolveMode,
    WriteBufferImmediateMode as Mode,
};
use heapstone::spec::rules::{clear as rules, copy, view};
use heapstone::spec::views::*;
use heapstone::{
    CommandList, DescriptorHeap, DiscardRegion, Error, Format, GpuVirtualAddress, HeapDesc, HeapType,
    PlacedResourceDesc, QueryHeap, ResolveRegion, Resource, ResourceDesc, ResourceFlags,
};
use heapstone_driver::dma::{Address, Command, Image};
use recording::*;

const TARGET: ResourceFlags = ResourceFlags::ALLOW_RENDER_TARGET;
const DEPTH: ResourceFlags = ResourceFlags::ALLOW_DEPTH_STENCIL;
const UNORDERED: ResourceFlags = ResourceFlags::ALLOW_UNORDERED_ACCESS;
const COPY: CommandListType = CommandListType::Copy;
const COMPUTE: CommandListType = CommandListType::Compute;

/// A recording with descriptor heaps, of which handles are taken in turn.
struct Rig {
    recording: Recording,
    targets: DescriptorHeap,
    depths: DescriptorHeap,
    views: DescriptorHeap,
    visible: DescriptorHeap,
    taken: core::cell::Cell<u32>,
}

impl Rig {
    fn new() -> Rig {
        let recording = Recording::on(device("discrete-8g"));
        let heap = |desc| recording.device.create_descriptor_heap(&desc).unwrap();
        let of = |heap_type| DescriptorHeapDesc::new(heap_type, 64);
        Rig {
            targets: heap(of(DescriptorHeapType::Rtv)),
            depths: heap(of(DescriptorHeapType::Dsv)),
            views: heap(of(DescriptorHeapType::CbvSrvUav)),
            visible: heap(of(DescriptorHeapType::CbvSrvUav).shader_visible()),
            recording,
            taken: core::cell::Cell::new(0),
        }
    }

    fn next(&self, heap: &DescriptorHeap) -> CpuDescriptorHandle {
        let index = self.taken.replace(self.taken.get() + 1);
        let increment = self.recording.device.descriptor_handle_increment_size(heap.desc().heap_type);
        heap.cpu_start().offset(index, increment)
    }

    fn target(&self, resource: &Resource, desc: Option<RenderTargetViewDesc>) -> CpuDescriptorHandle {
        let at = self.next(&self.targets);
        self.recording.device.create_render_target_view(Some(resource), desc.as_ref(), at).unwrap();
        at
    }

    fn depth(&self, resource: &Resource, flags: DsvFlags) -> CpuDescriptorHandle {
        let at = self.next(&self.depths);
        let desc = DepthStencilViewDesc {
            format: resource.desc().format,
            dimension: DsvDimension::Texture2D { mip_slice: 0 },
            flags,
        };
        self.recording.device.create_depth_stencil_view(Some(resource), Some(&desc), at).unwrap();
        at
    }

    fn unordered(&self, resource: &Resource, desc: Option<UnorderedAccessViewDesc>) -> CpuDescriptorHandle {
        let at = self.next(&self.views);
        let device = &self.recording.device;
        device.create_unordered_access_view(Some(resource), None, desc.as_ref(), at).unwrap();
        at
    }

    /// Sets the visible heap and clears through `view`.
    fn clear_uint<'a>(
        &'a self,
        view: CpuDescriptorHandle,
        resource: &'a Resource,
        values: [u32; 4],
    ) -> impl Fn(&mut CommandList) -> Result<(), Error> + 'a {
        move |list| {
            list.set_descriptor_heaps(&[&self.visible])?;
            let gpu = self.visible.gpu_start().unwrap();
            list.clear_unordered_access_view_uint(gpu, view, resource, values, &[])
        }
    }

    fn clear_float<'a>(
        &'a self,
        view: CpuDescriptorHandle,
        resource: &'a Resource,
        values: [f32; 4],
    ) -> impl Fn(&mut CommandList) -> Result<(), Error> + 'a {
        move |list| {
            list.set_descriptor_heaps(&[&self.visible])?;
            let gpu = self.visible.gpu_start().unwrap();
            list.clear_unordered_access_view_float(gpu, view, resource, values, &[])
        }
    }
}

/// Of a fill: subresource, origin, size, bytes of an element and samples as powers of two, the value.
type Filled = (u32, [u32; 3], [u32; 3], u8, u8, u32);

fn filled(command: &Command) -> Filled {
    let Command::Fill { destination, origin, size, element_bytes_log2, samples_log2, value, period } =
        *command
    else {
        panic!("{command:?}")
    };
    assert_eq!(period, 1);
    let Image::Surface { subresource, .. } = destination else { panic!("{destination:?}") };
    (subresource, origin, size, element_bytes_log2, samples_log2, value[0])
}

/// Red 255, green 0, blue 0.2 x 255 = 51, alpha 255.
const COLOR: [f32; 4] = [1.0, 0.0, 0.2, 1.0];
const COLOR_RGBA8: u32 = 0xff33_00ff;

#[test]
fn render_targets_are_filled_slice_by_slice() {
    let rig = Rig::new();
    // 3 mips, 4 slices: mip 1 is 16 x 8 texels.
    let image = rig.recording.default(rgba8(32, 16).with_mip_levels(3).with_array_size(4).with_flags(TARGET));
    let desc = RenderTargetViewDesc {
        format: Format::R8G8B8A8_UNORM,
        dimension: RtvDimension::Texture2DArray {
            mip_slice: 1,
            first_array_slice: 1,
            array_size: Some(2),
            plane_slice: 0,
        },
    };
    let view = rig.target(&image, Some(desc));
    let commands = rig.recording.commands(|list| list.clear_render_target_view(view, COLOR, &[]));
    let all = |subresource| (subresource, [0, 0, 0], [16, 8, 1], 2, 0, COLOR_RGBA8);
    assert_eq!(commands.iter().map(filled).collect::<Vec<_>>(), [all(4), all(7)]);

    // A rectangle inside, one that reaches out, one that is outside, an inverted one.
    let rects =
        [Rect::new(2, 1, 6, 3), Rect::new(12, -4, 99, 2), Rect::new(16, 0, 20, 8), Rect::new(5, 5, 4, 6)];
    let commands = rig.recording.commands(|list| list.clear_render_target_view(view, COLOR, &rects));
    let of = |subresource, origin, size| (subresource, origin, size, 2, 0, COLOR_RGBA8);
    assert_eq!(
        commands.iter().map(filled).collect::<Vec<_>>(),
        [
            of(4, [2, 1, 0], [4, 2, 1]),
            of(4, [12, 0, 0], [4, 2, 1]),
            of(7, [2, 1, 0], [4, 2, 1]),
            of(7, [12, 0, 0], [4, 2, 1]),
        ]
    );
}

#[test]
fn views_choose_samples_planes_and_depth_slices() {
    let rig = Rig::new();
    let samples = rig.recording.default(rgba8(32, 16).with_samples(4).with_flags(TARGET));
    let view = rig.target(&samples, None);
    let command = rig.recording.command(|list| list.clear_render_target_view(view, COLOR, &[]));
    assert_eq!(filled(&command), (0, [0; 3], [32, 16, 1], 2, 2, COLOR_RGBA8));

    let volume = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 16, 16, 8).with_flags(TARGET);
    let volume = rig.recording.default(volume);
    let desc = RenderTargetViewDesc {
        format: Format::R8G8B8A8_UNORM,
        dimension: RtvDimension::Texture3D { mip_slice: 0, first_w_slice: 2, w_size: Some(3) },
    };
    let view = rig.target(&volume, Some(desc));
    let command = rig.recording.command(|list| list.clear_render_target_view(view, COLOR, &[]));
    assert_eq!(filled(&command), (0, [0, 0, 2], [16, 16, 3], 2, 0, COLOR_RGBA8));

    let nv12 = ResourceDesc::texture_2d(Format::NV12, 64, 48).with_flags(TARGET);
    let nv12 = rig.recording.default(nv12);
    let desc = RenderTargetViewDesc {
        format: Format::R8G8_UNORM,
        dimension: RtvDimension::Texture2D { mip_slice: 0, plane_slice: 1 },
    };
    let view = rig.target(&nv12, Some(desc));
    let command =
        rig.recording.command(|list| list.clear_render_target_view(view, [1.0, 0.2, 0.0, 0.0], &[]));
    assert_eq!(filled(&command), (1, [0; 3], [32, 24, 1], 1, 0, 0x33ff));
}

/// D24: the depth in the low 24 bits of 32, the stencil in bytes of a plane of its own.
#[test]
fn depth_and_stencil_are_filled_plane_by_plane() {
    let rig = Rig::new();
    let both = ClearFlags::all();
    let make = |format| rig.recording.default(ResourceDesc::texture_2d(format, 32, 16).with_flags(DEPTH));
    let all = |plane, bytes_log2, value| (plane, [0; 3], [32, 16, 1], bytes_log2, 0, value);
    for (format, flags, depth, expected) in [
        (Format::D24_UNORM_S8_UINT, both, 1.0, vec![all(0, 2, 0x00ff_ffff), all(1, 0, 0x7f)]),
        (Format::D24_UNORM_S8_UINT, ClearFlags::STENCIL, 1.0, vec![all(1, 0, 0x7f)]),
        (Format::D32_FLOAT_S8X24_UINT, ClearFlags::DEPTH, 0.25, vec![all(0, 2, 0x3e80_0000)]),
        (Format::D32_FLOAT, both, 0.25, vec![all(0, 2, 0x3e80_0000)]),
        (Format::D32_FLOAT, ClearFlags::STENCIL, 0.25, vec![]),
        (Format::D16_UNORM, ClearFlags::DEPTH, 7.0, vec![all(0, 1, 0xffff)]),
    ] {
        let image = make(format);
        let view = rig.depth(&image, DsvFlags::empty());
        let commands =
            rig.recording.commands(|list| list.clear_depth_stencil_view(view, flags, depth, 0x7f, &[]));
        assert_eq!(commands.iter().map(filled).collect::<Vec<_>>(), expected, "{format} {flags}");
    }
}

#[test]
fn unordered_access_takes_bits_or_numbers() {
    let rig = Rig::new();
    let image =
        |format| rig.recording.default(ResourceDesc::texture_2d(format, 32, 16).with_flags(UNORDERED));
    let values = [0x0001_2345, 2, 3, 4];
    let words = image(Format::R16_UINT);
    let command = rig.recording.command(rig.clear_uint(rig.unordered(&words, None), &words, values));
    assert_eq!(filled(&command), (0, [0; 3], [32, 16, 1], 1, 0, 0x2345));
    let colors = image(Format::R8G8B8A8_UNORM);
    let view = rig.unordered(&colors, None);
    let command = rig.recording.command(rig.clear_uint(view, &colors, [0x1ff, 2, 3, 4]));
    assert_eq!(filled(&command).5, 0x0403_02ff);
    let command = rig.recording.command(rig.clear_float(view, &colors, COLOR));
    assert_eq!(filled(&command).5, COLOR_RGBA8);
    let halves = image(Format::R16_FLOAT);
    let command = rig.recording.command(rig.clear_float(rig.unordered(&halves, None), &halves, [1.0; 4]));
    assert_eq!(filled(&command), (0, [0; 3], [32, 16, 1], 1, 0, 0x3c00));
}

fn buffer_view(
    first_element: u64,
    element_count: u32,
    format: Format,
    flags: BufferViewFlags,
) -> UnorderedAccessViewDesc {
    UnorderedAccessViewDesc {
        format,
        dimension: UavDimension::Buffer {
            first_element,
            element_count,
            structure_byte_stride: 0,
            counter_offset_in_bytes: 0,
            flags,
        },
    }
}

/// A raw view counts words; one of more than 2^26 elements takes several rows.
#[test]
fn buffers_are_filled_as_rows() {
    let rig = Rig::new();
    let width = (1 << 28) + 64;
    let buffer = rig.recording.default(ResourceDesc::buffer(width).with_flags(UNORDERED));
    let fills = |desc, values| -> Vec<(u64, u32, [u32; 3], u8, u32)> {
        let view = rig.unordered(&buffer, Some(desc));
        let commands = rig.recording.commands(rig.clear_uint(view, &buffer, values));
        let fill = |command: &Command| {
            let Command::Fill { destination, origin: [0, 0, 0], size, element_bytes_log2, value, .. } =
                *command
            else {
                panic!("{command:?}")
            };
            let Image::Pitched { address, row_pitch, .. } = destination else { panic!("{destination:?}") };
            let offset = address.at.0 - buffer.gpu_virtual_address().0;
            (offset, row_pitch, size, element_bytes_log2, value[0])
        };
        commands.iter().map(fill).collect()
    };
    let raw = |first, count| buffer_view(first, count, Format::R32_TYPELESS, BufferViewFlags::RAW);
    let values = [0x0123_4567, 1, 2, 3];
    assert_eq!(fills(raw(4, 100), values), [(16, 400, [100, 1, 1], 2, 0x0123_4567)]);
    assert_eq!(
        fills(raw(4, (1 << 26) + 12), values),
        [(16, 1 << 28, [1 << 26, 1, 1], 2, 0x0123_4567), (16 + (1 << 28), 48, [12, 1, 1], 2, 0x0123_4567),]
    );
    let typed = buffer_view(10, 6, Format::R16_UINT, BufferViewFlags::empty());
    assert_eq!(fills(typed, values), [(20, 12, [6, 1, 1], 1, 0x4567)]);
}

#[test]
fn discards_name_what_is_not_needed() {
    let rig = Rig::new();
    let image = rig.recording.default(rgba8(32, 16).with_mip_levels(2).with_array_size(2).with_flags(TARGET));
    let discarded = |region: Option<DiscardRegion<'_>>| -> Vec<(u32, [u32; 3], [u32; 3])> {
        let commands = rig.recording.commands(|list| list.discard_resource(&image, region.as_ref()));
        let discard = |command: &Command| {
            let Command::Discard { destination: Image::Surface { subresource, .. }, origin, size } = *command
            else {
                panic!("{command:?}")
            };
            (subresource, origin, size)
        };
        commands.iter().map(discard).collect()
    };
    let (mip0, mip1) = ([32, 16, 1], [16, 8, 1]);
    assert_eq!(discarded(None), [(0, [0; 3], mip0), (1, [0; 3], mip1), (2, [0; 3], mip0), (3, [0; 3], mip1)]);
    let rects = [Rect::new(-3, 4, 8, 99)];
    let region = DiscardRegion { rects: &rects, first_subresource: 3, num_subresources: 1 };
    assert_eq!(discarded(Some(region)), [(3, [0, 4, 0], [8, 4, 1])]);

    let buffer = rig.recording.default(ResourceDesc::buffer(1000).with_flags(UNORDERED));
    let command = rig.recording.command(|list| list.discard_resource(&buffer, None));
    let Command::Discard { destination: Image::Pitched { address, .. }, size, .. } = command else {
        panic!("{command:?}")
    };
    assert_eq!((address.at, size), (buffer.gpu_virtual_address(), [1000, 1, 1]));
}

fn region<'a>(
    destination: &'a Resource,
    source: &'a Resource,
    format: Format,
    mode: ResolveMode,
) -> ResolveRegion<'a> {
    ResolveRegion {
        destination,
        destination_subresource: 0,
        x: 0,
        y: 0,
        source,
        source_subresource: 0,
        source_rect: None,
        format,
        mode,
    }
}

#[test]
fn resolves_name_format_mode_and_region() {
    let rig = Rig::new();
    let rgba = Format::R8G8B8A8_UNORM;
    let samples = rig.recording.default(rgba8(32, 16).with_samples(4).with_flags(TARGET));
    let one = rig.recording.default(rgba8(32, 16).with_array_size(2));
    let command = rig.recording.command(|list| list.resolve_subresource(&one, 1, &samples, 0, rgba));
    let Command::Resolve { destination, size, samples_log2, format, mode, .. } = command else {
        panic!("{command:?}")
    };
    assert!(matches!(destination, Image::Surface { subresource: 1, .. }));
    assert_eq!((size, samples_log2, format, mode), ([32, 16, 1], 2, rgba, ResolveMode::Average));

    let part = ResolveRegion {
        x: 5,
        y: 6,
        source_rect: Some(Rect::new(2, 3, 12, 13)),
        ..region(&one, &samples, Format::R8G8B8A8_UINT, ResolveMode::Max)
    };
    let command = rig.recording.command(|list| list.resolve_subresource_region(&part));
    let Command::Resolve { destination_origin, source_origin, size, mode, .. } = command else {
        panic!("{command:?}")
    };
    assert_eq!(
        (destination_origin, source_origin, size, mode),
        ([5, 6, 0], [2, 3, 0], [10, 10, 1], ResolveMode::Max)
    );

    // DECOMPRESS copies all samples; in place there is nothing to do.
    let other = rig.recording.default(rgba8(32, 16).with_samples(4).with_flags(TARGET));
    let copied = region(&other, &samples, rgba, ResolveMode::Decompress);
    let command = rig.recording.command(|list| list.resolve_subresource_region(&copied));
    assert!(matches!(command, Command::CopyRegion { samples_log2: 2, size: [32, 16, 1], .. }), "{command:?}");
    let in_place = region(&samples, &samples, rgba, ResolveMode::Decompress);
    assert_eq!(rig.recording.commands(|list| list.resolve_subresource_region(&in_place)), []);
    let empty = ResolveRegion { source_rect: Some(Rect::new(4, 4, 4, 8)), ..part };
    assert_eq!(rig.recording.commands(|list| list.resolve_subresource_region(&empty)), []);
}

/// Of a depth-stencil the planes are resolved apart: depth as its own format, stencil as bytes.
#[test]
fn depth_and_stencil_are_resolved_apart() {
    let rig = Rig::new();
    let d24 = Format::D24_UNORM_S8_UINT;
    let desc = ResourceDesc::texture_2d(d24, 32, 16).with_flags(DEPTH);
    let (samples, one) = (rig.recording.default(desc.with_samples(4)), rig.recording.default(desc));
    for (plane, mode, expected) in
        [(0, ResolveMode::Average, d24), (0, ResolveMode::Min, d24), (1, ResolveMode::Max, Format::R8_UINT)]
    {
        let resolve = ResolveRegion {
            destination_subresource: plane,
            source_subresource: plane,
            ..region(&one, &samples, d24, mode)
        };
        let command = rig.recording.command(|list| list.resolve_subresource_region(&resolve));
        let Command::Resolve { format, .. } = command else { panic!("{command:?}") };
        assert_eq!(format, expected, "plane {plane} by {mode}");
    }
    let stencil = ResolveRegion {
        destination_subresource: 1,
        source_subresource: 1,
        ..region(&one, &samples, d24, ResolveMode::Average)
    };
    rig.recording.refuses(&rules::RESOLVE_FORMAT, "AVERAGE", "the mode resolves", |list| {
        list.resolve_subresource_region(&stencil)
    });
}

#[test]
fn immediate_writes_find_their_buffers() {
    let rig = Rig::new();
    let buffer = rig.recording.buffer(HeapType::Default, 1000);
    let heap = rig.recording.device.create_heap(&HeapDesc::new(MIB, HeapType::Readback)).unwrap();
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(65_536));
    let placed = rig.recording.device.create_placed_resource(&heap, 65_536, &placed).unwrap();
    let at = |buffer: &Resource, offset| GpuVirtualAddress(buffer.gpu_virtual_address().0 + offset);
    let writes = [(at(&buffer, 8), 7), (at(&placed, 12), 8), (at(&buffer, 996), 9)];
    let modes = [Mode::MarkerIn, Mode::Default, Mode::MarkerOut];
    let compiled = rig.recording.compiled(|list| list.write_buffer_immediate(&writes, Some(&modes)));
    let write = |allocation, (at, value), mode| Command::Write {
        destination: Address { allocation, at },
        value,
        mode,
    };
    assert_eq!(
        commands_of(&compiled),
        [
            write(0, writes[0], Mode::MarkerIn),
            write(1, writes[1], Mode::Default),
            write(0, writes[2], Mode::MarkerOut),
        ]
    );
    let entries: Vec<_> = compiled.allocations().iter().map(|entry| (entry.address, entry.size)).collect();
    assert_eq!(
        entries,
        [(buffer.gpu_virtual_address(), buffer.size()), (GpuVirtualAddress(at(&placed, 0).0 - 65_536), MIB)],
        "of a placed buffer the heap"
    );
    assert_eq!(compiled.command_count(), 1);
    assert_eq!(rig.recording.commands(|list| list.write_buffer_immediate(&[], None)), []);
}

#[test]
fn predicates_and_timestamps_are_64_bits() {
    let rig = Rig::new();
    let buffer = rig.recording.buffer(HeapType::Default, 64);
    let compiled = rig.recording.compiled(|list| {
        list.set_predication(Some((&buffer, 56)), PredicationOp::NotEqualZero)?;
        list.set_predication(None, PredicationOp::EqualZero)
    });
    let at = GpuVirtualAddress(buffer.gpu_virtual_address().0 + 56);
    assert_eq!(
        commands_of(&compiled),
        [
            Command::SetPredication {
                value: Some(Address { allocation: 0, at }),
                op: PredicationOp::NotEqualZero
            },
            Command::SetPredication { value: None, op: PredicationOp::EqualZero },
        ]
    );

    let queries = queries(&rig, QueryHeapType::Timestamp, 16);
    let compiled = rig.recording.compiled(|list| {
        list.end_query(&queries, QueryType::Timestamp, 3)?;
        list.resolve_query_data(&queries, QueryType::Timestamp, 2, 5, &buffer, 8)?;
        list.resolve_query_data(&queries, QueryType::Timestamp, 16, 0, &buffer, 64)
    });
    let commands = commands_of(&compiled);
    let [Command::Timestamp { destination: time }, Command::CopyBuffer { destination, source, size }] =
        commands[..]
    else {
        panic!("{commands:?}")
    };
    let results = compiled.allocations()[0].address.0;
    assert_eq!((time.at.0, source.at.0, size), (results + 24, results + 16, 40));
    assert_eq!(destination.at.0, buffer.gpu_virtual_address().0 + 8);
}

fn queries(rig: &Rig, heap_type: QueryHeapType, count: u32) -> QueryHeap {
    rig.recording.device.create_query_heap(&QueryHeapDesc { heap_type, count, node_mask: 0 }).unwrap()
}

#[test]
fn every_rule_of_these_commands_is_broken() {
    let rig = Rig::new();
    clear_rules(&rig);
    unordered_rules(&rig);
    discard_rules(&rig);
    resolve_rules(&rig);
    write_rules(&rig);
    query_rules(&rig);
    descriptor_heap_rules(&rig);
    rig.recording.broke_all(rules::ALL, &[]);
}

fn clear_rules(rig: &Rig) {
    let recording = &rig.recording;
    let null = rig.next(&rig.targets);
    let desc = RenderTargetViewDesc {
        format: Format::R8G8B8A8_UNORM,
        dimension: RtvDimension::Texture2D { mip_slice: 0, plane_slice: 0 },
    };
    recording.device.create_render_target_view(None, Some(&desc), null).unwrap();
    recording.refuses(&rules::NULL_VIEW, "null", "a view of a resource", |list| {
        list.clear_render_target_view(null, COLOR, &[])
    });
    let gone = {
        let image = recording.default(render_target(16, 16));
        rig.target(&image, None)
    };
    refused(
        recording.list(CommandListType::Direct).clear_render_target_view(gone, COLOR, &[]),
        &view::DESCRIPTOR_RESOURCE,
    );
    let integers =
        recording.default(ResourceDesc::texture_2d(Format::R32_UINT, 16, 16).with_flags(UNORDERED));
    let integer_view = rig.unordered(&integers, None);
    recording.refuses(
        &rules::VIEW_FORMAT,
        "R32_UINT",
        "this call clears",
        rig.clear_float(integer_view, &integers, COLOR),
    );

    let image =
        recording.default(ResourceDesc::texture_2d(Format::D24_UNORM_S8_UINT, 16, 16).with_flags(DEPTH));
    let writable = rig.depth(&image, DsvFlags::empty());
    for flags in [ClearFlags::empty(), ClearFlags::from_bits_retain(4)] {
        recording.refuses(&rules::DEPTH_FLAGS, &format!("{:#x}", flags.bits()), "DEPTH", |list| {
            list.clear_depth_stencil_view(writable, flags, 0.0, 0, &[])
        });
    }
    for (read_only, flags) in
        [(DsvFlags::READ_ONLY_DEPTH, ClearFlags::DEPTH), (DsvFlags::READ_ONLY_STENCIL, ClearFlags::STENCIL)]
    {
        let view = rig.depth(&image, read_only);
        let (given, allowed) = (format!("with {read_only}"), format!("without {read_only}"));
        recording.refuses(&rules::DEPTH_READ_ONLY, &given, &allowed, |list| {
            list.clear_depth_stencil_view(view, flags, 0.0, 0, &[])
        });
        let other = flags.complement();
        recording.command(|list| list.clear_depth_stencil_view(view, other, 0.0, 0, &[]));
    }

    let buffer = recording.default(ResourceDesc::buffer(64).with_flags(UNORDERED));
    let raw = buffer_view(0, 16, Format::R32_TYPELESS, BufferViewFlags::RAW);
    let view = rig.unordered(&buffer, Some(raw));
    recording.refuses(&rules::RECTS_BUFFER, "1 for a view of a buffer", "0", |list| {
        list.set_descriptor_heaps(&[&rig.visible])?;
        let gpu = rig.visible.gpu_start().unwrap();
        list.clear_unordered_access_view_uint(gpu, view, &buffer, [0; 4], &[Rect::new(0, 0, 1, 1)])
    });
    // Lists of other types have no clears of render targets.
    let target = recording.default(render_target(16, 16));
    let view = rig.target(&target, None);
    for list_type in [COPY, COMPUTE] {
        let mut list = recording.list(list_type);
        let result = list.clear_render_target_view(view, COLOR, &[]);
        refused(result, &heapstone::spec::rules::command::LIST_TYPE);
    }
}

fn unordered_rules(rig: &Rig) {
    let recording = &rig.recording;
    let image = recording.default(rgba8(16, 16).with_flags(UNORDERED));
    let other = recording.default(rgba8(16, 16).with_flags(UNORDERED));
    let view = rig.unordered(&image, None);
    let gpu = rig.visible.gpu_start().unwrap();
    recording.refuses(&rules::UNORDERED_GPU_HEAP, "not set", "that is set", |list| {
        list.clear_unordered_access_view_uint(gpu, view, &image, [0; 4], &[])
    });
    // A reset forgets the heaps.
    let allocator = recording.allocator(COMPUTE);
    let mut list = recording.device.create_command_list(COMPUTE, &allocator).unwrap();
    list.set_descriptor_heaps(&[&rig.visible]).unwrap();
    list.clear_unordered_access_view_uint(gpu, view, &image, [0; 4], &[]).unwrap();
    list.close().unwrap();
    list.reset(&allocator).unwrap();
    let result = list.clear_unordered_access_view_uint(gpu, view, &image, [0; 4], &[]);
    refused(result, &rules::UNORDERED_GPU_HEAP);

    let visible = rig.visible.cpu_start();
    recording.device.create_unordered_access_view(Some(&image), None, None, visible).unwrap();
    let call = rig.clear_uint(visible, &image, [0; 4]);
    recording.refuses(&rules::UNORDERED_CPU_HEAP, "SHADER_VISIBLE", "without SHADER_VISIBLE", call);
    let call = rig.clear_uint(view, &other, [0; 4]);
    recording.refuses(&rules::UNORDERED_RESOURCE, "another resource", "the view's", call);

    let buffer = recording.default(ResourceDesc::buffer(64).with_flags(UNORDERED));
    let structured = UnorderedAccessViewDesc {
        format: Format::UNKNOWN,
        dimension: UavDimension::Buffer {
            first_element: 0,
            element_count: 4,
            structure_byte_stride: 16,
            counter_offset_in_bytes: 0,
            flags: BufferViewFlags::empty(),
        },
    };
    let view = rig.unordered(&buffer, Some(structured));
    let call = rig.clear_uint(view, &buffer, [0; 4]);
    recording.refuses(&rules::UNORDERED_STRUCTURED, "16 bytes", "raw or typed", call);
}

fn discard_rules(rig: &Rig) {
    let recording = &rig.recording;
    let plain = recording.default(rgba8(16, 16));
    let target = recording.default(rgba8(16, 16).with_mip_levels(2).with_array_size(2).with_flags(TARGET));
    let volume = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 16, 16, 4).with_flags(TARGET);
    let volume = recording.default(volume);
    let rects = [Rect::new(0, 0, 8, 8)];
    let call = |list: &mut CommandList| list.discard_resource(&plain, None);
    recording.refuses(&rules::DISCARD_FLAGS, "flags NONE", "ALLOW_RENDER_TARGET", call);
    let call = |list: &mut CommandList| list.discard_resource(&target, None);
    recording.refuses_in(COMPUTE, &rules::DISCARD_FLAGS, "COMPUTE", "ALLOW_UNORDERED_ACCESS", call);
    for (first_subresource, num_subresources) in [(0, 0), (0, 5), (4, 1), (u32::MAX, 2)] {
        let region = DiscardRegion { rects: &[], first_subresource, num_subresources };
        let given = format!("{num_subresources} from {first_subresource}");
        recording.refuses(&rules::DISCARD_SUBRESOURCES, &given, "within 4", |list| {
            list.discard_resource(&target, Some(&region))
        });
    }
    let region = DiscardRegion { rects: &rects, first_subresource: 0, num_subresources: 1 };
    recording.refuses(&rules::DISCARD_RECTS_DIMENSION, "TEXTURE3D", "TEXTURE2D", |list| {
        list.discard_resource(&volume, Some(&region))
    });
    let region = DiscardRegion { num_subresources: 2, ..region };
    recording.refuses(&rules::DISCARD_RECTS_MIPS, "2 subresources of 2 mips", "1", |list| {
        list.discard_resource(&target, Some(&region))
    });
}

fn resolve_rules(rig: &Rig) {
    let recording = &rig.recording;
    let rgba = Format::R8G8B8A8_UNORM;
    let samples = recording.default(rgba8(32, 16).with_samples(4).with_flags(TARGET));
    let one = recording.default(rgba8(32, 16));
    let small = recording.default(rgba8(16, 16));
    let integers = |samples| {
        let desc = ResourceDesc::texture_2d(Format::R32_UINT, 32, 16).with_flags(TARGET);
        recording.default(desc.with_samples(samples))
    };
    let volume = recording.default(ResourceDesc::texture_3d(rgba, 32, 16, 2));
    let refuses = |rule, given: &str, allowed: &str, region: ResolveRegion<'_>| {
        recording.refuses(rule, given, allowed, |list| list.resolve_subresource_region(&region));
    };
    let average = ResolveMode::Average;
    refuses(&rules::RESOLVE_TEXTURE, "TEXTURE3D", "TEXTURE2D", region(&volume, &samples, rgba, average));
    let there = ResolveRegion { destination_subresource: 1, ..region(&one, &samples, rgba, average) };
    refuses(&rules::RESOLVE_SUBRESOURCE, "1", "0 to 0", there);
    refuses(&rules::RESOLVE_SAMPLES, "1 samples to 1", "several", region(&small, &one, rgba, average));
    refuses(
        &rules::RESOLVE_SAMPLES,
        "4 samples to 1",
        "as many",
        region(&one, &samples, rgba, ResolveMode::Decompress),
    );
    recording.refuses(&rules::RESOLVE_MISMATCH, "32x16 to 16x16", "one extent", |list| {
        list.resolve_subresource(&small, 0, &samples, 0, rgba)
    });
    let (many, single) = (integers(4), integers(1));
    for (destination, source, format, mode) in [
        (&single, &many, Format::R32_UINT, average),
        (&one, &samples, Format::R8G8B8A8_TYPELESS, average),
        (&one, &samples, Format::B8G8R8A8_UNORM, average),
        (&single, &samples, rgba, average),
    ] {
        let given = format!("{format} for");
        refuses(&rules::RESOLVE_FORMAT, &given, "typed", region(destination, source, format, mode));
    }
    recording.command(|list| {
        list.resolve_subresource_region(&region(&single, &many, Format::R32_UINT, ResolveMode::Min))
    });
    for (rect, allowed) in
        [(Rect::new(-1, 0, 4, 4), "within 32x16"), (Rect::new(0, 0, 33, 4), "within 32x16")]
    {
        let part = ResolveRegion { source_rect: Some(rect), ..region(&one, &samples, rgba, average) };
        refuses(&rules::RESOLVE_REGION, "(", allowed, part);
    }
    let beyond = ResolveRegion { x: 1, ..region(&one, &samples, rgba, average) };
    refuses(&rules::RESOLVE_REGION, "32x16 texels at (1, 0)", "within 32x16", beyond);
    let moved = ResolveRegion {
        x: 16,
        source_rect: Some(Rect::new(0, 0, 8, 8)),
        ..region(&samples, &samples, rgba, ResolveMode::Decompress)
    };
    refuses(&rules::RESOLVE_IN_PLACE, "from (0, 0) to (16, 0)", "in place", moved);
}

fn write_rules(rig: &Rig) {
    let recording = &rig.recording;
    let buffer = recording.buffer(HeapType::Default, 1000);
    let upload = recording.buffer(HeapType::Upload, 1000);
    let at = |buffer: &Resource, offset| GpuVirtualAddress(buffer.gpu_virtual_address().0 + offset);
    let write = |address| move |list: &mut CommandList| list.write_buffer_immediate(&[(address, 1)], None);
    let here = at(&buffer, 6);
    recording.refuses(&rules::WRITE_ALIGNMENT, &format!("{:#x}", here.0), "multiple of 4", write(here));
    for (address, given) in [
        (GpuVirtualAddress(4), "where no buffer lies"),
        (at(&buffer, 1000), "behind the buffer's last"),
        (GpuVirtualAddress(u64::MAX - 3), "where no buffer lies"),
        (at(&upload, 0), "UPLOAD"),
    ] {
        recording.refuses(&rules::WRITE_DESTINATION, given, "may write", write(address));
    }
    let good = [(at(&buffer, 0), 1), (at(&buffer, 4), 2)];
    recording.refuses(&rules::WRITE_MODES, "1", "2", |list| {
        list.write_buffer_immediate(&good, Some(&[Mode::Default]))
    });
    // A call is refused whole.
    let mixed = [good[0], (at(&buffer, 2), 1)];
    recording.refuses(&rules::WRITE_ALIGNMENT, "0x", "", |list| list.write_buffer_immediate(&mixed, None));
}

fn query_rules(rig: &Rig) {
    let recording = &rig.recording;
    let buffer = recording.buffer(HeapType::Default, 64);
    let image = recording.default(rgba8(16, 16));
    let upload = recording.buffer(HeapType::Upload, 64);
    let predicate = |buffer: &Resource, offset| {
        let buffer = buffer.clone();
        move |list: &mut CommandList| list.set_predication(Some((&buffer, offset)), PredicationOp::EqualZero)
    };
    recording.refuses(&rules::PREDICATION_BUFFER, "4", "multiple of 8", predicate(&buffer, 4));
    recording.refuses(&rules::PREDICATION_BUFFER, "8 bytes at 64", "64 bytes", predicate(&buffer, 64));
    recording.refuses(&rules::PREDICATION_BUFFER, "TEXTURE2D", "a buffer", predicate(&image, 0));

    let create = |desc: QueryHeapDesc| recording.device.create_query_heap(&desc);
    let desc = QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 0, node_mask: 0 };
    refused(create(desc), &rules::QUERY_HEAP_COUNT);
    let violation =
        refused(create(QueryHeapDesc { count: 1, node_mask: 2, ..desc }), &rules::QUERY_HEAP_NODE);
    says(&violation, "NodeMask", &["0x2"], &["0x1"]);
    recording.broke(&rules::QUERY_HEAP_COUNT);
    recording.broke(&rules::QUERY_HEAP_NODE);

    let timestamps = queries(rig, QueryHeapType::Timestamp, 4);
    let copies = queries(rig, QueryHeapType::CopyQueueTimestamp, 4);
    let end = |heap: &QueryHeap, index| {
        let heap = heap.clone();
        move |list: &mut CommandList| list.end_query(&heap, QueryType::Timestamp, index)
    };
    recording.refuses(&rules::QUERY_INDEX, "1 from 4", "within 4", end(&timestamps, 4));
    recording.refuses(&rules::QUERY_LIST_TYPE, "COPY_QUEUE_TIMESTAMP", "TIMESTAMP", end(&copies, 0));
    let call = end(&timestamps, 0);
    recording.refuses_in(COPY, &rules::QUERY_LIST_TYPE, "TIMESTAMP", "COPY_QUEUE_TIMESTAMP", call);
    let mut list = recording.list(COPY);
    list.end_query(&copies, QueryType::Timestamp, 3).unwrap();
    list.close().unwrap();

    let resolve = |first, count, to: &Resource, offset| {
        let (heap, to) = (timestamps.clone(), to.clone());
        move |list: &mut CommandList| {
            list.resolve_query_data(&heap, QueryType::Timestamp, first, count, &to, offset)
        }
    };
    let call = resolve(3, u32::MAX, &buffer, 0);
    recording.refuses(&rules::QUERY_INDEX, "4294967295 from 3", "within 4", call);
    recording.refuses(&rules::QUERY_RESOLVE, "4", "multiple of 8", resolve(0, 1, &buffer, 4));
    recording.refuses(&rules::QUERY_RESOLVE, "16 bytes at 56", "64 bytes", resolve(0, 2, &buffer, 56));
    recording.refuses(&rules::QUERY_RESOLVE, "TEXTURE2D", "a buffer", resolve(0, 1, &image, 0));
    recording.refuses(&copy::DESTINATION_HEAP, "UPLOAD", "", resolve(0, 1, &upload, 0));
}

fn descriptor_heap_rules(rig: &Rig) {
    let recording = &rig.recording;
    let device = &recording.device;
    let samplers = DescriptorHeapDesc::new(DescriptorHeapType::Sampler, 4).shader_visible();
    let samplers = device.create_descriptor_heap(&samplers).unwrap();
    let mut list = recording.list(COMPUTE);
    list.set_descriptor_heaps(&[&samplers, &rig.visible]).unwrap();
    list.set_descriptor_heaps(&[]).unwrap();
    for heap in [&rig.views, &rig.targets] {
        recording.refuses(&rules::DESCRIPTOR_HEAPS_VISIBLE, "NONE", "SHADER_VISIBLE", |list| {
            list.set_descriptor_heaps(&[heap])
        });
    }
    recording.refuses(&rules::DESCRIPTOR_HEAPS_TYPE, "CBV_SRV_UAV", "one heap of each", |list| {
        list.set_descriptor_heaps(&[&rig.visible, &rig.visible])
    });
    let stranger = Rig::new();
    let list_rules = &heapstone::spec::rules::command::LIST_DEVICE;
    recording.refuses(list_rules, "another device", "the list's", |list| {
        list.set_descriptor_heaps(&[&stranger.visible])
    });
}
