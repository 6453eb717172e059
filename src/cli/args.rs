//! Exactly what was typed.

use crate::analyse::Format;
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
    /// Think about many positions and write what was found, a line for each
    ///
    /// Input: lines of text, each `[startpos | [fen] FEN] [moves …] [; id]`; lines of JSON with the keys id,
    /// fen and moves; or games in PDN, of which all positions are looked at. The exit status is 0 if all went
    /// well, 1 if some lines could not be understood, and 2 if nothing could be done.
    Analyse(Box<AnalyseArgs>),
    /// Judge every move of games against the best
    ///
    /// Writes the games with marks, scores and better lines, as PDN, JSON or a page for a browser. The exit status
    /// is 0 if all went well, 1 if some games could not be played to their end, 2 if nothing could be done.
    Annotate(Box<AnnotateArgs>),
    /// Check, convert, split and count files of games
    Pdn(PdnArgs),
    /// Show a position: as a board, in all spellings, with its legal moves, as a picture
    Fen(FenArgs),
    /// Play against the engine in the terminal
    Play(PlayArgs),
    /// Try a set of problems: which are solved, and how soon
    ///
    /// A file has a problem a line, in JSON with the keys id, fen and best, a list of the moves that solve it.
    /// The exit status is 1 if some are not solved.
    Solve(SolveArgs),
    /// Print what a shell needs to complete the words of a command line
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages, one for each command
    Man {
        /// The folder, made if it is not there
        #[arg(long, value_name = "DIR")]
        dir: PathBuf,
    },
    /// Grow and show opening books
    ///
    /// A book has the value of every legal move of its positions. The engine plays from one with the
    /// option OwnBook: the built-in one, or that of BookFile.
    Book(BookArgs),
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
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
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

/// How to think about positions: what several commands have in common.
#[derive(clap::Args, Clone, Debug)]
pub struct ThinkArgs {
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,
    /// Threads altogether; all processors if left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
    /// Size of the transposition table of each position in MiB; what fits the nodes, or 16, if left out
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: Option<u32>,
    /// A folder of endgame tables beside those built in; may be given several times
    #[arg(long, value_name = "DIR")]
    pub tables: Vec<PathBuf>,
    /// Weights to judge positions by instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub eval: Option<PathBuf>,
    /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
    /// custom:N or none
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::standard())]
    pub rules: DrawRules,
    /// The square with number 1, for numbers in lines of positions and moves: b8 or a1; game files say for
    /// themselves, or else it is b8
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
}

/// `analyse`.
#[derive(clap::Args, Clone, Debug)]
pub struct AnalyseArgs {
    /// The files; `-`, or none, is standard input
    pub files: Vec<PathBuf>,
    /// How to think.
    #[command(flatten)]
    pub think: ThinkArgs,
    /// How many of the best lines to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub multipv: u16,
    /// Threads for each position; with more than one an answer may differ from time to time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads_per_position: u16,
    /// What the files are: PDN if the name ends so, and lines otherwise, if left out
    #[arg(long, value_enum)]
    pub input: Option<InputArg>,
    /// Of games, look at the last position only
    #[arg(long)]
    pub last: bool,
    /// How answers are written
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub format: Format,
    /// Write moves and positions in numbers
    #[arg(long)]
    pub numeric: bool,
    /// Write to this file; if it exists, go on behind the answers that are in it
    #[arg(long, value_name = "OUT")]
    pub resume: Option<PathBuf>,
}

/// `annotate`.
#[derive(clap::Args, Clone, Debug)]
pub struct AnnotateArgs {
    /// Files of games in PDN; `-`, or none, is standard input
    pub files: Vec<PathBuf>,
    /// How to think; the limits are for each move, 200,000 nodes if there is none.
    #[command(flatten)]
    pub think: ThinkArgs,
    /// How the games are written
    #[arg(long, value_enum, default_value_t = AnnotateFormat::Pdn)]
    pub format: AnnotateFormat,
    /// Write to this file, which is there whole or not at all, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The book that the games may leave; the built-in one if left out
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
}

/// How judged games are written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnnotateFormat {
    /// Game files with marks, comments and variations
    Pdn,
    /// Lines of JSON, a game each
    Json,
    /// One page with boards and a graph, which needs nothing but a browser
    Html,
}

/// `fen`.
#[derive(clap::Args, Clone, Debug)]
pub struct FenArgs {
    /// The position, in any spelling; the start position if left out
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves to play first, with blanks between
    #[arg(long)]
    pub moves: Option<String>,
    /// Write a picture to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// An arrow in the picture, as a move is written: c3-d4; may be given several times
    #[arg(long, value_name = "FROM-TO", requires = "svg")]
    pub arrow: Vec<String>,
    /// Black at the bottom of the picture
    #[arg(long, requires = "svg")]
    pub turned: bool,
    /// Print a JSON line
    #[arg(long)]
    pub json: bool,
    /// The square with number 1, for numbers in the position and the moves: b8 or a1
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
}

/// `play`.
#[derive(clap::Args, Clone, Debug)]
pub struct PlayArgs {
    /// Your colour
    #[arg(long, value_enum, default_value_t = ColorArg::White)]
    pub color: ColorArg,
    /// Strength of the engine, 0 to 20
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=20))]
    pub level: u32,
    /// Seconds for each side and seconds added for each move, for example 300+3
    #[arg(long, value_name = "SECONDS+INCREMENT")]
    pub clock: Option<String>,
    /// Milliseconds for each move of the engine where there is no clock
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: u64,
    /// The position to begin with; the start position if left out
    #[arg(long)]
    pub fen: Option<String>,
    /// When a game is drawn by rule: standard, official, lidraughts, club, kings15, casual40,
    /// custom:N or none
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::standard())]
    pub rules: DrawRules,
    /// Draw the board with letters instead of Unicode
    #[arg(long)]
    pub ascii: bool,
}

/// A colour.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorArg {
    /// White, who begins
    White,
    /// Black
    Black,
    /// By lot
    Random,
}

/// `solve`.
#[derive(clap::Args, Clone, Debug)]
pub struct SolveArgs {
    /// The files; `-`, or none, is standard input
    pub files: Vec<PathBuf>,
    /// How to think; a second for each problem if there is no limit.
    #[command(flatten)]
    pub think: ThinkArgs,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}

/// `pdn`.
#[derive(clap::Args, Clone, Debug)]
pub struct PdnArgs {
    /// What to do with them.
    #[command(subcommand)]
    pub command: PdnCommand,
}

/// What to do with files of games.
#[derive(Subcommand, Clone, Debug)]
pub enum PdnCommand {
    /// Play all games under the rules and tell what is wrong with them
    ///
    /// The exit status is 1 if something is wrong with a game.
    Check {
        /// Where they are.
        #[command(flatten)]
        input: PdnInput,
        /// Print JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Write games in another spelling or encoding
    ///
    /// Games that cannot be played are written as they are and told about.
    Convert(PdnConvertArgs),
    /// Write games to several files
    Split(PdnSplitArgs),
    /// Count games by opening and result
    Stats {
        /// Where they are.
        #[command(flatten)]
        input: PdnInput,
        /// An opening is so many plies
        #[arg(long, default_value_t = 4)]
        plies: usize,
        /// Show the most frequent openings only
        #[arg(long, default_value_t = 20)]
        top: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Files of games.
#[derive(clap::Args, Clone, Debug)]
pub struct PdnInput {
    /// The files; `-`, or none, is standard input
    pub files: Vec<PathBuf>,
    /// How the bytes are read
    #[arg(long, value_enum, default_value_t = EncodingArg::Detect)]
    pub encoding: EncodingArg,
    /// Threads; all processors if left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
}

/// Encodings of files.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EncodingArg {
    /// UTF-8, UTF-16 by its mark, or else cp1251
    Detect,
    /// UTF-8 (when reading, what is not UTF-8 is cp1251)
    Utf8,
    /// Windows Cyrillic
    Cp1251,
    /// DOS Cyrillic
    Cp866,
}

/// `pdn convert`.
#[derive(clap::Args, Clone, Debug)]
pub struct PdnConvertArgs {
    /// Where they are.
    #[command(flatten)]
    pub input: PdnInput,
    /// Write to this file, which is there whole or not at all, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write squares in letters or in numbers
    #[arg(long, value_enum, default_value_t = SquaresArg::Letters)]
    pub squares: SquaresArg,
    /// The square with number 1 in what is written: b8 or a1
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
    /// Write captures with x instead of a colon, as pydraughts needs it
    #[arg(long)]
    pub cross: bool,
    /// How the bytes are written
    #[arg(long, value_enum, default_value_t = EncodingArg::Utf8)]
    pub to_encoding: EncodingArg,
}

/// How squares are written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquaresArg {
    /// c3-d4
    Letters,
    /// 22-18
    Numbers,
}

/// `pdn split`.
#[derive(clap::Args, Clone, Debug)]
pub struct PdnSplitArgs {
    /// Where they are.
    #[command(flatten)]
    pub input: PdnInput,
    /// The folder for the files, made if it is not there; files that are there are not written over
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// So many games a file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// A file for each value of this tag instead, for example Event or White
    #[arg(long, value_name = "TAG", conflicts_with = "games")]
    pub by: Option<String>,
}

/// What an input is.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputArg {
    /// Lines of text or JSON
    Lines,
    /// Games
    Pdn,
}

/// `book`.
#[derive(clap::Args, Clone, Debug)]
pub struct BookArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: BookCommand,
}

/// What to do with books.
#[derive(Subcommand, Clone, Debug)]
pub enum BookCommand {
    /// Grow a book by searches, the positions that good play reaches soonest first
    ///
    /// What was found is kept beside the book, in a file with `.tree` behind its name: a build that was
    /// broken off goes on there, and a book can be made larger later.
    Build(BookBuildArgs),
    /// Show what a book says of a position
    Show(BookShowArgs),
}

/// `book build`.
#[derive(clap::Args, Clone, Debug)]
pub struct BookBuildArgs {
    /// The file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How many positions it shall have
    #[arg(long, default_value_t = 2_000)]
    pub positions: usize,
    /// Nodes for each move of a position; the iteration under way is finished
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// By how many centi-men a move must be worse to count as much as another ply
    #[arg(long, value_name = "CENTI-MEN", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub worth_a_ply: u32,
    /// Openings in which it begins as well, as for `match`; may be given several times
    #[arg(long, value_name = "TABLE|FILE")]
    pub openings: Vec<String>,
    /// Games whose openings it shall have; may be given several times
    #[arg(long, value_name = "FILE")]
    pub pdn: Vec<PathBuf>,
    /// So many plies of the games
    #[arg(long, default_value_t = 16)]
    pub plies: usize,
    /// What at least so many games have come to
    #[arg(long, default_value_t = 3)]
    pub games: u32,
    /// Threads; all processors if left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
}

/// `book show`.
#[derive(clap::Args, Clone, Debug)]
pub struct BookShowArgs {
    /// The book; the built-in one if left out
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// The position; the start position if left out
    #[arg(long)]
    pub fen: Option<String>,
    /// Print a JSON line
    #[arg(long)]
    pub json: bool,
    /// The square with number 1, for numbers in the position: b8 or a1
    #[arg(long, default_value_t = Numbering::B8)]
    pub numbering: Numbering,
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
