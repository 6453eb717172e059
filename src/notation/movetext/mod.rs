//! Moves as text.
//!
//! A text names squares, and the legal moves of the position decide what it means. Read are: `c3-d4`,
//! `c3d4`, `a3:c5:e7` (from and landing squares, all or some of them), `a3xe7`, `cd4` and `b:d4`
//! (file and target, the club shorthand), Kallisto's `a3:b4:d6:e7` (from, captured squares, to),
//! Hub's `21x7x10x17` (from, to, captured squares), numbers with or without separator (`2218`),
//! upper case, Cyrillic letters that look like Latin ones, and marks such as `!?` behind the move.

mod path;
mod read;
mod write;

pub use path::path;
pub use read::{read, read_hub};
pub use write::{list, write_full, write_hub, write_short};
