// Pools of memory as allocators make them: heaps of one class or of all, aligned to 4 MiB whatever their size, node masks of 0, the
// newest version of each call, and resources described by what GetDesc said (facts/abi.md, What D3D12MA calls).
#include "check.h"

#include <algorithm>

namespace {

constexpr D3D12_HEAP_TYPE GPU_UPLOAD = static_cast<D3D12_HEAP_TYPE>(5);
constexpr D3D12_RESOURCE_FLAGS TIGHT = static_cast<D3D12_RESOURCE_FLAGS>(0x400);
constexpr UINT64 MIB = 1u << 20;

// Of a standard type, as `= {}` leaves the rest: no node is named.
D3D12_HEAP_PROPERTIES standard(D3D12_HEAP_TYPE type) {
    D3D12_HEAP_PROPERTIES properties = {};
    properties.Type = type;
    return properties;
}

D3D12_HEAP_PROPERTIES custom(D3D12_CPU_PAGE_PROPERTY page, D3D12_MEMORY_POOL pool) {
    D3D12_HEAP_PROPERTIES properties = {};
    properties.Type = D3D12_HEAP_TYPE_CUSTOM;
    properties.CPUPageProperty = page;
    properties.MemoryPoolPreference = pool;
    return properties;
}

// Multisampled textures may come into what is not for buffers alone.
UINT64 heap_alignment(D3D12_HEAP_FLAGS flags) {
    constexpr D3D12_HEAP_FLAGS no_textures = D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES | D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES;
    return (flags & no_textures) == no_textures ? D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT
                                                : D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
}

Ref<ID3D12Heap> block(ID3D12Device *device, const D3D12_HEAP_PROPERTIES &properties, D3D12_HEAP_FLAGS flags, UINT64 size) {
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = size;
    desc.Properties = properties;
    desc.Alignment = heap_alignment(flags);
    desc.Flags = flags;
    Ref<ID3D12Heap> heap;
    CHECK_OK(query<ID3D12Device4>(device)->CreateHeap1(&desc, nullptr, iid_of<ID3D12Heap>(), heap.void_out()));
    CHECK_EQ(heap->GetDesc().SizeInBytes, size);
    CHECK_EQ(heap->GetDesc().Alignment, desc.Alignment);
    CHECK_EQ(heap->GetDesc().Properties.Type, properties.Type);
    return heap;
}

Ref<ID3D12Resource> place(ID3D12Device *device, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC &desc,
                          D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON) {
    Ref<ID3D12Resource> resource;
    CHECK_OK(device->CreatePlacedResource(heap, offset, &desc, state, nullptr, iid_of<ID3D12Resource>(), resource.void_out()));
    return resource;
}

Ref<ID3D12Resource> commit(ID3D12Device *device, const D3D12_HEAP_PROPERTIES &properties, const D3D12_RESOURCE_DESC &desc,
                           D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON, D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE) {
    Ref<ID3D12Resource> resource;
    CHECK_OK(query<ID3D12Device4>(device)->CreateCommittedResource1(&properties, flags, &desc, state, nullptr, nullptr,
                                                                    iid_of<ID3D12Resource>(), resource.void_out()));
    return resource;
}

D3D12_RESOURCE_DESC texture_of(D3D12_RESOURCE_DIMENSION dimension, UINT64 width, UINT height, UINT16 depth, D3D12_RESOURCE_FLAGS flags) {
    D3D12_RESOURCE_DESC desc = texture_desc(width, height, DXGI_FORMAT_R8G8B8A8_UNORM, flags);
    desc.Dimension = dimension;
    desc.DepthOrArraySize = depth;
    return desc;
}

// A class of resources, the heaps for it alone, and what belongs to it.
struct Class {
    D3D12_HEAP_FLAGS flags;
    std::vector<D3D12_RESOURCE_DESC> descs;
};

std::vector<Class> classes() {
    auto textures = [](D3D12_RESOURCE_FLAGS flags) {
        return std::vector<D3D12_RESOURCE_DESC>{texture_of(D3D12_RESOURCE_DIMENSION_TEXTURE1D, 512, 1, 1, flags),
                                                texture_of(D3D12_RESOURCE_DIMENSION_TEXTURE2D, 1024, 512, 1, flags),
                                                texture_of(D3D12_RESOURCE_DIMENSION_TEXTURE3D, 128, 64, 32, flags)};
    };
    return {{D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS, {buffer_desc(1024), buffer_desc(MIB)}},
            {D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES, textures(D3D12_RESOURCE_FLAG_NONE)},
            {D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES, textures(D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET)}};
}

// Each class on each kind of heap that it may lie on: placed one behind the other, committed, and with tight alignment where there is any.
void pools_of_each_class() {
    Ref<ID3D12Device> device = new_device();
    D3D12_FEATURE_DATA_ARCHITECTURE architecture = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof architecture));
    UINT tier = 0;
    CHECK_OK(device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(54), &tier, sizeof tier));
    const D3D12_HEAP_PROPERTIES video =
        custom(D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, architecture.UMA ? D3D12_MEMORY_POOL_L0 : D3D12_MEMORY_POOL_L1);
    const std::vector<std::pair<D3D12_HEAP_PROPERTIES, bool>> kinds = {
        {standard(D3D12_HEAP_TYPE_DEFAULT), true},
        {standard(D3D12_HEAP_TYPE_UPLOAD), false},
        {standard(D3D12_HEAP_TYPE_READBACK), false},
        {video, true},
        {custom(D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE, D3D12_MEMORY_POOL_L0), false},
        {custom(D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0), false},
    };
    for (const auto &[properties, holds_textures] : kinds) {
        for (const Class &of : classes()) {
            const bool is_buffers = of.flags == D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
            if (!is_buffers && !holds_textures) continue;
            // Memory of one placement, which nothing lies in yet.
            D3D12_HEAP_DESC least = {};
            least.SizeInBytes = least.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
            least.Properties = properties;
            least.Flags = of.flags;
            new_heap(device.get(), least);
            Ref<ID3D12Heap> heap = block(device.get(), properties, of.flags, 16 * MIB);
            for (const D3D12_RESOURCE_FLAGS extra : {D3D12_RESOURCE_FLAG_NONE, TIGHT}) {
                if (extra == TIGHT && tier == 0) continue;
                UINT64 offset = 0;
                std::vector<Ref<ID3D12Resource>> all;
                for (D3D12_RESOURCE_DESC desc : of.descs) {
                    desc.Flags |= extra;
                    const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &desc);
                    CHECK(info.SizeInBytes != UINT64_MAX && info.SizeInBytes > 0);
                    CHECK(info.Alignment != 0 && (info.Alignment & (info.Alignment - 1)) == 0);
                    offset = (offset + info.Alignment - 1) / info.Alignment * info.Alignment;
                    all.push_back(place(device.get(), heap.get(), offset, desc));
                    offset += info.SizeInBytes;
                    all.push_back(commit(device.get(), properties, desc));
                }
                for (const Ref<ID3D12Resource> &resource : all) {
                    D3D12_HEAP_PROPERTIES told = {};
                    CHECK_OK(resource->GetHeapProperties(&told, nullptr));
                    CHECK_EQ(told.Type, properties.Type);
                    CHECK_EQ(resource->GetGPUVirtualAddress() != 0, is_buffers);
                }
            }
        }
    }
}

} // namespace

TEST(pools_of_each_class_on_a_discrete_adapter) { pools_of_each_class(); }

TEST(pools_of_each_class_on_uma) {
    if (alone("pools_of_each_class_on_uma", "HEAPSTONE_PROFILE", "integrated-uma")) pools_of_each_class();
}

// Heaps of one class are all that there is on tier 1.
TEST(pools_of_each_class_on_tier_1) {
    if (!alone("pools_of_each_class_on_tier_1", "HEAPSTONE_PROFILE", "discrete-tier1-2g")) return;
    pools_of_each_class();
    Ref<ID3D12Device> device = new_device();
    D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options));
    CHECK_EQ(options.ResourceHeapTier, D3D12_RESOURCE_HEAP_TIER_1);
    D3D12_HEAP_DESC all = heap_desc(MIB, D3D12_HEAP_TYPE_DEFAULT);
    Ref<ID3D12Heap> heap;
    CHECK_HR(device->CreateHeap(&all, iid_of<ID3D12Heap>(), heap.void_out()), E_INVALIDARG);
    Ref<ID3D12Heap> buffers = block(device.get(), standard(D3D12_HEAP_TYPE_DEFAULT), D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS, MIB);
    const D3D12_RESOURCE_DESC texture = texture_desc(64, 64);
    Ref<ID3D12Resource> resource;
    CHECK_HR(device->CreatePlacedResource(buffers.get(), 0, &texture, D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(),
                                          resource.void_out()),
             E_INVALIDARG);
    // An allocator does not make them where the feature is not there; who does is refused.
    struct {
        BOOL DynamicDepthBiasSupported, GPUUploadHeapSupported;
    } options16 = {};
    CHECK_OK(device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(45), &options16, sizeof options16));
    const D3D12_HEAP_DESC upload = heap_desc(MIB, GPU_UPLOAD, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    const HRESULT result = device->CreateHeap(&upload, iid_of<ID3D12Heap>(), heap.void_out());
    CHECK_HR(result, options16.GPUUploadHeapSupported ? S_OK : E_INVALIDARG);
}

// A heap of 1 MiB is aligned to 4 MiB where that is asked for, of every type; buffers of 4 bytes lie at any multiple of what they need.
TEST(pools_aligned_to_more_than_their_size) {
    Ref<ID3D12Device> device = new_device();
    for (const D3D12_HEAP_TYPE type : {D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK, GPU_UPLOAD}) {
        Ref<ID3D12Heap> heap = block(device.get(), standard(type), D3D12_HEAP_FLAG_NONE, MIB);
        const D3D12_RESOURCE_DESC desc = buffer_desc(4, TIGHT);
        const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &desc);
        CHECK(info.Alignment >= 8 && info.Alignment <= 256 && (info.Alignment & (info.Alignment - 1)) == 0);
        CHECK(info.SizeInBytes >= 4 && info.SizeInBytes % info.Alignment == 0);
        const D3D12_RESOURCE_STATES state = type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST : D3D12_RESOURCE_STATE_COMMON;
        std::vector<Ref<ID3D12Resource>> all;
        for (const UINT64 offset : {UINT64(0), info.Alignment, 3 * info.Alignment, MIB - info.Alignment}) {
            all.push_back(place(device.get(), heap.get(), offset, desc, state));
            CHECK_EQ(all.back()->GetGPUVirtualAddress(), all.front()->GetGPUVirtualAddress() + offset);
        }
        for (const UINT64 offset : {UINT64(4), info.Alignment / 2, MIB}) {
            Ref<ID3D12Resource> none;
            CHECK_HR(device->CreatePlacedResource(heap.get(), offset, &desc, state, nullptr, iid_of<ID3D12Resource>(), none.void_out()),
                     E_INVALIDARG);
        }
    }
}

// A buffer too large for a block gets a heap to itself, of its own size, and another lies in the same memory.
TEST(pools_of_one_resource_alias) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = block(device.get(), standard(D3D12_HEAP_TYPE_UPLOAD), D3D12_HEAP_FLAG_NONE, 300 * MIB);
    Ref<ID3D12Resource> whole = place(device.get(), heap.get(), 0, buffer_desc(300 * MIB), D3D12_RESOURCE_STATE_GENERIC_READ);
    Ref<ID3D12Resource> part = place(device.get(), heap.get(), 0, buffer_desc(200 * MIB), D3D12_RESOURCE_STATE_GENERIC_READ);
    write_buffer(whole.get(), pattern(65536, 5));
    CHECK(read_buffer(part.get(), 65536) == pattern(65536, 5));
    CHECK_EQ(whole->GetGPUVirtualAddress(), part->GetGPUVirtualAddress());

    // Render targets of the larger of two sizes and alignments, the whole chain of mips among them.
    const D3D12_RESOURCE_DESC screen = texture_desc(1920, 1080, DXGI_FORMAT_R8G8B8A8_UNORM,
                                                    D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    D3D12_RESOURCE_DESC chain = texture_desc(1024, 1024, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    chain.MipLevels = 0;
    const D3D12_RESOURCE_ALLOCATION_INFO infos[] = {device->GetResourceAllocationInfo(0, 1, &screen),
                                                    device->GetResourceAllocationInfo(0, 1, &chain)};
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = std::max(infos[0].SizeInBytes, infos[1].SizeInBytes);
    desc.Alignment = std::max(infos[0].Alignment, infos[1].Alignment);
    desc.Properties = standard(D3D12_HEAP_TYPE_DEFAULT);
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_RT_DS_TEXTURES;
    Ref<ID3D12Heap> targets = new_heap(device.get(), desc);
    place(device.get(), targets.get(), 0, screen);
    CHECK_EQ(place(device.get(), targets.get(), 0, chain)->GetDesc().MipLevels, 11);
}

// Multisampled targets in blocks of all classes, committed, and where 4 MiB were not asked for.
TEST(pools_of_multisampled_targets) {
    Ref<ID3D12Device> device = new_device();
    D3D12_RESOURCE_DESC desc = texture_desc(1920, 1080, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    desc.SampleDesc.Count = 2;
    Ref<ID3D12Heap> heap = block(device.get(), standard(D3D12_HEAP_TYPE_DEFAULT), D3D12_HEAP_FLAG_NONE, 64 * MIB);
    place(device.get(), heap.get(), 0, texture_desc(1024, 1024), D3D12_RESOURCE_STATE_COPY_DEST);
    for (const D3D12_RESOURCE_FLAGS extra : {D3D12_RESOURCE_FLAG_NONE, TIGHT}) {
        desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | extra;
        const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &desc);
        // 16,588,800 bytes of texels.
        CHECK(info.SizeInBytes >= 1920u * 1080 * 4 * 2 && info.SizeInBytes != UINT64_MAX);
        CHECK_EQ(info.SizeInBytes % info.Alignment, 0u);
        if (extra != TIGHT) CHECK_EQ(info.Alignment, 4 * MIB);
        place(device.get(), heap.get(), 4 * MIB, desc, D3D12_RESOURCE_STATE_RENDER_TARGET);
        commit(device.get(), standard(D3D12_HEAP_TYPE_DEFAULT), desc, D3D12_RESOURCE_STATE_RENDER_TARGET);
    }
}

// Heaps and resources that others may open, of one class and with no node named.
TEST(pools_with_flags_of_their_own) {
    Ref<ID3D12Device> device = new_device();
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = desc.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    desc.Properties = standard(D3D12_HEAP_TYPE_DEFAULT);
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES | D3D12_HEAP_FLAG_SHARED;
    CHECK_EQ(new_heap(device.get(), desc)->GetDesc().Flags, desc.Flags);

    D3D12_RESOURCE_DESC rows = texture_desc(1920, 1080, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
    rows.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    // A row of 7,680 bytes is a multiple of the pitch's 256.
    CHECK(device->GetResourceAllocationInfo(0, 1, &rows).SizeInBytes >= 7680u * 1080);
    commit(device.get(), standard(D3D12_HEAP_TYPE_DEFAULT), rows, D3D12_RESOURCE_STATE_COMMON,
           D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER);
}

// What buffers on a DEFAULT heap begin with; any state of buffers is taken, for it decays to COMMON.
TEST(pools_of_buffers_in_any_state) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = block(device.get(), standard(D3D12_HEAP_TYPE_DEFAULT), D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS, MIB);
    UINT64 offset = 0;
    for (const D3D12_RESOURCE_STATES state :
         {D3D12_RESOURCE_STATE_GENERIC_READ, D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER, D3D12_RESOURCE_STATE_COPY_DEST,
          D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_INDEX_BUFFER, D3D12_RESOURCE_STATE_COMMON}) {
        place(device.get(), heap.get(), offset, buffer_desc(1000), state);
        commit(device.get(), standard(D3D12_HEAP_TYPE_DEFAULT), buffer_desc(1000), state);
        offset += 65536;
    }
    Ref<ID3D12Resource> custom_buffer = commit(device.get(), custom(D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0),
                                               buffer_desc(MIB), D3D12_RESOURCE_STATE_COPY_DEST);
    write_buffer(custom_buffer.get(), pattern(MIB, 3));
    CHECK(read_buffer(custom_buffer.get(), MIB) == pattern(MIB, 3));
}

// The newest calls, on what GetResourceAllocationInfo2 and 3 said: undefined layouts, castable formats, versions of descriptions.
TEST(pools_by_the_newest_calls) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device8> eight = query<ID3D12Device8>(device.get());
    Ref<ID3D12Device10> ten = query<ID3D12Device10>(device.get());
    const D3D12_HEAP_PROPERTIES properties = standard(D3D12_HEAP_TYPE_DEFAULT);
    Ref<ID3D12Heap> heap = block(device.get(), properties, D3D12_HEAP_FLAG_NONE, 32 * MIB);
    Ref<ID3D12Resource> resource;

    const D3D12_RESOURCE_DESC1 buffer = desc1(buffer_desc(MIB));
    D3D12_RESOURCE_ALLOCATION_INFO1 one = {};
    CHECK_EQ(eight->GetResourceAllocationInfo2(0, 1, &buffer, &one).SizeInBytes, MIB);
    CHECK_EQ(one.Offset, 0u);
    CHECK_EQ(one.SizeInBytes, MIB);
    CHECK_EQ(one.Alignment, 65536u);
    CHECK_OK(eight->CreateCommittedResource2(&properties, D3D12_HEAP_FLAG_NONE, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr, nullptr,
                                             iid_of<ID3D12Resource>(), resource.void_out()));
    CHECK_OK(eight->CreatePlacedResource1(heap.get(), 65536, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(),
                                          resource.void_out()));

    const D3D12_RESOURCE_DESC1 texture = desc1(texture_desc(1920, 1080));
    CHECK_OK(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &texture, D3D12_BARRIER_LAYOUT_UNDEFINED, nullptr, nullptr, 0,
                                           nullptr, iid_of<ID3D12Resource>(), resource.void_out()));
    CHECK_OK(ten->CreatePlacedResource2(heap.get(), 65536, &texture, D3D12_BARRIER_LAYOUT_UNDEFINED, nullptr, 0, nullptr,
                                        iid_of<ID3D12Resource>(), resource.void_out()));
    // A small texture in 4 KiB, asked in the newer words.
    D3D12_RESOURCE_DESC1 small = desc1(texture_desc(64, 64));
    small.Alignment = D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
    CHECK_EQ(eight->GetResourceAllocationInfo2(0, 1, &small, &one).Alignment, 4096u);
    CHECK_OK(ten->CreatePlacedResource2(heap.get(), 4096, &small, D3D12_BARRIER_LAYOUT_UNDEFINED, nullptr, 0, nullptr,
                                        iid_of<ID3D12Resource>(), resource.void_out()));
}

// Blocks that the GPU writes as elements of 16 bytes, by what they are cast to; without that, nothing writes them.
TEST(pools_of_blocks_that_are_written) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device10> ten = query<ID3D12Device10>(device.get());
    const D3D12_HEAP_PROPERTIES properties = standard(D3D12_HEAP_TYPE_DEFAULT);
    Ref<ID3D12Heap> heap = block(device.get(), properties, D3D12_HEAP_FLAG_NONE, 8 * MIB);
    const D3D12_RESOURCE_DESC1 blocks = desc1(texture_desc(1920, 1080, DXGI_FORMAT_BC3_UNORM, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS));
    DXGI_FORMAT castable[] = {DXGI_FORMAT_R32G32B32A32_UINT, DXGI_FORMAT_BC3_UNORM_SRGB};
    Ref<ID3D12Resource> placed, committed;
    CHECK_OK(ten->CreatePlacedResource2(heap.get(), 0, &blocks, D3D12_BARRIER_LAYOUT_UNDEFINED, nullptr, 2, castable,
                                        iid_of<ID3D12Resource>(), placed.void_out()));
    CHECK_HR(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &blocks, D3D12_BARRIER_LAYOUT_COMMON, nullptr, nullptr, 0,
                                           nullptr, iid_of<ID3D12Resource>(), committed.void_out()),
             E_INVALIDARG);
    CHECK_HR(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &blocks, D3D12_BARRIER_LAYOUT_COMMON, nullptr, nullptr, 1,
                                           castable + 1, iid_of<ID3D12Resource>(), committed.void_out()),
             E_INVALIDARG);
    const D3D12_RESOURCE_DESC plain = texture_desc(1920, 1080, DXGI_FORMAT_BC3_UNORM, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &plain).SizeInBytes, UINT64_MAX);

    // 16 x 8 blocks, each of 16 bytes of its own, by a clear through the view of elements.
    const D3D12_RESOURCE_DESC1 small = desc1(texture_desc(64, 32, DXGI_FORMAT_BC3_UNORM, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS));
    CHECK_OK(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &small, D3D12_BARRIER_LAYOUT_UNORDERED_ACCESS, nullptr,
                                           nullptr, 2, castable, iid_of<ID3D12Resource>(), committed.void_out()));
    auto heap_of = [&](D3D12_DESCRIPTOR_HEAP_FLAGS flags) {
        const D3D12_DESCRIPTOR_HEAP_DESC of = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, flags, 0};
        Ref<ID3D12DescriptorHeap> made;
        CHECK_OK(device->CreateDescriptorHeap(&of, iid_of<ID3D12DescriptorHeap>(), made.void_out()));
        D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
        view.Format = DXGI_FORMAT_R32G32B32A32_UINT;
        view.ViewDimension = D3D12_UAV_DIMENSION_TEXTURE2D;
        device->CreateUnorderedAccessView(committed.get(), nullptr, &view, made->GetCPUDescriptorHandleForHeapStart());
        return made;
    };
    Ref<ID3D12DescriptorHeap> shown = heap_of(D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE), hidden = heap_of(D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 8 * 256);
    Gpu gpu(device.get());
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        ID3D12DescriptorHeap *heaps[] = {shown.get()};
        list->SetDescriptorHeaps(1, heaps);
        const UINT all[] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c}, last[] = {1, 2, 3, 4};
        const D3D12_RECT corner = {15, 7, 16, 8};
        list->ClearUnorderedAccessViewUint(shown->GetGPUDescriptorHandleForHeapStart(), hidden->GetCPUDescriptorHandleForHeapStart(),
                                           committed.get(), all, 0, nullptr);
        list->ClearUnorderedAccessViewUint(shown->GetGPUDescriptorHandleForHeapStart(), hidden->GetCPUDescriptorHandleForHeapStart(),
                                           committed.get(), last, 1, &corner);
        gpu.barrier(committed.get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
        D3D12_TEXTURE_COPY_LOCATION from = {}, to = {};
        from.pResource = committed.get();
        from.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
        to.pResource = readback.get();
        to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        to.PlacedFootprint.Footprint = {DXGI_FORMAT_BC3_UNORM, 64, 32, 1, 256};
        list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    });
    const std::vector<uint8_t> bytes = read_buffer(readback.get(), 8 * 256);
    for (size_t i = 0; i < bytes.size(); ++i) {
        const bool is_corner = i >= bytes.size() - 16;
        CHECK_EQ(bytes[i], is_corner ? (i % 4 == 0 ? i % 16 / 4 + 1 : 0) : i % 16);
    }
}

// What is accepted of formats, flags and lists; without a list, the query agrees. A typeless format may be named, and no view is of it.
TEST(pools_of_formats_that_cast) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device10> ten = query<ID3D12Device10>(device.get());
    const D3D12_HEAP_PROPERTIES properties = standard(D3D12_HEAP_TYPE_DEFAULT);
    const D3D12_RESOURCE_FLAGS none = D3D12_RESOURCE_FLAG_NONE, target = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET,
                               depth = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL, written = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    const struct {
        DXGI_FORMAT own;
        D3D12_RESOURCE_FLAGS flags;
        std::vector<DXGI_FORMAT> list;
        bool is_accepted;
    } rows[] = {
        {DXGI_FORMAT_R32_UINT, none, {DXGI_FORMAT_R16G16_FLOAT, DXGI_FORMAT_R9G9B9E5_SHAREDEXP}, true},
        {DXGI_FORMAT_R32_UINT, none, {DXGI_FORMAT_R16G16_FLOAT, DXGI_FORMAT_R16_FLOAT}, false},
        {DXGI_FORMAT_R32_UINT, none, {DXGI_FORMAT_UNKNOWN}, false},
        {DXGI_FORMAT_R32_TYPELESS, none, {DXGI_FORMAT_R32_TYPELESS}, true},
        {DXGI_FORMAT_R32G32_UINT, none, {DXGI_FORMAT_BC1_UNORM}, false},
        {DXGI_FORMAT_BC1_UNORM, none, {DXGI_FORMAT_R32G32_UINT}, true},
        {DXGI_FORMAT_BC1_UNORM, target, {DXGI_FORMAT_R32G32_UINT}, true},
        {DXGI_FORMAT_BC1_UNORM, target, {DXGI_FORMAT_BC1_UNORM}, false},
        {DXGI_FORMAT_BC1_UNORM, target, {}, false},
        {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, written, {DXGI_FORMAT_R8G8B8A8_UINT}, true},
        {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, written, {}, true},
        {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, depth, {}, false},
        {DXGI_FORMAT_D32_FLOAT, depth, {DXGI_FORMAT_R32_FLOAT}, true},
        {DXGI_FORMAT_R32_TYPELESS, depth, {DXGI_FORMAT_R32_TYPELESS}, true},
        {DXGI_FORMAT_R32_FLOAT, depth, {DXGI_FORMAT_R32_TYPELESS}, true},
        {DXGI_FORMAT_R32_FLOAT, depth, {DXGI_FORMAT_R32_FLOAT}, true},
        {DXGI_FORMAT_R32_FLOAT, depth, {}, true},
        {DXGI_FORMAT_R16_UNORM, depth, {}, true},
        {DXGI_FORMAT_R8G8B8A8_UINT, depth, {}, false},
    };
    for (const auto &row : rows) {
        const D3D12_RESOURCE_DESC1 desc = desc1(texture_desc(64, 64, row.own, row.flags));
        std::vector<DXGI_FORMAT> list = row.list;
        Ref<ID3D12Resource> made;
        CHECK_HR(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_BARRIER_LAYOUT_UNDEFINED, nullptr, nullptr,
                                               UINT32(list.size()), list.data(), iid_of<ID3D12Resource>(), made.void_out()),
                 row.is_accepted ? S_OK : E_INVALIDARG);
        if (list.empty()) {
            const D3D12_RESOURCE_DESC plain = texture_desc(64, 64, row.own, row.flags);
            CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &plain).SizeInBytes != UINT64_MAX, row.is_accepted);
        }
    }
}

// Numbers that are cleared as depth, where depth is among what they are cast to.
TEST(pools_of_numbers_that_are_depth) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device10> ten = query<ID3D12Device10>(device.get());
    const D3D12_HEAP_PROPERTIES properties = standard(D3D12_HEAP_TYPE_DEFAULT);
    const D3D12_RESOURCE_DESC1 desc = desc1(texture_desc(64, 4, DXGI_FORMAT_R32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL));
    DXGI_FORMAT castable[] = {DXGI_FORMAT_D32_FLOAT};
    Ref<ID3D12Resource> texture;
    CHECK_OK(ten->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_BARRIER_LAYOUT_DEPTH_STENCIL_WRITE, nullptr,
                                           nullptr, 1, castable, iid_of<ID3D12Resource>(), texture.void_out()));
    const D3D12_DESCRIPTOR_HEAP_DESC of = {D3D12_DESCRIPTOR_HEAP_TYPE_DSV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    Ref<ID3D12DescriptorHeap> views;
    CHECK_OK(device->CreateDescriptorHeap(&of, iid_of<ID3D12DescriptorHeap>(), views.void_out()));
    D3D12_DEPTH_STENCIL_VIEW_DESC view = {};
    view.Format = DXGI_FORMAT_D32_FLOAT;
    view.ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D;
    const D3D12_CPU_DESCRIPTOR_HANDLE handle = views->GetCPUDescriptorHandleForHeapStart();
    device->CreateDepthStencilView(texture.get(), &view, handle);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 4 * 256);
    Gpu gpu(device.get());
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->ClearDepthStencilView(handle, D3D12_CLEAR_FLAG_DEPTH, 0.25f, 0, 0, nullptr);
        gpu.barrier(texture.get(), D3D12_RESOURCE_STATE_DEPTH_WRITE, D3D12_RESOURCE_STATE_COPY_SOURCE);
        D3D12_TEXTURE_COPY_LOCATION from = {}, to = {};
        from.pResource = texture.get();
        from.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
        to.pResource = readback.get();
        to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        to.PlacedFootprint.Footprint = {DXGI_FORMAT_R32_FLOAT, 64, 4, 1, 256};
        list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    });
    const std::vector<uint8_t> bytes = read_buffer(readback.get(), 4 * 256);
    for (size_t i = 0; i < bytes.size(); i += 4) {
        float depth;
        std::memcpy(&depth, bytes.data() + i, 4);
        CHECK_EQ(depth, 0.25f);
    }
}
