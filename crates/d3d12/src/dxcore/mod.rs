//! DXCore's factory, lists and adapters. Factory and adapters are each one object for the process, as DXCore has them.
//!
//! Result codes are those of Microsoft's documentation of each method.

mod adapter;
mod factory;
mod list;
mod properties;

pub use adapter::Adapter;
pub use factory::Factory;
pub use list::AdapterList;

pub(crate) use factory::create;

use crate::types::GUID;

/// DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS.
pub(crate) const D3D12_GRAPHICS: GUID = GUID::parse("0c9ece4d-2f6e-4f01-8c96-e89e331b47b1");
/// DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE.
pub(crate) const D3D12_CORE_COMPUTE: GUID = GUID::parse("248e2800-a793-4724-abaa-23a6de1be090");

/// Whether adapters have that attribute: all here have the same.
pub(crate) fn has_attribute(attribute: &GUID) -> bool {
    [D3D12_GRAPHICS, D3D12_CORE_COMPUTE].contains(attribute)
}
