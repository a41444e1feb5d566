//! Rules that bind a resource to what it is created in: heap, offset, initial state, clear value.

rules! {}
