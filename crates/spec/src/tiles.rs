//! Tile mappings: D3D12's words.
