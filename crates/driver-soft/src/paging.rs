//! The paging engine: it builds operations into paging buffers, and runs these.
//!
//! ```text
//!   Transfer                    copy, copy, ...            leave the source
//!     within a segment, where   copy to the staging area   leave the source   copy from the staging area
//!     the places overlap
//!   Fill                        fill, fill, ...
//!   Discard                     leave
//! ```
//! A row's columns are *phases*; each goes through all bytes of the operation, a command for each piece that is one run
//! of memory in both places. MultipassOffset is the phase, in its upper two bits, and the byte.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone_driver::DriverError;
use heapstone_driver::cost::{COMMAND_NS, CostModel};
use heapstone_driver::paging::{PagingBuffer, PagingEngine, PagingStatistics};
use heapstone_kernel::paging_buffer::BuiltPaging;
use heapstone_kernel::{AllocationKey, PagingOperation, PagingPlace};
use heapstone_units::ByteRange;

use crate::bytes::in_address_space;
use crate::physical::{PhysicalMemory, TRANSFER, out_of_memory};

/// Bytes of one command at most (chosen: 22 bits of a count, so that no command holds the engine for long).
const PIECE_BYTES_MAX: u64 = 4 << 20;

/// Where the byte begins in a MultipassOffset.
const PHASE_SHIFT: u32 = 62;

/// Bits of a command's first word, beside its [`Verb`].
const LAST: u32 = 1 << 8;

/// Places that are no segment.
const STORE: u32 = u32::MAX;
const STAGING: u32 = u32::MAX - 1;

/// Words of a command.
const COMMAND_WORDS: usize = 13;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
enum Verb {
    Copy = 1,
    Fill = 2,
    Leave = 3,
}

/// A command, as it stands in a paging buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PagingCommand {
    verb: Verb,
    /// Whether it is its operation's last.
    is_last: bool,
    allocation: AllocationKey,
    /// Place and offset in it; of a fill, 0 and the pattern.
    from: (u32, u64),
    to: (u32, u64),
    bytes: u64,
    /// The operation's.
    of_bytes: u64,
}

impl PagingCommand {
    fn encode(&self) -> [u32; COMMAND_WORDS] {
        let [key, from, to, bytes, of] =
            [self.allocation.0.get(), self.from.1, self.to.1, self.bytes, self.of_bytes].map(halves);
        let first = self.verb as u32 | if self.is_last { LAST } else { 0 };
        [
            first,
            key[0],
            key[1],
            self.from.0,
            from[0],
            from[1],
            self.to.0,
            to[0],
            to[1],
            bytes[0],
            bytes[1],
            of[0],
            of[1],
        ]
    }

    fn decode(words: &[u32]) -> Option<PagingCommand> {
        let [first, key0, key1, from, from0, from1, to, to0, to1, bytes0, bytes1, of0, of1] =
            *words.first_chunk::<COMMAND_WORDS>()?;
        let verb = [Verb::Copy, Verb::Fill, Verb::Leave];
        Some(PagingCommand {
            verb: verb.into_iter().find(|verb| *verb as u32 == first & !LAST)?,
            is_last: first & LAST != 0,
            allocation: AllocationKey(whole(key0, key1).try_into().ok()?),
            from: (from, whole(from0, from1)),
            to: (to, whole(to0, to1)),
            bytes: whole(bytes0, bytes1),
            of_bytes: whole(of0, of1),
        })
    }
}

/// Low and high.
fn halves(value: u64) -> [u32; 2] {
    let half = |value: u64| u32::try_from(value & 0xffff_ffff).expect("invariant: 32 bits are left");
    [half(value), half(value >> 32)]
}

fn whole(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// A walk through a place, from some byte of the operation on.
#[derive(Clone, Copy, Debug)]
enum Walk<'a> {
    /// Ranges that are left, and the bytes of the first that are passed.
    Segment { segment: u32, ranges: &'a [ByteRange], passed: u64 },
    /// One run of memory.
    Run { place: u32, offset: u64 },
}

impl<'a> Walk<'a> {
    fn new(place: &'a PagingPlace, offset: u64) -> Walk<'a> {
        match place {
            PagingPlace::Segment { segment, ranges } => {
                let segment = u32::try_from(segment.index()).unwrap_or(STAGING);
                let mut walk = Walk::Segment { segment, ranges, passed: 0 };
                walk.pass(offset);
                walk
            }
            PagingPlace::BackingStore => Walk::Run { place: STORE, offset },
        }
    }

    /// Where it is, and how many bytes lie there in one run.
    fn here(&self) -> ((u32, u64), u64) {
        match self {
            Walk::Segment { segment, ranges, passed } => {
                let range = ranges.first().copied().unwrap_or(ByteRange::new(0, 0));
                ((*segment, range.begin + passed), range.size().saturating_sub(*passed))
            }
            Walk::Run { place, offset } => ((*place, *offset), u64::MAX),
        }
    }

    fn pass(&mut self, bytes: u64) {
        match self {
            Walk::Segment { ranges, passed, .. } => {
                *passed += bytes;
                while let Some(range) = ranges.first().filter(|range| range.size() <= *passed) {
                    *passed -= range.size();
                    *ranges = &ranges[1..];
                }
            }
            Walk::Run { offset, .. } => *offset += bytes,
        }
    }
}

/// What a phase does with each piece.
#[derive(Clone, Copy, Debug)]
struct Phase<'a> {
    verb: Verb,
    /// `None`: the staging area; so in `to`.
    from: Option<&'a PagingPlace>,
    to: Option<&'a PagingPlace>,
    /// Of a fill.
    pattern: u32,
}

/// The phases of an operation.
fn phases(operation: &PagingOperation) -> Vec<Phase<'_>> {
    let leave = |place| Phase { verb: Verb::Leave, from: None, to: Some(place), pattern: 0 };
    match operation {
        PagingOperation::Transfer {
            from: PagingPlace::BackingStore, to: PagingPlace::BackingStore, ..
        } => Vec::new(),
        PagingOperation::Transfer { from, to, .. } => {
            let copy = |from, to| Phase { verb: Verb::Copy, from, to, pattern: 0 };
            match from {
                PagingPlace::Segment { .. } if overlap(from, to) => {
                    vec![copy(Some(from), None), leave(from), copy(None, Some(to))]
                }
                PagingPlace::Segment { .. } => vec![copy(Some(from), Some(to)), leave(from)],
                PagingPlace::BackingStore => vec![copy(Some(from), Some(to))],
            }
        }
        PagingOperation::Fill { place, pattern, .. } => {
            vec![Phase { verb: Verb::Fill, from: None, to: Some(place), pattern: *pattern }]
        }
        PagingOperation::Discard { place, .. } => vec![leave(place)],
    }
}

/// Whether any bytes are of both places.
fn overlap(from: &PagingPlace, to: &PagingPlace) -> bool {
    let (
        PagingPlace::Segment { segment, ranges },
        PagingPlace::Segment { segment: other, ranges: other_ranges },
    ) = (from, to)
    else {
        return false;
    };
    if segment != other {
        return false;
    }
    let mut all: Vec<ByteRange> = ranges.iter().chain(other_ranges).copied().collect();
    all.sort_unstable_by_key(|range| range.begin);
    !all.is_sorted_by(|below, above| below.end <= above.begin)
}

/// The paging engine of the software driver.
#[derive(Debug)]
pub(crate) struct SoftPagingEngine {
    memory: Arc<PhysicalMemory>,
    cost: Arc<CostModel>,
    statistics: PagingStatistics,
    time_ns: u64,
    /// What is busy, until when.
    in_use: BTreeMap<AllocationKey, u64>,
    /// The bytes of the operation that goes by way of it.
    staging: Vec<u8>,
}

impl SoftPagingEngine {
    pub(crate) fn new(memory: Arc<PhysicalMemory>, cost: Arc<CostModel>) -> SoftPagingEngine {
        SoftPagingEngine {
            memory,
            cost,
            statistics: PagingStatistics::default(),
            time_ns: 0,
            in_use: BTreeMap::new(),
            staging: Vec::new(),
        }
    }

    /// Checks an operation, and takes the memory that it needs: what can fail, before bytes are gone where they were.
    fn prepare(&mut self, operation: &PagingOperation) -> Result<(), DriverError> {
        let bytes = operation.bytes();
        // So that phase and byte share a word; no machine has as many.
        if bytes >> PHASE_SHIFT != 0 {
            return Err(DriverError::Unsupported { what: format!("paging of {bytes} bytes at once") });
        }
        let phases = phases(operation);
        let places = phases.iter().flat_map(|phase| phase.from.into_iter().chain(phase.to));
        places.clone().try_for_each(|place| self.memory.check(place, bytes))?;
        if !self.memory.has_bytes() {
            return Ok(());
        }
        places.clone().try_for_each(|place| self.memory.reserve(place))?;
        for phase in phases.iter().filter(|phase| phase.verb != Verb::Leave) {
            match phase.to {
                Some(PagingPlace::BackingStore) => {
                    self.memory.reserve_store(operation.allocation(), bytes)?;
                }
                Some(PagingPlace::Segment { .. }) => {}
                None => {
                    let more = in_address_space(bytes, TRANSFER)?.saturating_sub(self.staging.len());
                    self.staging.try_reserve_exact(more).map_err(|error| out_of_memory(bytes, &error))?;
                }
            }
        }
        Ok(())
    }

    fn is_busy(&mut self, allocation: AllocationKey) -> bool {
        match self.in_use.get(&allocation) {
            Some(until_ns) if *until_ns > self.time_ns => true,
            Some(_) => {
                self.in_use.remove(&allocation);
                false
            }
            None => false,
        }
    }

    fn run(&mut self, command: &PagingCommand) -> Result<(), DriverError> {
        let PagingCommand { verb, is_last, allocation, from, to, bytes, of_bytes } = *command;
        let mut ns = 0;
        match verb {
            Verb::Copy => {
                if self.memory.has_bytes() {
                    let mut content = room(bytes)?;
                    self.read(allocation, from, &mut content)?;
                    self.write(allocation, to, &content, of_bytes)?;
                }
                self.count_transfer(from.0, to.0, bytes);
                ns = self.ns(from.0, bytes).max(self.ns(to.0, bytes));
            }
            Verb::Fill => {
                if self.memory.has_bytes() {
                    let mut content = room(bytes)?;
                    let pattern = halves(from.1)[0].to_le_bytes();
                    content.iter_mut().zip(pattern.into_iter().cycle()).for_each(|(to, from)| *to = from);
                    self.write(allocation, to, &content, of_bytes)?;
                }
                self.statistics.bytes_filled = self.statistics.bytes_filled.saturating_add(bytes);
                ns = self.ns(to.0, bytes);
            }
            Verb::Leave if to.0 == STORE => self.memory.forget(allocation),
            Verb::Leave if self.memory.has_bytes() => {
                self.memory.leave(segment_of(to.0)?, ByteRange::new(to.1, to.1.saturating_add(bytes)))?;
            }
            Verb::Leave => {}
        }
        if is_last {
            self.statistics.operations += 1;
            ns = ns.saturating_add(COMMAND_NS);
        }
        self.statistics.busy_ns = self.statistics.busy_ns.saturating_add(ns);
        self.time_ns = self.time_ns.saturating_add(ns);
        Ok(())
    }

    fn read(
        &self,
        allocation: AllocationKey,
        (place, offset): (u32, u64),
        to: &mut [u8],
    ) -> Result<(), DriverError> {
        match place {
            STORE => self.memory.load(allocation, offset, to),
            STAGING => {
                let staged = usize::try_from(offset).ok().and_then(|offset| self.staging.get(offset..));
                let staged = staged.and_then(|staged| staged.get(..to.len()));
                to.copy_from_slice(staged.ok_or_else(foreign)?);
            }
            segment => self.memory.read(segment_of(segment)?, offset, to)?,
        }
        Ok(())
    }

    fn write(
        &mut self,
        allocation: AllocationKey,
        (place, offset): (u32, u64),
        from: &[u8],
        of_bytes: u64,
    ) -> Result<(), DriverError> {
        match place {
            STORE => self.memory.write_store(allocation, offset, from, of_bytes),
            STAGING => {
                let begin = in_address_space(offset, TRANSFER)?;
                self.staging.truncate(begin);
                self.staging.extend_from_slice(from);
                Ok(())
            }
            segment => self.memory.write(segment_of(segment)?, offset, from),
        }
    }

    /// The way to the staging area counts for nothing but time.
    fn count_transfer(&mut self, from: u32, to: u32, bytes: u64) {
        let count = match (from, to) {
            (_, STAGING) => return,
            (STORE, _) => &mut self.statistics.bytes_paged_in,
            (_, STORE) => &mut self.statistics.bytes_written_back,
            _ => &mut self.statistics.bytes_moved,
        };
        *count = count.saturating_add(bytes);
    }

    fn ns(&self, place: u32, bytes: u64) -> u64 {
        match place {
            STORE => self.cost.store_ns(bytes),
            STAGING => 0,
            segment => self.cost.transfer_ns(segment as usize, bytes),
        }
    }
}

fn segment_of(place: u32) -> Result<usize, DriverError> {
    usize::try_from(place).map_err(|_| foreign())
}

fn foreign() -> DriverError {
    DriverError::Unsupported { what: "a paging buffer that it did not build".to_owned() }
}

/// Room for that many bytes, zeros.
fn room(bytes: u64) -> Result<Vec<u8>, DriverError> {
    let size = in_address_space(bytes, TRANSFER)?;
    let mut content = Vec::new();
    content.try_reserve_exact(size).map_err(|error| out_of_memory(bytes, &error))?;
    content.resize(size, 0);
    Ok(content)
}

impl PagingEngine for SoftPagingEngine {
    fn build_paging_buffer(
        &mut self,
        operation: &PagingOperation,
        multipass_offset: u64,
        buffer: &mut PagingBuffer,
    ) -> Result<BuiltPaging, DriverError> {
        let (allocation, bytes) = (operation.allocation(), operation.bytes());
        if multipass_offset == 0 {
            self.prepare(operation)?;
            if self.is_busy(allocation) {
                self.statistics.busy_allocations += 1;
                return Ok(BuiltPaging::AllocationBusy);
            }
        }
        let before = buffer.byte_count();
        let phases = phases(operation);
        let (first, mut byte) = (multipass_offset >> PHASE_SHIFT, multipass_offset & !(3 << PHASE_SHIFT));
        for (number, phase) in (0_u64..).zip(&phases).skip(in_address_space(first, TRANSFER)?) {
            let staging = Walk::Run { place: STAGING, offset: byte };
            let mut from = phase.from.map_or(staging, |place| Walk::new(place, byte));
            let mut to = phase.to.map_or(staging, |place| Walk::new(place, byte));
            while byte < bytes {
                let ((from_at, from_run), (to_at, to_run)) = (from.here(), to.here());
                let mut piece = (bytes - byte).min(to_run);
                if phase.verb == Verb::Copy {
                    piece = piece.min(from_run);
                }
                if phase.verb != Verb::Leave {
                    piece = piece.min(PIECE_BYTES_MAX);
                }
                let command = PagingCommand {
                    verb: phase.verb,
                    is_last: byte + piece == bytes && number + 1 == phases.len() as u64,
                    allocation,
                    from: if phase.verb == Verb::Fill { (0, u64::from(phase.pattern)) } else { from_at },
                    to: to_at,
                    bytes: piece,
                    of_bytes: bytes,
                };
                if !buffer.push(&command.encode()) {
                    self.statistics.insufficient_buffers += 1;
                    return Ok(BuiltPaging::InsufficientDmaBuffer {
                        bytes: buffer.byte_count() - before,
                        multipass_offset: number << PHASE_SHIFT | byte,
                    });
                }
                byte += piece;
                from.pass(piece);
                to.pass(piece);
            }
            byte = 0;
        }
        Ok(BuiltPaging::Complete { bytes: buffer.byte_count() - before })
    }

    fn submit_paging_buffer(&mut self, buffer: &PagingBuffer) -> Result<(), DriverError> {
        for words in buffer.words().chunks(COMMAND_WORDS) {
            let command = PagingCommand::decode(words).ok_or_else(foreign)?;
            self.run(&command)?;
        }
        self.statistics.buffers += u64::from(!buffer.words().is_empty());
        Ok(())
    }

    fn use_until(&mut self, allocation: AllocationKey, time_ns: u64) {
        let until_ns = self.in_use.entry(allocation).or_default();
        *until_ns = time_ns.max(*until_ns);
    }

    fn wait_idle(&mut self, allocation: AllocationKey) {
        if let Some(until_ns) = self.in_use.remove(&allocation) {
            self.wait_until(until_ns);
        }
    }

    fn store(&mut self, allocation: AllocationKey, bytes: &[u8]) {
        self.memory.keep(allocation, bytes.into());
    }

    fn load(&self, allocation: AllocationKey, to: &mut [u8]) {
        self.memory.load(allocation, 0, to);
    }

    fn statistics(&self) -> PagingStatistics {
        self.statistics
    }

    fn time_ns(&self) -> u64 {
        self.time_ns
    }

    fn wait_until(&mut self, time_ns: u64) {
        self.time_ns = self.time_ns.max(time_ns);
    }
}
