//! Descriptor heaps and views: D3D12's words.
