//! Plays games of the engine against itself over its UCI-style protocol, and reports every fault: an
//! illegal move, a loss on time, silence.
//!
//! The referee is the library, the clock runs where the answer is read. For soundness, not for
//! strength.

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use shashki::board::Side;
use shashki::notation::{Numbering, Spelling, fen, movetext};
use shashki::rules::{DrawRules, Game, GameEnd, Position};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Plays games of the engine against itself and reports every fault.
#[derive(Parser)]
struct Args {
    /// The engine
    engine: PathBuf,
    /// Games to play
    #[arg(long, default_value_t = 10)]
    games: u32,
    /// Time for each side and game, in milliseconds
    #[arg(long, default_value_t = 1000)]
    time: u64,
    /// Time added for each move, in milliseconds
    #[arg(long, default_value_t = 10)]
    increment: u64,
    /// Moves after which each side gets its time again; 0 for one time for the whole game
    #[arg(long, default_value_t = 0)]
    period: u32,
    /// Let the engines ponder
    #[arg(long)]
    ponder: bool,
    /// Play to this depth in plies instead of by the clock
    #[arg(long)]
    depth: Option<u32>,
    /// Threads of each engine
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// The draw rules
    #[arg(long, default_value_t = DrawRules::standard())]
    rules: DrawRules,
    /// Random plies at the beginning of each game
    #[arg(long, default_value_t = 6)]
    random_plies: u32,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A move without a clock must come within this.
const PATIENCE: Duration = Duration::from_secs(60);

struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start(args: &Args) -> Result<Engine> {
        let mut child = Command::new(&args.engine)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", args.engine.display()))?;
        let input = child.stdin.take().context("no input")?;
        let output = child.stdout.take().context("no output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Engine {
            child,
            input,
            lines,
        };
        engine.say("uci")?;
        engine.wait_for("uciok", PATIENCE)?;
        engine.say(&format!("setoption name Threads value {}", args.threads))?;
        engine.say(&format!("setoption name DrawRules value {}", args.rules))?;
        engine.ready()?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").with_context(|| format!("sending {line}"))
    }

    fn ready(&mut self) -> Result<()> {
        self.say("isready")?;
        self.wait_for("readyok", PATIENCE).map(drop)
    }

    /// The next line that begins with `word`.
    fn wait_for(&mut self, word: &str, patience: Duration) -> Result<String> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .with_context(|| format!("no {word}"))?;
            ensure!(
                !line.starts_with("info string error"),
                "engine says: {line}"
            );
            if line.starts_with(word) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

fn main() -> Result<()> {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("info")).init();
    let args = Args::parse();
    let mut engines = [Engine::start(&args)?, Engine::start(&args)?];
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    let mut seed = args.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut least_left = Duration::MAX;
    for number in 1..=args.games {
        for engine in &mut engines {
            engine.say("ucinewgame")?;
            engine.ready()?;
        }
        let mut game = opening(&args, &mut seed);
        let end = play(
            &args,
            &mut engines,
            &mut game,
            number % 2 == 0,
            &mut least_left,
        )
        .with_context(|| {
            let start = fen::write(game.start(), Spelling::Algebraic);
            format!(
                "game {number} from {start} after {} plies",
                game.moves().len()
            )
        })?;
        log::info!("game {number}: {end} after {} plies", game.moves().len());
        *ends.entry(end.to_string()).or_default() += 1;
    }
    for (end, count) in ends {
        log::info!("{count:>5} {end}");
    }
    if least_left < Duration::MAX {
        log::info!("least time left on a clock: {} ms", least_left.as_millis());
    }
    log::info!("{} games without a fault", args.games);
    Ok(())
}

/// A game after some random plies that is not over yet.
fn opening(args: &Args, seed: &mut u64) -> Game {
    loop {
        let mut game = Game::new(Position::start(), args.rules.clone());
        for _ in 0..args.random_plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            let mv = moves[(*seed >> 33) as usize % moves.len()];
            game.play(mv);
        }
        if game.end().is_none() {
            return game;
        }
    }
}

/// The clocks of a game.
struct Clocks {
    left: [Duration; 2],
    increment: Duration,
    /// Moves each side has made.
    made: [u32; 2],
    /// Moves after which the time of a period is added, 0 for none.
    period: u32,
    added: Duration,
}

impl Clocks {
    fn new(args: &Args) -> Clocks {
        let time = Duration::from_millis(args.time);
        Clocks {
            left: [time; 2],
            increment: Duration::from_millis(args.increment),
            made: [0; 2],
            period: args.period,
            added: time,
        }
    }

    /// The arguments of `go`.
    fn arguments(&self, side: Side) -> String {
        let increment = self.increment.as_millis();
        let mut text = format!(
            "wtime {} btime {} winc {increment} binc {increment}",
            self.left[0].as_millis(),
            self.left[1].as_millis(),
        );
        if self.period > 0 {
            let to_go = self.period - self.made[side as usize] % self.period;
            text.push_str(&format!(" movestogo {to_go}"));
        }
        text
    }

    /// Takes the time of a move off; what was left before anything was added.
    fn take(&mut self, side: Side, taken: Duration) -> Result<Duration> {
        let left = &mut self.left[side as usize];
        if taken > *left {
            bail!("{side} lost on time: {taken:?} taken of {left:?}");
        }
        let rest = *left - taken;
        *left = rest + self.increment;
        let made = &mut self.made[side as usize];
        *made += 1;
        if self.period > 0 && made.is_multiple_of(self.period) {
            *left += self.added;
        }
        Ok(rest)
    }
}

/// `position fen … moves …`, with one more move at the end if given.
fn position_line(game: &Game, more: Option<&str>) -> String {
    let start = fen::write(game.start(), Spelling::Algebraic);
    let mut line = format!("position fen {start} moves");
    for (position, &mv) in game.positions().iter().zip(game.moves()) {
        line.push(' ');
        line.push_str(&movetext::write_full(position, mv, Spelling::Algebraic));
    }
    if let Some(more) = more {
        line.push(' ');
        line.push_str(more);
    }
    line
}

fn play(
    args: &Args,
    engines: &mut [Engine; 2],
    game: &mut Game,
    swapped: bool,
    least_left: &mut Duration,
) -> Result<GameEnd> {
    let mut clocks = Clocks::new(args);
    // The move each engine ponders on.
    let mut pondering: [Option<String>; 2] = [None, None];
    let end = loop {
        if let Some(end) = game.end() {
            break end;
        }
        let side = game.position().side();
        let number = usize::from((side == Side::Black) != swapped);
        let engine = &mut engines[number];
        let last = game.moves().last().map(|&mv| {
            let before = &game.positions()[game.positions().len() - 2];
            movetext::write_full(before, mv, Spelling::Algebraic)
        });
        let begun = match pondering[number].take() {
            Some(expected) if Some(&expected) == last.as_ref() => {
                let begun = Instant::now();
                engine.say("ponderhit")?;
                begun
            }
            missed => {
                if missed.is_some() {
                    engine.say("stop")?;
                    engine.wait_for("bestmove", PATIENCE)?;
                }
                engine.say(&position_line(game, None))?;
                let begun = Instant::now();
                match args.depth {
                    Some(depth) => engine.say(&format!("go depth {depth}"))?,
                    None => engine.say(&format!("go {}", clocks.arguments(side)))?,
                }
                begun
            }
        };
        let answer = engine.wait_for("bestmove", PATIENCE)?;
        let taken = begun.elapsed();
        if args.depth.is_none() {
            *least_left = (*least_left).min(clocks.take(side, taken)?);
        }
        let mut words = answer.split_whitespace().skip(1).step_by(2);
        let text = words.next().unwrap_or("");
        let mv = movetext::read(game.position(), text, Numbering::B8)?;
        ensure!(game.play(mv), "illegal move {text}");
        if let (true, Some(reply), None) = (args.ponder, words.next(), game.end()) {
            movetext::read(game.position(), reply, Numbering::B8)?;
            engine.say(&position_line(game, Some(reply)))?;
            engine.say(&format!("go ponder {}", clocks.arguments(side)))?;
            pondering[number] = Some(reply.to_owned());
        }
    };
    for (engine, pondering) in engines.iter_mut().zip(pondering) {
        if pondering.is_some() {
            engine.say("stop")?;
            engine.wait_for("bestmove", PATIENCE)?;
        }
    }
    Ok(end)
}
