//! From placements to numbers and back, without gaps.
//!
//! The men of both sides are numbered first and then the kings on the squares left, so that all
//! placements of the kings around the same men lie together: a king's move never leaves that range.

use crate::board::{Bitboard, Square};
use crate::tb::material::{Board, Material};

/// Squares a man may stand on.
const MAN_SQUARES: usize = 28;
const SQUARES: usize = 32;

/// Binomial coefficients, up to 6 of 32.
const BINOMIAL: [[u32; 8]; 33] = {
    let mut table = [[0u32; 8]; 33];
    let mut n = 0;
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 8 {
            if n > 0 {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

fn choose(n: usize, k: usize) -> usize {
    BINOMIAL[n][k] as usize
}

/// A set as a word whose bit 0 is a1, then along the rows upwards.
fn ordinals(set: Bitboard) -> u32 {
    let mut word = 0;
    for square in set {
        word |= 1 << (square.number_a1() - 1);
    }
    word
}

fn squares(word: u32) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut left = word;
    while left != 0 {
        let ordinal = left.trailing_zeros() as usize;
        if let Some(square) = Square::from_number_a1(ordinal + 1) {
            set = set.with(square);
        }
        left &= left - 1;
    }
    set
}

/// The number of a set among all sets of its size, where squares of `taken` do not count.
fn rank(set: u32, taken: u32) -> usize {
    let mut left = set;
    let mut number = 0;
    let mut size = 0;
    while left != 0 {
        let bit = left.trailing_zeros();
        let below = (1u32 << bit) - 1;
        size += 1;
        number += choose((bit - (taken & below).count_ones()) as usize, size);
        left &= left - 1;
    }
    number
}

/// The set of `size` with this number, on the squares that are not `taken`.
fn unrank(mut number: usize, size: usize, taken: u32) -> u32 {
    let mut set = 0;
    for size in (1..=size).rev() {
        // The greatest place with so many sets below it.
        let mut place = size - 1;
        while place < SQUARES && choose(place + 1, size) <= number {
            place += 1;
        }
        number -= choose(place, size);
        set |= 1 << nth_free(place, taken);
    }
    set
}

/// The square that is number `place` among those not taken.
fn nth_free(place: usize, taken: u32) -> u32 {
    let mut free = !taken;
    for _ in 0..place {
        free &= free.wrapping_sub(1);
    }
    free.trailing_zeros()
}

/// The numbering of one material, for one side to move.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) material: Material,
    /// Where the placements of the other side's men begin, by the number of the own men; one more at
    /// the end.
    men_starts: Vec<u32>,
    /// Placements of the kings around any men.
    pub(super) kings: usize,
}

/// The first row belongs to own men alone, the last to the other side's.
const OPP_SHIFT: u32 = 4;

impl Index {
    pub(super) fn new(material: Material) -> Index {
        let (own, opp) = (usize::from(material.own_men), usize::from(material.opp_men));
        let mut men_starts = Vec::with_capacity(choose(MAN_SQUARES, own) + 1);
        let mut start = 0;
        for number in 0..choose(MAN_SQUARES, own) {
            men_starts.push(start);
            let men = unrank(number, own, 0);
            let shared = (men >> OPP_SHIFT).count_ones() as usize;
            start += choose(MAN_SQUARES - shared, opp) as u32;
        }
        men_starts.push(start);
        let free = SQUARES - usize::from(material.men());
        let own_kings = usize::from(material.own_kings);
        Index {
            material,
            men_starts,
            kings: choose(free, own_kings)
                * choose(free - own_kings, usize::from(material.opp_kings)),
        }
    }

    /// Placements of the men.
    pub(super) fn men(&self) -> usize {
        self.men_starts.last().map_or(0, |&end| end as usize)
    }

    /// Placements in all.
    pub(super) fn len(&self) -> usize {
        self.men() * self.kings
    }

    /// The number of a placement of this material.
    pub(super) fn of(&self, board: &Board) -> usize {
        self.of_men(board) * self.kings + self.of_kings(board)
    }

    /// The number of the placement of the men alone.
    pub(super) fn of_men(&self, board: &Board) -> usize {
        let own = ordinals(board.own_men);
        let opp = ordinals(board.opp_men);
        self.men_starts[rank(own, 0)] as usize + rank(opp >> OPP_SHIFT, own >> OPP_SHIFT)
    }

    /// The number of the placement of the kings among those around the same men.
    pub(super) fn of_kings(&self, board: &Board) -> usize {
        let men = ordinals(board.own_men | board.opp_men);
        let own = ordinals(board.own_kings);
        let opp = ordinals(board.opp_kings);
        let free = SQUARES - usize::from(self.material.men() + self.material.own_kings);
        rank(own, men) * choose(free, usize::from(self.material.opp_kings)) + rank(opp, men | own)
    }

    /// The men with a number below [`men`](Self::men): own and other.
    pub(super) fn men_at(&self, number: usize) -> (Bitboard, Bitboard) {
        let own_number = self
            .men_starts
            .partition_point(|&start| start as usize <= number)
            - 1;
        let own = unrank(own_number, usize::from(self.material.own_men), 0);
        let rest = number - self.men_starts[own_number] as usize;
        let opp = unrank(rest, usize::from(self.material.opp_men), own >> OPP_SHIFT) << OPP_SHIFT;
        (squares(own), squares(opp))
    }

    /// The kings with a number below `kings`, around these men: own and other.
    pub(super) fn kings_at(&self, number: usize, men: Bitboard) -> (Bitboard, Bitboard) {
        let free = SQUARES - usize::from(self.material.men() + self.material.own_kings);
        let opp_count = choose(free, usize::from(self.material.opp_kings));
        let men = ordinals(men);
        let own = unrank(
            number / opp_count,
            usize::from(self.material.own_kings),
            men,
        );
        let opp = unrank(
            number % opp_count,
            usize::from(self.material.opp_kings),
            men | own,
        );
        (squares(own), squares(opp))
    }

    /// The placement with a number below [`len`](Self::len).
    pub(super) fn board(&self, number: usize) -> Board {
        let (own_men, opp_men) = self.men_at(number / self.kings);
        let (own_kings, opp_kings) = self.kings_at(number % self.kings, own_men | opp_men);
        Board {
            own_men,
            own_kings,
            opp_men,
            opp_kings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_placements_are_one_to_one() {
        for pieces in 2..=4 {
            let mut total = 0;
            for canonical in Material::all(pieces) {
                let mut both = vec![canonical, canonical.mirrored()];
                both.dedup();
                for material in both {
                    let index = Index::new(material);
                    total += index.len();
                    let step = if pieces < 4 { 1 } else { 37 };
                    for number in (0..index.len()).step_by(step) {
                        let board = index.board(number);
                        assert_eq!(index.of(&board), number, "{material} {board:?}");
                        let sets = [
                            board.own_men,
                            board.own_kings,
                            board.opp_men,
                            board.opp_kings,
                        ];
                        let all: u32 = sets.iter().map(|set| set.count()).sum();
                        let union = sets.iter().fold(Bitboard::EMPTY, |a, &b| a | b);
                        assert_eq!((all, union.count()), (pieces.into(), pieces.into()));
                    }
                }
            }
            // The counts of published tables of this board.
            assert_eq!(total, [3_488, 196_032, 6_209_316][usize::from(pieces) - 2]);
        }
    }
}
