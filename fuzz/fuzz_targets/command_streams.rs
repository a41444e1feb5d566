//! Programs of command lists do what a naive model says, at once and command by command in any order.
#![no_main]

use heapstone_sim::{Mode, Source, generate, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let program = generate(&mut Source::from_bytes(bytes));
    for mode in [Mode::Immediate, Mode::Stepped(u64::from(bytes.first().copied().unwrap_or(0)))] {
        if let Err(mismatch) = run(&program, mode) {
            panic!("{mode:?}: {mismatch}\n{program}");
        }
    }
});
