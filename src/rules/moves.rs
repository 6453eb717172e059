//! Moves and lists of moves.

use crate::board::{Bitboard, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::num::NonZeroU64;

/// A legal move: from, to, and the set of captured squares.
///
/// That triple is the identity of a move: the order of the captures and the landing squares in
/// between never change the resulting position, so two paths with the same triple are one move. A
/// capture may end where it began, and two captures may share `from` and `to` with different sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU64);

// Bits of the word: captured set 0..32, from 32..37, to 37..42, flags above.
const FROM: u32 = 32;
const TO: u32 = 37;
const BY_KING: u64 = 1 << 42;
const CROWNS: u64 = 1 << 43;
/// Never zero, so that `Option<Move>` needs no extra word.
const TAG: u64 = 1 << 63;

impl Move {
    /// A move from its parts. `by_king`: a king moves; `crowns`: a man becomes a king on the way.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn new(
        from: Square,
        to: Square,
        captured: Bitboard,
        by_king: bool,
        crowns: bool,
    ) -> Move {
        let mut word = TAG
            | captured.bits() as u64
            | (from.index() as u64) << FROM
            | (to.index() as u64) << TO;
        if by_king {
            word |= BY_KING;
        }
        if crowns {
            word |= CROWNS;
        }
        match NonZeroU64::new(word) {
            Some(word) => Move(word),
            None => unreachable!(),
        }
    }

    /// The square the piece leaves.
    #[must_use]
    #[inline(always)]
    pub const fn from(self) -> Square {
        square_at(self.0.get() >> FROM)
    }

    /// The square the piece ends on; equal to [`from`](Self::from) in a round trip.
    #[must_use]
    #[inline(always)]
    pub const fn to(self) -> Square {
        square_at(self.0.get() >> TO)
    }

    /// The captured squares, empty for a quiet move.
    #[must_use]
    #[inline(always)]
    pub const fn captured(self) -> Bitboard {
        Bitboard::from_bits(self.0.get() as u32)
    }

    /// Whether the move captures.
    #[must_use]
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.captured().any()
    }

    /// Whether a king makes the move. A man that is crowned on the way still counts as a man.
    #[must_use]
    #[inline(always)]
    pub const fn is_by_king(self) -> bool {
        self.0.get() & BY_KING != 0
    }

    /// Whether a man becomes a king by this move.
    #[must_use]
    #[inline(always)]
    pub const fn crowns(self) -> bool {
        self.0.get() & CROWNS != 0
    }

    /// Whether the move can be undone by later moves: a king moves and takes nothing. Everything
    /// else resets the 15-move rule and rules out earlier repetitions.
    #[must_use]
    #[inline(always)]
    pub const fn is_reversible(self) -> bool {
        self.0.get() & BY_KING != 0 && !self.is_capture()
    }

    /// A 16-bit form for tables, to be compared with the legal moves of the position.
    #[must_use]
    #[inline(always)]
    pub const fn compact(self) -> CompactMove {
        let digest = (self.captured().bits().wrapping_mul(0x9E37_79B1) >> 27) as u16;
        let squares = ((self.0.get() >> FROM) & 0x3FF) as u16;
        CompactMove(1 << 15 | digest << 10 | squares)
    }
}

#[inline(always)]
const fn square_at(bits: u64) -> Square {
    match Square::from_index((bits & 31) as usize) {
        Some(square) => square,
        None => unreachable!(),
    }
}

/// `from-to` or `from:to` in algebraic squares; for text that a reader may parse use
/// [`crate::notation::movetext`].
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.is_capture() { ':' } else { '-' };
        write!(f, "{}{separator}{}", self.from(), self.to())?;
        for square in self.captured() {
            write!(f, "x{square}")?;
        }
        Ok(())
    }
}

/// From, to and a five-bit digest of the captured set. Two legal moves of one position may share it
/// in rare cases, so it orders moves but never replaces one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CompactMove(u16);

impl CompactMove {
    /// No move.
    pub const NONE: CompactMove = CompactMove(0);

    /// The raw 16 bits.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// From the raw 16 bits.
    #[must_use]
    pub const fn from_bits(bits: u16) -> CompactMove {
        CompactMove(bits)
    }

    /// Whether this is no move.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Room in a [`MoveList`]. Twelve kings have at most 12 x 13 = 156 quiet moves between them. Of
/// captures, hill climbing finds no position with more than about seventy; see `tests/movegen.rs`.
pub const MOVE_LIST_CAPACITY: usize = 256;

/// The moves of one position, on the stack.
pub type MoveList = ArrayVec<Move, MOVE_LIST_CAPACITY>;
