//! Descriptor handles as numbers.
//!
//! ```text
//!   CPU handle, 63 bits   | type | class | generation | slot | descriptor, times the type's increment |
//!                            2      5         ...       ...     13 + class
//! ```
//! The field of the descriptor is twice as wide as the class's heaps, so that the handle behind a heap's last is no
//! other heap's first.

use heapstone_spec::views::DescriptorHeapType;

/// Classes of heaps, by the logarithm of their chunks: 2^32 descriptors are 2^26 chunks.
pub(super) const CLASS_COUNT: usize = 27;
const CLASS_LAST: u32 = 26;

/// A slot's number has at most so many bits (chosen: a million heaps of a class at once).
pub(super) const SLOT_BITS_MAX: u32 = 20;

/// Above a handle's fields that depend on the class.
const CLASS_SHIFT: u32 = 56;
const TYPE_SHIFT: u32 = 61;

/// Where the fields of handles of a class are.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    pub(super) slot_shift: u32,
    pub(super) slot_bits: u32,
}

pub(super) const fn fields(class: u32) -> Fields {
    // 64 descriptors of at most 64 bytes in each chunk, and as many numbers again.
    let slot_shift = 6 + 6 + class + 1;
    let half = (CLASS_SHIFT - slot_shift) / 2;
    Fields { slot_shift, slot_bits: if half < SLOT_BITS_MAX { half } else { SLOT_BITS_MAX } }
}

impl Fields {
    /// One less than there are numbers, so that the last bucket is like the others.
    pub(super) const fn slot_count(self) -> u32 {
        (1 << self.slot_bits) - 1
    }

    /// The first one is 1, so that small numbers lead nowhere.
    pub(super) const fn generation_last(self) -> u64 {
        (1 << (CLASS_SHIFT - self.slot_shift - self.slot_bits)) - 1
    }
}

/// The type of the heap that a CPU handle is of.
pub(super) const fn type_of(handle: u64) -> DescriptorHeapType {
    match handle >> TYPE_SHIFT & 3 {
        0 => DescriptorHeapType::CbvSrvUav,
        1 => DescriptorHeapType::Sampler,
        2 => DescriptorHeapType::Rtv,
        _ => DescriptorHeapType::Dsv,
    }
}

const fn code_of(heap_type: DescriptorHeapType) -> u64 {
    match heap_type {
        DescriptorHeapType::CbvSrvUav => 0,
        DescriptorHeapType::Sampler => 1,
        DescriptorHeapType::Rtv => 2,
        DescriptorHeapType::Dsv => 3,
    }
}

/// The first handle of a heap.
pub(super) fn first_handle(heap_type: DescriptorHeapType, class: u32, slot: u32, generation: u64) -> u64 {
    let Fields { slot_shift, slot_bits } = fields(class);
    code_of(heap_type) << TYPE_SHIFT
        | u64::from(class) << CLASS_SHIFT
        | generation << (slot_shift + slot_bits)
        | u64::from(slot) << slot_shift
}

/// Class, slot and generation of a handle. Numbers of no class are taken as ones of the last: the heap that is found
/// has another first handle.
#[inline(always)]
pub(super) fn taken_apart(handle: u64) -> (u32, u32, u64) {
    let class = in_u32(handle >> CLASS_SHIFT & 31).min(CLASS_LAST);
    let Fields { slot_shift, slot_bits } = fields(class);
    let number = in_u32(handle >> slot_shift & ((1 << slot_bits) - 1));
    let generation = (handle & ((1 << CLASS_SHIFT) - 1)) >> (slot_shift + slot_bits);
    (class, number, generation)
}

#[inline]
pub(super) fn in_u32(field: u64) -> u32 {
    u32::try_from(field).expect("invariant: fields have fewer bits")
}

#[inline]
pub(super) fn index_of(number: u32) -> usize {
    usize::try_from(number).expect("invariant: 32 bits fit an address")
}
