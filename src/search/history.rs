//! What quiet moves have been worth, by side, from and to.

use crate::board::Side;
use crate::rules::Move;
use crate::search::params::HISTORY_LIMIT;

/// Values that grow for moves that cut off and shrink for those tried before them in vain.
pub(super) struct History(Box<[[[i32; 32]; 32]; 2]>);

impl History {
    pub(super) fn new() -> History {
        History(Box::new([[[0; 32]; 32]; 2]))
    }

    pub(super) fn get(&self, side: Side, mv: Move) -> i32 {
        self.0[side as usize][mv.from().index()][mv.to().index()]
    }

    /// `best` cut off at `depth` plies after `tried` did not.
    pub(super) fn update(&mut self, side: Side, best: Move, tried: &[Move], depth: i32) {
        let bonus = (depth * depth).min(400);
        self.add(side, best, bonus);
        for &mv in tried {
            self.add(side, mv, -bonus);
        }
    }

    /// The nearer a value is to its limit the less it grows.
    fn add(&mut self, side: Side, mv: Move, bonus: i32) {
        let value = &mut self.0[side as usize][mv.from().index()][mv.to().index()];
        *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
    }
}
