//! Growing a book, with what has been found kept in a file beside it, so that it can go on after a break.

use crate::book::{Tree, moves_in_order};
use crate::files::write_whole;
use crate::notation::{Numbering, Spelling, fen};
use crate::rules::Position;
use rayon::prelude::*;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Positions opened between two looks at which are the most urgent. The book depends on it, so it is the
/// same for any number of threads.
const BATCH: usize = 32;

/// Stands behind them in the file.
const BATCH_END: &str = "--";

/// Why a book was not built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file beside the book is of another one.
    #[error("{path}, line {line}: {what}")]
    Kept {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

/// How far a book is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions that are open.
    pub positions: usize,
    /// Positions that were open before this call.
    pub before: usize,
}

/// What has been found so far: a line with the settings, then one for each open position, its FEN and the
/// values of its moves, and behind those that were opened together one that says so.
struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens or makes the file, and opens in the tree what is in it.
    fn open(book: &Path, settings: &str, tree: &mut Tree) -> Result<Journal, BuildError> {
        let mut path = book.as_os_str().to_owned();
        path.push(".tree");
        let path = Path::new(&path);
        let failed = |error| BuildError::File {
            path: path.to_owned(),
            error,
        };
        let bad = |line: usize, what: String| BuildError::Kept {
            path: path.to_owned(),
            line,
            what,
        };
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let mut reader = BufReader::new(&file);
        let (mut line, mut read, mut whole) = (String::new(), 0, 0);
        let mut batch = Vec::new();
        for number in 1.. {
            line.clear();
            let length = reader.read_line(&mut line).map_err(failed)?;
            // What is cut off was being written when the work was broken off.
            let Some(text) = line.strip_suffix('\n') else {
                if number == 1 && !settings.starts_with(&line) {
                    return Err(bad(number, "no work on a book".to_owned()));
                }
                break;
            };
            read += length as u64;
            if number == 1 {
                whole = read;
                if text != settings {
                    let what = format!("made with \"{text}\", not \"{settings}\"");
                    return Err(bad(number, what));
                }
                continue;
            }
            if text == BATCH_END {
                whole = read;
                for (position, values) in batch.drain(..) {
                    tree.open(&position, values);
                }
                continue;
            }
            let (position, values) = text.split_once(' ').unwrap_or((text, ""));
            let position = fen::read(position, Numbering::B8)
                .map_err(|error| bad(number, error.to_string()))?
                .position;
            let values: Result<Vec<i16>, _> = values.split(' ').map(str::parse).collect();
            let values = values.map_err(|error| bad(number, error.to_string()))?;
            if values.len() != position.legal_moves().len() {
                return Err(bad(
                    number,
                    "not as many values as there are moves".to_owned(),
                ));
            }
            batch.push((position, values));
        }
        let mut journal = Journal {
            path: path.to_owned(),
            file,
        };
        journal.file.set_len(whole).map_err(failed)?;
        journal.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if whole == 0 {
            // What is there, and was not made here, is not ours to write over.
            if book.exists() {
                return Err(BuildError::File {
                    path: book.to_owned(),
                    error: io::ErrorKind::AlreadyExists.into(),
                });
            }
            journal.add(&format!("{settings}\n"))?;
        }
        Ok(journal)
    }

    fn add(&mut self, lines: &str) -> Result<(), BuildError> {
        let written = self.file.write_all(lines.as_bytes());
        written.map_err(|error| BuildError::File {
            path: self.path.clone(),
            error,
        })
    }
}

/// Grows a book until it has so many positions, there is nothing to open, or `tell` says no, and writes it to
/// `out`. What was found is kept in a file of that name with `.tree` behind it, from which a later call with the
/// same `settings` goes on; without it `out` must not be there. `judge` says what a position is worth to its side to move, in centi-men.
///
/// # Errors
/// A file cannot be read or written, or the file beside the book is of another one; an old book stays as
/// it was.
pub fn build(
    out: &Path,
    settings: &str,
    mut tree: Tree,
    positions: usize,
    judge: impl Fn(&Position) -> i16 + Sync,
    tell: impl Fn(Progress) -> bool,
) -> Result<Tree, BuildError> {
    let mut journal = Journal::open(out, settings, &mut tree)?;
    let before = tree.len();
    while tree.len() < positions {
        let positions = tree.len();
        if !tell(Progress { positions, before }) {
            break;
        }
        let next = tree.next(BATCH);
        if next.is_empty() {
            break;
        }
        // Moves of all positions at once: no thread then waits for the last position.
        let moves: Vec<Position> = next
            .iter()
            .flat_map(|position| {
                let moves = moves_in_order(position).into_iter();
                moves.map(|mv| position.play(mv))
            })
            .collect();
        let judged: Vec<i16> = moves
            .par_iter()
            .with_max_len(1)
            .map(|position| -judge(position))
            .collect();
        let mut judged = judged.into_iter();
        let mut lines = String::new();
        for position in &next {
            let count = moves_in_order(position).len();
            let values: Vec<i16> = judged.by_ref().take(count).collect();
            lines += &fen::write(position, Spelling::Numeric(Numbering::B8));
            values
                .iter()
                .for_each(|value| lines += &format!(" {value}"));
            lines.push('\n');
            tree.open(position, values);
        }
        lines += BATCH_END;
        lines.push('\n');
        journal.add(&lines)?;
    }
    write_whole(out, &tree.book().to_bytes()).map_err(|error| BuildError::File {
        path: out.to_owned(),
        error,
    })?;
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(position: &Position) -> i16 {
        (position.key() % 41) as i16 - 20
    }

    fn grow(out: &Path, positions: usize, threads: usize) -> Result<Tree, BuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let tree = Tree::new(vec![Position::start()], 5);
        let grow = || build(out, "test", tree, positions, judge, |_| true);
        pool.expect("threads").install(grow)
    }

    fn kept(out: &Path) -> PathBuf {
        let mut kept = out.as_os_str().to_owned();
        kept.push(".tree");
        kept.into()
    }

    #[test]
    fn a_broken_off_book_goes_on_and_comes_out_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("части"));
        let tree = grow(&whole, 300, 3).expect("built");
        assert!((300..300 + BATCH).contains(&tree.len()));
        grow(&parts, 100, 1).expect("built");
        for cut in [5, 700] {
            let bytes = std::fs::read(kept(&parts)).expect("kept");
            std::fs::write(kept(&parts), &bytes[..bytes.len() - cut]).expect("written");
            grow(&parts, 300, 2).expect("built");
            let book = std::fs::read(&parts).expect("a book");
            assert_eq!(book, std::fs::read(&whole).expect("a book"));
        }
    }

    #[test]
    fn a_file_of_another_book_is_refused_and_the_book_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("book");
        grow(&out, 50, 1).expect("built");
        let book = std::fs::read(&out).expect("a book");
        let lines = std::fs::read_to_string(kept(&out)).expect("kept");
        for (bad, line) in [
            (lines.replacen("test", "other", 1), 1),
            (lines.replacen("\nW:", "\nX:", 1), 2),
            (lines.replacen(" ", " a", 1), 2),
            (lines.replacen(" ", " 7 ", 1), 2),
            ("something else".to_owned(), 1),
        ] {
            std::fs::write(kept(&out), bad).expect("written");
            let error = grow(&out, 100, 1).expect_err("refused");
            assert!(
                matches!(error, BuildError::Kept { line: at, .. } if at == line),
                "{error}"
            );
            assert_eq!(std::fs::read(&out).expect("a book"), book);
        }
        // A book that was not made here is not written over.
        std::fs::remove_file(kept(&out)).expect("removed");
        assert!(matches!(grow(&out, 50, 1), Err(BuildError::File { .. })));
        assert_eq!(std::fs::read(&out).expect("a book"), book);
        let nowhere = folder.path().join("no such folder/book");
        assert!(matches!(
            grow(&nowhere, 50, 1),
            Err(BuildError::File { .. })
        ));
    }
}
