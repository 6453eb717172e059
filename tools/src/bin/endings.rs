//! Whether the engine plays endings as well as its tables: random won ones against the longest defence,
//! random drawn ones against an attacker that never gives the draw up to the tables and sets as many
//! traps as it can.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shashki::rules::{DrawRules, Game, GameEnd, Move, Position};
use shashki::search::{Endings, Limits, NoObserver, SearchPool, Shared};
use shashki::tb::{Tables, Value};
use shashki::tt::TranspositionTable;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Plays random endings against a side that plays by tables.
#[derive(Parser)]
struct Args {
    /// Won endings, and as many drawn ones
    #[arg(long, default_value_t = 500)]
    games: usize,
    /// Least and most pieces
    #[arg(long, num_args = 2, default_values_t = [3, 5])]
    pieces: Vec<u8>,
    /// Folders with tables beside those built in
    #[arg(long)]
    tables: Vec<PathBuf>,
    /// Most pieces on a board that the engine looks up; 0: it plays without tables
    #[arg(long, default_value_t = 6)]
    engine_pieces: u8,
    /// Time for each move of the engine, in milliseconds
    #[arg(long, default_value_t = 40)]
    movetime: u64,
    /// Of the random endings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The move of the side that plays by tables.
fn by_tables(tables: &Tables, game: &Game, random: &mut fastrand::Rng) -> Option<Move> {
    let count = game.clock().reversible();
    let position = game.position();
    let mut moves = tables.by_moves(position)?;
    random.shuffle(&mut moves);
    let rank = |&(mv, value): &(Move, Value)| {
        let value = value.at_count(count);
        let traps = match value {
            Value::Draw | Value::CursedWin | Value::CursedLoss => {
                let after = position.play(mv);
                let replies = tables.by_moves(&after).unwrap_or_default();
                let bad = replies
                    .iter()
                    .filter(|(_, value)| matches!(value, Value::Loss(_)));
                bad.count() * 1000 / replies.len().max(1)
            }
            _ => 0,
        };
        (value.preference(), traps)
    };
    moves
        .iter()
        .max_by_key(|known| rank(known))
        .map(|known| known.0)
}

struct Player {
    table: Arc<TranspositionTable>,
    pool: SearchPool,
    endings: Option<Endings>,
    limits: Limits,
    /// The longest time that a move took.
    longest: Duration,
}

impl Player {
    fn think(&mut self, game: &Game) -> Result<Move> {
        let mut shared = Shared::new(self.table.clone());
        shared.endings = self.endings.clone();
        let begun = Instant::now();
        let report = self
            .pool
            .search(&shared, game, &self.limits, &mut NoObserver);
        self.longest = self.longest.max(begun.elapsed());
        report.best.context("no move")
    }
}

/// Plays an ending out, the engine to move first.
fn play(
    start: Position,
    player: &mut Player,
    tables: &Tables,
    random: &mut fastrand::Rng,
) -> Result<GameEnd> {
    let engine = start.side();
    let mut game = Game::new(start, DrawRules::standard());
    player.table.clear(1);
    player.pool.forget();
    loop {
        if let Some(end) = game.end() {
            return Ok(end);
        }
        let mv = if game.position().side() == engine {
            player.think(&game)?
        } else {
            by_tables(tables, &game, random).context("a position that the tables do not know")?
        };
        ensure!(game.play(mv), "an illegal move");
    }
}

fn run(args: &Args) -> Result<()> {
    let tables = Arc::new(Tables::open(&args.tables, 256));
    ensure!(tables.take_complaints().is_empty(), "bad tables");
    let (least, most) = (args.pieces[0], args.pieces[1]);
    ensure!(2 <= least && least <= most, "bad numbers of pieces");
    ensure!(
        most <= tables.most_pieces(),
        "no tables for so many pieces; see --tables"
    );
    let mut random = fastrand::Rng::with_seed(args.seed);
    let mut player = Player {
        table: Arc::new(TranspositionTable::new(16)?),
        pool: SearchPool::new(1),
        endings: (args.engine_pieces > 0).then(|| Endings {
            tables: tables.clone(),
            most_pieces: args.engine_pieces.min(tables.most_pieces()),
        }),
        limits: Limits::move_time(Duration::from_millis(args.movetime)),
        longest: Duration::ZERO,
    };
    let mut good = [0; 2];
    for (kind, word) in [(0, "won"), (1, "drawn")] {
        let mut played = 0;
        while played < args.games {
            let pieces = random.u8(least..=most);
            let Some(start) = tools::random::position(&mut random, pieces) else {
                continue;
            };
            let fits = match tables.probe(&start) {
                Some(Value::Win(_)) => kind == 0,
                Some(Value::Draw) => kind == 1,
                _ => false,
            };
            if !fits {
                continue;
            }
            played += 1;
            let end = play(start, &mut player, &tables, &mut random)?;
            let held = match kind {
                0 => end.winner() == Some(start.side()),
                _ => end.winner() != Some(start.side().opponent()),
            };
            good[kind] += usize::from(held);
            if !held {
                println!("NOT {word}: {start:?}: {end:?}");
            }
        }
        println!("{} of {} {word}", good[kind], args.games);
    }
    println!("longest move {} ms", player.longest.as_millis());
    ensure!(good == [args.games; 2], "not all were held");
    Ok(())
}

fn main() -> Result<()> {
    env_logger::init();
    let args = Args::parse();
    tools::with_stack(move || run(&args))
}
