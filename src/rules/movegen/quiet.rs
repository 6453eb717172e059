//! Quiet moves: steps of men, slides of kings. Asked only where there is no capture.

use super::View;
use super::for_each_direction;
use crate::board::{Bitboard, Color, Direction, geometry};
use crate::rules::moves::{Move, MoveList};

/// Where all own kings together can slide, by direction.
pub(super) struct KingSlides {
    kings: Bitboard,
    by_direction: [Bitboard; 4],
}

impl KingSlides {
    #[inline(always)]
    pub(super) fn new(view: &View) -> KingSlides {
        let kings = view.own_kings();
        let mut by_direction = [Bitboard::EMPTY; 4];
        if kings.any() {
            let empty = view.empty();
            for_each_direction!(D => { by_direction[D as usize] = kings.slide(empty, D); });
        }
        KingSlides {
            kings,
            by_direction,
        }
    }

    /// Number of king moves: each reached square is reached by one king alone.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        if self.kings.is_empty() {
            return 0;
        }
        self.by_direction.iter().map(|set| set.count()).sum()
    }

    /// Whether some king can capture: behind its slide stands an opponent with an empty square
    /// behind.
    #[inline(always)]
    pub(super) fn meets_victim(&self, view: &View) -> bool {
        if self.kings.is_empty() {
            return false;
        }
        let victims = view.opp & geometry::INNER;
        let empty = view.empty();
        let mut landings = Bitboard::EMPTY;
        for_each_direction!(D => {
            let hit = (self.kings | self.by_direction[D as usize]).rotate(D) & victims;
            landings |= hit.rotate(D) & empty;
        });
        landings.any()
    }
}

#[inline(always)]
pub(super) fn count_men<C: Color>(view: &View) -> u32 {
    let (men, empty) = (view.own_men(), view.empty());
    let [left, right] = C::FORWARD;
    (men.step(left) & empty).count() + (men.step(right) & empty).count()
}

/// Whether some piece can step or slide.
#[inline(always)]
pub(super) fn exists<C: Color>(view: &View) -> bool {
    let (men, kings, empty) = (view.own_men(), view.own_kings(), view.empty());
    let [left, right] = C::FORWARD;
    let mut reached = men.step(left) | men.step(right);
    for_each_direction!(D => { reached |= kings.step(D); });
    (reached & empty).any()
}

/// Calls `visit(from, to, king, crowns)` for each quiet move.
#[inline(always)]
pub(super) fn for_each<C: Color>(
    view: &View,
    mut visit: impl FnMut(Bitboard, Bitboard, bool, bool),
) {
    let (men, empty) = (view.own_men(), view.empty());
    for direction in C::FORWARD {
        for to in men.step(direction) & empty {
            let to = to.bitboard();
            visit(
                to.rotate(direction.opposite()),
                to,
                false,
                (to & C::PROMOTION).any(),
            );
        }
    }
    for king in view.own_kings() {
        let from = king.bitboard();
        let mut targets = Bitboard::EMPTY;
        for_each_direction!(D => { targets |= from.slide(empty, D); });
        for to in targets {
            visit(from, to.bitboard(), true, false);
        }
    }
}

/// Calls `visit` with the other side's view after each quiet move.
#[inline(always)]
pub(super) fn for_each_child<C: Color>(view: &View, mut visit: impl FnMut(View)) {
    let (men, empty) = (view.own_men(), view.empty());
    let [first, second] = C::FORWARD;
    // Both directions in one loop: its end is hard to predict, so there should be only one.
    let targets = [men.step(first) & empty, men.step(second) & empty];
    let mut left = u64::from(targets[0].bits()) | u64::from(targets[1].bits()) << 32;
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        let (low, high) = (lowest as u32, (lowest >> 32) as u32);
        let to = Bitboard::from_bits(low | high);
        let from = Bitboard::from_bits(low).rotate(first.opposite())
            | Bitboard::from_bits(high).rotate(second.opposite());
        let kings = view.kings | (to & C::PROMOTION);
        visit(View {
            own: view.opp,
            opp: view.own ^ from ^ to,
            kings,
        });
    }
    for king in view.own_kings() {
        let from = king.bitboard();
        let mut targets = Bitboard::EMPTY;
        for_each_direction!(D => { targets |= from.slide(empty, D); });
        for to in targets {
            let change = from ^ to.bitboard();
            visit(View {
                own: view.opp,
                opp: view.own ^ change,
                kings: view.kings ^ change,
            });
        }
    }
}

pub(super) fn list<C: Color>(view: &View, list: &mut MoveList) {
    for_each::<C>(view, |from, to, king, crowns| {
        push(list, from, to, king, crowns);
    });
}

pub(super) fn list_crownings<C: Color>(view: &View, list: &mut MoveList) {
    let (men, empty) = (view.own_men(), view.empty());
    for direction in C::FORWARD {
        for to in men.step(direction) & empty & C::PROMOTION {
            let to = to.bitboard();
            push(list, to.rotate(direction.opposite()), to, false, true);
        }
    }
}

#[inline(always)]
fn push(list: &mut MoveList, from: Bitboard, to: Bitboard, king: bool, crowns: bool) {
    if let (Some(from), Some(to)) = (from.first(), to.first()) {
        // Dropping a move keeps a broken assumption from becoming a crash in a user's hands.
        let fits = list
            .try_push(Move::new(from, to, Bitboard::EMPTY, king, crowns))
            .is_ok();
        debug_assert!(fits, "more moves than any position has");
    }
}
