//! Engines that play badly in every sense: for the tests of the match runner.
//!
//! `mock-engine FAULT [PLY]`: speaks UCI-style, or Hub if the first line is `hub`, plays the first
//! legal move, and from its move number PLY (counted over all of its games in this process, from 1)
//! does what FAULT says. The referee's library finds the moves, so that a fault is always the one
//! that was asked for.

#![allow(clippy::print_stdout, reason = "it is the protocol")]

use shashki::notation::{Numbering, Spelling, fen, movetext};
use shashki::rules::{Move, Position};
use std::io::{BufRead, Write};
use std::time::Duration;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let fault = arguments.next().unwrap_or_else(|| "none".to_owned());
    let from: u32 = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    if fault == "dead" {
        return;
    }
    let mut mock = Mock {
        fault,
        from,
        answered: 0,
        hub: false,
        position: Position::start(),
    };
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if !mock.command(line.trim()) {
            break;
        }
    }
}

struct Mock {
    fault: String,
    from: u32,
    answered: u32,
    hub: bool,
    position: Position,
}

fn say(text: &str) {
    println!("{text}");
    let _ = std::io::stdout().flush();
}

impl Mock {
    /// Whether to go on.
    fn command(&mut self, line: &str) -> bool {
        let word = line.split_whitespace().next().unwrap_or("");
        match word {
            "uci" if self.fault == "mute" => std::thread::sleep(Duration::from_secs(3600)),
            "uci" => say("id name mock\nuciok"),
            "hub" => {
                self.hub = true;
                say("id name=mock version=1 author=us country=?\nwait");
            }
            "isready" => say("readyok"),
            "init" => say("ready"),
            "ping" => say("pong"),
            "position" | "pos" => self.position = self.read(line),
            "go" => self.go(),
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn read(&self, line: &str) -> Position {
        let (start, moves) = line.split_once("moves").unwrap_or((line, ""));
        let mut position = match start.split_once("fen ").or(start.split_once("pos=")) {
            Some((_, text)) => {
                fen::read(text.trim(), Numbering::B8)
                    .expect("a position")
                    .position
            }
            None => Position::start(),
        };
        for text in moves.split([' ', '=', '"']).filter(|text| !text.is_empty()) {
            let mv = if self.hub {
                movetext::read_hub(&position, text, Numbering::B8)
            } else {
                movetext::read(&position, text, Numbering::B8).ok()
            };
            position = position.play(mv.expect("the runner sends legal moves"));
        }
        position
    }

    fn write(&self, position: &Position, mv: Move) -> String {
        if self.hub {
            movetext::write_hub(mv, Numbering::B8)
        } else {
            movetext::write_full(position, mv, Spelling::Algebraic)
        }
    }

    fn go(&mut self) {
        self.answered += 1;
        let faulty = self.answered >= self.from;
        let fault = if faulty { self.fault.as_str() } else { "none" };
        match fault {
            "crash" => std::process::exit(3),
            "stall" => return,
            "slow" => std::thread::sleep(Duration::from_millis(300)),
            "noisy" => say("what a nice position this is"),
            "binary" => {
                let _ = std::io::stdout().write_all(b"\xff\xfe\x00\n");
            }
            "endless" => {
                let long = "x".repeat(3 << 20);
                say(&long);
            }
            _ => {}
        }
        let answer = if self.hub { "done move=" } else { "bestmove " };
        if fault == "cheat" {
            say(&format!(
                "{answer}{}",
                if self.hub { "1-5" } else { "a1-b2" }
            ));
            return;
        }
        if fault == "empty" {
            say(answer.trim_end_matches("move=").trim_end());
            return;
        }
        let moves = self.position.legal_moves();
        // The last move of the list: games of this engine against itself end in a few dozen moves.
        let Some(&mv) = moves.last() else {
            say(answer.trim_end());
            return;
        };
        let score = match fault {
            "pessimist" => -900,
            "optimist" => 900,
            _ => 0,
        };
        if self.hub {
            say(&format!(
                "info depth=3 score={:.2} nodes=10",
                f64::from(score) / 100.0
            ));
        } else {
            say(&format!("info depth 3 score cp {score} nodes 10"));
        }
        say(&format!("{answer}{}", self.write(&self.position, mv)));
    }
}
