//! Game files: Portable Draughts Notation, GameType 25.
//!
//! [`Reader`] streams: it holds one game at a time, whatever the size of the file. It gives every
//! game it finds, with the faults it met in it; a bad game never hides the next one. [`PdnGame`] is
//! the text of a game; [`PdnGame::replay`] plays it under the rules. [`write()`] is the inverse of the
//! reader.

mod convert;
mod game;
mod lexer;
mod reader;
mod replay;
mod source;
mod writer;

pub use convert::Converted;
pub use game::{Item, Outcome, PdnGame};
pub use reader::{PdnFault, PdnFaultKind, Reader};
pub use replay::{Replay, ReplayError, ReplayFault};
pub use source::Encoding;
pub use writer::{CaptureSign, from_game, write};
