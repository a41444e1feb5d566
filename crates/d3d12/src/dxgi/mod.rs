//! DXGI's factories and adapters, as far as programs need them to choose an adapter and to watch its memory.
//! There are no outputs, windows or swap chains.

mod adapter;
mod factory;

pub use adapter::Adapter;
pub use factory::Factory;

pub(crate) use factory::create;
