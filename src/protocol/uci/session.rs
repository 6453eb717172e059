//! The command loop of the UCI-style protocol.

use crate::board::Side;
use crate::engine::options::{Effect, Options, SPECS};
use crate::engine::{Engine, Running};
use crate::eval::Odds;
use crate::notation::{Spelling, movetext};
use crate::protocol::conversation::{self, Turn};
use crate::protocol::input::Message;
use crate::protocol::output;
use crate::protocol::uci::wire::{self, Command, GoArgs, PositionArgs};
use crate::rules::{Game, Position};
use crate::search::{Clock, Info, Limits, Observer, Report};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// What is being done besides listening.
pub(super) enum Job {
    /// A search, and the position it began with.
    Search(Running, Position),
    /// Something that cannot be stopped.
    Other,
}

/// No clock shows more than this, in milliseconds.
const LONGEST_TIME: i64 = 100_000_000_000;

/// The state of a conversation.
pub(in crate::protocol) struct Session {
    pub(super) engine: Engine,
    pub(super) messages: Sender<Message>,
    pub(super) job: Option<Job>,
    /// No command has come yet.
    fresh: bool,
}

/// Writes an `info` line for each line of an iteration.
struct InfoLines {
    position: Position,
    spelling: Spelling,
    show_odds: bool,
}

impl Observer for InfoLines {
    fn info(&mut self, info: &Info) {
        let odds = self.show_odds.then(|| {
            let pieces = self.position.occupied().count();
            if info.settled {
                Odds::certain(info.score)
            } else {
                Odds::of(info.score, pieces)
            }
        });
        output::line(&wire::info(info, &self.position, self.spelling, odds));
    }
}

pub(super) fn say(text: &str) {
    output::line(&format!("info string {text}"));
}

pub(super) fn say_error(text: &str) {
    say(&format!("error: {text}"));
}

impl Session {
    pub(in crate::protocol) fn new(options: Options, messages: Sender<Message>) -> Session {
        Session {
            engine: Engine::with_options(options),
            messages,
            job: None,
            fresh: true,
        }
    }

    fn greet(last: &str) {
        output::line(&format!("id name Shashki {}", env!("CARGO_PKG_VERSION")));
        output::line("id author the Shashki authors");
        for spec in SPECS {
            output::line(&wire::option(spec));
        }
        output::line(last);
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let mut options = self.engine.options().clone();
        match options.set(name, value) {
            Ok(Effect::None) => self.engine.set_options(options),
            Ok(Effect::ClearHash) => self.engine.new_game(),
            Err(error) => say_error(&error.to_string()),
        }
    }

    pub(super) fn get_ready(&mut self) {
        if let Err(error) = self.engine.get_ready() {
            say_error(&format!("{error}; the old one stays"));
        }
        self.complain();
    }

    /// Says what is wrong with endgame tables and weights.
    fn complain(&mut self) {
        for complaint in self.engine.complaints() {
            say_error(&complaint);
        }
    }

    fn set_position(&mut self, args: Result<PositionArgs, String>) {
        let outcome = match args {
            Ok(PositionArgs { fen, moves }) => {
                let moves = moves.iter().map(String::as_str);
                self.engine
                    .set_position(fen.as_deref(), moves)
                    .map_err(|e| e.to_string())
            }
            Err(error) => {
                self.engine.clear_position();
                Err(error)
            }
        };
        if let Err(error) = outcome {
            say_error(&error);
        }
    }

    /// The current game; without one says so.
    pub(super) fn game(&self) -> Option<&Game> {
        let game = self.engine.game();
        if game.is_none() {
            say_error("no valid position");
        }
        game
    }

    fn go(&mut self, args: &GoArgs) {
        for error in &args.errors {
            say_error(error);
        }
        if let Some(depth) = args.perft {
            return self.perft(u32::try_from(depth).map_err(|_| "perft needs a depth".to_owned()));
        }
        let Some(game) = self.game() else {
            // An answer must come, and it must not be one about another position.
            output::line("info depth 0 score cp 0");
            return output::line("bestmove (none)");
        };
        let position = *game.position();
        let limits = self.limits(args, game);
        self.get_ready();
        let observer = InfoLines {
            position,
            spelling: self.engine.spelling(),
            show_odds: self.engine.options().show_odds,
        };
        let messages = self.messages.clone();
        let done = move |report| {
            let _ = messages.send(Message::Found(Box::new(report)));
        };
        match self.engine.go(limits, observer, done) {
            Ok(running) => self.job = Some(Job::Search(running, position)),
            Err(error) => {
                say_error(&format!("cannot search: {error}"));
                output::line("info depth 0 score cp 0");
                output::line("bestmove (none)");
            }
        }
    }

    fn limits(&self, args: &GoArgs, game: &Game) -> Limits {
        let position = game.position();
        let options = self.engine.options();
        let millis = |n: i64| Duration::from_millis(n.clamp(0, LONGEST_TIME) as u64);
        let count = |n: i64| n.max(1) as u64;
        let (own, other, increment) = match position.side() {
            Side::White => (args.white_time, args.black_time, args.white_increment),
            Side::Black => (args.black_time, args.white_time, args.black_increment),
        };
        // With only the other side's clock known, ours is thought to be like it.
        let clock = own.or(other).map(|remaining| Clock {
            remaining: millis(remaining),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: args.moves_to_go.map(|n| n.clamp(1, 10_000) as u32),
        });
        let mut search_moves = Vec::new();
        for text in &args.search_moves {
            match movetext::read(position, text, options.numbering) {
                Ok(mv) => search_moves.push(mv),
                Err(error) => say_error(&format!("searchmoves: {error}")),
            }
        }
        let mut limits = Limits {
            depth: args.depth.map(|depth| count(depth).min(1000) as u32),
            nodes: args.nodes.map(count),
            soft_nodes: None,
            move_time: args.move_time.map(millis),
            clock,
            mate: args.mate.map(|moves| count(moves).min(100) as u32),
            infinite: args.infinite,
            ponder: args.ponder,
            search_moves,
            multi_pv: options.multi_pv,
            overhead: options.move_overhead,
            handicap: None,
            // Whoever names moves, even such as there are not, wants to know what is thought of them.
            analysis: !args.search_moves.is_empty(),
        };
        if !args.errors.is_empty() && limits.is_unlimited() && !args.infinite && !args.ponder {
            // A limit was meant but could not be read: an answer at once is better than none.
            limits.depth = Some(1);
        }
        limits
    }
}

impl conversation::Session for Session {
    fn command(&mut self, line: &str) -> Turn {
        let fresh = self.fresh;
        let command = wire::parse(line);
        if command != Command::Nothing {
            self.fresh = false;
        }
        // What is answered whatever else is going on.
        match command {
            Command::IsReady => {
                if self.job.is_none() {
                    self.get_ready();
                }
                output::line("readyok");
                return Turn::Next;
            }
            Command::Stop => {
                conversation::Session::stop(self, false);
                return Turn::Again;
            }
            Command::PonderHit => {
                if let Some(Job::Search(running, _)) = &self.job {
                    running.ponder_hit();
                }
                return Turn::Again;
            }
            Command::Quit => return Turn::Quit,
            Command::Nothing => return Turn::Next,
            Command::Unknown(text) => {
                say(&format!("unknown command \"{text}\""));
                return Turn::Next;
            }
            _ => {}
        }
        if let Some(job) = &self.job {
            // A new search or position means that nobody waits for an endless one any more.
            let new = matches!(command, Command::Go(_) | Command::Position(_));
            if let (true, Job::Search(running, _)) = (new, job)
                && running.is_endless()
            {
                running.stop();
            }
            return Turn::Wait;
        }
        match command {
            Command::Uci { last } => Session::greet(last),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => self.engine.new_game(),
            Command::Position(args) => self.set_position(args),
            Command::Go(args) => self.go(&args),
            Command::Display => self.display(),
            Command::Moves => self.list_moves(),
            Command::Eval => self.explain(),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(depth) => self.bench(depth),
            Command::Flip => self.engine.flip(),
            Command::Hub if fresh => return Turn::Switch,
            Command::Hub => say_error("hub must be the first line"),
            _ => {}
        }
        Turn::Next
    }

    fn found(&mut self, report: &Report) {
        if let Some(Job::Search(_, position)) = self.job.take() {
            self.complain();
            let spelling = self.engine.spelling();
            output::line(&wire::best_move(&position, &report.line, spelling));
        }
    }

    fn finished(&mut self) {
        self.job = None;
    }

    fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    fn is_endless(&self) -> bool {
        matches!(&self.job, Some(Job::Search(running, _)) if running.is_endless())
    }

    fn stop(&mut self, only_unlimited: bool) -> bool {
        match &self.job {
            Some(Job::Search(running, _)) => {
                if !only_unlimited || running.is_endless() {
                    running.stop();
                }
                true
            }
            _ => false,
        }
    }
}
