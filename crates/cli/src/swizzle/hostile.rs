//! Files that want to do harm.

use std::sync::LazyLock;

use heapstone_spec::Format;
use proptest::prelude::*;

use super::catalog::{Use, resolve};
use super::container;
use super::sidecar::{Sidecar, Swizzled};
use super::texture::tests::flat;
use super::texture::{Dimension, Texture, TextureDesc};
use super::{dds, ktx};
use crate::failure::Failure;

fn textures() -> Vec<Texture> {
    let flat = flat(Format::R8G8B8A8_UNORM, 5, 5, 3);
    let volume = TextureDesc { dimension: Dimension::Texture3D, depth: 3, ..flat.clone() };
    let cube = TextureDesc { slices: 6, cube: true, format: Format::BC1_UNORM, ..flat.clone() };
    [flat, volume, cube].map(|desc| Texture::new(desc).unwrap()).to_vec()
}

/// Each texture as a DDS and as a KTX2 file.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for texture in textures() {
        let mut rows_of = |at: super::texture::Subresource, rows: &mut Vec<u8>| {
            rows.clear();
            rows.resize(usize::try_from(texture.rows(at.mip).bytes()).unwrap(), 7);
            Ok(())
        };
        let failed = |error: &std::io::Error| Failure::new(error);
        let (mut dds, mut ktx) = (Vec::new(), Vec::new());
        dds::write(&mut dds, &texture, &mut rows_of, &failed).unwrap();
        ktx::write(&mut ktx, &texture, &mut rows_of, &failed).unwrap();
        files.extend([dds, ktx]);
    }
    files
});

/// What was found lies in the file, and is as long as the texture's rows.
fn judge(file: &[u8]) {
    let Ok(contents) = container::parse(file) else { return };
    assert_eq!(contents.rows.len(), contents.texture.subresources().count());
    for (at, rows) in contents.texture.subresources().zip(contents.rows) {
        let rows = file.get(rows).expect("the rows lie in the file");
        assert_eq!(u64::try_from(rows.len()).unwrap(), contents.texture.rows(at.mip).bytes());
    }
}

/// Every byte of the headers, with every single bit flipped, and cut off behind each.
#[test]
fn every_bit_of_a_header() {
    for file in FILES.iter() {
        for at in 0..file.len().min(360) {
            for bit in 0..8 {
                let mut wrong = file.clone();
                wrong[at] ^= 1 << bit;
                judge(&wrong);
                judge(&wrong[..at]);
            }
        }
    }
}

/// Each texture's description, and the bytes of its swizzled file.
static SIDECARS: LazyLock<Vec<(String, u64)>> = LazyLock::new(|| {
    let of = |texture: Texture| {
        let for_use = Use { dimension: texture.desc().dimension, element: texture.element() };
        let swizzled = Swizzled::new(texture, resolve("standard-4kb", for_use).unwrap()).unwrap();
        (swizzled.sidecar().to_json().unwrap(), swizzled.size)
    };
    textures().into_iter().map(of).collect()
});

/// What passes can be copied from without a look beside the file.
fn judge_sidecar(text: &str, size: u64) {
    let Ok(swizzled) = Sidecar::from_json(text).and_then(|sidecar| sidecar.check(size)) else { return };
    let file = vec![0; usize::try_from(size).unwrap()];
    for place in &swizzled.places {
        let begin = usize::try_from(place.offset).unwrap();
        let blocks = &file[begin..begin + usize::try_from(place.placement.size).unwrap()];
        let rows = swizzled.texture.rows(place.subresource.mip);
        let mut to = vec![0; usize::try_from(rows.bytes()).unwrap()];
        let pattern = &swizzled.patterns[place.pattern].compiled;
        super::placement::unswizzle(pattern, place.placement.strides, rows, blocks, &mut to)
            .expect("a checked subresource can be read");
    }
}

#[test]
fn every_truncation_of_a_description() {
    for (text, size) in SIDECARS.iter() {
        // The last byte is the end of the line.
        for length in 0..text.len() - 1 {
            assert!(Sidecar::from_json(&text[..length]).is_err(), "{length}");
        }
        judge_sidecar(text, *size);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_of_a_header(which in 0..6_usize, words in prop::collection::vec((0..80_usize, any::<u32>()), 1..4)) {
        let mut file = FILES[which].clone();
        for (at, word) in words {
            // Small numbers are what counts and flags are; large ones overflow.
            let word = if word % 3 == 0 { word % 17 } else { word };
            let at = at % (file.len() / 4) * 4;
            file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        judge(&file);
    }

    #[test]
    fn noise_behind_the_magic(which in 0..2_usize, noise in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut file = FILES[which][..if which == 0 { 4 } else { 12 }].to_vec();
        file.extend_from_slice(&noise);
        judge(&file);
    }

    /// Numbers of a description replaced by others.
    #[test]
    fn numbers_of_a_description(which in 0..3_usize, changes in prop::collection::vec((0..64_usize, any::<u64>()), 1..4)) {
        let (text, size) = SIDECARS[which].clone();
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        for (at, number) in changes {
            let number = match number % 4 {
                0 => number,
                1 => number % 9,
                2 => number % 64 * 4096,
                _ => u64::from(u32::MAX),
            };
            let mut numbers = Vec::new();
            collect(&mut value, &mut numbers);
            let count = numbers.len();
            *numbers[at % count] = number.into();
        }
        judge_sidecar(&value.to_string(), size);
    }
}

/// Every number in `value`.
fn collect<'a>(value: &'a mut serde_json::Value, numbers: &mut Vec<&'a mut serde_json::Value>) {
    match value {
        serde_json::Value::Number(_) => numbers.push(value),
        serde_json::Value::Array(values) => values.iter_mut().for_each(|value| collect(value, numbers)),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(|value| collect(value, numbers)),
        _ => {}
    }
}
