//! When a search ends.

use crate::rules::Move;
use crate::search::handicap::Handicap;
use std::time::Duration;

/// The time of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What is left, zero if the flag is about to fall.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time is added, `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search; the first one reached ends it. Depth 1 is always finished, so that
/// there is a move and a score, whatever the limits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Nodes of all threads together after which no further iteration begins.
    pub soft_nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock.
    pub clock: Option<Clock>,
    /// Ends when a win in so many own moves is found, or found to be out of reach.
    pub mate: Option<u32>,
    /// Does not end before it is stopped, whatever the other limits say.
    pub infinite: bool,
    /// Does not end before it is stopped or the ponder-hit comes.
    pub ponder: bool,
    /// Somebody wants to know, and will not play the answer: it is from no book and not held back.
    pub analysis: bool,
    /// Only these moves are thought about; all if empty.
    pub search_moves: Vec<Move>,
    /// How many of the best lines are told, 1 or more; 0 counts as 1.
    pub multi_pv: usize,
    /// Time that passes between the engine's answer and the clock, held back from each move.
    pub overhead: Duration,
    /// Plays below full strength; without effect on a search that only a stop ends.
    pub handicap: Option<Handicap>,
}

impl Limits {
    /// To a depth in plies.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// For a time.
    #[must_use]
    pub fn move_time(time: Duration) -> Limits {
        Limits {
            move_time: Some(time),
            ..Limits::default()
        }
    }

    /// For a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// Whether nothing but a stop ends the search.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.move_time.is_some()
            || self.clock.is_some()
            || self.mate.is_some();
        self.infinite || self.ponder || !limited
    }
}
