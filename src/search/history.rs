//! What moves have been worth in the searches so far.

use crate::board::Side;
use crate::rules::Move;
use crate::search::params::HISTORY_LIMIT;

/// Kinds of moves that plans are made of: a man's step to either side or a king's move, by the square
/// they end on.
const STEPS: usize = 128;
/// Moves that plans begin with, by side.
const PLAYED: usize = 2 * STEPS;

/// A move that a plan may have begun with, as an index.
pub(super) type Played = usize;

/// Values that grow for moves that cut off and shrink for those tried before them in vain.
pub(super) struct History {
    /// By side, from and to.
    moves: Box<[[[i16; 32]; 32]; 2]>,
    /// By the side's own move before, which they may go on from.
    plans: Box<[[i16; STEPS]; PLAYED]>,
}

/// What a piece does, without where it comes from.
fn step(mv: Move) -> usize {
    let to = mv.to().index();
    if mv.is_by_king() {
        2 * 32 + to
    } else if mv.to().file() > mv.from().file() {
        32 + to
    } else {
        to
    }
}

/// The index of a move of `side` for what follows it.
pub(super) fn played(side: Side, mv: Move) -> Played {
    side as usize * STEPS + step(mv)
}

fn grow(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

impl History {
    pub(super) fn new() -> History {
        History {
            moves: Box::new([[[0; 32]; 32]; 2]),
            plans: Box::new([[0; STEPS]; PLAYED]),
        }
    }

    /// What a quiet move has been worth: by itself and as the next move of a plan.
    #[inline(always)]
    pub(super) fn of_quiet(&self, side: Side, planned: Played, mv: Move) -> i32 {
        i32::from(self.moves[side as usize][mv.from().index()][mv.to().index()])
            + i32::from(self.plans[planned][step(mv)])
    }

    /// `best` cut off at `depth` plies after `tried` did not; `planned` is the move that the
    /// side made before.
    pub(super) fn update(
        &mut self,
        side: Side,
        planned: Played,
        best: Move,
        tried: &[Move],
        depth: i32,
    ) {
        let bonus = (depth * depth).min(400);
        self.add(side, planned, best, bonus);
        for &mv in tried {
            self.add(side, planned, mv, -bonus);
        }
    }

    fn add(&mut self, side: Side, planned: Played, mv: Move, bonus: i32) {
        grow(
            &mut self.moves[side as usize][mv.from().index()][mv.to().index()],
            bonus,
        );
        grow(&mut self.plans[planned][step(mv)], bonus);
    }
}
