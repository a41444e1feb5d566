//! Texels of DXGI formats: encoding, decoding, and what a clear or a resolve makes of them.
//!
//! ```text
//!   components   per format: which bits are red, green, blue, alpha, and how they are encoded (data)
//!       |
//!   encodings    float (16, 11, 10 bits), shared exponent, normalized, sRGB, integer: a number <-> a code
//!       |
//!   convert      four numbers <-> the bytes of a texel
//!      / \
//!  clear  resolve
//! ```
//! Source of every conversion: Microsoft's public Direct3D 11.3 Functional Specification, whose rules D3D12
//! inherits; comments cite it as "D3D11.3" with a section. Where it leaves a choice, the item says "chosen".
//!
//! Everything is a pure function that does not allocate. A texel here is an element of one plane: of a
//! depth-stencil format that is the depth plane, and its stencil plane is an R8_UINT of its own
//! (facts/layout.md, GetCopyableFootprints). Formats without texels that a GPU writes one by one (typeless,
//! block-compressed, video, subsampled) have no components and every function answers `None` for them; views
//! of video planes have formats such as R8_UNORM.
#![forbid(unsafe_code)]

mod clear;
mod components;
mod convert;
mod float;
mod normalized;
mod number;
mod resolve;
mod shared_exponent;
mod srgb;
mod texel;

pub use clear::{
    encode_clear_color, encode_clear_uint, encode_depth, encode_stencil, is_clearable_as_render_target,
    is_clearable_as_unordered_access_float, is_clearable_as_unordered_access_uint,
};
pub use components::{Component, Components, Encoding, components};
pub use convert::{decode, decode_int, encode, encode_int};
pub use resolve::resolve;
pub use texel::Texel;
