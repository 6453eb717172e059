//! What an ending is worth.

use crate::rules::Move;
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

/// Bytes of entries: wins are their distance, losses this much more.
const LOSSES: u8 = 32;
const DRAW: u8 = 0;
const CURSED_WIN: u8 = 63;
const CURSED_LOSS: u8 = 64;
/// Not yet known, while a table is made.
pub(super) const UNKNOWN: u8 = 127;
/// Added to the byte of an entry where a capture is pending.
pub(super) const CAPTURE: u8 = 128;

impl Value {
    /// One byte, below [`CAPTURE`].
    pub(super) const fn to_byte(self) -> u8 {
        match self {
            Value::Draw => DRAW,
            Value::Win(distance) => distance,
            Value::Loss(distance) => LOSSES + distance,
            Value::CursedWin => CURSED_WIN,
            Value::CursedLoss => CURSED_LOSS,
        }
    }

    /// From one byte, whether a capture is pending or not; anything that is no value is a draw.
    pub(super) const fn from_byte(byte: u8) -> Value {
        const LAST_LOSS: u8 = LOSSES + LIMIT;
        match byte & !CAPTURE {
            byte @ 1..=LIMIT => Value::Win(byte),
            byte @ LOSSES..=LAST_LOSS => Value::Loss(byte - LOSSES),
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

    /// The value of a position from which a capture or a man's move leads to one of this value.
    pub(super) const fn before_zeroing(self) -> Value {
        match self {
            Value::Win(_) => Value::Loss(1),
            Value::Loss(_) => Value::Win(1),
            Value::Draw => Value::Draw,
            Value::CursedWin => Value::CursedLoss,
            Value::CursedLoss => Value::CursedWin,
        }
    }

    /// The value of a position from which a move leads to one of this value, if it is the best.
    #[must_use]
    pub const fn before(self, mv: Move) -> Value {
        if mv.is_reversible() {
            self.before_quiet()
        } else {
            self.before_zeroing()
        }
    }

    /// The value of a position from which a quiet move of a king leads to one of this value.
    pub(super) const fn before_quiet(self) -> Value {
        match self {
            Value::Win(distance) if distance < LIMIT => Value::Loss(distance + 1),
            Value::Loss(distance) if distance < LIMIT => Value::Win(distance + 1),
            Value::Win(_) | Value::CursedWin => Value::CursedLoss,
            Value::Loss(_) | Value::CursedLoss => Value::CursedWin,
            Value::Draw => Value::Draw,
        }
    }

    /// How much the side to move likes it: a near win most, a far one less, then draws, of which one that
    /// would be a win without the counter is the best, then losses, the far ones first.
    #[must_use]
    pub const fn preference(self) -> i16 {
        match self {
            Value::Win(distance) => 200 - distance as i16,
            Value::CursedWin => 1,
            Value::Draw => 0,
            Value::CursedLoss => -1,
            Value::Loss(distance) => distance as i16 - 200,
        }
    }

    /// How much the side to move likes it, whatever the distance.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Value::Loss(_) => 0,
            Value::CursedLoss => 1,
            Value::Draw => 2,
            Value::CursedWin => 3,
            Value::Win(_) => 4,
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
