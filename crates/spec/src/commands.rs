//! Command lists and what is recorded in them: D3D12's words.
