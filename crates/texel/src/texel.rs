//! The bytes of one texel.

/// The bytes of one texel, as they lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texel {
    /// The bytes; those from `size` on are 0.
    pub bytes: [u8; 16],
    /// How many of them are the texel's: 1 to 16.
    pub size: u8,
}

impl Texel {
    /// The texel's bytes and no others.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.size)]
    }

    /// A texel of `size` bytes out of its bits, the lowest first (D3D11.3, 19.1.3.1).
    pub(crate) fn from_raw(raw: u128, size: u8) -> Texel {
        Texel { bytes: raw.to_le_bytes(), size }
    }
}
