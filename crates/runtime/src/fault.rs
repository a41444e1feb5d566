//! What an engine's fault is told with: which object its address belongs to, or lies next to.

use core::fmt;

use heapstone_driver::engine::EngineFault;
use heapstone_units::{ByteRange, GpuVirtualAddress};

use crate::address::MemoryHold;
use crate::device::DeviceInner;
use crate::observer::ObjectId;

/// A fault of an engine, and where it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuFault {
    /// As the driver tells it.
    pub fault: EngineFault,
    /// Of a page fault the object at its address, else the one whose addresses are nearest. `None`: there is none.
    pub near: Option<NearObject>,
}

/// An object at or near a faulting address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearObject {
    /// Its number; 0 on a device that nobody watches.
    pub object: ObjectId,
    /// What it is: `heap`, `committed TEXTURE2D`, ...
    pub kind: String,
    /// Its name, empty where it has none.
    pub name: String,
    /// Its addresses.
    pub range: ByteRange,
    /// The faulting address.
    pub address: GpuVirtualAddress,
}

impl GpuFault {
    /// With the nearest of `used`, which the faulting work refers to, and of what has addresses in `device`.
    pub(crate) fn locate(fault: EngineFault, device: &DeviceInner, used: Vec<MemoryHold>) -> GpuFault {
        let EngineFault::PageFault { address, .. } = fault else { return GpuFault { fault, near: None } };
        let mut candidates = used;
        candidates.extend(device.addresses.nearest(address));
        // Of those at the address the smallest: a placed resource rather than its heap.
        let nearest = candidates
            .iter()
            .min_by_key(|hold| (distance(hold.range(), address), hold.range().size()))
            .map(|hold| hold.near(address));
        GpuFault { fault, near: nearest }
    }
}

/// From the address to the nearest one of the range.
fn distance(range: ByteRange, address: GpuVirtualAddress) -> u64 {
    if address.0 < range.begin {
        range.begin - address.0
    } else if address.0 < range.end {
        0
    } else {
        (address.0 - range.end).saturating_add(1)
    }
}

impl fmt::Display for GpuFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)?;
        self.near.as_ref().map_or(Ok(()), |near| write!(f, "; {near}"))
    }
}

impl core::error::Error for GpuFault {}

impl fmt::Display for NearObject {
    /// `it is byte 65544 of the reserved BUFFER "shadow" (#4), 0x400000000 to 0x400020000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (range, address) = (self.range, self.address.0);
        if address < range.begin {
            write!(f, "it is {} bytes before the nearest object, the ", range.begin - address)?;
        } else if address < range.end {
            write!(f, "it is byte {} of the ", address - range.begin)?;
        } else {
            write!(f, "it is {} bytes behind the end of the nearest object, the ", address - range.end)?;
        }
        f.write_str(&self.kind)?;
        if !self.name.is_empty() {
            write!(f, " {:?}", self.name)?;
        }
        if self.object != ObjectId::default() {
            write!(f, " ({})", self.object)?;
        }
        write!(f, ", {:#x} to {:#x}", range.begin, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_by_its_place() {
        let near = |address, name: &str, object| NearObject {
            object: ObjectId(object),
            kind: "heap".to_owned(),
            name: name.to_owned(),
            range: ByteRange::new(0x1_0000, 0x3_0000),
            address: GpuVirtualAddress(address),
        };
        for (near, distance_wanted, text) in [
            (
                near(0xfff0, "", 0),
                16,
                "it is 16 bytes before the nearest object, the heap, 0x10000 to 0x30000",
            ),
            (near(0x1_0000, "pool", 7), 0, "it is byte 0 of the heap \"pool\" (#7), 0x10000 to 0x30000"),
            (near(0x2_ffff, "", 7), 0, "it is byte 131071 of the heap (#7), 0x10000 to 0x30000"),
            (
                near(0x3_0000, "", 0),
                1,
                "it is 0 bytes behind the end of the nearest object, the heap, 0x10000 to 0x30000",
            ),
        ] {
            assert_eq!(near.to_string(), text);
            assert_eq!(distance(near.range, near.address), distance_wanted);
        }
    }
}
