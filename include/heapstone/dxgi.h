// DXGI's header by its first name: what libd3d12.so has of it.
#pragma once

#include "dxgi1_4.h"
