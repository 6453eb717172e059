//! The Hub protocol, spoken with the real program.

use crate::support::engine::{Engine, run};
use std::time::{Duration, Instant};

const START: &str = "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

fn started() -> Engine {
    let mut engine = Engine::start(&["hub"]);
    engine.ask("hub", "wait");
    engine.ask("init", "ready");
    engine
}

fn script(text: &str) -> Vec<String> {
    let (status, output, errors) = run(&["hub"], text.as_bytes());
    assert!(status.success(), "{text}");
    assert_eq!(errors, "", "clients merge the two outputs");
    output.lines().map(str::to_owned).collect()
}

fn errors(text: &str) -> Vec<String> {
    let lines = script(text).into_iter();
    lines
        .filter_map(|line| line.strip_prefix("error message=").map(str::to_owned))
        .collect()
}

#[test]
fn the_handshake_declares_what_clients_look_for() {
    let mut engine = Engine::start(&["hub", "--tt-size=3", "--bb-size", "5", "extra"]);
    assert!(engine.is_silent(Duration::from_millis(200)));
    engine.say("hub");
    let lines = engine.until("wait");
    assert!(
        lines[0].starts_with("id name=Shashki version="),
        "{lines:?}"
    );
    assert_eq!(
        lines[1],
        "param name=variant value=russian type=enum values=\"russian\""
    );
    for line in [
        "param name=ponder value=true type=bool",
        "param name=threads value=1 type=int min=1 max=512",
        "param name=tt-size value=22 type=int min=16 max=36",
        "param name=hub-squares value=auto type=enum values=\"auto b8 a1\"",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line}");
    }
    // Words that clients split at blanks and at one `=` each.
    for line in &lines[..lines.len() - 1] {
        let outside: String = line
            .split('"')
            .step_by(2)
            .collect::<Vec<_>>()
            .join("quoted");
        for word in outside.split_whitespace().skip(1) {
            assert_eq!(word.matches('=').count(), 1, "{line}");
        }
    }
    assert_eq!(engine.ask("init", "ready"), "ready");
}

#[test]
fn a_whole_exchange() {
    let mut engine = started();
    engine.say("set-param name=variant value=russian\nset-param name=initial-time value=60.0");
    engine.say(&format!("{START}\nlevel depth=6\ngo think"));
    let lines = engine.until("done");
    let info = &lines[lines.len() - 2];
    for name in [
        "info depth=",
        "mean-depth=",
        "score=",
        "nodes=",
        "time=",
        "nps=",
        "pv=\"",
    ] {
        assert!(info.contains(name), "{info}");
    }
    let done = lines.last().expect("done");
    assert!(
        done.starts_with("done move=2") && done.contains(" ponder="),
        "{done}"
    );
    engine.say(&format!(
        "{START} moves=\"22-18 9-13\"\nlevel time=8.9 inc=0.5\ngo ponder"
    ));
    engine.answer("info");
    assert_eq!(engine.ask("ping", "pong"), "pong");
    let done = engine.ask("ponder-hit", "done");
    assert!(done.starts_with("done move="), "{done}");
    engine.say("new-game\ngo analyze");
    engine.answer("info");
    engine.ask("stop", "done");
    engine.say("quit");
    assert!(engine.wait().success());
}

#[test]
fn levels_are_kept() {
    let mut engine = started();
    for (level, least, most) in [
        ("level move-time=0.3", 200, 450),
        ("level time=1.0 inc=0.1", 0, 1000),
        ("level time=-0.3 inc=0.3", 0, 300),
        ("level moves=10 time=2", 0, 1000),
        ("level nodes=2000", 0, 300),
        ("level depth=4\nlevel move-time=9", 0, 300),
        ("level time=1e-05 inc=0", 0, 200),
        ("level handicap=0 ply=3 depth=2", 0, 300),
    ] {
        engine.say(&format!("{START}\n{level}"));
        let begun = Instant::now();
        engine.ask("go think", "done move=");
        let taken = begun.elapsed().as_millis();
        assert!((least..most + 250).contains(&taken), "{level}: {taken} ms");
    }
    // Without a level an answer comes all the same.
    engine.say(START);
    let begun = Instant::now();
    engine.ask("go think", "done move=");
    assert!(
        (4000..6500).contains(&begun.elapsed().as_millis()),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn times_of_any_size_are_survived() {
    for level in [
        "move-time=inf",
        "move-time=1e19",
        "move-time=1e400",
        "move-time=nan depth=2",
        "time=1e300 inc=inf",
        "time=-inf inc=-1e9",
        "time=5 inc=1e300 moves=1",
        "depth=1e30 nodes=1e30 moves=-4",
        "time=inf inc=-inf",
        "time=-1e300 inc=1e300",
    ] {
        for go in ["go think", "go ponder\nponder-hit"] {
            let mut engine = started();
            engine.say(&format!("{START}\nlevel {level}\n{go}"));
            engine.say("ping");
            let mut lines = engine.until("pong");
            engine.say("stop");
            if !lines.iter().any(|line| line.starts_with("done")) {
                lines = engine.until("done");
            }
            assert!(
                lines.iter().any(|line| line.starts_with("done move=")),
                "{level}: {lines:?}"
            );
        }
    }
}

#[test]
fn the_numbering_of_the_other_end_is_found_out() {
    let best = |moves: &str, extra: &str| {
        let lines = script(&format!(
            "hub\n{extra}\ninit\n{START} moves=\"{moves}\"\nlevel depth=5\ngo think\n"
        ));
        let done = lines.last().expect("done").clone();
        done.split_whitespace().nth(1).expect("a move").to_owned()
    };
    // After c3-d4 Black moves from 5..12 in the one numbering and from 21..28 in the other.
    let from = |text: String| {
        let text = text.strip_prefix("move=").expect("move=").to_owned();
        text.split(['-', 'x'])
            .next()
            .expect("from")
            .parse::<usize>()
            .expect("a number")
    };
    assert!(from(best("22-18", "")) <= 12);
    assert!(from(best("10-14", "")) >= 21);
    assert!(from(best("", "set-param name=hub-squares value=a1")) <= 12);
    assert!(from(best("", "")) >= 21);
    // Fixed means fixed.
    let fixed = format!(
        "set-param name=hub-squares value=b8\ninit\n{START} moves=\"10-14\"\nlevel depth=3\ngo think\n"
    );
    assert_eq!(script(&fixed).last().map(String::as_str), Some("done"));
    // What was found out stays.
    let lines = script(&format!(
        "hub\ninit\n{START} moves=\"10-14\"\nlevel depth=3\ngo think\n{START}\nlevel depth=3\ngo think\n"
    ));
    let last = lines
        .last()
        .expect("done")
        .split_whitespace()
        .nth(1)
        .expect("a move")
        .to_owned();
    assert!(from(last) <= 12);
}

#[test]
fn bad_input_gets_its_message_and_no_stale_answer() {
    assert_eq!(errors("pos pos=Wbbb\n"), ["\"bad position\""]);
    assert_eq!(
        errors("pos pos=Wbbbbbbbbbbbbeeeexeeewwwwwwwwwwww\n"),
        ["\"bad position\""]
    );
    assert_eq!(
        errors("pos pos=Wwbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\n"),
        ["\"bad position\""]
    );
    assert_eq!(errors("pos\n"), ["\"bad position\""]);
    assert_eq!(
        errors(&format!("{START} moves=\"22-15\"\n")),
        ["\"illegal move\""]
    );
    for unreadable in ["22-18 zz", "22", "-", "22-"] {
        let errors = errors(&format!("{START} moves=\"{unreadable}\"\n"));
        assert_eq!(errors, ["\"bad move\""], "{unreadable}");
    }
    assert_eq!(errors("set-param value=3\n"), ["\"missing name\""]);
    assert_eq!(
        errors("set-param name=variant value=frisian\n"),
        ["\"unsupported variant\""]
    );
    assert_eq!(
        errors("set-param name=threads value=many\n"),
        ["\"bad value\""]
    );
    assert_eq!(
        errors("set-param name=hub-squares value=h1\n"),
        ["\"bad value\""]
    );
    let harmless = "\n\nunknown word=1\nset-param name=book-ply value=20\nset-param name=threads \
                    value=100000\nset-param name=tt-size value=1\nstop\nponder-hit\nlevel\npos start\n";
    assert_eq!(errors(harmless), Vec::<String>::new());
    for bad in ["pos pos=Wbbb", &format!("{START} moves=\"22-15\"")] {
        let lines = script(&format!("{START}\n{bad}\nlevel depth=3\ngo think\n"));
        assert_eq!(lines.last().map(String::as_str), Some("done"), "{bad}");
    }
    // A side without a move: a bare done.
    let lines = script("pos pos=Weebeeeebeeeweeeeeeeeeeeeeeeeeeee\nlevel depth=3\ngo think\n");
    assert_eq!(lines.last().map(String::as_str), Some("done"), "{lines:?}");
}

#[test]
fn captures_carry_all_captured_squares_in_and_out() {
    // Four captured, the way back to the origin: the only move.
    let mut hub = String::from("W");
    for number in 1..=32 {
        hub.push(match number {
            6 => 'w',
            9 | 10 | 17 | 18 | 23 | 27 => 'b',
            _ => 'e',
        });
    }
    let lines = script(&format!("pos pos={hub}\nlevel depth=3\ngo think\n"));
    let done = lines.last().expect("done");
    assert!(done.starts_with("done move=6x6x9x10x17x18"), "{done}");
    for moves in ["6x6x9x10x17x18", "6x6x18x9x17x10"] {
        let lines = script(&format!(
            "pos pos={hub} moves=\"{moves}\"\nlevel depth=3\ngo think\n"
        ));
        assert!(
            lines
                .last()
                .is_some_and(|line| line.starts_with("done move=")),
            "{lines:?}"
        );
    }
    assert_eq!(
        errors(&format!("pos pos={hub} moves=\"6x6x9\"\n")),
        ["\"illegal move\""]
    );
}

#[test]
fn every_go_has_one_done_and_the_end_of_input_ends_the_program() {
    let mut engine = started();
    engine.say(START);
    for _ in 0..100 {
        engine.say("go analyze\nstop");
    }
    for _ in 0..100 {
        engine.answer("done");
    }
    // A second go while thinking: the first is finished, then the second begins.
    engine.say("go analyze\ngo analyze");
    engine.answer("done");
    engine.ask("stop", "done");
    assert!(engine.is_silent(Duration::from_millis(100)));
    for last in ["", "go analyze", "go ponder"] {
        let mut engine = started();
        engine.say(&format!("{START}\n{last}"));
        engine.ask("ping", "pong");
        let begun = Instant::now();
        engine.close();
        assert!(engine.wait().success());
        assert!(
            begun.elapsed() < Duration::from_secs(2),
            "{last}: {:?}",
            begun.elapsed()
        );
    }
}
