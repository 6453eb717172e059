//! Tunes numbers of the search by games of the engine against itself: simultaneous perturbation stochastic
//! approximation (SPSA, Spall 1998) with the schedule that fishtest uses.
//!
//! For each pair of games all numbers are moved at once, each up or down by chance; the engine with the
//! numbers moved one way meets the engine with them moved the other way, once with either colour, and all
//! numbers go a little towards the side that won. Steps become smaller as the run goes on.
//!
//! The same seed gives the same numbers with any number of threads.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shashki::files::write_whole;
use shashki::rules::Game;
use shashki::search::{Limits, Params};
use shashki::tb::Tables;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tools::games::{self, Beginnings, Player};
use tools::{long_job, random};

/// Tunes numbers of the search by games of the engine against itself.
#[derive(Parser, Clone, Debug)]
struct Args {
    /// How far the run has come, as JSON; a run that was stopped goes on where it was
    #[arg(long)]
    state: PathBuf,
    /// The numbers, each with the step by which it is tried at the end of the run: `lmr_base=100`
    #[arg(required = true, value_parser = number)]
    numbers: Vec<Number>,
    /// Pairs of games
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
    /// How far a won game moves a number at the end of the run, in steps
    #[arg(long, default_value_t = 0.005, value_parser = rate)]
    rate: f64,
    /// Nodes for each move
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all processors if left out
    #[arg(long)]
    threads: Option<usize>,
    /// Folders with endgame tables beside those built in
    #[arg(long)]
    tables: Vec<PathBuf>,
}

/// Pairs between two updates of the numbers, however many threads there are.
const BATCH: u64 = 16;
/// Random moves behind an opening, at most.
const RANDOM: usize = 6;
/// Openings that are further from even are not played, centi-men.
const BALANCE: i32 = 60;
/// The exponents by which moves and tries of the numbers shrink (Spall 1998).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// A number that is tuned.
#[derive(Clone, Debug)]
struct Number {
    name: String,
    step: f64,
    first: i32,
    least: i32,
    most: i32,
}

/// `name=step`.
fn number(text: &str) -> Result<Number> {
    let (name, step) = text.split_once('=').context("it must be name=step")?;
    let known = Params::ALL.iter().find(|(known, ..)| *known == name);
    let Some(&(name, first, least, most)) = known else {
        let names: Vec<_> = Params::ALL.iter().map(|(name, ..)| *name).collect();
        bail!("there is no number {name}, but {}", names.join(", "));
    };
    let step: f64 = step.parse().context("the step is no number")?;
    ensure!(
        step.is_finite() && step > 0.0,
        "the step must be above 0 and finite"
    );
    Ok(Number {
        name: name.to_owned(),
        step,
        first,
        least,
        most,
    })
}

fn rate(text: &str) -> Result<f64> {
    let rate: f64 = text.parse().context("the rate is no number")?;
    ensure!(
        rate.is_finite() && rate > 0.0,
        "the rate must be above 0 and finite"
    );
    Ok(rate)
}

/// How far a run has come.
#[derive(Serialize, Deserialize)]
struct State {
    settings: String,
    pairs: u64,
    values: Vec<f64>,
    /// Games won, drawn and lost by the first of the two players. They should come out about even.
    games: [u64; 3],
}

impl Args {
    /// What must be the same for a run to go on.
    fn settings(&self, tables: &Arc<Tables>) -> String {
        let numbers = self.numbers.iter();
        let numbers: Vec<_> = numbers.map(|n| format!("{}={}", n.name, n.step)).collect();
        format!(
            "{} {} pairs {} rate {} nodes {} seed {}",
            games::engine(tables),
            numbers.join(" "),
            self.pairs,
            self.rate,
            self.nodes,
            self.seed
        )
    }

    fn load(&self, tables: &Arc<Tables>) -> Result<State> {
        if !self.state.exists() {
            return Ok(State {
                settings: self.settings(tables),
                pairs: 0,
                values: self.numbers.iter().map(|n| f64::from(n.first)).collect(),
                games: [0; 3],
            });
        }
        let found: State = serde_json::from_slice(&std::fs::read(&self.state)?)
            .context("reading how far it has come")?;
        let settings = self.settings(tables);
        ensure!(
            found.settings == settings,
            "the run had {}, not {settings}",
            found.settings
        );
        Ok(found)
    }

    fn save(&self, state: &State) -> Result<()> {
        write_whole(&self.state, &serde_json::to_vec(state)?)
            .with_context(|| self.state.display().to_string())
    }

    /// How far the numbers are tried, and how far they go for a won game, both in steps.
    fn schedule(&self, pair: u64) -> (f64, f64) {
        let (now, all) = (pair as f64, self.pairs as f64);
        // As if a tenth of the run were over already, so that first results do not throw the numbers about.
        let early = all / 10.0;
        let tried = (all / now).powf(GAMMA);
        let moved = self.rate * ((early + all) / (early + now)).powf(ALPHA) / tried;
        (tried, moved)
    }
}

/// What a pair of games has shown.
struct Shown {
    /// Which way each number was moved.
    signs: Vec<f64>,
    /// Games won, drawn and lost with the numbers moved that way.
    games: [u64; 3],
}

/// The two sides of a pair of games and what they share.
struct Pairing<'a> {
    args: &'a Args,
    beginnings: &'a Beginnings<'a>,
    tables: &'a Tables,
    players: [Player; 2],
    /// Says which openings are even, with the numbers as they are in the program.
    judge: Player,
}

impl Pairing<'_> {
    fn play(&mut self, pair: u64, values: &[f64]) -> Result<Shown> {
        let mut random = random::of_job(self.args.seed, pair);
        let signs: Vec<f64> = values
            .iter()
            .map(|_| if random.bool() { 1.0 } else { -1.0 })
            .collect();
        let (tried, _) = self.args.schedule(pair);
        // Numbers are whole: what rounding takes in one pair it gives back, by chance, in another.
        let chance = random.f64();
        for (player, way) in self.players.iter_mut().zip([1.0, -1.0]) {
            let mut params = Params::default();
            for ((number, value), sign) in self.args.numbers.iter().zip(values).zip(&signs) {
                let moved = value + way * sign * tried * number.step;
                let whole = (moved + chance).floor() as i32;
                params
                    .set(&number.name, whole.clamp(number.least, number.most))
                    .with_context(|| number.name.clone())?;
            }
            player.shared.params = Arc::new(params);
        }
        let start = self.beginnings.draw(&mut random, &mut self.judge);
        let mut games = [0; 3];
        for first in 0..2 {
            games[self.game(&start, first)] += 1;
        }
        Ok(Shown { signs, games })
    }

    /// A game in which the player with the number `first` moves first: 0 if player 0 has won, 1 if it is a
    /// draw, 2 if player 0 has lost.
    fn game(&mut self, start: &Game, first: usize) -> usize {
        for player in &mut self.players {
            player.forget();
        }
        let mut game = start.clone();
        let mut turn = first;
        let opening = game.position().side();
        let winner = loop {
            if let Some(winner) = games::over(&game, self.tables) {
                break winner;
            }
            let report = self.players[turn].search(&game);
            let Some(best) = report.best else { break None };
            if let Some(winner) = games::proven(&game, &report) {
                break Some(winner);
            }
            game.play(best);
            turn = 1 - turn;
        };
        match winner {
            None => 1,
            Some(side) if (side == opening) == (first == 0) => 0,
            Some(_) => 2,
        }
    }
}

fn run(args: &Args) -> Result<()> {
    for (at, number) in args.numbers.iter().enumerate() {
        let again = args.numbers[..at].iter().any(|n| n.name == number.name);
        ensure!(!again, "{} is there twice", number.name);
    }
    let tables = games::tables(&args.tables)?;
    let openings = games::all_openings()?;
    let beginnings = Beginnings {
        openings: &openings,
        random: RANDOM,
        balance: BALANCE,
    };
    let limits = Limits {
        nodes: Some(args.nodes),
        ..Limits::default()
    };
    let pool = long_job::searchers(args.threads)?;
    let mut state = pool.install(|| args.load(&tables))?;
    let stop = long_job::stop_flag()?;
    let bar = long_job::bar(
        state.pairs,
        args.pairs,
        "{wide_bar} {human_pos}/{human_len} pairs, {per_sec}, {elapsed} (left {eta})\n{msg}",
    )?;
    while state.pairs < args.pairs && !stop.load(Ordering::Relaxed) {
        let batch = state.pairs + 1..(state.pairs + BATCH).min(args.pairs) + 1;
        let player = || Player::new(&tables, limits.clone());
        let pairing = || Pairing {
            args,
            beginnings: &beginnings,
            tables: &tables,
            players: [player(), player()],
            judge: player(),
        };
        let values = state.values.clone();
        let shown: Result<Vec<Shown>> = pool.install(|| {
            // One by one: no thread waits for another that has several left.
            let pairs: Vec<u64> = batch.clone().collect();
            let pairs = pairs.into_par_iter().with_max_len(1);
            pairs
                .map_init(pairing, |pairing, pair| pairing.play(pair, &values))
                .collect()
        });
        for (pair, shown) in batch.zip(shown?) {
            let won = shown.games[0] as f64 - shown.games[2] as f64;
            let (_, moved) = args.schedule(pair);
            let each = state.values.iter_mut().zip(&args.numbers).zip(&shown.signs);
            for ((value, number), sign) in each {
                let next = *value + moved * won * sign * number.step;
                *value = next.clamp(f64::from(number.least), f64::from(number.most));
            }
            for (all, new) in state.games.iter_mut().zip(shown.games) {
                *all += new;
            }
            state.pairs = pair;
        }
        args.save(&state)?;
        bar.set_position(state.pairs);
        bar.set_message(line(args, &state));
    }
    bar.finish_and_clear();
    let [won, drawn, lost] = state.games;
    println!(
        "{} pairs: {won} games won, {drawn} drawn, {lost} lost by the first player, about even if all is well",
        state.pairs
    );
    println!("{}", line(args, &state));
    Ok(())
}

/// The numbers as they are now.
fn line(args: &Args, state: &State) -> String {
    let each = args.numbers.iter().zip(&state.values);
    let each = each.map(|(number, value)| format!("{}={value:.1}", number.name));
    each.collect::<Vec<_>>().join(" ")
}

fn main() -> Result<()> {
    env_logger::init();
    run(&Args::parse())
}
