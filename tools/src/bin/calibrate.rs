//! Fits the chances of results to scores: what `src/eval/odds.rs` has.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Result, ensure};
use clap::Parser;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tools::records::{self, Record};

/// Fits, for each row of piece numbers, the score of even chances and the slopes below and above it; then shows
/// how well the chances fit games that were held out. The games should be ones that the weights which played
/// them have not learned from.
#[derive(Parser, Clone, Debug)]
struct Args {
    /// Files of records
    #[arg(required = true)]
    records: Vec<PathBuf>,
}

const ROWS: usize = 6;

fn row(record: &Record) -> usize {
    let pieces = record.position.occupied().count() as usize;
    (pieces.saturating_sub(1) / 4).min(ROWS - 1)
}

/// The score with which half of the games are won, and how gently chances change below and above it.
type Curve = [f64; 3];

const FIRST: Curve = [80.0, 30.0, 30.0];

fn chance(score: f64, [half, below, above]: Curve) -> f64 {
    let slope = if score < half { below } else { above };
    1.0 / (1.0 + (-(score - half) / slope).exp())
}

/// Chances of loss, draw and win.
fn chances(score: f64, by: Curve) -> [f64; 3] {
    let (win, loss) = (chance(score, by), chance(-score, by));
    [loss, (1.0 - win - loss).max(1e-6), win]
}

/// Surprise at the results in all. Records of one score and result are counted together.
fn surprise(counts: &BTreeMap<(i16, u8), u32>, by: Curve) -> f64 {
    let each = counts.iter().map(|(&(score, result), &count)| {
        let chance = chances(f64::from(score), by)[usize::from(result)];
        -f64::from(count) * chance.max(1e-6).ln()
    });
    each.sum()
}

/// The best parameters by ever finer steps.
fn fit(counts: &BTreeMap<(i16, u8), u32>) -> Curve {
    let mut best = FIRST;
    let mut step = 32.0;
    while step > 0.2 {
        let tries = (0..27).map(|number| {
            let way = |at: u32| f64::from(number / 3_u32.pow(at) % 3) - 1.0;
            let moved = |at: u32| best[at as usize] + way(at) * step;
            [moved(0), moved(1).max(2.0), moved(2).max(2.0)]
        });
        let found = tries
            .map(|by| (surprise(counts, by), by))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(best, |(_, by)| by);
        // Steps that change hardly anything do not go on for ever.
        if surprise(counts, found) >= surprise(counts, best) - 1e-6 {
            step /= 2.0;
        }
        best = found;
    }
    best
}

/// How often results came that were told with these chances: sum told, seen, and number, by tenths.
#[derive(Default)]
struct Bins([(f64, u32, u32); 10]);

impl Bins {
    fn add(&mut self, told: f64, seen: bool) {
        let bin = &mut self.0[((told * 10.0) as usize).min(9)];
        bin.0 += told;
        bin.1 += u32::from(seen);
        bin.2 += 1;
    }

    fn print(&self, what: &str) {
        println!("held out: told and seen chance of a {what}, by the chance told");
        for (told, seen, count) in self.0 {
            let n = f64::from(count.max(1));
            println!("{:.3} {:.3} of {count}", told / n, f64::from(seen) / n);
        }
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let mut all = Vec::new();
    for path in &args.records {
        all.extend(records::read(path)?);
    }
    all.retain(|record| record.score.abs() < 2_000);
    let (held, fitted): (Vec<&Record>, Vec<&Record>) =
        all.iter().partition(|record| record.game % 16 == 0);
    ensure!(!held.is_empty() && !fitted.is_empty(), "too few records");
    let mut by_row = [FIRST; ROWS];
    for (number, by) in by_row.iter_mut().enumerate() {
        let mut counts = BTreeMap::new();
        let own = fitted.iter().filter(|record| row(record) == number);
        own.for_each(|record| *counts.entry((record.score, record.result)).or_insert(0) += 1);
        let records: u32 = counts.values().sum();
        if records < 1000 {
            println!("row {number}: only {records} records");
            continue;
        }
        *by = fit(&counts);
        let [half, below, above] = by;
        println!("row {number}: ({half:.0}.0, {below:.0}.0, {above:.0}.0), of {records} records");
    }
    let (mut wins, mut draws) = (Bins::default(), Bins::default());
    for record in held {
        let [_, draw, win] = chances(f64::from(record.score), by_row[row(record)]);
        wins.add(win, record.result == 2);
        draws.add(draw, record.result == 1);
    }
    wins.print("win");
    draws.print("draw");
    Ok(())
}
