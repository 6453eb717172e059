//! The judgement of a position at rest, by hand-written terms.
//!
//! Every term is the same for both sides after turning the board, so the value of a position and of
//! its colour-flipped twin are equal. 100 is the value of a man in the middle game.

pub mod network;
mod terms;

use crate::rules::Position;
use crate::score::Score;

/// The value of a position in centi-men from the view of the side to move, in the evaluation band.
#[must_use]
pub fn evaluate(position: &Position) -> Score {
    Score::evaluation(terms::value(position))
}

/// The terms of the value one by one, with what they give White and Black, for people.
#[must_use]
pub fn explain(position: &Position) -> Vec<(&'static str, i32, i32)> {
    terms::explain(position)
}
