// facts/behaviour.md, Copies and footprints; Barriers; Lists, queues, fences: edges of copies, the order of tiles, barriers.
#include "check.h"

#include <unistd.h>

namespace {

D3D12_TEXTURE_COPY_LOCATION subresource(ID3D12Resource *texture) {
    D3D12_TEXTURE_COPY_LOCATION location = {};
    location.pResource = texture;
    location.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
    return location;
}

D3D12_TEXTURE_COPY_LOCATION placed(ID3D12Resource *buffer, DXGI_FORMAT format, UINT width, UINT height, UINT pitch) {
    D3D12_TEXTURE_COPY_LOCATION location = {};
    location.pResource = buffer;
    location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    location.PlacedFootprint.Footprint = {format, width, height, 1, pitch};
    return location;
}

HRESULT recorded(Gpu &gpu, const std::function<void(ID3D12GraphicsCommandList *)> &record) {
    CHECK_OK(gpu.allocator->Reset());
    CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
    record(gpu.list.get());
    return gpu.list->Close();
}

} // namespace

TEST(facts_copies_fail_at_close) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const DXGI_FORMAT bc1 = DXGI_FORMAT_BC1_UNORM;
    Ref<ID3D12Resource> texture = new_texture(device.get(), texture_desc(64, 64, bc1));
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
    const D3D12_TEXTURE_COPY_LOCATION to = subresource(texture.get());
    auto copy = [&](UINT y, UINT height, UINT pitch) {
        const D3D12_TEXTURE_COPY_LOCATION from = placed(buffer.get(), bc1, 64, height, pitch);
        return recorded(gpu, [&](ID3D12GraphicsCommandList *list) { list->CopyTextureRegion(&to, 0, y, 0, &from, nullptr); });
    };
    CHECK_HR(copy(0, 64, 256), S_OK);
    CHECK_HR(copy(0, 63, 256), E_INVALIDARG); // BC height 63
    CHECK_HR(copy(1, 32, 256), E_INVALIDARG); // unaligned destination y
    CHECK_HR(copy(0, 64, 255), E_INVALIDARG); // bad row pitch
    // An empty or inverted box copies nothing.
    const D3D12_TEXTURE_COPY_LOCATION from = placed(buffer.get(), bc1, 64, 64, 256);
    for (const D3D12_BOX box : {D3D12_BOX{4, 4, 0, 4, 8, 1}, D3D12_BOX{8, 0, 0, 4, 4, 1}, D3D12_BOX{0, 8, 0, 4, 4, 1}}) {
        CHECK_OK(recorded(gpu, [&](ID3D12GraphicsCommandList *list) { list->CopyTextureRegion(&to, 0, 0, 0, &from, &box); }));
    }
}

// A tile that is mapped twice in one call: the later region wins.
TEST(facts_the_later_region_of_tiles_wins) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_RESOURCE_DESC desc = buffer_desc(65536), plain = buffer_desc(2 * 65536);
    Ref<ID3D12Resource> reserved, alias;
    CHECK_OK(device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COPY_DEST, nullptr, iid_of<ID3D12Resource>(), reserved.void_out()));
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(2 * 65536, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
    CHECK_OK(device->CreatePlacedResource(heap.get(), 0, &plain, D3D12_RESOURCE_STATE_COPY_SOURCE, nullptr, iid_of<ID3D12Resource>(), alias.void_out()));
    const D3D12_TILED_RESOURCE_COORDINATE places[] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    const D3D12_TILE_REGION_SIZE sizes[] = {{1, FALSE, 0, 0, 0}, {1, FALSE, 0, 0, 0}};
    const UINT offsets[] = {0, 1}, counts[] = {1, 1};
    gpu.queue->UpdateTileMappings(reserved.get(), 2, places, sizes, heap.get(), 2, nullptr, offsets, counts, D3D12_TILE_MAPPING_FLAG_NONE);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 2 * 65536);
    const std::vector<uint8_t> bytes = pattern(65536, 5);
    write_buffer(upload.get(), bytes);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->CopyBufferRegion(reserved.get(), 0, upload.get(), 0, 65536);
        D3D12_RESOURCE_BARRIER barrier = {};
        barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
        barrier.Aliasing = {reserved.get(), alias.get()};
        list->ResourceBarrier(1, &barrier);
        list->CopyBufferRegion(readback.get(), 0, alias.get(), 0, 2 * 65536);
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), 2 * 65536);
    CHECK(std::vector<uint8_t>(back.begin(), back.begin() + 65536) == std::vector<uint8_t>(65536, 0));
    CHECK(std::vector<uint8_t>(back.begin() + 65536, back.end()) == bytes);
}

// UNDEFINED -> RENDER_TARGET without DISCARD keeps what is there.
TEST(facts_enhanced_barriers_keep_contents) {
    Ref<ID3D12Device10> device = query<ID3D12Device10>(new_device().get());
    Gpu gpu(device.get());
    Ref<ID3D12GraphicsCommandList7> list = query<ID3D12GraphicsCommandList7>(gpu.list.get());
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    const D3D12_RESOURCE_DESC1 desc = desc1(texture_desc(64, 16, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET));
    Ref<ID3D12Resource> texture;
    CHECK_OK(device->CreateCommittedResource3(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_BARRIER_LAYOUT_COPY_DEST, nullptr,
                                              nullptr, 0, nullptr, iid_of<ID3D12Resource>(), texture.void_out()));
    const std::vector<uint8_t> bytes = pattern(256 * 16, 6);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, bytes.size());
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, bytes.size());
    write_buffer(upload.get(), bytes);
    auto barrier = [&](D3D12_BARRIER_SYNC sync_before, D3D12_BARRIER_SYNC sync_after, D3D12_BARRIER_ACCESS access_before,
                       D3D12_BARRIER_ACCESS access_after, D3D12_BARRIER_LAYOUT before, D3D12_BARRIER_LAYOUT after,
                       const D3D12_BARRIER_SUBRESOURCE_RANGE &range) {
        const D3D12_TEXTURE_BARRIER one = {sync_before, sync_after, access_before, access_after, before, after,
                                           texture.get(), range, D3D12_TEXTURE_BARRIER_FLAG_NONE};
        D3D12_BARRIER_GROUP group = {};
        group.Type = D3D12_BARRIER_TYPE_TEXTURE;
        group.NumBarriers = 1;
        group.pTextureBarriers = &one;
        list->Barrier(1, &group);
    };
    // All subresources; NumMipLevels 0: a subresource's index.
    const D3D12_BARRIER_SUBRESOURCE_RANGE all = {0xFFFFFFFF, 0, 0, 0, 0, 0}, first = {0, 0, 0, 0, 0, 0};
    const D3D12_TEXTURE_COPY_LOCATION whole = subresource(texture.get()),
        from = placed(upload.get(), DXGI_FORMAT_R8G8B8A8_UNORM, 64, 16, 256), to = placed(readback.get(), DXGI_FORMAT_R8G8B8A8_UNORM, 64, 16, 256);
    gpu.run([&](ID3D12GraphicsCommandList *commands) {
        commands->CopyTextureRegion(&whole, 0, 0, 0, &from, nullptr);
        barrier(D3D12_BARRIER_SYNC_COPY, D3D12_BARRIER_SYNC_RENDER_TARGET, D3D12_BARRIER_ACCESS_NO_ACCESS, D3D12_BARRIER_ACCESS_RENDER_TARGET,
                D3D12_BARRIER_LAYOUT_UNDEFINED, D3D12_BARRIER_LAYOUT_RENDER_TARGET, all);
        barrier(D3D12_BARRIER_SYNC_RENDER_TARGET, D3D12_BARRIER_SYNC_COPY, D3D12_BARRIER_ACCESS_RENDER_TARGET, D3D12_BARRIER_ACCESS_COPY_SOURCE,
                D3D12_BARRIER_LAYOUT_RENDER_TARGET, D3D12_BARRIER_LAYOUT_COPY_SOURCE, first);
        commands->CopyTextureRegion(&to, 0, 0, 0, &whole, nullptr);
    });
    CHECK(read_buffer(readback.get(), bytes.size()) == bytes);
}

// On UMA every custom heap in L1 is refused.
TEST(facts_custom_heaps_on_uma) {
    if (!alone("facts_custom_heaps_on_uma", "HEAPSTONE_PROFILE", "integrated-uma")) return;
    Ref<ID3D12Device> device = new_device();
    D3D12_FEATURE_DATA_ARCHITECTURE architecture = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof architecture));
    CHECK(architecture.UMA);
    D3D12_HEAP_DESC desc = heap_desc(65536, D3D12_HEAP_TYPE_CUSTOM, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    for (const auto page : {D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK}) {
        Ref<ID3D12Heap> heap;
        desc.Properties.CPUPageProperty = page;
        desc.Properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L1;
        CHECK_HR(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()), E_INVALIDARG);
        desc.Properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
        CHECK_OK(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()));
    }
}

// Copies between a 32-bit typeless and D24's depth plane keep the low 24 bits, and the planes do not touch each other.
TEST(facts_copies_of_depth_and_stencil_planes) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_RESOURCE_DESC desc =
        texture_desc(16, 8, DXGI_FORMAT_D24_UNORM_S8_UINT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    Ref<ID3D12Resource> texture = new_texture(device.get(), desc);
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layouts[2] = {};
    UINT64 total = 0;
    device->GetCopyableFootprints(&desc, 0, 2, 0, layouts, nullptr, nullptr, &total);
    CHECK_EQ(layouts[0].Footprint.Format, DXGI_FORMAT_R32_TYPELESS);
    CHECK_EQ(layouts[1].Footprint.Format, DXGI_FORMAT_R8_TYPELESS);
    CHECK_EQ(layouts[0].Footprint.RowPitch, 512u); // two planes: aligned to 512, not 256
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, total);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, total);
    const std::vector<uint8_t> bytes = pattern(total, 21);
    write_buffer(upload.get(), bytes);
    auto plane = [&](UINT index) {
        D3D12_TEXTURE_COPY_LOCATION location = subresource(texture.get());
        location.SubresourceIndex = index;
        return location;
    };
    auto in_buffer = [&](ID3D12Resource *buffer, UINT index) {
        D3D12_TEXTURE_COPY_LOCATION location = {};
        location.pResource = buffer;
        location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        location.PlacedFootprint = layouts[index];
        return location;
    };
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        // The stencil first: depth that is written behind it leaves it alone.
        for (const UINT index : {1u, 0u}) {
            const D3D12_TEXTURE_COPY_LOCATION to = plane(index), from = in_buffer(upload.get(), index);
            list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
        }
        gpu.barrier(texture.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
        for (const UINT index : {0u, 1u}) {
            const D3D12_TEXTURE_COPY_LOCATION to = in_buffer(readback.get(), index), from = plane(index);
            list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
        }
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), total);
    for (size_t row = 0; row < 8; ++row) {
        for (size_t column = 0; column < 16; ++column) {
            const size_t depth = row * 512 + column * 4;
            for (size_t byte = 0; byte < 3; ++byte) CHECK_EQ(back[depth + byte], bytes[depth + byte]);
            const size_t stencil = layouts[1].Offset + row * layouts[1].Footprint.RowPitch + column;
            CHECK_EQ(back[stencil], bytes[stencil]);
        }
    }
}

// An aliasing barrier between two resources does not disturb a third's contents.
TEST(facts_aliasing_leaves_a_third_alone) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(3 * 65536, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
    auto place = [&](UINT64 offset, UINT64 size) {
        const D3D12_RESOURCE_DESC desc = buffer_desc(size);
        Ref<ID3D12Resource> buffer;
        CHECK_OK(device->CreatePlacedResource(heap.get(), offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                              iid_of<ID3D12Resource>(), buffer.void_out()));
        return buffer;
    };
    // Two at the same place; a third behind them, and one over a part of that.
    Ref<ID3D12Resource> first = place(0, 65536), second = place(0, 65536), third = place(65536, 2 * 65536), over = place(65536, 65536);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 2 * 65536);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 2 * 65536);
    const std::vector<uint8_t> bytes = pattern(2 * 65536, 30);
    write_buffer(upload.get(), bytes);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->CopyBufferRegion(third.get(), 0, upload.get(), 0, 2 * 65536);
        for (const auto &pair : {std::pair<ID3D12Resource *, ID3D12Resource *>{first.get(), second.get()},
                                 {second.get(), first.get()}, {nullptr, first.get()}, {first.get(), nullptr}}) {
            D3D12_RESOURCE_BARRIER barrier = {};
            barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
            barrier.Aliasing = {pair.first, pair.second};
            list->ResourceBarrier(1, &barrier);
            list->CopyBufferRegion(first.get(), 0, upload.get(), 65536, 65536);
        }
        gpu.barrier(third.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
        list->CopyBufferRegion(readback.get(), 0, third.get(), 0, 2 * 65536);
    });
    CHECK(read_buffer(readback.get(), bytes.size()) == bytes);
}

// NumArraySlices 0 means 1: a barrier of one slice transitions that, and another's remains as it was.
TEST(facts_barriers_of_no_slices_are_of_one) {
    Ref<ID3D12Device10> device = query<ID3D12Device10>(new_device().get());
    Gpu gpu(device.get());
    Ref<ID3D12GraphicsCommandList7> list = query<ID3D12GraphicsCommandList7>(gpu.list.get());
    D3D12_RESOURCE_DESC desc = texture_desc(16, 16);
    desc.DepthOrArraySize = 3;
    desc.MipLevels = 2;
    Ref<ID3D12Resource> texture = new_texture(device.get(), desc, D3D12_RESOURCE_STATE_COMMON);
    auto barrier = [&](const D3D12_BARRIER_SUBRESOURCE_RANGE &range) {
        return recorded(gpu, [&](ID3D12GraphicsCommandList *) {
            const D3D12_TEXTURE_BARRIER one = {D3D12_BARRIER_SYNC_NONE, D3D12_BARRIER_SYNC_COPY, D3D12_BARRIER_ACCESS_NO_ACCESS,
                                               D3D12_BARRIER_ACCESS_COPY_DEST, D3D12_BARRIER_LAYOUT_COMMON, D3D12_BARRIER_LAYOUT_COPY_DEST,
                                               texture.get(), range, D3D12_TEXTURE_BARRIER_FLAG_NONE};
            D3D12_BARRIER_GROUP group = {};
            group.Type = D3D12_BARRIER_TYPE_TEXTURE;
            group.NumBarriers = 1;
            group.pTextureBarriers = &one;
            list->Barrier(1, &group);
        });
    };
    // IndexOrFirstMipLevel, NumMipLevels, FirstArraySlice, NumArraySlices, FirstPlane, NumPlanes.
    CHECK_OK(barrier({0, 2, 2, 0, 0, 0}));
    CHECK_HR(barrier({0, 2, 3, 0, 0, 0}), E_INVALIDARG); // there are three: it is one slice, not none
    CHECK_HR(barrier({0, 3, 0, 1, 0, 1}), E_INVALIDARG);
    CHECK_OK(barrier({5, 0, 0, 0, 0, 0})); // NumMipLevels 0: a subresource's index
    CHECK_HR(barrier({6, 0, 0, 0, 0, 0}), E_INVALIDARG);
    CHECK_OK(barrier({0xFFFFFFFF, 0, 0, 0, 0, 0}));
}

// Tile copies accept a buffer offset that is a multiple of 32 bytes.
TEST(facts_tile_copies_at_multiples_of_32_bytes) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_RESOURCE_DESC desc = buffer_desc(65536);
    Ref<ID3D12Resource> reserved;
    CHECK_OK(device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COPY_DEST, nullptr, iid_of<ID3D12Resource>(), reserved.void_out()));
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
    const UINT first = 0, one = 1;
    gpu.queue->UpdateTileMappings(reserved.get(), 1, nullptr, nullptr, heap.get(), 1, nullptr, &first, &one, D3D12_TILE_MAPPING_FLAG_NONE);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536 + 96);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 65536);
    const std::vector<uint8_t> bytes = pattern(65536 + 96, 8);
    write_buffer(upload.get(), bytes);
    const D3D12_TILED_RESOURCE_COORDINATE start = {0, 0, 0, 0};
    const D3D12_TILE_REGION_SIZE region = {1, FALSE, 0, 0, 0};
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->CopyTiles(reserved.get(), &start, &region, upload.get(), 96, D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE);
        gpu.barrier(reserved.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
        list->CopyBufferRegion(readback.get(), 0, reserved.get(), 0, 65536);
    });
    CHECK(read_buffer(readback.get(), 65536) == std::vector<uint8_t>(bytes.begin() + 96, bytes.end()));
}

// ClearUnorderedAccessView takes what it needs from the CPU descriptor.
TEST(facts_clears_take_the_cpu_descriptor) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    const D3D12_RESOURCE_DESC desc = buffer_desc(256, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    Ref<ID3D12Resource> buffer;
    CHECK_OK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                                             nullptr, iid_of<ID3D12Resource>(), buffer.void_out()));
    auto heap_of = [&](D3D12_DESCRIPTOR_HEAP_FLAGS flags) {
        const D3D12_DESCRIPTOR_HEAP_DESC of = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, flags, 0};
        Ref<ID3D12DescriptorHeap> heap;
        CHECK_OK(device->CreateDescriptorHeap(&of, iid_of<ID3D12DescriptorHeap>(), heap.void_out()));
        return heap;
    };
    Ref<ID3D12DescriptorHeap> shown = heap_of(D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE), hidden = heap_of(D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
    D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
    view.Format = DXGI_FORMAT_R32_UINT;
    view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    view.Buffer.NumElements = 64;
    device->CreateUnorderedAccessView(buffer.get(), nullptr, &view, shown->GetCPUDescriptorHandleForHeapStart());
    // 16 of them, from the eighth, in the descriptor that the CPU names.
    view.Buffer.FirstElement = 8;
    view.Buffer.NumElements = 16;
    device->CreateUnorderedAccessView(buffer.get(), nullptr, &view, hidden->GetCPUDescriptorHandleForHeapStart());
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 256);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        ID3D12DescriptorHeap *heaps[] = {shown.get()};
        list->SetDescriptorHeaps(1, heaps);
        const UINT values[] = {0xABCD1234, 2, 3, 4};
        list->ClearUnorderedAccessViewUint(shown->GetGPUDescriptorHandleForHeapStart(), hidden->GetCPUDescriptorHandleForHeapStart(),
                                           buffer.get(), values, 0, nullptr);
        gpu.barrier(buffer.get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
        list->CopyResource(readback.get(), buffer.get());
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), 256);
    for (size_t i = 0; i < 64; ++i) {
        uint32_t word;
        std::memcpy(&word, back.data() + i * 4, 4);
        CHECK_EQ(word, i >= 8 && i < 24 ? 0xABCD1234u : 0u);
    }
}

// A wait that an earlier signal has satisfied stays satisfied after a rewind; values may go back from a queue too.
TEST(facts_satisfied_waits_stay_satisfied) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Ref<ID3D12Fence> fence, gate;
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), fence.void_out()));
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), gate.void_out()));
    EventFd event;
    CHECK_OK(fence->SetEventOnCompletion(5, event.handle()));
    // The queue is held up before its wait for the fence, which is satisfied and rewound meanwhile.
    CHECK_OK(gpu.queue->Wait(gate.get(), 1));
    CHECK_OK(gpu.queue->Wait(fence.get(), 5));
    CHECK_OK(gpu.queue->Signal(gpu.fence.get(), 1));
    CHECK_OK(fence->Signal(6));
    CHECK_OK(fence->Signal(0));
    CHECK(event.wait(1000));
    CHECK_EQ(gpu.fence->GetCompletedValue(), 0u);
    CHECK_OK(gate->Signal(1));
    CHECK_OK(gpu.fence->SetEventOnCompletion(1, nullptr));
    CHECK_OK(gpu.queue->Signal(gate.get(), 0));
    CHECK_OK(gpu.queue->Signal(gpu.fence.get(), 2));
    CHECK_OK(gpu.fence->SetEventOnCompletion(2, nullptr));
    CHECK_EQ(gate->GetCompletedValue(), 0u);
}

// A shared fence is at the value that this process signalled last, at once and for good: whoever watches for other processes
// never sets it back.
TEST(facts_a_shared_fence_does_not_go_back) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Ref<ID3D12Fence> fence;
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_SHARED, iid_of<ID3D12Fence>(), fence.void_out()));
    HANDLE handle = nullptr;
    CHECK_OK(device->CreateSharedHandle(fence.get(), nullptr, 0x10000000, nullptr, &handle)); // GENERIC_ALL
    EventFd event;
    for (UINT64 value = 1; value <= 4000; ++value) {
        if (value % 4 == 0) {
            CHECK_OK(gpu.queue->Signal(fence.get(), value));
            CHECK_OK(fence->SetEventOnCompletion(value, nullptr));
        } else {
            CHECK_OK(fence->Signal(value));
        }
        CHECK_OK(fence->SetEventOnCompletion(value, event.handle()));
        CHECK(event.wait(0));
        CHECK_EQ(fence->GetCompletedValue(), value);
    }
    close(static_cast<int>(reinterpret_cast<intptr_t>(handle)));
}

TEST(facts_experimental_features_that_nobody_asks_for) {
    CHECK_OK(D3D12EnableExperimentalFeatures(0, nullptr, nullptr, nullptr));
}

// OPTIONS19, which is younger than Debian's headers: heaps are as large as it says, and no larger.
TEST(facts_descriptor_heaps_are_as_large_as_reported) {
    if (!alone("facts_descriptor_heaps_are_as_large_as_reported", "HEAPSTONE_PROFILE", "cache-coherent-uma,discrete-8g")) return;
    struct Options19 {
        BOOL MismatchingOutputDimensionsSupported;
        UINT SupportedSampleCountsWithNoOutputs;
        BOOL PointSamplingAddressesNeverRoundUp, RasterizerDesc2Supported, NarrowQuadrilateralLinesSupported, AnisoFilterWithPointMipSupported;
        UINT MaxSamplerDescriptorHeapSize, MaxSamplerDescriptorHeapSizeWithStaticSamplers, MaxViewDescriptorHeapSize;
        BOOL ComputeOnlyCustomHeapSupported;
    } options = {};
    const auto feature = static_cast<D3D12_FEATURE>(48);
    auto create = [](ID3D12Device *device, D3D12_DESCRIPTOR_HEAP_TYPE type, UINT count) {
        const D3D12_DESCRIPTOR_HEAP_DESC desc = {type, count, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
        Ref<ID3D12DescriptorHeap> heap;
        return device->CreateDescriptorHeap(&desc, iid_of<ID3D12DescriptorHeap>(), heap.void_out());
    };
    Ref<IDXGIFactory1> factory;
    CHECK_OK(CreateDXGIFactory1(iid_of<IDXGIFactory1>(), factory.void_out()));
    // Of the profiles: 4096 samplers and binding tier 2, 2048 and tier 3.
    const UINT samplers[] = {4096, 2048}, views[] = {1000000, 4194304};
    for (UINT i = 0; i < 2; ++i) {
        Ref<IDXGIAdapter1> adapter;
        CHECK_OK(factory->EnumAdapters1(i, adapter.out()));
        Ref<ID3D12Device> device;
        CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
        CHECK_OK(device->CheckFeatureSupport(feature, &options, sizeof options));
        CHECK_EQ(options.MaxSamplerDescriptorHeapSize, samplers[i]);
        CHECK_EQ(options.MaxViewDescriptorHeapSize, views[i]);
        CHECK_OK(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, samplers[i]));
        CHECK_HR(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, samplers[i] + 1), E_INVALIDARG);
        CHECK_OK(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, views[i]));
        CHECK_HR(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, views[i] + 1), E_INVALIDARG);
        CHECK_HR(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, UINT32_MAX), E_INVALIDARG);
    }
    // An SDK version before 614 does not know OPTIONS19, and then 2048 samplers are all.
    constexpr GUID configuration_class = {0x7cda6aca, 0xa03e, 0x49c8, {0x94, 0x58, 0x03, 0x34, 0xd2, 0x0e, 0x07, 0xce}};
    Ref<ID3D12SDKConfiguration1> configuration;
    CHECK_OK(D3D12GetInterface(configuration_class, iid_of<ID3D12SDKConfiguration1>(), configuration.void_out()));
    Ref<ID3D12DeviceFactory> old;
    CHECK_OK(configuration->CreateDeviceFactory(606, ".", iid_of<ID3D12DeviceFactory>(), old.void_out()));
    Ref<ID3D12Device> device;
    CHECK_OK(old->CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    CHECK_HR(device->CheckFeatureSupport(feature, &options, sizeof options), E_INVALIDARG);
    CHECK_OK(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 2048));
    CHECK_HR(create(device.get(), D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 2049), E_INVALIDARG);
}

// Which objects are alive when a process ends is told where the configuration asks.
TEST(facts_live_objects_are_told_at_the_end) {
    std::string errors;
    if (alone("facts_live_objects_are_told_at_the_end", "HEAPSTONE_LIVE_OBJECTS", "1", &errors)) {
        Ref<ID3D12Device> device = new_device();
        // A global object's destructor runs before the library's last words.
        static Ref<ID3D12Heap> let_go = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_UPLOAD));
        Ref<ID3D12Heap> left = new_heap(device.get(), heap_desc(3 * 65536, D3D12_HEAP_TYPE_DEFAULT));
        CHECK_OK(left->SetName(L"left behind"));
        static ID3D12Heap *const leak = left.detach();
        CHECK(leak != nullptr && let_go);
        return;
    }
    auto has = [&](const char *text) { return errors.find(text) != std::string::npos; };
    CHECK(has("Live ID3D12Device at 0x"));
    CHECK(has(", Name: left behind, Refcount: 1, IntRef: 0, Size: 196608\n"));
    CHECK(has("\tLive ID3D12Heap: 1, Size: 196608\n"));
    CHECK(!has("Size: 65536"));
}
