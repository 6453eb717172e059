//! Playing below full strength: few nodes, and a hand that is not steady.
//!
//! A level limits the nodes of a search and blurs its scores: to the score of each of the best moves
//! an amount is added that is drawn anew each time, and the greatest sum is played. So a weak level
//! overlooks what lies deep and takes second-best moves, as people do.

use std::hash::{BuildHasher, RandomState};

/// How a search is held back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// Nodes it may search at most.
    pub nodes: u64,
    /// What is added to a score is less than this, centi-men.
    pub noise: i32,
}

/// The level without a handicap; those below it have one.
pub const FULL_LEVEL: u32 = 20;

/// How many of the best moves come into question where there is noise.
const NOISY_LINES: usize = 8;

/// Strength of each level in Elo points, see [`Handicap::of_elo`]. Measured between levels 0, 3, 6, 9,
/// 12, 13, 14, 15, 17, 19 and full strength, the others lie in between.
const ELO: [u32; FULL_LEVEL as usize] = [
    891, 919, 946, 974, 1013, 1052, 1091, 1214, 1336, 1459, 1580, 1701, 1822, 2006, 2202, 2440,
    2454, 2468, 2474, 2480,
];
/// Least strength that can be asked for, Elo points.
pub const LEAST_ELO: u32 = ELO[0];
/// Greatest strength that can be asked for, Elo points.
pub const GREATEST_ELO: u32 = ELO[ELO.len() - 1];

impl Handicap {
    /// The handicap of a level from 0, the weakest; `None` from [`FULL_LEVEL`] on.
    #[must_use]
    pub fn of_level(level: u32) -> Option<Handicap> {
        (level < FULL_LEVEL).then(|| Handicap::between(level, 0))
    }

    /// The handicap that makes for a strength in Elo points, from [`LEAST_ELO`] to [`GREATEST_ELO`].
    /// The scale is our own: it was measured by matches of neighbouring levels (CHANGELOG has them) and
    /// hangs on the full engine, one thread at 100 ms a move on a Zen 4 core, having 2500 points. It
    /// says nothing about the ratings of any federation.
    #[must_use]
    pub fn of_elo(elo: u32) -> Handicap {
        let elo = elo.clamp(LEAST_ELO, GREATEST_ELO);
        let above = ELO.iter().position(|&of| of >= elo).unwrap_or(0);
        if above == 0 {
            return Handicap::between(0, 0);
        }
        let (low, high) = (ELO[above - 1], ELO[above]);
        Handicap::between(above as u32 - 1, 1000 * (elo - low) / (high - low))
    }

    /// So many thousandths of the way from a level to the next.
    fn between(level: u32, thousandths: u32) -> Handicap {
        let level = f64::from(level) + f64::from(thousandths) / 1000.0;
        Handicap {
            nodes: (20.0 * libm::pow(1.6, level)) as u64,
            // From level 15 on only the nodes are few.
            noise: (300.0 - 20.0 * level).max(0.0) as i32,
        }
    }

    /// How many of the best moves come into question.
    pub(super) fn lines(&self) -> usize {
        if self.noise > 0 { NOISY_LINES } else { 1 }
    }

    /// Which of some scores (centi-men) to act on: an index.
    pub(super) fn choose(&self, scores: impl Iterator<Item = i32>) -> usize {
        let seed = RandomState::new();
        let noise = |at: usize| (seed.hash_one(at) % self.noise.max(1) as u64) as i32;
        let blurred = scores
            .enumerate()
            .map(|(at, score)| (score + noise(at), at));
        blurred.max().map_or(0, |(_, at)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_grows_with_level_and_elo() {
        let levels: Vec<Handicap> = (0..FULL_LEVEL).filter_map(Handicap::of_level).collect();
        assert_eq!(levels.len(), FULL_LEVEL as usize);
        assert_eq!(Handicap::of_level(FULL_LEVEL), None);
        for pair in levels.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].noise >= pair[1].noise);
        }
        assert!(ELO.is_sorted_by(|a, b| a < b));
        assert_eq!(Handicap::of_elo(0), levels[0]);
        assert_eq!(Handicap::of_elo(ELO[7]), levels[7]);
        assert_eq!(Handicap::of_elo(u32::MAX), levels[19]);
        let between = Handicap::of_elo((ELO[3] + ELO[4]) / 2);
        assert!(between.nodes > levels[3].nodes && between.nodes < levels[4].nodes);
    }

    #[test]
    fn what_is_far_better_is_always_chosen() {
        let handicap = Handicap::of_level(0).expect("a handicap");
        for _ in 0..100 {
            assert_eq!(handicap.choose([0, 400, 100].into_iter()), 1);
        }
        let chosen: std::collections::HashSet<usize> = (0..200)
            .map(|_| handicap.choose([10, 0, 5].into_iter()))
            .collect();
        assert_eq!(
            chosen.len(),
            3,
            "moves about as good are all played at times"
        );
    }
}
