//! Files of games as input of several commands, and files that are there whole or not at all as output.

use crate::cli::args::EncodingArg;
use crate::notation::pdn::{Encoding, PdnGame, Reader};
use crate::protocol::{input, output};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// A game, and the file it is from.
pub(super) struct Found {
    pub(super) file: PathBuf,
    pub(super) game: PdnGame,
}

/// Files that are read one after the other, each opened when its turn comes.
pub(super) struct InTurn<R> {
    /// The one that is being read.
    open: Option<(PathBuf, R)>,
    files: VecDeque<PathBuf>,
}

impl<R> InTurn<R> {
    /// Looks at all files at once: one that is missing is better known before the work. No files, or `-`, are
    /// standard input.
    pub(super) fn new(paths: &[PathBuf]) -> Result<InTurn<R>, String> {
        Ok(InTurn {
            open: None,
            files: files(paths)?,
        })
    }

    /// The files that have not been opened.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter()
    }

    /// The next thing that `read` finds, `None` behind the last file; errors have the name of the file.
    pub(super) fn next<T>(
        &mut self,
        open: impl Fn(&Path) -> io::Result<R>,
        mut read: impl FnMut(&Path, &mut R) -> io::Result<Option<T>>,
    ) -> io::Result<Option<T>> {
        loop {
            let Some((path, reader)) = &mut self.open else {
                let Some(path) = self.files.pop_front() else {
                    return Ok(None);
                };
                let reader = open(&path)?;
                self.open = Some((path, reader));
                continue;
            };
            let found = read(path, reader).map_err(|error| named(path, error))?;
            if found.is_some() {
                return Ok(found);
            }
            self.open = None;
        }
    }
}

/// The games of all files, one after the other.
pub(super) struct Games {
    files: InTurn<Reader<Box<dyn Read + Send>>>,
    encoding: Encoding,
}

impl Games {
    /// Games whose bytes are read so.
    pub(super) fn open(paths: &[PathBuf], encoding: EncodingArg) -> Result<Games, String> {
        Ok(Games {
            files: InTurn::new(paths)?,
            encoding: match encoding {
                EncodingArg::Detect | EncodingArg::Utf8 => Encoding::Detect,
                EncodingArg::Cp1251 => Encoding::Cp1251,
                EncodingArg::Cp866 => Encoding::Cp866,
            },
        })
    }

    /// The next game, `None` behind the last.
    pub(super) fn next(&mut self) -> io::Result<Option<Found>> {
        let encoding = self.encoding;
        let open = |path: &Path| {
            let input: Box<dyn Read + Send> = match is_stdin(path) {
                true => Box::new(input::stdin()),
                false => Box::new(open(path)?),
            };
            Ok(Reader::with_encoding(input, encoding))
        };
        self.files.next(open, |path, reader| {
            let game = reader.next_game()?;
            Ok(game.map(|game| Found {
                file: path.to_owned(),
                game,
            }))
        })
    }
}

/// The files of a command line, each of which can be opened; `-` if there are none.
fn files(paths: &[PathBuf]) -> Result<VecDeque<PathBuf>, String> {
    if paths.is_empty() {
        return Ok([PathBuf::from("-")].into());
    }
    // Opened and closed again: there may be more of them than may be open at a time.
    for path in paths.iter().filter(|path| !is_stdin(path)) {
        open(path).map_err(|error| error.to_string())?;
    }
    Ok(paths.iter().cloned().collect())
}

/// Whether a name means standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens a file to read, with its name in the error.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    file.map_err(|error| named(path, error))
}

fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Standard output, or a file that is there whole in the end or not at all.
pub(super) enum Output {
    Stream(Box<dyn Write>),
    File(io::BufWriter<tempfile::NamedTempFile>, PathBuf),
}

impl Output {
    pub(super) fn open(path: Option<&Path>) -> Result<Output, String> {
        let Some(path) = path else {
            return Ok(Output::Stream(Box::new(output::writer())));
        };
        let told = |error: io::Error| named(path, error).to_string();
        // Where a link leads, and not to a device.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.exists() && !target.is_file() && !target.is_dir() {
            let file = File::options().write(true).open(&target).map_err(told)?;
            return Ok(Output::Stream(Box::new(io::BufWriter::new(file))));
        }
        let folder = target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file; what the user does not want others to see the mask takes away.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(told)?;
        Ok(Output::File(io::BufWriter::new(file), target))
    }

    /// Writes bytes; they wait in memory only while more are there to be written.
    pub(super) fn write(&mut self, bytes: &[u8], more: bool) -> io::Result<()> {
        match self {
            Output::File(file, _) => file.write_all(bytes),
            Output::Stream(writer) => {
                let written = writer.write_all(bytes);
                if more {
                    return written.inspect_err(give_up);
                }
                written.and_then(|()| writer.flush()).inspect_err(give_up)
            }
        }
    }

    /// Makes a file appear.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Output::Stream(mut writer) => writer.flush().inspect_err(give_up),
            Output::File(file, path) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|error| error.error)
            }
        }
    }
}

/// Ends the program when nobody reads the output any more, quietly, for whoever did has had enough. Others
/// may be waiting for input that never comes, and cannot be told otherwise.
pub(super) fn give_up(error: &io::Error) {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
}
