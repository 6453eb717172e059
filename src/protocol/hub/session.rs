//! The command loop of the Hub protocol.

use crate::engine::options::Options;
use crate::engine::{Engine, Running};
use crate::notation::{Numbering, fen};
use crate::protocol::conversation::{self, Turn};
use crate::protocol::hub::wire::{self, Line};
use crate::protocol::input::Message;
use crate::protocol::output;
use crate::rules::Position;
use crate::search::{Clock, Info, Limits, Observer, Report};
use crate::tb::MOST_PIECES;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// A search without a level gets this much time: nobody may ever send a stop.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// The time that is assumed when only moves or an increment are given.
const DEFAULT_CLOCK: f64 = 30.0;
/// No clock shows more than this, in seconds.
const LONGEST_TIME: f64 = 1e8;
/// Sizes of the table, as powers of two of entries of 16 bytes.
const TABLE_SIZES: std::ops::RangeInclusive<u32> = 16..=36;

/// How the other end numbers the squares in its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Squares {
    /// To be found out from its moves.
    Auto,
    /// As the user said.
    Fixed,
}

/// The state of a conversation.
pub(in crate::protocol) struct Session {
    engine: Engine,
    messages: Sender<Message>,
    running: Option<Running>,
    squares: Squares,
    numbering: Numbering,
    /// What `level` lines have said since the last search.
    level: Level,
}

#[derive(Clone, Debug, Default)]
struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<f64>,
    time: Option<f64>,
    increment: Option<f64>,
    moves: Option<u32>,
    infinite: bool,
}

impl Level {
    /// Takes over what a line says.
    fn read(&mut self, line: &Line) {
        let number = |name| {
            let number = line.value(name).and_then(|text| text.parse::<f64>().ok());
            // Numbers of any size may come, and things that are none.
            number
                .filter(|n| !n.is_nan())
                .map(|n| n.clamp(-LONGEST_TIME, LONGEST_TIME))
        };
        let count = |name| number(name).map(|n| n.max(1.0) as u64);
        self.depth = count("depth").map(|n| n.min(1000) as u32).or(self.depth);
        self.nodes = count("nodes").or(self.nodes);
        self.move_time = number("move-time").or(self.move_time);
        self.moves = count("moves").map(|n| n.min(10_000) as u32).or(self.moves);
        self.time = number("time").or(self.time);
        self.increment = number("inc").or(self.increment);
        self.infinite |= line.has("infinite");
    }

    fn limits(&self) -> Limits {
        let seconds = |n: f64| Duration::from_secs_f64(n.max(0.0));
        let timed = self.time.is_some() || self.increment.is_some() || self.moves.is_some();
        let clock = timed.then(|| {
            // The time is told before the increment of this move is added to it.
            let increment = self.increment.unwrap_or(0.0);
            let time = self.time.unwrap_or(DEFAULT_CLOCK);
            Clock {
                remaining: seconds(time + increment),
                increment: seconds(increment),
                moves_to_go: self.moves,
            }
        });
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time.map(seconds),
            clock,
            infinite: self.infinite,
            ..Limits::default()
        }
    }
}

/// Writes an `info` line for each iteration.
struct InfoLines {
    numbering: Numbering,
}

impl Observer for InfoLines {
    fn info(&mut self, info: &Info) {
        if info.rank == 1 && !info.line.is_empty() {
            output::line(&wire::info(info, self.numbering));
        }
    }
}

fn say_error(message: &str) {
    output::line(&wire::error(message));
}

impl Session {
    pub(in crate::protocol) fn new(options: Options, messages: Sender<Message>) -> Session {
        Session {
            engine: Engine::with_options(options),
            messages,
            running: None,
            squares: Squares::Auto,
            numbering: Numbering::B8,
            level: Level::default(),
        }
    }

    /// Answers `hub`: who we are and what can be set.
    pub(in crate::protocol) fn greet(&self) {
        output::line(&format!(
            "id name=Shashki version={} author=\"the Shashki authors\" country=International",
            env!("CARGO_PKG_VERSION")
        ));
        let options = self.engine.options();
        let size = TABLE_SIZES
            .clone()
            .find(|&size| mib_of(size) >= options.hash_mib)
            .unwrap_or(*TABLE_SIZES.end());
        let params = [
            "name=variant value=russian type=enum values=\"russian\"".to_owned(),
            "name=ponder value=true type=bool".to_owned(),
            format!(
                "name=threads value={} type=int min=1 max=512",
                options.threads
            ),
            format!(
                "name=tt-size value={size} type=int min={} max={}",
                TABLE_SIZES.start(),
                TABLE_SIZES.end()
            ),
            format!(
                "name=bb-size value={} type=int min=0 max={MOST_PIECES}",
                options.endgame_pieces
            ),
            "name=bb-path value=\"\" type=string".to_owned(),
            format!("name=book value={} type=bool", options.own_book),
            format!(
                "name=book-margin value={} type=int min=0 max=1000",
                options.book_margin
            ),
            "name=book-file value=\"\" type=string".to_owned(),
            "name=hub-squares value=auto type=enum values=\"auto b8 a1\"".to_owned(),
            format!("name=draw-rules value={} type=string", options.draw_rules),
            format!(
                "name=move-overhead value={} type=int min=0 max=10000",
                options.move_overhead.as_millis()
            ),
        ];
        for param in params {
            output::line(&format!("param {param}"));
        }
        output::line("wait");
    }

    fn set_param(&mut self, line: &Line) {
        let Some(name) = line.value("name") else {
            return say_error("missing name");
        };
        let value = line.value("value").unwrap_or("");
        let whole = || {
            value
                .parse::<f64>()
                .ok()
                .filter(|n| !n.is_nan())
                .map(|n| n as i64)
        };
        let mut options = self.engine.options().clone();
        let fits = match name {
            "variant" if value == "russian" => true,
            "variant" => return say_error("unsupported variant"),
            "ponder" => options.set("Ponder", value).is_ok(),
            "threads" => whole().is_some_and(|n| {
                options.threads = n.clamp(1, 512) as usize;
                true
            }),
            "tt-size" => whole().is_some_and(|n| {
                let (least, most) = TABLE_SIZES.into_inner();
                let size = n.clamp(i64::from(least), i64::from(most)) as u32;
                options.hash_mib = mib_of(size);
                true
            }),
            "move-overhead" => whole().is_some_and(|n| {
                options.move_overhead = Duration::from_millis(n.clamp(0, 10_000) as u64);
                true
            }),
            "bb-size" => whole().is_some_and(|n| {
                options.endgame_pieces = n.clamp(0, i64::from(MOST_PIECES)) as u8;
                true
            }),
            "bb-path" => options.set("EndgamePath", value).is_ok(),
            "book" => options.set("OwnBook", value).is_ok(),
            "book-margin" => whole().is_some_and(|n| {
                options.book_margin = n.clamp(0, 1_000) as i16;
                true
            }),
            "book-file" => options.set("BookFile", value).is_ok(),
            "draw-rules" => options.set("DrawRules", value).is_ok(),
            "hub-squares" => match (value, value.parse()) {
                ("auto", _) => {
                    self.squares = Squares::Auto;
                    true
                }
                (_, Ok(numbering)) => {
                    self.squares = Squares::Fixed;
                    self.numbering = numbering;
                    true
                }
                _ => false,
            },
            // Clients set what other engines have: that is no error.
            _ => true,
        };
        if fits {
            self.engine.set_options(options);
        } else {
            say_error("bad value");
        }
    }

    fn set_position(&mut self, line: &Line) {
        self.engine.clear_position();
        self.level = Level::default();
        let start = if line.has("start") && line.value("pos").is_none() {
            Position::start()
        } else {
            let text = line.value("pos").unwrap_or("");
            let is_board = text.len() == 33 && !text.contains([':', '.']);
            match fen::read(text, Numbering::B8) {
                Ok(fen) if is_board => fen.position,
                _ => return say_error("bad position"),
            }
        };
        let moves = line.value("moves").unwrap_or("");
        let found = wire::replay(&start, moves, self.numbering).or_else(|| {
            // The other end may number the squares the other way round; that is learnt once.
            let other = self.numbering.other();
            let found =
                wire::replay(&start, moves, other).filter(|_| self.squares == Squares::Auto);
            if found.is_some() {
                log::info!("moves number the squares from {other}");
                self.numbering = other;
            }
            found
        });
        match found {
            Some(moves) => self.engine.set_game(start, &moves),
            None if moves.split_whitespace().all(wire::is_move) => say_error("illegal move"),
            None => say_error("bad move"),
        }
    }

    fn go(&mut self, line: &Line) {
        let mut limits = std::mem::take(&mut self.level).limits();
        limits.overhead = self.engine.overhead();
        limits.ponder = line.has("ponder");
        if line.has("analyze") || line.has("analyse") {
            limits.analysis = true;
            limits.infinite |= limits.is_unlimited();
        } else if !limits.infinite
            && (Limits {
                ponder: false,
                ..limits.clone()
            })
            .is_unlimited()
        {
            limits.move_time = Some(DEFAULT_TIME);
        }
        let observer = InfoLines {
            numbering: self.numbering,
        };
        let messages = self.messages.clone();
        let done = move |report| {
            let _ = messages.send(Message::Found(Box::new(report)));
        };
        match self.engine.go(limits, observer, done) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                // The client must not wait, and must not get an answer about another position.
                log::info!("cannot search: {error}");
                output::line("done");
            }
        }
    }

    fn get_ready(&mut self) {
        if let Err(error) = self.engine.get_ready() {
            log::info!("{error}");
        }
        for complaint in self.engine.complaints() {
            say_error(&complaint);
        }
        output::line("ready");
    }
}

/// Size of a table of two to the power of `size` entries, in MiB.
const fn mib_of(size: u32) -> usize {
    1 << size.saturating_sub(16)
}

impl conversation::Session for Session {
    fn command(&mut self, line: &str) -> Turn {
        let line = wire::parse(line);
        match line.command.as_str() {
            "ping" => {
                output::line("pong");
                return Turn::Next;
            }
            "stop" => {
                conversation::Session::stop(self, false);
                return Turn::Again;
            }
            "ponder-hit" => {
                if let Some(running) = &self.running {
                    running.ponder_hit();
                }
                return Turn::Again;
            }
            "quit" => return Turn::Quit,
            _ => {}
        }
        if let Some(running) = &self.running {
            // A new search or position means that the answer to the old one is no longer awaited.
            if matches!(line.command.as_str(), "go" | "pos" | "new-game") {
                running.stop();
            }
            return Turn::Wait;
        }
        match line.command.as_str() {
            "hub" => self.greet(),
            "init" => self.get_ready(),
            "set-param" => self.set_param(&line),
            "pos" => self.set_position(&line),
            "level" => self.level.read(&line),
            "go" => self.go(&line),
            "new-game" => self.engine.new_game(),
            other => log::debug!(
                "unknown command {:?}",
                other.chars().take(40).collect::<String>()
            ),
        }
        Turn::Next
    }

    fn found(&mut self, report: &Report) {
        self.running = None;
        output::line(&wire::done(&report.line, self.numbering));
    }

    fn finished(&mut self) {}

    fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    fn is_endless(&self) -> bool {
        self.running.as_ref().is_some_and(Running::is_endless)
    }

    fn stop(&mut self, only_unlimited: bool) -> bool {
        if let Some(running) = &self.running {
            if !only_unlimited || running.is_endless() {
                running.stop();
            }
            return true;
        }
        false
    }
}
