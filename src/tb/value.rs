//! What an ending is worth.

use crate::rules::draw::Counter;

/// Quiet plies of kings after which the 15-move rule calls a game drawn.
pub const LIMIT: u8 = Counter::FIFTEEN_MOVES.limit as u8;

/// The value of a position for its side to move, with the counter of the 15-move rule at zero.
///
/// Distances are in plies to the next capture or man's move, or to the end of the game, best play by
/// both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A win at a distance of 1 to [`LIMIT`].
    Win(u8),
    /// A loss at a distance of 0 to [`LIMIT`].
    Loss(u8),
    /// A draw, whatever the rules.
    Draw,
    /// Won but for the counter: a draw under the 15-move rule, a win without it.
    CursedWin,
    /// Lost but for the counter.
    CursedLoss,
}

const DRAW: u8 = 0;
const LOSSES: u8 = 100;
const CURSED_WIN: u8 = 201;
const CURSED_LOSS: u8 = 202;
/// Not yet known, while a table is made.
pub(super) const UNKNOWN: u8 = 255;

impl Value {
    /// One byte.
    pub(super) const fn to_byte(self) -> u8 {
        match self {
            Value::Draw => DRAW,
            Value::Win(distance) => distance,
            Value::Loss(distance) => LOSSES + distance,
            Value::CursedWin => CURSED_WIN,
            Value::CursedLoss => CURSED_LOSS,
        }
    }

    /// From one byte; anything that is no value is a draw, so that damage is never a win.
    pub(super) const fn from_byte(byte: u8) -> Value {
        const LAST_LOSS: u8 = LOSSES + LIMIT;
        match byte {
            1..=LIMIT => Value::Win(byte),
            LOSSES..=LAST_LOSS => Value::Loss(byte - LOSSES),
            CURSED_WIN => Value::CursedWin,
            CURSED_LOSS => Value::CursedLoss,
            _ => Value::Draw,
        }
    }

    /// The value under the 15-move rule when its counter stands at `count` plies.
    #[must_use]
    pub const fn at_count(self, count: u16) -> Value {
        match self {
            Value::Win(distance) | Value::Loss(distance)
                if count + distance as u16 > LIMIT as u16 =>
            {
                Value::Draw
            }
            value => value,
        }
    }

    /// Whether the side to move wins where no counter counts.
    pub(super) const fn is_win(self) -> bool {
        matches!(self, Value::Win(_) | Value::CursedWin)
    }

    /// Whether the side to move loses where no counter counts.
    pub(super) const fn is_loss(self) -> bool {
        matches!(self, Value::Loss(_) | Value::CursedLoss)
    }
}
