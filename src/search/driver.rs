//! Iterative deepening: depth after depth, the best lines first, until a limit says enough.

use crate::rules::{Game, Move, Position};
use crate::score::{MAX_PLY, Score};
use crate::search::limits::Limits;
use crate::search::params;
use crate::search::picker::tie_break;
use crate::search::time::{self, Budget};
use crate::search::worker::{Stopped, Team, Worker};
use crate::search::{Info, Observer, Report, STACK, Shared};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A move without an alternative is played after so many plies when a clock runs.
const FORCED_DEPTH: u32 = 4;

pub(super) fn run(
    shared: Shared<'_>,
    game: &Game,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Report {
    let position = game.position();
    let legal = position.legal_moves();
    let mut roots: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|mv| limits.search_moves.is_empty() || limits.search_moves.contains(mv))
        .collect();
    if roots.is_empty() {
        roots = legal.to_vec();
    }
    if roots.is_empty() {
        return without_moves(shared, limits, observer);
    }
    roots.sort_by_key(|&mv| tie_break(position.side(), mv));
    shared.table.new_search();
    let team = Team {
        halt: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
    };
    let budget = time::budget(limits);
    let (lines, depth) = std::thread::scope(|scope| {
        let spawn = |name: String, work| {
            std::thread::Builder::new()
                .name(name)
                .stack_size(STACK)
                .spawn_scoped(scope, work)
        };
        for number in 1..shared.threads.max(1) {
            let (team, roots) = (&team, roots.clone());
            let work: Box<dyn FnOnce() + Send> = Box::new(move || {
                let worker = Worker::new(shared, team, game, limits.nodes, None);
                help(worker, game, limits, roots, number);
            });
            // The scope waits for them.
            if let Err(error) = spawn(format!("search-{number}"), work) {
                log::info!("search thread {number} could not be started: {error}");
            }
        }
        let worker = Worker::new(
            shared,
            &team,
            game,
            limits.nodes,
            budget.map(|budget| budget.hard),
        );
        let mut deepening = Deepening::new(worker, game, limits, roots);
        deepening.lead(shared, &team, budget, observer);
        team.halt.store(true, Ordering::Relaxed);
        // Thinking is over; the answer may still have to wait.
        wait(shared, limits);
        (deepening.lines, deepening.depth)
    });
    let best = lines.first();
    let line = best.map(|best| best.line.clone()).unwrap_or_default();
    Report {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
        score: best.map_or(Score::DRAW, |best| best.score),
        depth,
        nodes: team.nodes.load(Ordering::Relaxed),
        time: shared.control.elapsed(),
        line,
    }
}

/// The side to move has lost: that is said at once, and the wait is the same as ever.
fn without_moves(shared: Shared<'_>, limits: &Limits, observer: &mut dyn Observer) -> Report {
    let time = shared.control.elapsed();
    observer.info(&Info {
        depth: 0,
        selective_depth: 0,
        rank: 1,
        score: Score::loss_at(0),
        nodes: 0,
        time,
        hash_per_mille: 0,
        table_hits: 0,
        line: Vec::new(),
    });
    wait(shared, limits);
    Report {
        best: None,
        ponder: None,
        score: Score::loss_at(0),
        depth: 0,
        nodes: 0,
        time,
        line: Vec::new(),
    }
}

/// Holds an answer back that must not be given before a stop or a ponder-hit.
fn wait(shared: Shared<'_>, limits: &Limits) {
    let unlimited = Limits {
        ponder: false,
        ..limits.clone()
    }
    .is_unlimited();
    if unlimited {
        shared.control.wait(true);
    } else if limits.ponder {
        shared.control.wait(false);
    }
}

/// A finished line of an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    score: Score,
    line: Vec<Move>,
}

struct Deepening<'a> {
    worker: Worker<'a>,
    game: &'a Game,
    limits: &'a Limits,
    /// The moves of the root, the most promising first.
    roots: Vec<Move>,
    /// The best lines of the last whole iteration, or of the current one as far as it came.
    lines: Vec<Line>,
    depth: u32,
    /// The best first line of the iteration under way, as far as it is known.
    partial: Option<Line>,
    /// Iterations since the best move changed.
    stable: u32,
}

/// Greatest depth of a search with these limits, in plies.
fn greatest_depth(limits: &Limits) -> u32 {
    let most = MAX_PLY - 1;
    // A win in n moves takes 2n - 1 plies; late moves are searched less deeply, hence some more.
    let mate = limits
        .mate
        .map_or(most, |moves| moves.saturating_mul(2).saturating_add(10));
    limits
        .depth
        .map_or(most, |depth| depth.max(1))
        .min(mate)
        .min(most)
}

impl<'a> Deepening<'a> {
    fn new(
        worker: Worker<'a>,
        game: &'a Game,
        limits: &'a Limits,
        roots: Vec<Move>,
    ) -> Deepening<'a> {
        Deepening {
            worker,
            game,
            limits,
            roots,
            lines: Vec::new(),
            depth: 0,
            partial: None,
            stable: 0,
        }
    }

    fn lead(
        &mut self,
        shared: Shared<'_>,
        team: &Team,
        budget: Option<Budget>,
        observer: &mut dyn Observer,
    ) {
        let wanted = self.limits.multi_pv.max(1).min(self.roots.len());
        let mut tell = |line: &Line, rank: usize, depth: u32, worker: &mut Worker<'_>| {
            worker.publish_nodes();
            observer.info(&Info {
                depth,
                selective_depth: worker.selective_depth.max(depth),
                rank,
                score: line.score,
                nodes: team.nodes.load(Ordering::Relaxed),
                time: shared.control.elapsed(),
                hash_per_mille: shared.table.per_mille_full(),
                table_hits: 0,
                line: line.line.clone(),
            });
        };
        for depth in 1..=greatest_depth(self.limits) {
            self.worker.may_stop = depth > 1;
            let known = self.lines.first().cloned();
            let outcome = self.iteration(depth, wanted, |line, rank, worker| {
                tell(line, rank, depth, worker);
            });
            self.worker.publish_nodes();
            if outcome.is_err() {
                // The last line told must be that of the move that will be played.
                if let Some(line) = self.lines.first()
                    && Some(line) != known.as_ref()
                {
                    tell(line, 1, depth, &mut self.worker);
                }
                break;
            }
            self.depth = depth;
            if self.is_enough(shared, team, budget, depth) {
                break;
            }
        }
    }

    /// Whether the search may end between two iterations.
    fn is_enough(
        &self,
        shared: Shared<'_>,
        team: &Team,
        budget: Option<Budget>,
        depth: u32,
    ) -> bool {
        if shared.control.is_stopped() {
            return true;
        }
        if self.limits.infinite || shared.control.is_pondering() {
            return false;
        }
        if self
            .limits
            .nodes
            .is_some_and(|limit| team.nodes.load(Ordering::Relaxed) >= limit)
        {
            return true;
        }
        let best = self.lines.first();
        let plies = best
            .filter(|best| best.score.is_win())
            .and_then(|b| b.score.plies_to_end());
        if let (Some(moves), Some(plies)) = (self.limits.mate, plies)
            && plies < moves.saturating_mul(2)
        {
            return true;
        }
        let Some(budget) = budget else { return false };
        let forced = || self.game.position().legal_moves().len() == 1;
        if self.limits.clock.is_some() && depth >= FORCED_DEPTH && forced() {
            return true;
        }
        let decided = best.and_then(|best| best.score.plies_to_end());
        if self.limits.clock.is_some() && decided.is_some_and(|plies| depth > plies + 2) {
            return true;
        }
        // An iteration takes longer than all before it: half of the time must be left to begin one,
        // less if the best move has stood for long.
        let share = if self.limits.move_time.is_some() {
            100
        } else {
            match self.stable {
                0 => 100,
                1..=3 => 70,
                _ => 50,
            }
        };
        shared.control.on_the_clock() >= budget.soft / 100 * share
    }

    /// One depth: `wanted` lines, each without the first moves of the better ones. Tells each line
    /// when the order of all is known.
    fn iteration(
        &mut self,
        depth: u32,
        wanted: usize,
        mut tell: impl FnMut(&Line, usize, &mut Worker<'_>),
    ) -> Result<(), Stopped> {
        self.worker.selective_depth = 0;
        self.partial = None;
        let previous = std::mem::take(&mut self.lines);
        let mut found: Vec<Line> = Vec::new();
        for rank in 0..wanted {
            let expected = previous.get(rank).map(|line| line.score);
            match self.line(depth, rank, expected) {
                Ok(line) => found.push(line),
                Err(Stopped) => {
                    // What this iteration found of the first line is worth keeping: it began with
                    // the best move known, so another one stands there only if it is better.
                    self.lines = previous;
                    if let Some(first) = found.into_iter().next().or(self.partial.take()) {
                        self.lines.insert(0, first);
                    }
                    return Err(Stopped);
                }
            }
        }
        // A later line may turn out better than an earlier one.
        found.sort_by_key(|line| -line.score);
        let best = found.first().and_then(|line| line.line.first());
        let same = best == previous.first().and_then(|line| line.line.first());
        self.stable = if same { self.stable + 1 } else { 0 };
        for (rank, line) in found.iter().enumerate() {
            tell(line, rank + 1, &mut self.worker);
        }
        // Root moves in the order of the lines.
        for (rank, line) in found.iter().enumerate() {
            if let Some(first) = line.line.first() {
                self.move_to(*first, rank);
            }
        }
        self.lines = found;
        Ok(())
    }

    /// Moves a root move to a place, the others keep their order.
    fn move_to(&mut self, mv: Move, place: usize) {
        if let Some(at) = self.roots.iter().position(|&root| root == mv) {
            let mv = self.roots.remove(at);
            self.roots.insert(place.min(self.roots.len()), mv);
        }
    }

    /// The best line among the root moves from `skip` on, with a window around the score expected.
    fn line(&mut self, depth: u32, skip: usize, expected: Option<Score>) -> Result<Line, Stopped> {
        let mut margin = params::ASPIRATION;
        let (mut alpha, mut beta) = match expected {
            Some(score) if depth as i32 >= params::ASPIRATION_DEPTH && !score.is_decided() => {
                (score - margin, score + margin)
            }
            _ => (-Score::INFINITY, Score::INFINITY),
        };
        loop {
            let score = self.root(depth as i32, skip, alpha, beta)?;
            margin *= 3;
            let wide = margin > params::WIDEST_ASPIRATION;
            if score <= alpha {
                // A move that was too good before may turn out not to be.
                self.partial = None;
                alpha = if wide {
                    -Score::INFINITY
                } else {
                    score - margin
                };
            } else if score >= beta {
                beta = if wide {
                    Score::INFINITY
                } else {
                    score + margin
                };
            } else {
                return Ok(Line {
                    score,
                    line: self.worker.lines[0].clone(),
                });
            }
        }
    }

    /// The root node over the moves from `skip` on.
    fn root(
        &mut self,
        depth: i32,
        skip: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let mut best = -Score::INFINITY;
        for at in skip..self.roots.len() {
            let mv = self.roots[at];
            let score = self.root_move(mv, depth, at == skip, (alpha, beta))?;
            if score <= best {
                continue;
            }
            best = score;
            if score <= alpha {
                continue;
            }
            alpha = score;
            self.worker.set_line(0, mv);
            if skip == 0 {
                // Kept over searches with other windows too: a move that was too good for its window
                // is better than the one before it, if time runs out on finding out by how much.
                let line = self.worker.lines[0].clone();
                self.partial = Some(Line { score, line });
            }
            // The next searches begin with it.
            self.move_to(mv, skip);
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The score of one root move; if it is not the first, with a closed window first.
    fn root_move(
        &mut self,
        mv: Move,
        depth: i32,
        first: bool,
        (alpha, beta): (Score, Score),
    ) -> Result<Score, Stopped> {
        let position: Position = *self.game.position();
        let after = position.play(mv);
        let clock = self
            .game
            .clock()
            .after(self.game.rules(), &position, mv, &after);
        let worker = &mut self.worker;
        worker.push(&after);
        let mut score = Ok(Score::INFINITY);
        if !first {
            // Nodes with a closed window keep no line.
            worker.lines[1].clear();
            score = worker.negamax::<false>(&after, &clock, depth - 1, 1, -alpha - 1, -alpha);
            score = score.map(|score| -score);
        }
        if first || score.is_ok_and(|score| score > alpha && score < beta) {
            score = worker.negamax::<true>(&after, &clock, depth - 1, 1, -beta, -alpha);
            score = score.map(|score| -score);
        }
        worker.pop();
        score
    }
}

/// A helper thread: deepens like the leader, one ply out of step if its number is odd, and leaves
/// what it finds in the table.
fn help(worker: Worker<'_>, game: &Game, limits: &Limits, roots: Vec<Move>, number: usize) {
    let mut deepening = Deepening::new(worker, game, limits, roots);
    deepening.worker.may_stop = true;
    for depth in (1 + number as u32 % 2)..MAX_PLY - 1 {
        let outcome = deepening.iteration(depth, 1, |_, _, worker| worker.publish_nodes());
        if outcome.is_err() {
            break;
        }
    }
    deepening.worker.publish_nodes();
}
