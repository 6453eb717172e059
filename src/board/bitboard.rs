//! Sets of squares, one bit each.

use crate::board::{Direction, Square, geometry};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares in a 32-bit word.
///
/// The layout makes each diagonal step one rotation of the word: a step up and right adds 1 to the
/// bit, a step up and left adds 7, both modulo 32 (a1 18, c1 12, e1 6, g1 0). A step that would
/// leave the board comes in again on the edge opposite to its direction, so one mask after the
/// rotation, or an `and` with a set that holds no edge squares, makes it right. Diagonals that run
/// up and right are runs of neighbouring bits, and none of them wraps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u32);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 32 squares.
    pub const FULL: Bitboard = Bitboard(!0);

    /// A set from its raw word; only tables and hashing should need it.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Bitboard {
        Bitboard(bits)
    }

    /// The raw word.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether no square is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether at least one square is in the set.
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Number of squares, 0..=32.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds more than one square.
    #[must_use]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is in the set.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// The set with `square` added.
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | square.bitboard().0)
    }

    /// The squares of `self` that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Some square of the set (the one with the lowest bit), `None` if it is empty.
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_bit(self.0.trailing_zeros()))
        }
    }

    /// The set with the square that [`first`](Self::first) gives as its only member.
    #[must_use]
    pub const fn lowest(self) -> Bitboard {
        Bitboard(self.0 & self.0.wrapping_neg())
    }

    /// The set turned by half a turn: a1 becomes h8.
    #[must_use]
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.reverse_bits().rotate_left(12))
    }

    /// Every square moved by one step; those that would leave the board are dropped.
    #[must_use]
    #[inline(always)]
    pub const fn step(self, direction: Direction) -> Bitboard {
        Bitboard(self.rotate(direction).0 & !geometry::entry_edge(direction).0)
    }

    /// Every square moved by one step; those that would leave the board come in on the edge
    /// [`geometry::entry_edge`], never inside.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn rotate(self, direction: Direction) -> Bitboard {
        Bitboard(self.0.rotate_left(direction.rotation()))
    }

    /// The empty squares that sliding pieces on `self` reach in one direction: for each of them the
    /// run of `empty` squares in front of it. A slider blocks those behind it, also where it stands on
    /// a square that counts as empty, so two sliders never share a square of the result.
    #[must_use]
    #[inline(always)]
    pub const fn slide(self, empty: Bitboard, direction: Direction) -> Bitboard {
        let r = direction.rotation();
        let free = empty.0 & !(geometry::entry_edge(direction).0 | self.0);
        if r == 1 {
            // Neighbouring bits: adding the first free square of each run carries through the run.
            let start = self.0.rotate_left(1) & free;
            return Bitboard((free.wrapping_add(start) ^ free) & free);
        }
        // Doubling: after the three steps up to eight squares are filled; the longest run is seven.
        let free2 = free & free.rotate_left(r);
        let free4 = free2 & free2.rotate_left(2 * r);
        let mut fill = self.0.rotate_left(r) & free;
        fill |= free & fill.rotate_left(r);
        fill |= free2 & fill.rotate_left(2 * r);
        fill |= free4 & fill.rotate_left(4 * r);
        Bitboard(fill)
    }

    /// The squares of the set in an arbitrary but fixed order.
    #[must_use]
    pub const fn squares(self) -> Squares {
        Squares(self)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        self.squares()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// Iterator over the squares of a [`Bitboard`].
#[derive(Clone, Copy, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = Bitboard(self.0.0 & self.0.0.wrapping_sub(1));
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// Eight lines of text with rank 8 on top: `x` in the set, `.` not, blank for light squares.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                let mark = match Square::new(file, rank) {
                    None => ' ',
                    Some(square) if self.contains(square) => 'x',
                    Some(_) => '.',
                };
                write!(f, "{mark}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_moves_one_file_and_one_rank_or_leaves_the_board() {
        for square in Square::ALL {
            for direction in Direction::ALL {
                let (files, ranks) = direction.offsets();
                let file = square.file().checked_add_signed(files);
                let rank = square.rank().checked_add_signed(ranks);
                let expected = file.zip(rank).and_then(|(f, r)| Square::new(f, r));
                let stepped = square.bitboard().step(direction);
                assert_eq!(stepped.first(), expected, "{square} {direction:?}");
                assert!(!stepped.several());
                if expected.is_none() {
                    let wrapped = square.bitboard().rotate(direction);
                    assert!(
                        (wrapped & geometry::INNER).is_empty(),
                        "{square} {direction:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_slide_is_a_repeated_step_over_empty_squares() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let empty = Bitboard((state >> 32) as u32 | (state >> 7) as u32);
            let sliders = Bitboard((state >> 16) as u32);
            for direction in Direction::ALL {
                let mut expected = Bitboard::EMPTY;
                let mut front = sliders;
                for _ in 0..8 {
                    front = front.step(direction) & empty.without(sliders);
                    expected |= front;
                }
                assert_eq!(sliders.slide(empty, direction), expected);
            }
        }
    }

    #[test]
    fn flip_is_half_a_turn() {
        for square in Square::ALL {
            assert_eq!(square.bitboard().flip(), square.flip().bitboard());
            assert_eq!(square.flip().file(), 7 - square.file());
            assert_eq!(square.flip().rank(), 7 - square.rank());
            assert_eq!(square.flip().flip(), square);
        }
    }
}
