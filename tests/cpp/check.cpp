// The tests' main function and what they share.
#include "check.h"

#include <poll.h>
#include <cstdlib>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace check {

std::vector<Test> &tests() {
    static std::vector<Test> all;
    return all;
}

void fail(const char *file, int line, const std::string &text) {
    const char *slash = std::strrchr(file, '/');
    throw Failure{std::string(slash ? slash + 1 : file) + ":" + std::to_string(line) + ": " + text};
}

std::string hex(HRESULT result) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08X", static_cast<unsigned>(result));
    return text;
}

void result(const char *file, int line, const char *text, HRESULT given, HRESULT expected) {
    if (given != expected) fail(file, line, std::string(text) + ": " + hex(given) + " is not " + hex(expected));
}

} // namespace check

// Arguments: parts of names of the tests to run; none: all.
int main(int argc, char **argv) {
    int ran = 0, failed = 0;
    for (const check::Test &test : check::tests()) {
        bool wanted = argc == 1;
        for (int i = 1; i < argc; ++i) wanted = wanted || std::strstr(test.name, argv[i]);
        if (!wanted) continue;
        ++ran;
        try {
            test.run();
        } catch (const check::Failure &failure) {
            ++failed;
            std::printf("FAILED %s\n  %s\n", test.name, failure.text.c_str());
        }
    }
    std::printf("%d tests, %d failed\n", ran, failed);
    return failed != 0 || ran == 0;
}

D3D12_HEAP_PROPERTIES heap_properties(D3D12_HEAP_TYPE type) {
    D3D12_HEAP_PROPERTIES properties = {};
    properties.Type = type;
    properties.CreationNodeMask = 1;
    properties.VisibleNodeMask = 1;
    return properties;
}

D3D12_RESOURCE_DESC buffer_desc(UINT64 width, D3D12_RESOURCE_FLAGS flags) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = width;
    desc.Height = 1;
    desc.DepthOrArraySize = 1;
    desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    desc.Flags = flags;
    return desc;
}

D3D12_RESOURCE_DESC texture_desc(UINT64 width, UINT height, DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
    desc.Width = width;
    desc.Height = height;
    desc.DepthOrArraySize = 1;
    desc.MipLevels = 1;
    desc.Format = format;
    desc.SampleDesc.Count = 1;
    desc.Flags = flags;
    return desc;
}

D3D12_RESOURCE_DESC1 desc1(const D3D12_RESOURCE_DESC &desc) {
    D3D12_RESOURCE_DESC1 with = {};
    with.Dimension = desc.Dimension;
    with.Alignment = desc.Alignment;
    with.Width = desc.Width;
    with.Height = desc.Height;
    with.DepthOrArraySize = desc.DepthOrArraySize;
    with.MipLevels = desc.MipLevels;
    with.Format = desc.Format;
    with.SampleDesc = desc.SampleDesc;
    with.Layout = desc.Layout;
    with.Flags = desc.Flags;
    return with;
}

D3D12_HEAP_DESC heap_desc(UINT64 size, D3D12_HEAP_TYPE type, D3D12_HEAP_FLAGS flags) {
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = size;
    desc.Properties = heap_properties(type);
    desc.Flags = flags;
    return desc;
}

Ref<ID3D12Device> new_device() {
    Ref<ID3D12Device> device;
    CHECK_OK(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, iid_of<ID3D12Device>(), device.void_out()));
    CHECK(device);
    return device;
}

Ref<ID3D12Heap> new_heap(ID3D12Device *device, const D3D12_HEAP_DESC &desc) {
    Ref<ID3D12Heap> heap;
    CHECK_OK(device->CreateHeap(&desc, iid_of<ID3D12Heap>(), heap.void_out()));
    return heap;
}

static D3D12_RESOURCE_STATES first_state(D3D12_HEAP_TYPE type) {
    switch (type) {
    case D3D12_HEAP_TYPE_UPLOAD: return D3D12_RESOURCE_STATE_GENERIC_READ;
    case D3D12_HEAP_TYPE_READBACK: return D3D12_RESOURCE_STATE_COPY_DEST;
    default: return D3D12_RESOURCE_STATE_COMMON;
    }
}

Ref<ID3D12Resource> new_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 width) {
    const D3D12_HEAP_PROPERTIES properties = heap_properties(type);
    const D3D12_RESOURCE_DESC desc = buffer_desc(width);
    Ref<ID3D12Resource> buffer;
    CHECK_OK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, first_state(type), nullptr,
                                             iid_of<ID3D12Resource>(), buffer.void_out()));
    return buffer;
}

Ref<ID3D12Resource> new_texture(ID3D12Device *device, const D3D12_RESOURCE_DESC &desc, D3D12_RESOURCE_STATES state) {
    const D3D12_HEAP_PROPERTIES properties = heap_properties(D3D12_HEAP_TYPE_DEFAULT);
    Ref<ID3D12Resource> texture;
    CHECK_OK(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                             iid_of<ID3D12Resource>(), texture.void_out()));
    return texture;
}

bool alone(const char *test, const char *variable, const char *value, std::string *errors) {
    const char *const mark = std::getenv("CONFORMANCE_ALONE");
    if (mark && std::strcmp(mark, test) == 0) return true;
    int ends[2];
    CHECK(pipe(ends) == 0);
    std::fflush(stdout);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        setenv("CONFORMANCE_ALONE", test, 1);
        setenv(variable, value, 1);
        if (errors) dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/proc/self/exe", "conformance", test, nullptr);
        _exit(99);
    }
    close(ends[1]);
    char text[4096];
    for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;) {
        if (errors) errors->append(text, static_cast<size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    return false;
}

void write_buffer(ID3D12Resource *buffer, const std::vector<uint8_t> &bytes) {
    const D3D12_RANGE nothing = {0, 0};
    void *data = nullptr;
    CHECK_OK(buffer->Map(0, &nothing, &data));
    std::memcpy(data, bytes.data(), bytes.size());
    buffer->Unmap(0, nullptr);
}

std::vector<uint8_t> read_buffer(ID3D12Resource *buffer, size_t size) {
    const D3D12_RANGE nothing = {0, 0};
    void *data = nullptr;
    CHECK_OK(buffer->Map(0, nullptr, &data));
    const uint8_t *first = static_cast<const uint8_t *>(data);
    std::vector<uint8_t> bytes(first, first + size);
    buffer->Unmap(0, &nothing);
    return bytes;
}

std::vector<uint8_t> pattern(size_t size, uint8_t seed) {
    std::vector<uint8_t> bytes(size);
    uint32_t state = 0x9E3779B9u ^ seed;
    for (uint8_t &byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<uint8_t>(state >> 24);
    }
    return bytes;
}

EventFd::EventFd() : descriptor(eventfd(0, EFD_CLOEXEC)) { CHECK(descriptor > 0); }
EventFd::~EventFd() { close(descriptor); }
HANDLE EventFd::handle() const { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor)); }

bool EventFd::wait(int milliseconds) const {
    pollfd poll_of = {descriptor, POLLIN, 0};
    if (poll(&poll_of, 1, milliseconds) != 1) return false;
    uint64_t count = 0;
    return read(descriptor, &count, sizeof count) == sizeof count && count > 0;
}

Gpu::Gpu(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type) {
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = type;
    CHECK_OK(device->CreateCommandQueue(&desc, iid_of<ID3D12CommandQueue>(), queue.void_out()));
    CHECK_OK(device->CreateCommandAllocator(type, iid_of<ID3D12CommandAllocator>(), allocator.void_out()));
    CHECK_OK(device->CreateCommandList(0, type, allocator.get(), nullptr, iid_of<ID3D12GraphicsCommandList>(),
                                       list.void_out()));
    CHECK_OK(list->Close());
    CHECK_OK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), fence.void_out()));
}

void Gpu::run(const std::function<void(ID3D12GraphicsCommandList *)> &record) {
    CHECK_OK(allocator->Reset());
    CHECK_OK(list->Reset(allocator.get(), nullptr));
    record(list.get());
    CHECK_OK(list->Close());
    ID3D12CommandList *lists[] = {list.get()};
    queue->ExecuteCommandLists(1, lists);
    CHECK_OK(queue->Signal(fence.get(), ++value));
    CHECK_OK(fence->SetEventOnCompletion(value, nullptr));
    CHECK(fence->GetCompletedValue() >= value);
}

void Gpu::barrier(ID3D12Resource *resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
    list->ResourceBarrier(1, &barrier);
}
