//! Swizzle patterns: what they are, and fast copies between them and rows.
