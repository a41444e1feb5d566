//! What an adapter tells of itself.

use crate::adapters::{AdapterEntry, DRIVER_VERSION};
use crate::types::{DXGI_ERROR_INVALID_CALL, DXGI_ERROR_UNSUPPORTED, HRESULT};

/// D3DKMT_DRIVERVERSION of WDDM 2.9, the first of which every Linux kernel of the subsystem for Linux is (chosen).
const KMD_MODEL_VERSION: u32 = 2900;

/// Whether a DXCoreAdapterProperty is one that adapters here have.
pub(super) fn is_supported(property: u32) -> bool {
    property <= 14
}

/// The bytes of a DXCoreAdapterProperty.
///
/// # Errors
/// DXGI_ERROR_UNSUPPORTED for those that take an input; DXGI_ERROR_INVALID_CALL for what is none.
pub(super) fn read(entry: &AdapterEntry, property: u32) -> Result<Vec<u8>, HRESULT> {
    let identity = &entry.adapter.profile().identity;
    let sizes = entry.memory_sizes();
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    Ok(match property {
        // InstanceLuid
        0 => words(&[entry.luid.LowPart, entry.luid.HighPart.cast_unsigned()]),
        // DriverVersion
        1 => DRIVER_VERSION.to_ne_bytes().into(),
        // DriverDescription, which is text in UTF-8
        2 => [identity.description.as_bytes(), &[0]].concat(),
        // HardwareID
        3 => words(&[identity.vendor_id, identity.device_id, identity.subsystem_id, identity.revision]),
        // KmdModelVersion
        4 => words(&[KMD_MODEL_VERSION]),
        // ComputePreemptionGranularity, GraphicsPreemptionGranularity: DMA buffers run to their end
        5 | 6 => 0_u16.to_ne_bytes().into(),
        // DedicatedAdapterMemory
        7 => sizes.dedicated.to_ne_bytes().into(),
        // DedicatedSystemMemory
        8 => 0_u64.to_ne_bytes().into(),
        // SharedSystemMemory
        9 => sizes.shared.to_ne_bytes().into(),
        // AcgCompatible
        10 => vec![0],
        // IsHardware
        11 => vec![u8::from(!entry.is_software())],
        // IsIntegrated
        12 => vec![u8::from(entry.adapter.profile().architecture.uma)],
        // IsDetachable
        13 => vec![0],
        // HardwareIDParts: the subsystem's upper half is its device, the lower its vendor, as PCI has it
        14 => words(&[
            identity.vendor_id,
            identity.device_id,
            identity.subsystem_id >> 16,
            identity.subsystem_id & 0xffff,
            identity.revision,
        ]),
        // PhysicalAdapterCount and what later headers have
        15..=17 => return Err(DXGI_ERROR_UNSUPPORTED),
        _ => return Err(DXGI_ERROR_INVALID_CALL),
    })
}
