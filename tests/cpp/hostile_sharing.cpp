// Handles and descriptions from a hostile process: whatever a file says, it is refused or opened, and nothing else happens.
#include "check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr DWORD ACCESS = GENERIC_ALL;
constexpr HRESULT FILE_NOT_FOUND = static_cast<HRESULT>(0x80070002);
constexpr HRESULT INVALID_HANDLE = static_cast<HRESULT>(0x80070006);
constexpr size_t WORDS = 512;

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(file)); }
int file_of(HANDLE handle) { return static_cast<int>(reinterpret_cast<intptr_t>(handle)); }

HRESULT open_any(ID3D12Device *device, HANDLE handle) {
    Ref<ID3D12DeviceChild> object;
    return device->OpenSharedHandle(handle, iid_of<ID3D12DeviceChild>(), object.void_out());
}

// A file as the library makes them, with these words in its last page.
int forge(off_t size, const uint64_t *words, int seals) {
    const int file = memfd_create("heapstone heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(file >= 0);
    CHECK(ftruncate(file, size) == 0);
    if (words) CHECK(pwrite(file, words, WORDS * 8, size - static_cast<off_t>(WORDS * 8)) == static_cast<ssize_t>(WORDS * 8));
    CHECK(fcntl(file, F_ADD_SEALS, seals) == 0);
    return file;
}

constexpr int ALL_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

void attack(ID3D12Device *device, ID3D12DeviceChild *object, size_t fields) {
    HANDLE handle = nullptr;
    CHECK_OK(device->CreateSharedHandle(object, nullptr, ACCESS, nullptr, &handle));
    struct stat status;
    CHECK(fstat(file_of(handle), &status) == 0);
    uint64_t words[WORDS];
    CHECK(pread(file_of(handle), words, sizeof words, status.st_size - static_cast<off_t>(sizeof words)) ==
          static_cast<ssize_t>(sizeof words));
    close(file_of(handle));
    // As it was: opened, or it would be refused for another reason below.
    int file = forge(status.st_size, words, ALL_SEALS);
    CHECK_OK(open_any(device, handle_of(file)));
    close(file);
    // Sizes that can change, and other sizes.
    file = forge(status.st_size, words, F_SEAL_SHRINK);
    CHECK_HR(open_any(device, handle_of(file)), E_INVALIDARG);
    close(file);
    file = forge(status.st_size + 4096 * 64, words, ALL_SEALS);
    CHECK(FAILED(open_any(device, handle_of(file))));
    close(file);
    // Each word at the edges of what it may be.
    const uint64_t edges[] = {0, 1, 2, 3, 6, 0xFF, 0xFFFF, 0x10000, UINT32_MAX, 1ull << 32, 1ull << 62, 1ull << 63, UINT64_MAX};
    for (size_t place = 0; place < fields; ++place) {
        for (const uint64_t edge : edges) {
            const uint64_t kept = std::exchange(words[place], edge);
            file = forge(status.st_size, words, ALL_SEALS);
            open_any(device, handle_of(file));
            close(file);
            words[place] = kept;
        }
    }
    CHECK_OK(device->GetDeviceRemovedReason());
}

} // namespace

TEST(hostile_handles_that_are_no_shared_files) {
    Ref<ID3D12Device> device = new_device();
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC), folder = open("/", O_RDONLY | O_CLOEXEC);
    const int empty = forge(0, nullptr, ALL_SEALS), blank = forge(65536 + 4096, nullptr, ALL_SEALS);
    const int huge = memfd_create("heapstone heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(ftruncate(huge, INT64_MAX / 2) == 0 && fcntl(huge, F_ADD_SEALS, ALL_SEALS) == 0);
    for (const int file : {ends[0], ends[1], null, folder, empty, blank, huge}) {
        CHECK_HR(open_any(device.get(), handle_of(file)), E_INVALIDARG);
        close(file);
        CHECK_HR(open_any(device.get(), handle_of(file)), INVALID_HANDLE); // closed
    }
    for (const intptr_t number : {intptr_t{-1}, intptr_t{INT32_MAX}, intptr_t{1} << 32, INTPTR_MIN}) {
        CHECK_HR(open_any(device.get(), reinterpret_cast<HANDLE>(number)), INVALID_HANDLE);
    }
}

TEST(hostile_descriptions_of_a_heap) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_UPLOAD,
                                    D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
    attack(device.get(), heap.get(), 24);
}

TEST(hostile_descriptions_of_a_resource) {
    Ref<ID3D12Device> device = new_device();
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    const D3D12_RESOURCE_DESC desc = texture_desc(64, 64, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    D3D12_CLEAR_VALUE clear = {};
    clear.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    Ref<ID3D12Resource> texture;
    CHECK_OK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_SHARED, &desc, D3D12_RESOURCE_STATE_COMMON,
                                             &clear, iid_of<ID3D12Resource>(), texture.void_out()));
    attack(device.get(), texture.get(), 44);
}

TEST(hostile_descriptions_of_a_fence) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Fence> fence;
    CHECK_OK(device->CreateFence(7, D3D12_FENCE_FLAG_SHARED, iid_of<ID3D12Fence>(), fence.void_out()));
    attack(device.get(), fence.get(), 16);
}

// Names are names, whatever they would be as paths.
TEST(hostile_names) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_UPLOAD,
                                    D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
    std::wstring surrogate(1, static_cast<wchar_t>(0xD800)), beyond(1, static_cast<wchar_t>(0x7FFFFFFF));
    for (const std::wstring &what : {std::wstring(L"/"), std::wstring(L"."), std::wstring(L".."), std::wstring(L"../../outside/x"),
                                     std::wstring(L"a/b\\c"), std::wstring(L"%2e%2e"), std::wstring(L"\n\t "), surrogate, beyond}) {
        const std::wstring name = what + std::to_wstring(getpid());
        const std::wstring exact = what.size() <= 2 ? what : name;
        HANDLE handle = nullptr, found = nullptr;
        CHECK_OK(device->CreateSharedHandle(heap.get(), nullptr, ACCESS, exact.c_str(), &handle));
        CHECK_OK(device->OpenSharedHandleByName(exact.c_str(), ACCESS, &found));
        CHECK_OK(open_any(device.get(), found));
        close(file_of(found));
        close(file_of(handle));
        CHECK_HR(device->OpenSharedHandleByName(exact.c_str(), ACCESS, &found), FILE_NOT_FOUND);
        CHECK(found == nullptr);
    }
    HANDLE handle = handle_of(5);
    for (const std::wstring &name : {std::wstring(), std::wstring(L"Global\\"), std::wstring(256, L'n'), std::wstring(100000, L'/')}) {
        CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, ACCESS, name.c_str(), &handle), E_INVALIDARG);
        CHECK(handle == nullptr);
        CHECK_HR(device->OpenSharedHandleByName(name.c_str(), ACCESS, &handle), E_INVALIDARG);
    }
    CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, GENERIC_ALL | 1, L"read", &handle), E_INVALIDARG);
    CHECK_HR(device->CreateSharedHandle(nullptr, nullptr, ACCESS, L"nothing", &handle), E_INVALIDARG);
    CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, ACCESS, L"nowhere", nullptr), E_INVALIDARG);
    CHECK_HR(device->OpenSharedHandleByName(nullptr, ACCESS, &handle), E_INVALIDARG);
}
