//! One counter: when it runs, what it counts, what starts it anew, and at what it ends the game.

use crate::board::{Side, geometry};
use crate::rules::draw::DrawReason;
use crate::rules::moves::Move;
use crate::rules::position::Position;

/// On what positions a counter runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// On all.
    Always,
    /// Both sides have a king, and so many pieces stand on the board in all (inclusive).
    KingsOnBothSides {
        /// Least number of pieces.
        from: u32,
        /// Greatest number of pieces.
        to: u32,
    },
    /// Three or more kings and no men against a single king.
    ThreeKingsAgainstOne,
    /// A lone king stands alone on the main road against three pieces, at least one of them a king.
    LoneKingOnMainRoad,
    /// A lone king against one or two pieces, at least one of them a king.
    TwoAgainstOne,
}

impl Condition {
    /// Whether the condition holds.
    #[must_use]
    pub fn holds(self, position: &Position) -> bool {
        match self {
            Condition::Always => true,
            Condition::KingsOnBothSides { from, to } => {
                let n = position.occupied().count();
                let both = Side::ALL.into_iter().all(|side| position.kings(side).any());
                both && (from..=to).contains(&n)
            }
            Condition::ThreeKingsAgainstOne => against_lone_king(position, |strong| {
                position.men(strong).is_empty() && position.kings(strong).count() >= 3
            })
            .is_some(),
            Condition::LoneKingOnMainRoad => against_lone_king(position, |strong| {
                let road = position.occupied() & geometry::MAIN_ROAD;
                position.pieces(strong).count() == 3
                    && position.kings(strong).any()
                    && road == position.pieces(strong.opponent()) & geometry::MAIN_ROAD
                    && road.any()
            })
            .is_some(),
            Condition::TwoAgainstOne => against_lone_king(position, |strong| {
                position.pieces(strong).count() <= 2 && position.kings(strong).any()
            })
            .is_some(),
        }
    }
}

/// The side that faces a lone king and fulfils `accept`, White first.
fn against_lone_king(position: &Position, accept: impl Fn(Side) -> bool) -> Option<Side> {
    Side::ALL.into_iter().find(|&strong| {
        let weak = strong.opponent();
        position.pieces(weak).count() == 1
            && position.men(weak).is_empty()
            && position.pieces(strong).any()
            && accept(strong)
    })
}

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    /// The moves of both sides.
    Plies,
    /// The moves of the side that faces the lone king.
    StrongSideMoves,
}

/// Which crownings start a counter anew.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Crownings {
    /// None.
    None,
    /// The first king of a side.
    First,
    /// Every one.
    All,
}

/// The events that start a counter anew. A capture always does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Resets {
    /// Any move of a man.
    pub man_move: bool,
    /// A man becomes a king.
    pub crowning: Crownings,
    /// A move after which the condition does not hold. If false the counter only pauses.
    pub condition_lost: bool,
}

/// One counter of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Counter {
    /// The name of the rule, given as the reason of the draw.
    pub reason: DrawReason,
    /// When it runs.
    pub condition: Condition,
    /// What it counts.
    pub unit: Unit,
    /// The draw is reached at this count.
    pub limit: u16,
    /// What starts it anew.
    pub resets: Resets,
}

const CHANGE_OF_FORCES: Resets = Resets {
    man_move: false,
    crowning: Crownings::All,
    condition_lost: true,
};
const PROGRESS: Resets = Resets {
    man_move: true,
    ..CHANGE_OF_FORCES
};

impl Counter {
    /// The 15-move rule, 7.2.5: 30 plies without a capture or a man's move.
    pub const FIFTEEN_MOVES: Counter = Counter {
        reason: DrawReason::FifteenMoves,
        condition: Condition::Always,
        unit: Unit::Plies,
        limit: 30,
        resets: PROGRESS,
    };
    /// 7.2.4: three or more kings have fifteen moves to take a lone king.
    pub const THREE_KINGS_AGAINST_ONE: Counter = Counter {
        reason: DrawReason::ThreeKingsAgainstOne,
        condition: Condition::ThreeKingsAgainstOne,
        unit: Unit::StrongSideMoves,
        limit: 15,
        resets: CHANGE_OF_FORCES,
    };
    /// 7.2.6: four or five pieces, 30 moves of each side without a change of forces.
    pub const FOUR_OR_FIVE_PIECES: Counter = Counter {
        reason: DrawReason::FourOrFivePieces,
        condition: Condition::KingsOnBothSides { from: 4, to: 5 },
        unit: Unit::Plies,
        limit: 60,
        resets: CHANGE_OF_FORCES,
    };
    /// 7.2.6: six or seven pieces, 60 moves of each side without a change of forces.
    pub const SIX_OR_SEVEN_PIECES: Counter = Counter {
        reason: DrawReason::SixOrSevenPieces,
        condition: Condition::KingsOnBothSides { from: 6, to: 7 },
        limit: 120,
        ..Counter::FOUR_OR_FIVE_PIECES
    };
    /// 7.2.7: a lone king that holds the main road against three pieces, five moves of each side.
    pub const MAIN_ROAD: Counter = Counter {
        reason: DrawReason::MainRoad,
        condition: Condition::LoneKingOnMainRoad,
        limit: 10,
        ..Counter::FOUR_OR_FIVE_PIECES
    };
    /// 7.2.8: one or two pieces against a lone king, five moves of each side.
    pub const TWO_AGAINST_ONE: Counter = Counter {
        reason: DrawReason::TwoAgainstOne,
        condition: Condition::TwoAgainstOne,
        ..Counter::MAIN_ROAD
    };

    /// No capture and no crowning for a number of plies; men may move.
    #[must_use]
    pub const fn no_capture_or_crowning(limit: u16) -> Counter {
        Counter {
            reason: DrawReason::NoCaptureOrCrowning,
            condition: Condition::Always,
            unit: Unit::Plies,
            limit,
            resets: CHANGE_OF_FORCES,
        }
    }

    /// The least number of plies until the limit is reached, given the count.
    pub(super) fn plies_left(&self, count: u16) -> u16 {
        let left = self.limit.saturating_sub(count);
        match self.unit {
            Unit::Plies => left,
            Unit::StrongSideMoves => left.saturating_mul(2).saturating_sub(1),
        }
    }

    /// The count after a move, given the count before it.
    pub(super) fn advance(&self, count: u16, before: &Position, mv: Move, after: &Position) -> u16 {
        let crowned = mv.crowns()
            && match self.resets.crowning {
                Crownings::None => false,
                Crownings::First => before.kings(before.side()).is_empty(),
                Crownings::All => true,
            };
        let reset = mv.is_capture() || (self.resets.man_move && !mv.is_by_king()) || crowned;
        if reset {
            return 0;
        }
        if !self.condition.holds(after) {
            return if self.resets.condition_lost { 0 } else { count };
        }
        let counted = match self.unit {
            Unit::Plies => true,
            Unit::StrongSideMoves => before.pieces(before.side()).several(),
        };
        count.saturating_add(u16::from(counted))
    }
}
