// A stand-in: see README.md. It includes what the allocator's one source file includes.
#include "D3D12MemAlloc.h"

#include <combaseapi.h>
#include <dxgi.h>
#include <dxgi1_4.h>
#include <malloc.h>

#include <new>
#include <shared_mutex>

#define PPV_ARGS(pointer) __uuidof(**(pointer)), reinterpret_cast<void **>(pointer)

namespace D3D12MA {

static std::shared_timed_mutex budget_lock;

Allocator::Allocator(const ALLOCATOR_DESC &given, const ALLOCATION_CALLBACKS &callbacks) : callbacks(callbacks), device(given.pDevice) {
    ZeroMemory(&desc, sizeof desc);
    device->AddRef();
    device->QueryInterface(PPV_ARGS(&device4));
    given.pAdapter->QueryInterface(PPV_ARGS(&adapter3));
    given.pAdapter->GetDesc(&desc);
}

Allocator::~Allocator() {
    if (adapter3) adapter3->Release();
    if (device4) device4->Release();
    device->Release();
}

HRESULT STDMETHODCALLTYPE Allocator::QueryInterface(REFIID riid, void **object) {
    if (!object) return E_POINTER;
    *object = riid == IID_IUnknown ? this : nullptr;
    if (!*object) return E_NOINTERFACE;
    AddRef();
    return S_OK;
}

ULONG STDMETHODCALLTYPE Allocator::AddRef() { return ++count; }

ULONG STDMETHODCALLTYPE Allocator::Release() {
    const UINT left = --count;
    if (left == 0) {
        const ALLOCATION_CALLBACKS of = callbacks;
        this->~Allocator();
        of.pFree(this, of.pPrivateData);
    }
    return left;
}

HRESULT Allocator::CreateResource(const D3D12_RESOURCE_DESC *resource_desc, D3D12_HEAP_TYPE type, D3D12_RESOURCE_STATES state, REFIID riid,
                                  void **resource) {
    D3D12_HEAP_PROPERTIES properties = {};
    properties.Type = type;
    if (!device4) return E_NOINTERFACE;
    ID3D12Resource *made = nullptr;
    HRESULT result = device4->CreateCommittedResource1(&properties, D3D12_HEAP_FLAG_CREATE_NOT_ZEROED, resource_desc, state, nullptr, nullptr,
                                                       PPV_ARGS(&made));
    if (FAILED(result)) return result;
    if (resource) result = made->QueryInterface(riid, resource);
    made->Release();
    return result;
}

void Allocator::GetBudget(Budget *local) {
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    budget_lock.lock_shared();
    if (adapter3) adapter3->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info);
    budget_lock.unlock_shared();
    *local = {info.CurrentUsage, info.Budget};
}

HRESULT CreateAllocator(const ALLOCATOR_DESC *pDesc, Allocator **ppAllocator) {
    if (!pDesc || !ppAllocator || !pDesc->pDevice || !pDesc->pAdapter || !pDesc->pAllocationCallbacks) return E_INVALIDARG;
    const ALLOCATION_CALLBACKS &callbacks = *pDesc->pAllocationCallbacks;
    void *const memory = callbacks.pAllocate(sizeof(Allocator), __alignof(Allocator), callbacks.pPrivateData);
    if (!memory) return E_OUTOFMEMORY;
    *ppAllocator = new (memory) Allocator(*pDesc, callbacks);
    return S_OK;
}

} // namespace D3D12MA
