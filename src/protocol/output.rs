//! Lines to standard output: whole, at once, from any thread.

use std::io::{self, IsTerminal, Write};

/// Writes a line and flushes it. Once the other end has gone there is nobody to tell, so errors are
/// passed over; the end of input ends the session soon after.
pub(crate) fn line(text: &str) {
    if let Err(error) = try_line(text) {
        log::debug!("writing to standard output: {error}");
    }
}

/// Writes text without a line end and flushes it: a question to somebody at a terminal.
pub(crate) fn text(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        log::debug!("writing to standard output: {error}");
    }
}

/// Whether somebody looks at it.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Standard output for a command that writes much and flushes it itself.
pub(crate) fn writer() -> impl Write {
    io::BufWriter::new(io::stdout())
}

/// Writes a line and flushes it.
///
/// # Errors
/// The other end has gone, or the disk behind it is full.
pub(crate) fn try_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}
