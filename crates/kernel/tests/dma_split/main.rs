//! Splitting DMA buffers: against brute force, the facts' examples, and laws.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod bounds;
mod brute_force;
mod case;
mod edges;
mod laws;
mod naive;
mod refusals;
