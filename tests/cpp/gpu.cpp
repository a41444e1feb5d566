// Queues, lists, fences and events; copies that the GPU really does (facts/behaviour.md, Copies and footprints; Lists,
// queues, fences).
#include "check.h"

#include <thread>

TEST(gpu_copies_buffers) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 4096);
    Ref<ID3D12Resource> local = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 4096);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 4096);
    const std::vector<uint8_t> bytes = pattern(4096, 9);
    write_buffer(upload.get(), bytes);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->CopyResource(local.get(), upload.get());
        gpu.barrier(local.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
        list->CopyBufferRegion(readback.get(), 96, local.get(), 1000, 3000);
        // Overlapping copies take effect in order.
        list->CopyBufferRegion(readback.get(), 0, local.get(), 0, 100);
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), 4096);
    for (size_t i = 0; i < 100; ++i) CHECK_EQ(back[i], bytes[i]);
    for (size_t i = 100; i < 3096; ++i) CHECK_EQ(back[i], bytes[i - 96 + 1000]);
}

TEST(gpu_uploads_and_reads_back_a_texture) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_RESOURCE_DESC desc = texture_desc(50, 20);
    Ref<ID3D12Resource> texture = new_texture(device.get(), desc);
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout = {};
    UINT64 total = 0;
    device->GetCopyableFootprints(&desc, 0, 1, 0, &layout, nullptr, nullptr, &total);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, total);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, total);
    const std::vector<uint8_t> bytes = pattern(total, 3);
    write_buffer(upload.get(), bytes);
    auto at = [&](ID3D12Resource *buffer) {
        D3D12_TEXTURE_COPY_LOCATION location = {};
        location.pResource = buffer;
        location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        location.PlacedFootprint = layout;
        return location;
    };
    D3D12_TEXTURE_COPY_LOCATION whole = {};
    whole.pResource = texture.get();
    whole.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        const D3D12_TEXTURE_COPY_LOCATION from = at(upload.get()), to = at(readback.get());
        list->CopyTextureRegion(&whole, 0, 0, 0, &from, nullptr);
        gpu.barrier(texture.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
        list->CopyTextureRegion(&to, 0, 0, 0, &whole, nullptr);
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), total);
    for (UINT row = 0; row < 20; ++row) {
        const size_t start = row * layout.Footprint.RowPitch;
        CHECK(std::memcmp(back.data() + start, bytes.data() + start, 200) == 0);
    }
}

TEST(gpu_clears_a_render_target) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_RESOURCE_DESC desc =
        texture_desc(64, 64, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    Ref<ID3D12Resource> target = new_texture(device.get(), desc, D3D12_RESOURCE_STATE_RENDER_TARGET);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 256 * 64);
    D3D12_DESCRIPTOR_HEAP_DESC heap_of = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    Ref<ID3D12DescriptorHeap> heap;
    CHECK_OK(device->CreateDescriptorHeap(&heap_of, iid_of<ID3D12DescriptorHeap>(), heap.void_out()));
    const D3D12_CPU_DESCRIPTOR_HANDLE view = heap->GetCPUDescriptorHandleForHeapStart();
    device->CreateRenderTargetView(target.get(), nullptr, view);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        const FLOAT color[] = {1.0f, 0.0f, 0.0f, 1.0f};
        list->ClearRenderTargetView(view, color, 0, nullptr);
        gpu.barrier(target.get(), D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_COPY_SOURCE);
        D3D12_TEXTURE_COPY_LOCATION from = {}, to = {};
        from.pResource = target.get();
        from.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
        to.pResource = readback.get();
        to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        to.PlacedFootprint.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, 64, 64, 1, 256};
        list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), 256 * 64);
    for (size_t texel = 0; texel < 64 * 64; ++texel) {
        CHECK_EQ(back[texel * 4], 255);
        CHECK_EQ(back[texel * 4 + 1], 0);
        CHECK_EQ(back[texel * 4 + 3], 255);
    }
}

TEST(gpu_writes_timestamps_and_immediates) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
    Ref<ID3D12QueryHeap> heap;
    CHECK_OK(device->CreateQueryHeap(&desc, iid_of<ID3D12QueryHeap>(), heap.void_out()));
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 4096);
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->EndQuery(heap.get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
        list->EndQuery(heap.get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
        list->ResolveQueryData(heap.get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, readback.get(), 0);
        Ref<ID3D12GraphicsCommandList2> second = query<ID3D12GraphicsCommandList2>(list);
        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter = {readback->GetGPUVirtualAddress() + 64, 0xC0FFEE};
        second->WriteBufferImmediate(1, &parameter, nullptr);
    });
    const std::vector<uint8_t> back = read_buffer(readback.get(), 128);
    uint64_t times[2];
    uint32_t word;
    std::memcpy(times, back.data(), sizeof times);
    std::memcpy(&word, back.data() + 64, sizeof word);
    CHECK(times[0] <= times[1]);
    CHECK_EQ(word, 0xC0FFEEu);
    UINT64 frequency = 0;
    CHECK_OK(gpu.queue->GetTimestampFrequency(&frequency));
    CHECK(frequency > 0);
}

TEST(gpu_maps_tiles) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    const D3D12_RESOURCE_DESC desc = buffer_desc(4 * 65536);
    Ref<ID3D12Resource> reserved;
    CHECK_OK(device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COPY_DEST, nullptr, iid_of<ID3D12Resource>(),
                                            reserved.void_out()));
    Ref<ID3D12Heap> heap =
        new_heap(device.get(), heap_desc(2 * 65536, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
    // Tiles 0 and 2 lie in the heap, swapped.
    const D3D12_TILED_RESOURCE_COORDINATE places[] = {{0, 0, 0, 0}, {2, 0, 0, 0}};
    const D3D12_TILE_REGION_SIZE sizes[] = {{1, FALSE, 0, 0, 0}, {1, FALSE, 0, 0, 0}};
    const UINT offsets[] = {1, 0}, counts[] = {1, 1};
    gpu.queue->UpdateTileMappings(reserved.get(), 2, places, sizes, heap.get(), 2, nullptr, offsets, counts,
                                  D3D12_TILE_MAPPING_FLAG_NONE);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 65536);
    const std::vector<uint8_t> bytes = pattern(65536, 11);
    write_buffer(upload.get(), bytes);
    const D3D12_RESOURCE_DESC plain = buffer_desc(2 * 65536);
    Ref<ID3D12Resource> alias;
    CHECK_OK(device->CreatePlacedResource(heap.get(), 0, &plain, D3D12_RESOURCE_STATE_COPY_SOURCE, nullptr,
                                          iid_of<ID3D12Resource>(), alias.void_out()));
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        list->CopyBufferRegion(reserved.get(), 0, upload.get(), 0, 65536);
        D3D12_RESOURCE_BARRIER barrier = {};
        barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
        barrier.Aliasing = {reserved.get(), alias.get()};
        list->ResourceBarrier(1, &barrier);
        list->CopyBufferRegion(readback.get(), 0, alias.get(), 65536, 65536);
    });
    CHECK(read_buffer(readback.get(), 65536) == bytes);
}

TEST(gpu_fences_and_events) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Fence> fence;
    CHECK_OK(device->CreateFence(5, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), fence.void_out()));
    CHECK_EQ(fence->GetCompletedValue(), 5u);
    CHECK_EQ(query<ID3D12Fence1>(fence.get())->GetCreationFlags(), D3D12_FENCE_FLAG_NONE);
    EventFd event;
    CHECK_OK(fence->SetEventOnCompletion(5, event.handle()));
    CHECK(event.wait(1000));
    CHECK_OK(fence->SetEventOnCompletion(6, event.handle()));
    CHECK(!event.wait(0));
    CHECK_OK(fence->Signal(6));
    CHECK(event.wait(1000));
    // Values may go back.
    CHECK_OK(fence->Signal(2));
    CHECK_EQ(fence->GetCompletedValue(), 2u);
    // NULL blocks until another thread signals.
    std::thread signaller([&] { fence->Signal(9); });
    CHECK_OK(fence->SetEventOnCompletion(9, nullptr));
    signaller.join();
    // A fence's end lets its waiters go.
    CHECK_OK(fence->SetEventOnCompletion(100, event.handle()));
    fence.reset();
    CHECK(event.wait(1000));
}

TEST(gpu_waits_for_several_fences) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device1> one = query<ID3D12Device1>(device.get());
    Ref<ID3D12Fence> first, second;
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), first.void_out()));
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), second.void_out()));
    ID3D12Fence *fences[] = {first.get(), second.get()};
    const UINT64 values[] = {1, 1};
    EventFd all, any;
    CHECK_OK(one->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                    all.handle()));
    CHECK_OK(one->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY,
                                                    any.handle()));
    CHECK_OK(first->Signal(1));
    CHECK(any.wait(1000));
    CHECK(!all.wait(0));
    CHECK_OK(second->Signal(1));
    CHECK(all.wait(1000));
    CHECK_HR(one->SetEventOnMultipleFenceCompletion(fences, values, 0, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr),
             E_INVALIDARG);
    CHECK_HR(one->SetEventOnMultipleFenceCompletion(nullptr, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr),
             E_INVALIDARG);
    CHECK_HR(one->SetEventOnMultipleFenceCompletion(fences, values, 2, static_cast<D3D12_MULTIPLE_FENCE_WAIT_FLAGS>(8),
                                                    nullptr),
             E_INVALIDARG);
}

TEST(gpu_queues_wait_for_each_other) {
    Ref<ID3D12Device> device = new_device();
    Gpu first(device.get()), second(device.get(), D3D12_COMMAND_LIST_TYPE_COPY);
    Ref<ID3D12Fence> gate;
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), gate.void_out()));
    const ULONG before = references(gate.get());
    CHECK_OK(second.queue->Wait(gate.get(), 1));
    CHECK_OK(second.queue->Signal(second.fence.get(), 10));
    CHECK_EQ(references(gate.get()), before);
    CHECK_EQ(second.fence->GetCompletedValue(), 0u);
    CHECK_OK(first.queue->Signal(gate.get(), 1));
    CHECK_OK(second.fence->SetEventOnCompletion(10, nullptr));
    CHECK_EQ(second.fence->GetCompletedValue(), 10u);
}

TEST(gpu_lists_and_allocators) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
    // An allocator of a list that records cannot be reset, and no second list records with it.
    CHECK_HR(gpu.allocator->Reset(), E_FAIL);
    Ref<ID3D12GraphicsCommandList> second;
    CHECK_HR(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, gpu.allocator.get(), nullptr,
                                       iid_of<ID3D12GraphicsCommandList>(), second.void_out()),
             E_INVALIDARG);
    CHECK_OK(gpu.list->Close());
    CHECK_HR(gpu.list->Close(), E_FAIL);
    // A list with an invalid copy fails at Close.
    Ref<ID3D12Resource> small = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 16);
    Ref<ID3D12Resource> large = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
    CHECK_OK(gpu.allocator->Reset());
    CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
    gpu.list->CopyBufferRegion(small.get(), 0, large.get(), 0, 64);
    CHECK_HR(gpu.list->Close(), E_INVALIDARG);
}

TEST(gpu_executing_an_open_list_removes_the_device) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    CHECK_OK(device->GetDeviceRemovedReason());
    CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
    ID3D12CommandList *lists[] = {gpu.list.get()};
    gpu.queue->ExecuteCommandLists(1, lists);
    CHECK_HR(device->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL);
    const D3D12_HEAP_DESC desc = heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT);
    Ref<ID3D12Heap> heap;
    CHECK_HR(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()), DXGI_ERROR_DEVICE_REMOVED);
    CHECK_EQ(gpu.fence->GetCompletedValue(), UINT64_MAX);
}
