//! A fixed amount of work: the signature of the search, and a measure of its speed.

use crate::notation::{Numbering, fen};
use crate::rules::{DrawRules, Game};
use crate::search::{Limits, NoObserver, SearchPool, Shared};
use crate::tt::{OutOfMemory, TranspositionTable};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Depth at which the positions are searched unless told otherwise, in plies.
pub const DEFAULT_DEPTH: u32 = 13;
/// Size of the table, MiB.
const TABLE_MIB: usize = 16;

/// What came of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The position.
    pub fen: String,
    /// Nodes searched.
    pub nodes: u64,
    /// The best move and its score, as text.
    pub answer: String,
}

/// What came of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes searched; with one thread the same on every machine.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// The positions, one FEN a line.
fn positions() -> impl Iterator<Item = &'static str> {
    let text = include_str!("../../positions/bench.txt");
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Searches the bench positions to `depth` plies, each with an empty table, and tells each one's
/// outcome.
///
/// # Errors
/// There is no memory for a small table.
pub fn run(
    depth: u32,
    threads: usize,
    rules: &DrawRules,
    mut tell: impl FnMut(Line),
) -> Result<Summary, OutOfMemory> {
    let table = Arc::new(TranspositionTable::new(TABLE_MIB)?);
    let mut pool = SearchPool::new(threads);
    let mut nodes = 0;
    let begun = Instant::now();
    for text in positions() {
        let Ok(fen) = fen::read(text, Numbering::B8) else {
            log::error!("bench position {text} cannot be read");
            continue;
        };
        table.clear(threads);
        pool.forget();
        let game = Game::new(fen.position, rules.clone());
        let shared = Shared::new(table.clone());
        let report = pool.search(&shared, &game, &Limits::depth(depth), &mut NoObserver);
        nodes += report.nodes;
        let answer = match report.best {
            Some(mv) => format!("{mv:?} {}", report.score),
            None => report.score.to_string(),
        };
        tell(Line {
            fen: text.to_owned(),
            nodes: report.nodes,
            answer,
        });
    }
    Ok(Summary {
        nodes,
        time: begun.elapsed(),
    })
}

impl Summary {
    /// The last lines of a bench, in the form that testing tools read.
    #[must_use]
    pub fn lines(&self) -> [String; 3] {
        let nps = crate::search::nodes_per_second(self.nodes, self.time);
        [
            format!("time {} ms", self.time.as_millis()),
            format!("Bench: {}", self.nodes),
            format!("{} nodes {nps} nps", self.nodes),
        ]
    }
}
