//! From the HLSL that naga writes to the HLSL that a plan wants.
//!
//! naga declares a group's samplers through one index buffer, at registers that the caller gives. Lowering gives it
//! marks instead (each sampler's number, each group's number, in a register space that nothing else is in), finds
//! the marked declarations again by structure, and writes its own in their place:
//! ```text
//!  naga                                                      here, as planned
//!  SamplerState HEAP[2048]: register(s0, space0);            the heap's arrays, the packed constants, or nothing
//!  StructuredBuffer<uint> INDICES : register(t<group>, 255); the group's buffer, or nothing
//!  static const SamplerState a = HEAP[INDICES[<sampler>]];   a from the heap by buffer or constants, or a register
//!  static const uint b = <sampler>;                          b's first element, its packed elements, or registers
//!  HEAP[INDICES[b + e]]                                      the same with e held below b's length
//! ```
//! Names are naga's, which makes them unique in the text; what is recognised is a declaration's tokens and marks,
//! and whatever else naga might write there is refused.

mod declarations;
mod rewrite;
mod tokens;

pub(crate) use rewrite::rewrite;
