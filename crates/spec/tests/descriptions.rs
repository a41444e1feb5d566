//! Descriptions and limits, against values typed from D3D12's headers and the specification.

use heapstone_spec::{
    CpuPageProperty, Format, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, MipRegion,
    ResourceAllocationInfo, ResourceDesc, ResourceDimension, ResourceFlags, SampleDesc, TextureLayout,
    limits,
};

#[test]
fn a_buffer_is_described_as_d3d12_demands() {
    let want = ResourceDesc {
        dimension: ResourceDimension::Buffer,
        alignment: 0,
        width: 1 << 63,
        height: 1,
        depth_or_array_size: 1,
        mip_levels: 1,
        format: Format::UNKNOWN,
        sample_desc: SampleDesc { count: 1, quality: 0 },
        layout: TextureLayout::RowMajor,
        flags: ResourceFlags::empty(),
        sampler_feedback_mip_region: MipRegion { width: 0, height: 0, depth: 0 },
    };
    assert_eq!(ResourceDesc::buffer(1 << 63), want);
    assert!(want.is_buffer());
}

#[test]
fn textures_set_only_what_is_asked() {
    let format = Format::BC7_UNORM;
    let one = ResourceDesc::texture_1d(format, 7);
    assert_eq!((one.dimension, one.width, one.height), (ResourceDimension::Texture1D, 7, 1));
    let two = ResourceDesc::texture_2d(format, 7, 5);
    assert_eq!((two.dimension, two.width, two.height), (ResourceDimension::Texture2D, 7, 5));
    assert_eq!((two.depth_or_array_size, two.mip_levels, two.layout), (1, 1, TextureLayout::Unknown));
    let three = ResourceDesc::texture_3d(format, 7, 5, 3);
    assert_eq!((three.dimension, three.depth_or_array_size), (ResourceDimension::Texture3D, 3));
    assert!(!two.is_buffer());

    let changed = two
        .with_mip_levels(0)
        .with_array_size(6)
        .with_samples(4)
        .with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS)
        .with_layout(TextureLayout::Undefined64KbSwizzle)
        .with_alignment(4096);
    let want = ResourceDesc {
        alignment: 4096,
        depth_or_array_size: 6,
        mip_levels: 0,
        sample_desc: SampleDesc { count: 4, quality: 0 },
        layout: TextureLayout::Undefined64KbSwizzle,
        flags: ResourceFlags::ALLOW_UNORDERED_ACCESS,
        ..two
    };
    assert_eq!(changed, want);
}

/// The second of a heap's three categories (spec/2-resource-heaps.txt 371).
#[test]
fn targets_are_recognised_by_their_flags() {
    let texture = ResourceDesc::texture_2d(Format::R32_TYPELESS, 4, 4);
    for (flags, want) in [
        (ResourceFlags::empty(), false),
        (ResourceFlags::ALLOW_UNORDERED_ACCESS, false),
        (ResourceFlags::ALLOW_RENDER_TARGET, true),
        (ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE, true),
    ] {
        assert_eq!(texture.with_flags(flags).is_rt_ds(), want, "{flags}");
    }
}

#[test]
fn heaps_default_to_node_zero_and_the_default_alignment() {
    let heap = HeapDesc::new(4096, HeapType::Upload)
        .with_flags(HeapFlags::ALLOW_ONLY_BUFFERS)
        .with_alignment(4 << 20);
    assert_eq!((heap.size, heap.alignment, heap.flags.bits()), (4096, 4_194_304, 0xc0));
    assert_eq!(
        heap.properties,
        HeapProperties {
            heap_type: HeapType::Upload,
            cpu_page_property: CpuPageProperty::Unknown,
            memory_pool_preference: MemoryPool::Unknown,
            creation_node_mask: 0,
            visible_node_mask: 0,
        }
    );
    let custom = HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0).with_nodes(1, 3);
    assert_eq!(
        (custom.heap_type, custom.creation_node_mask, custom.visible_node_mask),
        (HeapType::Custom, 1, 3)
    );
    assert_eq!(
        (custom.cpu_page_property, custom.memory_pool_preference),
        (CpuPageProperty::WriteBack, MemoryPool::L0)
    );
}

#[test]
fn limits_are_d3d12s_numbers() {
    assert_eq!(limits::TEXTURE1D_WIDTH_MAX, 16_384);
    assert_eq!(limits::TEXTURE2D_WIDTH_HEIGHT_MAX, 16_384);
    assert_eq!(limits::TEXTURE3D_DIMENSION_MAX, 2048);
    assert_eq!((limits::TEXTURE1D_ARRAY_SIZE_MAX, limits::TEXTURE2D_ARRAY_SIZE_MAX), (2048, 2048));
    assert_eq!(
        (limits::MIP_LEVELS_MAX, limits::SUBRESOURCES_MAX, limits::SAMPLE_COUNT_MAX),
        (15, 30_720, 32)
    );
    assert_eq!(limits::SMALL_RESOURCE_ALIGNMENT, 4096);
    assert_eq!(limits::DEFAULT_RESOURCE_ALIGNMENT, 65_536);
    assert_eq!(limits::SMALL_MSAA_RESOURCE_ALIGNMENT, 65_536);
    assert_eq!(limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT, 4_194_304);
    assert_eq!((limits::TIGHT_PLACED_ALIGNMENT_MIN, limits::TIGHT_PLACED_BUFFER_ALIGNMENT_MAX), (8, 256));
    assert_eq!(
        (limits::TIGHT_COMMITTED_ALIGNMENT_MIN, limits::TIGHT_COMMITTED_BUFFER_ALIGNMENT_MAX),
        (4096, 4096)
    );
    assert_eq!(limits::TEXTURE_DATA_PITCH_ALIGNMENT, 256);
    assert_eq!(limits::TEXTURE_DATA_PLACEMENT_ALIGNMENT, 512);
    assert_eq!(limits::TILE_SIZE, 65_536);
    assert_eq!(limits::CPU_VISIBLE_SIZE_MAX, 4_294_967_296 - 65_536);
}

/// facts/layout.md, GetResourceAllocationInfo.
#[test]
fn an_illegal_description_has_no_size() {
    let invalid = ResourceAllocationInfo { size: 18_446_744_073_709_551_615, alignment: 65_536 };
    assert_eq!(ResourceAllocationInfo::INVALID, invalid);
}

/// spec/2-resource-heaps.txt 369-372: one flag of a heap for each category of resources.
#[test]
fn each_category_has_its_deny_flag() {
    let texture = ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, 4, 4);
    for (desc, flag) in [
        (ResourceDesc::buffer(4), HeapFlags::DENY_BUFFERS),
        // A buffer stays one, whatever views it has.
        (ResourceDesc::buffer(4).with_flags(ResourceFlags::ALLOW_RENDER_TARGET), HeapFlags::DENY_BUFFERS),
        (texture, HeapFlags::DENY_NON_RT_DS_TEXTURES),
        (texture.with_flags(ResourceFlags::ALLOW_UNORDERED_ACCESS), HeapFlags::DENY_NON_RT_DS_TEXTURES),
        (texture.with_flags(ResourceFlags::ALLOW_RENDER_TARGET), HeapFlags::DENY_RT_DS_TEXTURES),
        (texture.with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL), HeapFlags::DENY_RT_DS_TEXTURES),
    ] {
        assert_eq!(desc.denied_by(), flag, "{desc:?}");
    }
}

#[test]
fn layouts_of_64_kb() {
    let of_tiles: Vec<&str> =
        TextureLayout::ALL.iter().filter(|layout| layout.is_64kb()).map(|layout| layout.name()).collect();
    assert_eq!(of_tiles, ["64KB_UNDEFINED_SWIZZLE", "64KB_STANDARD_SWIZZLE"]);
}

#[test]
fn sample_counts_are_powers_of_two_up_to_the_greatest() {
    let mut caps = heapstone_spec::Profile::builtin("discrete-8g").unwrap().caps;
    for (max, taken) in [(0, vec![1]), (1, vec![1]), (8, vec![1, 2, 4, 8]), (64, vec![1, 2, 4, 8, 16, 32])] {
        caps.sample_count_max = max;
        let counts: Vec<u32> = (0..=64).filter(|count| caps.takes_sample_count(*count)).collect();
        assert_eq!(counts, taken, "at most {max}");
    }
}
