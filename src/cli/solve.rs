//! `shashki solve`.

use crate::analyse::{Analysts, pipeline};
use crate::cli::args::SolveArgs;
use crate::cli::{games, think};
use crate::engine;
use crate::notation::{Lines, Spelling, movetext};
use crate::protocol::{input, output};
use crate::rules::{Game, Move};
use crate::search::{Info, Observer};
use indicatif::{MultiProgress, ProgressBar};
use serde::Deserialize;
use serde_json::json;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

/// A problem as it is written.
#[derive(Deserialize)]
struct Written {
    id: serde_json::Value,
    fen: String,
    best: Vec<String>,
}

/// A problem as it is given.
struct Problem {
    id: String,
    game: Game,
    best: Vec<Move>,
}

/// Remembers since when the best move has been one of the good ones.
struct Watch<'a> {
    best: &'a [Move],
    since: Option<(u32, u64, Duration)>,
}

impl Observer for Watch<'_> {
    fn info(&mut self, info: &Info) {
        if info.rank != 1 {
            return;
        }
        let solved = info.line.first().is_some_and(|mv| self.best.contains(mv));
        match (solved, self.since) {
            (true, None) => self.since = Some((info.depth, info.nodes, info.time)),
            (false, Some(_)) => self.since = None,
            _ => {}
        }
    }
}

/// What came of a problem.
struct Tried {
    id: String,
    solved: Option<(u32, u64, Duration)>,
    played: String,
    nodes: u64,
    time: Duration,
}

/// Tries all problems; gives how many are not solved or not understood.
pub(super) fn run(args: &SolveArgs, progress: &MultiProgress) -> Result<u64, String> {
    let mut think = args.think.clone();
    if think.depth.is_none() && think.nodes.is_none() && think.movetime.is_none() {
        think.movetime = Some(1_000);
    }
    let threads = think::threads(think.threads);
    let setting = think::setting(&think, 0, 1, 1)?;
    let analysts = Analysts::new(&setting, threads).map_err(|error| error.to_string())?;
    let mut problems = Problems::new(&args.files)?;
    let bar = progress.add(ProgressBar::new_spinner());
    bar.enable_steady_tick(Duration::from_millis(500));
    let work = |text: (String, String)| {
        let (place, text) = text;
        let problem = read(&text, &think).map_err(|what| format!("{place}: {what}"))?;
        let mut watch = Watch {
            best: &problem.best,
            since: None,
        };
        let report =
            analysts.with(|analyst| analyst.search(&problem.game, &setting.limits, &mut watch));
        let position = problem.game.position();
        let played = report
            .best
            .map(|mv| movetext::write_full(position, mv, Spelling::Algebraic));
        let right = report.best.is_some_and(|mv| problem.best.contains(&mv));
        Ok(Tried {
            id: problem.id,
            solved: watch.since.filter(|_| right),
            played: played.unwrap_or_else(|| "-".to_owned()),
            nodes: report.nodes,
            time: report.time,
        })
    };
    let (mut all, mut solved, mut total, mut unsolved, mut failed) =
        (0_u64, 0, Duration::ZERO, Vec::new(), 0);
    let result = |tried: Result<Tried, String>, _: bool| {
        let tried = match tried {
            Ok(tried) => tried,
            Err(what) => {
                failed += 1;
                log::error!("{what}");
                return Ok(());
            }
        };
        all += 1;
        match tried.solved {
            Some((.., time)) => {
                solved += 1;
                total += time;
            }
            None => unsolved.push(tried.id.clone()),
        }
        bar.set_message(format!("{solved} of {all} solved"));
        let (depth, nodes, time) = tried.solved.unwrap_or((0, tried.nodes, tried.time));
        let known = tried.solved.is_some();
        let text = if args.json {
            let depth = known.then_some(depth);
            json!({"id": tried.id, "solved": known, "depth": depth, "nodes": nodes,
                   "time_ms": time.as_millis() as u64, "played": tried.played})
            .to_string()
        } else {
            let what = if known { "solved" } else { "NOT SOLVED" };
            let time = time.as_secs_f64();
            format!(
                "{:24} {what:10}  {:12} {time:8.3} s {nodes:>12} nodes",
                tried.id, tried.played
            )
        };
        bar.suspend(|| output::try_line(&text))
            .inspect_err(games::give_up)
    };
    let done = pipeline::run(move || next(&mut problems), threads, work, result);
    bar.finish_and_clear();
    done.map_err(|error| error.to_string())?;
    let missed = unsolved.len() as u64 + failed;
    if args.json {
        let time = total.as_millis() as u64;
        output::line(&json!({"problems": all, "solved": solved, "time_ms": time, "unsolved": unsolved, "unreadable": failed}).to_string());
    } else {
        output::line(&format!(
            "{solved} of {all} solved, in {:.3} s altogether",
            total.as_secs_f64()
        ));
        if !unsolved.is_empty() {
            output::line(&format!("not solved: {}", unsolved.join(" ")));
        }
    }
    Ok(missed)
}

fn read(text: &str, think: &crate::cli::args::ThinkArgs) -> Result<Problem, String> {
    let written: Written =
        serde_json::from_str(text).map_err(|error| format!("bad JSON: {error}"))?;
    let (game, _) = engine::read_game(Some(&written.fen), [], &think.rules, think.numbering)
        .map_err(|error| error.to_string())?;
    let best = written
        .best
        .iter()
        .map(|text| movetext::read(game.position(), text, think.numbering));
    let best: Vec<Move> = best
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    if best.is_empty() {
        return Err("no move solves it".to_owned());
    }
    let id = match written.id {
        serde_json::Value::String(id) => id,
        other => other.to_string(),
    };
    Ok(Problem { id, game, best })
}

/// Lines of files.
type Problems = games::InTurn<Lines<Box<dyn BufRead + Send>>>;

/// The next problem with its place.
fn next(problems: &mut Problems) -> io::Result<Option<(String, String)>> {
    let open = |path: &Path| {
        let input: Box<dyn BufRead + Send> = match games::is_stdin(path) {
            true => Box::new(input::stdin()),
            false => Box::new(BufReader::new(games::open(path)?)),
        };
        Ok(Lines::new(input))
    };
    problems.next(open, |path, lines| {
        while let Some(line) = lines.next_line()? {
            let text = line.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() && !text.starts_with('#') {
                let place = format!("{}:{}", path.display(), lines.number());
                return Ok(Some((place, text.to_owned())));
            }
        }
        Ok(None)
    })
}
