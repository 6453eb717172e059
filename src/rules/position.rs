//! The position: a value of 24 bytes, copied rather than undone.

use crate::board::{Bitboard, Color, Kind, Piece, Side, Square};
use crate::rules::movegen;
use crate::rules::moves::{Move, MoveList};
use crate::rules::setup::{Fault, Setup};
use crate::rules::zobrist;

/// A legal position: at most twelve pieces a side, no man on its promotion row.
///
/// A side may have no pieces; if it is to move it has lost. Obtained from [`Position::start`], from
/// [`Setup`], or by [`play`](Position::play).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    white: Bitboard,
    black: Bitboard,
    kings: Bitboard,
    side: Side,
    key: u64,
}

const fn three_rows(rows: [usize; 3]) -> Bitboard {
    let ranks = crate::board::geometry::RANKS;
    Bitboard::from_bits(ranks[rows[0]].bits() | ranks[rows[1]].bits() | ranks[rows[2]].bits())
}

impl Position {
    /// The position before the first move of a game: twelve men a side on three rows, White to move.
    #[must_use]
    pub fn start() -> Position {
        let setup = Setup {
            white: three_rows([0, 1, 2]),
            black: three_rows([5, 6, 7]),
            kings: Bitboard::EMPTY,
            side: Side::White,
        };
        Position::unchecked(setup)
    }

    /// A position from a board without looking at it; [`Setup::validate`] looks.
    pub(crate) fn unchecked(setup: Setup) -> Position {
        let Setup {
            white,
            black,
            kings,
            side,
        } = setup;
        Position {
            white,
            black,
            kings,
            side,
            key: zobrist::key(white, black, kings, side),
        }
    }

    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The Zobrist key, kept up to date by [`play`](Self::play).
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// All pieces of one side.
    #[must_use]
    #[inline(always)]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The men of one side.
    #[must_use]
    #[inline(always)]
    pub const fn men(&self, side: Side) -> Bitboard {
        self.pieces(side).without(self.kings)
    }

    /// The kings of one side.
    #[must_use]
    #[inline(always)]
    pub fn kings(&self, side: Side) -> Bitboard {
        self.pieces(side) & self.kings
    }

    /// The kings of both sides.
    #[must_use]
    pub const fn all_kings(&self) -> Bitboard {
        self.kings
    }

    /// All pieces of both sides.
    #[must_use]
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.white | self.black
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = Side::ALL
            .into_iter()
            .find(|&side| self.pieces(side).contains(square))?;
        let kind = if self.kings.contains(square) {
            Kind::King
        } else {
            Kind::Man
        };
        Some(Piece { side, kind })
    }

    /// The same board and side to move, open to change.
    #[must_use]
    pub const fn to_setup(self) -> Setup {
        Setup {
            white: self.white,
            black: self.black,
            kings: self.kings,
            side: self.side,
        }
    }

    /// The position with colours exchanged and the board turned, so that the same player is to move
    /// in the same situation.
    #[must_use]
    pub fn color_flipped(&self) -> Position {
        Position::unchecked(Setup {
            white: self.black.flip(),
            black: self.white.flip(),
            kings: self.kings.flip(),
            side: self.side.opponent(),
        })
    }

    /// The key computed anew; equal to [`key`](Self::key).
    #[must_use]
    pub fn fresh_key(&self) -> u64 {
        zobrist::key(self.white, self.black, self.kings, self.side)
    }

    /// The legal moves, each once.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        movegen::generate(self, &mut list);
        list
    }

    /// The position after a legal move.
    ///
    /// The move must come from the move list of this position; any other move gives a meaningless
    /// position (never a panic).
    #[must_use]
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        match self.side {
            Side::White => self.play_as::<crate::board::White>(mv),
            Side::Black => self.play_as::<crate::board::Black>(mv),
        }
    }

    #[inline(always)]
    fn play_as<C: Color>(&self, mv: Move) -> Position {
        let (from, to, captured) = (mv.from(), mv.to(), mv.captured());
        let before = if mv.is_by_king() {
            Kind::King
        } else {
            Kind::Man
        };
        let after = if mv.crowns() { Kind::King } else { before };
        let mut key = self.key
            ^ zobrist::BLACK_TO_MOVE
            ^ zobrist::piece(C::SIDE, before, from)
            ^ zobrist::piece(C::SIDE, after, to);
        for square in captured {
            let kind = if self.kings.contains(square) {
                Kind::King
            } else {
                Kind::Man
            };
            key ^= zobrist::piece(C::Opponent::SIDE, kind, square);
        }
        let own = self.pieces(C::SIDE).without(from.bitboard()) | to.bitboard();
        let opp = self.pieces(C::Opponent::SIDE).without(captured);
        let mut kings = self.kings.without(from.bitboard() | captured);
        if after == Kind::King {
            kings |= to.bitboard();
        }
        let (white, black) = match C::SIDE {
            Side::White => (own, opp),
            Side::Black => (opp, own),
        };
        Position {
            white,
            black,
            kings,
            side: C::SIDE.opponent(),
            key,
        }
    }
}

impl TryFrom<Setup> for Position {
    type Error = Vec<Fault>;

    fn try_from(setup: Setup) -> Result<Position, Vec<Fault>> {
        setup.validate()
    }
}
