//! Patterns of men: what stands in an area of the board, looked up as a number to base three.
//!
//! Overlapping areas cover the board; each has a weight for every way in which own men, men of the other
//! side and neither (a king counts as neither) can stand in it, one for many pieces on the board and one
//! for few, and what lies between is a mean of the two. The idea is that of Scan (Fabien Letouzey, 2015).
//!
//! An area is three squares wide and three rows high, or two wide and four high. Its number is put together
//! from those of its rows, which several areas share.

use crate::board::{Bitboard, Square};

/// Rows, and squares in a row.
const ROWS: usize = 8;
const COLUMNS: usize = 4;
/// Width, height and places of the areas of either kind.
const WIDE: (usize, usize) = (3, 3);
const TALL: (usize, usize) = (2, 4);
const fn places((width, height): (usize, usize)) -> (usize, usize) {
    (COLUMNS + 1 - width, ROWS + 1 - height)
}
const WIDE_PLACES: (usize, usize) = places(WIDE);
const TALL_PLACES: (usize, usize) = places(TALL);
const WIDE_AREAS: usize = WIDE_PLACES.0 * WIDE_PLACES.1;
const TALL_AREAS: usize = TALL_PLACES.0 * TALL_PLACES.1;

/// Areas: first the wide ones, from the left to the right and then upwards, then the tall ones.
pub const AREAS: usize = WIDE_AREAS + TALL_AREAS;
/// The number of each area, from 0 below [`size`].
pub type Numbers = [u16; AREAS];
/// The weights of one area after the other: for each number those with all 24 pieces on the board and
/// with none.
pub type Weights = [[i16; 2]; SIZE];

/// How many numbers an area has.
#[must_use]
pub const fn size(area: usize) -> usize {
    let (width, height) = if area < WIDE_AREAS { WIDE } else { TALL };
    3_usize.pow((width * height) as u32)
}

/// Where the weights of each area begin.
const STARTS: [usize; AREAS + 1] = {
    let (mut area, mut starts) = (0, [0; AREAS + 1]);
    while area < AREAS {
        starts[area + 1] = starts[area] + size(area);
        area += 1;
    }
    starts
};
/// How many numbers all areas have.
pub const SIZE: usize = STARTS[AREAS];

/// The bit of the last square of each row; those before it follow in steps of [`STEP`], as the layout of
/// bitboards has it (a test looks).
const LAST: [u32; ROWS] = {
    let (mut row, mut last) = (0, [0; ROWS]);
    while row < ROWS {
        last[row] = Square::ALL[COLUMNS * row + COLUMNS - 1].index() as u32;
        row += 1;
    }
    last
};
const STEP: u32 = 6;
/// The squares of a row when its last one is bit 0.
const ROW: u32 = 1 | 1 << STEP | 1 << (2 * STEP) | 1 << (3 * STEP);
/// A factor that brings those squares together, the first one lowest, and where.
const GATHER: u32 = 1 | 1 << (STEP + 1) | 1 << (2 * (STEP + 1)) | 1 << (3 * (STEP + 1));
const TOGETHER: u32 = 3 * STEP;

/// The numbers of the parts of a row in fields of 16 bits, by which squares own men (low four bits) and men of the
/// other side have: two parts of three squares, and three of two.
struct Parts {
    wide: [u32; 256],
    tall: [u64; 256],
}

const PARTS: Parts = {
    let mut parts = Parts {
        wide: [0; 256],
        tall: [0; 256],
    };
    let mut men = 0;
    while men < 256 {
        let mut column = 0;
        while column < WIDE_PLACES.0 {
            parts.wide[men] |= (part(men, column, WIDE.0) as u32) << (16 * column);
            column += 1;
        }
        column = 0;
        while column < TALL_PLACES.0 {
            parts.tall[men] |= (part(men, column, TALL.0) as u64) << (16 * column);
            column += 1;
        }
        men += 1;
    }
    parts
};

/// The number of a part of a row.
const fn part(men: usize, column: usize, width: usize) -> usize {
    let (mut number, mut power, mut at) = (0, 1, column);
    while at < column + width {
        let (own, other) = (men >> at & 1, men >> (COLUMNS + at) & 1);
        number += power * (own + 2 * other);
        power *= 3;
        at += 1;
    }
    number
}

/// The number of each area, from the men of the side that looks and of the other, the board turned to that
/// side.
#[must_use]
#[inline(always)]
pub fn numbers(own: Bitboard, other: Bitboard) -> Numbers {
    let mut rows = [0; ROWS];
    for (row, last) in rows.iter_mut().zip(LAST) {
        let together = |men: Bitboard| {
            let squares = men.bits().rotate_right(last) & ROW;
            squares.wrapping_mul(GATHER) >> TOGETHER & 0xf
        };
        *row = together(own) | together(other) << COLUMNS;
    }
    let wide = rows.map(|men| PARTS.wide[men as usize & 0xff]);
    let tall = rows.map(|men| PARTS.tall[men as usize & 0xff]);
    let mut numbers = [0; AREAS];
    let (of_wide, of_tall) = numbers.split_at_mut(WIDE_AREAS);
    // No field grows into the next: the greatest number of an area has 15 bits.
    for (row, numbers) in of_wide.chunks_exact_mut(WIDE_PLACES.0).enumerate() {
        let sum = wide[row] + 27 * wide[row + 1] + 729 * wide[row + 2];
        for (column, number) in numbers.iter_mut().enumerate() {
            *number = (sum >> (16 * column)) as u16;
        }
    }
    for (row, numbers) in of_tall.chunks_exact_mut(TALL_PLACES.0).enumerate() {
        let sum = tall[row] + 9 * tall[row + 1] + 81 * tall[row + 2] + 729 * tall[row + 3];
        for (column, number) in numbers.iter_mut().enumerate() {
            *number = (sum >> (16 * column)) as u16;
        }
    }
    numbers
}

/// Weights that say nothing.
///
/// # Panics
/// Never: the sizes are the same.
#[must_use]
pub fn no_weights() -> Box<Weights> {
    // Not by way of the stack, which is too small for it.
    let weights: Result<Box<Weights>, _> = vec![[0; 2]; SIZE].into_boxed_slice().try_into();
    weights.unwrap_or_else(|_| unreachable!("the sizes are the same"))
}

/// The sum over the areas for so many pieces on the board.
#[must_use]
#[inline(always)]
pub fn sum(weights: &Weights, numbers: &Numbers, pieces: u32) -> i32 {
    let (mut many, mut few) = (0, 0);
    for area in 0..AREAS {
        let [of_many, of_few] = weights[STARTS[area] + usize::from(numbers[area])];
        many += i32::from(of_many);
        few += i32::from(of_few);
    }
    let pieces = pieces as i32;
    (many * pieces + few * (24 - pieces)) / 24
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of an area from its lower left, row by row.
    fn squares(area: usize) -> Vec<Square> {
        let (at, (width, height)) = match area.checked_sub(WIDE_AREAS) {
            None => (area, WIDE),
            Some(at) => (at, TALL),
        };
        let across = places((width, height)).0;
        let corner = COLUMNS * (at / across) + at % across;
        let rows = (0..height).flat_map(|row| (0..width).map(move |column| COLUMNS * row + column));
        rows.map(|at| Square::ALL[corner + at]).collect()
    }

    #[test]
    fn every_way_to_stand_in_an_area_has_a_number_of_its_own() {
        for area in 0..AREAS {
            let squares = squares(area);
            let mut seen = vec![false; size(area)];
            for code in 0..size(area) {
                // What stands elsewhere does not matter.
                let around = (code as u32).wrapping_mul(0x9e37_79b9);
                let (mut own, mut other) = (around, !around & around.rotate_left(13));
                for (at, square) in squares.iter().enumerate() {
                    let bit = square.bitboard().bits();
                    own &= !bit;
                    other &= !bit;
                    match code / 3_usize.pow(at as u32) % 3 {
                        0 => {}
                        1 => own |= bit,
                        _ => other |= bit,
                    }
                }
                let numbers = numbers(Bitboard::from_bits(own), Bitboard::from_bits(other));
                let number = usize::from(numbers[area]);
                assert!(!std::mem::replace(&mut seen[number], true), "{area} {code}");
            }
        }
    }
}
