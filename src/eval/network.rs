//! A small network that judges positions, learned from the engine's own games.
//!
//! The first layer sees which of four kinds of piece (own men, own kings, their men, their kings) stand on
//! which square, once from either side with the board turned; the two views have the same weights. What
//! it gives is clipped and squared and summed up by one of several sets of output weights, chosen by the
//! number of pieces. All numbers are integers, so that the value is the same on every machine.
//!
//! The bytes of a file of weights, little-endian:
//!
//! ```text
//! 0   8  "shashnn" and the version, 1
//! 8   2  width of the first layer
//! 10  2  sets of output weights
//! 12  4  factor from the sum to centi-men, see `Network::value`
//! 16     weights of the first layer, two bytes each, for each of 128 inputs; its biases, two bytes each
//!        output weights, two bytes each, first of the own view, then of the other; biases, four bytes
//! -4  4  CRC-32 of all of the above
//! ```

use crate::board::{Bitboard, Side, Square};
use crate::rules::Position;

/// Inputs of the first layer for either view.
pub const INPUTS: usize = 128;
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

const MAGIC: [u8; 8] = *b"shashnn\x01";
const BYTES: usize =
    16 + 2 * WIDTH * (INPUTS + 1) + BUCKETS * (2 * 2 * WIDTH + 4) + size_of::<u32>();

/// A row of the first layer.
pub type Row = [i16; WIDTH];

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

/// The input that a piece is for the view of `side`.
#[must_use]
#[inline(always)]
pub fn input(view: Side, side: Side, king: bool, square: Square) -> usize {
    let square = match view {
        Side::White => square,
        Side::Black => square.flip(),
    };
    let kind = 2 * usize::from(side != view) + usize::from(king);
    32 * kind + square.index()
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
    /// and as the other side see it.
    #[must_use]
    #[inline(always)]
    pub fn value(&self, own: &Row, other: &Row, pieces: u32) -> i32 {
        let bucket = bucket(pieces);
        let weights = &self.output[bucket];
        let sum = weigh(own, &weights[0]) + weigh(other, &weights[1]);
        let sum = sum / INPUT_ONE + self.output_bias[bucket];
        (i64::from(sum) * i64::from(self.scale) / i64::from(INPUT_ONE * OUTPUT_ONE)) as i32
    }

    /// Reads weights.
    ///
    /// # Errors
    /// They are not whole, or not of this network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, BadNetwork> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(BadNetwork::Foreign)?;
        let shape = [WIDTH as u16, BUCKETS as u16]
            .map(u16::to_le_bytes)
            .concat();
        if !rest.starts_with(&shape) || bytes.len() != BYTES {
            return Err(BadNetwork::Shape);
        }
        let (summed, sum) = bytes.split_at(BYTES - size_of::<u32>());
        if crc32fast::hash(summed).to_le_bytes() != *sum {
            return Err(BadNetwork::Damaged);
        }
        let mut reader = Reader(&rest[shape.len()..]);
        let scale = reader.i32();
        let mut inputs = Box::new([[0; WIDTH]; INPUTS]);
        inputs.iter_mut().for_each(|row| *row = reader.row());
        let bias = reader.row();
        let output = std::array::from_fn(|_| std::array::from_fn(|_| reader.row()));
        let output_bias = std::array::from_fn(|_| reader.i32());
        let clipped = |row: &Row| {
            let most = GREATEST_OUTPUT.unsigned_abs();
            row.iter().all(|weight| weight.unsigned_abs() <= most)
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
            scale,
        })
    }

    /// The bytes of a file of weights.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(MAGIC);
        bytes.extend((WIDTH as u16).to_le_bytes());
        bytes.extend((BUCKETS as u16).to_le_bytes());
        bytes.extend(self.scale.to_le_bytes());
        let rows = self.inputs.iter().chain([&self.bias]);
        for weight in rows.chain(self.output.iter().flatten()).flatten() {
            bytes.extend(weight.to_le_bytes());
        }
        for bias in self.output_bias {
            bytes.extend(bias.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// The sum of a view's clipped and squared first layer with its weights.
#[inline(always)]
fn weigh(layer: &Row, weights: &Row) -> i32 {
    let mut sum = 0;
    for (&x, &weight) in layer.iter().zip(weights) {
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

    fn row(&mut self) -> Row {
        std::array::from_fn(|_| i16::from_le_bytes(self.take()))
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
}

/// The first layer of both views of a position, brought from one position to the next by what differs.
#[derive(Clone, Debug)]
pub struct Accumulator {
    /// Men and kings of White, men and kings of Black.
    pieces: [Bitboard; 4],
    /// The views of White and Black.
    views: [Row; 2],
}

impl Accumulator {
    /// The first layer of an empty board.
    #[must_use]
    pub fn new(network: &Network) -> Accumulator {
        Accumulator {
            pieces: [Bitboard::EMPTY; 4],
            views: [network.bias; 2],
        }
    }

    /// The value of a position in centi-men, from the view of its side to move.
    #[must_use]
    pub fn value(&mut self, network: &Network, position: &Position) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return wide::value(self, network, position);
        }
        self.value_here(network, position)
    }

    /// The same for all machines; compiled again for those with wide registers.
    #[inline(always)]
    fn value_here(&mut self, network: &Network, position: &Position) -> i32 {
        self.move_to(network, position);
        let [white, black] = &self.views;
        let pieces = position.occupied().count();
        match position.side() {
            Side::White => network.value(white, black, pieces),
            Side::Black => network.value(black, white, pieces),
        }
    }

    #[inline(always)]
    fn move_to(&mut self, network: &Network, position: &Position) {
        let now = [
            position.men(Side::White),
            position.kings(Side::White),
            position.men(Side::Black),
            position.kings(Side::Black),
        ];
        for (at, (&now, before)) in now.iter().zip(self.pieces).enumerate() {
            let (side, king) = (Side::ALL[at / 2], at % 2 == 1);
            for square in now.without(before) {
                for (view, row) in Side::ALL.into_iter().zip(&mut self.views) {
                    add(row, &network.inputs[input(view, side, king, square)]);
                }
            }
            for square in before.without(now) {
                for (view, row) in Side::ALL.into_iter().zip(&mut self.views) {
                    subtract(row, &network.inputs[input(view, side, king, square)]);
                }
            }
        }
        self.pieces = now;
    }
}

#[inline(always)]
fn add(row: &mut Row, more: &Row) {
    for (sum, more) in row.iter_mut().zip(more) {
        *sum = sum.wrapping_add(*more);
    }
}

#[inline(always)]
fn subtract(row: &mut Row, less: &Row) {
    for (sum, less) in row.iter_mut().zip(less) {
        *sum = sum.wrapping_sub(*less);
    }
}

/// The same code for processors with 256-bit registers.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod wide {
    use super::{Accumulator, Network};
    use crate::rules::Position;

    pub(super) fn value(
        accumulator: &mut Accumulator,
        network: &Network,
        position: &Position,
    ) -> i32 {
        // SAFETY: the caller has asked the processor whether it knows these instructions.
        unsafe { value_avx2(accumulator, network, position) }
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn value_avx2(accumulator: &mut Accumulator, network: &Network, position: &Position) -> i32 {
        accumulator.value_here(network, position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Numbering, fen};

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
        extreme.output = [[[GREATEST_OUTPUT; WIDTH]; 2]; BUCKETS];
        *extreme.inputs = [[INPUT_ONE as i16; WIDTH]; INPUTS];
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
    }

    /// On processors with wide registers these are two compilations of one text.
    #[test]
    fn wide_and_narrow_registers_agree() {
        let network = Network::built_in();
        let (mut wide, mut narrow) = (Accumulator::new(&network), Accumulator::new(&network));
        let bench = include_str!("../../positions/bench.txt");
        let lines = bench
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut seen = 0;
        for line in lines {
            let start = fen::read(line, Numbering::B8).expect("a position").position;
            for mv in start.legal_moves() {
                let position = start.play(mv);
                let value = narrow.value_here(&network, &position);
                assert_eq!(wide.value(&network, &position), value);
                assert_eq!(wide.views, narrow.views);
                seen += 1;
            }
        }
        assert!(seen > 100);
    }
}
