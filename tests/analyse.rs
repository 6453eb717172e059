//! `shashki analyse` as scripts use it.

use crate::support::engine::{Engine, output};
use crate::support::{positions_file, root};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

/// Runs it on an input.
fn analyse(arguments: &[&str], input: &str) -> Output {
    output(&[&["analyse"], arguments].concat(), input.as_bytes())
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Its answers.
fn answers(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// The answers without what the clock decides.
fn timeless(text: &str) -> Vec<Value> {
    let mut answers = answers(text);
    for answer in &mut answers {
        let answer = answer.as_object_mut().expect("an object");
        answer.remove("time_ms");
        answer.remove("nps");
    }
    answers
}

/// Some positions of the project, one a line.
fn positions(count: usize) -> String {
    let file = std::fs::read_to_string(positions_file("legal-moves.txt")).expect("a file");
    let lines = file
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let fens = lines.map(|line| line.split('|').next().expect("a position").trim());
    fens.step_by(29)
        .take(count)
        .map(|fen| format!("{fen}\n"))
        .collect()
}

#[test]
fn answers_come_in_order_and_are_the_same_with_any_number_of_threads() {
    let input = positions(150) + "nonsense\n" + &positions(150) + "W:Wa1:Bh8 ; last\n";
    for limits in [
        ["--nodes", "3000", "--multipv", "1"],
        ["--depth", "5", "--multipv", "3"],
    ] {
        let one = analyse(&[&limits[..], &["--threads", "1"]].concat(), &input);
        let three = analyse(&[&limits[..], &["--threads", "3"]].concat(), &input);
        assert_eq!(timeless(&text(&one)), timeless(&text(&three)));
        assert_eq!(one.status.code(), Some(1));
        let answers = answers(&text(&one));
        assert_eq!(answers.len(), 302);
        let lines: Vec<u64> = answers.iter().filter_map(|a| a["line"].as_u64()).collect();
        assert!(lines.iter().copied().eq(1..=302));
        assert!(answers[150]["error"].is_string() && answers[149]["best"].is_string());
        assert_eq!(answers[301]["id"], "last");
        // What is asked twice is thought about once: even the time is the same.
        for at in 0..150 {
            assert_eq!(answers[at]["nps"], answers[151 + at]["nps"]);
        }
    }
}

#[test]
fn the_keys_are_those_that_the_readme_names() {
    let asked = "startpos\nnonsense\nW:WKc1:BKh8\n";
    let output = analyse(&["--multipv", "2", "--depth", "3"], asked);
    let answers = answers(&text(&output));
    let mut keys: Vec<&String> = answers
        .iter()
        .flat_map(|answer| answer.as_object().expect("an object").keys())
        .collect();
    keys.sort();
    keys.dedup();
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README");
    let table = readme
        .split("| key of an answer |")
        .nth(1)
        .expect("the table of keys");
    let table = table.split("\n\n").next().expect("a table");
    let mut named: Vec<&str> = table
        .lines()
        .skip(2)
        .flat_map(|row| row.split('|').nth(1).expect("a cell").split(','))
        .map(|key| key.trim().trim_matches('`'))
        .collect();
    named.sort_unstable();
    assert_eq!(keys, named);
    assert_eq!(answers[0]["schema"], shashki::analyse::SCHEMA);
    assert_eq!(answers[0]["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(answers[0]["lines"][0]["pv"], answers[0]["pv"]);
    assert_eq!(answers[2]["table"]["value"], "draw");
}

#[test]
fn wins_losses_and_the_end_are_told() {
    let asked = "W:Wa1:B\nW:W:Ba3\nW:WKd8,Ke7,Ka5:BKf8\nB:WKd8,Ke7,Ka5:BKf8\n";
    let answers = answers(&text(&analyse(&["--nodes", "20000"], asked)));
    assert_eq!(answers[0]["proven"], "win");
    assert_eq!(answers[0]["plies"], 1);
    assert_eq!(answers[1]["best"], Value::Null);
    assert_eq!(
        (&answers[1]["proven"], &answers[1]["plies"]),
        (&"loss".into(), &0.into())
    );
    assert_eq!(answers[2]["proven"], "win");
    assert_eq!(answers[2]["odds"], serde_json::json!([1000, 0, 0]));
    assert_eq!(answers[2]["table"]["value"], "win");
    assert_eq!(answers[2]["score_cp"], Value::Null);
}

#[test]
fn a_script_that_waits_for_each_answer_gets_it() {
    for threads in ["1", "3"] {
        let mut program = Engine::start(&["analyse", "--nodes", "500", "--threads", threads]);
        for number in 1..=20 {
            let answer = program.ask(&format!("W:W{number},32:BK5 ; {number}"), "{");
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            assert_eq!(answer["line"], number);
        }
        program.close();
        assert!(!program.wait().success(), "man on its last row");
    }
}

#[test]
fn a_batch_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let (asked, out) = (
        folder.path().join("asked.txt"),
        folder.path().join("ответы.json"),
    );
    let input = positions(200).replacen("W:", "X:", 1);
    std::fs::write(&asked, &input).expect("written");
    let asked = asked.to_str().expect("UTF-8");
    let whole = text(&analyse(&[asked, "--nodes", "2000"], ""));
    let go_on = |more: &[&str]| {
        let out = out.to_str().expect("UTF-8");
        analyse(
            &[&[asked, "--nodes", "2000", "--resume", out], more].concat(),
            "",
        )
    };
    // Killed in the middle of a line.
    let at = whole.len() * 2 / 5;
    std::fs::write(&out, &whole.as_bytes()[..at]).expect("written");
    let output = go_on(&[]);
    assert_eq!(
        output.status.code(),
        Some(1),
        "one was not understood before"
    );
    assert!(output.stdout.is_empty());
    let written = std::fs::read_to_string(&out).expect("answers");
    assert_eq!(timeless(&written), timeless(&whole));
    assert!(written.starts_with(&whole[..at - whole[..at].lines().last().expect("a line").len()]));
    // Other questions, though as many.
    let others = folder.path().join("others");
    std::fs::write(&others, positions(201).split_once('\n').expect("lines").1).expect("written");
    let others = others.to_str().expect("UTF-8");
    let mixed = analyse(
        &[
            others,
            "--nodes",
            "2000",
            "--resume",
            out.to_str().expect("UTF-8"),
        ],
        "",
    );
    assert_eq!(mixed.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&out).expect("answers"), written);
    // Nothing is left to do.
    assert_eq!(go_on(&[]).status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&out).expect("answers"), written);
    assert_eq!(go_on(&["--format", "csv"]).status.code(), Some(2));
    // Answers to something else are left alone.
    for other in [
        "{\"schema\":1,\"line\":77}\n",
        "no answers\n",
        "{}\n",
        "settings without a line end",
    ] {
        std::fs::write(&out, other).expect("written");
        assert_eq!(go_on(&[]).status.code(), Some(2), "{other}");
        assert_eq!(std::fs::read_to_string(&out).expect("still there"), other);
    }
}

/// Killed for good while it works, not only cut off afterwards.
#[test]
fn kill_and_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let (asked, out) = (folder.path().join("asked"), folder.path().join("out"));
    std::fs::write(&asked, positions(400)).expect("written");
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_shashki"))
            .args(["analyse", "--nodes", "5000", "--threads", "2", "--resume"])
            .args([&out, &asked])
            .spawn()
            .expect("the program starts")
    };
    let mut kills = 0;
    while kills < 5 {
        let mut child = start();
        std::thread::sleep(std::time::Duration::from_millis(120));
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("dead");
        kills += 1;
    }
    assert!(start().wait().expect("it ends").success());
    let written = std::fs::read_to_string(&out).expect("answers");
    let asked = asked.to_str().expect("UTF-8");
    let whole = text(&analyse(&[asked, "--nodes", "5000"], ""));
    assert_eq!(timeless(&written), timeless(&whole));
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shashki"))
        .args(["analyse", "--nodes", "1000", "--threads", "2"])
        .arg(positions_file("legal-moves.txt"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    output.read_line(&mut first).expect("an answer");
    drop(output);
    let mut said = String::new();
    let mut errors = child.stderr.take().expect("piped");
    errors.read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("it ends").success(), "{said}");
    assert_eq!(said, "");
}

#[test]
fn what_cannot_begin_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().to_str().expect("UTF-8");
    for bad in [
        &["no such file"][..],
        &[folder],
        &["--tables", "no such folder"],
        &["--eval", "no such file"],
        &["--depth", "0"],
        &["--resume", folder],
    ] {
        let output = analyse(bad, "startpos\n");
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{bad:?}"
        );
    }
}

#[test]
fn games_and_other_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games.pdn");
    std::fs::write(
        &games,
        "[Event \"1\"]\n1. c3-d4 b6-a5 *\n\n[Event \"2\"]\n1. c3-c4 *\n",
    )
    .expect("written");
    let games = games.to_str().expect("UTF-8");
    let ids = |more: &[&str]| -> Vec<Value> {
        let output = analyse(&[&[games, "--depth", "2"], more].concat(), "");
        answers(&text(&output))
            .iter()
            .map(|answer| answer["id"].clone())
            .collect()
    };
    assert_eq!(ids(&[]), ["1.0", "1.1", "1.2", "2"]);
    assert_eq!(ids(&["--last"]), ["1.2", "2"]);
    let csv = text(&analyse(
        &["--format", "csv", "--multipv", "2", "--depth", "2"],
        "startpos ; a \"b\", c\nx\n",
    ));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0][1], &rows[1][2]), ("a \"b\", c", "2"));
    assert!(!rows[2][16].is_empty() && rows[0][16].is_empty());
    let table = text(&analyse(
        &["--format", "table", "--depth", "2"],
        "startpos\n",
    ));
    assert_eq!(table.lines().count(), 2);
    let numeric = analyse(&["--numeric", "--depth", "2"], "startpos\n");
    let numeric = answers(&text(&numeric));
    assert!(
        numeric[0]["fen"]
            .as_str()
            .is_some_and(|fen| fen.starts_with("W:W21,"))
    );
}
