//! `shashki match`: the statistics against published values, the runner against engines that do
//! wrong in every way.

use crate::support::engine::run;
use serde_json::Value;
use shashki::matches::sprt::{Decision, Sprt};
use shashki::matches::stats::{self, Counts, Pairs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Published by the tests and threads of fastchess: pairs, Elo, half the interval, superiority in
/// percent.
const PUBLISHED_PAIRS: &[(Pairs, f64, f64, f64)] = &[
    // Disservin/fastchess, app/tests/elo_test.cpp.
    ([34, 54, 63, 64, 75], 55.58, 27.65, 100.00),
    ([332, 433, 498, 333, 334], -8.64, 10.33, 5.05),
    ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, 0.00),
    // Disservin/fastchess, issues 1007, 807, 515, 882.
    ([5, 5, 36, 22, 22], 101.21, 42.63, f64::NAN),
    ([30, 6, 18, 0, 6], -168.40, 73.37, 0.00),
    ([0, 1, 4, 0, 0], -34.86, 62.20, 13.18),
    ([72, 10, 0, 0, 0], -600.97, 118.46, 0.00),
    // brunocodutra/cinder, pull requests 727, 836; official-stockfish/books, pull request 72.
    ([50, 287, 610, 387, 73], 18.04, 8.23, 100.00),
    ([835, 6884, 13116, 7201, 852], 2.11, 1.70, 99.25),
    ([0, 183, 642, 175, 0], -1.39, 6.44, 33.62),
];

#[test]
fn elo_of_pairs_is_what_others_published() {
    for &(pairs, elo, margin, superiority) in PUBLISHED_PAIRS {
        let mirrored = [pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]];
        for (pairs, sign) in [(pairs, 1.0), (mirrored, -1.0)] {
            let spread = stats::of_pairs(&pairs).expect("pairs");
            let (low, high) = spread.interval();
            assert!(
                (spread.elo() - sign * elo).abs() < 0.006,
                "{pairs:?} {}",
                spread.elo()
            );
            assert!(
                ((high - low) / 2.0 - margin).abs() < 0.006,
                "{pairs:?} {low} {high}"
            );
            assert!(low < spread.elo() && spread.elo() < high);
            let likely = if sign > 0.0 {
                superiority
            } else {
                100.0 - superiority
            };
            let found = 100.0 * spread.superiority();
            assert!(
                likely.is_nan() || (found - likely).abs() < 0.006,
                "{pairs:?} {found}"
            );
        }
    }
}

#[test]
fn elo_of_games_is_what_others_published() {
    // Disservin/fastchess, app/tests/elo_test.cpp: 136 won, 111 drawn, 96 lost.
    let counts = |wins, draws, losses| Counts {
        wins,
        draws,
        losses,
    };
    let spread = stats::of_games(&counts(136, 111, 96)).expect("games");
    let (low, high) = spread.interval();
    assert!((spread.elo() - 40.70).abs() < 0.006);
    assert!(((high - low) / 2.0 - 30.43).abs() < 0.006);
    assert!((100.0 * spread.superiority() - 99.60).abs() < 0.006);
    // kz04px/cutegames, tests/elo.cpp.
    for (counts, elo) in [
        (counts(20, 10, 10), 88.74),
        (counts(10, 10, 20), -88.74),
        (counts(10, 10, 10), 0.0),
        (counts(300, 100, 100), 147.19),
        (counts(0, 10, 10), -190.85),
    ] {
        let found = stats::of_games(&counts).expect("games").elo();
        assert!((found - elo).abs() < 0.006, "{counts:?}: {found}");
        assert!((stats::elo(stats::share(elo)) - elo).abs() < 1e-9);
    }
    assert_eq!(stats::of_games(&Counts::default()), None);
    let won = stats::of_games(&counts(3, 0, 0)).expect("games");
    assert_eq!((won.elo(), won.superiority()), (f64::INFINITY, 1.0));
    let drawn = stats::of_games(&counts(0, 3, 0)).expect("games");
    assert_eq!((drawn.elo(), drawn.superiority()), (0.0, 0.5));
}

#[test]
fn the_ratio_of_the_sequential_test_is_what_others_published() {
    let test = |elo0, elo1| Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    };
    let published: &[(Pairs, f64, f64, f64)] = &[
        // Disservin/fastchess, app/tests/sprt_test.cpp.
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
        // official-stockfish/Stockfish, commits 58746d9f and 220ef1d2; lynx-chess/Lynx, request 1899.
        ([795, 5276, 10352, 5500, 813], -0.5, 1.5, 2.96),
        ([156, 2090, 6658, 2298, 170], 0.25, 1.75, 2.94),
        ([17, 253, 1042, 337, 39], -0.5, 1.5, 2.96),
        ([11, 407, 3238, 513, 11], 0.25, 1.75, 2.93),
        ([235, 1384, 2521, 1341, 239], -5.0, 0.0, 1.69),
    ];
    for &(pairs, elo0, elo1, ratio) in published {
        let found = test(elo0, elo1).ratio(&pairs);
        assert!((found - ratio).abs() < 0.006, "{pairs:?}: {found}");
        // The same games seen from the other side, the hypotheses exchanged.
        let mirrored = [pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]];
        let other = test(-elo1, -elo0).ratio(&mirrored);
        assert!((found + other).abs() < 1e-6, "{pairs:?}: {found} {other}");
    }
    let sprt = test(0.0, 5.0);
    let (lower, upper) = sprt.bounds();
    assert!((lower + 2.944_438_979).abs() < 1e-9 && (upper - 2.944_438_979).abs() < 1e-9);
    assert_eq!(sprt.decide(2.95), Decision::Accepted);
    assert_eq!(sprt.decide(-2.95), Decision::Rejected);
    assert_eq!(sprt.decide(2.94), Decision::Open);
    assert_eq!(sprt.ratio(&[0; 5]), 0.0);
    assert!(sprt.ratio(&[0, 0, 0, 0, 1]) > 0.0 && sprt.ratio(&[1, 0, 0, 0, 0]) < 0.0);
}

/// The engines that do wrong; an example of this package, so that `cargo test` builds it.
fn mock() -> String {
    let tests = std::env::current_exe().expect("this program");
    let folder = tests.ancestors().nth(2).expect("the folder above deps");
    let name = format!("mock-engine{}", std::env::consts::EXE_SUFFIX);
    let path = folder.join("examples").join(name);
    assert!(
        path.exists(),
        "{} is missing: cargo build --examples",
        path.display()
    );
    path.to_str().expect("a plain path").to_owned()
}

struct Played {
    games: Vec<Value>,
    table: Value,
    diagnostics: String,
}

/// Runs a match with JSON output; each engine is its words without `cmd=` of the mock.
fn play(engines: &[&str], more: &[&str]) -> Played {
    let mut arguments = vec!["match".to_owned(), "--json".to_owned()];
    for engine in engines {
        arguments.push("--engine".to_owned());
        let words = engine.split('|').map(|word| word.replace("MOCK", &mock()));
        arguments.extend(words);
    }
    arguments.extend(more.iter().map(|word| (*word).to_owned()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (status, output, diagnostics) = run(&arguments, b"");
    assert!(status.success(), "{arguments:?}: {diagnostics}");
    let mut lines: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect();
    let table = lines.pop().expect("a table");
    Played {
        games: lines,
        table,
        diagnostics,
    }
}

/// Engine `bad` does something in a match of two pairs: the fault of each game it lost by one.
fn faults(bad: &str, more: &[&str]) -> Vec<String> {
    faults_against("cmd=MOCK none|name=good", bad, more)
}

fn faults_against(good: &str, bad: &str, more: &[&str]) -> Vec<String> {
    let mut arguments = vec!["--pairs", "2", "--max-moves", "20"];
    arguments.extend(more);
    if !more.contains(&"--each") {
        arguments.extend(["--each", "depth=1"]);
    }
    let played = play(&[bad, good], &arguments);
    assert_eq!(
        played.games.len(),
        4,
        "every game is played: {}",
        played.diagnostics
    );
    let forfeits = played
        .games
        .iter()
        .filter(|game| game["ending"]["by"] == "forfeit");
    let faults = forfeits.map(|game| {
        let loser = if game["result"] == "1-0" {
            "black"
        } else {
            "white"
        };
        assert_eq!(game[loser], 0, "the bad engine loses: {game}");
        let fault = &game["ending"]["what"];
        fault["fault"].as_str().expect("a fault").to_owned()
    });
    faults.collect()
}

#[test]
fn each_fault_loses_the_game_with_its_reason_and_the_match_goes_on() {
    for (fault, expected) in [
        ("crash", "crash"),
        ("cheat", "illegal_move"),
        ("empty", "illegal_move"),
        ("noisy", "garbage"),
        ("binary", "garbage"),
        ("endless", "garbage"),
    ] {
        for protocol in ["uci", "hub"] {
            // From its third move on in each process: it is started anew after each fault.
            let bad = format!("cmd=MOCK {fault} 3|name=bad|proto={protocol}");
            assert_eq!(faults(&bad, &[]), [expected; 4], "{fault} {protocol}");
        }
    }
}

#[test]
fn time_is_measured_and_a_stall_is_told_from_being_late() {
    let timed = ["--each", "tc=0.2", "--concurrency", "4"];
    assert_eq!(faults("cmd=MOCK slow 2|name=bad", &timed), ["time"; 4]);
    let patient = ["--each", "tc=30", "--concurrency", "4"];
    assert_eq!(faults("cmd=MOCK slow 6|name=bad", &patient), [""; 0]);
    let moves = ["--each", "movetime=50", "--concurrency", "4"];
    assert_eq!(faults("cmd=MOCK slow 2|name=bad", &moves), ["time"; 4]);
    // What is late within the margin is in time.
    let forgiving = ["--each", "movetime=50", "margin=5000", "--concurrency", "4"];
    assert_eq!(faults("cmd=MOCK slow 6|name=bad", &forgiving), [""; 0]);
    assert_eq!(faults("cmd=MOCK stall 2|name=bad", &timed), ["stall"; 4]);
    // No answer among many other lines is none.
    assert_eq!(faults("cmd=MOCK flood 2|name=bad", &timed), ["stall"; 4]);
}

#[test]
fn engines_ponder_in_both_protocols() {
    let ponder = [
        "--pairs",
        "1",
        "--each",
        // Depth ends a search soon, and a pondering one must not answer then.
        "tc=60",
        "depth=6",
        "ponder=true",
        "--max-moves",
        "12",
    ];
    for protocol in ["uci", "hub"] {
        let one = format!("cmd=builtin|name=one|proto={protocol}");
        let played = play(&[&one, "cmd=builtin|name=two"], &ponder);
        for game in &played.games {
            assert_ne!(game["ending"]["by"], "forfeit", "{game}");
        }
    }
}

/// The depths that engine 0 claims in two games: mock engines tell by them what they answer.
fn depths_of_a_pondering_engine(good: &str, bad: &str, moves: &str) -> Vec<u64> {
    let more = ["--pairs", "1", "--max-moves", moves, "--concurrency", "2"];
    let each = ["--each", "tc=60", "ponder=true"];
    let played = play(&[bad, good], &[&more[..], &each].concat());
    let mut depths = Vec::new();
    for game in &played.games {
        assert_ne!(game["ending"]["by"], "forfeit", "{game}");
        let plies = game["moves"].as_array().expect("moves").iter();
        let own = plies.skip(usize::from(game["white"] != 0)).step_by(2);
        depths.extend(own.map(|mv| mv["depth"].as_u64().expect("a depth")));
    }
    depths
}

#[test]
fn a_pondering_engine_is_told_of_hits_and_misses() {
    let good = "cmd=MOCK none|name=good";
    for protocol in ["uci", "hub"] {
        // Depth 7 is the answer to a ponder hit; the first move of a game has nothing to hit.
        let hits = format!("cmd=MOCK none|name=hits|proto={protocol}");
        let depths = depths_of_a_pondering_engine(good, &hits, "12");
        let game = [&[3][..], &[7; 11]].concat();
        assert_eq!(depths, game.repeat(2), "{protocol}");
        // Where there is one legal move, even this one expects it.
        let misses = format!("cmd=MOCK none 1 misses|name=misses|proto={protocol}");
        let depths = depths_of_a_pondering_engine(good, &misses, "12");
        let missed = depths.iter().filter(|&&depth| depth == 3).count();
        assert!(missed > depths.len() / 2, "{protocol}: {depths:?}");
    }
}

#[test]
fn faults_while_pondering_lose_the_game_with_their_reason() {
    let ponder = ["--each", "tc=60", "ponder=true", "--concurrency", "4"];
    // While this one thinks, what is said too early has time to arrive.
    let good = "cmd=MOCK slow|name=good|ponder=false";
    for (fault, expected) in [("eager", "premature"), ("faint", "crash")] {
        for protocol in ["uci", "hub"] {
            for misses in ["", " misses"] {
                let bad = format!("cmd=MOCK {fault} 2{misses}|name=bad|proto={protocol}");
                let found = faults_against(good, &bad, &ponder);
                assert_eq!(found, [expected; 4], "{fault}{misses} {protocol}");
            }
        }
    }
    // No answer to the ponder hit within its time, none to the word to stop within two seconds.
    let short = ["--each", "tc=0.5", "ponder=true", "--concurrency", "4"];
    for protocol in ["uci", "hub"] {
        for misses in ["", " misses"] {
            let bad = format!("cmd=MOCK dream 2{misses}|name=bad|proto={protocol}");
            assert_eq!(faults(&bad, &short), ["stall"; 4], "{misses} {protocol}");
        }
    }
}

#[test]
fn chatter_can_be_overlooked() {
    for fault in ["noisy", "binary", "endless"] {
        let bad = format!("cmd=MOCK {fault}|name=bad|chatter=true");
        assert_eq!(faults(&bad, &[]), [""; 0], "{fault}");
    }
    // Words for people may be in any encoding.
    assert_eq!(faults("cmd=MOCK foreign|name=bad", &[]), [""; 0]);
    // An answer too early is not played: the engine is asked again when it has the move, and what it
    // says about its pondering besides is no answer.
    let slow = "cmd=MOCK slow|name=good|ponder=false";
    for protocol in ["uci", "hub"] {
        for misses in ["", " misses"] {
            let bad = format!("cmd=MOCK eager 1{misses}|name=bad|proto={protocol}|chatter=true");
            let depths = depths_of_a_pondering_engine(slow, &bad, "4");
            assert_eq!(depths, [3; 8], "{protocol}{misses}");
        }
    }
}

#[test]
fn options_that_an_engine_does_not_have_are_warned_about() {
    for protocol in ["uci", "hub"] {
        let one = format!("cmd=builtin|name=one|proto={protocol}|option.Hush=1");
        let more = ["--pairs", "1", "--max-moves", "2", "--each", "depth=1"];
        let played = play(&[&one, "cmd=MOCK none|name=two"], &more);
        let warning = "one: declares no option Hush";
        assert!(
            played.diagnostics.contains(warning),
            "{}",
            played.diagnostics
        );
    }
}

#[test]
fn a_match_does_not_begin_with_an_engine_that_does_not_start() {
    for (command, expected) in [
        ("cmd=/no/such/program", "does not start"),
        (&format!("cmd={} dead", mock()), "does not start"),
    ] {
        let arguments = [
            "match",
            "--engine",
            command,
            "name=x",
            "--engine",
            "cmd=builtin",
        ];
        let (status, output, diagnostics) =
            run(&[&arguments[..], &["--each", "depth=1"]].concat(), b"");
        assert_eq!(status.code(), Some(2));
        assert!(
            output.is_empty() && diagnostics.contains(expected),
            "{diagnostics}"
        );
    }
}

#[test]
fn bad_words_are_named() {
    let engine = ["--engine", "cmd=builtin", "depth=1", "name=a"];
    let other = ["--engine", "cmd=builtin", "depth=1", "name=b"];
    let both = [&engine[..], &other[..]].concat();
    let cases: &[(&[&str], &str)] = &[
        (&engine, "two engines or more"),
        (&[&engine[..], &engine[..]].concat(), "same name"),
        (
            &[&both[..], &["--sprt", "elo0=5", "elo1=0"]].concat(),
            "elo0 below elo1",
        ),
        (
            &[&both[..], &["--sprt", "alpha=2"]].concat(),
            "between 0 and 0.5",
        ),
        (
            &[&both[..], &["--sprt", "gamma=2"]].concat(),
            "found \"gamma=2\"",
        ),
        (
            &[&both[..], &["--draw", "moves=0"]].concat(),
            "moves must be",
        ),
        (
            &[&both[..], &["--resign", "score=x"]].concat(),
            "bad value \"x\" for score",
        ),
        (
            &[&both[..], &["--resign", "score=-500"]].concat(),
            "above zero in --resign",
        ),
        (
            &[&both[..], &["--openings", "nowhere"]].concat(),
            "openings nowhere",
        ),
        (
            &["--engine", "cmd=builtin", "speed=9"],
            "unknown key \"speed\"",
        ),
    ];
    for (words, expected) in cases {
        let (status, _, diagnostics) = run(&[&["match"], *words].concat(), b"");
        assert_eq!(status.code(), Some(2), "{words:?}");
        assert!(diagnostics.contains(expected), "{words:?}: {diagnostics}");
    }
}

#[test]
fn pairs_have_one_opening_and_exchanged_colours() {
    let played = play(
        &[
            "cmd=MOCK none|name=a",
            "cmd=MOCK none|name=b|proto=hub",
            "cmd=MOCK none|name=c",
        ],
        &[
            "--pairs",
            "2",
            "--each",
            "depth=1",
            "--openings",
            "fmjd-moves",
            "--shuffle",
            "5",
        ],
    );
    assert_eq!(played.games.len(), 12);
    let mut games = played.games.clone();
    games.sort_by_key(|game| game["game"].as_u64());
    for pair in games.chunks(2) {
        let [one, two] = pair else { panic!("a pair") };
        assert_eq!(one["opening"], two["opening"]);
        assert_eq!(
            (&one["white"], &one["black"]),
            (&two["black"], &two["white"])
        );
        assert_eq!(one["book_plies"], two["book_plies"]);
        // The same engine on both sides plays the same game.
        assert_eq!(one["result"], two["result"]);
    }
    assert_eq!(
        games[0]["opening"], games[2]["opening"],
        "a round has one opening"
    );
    assert_ne!(games[0]["opening"], games[6]["opening"]);
    let engines = played.table["engines"].as_array().expect("engines");
    for engine in engines {
        assert_eq!(engine["pairs"].to_string(), "[0,0,4,0,0]");
        assert_eq!(engine["elo"], 0.0);
    }
    let gauntlet = play(
        &[
            "cmd=MOCK none|name=a",
            "cmd=MOCK none|name=b",
            "cmd=MOCK none|name=c",
        ],
        &["--pairs", "1", "--each", "depth=1", "--format", "gauntlet"],
    );
    assert_eq!(gauntlet.games.len(), 4);
}

#[test]
fn adjudication_is_off_until_asked_for() {
    let engines = ["cmd=MOCK pessimist|name=sad", "cmd=MOCK optimist|name=glad"];
    let by = |more: &[&str]| {
        let more = [&["--pairs", "1", "--each", "depth=1"], more].concat();
        let played = play(&engines, &more);
        let endings = played.games.iter().map(|game| game["ending"].to_string());
        endings.collect::<Vec<_>>()
    };
    assert!(by(&[]).iter().all(|ending| ending.contains("\"rules\"")));
    let resigned = by(&["--resign", "moves=3", "score=900", "two-sided=true"]);
    assert!(
        resigned.iter().all(|ending| ending.contains("resignation")),
        "{resigned:?}"
    );
    let too_much = by(&["--resign", "score=901"]);
    assert!(too_much.iter().all(|ending| ending.contains("\"rules\"")));
    let long = by(&["--max-moves", "3"]);
    assert!(long.iter().all(|ending| ending.contains("maximum length")));
    let quiet = play(
        &["cmd=MOCK none|name=a", "cmd=MOCK none|name=b"],
        &[
            "--pairs", "1", "--each", "depth=1", "--draw", "from=5", "moves=2", "score=0",
        ],
    );
    for game in &quiet.games {
        assert_eq!(game["ending"]["what"], "draw by score");
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(9));
    }
}

#[test]
fn the_sequential_test_stops_the_match() {
    let played = play(
        &[
            "cmd=builtin|name=strong|nodes=2000",
            "cmd=MOCK none|name=weak|depth=1",
        ],
        &[
            "--pairs",
            "500",
            "--sprt",
            "elo0=0",
            "elo1=50",
            "--openings",
            "idf-flying",
            "--shuffle",
            "1",
        ],
    );
    assert_eq!(played.table["sprt"]["decision"], "elo1");
    let games = played.games.len();
    assert!((4..200).contains(&games), "{games}");
}

#[test]
fn results_that_are_all_the_same_claim_no_interval() {
    let arguments = [
        "match",
        "--engine",
        "cmd=builtin",
        "name=one",
        "--engine",
        "cmd=builtin",
        "name=two",
        "--each",
        "depth=1",
        "--pairs",
        "2",
        "--quiet",
    ];
    let (status, table, diagnostics) = run(&arguments, b"");
    assert!(status.success() && diagnostics.is_empty(), "{diagnostics}");
    // One game four times: nothing is known of the spread.
    assert_eq!(table.matches("+0.0 [unknown]").count(), 2, "{table}");
    assert!(!table.contains("superiority"), "{table}");
    assert!(
        !table.contains('\u{1b}') && !table.contains('\r'),
        "a pipe is no terminal"
    );
}

#[test]
fn games_are_written_as_pdn_that_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    let path = path.to_str().expect("plain");
    let engines = [
        "cmd=builtin|name=one|option.Hash=4",
        "cmd=builtin|name=two|proto=hub",
    ];
    let more = [
        "--pairs",
        "2",
        "--each",
        "tc=1+0.01",
        // A busy machine is not what this is about.
        "margin=5000",
        "--openings",
        "fmjd-flying",
        "--pdn",
        path,
    ];
    play(&engines, &more);
    let file = std::fs::File::open(path).expect("a file");
    let mut reader = shashki::notation::pdn::Reader::new(file);
    let mut games = 0;
    while let Some(game) = reader.next_game().expect("readable") {
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        assert_eq!(
            game.tag("Termination"),
            Some("normal"),
            "nobody is at fault"
        );
        let replay = game.replay().expect("legal moves");
        assert!(!replay.moves.is_empty());
        assert_eq!(game.tag("GameType"), Some("25,W,8,8,A0,0"));
        games += 1;
    }
    assert_eq!(games, 4);
    let text = std::fs::read_to_string(path).expect("text");
    assert!(text.contains("[%clk 0:00:0") && text.contains("[Termination \""));
    // An existing file of other games is not written over.
    let arguments = [
        "match",
        "--engine",
        "cmd=builtin",
        "name=a",
        "--engine",
        "cmd=builtin",
    ];
    let rest = ["name=b", "--each", "depth=1", "--pdn", path];
    let (status, _, diagnostics) = run(&[&arguments[..], &rest[..]].concat(), b"");
    assert_eq!(status.code(), Some(2));
    assert!(diagnostics.contains("exists already"), "{diagnostics}");
}

/// The numbers of the games in a state file.
fn recorded(path: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let games = whole.skip(1).map(|line| {
        let game: Value = serde_json::from_str(line).expect("a line of JSON");
        game["game"].as_u64().expect("a number")
    });
    games.collect()
}

fn wait_for(path: &Path, games: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while recorded(path).len() < games {
        assert!(Instant::now() < deadline, "no games");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn match_command(state: &Path, pdn: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shashki"));
    command.args(["match", "--engine", "cmd=builtin", "name=a", "nodes=300"]);
    command.args([
        "--engine",
        "cmd=builtin",
        "name=b",
        "nodes=200",
        "--pairs",
        "20",
    ]);
    command.args(["--concurrency", "2", "--openings", "idf-basic"]);
    command.arg("--state").arg(state).arg("--pdn").arg(pdn);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn files() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, pdn) = (
        folder.path().join("state.jsonl"),
        folder.path().join("games.pdn"),
    );
    (folder, state, pdn)
}

#[test]
fn a_killed_match_goes_on_and_plays_no_game_twice() {
    let (_folder, state, pdn) = files();
    for games in [3, 9] {
        let mut child = match_command(&state, &pdn).spawn().expect("it starts");
        wait_for(&state, games);
        child.kill().expect("killed");
        child.wait().expect("ended");
        // What a crash in the middle of a line leaves behind.
        let mut text = std::fs::read(&state).expect("a file");
        text.extend_from_slice(b"{\"game\":0,\"whi");
        std::fs::write(&state, text).expect("written");
    }
    let output = match_command(&state, &pdn).output().expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut games = recorded(&state);
    games.sort_unstable();
    assert_eq!(games, (0..40).collect::<Vec<_>>());
    let text = std::fs::read_to_string(&pdn).expect("a file");
    assert_eq!(text.matches("[White ").count(), 40);
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("games from the state file"), "{table}");
    // Once more: there is nothing left to do. Other settings: not this file.
    let again = match_command(&state, &pdn).output().expect("it runs");
    assert!(again.status.success());
    for words in [
        ["--rules", "club"],
        ["--each", "margin=30"],
        ["--shuffle", "3"],
    ] {
        let mut other = match_command(&state, &pdn);
        let other = other.args(words).output().expect("it runs");
        let diagnostics = String::from_utf8_lossy(&other.stderr);
        assert_eq!(other.status.code(), Some(2));
        assert!(diagnostics.contains("another match"), "{diagnostics}");
    }
    assert_eq!(recorded(&state).len(), 40);
}

/// What Ctrl-C does.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("kill runs").success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_match_with_the_result_so_far() {
    let (_folder, state, pdn) = files();
    let child = match_command(&state, &pdn).spawn().expect("it starts");
    wait_for(&state, 2);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    let games = recorded(&state).len();
    assert!(
        text.contains(&format!("interrupted after {games} games")),
        "{text}"
    );
    assert!(text.contains("pairs in which a has"), "{text}");
    assert!(!text.contains("crashes"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_does_not_wait_for_an_engine_that_thinks() {
    let (_folder, state, _) = files();
    let mut command = Command::new(env!("CARGO_BIN_EXE_shashki"));
    let stalls = format!("cmd={} stall", mock());
    command.args(["match", "--engine", &stalls, "name=stalls", "--engine"]);
    command.args(["cmd=builtin", "name=thinks", "--each", "tc=600"]);
    command.args(["--concurrency", "2", "--state"]).arg(&state);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&state).map_or(0, |about| about.len()) == 0 {
        assert!(Instant::now() < deadline, "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    // One game waits for the one engine, one for the other.
    std::thread::sleep(Duration::from_millis(500));
    let told = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("interrupted after 0 games"), "{text}");
    assert!(told.elapsed() < Duration::from_secs(20));
    let diagnostics = String::from_utf8_lossy(&output.stderr);
    assert!(!diagnostics.contains("stalls"), "{diagnostics}");
}

/// The program under a limit on the size of its files, in the shell's blocks: what a full disk does to
/// it, in the middle of a line as well.
#[cfg(unix)]
fn limited(blocks: u32, command: &Command) -> Command {
    let mut limited = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    limited.args(["-c", &script, "sh"]);
    limited.arg(command.get_program()).args(command.get_args());
    limited
}

/// The number of games in a game file that must be whole.
fn whole_games(pdn: &Path) -> usize {
    let file = std::fs::File::open(pdn).expect("a file");
    let mut reader = shashki::notation::pdn::Reader::new(file);
    let mut games = 0;
    while let Some(game) = reader.next_game().expect("readable") {
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        assert!(game.tag("Result").is_some() && game.terminator.is_some());
        game.replay().expect("legal moves");
        games += 1;
    }
    games
}

#[cfg(unix)]
#[test]
fn a_match_on_a_full_disk_goes_on_and_leaves_whole_files() {
    let (_folder, state, pdn) = files();
    let output = limited(64, &match_command(&state, &pdn)).output();
    let output = output.expect("it runs");
    let (text, diagnostics) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(2), "{diagnostics}");
    // Every game was played and counted, and the table printed.
    assert_eq!(text.matches("\ngame ").count(), 39, "{text}");
    assert!(text.contains("pairs in which a has"), "{text}");
    // A warning for each file, and what is missing in the end.
    assert_eq!(diagnostics.matches("the match goes on").count(), 2);
    let kept = recorded(&state).len();
    assert!((1..40).contains(&kept), "{kept} games");
    let missing = format!("games that are not in it: {}", 40 - kept);
    assert!(diagnostics.contains(&missing), "{diagnostics}");
    let bytes = std::fs::read(&state).expect("a file");
    assert!(bytes.ends_with(b"}\n"), "no line is torn");
    let games = whole_games(&pdn);
    assert!((1..40).contains(&games), "{games} games");
    let missing = format!("games that are not in it: {}", 40 - games);
    assert!(diagnostics.contains(&missing), "{diagnostics}");
    // With space enough the same command plays what is missing.
    let output = match_command(&state, &pdn).output().expect("it runs");
    let diagnostics = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{diagnostics}");
    let mut games = recorded(&state);
    games.sort_unstable();
    assert_eq!(games, (0..40).collect::<Vec<_>>());
    assert_eq!(whole_games(&pdn), 40);
}

#[test]
fn a_match_does_not_begin_with_files_that_cannot_be_used() {
    let (folder, state, pdn) = files();
    let refused = |mut command: Command, file: &Path| {
        let output = command.output().expect("it runs");
        let diagnostics = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{diagnostics}");
        assert!(output.stdout.is_empty());
        let name = file.to_str().expect("plain");
        assert!(diagnostics.contains(name), "{diagnostics}");
        diagnostics.into_owned()
    };
    let nowhere = folder.path().join("nowhere").join("file");
    refused(match_command(&nowhere, &pdn), &nowhere);
    refused(match_command(&state, &nowhere), &nowhere);
    refused(match_command(folder.path(), &pdn), folder.path());
    std::fs::remove_file(&state).expect("begun by the second");
    // Not even the first line finds room.
    #[cfg(unix)]
    {
        refused(limited(0, &match_command(&state, &pdn)), &state);
        assert_eq!(std::fs::read(&state).expect("begun"), b"");
    }
    // The games of this match belong into no other file.
    let finished = match_command(&state, &pdn).output().expect("it runs");
    assert!(finished.status.success());
    let other = folder.path().join("other.pdn");
    std::fs::write(&other, "[Event \"mine\"]\n\n1. c3-d4 *\n").expect("written");
    let diagnostics = refused(match_command(&state, &other), &other);
    assert!(diagnostics.contains("has other games"), "{diagnostics}");
    assert!(
        std::fs::read_to_string(&other)
            .expect("kept")
            .contains("mine")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_written_to_and_never_replaced() {
    let (folder, state, _) = files();
    // By a link, so that a failing test does no harm to the device.
    let full = folder.path().join("full");
    std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
    let output = match_command(&full, &full).output().expect("it runs");
    let diagnostics = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(diagnostics.contains("no regular file"), "{diagnostics}");
    // Results that cannot be printed are shown where they can, and the state has all games.
    let mut command = match_command(&state, &full);
    let sink = std::fs::File::options().write(true).open(&full);
    let output = command
        .arg("--json")
        .stdout(sink.expect("the device"))
        .output()
        .expect("it runs");
    let diagnostics = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{diagnostics}");
    assert!(diagnostics.contains("\"games\":40"), "{diagnostics}");
    assert!(diagnostics.contains("games that are not in it: 40"));
    assert_eq!(recorded(&state).len(), 40);
    assert!(full.is_symlink());
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).expect("games"))
    };
    let output = match_command(&state, &pipe).output().expect("it runs");
    assert!(output.status.success());
    let games = reader.join().expect("a reader");
    assert_eq!(games.matches("[White ").count(), 40);
}

#[test]
fn a_state_file_belongs_to_one_running_match() {
    let (folder, state, pdn) = files();
    let mut first = match_command(&state, &pdn).spawn().expect("it starts");
    wait_for(&state, 1);
    let second = match_command(&state, &folder.path().join("second.pdn")).output();
    let second = second.expect("it runs");
    first.kill().expect("killed");
    first.wait().expect("ended");
    let diagnostics = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{diagnostics}");
    assert!(diagnostics.contains("is in use"), "{diagnostics}");
}
