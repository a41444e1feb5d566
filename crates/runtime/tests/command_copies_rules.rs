//! CopyBufferRegion, CopyTextureRegion and CopyResource: what each refuses.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use common::*;
use heapstone::spec::commands::Box3D;
use heapstone::spec::rules::copy as rules;
use heapstone::{
    CommandList, Error, Format, HeapType, PlacedFootprint, Resource, ResourceDesc, ResourceFlags, Rule,
    SdkVersion, TextureCopyLocation,
};
use recording::*;

fn recording() -> Recording {
    Recording::on(device("discrete-8g"))
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
    wholes(&recording);
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
    // With programmable sample positions a part is copied as of other textures.
    for (to, x) in [(&other, 0), (&other, 8), (&small, 0)] {
        recording.command(|list| list.copy_texture_region(&sub(to, 0), x, 0, 0, &sub(&four, 0), Some(&part)));
    }
}

/// Without programmable sample positions depth-stencils and multisampled textures are copied whole.
fn wholes(of_all: &Recording) {
    let recording = Recording::on(device("cache-coherent-uma"));
    let depth = |width| {
        recording
            .default(texture(Format::D32_FLOAT, width, 16).with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL))
    };
    let samples = |width| {
        recording.default(rgba8(width, 16).with_samples(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET))
    };
    let part = box_of([0, 0, 0], [8, 16, 1]);
    for (image, other, small) in [(depth(16), depth(16), depth(8)), (samples(16), samples(16), samples(8))] {
        let copy = |to: &Resource, x, from: &Resource, source_box: Option<Box3D>| {
            let (to, from) = (to.clone(), from.clone());
            move |list: &mut CommandList| {
                list.copy_texture_region(&sub(&to, 0), x, 0, 0, &sub(&from, 0), source_box.as_ref())
            }
        };
        recording.command(copy(&other, 0, &image, None));
        recording.command(copy(&other, 0, &image, Some(box_of([0, 0, 0], [16, 16, 1]))));
        for (call, given) in [
            (copy(&other, 0, &image, Some(part)), "8x16 texels at (0, 0) of 16x16"),
            (copy(&small, 0, &image, Some(part)), "8x16 texels at (0, 0) of 16x16"),
            (copy(&image, 8, &small, None), "8x16 texels at (8, 0) of 16x16"),
        ] {
            recording.refuses(&rules::TEXTURE_WHOLE, given, "all 16x16", call);
        }
    }
    // Beside rows the depth-stencil is whole, and the rows need not be.
    let image = depth(16);
    let buffer = recording.buffer(HeapType::Default, MIB);
    let wide = placed(0, Format::R32_FLOAT, [64, 64, 1], 256);
    recording.command(|list| list.copy_texture_region(&rows(&buffer, wide), 4, 4, 0, &sub(&image, 0), None));
    recording.command(|list| {
        let all = box_of([4, 4, 0], [20, 20, 1]);
        list.copy_texture_region(&sub(&image, 0), 0, 0, 0, &rows(&buffer, wide), Some(&all))
    });
    recording.refuses(&rules::TEXTURE_WHOLE, "8x16 texels", "all 16x16", |list| {
        list.copy_texture_region(&rows(&buffer, wide), 0, 0, 0, &sub(&image, 0), Some(&part))
    });
    recording.refuses(&rules::TEXTURE_WHOLE, "8x16 texels", "all 16x16", |list| {
        list.copy_texture_region(&sub(&image, 0), 0, 0, 0, &rows(&buffer, wide), Some(&part))
    });
    // Of no depth-stencil a part is copied there too.
    let (one, two) = (recording.default(rgba8(16, 16)), recording.default(rgba8(16, 16)));
    recording.command(|list| list.copy_texture_region(&sub(&one, 0), 8, 0, 0, &sub(&two, 0), Some(&part)));
    of_all.broke(&rules::TEXTURE_WHOLE);
}

/// With UnrestrictedBufferTextureCopyPitchSupported footprints need whole elements only; D3D12's own
/// alignments stay legal.
#[test]
fn adapters_without_pitch_restrictions_take_whole_elements() {
    let recording = Recording::on(device("discrete-256k-images"));
    let buffer = recording.buffer(HeapType::Default, MIB);
    for (format, offset, width, pitch) in [
        (RGBA8, 4, 7, 28),
        (RGBA8, 512, 7, 256),
        (Format::R8_UNORM, 1, 3, 3),
        (Format::R32G32B32_FLOAT, 12, 5, 60),
        (Format::R32G32B32_FLOAT, 512, 5, 256),
        (Format::R32G32B32A32_FLOAT, 16, 3, 48),
        (Format::BC1_UNORM, 8, 12, 24),
        (Format::BC7_UNORM, 16, 8, 32),
    ] {
        let image = recording.default(texture(format, 16, 16));
        let footprint = placed(offset, format, [width, 4, 1], pitch);
        recording.command(|list| {
            list.copy_texture_region(&sub(&image, 0), 0, 0, 0, &rows(&buffer, footprint), None)
        });
        let to = placed(offset, format, [16, 16, 1], pitch * 64);
        recording
            .command(|list| list.copy_texture_region(&rows(&buffer, to), 0, 0, 0, &sub(&image, 0), None));
    }
    let image = recording.default(rgba8(16, 16));
    let call = |footprint| {
        let (image, buffer) = (image.clone(), buffer.clone());
        move |list: &mut CommandList| {
            list.copy_texture_region(&sub(&image, 0), 0, 0, 0, &rows(&buffer, footprint), None)
        }
    };
    let of = |offset, pitch| call(placed(offset, RGBA8, [7, 4, 1], pitch));
    recording.refuses(&rules::FOOTPRINT_OFFSET, "2", "512 or of the element's 4", of(2, 28));
    recording.refuses(
        &rules::FOOTPRINT_ROW_PITCH,
        "30",
        "256 or of the element's 4 of at least 28",
        of(4, 30),
    );
    recording.refuses(&rules::FOOTPRINT_ROW_PITCH, "24", "at least 28", of(4, 24));

    // The SDK before the query does not know it, and the rule stands.
    let old = Recording::on(device_under("discrete-256k-images", SdkVersion::Inbox));
    let (image, buffer) = (old.default(rgba8(16, 16)), old.buffer(HeapType::Default, MIB));
    let footprint = placed(0, RGBA8, [7, 4, 1], 28);
    old.refuses(&rules::FOOTPRINT_ROW_PITCH, "28", "a multiple of 256", |list| {
        list.copy_texture_region(&sub(&image, 0), 0, 0, 0, &rows(&buffer, footprint), None)
    });
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
