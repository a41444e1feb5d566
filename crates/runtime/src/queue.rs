//! Command queues: what the GPU is to do, in order.
