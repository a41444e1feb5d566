// The part of DXGI 1.0 to 1.4 that libd3d12.so has: factories and adapters, with budgets. DirectX-Headers have no
// DXGI header for Linux; programs that include <dxgi1_4.h> find this one with the flags of `pkg-config heapstone`, before or behind
// <directx/d3d12.h>.
#pragma once

#ifndef __cplusplus
#error "this header is C++"
#endif

#include <unknwn.h>

struct IDXGIAdapter;
struct IDXGIAdapter1;
struct IDXGIOutput;
struct IDXGISwapChain;
struct IDXGISwapChain1;
struct DXGI_SWAP_CHAIN_DESC;
struct DXGI_SWAP_CHAIN_DESC1;
struct DXGI_SWAP_CHAIN_FULLSCREEN_DESC;

struct DXGI_ADAPTER_DESC {
    WCHAR Description[128];
    UINT VendorId, DeviceId, SubSysId, Revision;
    SIZE_T DedicatedVideoMemory, DedicatedSystemMemory, SharedSystemMemory;
    LUID AdapterLuid;
};

struct DXGI_ADAPTER_DESC1 {
    WCHAR Description[128];
    UINT VendorId, DeviceId, SubSysId, Revision;
    SIZE_T DedicatedVideoMemory, DedicatedSystemMemory, SharedSystemMemory;
    LUID AdapterLuid;
    UINT Flags;
};

enum DXGI_ADAPTER_FLAG {
    DXGI_ADAPTER_FLAG_NONE = 0,
    DXGI_ADAPTER_FLAG_REMOTE = 1,
    DXGI_ADAPTER_FLAG_SOFTWARE = 2,
};

enum DXGI_GRAPHICS_PREEMPTION_GRANULARITY {
    DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY = 0,
    DXGI_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY = 1,
    DXGI_GRAPHICS_PREEMPTION_TRIANGLE_BOUNDARY = 2,
    DXGI_GRAPHICS_PREEMPTION_PIXEL_BOUNDARY = 3,
    DXGI_GRAPHICS_PREEMPTION_INSTRUCTION_BOUNDARY = 4,
};

enum DXGI_COMPUTE_PREEMPTION_GRANULARITY {
    DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY = 0,
    DXGI_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY = 1,
    DXGI_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY = 2,
    DXGI_COMPUTE_PREEMPTION_THREAD_BOUNDARY = 3,
    DXGI_COMPUTE_PREEMPTION_INSTRUCTION_BOUNDARY = 4,
};

struct DXGI_ADAPTER_DESC2 {
    WCHAR Description[128];
    UINT VendorId, DeviceId, SubSysId, Revision;
    SIZE_T DedicatedVideoMemory, DedicatedSystemMemory, SharedSystemMemory;
    LUID AdapterLuid;
    UINT Flags;
    DXGI_GRAPHICS_PREEMPTION_GRANULARITY GraphicsPreemptionGranularity;
    DXGI_COMPUTE_PREEMPTION_GRANULARITY ComputePreemptionGranularity;
};

enum DXGI_MEMORY_SEGMENT_GROUP {
    DXGI_MEMORY_SEGMENT_GROUP_LOCAL = 0,
    DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL = 1,
};

struct DXGI_QUERY_VIDEO_MEMORY_INFO {
    UINT64 Budget, CurrentUsage, AvailableForReservation, CurrentReservation;
};

struct IDXGIObject : public IUnknown {
    virtual HRESULT SetPrivateData(REFGUID name, UINT size, const void *data) = 0;
    virtual HRESULT SetPrivateDataInterface(REFGUID name, const IUnknown *data) = 0;
    virtual HRESULT GetPrivateData(REFGUID name, UINT *size, void *data) = 0;
    virtual HRESULT GetParent(REFIID riid, void **parent) = 0;
};

struct IDXGIAdapter : public IDXGIObject {
    virtual HRESULT EnumOutputs(UINT index, IDXGIOutput **output) = 0;
    virtual HRESULT GetDesc(DXGI_ADAPTER_DESC *desc) = 0;
    virtual HRESULT CheckInterfaceSupport(REFGUID name, LARGE_INTEGER *driver_version) = 0;
};

struct IDXGIAdapter1 : public IDXGIAdapter {
    virtual HRESULT GetDesc1(DXGI_ADAPTER_DESC1 *desc) = 0;
};

struct IDXGIAdapter2 : public IDXGIAdapter1 {
    virtual HRESULT GetDesc2(DXGI_ADAPTER_DESC2 *desc) = 0;
};

struct IDXGIAdapter3 : public IDXGIAdapter2 {
    virtual HRESULT RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE event, DWORD *cookie) = 0;
    virtual void UnregisterHardwareContentProtectionTeardownStatus(DWORD cookie) = 0;
    virtual HRESULT QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                         DXGI_QUERY_VIDEO_MEMORY_INFO *info) = 0;
    virtual HRESULT SetVideoMemoryReservation(UINT node, DXGI_MEMORY_SEGMENT_GROUP group, UINT64 bytes) = 0;
    virtual HRESULT RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE event, DWORD *cookie) = 0;
    virtual void UnregisterVideoMemoryBudgetChangeNotification(DWORD cookie) = 0;
};

struct IDXGIFactory : public IDXGIObject {
    virtual HRESULT EnumAdapters(UINT index, IDXGIAdapter **adapter) = 0;
    virtual HRESULT MakeWindowAssociation(HWND window, UINT flags) = 0;
    virtual HRESULT GetWindowAssociation(HWND *window) = 0;
    virtual HRESULT CreateSwapChain(IUnknown *device, DXGI_SWAP_CHAIN_DESC *desc, IDXGISwapChain **swap_chain) = 0;
    virtual HRESULT CreateSoftwareAdapter(void *module, IDXGIAdapter **adapter) = 0;
};

struct IDXGIFactory1 : public IDXGIFactory {
    virtual HRESULT EnumAdapters1(UINT index, IDXGIAdapter1 **adapter) = 0;
    virtual BOOL IsCurrent() = 0;
};

struct IDXGIFactory2 : public IDXGIFactory1 {
    virtual BOOL IsWindowedStereoEnabled() = 0;
    virtual HRESULT CreateSwapChainForHwnd(IUnknown *device, HWND window, const DXGI_SWAP_CHAIN_DESC1 *desc,
                                           const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen, IDXGIOutput *output,
                                           IDXGISwapChain1 **swap_chain) = 0;
    virtual HRESULT CreateSwapChainForCoreWindow(IUnknown *device, IUnknown *window, const DXGI_SWAP_CHAIN_DESC1 *desc,
                                                 IDXGIOutput *output, IDXGISwapChain1 **swap_chain) = 0;
    virtual HRESULT GetSharedResourceAdapterLuid(HANDLE resource, LUID *luid) = 0;
    virtual HRESULT RegisterStereoStatusWindow(HWND window, UINT message, DWORD *cookie) = 0;
    virtual HRESULT RegisterStereoStatusEvent(HANDLE event, DWORD *cookie) = 0;
    virtual void UnregisterStereoStatus(DWORD cookie) = 0;
    virtual HRESULT RegisterOcclusionStatusWindow(HWND window, UINT message, DWORD *cookie) = 0;
    virtual HRESULT RegisterOcclusionStatusEvent(HANDLE event, DWORD *cookie) = 0;
    virtual void UnregisterOcclusionStatus(DWORD cookie) = 0;
    virtual HRESULT CreateSwapChainForComposition(IUnknown *device, const DXGI_SWAP_CHAIN_DESC1 *desc,
                                                  IDXGIOutput *output, IDXGISwapChain1 **swap_chain) = 0;
};

struct IDXGIFactory3 : public IDXGIFactory2 {
    virtual UINT GetCreationFlags() = 0;
};

struct IDXGIFactory4 : public IDXGIFactory3 {
    virtual HRESULT EnumAdapterByLuid(LUID luid, REFIID riid, void **adapter) = 0;
    virtual HRESULT EnumWarpAdapter(REFIID riid, void **adapter) = 0;
};

// As MSVC's headers, each identifier is IID_Name and __uuidof(Name). In C++14 each file has an IID_Name of its own.
#if defined(__cpp_inline_variables)
#define HEAPSTONE_CONSTANT inline constexpr
#else
#define HEAPSTONE_CONSTANT static constexpr
#endif
#ifdef __CRT_UUID_DECL
#define HEAPSTONE_UUID __CRT_UUID_DECL
#else
#define HEAPSTONE_UUID(...) static_assert(true, "")
#endif
#define HEAPSTONE_IID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                                                 \
    HEAPSTONE_CONSTANT IID IID_##name = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}};                                 \
    HEAPSTONE_UUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)

HEAPSTONE_IID(IDXGIObject, 0xaec22fb8, 0x76f3, 0x4639, 0x9b, 0xe0, 0x28, 0xeb, 0x43, 0xa6, 0x7a, 0x2e)
HEAPSTONE_IID(IDXGIAdapter, 0x2411e7e1, 0x12ac, 0x4ccf, 0xbd, 0x14, 0x97, 0x98, 0xe8, 0x53, 0x4d, 0xc0)
HEAPSTONE_IID(IDXGIAdapter1, 0x29038f61, 0x3839, 0x4626, 0x91, 0xfd, 0x08, 0x68, 0x79, 0x01, 0x1a, 0x05)
HEAPSTONE_IID(IDXGIAdapter2, 0x0aa1ae0a, 0xfa0e, 0x4b84, 0x86, 0x44, 0xe0, 0x5f, 0xf8, 0xe5, 0xac, 0xb5)
HEAPSTONE_IID(IDXGIAdapter3, 0x645967a4, 0x1392, 0x4310, 0xa7, 0x98, 0x80, 0x53, 0xce, 0x3e, 0x93, 0xfd)
HEAPSTONE_IID(IDXGIFactory, 0x7b7166ec, 0x21c7, 0x44ae, 0xb2, 0x1a, 0xc9, 0xae, 0x32, 0x1a, 0xe3, 0x69)
HEAPSTONE_IID(IDXGIFactory1, 0x770aae78, 0xf26f, 0x4dba, 0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87)
HEAPSTONE_IID(IDXGIFactory2, 0x50c83a1c, 0xe072, 0x4c48, 0x87, 0xb0, 0x36, 0x30, 0xfa, 0x36, 0xa6, 0xd0)
HEAPSTONE_IID(IDXGIFactory3, 0x25483823, 0xcd46, 0x4c7d, 0x86, 0xca, 0x47, 0xaa, 0x95, 0xb8, 0x37, 0xbd)
HEAPSTONE_IID(IDXGIFactory4, 0x1bc6ea02, 0xef36, 0x464f, 0xbf, 0x0c, 0x21, 0xca, 0x39, 0xe5, 0x16, 0x8a)

#undef HEAPSTONE_IID
#undef HEAPSTONE_UUID
#undef HEAPSTONE_CONSTANT

// By these, as by those of MSVC's headers, programs see which version of DXGI they have.
#define __IDXGIObject_INTERFACE_DEFINED__
#define __IDXGIAdapter_INTERFACE_DEFINED__
#define __IDXGIAdapter1_INTERFACE_DEFINED__
#define __IDXGIAdapter2_INTERFACE_DEFINED__
#define __IDXGIAdapter3_INTERFACE_DEFINED__
#define __IDXGIFactory_INTERFACE_DEFINED__
#define __IDXGIFactory1_INTERFACE_DEFINED__
#define __IDXGIFactory2_INTERFACE_DEFINED__
#define __IDXGIFactory3_INTERFACE_DEFINED__
#define __IDXGIFactory4_INTERFACE_DEFINED__

#define DXGI_CREATE_FACTORY_DEBUG 0x1u

extern "C" {
HRESULT CreateDXGIFactory(REFIID riid, void **factory);
HRESULT CreateDXGIFactory1(REFIID riid, void **factory);
HRESULT CreateDXGIFactory2(UINT flags, REFIID riid, void **factory);
}
