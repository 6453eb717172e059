//! Exactly what was typed.

use crate::engine::bench::DEFAULT_DEPTH;
use crate::notation::Numbering;
use crate::rules::DrawRules;
use crate::rules::perft::GREATEST_DEPTH;
use crate::tb::MOST_PIECES;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

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
    /// Play a match between engines
    ///
    /// Each engine is given by key=value words: cmd (a program with its arguments, or builtin), name,
    /// dir, proto (uci or hub), option.NAME, tc ([moves/]seconds[+increment]), movetime
    /// (milliseconds), depth, nodes, margin (milliseconds, 20 if left out), ponder, chatter (true:
    /// lines outside the protocol are overlooked), numbering (b8 or a1).
    Match(Box<MatchArgs>),
    /// Make, prove and ask endgame tables
    ///
    /// They are exact under threefold repetition and the 15-move rule. Those up to four pieces are
    /// built in; larger sets are used by the engine option EndgamePath.
    Tables(TablesArgs),
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

/// `match`.
#[derive(clap::Args, Clone, Debug)]
pub struct MatchArgs {
    /// The engines, and what they have in common.
    #[command(flatten)]
    pub engines: EngineWords,
    /// A file of engines in TOML: a table `each` and an array of tables `engine`, with the same keys
    #[arg(long, value_name = "FILE")]
    pub engines_file: Option<PathBuf>,
    /// Who meets whom
    #[arg(long, value_enum, default_value_t = FormatArg::RoundRobin)]
    pub format: FormatArg,
    /// Pairs of games of each pairing; the two games of a pair have one opening and exchanged colours
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    /// Openings: a table of the program (fmjd-moves, fmjd-flying, idf-moves, idf-flying, idf-basic), a
    /// PDN file, or a text file with a position a line
    #[arg(long, value_name = "TABLE|FILE")]
    pub openings: Option<String>,
    /// Shuffle the openings by this seed
    #[arg(long, value_name = "SEED")]
    pub shuffle: Option<u64>,
    /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
    /// custom:N or none
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::standard())]
    pub rules: DrawRules,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub concurrency: u16,
    /// Call a draw: from=MOVE moves=N score=CENTI-MEN, when both engines have said no more for N moves
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub draw: Option<Vec<String>>,
    /// Give a game up: moves=N score=CENTI-MEN, when an engine has thought itself that far behind for
    /// N moves; two-sided=true asks that the other agrees
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub resign: Option<Vec<String>>,
    /// Call a draw after so many moves of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_moves: Option<u32>,
    /// End a game when endgame tables know its result; folders with tables beside the built-in ones may
    /// follow
    #[arg(long, num_args = 0.., value_name = "DIR")]
    pub tables: Option<Vec<PathBuf>>,
    /// Stop when a sequential test has decided: elo0=0 elo1=5 alpha=0.05 beta=0.05
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    pub sprt: Option<Vec<String>>,
    /// Keep the games in this file (JSON lines) as they end; if it exists, go on where it stops
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Write the games to this file in PDN
    #[arg(long, value_name = "FILE")]
    pub pdn: Option<PathBuf>,
    /// Print JSON lines instead of text
    #[arg(long)]
    pub json: bool,
    /// Print the final table only
    #[arg(long)]
    pub quiet: bool,
}

/// Who meets whom.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// Everybody meets everybody
    RoundRobin,
    /// The first engine meets all others
    Gauntlet,
}

/// `--engine` and `--each` with their words. The words of two `--engine` must not run together, which
/// is why this is not derived.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineWords {
    /// The words of each `--engine`.
    pub engines: Vec<Vec<String>>,
    /// The words for all of them.
    pub each: Vec<String>,
}

impl clap::Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        let words = |name: &'static str, help: &'static str| {
            clap::Arg::new(name)
                .long(name)
                .num_args(1..)
                .action(clap::ArgAction::Append)
                .value_name("KEY=VALUE")
                .help(help)
        };
        command
            .arg(words(
                "engine",
                "An engine, for example cmd=builtin name=new tc=10+0.1",
            ))
            .arg(words(
                "each",
                "Words for all engines; what an engine says for itself counts more",
            ))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<EngineWords, clap::Error> {
        let occurrences = |name| -> Vec<Vec<String>> {
            let found = matches
                .get_occurrences::<String>(name)
                .into_iter()
                .flatten();
            found.map(|words| words.cloned().collect()).collect()
        };
        Ok(EngineWords {
            engines: occurrences("engine"),
            each: occurrences("each").concat(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = EngineWords::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `tables`.
#[derive(clap::Args, Clone, Debug)]
pub struct TablesArgs {
    /// What to do with them.
    #[command(subcommand)]
    pub command: TablesCommand,
}

/// What to do with tables.
#[derive(Subcommand, Clone, Debug)]
pub enum TablesCommand {
    /// Make all tables up to a number of pieces
    ///
    /// Tables that are there already are kept, so that a build that was broken off goes on where it was.
    Build(TablesBuildArgs),
    /// Prove the tables of a folder: every checksum, and every value from those one move on
    Verify {
        /// The folder
        #[arg(long, default_value = DEFAULT_TABLES)]
        dir: PathBuf,
        /// Threads; all processors if left out
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
        threads: Option<u16>,
        /// Print how many positions of each material are won, lost and drawn, with tabs between
        #[arg(long)]
        counts: bool,
    },
    /// List tables with their sizes and longest distances
    Info {
        /// The folder; those built in if left out
        #[arg(long)]
        dir: Option<PathBuf>,
        /// Print JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Look positions up: value, distance, and the value of each move
    Probe(TablesProbeArgs),
}

/// The folder for tables unless another is named.
const DEFAULT_TABLES: &str = "tables";

/// `tables build`.
#[derive(clap::Args, Clone, Debug)]
pub struct TablesBuildArgs {
    /// Most pieces on the board
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pub pieces: u8,
    /// The folder, made if it is not there
    #[arg(long, default_value = DEFAULT_TABLES)]
    pub dir: PathBuf,
    /// Most memory to take, MiB; no limit if left out
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Threads; all processors if left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
    /// Write all tables to one file instead, as the program has them built in
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "memory"])]
    pub bundle: Option<PathBuf>,
}

/// `tables probe`.
#[derive(clap::Args, Clone, Debug)]
pub struct TablesProbeArgs {
    /// The positions; standard input, one a line, if left out
    #[arg(value_name = "FEN")]
    pub fens: Vec<String>,
    /// A folder of tables beside those built in; may be given several times
    #[arg(long)]
    pub dir: Vec<PathBuf>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
    /// custom:N or none
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::standard())]
    pub rules: DrawRules,
    /// The square with number 1, for numbers in positions: b8 or a1
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
}
