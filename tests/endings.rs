//! The search and its endgame tables: results kept, and nothing claimed that a counter may spoil.

use crate::support::engine::{Engine, run};
use crate::support::{Random, position};
use shashki::board::{Side, Square};
use shashki::rules::{DrawRules, Game, Move, Position, Setup};
use shashki::score::Score;
use shashki::search::{Endings, Info, Limits, NoObserver, Observer, Report, SearchPool, Shared};
use shashki::tb::{LIMIT, Tables, Value};
use shashki::tt::TranspositionTable;
use std::path::Path;
use std::sync::{Arc, OnceLock};

fn tables() -> Arc<Tables> {
    static TABLES: OnceLock<Arc<Tables>> = OnceLock::new();
    TABLES
        .get_or_init(|| Arc::new(Tables::built_in(64)))
        .clone()
}

/// A random position of so many pieces whose value is known.
fn random_ending(random: &mut Random, pieces: usize) -> (Position, Value) {
    loop {
        let mut setup = Setup::empty(Side::White);
        let white = 1 + random.below(pieces - 1);
        for number in 0..pieces {
            let square = Square::ALL[random.below(32)];
            let side = Side::ALL[usize::from(number >= white)];
            let set = setup.pieces_mut(side);
            *set = set.with(square);
            if random.below(2) == 0 {
                setup.kings = setup.kings.with(square);
            }
        }
        setup.side = Side::ALL[random.below(2)];
        if setup.white.count() + setup.black.count() < pieces as u32 {
            continue;
        }
        if let Ok(position) = setup.validate()
            && let Some(value) = tables().probe(&position)
        {
            return (position, value);
        }
    }
}

/// Searches with tables up to so many pieces.
struct Searcher {
    pool: SearchPool,
    shared: Shared,
}

impl Searcher {
    fn new(most_pieces: u8) -> Searcher {
        let table = TranspositionTable::new(16).expect("memory");
        let mut shared = Shared::new(Arc::new(table));
        shared.endings = Some(Endings {
            tables: tables(),
            most_pieces,
        });
        Searcher {
            pool: SearchPool::new(1),
            shared,
        }
    }

    fn search(&mut self, game: &Game, limits: &Limits) -> Report {
        self.pool
            .search(&self.shared, game, limits, &mut NoObserver)
    }
}

/// -1 for a loss, 1 for a win, with the counter at `count`.
fn result(value: Value, count: u16) -> i32 {
    match value.at_count(count) {
        Value::Win(_) => 1,
        Value::Loss(_) => -1,
        _ => 0,
    }
}

#[test]
fn a_move_at_the_root_keeps_the_result_at_every_count() {
    let mut random = Random::new(7);
    let mut searcher = Searcher::new(4);
    let mut results = [0; 3];
    for _ in 0..1500 {
        let pieces = 2 + random.below(3);
        let (start, value) = random_ending(&mut random, pieces);
        let count = random.below(usize::from(LIMIT)) as u16;
        let game = Game::continued(start, DrawRules::standard(), count);
        let report = searcher.search(&game, &Limits::depth(1));
        let best = report.best;
        let right = result(value, count);
        let Some(best) = best else {
            assert_eq!(right, -1);
            continue;
        };
        let after = start.play(best);
        let next = if best.is_reversible() { count + 1 } else { 0 };
        let kept = tables().resolve(&after).expect("known");
        let kept = if after.legal_moves().is_empty() {
            1
        } else if next >= u16::from(LIMIT) {
            0
        } else {
            -result(kept, next)
        };
        assert_eq!(kept, right, "{start:?} at {count}: {value:?}, {best:?}");
        let told = i32::from(report.score.is_proven()) * report.score.raw().signum();
        assert_eq!(told, right, "{start:?} at {count}: {}", report.score);
        if right == 0 {
            assert_eq!(report.score, Score::DRAW);
        }
        results[(right + 1) as usize] += 1;
    }
    assert!(results.iter().all(|&n| n > 100), "{results:?}");
}

/// Roots that the tables in use do not know, with one transposition table for all counts.
#[test]
fn proofs_below_the_root_hold_at_every_count() {
    let mut random = Random::new(11);
    let mut proven = [0; 2];
    for _ in 0..60 {
        let (start, value) = random_ending(&mut random, 4);
        let mut searcher = Searcher::new(3);
        let mut counts: Vec<u16> = (0..u16::from(LIMIT)).step_by(2).collect();
        for at in (1..counts.len()).rev() {
            counts.swap(at, random.below(at + 1));
        }
        for count in counts {
            let game = Game::continued(start, DrawRules::standard(), count);
            let score = searcher.search(&game, &Limits::depth(11)).score;
            if score.is_proven() {
                let right = result(value, count);
                assert_eq!(
                    score.raw().signum(),
                    right,
                    "{start:?} at {count}: {value:?}, {score}"
                );
                proven[usize::from(right > 0)] += 1;
            }
        }
    }
    assert!(proven.iter().all(|&n| n > 20), "{proven:?}");
}

#[test]
fn won_endings_are_won_in_time_and_drawn_ones_held() {
    let mut random = Random::new(5);
    let mut searcher = Searcher::new(4);
    for number in 0..60 {
        let (start, value) = random_ending(&mut random, 3 + number % 2);
        let expected = result(value, 0);
        if expected < 0 {
            continue;
        }
        let mut game = Game::new(start, DrawRules::standard());
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            let mv = if game.position().side() == start.side() {
                searcher.search(&game, &Limits::nodes(2_000)).best
            } else {
                best_by_tables(&game)
            };
            assert!(game.play(mv.expect("a move")));
        };
        let winner = (expected > 0).then_some(start.side());
        assert_eq!(end.winner(), winner, "{start:?}");
    }
}

/// The move that the tables like best.
fn best_by_tables(game: &Game) -> Option<Move> {
    let count = game.clock().reversible();
    let moves = tables().by_moves(game.position())?;
    let best = moves
        .into_iter()
        .max_by_key(|(_, value)| value.at_count(count).preference());
    best.map(|(mv, _)| mv)
}

#[test]
fn the_shortest_way_is_taken_and_a_win_near_at_hand_is_not_put_off() {
    let mut searcher = Searcher::new(4);
    // The only move that wins, of fifteen.
    let game = Game::new(position("W:WKd8,Ke7,Ka5:BKf8"), DrawRules::standard());
    let report = searcher.search(&game, &Limits::depth(3));
    assert_eq!(report.line[0].from(), Square::new(4, 6).expect("e7"));
    assert_eq!(report.score, Score::table_win_at(0));
    // A man could move on, but the game can be ended.
    let game = Game::new(position("W:Wa3,Kb4:Bh8"), DrawRules::standard());
    let report = searcher.search(&game, &Limits::depth(8));
    assert!(report.score.is_win(), "{}", report.score);
}

#[test]
fn several_lines_come_in_the_order_of_the_tables_with_any_threads() {
    let mut random = Random::new(23);
    for threads in [1, 2] {
        let mut searcher = Searcher::new(4);
        searcher.pool = SearchPool::new(threads);
        for _ in 0..60 {
            let (start, _) = random_ending(&mut random, 3 + threads % 2);
            let game = Game::new(start, DrawRules::standard());
            let mut known = tables().by_moves(&start).expect("known");
            known.sort_by_key(|(_, value)| -value.preference());
            let mut lines = Lines::default();
            let limits = Limits {
                multi_pv: 4,
                ..Limits::depth(5)
            };
            let report = searcher
                .pool
                .search(&searcher.shared, &game, &limits, &mut lines);
            let wanted = known.len().min(4);
            let told: Vec<i16> = lines.0[lines.0.len() - wanted..]
                .iter()
                .map(|mv| {
                    let found = known.iter().find(|(other, _)| other == mv);
                    tier(found.expect("legal").1)
                })
                .collect();
            let right: Vec<i16> = known[..wanted]
                .iter()
                .map(|&(_, value)| tier(value))
                .collect();
            assert_eq!(told, right, "{start:?}");
            assert_eq!(report.best, lines.0.get(lines.0.len() - wanted).copied());
            // Only some moves: the best of those.
            if let Some(&(last, value)) = known.last() {
                let limits = Limits {
                    search_moves: vec![last],
                    ..Limits::depth(2)
                };
                let report = searcher.search(&game, &limits);
                assert_eq!(report.best, Some(last));
                assert_eq!(result(value, 0), report.score.raw().signum(), "{start:?}");
            }
        }
    }
}

/// What must be in order: distances of wins and losses, while all draws are alike.
fn tier(value: Value) -> i16 {
    match value {
        Value::Win(_) | Value::Loss(_) => value.preference(),
        _ => 0,
    }
}

/// The first moves of all lines told.
#[derive(Default)]
struct Lines(Vec<Move>);

impl Observer for Lines {
    fn info(&mut self, info: &Info) {
        self.0.extend(info.line.first());
    }
}

#[test]
fn other_rules_get_only_what_is_certain() {
    let mut searcher = Searcher::new(4);
    let won = position("W:WKd8,Ke7,Ka5:BKf8");
    let mut score = |rules: &str, count| {
        let game = Game::continued(won, rules.parse().expect("rules"), count);
        searcher.search(&game, &Limits::depth(2)).score
    };
    let win = Score::table_win_at(0);
    for (rules, count) in [("none", 0), ("club", 0), ("club", 7), ("casual40", 21)] {
        assert_eq!(score(rules, count), win, "{rules} {count}");
    }
    // 58 plies are not left after the move; too many counters.
    for (rules, count) in [
        ("casual40", 22),
        ("official", 0),
        ("lidraughts", 0),
        ("kings15", 0),
    ] {
        assert!(!score(rules, count).is_proven(), "{rules} {count}");
    }
    assert_eq!(score("standard", 9), Score::DRAW);
    assert_eq!(score("official", 9), Score::DRAW);
}

#[test]
fn the_program_says_what_is_wrong_with_tables_and_plays_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("Таблицы 3");
    let text = tables.to_str().expect("UTF-8");
    let (status, output, errors) = run(&["tables", "build", "--pieces", "3", "--dir", text], b"");
    assert!(
        status.success() && output.starts_with("199520 positions"),
        "{output}{errors}"
    );
    std::fs::write(tables.join("KK-K.wdl"), [7; 99]).expect("written");
    let mut engine = Engine::start(&[]);
    engine.say(&format!(
        "setoption name EndgamePath value {text};{text}/none"
    ));
    engine.say("isready");
    let said = engine.until("readyok");
    let complaints: Vec<&String> = said
        .iter()
        .filter(|line| line.starts_with("info string error:"))
        .collect();
    assert_eq!(complaints.len(), 2, "{said:?}");
    assert!(complaints[0].contains("KK-K.wdl is no table"), "{said:?}");
    engine.say("position fen W:WKd8,Ke7,Ka5:BKf8");
    engine.say("go depth 5");
    let said = engine.until("bestmove");
    assert!(
        said.last()
            .is_some_and(|line| line.starts_with("bestmove e7-f6")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|line| line.contains(" tbhits 15 ")),
        "{said:?}"
    );
    engine.say("setoption name EndgamePieces value 0");
    engine.say("go depth 5");
    assert!(
        engine
            .until("bestmove")
            .iter()
            .any(|line| line.contains(" tbhits 0 "))
    );
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .filter(|name| name != ".lock")
        .collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn a_build_that_is_killed_or_finds_the_disk_full_goes_on_where_it_was() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().to_str().expect("UTF-8");
    let program = env!("CARGO_BIN_EXE_shashki");
    let arguments = [
        "tables",
        "build",
        "--pieces",
        "4",
        "--threads",
        "1",
        "--dir",
        text,
    ];
    // Files of no more than 16 or 32 KiB, by the shell's blocks.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 32; exec \"$@\"",
            "sh",
            program,
        ])
        .args(arguments)
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains(".wdl") || errors.contains(".dtz"),
        "{errors}"
    );
    let first = names(folder.path());
    assert!(
        !first.is_empty() && first.iter().all(|name| !name.starts_with('.')),
        "{first:?}"
    );
    // Killed when something more is there.
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    while names(folder.path()).len() <= first.len() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it runs still");
    child.wait().expect("it has ended");
    let killed = names(folder.path());
    assert!(killed.len() > first.len());
    let (status, output, _) = run(&arguments, b"");
    assert!(
        status.success() && !output.starts_with("6408836 "),
        "{output}"
    );
    let (status, output, _) = run(&["tables", "verify", "--dir", text], b"");
    assert!(
        status.success() && output.contains("6408836 positions"),
        "{output}"
    );
    assert!(
        names(folder.path())
            .iter()
            .all(|name| !name.starts_with('.'))
    );
}

#[test]
fn positions_are_looked_up_from_the_command_line_and_from_lines() {
    let (status, output, _) = run(
        &["tables", "probe", "--json", "W:WKd8,Ke7,Ka5:BKf8:H8"],
        b"",
    );
    assert!(status.success());
    let line: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(line["value"], "win");
    assert_eq!(line["distance"], 22);
    assert_eq!(line["result"], "win");
    assert_eq!(line["moves"].as_array().map(Vec::len), Some(15));
    assert_eq!(line["moves"][0]["move"], "e7-f6");
    assert_eq!(line["moves"][1]["value"], "draw");
    let lines = "B:Wa1:Bh9\n\nW:WKd8,Ke7,Ka5:BKf8:H9\nW:W1:B32\n".as_bytes();
    let (status, output, _) = run(&["tables", "probe", "--json"], lines);
    assert_eq!(status.code(), Some(2));
    let answers: Vec<serde_json::Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), 3, "{output}");
    assert!(answers[0]["error"].is_string());
    assert_eq!(answers[1]["result"], "draw");
    let (status, output, _) = run(&["tables", "info"], b"");
    assert!(status.success() && output.contains("4 pieces: distances of 6209316 positions"));
}
