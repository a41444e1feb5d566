//! D3D12's flag words, with D3D12's bits.

use bitflags::bitflags;

bitflags! {
    /// D3D12_HEAP_FLAGS (spec/2-resource-heaps.txt 42-53, 1483-1494; values: D3D12's public headers).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct HeapFlags: u32 {
        /// The heap can be shared between devices and processes.
        const SHARED = 0x1;
        /// No buffer may lie in the heap.
        const DENY_BUFFERS = 0x4;
        /// The implicit heap of a presentable resource.
        const ALLOW_DISPLAY = 0x8;
        /// The heap can be shared between adapters; goes with SHARED.
        const SHARED_CROSS_ADAPTER = 0x20;
        /// No render-target or depth-stencil texture may lie in the heap.
        const DENY_RT_DS_TEXTURES = 0x40;
        /// No other texture may lie in the heap.
        const DENY_NON_RT_DS_TEXTURES = 0x80;
        /// Only a protected resource session reads it.
        const HARDWARE_PROTECTED = 0x100;
        /// Created with write watch.
        const ALLOW_WRITE_WATCH = 0x200;
        /// Shader atomics work on it, also from a peer node; see spec/2-resource-heaps.txt 1460-1522.
        const ALLOW_SHADER_ATOMICS = 0x400;
        /// Created evicted.
        const CREATE_NOT_RESIDENT = 0x800;
        /// The caller accepts that the memory is not zeroed.
        const CREATE_NOT_ZEROED = 0x1000;
        /// Set by tools for a heap of the application that needs manual write tracking.
        const TOOLS_USE_MANUAL_WRITE_TRACKING = 0x2000;
        /// Only buffers.
        const ALLOW_ONLY_BUFFERS = 0xc0;
        /// Only textures that are neither render target nor depth-stencil.
        const ALLOW_ONLY_NON_RT_DS_TEXTURES = 0x44;
        /// Only render-target and depth-stencil textures.
        const ALLOW_ONLY_RT_DS_TEXTURES = 0x84;
    }
}

impl HeapFlags {
    /// The three DENY flags together.
    pub const DENY_ALL: HeapFlags = HeapFlags::DENY_BUFFERS
        .union(HeapFlags::DENY_RT_DS_TEXTURES)
        .union(HeapFlags::DENY_NON_RT_DS_TEXTURES);
}

bitflags! {
    /// D3D12_RESOURCE_FLAGS (spec/2-resource-heaps.txt 118-124; USE_TIGHT_ALIGNMENT:
    /// spec/1-tight-placed-resource-alignment.txt; values: D3D12's public headers).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ResourceFlags: u32 {
        /// A render-target view can be made of it.
        const ALLOW_RENDER_TARGET = 0x1;
        /// A depth-stencil view can be made of it.
        const ALLOW_DEPTH_STENCIL = 0x2;
        /// An unordered-access view can be made of it.
        const ALLOW_UNORDERED_ACCESS = 0x4;
        /// No shader reads it; only beside ALLOW_DEPTH_STENCIL.
        const DENY_SHADER_RESOURCE = 0x8;
        /// Other adapters read and write it.
        const ALLOW_CROSS_ADAPTER = 0x10;
        /// Several queues read it while one writes.
        const ALLOW_SIMULTANEOUS_ACCESS = 0x20;
        /// Only a video decoder's references.
        const VIDEO_DECODE_REFERENCE_ONLY = 0x40;
        /// Only a video encoder's references.
        const VIDEO_ENCODE_REFERENCE_ONLY = 0x80;
        /// Holds acceleration structures, for enhanced barriers.
        const RAYTRACING_ACCELERATION_STRUCTURE = 0x100;
        /// Aligned as tightly as the adapter can.
        const USE_TIGHT_ALIGNMENT = 0x400;
    }
}

bitflags! {
    /// D3D12_RESOURCE_STATES (values: D3D12's public headers; initial states: spec/2-resource-heaps.txt
    /// 954-984). No bit is COMMON, which is also PRESENT.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ResourceStates: u32 {
        /// Read as vertex or constant buffer.
        const VERTEX_AND_CONSTANT_BUFFER = 0x1;
        /// Read as index buffer.
        const INDEX_BUFFER = 0x2;
        /// Written as render target.
        const RENDER_TARGET = 0x4;
        /// Read and written by shaders.
        const UNORDERED_ACCESS = 0x8;
        /// Written as depth-stencil.
        const DEPTH_WRITE = 0x10;
        /// Read as depth-stencil.
        const DEPTH_READ = 0x20;
        /// Read by shaders other than the pixel shader.
        const NON_PIXEL_SHADER_RESOURCE = 0x40;
        /// Read by the pixel shader.
        const PIXEL_SHADER_RESOURCE = 0x80;
        /// Written by stream output.
        const STREAM_OUT = 0x100;
        /// Read as arguments of an indirect draw; also PREDICATION.
        const INDIRECT_ARGUMENT = 0x200;
        /// Written by copies.
        const COPY_DEST = 0x400;
        /// Read by copies.
        const COPY_SOURCE = 0x800;
        /// Written by resolves.
        const RESOLVE_DEST = 0x1000;
        /// Read by resolves.
        const RESOLVE_SOURCE = 0x2000;
        /// Read by a video decoder.
        const VIDEO_DECODE_READ = 0x1_0000;
        /// Written by a video decoder.
        const VIDEO_DECODE_WRITE = 0x2_0000;
        /// Read by a video processor.
        const VIDEO_PROCESS_READ = 0x4_0000;
        /// Written by a video processor.
        const VIDEO_PROCESS_WRITE = 0x8_0000;
        /// Read by a video encoder.
        const VIDEO_ENCODE_READ = 0x20_0000;
        /// Holds an acceleration structure, for good.
        const RAYTRACING_ACCELERATION_STRUCTURE = 0x40_0000;
        /// Written by a video encoder.
        const VIDEO_ENCODE_WRITE = 0x80_0000;
        /// Read as shading-rate image.
        const SHADING_RATE_SOURCE = 0x100_0000;
        /// All read states of a buffer on an UPLOAD heap.
        const GENERIC_READ = 0xac3;
    }
}

impl ResourceStates {
    /// No access that needs a state: D3D12_RESOURCE_STATE_COMMON, 0.
    pub const COMMON: ResourceStates = ResourceStates::empty();
    /// Read by any shader.
    pub const ALL_SHADER_RESOURCE: ResourceStates =
        ResourceStates::NON_PIXEL_SHADER_RESOURCE.union(ResourceStates::PIXEL_SHADER_RESOURCE);
}

/// Text form of a flag word: names joined by ` | `, unnamed bits in hexadecimal, no bit as `none`.
macro_rules! flag_text {
    ($name:ident, $none:literal, $what:literal) => {
        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                if self.is_empty() { f.write_str($none) } else { bitflags::parser::to_writer(self, f) }
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                struct FlagVisitor;
                impl ::serde::de::Visitor<'_> for FlagVisitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str(concat!($what, ": names joined by ` | `"))
                    }
                    fn visit_str<E: ::serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(FlagVisitor)
            }
        }

        impl core::str::FromStr for $name {
            type Err = crate::UnknownName;

            fn from_str(text: &str) -> Result<$name, crate::UnknownName> {
                if text.eq_ignore_ascii_case($none) {
                    return Ok($name::empty());
                }
                bitflags::parser::from_str(text).map_err(|_| crate::UnknownName {
                    enumeration: $what,
                    given: text.to_owned(),
                    allowed: $name::all().iter_names().map(|(name, _)| name).collect::<Vec<_>>().join(" | "),
                })
            }
        }
    };
}

pub(crate) use flag_text;

flag_text!(HeapFlags, "NONE", "D3D12_HEAP_FLAGS");
flag_text!(ResourceFlags, "NONE", "D3D12_RESOURCE_FLAGS");
flag_text!(ResourceStates, "COMMON", "D3D12_RESOURCE_STATES");
