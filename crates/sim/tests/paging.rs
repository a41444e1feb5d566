//! Random programs under pressure on memory, in every mode, on heaps whose bytes move: what was evicted comes back byte
//! equal, whoever had its place.

use heapstone_sim::{Report, Source, check_paged, generate, minimise};

/// Programs of each test; the example `sweep` runs more with `paged`.
const PROGRAMS: u64 = 30;

fn programs_agree_under_pressure(quarter: u64) {
    let mut sum = Report::default();
    for seed in quarter * PROGRAMS..(quarter + 1) * PROGRAMS {
        let program = generate(&mut Source::from_seed(seed));
        match check_paged(&program, seed) {
            Ok(report) => {
                sum.compared += report.compared;
                sum.paged_in += report.paged_in;
                sum.moved += report.moved;
            }
            Err(mismatch) => {
                let smallest = minimise(&program, |program| check_paged(program, seed).is_err());
                let last = check_paged(&smallest, seed).err();
                let last =
                    last.map_or_else(String::new, |mismatch| format!("as small as it gets: {mismatch}"));
                panic!(
                    "seed {seed}: {mismatch}\n{last}\n{smallest}\n\
                     again: cargo run -p heapstone-sim --example sweep -- {seed} {} paged",
                    seed + 1
                );
            }
        }
    }
    // What the pressure is worth: bytes really came back, and moved.
    assert!(sum.paged_in > PROGRAMS << 16 && sum.moved > 1 << 20 && sum.compared > 1 << 20, "{sum:?}");
}

#[test]
fn programs_agree_under_pressure_1() {
    programs_agree_under_pressure(0);
}

#[test]
fn programs_agree_under_pressure_2() {
    programs_agree_under_pressure(1);
}
