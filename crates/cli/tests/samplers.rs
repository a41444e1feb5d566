//! `heapstone samplers` and `heapstone views`, as a user runs them.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::{heapstone, heapstone_with_input};

const MATERIALS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/samplers/materials.json");
const SHADER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/samplers/material.wgsl");

#[test]
fn the_example_fits_into_few_slots() {
    let run = heapstone(&["samplers", MATERIALS]).exits(0);
    // One comparison sampler, and 1500 and 600 groups of four: 8401 samplers; shadow, trilinear, anisotropic, point.
    let run = run.prints(&["heap 0: 4 slots for 8401 samplers that are bound", "switches        0"]);
    // 4 reserved and 2 tables of views; the heap's table, and an index buffer for each of two groups.
    let line: Vec<&str> = run.line("index-buffers").split_whitespace().collect();
    assert_eq!(line, ["index-buffers", "3", "6", "9", "taken"]);
    let line = run.line("table-per-group").to_owned();
    assert!(line.contains("equal samplers take several slots"), "{line}");
}

#[test]
fn json_has_the_whole_answer() {
    let run = heapstone(&["samplers", MATERIALS, "--json", "--strategy", "packed-constants"]).exits(0);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["plan"]["strategy"], "packed-constants");
    // Two fixed samplers of 12 bits.
    assert_eq!(answer["plan"]["constants"]["dwords"], 1);
    assert_eq!(answer["heaps"][0].as_array().unwrap().len(), 4);
    let uses: Vec<u64> =
        answer["heaps"][0].as_array().unwrap().iter().map(|slot| slot["uses"].as_u64().unwrap()).collect();
    // shadow 1; trilinear 3 x 1500 + 2 x 600; anisotropic 2100; point 600.
    assert_eq!(uses, [1, 5700, 2100, 600]);
    assert_eq!(answer["bind_groups"][1]["indices"], serde_json::json!([1, 2, 1, 1]));
    assert_eq!(answer["bind_groups"][2]["indices"], serde_json::json!([1, 2, 3, 1]));
}

#[test]
fn a_shader_is_lowered_under_the_plan() {
    let run = heapstone(&["samplers", MATERIALS, "--hlsl", SHADER]).exits(0);
    run.prints(&[
        "SamplerComparisonState",
        "root signature with the shader's other bindings",
        "StructuredBuffer<uint>",
    ]);
}

#[test]
fn a_list_alone_is_read_from_standard_input() {
    let list = r#"[{"samplers": [{"binding": 0, "sampler": {"filter": "ANISOTROPIC"}}]}, {"group": 1}]"#;
    let run = heapstone_with_input(&["samplers", "-"], list.as_bytes()).exits(0);
    let run =
        run.prints(&["heap 0: 1 slots for 1 samplers that are bound", "ANISOTROPIC, CLAMP, anisotropy 16"]);
    let line: Vec<&str> = run.line("table-per-sampler").split_whitespace().collect();
    assert_eq!(line, ["table-per-sampler", "1", "0", "1", "taken"]);
}

/// `count` groups of a sampler each, which differ in their bias.
fn distinct(count: u32, heaps_max: u32, draws: &str) -> String {
    let group = |number: u32| {
        let bias = f64::from(number) / 8.0;
        format!(r#"{{"samplers": [{{"binding": 0, "sampler": {{"mip_lod_bias": {bias}}}}}]}}"#)
    };
    let groups: Vec<String> = (0..count).map(group).collect();
    format!(
        r#"{{"limits": {{"heap_descriptors": 20}}, "heaps_max": {heaps_max}, "draws": {draws}, "bind_groups": [{}]}}"#,
        groups.join(",")
    )
}

#[test]
fn a_heap_that_is_full_says_so_and_a_second_one_helps() {
    // 20 descriptors, 16 of which the system keeps.
    let run = heapstone_with_input(&["samplers", "-"], distinct(5, 1, "[]").as_bytes()).exits(1);
    run.prints(&[
        "samplers.full: 1 samplers take 1 new slots; allowed: 0, the free ones of a heap of 4 (4 are held, 0 wait",
    ]);
    let frame = distinct(5, 2, "[[0], [1], [2], [3], [4], [0]]");
    let run = heapstone_with_input(&["samplers", "-"], frame.as_bytes()).exits(0);
    run.prints(&["heap 1: 1 slots", "switches        1", "the least there can be", "0 0 0 0 1 1"]);
}

#[test]
fn wrong_files_are_told_with_what_is_wrong() {
    let fails = |text: &str, parts: &[&str]| {
        heapstone_with_input(&["samplers", "-"], text.as_bytes()).fails_with(parts);
    };
    fails("[{\"grup\": 1}]", &["unknown field `grup`", "line 1", "docs/samplers.md"]);
    fails(
        "[{\"samplers\": [{\"binding\": 0}]}]",
        &["bind group 0, binding 0: one of `sampler` and `samplers`"],
    );
    fails(r#"[{"samplers": [{"binding": 2, "sampler": "x"}]}]"#, &["no sampler is named \"x\""]);
    fails(
        r#"[{"samplers": [{"binding": 2, "sampler": {"filter": "LINEAR"}}]}]"#,
        &["no D3D12_FILTER is called \"LINEAR\"", "MIN_MAG_MIP_POINT"],
    );
    fails(
        r#"[{"name": "a"}, {"name": "b", "other_dwords": 1}]"#,
        &["bind groups a and b are both of group 0, and their layouts differ"],
    );
    fails(
        r#"[{"samplers": [{"binding": 0, "samplers": [{}, {"filter": "COMPARISON_ANISOTROPIC"}]}]}]"#,
        &["an array holds comparison samplers and others"],
    );
    fails(
        r#"[{"samplers": [{"binding": 0, "sampler": {"min_lod": 9, "max_lod": 1}}]}]"#,
        &["sampler.lod: MaxLOD is 1"],
    );
    fails(r#"[{"samplers": [{"binding": 0, "samplers": []}]}]"#, &["layout.count"]);
    heapstone(&["samplers", MATERIALS, "--strategy", "best"]).exits(2);
    let run = heapstone(&["samplers", MATERIALS, "--strategy", "direct-constants"]).exits(1);
    run.prints(&[
        "plan.strategy: strategy is direct-constants; the shader model is 5.1; allowed: 6.6 and later",
    ]);
}

/// spec/5-ssbo-ubo-padding.txt: five 16-bit elements.
#[test]
fn ten_bytes_are_padded_to_fourteen() {
    let run = heapstone(&["views", "raw", "--size", "10"]).exits(1);
    run.prints(&[
        "view.elements: size is 10; allowed: multiples of 4",
        "padded size     14",
        "recovered       10",
        "the last 2 are read as 0 without padding, read with it",
    ]);
    let run = heapstone(&["views", "raw", "--size", "10", "--json"]).exits(1);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&answer["padded_size"], &answer["memory_requirement"]), (&14.into(), &12.into()));
}

#[test]
fn views_are_judged_as_the_device_judges_them() {
    heapstone(&["views", "structured", "--stride", "12", "--offset", "24", "--size", "120", "--uav"])
        .exits(0)
        .prints(&["D3D12           legal"]);
    heapstone(&["views", "raw", "--offset", "8", "--size", "8"]).exits(1).prints(&["view.buffer.raw.offset"]);
    heapstone(&["views", "raw", "--size", "64", "--buffer", "32"]).exits(1).prints(&["view.buffer.range"]);
    heapstone(&["views", "typed", "--format", "R32_FLOAT", "--size", "64"]).exits(0);
    heapstone(&["views", "constant", "--size", "256", "--offset", "128"])
        .exits(1)
        .prints(&["view.cbv.location", "binding.offset: offset is 128; allowed: multiples of 256"]);
    heapstone(&["views", "constant", "--size", "4294967296", "--buffer", "4294967296"]).exits(1);
    heapstone(&["views", "structured", "--size", "64"])
        .fails_with(&["a structured view has a stride", "--stride"]);
    heapstone(&["views", "typed", "--size", "64"]).fails_with(&["a typed view has a format"]);
    heapstone(&["views", "raw", "--size", "16", "--offset", "18446744073709551615"]).fails_with(&["64 bits"]);
}

/// What was once taken without a word, or without an end.
#[test]
fn hostile_files_are_refused_with_the_place() {
    let refused = |file: &str, text: &str| {
        heapstone_with_input(&["samplers", "-"], file.as_bytes()).fails_with(&[text]);
    };
    let sampler = r#"{"binding": 0, "sampler": {}}"#;
    let groups = |count: u64| format!(r#"[{{"count": {count}, "samplers": [{sampler}]}}]"#);
    refused(&groups(4_294_967_295), "count is 4294967295 in all; allowed: at most 1048576");
    let twice = format!(r#"[{{"count": 1048576, "samplers": [{sampler}]}}, {{"samplers": [{sampler}]}}]"#);
    refused(&twice, "count is 1048577 in all; allowed: at most 1048576");
    let names = r#"{"samplers": {"a": {}, "a": {"filter": "ANISOTROPIC"}}, "bind_groups": []}"#;
    refused(names, r#"name is "a", twice; allowed: each name once"#);
    let field = r#"[{"samplers": [{"binding": 0, "sampler": {"filtr": "ANISOTROPIC"}}]}]"#;
    refused(field, "unknown field `filtr`");
    refused(r#"[{"samplers": [{"binding": 0, "sampler": 7}]}]"#, "a sampler's name or its fields");
}

/// JSON of other shapes and numbers than are meant, in the file's words.
#[test]
fn odd_inputs_are_told_with_the_file_and_what_is_allowed() {
    let refused = |file: &str, texts: &[&str]| {
        let run = heapstone_with_input(&["samplers", "-"], file.as_bytes()).fails_with(texts);
        assert!(run.stderr.starts_with("error: standard input: "), "{}", run.stderr);
    };
    for blank in ["", " \n\t"] {
        refused(blank, &["nothing but blanks; allowed: a list of bind groups"]);
    }
    for (file, found) in [("null", "null"), ("7", "integer `7`"), ("\"x\"", "string \"x\"")] {
        refused(file, &[&format!("invalid type: {found}, expected an object at line 1")]);
    }
    // A structure's fields in order, without their names.
    for list in [r#"[["a", 0, 1, 0, []]]"#, r#"{"bind_groups": [], "limits": [64]}"#] {
        refused(list, &["invalid type: sequence, expected an object at line 1"]);
    }
    let sampler = |fields: &str| format!(r#"[{{"samplers": [{{"binding": 0, "sampler": {{{fields}}}}}]}}]"#);
    refused(&sampler(r#""mip_lod_bias": 1e39"#), &["`1e+39`", "a float of 32 bits", "line 1"]);
    refused(&sampler(r#""border_color": [0, 0, 0, -1e39]"#), &["`-1e+39`", "a float of 32 bits"]);
    let nan = sampler(r#""min_lod": "NaN""#);
    heapstone_with_input(&["samplers", "-"], nan.as_bytes()).fails_with(&["sampler.lod", "NaN"]);
    refused(&sampler(r#""min_lod": "nan""#), &["string \"nan\"", "\"NaN\", \"inf\" or \"-inf\""]);
    refused(&sampler(r#""max_anisotropy": 9223372036854775808"#), &["9223372036854775808", "u32"]);
    let limits = |limits: &str| format!(r#"{{"bind_groups": [], "limits": {{{limits}}}}}"#);
    refused(
        &limits(r#""heap_descriptors": 0"#),
        &["heap_descriptors is 0; allowed: more than heap_reserved, 16"],
    );
    refused(
        &limits(r#""heap_reserved": 5000"#),
        &["heap_descriptors is 2048", "more than heap_reserved, 5000"],
    );

    // NaN has one place: in a border colour, where every one is the same.
    let nan = sampler(r#""address": "BORDER", "border_color": ["NaN", 0, "inf", -0.0]"#);
    heapstone_with_input(&["samplers", "-"], nan.as_bytes()).exits(0).prints(&["border [NaN, 0.0, inf, "]);
    // A byte order mark is none of the text.
    heapstone_with_input(&["samplers", "-"], b"\xef\xbb\xbf[]").exits(0);
    heapstone_with_input(&["samplers", "-"], b"[\xff]").fails_with(&["byte 1 begins no character", "UTF-8"]);
    heapstone(&["samplers", "/dev/zero"]).fails_with(&["/dev/zero is larger than 268435456 bytes"]);
    heapstone(&["samplers", env!("CARGO_MANIFEST_DIR")]).fails_with(&["cannot read", "directory"]);
}

#[test]
fn options_of_other_views_are_refused() {
    for (options, name) in [
        (&["constant", "--size", "256", "--uav"][..], "--uav"),
        (&["raw", "--size", "16", "--stride", "4"][..], "--stride"),
        (&["structured", "--size", "16", "--stride", "4", "--format", "R32_UINT"][..], "--format"),
    ] {
        heapstone(&[&["views"], options].concat()).fails_with(&[name]);
    }
}
