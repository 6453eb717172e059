//! The network and its patterns in floating point, and how they learn.
//!
//! The output is in logits: its logistic function is the expected result. What it learns is a blend of the
//! result of the game and of what the search expected. The gradient of the network over a batch is the sum
//! of those of a fixed number of parts in their order, that of an area is summed up in the order of the
//! batch, so the number of threads changes nothing.

use crate::records::Record;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shashki::board::{Bitboard, Side, Square};
use shashki::eval::inputs::{self, INPUTS};
use shashki::eval::network::{
    self, BUCKETS, GREATEST_OUTPUT, INPUT_ONE, Network, OUTPUT_ONE, Row, WIDTH,
};
use shashki::eval::patterns::{self, AREAS, Numbers};

/// Parts of a batch.
const PARTS: usize = 16;
/// The first input of the men of the other side.
const OTHER_MEN: u8 = 64;
/// Most pieces on a board.
const PIECES: usize = 24;

/// A position as the network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Inputs of the own view, then nothing.
    inputs: [u8; PIECES],
    count: u8,
    bucket: u8,
    /// What the network should say, from 0 to 1.
    pub target: f32,
}

/// The input of the other view for each of the own.
fn turned() -> [u8; INPUTS] {
    std::array::from_fn(|input| {
        let (kind, square) = (input / 32, input % 32);
        let square = shashki::board::Square::from_index(square).map_or(0, |s| s.flip().index());
        (32 * (kind ^ 2) + square) as u8
    })
}

/// The logistic function.
#[must_use]
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Sample {
    /// A sample of a record. `blend`: how much of the target is the game's result; `unit`: the score in
    /// centi-men whose expected result is that of one logit.
    #[must_use]
    pub fn new(record: &Record, blend: f32, unit: f32) -> Sample {
        let position = &record.position;
        let view = position.side();
        let mut inputs = [0; PIECES];
        let mut count = 0;
        for side in Side::ALL {
            for (king, set) in [(false, position.men(side)), (true, position.kings(side))] {
                for square in set {
                    inputs[count] = inputs::input(view, side, king, square) as u8;
                    count += 1;
                }
            }
        }
        let result = f32::from(record.result) / 2.0;
        let expected = logistic(f32::from(record.score) / unit);
        Sample {
            inputs,
            count: count as u8,
            bucket: network::bucket(count as u32) as u8,
            target: blend * result + (1.0 - blend) * expected,
        }
    }

    fn inputs(&self) -> &[u8] {
        &self.inputs[..usize::from(self.count)]
    }

    /// The numbers of the areas.
    fn numbers(&self) -> Numbers {
        let men = |first: u8| -> Bitboard {
            let inputs = self.inputs().iter().filter_map(|input| {
                let square = input.checked_sub(first)?;
                Square::from_index(square.into())
            });
            inputs.collect()
        };
        patterns::numbers(men(0), men(OTHER_MEN))
    }

    /// What the two weights of an area count for.
    fn shares(&self) -> (f32, f32) {
        let many = f32::from(self.count) / PIECES as f32;
        (many, 1.0 - many)
    }
}

/// Where the groups of weights of the network begin in one vector of all of them.
const BIAS: usize = INPUTS * WIDTH;
const OUTPUT: usize = BIAS + WIDTH;
const OUTPUT_BIAS: usize = OUTPUT + BUCKETS * 2 * WIDTH;
const WEIGHTS: usize = OUTPUT_BIAS + BUCKETS;

/// What 1.0 is in the output.
const BOTH_ONES: i32 = INPUT_ONE * OUTPUT_ONE;
/// Greatest output weight, and greatest weight of an area: they must fit their integers.
const GREATEST: f32 = GREATEST_OUTPUT as f32 / OUTPUT_ONE as f32;
const GREATEST_AREA: f32 = i16::MAX as f32 / BOTH_ONES as f32;

/// Weights that learn by Adam (Kingma and Ba, 2015).
#[derive(Clone, Serialize, Deserialize)]
struct Adam {
    weights: Vec<f32>,
    /// Running means of gradients and of their squares.
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Adam {
    fn new(weights: Vec<f32>) -> Adam {
        Adam {
            means: vec![0.0; weights.len()],
            squares: vec![0.0; weights.len()],
            weights,
        }
    }

    /// The step with this number, from 1. `greatest` is what the weight at a place may be.
    fn step(&mut self, number: i32, rate: f32, gradient: &[f32], greatest: impl Fn(usize) -> f32) {
        let slow = 1.0 - 0.999_f32.powi(number);
        let fast = 1.0 - 0.9_f32.powi(number);
        for (at, &gradient) in gradient.iter().enumerate() {
            let (mean, square) = (&mut self.means[at], &mut self.squares[at]);
            *mean += 0.1 * (gradient - *mean);
            *square += 0.001 * (gradient * gradient - *square);
            let step = rate * (*mean / fast) / ((*square / slow).sqrt() + 1e-8);
            let greatest = greatest(at);
            self.weights[at] = (self.weights[at] - step).clamp(-greatest, greatest);
        }
    }
}

/// A network with patterns that learns.
#[derive(Clone, Serialize, Deserialize)]
pub struct Model {
    network: Adam,
    /// Two weights for each number of each area.
    areas: Vec<Adam>,
    steps: i32,
    #[serde(skip, default = "turned")]
    turned: [u8; INPUTS],
}

/// The first layer of both views, the numbers of the own one, and the output.
struct Layers {
    views: [[f32; WIDTH]; 2],
    numbers: Numbers,
    output: f32,
}

/// The slopes of the mean loss of a batch, and that loss.
struct Gradient {
    network: Vec<f32>,
    areas: Vec<Vec<f32>>,
    loss: f32,
}

/// What a part of a batch adds.
struct Part {
    gradient: Vec<f32>,
    /// The numbers of the areas and the error of each sample.
    errors: Vec<(Numbers, f32)>,
    loss: f32,
}

impl Model {
    /// A network that knows nothing, with random weights.
    #[must_use]
    pub fn new(seed: u64) -> Model {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |weights: &mut [f32], size: f32| {
            weights
                .iter_mut()
                .for_each(|weight| *weight = (random.f32() * 2.0 - 1.0) * size);
        };
        fill(&mut weights[..BIAS], 0.2);
        fill(&mut weights[OUTPUT..OUTPUT_BIAS], 0.2);
        weights[BIAS..OUTPUT].fill(0.2);
        let area = |area| Adam::new(vec![0.0; 2 * patterns::size(area)]);
        Model {
            network: Adam::new(weights),
            areas: (0..AREAS).map(area).collect(),
            steps: 0,
            turned: turned(),
        }
    }

    fn row(&self, input: u8) -> &[f32] {
        let start = usize::from(input) * WIDTH;
        &self.network.weights[start..start + WIDTH]
    }

    fn layers(&self, sample: &Sample) -> Layers {
        let weights = &self.network.weights;
        let mut views = [[0.0; WIDTH]; 2];
        for (number, view) in views.iter_mut().enumerate() {
            view.copy_from_slice(&weights[BIAS..OUTPUT]);
            for &input in sample.inputs() {
                let input = if number == 0 {
                    input
                } else {
                    self.turned[usize::from(input)]
                };
                for (sum, weight) in view.iter_mut().zip(self.row(input)) {
                    *sum += weight;
                }
            }
        }
        let bucket = usize::from(sample.bucket);
        let mut output = weights[OUTPUT_BIAS + bucket];
        let weights = &weights[OUTPUT + bucket * 2 * WIDTH..][..2 * WIDTH];
        for (view, weights) in views.iter().zip(weights.chunks_exact(WIDTH)) {
            let mut sum = 0.0;
            for (x, weight) in view.iter().zip(weights) {
                let x = x.clamp(0.0, 1.0);
                sum += x * x * weight;
            }
            output += sum;
        }
        let numbers = sample.numbers();
        let (many, few) = sample.shares();
        for (area, &number) in self.areas.iter().zip(&numbers) {
            let at = 2 * usize::from(number);
            output += many * area.weights[at] + few * area.weights[at + 1];
        }
        Layers {
            views,
            numbers,
            output,
        }
    }

    /// What the network says of a sample, in logits.
    #[must_use]
    pub fn output(&self, sample: &Sample) -> f32 {
        self.layers(sample).output
    }

    /// Adds what a sample adds to its part of a batch.
    fn learn(&self, sample: &Sample, part: &mut Part) {
        let gradient = &mut part.gradient;
        let layers = self.layers(sample);
        let told = logistic(layers.output);
        let error = told - sample.target;
        let bucket = usize::from(sample.bucket);
        let start = OUTPUT + bucket * 2 * WIDTH;
        gradient[OUTPUT_BIAS + bucket] += error;
        for (number, view) in layers.views.iter().enumerate() {
            let at = start + number * WIDTH;
            let mut inner = [0.0; WIDTH];
            {
                let weights = &self.network.weights[at..at + WIDTH];
                let gradient = &mut gradient[at..at + WIDTH];
                for i in 0..WIDTH {
                    let x = view[i].clamp(0.0, 1.0);
                    gradient[i] += error * x * x;
                    let open = if view[i] > 0.0 && view[i] < 1.0 {
                        1.0
                    } else {
                        0.0
                    };
                    inner[i] = error * weights[i] * 2.0 * x * open;
                }
            }
            for (gradient, inner) in gradient[BIAS..OUTPUT].iter_mut().zip(&inner) {
                *gradient += inner;
            }
            for &input in sample.inputs() {
                let input = if number == 0 {
                    input
                } else {
                    self.turned[usize::from(input)]
                };
                let start = usize::from(input) * WIDTH;
                for (gradient, inner) in gradient[start..start + WIDTH].iter_mut().zip(&inner) {
                    *gradient += inner;
                }
            }
        }
        part.errors.push((layers.numbers, error));
        part.loss += loss(told, sample.target);
    }

    fn gradient(&self, batch: &[Sample]) -> Gradient {
        let parts: Vec<Part> = batch
            .par_chunks(batch.len().div_ceil(PARTS))
            .map(|samples| {
                let mut part = Part {
                    gradient: vec![0.0; WEIGHTS],
                    errors: Vec::with_capacity(samples.len()),
                    loss: 0.0,
                };
                samples
                    .iter()
                    .for_each(|sample| self.learn(sample, &mut part));
                part
            })
            .collect();
        let size = batch.len() as f32;
        let of_area = |area| {
            let mut gradient = vec![0.0; 2 * patterns::size(area)];
            let errors = parts.iter().flat_map(|part| &part.errors);
            for (sample, (numbers, error)) in batch.iter().zip(errors) {
                let (many, few) = sample.shares();
                let at = 2 * usize::from(numbers[area]);
                gradient[at] += many * error / size;
                gradient[at + 1] += few * error / size;
            }
            gradient
        };
        let sum = |at| parts.iter().map(|part| part.gradient[at]).sum::<f32>() / size;
        Gradient {
            network: (0..WEIGHTS).map(sum).collect(),
            areas: (0..AREAS).into_par_iter().map(of_area).collect(),
            loss: parts.iter().map(|part| part.loss).sum::<f32>() / size,
        }
    }

    /// One step of Adam on a batch; the mean loss before it.
    pub fn step(&mut self, batch: &[Sample], rate: f32) -> f32 {
        let gradient = self.gradient(batch);
        self.steps += 1;
        let number = self.steps;
        self.network
            .step(number, rate, &gradient.network, |at| match at {
                ..OUTPUT => 4.0,
                OUTPUT..OUTPUT_BIAS => GREATEST,
                _ => f32::INFINITY,
            });
        let areas = self.areas.par_iter_mut().zip(&gradient.areas);
        areas.for_each(|(area, gradient)| area.step(number, rate, gradient, |_| GREATEST_AREA));
        gradient.loss
    }

    /// The mean loss over samples.
    #[must_use]
    pub fn loss(&self, samples: &[Sample]) -> f32 {
        let parts: Vec<f64> = samples
            .par_chunks(1 << 14)
            .map(|part| {
                let losses = part
                    .iter()
                    .map(|sample| f64::from(loss(logistic(self.output(sample)), sample.target)));
                losses.sum::<f64>()
            })
            .collect();
        (parts.iter().sum::<f64>() / samples.len().max(1) as f64) as f32
    }

    /// The network in integers, with so many centi-men to a logit.
    #[must_use]
    pub fn quantized(&self, scale: i32) -> Network {
        let rounded = |weight: f32, one: i32| (weight * one as f32).round() as i16;
        let row = |start: usize, one: i32| {
            Row(std::array::from_fn(|at| {
                rounded(self.network.weights[start + at], one)
            }))
        };
        let mut inputs = Box::new([Row([0; WIDTH]); INPUTS]);
        for (input, weights) in inputs.iter_mut().enumerate() {
            *weights = row(input * WIDTH, INPUT_ONE);
        }
        let mut areas = patterns::no_weights();
        let learned = self.areas.iter().flat_map(|area| &area.weights);
        for (weight, &learned) in areas.iter_mut().flatten().zip(learned) {
            *weight = rounded(learned, BOTH_ONES);
        }
        Network {
            inputs,
            bias: row(BIAS, INPUT_ONE),
            output: std::array::from_fn(|bucket| {
                std::array::from_fn(|view| row(OUTPUT + (2 * bucket + view) * WIDTH, OUTPUT_ONE))
            }),
            output_bias: std::array::from_fn(|bucket| {
                let weight = self.network.weights[OUTPUT_BIAS + bucket];
                (weight * BOTH_ONES as f32).round() as i32
            }),
            areas,
            scale,
        }
    }
}

/// Cross-entropy of a target and what was told, less what cannot be avoided.
fn loss(told: f32, target: f32) -> f32 {
    let part = |target: f32, told: f32| {
        if target <= 0.0 {
            0.0
        } else {
            target * (target / told.max(1e-7)).ln()
        }
    };
    part(target, told) + part(1.0 - target, 1.0 - told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shashki::eval::Accumulator;

    fn records(count: usize) -> Vec<Record> {
        let mut random = fastrand::Rng::with_seed(5);
        let mut records = Vec::new();
        while records.len() < count {
            let pieces = random.u8(2..=14);
            if let Some(position) = crate::random::position(&mut random, pieces) {
                let own = position.pieces(position.side()).count() as i16;
                let score = 100 * (2 * own - i16::from(pieces));
                records.push(Record {
                    position,
                    score,
                    ply: 0,
                    result: (score.signum() + 1) as u8,
                    game: 0,
                });
            }
        }
        records
    }

    fn samples(records: &[Record]) -> Vec<Sample> {
        records.iter().map(|r| Sample::new(r, 0.5, 200.0)).collect()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = samples(&records(40));
        let model = Model::new(1);
        let gradient = model.gradient(&samples);
        let mut random = fastrand::Rng::with_seed(2);
        let check = |told: f32, weight: &dyn Fn(&mut Model) -> &mut f32| {
            let moved = |by: f32| {
                let mut model = model.clone();
                *weight(&mut model) += by;
                model.loss(&samples)
            };
            // A small step, since the slope changes where a number is clipped.
            let slope = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            let error = (slope - told).abs();
            assert!(error < 4e-5 + 0.05 * slope.abs(), "{slope} {told}");
        };
        for group in [
            0..BIAS,
            BIAS..OUTPUT,
            OUTPUT..OUTPUT_BIAS,
            OUTPUT_BIAS..WEIGHTS,
        ] {
            let moves = |&at: &usize| gradient.network[at].abs() > 1e-4;
            let mut moving: Vec<usize> = group.filter(moves).collect();
            assert!(moving.len() >= 3, "{}", moving.len());
            random.shuffle(&mut moving);
            for &at in moving.iter().take(50) {
                check(gradient.network[at], &|model| {
                    &mut model.network.weights[at]
                });
            }
        }
        let mut moving = 0;
        for (area, gradient) in gradient.areas.iter().enumerate() {
            let learned = (0..gradient.len()).filter(|&at| gradient[at] != 0.0);
            for at in learned.step_by(7) {
                check(gradient[at], &|model| &mut model.areas[area].weights[at]);
                moving += 1;
            }
        }
        assert!(moving > 20, "{moving}");
    }

    #[test]
    fn it_learns_and_threads_change_nothing() {
        let samples = samples(&records(4000));
        let train = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let mut model = Model::new(1);
                for _ in 0..60 {
                    model.step(&samples, 0.01);
                }
                model
            })
        };
        let (one, three) = (train(1), train(3));
        assert_eq!(one.network.weights, three.network.weights);
        let areas = |model: &Model| {
            model
                .areas
                .iter()
                .map(|area| area.weights.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(areas(&one), areas(&three));
        assert!(one.loss(&samples) < 0.3 * Model::new(1).loss(&samples));
    }

    #[test]
    fn integers_say_what_the_model_says() {
        let records = records(500);
        let samples = samples(&records);
        let mut model = Model::new(1);
        for _ in 0..40 {
            model.step(&samples, 0.01);
        }
        let network = model.quantized(40);
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).expect("whole"), network);
        for (record, sample) in records.iter().zip(&samples) {
            let value = Accumulator::new(&network).value(&network, &record.position);
            let exact = model.output(sample) * 40.0;
            let error = (value as f32 - exact).abs();
            assert!(error < 2.5 + 0.02 * exact.abs(), "{value} {exact}");
        }
    }
}
