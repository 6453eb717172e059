//! Names of squares: letters, and the two numberings.

use crate::board::Square;
use std::fmt;
use std::str::FromStr;

/// Which corner square number 1 is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Numbering {
    /// 1 = b8 to 32 = g1, the top row first: lidraughts, CheckerBoard, py-draughts, most files.
    #[default]
    B8,
    /// 1 = a1 to 32 = h8, the bottom row first: the PDN standard, pydraughts 0.6.
    A1,
}

impl Numbering {
    /// The square of a number; `None` outside 1..=32.
    #[must_use]
    pub const fn square(self, number: usize) -> Option<Square> {
        match self {
            Numbering::B8 => Square::from_number_b8(number),
            Numbering::A1 => Square::from_number_a1(number),
        }
    }

    /// The number of a square, 1..=32.
    #[must_use]
    pub const fn number(self, square: Square) -> usize {
        match self {
            Numbering::B8 => square.number_b8(),
            Numbering::A1 => square.number_a1(),
        }
    }

    /// The other numbering.
    #[must_use]
    pub const fn other(self) -> Numbering {
        match self {
            Numbering::B8 => Numbering::A1,
            Numbering::A1 => Numbering::B8,
        }
    }

    /// `b8` or `a1`, the square with number 1.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Numbering::B8 => "b8",
            Numbering::A1 => "a1",
        }
    }
}

impl fmt::Display for Numbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Numbering {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbering, String> {
        match text.to_ascii_lowercase().as_str() {
            "b8" => Ok(Numbering::B8),
            "a1" => Ok(Numbering::A1),
            _ => Err(format!("unknown numbering \"{text}\", expected b8 or a1")),
        }
    }
}

/// How squares are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Spelling {
    /// a1 to h8; everybody reads it the same way.
    #[default]
    Algebraic,
    /// Numbers.
    Numeric(Numbering),
}

/// The name of a square in a spelling.
#[must_use]
pub fn square_name(square: Square, spelling: Spelling) -> String {
    match spelling {
        Spelling::Algebraic => square.to_string(),
        Spelling::Numeric(numbering) => numbering.number(square).to_string(),
    }
}
