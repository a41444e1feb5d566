//! Resolves, immediate writes, predication and timestamps: what each is compiled to, and what each refuses.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::{
    CommandListType, PredicationOp, QueryHeapDesc, QueryHeapType, QueryType, Rect, ResolveMode,
    WriteBufferImmediateMode as Mode,
};
use heapstone::spec::rules::{copy, query as rules, resolve};
use heapstone::{
    CommandList, Format, GpuVirtualAddress, HeapDesc, HeapType, PlacedResourceDesc, QueryHeap, ResolveRegion,
    Resource, ResourceDesc, ResourceFlags,
};
use heapstone_driver::dma::{Address, Command, Image};
use recording::*;

const TARGET: ResourceFlags = ResourceFlags::ALLOW_RENDER_TARGET;
const DEPTH: ResourceFlags = ResourceFlags::ALLOW_DEPTH_STENCIL;
const COPY: CommandListType = CommandListType::Copy;

fn recording() -> Recording {
    Recording::on(device("discrete-8g"))
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
    let recording = recording();
    let rgba = Format::R8G8B8A8_UNORM;
    let samples = recording.default(rgba8(32, 16).with_samples(4).with_flags(TARGET));
    let one = recording.default(rgba8(32, 16).with_array_size(2));
    let command = recording.command(|list| list.resolve_subresource(&one, 1, &samples, 0, rgba));
    let Command::Resolve { destination, size, samples_log2, format, mode, .. } = command else {
        panic!("{command:?}")
    };
    assert!(matches!(destination, Image::Surface { subresource: 1, .. }));
    assert_eq!((size, samples_log2, format, mode), ([32, 16, 1], 2, rgba, ResolveMode::Average));

    let typeless = |samples| {
        let desc = ResourceDesc::texture_2d(Format::R8G8B8A8_TYPELESS, 32, 16).with_flags(TARGET);
        recording.default(desc.with_samples(samples))
    };
    let (target, source) = (typeless(1), typeless(4));
    let part = ResolveRegion {
        x: 5,
        y: 6,
        source_rect: Some(Rect::new(2, 3, 12, 13)),
        ..region(&target, &source, Format::R8G8B8A8_UINT, ResolveMode::Max)
    };
    let command = recording.command(|list| list.resolve_subresource_region(&part));
    let Command::Resolve { destination_origin, source_origin, size, mode, .. } = command else {
        panic!("{command:?}")
    };
    assert_eq!(
        (destination_origin, source_origin, size, mode),
        ([5, 6, 0], [2, 3, 0], [10, 10, 1], ResolveMode::Max)
    );

    // DECOMPRESS copies all samples; in place there is nothing to do.
    let other = recording.default(rgba8(32, 16).with_samples(4).with_flags(TARGET));
    let copied = region(&other, &samples, rgba, ResolveMode::Decompress);
    let command = recording.command(|list| list.resolve_subresource_region(&copied));
    assert!(matches!(command, Command::CopyRegion { samples_log2: 2, size: [32, 16, 1], .. }), "{command:?}");
    let in_place = region(&samples, &samples, rgba, ResolveMode::Decompress);
    assert_eq!(recording.commands(|list| list.resolve_subresource_region(&in_place)), []);
    // What is compressed may have one sample (Microsoft's documentation of ResolveSubresourceRegion: the sample
    // count can be larger than 1).
    let single = [recording.default(rgba8(32, 16)), recording.default(rgba8(32, 16))];
    let copied = region(&single[0], &single[1], rgba, ResolveMode::Decompress);
    let command = recording.command(|list| list.resolve_subresource_region(&copied));
    assert!(matches!(command, Command::CopyRegion { samples_log2: 0, size: [32, 16, 1], .. }), "{command:?}");
    // A texel of 96 bits is three elements of the engine.
    let rgb = Format::R32G32B32_FLOAT;
    let wide = ResourceDesc::texture_2d(rgb, 32, 16);
    let wide = [recording.default(wide), recording.default(wide)];
    let copied = ResolveRegion {
        x: 5,
        source_rect: Some(Rect::new(2, 3, 12, 13)),
        ..region(&wide[0], &wide[1], rgb, ResolveMode::Decompress)
    };
    let command = recording.command(|list| list.resolve_subresource_region(&copied));
    let Command::CopyRegion { destination_origin, source_origin, size, .. } = command else {
        panic!("{command:?}")
    };
    assert_eq!((destination_origin, source_origin, size), ([15, 0, 0], [6, 3, 0], [30, 10, 1]));
    let empty = ResolveRegion { source_rect: Some(Rect::new(4, 4, 4, 8)), ..part };
    assert_eq!(recording.commands(|list| list.resolve_subresource_region(&empty)), []);
}

/// Of a depth-stencil the planes are resolved apart: depth as its own format, stencil as bytes.
#[test]
fn depth_and_stencil_are_resolved_apart() {
    let recording = recording();
    let d24 = Format::D24_UNORM_S8_UINT;
    let desc = ResourceDesc::texture_2d(d24, 32, 16).with_flags(DEPTH);
    let (samples, one) = (recording.default(desc.with_samples(4)), recording.default(desc));
    for (plane, mode, expected) in
        [(0, ResolveMode::Average, d24), (0, ResolveMode::Min, d24), (1, ResolveMode::Max, Format::R8_UINT)]
    {
        let resolve = ResolveRegion {
            destination_subresource: plane,
            source_subresource: plane,
            ..region(&one, &samples, d24, mode)
        };
        let command = recording.command(|list| list.resolve_subresource_region(&resolve));
        let Command::Resolve { format, .. } = command else { panic!("{command:?}") };
        assert_eq!(format, expected, "plane {plane} by {mode}");
    }
    let stencil = ResolveRegion {
        destination_subresource: 1,
        source_subresource: 1,
        ..region(&one, &samples, d24, ResolveMode::Average)
    };
    recording.refuses(&resolve::RESOLVE_FORMAT, "AVERAGE", "the mode resolves", |list| {
        list.resolve_subresource_region(&stencil)
    });
}

#[test]
fn immediate_writes_find_their_buffers() {
    let recording = recording();
    let buffer = recording.buffer(HeapType::Default, 1000);
    let heap = recording.device.create_heap(&HeapDesc::new(MIB, HeapType::Readback)).unwrap();
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(65_536));
    let placed = recording.device.create_placed_resource(&heap, 65_536, &placed).unwrap();
    let at = |buffer: &Resource, offset| GpuVirtualAddress(buffer.gpu_virtual_address().0 + offset);
    let writes = [(at(&buffer, 8), 7), (at(&placed, 12), 8), (at(&buffer, 996), 9)];
    let modes = [Mode::MarkerIn, Mode::Default, Mode::MarkerOut];
    let compiled = recording.compiled(|list| list.write_buffer_immediate(&writes, Some(&modes)));
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
    assert_eq!(recording.commands(|list| list.write_buffer_immediate(&[], None)), []);
}

#[test]
fn predicates_and_timestamps_are_64_bits() {
    let recording = recording();
    let buffer = recording.buffer(HeapType::Default, 64);
    let compiled = recording.compiled(|list| {
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

    let queries = queries(&recording, QueryHeapType::Timestamp, 16);
    let compiled = recording.compiled(|list| {
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

fn queries(recording: &Recording, heap_type: QueryHeapType, count: u32) -> QueryHeap {
    recording.device.create_query_heap(&QueryHeapDesc { heap_type, count, node_mask: 0 }).unwrap()
}

fn resolve_rules(recording: &Recording) {
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
    refuses(&resolve::RESOLVE_TEXTURE, "TEXTURE3D", "TEXTURE2D", region(&volume, &samples, rgba, average));
    let there = ResolveRegion { destination_subresource: 1, ..region(&one, &samples, rgba, average) };
    refuses(&resolve::RESOLVE_SUBRESOURCE, "1", "0 to 0", there);
    refuses(&resolve::RESOLVE_SAMPLES, "1 samples to 1", "several", region(&small, &one, rgba, average));
    refuses(
        &resolve::RESOLVE_SAMPLES,
        "4 samples to 1",
        "as many",
        region(&one, &samples, rgba, ResolveMode::Decompress),
    );
    recording.refuses(&resolve::RESOLVE_MISMATCH, "32x16 to 16x16", "one extent", |list| {
        list.resolve_subresource(&small, 0, &samples, 0, rgba)
    });
    // A typed texture is resolved as what it is; a typeless one beside it follows.
    let typeless = ResourceDesc::texture_2d(Format::R8G8B8A8_TYPELESS, 32, 16);
    let (typeless, srgb) = (recording.default(typeless), Format::R8G8B8A8_UNORM_SRGB);
    recording.command(|list| list.resolve_subresource(&typeless, 0, &samples, 0, rgba));
    for to in [&one, &typeless] {
        recording.refuses(
            &resolve::RESOLVE_FORMAT_TYPED,
            "R8G8B8A8_UNORM, resolved as R8G8B8A8_UNORM_SRGB",
            "R8G8B8A8_UNORM",
            |list| list.resolve_subresource(to, 0, &samples, 0, srgb),
        );
        // ResolveSubresourceRegion shares that rule, in every mode.
        let uint = Format::R8G8B8A8_UINT;
        for (format, mode) in [(srgb, average), (uint, ResolveMode::Min), (uint, ResolveMode::Max)] {
            refuses(
                &resolve::RESOLVE_FORMAT_TYPED,
                "resolved as",
                "UNORM",
                region(to, &samples, format, mode),
            );
        }
    }
    let depth = ResourceDesc::texture_2d(Format::D32_FLOAT, 32, 16).with_flags(DEPTH);
    let (depths, depth) = (recording.default(depth.with_samples(4)), recording.default(depth));
    recording.refuses(&resolve::RESOLVE_FORMAT_AVERAGE, "D32_FLOAT", "MULTISAMPLE_RESOLVE", |list| {
        list.resolve_subresource(&depth, 0, &depths, 0, Format::D32_FLOAT)
    });
    recording.command(|list| {
        list.resolve_subresource_region(&region(&depth, &depths, Format::D32_FLOAT, average))
    });
    let (many, single) = (integers(4), integers(1));
    for (destination, source, format, mode) in [
        (&single, &many, Format::R32_UINT, average),
        (&one, &samples, Format::R8G8B8A8_TYPELESS, average),
        (&one, &samples, Format::B8G8R8A8_UNORM, average),
        (&single, &samples, rgba, average),
    ] {
        let given = format!("{format} for");
        refuses(&resolve::RESOLVE_FORMAT, &given, "typed", region(destination, source, format, mode));
    }
    recording.command(|list| {
        list.resolve_subresource_region(&region(&single, &many, Format::R32_UINT, ResolveMode::Min))
    });
    for (rect, allowed) in
        [(Rect::new(-1, 0, 4, 4), "within 32x16"), (Rect::new(0, 0, 33, 4), "within 32x16")]
    {
        let part = ResolveRegion { source_rect: Some(rect), ..region(&one, &samples, rgba, average) };
        refuses(&resolve::RESOLVE_REGION, "(", allowed, part);
    }
    let beyond = ResolveRegion { x: 1, ..region(&one, &samples, rgba, average) };
    refuses(&resolve::RESOLVE_REGION, "32x16 texels at (1, 0)", "within 32x16", beyond);
    let moved = ResolveRegion {
        x: 16,
        source_rect: Some(Rect::new(0, 0, 8, 8)),
        ..region(&samples, &samples, rgba, ResolveMode::Decompress)
    };
    refuses(&resolve::RESOLVE_IN_PLACE, "from (0, 0) to (16, 0)", "in place", moved);
}

fn write_rules(recording: &Recording) {
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

fn query_rules(recording: &Recording) {
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

    let timestamps = queries(recording, QueryHeapType::Timestamp, 4);
    let copies = queries(recording, QueryHeapType::CopyQueueTimestamp, 4);
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

/// What adapters lack is refused by the rule that names it.
fn capabilities(of_all: &Recording) {
    let recording = Recording::on(device("cache-coherent-uma"));
    let flags = ResourceFlags::ALLOW_RENDER_TARGET;
    let samples = recording.default(rgba8(16, 16).with_samples(4).with_flags(flags));
    let single = recording.default(rgba8(16, 16));
    recording.refuses(&resolve::RESOLVE_REGION_TIER, "0", "ResolveSubresource on this adapter", |list| {
        list.resolve_subresource_region(&region(&single, &samples, RGBA8, ResolveMode::Average))
    });
    recording.command(|list| list.resolve_subresource(&single, 0, &samples, 0, RGBA8));
    of_all.broke(&resolve::RESOLVE_REGION_TIER);

    let buffer = recording.buffer(HeapType::Default, 64);
    let address = buffer.gpu_virtual_address();
    let write = |list: &mut CommandList| list.write_buffer_immediate(&[(address, 1)], None);
    let lists = "DIRECT | BUNDLE | COMPUTE";
    let violation =
        recording.refuses_in(CommandListType::Copy, &rules::WRITE_LIST_TYPE, "type COPY", lists, write);
    assert_eq!(violation.message.map(|message| message.number), Some(1093));
    write(&mut recording.list(CommandListType::Compute)).unwrap();
    of_all.broke(&rules::WRITE_LIST_TYPE);

    let desc = QueryHeapDesc { heap_type: QueryHeapType::CopyQueueTimestamp, count: 1, node_mask: 0 };
    let violation = refused(recording.device.create_query_heap(&desc), &rules::QUERY_HEAP_COPY_QUEUE);
    says(&violation, "Type", &["COPY_QUEUE_TIMESTAMP"], &["TIMESTAMP"]);
    assert_eq!(violation.message.map(|message| message.number), Some(1079));
    of_all.broke(&rules::QUERY_HEAP_COPY_QUEUE);
}

#[test]
fn every_rule_of_these_commands_is_broken() {
    let recording = recording();
    capabilities(&recording);
    resolve_rules(&recording);
    write_rules(&recording);
    query_rules(&recording);
    recording.broke_all(rules::ALL, &[]);
    recording.broke_all(resolve::ALL, &[]);
}
