//! Counting the leaves of the move tree: the proof of the generator and the measure of its speed.
//!
//! Moves are told apart by (from, to, captured set). The last ply is counted in bulk, without a
//! list.

use crate::board::{Black, Color, Side, White};
use crate::rules::movegen::{self, BulkCounter, View};
use crate::rules::moves::Move;
use crate::rules::position::Position;
use rayon::prelude::*;

/// Nobody counts deeper, in plies: the numbers would be too large and so would the stack.
pub const GREATEST_DEPTH: u32 = 60;

/// Number of leaves at `depth` plies; 1 at depth 0.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.side() {
        Side::White => descend::<White>(View::of::<White>(position), depth),
        Side::Black => descend::<Black>(View::of::<Black>(position), depth),
    }
}

/// The leaves below each move, in generator order. Empty at depth 0.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let below = |mv: Move| (mv, perft(&position.play(mv), depth - 1));
    position.legal_moves().into_iter().map(below).collect()
}

/// Like [`divide`], spread over the threads of the current rayon pool.
#[must_use]
pub fn divide_parallel(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    // Each task is the subtree of a position a few plies down, so that there are many more tasks
    // than threads whatever the shape of the tree. The last four plies stay whole.
    let split = depth.saturating_sub(1).min(4).min(depth.saturating_sub(4));
    let below = |mv: Move| {
        let frontier = frontier(&position.play(mv), split);
        let leaves = frontier
            .par_iter()
            .map(|p| perft(p, depth - 1 - split))
            .sum::<u64>();
        (mv, leaves)
    };
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.into_par_iter().map(below).collect()
}

/// The positions after `plies` plies, one for each line.
fn frontier(position: &Position, plies: u32) -> Vec<Position> {
    let mut layer = vec![*position];
    for _ in 0..plies {
        layer = layer
            .iter()
            .flat_map(|p| p.legal_moves().into_iter().map(|mv| p.play(mv)))
            .collect();
    }
    layer
}

/// Walks the tree to `depth` and shows each position to `check`, leaves included.
pub fn visit(position: &Position, depth: u32, check: &mut impl FnMut(&Position)) {
    check(position);
    if depth > 0 {
        for mv in position.legal_moves() {
            visit(&position.play(mv), depth - 1, check);
        }
    }
}

fn descend<C: Color>(view: View, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(movegen::count_moves::<C>(view)),
        _ if depth.is_multiple_of(2) => {
            let mut last_ply = BulkCounter::<C::Opponent>::new();
            even::<C>(view, depth, &mut last_ply);
            last_ply.finish()
        }
        _ => {
            let mut last_ply = BulkCounter::<C>::new();
            odd::<C>(view, depth, &mut last_ply);
            last_ply.finish()
        }
    }
}

/// An even number of plies, at least 2, is left: the last ply is the opponent's.
fn even<C: Color>(view: View, depth: u32, last_ply: &mut BulkCounter<C::Opponent>) {
    if depth == 2 {
        movegen::for_each_child::<C>(view, |child| last_ply.add(child));
    } else {
        movegen::for_each_child::<C>(view, |child| odd::<C::Opponent>(child, depth - 1, last_ply));
    }
}

/// An odd number of plies, at least 3, is left: the last ply is ours.
fn odd<C: Color>(view: View, depth: u32, last_ply: &mut BulkCounter<C>) {
    movegen::for_each_child::<C>(view, |child| {
        even::<C::Opponent>(child, depth - 1, last_ply)
    });
}
