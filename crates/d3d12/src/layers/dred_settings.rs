//! ID3D12DeviceRemovedExtendedDataSettings 0 to 2: accepted. Page faults are told in any case, and breadcrumbs of a GPU that
//! works through lists in order have nothing to add.

use crate::com::{Object, class};
use crate::types::BOOL;
use crate::vtables::ID3D12DeviceRemovedExtendedDataSettings2;

/// DRED's switches.
pub struct DredSettings;

class!(DredSettings, ID3D12DeviceRemovedExtendedDataSettings2Vtbl, "ID3D12DeviceRemovedExtendedDataSettings");

impl ID3D12DeviceRemovedExtendedDataSettings2 for DredSettings {
    unsafe fn SetAutoBreadcrumbsEnablement(_this: &Object<Self>, _enablement: u32) {}

    unsafe fn SetPageFaultEnablement(_this: &Object<Self>, _enablement: u32) {}

    unsafe fn SetWatsonDumpEnablement(_this: &Object<Self>, _enablement: u32) {}

    unsafe fn SetBreadcrumbContextEnablement(_this: &Object<Self>, _enablement: u32) {}

    unsafe fn UseMarkersOnlyAutoBreadcrumbs(_this: &Object<Self>, _markers_only: BOOL) {}
}
