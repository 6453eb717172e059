//! The options for users, in one table: names, kinds, bounds, defaults, help.
//!
//! From it come the `option` lines of UCI, the `param` lines of Hub, and a check of the README.

use crate::notation::{Numbering, Spelling};
use crate::rules::DrawRules;
use crate::search::{self, Handicap, Params};
use crate::tb::{self, MOST_PIECES};
use std::path::PathBuf;
use std::time::Duration;

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// true or false.
    Check,
    /// A whole number between two bounds, inclusive.
    Spin {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
    },
    /// One of these words.
    Combo(&'static [&'static str]),
    /// Any text, which may be empty.
    Text,
    /// No value: something is done.
    Button,
}

/// One option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The name; case does not matter.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value it has at first, empty for a button.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// All options, in the order in which they are listed.
pub const SPECS: &[Spec] = &[
    Spec {
        name: "Hash",
        kind: Kind::Spin {
            min: 1,
            max: 65_536,
        },
        default: "64",
        help: "size of the transposition table in MiB",
    },
    Spec {
        name: "Threads",
        kind: Kind::Spin { min: 1, max: 512 },
        default: "1",
        help: "threads to search with",
    },
    Spec {
        name: "Clear Hash",
        kind: Kind::Button,
        default: "",
        help: "forget all that earlier searches found",
    },
    Spec {
        name: "Ponder",
        kind: Kind::Check,
        default: "false",
        help: "tells the engine that the program at the other end may let it ponder",
    },
    Spec {
        name: "MultiPV",
        kind: Kind::Spin { min: 1, max: 256 },
        default: "1",
        help: "how many of the best lines are shown",
    },
    Spec {
        name: "Move Overhead",
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
        },
        default: "50",
        help: "time in milliseconds held back from each move for what lies between engine and clock",
    },
    Spec {
        name: "DrawRules",
        kind: Kind::Combo(&[
            "standard",
            "official",
            "lidraughts",
            "club",
            "kings15",
            "casual40",
            "custom:80",
            "none",
        ]),
        default: "standard",
        help: "when a game is drawn by rule; custom:N with any N from 1 to 1000 plies",
    },
    Spec {
        name: "EvalFile",
        kind: Kind::Text,
        default: "",
        help: "weights to judge positions by instead of the built-in ones",
    },
    Spec {
        name: "OwnBook",
        kind: Kind::Check,
        default: "false",
        help: "play the opening from a book",
    },
    Spec {
        name: "BookFile",
        kind: Kind::Text,
        default: "",
        help: "a book to play from instead of the built-in one, see shashki book",
    },
    Spec {
        name: "BookMargin",
        kind: Kind::Spin { min: 0, max: 1_000 },
        default: "5",
        help: "how much worse than the best a move from the book may be, in centi-men",
    },
    Spec {
        name: "EndgamePath",
        kind: Kind::Text,
        default: "",
        help: "folders with endgame tables beside the built-in ones, with ; or : between them (on Windows ; only)",
    },
    Spec {
        name: "EndgamePieces",
        kind: Kind::Spin {
            min: 0,
            max: MOST_PIECES as i64,
        },
        default: "6",
        help: "most pieces on a board that is looked up in endgame tables; 0 uses none",
    },
    Spec {
        name: "EndgameCache",
        kind: Kind::Spin {
            min: 1,
            max: 65_536,
        },
        default: "64",
        help: "room for unpacked parts of endgame tables in MiB",
    },
    Spec {
        name: "Numbering",
        kind: Kind::Combo(&["b8", "a1"]),
        default: "b8",
        help: "the square with number 1, for numbers in positions and moves",
    },
    Spec {
        name: "MoveFormat",
        kind: Kind::Combo(&["algebraic", "numeric"]),
        default: "algebraic",
        help: "how moves are written",
    },
    Spec {
        name: "Skill Level",
        kind: Kind::Spin {
            min: 0,
            max: search::FULL_LEVEL as i64,
        },
        default: "20",
        help: "20 plays as well as it can, 0 is the weakest",
    },
    Spec {
        name: "UCI_LimitStrength",
        kind: Kind::Check,
        default: "false",
        help: "play with the strength UCI_Elo instead of that of Skill Level",
    },
    Spec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            min: search::LEAST_ELO as i64,
            max: search::GREATEST_ELO as i64,
        },
        default: "2480",
        help: "strength in points of a scale of our own: the full engine, one thread at 100 ms a move, has 2500",
    },
    Spec {
        name: "UCI_ShowWDL",
        kind: Kind::Check,
        default: "false",
        help: "show the chances of win, draw and loss in thousandths behind each score",
    },
    Spec {
        name: "UCI_Variant",
        kind: Kind::Combo(&["russian"]),
        default: "russian",
        help: "the game that is played; there is only one",
    },
];

/// The values of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the table in MiB, 1 or more.
    pub hash_mib: usize,
    /// Threads, 1 or more.
    pub threads: usize,
    /// Whether the other end may let the engine ponder.
    pub ponder: bool,
    /// Lines to show, 1 or more.
    pub multi_pv: usize,
    /// Time held back from each move.
    pub move_overhead: Duration,
    /// When a game is drawn.
    pub draw_rules: DrawRules,
    /// Weights to judge positions by instead of the built-in ones.
    pub eval_file: Option<PathBuf>,
    /// Whether openings are played from a book.
    pub own_book: bool,
    /// A book instead of the built-in one.
    pub book_file: Option<PathBuf>,
    /// How much worse than the best a move from the book may be, centi-men.
    pub book_margin: i16,
    /// Folders with endgame tables beside the built-in ones.
    pub endgame_path: Vec<PathBuf>,
    /// Most pieces on a board that is looked up in them, 0 to [`MOST_PIECES`].
    pub endgame_pieces: u8,
    /// Room for unpacked parts of them, MiB.
    pub endgame_cache_mib: usize,
    /// Which way numbers count.
    pub numbering: Numbering,
    /// Whether moves are written in numbers.
    pub numeric_moves: bool,
    /// Strength, 0 to [`search::FULL_LEVEL`].
    pub skill_level: u32,
    /// Whether `elo` says how well to play.
    pub limit_strength: bool,
    /// Strength in Elo points of our own scale, see [`search::Handicap::of_elo`].
    pub elo: u32,
    /// Whether chances are shown behind scores.
    pub show_odds: bool,
    /// The numbers of the search that may be tuned; `tune.NAME` sets one. Not listed.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mib: 64,
            threads: 1,
            ponder: false,
            multi_pv: 1,
            move_overhead: Duration::from_millis(50),
            draw_rules: DrawRules::standard(),
            eval_file: None,
            own_book: false,
            book_file: None,
            book_margin: 5,
            endgame_path: Vec::new(),
            endgame_pieces: MOST_PIECES,
            endgame_cache_mib: tb::DEFAULT_CACHE_MIB,
            numbering: Numbering::B8,
            numeric_moves: false,
            skill_level: search::FULL_LEVEL,
            limit_strength: false,
            elo: search::GREATEST_ELO,
            show_odds: false,
            params: Params::default(),
        }
    }
}

/// What setting an option asks for beyond the new value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Forget earlier searches.
    ClearHash,
}

/// Why an option was not set. The old value stays.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("unknown option \"{0}\"")]
    Unknown(String),
    /// The value does not fit.
    #[error("bad value \"{value}\" for option {name}, expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What would fit.
        expected: String,
    },
}

impl Kind {
    fn expected(self) -> String {
        match self {
            Kind::Check => "true or false".to_owned(),
            Kind::Spin { min, max } => format!("a number from {min} to {max}"),
            Kind::Combo(words) => format!("one of {}", words.join(", ")),
            Kind::Text => "text".to_owned(),
            Kind::Button => "no value".to_owned(),
        }
    }
}

impl Options {
    /// Sets an option by name, in any case, to a value.
    ///
    /// # Errors
    /// There is no such option, or the value does not fit; nothing has changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        if let Some(name) = name.trim().strip_prefix("tune.") {
            return self.tune(name, value.trim());
        }
        let spec = SPECS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name.trim()));
        let spec = spec.ok_or_else(|| OptionError::Unknown(shortened(name)))?;
        let value = value.trim();
        let bad = || OptionError::Value {
            name: spec.name,
            value: shortened(value),
            expected: spec.kind.expected(),
        };
        let number = || match spec.kind {
            Kind::Spin { min, max } => {
                let number = value
                    .parse::<i64>()
                    .ok()
                    .filter(|n| (min..=max).contains(n));
                number.map(|n| n as usize).ok_or_else(bad)
            }
            _ => Err(bad()),
        };
        match spec.name {
            "Hash" => self.hash_mib = number()?,
            "Threads" => self.threads = number()?,
            "Clear Hash" => return Ok(Effect::ClearHash),
            "Ponder" => {
                self.ponder = value.to_ascii_lowercase().parse().map_err(|_| bad())?;
            }
            "MultiPV" => self.multi_pv = number()?,
            "Move Overhead" => self.move_overhead = Duration::from_millis(number()? as u64),
            "DrawRules" => self.draw_rules = value.parse().map_err(|_| bad())?,
            "EvalFile" => self.eval_file = file(value),
            "OwnBook" => {
                self.own_book = value.to_ascii_lowercase().parse().map_err(|_| bad())?;
            }
            "BookFile" => self.book_file = file(value),
            "BookMargin" => self.book_margin = number()? as i16,
            "EndgamePath" => self.endgame_path = folders(value),
            "EndgamePieces" => self.endgame_pieces = number()? as u8,
            "EndgameCache" => self.endgame_cache_mib = number()?,
            "Numbering" => self.numbering = value.parse().map_err(|_| bad())?,
            "MoveFormat" => {
                self.numeric_moves = match value.to_ascii_lowercase().as_str() {
                    "algebraic" => false,
                    "numeric" => true,
                    _ => return Err(bad()),
                };
            }
            "Skill Level" => self.skill_level = number()? as u32,
            "UCI_LimitStrength" => {
                self.limit_strength = value.to_ascii_lowercase().parse().map_err(|_| bad())?;
            }
            "UCI_Elo" => self.elo = number()? as u32,
            "UCI_ShowWDL" => {
                self.show_odds = value.to_ascii_lowercase().parse().map_err(|_| bad())?;
            }
            "UCI_Variant" if value.eq_ignore_ascii_case("russian") => {}
            _ => return Err(bad()),
        }
        Ok(Effect::None)
    }

    /// Sets a number of the search by its name.
    fn tune(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        let known = Params::ALL.iter().find(|(known, ..)| *known == name);
        let &(name, _, min, max) = known.ok_or_else(|| OptionError::Unknown(shortened(name)))?;
        let number = value.parse().ok();
        let set = number.and_then(|number| self.params.set(name, number));
        set.map(|()| Effect::None)
            .ok_or_else(|| OptionError::Value {
                name,
                value: shortened(value),
                expected: Kind::Spin {
                    min: min.into(),
                    max: max.into(),
                }
                .expected(),
            })
    }

    /// How a search is held back, if it is.
    #[must_use]
    pub fn handicap(&self) -> Option<Handicap> {
        if self.limit_strength {
            Some(Handicap::of_elo(self.elo))
        } else {
            Handicap::of_level(self.skill_level)
        }
    }

    /// How squares are written in answers.
    #[must_use]
    pub fn spelling(&self) -> Spelling {
        if self.numeric_moves {
            Spelling::Numeric(self.numbering)
        } else {
            Spelling::Algebraic
        }
    }
}

/// Whether a text is none; UCI writes that as `<empty>`.
fn is_empty(text: &str) -> bool {
    text.is_empty() || text == "<empty>"
}

/// The file that a text names, if any.
fn file(text: &str) -> Option<PathBuf> {
    Some(text).filter(|text| !is_empty(text)).map(PathBuf::from)
}

/// The folders of a list.
fn folders(list: &str) -> Vec<PathBuf> {
    // On Windows a colon stands behind the letter of a drive.
    let separators: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };
    let folders = list.split(separators).map(str::trim);
    folders
        .filter(|folder| !is_empty(folder))
        .map(PathBuf::from)
        .collect()
}

/// Text of any length, fit for a message.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_can_be_set_and_is_what_the_options_begin_with() {
        let mut options = Options::default();
        for spec in SPECS {
            let effect = options.set(&spec.name.to_uppercase(), spec.default);
            assert!(effect.is_ok(), "{}: {effect:?}", spec.name);
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn every_word_of_a_combo_can_be_set() {
        for spec in SPECS {
            if let Kind::Combo(words) = spec.kind {
                for word in words {
                    assert!(Options::default().set(spec.name, word).is_ok(), "{word}");
                }
            }
        }
    }

    #[test]
    fn the_numbers_of_the_search_can_be_set_by_name() {
        for &(name, default, least, most) in Params::ALL {
            let mut options = Options::default();
            for value in [least, most, default] {
                let set = options.set(&format!("tune.{name}"), &value.to_string());
                assert_eq!(set, Ok(Effect::None), "{name} {value}");
            }
            assert_eq!(options, Options::default());
            for value in [least - 1, most + 1] {
                let set = options.set(&format!("tune.{name}"), &value.to_string());
                assert!(
                    matches!(set, Err(OptionError::Value { .. })),
                    "{name} {value}"
                );
            }
        }
    }

    #[test]
    fn folders_are_told_apart() {
        let mut options = Options::default();
        options
            .set("EndgamePath", " /a b/5 ; Шашки тест;; ")
            .expect("text");
        assert_eq!(
            options.endgame_path,
            ["/a b/5", "Шашки тест"].map(PathBuf::from)
        );
        for empty in ["", "<empty>"] {
            options.set("EndgamePath", empty).expect("text");
            assert!(options.endgame_path.is_empty());
        }
    }

    #[test]
    fn bad_values_change_nothing() {
        let bad = [
            ("Hash", "0"),
            ("Hash", "-1"),
            ("Hash", "3000000000"),
            ("Hash", "99999999999999999999"),
            ("Hash", "abc"),
            ("Hash", ""),
            ("Threads", "0"),
            ("Threads", "100000"),
            ("Threads", "x"),
            ("Ponder", "maybe"),
            ("DrawRules", "fide"),
            ("Numbering", "h1"),
            ("MoveFormat", "words"),
            ("UCI_Variant", "normal"),
            ("Colour", "red"),
            ("OwnBook", "perhaps"),
            ("BookMargin", "-1"),
            ("EndgamePieces", "7"),
            ("EndgameCache", "0"),
            ("Skill Level", "21"),
            ("UCI_LimitStrength", "perhaps"),
            ("UCI_Elo", "1"),
            ("tune.nothing", "1"),
        ];
        for (name, value) in bad {
            let mut options = Options::default();
            let error = options.set(name, value).expect_err(name);
            assert_eq!(options, Options::default(), "{error}");
        }
    }
}
