//! CopyBufferRegion, CopyTextureRegion and CopyResource: which elements each copies, typed from the layouts of
//! formats.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::{Format, HeapType, ResourceDesc, ResourceFlags};
use heapstone_driver::dma::{Address, Command, Image};
use recording::*;

/// Every bit of an element.
const ALL: u32 = u32::MAX;

fn recording() -> Recording {
    Recording::on(device("discrete-8g"))
}

/// What a copy is in elements: destination's and source's origin, size, bytes of an element as a power of
/// two, samples likewise, mask.
#[derive(Debug, PartialEq, Eq)]
struct Elements {
    to: [u32; 3],
    from: [u32; 3],
    size: [u32; 3],
    bytes_log2: u8,
    samples_log2: u8,
    mask: u32,
}

fn elements(command: &Command) -> Elements {
    let Command::CopyRegion {
        destination_origin: to,
        source_origin: from,
        size,
        element_bytes_log2: bytes_log2,
        samples_log2,
        mask,
        ..
    } = *command
    else {
        panic!("{command:?}")
    };
    Elements { to, from, size, bytes_log2, samples_log2, mask }
}

fn images(command: &Command) -> (Image, Image) {
    let Command::CopyRegion { destination, source, .. } = *command else { panic!("{command:?}") };
    (destination, source)
}

/// The users' case of a width of 160: pitch 768, rows of 640 bytes.
#[test]
fn an_upload_names_rows_and_surface() {
    let recording = recording();
    let to = recording.default(rgba8(160, 100));
    let upload = recording.buffer(HeapType::Upload, MIB);
    let from = placed(1024, RGBA8, [160, 100, 1], 768);
    let buffer = recording
        .compiled(|list| list.copy_texture_region(&sub(&to, 0), 0, 0, 0, &rows(&upload, from), None));
    let command = commands_of(&buffer)[0];
    assert_eq!(
        elements(&command),
        Elements { to: [0; 3], from: [0; 3], size: [160, 100, 1], bytes_log2: 2, samples_log2: 0, mask: ALL }
    );
    let at = heapstone::GpuVirtualAddress(upload.gpu_virtual_address().0 + 1024);
    let (destination, source) = images(&command);
    assert_eq!(
        source,
        Image::Pitched { address: Address { allocation: 1, at }, row_pitch: 768, slice_pitch: 76_800 }
    );
    let base = buffer.allocations()[0].address;
    assert_eq!(destination, Image::Surface { allocation: 0, subresource: 0, base });
    assert_eq!(buffer.allocations()[0].surfaces.as_deref().map(<[_]>::len), Some(1));
    assert!(buffer.allocations()[1].surfaces.is_none(), "a buffer has none");
}

/// BC1: a block is 4 x 4 texels and 8 bytes; mips below a block are one block.
#[test]
fn blocks_are_elements() {
    let recording = recording();
    let bc1 = recording.default(texture(Format::BC1_UNORM, 64, 64).with_mip_levels(0));
    let readback = recording.buffer(HeapType::Readback, MIB);
    let block = |to, from, size| Elements { to, from, size, bytes_log2: 3, samples_log2: 0, mask: ALL };
    for (mip, source_box, origin, expected) in [
        // 32 x 32 texels.
        (1, Some(box_of([8, 4, 0], [24, 16, 1])), [12, 8, 0], block([3, 2, 0], [2, 1, 0], [4, 3, 1])),
        (1, None, [0, 0, 0], block([0; 3], [0; 3], [8, 8, 1])),
        // 2 x 2 texels, and 1 x 1: both lie in one block, whose edges a box names.
        (5, None, [4, 4, 0], block([1, 1, 0], [0; 3], [1, 1, 1])),
        (6, Some(box_of([0, 0, 0], [4, 4, 1])), [0, 0, 0], block([0; 3], [0; 3], [1, 1, 1])),
    ] {
        let rows = rows(&readback, placed(512, Format::BC1_UNORM, [64, 64, 1], 256));
        let [x, y, z] = origin;
        let command = recording
            .command(|list| list.copy_texture_region(&rows, x, y, z, &sub(&bc1, mip), source_box.as_ref()));
        assert_eq!(elements(&command), expected, "mip {mip}");
        let Image::Pitched { row_pitch, slice_pitch, .. } = images(&command).0 else { panic!("{command:?}") };
        // 16 rows of blocks.
        assert_eq!((row_pitch, slice_pitch), (256, 4096));
    }
}

/// An extent that is no multiple of a block is rounded up to one (facts/behaviour.md, Creation).
#[test]
fn blocks_reach_beyond_an_odd_extent() {
    let recording = recording();
    let odd = recording.default(texture(Format::BC3_UNORM, 30, 31));
    let other = recording.default(texture(Format::BC3_UNORM, 32, 32));
    let command = recording.command(|list| {
        let all = box_of([0, 0, 0], [32, 32, 1]);
        list.copy_texture_region(&sub(&other, 0), 0, 0, 0, &sub(&odd, 0), Some(&all))
    });
    assert_eq!(elements(&command).size, [8, 8, 1]);
}

/// facts/layout.md: a texel of 96 bits is three elements of 32.
#[test]
fn texels_of_96_bits_are_three_elements() {
    let recording = recording();
    let format = Format::R32G32B32_FLOAT;
    let to = recording.default(texture(format, 16, 8));
    let upload = recording.buffer(HeapType::Upload, MIB);
    let from = rows(&upload, placed(0, format, [7, 4, 1], 256));
    let source_box = box_of([1, 0, 0], [3, 2, 1]);
    let command =
        recording.command(|list| list.copy_texture_region(&sub(&to, 0), 5, 6, 0, &from, Some(&source_box)));
    assert_eq!(
        elements(&command),
        Elements {
            to: [15, 6, 0],
            from: [3, 0, 0],
            size: [6, 2, 1],
            bytes_log2: 2,
            samples_log2: 0,
            mask: ALL
        }
    );
}

/// NV12: plane 0 R8, plane 1 R8G8 at half size; boxes count the plane's texels.
#[test]
fn planes_are_subresources_of_their_own_size() {
    let recording = recording();
    let nv12 = recording.default(texture(Format::NV12, 64, 48));
    let upload = recording.buffer(HeapType::Upload, MIB);
    for (plane, format, size, bytes_log2) in
        [(0, Format::R8_TYPELESS, [64, 48, 1], 0), (1, Format::R8G8_TYPELESS, [32, 24, 1], 1)]
    {
        let from = rows(&upload, placed(0, format, size, 256));
        let command =
            recording.command(|list| list.copy_texture_region(&sub(&nv12, plane), 0, 0, 0, &from, None));
        let expected = Elements { to: [0; 3], from: [0; 3], size, bytes_log2, samples_log2: 0, mask: ALL };
        assert_eq!(elements(&command), expected, "plane {plane}");
    }
    let corner = box_of([30, 22, 0], [32, 24, 1]);
    let to = recording.default(texture(Format::R8G8_UNORM, 8, 8));
    let command = recording
        .command(|list| list.copy_texture_region(&sub(&to, 0), 6, 6, 0, &sub(&nv12, 1), Some(&corner)));
    assert_eq!(elements(&command).from, [30, 22, 0]);
}

/// facts/behaviour.md: copies between a 32-bit typeless and a D24's depth plane keep the low 24 bits. Depth of
/// 32 bits keeps all, stencil is bytes.
#[test]
fn depth_and_stencil_are_planes() {
    let recording = recording();
    let flags = ResourceFlags::ALLOW_DEPTH_STENCIL;
    let d24 = recording.default(texture(Format::R24G8_TYPELESS, 16, 16).with_flags(flags));
    let other_d24 = recording.default(texture(Format::D24_UNORM_S8_UINT, 16, 16).with_flags(flags));
    let d32s8 = recording.default(texture(Format::D32_FLOAT_S8X24_UINT, 16, 16).with_flags(flags));
    let d32 = recording.default(texture(Format::D32_FLOAT, 16, 16).with_flags(flags));
    let r32 = recording.default(texture(Format::R32_TYPELESS, 16, 16));
    let readback = recording.buffer(HeapType::Readback, MIB);
    let depth_rows = rows(&readback, placed(0, Format::R32_TYPELESS, [16, 16, 1], 256));
    let stencil_rows = rows(&readback, placed(0, Format::R8_TYPELESS, [16, 16, 1], 256));
    for (to, from, bytes_log2, mask) in [
        (depth_rows, sub(&d24, 0), 2, 0x00ff_ffff),
        (stencil_rows, sub(&d24, 1), 0, ALL),
        (sub(&r32, 0), sub(&d24, 0), 2, 0x00ff_ffff),
        (sub(&d24, 0), sub(&r32, 0), 2, 0x00ff_ffff),
        (sub(&d24, 0), sub(&other_d24, 0), 2, ALL),
        (sub(&d24, 1), sub(&other_d24, 1), 0, ALL),
        (sub(&d24, 1), sub(&d32s8, 1), 0, ALL),
        (depth_rows, sub(&d32s8, 0), 2, ALL),
        (sub(&r32, 0), sub(&d32s8, 0), 2, ALL),
        (sub(&r32, 0), sub(&d32, 0), 2, ALL),
        (sub(&d32s8, 0), sub(&d32, 0), 2, ALL),
    ] {
        let command = recording.command(|list| list.copy_texture_region(&to, 0, 0, 0, &from, None));
        let copied = elements(&command);
        assert_eq!((copied.bytes_log2, copied.mask), (bytes_log2, mask), "{from:?} to {to:?}");
        assert_eq!(copied.size, [16, 16, 1]);
    }
}

/// A block is one texel of an integer format as large (Format conversion using Direct3D 10.1).
#[test]
fn blocks_are_integers_as_large() {
    let recording = recording();
    for (blocks, integers, bytes_log2) in [
        (Format::BC1_UNORM, Format::R32G32_UINT, 3),
        (Format::BC4_SNORM, Format::R16G16B16A16_SINT, 3),
        (Format::BC3_UNORM_SRGB, Format::R32G32B32A32_UINT, 4),
        (Format::BC7_UNORM, Format::R32G32B32A32_SINT, 4),
    ] {
        let compressed = recording.default(texture(blocks, 64, 64));
        let plain = recording.default(texture(integers, 16, 16));
        let command = recording.command(|list| {
            let part = box_of([2, 3, 0], [7, 9, 1]);
            list.copy_texture_region(&sub(&compressed, 0), 4, 8, 0, &sub(&plain, 0), Some(&part))
        });
        let expected = Elements {
            to: [1, 2, 0],
            from: [2, 3, 0],
            size: [5, 6, 1],
            bytes_log2,
            samples_log2: 0,
            mask: ALL,
        };
        assert_eq!(elements(&command), expected, "{integers} to {blocks}");
        let command = recording.command(|list| {
            let part = box_of([4, 8, 0], [24, 32, 1]);
            list.copy_texture_region(&sub(&plain, 0), 2, 3, 0, &sub(&compressed, 0), Some(&part))
        });
        let expected = Elements {
            to: [2, 3, 0],
            from: [1, 2, 0],
            size: [5, 6, 1],
            bytes_log2,
            samples_log2: 0,
            mask: ALL,
        };
        assert_eq!(elements(&command), expected, "{blocks} to {integers}");
    }
    let shared = recording.default(texture(Format::R9G9B9E5_SHAREDEXP, 4, 4));
    let words = recording.default(texture(Format::R32_UINT, 4, 4));
    recording.command(|list| list.copy_texture_region(&sub(&shared, 0), 0, 0, 0, &sub(&words, 0), None));
}

#[test]
fn dimensions_mix_slice_by_slice() {
    let recording = recording();
    let volume = recording.default(ResourceDesc::texture_3d(RGBA8, 16, 16, 8).with_mip_levels(2));
    let flat = recording.default(rgba8(16, 16).with_array_size(4));
    let slice = box_of([0, 0, 5], [16, 16, 6]);
    let command = recording
        .command(|list| list.copy_texture_region(&sub(&flat, 3), 0, 0, 0, &sub(&volume, 0), Some(&slice)));
    assert_eq!((elements(&command).from, elements(&command).size), ([0, 0, 5], [16, 16, 1]));
    // Mip 1 of the volume is 8 x 8 x 4.
    let readback = recording.buffer(HeapType::Readback, MIB);
    let to = rows(&readback, placed(0, RGBA8, [8, 8, 4], 256));
    let command = recording.command(|list| list.copy_texture_region(&to, 0, 0, 0, &sub(&volume, 1), None));
    assert_eq!(elements(&command).size, [8, 8, 4]);
    let Image::Pitched { slice_pitch, .. } = images(&command).0 else { panic!("{command:?}") };
    assert_eq!(slice_pitch, 2048);
}

#[test]
fn rows_are_copied_to_rows() {
    let recording = recording();
    let buffer = recording.buffer(HeapType::Default, MIB);
    let from = rows(&buffer, placed(0, RGBA8, [64, 64, 1], 256));
    let to = rows(&buffer, placed(0, RGBA8, [64, 64, 1], 256));
    let half = box_of([0, 0, 0], [32, 64, 1]);
    let command = recording.command(|list| list.copy_texture_region(&to, 32, 0, 0, &from, Some(&half)));
    assert_eq!((elements(&command).to, elements(&command).size), ([32, 0, 0], [32, 64, 1]));
}

#[test]
fn samples_are_copied_together() {
    let recording = recording();
    let flags = ResourceFlags::ALLOW_RENDER_TARGET;
    let desc = rgba8(32, 16).with_samples(4).with_flags(flags);
    let (one, other) = (recording.default(desc), recording.default(desc));
    let all = box_of([0, 0, 0], [32, 16, 1]);
    for source_box in [None, Some(&all)] {
        let command = recording
            .command(|list| list.copy_texture_region(&sub(&one, 0), 0, 0, 0, &sub(&other, 0), source_box));
        let expected = Elements {
            to: [0; 3],
            from: [0; 3],
            size: [32, 16, 1],
            bytes_log2: 2,
            samples_log2: 2,
            mask: ALL,
        };
        assert_eq!(elements(&command), expected);
    }
}

/// facts/behaviour.md: an empty or inverted box is a no-op; so are no bytes.
#[test]
fn nothing_is_no_command() {
    let recording = recording();
    let texture = recording.default(rgba8(16, 16));
    let buffer = recording.buffer(HeapType::Default, 4096);
    let target = rgba8(16, 16).with_samples(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let many = [recording.default(target), recording.default(target)];
    let commands = recording.commands(|list| {
        for empty in [
            box_of([4, 4, 0], [4, 8, 1]),
            box_of([8, 4, 0], [4, 8, 1]),
            box_of([0, 0, 1], [4, 4, 1]),
            box_of([900, 900, 9], [900, 900, 9]),
        ] {
            let rows = rows(&buffer, placed(0, RGBA8, [16, 16, 1], 256));
            list.copy_texture_region(&rows, 0, 0, 0, &sub(&texture, 0), Some(&empty))?;
        }
        // Of several samples too, though these are copied whole where they are.
        let empty = box_of([8, 8, 0], [4, 12, 1]);
        list.copy_texture_region(&sub(&many[0], 0), 4, 4, 0, &sub(&many[1], 0), Some(&empty))?;
        list.copy_buffer_region(&buffer, 4096, &buffer, 4096, 0)
    });
    assert_eq!(commands, []);
}

#[test]
fn a_resource_is_copied_subresource_by_subresource() {
    let recording = recording();
    let desc = texture(Format::BC1_UNORM, 16, 8).with_mip_levels(3).with_array_size(2);
    let (to, from) = (recording.default(desc), recording.default(desc));
    let commands = recording.commands(|list| list.copy_resource(&to, &from));
    let sizes: Vec<_> = commands.iter().map(|command| elements(command).size).collect();
    let slice = [[4, 2, 1], [2, 1, 1], [1, 1, 1]];
    assert_eq!(sizes, [slice, slice].concat());
    for (index, command) in (0..).zip(&commands) {
        let (Image::Surface { subresource: to, .. }, Image::Surface { subresource: from, .. }) =
            images(command)
        else {
            panic!("{command:?}")
        };
        assert_eq!((to, from), (index, index));
    }

    let (to, from) = (recording.buffer(HeapType::Default, 1000), recording.buffer(HeapType::Upload, 1000));
    let command = recording.command(|list| list.copy_resource(&to, &from));
    let Command::CopyBuffer { destination, source, size } = command else { panic!("{command:?}") };
    assert_eq!((destination.at, source.at), (to.gpu_virtual_address(), from.gpu_virtual_address()));
    assert_eq!(size, 1000);
}
