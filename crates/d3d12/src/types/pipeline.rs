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
