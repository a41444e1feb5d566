//! Rules of command allocators, command lists and the commands recorded in them.

rules! {}
