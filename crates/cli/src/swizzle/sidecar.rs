//! The description of a swizzled file, which lies beside it as JSON (docs/swizzle.md).

use std::collections::BTreeMap;

use heapstone_layout::swizzle::BlockStrides;
use serde::{Deserialize, Serialize};

use super::bits::PatternBits;
use super::catalog::{Chosen, Use, resolve};
use super::json;
use super::placement::{Placement, region, row_stride};
use super::texture::{Rows, Subresource, Texture, TextureDesc};

/// The version that is written and read.
const VERSION: u32 = 1;

/// The file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sidecar {
    /// [`VERSION`].
    heapstone_swizzle: u32,
    texture: TextureDesc,
    /// A name, or what to call `pattern_bits`.
    pattern: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pattern_bits: Option<PatternBits>,
    /// Bytes of the swizzled file.
    size: u64,
    subresources: Vec<SubresourceText>,
}

/// A subresource in the swizzled file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SubresourceText {
    mip: u32,
    slice: u32,
    offset: u64,
    size: u64,
    /// Bytes from a row of blocks to the next.
    row_stride: u64,
    /// Bytes from a layer of blocks to the next.
    slice_stride: u64,
    /// Rows from a slice to the next, where slices are stacked before rows are swizzled.
    #[serde(default, skip_serializing_if = "is_zero")]
    stacked_rows: u32,
    /// Where it is not the file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A subresource of a swizzled file, checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) subresource: Subresource,
    pub(crate) offset: u64,
    pub(crate) placement: Placement,
    /// Which of [`Swizzled::patterns`].
    pub(crate) pattern: usize,
}

/// A swizzled file that can be copied from and to.
#[derive(Clone, Debug)]
pub(crate) struct Swizzled {
    pub(crate) texture: Texture,
    /// The file's first; others where a subresource names them.
    pub(crate) patterns: Vec<Chosen>,
    /// By D3D12's order of subresources.
    pub(crate) places: Vec<Place>,
    pub(crate) size: u64,
}

impl Swizzled {
    /// Every subresource in whole blocks, one behind the other; small mips in the smaller blocks that hardware uses
    /// for them.
    ///
    /// # Errors
    /// The bytes leave 64 bits.
    pub(crate) fn new(texture: Texture, pattern: Chosen) -> Result<Swizzled, String> {
        let mut size = 0_u64;
        let mut places = Vec::new();
        let mut patterns = vec![pattern];
        for subresource in texture.subresources() {
            let rows = texture.rows(subresource.mip);
            let index = pattern_for_mip(&mut patterns, rows);
            let pattern = &patterns[index];
            let placement = Placement::new(&pattern.compiled, rows);
            let end = placement.and_then(|placement| size.checked_add(placement.size));
            let (placement, end) = placement.zip(end).ok_or_else(|| {
                format!("a {} in {} takes 2^64 bytes or more", texture.sentence(), pattern.name)
            })?;
            places.push(Place { subresource, offset: size, placement, pattern: index });
            size = end;
        }
        Ok(Swizzled { texture, patterns, places, size })
    }

    /// What lies beside the file.
    pub(crate) fn sidecar(&self) -> Sidecar {
        let pattern = self.patterns.first();
        let name = |chosen: &Chosen| chosen.name.clone();
        let subresources = self.places.iter().map(|place| SubresourceText {
            mip: place.subresource.mip,
            slice: place.subresource.slice,
            offset: place.offset,
            size: place.placement.size,
            row_stride: place.placement.strides.row,
            slice_stride: place.placement.strides.slice,
            stacked_rows: place.placement.strides.stacked_rows,
            pattern: self.patterns.get(place.pattern).filter(|_| place.pattern > 0).map(name),
        });
        Sidecar {
            heapstone_swizzle: VERSION,
            texture: self.texture.desc().clone(),
            pattern: pattern.map(name).unwrap_or_default(),
            pattern_bits: pattern.and_then(|chosen| chosen.bits.clone()),
            size: self.size,
            subresources: subresources.collect(),
        }
    }
}

/// The index among `patterns`, of which the first was asked for, of the one for a mip; it is added where it is new.
fn pattern_for_mip(patterns: &mut Vec<Chosen>, rows: Rows) -> usize {
    let Some(name) = patterns[0].name_for_mip(rows) else { return 0 };
    if let Some(index) = patterns.iter().position(|known| known.name == name) {
        return index;
    }
    patterns.push(Chosen::for_mip(&name));
    patterns.len() - 1
}

/// The patterns that subresources name, each once, under every name that it was given.
struct Names {
    for_use: Use,
    indices: BTreeMap<String, usize>,
}

impl Names {
    /// The index of the pattern of that name among `patterns`, where it is added if it is new.
    fn index(&mut self, name: &str, patterns: &mut Vec<Chosen>) -> Result<usize, String> {
        if let Some(index) = self.indices.get(name) {
            return Ok(*index);
        }
        let chosen = resolve(name, self.for_use).map_err(|failure| failure.to_string())?;
        let index = patterns.iter().position(|other| other.name == chosen.name).unwrap_or_else(|| {
            patterns.push(chosen);
            patterns.len() - 1
        });
        self.indices.insert(name.to_owned(), index);
        Ok(index)
    }
}

impl Sidecar {
    /// As a file.
    pub(crate) fn to_json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|error| error.to_string())
    }

    /// # Errors
    /// Text that is no description, with field, line and column.
    pub(crate) fn from_json(text: &str) -> Result<Sidecar, String> {
        json::from_text(text)
    }

    /// Checks every number against the texture, the pattern, and a swizzled file of `file_bytes`.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub(crate) fn check(self, file_bytes: u64) -> Result<Swizzled, String> {
        if self.heapstone_swizzle != VERSION {
            return Err(format!("heapstone_swizzle is {}; allowed: {VERSION}", self.heapstone_swizzle));
        }
        let texture = Texture::new(self.texture)?;
        if self.size != file_bytes {
            return Err(format!("size is {}, and the swizzled file has {file_bytes} bytes", self.size));
        }
        let for_use = Use { dimension: texture.desc().dimension, element: texture.element() };
        let pattern = match self.pattern_bits {
            None => resolve(&self.pattern, for_use).map_err(|failure| failure.to_string())?,
            Some(bits) => {
                let chosen =
                    Chosen::spelled(&self.pattern, bits).map_err(|error| format!("pattern_bits: {error}"))?;
                match for_use.objection(None, chosen.pattern()) {
                    Some(objection) => return Err(format!("pattern_bits: {objection}")),
                    None => chosen,
                }
            }
        };
        let mut swizzled =
            Swizzled { texture, patterns: vec![pattern], places: Vec::new(), size: file_bytes };
        let expected: Vec<Subresource> = swizzled.texture.subresources().collect();
        if self.subresources.len() != expected.len() {
            return Err(format!(
                "subresources are {}; allowed: {}, mips of slices",
                self.subresources.len(),
                expected.len()
            ));
        }
        let mut names = Names { for_use, indices: BTreeMap::new() };
        for (index, (text, expected)) in self.subresources.iter().zip(expected).enumerate() {
            let place = text
                .check(expected, &mut swizzled, &mut names)
                .map_err(|error| format!("subresources[{index}]: {error}"))?;
            swizzled.places.push(place);
        }
        disjoint(&swizzled.places)?;
        Ok(swizzled)
    }
}

impl SubresourceText {
    fn check(
        &self,
        expected: Subresource,
        swizzled: &mut Swizzled,
        names: &mut Names,
    ) -> Result<Place, String> {
        let Subresource { mip, slice } = expected;
        if (self.mip, self.slice) != (mip, slice) {
            return Err(format!(
                "mip is {} and slice {}; allowed here: mip {mip} of slice {slice}",
                self.mip, self.slice
            ));
        }
        let index = match &self.pattern {
            Some(name) => names.index(name, &mut swizzled.patterns)?,
            None => 0,
        };
        let chosen = swizzled.patterns.get(index).ok_or("no pattern")?;
        let rows = swizzled.texture.rows(mip);
        let block = chosen.block();
        for (field, stride) in [("row_stride", self.row_stride), ("slice_stride", self.slice_stride)] {
            if stride & (block.bytes() - 1) != 0 {
                return Err(format!(
                    "{field} is {stride}; allowed: multiples of a block of {} bytes",
                    block.bytes()
                ));
            }
        }
        // Less would put two rows of blocks in one place.
        let least = row_stride(block, rows).unwrap_or(u64::MAX);
        if self.row_stride < least {
            return Err(format!(
                "row_stride is {}; allowed: at least {least}, a row of blocks",
                self.row_stride
            ));
        }
        let stacked = chosen.pattern().stack_depth_slices;
        let layers = u64::from(rows.depth).div_ceil(1 << block.z_log2);
        let rows_of_blocks = u64::from(rows.height).div_ceil(1 << block.y_log2);
        if stacked && rows.depth > 1 && self.stacked_rows < rows.height {
            return Err(format!("stacked_rows is {}; allowed: at least {}", self.stacked_rows, rows.height));
        }
        let least_slice = self.row_stride.saturating_mul(rows_of_blocks);
        if !stacked && layers > 1 && self.slice_stride < least_slice {
            return Err(format!("slice_stride is {}; allowed: at least {least_slice}", self.slice_stride));
        }
        let strides =
            BlockStrides { row: self.row_stride, slice: self.slice_stride, stacked_rows: self.stacked_rows };
        let image = heapstone_layout::swizzle::engine::SwizzledImage { pattern: &chosen.compiled, strides };
        let needed = image.end_offset(&region(rows)).filter(|needed| *needed <= self.size);
        if needed.is_none() {
            let needed =
                image.end_offset(&region(rows)).map_or("2^64 or more".to_owned(), |end| end.to_string());
            return Err(format!("size is {}; the subresource takes {needed}", self.size));
        }
        if self.offset.checked_add(self.size).is_none_or(|end| end > swizzled.size) {
            return Err(format!(
                "offset is {} and size {}; the swizzled file has {} bytes",
                self.offset, self.size, swizzled.size
            ));
        }
        let placement = Placement { strides, size: self.size };
        Ok(Place { subresource: expected, offset: self.offset, placement, pattern: index })
    }
}

/// That no two subresources share a byte.
fn disjoint(places: &[Place]) -> Result<(), String> {
    let mut sorted: Vec<(usize, &Place)> = places.iter().enumerate().collect();
    sorted.sort_by_key(|(_, place)| place.offset);
    for pair in sorted.windows(2) {
        let [(first, before), (second, after)] = pair else { continue };
        // Each ends within the file.
        if before.offset + before.placement.size > after.offset {
            return Err(format!("subresources[{first}] and subresources[{second}] overlap"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use heapstone_spec::Format;

    use super::super::texture::tests::flat;
    use super::*;

    fn swizzled() -> Swizzled {
        let texture =
            Texture::new(TextureDesc { slices: 2, ..flat(Format::R8G8B8A8_UNORM, 40, 8, 2) }).unwrap();
        let for_use = Use { dimension: texture.desc().dimension, element: texture.element() };
        Swizzled::new(texture, resolve("standard-4kb", for_use).unwrap()).unwrap()
    }

    /// 40x8 of 32 bits in blocks of 32x32 (4 KiB): two blocks, then one for 20x4, and so twice.
    #[test]
    fn a_description_by_hand() {
        let json = swizzled().sidecar().to_json().unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["heapstone_swizzle"], 1);
        assert_eq!(value["pattern"], "standard_4KB_2D_32bpp");
        assert_eq!(value["size"], 4 * 6 * 1024);
        assert_eq!(value["texture"]["format"], "R8G8B8A8_UNORM");
        assert_eq!(value["texture"]["dimension"], "texture2d");
        let offsets: Vec<u64> = value["subresources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|subresource| subresource["offset"].as_u64().unwrap())
            .collect();
        assert_eq!(offsets, [0, 8192, 12_288, 20_480]);
        assert_eq!(value["subresources"][2]["row_stride"], 8192);
        let read = Sidecar::from_json(&json).unwrap().check(24_576).unwrap();
        assert_eq!(read.sidecar().to_json().unwrap(), json);
    }

    #[test]
    fn wrong_fields_are_named() {
        let good: serde_json::Value = serde_json::from_str(&swizzled().sidecar().to_json().unwrap()).unwrap();
        let check = |value: &serde_json::Value| Sidecar::from_json(&value.to_string())?.check(24_576);
        assert!(check(&good).is_ok());
        for (pointer, value, says) in [
            ("/heapstone_swizzle", 2.into(), "allowed: 1"),
            ("/texture/width", 0.into(), "width is 0"),
            ("/texture/format", "R8G8B8A8".into(), "DXGI_FORMAT"),
            ("/texture/mips", 3.into(), "subresources are 4; allowed: 6"),
            ("/texture/colour", 3.into(), "unknown field `colour`"),
            ("/pattern", "standard_64KB_3D".into(), "slices deep"),
            ("/pattern", "none".into(), "no pattern is called"),
            ("/size", 1.into(), "size is 1, and the swizzled file has 24576 bytes"),
            ("/subresources/1/mip", 0.into(), "subresources[1]: mip is 0 and slice 0; allowed here: mip 1"),
            ("/subresources/0/row_stride", 4100.into(), "multiples of a block of 4096"),
            ("/subresources/0/row_stride", 4096.into(), "at least 8192"),
            ("/subresources/0/row_stride", 12_288.into(), "overlap"),
            ("/subresources/3/size", 100.into(), "takes 4096"),
            ("/subresources/3/offset", u64::MAX.into(), "the swizzled file has 24576"),
            ("/subresources/3/offset", 20_484.into(), "the swizzled file has 24576"),
            ("/subresources/3/offset", 0.into(), "subresources[0] and subresources[3] overlap"),
            ("/subresources/2/pattern", "nvidia_blocklinear_3d_h1_d2".into(), "subresources[2]: "),
        ] {
            let mut wrong = good.clone();
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            wrong.pointer_mut(parent).unwrap()[key] = value;
            if pointer == "/subresources/0/row_stride" && says == "overlap" {
                // A longer stride of one row of blocks reaches no further.
                assert!(check(&wrong).is_ok());
                continue;
            }
            let error = check(&wrong).unwrap_err();
            assert!(error.contains(says), "{pointer}: {error}");
        }
        assert!(Sidecar::from_json("{").unwrap_err().contains("line 1"));
    }

    /// Console files shrink the blocks of small mips: each subresource may name its own.
    #[test]
    fn a_subresource_may_have_its_own_pattern() {
        let mut value: serde_json::Value =
            serde_json::from_str(&swizzled().sidecar().to_json().unwrap()).unwrap();
        for slice in [1, 3] {
            // 80 bytes x 4 rows: two blocks of 64 bytes x 8 rows.
            value["subresources"][slice]["pattern"] = "nvidia_blocklinear_h1".into();
            value["subresources"][slice]["row_stride"] = 1024.into();
            value["subresources"][slice]["slice_stride"] = 1024.into();
        }
        let swizzled = Sidecar::from_json(&value.to_string()).unwrap().check(24_576).unwrap();
        assert_eq!(swizzled.patterns.len(), 2);
        assert_eq!(swizzled.places.iter().map(|place| place.pattern).collect::<Vec<_>>(), [0, 1, 0, 1]);
        assert_eq!(
            swizzled.sidecar().to_json().unwrap(),
            serde_json::to_string_pretty(&serde_json::from_value::<Sidecar>(value).unwrap()).unwrap() + "\n"
        );
    }

    /// Whole chains of mips, byte for byte those of the crate `tegra_swizzle`, which has its block heights from
    /// console files.
    #[test]
    fn mips_shrink_nvidias_blocks_as_tegra_swizzle_does() {
        use super::super::placement::swizzle;
        use super::super::texture::Dimension;
        use tegra_swizzle::BlockHeight;
        use tegra_swizzle::surface::{BlockDim, swizzle_surface};

        let mut shrunk = 0;
        for (format, width, height, depth, mips) in [
            (Format::R8G8B8A8_UNORM, 64, 256, 1, 9),
            (Format::R8G8B8A8_UNORM, 100, 60, 1, 7),
            (Format::R8_UNORM, 33, 129, 1, 8),
            (Format::R32G32B32A32_FLOAT, 17, 200, 1, 8),
            (Format::BC1_UNORM, 64, 512, 1, 10),
            (Format::BC7_UNORM, 128, 64, 1, 8),
            (Format::R8G8B8A8_UNORM, 16, 16, 16, 5),
            (Format::R8_UNORM, 20, 40, 33, 6),
        ] {
            // The crate knows blocks of several groups for 2D only.
            for height_log2 in 0..=if depth > 1 { 0 } else { 5_u32 } {
                let groups = 1 << height_log2;
                let (dimension, pattern) = if depth > 1 {
                    (Dimension::Texture3D, format!("nvidia_blocklinear_3d_h{groups}_d16"))
                } else {
                    (Dimension::Texture2D, format!("nvidia_blocklinear_h{groups}"))
                };
                let desc = TextureDesc { dimension, depth, ..flat(format, width, height, mips) };
                let texture = Texture::new(desc).unwrap();
                let for_use = Use { dimension, element: texture.element() };
                let chosen = resolve(&pattern, for_use).unwrap();
                let swizzled = Swizzled::new(texture, chosen).unwrap();
                shrunk += swizzled.patterns.len() - 1;

                let (mut linear, mut ours) = (Vec::new(), vec![0; usize::try_from(swizzled.size).unwrap()]);
                for place in &swizzled.places {
                    let rows = swizzled.texture.rows(place.subresource.mip);
                    let size = usize::try_from(rows.bytes()).unwrap();
                    let mip: Vec<u8> = (0..size)
                        .map(|at| u8::try_from((at * 7 + at / 256 + linear.len()) % 251).unwrap())
                        .collect();
                    let begin = usize::try_from(place.offset).unwrap();
                    let end = begin + usize::try_from(place.placement.size).unwrap();
                    let pattern = &swizzled.patterns[place.pattern].compiled;
                    swizzle(pattern, place.placement.strides, rows, &mip, &mut ours[begin..end]).unwrap();
                    linear.extend(mip);
                }
                let is_block = matches!(format, Format::BC1_UNORM | Format::BC7_UNORM);
                let block = if is_block { BlockDim::block_4x4() } else { BlockDim::uncompressed() };
                let bytes = u32::from(swizzled.texture.element().bits() / 8);
                let height_of_mip_0 = Some(BlockHeight::new(groups).unwrap());
                let theirs =
                    swizzle_surface(width, height, depth, &linear, block, height_of_mip_0, bytes, mips, 1)
                        .unwrap();
                assert!(ours == theirs, "{format} {width}x{height}x{depth} in {pattern}");
                // What is written says so, and is read again.
                let json = swizzled.sidecar().to_json().unwrap();
                let read = Sidecar::from_json(&json).unwrap().check(swizzled.size).unwrap();
                assert_eq!(read.sidecar().to_json().unwrap(), json);
            }
        }
        assert!(shrunk > 40, "{shrunk}");
    }

    /// 16 bytes x 2 rows x 2 slices, one above the other.
    #[test]
    fn a_pattern_that_is_spelled_out_goes_along() {
        let bits = PatternBits {
            interleave: "X0 X1 X2 X3 Y0".to_owned(),
            stack_depth_slices: true,
            ..PatternBits::default()
        };
        let desc = TextureDesc {
            dimension: super::super::texture::Dimension::Texture3D,
            depth: 2,
            ..flat(Format::R8_UNORM, 20, 3, 1)
        };
        let chosen = Chosen::spelled("mine.json", bits).unwrap();
        let json = Swizzled::new(Texture::new(desc).unwrap(), chosen).unwrap().sidecar().to_json().unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        // Two blocks of 32 bytes a row, two rows of blocks a slice.
        assert_eq!(value["subresources"][0]["row_stride"], 64);
        assert_eq!(value["subresources"][0]["stacked_rows"], 4);
        assert_eq!(value["size"], 256);
        assert!(Sidecar::from_json(&json).unwrap().check(256).is_ok());
        let mut wrong = value.clone();
        wrong["subresources"][0]["stacked_rows"] = 2.into();
        let error = Sidecar::from_json(&wrong.to_string()).unwrap().check(256).unwrap_err();
        assert!(error.contains("stacked_rows is 2"), "{error}");
        let mut wrong = value;
        wrong["pattern_bits"]["interleave"] = "X0 X1 X1".into();
        let error = Sidecar::from_json(&wrong.to_string()).unwrap().check(256).unwrap_err();
        assert!(error.starts_with("pattern_bits: "), "{error}");
    }
}
