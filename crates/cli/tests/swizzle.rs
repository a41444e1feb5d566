//! `heapstone swizzle`: small textures whose swizzled bytes are told by hand.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, heapstone};
use serde_json::Value;
use tempfile::TempDir;

/// A folder and names in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.name(name)
    }

    /// What is in it, in order.
    fn list(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn to(&self, pattern: &str, input: &str) -> Run {
        heapstone(&["swizzle", "to", pattern, input, &self.name("out.bin")])
    }
}

/// What a DDS file says of itself.
#[derive(Clone, Copy)]
struct Dds {
    dxgi_format: u32,
    dimension: u32,
    width: u32,
    height: u32,
    depth: u32,
    mips: u32,
    array: u32,
    cube: bool,
}

const FLAT: Dds =
    Dds { dxgi_format: 28, dimension: 3, width: 8, height: 8, depth: 0, mips: 1, array: 1, cube: false };

impl Dds {
    /// DDS_HEADER and DDS_HEADER_DXT10 from Microsoft's description, then the rows.
    fn file(self, rows: &[u8]) -> Vec<u8> {
        let mut words = [0_u32; 37];
        let volume = if self.depth > 0 { 0x80_0000 } else { 0 };
        words[0] = u32::from_le_bytes(*b"DDS ");
        words[1] = 124;
        words[2] = 0x2_1007 | volume;
        words[3] = self.height;
        words[4] = self.width;
        words[6] = self.depth;
        words[7] = self.mips;
        words[19] = 32;
        words[20] = 0x4;
        words[21] = u32::from_le_bytes(*b"DX10");
        words[27] = 0x1000;
        words[32] = self.dxgi_format;
        words[33] = self.dimension;
        words[34] = if self.cube { 4 } else { 0 };
        words[35] = self.array;
        let mut file: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        file.extend_from_slice(rows);
        file
    }
}

/// Texels of four bytes: x, y, mip, slice.
fn texels(width: u8, height: u8, mip: u8, slice: u8) -> Vec<u8> {
    (0..height).flat_map(|y| (0..width).flat_map(move |x| [x, y, mip, slice])).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// facts/layout.md: each 64-byte line is 16 bytes x 4 rows. In a 4 KiB tile of 32 bits Y2 is address bit 6 and
/// X4, the fourth texel, bit 7: four texels of each of eight rows, then the other four.
#[test]
fn eight_by_eight_in_a_standard_tile() {
    let folder = Folder::new();
    let input = folder.write("in.dds", &FLAT.file(&texels(8, 8, 0, 0)));
    folder.to("standard-4kb", &input).exits(0).prints(&["standard_4KB_2D_32bpp", "4 KiB", "3,840"]);

    let mut want = Vec::new();
    for half in [0, 4] {
        for y in 0..8 {
            for x in half..half + 4 {
                want.extend_from_slice(&[x, y, 0, 0]);
            }
        }
    }
    want.resize(4096, 0);
    assert_eq!(fs::read(folder.path("out.bin")).unwrap(), want);
    let layout = json(&folder.path("out.bin.json"));
    assert_eq!(layout["heapstone_swizzle"], 1);
    assert_eq!(layout["texture"]["format"], "R8G8B8A8_UNORM");
    assert_eq!(layout["pattern"], "standard_4KB_2D_32bpp");
    assert_eq!(layout["size"], 4096);
    assert_eq!(folder.list(), ["in.dds", "out.bin", "out.bin.json"]);

    let back = folder.name("back.dds");
    heapstone(&["swizzle", "from", &folder.name("out.bin"), &back]).exits(0);
    assert_eq!(fs::read(&back).unwrap()[148..], texels(8, 8, 0, 0));
}

/// BC1 counts blocks of 8 bytes: in 4 KiB of 64 bits A3 is X3, the next block; A4 and A5 are Y0 and Y1, A6 is X4.
#[test]
fn blocks_of_bc1() {
    let folder = Folder::new();
    let blocks: Vec<u8> = (0..16).flat_map(|block| [block; 8]).collect();
    // BC1_UNORM is 71; 13 texels are 4 blocks.
    let input = folder.write("in.dds", &Dds { dxgi_format: 71, width: 16, height: 13, ..FLAT }.file(&blocks));
    folder.to("STANDARD_4KB", &input).exits(0).prints(&["standard_4KB_2D_64bpp"]);
    let order = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];
    let mut want: Vec<u8> = order.into_iter().flat_map(|block| [block; 8]).collect();
    want.resize(4096, 0);
    assert_eq!(fs::read(folder.path("out.bin")).unwrap(), want);
}

/// The Tegra X1 manual's formula of a group of 64 bytes x 8 rows; groups one above the other, then side by side.
#[test]
fn block_linear_by_formula() {
    let folder = Folder::new();
    let input = folder.write("in.dds", &Dds { width: 40, height: 20, ..FLAT }.file(&texels(40, 20, 0, 0)));
    folder.to("nvidia-blocklinear-h2", &input).exits(0);
    let swizzled = fs::read(folder.path("out.bin")).unwrap();
    // 160 bytes are three groups across; 20 rows are two blocks of 16.
    assert_eq!(swizzled.len(), 3 * 2 * 1024);
    for y in 0..20_usize {
        for x in 0..40_usize {
            let byte = 4 * x;
            let group = byte % 64 / 32 * 256 + y % 8 / 2 * 64 + byte % 32 / 16 * 32 + y % 2 * 16 + byte % 16;
            let at = (y / 16 * 3 + byte / 64) * 1024 + y % 16 / 8 * 512 + group;
            assert_eq!(usize::from(swizzled[at]), x, "{x} {y}");
            assert_eq!(usize::from(swizzled[at + 1]), y, "{x} {y}");
        }
    }
}

/// Two cubes of three mips: 4 KiB for each of 36 subresources, in D3D12's order; and through KTX2, whose order
/// is mip after mip.
#[test]
fn cubes_with_mips_by_way_of_both_kinds_of_file() {
    let folder = Folder::new();
    let mut rows = Vec::new();
    for face in 0..12 {
        for (mip, side) in [(0, 4), (1, 2), (2, 1)] {
            rows.extend(texels(side, side, mip, face));
        }
    }
    let file = Dds { width: 4, height: 4, mips: 3, array: 2, cube: true, ..FLAT }.file(&rows);
    let input = folder.write("in.dds", &file);
    folder.to("standard-4kb", &input).exits(0).prints(&["12 slices (cube)", "36"]);
    let swizzled = fs::read(folder.path("out.bin")).unwrap();
    assert_eq!(swizzled.len(), 36 * 4096);
    for (index, block) in swizzled.chunks(4096).enumerate() {
        let (mip, face) = (index % 3, index / 3);
        assert_eq!(block[..4], [0, 0, u8::try_from(mip).unwrap(), u8::try_from(face).unwrap()]);
    }

    let ktx = folder.name("between.ktx2");
    heapstone(&["swizzle", "from", &folder.name("out.bin"), &ktx]).exits(0);
    // The smallest mip of all faces comes first, the largest last.
    let bytes = fs::read(&ktx).unwrap();
    let last: Vec<u8> = (0..12).flat_map(|face| texels(4, 4, 0, face)).collect();
    assert!(bytes.ends_with(&last));
    folder.to("nvidia_turing_color2d_blocklinear_h1", &ktx).exits(0).prints(&["KTX2"]);
    let back = folder.name("back.dds");
    heapstone(&["swizzle", "from", &folder.name("out.bin"), &back]).exits(0);
    assert_eq!(fs::read(&back).unwrap()[148..], rows);
}

/// 3x2x5 of 8 bits in Intel's stacked tiles of 128 bytes x 32 rows: a slice every 32 rows, a tile each.
#[test]
fn stacked_slices() {
    let folder = Folder::new();
    let rows: Vec<u8> = (1..=30).collect();
    let file = Dds { dxgi_format: 61, dimension: 4, width: 3, height: 2, depth: 5, ..FLAT }.file(&rows);
    let input = folder.write("in.dds", &file);
    folder.to("intel_tile4_3D_stacked_slices_qpitch96", &input).exits(0);
    let swizzled = fs::read(folder.path("out.bin")).unwrap();
    assert_eq!(swizzled.len(), 5 * 4096);
    for (slice, tile) in rows.chunks(6).zip(swizzled.chunks(4096)) {
        // A4 is Y0.
        assert_eq!(tile[..3], slice[..3]);
        assert_eq!(tile[16..19], slice[3..]);
    }
    let layout = json(&folder.path("out.bin.json"));
    assert_eq!(layout["subresources"][0]["stacked_rows"], 32);
}

/// A pattern of one's own: columns of two bytes, which no name has.
#[test]
fn a_pattern_file() {
    let folder = Folder::new();
    let pattern = folder.write("mine.json", br#"{"interleave": "Y0 Y1 X0", "postamble_immediate": 4}"#);
    let input =
        folder.write("in.dds", &Dds { dxgi_format: 61, width: 2, height: 4, ..FLAT }.file(b"abcdefgh"));
    // Bytes need no run: columns of them.
    folder.to(&pattern, &input).exits(0);
    assert_eq!(fs::read(folder.path("out.bin")).unwrap(), b"bdfhaceg");
    let pattern = folder.write("mine.json", br#"{"interleave": "X0 Y0 Y1 X1", "postamble_immediate": 8}"#);
    let input = folder
        .write("in.dds", &Dds { dxgi_format: 56, width: 2, height: 4, ..FLAT }.file(b"aabbccddeeffgghh"));
    folder.to(&pattern, &input).exits(0).prints(&["4 bytes x 4 rows"]);
    assert_eq!(fs::read(folder.path("out.bin")).unwrap(), b"bbddffhhaacceegg");
    fs::remove_file(&pattern).unwrap();
    let back = folder.name("back.dds");
    heapstone(&["swizzle", "from", &folder.name("out.bin"), &back]).exits(0);
    assert_eq!(fs::read(&back).unwrap()[148..], *b"aabbccddeeffgghh");
}

#[test]
fn what_cannot_be_converted_is_told_and_nothing_is_written() {
    let folder = Folder::new();
    let good = FLAT.file(&texels(8, 8, 0, 0));
    let cases: [(&str, Vec<u8>, &[&str]); 8] = [
        ("standard-4kb", Vec::new(), &["begins with nothing", "DDS"]),
        ("standard-4kb", good[..200].to_vec(), &["holds 52 bytes of rows", "takes 256"]),
        ("standard-4kb", Dds { width: 0, ..FLAT }.file(&[]), &["width is 0", "1 to 16384"]),
        (
            "standard-4kb",
            Dds { width: 16_384, height: 16_384, mips: 15, ..FLAT }.file(&[]),
            &["takes 1431655764"],
        ),
        ("standard-4kb", Dds { dxgi_format: 103, ..FLAT }.file(&[0; 999]), &["NV12"]),
        ("standard-4kb", Dds { dxgi_format: 300, ..FLAT }.file(&[0; 999]), &["dxgiFormat is 300"]),
        ("amd_gfx10_navi21_SW_64KB_R_X_2d_8bpp", good.clone(), &["8 bits", "have 32", "standard_64KB_2D"]),
        ("standard_64KB_3D", good.clone(), &["16 slices deep", "for 2D"]),
    ];
    for (pattern, file, says) in cases {
        let input = folder.write("in.dds", &file);
        folder.to(pattern, &input).fails_with(says);
        assert_eq!(folder.list(), ["in.dds"]);
    }
    let input = folder.write("in.dds", &good);
    heapstone(&["swizzle", "to", "standard-4kb", &input, &input]).fails_with(&["would overwrite"]);
    let inputs_folder = folder.name("");
    heapstone(&["swizzle", "to", "standard-4kb", &input, &inputs_folder]).fails_with(&["no file"]);
    let nowhere = folder.name("none/out.bin");
    heapstone(&["swizzle", "to", "standard-4kb", &input, &nowhere])
        .fails_with(&["cannot write", "none/out.bin"]);
    heapstone(&["swizzle", "to", "standard-4kb", &folder.name("none.dds"), &nowhere])
        .fails_with(&["cannot read", "none.dds"]);
    assert_eq!(fs::read(&input).unwrap(), good);
    assert_eq!(folder.list(), ["in.dds"]);
}

#[test]
fn a_wrong_description_is_told_and_an_output_stays_as_it_was() {
    let folder = Folder::new();
    let input = folder.write("in.dds", &FLAT.file(&texels(8, 8, 0, 0)));
    folder.to("standard-4kb", &input).exits(0);
    let swizzled = folder.name("out.bin");
    let back = folder.write("back.dds", b"older");
    let from = || heapstone(&["swizzle", "from", &swizzled, &back]);
    heapstone(&["swizzle", "from", &swizzled, &folder.name("back.bin")]).fails_with(&[".dds or .ktx2"]);

    let good = fs::read_to_string(folder.path("out.bin.json")).unwrap();
    for (text, replacement, says) in [
        ("\"size\": 4096", "\"size\": 4095", "4095, and the swizzled file has 4096"),
        ("R8G8B8A8_UNORM", "R9G9B9A9_UNORM", "DXGI_FORMAT"),
        ("\"width\": 8", "\"width\": 80", "at least 12288"),
        ("standard_4KB_2D_32bpp", "standard_4KB_2D_16bpp", "elements of 16 bits"),
        ("{", "[", "out.bin.json: "),
    ] {
        assert!(good.contains(text), "{text}");
        folder.write("out.bin.json", good.replacen(text, replacement, 1).as_bytes());
        from().fails_with(&[says]);
    }
    folder.write("out.bin.json", good.as_bytes());
    folder.write("out.bin", &[0; 4095]);
    from().fails_with(&["4096, and the swizzled file has 4095"]);
    fs::remove_file(folder.path("out.bin.json")).unwrap();
    from().fails_with(&["cannot read", "out.bin.json"]);
    assert_eq!(fs::read(&back).unwrap(), b"older");

    // R8G8B8A8_TYPELESS: Vulkan has none.
    let input = folder.write("in.dds", &Dds { dxgi_format: 27, ..FLAT }.file(&texels(8, 8, 0, 0)));
    folder.to("standard-4kb", &input).exits(0);
    let ktx = folder.name("back.ktx2");
    heapstone(&["swizzle", "from", &swizzled, &ktx]).fails_with(&["R8G8B8A8_TYPELESS", "DDS"]);
    assert_eq!(folder.list(), ["back.dds", "in.dds", "out.bin", "out.bin.json"]);
}

/// docs/swizzle.md: its pattern file is one, its description what is written, and it names every field.
#[test]
fn the_documentation_is_true() {
    let text = include_str!("../../../docs/swizzle.md");
    let blocks: Vec<&str> =
        text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let [pattern, description] = blocks.as_slice() else { panic!("two blocks of JSON") };
    let folder = Folder::new();
    let pattern = folder.write("mine.json", pattern.as_bytes());
    heapstone(&["swizzle", "draw", &pattern]).exits(0).prints(&["1 KiB: 64 bytes x 16 rows", "Y1 ^ X4 ^ 1"]);

    let mut rows = texels(40, 8, 0, 0);
    rows.extend(texels(20, 4, 1, 0));
    let input = folder.write("in.dds", &Dds { width: 40, mips: 2, ..FLAT }.file(&rows));
    folder.to("standard-4kb", &input).exits(0);
    let written = json(&folder.path("out.bin.json"));
    assert_eq!(written, serde_json::from_str::<Value>(description).unwrap());
    let fields = written.as_object().unwrap().iter().flat_map(|(name, value)| {
        let inner = value.as_array().map_or(Some(value), |values| values.first());
        let inner = inner.and_then(Value::as_object).into_iter().flat_map(|fields| fields.keys().cloned());
        inner.chain([name.clone()])
    });
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    for field in fields.filter(|field| !["texture", "subresources"].contains(&field.as_str())) {
        let named = |row: &&&str| {
            let names = row.split('|').nth(1).unwrap();
            names.contains(&format!("`{field}`")) || names.contains(&format!(".{field}`"))
        };
        assert!(rows.iter().any(|row| named(&row)), "{field}");
    }
}

/// facts/gpu-swizzle-patterns.json: AMD's pattern of 32 bits in blocks of 512 bytes x 128 rows.
#[test]
fn the_list_has_every_vendor() {
    let run = heapstone(&["swizzle", "patterns"]).exits(0);
    for vendor in ["D3D12", "NVIDIA", "AMD", "Intel"] {
        assert!(run.stdout.contains(vendor), "{vendor}");
    }
    let line = run.line("amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp ");
    assert!(line.contains("64 KiB: 512 bytes x 128 rows"), "{line}");
    assert!(line.contains("facts/gpu-swizzle-patterns.json"), "{line}");
    assert!(run.line("nvidia_blocklinear_h16 ").contains("any"));

    let run = heapstone(&["swizzle", "patterns", "gfx11-navi31", "--json"]).exits(0);
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert_eq!(all[0]["vendor"], "AMD");
    assert_eq!(all[0]["element_bits"], 32);
    assert_eq!(all[0]["block"]["x_bytes"], 512);
    assert_eq!(all[0]["run_bytes"], 8);
    assert_eq!(all[0]["pattern"]["interleave_xor"][0], "- - - - - - - - X9 Y7 X8 Y6 X7");
    let run = heapstone(&["swizzle", "patterns", "--bits", "8"]).exits(0);
    assert!(run.stdout.contains("intel_tileW_stencil") && !run.stdout.contains("_32bpp"));
    heapstone(&["swizzle", "patterns", "powervr"]).fails_with(&["powervr", "lists them all"]);
    assert_eq!(heapstone(&["swizzle", "patterns", "--bits", "24"]).code, 2);
}

/// Address bits of facts/standard-swizzle.json; address 0x80 is the fifth texel of row 0.
#[test]
fn a_pattern_is_drawn_as_text() {
    let run = heapstone(&["swizzle", "draw", "standard-4kb"]).exits(0);
    run.prints(&[
        "standard_4KB_2D_32bpp",
        "4 KiB: 128 bytes x 32 rows; 32x32 elements",
        "A6   Y2\nA7   X4\n",
        "  0  000 004 008 00c 080 084 088 08c 200",
        "  1  010 014 018 01c 090",
        " 31  570 574",
        "16x32 of 32x32 elements; --png",
    ]);
    // A block of Fermi begins with its second sector: address 0x20.
    heapstone(&["swizzle", "draw", "nvidia_fermi_color_blocklinear_h1", "--bits", "128"])
        .exits(0)
        .prints(&["A5   Y1 ^ X4 ^ 1\n", " 0  020 040 120 140\n"]);
    heapstone(&["swizzle", "draw", "intel_tileW_stencil", "--bits", "16"])
        .fails_with(&["elements of 8 bits"]);
    heapstone(&["swizzle", "draw", "standard_64KB_3D", "--bits", "64"]).exits(0).prints(&["slice 3\n"]);
    heapstone(&["swizzle", "draw", "standard_8KB"]).fails_with(&["alike: ", "standard_64KB_2D"]);
}

/// 32x32 elements of 4x4 pixels: dark where address 0 is, light at the last.
#[test]
fn a_pattern_is_drawn_as_a_picture() {
    let folder = Folder::new();
    let file = folder.name("pattern.png");
    let draw = |pattern: &str, scale: &str| {
        heapstone(&["swizzle", "draw", pattern, "--png", &file, "--scale", scale])
    };
    draw("standard_4KB_2D_32bpp", "4").exits(0).prints(&["128 x 128 pixels"]);
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(fs::File::open(&file).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (128, 128, png::ColorType::Rgb));
    let pixel = |x: usize, y: usize| &pixels[3 * (128 * y + x)..][..3];
    let light = |x: usize, y: usize| pixel(x, y).iter().map(|value| u32::from(*value)).sum::<u32>();
    assert_eq!(pixel(0, 0), pixel(3, 3));
    // Address 0xffc is the last texel of the last row; 0x800 begins the right half, 0x400 the lower.
    assert!(light(0, 0) < light(0, 64) && light(0, 64) < light(64, 0) && light(64, 0) < light(127, 127));
    draw("standard_64KB_1D_8bpp", "64").fails_with(&["65536 elements", "smaller --scale"]);
    assert_eq!(folder.list(), ["pattern.png"]);
    // Without a scale: 16 slices of 32x32, four by four.
    heapstone(&["swizzle", "draw", "standard_64KB_3D_32bpp", "--png", &file])
        .exits(0)
        .prints(&["515 x 515 pixels"]);
}
