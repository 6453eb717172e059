//! A board as set up by a person: anything goes, until it is validated.

use crate::board::{Bitboard, Side, Square};
use crate::rules::position::Position;
use std::fmt;

/// Any placement of pieces with a side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// White's pieces.
    pub white: Bitboard,
    /// Black's pieces.
    pub black: Bitboard,
    /// Which of the pieces are kings.
    pub kings: Bitboard,
    /// The side to move.
    pub side: Side,
}

/// What is wrong with a [`Setup`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// White and Black both stand on this square.
    BothOnSquare(Square),
    /// A man of this side stands on the row where it would have become a king.
    ManOnPromotionRow(Side, Square),
    /// More than twelve pieces of this side; their number.
    TooManyPieces(Side, u32),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::BothOnSquare(square) => write!(f, "pieces of both sides on {square}"),
            Fault::ManOnPromotionRow(side, square) => {
                write!(f, "{side} man on its promotion row at {square}")
            }
            Fault::TooManyPieces(side, n) => write!(f, "{n} pieces of {side}, at most 12 allowed"),
        }
    }
}

impl Setup {
    /// The empty board.
    #[must_use]
    pub const fn empty(side: Side) -> Setup {
        Setup {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
            kings: Bitboard::EMPTY,
            side,
        }
    }

    /// The pieces of one side.
    #[must_use]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The pieces of one side, to change them.
    pub const fn pieces_mut(&mut self, side: Side) -> &mut Bitboard {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// The legal position of this board.
    ///
    /// # Errors
    /// All faults found, in the order squares in common, White's, Black's.
    pub fn validate(self) -> Result<Position, Vec<Fault>> {
        let mut faults: Vec<Fault> = (self.white & self.black)
            .squares()
            .map(Fault::BothOnSquare)
            .collect();
        for side in Side::ALL {
            let pieces = self.pieces(side);
            if pieces.count() > 12 {
                faults.push(Fault::TooManyPieces(side, pieces.count()));
            }
            let misplaced = pieces.without(self.kings) & side.promotion_row();
            faults.extend(
                misplaced
                    .squares()
                    .map(|square| Fault::ManOnPromotionRow(side, square)),
            );
        }
        if faults.is_empty() {
            let kings = self.kings & (self.white | self.black);
            Ok(Position::unchecked(Setup { kings, ..self }))
        } else {
            Err(faults)
        }
    }
}
