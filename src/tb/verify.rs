//! Proof of a table: every value follows from those one ply on.

use crate::rules::{MoveList, Position, movegen};
use crate::tb::material::Material;
use crate::tb::solution::{Solution, look_up};
use crate::tb::value::{CAPTURE, LIMIT, Value};
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

/// How many positions of a material have which value, a capture pending or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The material; the side named first is to move.
    pub material: Material,
    /// All positions.
    pub positions: u64,
    /// Wins in time.
    pub wins: u64,
    /// Losses in time.
    pub losses: u64,
    /// Draws whatever the counter.
    pub draws: u64,
    /// Wins but for the counter.
    pub cursed_wins: u64,
    /// Losses but for the counter.
    pub cursed_losses: u64,
    /// Greatest distance of a win, plies; 0 if there is none.
    pub longest_win: u8,
    /// Greatest distance of a loss, plies.
    pub longest_loss: u8,
    /// A position with that distance of a win.
    pub example: Option<Position>,
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

impl Solution {
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

    /// Counts the values of a material; `None` if it is not there.
    #[must_use]
    pub fn counts(&self, material: Material) -> Option<Counts> {
        let solved = self.finished.get(&material)?;
        let tally = solved.values.par_chunks(1 << 16).map(|values| {
            let mut tally = [0_u64; 1 << 7];
            for &byte in values {
                tally[usize::from(byte & !CAPTURE)] += 1;
            }
            tally
        });
        let sum = |mut sum: [u64; 1 << 7], tally: [u64; 1 << 7]| {
            sum.iter_mut()
                .zip(tally)
                .for_each(|(sum, more)| *sum += more);
            sum
        };
        let tally = tally.reduce(|| [0; 1 << 7], sum);
        let of = |value: Value| tally[usize::from(value.to_byte())];
        let farthest = |value: fn(u8) -> Value| {
            let found = (0..=LIMIT).rev().find(|&d| d > 0 && of(value(d)) > 0);
            found.unwrap_or(0)
        };
        let longest_win = farthest(Value::Win);
        let byte = Value::Win(longest_win).to_byte();
        let example = solved.values.iter().position(|&value| value == byte);
        Some(Counts {
            material,
            positions: solved.values.len() as u64,
            wins: (1..=LIMIT).map(|distance| of(Value::Win(distance))).sum(),
            losses: (0..=LIMIT).map(|distance| of(Value::Loss(distance))).sum(),
            draws: of(Value::Draw),
            cursed_wins: of(Value::CursedWin),
            cursed_losses: of(Value::CursedLoss),
            longest_win,
            longest_loss: farthest(Value::Loss),
            example: example
                .filter(|_| longest_win > 0)
                .map(|at| solved.index.board(at).position()),
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
