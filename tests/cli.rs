//! The subcommands, run as a user would.

use crate::support::engine::run;
use crate::support::root;
use clap::CommandFactory;
use shashki::cli::args::Args;
use shashki::engine::options::{Kind, SPECS};

fn output(arguments: &[&str]) -> String {
    let (status, output, errors) = run(arguments, b"");
    assert!(status.success(), "{arguments:?}: {errors}");
    output
}

#[test]
fn perft_counts_divides_and_threads() {
    assert!(output(&["perft", "6"]).starts_with("perft 6 = 37986 in "));
    assert!(output(&["perft", "0"]).starts_with("perft 0 = 1 in "));
    assert!(output(&["perft", "7", "--threads", "2"]).starts_with("perft 7 = 190146 in "));
    let divided = output(&["perft", "3", "--divide", "--threads", "2"]);
    assert_eq!(divided.lines().count(), 8, "{divided}");
    let sum: u64 = divided
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(_, n)| n.parse::<u64>().expect("a number"))
        .sum();
    assert_eq!(sum, 302);
    let fen = "W:WKa1,Kc1,Ke1,Kg1:BKb8,Kd8,Kf8,Kh8";
    assert!(output(&["perft", "4", "--fen", fen]).starts_with("perft 4 = 59246 in "));
}

#[test]
fn moves_are_listed() {
    assert!(output(&["moves"]).ends_with("moves 7\n"));
    assert_eq!(
        output(&["moves", "--fen", "W:W22:B18"]),
        "move c3:e5 captured d4\nmoves 1\n"
    );
    assert_eq!(output(&["moves", "--fen", "W:W12:B3,8"]), "moves 0\n");
    let a1 = output(&["moves", "--fen", "W:W10:B14", "--numbering", "a1"]);
    assert_eq!(a1, "move c3:e5 captured d4\nmoves 1\n");
}

#[test]
fn mistakes_are_told_on_standard_error_with_status_two() {
    for arguments in [
        &["moves", "--fen", "nonsense"][..],
        &["perft", "3", "--fen", "W:W3:B20"],
        &["perft"],
        &["perft", "deep"],
        &["perft", "3", "--threads", "0"],
        &["nonsense"],
        &["bench", "0"],
        &["--nonsense"],
        &["--rules", "official", "bench", "3"],
    ] {
        let (status, output, errors) = run(arguments, b"");
        assert_eq!(status.code(), Some(2), "{arguments:?}");
        assert_eq!(output, "", "{arguments:?}");
        assert!(!errors.is_empty(), "{arguments:?}");
    }
    let (_, _, errors) = run(&["moves", "--fen", "W:W3:B20"], b"");
    assert!(
        errors.contains("White man on its promotion row at f8"),
        "{errors}"
    );
}

#[test]
fn bench_is_the_same_each_time() {
    let nodes = |arguments: &[&str]| {
        let output = output(arguments);
        let line = output
            .lines()
            .find_map(|line| line.strip_prefix("Bench: ").map(str::to_owned));
        line.expect("a Bench line")
            .parse::<u64>()
            .expect("a number")
    };
    let first = nodes(&["bench", "6"]);
    assert_eq!(nodes(&["bench", "6"]), first);
    assert!(nodes(&["bench", "6", "--threads", "2"]) > 0);
}

#[test]
fn help_and_version_are_there_for_everything() {
    assert!(output(&["--version"]).starts_with("shashki "));
    assert!(output(&["--help"]).contains("Usage: shashki"));
    for command in Args::command().get_subcommands() {
        let name = command.get_name();
        assert!(output(&["help", name]).contains("Usage:"), "{name}");
        assert!(output(&[name, "--help"]).contains("Usage:"), "{name}");
    }
}

/// The tables of README name every option and every command, with the right defaults.
#[test]
fn readme_is_true() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    for spec in SPECS {
        let kind = match spec.kind {
            Kind::Check => "check".to_owned(),
            Kind::Spin { min, max } => format!("{min} to {max}"),
            Kind::Combo(words) => words.join(", "),
            Kind::Text => "text".to_owned(),
            Kind::Button => "button".to_owned(),
        };
        let default = if spec.default.is_empty() {
            "-"
        } else {
            spec.default
        };
        let row = format!("| `{}` | {kind} | {default} | {} |", spec.name, spec.help);
        assert!(readme.contains(&row), "README lacks the row\n{row}");
    }
    for command in Args::command().get_subcommands() {
        let about = command.get_about().expect("about").to_string();
        let row = format!("| `shashki {}", command.get_name());
        let found = readme.lines().find(|line| line.starts_with(&row));
        assert!(
            found.is_some_and(|line| line.contains(&about)),
            "README lacks {row}: {about}"
        );
    }
    for name in shashki::rules::DrawRules::NAMES {
        assert!(
            readme.contains(&format!("| `{name}` |")),
            "README lacks the rules {name}"
        );
    }
}
