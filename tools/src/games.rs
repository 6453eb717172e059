//! Games of the engine against itself inside this process.

use anyhow::{Context, Result, ensure};
use shashki::board::Side;
use shashki::eval::Network;
use shashki::matches::openings::{self, Opening};
use shashki::rules::{DrawRules, Game, Position};
use shashki::search::{Endings, Limits, NoObserver, Params, Report, SearchPool, Shared};
use shashki::tb::{Judge, Tables, Verdict};
use shashki::tt::TranspositionTable;
use std::path::PathBuf;
use std::sync::Arc;

/// Size of the transposition table of a game, MiB.
const HASH: usize = 4;
/// A game that is longer is a draw, plies.
const LONGEST: usize = 400;

/// Endgame tables of these folders and those built in.
///
/// # Errors
/// A file is bad, or there are no tables at all.
pub fn tables(folders: &[PathBuf]) -> Result<Arc<Tables>> {
    let tables = Arc::new(Tables::open(folders, 256));
    ensure!(tables.take_complaints().is_empty(), "bad endgame tables");
    ensure!(tables.most_pieces() >= 3, "no endgame tables; see --tables");
    Ok(tables)
}

/// What games hang on besides their settings: weights, numbers of the search, what a search comes to, tables. A
/// file that was begun with others must not be continued. To be called where there is the stack for a search.
#[must_use]
pub fn engine(tables: &Arc<Tables>) -> String {
    let limits = Limits {
        depth: Some(SIGNATURE_DEPTH),
        ..Limits::default()
    };
    let start = Game::new(Position::start(), DrawRules::standard());
    let nodes = Player::new(tables, limits).search(&start).nodes;
    format!(
        "weights {:08x} search {:08x} {nodes} tables up to {}",
        Network::built_in().checksum(),
        crc32fast::hash(format!("{:?}", Params::default()).as_bytes()),
        tables.most_pieces()
    )
}

/// The search by whose nodes engines are told apart, plies.
const SIGNATURE_DEPTH: u32 = 12;

/// The openings of all tables, and none.
///
/// # Errors
/// A table cannot be read.
pub fn all_openings() -> Result<Vec<Opening>> {
    let mut all = vec![Opening::none()];
    for (name, _) in openings::TABLES {
        let found = openings::load(name).with_context(|| format!("openings {name}"))?;
        all.extend(found);
    }
    Ok(all)
}

/// Where games begin: a few random moves behind an opening.
pub struct Beginnings<'a> {
    /// The openings.
    pub openings: &'a [Opening],
    /// Random moves behind them: between half of this and this.
    pub random: usize,
    /// What a search thinks further from even than this is drawn again, centi-men.
    pub balance: i32,
}

impl Beginnings<'_> {
    /// A game that begins at such a position; `player` says whether it is even.
    pub fn draw(&self, random: &mut fastrand::Rng, player: &mut Player) -> Game {
        loop {
            let opening = &self.openings[random.usize(..self.openings.len())];
            let mut game = Game::new(opening.start, DrawRules::standard());
            for &mv in &opening.moves {
                game.play(mv);
            }
            for _ in 0..random.usize(self.random / 2..=self.random) {
                if let Some(&mv) = random.choice(&game.position().legal_moves()) {
                    game.play(mv);
                }
            }
            if game.end().is_some() {
                continue;
            }
            let score = player.search(&game).score;
            if score.raw().abs() <= self.balance {
                // What was played before the game is not a part of it.
                return Game::new(*game.position(), DrawRules::standard());
            }
        }
    }
}

/// The engine with memory of its own, to play one side of a game or both.
pub struct Player {
    /// What its searches are lent.
    pub shared: Shared,
    limits: Limits,
    pool: SearchPool,
}

impl Player {
    /// One with these tables, whose searches end by these limits.
    ///
    /// # Panics
    /// There is no memory at all: the table is small.
    #[must_use]
    pub fn new(tables: &Arc<Tables>, limits: Limits) -> Player {
        let table = TranspositionTable::new(HASH).unwrap_or_else(|error| panic!("{error}"));
        let mut shared = Shared::new(Arc::new(table));
        shared.endings = Some(Endings {
            tables: tables.clone(),
            most_pieces: tables.most_pieces(),
        });
        Player {
            shared,
            limits,
            pool: SearchPool::new(1),
        }
    }

    /// Knows nothing any more of games before.
    pub fn forget(&mut self) {
        self.shared.table.clear(1);
        self.pool.forget();
    }

    /// What it finds.
    pub fn search(&mut self, game: &Game) -> Report {
        self.pool
            .search(&self.shared, game, &self.limits, &mut NoObserver)
    }
}

/// How a game has ended: by the rules, by its length, by the tables. `None` while it goes on.
#[must_use]
pub fn over(game: &Game, tables: &Tables) -> Option<Option<Side>> {
    if let Some(end) = game.end() {
        return Some(end.winner());
    }
    if game.moves().len() >= LONGEST {
        return Some(None);
    }
    let position = game.position();
    let value = tables.probe(position)?;
    let judge = Judge::new(game.rules());
    let side = position.side();
    match judge.verdict(value, position, game.clock(), 0)? {
        Verdict::Win => Some(Some(side)),
        Verdict::Loss => Some(Some(side.opponent())),
        Verdict::Draw | Verdict::DrawByCounter => Some(None),
    }
}

/// Who has proven with the search of this move that the game is won. A loss is only believed to the side
/// that wins by it: a search that is cut off may have seen no more than the first of its moves.
#[must_use]
pub fn proven(game: &Game, report: &Report) -> Option<Side> {
    (report.score.is_proven() && report.score.raw() > 0).then(|| game.position().side())
}
