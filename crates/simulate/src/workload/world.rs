//! Streaming worlds: cells with a chain of mips each; the nearer the camera, the finer the mips it needs.

use heapstone_units::{KIB, MIB};

use super::{Frame, WorkObject, Workload};
use crate::random::Random;

/// The mips of a cell: bytes, and the distance in cells up to which the mip is needed. Chosen: a texture of 4096 by
/// 4096 texels in BC7 with what is coarser, streamed in four steps.
const MIPS: [(u64, u64); 4] = [(16 * MIB, 1), (4 * MIB, 2), (MIB, 4), (256 * KIB, 8)];

/// Frames that the camera takes for a cell.
const FRAMES_PER_CELL: u64 = 8;

/// The objects of `cells` cells, four each; textures differ in size by up to four times.
fn cells(random: &mut Random, cells: u64) -> Vec<WorkObject> {
    let mut objects = Vec::new();
    for _ in 0..cells {
        let sixteenths = 8 + random.below(25);
        for (bytes, _) in MIPS {
            let bytes = (bytes / 16 * sixteenths).next_multiple_of(64 * KIB);
            objects.push(WorkObject { bytes, is_loaded: true });
        }
    }
    objects
}

/// The object of a cell's mip.
fn object(cell: u64, mip: u64) -> u32 {
    u32::try_from(cell * 4 + mip).expect("invariant: a world has less than 2^30 cells")
}

/// What a frame needs at `position` of a ring of `cells` cells.
fn on_ring(cells: u64, position: u64) -> Frame {
    let mut uses = Vec::new();
    for (mip, (_, reach)) in (0..).zip(MIPS) {
        // Ahead further than behind: the camera looks ahead.
        for step in 0..=reach + reach / 2 {
            let cell = (position + cells + step - reach / 2) % cells;
            uses.push(object(cell, mip));
        }
    }
    uses.sort_unstable();
    uses.dedup();
    Frame { uses, ..Frame::default() }
}

/// A camera that goes round a closed course `laps` times: the pattern on which LRU is at its worst.
#[must_use]
pub fn camera_lap(seed: u64, laps: u64) -> Workload {
    const CELLS: u64 = 256;
    let mut random = Random::new(seed);
    let objects = cells(&mut random, CELLS);
    let positions = (0..laps * CELLS * FRAMES_PER_CELL).map(|frame| frame / FRAMES_PER_CELL % CELLS);
    let frames = positions.map(|position| on_ring(CELLS, position)).collect();
    Workload { name: "camera-lap".to_owned(), objects, frames }
}

/// A camera that turns to and fro: its heading is a random walk on the ring. What was left just now comes back first,
/// and LRU is near the optimum.
#[must_use]
pub fn random_walk(seed: u64) -> Workload {
    const CELLS: u64 = 256;
    const FRAMES: u64 = 16_000;
    let mut random = Random::new(seed);
    let objects = cells(&mut random, CELLS);
    let mut heading = CELLS / 2;
    let mut frames = Vec::new();
    for frame in 0..FRAMES {
        if frame % FRAMES_PER_CELL == 0 {
            let turn = if random.one_in(2) { 1 } else { CELLS - 1 };
            heading = (heading + turn) % CELLS;
        }
        frames.push(on_ring(CELLS, heading));
    }
    Workload { name: "random-walk".to_owned(), objects, frames }
}

/// A camera on a plane that wraps around, which goes ahead and now and then takes another heading.
#[must_use]
pub fn plane_walk(seed: u64) -> Workload {
    const SIDE: u64 = 24;
    const FRAMES: u64 = 8_000;
    let mut random = Random::new(seed);
    let objects = cells(&mut random, SIDE * SIDE);
    let (mut x, mut y, mut heading) = (SIDE / 2, SIDE / 2, 0);
    let mut frames = Vec::new();
    for frame in 0..FRAMES {
        if frame % FRAMES_PER_CELL == 0 {
            if random.one_in(3) {
                heading = random.below(4);
            }
            (x, y) = match heading {
                0 => ((x + 1) % SIDE, y),
                1 => ((x + SIDE - 1) % SIDE, y),
                2 => (x, (y + 1) % SIDE),
                _ => (x, (y + SIDE - 1) % SIDE),
            };
        }
        frames.push(on_plane(SIDE, x, y));
    }
    Workload { name: "plane-walk".to_owned(), objects, frames }
}

/// What a frame needs at a place of a plane that wraps around.
fn on_plane(side: u64, x: u64, y: u64) -> Frame {
    let mut uses = Vec::new();
    for (mip, (_, reach)) in (0..).zip(MIPS) {
        let reach = reach.div_ceil(2);
        for dy in 0..=2 * reach {
            for dx in 0..=2 * reach {
                let cell = (y + side + dy - reach) % side * side + (x + side + dx - reach) % side;
                uses.push(object(cell, mip));
            }
        }
    }
    uses.sort_unstable();
    uses.dedup();
    Frame { uses, ..Frame::default() }
}

/// Two courses, between which the camera jumps.
#[must_use]
pub fn teleport(seed: u64) -> Workload {
    const CELLS: u64 = 128;
    const FRAMES: u64 = 8_000;
    let mut random = Random::new(seed);
    let objects = cells(&mut random, 2 * CELLS);
    let mut positions = [0u64; 2];
    let mut course = 0usize;
    let mut frames = Vec::new();
    for frame in 0..FRAMES {
        if frame % FRAMES_PER_CELL == 0 {
            positions[course] = (positions[course] + 1) % CELLS;
            if random.one_in(40) {
                course = 1 - course;
            }
        }
        let mut next = on_ring(CELLS, positions[course]);
        let first = object(CELLS, 0) * u32::try_from(course).expect("invariant: there are two courses");
        next.uses.iter_mut().for_each(|object| *object += first);
        frames.push(next);
    }
    Workload { name: "teleport".to_owned(), objects, frames }
}
