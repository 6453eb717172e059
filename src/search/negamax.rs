//! The node of the search.
//!
//! Steps: 1 count and stop; 2 draws by rule; 3 no win faster than one already found; 4 moves, and
//! none is a loss; 5 the table; 6 a quiet position far above the window; 7 order; 8 each move: depth,
//! reduction, window; 9 best move kept, cut off; 10 store.

use crate::rules::{CompactMove, DrawClock, Move, MoveList, Position, movegen};
use crate::score::{MAX_PLY, Ply, Score};
use crate::search::params;
use crate::search::picker::Picker;
use crate::search::worker::{Stopped, Worker};
use crate::tt::Bound;
use arrayvec::ArrayVec;

impl Worker<'_> {
    /// The score of `position` within the window, from the view of its side to move. `PV`: the node
    /// may be on the best line, its window is open.
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        position: &Position,
        clock: &DrawClock,
        depth: i32,
        ply: Ply,
        mut alpha: Score,
        mut beta: Score,
    ) -> Result<Score, Stopped> {
        // A quiet position in which the other side threatens to capture is no place to stand still:
        // one ply more, and quiescence behind it.
        let threatened =
            depth == 0 && movegen::is_threatened(position) && !movegen::has_capture(position);
        if depth <= 0 && !threatened {
            // Quiescence does not look for draws by rule: what it plays starts nearly every counter
            // anew.
            if self.is_draw(position, clock, ply) {
                self.lines[ply as usize].clear();
                return Ok(Score::DRAW);
            }
            return self.quiescence::<PV>(position, ply, alpha, beta);
        }
        // Step 1.
        self.count_node()?;
        if PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.lines[ply as usize].clear();
        }
        // Step 2.
        if self.is_draw(position, clock, ply) {
            return Ok(Score::DRAW);
        }
        // Step 3.
        alpha = alpha.max(Score::loss_at(ply));
        beta = beta.min(Score::win_at(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }
        // Step 4.
        let mut moves = MoveList::new();
        movegen::generate(position, &mut moves);
        if moves.is_empty() {
            return Ok(Score::loss_at(ply));
        }
        if ply >= MAX_PLY {
            return Ok(crate::eval::evaluate(position));
        }
        // Step 5.
        let place = self.table_place(position, clock);
        let hit = self.table.probe(place.key, ply);
        let table_move = hit.map_or(CompactMove::NONE, |hit| hit.mv);
        if let Some(hit) = hit.filter(|hit| !PV && hit.depth >= depth && hit.depth < place.left) {
            let decides = match hit.bound {
                Bound::Exact => true,
                Bound::Lower => hit.score >= beta,
                Bound::Upper => hit.score <= alpha,
                Bound::None => false,
            };
            if decides {
                if place.key != position.key() {
                    // There may be a draw by counter in it.
                    self.note_counter(clock, ply);
                }
                return Ok(hit.score);
            }
        }
        // Step 6. Where nobody can capture, the value is at rest.
        let quiet = !moves[0].is_capture();
        if !PV && quiet && depth <= params::FUTILITY_DEPTH && !beta.is_decided() {
            let value = crate::eval::evaluate(position);
            if value - params::FUTILITY_MARGIN * depth >= beta && !movegen::is_threatened(position)
            {
                return Ok(value);
            }
        }
        // Step 7.
        let side = position.side();
        let outer = std::mem::take(&mut self.depends);
        let killers = self.killers[ply as usize];
        self.killers[ply as usize + 1] = [None; 2];
        let mut picker = Picker::new();
        picker.fill(position, &moves, table_move, killers, &self.history);
        let forced = moves.len() == 1;
        let mut best = -Score::INFINITY;
        let mut best_move = None;
        let mut tried: ArrayVec<Move, 32> = ArrayVec::new();
        let old_alpha = alpha;
        for (number, mv) in picker.by_ref().enumerate() {
            // Step 8.
            let after = position.play(mv);
            let after_clock = clock.after(self.rules, position, mv, &after);
            let quiet = !mv.is_capture() && !mv.crowns();
            // A forced reply costs no depth.
            let below = if forced && !threatened {
                depth
            } else {
                depth - 1
            };
            self.push(&after);
            let score = if number == 0 {
                self.negamax::<PV>(&after, &after_clock, below, ply + 1, -beta, -alpha)
                    .map(|score| -score)
            } else {
                self.later_move::<PV>(
                    &after,
                    &after_clock,
                    below,
                    ply,
                    (alpha, beta),
                    if quiet { number } else { 0 },
                )
            };
            self.pop();
            let score = match score {
                Ok(score) => score,
                Err(stopped) => {
                    self.depends = outer;
                    return Err(stopped);
                }
            };
            // Step 9.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if PV {
                        self.set_line(ply, mv);
                    }
                    if score >= beta {
                        if quiet {
                            self.history.update(side, mv, &tried, depth);
                            let killers = &mut self.killers[ply as usize];
                            if killers[0] != Some(mv) {
                                *killers = [Some(mv), killers[0]];
                            }
                        }
                        break;
                    }
                }
            }
            if quiet {
                let _ = tried.try_push(mv);
            }
        }
        // Step 10.
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let bound = if self.depends.on_path_above(ply, place.marked) {
            path_bound(best, bound)
        } else {
            bound
        };
        let compact = best_move.map_or(CompactMove::NONE, Move::compact);
        if bound != Bound::None || !compact.is_none() {
            let depth = if bound == Bound::None { 0 } else { depth };
            self.table
                .store(place.key, ply, compact, best, depth, bound);
        }
        self.depends = outer.and(self.depends.seen_from(ply));
        Ok(best)
    }

    /// A move that is not expected to be the best: with a closed window and less depth first.
    /// `late` is its number among the moves if it may be reduced, else 0.
    fn later_move<const PV: bool>(
        &mut self,
        after: &Position,
        clock: &DrawClock,
        below: i32,
        ply: Ply,
        (alpha, beta): (Score, Score),
        late: usize,
    ) -> Result<Score, Stopped> {
        let reducible = late >= params::REDUCTION_MOVES && below + 1 >= params::REDUCTION_DEPTH;
        // Never while the opponent has to capture: that is no quiet move.
        let reduction = if reducible && !movegen::has_capture(after) {
            params::reduction(below + 1, late) - i32::from(PV)
        } else {
            0
        };
        let closed = (-alpha - 1, -alpha);
        if PV {
            // Nodes with a closed window keep no line; what an earlier move left must not be taken
            // for theirs.
            self.lines[ply as usize + 1].clear();
        }
        let mut score = -self.negamax::<false>(
            after,
            clock,
            below - reduction.max(0),
            ply + 1,
            closed.0,
            closed.1,
        )?;
        if score > alpha && reduction > 0 {
            score = -self.negamax::<false>(after, clock, below, ply + 1, closed.0, closed.1)?;
        }
        if PV && score > alpha && score < beta {
            score = -self.negamax::<true>(after, clock, below, ply + 1, -beta, -alpha)?;
        }
        Ok(score)
    }
}

/// What remains of a bound that hangs on draws with positions further up this path. On another path
/// such a move may be no draw and worth anything, but where the side to move has something better
/// than a draw the draws were not taken, so the score is safe from below; and from above where the
/// other side has.
fn path_bound(score: Score, bound: Bound) -> Bound {
    match bound {
        Bound::Exact | Bound::Lower if score > Score::DRAW => Bound::Lower,
        Bound::Exact | Bound::Upper if score < Score::DRAW => Bound::Upper,
        _ => Bound::None,
    }
}
