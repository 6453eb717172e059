//! Iterative deepening: depth after depth, the best lines first, until a limit says enough.

use crate::rules::{Game, Move, Position, movegen};
use crate::score::{MAX_PLY, Score};
use crate::search::endings::{self, RootEnding};
use crate::search::history;
use crate::search::limits::Limits;
use crate::search::params;
use crate::search::picker::tie_break;
use crate::search::pool::{Job, SearchPool};
use crate::search::rounds::Round;
use crate::search::time::{self, Budget, Stability};
use crate::search::worker::{Memory, Stopped, Team, Worker};
use crate::search::{Info, NoObserver, Observer, Report, Shared};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How deep and how long a win is looked for before the tables' way is taken, in plies and nodes.
const SOON_DEPTH: u32 = 9;
const SOON_NODES: u64 = 20_000;
/// It takes no more than about a third of this on a fast machine, and of the time there is on any.
const SOON_TIME: Duration = Duration::from_millis(10);
/// Where tables have chosen the moves and one line is wanted, no more time than that is used, whatever there
/// is.
const SETTLED_TIME: Duration = Duration::from_millis(30);
/// A move without an alternative is played after so many plies when a clock runs.
const FORCED_DEPTH: u32 = 4;

pub(super) fn run(
    pool: &mut SearchPool,
    shared: &Shared,
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
    let endless = Limits {
        ponder: false,
        ..limits.clone()
    }
    .is_unlimited();
    // Analysis is not held back.
    let handicap = limits.handicap.filter(|_| !endless && !limits.analysis);
    let limits = &Limits {
        handicap,
        nodes: match (limits.nodes, handicap.map(|handicap| handicap.nodes)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        },
        ..limits.clone()
    };
    let mut budget = time::budget(limits);
    let ending = settle(pool, shared, game, limits, budget, &mut roots);
    // Where the tables have chosen the moves, what remains is to finish the game, and that they would
    // hide.
    let without;
    let shared = if ending.is_some() || handicap.is_some() || limits.mate.is_some() {
        without = Shared {
            endings: None,
            ..shared.clone()
        };
        &without
    } else {
        shared
    };
    if let (Some(_), Some(budget)) = (&ending, &mut budget)
        && limits.multi_pv <= 1
    {
        budget.soft = budget.soft.min(SETTLED_TIME);
        budget.hard = budget.hard.min(SETTLED_TIME);
    }
    shared.table.new_search();
    // A handicap is one of a single thread, or it would depend on their number.
    let helpers = if handicap.is_some() {
        0
    } else {
        pool.threads() - 1
    };
    let team = Arc::new(Team::new(1 + helpers));
    let (shared_game, shared_limits) = (Arc::new(game.clone()), Arc::new(limits.clone()));
    let (memory, helpers) = pool.begin(helpers, &team, || Job {
        shared: shared.clone(),
        team: team.clone(),
        game: shared_game.clone(),
        limits: shared_limits.clone(),
        roots: roots.clone(),
    });
    let hard = budget.map(|budget| budget.hard);
    let worker = Worker::new(shared, &team, 0, memory, game, limits, hard);
    let mut deepening = Deepening::new(worker, game, limits, roots);
    deepening.ending = ending;
    // More than one line the leader alone makes.
    if limits.multi_pv <= 1 {
        deepening.worker.keep_in_step();
    }
    deepening.lead(shared, &team, budget, observer);
    team.halt.store(true, Ordering::Relaxed);
    let own = deepening.outcome();
    let mut outcomes = vec![own.clone()];
    outcomes.extend(helpers.finish());
    let blurred;
    let chosen = if let Some(handicap) = handicap {
        let lines = &deepening.lines[..deepening.lines.len().min(handicap.lines())];
        let at = handicap.choose(lines.iter().map(|line| line.score.raw()));
        blurred = Outcome {
            best: lines.get(at).cloned(),
            ..own.clone()
        };
        &blurred
    } else if limits.multi_pv <= 1 {
        vote(&outcomes)
    } else {
        &own
    };
    let by_tables = deepening.way_home(chosen).map(|sure| Outcome {
        best: Some(Line {
            score: Score::table_win_at(0),
            line: vec![sure],
        }),
        ..chosen.clone()
    });
    let chosen = by_tables.as_ref().unwrap_or(chosen);
    if let Some(best) = chosen.best.as_ref()
        && chosen != &own
    {
        // The last line told must be that of the move that will be played.
        observer.info(&Info {
            depth: chosen.depth,
            selective_depth: chosen.depth.max(chosen.selective_depth),
            rank: 1,
            score: deepening.told(best),
            nodes: team.nodes(),
            time: shared.control.elapsed(),
            hash_per_mille: shared.table.per_mille_full(),
            table_hits: deepening.table_hits(&team),
            settled: deepening.ending.is_some(),
            line: best.line.clone(),
        });
    }
    // Thinking is over; the answer may still have to wait.
    wait(shared, limits);
    let line = chosen.best.as_ref().map(|best| best.line.clone());
    let line = line.unwrap_or_default();
    Report {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
        score: chosen
            .best
            .as_ref()
            .map_or(Score::DRAW, |best| deepening.told(best)),
        depth: chosen.depth,
        nodes: team.nodes(),
        time: shared.control.elapsed(),
        line,
    }
}

/// Orders the moves by what endgame tables say of them, and leaves only those of the best tier where one line
/// is wanted; `None` if the tables do not know the position.
fn settle(
    pool: &mut SearchPool,
    shared: &Shared,
    game: &Game,
    limits: &Limits,
    budget: Option<Budget>,
    roots: &mut Vec<Move>,
) -> Option<RootEnding> {
    let endings = shared.endings.as_ref()?;
    if limits.handicap.is_some() || limits.mate.is_some() {
        return None;
    }
    let mut ending = endings::of_root(endings, game, roots)?;
    if ending.has_choice() && limits.multi_pv <= 1 {
        ending.near = wins_soon(pool, shared, game, limits, budget, &ending.wins());
    }
    roots.sort_by_key(|&mv| -ending.tier(mv));
    if limits.multi_pv <= 1
        && let Some(best) = roots.first().map(|&mv| ending.tier(mv))
    {
        roots.retain(|&mv| ending.tier(mv) == best);
    }
    Some(ending)
}

/// Whether a small search of these moves counts a win out. If so the next move will find it too, so a
/// game that is won move after move comes to its end. Not tried where there is hardly time or nodes for
/// more.
fn wins_soon(
    pool: &mut SearchPool,
    shared: &Shared,
    game: &Game,
    limits: &Limits,
    budget: Option<Budget>,
    moves: &[Move],
) -> bool {
    // Its nodes are not counted.
    let few = |limit: Option<u64>| limit.is_some_and(|limit| limit < 20 * SOON_NODES);
    let short = budget.is_some_and(|budget| budget.hard < SOON_TIME);
    if few(limits.nodes) || few(limits.soft_nodes) || short {
        return false;
    }
    let shared = Shared {
        endings: None,
        ..shared.clone()
    };
    let limits = Limits {
        depth: Some(SOON_DEPTH),
        nodes: Some(SOON_NODES),
        ..Limits::default()
    };
    let team = Arc::new(Team::new(1));
    // On a slow machine so many nodes take longer.
    let hard = budget.map(|budget| budget.hard / 3);
    let worker = Worker::new(&shared, &team, 0, pool.memory(), game, &limits, hard);
    let mut deepening = Deepening::new(worker, game, &limits, moves.to_vec());
    deepening.lead(&shared, &team, None, &mut NoObserver);
    let best = deepening.lines.first();
    best.is_some_and(|best| best.score.is_win())
}

/// The score to tell for a line of a root that the tables may know.
fn told(ending: Option<&RootEnding>, line: &Line) -> Score {
    match ending {
        Some(ending) => ending.score(line.line.first().copied(), line.score),
        None => line.score,
    }
}

/// What one thread found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    best: Option<Line>,
    /// Depth of its last whole iteration.
    depth: u32,
    selective_depth: u32,
}

/// The outcome to answer with, given that of the leader first: each thread speaks for its move, the
/// louder the deeper it looked and the better it found it. A proven win needs no majority.
fn vote(outcomes: &[Outcome]) -> &Outcome {
    let score = |outcome: &Outcome| outcome.best.as_ref().map(|best| best.score.raw());
    let first = |outcome: &Outcome| outcome.best.as_ref().and_then(|b| b.line.first().copied());
    let least = outcomes.iter().filter_map(score).min().unwrap_or(0);
    let weight = |outcome: &Outcome| {
        let score = score(outcome).unwrap_or(least);
        i64::from(score - least + VOTE_BASE) * i64::from(outcome.depth)
    };
    let support = |outcome: &Outcome| -> i64 {
        let same = outcomes
            .iter()
            .filter(|other| first(other) == first(outcome));
        same.map(weight).sum()
    };
    let rank = |outcome: &Outcome| {
        let decided = outcome.best.as_ref().filter(|best| best.score.is_proven());
        // A win above all, the nearest first; a loss below all.
        let proof = decided.map_or(0, |best| best.score.raw());
        (proof, support(outcome), weight(outcome))
    };
    let mut chosen = &outcomes[0];
    for other in &outcomes[1..] {
        if other.depth > 0 && other.best.is_some() && rank(other) > rank(chosen) {
            chosen = other;
        }
    }
    chosen
}

/// Weight of a vote for the worst move, centi-men.
const VOTE_BASE: i32 = 10;

/// The side to move has lost: that is said at once, and the wait is the same as ever.
fn without_moves(shared: &Shared, limits: &Limits, observer: &mut dyn Observer) -> Report {
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
        settled: true,
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
fn wait(shared: &Shared, limits: &Limits) {
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

/// A move of the root.
#[derive(Clone, Copy, Debug)]
struct Root {
    mv: Move,
    /// Nodes searched below it in this iteration.
    nodes: u64,
}

struct Deepening<'a> {
    worker: Worker<'a>,
    game: &'a Game,
    limits: &'a Limits,
    /// The moves of the root, the most promising first.
    roots: Vec<Root>,
    /// The best lines of the last whole iteration, or of the current one as far as it came.
    lines: Vec<Line>,
    depth: u32,
    /// The best first line of the iteration under way, as far as it is known.
    partial: Option<Line>,
    stability: Stability,
    /// What endgame tables say of the root, if they have chosen its moves.
    ending: Option<RootEnding>,
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
            roots: roots.into_iter().map(|mv| Root { mv, nodes: 0 }).collect(),
            lines: Vec::new(),
            depth: 0,
            partial: None,
            stability: Stability::default(),
            ending: None,
        }
    }

    /// The score to tell for a line.
    fn told(&self, line: &Line) -> Score {
        told(self.ending.as_ref(), line)
    }

    /// The move to play after all where a win that seemed to be near was not counted out: the tables' way.
    fn way_home(&self, chosen: &Outcome) -> Option<Move> {
        let ending = self.ending.as_ref().filter(|ending| ending.near)?;
        let best = chosen.best.as_ref();
        let lost = best.is_none_or(|best| !best.score.is_win());
        ending
            .surest()
            .filter(|_| lost && self.limits.multi_pv <= 1)
    }

    /// Behind the last of the moves that are in one tier with the move at a place.
    fn tier_end(&self, place: usize) -> usize {
        let Some(ending) = &self.ending else {
            return self.roots.len();
        };
        let tier = |root: &Root| ending.tier(root.mv);
        let first = self.roots.get(place).map(tier);
        let same = self.roots[place..]
            .iter()
            .take_while(|root| Some(tier(root)) == first);
        place + same.count()
    }

    /// Positions found in endgame tables, the moves of the root among them.
    fn table_hits(&self, team: &Team) -> u64 {
        let root = self.ending.as_ref().map_or(0, RootEnding::looked_up);
        team.table_hits() + root
    }

    /// What came of it.
    fn outcome(&self) -> Outcome {
        Outcome {
            best: self.lines.first().cloned(),
            depth: self.depth,
            selective_depth: self.worker.selective_depth,
        }
    }

    fn lead(
        &mut self,
        shared: &Shared,
        team: &Team,
        budget: Option<Budget>,
        observer: &mut dyn Observer,
    ) {
        let shown = self.limits.multi_pv.max(1);
        let wanted = match self.limits.handicap {
            Some(handicap) => shown.max(handicap.lines()),
            None => shown,
        };
        let wanted = wanted.min(self.roots.len());
        let ending = self.ending.clone();
        let looked_up = ending.as_ref().map_or(0, RootEnding::looked_up);
        let mut tell = |line: &Line, rank: usize, depth: u32, worker: &mut Worker<'_>| {
            worker.publish_nodes();
            observer.info(&Info {
                depth,
                selective_depth: worker.selective_depth.max(depth),
                rank,
                score: told(ending.as_ref(), line),
                nodes: team.nodes(),
                time: shared.control.elapsed(),
                hash_per_mille: shared.table.per_mille_full(),
                table_hits: team.table_hits() + looked_up,
                settled: ending.is_some(),
                line: line.line.clone(),
            });
        };
        for depth in 1..=greatest_depth(self.limits) {
            if depth > 1 {
                self.worker.obey_limits();
            }
            let known = self.lines.first().cloned();
            let outcome = self.iteration(depth, wanted, |line, rank, worker| {
                if rank <= shown {
                    tell(line, rank, depth, worker);
                }
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
    fn is_enough(&self, shared: &Shared, team: &Team, budget: Option<Budget>, depth: u32) -> bool {
        if shared.control.is_stopped() {
            return true;
        }
        if self.limits.infinite || shared.control.is_pondering() {
            return false;
        }
        let limits = [self.limits.nodes, self.limits.soft_nodes];
        if limits
            .into_iter()
            .flatten()
            .any(|limit| team.nodes() >= limit)
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
        let forced = self.roots.len() == 1;
        if self.limits.clock.is_some() && depth >= FORCED_DEPTH && forced {
            return true;
        }
        let decided = best.and_then(|best| best.score.plies_to_end());
        if self.limits.clock.is_some() && decided.is_some_and(|plies| depth > plies + 2) {
            return true;
        }
        // A fixed time is used up, a clock is used with care.
        let percent = if self.limits.move_time.is_some() {
            100
        } else {
            self.stability.percent()
        };
        shared.control.on_the_clock() >= budget.soft.saturating_mul(percent) / 100
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
        self.roots.iter_mut().for_each(|root| root.nodes = 0);
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
                        let same = |line: &Line| line.line.first() == first.line.first();
                        self.lines.retain(|line| !same(line));
                        self.lines.insert(0, first);
                    }
                    return Err(Stopped);
                }
            }
        }
        // A later line may turn out better than an earlier one.
        let tier = |line: &Line| match (&self.ending, line.line.first()) {
            (Some(ending), Some(&first)) => ending.tier(first),
            _ => 0,
        };
        found.sort_by_key(|line| (-tier(line), -line.score));
        let best = found.first().and_then(|line| line.line.first());
        let nodes = |roots: &[Root]| roots.iter().map(|root| root.nodes).sum::<u64>();
        let spent = self.roots.iter().find(|root| Some(&root.mv) == best);
        let per_mille = spent.map_or(0, |root| root.nodes * 1000 / nodes(&self.roots).max(1));
        let before = previous.first();
        self.stability = Stability {
            iterations: if best == before.and_then(|line| line.line.first()) {
                self.stability.iterations + 1
            } else {
                0
            },
            drop: match (before, found.first()) {
                (Some(before), Some(now)) => before.score.raw() - now.score.raw(),
                _ => 0,
            },
            effort_per_mille: per_mille as u32,
        };
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
        if let Some(at) = self.roots.iter().position(|root| root.mv == mv) {
            let root = self.roots.remove(at);
            self.roots.insert(place.min(self.roots.len()), root);
        }
    }

    /// The best line among the root moves from `skip` on, with a window around the score expected.
    fn line(&mut self, depth: u32, skip: usize, expected: Option<Score>) -> Result<Line, Stopped> {
        let mut margin = self.worker.params.aspiration;
        let (mut alpha, mut beta) = match expected {
            Some(score) if depth as i32 >= params::ASPIRATION_DEPTH && !score.is_proven() => {
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
                    line: self.worker.memory.lines[0].clone(),
                });
            }
        }
    }

    /// The root node over the moves from `skip` on, by this thread or by one that was quicker.
    fn root(
        &mut self,
        depth: i32,
        skip: usize,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let own = if self.worker.is_overtaken() {
            Err(Stopped)
        } else {
            self.own_root(depth, skip, alpha, beta)
        };
        let round = own.ok().map(|score| Round {
            score,
            line: (score > alpha).then(|| self.worker.memory.lines[0].clone()),
        });
        let Some(agreed) = self.worker.end_round(round) else {
            return own;
        };
        if let Some(line) = agreed.line
            && let Some(&mv) = line.first()
        {
            self.worker.memory.lines[0].clone_from(&line);
            self.better(mv, skip, agreed.score);
        }
        Ok(agreed.score)
    }

    /// The root node over the moves from `skip` on, by this thread.
    fn own_root(
        &mut self,
        depth: i32,
        skip: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let mut best = -Score::INFINITY;
        for at in skip..self.tier_end(skip) {
            let mv = self.roots[at].mv;
            let before = self.worker.nodes();
            let score = self.root_move(mv, depth, at - skip, (alpha, beta))?;
            self.roots[at].nodes += self.worker.nodes() - before;
            if score <= best {
                continue;
            }
            best = score;
            if score <= alpha {
                continue;
            }
            alpha = score;
            self.worker.set_line(0, mv);
            self.better(mv, skip, score);
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The root has a new best move, and the first line of the path begins with it.
    fn better(&mut self, mv: Move, skip: usize, score: Score) {
        if skip == 0 {
            // Kept over searches with other windows too: a move that was too good for its window
            // is better than the one before it, if time runs out on finding out by how much.
            let line = self.worker.memory.lines[0].clone();
            self.partial = Some(Line { score, line });
        }
        // The next searches begin with it.
        self.move_to(mv, skip);
    }

    /// The score of one root move; if it is not the first, with a closed window first.
    fn root_move(
        &mut self,
        mv: Move,
        depth: i32,
        number: usize,
        (alpha, beta): (Score, Score),
    ) -> Result<Score, Stopped> {
        let position: Position = *self.game.position();
        let after = position.play(mv);
        let clock = self
            .game
            .clock()
            .after(self.game.rules(), &position, mv, &after);
        let worker = &mut self.worker;
        worker.memory.frames[0].played = history::played(position.side(), mv);
        let quiet = !mv.is_capture() && !mv.crowns();
        let late = number >= worker.params.lmr_moves as usize && depth >= worker.params.lmr_depth;
        let reduction = if quiet && late && !movegen::has_capture(&after) {
            let reduction = worker.memory.reductions.get(depth, number) - worker.params.lmr_pv;
            (reduction / params::PLY).clamp(0, (depth - 2).max(0))
        } else {
            0
        };
        worker.push(&after);
        let score = if number == 0 {
            let score = worker.negamax::<true>(&after, &clock, depth - 1, 1, -beta, -alpha);
            score.map(|score| -score)
        } else {
            worker.later_move::<true>(&after, &clock, depth - 1, reduction, 0, (alpha, beta))
        };
        worker.pop();
        score
    }
}

/// A helper thread: deepens like the leader and leaves what it finds in the table. All are at the same depth:
/// what a thread is at, the others put off only at that depth, so threads out of step do more work twice.
/// (Measured with two threads; CHANGELOG.)
pub(super) fn help(job: &Job, memory: &mut Memory, number: usize) -> Outcome {
    let (game, limits) = (&*job.game, &*job.limits);
    let worker = Worker::new(&job.shared, &job.team, number, memory, game, limits, None);
    let mut deepening = Deepening::new(worker, game, limits, job.roots.clone());
    deepening.worker.obey_limits();
    if limits.multi_pv <= 1 {
        deepening.worker.keep_in_step();
    }
    for depth in 1..=greatest_depth(limits) {
        let outcome = deepening.iteration(depth, 1, |_, _, worker| worker.publish_nodes());
        if outcome.is_err() {
            break;
        }
        deepening.depth = depth;
    }
    deepening.worker.publish_nodes();
    deepening.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::DrawRules;
    use crate::tt::TranspositionTable;

    fn outcome(number: usize, score: Score, depth: u32) -> Outcome {
        let mv = Position::start().legal_moves()[number];
        Outcome {
            best: Some(Line {
                score,
                line: vec![mv],
            }),
            depth,
            selective_depth: depth,
        }
    }

    #[test]
    fn the_vote_goes_by_depth_score_and_number_but_a_win_needs_no_votes() {
        let even = Score::evaluation(10);
        let (a, b) = (outcome(0, even, 12), outcome(1, even, 13));
        // The deeper one of two, the leader's on a tie.
        assert_eq!(vote(&[a.clone(), b.clone()]), &b);
        let tied = outcome(1, even, 12);
        assert_eq!(vote(&[a.clone(), tied]), &a);
        // Two against one.
        assert_eq!(vote(&[b.clone(), a.clone(), a.clone()]), &a);
        let win = outcome(2, Score::win_at(9), 5);
        let sooner = outcome(3, Score::win_at(7), 5);
        assert_eq!(vote(&[a.clone(), a.clone(), win.clone()]), &win);
        assert_eq!(vote(&[win.clone(), sooner.clone()]), &sooner);
        let loss = outcome(1, Score::loss_at(8), 30);
        assert_eq!(vote(&[loss, a.clone()]), &a);
        // A thread that was stopped before it had anything.
        let nothing = Outcome {
            best: None,
            depth: 0,
            selective_depth: 0,
        };
        assert_eq!(vote(&[a.clone(), nothing]), &a);
    }

    fn theirs(first: Move) -> Round {
        Round {
            score: Score::evaluation(4),
            line: Some(vec![first]),
        }
    }

    #[test]
    fn what_another_thread_is_done_with_is_not_searched_again() {
        let shared = Shared::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let game = Game::new(Position::start(), DrawRules::standard());
        let limits = Limits {
            depth: Some(8),
            ..Limits::default()
        };
        let roots = Position::start().legal_moves().to_vec();
        let team = Team::new(2);
        let theirs = theirs(roots[6]);
        for number in 0..7 {
            team.rounds.agree(number, Some(theirs.clone()));
        }
        let mut memory = Memory::new();
        let worker = Worker::new(&shared, &team, 0, &mut memory, &game, &limits, None);
        let mut deepening = Deepening::new(worker, &game, &limits, roots.clone());
        deepening.worker.keep_in_step();
        for depth in 1..=7 {
            deepening.iteration(depth, 1, |_, _, _| {}).unwrap();
            assert_eq!(deepening.lines[0].line, theirs.line.clone().unwrap());
            assert_eq!(deepening.roots[0].mv, roots[6]);
        }
        assert_eq!(deepening.worker.nodes(), 0);
        // From there on it searches itself, and the others hear of it.
        deepening.iteration(8, 1, |_, _, _| {}).unwrap();
        assert!(deepening.worker.nodes() > 0);
        let own = team.rounds.agree(7, None).unwrap();
        assert_ne!(own, theirs);
        // One of another thread's that fails low widens the window.
        let low = Round {
            score: Score::evaluation(-90),
            line: None,
        };
        let next = deepening.worker.round().unwrap();
        team.rounds.agree(next, Some(low));
        deepening.iteration(9, 1, |_, _, _| {}).unwrap();
        assert!(deepening.worker.round().unwrap() > next + 1);
    }

    #[test]
    fn a_search_that_is_overtaken_breaks_off() {
        let shared = Shared::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let game = Game::new(Position::start(), DrawRules::standard());
        let limits = Limits::default();
        let roots = Position::start().legal_moves().to_vec();
        let theirs = theirs(roots[6]);
        let team = Team::new(2);
        let mut memory = Memory::new();
        let worker = Worker::new(&shared, &team, 0, &mut memory, &game, &limits, None);
        let mut deepening = Deepening::new(worker, &game, &limits, roots.clone());
        deepening.worker.keep_in_step();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                team.rounds.agree(0, Some(theirs.clone()));
            });
            // Days of work, if nobody had done it.
            deepening.iteration(60, 1, |_, _, _| {}).unwrap();
        });
        assert_eq!(deepening.lines[0].score, theirs.score);
        assert_eq!(deepening.lines[0].line, theirs.line.unwrap());
    }
}
