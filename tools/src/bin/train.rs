//! Learns a network from records.

#![allow(clippy::print_stdout)] // it is a program, and this is its output

use anyhow::{Context, Result, ensure};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shashki::board::Side;
use shashki::files;
use shashki::rules::{Position, Setup, movegen};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tools::records::{self, Record};
use tools::training::{Model, Sample, logistic};

/// Learns a network from the records of datagen: OUT.nn with its learning curve in OUT.tsv and OUT.svg.
///
/// Games whose number ends in 0 modulo 16 are held out. The network with the least held-out loss is kept. With
/// the same records and seed it comes out the same. A run that was interrupted has written what it has, and
/// goes on behind its last whole pass when it is begun again (OUT.state).
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

/// How far a training has come.
#[derive(Serialize, Deserialize)]
struct State {
    settings: String,
    /// Passes that are done.
    epoch: u32,
    model: Model,
    /// The least held-out loss, the network that had it, and its pass.
    best: (f32, Model, u32),
    /// Pass, loss of what is learned, held-out loss.
    curve: Vec<(u32, f32, f32)>,
}

impl Args {
    /// What must be the same for a training to go on. Of the records their number and their bytes.
    fn settings(&self, records: &[Record]) -> String {
        let mut hasher = crc32fast::Hasher::new();
        for record in records {
            hasher.update(&record.to_bytes());
        }
        format!(
            "{} records with the checksum {:08x}, blend {} epochs {} patience {} batch {} rate {} seed {}",
            records.len(),
            hasher.finalize(),
            self.blend,
            self.epochs,
            self.patience,
            self.batch,
            self.rate,
            self.seed
        )
    }

    /// Where an earlier run was interrupted, or the beginning.
    fn load(&self, settings: String, held_out: &[Sample]) -> Result<State> {
        let path = with_ending(&self.out, ".state");
        if !path.exists() {
            let model = Model::new(self.seed);
            let loss = model.loss(held_out);
            return Ok(State {
                settings,
                epoch: 0,
                best: (loss, model.clone(), 0),
                model,
                curve: vec![(0, f32::NAN, loss)],
            });
        }
        let name = || path.display().to_string();
        let bytes = std::fs::read(&path).with_context(name)?;
        let found: State = postcard::from_bytes(&bytes).with_context(name)?;
        ensure!(
            found.settings == settings,
            "{} is of a training of {}, not of {settings}; delete it to begin anew",
            path.display(),
            found.settings
        );
        println!("goes on behind pass {}", found.epoch);
        Ok(found)
    }

    fn save(&self, state: &State) -> Result<()> {
        write_whole(
            &with_ending(&self.out, ".state"),
            &postcard::to_stdvec(state)?,
        )
    }
}

fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    ensure!((0.0..=1.0).contains(&args.blend), "--blend is from 0 to 1");
    // Better now than behind the work.
    let probe = with_ending(&args.out, ".probe");
    write_whole(&probe, b"").and_then(|()| Ok(std::fs::remove_file(&probe)?))?;
    // A position that several files have, in either colour, would be learned and held out at once.
    let mut seen = HashSet::new();
    let (mut learned, mut held) = (Vec::new(), Vec::new());
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
                learned.push(record);
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
    learned.extend(&held);
    let settings = args.settings(&learned);
    drop(learned);
    let mut state = args.load(settings, &held_out)?;
    let mut random = fastrand::Rng::with_seed(args.seed);
    // Each pass shuffles what the one before has left.
    for _ in 0..state.epoch {
        random.shuffle(&mut samples);
    }
    let batch = args.batch as usize;
    let steps = samples.len().div_ceil(batch) as u64;
    let total = steps * u64::from(args.epochs);
    let bar = ProgressBar::new(total);
    bar.set_style(ProgressStyle::with_template(
        "{wide_bar} {percent}%, {elapsed} (left {eta}) {msg}",
    )?);
    bar.set_position(steps * u64::from(state.epoch));
    bar.reset_eta();
    let begun = Instant::now();
    let mut finished = true;
    'passes: for epoch in state.epoch + 1..=args.epochs {
        if epoch - 1 - state.best.2 >= args.patience {
            println!("no better for {} passes", args.patience);
            break;
        }
        random.shuffle(&mut samples);
        let mut losses = 0.0;
        for batch in samples.chunks(batch) {
            if stop.load(Ordering::Relaxed) {
                finished = false;
                break 'passes;
            }
            let done = bar.position() as f32 / total as f32;
            let fall = 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
            let loss = state.model.step(batch, args.rate * (0.01 + 0.99 * fall));
            losses += f64::from(loss) * batch.len() as f64;
            bar.inc(1);
        }
        let loss = (losses / samples.len() as f64) as f32;
        let out = state.model.loss(&held_out);
        state.curve.push((epoch, loss, out));
        let line = format!("epoch {epoch}: loss {loss:.5}, held out {out:.5}");
        bar.set_message(line.clone());
        println!("{line} ({:.0} s)", begun.elapsed().as_secs_f64());
        if out < state.best.0 {
            state.best = (out, state.model.clone(), epoch);
        }
        state.epoch = epoch;
        args.save(&state)?;
    }
    bar.finish_and_clear();
    if !finished {
        println!(
            "stopped; the same command goes on behind pass {}",
            state.epoch
        );
        if state.epoch == 0 {
            return Ok(());
        }
    }
    let (loss, model, epoch) = state.best;
    let scale = scale(&model, &held);
    println!("epoch {epoch} kept: held out {loss:.5}; {scale} centi-men to a logit of the network");
    let out = |ending: &str| with_ending(&args.out, ending);
    let path = out(".nn");
    write_whole(&path, &model.quantized(scale).to_bytes())?;
    println!("written to {}", path.display());
    let mut table = String::from("epoch\tloss\theld_out\n");
    for (epoch, loss, held_out) in &state.curve {
        writeln!(table, "{epoch}\t{loss:.6}\t{held_out:.6}")?;
    }
    write_whole(&out(".tsv"), table.as_bytes())?;
    write_whole(&out(".svg"), plot(&state.curve)?.as_bytes())?;
    if finished {
        let _ = std::fs::remove_file(out(".state"));
    }
    Ok(())
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
    let stop = tools::long_job::stop_flag()?;
    pool.install(|| run(&args, &stop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::random;

    /// Quiet positions whose results are those of their numbers of men.
    fn records(path: &Path) {
        let mut random = fastrand::Rng::with_seed(5);
        let mut bytes = Vec::from(records::MAGIC);
        for game in 0..3000 {
            let Some(position) = random::position(&mut random, 14) else {
                continue;
            };
            let own = position.pieces(position.side()).count() as i16;
            let record = Record {
                position,
                score: (2 * own - 14) * 100,
                ply: 0,
                result: (own - 6).clamp(0, 2) as u8,
                game,
            };
            bytes.extend(record.to_bytes());
        }
        std::fs::write(path, bytes).expect("written");
    }

    #[test]
    fn a_training_that_was_interrupted_comes_out_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.rec");
        records(&file);
        let args = |out: &str, epochs: &str| {
            let mut args = Args::parse_from(["train", "x", "--out", "x", "--batch", "64"]);
            args.records = vec![file.clone()];
            args.out = folder.path().join(out);
            args.epochs = epochs.parse().expect("a number");
            args
        };
        let go_on = AtomicBool::new(false);
        run(&args("whole", "3"), &go_on).expect("it runs");
        let result = |name: &str, ending: &str| {
            std::fs::read(folder.path().join(format!("{name}{ending}"))).expect("a file")
        };
        let parts = args("parts", "3");
        let stop = AtomicBool::new(true);
        run(&parts, &stop).expect("it stops at once");
        assert!(!with_ending(&parts.out, ".nn").exists());
        stop.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let job = scope.spawn(|| run(&parts, &stop));
            // Behind the first pass.
            while !with_ending(&parts.out, ".state").exists() && !job.is_finished() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            stop.store(true, Ordering::Relaxed);
            job.join().expect("no panic").expect("it runs");
        });
        run(&parts, &go_on).expect("it goes on");
        for ending in [".nn", ".tsv"] {
            assert!(
                result("whole", ending) == result("parts", ending),
                "{ending}"
            );
        }
        assert!(!with_ending(&parts.out, ".state").exists());
    }
}
