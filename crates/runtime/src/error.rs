//! Why a call failed.

use heapstone_driver::DriverError;
use heapstone_kernel::residency::{OverBudget, ProcessRemoval};
use heapstone_kernel::{
    AddressObstacle, AddressUnavailable, AllocateError, ConfigError, OutOfVideoMemory, OutOfVirtualAddress,
    ReserveAddressError,
};
use heapstone_scheduler::{Deadlock, WouldDeadlock};
use heapstone_spec::Violation;
use heapstone_spec::profile::ProfileError;
use heapstone_spec::rules::address as rules;
use heapstone_units::Bytes;

use crate::fault::GpuFault;

/// Why a call failed. Nothing has changed.
///
/// Every variant is one pointer, so that a result travels in two registers, and what succeeds pays
/// nothing for what could have gone wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller broke a rule: E_INVALIDARG in D3D12.
    #[error(transparent)]
    Invalid(#[from] Box<Violation>),
    /// The world has no memory or addresses left: E_OUTOFMEMORY in D3D12.
    #[error(transparent)]
    OutOfMemory(Box<OutOfMemory>),
    /// The device was removed, before or by this call: DXGI_ERROR_DEVICE_REMOVED in D3D12.
    #[error("the device is removed: {0}")]
    DeviceRemoved(Box<RemovalReason>),
    /// The call would wait for what nobody is going to do.
    #[error(transparent)]
    Deadlock(Box<Stuck>),
    /// The driver failed otherwise.
    #[error("driver: {0}")]
    Driver(Box<DriverError>),
    /// The device or adapter cannot be built.
    #[error(transparent)]
    Build(#[from] Box<BuildError>),
}

/// Why [`crate::Adapter::open`] or [`crate::DeviceBuilder::build`] failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The profile contradicts itself.
    #[error("profile: {0}")]
    Profile(ProfileError),
    /// What the driver reports contradicts the rest of the profile.
    #[error("the driver's capabilities: {0}")]
    DriverCaps(ProfileError),
    /// The kernel cannot manage the adapter's memory as the profile describes it.
    #[error("adapter memory: {0}")]
    AdapterMemory(ConfigError),
    /// A builder was not told what it needs.
    #[error("the device builder needs {what}")]
    Incomplete {
        /// What is missing.
        what: &'static str,
    },
    /// The adapter has given out every process identifier it has.
    #[error("the adapter has no process identifier left for another device")]
    TooManyDevices,
}

/// What there was too little of.
#[derive(Debug, thiserror::Error)]
pub enum OutOfMemory {
    /// Physical memory of the segments.
    #[error(transparent)]
    VideoMemory(Box<OutOfVideoMemory>),
    /// GPU virtual addresses of the process.
    #[error(transparent)]
    VirtualAddress(Box<OutOfVirtualAddress>),
    /// The process's share of ALLOW_SHADER_ATOMICS heaps that a peer sees
    /// (spec/2-resource-heaps.txt 1465, 1522).
    #[error(
        "heaps that a peer node's shader atomics reach: {} asked, {} already taken, at most {} for a process",
        Bytes(*requested), Bytes(*taken), Bytes(*maximum)
    )]
    ShaderAtomics {
        /// Bytes asked.
        requested: u64,
        /// Bytes of such heaps alive; eviction does not lower it.
        taken: u64,
        /// The profile's `memory.shader_atomics_heap_bytes_max`.
        maximum: u64,
    },
    /// The process's budget, with DENY_OVERBUDGET.
    #[error(transparent)]
    Budget(Box<OverBudget>),
    /// Memory of the system that runs this program.
    #[error("{0}")]
    System(DriverError),
}

/// Why a device is removed: what GetDeviceRemovedReason tells.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemovalReason {
    /// A call that no device can go on after: DXGI_ERROR_INVALID_CALL.
    #[error("invalid call: {0}")]
    InvalidCall(Box<Violation>),
    /// An engine faulted: DXGI_ERROR_DEVICE_HUNG.
    #[error("{0}")]
    Fault(GpuFault),
    /// The memory manager took it, as what it needs finds no place (spec/2-resource-heaps.txt 1625).
    #[error("{0}")]
    Memory(ProcessRemoval),
    /// The program removed it (ID3D12Device5::RemoveDevice).
    #[error("removed by the program")]
    Requested,
    /// Work panicked, which is a bug of ours, or an [`crate::Observer`] did that heard of it: whoever waits is told,
    /// and no thread hangs. DXGI_ERROR_DRIVER_INTERNAL_ERROR.
    #[error("the work of a queue panicked, or an observer that was told of it")]
    Panicked,
}

/// What would wait without end.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stuck {
    /// Every queue is idle or waits, and the value is not reached.
    #[error(transparent)]
    Queues(Deadlock),
    /// The CPU would wait for a packet that only a step runs.
    #[error(transparent)]
    Cpu(WouldDeadlock),
}

impl From<RemovalReason> for Error {
    #[cold]
    fn from(reason: RemovalReason) -> Error {
        Error::DeviceRemoved(Box::new(reason))
    }
}

impl Error {
    /// The rule that was broken, where one was.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Error::Invalid(violation) => Some(violation),
            _ => None,
        }
    }

    /// Whether memory or addresses ran out.
    #[must_use]
    pub const fn is_out_of_memory(&self) -> bool {
        matches!(self, Error::OutOfMemory(_))
    }
}

const _: () = assert!(size_of::<Result<(), Error>>() == 16);

impl From<OutOfMemory> for Error {
    #[cold]
    fn from(error: OutOfMemory) -> Error {
        Error::OutOfMemory(Box::new(error))
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        Error::Build(Box::new(error))
    }
}

impl From<AllocateError> for Error {
    fn from(error: AllocateError) -> Error {
        match error {
            AllocateError::OutOfVideoMemory(shortage) => OutOfMemory::VideoMemory(shortage).into(),
            AllocateError::OutOfVirtualAddress(shortage) => OutOfMemory::VirtualAddress(shortage).into(),
            AllocateError::AddressUnavailable(unavailable) => address_violation(&unavailable).into(),
            // The heap's rules come first: a size is not 0, a node exists and has the pool.
            AllocateError::SizeIsZero | AllocateError::UnknownNode(_) | AllocateError::NoSuchPool { .. } => {
                unreachable!("invariant: what the kernel refuses as illegal was refused before: {error}")
            }
        }
    }
}

impl From<ReserveAddressError> for Error {
    fn from(error: ReserveAddressError) -> Error {
        match error {
            ReserveAddressError::OutOfVirtualAddress(shortage) => {
                OutOfMemory::VirtualAddress(shortage).into()
            }
            ReserveAddressError::AddressUnavailable(unavailable) => address_violation(&unavailable).into(),
            ReserveAddressError::SizeIsZero => {
                unreachable!("invariant: a legal resource takes at least one byte")
            }
        }
    }
}

/// The kernel's refusal of an address that SetNextAllocationAddress set, as the rule that it is.
#[cold]
fn address_violation(unavailable: &AddressUnavailable) -> Box<Violation> {
    let AddressUnavailable { address, size, obstacle } = unavailable;
    let given = format_args!("{address}, {size} bytes").to_string();
    let field = "SetNextAllocationAddress";
    match obstacle {
        AddressObstacle::Misaligned { alignment } => {
            rules::ALIGNMENT.violated(field, given, format_args!("a multiple of {}", alignment.bytes()))
        }
        AddressObstacle::OutsideSpace { space } => {
            rules::RANGE.violated(field, given, format_args!("within {:#x} to {:#x}", space.begin, space.end))
        }
        AddressObstacle::Taken { by } => rules::TAKEN.violated(
            field,
            given,
            format_args!("free addresses; {:#x} to {:#x} is taken", by.begin, by.end),
        ),
    }
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Error {
        match error {
            DriverError::OutOfMemory { .. } => OutOfMemory::System(error).into(),
            other => Error::Driver(Box::new(other)),
        }
    }
}
