//! Why a command stops its engine.

use heapstone_driver::DriverError;
use heapstone_driver::dma::MalformedStream;
use heapstone_driver::engine::{EngineFault, PageFaultReason};
use heapstone_units::GpuVirtualAddress;

/// Why a command stops; where it stands is added later.
#[derive(Debug)]
pub(super) enum Stop {
    Malformed(&'static str),
    Fault(EngineFault),
}

impl Stop {
    pub(super) const fn page_fault(address: u64, is_write: bool, reason: PageFaultReason) -> Stop {
        Stop::Fault(EngineFault::PageFault { address: GpuVirtualAddress(address), is_write, reason })
    }

    /// Of the command whose header is `word`.
    #[cold]
    pub(super) fn at(self, word: usize) -> EngineFault {
        match self {
            Stop::Malformed(reason) => EngineFault::Malformed(MalformedStream { word, reason }),
            Stop::Fault(fault) => fault,
        }
    }
}

impl From<DriverError> for Stop {
    fn from(error: DriverError) -> Stop {
        Stop::Fault(EngineFault::Driver(error))
    }
}
