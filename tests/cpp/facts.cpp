// facts/behaviour.md, Copies and footprints; Barriers: edges of copies, the order of tiles, enhanced barriers.
#include "check.h"

#include <cstdlib>
#include <sys/wait.h>
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

// On UMA every custom heap in L1 is refused. The device is chosen when a process first asks for one: this test runs in a
// process of its own.
TEST(facts_custom_heaps_on_uma) {
    const char *const profile = std::getenv("HEAPSTONE_PROFILE");
    if (!profile || std::strcmp(profile, "integrated-uma") != 0) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            setenv("HEAPSTONE_PROFILE", "integrated-uma", 1);
            execl("/proc/self/exe", "conformance", "facts_custom_heaps_on_uma", nullptr);
            _exit(99);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), 0);
        return;
    }
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
