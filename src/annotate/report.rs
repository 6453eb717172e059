//! What is found about a game, as it is written in JSON.

use crate::analyse::{LineSays, TableSays};
use serde::Serialize;

/// The version of the keys: it changes when one goes or changes its meaning.
pub const SCHEMA: u32 = 1;

/// How good a move is, where there is something to say.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The only good move, and not one that is seen at once.
    #[serde(rename = "!")]
    Good,
    /// 0.08 points or more are given away.
    #[serde(rename = "?!")]
    Dubious,
    /// 0.16 or more.
    #[serde(rename = "?")]
    Mistake,
    /// 0.3 or more.
    #[serde(rename = "??")]
    Blunder,
}

impl Mark {
    /// The mark of a move that gives away so many thousandths of a point.
    #[must_use]
    pub fn of_loss(loss: u32) -> Option<Mark> {
        match loss {
            300.. => Some(Mark::Blunder),
            160.. => Some(Mark::Mistake),
            80.. => Some(Mark::Dubious),
            _ => None,
        }
    }

    /// The number of the mark in a game file.
    #[must_use]
    pub fn nag(self) -> u8 {
        match self {
            Mark::Good => 1,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
            Mark::Dubious => 6,
        }
    }
}

/// Another thing to say about a move: what stands near it.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Near {
    /// The position before the move is in the book.
    pub book: bool,
    /// There is no other legal move.
    pub forced: bool,
    /// All other moves are worse by 0.16 points or more.
    pub only: bool,
    /// What endgame tables say of the position before the move.
    pub table: Option<TableSays>,
    /// The rule by which the game is drawn after the move, if it is the first such move.
    pub drawn_by: Option<String>,
}

/// A move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct MoveReport {
    /// Its place in the game, from 1.
    pub ply: usize,
    /// `white` or `black`.
    pub side: &'static str,
    /// The move with its whole path.
    pub played: String,
    /// The position before it.
    pub fen: String,
    /// The best move and what follows, from the view of the side that moves.
    pub best: LineSays,
    /// The move that was played and what should follow, from the same view.
    pub after: LineSays,
    /// What it gives away, in thousandths of a point: half a point is a draw.
    pub loss: u32,
    /// How good it is.
    pub mark: Option<Mark>,
    /// More about it.
    #[serde(flatten)]
    pub near: Near,
}

/// How one side played.
#[derive(Serialize, Clone, PartialEq, Debug, Default)]
pub struct SideReport {
    /// Its name.
    pub name: Option<String>,
    /// From 0 to 100, `None` if there was nothing to choose: the mean of `100 exp(-4.35 loss)` over the moves
    /// that were neither forced nor from the book, the loss in points.
    pub accuracy: Option<f64>,
    /// Moves that count for it.
    pub moves: usize,
    /// Moves that were marked `?!`.
    pub dubious: usize,
    /// Moves that were marked `?`.
    pub mistakes: usize,
    /// Moves that were marked `??`.
    pub blunders: usize,
}

/// A game.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct GameReport {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line of the file where it begins, from 1.
    pub line: usize,
    /// Its tags.
    pub tags: Vec<(String, String)>,
    /// Its result as the file has it.
    pub result: String,
    /// How White played.
    pub white: SideReport,
    /// How Black played.
    pub black: SideReport,
    /// The first ply whose position is not in the book, `None` if it never was or never ceased to be.
    pub left_book: Option<usize>,
    /// Its moves.
    pub moves: Vec<MoveReport>,
    /// The position behind the last move, and what is known about it.
    pub end: String,
    /// Why it could not be played to its end; then the moves go as far as it could.
    pub error: Option<String>,
}
