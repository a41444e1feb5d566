//! What the debug layer has to say of a device: kept for its info queue (`info_queue`).

use core::ffi::{CStr, c_void};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::CString;

use parking_lot::Mutex;

use crate::configuration::DebugLevel;

/// D3D12_MESSAGE_CATEGORY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "names are D3D12's")]
pub enum Category {
    ApplicationDefined = 0,
    Miscellaneous = 1,
    Cleanup = 3,
    StateCreation = 5,
    Execution = 9,
}

/// D3D12_MESSAGE_SEVERITY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
#[allow(missing_docs, reason = "names are D3D12's")]
pub enum Severity {
    Corruption = 0,
    Error = 1,
    Warning = 2,
    Info = 3,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// D3D12_MESSAGE_CATEGORY.
    pub category: u32,
    /// D3D12_MESSAGE_SEVERITY.
    pub severity: u32,
    /// D3D12_MESSAGE_ID; 0 where it has none.
    pub id: u32,
    /// What happened.
    pub text: String,
}

/// D3D12_INFO_QUEUE_FILTER: what passes is in each list of `allow` that is not empty, and in none of `deny`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// What passes alone.
    pub allow: Lists,
    /// What does not pass.
    pub deny: Lists,
}

/// D3D12_INFO_QUEUE_FILTER_DESC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    /// D3D12_MESSAGE_CATEGORY.
    pub categories: Vec<u32>,
    /// D3D12_MESSAGE_SEVERITY.
    pub severities: Vec<u32>,
    /// D3D12_MESSAGE_ID.
    pub ids: Vec<u32>,
}

impl Lists {
    fn pairs<'a>(&'a self, message: &Message) -> [(&'a [u32], u32); 3] {
        [(&self.categories, message.category), (&self.severities, message.severity), (&self.ids, message.id)]
    }

    fn extend(&mut self, other: &Lists) {
        self.categories.extend(&other.categories);
        self.severities.extend(&other.severities);
        self.ids.extend(&other.ids);
    }
}

impl Filter {
    /// Whether `message` passes.
    #[must_use]
    pub fn passes(&self, message: &Message) -> bool {
        self.allow.pairs(message).iter().all(|(list, value)| list.is_empty() || list.contains(value))
            && !self.deny.pairs(message).iter().any(|(list, value)| list.contains(value))
    }

    /// Adds the other's entries.
    pub fn extend(&mut self, other: &Filter) {
        self.allow.extend(&other.allow);
        self.deny.extend(&other.deny);
    }
}

/// A stack of filters, of which the top counts; without any everything passes.
#[derive(Default)]
pub struct FilterStack(Vec<Filter>);

impl FilterStack {
    fn passes(&self, message: &Message) -> bool {
        self.0.last().is_none_or(|filter| filter.passes(message))
    }

    /// The top: an empty one where there is none.
    #[must_use]
    pub fn top(&self) -> Filter {
        self.0.last().cloned().unwrap_or_default()
    }

    /// Adds entries to the top, which is made where there is none.
    pub fn extend_top(&mut self, entries: &Filter) {
        if self.0.is_empty() {
            self.0.push(Filter::default());
        }
        if let Some(top) = self.0.last_mut() {
            top.extend(entries);
        }
    }

    /// Takes all entries of the top away.
    pub fn clear_top(&mut self) {
        if let Some(top) = self.0.last_mut() {
            *top = Filter::default();
        }
    }

    /// Puts a filter on top.
    pub fn push(&mut self, filter: Filter) {
        self.0.push(filter);
    }

    /// Takes the top away.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// How many there are.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.0.len()
    }
}

/// A client's function, told of each message as it comes.
#[derive(Clone, Copy)]
pub struct Callback {
    /// D3D12MessageFunc.
    pub function: unsafe extern "C" fn(u32, u32, u32, *const core::ffi::c_char, *mut c_void),
    /// What the client wants back.
    pub context: *mut c_void,
    /// D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS.
    pub ignores_filters: bool,
}

// SAFETY: the client's word that any thread may call it.
unsafe impl Send for Callback {}

/// The messages of a device, and how they are filtered.
pub struct Messages {
    /// What is said on standard error too.
    level: DebugLevel,
    state: Mutex<State>,
    reported: Mutex<BTreeSet<&'static str>>,
    callbacks: Mutex<Callbacks>,
}

/// What the info queue's methods look at and change.
pub struct State {
    stored: VecDeque<Message>,
    /// How many are kept; `u64::MAX`: all.
    pub limit: u64,
    /// Which are kept.
    pub storage: FilterStack,
    /// Which are shown.
    pub retrieval: FilterStack,
    /// How many the storage filter let through.
    pub allowed: u64,
    /// How many it did not.
    pub denied: u64,
    /// How many went because of the limit.
    pub discarded: u64,
    /// What the client would have a debugger stop at: stored only, as there is none.
    pub breaks: BTreeSet<(Break, u32)>,
    /// Whether the client wants no output.
    pub is_muted: bool,
}

/// What SetBreakOn... names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "names are D3D12's")]
pub enum Break {
    Category,
    Severity,
    Id,
}

#[derive(Default)]
struct Callbacks {
    last_cookie: u32,
    registered: BTreeMap<u32, Callback>,
}

/// Messages that are kept unless the client says otherwise (Microsoft's documentation of info queues).
const LIMIT: u64 = 1024;

impl Default for Messages {
    fn default() -> Messages {
        let state = State {
            stored: VecDeque::new(),
            limit: LIMIT,
            storage: FilterStack::default(),
            retrieval: FilterStack::default(),
            allowed: 0,
            denied: 0,
            discarded: 0,
            breaks: BTreeSet::new(),
            is_muted: false,
        };
        Messages {
            level: DebugLevel::default(),
            state: Mutex::new(state),
            reported: Mutex::default(),
            callbacks: Mutex::default(),
        }
    }
}

impl State {
    /// Those that the retrieval filter shows, in the order in which they came.
    pub fn shown(&self) -> impl Iterator<Item = &Message> {
        self.stored.iter().filter(|message| self.retrieval.passes(message))
    }

    /// How many are kept.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.stored.len()
    }

    /// Lets all go.
    pub fn clear(&mut self) {
        self.stored.clear();
    }

    /// Lets the oldest go while there are too many.
    pub fn enforce_limit(&mut self) {
        while u64::try_from(self.stored.len()).is_ok_and(|count| count > self.limit) {
            self.stored.pop_front();
            self.discarded += 1;
        }
    }

    /// Whether it is kept.
    fn store(&mut self, message: Message) -> bool {
        if !self.storage.passes(&message) {
            self.denied += 1;
            return false;
        }
        self.allowed += 1;
        self.stored.push_back(message);
        self.enforce_limit();
        true
    }
}

impl Messages {
    /// Of none yet.
    #[must_use]
    pub fn new(level: DebugLevel) -> Messages {
        Messages { level, ..Messages::default() }
    }

    /// Looks at the state, or changes it.
    pub fn with<R>(&self, call: impl FnOnce(&mut State) -> R) -> R {
        call(&mut self.state.lock())
    }

    /// Adds a message, and tells those who want to know.
    pub fn add(&self, message: Message) {
        if self.level >= DebugLevel::Messages && !self.with(|state| state.is_muted) {
            eprintln!("heapstone: {}", message.text);
        }
        let callbacks: Vec<Callback> = self.callbacks.lock().registered.values().copied().collect();
        if callbacks.is_empty() {
            self.state.lock().store(message);
            return;
        }
        let is_stored = self.state.lock().store(message.clone());
        // Outside the locks: the client may look at the queue.
        let text = CString::new(message.text.replace('\0', "")).unwrap_or_default();
        for callback in callbacks.iter().filter(|callback| is_stored || callback.ignores_filters) {
            let text: &CStr = &text;
            // SAFETY: the client registered it for this.
            unsafe {
                (callback.function)(
                    message.category,
                    message.severity,
                    message.id,
                    text.as_ptr(),
                    callback.context,
                );
            }
        }
    }

    /// Whether `what` is reported for the first time.
    #[must_use]
    pub fn is_first(&self, what: &'static str) -> bool {
        self.reported.lock().insert(what)
    }

    /// The cookie that ends it.
    pub fn register(&self, callback: Callback) -> u32 {
        let mut callbacks = self.callbacks.lock();
        callbacks.last_cookie += 1;
        let cookie = callbacks.last_cookie;
        callbacks.registered.insert(cookie, callback);
        cookie
    }

    /// Whether there was one.
    pub fn unregister(&self, cookie: u32) -> bool {
        self.callbacks.lock().registered.remove(&cookie).is_some()
    }
}
