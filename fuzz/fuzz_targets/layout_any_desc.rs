//! Nothing in the layout crate panics, overflows or contradicts itself on any description.
#![no_main]

use std::sync::LazyLock;

use heapstone_spec::Profile;
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/layout/tests/support/exercise.rs"]
mod exercise;
#[path = "../../crates/layout/tests/support/generate.rs"]
mod generate;

static BASE: LazyLock<Profile> =
    LazyLock::new(|| Profile::builtin("discrete-8g").expect("invariant: a built-in profile"));

fuzz_target!(|bytes: &[u8]| {
    let mut source = generate::Source::new(bytes);
    let rules = source.rules(&BASE);
    let desc = if bytes.len().is_multiple_of(2) { source.desc() } else { source.plausible_desc() };
    exercise::exercise(&rules, &desc, &mut source);
});
