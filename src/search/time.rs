//! How long to think: pure arithmetic.

use crate::search::limits::{Clock, Limits};
use std::time::Duration;

/// When a timed search should end and when it must.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    /// No new iteration after this; stretched while the best move is in doubt.
    pub(super) soft: Duration,
    /// The search is cut off at this.
    pub(super) hard: Duration,
}

/// How sure the search is of its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stability {
    /// Iterations since the best move changed.
    pub(super) iterations: u32,
    /// By how much the score fell in the last iteration, centi-men.
    pub(super) drop: i32,
    /// The share of the last iteration's nodes that went into the best move: the rest were spent on
    /// showing that the other moves are worse.
    pub(super) effort_per_mille: u32,
}

impl Stability {
    /// How much of the planned time to use, in percent.
    pub(super) fn percent(&self) -> u32 {
        let by_move = match self.iterations {
            0 => 130,
            1 => 110,
            2 => 95,
            3 => 85,
            _ => 75,
        };
        let by_score = 100 + self.drop.clamp(-10, 80).unsigned_abs();
        let by_score = if self.drop < 0 {
            200 - by_score
        } else {
            by_score
        };
        let by_effort = 160 - self.effort_per_mille.min(1000) / 10;
        by_move * by_score / 100 * by_effort / 100
    }
}

/// Moves that a game without a move count is expected to last.
const EXPECTED_MOVES: u32 = 24;
/// More than this multiple of the plan is never spent on one move.
const MOST: u32 = 4;
/// Thinking always gets this much; with the flag about to fall it is depth 1 and no more.
const LEAST: Duration = Duration::from_micros(100);

/// The budget of a search, `None` if no time limits it.
pub(super) fn budget(limits: &Limits) -> Option<Budget> {
    let fixed = limits.move_time.map(|time| {
        // The answer should be there in time, and not much before it.
        let reserve = limits
            .overhead
            .min(Duration::from_millis(20))
            .min(time / 20);
        let time = time.saturating_sub(reserve).max(LEAST);
        Budget {
            soft: time,
            hard: time,
        }
    });
    let clock = limits.clock.map(|clock| by_clock(&clock, limits.overhead));
    match (fixed, clock) {
        (Some(a), Some(b)) => Some(if a.hard < b.hard { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn by_clock(clock: &Clock, overhead: Duration) -> Budget {
    let usable = clock.remaining.saturating_sub(overhead);
    let moves = clock
        .moves_to_go
        .unwrap_or(EXPECTED_MOVES)
        .clamp(1, EXPECTED_MOVES);
    let plan = (usable / moves).saturating_add(clock.increment / 4 * 3);
    // With one move to go all of the time may be used, else never so much that the next moves would
    // have to be played at once.
    let share = if moves == 1 {
        usable / 20 * 19
    } else {
        usable / 10 * 7
    };
    let hard = plan.saturating_mul(MOST).min(share).max(LEAST);
    let soft = plan.min(hard / 4 * 3).max(LEAST);
    Budget { soft, hard }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits {
            clock: Some(clock),
            overhead: Duration::from_millis(50),
            ..Limits::default()
        };
        budget(&limits).expect("timed")
    }

    #[test]
    fn never_more_than_there_is() {
        for remaining in [0, 1, 40, 60, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 1, 10, 400, 5_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let budget = clock(remaining, increment, moves);
                    let most = Duration::from_millis(remaining.saturating_sub(50).max(1));
                    assert!(budget.hard <= most, "{remaining} {increment} {moves:?}");
                    assert!(budget.soft <= budget.hard && budget.soft >= LEAST);
                }
            }
        }
    }

    #[test]
    fn doubt_takes_time() {
        let sure = Stability {
            iterations: 9,
            drop: 0,
            effort_per_mille: 950,
        };
        let changed = Stability {
            iterations: 0,
            ..sure
        };
        let falling = Stability { drop: 60, ..sure };
        let rising = Stability { drop: -60, ..sure };
        let disputed = Stability {
            effort_per_mille: 300,
            ..sure
        };
        for doubt in [changed, falling, disputed] {
            assert!(doubt.percent() > sure.percent(), "{doubt:?}");
        }
        assert!(rising.percent() < sure.percent());
        // All at once still stays within the hard limit of four plans.
        let worst = Stability {
            iterations: 0,
            drop: 1_000,
            effort_per_mille: 0,
        };
        assert!((200..400).contains(&worst.percent()), "{}", worst.percent());
    }

    #[test]
    fn the_last_move_before_more_time_uses_most_of_it() {
        let budget = clock(1_000, 0, Some(1));
        assert!(budget.hard <= Duration::from_millis(950));
        assert!(budget.hard >= Duration::from_millis(800));
    }

    #[test]
    fn a_fixed_time_is_met_closely() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(2_000)),
            overhead: Duration::from_millis(50),
            ..Limits::default()
        };
        let budget = budget(&limits).expect("timed");
        assert!(budget.hard >= Duration::from_millis(1_960));
        assert!(budget.hard <= Duration::from_millis(2_000));
    }
}
