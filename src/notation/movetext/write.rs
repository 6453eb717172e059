//! From moves to text.

use crate::board::Square;
use crate::notation::movetext::path;
use crate::notation::square_names::{Numbering, Spelling, square_name};
use crate::rules::{Move, Position};

/// Writes a move with its whole path: `c3-d4`, `a3:c5:e7`, or in numbers `22-18`, `21x14x7`.
#[must_use]
pub fn write_full(position: &Position, mv: Move, spelling: Spelling) -> String {
    join(&path(position, mv), mv, spelling)
}

/// Writes a move by from and to, or with its whole path where that would fit several moves.
#[must_use]
pub fn write_short(position: &Position, mv: Move, spelling: Spelling) -> String {
    let same_ends = |other: &Move| other.from() == mv.from() && other.to() == mv.to();
    if position
        .legal_moves()
        .iter()
        .filter(|other| same_ends(other))
        .count()
        > 1
    {
        write_full(position, mv, spelling)
    } else {
        join(&[mv.from(), mv.to()], mv, spelling)
    }
}

fn join(squares: &[Square], mv: Move, spelling: Spelling) -> String {
    let separator = match spelling {
        _ if !mv.is_capture() => "-",
        Spelling::Algebraic => ":",
        Spelling::Numeric(_) => "x",
    };
    let names: Vec<String> = squares
        .iter()
        .map(|&square| square_name(square, spelling))
        .collect();
    names.join(separator)
}

/// The legal moves, a line each in alphabetical order, `move <whole path> captured <squares>` with `-`
/// for no captures, and last `moves <count>`.
#[must_use]
pub fn list(position: &Position, spelling: Spelling) -> Vec<String> {
    let line = |&mv: &Move| {
        let path = write_full(position, mv, spelling);
        let mut captured: Vec<Square> = mv.captured().squares().collect();
        captured.sort_unstable();
        let names: Vec<String> = captured
            .into_iter()
            .map(|square| square_name(square, spelling))
            .collect();
        let captured = if names.is_empty() {
            "-".to_owned()
        } else {
            names.join(",")
        };
        format!("move {path} captured {captured}")
    };
    let mut lines: Vec<String> = position.legal_moves().iter().map(line).collect();
    lines.sort_unstable();
    lines.push(format!("moves {}", lines.len()));
    lines
}

/// Writes a move as Hub wants it: `22-18`, or from, to and every captured square: `21x7x10x17`.
#[must_use]
pub fn write_hub(mv: Move, numbering: Numbering) -> String {
    let number = |square| numbering.number(square);
    let (from, to) = (number(mv.from()), number(mv.to()));
    if !mv.is_capture() {
        return format!("{from}-{to}");
    }
    let mut captured: Vec<usize> = mv.captured().squares().map(number).collect();
    captured.sort_unstable();
    let captured: String = captured.iter().map(|n| format!("x{n}")).collect();
    format!("{from}x{to}{captured}")
}
