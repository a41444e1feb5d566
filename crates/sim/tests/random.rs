//! Random programs in every mode.

use std::collections::BTreeMap;

use heapstone_sim::program::{Command, Location, Program, Step};
use heapstone_sim::{Report, Source, check, generate, minimise};

/// Programs of each test; the example `sweep` runs more.
const PROGRAMS: u64 = 150;

/// Runs the programs of a quarter of the seeds; what fails is shown as small as it gets.
fn programs_agree(quarter: u64) {
    let mut sum = Report::default();
    for seed in quarter * PROGRAMS..(quarter + 1) * PROGRAMS {
        let program = generate(&mut Source::from_seed(seed));
        match check(&program, seed) {
            Ok(report) => {
                sum.legal += report.legal;
                sum.refused += report.refused;
                sum.compared += report.compared;
                sum.unknown += report.unknown;
            }
            Err(mismatch) => {
                let smallest = minimise(&program, |program| check(program, seed).is_err());
                let last = check(&smallest, seed).err();
                let last =
                    last.map_or_else(String::new, |mismatch| format!("as small as it gets: {mismatch}"));
                panic!("seed {seed}: {mismatch}\n{last}\n{smallest}");
            }
        }
    }
    // What the programs are worth: they do something, little of it is refused, and most of it is known.
    assert!(sum.legal > PROGRAMS * 10, "{sum:?}");
    assert!(sum.refused > PROGRAMS / 10 && sum.refused < sum.legal / 5, "{sum:?}");
    assert!(sum.compared > sum.unknown, "{sum:?}");
}

#[test]
fn programs_agree_with_the_model_1() {
    programs_agree(0);
}

#[test]
fn programs_agree_with_the_model_2() {
    programs_agree(1);
}

#[test]
fn programs_agree_with_the_model_3() {
    programs_agree(2);
}

#[test]
fn programs_agree_with_the_model_4() {
    programs_agree(3);
}

/// A fuzzer's bytes make programs too.
#[test]
fn any_bytes_are_a_program() {
    for length in 0..200_u64 {
        let bytes = heapstone_sim::noise(length, usize::try_from(length * 3).expect("a few bytes"));
        let program = generate(&mut Source::from_bytes(&bytes));
        if let Err(mismatch) = check(&program, length) {
            panic!("{length}: {mismatch}\n{program}");
        }
    }
}

/// Leaving steps out leaves a program that runs.
#[test]
fn subsets_of_steps_are_programs() {
    for seed in 0..40 {
        let mut program = generate(&mut Source::from_seed(seed));
        let mut choices = Source::from_seed(seed);
        program.steps.retain(|_| choices.chance(70));
        if let Err(mismatch) = check(&program, seed) {
            panic!("{seed}: {mismatch}\n{program}");
        }
    }
}

/// What a program has of each kind.
fn count(program: &Program, kinds: &mut BTreeMap<&'static str, u64>) {
    let mut add = |kind| *kinds.entry(kind).or_default() += 1;
    for step in &program.steps {
        add(match step {
            Step::CreateHeap { .. } => "heap",
            Step::CreateCommitted { .. } => "committed",
            Step::CreatePlaced { .. } => "placed",
            Step::CreateReserved { .. } => "reserved",
            Step::DestroyResource { .. } => "destroy resource",
            Step::DestroyHeap { .. } => "destroy heap",
            Step::WriteBuffer { .. } => "write buffer",
            Step::WriteTexels { .. } => "write texels",
            Step::ReadTexels { .. } => "read texels",
            Step::Execute { .. } => "execute",
            Step::UpdateTileMappings { .. } => "update mappings",
            Step::CopyTileMappings { .. } => "copy mappings",
            Step::Order { .. } => "order",
            Step::OrderBack { .. } => "order by a fence that goes back",
            Step::Timestamps { .. } => "timestamps",
            Step::Hold { .. } => "hold",
            Step::Release => "release",
            Step::Finish => "finish",
            Step::Check { .. } => "check",
        });
        let Step::Execute { commands, .. } = step else { continue };
        for command in commands {
            add(match command {
                Command::CopyBuffer { .. } => "copy buffer",
                Command::CopyTexture { destination, source, .. } => match (destination, source) {
                    (Location::Rows(..), Location::Subresource(..)) => "texture to rows",
                    (Location::Subresource(..), Location::Rows(..)) => "rows to texture",
                    (Location::Subresource(..), Location::Subresource(..)) => "texture to texture",
                    (Location::Rows(..), Location::Rows(..)) => "rows to rows",
                },
                Command::CopyResource { .. } => "copy resource",
                Command::CopyTiles { to_tiles: true, .. } => "rows to tiles",
                Command::CopyTiles { to_tiles: false, .. } => "tiles to rows",
                Command::ClearRenderTarget { .. } => "clear render target",
                Command::ClearDepthStencil { .. } => "clear depth stencil",
                Command::ClearUnordered { .. } => "clear unordered",
                Command::Resolve(_) => "resolve",
                Command::WriteImmediate { .. } => "write immediate",
                Command::SetPredication { .. } => "predication",
                Command::Discard { .. } => "discard",
                Command::Transition { .. } => "transition",
                Command::EnhancedBarrier { .. } => "enhanced barrier",
                Command::AliasingBarrier => "aliasing barrier",
                Command::UavBarrier => "uav barrier",
            });
        }
    }
}

/// Nothing that a program can do is left out, or nearly so.
#[test]
fn the_generator_reaches_everything() {
    let mut kinds = BTreeMap::new();
    for seed in 0..1000 {
        count(&generate(&mut Source::from_seed(seed)), &mut kinds);
    }
    assert_eq!(kinds.len(), 19 + 19, "{kinds:?}");
    for (kind, times) in &kinds {
        assert!(*times >= 20, "{kind}: {times} times in 1000 programs; {kinds:?}");
    }
}
