// Pools of memory at work, as allocators and their tests use them: what is asked at the start, moves by CPU and GPU of what GetDesc
// described, GPU upload heaps, protected sessions, and memory that runs out (facts/abi.md, What D3D12MA calls).
#include "check.h"

#include <algorithm>

namespace {

constexpr D3D12_HEAP_TYPE GPU_UPLOAD = static_cast<D3D12_HEAP_TYPE>(5);
constexpr D3D12_RESOURCE_FLAGS TIGHT = static_cast<D3D12_RESOURCE_FLAGS>(0x400);
constexpr UINT64 MIB = 1u << 20;

Ref<IDXGIAdapter1> first_adapter() {
    Ref<IDXGIFactory4> factory;
    CHECK_OK(CreateDXGIFactory1(iid_of<IDXGIFactory4>(), factory.void_out()));
    Ref<IDXGIAdapter1> adapter;
    CHECK_OK(factory->EnumAdapters1(0, adapter.out()));
    return adapter;
}

UINT64 usage(IDXGIAdapter1 *adapter, DXGI_MEMORY_SEGMENT_GROUP group) {
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    CHECK_OK(query<IDXGIAdapter3>(adapter)->QueryVideoMemoryInfo(0, group, &info));
    return info.CurrentUsage;
}

Ref<ID3D12Device> device_of(IDXGIAdapter1 *adapter) {
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_12_0, iid_of<ID3D12Device>(), device.void_out()));
    return device;
}

D3D12_RESOURCE_BARRIER transition(ID3D12Resource *resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition.pResource = resource;
    barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
    barrier.Transition.StateBefore = before;
    barrier.Transition.StateAfter = after;
    return barrier;
}

Ref<ID3D12Resource> place(ID3D12Device *device, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC &desc,
                          D3D12_RESOURCE_STATES state) {
    Ref<ID3D12Resource> resource;
    CHECK_OK(device->CreatePlacedResource(heap, offset, &desc, state, nullptr, iid_of<ID3D12Resource>(), resource.void_out()));
    return resource;
}

void *map(ID3D12Resource *buffer) {
    const D3D12_RANGE nothing = {0, 0};
    void *bytes = nullptr;
    CHECK_OK(buffer->Map(0, &nothing, &bytes));
    return bytes;
}

} // namespace

// The debug layer first, then the device at level 12.0, each version of it, and what the adapter has.
TEST(pools_at_the_start) {
    Ref<IDXGIFactory4> factory;
    CHECK_OK(CreateDXGIFactory1(iid_of<IDXGIFactory4>(), factory.void_out()));
    Ref<IDXGIAdapter1> adapter;
    UINT count = 0;
    for (; factory->EnumAdapters1(count, adapter.out()) != DXGI_ERROR_NOT_FOUND; ++count) {
        DXGI_ADAPTER_DESC1 desc = {};
        CHECK_OK(adapter->GetDesc1(&desc));
        CHECK(desc.Description[0] != 0);
    }
    CHECK(count > 0);
    CHECK(!adapter);
    adapter = first_adapter();
    Ref<ID3D12Debug> debug;
    CHECK_OK(D3D12GetDebugInterface(iid_of<ID3D12Debug>(), debug.void_out()));
    Ref<ID3D12Device> device = device_of(adapter.get());
    query<ID3D12Device1>(device.get());
    query<ID3D12Device4>(device.get());
    query<ID3D12Device8>(device.get());
    query<ID3D12Device10>(device.get());
    D3D12_FEATURE_DATA_ARCHITECTURE1 architecture = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE1, &architecture, sizeof architecture));
    CHECK(!architecture.UMA);
    D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT sessions = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT, &sessions, sizeof sessions));
    DXGI_ADAPTER_DESC1 desc = {};
    CHECK_OK(adapter->GetDesc1(&desc));
    Ref<IDXGIAdapter3> third = query<IDXGIAdapter3>(adapter.get());
    for (const DXGI_MEMORY_SEGMENT_GROUP group : {DXGI_MEMORY_SEGMENT_GROUP_LOCAL, DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL}) {
        DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
        CHECK_OK(third->QueryVideoMemoryInfo(0, group, &info));
        CHECK(info.Budget > 0);
        CHECK(info.Budget <= (group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL ? desc.DedicatedVideoMemory : desc.SharedSystemMemory));
        CHECK(info.AvailableForReservation <= info.Budget);
        CHECK_EQ(info.CurrentReservation, 0u);
    }
}

// On UMA everything is local: what a client takes as the capacity holds the budget, and uploads count there.
TEST(pools_at_the_start_on_uma) {
    if (!alone("pools_at_the_start_on_uma", "HEAPSTONE_PROFILE", "integrated-uma")) return;
    Ref<IDXGIAdapter1> adapter = first_adapter();
    Ref<ID3D12Device> device = device_of(adapter.get());
    DXGI_ADAPTER_DESC1 desc = {};
    CHECK_OK(adapter->GetDesc1(&desc));
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    CHECK_OK(query<IDXGIAdapter3>(adapter.get())->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info));
    CHECK(info.Budget > 0 && info.Budget <= desc.DedicatedVideoMemory + desc.SharedSystemMemory);
    CHECK_EQ(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL), 0u);
    Ref<ID3D12Resource> upload = new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, 4 * MIB);
    CHECK(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL) >= info.CurrentUsage + 4 * MIB);
    CHECK_EQ(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL), 0u);
}

// One reference from creation and one from QueryInterface; another interface of it knows the client's device.
TEST(pools_hand_out_references) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(MIB, D3D12_HEAP_TYPE_DEFAULT));
    Ref<ID3D12Resource> placed = place(device.get(), heap.get(), 0, buffer_desc(65536), D3D12_RESOURCE_STATE_COMMON);
    for (Ref<ID3D12Resource> made : {placed, new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 32768)}) {
        const ULONG before = references(made.get());
        ID3D12Resource *again = nullptr;
        CHECK_OK(made->QueryInterface(iid_of<ID3D12Resource>(), reinterpret_cast<void **>(&again)));
        CHECK(again == made.get());
        CHECK_EQ(again->AddRef(), before + 2);
        CHECK_EQ(again->Release(), before + 1);
        CHECK_EQ(again->Release(), before);
        Ref<ID3D12Pageable> pageable = query<ID3D12Pageable>(made.get());
        Ref<ID3D12Device> of;
        CHECK_OK(pageable->GetDevice(iid_of<ID3D12Device>(), of.void_out()));
        CHECK(of.get() == device.get());
        constexpr GUID none = {};
        void *nothing = device.get();
        CHECK_HR(made->QueryInterface(none, &nothing), E_NOINTERFACE);
        CHECK(nothing == nullptr);
    }
}

// Names come back as they were, with the characters that a report must escape, an empty one among them.
TEST(pools_name_their_resources) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 32768);
    for (const wchar_t *name : {L"first\nsecond\r\nthird", L"\"'&<>?#@!&-=_+[]{};:,./\\", L""}) {
        CHECK_OK(buffer->SetName(name));
        wchar_t text[64] = {};
        UINT size = sizeof text;
        CHECK_OK(buffer->GetPrivateData(WKPDID_D3DDebugObjectNameW, &size, text));
        CHECK(std::wstring(text) == name);
    }
}

// What is moved is described by what GetDesc said of it: with the alignment that was filled in, and with none. By the CPU, while both
// stay mapped; every byte of the allocation is there, beyond the buffer's width too.
TEST(pools_move_by_the_cpu) {
    Ref<ID3D12Device> device = new_device();
    for (const D3D12_RESOURCE_FLAGS flags : {D3D12_RESOURCE_FLAG_NONE, TIGHT}) {
        Ref<ID3D12Heap> from = new_heap(device.get(), heap_desc(MIB, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
        Ref<ID3D12Heap> to = new_heap(device.get(), heap_desc(MIB, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
        const D3D12_RESOURCE_DESC wanted = buffer_desc(70000, flags);
        const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &wanted);
        Ref<ID3D12Resource> source = place(device.get(), from.get(), 2 * 65536, wanted, D3D12_RESOURCE_STATE_GENERIC_READ);
        void *const kept = map(source.get());
        const std::vector<uint8_t> bytes = pattern(static_cast<size_t>(info.SizeInBytes), 9);
        std::memcpy(kept, bytes.data(), bytes.size());
        D3D12_RESOURCE_DESC desc = source->GetDesc();
        CHECK_EQ(desc.Width, 70000u);
        CHECK_EQ(desc.Flags, flags);
        for (const UINT64 alignment : {desc.Alignment, UINT64(0)}) {
            desc.Alignment = alignment;
            Ref<ID3D12Resource> target = place(device.get(), to.get(), 4 * 65536, desc, D3D12_RESOURCE_STATE_GENERIC_READ);
            CHECK_EQ(target->GetDesc().Alignment, source->GetDesc().Alignment);
            void *const read = map(source.get()), *const written = map(target.get());
            CHECK(read == kept);
            std::memcpy(written, read, static_cast<size_t>(info.SizeInBytes));
            source->Unmap(0, nullptr);
            CHECK(std::memcmp(written, bytes.data(), bytes.size()) == 0);
            target->Unmap(0, nullptr);
        }
        // Mapped when it goes: the heap's memory stays with the others.
        CHECK(from->GetDesc().Properties.Type == D3D12_HEAP_TYPE_UPLOAD);
    }
}

// By the GPU, in one list for all: from the states that they are in and back, into memory that others left, tightly aligned or not.
// The list's allocator is not reset in between.
TEST(pools_move_by_the_gpu) {
    Ref<ID3D12Device> device = new_device();
    D3D12_COMMAND_QUEUE_DESC queue_desc = {};
    Ref<ID3D12CommandQueue> queue;
    CHECK_OK(device->CreateCommandQueue(&queue_desc, iid_of<ID3D12CommandQueue>(), queue.void_out()));
    CHECK_EQ(queue->GetDesc().Type, D3D12_COMMAND_LIST_TYPE_DIRECT);
    Ref<ID3D12CommandAllocator> allocator;
    CHECK_OK(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, iid_of<ID3D12CommandAllocator>(), allocator.void_out()));
    Ref<ID3D12GraphicsCommandList> list;
    CHECK_OK(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.get(), nullptr, iid_of<ID3D12GraphicsCommandList>(),
                                       list.void_out()));
    CHECK_OK(list->Close());
    Ref<ID3D12Fence> fence;
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), fence.void_out()));
    UINT64 value = 0;
    EventFd event;
    auto begin = [&] { CHECK_OK(list->Reset(allocator.get(), nullptr)); };
    auto end = [&] {
        CHECK_OK(list->Close());
        ID3D12CommandList *lists[] = {list.get()};
        queue->ExecuteCommandLists(1, lists);
        CHECK_OK(queue->Signal(fence.get(), ++value));
        if (fence->GetCompletedValue() < value) {
            CHECK_OK(fence->SetEventOnCompletion(value, event.handle()));
            CHECK(event.wait(10000));
        }
    };
    for (const D3D12_RESOURCE_FLAGS flags : {D3D12_RESOURCE_FLAG_NONE, TIGHT}) {
        constexpr size_t count = 24;
        constexpr D3D12_RESOURCE_STATES used = D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER;
        Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(8 * MIB, D3D12_HEAP_TYPE_DEFAULT));
        std::vector<Ref<ID3D12Resource>> uploads, all;
        std::vector<UINT64> offsets;
        UINT64 offset = 0;
        for (size_t i = 0; i < count; ++i) {
            const D3D12_RESOURCE_DESC desc = buffer_desc(30000 + 4096 * i, flags);
            const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &desc);
            offset = (offset + info.Alignment - 1) / info.Alignment * info.Alignment;
            offsets.push_back(offset);
            all.push_back(place(device.get(), heap.get(), offset, desc, D3D12_RESOURCE_STATE_COPY_DEST));
            offset += info.SizeInBytes;
            uploads.push_back(new_buffer(device.get(), D3D12_HEAP_TYPE_UPLOAD, desc.Width));
            write_buffer(uploads.back().get(), pattern(desc.Width, static_cast<uint8_t>(i)));
        }
        const D3D12_RESOURCE_DESC picture = texture_desc(256, 256);
        const UINT64 behind = (offset + 65535) / 65536 * 65536;
        Ref<ID3D12Resource> texture = place(device.get(), heap.get(), behind, picture, D3D12_RESOURCE_STATE_COPY_DEST);
        begin();
        list->ResourceBarrier(0, nullptr);
        std::vector<D3D12_RESOURCE_BARRIER> barriers = {
            transition(texture.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE)};
        for (size_t i = 0; i < count; ++i) {
            list->CopyResource(all[i].get(), uploads[i].get());
            barriers.push_back(transition(all[i].get(), D3D12_RESOURCE_STATE_COPY_DEST, used));
        }
        list->ResourceBarrier(static_cast<UINT>(barriers.size()), barriers.data());
        end();
        // The even ones go, and each odd one moves to where the one before it lay: memory that overlaps its own.
        for (size_t i = 1; i < count; i += 2) {
            all[i - 1].reset();
            D3D12_RESOURCE_DESC desc = all[i]->GetDesc();
            if (flags == TIGHT) desc.Alignment = 0;
            Ref<ID3D12Heap> apart = new_heap(device.get(), heap_desc(MIB, D3D12_HEAP_TYPE_DEFAULT));
            Ref<ID3D12Resource> between = place(device.get(), apart.get(), 0, desc, D3D12_RESOURCE_STATE_COPY_DEST);
            Ref<ID3D12Resource> moved = place(device.get(), heap.get(), offsets[i - 1], desc, D3D12_RESOURCE_STATE_COPY_DEST);
            begin();
            const D3D12_RESOURCE_BARRIER before[] = {transition(all[i].get(), used, D3D12_RESOURCE_STATE_COPY_SOURCE)};
            list->ResourceBarrier(1, before);
            list->CopyResource(between.get(), all[i].get());
            D3D12_RESOURCE_BARRIER then[] = {transition(between.get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE), {}};
            then[1].Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
            then[1].Aliasing = {all[i].get(), moved.get()};
            list->ResourceBarrier(2, then);
            list->CopyResource(moved.get(), between.get());
            const D3D12_RESOURCE_BARRIER after[] = {transition(moved.get(), D3D12_RESOURCE_STATE_COPY_DEST, used)};
            list->ResourceBarrier(1, after);
            end();
            all[i] = moved;
        }
        for (size_t i = 1; i < count; i += 2) {
            D3D12_RESOURCE_DESC desc = all[i]->GetDesc();
            Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, desc.Width);
            begin();
            D3D12_RESOURCE_BARRIER barrier = transition(all[i].get(), used, D3D12_RESOURCE_STATE_COPY_SOURCE);
            list->ResourceBarrier(1, &barrier);
            list->CopyResource(readback.get(), all[i].get());
            std::swap(barrier.Transition.StateBefore, barrier.Transition.StateAfter);
            list->ResourceBarrier(1, &barrier);
            end();
            CHECK(read_buffer(readback.get(), desc.Width) == pattern(desc.Width, static_cast<uint8_t>(i)));
        }
    }
}

// Buffers and textures that the CPU writes in video memory: placed, committed, in blocks of all classes; usage rises by what they take.
TEST(pools_of_gpu_upload_heaps) {
    Ref<IDXGIAdapter1> adapter = first_adapter();
    Ref<ID3D12Device> device = device_of(adapter.get());
    const UINT64 before = usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL);
    const UINT64 beside = usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL);
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = 8 * MIB;
    desc.Properties.Type = GPU_UPLOAD;
    desc.Alignment = D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
    Ref<ID3D12Heap> heap = new_heap(device.get(), desc);
    Ref<ID3D12Resource> placed = place(device.get(), heap.get(), 0, buffer_desc(65536), D3D12_RESOURCE_STATE_COMMON);
    Ref<ID3D12Resource> committed = new_buffer(device.get(), GPU_UPLOAD, 65536);
    for (ID3D12Resource *buffer : {placed.get(), committed.get()}) {
        CHECK(buffer->GetGPUVirtualAddress() != 0);
        D3D12_HEAP_PROPERTIES properties = {};
        D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
        CHECK_OK(buffer->GetHeapProperties(&properties, &flags));
        CHECK_EQ(properties.Type, GPU_UPLOAD);
        uint32_t *const values = static_cast<uint32_t *>(map(buffer));
        for (uint32_t i = 0; i < 65536 / 4; ++i) values[i] = i * 3;
        buffer->Unmap(0, nullptr);
        void *again = nullptr;
        CHECK_OK(buffer->Map(0, nullptr, &again));
        CHECK_EQ(static_cast<uint32_t *>(again)[100], 300u);
        const D3D12_RANGE nothing = {0, 0};
        buffer->Unmap(0, &nothing);
    }
    Ref<ID3D12Resource> large[] = {new_buffer(device.get(), GPU_UPLOAD, 128 * MIB), new_buffer(device.get(), GPU_UPLOAD, 128 * MIB)};
    CHECK(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL) >= before + 256 * MIB + 8 * MIB);
    CHECK_EQ(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL), beside);

    Ref<ID3D12Resource> texture = place(device.get(), heap.get(), 4 * MIB, texture_desc(256, 256), D3D12_RESOURCE_STATE_COMMON);
    const std::vector<uint8_t> texels = pattern(256 * 256 * 4, 7);
    const D3D12_RANGE nothing = {0, 0};
    CHECK_OK(texture->Map(0, &nothing, nullptr));
    CHECK_OK(texture->WriteToSubresource(0, nullptr, texels.data(), 256 * 4, 256 * 256 * 4));
    texture->Unmap(0, nullptr);
    Gpu gpu(device.get());
    Ref<ID3D12Resource> readback = new_buffer(device.get(), D3D12_HEAP_TYPE_READBACK, texels.size());
    gpu.run([&](ID3D12GraphicsCommandList *list) {
        D3D12_TEXTURE_COPY_LOCATION from = {}, to = {};
        from.pResource = texture.get();
        from.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
        to.pResource = readback.get();
        to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
        to.PlacedFootprint.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, 256, 256, 1, 1024};
        list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    });
    CHECK(read_buffer(readback.get(), texels.size()) == texels);
    texture.reset();
    placed.reset();
    heap.reset();
    committed.reset();
    for (Ref<ID3D12Resource> &buffer : large) buffer.reset();
    CHECK_EQ(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL), before);
}

// Where the device has protected sessions, pools are of one; where it has none, nobody gets one.
TEST(pools_of_a_protected_session) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Device4> four = query<ID3D12Device4>(device.get());
    D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT support = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT, &support, sizeof support));
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC desc = {};
    Ref<ID3D12ProtectedResourceSession> session;
    const HRESULT result = four->CreateProtectedResourceSession(&desc, iid_of<ID3D12ProtectedResourceSession>(), session.void_out());
    if (support.Support == D3D12_PROTECTED_RESOURCE_SESSION_SUPPORT_FLAG_NONE) {
        CHECK_HR(result, DXGI_ERROR_UNSUPPORTED);
        return;
    }
    CHECK_OK(result);
    D3D12_HEAP_DESC heap_of = {};
    heap_of.SizeInBytes = 2 * 65536;
    heap_of.Alignment = 65536;
    heap_of.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    heap_of.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    Ref<ID3D12Heap> heap;
    CHECK_OK(four->CreateHeap1(&heap_of, session.get(), iid_of<ID3D12Heap>(), heap.void_out()));
    place(device.get(), heap.get(), 65536, buffer_desc(65536), D3D12_RESOURCE_STATE_COMMON);
    const D3D12_RESOURCE_DESC buffer = buffer_desc(65536);
    Ref<ID3D12Resource> committed;
    CHECK_OK(four->CreateCommittedResource1(&heap_of.Properties, D3D12_HEAP_FLAG_NONE, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            session.get(), iid_of<ID3D12Resource>(), committed.void_out()));
}

// Blocks that there is no memory for are refused with the code that makes an allocator try half the size, and leave nothing behind.
TEST(pools_halve_their_blocks_when_memory_is_gone) {
    if (!alone("pools_halve_their_blocks_when_memory_is_gone", "HEAPSTONE_PROFILE", "discrete-tier1-2g")) return;
    Ref<IDXGIAdapter1> adapter = first_adapter();
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(adapter.get(), D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    const UINT64 before = usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL);
    UINT64 size = UINT64(1) << 40;
    Ref<ID3D12Heap> heap;
    UINT halvings = 0;
    for (;; size /= 2, ++halvings) {
        const D3D12_HEAP_DESC desc = heap_desc(size, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
        const HRESULT result = device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out());
        if (result == S_OK) break;
        CHECK_HR(result, E_OUTOFMEMORY);
        CHECK(!heap);
        CHECK_EQ(usage(adapter.get(), DXGI_MEMORY_SEGMENT_GROUP_LOCAL), before);
    }
    // 1 TiB is not there, and 1 GiB of 2 GiB is.
    CHECK(halvings > 0 && size >= UINT64(1) << 30);
    D3D12_HEAP_DESC impossible = heap_desc(UINT64_MAX, D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
    Ref<ID3D12Heap> none;
    CHECK(FAILED(device->CreateHeap(&impossible, iid_of<ID3D12Heap>(), none.void_out())));
    const D3D12_RESOURCE_DESC endless = buffer_desc(UINT64_MAX);
    CHECK_EQ(device->GetResourceAllocationInfo(0, 1, &endless).SizeInBytes, UINT64_MAX);
}
