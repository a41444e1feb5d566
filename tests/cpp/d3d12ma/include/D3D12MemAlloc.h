// A stand-in: see README.md.
#pragma once

#include <directx/d3d12.h>
#include <dxguids/dxguids.h>
#include <dxgi1_4.h>

#include <atomic>

#ifndef __IDXGIAdapter3_INTERFACE_DEFINED__
#error "without this an allocator does without budgets"
#endif

namespace D3D12MA {

struct ALLOCATION_CALLBACKS {
    void *(*pAllocate)(size_t Size, size_t Alignment, void *pPrivateData);
    void (*pFree)(void *pMemory, void *pPrivateData);
    void *pPrivateData;
};

enum ALLOCATOR_FLAGS {
    ALLOCATOR_FLAG_NONE = 0,
    ALLOCATOR_FLAG_DEFAULT_POOLS_NOT_ZEROED = 4,
};

struct ALLOCATOR_DESC {
    ALLOCATOR_FLAGS Flags;
    ID3D12Device *pDevice;
    UINT64 PreferredBlockSize;
    const ALLOCATION_CALLBACKS *pAllocationCallbacks;
    IDXGIAdapter *pAdapter;
};

struct Budget {
    UINT64 UsageBytes, BudgetBytes;
};

class Allocator : public IUnknown {
public:
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void **object) override;
    ULONG STDMETHODCALLTYPE AddRef() override;
    ULONG STDMETHODCALLTYPE Release() override;

    HRESULT CreateResource(const D3D12_RESOURCE_DESC *desc, D3D12_HEAP_TYPE type, D3D12_RESOURCE_STATES state, REFIID riid, void **resource);
    void GetBudget(Budget *local);

private:
    friend HRESULT CreateAllocator(const ALLOCATOR_DESC *, Allocator **);
    Allocator(const ALLOCATOR_DESC &desc, const ALLOCATION_CALLBACKS &callbacks);
    virtual ~Allocator();

    ALLOCATION_CALLBACKS callbacks;
    ID3D12Device *device;
    ID3D12Device4 *device4 = nullptr;
    IDXGIAdapter3 *adapter3 = nullptr;
    DXGI_ADAPTER_DESC desc;
    std::atomic<UINT> count = {1};
};

HRESULT CreateAllocator(const ALLOCATOR_DESC *pDesc, Allocator **ppAllocator);

} // namespace D3D12MA

DEFINE_ENUM_FLAG_OPERATORS(D3D12MA::ALLOCATOR_FLAGS)
