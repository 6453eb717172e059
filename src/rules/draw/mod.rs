//! When a game is drawn by rule: named counters as data, and presets made of them.
//!
//! A counter counts plies (or the stronger side's moves) while its condition holds, starts anew at
//! its resetting events, and ends the game at its limit. Articles are those of FMJD Section-64,
//! "Rules of the game", 7.2.3 to 7.2.9. The position after a resetting move counts as zero. A draw
//! is tested after a move, and only if the side to move has a legal move: a win on the last allowed
//! move is a win ([`crate::rules::Game`] keeps that order).

mod clock;
mod counter;
mod presets;
mod reason;

pub use clock::DrawClock;
pub use counter::{Condition, Counter, Crownings, Resets, Unit};
pub use presets::{DrawRules, UnknownDrawRules};
pub use reason::DrawReason;

/// Most counters a rule set can have.
const MAX_COUNTERS: usize = 6;
