//! Sets of draw rules, by name.

use crate::rules::draw::{Condition, Counter, Crownings, DrawReason, MAX_COUNTERS, Resets, Unit};
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

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
                resets: Counter::FIFTEEN_MOVES.resets,
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

    /// A key by which search tables tell scores under different rules apart; 0 for the default.
    #[must_use]
    pub fn key(&self) -> u64 {
        let fold = |key: u64, byte: u8| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        let key_of = |name: &str| name.bytes().fold(0xCBF2_9CE4_8422_2325, fold);
        key_of(&self.name) ^ key_of("standard")
    }

    /// Whether a position that occurs for the third time ends the game.
    #[must_use]
    pub const fn has_repetition(&self) -> bool {
        self.repetition
    }

    /// Whether one king each ends the game when the side to move cannot capture.
    #[must_use]
    pub const fn has_lone_kings(&self) -> bool {
        self.lone_kings
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
