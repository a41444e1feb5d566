//! Why a call failed, as an HRESULT: the one place where errors of the library become D3D12's.

use core::fmt;

use heapstone::{Error, RemovalReason, Violation};

use crate::types::{
    DXGI_ERROR_DEVICE_HUNG, DXGI_ERROR_DEVICE_REMOVED, DXGI_ERROR_DRIVER_INTERNAL_ERROR,
    DXGI_ERROR_INVALID_CALL, E_FAIL, E_INVALIDARG, E_OUTOFMEMORY, HRESULT,
};

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// The library's reason.
    Error(Error),
    /// An argument that D3D12 has no word for.
    Unknown(Unknown),
    /// NULL where an object or a structure is needed, or an object of another kind or of somebody else's.
    Argument(&'static str),
    /// A reason that has only a number.
    Code(HRESULT),
}

/// A number that is none of its enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The field.
    pub field: &'static str,
    /// What was given.
    pub given: u64,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} is none of its values", self.field, self.given)
    }
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl From<Unknown> for Failure {
    #[cold]
    fn from(unknown: Unknown) -> Failure {
        Failure::Unknown(unknown)
    }
}

impl From<HRESULT> for Failure {
    #[cold]
    fn from(code: HRESULT) -> Failure {
        Failure::Code(code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Error(error) => error.fmt(f),
            Failure::Unknown(unknown) => unknown.fmt(f),
            Failure::Argument(what) => f.write_str(what),
            Failure::Code(code) => write!(f, "{code:?}"),
        }
    }
}

impl Failure {
    /// What the caller gets.
    pub fn code(&self) -> HRESULT {
        match self {
            Failure::Error(error) => code_of(error),
            Failure::Unknown(_) | Failure::Argument(_) => E_INVALIDARG,
            Failure::Code(code) => *code,
        }
    }

    /// The rule that was broken, where the library found one.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Failure::Error(error) => error.violation(),
            _ => None,
        }
    }
}

/// Rules whose violation D3D12 answers with E_FAIL: calls at the wrong time, not with wrong arguments
/// (facts/behaviour.md, Lists, queues, fences; Microsoft's documentation of Close and Reset).
const E_FAIL_RULES: &[&str] =
    &["allocator.reset.recording", "allocator.reset.in_flight", "list.closed", "list.open"];

/// The HRESULT of an error.
pub fn code_of(error: &Error) -> HRESULT {
    match error {
        Error::Invalid(violation) if E_FAIL_RULES.contains(&violation.rule.id) => E_FAIL,
        Error::Invalid(_) | Error::Build(_) => E_INVALIDARG,
        Error::OutOfMemory(_) => E_OUTOFMEMORY,
        Error::DeviceRemoved(_) => DXGI_ERROR_DEVICE_REMOVED,
        _ => E_FAIL,
    }
}

/// What GetDeviceRemovedReason answers.
pub fn removal_code(reason: &RemovalReason) -> HRESULT {
    match reason {
        RemovalReason::InvalidCall(_) => DXGI_ERROR_INVALID_CALL,
        RemovalReason::Fault(_) => DXGI_ERROR_DEVICE_HUNG,
        RemovalReason::Panicked => DXGI_ERROR_DRIVER_INTERNAL_ERROR,
        _ => DXGI_ERROR_DEVICE_REMOVED,
    }
}
