// Runs D3D12 Memory Allocator's own tests on libd3d12.so: what their sample does before and around them, without a window.
//
//   d3d12ma-tests [ALLOCATOR_FLAGS]      a number; without: DEFAULT_POOLS_NOT_ZEROED, as their sample
//
// HEAPSTONE_PROFILE chooses the device (docs/cpp.md).
#include "Common.h"
#include "Tests.h"

#include <atomic>

DXGI_ADAPTER_DESC1 g_AdapterDesc;

namespace {

ComPtr<ID3D12CommandQueue> queue;
ComPtr<ID3D12CommandAllocator> list_memory;
ComPtr<ID3D12GraphicsCommandList> list;
ComPtr<ID3D12Fence> fence;
UINT64 fence_value;
std::atomic<long> live_allocations;

void *allocate(size_t size, size_t alignment, void *) {
    ++live_allocations;
    return aligned_alloc(alignment, AlignUp(size, alignment));
}

void release(void *memory, void *) {
    if (memory) --live_allocations;
    free(memory);
}

void run(UINT flags) {
    ComPtr<IDXGIFactory4> factory;
    CHECK_HR(CreateDXGIFactory1(IID_PPV_ARGS(&factory)));
    ComPtr<IDXGIAdapter1> adapter;
    CHECK_HR(factory->EnumAdapters1(0, &adapter));
    CHECK_HR(adapter->GetDesc1(&g_AdapterDesc));
    std::printf("%ls\n", g_AdapterDesc.Description);
    ComPtr<ID3D12Device> device;
    CHECK_HR(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)));

    const D3D12_COMMAND_QUEUE_DESC queue_desc = {};
    CHECK_HR(device->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
    CHECK_HR(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&list_memory)));
    CHECK_HR(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, list_memory.Get(), nullptr, IID_PPV_ARGS(&list)));
    CHECK_HR(list->Close());
    CHECK_HR(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));

    D3D12MA::ALLOCATION_CALLBACKS callbacks = {};
    callbacks.pAllocate = &allocate;
    callbacks.pFree = &release;
    D3D12MA::ALLOCATOR_DESC desc = {};
    desc.Flags = static_cast<D3D12MA::ALLOCATOR_FLAGS>(flags);
    desc.pDevice = device.Get();
    desc.pAdapter = adapter.Get();
    desc.pAllocationCallbacks = &callbacks;
    ComPtr<D3D12MA::Allocator> allocator;
    CHECK_HR(D3D12MA::CreateAllocator(&desc, &allocator));

    TestContext context = {};
    context.allocationCallbacks = &callbacks;
    context.device = device.Get();
    context.allocator = allocator.Get();
    context.allocatorFlags = desc.Flags;
    Test(context);
}

} // namespace

ID3D12GraphicsCommandList *BeginCommandList() {
    CHECK_HR(list->Reset(list_memory.Get(), nullptr));
    return list.Get();
}

// Until the GPU is done with it.
void EndCommandList(ID3D12GraphicsCommandList *recorded) {
    CHECK_HR(recorded->Close());
    ID3D12CommandList *const lists[] = {recorded};
    queue->ExecuteCommandLists(1, lists);
    CHECK_HR(queue->Signal(fence.Get(), ++fence_value));
    CHECK_HR(fence->SetEventOnCompletion(fence_value, nullptr));
}

void SaveFile(const wchar_t *path, const void *bytes, size_t size) {
    std::string name;
    for (; *path; ++path) name += static_cast<char>(*path);
    FILE *const file = std::fopen(name.c_str(), "wb");
    CHECK_BOOL(file != nullptr);
    CHECK_BOOL(std::fwrite(bytes, 1, size, file) == size);
    CHECK_BOOL(std::fclose(file) == 0);
}

int main(int argc, char **argv) {
    try {
        run(argc > 1 ? static_cast<UINT>(std::strtoul(argv[1], nullptr, 0)) : D3D12MA::ALLOCATOR_FLAG_DEFAULT_POOLS_NOT_ZEROED);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "FAILED %s\n", error.what());
        return 1;
    }
    list.Reset();
    list_memory.Reset();
    queue.Reset();
    fence.Reset();
    if (live_allocations != 0) {
        std::fprintf(stderr, "FAILED %ld allocations of the allocator's own are left\n", live_allocations.load());
        return 1;
    }
    std::fprintf(stderr, "all tests passed\n");
}
