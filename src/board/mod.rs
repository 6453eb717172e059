//! The board and nothing of the rules: squares, sides, pieces, sets of squares, directions.
//!
//! The layout of the bits is known to [`Square`], [`Bitboard`] and [`geometry`] alone; every other
//! module asks for files, ranks, numbers, steps and slides.

mod bitboard;
pub mod geometry;
mod piece;
mod side;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use geometry::Direction;
pub use piece::{Kind, Piece};
pub use side::{Black, BySide, Color, Side, White};
pub use square::Square;
