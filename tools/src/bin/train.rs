//! Learns a network from records.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Context, Result, ensure};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use shashki::board::Side;
use shashki::files;
use shashki::rules::{Position, Setup, movegen};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use tools::records::{self, Record};
use tools::training::{Model, Sample, logistic};

/// Learns a network from the records of datagen: OUT.nn with its learning curve in OUT.tsv and OUT.svg.
///
/// Games whose number ends in 0 modulo 16 are held out. The network with the least held-out loss is kept,
/// also when it is interrupted; with the same records and seed it comes out the same.
#[derive(Parser, Clone, Debug)]
struct Args {
    /// Files of records
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Where the files go, without an ending
    #[arg(long)]
    out: PathBuf,
    /// How much of the target is the result of the game, the rest being the score; 0 to 1
    #[arg(long, default_value_t = 0.5)]
    blend: f32,
    /// Passes over all records
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Stop when the held-out loss has not fallen for so many passes
    #[arg(long, default_value_t = 5)]
    patience: u32,
    /// Samples of a step
    #[arg(long, default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Learning rate at first; it falls to a hundredth along a cosine
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    /// Of weights and order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all processors if left out
    #[arg(long)]
    threads: Option<usize>,
}

/// The score in centi-men that is worth one logit of expected result, by the records.
fn unit(records: &[Record]) -> f32 {
    let loss = |unit: f32| -> f64 {
        let parts: Vec<f64> = records
            .par_chunks(1 << 14)
            .map(|part| {
                // Endings that tables have decided say nothing about scores.
                let searched = part.iter().filter(|record| record.score.abs() < 2_000);
                let each = searched.map(|record| {
                    let told = logistic(f32::from(record.score) / unit);
                    f64::from((told - f32::from(record.result) / 2.0).powi(2))
                });
                each.sum::<f64>()
            })
            .collect();
        parts.iter().sum()
    };
    let units = (5..=300).map(|half| half as f32 * 2.0);
    let losses = units.map(|unit| (loss(unit), unit));
    losses
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(200.0, |(_, unit)| unit)
}

/// Centi-men to a logit, so that a man of the middle game is worth 100: the mean difference that taking a
/// man off makes in quiet positions of 16 to 20 pieces.
fn scale(model: &Model, records: &[Record]) -> i32 {
    let middle = records.iter().filter(|record| {
        (16..=20).contains(&record.position.occupied().count()) && record.score.abs() < 150
    });
    let middle: Vec<&Record> = middle.take(40_000).collect();
    let differences: Vec<f64> = middle
        .par_iter()
        .flat_map_iter(|record| {
            let told = |position: Position| {
                let record = Record {
                    position,
                    ..**record
                };
                f64::from(model.output(&Sample::new(&record, 0.0, 1.0)))
            };
            let whole = told(record.position);
            let position = record.position;
            Side::ALL.into_iter().flat_map(move |side| {
                let sign = if side == position.side() { 1.0 } else { -1.0 };
                position.men(side).into_iter().filter_map(move |square| {
                    let remove = |set: shashki::board::Bitboard| set.without(square.bitboard());
                    let less = Setup {
                        white: remove(position.pieces(Side::White)),
                        black: remove(position.pieces(Side::Black)),
                        kings: position.all_kings(),
                        side: position.side(),
                    };
                    let less = less.validate().ok()?;
                    // Where a capture has come about, the value means nothing.
                    let quiet = !movegen::has_capture(&less) && !movegen::is_threatened(&less);
                    quiet.then(|| sign * (whole - told(less)))
                })
            })
        })
        .collect();
    let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
    (100.0 / mean.max(0.05)).round() as i32
}

fn run(args: &Args) -> Result<()> {
    ensure!((0.0..=1.0).contains(&args.blend), "--blend is from 0 to 1");
    // Better now than behind the work.
    let probe = with_ending(&args.out, ".probe");
    write_whole(&probe, b"").and_then(|()| Ok(std::fs::remove_file(&probe)?))?;
    let stop = tools::long_job::stop_flag()?;
    // A position that several files have, in either colour, would be learned and held out at once.
    let mut seen = HashSet::new();
    let mut held = Vec::new();
    let (mut samples, mut held_out) = (Vec::new(), Vec::new());
    for path in &args.records {
        let mut records = records::read(path)?;
        records.retain(|record| {
            let position = &record.position;
            seen.insert(position.key().min(position.color_flipped().key()))
        });
        // Each file has the scores of another evaluation.
        let unit = unit(&records);
        println!(
            "{}: {} records, {unit} centi-men to a logit",
            path.display(),
            records.len()
        );
        for record in records {
            let sample = Sample::new(&record, args.blend, unit);
            if record.game % 16 == 0 {
                held_out.push(sample);
                held.push(record);
            } else {
                samples.push(sample);
            }
        }
    }
    ensure!(
        !held_out.is_empty() && !samples.is_empty(),
        "too few records"
    );
    println!(
        "{} to learn from, {} held out",
        samples.len(),
        held_out.len()
    );
    let mut model = Model::new(args.seed);
    let mut random = fastrand::Rng::with_seed(args.seed);
    let batch = args.batch as usize;
    let steps = samples.len().div_ceil(batch) as u64;
    let total = steps * u64::from(args.epochs);
    let bar = ProgressBar::new(total);
    bar.set_style(ProgressStyle::with_template(
        "{wide_bar} {percent}%, {elapsed} (left {eta}) {msg}",
    )?);
    let mut curve = vec![(0, f32::NAN, model.loss(&held_out))];
    let mut best = (model.loss(&held_out), model.clone(), 0);
    let begun = Instant::now();
    for epoch in 1..=args.epochs {
        random.shuffle(&mut samples);
        let mut losses = 0.0;
        for batch in samples.chunks(batch) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let done = bar.position() as f32 / total as f32;
            let fall = 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
            let loss = model.step(batch, args.rate * (0.01 + 0.99 * fall));
            losses += f64::from(loss) * batch.len() as f64;
            bar.inc(1);
        }
        let loss = (losses / samples.len() as f64) as f32;
        let out = model.loss(&held_out);
        curve.push((epoch, loss, out));
        let line = format!("epoch {epoch}: loss {loss:.5}, held out {out:.5}");
        bar.set_message(line.clone());
        println!("{line} ({:.0} s)", begun.elapsed().as_secs_f64());
        if out < best.0 {
            best = (out, model.clone(), epoch);
        } else if epoch - best.2 >= args.patience {
            println!("no better for {} passes", args.patience);
            break;
        }
        if stop.load(Ordering::Relaxed) {
            println!("stopped");
            break;
        }
    }
    bar.finish_and_clear();
    let (loss, model, epoch) = best;
    let scale = scale(&model, &held);
    println!("epoch {epoch} kept: held out {loss:.5}; {scale} centi-men to a logit of the network");
    let out = |ending: &str| with_ending(&args.out, ending);
    let path = out(".nn");
    write_whole(&path, &model.quantized(scale).to_bytes())?;
    println!("written to {}", path.display());
    let mut table = String::from("epoch\tloss\theld_out\n");
    for (epoch, loss, held_out) in &curve {
        writeln!(table, "{epoch}\t{loss:.6}\t{held_out:.6}")?;
    }
    write_whole(&out(".tsv"), table.as_bytes())?;
    write_whole(&out(".svg"), plot(&curve)?.as_bytes())
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    files::write_whole(path, bytes).with_context(|| path.display().to_string())
}

/// A name with something behind it. A name with a dot in it is no name with an ending.
fn with_ending(name: &Path, ending: &str) -> PathBuf {
    let mut name = name.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

/// Draws the learning curve.
fn plot(curve: &[(u32, f32, f32)]) -> Result<String> {
    use plotters::prelude::*;
    let points: Vec<&(u32, f32, f32)> = curve.iter().skip(1).collect();
    let losses = points.iter().flat_map(|(_, a, b)| [*a, *b]);
    let (least, most) = losses.fold((f32::MAX, 0.0_f32), |(a, b), loss| {
        (a.min(loss), b.max(loss))
    });
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, (800, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let last = points.last().map_or(1, |point| point.0).max(2);
    let mut chart = ChartBuilder::on(&area)
        .margin(15)
        .caption(
            "loss by pass: learned (grey), held out (black)",
            ("sans-serif", 18),
        )
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d(1..last, least * 0.995..most * 1.005)?;
    chart.configure_mesh().draw()?;
    let grey = RGBColor(150, 150, 150);
    chart.draw_series(LineSeries::new(points.iter().map(|p| (p.0, p.1)), &grey))?;
    chart.draw_series(LineSeries::new(points.iter().map(|p| (p.0, p.2)), &BLACK))?;
    area.present()?;
    drop((chart, area));
    Ok(picture)
}

fn main() -> Result<()> {
    env_logger::init();
    let args = Args::parse();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.unwrap_or(0))
        .build()?;
    pool.install(|| run(&args))
}
