//! ID3D12InfoQueue 0 and 1 of a device. It is there with and without the debug layer (chosen: the reasons of refused calls
//! are known anyway, and hiding them helps nobody).

use core::ffi::{c_char, c_void};
use core::ptr;

use super::Device;
use crate::com::{Object, text};
use crate::convert::{self, size};
use crate::failure::{Failure, Unknown};
use crate::messages::{Break, Callback, Category, Filter, FilterStack, Lists, Message, State};
use crate::types::*;
use crate::vtables::ID3D12InfoQueue1;

impl ID3D12InfoQueue1 for Device {
    unsafe fn SetMessageCountLimit(this: &Object<Self>, limit: u64) -> HRESULT {
        this.messages.with(|state| {
            state.limit = limit;
            state.enforce_limit();
        });
        S_OK
    }

    unsafe fn ClearStoredMessages(this: &Object<Self>) {
        this.messages.with(State::clear);
    }

    /// Without a place for it, how long it is with its text.
    unsafe fn GetMessage(
        this: &Object<Self>,
        index: u64,
        out: *mut D3D12_MESSAGE,
        length: *mut usize,
    ) -> HRESULT {
        if length.is_null() {
            return E_INVALIDARG;
        }
        let shown = this
            .messages
            .with(|state| usize::try_from(index).ok().and_then(|index| state.shown().nth(index).cloned()));
        let Some(message) = shown else { return E_INVALIDARG };
        let text_length = message.text.len() + 1;
        let needed = size_of::<D3D12_MESSAGE>() + text_length;
        // SAFETY: the pointers are the client's: `out` to as many bytes as `length` says.
        unsafe {
            let room = length.read();
            length.write(needed);
            if out.is_null() {
                return S_OK;
            }
            if room < needed {
                return E_INVALIDARG;
            }
            let text = out.add(1).cast::<u8>();
            ptr::copy_nonoverlapping(message.text.as_ptr(), text, message.text.len());
            text.add(message.text.len()).write(0);
            out.write(D3D12_MESSAGE {
                Category: message.category,
                Severity: message.severity,
                ID: message.id,
                pDescription: text.cast(),
                DescriptionByteLength: text_length,
            });
        }
        S_OK
    }

    unsafe fn GetNumMessagesAllowedByStorageFilter(this: &Object<Self>) -> u64 {
        this.messages.with(|state| state.allowed)
    }

    unsafe fn GetNumMessagesDeniedByStorageFilter(this: &Object<Self>) -> u64 {
        this.messages.with(|state| state.denied)
    }

    unsafe fn GetNumStoredMessages(this: &Object<Self>) -> u64 {
        count(this.messages.with(|state| state.stored()))
    }

    unsafe fn GetNumStoredMessagesAllowedByRetrievalFilter(this: &Object<Self>) -> u64 {
        count(this.messages.with(|state| state.shown().count()))
    }

    unsafe fn GetNumMessagesDiscardedByMessageCountLimit(this: &Object<Self>) -> u64 {
        this.messages.with(|state| state.discarded)
    }

    unsafe fn GetMessageCountLimit(this: &Object<Self>) -> u64 {
        this.messages.with(|state| state.limit)
    }

    unsafe fn AddStorageFilterEntries(this: &Object<Self>, filter: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { with_filter(this, storage, filter, |stack, filter| stack.extend_top(&filter)) }
    }

    unsafe fn GetStorageFilter(
        this: &Object<Self>,
        out: *mut D3D12_INFO_QUEUE_FILTER,
        length: *mut usize,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { write_filter(&this.messages.with(|state| state.storage.top()), out, length) }
    }

    unsafe fn ClearStorageFilter(this: &Object<Self>) {
        this.messages.with(|state| state.storage.clear_top());
    }

    unsafe fn PushEmptyStorageFilter(this: &Object<Self>) -> HRESULT {
        this.messages.with(|state| state.storage.push(Filter::default()));
        S_OK
    }

    unsafe fn PushCopyOfStorageFilter(this: &Object<Self>) -> HRESULT {
        this.messages.with(|state| {
            let top = state.storage.top();
            state.storage.push(top);
        });
        S_OK
    }

    unsafe fn PushStorageFilter(this: &Object<Self>, filter: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { with_filter(this, storage, filter, FilterStack::push) }
    }

    unsafe fn PopStorageFilter(this: &Object<Self>) {
        this.messages.with(|state| state.storage.pop());
    }

    unsafe fn GetStorageFilterStackSize(this: &Object<Self>) -> u32 {
        u32::try_from(this.messages.with(|state| state.storage.depth())).unwrap_or(u32::MAX)
    }

    unsafe fn AddRetrievalFilterEntries(
        this: &Object<Self>,
        filter: *mut D3D12_INFO_QUEUE_FILTER,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { with_filter(this, retrieval, filter, |stack, filter| stack.extend_top(&filter)) }
    }

    unsafe fn GetRetrievalFilter(
        this: &Object<Self>,
        out: *mut D3D12_INFO_QUEUE_FILTER,
        length: *mut usize,
    ) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { write_filter(&this.messages.with(|state| state.retrieval.top()), out, length) }
    }

    unsafe fn ClearRetrievalFilter(this: &Object<Self>) {
        this.messages.with(|state| state.retrieval.clear_top());
    }

    unsafe fn PushEmptyRetrievalFilter(this: &Object<Self>) -> HRESULT {
        this.messages.with(|state| state.retrieval.push(Filter::default()));
        S_OK
    }

    unsafe fn PushCopyOfRetrievalFilter(this: &Object<Self>) -> HRESULT {
        this.messages.with(|state| {
            let top = state.retrieval.top();
            state.retrieval.push(top);
        });
        S_OK
    }

    unsafe fn PushRetrievalFilter(this: &Object<Self>, filter: *mut D3D12_INFO_QUEUE_FILTER) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { with_filter(this, retrieval, filter, FilterStack::push) }
    }

    unsafe fn PopRetrievalFilter(this: &Object<Self>) {
        this.messages.with(|state| state.retrieval.pop());
    }

    unsafe fn GetRetrievalFilterStackSize(this: &Object<Self>) -> u32 {
        u32::try_from(this.messages.with(|state| state.retrieval.depth())).unwrap_or(u32::MAX)
    }

    unsafe fn AddMessage(
        this: &Object<Self>,
        category: u32,
        severity: u32,
        id: u32,
        description: *const c_char,
    ) -> HRESULT {
        // SAFETY: the pointer is the client's.
        let Some(text) = (unsafe { text::narrow(description) }) else { return E_INVALIDARG };
        this.messages.add(Message { category, severity, id, text });
        S_OK
    }

    unsafe fn AddApplicationMessage(
        this: &Object<Self>,
        severity: u32,
        description: *const c_char,
    ) -> HRESULT {
        // SAFETY: the pointer is the client's.
        let Some(text) = (unsafe { text::narrow(description) }) else { return E_INVALIDARG };
        this.messages.add(Message { category: Category::ApplicationDefined as u32, severity, id: 0, text });
        S_OK
    }

    unsafe fn SetBreakOnCategory(this: &Object<Self>, category: u32, enable: BOOL) -> HRESULT {
        set_break(this, Break::Category, category, enable, Some(10))
    }

    unsafe fn SetBreakOnSeverity(this: &Object<Self>, severity: u32, enable: BOOL) -> HRESULT {
        set_break(this, Break::Severity, severity, enable, Some(4))
    }

    unsafe fn SetBreakOnID(this: &Object<Self>, id: u32, enable: BOOL) -> HRESULT {
        set_break(this, Break::Id, id, enable, None)
    }

    unsafe fn GetBreakOnCategory(this: &Object<Self>, category: u32) -> BOOL {
        BOOL::from(this.messages.with(|state| state.breaks.contains(&(Break::Category, category))))
    }

    unsafe fn GetBreakOnSeverity(this: &Object<Self>, severity: u32) -> BOOL {
        BOOL::from(this.messages.with(|state| state.breaks.contains(&(Break::Severity, severity))))
    }

    unsafe fn GetBreakOnID(this: &Object<Self>, id: u32) -> BOOL {
        BOOL::from(this.messages.with(|state| state.breaks.contains(&(Break::Id, id))))
    }

    unsafe fn SetMuteDebugOutput(this: &Object<Self>, mute: BOOL) {
        this.messages.with(|state| state.is_muted = mute != 0);
    }

    unsafe fn GetMuteDebugOutput(this: &Object<Self>) -> BOOL {
        BOOL::from(this.messages.with(|state| state.is_muted))
    }

    unsafe fn RegisterMessageCallback(
        this: &Object<Self>,
        function: D3D12MessageFunc,
        flags: u32,
        context: *mut c_void,
        cookie: *mut u32,
    ) -> HRESULT {
        let (Some(function), false) = (function, cookie.is_null() || flags > 1) else { return E_INVALIDARG };
        let registered = this.messages.register(Callback { function, context, ignores_filters: flags == 1 });
        // SAFETY: the client's place for it.
        unsafe { cookie.write(registered) };
        S_OK
    }

    unsafe fn UnregisterMessageCallback(this: &Object<Self>, cookie: u32) -> HRESULT {
        if this.messages.unregister(cookie) { S_OK } else { E_INVALIDARG }
    }
}

fn count(messages: usize) -> u64 {
    u64::try_from(messages).expect("invariant: an address fits 64 bits")
}

fn storage(state: &mut State) -> &mut FilterStack {
    &mut state.storage
}

fn retrieval(state: &mut State) -> &mut FilterStack {
    &mut state.retrieval
}

fn set_break(this: &Object<Device>, kind: Break, value: u32, enable: BOOL, maximum: Option<u32>) -> HRESULT {
    this.done(|| {
        if maximum.is_some_and(|maximum| value > maximum) {
            return Err(Unknown { field: "SetBreakOn", given: u64::from(value) }.into());
        }
        this.messages.with(|state| {
            if enable == 0 { state.breaks.remove(&(kind, value)) } else { state.breaks.insert((kind, value)) }
        });
        Ok(())
    })
}

unsafe fn with_filter(
    this: &Object<Device>,
    which: impl FnOnce(&mut State) -> &mut FilterStack,
    given: *mut D3D12_INFO_QUEUE_FILTER,
    change: impl FnOnce(&mut FilterStack, Filter),
) -> HRESULT {
    this.done(|| {
        // SAFETY: the pointer is the client's.
        let given = unsafe { given.as_ref() }.ok_or(Failure::Argument("pFilter is NULL"))?;
        // SAFETY: as above.
        let (allow, deny) = unsafe { (lists(&given.AllowList)?, lists(&given.DenyList)?) };
        this.messages.with(|state| change(which(state), Filter { allow, deny }));
        Ok(())
    })
}

unsafe fn lists(given: &D3D12_INFO_QUEUE_FILTER_DESC) -> Result<Lists, Failure> {
    let field = "a list of the filter is NULL";
    // SAFETY: the pointers are the client's.
    unsafe {
        Ok(Lists {
            categories: convert::slice(given.pCategoryList, given.NumCategories, field)?.to_vec(),
            severities: convert::slice(given.pSeverityList, given.NumSeverities, field)?.to_vec(),
            ids: convert::slice(given.pIDList, given.NumIDs, field)?.to_vec(),
        })
    }
}

/// The filter with its lists behind it; without a place for it, how long that is.
unsafe fn write_filter(filter: &Filter, out: *mut D3D12_INFO_QUEUE_FILTER, length: *mut usize) -> HRESULT {
    if length.is_null() {
        return E_INVALIDARG;
    }
    let all = [
        &filter.allow.categories,
        &filter.allow.severities,
        &filter.allow.ids,
        &filter.deny.categories,
        &filter.deny.severities,
        &filter.deny.ids,
    ];
    let words: usize = all.iter().map(|list| list.len()).sum();
    let needed = size_of::<D3D12_INFO_QUEUE_FILTER>() + words * size_of::<u32>();
    // SAFETY: the pointers are the client's: `out` to as many bytes as `length` says.
    unsafe {
        let room = length.read();
        length.write(needed);
        if out.is_null() {
            return S_OK;
        }
        if room < needed {
            return E_INVALIDARG;
        }
        let mut place = out.add(1).cast::<u32>();
        let mut pointers = [(0_u32, ptr::null_mut::<u32>()); 6];
        for (list, pointer) in all.iter().zip(&mut pointers) {
            ptr::copy_nonoverlapping(list.as_ptr(), place, list.len());
            let length = u32::try_from(list.len()).unwrap_or(u32::MAX);
            *pointer = (length, if list.is_empty() { ptr::null_mut() } else { place });
            place = place.add(size(length));
        }
        let desc = |at: usize| D3D12_INFO_QUEUE_FILTER_DESC {
            NumCategories: pointers[at].0,
            pCategoryList: pointers[at].1,
            NumSeverities: pointers[at + 1].0,
            pSeverityList: pointers[at + 1].1,
            NumIDs: pointers[at + 2].0,
            pIDList: pointers[at + 2].1,
        };
        out.write(D3D12_INFO_QUEUE_FILTER { AllowList: desc(0), DenyList: desc(3) });
    }
    S_OK
}
