//! Copies between memory that others may write at the same time, and memory that is the caller's.
//!
//! A plain copy would be undefined behaviour where another thread writes the same bytes, and two
//! threads of safe code can do that to a heap. These copies behave as relaxed atomic accesses to each
//! single byte: what a racing reader sees is, byte by byte, something that was written there.
//!
//! On x86-64 moves of any width are that, at the speed of `memcpy`; the compiler sees the assembly only as
//! code that may access the memory. (The string instruction `rep movsb` is slow on some processors where
//! the two addresses differ little modulo 4096, which aligned heaps and vectors do.) Elsewhere a loop
//! over atomic bytes does it: wider atomics would race with narrower ones, which Rust's memory model
//! does not define.
//!
//! Copies whose two sides overlap are defined too: no reference is involved, and they give what their order
//! gives.

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(super) use bytewise::{backward, forward, load, store, stream, zero};
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use vector::{backward, forward, load, store, stream, zero};

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod vector {
    use core::arch::asm;

    /// Copies the bytes of one register of the width that `$move` moves.
    macro_rules! move_register {
        ($class:ident, $move:literal, $width:literal, $from:ident, $to:ident) => {
            // SAFETY: the register's width of bytes lies in what `copy`'s caller promised of `from` and `to`;
            // the instructions access these bytes and nothing else but the register named.
            unsafe {
                asm!(
                    concat!($move, " {register", $width, "}, [{from}]"),
                    concat!($move, " [{to}], {register", $width, "}"),
                    register = out($class) _,
                    from = in(reg) $from,
                    to = in(reg) $to,
                    options(nostack, preserves_flags)
                );
            }
        };
    }

    /// Copies `to.len()` bytes from `from`.
    ///
    /// # Safety
    /// They are mapped for reading, and no `&mut` reference to them exists.
    #[inline]
    pub(in crate::bytes) unsafe fn load(from: *const u8, to: &mut [u8]) {
        // SAFETY: the caller promises that the bytes at `from` can be read. `to` is an exclusive reference
        // to as many, so nobody else has them and `from` does not overlap them.
        unsafe { copy(from, to.as_mut_ptr(), to.len()) }
    }

    /// Copies `from.len()` bytes to `to`.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    #[inline]
    pub(in crate::bytes) unsafe fn store(to: *mut u8, from: &[u8]) {
        // SAFETY: the caller promises that the bytes at `to` can be written and that no reference to them
        // exists, so `from`, which is one, does not overlap them and can be read.
        unsafe { copy(from.as_ptr(), to, from.len()) }
    }

    /// Makes `size` bytes at `to` zero.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    #[inline]
    pub(in crate::bytes) unsafe fn zero(to: *mut u8, size: usize) {
        // SAFETY: the caller promises that `size` bytes at `to` can be written. The instruction writes these
        // and nothing else but the registers named; the direction flag is clear on entry, and stays so.
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

    /// Copies `size` bytes, the first ones first: where `to` is not above `from`, the two may overlap.
    ///
    /// # Safety
    /// `size` bytes at `from` are mapped for reading and `size` bytes at `to` for writing. Of the bytes at
    /// `from` no `&mut` reference exists but the caller's own, of those at `to` no reference but the caller's
    /// own.
    #[inline]
    pub(in crate::bytes) unsafe fn forward(to: *mut u8, from: *const u8, size: usize) {
        // SAFETY: as this function demands of its caller.
        unsafe { copy(from, to, size) }
    }

    /// Copies `size` bytes, the last ones first: where `to` is not below `from`, the two may overlap.
    ///
    /// # Safety
    /// As [`forward`].
    pub(in crate::bytes) unsafe fn backward(to: *mut u8, from: *const u8, size: usize) {
        let below_lines = size & 63;
        // SAFETY: `below_lines` is at most `size`; the bytes from there on are a multiple of 64.
        let lines_from = unsafe { from.add(below_lines) };
        // SAFETY: as above.
        let lines_to = unsafe { to.add(below_lines) };
        // SAFETY: as this function demands of its caller.
        unsafe { copy_lines_backward(lines_from, lines_to, size - below_lines) }
        let mut end = below_lines;
        for width in [32, 16, 8, 4, 2, 1] {
            if below_lines & width == 0 {
                continue;
            }
            end -= width;
            // SAFETY: what is left of `below_lines` is at most `size`.
            let from = unsafe { from.add(end) };
            // SAFETY: as above.
            let to = unsafe { to.add(end) };
            match width {
                32 => {
                    let (from_2, to_2) = (from.wrapping_add(16), to.wrapping_add(16));
                    move_register!(xmm_reg, "movups", "", from_2, to_2);
                    move_register!(xmm_reg, "movups", "", from, to);
                }
                16 => move_register!(xmm_reg, "movups", "", from, to),
                8 => move_register!(reg, "mov", ":r", from, to),
                4 => move_register!(reg, "mov", ":e", from, to),
                2 => move_register!(reg, "mov", ":x", from, to),
                _ => move_register!(reg_byte, "mov", "", from, to),
            }
        }
    }

    /// Copies `size` bytes past the caches, in any order; what another thread learns of the copy by, it
    /// learns after its bytes.
    ///
    /// # Safety
    /// As [`forward`]; the two sides do not overlap.
    pub(in crate::bytes) unsafe fn stream(to: *mut u8, from: *const u8, size: usize) {
        // Such stores are of whole lines only where they begin at one.
        let head = to.align_offset(64).min(size);
        let lines = (size - head) & !63;
        let (tail_from, tail_to) = (from.wrapping_add(head + lines), to.wrapping_add(head + lines));
        // SAFETY: as this function demands of its caller; `head` is at most `size`.
        unsafe { copy(from, to, head) }
        // SAFETY: `head` and `lines` are at most `size`, `lines` is a multiple of 64, and `to + head` is one.
        unsafe { stream_lines(from.wrapping_add(head), to.wrapping_add(head), lines) }
        // SAFETY: the bytes behind them, as this function demands of its caller.
        unsafe { copy(tail_from, tail_to, size - head - lines) }
    }

    /// Copies lines of 64 bytes, then what is left by halves: no byte is written twice, for another thread
    /// may have answered the first write.
    ///
    /// # Safety
    /// As [`forward`].
    #[inline]
    unsafe fn copy(from: *const u8, to: *mut u8, size: usize) {
        let in_lines = size & !63;
        // SAFETY: as this function demands of its caller; `in_lines` is a multiple of 64 and at most `size`.
        unsafe { copy_lines(from, to, in_lines) }
        let mut at = in_lines;
        for width in [32, 16, 8, 4, 2, 1] {
            if size & width != 0 {
                // SAFETY: what was copied and this width are at most `size`.
                let from = unsafe { from.add(at) };
                // SAFETY: as above.
                let to = unsafe { to.add(at) };
                match width {
                    32 => {
                        let (from_2, to_2) = (from.wrapping_add(16), to.wrapping_add(16));
                        move_register!(xmm_reg, "movups", "", from, to);
                        move_register!(xmm_reg, "movups", "", from_2, to_2);
                    }
                    16 => move_register!(xmm_reg, "movups", "", from, to),
                    8 => move_register!(reg, "mov", ":r", from, to),
                    4 => move_register!(reg, "mov", ":e", from, to),
                    2 => move_register!(reg, "mov", ":x", from, to),
                    _ => move_register!(reg_byte, "mov", "", from, to),
                }
                at += width;
            }
        }
    }

    /// Copies `size` bytes by lines of 64.
    ///
    /// # Safety
    /// `size` is a multiple of 64. Of the bytes at `from` and `to`, what [`copy`] demands.
    #[inline]
    unsafe fn copy_lines(from: *const u8, to: *mut u8, size: usize) {
        // An index from -size up to 0 is counter and end in one.
        let (from_end, to_end) = (from.wrapping_add(size), to.wrapping_add(size));
        let index = size.wrapping_neg();
        // SAFETY: the caller promises `size` bytes at `from` to read and at `to` to write. `index` goes in
        // steps of 64 from -size to 0, which a multiple of 64 meets, so the instructions access these bytes
        // and nothing else but the registers named.
        unsafe {
            asm!(
                "test {index}, {index}",
                "jz 3f",
                ".p2align 5",
                "2:",
                "movups {a}, [{from} + {index}]",
                "movups {b}, [{from} + {index} + 16]",
                "movups {c}, [{from} + {index} + 32]",
                "movups {d}, [{from} + {index} + 48]",
                "movups [{to} + {index}], {a}",
                "movups [{to} + {index} + 16], {b}",
                "movups [{to} + {index} + 32], {c}",
                "movups [{to} + {index} + 48], {d}",
                "add {index}, 64",
                "jnz 2b",
                "3:",
                index = inout(reg) index => _,
                from = in(reg) from_end,
                to = in(reg) to_end,
                a = out(xmm_reg) _,
                b = out(xmm_reg) _,
                c = out(xmm_reg) _,
                d = out(xmm_reg) _,
                options(nostack)
            );
        }
    }

    /// Copies `size` bytes by lines of 64, the last one first.
    ///
    /// # Safety
    /// As [`copy_lines`].
    unsafe fn copy_lines_backward(from: *const u8, to: *mut u8, size: usize) {
        // SAFETY: the caller promises `size` bytes at `from` to read and at `to` to write. `index` goes in
        // steps of 64 from `size` to 0, which a multiple of 64 meets, so the instructions access these bytes
        // and nothing else but the registers named.
        unsafe {
            asm!(
                "test {index}, {index}",
                "jz 3f",
                ".p2align 5",
                "2:",
                "movups {a}, [{from} + {index} - 64]",
                "movups {b}, [{from} + {index} - 48]",
                "movups {c}, [{from} + {index} - 32]",
                "movups {d}, [{from} + {index} - 16]",
                "movups [{to} + {index} - 64], {a}",
                "movups [{to} + {index} - 48], {b}",
                "movups [{to} + {index} - 32], {c}",
                "movups [{to} + {index} - 16], {d}",
                "sub {index}, 64",
                "jnz 2b",
                "3:",
                index = inout(reg) size => _,
                from = in(reg) from,
                to = in(reg) to,
                a = out(xmm_reg) _,
                b = out(xmm_reg) _,
                c = out(xmm_reg) _,
                d = out(xmm_reg) _,
                options(nostack)
            );
        }
    }

    /// Copies `size` bytes by lines of 64 with stores that pass the caches by, and waits for them: they are
    /// not ordered with others of their own accord.
    ///
    /// # Safety
    /// As [`copy_lines`]; `to` is a multiple of 64, and the two sides do not overlap.
    unsafe fn stream_lines(from: *const u8, to: *mut u8, size: usize) {
        let (from_end, to_end) = (from.wrapping_add(size), to.wrapping_add(size));
        let index = size.wrapping_neg();
        // SAFETY: as in `copy_lines`; the caller promises the alignment that these stores demand.
        unsafe {
            asm!(
                "test {index}, {index}",
                "jz 3f",
                ".p2align 5",
                "2:",
                "movups {a}, [{from} + {index}]",
                "movups {b}, [{from} + {index} + 16]",
                "movups {c}, [{from} + {index} + 32]",
                "movups {d}, [{from} + {index} + 48]",
                "movntps [{to} + {index}], {a}",
                "movntps [{to} + {index} + 16], {b}",
                "movntps [{to} + {index} + 32], {c}",
                "movntps [{to} + {index} + 48], {d}",
                "add {index}, 64",
                "jnz 2b",
                "sfence",
                "3:",
                index = inout(reg) index => _,
                from = in(reg) from_end,
                to = in(reg) to_end,
                a = out(xmm_reg) _,
                b = out(xmm_reg) _,
                c = out(xmm_reg) _,
                d = out(xmm_reg) _,
                options(nostack)
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
            // SAFETY: the index is below `to.len()`, and the caller promises that many bytes at `from`.
            let at = unsafe { from.add(index) };
            // SAFETY: as above: the byte can be read.
            *byte = unsafe { load_byte(at) };
        }
    }

    /// Reads one byte.
    ///
    /// # Safety
    /// It is mapped for reading, and no `&mut` reference to it exists.
    unsafe fn load_byte(from: *const u8) -> u8 {
        // An interpreter takes an atomic for a mutable borrow, which it refuses where a caller's constant bytes are
        // copied from; no test that it runs has a race.
        #[cfg(miri)]
        // SAFETY: the caller's promise.
        unsafe {
            from.read()
        }
        #[cfg(not(miri))]
        {
            // SAFETY: the byte can be read, no `&mut` reference to it exists, an atomic has the layout of its byte,
            // and this one is only loaded.
            let shared = unsafe { AtomicU8::from_ptr(from.cast_mut()) };
            shared.load(Ordering::Relaxed)
        }
    }

    /// Copies `from.len()` bytes to `to`.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    pub(in crate::bytes) unsafe fn store(to: *mut u8, from: &[u8]) {
        for (index, byte) in from.iter().enumerate() {
            // SAFETY: the index is below `from.len()`, and the caller promises that many bytes at `to`.
            let at = unsafe { to.add(index) };
            // SAFETY: it is one of these bytes: it can be written, and no reference to it exists.
            unsafe { store_byte(at, *byte) }
        }
    }

    /// Copies `size` bytes, the first ones first: where `to` is not above `from`, the two may overlap.
    ///
    /// # Safety
    /// `size` bytes at `from` are mapped for reading and `size` bytes at `to` for writing, and no reference to
    /// them exists but the caller's own, through which it does not access them meanwhile.
    pub(in crate::bytes) unsafe fn forward(to: *mut u8, from: *const u8, size: usize) {
        for index in 0..size {
            // SAFETY: the index is below `size`; the caller's promise.
            unsafe { copy_byte(to, from, index) }
        }
    }

    /// Copies `size` bytes, the last ones first: where `to` is not below `from`, the two may overlap.
    ///
    /// # Safety
    /// As [`forward`].
    pub(in crate::bytes) unsafe fn backward(to: *mut u8, from: *const u8, size: usize) {
        for index in (0..size).rev() {
            // SAFETY: the index is below `size`; the caller's promise.
            unsafe { copy_byte(to, from, index) }
        }
    }

    /// Copies `size` bytes.
    ///
    /// # Safety
    /// As [`forward`]; the two sides do not overlap.
    pub(in crate::bytes) unsafe fn stream(to: *mut u8, from: *const u8, size: usize) {
        // SAFETY: as this function demands of its caller.
        unsafe { forward(to, from, size) }
    }

    /// # Safety
    /// The bytes at `index` of both sides are as [`forward`] demands.
    unsafe fn copy_byte(to: *mut u8, from: *const u8, index: usize) {
        let mut byte = [0];
        // SAFETY: the caller's promise.
        let from = unsafe { from.add(index) };
        // SAFETY: the byte can be read, and `byte` is this function's own.
        unsafe { load(from, &mut byte) };
        // SAFETY: the caller's promise.
        let to = unsafe { to.add(index) };
        // SAFETY: the byte can be written.
        unsafe { store_byte(to, byte[0]) }
    }

    /// Makes `size` bytes at `to` zero.
    ///
    /// # Safety
    /// They are mapped for writing, and no reference to them exists.
    pub(in crate::bytes) unsafe fn zero(to: *mut u8, size: usize) {
        for index in 0..size {
            // SAFETY: the index is below `size`, and the caller promises that many bytes at `to`.
            let at = unsafe { to.add(index) };
            // SAFETY: it is one of these bytes: it can be written, and no reference to it exists.
            unsafe { store_byte(at, 0) }
        }
    }

    /// Writes one byte.
    ///
    /// # Safety
    /// It is mapped for writing, and no reference to it exists.
    unsafe fn store_byte(to: *mut u8, byte: u8) {
        // SAFETY: the caller promises that the byte can be written and has no references; an atomic has the
        // layout of its byte.
        let shared = unsafe { AtomicU8::from_ptr(to) };
        shared.store(byte, Ordering::Relaxed);
    }
}

#[cfg(test)]
#[path = "copy_tests.rs"]
mod tests;
