//! GPU work: read, replayed in every mode, recorded again, and accounted for.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use heapstone::{Backing, Device, GpuMode, SdkVersion};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_trace::report::Report;
use heapstone_trace::{
    Call, GpuCallKind, Record, Recorder, RecorderOptions, ReplayOptions, Replayer, StreamingOptions,
    TraceError, TraceHeader, TraceReader, TraceWriter, generate_streaming,
};

const HEADER: &str = "{\"heapstone_trace\":{\"version\":3}}\n";
const EXAMPLE: &str = include_str!("../../../examples/workloads/streaming-upload.jsonl");

fn read(text: &str) -> Result<Vec<Record>, TraceError> {
    TraceReader::new(text.as_bytes(), "t.jsonl")?.collect()
}

fn calls(lines: &str) -> Vec<Record> {
    read(&format!("{HEADER}{lines}")).unwrap_or_else(|error| panic!("{error}"))
}

fn streaming(calls: u64) -> Vec<Record> {
    generate_streaming(StreamingOptions { seed: 7, calls, live: 20 }).1.collect()
}

fn device(profile: &str, backing: Backing, mode: GpuMode) -> Device {
    Device::builder()
        .profile(common::profile(profile))
        .driver(&SoftDriverFactory::default())
        .backing(backing)
        .sdk(SdkVersion::LATEST)
        .gpu_mode(mode)
        .build()
        .unwrap()
}

fn replay(records: &[Record], device: Device) -> Report {
    let mut replayer = Replayer::new(device, ReplayOptions::default());
    assert!(replayer.steps(records).is_continue());
    replayer.finish()
}

fn on_phantom(records: &[Record]) -> Report {
    replay(records, device("discrete-8g", Backing::Phantom, GpuMode::Immediate))
}

/// Memory that outlives the recorder.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a recorder writes of a replay on host memory.
fn recorded(records: &[Record]) -> Vec<Record> {
    let file = Shared::default();
    let recorder =
        Arc::new(Recorder::new(file.clone(), &TraceHeader::new(), RecorderOptions::default()).unwrap());
    let device = Device::builder()
        .profile(common::profile("discrete-8g"))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Host)
        .sdk(SdkVersion::LATEST)
        .observer(recorder.clone())
        .build()
        .unwrap();
    let report = replay(records, device);
    assert_eq!(report.trace_error_count(), 0, "{:?}", report.trace_errors);
    recorder.finish().unwrap();
    let bytes = file.0.lock().unwrap().clone();
    TraceReader::new(&bytes[..], "recorded").unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_example_is_what_the_generator_writes() {
    let (header, calls) = generate_streaming(StreamingOptions { seed: 1, calls: 600, live: 24 });
    let mut writer = TraceWriter::new(Vec::new(), &header).unwrap();
    for call in calls {
        writer.write(&call).unwrap();
    }
    assert!(String::from_utf8(writer.into_inner().unwrap()).unwrap() == EXAMPLE);
}

#[test]
fn generated_work_is_written_and_read_again() {
    let records = streaming(2000);
    let mut writer = TraceWriter::new(Vec::new(), &TraceHeader::new()).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    let again: Vec<Call> = read(&text).unwrap().into_iter().map(|record| record.call).collect();
    assert!(records.iter().map(|record| &record.call).eq(&again));
}

#[test]
fn a_recording_of_a_replay_is_the_trace() {
    let records = streaming(2000);
    let recorded = recorded(&records);
    // What lives at the end is let go of, which is recorded too.
    assert!(recorded.len() >= records.len());
    for (at, (recorded, given)) in recorded.iter().zip(&records).enumerate() {
        assert_eq!((&recorded.call, &recorded.outcome), (&given.call, &given.outcome), "call {at}");
    }
}

/// Every call once, legal or not: the recorder hears each, with its arguments, and how it ended.
#[test]
fn every_call_is_recorded_with_its_arguments() {
    let lines = r#"
{"create_command_queue":{"id":1,"type":"DIRECT","priority":"HIGH"}}
{"create_command_allocator":{"id":2,"type":"DIRECT"}}
{"create_command_list":{"id":3,"type":"DIRECT","allocator":2}}
{"create_fence":{"id":4,"initial_value":3,"flags":"SHARED"}}
{"create_heap":{"id":5,"size":16777216,"flags":"DENY_BUFFERS | DENY_RT_DS_TEXTURES"}}
{"create_committed_resource":{"id":6,"heap_type":"UPLOAD","width":1048576,"state":"GENERIC_READ"}}
{"create_committed_resource":{"id":7,"width":1048576,"flags":"ALLOW_UNORDERED_ACCESS"}}
{"create_committed_resource":{"id":8,"dimension":"TEXTURE2D","width":64,"height":64,"mip_levels":2,"format":"R8G8B8A8_UNORM","flags":"ALLOW_RENDER_TARGET"}}
{"create_committed_resource":{"id":9,"dimension":"TEXTURE2D","width":64,"height":64,"format":"R8G8B8A8_UNORM","sample_count":4,"flags":"ALLOW_RENDER_TARGET"}}
{"create_committed_resource":{"id":10,"dimension":"TEXTURE2D","width":64,"height":64,"format":"D24_UNORM_S8_UINT","flags":"ALLOW_DEPTH_STENCIL"}}
{"create_reserved_resource":{"id":11,"dimension":"TEXTURE2D","width":1024,"height":1024,"format":"R8G8B8A8_UNORM","layout":"64KB_UNDEFINED_SWIZZLE"}}
{"create_descriptor_heap":{"id":12,"type":"RTV","count":4}}
{"create_descriptor_heap":{"id":13,"type":"DSV","count":1}}
{"create_descriptor_heap":{"id":14,"type":"CBV_SRV_UAV","count":8}}
{"create_descriptor_heap":{"id":15,"type":"CBV_SRV_UAV","count":8,"flags":"SHADER_VISIBLE"}}
{"create_descriptor_heap":{"id":16,"type":"SAMPLER","count":2,"node_mask":1}}
{"create_query_heap":{"id":17,"type":"TIMESTAMP","count":2}}
{"set_name":{"id":1,"name":"frames"}}
{"create_render_target_view":{"at":[12,1],"resource":8}}
{"create_render_target_view":{"at":[12,2],"resource":9,"desc":{"format":"R8G8B8A8_UNORM","dimension":"TEXTURE2DMS"}}}
{"create_depth_stencil_view":{"at":[13,0],"resource":10,"desc":{"format":"D24_UNORM_S8_UINT","dimension":{"TEXTURE2D":{"mip_slice":0}},"flags":"NONE"}}}
{"create_unordered_access_view":{"at":[14,0],"resource":7,"desc":{"format":"R32_UINT","dimension":{"BUFFER":{"first_element":0,"element_count":64,"structure_byte_stride":0,"counter_offset_in_bytes":0,"flags":"NONE"}}}}}
{"create_shader_resource_view":{"at":[14,1],"resource":8,"desc":{"format":"R8G8B8A8_UNORM","dimension":{"TEXTURE2D":{"most_detailed_mip":0,"mip_levels":null,"plane_slice":0,"resource_min_lod_clamp":0.5}},"component_mapping":["MEMORY2","MEMORY1","MEMORY0","ONE"]}}}
{"create_constant_buffer_view":{"at":[14,2],"place":[6,256],"size":256}}
{"create_constant_buffer_view":{"at":[14,3]}}
{"create_sampler":{"at":[16,1],"desc":{"filter":{"min_linear":true,"mag_linear":true,"mip_linear":true,"anisotropic":false,"reduction":"STANDARD"},"address_u":"WRAP","address_v":"MIRROR","address_w":"CLAMP","mip_lod_bias":-1.5,"max_anisotropy":1,"comparison_func":"NEVER","border_color":{"float":[0.0,0.0,0.0,1.0]},"min_lod":0.0,"max_lod":8.0}}}
{"copy_descriptors":{"destination":{"starts":[[15,0],[15,4]],"sizes":[1,1]},"source":{"starts":[[14,0]],"sizes":[2]},"type":"CBV_SRV_UAV"}}
{"copy_descriptors_simple":{"count":1,"destination":[15,5],"source":[14,2],"type":"CBV_SRV_UAV"}}
{"copy_descriptors_simple":{"count":1,"destination":[15,6],"source":[null,24],"type":"CBV_SRV_UAV"}}
{"update_tile_mappings":{"id":1,"resource":11,"region_start_coordinates":[[0,0,0,0]],"region_sizes":[{"num_tiles":4,"box":{"width":2,"height":2,"depth":1}}],"heap":5,"range_flags":["NONE","NULL"],"heap_range_start_offsets":[1,0],"range_tile_counts":[3,1]}}
{"copy_tile_mappings":{"id":1,"destination":11,"destination_start":[4,0,0,0],"source":11,"source_start":[0,0,0,0],"size":{"num_tiles":2},"flags":"NO_HAZARD"}}
{"write_to_subresource":{"id":7,"row_pitch":1048576,"size":1048576}}
{"read_from_subresource":{"id":8,"subresource":1,"box":[0,0,0,4,4,1],"row_pitch":16,"size":64}}
{"set_next_allocation_address":{"address":1099511627776}}
{"set_next_allocation_address":{"address":0}}
{"make_resident":{"objects":[5,7,14,17]}}
{"evict":{"objects":[5,7,14,17]}}
{"enqueue_make_resident":{"flags":"DENY_OVERBUDGET","objects":[10],"fence":4,"value":4}}
{"enqueue_make_resident":{"objects":[10],"fence":4,"value":4}}
{"make_resident":{"objects":[11]}}
{"evict":{"objects":[9,9]}}
{"set_residency_priority":{"objects":[[5,671088640],[9,3355443200]]}}
{"set_budget":{"group":"LOCAL","budget":1073741824}}
{"set_budget":{"group":"LOCAL"}}
{"set_budget":{"node":1,"group":"NON_LOCAL","budget":0}}
{"set_video_memory_reservation":{"group":"NON_LOCAL","reservation":65536}}
{"copy_buffer_region":{"id":3,"destination":7,"destination_offset":16,"source":6,"source_offset":256,"size":512}}
{"copy_texture_region":{"id":3,"destination":{"resource":8,"subresource":1},"origin":[1,2,0],"source":{"resource":6,"footprint":{"offset":512,"format":"R8G8B8A8_UNORM","width":16,"height":16,"row_pitch":256}},"source_box":[0,0,0,8,8,1]}}
{"copy_texture_region":{"id":3,"destination":{"resource":7,"footprint":{"format":"R8G8B8A8_UNORM","width":64,"height":64,"row_pitch":256}},"source":{"resource":8,"subresource":0}}}
{"copy_tiles":{"id":3,"tiled_resource":11,"start":[0,0,0,0],"size":{"num_tiles":1},"buffer":6,"flags":"LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE"}}
{"resource_barrier":{"id":3,"barriers":[{"transition":{"resource":8,"subresource":1,"before":"RENDER_TARGET","after":"COPY_DEST"}},{"aliasing":{"after":11}},{"uav":{"resource":7}}]}}
{"barrier":{"id":3,"groups":[{"global":[{"sync_before":"COPY","sync_after":"COPY","access_before":"COPY_DEST","access_after":"COPY_SOURCE"}]},{"texture":[{"sync_before":"COPY","sync_after":"COPY","access_before":"COPY_DEST","access_after":"COPY_SOURCE","layout_before":"COPY_DEST","layout_after":"COPY_SOURCE","resource":8,"subresources":[0,1,0,1,0,1]}]},{"buffer":[{"sync_before":"COPY","sync_after":"COPY","access_before":"COPY_DEST","access_after":"COPY_SOURCE","resource":7,"size":1048576}]}]}}
{"write_buffer_immediate":{"id":3,"writes":[[[7,64],5],[[7,68],6]],"modes":["DEFAULT","MARKER_OUT"]}}
{"clear_render_target_view":{"id":3,"view":[12,1],"color":[0.0,0.25,1.0,1.0],"rects":[[0,0,8,8]]}}
{"clear_depth_stencil_view":{"id":3,"view":[13,0],"flags":"DEPTH | STENCIL","depth":1.0,"stencil":9}}
{"set_descriptor_heaps":{"id":3,"heaps":[15]}}
{"clear_unordered_access_view_uint":{"id":3,"gpu_view":[15,0],"view":[14,0],"resource":7,"values":[1,2,3,4]}}
{"clear_unordered_access_view_float":{"id":3,"gpu_view":[15,0],"view":[14,0],"resource":7,"values":[0.5,0.0,0.0,0.0]}}
{"discard_resource":{"id":3,"resource":8,"region":{"rects":[[0,0,4,4]],"num_subresources":1}}}
{"resolve_subresource":{"id":3,"destination":8,"source":9,"format":"R8G8B8A8_UNORM"}}
{"resolve_subresource_region":{"id":3,"destination":8,"x":8,"y":16,"source":9,"source_rect":[0,0,8,8],"format":"R8G8B8A8_UNORM","mode":"AVERAGE"}}
{"set_predication":{"id":3,"buffer":7,"offset":8,"operation":"NOT_EQUAL_ZERO"}}
{"set_predication":{"id":3,"operation":"EQUAL_ZERO"}}
{"end_query":{"id":3,"query_heap":17,"type":"TIMESTAMP","index":1}}
{"resolve_query_data":{"id":3,"query_heap":17,"type":"TIMESTAMP","start_index":1,"count":1,"destination":7,"offset":16}}
{"copy_resource":{"id":3,"destination":7,"source":6}}
{"close_command_list":{"id":3}}
{"reset_command_allocator":{"id":2}}
{"reset_command_list":{"id":3,"allocator":2}}
{"close_command_list":{"id":3}}
{"execute_command_lists":{"id":1,"lists":[3]}}
{"queue_signal":{"id":1,"fence":4,"value":5}}
{"queue_wait":{"id":1,"fence":4,"value":5}}
{"fence_wait":{"id":4,"value":5}}
{"fence_signal":{"id":4,"value":6}}
{"destroy":{"id":17}}
"#;
    let records = calls(lines.trim_start());
    let seen: Vec<&str> = records.iter().map(|record| record.call.kind_name()).collect();
    for kind in GpuCallKind::ALL {
        assert!(seen.contains(&kind.name()), "{}", kind.name());
    }
    let recorded = recorded(&records);
    for (recorded, given) in recorded.iter().zip(&records) {
        assert_eq!(recorded.call, given.call);
    }
    assert!(recorded.len() >= records.len());
    let refused: Vec<&str> = recorded
        .iter()
        .filter(|record| record.outcome != heapstone_trace::RecordedOutcome::Accepted)
        .map(|record| record.call.kind_name())
        .collect();
    // A handle into no heap; copies by the CPU in DEFAULT heaps; a reserved resource, which owns no memory, a count that
    // would be negative, a node that there is not; a clear of integers by floats, for which Close fails.
    assert_eq!(
        refused,
        [
            "copy_descriptors_simple",
            "write_to_subresource",
            "read_from_subresource",
            "make_resident",
            "evict",
            "set_budget",
            "clear_unordered_access_view_float",
            "close_command_list"
        ]
    );
}

#[test]
fn queues_do_the_same_in_every_mode_and_on_every_backing() {
    let records = streaming(1500);
    let of = |backing, mode| {
        let report = replay(&records, device("discrete-8g", backing, mode));
        assert_eq!((report.refused_count(), report.failed_count(), report.trace_error_count()), (0, 0, 0));
        let gpu = report.gpu.unwrap();
        assert_eq!((gpu.waits_unreached, gpu.lists_failed, gpu.removed), (0, 0, None));
        gpu.queues
    };
    let want = of(Backing::Phantom, GpuMode::Immediate);
    assert_eq!(want.len(), 2);
    assert!(want.iter().all(|queue| queue.lists > 20 && queue.commands > queue.lists && queue.pending == 0));
    for (backing, mode) in [
        (Backing::Host, GpuMode::Immediate),
        (Backing::Phantom, GpuMode::Threaded),
        (Backing::Host, GpuMode::Threaded),
        (Backing::Host, GpuMode::Stepped),
    ] {
        assert_eq!(of(backing, mode), want, "{backing:?} {mode:?}");
    }
}

/// A copy of 65536 bytes from an upload buffer: 1 us and the bytes at the slower segment's bandwidth.
#[test]
fn work_is_booked_by_the_cost_model() {
    let records = calls(
        r#"{"create_command_queue":{"id":1,"type":"COPY"}}
{"create_command_allocator":{"id":2,"type":"COPY"}}
{"create_command_list":{"id":3,"type":"COPY","allocator":2}}
{"create_committed_resource":{"id":4,"heap_type":"UPLOAD","width":65536,"state":"GENERIC_READ"}}
{"create_committed_resource":{"id":5,"width":65536}}
{"copy_buffer_region":{"id":3,"destination":5,"source":4,"size":65536}}
{"close_command_list":{"id":3}}
{"execute_command_lists":{"id":1,"lists":[3]}}
{"execute_command_lists":{"id":1,"lists":[3]}}
"#,
    );
    let profile = common::profile("discrete-8g");
    let slowest = profile.memory.segments.iter().map(|one| one.bandwidth_bytes_per_second).min().unwrap();
    let gpu = on_phantom(&records).gpu.unwrap();
    let queue = &gpu.queues[0];
    assert_eq!((queue.executions, queue.lists, queue.commands), (2, 2, 2));
    assert_eq!((queue.bytes_read, queue.bytes_written), (131_072, 131_072));
    assert_eq!(queue.busy_ns, 2 * (1000 + 65_536 * 1_000_000_000 / slowest));
    let copies = gpu.calls.iter().find(|used| used.call == "copy_buffer_region").unwrap();
    assert_eq!((copies.count, copies.refused, copies.bytes), (1, 0, 65_536));
}

/// A row pitch of 28 is refused: Close fails for it, the list is left out, and the device goes on.
#[test]
fn lists_that_fail_here_are_left_out() {
    let records = calls(
        r#"{"create_command_queue":{"id":1,"type":"DIRECT"}}
{"create_command_allocator":{"id":2,"type":"DIRECT"}}
{"create_command_list":{"id":3,"type":"DIRECT","allocator":2}}
{"create_committed_resource":{"id":4,"heap_type":"UPLOAD","width":65536,"state":"GENERIC_READ"}}
{"create_committed_resource":{"id":5,"dimension":"TEXTURE2D","width":7,"height":7,"format":"R8G8B8A8_UNORM"}}
{"copy_texture_region":{"id":3,"destination":{"resource":5,"subresource":0},"source":{"resource":4,"footprint":{"format":"R8G8B8A8_UNORM","width":7,"height":7,"row_pitch":28}}}}
{"close_command_list":{"id":3}}
{"execute_command_lists":{"id":1,"lists":[3]}}
{"create_fence":{"id":6}}
{"queue_signal":{"id":1,"fence":6,"value":1}}
{"fence_wait":{"id":6,"value":1}}
{"fence_wait":{"id":6,"value":2}}
"#,
    );
    for mode in [GpuMode::Immediate, GpuMode::Threaded, GpuMode::Stepped] {
        let report = replay(&records, device("discrete-8g", Backing::Phantom, mode));
        assert_eq!((report.refused_count(), report.failed_count()), (1, 0), "{mode:?}");
        let group = &report.refused[0];
        assert_eq!((group.at[0].line, group.given.contains("28")), (7, true), "{group:?}");
        let gpu = report.gpu.unwrap();
        assert_eq!((gpu.lists_failed, gpu.lists_left_out, gpu.removed), (1, 1, None));
        assert_eq!((gpu.waits, gpu.waits_unreached), (2, 1));
        assert_eq!((gpu.queues[0].lists, gpu.queues[0].signals), (0, 1));
        // The copy and the Close.
        assert_eq!(report.outcomes.refused_here, 2);
    }
}

#[test]
fn objects_of_the_wrong_kind_and_unknown_ones_are_mistakes() {
    let report = on_phantom(&calls(
        r#"{"create_fence":{"id":1}}
{"map":{"id":1}}
{"execute_command_lists":{"id":1,"lists":[]}}
{"close_command_list":{"id":9}}
{"create_fence":{"id":1}}
{"create_committed_resource":{"id":1,"width":16}}
{"destroy":{"id":1}}
"#,
    ));
    let counts: Vec<(String, u64)> =
        report.trace_errors.iter().map(|group| (format!("{:?}", group.mistake), group.count)).collect();
    assert_eq!(
        counts,
        [("WrongKind".to_owned(), 2), ("NumberInUse".to_owned(), 2), ("UnknownObject".to_owned(), 1)]
    );
}

#[test]
fn wrong_lines_say_what_is_wrong() {
    for (line, expected, found) in [
        (r#"{"close_command_list":{}}"#, "the field id", "close_command_list without id"),
        (r#"{"queue_wait":{"id":1,"fence":2}}"#, "the field value", "queue_wait without value"),
        (
            r#"{"queue_wait":{"id":1,"fence":2,"valu":3}}"#,
            "one of id, fence, value, t, thread, refused, failed",
            "the field `valu` of queue_wait",
        ),
        (r#"{"queue_wait":{"id":1,"fence":2,"value":-3}}"#, "as `value", "-3"),
        (r#"{"create_fence":{"id":1,"id":2}}"#, "it once", "`id` twice"),
        (r#"{"create_fence":{"id":1,"t":2,"t":2}}"#, "it once", "`t` twice"),
        (
            r#"{"create_fence":{"id":1,"refused":"a","failed":"b"}}"#,
            "at most one of them",
            "both refused and failed",
        ),
        (
            r#"{"create_command_queue":{"id":1,"type":"BUNDLE"}}"#,
            "D3D12_COMMAND_LIST_TYPE as `type`, one of DIRECT, COMPUTE, COPY",
            "`BUNDLE`",
        ),
        (r#"{"set_next_allocation_address":{"id":1,"address":0}}"#, "one of address", "the field `id`"),
    ] {
        let error = read(&format!("{HEADER}{line}\n")).unwrap_err();
        assert!(error.expected.contains(expected), "{line}: {error}");
        assert!(error.found.contains(found), "{line}: {error}");
        assert_eq!(error.position.unwrap().line, 2);
    }
}

#[test]
fn a_profile_without_tiles_skips_what_depends_on_them() {
    let records = streaming(600);
    let report = replay(&records, device("discrete-tier1-2g", Backing::Phantom, GpuMode::Immediate));
    assert_eq!(report.trace_error_count(), 0);
    assert!(report.gpu.unwrap().queues.iter().all(|queue| queue.lists > 0));
}
