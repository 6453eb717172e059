//! Directions, rows and named regions of the board.

use crate::board::{Bitboard, Square};

/// One of the four diagonal directions, as White sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards h8.
    UpRight,
    /// Towards a8.
    UpLeft,
    /// Towards a1.
    DownLeft,
    /// Towards h1.
    DownRight,
}

impl Direction {
    /// The four directions, anticlockwise from [`Direction::UpRight`].
    pub const ALL: [Direction; 4] = [
        Direction::UpRight,
        Direction::UpLeft,
        Direction::DownLeft,
        Direction::DownRight,
    ];

    /// By how much a step rotates the word of a [`Bitboard`] to the left.
    #[inline(always)]
    pub(super) const fn rotation(self) -> u32 {
        match self {
            Direction::UpRight => 1,
            Direction::UpLeft => 7,
            Direction::DownLeft => 31,
            Direction::DownRight => 25,
        }
    }

    /// The way back.
    #[must_use]
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::UpRight => Direction::DownLeft,
            Direction::UpLeft => Direction::DownRight,
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
        }
    }

    /// The two directions at right angles to this one.
    #[must_use]
    #[inline(always)]
    pub const fn sideways(self) -> [Direction; 2] {
        match self {
            Direction::UpRight | Direction::DownLeft => [Direction::UpLeft, Direction::DownRight],
            Direction::UpLeft | Direction::DownRight => [Direction::UpRight, Direction::DownLeft],
        }
    }

    /// The change of file and of rank, each +1 or -1.
    #[must_use]
    pub const fn offsets(self) -> (isize, isize) {
        match self {
            Direction::UpRight => (1, 1),
            Direction::UpLeft => (-1, 1),
            Direction::DownLeft => (-1, -1),
            Direction::DownRight => (1, -1),
        }
    }
}

const fn where_rank(wanted: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < 32 {
        if Square::ALL[i].rank() == wanted {
            set = set.with(Square::ALL[i]);
        }
        i += 1;
    }
    set
}

const fn where_file(wanted: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < 32 {
        if Square::ALL[i].file() == wanted {
            set = set.with(Square::ALL[i]);
        }
        i += 1;
    }
    set
}

const fn where_diagonal() -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < 32 {
        if Square::ALL[i].rank() == Square::ALL[i].file() {
            set = set.with(Square::ALL[i]);
        }
        i += 1;
    }
    set
}

const fn union(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard::from_bits(a.bits() | b.bits())
}

/// The squares of each rank, from rank 1 to rank 8.
pub const RANKS: [Bitboard; 8] = [
    where_rank(0),
    where_rank(1),
    where_rank(2),
    where_rank(3),
    where_rank(4),
    where_rank(5),
    where_rank(6),
    where_rank(7),
];
/// The squares of each file, from a to h.
pub const FILES: [Bitboard; 8] = [
    where_file(0),
    where_file(1),
    where_file(2),
    where_file(3),
    where_file(4),
    where_file(5),
    where_file(6),
    where_file(7),
];
/// a1, c1, e1, g1.
pub const RANK_1: Bitboard = RANKS[0];
/// b8, d8, f8, h8.
pub const RANK_8: Bitboard = RANKS[7];
/// The main road, the long diagonal a1 to h8.
pub const MAIN_ROAD: Bitboard = where_diagonal();
/// The squares that are not on the edge: the only ones on which a piece can be captured.
pub const INNER: Bitboard =
    Bitboard::from_bits(!(RANK_1.bits() | RANK_8.bits() | FILES[0].bits() | FILES[7].bits()));

/// The edge squares that no step in this direction can reach. A rotation that leaves the board
/// comes in on one of them.
#[must_use]
#[inline(always)]
pub(crate) const fn entry_edge(direction: Direction) -> Bitboard {
    match direction {
        Direction::UpRight => const { union(FILES[0], RANK_1) },
        Direction::UpLeft => const { union(FILES[7], RANK_1) },
        Direction::DownLeft => const { union(FILES[7], RANK_8) },
        Direction::DownRight => const { union(FILES[0], RANK_8) },
    }
}
