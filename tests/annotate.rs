//! `shashki annotate`: games with every move judged.

use crate::support::engine::output;
use serde_json::Value;
use shashki::notation::pdn::{Item, PdnGame, Reader};
use std::path::Path;
use std::process::Output;

/// A game with a comment and a mark of its own, and names that would break a page.
const BLUNDER: &str = "[Event \"Турнир </script> & <b>\"]\n[White \"Иванов\"]\n[Black \"Petrov\"]\n[Result \"0-1\"]\n\n\
                       1. c3-d4 {as ever} d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4xd6 e7xc5 5. d4-e5 $1 *\n";
const BROKEN: &str = "[Event \"2\"]\n1. c3-d4 b6-a5 2. d4-h8 a5-b4 *\n";

const NODES: &str = "20000";

fn annotate(arguments: &[&str], input: &str) -> Output {
    let all = [&["annotate", "--nodes", NODES], arguments].concat();
    output(&all, input.as_bytes())
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Game files break their lines anywhere.
fn on_one_line(output: &Output) -> String {
    text(output)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn reports(output: &Output) -> Vec<Value> {
    let text = text(output);
    text.lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

fn games(text: &str) -> Vec<PdnGame> {
    let mut reader = Reader::new(text.as_bytes());
    std::iter::from_fn(|| reader.next_game().expect("text")).collect()
}

#[test]
fn a_blunder_is_marked_and_the_better_line_shown() {
    // The second move of White gives a man away.
    let source = "1. c3-d4 d6-c5 2. e3-f4 c5xg5 3. g3-h4 *";
    let report = &reports(&annotate(&["--format", "json"], source))[0];
    let moves = report["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 5);
    let bad: Vec<&Value> = moves.iter().filter(|mv| mv["mark"] == "??").collect();
    assert_eq!(bad.len(), 1, "{report}");
    assert_eq!(bad[0]["ply"], 3);
    for mv in moves {
        let points = |line: &Value| {
            line["odds"][0].as_u64().unwrap_or(0) + line["odds"][1].as_u64().unwrap_or(0) / 2
        };
        let loss = mv["loss"].as_u64().expect("a number");
        assert_eq!(loss, points(&mv["best"]) - points(&mv["after"]));
        assert_eq!(mv["played"], mv["after"]["pv"][0]);
        match mv["mark"].as_str() {
            Some("??") => assert!(loss >= 300),
            Some("?") => assert!((160..300).contains(&loss)),
            Some("?!") => assert!((80..160).contains(&loss)),
            Some("!") => assert!(mv["only"] == true && loss < 80),
            _ => assert!(loss < 80),
        }
        if mv["forced"] == true {
            assert_eq!((loss, &mv["only"]), (0, &Value::Bool(false)));
        }
    }
    // As a game file: the moves are the same, the mark and a line that can be played are there.
    let written = text(&annotate(&[], source));
    let game = &games(&written)[0];
    assert_eq!(
        game.moves().collect::<Vec<_>>(),
        ["c3-d4", "d6-c5", "e3-f4", "c5xg5", "g3-h4"]
    );
    assert!(game.items.contains(&Item::Nag(4)), "{written}");
    let converted = game.converted(shashki::notation::Spelling::Algebraic, Default::default());
    assert_eq!(converted.expect("plays").kept, [], "{written}");
    assert!(
        game.items
            .iter()
            .any(|item| matches!(item, Item::Variation(_)))
    );
    let line = on_one_line(&annotate(&[], source));
    assert!(
        line.contains("[%eval ") && line.contains("gives away"),
        "{line}"
    );
}

#[test]
fn what_stood_in_the_file_stays() {
    let written = text(&annotate(&[], BLUNDER));
    for part in [
        "[White \"Иванов\"]",
        "{as ever}",
        "[Annotator \"Shashki",
        "[WhiteAccuracy \"",
        "[GameType \"25,",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    // Numbers stay numbers.
    let numeric = text(&annotate(&[], "1. 22-18 10-15 *"));
    assert!(numeric.contains("1. 22-18"), "{numeric}");
    assert!(
        !numeric.contains("c3") && games(&numeric)[0].replay().is_ok(),
        "{numeric}"
    );
}

#[test]
fn a_broken_game_is_judged_up_to_its_fault_and_the_next_one_as_ever() {
    let input = format!("{BROKEN}\n{BLUNDER}");
    let output = annotate(&["--format", "json"], &input);
    assert_eq!(output.status.code(), Some(1));
    let reports = reports(&output);
    assert_eq!(reports.len(), 2);
    assert_eq!(reports[0]["moves"].as_array().map(Vec::len), Some(2));
    assert!(
        reports[0]["error"]
            .as_str()
            .is_some_and(|error| error.contains("ply 3"))
    );
    assert!(reports[1]["error"].is_null());
    let written = on_one_line(&annotate(&[], &input));
    assert!(
        written.contains("2. d4-h8") && written.contains("not judged from here on"),
        "{written}"
    );
}

#[test]
fn games_come_in_order_whatever_the_number_of_threads() {
    let games = [BLUNDER, BROKEN].concat().repeat(6);
    let run = |threads| text(&annotate(&["--threads", threads], &games));
    let one = run("1");
    assert_eq!(one, run("3"));
    assert_eq!(one.matches("[Event ").count(), 12);
}

#[test]
fn draws_by_rule_the_book_and_tables_are_told() {
    let game = "[FEN \"W:WKa1:BKa5,Kb8\"]\n1. a1-b2 a5-e1 2. b2-a1 e1-a5 3. a1-b2 a5-e1 4. b2-a1 e1-a5 5. a1-b2 *";
    let report = &reports(&annotate(&["--format", "json"], game))[0];
    let moves = report["moves"].as_array().expect("moves");
    let drawn: Vec<&Value> = moves
        .iter()
        .filter(|mv| mv["drawn_by"].is_string())
        .collect();
    assert_eq!(drawn.len(), 1, "{report}");
    assert_eq!(drawn[0]["ply"], 8);
    assert!(moves.iter().all(|mv| mv["table"]["value"].is_string()));
    assert!(moves.iter().all(|mv| mv["book"] == false));
    assert!(report["left_book"].is_null());
    let opening = &reports(&annotate(
        &["--format", "json"],
        "1. a3-b4 h6-g5 2. b2-a3 g7-h6 3. a1-b2 h8-g7 4. g3-f4 *",
    ))[0];
    assert_eq!(opening["moves"][0]["book"], true);
}

#[test]
fn the_page_needs_nothing_else_and_names_cannot_break_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("страница.html");
    let out = page.to_str().expect("UTF-8");
    let output = annotate(&["--format", "html", "--out", out], BLUNDER);
    assert!(output.status.success() && output.stdout.is_empty());
    let html = std::fs::read_to_string(&page).expect("a page");
    assert_eq!(html.matches("</script").count(), 1);
    assert!(html.contains("Иванов") && html.contains("id=\"wk\""));
    for outside in ["http:", "https:", "src=", "@import", "url(http"] {
        assert!(!html.contains(outside), "{outside}");
    }
    // What fails leaves the old page alone.
    let failed = annotate(&["--format", "html", "--out", out, "no such file"], "");
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&page).expect("still there"), html);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 1, "no half-written files");
    let nowhere = Path::new("no such folder/page.html")
        .to_str()
        .expect("UTF-8");
    assert_eq!(
        annotate(&["--out", nowhere], BLUNDER).status.code(),
        Some(2)
    );
}
