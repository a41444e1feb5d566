//! Fences.
