//! The small commands: fen, play, solve, completions, man.

use crate::support::engine::{Engine, output};
use crate::support::positions_file;
use serde_json::Value;
use shashki::notation::pdn::Reader;
use std::process::Output;

fn run(arguments: &[&str], input: &str) -> Output {
    output(arguments, input.as_bytes())
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn fen_shows_a_position_in_all_spellings() {
    let shown = text(&run(
        &["fen", "W:W21-32:B1-12", "--moves", "c3-d4 b6-a5"],
        "",
    ));
    for part in [
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3,d4:Ba5,",
        "W:W18,21,23,24,",
        "W:W1,2,3,4,5,6,7,8,9,11,12,14:B17,",
        "Wbbbbbbbbebbbb",
        "White to move",
        "legal      ",
        "5 b . . .",
    ] {
        assert!(
            shown
                .lines()
                .any(|line| line.contains(part) || line.replace("   ", " ").contains(part)),
            "{part}\n{shown}"
        );
    }
    let json: Value = serde_json::from_str(&text(&run(&["fen", "--json"], ""))).expect("JSON");
    assert_eq!(json["side"], "white");
    assert_eq!(json["legal"].as_array().map(Vec::len), Some(7));
    assert_eq!(run(&["fen", "nonsense"], "").status.code(), Some(2));
}

#[test]
fn fen_draws_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("доска.svg");
    let svg = path.to_str().expect("UTF-8");
    let arguments = [
        "fen",
        "W:WKa1,c3:Bh8,Kb8",
        "--svg",
        svg,
        "--arrow",
        "a1-b2",
        "--moves",
        "c3-d4",
    ];
    assert!(run(&arguments, "").status.success());
    let upright = std::fs::read_to_string(&path).expect("a picture");
    assert!(upright.starts_with("<svg") && upright.trim_end().ends_with("</svg>"));
    assert_eq!(upright.matches("<use ").count(), 4);
    for piece in ["wm", "wk", "bm", "bk"] {
        assert_eq!(upright.matches(&format!("href=\"#{piece}\"")).count(), 1);
    }
    assert_eq!(upright.matches("<line ").count(), 1);
    assert_eq!(
        upright.matches("#9a9b4f").count(),
        2,
        "the squares of the last move"
    );
    assert!(
        run(&[&arguments[..], &["--turned"]].concat(), "")
            .status
            .success()
    );
    assert_ne!(std::fs::read_to_string(&path).expect("a picture"), upright);
    for bad in ["a1", "a1-b1", "a9-b2", "-"] {
        let output = run(&["fen", "--svg", svg, "--arrow", bad], "");
        assert_eq!(output.status.code(), Some(2), "{bad}");
    }
}

#[test]
fn a_person_plays_takes_back_and_saves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("партия.pdn");
    let save = format!("save {}", file.display());
    let lines = [
        "help", "cd4", "cd9", "moves", "undo", "cb4", "hint", "level 3", "level 99", &save,
        "resign", "e3f4", &save,
    ];
    let output = run(&["play", "--movetime", "20", "--ascii"], &lines.join("\n"));
    assert!(output.status.success());
    let said = text(&output);
    for part in [
        "take your last move back",
        "the engine plays",
        "for White)",
        "at level 3 now",
        "from 0 to 20",
        "White gives up",
        "the game is over",
        "saved as",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let mut reader = Reader::new(std::fs::File::open(&file).expect("saved"));
    let game = reader.next_game().expect("text").expect("a game");
    let replay = game.replay().expect("plays");
    assert_eq!(replay.moves.len(), 2);
    assert_eq!(game.moves().next(), Some("c3-b4"));
    assert_eq!(
        (game.tag("Result"), game.tag("White")),
        (Some("0-1"), Some("you"))
    );
}

#[test]
fn play_ends_by_the_rules_and_by_the_clock() {
    // One move wins.
    let won = run(&["play", "--fen", "W:Wc3:Bd4", "--ascii"], "c3e5\nquit\n");
    assert!(text(&won).contains("White wins"), "{}", text(&won));
    // As Black the engine begins.
    let mut program = Engine::start(&[
        "play",
        "--color",
        "black",
        "--movetime",
        "20",
        "--clock",
        "1+0",
    ]);
    program.answer("the engine plays");
    std::thread::sleep(std::time::Duration::from_millis(1300));
    program.say("b6a5");
    let said = program.until("White wins");
    assert!(
        said.iter()
            .any(|line| line.contains("Black has no time left")),
        "{said:?}"
    );
    program.say("quit");
    assert!(program.wait().success());
    for bad in [&["--clock", "x"][..], &["--fen", "x"], &["--level", "21"]] {
        assert_eq!(run(&[&["play"], bad].concat(), "").status.code(), Some(2));
    }
}

#[test]
fn solve_tells_what_is_solved_and_what_is_not() {
    let problems = "# a comment\n{\"id\": \"good\", \"fen\": \"W:WKa5,a3:Ba7,f4\", \"best\": [\"a5-b4\"]}\n\
                    {\"id\": \"hopeless\", \"fen\": \"W:WKa5,a3:Ba7,f4\", \"best\": [\"a3-b4\"]}\n\
                    {\"id\": \"bad\", \"fen\": \"W:WKa5\", \"best\": [\"a5-h8\"]}\nnonsense\n";
    let output = run(&["solve", "--movetime", "100"], problems);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output);
    assert!(
        said.contains("1 of 2 solved") && said.contains("not solved: hopeless"),
        "{said}"
    );
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        errors.contains("-:4: ") && errors.contains("-:5: bad JSON"),
        "{errors}"
    );
    let studies = positions_file("problems/studies.jsonl");
    let studies = studies.to_str().expect("UTF-8");
    let output = run(&["solve", studies, "--nodes", "1000000", "--json"], "");
    assert!(output.status.success(), "{}", text(&output));
    let said = text(&output);
    let last: Value = serde_json::from_str(said.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["problems"], last["solved"]);
    assert_eq!(last["unsolved"].as_array().map(Vec::len), Some(0));
}

#[test]
fn nearly_all_combinations_are_solved_by_few_nodes() {
    let problems = positions_file("problems/combinations.jsonl");
    let problems = problems.to_str().expect("UTF-8");
    let said = text(&run(
        &["solve", problems, "--nodes", "100000", "--json"],
        "",
    ));
    let last: Value = serde_json::from_str(said.lines().last().expect("a line")).expect("JSON");
    let solved = last["solved"].as_u64().expect("a number");
    assert!(last["problems"] == 57 && solved >= 55, "{said}");
}

#[test]
fn shells_and_readers_of_manuals_are_served() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&run(&["completions", shell], ""));
        assert!(script.contains("annotate"), "{shell}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man");
    assert!(
        run(&["man", "--dir", pages.to_str().expect("UTF-8")], "")
            .status
            .success()
    );
    let page = std::fs::read_to_string(pages.join("shashki-analyse.1")).expect("a page");
    assert!(page.contains("threads"), "{page}");
}
