//! Russian draughts (shashki, 8x8): rules, search, protocols.
pub mod board;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod tt;
