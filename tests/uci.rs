//! The UCI-style protocol, spoken with the real program.

use crate::support::engine::{Engine, run};
use crate::support::{Random, position};
use shashki::engine::options::SPECS;
use shashki::notation::{Numbering, movetext};
use shashki::rules::{DrawRules, Game, Move, Position, movegen};
use std::time::{Duration, Instant};

fn started() -> Engine {
    let mut engine = Engine::start(&[]);
    engine.ask("uci", "uciok");
    engine.ask("isready", "readyok");
    engine
}

/// The output of a piped script.
fn script(text: &str) -> Vec<String> {
    let (status, output, _) = run(&[], text.as_bytes());
    assert!(status.success(), "{text}");
    output.lines().map(str::to_owned).collect()
}

fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(word)).count()
}

fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let mut words = line.split_whitespace().skip_while(|word| *word != name);
    words
        .nth(1)
        .unwrap_or_else(|| panic!("no {name} in {line}"))
}

#[test]
fn nothing_is_said_before_it_is_asked_and_the_handshake_is_whole() {
    let mut engine = Engine::start(&[]);
    assert!(engine.is_silent(Duration::from_millis(300)));
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Shashki "), "{lines:?}");
    assert!(lines[1].starts_with("id author "));
    assert_eq!(count(&lines, "option name "), SPECS.len());
    let expected = [
        "option name Hash type spin default 64 min 1 max 65536",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name UCI_Variant type combo default russian var russian",
        "option name Numbering type combo default b8 var b8 var a1",
    ];
    for line in expected {
        assert!(lines.iter().any(|found| found == line), "{line}");
    }
    assert_eq!(engine.ask("udri", "udriok"), "udriok");
}

#[test]
fn a_piped_script_gets_every_answer() {
    let lines = script("position startpos\ngo depth 9\nposition startpos moves c3-d4\ngo depth 7");
    assert_eq!(count(&lines, "bestmove "), 2);
    assert!(lines.iter().any(|line| line.starts_with("info depth 9 ")));
    // Endless searches are stopped by the end of the input, as pondering ones are.
    for go in [
        "go",
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go ponder depth 1",
    ] {
        assert_eq!(count(&script(&format!("{go}\n")), "bestmove "), 1, "{go}");
    }
    // `quit` ends a search at once but not without its answer.
    let begun = Instant::now();
    let lines = script("position startpos\ngo depth 90\nquit\n");
    assert_eq!(count(&lines, "bestmove "), 1);
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(script("quit\n"), Vec::<String>::new());
    assert_eq!(script(""), Vec::<String>::new());
}

#[test]
fn a_bad_position_is_never_replaced_by_the_old_one() {
    let bad = [
        "position",
        "position fen",
        "position fen blah",
        "position fen W:W",
        "position fen W:W21,21:B1",
        "position startpos moves c3-d4 b6-c5 g3-f4",
        "position startpos moves a1-h8",
        "position fen W:W22,24:B18 moves g3-h4",
        "position \u{1}\u{2}",
    ];
    for line in bad {
        let lines = script(&format!(
            "position startpos\n{line}\ngo depth 4\nmoves\nposition startpos\ngo depth 2\n"
        ));
        assert!(
            lines[0].starts_with("info string error: "),
            "{line}: {lines:?}"
        );
        assert_eq!(lines[2], "info depth 0 score cp 0", "{line}");
        assert_eq!(lines[3], "bestmove (none)", "{line}");
        assert_eq!(lines[4], "info string error: no valid position", "{line}");
        let last = lines.last().expect("lines");
        assert!(
            last.starts_with("bestmove ") && !last.contains("none"),
            "{line}: {last}"
        );
    }
    let good = [
        "position startpos moves",
        "position fen W:W22:B18 moves ",
        "position   startpos ",
    ];
    for line in good {
        let lines = script(&format!("{line}\ngo depth 2\n"));
        assert_eq!(count(&lines, "info string"), 0, "{line}: {lines:?}");
    }
}

#[test]
fn garbage_of_every_kind_is_survived() {
    let mut engine = started();
    engine.say_bytes(&[b'x'; 1 << 20]);
    engine.say("");
    engine.say_bytes(b"\xff\xfe\x00\x01\x80 garbage\n");
    engine.say("\r\n\t isready \r");
    engine.answer("readyok");
    engine.say(&format!("position fen W:{}", "K1,".repeat(3400)));
    engine.answer("info string error");
    engine.say("joho isready");
    engine.answer("readyok");
    engine.say("Position STARTPOS\r\n\tgo   depth\t3\r");
    assert!(engine.answer("bestmove").starts_with("bestmove "));
    engine.say("setoption\nsetoption name\nsetoption value 3\ngo depth\ngo depth x\ngo wtime\nperft\nperft x");
    assert!(engine.until("bestmove").len() > 1);
    engine.answer("bestmove");
    engine.answer("bestmove");
    engine.ask("isready", "readyok");
}

#[test]
fn options_out_of_range_are_refused_and_good_ones_applied() {
    let mut engine = started();
    for value in ["0", "-1", "3000000000", "99999999999999", "abc", ""] {
        engine.ask(
            &format!("setoption name Hash value {value}"),
            "info string error: bad value",
        );
    }
    engine.ask("setoption name Hash value 65536\nisready", "readyok");
    engine.ask("setoption name hash value 1\nisready", "readyok");
    for value in ["0", "-1", "100000", "x"] {
        engine.ask(
            &format!("setoption name Threads value {value}"),
            "info string error",
        );
    }
    engine.ask(
        "setoption name Nonsense value 1",
        "info string error: unknown option",
    );
    engine.say("setoption name Threads value 2\nsetoption name MoveFormat value numeric");
    let best = engine.ask("position startpos\ngo depth 5", "bestmove");
    assert!(
        best.split(' ').nth(1).is_some_and(|mv| mv.starts_with('2')),
        "{best}"
    );
    engine.say("setoption name Numbering value a1\nposition fen W:W1-12:B21-32\nmoves");
    assert_eq!(engine.answer("moves "), "moves 7");
}

#[test]
fn moves_lists_paths_captured_squares_and_their_number() {
    let mut engine = started();
    engine.say("position fen W:W13,20,21,23,24,25,28,K3:B4,8,14,15,16\nmoves");
    let expected = [
        "move f8:b4 captured c5",
        "move f8:h6:f4:d6:b4 captured c5,e5,g5,g7",
        "move h4:f6:d4:b6 captured c5,e5,g5",
        "moves 3",
    ];
    assert_eq!(engine.until("moves "), expected);
    engine.say("position startpos\nmoves");
    let lines = engine.until("moves ");
    assert_eq!(lines[0], "move a3-b4 captured -");
    assert_eq!(lines.last().map(String::as_str), Some("moves 7"));
}

#[test]
fn a_side_without_a_move_is_told_that_it_has_lost() {
    for fen in ["W:W12:B3,8", "W:WK29:B22,25", "W:W:BK1"] {
        let lines = script(&format!(
            "position startpos\ngo depth 3\nposition fen {fen}\ngo depth 5\n"
        ));
        let tail = &lines[lines.len() - 2..];
        assert_eq!(
            tail,
            ["info depth 0 score mate 0", "bestmove (none)"],
            "{fen}"
        );
    }
    // Endless analysis of a finished game waits for its stop.
    let mut engine = started();
    engine.say("position fen W:W12:B3,8\ngo infinite");
    engine.answer("info depth 0");
    assert!(engine.is_silent(Duration::from_millis(300)));
    assert_eq!(engine.ask("stop", "bestmove"), "bestmove (none)");
}

#[test]
fn isready_and_stop_are_heard_while_thinking() {
    let mut engine = started();
    engine.say("position startpos\ngo infinite");
    engine.answer("info depth 5");
    for _ in 0..20 {
        let begun = Instant::now();
        engine.ask("isready", "readyok");
        assert!(
            begun.elapsed() < Duration::from_millis(500),
            "{:?}",
            begun.elapsed()
        );
    }
    engine.say("setoption name Hash value 8\nsetoption name Threads value 2");
    let begun = Instant::now();
    engine.ask("stop", "bestmove");
    assert!(
        begun.elapsed() < Duration::from_millis(500),
        "{:?}",
        begun.elapsed()
    );
    assert!(engine.is_silent(Duration::from_millis(100)));
    engine.say("stop");
    assert!(
        engine.is_silent(Duration::from_millis(100)),
        "a stop while idle needs no answer"
    );
}

#[test]
fn every_go_has_exactly_one_answer() {
    let mut engine = started();
    for _ in 0..200 {
        engine.say("go infinite\nstop");
    }
    for _ in 0..200 {
        engine.answer("bestmove");
    }
    for _ in 0..300 {
        engine.say("go nodes 1");
    }
    for _ in 0..300 {
        engine.answer("bestmove");
    }
    engine.say("go depth 3\ngo depth 2\nposition startpos moves c3-d4\ngo depth 1\nisready");
    for _ in 0..3 {
        engine.answer("bestmove");
    }
    // A new position or search ends an endless one.
    engine.say("go infinite\nposition startpos\ngo depth 2");
    engine.answer("bestmove");
    engine.answer("bestmove");
    engine.ask("isready", "readyok");
    assert!(engine.is_silent(Duration::from_millis(100)));
}

#[test]
fn pondering_waits_for_the_hit_and_then_keeps_time() {
    let mut engine = started();
    engine.say("position startpos moves c3-d4\ngo ponder movetime 300");
    engine.answer("info depth 3");
    std::thread::sleep(Duration::from_millis(500));
    engine.say("isready");
    assert!(
        engine
            .until("readyok")
            .iter()
            .all(|line| !line.starts_with("bestmove"))
    );
    let begun = Instant::now();
    engine.ask("ponderhit", "bestmove");
    let taken = begun.elapsed();
    assert!(
        taken > Duration::from_millis(200) && taken < Duration::from_millis(900),
        "{taken:?}"
    );
    engine.say("go ponder depth 1");
    engine.answer("info depth 1");
    assert!(engine.is_silent(Duration::from_millis(200)));
    engine.ask("ponderhit", "bestmove");
    engine.say("go ponder wtime 1000 btime 1000");
    engine.ask("stop", "bestmove");
    engine.say("ponderhit");
    assert!(
        engine.is_silent(Duration::from_millis(100)),
        "nothing to hit"
    );
}

#[test]
fn a_ponderhit_out_of_place_changes_nothing() {
    let mut engine = started();
    engine.say("position startpos\ngo movetime 600");
    let begun = Instant::now();
    std::thread::sleep(Duration::from_millis(500));
    engine.ask("ponderhit", "bestmove");
    assert!(
        begun.elapsed() < Duration::from_millis(950),
        "{:?}",
        begun.elapsed()
    );
    // After a hit the search is a timed one: the end of the input does not cut it short.
    let begun = Instant::now();
    let lines = script("position startpos\ngo ponder movetime 400\nponderhit\n");
    assert_eq!(count(&lines, "bestmove "), 1);
    assert!(
        begun.elapsed() > Duration::from_millis(350),
        "{:?}",
        begun.elapsed()
    );
}

/// A stop counts for everything that was said before it, also for what has not begun yet.
#[test]
fn a_stop_reaches_the_search_it_was_meant_for() {
    for (text, answers) in [
        ("go depth 30\nposition startpos\ngo infinite\nd\nstop", 2),
        (
            "go infinite\nposition startpos moves c3-d4\ngo infinite\nsetoption name Hash value 16\nstop",
            2,
        ),
        (
            "go infinite\nposition startpos\ngo infinite\neval\nposition startpos\ngo depth 1",
            3,
        ),
        ("bench 3\ngo infinite\neval\nstop", 1),
        (
            "bench 3\ngo ponder movetime 50\nsetoption name Hash value 16\nponderhit",
            1,
        ),
        ("go depth 2\ngo depth 99\nmoves\nstop", 2),
    ] {
        let mut engine = started();
        engine.say(text);
        for _ in 0..answers {
            engine.answer("bestmove");
        }
        engine.ask("isready", "readyok");
    }
}

#[test]
fn a_refused_table_leaves_the_old_one_alone() {
    let mut engine = started();
    let nodes = |engine: &mut Engine| {
        engine.say("position startpos\ngo depth 11");
        let lines = engine.until("bestmove");
        let info = lines
            .iter()
            .rfind(|line| line.starts_with("info depth 11 "))
            .expect("depth 11");
        field(info, "nodes").parse::<u64>().expect("a number")
    };
    let first = nodes(&mut engine);
    for size in [65_536, 65_535] {
        engine.say(&format!("setoption name Hash value {size}\nisready"));
        let lines = engine.until("readyok");
        if lines.len() == 1 {
            // A machine with so much memory has nothing to refuse.
            return;
        }
    }
    let again = nodes(&mut engine);
    assert!(
        again < first,
        "what was known is still known: {again} of {first} nodes"
    );
}

#[test]
fn many_piped_commands_are_worked_off_in_time() {
    let begun = Instant::now();
    let lines = script(&"position startpos moves c3-d4 b6-a5\ngo depth 1\n".repeat(4000));
    assert_eq!(count(&lines, "bestmove "), 4000);
    assert!(
        begun.elapsed() < Duration::from_secs(15),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn chances_are_shown_when_asked_for() {
    let mut engine = Engine::start(&[]);
    engine.say("go depth 4");
    assert!(
        engine
            .until("bestmove")
            .iter()
            .all(|line| !line.contains(" wdl "))
    );
    engine.say("setoption name UCI_ShowWDL value true");
    for (fen, least) in [("W:W21-32:B1-8", 900), ("W:W21-32:B1-12", 0)] {
        engine.say(&format!("position fen {fen}"));
        engine.say("go depth 4");
        let said = engine.until("bestmove");
        let line = said
            .iter()
            .rfind(|line| line.contains(" pv "))
            .expect("a line");
        let (_, chances) = line.split_once(" wdl ").expect("chances");
        let chances: Vec<u16> = chances
            .split(' ')
            .take(3)
            .map(|word| word.parse().expect("a number"))
            .collect();
        assert_eq!(chances.iter().sum::<u16>(), 1000, "{line}");
        assert!(
            chances[0] >= least && chances[0] + chances[1] > 500,
            "{line}"
        );
    }
}

#[test]
fn limits_are_kept() {
    let mut engine = started();
    engine.say("position startpos");
    let last = |engine: &mut Engine, go: &str| {
        engine.say(go);
        let lines = engine.until("bestmove");
        let info = lines
            .iter()
            .rev()
            .find(|line| line.starts_with("info depth"));
        info.unwrap_or_else(|| panic!("no info for {go}")).clone()
    };
    assert_eq!(field(&last(&mut engine, "go depth 6"), "depth"), "6");
    assert_eq!(field(&last(&mut engine, "go depth 0"), "depth"), "1");
    let nodes: u64 = field(&last(&mut engine, "go nodes 20000"), "nodes")
        .parse()
        .expect("number");
    assert!(nodes <= 20_000, "{nodes}");
    last(&mut engine, "go nodes 0");
    last(&mut engine, "go movetime 0");
    for (go, most) in [
        ("go movetime 400", 450),
        ("go wtime -50 btime 1000", 200),
        ("go wtime 0 btime 0", 200),
        ("go wtime 1 winc 0", 200),
        ("go wtime 1000 movestogo 1", 960),
        ("go btime 60000", 10_000),
        ("go wtime 300 btime 300 winc 20 binc 20 depth 60", 300),
        ("go depth 60 movetime 100 nodes 100000000", 150),
    ] {
        let begun = Instant::now();
        engine.ask(go, "bestmove");
        let taken = begun.elapsed().as_millis();
        // The machine may be busy with other tests; what matters is that no limit is missed.
        assert!(taken < most + 250, "{go} took {taken} ms");
    }
    for go in ["go movetime 1000", "go movetime 1000 searchmoves c3-d4"] {
        let begun = Instant::now();
        engine.ask(go, "bestmove");
        let taken = begun.elapsed().as_millis();
        assert!((950..1250).contains(&taken), "{go}: {taken}");
    }
    // Without a choice and with a clock the move is played at once.
    let begun = Instant::now();
    engine.ask(
        "position fen W:W22,24:B18\ngo wtime 60000 btime 60000",
        "bestmove",
    );
    assert!(
        begun.elapsed() < Duration::from_millis(300),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn search_moves_restrict_and_bad_ones_are_passed_over() {
    let mut engine = started();
    engine.say("position startpos");
    for _ in 0..3 {
        let best = engine.ask("go depth 6 searchmoves g3-h4", "bestmove");
        assert!(best.starts_with("bestmove g3-h4"), "{best}");
    }
    let best = engine.ask("go searchmoves c3-b4 xx a1-h8 depth 5", "bestmove");
    assert!(best.starts_with("bestmove c3-b4"), "{best}");
    engine.say("go depth 3 searchmoves a1-h8");
    let lines = engine.until("bestmove");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("info string error: searchmoves"))
    );
    assert!(!lines.last().expect("bestmove").contains("none"));
}

#[test]
fn a_forced_win_is_found_in_as_many_moves_as_asked_for() {
    let mut engine = started();
    engine.say("position fen W:WKb8,Kc7:BKg1\ngo mate 4");
    let lines = engine.until("bestmove");
    assert!(
        lines.iter().any(|line| line.contains("score mate 4 ")),
        "{lines:?}"
    );
    assert!(
        lines
            .last()
            .expect("bestmove")
            .starts_with("bestmove b8-a7")
    );
    engine.say("ucinewgame\ngo mate 3");
    let lines = engine.until("bestmove");
    assert!(lines.iter().all(|line| {
        !["mate 3 ", "mate 2 ", "mate 1 "]
            .iter()
            .any(|m| line.contains(m))
    }));
}

#[test]
fn several_lines_are_distinct_sorted_and_all_there_are() {
    let mut engine = started();
    engine.say("setoption name MultiPV value 50\nposition startpos\ngo depth 7");
    let lines = engine.until("bestmove");
    for depth in 1..=7 {
        let of_depth: Vec<&String> = lines
            .iter()
            .filter(|line| line.starts_with(&format!("info depth {depth} ")))
            .collect();
        assert_eq!(of_depth.len(), 7, "depth {depth}");
        let mut firsts: Vec<&str> = of_depth.iter().map(|line| field(line, "pv")).collect();
        let scores: Vec<i32> = of_depth
            .iter()
            .map(|line| field(line, "cp").parse().expect("a number"))
            .collect();
        assert!(
            scores.windows(2).all(|pair| pair[0] >= pair[1]),
            "{scores:?}"
        );
        let ranks: Vec<&str> = of_depth.iter().map(|line| field(line, "multipv")).collect();
        assert_eq!(ranks, ["1", "2", "3", "4", "5", "6", "7"]);
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 7);
    }
    engine.say("position fen W:W22,24:B18\ngo depth 4");
    let lines = engine.until("bestmove");
    assert_eq!(count(&lines, "info depth 4 "), 1);
    // The best move is that of the first line.
    engine.say("setoption name MultiPV value 5\nposition fen W:WK28:B13,24\ngo depth 8");
    let lines = engine.until("bestmove");
    let first = lines
        .iter()
        .rev()
        .find(|line| line.contains("multipv 1 "))
        .expect("a line");
    assert_eq!(
        field(lines.last().expect("bestmove"), "bestmove"),
        field(first, "pv")
    );
}

#[test]
fn lines_are_legal_and_end_with_the_game() {
    let mut engine = started();
    let mut random = Random::new(17);
    for _ in 0..40 {
        let mut game = Game::new(Position::start(), DrawRules::standard());
        let mut text = "position startpos moves".to_owned();
        for _ in 0..random.below(140) {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.end().is_some() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            text.push(' ');
            text.push_str(&movetext::write_full(
                game.position(),
                mv,
                Default::default(),
            ));
            game.play(mv);
        }
        engine.say(&format!("{text}\ngo nodes 20000"));
        for line in engine.until("bestmove") {
            if let Some((_, pv)) = line.split_once(" pv ") {
                let mut line_game = game.clone();
                for (number, word) in pv.split(' ').enumerate() {
                    if number > 0 {
                        assert_eq!(line_game.end(), None, "{text}\n{line}\nply {number}");
                    }
                    let mv = movetext::read(line_game.position(), word, Numbering::B8)
                        .unwrap_or_else(|e| panic!("{text}\n{line}\n{e}"));
                    line_game.play(mv);
                }
            }
            if let Some((best, ponder)) = line
                .strip_prefix("bestmove ")
                .and_then(|rest| rest.split_once(" ponder "))
            {
                let mut after = game.clone();
                for word in [best, ponder] {
                    let mv = movetext::read(after.position(), word, Numbering::B8).expect("legal");
                    after.play(mv);
                }
            }
        }
    }
}

#[test]
fn lines_end_where_a_side_is_shut_in() {
    for (fen, depth) in [
        ("W:WK4,23,28,31:B16", 3),
        ("W:W25:B5,7,11,12,17,28,K9", 2),
        ("B:W17:B2,4,5,8,28,K23", 3),
        ("W:W5,7,16,17,27,28,32,K4,K12:B9,22,K8", 5),
        ("B:W5,6,12,14,26,28,32:B4,7,11", 5),
    ] {
        let options = "setoption name MultiPV value 4\n";
        let lines = script(&format!("{options}position fen {fen}\ngo depth {depth}\n"));
        for line in lines.iter().filter(|line| line.contains(" pv ")) {
            let mut game = Game::new(position(fen), DrawRules::standard());
            for word in line.split_once(" pv ").expect("pv").1.split(' ') {
                let mv = movetext::read(game.position(), word, Numbering::B8)
                    .unwrap_or_else(|e| panic!("{line}: {e}"));
                game.play(mv);
            }
        }
    }
}

#[test]
fn the_answer_is_the_beginning_of_the_last_line_told() {
    let mut engine = started();
    let mut random = Random::new(23);
    for round in 0..120 {
        let mut position = Position::start();
        for _ in 0..random.below(30) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
        let fen = shashki::notation::fen::write(&position, Default::default());
        let go = ["go nodes 8000", "go movetime 12", "go nodes 30001"][round % 3];
        engine.say(&format!("position fen {fen}\n{go}"));
        let lines = engine.until("bestmove");
        let best = lines.last().expect("bestmove");
        let Some(info) = lines.iter().rfind(|line| line.contains(" pv ")) else {
            continue;
        };
        let pv: Vec<&str> = info.split_once(" pv ").expect("pv").1.split(' ').collect();
        assert_eq!(field(best, "bestmove"), pv[0], "{info}\n{best}");
        let ponder = best.split_once(" ponder ").map(|(_, ponder)| ponder);
        assert_eq!(ponder, pv.get(1).copied(), "{info}\n{best}");
    }
}

#[test]
fn a_new_game_is_like_a_fresh_start() {
    let search = |engine: &mut Engine| {
        engine.say("position startpos\ngo depth 10");
        let lines = engine.until("bestmove");
        let info = lines
            .iter()
            .rfind(|line| line.starts_with("info depth 10 "))
            .expect("depth 10");
        (
            field(info, "nodes").to_owned(),
            info.split_once(" pv ").expect("pv").1.to_owned(),
        )
    };
    let mut engine = started();
    let fresh = search(&mut engine);
    engine.say("position fen W:WKa1,Kc1,Ke1,Kg1:BKb8,Kd8,Kf8,Kh8\ngo depth 8");
    engine.answer("bestmove");
    engine.say("ucinewgame");
    assert_eq!(search(&mut engine), fresh);
    engine.say("newgame");
    assert_eq!(search(&mut engine), fresh);
}

#[test]
fn the_display_follows_the_game_and_knows_why_it_ended() {
    let result = |line: &str| {
        let lines = script(&format!("{line}\nd\n"));
        let result = lines.iter().find(|line| line.starts_with("result "));
        result.unwrap_or_else(|| panic!("{lines:?}")).clone()
    };
    let shuffle = "position fen W:WKh2:BKb8 moves h2-g1 b8-a7 g1-h2 a7-b8 h2-g1 b8-a7 g1-h2 a7-b8";
    assert_eq!(result(shuffle), "result draw: threefold repetition");
    assert_eq!(
        result(shuffle.trim_end_matches(" a7-b8")),
        "result game goes on"
    );
    assert_eq!(result(&format!("{shuffle} h2-e5")), "result game goes on");
    assert_eq!(
        result("position fen W:W12:B3,8"),
        "result Black wins: White has no moves"
    );
    assert_eq!(
        result("position fen B:W18:B"),
        "result White wins: Black has no pieces"
    );
    assert_eq!(
        result(&format!("setoption name DrawRules value none\n{shuffle}")),
        "result game goes on"
    );
    // Changing the rules changes the verdict on the game at hand.
    let lines = script(&format!(
        "{shuffle}\nsetoption name DrawRules value none\nd\n"
    ));
    assert!(lines.contains(&"result game goes on".to_owned()));
    let lines = script("position startpos\nd\n");
    for line in [
        "numeric W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "hub Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "rules standard",
    ] {
        assert!(
            lines.iter().any(|found| found == line),
            "{line}: {lines:#?}"
        );
    }
}

#[test]
fn a_move_comes_even_where_the_rules_call_the_game_drawn() {
    let drawn = "position fen W:WKh2:BKb8 moves h2-g1 b8-a7 g1-h2 a7-b8 h2-g1 b8-a7 g1-h2 a7-b8";
    let lines = script(&format!("{drawn}\ngo depth 6\n"));
    let best = lines.last().expect("an answer");
    assert!(!best.contains("none"), "{best}");
}

#[test]
fn extras_for_scripts() {
    let lines = script("position startpos\nperft 5\ngo perft 3\nflip\nd\neval\n");
    assert!(lines.contains(&"Nodes searched: 7482".to_owned()));
    assert!(lines.contains(&"Nodes searched: 302".to_owned()));
    assert!(lines.iter().any(|line| line.starts_with("fen B:")));
    assert!(lines.iter().any(|line| line.starts_with("evaluation ")));
    let lines = script("perft 1000000\ngo perft 61\nposition fen W:WKa1:BKb8\ngo perft 60000\n");
    assert_eq!(lines, ["info string error: perft goes to depth 60"; 3]);
    let lines = script("bench 4\n");
    assert_eq!(count(&lines, "Bench: "), 1);
    let lines = script("what is this\n");
    assert_eq!(lines, ["info string unknown command \"what is this\""]);
}

#[test]
fn the_first_line_may_change_to_hub() {
    let lines = script("hub\ninit\n");
    assert!(lines[0].starts_with("id name=Shashki "), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("ready"));
    let lines = script("uci\nhub\n");
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("info string error"))
    );
}

#[test]
fn the_draw_rules_can_be_given_on_the_command_line() {
    let (status, output, _) = run(&["--rules", "official"], b"d\n");
    assert!(
        status.success() && output.contains("rules official"),
        "{output}"
    );
    let (status, _, errors) = run(&["--rules", "fide"], b"");
    assert_eq!(status.code(), Some(2));
    assert!(errors.contains("unknown draw rules"), "{errors}");
}

#[test]
fn long_games_are_taken_in_one_line() {
    let fen = "W:WKa1,Kc1,h2:BKb8,Kd8,a7";
    let mut random = Random::new(3);
    let mut game = Game::new(position(fen), DrawRules::none());
    while game.moves().len() < 600 {
        let before = *game.position();
        let calm = |mv: &Move| mv.is_reversible() && !movegen::has_capture(&before.play(*mv));
        let moves: Vec<Move> = before.legal_moves().into_iter().filter(calm).collect();
        if moves.is_empty() {
            game.undo();
        } else {
            assert!(game.play(moves[random.below(moves.len())]));
        }
    }
    let mut text = format!("position fen {fen} moves");
    for (before, &mv) in game.positions().iter().zip(game.moves()) {
        text.push(' ');
        text.push_str(&movetext::write_full(before, mv, Default::default()));
    }
    let lines = script(&format!(
        "setoption name DrawRules value none\n{text}\nd\ngo depth 3\n"
    ));
    assert!(lines.contains(&"plies since capture or man move in this game 600".to_owned()));
    let expected = format!("occurrences {}", game.occurrences());
    assert!(lines.contains(&expected), "{expected}");
    assert_eq!(count(&lines, "bestmove "), 1);
}

#[test]
fn a_limited_engine_holds_back_and_says_what_it_plays() {
    let strength =
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 891\n";
    let ask = "position startpos moves c3-d4\ngo movetime 10000\n";
    for setting in [strength, "setoption name Skill Level value 0\n"] {
        let begun = Instant::now();
        let mut played = std::collections::HashSet::new();
        for line in script(&format!("{setting}{}", ask.repeat(30))) {
            if line.starts_with("info depth") {
                let nodes: u64 = field(&line, "nodes").parse().expect("a number");
                assert!(nodes < 5_000, "{line}");
            }
            if let Some(answer) = line.strip_prefix("bestmove ") {
                played.insert(answer.split(' ').next().expect("a move").to_owned());
            }
        }
        assert!(played.len() > 1, "always the same: {played:?}");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    // The last line told is that of the move played, weak or not.
    let lines = script(&format!("{strength}{}", ask.repeat(20)));
    let mut last = String::new();
    for line in lines {
        if let Some(at) = line.find(" pv ") {
            last = line[at + 4..].split(' ').next().expect("a move").to_owned();
        }
        if let Some(answer) = line.strip_prefix("bestmove ") {
            assert_eq!(answer.split(' ').next(), Some(last.as_str()));
        }
    }
}

#[test]
fn a_limited_engine_is_limited_while_it_ponders_and_free_to_analyse() {
    let nodes = |lines: &[String]| -> u64 {
        let last = lines.iter().rfind(|line| line.starts_with("info depth"));
        field(last.expect("a line"), "nodes")
            .parse()
            .expect("a number")
    };
    for (go, end, few) in [
        ("go ponder wtime 60000 btime 60000", "ponderhit", true),
        ("go", "stop", false),
        ("go infinite", "stop", false),
    ] {
        let mut engine = started();
        engine.say("setoption name Skill Level value 0");
        engine.say("position startpos");
        engine.say(go);
        std::thread::sleep(Duration::from_millis(300));
        engine.say(end);
        let lines = engine.until("bestmove");
        assert_eq!(nodes(&lines) < 5_000, few, "{go}: {}", nodes(&lines));
    }
}
