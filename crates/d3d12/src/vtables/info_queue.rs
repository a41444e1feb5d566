//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.

#[allow(unused_imports, reason = "families use what they need")]
use core::ffi::{c_char, c_void};

#[allow(unused_imports, reason = "families use what they need")]
use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};
#[allow(unused_imports, reason = "families use what they need")]
use crate::types::*;

/// What a class does for ID3D12InfoQueue1; what it leaves out answers E_NOTIMPL and is reported once.
pub trait ID3D12InfoQueue1: Class {
    /// ID3D12InfoQueue::SetMessageCountLimit, slot 3: (UINT64).
    unsafe fn SetMessageCountLimit(this: &Object<Self>, _a0: u64) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::SetMessageCountLimit")
    }
    /// ID3D12InfoQueue::ClearStoredMessages, slot 4: ().
    unsafe fn ClearStoredMessages(this: &Object<Self>) {
        not_implemented(this, "ID3D12InfoQueue::ClearStoredMessages")
    }
    /// ID3D12InfoQueue::GetMessage, slot 5: (UINT64, D3D12_MESSAGE \*, SIZE_T \*).
    unsafe fn GetMessage(this: &Object<Self>, _a0: u64, _a1: *mut D3D12_MESSAGE, _a2: *mut usize) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::GetMessage")
    }
    /// ID3D12InfoQueue::GetNumMessagesAllowedByStorageFilter, slot 6: ().
    unsafe fn GetNumMessagesAllowedByStorageFilter(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12InfoQueue::GetNumMessagesAllowedByStorageFilter")
    }
    /// ID3D12InfoQueue::GetNumMessagesDeniedByStorageFilter, slot 7: ().
    unsafe fn GetNumMessagesDeniedByStorageFilter(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12InfoQueue::GetNumMessagesDeniedByStorageFilter")
    }
    /// ID3D12InfoQueue::GetNumStoredMessages, slot 8: ().
    unsafe fn GetNumStoredMessages(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12InfoQueue::GetNumStoredMessages")
    }
    /// ID3D12InfoQueue::GetNumStoredMessagesAllowedByRetrievalFilter, slot 9: ().
    unsafe fn GetNumStoredMessagesAllowedByRetrievalFilter(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12InfoQueue::GetNumStoredMessagesAllowedByRetrievalFilter")
    }
    /// ID3D12InfoQueue::GetNumMessagesDiscardedByMessageCountLimit, slot 10: ().
    unsafe fn GetNumMessagesDiscardedByMessageCountLimit(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12InfoQueue::GetNumMessagesDiscardedByMessageCountLimit")
    }
    /// ID3D12InfoQueue::GetMessageCountLimit, slot 11: ().
    unsafe fn GetMessageCountLimit(this: &Object<Self>) -> u64 {
        not_implemented(this, "ID3D12InfoQueue::GetMessageCountLimit")
    }
    /// ID3D12InfoQueue::AddStorageFilterEntries, slot 12: (D3D12_INFO_QUEUE_FILTER \*).
    unsafe fn AddStorageFilterEntries(this: &Object<Self>, _a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::AddStorageFilterEntries")
    }
    /// ID3D12InfoQueue::GetStorageFilter, slot 13: (D3D12_INFO_QUEUE_FILTER \*, SIZE_T \*).
    unsafe fn GetStorageFilter(this: &Object<Self>, _a0: *mut D3D12_INFO_QUEUE_FILTER, _a1: *mut usize) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::GetStorageFilter")
    }
    /// ID3D12InfoQueue::ClearStorageFilter, slot 14: ().
    unsafe fn ClearStorageFilter(this: &Object<Self>) {
        not_implemented(this, "ID3D12InfoQueue::ClearStorageFilter")
    }
    /// ID3D12InfoQueue::PushEmptyStorageFilter, slot 15: ().
    unsafe fn PushEmptyStorageFilter(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::PushEmptyStorageFilter")
    }
    /// ID3D12InfoQueue::PushCopyOfStorageFilter, slot 16: ().
    unsafe fn PushCopyOfStorageFilter(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::PushCopyOfStorageFilter")
    }
    /// ID3D12InfoQueue::PushStorageFilter, slot 17: (D3D12_INFO_QUEUE_FILTER \*).
    unsafe fn PushStorageFilter(this: &Object<Self>, _a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::PushStorageFilter")
    }
    /// ID3D12InfoQueue::PopStorageFilter, slot 18: ().
    unsafe fn PopStorageFilter(this: &Object<Self>) {
        not_implemented(this, "ID3D12InfoQueue::PopStorageFilter")
    }
    /// ID3D12InfoQueue::GetStorageFilterStackSize, slot 19: ().
    unsafe fn GetStorageFilterStackSize(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12InfoQueue::GetStorageFilterStackSize")
    }
    /// ID3D12InfoQueue::AddRetrievalFilterEntries, slot 20: (D3D12_INFO_QUEUE_FILTER \*).
    unsafe fn AddRetrievalFilterEntries(this: &Object<Self>, _a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::AddRetrievalFilterEntries")
    }
    /// ID3D12InfoQueue::GetRetrievalFilter, slot 21: (D3D12_INFO_QUEUE_FILTER \*, SIZE_T \*).
    unsafe fn GetRetrievalFilter(this: &Object<Self>, _a0: *mut D3D12_INFO_QUEUE_FILTER, _a1: *mut usize) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::GetRetrievalFilter")
    }
    /// ID3D12InfoQueue::ClearRetrievalFilter, slot 22: ().
    unsafe fn ClearRetrievalFilter(this: &Object<Self>) {
        not_implemented(this, "ID3D12InfoQueue::ClearRetrievalFilter")
    }
    /// ID3D12InfoQueue::PushEmptyRetrievalFilter, slot 23: ().
    unsafe fn PushEmptyRetrievalFilter(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::PushEmptyRetrievalFilter")
    }
    /// ID3D12InfoQueue::PushCopyOfRetrievalFilter, slot 24: ().
    unsafe fn PushCopyOfRetrievalFilter(this: &Object<Self>) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::PushCopyOfRetrievalFilter")
    }
    /// ID3D12InfoQueue::PushRetrievalFilter, slot 25: (D3D12_INFO_QUEUE_FILTER \*).
    unsafe fn PushRetrievalFilter(this: &Object<Self>, _a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::PushRetrievalFilter")
    }
    /// ID3D12InfoQueue::PopRetrievalFilter, slot 26: ().
    unsafe fn PopRetrievalFilter(this: &Object<Self>) {
        not_implemented(this, "ID3D12InfoQueue::PopRetrievalFilter")
    }
    /// ID3D12InfoQueue::GetRetrievalFilterStackSize, slot 27: ().
    unsafe fn GetRetrievalFilterStackSize(this: &Object<Self>) -> u32 {
        not_implemented(this, "ID3D12InfoQueue::GetRetrievalFilterStackSize")
    }
    /// ID3D12InfoQueue::AddMessage, slot 28: (D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR).
    unsafe fn AddMessage(this: &Object<Self>, _a0: u32, _a1: u32, _a2: u32, _a3: *const c_char) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::AddMessage")
    }
    /// ID3D12InfoQueue::AddApplicationMessage, slot 29: (D3D12_MESSAGE_SEVERITY, LPCSTR).
    unsafe fn AddApplicationMessage(this: &Object<Self>, _a0: u32, _a1: *const c_char) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::AddApplicationMessage")
    }
    /// ID3D12InfoQueue::SetBreakOnCategory, slot 30: (D3D12_MESSAGE_CATEGORY, BOOL).
    unsafe fn SetBreakOnCategory(this: &Object<Self>, _a0: u32, _a1: BOOL) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::SetBreakOnCategory")
    }
    /// ID3D12InfoQueue::SetBreakOnSeverity, slot 31: (D3D12_MESSAGE_SEVERITY, BOOL).
    unsafe fn SetBreakOnSeverity(this: &Object<Self>, _a0: u32, _a1: BOOL) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::SetBreakOnSeverity")
    }
    /// ID3D12InfoQueue::SetBreakOnID, slot 32: (D3D12_MESSAGE_ID, BOOL).
    unsafe fn SetBreakOnID(this: &Object<Self>, _a0: u32, _a1: BOOL) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue::SetBreakOnID")
    }
    /// ID3D12InfoQueue::GetBreakOnCategory, slot 33: (D3D12_MESSAGE_CATEGORY).
    unsafe fn GetBreakOnCategory(this: &Object<Self>, _a0: u32) -> BOOL {
        not_implemented(this, "ID3D12InfoQueue::GetBreakOnCategory")
    }
    /// ID3D12InfoQueue::GetBreakOnSeverity, slot 34: (D3D12_MESSAGE_SEVERITY).
    unsafe fn GetBreakOnSeverity(this: &Object<Self>, _a0: u32) -> BOOL {
        not_implemented(this, "ID3D12InfoQueue::GetBreakOnSeverity")
    }
    /// ID3D12InfoQueue::GetBreakOnID, slot 35: (D3D12_MESSAGE_ID).
    unsafe fn GetBreakOnID(this: &Object<Self>, _a0: u32) -> BOOL {
        not_implemented(this, "ID3D12InfoQueue::GetBreakOnID")
    }
    /// ID3D12InfoQueue::SetMuteDebugOutput, slot 36: (BOOL).
    unsafe fn SetMuteDebugOutput(this: &Object<Self>, _a0: BOOL) {
        not_implemented(this, "ID3D12InfoQueue::SetMuteDebugOutput")
    }
    /// ID3D12InfoQueue::GetMuteDebugOutput, slot 37: ().
    unsafe fn GetMuteDebugOutput(this: &Object<Self>) -> BOOL {
        not_implemented(this, "ID3D12InfoQueue::GetMuteDebugOutput")
    }
    /// ID3D12InfoQueue1::RegisterMessageCallback, slot 38: (D3D12MessageFunc, D3D12_MESSAGE_CALLBACK_FLAGS, void \*, DWORD \*).
    unsafe fn RegisterMessageCallback(this: &Object<Self>, _a0: D3D12MessageFunc, _a1: u32, _a2: *mut c_void, _a3: *mut u32) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue1::RegisterMessageCallback")
    }
    /// ID3D12InfoQueue1::UnregisterMessageCallback, slot 39: (DWORD).
    unsafe fn UnregisterMessageCallback(this: &Object<Self>, _a0: u32) -> HRESULT {
        not_implemented(this, "ID3D12InfoQueue1::UnregisterMessageCallback")
    }
}

/// The vtable of ID3D12InfoQueue1.
#[repr(C)]
pub struct ID3D12InfoQueue1Vtbl {
    pub QueryInterface: unsafe extern "C" fn(*mut c_void, *const GUID, *mut *mut c_void) -> HRESULT,
    pub AddRef: unsafe extern "C" fn(*mut c_void) -> u32,
    pub Release: unsafe extern "C" fn(*mut c_void) -> u32,
    pub SetMessageCountLimit: unsafe extern "C" fn(*mut c_void, u64) -> HRESULT,
    pub ClearStoredMessages: unsafe extern "C" fn(*mut c_void),
    pub GetMessage: unsafe extern "C" fn(*mut c_void, u64, *mut D3D12_MESSAGE, *mut usize) -> HRESULT,
    pub GetNumMessagesAllowedByStorageFilter: unsafe extern "C" fn(*mut c_void) -> u64,
    pub GetNumMessagesDeniedByStorageFilter: unsafe extern "C" fn(*mut c_void) -> u64,
    pub GetNumStoredMessages: unsafe extern "C" fn(*mut c_void) -> u64,
    pub GetNumStoredMessagesAllowedByRetrievalFilter: unsafe extern "C" fn(*mut c_void) -> u64,
    pub GetNumMessagesDiscardedByMessageCountLimit: unsafe extern "C" fn(*mut c_void) -> u64,
    pub GetMessageCountLimit: unsafe extern "C" fn(*mut c_void) -> u64,
    pub AddStorageFilterEntries: unsafe extern "C" fn(*mut c_void, *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT,
    pub GetStorageFilter: unsafe extern "C" fn(*mut c_void, *mut D3D12_INFO_QUEUE_FILTER, *mut usize) -> HRESULT,
    pub ClearStorageFilter: unsafe extern "C" fn(*mut c_void),
    pub PushEmptyStorageFilter: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub PushCopyOfStorageFilter: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub PushStorageFilter: unsafe extern "C" fn(*mut c_void, *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT,
    pub PopStorageFilter: unsafe extern "C" fn(*mut c_void),
    pub GetStorageFilterStackSize: unsafe extern "C" fn(*mut c_void) -> u32,
    pub AddRetrievalFilterEntries: unsafe extern "C" fn(*mut c_void, *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT,
    pub GetRetrievalFilter: unsafe extern "C" fn(*mut c_void, *mut D3D12_INFO_QUEUE_FILTER, *mut usize) -> HRESULT,
    pub ClearRetrievalFilter: unsafe extern "C" fn(*mut c_void),
    pub PushEmptyRetrievalFilter: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub PushCopyOfRetrievalFilter: unsafe extern "C" fn(*mut c_void) -> HRESULT,
    pub PushRetrievalFilter: unsafe extern "C" fn(*mut c_void, *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT,
    pub PopRetrievalFilter: unsafe extern "C" fn(*mut c_void),
    pub GetRetrievalFilterStackSize: unsafe extern "C" fn(*mut c_void) -> u32,
    pub AddMessage: unsafe extern "C" fn(*mut c_void, u32, u32, u32, *const c_char) -> HRESULT,
    pub AddApplicationMessage: unsafe extern "C" fn(*mut c_void, u32, *const c_char) -> HRESULT,
    pub SetBreakOnCategory: unsafe extern "C" fn(*mut c_void, u32, BOOL) -> HRESULT,
    pub SetBreakOnSeverity: unsafe extern "C" fn(*mut c_void, u32, BOOL) -> HRESULT,
    pub SetBreakOnID: unsafe extern "C" fn(*mut c_void, u32, BOOL) -> HRESULT,
    pub GetBreakOnCategory: unsafe extern "C" fn(*mut c_void, u32) -> BOOL,
    pub GetBreakOnSeverity: unsafe extern "C" fn(*mut c_void, u32) -> BOOL,
    pub GetBreakOnID: unsafe extern "C" fn(*mut c_void, u32) -> BOOL,
    pub SetMuteDebugOutput: unsafe extern "C" fn(*mut c_void, BOOL),
    pub GetMuteDebugOutput: unsafe extern "C" fn(*mut c_void) -> BOOL,
    pub RegisterMessageCallback: unsafe extern "C" fn(*mut c_void, D3D12MessageFunc, u32, *mut c_void, *mut u32) -> HRESULT,
    pub UnregisterMessageCallback: unsafe extern "C" fn(*mut c_void, u32) -> HRESULT,
}

impl<T: ID3D12InfoQueue1, F: Face<T>> Vtable<T, F> for ID3D12InfoQueue1Vtbl {
    const CHAIN: &'static [GUID] = &[super::IID_IUnknown, super::IID_ID3D12InfoQueue, super::IID_ID3D12InfoQueue1];
    const LINUX: Self = ID3D12InfoQueue1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetMessageCountLimit: SetMessageCountLimit::<T, F>,
        ClearStoredMessages: ClearStoredMessages::<T, F>,
        GetMessage: GetMessage::<T, F>,
        GetNumMessagesAllowedByStorageFilter: GetNumMessagesAllowedByStorageFilter::<T, F>,
        GetNumMessagesDeniedByStorageFilter: GetNumMessagesDeniedByStorageFilter::<T, F>,
        GetNumStoredMessages: GetNumStoredMessages::<T, F>,
        GetNumStoredMessagesAllowedByRetrievalFilter: GetNumStoredMessagesAllowedByRetrievalFilter::<T, F>,
        GetNumMessagesDiscardedByMessageCountLimit: GetNumMessagesDiscardedByMessageCountLimit::<T, F>,
        GetMessageCountLimit: GetMessageCountLimit::<T, F>,
        AddStorageFilterEntries: AddStorageFilterEntries::<T, F>,
        GetStorageFilter: GetStorageFilter::<T, F>,
        ClearStorageFilter: ClearStorageFilter::<T, F>,
        PushEmptyStorageFilter: PushEmptyStorageFilter::<T, F>,
        PushCopyOfStorageFilter: PushCopyOfStorageFilter::<T, F>,
        PushStorageFilter: PushStorageFilter::<T, F>,
        PopStorageFilter: PopStorageFilter::<T, F>,
        GetStorageFilterStackSize: GetStorageFilterStackSize::<T, F>,
        AddRetrievalFilterEntries: AddRetrievalFilterEntries::<T, F>,
        GetRetrievalFilter: GetRetrievalFilter::<T, F>,
        ClearRetrievalFilter: ClearRetrievalFilter::<T, F>,
        PushEmptyRetrievalFilter: PushEmptyRetrievalFilter::<T, F>,
        PushCopyOfRetrievalFilter: PushCopyOfRetrievalFilter::<T, F>,
        PushRetrievalFilter: PushRetrievalFilter::<T, F>,
        PopRetrievalFilter: PopRetrievalFilter::<T, F>,
        GetRetrievalFilterStackSize: GetRetrievalFilterStackSize::<T, F>,
        AddMessage: AddMessage::<T, F>,
        AddApplicationMessage: AddApplicationMessage::<T, F>,
        SetBreakOnCategory: SetBreakOnCategory::<T, F>,
        SetBreakOnSeverity: SetBreakOnSeverity::<T, F>,
        SetBreakOnID: SetBreakOnID::<T, F>,
        GetBreakOnCategory: GetBreakOnCategory::<T, F>,
        GetBreakOnSeverity: GetBreakOnSeverity::<T, F>,
        GetBreakOnID: GetBreakOnID::<T, F>,
        SetMuteDebugOutput: SetMuteDebugOutput::<T, F>,
        GetMuteDebugOutput: GetMuteDebugOutput::<T, F>,
        RegisterMessageCallback: RegisterMessageCallback::<T, F>,
        UnregisterMessageCallback: UnregisterMessageCallback::<T, F>,
    };
    const EXPLICIT_RETURN: Self = ID3D12InfoQueue1Vtbl {
        QueryInterface: methods::QueryInterface::<T, F>,
        AddRef: methods::AddRef::<T, F>,
        Release: methods::Release::<T, F>,
        SetMessageCountLimit: SetMessageCountLimit::<T, F>,
        ClearStoredMessages: ClearStoredMessages::<T, F>,
        GetMessage: GetMessage::<T, F>,
        GetNumMessagesAllowedByStorageFilter: GetNumMessagesAllowedByStorageFilter::<T, F>,
        GetNumMessagesDeniedByStorageFilter: GetNumMessagesDeniedByStorageFilter::<T, F>,
        GetNumStoredMessages: GetNumStoredMessages::<T, F>,
        GetNumStoredMessagesAllowedByRetrievalFilter: GetNumStoredMessagesAllowedByRetrievalFilter::<T, F>,
        GetNumMessagesDiscardedByMessageCountLimit: GetNumMessagesDiscardedByMessageCountLimit::<T, F>,
        GetMessageCountLimit: GetMessageCountLimit::<T, F>,
        AddStorageFilterEntries: AddStorageFilterEntries::<T, F>,
        GetStorageFilter: GetStorageFilter::<T, F>,
        ClearStorageFilter: ClearStorageFilter::<T, F>,
        PushEmptyStorageFilter: PushEmptyStorageFilter::<T, F>,
        PushCopyOfStorageFilter: PushCopyOfStorageFilter::<T, F>,
        PushStorageFilter: PushStorageFilter::<T, F>,
        PopStorageFilter: PopStorageFilter::<T, F>,
        GetStorageFilterStackSize: GetStorageFilterStackSize::<T, F>,
        AddRetrievalFilterEntries: AddRetrievalFilterEntries::<T, F>,
        GetRetrievalFilter: GetRetrievalFilter::<T, F>,
        ClearRetrievalFilter: ClearRetrievalFilter::<T, F>,
        PushEmptyRetrievalFilter: PushEmptyRetrievalFilter::<T, F>,
        PushCopyOfRetrievalFilter: PushCopyOfRetrievalFilter::<T, F>,
        PushRetrievalFilter: PushRetrievalFilter::<T, F>,
        PopRetrievalFilter: PopRetrievalFilter::<T, F>,
        GetRetrievalFilterStackSize: GetRetrievalFilterStackSize::<T, F>,
        AddMessage: AddMessage::<T, F>,
        AddApplicationMessage: AddApplicationMessage::<T, F>,
        SetBreakOnCategory: SetBreakOnCategory::<T, F>,
        SetBreakOnSeverity: SetBreakOnSeverity::<T, F>,
        SetBreakOnID: SetBreakOnID::<T, F>,
        GetBreakOnCategory: GetBreakOnCategory::<T, F>,
        GetBreakOnSeverity: GetBreakOnSeverity::<T, F>,
        GetBreakOnID: GetBreakOnID::<T, F>,
        SetMuteDebugOutput: SetMuteDebugOutput::<T, F>,
        GetMuteDebugOutput: GetMuteDebugOutput::<T, F>,
        RegisterMessageCallback: RegisterMessageCallback::<T, F>,
        UnregisterMessageCallback: UnregisterMessageCallback::<T, F>,
    };
}

unsafe extern "C" fn SetMessageCountLimit<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u64) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetMessageCountLimit(this, a0) })
}

unsafe extern "C" fn ClearStoredMessages<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearStoredMessages(this) })
}

unsafe extern "C" fn GetMessage<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u64, a1: *mut D3D12_MESSAGE, a2: *mut usize) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetMessage(this, a0, a1, a2) })
}

unsafe extern "C" fn GetNumMessagesAllowedByStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetNumMessagesAllowedByStorageFilter(this) })
}

unsafe extern "C" fn GetNumMessagesDeniedByStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetNumMessagesDeniedByStorageFilter(this) })
}

unsafe extern "C" fn GetNumStoredMessages<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetNumStoredMessages(this) })
}

unsafe extern "C" fn GetNumStoredMessagesAllowedByRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetNumStoredMessagesAllowedByRetrievalFilter(this) })
}

unsafe extern "C" fn GetNumMessagesDiscardedByMessageCountLimit<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetNumMessagesDiscardedByMessageCountLimit(this) })
}

unsafe extern "C" fn GetMessageCountLimit<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u64 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetMessageCountLimit(this) })
}

unsafe extern "C" fn AddStorageFilterEntries<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AddStorageFilterEntries(this, a0) })
}

unsafe extern "C" fn GetStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_INFO_QUEUE_FILTER, a1: *mut usize) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetStorageFilter(this, a0, a1) })
}

unsafe extern "C" fn ClearStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearStorageFilter(this) })
}

unsafe extern "C" fn PushEmptyStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PushEmptyStorageFilter(this) })
}

unsafe extern "C" fn PushCopyOfStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PushCopyOfStorageFilter(this) })
}

unsafe extern "C" fn PushStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PushStorageFilter(this, a0) })
}

unsafe extern "C" fn PopStorageFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PopStorageFilter(this) })
}

unsafe extern "C" fn GetStorageFilterStackSize<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetStorageFilterStackSize(this) })
}

unsafe extern "C" fn AddRetrievalFilterEntries<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AddRetrievalFilterEntries(this, a0) })
}

unsafe extern "C" fn GetRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_INFO_QUEUE_FILTER, a1: *mut usize) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetRetrievalFilter(this, a0, a1) })
}

unsafe extern "C" fn ClearRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::ClearRetrievalFilter(this) })
}

unsafe extern "C" fn PushEmptyRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PushEmptyRetrievalFilter(this) })
}

unsafe extern "C" fn PushCopyOfRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PushCopyOfRetrievalFilter(this) })
}

unsafe extern "C" fn PushRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PushRetrievalFilter(this, a0) })
}

unsafe extern "C" fn PopRetrievalFilter<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::PopRetrievalFilter(this) })
}

unsafe extern "C" fn GetRetrievalFilterStackSize<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> u32 {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetRetrievalFilterStackSize(this) })
}

unsafe extern "C" fn AddMessage<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: u32, a2: u32, a3: *const c_char) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AddMessage(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn AddApplicationMessage<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: *const c_char) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::AddApplicationMessage(this, a0, a1) })
}

unsafe extern "C" fn SetBreakOnCategory<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: BOOL) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetBreakOnCategory(this, a0, a1) })
}

unsafe extern "C" fn SetBreakOnSeverity<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: BOOL) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetBreakOnSeverity(this, a0, a1) })
}

unsafe extern "C" fn SetBreakOnID<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32, a1: BOOL) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetBreakOnID(this, a0, a1) })
}

unsafe extern "C" fn GetBreakOnCategory<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetBreakOnCategory(this, a0) })
}

unsafe extern "C" fn GetBreakOnSeverity<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetBreakOnSeverity(this, a0) })
}

unsafe extern "C" fn GetBreakOnID<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetBreakOnID(this, a0) })
}

unsafe extern "C" fn SetMuteDebugOutput<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: BOOL) {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::SetMuteDebugOutput(this, a0) })
}

unsafe extern "C" fn GetMuteDebugOutput<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void) -> BOOL {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::GetMuteDebugOutput(this) })
}

unsafe extern "C" fn RegisterMessageCallback<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: D3D12MessageFunc, a1: u32, a2: *mut c_void, a3: *mut u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::RegisterMessageCallback(this, a0, a1, a2, a3) })
}

unsafe extern "C" fn UnregisterMessageCallback<T: ID3D12InfoQueue1, F: Face<T>>(this: *mut c_void, a0: u32) -> HRESULT {
    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.
    let this = unsafe { F::object(this) };
    // SAFETY: as above.
    guard(this, || unsafe { T::UnregisterMessageCallback(this, a0) })
}
