//! What the evaluation sees of a position: which kind of piece stands where, as one side sees it.

use crate::board::{Side, Square};

/// Own men, own kings, men and kings of the other side on 32 squares each.
pub const INPUTS: usize = 128;

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
