//! Endgame tables that know the 15-move rule.
//!
//! A table holds the value of every position of a material in which no capture is pending (captures are
//! for the search), under threefold repetition and the 15-move rule with its counter at zero, and how
//! far the next capture or man's move is. From that the value at any count follows:
//! [`Value::at_count`].

mod build;
mod cache;
mod codec;
mod file;
mod generate;
mod index;
mod material;
mod probe;
mod solution;
mod value;
mod verdict;
mod verify;

pub use build::{BuildError, Event, Observer, build, bundle, verify};
pub use file::Damage;
pub use material::Material;
pub use probe::{Complaint, DEFAULT_CACHE_MIB, FileInfo, Tables};
pub use solution::Solution;
pub use value::{LIMIT, Value};
pub use verdict::{Judge, Verdict};
pub use verify::{Counts, Fault};

/// Most pieces that tables are made for.
pub const MOST_PIECES: u8 = 6;
