//! What a shader finds through a view: loads, stores, atomics and lengths, with bounds as hardware has them.

use super::padding::{DWORD, PaddedSize};

/// Bits of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 8.
    Bits8,
    /// 16.
    Bits16,
    /// 32: a dword.
    Bits32,
    /// 64: two dwords, each with its own bounds.
    Bits64,
}

impl Width {
    /// All.
    pub const ALL: [Width; 4] = [Width::Bits8, Width::Bits16, Width::Bits32, Width::Bits64];

    /// As bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Width::Bits8 => 1,
            Width::Bits16 => 2,
            Width::Bits32 => 4,
            Width::Bits64 => 8,
        }
    }
}

/// What an atomic makes of the old value and the operand. Values wrap at the access's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// Their sum.
    Add,
    /// The bits of both.
    And,
    /// The bits of either.
    Or,
    /// The bits of one of them.
    Xor,
    /// The lesser, without sign.
    Min,
    /// The greater, without sign.
    Max,
    /// The operand.
    Exchange,
    /// The operand, where the old value is `expected`.
    CompareExchange {
        /// What must be there.
        expected: u64,
    },
}

impl AtomicOp {
    const fn apply(self, old: u64, operand: u64) -> u64 {
        match self {
            AtomicOp::Add => old.wrapping_add(operand),
            AtomicOp::And => old & operand,
            AtomicOp::Or => old | operand,
            AtomicOp::Xor => old ^ operand,
            AtomicOp::Min if old < operand => old,
            AtomicOp::Max if old > operand => old,
            AtomicOp::CompareExchange { expected } if old != expected => old,
            AtomicOp::Min | AtomicOp::Max | AtomicOp::Exchange | AtomicOp::CompareExchange { .. } => operand,
        }
    }
}

/// How an access is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// By bytes: raw views, and constants.
    Raw,
    /// By structures of so many bytes and the bytes within one: beyond the structure is out of bounds.
    Structured {
        /// Bytes, at least 1.
        stride: u32,
    },
    /// By texels of so many bytes: one is in bounds as a whole or not at all.
    Typed {
        /// Bytes of a texel, at least 1.
        size: u32,
    },
}

/// Whether hardware looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// By whole dwords, as views are checked: out of bounds is read as 0 and not written.
    Dwords,
    /// Not at all, as through a root descriptor or with robust access off: what is out of bounds is undefined, and
    /// answered as an error here.
    Unchecked,
}

/// Accesses that have no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessError {
    /// Not a multiple of its own width.
    Misaligned {
        /// The byte in the view.
        offset: u64,
        /// Bytes of the access.
        bytes: u64,
    },
    /// Out of bounds where nobody looks.
    Undefined {
        /// The byte in the view.
        offset: u64,
        /// Bytes of the view's buffer.
        size: u64,
    },
    /// In bounds of the view, and beyond the memory: the buffer's memory requirement was not kept.
    BeyondMemory {
        /// The byte in the view.
        offset: u64,
        /// Bytes of memory.
        memory: u64,
    },
    /// An atomic of less than a dword, which hardware has none of.
    AtomicWidth {
        /// Bytes of the access.
        bytes: u64,
    },
}

impl core::fmt::Display for AccessError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            AccessError::Misaligned { offset, bytes } => {
                write!(f, "access.alignment: offset is {offset}; allowed: multiples of {bytes}")
            }
            AccessError::Undefined { offset, size } => {
                write!(f, "access.bounds: offset is {offset}, unchecked; allowed: below {size}")
            }
            AccessError::BeyondMemory { offset, memory } => {
                write!(
                    f,
                    "access.memory: offset is {offset}, in bounds of the view; allowed: below {memory}, its memory"
                )
            }
            AccessError::AtomicWidth { bytes } => {
                write!(f, "access.atomic: width is {bytes} bytes; allowed: 4, 8")
            }
        }
    }
}

impl core::error::Error for AccessError {}

/// A view of a buffer, as a shader accesses it.
#[derive(Debug)]
pub struct BufferAccess<'a> {
    /// From the view's first byte to the end of what was allocated.
    memory: &'a mut [u8],
    /// As the surface says.
    surface: u64,
    /// Of the buffer, as the program gave it.
    size: u64,
    kind: ElementKind,
    bounds: Bounds,
}

impl<'a> BufferAccess<'a> {
    /// A view of `size` bytes whose surface has that size: the last bytes are out of bounds where it is no whole
    /// number of dwords. That is the defect (spec/5-ssbo-ubo-padding.txt, "the last two bytes would always be read as 0").
    #[must_use]
    pub const fn unpadded(memory: &'a mut [u8], size: u64, kind: ElementKind) -> BufferAccess<'a> {
        BufferAccess { memory, surface: size, size, kind, bounds: Bounds::Dwords }
    }

    /// A view of `size` bytes whose surface is padded; `None` beyond 64 bits.
    #[must_use]
    pub fn padded(memory: &'a mut [u8], size: u64, kind: ElementKind) -> Option<BufferAccess<'a>> {
        let surface = PaddedSize::of(size)?.bytes();
        Some(BufferAccess { memory, surface, size, kind, bounds: Bounds::Dwords })
    }

    /// The same with those bounds.
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> BufferAccess<'a> {
        BufferAccess { bounds, ..self }
    }

    /// The surface's size in bytes, as a length query finds it.
    #[must_use]
    pub const fn surface_size(&self) -> u64 {
        self.surface
    }

    /// Elements of an unsized array that begins at byte `begin` and whose elements lie `stride` bytes apart, as
    /// a shader reckons it from a padded surface. Of a surface that is not, it may be wrong where bytes are missing from its last dword;
    /// `None` where the stride is 0, or no buffer has such a surface.
    #[must_use]
    pub fn array_length(&self, begin: u64, stride: u64) -> Option<u64> {
        let size = PaddedSize::from_bytes(self.surface)?.buffer_size();
        size.saturating_sub(begin).checked_div(stride)
    }

    /// What the shader reads at `element` and `byte` within it: 0 where it is out of bounds. Raw elements are
    /// bytes, so that there the sum counts.
    ///
    /// # Errors
    /// [`AccessError`].
    pub fn load(&self, element: u64, byte: u64, width: Width) -> Result<u64, AccessError> {
        let mut value = 0;
        for part in self.parts(element, byte, width)?.into_iter().flatten() {
            let bytes = self.memory_at(part)?;
            let read = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            value |= read << part.shift;
        }
        Ok(value)
    }

    /// Writes the low bits of `value`; what is out of bounds is dropped.
    ///
    /// # Errors
    /// [`AccessError`]; nothing is written then.
    pub fn store(&mut self, element: u64, byte: u64, width: Width, value: u64) -> Result<(), AccessError> {
        let parts = self.parts(element, byte, width)?;
        parts.iter().flatten().try_for_each(|part| self.memory_at(*part).map(|_| ()))?;
        for part in parts.into_iter().flatten() {
            let bytes = (value >> part.shift).to_le_bytes();
            let begin = index(part.begin);
            let length = index(part.bytes);
            self.memory[begin..begin + length].copy_from_slice(&bytes[..length]);
        }
        Ok(())
    }

    /// An atomic of 32 or 64 bits: answers the old value, 0 where any of it is out of bounds, where nothing is
    /// written either.
    ///
    /// # Errors
    /// [`AccessError`].
    pub fn atomic(
        &mut self,
        element: u64,
        byte: u64,
        width: Width,
        op: AtomicOp,
        operand: u64,
    ) -> Result<u64, AccessError> {
        let count = match width {
            Width::Bits32 => 1,
            Width::Bits64 => 2,
            Width::Bits8 | Width::Bits16 => return Err(AccessError::AtomicWidth { bytes: width.bytes() }),
        };
        if self.parts(element, byte, width)?.iter().flatten().count() != count {
            return Ok(0);
        }
        let old = self.load(element, byte, width)?;
        let mask = u64::MAX >> (64 - 8 * width.bytes());
        self.store(element, byte, width, op.apply(old, operand & mask) & mask)?;
        Ok(old)
    }

    /// What of an access is in bounds, dword by dword.
    fn parts(&self, element: u64, byte: u64, width: Width) -> Result<[Option<Part>; 2], AccessError> {
        let bytes = width.bytes();
        let Some(offset) = self.offset(element, byte, bytes) else {
            return match self.bounds {
                Bounds::Dwords => Ok([None; 2]),
                Bounds::Unchecked => Err(AccessError::Undefined { offset: u64::MAX, size: self.size }),
            };
        };
        if !offset.is_multiple_of(bytes) {
            return Err(AccessError::Misaligned { offset, bytes });
        }
        if self.bounds == Bounds::Unchecked && offset.checked_add(bytes).is_none_or(|end| end > self.size) {
            return Err(AccessError::Undefined { offset, size: self.size });
        }
        let part = |number: u64| {
            let begin = offset.checked_add(number * DWORD)?;
            let part = Part { begin, bytes: bytes.min(DWORD), shift: if number == 0 { 0 } else { 32 } };
            let dword_end = (begin - begin % DWORD).checked_add(DWORD)?;
            (dword_end <= self.surface || self.bounds == Bounds::Unchecked).then_some(part)
        };
        Ok([part(0), if width == Width::Bits64 { part(1) } else { None }])
    }

    /// The byte of the view; `None` of what leaves its element or 64 bits.
    fn offset(&self, element: u64, byte: u64, bytes: u64) -> Option<u64> {
        let size = match self.kind {
            ElementKind::Raw => return element.checked_add(byte),
            ElementKind::Structured { stride: size } | ElementKind::Typed { size } => u64::from(size),
        };
        let begin = element.checked_mul(size)?;
        if byte.checked_add(bytes)? > size {
            return None;
        }
        // A texel that is not there as a whole is not there.
        let end = begin.checked_add(size)?;
        let is_typed = matches!(self.kind, ElementKind::Typed { .. });
        if is_typed && end > self.size { None } else { begin.checked_add(byte) }
    }

    fn memory_at(&self, part: Part) -> Result<&[u8], AccessError> {
        let beyond = AccessError::BeyondMemory {
            offset: part.begin,
            memory: u64::try_from(self.memory.len()).unwrap_or(u64::MAX),
        };
        let begin = usize::try_from(part.begin).map_err(|_| beyond)?;
        let end = begin.checked_add(index(part.bytes)).ok_or(beyond)?;
        self.memory.get(begin..end).ok_or(beyond)
    }
}

/// The part of an access that lies in one dword.
#[derive(Clone, Copy, Debug)]
struct Part {
    begin: u64,
    bytes: u64,
    /// Where its bits are in the value.
    shift: u32,
}

/// Of what was found to lie in memory.
fn index(offset: u64) -> usize {
    usize::try_from(offset).expect("invariant: within a slice")
}
