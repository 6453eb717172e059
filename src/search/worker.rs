//! One thread's share of a search: its path, its memory, its counters.

use crate::eval::{self, Accumulator, Network};
use crate::rules::{CompactMove, DrawClock, DrawRules, Game, Move, Position, movegen, zobrist};
use crate::score::{MAX_PLY, Ply, Score};
use crate::search::busy::Busy;
use crate::search::history::{History, Played};
use crate::search::limits::Limits;
use crate::search::params::{Params, Reductions};
use crate::search::rounds::{Round, Rounds};
use crate::search::{Control, Shared};
use crate::tb::{Judge, Tables, Verdict};
use crate::tt::{Hit, TranspositionTable};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The search of the root ends here, at a limit or because another thread is done with it; scores on the way
/// up mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Scores that endgame tables have a share in are kept apart: they hide how a win is finished.
const TABLES_KEY: u64 = 0xB5AD_4ECE_DA1C_E2A9;

/// Counters with fewer plies left are part of a node's key.
const NEAR_LIMIT: u16 = 23;

/// Counters with their cache lines to themselves: what one thread counts must not slow down the others.
#[derive(Default)]
#[repr(align(128))]
struct Count {
    nodes: AtomicU64,
    /// Positions found in endgame tables.
    table_hits: AtomicU64,
}

/// What the threads of one search share beside the table.
pub(super) struct Team {
    /// Ends all threads of this search.
    pub(super) halt: AtomicBool,
    /// Where its threads are.
    pub(super) busy: Busy,
    /// What they have agreed on.
    pub(super) rounds: Rounds,
    /// By thread, brought up to date now and then.
    counts: Box<[Count]>,
}

impl Team {
    pub(super) fn new(threads: usize) -> Team {
        Team {
            halt: AtomicBool::new(false),
            busy: Busy::new(threads),
            rounds: Rounds::default(),
            counts: (0..threads).map(|_| Count::default()).collect(),
        }
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        let counts = self.counts.iter();
        counts
            .map(|count| count.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Positions that all threads have found in endgame tables.
    pub(super) fn table_hits(&self) -> u64 {
        let counts = self.counts.iter();
        counts
            .map(|count| count.table_hits.load(Ordering::Relaxed))
            .sum()
    }
}

/// Nodes between two looks at the clock and the flags.
const CHECK_EVERY: u64 = 512;

/// How far up the path the scores of a subtree depend on more than their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dependence {
    /// The earliest ply whose position was met again.
    repetition: Ply,
    /// The earliest ply from which on a counter ran that reached its limit.
    counter: Ply,
}

impl Default for Dependence {
    fn default() -> Dependence {
        Dependence {
            repetition: Ply::MAX,
            counter: Ply::MAX,
        }
    }
}

impl Dependence {
    /// Whether a score at `ply` depends on what came before. A node whose table key holds its
    /// counters (`marked`) does not depend on them any more.
    pub(super) fn on_path_above(&self, ply: Ply, marked: bool) -> bool {
        self.repetition < ply || (self.counter < ply && !marked)
    }

    /// What of this matters to the nodes above `ply`.
    pub(super) fn seen_from(&self, ply: Ply) -> Dependence {
        let above = |floor| if floor < ply { floor } else { Ply::MAX };
        Dependence {
            repetition: above(self.repetition),
            counter: above(self.counter),
        }
    }

    /// Both.
    pub(super) fn and(&self, other: Dependence) -> Dependence {
        Dependence {
            repetition: self.repetition.min(other.repetition),
            counter: self.counter.min(other.counter),
        }
    }
}

/// Where a node is stored in the table.
///
/// Positions that differ in how near a draw counter is to its limit are different positions, so that
/// no score crosses from one to the other. Far from the limit they share an entry; what depends on a
/// counter all the same is held back by [`Dependence`] when it is stored, and by `left` when it is
/// found. Each set of rules has keys of its own.
#[derive(Clone, Copy)]
pub(super) struct TablePlace {
    pub(super) key: u64,
    /// All counters that run are part of the key.
    pub(super) marked: bool,
    /// Plies to the nearest limit of the counters that are not; a score from a search as deep as
    /// that may have overlooked it.
    pub(super) left: i32,
    /// Whether any counter runs.
    pub(super) has_counters: bool,
}

/// One ply of the path.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) killers: [Option<Move>; 2],
    /// The move being searched.
    pub(super) played: Played,
    /// The move that is left out, to see what the others are worth.
    pub(super) excluded: CompactMove,
}

/// What a thread keeps for the next search: what it learned, and memory to work in.
pub(super) struct Memory {
    pub(super) history: History,
    pub(super) reductions: Reductions,
    /// What is known about each ply of the path.
    pub(super) frames: Vec<Frame>,
    /// The best line from each ply of the path on.
    pub(super) lines: Vec<Vec<Move>>,
    /// The first layer of the network at the position that was judged last at each ply: the next one there is
    /// much like it.
    accumulators: Vec<Accumulator>,
    /// Values of positions that were judged, each with the greater part of its key: the same position comes
    /// back on other paths, at other depths, and in searches of the same node again.
    values: Vec<u64>,
    /// The table of nodes of little depth. There is so little work behind each of them that waiting for the
    /// shared table costs more than what other threads and earlier searches put there is worth; this one
    /// stays in the core's own cache.
    pub(super) near: TranspositionTable,
}

/// Values that are kept, a power of two. 256 KiB stay in a core's own cache; a quarter of them or four
/// times as many are as fast.
const VALUES: usize = 1 << 15;
/// Size of the near table.
const NEAR_BYTES: usize = 256 << 10;
/// The part of a kept value that is the value; the rest is of the key, which is compared in 63 bits: 48 there, 15 by
/// the place.
const VALUE_BITS: u64 = 0xffff;

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            history: History::new(),
            reductions: Reductions::new(&Params::default()),
            frames: vec![Frame::default(); MAX_PLY as usize + 4],
            lines: vec![Vec::new(); MAX_PLY as usize + 2],
            accumulators: Vec::new(),
            values: Vec::new(),
            near: TranspositionTable::small(NEAR_BYTES),
        }
    }

    /// Forgets what was learned.
    pub(super) fn forget(&mut self) {
        self.history = History::new();
    }
}

pub(super) struct Worker<'a> {
    pub(super) table: &'a TranspositionTable,
    control: &'a Control,
    pub(super) team: &'a Team,
    /// Which of the team this is, the leader being 0.
    number: usize,
    pub(super) params: &'a Params,
    network: &'a Network,
    pub(super) rules: &'a DrawRules,
    pub(super) rules_key: u64,
    /// Endgame tables, and what their values mean under the rules.
    pub(super) endings: Option<(&'a Tables, Judge<'a>)>,
    /// Boards with more pieces are not looked up; 0 if there are no tables.
    pub(super) most_pieces: u32,
    pub(super) table_hits: u64,
    /// Nodes share an entry of the transposition table while their counters are further from the limit
    /// than [`NEAR_LIMIT`], and a win must hold for all of them: by so many plies they may differ.
    table_slack: u16,
    /// Keys of the game from its last capture or man's move on, then of the path.
    keys: Vec<u64>,
    pub(super) memory: &'a mut Memory,
    pub(super) selective_depth: Ply,
    /// What the scores of the current subtree depend on.
    pub(super) depends: Dependence,
    nodes: u64,
    /// The count at which the limits are looked at next.
    next_check: u64,
    node_limit: Option<u64>,
    /// The node limit counts while pondering too.
    handicapped: bool,
    hard_limit: Option<Duration>,
    /// Limits do not count before there is a move.
    may_stop: bool,
    /// The round under way, for a thread that makes them together with others.
    round: Option<usize>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        team: &'a Team,
        number: usize,
        memory: &'a mut Memory,
        game: &'a Game,
        limits: &Limits,
        hard_limit: Option<Duration>,
    ) -> Worker<'a> {
        let positions = game.positions();
        let back = usize::from(game.clock().reversible());
        let recent = &positions[positions.len() - 1 - back..];
        let endings = shared.endings.as_ref();
        let longest = DrawClock::default().left(game.rules()).max().unwrap_or(0);
        memory.reductions.fit(&shared.params);
        memory.frames.fill(Frame::default());
        let fresh = Accumulator::new(&shared.network);
        // They may be those of other weights.
        memory.near.clear(1);
        memory.values.clear();
        memory.values.resize(VALUES, 0);
        memory.accumulators.clear();
        memory.accumulators.resize(MAX_PLY as usize + 4, fresh);
        let mut worker = Worker {
            table: &shared.table,
            control: &shared.control,
            team,
            number,
            params: &shared.params,
            network: &shared.network,
            rules: game.rules(),
            rules_key: game.rules().key() ^ endings.map_or(0, |_| TABLES_KEY),
            endings: endings.map(|endings| (&*endings.tables, Judge::new(game.rules()))),
            most_pieces: endings.map_or(0, |endings| endings.most_pieces.into()),
            table_hits: 0,
            table_slack: longest.saturating_sub(NEAR_LIMIT),
            keys: recent.iter().map(Position::key).collect(),
            memory,
            selective_depth: 0,
            depends: Dependence::default(),
            nodes: 0,
            next_check: 0,
            node_limit: limits.nodes,
            handicapped: limits.handicap.is_some(),
            hard_limit,
            may_stop: false,
            round: None,
        };
        worker.plan_check();
        worker
    }

    /// From now on the limits count.
    pub(super) fn obey_limits(&mut self) {
        self.may_stop = true;
    }

    /// From now on each search of the root is a round made together with the other threads, if there are any.
    pub(super) fn keep_in_step(&mut self) {
        self.round = (self.team.counts.len() > 1).then_some(0);
    }

    /// Whether another thread is done with the round under way: then this one's search of it is over.
    pub(super) fn is_overtaken(&self) -> bool {
        self.round
            .is_some_and(|number| self.team.rounds.is_done(number))
    }

    #[cfg(test)]
    pub(super) fn round(&self) -> Option<usize> {
        self.round
    }

    /// Ends a round; what it has given, unless this thread is not in step with others.
    pub(super) fn end_round(&mut self, own: Option<Round>) -> Option<Round> {
        let number = self.round?;
        let agreed = self.team.rounds.agree(number, own)?;
        self.round = Some(number + 1);
        Some(agreed)
    }

    /// Nodes of this thread.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node and looks at the limits now and then.
    #[inline(always)]
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check()
        } else {
            Ok(())
        }
    }

    /// The value of a position at rest.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position, ply: Ply) -> Score {
        let key = position.key();
        let at = key as usize & (VALUES - 1);
        let kept = self.memory.values[at];
        if (kept ^ key) & !VALUE_BITS == 0 {
            return Score::from_raw(i32::from(kept as i16));
        }
        let accumulator = &mut self.memory.accumulators[ply as usize];
        let value = eval::evaluate(self.network, accumulator, position);
        self.memory.values[at] = (key & !VALUE_BITS) | u64::from(value.raw() as u16);
        value
    }

    /// A thread alone meets its node limit exactly.
    fn plan_check(&mut self) {
        self.next_check = self.nodes + CHECK_EVERY;
        if let Some(limit) = self.node_limit
            && self.team.counts.len() == 1
            && limit > self.nodes
        {
            self.next_check = self.next_check.min(limit);
        }
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Stopped> {
        self.publish_nodes();
        self.plan_check();
        if self.is_overtaken() {
            return Err(Stopped);
        }
        if !self.may_stop {
            return Ok(());
        }
        let pondering = self.control.is_pondering();
        let out_of_nodes = (!pondering || self.handicapped)
            && self
                .node_limit
                .is_some_and(|limit| self.team.nodes() >= limit);
        let out_of_time = !pondering
            && self
                .hard_limit
                .is_some_and(|limit| self.control.on_the_clock() >= limit);
        let halted = self.team.halt.load(Ordering::Relaxed) || self.control.is_stopped();
        if halted || out_of_nodes || out_of_time {
            // Whoever goes on regardless is stopped at once.
            self.next_check = self.nodes + 1;
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    pub(super) fn publish_nodes(&self) {
        let count = &self.team.counts[self.number];
        count.nodes.store(self.nodes, Ordering::Relaxed);
        count.table_hits.store(self.table_hits, Ordering::Relaxed);
    }

    /// The move that the side to move at `ply` made before. If it is not known, the first index: that of
    /// a man's step to a square that no man can step to.
    #[inline(always)]
    pub(super) fn planned(&self, ply: Ply) -> Played {
        let before = (ply as usize).checked_sub(2);
        before.map_or(0, |at| self.memory.frames[at].played)
    }

    /// Enters the position after a move.
    #[inline(always)]
    pub(super) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Leaves it again.
    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Whether the position at the end of the path is drawn by rule. A second occurrence on the path
    /// counts as a draw, since what could be done once more could be done for ever; an occurrence in
    /// the game before the root counts as such only if it makes three, where three are a draw.
    #[inline(always)]
    pub(super) fn is_draw(&mut self, position: &Position, clock: &DrawClock, ply: Ply) -> bool {
        let reversible = usize::from(clock.reversible());
        if reversible >= 4 && self.repeats(reversible, ply) {
            return true;
        }
        // A lost side has lost, whatever the counters say.
        let drawn = clock.reached(self.rules, position).is_some() && movegen::has_move(position);
        if drawn {
            self.note_counter(clock, ply);
        }
        drawn
    }

    fn repeats(&mut self, reversible: usize, ply: Ply) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let mut before = 0;
        let mut distance = 4;
        while distance <= reversible.min(last) {
            if self.keys[last - distance] == key {
                let on_path = distance <= ply as usize;
                before += 1;
                if on_path || (before >= 2 && self.rules.has_repetition()) {
                    let floor = (ply as usize).saturating_sub(distance) as Ply;
                    self.depends.repetition = self.depends.repetition.min(floor);
                    return true;
                }
            }
            distance += 2;
        }
        false
    }

    /// What is known about a node, of little depth (`near`) or not.
    #[inline(always)]
    pub(super) fn known(&self, near: bool, key: u64, ply: Ply) -> Option<Hit> {
        let hit = if near {
            None
        } else {
            self.table.probe(key, ply)
        };
        // A shallower search may have left a move there.
        hit.or_else(|| self.memory.near.probe(key, ply))
    }

    /// What the table needs to know about a node.
    #[inline(always)]
    pub(super) fn table_place(&self, position: &Position, clock: &DrawClock) -> TablePlace {
        let mut place = TablePlace {
            key: position.key() ^ self.rules_key,
            marked: true,
            left: i32::MAX,
            has_counters: false,
        };
        clock.for_each_counting(self.rules, position, |number, left| {
            place.has_counters = true;
            if left < NEAR_LIMIT {
                place.key ^= zobrist::counter(u32::from(left)).rotate_left(number as u32);
            } else {
                place.marked = false;
                place.left = place.left.min(i32::from(left));
            }
        });
        place
    }

    /// The score of a quiet position that endgame tables decide, whatever the counters of other paths to it
    /// may be; if it is drawn by a counter, that is noted.
    pub(super) fn table_score(
        &mut self,
        position: &Position,
        clock: &DrawClock,
        ply: Ply,
    ) -> Option<Score> {
        let (tables, judge) = self.endings.as_ref()?;
        let within = judge.indifferent(clock, self.table_slack);
        let value = tables.probe_roughly(position, within)?;
        let verdict = judge.verdict(value, position, clock, self.table_slack)?;
        self.table_hits += 1;
        Some(match verdict {
            Verdict::Win => Score::table_win_at(ply),
            Verdict::Loss => Score::table_loss_at(ply),
            Verdict::Draw => Score::DRAW,
            Verdict::DrawByCounter => {
                self.note_counter(clock, ply);
                Score::DRAW
            }
        })
    }

    /// Notes that the scores of this subtree depend on counters that have run since long before
    /// `ply`.
    pub(super) fn note_counter(&mut self, clock: &DrawClock, ply: Ply) {
        let from = ply.saturating_sub(Ply::from(clock.longest()));
        self.depends.counter = self.depends.counter.min(from);
    }

    /// Remembers `mv` and the line behind it as the best from `ply` on.
    pub(super) fn set_line(&mut self, ply: Ply, mv: Move) {
        let at = ply as usize;
        let (upper, lower) = self.memory.lines.split_at_mut(at + 1);
        upper[at].clear();
        upper[at].push(mv);
        upper[at].extend_from_slice(&lower[0]);
    }
}
