//! What needs a shader: root signatures, pipeline states and libraries, command signatures. They are made so that clients
//! whose set-up makes them get on; nothing of them is ever run.

pub mod blob;
mod dxbc;
pub mod root_signature;
mod root_signature_desc;
mod signature_bytes;
pub mod state;
pub mod state_library;
