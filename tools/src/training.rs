//! The network in floating point, and how it learns.
//!
//! The output is in logits: its logistic function is the expected result. What it learns is a blend of the
//! result of the game and of what the search expected. The gradient of a batch is the sum of those of a
//! fixed number of parts in their order, so the number of threads changes nothing.

use crate::records::Record;
use rayon::prelude::*;
use shashki::board::Side;
use shashki::eval::network::{
    self, BUCKETS, GREATEST_OUTPUT, INPUT_ONE, INPUTS, Network, OUTPUT_ONE, WIDTH,
};

/// Parts of a batch.
const PARTS: usize = 16;
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
                    inputs[count] = network::input(view, side, king, square) as u8;
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
}

/// Where the groups of weights begin in one vector of all of them.
const BIAS: usize = INPUTS * WIDTH;
const OUTPUT: usize = BIAS + WIDTH;
const OUTPUT_BIAS: usize = OUTPUT + BUCKETS * 2 * WIDTH;
const WEIGHTS: usize = OUTPUT_BIAS + BUCKETS;

/// A network that learns.
#[derive(Clone)]
pub struct Model {
    weights: Vec<f32>,
    /// Of Adam (Kingma and Ba, 2015): running means of gradients and of their squares, and steps made.
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
    turned: [u8; INPUTS],
}

/// The first layer of both views.
struct Layers {
    views: [[f32; WIDTH]; 2],
    output: f32,
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
        Model {
            means: vec![0.0; WEIGHTS],
            squares: vec![0.0; WEIGHTS],
            steps: 0,
            weights,
            turned: turned(),
        }
    }

    fn row(&self, input: u8) -> &[f32] {
        let start = usize::from(input) * WIDTH;
        &self.weights[start..start + WIDTH]
    }

    fn layers(&self, sample: &Sample) -> Layers {
        let mut views = [[0.0; WIDTH]; 2];
        for (number, view) in views.iter_mut().enumerate() {
            view.copy_from_slice(&self.weights[BIAS..OUTPUT]);
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
        let weights = &self.weights[OUTPUT + bucket * 2 * WIDTH..][..2 * WIDTH];
        let mut output = self.weights[OUTPUT_BIAS + bucket];
        for (view, weights) in views.iter().zip(weights.chunks_exact(WIDTH)) {
            let mut sum = 0.0;
            for (x, weight) in view.iter().zip(weights) {
                let x = x.clamp(0.0, 1.0);
                sum += x * x * weight;
            }
            output += sum;
        }
        Layers { views, output }
    }

    /// What the network says of a sample, in logits.
    #[must_use]
    pub fn output(&self, sample: &Sample) -> f32 {
        self.layers(sample).output
    }

    /// Adds the gradient of a sample's loss, and gives the loss.
    fn learn(&self, sample: &Sample, gradient: &mut [f32]) -> f32 {
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
                let weights = &self.weights[at..at + WIDTH];
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
        loss(told, sample.target)
    }

    /// One step of Adam on a batch; the mean loss before it.
    pub fn step(&mut self, batch: &[Sample], rate: f32) -> f32 {
        let parts: Vec<(Vec<f32>, f32)> = batch
            .par_chunks(batch.len().div_ceil(PARTS))
            .map(|part| {
                let mut gradient = vec![0.0; WEIGHTS];
                let losses = part.iter().map(|sample| self.learn(sample, &mut gradient));
                let loss = losses.sum();
                (gradient, loss)
            })
            .collect();
        let size = batch.len() as f32;
        let loss = parts.iter().map(|(_, loss)| loss).sum::<f32>() / size;
        self.steps += 1;
        let (slow, fast) = (
            1.0 - 0.999_f32.powi(self.steps),
            1.0 - 0.9_f32.powi(self.steps),
        );
        // Output weights must fit their integers.
        let most = f32::from(GREATEST_OUTPUT) / OUTPUT_ONE as f32;
        for at in 0..WEIGHTS {
            let gradient = parts.iter().map(|(gradient, _)| gradient[at]).sum::<f32>() / size;
            let (mean, square) = (&mut self.means[at], &mut self.squares[at]);
            *mean += 0.1 * (gradient - *mean);
            *square += 0.001 * (gradient * gradient - *square);
            let step = rate * (*mean / fast) / ((*square / slow).sqrt() + 1e-8);
            let weight = &mut self.weights[at];
            *weight -= step;
            let limit = if at < OUTPUT { 4.0 } else { most };
            if at < OUTPUT_BIAS {
                *weight = weight.clamp(-limit, limit);
            }
        }
        loss
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
            std::array::from_fn(|at| rounded(self.weights[start + at], one))
        };
        let mut inputs = Box::new([[0; WIDTH]; INPUTS]);
        for (input, weights) in inputs.iter_mut().enumerate() {
            *weights = row(input * WIDTH, INPUT_ONE);
        }
        Network {
            inputs,
            bias: row(BIAS, INPUT_ONE),
            output: std::array::from_fn(|bucket| {
                std::array::from_fn(|view| row(OUTPUT + (2 * bucket + view) * WIDTH, OUTPUT_ONE))
            }),
            output_bias: std::array::from_fn(|bucket| {
                let one = (INPUT_ONE * OUTPUT_ONE) as f32;
                (self.weights[OUTPUT_BIAS + bucket] * one).round() as i32
            }),
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
    use shashki::eval::network::Accumulator;

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
        let mut gradient = vec![0.0; WEIGHTS];
        samples.iter().for_each(|sample| {
            model.learn(sample, &mut gradient);
        });
        let loss = |model: &Model| -> f64 {
            let each = samples
                .iter()
                .map(|s| loss(logistic(model.output(s)), s.target));
            each.map(f64::from).sum()
        };
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            let at = random.usize(..WEIGHTS);
            let (mut more, mut less) = (model.clone(), model.clone());
            more.weights[at] += 1e-3;
            less.weights[at] -= 1e-3;
            let slope = (loss(&more) - loss(&less)) / 2e-3;
            let error = (slope - f64::from(gradient[at])).abs();
            assert!(
                error < 0.004 + 0.02 * slope.abs(),
                "{at}: {slope} {}",
                gradient[at]
            );
        }
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
        assert_eq!(one.weights, three.weights);
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
