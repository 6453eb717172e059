//! `shashki tables`.

use crate::cli::args::{TablesArgs, TablesBuildArgs, TablesCommand, TablesProbeArgs};
use crate::notation::{Spelling, fen, movetext};
use crate::protocol::{input, output};
use crate::rules::{Game, Move, Position};
use crate::tb::{self, Counts, Event, FileInfo, Judge, Tables, Value, Verdict};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(super) fn run(args: &TablesArgs, progress: &MultiProgress) -> Result<(), String> {
    match &args.command {
        TablesCommand::Build(args) => build(args, progress),
        TablesCommand::Verify {
            dir,
            threads,
            counts,
        } => {
            let begun = Instant::now();
            if *counts {
                output::line(COUNTS_HEADER);
            }
            let entries = with_progress(progress, *threads, |tell| {
                tb::verify(dir, tell, |found| {
                    if *counts {
                        output::line(&counts_line(found));
                    }
                })
            })?;
            output::line(&format!(
                "# every value of {entries} positions in {} follows from its successors ({:.1} s)",
                dir.display(),
                begun.elapsed().as_secs_f64()
            ));
            Ok(())
        }
        TablesCommand::Info { dir, json } => info(dir, *json),
        TablesCommand::Probe(args) => probe(args),
    }
}

const COUNTS_HEADER: &str = "# mover_men\tmover_kings\topp_men\topp_kings\tpieces\tpositions\twin\tloss\tdraw\twin_but_for_the_counter\tloss_but_for_the_counter\tlongest_win\tlongest_loss\texample";

fn counts_line(counts: &Counts) -> String {
    let material = counts.material;
    let example = counts.example.as_ref();
    let example = example.map_or("-".to_owned(), |position| {
        fen::write(position, Spelling::Algebraic)
    });
    let numbers = [
        material.own_men.into(),
        material.own_kings.into(),
        material.opp_men.into(),
        material.opp_kings.into(),
        material.pieces().into(),
        counts.positions,
        counts.wins,
        counts.losses,
        counts.draws,
        counts.cursed_wins,
        counts.cursed_losses,
        counts.longest_win.into(),
        counts.longest_loss.into(),
    ];
    let mut fields: Vec<String> = numbers.iter().map(u64::to_string).collect();
    fields.push(example);
    fields.join("\t")
}

fn build(args: &TablesBuildArgs, progress: &MultiProgress) -> Result<(), String> {
    let begun = Instant::now();
    let work = |tell: tb::Observer<'_>| match &args.bundle {
        Some(path) => tb::bundle(path, args.pieces),
        None => tb::build(&args.dir, args.pieces, args.memory, tell),
    };
    let made = with_progress(progress, args.threads, work)?;
    let place = args.bundle.as_ref().unwrap_or(&args.dir).display();
    output::line(&match made {
        0 => format!("nothing to do: all tables are in {place}"),
        made => format!(
            "{made} positions solved in {:.1} s, written to {place}",
            begun.elapsed().as_secs_f64()
        ),
    });
    Ok(())
}

/// Does long work in a number of threads (all processors if `None`) and shows how far it is. Gives how
/// many positions there were.
fn with_progress(
    progress: &MultiProgress,
    threads: Option<u16>,
    work: impl Fn(tb::Observer<'_>) -> Result<u64, tb::BuildError> + Sync + Send,
) -> Result<u64, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let bar = progress.add(ProgressBar::new(0));
    let template = "{wide_bar} {percent}%, {elapsed} (left {eta}) {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    let tell = |event| match event {
        Event::Ahead(entries) => bar.set_length(entries),
        Event::Begun(material) => {
            bar.set_message(material.to_string());
            log::info!("{material}");
        }
        Event::Entries(entries) => bar.inc(entries),
    };
    let outcome = pool.install(|| work(&tell));
    bar.finish_and_clear();
    outcome.map_err(|error| error.to_string())
}

/// The tables of a folder, or those of the program.
fn open(dirs: &[PathBuf]) -> Result<Tables, String> {
    let tables = Tables::open(dirs, tb::DEFAULT_CACHE_MIB);
    if tables.most_pieces() == 0 {
        return Err("there are no tables; make some with shashki tables build".to_owned());
    }
    Ok(tables)
}

fn info(dir: &Option<PathBuf>, json: bool) -> Result<(), String> {
    let tables = match dir {
        Some(dir) => Tables::of_folder(dir, tb::DEFAULT_CACHE_MIB),
        None => open(&[])?,
    };
    let files: Vec<FileInfo> = tables.files().collect();
    if !json {
        output::line("material       kind       positions        bytes  bits  longest");
    }
    for file in &files {
        let kind = if file.distances {
            "distances"
        } else {
            "outcomes"
        };
        if json {
            let line = json!({
                "material": file.material.to_string(),
                "kind": kind,
                "positions": file.entries,
                "bytes": file.bytes,
                "longest": file.longest,
                "path": file.path,
            });
            output::line(&line.to_string());
        } else {
            output::line(&format!(
                "{:14} {kind:9} {:>10} {:>12} {:>5.2}  {:>7}",
                file.material.to_string(),
                file.entries,
                file.bytes,
                bits(file.bytes, file.entries),
                file.longest
            ));
        }
    }
    if !json {
        for pieces in 2..=tables.most_pieces() {
            for distances in [false, true] {
                let chosen = files
                    .iter()
                    .filter(|file| file.material.pieces() == pieces && file.distances == distances);
                let (bytes, entries) = chosen.fold((0, 0), |(bytes, entries), file| {
                    (bytes + file.bytes, entries + file.entries)
                });
                let kind = if distances { "distances" } else { "outcomes" };
                output::line(&format!(
                    "{pieces} pieces: {kind} of {entries} positions in {bytes} bytes, {:.2} bits each",
                    bits(bytes, entries)
                ));
            }
        }
    }
    match tables.take_complaints().len() {
        0 => Ok(()),
        1 => Err("one file or folder could not be used".to_owned()),
        many => Err(format!("{many} files or folders could not be used")),
    }
}

fn bits(bytes: u64, entries: u64) -> f64 {
    bytes as f64 * 8.0 / entries.max(1) as f64
}

fn probe(args: &TablesProbeArgs) -> Result<(), String> {
    let tables = open(&args.dir)?;
    let mut failed = 0;
    let mut one = |text: &str| {
        if let Err(error) = probe_one(&tables, text, args) {
            failed += 1;
            if args.json {
                output::line(&json!({"fen": text, "error": error}).to_string());
            } else {
                log::error!("{text}: {error}");
            }
        }
    };
    args.fens.iter().for_each(|text| one(text));
    if args.fens.is_empty() {
        for line in input::stdin().lines() {
            let line = line.map_err(|error| format!("standard input: {error}"))?;
            let text = line.trim();
            if !text.is_empty() && !text.starts_with('#') {
                one(text);
            }
        }
    }
    match failed {
        0 => Ok(()),
        1 => Err("one position could not be looked up".to_owned()),
        many => Err(format!("{many} positions could not be looked up")),
    }
}

/// A value as text, and its distance in plies.
fn words(value: Value) -> (&'static str, Option<u8>) {
    match value {
        Value::Win(distance) => ("win", Some(distance)),
        Value::Loss(distance) => ("loss", Some(distance)),
        Value::Draw => ("draw", None),
        Value::CursedWin => ("won but for the counter", None),
        Value::CursedLoss => ("lost but for the counter", None),
    }
}

fn verdict_word(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Win) => "win",
        Some(Verdict::Loss) => "loss",
        Some(Verdict::Draw | Verdict::DrawByCounter) => "draw",
        None => "unknown",
    }
}

/// What is known of a move: its name, the value of the position by it, and its result under the rules.
type Probed = (Move, Value, Option<Verdict>);

fn probe_one(tables: &Tables, text: &str, args: &TablesProbeArgs) -> Result<(), String> {
    let fen = fen::read(text, args.numbering).map_err(|error| error.to_string())?;
    let position = fen.position;
    let game = Game::continued(position, args.rules.clone(), fen.half_moves);
    let judge = Judge::new(&args.rules);
    let moves = tables.by_moves(&position).unwrap_or_default();
    let moves: Vec<Probed> = moves
        .into_iter()
        .map(|(mv, value)| {
            let verdict = tables
                .by_move(&judge, &game, mv)
                .map(|(verdict, _)| verdict);
            (mv, value, verdict)
        })
        .collect();
    // Of a position that is not in the tables, what its captures lead to may be.
    let by_moves = moves
        .iter()
        .map(|&(_, value, _)| value)
        .max_by_key(|value| value.preference());
    let value = tables
        .resolve(&position)
        .or(by_moves)
        .ok_or("not in the tables")?;
    let verdict = if moves.is_empty() {
        judge.verdict(value, &position, game.clock(), 0)
    } else {
        best(moves.iter().map(|&(.., verdict)| verdict))
    };
    print(&position, value, verdict, moves, args);
    Ok(())
}

/// The result that the side to move can choose among those of its moves; `None` if that is not certain.
fn best(verdicts: impl Iterator<Item = Option<Verdict>> + Clone) -> Option<Verdict> {
    if verdicts
        .clone()
        .any(|verdict| verdict == Some(Verdict::Win))
    {
        return Some(Verdict::Win);
    }
    let verdicts: Option<Vec<Verdict>> = verdicts.collect();
    let mut verdicts = verdicts?.into_iter();
    let first = verdicts.next()?;
    // There is no win among them: anything that is no loss is better.
    Some(verdicts.fold(first, |best, verdict| match best {
        Verdict::Loss => verdict,
        _ => best,
    }))
}

fn print(
    position: &Position,
    value: Value,
    verdict: Option<Verdict>,
    mut moves: Vec<Probed>,
    args: &TablesProbeArgs,
) {
    // The best first.
    moves.sort_by_key(|&(_, value, _)| std::cmp::Reverse(value.preference()));
    let name = |mv| movetext::write_full(position, mv, Spelling::Algebraic);
    let text = fen::write(position, Spelling::Algebraic);
    let verdict = verdict_word(verdict);
    let (word, distance) = words(value);
    if args.json {
        let moves: Vec<_> = moves
            .iter()
            .map(|&(mv, value, verdict)| {
                let (word, distance) = words(value);
                let result = verdict_word(verdict);
                json!({"move": name(mv), "value": word, "distance": distance, "result": result})
            })
            .collect();
        let line = json!({
            "fen": text,
            "value": word,
            "distance": distance,
            "rules": args.rules.name(),
            "result": verdict,
            "moves": moves,
        });
        output::line(&line.to_string());
        return;
    }
    let long = |word: &str, distance: Option<u8>| match distance {
        Some(plies) => format!("{word}, {plies} plies to a capture, a man's move or the end"),
        None => word.to_owned(),
    };
    output::line(&format!("{text}: {}", long(word, distance)));
    output::line(&format!("under {} rules: {verdict}", args.rules.name()));
    for (mv, value, by_rules) in moves {
        let (word, distance) = words(value);
        let distance = distance.map_or(String::new(), |plies| format!(" {plies}"));
        let result = verdict_word(by_rules);
        let result = if result == word {
            String::new()
        } else {
            format!(" ({result} under the rules)")
        };
        output::line(&format!("  {} {word}{distance}{result}", name(mv)));
    }
}
