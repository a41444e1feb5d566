//! Programs with as few steps as show what is wrong.

use crate::program::{Program, Step};

/// The smallest program that `fails` and that is `program` without some steps and commands: ever smaller stretches
/// are left out for as long as it still fails.
#[must_use]
pub fn minimise(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    loop {
        let before = size_of(&smallest);
        shrink_steps(&mut smallest, &mut fails);
        shrink_commands(&mut smallest, &mut fails);
        if size_of(&smallest) == before {
            return smallest;
        }
    }
}

fn size_of(program: &Program) -> usize {
    let size = |step: &Step| match step {
        Step::Execute { commands, .. } => 1 + commands.len(),
        _ => 1,
    };
    program.steps.iter().map(size).sum()
}

fn shrink_steps(program: &mut Program, fails: &mut impl FnMut(&Program) -> bool) {
    let mut length = program.steps.len().div_ceil(2).max(1);
    loop {
        let mut begin = program.steps.len();
        while begin > 0 {
            let end = begin;
            begin = begin.saturating_sub(length);
            let mut smaller = program.clone();
            smaller.steps.drain(begin..end.min(smaller.steps.len()));
            if fails(&smaller) {
                *program = smaller;
            }
        }
        if length == 1 {
            return;
        }
        length = length.div_ceil(2);
    }
}

fn shrink_commands(program: &mut Program, fails: &mut impl FnMut(&Program) -> bool) {
    for index in (0..program.steps.len()).rev() {
        let Step::Execute { commands, .. } = &program.steps[index] else { continue };
        for command in (0..commands.len()).rev() {
            let mut smaller = program.clone();
            if let Step::Execute { commands, .. } = &mut smaller.steps[index] {
                commands.remove(command);
            }
            if fails(&smaller) {
                *program = smaller;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Command;

    #[test]
    fn what_is_not_needed_goes() {
        let lists = |commands: Vec<Command>| Step::Execute { queue: 0, times: 1, commands };
        let mut steps = vec![Step::Finish; 9];
        steps.insert(4, lists(vec![Command::UavBarrier, Command::AliasingBarrier, Command::UavBarrier]));
        steps.insert(7, Step::Check { resource: 3 });
        let program = Program { profile: "software", steps };
        let needs = |program: &Program| {
            let has_barrier = program.steps.iter().any(|step| match step {
                Step::Execute { commands, .. } => commands.contains(&Command::AliasingBarrier),
                _ => false,
            });
            has_barrier && program.steps.contains(&Step::Check { resource: 3 })
        };
        let smallest = minimise(&program, needs);
        assert_eq!(smallest.steps, [lists(vec![Command::AliasingBarrier]), Step::Check { resource: 3 }]);
    }
}
