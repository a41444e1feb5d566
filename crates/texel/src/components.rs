//! What the bits of a texel are.

use heapstone_spec::Format;

/// How a component's code stands for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// A floating-point number with a sign: 32 bits (IEEE 754) or 16 bits (D3D11.3, 3.1.5).
    Float,
    /// A floating-point number without a sign: 11 or 10 bits (D3D11.3, 3.1.6).
    UnsignedFloat,
    /// 0 to all ones stands for 0 to 1 (D3D11.3, 3.2.3.5).
    Unorm,
    /// As `Unorm`, on the sRGB curve; always 8 bits (D3D11.3, 3.2.3.7).
    Srgb,
    /// Two's complement for -1 to 1; the least code is -1 as well (D3D11.3, 3.2.3.3).
    Snorm,
    /// An integer without a sign.
    Uint,
    /// An integer in two's complement.
    Sint,
    /// 10 bits for -0.7529 to 1.2529: (code - 384) / 510 (Microsoft's public XR_BIAS conversion rules).
    XrBias,
    /// The 9 bits that the shared exponent scales: code * 2^(exponent - 24) (R9G9B9E5_SHAREDEXP).
    SharedMantissa,
    /// The exponent that the mantissas share, biased by 15. It stands where alpha would, which such a texel
    /// has not: it takes the fourth value of a clear by bits.
    SharedExponent,
}

/// A component of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Component {
    /// What its code means.
    pub encoding: Encoding,
    /// Its lowest bit, counted from the lowest bit of the texel's first byte.
    pub offset: u8,
    /// Its bits: 1 to 32.
    pub bits: u8,
}

impl Component {
    /// The greatest code: all of its bits.
    pub(crate) const fn mask(self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    /// Its code in a texel's bits.
    pub(crate) fn read(self, raw: u128) -> u32 {
        let code = (raw >> self.offset) & u128::from(self.mask());
        u32::try_from(code).expect("invariant: a component has at most 32 bits")
    }

    /// The texel's bits that hold `code`, whose bits above the component's are dropped.
    pub(crate) fn place(self, code: u32) -> u128 {
        u128::from(code & self.mask()) << self.offset
    }
}

/// What a texel of a format is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Components {
    /// Bytes of a texel: 1 to 16.
    pub size: u8,
    /// Red, green, blue, alpha; `None` where the format has no such component. Bits that belong to none (X in
    /// a format's name) are written as 0 (chosen, so that equal colours are equal bytes).
    pub channels: [Option<Component>; 4],
}

impl Components {
    /// Whether its numbers are integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        let integer = |component: &Component| matches!(component.encoding, Encoding::Uint | Encoding::Sint);
        self.channels.iter().flatten().any(integer)
    }

    /// A texel's bits, or `None` where `bytes` are fewer than a texel.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Option<u128> {
        let size = usize::from(self.size);
        let mut all = [0; 16];
        all[..size].copy_from_slice(bytes.get(..size)?);
        Some(u128::from_le_bytes(all))
    }
}

/// What a texel of `format` is made of, or `None` where it has no texels of its own: UNKNOWN, typeless,
/// block-compressed, video and subsampled formats, R1_UNORM. Of a depth-stencil's formats it is the depth
/// plane, of X24_TYPELESS_G8_UINT and X32_TYPELESS_G8X24_UINT the stencil plane.
#[must_use]
pub fn components(format: Format) -> Option<&'static Components> {
    TABLE[usize::from(format as u8)].as_ref()
}

/// The channels of a format's name; `X` are bits without a use.
const R: Option<usize> = Some(0);
const G: Option<usize> = Some(1);
const B: Option<usize> = Some(2);
const A: Option<usize> = Some(3);
const X: Option<usize> = None;

/// Components one behind the other, the first in the lowest bits (D3D11.3, 19.1.3.1).
const fn packed(parts: &[(Option<usize>, Encoding, u8)]) -> Components {
    let mut channels = [None; 4];
    let (mut offset, mut index) = (0, 0);
    while index < parts.len() {
        let (channel, encoding, bits) = parts[index];
        if let Some(channel) = channel {
            channels[channel] = Some(Component { encoding, offset, bits });
        }
        offset += bits;
        index += 1;
    }
    Components { size: offset / 8, channels }
}

macro_rules! components {
    ($( $format:ident = $( $encoding:ident [ $( $channel:ident $bits:literal )* ] )*; )*) => {
        /// Indexed by DXGI's number. The names of the formats are the source: they say bits, order and
        /// encoding (D3D11.3, 19.1.3); B4G4R4A4 and A4B4G4R4 alike.
        static TABLE: [Option<Components>; 192] = {
            let mut table = [None; 192];
            $( table[Format::$format as usize] =
                Some(packed(&[$( $( ($channel, Encoding::$encoding, $bits), )* )*])); )*
            table
        };
    };
}

components! {
    R32G32B32A32_FLOAT = Float[R 32 G 32 B 32 A 32];
    R32G32B32A32_UINT = Uint[R 32 G 32 B 32 A 32];
    R32G32B32A32_SINT = Sint[R 32 G 32 B 32 A 32];
    R32G32B32_FLOAT = Float[R 32 G 32 B 32];
    R32G32B32_UINT = Uint[R 32 G 32 B 32];
    R32G32B32_SINT = Sint[R 32 G 32 B 32];
    R16G16B16A16_FLOAT = Float[R 16 G 16 B 16 A 16];
    R16G16B16A16_UNORM = Unorm[R 16 G 16 B 16 A 16];
    R16G16B16A16_UINT = Uint[R 16 G 16 B 16 A 16];
    R16G16B16A16_SNORM = Snorm[R 16 G 16 B 16 A 16];
    R16G16B16A16_SINT = Sint[R 16 G 16 B 16 A 16];
    R32G32_FLOAT = Float[R 32 G 32];
    R32G32_UINT = Uint[R 32 G 32];
    R32G32_SINT = Sint[R 32 G 32];
    R10G10B10A2_UNORM = Unorm[R 10 G 10 B 10 A 2];
    R10G10B10A2_UINT = Uint[R 10 G 10 B 10 A 2];
    R10G10B10_XR_BIAS_A2_UNORM = XrBias[R 10 G 10 B 10] Unorm[A 2];
    R11G11B10_FLOAT = UnsignedFloat[R 11 G 11 B 10];
    R9G9B9E5_SHAREDEXP = SharedMantissa[R 9 G 9 B 9] SharedExponent[A 5];
    R8G8B8A8_UNORM = Unorm[R 8 G 8 B 8 A 8];
    R8G8B8A8_UNORM_SRGB = Srgb[R 8 G 8 B 8] Unorm[A 8];
    R8G8B8A8_UINT = Uint[R 8 G 8 B 8 A 8];
    R8G8B8A8_SNORM = Snorm[R 8 G 8 B 8 A 8];
    R8G8B8A8_SINT = Sint[R 8 G 8 B 8 A 8];
    B8G8R8A8_UNORM = Unorm[B 8 G 8 R 8 A 8];
    B8G8R8A8_UNORM_SRGB = Srgb[B 8 G 8 R 8] Unorm[A 8];
    B8G8R8X8_UNORM = Unorm[B 8 G 8 R 8 X 8];
    B8G8R8X8_UNORM_SRGB = Srgb[B 8 G 8 R 8] Unorm[X 8];
    R16G16_FLOAT = Float[R 16 G 16];
    R16G16_UNORM = Unorm[R 16 G 16];
    R16G16_UINT = Uint[R 16 G 16];
    R16G16_SNORM = Snorm[R 16 G 16];
    R16G16_SINT = Sint[R 16 G 16];
    R32_FLOAT = Float[R 32];
    R32_UINT = Uint[R 32];
    R32_SINT = Sint[R 32];
    R8G8_UNORM = Unorm[R 8 G 8];
    R8G8_UINT = Uint[R 8 G 8];
    R8G8_SNORM = Snorm[R 8 G 8];
    R8G8_SINT = Sint[R 8 G 8];
    R16_FLOAT = Float[R 16];
    R16_UNORM = Unorm[R 16];
    R16_UINT = Uint[R 16];
    R16_SNORM = Snorm[R 16];
    R16_SINT = Sint[R 16];
    R8_UNORM = Unorm[R 8];
    R8_UINT = Uint[R 8];
    R8_SNORM = Snorm[R 8];
    R8_SINT = Sint[R 8];
    A8_UNORM = Unorm[A 8];
    B5G6R5_UNORM = Unorm[B 5 G 6 R 5];
    B5G5R5A1_UNORM = Unorm[B 5 G 5 R 5 A 1];
    B4G4R4A4_UNORM = Unorm[B 4 G 4 R 4 A 4];
    A4B4G4R4_UNORM = Unorm[A 4 B 4 G 4 R 4];

    // Planes of depth-stencils (facts/layout.md): shaders read depth as red and stencil as green.
    D16_UNORM = Unorm[R 16];
    D32_FLOAT = Float[R 32];
    D32_FLOAT_S8X24_UINT = Float[R 32];
    R32_FLOAT_X8X24_TYPELESS = Float[R 32];
    X32_TYPELESS_G8X24_UINT = Uint[G 8];
    D24_UNORM_S8_UINT = Unorm[R 24 X 8];
    R24_UNORM_X8_TYPELESS = Unorm[R 24 X 8];
    X24_TYPELESS_G8_UINT = Uint[G 8];
}
