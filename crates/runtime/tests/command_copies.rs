//! CopyBufferRegion, CopyTextureRegion and CopyResource: which elements each copies, typed from the layouts of
//! formats, and what each refuses.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::Box3D;
use heapstone::spec::rules::copy as rules;
use heapstone::{
    CommandList, Error, Format, HeapType, PlacedFootprint, Resource, ResourceDesc, ResourceFlags, Rule,
    TextureCopyLocation,
};
use heapstone_driver::dma::{Address, Command, Image};
use recording::*;

const RGBA8: Format = Format::R8G8B8A8_UNORM;
/// Every bit of an element.
const ALL: u32 = u32::MAX;

fn recording() -> Recording {
    Recording::on(device("discrete-8g"))
}

fn texture(format: Format, width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(format, width, height)
}

const fn box_of([left, top, front]: [u32; 3], [right, bottom, back]: [u32; 3]) -> Box3D {
    Box3D { left, top, front, right, bottom, back }
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

fn sub(resource: &Resource, subresource: u32) -> TextureCopyLocation<'_> {
    TextureCopyLocation::subresource(resource, subresource)
}

fn rows(resource: &Resource, footprint: PlacedFootprint) -> TextureCopyLocation<'_> {
    TextureCopyLocation::footprint(resource, footprint)
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

/// The users' cases, with their numbers.
#[test]
fn footprints_that_users_get_wrong() {
    let recording = recording();
    let to = recording.default(rgba8(4096, 1024));
    let upload = |to, footprint: PlacedFootprint, width| {
        let upload = recording.buffer(HeapType::Upload, width);
        move |list: &mut CommandList| {
            list.copy_texture_region(&sub(to, 0), 0, 0, 0, &rows(&upload, footprint), None)
        }
    };
    // 7 texels of 4 bytes are 28, 4 are 16: both are a pitch of 256.
    for (width, pitch) in [(7, 28), (4, 16)] {
        let violation = recording.refuses(
            &rules::FOOTPRINT_ROW_PITCH,
            &pitch.to_string(),
            "a multiple of 256",
            upload(&to, placed(0, RGBA8, [width, 4, 1], pitch), MIB),
        );
        assert_eq!(violation.message.map(|message| message.number), Some(868), "of the source");
        upload(&to, placed(0, RGBA8, [width, 4, 1], 256), MIB)(
            &mut recording.list(heapstone::spec::commands::CommandListType::Copy),
        )
        .unwrap();
    }
    recording.refuses(
        &rules::FOOTPRINT_ROW_PITCH,
        "512",
        "at least 640",
        upload(&to, placed(0, RGBA8, [160, 4, 1], 512), MIB),
    );
    for offset in [256, 511, (1 << 63) + 1] {
        let violation = recording.refuses(
            &rules::FOOTPRINT_OFFSET,
            &offset.to_string(),
            "a multiple of 512",
            upload(&to, placed(offset, RGBA8, [16, 4, 1], 256), MIB),
        );
        assert_eq!(violation.message.map(|message| message.number), Some(864));
    }
    // 16,384 + 1,024 rows of 16,384.
    let violation = recording.refuses(
        &rules::FOOTPRINT_PLACEMENT,
        "row pitch 16384 at offset 16384",
        "16777216 bytes; it needs 16793600",
        upload(&to, placed(16_384, RGBA8, [4096, 1024, 1], 16_384), 16_777_216),
    );
    assert_eq!(violation.message.map(|message| message.number), Some(869));
    recording.refuses(
        &rules::FOOTPRINT_PLACEMENT,
        "offset 9223372036854775808",
        "9223372036854775872",
        upload(&to, placed(1 << 63, RGBA8, [16, 1, 1], 256), MIB),
    );
    recording.refuses(
        &rules::FOOTPRINT_PLACEMENT,
        "4294967292x4294967295",
        "more than 2^64",
        upload(&to, placed(0, Format::BC1_UNORM, [512, u32::MAX - 3, u32::MAX], 0xffff_ff00), MIB),
    );
}

/// The last row is not padded (facts/layout.md, GetCopyableFootprints).
#[test]
fn the_last_row_ends_with_its_texels() {
    let recording = recording();
    let to = recording.default(rgba8(16, 4));
    // Three rows of 256 bytes, and one of 64.
    let enough = recording.buffer(HeapType::Upload, 832);
    let from = placed(0, RGBA8, [16, 4, 1], 256);
    recording.command(|list| list.copy_texture_region(&sub(&to, 0), 0, 0, 0, &rows(&enough, from), None));
    let short = recording.buffer(HeapType::Upload, 831);
    recording.refuses(&rules::FOOTPRINT_PLACEMENT, "256", "needs 832", |list| {
        list.copy_texture_region(&sub(&to, 0), 0, 0, 0, &rows(&short, from), None)
    });
}

#[test]
fn every_rule_of_copies_is_broken() {
    let recording = recording();
    buffers(&recording);
    locations(&recording);
    footprints(&recording);
    regions(&recording);
    formats_and_samples(&recording);
    resources(&recording);
    // The software driver tells how all of its textures lie.
    recording.broke_all(rules::ALL, &[&rules::TEXTURE_OPAQUE]);
}

fn buffers(recording: &Recording) {
    let buffer = recording.buffer(HeapType::Default, 1000);
    let upload = recording.buffer(HeapType::Upload, 1000);
    let readback = recording.buffer(HeapType::Readback, 1000);
    let image = recording.default(rgba8(16, 16));
    let copy = |to: &Resource, at: u64, from: &Resource, from_at: u64, size: u64| {
        let (to, from) = (to.clone(), from.clone());
        move |list: &mut CommandList| list.copy_buffer_region(&to, at, &from, from_at, size)
    };
    let refuses = |rule: &'static Rule,
                   given: &str,
                   allowed: &str,
                   call: &dyn Fn(&mut CommandList) -> Result<(), Error>| {
        recording.refuses(rule, given, allowed, call)
    };
    refuses(&rules::BUFFER_DESTINATION, "TEXTURE2D", "a buffer", &copy(&image, 0, &buffer, 0, 1));
    refuses(&rules::BUFFER_SOURCE, "TEXTURE2D", "a buffer", &copy(&buffer, 0, &image, 0, 1));
    refuses(&rules::DESTINATION_HEAP, "UPLOAD", "another type", &copy(&upload, 0, &buffer, 0, 1));
    refuses(&rules::SOURCE_HEAP, "READBACK", "another type", &copy(&buffer, 0, &readback, 0, 1));
    for (offset, size) in [(999, 2), (1001, 0), (0, 1001), (1 << 63, 1), (u64::MAX, u64::MAX), (1, u64::MAX)]
    {
        let given = format!("{size} bytes at {offset}");
        let within = "within the buffer's 1000 bytes";
        let call = copy(&buffer, offset, &upload, 0, size);
        refuses(&rules::BUFFER_DESTINATION_RANGE, &given, within, &call);
        if size <= 1000 {
            let call = copy(&buffer, 0, &upload, offset, size);
            refuses(&rules::BUFFER_SOURCE_RANGE, &given, within, &call);
        }
    }
    refuses(
        &rules::BUFFER_OVERLAP,
        "[100, 200) to bytes [199, 299)",
        "overlap",
        &copy(&buffer, 199, &buffer, 100, 100),
    );
    recording.command(copy(&buffer, 200, &buffer, 100, 100));
}

fn locations(recording: &Recording) {
    let buffer = recording.buffer(HeapType::Default, 4096);
    let upload = recording.buffer(HeapType::Upload, 4096);
    let readback = recording.buffer(HeapType::Readback, 4096);
    let image = recording.default(rgba8(16, 16).with_mip_levels(2).with_array_size(3));
    let at = placed(0, RGBA8, [16, 16, 1], 256);
    let copy = |to: TextureCopyLocation<'_>, from: TextureCopyLocation<'_>| {
        let (to_resource, from_resource) = (to.resource.clone(), from.resource.clone());
        let (to_type, from_type) = (to.copy_type, from.copy_type);
        move |list: &mut CommandList| {
            let to = TextureCopyLocation { resource: &to_resource, copy_type: to_type };
            let from = TextureCopyLocation { resource: &from_resource, copy_type: from_type };
            list.copy_texture_region(&to, 0, 0, 0, &from, None)
        }
    };
    for (to, from, message) in [
        (sub(&buffer, 0), sub(&image, 0), 848),
        (rows(&image, at), sub(&image, 0), 848),
        (sub(&image, 0), sub(&buffer, 0), 861),
        (sub(&image, 0), rows(&image, at), 861),
    ] {
        let violation = recording.refuses(&rules::TEXTURE_KIND, "a ", "a ", copy(to, from));
        assert_eq!(violation.message.map(|message| message.number), Some(message));
    }
    for (to, from, message) in
        [(sub(&image, 6), sub(&image, 0), 850), (sub(&image, 0), sub(&image, u32::MAX), 863)]
    {
        let violation = recording.refuses(&rules::TEXTURE_SUBRESOURCE, "", "0 to 5", copy(to, from));
        assert_eq!(violation.message.map(|message| message.number), Some(message));
    }
    recording.refuses(&rules::DESTINATION_HEAP, "UPLOAD", "", copy(rows(&upload, at), sub(&image, 0)));
    recording.refuses(&rules::SOURCE_HEAP, "READBACK", "", copy(sub(&image, 0), rows(&readback, at)));
}

fn footprints(recording: &Recording) {
    let buffer = recording.buffer(HeapType::Default, MIB);
    let image = recording.default(rgba8(64, 64));
    let blocks = recording.default(texture(Format::BC1_UNORM, 64, 64));
    let to = |footprint: PlacedFootprint, from: &Resource| {
        let (buffer, from) = (buffer.clone(), from.clone());
        move |list: &mut CommandList| {
            list.copy_texture_region(&rows(&buffer, footprint), 0, 0, 0, &sub(&from, 0), None)
        }
    };
    for format in [Format::UNKNOWN, Format::NV12, Format::D24_UNORM_S8_UINT, Format::R24G8_TYPELESS] {
        let call = to(placed(0, format, [16, 16, 1], 256), &image);
        recording.refuses(&rules::FOOTPRINT_FORMAT, format.name(), "one plane", call);
    }
    // facts/behaviour.md: a BC height of 63.
    for (format, size, allowed) in [
        (Format::BC1_UNORM, [64, 63, 1], "multiples of 4x4x1"),
        (Format::BC1_UNORM, [62, 64, 1], "multiples of 4x4x1"),
        (Format::YUY2, [63, 64, 1], "multiples of 2x1x1"),
        (RGBA8, [0, 64, 1], "not 0"),
        (RGBA8, [64, 0, 1], "not 0"),
        (RGBA8, [64, 64, 0], "not 0"),
    ] {
        let call = to(placed(0, format, size, 256), &blocks);
        let given = format!("{}x{}x{}", size[0], size[1], size[2]);
        recording.refuses(&rules::FOOTPRINT_DIMENSIONS, &given, allowed, call);
    }
    recording.refuses(
        &rules::FOOTPRINT_OFFSET,
        "256",
        "512",
        to(placed(256, RGBA8, [64, 64, 1], 256), &image),
    );
    recording.refuses(
        &rules::FOOTPRINT_ROW_PITCH,
        "0",
        "at least 256",
        to(placed(0, RGBA8, [64, 64, 1], 0), &image),
    );
    let call = to(placed(MIB, RGBA8, [64, 64, 1], 256), &image);
    let violation = recording.refuses(&rules::FOOTPRINT_PLACEMENT, "1048576", "1064960", call);
    assert_eq!(violation.message.map(|message| message.number), Some(856), "of the destination");
}

fn regions(recording: &Recording) {
    let image = recording.default(rgba8(16, 8));
    let other = recording.default(rgba8(16, 8));
    let blocks = recording.default(texture(Format::BC1_UNORM, 16, 8));
    let more = recording.default(texture(Format::BC1_UNORM, 32, 32));
    let line = recording.default(ResourceDesc::texture_1d(RGBA8, 16));
    let copy = |to: &Resource, [x, y, z]: [u32; 3], from: &Resource, source_box: Option<Box3D>| {
        let (to, from) = (to.clone(), from.clone());
        move |list: &mut CommandList| {
            list.copy_texture_region(&sub(&to, 0), x, y, z, &sub(&from, 0), source_box.as_ref())
        }
    };
    for end in [[17, 8, 1], [16, 9, 1], [16, 8, 2], [u32::MAX, 8, 1]] {
        let call = copy(&image, [0; 3], &other, Some(box_of([15, 7, 0], end)));
        recording.refuses(&rules::TEXTURE_BOX_RANGE, "(15, 7, 0)", "within 16x8x1", call);
    }
    for (begin, end) in
        [([2, 0, 0], [8, 4, 1]), ([0, 0, 0], [7, 4, 1]), ([0, 1, 0], [8, 4, 1]), ([0, 0, 0], [8, 6, 1])]
    {
        let call = copy(&more, [0; 3], &blocks, Some(box_of(begin, end)));
        recording.refuses(&rules::TEXTURE_BOX_ALIGNMENT, "(", "multiples of 4x4x1", call);
    }
    // facts/behaviour.md: an unaligned destination y.
    for origin in [[0, 2, 0], [1, 0, 0]] {
        let call = copy(&more, origin, &blocks, None);
        recording.refuses(&rules::TEXTURE_DESTINATION_ALIGNMENT, "(", "multiples of 4x4x1", call);
    }
    for origin in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [u32::MAX, 0, 0]] {
        let call = copy(&image, origin, &other, None);
        recording.refuses(&rules::TEXTURE_DESTINATION_RANGE, "16x8x1 texels at", "within 16x8x1", call);
    }
    let call = copy(&line, [0; 3], &image, None);
    recording.refuses(&rules::TEXTURE_DESTINATION_RANGE, "16x8x1", "within 16x1x1", call);
    let quarter = Some(box_of([0, 0, 0], [8, 4, 1]));
    let call = copy(&image, [7, 3, 0], &image, quarter);
    recording.refuses(&rules::TEXTURE_OVERLAP, "element (7, 3, 0)", "no element", call);
    recording.command(copy(&image, [8, 0, 0], &image, quarter));
}

fn formats_and_samples(recording: &Recording) {
    let flags = ResourceFlags::ALLOW_DEPTH_STENCIL;
    let make = |format| recording.default(texture(format, 16, 16));
    let d24 = recording.default(texture(Format::D24_UNORM_S8_UINT, 16, 16).with_flags(flags));
    let nv12 = make(Format::NV12);
    let buffer = recording.buffer(HeapType::Default, MIB);
    let copy = |to: &Resource, plane: u32, from: &Resource| {
        let (to, from) = (to.clone(), from.clone());
        move |list: &mut CommandList| {
            list.copy_texture_region(&sub(&to, plane), 0, 0, 0, &sub(&from, 0), None)
        }
    };
    for (to, plane, from) in [
        (&make(RGBA8), 0, &make(Format::B8G8R8A8_UNORM)),
        (&make(RGBA8), 0, &make(Format::R32_UINT)),
        (&make(Format::BC1_UNORM), 0, &make(Format::BC4_UNORM)),
        (&make(Format::BC1_UNORM), 0, &make(Format::R32G32_FLOAT)),
        (&make(Format::BC3_UNORM), 0, &make(Format::R32G32_UINT)),
        (&d24, 1, &make(Format::R32_TYPELESS)),
        (&nv12, 1, &make(Format::R16_UNORM)),
        (&nv12, 0, &make(Format::R8G8_UNORM)),
    ] {
        let violation =
            recording.refuses(&rules::TEXTURE_FORMATS, " to ", "one family", copy(to, plane, from));
        assert_eq!(violation.message.map(|message| message.number), Some(874));
    }
    let wrong = placed(0, RGBA8, [16, 16, 1], 256);
    for (to, from, message) in
        [(rows(&buffer, wrong), sub(&d24, 0), 857), (sub(&d24, 0), rows(&buffer, wrong), 870)]
    {
        let call = |list: &mut CommandList| list.copy_texture_region(&to, 0, 0, 0, &from, None);
        let violation = recording.refuses(&rules::TEXTURE_FORMATS, "R32_TYPELESS", "one family", call);
        assert_eq!(violation.message.map(|message| message.number), Some(message));
    }

    let flags = ResourceFlags::ALLOW_RENDER_TARGET;
    let samples = |count, width| recording.default(rgba8(width, 16).with_samples(count).with_flags(flags));
    let (two, four, small) = (samples(2, 16), samples(4, 16), samples(4, 8));
    let one = make(RGBA8);
    for (to, from) in [(&one, &four), (&four, &one), (&two, &four)] {
        recording.refuses(&rules::TEXTURE_SAMPLES, "samples of quality 0", "the same", copy(to, 0, from));
    }
    let other = samples(4, 16);
    let part = box_of([0, 0, 0], [8, 16, 1]);
    for (to, x, source_box) in [(&other, 0, Some(&part)), (&other, 8, Some(&part)), (&small, 0, Some(&part))]
    {
        let call = |list: &mut CommandList| {
            list.copy_texture_region(&sub(to, 0), x, 0, 0, &sub(&four, 0), source_box)
        };
        recording.refuses(&rules::TEXTURE_SAMPLES, "a part of 16x16x1", "all 16x16x1", call);
    }
}

fn resources(recording: &Recording) {
    let image = recording.default(rgba8(16, 16));
    let copy = |to: &Resource, from: &Resource| {
        let (to, from) = (to.clone(), from.clone());
        move |list: &mut CommandList| list.copy_resource(&to, &from)
    };
    recording.refuses(&rules::RESOURCE_SAME, "twice", "two", copy(&image, &image));
    for other in [
        rgba8(8, 16),
        rgba8(16, 8),
        rgba8(16, 16).with_array_size(2),
        rgba8(16, 16).with_mip_levels(2),
        rgba8(16, 16).with_samples(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET),
        ResourceDesc::texture_3d(RGBA8, 16, 16, 1),
        ResourceDesc::buffer(1024),
    ] {
        let other = recording.default(other);
        recording.refuses(&rules::RESOURCE_SHAPE, " to ", "one shape", copy(&image, &other));
    }
    let (large, small) =
        (recording.buffer(HeapType::Default, 1001), recording.buffer(HeapType::Default, 1000));
    recording.refuses(&rules::RESOURCE_SHAPE, "1000 bytes to a buffer of 1001", "", copy(&large, &small));
    let other = recording.default(texture(Format::R32_UINT, 16, 16));
    let call = copy(&image, &other);
    recording.refuses(&rules::RESOURCE_FORMATS, "R32_UINT to R8G8B8A8_UNORM", "R32_TYPELESS", call);
    let srgb = recording.default(texture(Format::R8G8B8A8_UNORM_SRGB, 16, 16));
    recording.command(copy(&image, &srgb));
    // The reinterpretations of CopyTextureRegion keep a texel's extent for 32 bits only.
    let shared_exponent = recording.default(texture(Format::R9G9B9E5_SHAREDEXP, 16, 16));
    for integer in [Format::R32_UINT, Format::R32_SINT] {
        let integer = recording.default(texture(integer, 16, 16));
        recording.command(copy(&shared_exponent, &integer));
        recording.command(copy(&integer, &shared_exponent));
    }
    let float = recording.default(texture(Format::R32_FLOAT, 16, 16));
    let call = copy(&shared_exponent, &float);
    recording.refuses(
        &rules::RESOURCE_FORMATS,
        "R32_FLOAT to R9G9B9E5_SHAREDEXP",
        "beside R32_UINT or R32_SINT",
        call,
    );
    let blocks = recording.default(texture(Format::BC1_UNORM, 16, 16));
    let integers = recording.default(texture(Format::R32G32_UINT, 16, 16));
    let call = copy(&blocks, &integers);
    recording.refuses(&rules::RESOURCE_FORMATS, "R32G32_UINT to BC1_UNORM", "R32G32_TYPELESS", call);
}
