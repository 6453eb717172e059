//! The order in which the moves of a node are tried.

use crate::board::{Side, Square};
use crate::rules::{CompactMove, MOVE_LIST_CAPACITY, Move, MoveList, Position};
use crate::search::history::{History, Played};
use arrayvec::ArrayVec;

/// Above every other move.
const TABLE_MOVE: i32 = 1 << 28;
/// Above quiet moves.
const CROWNING: i32 = 1 << 22;
const FIRST_KILLER: i32 = 1 << 21;
const SECOND_KILLER: i32 = 1 << 20;

/// What the order of quiet moves goes by.
pub(super) struct Hints<'a> {
    pub(super) table_move: CompactMove,
    pub(super) killers: [Option<Move>; 2],
    pub(super) history: &'a History,
    /// The move that the side made before.
    pub(super) planned: Played,
}

/// Moves with their promise; the best one left comes next.
pub(super) struct Picker {
    moves: ArrayVec<(i64, Move), MOVE_LIST_CAPACITY>,
    next: usize,
}

impl Picker {
    /// Without moves. Filled in place: moving a list costs more than the moves are worth.
    pub(super) const fn new() -> Picker {
        Picker {
            moves: ArrayVec::new_const(),
            next: 0,
        }
    }

    /// Takes the moves of a node.
    pub(super) fn fill(&mut self, position: &Position, moves: &MoveList, hints: &Hints<'_>) {
        let side = position.side();
        if let &[only] = moves.as_slice() {
            // A forced reply needs no order.
            let _ = self.moves.try_push((0, only));
            return;
        }
        for &mv in moves {
            let promise = if mv.compact() == hints.table_move {
                TABLE_MOVE
            } else if mv.is_capture() {
                gain(position, side, mv)
            } else if mv.crowns() {
                CROWNING
            } else if hints.killers[0] == Some(mv) {
                FIRST_KILLER
            } else if hints.killers[1] == Some(mv) {
                SECOND_KILLER
            } else {
                hints.history.of_quiet(side, hints.planned, mv)
            };
            // Both lists have the same capacity.
            let _ = self
                .moves
                .try_push((i64::from(promise) << 10 | tie_break(side, mv), mv));
        }
    }
}

/// The order of moves with equal promise, ten bits. Seen from the mover's side of the board, so that
/// a position and its colour-flipped twin are searched alike.
pub(super) fn tie_break(side: Side, mv: Move) -> i64 {
    let seen = |square: Square| match side {
        Side::White => square.index(),
        Side::Black => square.flip().index(),
    };
    (seen(mv.from()) << 5 | seen(mv.to())) as i64
}

/// What a capture takes, and a king made on the way.
fn gain(position: &Position, side: Side, mv: Move) -> i32 {
    let kings = (mv.captured() & position.kings(side.opponent())).count() as i32;
    100 * mv.captured().count() as i32 + 200 * kings + if mv.crowns() { 150 } else { 0 }
}

impl Iterator for Picker {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let left = self.moves.get_mut(self.next..)?;
        let (best, _) = left
            .iter()
            .enumerate()
            .max_by_key(|(_, (promise, _))| *promise)?;
        left.swap(0, best);
        self.next += 1;
        left.first().map(|(_, mv)| *mv)
    }
}
