//! A space of offsets that several threads allocate from at once.
//!
//! ```text
//!   space   |------------- 2^k -------------|------------- 2^k -------------|--- rest ---|
//!   shard   0: Mutex<ShardState>            1: Mutex<ShardState>            2: ...
//!              ^ home of thread A              ^ home of thread B
//! ```
//! Each shard owns a fixed part, so an offset says its shard. An allocation
//! 1. tries its thread's home and then the others in turn, in constant time, with `try_lock`, passing
//!    by those whose free size classes (published beside the lock) show that they cannot serve it;
//! 2. failing that, locks all shards in ascending order, and searches each exhaustively;
//! 3. then looks for free ranges that touch across shards, and takes a block in each of them;
//! 4. then, where the caller allows it, scatters the request over several ranges.
//!
//! So a request is refused only when the space as a whole has no place for it. A thread holds one
//! shard's lock, or takes all in ascending order: there is no deadlock.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use heapstone_units::{Alignment, ByteRange};
use parking_lot::{Mutex, MutexGuard};

use crate::home::Home;
use crate::range_allocator::{Block, Owner, RangeAllocator, RangeView};
use crate::shard::ShardState;
use crate::size_classes::Class;
use crate::statistics::RangeStatistics;

/// log2 of the most shards that a space is cut into; a large one has more than half as many. Chosen: eight
/// threads can spread out, and the locks of all are taken in tens of nanoseconds.
const SHARD_COUNT_MAX_LOG2: u32 = 3;

/// log2 of the smallest shard, 64 MiB. Chosen: twice the 32 MiB that spec/2-resource-heaps.txt
/// recommends for a heap (1623), so that common heaps rarely lie across shards.
const SHARD_SIZE_MIN_LOG2: u32 = 26;

/// What a caller asks of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) size: u64,
    pub(crate) alignment: Alignment,
    pub(crate) owner: Owner,
    /// The pages over which the request may be scattered when no single range holds it.
    pub(crate) scatter: Option<Alignment>,
}

/// The blocks of one allocation, in address order. Nearly always one.
#[derive(Debug)]
pub(crate) enum Blocks {
    One(Block),
    Several(Box<[Block]>),
}

impl Blocks {
    /// The blocks, in address order; `None` where there is none.
    pub(crate) fn of(mut blocks: Vec<Block>) -> Option<Blocks> {
        match blocks.pop() {
            Some(only) if blocks.is_empty() => Some(Blocks::One(only)),
            Some(last) => {
                blocks.push(last);
                Some(Blocks::Several(blocks.into()))
            }
            None => None,
        }
    }

    /// All blocks of several allocations of blocks, in address order.
    pub(crate) fn joined(parts: Vec<Blocks>) -> Option<Blocks> {
        let mut blocks = Vec::new();
        for part in parts {
            match part {
                Blocks::One(block) => blocks.push(block),
                Blocks::Several(several) => blocks.extend(several),
            }
        }
        blocks.sort_unstable_by_key(Block::offset);
        Blocks::of(blocks)
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Block] {
        match self {
            Blocks::One(block) => core::slice::from_ref(block),
            Blocks::Several(blocks) => blocks,
        }
    }

    /// The lowest offset.
    pub(crate) fn begin(&self) -> u64 {
        self.as_slice()[0].offset()
    }

    /// The ranges it covers, those that touch joined into one.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = ByteRange> + '_ {
        let mut blocks = self.as_slice().iter().map(Block::range).peekable();
        core::iter::from_fn(move || {
            let mut range = blocks.next()?;
            while let Some(next) = blocks.next_if(|next| next.begin == range.end) {
                range.end = next.end;
            }
            Some(range)
        })
    }
}

/// One part of the space. Padded to two cache lines, because processors prefetch them in pairs.
#[derive(Debug)]
#[repr(align(128))]
struct Shard {
    state: Mutex<ShardState>,
    /// [`ShardState::free_levels`], readable without the lock. Written under it.
    free_levels: AtomicU64,
    /// [`ShardState::used`], readable without the lock. Written under it.
    used: AtomicU64,
    /// How far `used` may rise without a new peak of the whole space: see [`ShardedSpace::raise_peak`].
    used_unnoticed: AtomicU64,
}

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct ShardedSpace {
    shards: Box<[Shard]>,
    stride_log2: u32,
    space: ByteRange,
    used_peak: Mutex<u64>,
}

/// All shards, locked and settled.
type Guards<'a> = Box<[MutexGuard<'a, ShardState>]>;

impl ShardedSpace {
    /// `space` ends at or below 2^63.
    pub(crate) fn new(space: ByteRange) -> ShardedSpace {
        let bits = u64::BITS - space.end.saturating_sub(1).leading_zeros();
        let stride_log2 = bits.saturating_sub(SHARD_COUNT_MAX_LOG2).max(SHARD_SIZE_MIN_LOG2);
        let stride = 1u64 << stride_log2;
        let shards = (0..space.end.div_ceil(stride))
            .map(|index| {
                let begin = (index * stride).max(space.begin);
                let end = (index * stride).saturating_add(stride).min(space.end);
                let ranges = RangeAllocator::new(ByteRange::new(begin, end));
                Shard {
                    free_levels: AtomicU64::new(ranges.free_levels()),
                    used: AtomicU64::new(0),
                    used_unnoticed: AtomicU64::new(0),
                    state: Mutex::new(ShardState::new(ranges)),
                }
            })
            .collect();
        ShardedSpace { shards, stride_log2, space, used_peak: Mutex::new(0) }
    }

    /// The bytes it spans.
    pub(crate) const fn capacity(&self) -> u64 {
        self.space.size()
    }

    /// Its first byte, and one past its last.
    pub(crate) const fn range(&self) -> ByteRange {
        self.space
    }

    /// Serves `request`, whose size is not 0, or changes nothing.
    #[inline]
    pub(crate) fn allocate(&self, home: Home, request: &Request) -> Option<Blocks> {
        let mut home_is_locked = false;
        if let Some(shard) = self.shards.get(home.shard()) {
            match shard.state.try_lock() {
                Some(mut state) => {
                    if let Some(block) = self.allocate_in(shard, &mut state, request) {
                        return Some(Blocks::One(block));
                    }
                }
                None => home_is_locked = true,
            }
        }
        self.allocate_away_from_home(home, home_is_locked, request)
    }

    /// As [`allocate`](Self::allocate), where the request may be scattered, in a time that grows with the pieces
    /// it gets and not with the ranges that there are. It comes to [`allocate`](Self::allocate) only where pages
    /// are free that it did not find.
    pub(crate) fn allocate_in_pieces(&self, home: Home, request: &Request) -> Option<Blocks> {
        if let Some(block) = self.allocate_in_any(home, request) {
            return Some(block);
        }
        let page = request.scatter?;
        if self.capacity() - self.used() < request.size {
            return None;
        }
        let blocks = self.take_pieces(request, page);
        if blocks.is_some() { blocks } else { self.allocate(home, request) }
    }

    /// A block of any shard, in constant time.
    fn allocate_in_any(&self, home: Home, request: &Request) -> Option<Blocks> {
        let level = Class::of(request.size).level();
        let count = self.shards.len();
        (0..count).map(|step| &self.shards[(home.shard() + step) % count]).find_map(|shard| {
            if shard.free_levels.load(Relaxed) >> level == 0 {
                return None;
            }
            self.allocate_in(shard, &mut shard.state.lock(), request).map(Blocks::One)
        })
    }

    fn take_pieces(&self, request: &Request, page: Alignment) -> Option<Blocks> {
        let mut missing = request.size;
        let mut blocks = Vec::new();
        for shard in &self.shards {
            let mut state = shard.state.lock();
            let ranges = state.settle();
            while missing > 0
                && let Some(block) = ranges.allocate_part(missing, page, request.owner)
            {
                missing -= block.size();
                blocks.push(block);
            }
            self.publish_growth(shard, &state);
            if missing == 0 {
                break;
            }
        }
        if missing > 0 {
            blocks.into_iter().for_each(|block| self.free_block(block));
            return None;
        }
        blocks.sort_unstable_by_key(Block::offset);
        Blocks::of(blocks)
    }

    /// Takes exactly `range`, which is not empty and lies in the space, or changes nothing.
    ///
    /// # Errors
    /// The lowest range in the way; `None` where nothing is, but a shard's slab is at its end.
    #[cold]
    pub(crate) fn allocate_at(&self, range: ByteRange, owner: Owner) -> Result<Blocks, Option<RangeView>> {
        let mut guards = self.lock_all();
        let blocks = self.allocate_at_locked(&mut guards, range, owner)?;
        self.publish_all(&guards);
        Ok(blocks)
    }

    /// Frees `old` and takes exactly each of `wanted`, which are not empty and lie in the space, with no moment
    /// between in which others could take a part of it.
    ///
    /// # Errors
    /// Nothing has changed, but that `old` are other blocks of the same ranges; what is in the way, as of
    /// [`ShardedSpace::allocate_at`].
    #[cold]
    pub(crate) fn replace(
        &self,
        old: Vec<Blocks>,
        wanted: &[ByteRange],
        owner: Owner,
    ) -> Result<Vec<Blocks>, (Vec<Blocks>, Option<RangeView>)> {
        let mut guards = self.lock_all();
        let before: Vec<ByteRange> = old.iter().flat_map(Blocks::ranges).collect();
        self.free_locked(&mut guards, old);
        let taken = self.allocate_each_locked(&mut guards, wanted, owner).map_err(|in_the_way| {
            let again = self.allocate_each_locked(&mut guards, &before, owner);
            (again.expect("invariant: what was just freed can be taken again"), in_the_way)
        });
        self.publish_all(&guards);
        taken
    }

    fn allocate_at_locked(
        &self,
        guards: &mut Guards<'_>,
        range: ByteRange,
        owner: Owner,
    ) -> Result<Blocks, Option<RangeView>> {
        let indices = self.shard_of(range.begin)..=self.shard_of(range.end - 1);
        let parts = guards[indices.clone()].iter_mut().map(|state| {
            let ranges = state.settle();
            let space = ranges.space();
            let part = ByteRange::new(range.begin.max(space.begin), range.end.min(space.end));
            ranges.allocate_at(part, owner)
        });
        let parts = parts.collect();
        self.all_or_nothing(parts, guards).ok_or_else(|| in_the_way(&guards[indices], range))
    }

    /// All of them, or none.
    fn allocate_each_locked(
        &self,
        guards: &mut Guards<'_>,
        ranges: &[ByteRange],
        owner: Owner,
    ) -> Result<Vec<Blocks>, Option<RangeView>> {
        let mut taken = Vec::with_capacity(ranges.len());
        for range in ranges {
            match self.allocate_at_locked(guards, *range, owner) {
                Ok(blocks) => taken.push(blocks),
                Err(in_the_way) => {
                    self.free_locked(guards, taken);
                    return Err(in_the_way);
                }
            }
        }
        Ok(taken)
    }

    fn free_locked(&self, guards: &mut Guards<'_>, all: Vec<Blocks>) {
        let mut free = |block: Block| guards[self.shard_of(block.offset())].settle().free(block);
        for blocks in all {
            match blocks {
                Blocks::One(block) => free(block),
                Blocks::Several(blocks) => blocks.into_iter().for_each(&mut free),
            }
        }
    }

    fn publish_all(&self, guards: &Guards<'_>) {
        for (shard, state) in self.shards.iter().zip(guards) {
            self.publish_growth(shard, state);
        }
    }

    /// Gives the blocks back.
    #[inline]
    pub(crate) fn free(&self, blocks: Blocks) {
        match blocks {
            Blocks::One(block) => self.free_block(block),
            Blocks::Several(blocks) => blocks.into_iter().for_each(|block| self.free_block(block)),
        }
    }

    /// Frees everything that `owner` has; returns its bytes.
    pub(crate) fn free_all_of(&self, owner: Owner) -> u64 {
        let mut freed = 0;
        for shard in &self.shards {
            let mut state = shard.state.lock();
            freed += state.settle().free_all_of(owner);
            publish(shard, &state);
        }
        freed
    }

    /// Bytes allocated now. A sum over the shards: while other threads allocate, it is of no one moment.
    pub(crate) fn used(&self) -> u64 {
        self.shards.iter().map(|shard| shard.used.load(Relaxed)).sum()
    }

    /// Figures of one moment.
    pub(crate) fn statistics(&self) -> RangeStatistics {
        let guards = self.lock_all();
        let mut statistics = RangeStatistics { capacity: self.capacity(), ..RangeStatistics::default() };
        for range in joined(&guards) {
            if range.owner.is_none() {
                statistics.free += range.size;
                statistics.largest_free_range = statistics.largest_free_range.max(range.size);
                statistics.free_range_count += 1;
            } else {
                statistics.used += range.size;
            }
        }
        statistics.used_peak = *self.used_peak.lock();
        statistics
    }

    /// Every range of one moment, in address order: free ones joined across shards, used ones as they
    /// were allocated (a block that lies across shards shows as its parts).
    pub(crate) fn ranges(&self) -> Vec<RangeView> {
        joined(&self.lock_all())
    }

    #[inline]
    fn allocate_in(&self, shard: &Shard, state: &mut ShardState, request: &Request) -> Option<Block> {
        let block = state.allocate_quickly(request.size, request.alignment, request.owner)?;
        self.publish_growth(shard, state);
        Some(block)
    }

    /// Tries the other shards; where one serves while the home is locked, that becomes the home.
    #[cold]
    fn allocate_away_from_home(&self, home: Home, home_is_locked: bool, request: &Request) -> Option<Blocks> {
        let level = Class::of(request.size).level();
        let count = self.shards.len();
        for index in (1..=count).map(|step| (home.shard() + step) % count) {
            let shard = &self.shards[index];
            if index == home.shard() || shard.free_levels.load(Relaxed) >> level == 0 {
                continue;
            }
            let Some(mut state) = shard.state.try_lock() else { continue };
            if let Some(block) = self.allocate_in(shard, &mut state, request) {
                if home_is_locked {
                    home.move_to(index);
                }
                return Some(Blocks::One(block));
            }
        }
        self.allocate_under_all_locks(request)
    }

    #[inline]
    fn free_block(&self, block: Block) {
        let shard = &self.shards[self.shard_of(block.offset())];
        let mut state = shard.state.lock();
        state.free(block);
        publish(shard, &state);
    }

    #[inline]
    fn shard_of(&self, offset: u64) -> usize {
        usize::try_from(offset >> self.stride_log2).expect("invariant: at most 8 shards")
    }

    fn lock_all(&self) -> Guards<'_> {
        let mut guards = Vec::with_capacity(self.shards.len());
        for shard in &self.shards {
            let mut state = shard.state.lock();
            state.settle();
            publish(shard, &state);
            guards.push(state);
        }
        guards.into()
    }

    fn allocate_under_all_locks(&self, request: &Request) -> Option<Blocks> {
        let mut guards = self.lock_all();
        let blocks = allocate_in_one_shard(&mut guards, request)
            .or_else(|| self.allocate_across_shards(&mut guards, request))
            .or_else(|| self.scatter(&mut guards, request))?;
        for block in blocks.as_slice() {
            let index = self.shard_of(block.offset());
            self.publish_growth(&self.shards[index], &guards[index]);
        }
        Some(blocks)
    }

    /// Takes one contiguous range that begins in one shard and ends in another.
    fn allocate_across_shards(&self, guards: &mut Guards<'_>, request: &Request) -> Option<Blocks> {
        let start = free_runs(guards).find_map(|run| {
            let start = request.alignment.align_up(run.begin)?;
            let range = ByteRange::at(start, request.size)?;
            run.contains(range).then_some(start)
        })?;
        let range = ByteRange::at(start, request.size)?;
        let parts = self.shard_of(range.begin)..=self.shard_of(range.end - 1);
        let blocks = parts.map(|index| {
            let ranges = guards[index].settle();
            let space = ranges.space();
            let part = ByteRange::new(range.begin.max(space.begin), range.end.min(space.end));
            ranges.allocate_at_edge(part, request.owner)
        });
        self.all_or_nothing(blocks.collect(), guards)
    }

    /// Takes whole pages wherever they are free, the largest ranges first so that there are few.
    fn scatter(&self, guards: &mut Guards<'_>, request: &Request) -> Option<Blocks> {
        let page = request.scatter?;
        let free: u64 = guards.iter().map(|state| state.settled().free_bytes()).sum();
        if free < request.size {
            return None;
        }
        let mut usable: Vec<ByteRange> = guards
            .iter()
            .flat_map(|state| state.settled().ranges())
            .filter(|range| range.owner.is_none())
            .filter_map(|range| {
                let begin = page.align_up(range.offset)?;
                let end = page.align_down(range.offset + range.size);
                (begin < end).then(|| ByteRange::new(begin, end))
            })
            .collect();
        usable.sort_unstable_by_key(|range| (core::cmp::Reverse(range.size()), range.begin));
        let mut taken = Vec::new();
        let mut missing = request.size;
        for range in usable {
            if missing == 0 {
                break;
            }
            let size = range.size().min(missing);
            missing -= size;
            taken.push(ByteRange::new(range.begin, range.begin + size));
        }
        if missing > 0 {
            return None;
        }
        taken.sort_unstable_by_key(|range| range.begin);
        let blocks = taken
            .into_iter()
            .map(|range| guards[self.shard_of(range.begin)].settle().allocate_at(range, request.owner))
            .collect();
        self.all_or_nothing(blocks, guards)
    }

    /// The blocks when all were had, which fails only where a slab is at its end: then none is kept.
    fn all_or_nothing(&self, blocks: Vec<Option<Block>>, guards: &mut Guards<'_>) -> Option<Blocks> {
        let count = blocks.len();
        let blocks: Vec<Block> = blocks.into_iter().flatten().collect();
        if blocks.len() == count {
            return Blocks::of(blocks);
        }
        for block in blocks {
            guards[self.shard_of(block.offset())].settle().free(block);
        }
        None
    }

    #[inline]
    fn publish_growth(&self, shard: &Shard, state: &ShardState) {
        publish(shard, state);
        if state.used() > shard.used_unnoticed.load(Relaxed) {
            self.raise_peak();
        }
    }

    /// Records a new peak, if it is one, and deals the distance to the peak out among the shards: as long
    /// as each stays within its part, their sum is no new peak, and no allocation looks at another
    /// shard's cache lines. Exact when calls come one at a time; calls that overlap in time may be missed.
    #[cold]
    fn raise_peak(&self) {
        let mut peak = self.used_peak.lock();
        let used = self.used();
        *peak = (*peak).max(used);
        let share = (*peak - used) / u64::try_from(self.shards.len()).expect("invariant: at most 8 shards");
        for shard in &self.shards {
            shard.used_unnoticed.store(shard.used.load(Relaxed) + share, Relaxed);
        }
    }
}

/// Writes what others read without the lock.
#[inline]
fn publish(shard: &Shard, state: &ShardState) {
    shard.free_levels.store(state.free_levels(), Relaxed);
    shard.used.store(state.used(), Relaxed);
}

fn allocate_in_one_shard(guards: &mut Guards<'_>, request: &Request) -> Option<Blocks> {
    guards
        .iter_mut()
        .find_map(|state| state.settle().allocate(request.size, request.alignment, request.owner))
        .map(Blocks::One)
}

/// The free ranges that reach across shards, in address order.
fn free_runs(guards: &Guards<'_>) -> impl Iterator<Item = ByteRange> {
    let mut runs = Vec::new();
    let mut run: Option<ByteRange> = None;
    for state in guards {
        let ranges = state.settled();
        if let (Some(run), Some(prefix)) = (&mut run, ranges.free_prefix()) {
            run.end = prefix.end;
        }
        if ranges.used() > 0 || run.is_none() {
            runs.extend(run);
            run = ranges.free_suffix();
        }
    }
    runs.extend(run);
    runs.into_iter()
}

/// The lowest used range that shares a byte with `range`.
#[cold]
fn in_the_way(guards: &[MutexGuard<'_, ShardState>], range: ByteRange) -> Option<RangeView> {
    let mut used =
        guards.iter().flat_map(|state| state.settled().ranges()).filter(|view| view.owner.is_some());
    used.find(|view| ByteRange::new(view.offset, view.offset + view.size).overlaps(range))
}

/// All ranges, the free ones that touch across shards joined.
fn joined(guards: &Guards<'_>) -> Vec<RangeView> {
    let mut all: Vec<RangeView> = Vec::new();
    for range in guards.iter().flat_map(|state| state.settled().ranges()) {
        match all.last_mut() {
            Some(last) if last.owner.is_none() && range.owner.is_none() => last.size += range.size,
            _ => all.push(range),
        }
    }
    all
}
