//! Clears, discards and the descriptor heaps that they need: what each is compiled to, and what each refuses.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::{ClearFlags, CommandListType, Rect};
use heapstone::spec::rules::{clear as rules, command, view};
use heapstone::spec::views::*;
use heapstone::{
    CommandList, DescriptorHeap, DiscardRegion, Error, Format, Resource, ResourceDesc, ResourceFlags,
};
use heapstone_driver::dma::{Command, Image};
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

/// Textures whose own format has not the flag's use: the view has one that it casts to.
#[test]
fn formats_that_cast_are_cleared_as_what_they_are_seen_as() {
    let rig = Rig::new();
    let image =
        |format, flags| rig.recording.default(ResourceDesc::texture_2d(format, 32, 16).with_flags(flags));
    let colors = image(Format::R8G8B8A8_UNORM_SRGB, UNORDERED);
    let desc = UnorderedAccessViewDesc {
        format: Format::R8G8B8A8_UNORM,
        dimension: UavDimension::Texture2D { mip_slice: 0, plane_slice: 0 },
    };
    let view = rig.unordered(&colors, Some(desc));
    let command = rig.recording.command(rig.clear_float(view, &colors, COLOR));
    assert_eq!(filled(&command), (0, [0; 3], [32, 16, 1], 2, 0, COLOR_RGBA8));

    for (own, seen_as, bytes_log2, value) in [
        (Format::R32_FLOAT, Format::D32_FLOAT, 2, 0x3f00_0000),
        (Format::R16_UNORM, Format::D16_UNORM, 1, 0x8000),
    ] {
        let depths = image(own, DEPTH);
        let at = rig.next(&rig.depths);
        let desc = DepthStencilViewDesc {
            format: seen_as,
            dimension: DsvDimension::Texture2D { mip_slice: 0 },
            flags: DsvFlags::empty(),
        };
        rig.recording.device.create_depth_stencil_view(Some(&depths), Some(&desc), at).unwrap();
        let clear =
            |list: &mut CommandList| list.clear_depth_stencil_view(at, ClearFlags::DEPTH, 0.5, 0, &[]);
        let command = rig.recording.command(clear);
        assert_eq!(filled(&command), (0, [0; 3], [32, 16, 1], bytes_log2, 0, value), "{own}");
    }
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
        [
            (16, 3 << 26, [3 << 24, 1, 1], 2, 0x0123_4567),
            (16 + (3 << 26), 4 * ((1 << 24) + 12), [(1 << 24) + 12, 1, 1], 2, 0x0123_4567),
        ]
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

#[test]
fn every_rule_of_these_commands_is_broken() {
    let rig = Rig::new();
    clear_rules(&rig);
    unordered_rules(&rig);
    discard_rules(&rig);
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
        refused(result, &command::LIST_TYPE);
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

fn descriptor_heap_rules(rig: &Rig) {
    let recording = &rig.recording;
    let device = &recording.device;
    let samplers = DescriptorHeapDesc::new(DescriptorHeapType::Sampler, 4).shader_visible();
    let samplers = device.create_descriptor_heap(&samplers).unwrap();
    let mut list = recording.list(COMPUTE);
    list.set_descriptor_heaps(&[&samplers, &rig.visible]).unwrap();
    list.set_descriptor_heaps(&[]).unwrap();
    for heap in [&rig.views, &rig.targets] {
        recording.refuses(&command::DESCRIPTOR_HEAPS_VISIBLE, "NONE", "SHADER_VISIBLE", |list| {
            list.set_descriptor_heaps(&[heap])
        });
    }
    recording.refuses(&command::DESCRIPTOR_HEAPS_TYPE, "CBV_SRV_UAV", "one heap of each", |list| {
        list.set_descriptor_heaps(&[&rig.visible, &rig.visible])
    });
    let stranger = Rig::new();
    let list_rules = &command::LIST_DEVICE;
    recording.refuses(list_rules, "another device", "the list's", |list| {
        list.set_descriptor_heaps(&[&stranger.visible])
    });
}
