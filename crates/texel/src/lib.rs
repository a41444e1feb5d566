//! Texels of every DXGI format: encoding and decoding.
#![forbid(unsafe_code)]
