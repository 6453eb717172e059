//! What is kept of a finished game.

use crate::notation::pdn::Outcome;
use crate::score::Score;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an engine did wrong. It loses the game and is started anew.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "fault", content = "detail")]
pub enum Fault {
    /// It could not be started, or did not get ready.
    NoStart(String),
    /// It ended in the middle of a game.
    Crash(String),
    /// It gave no answer, not even when told to stop.
    Stall,
    /// It played this, which is no legal move.
    IllegalMove(String),
    /// It said this, which is no part of its protocol.
    Garbage(String),
    /// It played this while it was to ponder, before it was asked.
    Premature(String),
    /// Its answer came so many milliseconds late.
    Time(u64),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoStart(why) => write!(f, "does not start ({why})"),
            Fault::Crash(how) => write!(f, "crashes ({how})"),
            Fault::Stall => write!(f, "stalls"),
            Fault::IllegalMove(text) => write!(f, "plays an illegal move \"{text}\""),
            Fault::Garbage(text) => write!(f, "talks garbage \"{text}\""),
            Fault::Premature(text) => {
                write!(f, "plays \"{text}\" while pondering, before it is asked")
            }
            Fault::Time(late) => write!(f, "loses on time ({late} ms late)"),
        }
    }
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "by", content = "what")]
pub enum Ending {
    /// By the rules of the game, in words.
    Rules(String),
    /// By adjudication, in words.
    Adjudication(String),
    /// By a fault of the loser.
    Forfeit(Fault),
}

impl Ending {
    /// The value of the PDN tag `Termination`.
    #[must_use]
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Rules(_) => "normal",
            Ending::Adjudication(_) => "adjudication",
            Ending::Forfeit(Fault::Time(_)) => "time forfeit",
            Ending::Forfeit(Fault::IllegalMove(_)) => "rules infraction",
            Ending::Forfeit(_) => "abandoned",
        }
    }
}

/// One move of a game with what its engine said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move with its whole path.
    pub mv: String,
    /// Score from the mover's view in centi-men; a win in n plies is 30000 - n.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// Depth in plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Time taken, microseconds.
    pub time_us: u64,
    /// What was left on the mover's clock after the move, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock_ms: Option<u64>,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0. Games 2n and 2n + 1 are a pair.
    pub game: usize,
    /// Index of the engine that plays White.
    pub white: usize,
    /// Index of the engine that plays Black.
    pub black: usize,
    /// Name of the opening.
    pub opening: String,
    /// The position before the first move, as FEN.
    pub fen: String,
    /// Moves of the opening; the engines played those behind them.
    pub book_plies: usize,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why it ended.
    pub ending: Ending,
    /// All moves.
    pub moves: Vec<MoveRecord>,
    /// From the first question to the end, microseconds.
    pub wall_us: u64,
}

impl GameRecord {
    /// The result.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::read(&self.result).unwrap_or(Outcome::Unknown)
    }

    /// Time that the engines took, microseconds.
    #[must_use]
    pub fn thinking_us(&self) -> u64 {
        self.moves.iter().map(|mv| mv.time_us).sum()
    }
}

/// What an engine said about a search before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Thoughts {
    pub(super) score: Option<Score>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
}
