//! A board as text.

use crate::board::{Kind, Side, Square};
use crate::rules::Position;

/// The board in eight lines from rank 8 down, and a ninth with the names of the files: men are `w` and `b`,
/// kings `W` and `B`, empty dark squares dots.
#[must_use]
pub fn board(position: &Position) -> Vec<String> {
    let rank = |rank: usize| {
        let squares: String = (0..8)
            .map(|file| {
                let piece = Square::new(file, rank).map(|square| position.piece_at(square));
                match piece {
                    None => "  ",
                    Some(None) => ". ",
                    Some(Some(piece)) => match (piece.side, piece.kind) {
                        (Side::White, Kind::Man) => "w ",
                        (Side::White, Kind::King) => "W ",
                        (Side::Black, Kind::Man) => "b ",
                        (Side::Black, Kind::King) => "B ",
                    },
                }
            })
            .collect();
        format!("{} {}", rank + 1, squares.trim_end())
    };
    let mut lines: Vec<String> = (0..8).rev().map(rank).collect();
    lines.push("  a b c d e f g h".to_owned());
    lines
}
