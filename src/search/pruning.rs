//! What need not be searched, and what must be searched more.

use crate::rules::{CompactMove, MoveList, movegen};
use crate::score::Score;
use crate::search::negamax::Node;
use crate::search::worker::{Stopped, Worker};
use crate::tt::Bound;

/// What looking at the moves beside the table move has shown.
pub(super) enum Singular {
    /// The table move is to be searched so many plies more.
    Extend(i32),
    /// Another move is good enough too: the node need not be searched.
    Cut(Score),
}

impl Worker<'_> {
    /// A score for a node that is so far outside its window that a full search would hardly bring it
    /// back.
    ///
    /// A quiet position far above the window has its value, if nothing hangs. Else a shallower search
    /// with a window moved outwards decides (ProbCut, Buro 1995). There is no null move: to pass is
    /// what the rules do not allow, and zugzwang is how draughts endings are won.
    #[inline(always)]
    pub(super) fn outside(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let (alpha, beta, depth) = (node.alpha, node.beta, node.depth);
        let params = self.params;
        // Where the game is as good as over, the proof is what is looked for.
        if alpha.raw().abs() >= params.clear_lead {
            return Ok(None);
        }
        let rest = node.rest();
        if let Some(rest) = rest
            && depth <= params.futility_depth
            && rest - params.futility_margin * depth >= beta
            && !movegen::is_threatened(node.position)
        {
            if node.has_counters && Some(rest) != node.value {
                self.note_counter(node.clock, node.ply);
            }
            return Ok(Some(rest));
        }
        if depth < params.probcut_depth {
            return Ok(None);
        }
        let reduced = depth - params.probcut_reduction.max(depth / 2);
        let margin = params.probcut_margin;
        if rest.is_none_or(|rest| rest >= beta) {
            let target = beta + margin;
            let score = self.again(node, reduced, target - 1)?;
            if score >= target {
                let kept = if score.is_proven() {
                    score
                } else {
                    score - margin
                };
                return Ok(Some(kept));
            }
        }
        if rest.is_none_or(|rest| rest <= alpha) {
            let target = alpha - margin;
            let score = self.again(node, reduced, target)?;
            if score <= target {
                let kept = if score.is_proven() {
                    score
                } else {
                    score + margin
                };
                return Ok(Some(kept));
            }
        }
        Ok(None)
    }

    /// The same node with another depth and a closed window above `alpha`.
    fn again(&mut self, node: &Node<'_>, depth: i32, alpha: Score) -> Result<Score, Stopped> {
        self.negamax::<false>(node.position, node.clock, depth, node.ply, alpha, alpha + 1)
    }

    /// What a quiet move can be hoped to reach in a node with this value, where that is limited.
    #[inline(always)]
    pub(super) fn reach(&self, value: Option<Score>, depth: i32) -> Option<Score> {
        let params = self.params;
        if depth > params.move_futility_depth {
            return None;
        }
        value.map(|value| value + params.move_futility_base + params.move_futility_slope * depth)
    }

    /// A score that the table gives at once for one of the moves and that is enough (enhanced
    /// transposition cut-off, Plaat et al. 1996).
    /// An entry one ply shallower than the node is enough, after a forced reply too, though that costs
    /// no depth: it saves a sixth of the nodes and no strength is lost.
    pub(super) fn known_cut(&mut self, node: &Node<'_>, moves: &MoveList) -> Option<Score> {
        for &mv in moves {
            let after = node.position.play(mv);
            self.table.prefetch(after.key() ^ self.rules_key);
        }
        for &mv in moves {
            let after = node.position.play(mv);
            let clock = node.clock.after(self.rules, node.position, mv, &after);
            let place = self.table_place(&after, &clock);
            let enough = self.table.probe(place.key, node.ply + 1).filter(|hit| {
                hit.depth >= node.depth - 1
                    && hit.depth < place.left
                    && matches!(hit.bound, Bound::Upper | Bound::Exact)
                    && -hit.score >= node.beta
            });
            let Some(hit) = enough else { continue };
            // On this path the position may be drawn all the same.
            self.push(&after);
            let drawn = self.is_draw(&after, &clock, node.ply + 1);
            self.pop();
            if !drawn {
                if place.has_counters {
                    self.note_counter(&clock, node.ply + 1);
                }
                return Some(-hit.score);
            }
        }
        None
    }

    /// Whether all moves but the table move fall short of it: then it is searched deeper. If another
    /// one is above the window too, two moves refute the node and it is cut (multi-cut). `left`: see
    /// [`TablePlace`](super::worker::TablePlace).
    pub(super) fn singular<const PV: bool>(
        &mut self,
        node: &Node<'_>,
        left: i32,
    ) -> Result<Singular, Stopped> {
        let known = node.hit.filter(|hit| {
            !hit.mv.is_none()
                && hit.depth >= node.depth - 3
                && hit.depth < left
                && matches!(hit.bound, Bound::Lower | Bound::Exact)
                && !hit.score.is_proven()
        });
        let Some(hit) = known else {
            return Ok(Singular::Extend(0));
        };
        let target = hit.score - self.params.singular_margin * node.depth / 8;
        let at = node.ply as usize;
        self.memory.frames[at].excluded = hit.mv;
        let others = self.again(node, (node.depth - 1) / 2, target - 1);
        self.memory.frames[at].excluded = CompactMove::NONE;
        let others = others?;
        if others < target {
            Ok(Singular::Extend(1))
        } else if !PV && others >= node.beta && !others.is_proven() {
            Ok(Singular::Cut(others))
        } else if hit.score >= node.beta {
            Ok(Singular::Extend(-1))
        } else {
            Ok(Singular::Extend(0))
        }
    }
}

impl Node<'_> {
    /// The value at rest, or what the table knows where that is better; `None` where there is a
    /// capture.
    fn rest(&self) -> Option<Score> {
        let value = self.value?;
        let better = self.hit.filter(|hit| {
            !hit.score.is_proven()
                && match hit.bound {
                    Bound::Exact => true,
                    Bound::Lower => hit.score > value,
                    Bound::Upper => hit.score < value,
                    Bound::None => false,
                }
        });
        Some(better.map_or(value, |hit| hit.score))
    }
}
