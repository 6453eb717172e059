//! Exactly what was typed.

use crate::engine::bench::DEFAULT_DEPTH;
use crate::notation::Numbering;
use crate::rules::DrawRules;
use crate::rules::perft::GREATEST_DEPTH;
use clap::{Parser, Subcommand};

/// A Russian draughts (shashki, 8x8) engine.
///
/// Without a command it speaks the UCI-style protocol on standard input and output; try `d`,
/// `moves`, `go movetime 1000` and `quit`.
#[derive(Parser, Clone, Debug)]
#[command(
    name = "shashki",
    version,
    about,
    long_about,
    args_conflicts_with_subcommands = true
)]
pub struct Args {
    /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
    /// custom:N or none
    #[arg(long, value_name = "RULES")]
    pub rules: Option<DrawRules>,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Speak the Hub protocol of draughts programs, version 2
    Hub {
        /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
        /// custom:N or none; must come before any other setting
        #[arg(long, value_name = "RULES")]
        rules: Option<DrawRules>,
        /// Settings that some programs pass to every engine; not used
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        ignored: Vec<String>,
    },
    /// Count the leaves of the move tree
    ///
    /// Moves are told apart by where they begin and end and what they capture; the last ply is
    /// counted without listing the moves.
    Perft(PerftArgs),
    /// Search a fixed set of positions and print the number of nodes
    ///
    /// With one thread the number is the same on every machine.
    Bench(BenchArgs),
    /// List the legal moves of a position with their paths and captured squares
    Moves(MovesArgs),
}

/// `perft`.
#[derive(clap::Args, Clone, Debug)]
pub struct PerftArgs {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(GREATEST_DEPTH)))]
    pub depth: u32,
    /// The position; the start position if left out
    #[arg(long)]
    pub fen: Option<String>,
    /// Show the leaves below each move
    #[arg(long)]
    pub divide: bool,
    /// Threads to count with
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: u16,
    /// The square with number 1, for numbers in the position: b8 or a1
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
}

/// `bench`.
#[derive(clap::Args, Clone, Debug)]
pub struct BenchArgs {
    /// Depth in plies
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
    /// custom:N or none
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::standard())]
    pub rules: DrawRules,
    /// Threads to search with
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: u16,
}

/// `moves`.
#[derive(clap::Args, Clone, Debug)]
pub struct MovesArgs {
    /// The position; the start position if left out
    #[arg(long)]
    pub fen: Option<String>,
    /// The square with number 1, for numbers in the position: b8 or a1
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
}
