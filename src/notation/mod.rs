//! Positions, moves and games as text: lenient in, strict out.
//!
//! Every rejection names what was wrong and where. Nothing here may panic on outside input.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod board_text;
pub mod diagram;
mod error;
pub mod fen;
mod lines;
pub mod movetext;
pub mod pdn;
mod square_names;

pub use error::{FenError, FenFault, MoveError};
pub use fen::Fen;
pub use lines::Lines;
pub use square_names::{Numbering, Spelling, square_name};
