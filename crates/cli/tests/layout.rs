//! `heapstone layout`: values by hand from the specification.

mod common;

use common::heapstone;
use serde_json::Value;

fn field<'a>(stdout: &'a str, name: &str) -> &'a str {
    stdout
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::trim_start))
        .unwrap_or_else(|| panic!("no {name:?} in:\n{stdout}"))
}

/// spec/1, HLK tests: a tight buffer's size is its width; every vendor aligns to 256 bytes or less.
#[test]
fn a_tight_buffer() {
    let run = heapstone(&["layout", "buffer", "--width", "25600", "--tight"]).exits(0);
    assert_eq!(field(&run.stdout, "size"), "25,600 (25 KiB)");
    assert_eq!(field(&run.stdout, "alignment"), "256");
    let run = heapstone(&["layout", "buffer", "--width", "25600"]).exits(0);
    assert_eq!(field(&run.stdout, "size"), "65,536 (64 KiB)");
    assert_eq!(field(&run.stdout, "alignment"), "65,536 (64 KiB)");
}

/// A non-zero Alignment beside the flag: refused until 619.3, a floor from 619.4, of at most 4 KiB of a
/// buffer (spec/1, Non-zero Alignment as a target floor; Committed Resources).
#[test]
fn a_floor_needs_619_4() {
    let run = |alignment, sdk| {
        let buffer =
            ["layout", "buffer", "--width", "25600", "--tight", "--alignment", alignment, "--sdk", sdk];
        heapstone(&buffer)
    };
    for alignment in ["8", "256", "4KiB", "0x10000"] {
        run(alignment, "618").exits(1).prints(&["refused", "tight"]);
    }
    for (floor, want) in [("8", "256"), ("256", "256"), ("4KiB", "4,096 (4 KiB)")] {
        let run = run(floor, "619.4").exits(0);
        assert_eq!(field(&run.stdout, "alignment"), want, "{floor}");
    }
    run("0x10000", "619.4").exits(1).prints(&["at most 4096"]);
}

/// 1024 / 32 squared is 1024 tiles of 4 KiB, and 16 are allowed; 128 / 32 squared is 16.
#[test]
fn a_refusal_is_told_in_full() {
    let square = |side| {
        heapstone(&[
            "layout",
            "texture2d",
            "--format",
            "R8G8B8A8_UNORM",
            "--width",
            side,
            "--height",
            side,
            "--alignment",
            "4096",
        ])
    };
    let run = square("1024").exits(1).prints(&["1024 tiles of 4 KiB", "at most 16"]);
    assert_eq!(field(&run.stdout, "answer"), "refused");
    assert_eq!(field(&run.stdout, "rule"), "resource.alignment.small.tiles");
    assert!(field(&run.stdout, "field").contains("Alignment"));
    assert!(
        field(&run.stdout, "message")
            .contains("D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE (1380)")
    );
    for name in ["statement", "given", "allowed", "what to change", "sdk"] {
        assert!(!field(&run.stdout, name).is_empty(), "{name}");
    }
    let run = square("128").exits(0);
    assert_eq!(field(&run.stdout, "alignment"), "4,096 (4 KiB)");
    assert_eq!(field(&run.stdout, "size"), "65,536 (64 KiB)");
}

/// 100 texels of 4 bytes are 400 bytes at a pitch of 512; nine whole rows and one without padding.
#[test]
fn footprints_by_hand() {
    heapstone(&["layout", "texture2d", "--format", "r8g8b8a8_unorm", "--width", "100", "--height", "10"])
        .exits(0)
        .prints(&[
            "Footprints (GetCopyableFootprints): 5,008 (4.9 KiB) in all",
            "100x10        512    10        400",
        ]);
}

/// Tiles of a 128-bit block format are 256x256 texels: 256 + 64 + 16 + 4 + 1 of their own, one for the rest.
#[test]
fn tiles_by_hand() {
    let arguments = [
        "layout",
        "texture2d",
        "--format",
        "BC7_UNORM",
        "--width",
        "4096",
        "--height",
        "4096",
        "--mips",
        "full",
        "--reserved",
    ];
    heapstone(&arguments).exits(0).prints(&[
        "Tiles (GetResourceTiling): 342 of 256x256x1 texels",
        "8 packed mips of each slice share 1 tile",
        "64KB_UNDEFINED_SWIZZLE",
    ]);
    let json = heapstone(&[arguments.as_slice(), &["--json"]].concat()).exits(0).stdout;
    let answer: Value = serde_json::from_str(&json).unwrap();
    let tiling = &answer["layout"]["tiling"];
    assert_eq!(tiling["total_tiles"], 342);
    assert_eq!(tiling["standard_mips"], 5);
    assert_eq!(tiling["subresources"].as_array().unwrap().len(), 13);
    assert_eq!(tiling["subresources"][1]["start_tile_index"], 256);
    assert_eq!(tiling["subresources"][12]["packed"], true);
}

#[test]
fn json_and_text_agree() {
    let arguments = ["layout", "texture2d", "--format", "R8G8B8A8_UNORM", "--width", "100", "--height", "10"];
    let text = heapstone(&arguments).exits(0).stdout;
    let json = heapstone(&[arguments.as_slice(), &["--json"]].concat()).exits(0).stdout;
    let answer: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(answer["profile"], "discrete-8g");
    assert_eq!(answer["layout"]["size"], 65_536);
    assert_eq!(field(&text, "size"), "65,536 (64 KiB)");
    assert_eq!(answer["layout"]["footprints"]["total"], 5008);
    assert_eq!(answer["layout"]["footprints"]["subresources"][0]["row_pitch"], 512);

    let json = heapstone(&["layout", "buffer", "--width", "0", "--json"]).exits(1).stdout;
    let answer: Value = serde_json::from_str(&json).unwrap();
    for key in ["rule", "field", "given", "allowed", "remedy", "statement"] {
        assert!(answer["refused"][key].is_string(), "{key}: {json}");
    }
}

/// The tight flag: refused where the profile has no tight alignment, 256 bytes or less elsewhere.
#[test]
fn all_profiles_side_by_side() {
    let run = heapstone(&["layout", "buffer", "--width", "25600", "--tight", "--all-profiles"]).exits(1);
    assert!(run.line("discrete-8g ").contains("25,600"), "{}", run.stdout);
    assert!(run.line("discrete-tier1-2g").contains("tight"), "{}", run.stdout);
    assert!(run.line("discrete-tier1-2g").contains("allowed"), "{}", run.stdout);
    let run = heapstone(&["layout", "buffer", "--width", "25600", "--all-profiles", "--json"]).exits(0);
    let answers: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 9);
}

#[test]
fn what_cannot_be_meant_is_an_error() {
    heapstone(&["layout", "texture2d", "--width", "16"]).fails_with(&["format", "--format"]);
    heapstone(&["layout", "texture2d", "--format", "R8G8B8A8_NORM", "--width", "16"])
        .fails_with(&["R8G8B8A8_UNORM"]);
    heapstone(&["layout", "texture3d", "--format", "R8_UNORM", "--width", "16", "--array", "2"])
        .fails_with(&["--depth"]);
    heapstone(&["layout", "texture2d", "--format", "R8_UNORM", "--width", "16", "--depth", "2"])
        .fails_with(&["--array"]);
    heapstone(&["layout", "buffer", "--width", "16", "--flags", "SHINY"])
        .fails_with(&["ALLOW_RENDER_TARGET"]);
    heapstone(&["layout", "buffer", "--width", "16", "--layout", "SWIZZLED"]).fails_with(&["ROW_MAJOR"]);
    heapstone(&["layout", "buffer", "--width", "16", "--alignment", "64KB"]).fails_with(&["64KiB"]);
}

/// Whatever the numbers, an answer.
#[test]
fn extreme_descriptions_are_answered() {
    let max = "18446744073709551615";
    for dimension in ["texture1d", "texture2d", "texture3d", "buffer"] {
        for (mips, samples) in [("65535", "1"), ("full", "4294967295"), ("1", "1")] {
            let run = heapstone(&[
                "layout",
                dimension,
                "--format",
                "R32G32B32A32_FLOAT",
                "--width",
                max,
                "--height",
                "4294967295",
                "--mips",
                mips,
                "--samples",
                samples,
                "--alignment",
                max,
            ]);
            assert!(run.exits(1).stdout.contains("what to change"), "{dimension}");
        }
    }
}

/// GetResourceAllocationInfo has no HRESULT: it answers UINT64_MAX (facts/layout.md).
#[test]
fn a_refused_query_says_what_the_call_answers() {
    let run = heapstone(&["layout", "buffer", "--width", "0"]).exits(1);
    assert_eq!(
        field(&run.stdout, "returned"),
        "size UINT64_MAX (18,446,744,073,709,551,615), alignment 65,536 (64 KiB)"
    );
    let json = heapstone(&["layout", "buffer", "--width", "0", "--json"]).exits(1).stdout;
    let answer: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&answer["returned"]["size"], &answer["returned"]["alignment"]),
        (&u64::MAX.into(), &65_536.into())
    );
    // A creation answers E_INVALIDARG instead.
    let run = heapstone(&["layout", "buffer", "--width", "0", "--purpose", "placed"]).exits(1);
    assert!(!run.stdout.contains("returned"), "{}", run.stdout);
}

/// A floor of 1 is below what any driver aligns a buffer to (spec/1-tight-placed-resource-alignment.txt 140).
#[test]
fn a_floor_that_was_clamped_up_has_its_message() {
    let floor = |alignment: &str| {
        heapstone(&["layout", "buffer", "--width", "25600", "--tight", "--alignment", alignment]).exits(0)
    };
    assert!(
        field(&floor("1").stdout, "message").contains("D3D12_MESSAGE_ID_CREATERESOURCE_ALIGNMENT_OVERRIDDEN")
    );
    assert!(!floor("256").stdout.contains("OVERRIDDEN"));
}

#[test]
fn short_names_of_formats_are_spelled_out() {
    heapstone(&["layout", "texture2d", "--format", "RGBA8", "--width", "16"])
        .fails_with(&["did you mean R8G8B8A8_TYPELESS, R8G8B8A8_UNORM"]);
}
