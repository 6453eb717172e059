//! The terms and their weights.
//!
//! A side is looked at as if it were White: its bitboards are turned where it is Black.

use crate::board::{Bitboard, Direction, Side, Square, geometry};
use crate::rules::Position;

/// Value of a man.
const MAN: i32 = 100;
/// Value of a king; a flying king is worth about three men in the open.
const KING: i32 = 290;
/// A first king against none rules the board.
const ONLY_KINGS: i32 = 60;
/// By rank of a man, from its own back row.
const ADVANCE: [i32; 8] = [0, 1, 3, 6, 9, 14, 26, 0];
/// A man on its back row while the opponent has no king: it keeps him from getting one.
const BACK_ROW: i32 = 7;
/// More for the two that guard best.
const BACK_ROW_GUARD: i32 = 5;
/// A man in the centre.
const CENTRE: i32 = 4;
/// A man on the edge can neither be taken nor do much.
const EDGE: i32 = -3;
/// A king on the main road.
const MAIN_ROAD: i32 = 22;
/// A square a man can step to.
const MAN_MOBILITY: i32 = 2;
/// A square a king can step to.
const KING_MOBILITY: i32 = 3;
/// A man that has a friend behind it cannot be jumped from that way.
const SUPPORTED: i32 = 2;
/// Each square that a hunted lone king cannot go to.
const CAGE: i32 = 5;
/// A hunted lone king on the main road.
const LONE_ON_ROAD: i32 = 40;
/// The move itself.
const TEMPO: i32 = 4;

const CENTRE_SQUARES: Bitboard = named(&[(3, 3), (2, 4), (4, 4), (5, 3), (3, 5), (4, 2), (2, 2)]);
const GUARDS: Bitboard = named(&[(2, 0), (4, 0)]);
const EDGES: Bitboard = Bitboard::from_bits(geometry::FILES[0].bits() | geometry::FILES[7].bits());

const fn named(places: &[(usize, usize)]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < places.len() {
        set = match Square::new(places[i].0, places[i].1) {
            Some(square) => set.with(square),
            None => panic!("a light square"),
        };
        i += 1;
    }
    set
}

/// One side, turned so that it moves up the board.
#[derive(Clone, Copy)]
struct Half {
    men: Bitboard,
    kings: Bitboard,
    opponent: Bitboard,
    opponent_kings: Bitboard,
}

impl Half {
    #[inline(always)]
    fn of(position: &Position, side: Side) -> Half {
        let turned = |set: Bitboard| if side == Side::Black { set.flip() } else { set };
        Half {
            men: turned(position.men(side)),
            kings: turned(position.kings(side)),
            opponent: turned(position.pieces(side.opponent())),
            opponent_kings: turned(position.kings(side.opponent())),
        }
    }

    #[inline(always)]
    fn material(&self) -> i32 {
        let (men, kings) = (self.men.count() as i32, self.kings.count() as i32);
        let only = self.kings.any() && self.opponent_kings.is_empty();
        MAN * men + KING * kings + if only { ONLY_KINGS } else { 0 }
    }

    #[inline(always)]
    fn structure(&self) -> i32 {
        let mut value = 0;
        for (rank, weight) in ADVANCE.iter().enumerate() {
            value += weight * (self.men & geometry::RANKS[rank]).count() as i32;
        }
        if self.opponent_kings.is_empty() {
            value += BACK_ROW * (self.men & geometry::RANK_1).count() as i32;
            value += BACK_ROW_GUARD * (self.men & GUARDS).count() as i32;
        }
        value += CENTRE * (self.men & CENTRE_SQUARES).count() as i32;
        value += EDGE * (self.men & EDGES).count() as i32;
        let behind = self.men.step(Direction::UpLeft) | self.men.step(Direction::UpRight);
        value + SUPPORTED * (self.men & behind).count() as i32
    }

    #[inline(always)]
    fn activity(&self) -> i32 {
        let empty = !(self.men | self.kings | self.opponent);
        let steps = (self.men.step(Direction::UpLeft) & empty).count()
            + (self.men.step(Direction::UpRight) & empty).count();
        let mut value = MAN_MOBILITY * steps as i32;
        if self.kings.any() {
            let mut reached = Bitboard::EMPTY;
            for direction in Direction::ALL {
                reached |= self.kings.slide(empty, direction);
            }
            value += KING_MOBILITY * reached.count() as i32;
            if (self.kings & geometry::MAIN_ROAD).any() {
                value += MAIN_ROAD;
            }
        }
        value
    }

    /// Against a lone king: it is caught where it has few squares to go to, off the main road.
    #[inline(always)]
    fn hunt(&self) -> i32 {
        let lone = self.opponent_kings;
        if self.opponent != lone || lone.several() || self.pieces() < 3 || self.kings.is_empty() {
            return 0;
        }
        let empty = !(self.men | self.kings | self.opponent);
        let mut reached = Bitboard::EMPTY;
        for direction in Direction::ALL {
            reached |= lone.slide(empty, direction);
        }
        let on_road = (lone & geometry::MAIN_ROAD).any();
        CAGE * (13 - reached.count() as i32) - if on_road { LONE_ON_ROAD } else { 0 }
    }

    fn pieces(&self) -> u32 {
        (self.men | self.kings).count()
    }
}

/// How much of an advantage can be used, in sixteenths: the stronger side needs pieces enough to
/// win, more of them against a king that holds the main road.
#[inline(always)]
fn usable(strong: &Half, weak: &Half) -> i32 {
    if weak.kings.is_empty() {
        return 16;
    }
    let (ours, theirs) = (strong.pieces(), weak.pieces());
    if theirs == 1 && strong.men.is_empty() && ours <= 2 {
        return 1;
    }
    let road = (strong.men | strong.kings | strong.opponent) & geometry::MAIN_ROAD;
    let held = road.any() && (road & strong.opponent_kings) == road;
    match (ours - theirs.min(ours), theirs) {
        (0, _) => 6,
        (1, 1) => 2,
        (_, 1) if held && ours <= 3 => 1,
        (1, _) if strong.men.is_empty() => 4,
        (1, _) => 8,
        _ => 16,
    }
}

/// The value from the view of the side to move, in centi-men.
#[inline]
pub(super) fn value(position: &Position) -> i32 {
    let us = Half::of(position, position.side());
    let them = Half::of(position, position.side().opponent());
    let sum = |half: &Half| half.material() + half.structure() + half.activity() + half.hunt();
    let value = sum(&us) - sum(&them) + TEMPO;
    if us.kings.is_empty() && them.kings.is_empty() {
        return value;
    }
    let usable = if value > 0 {
        usable(&us, &them)
    } else {
        usable(&them, &us)
    };
    value * usable / 16
}

pub(super) fn explain(position: &Position) -> Vec<(&'static str, i32, i32)> {
    let [white, black] = Side::ALL.map(|side| Half::of(position, side));
    vec![
        ("material", white.material(), black.material()),
        ("structure", white.structure(), black.structure()),
        ("activity", white.activity(), black.activity()),
        ("hunt", white.hunt(), black.hunt()),
    ]
}
