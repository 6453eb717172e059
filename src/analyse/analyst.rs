//! Thinking about one position after the other.

use crate::eval::{Network, Odds};
use crate::rules::{Game, Move};
use crate::score::Score;
use crate::search::{Control, Endings, Info, Limits, Observer, Report, SearchPool, Shared};
use crate::tb::{Judge, Tables, Value, Verdict};
use crate::tt::{OutOfMemory, TranspositionTable};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How to think.
#[derive(Clone)]
pub struct Setting {
    /// When to stop, and how many lines to show.
    pub limits: Limits,
    /// Threads for each position, 1 or more.
    pub threads: usize,
    /// Size of the transposition table, MiB.
    pub hash_mib: usize,
    /// Endgame tables.
    pub tables: Arc<Tables>,
    /// The weights by which positions are judged.
    pub network: Arc<Network>,
}

/// A size of the table, in MiB, that is enough for these limits: it is cleared before each position, which
/// for short searches must not take longer than the search.
#[must_use]
pub fn hash_for(limits: &Limits) -> usize {
    match limits.nodes {
        // 16 bytes for each node, and half of it to spare.
        Some(nodes) => ((nodes.saturating_mul(24) >> 20) as usize).clamp(1, 64),
        None => 16,
    }
}

/// One line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// From the view of the side to move.
    pub score: Score,
    /// The chances that go with it.
    pub odds: Odds,
    /// The moves; none only where there is no legal move.
    pub moves: Vec<Move>,
}

/// What was found about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The best lines, the best first; as many as were asked for and there are moves, at least one.
    pub lines: Vec<Line>,
    /// Depth of the last whole iteration, plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// What the endgame tables say of the position under the draw rules of the game, and their value.
    pub table: Option<(Verdict, Value)>,
}

impl Analysis {
    /// The best line.
    #[must_use]
    pub fn best(&self) -> &Line {
        &self.lines[0]
    }
}

/// Keeps the lines of the last iteration.
#[derive(Default)]
struct Listener {
    /// Lines of the iteration under way, and of the last one that was whole.
    fresh: Vec<Info>,
    whole: Vec<Info>,
    /// The scores are no estimates.
    settled: bool,
}

impl Observer for Listener {
    fn info(&mut self, info: &Info) {
        if info.rank == 1 {
            let last = std::mem::take(&mut self.fresh);
            // The best line may be told again before the others are.
            if last.len() > 1 || self.whole.is_empty() {
                self.whole = last;
            }
        }
        self.settled = info.settled;
        self.fresh.push(info.clone());
    }
}

impl Listener {
    /// The lines of the iteration that was cut off, and behind them those of the one before.
    fn lines(self, wanted: usize) -> Vec<Info> {
        let mut lines = self.fresh;
        for old in self.whole {
            if lines
                .iter()
                .all(|line| line.line.first() != old.line.first())
            {
                lines.push(old);
            }
        }
        // What was found at another depth may be better or worse than it seemed.
        lines.sort_by_key(|line| -line.score.raw());
        lines.truncate(wanted.max(1));
        lines
    }
}

/// Thinks about positions, about each as if it were the first.
pub struct Analyst {
    setting: Setting,
    shared: Shared,
    pool: SearchPool,
}

impl Analyst {
    /// Somebody who thinks like this.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(setting: &Setting) -> Result<Analyst, OutOfMemory> {
        let table = TranspositionTable::new(setting.hash_mib)?;
        let mut shared = Shared::new(Arc::new(table));
        shared.network = setting.network.clone();
        let most_pieces = setting.tables.most_pieces();
        shared.endings = (most_pieces > 0).then(|| Endings {
            tables: setting.tables.clone(),
            most_pieces,
        });
        Ok(Analyst {
            shared,
            pool: SearchPool::new(setting.threads),
            setting: setting.clone(),
        })
    }

    /// Thinks about the current position of a game.
    pub fn analyse(&mut self, game: &Game) -> Analysis {
        self.analyse_within(game, &self.setting.limits.clone())
    }

    /// Searches the current position of a game, and tells an observer how it goes.
    pub fn search(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer) -> Report {
        self.shared.table.clear(self.setting.threads);
        self.pool.forget();
        self.shared.control = Arc::new(Control::new(false));
        self.pool.search(&self.shared, game, limits, observer)
    }

    /// The same with other limits.
    pub fn analyse_within(&mut self, game: &Game, limits: &Limits) -> Analysis {
        let mut listener = Listener::default();
        let report = self.search(game, limits, &mut listener);
        let position = game.position();
        let known = listener.settled;
        let lines = match limits.multi_pv {
            0 | 1 => vec![(report.score, report.line.clone())],
            wanted => {
                let lines = listener.lines(wanted).into_iter();
                lines.map(|info| (info.score, info.line)).collect()
            }
        };
        let table = self.table(game);
        let pieces = position.occupied().count();
        let line = |(score, moves)| Line {
            score,
            odds: if known {
                Odds::certain(score)
            } else {
                Odds::of(score, pieces)
            },
            moves,
        };
        let Report {
            depth, nodes, time, ..
        } = report;
        Analysis {
            lines: lines.into_iter().map(line).collect(),
            depth,
            nodes,
            time,
            table,
        }
    }

    /// What the endgame tables say, if it means something under the rules of the game.
    fn table(&self, game: &Game) -> Option<(Verdict, Value)> {
        let endings = self.shared.endings.as_ref()?;
        let position = game.position();
        let value = endings.tables.resolve(position)?;
        let verdict = Judge::new(game.rules()).verdict(value, position, game.clock(), 0)?;
        Some((verdict, value))
    }
}

/// As many analysts as there are threads: whoever needs one takes it and brings it back.
pub struct Analysts(Mutex<Vec<Analyst>>);

impl Analysts {
    /// So many, who think like this.
    ///
    /// # Errors
    /// There is no memory for their tables.
    pub fn new(setting: &Setting, count: usize) -> io::Result<Analysts> {
        let analysts: Result<Vec<Analyst>, _> = (0..count).map(|_| Analyst::new(setting)).collect();
        Ok(Analysts(Mutex::new(analysts.map_err(io::Error::other)?)))
    }

    /// Has one of them do something.
    ///
    /// # Panics
    /// More threads want one than there are.
    pub fn with<R>(&self, work: impl FnOnce(&mut Analyst) -> R) -> R {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all().pop();
        let mut analyst = taken.unwrap_or_else(|| unreachable!("one for each thread"));
        let result = work(&mut analyst);
        all().push(analyst);
        result
    }
}
