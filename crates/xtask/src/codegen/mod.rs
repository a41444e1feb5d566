//! Writes the vtables of crate d3d12 from a description of the interfaces.
//!
//! ```text
//!   interfaces.tsv --parse--> Description --+
//!   src/types/*.rs --names--> Types --------+--write--> src/vtables/*.rs, one for each family
//! ```
//! A family is a chain of versions, named by its last: ID3D12Heap1 is ID3D12Heap's too. For each there is a trait,
//! whose methods do nothing but report unless a class has its own, and a vtable with a constructor for each
//! calling convention (facts/abi.md, Calling convention).

mod description;
mod types;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub use description::{Description, Interface, Method};
pub use types::Types;

/// The families: the last interface of each chain, and the module that holds it.
pub const FAMILIES: &[(&str, &str)] = &[
    ("ID3D10Blob", "blob"),
    ("ID3D12CommandAllocator", "command_allocator"),
    ("ID3D12CommandQueue1", "command_queue"),
    ("ID3D12CommandSignature", "command_signature"),
    ("ID3D12CompatibilityDevice", "compatibility_device"),
    ("ID3D12Debug1", "debug1"),
    ("ID3D12Debug2", "debug2"),
    ("ID3D12Debug6", "debug"),
    ("ID3D12DebugCommandList1", "debug_command_list1"),
    ("ID3D12DebugCommandList3", "debug_command_list"),
    ("ID3D12DebugCommandQueue1", "debug_command_queue"),
    ("ID3D12DebugDevice1", "debug_device1"),
    ("ID3D12DebugDevice2", "debug_device"),
    ("ID3D12DescriptorHeap", "descriptor_heap"),
    ("ID3D12Device15", "device"),
    ("ID3D12DeviceConfiguration1", "device_configuration"),
    ("ID3D12DeviceFactory", "device_factory"),
    ("ID3D12DeviceRemovedExtendedData2", "device_removed_extended_data"),
    ("ID3D12DeviceRemovedExtendedDataSettings2", "device_removed_extended_data_settings"),
    ("ID3D12DeviceTools", "device_tools"),
    ("ID3D12Fence1", "fence"),
    ("ID3D12GraphicsCommandList10", "graphics_command_list"),
    ("ID3D12Heap1", "heap"),
    ("ID3D12InfoQueue1", "info_queue"),
    ("ID3D12LifetimeTracker", "lifetime_tracker"),
    ("ID3D12PageableTools", "pageable_tools"),
    ("ID3D12PipelineLibrary1", "pipeline_library"),
    ("ID3D12PipelineState1", "pipeline_state"),
    ("ID3D12ProtectedResourceSession1", "protected_resource_session"),
    ("ID3D12QueryHeap", "query_heap"),
    ("ID3D12Resource2", "resource"),
    ("ID3D12RootSignature", "root_signature"),
    ("ID3D12RootSignatureDeserializer", "root_signature_deserializer"),
    ("ID3D12SDKConfiguration1", "sdk_configuration"),
    ("ID3D12ShaderCacheSession", "shader_cache_session"),
    ("ID3D12SharingContract", "sharing_contract"),
    ("ID3D12StateObject", "state_object"),
    ("ID3D12Tools2", "tools"),
    ("ID3D12VersionedRootSignatureDeserializer", "versioned_root_signature_deserializer"),
    ("ID3DDestructionNotifier", "destruction_notifier"),
    ("IDXCoreAdapter1", "dxcore_adapter"),
    ("IDXCoreAdapterFactory1", "dxcore_adapter_factory"),
    ("IDXCoreAdapterList", "dxcore_adapter_list"),
    ("IDXGIAdapter3", "dxgi_adapter"),
    ("IDXGIFactory4", "dxgi_factory"),
];

/// The files of `crates/d3d12/src/vtables`, by name, as the description has them.
///
/// # Errors
/// Where the description contradicts itself, or a type is not known; a file that cannot be read.
pub fn generate(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let folder = root.join("crates/d3d12");
    let description = Description::parse(&read(&folder.join("interfaces.tsv"))?)?;
    let types = Types::read(&folder.join("src/types"))?;
    let mut files = BTreeMap::new();
    for (interface, module) in FAMILIES {
        files.insert(format!("{module}.rs"), write::family(&description, &types, interface)?);
    }
    files.insert("mod.rs".to_owned(), write::root(&description, FAMILIES));
    Ok(files)
}

/// Writes what [`generate`] answers.
///
/// # Errors
/// Those of [`generate`]; a file that cannot be written.
pub fn write(root: &Path) -> Result<(), String> {
    let folder = root.join("crates/d3d12/src/vtables");
    for (name, text) in generate(root)? {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
