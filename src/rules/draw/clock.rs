//! The counters at one position of a game.

use crate::board::Side;
use crate::rules::draw::{DrawReason, DrawRules, MAX_COUNTERS, Unit};
use crate::rules::movegen;
use crate::rules::moves::Move;
use crate::rules::position::Position;

/// The state of all counters of a rule set at one position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DrawClock {
    counts: [u16; MAX_COUNTERS],
    /// Plies since the last capture or man's move, whatever the rules: only so far back can a
    /// position have occurred before.
    reversible: u16,
}

impl DrawClock {
    /// The clock of a position from which a game starts, `half_moves` plies after its last capture
    /// or man's move (the H field of a FEN).
    #[must_use]
    pub fn starting(rules: &DrawRules, position: &Position, half_moves: u16) -> DrawClock {
        // The plies before the start are not known one by one, so repetition does not see them.
        let mut clock = DrawClock::default();
        for (count, counter) in clock.counts.iter_mut().zip(rules.counters()) {
            if counter.condition.holds(position) {
                *count = match counter.unit {
                    Unit::Plies => half_moves,
                    Unit::StrongSideMoves => half_moves / 2,
                };
            }
        }
        clock
    }

    /// The clock after a move.
    #[must_use]
    pub fn after(
        &self,
        rules: &DrawRules,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> DrawClock {
        let mut clock = DrawClock {
            counts: [0; MAX_COUNTERS],
            reversible: if mv.is_reversible() {
                self.reversible.saturating_add(1)
            } else {
                0
            },
        };
        for (i, counter) in rules.counters().iter().enumerate() {
            clock.counts[i] = counter.advance(self.counts[i], before, mv, after);
        }
        clock
    }

    /// The counter that is at its limit. Asked after a move, of the position that arose.
    #[must_use]
    pub fn reached(&self, rules: &DrawRules, position: &Position) -> Option<DrawReason> {
        let at_limit = rules
            .counters()
            .iter()
            .zip(self.counts)
            .find(|(counter, count)| *count >= counter.limit && counter.condition.holds(position));
        if let Some((counter, _)) = at_limit {
            return Some(counter.reason);
        }
        let one_king_each = rules.has_lone_kings()
            && Side::ALL
                .into_iter()
                .all(|side| position.pieces(side).count() == 1 && position.kings(side).any());
        (one_king_each && !movegen::has_capture(position)).then_some(DrawReason::LoneKings)
    }

    /// Plies since the last capture or man's move within the game.
    #[must_use]
    pub const fn reversible(&self) -> u16 {
        self.reversible
    }

    /// How near the nearest limit is: the least number of plies until a running counter could end
    /// the game, `None` if no counter runs.
    #[must_use]
    pub fn plies_left(&self, rules: &DrawRules, position: &Position) -> Option<u16> {
        let counters = rules.counters().iter().zip(self.counts);
        let running = counters.filter(|(counter, _)| counter.condition.holds(position));
        running
            .map(|(counter, count)| counter.plies_left(count))
            .min()
    }

    /// For each counter of the rules, running or not, the least number of plies until it could end the
    /// game.
    pub fn left(&self, rules: &DrawRules) -> impl Iterator<Item = u16> {
        let counters = rules.counters().iter().zip(self.counts);
        counters.map(|(counter, count)| counter.plies_left(count))
    }

    /// The greatest count: no counter depends on a position further back, in plies.
    #[must_use]
    pub fn longest(&self) -> u16 {
        self.counts
            .iter()
            .copied()
            .max()
            .unwrap_or(0)
            .saturating_mul(2)
    }

    /// Tells of the counters that run in this position or pause somewhere on the way their place among
    /// the rules' counters, and the least number of plies until each could end the game.
    #[inline(always)]
    pub fn for_each_counting(
        &self,
        rules: &DrawRules,
        position: &Position,
        mut tell: impl FnMut(usize, u16),
    ) {
        for (place, (counter, &count)) in rules.counters().iter().zip(&self.counts).enumerate() {
            // A counter that only pauses goes on where it was.
            let paused = !counter.resets.condition_lost && count > 0;
            if paused || counter.condition.holds(position) {
                tell(place, counter.plies_left(count));
            }
        }
    }
}
