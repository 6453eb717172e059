//! The node of the search.
//!
//! Steps: 1 count and stop; 2 draws by rule; 3 no win faster than one already found; 4 the table;
//! 5 moves, and none is a loss; endgame tables; 6 the value at rest; 7 far above or below the window; 8 no table
//! move; 9 the positions after all moves looked up; 10 is the table move the only good one; 11 each
//! move: left out, depth, reduction, window; 12 best move kept, cut off; 13 store.

use crate::board::Side;
use crate::rules::{CompactMove, DrawClock, Move, MoveList, Position, movegen};
use crate::score::{MAX_PLY, Ply, Score};
use crate::search::busy;
use crate::search::history;
use crate::search::params;
use crate::search::picker::{Hints, Picker};
use crate::search::pruning::Singular;
use crate::search::worker::{Stopped, TablePlace, Worker};
use crate::tt::{Bound, Hit};
use arrayvec::ArrayVec;

/// A node as the steps before its moves see it.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) position: &'a Position,
    pub(super) clock: &'a DrawClock,
    pub(super) depth: i32,
    pub(super) ply: Ply,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// The evaluation, `None` where there is a capture.
    pub(super) value: Option<Score>,
    pub(super) hit: Option<Hit>,
    /// The entry may know of draws by counter.
    pub(super) has_counters: bool,
}

impl Worker<'_> {
    /// The score of `position` within the window, from the view of its side to move. `PV`: the node
    /// may be on the best line, its window is open.
    #[inline(always)]
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        position: &Position,
        clock: &DrawClock,
        depth: i32,
        ply: Ply,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        // A quiet position in which the other side threatens to capture is no place to stand still: a
        // ply more, and again while threats go on, up to a limit, with quiescence behind it. Only here
        // does the depth fall below zero.
        let threatened = depth <= 0
            && depth > -self.params.threat_plies
            && movegen::is_threatened(position)
            && !movegen::has_capture(position);
        if depth > 0 || threatened {
            return self.node::<PV>(position, clock, depth, ply, alpha, beta);
        }
        // Quiescence does not look for draws by rule: what it plays starts nearly every counter anew.
        if self.is_draw(position, clock, ply) {
            self.memory.lines[ply as usize].clear();
            return Ok(Score::DRAW);
        }
        self.quiescence::<PV>(position, ply, alpha, beta)
    }

    /// The same for a node that is not left to quiescence: with a depth above zero, or one where
    /// something is threatened.
    fn node<const PV: bool>(
        &mut self,
        position: &Position,
        clock: &DrawClock,
        mut depth: i32,
        ply: Ply,
        mut alpha: Score,
        mut beta: Score,
    ) -> Result<Score, Stopped> {
        let threatened = depth <= 0;
        // Step 1.
        self.count_node()?;
        if PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.memory.lines[ply as usize].clear();
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
        // Step 4. What is known of all moves says nothing about the others when one is left out.
        let at = ply as usize;
        let excluded = self.memory.frames[at].excluded;
        let whole = excluded.is_none();
        let place = self.table_place(position, clock);
        let near = depth <= self.params.near_depth;
        let hit = if whole && !threatened {
            self.known(near, place.key, ply)
        } else {
            None
        };
        if let Some(hit) = hit.filter(|hit| !PV && decides(hit, &place, depth, (alpha, beta))) {
            if place.has_counters {
                // There may be a draw by counter in it.
                self.note_counter(clock, ply);
            }
            return Ok(hit.score);
        }
        // Step 5.
        let mut moves = MoveList::new();
        movegen::generate(position, &mut moves);
        if moves.is_empty() {
            return Ok(Score::loss_at(ply));
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate(position, ply));
        }
        if position.occupied().count() <= self.most_pieces
            && whole
            && !moves[0].is_capture()
            && let Some(score) = self.table_score(position, clock, ply)
        {
            return Ok(score);
        }
        let forced = moves.len() == 1;
        // Step 6. Where nobody can capture, the value is at rest.
        let value = (!moves[0].is_capture()).then(|| self.evaluate(position, ply));
        let mut node = Node {
            position,
            clock,
            depth,
            ply,
            alpha,
            beta,
            value,
            hit,
            has_counters: place.has_counters,
        };
        // Step 7.
        let outer = std::mem::take(&mut self.depends);
        if !PV && whole && !forced {
            match self.outside(&node) {
                Ok(None) => {}
                Ok(Some(score)) => {
                    self.depends = outer.and(self.depends.seen_from(ply));
                    return Ok(score);
                }
                Err(stopped) => {
                    self.depends = outer;
                    return Err(stopped);
                }
            }
            if hit.is_none_or(|hit| hit.mv.is_none()) && depth >= self.params.probcut_depth {
                // The shallower searches may have left a move there.
                node.hit = self.known(near, place.key, ply);
            }
        }
        // Step 8.
        let table_move = node.hit.map_or(CompactMove::NONE, |hit| hit.mv);
        if table_move.is_none() && whole && !forced && depth >= self.params.iir_depth {
            depth -= 1;
            node.depth = depth;
        }
        // Step 9.
        if !PV
            && whole
            && depth >= self.params.etc_depth
            && let Some(score) = self.known_cut(&node, &moves)
        {
            self.depends = outer.and(self.depends.seen_from(ply));
            return Ok(score);
        }
        // Step 10.
        let mut extension = 0;
        if whole && !forced && depth >= self.params.singular_depth {
            match self.singular::<PV>(&node, place.left) {
                Ok(Singular::Extend(plies)) => extension = plies,
                Ok(Singular::Cut(score)) => {
                    self.depends = outer.and(self.depends.seen_from(ply));
                    return Ok(score);
                }
                Err(stopped) => {
                    self.depends = outer;
                    return Err(stopped);
                }
            }
        }
        // Step 11.
        let side = position.side();
        let planned = self.planned(ply);
        self.memory.frames[at + 1].killers = [None; 2];
        let mut picker = Picker::new();
        let hints = Hints {
            table_move,
            killers: self.memory.frames[at].killers,
            history: &self.memory.history,
            planned,
        };
        picker.fill(position, &moves, &hints);
        let mut best = -Score::INFINITY;
        let mut best_move = None;
        let mut tried: ArrayVec<Move, 32> = ArrayVec::new();
        let old_alpha = alpha;
        let mut number = 0;
        let sociable = depth >= busy::DEFER_DEPTH && !self.team.busy.is_alone();
        let mut deferred: ArrayVec<Move, 16> = ArrayVec::new();
        let mut returned = 0;
        while let Some(mv) = picker.next().or_else(|| {
            returned += 1;
            deferred.get(returned - 1).copied()
        }) {
            if !whole && mv.compact() == excluded {
                continue;
            }
            // Another thread may have finished this node meanwhile.
            if sociable
                && !PV
                && whole
                && number > 0
                && let Some(hit) = self.table.probe(place.key, ply)
                && decides(&hit, &place, depth, (alpha, beta))
            {
                if place.has_counters {
                    self.note_counter(clock, ply);
                }
                self.depends = outer.and(self.depends.seen_from(ply));
                return Ok(hit.score);
            }
            let quiet = !mv.is_capture() && !mv.crowns();
            let after = position.play(mv);
            if depth > 1 + self.params.near_depth {
                self.table.prefetch(after.key() ^ self.rules_key);
            }
            // A move that makes the opponent capture is no quiet one, whatever it looks like.
            let offer = quiet && number > 0 && movegen::has_capture(&after);
            if !PV
                && quiet
                && !offer
                && number > 0
                && !best.is_proven_loss()
                && !threatened
                && let Some(reach) = self.reach(value, depth)
                && reach <= alpha
            {
                best = best.max(reach);
                continue;
            }
            // What another thread is at is put off.
            let busy_key = busy::key(after.key(), depth);
            if sociable
                && number > 0
                && returned == 0
                && self.team.busy.contains(busy_key)
                && deferred.try_push(mv).is_ok()
            {
                continue;
            }
            let after_clock = clock.after(self.rules, position, mv, &after);
            // A forced reply costs no depth.
            let mut below = if forced && !threatened {
                depth
            } else {
                depth - 1
            };
            if mv.compact() == table_move {
                below += extension;
            }
            let reduction = if quiet {
                self.reduction::<PV>(&node, number, side, planned, mv, offer)
            } else {
                0
            };
            self.memory.frames[at].played = history::played(side, mv);
            if sociable && number > 0 {
                self.team.busy.enter(busy_key);
            }
            self.push(&after);
            let score = if number == 0 {
                self.negamax::<PV>(&after, &after_clock, below, ply + 1, -beta, -alpha)
                    .map(|score| -score)
            } else {
                self.later_move::<PV>(&after, &after_clock, below, reduction, ply, (alpha, beta))
            };
            self.pop();
            if sociable && number > 0 {
                self.team.busy.leave(busy_key);
            }
            number += 1;
            let score = match score {
                Ok(score) => score,
                Err(stopped) => {
                    self.depends = outer;
                    return Err(stopped);
                }
            };
            // Step 12.
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
                            self.memory
                                .history
                                .update(side, planned, mv, &tried, depth.max(0));
                            let killers = &mut self.memory.frames[at].killers;
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
        // Step 13.
        if number == 0 {
            // All moves there are look like the one left out.
            best = alpha;
        }
        if whole && !threatened {
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
                let table = if near { &self.memory.near } else { self.table };
                table.store(place.key, ply, compact, best, depth, bound);
            }
        }
        self.depends = outer.and(self.depends.seen_from(ply));
        Ok(best)
    }

    /// How many plies less the quiet move with this number is searched.
    #[inline(always)]
    fn reduction<const PV: bool>(
        &self,
        node: &Node<'_>,
        number: usize,
        side: Side,
        planned: history::Played,
        mv: Move,
        offer: bool,
    ) -> i32 {
        let tuned = self.params;
        // Moves that are offers are searched in full: they begin combinations.
        if offer || number < tuned.lmr_moves as usize || node.depth < tuned.lmr_depth {
            return 0;
        }
        let promise = self.memory.history.of_quiet(side, planned, mv);
        let reduction = self.memory.reductions.get(node.depth, number)
            - if PV { tuned.lmr_pv } else { 0 }
            - promise * params::PLY / tuned.lmr_history;
        (reduction / params::PLY).clamp(0, (node.depth - 2).max(0))
    }

    /// A move that is not expected to be the best: with a closed window and less depth first.
    pub(super) fn later_move<const PV: bool>(
        &mut self,
        after: &Position,
        clock: &DrawClock,
        below: i32,
        reduction: i32,
        ply: Ply,
        (alpha, beta): (Score, Score),
    ) -> Result<Score, Stopped> {
        let closed = (-alpha - 1, -alpha);
        if PV {
            // Nodes with a closed window keep no line; what an earlier move left must not be taken
            // for theirs.
            self.memory.lines[ply as usize + 1].clear();
        }
        let mut score =
            -self.negamax::<false>(after, clock, below - reduction, ply + 1, closed.0, closed.1)?;
        if score > alpha && reduction > 0 {
            score = -self.negamax::<false>(after, clock, below, ply + 1, closed.0, closed.1)?;
        }
        if PV && score > alpha && score < beta {
            score = -self.negamax::<true>(after, clock, below, ply + 1, -beta, -alpha)?;
        }
        Ok(score)
    }
}

/// Whether what the table knows of a node is enough for it, searched to this depth with this window.
#[inline(always)]
fn decides(hit: &Hit, place: &TablePlace, depth: i32, (alpha, beta): (Score, Score)) -> bool {
    let outside = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => hit.score >= beta,
        Bound::Upper => hit.score <= alpha,
        Bound::None => false,
    };
    hit.depth >= depth && hit.depth < place.left && outside
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
