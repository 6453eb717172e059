//! Opening books: building, showing and playing from them with the real program, and the built-in one.

use crate::support::engine::{Engine, output};
use crate::support::position;
use shashki::book::Book;
use shashki::rules::Position;
use std::collections::HashSet;
use std::path::Path;
use std::process::Output;

fn run(arguments: &[&str]) -> Output {
    output(arguments, b"")
}

/// Builds a small book of quick searches.
fn build(out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("UTF-8");
    let arguments = ["book", "build", "--out", out, "--nodes", "300"];
    run(&[&arguments, more].concat())
}

#[test]
fn a_book_is_built_made_larger_shown_and_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let (parts, whole) = (
        folder.path().join("части.book"),
        folder.path().join("whole"),
    );
    for positions in ["40", "120"] {
        let built = build(&parts, &["--positions", positions, "--threads", "2"]);
        assert!(built.status.success(), "{built:?}");
    }
    assert!(build(&whole, &["--positions", "120"]).status.success());
    let bytes = std::fs::read(&whole).expect("a book");
    assert_eq!(std::fs::read(&parts).expect("a book"), bytes);
    // With other settings the old work is not mixed with the new.
    let other = build(&whole, &["--positions", "200", "--worth-a-ply", "3"]);
    assert_eq!(other.status.code(), Some(2));
    assert_eq!(std::fs::read(&whole).expect("a book"), bytes);

    let book = Book::from_bytes(&bytes).expect("whole");
    let start = Position::start();
    let moves = book.moves(&start).expect("the start");
    assert_eq!(moves.len(), 7);
    let path = whole.to_str().expect("UTF-8");
    let shown = run(&["book", "show", "--book", path, "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(shown["moves"].as_array().map(Vec::len), Some(7));
    assert_eq!(shown["moves"][0]["value"], moves[0].1);

    let mut engine = Engine::start(&[]);
    engine.say(&format!("setoption name BookFile value {path}"));
    engine.say("setoption name OwnBook value true\nsetoption name BookMargin value 0");
    let answer = |engine: &mut Engine, go: &str| {
        let lines = {
            engine.say(&format!("position startpos\n{go}"));
            engine.until("bestmove")
        };
        let from_book = lines.len() == 2 && lines[0].contains(" nodes 0 ");
        (from_book, lines[lines.len() - 1].clone())
    };
    let (from_book, best) = answer(&mut engine, "go movetime 10000");
    assert!(from_book, "{best}");
    let good: Vec<String> = moves
        .iter()
        .filter(|(_, value)| *value == moves[0].1)
        .map(|(mv, _)| format!("bestmove {}-{}", mv.from(), mv.to()))
        .collect();
    assert!(good.contains(&best), "{best} {good:?}");
    // Analysis is not answered from a book.
    for go in ["go depth 3 searchmoves a3b4", "go mate 1"] {
        assert!(!answer(&mut engine, go).0, "{go}");
    }
    engine.say("position startpos\ngo infinite");
    assert!(engine.next(std::time::Duration::from_secs(20)).is_some());
    engine.say("stop");
    engine.answer("bestmove");
    engine.say("setoption name MultiPV value 2");
    assert!(!answer(&mut engine, "go depth 3").0);
    engine.say("setoption name MultiPV value 1");
    // All that is good enough comes, and nothing else does.
    engine.say("setoption name BookMargin value 1000");
    let seen: HashSet<String> = (0..400)
        .map(|_| answer(&mut engine, "go nodes 1"))
        .map(|(from_book, best)| {
            assert!(from_book);
            best
        })
        .collect();
    assert!((4..=7).contains(&seen.len()), "{seen:?}");
    engine.say("setoption name BookFile value no such file\nisready");
    let said = engine.until("readyok");
    assert!(said[0].starts_with("info string error: book"), "{said:?}");
    assert!(!answer(&mut engine, "go depth 3").0);
}

#[test]
fn books_begin_where_games_of_files_and_openings_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, out) = (folder.path().join("games.pdn"), folder.path().join("book"));
    // The third game cannot be played, the second line of moves is in one game only.
    let text = "[Event \"1\"]\n1. c3-d4 b6-a5 2. d4-c5 *\n\n[Event \"2\"]\n1. c3-d4 b6-a5 2. b2-c3 *\n\n\
                [Event \"3\"]\n1. c3-d4 b6-b5 *\n";
    std::fs::write(&games, text).expect("written");
    let games = games.to_str().expect("UTF-8");
    let built = build(&out, &["--pdn", games, "--games", "2", "--positions", "1"]);
    assert!(built.status.success(), "{built:?}");
    let book = Book::from_bytes(&std::fs::read(&out).expect("a book")).expect("whole");
    let after = |line: &[&str]| {
        let play = |at: Position, text: &&str| {
            let read = shashki::notation::movetext::read;
            at.play(read(&at, text, shashki::notation::Numbering::B8).expect("a move"))
        };
        line.iter().fold(Position::start(), play)
    };
    assert!(book.moves(&after(&["c3-d4", "b6-a5"])).is_some());
    assert!(book.moves(&after(&["c3-d4", "b6-a5", "d4-c5"])).is_none());
    let out = folder.path().join("openings");
    assert!(
        build(&out, &["--openings", "fmjd-moves", "--positions", "1"])
            .status
            .success()
    );
    for bad in ["--openings", "--pdn"] {
        let built = build(&out, &[bad, "no such file", "--positions", "1"]);
        assert_eq!(built.status.code(), Some(2));
    }
}

#[test]
fn the_built_in_book_is_small_and_leaves_nothing_out() {
    let book = Book::built_in();
    assert!(book.len() > 1_000, "{}", book.len());
    assert!(book.to_bytes().len() < 1_000_000);
    let start = Position::start();
    let first = book.moves(&start).expect("the start");
    assert_eq!(first.len(), 7);
    for (mv, value) in first {
        // None of them loses, and what follows each is there as well.
        assert!(value.abs() < 60, "{value}");
        assert!(book.moves(&start.play(mv)).is_some());
    }
    // Captures are compulsory in a book too.
    let (mut at, mut captures, mut seen) = (vec![start], 0, HashSet::new());
    while let Some(position) = at.pop() {
        let Some(moves) = book
            .moves(&position)
            .filter(|_| seen.insert(position.key()))
        else {
            continue;
        };
        let chosen = book
            .choose(&position, 30, seen.len() as u64)
            .expect("a move")
            .0;
        assert!(position.legal_moves().contains(&chosen));
        captures += usize::from(chosen.is_capture());
        at.extend(moves.into_iter().map(|(mv, _)| position.play(mv)));
    }
    assert!(captures > 100 && seen.len() > 1_000);
}

#[test]
fn it_is_played_over_hub_too() {
    let mut engine = Engine::start(&["hub"]);
    engine.say("hub");
    let params = engine.until("wait");
    assert!(
        params
            .iter()
            .any(|line| line.contains("name=book value=false type=bool"))
    );
    engine.say("set-param name=book value=true\nset-param name=book-margin value=20\ninit");
    engine.until("ready");
    engine.say("pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\nlevel move-time=10\ngo think");
    let said = engine.until("done");
    assert!(said[0].contains("nodes=0"), "{said:?}");
    // It may not be asked about a book when it analyses.
    engine.say("level depth=4\ngo analyze");
    let said = engine.until("done");
    assert!(said.len() > 2, "{said:?}");
}

#[test]
fn a_position_without_a_book_says_so() {
    let fen = "W:Wa1:Bh8";
    assert!(Book::built_in().moves(&position(fen)).is_none());
    let shown = run(&["book", "show", "--fen", fen]);
    let text = String::from_utf8(shown.stdout).expect("UTF-8");
    assert!(text.contains("not among them"), "{text}");
}
