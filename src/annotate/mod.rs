//! Games with every move judged against the best.

mod html;
mod pdn;
mod report;
mod review;

pub use html::page;
pub use pdn::annotated;
pub use report::{GameReport, Mark, MoveReport, Near, SCHEMA, SideReport};
pub use review::Reviewer;
