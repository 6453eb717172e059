//! The text of one game, as data.

use crate::notation::Numbering;
use crate::notation::pdn::reader::PdnFault;
use std::fmt;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// `1-0`, `2-0`.
    WhiteWins,
    /// `0-1`, `0-2`.
    BlackWins,
    /// `1/2-1/2`, `1-1`, `0.5-0.5`, `½-½`.
    Draw,
    /// `0-0`: no points for either side.
    NoPoints,
    /// `*`: unknown or unfinished.
    Unknown,
}

impl Outcome {
    /// Every spelling that is read.
    const SPELLINGS: [(&'static str, Outcome); 11] = [
        ("1/2-1/2", Outcome::Draw),
        ("0.5-0.5", Outcome::Draw),
        ("½-½", Outcome::Draw),
        ("½–½", Outcome::Draw),
        ("1-1", Outcome::Draw),
        ("1-0", Outcome::WhiteWins),
        ("2-0", Outcome::WhiteWins),
        ("0-1", Outcome::BlackWins),
        ("0-2", Outcome::BlackWins),
        ("0-0", Outcome::NoPoints),
        ("*", Outcome::Unknown),
    ];

    /// Reads a result in any spelling.
    #[must_use]
    pub fn read(text: &str) -> Option<Outcome> {
        let text = text.trim();
        Self::SPELLINGS
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, outcome)| *outcome)
    }

    /// Splits a result off the end of a word to which it is glued; the front is not empty.
    pub(super) fn split_off(word: &str) -> Option<(&str, Outcome)> {
        Self::SPELLINGS.iter().find_map(|(name, outcome)| {
            let front = word.strip_suffix(name)?;
            // Behind a number `22x151-0` could be split in several ways; behind a letter and a rank
            // it cannot. A star is never part of a move.
            let mut tail = front.chars().rev();
            let is_square = tail.next().is_some_and(|c| ('1'..='8').contains(&c))
                && tail.next().is_some_and(|c| c.is_alphabetic());
            let safe = *outcome == Outcome::Unknown || is_square;
            (safe && !front.is_empty()).then_some((front, *outcome))
        })
    }
}

/// The default spelling of GameType 25: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `*`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::NoPoints => "0-0",
            Outcome::Unknown => "*",
        })
    }
}

/// One thing in the text of the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A move, as written, without marks.
    Move {
        /// The text.
        text: String,
        /// Line of the file, from 1.
        line: usize,
    },
    /// A comment, without its braces. Clocks and other commands stay in it as they are.
    Comment(String),
    /// A numeric annotation: `$1` or the marks `!`, `?`, `!!`, `??`, `!?`, `?!` (1 to 6).
    Nag(u8),
    /// An alternative to the move before it.
    Variation(Vec<Item>),
    /// `/FEN "…"/`: the position is set anew.
    SetPosition(String),
}

/// The text of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnGame {
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Line of the file where the game begins, from 1.
    pub line: usize,
    /// Tags in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Moves, comments, marks and variations in the order of the file.
    pub items: Vec<Item>,
    /// The result behind the moves, if there is one.
    pub terminator: Option<Outcome>,
    /// What was wrong with the text. The game holds all that could be read.
    pub faults: Vec<PdnFault>,
}

impl PdnGame {
    /// The value of a tag, by name in any case.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self
            .tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it exists.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self
            .tags
            .iter_mut()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name))
        {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The result, from the Result tag or else from the end of the moves.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let tagged = self.tag("Result").and_then(Outcome::read);
        match (tagged, self.terminator) {
            (None | Some(Outcome::Unknown), Some(terminator)) => terminator,
            (Some(tagged), _) => tagged,
            (None, None) => Outcome::Unknown,
        }
    }

    /// The moves of the main line as written.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Move { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The number of the GameType tag; `None` without one.
    #[must_use]
    pub fn game_type(&self) -> Option<u32> {
        self.tag("GameType")?.split(',').next()?.trim().parse().ok()
    }

    /// Which way numbers count in this game: by the notation field of GameType where it says so
    /// (`N0` from a1, `N2` from b8), else from b8 as nearly all files do.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        match self
            .tag("GameType")
            .and_then(|tag| tag.split(',').nth(4))
            .map(str::trim)
        {
            Some("N0") => Numbering::A1,
            _ => Numbering::B8,
        }
    }
}
