//! Random positions.

use shashki::board::{Side, Square};
use shashki::rules::{Position, Setup};

/// A random placement of so many pieces, men and kings alike, both sides present. Half of the tries or
/// more fall on bad squares; that is `None`.
#[must_use]
pub fn position(random: &mut fastrand::Rng, pieces: u8) -> Option<Position> {
    let mut setup = Setup::empty(Side::White);
    let white = random.u8(1..pieces);
    for number in 0..pieces {
        let square = *random.choice(&Square::ALL)?;
        let side = Side::ALL[usize::from(number >= white)];
        if (setup.white | setup.black).contains(square) {
            return None;
        }
        let set = setup.pieces_mut(side);
        *set = set.with(square);
        if random.bool() {
            setup.kings = setup.kings.with(square);
        }
    }
    if random.bool() {
        setup.side = Side::Black;
    }
    setup.validate().ok()
}
