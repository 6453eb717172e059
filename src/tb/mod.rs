//! Endgame tables that know the 15-move rule.
//!
//! A table holds the value of every position of a material in which no capture is pending (captures are
//! for the search), under threefold repetition and the 15-move rule with its counter at zero, and how
//! far the next capture or man's move is. From that the value at any count follows:
//! [`Value::at_count`].

mod generate;
mod index;
mod material;
mod value;
mod verify;

pub use material::Material;
pub use value::{LIMIT, Value};
pub use verify::Fault;

use crate::rules::{Position, movegen};
use generate::Finished;
use std::sync::Arc;

/// Most pieces that tables are made for.
pub const MOST_PIECES: u8 = 6;

/// Tables in memory.
#[derive(Debug, Default)]
pub struct Tables {
    finished: Finished,
}

impl Tables {
    /// Makes all tables up to a number of pieces, at most [`MOST_PIECES`], in the threads of the
    /// current pool.
    #[must_use]
    pub fn solve(pieces: u8) -> Tables {
        let mut tables = Tables::default();
        for pieces in 2..=pieces.min(MOST_PIECES) {
            for material in Material::all(pieces) {
                for solved in generate::generate(material, &tables.finished) {
                    let material = solved.index.material;
                    tables.finished.insert(material, Arc::new(solved));
                }
            }
        }
        tables
    }

    /// The value of a position for its side to move; `None` where a capture is pending, a side has no
    /// pieces, or there is no table.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let alone = position.pieces(position.side()).is_empty();
        if alone || movegen::has_capture(position) {
            return None;
        }
        generate::look_up(&self.finished, position)
    }
}
