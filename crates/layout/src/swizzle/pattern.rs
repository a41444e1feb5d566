//! A swizzle pattern in the form that drivers report it, and what makes one legal.
//!
//! ```text
//!   address bit i of a block = interleave[i] ^ interleave_xor[0..4][i]          one bit of a coordinate each
//!                              ^ bit i of postamble_immediate
//!                              ^ postamble_xor[0..2][i]                         bits 8 to 23 only
//! ```
//! X counts bytes, Y rows of elements, Z slices, Sample samples. `interleave` alone says how large a block
//! is: `2^n` bytes for its first `n` entries, which hold the lowest bits of each coordinate, each once. The
//! other arrays may also take bits from outside the block, which move the bytes of whole blocks about but
//! never out of their block.

use core::fmt;

use super::error::{BitRowError, PatternArray, PatternError};

/// Address bits that a pattern describes (D3D12DDI_SWIZZLE_PATTERN_DESC_0022, spec/2-resource-heaps.txt
/// 1193-1204).
pub const ADDRESS_BITS: usize = 32;

/// The least address bit that postamble entries apply to, and one past the greatest (the reference
/// routine, spec/2-resource-heaps.txt 1347).
pub const POSTAMBLE_BITS: core::ops::Range<u8> = 8..24;

/// What a bit is taken from (ChannelIndex, spec/2-resource-heaps.txt 1185).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Channel {
    /// Bytes along a row: 0.
    X = 0,
    /// Rows of elements: 1.
    Y = 1,
    /// Depth slices: 2.
    Z = 2,
    /// Samples: 3.
    Sample = 3,
}

impl Channel {
    /// All, by their index.
    pub const ALL: [Channel; 4] = [Channel::X, Channel::Y, Channel::Z, Channel::Sample];

    /// ChannelIndex.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Channel::X => 0,
            Channel::Y => 1,
            Channel::Z => 2,
            Channel::Sample => 3,
        }
    }

    /// One letter: X, Y, Z, S.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Channel::X => 'X',
            Channel::Y => 'Y',
            Channel::Z => 'Z',
            Channel::Sample => 'S',
        }
    }
}

/// A bit of a coordinate: D3D12DDI_SWIZZLE_BIT_ENTRY with Valid = 1 (spec/2-resource-heaps.txt 1182-1187);
/// `None` of an [`Option`] of it is one with Valid = 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitEntry {
    /// ChannelIndex.
    pub channel: Channel,
    /// SourceBitIndex: 0 to 31.
    pub bit: u8,
}

impl fmt::Display for BitEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.channel.letter(), self.bit)
    }
}

/// One array of entries, by address bit.
pub type BitRow = [Option<BitEntry>; ADDRESS_BITS];

/// An array without an entry.
pub const NO_BITS: BitRow = [None; ADDRESS_BITS];

/// D3D12DDI_SWIZZLE_PATTERN_DESC_0022 (spec/2-resource-heaps.txt 1193-1204). It may hold anything:
/// [`SwizzlePattern::block`] tells whether it is a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwizzlePattern {
    /// InterleavePatternSourceBits.
    pub interleave: BitRow,
    /// InterleavePatternXORSourceBits, XOR2, XOR3, XOR4.
    pub interleave_xor: [BitRow; 4],
    /// PostambleXORSourceBits, XOR2.
    pub postamble_xor: [BitRow; 2],
    /// PostambleXORImmediate.
    pub postamble_immediate: u32,
    /// D3D12DDI_SWIZZLE_PATTERN_FLAGS_STACK_DEPTH_SLICES: slices lie below each other before rows are
    /// swizzled (spec/2-resource-heaps.txt 1230).
    pub stack_depth_slices: bool,
}

/// The box that a pattern maps onto whole bytes, as exponents of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternBlock {
    /// Bytes along x: `2^x_bytes_log2`.
    pub x_bytes_log2: u8,
    /// Rows of elements: `2^y_log2`.
    pub y_log2: u8,
    /// Slices: `2^z_log2`.
    pub z_log2: u8,
    /// Samples: `2^samples_log2`.
    pub samples_log2: u8,
    /// Bytes of all: `2^bytes_log2`; the sum of the others.
    pub bytes_log2: u8,
}

impl PatternBlock {
    /// The exponent along `channel`.
    #[must_use]
    pub const fn log2(&self, channel: Channel) -> u8 {
        match channel {
            Channel::X => self.x_bytes_log2,
            Channel::Y => self.y_log2,
            Channel::Z => self.z_log2,
            Channel::Sample => self.samples_log2,
        }
    }

    /// Bytes of a block.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        1 << self.bytes_log2
    }

    const fn holds(&self, entry: BitEntry) -> bool {
        entry.bit < self.log2(entry.channel)
    }
}

impl SwizzlePattern {
    /// Elements of `2^element_bytes_log2` bytes in rows: the row-major example of
    /// spec/2-resource-heaps.txt 1232-1250 with its entries mended (facts/layout.md, 1). Its blocks are
    /// single elements. Exponents above 31 count as 31.
    #[must_use]
    pub const fn row_major(element_bytes_log2: u8) -> SwizzlePattern {
        let mut pattern = SwizzlePattern::of_interleave(NO_BITS);
        let mut bit = 0_u8;
        while bit < element_bytes_log2 && bit < 31 {
            pattern.interleave[bit as usize] = Some(BitEntry { channel: Channel::X, bit });
            bit += 1;
        }
        pattern
    }

    /// A pattern of interleaved bits only.
    #[must_use]
    pub const fn of_interleave(interleave: BitRow) -> SwizzlePattern {
        SwizzlePattern {
            interleave,
            interleave_xor: [NO_BITS; 4],
            postamble_xor: [NO_BITS; 2],
            postamble_immediate: 0,
            stack_depth_slices: false,
        }
    }

    /// The seven arrays under their names, in the order of the structure.
    pub fn arrays(&self) -> impl Iterator<Item = (PatternArray, &BitRow)> {
        PatternArray::ALL.into_iter().zip(
            core::iter::once(&self.interleave)
                .chain(self.interleave_xor.iter())
                .chain(self.postamble_xor.iter()),
        )
    }

    /// The entries that are combined into address bit `bit`, apart from the immediate.
    pub fn sources(&self, bit: u8) -> impl Iterator<Item = BitEntry> {
        self.arrays().filter_map(move |(_, row)| row.get(usize::from(bit)).copied().flatten())
    }

    /// The block, where this is a legal pattern: for every value of the bits from outside the block the
    /// bytes of a block are permuted among themselves.
    ///
    /// # Errors
    /// The first rule that is broken; see [`PatternError`]. The text (spec/2-resource-heaps.txt 1182-1231)
    /// states only how entries are read; that they permute is what makes them a layout.
    pub fn block(&self) -> Result<PatternBlock, PatternError> {
        let block = self.interleaved_box()?;
        self.check_arrays(&block)?;
        if u64::from(self.postamble_immediate) >= block.bytes() {
            return Err(PatternError::Immediate {
                immediate: self.postamble_immediate,
                bytes_log2: block.bytes_log2,
            });
        }
        self.check_permutation(&block)?;
        Ok(block)
    }

    /// Bytes, as an exponent, that lie side by side wherever they begin at a multiple of their number: the
    /// lowest address bits that are the lowest bits of X and nothing else. The largest element that
    /// the pattern may be used with (spec/2-resource-heaps.txt 1207: it does not apply to the bytes within a texel).
    #[must_use]
    pub fn run_log2(&self) -> u8 {
        let mut run = 0_u8;
        while usize::from(run) < ADDRESS_BITS
            && self.sources(run).eq([BitEntry { channel: Channel::X, bit: run }])
            && self.postamble_immediate & (1 << run) == 0
        {
            run += 1;
        }
        // A bit of X that also stands in a higher address bit moves the run as a whole only where it is
        // none of the run's own.
        let reused = (run..32)
            .flat_map(|bit| self.sources(bit))
            .filter(|entry| entry.channel == Channel::X)
            .map(|entry| entry.bit)
            .min();
        reused.map_or(run, |bit| run.min(bit))
    }

    /// What `interleave` alone says.
    fn interleaved_box(&self) -> Result<PatternBlock, PatternError> {
        let bits = self.interleave.iter().take_while(|entry| entry.is_some()).count();
        if self.interleave.iter().skip(bits).any(Option::is_some) {
            return Err(PatternError::Hole { address_bit: small(bits) });
        }
        let mut seen = [0_u32; 4];
        for (address_bit, entry) in (0_u8..).zip(self.interleave.iter().flatten().copied()) {
            if entry.bit > 31 {
                return Err(PatternError::SourceBit { array: PatternArray::INTERLEAVE, address_bit, entry });
            }
            let mask = 1_u32 << entry.bit;
            if seen[entry.channel.index()] & mask != 0 {
                return Err(PatternError::Repeated { address_bit, entry });
            }
            seen[entry.channel.index()] |= mask;
        }
        for channel in Channel::ALL {
            let mask = seen[channel.index()];
            let missing = mask.trailing_ones();
            if mask.count_ones() != missing {
                return Err(PatternError::Gap { missing: BitEntry { channel, bit: small(missing) } });
            }
        }
        let [x, y, z, samples] = seen.map(|mask| small(mask.count_ones()));
        Ok(PatternBlock {
            x_bytes_log2: x,
            y_log2: y,
            z_log2: z,
            samples_log2: samples,
            bytes_log2: small(bits),
        })
    }

    /// What each entry must keep to by itself.
    fn check_arrays(&self, block: &PatternBlock) -> Result<(), PatternError> {
        for (array, row) in self.arrays() {
            for (address_bit, entry) in (0_u8..).zip(row) {
                let Some(entry) = *entry else { continue };
                if entry.bit > 31 {
                    return Err(PatternError::SourceBit { array, address_bit, entry });
                }
                if array.is_postamble() && !POSTAMBLE_BITS.contains(&address_bit) {
                    return Err(PatternError::PostambleBit { array, address_bit });
                }
                if address_bit >= block.bytes_log2 {
                    return Err(PatternError::BeyondBlock {
                        array,
                        address_bit,
                        bytes_log2: block.bytes_log2,
                    });
                }
                if self.stack_depth_slices && entry.channel == Channel::Z {
                    return Err(PatternError::StackedZ { array, address_bit, entry });
                }
                if entry.channel == Channel::Sample && !block.holds(entry) {
                    return Err(PatternError::Sample { array, address_bit, entry });
                }
            }
        }
        Ok(())
    }

    /// That address bits are independent in the block's own bits: a matrix over GF(2) of full rank.
    fn check_permutation(&self, block: &PatternBlock) -> Result<(), PatternError> {
        // pivots[c]: a combination of address bits whose lowest own bit is c.
        let mut pivots = [0_u32; ADDRESS_BITS];
        for address_bit in 0..block.bytes_log2 {
            let mut row = self.sources(address_bit).fold(0_u32, |row, entry| row ^ self.column(entry));
            loop {
                let Some(pivot) = pivots.get_mut(low_bit(row)) else {
                    return Err(PatternError::Dependent { address_bit });
                };
                if *pivot == 0 {
                    *pivot = row;
                    break;
                }
                row ^= *pivot;
            }
        }
        Ok(())
    }

    /// The column of one of the block's own bits: where `interleave` has it. Bits from outside have none.
    fn column(&self, entry: BitEntry) -> u32 {
        (0_u32..).zip(&self.interleave).find(|(_, own)| **own == Some(entry)).map_or(0, |(bit, _)| 1 << bit)
    }
}

/// The index of the lowest bit; 32 of 0.
fn low_bit(row: u32) -> usize {
    usize::try_from(row.trailing_zeros()).unwrap_or(ADDRESS_BITS)
}

/// Counts of bits: at most 32.
fn small<T: TryInto<u8>>(count: T) -> u8 {
    count.try_into().unwrap_or(u8::MAX)
}

/// Reads an array from text such as `"X0 X1 X2 X3 Y0 - Z0 S0"`: entries from address bit 0 on, `-` where
/// there is none; what is not written has none.
///
/// # Errors
/// A word that is no entry, or more than 32 of them.
pub const fn parse_bits(text: &str) -> Result<BitRow, BitRowError> {
    let text = text.as_bytes();
    let mut row = NO_BITS;
    let mut count = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at] == b' ' {
            at += 1;
            continue;
        }
        let begin = at;
        while at < text.len() && text[at] != b' ' {
            at += 1;
        }
        if count == ADDRESS_BITS {
            return Err(BitRowError::TooMany { at: begin });
        }
        match parse_entry(text, begin, at) {
            Ok(entry) => row[count] = entry,
            Err(error) => return Err(error),
        }
        count += 1;
    }
    Ok(row)
}

/// The word of `text` from `begin` up to `end`.
const fn parse_entry(text: &[u8], begin: usize, end: usize) -> Result<Option<BitEntry>, BitRowError> {
    if end - begin == 1 && text[begin] == b'-' {
        return Ok(None);
    }
    let channel = match text[begin] {
        b'X' => Channel::X,
        b'Y' => Channel::Y,
        b'Z' => Channel::Z,
        b'S' => Channel::Sample,
        _ => return Err(BitRowError::Entry { at: begin }),
    };
    let mut bit = 0_u8;
    let mut at = begin + 1;
    if at == end || end - at > 2 {
        return Err(BitRowError::Entry { at: begin });
    }
    while at < end {
        if !text[at].is_ascii_digit() {
            return Err(BitRowError::Entry { at: begin });
        }
        // Two digits: at most 99.
        bit = bit * 10 + (text[at] - b'0');
        at += 1;
    }
    if bit > 31 { Err(BitRowError::Entry { at: begin }) } else { Ok(Some(BitEntry { channel, bit })) }
}

/// The text that [`parse_bits`] reads.
#[must_use]
pub fn bits_text(row: &BitRow) -> String {
    let written = row.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let words: Vec<String> = row
        .iter()
        .take(written)
        .map(|entry| entry.map_or_else(|| "-".to_owned(), |bit| bit.to_string()))
        .collect();
    words.join(" ")
}
