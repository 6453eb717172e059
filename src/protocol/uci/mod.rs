//! The UCI-style protocol: chess engines' text protocol with draughts positions and moves.

mod extras;
pub mod session;
pub mod wire;
