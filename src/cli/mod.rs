//! The command line: what was typed, and one file for each subcommand.

mod analyse;
mod annotate;
pub mod args;
mod bench;
mod book;
mod completions;
mod fen;
mod games;
mod match_games;
mod moves;
mod pdn;
mod perft;
mod play;
mod solve;
mod tables;
mod think;

use crate::engine::options::Options;
use crate::notation::Numbering;
use crate::rules::{DrawRules, Position};
use args::{Args, Command};
use indicatif::MultiProgress;
use std::fmt::Display;
use std::path::Path;
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
        Some(Command::Analyse(args)) => return batch(analyse::run(args, progress)),
        Some(Command::Annotate(args)) => return batch(annotate::run(args, progress)),
        Some(Command::Hub { rules, .. }) => {
            crate::protocol::run_hub(options_with(rules.as_ref()));
            Ok(())
        }
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Moves(args)) => moves::run(args),
        Some(Command::Match(args)) => match_games::run(args, progress),
        Some(Command::Fen(args)) => fen::run(args),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Solve(args)) => return batch(solve::run(args, progress)),
        Some(Command::Completions { shell }) => completions::completions(*shell),
        Some(Command::Man { dir }) => completions::man(dir),
        Some(Command::Pdn(args)) => return batch(pdn::run(args)),
        Some(Command::Book(args)) => book::run(args, progress),
        Some(Command::Tables(args)) => tables::run(args, progress),
    };
    batch(outcome.map(|()| 0))
}

/// The exit status of work that is done when some of it has failed.
fn batch(failed: Result<u64, String>) -> ExitCode {
    match failed {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(message) => {
            log::error!("{message}");
            ExitCode::from(2)
        }
    }
}

/// What is in a file.
fn read_file<T, E: Display>(
    path: &Path,
    of_bytes: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, String> {
    let failed = |error: &dyn Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
    of_bytes(&bytes).map_err(|error| failed(&error))
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
        Some(text) => crate::notation::fen::read(text, numbering)
            .map(|fen| fen.position)
            .map_err(|error| error.to_string()),
    }
}
