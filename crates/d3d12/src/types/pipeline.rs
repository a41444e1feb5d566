//! What needs a shader: descriptions of objects that are kept and never run.

use core::ffi::c_void;

use super::abi;

abi! {
    pub struct D3D12_COMMAND_SIGNATURE_DESC: 24 {
        ByteStride: u32 = 0,
        NumArgumentDescs: u32 = 4,
        pArgumentDescs: *const c_void = 8,
        NodeMask: u32 = 16,
    }

    pub struct D3D12_PIPELINE_STATE_STREAM_DESC: 16 { SizeInBytes: usize = 0, pPipelineStateSubobjectStream: *mut c_void = 8, }

    pub struct D3D12_SHADER_BYTECODE: 16 { pShaderBytecode: *const c_void = 0, BytecodeLength: usize = 8, }

    pub struct D3D12_CACHED_PIPELINE_STATE: 16 { pCachedBlob: *const c_void = 0, CachedBlobSizeInBytes: usize = 8, }

    pub struct D3D12_COMPUTE_PIPELINE_STATE_DESC: 56 {
        pRootSignature: *mut c_void = 0,
        CS: D3D12_SHADER_BYTECODE = 8,
        NodeMask: u32 = 24,
        CachedPSO: D3D12_CACHED_PIPELINE_STATE = 32,
        Flags: u32 = 48,
    }
}

abi! {
    pub struct D3D12_ROOT_PARAMETER: 32 { ParameterType: u32 = 0, u: RootParameterUnion = 8, ShaderVisibility: u32 = 24, }

    /// The versions of D3D12_ROOT_SIGNATURE_DESC have the same shape: what the pointers point to differs.
    pub struct D3D12_ROOT_SIGNATURE_DESC: 40 {
        NumParameters: u32 = 0,
        pParameters: *const D3D12_ROOT_PARAMETER = 8,
        NumStaticSamplers: u32 = 16,
        pStaticSamplers: *const c_void = 24,
        Flags: u32 = 32,
    }

    pub struct D3D12_VERSIONED_ROOT_SIGNATURE_DESC: 48 { Version: u32 = 0, Desc: D3D12_ROOT_SIGNATURE_DESC = 8, }

    /// D3D12_ROOT_DESCRIPTOR_TABLE 0 and 1: ranges of 5 or 6 words.
    pub struct D3D12_ROOT_DESCRIPTOR_TABLE: 16 { NumDescriptorRanges: u32 = 0, pDescriptorRanges: *const c_void = 8, }
}

/// Of [`D3D12_ROOT_PARAMETER`]: a table, or the words of constants or of a descriptor.
#[repr(C)]
#[derive(Clone, Copy)]
pub union RootParameterUnion {
    pub DescriptorTable: D3D12_ROOT_DESCRIPTOR_TABLE,
    pub Words: [u32; 3],
}
