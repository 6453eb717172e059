//! Lines to standard output: whole, at once, from any thread.

use std::io::{self, Write};

/// Writes a line and flushes it. Once the other end has gone there is nobody to tell, so errors are
/// passed over; the end of input ends the session soon after.
pub(crate) fn line(text: &str) {
    let mut out = io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    if let Err(error) = written {
        log::debug!("writing to standard output: {error}");
    }
}
