//! Proof of a table: every value follows from those one ply on.

use crate::rules::{MoveList, Position, movegen};
use crate::tb::Tables;
use crate::tb::generate::look_up;
use crate::tb::material::Material;
use crate::tb::value::{LIMIT, Value};
use rayon::prelude::*;

/// A value that does not follow from its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position.
    pub position: Position,
    /// What the table says.
    pub stored: Value,
    /// What the positions after it say.
    pub right: Value,
}

/// What is known of the moves of a position.
struct Summary {
    moves: u32,
    /// The nearest win by a move, and the farthest loss.
    win: Option<u8>,
    loss: u8,
    /// Moves that win and lose, under the rule and without it.
    losing: u32,
    winning_without: u32,
    losing_without: u32,
}

impl Tables {
    /// Checks every entry of a material for one side to move; a fault if there is one.
    ///
    /// The tables it depends on must be there.
    #[must_use]
    pub fn verify(&self, material: Material) -> Option<Fault> {
        let solved = self.finished.get(&material)?;
        (0..solved.index.len()).into_par_iter().find_map_any(|at| {
            let position = solved.index.board(at).position();
            let stored = Value::from_byte(solved.values[at]);
            let right = self.derived(&position)?;
            (stored != right).then_some(Fault {
                position,
                stored,
                right,
            })
        })
    }

    /// The value that follows from the positions after this one; `None` where one of them is unknown.
    fn derived(&self, position: &Position) -> Option<Value> {
        let mut moves = MoveList::new();
        movegen::generate(position, &mut moves);
        let mut summary = Summary {
            moves: moves.len() as u32,
            win: None,
            loss: 0,
            losing: 0,
            winning_without: 0,
            losing_without: 0,
        };
        for &mv in &moves {
            let after = position.play(mv);
            let value = look_up(&self.finished, &after)?;
            // A move that starts the counter anew ends the count.
            let distance = |beyond: u8| if mv.is_reversible() { beyond + 1 } else { 1 };
            match value {
                Value::Loss(beyond) if distance(beyond) <= LIMIT => {
                    let nearest = summary.win.unwrap_or(LIMIT).min(distance(beyond));
                    summary.win = Some(nearest);
                }
                Value::Win(beyond) if distance(beyond) <= LIMIT => {
                    summary.losing += 1;
                    summary.loss = summary.loss.max(distance(beyond));
                }
                _ => {}
            }
            summary.winning_without += u32::from(value.is_loss());
            summary.losing_without += u32::from(value.is_win());
        }
        Some(if let Some(distance) = summary.win {
            Value::Win(distance)
        } else if summary.losing == summary.moves {
            Value::Loss(summary.loss)
        } else if summary.winning_without > 0 {
            Value::CursedWin
        } else if summary.losing_without == summary.moves {
            Value::CursedLoss
        } else {
            Value::Draw
        })
    }
}
