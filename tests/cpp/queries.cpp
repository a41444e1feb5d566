// Every method that returns a structure, through the convention of this compiler; what a device tells of itself.
#include "check.h"

TEST(query_heap_desc) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_HEAP_DESC given = heap_desc(3 * 65536, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    Ref<ID3D12Heap> heap = new_heap(device.get(), given);
    const D3D12_HEAP_DESC desc = heap->GetDesc();
    CHECK_EQ(desc.SizeInBytes, given.SizeInBytes);
    CHECK_EQ(desc.Properties.Type, D3D12_HEAP_TYPE_UPLOAD);
    CHECK_EQ(desc.Properties.CreationNodeMask, 1u);
    CHECK_EQ(desc.Alignment, 65536u);
    CHECK_EQ(desc.Flags, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
}

TEST(query_resource_desc) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC given = texture_desc(200, 100);
    given.MipLevels = 0;
    Ref<ID3D12Resource> texture = new_texture(device.get(), given);
    const D3D12_RESOURCE_DESC desc = texture->GetDesc();
    CHECK_EQ(desc.Dimension, D3D12_RESOURCE_DIMENSION_TEXTURE2D);
    CHECK_EQ(desc.Alignment, 65536u);
    CHECK_EQ(desc.Width, 200u);
    CHECK_EQ(desc.Height, 100u);
    // 200, 100, 50, 25, 12, 6, 3, 1.
    CHECK_EQ(desc.MipLevels, 8);
    CHECK_EQ(desc.Format, DXGI_FORMAT_R8G8B8A8_UNORM);
    CHECK_EQ(desc.SampleDesc.Count, 1u);

    Ref<ID3D12Resource2> second = query<ID3D12Resource2>(texture.get());
    const D3D12_RESOURCE_DESC1 one = second->GetDesc1();
    CHECK_EQ(one.Width, 200u);
    CHECK_EQ(one.MipLevels, 8);
    CHECK_EQ(one.SamplerFeedbackMipRegion.Width, 0u);
    CHECK_EQ(one.SamplerFeedbackMipRegion.Depth, 0u);
}

TEST(query_heap_properties) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_HEAP_PROPERTIES upload = device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_UPLOAD);
    CHECK_EQ(upload.Type, D3D12_HEAP_TYPE_CUSTOM);
    CHECK_EQ(upload.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE);
    CHECK_EQ(upload.MemoryPoolPreference, D3D12_MEMORY_POOL_L0);
    const D3D12_HEAP_PROPERTIES local = device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_DEFAULT);
    CHECK_EQ(local.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE);
    CHECK_EQ(local.MemoryPoolPreference, D3D12_MEMORY_POOL_L1);

    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 64);
    D3D12_HEAP_PROPERTIES properties = {};
    D3D12_HEAP_FLAGS flags = {};
    CHECK_OK(buffer->GetHeapProperties(&properties, &flags));
    CHECK_EQ(properties.Type, D3D12_HEAP_TYPE_READBACK);
    CHECK_OK(buffer->GetHeapProperties(nullptr, nullptr));
}

TEST(query_allocation_info) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_RESOURCE_DESC descs[] = {buffer_desc(100), buffer_desc(70000), texture_desc(64, 64)};
    const D3D12_RESOURCE_ALLOCATION_INFO one = device->GetResourceAllocationInfo(0, 1, descs);
    CHECK_EQ(one.SizeInBytes, 65536u);
    CHECK_EQ(one.Alignment, 65536u);
    const D3D12_RESOURCE_ALLOCATION_INFO all = device->GetResourceAllocationInfo(0, 3, descs);
    CHECK_EQ(all.SizeInBytes, 65536u + 2 * 65536u + 65536u);
    CHECK_EQ(all.Alignment, 65536u);

    Ref<ID3D12Device4> four = query<ID3D12Device4>(device.get());
    D3D12_RESOURCE_ALLOCATION_INFO1 each[3] = {};
    const D3D12_RESOURCE_ALLOCATION_INFO sum = four->GetResourceAllocationInfo1(0, 3, descs, each);
    CHECK_EQ(sum.SizeInBytes, all.SizeInBytes);
    CHECK_EQ(each[0].Offset, 0u);
    CHECK_EQ(each[1].Offset, 65536u);
    CHECK_EQ(each[2].Offset, 3 * 65536u);
    CHECK_EQ(each[1].SizeInBytes, 2 * 65536u);

    Ref<ID3D12Device8> eight = query<ID3D12Device8>(device.get());
    const D3D12_RESOURCE_DESC1 desc = desc1(descs[1]);
    const D3D12_RESOURCE_ALLOCATION_INFO second = eight->GetResourceAllocationInfo2(0, 1, &desc, nullptr);
    CHECK_EQ(second.SizeInBytes, 2 * 65536u);

    // A description that cannot be has the size UINT64_MAX.
    D3D12_RESOURCE_DESC wrong = texture_desc(64, 64);
    wrong.SampleDesc.Count = 0;
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &wrong).SizeInBytes, UINT64_MAX);
}

TEST(query_small_and_multisampled_alignment) {
    Ref<ID3D12Device> device = new_device();
    // facts/behaviour.md, Sizes: RGBA8 64x64 at 4 KiB takes 16384 bytes.
    D3D12_RESOURCE_DESC small = texture_desc(64, 64);
    small.Alignment = D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
    D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &small);
    CHECK_EQ(info.SizeInBytes, 16384u);
    CHECK_EQ(info.Alignment, 4096u);

    D3D12_RESOURCE_DESC samples = texture_desc(32, 32, DXGI_FORMAT_R8G8B8A8_UNORM,
                                               D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    samples.SampleDesc.Count = 4;
    info = device->GetResourceAllocationInfo(0, 1, &samples);
    CHECK_EQ(info.Alignment, 4u << 20);
    CHECK_EQ(info.SizeInBytes % (4u << 20), 0u);
}

TEST(query_luid_queue_and_descriptor_heap) {
    Ref<ID3D12Device> device = new_device();
    const LUID luid = device->GetAdapterLuid();
    CHECK(luid.LowPart != 0 || luid.HighPart != 0);
    CHECK_EQ(device->GetNodeCount(), 1u);

    D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_COPY, D3D12_COMMAND_QUEUE_PRIORITY_HIGH,
                                           D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT, 0};
    Ref<ID3D12CommandQueue> queue;
    CHECK_OK(device->CreateCommandQueue(&queue_desc, iid_of<ID3D12CommandQueue>(), queue.void_out()));
    const D3D12_COMMAND_QUEUE_DESC back = queue->GetDesc();
    CHECK_EQ(back.Type, D3D12_COMMAND_LIST_TYPE_COPY);
    CHECK_EQ(back.Priority, static_cast<INT>(D3D12_COMMAND_QUEUE_PRIORITY_HIGH));
    CHECK_EQ(back.Flags, D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT);
    CHECK_EQ(back.NodeMask, 1u);

    D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 16,
                                       D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    Ref<ID3D12DescriptorHeap> heap;
    CHECK_OK(device->CreateDescriptorHeap(&desc, iid_of<ID3D12DescriptorHeap>(), heap.void_out()));
    const D3D12_DESCRIPTOR_HEAP_DESC got = heap->GetDesc();
    CHECK_EQ(got.Type, desc.Type);
    CHECK_EQ(got.NumDescriptors, 16u);
    CHECK_EQ(got.Flags, desc.Flags);
    CHECK(heap->GetCPUDescriptorHandleForHeapStart().ptr != 0);
    CHECK(heap->GetGPUDescriptorHandleForHeapStart().ptr != 0);
    CHECK(device->GetDescriptorHandleIncrementSize(desc.Type) > 0);
}

TEST(query_copyable_footprints) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(100, 30);
    desc.MipLevels = 2;
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layouts[2] = {};
    UINT rows[2] = {};
    UINT64 row_sizes[2] = {}, total = 0;
    device->GetCopyableFootprints(&desc, 0, 2, 512, layouts, rows, row_sizes, &total);
    CHECK_EQ(layouts[0].Offset, 512u);
    CHECK_EQ(layouts[0].Footprint.RowPitch, 512u); // 400 bytes, aligned to 256
    CHECK_EQ(rows[0], 30u);
    CHECK_EQ(row_sizes[0], 400u);
    CHECK_EQ(layouts[1].Offset, 512u + 30u * 512u); // a multiple of 512 already
    CHECK_EQ(layouts[1].Footprint.Width, 50u);
    CHECK_EQ(layouts[1].Footprint.RowPitch, 256u);
    // All but the last row's padding; the base offset is left out.
    CHECK_EQ(total, 30u * 512u + 14u * 256u + 200u);
}

TEST(query_copyable_footprints_at_the_edges) {
    Ref<ID3D12Device> device = new_device();
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layouts[2] = {};
    UINT64 total = 0;
    // Two planes: the row pitch is aligned to 512. 50 texels of 4 bytes are 200.
    const D3D12_RESOURCE_DESC planes = texture_desc(50, 4, DXGI_FORMAT_R24G8_TYPELESS, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    device->GetCopyableFootprints(&planes, 0, 2, 0, layouts, nullptr, nullptr, &total);
    CHECK_EQ(layouts[0].Footprint.RowPitch, 512u);
    CHECK_EQ(layouts[1].Footprint.RowPitch, 512u);
    // Offsets wrap in 64 bits: 64 rows of 256 bytes from 512 bytes before the end.
    D3D12_RESOURCE_DESC desc = texture_desc(64, 64);
    desc.MipLevels = 2;
    device->GetCopyableFootprints(&desc, 0, 2, UINT64_MAX - 511, layouts, nullptr, nullptr, &total);
    CHECK_EQ(layouts[0].Offset, UINT64_MAX - 511);
    CHECK_EQ(layouts[1].Offset, 64u * 256 - 512);
    CHECK_EQ(total, 64u * 256 + 31u * 256 + 128u);
    // Slices of a volume follow each other by their rows' pitches.
    desc = texture_desc(4, 4);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    desc.DepthOrArraySize = 3;
    device->GetCopyableFootprints(&desc, 0, 1, 0, layouts, nullptr, nullptr, &total);
    CHECK_EQ(layouts[0].Footprint.Depth, 3u);
    CHECK_EQ(total, 2u * 4 * 256 + 3u * 256 + 16u);
    // A multisampled description has the single-sampled footprint.
    desc = texture_desc(100, 30, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    desc.SampleDesc.Count = 4;
    device->GetCopyableFootprints(&desc, 0, 1, 0, layouts, nullptr, nullptr, &total);
    CHECK_EQ(layouts[0].Footprint.Width, 100u);
    CHECK_EQ(layouts[0].Footprint.RowPitch, 512u);
    CHECK_EQ(total, 29u * 512 + 400u);
}

TEST(query_tiling) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(512, 256);
    desc.Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
    Ref<ID3D12Resource> texture;
    CHECK_OK(device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(),
                                            texture.void_out()));
    UINT tiles = 0, count = 1;
    D3D12_PACKED_MIP_INFO packed = {};
    D3D12_TILE_SHAPE shape = {};
    D3D12_SUBRESOURCE_TILING tiling = {};
    device->GetResourceTiling(texture.get(), &tiles, &packed, &shape, &count, 0, &tiling);
    CHECK_EQ(tiles, 8u); // tiles of 128x128 texels of 4 bytes
    CHECK_EQ(shape.WidthInTexels, 128u);
    CHECK_EQ(shape.HeightInTexels, 128u);
    CHECK_EQ(tiling.WidthInTiles, 4u);
    CHECK_EQ(tiling.HeightInTiles, 2);
    CHECK_EQ(count, 1u);
    CHECK_HR(texture->GetHeapProperties(nullptr, nullptr), E_INVALIDARG);
}

TEST(query_features_check_their_size) {
    Ref<ID3D12Device> device = new_device();
    D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options));
    CHECK_EQ(options.ResourceHeapTier, D3D12_RESOURCE_HEAP_TIER_2);
    CHECK_EQ(options.TiledResourcesTier, D3D12_TILED_RESOURCES_TIER_4);
    CHECK_HR(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options - 4), E_INVALIDARG);
    CHECK_HR(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, nullptr, sizeof options), E_INVALIDARG);
    CHECK_HR(device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(4711), &options, sizeof options), E_INVALIDARG);

    D3D12_FEATURE_DATA_ARCHITECTURE architecture = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof architecture));
    CHECK_EQ(architecture.UMA, FALSE);
    architecture.NodeIndex = 1;
    CHECK_HR(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof architecture), E_INVALIDARG);

    D3D12_FEATURE_DATA_FORMAT_SUPPORT format = {};
    format.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_FORMAT_SUPPORT, &format, sizeof format));
    CHECK(format.Support1 & D3D12_FORMAT_SUPPORT1_TEXTURE2D);
    CHECK(format.Support1 & D3D12_FORMAT_SUPPORT1_RENDER_TARGET);

    D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS levels = {};
    levels.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    levels.SampleCount = 4;
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS, &levels, sizeof levels));
    CHECK(levels.NumQualityLevels >= 1);

    D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT addresses = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, &addresses, sizeof addresses));
    CHECK_EQ(addresses.MaxGPUVirtualAddressBitsPerProcess, 44u);
    CHECK_EQ(addresses.MaxGPUVirtualAddressBitsPerResource, 40u);

    const D3D_FEATURE_LEVEL asked[] = {D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_12_0};
    D3D12_FEATURE_DATA_FEATURE_LEVELS feature_levels = {2, asked, {}};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_FEATURE_LEVELS, &feature_levels, sizeof feature_levels));
    CHECK_EQ(feature_levels.MaxSupportedFeatureLevel, D3D_FEATURE_LEVEL_12_0);
}

// Each feature of the headers, with the size that they declare.
TEST(query_every_feature_of_the_headers) {
    Ref<ID3D12Device> device = new_device();
#define FEATURE(feature, type)                                                                                         \
    do {                                                                                                               \
        type data = {};                                                                                                \
        CHECK_OK(device->CheckFeatureSupport(feature, &data, sizeof data));                                            \
        CHECK_HR(device->CheckFeatureSupport(feature, &data, sizeof data + 1), E_INVALIDARG);                          \
    } while (false)
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS, D3D12_FEATURE_DATA_D3D12_OPTIONS);
    FEATURE(D3D12_FEATURE_ARCHITECTURE, D3D12_FEATURE_DATA_ARCHITECTURE);
    FEATURE(D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS1, D3D12_FEATURE_DATA_D3D12_OPTIONS1);
    FEATURE(D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT, D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT);
    FEATURE(D3D12_FEATURE_ARCHITECTURE1, D3D12_FEATURE_DATA_ARCHITECTURE1);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS2, D3D12_FEATURE_DATA_D3D12_OPTIONS2);
    FEATURE(D3D12_FEATURE_SHADER_CACHE, D3D12_FEATURE_DATA_SHADER_CACHE);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS3, D3D12_FEATURE_DATA_D3D12_OPTIONS3);
    FEATURE(D3D12_FEATURE_EXISTING_HEAPS, D3D12_FEATURE_DATA_EXISTING_HEAPS);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS4, D3D12_FEATURE_DATA_D3D12_OPTIONS4);
    FEATURE(D3D12_FEATURE_SERIALIZATION, D3D12_FEATURE_DATA_SERIALIZATION);
    FEATURE(D3D12_FEATURE_CROSS_NODE, D3D12_FEATURE_DATA_CROSS_NODE);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS5, D3D12_FEATURE_DATA_D3D12_OPTIONS5);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS6, D3D12_FEATURE_DATA_D3D12_OPTIONS6);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS7, D3D12_FEATURE_DATA_D3D12_OPTIONS7);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS8, D3D12_FEATURE_DATA_D3D12_OPTIONS8);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS9, D3D12_FEATURE_DATA_D3D12_OPTIONS9);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS10, D3D12_FEATURE_DATA_D3D12_OPTIONS10);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS11, D3D12_FEATURE_DATA_D3D12_OPTIONS11);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS12, D3D12_FEATURE_DATA_D3D12_OPTIONS12);
    FEATURE(D3D12_FEATURE_D3D12_OPTIONS13, D3D12_FEATURE_DATA_D3D12_OPTIONS13);
#undef FEATURE
}
