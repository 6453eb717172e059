//! The judgement of a position at rest, by a network and patterns learned from the engine's own games.
//!
//! Both sides are judged by the same weights on a turned board, so the value of a position and of its
//! colour-flipped twin are equal. 100 is the value of a man in the middle game.

mod accumulator;
mod drawish;
pub mod inputs;
pub mod network;
mod odds;
pub mod patterns;

pub use accumulator::Accumulator;
pub use network::{BadNetwork, Network};
pub use odds::Odds;

use crate::rules::Position;
use crate::score::Score;

/// The value of a position in centi-men from the view of the side to move, in the evaluation band. The
/// accumulator may come from any position, the nearer the faster.
#[must_use]
#[inline]
pub fn evaluate(network: &Network, accumulator: &mut Accumulator, position: &Position) -> Score {
    let value = accumulator.value(network, position);
    Score::evaluation(drawish::damped(value, position))
}

/// The same without an accumulator at hand.
#[must_use]
pub fn evaluate_fresh(network: &Network, position: &Position) -> Score {
    evaluate(network, &mut Accumulator::new(network), position)
}
