// What programs take from COM's header of Windows beside <unknwn.h>, and DirectX-Headers lack: the identifier that is none, memory that
// is filled, results that are put together.
#pragma once

#include <string.h>
#include <unknwn.h>
#include <wchar.h>

#ifdef __cplusplus
#if defined(__cpp_inline_variables)
inline constexpr GUID GUID_NULL = {};
#else
static constexpr GUID GUID_NULL = {};
#endif
#else
static const GUID GUID_NULL = {0};
#endif
#define IID_NULL GUID_NULL

#ifndef ZeroMemory
#define ZeroMemory(destination, length) memset((destination), 0, (length))
#define CopyMemory(destination, source, length) memcpy((destination), (source), (length))
#define MoveMemory(destination, source, length) memmove((destination), (source), (length))
#endif

#ifndef MAKE_HRESULT
#define MAKE_HRESULT(severity, facility, code) ((HRESULT)(((ULONG)(severity) << 31) | ((ULONG)(facility) << 16) | (ULONG)(code)))
#endif
