// What D3D12 Memory Allocator and its tests call, in the manner in which they call it (facts/abi.md, What D3D12MA calls).
#include "check.h"

#include <atomic>
#include <thread>

namespace {

// A block of memory that suballocates from its start, as a linear pool does.
struct Block {
    Ref<ID3D12Heap> heap;
    UINT64 size = 0, used = 0;
};

class Pool {
public:
    Pool(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 block_size, UINT64 alignment = 0)
        : device(device), type(type), block_size(block_size), alignment(alignment) {}

    // Where there is no room in the last block, a new one.
    std::pair<ID3D12Heap *, UINT64> allocate(const D3D12_RESOURCE_ALLOCATION_INFO &info) {
        for (Block &block : blocks) {
            const UINT64 offset = (block.used + info.Alignment - 1) / info.Alignment * info.Alignment;
            if (offset + info.SizeInBytes <= block.size) {
                block.used = offset + info.SizeInBytes;
                return {block.heap.get(), offset};
            }
        }
        D3D12_HEAP_DESC desc = heap_desc(block_size, type);
        desc.Alignment = alignment;
        blocks.push_back({new_heap(device, desc), block_size, info.SizeInBytes});
        return {blocks.back().heap.get(), 0};
    }

    std::vector<Block> blocks;

private:
    ID3D12Device *device;
    D3D12_HEAP_TYPE type;
    UINT64 block_size, alignment;
};

Ref<ID3D12Resource> place(ID3D12Device *device, Pool &pool, const D3D12_RESOURCE_DESC &desc,
                          D3D12_RESOURCE_STATES state) {
    const auto [heap, offset] = pool.allocate(device->GetResourceAllocationInfo(0, 1, &desc));
    Ref<ID3D12Resource> resource;
    CHECK_OK(device->CreatePlacedResource(heap, offset, &desc, state, nullptr, iid_of<ID3D12Resource>(),
                                          resource.void_out()));
    return resource;
}

Ref<IDXGIAdapter3> first_adapter() {
    Ref<IDXGIFactory1> factory;
    CHECK_OK(CreateDXGIFactory1(iid_of<IDXGIFactory1>(), factory.void_out()));
    Ref<IDXGIAdapter1> adapter;
    CHECK_OK(factory->EnumAdapters1(0, adapter.out()));
    return query<IDXGIAdapter3>(adapter.get());
}

DXGI_QUERY_VIDEO_MEMORY_INFO memory(IDXGIAdapter3 *adapter, DXGI_MEMORY_SEGMENT_GROUP group) {
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    CHECK_OK(adapter->QueryVideoMemoryInfo(0, group, &info));
    return info;
}

} // namespace

TEST(allocator_startup) {
    Ref<IDXGIAdapter3> adapter = first_adapter();
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    DXGI_ADAPTER_DESC desc = {};
    CHECK_OK(adapter->GetDesc(&desc));
    const LUID luid = device->GetAdapterLuid();
    CHECK(desc.AdapterLuid.LowPart == luid.LowPart && desc.AdapterLuid.HighPart == luid.HighPart);
    D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options));
    D3D12_FEATURE_DATA_ARCHITECTURE architecture = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof architecture));
    D3D12_FEATURE_DATA_D3D12_OPTIONS4 options4 = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS4, &options4, sizeof options4));
    D3D12_FEATURE_DATA_D3D12_OPTIONS7 options7 = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS7, &options7, sizeof options7));
    // Later than Debian's headers: OPTIONS16 = 45 with two BOOLs, TIGHT_ALIGNMENT = 54 with one tier.
    struct {
        BOOL DynamicDepthBiasSupported, GPUUploadHeapSupported;
    } options16 = {};
    CHECK_OK(device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(45), &options16, sizeof options16));
    CHECK(options16.GPUUploadHeapSupported);
    UINT tier = 0;
    CHECK_OK(device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(54), &tier, sizeof tier));
    CHECK_EQ(tier, 1u);
}

TEST(allocator_budget) {
    Ref<IDXGIAdapter3> adapter = first_adapter();
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    DXGI_ADAPTER_DESC desc = {};
    CHECK_OK(adapter->GetDesc(&desc));
    for (DXGI_MEMORY_SEGMENT_GROUP group :
         {DXGI_MEMORY_SEGMENT_GROUP_LOCAL, DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL}) {
        const bool local = group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL;
        const DXGI_QUERY_VIDEO_MEMORY_INFO before = memory(adapter.get(), group);
        CHECK(before.Budget > 0);
        CHECK(before.Budget <= (local ? desc.DedicatedVideoMemory : desc.SharedSystemMemory));
        Ref<ID3D12Heap> heap = new_heap(
            device.get(), heap_desc(16u << 20, local ? D3D12_HEAP_TYPE_DEFAULT : D3D12_HEAP_TYPE_UPLOAD));
        const DXGI_QUERY_VIDEO_MEMORY_INFO with = memory(adapter.get(), group);
        CHECK_EQ(with.CurrentUsage, before.CurrentUsage + (16u << 20));
        heap.reset();
        CHECK_EQ(memory(adapter.get(), group).CurrentUsage, before.CurrentUsage);
    }
    // A heap of GPU upload lies in video memory.
    const UINT64 before = memory(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL).CurrentUsage;
    Ref<ID3D12Resource> upload = new_buffer(device.get(), static_cast<D3D12_HEAP_TYPE>(5), 1u << 20);
    CHECK(memory(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL).CurrentUsage >= before + (1u << 20));
    const std::vector<uint8_t> bytes = pattern(1u << 20, 4);
    write_buffer(upload.get(), bytes);
    CHECK(read_buffer(upload.get(), bytes.size()) == bytes);
}

TEST(allocator_pools_of_buffers_and_textures) {
    Ref<ID3D12Device> device = new_device();
    Pool buffers(device.get(), D3D12_HEAP_TYPE_UPLOAD, 1u << 20), textures(device.get(), D3D12_HEAP_TYPE_DEFAULT, 8u << 20);
    std::vector<Ref<ID3D12Resource>> all;
    for (UINT i = 0; i < 40; ++i) {
        all.push_back(place(device.get(), buffers, buffer_desc(1000 + i * 7919), D3D12_RESOURCE_STATE_GENERIC_READ));
        all.push_back(place(device.get(), textures, texture_desc(64 + i * 16, 32 + i * 8), D3D12_RESOURCE_STATE_COMMON));
    }
    // Buffers do not touch each other.
    for (UINT i = 0; i < 40; ++i) write_buffer(all[2 * i].get(), pattern(1000 + i * 7919, static_cast<uint8_t>(i)));
    for (UINT i = 0; i < 40; ++i) {
        CHECK(read_buffer(all[2 * i].get(), 1000 + i * 7919) == pattern(1000 + i * 7919, static_cast<uint8_t>(i)));
    }
    CHECK(buffers.blocks.size() > 1);
}

TEST(allocator_small_alignment) {
    Ref<ID3D12Device> device = new_device();
    Pool pool(device.get(), D3D12_HEAP_TYPE_DEFAULT, 1u << 20);
    std::vector<Ref<ID3D12Resource>> all;
    // 64 small textures of 16 KiB: 1 MiB, where each would take 64 KiB without the small alignment.
    for (int i = 0; i < 64; ++i) {
        D3D12_RESOURCE_DESC desc = texture_desc(64, 64);
        desc.Alignment = D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
        all.push_back(place(device.get(), pool, desc, D3D12_RESOURCE_STATE_COMMON));
    }
    CHECK_EQ(pool.blocks.size(), static_cast<size_t>(1));
    // What is too large for it has the size UINT64_MAX, and the allocator asks again without.
    D3D12_RESOURCE_DESC large = texture_desc(1024, 1024);
    large.Alignment = D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &large).SizeInBytes, UINT64_MAX);
    large.Alignment = 0;
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &large).SizeInBytes, 4u << 20);
}

TEST(allocator_tight_alignment) {
    Ref<ID3D12Device> device = new_device();
    constexpr D3D12_RESOURCE_FLAGS tight = static_cast<D3D12_RESOURCE_FLAGS>(0x400);
    Pool pool(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
    std::vector<Ref<ID3D12Resource>> all;
    const D3D12_RESOURCE_ALLOCATION_INFO info = [&] {
        const D3D12_RESOURCE_DESC desc = buffer_desc(100, tight);
        return device->GetResourceAllocationInfo(0, 1, &desc);
    }();
    CHECK(info.Alignment <= 256 && info.SizeInBytes <= 256);
    for (uint8_t i = 0; i < 100; ++i) {
        all.push_back(place(device.get(), pool, buffer_desc(100, tight), D3D12_RESOURCE_STATE_GENERIC_READ));
        write_buffer(all.back().get(), pattern(100, i));
    }
    CHECK_EQ(pool.blocks.size(), static_cast<size_t>(1));
    for (uint8_t i = 0; i < 100; ++i) CHECK(read_buffer(all[i].get(), 100) == pattern(100, i));
}

TEST(allocator_multisampled_heaps) {
    Ref<ID3D12Device> device = new_device();
    Pool pool(device.get(), D3D12_HEAP_TYPE_DEFAULT, 32u << 20, D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT);
    D3D12_RESOURCE_DESC desc =
        texture_desc(512, 512, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    desc.SampleDesc.Count = 4;
    std::vector<Ref<ID3D12Resource>> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(place(device.get(), pool, desc, D3D12_RESOURCE_STATE_RENDER_TARGET));
    }
    CHECK_EQ(pool.blocks[0].heap->GetDesc().Alignment, 4u << 20);
}

TEST(allocator_aliasing) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(8u << 20, D3D12_HEAP_TYPE_DEFAULT));
    auto alias = [&](const D3D12_RESOURCE_DESC &desc) {
        Ref<ID3D12Resource> resource;
        CHECK_OK(device->CreatePlacedResource(heap.get(), 0, &desc, D3D12_RESOURCE_STATE_COPY_DEST, nullptr,
                                              iid_of<ID3D12Resource>(), resource.void_out()));
        return resource;
    };
    Ref<ID3D12Resource> first = alias(texture_desc(1024, 1024)), second = alias(buffer_desc(8u << 20));
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 65536);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
    const std::vector<uint8_t> bytes = pattern(65536, 2);
    write_buffer(upload.get(), bytes);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        D3D12_RESOURCE_BARRIER barrier = {};
        barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
        barrier.Aliasing = {first.get(), second.get()};
        list->ResourceBarrier(1, &barrier);
        list->CopyBufferRegion(second.get(), 0, upload.get(), 0, 65536);
        gpu.barrier(second.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
        list->CopyBufferRegion(readback.get(), 0, second.get(), 0, 65536);
    });
    CHECK(read_buffer(readback.get(), 65536) == bytes);
}

TEST(allocator_defragmentation) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Pool from(device.get(), D3D12_HEAP_TYPE_DEFAULT, 1u << 20), to(device.get(), D3D12_HEAP_TYPE_DEFAULT, 1u << 20);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 65536);
    const D3D12_RESOURCE_DESC desc = buffer_desc(65536);
    std::vector<Ref<ID3D12Resource>> all;
    for (uint8_t i = 0; i < 48; ++i) {
        all.push_back(place(device.get(), from, desc, D3D12_RESOURCE_STATE_COPY_DEST));
        write_buffer(upload.get(), pattern(65536, i));
        gpu.run([&](ID3D12GraphicsCommandList *list) { list->CopyResource(all[i].get(), upload.get()); });
    }
    // Every other one goes; the rest moves to new places by copies, and keeps its contents.
    for (size_t i = 0; i < all.size(); i += 2) all[i].reset();
    std::vector<Ref<ID3D12Resource>> moved(all.size());
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        for (size_t i = 1; i < all.size(); i += 2) {
            gpu.barrier(all[i].get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
            moved[i] = place(device.get(), to, desc, D3D12_RESOURCE_STATE_COPY_DEST);
            list->CopyResource(moved[i].get(), all[i].get());
        }
    });
    all.clear();
    from.blocks.clear();
    for (size_t i = 1; i < moved.size(); i += 2) {
        gpu.run([&](ID3D12GraphicsCommandList *list) {
            gpu.barrier(moved[i].get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
            list->CopyResource(readback.get(), moved[i].get());
        });
        CHECK(read_buffer(readback.get(), 65536) == pattern(65536, static_cast<uint8_t>(i)));
    }
}

TEST(allocator_in_32_threads) {
    Ref<ID3D12Device> device = new_device();
    const ULONG alone = references(device.get());
    std::atomic<int> failures = 0;
    std::vector<std::thread> threads;
    for (uint8_t t = 0; t < 32; ++t) {
        threads.emplace_back([&, t] {
            try {
                Pool pool(device.get(), D3D12_HEAP_TYPE_UPLOAD, 1u << 20);
                std::vector<std::pair<Ref<ID3D12Resource>, UINT64>> live;
                uint32_t random = t + 1;
                for (int i = 0; i < 60; ++i) {
                    random = random * 1664525u + 1013904223u;
                    const UINT64 size = 1 + (random >> 8) % 100000;
                    if (i % 3 == 2) {
                        live.emplace_back(new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, size), size);
                    } else {
                        live.emplace_back(
                            place(device.get(), pool, buffer_desc(size), D3D12_RESOURCE_STATE_GENERIC_READ), size);
                    }
                    write_buffer(live.back().first.get(), pattern(size, t));
                    live.back().first->SetName(L"thread's buffer");
                    if (random & 64) live.erase(live.begin() + (random >> 16) % live.size());
                }
                for (const auto &[buffer, size] : live) {
                    if (read_buffer(buffer.get(), size) != pattern(size, t)) ++failures;
                }
            } catch (const check::Failure &failure) {
                std::printf("  thread %d: %s\n", t, failure.text.c_str());
                ++failures;
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    CHECK_EQ(failures.load(), 0);
    CHECK_EQ(references(device.get()), alone);
}
