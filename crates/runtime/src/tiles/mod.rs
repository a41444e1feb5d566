//! Tile mappings of reserved resources.
