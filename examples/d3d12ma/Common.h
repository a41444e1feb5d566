// What D3D12 Memory Allocator's tests take from their own header of this name, which is for Windows: checks, smart pointers, random
// numbers, and calls of MSVC's library.
#pragma once

#include <combaseapi.h>
#include <directx/d3d12.h>
#include <dxguids/dxguids.h>
#include <dxgi1_4.h>
#include <wsl/wrladapter.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cwchar>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Microsoft::WRL::ComPtr;

using Clock = std::chrono::high_resolution_clock;
using time_point = Clock::time_point;
using duration = Clock::duration;

// A check that fails says where, and ends the tests.
#define HEAPSTONE_TEXT_(x) #x
#define HEAPSTONE_TEXT(x) HEAPSTONE_TEXT_(x)
#define HEAPSTONE_CHECK(holds, text)                                                                                   \
    do {                                                                                                               \
        if (!(holds)) throw std::runtime_error(__FILE__ ":" HEAPSTONE_TEXT(__LINE__) ": " text);                       \
    } while (false)
#define CHECK_BOOL(condition) HEAPSTONE_CHECK(condition, #condition)
#define CHECK_HR(call) HEAPSTONE_CHECK(SUCCEEDED(call), #call)

const uint32_t VENDOR_ID_AMD = 0x1002, VENDOR_ID_NVIDIA = 0x10DE, VENDOR_ID_INTEL = 0x8086;
const D3D12_RANGE EMPTY_RANGE = {};

// The second type is the constant's: UINT64 is unsigned long here, and 32ull is not.
template <typename T, typename U>
constexpr T AlignUp(T value, U alignment) {
    return (value + static_cast<T>(alignment) - 1) / static_cast<T>(alignment) * static_cast<T>(alignment);
}

template <typename T>
constexpr T RoundDiv(T value, T divisor) {
    return (value + divisor / 2) / divisor;
}

// Numbers that repeat.
class RandomNumberGenerator {
public:
    RandomNumberGenerator(uint32_t seed = 1) : state(seed) {}
    void Seed(uint32_t seed) { state = seed; }
    uint32_t Generate() {
        const uint32_t high = step() >> 16;
        return high << 16 | step() >> 16;
    }
    bool GenerateBool() { return step() >> 31 != 0; }

private:
    uint32_t step() { return state = state * 1664525u + 1013904223u; }
    uint32_t state;
};

// The same for std::shuffle.
struct MyUniformRandomNumberGenerator {
    typedef uint32_t result_type;
    explicit MyUniformRandomNumberGenerator(RandomNumberGenerator &numbers) : numbers(&numbers) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return UINT32_MAX; }
    result_type operator()() { return numbers->Generate(); }

private:
    RandomNumberGenerator *numbers;
};

void SaveFile(const wchar_t *path, const void *bytes, size_t size);

inline void Sleep(DWORD milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }
inline int localtime_s(tm *result, const time_t *time) { return localtime_r(time, result) ? 0 : 1; }
inline int fopen_s(FILE **file, const char *path, const char *mode) { return (*file = std::fopen(path, mode)) ? 0 : 1; }
