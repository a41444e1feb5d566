// What libd3d12.so has beyond Direct3D 12: means of tests.
#pragma once

#include <unknwn.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sets this process's video memory budget on an adapter (of DXGI or DXCore; NULL: the first) to `bytes`, whatever its
// memory; UINT64_MAX leaves it to the memory manager again. Who registered for changes is told.
// E_INVALIDARG: no adapter, node or segment group, or no device of this process on the adapter.
HRESULT HeapstoneSetVideoMemoryBudget(IUnknown *adapter, UINT node, UINT segment_group, UINT64 bytes);

#ifdef __cplusplus
}
#endif
