//! Copies between memory that others may write at the same time, and memory that is the caller's.
//!
//! A plain copy would be undefined behaviour where another thread writes the same bytes, and two
//! threads of safe code can do that to a heap. These copies behave as relaxed atomic accesses to each
//! single byte: what a racing reader sees is, byte by byte, something that was written there.
//!
//! An x86 string instruction is that, at the speed of `memcpy`; the compiler sees the assembly only
//! as code that may access the memory. Elsewhere a loop over atomic bytes does it (wider atomics would
//! race with narrower ones, which Rust's memory model does not define).

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(super) use bytewise::{load, store, zero};
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use string::{load, store, zero};

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod string {
    use core::arch::asm;

    /// Copies `to.len()` bytes from `from`.
    ///
    /// # Safety
    /// They are mapped for reading, and no `&mut` reference to them exists.
    #[inline]
    pub(in crate::bytes) unsafe fn load(from: *const u8, to: &mut [u8]) {
        // SAFETY: the caller's, and `to` is the caller's own.
        unsafe { copy(from, to.as_mut_ptr(), to.len()) }
    }

    /// Copies `from.len()` bytes to `to`.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    #[inline]
    pub(in crate::bytes) unsafe fn store(to: *mut u8, from: &[u8]) {
        // SAFETY: the caller's, and `from` is the caller's own.
        unsafe { copy(from.as_ptr(), to, from.len()) }
    }

    /// Makes `size` bytes at `to` zero.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    #[inline]
    pub(in crate::bytes) unsafe fn zero(to: *mut u8, size: usize) {
        // SAFETY: the instruction writes the `size` bytes that the caller answers for, and nothing else
        // but the registers named; the direction flag is clear on entry, and stays so.
        unsafe {
            asm!(
                "rep stosb",
                inout("rcx") size => _,
                inout("rdi") to => _,
                in("al") 0_u8,
                options(nostack, preserves_flags)
            );
        }
    }

    #[inline]
    unsafe fn copy(from: *const u8, to: *mut u8, size: usize) {
        // SAFETY: the instruction reads and writes the `size` bytes that the caller answers for, and
        // nothing else but the registers named; the direction flag is clear on entry, and stays so.
        unsafe {
            asm!(
                "rep movsb",
                inout("rcx") size => _,
                inout("rsi") from => _,
                inout("rdi") to => _,
                options(nostack, preserves_flags)
            );
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", not(miri)))))]
mod bytewise {
    use core::sync::atomic::{AtomicU8, Ordering};

    /// Copies `to.len()` bytes from `from`.
    ///
    /// # Safety
    /// They are mapped for reading, and no `&mut` reference to them exists.
    pub(in crate::bytes) unsafe fn load(from: *const u8, to: &mut [u8]) {
        for (index, byte) in to.iter_mut().enumerate() {
            // SAFETY: the index is in the range that the caller answers for.
            let at = unsafe { from.add(index) };
            // SAFETY: an atomic has the layout of its byte, and is only loaded here.
            let shared = unsafe { AtomicU8::from_ptr(at.cast_mut()) };
            *byte = shared.load(Ordering::Relaxed);
        }
    }

    /// Copies `from.len()` bytes to `to`.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    pub(in crate::bytes) unsafe fn store(to: *mut u8, from: &[u8]) {
        for (index, byte) in from.iter().enumerate() {
            // SAFETY: the index is in the range that the caller answers for.
            unsafe { store_byte(to.add(index), *byte) }
        }
    }

    /// Makes `size` bytes at `to` zero.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    pub(in crate::bytes) unsafe fn zero(to: *mut u8, size: usize) {
        for index in 0..size {
            // SAFETY: the index is in the range that the caller answers for.
            unsafe { store_byte(to.add(index), 0) }
        }
    }

    unsafe fn store_byte(to: *mut u8, byte: u8) {
        // SAFETY: the caller's; an atomic has the layout of its byte.
        let shared = unsafe { AtomicU8::from_ptr(to) };
        shared.store(byte, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    /// `load`, `store` and `zero` of one way.
    struct Engine {
        name: &'static str,
        load: unsafe fn(*const u8, &mut [u8]),
        store: unsafe fn(*mut u8, &[u8]),
        zero: unsafe fn(*mut u8, usize),
    }

    const ENGINES: &[Engine] = &[
        Engine { name: "chosen", load: super::load, store: super::store, zero: super::zero },
        Engine {
            name: "bytewise",
            load: super::bytewise::load,
            store: super::bytewise::store,
            zero: super::bytewise::zero,
        },
    ];

    /// Lengths around the words and lines that a copy could be made of, at every misalignment.
    #[test]
    fn every_engine_copies_exactly_the_bytes_named() {
        let pattern: Vec<u8> = (0..=250).cycle().take(700).collect();
        for engine in ENGINES {
            for length in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 511, 512, 513] {
                for start in [0, 1, 5, 8, 13] {
                    let given = &pattern[start..start + length];
                    let mut memory = vec![0xEE; 700];
                    // SAFETY: the 700 bytes are this test's; `start + length` is within them.
                    unsafe { (engine.store)(memory.as_mut_ptr().add(start), given) };
                    assert_eq!(&memory[start..start + length], given, "{} {start} {length}", engine.name);
                    let outside = memory[..start].iter().chain(&memory[start + length..]);
                    assert!(outside.into_iter().all(|byte| *byte == 0xEE), "{} wrote beside", engine.name);

                    let mut read = vec![0x11; length];
                    // SAFETY: as above.
                    unsafe { (engine.load)(memory.as_ptr().add(start), &mut read) };
                    assert_eq!(read, given, "{} {start} {length}", engine.name);

                    // SAFETY: as above.
                    unsafe { (engine.zero)(memory.as_mut_ptr().add(start), length) };
                    assert!(memory[start..start + length].iter().all(|byte| *byte == 0));
                    let outside = memory[..start].iter().chain(&memory[start + length..]);
                    assert!(outside.into_iter().all(|byte| *byte == 0xEE), "{} zeroed beside", engine.name);
                }
            }
        }
    }
}
