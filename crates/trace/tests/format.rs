//! Our own format: examples of the documentation, round trips, and what is wrong with wrong files.
#![allow(missing_docs, clippy::unwrap_used)]

use heapstone::{InitialState, MapPointer};
use heapstone_spec::{
    BarrierLayout, ClearColor, ClearValue, CpuPageProperty, Format, HeapDesc, HeapFlags, HeapProperties,
    HeapType, MemoryPool, MipRegion, ResourceDesc, ResourceDimension, ResourceFlags, ResourceStates,
    SampleDesc, SdkVersion, TextureLayout,
};
use heapstone_trace::{
    Call, CallKind, GenerateOptions, GpuCallKind, LINE_SIZE_MAX, Position, Record, RecordedOutcome,
    ResourceArguments, TraceError, TraceErrorKind, TraceHeader, TraceId, TraceReader, TraceWriter, generate,
    read_trace,
};
use heapstone_units::ByteRange;
use proptest::prelude::*;

const HEADER: &str = "{\"heapstone_trace\":{\"version\":3}}\n";

fn read(text: &str) -> Result<Vec<Record>, TraceError> {
    TraceReader::new(text.as_bytes(), "t.jsonl")?.collect()
}

/// One call behind a header.
fn call(line: &str) -> Result<Record, TraceError> {
    let mut records = read(&format!("{HEADER}{line}\n"))?;
    assert_eq!(records.len(), 1);
    Ok(records.remove(0))
}

fn write(records: &[Record]) -> String {
    let mut writer = TraceWriter::new(Vec::new(), &TraceHeader::new()).unwrap();
    for record in records {
        writer.write(record).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// What is written and read again, without the places.
fn round_trip(records: &[Record]) -> Vec<Record> {
    let mut again = read(&write(records)).unwrap();
    for (record, original) in again.iter_mut().zip(records) {
        record.position = original.position;
    }
    again
}

const DOCUMENT: &str = include_str!("../../../docs/trace-format.md");

#[test]
fn every_example_of_the_documentation_is_read() {
    let blocks = DOCUMENT.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap());
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    let (headers, calls): (Vec<&str>, Vec<&str>) =
        lines.iter().partition(|line| line.starts_with("{\"heapstone_trace\""));
    assert_eq!(headers.len(), 1);
    let header = TraceReader::new(headers[0].as_bytes(), "doc").unwrap().header().clone();
    assert_eq!((header.profile.as_deref(), header.sdk), (Some("discrete-8g"), Some(SdkVersion::V619_4)));
    let mut seen = Vec::new();
    for line in calls {
        let record = call(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        seen.push(record.call.kind_name());
        // The documentation writes as the writer does, but for numbers of clear values.
        if record.call.kind() != Some(CallKind::CreateCommittedResource) {
            assert_eq!(write(&[record]).lines().nth(1).unwrap().len(), line.len(), "{line}");
        }
    }
    for name in call_names() {
        assert!(seen.contains(&name), "no example of {name}");
    }
}

fn call_names() -> impl Iterator<Item = &'static str> {
    let memory = CallKind::ALL.iter().map(|kind| kind.name());
    memory.chain(GpuCallKind::ALL.iter().map(|kind| kind.name()))
}

#[test]
fn the_documentation_names_every_field() {
    // The reader's own list, as it tells it when a field is unknown.
    for name in call_names() {
        let error = call(&format!("{{\"{name}\":{{\"nonsense\":1}}}}")).unwrap_err();
        for field in error.expected.strip_prefix("one of ").unwrap().split(", ") {
            assert!(DOCUMENT.contains(&format!("`{field}`")), "{field} of {name}");
        }
    }
}

#[test]
fn short_lines_have_d3d12s_defaults() {
    let record = call("{\"create_heap\":{\"id\":1,\"size\":4194304,\"type\":\"UPLOAD\"}}").unwrap();
    assert_eq!(record.position, Position { line: 2, column: 1 });
    assert_eq!((record.timestamp_us, record.thread, record.outcome), (None, None, RecordedOutcome::Accepted));
    assert_eq!(
        record.call,
        Call::CreateHeap { id: TraceId(1), desc: HeapDesc::new(4 << 20, HeapType::Upload) }
    );

    let record =
        call("{\"create_placed_resource\":{\"id\":2,\"heap\":1,\"width\":7,\"t\":5,\"thread\":9}}").unwrap();
    let resource = ResourceArguments::new(ResourceDesc::buffer(7));
    assert_eq!((record.timestamp_us, record.thread), (Some(5), Some(9)));
    assert_eq!(
        record.call,
        Call::CreatePlacedResource { id: TraceId(2), heap: TraceId(1), offset: 0, resource }
    );

    let line = "{\"create_committed_resource\":{\"id\":3,\"dimension\":\"TEXTURE2D\",\"width\":8,\"height\":4,\"format\":\"R8_UNORM\"}}";
    let resource = ResourceArguments::new(ResourceDesc::texture_2d(Format::R8_UNORM, 8, 4));
    assert_eq!(
        call(line).unwrap().call,
        Call::CreateCommittedResource {
            id: TraceId(3),
            heap_properties: HeapProperties::new(HeapType::Default),
            heap_flags: HeapFlags::empty(),
            resource,
        }
    );
    assert_eq!(
        call("{\"map\":{\"id\":3}}").unwrap().call,
        Call::Map { id: TraceId(3), subresource: 0, read_range: None, pointer: MapPointer::Wanted }
    );
}

#[test]
fn lines_are_written_short() {
    let id = TraceId(1);
    let text = write(&[
        Record::new(Call::CreateHeap { id, desc: HeapDesc::new(4 << 20, HeapType::Upload) }),
        Record::new(Call::CreatePlacedResource {
            id: TraceId(2),
            heap: id,
            offset: 65_536,
            resource: ResourceArguments::new(ResourceDesc::buffer(100))
                .with_state(ResourceStates::GENERIC_READ),
        }),
        Record::new(Call::Destroy { id }),
        Record::new(Call::SetName { id, name: "a \"b\"\n\u{1}ü".into() }),
    ]);
    assert_eq!(
        text,
        "{\"heapstone_trace\":{\"version\":3}}\n\
         {\"create_heap\":{\"id\":1,\"size\":4194304,\"type\":\"UPLOAD\"}}\n\
         {\"create_placed_resource\":{\"id\":2,\"heap\":1,\"offset\":65536,\"width\":100,\"state\":\"GENERIC_READ\"}}\n\
         {\"destroy\":{\"id\":1}}\n\
         {\"set_name\":{\"id\":1,\"name\":\"a \\\"b\\\"\\n\\u0001ü\"}}\n"
    );
}

#[test]
fn blank_lines_marks_and_windows_line_ends_do_no_harm() {
    let text = "\u{feff} {\"heapstone_trace\" : {\"version\": 1}}\r\n\r\n   \n{\"destroy\": {\"id\": 1}}\r\n\n{\"destroy\":{\"id\":2}}";
    let records = read(text).unwrap();
    let lines: Vec<u64> = records.iter().map(|record| record.position.line).collect();
    assert_eq!(lines, [4, 6]);
    assert_eq!(read_trace(text.as_bytes(), "t").unwrap().count(), 2);
}

#[test]
fn what_is_wrong_and_where() {
    use TraceErrorKind as Kind;
    let long = format!("{{\"set_name\":{{\"id\":1,\"name\":\"{}\"}}}}", "x".repeat(LINE_SIZE_MAX));
    for (line, kind, column, expected, found) in [
        ("{\"create_heap\":{\"id\":1,\"siez\":1}}", Kind::Content, 29, "one of id, size", "the field `siez`"),
        ("{\"creat_heap\":{\"id\":1}}", Kind::Content, 13, "one of create_heap", "unknown call `creat_heap`"),
        (
            "{\"create_heap\":{\"id\":1}}",
            Kind::Content,
            23,
            "the fields id, size",
            "create_heap without size",
        ),
        (
            "{\"destroy\":{\"id\":-1}}",
            Kind::Content,
            19,
            "from 0 to 18446744073709551615 as `id`",
            "an integer `-1`",
        ),
        ("{\"destroy\":{\"id\":1.5}}", Kind::Content, 20, "an integer from 0", "floating point"),
        (
            "{\"destroy\":{\"id\":18446744073709551616}}",
            Kind::Content,
            37,
            "an integer from 0",
            "floating point",
        ),
        ("{\"destroy\":{\"id\":\"1\"}}", Kind::Content, 20, "an integer from 0", "a string \"1\""),
        ("{\"destroy\":{\"id\":1,\"id\":2}}", Kind::Content, 23, "it once", "`id` twice"),
        (
            "{\"destroy\":{\"id\":1},\"destroy\":{\"id\":1}}",
            Kind::Content,
            29,
            "one call a line",
            "a second call",
        ),
        ("{}", Kind::Content, 2, "one of create_heap", "no call"),
        ("[]", Kind::Content, 1, "one call", "sequence"),
        ("{\"destroy\":{\"id\":1}} x", Kind::Syntax, 22, "one call", "trailing characters"),
        ("{\"destroy\":{\"id\":1}", Kind::Truncated, 19, "one call", "the end of the line"),
        ("{\"destroy\":{\"id\"", Kind::Truncated, 16, "one call", "the end of the line"),
        ("destroy 1", Kind::Syntax, 1, "one call", "expected value"),
        (
            "{\"create_heap\":{\"id\":1,\"size\":1,\"type\":\"FAST\"}}",
            Kind::Content,
            45,
            "D3D12_HEAP_TYPE as `type`, one of DEFAULT",
            "`FAST`",
        ),
        (
            "{\"request_resource\":{\"id\":1,\"width\":1,\"offset\":1}}",
            Kind::Content,
            49,
            "heap beside offset",
            "an offset without",
        ),
        (
            "{\"destroy\":{\"id\":1,\"refused\":\"a\",\"failed\":\"b\"}}",
            Kind::Content,
            46,
            "at most one",
            "both refused and failed",
        ),
        (&long, Kind::TooLong, u64::try_from(LINE_SIZE_MAX).unwrap() + 1, "1048576 bytes", "a longer one"),
    ] {
        let shown: String = line.chars().take(100).collect();
        let error = call(line).unwrap_err();
        assert_eq!(error.kind, kind, "{shown}: {error}");
        assert_eq!(error.position, Some(Position { line: 2, column }), "{shown}: {error}");
        assert!(error.expected.contains(expected), "{shown}: {error}");
        assert!(error.found.contains(found), "{shown}: {error}");
        assert!(error.to_string().starts_with("t.jsonl:2:"), "{error}");
    }
}

#[test]
fn nothing_comes_after_an_error() {
    let text = format!("{HEADER}{{\"destroy\":{{\"id\":1}}}}\nnonsense\n{{\"destroy\":{{\"id\":2}}}}\n");
    let mut reader = TraceReader::new(text.as_bytes(), "t").unwrap();
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none() && reader.next().is_none());
}

#[test]
fn other_files_are_told_what_they_are() {
    use TraceErrorKind as Kind;
    let utf16: Vec<u8> = "{\"a\"".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let newer = b"{\"heapstone_trace\":{\"version\":4}}\n";
    for (bytes, kind, found) in [
        (&b""[..], Kind::Empty, "empty"),
        (b" \n\n", Kind::Empty, "blanks"),
        (b"\x1f\x8b\x08\x00", Kind::Compressed, "gunzip"),
        (b"\x28\xb5\x2f\xfd", Kind::Compressed, "zstd"),
        (b"PK\x03\x04", Kind::Compressed, "zip"),
        (b"\xff\xfe{\x00", Kind::Encoding, "UTF-16"),
        (&utf16, Kind::Encoding, "UTF-16"),
        (b"hello", Kind::NotATrace, "`h`"),
        (b"\x00\x01", Kind::NotATrace, "0x00"),
        (b"{\"a\":1}", Kind::NotATrace, "without either"),
        (b"{\"destroy\":{\"id\":1}}", Kind::NotATrace, "the first line must be the `heapstone_trace` header"),
        (b"[]", Kind::NotATrace, "0 events"),
        (b"[{\"name\":\"other\",\"ph\":\"X\"}]", Kind::NotATrace, "1 events"),
        (newer, Kind::Version, "version 4"),
        (b"{\"heapstone_trace\":{\"version\":0}}", Kind::Version, "version 0"),
        (b"{\"heapstone_trace\":{\"version\":1,\"sdk\":\"7\"}}", Kind::Content, "`7`"),
        (b"{\"heapstone_trace\":{\"version\":1,\"extra\":1}}", Kind::Content, "extra"),
        (b"{\"heapstone_trace\":{}}", Kind::Content, "version"),
    ] {
        let error = read_trace(bytes, "f").unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.found.contains(found), "{error}");
    }
    let error = call("{\"set_name\":{\"id\":1,\"name\":\"\u{0}\"}}").unwrap_err();
    assert_eq!(error.kind, Kind::Syntax);
    let mut text = HEADER.as_bytes().to_vec();
    text.extend_from_slice(b"{\"set_name\":{\"id\":1,\"name\":\"\xff\"}}\n");
    let error = TraceReader::new(&text[..], "t").unwrap().next().unwrap().unwrap_err();
    assert_eq!((error.kind, error.position.unwrap().column), (Kind::Encoding, 29));
}

#[test]
fn a_generated_trace_survives_the_file() {
    let (_, calls) = generate(GenerateOptions { seed: 7, calls: 3000, live: 200 });
    let records: Vec<Record> = calls.collect();
    assert_eq!(records.len(), 3000);
    assert_eq!(round_trip(&records), records);
    let (_, again) = generate(GenerateOptions { seed: 7, calls: 3000, live: 200 });
    assert!(again.eq(records.iter().cloned()), "the same seed, the same trace");
    let (_, other) = generate(GenerateOptions { seed: 8, calls: 3000, live: 200 });
    assert!(!other.eq(records.iter().cloned()));
}

#[test]
fn a_trace_cut_anywhere_is_an_error_or_a_shorter_trace() {
    let (_, calls) = generate(GenerateOptions { seed: 3, calls: 60, live: 20 });
    let records: Vec<Record> = calls.collect();
    let text = write(&records);
    for cut in 0..text.len() {
        match read(&text[..cut]) {
            // Whole lines, or a last line without its end.
            Ok(read) => {
                assert!(read.len() <= records.len() && text[..cut].trim_end().ends_with('}'), "{cut}")
            }
            Err(error) => {
                let cut_inside = cut > 0 && text.as_bytes()[cut - 1] != b'\n';
                assert!(cut == 0 || cut_inside, "{cut}: {error}");
            }
        }
    }
}

fn texts() -> impl Strategy<Value = Box<str>> {
    "[ -~ü\u{1}\n\"]{0,12}".prop_map(String::into_boxed_str)
}

fn floats() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>().prop_filter("NaN is not itself", |f| !f.is_nan()),
        Just(0.0),
        Just(-0.0),
        Just(f32::INFINITY)
    ]
}

fn properties() -> impl Strategy<Value = HeapProperties> {
    (
        prop::sample::select(HeapType::ALL),
        prop::sample::select(CpuPageProperty::ALL),
        prop::sample::select(MemoryPool::ALL),
        any::<(u32, u32)>(),
    )
        .prop_map(|(heap_type, cpu_page_property, memory_pool_preference, nodes)| HeapProperties {
            heap_type,
            cpu_page_property,
            memory_pool_preference,
            creation_node_mask: nodes.0,
            visible_node_mask: nodes.1,
        })
}

fn descs() -> impl Strategy<Value = ResourceDesc> {
    let enums = (
        prop::sample::select(ResourceDimension::ALL),
        prop::sample::select(Format::ALL),
        prop::sample::select(TextureLayout::ALL),
    );
    (enums, any::<(u64, u64, u32, u16, u16)>(), any::<(u32, u32, u32, u32, u32, u32)>()).prop_map(
        |((dimension, format, layout), (alignment, width, height, depth_or_array_size, mip_levels), more)| {
            ResourceDesc {
                dimension,
                alignment,
                width,
                height,
                depth_or_array_size,
                mip_levels,
                format,
                sample_desc: SampleDesc { count: more.0, quality: more.1 },
                layout,
                flags: ResourceFlags::from_bits_retain(more.2),
                sampler_feedback_mip_region: MipRegion { width: more.3, height: more.4, depth: more.5 },
            }
        },
    )
}

fn resources() -> impl Strategy<Value = ResourceArguments> {
    let initial = prop_oneof![
        any::<u32>().prop_map(|bits| InitialState::State(ResourceStates::from_bits_retain(bits))),
        Just(InitialState::State(ResourceStates::GENERIC_READ)),
        prop::sample::select(BarrierLayout::ALL).prop_map(InitialState::Layout),
    ];
    let value = prop_oneof![
        [floats(), floats(), floats(), floats()].prop_map(ClearColor::Color),
        (floats(), any::<u8>()).prop_map(|(depth, stencil)| ClearColor::DepthStencil { depth, stencil }),
    ];
    let clear = prop::option::of((prop::sample::select(Format::ALL), value));
    (descs(), initial, clear, prop::collection::vec(prop::sample::select(Format::ALL), 0..3)).prop_map(
        |(desc, initial, clear, castable)| ResourceArguments {
            desc,
            initial,
            clear_value: clear.map(|(format, value)| ClearValue { format, value }),
            castable_formats: castable.into(),
        },
    )
}

fn ids() -> impl Strategy<Value = TraceId> {
    any::<u64>().prop_map(TraceId)
}

fn ranges() -> impl Strategy<Value = Option<ByteRange>> {
    prop::option::of(any::<(u64, u64)>().prop_map(|(begin, end)| ByteRange::new(begin, end)))
}

fn calls() -> impl Strategy<Value = Call> {
    prop_oneof![
        (ids(), any::<(u64, u64, u32)>(), properties()).prop_map(
            |(id, (size, alignment, flags), properties)| {
                let flags = HeapFlags::from_bits_retain(flags);
                Call::CreateHeap { id, desc: HeapDesc { size, properties, alignment, flags } }
            }
        ),
        (ids(), properties(), any::<u32>(), resources()).prop_map(
            |(id, heap_properties, flags, resource)| {
                let heap_flags = HeapFlags::from_bits_retain(flags);
                Call::CreateCommittedResource { id, heap_properties, heap_flags, resource }
            }
        ),
        (ids(), ids(), any::<u64>(), resources()).prop_map(|(id, heap, offset, resource)| {
            Call::CreatePlacedResource { id, heap, offset, resource }
        }),
        (ids(), resources()).prop_map(|(id, resource)| Call::CreateReservedResource { id, resource }),
        (
            ids(),
            prop::sample::select(HeapType::ALL),
            resources(),
            prop::option::of((ids(), any::<u64>())),
            prop::option::of(ids())
        )
            .prop_map(|(id, heap_type, resource, place, made_heap)| Call::RequestResource {
                id,
                heap_type,
                resource,
                place,
                made_heap
            }),
        (ids(), any::<u32>(), ranges(), any::<bool>()).prop_map(|(id, subresource, read_range, wanted)| {
            Call::Map {
                id,
                subresource,
                read_range,
                pointer: if wanted { MapPointer::Wanted } else { MapPointer::Null },
            }
        }),
        (ids(), any::<u32>(), ranges()).prop_map(|(id, subresource, written_range)| Call::Unmap {
            id,
            subresource,
            written_range
        }),
        (ids(), texts()).prop_map(|(id, name)| Call::SetName { id, name }),
        (ids(), texts()).prop_map(|(id, tag)| Call::SetTag { id, tag }),
        ids().prop_map(|id| Call::Destroy { id }),
    ]
}

fn records() -> impl Strategy<Value = Record> {
    let outcome = prop_oneof![
        Just(RecordedOutcome::Accepted),
        texts().prop_map(RecordedOutcome::Refused),
        texts().prop_map(RecordedOutcome::Failed),
    ];
    (calls(), outcome, any::<(Option<u64>, Option<u64>)>()).prop_map(
        |(call, outcome, (timestamp_us, thread))| Record {
            outcome,
            timestamp_us,
            thread,
            ..Record::new(call)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any call, legal or not, survives the file.
    #[test]
    fn any_call_survives_the_file(record in records()) {
        prop_assert_eq!(round_trip(core::slice::from_ref(&record)), vec![record]);
    }

    /// A damaged file is an error or another trace, never a panic; errors have a place.
    #[test]
    fn a_damaged_trace_never_panics(
        seed in any::<u64>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (_, calls) = generate(GenerateOptions { seed, calls: 20, live: 8 });
        let mut bytes = write(&calls.collect::<Vec<_>>()).into_bytes();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(trace) = read_trace(&bytes[..], "damaged") {
            for record in trace {
                if let Err(error) = record {
                    prop_assert!(error.position.is_some() && !error.expected.is_empty() && !error.found.is_empty());
                }
            }
        }
    }

    /// So is any text at all.
    #[test]
    fn any_text_never_panics(text in "[\\[\\]{}\",:a-z0-9 \n\\\\]{0,200}") {
        if let Ok(trace) = read_trace(text.as_bytes(), "any") {
            trace.for_each(drop);
        }
    }
}

#[test]
fn blank_lines_before_the_header_are_skipped() {
    let call = "{\"destroy\":{\"id\":1}}\n";
    for blank in ["\n", "\r\n \t\r\n", "\u{feff}\n\n", &"\n".repeat(5000)] {
        let text = format!("{blank}{HEADER}{call}");
        let lines = blank.matches('\n').count() as u64;
        assert_eq!(read(&text).unwrap()[0].position.line, lines + 2, "{blank:?}");
        let records: Result<Vec<Record>, TraceError> = read_trace(text.as_bytes(), "t").unwrap().collect();
        assert_eq!(records.unwrap().len(), 1);
        for error in [read(blank).unwrap_err(), read_trace(blank.as_bytes(), "t").map(drop).unwrap_err()] {
            assert_eq!((error.kind, error.found.as_str()), (TraceErrorKind::Empty, "nothing but blanks"));
        }
    }
}

#[test]
fn what_was_found_is_cut() {
    let long = "x".repeat(500_000);
    let lines = [
        format!("{{\"create_heap\":{{\"id\":1,\"size\":1,\"type\":\"{long}\"}}}}"),
        format!("{{\"create_heap\":{{\"id\":1,\"size\":1,\"flags\":\"{long}\"}}}}"),
        format!("{{\"create_heap\":{{\"id\":1,\"size\":\"{long}\"}}}}"),
        format!(
            "{{\"create_committed_resource\":{{\"id\":1,\"width\":1,\"clear_value\":{{\"{long}\":1}}}}}}"
        ),
    ];
    for error in lines.iter().map(|line| call(line).unwrap_err()) {
        assert!(error.found.contains("xxx") && error.found.ends_with("..."), "{}", &error.found[..80]);
        assert!(error.to_string().len() < 2000, "{}", error.to_string().len());
    }
    for header in [
        format!("{{\"heapstone_trace\":{{\"version\":1,\"sdk\":\"{long}\"}}}}"),
        format!("{{\"heapstone_trace\":{{\"version\":1,\"{long}\":1}}}}"),
    ] {
        assert!(read(&header).unwrap_err().to_string().len() < 2000);
    }
}
