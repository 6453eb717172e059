//! The two sides, as a value and as a type.

use crate::board::{Bitboard, Direction, geometry};
use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// One of the two players. White moves first from the start position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Starts on ranks 1 to 3 and moves up the board.
    White = 0,
    /// Starts on ranks 6 to 8 and moves down the board.
    Black = 1,
}

impl Side {
    /// Both sides, White first.
    pub const ALL: [Side; 2] = [Side::White, Side::Black];

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The row on which a man of this side becomes a king: rank 8 for White, rank 1 for Black.
    #[must_use]
    pub const fn promotion_row(self) -> Bitboard {
        match self {
            Side::White => geometry::RANK_8,
            Side::Black => geometry::RANK_1,
        }
    }

    /// `W` or `B`, as in FEN and Hub.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::White => 'W',
            Side::Black => 'B',
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        self.opponent()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// A pair of values, one for each side, indexed by [`Side`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySide<T>(pub [T; 2]);

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

/// The side to move as a type, so that one generator serves both without a branch.
pub trait Color: Copy + Send + Sync + 'static {
    /// The type of the other side.
    type Opponent: Color<Opponent = Self>;
    /// The value this type stands for.
    const SIDE: Side;
    /// The two directions in which a man of this side steps.
    const FORWARD: [Direction; 2];
    /// Where a man of this side becomes a king.
    const PROMOTION: Bitboard = Self::SIDE.promotion_row();
}

/// [`Side::White`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct White;

/// [`Side::Black`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Color for White {
    type Opponent = Black;
    const SIDE: Side = Side::White;
    const FORWARD: [Direction; 2] = [Direction::UpLeft, Direction::UpRight];
}

impl Color for Black {
    type Opponent = White;
    const SIDE: Side = Side::Black;
    const FORWARD: [Direction; 2] = [Direction::DownLeft, Direction::DownRight];
}
