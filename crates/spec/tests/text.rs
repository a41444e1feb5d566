//! The text forms and numbers of the vocabulary, against strings and numbers typed from D3D12's headers.

use heapstone_spec::caps::{
    CrossNodeSharingTier, ResourceBindingTier, ResourceHeapTier, SamplerFeedbackTier, TightAlignmentTier,
    TiledResourcesTier,
};
use heapstone_spec::{
    BarrierLayout, CpuPageProperty, Format, HeapFlags, HeapType, MemoryPool, ResourceDimension,
    ResourceFlags, ResourceStates, SdkVersion, SegmentGroup, TextureLayout,
};

/// Number, name and back, in every direction, and in JSON.
macro_rules! enumeration {
    ($test:ident, $name:ident, $none:expr, [$( $variant:ident = $number:literal $text:literal ),* $(,)?]) => {
        #[test]
        fn $test() {
            let typed = [$( ($name::$variant, $number, $text) ),*];
            assert_eq!(typed.len(), $name::ALL.len());
            for (value, number, text) in typed {
                assert!($name::ALL.contains(&value));
                assert_eq!(value.to_d3d12(), number);
                assert_eq!($name::from_d3d12(number), Some(value));
                assert_eq!(value.to_string(), text);
                assert_eq!(text.parse(), Ok(value));
                assert_eq!(text.to_lowercase().parse(), Ok(value));
                assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{text}\""));
                assert_eq!(serde_json::from_str::<$name>(&format!("\"{text}\"")).unwrap(), value);
            }
            assert_eq!($name::from_d3d12($none), None);
            let error = "NO_SUCH".parse::<$name>().unwrap_err();
            assert!(error.to_string().contains("`NO_SUCH`"), "{error}");
            for (_, _, text) in typed {
                assert!(error.allowed.contains(text), "{error}");
            }
            assert!(serde_json::from_str::<$name>("1").is_err());
        }
    };
}

enumeration!(heap_types, HeapType, 0, [
    Default = 1 "DEFAULT", Upload = 2 "UPLOAD", Readback = 3 "READBACK", Custom = 4 "CUSTOM",
    GpuUpload = 5 "GPU_UPLOAD",
]);
enumeration!(cpu_page_properties, CpuPageProperty, 4, [
    Unknown = 0 "UNKNOWN", NotAvailable = 1 "NOT_AVAILABLE", WriteCombine = 2 "WRITE_COMBINE",
    WriteBack = 3 "WRITE_BACK",
]);
enumeration!(memory_pools, MemoryPool, 3, [Unknown = 0 "UNKNOWN", L0 = 1 "L0", L1 = 2 "L1"]);
enumeration!(resource_dimensions, ResourceDimension, 5, [
    Unknown = 0 "UNKNOWN", Buffer = 1 "BUFFER", Texture1D = 2 "TEXTURE1D", Texture2D = 3 "TEXTURE2D",
    Texture3D = 4 "TEXTURE3D",
]);
enumeration!(texture_layouts, TextureLayout, 4, [
    Unknown = 0 "UNKNOWN", RowMajor = 1 "ROW_MAJOR", Undefined64KbSwizzle = 2 "64KB_UNDEFINED_SWIZZLE",
    Standard64KbSwizzle = 3 "64KB_STANDARD_SWIZZLE",
]);
enumeration!(segment_groups, SegmentGroup, 2, [Local = 0 "LOCAL", NonLocal = 1 "NON_LOCAL"]);
enumeration!(barrier_layouts, BarrierLayout, 31, [
    Common = 0 "COMMON", GenericRead = 1 "GENERIC_READ", RenderTarget = 2 "RENDER_TARGET",
    UnorderedAccess = 3 "UNORDERED_ACCESS", DepthStencilWrite = 4 "DEPTH_STENCIL_WRITE",
    DepthStencilRead = 5 "DEPTH_STENCIL_READ", ShaderResource = 6 "SHADER_RESOURCE", CopySource = 7 "COPY_SOURCE",
    CopyDest = 8 "COPY_DEST", ResolveSource = 9 "RESOLVE_SOURCE", ResolveDest = 10 "RESOLVE_DEST",
    ShadingRateSource = 11 "SHADING_RATE_SOURCE", VideoDecodeRead = 12 "VIDEO_DECODE_READ",
    VideoDecodeWrite = 13 "VIDEO_DECODE_WRITE", VideoProcessRead = 14 "VIDEO_PROCESS_READ",
    VideoProcessWrite = 15 "VIDEO_PROCESS_WRITE", VideoEncodeRead = 16 "VIDEO_ENCODE_READ",
    VideoEncodeWrite = 17 "VIDEO_ENCODE_WRITE", DirectQueueCommon = 18 "DIRECT_QUEUE_COMMON",
    DirectQueueGenericRead = 19 "DIRECT_QUEUE_GENERIC_READ",
    DirectQueueUnorderedAccess = 20 "DIRECT_QUEUE_UNORDERED_ACCESS",
    DirectQueueShaderResource = 21 "DIRECT_QUEUE_SHADER_RESOURCE", DirectQueueCopySource = 22 "DIRECT_QUEUE_COPY_SOURCE",
    DirectQueueCopyDest = 23 "DIRECT_QUEUE_COPY_DEST", ComputeQueueCommon = 24 "COMPUTE_QUEUE_COMMON",
    ComputeQueueGenericRead = 25 "COMPUTE_QUEUE_GENERIC_READ",
    ComputeQueueUnorderedAccess = 26 "COMPUTE_QUEUE_UNORDERED_ACCESS",
    ComputeQueueShaderResource = 27 "COMPUTE_QUEUE_SHADER_RESOURCE",
    ComputeQueueCopySource = 28 "COMPUTE_QUEUE_COPY_SOURCE", ComputeQueueCopyDest = 29 "COMPUTE_QUEUE_COPY_DEST",
    VideoQueueCommon = 30 "VIDEO_QUEUE_COMMON", Undefined = 0xffff_ffff "UNDEFINED",
]);

/// Bits and text of a flag word, both ways.
macro_rules! flags {
    ($test:ident, $name:ident, $unknown:literal, [$( $bits:literal $text:literal ),* $(,)?]) => {
        #[test]
        fn $test() {
            for (bits, text) in [$( ($bits, $text) ),*] {
                let value = $name::from_bits_retain(bits);
                assert_eq!(value.to_string(), text, "{bits:#x}");
                assert_eq!(text.parse::<$name>(), Ok(value), "{text}");
                assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{text}\""));
                assert_eq!(serde_json::from_str::<$name>(&format!("\"{text}\"")).unwrap(), value);
            }
            let error = $unknown.parse::<$name>().unwrap_err();
            assert!(error.to_string().contains($unknown), "{error}");
            assert!(serde_json::from_str::<$name>("4").is_err());
        }
    };
}

flags!(heap_flags, HeapFlags, "SHARED | NO_SUCH", [
    0x0 "NONE",
    0x1 "SHARED",
    0x4 "DENY_BUFFERS",
    0x8 "ALLOW_DISPLAY",
    0x21 "SHARED | SHARED_CROSS_ADAPTER",
    0xc0 "DENY_RT_DS_TEXTURES | DENY_NON_RT_DS_TEXTURES",
    0x44 "DENY_BUFFERS | DENY_RT_DS_TEXTURES",
    0x84 "DENY_BUFFERS | DENY_NON_RT_DS_TEXTURES",
    0x100 "HARDWARE_PROTECTED",
    0x200 "ALLOW_WRITE_WATCH",
    0x400 "ALLOW_SHADER_ATOMICS",
    0x1800 "CREATE_NOT_RESIDENT | CREATE_NOT_ZEROED",
    0x2000 "TOOLS_USE_MANUAL_WRITE_TRACKING",
    0x8000_0001 "SHARED | 0x80000000",
]);
flags!(resource_flags, ResourceFlags, "ALLOW_NOTHING", [
    0x0 "NONE",
    0x1 "ALLOW_RENDER_TARGET",
    0xa "ALLOW_DEPTH_STENCIL | DENY_SHADER_RESOURCE",
    0x4 "ALLOW_UNORDERED_ACCESS",
    0x10 "ALLOW_CROSS_ADAPTER",
    0x20 "ALLOW_SIMULTANEOUS_ACCESS",
    0x40 "VIDEO_DECODE_REFERENCE_ONLY",
    0x80 "VIDEO_ENCODE_REFERENCE_ONLY",
    0x100 "RAYTRACING_ACCELERATION_STRUCTURE",
    0x400 "USE_TIGHT_ALIGNMENT",
    0x404 "ALLOW_UNORDERED_ACCESS | USE_TIGHT_ALIGNMENT",
    0x200 "0x200",
]);
flags!(resource_states, ResourceStates, "PRESENTING", [
    0x0 "COMMON",
    0x1 "VERTEX_AND_CONSTANT_BUFFER",
    0x2 "INDEX_BUFFER",
    0x4 "RENDER_TARGET",
    0x8 "UNORDERED_ACCESS",
    0x30 "DEPTH_WRITE | DEPTH_READ",
    0xc0 "NON_PIXEL_SHADER_RESOURCE | PIXEL_SHADER_RESOURCE",
    0x100 "STREAM_OUT",
    0x200 "INDIRECT_ARGUMENT",
    0x400 "COPY_DEST",
    0x800 "COPY_SOURCE",
    0x3000 "RESOLVE_DEST | RESOLVE_SOURCE",
    0x3_0000 "VIDEO_DECODE_READ | VIDEO_DECODE_WRITE",
    0xc_0000 "VIDEO_PROCESS_READ | VIDEO_PROCESS_WRITE",
    0x20_0000 "VIDEO_ENCODE_READ",
    0x40_0000 "RAYTRACING_ACCELERATION_STRUCTURE",
    0x80_0000 "VIDEO_ENCODE_WRITE",
    0x100_0000 "SHADING_RATE_SOURCE",
]);

#[test]
fn combined_flags_have_d3d12s_bits() {
    for (flags, bits) in [
        (HeapFlags::ALLOW_ONLY_BUFFERS, 0xc0),
        (HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES, 0x44),
        (HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES, 0x84),
        (HeapFlags::DENY_ALL, 0xc4),
    ] {
        assert_eq!(flags.bits(), bits);
    }
    assert_eq!("ALLOW_ONLY_BUFFERS".parse(), Ok(HeapFlags::ALLOW_ONLY_BUFFERS));
    assert_eq!("none".parse(), Ok(HeapFlags::empty()));
    // VERTEX_AND_CONSTANT_BUFFER, INDEX_BUFFER, both shader resources, INDIRECT_ARGUMENT, COPY_SOURCE.
    assert_eq!(ResourceStates::GENERIC_READ.bits(), 0x1 + 0x2 + 0x40 + 0x80 + 0x200 + 0x800);
    assert_eq!("GENERIC_READ".parse(), Ok(ResourceStates::GENERIC_READ));
    assert_eq!(ResourceStates::GENERIC_READ.to_string().parse(), Ok(ResourceStates::GENERIC_READ));
}

#[test]
fn tiers_are_d3d12s_numbers() {
    macro_rules! tier {
        ($tier:ty, $numbers:expr, $none:literal) => {
            let numbers: &[u32] = &$numbers;
            assert_eq!(<$tier>::ALL.iter().map(|tier| u32::from(*tier)).collect::<Vec<_>>(), numbers);
            assert!(<$tier>::ALL.is_sorted());
            for number in numbers {
                assert_eq!(u32::from(<$tier>::try_from(*number).unwrap()), *number);
            }
            let error = <$tier>::try_from($none).unwrap_err();
            assert!(error.contains(stringify!($none)) && error.contains(&numbers[0].to_string()), "{error}");
        };
    }
    tier!(ResourceHeapTier, [1, 2], 0);
    tier!(TiledResourcesTier, [0, 1, 2, 3, 4], 5);
    tier!(TightAlignmentTier, [0, 1], 2);
    tier!(CrossNodeSharingTier, [0, 1, 2, 3], 4);
    tier!(ResourceBindingTier, [1, 2, 3], 0);
    tier!(SamplerFeedbackTier, [0, 90, 100], 1);
}

#[test]
fn formats_are_written_as_dxgi_names_them() {
    for (format, number, text) in [
        (Format::UNKNOWN, 0, "UNKNOWN"),
        (Format::R8G8B8A8_UNORM_SRGB, 29, "R8G8B8A8_UNORM_SRGB"),
        (Format::D24_UNORM_S8_UINT, 45, "D24_UNORM_S8_UINT"),
        (Format::OPAQUE_420, 106, "420_OPAQUE"),
        (Format::B4G4R4A4_UNORM, 115, "B4G4R4A4_UNORM"),
        (Format::P208, 130, "P208"),
        (Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, 189, "SAMPLER_FEEDBACK_MIN_MIP_OPAQUE"),
        (Format::A4B4G4R4_UNORM, 191, "A4B4G4R4_UNORM"),
    ] {
        assert_eq!(format.to_dxgi(), number);
        assert_eq!(Format::from_dxgi(number), Some(format));
        assert_eq!(format.to_string(), text);
        assert_eq!(text.parse(), Ok(format));
        assert_eq!(format!("DXGI_FORMAT_{text}").parse(), Ok(format));
        assert_eq!(serde_json::to_string(&format).unwrap(), format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<Format>(&format!("\"DXGI_FORMAT_{text}\"")).unwrap(), format);
    }
    assert_eq!(Format::from_dxgi(116), None);
    let error = "R8G8B8_UNORM".parse::<Format>().unwrap_err().to_string();
    assert!(error.contains("R8G8B8_UNORM") && error.contains("DXGI_FORMAT"), "{error}");
}

#[test]
fn sdk_versions_serialise_as_the_command_line_names_them() {
    for (version, text) in [
        (SdkVersion::Inbox, "inbox"),
        (SdkVersion::V606, "606"),
        (SdkVersion::V614, "614"),
        (SdkVersion::V618, "618"),
        (SdkVersion::V619_3, "619.3"),
        (SdkVersion::V619_4, "619.4"),
    ] {
        assert_eq!(version.to_string(), text);
        assert_eq!(serde_json::to_string(&version).unwrap(), format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<SdkVersion>(&format!("\"{text}\"")).unwrap(), version);
    }
    assert_eq!("latest".parse(), Ok(SdkVersion::LATEST));
}

#[test]
fn messages_are_named_once_and_ordered_by_number() {
    use heapstone_spec::message;
    assert!(message::ALL.is_sorted_by(|a, b| a.number < b.number));
    let mut names: Vec<&str> = message::ALL.iter().map(|id| id.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), message::ALL.len());
    assert_eq!(message::CREATERESOURCE_INVALIDALIGNMENT.to_string(), "CREATERESOURCE_INVALIDALIGNMENT (721)");
}
