//! Russian draughts (shashki, 8x8): rules, search, protocols.
pub mod board;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod rules;
pub mod score;
pub mod search;
pub mod tt;
