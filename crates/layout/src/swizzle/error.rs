//! What is wrong with a pattern.

use core::fmt;

use super::pattern::{BitEntry, POSTAMBLE_BITS};

/// One of the seven arrays of D3D12DDI_SWIZZLE_PATTERN_DESC_0022 (spec/2-resource-heaps.txt 1193-1204).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternArray(u8);

impl PatternArray {
    /// InterleavePatternSourceBits.
    pub const INTERLEAVE: PatternArray = PatternArray(0);
    /// All, in the order of the structure.
    pub const ALL: [PatternArray; 7] = [
        PatternArray::INTERLEAVE,
        PatternArray(1),
        PatternArray(2),
        PatternArray(3),
        PatternArray(4),
        PatternArray(5),
        PatternArray(6),
    ];

    /// The field's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            0 => "InterleavePatternSourceBits",
            1 => "InterleavePatternXORSourceBits",
            2 => "InterleavePatternXOR2SourceBits",
            3 => "InterleavePatternXOR3SourceBits",
            4 => "InterleavePatternXOR4SourceBits",
            5 => "PostambleXORSourceBits",
            _ => "PostambleXOR2SourceBits",
        }
    }

    /// Whether its entries apply after the block's offset is added.
    #[must_use]
    pub const fn is_postamble(self) -> bool {
        self.0 >= 5
    }
}

impl fmt::Display for PatternArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a [`SwizzlePattern`](super::SwizzlePattern) is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// An address bit without an entry below one that has one: the pattern is valid from bit 0 to its end
    /// (spec/2-resource-heaps.txt 1227).
    Hole {
        /// The bit without.
        address_bit: u8,
    },
    /// SourceBitIndex has five bits (spec/2-resource-heaps.txt 1186).
    SourceBit {
        /// The array.
        array: PatternArray,
        /// The element.
        address_bit: u8,
        /// What stands there.
        entry: BitEntry,
    },
    /// A bit of a coordinate interleaved twice, which leaves another address bit without one.
    Repeated {
        /// The second time.
        address_bit: u8,
        /// The bit.
        entry: BitEntry,
    },
    /// A bit of a coordinate that is not interleaved though a higher one is: blocks would be no boxes.
    Gap {
        /// The bit.
        missing: BitEntry,
    },
    /// A postamble entry outside bits 8 to 23 (spec/2-resource-heaps.txt 1347): it would never apply.
    PostambleBit {
        /// The array.
        array: PatternArray,
        /// The element.
        address_bit: u8,
    },
    /// An entry for an address bit above the block's: bytes would leave their block (chosen to be refused,
    /// because where they land depends on pitches and may be outside the resource).
    BeyondBlock {
        /// The array.
        array: PatternArray,
        /// The element.
        address_bit: u8,
        /// Of the block.
        bytes_log2: u8,
    },
    /// PostambleXORImmediate has bits above the block's (refused for the same reason).
    Immediate {
        /// The value.
        immediate: u32,
        /// Of the block.
        bytes_log2: u8,
    },
    /// Where depth slices are stacked, no entry comes from Z (spec/2-resource-heaps.txt 1230).
    StackedZ {
        /// The array.
        array: PatternArray,
        /// The element.
        address_bit: u8,
        /// What stands there.
        entry: BitEntry,
    },
    /// A bit of the sample beyond those that are interleaved: blocks have all samples, so no sample has it.
    Sample {
        /// The array.
        array: PatternArray,
        /// The element.
        address_bit: u8,
        /// What stands there.
        entry: BitEntry,
    },
    /// An address bit that is the XOR of lower ones within a block: two bytes would lie at one address.
    Dependent {
        /// The bit.
        address_bit: u8,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PatternError::Hole { address_bit } => write!(
                f,
                "InterleavePatternSourceBits[{address_bit}] is not valid, but a later element is; allowed: valid \
                 elements from 0 to the end of the pattern"
            ),
            PatternError::SourceBit { array, address_bit, entry } => {
                write!(f, "{array}[{address_bit}] has SourceBitIndex {}; allowed: 0 to 31", entry.bit)
            }
            PatternError::Repeated { address_bit, entry } => write!(
                f,
                "InterleavePatternSourceBits[{address_bit}] is {entry}, as an earlier element is; allowed: each bit once"
            ),
            PatternError::Gap { missing } => write!(
                f,
                "InterleavePatternSourceBits has no {missing}, but a higher bit of {}; allowed: the lowest bits of \
                 each channel",
                missing.channel.letter()
            ),
            PatternError::PostambleBit { array, address_bit } => write!(
                f,
                "{array}[{address_bit}] is valid; allowed: elements {} to {}",
                POSTAMBLE_BITS.start,
                POSTAMBLE_BITS.end - 1
            ),
            PatternError::BeyondBlock { array, address_bit, bytes_log2 } => write!(
                f,
                "{array}[{address_bit}] is valid, of a block of 2^{bytes_log2} bytes; allowed: elements below {bytes_log2}"
            ),
            PatternError::Immediate { immediate, bytes_log2 } => write!(
                f,
                "PostambleXORImmediate is {immediate:#x}, of a block of 2^{bytes_log2} bytes; allowed: values below \
                 2^{bytes_log2}"
            ),
            PatternError::StackedZ { array, address_bit, entry } => write!(
                f,
                "{array}[{address_bit}] is {entry} beside D3D12DDI_SWIZZLE_PATTERN_FLAGS_STACK_DEPTH_SLICES; allowed: \
                 bits of X, Y and samples"
            ),
            PatternError::Sample { array, address_bit, entry } => write!(
                f,
                "{array}[{address_bit}] is {entry}, which InterleavePatternSourceBits does not hold; allowed: bits of \
                 the sample that it holds"
            ),
            PatternError::Dependent { address_bit } => write!(
                f,
                "address bit {address_bit} is the XOR of lower ones within a block; allowed: arrays that permute the \
                 bytes of a block"
            ),
        }
    }
}

impl core::error::Error for PatternError {}

/// Why a text is no array of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitRowError {
    /// A word that is neither `-` nor a letter of a channel with a number from 0 to 31.
    Entry {
        /// Bytes before the word.
        at: usize,
    },
    /// More than 32 entries.
    TooMany {
        /// Bytes before the first one too many.
        at: usize,
    },
}

impl fmt::Display for BitRowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BitRowError::Entry { at } => {
                write!(
                    f,
                    "the word at byte {at} is no bit; allowed: - or one of X, Y, Z, S and 0 to 31, as X4"
                )
            }
            BitRowError::TooMany { at } => write!(f, "another bit at byte {at}; allowed: 32 bits"),
        }
    }
}

impl core::error::Error for BitRowError {}
