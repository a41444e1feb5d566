// Uploads a buffer as a Direct3D 12 program does, and reads it back: on Linux, without a GPU.
//
//   g++ -std=c++17 upload.cpp $(pkg-config --cflags --libs heapstone) -o upload && ./upload
#include <wsl/winadapter.h>
#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check(HRESULT result, const char *call) {
    if (SUCCEEDED(result)) return;
    std::fprintf(stderr, "%s: 0x%08X\n", call, static_cast<unsigned>(result));
    std::exit(1);
}
#define CHECK(call) check(call, #call)

static ID3D12Resource *buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size, D3D12_RESOURCE_STATES state) {
    D3D12_HEAP_PROPERTIES heap = {};
    heap.Type = type;
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = size;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    ID3D12Resource *resource = nullptr;
    CHECK(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, IID_PPV_ARGS(&resource)));
    return resource;
}

int main() {
    ID3D12Device *device = nullptr;
    CHECK(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)));
    const char text[] = "uploaded, copied by the GPU, read back";
    ID3D12Resource *upload = buffer(device, D3D12_HEAP_TYPE_UPLOAD, sizeof text, D3D12_RESOURCE_STATE_GENERIC_READ);
    ID3D12Resource *local = buffer(device, D3D12_HEAP_TYPE_DEFAULT, sizeof text, D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12Resource *readback = buffer(device, D3D12_HEAP_TYPE_READBACK, sizeof text, D3D12_RESOURCE_STATE_COPY_DEST);
    void *data = nullptr;
    CHECK(upload->Map(0, nullptr, &data));
    std::memcpy(data, text, sizeof text);
    upload->Unmap(0, nullptr);

    ID3D12CommandQueue *queue = nullptr;
    ID3D12CommandAllocator *allocator = nullptr;
    ID3D12GraphicsCommandList *list = nullptr;
    ID3D12Fence *fence = nullptr;
    const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    CHECK(device->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
    CHECK(device->CreateCommandAllocator(queue_desc.Type, IID_PPV_ARGS(&allocator)));
    CHECK(device->CreateCommandList(0, queue_desc.Type, allocator, nullptr, IID_PPV_ARGS(&list)));
    CHECK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
    list->CopyResource(local, upload);
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Transition = {local, 0, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE};
    list->ResourceBarrier(1, &barrier);
    list->CopyResource(readback, local);
    CHECK(list->Close());
    ID3D12CommandList *lists[] = {list};
    queue->ExecuteCommandLists(1, lists);
    CHECK(queue->Signal(fence, 1));
    CHECK(fence->SetEventOnCompletion(1, nullptr)); // no event: waits here

    CHECK(readback->Map(0, nullptr, &data));
    std::printf("%s\n", static_cast<const char *>(data));
    const bool same = std::memcmp(data, text, sizeof text) == 0;
    readback->Unmap(0, nullptr);
    IUnknown *all[] = {fence, list, allocator, queue, readback, local, upload, device};
    for (IUnknown *object : all) object->Release();
    return same ? 0 : 1;
}
