// Callers that do everything wrong: NULL, wrong sizes, identifiers and kinds of list, calls in random order. Nothing may
// crash, and an error changes nothing.
#include "check.h"

#include <memory>

namespace {

constexpr GUID NOBODY = {0x00112233, 0x4455, 0x6677, {0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}};

class Random {
public:
    explicit Random(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 1) {}
    uint32_t next() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<uint32_t>(state >> 32);
    }
    uint32_t below(uint32_t bound) { return next() % bound; }
    bool one_in(uint32_t count) { return below(count) == 0; }

private:
    uint64_t state;
};

// A value that may be at an edge of its type.
uint64_t edge(Random &random) {
    switch (random.below(8)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 65536;
    case 3: return UINT64_MAX;
    case 4: return 1ull << 32;
    case 5: return 1ull << 63;
    case 6: return 4096ull * random.below(64);
    default: return random.below(100000);
    }
}

D3D12_RESOURCE_DESC any_desc(Random &random) {
    D3D12_RESOURCE_DESC desc = random.one_in(2) ? buffer_desc(edge(random)) : texture_desc(random.below(300), random.below(300));
    if (random.one_in(4)) desc.Alignment = edge(random);
    if (random.one_in(4)) desc.Width = edge(random);
    if (random.one_in(4)) desc.Height = static_cast<UINT>(edge(random));
    if (random.one_in(4)) desc.DepthOrArraySize = static_cast<UINT16>(random.next());
    if (random.one_in(4)) desc.MipLevels = static_cast<UINT16>(random.below(20));
    if (random.one_in(4)) desc.Format = static_cast<DXGI_FORMAT>(random.below(200));
    if (random.one_in(8)) desc.SampleDesc.Count = random.below(70);
    if (random.one_in(8)) desc.Dimension = static_cast<D3D12_RESOURCE_DIMENSION>(random.below(7));
    if (random.one_in(8)) desc.Layout = static_cast<D3D12_TEXTURE_LAYOUT>(random.below(6));
    if (random.one_in(4)) desc.Flags = static_cast<D3D12_RESOURCE_FLAGS>(random.next() & 0xFFF);
    return desc;
}

} // namespace

TEST(hostile_null_everywhere) {
    Ref<ID3D12Device> device = new_device();
    const IID heap_iid = iid_of<ID3D12Heap>(), resource_iid = iid_of<ID3D12Resource>();
    void *out = nullptr;
    const D3D12_RESOURCE_DESC desc = buffer_desc(64);
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    CHECK_HR(device->CreateHeap(nullptr, heap_iid, &out), E_INVALIDARG);
    CHECK_HR(device->CreateCommittedResource(nullptr, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                             resource_iid, &out),
             E_INVALIDARG);
    CHECK_HR(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, nullptr, D3D12_RESOURCE_STATE_COMMON,
                                             nullptr, resource_iid, &out),
             E_INVALIDARG);
    CHECK_HR(device->CreatePlacedResource(nullptr, 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, resource_iid, &out),
             E_INVALIDARG);
    CHECK_HR(device->CreateReservedResource(nullptr, D3D12_RESOURCE_STATE_COMMON, nullptr, resource_iid, &out),
             E_INVALIDARG);
    CHECK_HR(device->CreateCommandQueue(nullptr, iid_of<ID3D12CommandQueue>(), &out), E_INVALIDARG);
    CHECK_HR(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, nullptr, nullptr,
                                       iid_of<ID3D12GraphicsCommandList>(), &out),
             E_INVALIDARG);
    CHECK_HR(device->CreateDescriptorHeap(nullptr, iid_of<ID3D12DescriptorHeap>(), &out), E_INVALIDARG);
    CHECK_HR(device->CreateQueryHeap(nullptr, iid_of<ID3D12QueryHeap>(), &out), E_INVALIDARG);
    CHECK_HR(device->MakeResident(1, nullptr), E_INVALIDARG);
    CHECK_HR(device->Evict(1, nullptr), E_INVALIDARG);
    CHECK_HR(device->OpenSharedHandle(nullptr, heap_iid, &out), E_INVALIDARG);
    device->GetCopyableFootprints(nullptr, 0, 1, 0, nullptr, nullptr, nullptr, nullptr);
    device->GetCopyableFootprints(&desc, 0, 1, 0, nullptr, nullptr, nullptr, nullptr);
    device->GetResourceTiling(nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr);
    device->CreateConstantBufferView(nullptr, {});
    device->CreateShaderResourceView(nullptr, nullptr, {});
    device->CreateUnorderedAccessView(nullptr, nullptr, nullptr, {});
    device->CreateRenderTargetView(nullptr, nullptr, {});
    device->CreateDepthStencilView(nullptr, nullptr, {});
    device->CreateSampler(nullptr, {});
    device->CopyDescriptors(1, nullptr, nullptr, 1, nullptr, nullptr, D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER);
    device->CopyDescriptorsSimple(1, {}, {}, D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER);
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, nullptr).SizeInBytes, UINT64_MAX);
    CHECK(out == nullptr);

    Gpu gpu(device.get());
    CHECK_HR(gpu.queue->Signal(nullptr, 1), E_INVALIDARG);
    CHECK_HR(gpu.queue->Wait(nullptr, 1), E_INVALIDARG);
    gpu.queue->UpdateTileMappings(nullptr, 1, nullptr, nullptr, nullptr, 1, nullptr, nullptr, nullptr,
                                  D3D12_TILE_MAPPING_FLAG_NONE);
    gpu.queue->CopyTileMappings(nullptr, nullptr, nullptr, nullptr, nullptr, D3D12_TILE_MAPPING_FLAG_NONE);
}

// Each with a list of its own: a refused command refuses its list.
TEST(hostile_null_commands_fail_at_close) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    using List = ID3D12GraphicsCommandList;
    const std::function<void(List *)> commands[] = {
        [](List *list) { list->CopyResource(nullptr, nullptr); },
        [](List *list) { list->CopyBufferRegion(nullptr, 0, nullptr, 0, 16); },
        [](List *list) { list->CopyTextureRegion(nullptr, 0, 0, 0, nullptr, nullptr); },
        [](List *list) { list->ResourceBarrier(1, nullptr); },
        [](List *list) { list->ResolveSubresource(nullptr, 0, nullptr, 0, DXGI_FORMAT_R8G8B8A8_UNORM); },
        [](List *list) { list->ClearRenderTargetView({}, nullptr, 0, nullptr); },
        [](List *list) { list->EndQuery(nullptr, D3D12_QUERY_TYPE_TIMESTAMP, 0); },
        [](List *list) { list->ResolveQueryData(nullptr, D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, nullptr, 0); },
        [](List *list) { list->DiscardResource(nullptr, nullptr); },
        [](List *list) { list->CopyTiles(nullptr, nullptr, nullptr, nullptr, 0, D3D12_TILE_COPY_FLAG_NONE); },
    };
    for (const auto &command : commands) {
        CHECK_OK(gpu.allocator->Reset());
        CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
        command(gpu.list.get());
        CHECK_HR(gpu.list->Close(), E_INVALIDARG);
    }
    // The list can be used again.
    gpu.run([](List *) {});
}

TEST(hostile_wrong_kinds) {
    Ref<ID3D12Device> device = new_device();
    Gpu copy(device.get(), D3D12_COMMAND_LIST_TYPE_COPY);
    // A method of another type of list.
    CHECK_OK(copy.allocator->Reset());
    CHECK_OK(copy.list->Reset(copy.allocator.get(), nullptr));
    copy.list->ClearRenderTargetView({}, nullptr, 0, nullptr);
    CHECK_HR(copy.list->Close(), E_INVALIDARG);
    // A list with another type's allocator.
    Gpu direct(device.get());
    CHECK_OK(direct.allocator->Reset());
    CHECK_HR(copy.list->Reset(direct.allocator.get(), nullptr), E_INVALIDARG);
    // An object where another kind is expected.
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
    const D3D12_RESOURCE_DESC desc = buffer_desc(64);
    void *out = nullptr;
    CHECK_HR(device->CreatePlacedResource(reinterpret_cast<ID3D12Heap *>(buffer.get()), 0, &desc,
                                          D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(), &out),
             E_INVALIDARG);
    CHECK_HR(direct.queue->Signal(reinterpret_cast<ID3D12Fence *>(buffer.get()), 1), E_INVALIDARG);
    // A wrong identifier: nothing is created.
    const ULONG before = references(device.get());
    CHECK_HR(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, NOBODY, &out), E_NOINTERFACE);
    CHECK(out == nullptr);
    CHECK_EQ(references(device.get()), before);
    CHECK_HR(D3D12CreateDevice(buffer.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), &out), E_INVALIDARG);
    CHECK_HR(D3D12CreateDevice(nullptr, static_cast<D3D_FEATURE_LEVEL>(0xF000), iid_of<ID3D12Device>(), &out),
             E_INVALIDARG);
}

// Random calls in random order with random arguments, some of them right.
TEST(hostile_random_calls) {
    constexpr int SEQUENCES = 10000, CALLS = 12;
    Ref<ID3D12Device> device = new_device();
    const ULONG alone = references(device.get());
    std::unique_ptr<Gpu> gpu = std::make_unique<Gpu>(device.get());
    std::vector<uint8_t> scratch(1 << 16);
    int removed = 0;
    for (uint64_t seed = 0; seed < SEQUENCES; ++seed) {
        Random random(seed);
        std::vector<Ref<ID3D12Resource>> resources(1);
        std::vector<Ref<ID3D12Heap>> heaps(1);
        bool recording = false;
        auto resource = [&] { return resources[random.below(static_cast<uint32_t>(resources.size()))].get(); };
        for (int call = 0; call < CALLS; ++call) {
            switch (random.below(16)) {
            case 0: {
                D3D12_HEAP_DESC desc = heap_desc(edge(random) % (1 << 20), static_cast<D3D12_HEAP_TYPE>(random.below(7)));
                desc.Flags = static_cast<D3D12_HEAP_FLAGS>(random.one_in(2) ? 0 : random.next() & 0x3FFF);
                Ref<ID3D12Heap> heap;
                if (SUCCEEDED(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out())) && heap) {
                    heaps.push_back(heap);
                }
                break;
            }
            case 1:
            case 2: {
                const D3D12_HEAP_PROPERTIES properties = heap_properties(static_cast<D3D12_HEAP_TYPE>(1 + random.below(3)));
                const D3D12_RESOURCE_DESC desc = any_desc(random);
                if (desc.Width > 1 << 20) break; // sizes of the address space are not what is tested here
                Ref<ID3D12Resource> made;
                const auto state = static_cast<D3D12_RESOURCE_STATES>(random.one_in(2) ? 0 : 1u << random.below(12));
                if (SUCCEEDED(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                                              iid_of<ID3D12Resource>(), made.void_out())) && made) {
                    resources.push_back(made);
                }
                break;
            }
            case 3: {
                const D3D12_RESOURCE_DESC desc = any_desc(random);
                ID3D12Heap *heap = heaps[random.below(static_cast<uint32_t>(heaps.size()))].get();
                Ref<ID3D12Resource> made;
                if (SUCCEEDED(device->CreatePlacedResource(heap, edge(random), &desc, D3D12_RESOURCE_STATE_COMMON,
                                                           nullptr, iid_of<ID3D12Resource>(), made.void_out())) && made) {
                    resources.push_back(made);
                }
                break;
            }
            case 4: {
                const D3D12_RESOURCE_DESC desc = any_desc(random);
                device->GetResourceAllocationInfo(random.below(4), 1, &desc);
                D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
                UINT64 total;
                device->GetCopyableFootprints(&desc, random.below(4), 1, edge(random), &layout, nullptr, nullptr, &total);
                break;
            }
            case 5:
                device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(random.below(70)), scratch.data(),
                                            random.below(128));
                break;
            case 6:
                if (ID3D12Resource *any = resource()) {
                    void *data = nullptr;
                    const D3D12_RANGE range = {edge(random), edge(random)};
                    if (any->Map(random.below(3), random.one_in(2) ? nullptr : &range, &data) == S_OK && data) {
                        static_cast<volatile uint8_t *>(data)[0] = 1;
                    }
                    any->Unmap(random.below(3), random.one_in(2) ? nullptr : &range);
                }
                break;
            case 7:
                if (ID3D12Resource *any = resource()) {
                    const D3D12_BOX box = {random.below(64), random.below(64), 0, random.below(64), random.below(64), 1};
                    any->ReadFromSubresource(scratch.data(), 256, 256 * 64, random.below(3), &box);
                    any->WriteToSubresource(random.below(3), &box, scratch.data(), 256, 256 * 64);
                }
                break;
            case 8:
                if (!recording && gpu->allocator->Reset() == S_OK) {
                    recording = gpu->list->Reset(gpu->allocator.get(), nullptr) == S_OK;
                }
                break;
            case 9: gpu->list->CopyBufferRegion(resource(), edge(random), resource(), edge(random), edge(random)); break;
            case 10: gpu->list->CopyResource(resource(), resource()); break;
            case 11: {
                D3D12_RESOURCE_BARRIER barrier = {};
                barrier.Type = static_cast<D3D12_RESOURCE_BARRIER_TYPE>(random.below(4));
                barrier.Transition = {resource(), random.below(4), static_cast<D3D12_RESOURCE_STATES>(random.next() & 0xFFF),
                                      static_cast<D3D12_RESOURCE_STATES>(random.next() & 0xFFF)};
                // Numbers where an aliasing barrier has its second pointer are beyond what a library can check.
                if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_ALIASING) barrier.Aliasing = {resource(), resource()};
                gpu->list->ResourceBarrier(1, &barrier);
                break;
            }
            case 12:
                // Executing an open list would remove the device (facts/behaviour.md): once in a while.
                if (recording && !random.one_in(200)) recording = false, gpu->list->Close();
                {
                    ID3D12CommandList *lists[] = {random.one_in(50) ? nullptr : gpu->list.get()};
                    gpu->queue->ExecuteCommandLists(1, lists);
                }
                break;
            case 13: gpu->queue->Signal(random.one_in(8) ? nullptr : gpu->fence.get(), edge(random)); break;
            case 14: {
                ID3D12Pageable *pageable = resource();
                random.one_in(2) ? device->Evict(1, &pageable) : device->MakeResident(1, &pageable);
                break;
            }
            default: {
                Ref<IUnknown> other;
                if (ID3D12Resource *any = resource()) {
                    any->QueryInterface(random.one_in(2) ? NOBODY : iid_of<ID3D12Pageable>(), other.void_out());
                    any->SetPrivateData(NOBODY, random.below(64), scratch.data());
                }
            }
            }
        }
        if (recording) gpu->list->Close();
        if (device->GetDeviceRemovedReason() != S_OK) {
            ++removed;
            gpu.reset();
            resources.clear();
            heaps.clear();
            CHECK_EQ(references(device.get()), alone);
            device.reset();
            device = new_device();
            gpu = std::make_unique<Gpu>(device.get());
        }
    }
    CHECK(removed > 0);
    gpu.reset();
    CHECK_EQ(references(device.get()), alone);
}
