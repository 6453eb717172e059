//! The first layer of a position, brought from one position to the next by what differs.

use crate::board::{Bitboard, Side};
use crate::eval::inputs::input;
use crate::eval::network::{Network, Row};
use crate::eval::patterns;
use crate::rules::Position;

/// The first layer of a position that was judged, ready to be made that of another one.
#[derive(Clone, Debug)]
pub struct Accumulator {
    /// Men and kings of White, men and kings of Black.
    pieces: [Bitboard; 4],
    /// As White and Black see it.
    layers: [Row; 2],
}

impl Accumulator {
    /// That of an empty board.
    #[must_use]
    pub fn new(network: &Network) -> Accumulator {
        Accumulator {
            pieces: [Bitboard::EMPTY; 4],
            layers: [network.bias; 2],
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
        let [white, black] = &self.layers;
        let pieces = position.occupied().count();
        let men = Side::ALL.map(|side| position.men(side));
        match position.side() {
            Side::White => {
                let numbers = patterns::numbers(men[0], men[1]);
                network.value(white, black, &numbers, pieces)
            }
            Side::Black => {
                let numbers = patterns::numbers(men[1].flip(), men[0].flip());
                network.value(black, white, &numbers, pieces)
            }
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
                for (view, layer) in Side::ALL.into_iter().zip(&mut self.layers) {
                    add(layer, &network.inputs[input(view, side, king, square)]);
                }
            }
            for square in before.without(now) {
                for (view, layer) in Side::ALL.into_iter().zip(&mut self.layers) {
                    subtract(layer, &network.inputs[input(view, side, king, square)]);
                }
            }
        }
        self.pieces = now;
    }
}

#[inline(always)]
fn add(row: &mut Row, more: &Row) {
    for (sum, more) in row.0.iter_mut().zip(&more.0) {
        *sum = sum.wrapping_add(*more);
    }
}

#[inline(always)]
fn subtract(row: &mut Row, less: &Row) {
    for (sum, less) in row.0.iter_mut().zip(&less.0) {
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

    /// The value as the network's description has it, in numbers that cannot overflow.
    fn plain(network: &Network, position: &Position) -> i64 {
        use crate::eval::network::{INPUT_ONE, OUTPUT_ONE, WIDTH, bucket};
        let view = position.side();
        let pieces = position.occupied().count();
        let set = bucket(pieces);
        let mut direct = 0;
        for (number, view) in [view, view.opponent()].into_iter().enumerate() {
            for at in 0..WIDTH {
                let mut x = i64::from(network.bias.0[at]);
                for side in Side::ALL {
                    for square in position.pieces(side) {
                        let king = position.kings(side).contains(square);
                        x += i64::from(network.inputs[input(view, side, king, square)].0[at]);
                    }
                }
                let x = x.clamp(0, INPUT_ONE.into());
                direct += x * x * i64::from(network.output[set][number].0[at]);
            }
        }
        let men = [view, view.opponent()].map(|side| match view {
            Side::White => position.men(side),
            Side::Black => position.men(side).flip(),
        });
        let areas = patterns::sum(&network.areas, &patterns::numbers(men[0], men[1]), pieces);
        let one = i64::from(INPUT_ONE);
        let sum = direct / one + i64::from(network.output_bias[set]) + i64::from(areas);
        sum * i64::from(network.scale) / (one * i64::from(OUTPUT_ONE))
    }

    /// The built-in weights, and others as great as a file may have them: each sum of a first layer just fits.
    fn networks() -> [Network; 2] {
        use crate::eval::network::{BUCKETS, GREATEST_OUTPUT, WIDTH};
        let mut wild = Network::built_in();
        let mut state = 1_u64;
        let mut random = |greatest: i16| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % (2 * greatest as u64 + 1)) as i16 - greatest
        };
        for row in wild.inputs.iter_mut() {
            row.0 = std::array::from_fn(|_| random(1200));
        }
        wild.bias.0 = std::array::from_fn(|_| random(3000));
        for set in 0..BUCKETS {
            for view in 0..2 {
                for at in 0..WIDTH {
                    wild.output[set][view].0[at] = random(GREATEST_OUTPUT);
                }
            }
        }
        [Network::built_in(), wild]
    }

    /// On processors with wide registers these are two compilations of one text.
    #[test]
    fn wide_and_narrow_registers_agree_with_the_description() {
        networks().iter().for_each(agree);
    }

    fn agree(network: &Network) {
        let (mut wide, mut narrow) = (Accumulator::new(network), Accumulator::new(network));
        let bench = include_str!("../../positions/bench.txt");
        let lines = bench
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut seen = 0;
        for line in lines {
            let start = fen::read(line, Numbering::B8).expect("a position").position;
            for mv in start.legal_moves() {
                let position = start.play(mv);
                let value = narrow.value_here(network, &position);
                assert_eq!(wide.value(network, &position), value);
                assert_eq!(wide.layers, narrow.layers);
                assert_eq!(i64::from(value), plain(network, &position), "{position:?}");
                seen += 1;
            }
        }
        assert!(seen > 100);
    }
}
