//! Rules of command queues and fences.

rules! {}
