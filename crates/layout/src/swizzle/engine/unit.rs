//! The unit: the least box of whole 64-byte lines on both sides.
//!
//! ```text
//!   rows (64 bytes of X0-X5 each)        lines (64 bytes of swizzled memory each)
//!   row 0  a0 a1 a2 a3                   line 0  a0 b0 c0 d0        64 KB standard swizzle:
//!   row 1  b0 b1 b2 b3      <---->       line 1  a1 b1 c1 d1        A4, A5 = Y0, Y1; X4, X5 lie above
//!   row 2  c0 c1 c2 c3                   line 2  a2 b2 c2 d2
//!   row 3  d0 d1 d2 d3                   line 3  a3 b3 c3 d3        one letter-digit is 16 bytes
//! ```
//! A line's address bits 0 to 5 come from some bits of the coordinates; these and X0 to X5 span the unit. It
//! has as many rows as lines, 1 to 8, and how bytes move between them is the same for every unit of the
//! pattern, because no other bit reaches below bit 6. Patterns for which that is not so (an XOR of a far bit
//! into a line, samples inside a line) have no unit; they are copied run by run.

use super::super::pattern::Channel;
use super::gf2::{Columns, Coordinates, Inverse};
use super::job::Boxes;
use super::kernel::Arrangement;

/// Rows, and lines, of a unit or a group at most.
pub(super) const MAX_ROWS: usize = 1 << MAX_ROWS_LOG2;
/// The same as an exponent.
pub(super) const MAX_ROWS_LOG2: usize = 3;
/// Bytes of a line, as an exponent.
pub(super) const LINE_LOG2: u8 = 6;
/// Bytes of a line.
pub(super) const LINE: usize = 1 << LINE_LOG2;
/// Units above each other that a strip takes together at most.
pub(super) const MAX_GROUP: usize = 1 << MAX_GROUP_LOG2;
/// The same as an exponent.
pub(super) const MAX_GROUP_LOG2: usize = 2;
/// 16-byte granules that one granule's bytes may come from, for the byte shuffle of AVX2.
pub(super) const MAX_SHUFFLED: usize = 4;

/// Where a byte of one side lies on the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Source {
    /// The row or line.
    pub(super) register: u8,
    /// The byte in it.
    pub(super) byte: u8,
}

/// For each byte of each row or line of one side, where it lies on the other.
pub(super) type ByteMap = [[Source; LINE]; MAX_ROWS];

/// For each granule of 16 bytes, where it lies on the other side; `byte` counts granules.
pub(super) type GranuleMap = [[Source; 4]; MAX_ROWS];

/// Selections of a butterfly of `vpermi2b`: stage, register, byte.
pub(super) type Network = [[[u8; LINE]; MAX_ROWS]; 3];

/// The granules that one granule's bytes come from, and which byte of each goes where (`pshufb`).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shuffled {
    /// How many there are.
    pub(super) count: u8,
    /// Which.
    pub(super) sources: [Source; MAX_SHUFFLED],
    /// The byte for each place, or one with the top bit set where another granule has it.
    pub(super) selects: [[u8; 16]; MAX_SHUFFLED],
}

/// For each granule, what it is shuffled from.
pub(super) type ShuffledMap = [[Shuffled; 4]; MAX_ROWS];

/// One direction of copying a unit.
#[derive(Clone, Debug)]
#[cfg_attr(not(all(target_arch = "x86_64", not(miri))), allow(dead_code))]
pub(super) struct Moves {
    /// Where whole granules lie, if runs have 16 bytes or more, and in which shape.
    pub(super) granules: Option<(Arrangement, GranuleMap)>,
    /// What granules are shuffled from, if runs are shorter and few granules take part.
    pub(super) shuffled: Option<Box<ShuffledMap>>,
    /// The same by whole lines, for any runs.
    pub(super) network: Box<Network>,
}

/// A box of bytes that a traversal in the order of addresses steps over: `2^log2` bytes of whole units.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Bytes, as an exponent.
    pub(super) log2: u8,
    /// Its bits of the coordinates, and those of the units in it.
    pub(super) extent: Coordinates,
    /// Its units in the order of addresses.
    pub(super) units: Vec<Step>,
    /// From chunk `i` to `i + 1`, by the trailing zeros of `i + 1`.
    pub(super) steps: Vec<Step>,
}

/// From the first row of a unit to that of another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// What it flips of the coordinates.
    pub(super) at: Coordinates,
    /// What it flips of the offset of the unit's line 0.
    pub(super) offset: u64,
}

impl Step {
    /// The step to where exactly the bits of `offset` are flipped.
    pub(super) fn new(columns: &Columns, inverse: &Inverse, extent: Coordinates, offset: u64) -> Step {
        let flipped = (0..inverse.bits()).filter(|bit| offset >> bit & 1 != 0);
        let at = flipped.fold(Coordinates::default(), |sum, bit| sum ^ inverse.row(bit)).without(extent);
        Step { at, offset: columns.apply(at) }
    }

    #[inline(always)]
    pub(super) fn then(self, other: Step) -> Step {
        Step { at: self.at ^ other.at, offset: self.offset ^ other.offset }
    }
}

/// Units that a strip takes together: 1, 2 or 4 of them.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// How many there are: `2^` this.
    pub(super) count_log2: u8,
    /// From the first to the second and to the third; to the fourth it is both.
    pub(super) units: [Coordinates; MAX_GROUP_LOG2],
    /// Its bits of the coordinates, and those of the units in it.
    pub(super) extent: Coordinates,
    /// What it is one of.
    pub(super) boxes: Boxes,
}

/// The unit of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Rows and lines: `2^rows_log2`.
    pub(super) rows_log2: u8,
    /// The bit of the coordinates from row 0 to rows 1, 2 and 4. To any other it is the bits of several of them.
    pub(super) rows: [Coordinates; MAX_ROWS_LOG2],
    /// What to flip in line 0's offset for those of lines 1, 2 and 4.
    pub(super) lines: [u64; MAX_ROWS_LOG2],
    /// Whether flipping is the same as adding, here and for whole offsets: each bit has one source.
    pub(super) offsets_add: bool,
    /// All bits of the coordinates within the unit.
    pub(super) extent: Coordinates,
    /// What it is one of.
    pub(super) boxes: Boxes,
    /// Units that a strip takes together, because their lines lie beside each other.
    pub(super) group: Group,
    /// From rows to lines.
    pub(super) write: Moves,
    /// From lines to rows.
    pub(super) read: Moves,
    /// The traversal in the order of addresses, where units lie within blocks.
    pub(super) chunk: Option<Chunk>,
}

impl Unit {
    /// The unit of a pattern with these columns; `None` where lines are not made of a fixed set of bytes.
    pub(super) fn new(
        columns: &Columns,
        inverse: &Inverse,
        immediate: u32,
        block_bytes_log2: u8,
    ) -> Option<Unit> {
        let line_bits = Coordinates { x: (1 << LINE_LOG2) - 1, ..Coordinates::default() };
        let extent = (0..LINE_LOG2).map(|bit| inverse.row(bit)).fold(line_bits, Coordinates::union);
        let row_bits = extent.without(line_bits);
        // Rows are addressed through pitches: what lies further along the same row is no row.
        if row_bits.x != 0 || extent.sample != 0 {
            return None;
        }
        let reaches_into = |bits: u64| {
            columns
                .iter()
                .any(|(bit, column)| bit.without(extent) != Coordinates::default() && column & bits != 0)
        };
        if reaches_into(LINE_MASK) {
            return None;
        }
        let rows_log2 = row_bits.y.count_ones() + row_bits.z.count_ones();
        let rows_log2 = u8::try_from(rows_log2).ok().filter(|log2| 1 << log2 <= MAX_ROWS)?;

        let rows = axes(row_bits);
        let basis = LineBasis::new(columns, extent);
        if basis.count != usize::from(rows_log2) {
            return None;
        }
        let mut lines = [0; MAX_ROWS_LOG2];
        for (line, vector) in lines.iter_mut().zip(&basis.vectors[..basis.count]) {
            *line = *vector;
        }

        let mut sources = [u64::from(immediate)].into_iter().chain(columns.iter().map(|(_, column)| column));
        let mut seen = 0_u64;
        let offsets_add = sources.all(|source| {
            let once = seen & source == 0;
            seen |= source;
            once
        });
        let (to_rows, to_lines) = maps(columns, &basis, &rows, rows_log2, immediate)?;
        let group = Group::new(inverse, extent, block_bytes_log2, rows_log2);
        Some(Unit {
            rows_log2,
            rows,
            lines,
            offsets_add,
            extent,
            boxes: Boxes::of(extent),
            group,
            write: Moves::new(&to_lines, rows_log2)?,
            read: Moves::new(&to_rows, rows_log2)?,
            chunk: Chunk::new(columns, inverse, extent, &basis, block_bytes_log2),
        })
    }
}

/// The bits of an offset within a line.
const LINE_MASK: u64 = (1 << LINE_LOG2) - 1;

/// The single bits of `bits` along y and z, in rising order.
fn axes(bits: Coordinates) -> [Coordinates; MAX_ROWS_LOG2] {
    let mut axes = [Coordinates::default(); MAX_ROWS_LOG2];
    let of_y = (0..32).filter(|bit| bits.y >> bit & 1 != 0).map(|bit| Coordinates::bit(Channel::Y, bit));
    let of_z = (0..32).filter(|bit| bits.z >> bit & 1 != 0).map(|bit| Coordinates::bit(Channel::Z, bit));
    for (axis, bit) in axes.iter_mut().zip(of_y.chain(of_z)) {
        *axis = bit;
    }
    axes
}

/// The XOR of the axes that are set in `index`.
fn combine(axes: &[Coordinates; MAX_ROWS_LOG2], index: usize) -> Coordinates {
    axes.iter()
        .enumerate()
        .filter(|(bit, _)| index >> bit & 1 != 0)
        .fold(Coordinates::default(), |sum, (_, axis)| sum ^ *axis)
}

/// A reduced basis of the lines' offsets: each has a bit that no other has.
struct LineBasis {
    vectors: [u64; 32],
    count: usize,
}

impl LineBasis {
    fn new(columns: &Columns, extent: Coordinates) -> LineBasis {
        let mut basis = LineBasis { vectors: [0; 32], count: 0 };
        for (bit, column) in columns.iter() {
            if bit.without(extent) == Coordinates::default() {
                basis.add(column & !LINE_MASK);
            }
        }
        basis.vectors[..basis.count].sort_unstable();
        basis
    }

    fn own_bit(vector: u64) -> u64 {
        vector & vector.wrapping_neg()
    }

    fn add(&mut self, mut vector: u64) {
        for known in &self.vectors[..self.count] {
            if vector & LineBasis::own_bit(*known) != 0 {
                vector ^= known;
            }
        }
        if vector == 0 || self.count == self.vectors.len() {
            return;
        }
        for known in &mut self.vectors[..self.count] {
            if *known & LineBasis::own_bit(vector) != 0 {
                *known ^= vector;
            }
        }
        self.vectors[self.count] = vector;
        self.count += 1;
    }

    /// Which line `offset` lies in, of those it may lie in.
    fn index(&self, offset: u64) -> usize {
        let bits = self.vectors[..self.count].iter().enumerate();
        bits.fold(0, |index, (bit, vector)| {
            index | usize::from(offset & LineBasis::own_bit(*vector) != 0) << bit
        })
    }

    /// One bit of each vector that no other has.
    fn own_bits(&self) -> u64 {
        self.vectors[..self.count].iter().fold(0, |bits, vector| bits | LineBasis::own_bit(*vector))
    }
}

/// For every byte of the rows the line's byte, and the reverse. `None` unless every line takes an equal
/// part of every row, which the butterfly rests on.
fn maps(
    columns: &Columns,
    basis: &LineBasis,
    rows: &[Coordinates; MAX_ROWS_LOG2],
    rows_log2: u8,
    immediate: u32,
) -> Option<(ByteMap, ByteMap)> {
    let count = 1 << rows_log2;
    let mut to_rows = [[Source::default(); LINE]; MAX_ROWS];
    let mut to_lines = to_rows;
    let mut parts = [[0_usize; MAX_ROWS]; MAX_ROWS];
    for row in 0..count {
        let at = combine(rows, row);
        for (x, to_line) in to_rows[row].iter_mut().enumerate() {
            let byte_at = Coordinates { x: x.try_into().ok()?, ..Coordinates::default() };
            let offset = columns.apply(at ^ byte_at) ^ (u64::from(immediate) & LINE_MASK);
            let (line, byte) = (basis.index(offset), offset & LINE_MASK);
            *to_line = Source { register: line.try_into().ok()?, byte: byte.try_into().ok()? };
            to_lines[line][usize::try_from(byte).ok()?] =
                Source { register: row.try_into().ok()?, byte: x.try_into().ok()? };
            parts[row][line] += 1;
        }
    }
    let equal =
        parts[..count].iter().flat_map(|lines| &lines[..count]).all(|part| *part == LINE >> rows_log2);
    equal.then_some((to_rows, to_lines))
}

impl Group {
    /// Lines that are written one after the other should lie one after the other. Beyond 256 bytes, or with
    /// more than 8 rows, that gains nothing (measured; the first-level caches have 8 ways, which rows at a pitch
    /// of a power of two share).
    const BESIDE_LOG2: u8 = 8;

    fn new(inverse: &Inverse, extent: Coordinates, block_bytes_log2: u8, rows_log2: u8) -> Group {
        let mut group = Group {
            count_log2: 0,
            units: [Coordinates::default(); MAX_GROUP_LOG2],
            extent,
            boxes: Boxes::of(extent),
        };
        for bit in LINE_LOG2..block_bytes_log2.min(Group::BESIDE_LOG2) {
            let further = inverse.row(bit).without(extent);
            if further == Coordinates::default() {
                continue;
            }
            let along = further.x | u64::from(further.sample);
            // By one bit of its own, so that the group has all rows of its extent, and steps are added.
            let is_own = further.without(group.extent) == further;
            let doubles = is_own && further.y.count_ones() + further.z.count_ones() == 1;
            let room = (MAX_ROWS >> rows_log2 >> group.count_log2) > 1;
            let Some(unit) = group.units.get_mut(usize::from(group.count_log2)) else { break };
            if along != 0 || !doubles || !room {
                break;
            }
            *unit = further;
            group.count_log2 += 1;
            group.extent = group.extent.union(further);
            group.boxes = Boxes::of(group.extent);
        }
        group
    }
}

impl Moves {
    fn new(map: &ByteMap, rows_log2: u8) -> Option<Moves> {
        let granules = granules(map, rows_log2).map(|map| (Arrangement::of(&map, rows_log2), map));
        let shuffled = if granules.is_none() { shuffled(map, rows_log2) } else { None };
        Some(Moves {
            granules,
            shuffled: shuffled.map(Box::new),
            network: Box::new(network(map, rows_log2)?),
        })
    }
}

/// `map` by granules of 16 bytes, where it moves these whole.
fn granules(map: &ByteMap, rows_log2: u8) -> Option<GranuleMap> {
    let mut granules = [[Source::default(); 4]; MAX_ROWS];
    for (to, line) in granules.iter_mut().zip(map).take(1 << rows_log2) {
        for (granule, bytes) in to.iter_mut().zip(line.as_chunks::<16>().0) {
            let first = bytes[0];
            let follows = (first.byte..)
                .zip(bytes)
                .all(|(byte, source)| *source == Source { register: first.register, byte });
            if first.byte % 16 != 0 || !follows {
                return None;
            }
            *granule = Source { register: first.register, byte: first.byte / 16 };
        }
    }
    Some(granules)
}

/// `map` as shuffles of granules; `None` where one granule has bytes of too many.
fn shuffled(map: &ByteMap, rows_log2: u8) -> Option<ShuffledMap> {
    let mut shuffles = [[Shuffled::default(); 4]; MAX_ROWS];
    for (to, line) in shuffles.iter_mut().zip(map).take(1 << rows_log2) {
        for (shuffle, bytes) in to.iter_mut().zip(line.as_chunks::<16>().0) {
            shuffle.selects = [[0x80; 16]; MAX_SHUFFLED];
            for (place, source) in bytes.iter().enumerate() {
                let granule = Source { register: source.register, byte: source.byte / 16 };
                let known = usize::from(shuffle.count);
                let index = shuffle.sources[..known].iter().position(|known| *known == granule);
                let index = index.unwrap_or(known);
                *shuffle.sources.get_mut(index)? = granule;
                shuffle.selects[index][place] = source.byte % 16;
                if index == known {
                    shuffle.count += 1;
                }
            }
        }
    }
    Some(shuffles)
}

/// `map` as a butterfly. Before stage `s` register `(g, h)`, at `g << s | h`, has what the registers of group
/// `g` (of `2^s`) hold of the results of class `h` (those whose top `s` bits are `h`): always 64 bytes,
/// because each result takes an equal part of each register. Stage `s` merges two groups and parts two
/// classes. A single register needs one selection of its bytes.
fn network(map: &ByteMap, rows_log2: u8) -> Option<Network> {
    let count = 1_usize << rows_log2;
    let mut network: Network = [[[0; LINE]; MAX_ROWS]; 3];
    if rows_log2 == 0 {
        for (select, source) in network[0][0].iter_mut().zip(&map[0]) {
            *select = source.byte;
        }
        return Some(network);
    }
    // What each register holds now: where each of its bytes goes.
    let mut holds = [[Source::default(); LINE]; MAX_ROWS];
    for (register, line) in (0_u8..).zip(map).take(count) {
        for (byte, source) in (0_u8..).zip(line) {
            holds[usize::from(source.register)][usize::from(source.byte)] = Source { register, byte };
        }
    }
    for stage in 0..rows_log2 {
        let mut after = [[Source::default(); LINE]; MAX_ROWS];
        for group in 0..count >> (stage + 1) {
            for class in 0..2_usize << stage {
                let register = group << (stage + 1) | class;
                let from = [group * 2, group * 2 + 1].map(|group| group << stage | class >> 1);
                let held = from.map(|from| holds[from]);
                let taken = held.iter().zip([0_u8, 64]).flat_map(|(held, table)| {
                    (table..)
                        .zip(held)
                        .filter(|(_, to)| usize::from(to.register) >> (rows_log2 - stage - 1) == class)
                });
                let last = stage + 1 == rows_log2;
                let mut places = 0_usize..;
                for (select, to) in taken {
                    let place = places.next()?;
                    let place = if last { usize::from(to.byte) } else { place };
                    *network[usize::from(stage)][register].get_mut(place)? = select;
                    after[register][place] = *to;
                }
            }
        }
        holds = after;
    }
    Some(network)
}

impl Chunk {
    /// Where a block is not smaller: what is done once for a chunk should weigh little.
    const LEAST_LOG2: u8 = 10;
    /// More units would take long to look at where a box has few of them.
    const MAX_UNITS: usize = 64;

    fn new(
        columns: &Columns,
        inverse: &Inverse,
        extent: Coordinates,
        basis: &LineBasis,
        block_bytes_log2: u8,
    ) -> Option<Chunk> {
        let reach = basis.vectors[..basis.count].iter().fold(LINE_MASK, |all, vector| all | vector);
        let log2 = u8::try_from(u64::BITS - reach.leading_zeros()).ok()?;
        let log2 = log2.max(Chunk::LEAST_LOG2.min(block_bytes_log2));
        if log2 > block_bytes_log2 || block_bytes_log2 > inverse.bits() {
            return None;
        }
        let whole = (0..log2).map(|bit| inverse.row(bit)).fold(extent, Coordinates::union);
        // Lines of a unit differ in the bits of the basis: the one without them begins it.
        let begins = |offset: &u64| offset & basis.own_bits() == 0;
        let step = |offset: u64| Step::new(columns, inverse, extent, offset);
        let units: Vec<Step> = (0..1_u64 << (log2 - LINE_LOG2).min(32))
            .map(|line| line << LINE_LOG2)
            .filter(begins)
            .map(step)
            .take(Chunk::MAX_UNITS + 1)
            .collect();
        if units.len() > Chunk::MAX_UNITS {
            return None;
        }
        // From i to i + 1 all bits up to the lowest one set in i + 1 flip.
        let steps = (log2..block_bytes_log2).map(|bit| step((2 << bit) - (1 << log2))).collect();
        Some(Chunk { log2, extent: whole, units, steps })
    }
}
