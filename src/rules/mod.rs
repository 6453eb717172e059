//! The rules of Russian draughts: the referee for the engine, the match runner, the tests and
//! everybody else. Nobody re-implements a rule.

pub mod draw;
pub mod game;
pub mod movegen;
mod moves;
pub mod perft;
mod position;
mod setup;
pub mod zobrist;

pub use draw::{DrawClock, DrawReason, DrawRules};
pub use game::{Game, GameEnd};
pub use moves::{CompactMove, MOVE_LIST_CAPACITY, Move, MoveList};
pub use position::Position;
pub use setup::{Fault, Setup};
