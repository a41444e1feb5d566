//! What the debug layer has to say of a device: kept for its info queue.

use std::collections::BTreeSet;

use parking_lot::Mutex;

use crate::configuration::DebugLevel;

/// D3D12_MESSAGE_CATEGORY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "names are D3D12's")]
pub enum Category {
    ApplicationDefined = 0,
    Miscellaneous = 1,
    Initialization = 2,
    Cleanup = 3,
    Compilation = 4,
    StateCreation = 5,
    StateSetting = 6,
    StateGetting = 7,
    ResourceManipulation = 8,
    Execution = 9,
    Shader = 10,
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
    Message = 4,
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

/// The messages of a device.
#[derive(Default)]
pub struct Messages {
    /// What is said on standard error too.
    level: DebugLevel,
    stored: Mutex<Vec<Message>>,
    reported: Mutex<BTreeSet<&'static str>>,
}

impl Messages {
    /// Of none yet.
    #[must_use]
    pub fn new(level: DebugLevel) -> Messages {
        Messages { level, ..Messages::default() }
    }

    /// Adds a message.
    pub fn add(&self, message: Message) {
        if self.level >= DebugLevel::Messages {
            eprintln!("heapstone: {}", message.text);
        }
        self.stored.lock().push(message);
    }

    /// Whether `what` is reported for the first time.
    #[must_use]
    pub fn is_first(&self, what: &'static str) -> bool {
        self.reported.lock().insert(what)
    }
}
