//! What several tests need: files of `positions/`, random positions, short ways to positions.

pub(crate) mod engine;

use shashki::board::{Bitboard, Side, Square};
use shashki::notation::{Numbering, fen};
use shashki::rules::{Move, Position, Setup};
use std::path::{Path, PathBuf};

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of `positions/`.
pub(crate) fn positions_file(name: &str) -> PathBuf {
    root().join("positions").join(name)
}

/// A folder of files whose licences do not let them into the project: below the folder that the
/// variable SHASHKI_OUTSIDE_FILES names, else below one called `shared` beside the checkout. Says so
/// where it is missing; the tests that need it then have nothing to test.
pub(crate) fn outside_files(name: &str) -> Option<PathBuf> {
    let all = std::env::var_os("SHASHKI_OUTSIDE_FILES")
        .map_or_else(|| root().join("../shared"), PathBuf::from);
    let folder = all.join(name);
    if !folder.is_dir() {
        eprintln!("skipped: {} is missing", folder.display());
        return None;
    }
    Some(folder)
}

/// The text of a file of `positions/`.
pub(crate) fn positions_text(name: &str) -> String {
    let path = positions_file(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines of a file of `positions/` that are neither empty nor comments.
pub(crate) fn positions_lines(name: &str) -> Vec<String> {
    let keep = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    positions_text(name)
        .lines()
        .filter(keep)
        .map(str::to_owned)
        .collect()
}

/// A position from a FEN that must be good; numbers count from b8.
pub(crate) fn position(text: &str) -> Position {
    fen::read(text, Numbering::B8)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .position
}

/// A square from its algebraic name.
pub(crate) fn square(name: &str) -> Square {
    let bytes = name.as_bytes();
    Square::new((bytes[0] - b'a') as usize, (bytes[1] - b'1') as usize).expect("a dark square")
}

/// A set of squares from algebraic names.
pub(crate) fn squares<'a>(names: impl IntoIterator<Item = &'a str>) -> Bitboard {
    names.into_iter().map(square).collect()
}

/// The identity of a move: from, to, captured squares.
pub(crate) type Triple = (Square, Square, u32);

/// The identity of a move.
pub(crate) fn triple(mv: Move) -> Triple {
    (mv.from(), mv.to(), mv.captured().bits())
}

/// A small generator of random numbers (xorshift64*), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    /// From a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) % n as u64) as usize
    }
}

/// A random placement: up to twelve pieces a side, a third of them kings.
pub(crate) fn random_placement(random: &mut Random) -> Position {
    loop {
        let side = if random.below(2) == 0 {
            Side::White
        } else {
            Side::Black
        };
        let mut setup = Setup::empty(side);
        let most = 1 + random.below(12);
        for color in Side::ALL {
            for _ in 0..1 + random.below(most) {
                let square = Square::ALL[random.below(32)];
                if !(setup.white | setup.black).contains(square) {
                    let pieces = setup.pieces_mut(color);
                    *pieces = pieces.with(square);
                    if random.below(3) == 0 {
                        setup.kings = setup.kings.with(square);
                    }
                }
            }
        }
        if let Ok(position) = setup.validate() {
            return position;
        }
    }
}

/// A position after up to `plies` random plies from the start.
pub(crate) fn random_play(random: &mut Random, plies: usize) -> Position {
    let mut position = Position::start();
    for _ in 0..random.below(plies + 1) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    position
}
