//! A small network and patterns of men that judge positions, learned from the engine's own games.
//!
//! The first layer sees which of four kinds of piece (own men, own kings, their men, their kings) stand on
//! which square, once from either side with the board turned; the two views have the same weights. What
//! it gives is clipped and squared and summed up by one of several sets of output weights, chosen by the
//! number of pieces. The weights of the [`patterns`] in the view of the side to move are added. All
//! numbers are integers, so that the value is the same on every machine.
//!
//! The bytes of a file of weights, little-endian:
//!
//! ```text
//! 0   8  "shashnn" and the version, 2
//! 8   2  width of the first layer
//! 10  2  sets of output weights
//! 12  4  numbers that all areas have together
//! 16  4  factor from the sum to centi-men, see `Network::value`
//! 20     weights of the first layer, two bytes each, for each of 128 inputs; its biases, two bytes each
//!        output weights, two bytes each, first of the own view, then of the other; biases, four bytes
//!        weights of the areas, two bytes each, for each number with all pieces on the board and with none
//! -4  4  CRC-32 of all of the above
//! ```

use crate::eval::inputs::INPUTS;
use crate::eval::patterns::{self, Numbers};

/// Width of the first layer.
pub const WIDTH: usize = 128;
/// Sets of output weights.
pub const BUCKETS: usize = 6;
/// What 1.0 is in the first layer.
pub const INPUT_ONE: i32 = 255;
/// What 1.0 is among the output weights.
pub const OUTPUT_ONE: i32 = 64;
/// Least and greatest output weight: its product with a clipped input must fit 16 bits.
pub const GREATEST_OUTPUT: i16 = 127;

/// Greatest output bias, and greatest centi-men for an output of 1.0.
const GREATEST_BIAS: u32 = 1 << 24;
const GREATEST_SCALE: i32 = 10_000;

const MAGIC: [u8; 7] = *b"shashnn";
const VERSION: u8 = 2;
const BYTES: usize = 20
    + 2 * WIDTH * (INPUTS + 1)
    + BUCKETS * (2 * 2 * WIDTH + 4)
    + 4 * patterns::SIZE
    + size_of::<u32>();

/// A row of the first layer. It begins with a line of the cache, so that no wide load takes two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Row(pub [i16; WIDTH]);

/// The weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// What each input adds to the first layer.
    pub inputs: Box<[Row; INPUTS]>,
    /// What the first layer begins with.
    pub bias: Row,
    /// Output weights of the own and the other view.
    pub output: [[Row; 2]; BUCKETS],
    /// What the output begins with, in products of both ones.
    pub output_bias: [i32; BUCKETS],
    /// Weights of the areas, in products of both ones.
    pub areas: Box<patterns::Weights>,
    /// Centi-men for an output of 1.0.
    pub scale: i32,
}

/// Why bytes are no weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadNetwork {
    /// They are something else.
    #[error("no weights of this program")]
    Foreign,
    /// They are of a network of another shape or size.
    #[error("weights of another version of the network")]
    Shape,
    /// The checksum does not fit.
    #[error("damaged: checksum")]
    Damaged,
}

/// The set of output weights for a number of pieces.
#[must_use]
#[inline(always)]
pub fn bucket(pieces: u32) -> usize {
    (pieces.saturating_sub(1) / 4).min(BUCKETS as u32 - 1) as usize
}

/// The weights of the program.
const BUILT_IN: &[u8; BYTES] = include_bytes!("weights.nn");

impl Network {
    /// The weights that are part of the program.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn built_in() -> Network {
        Network::from_bytes(BUILT_IN).unwrap_or_else(|error| panic!("built-in weights: {error}"))
    }

    /// The value in centi-men of a position with so many pieces, from the first layer as the side to move
    /// and as the other side see it, and the numbers of the areas as the side to move sees them.
    #[must_use]
    #[inline(always)]
    pub fn value(&self, own: &Row, other: &Row, numbers: &Numbers, pieces: u32) -> i32 {
        let bucket = bucket(pieces);
        let weights = &self.output[bucket];
        let sum = weigh(own, &weights[0]) + weigh(other, &weights[1]);
        let areas = patterns::sum(&self.areas, numbers, pieces);
        let sum = sum / INPUT_ONE + self.output_bias[bucket] + areas;
        (i64::from(sum) * i64::from(self.scale) / i64::from(INPUT_ONE * OUTPUT_ONE)) as i32
    }

    /// Reads weights.
    ///
    /// # Errors
    /// They are not whole, or not of this network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, BadNetwork> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(BadNetwork::Foreign)?;
        let rest = rest.strip_prefix(&[VERSION]).ok_or(BadNetwork::Shape)?;
        let shape = shape();
        if !rest.starts_with(&shape) || bytes.len() != BYTES {
            return Err(BadNetwork::Shape);
        }
        let (summed, sum) = bytes.split_at(BYTES - size_of::<u32>());
        if crc32fast::hash(summed).to_le_bytes() != *sum {
            return Err(BadNetwork::Damaged);
        }
        let mut reader = Reader(&rest[shape.len()..]);
        let scale = reader.i32();
        let mut inputs = Box::new([Row([0; WIDTH]); INPUTS]);
        inputs.iter_mut().for_each(|row| *row = reader.row());
        let bias = reader.row();
        let output = std::array::from_fn(|_| std::array::from_fn(|_| reader.row()));
        let output_bias = std::array::from_fn(|_| reader.i32());
        let mut areas = patterns::no_weights();
        areas
            .iter_mut()
            .flatten()
            .for_each(|weight| *weight = reader.i16());
        let clipped = |row: &Row| {
            let most = GREATEST_OUTPUT.unsigned_abs();
            row.0.iter().all(|weight| weight.unsigned_abs() <= most)
        };
        if !output.iter().flatten().all(clipped) {
            return Err(BadNetwork::Damaged);
        }
        // No position can then bring a value out of 32 bits.
        let sane = |bias: &i32| bias.unsigned_abs() <= GREATEST_BIAS;
        if !output_bias.iter().all(sane) || !(1..=GREATEST_SCALE).contains(&scale) {
            return Err(BadNetwork::Damaged);
        }
        Ok(Network {
            inputs,
            bias,
            output,
            output_bias,
            areas,
            scale,
        })
    }

    /// Tells these weights from others: the checksum of their file.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        bytes.last_chunk().map_or(0, |sum| u32::from_le_bytes(*sum))
    }

    /// The bytes of a file of weights.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        bytes.extend(shape());
        bytes.extend(self.scale.to_le_bytes());
        let rows = self.inputs.iter().chain([&self.bias]);
        let rows = rows.chain(self.output.iter().flatten());
        for weight in rows.flat_map(|row| row.0) {
            bytes.extend(weight.to_le_bytes());
        }
        for bias in self.output_bias {
            bytes.extend(bias.to_le_bytes());
        }
        for weight in self.areas.iter().flatten() {
            bytes.extend(weight.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// What the header says of the sizes.
fn shape() -> [u8; 8] {
    let mut shape = [0; 8];
    shape[..2].copy_from_slice(&(WIDTH as u16).to_le_bytes());
    shape[2..4].copy_from_slice(&(BUCKETS as u16).to_le_bytes());
    shape[4..].copy_from_slice(&(patterns::SIZE as u32).to_le_bytes());
    shape
}

/// The sum of a view's clipped and squared first layer with its weights.
#[inline(always)]
fn weigh(layer: &Row, weights: &Row) -> i32 {
    let mut sum = 0;
    for (&x, &weight) in layer.0.iter().zip(&weights.0) {
        let x = x.clamp(0, INPUT_ONE as i16);
        // Fits 16 bits, and a pair of such products is one instruction.
        let product = x.wrapping_mul(weight);
        sum += i32::from(product) * i32::from(x);
    }
    sum
}

/// Takes numbers off the front of bytes that are known to be enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *taken
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn row(&mut self) -> Row {
        Row(std::array::from_fn(|_| self.i16()))
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Accumulator;

    #[test]
    fn the_built_in_weights_are_whole_and_nothing_else_is_taken() {
        let network = Network::from_bytes(BUILT_IN).expect("weights");
        assert_eq!(network.to_bytes(), BUILT_IN);
        for at in (0..BYTES).step_by(97) {
            let mut bytes = BUILT_IN.to_vec();
            bytes[at] ^= 0x10;
            assert!(Network::from_bytes(&bytes).is_err(), "byte {at}");
            assert!(Network::from_bytes(&BUILT_IN[..at]).is_err());
        }
        // Whole, but not sane; and as far as they may go.
        let mut extreme = network.clone();
        extreme.output_bias = [GREATEST_BIAS as i32; BUCKETS];
        extreme.output = [[Row([GREATEST_OUTPUT; WIDTH]); 2]; BUCKETS];
        *extreme.inputs = [Row([INPUT_ONE as i16; WIDTH]); INPUTS];
        extreme.scale = GREATEST_SCALE;
        assert_eq!(
            Network::from_bytes(&extreme.to_bytes()),
            Ok(extreme.clone())
        );
        let start = crate::rules::Position::start();
        let value = Accumulator::new(&extreme).value(&extreme, &start);
        assert!(value > 10_000, "{value}");
        for (scale, bias) in [(0, 0), (-5, 0), (GREATEST_SCALE + 1, 0), (1, i32::MIN)] {
            let bad = Network {
                scale,
                output_bias: [bias; BUCKETS],
                ..network.clone()
            };
            assert_eq!(
                Network::from_bytes(&bad.to_bytes()),
                Err(BadNetwork::Damaged)
            );
        }
        let mut older = network.to_bytes();
        older[MAGIC.len()] -= 1;
        assert_eq!(Network::from_bytes(&older), Err(BadNetwork::Shape));
    }
}
