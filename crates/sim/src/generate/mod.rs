//! Programs out of choices.
//!
//! The generator keeps a model of what exists, of which it uses the rules but not the bytes: what it makes is legal
//! but for a few calls that it means to be refused.

mod clears;
mod commands;
mod copies;
mod resources;
mod tiles;

use heapstone::Profile;

use crate::model::{Model, Verdict};
use crate::program::{Program, QUEUES, Slot, Step};
use crate::source::Source;

/// The profiles that programs are on: every one that is built in.
pub const PROFILES: [&str; 9] = [
    "discrete-8g",
    "software",
    "cache-coherent-uma",
    "discrete-256k-images",
    "discrete-no-msaa64k",
    "discrete-tier1-2g",
    "integrated-uma",
    "linked-two-nodes",
    "limited-va",
];

/// A program; of an exhausted source the shortest.
///
/// # Panics
/// Never: the profiles are built in.
#[must_use]
pub fn generate(source: &mut Source<'_>) -> Program {
    let profile = *source.pick(&PROFILES);
    let described = Profile::builtin(profile).expect("invariant: a built-in profile");
    let mut generator = Generator {
        model: Model::new(&described),
        profile: described,
        source,
        steps: Vec::new(),
        next_slot: 0,
        heaps: Vec::new(),
    };
    generator.set_up();
    for _ in 0..generator.source.within(3, 24) {
        if generator.source.is_exhausted() {
            break;
        }
        generator.step();
    }
    Program { profile, steps: generator.steps }
}

struct Generator<'a, 'b> {
    model: Model,
    profile: Profile,
    source: &'a mut Source<'b>,
    steps: Vec<Step>,
    next_slot: Slot,
    /// Whose handles are alive.
    heaps: Vec<Slot>,
}

impl Generator<'_, '_> {
    fn slot(&mut self) -> Slot {
        self.next_slot += 1;
        self.next_slot - 1
    }

    /// Adds a step that creates or destroys, where the model takes it; whether it does.
    fn object(&mut self, step: Step) -> bool {
        let verdict = self.model.object(&step);
        if verdict != Verdict::Skip {
            self.steps.push(step);
        }
        verdict == Verdict::Legal
    }

    fn set_up(&mut self) {
        for _ in 0..self.source.within(1, 2) {
            self.heap();
        }
        for _ in 0..self.source.within(2, 4) {
            self.buffer();
        }
        for _ in 0..self.source.within(1, 3) {
            self.texture();
        }
        for _ in 0..self.source.below(3) {
            self.reserved();
        }
    }

    fn step(&mut self) {
        match self.source.below(100) {
            0..45 => self.execute(),
            45..57 => self.write_buffer(),
            57..64 => self.cpu_texels(),
            64..76 => self.mappings(),
            76..80 => {
                let queues = u64::try_from(QUEUES).unwrap_or(1);
                let queue = |source: &mut Source<'_>| usize::try_from(source.below(queues)).unwrap_or(0);
                let (before, after) = (queue(self.source), queue(self.source));
                let goes_back = self.source.chance(50);
                self.steps.push(if goes_back {
                    Step::OrderBack { before, after }
                } else {
                    Step::Order { before, after }
                });
            }
            80 if self.source.chance(60) => {
                let queue = *self.source.pick(&[0, 1, 2]);
                let copied = self.source.below(1 << 16);
                self.steps.push(Step::Timestamps { queue, copied });
            }
            80 => self.steps.push(Step::Finish),
            81 => {
                let queue = *self.source.pick(&[0, 0, 1, 2]);
                self.steps.push(Step::Hold { queue });
            }
            82 => self.steps.push(Step::Release),
            83..86 => self.check(),
            86..91 => self.destroy(),
            91..94 => self.buffer(),
            94..97 => self.texture(),
            97..99 => self.reserved(),
            _ => self.heap(),
        }
    }

    /// A resource of those that are asked for.
    fn pick(&mut self, is_wanted: impl Fn(&Model, Slot) -> bool) -> Option<Slot> {
        let model = &self.model;
        let found: Vec<Slot> = model.resources().filter(|slot| is_wanted(model, *slot)).collect();
        if found.is_empty() { None } else { Some(*self.source.pick(&found)) }
    }

    fn check(&mut self) {
        if let Some(resource) = self.pick(|_, _| true) {
            self.steps.push(Step::Check { resource });
        }
    }

    fn destroy(&mut self) {
        if self.source.chance(20) && !self.heaps.is_empty() {
            let heap = *self.source.pick(&self.heaps);
            if self.object(Step::DestroyHeap { heap }) {
                self.heaps.retain(|known| *known != heap);
            }
        } else if let Some(resource) = self.pick(|_, _| true) {
            self.object(Step::DestroyResource { resource });
        }
    }
}

pub(crate) fn is_buffer(model: &Model, slot: Slot) -> bool {
    model.desc(slot).is_some_and(heapstone::ResourceDesc::is_buffer)
}

pub(crate) fn is_texture(model: &Model, slot: Slot) -> bool {
    model.desc(slot).is_some_and(|desc| !desc.is_buffer())
}
