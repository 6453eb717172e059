//! Lines of text from outside, whatever their bytes and however long.

use std::io::{self, BufRead, Read};

/// A line longer than this is cut, bytes: no game is that long.
const LONGEST: usize = 16 << 20;

/// Reads line after line. Bytes that are not UTF-8 become replacement characters. Of a line that is too
/// long the rest is dropped and replaced by such a character, so that nothing takes what is left for the
/// whole.
pub struct Lines<R> {
    input: R,
    longest: usize,
    number: usize,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input.
    pub fn new(input: R) -> Lines<R> {
        Lines::no_longer_than(input, LONGEST)
    }

    fn no_longer_than(input: R, longest: usize) -> Lines<R> {
        Lines {
            input,
            longest,
            number: 0,
            bytes: Vec::new(),
        }
    }

    /// The number of the line that was read last, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line without its end, `None` at the end of the input.
    ///
    /// # Errors
    /// Only what reading the input gives.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        self.bytes.clear();
        let limit = self.longest as u64 + 1;
        let read = self
            .input
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut self.bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if !self.bytes.ends_with(b"\n") && read > self.longest {
            log::info!("a line of more than {} bytes is cut", self.longest);
            self.bytes.truncate(self.longest);
            self.bytes.extend_from_slice(" \u{FFFD}".as_bytes());
            self.input.skip_until(b'\n')?;
        }
        let line = String::from_utf8_lossy(&self.bytes);
        Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_marked_and_the_next_one_is_whole() {
        let text = &b"position startpos\nabcdefghijklmnopqrstuvwxyz\r\nshort\r\n\xff\nlast"[..];
        let mut lines = Lines::no_longer_than(text, 20);
        let mut read = Vec::new();
        while let Some(line) = lines.next_line().expect("text") {
            read.push(line);
        }
        let cut = "abcdefghijklmnopqrst \u{FFFD}";
        assert_eq!(
            read,
            ["position startpos", cut, "short", "\u{FFFD}", "last"]
        );
        assert_eq!(lines.number(), 5);
    }
}
