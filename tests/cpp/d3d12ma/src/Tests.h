// A stand-in: see README.md.
#pragma once

#include "D3D12MemAlloc.h"

struct TestContext {
    D3D12MA::ALLOCATION_CALLBACKS *allocationCallbacks;
    ID3D12Device *device;
    D3D12MA::Allocator *allocator;
    D3D12MA::ALLOCATOR_FLAGS allocatorFlags;
};

void Test(const TestContext &ctx);
