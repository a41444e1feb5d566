//! What engines cost beside copies of the same bytes.
fn main() {}
