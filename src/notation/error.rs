//! What can be wrong with a text.

use crate::rules::Fault;
use std::fmt;

/// A position text that was refused: what is wrong and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}{}", Place(self))]
pub struct FenError {
    /// Offset in characters from the beginning of the text.
    pub at: usize,
    /// What is wrong.
    pub fault: FenFault,
}

/// What is wrong with a position text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenFault {
    /// Nothing to read.
    #[error("empty text")]
    Empty,
    /// Neither W nor B where the side to move should stand.
    #[error("expected the side to move, W or B, found \"{0}\"")]
    Side(String),
    /// A list of pieces that begins with neither W nor B.
    #[error("expected a list of pieces that begins with W or B, found \"{0}\"")]
    Color(String),
    /// The same colour has two lists.
    #[error("a second list for {0}")]
    SecondList(crate::board::Side),
    /// One of the two lists is missing.
    #[error("no list for {0}")]
    NoList(crate::board::Side),
    /// Not a square.
    #[error("\"{0}\" is not a square")]
    Square(String),
    /// A square off the board or a light one.
    #[error("\"{0}\" is not a dark square of the board")]
    LightSquare(String),
    /// Numbers and letters in one text.
    #[error("\"{0}\" mixes numbers and letters in one position")]
    Mixed(String),
    /// A range that does not run upwards, or not of numbers.
    #[error("\"{0}\" is not a range of numbers from low to high within 1 to 32")]
    Range(String),
    /// A square named twice.
    #[error("\"{0}\" is named a second time")]
    Duplicate(String),
    /// A character that means nothing in a board of 33 characters.
    #[error("\"{0}\" does not belong in a board of 33 characters")]
    Character(char),
    /// The field H does not hold a number of plies.
    #[error("\"{0}\" is not H and a number of plies up to 9999")]
    HalfMoves(String),
    /// The board is not a legal position.
    #[error("{}", Faults(.0))]
    Board(Vec<Fault>),
}

/// ` at character 7 of the position`; the faults of a board name their squares instead.
struct Place<'a>(&'a FenError);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.fault {
            FenFault::Board(_) => Ok(()),
            _ => write!(f, " at character {} of the position", self.0.at + 1),
        }
    }
}

struct Faults<'a>(&'a [Fault]);

impl fmt::Display for Faults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

/// A move text that was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// No squares can be read from it.
    #[error("cannot read move \"{text}\": {reason} at character {}", at + 1)]
    Unreadable {
        /// The text.
        text: String,
        /// Offset in characters of the first fault.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// It can be read, but no legal move is meant.
    #[error("illegal move \"{text}\"{hint}")]
    Illegal {
        /// The text.
        text: String,
        /// Why, as far as that can be told; begins with ": " if not empty.
        hint: String,
    },
    /// Several legal moves are meant.
    #[error("ambiguous move \"{text}\", could be {}", choices.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves it could be, in full.
        choices: Vec<String>,
    },
}
