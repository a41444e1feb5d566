// Heaps of memory that the program has already (facts/behaviour.md, Lists, queues, fences).
#include "check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr size_t SIZE = 1 << 20;
constexpr HRESULT INVALID_HANDLE = static_cast<HRESULT>(0x80070006);

// Pages at a multiple of 64 KiB, with a page behind them that nobody may touch.
class Pages {
public:
    Pages() {
        void *const all = mmap(nullptr, SIZE + 2 * 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(all != MAP_FAILED);
        base = static_cast<uint8_t *>(all);
        const uintptr_t aligned = (reinterpret_cast<uintptr_t>(base) + 65535) & ~uintptr_t{65535};
        bytes = reinterpret_cast<uint8_t *>(aligned);
        CHECK(mprotect(bytes, SIZE, PROT_READ | PROT_WRITE) == 0);
    }
    ~Pages() { munmap(base, SIZE + 2 * 65536); }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;

    uint8_t *bytes;

private:
    uint8_t *base;
};

Ref<ID3D12Resource> placed(ID3D12Device *device, ID3D12Heap *heap, UINT64 offset, UINT64 width) {
    const D3D12_RESOURCE_DESC desc = buffer_desc(width);
    Ref<ID3D12Resource> buffer;
    CHECK_OK(device->CreatePlacedResource(heap, offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                          iid_of<ID3D12Resource>(), buffer.void_out()));
    return buffer;
}

} // namespace

TEST(existing_heap_from_address) {
    Ref<ID3D12Device3> device = query<ID3D12Device3>(new_device().get());
    D3D12_FEATURE_DATA_EXISTING_HEAPS feature = {};
    CHECK_OK(device->CheckFeatureSupport(D3D12_FEATURE_EXISTING_HEAPS, &feature, sizeof feature));
    CHECK(feature.Supported);
    const ULONG alone = references(device.get());
    Pages pages;
    const std::vector<uint8_t> bytes = pattern(4096, 7);
    std::memcpy(pages.bytes + 65536, bytes.data(), bytes.size());
    {
        Ref<ID3D12Heap> heap;
        CHECK_OK(device->OpenExistingHeapFromAddress(pages.bytes, iid_of<ID3D12Heap>(), heap.void_out()));
        const D3D12_HEAP_DESC desc = heap->GetDesc();
        CHECK_EQ(desc.SizeInBytes, SIZE);
        CHECK_EQ(desc.Properties.Type, D3D12_HEAP_TYPE_CUSTOM);
        CHECK_EQ(desc.Properties.MemoryPoolPreference, D3D12_MEMORY_POOL_L0);
        const D3D12_HEAP_FLAGS shared = D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER;
        CHECK_EQ(desc.Flags & shared, shared);
        // The mapped pointer is the address.
        Ref<ID3D12Resource> from = placed(device.get(), heap.get(), 65536, 4096);
        void *data = nullptr;
        CHECK_OK(from->Map(0, nullptr, &data));
        CHECK(data == pages.bytes + 65536);
        from->Unmap(0, nullptr);
        // The GPU reads and writes the program's bytes.
        Ref<ID3D12Resource> to = placed(device.get(), heap.get(), 131072, 4096);
        Gpu gpu(device.get());
        gpu.run([&](ID3D12GraphicsCommandList *list) { list->CopyBufferRegion(to.get(), 0, from.get(), 0, 4096); });
        CHECK(std::memcmp(pages.bytes + 131072, bytes.data(), 4096) == 0);
        // It is no memory that another process could have.
        HANDLE handle = nullptr;
        CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, GENERIC_ALL, nullptr, &handle), E_INVALIDARG);
    }
    CHECK_EQ(references(device.get()), alone);
    // The memory is still the program's.
    CHECK(std::memcmp(pages.bytes + 65536, bytes.data(), bytes.size()) == 0);
    pages.bytes[SIZE - 1] = 1;
}

TEST(existing_heap_refuses) {
    Ref<ID3D12Device3> device = query<ID3D12Device3>(new_device().get());
    Pages pages;
    void *out = &out;
    for (const void *address : {static_cast<const void *>(nullptr), static_cast<const void *>(pages.bytes + 1),
                                static_cast<const void *>(pages.bytes + 4096), static_cast<const void *>(pages.bytes + SIZE),
                                reinterpret_cast<const void *>(UINTPTR_MAX & ~uintptr_t{65535}), reinterpret_cast<const void *>(uintptr_t{65536})}) {
        CHECK_HR(device->OpenExistingHeapFromAddress(address, iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
        CHECK(out == nullptr);
    }
    // Memory that may not be written.
    CHECK(mprotect(pages.bytes, SIZE, PROT_READ) == 0);
    CHECK_HR(device->OpenExistingHeapFromAddress(pages.bytes, iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
    CHECK(mprotect(pages.bytes, SIZE, PROT_READ | PROT_WRITE) == 0);
    CHECK_HR(device->OpenExistingHeapFromAddress(pages.bytes, iid_of<ID3D12Resource>(), &out), E_NOINTERFACE);
    CHECK_HR(device->OpenExistingHeapFromAddress(pages.bytes, iid_of<ID3D12Heap>(), nullptr), S_FALSE);
    CHECK_HR(device->OpenExistingHeapFromFileMapping(nullptr, iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
    CHECK_HR(device->OpenExistingHeapFromFileMapping(reinterpret_cast<HANDLE>(intptr_t{-1}), iid_of<ID3D12Heap>(), &out), INVALID_HANDLE);
    int ends[2];
    CHECK(pipe(ends) == 0);
    const int odd = memfd_create("odd", MFD_CLOEXEC | MFD_ALLOW_SEALING), unsealable = memfd_create("unsealable", MFD_CLOEXEC);
    CHECK(ftruncate(odd, 65535) == 0 && ftruncate(unsealable, 65536) == 0);
    for (const int file : {ends[0], odd, unsealable}) {
        CHECK_HR(device->OpenExistingHeapFromFileMapping(reinterpret_cast<HANDLE>(intptr_t{file}), iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
    }
    for (const int file : {ends[0], ends[1], odd, unsealable}) close(file);
}

TEST(existing_heap_from_file_mapping) {
    Ref<ID3D12Device3> device = query<ID3D12Device3>(new_device().get());
    const int file = memfd_create("mapping", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(ftruncate(file, SIZE) == 0);
    const std::vector<uint8_t> bytes = pattern(4096, 9);
    CHECK(pwrite(file, bytes.data(), bytes.size(), 65536) == 4096);
    Ref<ID3D12Heap> heap;
    CHECK_OK(device->OpenExistingHeapFromFileMapping(reinterpret_cast<HANDLE>(intptr_t{file}), iid_of<ID3D12Heap>(), heap.void_out()));
    CHECK_EQ(heap->GetDesc().SizeInBytes, SIZE);
    // It cannot be cut off under the GPU.
    CHECK(ftruncate(file, 0) != 0);
    Ref<ID3D12Resource> from = placed(device.get(), heap.get(), 65536, 4096), to = placed(device.get(), heap.get(), 0, 4096);
    Gpu gpu(device.get());
    gpu.run([&](ID3D12GraphicsCommandList *list) { list->CopyBufferRegion(to.get(), 0, from.get(), 0, 4096); });
    std::vector<uint8_t> read(4096);
    CHECK(pread(file, read.data(), read.size(), 0) == 4096);
    CHECK(read == bytes);
    close(file);
}
