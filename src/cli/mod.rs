//! The command line: what was typed, and one file for each subcommand.

pub mod args;
mod bench;
mod match_games;
mod moves;
mod perft;
mod tables;

use crate::engine::options::Options;
use crate::notation::{Numbering, fen};
use crate::rules::{DrawRules, Position};
use args::{Args, Command};
use indicatif::MultiProgress;
use std::process::ExitCode;

/// Does what was asked for. `progress` is where long jobs show how far they are; lines of the log must
/// not come between.
#[must_use]
pub fn run(args: &Args, progress: &MultiProgress) -> ExitCode {
    let outcome = match &args.command {
        None => {
            crate::protocol::run_uci(options_with(args.rules.as_ref()));
            Ok(())
        }
        Some(Command::Hub { rules, .. }) => {
            crate::protocol::run_hub(options_with(rules.as_ref()));
            Ok(())
        }
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Moves(args)) => moves::run(args),
        Some(Command::Match(args)) => match_games::run(args, progress),
        Some(Command::Tables(args)) => tables::run(args, progress),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            log::error!("{message}");
            ExitCode::from(2)
        }
    }
}

/// The default options, with another set of draw rules if one was asked for.
fn options_with(rules: Option<&DrawRules>) -> Options {
    let mut options = Options::default();
    if let Some(rules) = rules {
        options.draw_rules = rules.clone();
    }
    options
}

/// The position of a `--fen` flag, the start position without one.
fn position(fen: Option<&str>, numbering: Numbering) -> Result<Position, String> {
    match fen {
        None => Ok(Position::start()),
        Some(text) => fen::read(text, numbering)
            .map(|fen| fen.position)
            .map_err(|error| error.to_string()),
    }
}
