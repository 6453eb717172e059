//! Kinds of pieces.

use crate::board::Side;

/// A man or a king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Steps forward by one, captures in all four directions.
    Man = 0,
    /// Slides along its diagonals, captures at a distance.
    King = 1,
}

impl Kind {
    /// Both kinds, the man first.
    pub const ALL: [Kind; 2] = [Kind::Man, Kind::King];
}

/// A kind with its owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The owner.
    pub side: Side,
    /// Man or king.
    pub kind: Kind,
}
