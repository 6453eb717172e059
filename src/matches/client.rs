//! One engine as its opponent and the referee see it: it gets ready, is asked for moves, and answers
//! or fails.

use crate::board::Side;
use crate::matches::cancel::Cancel;
use crate::matches::process::{Process, Spoken};
use crate::matches::record::{Fault, Thoughts};
use crate::matches::spec::{EngineSpec, Protocol};
use crate::matches::time::{GameClock, Thinking};
use crate::notation::{Spelling, fen, movetext};
use crate::protocol::hub;
use crate::rules::{DrawRules, Game, Move, Position};
use crate::score::Score;
use std::time::{Duration, Instant};

/// An engine must have said hello, and be ready for a game, within this.
const GETTING_READY: Duration = Duration::from_secs(20);
/// Told to stop, it must answer within this.
const STOPPING: Duration = Duration::from_secs(2);
/// A line that was read before a deadline may need so long to get from the reader to here.
const ON_ITS_WAY: Duration = Duration::from_millis(5);
/// Without a clock, an answer that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often somebody who waits for an engine looks whether the match is to end.
const ATTENTION: Duration = Duration::from_millis(100);

/// The clocks of both sides, `None` for a side without one.
pub(super) type Clocks = [Option<GameClock>; 2];

/// A move and what came with it.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) mv: Move,
    /// The reply that the engine expects.
    pub(super) ponder: Option<Move>,
    pub(super) thoughts: Thoughts,
    /// From the question to the moment its answer was read.
    pub(super) taken: Duration,
}

/// A running engine. Once the match is to end it seems to stall, so that nobody waits for it.
pub(super) struct Client<'a> {
    process: Process,
    spec: EngineSpec,
    cancel: Cancel<'a>,
    /// The reply it is pondering on.
    pondering: Option<Move>,
}

impl<'a> Client<'a> {
    /// Starts an engine, sets its options, and waits until it is ready. An engine that can be told
    /// the draw rules is told, and one that will ponder that it will.
    pub(super) fn start(
        spec: &EngineSpec,
        rules: &DrawRules,
        cancel: Cancel<'a>,
    ) -> Result<Client<'a>, Fault> {
        let process = Process::start(&spec.command, spec.folder.as_deref())?;
        let mut client = Client {
            process,
            spec: spec.clone(),
            cancel,
            pondering: None,
        };
        match client.get_ready(rules) {
            Ok(()) => Ok(client),
            Err(Fault::Crash(how)) => Err(Fault::NoStart(how)),
            Err(Fault::Stall) => Err(Fault::NoStart("does not get ready".to_owned())),
            Err(other) => Err(other),
        }
    }

    fn get_ready(&mut self, rules: &DrawRules) -> Result<(), Fault> {
        let (hello, last, rules_option) = match self.spec.protocol {
            Protocol::Uci => ("uci", "uciok", "DrawRules"),
            Protocol::Hub => ("hub", "wait", "draw-rules"),
        };
        self.process.say(hello)?;
        // What an engine can be told about the match, if it declares an option for it.
        let mut offers = vec![(rules_option, rules.name().to_owned())];
        if self.spec.ponder {
            offers.push(("Ponder", "true".to_owned()));
        }
        let mut options = Vec::new();
        let mut known: Vec<String> = Vec::new();
        let deadline = Instant::now() + GETTING_READY;
        loop {
            let line = self.line(deadline)?;
            if line == last {
                break;
            }
            let declared = declared_option(self.spec.protocol, &line);
            let Some(declared) = declared else { continue };
            let same = |name: &str| name.eq_ignore_ascii_case(&declared);
            if !self.spec.options.iter().any(|(name, _)| same(name))
                && let Some((_, value)) = offers.iter().find(|(name, _)| same(name))
            {
                options.push((declared.clone(), value.clone()));
            }
            known.push(declared);
        }
        // The match may not be the one that was meant.
        for (name, _) in &self.spec.options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                log::warn!("{}: declares no option {name}", self.spec.name);
            }
        }
        options.extend(self.spec.options.iter().cloned());
        for (name, value) in options {
            self.process.say(&match self.spec.protocol {
                Protocol::Uci if value.is_empty() => format!("setoption name {name}"),
                Protocol::Uci => format!("setoption name {name} value {value}"),
                Protocol::Hub => format!("set-param name=\"{name}\" value=\"{value}\""),
            })?;
        }
        match self.spec.protocol {
            Protocol::Uci => self.ask("isready", "readyok"),
            Protocol::Hub => self.ask("init", "ready"),
        }
    }

    /// Says a line and waits for the word that answers it.
    fn ask(&mut self, line: &str, answer: &str) -> Result<(), Fault> {
        self.process.say(line)?;
        let deadline = Instant::now() + GETTING_READY;
        loop {
            let line = self.line(deadline)?;
            if line == answer {
                return Ok(());
            }
            // An option that was not taken: the match is not the one that was meant.
            let complaint = match self.spec.protocol {
                Protocol::Uci => line.starts_with("info string error"),
                Protocol::Hub => hub::wire::parse(&line).command == "error",
            };
            if complaint {
                log::warn!("{}: {line}", self.spec.name);
            }
        }
    }

    /// The next line while nothing is being thought about.
    fn line(&mut self, deadline: Instant) -> Result<String, Fault> {
        loop {
            let spoken = self.hear(deadline)?;
            // One that talks without end does not gain time by it.
            let spoken = spoken.filter(|spoken| spoken.at <= deadline);
            match spoken.ok_or(Fault::Stall)?.line {
                Some(line) => return Ok(line),
                None if self.spec.chatter => {}
                None => return Err(endless()),
            }
        }
    }

    /// The next line, `None` if none comes before the deadline.
    fn hear(&mut self, deadline: Instant) -> Result<Option<Spoken>, Fault> {
        loop {
            if self.cancel.is_called() {
                return Err(Fault::Stall);
            }
            let until = deadline.min(Instant::now() + ATTENTION);
            let spoken = self.process.hear(until)?;
            if spoken.is_some() || until == deadline {
                return Ok(spoken);
            }
        }
    }

    /// A new game begins.
    pub(super) fn new_game(&mut self) -> Result<(), Fault> {
        self.process.say(match self.spec.protocol {
            Protocol::Uci => "ucinewgame",
            Protocol::Hub => "new-game",
        })?;
        self.catch_up()
    }

    /// Waits until the engine has dealt with all that was said to it.
    fn catch_up(&mut self) -> Result<(), Fault> {
        match self.spec.protocol {
            Protocol::Uci => self.ask("isready", "readyok"),
            Protocol::Hub => self.ask("ping", "pong"),
        }
    }

    /// Asks for a move in the current position of a game that has not ended.
    pub(super) fn think(&mut self, game: &Game, clocks: &Clocks) -> Result<Answer, Fault> {
        // The clock runs as soon as the opponent has moved: an engine slow to leave its pondering
        // pays for it.
        let begun = Instant::now();
        let mut thoughts = Thoughts::default();
        let expected = self.pondering.take();
        let pondered = expected.is_some() && !self.has_answered(&mut thoughts)?;
        let mut hit = pondered && expected.as_ref() == game.moves().last();
        if hit {
            self.process.say(match self.spec.protocol {
                Protocol::Uci => "ponderhit",
                Protocol::Hub => "ponder-hit",
            })?;
        } else {
            if pondered {
                self.stop_pondering()?;
            }
            self.put(game, clocks, &mut thoughts)?;
        }
        let (deadline, timed) = self.deadline(clocks, game.position().side(), begun);
        // By when it must have answered once it was told to stop.
        let mut stopped = None;
        loop {
            let end = stopped.unwrap_or(deadline + ON_ITS_WAY);
            let spoken = self.hear(end)?;
            // One that talks without end does not gain time by it.
            if spoken.as_ref().is_none_or(|spoken| spoken.at > end) {
                if stopped.is_some() {
                    return Err(Fault::Stall);
                }
                // An answer that comes a little later tells how late it is.
                self.process.say("stop")?;
                stopped = Some(Instant::now() + STOPPING);
            }
            let Some(spoken) = spoken else { continue };
            let Some(answer) = self.understand(&spoken, &mut thoughts)? else {
                continue;
            };
            if hit && spoken.at < begun {
                // Said before the ponder hit, but not heard before.
                self.premature(&answer)?;
                hit = false;
                self.put(game, clocks, &mut thoughts)?;
                continue;
            }
            let taken = spoken.at.saturating_duration_since(begun);
            // By when it was read, not by when word of it came here.
            if spoken.at > deadline {
                return Err(if timed {
                    late(spoken.at - deadline)
                } else {
                    Fault::Stall
                });
            }
            let read = |position: &Position, text: &str| self.read(position, text);
            let mv = read(game.position(), &answer.mv);
            let mv = mv.ok_or_else(|| Fault::IllegalMove(shortened(&answer.mv)))?;
            let after = game.position().play(mv);
            return Ok(Answer {
                mv,
                ponder: answer.ponder.and_then(|text| read(&after, &text)),
                thoughts,
                taken,
            });
        }
    }

    /// Lets the engine think about its answer to `expected` while the opponent thinks. `game` is as
    /// it stands after the engine's own move.
    pub(super) fn ponder(
        &mut self,
        game: &Game,
        expected: Move,
        clocks: &Clocks,
    ) -> Result<(), Fault> {
        if !self.spec.ponder {
            return Ok(());
        }
        for line in self.question(game, Some(expected), clocks) {
            self.process.say(&line)?;
        }
        self.pondering = Some(expected);
        Ok(())
    }

    /// The game is over: whatever the engine is thinking about has become useless.
    pub(super) fn rest(&mut self) -> Result<(), Fault> {
        match self.pondering.take() {
            Some(_) => self.stop_pondering(),
            None => Ok(()),
        }
    }

    fn stop_pondering(&mut self) -> Result<(), Fault> {
        let told = Instant::now();
        let end = told + STOPPING;
        self.process.say("stop")?;
        loop {
            let spoken = self.hear(end)?.filter(|spoken| spoken.at <= end);
            let spoken = spoken.ok_or(Fault::Stall)?;
            if let Some(answer) = self.understand(&spoken, &mut Thoughts::default())? {
                if spoken.at < told {
                    // Nothing more is owed for the word to stop.
                    return self.premature(&answer);
                }
                return Ok(());
            }
        }
    }

    /// Whether an engine that ponders has answered before it was told to.
    fn has_answered(&mut self, thoughts: &mut Thoughts) -> Result<bool, Fault> {
        let now = Instant::now();
        while let Some(spoken) = self.process.heard() {
            if let Some(answer) = self.understand(&spoken, thoughts)? {
                self.premature(&answer)?;
                return Ok(true);
            }
            if spoken.at > now {
                break;
            }
        }
        Ok(false)
    }

    /// An answer came while the engine was to ponder. It is no move of the game: nobody knew yet
    /// whether the expected move would be played.
    fn premature(&mut self, answer: &Words) -> Result<(), Fault> {
        let fault = Fault::Premature(shortened(&answer.mv));
        if !self.spec.chatter {
            return Err(fault);
        }
        log::info!("{} {fault}", self.spec.name);
        // If it answers the end of its pondering as well, that is no answer to the next question.
        self.catch_up()
    }

    /// Asks for a move in the current position.
    fn put(&mut self, game: &Game, clocks: &Clocks, thoughts: &mut Thoughts) -> Result<(), Fault> {
        // What was said before belongs to nothing.
        let now = Instant::now();
        while self.process.heard().is_some_and(|spoken| spoken.at < now) {}
        *thoughts = Thoughts::default();
        for line in self.question(game, None, clocks) {
            self.process.say(&line)?;
        }
        Ok(())
    }

    /// When the current move must have been made, and whether that is the word of a clock.
    fn deadline(&self, clocks: &Clocks, side: Side, begun: Instant) -> (Instant, bool) {
        let [white, black] = clocks;
        let clock = match side {
            Side::White => white,
            Side::Black => black,
        };
        let by_clock = clock.map(|clock| begun + clock.remaining);
        // A time for the move is one for the search, and that begins now.
        let by_move = self
            .spec
            .thinking
            .move_time
            .map(|time| Instant::now() + time);
        match by_clock.into_iter().chain(by_move).min() {
            Some(end) => (end + self.spec.margin, true),
            None => (begun + PATIENCE, false),
        }
    }

    /// The lines that ask for a move, or with `expected` for thoughts about the answer to it.
    fn question(&self, game: &Game, expected: Option<Move>, clocks: &Clocks) -> Vec<String> {
        let mut positions: Vec<Position> = game.positions().to_vec();
        let mut moves: Vec<Move> = game.moves().to_vec();
        if let Some(expected) = expected {
            positions.push(game.position().play(expected));
            moves.push(expected);
        }
        let side = positions.last().map_or(Side::White, Position::side);
        match self.spec.protocol {
            Protocol::Uci => {
                let mut line = if *game.start() == Position::start() {
                    "position startpos".to_owned()
                } else {
                    format!(
                        "position fen {}",
                        fen::write(game.start(), Spelling::Algebraic)
                    )
                };
                if !moves.is_empty() {
                    line.push_str(" moves");
                }
                for (position, &mv) in positions.iter().zip(&moves) {
                    line.push(' ');
                    line.push_str(&movetext::write_full(position, mv, Spelling::Algebraic));
                }
                vec![
                    line,
                    uci_go(&self.spec.thinking, side, expected.is_some(), clocks),
                ]
            }
            Protocol::Hub => {
                let moves: Vec<String> = moves
                    .iter()
                    .map(|&mv| movetext::write_hub(mv, self.spec.numbering))
                    .collect();
                let mut line = format!("pos pos={}", fen::write_hub(game.start()));
                if !moves.is_empty() {
                    line.push_str(&format!(" moves=\"{}\"", moves.join(" ")));
                }
                let mut lines = vec![line];
                lines.extend(hub_levels(&self.spec.thinking, side, clocks));
                lines.push(match expected {
                    Some(_) => "go ponder".to_owned(),
                    None => "go think".to_owned(),
                });
                lines
            }
        }
    }

    /// A move of the engine, `None` if it is not legal or not clear.
    fn read(&self, position: &Position, text: &str) -> Option<Move> {
        match self.spec.protocol {
            Protocol::Uci => movetext::read(position, text, self.spec.numbering).ok(),
            Protocol::Hub => movetext::read_hub(position, text, self.spec.numbering),
        }
    }

    /// What a line says: an answer, thoughts, or nothing that matters.
    fn understand(&self, spoken: &Spoken, thoughts: &mut Thoughts) -> Result<Option<Words>, Fault> {
        let Some(line) = spoken.line.as_deref() else {
            return if self.spec.chatter {
                Ok(None)
            } else {
                Err(endless())
            };
        };
        let heard = match self.spec.protocol {
            Protocol::Uci => hear_uci(line, thoughts),
            Protocol::Hub => hear_hub(line, thoughts),
        };
        match heard {
            Heard::Answer(words) => Ok(Some(words)),
            Heard::Nothing => Ok(None),
            Heard::Garbage if self.spec.chatter => Ok(None),
            Heard::Garbage => Err(Fault::Garbage(shortened(line))),
        }
    }
}

/// The words that ask a UCI-style engine for a move of a side.
fn uci_go(thinking: &Thinking, side: Side, ponder: bool, clocks: &Clocks) -> String {
    let mut line = "go".to_owned();
    let mut add = |name: &str, value: u128| line.push_str(&format!(" {name} {value}"));
    if thinking.clock.is_some() {
        let [white, black] = clocks;
        // An opponent without a clock has as much as one could wish.
        for (clock, time, increment) in [(white, "wtime", "winc"), (black, "btime", "binc")] {
            if let Some(clock) = clock {
                add(time, clock.remaining.as_millis());
                add(increment, clock.increment().as_millis());
            }
        }
        let own = if side == Side::White { white } else { black };
        if let Some(moves) = own.and_then(|clock| clock.moves_to_go) {
            add("movestogo", u128::from(moves));
        }
    }
    if let Some(time) = thinking.move_time {
        add("movetime", time.as_millis());
    }
    if let Some(depth) = thinking.depth {
        add("depth", u128::from(depth));
    }
    if let Some(nodes) = thinking.nodes {
        add("nodes", u128::from(nodes));
    }
    if ponder {
        line.push_str(" ponder");
    }
    line
}

/// The lines that tell a Hub engine how long it may think about a move of a side.
fn hub_levels(thinking: &Thinking, side: Side, clocks: &Clocks) -> Vec<String> {
    let mut lines = Vec::new();
    let [white, black] = clocks;
    let own = if side == Side::White { white } else { black };
    if let Some(clock) = own {
        let mut line = "level".to_owned();
        if let Some(moves) = clock.moves_to_go {
            line.push_str(&format!(" moves={moves}"));
        }
        // Hub counts the increment of this move as still to come.
        let increment = clock.increment().as_secs_f64();
        let time = clock.remaining.as_secs_f64() - increment;
        line.push_str(&format!(" time={time:.3}"));
        if increment > 0.0 {
            line.push_str(&format!(" inc={increment:.3}"));
        }
        lines.push(line);
    }
    if let Some(time) = thinking.move_time {
        lines.push(format!("level move-time={:.3}", time.as_secs_f64()));
    }
    if let Some(depth) = thinking.depth {
        lines.push(format!("level depth={depth}"));
    }
    if let Some(nodes) = thinking.nodes {
        lines.push(format!("level nodes={nodes}"));
    }
    lines
}

/// The name of the option that a line declares.
fn declared_option(protocol: Protocol, line: &str) -> Option<String> {
    match protocol {
        Protocol::Uci => {
            let rest = line.strip_prefix("option name ")?;
            Some(rest.split(" type ").next()?.trim().to_owned())
        }
        Protocol::Hub => {
            let line = hub::wire::parse(line);
            let name = line.value("name").filter(|_| line.command == "param")?;
            Some(name.to_owned())
        }
    }
}

fn endless() -> Fault {
    Fault::Garbage("a line without an end".to_owned())
}

fn late(by: Duration) -> Fault {
    Fault::Time((by.as_millis() as u64).max(1))
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// An answer as it was said.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Words {
    mv: String,
    ponder: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Heard {
    Answer(Words),
    Nothing,
    Garbage,
}

fn hear_uci(line: &str, thoughts: &mut Thoughts) -> Heard {
    let mut words = line.split_whitespace();
    match words.next().unwrap_or("") {
        "bestmove" => {
            let mv = words.next().unwrap_or("").to_owned();
            let ponder = (words.next() == Some("ponder"))
                .then(|| words.next())
                .flatten();
            Heard::Answer(Words {
                mv,
                ponder: ponder.map(str::to_owned),
            })
        }
        "info" => {
            hear_uci_info(words, thoughts);
            Heard::Nothing
        }
        "" | "id" | "option" | "uciok" | "readyok" | "copyprotection" | "registration" => {
            Heard::Nothing
        }
        _ => Heard::Garbage,
    }
}

fn hear_uci_info<'a>(words: impl Iterator<Item = &'a str>, thoughts: &mut Thoughts) {
    let mut heard = *thoughts;
    let mut words = words;
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
        match word {
            "depth" => heard.depth = number().and_then(|depth| depth.try_into().ok()),
            "nodes" => heard.nodes = number().and_then(|nodes| nodes.try_into().ok()),
            // Lines of the second best move and so on do not count.
            "multipv" if number() != Some(1) => return,
            "cp" => {
                let score = number().and_then(|score| score.try_into().ok());
                heard.score = score.map(Score::evaluation);
            }
            "mate" => {
                let moves = number().filter(|moves| moves.abs() < 500);
                heard.score = moves.map(|moves| {
                    let plies = moves.unsigned_abs() as u32 * 2;
                    if moves > 0 {
                        Score::win_at(plies - 1)
                    } else {
                        Score::loss_at(plies)
                    }
                });
            }
            // The rest is a line of moves or any text.
            "pv" | "string" => break,
            _ => {}
        }
    }
    *thoughts = heard;
}

fn hear_hub(line: &str, thoughts: &mut Thoughts) -> Heard {
    let line = hub::wire::parse(line);
    let value = |name| line.value(name);
    match line.command.as_str() {
        "done" => Heard::Answer(Words {
            mv: value("move").unwrap_or("").to_owned(),
            ponder: value("ponder").map(str::to_owned),
        }),
        "info" => {
            if let Some(depth) = value("depth").and_then(|text| text.parse().ok()) {
                thoughts.depth = Some(depth);
            }
            if let Some(nodes) = value("nodes").and_then(|text| text.parse().ok()) {
                thoughts.nodes = Some(nodes);
            }
            let men = value("score").and_then(|text| text.parse::<f64>().ok());
            if let Some(men) = men.filter(|men| men.abs() <= 100.0) {
                thoughts.score = Some(hub_score(men));
            }
            Heard::Nothing
        }
        "" | "id" | "param" | "wait" | "ready" | "pong" | "error" => Heard::Nothing,
        _ => Heard::Garbage,
    }
}

/// 99.xx men are a win in xx plies; anything else is an evaluation.
fn hub_score(men: f64) -> Score {
    let plies = ((100.0 - men.abs()) * 100.0).round() as u32;
    match plies {
        0..=199 if men > 0.0 => Score::win_at(plies),
        0..=199 => Score::loss_at(plies),
        _ => Score::evaluation((men * 100.0).round() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White has moved twice, Black once.
    fn clocks(control: &str) -> Clocks {
        let control = control.parse().expect("a time control");
        let (mut white, mut black) = (GameClock::new(control), GameClock::new(control));
        white.moved(Duration::from_millis(2500));
        white.moved(Duration::from_millis(500));
        black.moved(Duration::from_millis(1000));
        [Some(white), Some(black)]
    }

    #[test]
    fn engines_are_told_the_time() {
        let by_clock = |control: &str| Thinking {
            clock: control.parse().ok(),
            ..Thinking::default()
        };
        let uci =
            |control, side, ponder| uci_go(&by_clock(control), side, ponder, &clocks(control));
        assert_eq!(
            uci("40/60+0.5", Side::White, false),
            "go wtime 58000 winc 500 btime 59500 binc 500 movestogo 38"
        );
        assert_eq!(
            uci("40/60+0.5", Side::Black, true),
            "go wtime 58000 winc 500 btime 59500 binc 500 movestogo 39 ponder"
        );
        assert_eq!(
            uci("60", Side::White, false),
            "go wtime 57000 winc 0 btime 59000 binc 0"
        );
        let hub = |control, side| hub_levels(&by_clock(control), side, &clocks(control));
        // The increment of the move to come is named by itself.
        assert_eq!(
            hub("40/60+0.5", Side::White),
            ["level moves=38 time=57.500 inc=0.500"]
        );
        assert_eq!(
            hub("40/60+0.5", Side::Black),
            ["level moves=39 time=59.000 inc=0.500"]
        );
        assert_eq!(hub("60", Side::Black), ["level time=59.000"]);
        let limited = Thinking {
            clock: None,
            move_time: Some(Duration::from_millis(250)),
            depth: Some(9),
            nodes: Some(1000),
        };
        assert_eq!(
            uci_go(&limited, Side::White, false, &[None, None]),
            "go movetime 250 depth 9 nodes 1000"
        );
        assert_eq!(
            hub_levels(&limited, Side::White, &[None, None]),
            ["level move-time=0.250", "level depth=9", "level nodes=1000"]
        );
    }

    #[test]
    fn uci_lines() {
        let mut thoughts = Thoughts::default();
        let answer = hear_uci("bestmove c3-d4 ponder f6-g5", &mut thoughts);
        let words = |mv: &str, ponder: Option<&str>| {
            Heard::Answer(Words {
                mv: mv.to_owned(),
                ponder: ponder.map(str::to_owned),
            })
        };
        assert_eq!(answer, words("c3-d4", Some("f6-g5")));
        assert_eq!(hear_uci("bestmove", &mut thoughts), words("", None));
        let line = "info depth 7 seldepth 9 multipv 1 score cp -31 nodes 900 pv c3-d4 depth 9";
        assert_eq!(hear_uci(line, &mut thoughts), Heard::Nothing);
        let expected = Thoughts {
            score: Some(Score::evaluation(-31)),
            depth: Some(7),
            nodes: Some(900),
        };
        assert_eq!(thoughts, expected);
        hear_uci("info depth 8 multipv 2 score cp 5", &mut thoughts);
        assert_eq!(thoughts, expected);
        hear_uci("info score mate -3", &mut thoughts);
        assert_eq!(thoughts.score, Some(Score::loss_at(6)));
        hear_uci("info score mate 0", &mut thoughts);
        assert_eq!(thoughts.score, Some(Score::loss_at(0)));
        assert_eq!(
            hear_uci("Segmentation fault", &mut thoughts),
            Heard::Garbage
        );
    }

    #[test]
    fn hub_lines() {
        let mut thoughts = Thoughts::default();
        let line = "info depth=9 mean-depth=9.1 score=-0.12 nodes=77 pv=\"22-18 9-13\"";
        assert_eq!(hear_hub(line, &mut thoughts), Heard::Nothing);
        let expected = Thoughts {
            score: Some(Score::evaluation(-12)),
            depth: Some(9),
            nodes: Some(77),
        };
        assert_eq!(thoughts, expected);
        for (men, score) in [
            ("99.93", Score::win_at(7)),
            ("-99.92", Score::loss_at(8)),
            ("89.50", Score::evaluation(8950)),
        ] {
            hear_hub(&format!("info score={men}"), &mut thoughts);
            assert_eq!(thoughts.score, Some(score));
        }
        let Heard::Answer(words) = hear_hub("done move=22x15x18 ponder=9-13", &mut thoughts) else {
            panic!("an answer")
        };
        assert_eq!(
            (words.mv.as_str(), words.ponder.as_deref()),
            ("22x15x18", Some("9-13"))
        );
        assert_eq!(hear_hub("hello there", &mut thoughts), Heard::Garbage);
    }
}
