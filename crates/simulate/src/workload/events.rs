//! Workloads in which something happens: loading, resizing, lost focus, other processes.

use heapstone_units::{GIB, KIB, MIB};

use super::world::camera_lap;
use super::{Frame, WorkObject, Workload, WorldEvent};
use crate::random::Random;

/// The frames in each second.
const FRAMES_PER_SECOND: usize = 60;

/// Levels of a game: all of one is loaded at once, used for a while, and left for the next; some come again.
#[must_use]
pub fn load_burst(seed: u64) -> Workload {
    const LEVELS: u64 = 8;
    const OBJECTS_PER_LEVEL: u64 = 96;
    const VISITS: u64 = 24;
    let mut random = Random::new(seed);
    let mut objects = Vec::new();
    for _ in 0..LEVELS * OBJECTS_PER_LEVEL {
        let bytes = (64 * KIB) << random.below(9);
        objects.push(WorkObject { bytes, is_loaded: true });
    }
    let mut frames = Vec::new();
    for _ in 0..VISITS {
        let level = random.below(LEVELS);
        let first = level * OBJECTS_PER_LEVEL;
        let numbers = |range: core::ops::Range<u64>| {
            range.map(|number| u32::try_from(number).expect("invariant: there are few objects"))
        };
        let all: Vec<u32> = numbers(first..first + OBJECTS_PER_LEVEL).collect();
        frames.push(Frame { uses: all.clone(), ..Frame::default() });
        for _ in 0..3 * FRAMES_PER_SECOND {
            // Half of a level is in view.
            let uses = all.iter().copied().filter(|_| random.one_in(2)).collect();
            frames.push(Frame { uses, ..Frame::default() });
        }
    }
    Workload { name: "load-burst".to_owned(), objects, frames }
}

/// Render targets that are made anew at other sizes, beside textures of a lap.
#[must_use]
pub fn target_resize(seed: u64) -> Workload {
    /// Targets of a frame: color, depth, four of a geometry buffer.
    const TARGETS: u64 = 6;
    let mut random = Random::new(seed);
    let mut workload = camera_lap(seed, 1);
    workload.name = "target-resize".to_owned();
    let mut targets: Vec<u32> = Vec::new();
    for (number, frame) in workload.frames.iter_mut().enumerate() {
        if number % (2 * FRAMES_PER_SECOND) == 0 {
            frame.events.extend(targets.drain(..).map(WorldEvent::Destroy));
            // From 1280 x 720 up to 3840 x 2160, 4 bytes a texel.
            let (width, height) = [(1280, 720), (1920, 1080), (2560, 1440), (3840, 2160)]
                [usize::try_from(random.below(4)).expect("invariant: below 4")];
            let bytes = u64::next_multiple_of(width * height * 4, 64 * KIB);
            for _ in 0..TARGETS {
                targets
                    .push(u32::try_from(workload.objects.len()).expect("invariant: there are few objects"));
                workload.objects.push(WorkObject { bytes, is_loaded: false });
            }
        }
        frame.uses.extend(&targets);
    }
    workload
}

/// A lap in which the user changes to another application every ten seconds, for five: the budget falls to a quarter.
#[must_use]
pub fn alt_tab(seed: u64) -> Workload {
    let mut workload = camera_lap(seed, 2);
    workload.name = "alt-tab".to_owned();
    for (number, frame) in workload.frames.iter_mut().enumerate() {
        match number % (15 * FRAMES_PER_SECOND) {
            0 if number > 0 => {
                frame.events.extend([WorldEvent::Focus(true), WorldEvent::BudgetPermille(1000)]);
            }
            at if at == 10 * FRAMES_PER_SECOND => {
                frame.events.extend([WorldEvent::Focus(false), WorldEvent::BudgetPermille(250)]);
            }
            _ => {}
        }
    }
    workload
}

/// A lap beside a process in the background that takes more and more memory, and lets go of it again.
#[must_use]
pub fn background_hog(seed: u64) -> Workload {
    let mut random = Random::new(seed);
    let mut workload = camera_lap(seed, 2);
    workload.name = "background-hog".to_owned();
    let mut hogged = 0;
    for (number, frame) in workload.frames.iter_mut().enumerate() {
        if number % FRAMES_PER_SECOND == 0 {
            hogged = if hogged > 6 * GIB { 0 } else { hogged + 64 * MIB * (1 + random.below(8)) };
            frame.events.push(WorldEvent::Hog(hogged));
        }
    }
    workload
}
