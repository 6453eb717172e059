//! The squares between from and to, which a move does not hold: followed over the board.

use crate::board::{Bitboard, Direction, Square};
use crate::rules::{Move, Position};

/// The squares a piece touches: from, each landing square, to. For a quiet move from and to.
///
/// Of several paths of the same move one is chosen by a fixed rule; going straight on, a king lands
/// right behind the captured piece.
#[must_use]
pub fn path(position: &Position, mv: Move) -> Vec<Square> {
    let mut squares = vec![mv.from()];
    if mv.is_capture() {
        let tracer = Tracer::new(position, mv);
        if !tracer.follow(
            mv.from(),
            Bitboard::EMPTY,
            None,
            &mut |_| true,
            &mut squares,
        ) {
            // Not a legal move of this position: nothing better can be said.
            squares.push(mv.to());
        }
    } else {
        squares.push(mv.to());
    }
    squares
}

/// Whether some path of the move has `between` among its landing squares, in this order.
pub(super) fn passes(position: &Position, mv: Move, between: &[Square]) -> bool {
    if between.is_empty() {
        return true;
    }
    if !mv.is_capture() {
        return false;
    }
    let tracer = Tracer::new(position, mv);
    let wanted = between;
    let mut accept = |landings: &[Square]| {
        // Without from and to.
        let inner = landings
            .get(1..landings.len().saturating_sub(1))
            .unwrap_or(&[]);
        let mut wanted = wanted.iter().peekable();
        for square in inner {
            wanted.next_if_eq(&square);
        }
        wanted.peek().is_none()
    };
    tracer.follow(
        mv.from(),
        Bitboard::EMPTY,
        None,
        &mut accept,
        &mut vec![mv.from()],
    )
}

/// Follows the paths of one capture over the board.
struct Tracer {
    mv: Move,
    /// Squares that are empty before the move, and the origin.
    empty: Bitboard,
    king: bool,
    promotion: Bitboard,
}

impl Tracer {
    fn new(position: &Position, mv: Move) -> Tracer {
        Tracer {
            mv,
            empty: !position.occupied() | mv.from().bitboard(),
            king: mv.is_by_king(),
            promotion: position.side().promotion_row(),
        }
    }

    /// Extends `squares`, which end on `at`, to a whole path that `accept` likes; returns whether
    /// there is one. `captured` holds what has been taken on the way, `last` the direction of the
    /// last jump.
    fn follow(
        &self,
        at: Square,
        captured: Bitboard,
        last: Option<Direction>,
        accept: &mut impl FnMut(&[Square]) -> bool,
        squares: &mut Vec<Square>,
    ) -> bool {
        if captured == self.mv.captured() {
            return at == self.mv.to() && accept(squares);
        }
        let wanted = self.mv.captured().without(captured);
        let crowned = squares
            .iter()
            .any(|&square| self.promotion.contains(square));
        let flies = self.king || crowned;
        for direction in Direction::ALL {
            if last == Some(direction.opposite()) {
                continue;
            }
            let here = at.bitboard();
            let approach = if flies {
                here.slide(self.empty, direction)
            } else {
                Bitboard::EMPTY
            };
            let victim = (here | approach).step(direction) & wanted;
            let mut landing = victim.step(direction) & self.empty;
            let Some(taken) = victim.first() else {
                continue;
            };
            while let Some(square) = landing.first() {
                squares.push(square);
                if self.follow(
                    square,
                    captured.with(taken),
                    Some(direction),
                    accept,
                    squares,
                ) {
                    return true;
                }
                squares.pop();
                landing = if flies {
                    landing.step(direction) & self.empty
                } else {
                    Bitboard::EMPTY
                };
            }
        }
        false
    }
}
