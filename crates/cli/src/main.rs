//! The command `heapstone`: replays recorded Direct3D 12 workloads on any device profile, and answers
//! questions about layouts, profiles and rules.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

mod args;
mod failure;
mod format;
mod generate;
mod layout;
mod outputs;
mod page;
mod paging;
mod profiles;
mod replay;
mod report;
mod rules;
mod samplers;
mod simulate;
mod swizzle;
mod views;
mod violation;

use args::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Profiles(command) => profiles::run(command),
        Command::Rules(args) => rules::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Layout(args) => layout::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Swizzle(command) => swizzle::run(command),
        Command::Samplers(args) => samplers::run(args),
        Command::Views(args) => views::run(args),
    };
    match result {
        Ok(verdict) => verdict.into(),
        Err(failure) => {
            eprintln!("{failure}");
            Failure::exit_code()
        }
    }
}
