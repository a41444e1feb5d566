//! Why a call failed.

use heapstone_driver::DriverError;
use heapstone_kernel::{
    AllocateError, ConfigError, OutOfVideoMemory, OutOfVirtualAddress, ReserveAddressError,
};
use heapstone_spec::Violation;
use heapstone_spec::profile::ProfileError;
use heapstone_units::Bytes;

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
    /// Memory of the system that runs this program.
    #[error("{0}")]
    System(DriverError),
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
            ReserveAddressError::SizeIsZero => {
                unreachable!("invariant: a legal resource takes at least one byte")
            }
        }
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
