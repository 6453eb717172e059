//! What stands on the board, and in which order endings depend on each other.

use crate::board::{Bitboard, Side};
use crate::rules::Position;
use crate::tb::MOST_PIECES;
use std::fmt;

/// The pieces of the side to move and of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Material {
    /// Men of the side to move.
    pub own_men: u8,
    /// Kings of the side to move.
    pub own_kings: u8,
    /// Men of the other side.
    pub opp_men: u8,
    /// Kings of the other side.
    pub opp_kings: u8,
}

impl Material {
    /// The material of a position.
    #[must_use]
    pub fn of(position: &Position) -> Material {
        let count = |set: Bitboard| set.count() as u8;
        let (own, opp) = (position.side(), position.side().opponent());
        Material {
            own_men: count(position.men(own)),
            own_kings: count(position.kings(own)),
            opp_men: count(position.men(opp)),
            opp_kings: count(position.kings(opp)),
        }
    }

    /// All pieces.
    #[must_use]
    pub const fn pieces(self) -> u8 {
        self.own_men + self.own_kings + self.opp_men + self.opp_kings
    }

    /// All men.
    #[must_use]
    pub const fn men(self) -> u8 {
        self.own_men + self.opp_men
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub const fn mirrored(self) -> Material {
        Material {
            own_men: self.opp_men,
            own_kings: self.opp_kings,
            opp_men: self.own_men,
            opp_kings: self.own_kings,
        }
    }

    /// The name of the two that are each other's mirror image: the one that is stored first.
    #[must_use]
    pub fn canonical(self) -> Material {
        self.max(self.mirrored())
    }

    /// Whether there can be a table of this name.
    pub(super) fn is_storable(self) -> bool {
        let counts = [self.own_men, self.own_kings, self.opp_men, self.opp_kings];
        counts.iter().all(|&count| count <= MOST_PIECES)
            && self.own_men + self.own_kings > 0
            && self.opp_men + self.opp_kings > 0
            && self.pieces() <= MOST_PIECES
            && self == self.canonical()
    }

    /// The canonical materials that a move may lead to, beside those with the same men and kings: a
    /// man crowned, or pieces captured, perhaps both.
    pub(super) fn successors(self) -> Vec<Material> {
        let mut found = Vec::new();
        for material in [self, self.mirrored()] {
            let crowned = Material {
                own_men: material.own_men.saturating_sub(1),
                own_kings: material.own_kings + u8::from(material.own_men > 0),
                ..material
            };
            for own in [material, crowned] {
                for opp_men in 0..=own.opp_men {
                    for opp_kings in 0..=own.opp_kings {
                        let after = Material {
                            opp_men,
                            opp_kings,
                            ..own
                        };
                        if opp_men + opp_kings > 0 && after != material {
                            found.push(after.canonical());
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All materials with `pieces` pieces and both sides present that are canonical, each after those
    /// it depends on: men turn into kings and never back.
    #[must_use]
    pub fn all(pieces: u8) -> Vec<Material> {
        let mut all = Vec::new();
        for own in 1..pieces {
            for own_men in 0..=own {
                for opp_men in 0..=pieces - own {
                    let material = Material {
                        own_men,
                        own_kings: own - own_men,
                        opp_men,
                        opp_kings: pieces - own - opp_men,
                    };
                    if material == material.canonical() {
                        all.push(material);
                    }
                }
            }
        }
        all.sort_by_key(|material| (material.men(), *material));
        all
    }
}

/// Kings and men of each side, `KKM-K`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side =
            |kings: u8, men: u8| "K".repeat(usize::from(kings)) + &"M".repeat(usize::from(men));
        write!(
            f,
            "{}-{}",
            side(self.own_kings, self.own_men),
            side(self.opp_kings, self.opp_men)
        )
    }
}

/// The board as its side to move sees it, turned so that it moves up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    pub(super) own_men: Bitboard,
    pub(super) own_kings: Bitboard,
    pub(super) opp_men: Bitboard,
    pub(super) opp_kings: Bitboard,
}

impl Board {
    pub(super) fn of(position: &Position) -> Board {
        let own = position.side();
        let turned = |set: Bitboard| if own == Side::Black { set.flip() } else { set };
        Board {
            own_men: turned(position.men(own)),
            own_kings: turned(position.kings(own)),
            opp_men: turned(position.men(own.opponent())),
            opp_kings: turned(position.kings(own.opponent())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ending_comes_after_those_it_depends_on() {
        for pieces in 2..=6 {
            let all = Material::all(pieces);
            for (at, material) in all.iter().enumerate() {
                assert_eq!(material.pieces(), pieces);
                assert!(
                    all[at + 1..]
                        .iter()
                        .all(|later| later.men() >= material.men())
                );
                assert!(!all[at + 1..].contains(material));
            }
        }
        for material in (2..=6).flat_map(Material::all) {
            for after in material.successors() {
                let earlier = (after.pieces(), after.men()) < (material.pieces(), material.men());
                assert!(earlier && after.is_storable(), "{material} {after}");
            }
        }
        let names: Vec<String> = Material::all(2).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["K-K", "M-K", "M-M"]);
    }
}
