//! Fits the chances of results to scores: what `src/eval/odds.rs` has.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Result, ensure};
use clap::Parser;
use std::path::PathBuf;
use tools::records::{self, Record};

/// Fits, for each row of piece numbers, the score of even chances and the slope around it; then shows how
/// well the chances fit games that were held out.
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

fn chance(score: f64, half: f64, slope: f64) -> f64 {
    1.0 / (1.0 + (-(score - half) / slope).exp())
}

/// Chances of loss, draw and win.
fn chances(score: f64, (half, slope): (f64, f64)) -> [f64; 3] {
    let (win, loss) = (chance(score, half, slope), chance(-score, half, slope));
    [loss, (1.0 - win - loss).max(1e-6), win]
}

/// Mean surprise at the results.
fn surprise(records: &[&Record], by: (f64, f64)) -> f64 {
    let each = records.iter().map(|record| {
        let chances = chances(f64::from(record.score), by);
        -chances[usize::from(record.result)].max(1e-6).ln()
    });
    each.sum::<f64>() / records.len().max(1) as f64
}

/// The best parameters by ever finer steps.
fn fit(records: &[&Record]) -> (f64, f64) {
    let mut best = (80.0_f64, 30.0_f64);
    let mut step = 32.0;
    while step > 0.2 {
        let around = [-1.0, 0.0, 1.0];
        let tries = around
            .iter()
            .flat_map(|a| around.iter().map(move |b| (a, b)));
        let tries = tries.map(|(a, b)| (best.0 + a * step, (best.1 + b * step).max(2.0)));
        let found = tries
            .map(|by| (surprise(records, by), by))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(best, |(_, by)| by);
        if found == best {
            step /= 2.0;
        }
        best = found;
    }
    best
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
    let mut by_row = [(80.0, 30.0); ROWS];
    for (number, by) in by_row.iter_mut().enumerate() {
        let mut own: Vec<&Record> = fitted
            .iter()
            .copied()
            .filter(|r| row(r) == number)
            .collect();
        own.truncate(400_000);
        if own.len() < 1000 {
            println!("row {number}: only {} records", own.len());
            continue;
        }
        *by = fit(&own);
        println!(
            "row {number}: ({:.0}.0, {:.0}.0), of {} records",
            by.0,
            by.1,
            own.len()
        );
    }
    println!("held out: told and seen chance of a win, by the chance told");
    let mut bins = [(0.0, 0.0, 0_u32); 10];
    for record in held {
        let told = chances(f64::from(record.score), by_row[row(record)])[2];
        let bin = &mut bins[((told * 10.0) as usize).min(9)];
        bin.0 += told;
        bin.1 += f64::from(u8::from(record.result == 2));
        bin.2 += 1;
    }
    for (told, seen, count) in bins {
        let n = f64::from(count.max(1));
        println!("{:.3} {:.3} of {count}", told / n, seen / n);
    }
    Ok(())
}
