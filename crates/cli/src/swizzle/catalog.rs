//! Patterns by name: those of the layout crate, NVIDIA's of every block height, families of one pattern for
//! each element size, and files of one's own.

use std::path::Path;

use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{GroupOfBytes, PatternBlock, SwizzlePattern, block_linear, named_patterns};

use super::bits::PatternBits;
use super::json;
use super::texture::{Dimension, Element, Rows};
use crate::failure::Failure;

/// Groups of bytes one above the other that a block of NVIDIA's may have, as exponents.
const HEIGHTS_LOG2: std::ops::RangeInclusive<u8> = 0..=5;
/// Groups of bytes one behind the other, as exponents, where there is more than one.
const DEPTHS_LOG2: std::ops::RangeInclusive<u8> = 1..=5;
/// Names that a message lists.
const SHOWN_MAX: usize = 12;
/// The largest block, in bytes: four times the largest of any GPU here (chosen, so that a pattern of one's
/// own cannot make a small texture huge).
const BLOCK_MAX: u64 = 1 << 20;
/// Sizes of elements.
pub(crate) const ELEMENT_BITS: [u8; 5] = [8, 16, 32, 64, 128];

/// A pattern with a name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Bits of an element that it is for; `None`: any that its runs hold.
    pub(crate) element_bits: Option<u8>,
    pub(crate) pattern: SwizzlePattern,
}

/// The beginnings of names, whose they are, and where they come from: the first that fits counts.
const ORIGINS: [(&str, &str, &str); 8] = [
    ("standard_64KB_1D", "D3D12", "facts/standard-swizzle.json (the shape; rows are not swizzled)"),
    ("standard_4KB_3D", "D3D12", "facts/standard-swizzle.json (Intel's)"),
    ("standard", "D3D12", "facts/standard-swizzle.json"),
    ("d3d12_4KB_3D", "D3D12", "chosen: standard_4KB_3D in the shapes of D3D12's 4 KiB tiles"),
    ("3D_64KB_intel", "Intel", "facts/standard-swizzle.json, variants"),
    ("3D_64KB_amd", "AMD", "facts/standard-swizzle.json, variants"),
    ("intel", "Intel", "facts/gpu-swizzle-patterns.json (Mesa's isl)"),
    ("amd", "AMD", "facts/gpu-swizzle-patterns.json (AMD's address library)"),
];
const NVIDIA: (&str, &str) =
    ("NVIDIA", "facts/gpu-swizzle-patterns.json (Tegra X1 manual, Mesa's NIL), by block height");

impl Entry {
    /// Whose it is, and where it comes from.
    pub(crate) fn origin(&self) -> (&'static str, &'static str) {
        ORIGINS
            .iter()
            .find(|(begin, ..)| self.name.starts_with(begin))
            .map_or(NVIDIA, |(_, vendor, source)| (vendor, source))
    }

    /// The name that it shares with those for other elements.
    fn family(&self) -> &str {
        self.element_bits
            .and_then(|bits| self.name.strip_suffix(&format!("_{bits}bpp")))
            .unwrap_or(&self.name)
    }

    /// What stands for it in a list of a few names: its family; of NVIDIA's the name with N for numbers of groups.
    fn kind(&self) -> String {
        let Some((begin, _)) = self.name.split_once("_h").filter(|_| self.origin() == NVIDIA) else {
            return self.family().to_owned();
        };
        if self.name.contains("_3d_") { format!("{begin}_hN_dN") } else { format!("{begin}_hN") }
    }

    /// Whether it is of another dimension by its name only: D3D12's shape of 1D swizzles nothing.
    fn is_by_name_of(&self, dimension: Dimension) -> bool {
        !self.name.contains("_1D_") || dimension == Dimension::Texture1D
    }
}

/// All that have names.
pub(crate) fn entries() -> Vec<Entry> {
    let of_layout = named_patterns().into_iter().map(|named| Entry {
        name: named.name,
        element_bits: named.element_bits,
        pattern: named.pattern,
    });
    let mut all = block_linear_entries();
    // The layout crate names some of NVIDIA's heights; here each has all, and no element size of its own.
    let rest: Vec<Entry> =
        of_layout.filter(|entry| all.iter().all(|other| other.name != entry.name)).collect();
    all.extend(rest);
    all.sort_by_key(|entry| {
        let (vendor, _) = entry.origin();
        ["D3D12", "NVIDIA", "AMD", "Intel"].iter().position(|other| *other == vendor)
    });
    all
}

/// NVIDIA's block-linear layouts by the groups of 64 bytes x 8 rows that a block has.
fn block_linear_entries() -> Vec<Entry> {
    let entry = |name: String, pattern| Entry { name, element_bits: None, pattern };
    let mut all = Vec::new();
    for (begin, group) in [
        ("nvidia_blocklinear", GroupOfBytes::Tegra),
        ("nvidia_turing_color2d_blocklinear", GroupOfBytes::Turing),
        ("nvidia_fermi_color_blocklinear", GroupOfBytes::Fermi),
    ] {
        for height in HEIGHTS_LOG2 {
            all.push(entry(format!("{begin}_h{}", 1 << height), block_linear(group, height, 0)));
        }
    }
    for height in HEIGHTS_LOG2 {
        for depth in DEPTHS_LOG2 {
            let name = format!("nvidia_blocklinear_3d_h{}_d{}", 1 << height, 1 << depth);
            all.push(entry(name, block_linear(GroupOfBytes::Tegra, height, depth)));
        }
    }
    all
}

/// A pattern that was asked for, ready to copy with.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Its name in full, or the file that it is from.
    pub(crate) name: String,
    /// Bits of an element that it is for, where it is for one.
    pub(crate) element_bits: Option<u8>,
    /// What spells it, where no name does.
    pub(crate) bits: Option<PatternBits>,
    pub(crate) compiled: CompiledPattern,
}

impl Chosen {
    /// A pattern that is spelled out; `name` is what to call it.
    ///
    /// # Errors
    /// It is none, or its blocks are too large.
    pub(crate) fn spelled(name: &str, bits: PatternBits) -> Result<Chosen, String> {
        let pattern = bits.pattern()?;
        let chosen = Chosen {
            name: name.to_owned(),
            element_bits: None,
            compiled: compile(&pattern)?,
            bits: Some(bits),
        };
        if chosen.block().bytes() > BLOCK_MAX {
            return Err(format!(
                "a block has 2^{} bytes; allowed: at most 2^{}",
                chosen.block().bytes_log2,
                BLOCK_MAX.trailing_zeros()
            ));
        }
        Ok(chosen)
    }

    fn named(entry: &Entry) -> Result<Chosen, String> {
        Ok(Chosen {
            name: entry.name.clone(),
            element_bits: entry.element_bits,
            bits: None,
            compiled: compile(&entry.pattern)?,
        })
    }

    /// The name of the pattern that hardware uses for a mip of so many rows, where it is another: blocks of NVIDIA's
    /// are halved while half of one holds the mip, in height and in depth.
    pub(crate) fn name_for_mip(&self, rows: Rows) -> Option<String> {
        let (begin, groups) = BlockGroups::of(&self.name).filter(|_| self.bits.is_none())?;
        let group_height = (1_u32 << self.block().y_log2) / groups.height;
        let fitting = BlockGroups {
            height: halved_to(groups.height, rows.height.div_ceil(group_height)),
            depth: halved_to(groups.depth, rows.depth),
        };
        (fitting != groups).then(|| fitting.name(begin))
    }

    /// The pattern of a name that [`Chosen::name_for_mip`] answered.
    pub(crate) fn for_mip(name: &str) -> Chosen {
        let entry = entries().into_iter().find(|entry| entry.name == name);
        let entry = entry.expect("invariant: every height and depth below those of a name has a name");
        Chosen::named(&entry).expect("invariant: a named pattern is one")
    }

    pub(crate) fn block(&self) -> PatternBlock {
        self.compiled.block()
    }

    pub(crate) fn pattern(&self) -> &SwizzlePattern {
        self.compiled.pattern()
    }
}

fn compile(pattern: &SwizzlePattern) -> Result<CompiledPattern, String> {
    CompiledPattern::new(pattern).map_err(|error| error.to_string())
}

/// How many groups of bytes a block of NVIDIA's has one above the other, and one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockGroups {
    height: u32,
    depth: u32,
}

/// The end of the beginning of names with a depth.
const DEEP: &str = "_3d";

impl BlockGroups {
    /// What a name of [`block_linear_entries`] says, and how it begins.
    fn of(name: &str) -> Option<(&str, BlockGroups)> {
        let (begin, numbers) = name.rsplit_once("_h").filter(|_| name.starts_with("nvidia"))?;
        let groups = match numbers.split_once("_d") {
            Some((height, depth)) => BlockGroups { height: height.parse().ok()?, depth: depth.parse().ok()? },
            None => BlockGroups { height: numbers.parse().ok()?, depth: 1 },
        };
        Some((begin, groups))
    }

    fn name(self, begin: &str) -> String {
        let BlockGroups { height, depth } = self;
        match begin.strip_suffix(DEEP) {
            Some(begin) if depth == 1 => format!("{begin}_h{height}"),
            Some(_) => format!("{begin}_h{height}_d{depth}"),
            None => format!("{begin}_h{height}"),
        }
    }
}

/// A power of two, halved while the half is enough for `wanted`.
fn halved_to(groups: u32, wanted: u32) -> u32 {
    let mut groups = groups;
    while groups > 1 && wanted <= groups / 2 {
        groups /= 2;
    }
    groups
}

/// What a pattern is wanted for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) dimension: Dimension,
    pub(crate) element: Element,
}

impl Use {
    /// Why a pattern for elements of `element_bits` does not serve; `None` where it does.
    pub(crate) fn objection(&self, element_bits: Option<u8>, pattern: &SwizzlePattern) -> Option<String> {
        let block = pattern.block().ok()?;
        let bits = self.element.bits();
        let dimension = self.dimension.name();
        if block.samples_log2 > 0 {
            return Some(format!(
                "it swizzles {} samples; a file has one for each texel",
                1_u32 << block.samples_log2
            ));
        }
        if block.z_log2 > 0 && self.dimension != Dimension::Texture3D {
            return Some(format!(
                "its blocks are {} slices deep; the texture is {dimension}",
                1 << block.z_log2
            ));
        }
        if let Some(own) = element_bits.filter(|own| *own != bits) {
            return Some(format!("it is for elements of {own} bits; those of the texture have {bits}"));
        }
        // An element lies whole where no address bit below its size is anything but a bit of X.
        let run_log2 = pattern.run_log2();
        (run_log2 < self.element.bytes_log2).then(|| {
            format!(
                "it keeps {} bytes side by side, and would tear elements of {bits} bits",
                1_u32 << run_log2
            )
        })
    }

    fn fits(&self, entry: &Entry) -> bool {
        self.objection(entry.element_bits, &entry.pattern).is_none()
    }

    /// The families that serve, for messages.
    fn alternatives(&self, all: &[Entry]) -> String {
        kinds(all.iter().filter(|entry| self.fits(entry) && entry.is_by_name_of(self.dimension)))
    }
}

/// The first names, and how many more there are.
fn names<'a>(entries: impl Iterator<Item = &'a Entry>) -> String {
    shortened(&entries.map(|entry| entry.name.clone()).collect::<Vec<_>>())
}

/// The kinds of some patterns: the first, and how many more there are.
fn kinds<'a>(entries: impl Iterator<Item = &'a Entry>) -> String {
    let mut names: Vec<String> = Vec::new();
    for entry in entries {
        let kind = entry.kind();
        if !names.contains(&kind) {
            names.push(kind);
        }
    }
    shortened(&names)
}

fn shortened(names: &[String]) -> String {
    let mut text = names.iter().take(SHOWN_MAX).cloned().collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(SHOWN_MAX).filter(|more| *more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Names in any case, with dashes for underscores.
fn normal(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace('-', "_")
}

/// A word that ends in `.json` is a file.
fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// The pattern of that name for a texture.
///
/// # Errors
/// No such name, or a pattern that does not serve; with those that do.
pub(crate) fn resolve(name: &str, for_use: Use) -> Result<Chosen, Failure> {
    let all = entries();
    let remedy = |all: &[Entry]| {
        let dimension = for_use.dimension.name();
        format!(
            "for {dimension} and elements of {} bits: {}",
            for_use.element.bits(),
            for_use.alternatives(all)
        )
    };
    let objected = |name: &str, objection: String| {
        Failure::new(format_args!("pattern {name}: {objection}")).with_remedy(remedy(&all))
    };
    if is_file(name) {
        let chosen = read(name)?;
        return match for_use.objection(None, chosen.pattern()) {
            Some(objection) => Err(objected(name, objection)),
            None => Ok(chosen),
        };
    }

    let wanted = normal(name);
    let bits = for_use.element.bits();
    // A family has a name for each element, and some for each dimension too.
    let dimension = for_use.dimension.name();
    let spellings =
        [wanted.clone(), format!("{wanted}_{bits}bpp"), normal(&format!("{wanted}_{dimension}_{bits}bpp"))];
    let find = |spelling: &String| all.iter().find(|entry| normal(&entry.name) == *spelling);
    if let Some(entry) = spellings.iter().find_map(find) {
        return match for_use.objection(entry.element_bits, &entry.pattern) {
            Some(objection) => Err(objected(&entry.name, objection)),
            None => Chosen::named(entry).map_err(Failure::new),
        };
    }
    let mut relatives = all.iter().filter(|entry| is_of(&entry.name, &wanted)).peekable();
    if relatives.peek().is_none() {
        return Err(unknown(name, &all));
    }
    let objection = format!("it has none for {dimension} and {bits} bits, only {}", names(relatives));
    Err(objected(name, objection))
}

/// Whether a name begins with that of a family.
fn is_of(name: &str, family: &str) -> bool {
    normal(name).strip_prefix(family).is_some_and(|rest| rest.starts_with('_'))
}

/// The pattern of that name, whatever it is for. Of a family the one for elements of `bits`, else of 32, else
/// of any; for 2D before 3D before 1D.
///
/// # Errors
/// No such name, or none for elements of `bits`.
pub(crate) fn resolve_any(name: &str, bits: Option<u8>) -> Result<Chosen, Failure> {
    if is_file(name) {
        return read(name);
    }
    let all = entries();
    let wanted = normal(name);
    let find = |spelling: &str| all.iter().find(|entry| normal(&entry.name) == spelling);
    let element_bits = bits.map_or(vec![32, 8, 16, 64, 128], |bits| vec![bits]);
    let of_family = || {
        let suffixes = element_bits.iter().flat_map(|bits| {
            ["", "_2d", "_3d", "_1d"].map(|dimension| format!("{wanted}{dimension}_{bits}bpp"))
        });
        suffixes.into_iter().find_map(|spelling| find(&spelling))
    };
    let Some(entry) = find(&wanted).or_else(of_family) else { return Err(unknown(name, &all)) };
    if let Some((own, bits)) = entry.element_bits.zip(bits).filter(|(own, bits)| own != bits) {
        return Err(Failure::new(format_args!(
            "pattern {}: it is for elements of {own} bits; --bits is {bits}",
            entry.name
        ))
        .with_remedy("leave --bits out, or give the name of another pattern"));
    }
    Chosen::named(entry).map_err(Failure::new)
}

/// The pattern that a file spells out.
fn read(path: &str) -> Result<Chosen, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::new(format_args!("pattern {path}: {error}"));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let bits: PatternBits = json::from_text(&text).map_err(|error| wrong(&error))?;
    Chosen::spelled(path, bits).map_err(|error| wrong(&error))
}

fn unknown(name: &str, all: &[Entry]) -> Failure {
    let parts: Vec<String> =
        normal(name).split('_').filter(|part| part.len() > 1).map(str::to_owned).collect();
    // Those that share the most words with what was asked for.
    let shared = |entry: &Entry| parts.iter().filter(|part| normal(&entry.name).contains(*part)).count();
    let most = all.iter().map(&shared).max().unwrap_or(0);
    let failure = Failure::new(format_args!("no pattern is called {name:?}"));
    if most == 0 {
        return failure.with_remedy("`heapstone swizzle patterns` lists them all");
    }
    let near = kinds(all.iter().filter(|entry| shared(entry) == most));
    failure.with_remedy(format_args!("alike: {near}; `heapstone swizzle patterns` lists them all"))
}

#[cfg(test)]
mod tests {
    use heapstone_spec::Format;

    use super::super::texture::tests::flat;
    use super::super::texture::{Texture, TextureDesc};
    use super::*;

    fn use_of(format: Format, dimension: Dimension) -> Use {
        let height = if dimension == Dimension::Texture1D { 1 } else { 4 };
        let desc = TextureDesc { dimension, ..flat(format, 4, height, 1) };
        Use { dimension, element: Texture::new(desc).unwrap().element() }
    }

    #[test]
    fn every_pattern_is_one_and_has_one_name() {
        let all = entries();
        let mut names: Vec<String> = all.iter().map(|entry| normal(&entry.name)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len());
        for entry in &all {
            assert!(entry.pattern.block().unwrap().bytes() <= BLOCK_MAX, "{}", entry.name);
            let (vendor, _) = entry.origin();
            assert_eq!(vendor == "NVIDIA", entry.name.starts_with("nvidia"), "{}", entry.name);
            assert!(!is_file(&entry.name));
        }
    }

    /// The layout crate's patterns of some heights are those made here.
    #[test]
    fn heights_agree_with_the_named_ones() {
        let all = entries();
        for named in named_patterns() {
            let entry = all.iter().find(|entry| entry.name == named.name).unwrap();
            assert_eq!(entry.pattern, named.pattern, "{}", named.name);
        }
    }

    /// Blocks of 64 KiB from facts/layout.md: 128x128 of 32 bits, 512x256 texels of BC1, 32x32x16 in 3D.
    #[test]
    fn families_have_one_pattern_for_each_element() {
        for (name, format, dimension, want) in [
            ("standard-64kb", Format::R8G8B8A8_UNORM, Dimension::Texture2D, "standard_64KB_2D_32bpp"),
            ("standard_64KB", Format::BC1_UNORM, Dimension::Texture2D, "standard_64KB_2D_64bpp"),
            ("standard_64KB_2D", Format::BC7_UNORM, Dimension::Texture2D, "standard_64KB_2D_128bpp"),
            ("standard_64KB", Format::R32G32B32_FLOAT, Dimension::Texture2D, "standard_64KB_2D_32bpp"),
            ("standard_64KB", Format::R8_UINT, Dimension::Texture3D, "standard_64KB_3D_8bpp"),
            ("standard_64KB", Format::R8_UINT, Dimension::Texture1D, "standard_64KB_1D_8bpp"),
            ("STANDARD-4KB", Format::R16_FLOAT, Dimension::Texture2D, "standard_4KB_2D_16bpp"),
            ("d3d12-4kb", Format::R16_FLOAT, Dimension::Texture3D, "d3d12_4KB_3D_16bpp"),
            ("3D_64KB_amd_gfx11", Format::BC1_UNORM, Dimension::Texture3D, "3D_64KB_amd_gfx11_64bpp"),
            (
                "amd_gfx10_navi21_SW_64KB_R_X",
                Format::R16G16B16A16_FLOAT,
                Dimension::Texture2D,
                "amd_gfx10_navi21_SW_64KB_R_X_2d_64bpp",
            ),
            ("nvidia-blocklinear-h8", Format::R8_UNORM, Dimension::Texture2D, "nvidia_blocklinear_h8"),
            ("intel_tileX", Format::BC7_UNORM, Dimension::Texture2D, "intel_tileX"),
        ] {
            assert_eq!(resolve(name, use_of(format, dimension)).unwrap().name, want, "{name} {format}");
        }
    }

    #[test]
    fn what_does_not_serve_is_told_with_what_does() {
        for (name, format, dimension, says) in [
            (
                "amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp",
                Format::R8_UNORM,
                Dimension::Texture2D,
                "for elements of 32 bits; those of the texture have 8\n  for 2D and elements of 8 bits: \
                 standard_64KB_2D, standard_4KB_2D, nvidia_blocklinear_hN, ",
            ),
            (
                "amd_gfx11_navi31_SW_64KB_D_X_2d",
                Format::R8_UNORM,
                Dimension::Texture2D,
                "none for 2D and 8 bits, only amd_gfx11_navi31_SW_64KB_D_X_2d_32bpp",
            ),
            ("standard_64KB_3D", Format::R8_UNORM, Dimension::Texture2D, "32 slices deep"),
            ("standard_64KB_2D_MSAA_4", Format::R8_UNORM, Dimension::Texture2D, "4 samples"),
            ("intel_tileW_stencil", Format::R16_UNORM, Dimension::Texture2D, "elements of 8 bits"),
            ("standard_128KB", Format::R8_UNORM, Dimension::Texture2D, "no pattern is called"),
            ("nonsense", Format::R8_UNORM, Dimension::Texture2D, "lists them all"),
            ("missing.json", Format::R8_UNORM, Dimension::Texture2D, "missing.json"),
        ] {
            let error = resolve(name, use_of(format, dimension)).unwrap_err().to_string();
            assert!(error.contains(says), "{name}: {error}");
        }
        assert!(resolve("nvidia_blocklinear_h3", use_of(Format::R8_UNORM, Dimension::Texture2D)).is_err());
    }

    #[test]
    fn any_use() {
        for (name, bits, want) in [
            ("standard-64kb", None, "standard_64KB_2D_32bpp"),
            ("standard-64kb", Some(8), "standard_64KB_2D_8bpp"),
            ("standard_64KB_3D", Some(64), "standard_64KB_3D_64bpp"),
            ("amd_gfx10_navi21_SW_64KB_R_X_2d", Some(8), "amd_gfx10_navi21_SW_64KB_R_X_2d_8bpp"),
            ("nvidia_blocklinear_h2", Some(8), "nvidia_blocklinear_h2"),
        ] {
            assert_eq!(resolve_any(name, bits).unwrap().name, want, "{name} {bits:?}");
        }
        assert!(resolve_any("amd_gfx11_navi31_SW_64KB_D_X_2d", Some(8)).is_err());
        assert!(resolve_any("nvidia", None).is_err(), "patterns of different layouts are no family");
    }

    #[test]
    fn spelled_patterns_are_judged() {
        let bits =
            |interleave: &str| PatternBits { interleave: interleave.to_owned(), ..PatternBits::default() };
        assert_eq!(Chosen::spelled("mine", bits("X0 X1 Y0")).unwrap().block().bytes(), 8);
        let rows: Vec<String> = (0..21).map(|bit| format!("X{bit}")).collect();
        assert!(Chosen::spelled("mine", bits(&rows.join(" "))).unwrap_err().contains("2^21"));
        assert!(Chosen::spelled("mine", bits("X0 X0")).is_err());
        assert!(Chosen::spelled("mine", bits("Q0")).unwrap_err().contains("interleave"));
    }
}
