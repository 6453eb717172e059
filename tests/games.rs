//! `shashki pdn`: files of games checked, converted, split and counted.

use crate::support::engine::output;
use encoding_rs::{IBM866, WINDOWS_1251};
use serde_json::Value;
use shashki::notation::pdn::Reader;
use std::path::Path;
use std::process::Output;

const GOOD: &str = "[Event \"Кубок\"]\n[White \"Иванов\"]\n[Result \"1/2-1/2\"]\n\n1. c3-d4 b6-a5 2. d4-c5 (2. d4-e5) d6xb4 3. a3xc5 1/2-1/2\n\n";
const BAD: &str =
    "[Event \"Кубок\"]\n[White \"Петров\"]\n[Result \"*\"]\n\n1. c3-d4 b6-a5\n2. d4-h8 *\n\n";

fn pdn(arguments: &[&str]) -> Output {
    output(&[&["pdn"], arguments].concat(), b"")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn faults_are_told_with_file_line_and_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = "[FEN \"W:Wa1:Bb2\"]\n[Result \"0-1\"]\n1. a1xc3 0-1\n";
    let games = write(
        folder.path(),
        "игры.pdn",
        [GOOD, BAD, wrong].concat().as_bytes(),
    );
    let output = pdn(&["check", &games]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output);
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{games}:12: game 2: ply 3: ")),
        "{told}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("game 3") && line.contains("White has won")),
        "{told}"
    );
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("3 games, ")),
        "{told}"
    );
    let json = text(&pdn(&["check", "--json", &games]));
    let json: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        (&json[0]["game"], &json[0]["line"], &json[0]["ply"]),
        (&2.into(), &12.into(), &3.into())
    );
    let good = write(folder.path(), "good.pdn", GOOD.as_bytes());
    assert!(pdn(&["check", &good]).status.success());
    assert_eq!(pdn(&["check", "no such file"]).status.code(), Some(2));
}

#[test]
fn spellings_and_encodings_are_converted_there_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = write(folder.path(), "games.pdn", GOOD.as_bytes());
    let convert = |more: &[&str]| pdn(&[&["convert"], more].concat());
    let numeric = convert(&[&games, "--squares", "numbers"]);
    assert!(numeric.status.success());
    let numeric = text(&numeric);
    assert!(
        numeric.contains("1. 22-18 9-13 2. 18-14 ( 2. 18-15 ) 10x17 3. 21x14"),
        "{numeric}"
    );
    let a1 = text(&convert(&[
        &games,
        "--squares",
        "numbers",
        "--numbering",
        "a1",
    ]));
    assert!(a1.contains("1. 10-14 21-17"), "{a1}");
    for (name, text_there) in [("b8", &numeric), ("a1", &a1)] {
        let there = write(folder.path(), name, text_there.as_bytes());
        let back = text(&convert(&[&there]));
        assert!(
            back.contains("1. c3-d4 b6-a5 2. d4-c5 ( 2. d4-e5 ) d6:b4 3. a3:c5"),
            "{back}"
        );
    }
    assert!(text(&convert(&[&games, "--cross"])).contains("d6xb4"));
    for (name, encoding) in [("cp1251", WINDOWS_1251), ("cp866", IBM866)] {
        let out = folder.path().join(name);
        let out = out.to_str().expect("UTF-8");
        assert!(
            convert(&[&games, "--to-encoding", name, "--out", out])
                .status
                .success()
        );
        let bytes = std::fs::read(out).expect("written");
        let (decoded, _, _) = encoding.decode(&bytes);
        assert!(decoded.contains("Иванов"));
        let back = text(&convert(&[out, "--encoding", name]));
        assert!(back.contains("[White \"Иванов\"]"), "{back}");
    }
}

#[test]
fn what_cannot_be_converted_is_kept_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let star = GOOD.replace("Иванов", "★Иванов");
    let games = write(folder.path(), "games.pdn", [BAD, &star].concat().as_bytes());
    let output = pdn(&[
        "convert",
        &games,
        "--squares",
        "numbers",
        "--to-encoding",
        "cp1251",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let (decoded, _, _) = WINDOWS_1251.decode(&output.stdout);
    assert!(
        decoded.contains("d4-h8") && decoded.contains("?Иванов") && decoded.contains("22-18"),
        "{decoded}"
    );
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        errors.contains("game 1: stays as it was") && errors.contains("1 characters"),
        "{errors}"
    );
}

#[test]
fn games_are_split_by_number_and_by_tag_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = write(
        folder.path(),
        "games.pdn",
        [GOOD, BAD, GOOD].concat().as_bytes(),
    );
    let out = folder.path().join("out");
    let dir = out.to_str().expect("UTF-8");
    let count = |path: &Path| {
        let mut reader = Reader::new(std::fs::File::open(path).expect("a file"));
        std::iter::from_fn(|| reader.next_game().expect("text")).count()
    };
    assert!(
        pdn(&["split", &games, "--dir", dir, "--games", "2"])
            .status
            .success()
    );
    assert_eq!(
        (
            count(&out.join("000001.pdn")),
            count(&out.join("000002.pdn"))
        ),
        (2, 1)
    );
    let again = pdn(&["split", &games, "--dir", dir, "--games", "2"]);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(count(&out.join("000001.pdn")), 2);
    assert!(
        pdn(&["split", &games, "--dir", dir, "--by", "White"])
            .status
            .success()
    );
    assert_eq!(
        (
            count(&out.join("Иванов.pdn")),
            count(&out.join("Петров.pdn"))
        ),
        (2, 1)
    );
    // A tag is no way out of the folder.
    let evil = write(
        folder.path(),
        "evil.pdn",
        GOOD.replace("Иванов", "../../evil").as_bytes(),
    );
    assert!(
        pdn(&["split", &evil, "--dir", dir, "--by", "White"])
            .status
            .success()
    );
    assert!(!folder.path().join("evil.pdn.pdn").exists() && out.join("_.._evil.pdn").exists());
}

#[test]
fn results_are_counted_by_opening() {
    let folder = tempfile::tempdir().expect("a folder");
    let won = "[Result \"2-0\"]\n1. c3-d4 b6-a5 2. d4-e5 f6xd4 3. e3xc5 2-0\n\n";
    let games = write(
        folder.path(),
        "games.pdn",
        [GOOD, won, BAD, "[FEN \"W:Wa1:Bh8\"]\n*\n"]
            .concat()
            .as_bytes(),
    );
    let output = pdn(&["stats", &games, "--plies", "2", "--json"]);
    assert_eq!(output.status.code(), Some(1), "one cannot be played");
    let stats: Value = serde_json::from_str(&text(&output)).expect("JSON");
    assert_eq!(
        (&stats["all"]["games"], &stats["unreadable"]),
        (&3.into(), &1.into())
    );
    let first = &stats["openings"][0];
    assert_eq!(first["opening"], "c3-d4 b6-a5");
    assert_eq!(
        (&first["results"]["white_wins"], &first["results"]["draws"]),
        (&1.into(), &1.into())
    );
    assert_eq!(first["results"]["white_per_cent"], 75.0);
    let table = text(&pdn(&["stats", &games, "--top", "1"]));
    assert_eq!(table.lines().count(), 4, "{table}");
}
