//! Russian draughts (shashki, 8x8): rules, search, protocols.
//!
//! The modules are layers, from the bottom: [`board`]; [`rules`]; [`notation`] and [`score`]; [`eval`],
//! [`tb`] and [`tt`]; [`search`]; [`engine`]; [`protocol`], [`matches`](mod@matches) and [`cli`]. None knows
//! those above it, and nothing holds state of the process.
//!
//! ```rust
//! use shashki::rules::{DrawRules, Game, Position};
//! use shashki::search::{Limits, NoObserver, SearchPool, Shared};
//! use shashki::tt::TranspositionTable;
//! use std::sync::Arc;
//!
//! let game = Game::new(Position::start(), DrawRules::standard());
//! let table = TranspositionTable::new(16)?;
//! let shared = Shared::new(Arc::new(table));
//! let report = SearchPool::new(1).search(&shared, &game, &Limits::depth(8), &mut NoObserver);
//! println!("{:?} {}", report.best, report.score);
//! # Ok::<(), shashki::tt::OutOfMemory>(())
//! ```

pub mod analyse;
pub mod annotate;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod files;
pub mod matches;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod tb;
pub mod tt;
