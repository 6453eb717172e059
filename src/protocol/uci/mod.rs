//! The UCI-style protocol: chess engines' text protocol with draughts positions and moves.

pub mod session;
pub mod wire;
