//! Every kind of texture, through every kind of file, to patterns of every family and back.

use heapstone_layout::swizzle::{SwizzleAddress, reference_offset};
use heapstone_spec::Format;

use super::catalog::{Use, resolve};
use super::container::{self, RowsOf};
use super::placement::{swizzle, unswizzle};
use super::sidecar::{Place, Sidecar, Swizzled};
use super::texture::tests::flat;
use super::texture::{Dimension, Subresource, Texture, TextureDesc};
use super::{dds, ktx, vulkan};
use crate::failure::Failure;

/// Of each family a name that its relatives for other elements share, where it has any.
const FAMILIES: [&str; 13] = [
    "standard-64kb",
    "standard-4kb",
    "d3d12-4kb",
    "nvidia_blocklinear_h16",
    "nvidia_blocklinear_3d_h8_d16",
    "nvidia_turing_color2d_blocklinear_h8",
    "nvidia_fermi_color_blocklinear_h16",
    "amd_gfx10_navi21_SW_64KB_R_X",
    "3D_64KB_amd_gfx11",
    "3D_64KB_intel_icl",
    "intel_tileX_bit6_swizzle_9_10",
    "intel_tileW_stencil",
    "intel_tile4_3D_stacked_slices_qpitch96",
];

/// Odd sizes of each kind, all mips.
fn kinds() -> Vec<TextureDesc> {
    let rgba = Format::R8G8B8A8_UNORM;
    let volume = |format, width, height, depth, mips| TextureDesc {
        dimension: Dimension::Texture3D,
        depth,
        ..flat(format, width, height, mips)
    };
    vec![
        flat(rgba, 131, 67, 8),
        flat(Format::R8_UNORM, 259, 5, 9),
        flat(Format::R16G16_FLOAT, 1, 1, 1),
        flat(Format::R32G32_UINT, 33, 70, 7),
        flat(Format::R32G32B32A32_FLOAT, 17, 66, 7),
        // Texels of 96 bits, pairs of texels that share bytes, blocks that reach beyond the edges.
        flat(Format::R32G32B32_FLOAT, 13, 7, 4),
        flat(Format::G8R8_G8B8_UNORM, 13, 6, 3),
        flat(Format::BC1_UNORM, 70, 37, 7),
        flat(Format::BC7_UNORM_SRGB, 13, 259, 9),
        TextureDesc { slices: 3, ..flat(Format::B5G6R5_UNORM, 65, 9, 7) },
        TextureDesc { slices: 2, ..flat(Format::BC4_UNORM, 9, 9, 4) },
        TextureDesc { slices: 12, cube: true, ..flat(rgba, 19, 19, 5) },
        TextureDesc { dimension: Dimension::Texture1D, slices: 3, ..flat(Format::R8G8_UNORM, 515, 1, 10) },
        volume(rgba, 33, 33, 33, 6),
        volume(Format::R8_UINT, 5, 7, 3, 3),
        volume(Format::R16G16B16A16_UNORM, 18, 3, 35, 6),
        volume(Format::BC3_UNORM, 9, 13, 5, 4),
    ]
}

/// Bytes of which none is like its neighbours, nor like those of another subresource.
fn noise(texture: &Texture, at: Subresource) -> Vec<u8> {
    let mut state = 0x9e37_79b9 ^ (at.mip << 16 | at.slice);
    let bytes = usize::try_from(texture.rows(at.mip).bytes()).unwrap();
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    core::iter::repeat_with(next).take(bytes).collect()
}

type Write =
    fn(&mut Vec<u8>, &Texture, &mut RowsOf<'_>, &dyn Fn(&std::io::Error) -> Failure) -> Result<(), Failure>;

fn file(write: Write, texture: &Texture, rows_of: &mut RowsOf<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out, texture, rows_of, &|error| Failure::new(error)).unwrap();
    out
}

/// That a file holds the texture's noise.
fn holds(file: &[u8], texture: &Texture) -> bool {
    let contents = container::parse(file).unwrap();
    let rows = texture.subresources().zip(contents.rows);
    contents.texture == *texture && rows.into_iter().all(|(at, rows)| file[rows] == noise(texture, at))
}

/// Each element where the reference routine puts it, by the strides that the description tells.
fn lies_as_described(swizzled: &Swizzled, place: &Place, blocks: &[u8]) -> bool {
    let texture = &swizzled.texture;
    let rows = texture.rows(place.subresource.mip);
    let pattern = swizzled.patterns[place.pattern].pattern();
    let part = usize::from(texture.element().bits() / 8);
    let expected = noise(texture, place.subresource);
    let mut parts = expected.chunks_exact(part);
    for z in 0..rows.depth {
        for y in 0..rows.height {
            for x_bytes in (0..rows.width_bytes).step_by(part) {
                let address = SwizzleAddress { x_bytes, y, z, sample: 0 };
                let at = reference_offset(pattern, address, &place.placement.strides);
                let at = usize::try_from(at).unwrap();
                if blocks.get(at..at + part) != parts.next() {
                    return false;
                }
            }
        }
    }
    parts.next().is_none()
}

/// To the pattern, and by the description alone back to a file of each kind that can hold the format.
fn there_and_back(texture: &Texture, swizzled: &Swizzled, family: &str) {
    let name = texture.sentence();
    let size = usize::try_from(swizzled.size).unwrap();
    let mut blocks = vec![0; size];
    let range = |place: &Place| {
        let begin = usize::try_from(place.offset).unwrap();
        begin..begin + usize::try_from(place.placement.size).unwrap()
    };
    for place in &swizzled.places {
        let pattern = &swizzled.patterns[place.pattern].compiled;
        let (rows, from) = (texture.rows(place.subresource.mip), noise(texture, place.subresource));
        swizzle(pattern, place.placement.strides, rows, &from, &mut blocks[range(place)]).unwrap();
    }
    for place in &swizzled.places {
        assert!(lies_as_described(swizzled, place, &blocks[range(place)]), "{family}: {name}, {place:?}");
    }

    let text = swizzled.sidecar().to_json().unwrap();
    let read = Sidecar::from_json(&text).and_then(|sidecar| sidecar.check(swizzled.size)).unwrap();
    let mut rows_of = |at: Subresource, rows: &mut Vec<u8>| {
        let place = read.places.iter().find(|place| place.subresource == at).unwrap();
        let extent = read.texture.rows(at.mip);
        rows.clear();
        rows.resize(usize::try_from(extent.bytes()).unwrap(), 0);
        let pattern = &read.patterns[place.pattern].compiled;
        unswizzle(pattern, place.placement.strides, extent, &blocks[range(place)], rows).unwrap();
        Ok(())
    };
    assert!(holds(&file(dds::write, texture, &mut rows_of), texture), "{family}: {name} back to DDS");
    if vulkan::from_dxgi(texture.desc().format).is_ok() {
        assert!(holds(&file(ktx::write, texture, &mut rows_of), texture), "{family}: {name} back to KTX2");
    }
}

#[test]
fn every_kind_goes_to_every_family_and_back() {
    let mut converted = FAMILIES.map(|family| (family, 0));
    for desc in kinds() {
        let texture = Texture::new(desc).unwrap();
        let from_file = file(dds::write, &texture, &mut |at, rows| {
            *rows = noise(&texture, at);
            Ok(())
        });
        assert!(holds(&from_file, &texture), "{}", texture.sentence());
        let for_use = Use { dimension: texture.desc().dimension, element: texture.element() };
        let mut served = 0;
        for (family, count) in &mut converted {
            // Not every family has a pattern for every element and dimension.
            let Ok(pattern) = resolve(family, for_use) else { continue };
            let swizzled = Swizzled::new(texture.clone(), pattern).unwrap();
            there_and_back(&texture, &swizzled, family);
            (served, *count) = (served + 1, *count + 1);
        }
        assert!(served >= 4, "{}: {served} families", texture.sentence());
    }
    for (family, count) in converted {
        assert!(count > 0, "{family} serves none");
    }
}
