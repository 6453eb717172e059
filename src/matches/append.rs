//! A file that grows by whole entries, and is whole at any moment, also when the disk is full.
//!
//! What cannot be written waits in memory for the next entry or the end: a match is worth more than
//! its files, and the space may come back.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to which entries are added.
#[derive(Debug)]
pub(crate) struct Appender {
    path: PathBuf,
    /// Open for appending.
    file: File,
    /// Bytes up to the last whole entry, `None` if the file has no length: a device or a pipe.
    whole: Option<u64>,
    /// Whether an entry must be on the disk before the next thing happens.
    durable: bool,
    waiting: Vec<u8>,
    /// How many entries wait.
    entries: usize,
}

/// Entries that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}; games that are not in it: {entries}")]
pub(crate) struct Unwritten {
    /// The file.
    pub(crate) path: PathBuf,
    /// Why.
    pub(crate) error: io::Error,
    /// How many.
    pub(crate) entries: usize,
}

impl Appender {
    /// Adds to a file that is open for appending. With `durable`, entries of a regular file survive a
    /// crash of the system.
    ///
    /// # Errors
    /// Nothing can be learnt about the file.
    pub(crate) fn new(path: &Path, file: File, durable: bool) -> io::Result<Appender> {
        let about = file.metadata()?;
        let whole = about.is_file().then_some(about.len());
        Ok(Appender {
            path: path.to_owned(),
            file,
            durable: durable && whole.is_some(),
            whole,
            waiting: Vec::new(),
            entries: 0,
        })
    }

    /// Adds an entry, and those that wait before it.
    ///
    /// # Errors
    /// It waits now.
    pub(crate) fn add(&mut self, entry: &[u8]) -> Result<(), Unwritten> {
        self.waiting.extend_from_slice(entry);
        self.entries += 1;
        self.finish()
    }

    /// Adds an entry; that it has to wait is a warning when it is the first.
    pub(crate) fn add_or_warn(&mut self, entry: &[u8]) {
        let waited = self.entries;
        match self.add(entry) {
            Ok(()) if waited > 0 => log::warn!("{}: can be written again", self.path.display()),
            Err(Unwritten { error, .. }) if waited == 0 => log::warn!(
                "{}: {error}; the match goes on, and its games are written as soon as they can be",
                self.path.display()
            ),
            _ => {}
        }
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// It still waits.
    pub(crate) fn finish(&mut self) -> Result<(), Unwritten> {
        let mut written = 0;
        let outcome = self.write(&mut written);
        match outcome {
            Ok(()) => {
                self.whole = self.whole.map(|whole| whole + written as u64);
                self.waiting.clear();
                self.entries = 0;
                Ok(())
            }
            Err(error) => {
                let cut = self.whole.map(|whole| self.file.set_len(whole));
                if !matches!(cut, Some(Ok(()))) {
                    // What is out cannot be taken back; only the rest is left to write.
                    self.whole = self.whole.map(|whole| whole + written as u64);
                    self.waiting.drain(..written);
                }
                Err(Unwritten {
                    path: self.path.clone(),
                    error,
                    entries: self.entries,
                })
            }
        }
    }

    fn write(&mut self, written: &mut usize) -> io::Result<()> {
        while let Some(rest) = self.waiting.get(*written..).filter(|rest| !rest.is_empty()) {
            match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(bytes) => *written += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if self.durable {
            self.file.sync_data()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;

    #[test]
    fn what_could_not_be_written_follows_later_in_its_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let writable = || {
            let mut options = OpenOptions::new();
            let file = options.append(true).create(true).open(&path);
            file.expect("a file")
        };
        let mut appender = Appender::new(&path, writable(), true).expect("open");
        appender.add(b"one\n").expect("written");
        // A file that is open for reading refuses to be written, like one on a full disk.
        appender.file = File::open(&path).expect("a file");
        for (entry, waiting) in [(b"two\n", 1), (b"six\n", 2)] {
            let unwritten = appender.add(entry).expect_err("no way to write");
            assert_eq!(unwritten.entries, waiting);
            assert!(unwritten.to_string().contains("file"), "{unwritten}");
        }
        assert_eq!(std::fs::read(&path).expect("a file"), b"one\n");
        appender.file = writable();
        appender.add(b"ten\n").expect("written");
        appender.finish().expect("nothing waits");
        assert_eq!(
            std::fs::read(&path).expect("a file"),
            b"one\ntwo\nsix\nten\n"
        );
    }
}
