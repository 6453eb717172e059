//! Keys are a format: they never change.

use crate::support::position;
use shashki::rules::Position;

#[test]
fn keys_are_the_stored_ones() {
    let stored = [
        (Position::start(), 0x3690_141d_85ab_8223u64),
        (position("B:WKa1:BKh8"), 0xe0b0_fe9a_52b8_a40c),
        (position("W:We5,Kd2:Bc7"), 0x6025_8e4e_816c_a8cc),
    ];
    for (position, key) in stored {
        assert_eq!(position.key(), key, "{:#018x}", position.key());
        assert_eq!(position.fresh_key(), key);
    }
}
