//! The search: iterative deepening over a principal-variation search.
//!
//! [`search`] is given what to think about, how long, and whom to tell. It never reads input, never
//! prints, and keeps nothing between calls but the [`TranspositionTable`] it is lent; it stops when
//! the [`Control`] says so.

mod control;
mod driver;
mod history;
mod limits;
mod negamax;
mod params;
mod picker;
mod quiescence;
mod time;
mod worker;

pub use control::Control;
pub use limits::{Clock, Limits};

use crate::rules::{Game, Move};
use crate::score::Score;
use crate::tt::TranspositionTable;
use std::time::Duration;

/// Stack that a thread needs which calls [`search`], in bytes. Recursion with move lists on the stack
/// must not depend on a platform's default.
pub const STACK: usize = 16 << 20;

/// What a search shares with others: the table, and the means to stop it.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// Stop, ponder-hit.
    pub control: &'a Control,
    /// Threads to search with, 1 or more.
    pub threads: usize,
}

/// How far a search has come, told at the end of each iteration and for each line of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Depth of the deepest line looked at with an open window, in plies.
    pub selective_depth: u32,
    /// Place of this line among the best, from 1.
    pub rank: usize,
    /// Score of this line from the view of the side to move. For the last line of a search that was
    /// cut off it may be a lower bound.
    pub score: Score,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_per_mille: u32,
    /// Positions found in endgame tables so far.
    pub table_hits: u64,
    /// The line; empty only where there is no legal move.
    pub line: Vec<Move>,
}

impl Info {
    /// Nodes a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes a second, 0 for an instant.
#[must_use]
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000)
        .checked_div(time.as_micros())
        .unwrap_or(0) as u64
}

/// What came of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The move to play, `None` only where there is no legal move.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// Depth of the last whole iteration in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The line of the best move.
    pub line: Vec<Move>,
}

/// Is told what a search finds. Called a few times an iteration, never for each node.
pub trait Observer {
    /// A line of an iteration is finished.
    fn info(&mut self, info: &Info);
}

/// An observer that takes no interest.
pub struct NoObserver;

impl Observer for NoObserver {
    fn info(&mut self, _: &Info) {}
}

/// Searches the current position of `game` until a limit is reached or the control stops it.
///
/// An unlimited or pondering search returns only when it is stopped, even if it has nothing left to
/// think about; it then waits without using the processor.
pub fn search(
    shared: Shared<'_>,
    game: &Game,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Report {
    driver::run(shared, game, limits, observer)
}
