// Callers with wrong numbers, wrong handles and a wrong order: sizes at 2^63, closed events, descriptors that are none,
// arrays that are not there, releases in any order, threads.
#include "check.h"

#include <atomic>
#include <thread>
#include <unistd.h>

namespace {

constexpr HRESULT INVALID_HANDLE = static_cast<HRESULT>(0x80070006);
const UINT64 EDGES[] = {1ull << 32, (1ull << 32) - 1, 1ull << 40, 1ull << 62, (1ull << 63) - 1, 1ull << 63, UINT64_MAX - 65535, UINT64_MAX - 1, UINT64_MAX};

} // namespace

TEST(hostile_sizes) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(1 << 20, D3D12_HEAP_TYPE_UPLOAD));
    const ULONG before = references(device.get());
    for (const UINT64 edge : EDGES) {
        // No adapter has so much, beyond 2^40.
        const bool none_has = edge > 1ull << 40;
        void *out = &out;
        const D3D12_HEAP_DESC large = heap_desc(edge, D3D12_HEAP_TYPE_DEFAULT);
        HRESULT result = device->CreateHeap(&large, iid_of<ID3D12Heap>(), &out);
        CHECK(!none_has || (FAILED(result) && out == nullptr));
        if (SUCCEEDED(result)) static_cast<ID3D12Heap *>(out)->Release();
        const D3D12_RESOURCE_DESC desc = buffer_desc(edge);
        const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_UPLOAD);
        result = device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_GENERIC_READ,
                                                 nullptr, iid_of<ID3D12Resource>(), &out);
        CHECK(!none_has || (FAILED(result) && out == nullptr));
        if (SUCCEEDED(result)) static_cast<ID3D12Resource *>(out)->Release();
        result = device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr, iid_of<ID3D12Resource>(), &out);
        CHECK(!none_has || (FAILED(result) && out == nullptr));
        if (SUCCEEDED(result)) static_cast<ID3D12Resource *>(out)->Release();
        CHECK_HR(device->CreatePlacedResource(heap.get(), 0, &desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                              iid_of<ID3D12Resource>(), &out), E_INVALIDARG);
        const D3D12_RESOURCE_DESC small = buffer_desc(16);
        CHECK_HR(device->CreatePlacedResource(heap.get(), edge & ~65535ull, &small, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                              iid_of<ID3D12Resource>(), &out), E_INVALIDARG);
        D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
        UINT64 total = 0, row_size = 0;
        UINT rows = 0;
        device->GetCopyableFootprints(&desc, 0, 1, edge, &layout, &rows, &row_size, &total);
        const D3D12_RESOURCE_DESC texture = texture_desc(edge, static_cast<UINT>(edge));
        CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &texture).SizeInBytes, UINT64_MAX);
        device->GetCopyableFootprints(&texture, 0, 1, edge, &layout, &rows, &row_size, &total);
        CHECK_EQ(total, UINT64_MAX);
    }
    D3D12_DESCRIPTOR_HEAP_DESC descriptors = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, UINT32_MAX, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    // Descriptors take no memory of this machine until they are written: as many may be made as are asked for.
    for (const auto flags : {D3D12_DESCRIPTOR_HEAP_FLAG_NONE, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE}) {
        descriptors.Flags = flags;
        Ref<ID3D12DescriptorHeap> many;
        const HRESULT result = device->CreateDescriptorHeap(&descriptors, iid_of<ID3D12DescriptorHeap>(), many.void_out());
        CHECK(SUCCEEDED(result) == static_cast<bool>(many));
    }
    void *out = nullptr;
    D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, UINT32_MAX, 0};
    CHECK(FAILED(device->CreateQueryHeap(&queries, iid_of<ID3D12QueryHeap>(), &out)) && out == nullptr);
    CHECK_EQ(references(device.get()), before);
}

TEST(hostile_copies_at_the_end_of_numbers) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> to = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 256);
    Ref<ID3D12Resource> from = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 256);
    Gpu gpu(device.get());
    for (const UINT64 edge : EDGES) {
        for (int which = 0; which < 3; ++which) {
            CHECK_OK(gpu.allocator->Reset());
            CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
            gpu.list->CopyBufferRegion(to.get(), which == 0 ? edge : 0, from.get(), which == 1 ? edge : 0, which == 2 ? edge : 16);
            CHECK_HR(gpu.list->Close(), E_INVALIDARG);
        }
        void *data = nullptr;
        const D3D12_RANGE range = {static_cast<SIZE_T>(edge), static_cast<SIZE_T>(edge - 1)};
        from->Map(0, &range, &data);
        from->Unmap(0, &range);
    }
    Ref<ID3D12Resource> texture = new_texture(device.get(), texture_desc(16, 16));
    const D3D12_TEXTURE_COPY_LOCATION wrong[] = {
        {nullptr, D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}},
        {texture.get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {}},
        {from.get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}},
        {from.get(), static_cast<D3D12_TEXTURE_COPY_TYPE>(77), {}},
        {from.get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
         {{UINT64_MAX, {DXGI_FORMAT_R8G8B8A8_UNORM, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}}}},
        {from.get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {{0, {static_cast<DXGI_FORMAT>(4000), 16, 16, 1, 256}}}},
        {from.get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {{1ull << 63, {DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, 1, 256}}}},
    };
    D3D12_TEXTURE_COPY_LOCATION right = {texture.get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
    for (const D3D12_TEXTURE_COPY_LOCATION &location : wrong) {
        for (const bool is_source : {false, true}) {
            CHECK_OK(gpu.allocator->Reset());
            CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
            gpu.list->CopyTextureRegion(is_source ? &right : &location, 0, 0, 0, is_source ? &location : &right, nullptr);
            CHECK_HR(gpu.list->Close(), E_INVALIDARG);
        }
    }
    gpu.run([&](ID3D12GraphicsCommandList *list) { list->CopyBufferRegion(to.get(), 0, from.get(), 0, 256); });
}

// A number where an array should be.
TEST(hostile_arrays_that_are_not_there) {
    Ref<ID3D12Device> device = new_device();
    Gpu gpu(device.get());
    Ref<ID3D12GraphicsCommandList7> list = query<ID3D12GraphicsCommandList7>(gpu.list.get());
    using List = ID3D12GraphicsCommandList7;
    const std::function<void(List *)> commands[] = {
        [](List *list) { list->ResourceBarrier(5, nullptr); },
        [](List *list) { list->Barrier(3, nullptr); },
        [](List *list) { const D3D12_BARRIER_GROUP group = {D3D12_BARRIER_TYPE_TEXTURE, 4, {}}; list->Barrier(1, &group); },
        [](List *list) { const D3D12_BARRIER_GROUP group = {static_cast<D3D12_BARRIER_TYPE>(9), 4, {}}; list->Barrier(1, &group); },
        [](List *list) { list->WriteBufferImmediate(3, nullptr, nullptr); },
        [](List *list) { list->RSSetViewports(3, nullptr); },
        [](List *list) { list->RSSetScissorRects(3, nullptr); },
        [](List *list) { list->IASetVertexBuffers(0, 3, nullptr); },
        [](List *list) { list->IASetIndexBuffer(nullptr); },
        [](List *list) { list->SOSetTargets(0, 3, nullptr); },
        [](List *list) { list->OMSetRenderTargets(8, nullptr, FALSE, nullptr); },
        [](List *list) { list->OMSetRenderTargets(UINT32_MAX, nullptr, TRUE, nullptr); },
        [](List *list) { list->OMSetBlendFactor(nullptr); },
        [](List *list) { list->SetDescriptorHeaps(2, nullptr); },
        [](List *list) { list->SetGraphicsRoot32BitConstants(0, 64, nullptr, 0); },
        [](List *list) { list->SetComputeRoot32BitConstants(UINT32_MAX, UINT32_MAX, nullptr, UINT32_MAX); },
        [](List *list) { list->SetGraphicsRootDescriptorTable(70, {UINT64_MAX}); },
        [](List *list) { list->SetGraphicsRootConstantBufferView(70, UINT64_MAX); },
        [](List *list) { list->ClearUnorderedAccessViewUint({}, {}, nullptr, nullptr, 3, nullptr); },
        [](List *list) { list->ClearUnorderedAccessViewFloat({1}, {UINT64_MAX}, nullptr, nullptr, 0, nullptr); },
        [](List *list) { list->ClearDepthStencilView({UINT64_MAX}, static_cast<D3D12_CLEAR_FLAGS>(99), 2.0f, 0, 4, nullptr); },
        [](List *list) { list->ExecuteBundle(nullptr); },
        [](List *list) { list->ExecuteIndirect(nullptr, UINT32_MAX, nullptr, UINT64_MAX, nullptr, 1); },
        [](List *list) { list->SetPredication(nullptr, UINT64_MAX, D3D12_PREDICATION_OP_EQUAL_ZERO); },
        [](List *list) { list->SetMarker(0, nullptr, 1000); },
        [](List *list) { list->BeginEvent(0, nullptr, 1000); },
        [](List *list) { list->EndEvent(); },
        [](List *list) { list->AtomicCopyBufferUINT(nullptr, 1, nullptr, 1, 5, nullptr, nullptr); },
        [](List *list) { list->AtomicCopyBufferUINT64(nullptr, 1, nullptr, 1, 5, nullptr, nullptr); },
        [](List *list) { list->SetSamplePositions(16, 4, nullptr); },
        [](List *list) { list->ResolveSubresourceRegion(nullptr, 9, 0, 0, nullptr, 9, nullptr, DXGI_FORMAT_UNKNOWN,
                                                       static_cast<D3D12_RESOLVE_MODE>(55)); },
        [](List *list) { list->SetProtectedResourceSession(nullptr); },
        [](List *list) { list->BeginRenderPass(2, nullptr, nullptr, D3D12_RENDER_PASS_FLAG_NONE); },
        [](List *list) { list->EndRenderPass(); },
        [](List *list) { list->SetPipelineState(nullptr); },
        [](List *list) { list->SetPipelineState1(nullptr); },
        [](List *list) { list->SetGraphicsRootSignature(nullptr); },
        [](List *list) { list->InitializeMetaCommand(nullptr, nullptr, 50); },
        [](List *list) { list->ExecuteMetaCommand(nullptr, nullptr, 50); },
        [](List *list) { list->BuildRaytracingAccelerationStructure(nullptr, 3, nullptr); },
        [](List *list) { list->EmitRaytracingAccelerationStructurePostbuildInfo(nullptr, 3, nullptr); },
        [](List *list) { list->DispatchRays(nullptr); },
        [](List *list) { list->RSSetShadingRate(static_cast<D3D12_SHADING_RATE>(77), nullptr); },
        [](List *list) { list->RSSetShadingRateImage(nullptr); },
        [](List *list) { list->DispatchMesh(UINT32_MAX, UINT32_MAX, UINT32_MAX); },
        [](List *list) { list->BeginQuery(nullptr, static_cast<D3D12_QUERY_TYPE>(99), UINT32_MAX); },
        [](List *list) { list->EndQuery(nullptr, static_cast<D3D12_QUERY_TYPE>(99), UINT32_MAX); },
        [](List *list) { list->ClearState(nullptr); },
        [](List *list) { list->CopyResource(reinterpret_cast<ID3D12Resource *>(list), reinterpret_cast<ID3D12Resource *>(list)); },
    };
    for (const auto &command : commands) {
        CHECK_OK(gpu.allocator->Reset());
        CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
        command(list.get());
        gpu.list->Close();
        // Closed twice, and recorded into while it is closed.
        CHECK_HR(gpu.list->Close(), E_FAIL);
        command(list.get());
    }
    gpu.queue->ExecuteCommandLists(3, nullptr);
    gpu.queue->ExecuteCommandLists(0, nullptr);
    gpu.queue->SetMarker(0, nullptr, 100);
    gpu.queue->BeginEvent(0, nullptr, 100);
    CHECK_HR(gpu.queue->GetTimestampFrequency(nullptr), E_POINTER);
    CHECK_HR(gpu.queue->GetClockCalibration(nullptr, nullptr), E_POINTER);
    CHECK_OK(device->GetDeviceRemovedReason());
    gpu.run([](ID3D12GraphicsCommandList *) {});
}

TEST(hostile_descriptors) {
    Ref<ID3D12Device> device = new_device();
    D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 4, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    Ref<ID3D12DescriptorHeap> heap;
    CHECK_OK(device->CreateDescriptorHeap(&desc, iid_of<ID3D12DescriptorHeap>(), heap.void_out()));
    const SIZE_T start = heap->GetCPUDescriptorHandleForHeapStart().ptr;
    const UINT step = device->GetDescriptorHandleIncrementSize(desc.Type);
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 1024);
    SIZE_T gone;
    {
        Ref<ID3D12DescriptorHeap> short_lived;
        CHECK_OK(device->CreateDescriptorHeap(&desc, iid_of<ID3D12DescriptorHeap>(), short_lived.void_out()));
        gone = short_lived->GetCPUDescriptorHandleForHeapStart().ptr;
    }
    const D3D12_CONSTANT_BUFFER_VIEW_DESC view = {buffer->GetGPUVirtualAddress(), 256};
    const D3D12_CONSTANT_BUFFER_VIEW_DESC nowhere = {UINT64_MAX - 255, UINT32_MAX};
    for (const SIZE_T at : {SIZE_T{0}, SIZE_T{1}, start + 1, start + 4 * step, start - step, gone, SIZE_MAX, SIZE_MAX - 31, SIZE_T{1} << 63}) {
        device->CreateConstantBufferView(&view, {at});
        device->CreateShaderResourceView(buffer.get(), nullptr, {at});
        device->CreateUnorderedAccessView(nullptr, buffer.get(), nullptr, {at});
        device->CreateRenderTargetView(buffer.get(), nullptr, {at});
        device->CreateDepthStencilView(buffer.get(), nullptr, {at});
        device->CopyDescriptorsSimple(1, {at}, {start}, desc.Type);
        device->CopyDescriptorsSimple(UINT32_MAX, {start}, {at}, desc.Type);
        const D3D12_CPU_DESCRIPTOR_HANDLE handle = {at};
        const UINT sizes[] = {UINT32_MAX};
        device->CopyDescriptors(1, &handle, sizes, 1, &handle, sizes, desc.Type);
        device->CopyDescriptors(1, &handle, nullptr, 1, &handle, nullptr, static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(9));
    }
    device->CreateConstantBufferView(&nowhere, {start});
    device->CopyDescriptors(3, nullptr, nullptr, 1, nullptr, nullptr, desc.Type);
    CHECK_EQ(device->GetDescriptorHandleIncrementSize(static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(77)), 0u);
    CHECK_OK(device->GetDeviceRemovedReason());
}

TEST(hostile_events) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device1> device1 = query<ID3D12Device1>(device.get());
    Ref<ID3D12Fence> fence;
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), fence.void_out()));
    HANDLE closed;
    {
        EventFd event;
        closed = event.handle();
        // Waited for, and closed before it is set: nobody hears of it, and no other file is written to.
        CHECK_OK(fence->SetEventOnCompletion(1, closed));
    }
    CHECK_HR(fence->SetEventOnCompletion(1, closed), INVALID_HANDLE);
    int ends[2];
    CHECK(pipe(ends) == 0); // takes the number
    CHECK_OK(fence->Signal(1));
    for (const intptr_t number : {intptr_t{-1}, intptr_t{1} << 40, intptr_t{INT32_MAX}}) {
        const HANDLE event = reinterpret_cast<HANDLE>(number);
        CHECK_HR(fence->SetEventOnCompletion(9, event), INVALID_HANDLE);
        ID3D12Fence *const fences[] = {fence.get()};
        const UINT64 values[] = {9};
        CHECK_HR(device1->SetEventOnMultipleFenceCompletion(fences, values, 1, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, event), INVALID_HANDLE);
    }
    ID3D12Fence *const none[] = {nullptr};
    const UINT64 values[] = {9};
    EventFd event;
    CHECK_HR(device1->SetEventOnMultipleFenceCompletion(none, values, 1, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, event.handle()), E_INVALIDARG);
    // What is no event: to set a pipe that nobody reads would end the process.
    CHECK_HR(fence->SetEventOnCompletion(2, reinterpret_cast<HANDLE>(static_cast<intptr_t>(ends[1]))), INVALID_HANDLE);
    close(ends[0]);
    CHECK_OK(fence->Signal(2));
    close(ends[1]);
}

TEST(hostile_private_data) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
    const GUID key = {1, 2, 3, {4}};
    CHECK_OK(buffer->SetPrivateData(key, 3, "ab"));
    UINT size = 1;
    char text[3];
    CHECK_HR(buffer->GetPrivateData(key, &size, text), static_cast<HRESULT>(0x887A0003)); // DXGI_ERROR_MORE_DATA
    CHECK_EQ(size, 3u);
    CHECK_HR(buffer->GetPrivateData(key, nullptr, text), E_INVALIDARG);
    buffer->SetPrivateData(key, UINT32_MAX, nullptr);
    buffer->SetPrivateData(key, 0, text);
    buffer->SetPrivateDataInterface(key, nullptr);
    buffer->SetName(nullptr);
    // An object that holds itself is let go of by who set it.
    CHECK_OK(buffer->SetPrivateDataInterface(key, buffer.get()));
    CHECK_EQ(references(buffer.get()), 2u);
    CHECK_OK(buffer->SetPrivateDataInterface(key, nullptr));
    CHECK_EQ(references(buffer.get()), 1u);
}

// Whatever is released first, the last reference ends all.
TEST(hostile_release_order) {
    for (unsigned first = 0; first < 6; ++first) {
        Ref<ID3D12Device> device = new_device();
        ID3D12Device *const watched = device.get();
        const ULONG alone = references(watched);
        watched->AddRef();
        {
            Ref<ID3D12Resource> to = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, 65536);
            Ref<ID3D12Resource> from = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
            Gpu gpu(device.get());
            CHECK_OK(gpu.allocator->Reset());
            CHECK_OK(gpu.list->Reset(gpu.allocator.get(), nullptr));
            gpu.list->CopyBufferRegion(to.get(), 0, from.get(), 0, 65536);
            CHECK_OK(gpu.list->Close());
            ID3D12CommandList *lists[] = {gpu.list.get()};
            CHECK_OK(gpu.queue->Wait(gpu.fence.get(), 5));
            gpu.queue->ExecuteCommandLists(1, lists);
            CHECK_OK(gpu.queue->Signal(gpu.fence.get(), 6));
            switch (first) {
            case 0: device.reset(); break;
            case 1: gpu.allocator.reset(); break;
            case 2: gpu.list.reset(); break;
            case 3: gpu.queue.reset(); break;
            case 4: gpu.fence.reset(); break;
            default: to.reset(), from.reset();
            }
            if (gpu.fence) CHECK_OK(gpu.fence->Signal(5));
        }
        device.reset();
        CHECK_EQ(references(watched), alone);
        watched->Release();
    }
}

TEST(hostile_threads) {
    Ref<ID3D12Device> device = new_device();
    const ULONG alone = references(device.get());
    {
        Ref<ID3D12Fence> fence;
        CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_SHARED, iid_of<ID3D12Fence>(), fence.void_out()));
        Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 65536);
        std::atomic<int> failures{0};
        std::vector<std::thread> threads;
        for (int number = 0; number < 8; ++number) {
            threads.emplace_back([&, number] {
                const GUID key = {static_cast<uint32_t>(number % 2), 0, 0, {}};
                for (UINT64 i = 0; i < 300; ++i) {
                    void *data = nullptr;
                    if (buffer->Map(0, nullptr, &data) != S_OK || !data) ++failures;
                    buffer->Unmap(0, nullptr);
                    buffer->SetName(number % 2 ? L"one" : L"another");
                    buffer->SetPrivateDataInterface(key, fence.get());
                    buffer->SetPrivateData(key, 8, &i);
                    fence->Signal(i);
                    HANDLE handle = nullptr;
                    if (device->CreateSharedHandle(fence.get(), nullptr, GENERIC_ALL, nullptr, &handle) != S_OK) ++failures;
                    else {
                        Ref<ID3D12Fence> again;
                        if (i % 16 == 0 && device->OpenSharedHandle(handle, iid_of<ID3D12Fence>(), again.void_out()) != S_OK) ++failures;
                        close(static_cast<int>(reinterpret_cast<intptr_t>(handle)));
                    }
                    Ref<ID3D12Heap> heap;
                    const D3D12_HEAP_DESC desc = heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT);
                    if (device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()) != S_OK) ++failures;
                    ID3D12Pageable *pageable = heap.get();
                    if (device->Evict(1, &pageable) != S_OK || device->MakeResident(1, &pageable) != S_OK) ++failures;
                }
            });
        }
        for (std::thread &thread : threads) thread.join();
        CHECK_EQ(failures.load(), 0);
    }
    CHECK_EQ(references(device.get()), alone);
}
