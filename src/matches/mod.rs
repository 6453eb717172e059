//! Matches between engines: programs that speak UCI or Hub play each other under the referee of
//! [`rules`](crate::rules), and statistics say what the games prove.
//!
//! [`run`] plays a whole [`Match`]: the schedule is known in advance, each game is given to the next
//! free worker thread, and whatever an engine does wrong loses that one game. Nothing here prints:
//! a [`Watcher`] is told of every game.
//!
//! From the outside in: `runner` (threads, order, end of the match), `journal` (the state file) over `append`,
//! `schedule` and `openings` (who plays whom, from where), `play` (one game) with `adjudicate`,
//! `client` (one engine) over `process` (one child), `cancel` (the wish to end), `standings` with `stats` and `sprt`, `report`.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod adjudicate;
pub(crate) mod append;
mod cancel;
mod client;
mod journal;
pub mod openings;
mod play;
mod process;
mod record;
pub mod report;
mod runner;
mod schedule;
mod spec;
pub mod sprt;
mod standings;
pub mod stats;
pub(crate) mod time;

pub use adjudicate::{Adjudication, ByTables, DrawByScore, Resignation};
pub use journal::JournalError;
pub use openings::Opening;
pub use record::{Ending, Fault, GameRecord, MoveRecord};
pub use runner::{Match, MatchError, Outcome, StopReason, Watcher, run};
pub use schedule::Format;
pub use spec::{EngineSpec, Protocol, SpecError, engines_from_toml};
pub use standings::{Line, Standings};
pub use time::{TimeControl, TimeControlError};
