//! D3D12's enumerations, with D3D12's numbers and names.

use core::fmt;

/// What parsing an enumerator's name answers when there is none of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The enumeration, e.g. `D3D12_HEAP_TYPE`.
    pub enumeration: &'static str,
    /// What was given.
    pub given: String,
    /// The names there are, separated by commas.
    pub allowed: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no {}; allowed: {}", self.given, self.enumeration, self.allowed)
    }
}

impl core::error::Error for UnknownName {}

macro_rules! d3d12_enum {
    (
        $(#[$doc:meta])*
        $name:ident as $d3d12:literal {
            $( $(#[$vdoc:meta])* $variant:ident = $number:literal, $text:literal; )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum $name {
            $( $(#[$vdoc])* #[doc = concat!("\n\n`", $text, "`, ", stringify!($number), ".")] $variant = $number, )*
        }

        impl $name {
            /// Every enumerator, in the order of the numbers.
            pub const ALL: &'static [$name] = &[$( $name::$variant ),*];

            /// The enumerator of D3D12's number, or `None` where D3D12 has none.
            #[must_use]
            pub const fn from_d3d12(number: u32) -> Option<$name> {
                match number {
                    $( $number => Some($name::$variant), )*
                    _ => None,
                }
            }

            /// D3D12's number.
            #[must_use]
            pub const fn to_d3d12(self) -> u32 {
                self as u32
            }

            /// D3D12's name without the enumeration's prefix.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( $name::$variant => $text, )* }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::UnknownName;

            /// Parses [`Self::name`], in any case.
            fn from_str(text: &str) -> Result<$name, $crate::UnknownName> {
                $( if text.eq_ignore_ascii_case($text) { return Ok($name::$variant); } )*
                let names: &[&str] = &[$( $text ),*];
                Err($crate::UnknownName { enumeration: $d3d12, given: text.to_owned(), allowed: names.join(", ") })
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                struct NameVisitor;
                impl ::serde::de::Visitor<'_> for NameVisitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str(concat!("the name of a ", $d3d12))
                    }
                    fn visit_str<E: ::serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(NameVisitor)
            }
        }
    };
}

pub(crate) use d3d12_enum;

d3d12_enum! {
    /// D3D12_HEAP_TYPE (spec/2-resource-heaps.txt 12-20; GPU_UPLOAD: Microsoft's public D3D12 documentation).
    HeapType as "D3D12_HEAP_TYPE" {
        /// Fastest for the GPU, no access for the CPU.
        Default = 1, "DEFAULT";
        /// Written by the CPU, read by the GPU.
        Upload = 2, "UPLOAD";
        /// Written by the GPU, read by the CPU.
        Readback = 3, "READBACK";
        /// Page property and memory pool are the caller's.
        Custom = 4, "CUSTOM";
        /// Video memory that the CPU writes through the resizable aperture.
        GpuUpload = 5, "GPU_UPLOAD";
    }
}

d3d12_enum! {
    /// D3D12_CPU_PAGE_PROPERTY (spec/2-resource-heaps.txt 21-27).
    CpuPageProperty as "D3D12_CPU_PAGE_PROPERTY" {
        /// Left to the heap type: the only value that types other than CUSTOM accept.
        Unknown = 0, "UNKNOWN";
        /// The CPU cannot map the heap.
        NotAvailable = 1, "NOT_AVAILABLE";
        /// Write-combined: fast streaming writes, slow reads.
        WriteCombine = 2, "WRITE_COMBINE";
        /// Cached.
        WriteBack = 3, "WRITE_BACK";
    }
}

d3d12_enum! {
    /// D3D12_MEMORY_POOL (spec/2-resource-heaps.txt 28-33).
    MemoryPool as "D3D12_MEMORY_POOL" {
        /// Left to the heap type: the only value that types other than CUSTOM accept.
        Unknown = 0, "UNKNOWN";
        /// System memory: the most bandwidth for the CPU. On UMA the only pool.
        L0 = 1, "L0";
        /// Video memory: more bandwidth for the GPU, less for the CPU. Not on UMA.
        L1 = 2, "L1";
    }
}

d3d12_enum! {
    /// D3D12_RESOURCE_DIMENSION (spec/2-resource-heaps.txt 103-110).
    ResourceDimension as "D3D12_RESOURCE_DIMENSION" {
        /// No dimension: never legal in a description.
        Unknown = 0, "UNKNOWN";
        /// A buffer.
        Buffer = 1, "BUFFER";
        /// A 1D texture or an array of them.
        Texture1D = 2, "TEXTURE1D";
        /// A 2D texture or an array of them.
        Texture2D = 3, "TEXTURE2D";
        /// A 3D texture.
        Texture3D = 4, "TEXTURE3D";
    }
}

d3d12_enum! {
    /// D3D12_TEXTURE_LAYOUT (spec/2-resource-heaps.txt 111-117).
    TextureLayout as "D3D12_TEXTURE_LAYOUT" {
        /// The driver chooses; opaque to the application.
        Unknown = 0, "UNKNOWN";
        /// Rows one after the other; buffers always have it.
        RowMajor = 1, "ROW_MAJOR";
        /// Tiles of 64 KiB, opaque inside.
        Undefined64KbSwizzle = 2, "64KB_UNDEFINED_SWIZZLE";
        /// Tiles of 64 KiB in the documented standard swizzle.
        Standard64KbSwizzle = 3, "64KB_STANDARD_SWIZZLE";
    }
}

impl TextureLayout {
    /// Whether it is one of tiles of 64 KiB (spec/2-resource-heaps.txt 111-117).
    #[inline]
    #[must_use]
    pub const fn is_64kb(self) -> bool {
        matches!(self, TextureLayout::Undefined64KbSwizzle | TextureLayout::Standard64KbSwizzle)
    }
}

d3d12_enum! {
    /// DXGI_MEMORY_SEGMENT_GROUP (spec/2-resource-heaps.txt 1543-1550).
    SegmentGroup as "DXGI_MEMORY_SEGMENT_GROUP" {
        /// The fastest memory for the GPU; on UMA all of it.
        Local = 0, "LOCAL";
        /// System memory seen over the bus; empty on UMA.
        NonLocal = 1, "NON_LOCAL";
    }
}

d3d12_enum! {
    /// D3D12_BARRIER_LAYOUT: the initial layout that the third versions of the creation calls take
    /// in place of a state (Microsoft's public enhanced-barriers documentation). UNDEFINED is
    /// 0xffffffff in D3D12.
    BarrierLayout as "D3D12_BARRIER_LAYOUT" {
        /// Any access that needs no layout; also PRESENT.
        Common = 0, "COMMON";
        /// GENERIC_READ.
        GenericRead = 1, "GENERIC_READ";
        /// RENDER_TARGET.
        RenderTarget = 2, "RENDER_TARGET";
        /// UNORDERED_ACCESS.
        UnorderedAccess = 3, "UNORDERED_ACCESS";
        /// DEPTH_STENCIL_WRITE.
        DepthStencilWrite = 4, "DEPTH_STENCIL_WRITE";
        /// DEPTH_STENCIL_READ.
        DepthStencilRead = 5, "DEPTH_STENCIL_READ";
        /// SHADER_RESOURCE.
        ShaderResource = 6, "SHADER_RESOURCE";
        /// COPY_SOURCE.
        CopySource = 7, "COPY_SOURCE";
        /// COPY_DEST.
        CopyDest = 8, "COPY_DEST";
        /// RESOLVE_SOURCE.
        ResolveSource = 9, "RESOLVE_SOURCE";
        /// RESOLVE_DEST.
        ResolveDest = 10, "RESOLVE_DEST";
        /// SHADING_RATE_SOURCE.
        ShadingRateSource = 11, "SHADING_RATE_SOURCE";
        /// VIDEO_DECODE_READ.
        VideoDecodeRead = 12, "VIDEO_DECODE_READ";
        /// VIDEO_DECODE_WRITE.
        VideoDecodeWrite = 13, "VIDEO_DECODE_WRITE";
        /// VIDEO_PROCESS_READ.
        VideoProcessRead = 14, "VIDEO_PROCESS_READ";
        /// VIDEO_PROCESS_WRITE.
        VideoProcessWrite = 15, "VIDEO_PROCESS_WRITE";
        /// VIDEO_ENCODE_READ.
        VideoEncodeRead = 16, "VIDEO_ENCODE_READ";
        /// VIDEO_ENCODE_WRITE.
        VideoEncodeWrite = 17, "VIDEO_ENCODE_WRITE";
        /// COMMON of a direct queue.
        DirectQueueCommon = 18, "DIRECT_QUEUE_COMMON";
        /// GENERIC_READ of a direct queue.
        DirectQueueGenericRead = 19, "DIRECT_QUEUE_GENERIC_READ";
        /// UNORDERED_ACCESS of a direct queue.
        DirectQueueUnorderedAccess = 20, "DIRECT_QUEUE_UNORDERED_ACCESS";
        /// SHADER_RESOURCE of a direct queue.
        DirectQueueShaderResource = 21, "DIRECT_QUEUE_SHADER_RESOURCE";
        /// COPY_SOURCE of a direct queue.
        DirectQueueCopySource = 22, "DIRECT_QUEUE_COPY_SOURCE";
        /// COPY_DEST of a direct queue.
        DirectQueueCopyDest = 23, "DIRECT_QUEUE_COPY_DEST";
        /// COMMON of a compute queue.
        ComputeQueueCommon = 24, "COMPUTE_QUEUE_COMMON";
        /// GENERIC_READ of a compute queue.
        ComputeQueueGenericRead = 25, "COMPUTE_QUEUE_GENERIC_READ";
        /// UNORDERED_ACCESS of a compute queue.
        ComputeQueueUnorderedAccess = 26, "COMPUTE_QUEUE_UNORDERED_ACCESS";
        /// SHADER_RESOURCE of a compute queue.
        ComputeQueueShaderResource = 27, "COMPUTE_QUEUE_SHADER_RESOURCE";
        /// COPY_SOURCE of a compute queue.
        ComputeQueueCopySource = 28, "COMPUTE_QUEUE_COPY_SOURCE";
        /// COPY_DEST of a compute queue.
        ComputeQueueCopyDest = 29, "COMPUTE_QUEUE_COPY_DEST";
        /// COMMON of a video queue.
        VideoQueueCommon = 30, "VIDEO_QUEUE_COMMON";
        /// Nothing is said about the content; the only layout of a buffer.
        Undefined = 0xffff_ffff, "UNDEFINED";
    }
}
