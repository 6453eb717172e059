//! Counting the moves of many positions at once: the last ply of perft.
//!
//! The positions are laid out as arrays, so that the compiler turns the loops below into vector code
//! for whatever processor it builds for; there is no branch a position. Each stage hands a remainder to
//! the next: quiet moves; captures in which every piece takes one victim; men that take two; and the
//! rest, one by one, by [`capture::count`].

use super::View;
use super::capture;
use super::for_each_direction;
use crate::board::{Bitboard, Color, Direction, geometry};
use std::marker::PhantomData;

/// Positions a batch holds. More would not help the vector code and would leave the first cache.
const BATCH: usize = 512;

/// A multiple of the number of positions that one vector of any processor holds.
const VECTOR: usize = 32;

/// Views as a structure of arrays.
struct Batch {
    own: [Bitboard; BATCH],
    opp: [Bitboard; BATCH],
    kings: [Bitboard; BATCH],
    len: usize,
}

impl Batch {
    const fn new() -> Batch {
        let none = [Bitboard::EMPTY; BATCH];
        Batch {
            own: none,
            opp: none,
            kings: none,
            len: 0,
        }
    }

    /// Adds a view if `keep`; without a branch. The batch must not be full.
    #[inline(always)]
    fn push_if(&mut self, view: View, keep: bool) {
        let at = self.len % BATCH;
        self.own[at] = view.own;
        self.opp[at] = view.opp;
        self.kings[at] = view.kings;
        self.len += usize::from(keep);
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len == BATCH
    }

    #[inline(always)]
    fn get(&self, at: usize) -> View {
        View {
            own: self.own[at],
            opp: self.opp[at],
            kings: self.kings[at],
        }
    }
}

/// What one stage found out about one position.
struct Counted {
    moves: u32,
    /// The stage cannot answer: the moves are not counted.
    unanswered: bool,
}

/// Sums the number of moves over any number of positions with `C` to move.
pub(crate) struct BulkCounter<C> {
    /// Positions in which the side to move has no king: they need half the work.
    men_only: Batch,
    with_kings: Batch,
    /// What the earlier stages leave to the later ones; empty between the calls.
    remainders: [Batch; 2],
    total: u64,
    color: PhantomData<C>,
}

impl<C: Color> BulkCounter<C> {
    pub(crate) const fn new() -> BulkCounter<C> {
        BulkCounter {
            men_only: Batch::new(),
            with_kings: Batch::new(),
            remainders: [Batch::new(), Batch::new()],
            total: 0,
            color: PhantomData,
        }
    }

    /// Adds the number of moves of one position to the sum, now or later.
    #[inline(always)]
    pub(crate) fn add(&mut self, view: View) {
        if view.own_kings().is_empty() {
            self.men_only.push_if(view, true);
            if self.men_only.is_full() {
                self.count_men_only();
            }
        } else {
            self.with_kings.push_if(view, true);
            if self.with_kings.is_full() {
                self.count_with_kings();
            }
        }
    }

    /// The sum over all positions added.
    pub(crate) fn finish(mut self) -> u64 {
        self.count_men_only();
        self.count_with_kings();
        self.total
    }

    #[inline(never)]
    fn count_men_only(&mut self) {
        let [first, second] = &mut self.remainders;
        stage(
            &mut self.men_only,
            first,
            &mut self.total,
            quiet::<C, false>,
        );
        stage(first, second, &mut self.total, single_captures::<C, false>);
        stage(second, first, &mut self.total, double_captures::<C>);
        count_rest::<C>(first, &mut self.total);
    }

    #[inline(never)]
    fn count_with_kings(&mut self) {
        let [first, second] = &mut self.remainders;
        stage(
            &mut self.with_kings,
            first,
            &mut self.total,
            quiet::<C, true>,
        );
        stage(first, second, &mut self.total, single_captures::<C, true>);
        count_rest::<C>(second, &mut self.total);
    }
}

/// Counts and empties a batch, position by position.
fn count_rest<C: Color>(batch: &mut Batch, total: &mut u64) {
    for at in 0..batch.len {
        *total += u64::from(capture::count::<C>(&batch.get(at)));
    }
    batch.len = 0;
}

/// Applies `count` to a batch, empties it, and puts the positions without an answer into `rest`.
#[inline(always)]
fn stage(batch: &mut Batch, rest: &mut Batch, total: &mut u64, count: impl Fn(View) -> Counted) {
    // Whole vectors are counted; what fills the last one up has no pieces and so no moves.
    let rounded = batch.len.next_multiple_of(VECTOR).min(BATCH);
    batch.own[batch.len..rounded].fill(Bitboard::EMPTY);
    let mut unanswered = [0u32; BATCH];
    let views = batch.own[..rounded].iter().zip(&batch.opp[..rounded]);
    let views = views
        .zip(&batch.kings[..rounded])
        .zip(&mut unanswered[..rounded]);
    let mut sum = 0u32;
    for (((&own, &opp), &kings), unanswered) in views {
        let counted = count(View { own, opp, kings });
        sum += if counted.unanswered { 0 } else { counted.moves };
        *unanswered = u32::from(counted.unanswered);
    }
    *total += u64::from(sum);
    for (at, &unanswered) in unanswered.iter().enumerate().take(batch.len) {
        rest.push_if(batch.get(at), unanswered != 0);
    }
    batch.len = 0;
}

/// Quiet moves; unanswered where there is a capture.
#[inline(always)]
fn quiet<C: Color, const KINGS: bool>(view: View) -> Counted {
    let (men, kings, empty) = (view.own_men(), view.own_kings(), view.empty());
    let victims = view.opp & geometry::INNER;
    let [left, right] = C::FORWARD;
    let mut moves = (men.step(left) & empty).count() + (men.step(right) & empty).count();
    let mut landings = Bitboard::EMPTY;
    for_each_direction!(D => {
        let mut front = men;
        if KINGS {
            let slide = kings.slide(empty, D);
            moves += slide.count();
            front |= kings | slide;
        }
        landings |= (front.rotate(D) & victims).rotate(D) & empty;
    });
    Counted {
        moves,
        unanswered: landings.any(),
    }
}

/// Captures of one piece each; unanswered where some capture goes on or a man is crowned by it.
///
/// All pieces are looked at together: neither the square a piece comes from nor its first victim can
/// play a part in the second jump, since both lie straight behind it.
#[inline(always)]
fn single_captures<C: Color, const KINGS: bool>(view: View) -> Counted {
    let (men, kings, empty) = (view.own_men(), view.own_kings(), view.empty());
    let victims = view.opp & geometry::INNER;
    let mut moves = 0;
    let mut goes_on = Bitboard::EMPTY;
    for_each_direction!(D => {
        const LEFT: Direction = D.sideways()[0];
        const RIGHT: Direction = D.sideways()[1];
        let landings = (men.rotate(D) & victims).rotate(D) & empty;
        moves += landings.count();
        goes_on |= landings & C::PROMOTION;
        goes_on |= (landings.rotate(D) & victims).rotate(D) & empty;
        goes_on |= (landings.rotate(LEFT) & victims).rotate(LEFT) & empty;
        goes_on |= (landings.rotate(RIGHT) & victims).rotate(RIGHT) & empty;
        if KINGS {
            let met = (kings | kings.slide(empty, D)).rotate(D) & victims;
            let taken = met & empty.rotate(D.opposite());
            let landings = taken.slide(empty, D);
            moves += landings.count();
            goes_on |= (landings.rotate(D) & victims).rotate(D) & empty;
            let left = landings | landings.slide(empty, LEFT);
            goes_on |= (left.rotate(LEFT) & victims).rotate(LEFT) & empty;
            let right = landings | landings.slide(empty, RIGHT);
            goes_on |= (right.rotate(RIGHT) & victims).rotate(RIGHT) & empty;
        }
    });
    Counted {
        moves,
        unanswered: goes_on.any(),
    }
}

/// Captures by men of one or two pieces; unanswered where a man takes three, or goes on as a king.
#[inline(always)]
fn double_captures<C: Color>(view: View) -> Counted {
    let (men, empty) = (view.own_men(), view.empty());
    let victims = view.opp & geometry::INNER;
    let mut moves = 0;
    let mut goes_on = Bitboard::EMPTY;
    // Men crowned by their last jump, by the forward direction of that jump.
    let mut crowned = [Bitboard::EMPTY; 2];
    for_each_direction!(D => {
        const LEFT: Direction = D.sideways()[0];
        const RIGHT: Direction = D.sideways()[1];
        let first = (men.rotate(D) & victims).rotate(D) & empty;
        // The square a man jumped from, its victims and their surroundings lie apart from
        // everything that a further jump could meet, so no capture gets in the way of itself here.
        let at_once = first & C::PROMOTION;
        crowned[usize::from(D == C::FORWARD[1])] |= at_once;
        let man = first.without(at_once);
        let mut sources = Bitboard::EMPTY;
        for next in [D, LEFT, RIGHT] {
            let second = (man.rotate(next) & victims).rotate(next) & empty;
            let back = next.opposite();
            sources |= second.rotate(back).rotate(back);
            moves += second.count();
            let last = second & C::PROMOTION;
            crowned[usize::from(next == C::FORWARD[1])] |= last;
            let man = second.without(last);
            let [a, b] = next.sideways();
            for third in [next, a, b] {
                goes_on |= (man.rotate(third) & victims).rotate(third) & empty;
            }
        }
        moves += first.without(sources).count();
    });
    // From the last row a king has one way that is neither off the board nor straight back.
    for (crowned, other) in crowned.into_iter().zip([C::FORWARD[1], C::FORWARD[0]]) {
        let way = other.opposite();
        let met = (crowned | crowned.slide(empty, way)).rotate(way) & victims;
        goes_on |= met.rotate(way) & empty;
    }
    Counted {
        moves,
        unanswered: goes_on.any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Black, Square, White};
    use crate::rules::movegen::{count_moves, list_moves};

    fn bulk<C: Color>(view: View) -> u64 {
        let mut counter = BulkCounter::<C>::new();
        counter.add(view);
        counter.finish()
    }

    #[test]
    fn one_position_in_bulk_counts_as_its_list() {
        let mut state = 1u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            (state >> 33) % below
        };
        for i in 0..400_000 {
            let mut view = View {
                own: Bitboard::EMPTY,
                opp: Bitboard::EMPTY,
                kings: Bitboard::EMPTY,
            };
            let (own, opp, kings) = (1 + draw(12), 1 + draw(12), draw(4));
            for square in Square::ALL {
                let on = draw(32);
                if on < own {
                    view.own = view.own.with(square);
                } else if on < own + opp {
                    view.opp = view.opp.with(square);
                }
                if draw(4) < kings {
                    view.kings = view.kings.with(square);
                }
            }
            view.kings |= (view.own & White::PROMOTION) | (view.opp & Black::PROMOTION);
            view.kings &= view.own | view.opp;
            let mut list = crate::rules::MoveList::new();
            list_moves::<White>(view, &mut list);
            assert_eq!(bulk::<White>(view), list.len() as u64, "{i} {view:?}");
            assert_eq!(
                count_moves::<White>(view),
                list.len() as u32,
                "{i} {view:?}"
            );
        }
    }
}
