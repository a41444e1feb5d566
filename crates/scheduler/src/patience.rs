//! Waiting awake for a while before sleeping, which costs a thread more than the empty packet that it waits for.

use std::hint;
use std::thread;

/// Looks that follow each other at once, with pauses that double (chosen: less than a microsecond together).
const PAUSE_DOUBLINGS: u32 = 6;
/// Looks that let other threads go first (chosen: some ten microseconds on a processor that nobody else wants;
/// where somebody does, what is waited for comes the sooner).
const YIELDS: u32 = 40;

/// Looks whether something has come, for a while; whether it has.
pub(crate) fn is_rewarded(mut has_come: impl FnMut() -> bool) -> bool {
    for doubling in 0..PAUSE_DOUBLINGS {
        for _ in 0..1 << doubling {
            hint::spin_loop();
        }
        if has_come() {
            return true;
        }
    }
    for _ in 0..YIELDS {
        thread::yield_now();
        if has_come() {
            return true;
        }
    }
    false
}
