//! Opening books: for each of its positions a book has the value of every legal move.
//!
//! No move is left out, so no drawing line is: which moves are played is decided by how much worse than
//! the best they may be. [`Tree`] grows a book by drop-out expansion and [`build()`] keeps it in a file
//! meanwhile; [`Book`] is what comes of it.

mod build;
mod format;
mod tree;

pub use build::{BuildError, Progress, build};
pub use format::{BadBook, Book};
pub use tree::Tree;

use crate::rules::{Move, Position};

/// Greatest value of a move, centi-men: what is more is written as this.
pub const GREATEST: i16 = 10_000;

/// The legal moves in the order in which a book has their values, which is the same for ever: by the
/// numbers of the squares, from, to, and captured.
#[must_use]
pub fn moves_in_order(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_cached_key(|mv| {
        let captured: Vec<usize> = mv.captured().into_iter().map(|s| s.number_b8()).collect();
        let mut captured = captured;
        captured.sort_unstable();
        (mv.from().number_b8(), mv.to().number_b8(), captured)
    });
    moves
}
