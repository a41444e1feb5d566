//! Runs the programs of a range of seeds in all modes: `sweep FROM TO`, or `sweep FROM TO paged` on heaps whose bytes
//! move, under pressure on memory. What fails is printed as small as it gets.

use std::process::ExitCode;

use heapstone_sim::{Report, Source, check, check_paged, generate, minimise};

fn main() -> ExitCode {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [from, to] = arguments[..] else {
        eprintln!("usage: sweep FROM TO [paged]");
        return ExitCode::FAILURE;
    };
    let check = if std::env::args().any(|word| word == "paged") { check_paged } else { check };
    let mut sum = Report::default();
    let mut failures = 0_u64;
    for seed in from..to {
        let program = generate(&mut Source::from_seed(seed));
        let ran = std::panic::catch_unwind(|| check(&program, seed));
        match ran {
            Ok(Ok(report)) => {
                sum.legal += report.legal;
                sum.refused += report.refused;
                sum.skipped += report.skipped;
                sum.compared += report.compared;
                sum.unknown += report.unknown;
                continue;
            }
            Ok(Err(mismatch)) => println!("seed {seed}: {mismatch}"),
            Err(_) => println!("seed {seed}: panics"),
        }
        failures += 1;
        let smallest = minimise(&program, |program| {
            !matches!(std::panic::catch_unwind(|| check(program, seed)), Ok(Ok(_)))
        });
        if let Ok(Err(mismatch)) = std::panic::catch_unwind(|| check(&smallest, seed)) {
            println!("{mismatch}");
        }
        println!("{smallest}");
        if failures == 5 {
            break;
        }
    }
    println!("{sum:?}, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
