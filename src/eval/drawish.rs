//! Material that does not win, whatever the network says.

use crate::board::{Bitboard, Side, geometry};
use crate::rules::Position;

/// A value with what cannot be used of it taken away: two pieces or fewer do not beat a lone king, nor three
/// one that holds the main road alone. What is won all the same is won by shots, which the search sees.
#[inline(always)]
pub(super) fn damped(value: i32, position: &Position) -> i32 {
    let strong = if value > 0 {
        position.side()
    } else {
        position.side().opponent()
    };
    let weak = strong.opponent();
    let lone = position.kings(weak);
    if lone.is_empty() || position.pieces(weak).several() {
        return value;
    }
    if is_safe(position, strong, lone) {
        value / 16
    } else {
        value
    }
}

fn is_safe(position: &Position, strong: Side, lone: Bitboard) -> bool {
    let pieces = position.pieces(strong).count();
    let road = position.occupied() & geometry::MAIN_ROAD;
    (pieces <= 2 && position.men(strong).is_empty()) || (pieces <= 3 && road == lone)
}
