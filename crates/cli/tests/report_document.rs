//! `docs/report.md` against what is printed and written: its rows are those of the report, its shapes those of the
//! JSON.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::heapstone_with_input;
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../docs/report.md");
const SCENE: &str = include_str!("../../../examples/workloads/textured-scene.jsonl");

const STREAMING: &str = include_str!("../../../examples/workloads/streaming-upload.jsonl");

/// Everything that goes wrong: too much memory, unknown objects, a refused heap with a resource in it.
const WRONG: &str = r#"{"heapstone_trace":{"version":1}}
{"create_heap":{"id":1,"size":68719476736,"t":1}}
{"destroy":{"id":9}}
{"create_heap":{"id":2,"size":65536,"alignment":4096}}
{"create_placed_resource":{"id":3,"heap":2,"width":100}}
"#;

const RESIDENCY: &str = r#"{"heapstone_trace":{"version":3}}
{"create_heap":{"id":1,"size":65536}}
{"evict":{"objects":[1]}}
"#;

/// A buffer that GPGMM was asked for, without a place.
const GPGMM: &str = r#"{"traceEvents":[
{"name":"ResourceAllocator.CreateResource","cat":"default","ph":"i","tid":7,"ts":10,"pid":1,"args":{
"allocationDescriptor":{"Flags":0,"HeapType":2},
"resourceDescriptor":{"Dimension":1,"Alignment":0,"Width":1000,"Height":1,"DepthOrArraySize":1,"MipLevels":1,"Format":0,"Layout":1,"SampleDesc":{"Count":1,"Quality":0},"Flags":0},
"initialResourceState":2755,"clearValue":{}}},
{"name":"ResourceAllocation","cat":"default","ph":"N","id":"0xb0","tid":7,"ts":30,"pid":1}"#;

/// The cells of a table's rows, from the line of its headings.
fn rows(lines: &str) -> Vec<Vec<&str>> {
    let rows = lines.lines().skip_while(|line| !line.starts_with('|')).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| line.strip_prefix('|').and_then(|line| line.strip_suffix('|')).expect("a row"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect()
}

fn section(heading: &str) -> &'static str {
    let (_, rest) = DOCUMENT.split_once(&format!("\n{heading}\n")).expect("the heading is there");
    rest.split("\n#").next().expect("a first part")
}

/// Fields and types by shape.
fn shapes() -> BTreeMap<&'static str, Vec<(&'static str, &'static str)>> {
    let mut shapes = BTreeMap::new();
    for text in DOCUMENT.split("\n### `").skip(1) {
        let (name, rest) = text.split_once("`\n").expect("a shape's name");
        let fields = rows(rest.split("\n#").next().expect("a first part"));
        let fields = fields.iter().map(|row| (row[0].trim_matches('`'), row[1])).collect();
        assert!(shapes.insert(name, fields).is_none(), "{name} twice");
    }
    shapes
}

/// Walks a value of a shape; `seen` are the shapes that a value was found of.
fn check(
    value: &Value,
    shape: &'static str,
    shapes: &BTreeMap<&'static str, Vec<(&'static str, &'static str)>>,
    seen: &mut BTreeSet<&'static str>,
) {
    seen.insert(shape);
    let object = value.as_object().unwrap_or_else(|| panic!("{shape} is no object: {value}"));
    let written: BTreeSet<&str> = object.keys().map(String::as_str).collect();
    let documented: BTreeSet<&str> = shapes[shape].iter().map(|(field, _)| *field).collect();
    assert_eq!(written, documented, "fields of `{shape}`");
    for (field, kind) in &shapes[shape] {
        let value = &object[*field];
        if value.is_null() {
            continue;
        }
        let inner = |name: &'static str| {
            let name = name.trim_matches('`');
            assert!(shapes.contains_key(name), "{shape}.{field}: there is no shape {name}");
            name
        };
        match *kind {
            "number" | "bytes" => assert!(value.is_u64(), "{shape}.{field}: {value}"),
            "text" => assert!(value.is_string(), "{shape}.{field}: {value}"),
            "true or false" => assert!(value.is_boolean(), "{shape}.{field}: {value}"),
            "text or object" => assert!(value.is_string() || value.is_object(), "{shape}.{field}: {value}"),
            kind => match kind.strip_prefix("list of ") {
                Some(name) => {
                    let name = inner(name);
                    value
                        .as_array()
                        .expect("a list")
                        .iter()
                        .for_each(|value| check(value, name, shapes, seen));
                }
                None => check(value, inner(kind), shapes, seen),
            },
        }
    }
}

#[test]
fn the_shapes_are_those_of_the_json() {
    let shapes = shapes();
    let mut seen = BTreeSet::new();
    for (input, arguments, code) in [
        (SCENE, ["--profile", "discrete-8g"].as_slice(), 0),
        (SCENE, &["--profile", "discrete-tier1-2g"], 1),
        (SCENE, &["--placement", "pooled=1MiB"], 0),
        (STREAMING, &[], 0),
        (RESIDENCY, &[], 0),
        (WRONG, &[], 2),
        (WRONG, &["--strict"], 1),
        (GPGMM, &[], 0),
    ] {
        let arguments = [&["replay", "-", "--json", "-"], arguments].concat();
        let run = heapstone_with_input(&arguments, input.as_bytes()).exits(code);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        check(&report, "report", &shapes, &mut seen);
    }
    let all: BTreeSet<&str> = shapes.keys().copied().collect();
    assert_eq!(seen, all, "each shape was met");
}

/// Names, order and JSON fields of the rows of memory at the peak.
#[test]
fn the_rows_are_those_of_the_report() {
    let input = SCENE.as_bytes();
    let run = heapstone_with_input(&["replay", "-"], input).exits(0);
    let table = run.stdout.lines().skip_while(|line| !line.starts_with("Memory at the peak")).skip(2);
    let printed: Vec<String> = table
        .take_while(|line| line.contains("  "))
        .map(|line| line.split("  ").next().unwrap().to_owned())
        .collect();
    let rows = rows(section("## Memory at the peak"));
    let documented: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(printed, documented);

    let json = heapstone_with_input(&["replay", "-", "--json", "-"], input).exits(0).stdout;
    let report: Value = serde_json::from_str(&json).unwrap();
    for row in &rows {
        let path = row[1].trim_matches('`').split('.');
        let value = path.fold(&report["peak"]["total"], |value, field| &value[field]);
        let want = match value {
            Value::Object(causes) => causes.values().filter_map(Value::as_u64).sum(),
            number => number.as_u64().unwrap_or_else(|| panic!("{}: {number}", row[0])),
        };
        let line = run.stdout.lines().find(|line| line.starts_with(&format!("{}  ", row[0]))).unwrap();
        // A row of another table may begin alike.
        let lines = run.stdout.lines().filter(|line| line.starts_with(&format!("{}  ", row[0])));
        let numbers: Vec<u64> = lines
            .filter_map(|line| line[row[0].len()..].split_whitespace().next()?.replace(',', "").parse().ok())
            .collect();
        assert!(numbers.contains(&want), "{line}: {want}");
    }
    for heading in ["Budget", "Notes", "Largest resources", "Asked by the trace"] {
        assert!(run.stdout.lines().any(|line| line == heading), "{heading}");
        section(&format!("## {heading}"));
    }
}

#[test]
fn help_names_the_document() {
    let help = heapstone_with_input(&["replay", "--help"], b"").exits(0).stdout;
    assert!(help.contains("docs/report.md"), "{help}");
}
