//! The state file of a match: JSON lines, the settings first, then a line for each finished game.
//!
//! A line counts once it is whole. A match that was killed continues behind the last whole line; a
//! torn one is cut off and its game played again.

use crate::matches::append::{Appender, Unwritten};
use crate::matches::record::GameRecord;
use serde::{Deserialize, Serialize};
use std::fs::{OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Version of the lines.
const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Heading {
    /// Version of the format.
    match_file: u32,
    /// Names of the engines in the order of their indices.
    pub(super) engines: Vec<String>,
    /// All that decides which games are played and how, in words.
    pub(super) settings: Vec<String>,
}

impl Heading {
    pub(super) fn new(engines: Vec<String>, settings: Vec<String>) -> Heading {
        Heading {
            match_file: VERSION,
            engines,
            settings,
        }
    }
}

/// The state file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Another match is writing it.
    #[error("{path} is in use by a match that is running")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to another match.
    #[error("{path} belongs to another match: {difference}; use another file or the same settings")]
    Other {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
    /// It is no state file, or damaged.
    #[error("{path}, line {line}: no line of a match file ({error})")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
}

/// An open state file.
pub(super) struct Journal {
    file: Appender,
}

impl Journal {
    /// Opens a state file, or begins one; gives the games that are in it.
    pub(super) fn open(
        path: &Path,
        heading: &Heading,
    ) -> Result<(Journal, Vec<GameRecord>), JournalError> {
        let io = |error| JournalError::Io {
            path: path.to_owned(),
            error,
        };
        // A device or a pipe gives back nothing of what was written, and may give without end.
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "is no regular file");
            return Err(io(error));
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(JournalError::InUse { path });
            }
            // Not every file system has locks.
            Err(TryLockError::Error(error)) => log::info!("{}: {error}", path.display()),
        }
        // By the handle that has the lock: a lock may be in the way of another.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let text = String::from_utf8_lossy(bytes.get(..whole).unwrap_or_default());
        let damaged = |line, error: serde_json::Error| JournalError::Damaged {
            path: path.to_owned(),
            line,
            error: error.to_string(),
        };
        let mut lines = (1..).zip(text.lines());
        let mut games: Vec<GameRecord> = Vec::new();
        let begins = lines.next();
        if let Some((line, first)) = begins {
            let found: Heading = serde_json::from_str(first).map_err(|e| damaged(line, e))?;
            if let Some(difference) = difference(&found, heading) {
                let path = path.to_owned();
                return Err(JournalError::Other { path, difference });
            }
            for (line, text) in lines {
                games.push(serde_json::from_str(text).map_err(|e| damaged(line, e))?);
            }
        } else if !bytes.is_empty() {
            // A first line without an end may be a torn heading, or anything else.
            let start = serde_json::to_string(heading).unwrap_or_default();
            if !start.as_bytes().starts_with(&bytes) {
                let error = "the first line has no end".to_owned();
                return Err(JournalError::Damaged {
                    path: path.to_owned(),
                    line: 1,
                    error,
                });
            }
        }
        // What was torn off is played again.
        file.set_len(whole as u64).map_err(io)?;
        let file = Appender::new(path, file, true).map_err(io)?;
        let mut journal = Journal { file };
        if begins.is_none() {
            let unwritten = |Unwritten { error, .. }| io(error);
            journal.file.add(&line(heading)).map_err(unwritten)?;
        }
        Ok((journal, games))
    }

    /// Adds a game; once this returns it is on the disk, or a warning has said that it waits.
    pub(super) fn add(&mut self, game: &GameRecord) {
        self.file.add_or_warn(&line(game));
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// It cannot be written still.
    pub(super) fn finish(&mut self) -> Result<(), Unwritten> {
        self.file.finish()
    }
}

fn line(value: &impl Serialize) -> Vec<u8> {
    // Fails for maps with keys that are no text; there are none.
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The first difference between two headings.
fn difference(found: &Heading, wanted: &Heading) -> Option<String> {
    let lines = |heading: &Heading| {
        let mut lines = vec![format!("version {}", heading.match_file)];
        lines.extend(heading.settings.iter().cloned());
        lines
    };
    let (found_lines, wanted_lines) = (lines(found), lines(wanted));
    if found_lines == wanted_lines {
        return None;
    }
    let mut both = found_lines.iter().zip(&wanted_lines);
    let first = both.find(|(found, wanted)| found != wanted);
    Some(first.map_or_else(
        || "another number of engines".to_owned(),
        |(found, wanted)| format!("\"{found}\" there, \"{wanted}\" here"),
    ))
}
