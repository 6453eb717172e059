//! Who has scored what.

use crate::matches::record::{Ending, Fault, GameRecord};
use crate::matches::stats::{self, Counts, Pairs, Spread};
use crate::notation::pdn::Outcome;
use std::collections::BTreeMap;

/// One engine's account.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line {
    /// Its games.
    pub counts: Counts,
    /// Its pairs, by points.
    pub pairs: Pairs,
    /// Its faults, without losses on time.
    pub faults: u64,
    /// Its losses on time.
    pub time_losses: u64,
}

impl Line {
    /// How its points spread: over pairs, or over games where no pair is complete.
    #[must_use]
    pub fn spread(&self) -> Option<Spread> {
        stats::of_pairs(&self.pairs).or_else(|| stats::of_games(&self.counts))
    }
}

/// The account of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standings {
    /// A line for each engine, in the order in which they were given.
    pub lines: Vec<Line>,
    /// Games that have ended.
    pub games: usize,
    /// Microseconds that the engines thought.
    pub thinking_us: u64,
    /// Microseconds that the games took.
    pub wall_us: u64,
    /// First games of pairs whose second is not finished: by pair, half points of each engine.
    halves: BTreeMap<usize, [(usize, usize); 2]>,
}

impl Standings {
    pub(super) fn new(engines: usize) -> Standings {
        Standings {
            lines: vec![Line::default(); engines],
            ..Standings::default()
        }
    }

    pub(super) fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.thinking_us += game.thinking_us();
        self.wall_us += game.wall_us;
        let (white, black) = match game.outcome() {
            Outcome::WhiteWins => (2, 0),
            Outcome::BlackWins => (0, 2),
            _ => (1, 1),
        };
        let points = [(game.white, white), (game.black, black)];
        for (engine, half_points) in points {
            let Some(line) = self.lines.get_mut(engine) else {
                continue;
            };
            match half_points {
                2 => line.counts.wins += 1,
                1 => line.counts.draws += 1,
                _ => {
                    line.counts.losses += 1;
                    match &game.ending {
                        Ending::Forfeit(Fault::Time(_)) => line.time_losses += 1,
                        Ending::Forfeit(_) => line.faults += 1,
                        _ => {}
                    }
                }
            }
        }
        let pair = game.game / 2;
        let Some(first) = self.halves.remove(&pair) else {
            self.halves.insert(pair, points);
            return;
        };
        for (engine, half_points) in points {
            let other = first.iter().find(|(other, _)| *other == engine);
            let sum = half_points + other.map_or(0, |(_, half_points)| *half_points);
            let line = self.lines.get_mut(engine);
            if let Some(count) = line.and_then(|line| line.pairs.get_mut(sum)) {
                *count += 1;
            }
        }
    }

    /// What the runner itself took, as a share of the thinking time.
    #[must_use]
    pub fn overhead(&self) -> f64 {
        let extra = self.wall_us.saturating_sub(self.thinking_us);
        extra as f64 / self.thinking_us.max(1) as f64
    }
}
