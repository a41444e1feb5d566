//! Command allocators and command lists.
