//! The 32 dark squares and their names.

use crate::board::Bitboard;
use std::cmp::Ordering;
use std::fmt;

/// One of the 32 dark squares. a1 is dark and at White's lower left.
///
/// Ordered from a1 to the right and up (a1, c1, e1, g1, b2, …, h8), the order of [`Square::ALL`].
/// The stored number is the bit of the square in a [`Bitboard`]; see there for the layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square(u8);

/// Bit of a dark square: a1 is 18, a step up and right adds 1, a step up and left adds 7 (modulo 32).
const fn bit_of(file: usize, rank: usize) -> u8 {
    // With u steps up-right and v steps up-left from a1: file = u - v, rank = u + v.
    let u = (file + rank) as i32 / 2;
    let v = (rank as i32 - file as i32) / 2;
    ((18 + u + 7 * v) & 31) as u8
}

const fn by_number_a1() -> [Square; 32] {
    let mut all = [Square(0); 32];
    let mut i = 0;
    while i < 32 {
        let rank = i / 4;
        let file = 2 * (i % 4) + rank % 2;
        all[i] = Square(bit_of(file, rank));
        i += 1;
    }
    all
}

const fn ordinals() -> [u8; 32] {
    let mut of = [0; 32];
    let mut i = 0;
    while i < 32 {
        of[Square::ALL[i].0 as usize] = i as u8;
        i += 1;
    }
    of
}

/// Place in [`Square::ALL`] by bit.
const ORDINAL: [u8; 32] = ordinals();

/// File by bit: the order of moves asks for it all the time.
const FILE: [u8; 32] = {
    let (mut bit, mut files) = (0, [0; 32]);
    while bit < 32 {
        files[bit] = 2 * (ORDINAL[bit] % 4) + ORDINAL[bit] / 4 % 2;
        bit += 1;
    }
    files
};

impl Square {
    /// All squares from a1 to the right and up: a1, c1, e1, g1, b2, d2, …, f8, h8.
    pub const ALL: [Square; 32] = by_number_a1();

    /// The square at a file (0 = a … 7 = h) and a rank (0 = rank 1 … 7 = rank 8); `None` if it is
    /// off the board or light.
    #[must_use]
    pub const fn new(file: usize, rank: usize) -> Option<Square> {
        if file < 8 && rank < 8 && (file + rank).is_multiple_of(2) {
            Some(Square(bit_of(file, rank)))
        } else {
            None
        }
    }

    /// The square with this bit in a [`Bitboard`]; higher bits of the argument are dropped.
    #[must_use]
    pub(super) const fn from_bit(bit: u32) -> Square {
        Square((bit & 31) as u8)
    }

    /// The square by its number from 1 = b8 to 32 = g1, row by row from the top (the usual
    /// numbering of Russian draughts programs); `None` outside 1..=32.
    #[must_use]
    pub const fn from_number_b8(number: usize) -> Option<Square> {
        if number >= 1 && number <= 32 {
            Some(Square::ALL[Self::mirror_number(number) - 1])
        } else {
            None
        }
    }

    /// The square by its number from 1 = a1 to 32 = h8, row by row from the bottom (the numbering
    /// of the PDN standard for game type 25); `None` outside 1..=32.
    #[must_use]
    pub const fn from_number_a1(number: usize) -> Option<Square> {
        if number >= 1 && number <= 32 {
            Some(Square::ALL[number - 1])
        } else {
            None
        }
    }

    /// Number from 1 = b8 to 32 = g1.
    #[must_use]
    pub const fn number_b8(self) -> usize {
        Self::mirror_number(self.number_a1())
    }

    /// Number from 1 = a1 to 32 = h8.
    #[must_use]
    pub const fn number_a1(self) -> usize {
        ORDINAL[self.0 as usize] as usize + 1
    }

    /// The two numberings mirror each other's rows: the same formula leads both ways.
    const fn mirror_number(number: usize) -> usize {
        4 * (7 - (number - 1) / 4) + (number - 1) % 4 + 1
    }

    /// Index 0..32 for tables by square. It is an arbitrary but fixed order.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square with this [`index`](Self::index), if below 32.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 32 {
            Some(Square(index as u8))
        } else {
            None
        }
    }

    /// File, 0 = a … 7 = h.
    #[must_use]
    pub const fn file(self) -> usize {
        FILE[self.0 as usize] as usize
    }

    /// Rank, 0 = rank 1 … 7 = rank 8.
    #[must_use]
    pub const fn rank(self) -> usize {
        ORDINAL[self.0 as usize] as usize / 4
    }

    /// The square seen from the other side of the board: a1 becomes h8.
    #[must_use]
    pub const fn flip(self) -> Square {
        Square((11 + 32 - self.0) & 31)
    }

    /// The set of this square alone.
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard::from_bits(1 << self.0)
    }
}

impl Ord for Square {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number_a1().cmp(&other.number_a1())
    }
}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Algebraic, lower case: `a1` to `h8`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            (b'a' + self.file() as u8) as char,
            self.rank() + 1
        )
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
