// A small allocator as clients write it, end to end: blocks with free ranges behind a lock, pools of every kind of heap, dedicated
// resources, budgets with a notification event, and defragmentation by the GPU (facts/abi.md, What D3D12MA calls).
#include "check.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace {

constexpr D3D12_HEAP_TYPE GPU_UPLOAD = static_cast<D3D12_HEAP_TYPE>(5);
constexpr D3D12_HEAP_FLAGS NOT_ZEROED = static_cast<D3D12_HEAP_FLAGS>(0x1000);

struct Block {
    Ref<ID3D12Heap> heap;
    UINT64 size = 0;
    std::map<UINT64, UINT64> free; // offset, size
};

// A place in a block, which goes back when it is let go; none of a dedicated resource.
struct Allocation {
    Block *block = nullptr;
    UINT64 offset = 0, size = 0;
    Ref<ID3D12Resource> resource;
};

class Client {
public:
    Client(ID3D12Device *device, IDXGIAdapter3 *adapter, D3D12_HEAP_TYPE type, UINT64 block_size, UINT64 alignment = 0)
        : device(device), adapter(adapter), type(type), block_size(block_size), alignment(alignment) {}

    Allocation create(const D3D12_RESOURCE_DESC &desc, D3D12_RESOURCE_STATES state, bool within_budget = false) {
        const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &desc);
        CHECK(info.SizeInBytes != UINT64_MAX);
        Allocation made;
        if (info.SizeInBytes > block_size / 2) {
            if (within_budget && !has_room(info.SizeInBytes)) return made;
            const D3D12_HEAP_PROPERTIES properties = heap_properties(type);
            CHECK_OK(device->CreateCommittedResource(&properties, NOT_ZEROED, &desc, state, nullptr, iid_of<ID3D12Resource>(),
                                                     made.resource.void_out()));
            return made;
        }
        {
            const std::lock_guard<std::mutex> held(lock);
            if (!take(info, made)) {
                if (within_budget && !has_room(block_size)) return made;
                add_block();
                CHECK(take(info, made));
            }
        }
        CHECK_OK(device->CreatePlacedResource(made.block->heap.get(), made.offset, &desc, state, nullptr, iid_of<ID3D12Resource>(),
                                              made.resource.void_out()));
        return made;
    }

    // The resource first, then its place; blocks that are empty go, but one.
    void destroy(Allocation &allocation) {
        allocation.resource.reset();
        if (!allocation.block) return;
        const std::lock_guard<std::mutex> held(lock);
        std::map<UINT64, UINT64> &free = allocation.block->free;
        auto at = free.emplace(allocation.offset, allocation.size).first;
        if (const auto next = std::next(at); next != free.end() && at->first + at->second == next->first) {
            at->second += next->second;
            free.erase(next);
        }
        if (at != free.begin()) {
            const auto before = std::prev(at);
            if (before->first + before->second == at->first) {
                before->second += at->second;
                free.erase(at);
            }
        }
        allocation = {};
        size_t empty = 0;
        for (size_t i = blocks.size(); i-- > 0;) {
            const bool is_empty = blocks[i]->free.size() == 1 && blocks[i]->free.begin()->second == blocks[i]->size;
            if (is_empty && ++empty > 1) blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    // Whether that many bytes more stay within the budget.
    bool has_room(UINT64 bytes) const {
        DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
        CHECK_OK(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info));
        return info.CurrentUsage + bytes <= info.Budget;
    }

    size_t block_count() {
        const std::lock_guard<std::mutex> held(lock);
        return blocks.size();
    }

    void each_block(const std::function<void(ID3D12Heap *)> &call) {
        for (const auto &block : blocks) call(block->heap.get());
    }

private:
    // The smallest range that fits.
    bool take(const D3D12_RESOURCE_ALLOCATION_INFO &info, Allocation &made) {
        UINT64 best = UINT64_MAX;
        for (const auto &block : blocks) {
            for (const auto &[offset, size] : block->free) {
                const UINT64 aligned = (offset + info.Alignment - 1) / info.Alignment * info.Alignment;
                if (aligned - offset + info.SizeInBytes <= size && size < best) {
                    best = size;
                    made.block = block.get();
                    made.offset = aligned;
                    made.size = info.SizeInBytes;
                }
            }
        }
        if (best == UINT64_MAX) return false;
        auto range = std::prev(made.block->free.upper_bound(made.offset));
        const UINT64 start = range->first, end = range->first + range->second;
        made.block->free.erase(range);
        if (start < made.offset) made.block->free.emplace(start, made.offset - start);
        if (made.offset + made.size < end) made.block->free.emplace(made.offset + made.size, end - made.offset - made.size);
        return true;
    }

    void add_block() {
        D3D12_HEAP_DESC desc = heap_desc(block_size, type, NOT_ZEROED);
        desc.Alignment = alignment;
        auto block = std::make_unique<Block>();
        CHECK_OK(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), block->heap.void_out()));
        block->size = block_size;
        block->free.emplace(0, block_size);
        blocks.push_back(std::move(block));
    }

    ID3D12Device *device;
    IDXGIAdapter3 *adapter;
    D3D12_HEAP_TYPE type;
    UINT64 block_size, alignment;
    std::mutex lock;
    std::vector<std::unique_ptr<Block>> blocks;
};

struct Setup {
    Setup() {
        Ref<IDXGIFactory1> factory;
        CHECK_OK(CreateDXGIFactory1(iid_of<IDXGIFactory1>(), factory.void_out()));
        Ref<IDXGIAdapter1> first;
        CHECK_OK(factory->EnumAdapters1(0, first.out()));
        adapter = query<IDXGIAdapter3>(first.get());
        CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    }
    UINT64 usage() const {
        DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
        CHECK_OK(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info));
        return info.CurrentUsage;
    }
    Ref<IDXGIAdapter3> adapter;
    Ref<ID3D12Device> device;
};

D3D12_TEXTURE_COPY_LOCATION whole(ID3D12Resource *texture) {
    D3D12_TEXTURE_COPY_LOCATION location = {};
    location.pResource = texture;
    location.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
    return location;
}

D3D12_TEXTURE_COPY_LOCATION rows(ID3D12Resource *buffer, UINT width, UINT height, UINT64 offset = 0) {
    D3D12_TEXTURE_COPY_LOCATION location = {};
    location.pResource = buffer;
    location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    location.PlacedFootprint.Offset = offset;
    location.PlacedFootprint.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, width, height, 1, width * 4};
    return location;
}

} // namespace

// One allocator for 32 threads, which allocate and let go as they come, each with bytes of its own in what it has.
TEST(client_allocates_in_32_threads) {
    Setup setup;
    const ULONG alone = references(setup.device.get());
    {
        Client uploads(setup.device.get(), setup.adapter.get(), D3D12_HEAP_TYPE_UPLOAD, 4u << 20);
        std::atomic<int> failures = 0;
        std::vector<std::thread> threads;
        for (uint32_t t = 0; t < 32; ++t) {
            threads.emplace_back([&, t] {
                try {
                    std::vector<std::pair<Allocation, uint8_t>> live;
                    uint32_t random = t * 7919 + 1;
                    for (uint8_t i = 0; i < 80; ++i) {
                        random = random * 1664525u + 1013904223u;
                        if (!live.empty() && random >> 30 == 0) {
                            const size_t at = (random >> 8) % live.size();
                            const size_t size = live[at].first.resource->GetDesc().Width;
                            CHECK(read_buffer(live[at].first.resource.get(), size) == pattern(size, live[at].second));
                            uploads.destroy(live[at].first);
                            std::swap(live[at], live.back());
                            live.pop_back();
                        } else {
                            const UINT64 size = 1 + (random >> 8) % 60000;
                            const uint8_t seed = static_cast<uint8_t>(t * 8 + i);
                            live.emplace_back(uploads.create(buffer_desc(size), D3D12_RESOURCE_STATE_GENERIC_READ), seed);
                            write_buffer(live.back().first.resource.get(), pattern(size, seed));
                        }
                    }
                    for (auto &[allocation, seed] : live) {
                        const size_t size = allocation.resource->GetDesc().Width;
                        CHECK(read_buffer(allocation.resource.get(), size) == pattern(size, seed));
                        uploads.destroy(allocation);
                    }
                } catch (const check::Failure &failure) {
                    std::printf("  thread %u: %s\n", t, failure.text.c_str());
                    ++failures;
                }
            });
        }
        for (std::thread &thread : threads) thread.join();
        CHECK_EQ(failures.load(), 0);
        CHECK_EQ(uploads.block_count(), static_cast<size_t>(1));
    }
    CHECK_EQ(references(setup.device.get()), alone);
}

// Buffers and textures move from many half-empty blocks into few, by the GPU, in rounds; every byte is compared afterwards.
TEST(client_defragments_by_the_gpu) {
    Setup setup;
    ID3D12Device *const device = setup.device.get();
    const UINT64 before = setup.usage();
    {
        Gpu gpu(device);
        Client local(device, setup.adapter.get(), D3D12_HEAP_TYPE_DEFAULT, 1u << 20);
        constexpr UINT side = 128, bytes_of_each = side * side * 4; // 64 KiB, as a buffer and as a texture
        Ref<ID3D12Resource> upload = new_buffer(device, D3D12_HEAP_TYPE_UPLOAD, bytes_of_each);
        Ref<ID3D12Resource> readback = new_buffer(device, D3D12_HEAP_TYPE_READBACK, bytes_of_each);
        struct Object {
            Allocation allocation;
            bool is_texture;
            uint8_t seed;
        };
        auto desc_of = [&](bool is_texture) { return is_texture ? texture_desc(side, side) : buffer_desc(bytes_of_each); };
        std::vector<Object> objects;
        for (uint8_t i = 0; i < 96; ++i) {
            const bool is_texture = i % 3 == 0;
            objects.push_back({local.create(desc_of(is_texture), D3D12_RESOURCE_STATE_COPY_DEST), is_texture, i});
            ID3D12Resource *const to = objects.back().allocation.resource.get();
            write_buffer(upload.get(), pattern(bytes_of_each, i));
            gpu.run([&](ID3D12GraphicsCommandList *list) {
                const D3D12_TEXTURE_COPY_LOCATION target = whole(to), source = rows(upload.get(), side, side);
                if (is_texture) list->CopyTextureRegion(&target, 0, 0, 0, &source, nullptr);
                else list->CopyBufferRegion(to, 0, upload.get(), 0, bytes_of_each);
                gpu.barrier(to, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
            });
        }
        CHECK_EQ(local.block_count(), static_cast<size_t>(6));
        std::vector<Object> kept;
        for (Object &object : objects) {
            if (object.seed % 4 == 1) kept.push_back(std::move(object));
            else local.destroy(object.allocation);
        }
        // A pass: those of the last blocks get places in the first ones, the GPU copies, and the old places go.
        for (int pass = 0; pass < 3; ++pass) {
            std::vector<std::pair<size_t, Allocation>> moves;
            gpu.run([&](ID3D12GraphicsCommandList *list) {
                for (size_t i = static_cast<size_t>(pass); i < kept.size(); i += 3) {
                    moves.emplace_back(i, local.create(desc_of(kept[i].is_texture), D3D12_RESOURCE_STATE_COPY_DEST));
                    list->CopyResource(moves.back().second.resource.get(), kept[i].allocation.resource.get());
                    gpu.barrier(moves.back().second.resource.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
                }
            });
            for (auto &[index, made] : moves) {
                std::swap(kept[index].allocation, made);
                local.destroy(made);
            }
        }
        for (Object &object : kept) {
            ID3D12Resource *const from = object.allocation.resource.get();
            gpu.run([&](ID3D12GraphicsCommandList *list) {
                const D3D12_TEXTURE_COPY_LOCATION target = rows(readback.get(), side, side), source = whole(from);
                if (object.is_texture) list->CopyTextureRegion(&target, 0, 0, 0, &source, nullptr);
                else list->CopyBufferRegion(readback.get(), 0, from, 0, bytes_of_each);
            });
            CHECK(read_buffer(readback.get(), bytes_of_each) == pattern(bytes_of_each, object.seed));
            local.destroy(object.allocation);
        }
        CHECK_EQ(local.block_count(), static_cast<size_t>(1));
    }
    CHECK_EQ(setup.usage(), before);
}

// A budget that falls tells the client's event; what is to stay within it is not made, what need not is, and there is room again
// when it rises or something goes.
TEST(client_stays_within_its_budget) {
    Setup setup;
    Client local(setup.device.get(), setup.adapter.get(), D3D12_HEAP_TYPE_DEFAULT, 1u << 20);
    EventFd changed;
    DWORD cookie = 0;
    CHECK_OK(setup.adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(changed.handle(), &cookie));
    (void)changed.wait(0); // it may be set once at the registration
    const D3D12_RESOURCE_DESC small = buffer_desc(65536), large = buffer_desc(8u << 20);
    Allocation first = local.create(small, D3D12_RESOURCE_STATE_COMMON, true);
    CHECK(first.resource && first.block);
    CHECK_OK(HeapstoneSetVideoMemoryBudget(setup.adapter.get(), 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, setup.usage() + (2u << 20)));
    CHECK(changed.wait(1000));
    // 16 places of 64 KiB are in the first block; one block more is within the budget, a third is not, nor a dedicated resource.
    std::vector<Allocation> more;
    for (int i = 0; i < 15 + 16 + 16; ++i) more.push_back(local.create(small, D3D12_RESOURCE_STATE_COMMON, true));
    for (const Allocation &allocation : more) CHECK(allocation.resource);
    CHECK_EQ(local.block_count(), static_cast<size_t>(3));
    CHECK(!local.create(small, D3D12_RESOURCE_STATE_COMMON, true).resource);
    CHECK(!local.create(large, D3D12_RESOURCE_STATE_COMMON, true).resource);
    Allocation beyond = local.create(large, D3D12_RESOURCE_STATE_COMMON);
    CHECK(beyond.resource && !beyond.block);
    local.destroy(beyond);
    // Evicted blocks are not in use.
    std::vector<ID3D12Pageable *> pageables;
    local.each_block([&](ID3D12Heap *heap) { pageables.push_back(heap); });
    const UINT64 resident = setup.usage();
    CHECK_OK(setup.device->Evict(1, &pageables[2]));
    CHECK_EQ(setup.usage(), resident - (1u << 20));
    CHECK_OK(setup.device->MakeResident(1, &pageables[2]));
    CHECK_EQ(setup.usage(), resident);
    const D3D12_RESIDENCY_PRIORITY priority = D3D12_RESIDENCY_PRIORITY_LOW;
    CHECK_OK(query<ID3D12Device1>(setup.device.get())->SetResidencyPriority(1, &pageables[1], &priority));
    local.destroy(first);
    first = local.create(small, D3D12_RESOURCE_STATE_COMMON, true);
    CHECK(first.resource);
    CHECK_OK(HeapstoneSetVideoMemoryBudget(setup.adapter.get(), 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, UINT64_MAX));
    CHECK(changed.wait(1000));
    Allocation again = local.create(large, D3D12_RESOURCE_STATE_COMMON, true);
    CHECK(again.resource);
    local.destroy(again);
    local.destroy(first);
    for (Allocation &allocation : more) local.destroy(allocation);
    setup.adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
}

// A pool of GPU upload heaps: the CPU writes into video memory, and the GPU reads it there.
TEST(client_uploads_without_a_copy) {
    Setup setup;
    Gpu gpu(setup.device.get());
    const UINT64 before = setup.usage();
    Client uploads(setup.device.get(), setup.adapter.get(), GPU_UPLOAD, 1u << 20);
    Ref<ID3D12Resource> readback = new_buffer(setup.device.get(), D3D12_HEAP_TYPE_READBACK, 65536);
    std::vector<Allocation> all;
    for (uint8_t i = 0; i < 20; ++i) {
        all.push_back(uploads.create(buffer_desc(65536), D3D12_RESOURCE_STATE_COMMON));
        write_buffer(all.back().resource.get(), pattern(65536, i));
    }
    CHECK(setup.usage() >= before + (2u << 20));
    for (uint8_t i = 0; i < 20; ++i) {
        gpu.run([&](ID3D12GraphicsCommandList *list) { list->CopyResource(readback.get(), all[i].resource.get()); });
        CHECK(read_buffer(readback.get(), 65536) == pattern(65536, i));
        uploads.destroy(all[i]);
    }
}

// Pools by alignment: multisampled targets at 4 MiB, small textures at 4 KiB, tightly aligned buffers beside each other.
TEST(client_pools_by_alignment) {
    Setup setup;
    ID3D12Device *const device = setup.device.get();
    Client samples(device, setup.adapter.get(), D3D12_HEAP_TYPE_DEFAULT, 32u << 20, D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT);
    Client small(device, setup.adapter.get(), D3D12_HEAP_TYPE_DEFAULT, 256u << 10), tight(device, setup.adapter.get(), D3D12_HEAP_TYPE_UPLOAD, 64u << 10);
    D3D12_RESOURCE_DESC target = texture_desc(256, 256, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    target.SampleDesc.Count = 4;
    D3D12_RESOURCE_DESC texture = texture_desc(64, 64);
    texture.Alignment = D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
    std::vector<Allocation> targets, textures, buffers;
    for (uint8_t i = 0; i < 16; ++i) {
        if (i < 4) targets.push_back(samples.create(target, D3D12_RESOURCE_STATE_RENDER_TARGET));
        textures.push_back(small.create(texture, D3D12_RESOURCE_STATE_COMMON));
        buffers.push_back(tight.create(buffer_desc(200, static_cast<D3D12_RESOURCE_FLAGS>(0x400)), D3D12_RESOURCE_STATE_GENERIC_READ));
        write_buffer(buffers.back().resource.get(), pattern(200, i));
    }
    for (const Allocation &allocation : targets) CHECK_EQ(allocation.offset % (4u << 20), 0u);
    samples.each_block([](ID3D12Heap *heap) { CHECK_EQ(heap->GetDesc().Alignment, 4u << 20); });
    // 16 KiB each: 16 of them in one block, where 64 KiB each would take four.
    CHECK_EQ(small.block_count(), static_cast<size_t>(1));
    for (uint8_t i = 0; i < 16; ++i) {
        CHECK(buffers[i].size <= 256);
        CHECK(read_buffer(buffers[i].resource.get(), 200) == pattern(200, i));
    }
    for (std::vector<Allocation> *all : {&targets, &textures, &buffers}) {
        for (Allocation &allocation : *all) {
            Client &owner = all == &targets ? samples : all == &textures ? small : tight;
            owner.destroy(allocation);
        }
    }
}
