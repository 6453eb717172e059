//! One thread's share of a search: its path, its memory, its counters.

use crate::rules::{DrawClock, DrawRules, Game, Move, Position, movegen, zobrist};
use crate::score::{MAX_PLY, Ply};
use crate::search::history::History;
use crate::search::{Control, Shared};
use crate::tt::TranspositionTable;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The search has been told to end; scores on the way up mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// What the threads of one search share beside the table.
pub(super) struct Team {
    /// Ends all threads of this search.
    pub(super) halt: AtomicBool,
    /// Nodes of all threads, brought up to date now and then.
    pub(super) nodes: AtomicU64,
}

/// Nodes between two looks at the clock and the flags.
const CHECK_EVERY: u64 = 512;

/// Ply of the earliest position that a score depends on; no dependence.
pub(super) const NO_FLOOR: Ply = Ply::MAX;

pub(super) struct Worker<'a> {
    pub(super) table: &'a TranspositionTable,
    control: &'a Control,
    team: &'a Team,
    pub(super) rules: &'a DrawRules,
    /// Keys of the game from its last capture or man's move on, then of the path.
    keys: Vec<u64>,
    pub(super) killers: Vec<[Option<Move>; 2]>,
    pub(super) history: History,
    /// The best line from each ply of the path on.
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) selective_depth: Ply,
    /// The earliest ply whose position the scores of the current subtree depend on through
    /// repetition.
    pub(super) floor: Ply,
    nodes: u64,
    published: u64,
    node_limit: Option<u64>,
    hard_limit: Option<Duration>,
    /// Limits do not count before there is a move.
    pub(super) may_stop: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: Shared<'a>,
        team: &'a Team,
        game: &'a Game,
        node_limit: Option<u64>,
        hard_limit: Option<Duration>,
    ) -> Worker<'a> {
        let positions = game.positions();
        let back = usize::from(game.clock().reversible());
        let recent = &positions[positions.len() - 1 - back..];
        Worker {
            table: shared.table,
            control: shared.control,
            team,
            rules: game.rules(),
            keys: recent.iter().map(Position::key).collect(),
            killers: vec![[None; 2]; MAX_PLY as usize + 2],
            history: History::new(),
            lines: vec![Vec::new(); MAX_PLY as usize + 2],
            selective_depth: 0,
            floor: NO_FLOOR,
            nodes: 0,
            published: 0,
            node_limit,
            hard_limit,
            may_stop: false,
        }
    }

    /// Counts a node and looks at the limits now and then.
    #[inline(always)]
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        // A node limit is met exactly by one thread; the clock need not be looked at so often.
        let due = self.nodes.is_multiple_of(CHECK_EVERY) || self.node_limit.is_some();
        if due { self.check() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Stopped> {
        self.publish_nodes();
        if !self.may_stop {
            return Ok(());
        }
        let nodes = self.team.nodes.load(Ordering::Relaxed);
        let out_of_nodes = self.node_limit.is_some_and(|limit| nodes >= limit);
        let out_of_time = self.nodes.is_multiple_of(CHECK_EVERY)
            && self.hard_limit.is_some_and(|limit| {
                !self.control.is_pondering() && self.control.on_the_clock() >= limit
            });
        let halted = self.team.halt.load(Ordering::Relaxed) || self.control.is_stopped();
        let out_of_nodes = out_of_nodes && !self.control.is_pondering();
        if halted || out_of_nodes || out_of_time {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    pub(super) fn publish_nodes(&mut self) {
        self.team
            .nodes
            .fetch_add(self.nodes - self.published, Ordering::Relaxed);
        self.published = self.nodes;
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
    /// the game before the root counts as such only if it makes three.
    #[inline(always)]
    pub(super) fn is_draw(&mut self, position: &Position, clock: &DrawClock, ply: Ply) -> bool {
        let reversible = usize::from(clock.reversible());
        if reversible >= 4 && self.repeats(reversible, ply) {
            return true;
        }
        // A lost side has lost, whatever the counters say.
        clock.reached(self.rules, position).is_some() && movegen::has_move(position)
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
                if on_path || before >= 2 {
                    let floor = (ply as usize).saturating_sub(distance) as Ply;
                    self.floor = self.floor.min(floor);
                    return true;
                }
            }
            distance += 2;
        }
        false
    }

    /// The key under which a node is stored: positions that differ in how near a draw counter is to
    /// its limit are different positions, so that no score crosses from one to the other. Far from
    /// the limit they share an entry.
    #[inline(always)]
    pub(super) fn table_key(&self, position: &Position, clock: &DrawClock) -> u64 {
        let mut key = position.key();
        for (place, left) in clock.running(self.rules, position) {
            let tag = match left {
                23.. => continue,
                14.. => left / 2 + 64,
                _ => left,
            };
            key ^= zobrist::counter(u32::from(tag)).rotate_left(place as u32);
        }
        key
    }

    /// Remembers `mv` and the line behind it as the best from `ply` on.
    pub(super) fn set_line(&mut self, ply: Ply, mv: Move) {
        let at = ply as usize;
        let (upper, lower) = self.lines.split_at_mut(at + 1);
        upper[at].clear();
        upper[at].push(mv);
        upper[at].extend_from_slice(&lower[0]);
    }
}
