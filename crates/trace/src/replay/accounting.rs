//! Where every byte is, kept up to date call by call.
//!
//! Each change is applied as it happens, so that a call costs the same however much is alive; only the
//! picture of the peak is copied, and only when memory is about to fall from a new height.

use heapstone_spec::{HeapType, SegmentGroup};
use heapstone_units::{Alignment, KIB};

use super::intervals::Intervals;
use super::report::{BudgetUse, Moment, Peak, TypeUsage, Usage};
use crate::error::Position;

const TYPES: usize = HeapType::ALL.len();

/// A committed buffer below this is a small one: an explicit heap's pages have that size.
const SMALL: u64 = 64 * KIB;

/// A call's place in the trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct At {
    pub(crate) position: Position,
    pub(crate) call: u64,
    pub(crate) timestamp_us: Option<u64>,
}

impl At {
    const fn peak(self, bytes: u64) -> Peak {
        Peak { bytes, position: self.position, call: self.call, timestamp_us: self.timestamp_us }
    }
}

/// What a resource is to the accounts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceBytes {
    /// Of its content; never above `taken`.
    pub(crate) asked: u64,
    /// Its size.
    pub(crate) taken: u64,
    pub(crate) is_buffer: bool,
}

/// The account that bytes are booked on: heap type, and node and segment group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    row: u8,
    budget: u8,
}

/// All sums wrap: what was added is taken away again, and a passing overflow does no harm.
#[derive(Clone, Debug, Default)]
struct Books {
    rows: [Usage; TYPES],
    reserved_resources: u64,
    reserved_addresses: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Accounting {
    now: At,
    books: Books,
    committed: u64,
    asked: u64,
    /// The greatest (committed, asked), lexicographically, and when it was first reached.
    highest: (u64, u64),
    highest_at: At,
    /// The books then; taken when memory falls for the first time after.
    highest_books: Books,
    is_highest_now: bool,
    peak_asked: Peak,
    budgets: Vec<BudgetUse>,
    /// Committed by node and group, beside `budgets`.
    by_budget: Vec<u64>,
}

impl Accounting {
    /// `budget` gives the budget in bytes of each node's segment groups.
    pub(crate) fn new(node_count: u32, budget: impl Fn(u32, SegmentGroup) -> u64) -> Accounting {
        let mut budgets = Vec::new();
        for node in 0..node_count.max(1) {
            for group in [SegmentGroup::Local, SegmentGroup::NonLocal] {
                budgets.push(BudgetUse {
                    node,
                    group,
                    budget: budget(node, group),
                    peak: Peak::default(),
                    exceeded: None,
                });
            }
        }
        Accounting {
            now: At::default(),
            books: Books::default(),
            committed: 0,
            asked: 0,
            highest: (0, 0),
            highest_at: At::default(),
            highest_books: Books::default(),
            is_highest_now: false,
            peak_asked: Peak::default(),
            by_budget: vec![0; budgets.len()],
            budgets,
        }
    }

    /// The call that comes now.
    pub(crate) fn at(&mut self, now: At) {
        self.now = now;
    }

    pub(crate) const fn now(&self) -> At {
        self.now
    }

    /// Memory of that heap type, node and segment group.
    pub(crate) fn account(&self, heap_type: HeapType, node_mask: u32, group: SegmentGroup) -> Account {
        let row = match heap_type {
            HeapType::Default => 0,
            HeapType::Upload => 1,
            HeapType::Readback => 2,
            HeapType::Custom => 3,
            HeapType::GpuUpload => 4,
        };
        let node = if node_mask == 0 { 0 } else { node_mask.trailing_zeros() };
        let budget = node * 2 + u32::from(group == SegmentGroup::NonLocal);
        // At most 32 nodes of two groups.
        let budget = u8::try_from(budget).unwrap_or(0);
        Account { row, budget: if usize::from(budget) < self.by_budget.len() { budget } else { 0 } }
    }

    fn row(&mut self, account: Account) -> &mut Usage {
        &mut self.books.rows[usize::from(account.row)]
    }

    /// An explicit heap of `intervals` was created.
    pub(crate) fn heap_created(&mut self, account: Account, committed: u64, intervals: &Intervals) {
        self.heap(Change::Comes, account, committed, intervals);
        self.grown();
    }

    /// And goes, without resources.
    pub(crate) fn heap_destroyed(&mut self, account: Account, committed: u64, intervals: &Intervals) {
        self.falls();
        self.heap(Change::Goes, account, committed, intervals);
    }

    fn heap(&mut self, change: Change, account: Account, committed: u64, intervals: &Intervals) {
        let row = self.row(account);
        change.book(&mut row.heaps, 1);
        change.book(&mut row.heap_bytes, committed);
        change.book(&mut row.waste.heap_free, intervals.holes());
        self.commit(change, account, committed);
    }

    /// A resource was placed at `[start, end)` of a heap.
    pub(crate) fn placed(
        &mut self,
        account: Account,
        intervals: &mut Intervals,
        (start, end, alignment): (u64, u64, Alignment),
        bytes: ResourceBytes,
    ) {
        let before = FreeBytes::of(intervals);
        intervals.insert(start, end, alignment);
        self.in_heap(Change::Comes, account, before, FreeBytes::of(intervals), bytes);
        self.grown();
    }

    /// And goes.
    pub(crate) fn unplaced(
        &mut self,
        account: Account,
        intervals: &mut Intervals,
        (start, end, alignment): (u64, u64, Alignment),
        bytes: ResourceBytes,
    ) {
        self.falls();
        let before = FreeBytes::of(intervals);
        intervals.remove(start, end, alignment);
        self.in_heap(Change::Goes, account, before, FreeBytes::of(intervals), bytes);
    }

    fn in_heap(
        &mut self,
        change: Change,
        account: Account,
        before: FreeBytes,
        after: FreeBytes,
        bytes: ResourceBytes,
    ) {
        let row = self.row(account);
        change.book(&mut row.placed_resources, 1);
        after.replace(before, row);
        change.resource(row, bytes);
        change.book(&mut self.asked, bytes.asked);
    }

    /// A committed resource was created, with an implicit heap of `committed` bytes.
    pub(crate) fn committed_created(&mut self, account: Account, committed: u64, bytes: ResourceBytes) {
        self.committed_resource(Change::Comes, account, committed, bytes);
        self.grown();
    }

    /// And goes.
    pub(crate) fn committed_destroyed(&mut self, account: Account, committed: u64, bytes: ResourceBytes) {
        self.falls();
        self.committed_resource(Change::Goes, account, committed, bytes);
    }

    fn committed_resource(&mut self, change: Change, account: Account, committed: u64, bytes: ResourceBytes) {
        let row = self.row(account);
        change.book(&mut row.committed_resources, 1);
        if is_small(bytes) {
            change.book(&mut row.small_committed_buffers, 1);
            change.book(&mut row.asked, bytes.asked);
            change.book(&mut row.taken, bytes.taken);
            change.book(&mut row.waste.small_committed, committed - bytes.asked);
        } else {
            change.book(&mut row.waste.heap_tail, committed - bytes.taken);
            change.resource(row, bytes);
        }
        change.book(&mut self.asked, bytes.asked);
        self.commit(change, account, committed);
    }

    /// A reserved resource took addresses.
    pub(crate) fn reserved_created(&mut self, addresses: u64) {
        self.reserved(Change::Comes, addresses);
    }

    /// And gives them back.
    pub(crate) fn reserved_destroyed(&mut self, addresses: u64) {
        self.falls();
        self.reserved(Change::Goes, addresses);
    }

    fn reserved(&mut self, change: Change, addresses: u64) {
        change.book(&mut self.books.reserved_resources, 1);
        change.book(&mut self.books.reserved_addresses, addresses);
    }

    fn commit(&mut self, change: Change, account: Account, bytes: u64) {
        change.book(&mut self.row(account).committed, bytes);
        change.book(&mut self.committed, bytes);
        let index = usize::from(account.budget);
        change.book(&mut self.by_budget[index], bytes);
        let usage = self.by_budget[index];
        let now = self.now;
        let budget = &mut self.budgets[index];
        // What goes leaves less than the peak was.
        if usage > budget.peak.bytes {
            budget.peak = now.peak(usage);
            if usage > budget.budget && budget.exceeded.is_none() {
                budget.exceeded = Some(now.peak(usage));
            }
        }
    }

    fn grown(&mut self) {
        let height = (self.committed, self.asked);
        if height > self.highest {
            self.highest = height;
            self.highest_at = self.now;
            self.is_highest_now = true;
        }
        if self.asked > self.peak_asked.bytes {
            self.peak_asked = self.now.peak(self.asked);
        }
    }

    /// Memory is about to fall: the last chance to see the peak.
    fn falls(&mut self) {
        if self.is_highest_now {
            self.highest_books = self.books.clone();
            self.is_highest_now = false;
        }
    }

    /// Memory at the peak.
    pub(crate) fn peak(&mut self) -> Moment {
        self.falls();
        moment(&self.highest_books, self.highest_at)
    }

    /// Memory now.
    pub(crate) fn current(&self) -> Moment {
        moment(&self.books, self.now)
    }

    pub(crate) const fn peak_asked(&self) -> Peak {
        self.peak_asked
    }

    pub(crate) fn budgets(&self) -> Vec<BudgetUse> {
        self.budgets.clone()
    }
}

fn is_small(bytes: ResourceBytes) -> bool {
    bytes.is_buffer && bytes.asked < SMALL
}

/// Whether something comes or goes: both book the same amounts, once on and once off.
#[derive(Clone, Copy)]
enum Change {
    Comes,
    Goes,
}

impl Change {
    #[inline]
    const fn book(self, sum: &mut u64, amount: u64) {
        *sum = match self {
            Change::Comes => sum.wrapping_add(amount),
            Change::Goes => sum.wrapping_sub(amount),
        };
    }

    fn resource(self, row: &mut Usage, bytes: ResourceBytes) {
        self.book(&mut row.asked, bytes.asked);
        self.book(&mut row.taken, bytes.taken);
        self.book(rounding(row, bytes), bytes.taken - bytes.asked);
    }
}

fn rounding(row: &mut Usage, bytes: ResourceBytes) -> &mut u64 {
    if bytes.is_buffer { &mut row.waste.buffer_rounding } else { &mut row.waste.texture_padding }
}

/// What of a heap its resources leave, and take twice.
#[derive(Clone, Copy)]
struct FreeBytes {
    start_alignment: u64,
    tail: u64,
    holes: u64,
    aliased: u64,
}

impl FreeBytes {
    fn of(intervals: &Intervals) -> FreeBytes {
        FreeBytes {
            start_alignment: intervals.start_alignment(),
            tail: intervals.tail(),
            holes: intervals.holes(),
            aliased: intervals.taken().wrapping_sub(intervals.covered()),
        }
    }

    /// Books these bytes in the place of those `before`.
    fn replace(self, before: FreeBytes, row: &mut Usage) {
        let change = |total: &mut u64, before: u64, after: u64| {
            *total = total.wrapping_sub(before).wrapping_add(after);
        };
        change(&mut row.waste.start_alignment, before.start_alignment, self.start_alignment);
        change(&mut row.waste.heap_tail, before.tail, self.tail);
        change(&mut row.waste.heap_free, before.holes, self.holes);
        change(&mut row.aliased, before.aliased, self.aliased);
    }
}

fn moment(books: &Books, at: At) -> Moment {
    let mut total = Usage::default();
    for row in &books.rows {
        add(&mut total, row);
    }
    let by_type = HeapType::ALL
        .iter()
        .zip(&books.rows)
        .filter(|(_, usage)| **usage != Usage::default())
        .map(|(heap_type, usage)| TypeUsage { heap_type: *heap_type, usage: *usage })
        .collect();
    Moment {
        position: at.position,
        call: at.call,
        timestamp_us: at.timestamp_us,
        total,
        by_type,
        reserved_resources: books.reserved_resources,
        reserved_addresses: books.reserved_addresses,
    }
}

fn add(total: &mut Usage, row: &Usage) {
    let sums = [
        (&mut total.heaps, row.heaps),
        (&mut total.heap_bytes, row.heap_bytes),
        (&mut total.placed_resources, row.placed_resources),
        (&mut total.committed_resources, row.committed_resources),
        (&mut total.small_committed_buffers, row.small_committed_buffers),
        (&mut total.asked, row.asked),
        (&mut total.taken, row.taken),
        (&mut total.committed, row.committed),
        (&mut total.aliased, row.aliased),
        (&mut total.waste.start_alignment, row.waste.start_alignment),
        (&mut total.waste.buffer_rounding, row.waste.buffer_rounding),
        (&mut total.waste.texture_padding, row.waste.texture_padding),
        (&mut total.waste.heap_tail, row.waste.heap_tail),
        (&mut total.waste.heap_free, row.waste.heap_free),
        (&mut total.waste.small_committed, row.waste.small_committed),
    ];
    for (sum, part) in sums {
        *sum = sum.wrapping_add(part);
    }
}
