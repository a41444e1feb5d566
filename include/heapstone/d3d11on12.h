// What <directx/d3d12compatibility.h> takes from Direct3D 11's header, which DirectX-Headers lack.
#pragma once

#include <unknwn.h>

typedef struct D3D11_RESOURCE_FLAGS {
    UINT BindFlags;
    UINT MiscFlags;
    UINT CPUAccessFlags;
    UINT StructureByteStride;
} D3D11_RESOURCE_FLAGS;
