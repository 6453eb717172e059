//! The search at its edge: captures, which are compulsory, and crownings.

use crate::rules::movegen::{self, Noise};
use crate::rules::{CompactMove, MoveList, Position};
use crate::score::{MAX_PLY, Ply, Score};
use crate::search::picker::{Hints, Picker};
use crate::search::worker::{Stopped, Worker};

impl Worker<'_> {
    /// The score of `position` once nothing can be taken or crowned at once.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: Ply,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        self.count_node()?;
        if PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.memory.lines[ply as usize].clear();
        }
        let mut moves = MoveList::new();
        let mut best = -Score::INFINITY;
        match movegen::generate_noisy(position, &mut moves) {
            Noise::Captures => {}
            Noise::Lost => return Ok(Score::loss_at(ply)),
            Noise::Quiet => {
                // Nobody is forced to crown a man: standing still is an answer too.
                best = self.evaluate(position, ply);
                if best >= beta || moves.is_empty() {
                    return Ok(best);
                }
                alpha = alpha.max(best);
            }
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate(position, ply));
        }
        let mut picker = Picker::new();
        let hints = Hints {
            table_move: CompactMove::NONE,
            killers: [None; 2],
            history: &self.memory.history,
            planned: 0,
        };
        picker.fill(position, &moves, &hints);
        for mv in picker.by_ref() {
            let after = position.play(mv);
            let score = -self.quiescence::<PV>(&after, ply + 1, -beta, -alpha)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if PV {
                        self.set_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }
}
