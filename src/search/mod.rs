//! The search: iterative deepening over a principal-variation search.
//!
//! [`SearchPool::search`] is given what to think about, how long, and whom to tell. It never reads
//! input and never prints; it stops when the [`Control`] says so. What it keeps between calls is in
//! the [`TranspositionTable`] it is lent and in the pool itself.

mod busy;
mod control;
mod driver;
mod endings;
mod handicap;
mod history;
mod limits;
mod negamax;
mod params;
mod picker;
mod pool;
mod pruning;
mod quiescence;
mod rounds;
mod time;
mod worker;

pub use control::Control;
pub use handicap::{FULL_LEVEL, GREATEST_ELO, Handicap, LEAST_ELO};
pub use limits::{Clock, Limits};
pub use params::Params;
pub use pool::SearchPool;

use crate::eval::Network;
use crate::rules::Move;
use crate::score::Score;
use crate::tb::Tables;
use crate::tt::TranspositionTable;
use std::sync::Arc;
use std::time::Duration;

/// Stack that a thread needs which calls [`SearchPool::search`], in bytes. Recursion with move lists on the stack
/// must not depend on a platform's default.
pub const STACK: usize = 16 << 20;

/// What a search is lent: the table, the means to stop it, its numbers, endgame tables.
#[derive(Clone)]
pub struct Shared {
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// Stop, ponder-hit.
    pub control: Arc<Control>,
    /// The numbers that may be tuned.
    pub params: Arc<Params>,
    /// The weights by which positions are judged.
    pub network: Arc<Network>,
    /// Endgame tables, if any are used.
    pub endings: Option<Endings>,
}

/// Endgame tables as a search uses them.
#[derive(Clone, Debug)]
pub struct Endings {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Most pieces on a board that is looked up.
    pub most_pieces: u8,
}

impl Shared {
    /// For a search that begins now, with a table, default parameters, the built-in weights,
    /// and without endgame tables.
    #[must_use]
    pub fn new(table: Arc<TranspositionTable>) -> Shared {
        Shared {
            table,
            control: Arc::new(Control::new(false)),
            params: Arc::new(Params::default()),
            network: Arc::new(Network::built_in()),
            endings: None,
        }
    }
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
    /// Endgame tables know the root: the score is no estimate.
    pub settled: bool,
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
