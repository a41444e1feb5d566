// A stand-in: see README.md. Each construct of the headers and of Common.h that the allocator's tests use, once.
#include "Common.h"
#include "Tests.h"

#include <thread>

extern ID3D12GraphicsCommandList *BeginCommandList();
extern DXGI_ADAPTER_DESC1 g_AdapterDesc;
extern void EndCommandList(ID3D12GraphicsCommandList *list);

namespace {

D3D12_RESOURCE_DESC buffer(UINT64 width) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = width;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    return desc;
}

void a_copy(const TestContext &ctx) {
    RandomNumberGenerator random{234522};
    const UINT64 least = 5ull * 1024, most = 10ull * 1024;
    const UINT64 width = AlignUp(random.Generate() % (most - least) + least, 32ull);
    CHECK_BOOL(width % 32 == 0 && AlignUp<UINT>(17, 16) == 32 && RoundDiv<size_t>(154 * 70, 100) == 108);
    const D3D12_RESOURCE_DESC desc = buffer(width);
    ComPtr<ID3D12Resource> upload, readback;
    CHECK_HR(ctx.allocator->CreateResource(&desc, D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ, IID_PPV_ARGS(&upload)));
    CHECK_HR(ctx.allocator->CreateResource(&desc, D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COPY_DEST, __uuidof(ID3D12Resource),
                                           reinterpret_cast<void **>(readback.GetAddressOf())));
    CHECK_HR(ctx.allocator->CreateResource(&desc, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATE_COMMON, IID_NULL, nullptr));
    uint32_t *values = nullptr;
    CHECK_HR(upload->Map(0, &EMPTY_RANGE, reinterpret_cast<void **>(&values)));
    for (UINT i = 0; i < width / 4; ++i) values[i] = i * 3;
    upload->Unmap(0, nullptr);
    ID3D12GraphicsCommandList *const list = BeginCommandList();
    list->CopyResource(readback.Get(), upload.Get());
    EndCommandList(list);
    CHECK_HR(readback->Map(0, nullptr, reinterpret_cast<void **>(&values)));
    CHECK_BOOL(values[100] == 300);
    readback->Unmap(0, &EMPTY_RANGE);
    ComPtr<ID3D12Pageable> pageable;
    CHECK_HR(upload.As(&pageable));
    ComPtr<ID3D12Device> device;
    CHECK_HR(pageable->GetDevice(IID_PPV_ARGS(&device)));
    CHECK_BOOL(device.Get() == ctx.device);
    ComPtr<ID3D12Resource> moved = std::move(upload);
    CHECK_BOOL(!upload && moved);
}

void a_budget(const TestContext &ctx) {
    D3D12MA::Budget before = {}, with = {};
    ctx.allocator->GetBudget(&before);
    CHECK_BOOL(before.BudgetBytes > 0 && g_AdapterDesc.VendorId != 0 && VENDOR_ID_AMD != VENDOR_ID_INTEL);
    const D3D12_RESOURCE_DESC desc = buffer(1 << 20);
    ComPtr<ID3D12Resource> held;
    CHECK_HR(ctx.allocator->CreateResource(&desc, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATE_COMMON, IID_PPV_ARGS(&held)));
    ctx.allocator->GetBudget(&with);
    CHECK_BOOL(with.UsageBytes >= before.UsageBytes + (1 << 20));
    D3D12MA::ALLOCATOR_FLAGS flags = ctx.allocatorFlags;
    flags |= D3D12MA::ALLOCATOR_FLAG_DEFAULT_POOLS_NOT_ZEROED;
    CHECK_BOOL((flags & ~D3D12MA::ALLOCATOR_FLAG_DEFAULT_POOLS_NOT_ZEROED) == (ctx.allocatorFlags & ~4));
}

void what_msvc_has() {
    const WCHAR *const name = L"a name";
    CHECK_BOOL(std::wstring(name).find(L"name") == 2 && wcslen(name) == 6 && wcsstr(name, L"me") == name + 4);
    time_t now = 0;
    time(&now);
    tm parts;
    CHECK_BOOL(localtime_s(&parts, &now) == 0);
    char text[64];
    CHECK_BOOL(strftime(text, _countof(text), "%c", &parts) > 0);
    SaveFile(L"d3d12ma.txt", text, strlen(text));
    FILE *file = nullptr;
    CHECK_BOOL(fopen_s(&file, "d3d12ma.txt", "rb") == 0 && file);
    char read[64] = {};
    CHECK_BOOL(fread(read, 1, sizeof read, file) == strlen(text) && strcmp(read, text) == 0);
    fclose(file);
    remove("d3d12ma.txt");
    RandomNumberGenerator random(7);
    std::vector<int> numbers(100);
    for (int i = 0; i < 100; ++i) numbers[i] = i;
    std::shuffle(numbers.begin(), numbers.end(), MyUniformRandomNumberGenerator(random));
    std::sort(numbers.begin(), numbers.end());
    CHECK_BOOL(numbers[99] == 99 && random.Generate() != random.Generate());
    bool failed = false;
    try {
        CHECK_HR(E_OUTOFMEMORY);
    } catch (const std::runtime_error &error) {
        failed = std::string(error.what()).find("E_OUTOFMEMORY") != std::string::npos;
    }
    if (!failed) throw std::runtime_error("a check that fails is not told");
    std::thread([] { Sleep(1); }).join();
    const time_point begin = std::chrono::high_resolution_clock::now();
    CHECK_BOOL(std::chrono::high_resolution_clock::now() - begin >= duration::zero());
}

} // namespace

void Test(const TestContext &ctx) {
    CHECK_BOOL(ctx.allocationCallbacks && ctx.device && ctx.allocator);
    a_copy(ctx);
    a_budget(ctx);
    what_msvc_has();
}
