//! What a value means under a set of draw rules, and where it means nothing.
//!
//! The tables know the 15-move rule and no other. A position that is drawn without any counter is
//! drawn under all of them, since a counter only ever makes draws. A win is only told where it cannot
//! be spoilt:
//!
//! - 15-move rule alone (`standard`): exact at every count.
//! - No counter (`none`): exact; wins beyond the counter are wins.
//! - Fifteen moves for three kings besides (`club`): such an ending begins with its counters at zero and
//!   is won within 23 plies or not at all, so only the counts of now matter.
//! - One counter of captures and crownings (`casual40`, `custom:N`): no ending of two to five pieces
//!   needs more than 58 plies to one of them, both best. In a search that is never certain for all paths to
//!   a node, so it serves the root alone.
//! - Others (`official`, `lidraughts`): up to three kings against a lone king, won before any counter of the
//!   rules could end the game if it began now. Two kings that remain have seven plies, of ten.

use crate::rules::draw::{Condition, Counter, DrawClock, DrawRules, Unit};
use crate::rules::{Position, draw};
use crate::tb::material::Material;
use crate::tb::value::Value;

/// Plies that an ending of two to five pieces needs at most to a capture or crowning (computed without
/// counters: 57, and one more where the loser is forced to it).
const LONGEST_CONVERSION: u16 = 58;

/// The result that best play leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move wins.
    Win,
    /// Nobody wins.
    Draw,
    /// Nobody wins, but only because a counter has come too far.
    DrawByCounter,
    /// The side to move loses.
    Loss,
}

/// What is known about a set of draw rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Uncounted,
    /// The 15-move rule alone, or with that of three kings.
    Fifteen,
    /// One counter of captures and crownings.
    Conversion,
    Other,
}

/// Reads values under a set of draw rules.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    rules: &'a DrawRules,
    kind: Kind,
    /// The place of the 15-move rule among the counters.
    fifteen: Option<usize>,
}

impl<'a> Judge<'a> {
    /// A judge for these rules.
    #[must_use]
    pub fn new(rules: &'a DrawRules) -> Judge<'a> {
        let counters = rules.counters();
        let known = [Counter::FIFTEEN_MOVES, Counter::THREE_KINGS_AGAINST_ONE];
        let fifteen = counters.iter().position(|&c| c == Counter::FIFTEEN_MOVES);
        let kind = match counters {
            _ if rules.has_lone_kings() => Kind::Other,
            [] => Kind::Uncounted,
            [only] if only.reason == draw::DrawReason::NoCaptureOrCrowning => Kind::Conversion,
            all if fifteen.is_some() && all.iter().all(|c| known.contains(c)) => Kind::Fifteen,
            _ => Kind::Other,
        };
        debug_assert!(kind != Kind::Conversion || counters[0].condition == Condition::Always);
        debug_assert!(kind != Kind::Conversion || counters[0].unit == Unit::Plies);
        Judge {
            rules,
            kind,
            fifteen,
        }
    }

    /// Whether going by the distances of the tables finishes a win under these rules.
    #[must_use]
    pub fn is_by_distance(&self) -> bool {
        matches!(self.kind, Kind::Uncounted | Kind::Fifteen)
    }

    /// Distances up to this, in plies, make no difference to [`verdict`](Self::verdict) with this clock and
    /// slack.
    #[must_use]
    pub fn indifferent(&self, clock: &DrawClock, slack: u16) -> u8 {
        match self.kind {
            Kind::Uncounted | Kind::Conversion => u8::MAX,
            Kind::Fifteen => {
                let least = clock.left(self.rules).min().unwrap_or(0);
                least.saturating_sub(slack).min(u8::MAX.into()) as u8
            }
            Kind::Other => 0,
        }
    }

    /// What the value of a position comes to when its counters stand as `clock` says; `None` where that
    /// is not certain. `slack`: a win must hold with counters that are so many plies further.
    #[must_use]
    pub fn verdict(
        &self,
        value: Value,
        position: &Position,
        clock: &DrawClock,
        slack: u16,
    ) -> Option<Verdict> {
        let decided = if value.is_win() {
            Verdict::Win
        } else if value.is_loss() {
            Verdict::Loss
        } else {
            return Some(Verdict::Draw);
        };
        let left = |place: Option<usize>| clock.left(self.rules).nth(place?);
        let distance = match value {
            Value::Win(distance) | Value::Loss(distance) => Some(u16::from(distance)),
            _ => None,
        };
        if let Some(left) = left(self.fifteen) {
            match distance {
                None => return Some(Verdict::Draw),
                Some(distance) if distance > left => return Some(Verdict::DrawByCounter),
                Some(_) => {}
            }
        }
        let least = clock.left(self.rules).min().unwrap_or(u16::MAX);
        let certain = match self.kind {
            Kind::Uncounted => true,
            Kind::Fifteen => distance.is_some_and(|distance| distance + slack <= least),
            Kind::Conversion => {
                position.occupied().count() <= 5 && LONGEST_CONVERSION + slack <= least
            }
            Kind::Other => {
                let material = Material::of(position);
                let lone_king = material.men() == 0
                    && material.pieces() <= 4
                    && (material.own_kings == 1 || material.opp_kings == 1);
                let lone_kings = self.rules.has_lone_kings();
                let in_time = distance.is_some_and(|distance| distance + slack < least);
                lone_king && in_time && !lone_kings
            }
        };
        certain.then_some(decided)
    }
}
