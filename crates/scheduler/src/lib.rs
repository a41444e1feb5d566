//! GPU queues and fences: immediate, threaded, stepped.
#![forbid(unsafe_code)]
