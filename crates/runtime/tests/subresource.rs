//! WriteToSubresource and ReadFromSubresource: what they refuse, and where the texels come to lie.
#![allow(clippy::cast_possible_truncation, reason = "bytes of a test are few")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::Arc;

use common::*;
use heapstone::spec::commands::Box3D;
use heapstone::spec::message;
use heapstone::spec::rules::{mapping, subresource as rules};
use heapstone::*;
use parking_lot::Mutex;
use proptest::prelude::*;

/// On a heap that the CPU reads and writes.
fn visible(desc: ResourceDesc) -> CommittedResourceDesc<'static> {
    let properties = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0);
    CommittedResourceDesc {
        heap_properties: properties,
        ..CommittedResourceDesc::new(HeapType::Default, desc)
    }
}

fn texture(device: &Device, desc: ResourceDesc) -> Resource {
    device.create_committed_resource(&visible(desc)).unwrap()
}

fn boxed([left, top, front]: [u32; 3], [right, bottom, back]: [u32; 3]) -> Box3D {
    Box3D { left, top, front, right, bottom, back }
}

/// A call of either, with room for everything.
fn write(resource: &Resource, subresource: u32, texels: Option<Box3D>) -> Result<(), Error> {
    resource.write_to_subresource(subresource, texels.as_ref(), &vec![0; 1 << 20], 1 << 12, 1 << 18)
}

fn read(resource: &Resource, subresource: u32, texels: Option<Box3D>) -> Result<(), Error> {
    resource.read_from_subresource(&mut vec![0; 1 << 20], 1 << 12, 1 << 18, subresource, texels.as_ref())
}

/// That both calls refuse it, by messages of their own.
#[track_caller]
fn both_refuse(
    resource: &Resource,
    (subresource, texels): (u32, Option<Box3D>),
    rule: &'static Rule,
    messages: [message::MessageId; 2],
    given: &str,
    allowed: &str,
) {
    let written = refused(write(resource, subresource, texels), rule);
    let was_read = refused(read(resource, subresource, texels), rule);
    for (violation, message) in [(written, messages[0]), (was_read, messages[1])] {
        assert_eq!(violation.message, Some(message), "{violation}");
        says(&violation, "", &[given], &[allowed]);
    }
}

const KIND: [message::MessageId; 2] =
    [message::WRITETOSUBRESOURCE_INVALIDRESOURCE, message::READFROMSUBRESOURCE_INVALIDRESOURCE];
const HEAP: [message::MessageId; 2] =
    [message::WRITETOSUBRESOURCE_INVALIDHEAP, message::READFROMSUBRESOURCE_INVALIDHEAP];
const BOX: [message::MessageId; 2] =
    [message::WRITETOSUBRESOURCE_INVALIDBOX, message::READFROMSUBRESOURCE_INVALIDBOX];
const INDEX: [message::MessageId; 2] =
    [message::WRITETOSUBRESOURCE_INVALIDSUBRESOURCE, message::READFROMSUBRESOURCE_INVALIDSUBRESOURCE];

#[test]
fn resources_that_the_cpu_does_not_copy_are_refused() {
    let device = host_device("discrete-8g");
    let whole = (0, None);
    let buffer = device.create_committed_resource(&visible(ResourceDesc::buffer(1000))).unwrap();
    both_refuse(&buffer, whole, &rules::BUFFER, KIND, "a buffer", "a texture");

    let reserved = rgba8(128, 128).with_layout(TextureLayout::Undefined64KbSwizzle);
    let reserved = device.create_reserved_resource(&ReservedResourceDesc::new(reserved)).unwrap();
    both_refuse(&reserved, whole, &rules::RESERVED, KIND, "a reserved resource", "placed or committed");

    let hidden = CommittedResourceDesc::new(HeapType::Default, rgba8(16, 16));
    let hidden = device.create_committed_resource(&hidden).unwrap();
    both_refuse(
        &hidden,
        whole,
        &rules::HEAP,
        HEAP,
        "DEFAULT heap, CPUPageProperty NOT_AVAILABLE",
        "WRITE_COMBINE",
    );

    let samples = render_target(64, 64).with_samples(4);
    let samples = texture(&device, samples);
    both_refuse(&samples, whole, &mapping::MAP_OPAQUE_KIND, KIND, "4", "1");

    let depth = texture(&device, depth_stencil(64, 64));
    both_refuse(
        &depth,
        whole,
        &mapping::MAP_OPAQUE_KIND,
        KIND,
        "ALLOW_DEPTH_STENCIL",
        "no ALLOW_DEPTH_STENCIL",
    );

    let odd = ResourceDesc::texture_2d(Format::R32G32B32_FLOAT, 16, 16);
    let odd = texture(&device, odd);
    both_refuse(&odd, whole, &mapping::MAP_OPAQUE_FORMAT, KIND, "96 bits", "128 bits");
    let violation = refused(odd.map(0, None, MapPointer::Null), &mapping::MAP_OPAQUE_FORMAT);
    assert_eq!(violation.message, Some(message::MAP_INVALIDRESOURCE));

    let mips = ResourceDesc::texture_3d(Format::R8G8B8A8_UNORM, 16, 16, 16).with_mip_levels(2);
    let mips = texture(&device, mips);
    both_refuse(&mips, whole, &mapping::MAP_OPAQUE_3D, KIND, "2", "1");
}

#[test]
fn boxes_and_indices_lie_in_the_texture() {
    let device = host_device("discrete-8g");
    // 2 mips, 3 slices.
    let plain = texture(&device, rgba8(100, 60).with_mip_levels(2).with_array_size(3));
    both_refuse(&plain, (6, None), &rules::INDEX, INDEX, "6", "0 to 5");
    both_refuse(&plain, (u32::MAX, None), &rules::INDEX, INDEX, "4294967295", "0 to 5");
    for texels in [
        boxed([0, 0, 0], [101, 60, 1]),
        boxed([0, 0, 0], [100, 61, 1]),
        boxed([0, 0, 0], [100, 60, 2]),
        boxed([99, 59, 0], [u32::MAX, u32::MAX, u32::MAX]),
    ] {
        let given = texels.to_string();
        both_refuse(&plain, (0, Some(texels)), &rules::BOX_RANGE, BOX, &given, "within 100x60x1");
    }
    // Mip 1 of slice 2.
    let texels = boxed([0, 0, 0], [51, 30, 1]);
    both_refuse(&plain, (5, Some(texels)), &rules::BOX_RANGE, BOX, "(51, 30, 1)", "within 50x30x1");

    // Blocks of 4x4: 15 x 8 texels are 4 x 2 blocks.
    let blocks = texture(&device, ResourceDesc::texture_2d(Format::BC1_UNORM, 60, 32).with_mip_levels(3));
    for texels in [boxed([1, 0, 0], [4, 4, 1]), boxed([0, 2, 0], [4, 4, 1]), boxed([0, 0, 0], [4, 6, 1])] {
        let given = texels.to_string();
        both_refuse(&blocks, (0, Some(texels)), &rules::BOX_BLOCK, BOX, &given, "multiples of 4x4x1");
    }
    let texels = boxed([0, 0, 0], [20, 8, 1]);
    both_refuse(&blocks, (2, Some(texels)), &rules::BOX_RANGE, BOX, "(20, 8, 1)", "within 16x8x1");
    write(&blocks, 2, Some(boxed([12, 4, 0], [16, 8, 1]))).unwrap();
}

// facts/behaviour.md: empty boxes are fine even at the far corner.
#[test]
fn a_box_without_texels_is_no_copy() {
    let device = host_device("discrete-8g");
    let plain = texture(&device, rgba8(16, 16));
    let blocks = texture(&device, ResourceDesc::texture_2d(Format::BC1_UNORM, 16, 16));
    for texels in [
        boxed([0, 0, 0], [0, 0, 0]),
        boxed([16, 16, 1], [16, 16, 1]),
        boxed([5, 5, 0], [5, 9, 1]),
        boxed([9, 9, 1], [3, 3, 0]),
    ] {
        for resource in [&plain, &blocks] {
            // Neither pitches nor data are looked at.
            resource.write_to_subresource(0, Some(&texels), &[], 0, 0).unwrap();
            resource.read_from_subresource(&mut [], 0, 0, 0, Some(&texels)).unwrap();
        }
    }
    // The texture is.
    let violation =
        refused(plain.write_to_subresource(1, Some(&boxed([0; 3], [0; 3])), &[], 0, 0), &rules::INDEX);
    says(&violation, "DstSubresource", &["1"], &["0 to 0"]);
    // And a device that is gone is told of where something would be read (spec/2-resource-heaps.txt 321).
    device.remove();
    read(&plain, 0, Some(boxed([16, 16, 1], [16, 16, 1]))).unwrap();
    assert!(matches!(read(&plain, 0, None), Err(Error::DeviceRemoved(_))));
}

#[test]
fn pitches_and_data_are_large_enough() {
    let device = host_device("discrete-8g");
    let volume = ResourceDesc::texture_3d(Format::R16_UINT, 10, 6, 4);
    let volume = texture(&device, volume);
    let mut data = vec![0; 1000];
    // A row of 10 texels of 2 bytes, 6 rows, 4 slices.
    let violation = refused(volume.write_to_subresource(0, None, &data, 19, 120), &rules::ROW_PITCH);
    says(&violation, "SrcRowPitch", &["19"], &["at least 20"]);
    let violation = refused(volume.read_from_subresource(&mut data, 19, 120, 0, None), &rules::ROW_PITCH);
    says(&violation, "DstRowPitch", &["19"], &["at least 20"]);
    // 5 rows of 24 bytes and one of 20.
    let violation = refused(volume.write_to_subresource(0, None, &data, 24, 139), &rules::DEPTH_PITCH);
    says(&violation, "SrcDepthPitch", &["139"], &["at least 140"]);
    let violation = refused(volume.read_from_subresource(&mut data, 24, 0, 0, None), &rules::DEPTH_PITCH);
    says(&violation, "DstDepthPitch", &["0"], &["at least 140"]);
    // 3 slices of 150 bytes and one of 140.
    let violation = refused(volume.write_to_subresource(0, None, &data[..589], 24, 150), &rules::DATA);
    says(&violation, "pSrcData", &["589 bytes"], &["590, for 4 slices of 6 rows of 20 bytes"]);
    let violation = refused(volume.read_from_subresource(&mut data[..589], 24, 150, 0, None), &rules::DATA);
    says(&violation, "pDstData", &["589 bytes"], &["590"]);
    volume.write_to_subresource(0, None, &data[..590], 24, 150).unwrap();
    volume.read_from_subresource(&mut data[..590], 24, 150, 0, None).unwrap();
    let violation =
        refused(volume.write_to_subresource(0, None, &data, u32::MAX, u32::MAX), &rules::DEPTH_PITCH);
    says(&violation, "SrcDepthPitch", &["4294967295"], &["21474836495"]);

    // One row of one slice has no pitch.
    let row = boxed([2, 3, 1], [7, 4, 2]);
    volume.write_to_subresource(0, Some(&row), &data[..10], 0, 0).unwrap();
    let violation = refused(volume.write_to_subresource(0, Some(&row), &data[..9], 0, 0), &rules::DATA);
    says(&violation, "pSrcData", &["9 bytes"], &["10, for 1 slices of 1 rows of 10 bytes"]);
    // Rows of blocks: 3 blocks of 8 bytes.
    let blocks = texture(&device, ResourceDesc::texture_2d(Format::BC1_UNORM, 12, 8));
    let violation = refused(blocks.write_to_subresource(0, None, &data, 23, 0), &rules::ROW_PITCH);
    says(&violation, "SrcRowPitch", &["23"], &["at least 24"]);
}

#[test]
fn a_phantom_texture_has_no_bytes() {
    let device = device("discrete-8g");
    let plain = texture(&device, rgba8(16, 16));
    assert!(matches!(write(&plain, 0, None), Err(Error::Driver(error)) if *error == DriverError::NoBytes));
    assert!(matches!(read(&plain, 0, None), Err(Error::Driver(error)) if *error == DriverError::NoBytes));
}

/// The bits of `value` at the ones of `mask`, lowest first.
fn deposit(mut value: u64, mask: u64) -> u64 {
    let mut deposited = 0;
    for bit in (0..64).filter(|bit| mask >> bit & 1 != 0) {
        deposited |= (value & 1) << bit;
        value >>= 1;
    }
    deposited
}

// facts/layout.md, 64 KB standard swizzle: X in 2D has the mask AA8F of 32 bits, and counts bytes; Y is the
// complement; tiles of 128x128.
#[test]
fn standard_swizzled_texels_lie_where_the_facts_say() {
    let device = host_device("integrated-uma");
    let desc = HeapDesc {
        properties: HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0),
        ..HeapDesc::new(4 * MIB, HeapType::Default)
    };
    let heap = device.create_heap(&desc).unwrap();
    let (width, height) = (300, 200);
    let placed =
        PlacedResourceDesc::new(rgba8(width, height).with_layout(TextureLayout::Standard64KbSwizzle));
    let swizzled = device.create_placed_resource(&heap, MIB, &placed).unwrap();
    let bytes = device
        .create_placed_resource(&heap, 0, &PlacedResourceDesc::new(ResourceDesc::buffer(4 * MIB)))
        .unwrap();

    let texel = |x: u64, y: u64| u32::try_from(y * width + x).unwrap().to_le_bytes();
    let row_pitch = usize::try_from(width * 4).unwrap() + 12;
    let mut rows = vec![0xEE; row_pitch * height as usize];
    for y in 0..u64::from(height) {
        for x in 0..width {
            let at = y as usize * row_pitch + x as usize * 4;
            rows[at..at + 4].copy_from_slice(&texel(x, y));
        }
    }
    swizzled.write_to_subresource(0, None, &rows, row_pitch as u32, 0).unwrap();

    let mut all = vec![0; 4 << 20];
    bytes.read(0, &mut all).unwrap();
    // 3 x 2 tiles.
    for y in 0..u64::from(height) {
        for x in 0..width {
            let tile = (y / 128) * 3 + x / 128;
            let within = deposit(x % 128 * 4, 0xAA8F) | deposit(y % 128, 0x5570);
            let at = (MIB + tile * 64 * KIB + within) as usize;
            assert_eq!(all[at..at + 4], texel(x, y), "({x}, {y}) at {at}");
        }
    }
    // Read from what lies there: the one byte that the alias changes.
    let at = MIB + (64 * KIB * 4) + (deposit((200 % 128) * 4, 0xAA8F) | deposit(150 % 128, 0x5570));
    bytes.write(at, &[1, 2, 3, 4]).unwrap();
    let mut one = [0; 4];
    swizzled.read_from_subresource(&mut one, 0, 0, 0, Some(&boxed([200, 150, 0], [201, 151, 1]))).unwrap();
    assert_eq!(one, [1, 2, 3, 4]);
}

/// A texture that is copied at random, and what each of its subresources must hold, row by row without
/// padding.
struct Model {
    texture: Resource,
    surfaces: Vec<ModelSurface>,
}

struct ModelSurface {
    /// In elements, and texels of one.
    elements: [u32; 3],
    texels: [u32; 2],
    element_bytes: usize,
    bytes: Vec<u8>,
}

impl Model {
    fn new(device: &Device, desc: ResourceDesc, element_bytes: usize, block: [u32; 2]) -> Model {
        let texture = texture(device, desc);
        let is_3d = desc.dimension == ResourceDimension::Texture3D;
        let slices = if is_3d { 1 } else { desc.depth_or_array_size };
        let mut surfaces = Vec::new();
        for _ in 0..slices {
            for mip in 0..texture.desc().mip_levels {
                let shrink = |extent: u64| u32::try_from(extent >> mip).unwrap().max(1);
                let depth = if is_3d { shrink(u64::from(desc.depth_or_array_size)) } else { 1 };
                let elements = [
                    shrink(desc.width).div_ceil(block[0]),
                    shrink(u64::from(desc.height)).div_ceil(block[1]),
                    depth,
                ];
                let count: u32 = elements.iter().product();
                let bytes = vec![0; count as usize * element_bytes];
                surfaces.push(ModelSurface { elements, texels: block, element_bytes, bytes });
            }
        }
        Model { texture, surfaces }
    }

    fn step(&mut self, step: &Step) {
        let index = step.subresource.index(self.surfaces.len());
        let surface = &mut self.surfaces[index];
        // A box of at least one element.
        let axis = |axis: usize| {
            let extent = surface.elements[axis];
            let begin = u32::from(step.corner[axis]) % extent;
            (begin, begin + 1 + u32::from(step.size[axis]) % (extent - begin))
        };
        let [(left, right), (top, bottom), (front, back)] = [axis(0), axis(1), axis(2)];
        let texels = boxed(
            [left * surface.texels[0], top * surface.texels[1], front],
            [right * surface.texels[0], bottom * surface.texels[1], back],
        );
        let row = (right - left) as usize * surface.element_bytes;
        let row_pitch = row + usize::from(step.padding[0]);
        let slice_pitch = row_pitch * (bottom - top) as usize + usize::from(step.padding[1]);
        let mut data = vec![0xEE; slice_pitch * (back - front) as usize];
        let is_all = left == 0 && top == 0 && front == 0 && [right, bottom, back] == surface.elements;
        let given = (!is_all || step.says_box).then_some(&texels);
        let pitches = [row_pitch, slice_pitch].map(|pitch| u32::try_from(pitch).unwrap());
        let subresource = u32::try_from(index).unwrap();

        if step.writes {
            for (at, byte) in data.iter_mut().enumerate() {
                *byte = step.seed.wrapping_mul(31).wrapping_add((at % 251) as u8);
            }
            self.texture.write_to_subresource(subresource, given, &data, pitches[0], pitches[1]).unwrap();
        } else {
            self.texture
                .read_from_subresource(&mut data, pitches[0], pitches[1], subresource, given)
                .unwrap();
        }
        // Row by row against what must be there.
        for z in front..back {
            for y in top..bottom {
                let [width, height, _] = surface.elements.map(|extent| extent as usize);
                let first =
                    ((z as usize * height + y as usize) * width + left as usize) * surface.element_bytes;
                let at = (z - front) as usize * slice_pitch + (y - top) as usize * row_pitch;
                let kept = &mut surface.bytes[first..first + row];
                if step.writes {
                    kept.copy_from_slice(&data[at..at + row]);
                } else {
                    assert_eq!(&data[at..at + row], kept, "row {y} of slice {z} of subresource {index}");
                    let is_last = y + 1 == bottom;
                    let padding = if is_last { 0 } else { row_pitch - row };
                    assert!(data[at + row..at + row + padding].iter().all(|byte| *byte == 0xEE), "padding");
                }
            }
        }
    }

    /// Every subresource, all of it.
    fn check(&self) {
        for (index, surface) in self.surfaces.iter().enumerate() {
            let mut data = vec![0xEE; surface.bytes.len()];
            let row = surface.elements[0] as usize * surface.element_bytes;
            let pitches =
                [row, row * surface.elements[1] as usize].map(|pitch| u32::try_from(pitch).unwrap());
            let subresource = u32::try_from(index).unwrap();
            self.texture.read_from_subresource(&mut data, pitches[0], pitches[1], subresource, None).unwrap();
            assert_eq!(data, surface.bytes, "subresource {index}");
        }
    }
}

#[derive(Clone, Debug)]
struct Step {
    subresource: prop::sample::Index,
    corner: [u16; 3],
    size: [u16; 3],
    padding: [u8; 2],
    writes: bool,
    says_box: bool,
    seed: u8,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (
        any::<prop::sample::Index>(),
        any::<[u16; 3]>(),
        any::<[u16; 3]>(),
        any::<[u8; 2]>(),
        prop::bool::weighted(0.7),
        any::<bool>(),
        any::<u8>(),
    );
    let step = step.prop_map(|(subresource, corner, size, padding, writes, says_box, seed)| Step {
        subresource,
        corner,
        size,
        padding,
        writes,
        says_box,
        seed,
    });
    prop::collection::vec(step, 1..12)
}

fn two_d(format: Format, width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(format, width, height)
}

/// Of every texel size and layout: description, bytes of an element, texels of one.
fn textures() -> Vec<(ResourceDesc, usize, [u32; 2])> {
    let standard = TextureLayout::Standard64KbSwizzle;
    let undefined = TextureLayout::Undefined64KbSwizzle;
    let volume = |format| ResourceDesc::texture_3d(format, 33, 17, 9);
    vec![
        (two_d(Format::R8_UNORM, 131, 67).with_mip_levels(0), 1, [1, 1]),
        (two_d(Format::R16_FLOAT, 65, 33).with_array_size(3), 2, [1, 1]),
        (two_d(Format::R8G8B8A8_UNORM, 150, 140).with_mip_levels(0).with_array_size(2), 4, [1, 1]),
        (two_d(Format::R32G32_UINT, 100, 70), 8, [1, 1]),
        (two_d(Format::R32G32B32A32_FLOAT, 70, 90).with_mip_levels(3), 16, [1, 1]),
        (two_d(Format::BC1_UNORM, 124, 60).with_mip_levels(0), 8, [4, 4]),
        (two_d(Format::BC7_UNORM, 60, 124).with_array_size(2), 16, [4, 4]),
        (two_d(Format::R8G8B8A8_UNORM, 300, 130).with_layout(standard).with_mip_levels(2), 4, [1, 1]),
        (two_d(Format::BC3_UNORM, 520, 260).with_layout(standard), 16, [4, 4]),
        (two_d(Format::R8G8B8A8_UNORM, 300, 130).with_layout(undefined), 4, [1, 1]),
        (ResourceDesc::texture_1d(Format::R32_UINT, 1000).with_mip_levels(0).with_array_size(2), 4, [1, 1]),
        (volume(Format::R8_UINT), 1, [1, 1]),
        (volume(Format::R32G32B32A32_UINT), 16, [1, 1]),
        (volume(Format::R32_FLOAT).with_layout(standard).with_mip_levels(2), 4, [1, 1]),
        (render_target(80, 50), 4, [1, 1]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn boxes_come_back_as_a_naive_model_says(which in 0usize..15, uma in any::<bool>(), steps in steps()) {
        let device = host_device(if uma { "integrated-uma" } else { "discrete-8g" });
        let (desc, element_bytes, block) = textures().swap_remove(which);
        let mut model = Model::new(&device, desc, element_bytes, block);
        for step in &steps {
            model.step(step);
        }
        model.check();
    }
}

#[test]
fn a_placed_texture_leaves_its_neighbours_alone() {
    let device = host_device("integrated-uma");
    let desc = HeapDesc {
        properties: HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0),
        ..HeapDesc::new(MIB, HeapType::Default)
    };
    let heap = device.create_heap(&desc).unwrap();
    let all =
        device.create_placed_resource(&heap, 0, &PlacedResourceDesc::new(ResourceDesc::buffer(MIB))).unwrap();
    all.write(0, &vec![0xAB; 1 << 20]).unwrap();
    let placed =
        device.create_placed_resource(&heap, 256 * KIB, &PlacedResourceDesc::new(rgba8(100, 100))).unwrap();
    placed.write_to_subresource(0, None, &[0xCD; 40_000], 400, 0).unwrap();
    let mut bytes = vec![0; 1 << 20];
    all.read(0, &mut bytes).unwrap();
    let (begin, end) = (256 << 10, (256 << 10) + usize::try_from(placed.size()).unwrap());
    assert!(bytes[..begin].iter().chain(&bytes[end..]).all(|byte| *byte == 0xAB));
    assert_eq!(bytes[begin..end].iter().filter(|byte| **byte == 0xCD).count(), 40_000);
}

#[test]
fn observers_hear_of_both_calls() {
    #[derive(Default)]
    struct Calls(Mutex<Vec<String>>);
    impl Observer for Calls {
        fn observe(&self, call: &Call<'_>) {
            let text = match call {
                Call::WriteToSubresource { subresource, destination_box, data, outcome, .. } => {
                    format!("write {subresource} {destination_box:?} {} {}", data.len(), outcome.is_ok())
                }
                Call::ReadFromSubresource {
                    subresource, source_box, destination_row_pitch, outcome, ..
                } => {
                    format!("read {subresource} {source_box:?} {destination_row_pitch} {}", outcome.is_ok())
                }
                _ => return,
            };
            self.0.lock().push(text);
        }
    }
    let heard = Arc::<Calls>::default();
    let device = Device::builder()
        .profile(profile("discrete-8g"))
        .driver(&heapstone_driver_soft::SoftDriverFactory::default())
        .observer(Arc::<Calls>::clone(&heard))
        .build()
        .unwrap();
    let plain = texture(&device, rgba8(4, 4));
    plain.write_to_subresource(0, None, &[0; 64], 16, 0).unwrap();
    plain.read_from_subresource(&mut [0; 64], 16, 0, 1, None).unwrap_err();
    assert_eq!(*heard.0.lock(), ["write 0 None 64 true", "read 1 None 16 false"]);
}
