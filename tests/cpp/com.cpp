// COM as clients rely on it: identity, references, private data, names, destruction (facts/abi.md, Library;
// facts/behaviour.md, Creation).
#include "check.h"

namespace {

// {5F1B7C64-0E5D-4F0A-9E11-2C6D0A5B4E01}: nobody's.
constexpr GUID KEY = {0x5f1b7c64, 0x0e5d, 0x4f0a, {0x9e, 0x11, 0x2c, 0x6d, 0x0a, 0x5b, 0x4e, 0x01}};
constexpr GUID OTHER = {0x5f1b7c64, 0x0e5d, 0x4f0a, {0x9e, 0x11, 0x2c, 0x6d, 0x0a, 0x5b, 0x4e, 0x02}};

// A client's object: what SetPrivateDataInterface keeps.
class Counted : public IUnknown {
public:
    HRESULT QueryInterface(REFIID riid, void **object) override {
        if (!InlineIsEqualGUID(riid, iid_of<IUnknown>())) {
            *object = nullptr;
            return E_NOINTERFACE;
        }
        AddRef();
        *object = this;
        return S_OK;
    }
    ULONG AddRef() override { return ++count; }
    ULONG Release() override { return --count; }
    virtual ~Counted() = default;
    ULONG count = 1;
};

// Every interface of one object gives the same IUnknown, and each can be had from each.
template <typename... Interfaces>
void check_identity(IUnknown *object) {
    const ULONG before = references(object);
    {
        Ref<IUnknown> identity = query<IUnknown>(object);
        auto one = [&](const IID &iid, const char *name) {
            Ref<IUnknown> as;
            if (object->QueryInterface(iid, as.void_out()) != S_OK) check::fail(__FILE__, __LINE__, name);
            Ref<IUnknown> again = query<IUnknown>(as.get());
            if (again.get() != identity.get()) check::fail(__FILE__, __LINE__, name);
        };
        (one(iid_of<Interfaces>(), __PRETTY_FUNCTION__), ...);
    }
    CHECK_EQ(references(object), before);
    void *nothing = &nothing;
    CHECK_HR(object->QueryInterface(KEY, &nothing), E_NOINTERFACE);
    CHECK(nothing == nullptr);
    CHECK_HR(object->QueryInterface(iid_of<IUnknown>(), nullptr), E_POINTER);
}

template <typename T>
void check_is_child_of(T *object, ID3D12Device *device) {
    Ref<ID3D12Device> parent;
    CHECK_OK(object->GetDevice(iid_of<ID3D12Device>(), parent.void_out()));
    CHECK(parent.get() == device);
}

} // namespace

TEST(com_identity_of_a_device) {
    Ref<ID3D12Device> device = new_device();
    check_identity<IUnknown, ID3D12Object, ID3D12Device, ID3D12Device1, ID3D12Device2, ID3D12Device3, ID3D12Device4,
                   ID3D12Device5, ID3D12Device6, ID3D12Device7, ID3D12Device8, ID3D12Device9, ID3D12Device10>(
        device.get());
}

TEST(com_identity_of_children) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT));
    check_identity<IUnknown, ID3D12Object, ID3D12DeviceChild, ID3D12Pageable, ID3D12Heap, ID3D12Heap1>(heap.get());
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
    check_identity<IUnknown, ID3D12Object, ID3D12DeviceChild, ID3D12Pageable, ID3D12Resource, ID3D12Resource1,
                   ID3D12Resource2>(buffer.get());
    Gpu gpu(device.get());
    check_identity<ID3D12Object, ID3D12DeviceChild, ID3D12Pageable, ID3D12CommandQueue>(gpu.queue.get());
    check_identity<ID3D12Object, ID3D12DeviceChild, ID3D12Pageable, ID3D12CommandAllocator>(gpu.allocator.get());
    check_identity<ID3D12Object, ID3D12DeviceChild, ID3D12CommandList, ID3D12GraphicsCommandList,
                   ID3D12GraphicsCommandList1, ID3D12GraphicsCommandList2, ID3D12GraphicsCommandList3,
                   ID3D12GraphicsCommandList4, ID3D12GraphicsCommandList5, ID3D12GraphicsCommandList6,
                   ID3D12GraphicsCommandList7>(gpu.list.get());
    check_identity<ID3D12Object, ID3D12DeviceChild, ID3D12Pageable, ID3D12Fence, ID3D12Fence1>(gpu.fence.get());
}

TEST(com_children_hold_their_device) {
    Ref<ID3D12Device> device = new_device();
    const ULONG alone = references(device.get());
    {
        Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT));
        CHECK_EQ(references(device.get()), alone + 1);
        check_is_child_of(heap.get(), device.get());

        const D3D12_RESOURCE_DESC desc = buffer_desc(1024);
        const ULONG of_heap = references(heap.get());
        Ref<ID3D12Resource> placed;
        CHECK_OK(device->CreatePlacedResource(heap.get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                              iid_of<ID3D12Resource>(), placed.void_out()));
        // A placed resource holds its heap privately, its device publicly.
        CHECK_EQ(references(heap.get()), of_heap);
        CHECK_EQ(references(device.get()), alone + 2);
        CHECK_EQ(references(placed.get()), 1u);
        check_is_child_of(placed.get(), device.get());

        Gpu gpu(device.get());
        CHECK_EQ(references(device.get()), alone + 6);
        check_is_child_of(gpu.queue.get(), device.get());
        check_is_child_of(gpu.allocator.get(), device.get());
        check_is_child_of(gpu.list.get(), device.get());
        check_is_child_of(gpu.fence.get(), device.get());
    }
    CHECK_EQ(references(device.get()), alone);
}

TEST(com_a_placed_resource_outlives_the_last_reference_to_its_heap) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_UPLOAD));
    const D3D12_RESOURCE_DESC desc = buffer_desc(1024);
    Ref<ID3D12Resource> placed;
    CHECK_OK(device->CreatePlacedResource(heap.get(), 0, &desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                          iid_of<ID3D12Resource>(), placed.void_out()));
    CHECK_EQ(heap.detach()->Release(), 0u);
    const std::vector<uint8_t> bytes = pattern(1024, 1);
    write_buffer(placed.get(), bytes);
    CHECK(read_buffer(placed.get(), 1024) == bytes);
}

TEST(com_views_hold_nothing) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 1024);
    D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 4, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    Ref<ID3D12DescriptorHeap> heap;
    CHECK_OK(device->CreateDescriptorHeap(&desc, iid_of<ID3D12DescriptorHeap>(), heap.void_out()));
    const ULONG before = references(buffer.get());
    const D3D12_CONSTANT_BUFFER_VIEW_DESC view = {buffer->GetGPUVirtualAddress(), 256};
    device->CreateConstantBufferView(&view, heap->GetCPUDescriptorHandleForHeapStart());
    CHECK_EQ(references(buffer.get()), before);
}

TEST(com_private_data) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
    UINT size = 0;
    CHECK_HR(buffer->GetPrivateData(KEY, &size, nullptr), DXGI_ERROR_NOT_FOUND);
    const char text[] = "private";
    CHECK_OK(buffer->SetPrivateData(KEY, sizeof text, text));
    CHECK_OK(buffer->GetPrivateData(KEY, &size, nullptr));
    CHECK_EQ(size, static_cast<UINT>(sizeof text));
    char back[16] = {};
    size = 3;
    CHECK_HR(buffer->GetPrivateData(KEY, &size, back), DXGI_ERROR_MORE_DATA);
    size = sizeof back;
    CHECK_OK(buffer->GetPrivateData(KEY, &size, back));
    CHECK_EQ(size, static_cast<UINT>(sizeof text));
    CHECK(std::strcmp(back, text) == 0);
    size = sizeof back;
    CHECK_HR(buffer->GetPrivateData(OTHER, &size, back), DXGI_ERROR_NOT_FOUND);
    // NULL data removes.
    CHECK_OK(buffer->SetPrivateData(KEY, 0, nullptr));
    size = sizeof back;
    CHECK_HR(buffer->GetPrivateData(KEY, &size, back), DXGI_ERROR_NOT_FOUND);
}

TEST(com_private_interfaces_are_held_and_let_go) {
    Counted counted;
    Ref<ID3D12Device> device = new_device();
    {
        Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
        CHECK_OK(buffer->SetPrivateDataInterface(KEY, &counted));
        CHECK_EQ(counted.count, 2u);
        IUnknown *back = nullptr;
        UINT size = sizeof back;
        CHECK_OK(buffer->GetPrivateData(KEY, &size, &back));
        CHECK(back == &counted);
        CHECK_EQ(counted.count, 3u);
        back->Release();
        CHECK_OK(buffer->SetPrivateDataInterface(OTHER, &counted));
        CHECK_EQ(counted.count, 3u);
        // Other data under the same key lets the first go.
        CHECK_OK(buffer->SetPrivateDataInterface(OTHER, nullptr));
        CHECK_EQ(counted.count, 2u);
    }
    // So does the object's end.
    CHECK_EQ(counted.count, 1u);
}

TEST(com_names_are_private_data) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT));
    CHECK_OK(heap->SetName(L"h\u00F6hle \U0001F5FF"));
    // WKPDID_D3DDebugObjectNameW: the client's own wide characters, which are 4 bytes here.
    constexpr GUID wide = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};
    wchar_t name[32] = {};
    UINT size = sizeof name;
    CHECK_OK(heap->GetPrivateData(wide, &size, name));
    CHECK(std::wstring(name) == L"h\u00F6hle \U0001F5FF");
    CHECK_OK(heap->SetName(nullptr));
}

TEST(com_destruction_notifier) {
    Ref<ID3D12Device> device = new_device();
    int calls = 0;
    {
        Ref<ID3D12Resource> buffer = new_buffer(device.get(), D3D12_HEAP_TYPE_DEFAULT, 64);
        Ref<ID3DDestructionNotifier> notifier;
        // {A06EB39A-50DA-425B-8C31-4EECD6C270F3}
        constexpr GUID id = {0xa06eb39a, 0x50da, 0x425b, {0x8c, 0x31, 0x4e, 0xec, 0xd6, 0xc2, 0x70, 0xf3}};
        CHECK_OK(buffer->QueryInterface(id, notifier.void_out()));
        UINT kept = 0, removed = 0;
        auto count = [](void *data) { ++*static_cast<int *>(data); };
        CHECK_OK(notifier->RegisterDestructionCallback(count, &calls, &kept));
        CHECK_OK(notifier->RegisterDestructionCallback(count, &calls, &removed));
        CHECK(kept != removed);
        CHECK_OK(notifier->UnregisterDestructionCallback(removed));
        CHECK_EQ(calls, 0);
    }
    CHECK_EQ(calls, 1);
}
