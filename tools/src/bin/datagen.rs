//! Makes positions to learn from: games of the engine against itself.
//!
//! Every game has random numbers and memories of its own, so the same seed gives the same file with any
//! number of threads. Games begin at a drawing of the opening tables, a few random moves later; what a
//! check search finds lopsided is drawn again. They end by the rules, by endgame tables, or by a proof.
//! A position is written once, for the first game that has it.
//!
//! Since games end where the tables begin, they have no endings in them. Those are made apart: random
//! positions with the result that the tables know (`--endings`).

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use dashmap::DashMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shashki::files::write_whole;
use shashki::rules::movegen;
use shashki::search::Limits;
use shashki::tb::{Tables, Value};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tools::games::{self, Beginnings, Player};
use tools::records::{self, MAGIC, Record};
use tools::{long_job, random};

/// Plays the engine against itself and writes quiet positions with score and result.
#[derive(Parser, Clone, Debug)]
struct Args {
    /// The file; a run that was stopped goes on where it was
    #[arg(long)]
    out: PathBuf,
    /// Stop after so many positions, at the end of a batch of games
    #[arg(long, default_value_t = 5_000_000)]
    positions: u64,
    /// Of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all processors if left out
    #[arg(long)]
    threads: Option<usize>,
    /// Nodes for each move; the iteration under way is finished
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Random moves behind the opening: from half so many to so many
    #[arg(long, default_value_t = 10)]
    random: usize,
    /// Openings that a check search thinks further from even than this are not played, centi-men
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(i32).range(10..=10_000))]
    balance: i32,
    /// Folders with endgame tables beside those built in
    #[arg(long)]
    tables: Vec<PathBuf>,
    /// Instead of games, random endings of three pieces up to those of the tables
    #[arg(long)]
    endings: bool,
}

/// Games between two writes.
const BATCH: u64 = 512;

impl Args {
    /// What must be the same for a file to be continued.
    fn settings(&self, tables: &Arc<Tables>) -> String {
        if self.endings {
            return format!("seed {} endings up to {}", self.seed, tables.most_pieces());
        }
        format!(
            "{} seed {} nodes {} random {}- balance {}",
            games::engine(tables),
            self.seed,
            self.nodes,
            self.random,
            self.balance
        )
    }
}

/// How far a file has come.
#[derive(Serialize, Deserialize)]
struct State {
    settings: String,
    games: u64,
    positions: u64,
}

/// A game: its positions with scores, and the winner.
struct Played {
    number: u64,
    records: Vec<Record>,
}

/// Plays a game.
fn play(
    args: &Args,
    beginnings: &Beginnings<'_>,
    tables: &Tables,
    player: &mut Player,
    number: u64,
) -> Played {
    let mut random = random::of_job(args.seed, number);
    player.forget();
    let mut game = beginnings.draw(&mut random, player);
    let mut records: Vec<Record> = Vec::new();
    let winner = loop {
        if let Some(winner) = games::over(&game, tables) {
            break winner;
        }
        let position = *game.position();
        let report = player.search(&game);
        let (Some(best), score) = (report.best, report.score) else {
            break None;
        };
        if let Some(winner) = games::proven(&game, &report) {
            break Some(winner);
        }
        let quiet = !movegen::has_capture(&position) && !movegen::is_threatened(&position);
        if quiet && !score.is_proven() {
            records.push(Record {
                position,
                score: score.raw() as i16,
                ply: game.moves().len() as u16,
                result: 1,
                game: number as u16,
            });
        }
        game.play(best);
    };
    for record in &mut records {
        record.result = match winner {
            None => 1,
            Some(side) if side == record.position.side() => 2,
            Some(_) => 0,
        };
    }
    Played { number, records }
}

/// Random endings in place of a game.
fn endings(tables: &Tables, seed: u64, number: u64) -> Played {
    let mut random = random::of_job(seed, number);
    let mut records = Vec::new();
    for _ in 0..ENDINGS {
        let pieces = random.u8(3..=tables.most_pieces());
        let Some(position) = random::position(&mut random, pieces) else {
            continue;
        };
        if movegen::is_threatened(&position) {
            continue;
        }
        let result: u8 = match tables.probe(&position) {
            Some(Value::Win(_)) => 2,
            Some(Value::Loss(_)) => 0,
            Some(_) => 1,
            None => continue,
        };
        records.push(Record {
            position,
            score: (i16::from(result) - 1) * CERTAIN,
            ply: 0,
            result,
            game: number as u16,
        });
    }
    Played { number, records }
}

/// Tries in place of a game.
const ENDINGS: usize = 400;
/// The score of an ending that is won.
const CERTAIN: i16 = 2_000;

/// The file that knows how far another one has come.
fn state_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".state.json");
    name.into()
}

/// The file, open at its end, and how far it has come.
fn open(args: &Args, settings: &str) -> Result<(File, State)> {
    let state = state_path(&args.out);
    if !state.exists() {
        ensure!(
            !args.out.exists(),
            "{} exists, but not the file that says how far it has come; delete it to begin anew",
            args.out.display()
        );
        // First, so that a run that ends before its first positions can go on too.
        let nothing = State {
            settings: settings.to_owned(),
            games: 0,
            positions: 0,
        };
        save(args, &nothing)?;
    }
    let text = std::fs::read_to_string(&state)?;
    let found: State = serde_json::from_str(&text).context("reading how far it has come")?;
    if found.settings != settings {
        bail!("the file was made with {}, not {settings}", found.settings);
    }
    let mut options = OpenOptions::new();
    let options = options
        .write(true)
        .create(found.positions == 0)
        .truncate(false);
    let mut file = options.open(&args.out).context("opening the file")?;
    if found.positions == 0 {
        file.set_len(0)?;
        file.write_all(&MAGIC)?;
    }
    let length = (MAGIC.len() + found.positions as usize * records::SIZE) as u64;
    ensure!(file.metadata()?.len() >= length, "the file is too short");
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, found))
}

fn save(args: &Args, state: &State) -> Result<()> {
    let path = state_path(&args.out);
    write_whole(&path, &serde_json::to_vec(state)?).with_context(|| path.display().to_string())
}

/// The positions of a batch that no earlier game has had, in the order of the games.
fn new_records(batch: &[Played], owners: &DashMap<u64, u64>) -> Vec<Record> {
    // The game with the least number has a position, whatever the order of the threads.
    batch.par_iter().for_each(|game| {
        for record in &game.records {
            let mut owner = owners.entry(record.position.key()).or_insert(game.number);
            *owner = (*owner).min(game.number);
        }
    });
    let fresh = batch.par_iter().map(|game| {
        let mut seen = HashSet::new();
        let own = |record: &&Record| {
            let key = record.position.key();
            let owner = owners.get(&key).map(|owner| *owner);
            owner == Some(game.number) && seen.insert(key)
        };
        game.records.iter().filter(own).copied().collect::<Vec<_>>()
    });
    fresh.collect::<Vec<_>>().concat()
}

fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    let tables = games::tables(&args.tables)?;
    let openings = games::all_openings()?;
    let beginnings = Beginnings {
        openings: &openings,
        random: args.random,
        balance: args.balance,
    };
    let limits = Limits {
        soft_nodes: Some(args.nodes),
        nodes: Some(args.nodes * 4),
        ..Limits::default()
    };
    let pool = long_job::searchers(args.threads)?;
    let settings = pool.install(|| args.settings(&tables));
    let (mut file, mut state) = open(args, &settings)?;
    let owners = DashMap::new();
    if state.positions > 0 {
        for record in records::read(&args.out)? {
            owners.insert(record.position.key(), 0);
        }
    }
    let bar = long_job::bar(
        state.positions,
        args.positions,
        "{wide_bar} {human_pos}/{human_len} positions, {per_sec}, {elapsed} (left {eta}) {msg}",
    )?;
    let begun = Instant::now();
    let (games, positions) = (state.games, state.positions);
    while state.positions < args.positions && !stop.load(Ordering::Relaxed) {
        let numbers = state.games + 1..state.games + 1 + BATCH;
        let player = || Player::new(&tables, limits.clone());
        let game = |player: &mut Player, number| play(args, &beginnings, &tables, player, number);
        let fresh = pool.install(|| {
            let batch = numbers.into_par_iter();
            let batch: Vec<Played> = if args.endings {
                let endings = |number| endings(&tables, args.seed, number);
                batch.map(endings).collect()
            } else {
                batch.map_init(player, game).collect()
            };
            new_records(&batch, &owners)
        });
        if fresh.is_empty() {
            bar.println("nothing new in a whole batch: there is no more");
            break;
        }
        let bytes: Vec<u8> = fresh.iter().flat_map(Record::to_bytes).collect();
        file.write_all(&bytes)?;
        file.sync_data()?;
        state.games += BATCH;
        state.positions += fresh.len() as u64;
        save(args, &state)?;
        bar.set_position(state.positions);
        bar.set_message(format!("{} games", state.games));
    }
    bar.finish_and_clear();
    let time = begun.elapsed().as_secs_f64();
    println!(
        "{} positions of {} games in {}; this run {:.0} positions a second, {:.1} games a second",
        state.positions,
        state.games,
        args.out.display(),
        (state.positions - positions) as f64 / time,
        (state.games - games) as f64 / time
    );
    Ok(())
}

fn main() -> Result<()> {
    env_logger::init();
    run(&Args::parse(), &*long_job::stop_flag()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// The bytes of a file made so, in as many runs as there are numbers of positions.
    fn made(more: &str, runs: &[u64]) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("games.rec");
        for positions in runs {
            let words = format!("datagen --nodes 20 --positions {positions} {more} --out");
            let mut args = Args::parse_from(words.split_whitespace().chain(["x"]));
            args.out.clone_from(&out);
            run(&args, &GO_ON).expect("it runs");
            // What a kill in the middle of writing leaves behind.
            let mut file = OpenOptions::new().append(true).open(&out).expect("a file");
            file.write_all(b"torn").expect("written");
        }
        let mut bytes = std::fs::read(&out).expect("a file");
        bytes.truncate(bytes.len() - 4);
        bytes
    }

    #[test]
    fn neither_threads_nor_interruptions_change_the_file() {
        // One batch, then another.
        let whole = made("--threads 2", &[20_000]);
        assert_eq!((whole.len() - MAGIC.len()) % records::SIZE, 0);
        let in_parts = made("--threads 1", &[1, 20_000]);
        assert!(whole == in_parts);
        assert!(whole != made("--threads 2 --seed 2", &[20_000]));
        let endings = made("--threads 2 --endings", &[100]);
        assert!(endings == made("--threads 1 --endings", &[100]));
    }

    #[test]
    fn a_run_that_ended_before_its_first_positions_goes_on_and_another_one_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("games.rec");
        let words = ["datagen", "--nodes", "20", "--positions", "1", "--out", "x"];
        let mut args = Args::parse_from(words);
        args.out.clone_from(&out);
        run(&args, &AtomicBool::new(true)).expect("it ends at once");
        // Killed before it had made the file.
        std::fs::remove_file(&out).expect("removed");
        run(&args, &GO_ON).expect("it goes on");
        assert!(records::read(&out).expect("records").len() > 1000);
        args.seed += 1;
        let error = run(&args, &GO_ON).expect_err("another seed").to_string();
        assert!(error.contains("was made with"), "{error}");
    }
}
