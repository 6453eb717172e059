//! Material that does not win, whatever the network says.

use crate::board::{Side, geometry};
use crate::rules::Position;

/// What such a value is at most, centi-men: far from even chances of a win.
const MOST: i32 = 25;

/// A value with what cannot be used of it taken away: two pieces or fewer do not beat a lone king, nor three
/// one that holds the main road alone; and a lone king does not beat kings. What is won all the same is won by
/// shots, which the search sees.
#[inline(always)]
pub(super) fn damped(value: i32, position: &Position) -> i32 {
    let ahead = if value > 0 {
        position.side()
    } else {
        position.side().opponent()
    };
    if Side::ALL
        .into_iter()
        .any(|lone| is_drawn(position, lone, ahead))
    {
        (value / 16).clamp(-MOST, MOST)
    } else {
        value
    }
}

/// Whether a side with nothing but a king draws, where it is said who is ahead.
#[inline(always)]
fn is_drawn(position: &Position, lone: Side, ahead: Side) -> bool {
    let king = position.kings(lone);
    if king.is_empty() || position.pieces(lone).several() {
        return false;
    }
    let others = lone.opponent();
    let only_kings = position.men(others).is_empty();
    if ahead == lone {
        return only_kings;
    }
    let pieces = position.pieces(others).count();
    let road = position.occupied() & geometry::MAIN_ROAD;
    (pieces <= 2 && only_kings) || (pieces <= 3 && road == king)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Numbering, fen};

    #[test]
    fn no_weights_make_a_win_of_it() {
        let of = |value, text: &str| {
            let position = fen::read(text, Numbering::B8).expect("a position").position;
            damped(value, &position)
        };
        for drawn in [
            "W:WKd8:BKa3",
            "B:WKd8:BKa3",
            "W:WKb8,Kf8:BKa3",
            "B:WKb8,Kf8:BKa3",
            "W:WKc7,Kh6,Kc1:BKc3",
            "B:WKc7,Kh6,Kc1:BKc3",
        ] {
            for value in [-20_000, -300, 300, 20_000] {
                assert!(of(value, drawn).abs() <= MOST, "{drawn} {value}");
            }
        }
        // Three kings win where the road is free; a king wins against men, and they against it.
        assert_eq!(of(300, "W:WKb8,Kf8,Kd8:BKa3"), 300);
        assert_eq!(of(300, "W:WKb8:Bh6,g7"), 300);
        assert_eq!(of(-300, "W:WKb8:Bh6,g3,c3,e3"), -300);
        // But the lone king is not ahead of three others.
        assert!(of(-300, "W:WKb8,Kf8,Kd8:BKa3").abs() <= MOST);
    }
}
