//! Captures of men and kings, and men crowned on the way.
//!
//! A capture is followed from victim to victim. Behind a victim a king has a set of landing squares;
//! a further victim straight on is met once, whatever square of that set the king turns a blind eye
//! to, and a victim sideways is met from exactly one of them. So the state of a king's capture is
//! (last victim, direction, captured set), landing squares are only spelt out at the end, and the
//! rule that a king must land where the capture goes on needs no test of its own: if there is a
//! further victim the landing squares are never final.
//!
//! Captured pieces stay on the board as blockers until the move is over, since `empty` never changes
//! during the recursion; the origin of the moving piece counts as empty.

use super::View;
use super::for_each_direction;
use crate::board::{Bitboard, Color, Direction, geometry};
use crate::rules::moves::{Move, MoveList};

/// From this many captured pieces on, two different paths may lead to the same move. With fewer, the
/// same start, end and set leave only one order. (Checked over random positions by the tests.)
const DUPLICATES_FROM: u32 = 4;

/// Takes the finished captures.
trait Sink {
    /// One move for each square of `landings`, all with the same origin and captured set.
    fn add(&mut self, origin: Bitboard, landings: Bitboard, captured: Bitboard, crowns: bool);

    /// Moves of men that take one piece in `direction` and end there without being crowned.
    #[inline(always)]
    fn add_single_jumps(&mut self, landings: Bitboard, direction: Direction) {
        for landing in landings {
            let back = direction.opposite();
            let victim = landing.bitboard().rotate(back);
            self.add(victim.rotate(back), landing.bitboard(), victim, false);
        }
    }
}

struct List<'a> {
    moves: &'a mut MoveList,
    kings: Bitboard,
}

impl Sink for List<'_> {
    fn add(&mut self, origin: Bitboard, landings: Bitboard, captured: Bitboard, crowns: bool) {
        let Some(from) = origin.first() else { return };
        let by_king = (origin & self.kings).any();
        let check = captured.count() >= DUPLICATES_FROM;
        for to in landings {
            let mv = Move::new(from, to, captured, by_king, crowns);
            if !(check && self.moves.contains(&mv)) {
                let fits = self.moves.try_push(mv).is_ok();
                debug_assert!(fits, "more moves than any position has");
            }
        }
    }
}

#[derive(Default)]
struct Count {
    moves: u32,
    may_have_duplicates: bool,
}

impl Sink for Count {
    #[inline(always)]
    fn add(&mut self, _: Bitboard, landings: Bitboard, captured: Bitboard, _: bool) {
        self.moves += landings.count();
        self.may_have_duplicates |= captured.count() >= DUPLICATES_FROM;
    }

    #[inline(always)]
    fn add_single_jumps(&mut self, landings: Bitboard, _: Direction) {
        self.moves += landings.count();
    }
}

/// Shows the position after each capture.
struct Children<'a, V> {
    view: &'a View,
    visit: V,
    /// Captures of many pieces seen so far, to leave out what would be shown twice.
    long: MoveList,
}

impl<V: FnMut(View)> Sink for Children<'_, V> {
    #[inline(always)]
    fn add(&mut self, origin: Bitboard, landings: Bitboard, captured: Bitboard, crowns: bool) {
        let View { own, opp, kings } = *self.view;
        let is_king = crowns || (origin & kings).any();
        let check = captured.count() >= DUPLICATES_FROM;
        for to in landings {
            if check && let Some(from) = origin.first() {
                let mv = Move::new(from, to, captured, false, false);
                if self.long.contains(&mv) {
                    continue;
                }
                let fits = self.long.try_push(mv).is_ok();
                debug_assert!(fits, "more moves than any position has");
            }
            let to = to.bitboard();
            let kings =
                kings.without(origin | captured) | if is_king { to } else { Bitboard::EMPTY };
            let opp = opp.without(captured);
            (self.visit)(View {
                own: opp,
                opp: own.without(origin) | to,
                kings,
            });
        }
    }
}

/// The landing squares of the men's first jumps, by direction. No two men share one of them.
pub(super) struct MenCaptures {
    landings: [Bitboard; 4],
}

impl MenCaptures {
    #[inline(always)]
    pub(super) fn new(view: &View) -> MenCaptures {
        let (men, empty, victims) = (view.own_men(), view.empty(), view.opp & geometry::INNER);
        let mut landings = [Bitboard::EMPTY; 4];
        for_each_direction!(D => {
            landings[D as usize] = (men.rotate(D) & victims).rotate(D) & empty;
        });
        MenCaptures { landings }
    }

    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        let [a, b, c, d] = self.landings;
        (a | b | c | d).any()
    }
}

/// Whether there is a capture.
#[inline(always)]
pub(super) fn exists(view: &View) -> bool {
    MenCaptures::new(view).any() || super::quiet::KingSlides::new(view).meets_victim(view)
}

/// Number of captures, equal ones counted once.
pub(super) fn count<C: Color>(view: &View) -> u32 {
    let mut count = Count::default();
    walk::<C, _>(view, &mut count);
    if count.may_have_duplicates {
        let mut moves = MoveList::new();
        list::<C>(view, &mut moves);
        return moves.len() as u32;
    }
    count.moves
}

/// Lists the captures, equal ones once.
pub(super) fn list<C: Color>(view: &View, moves: &mut MoveList) {
    walk::<C, _>(
        view,
        &mut List {
            moves,
            kings: view.kings,
        },
    );
}

/// Calls `visit` with the other side's view after each capture, equal ones once.
#[inline(always)]
pub(super) fn for_each_child<C: Color>(view: &View, visit: impl FnMut(View)) {
    walk::<C, _>(
        view,
        &mut Children {
            view,
            visit,
            long: MoveList::new(),
        },
    );
}

#[inline(always)]
fn walk<C: Color, S: Sink>(view: &View, sink: &mut S) {
    let jumps = MenCaptures::new(view);
    if jumps.any() {
        walk_men::<C, S>(view, &jumps, sink);
    }
    if view.own_kings().any() {
        walk_kings(view, sink);
    }
}

#[inline(always)]
fn walk_men<C: Color, S: Sink>(view: &View, jumps: &MenCaptures, sink: &mut S) {
    let empty = view.empty();
    let victims = view.opp & geometry::INNER;
    for_each_direction!(D => {
        let landings = jumps.landings[D as usize];
        if landings.any() {
            // Most men jump once: find for all landing squares together those from which a second
            // jump exists. The square jumped from plays no part in it, nor does the first victim,
            // which could only be met by going straight back.
            const SIDEWAYS: [Direction; 2] = D.sideways();
            const LEFT: Direction = SIDEWAYS[0];
            const RIGHT: Direction = SIDEWAYS[1];
            let goes_on = jump_sources(D, landings, victims, empty)
                | jump_sources(LEFT, landings, victims, empty)
                | jump_sources(RIGHT, landings, victims, empty);
            let special = landings & (goes_on | C::PROMOTION);
            sink.add_single_jumps(landings.without(special), D);
            for landing in special {
                let landing = landing.bitboard();
                let victim = landing.rotate(D.opposite());
                let origin = victim.rotate(D.opposite());
                let mut capture = Capture { origin, empty: empty | origin, victims, sink };
                capture.man_landed::<C>(landing, D, victim);
            }
        }
    });
}

/// Which squares of `from` a man could jump from in one direction.
#[inline(always)]
fn jump_sources(
    direction: Direction,
    from: Bitboard,
    victims: Bitboard,
    empty: Bitboard,
) -> Bitboard {
    let landings = (from.rotate(direction) & victims).rotate(direction) & empty;
    landings
        .rotate(direction.opposite())
        .rotate(direction.opposite())
}

fn walk_kings<S: Sink>(view: &View, sink: &mut S) {
    let empty = view.empty();
    let victims = view.opp & geometry::INNER;
    for king in view.own_kings() {
        let origin = king.bitboard();
        let mut capture = Capture {
            origin,
            empty: empty | origin,
            victims,
            sink,
        };
        for_each_direction!(D => {
            let victim = capture.victim_ahead(origin, D, Bitboard::EMPTY);
            if victim.any() {
                capture.king_took(victim, D, victim, false);
            }
        });
    }
}

/// One piece's capture in progress.
struct Capture<'a, S> {
    origin: Bitboard,
    /// Squares empty before the move, and the origin.
    empty: Bitboard,
    /// Opponents that are not on the edge.
    victims: Bitboard,
    sink: &'a mut S,
}

impl<S: Sink> Capture<'_, S> {
    /// The pieces that kings standing on `from` would take in one direction.
    #[inline(always)]
    fn victim_ahead(&self, from: Bitboard, direction: Direction, captured: Bitboard) -> Bitboard {
        let path = from | from.slide(self.empty, direction);
        let met = path.rotate(direction) & self.victims.without(captured);
        met & self.empty.rotate(direction.opposite())
    }

    /// A man stands on `landing` after a jump in `direction`; `captured` holds all it has taken.
    fn man_landed<C: Color>(
        &mut self,
        landing: Bitboard,
        direction: Direction,
        captured: Bitboard,
    ) {
        if (landing & C::PROMOTION).any() {
            self.king_on(landing, Bitboard::EMPTY, direction, captured, true);
            return;
        }
        let left = self.victims.without(captured);
        let mut ended = true;
        let [a, b] = direction.sideways();
        for next in [direction, a, b] {
            let victim = landing.rotate(next) & left;
            let beyond = victim.rotate(next) & self.empty;
            if beyond.any() {
                ended = false;
                self.man_landed::<C>(beyond, next, captured | victim);
            }
        }
        if ended {
            self.sink.add(self.origin, landing, captured, false);
        }
    }

    /// A king has just jumped over `victim` in `direction`; `captured` holds all it has taken.
    fn king_took(
        &mut self,
        victim: Bitboard,
        direction: Direction,
        captured: Bitboard,
        crowned: bool,
    ) {
        let landings = victim.slide(self.empty, direction);
        let straight = self.victim_ahead(victim, direction, captured);
        self.king_on(landings, straight, direction, captured, crowned);
    }

    /// A king may stand on any of `landings`, and go on over `straight` or sideways.
    #[inline(always)]
    fn king_on(
        &mut self,
        landings: Bitboard,
        straight: Bitboard,
        direction: Direction,
        captured: Bitboard,
        crowned: bool,
    ) {
        let [a, b] = direction.sideways();
        let left = self.victim_ahead(landings, a, captured);
        let right = self.victim_ahead(landings, b, captured);
        if (straight | left | right).is_empty() {
            self.sink.add(self.origin, landings, captured, crowned);
            return;
        }
        for (met, next) in [(straight, direction), (left, a), (right, b)] {
            for victim in met {
                let victim = victim.bitboard();
                self.king_took(victim, next, captured | victim, crowned);
            }
        }
    }
}
