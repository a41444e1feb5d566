//! Lists on the software driver, byte by byte: clears of every format that has them, resolves, predication,
//! timestamps, immediate writes.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::{
    ClearFlags, CommandListType, FenceFlags, PredicationOp, QueryHeapDesc, QueryHeapType, QueryType, Rect,
    ResolveMode,
};
use heapstone::spec::views::*;
use heapstone::{
    CommandList, CommandQueue, CommandQueueDesc, Error, Fence, Format, GpuVirtualAddress, HeapType,
    ResolveRegion, Resource, ResourceDesc, ResourceFlags, TextureCopyLocation,
};
use heapstone_texel::{
    encode_clear_color, encode_clear_uint, is_clearable_as_render_target,
    is_clearable_as_unordered_access_float, is_clearable_as_unordered_access_uint,
};
use recording::*;

const TARGET: ResourceFlags = ResourceFlags::ALLOW_RENDER_TARGET;
const DEPTH: ResourceFlags = ResourceFlags::ALLOW_DEPTH_STENCIL;
const UNORDERED: ResourceFlags = ResourceFlags::ALLOW_UNORDERED_ACCESS;
const PITCH: u32 = 256;

struct Machine {
    recording: Recording,
    queue: CommandQueue,
    fence: Fence,
    readback: Resource,
}

impl Machine {
    fn new() -> Machine {
        let recording = Recording::on(host_device("discrete-8g"));
        let queue =
            recording.device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
        let fence = recording.device.create_fence(0, FenceFlags::empty()).unwrap();
        let readback = recording.buffer(HeapType::Readback, 65_536);
        Machine { recording, queue, fence, readback }
    }

    /// Records, executes and waits.
    #[track_caller]
    fn run(&self, record: impl FnOnce(&mut CommandList) -> Result<(), Error>) {
        let mut list = self.recording.list(CommandListType::Direct);
        record(&mut list).unwrap();
        list.close().unwrap();
        self.queue.execute_command_lists(&[&list]).unwrap();
        let value = self.fence.completed_value() + 1;
        self.queue.signal(&self.fence, value).unwrap();
        self.fence.wait(value).unwrap();
    }

    /// The bytes of the first `size` of the readback buffer.
    fn bytes(&self, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        self.readback.read(0, &mut bytes).unwrap();
        bytes
    }

    /// Copies a subresource, whose plane has `format`, to rows of the readback buffer.
    fn read_rows(
        &self,
        list: &mut CommandList,
        texture: &Resource,
        subresource: u32,
        format: Format,
        [width, height]: [u32; 2],
    ) -> Result<(), Error> {
        let rows = placed(0, format, [width, height, 1], PITCH);
        let to = TextureCopyLocation::footprint(&self.readback, rows);
        list.copy_texture_region(&to, 0, 0, 0, &TextureCopyLocation::subresource(texture, subresource), None)
    }

    /// The texels of rows that [`Machine::read_rows`] wrote, of `size` bytes each.
    fn texels(&self, size: usize, [width, height]: [usize; 2]) -> Vec<Vec<u8>> {
        let pitch = PITCH as usize;
        let bytes = self.bytes(pitch * height);
        let texel = |x: usize, y: usize| bytes[y * pitch + x * size..][..size].to_vec();
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| texel(x, y)).collect()
    }

    fn heap(&self, desc: DescriptorHeapDesc) -> heapstone::DescriptorHeap {
        self.recording.device.create_descriptor_heap(&desc).unwrap()
    }
}

/// Inside the rectangle the colour, outside what the clear before left.
#[test]
fn every_render_target_format_is_cleared_and_only_the_rectangle() {
    let machine = Machine::new();
    let heap = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::Rtv, 1));
    let view = heap.cpu_start();
    let mut seen = 0;
    for format in Format::ALL.iter().filter(|format| is_clearable_as_render_target(**format)) {
        let image = machine.recording.default(ResourceDesc::texture_2d(*format, 13, 9).with_flags(TARGET));
        machine.recording.device.create_render_target_view(Some(&image), None, view).unwrap();
        let (ground, figure) = ([0.5, 0.25, 1.0, 0.0], [1.0, 0.0, 0.2, 1.0]);
        machine.run(|list| {
            list.clear_render_target_view(view, ground, &[])?;
            list.clear_render_target_view(view, figure, &[Rect::new(3, 2, 11, 7)])?;
            machine.read_rows(list, &image, 0, *format, [13, 9])
        });
        let [ground, figure] = [ground, figure].map(|color| encode_clear_color(*format, color).unwrap());
        let texels = machine.texels(usize::from(ground.size), [13, 9]);
        for (at, texel) in texels.iter().enumerate() {
            let (x, y) = (at % 13, at / 13);
            let is_inside = (3..11).contains(&x) && (2..7).contains(&y);
            let expected = if is_inside { &figure } else { &ground };
            assert_eq!(texel, expected.as_bytes(), "{format} at ({x}, {y})");
        }
        seen += 1;
    }
    assert!(seen > 30, "{seen} formats");
}

#[test]
fn every_unordered_format_is_cleared_by_its_bits() {
    let machine = Machine::new();
    let heap = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, 1));
    let visible = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, 1).shader_visible());
    let view = heap.cpu_start();
    let values = [0x8123_4567, 0x9abc_def0, 0x1357_9bdf, 0x2468_ace0];
    let mut seen = 0;
    for format in Format::ALL.iter().filter(|format| is_clearable_as_unordered_access_uint(**format)) {
        let image = ResourceDesc::texture_2d(*format, 13, 9).with_flags(UNORDERED);
        let image = machine.recording.default(image);
        let device = &machine.recording.device;
        if device.create_unordered_access_view(Some(&image), None, None, view).is_err() {
            // The format has no typed view of its own.
            continue;
        }
        machine.run(|list| {
            list.set_descriptor_heaps(&[&visible])?;
            let gpu = visible.gpu_start()?;
            list.clear_unordered_access_view_uint(gpu, view, &image, values, &[])?;
            machine.read_rows(list, &image, 0, *format, [13, 9])
        });
        let expected = encode_clear_uint(*format, values).unwrap();
        let texels = machine.texels(usize::from(expected.size), [13, 9]);
        assert!(texels.iter().all(|texel| texel == expected.as_bytes()), "{format}");
        seen += 1;
    }
    assert!(seen > 20, "{seen} formats");
}

/// Inside the rectangles the numbers, outside what the clear before left.
#[test]
fn every_unordered_format_is_cleared_by_its_numbers() {
    let machine = Machine::new();
    let heap = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, 1));
    let visible = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, 1).shader_visible());
    let view = heap.cpu_start();
    let mut seen = 0;
    for format in Format::ALL.iter().filter(|format| is_clearable_as_unordered_access_float(**format)) {
        let image = ResourceDesc::texture_2d(*format, 13, 9).with_flags(UNORDERED);
        let image = machine.recording.default(image);
        let device = &machine.recording.device;
        device.create_unordered_access_view(Some(&image), None, None, view).unwrap();
        let (ground, figure) = ([0.5, 0.25, 1.0, 0.0], [f32::NAN, f32::INFINITY, -3.0, 1e-40]);
        machine.run(|list| {
            list.set_descriptor_heaps(&[&visible])?;
            let gpu = visible.gpu_start()?;
            list.clear_unordered_access_view_float(gpu, view, &image, ground, &[])?;
            let rects = [Rect::new(3, 2, 11, 7), Rect::new(0, 8, 1, 9)];
            list.clear_unordered_access_view_float(gpu, view, &image, figure, &rects)?;
            machine.read_rows(list, &image, 0, *format, [13, 9])
        });
        let [ground, figure] = [ground, figure].map(|color| encode_clear_color(*format, color).unwrap());
        for (at, texel) in machine.texels(usize::from(ground.size), [13, 9]).iter().enumerate() {
            let (x, y) = (at % 13, at / 13);
            let is_inside = (3..11).contains(&x) && (2..7).contains(&y) || (x, y) == (0, 8);
            let expected = if is_inside { &figure } else { &ground };
            assert_eq!(texel, expected.as_bytes(), "{format} at ({x}, {y})");
        }
        seen += 1;
    }
    assert!(seen > 15, "{seen} formats");
}

/// facts/behaviour.md: the low 24 bits of a D24's depth plane; planes do not touch each other.
#[test]
fn depth_and_stencil_are_cleared_apart() {
    let machine = Machine::new();
    let heap = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::Dsv, 1));
    let view = heap.cpu_start();
    for (format, depth) in
        [(Format::D24_UNORM_S8_UINT, 0x00ff_ffff_u32), (Format::D32_FLOAT_S8X24_UINT, 0x3f80_0000)]
    {
        let image = machine.recording.default(ResourceDesc::texture_2d(format, 16, 8).with_flags(DEPTH));
        machine.recording.device.create_depth_stencil_view(Some(&image), None, view).unwrap();
        machine.run(|list| {
            list.clear_depth_stencil_view(view, ClearFlags::all(), 1.0, 0x5a, &[])?;
            machine.read_rows(list, &image, 0, Format::R32_TYPELESS, [16, 8])
        });
        let words = machine.texels(4, [16, 8]);
        assert!(words.iter().all(|word| *word == depth.to_le_bytes()), "{format}");
        machine.run(|list| {
            list.clear_depth_stencil_view(view, ClearFlags::DEPTH, 0.0, 0, &[])?;
            machine.read_rows(list, &image, 1, Format::R8_TYPELESS, [16, 8])
        });
        assert!(machine.texels(1, [16, 8]).iter().all(|stencil| *stencil == [0x5a]), "{format}");
    }
}

#[test]
fn samples_are_cleared_copied_and_resolved() {
    let machine = Machine::new();
    let heap = machine.heap(DescriptorHeapDesc::new(DescriptorHeapType::Rtv, 1));
    let view = heap.cpu_start();
    let desc = rgba8(16, 8).with_samples(4).with_flags(TARGET);
    let (samples, other) = (machine.recording.default(desc), machine.recording.default(desc));
    let one = machine.recording.default(rgba8(16, 8));
    machine.recording.device.create_render_target_view(Some(&samples), None, view).unwrap();
    let rgba = Format::R8G8B8A8_UNORM;
    machine.run(|list| {
        list.clear_render_target_view(view, [1.0, 0.0, 0.2, 1.0], &[])?;
        list.resolve_subresource_region(&ResolveRegion {
            destination: &other,
            destination_subresource: 0,
            x: 0,
            y: 0,
            source: &samples,
            source_subresource: 0,
            source_rect: None,
            format: rgba,
            mode: ResolveMode::Decompress,
        })?;
        list.resolve_subresource(&one, 0, &other, 0, rgba)?;
        machine.read_rows(list, &one, 0, rgba, [16, 8])
    });
    assert!(machine.texels(4, [16, 8]).iter().all(|texel| *texel == [255, 0, 51, 255]));
}

/// Predicated copies are left out; the predicate is read when the engine comes there, and its writer is not
/// predicated.
#[test]
fn predicates_decide_when_they_are_reached() {
    let machine = Machine::new();
    let predicate = machine.recording.buffer(HeapType::Default, 16);
    let upload = machine.recording.buffer(HeapType::Upload, 16);
    upload.write(0, &[7; 16]).unwrap();
    let copies = |op| {
        let address = predicate.gpu_virtual_address();
        machine.run(|list| {
            list.write_buffer_immediate(&[(address, 0), (GpuVirtualAddress(address.0 + 4), 0)], None)?;
            list.write_buffer_immediate(&[(machine.readback.gpu_virtual_address(), 0)], None)?;
            list.set_predication(Some((&predicate, 0)), op)?;
            // Too late: the predicate is 0.
            list.write_buffer_immediate(&[(address, 1)], None)?;
            list.copy_buffer_region(&machine.readback, 0, &upload, 0, 4)?;
            list.set_predication(None, PredicationOp::EqualZero)
        });
        machine.bytes(4)
    };
    assert_eq!(copies(PredicationOp::EqualZero), [0; 4], "left out where it is 0");
    assert_eq!(copies(PredicationOp::NotEqualZero), [7; 4], "left out where it is not");
}

#[test]
fn timestamps_do_not_go_back() {
    let machine = Machine::new();
    let desc = QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 3, node_mask: 0 };
    let queries = machine.recording.device.create_query_heap(&desc).unwrap();
    let large = machine.recording.buffer(HeapType::Default, 8 * MIB);
    machine.run(|list| {
        list.end_query(&queries, QueryType::Timestamp, 0)?;
        list.copy_buffer_region(&large, 0, &large, 4 * MIB, 4 * MIB)?;
        list.end_query(&queries, QueryType::Timestamp, 1)?;
        list.end_query(&queries, QueryType::Timestamp, 2)?;
        list.resolve_query_data(&queries, QueryType::Timestamp, 0, 3, &machine.readback, 8)
    });
    let bytes = machine.bytes(32);
    let time = |index: usize| u64::from_le_bytes(bytes[8 + index * 8..][..8].try_into().unwrap());
    assert!(time(0) < time(1) && time(1) <= time(2), "{} {} {}", time(0), time(1), time(2));
}
