//! Where a thread begins to look: its home shard.
//!
//! Every thread's home is shard 0 of every manager until it finds its home locked by another thread;
//! then the shard where it succeeded becomes its home. So one thread, or several that take turns, always
//! get the same offsets for the same calls, and threads that collide move apart and stay apart.

use core::cell::Cell;

thread_local! {
    /// The home of this thread in the manager that it used last: (manager, shard).
    static HOME: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
}

/// The home shard of the current thread in one manager.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    manager: u64,
    shard: u32,
}

impl Home {
    /// The current thread's home in `manager`. A thread that alternates between managers starts
    /// again at shard 0, which costs it at most a few collisions.
    #[inline]
    pub(crate) fn in_manager(manager: u64) -> Home {
        let (of, shard) = HOME.get();
        Home { manager, shard: if of == manager { shard } else { 0 } }
    }

    #[inline]
    pub(crate) const fn shard(self) -> usize {
        self.shard as usize
    }

    /// Makes `shard` the thread's home from its next call on.
    #[cold]
    pub(crate) fn move_to(self, shard: usize) {
        let shard = u32::try_from(shard).expect("invariant: a space has at most 8 shards");
        HOME.set((self.manager, shard));
    }
}
