//! The characters of a file, whatever its encoding and line ends.

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1251};
use std::borrow::Cow;
use std::io::{self, Read};

/// How the bytes of a file are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// By the byte order mark (UTF-8, UTF-16); without one each line is UTF-8 if it can be, else
    /// cp1251.
    #[default]
    Detect,
    /// Windows Cyrillic throughout.
    Cp1251,
    /// DOS Cyrillic throughout.
    Cp866,
}

/// Bytes asked for at a time.
const CHUNK: usize = 64 * 1024;
/// A line longer than this is decoded in pieces, so that memory stays flat.
const LONGEST_LINE: usize = 1 << 20;

enum Mode {
    Undecided,
    Lines(Encoding),
    Stream(Box<Decoder>),
}

/// Characters one by one, with the number of the line.
pub(super) struct Source<R> {
    input: R,
    mode: Mode,
    requested: Encoding,
    /// Bytes read but not decoded.
    raw: Vec<u8>,
    /// Decoded text, of which `at` bytes are consumed.
    text: String,
    at: usize,
    line: usize,
    ended: bool,
    after_cr: bool,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R, encoding: Encoding) -> Source<R> {
        Source {
            input,
            mode: Mode::Undecided,
            requested: encoding,
            raw: Vec::new(),
            text: String::new(),
            at: 0,
            line: 1,
            ended: false,
            after_cr: false,
        }
    }

    /// Number of the current line, from 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The next character without taking it. Line ends of every kind are `\n`.
    pub(super) fn peek(&mut self) -> io::Result<Option<char>> {
        loop {
            match self.rest().chars().next() {
                // The second half of a CR LF.
                Some('\n') if self.after_cr => {
                    self.at += 1;
                    self.after_cr = false;
                }
                Some('\r') => return Ok(Some('\n')),
                Some(c) => return Ok(Some(c)),
                None if self.ended => return Ok(None),
                None => self.fill()?,
            }
        }
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> io::Result<Option<char>> {
        let Some(c) = self.peek()? else {
            return Ok(None);
        };
        let raw = self.rest().chars().next().unwrap_or(c);
        self.after_cr = raw == '\r';
        self.at += raw.len_utf8();
        if c == '\n' {
            self.line += 1;
        }
        Ok(Some(c))
    }

    /// Whether what follows begins with a tag: `[Name "`. Looks no farther than what is decoded, but
    /// at least to the end of the line if the line has been read.
    pub(super) fn at_tag(&self) -> bool {
        let Some(rest) = self.rest().strip_prefix('[') else {
            return false;
        };
        let name_end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        match name_end.and_then(|end| rest.get(end..).map(|after| (end, after))) {
            Some((end, after)) => end > 0 && after.trim_start_matches(' ').starts_with('"'),
            None => false,
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn fill(&mut self) -> io::Result<()> {
        self.text.drain(..self.at);
        self.at = 0;
        let old = self.raw.len();
        let mut chunk = vec![0; CHUNK];
        let n = loop {
            match self.input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        chunk.truncate(n);
        self.raw.append(&mut chunk);
        self.ended = n == 0;
        if matches!(self.mode, Mode::Undecided) && (self.ended || self.raw.len() >= 3) {
            self.decide();
        }
        match &mut self.mode {
            Mode::Undecided => {}
            Mode::Stream(decoder) => {
                let need = decoder
                    .max_utf8_buffer_length(self.raw.len())
                    .unwrap_or(CHUNK * 4);
                self.text.reserve(need);
                let _ = decoder.decode_to_string(&self.raw, &mut self.text, self.ended);
                self.raw.clear();
            }
            Mode::Lines(encoding) => {
                let is_end = |&b: &u8| b == b'\n' || b == b'\r';
                let new = self.raw.get(old..).unwrap_or(&[]);
                let whole = match new.iter().rposition(is_end) {
                    _ if self.ended || self.raw.len() > LONGEST_LINE => self.raw.len(),
                    Some(last) => old + last + 1,
                    None => 0,
                };
                let bytes: Vec<u8> = self.raw.drain(..whole).collect();
                decode_lines(&bytes, *encoding, &mut self.text);
            }
        }
        Ok(())
    }

    /// Chooses the mode by the first bytes and removes a byte order mark.
    fn decide(&mut self) {
        let detect = self.requested == Encoding::Detect;
        let (mode, mark) = match self.raw.as_slice() {
            [0xEF, 0xBB, 0xBF, ..] if detect => (Mode::Lines(Encoding::Detect), 3),
            [0xFF, 0xFE, ..] if detect => (
                Mode::Stream(Box::new(UTF_16LE.new_decoder_without_bom_handling())),
                2,
            ),
            [0xFE, 0xFF, ..] if detect => (
                Mode::Stream(Box::new(UTF_16BE.new_decoder_without_bom_handling())),
                2,
            ),
            _ => (Mode::Lines(self.requested), 0),
        };
        self.mode = mode;
        self.raw.drain(..mark);
    }
}

fn decode_lines(bytes: &[u8], encoding: Encoding, text: &mut String) {
    match encoding {
        Encoding::Cp1251 => text.push_str(&WINDOWS_1251.decode_without_bom_handling(bytes).0),
        Encoding::Cp866 => {
            text.push_str(&encoding_rs::IBM866.decode_without_bom_handling(bytes).0);
        }
        Encoding::Detect => match std::str::from_utf8(bytes) {
            Ok(valid) => text.push_str(valid),
            Err(_) => {
                for line in bytes.split_inclusive(|&b| b == b'\n' || b == b'\r') {
                    text.push_str(&match std::str::from_utf8(line) {
                        Ok(valid) => Cow::Borrowed(valid),
                        Err(_) => WINDOWS_1251.decode_without_bom_handling(line).0,
                    });
                }
            }
        },
    }
}
