//! When a game is drawn by rule: named counters as data, and presets made of them.
//!
//! A counter counts plies (or the stronger side's moves) while its condition holds, starts anew at
//! its resetting events, and ends the game at its limit. Articles are those of FMJD Section-64,
//! "Rules of the game", 7.2.3 to 7.2.9. The position after a resetting move counts as zero. A draw
//! is tested after a move, and only if the side to move has a legal move: a win on the last allowed
//! move is a win ([`crate::rules::Game`] keeps that order).

use crate::board::{Side, geometry};
use crate::rules::movegen;
use crate::rules::moves::Move;
use crate::rules::position::Position;
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The same position with the same side to move for the third time (7.2.3).
    Repetition,
    /// Fifteen moves of each side with kings only and without a capture (7.2.5).
    FifteenMoves,
    /// Too many plies without a capture or a crowning; men's moves do not count as progress.
    NoCaptureOrCrowning,
    /// Three or more kings did not take a lone king in fifteen moves (7.2.4).
    ThreeKingsAgainstOne,
    /// Four or five pieces, both sides with kings, 30 moves without a change of forces (7.2.6).
    FourOrFivePieces,
    /// Six or seven pieces, both sides with kings, 60 moves without a change of forces (7.2.6).
    SixOrSevenPieces,
    /// More pieces, both sides with kings, 15 moves of each without progress (lidraughts).
    ManyPieces,
    /// A lone king held the main road against three pieces for five moves (7.2.7).
    MainRoad,
    /// One or two pieces did not beat a lone king in five moves (7.2.8).
    TwoAgainstOne,
    /// One king each, and no capture at hand.
    LoneKings,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Repetition => "threefold repetition",
            DrawReason::FifteenMoves => "15 moves of each side with kings only",
            DrawReason::NoCaptureOrCrowning => "too many moves without capture or crowning",
            DrawReason::ThreeKingsAgainstOne => "three kings against one: 15 moves",
            DrawReason::FourOrFivePieces => "four or five pieces: 30 moves",
            DrawReason::SixOrSevenPieces => "six or seven pieces: 60 moves",
            DrawReason::ManyPieces => "kings on both sides: 15 moves without progress",
            DrawReason::MainRoad => "lone king on the main road: 5 moves",
            DrawReason::TwoAgainstOne => "two against one: 5 moves",
            DrawReason::LoneKings => "one king each",
        })
    }
}

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

    /// The count after a move, given the count before it.
    fn advance(&self, count: u16, before: &Position, mv: Move, after: &Position) -> u16 {
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

/// Most counters a rule set can have.
const MAX_COUNTERS: usize = 6;

/// A set of draw rules: which counters run, and whether repetition counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawRules {
    name: String,
    /// Threefold repetition ends the game.
    repetition: bool,
    /// One king each ends the game when the side to move cannot capture.
    lone_kings: bool,
    /// In the order in which they are asked: the first at its limit names the draw.
    counters: ArrayVec<Counter, MAX_COUNTERS>,
}

impl DrawRules {
    /// The names [`FromStr`] takes. `custom:N` stands for any number N of plies, 1 to 1000.
    pub const NAMES: [&'static str; 8] = [
        "standard",
        "official",
        "lidraughts",
        "club",
        "kings15",
        "casual40",
        "custom:N",
        "none",
    ];

    fn preset(name: &str, repetition: bool, counters: &[Counter]) -> DrawRules {
        DrawRules {
            name: name.to_owned(),
            repetition,
            lone_kings: false,
            counters: counters.iter().copied().take(MAX_COUNTERS).collect(),
        }
    }

    /// Threefold repetition and the 15-move rule: the default.
    #[must_use]
    pub fn standard() -> DrawRules {
        Self::preset("standard", true, &[Counter::FIFTEEN_MOVES])
    }

    /// FMJD Section-64, articles 7.2.3 to 7.2.8, read literally.
    #[must_use]
    pub fn official() -> DrawRules {
        let counters = [
            Counter::MAIN_ROAD,
            Counter::TWO_AGAINST_ONE,
            Counter::THREE_KINGS_AGAINST_ONE,
            Counter::FIFTEEN_MOVES,
            Counter::FOUR_OR_FIVE_PIECES,
            Counter::SIX_OR_SEVEN_PIECES,
        ];
        Self::preset("official", true, &counters)
    }

    /// As the site lidraughts.org ends games by itself: its limits depend on the material, the
    /// 15-move rule does not apply with four to seven pieces, and repetition is only claimed.
    #[must_use]
    pub fn lidraughts() -> DrawRules {
        // There, these two clocks run on through crownings, and through leaving the road.
        let stubborn = Resets {
            man_move: false,
            crowning: Crownings::First,
            condition_lost: false,
        };
        let counters = [
            Counter {
                resets: stubborn,
                ..Counter::TWO_AGAINST_ONE
            },
            Counter {
                resets: stubborn,
                ..Counter::MAIN_ROAD
            },
            Counter {
                unit: Unit::Plies,
                limit: 30,
                ..Counter::THREE_KINGS_AGAINST_ONE
            },
            Counter::SIX_OR_SEVEN_PIECES,
            Counter::FOUR_OR_FIVE_PIECES,
            Counter {
                reason: DrawReason::ManyPieces,
                condition: Condition::KingsOnBothSides { from: 8, to: 24 },
                limit: 30,
                resets: PROGRESS,
                ..Counter::FOUR_OR_FIVE_PIECES
            },
        ];
        Self::preset("lidraughts", false, &counters)
    }

    /// Threefold repetition, the 15-move rule, and fifteen moves for three kings against one.
    #[must_use]
    pub fn club() -> DrawRules {
        let counters = [Counter::FIFTEEN_MOVES, Counter::THREE_KINGS_AGAINST_ONE];
        Self::preset("club", true, &counters)
    }

    /// Threefold repetition, the 15-move rule, and one king each.
    #[must_use]
    pub fn kings15() -> DrawRules {
        let mut rules = Self::preset("kings15", true, &[Counter::FIFTEEN_MOVES]);
        rules.lone_kings = true;
        rules
    }

    /// Forty moves of each side without a capture or a crowning; no repetition rule.
    #[must_use]
    pub fn casual40() -> DrawRules {
        Self::preset("casual40", false, &[Counter::no_capture_or_crowning(80)])
    }

    /// A number of plies without a capture or a crowning; no repetition rule.
    #[must_use]
    pub fn custom(plies: u16) -> DrawRules {
        Self::preset(
            &format!("custom:{plies}"),
            false,
            &[Counter::no_capture_or_crowning(plies)],
        )
    }

    /// No draw by rule: for analysis.
    #[must_use]
    pub fn none() -> DrawRules {
        Self::preset("none", false, &[])
    }

    /// The name of the preset, as [`FromStr`] takes it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a position that occurs for the third time ends the game.
    #[must_use]
    pub const fn has_repetition(&self) -> bool {
        self.repetition
    }

    /// The counters, in the order in which they are asked.
    #[must_use]
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }
}

impl Default for DrawRules {
    fn default() -> DrawRules {
        DrawRules::standard()
    }
}

impl fmt::Display for DrawRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A name that no preset has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown draw rules \"{0}\", expected one of {names}", names = DrawRules::NAMES.join(", "))]
pub struct UnknownDrawRules(pub String);

impl FromStr for DrawRules {
    type Err = UnknownDrawRules;

    fn from_str(text: &str) -> Result<DrawRules, UnknownDrawRules> {
        let unknown = || UnknownDrawRules(text.to_owned());
        let name = text.trim().to_ascii_lowercase();
        Ok(match name.as_str() {
            "standard" => DrawRules::standard(),
            "official" => DrawRules::official(),
            "lidraughts" => DrawRules::lidraughts(),
            "club" => DrawRules::club(),
            "kings15" => DrawRules::kings15(),
            "casual40" => DrawRules::casual40(),
            "none" => DrawRules::none(),
            _ => {
                let plies = name.strip_prefix("custom:").and_then(|n| n.parse().ok());
                let plies = plies
                    .filter(|n| (1..=1000).contains(n))
                    .ok_or_else(unknown)?;
                DrawRules::custom(plies)
            }
        })
    }
}

/// The state of all counters of a rule set at one position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
        for (count, counter) in clock.counts.iter_mut().zip(&rules.counters) {
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
        for (i, counter) in rules.counters.iter().enumerate() {
            clock.counts[i] = counter.advance(self.counts[i], before, mv, after);
        }
        clock
    }

    /// The counter that is at its limit. Asked after a move, of the position that arose.
    #[must_use]
    pub fn reached(&self, rules: &DrawRules, position: &Position) -> Option<DrawReason> {
        let at_limit = rules
            .counters
            .iter()
            .zip(self.counts)
            .find(|(counter, count)| *count >= counter.limit && counter.condition.holds(position));
        if let Some((counter, _)) = at_limit {
            return Some(counter.reason);
        }
        let one_king_each = rules.lone_kings
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
        let running = rules.counters.iter().zip(self.counts);
        running
            .filter(|(counter, _)| counter.condition.holds(position))
            .map(|(counter, count)| {
                let left = counter.limit.saturating_sub(count);
                match counter.unit {
                    Unit::Plies => left,
                    Unit::StrongSideMoves => (2 * left).saturating_sub(1),
                }
            })
            .min()
    }
}
