// Heaps, committed resources and fences that two processes share; one of them dies at any point.
#include "check.h"

#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr DWORD ACCESS = GENERIC_ALL;
constexpr HRESULT FILE_NOT_FOUND = static_cast<HRESULT>(0x80070002);

std::wstring name_of(const char *what) {
    const std::string text = std::string("heapstone-test-") + std::to_string(getpid()) + "-" + what;
    return std::wstring(text.begin(), text.end());
}

void close_handle(HANDLE handle) { close(static_cast<int>(reinterpret_cast<intptr_t>(handle))); }

// Runs `run` in a process of its own, which has no device yet, and answers its process number.
pid_t in_another_process(const std::function<void()> &run) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child != 0) return child;
    int code = 0;
    try {
        run();
    } catch (const check::Failure &failure) {
        std::printf("  in the other process: %s\n", failure.text.c_str());
        std::fflush(stdout);
        code = 1;
    }
    _exit(code);
}

void check_ended_well(pid_t child) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

HANDLE share(ID3D12Device *device, ID3D12DeviceChild *object, const wchar_t *name = nullptr) {
    HANDLE handle = nullptr;
    CHECK_OK(device->CreateSharedHandle(object, nullptr, ACCESS, name, &handle));
    CHECK(handle != nullptr);
    return handle;
}

template <typename T>
Ref<T> open_name(ID3D12Device *device, const std::wstring &name) {
    HANDLE handle = nullptr;
    CHECK_OK(device->OpenSharedHandleByName(name.c_str(), ACCESS, &handle));
    Ref<T> object;
    CHECK_OK(device->OpenSharedHandle(handle, iid_of<T>(), object.void_out()));
    close_handle(handle);
    return object;
}

Ref<ID3D12Heap> shared_heap(ID3D12Device *device) {
    return new_heap(device, heap_desc(65536, D3D12_HEAP_TYPE_UPLOAD,
                                      D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS));
}

Ref<ID3D12Resource> whole_of(ID3D12Device *device, ID3D12Heap *heap) {
    const D3D12_RESOURCE_DESC desc = buffer_desc(65536);
    Ref<ID3D12Resource> buffer;
    CHECK_OK(device->CreatePlacedResource(heap, 0, &desc, D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                          iid_of<ID3D12Resource>(), buffer.void_out()));
    return buffer;
}

Ref<ID3D12Fence> shared_fence(ID3D12Device *device, UINT64 value) {
    Ref<ID3D12Fence> fence;
    CHECK_OK(device->CreateFence(value, D3D12_FENCE_FLAG_SHARED, iid_of<ID3D12Fence>(), fence.void_out()));
    return fence;
}

// Waits until the other process has come to a point; a byte for each.
class Turns {
public:
    Turns() { CHECK(pipe2(ends, O_CLOEXEC) == 0); }
    ~Turns() {
        close(ends[0]);
        close(ends[1]);
    }
    void tell() const { CHECK(write(ends[1], "x", 1) == 1); }
    void wait() const {
        char byte;
        CHECK(read(ends[0], &byte, 1) == 1);
    }

private:
    int ends[2];
};

} // namespace

TEST(sharing_a_heap_and_a_resource) {
    const std::wstring heap_name = name_of("heap"), buffer_name = L"Global\\" + name_of("buffer");
    Turns made, written;
    // Forked first, so that the child is another process without a device.
    const pid_t child = in_another_process([&] {
        Ref<ID3D12Device> device = new_device();
        Ref<ID3D12Heap> heap = shared_heap(device.get());
        Ref<ID3D12Resource> in_heap = whole_of(device.get(), heap.get());
        write_buffer(in_heap.get(), pattern(65536, 1));
        const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_READBACK);
        const D3D12_RESOURCE_DESC desc = buffer_desc(5000);
        Ref<ID3D12Resource> buffer;
        CHECK_OK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_SHARED, &desc,
                                                 D3D12_RESOURCE_STATE_COPY_DEST, nullptr, iid_of<ID3D12Resource>(),
                                                 buffer.void_out()));
        const HANDLE a = share(device.get(), heap.get(), heap_name.c_str());
        const HANDLE b = share(device.get(), buffer.get(), buffer_name.c_str());
        HANDLE again = nullptr;
        CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, ACCESS, heap_name.c_str(), &again),
                 DXGI_ERROR_NAME_ALREADY_EXISTS_);
        made.tell();
        written.wait();
        CHECK(read_buffer(buffer.get(), 5000) == pattern(5000, 2));
        close_handle(a);
        close_handle(b);
    });
    made.wait();
    {
        Ref<ID3D12Device> device = new_device();
        Ref<ID3D12Heap> heap = open_name<ID3D12Heap>(device.get(), heap_name);
        CHECK_EQ(heap->GetDesc().SizeInBytes, 65536u);
        CHECK_EQ(heap->GetDesc().Properties.Type, D3D12_HEAP_TYPE_UPLOAD);
        Ref<ID3D12Resource> in_heap = whole_of(device.get(), heap.get());
        CHECK(read_buffer(in_heap.get(), 65536) == pattern(65536, 1));
        Ref<ID3D12Resource> buffer = open_name<ID3D12Resource>(device.get(), name_of("buffer"));
        CHECK_EQ(buffer->GetDesc().Width, 5000u);
        write_buffer(buffer.get(), pattern(5000, 2));
        written.tell();
        check_ended_well(child);
        // Who made them is gone; what is open here stays, and the names are gone.
        CHECK(read_buffer(in_heap.get(), 65536) == pattern(65536, 1));
        HANDLE handle = nullptr;
        CHECK_HR(device->OpenSharedHandleByName(heap_name.c_str(), ACCESS, &handle), FILE_NOT_FOUND);
        CHECK(handle == nullptr);
    }
}

TEST(sharing_a_fence) {
    const std::wstring name = name_of("fence");
    Turns made;
    const pid_t child = in_another_process([&] {
        Ref<ID3D12Device> device = new_device();
        Ref<ID3D12Fence> fence = shared_fence(device.get(), 5);
        const HANDLE handle = share(device.get(), fence.get(), name.c_str());
        made.tell();
        // The other process signals by its CPU, and this one waits for it; then a queue here, and there a queue waits.
        CHECK_OK(fence->SetEventOnCompletion(6, nullptr));
        Gpu gpu(device.get());
        CHECK_OK(gpu.queue->Signal(fence.get(), 7));
        CHECK_OK(fence->SetEventOnCompletion(8, nullptr));
        CHECK_EQ(fence->GetCompletedValue(), 8u);
        close_handle(handle);
    });
    made.wait();
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Fence> fence = open_name<ID3D12Fence>(device.get(), name);
    CHECK_EQ(fence->GetCompletedValue(), 5u);
    Gpu gpu(device.get());
    CHECK_OK(gpu.queue->Wait(fence.get(), 7));
    CHECK_OK(gpu.queue->Signal(gpu.fence.get(), 1));
    EventFd event;
    CHECK_OK(fence->SetEventOnCompletion(7, event.handle()));
    CHECK(!event.wait(0));
    CHECK_OK(fence->Signal(6));
    CHECK(event.wait(10000));
    CHECK_OK(gpu.fence->SetEventOnCompletion(1, nullptr));
    CHECK_OK(fence->Signal(8));
    check_ended_well(child);
}

TEST(sharing_survives_a_process_that_is_killed) {
    // At twenty points of what the other process does in a loop.
    for (int round = 0; round < 20; ++round) {
        const std::wstring heap_name = name_of("killed-heap"), fence_name = name_of("killed-fence");
        Turns made;
        const pid_t child = in_another_process([&] {
            Ref<ID3D12Device> device = new_device();
            Ref<ID3D12Heap> heap = shared_heap(device.get());
            Ref<ID3D12Fence> fence = shared_fence(device.get(), 0);
            share(device.get(), heap.get(), heap_name.c_str());
            share(device.get(), fence.get(), fence_name.c_str());
            Ref<ID3D12Resource> buffer = whole_of(device.get(), heap.get());
            made.tell();
            for (UINT64 value = 1;; ++value) {
                write_buffer(buffer.get(), std::vector<uint8_t>(65536, static_cast<uint8_t>(value)));
                fence->Signal(value);
            }
        });
        made.wait();
        Ref<ID3D12Device> device = new_device();
        Ref<ID3D12Heap> heap = open_name<ID3D12Heap>(device.get(), heap_name);
        Ref<ID3D12Fence> fence = open_name<ID3D12Fence>(device.get(), fence_name);
        usleep(static_cast<useconds_t>(500 * round));
        CHECK(kill(child, SIGKILL) == 0);
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        // The survivor goes on: memory, fence and device are whole.
        Ref<ID3D12Resource> buffer = whole_of(device.get(), heap.get());
        write_buffer(buffer.get(), pattern(65536, 3));
        CHECK(read_buffer(buffer.get(), 65536) == pattern(65536, 3));
        const UINT64 next = fence->GetCompletedValue() + 1;
        CHECK_OK(fence->Signal(next));
        CHECK_EQ(fence->GetCompletedValue(), next);
        CHECK_OK(fence->SetEventOnCompletion(next, nullptr));
        CHECK_OK(device->GetDeviceRemovedReason());
        // The names are free again.
        const HANDLE handle = share(device.get(), heap.get(), heap_name.c_str());
        close_handle(handle);
    }
}

TEST(sharing_refusals) {
    Ref<ID3D12Device> device = new_device();
    HANDLE handle = nullptr;
    Ref<ID3D12Heap> plain = new_heap(device.get(), heap_desc(65536, D3D12_HEAP_TYPE_DEFAULT));
    CHECK_HR(device->CreateSharedHandle(plain.get(), nullptr, ACCESS, nullptr, &handle), E_INVALIDARG);
    Ref<ID3D12Heap> heap = shared_heap(device.get());
    CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, 0x80000000, nullptr, &handle), E_INVALIDARG);
    CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, ACCESS, nullptr, nullptr), E_INVALIDARG);
    CHECK_HR(device->CreateSharedHandle(nullptr, nullptr, ACCESS, nullptr, &handle), E_INVALIDARG);
    Ref<ID3D12Resource> placed = whole_of(device.get(), heap.get());
    CHECK_HR(device->CreateSharedHandle(placed.get(), nullptr, ACCESS, nullptr, &handle), E_INVALIDARG);
    Gpu gpu(device.get());
    CHECK_HR(device->CreateSharedHandle(gpu.fence.get(), nullptr, ACCESS, nullptr, &handle), E_INVALIDARG);
    CHECK_HR(device->CreateSharedHandle(gpu.queue.get(), nullptr, ACCESS, nullptr, &handle), E_INVALIDARG);
    CHECK_HR(device->CreateSharedHandle(heap.get(), nullptr, ACCESS, L"", &handle), E_INVALIDARG);
    CHECK(handle == nullptr);

    void *out = nullptr;
    CHECK_HR(device->OpenSharedHandle(reinterpret_cast<HANDLE>(9999), iid_of<ID3D12Heap>(), &out), E_HANDLE);
    handle = share(device.get(), heap.get());
    CHECK_HR(device->OpenSharedHandle(handle, iid_of<ID3D12Resource>(), &out), E_NOINTERFACE);
    CHECK(out == nullptr);
    close_handle(handle);
    CHECK_HR(device->OpenSharedHandleByName(name_of("nothing").c_str(), ACCESS, &handle), FILE_NOT_FOUND);
    CHECK_HR(device->OpenSharedHandleByName(nullptr, ACCESS, &handle), E_INVALIDARG);
}

TEST(sharing_hostile_descriptions) {
    Ref<ID3D12Device> device = new_device();
    Ref<ID3D12Heap> heap = shared_heap(device.get());
    const ULONG alone = references(device.get());
    // Files that are no shared handles: not in memory, not sealed, empty, without a description.
    EventFd event;
    void *out = nullptr;
    CHECK_HR(device->OpenSharedHandle(event.handle(), iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
    for (const off_t size : {0, 4096, 69632}) {
        const int file = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        CHECK(ftruncate(file, size) == 0);
        const HANDLE handle = reinterpret_cast<HANDLE>(static_cast<intptr_t>(file));
        CHECK_HR(device->OpenSharedHandle(handle, iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
        CHECK(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
        CHECK_HR(device->OpenSharedHandle(handle, iid_of<ID3D12Heap>(), &out), E_INVALIDARG);
        close(file);
    }
    // A true description with each of its words overwritten: refused, or a heap that fits the file.
    const HANDLE handle = share(device.get(), heap.get());
    const int file = static_cast<int>(reinterpret_cast<intptr_t>(handle));
    for (off_t word = 0; word < 24; ++word) {
        const off_t place = 65536 + word * 8;
        uint64_t before = 0;
        CHECK(pread(file, &before, 8, place) == 8);
        for (const uint64_t value : {uint64_t(0), uint64_t(2), uint64_t(1) << 32, uint64_t(1) << 63, UINT64_MAX}) {
            CHECK(pwrite(file, &value, 8, place) == 8);
            Ref<IUnknown> opened;
            const HRESULT result = device->OpenSharedHandle(handle, iid_of<ID3D12Heap>(), opened.void_out());
            CHECK(result == S_OK || result == E_INVALIDARG || result == E_OUTOFMEMORY || result == E_NOINTERFACE);
        }
        CHECK(pwrite(file, &before, 8, place) == 8);
    }
    Ref<ID3D12Heap> again;
    CHECK_OK(device->OpenSharedHandle(handle, iid_of<ID3D12Heap>(), again.void_out()));
    close_handle(handle);
    again.reset();
    CHECK_EQ(references(device.get()), alone);
    CHECK_OK(device->GetDeviceRemovedReason());
}
