// What creation accepts and refuses, with its exact result codes (facts/behaviour.md, Creation).
#include "check.h"

namespace {

HRESULT committed(ID3D12Device *device, const D3D12_RESOURCE_DESC &desc, D3D12_HEAP_TYPE type = D3D12_HEAP_TYPE_DEFAULT,
                  D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON,
                  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE, const D3D12_CLEAR_VALUE *clear = nullptr) {
    const D3D12_HEAP_PROPERTIES properties = heap_properties(type);
    // Not NULL, so that a failing creation shows that it sets NULL.
    ID3D12Resource *resource = reinterpret_cast<ID3D12Resource *>(&device);
    const HRESULT result = device->CreateCommittedResource(&properties, flags, &desc, state, clear,
                                                           iid_of<ID3D12Resource>(),
                                                           reinterpret_cast<void **>(&resource));
    if (SUCCEEDED(result)) {
        CHECK(resource != nullptr);
        resource->Release();
    } else {
        CHECK(resource == nullptr);
    }
    // A NULL output pointer is a probe, with the same answer about the description.
    const HRESULT probe =
        device->CreateCommittedResource(&properties, flags, &desc, state, clear, iid_of<ID3D12Resource>(), nullptr);
    CHECK_EQ(probe, result == S_OK ? S_FALSE : result);
    return result;
}

HRESULT placed(ID3D12Device *device, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC &desc,
               D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON) {
    Ref<ID3D12Resource> resource;
    return device->CreatePlacedResource(heap, offset, &desc, state, nullptr, iid_of<ID3D12Resource>(),
                                        resource.void_out());
}

} // namespace

TEST(creation_mip_levels) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(32, 32);
    desc.MipLevels = 10;
    Ref<ID3D12Resource> texture = new_texture(device.get(), desc);
    CHECK_EQ(texture->GetDesc().MipLevels, 10);
    desc.MipLevels = 0;
    texture = new_texture(device.get(), desc);
    CHECK_EQ(texture->GetDesc().MipLevels, 6);
}

TEST(creation_alignment_is_filled_in) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(32, 32);
    CHECK_EQ(new_texture(device.get(), desc)->GetDesc().Alignment, 65536u);
    desc.Alignment = 4096;
    CHECK_EQ(new_texture(device.get(), desc)->GetDesc().Alignment, 4096u);
    desc = texture_desc(32, 32, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    desc.SampleDesc.Count = 4;
    CHECK_EQ(new_texture(device.get(), desc, D3D12_RESOURCE_STATE_RENDER_TARGET)->GetDesc().Alignment, 4u << 20);
}

TEST(creation_refused_descriptions) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(32, 32);
    desc.SampleDesc.Count = 0;
    CHECK_HR(committed(device.get(), desc), E_INVALIDARG);
    desc = texture_desc(0, 32);
    CHECK_HR(committed(device.get(), desc), E_INVALIDARG);
    desc = texture_desc(1 << 20, 32);
    CHECK_HR(committed(device.get(), desc), E_INVALIDARG);
    desc = texture_desc(32, 32, DXGI_FORMAT_BC1_UNORM);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE1D;
    desc.Height = 1;
    CHECK_HR(committed(device.get(), desc), E_INVALIDARG);
    desc = texture_desc(32, 32);
    desc.Alignment = 12345;
    CHECK_HR(committed(device.get(), desc), E_INVALIDARG);
}

TEST(creation_unaligned_block_sizes_are_legal) {
    Ref<ID3D12Device> device = new_device();
    for (const auto &size : {std::pair<UINT64, UINT>{32, 31}, {30, 30}, {2, 2}}) {
        CHECK_OK(committed(device.get(), texture_desc(size.first, size.second, DXGI_FORMAT_BC1_UNORM)));
    }
}

TEST(creation_buffers) {
    Ref<ID3D12Device> device = new_device();
    CHECK_OK(committed(device.get(), buffer_desc(1)));
    CHECK_OK(committed(device.get(), buffer_desc(64, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET)));
    CHECK_HR(committed(device.get(), buffer_desc(64, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL)), E_INVALIDARG);
    CHECK_HR(committed(device.get(), buffer_desc(64, D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)), E_INVALIDARG);
    CHECK_HR(committed(device.get(), buffer_desc(64, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS),
                       D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ),
             E_INVALIDARG);
    D3D12_RESOURCE_DESC desc = buffer_desc(64);
    desc.MipLevels = 0;
    CHECK_HR(committed(device.get(), desc), E_INVALIDARG);
    D3D12_CLEAR_VALUE clear = {};
    clear.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    CHECK_HR(committed(device.get(), buffer_desc(64), D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATE_COMMON,
                       D3D12_HEAP_FLAG_NONE, &clear),
             E_INVALIDARG);
    CHECK_HR(committed(device.get(), buffer_desc(0)), E_INVALIDARG);
}

TEST(creation_states_of_upload_and_readback) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_RESOURCE_DESC desc = buffer_desc(64);
    for (D3D12_RESOURCE_STATES state :
         {D3D12_RESOURCE_STATE_GENERIC_READ, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_SOURCE}) {
        CHECK_OK(committed(device.get(), desc, D3D12_HEAP_TYPE_UPLOAD, state));
    }
    CHECK_OK(committed(device.get(), desc, D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COPY_DEST));
    CHECK_OK(committed(device.get(), desc, D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COMMON));
    for (D3D12_RESOURCE_STATES state : {D3D12_RESOURCE_STATE_GENERIC_READ, D3D12_RESOURCE_STATE_COPY_SOURCE}) {
        CHECK_HR(committed(device.get(), desc, D3D12_HEAP_TYPE_READBACK, state), E_INVALIDARG);
    }
}

TEST(creation_addresses) {
    Ref<ID3D12Device> device = new_device();
    CHECK(new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64)->GetGPUVirtualAddress() != 0);
    CHECK_EQ(new_texture(device.get(), texture_desc(32, 32))->GetGPUVirtualAddress(), 0u);
}

TEST(creation_placed_resources) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(2 * 65536, D3D12_HEAP_TYPE_DEFAULT));
    CHECK_OK(placed(device.get(), heap.get(), 0, buffer_desc(65536)));
    CHECK_OK(placed(device.get(), heap.get(), 65536, buffer_desc(65536)));
    CHECK_HR(placed(device.get(), heap.get(), 65536, buffer_desc(65537)), E_INVALIDARG);
    CHECK_HR(placed(device.get(), heap.get(), 4096, buffer_desc(16)), E_INVALIDARG);
    CHECK_HR(placed(device.get(), heap.get(), UINT64_MAX - 65535, buffer_desc(65536)), E_INVALIDARG);
    // Sized with Alignment 0, multisampled needs 4 MiB, which this heap's alignment does not give.
    D3D12_RESOURCE_DESC samples =
        texture_desc(32, 32, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    samples.SampleDesc.Count = 4;
    Ref<ID3D12Heap> large = new_heap(device.get(), heap_desc(64u << 20, D3D12_HEAP_TYPE_DEFAULT));
    CHECK_HR(placed(device.get(), large.get(), 0, samples, D3D12_RESOURCE_STATE_RENDER_TARGET), E_INVALIDARG);
    D3D12_HEAP_DESC aligned = heap_desc(64u << 20, D3D12_HEAP_TYPE_DEFAULT);
    aligned.Alignment = D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
    Ref<ID3D12Heap> multisampled = new_heap(device.get(), aligned);
    CHECK_EQ(multisampled->GetDesc().Alignment, 4u << 20);
    CHECK_OK(placed(device.get(), multisampled.get(), 0, samples, D3D12_RESOURCE_STATE_RENDER_TARGET));
}

TEST(creation_of_later_interfaces) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device8> eight = query<ID3D12Device8>(device.get());
    Ref<ID3D12Device10> ten = query<ID3D12Device10>(device.get());
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    const D3D12_RESOURCE_DESC1 texture = desc1(texture_desc(64, 64)), buffer = desc1(buffer_desc(64));
    Ref<ID3D12Resource> resource;
    Ref<ID3D12Device4> four = query<ID3D12Device4>(device.get());
    const D3D12_RESOURCE_DESC plain = texture_desc(64, 64);
    CHECK_OK(four->CreateCommittedResource1(&properties, D3D12_HEAP_FLAG_NONE, &plain, D3D12_RESOURCE_STATE_COMMON,
                                            nullptr, nullptr, iid_of<ID3D12Resource>(), resource.void_out()));
    CHECK_OK(eight->CreateCommittedResource2(&properties, D3D12_HEAP_FLAG_NONE, &texture, D3D12_RESOURCE_STATE_COMMON,
                                             nullptr, nullptr, iid_of<ID3D12Resource>(), resource.void_out()));
    CHECK_OK(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &texture, D3D12_BARRIER_LAYOUT_COMMON,
                                           nullptr, nullptr, 0, nullptr, iid_of<ID3D12Resource>(),
                                           resource.void_out()));
    // A buffer's layout is undefined.
    CHECK_HR(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &buffer, D3D12_BARRIER_LAYOUT_COMMON,
                                           nullptr, nullptr, 0, nullptr, iid_of<ID3D12Resource>(),
                                           resource.void_out()),
             E_INVALIDARG);
    CHECK_OK(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &buffer, D3D12_BARRIER_LAYOUT_UNDEFINED,
                                           nullptr, nullptr, 0, nullptr, iid_of<ID3D12Resource>(),
                                           resource.void_out()));
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(1u << 20, D3D12_HEAP_TYPE_DEFAULT));
    CHECK_OK(eight->CreatePlacedResource1(heap.get(), 0, &texture, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                          iid_of<ID3D12Resource>(), resource.void_out()));
    CHECK_OK(ten->CreatePlacedResource2(heap.get(), 0, &texture, D3D12_BARRIER_LAYOUT_COMMON, nullptr, 0, nullptr,
                                        iid_of<ID3D12Resource>(), resource.void_out()));
    DXGI_FORMAT castable[] = {DXGI_FORMAT_R32_UINT};
    CHECK_OK(ten->CreatePlacedResource2(heap.get(), 0, &texture, D3D12_BARRIER_LAYOUT_COMMON, nullptr, 1, castable,
                                        iid_of<ID3D12Resource>(), resource.void_out()));
}

TEST(creation_custom_heaps) {
    Ref<ID3D12Device> device = new_device();
    D3D12_HEAP_DESC desc = heap_desc(65536, D3D12_HEAP_TYPE_CUSTOM, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    Ref<ID3D12Heap> heap;
    // Custom with an UNKNOWN page property or pool is refused.
    CHECK_HR(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()), E_INVALIDARG);
    desc.Properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
    CHECK_HR(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()), E_INVALIDARG);
    desc.Properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
    CHECK_OK(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()));
    // L1 + WRITE_BACK never works.
    desc.Properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L1;
    CHECK_HR(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()), E_INVALIDARG);
    desc.Properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
    CHECK_OK(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()));
    // L1 + WRITE_COMBINE is a GPU upload heap by another name, which this device has.
    desc.Properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE;
    CHECK_OK(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()));
}

TEST(creation_of_reserved_resources) {
    Ref<ID3D12Device> device = new_device();
    auto reserved = [&](const D3D12_RESOURCE_DESC &desc) {
        Ref<ID3D12Resource> resource;
        return device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(),
                                              resource.void_out());
    };
    CHECK_OK(reserved(buffer_desc(1u << 20)));
    CHECK_HR(reserved(texture_desc(256, 256)), E_INVALIDARG);
    D3D12_RESOURCE_DESC desc = texture_desc(256, 256);
    desc.Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
    CHECK_OK(reserved(desc));
    desc = texture_desc(256, 256, DXGI_FORMAT_D32_FLOAT_S8X24_UINT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    desc.Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
    CHECK_HR(reserved(desc), E_INVALIDARG);
}

// Reserved resources of other kinds, and what they have not.
TEST(creation_of_reserved_textures) {
    Ref<ID3D12Device> device = new_device();
    auto reserved = [&](D3D12_RESOURCE_DESC desc, D3D12_TEXTURE_LAYOUT layout, Ref<ID3D12Resource> *made = nullptr) {
        Ref<ID3D12Resource> resource;
        desc.Layout = layout;
        const HRESULT result = device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                              iid_of<ID3D12Resource>(), resource.void_out());
        if (made) *made = resource;
        return result;
    };
    const D3D12_TEXTURE_LAYOUT undefined = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
    D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options));
    CHECK(options.StandardSwizzle64KBSupported);
    CHECK_OK(reserved(texture_desc(256, 256), D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE));
    D3D12_RESOURCE_DESC line = texture_desc(256, 1);
    line.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE1D;
    CHECK_HR(reserved(line, undefined), E_INVALIDARG);
    CHECK_HR(reserved(texture_desc(256, 256), D3D12_TEXTURE_LAYOUT_ROW_MAJOR), E_INVALIDARG);
    // An array with packed mips: on tier 4, which this device has (creation_of_packed_arrays_wants_tier_4).
    D3D12_RESOURCE_DESC array = texture_desc(256, 256);
    array.DepthOrArraySize = 2;
    array.MipLevels = 0;
    CHECK_OK(reserved(array, undefined));
    // Map and GetHeapProperties are refused, and touch nothing.
    Ref<ID3D12Resource> texture;
    CHECK_OK(reserved(texture_desc(256, 256), undefined, &texture));
    void *data = &data;
    CHECK_HR(texture->Map(0, nullptr, &data), E_INVALIDARG);
    CHECK(data == &data);
    D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_READBACK);
    D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_DENY_BUFFERS;
    CHECK_HR(texture->GetHeapProperties(&properties, &flags), E_INVALIDARG);
    CHECK_EQ(properties.Type, D3D12_HEAP_TYPE_READBACK);
    CHECK_EQ(flags, D3D12_HEAP_FLAG_DENY_BUFFERS);
}

TEST(creation_of_packed_arrays_wants_tier_4) {
    if (!alone("creation_of_packed_arrays_wants_tier_4", "HEAPSTONE_PROFILE", "discrete-tier1-2g")) return;
    Ref<ID3D12Device> device = new_device();
    D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options));
    CHECK_EQ(options.TiledResourcesTier, D3D12_TILED_RESOURCES_TIER_3);
    CHECK(!options.StandardSwizzle64KBSupported);
    auto reserved = [&](UINT16 slices, UINT16 mips, D3D12_TEXTURE_LAYOUT layout) {
        D3D12_RESOURCE_DESC desc = texture_desc(256, 256);
        desc.DepthOrArraySize = slices;
        desc.MipLevels = mips;
        desc.Layout = layout;
        Ref<ID3D12Resource> resource;
        return device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(),
                                              resource.void_out());
    };
    CHECK_HR(reserved(2, 0, D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE), E_INVALIDARG);
    CHECK_OK(reserved(2, 1, D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE));
    CHECK_OK(reserved(1, 0, D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE));
    CHECK_HR(reserved(1, 1, D3D12_TEXTURE_LAYOUT_64KB_STANDARD_SWIZZLE), E_INVALIDARG);
    // L1 + WRITE_COMBINE needs GPU upload heaps, which this device lacks.
    D3D12_HEAP_DESC desc = heap_desc(65536, D3D12_HEAP_TYPE_CUSTOM, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    desc.Properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L1;
    desc.Properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE;
    Ref<ID3D12Heap> heap;
    CHECK_HR(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()), E_INVALIDARG);
}

// ROW_MAJOR textures: only 2D, one mip, one slice, ALLOW_CROSS_ADAPTER, on a SHARED and SHARED_CROSS_ADAPTER heap without CPU
// access; they cannot be mapped.
TEST(creation_of_row_major_textures) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_HEAP_FLAGS shared = D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER;
    D3D12_RESOURCE_DESC desc = texture_desc(64, 64, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    auto create = [&](const D3D12_RESOURCE_DESC &of, D3D12_HEAP_TYPE type, D3D12_HEAP_FLAGS flags) {
        return committed(device.get(), of, type, D3D12_RESOURCE_STATE_COMMON, flags);
    };
    CHECK_OK(create(desc, D3D12_HEAP_TYPE_DEFAULT, shared));
    CHECK_HR(create(desc, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_SHARED), E_INVALIDARG);
    CHECK_HR(create(desc, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_NONE), E_INVALIDARG);
    CHECK_HR(create(desc, D3D12_HEAP_TYPE_UPLOAD, shared), E_INVALIDARG);
    D3D12_RESOURCE_DESC wrong = desc;
    wrong.MipLevels = 2;
    CHECK_HR(create(wrong, D3D12_HEAP_TYPE_DEFAULT, shared), E_INVALIDARG);
    wrong = desc;
    wrong.DepthOrArraySize = 2;
    CHECK_HR(create(wrong, D3D12_HEAP_TYPE_DEFAULT, shared), E_INVALIDARG);
    wrong.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    CHECK_HR(create(wrong, D3D12_HEAP_TYPE_DEFAULT, shared), E_INVALIDARG);
    wrong = desc;
    wrong.Flags = D3D12_RESOURCE_FLAG_NONE;
    CHECK_HR(create(wrong, D3D12_HEAP_TYPE_DEFAULT, shared), E_INVALIDARG);
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    Ref<ID3D12Resource> texture;
    CHECK_OK(device->CreateCommittedResource(&properties, shared, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                             iid_of<ID3D12Resource>(), texture.void_out()));
    CHECK_HR(texture->Map(0, nullptr, nullptr), E_INVALIDARG);
}

// Multisampled textures of 64 KiB where that is asked for; sizes of small textures at 4 KiB.
TEST(creation_sizes) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC samples =
        texture_desc(32, 32, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    samples.SampleDesc.Count = 4;
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &samples).Alignment, 4u << 20);
    samples.Alignment = 65536;
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &samples).Alignment, 65536u);
    CHECK_EQ(new_texture(device.get(), samples, D3D12_RESOURCE_STATE_RENDER_TARGET)->GetDesc().Alignment, 65536u);
    // No more than its texels times its layers, twice that with mips.
    for (const UINT16 mips : {1, 0}) {
        for (const UINT16 layers : {1, 2}) {
            D3D12_RESOURCE_DESC small = texture_desc(64, 64);
            small.Alignment = 4096;
            small.MipLevels = mips;
            small.DepthOrArraySize = layers;
            const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &small);
            CHECK_EQ(info.Alignment, 4096u);
            CHECK(info.SizeInBytes >= 64u * 64 * 4 * layers);
            CHECK(info.SizeInBytes <= 64u * 64 * 4 * layers * (mips == 1 ? 1 : 2));
        }
    }
}

TEST(creation_probes_answer_false) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_HEAP_DESC desc = heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT);
    constexpr GUID wrong = {0x12345678, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
    CHECK_HR(device->CreateHeap(&desc, wrong, nullptr), S_FALSE);
    CHECK_HR(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), nullptr), S_FALSE);
    void *heap = &heap;
    CHECK_HR(device->CreateHeap(&desc, wrong, &heap), E_NOINTERFACE);
    CHECK(heap == nullptr);
}

TEST(creation_residency_and_priorities) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device1> one = query<ID3D12Device1>(device.get());
    Ref<ID3D12Device3> three = query<ID3D12Device3>(device.get());
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT));
    ID3D12Pageable *pageables[] = {heap.get()};
    CHECK_OK(device->Evict(1, pageables));
    CHECK_OK(device->MakeResident(1, pageables));
    const D3D12_RESIDENCY_PRIORITY priority = D3D12_RESIDENCY_PRIORITY_HIGH;
    CHECK_OK(one->SetResidencyPriority(1, pageables, &priority));
    CHECK_OK(device->Evict(1, pageables));
    Gpu gpu(device.get());
    CHECK_OK(three->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 1, pageables, gpu.fence.get(), 7));
    CHECK_OK(gpu.fence->SetEventOnCompletion(7, nullptr));
    CHECK_EQ(gpu.fence->GetCompletedValue(), 7u);
}
