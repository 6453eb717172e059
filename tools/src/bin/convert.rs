//! Whether won endings are won: plays each of a list out, both sides thinking for a fixed time, and
//! counts those that the winner brings home.
//!
//! The list is an openings file whose lines say behind the semicolon who wins
//! (`positions/endings/won.txt`). Both sides have tables and memories of their own.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shashki::board::Side;
use shashki::notation::{Numbering, fen};
use shashki::rules::{DrawRules, Game, GameEnd};
use shashki::search::{Limits, NoObserver, SearchPool, Shared};
use shashki::tt::TranspositionTable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Plays won endings out and counts those that are won.
#[derive(Parser)]
struct Args {
    /// The list of endings
    #[arg(default_value = "positions/endings/won.txt")]
    file: PathBuf,
    /// Time for each move, in milliseconds
    #[arg(long, default_value_t = 100)]
    movetime: u64,
    /// Nodes for each move instead of a time
    #[arg(long)]
    nodes: Option<u64>,
    /// The draw rules
    #[arg(long, default_value_t = DrawRules::standard())]
    rules: DrawRules,
    /// Size of each side's table in MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

/// An ending: its position as text, its name, who wins it.
struct Ending {
    fen: String,
    name: String,
    winner: Side,
}

fn read(path: &Path) -> Result<Vec<Ending>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut endings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (fen, name) = line
            .split_once(';')
            .with_context(|| format!("line {number}: no name behind a semicolon"))?;
        let winner = match (name.contains("White wins"), name.contains("Black wins")) {
            (true, false) => Side::White,
            (false, true) => Side::Black,
            _ => anyhow::bail!("line {number}: it is not said who wins"),
        };
        endings.push(Ending {
            fen: fen.trim().to_owned(),
            name: name.trim().to_owned(),
            winner,
        });
    }
    Ok(endings)
}

/// A game that no rule ends is given up after so many plies.
const MOST_PLIES: usize = 400;

/// Plays an ending out; the result and the number of plies.
fn play(ending: &Ending, args: &Args) -> Result<(Option<GameEnd>, usize)> {
    let position = fen::read(&ending.fen, Numbering::B8)?.position;
    let limits = match args.nodes {
        Some(nodes) => Limits::nodes(nodes),
        None => Limits::move_time(Duration::from_millis(args.movetime)),
    };
    let mut game = Game::new(position, args.rules.clone());
    let table = || TranspositionTable::new(args.hash).map(Arc::new);
    let mut players = [
        (table()?, SearchPool::new(1)),
        (table()?, SearchPool::new(1)),
    ];
    loop {
        if let Some(end) = game.end() {
            return Ok((Some(end), game.moves().len()));
        }
        if game.moves().len() >= MOST_PLIES {
            return Ok((None, game.moves().len()));
        }
        let (table, pool) = &mut players[game.position().side() as usize];
        let shared = Shared::new(table.clone());
        let report = pool.search(&shared, &game, &limits, &mut NoObserver);
        let best = report.best.context("no move")?;
        ensure!(game.play(best), "an illegal move");
    }
}

fn run(args: &Args) -> Result<()> {
    let endings = read(&args.file)?;
    let mut won = 0;
    for ending in &endings {
        let (end, plies) = play(ending, args).with_context(|| ending.name.clone())?;
        let good = end.and_then(|end| end.winner()) == Some(ending.winner);
        won += usize::from(good);
        let word = if good { "won" } else { "NOT WON" };
        println!(
            "{word} after {plies} plies: {} ; {}",
            ending.fen, ending.name
        );
    }
    println!("{won} of {} won", endings.len());
    ensure!(won == endings.len(), "not all were won");
    Ok(())
}

fn main() -> Result<()> {
    env_logger::init();
    let args = Args::parse();
    tools::with_stack(move || run(&args))
}
