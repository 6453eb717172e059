//! Engines that play badly in every sense: for the tests of the match runner.
//!
//! `mock-engine FAULT [PLY [misses]]`: speaks UCI-style, or Hub if the first line is `hub`, plays the
//! last legal move, and does what FAULT says from its move number PLY on, counted from 1 over all of
//! its games in this process. The referee's library finds the moves, so that a fault is always the
//! one that was asked for. It names the move that it expects, which is what another one of its kind
//! plays, or with `misses` another move. It ends at once if it is told anything that must not be said
//! to an engine that ponders.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the protocol, and a word about a fault of the runner"
)]

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
    let misses = arguments.next().is_some_and(|word| word == "misses");
    if fault == "dead" {
        return;
    }
    let mut mock = Mock {
        fault,
        from,
        misses,
        answered: 0,
        hub: false,
        pondering: false,
        answers_again: false,
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
    misses: bool,
    answered: u32,
    hub: bool,
    pondering: bool,
    /// It has answered while pondering, and will once more when it is told to stop pondering.
    answers_again: bool,
    position: Position,
}

/// The depth that it claims.
const DEPTH: u32 = 3;
/// The depth that it claims where the expected move was played.
const DEPTH_AFTER_A_HIT: u32 = 7;
/// The depth that it claims where nobody has asked yet.
const DEPTH_TOO_EARLY: u32 = 5;

fn say(text: &str) {
    println!("{text}");
    let _ = std::io::stdout().flush();
}

impl Mock {
    /// Whether to go on.
    fn command(&mut self, line: &str) -> bool {
        let word = line.split_whitespace().next().unwrap_or("");
        match word {
            "uci" if self.fault == "foreign" => {
                // Cyrillic in cp1251.
                let _ = std::io::stdout()
                    .write_all(b"id name mock\nid author \xc8\xe2\xe0\xed\nuciok\n");
            }
            "uci" if self.fault == "mute" => std::thread::sleep(Duration::from_secs(3600)),
            "uci" => say("id name mock\nuciok"),
            "hub" => {
                self.hub = true;
                say("id name=mock version=1 author=us country=?\nwait");
            }
            "isready" => say("readyok"),
            "init" => say("ready"),
            "ping" => say("pong"),
            "ponderhit" | "ponder-hit" => self.leave_pondering(DEPTH_AFTER_A_HIT),
            "stop" if self.pondering || self.answers_again => self.leave_pondering(DEPTH),
            "ucinewgame" | "new-game" | "position" | "pos" | "level" | "go" if self.pondering => {
                eprintln!("told to {line} while pondering");
                std::process::exit(4);
            }
            "position" | "pos" => self.position = self.read(line),
            "go" if line.ends_with(" ponder") => self.ponder(),
            "go" => {
                self.answers_again = false;
                self.go();
            }
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

    /// What it does now, `none` for nothing wrong.
    fn fault(&self) -> String {
        let faulty = self.answered >= self.from;
        if faulty { &self.fault } else { "none" }.to_owned()
    }

    fn ponder(&mut self) {
        match self.fault().as_str() {
            "eager" => {
                self.answer("none", DEPTH_TOO_EARLY);
                self.answers_again = true;
            }
            "faint" => std::process::exit(3),
            _ => self.pondering = true,
        }
    }

    /// The pondering ends with an answer.
    fn leave_pondering(&mut self, depth: u32) {
        (self.pondering, self.answers_again) = (false, false);
        let fault = self.fault();
        if fault != "dream" {
            self.answered += 1;
            self.answer(&fault, depth);
        }
    }

    fn go(&mut self) {
        self.answered += 1;
        let fault = self.fault();
        match fault.as_str() {
            "crash" => std::process::exit(3),
            "stall" => return,
            "flood" => loop {
                say("info depth 3 score cp 0");
            },
            "foreign" => {
                let _ = std::io::stdout().write_all(b"info string \xf5\xee\xe4\n");
            }
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
        self.answer(&fault, DEPTH);
    }

    fn answer(&self, fault: &str, depth: u32) {
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
                "info depth={depth} score={:.2} nodes=10",
                f64::from(score) / 100.0
            ));
        } else {
            say(&format!("info depth {depth} score cp {score} nodes 10"));
        }
        let mut line = format!("{answer}{}", self.write(&self.position, mv));
        let after = self.position.play(mv);
        let replies = after.legal_moves();
        let reply = if self.misses {
            replies.first()
        } else {
            replies.last()
        };
        if let Some(&reply) = reply {
            let before = if self.hub { " ponder=" } else { " ponder " };
            line.push_str(before);
            line.push_str(&self.write(&after, reply));
        }
        say(&line);
    }
}
