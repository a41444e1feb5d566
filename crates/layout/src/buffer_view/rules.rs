//! What each API asks of a binding of a buffer, and what it promises of accesses out of bounds.

use core::fmt;

/// An API, and how it was asked to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindingApi {
    /// Direct3D 12, through a descriptor.
    D3D12,
    /// Direct3D 12, through a root descriptor.
    D3D12Root,
    /// WebGPU, with its default limits.
    WebGpu,
    /// Vulkan without robustness.
    Vulkan,
    /// Vulkan with robustBufferAccess.
    VulkanRobust1,
    /// Vulkan with robustBufferAccess2, by the largest alignments that it allows.
    VulkanRobust2,
}

impl BindingApi {
    /// All.
    pub const ALL: [BindingApi; 6] = [
        BindingApi::D3D12,
        BindingApi::D3D12Root,
        BindingApi::WebGpu,
        BindingApi::Vulkan,
        BindingApi::VulkanRobust1,
        BindingApi::VulkanRobust2,
    ];
}

impl fmt::Display for BindingApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BindingApi::D3D12 => "D3D12",
            BindingApi::D3D12Root => "D3D12 root descriptor",
            BindingApi::WebGpu => "WebGPU",
            BindingApi::Vulkan => "Vulkan",
            BindingApi::VulkanRobust1 => "Vulkan, robustBufferAccess",
            BindingApi::VulkanRobust2 => "Vulkan, robustBufferAccess2",
        })
    }
}

/// What the buffer is bound as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// Constants: read only, small.
    Uniform,
    /// Storage: D3D12's raw views.
    Storage,
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Binding::Uniform => "uniform",
            Binding::Storage => "storage",
        })
    }
}

/// What becomes of an access beyond the range that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfBounds {
    /// Reads 0, writes nothing.
    Zero,
    /// Reads 0 or anything from the memory that the buffer is bound to, writes nothing or there.
    AnythingOfTheMemory,
    /// Reads 0 or anything of the binding, writes nothing or there.
    AnythingOfTheBinding,
    /// Anything at all.
    Undefined,
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            OutOfBounds::Zero => "reads 0, writes nothing",
            OutOfBounds::AnythingOfTheMemory => "stays in the buffer's memory",
            OutOfBounds::AnythingOfTheBinding => "stays in the binding",
            OutOfBounds::Undefined => "undefined",
        })
    }
}

/// A row of the table. All numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BindingRule {
    /// The API.
    pub api: BindingApi,
    /// The binding.
    pub binding: Binding,
    /// The offset is a multiple of it.
    pub offset_alignment: u64,
    /// The size is a multiple of it.
    pub size_multiple: u64,
    /// The size is at most that; `None` without a bound of the API's.
    pub size_max: Option<u64>,
    /// The size is rounded up to it before accesses are checked; 1 where it is not.
    pub checked_multiple: u64,
    /// What becomes of the others.
    pub out_of_bounds: OutOfBounds,
    /// Where it comes from.
    pub source: &'static str,
}

const D3D12: &str = "facts/buffer-views.md, Descriptors; spec/1-tight-placed-resource-alignment.txt 146-169";
const D3D12_ROOT: &str = "Microsoft's documentation of root descriptors: no bounds are checked, addresses are multiples of 4, of constants \
                          of 256";
const WEB_GPU: &str = "W3C, WebGPU: limits, and validation of buffer bindings; WGSL: out-of-bounds access";
const VULKAN: &str =
    "Khronos, Vulkan: required limits; robustBufferAccess, robustBufferAccess2 and its size alignments";

const fn rule(
    api: BindingApi,
    binding: Binding,
    sizes: [u64; 3],
    size_max: Option<u64>,
    out_of_bounds: OutOfBounds,
    source: &'static str,
) -> BindingRule {
    let [offset_alignment, size_multiple, checked_multiple] = sizes;
    BindingRule {
        api,
        binding,
        offset_alignment,
        size_multiple,
        size_max,
        checked_multiple,
        out_of_bounds,
        source,
    }
}

use Binding::{Storage, Uniform};
use BindingApi as Api;
use OutOfBounds as Out;

/// The table: offset alignment, size multiple, what the checked range is rounded up to; the largest size. Where
/// an API leaves a limit to the device, it is the one that every device must have.
pub static BINDING_RULES: &[BindingRule] = &[
    rule(Api::D3D12, Uniform, [256, 256, 1], Some(65_536), Out::Zero, D3D12),
    rule(Api::D3D12, Storage, [16, 4, 1], None, Out::Zero, D3D12),
    rule(Api::D3D12Root, Uniform, [256, 1, 1], Some(65_536), Out::Undefined, D3D12_ROOT),
    rule(Api::D3D12Root, Storage, [4, 1, 1], None, Out::Undefined, D3D12_ROOT),
    rule(Api::WebGpu, Uniform, [256, 1, 1], Some(65_536), Out::AnythingOfTheBinding, WEB_GPU),
    rule(Api::WebGpu, Storage, [256, 4, 1], Some(128 << 20), Out::AnythingOfTheBinding, WEB_GPU),
    rule(Api::Vulkan, Uniform, [256, 1, 1], Some(16_384), Out::Undefined, VULKAN),
    rule(Api::Vulkan, Storage, [256, 1, 1], Some(1 << 27), Out::Undefined, VULKAN),
    rule(Api::VulkanRobust1, Uniform, [256, 1, 1], Some(16_384), Out::AnythingOfTheMemory, VULKAN),
    rule(Api::VulkanRobust1, Storage, [256, 1, 1], Some(1 << 27), Out::AnythingOfTheMemory, VULKAN),
    rule(Api::VulkanRobust2, Uniform, [256, 1, 256], Some(16_384), Out::Zero, VULKAN),
    rule(Api::VulkanRobust2, Storage, [256, 1, 4], Some(1 << 27), Out::Zero, VULKAN),
];

/// The row of an API and a binding.
#[must_use]
pub fn binding_rule(api: BindingApi, binding: Binding) -> &'static BindingRule {
    BINDING_RULES
        .iter()
        .find(|rule| rule.api == api && rule.binding == binding)
        .expect("invariant: the table has a row for each")
}

/// A binding that its API refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindingError {
    /// Not a multiple of the alignment.
    Offset {
        /// What was given.
        offset: u64,
        /// The alignment.
        multiple: u64,
    },
    /// No bytes, or not a multiple.
    Size {
        /// What was given.
        size: u64,
        /// What it must be a multiple of.
        multiple: u64,
    },
    /// More than the API binds.
    TooLarge {
        /// What was given.
        size: u64,
        /// The most.
        allowed: u64,
    },
    /// It ends behind the buffer.
    Range {
        /// What was given.
        offset: u64,
        /// What was given.
        size: u64,
        /// The buffer's.
        buffer: u64,
    },
}

impl fmt::Display for BindingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindingError::Offset { offset, multiple } => {
                write!(f, "binding.offset: offset is {offset}; allowed: multiples of {multiple}")
            }
            BindingError::Size { size, multiple } => {
                write!(
                    f,
                    "binding.size: size is {size}; allowed: multiples of {multiple}, at least {multiple}"
                )
            }
            BindingError::TooLarge { size, allowed } => {
                write!(f, "binding.size: size is {size}; allowed: at most {allowed}")
            }
            BindingError::Range { offset, size, buffer } => {
                write!(f, "binding.range: {size} bytes from {offset}; allowed: within the buffer's {buffer}")
            }
        }
    }
}

impl core::error::Error for BindingError {}

impl BindingRule {
    /// Whether `size` bytes from `offset` of a buffer of `buffer` bytes may be bound.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, offset: u64, size: u64, buffer: u64) -> Result<(), BindingError> {
        if !offset.is_multiple_of(self.offset_alignment) {
            return Err(BindingError::Offset { offset, multiple: self.offset_alignment });
        }
        if size == 0 || !size.is_multiple_of(self.size_multiple) {
            return Err(BindingError::Size { size, multiple: self.size_multiple });
        }
        if let Some(allowed) = self.size_max.filter(|allowed| size > *allowed) {
            return Err(BindingError::TooLarge { size, allowed });
        }
        if offset.checked_add(size).is_none_or(|end| end > buffer) {
            return Err(BindingError::Range { offset, size, buffer });
        }
        Ok(())
    }

    /// Bytes of a binding of `size` that accesses are sure to find: those up to which they may be checked.
    /// `None` beyond 64 bits.
    #[must_use]
    pub const fn checked_range(&self, size: u64) -> Option<u64> {
        size.checked_next_multiple_of(self.checked_multiple)
    }
}
