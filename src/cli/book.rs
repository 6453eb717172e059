//! `shashki book`.

use crate::analyse::{Analysts, Setting, hash_for};
use crate::book::{self, Book, Progress, Tree};
use crate::cli::args::{BookArgs, BookBuildArgs, BookCommand, BookShowArgs};
use crate::eval::Network;
use crate::matches::openings;
use crate::notation::{Spelling, fen, movetext, pdn};
use crate::protocol::output;
use crate::rules::{DrawRules, Game, Position};
use crate::search::{Limits, STACK};
use crate::tb::{self, Tables};
use dashmap::DashMap;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) fn run(args: &BookArgs, progress: &MultiProgress) -> Result<(), String> {
    match &args.command {
        BookCommand::Build(args) => build(args, progress),
        BookCommand::Show(args) => show(args),
    }
}

/// How a position is judged.
fn setting(nodes: u64) -> Setting {
    let limits = Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes.saturating_mul(4)),
        ..Limits::default()
    };
    Setting {
        hash_mib: hash_for(&limits),
        limits,
        threads: 1,
        tables: Arc::new(Tables::built_in(tb::DEFAULT_CACHE_MIB)),
        network: Arc::new(Network::built_in()),
    }
}

fn build(args: &BookBuildArgs, progress: &MultiProgress) -> Result<(), String> {
    let roots = roots(args)?;
    let begins: Vec<u8> = roots
        .iter()
        .flat_map(|root| root.key().to_le_bytes())
        .collect();
    let settings = format!(
        "shashki {} book: nodes {} worth-a-ply {} weights {:08x} begins {:08x}",
        env!("CARGO_PKG_VERSION"),
        args.nodes,
        args.worth_a_ply,
        Network::built_in().checksum(),
        crc32fast::hash(&begins),
    );
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let analysts = Analysts::new(&setting(args.nodes), threads.current_num_threads())
        .map_err(|error| error.to_string())?;
    let judge = |position: &Position| {
        let game = Game::new(*position, DrawRules::standard());
        let score = analysts.with(|analyst| analyst.analyse(&game).best().score);
        let greatest = i32::from(book::GREATEST);
        score.raw().clamp(-greatest, greatest) as i16
    };
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .map_err(|error| format!("no way to be interrupted: {error}"))?;
    let bar = progress.add(ProgressBar::new(args.positions as u64));
    let template = "{wide_bar} {human_pos}/{human_len} positions, {elapsed} (left {eta})";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    let tell = |Progress { positions, before }| {
        if positions == before {
            bar.set_position(before as u64);
            bar.reset_eta();
        }
        bar.set_position(positions as u64);
        !stop.load(Ordering::Relaxed)
    };
    let tree = Tree::new(roots, args.worth_a_ply);
    let built =
        threads.install(|| book::build(&args.out, &settings, tree, args.positions, judge, tell));
    bar.finish_and_clear();
    let tree = built.map_err(|error| error.to_string())?;
    output::line(&format!(
        "{} positions in {}",
        tree.len(),
        args.out.display()
    ));
    Ok(())
}

/// Where the book begins: the start of a game, the openings, and what games have often come to.
fn roots(args: &BookBuildArgs) -> Result<Vec<Position>, String> {
    let mut roots = vec![Position::start()];
    for source in &args.openings {
        let openings =
            openings::load(source).map_err(|error| format!("openings {source}: {error}"))?;
        for opening in openings {
            let play = |position: Position, &mv| position.play(mv);
            roots.push(opening.moves.iter().fold(opening.start, play));
        }
    }
    roots.extend(often_reached(&args.pdn, args.plies, args.games)?);
    let mut seen = HashSet::new();
    roots.retain(|root| seen.insert(root.key()));
    Ok(roots)
}

/// The positions that at least so many games of the files have come to within so many plies, the most
/// frequent first.
fn often_reached(files: &[PathBuf], plies: usize, games: u32) -> Result<Vec<Position>, String> {
    let reached: DashMap<u64, (u32, Position)> = DashMap::new();
    let read = |path: &PathBuf| -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = std::fs::File::open(path).map_err(failed)?;
        let mut reader = pdn::Reader::new(file);
        while let Some(game) = reader.next_game().map_err(failed)? {
            let replay = match game.replay() {
                Ok(replay) => replay,
                Err(error) => {
                    log::warn!("{}: {error}; left out", path.display());
                    continue;
                }
            };
            let mut position = replay.start;
            let mut seen = HashSet::new();
            for &mv in replay.moves.iter().take(plies) {
                position = position.play(mv);
                if seen.insert(position.key()) {
                    reached.entry(position.key()).or_insert((0, position)).0 += 1;
                }
            }
        }
        Ok(())
    };
    files.par_iter().try_for_each(read)?;
    let mut often: Vec<(u32, Position)> = reached
        .into_iter()
        .map(|(_, found)| found)
        .filter(|&(count, _)| count >= games)
        .collect();
    often.sort_by_key(|(count, position)| (u32::MAX - count, position.key()));
    Ok(often.into_iter().map(|(_, position)| position).collect())
}

/// The book of a file, or the built-in one.
pub(super) fn read(path: Option<&Path>) -> Result<Book, String> {
    match path {
        None => Ok(Book::built_in()),
        Some(path) => super::read_file(path, Book::from_bytes),
    }
}

fn show(args: &BookShowArgs) -> Result<(), String> {
    let book = read(args.book.as_deref())?;
    let position = super::position(args.fen.as_deref(), args.numbering)?;
    let moves = book.moves(&position);
    let spelled = |mv| movetext::write_full(&position, mv, Spelling::Algebraic);
    if args.json {
        let moves = moves.map(|moves| {
            let each = moves.iter();
            let each = each.map(|&(mv, value)| json!({"move": spelled(mv), "value": value}));
            each.collect::<Vec<_>>()
        });
        let fen = fen::write(&position, Spelling::Algebraic);
        output::line(&json!({"fen": fen, "positions": book.len(), "moves": moves}).to_string());
        return Ok(());
    }
    output::line(&format!("{} positions", book.len()));
    match moves {
        None => output::line("this one is not among them"),
        Some(moves) => {
            for (mv, value) in moves {
                output::line(&format!("{value:6}  {}", spelled(mv)));
            }
        }
    }
    Ok(())
}
