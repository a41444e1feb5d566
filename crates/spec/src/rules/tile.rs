//! Rules of tile mappings.

rules! {}
