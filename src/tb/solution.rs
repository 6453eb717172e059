//! Tables in memory, a byte for each entry: what making and proving tables works on.

use crate::rules::{Position, movegen};
use crate::tb::MOST_PIECES;
use crate::tb::codec::{self, BLOCK, Kind};
use crate::tb::file::{self, Damage, Image};
use crate::tb::generate;
use crate::tb::index::Index;
use crate::tb::material::{Board, Material};
use crate::tb::value::{CAPTURE, Value};
use rayon::prelude::*;
use std::collections::HashMap;

/// Is told of entries as they are finished.
pub(super) type Advance<'a> = &'a (dyn Fn(u64) + Sync);

/// Why a material could not be taken over from its files: which one, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Unloadable {
    pub(super) kind: Kind,
    pub(super) damage: Damage,
}

/// A finished table of one material and side to move. Where a capture is pending it holds what the
/// captures lead to.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) index: Index,
    pub(super) values: Vec<u8>,
}

/// Finished tables, both sides to move of each.
pub(super) type Finished = HashMap<Material, Solved>;

/// Endings solved in memory.
#[derive(Debug, Default)]
pub struct Solution {
    pub(super) finished: Finished,
}

impl Solution {
    /// Solves all endings up to a number of pieces, at most [`MOST_PIECES`], in the threads of the
    /// current pool. Takes a byte for each position.
    #[must_use]
    pub fn of_all(pieces: u8) -> Solution {
        let mut solution = Solution::default();
        for pieces in 2..=pieces.min(MOST_PIECES) {
            for material in Material::all(pieces) {
                solution.solve(material, &|_| {});
            }
        }
        solution
    }

    /// Solves a material; those it depends on must be there. `advance` is told of entries as they are
    /// finished.
    pub(super) fn solve(&mut self, material: Material, advance: Advance<'_>) {
        for solved in generate::generate(material, &self.finished, advance) {
            self.finished.insert(solved.index.material, solved);
        }
    }

    /// Takes a material over from its files; those that its captures lead to must be there.
    ///
    /// # Errors
    /// A block is damaged, or says something that is no value.
    pub(super) fn load(&mut self, outcomes: &Image, distances: &Image) -> Result<(), Unloadable> {
        let mut first = 0;
        for side in file::sides(outcomes.material) {
            let index = Index::new(side);
            let mut values = vec![0; index.len()];
            let blocks = values.par_chunks_mut(BLOCK).enumerate();
            blocks.try_for_each(|(at, values)| {
                let number = first + at as u32;
                let block = |kind: Kind, image: &Image| {
                    let block = image.block(number, values.len());
                    block.map_err(|damage| Unloadable { kind, damage })
                };
                let outcomes = block(Kind::Outcomes, outcomes)?;
                let distances = block(Kind::Distances, distances)?;
                for (within, value) in values.iter_mut().enumerate() {
                    let position = index.board(at * BLOCK + within).position();
                    *value = if movegen::has_capture(&position) {
                        self.after_captures(&position).to_byte() | CAPTURE
                    } else {
                        let outcome = codec::outcome(&outcomes, within);
                        let distance = distances.get(within).copied().unwrap_or(0);
                        let stored = outcome.and_then(|outcome| outcome.with_distance(distance));
                        stored.map(Value::to_byte).ok_or(Unloadable {
                            kind: Kind::Distances,
                            damage: Damage::Block(number),
                        })?
                    };
                }
                Ok(())
            })?;
            first += file::blocks_of(index.len()) as u32;
            self.finished.insert(side, Solved { index, values });
        }
        Ok(())
    }

    /// The value of a position with a capture pending.
    fn after_captures(&self, position: &Position) -> Value {
        let moves = position.legal_moves();
        let values = moves.iter().map(|&mv| {
            let after = look_up(&self.finished, &position.play(mv));
            debug_assert!(after.is_some(), "{position:?}");
            after.unwrap_or(Value::Draw).before_zeroing()
        });
        values
            .max_by_key(|value| value.rank())
            .unwrap_or(Value::Draw)
    }

    /// Drops a material.
    pub(super) fn drop_material(&mut self, material: Material) {
        for side in file::sides(material) {
            self.finished.remove(&side);
        }
    }

    /// The value of a position for its side to move; `None` where a capture is pending, a side has no
    /// pieces, or there is no table.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let alone = position.pieces(position.side()).is_empty();
        if alone || movegen::has_capture(position) {
            return None;
        }
        look_up(&self.finished, position)
    }
}

/// The entry of a position, a capture pending or not; `None` if its table is not there. Who has no
/// pieces has lost.
pub(super) fn look_up(finished: &Finished, position: &Position) -> Option<Value> {
    if position.pieces(position.side()).is_empty() {
        return Some(Value::Loss(0));
    }
    let solved = finished.get(&Material::of(position))?;
    let byte = solved.values.get(solved.index.of(&Board::of(position)))?;
    Some(Value::from_byte(*byte))
}
