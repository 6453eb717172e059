//! `shashki play`: a person against the engine in a terminal.

use crate::board::{Kind, Side, Square};
use crate::cli::args::{ColorArg, PlayArgs};
use crate::cli::games::Output;
use crate::cli::match_games::today;
use crate::engine::Engine;
use crate::engine::options::Options;
use crate::matches::time::{GameClock, TimeControl};
use crate::notation::pdn::{self, CaptureSign, Outcome};
use crate::notation::{Lines, Numbering, Spelling, board_text, fen, movetext};
use crate::protocol::{input, output};
use crate::rules::{Game, Move, Position};
use crate::search::{Clock, Limits, NoObserver, Report};
use console::{Style, style};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const HELP: &str = "\
  c3d4, cd4, c3-d4, a3:c5:e7   a move; captures by their squares, or short where only one fits
  h, hint      what the engine would play          u, undo     take your last move back
  m, moves     all your moves                      t, turn     turn the board
  level N      strength of the engine, 0 to 20     go          change sides
  save FILE    write the game (PDN)                n, new      a new game
  resign       give the game up                    q, quit     leave";

pub(super) fn run(args: &PlayArgs) -> Result<(), String> {
    let mut table = Table::new(args)?;
    let mut lines = Lines::new(input::stdin());
    output::line("A move such as cd4, or help.");
    table.show();
    loop {
        if table.over() {
            table.say_result();
        } else if table.game.position().side() != table.person {
            table.engine_moves()?;
            table.show();
            continue;
        }
        output::text(&table.prompt());
        let Some(line) = lines.next_line().map_err(|error| error.to_string())? else {
            output::line("");
            return Ok(());
        };
        match table.answer(line.trim()) {
            Next::Show => table.show(),
            Next::Nothing => {}
            Next::Quit => return Ok(()),
        }
    }
}

/// What to do after a line.
enum Next {
    Show,
    Nothing,
    Quit,
}

/// The board between the two.
struct Table {
    engine: Engine,
    game: Game,
    start: (Position, u16),
    person: Side,
    turned: bool,
    ascii: bool,
    level: u32,
    move_time: Duration,
    control: Option<TimeControl>,
    /// The clocks of White and Black, and those before each move.
    clocks: Option<[GameClock; 2]>,
    earlier: Vec<Option<[GameClock; 2]>>,
    /// Who has given up or run out of time, and in what words.
    lost: Option<(Side, &'static str)>,
    told: bool,
    /// Since when the person is to move: what is typed besides moves costs time as well.
    since: Instant,
}

impl Table {
    fn new(args: &PlayArgs) -> Result<Table, String> {
        let control = args
            .clock
            .as_deref()
            .map(str::parse::<TimeControl>)
            .transpose();
        let control = control.map_err(|error| error.to_string())?;
        let start = match &args.fen {
            None => (Position::start(), 0),
            Some(text) => {
                let read = fen::read(text, Numbering::B8).map_err(|error| error.to_string())?;
                (read.position, read.half_moves)
            }
        };
        let person = match args.color {
            ColorArg::White => Side::White,
            ColorArg::Black => Side::Black,
            ColorArg::Random if RandomState::new().hash_one(()).is_multiple_of(2) => Side::White,
            ColorArg::Random => Side::Black,
        };
        let options = Options {
            draw_rules: args.rules.clone(),
            skill_level: args.level,
            own_book: true,
            ..Options::default()
        };
        let game = Game::continued(start.0, args.rules.clone(), start.1);
        Ok(Table {
            engine: Engine::with_options(options),
            game,
            start,
            person,
            turned: person == Side::Black,
            ascii: args.ascii,
            level: args.level,
            move_time: Duration::from_millis(args.movetime),
            clocks: control.map(|control| [GameClock::new(control); 2]),
            control,
            earlier: Vec::new(),
            lost: None,
            told: false,
            since: Instant::now(),
        })
    }

    fn over(&self) -> bool {
        self.lost.is_some() || self.game.end().is_some()
    }

    fn say_result(&mut self) {
        if std::mem::replace(&mut self.told, true) {
            return;
        }
        let result = match (self.lost, self.game.end()) {
            (Some((side, how)), _) => format!("{} wins: {side} {how}", side.opponent()),
            (None, Some(end)) => end.to_string(),
            (None, None) => return,
        };
        output::line(&format!(
            "{}. undo, new, save FILE or quit?",
            style(result).bold()
        ));
    }

    /// What stands in front of the cursor.
    fn prompt(&self) -> String {
        if self.over() {
            return "> ".to_owned();
        }
        let number = self.game.moves().len() / 2 + 1;
        let dots = if self.person == Side::White {
            "."
        } else {
            "..."
        };
        format!("{number}{dots} ")
    }

    fn show(&self) {
        let rows: Vec<String> = if self.ascii {
            board_text::board(self.game.position())
        } else {
            self.picture()
        };
        output::line("");
        for row in rows {
            output::line(&row);
        }
        if let Some(clocks) = &self.clocks {
            let [white, black] = clocks.map(|clock| clock.remaining.as_secs());
            let time = |seconds: u64| format!("{}:{:02}", seconds / 60, seconds % 60);
            output::line(&format!("White {}   Black {}", time(white), time(black)));
        }
        if let Some(left) = self
            .game
            .clock()
            .plies_left(self.game.rules(), self.game.position())
            && left <= 10
        {
            output::line(&format!(
                "a draw by rule in {left} plies unless something happens"
            ));
        }
    }

    /// The board in colours, or without them where there are none.
    fn picture(&self) -> Vec<String> {
        let position = self.game.position();
        let last = self.game.moves().last().map(|mv| [mv.from(), mv.to()]);
        let rank = |rank: usize| {
            let mut row = format!(" {} ", rank + 1);
            for column in 0..8 {
                let file = if self.turned { 7 - column } else { column };
                let Some(square) = Square::new(file, rank) else {
                    row += &Style::new().on_color256(180).apply_to("   ").to_string();
                    continue;
                };
                let marked = last.is_some_and(|squares| squares.contains(&square));
                let ground = Style::new().on_color256(if marked { 100 } else { 94 });
                let piece = position.piece_at(square);
                let (sign, ground) = match piece.map(|piece| (piece.side, piece.kind)) {
                    // Without colours an empty square must be told from a light one.
                    None if !console::colors_enabled() => ("·", ground),
                    None => (" ", ground),
                    Some((side, kind)) => {
                        let sign = match (side, kind) {
                            (Side::White, Kind::Man) => "⛀",
                            (Side::White, Kind::King) => "⛁",
                            (Side::Black, Kind::Man) => "⛂",
                            (Side::Black, Kind::King) => "⛃",
                        };
                        // In colours the full shapes are used for both.
                        let filled = match kind {
                            Kind::Man => "⛂",
                            Kind::King => "⛃",
                        };
                        match side {
                            _ if !console::colors_enabled() => (sign, ground),
                            Side::White => (filled, ground.color256(231).bold()),
                            Side::Black => (filled, ground.color256(16)),
                        }
                    }
                };
                row += &ground.apply_to(format!(" {sign} ")).to_string();
            }
            row
        };
        let ranks: Vec<usize> = if self.turned {
            (0..8).collect()
        } else {
            (0..8).rev().collect()
        };
        let mut rows: Vec<String> = ranks.into_iter().map(rank).collect();
        let files = if self.turned { "hgfedcba" } else { "abcdefgh" };
        let files: String = files.chars().map(|file| format!(" {file} ")).collect();
        rows.push(format!("   {files}"));
        rows
    }

    /// Does what a line says.
    fn answer(&mut self, line: &str) -> Next {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "" => return Next::Nothing,
            "help" | "?" => output::line(HELP),
            "q" | "quit" | "exit" => return Next::Quit,
            "t" | "turn" => {
                self.turned = !self.turned;
                return Next::Show;
            }
            "n" | "new" => {
                self.game = Game::continued(self.start.0, self.game.rules().clone(), self.start.1);
                self.clocks = self.control.map(|control| [GameClock::new(control); 2]);
                self.earlier.clear();
                (self.lost, self.told, self.since) = (None, false, Instant::now());
                self.engine.new_game();
                return Next::Show;
            }
            "u" | "undo" | "back" => return self.take_back(),
            "save" => self.save(rest.trim()),
            "level" => match rest.trim().parse() {
                Ok(level @ 0..=20) => {
                    self.level = level;
                    let options = Options {
                        skill_level: level,
                        ..self.engine.options().clone()
                    };
                    self.engine.set_options(options);
                    output::line(&format!("the engine plays at level {level} now"));
                }
                _ => output::line("a level is a number from 0 to 20"),
            },
            _ if self.over() => output::line("the game is over; undo, new, save FILE or quit?"),
            "h" | "hint" => self.hint(),
            "m" | "moves" => {
                let position = self.game.position();
                let moves = position.legal_moves();
                let moves = moves.iter();
                let moves: Vec<String> = moves
                    .map(|&mv| movetext::write_full(position, mv, Spelling::Algebraic))
                    .collect();
                output::line(&moves.join("  "));
            }
            "go" => {
                self.person = self.person.opponent();
                self.turned = self.person == Side::Black;
            }
            "resign" => self.lost = Some((self.person, "gives up")),
            _ => match movetext::read(self.game.position(), line, Numbering::B8) {
                Ok(mv) => {
                    self.play(mv, self.since.elapsed());
                    return Next::Show;
                }
                Err(error) => output::line(&format!("{error}; help tells what else there is")),
            },
        }
        Next::Nothing
    }

    /// A move is made that took so long.
    fn play(&mut self, mv: Move, taken: Duration) {
        let side = self.game.position().side();
        self.since = Instant::now();
        let before = self.clocks;
        if let Some(clocks) = &mut self.clocks {
            let clock = &mut clocks[side as usize];
            if taken > clock.remaining {
                self.lost = Some((side, "has no time left"));
                clock.remaining = Duration::ZERO;
                return;
            }
            clock.moved(taken);
        }
        self.earlier.push(before);
        self.game.play(mv);
    }

    /// Takes moves back until the person is to move again.
    fn take_back(&mut self) -> Next {
        // Who has given up, or has no time left, has not moved.
        let had_lost = self.lost.take().is_some();
        if had_lost
            && self
                .clocks
                .is_some_and(|clocks| clocks.iter().any(|clock| clock.remaining.is_zero()))
        {
            // Time that has run out cannot be taken back, but the game can go on without a clock.
            self.clocks = None;
        }
        if !had_lost && self.game.undo().is_none() {
            output::line("there is nothing to take back");
            return Next::Nothing;
        }
        if !had_lost {
            self.clocks = self.earlier.pop().flatten();
        }
        while self.game.position().side() != self.person && self.game.undo().is_some() {
            self.clocks = self.earlier.pop().flatten();
        }
        (self.told, self.since) = (false, Instant::now());
        Next::Show
    }

    /// What the engine thinks of the position within limits.
    fn think(&mut self, limits: Limits) -> Result<Report, String> {
        self.engine.set_game_of(&self.game);
        let (sender, receiver) = mpsc::channel();
        let done = move |report| drop(sender.send(report));
        self.engine
            .go(limits, NoObserver, done)
            .map_err(|error| error.to_string())?;
        receiver.recv().map_err(|error| error.to_string())
    }

    fn engine_moves(&mut self) -> Result<(), String> {
        let side = self.game.position().side();
        let mut limits = Limits::move_time(self.move_time);
        if let Some(clocks) = &self.clocks {
            let clock = &clocks[side as usize];
            limits = Limits {
                clock: Some(Clock {
                    remaining: clock.remaining,
                    increment: clock.increment(),
                    moves_to_go: clock.moves_to_go,
                }),
                overhead: Duration::from_millis(50),
                ..Limits::default()
            };
        }
        let begun = Instant::now();
        let report = self.think(limits)?;
        let Some(best) = report.best else {
            return Ok(());
        };
        let text = movetext::write_full(self.game.position(), best, Spelling::Algebraic);
        output::line(&format!("the engine plays {}", style(text).bold()));
        self.play(best, begun.elapsed());
        Ok(())
    }

    fn hint(&mut self) {
        // Analysis is as good as it can be, whatever the level.
        let thought = self.think(Limits {
            analysis: true,
            ..Limits::move_time(Duration::from_secs(1))
        });
        match thought {
            Ok(report) => {
                let mut position = *self.game.position();
                let line = report.line.iter().take(7).map(|&mv| {
                    let text = movetext::write_short(&position, mv, Spelling::Algebraic);
                    position = position.play(mv);
                    text
                });
                let line: Vec<String> = line.collect();
                output::line(&format!(
                    "{} ({} for {})",
                    line.join(" "),
                    report.score,
                    self.person
                ));
            }
            Err(error) => output::line(&error),
        }
    }

    fn save(&self, file: &str) {
        if file.is_empty() {
            return output::line("save needs the name of a file");
        }
        let engine = format!("Shashki {} level {}", env!("CARGO_PKG_VERSION"), self.level);
        let [white, black] = match self.person {
            Side::White => ["you", engine.as_str()],
            Side::Black => [engine.as_str(), "you"],
        };
        let date = today();
        let tags = [("Date", date.as_str()), ("White", white), ("Black", black)];
        let mut game = pdn::from_game(&self.game, &tags, CaptureSign::Colon);
        if let Some((loser, how)) = self.lost {
            let outcome = match loser {
                Side::White => Outcome::BlackWins,
                Side::Black => Outcome::WhiteWins,
            };
            game.set_tag("Result", outcome.to_string());
            game.terminator = Some(outcome);
            game.items
                .push(pdn::Item::Comment(format!("{loser} {how}")));
        }
        let saved = Output::open(Some(Path::new(file))).and_then(|mut output| {
            let written = output.write(pdn::write(&game).as_bytes(), false);
            written
                .and_then(|()| output.finish())
                .map_err(|error| format!("{file}: {error}"))
        });
        output::line(&saved.map_or_else(|error| error, |()| format!("saved as {file}")));
    }
}
