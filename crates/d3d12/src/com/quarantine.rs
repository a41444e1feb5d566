//! What becomes of the memory of dead objects.
//!
//! In a build with debug assertions the last of them keep their memory for a while, so that one Release too many finds a
//! count of 0 and is told, instead of hitting whoever has the memory next.

use super::object::{Class, Object};

/// Frees an object whose body was dropped.
#[cfg(not(debug_assertions))]
pub(super) fn free<T: Class>(object: *mut Object<T>) {
    let layout = core::alloc::Layout::new::<Object<T>>();
    // SAFETY: it was made by `Box`, and nobody has it any more.
    unsafe { std::alloc::dealloc(object.cast(), layout) };
}

#[cfg(debug_assertions)]
pub(super) fn free<T: Class>(object: *mut Object<T>) {
    kept::keep(object.cast(), core::alloc::Layout::new::<Object<T>>());
}

/// One Release too many.
#[cold]
pub(super) fn report_double_release(class: &str) {
    // There is no device to tell: the object is dead, and its device may be.
    if cfg!(debug_assertions) {
        eprintln!("heapstone: {class}: Release of an object without references");
    }
}

#[cfg(debug_assertions)]
mod kept {
    use core::alloc::Layout;
    use std::collections::VecDeque;

    use parking_lot::Mutex;

    /// How many dead objects are kept: chosen, enough for the tests of a client, and not much memory.
    const COUNT: usize = 4096;

    struct Dead(*mut u8, Layout);

    // SAFETY: only the queue has the memory.
    unsafe impl Send for Dead {}

    static DEAD: Mutex<VecDeque<Dead>> = Mutex::new(VecDeque::new());

    pub(super) fn keep(memory: *mut u8, layout: Layout) {
        let mut dead = DEAD.lock();
        dead.push_back(Dead(memory, layout));
        let oldest = if dead.len() > COUNT { dead.pop_front() } else { None };
        drop(dead);
        if let Some(Dead(memory, layout)) = oldest {
            // SAFETY: made by `Box` with this layout, and nobody has it any more.
            unsafe { std::alloc::dealloc(memory, layout) };
        }
    }
}
