//! A small interpreter of HLSL, which runs lowered shaders over bound data and tells which sampler each access of
//! a texture got. It shares nothing with the crate that it judges: it reads the text, and looks in the heap, the
//! index buffers and the constants that a test has bound.

mod intrinsics;
mod machine;
mod parse;
pub(crate) mod syntax;
mod types;
pub(crate) mod value;

pub(crate) use machine::{Bound, Machine};
pub(crate) use parse::parse;
