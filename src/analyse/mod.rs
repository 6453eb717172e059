//! Answers about many positions, for scripts: read them, think about each by itself, write the answers in
//! the order of the questions.
//!
//! Every position is thought about as if it were the only one, so an answer depends on nothing but the
//! position and the limits (as long as those are no times), whatever the number of threads.

mod analyst;
mod answer;
mod batch;
pub(crate) mod pipeline;
mod question;

pub use analyst::{Analysis, Analyst, Analysts, Line, Setting, hash_for};
pub use answer::{Answer, Format, Found, LineSays, Outcome, SCHEMA, TableSays};
pub use batch::{Progress, run};
pub use question::{Question, Reader, What};
