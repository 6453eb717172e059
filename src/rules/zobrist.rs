//! Zobrist keys.
//!
//! The constants are a format: books, tables and saved games may hold keys, so they never change
//! (`tests/zobrist.rs` compares them with stored values). They are the outputs of the splitmix64
//! generator (Steele, Lea and Flood, 2014) from a fixed seed.

use crate::board::{Bitboard, Kind, Side, Square};

/// Seed of the generator: "shashki!" in ASCII.
const SEED: u64 = 0x7368_6173_686B_6921;

/// Advances the generator; returns its new state and the number drawn.
const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

struct Keys {
    /// By side, kind and [`Square::index`].
    piece: [[[u64; 32]; 2]; 2],
    black_to_move: u64,
    /// By plies of a draw counter.
    counter: [u64; 128],
}

const KEYS: Keys = {
    let mut keys = Keys {
        piece: [[[0; 32]; 2]; 2],
        black_to_move: 0,
        counter: [0; 128],
    };
    let mut state = SEED;
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < 2 {
            // In the order of the square numbers, not of the bits, so that a change of the board
            // layout does not change the keys.
            let mut i = 0;
            while i < 32 {
                let (next, key) = splitmix64(state);
                state = next;
                keys.piece[side][kind][Square::ALL[i].index()] = key;
                i += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    (state, keys.black_to_move) = splitmix64(state);
    let mut i = 0;
    while i < 128 {
        (state, keys.counter[i]) = splitmix64(state);
        i += 1;
    }
    keys
};

static TABLE: Keys = KEYS;

/// Key of one piece on one square.
#[must_use]
#[inline(always)]
pub fn piece(side: Side, kind: Kind, square: Square) -> u64 {
    TABLE.piece[side as usize][kind as usize][square.index()]
}

/// Key that is mixed in when Black is to move.
pub const BLACK_TO_MOVE: u64 = KEYS.black_to_move;

/// Key for the value of a draw counter; values above 127 share the last key.
#[must_use]
pub fn counter(plies: u32) -> u64 {
    TABLE.counter[plies.min(127) as usize]
}

/// The key of a whole position, from scratch.
#[must_use]
pub fn key(white: Bitboard, black: Bitboard, kings: Bitboard, to_move: Side) -> u64 {
    let mut key = if to_move == Side::Black {
        BLACK_TO_MOVE
    } else {
        0
    };
    for (side, pieces) in [(Side::White, white), (Side::Black, black)] {
        for square in pieces {
            let kind = if kings.contains(square) {
                Kind::King
            } else {
                Kind::Man
            };
            key ^= piece(side, kind, square);
        }
    }
    key
}
