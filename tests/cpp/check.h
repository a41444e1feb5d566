// What the conformance program's files share: the headers, a test and its checks, a reference that counts.
#pragma once

#include <wsl/winadapter.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/dxcore.h>
#include <dxguids/dxguids.h>

#include "dxgi1_4.h"
#include "heapstone.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// Result codes that the headers lack (facts of the Windows SDK).
constexpr HRESULT DXGI_ERROR_ALREADY_EXISTS_ = static_cast<HRESULT>(0x887A0036);
constexpr HRESULT DXGI_ERROR_NAME_ALREADY_EXISTS_ = static_cast<HRESULT>(0x887A002C);

namespace check {

struct Test {
    const char *name;
    void (*run)();
};

std::vector<Test> &tests();

struct Register {
    Register(const char *name, void (*run)()) { tests().push_back({name, run}); }
};

// A failed check; the test ends with it.
struct Failure {
    std::string text;
};

[[noreturn]] void fail(const char *file, int line, const std::string &text);
std::string hex(HRESULT result);

template <typename A, typename B>
void equal(const char *file, int line, const char *text, const A &given, const B &expected) {
    if (given == expected) return;
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        fail(file, line, std::string(text) + ": " + std::to_string(given) + " is not " + std::to_string(expected));
    } else {
        fail(file, line, text);
    }
}

void result(const char *file, int line, const char *text, HRESULT given, HRESULT expected);

} // namespace check

// A test, which runs in a process of many tests and must leave nothing behind.
#define TEST(name)                                                                                                     \
    static void name();                                                                                                \
    static const check::Register register_##name{#name, name};                                                         \
    static void name()

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) check::fail(__FILE__, __LINE__, #condition);                                                 \
    } while (false)
// Two values that must be the same.
#define CHECK_EQ(given, expected) check::equal(__FILE__, __LINE__, #given, given, expected)
// A call and its exact result code.
#define CHECK_HR(call, expected) check::result(__FILE__, __LINE__, #call, call, expected)
#define CHECK_OK(call) CHECK_HR(call, S_OK)

// Owns one reference.
template <typename T>
class Ref {
public:
    Ref() = default;
    Ref(Ref &&other) noexcept : pointer(std::exchange(other.pointer, nullptr)) {}
    Ref(const Ref &other) : pointer(other.pointer) {
        if (pointer) pointer->AddRef();
    }
    Ref &operator=(Ref other) noexcept {
        std::swap(pointer, other.pointer);
        return *this;
    }
    ~Ref() { reset(); }
    void reset() {
        if (T *old = std::exchange(pointer, nullptr)) old->Release();
    }
    T *get() const { return pointer; }
    // The reference without its owner.
    T *detach() { return std::exchange(pointer, nullptr); }
    T *operator->() const { return pointer; }
    // For an output parameter; what was held is released.
    T **out() {
        reset();
        return &pointer;
    }
    void **void_out() { return reinterpret_cast<void **>(out()); }
    explicit operator bool() const { return pointer != nullptr; }

private:
    T *pointer = nullptr;
};

template <typename T>
IID iid_of() {
    return __uuidof(T);
}

template <typename To, typename From>
Ref<To> query(From *from) {
    Ref<To> to;
    CHECK_OK(from->QueryInterface(iid_of<To>(), to.void_out()));
    return to;
}

// The reference count, as a debugger looks at it.
inline ULONG references(IUnknown *object) {
    object->AddRef();
    return object->Release();
}

// Descriptions.
D3D12_HEAP_PROPERTIES heap_properties(D3D12_HEAP_TYPE type);
D3D12_RESOURCE_DESC buffer_desc(UINT64 width, D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE);
D3D12_RESOURCE_DESC texture_desc(UINT64 width, UINT height, DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                 D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE);
D3D12_RESOURCE_DESC1 desc1(const D3D12_RESOURCE_DESC &desc);
D3D12_HEAP_DESC heap_desc(UINT64 size, D3D12_HEAP_TYPE type,
                          D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_ALLOW_ALL_BUFFERS_AND_TEXTURES);

// Objects. A device is one of the default adapter.
Ref<ID3D12Device> new_device();
Ref<ID3D12Heap> new_heap(ID3D12Device *device, const D3D12_HEAP_DESC &desc);
Ref<ID3D12Resource> new_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 width);
Ref<ID3D12Resource> new_texture(ID3D12Device *device, const D3D12_RESOURCE_DESC &desc,
                                D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COPY_DEST);

// Devices are chosen when a process first asks for one. Runs the test again in a process of its own, with that variable in its
// environment, and fails where it fails there; `errors` gets what it writes to standard error. True in that process.
bool alone(const char *test, const char *variable, const char *value, std::string *errors = nullptr);

// The whole of a buffer on a heap that the CPU sees.
void write_buffer(ID3D12Resource *buffer, const std::vector<uint8_t> &bytes);
std::vector<uint8_t> read_buffer(ID3D12Resource *buffer, size_t size);
std::vector<uint8_t> pattern(size_t size, uint8_t seed);

// An eventfd, as the headers' convention has events.
class EventFd {
public:
    EventFd();
    ~EventFd();
    EventFd(const EventFd &) = delete;
    EventFd &operator=(const EventFd &) = delete;
    HANDLE handle() const;
    // Whether it is set within the time; resets it.
    bool wait(int milliseconds) const;

private:
    int descriptor;
};

// A queue with an allocator, a list and a fence.
class Gpu {
public:
    explicit Gpu(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_DIRECT);
    // Records, closes, executes and waits for the end.
    void run(const std::function<void(ID3D12GraphicsCommandList *)> &record);
    void barrier(ID3D12Resource *resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after);

    Ref<ID3D12CommandQueue> queue;
    Ref<ID3D12CommandAllocator> allocator;
    Ref<ID3D12GraphicsCommandList> list;
    Ref<ID3D12Fence> fence;
    UINT64 value = 0;
};
