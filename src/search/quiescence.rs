//! The search at its edge: captures, which are compulsory, and crownings.

use crate::eval;
use crate::rules::{CompactMove, MoveList, Position, movegen};
use crate::score::{MAX_PLY, Ply, Score};
use crate::search::picker::Picker;
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
            self.lines[ply as usize].clear();
        }
        let mut moves = MoveList::new();
        let mut best = -Score::INFINITY;
        if movegen::has_capture(position) {
            movegen::generate(position, &mut moves);
        } else if !movegen::has_move(position) {
            return Ok(Score::loss_at(ply));
        } else {
            // Nobody is forced to crown a man: standing still is an answer too.
            best = eval::evaluate(position);
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
            movegen::generate_crownings(position, &mut moves);
        }
        if ply >= MAX_PLY {
            return Ok(eval::evaluate(position));
        }
        let mut picker = Picker::new();
        picker.fill(
            position,
            &moves,
            CompactMove::NONE,
            [None; 2],
            &self.history,
        );
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
