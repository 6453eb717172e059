//! The words of a game file.

use crate::notation::pdn::game::Outcome;
use crate::notation::pdn::reader::PdnFaultKind;
use crate::notation::pdn::source::Source;
use std::collections::VecDeque;
use std::io::{self, Read};

/// One word with its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Tag(String, String),
    Comment(String),
    Nag(u8),
    Open,
    Close,
    SetPosition(String),
    Result(Outcome),
    Move(String),
    /// Something wrong; reading goes on behind it.
    Fault(PdnFaultKind),
}

/// No word of a game is longer; what is longer is garbage and is cut.
const LONGEST_WORD: usize = 200;
/// No comment or tag is longer, bytes; the rest of a longer one is dropped with a fault.
const LONGEST_TEXT: usize = 1 << 20;

pub(super) struct Lexer<R> {
    source: Source<R>,
    /// Whether the next character is the first of its line.
    line_start: bool,
    pending: VecDeque<(Token, usize)>,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(source: Source<R>) -> Lexer<R> {
        Lexer {
            source,
            line_start: true,
            pending: VecDeque::new(),
        }
    }

    /// Line the lexer has come to, from 1.
    pub(super) fn line(&self) -> usize {
        self.source.line()
    }

    /// The next token and its line.
    pub(super) fn next(&mut self) -> io::Result<Option<(Token, usize)>> {
        loop {
            if let Some(pending) = self.pending.pop_front() {
                return Ok(Some(pending));
            }
            let at_line_start = self.line_start;
            let line = self.source.line();
            let Some(c) = self.source.peek()? else {
                return Ok(None);
            };
            self.line_start = c == '\n';
            match c {
                '%' if at_line_start => self.skip_line()?,
                ';' => {
                    let text = self.rest_of_line()?;
                    let text = text.trim_start_matches(';').trim().to_owned();
                    self.push(Token::Comment(text), line);
                }
                '{' => self.comment(line)?,
                '[' => self.bracket(line)?,
                '(' => self.parenthesis(line)?,
                ')' => self.single(Token::Close, line)?,
                '$' => self.nag(line)?,
                '!' | '?' => {
                    let marks = self.take_while(|c| matches!(c, '!' | '?'))?;
                    self.push_marks(&marks, line);
                }
                '/' => self.set_position(line)?,
                c if c.is_whitespace() => {
                    self.source.next()?;
                }
                c if is_word(c) => self.word(line)?,
                // Signs such as ± or a stray brace mean nothing to us.
                _ => {
                    self.source.next()?;
                }
            }
        }
    }

    fn push(&mut self, token: Token, line: usize) {
        self.pending.push_back((token, line));
    }

    fn single(&mut self, token: Token, line: usize) -> io::Result<()> {
        self.source.next()?;
        self.push(token, line);
        Ok(())
    }

    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> io::Result<String> {
        let mut text = String::new();
        let mut too_long = false;
        let line = self.source.line();
        while let Some(c) = self.source.peek()? {
            if !accept(c) {
                break;
            }
            self.source.next()?;
            too_long |= !push(&mut text, c);
        }
        if too_long {
            self.push(Token::Fault(PdnFaultKind::TooLong), line);
        }
        Ok(text)
    }

    fn rest_of_line(&mut self) -> io::Result<String> {
        self.take_while(|c| c != '\n')
    }

    fn skip_line(&mut self) -> io::Result<()> {
        self.rest_of_line().map(drop)
    }

    /// `{…}`, in which braces may be nested. A tag at the beginning of a line ends an open comment:
    /// the game has been cut off, and the next one must not be lost in it.
    fn comment(&mut self, line: usize) -> io::Result<()> {
        self.source.next()?;
        let mut depth = 1;
        let mut text = String::new();
        let mut too_long = false;
        let mut line_start = false;
        loop {
            let c = if line_start && self.source.at_tag() {
                None
            } else {
                self.source.next()?
            };
            match c {
                None => {
                    self.push(Token::Comment(text.trim().to_owned()), line);
                    self.push(Token::Fault(PdnFaultKind::OpenComment), line);
                    self.line_start = line_start;
                    return Ok(());
                }
                Some('{') => depth += 1,
                Some('}') => depth -= 1,
                Some(_) => {}
            }
            if depth == 0 {
                break;
            }
            line_start = c == Some('\n');
            if line_start {
                // So that a tag in front of us has been decoded.
                self.source.peek()?;
            }
            if let Some(c) = c {
                too_long |= !push(&mut text, if c == '\n' { ' ' } else { c });
            }
        }
        self.push(Token::Comment(text.trim().to_owned()), line);
        if too_long {
            self.push(Token::Fault(PdnFaultKind::TooLong), line);
        }
        Ok(())
    }

    /// A tag, or a command such as `[%clk …]` outside a comment.
    fn bracket(&mut self, line: usize) -> io::Result<()> {
        self.source.next()?;
        if self.source.peek()? == Some('%') {
            let command = self.take_while(|c| c != ']' && c != '\n')?;
            if self.source.peek()? == Some(']') {
                self.source.next()?;
            }
            self.push(Token::Comment(format!("[{command}]")), line);
            return Ok(());
        }
        let name = self.take_while(|c| !c.is_whitespace() && c != '"' && c != ']')?;
        self.take_while(|c| c == ' ' || c == '\t')?;
        if self.source.peek()? != Some('"') {
            let rest = self.rest_of_line()?;
            let value = rest.trim().trim_end_matches(']').trim().to_owned();
            if !name.is_empty() {
                self.push(Token::Tag(name.clone(), value), line);
            }
            self.push(Token::Fault(PdnFaultKind::Tag(name)), line);
            return Ok(());
        }
        self.source.next()?;
        let mut value = String::new();
        let mut too_long = false;
        let closed = loop {
            match self.source.peek()? {
                None | Some('\n') => break false,
                Some('"') => {
                    self.source.next()?;
                    break true;
                }
                Some('\\') => {
                    self.source.next()?;
                    match self.source.peek()? {
                        Some(c @ ('"' | '\\')) => {
                            self.source.next()?;
                            too_long |= !push(&mut value, c);
                        }
                        _ => too_long |= !push(&mut value, '\\'),
                    }
                }
                Some(c) => {
                    self.source.next()?;
                    too_long |= !push(&mut value, c);
                }
            }
        };
        self.take_while(|c| c != ']' && c != '\n')?;
        let bracket = self.source.peek()? == Some(']');
        if bracket {
            self.source.next()?;
        }
        self.push(Token::Tag(name.clone(), value.trim().to_owned()), line);
        if !closed || !bracket {
            self.push(Token::Fault(PdnFaultKind::Tag(name)), line);
        }
        if too_long {
            self.push(Token::Fault(PdnFaultKind::TooLong), line);
        }
        Ok(())
    }

    /// A variation, or marks in parentheses such as `(!?)`.
    fn parenthesis(&mut self, line: usize) -> io::Result<()> {
        self.source.next()?;
        let marks = self.take_while(|c| matches!(c, '!' | '?'))?;
        if marks.is_empty() {
            self.push(Token::Open, line);
            return Ok(());
        }
        if self.source.peek()? == Some(')') {
            self.source.next()?;
            self.push_marks(&marks, line);
        } else {
            self.push(Token::Open, line);
            self.push_marks(&marks, line);
        }
        Ok(())
    }

    fn nag(&mut self, line: usize) -> io::Result<()> {
        self.source.next()?;
        let digits = self.take_while(|c| c.is_ascii_digit())?;
        match digits.parse() {
            Ok(number) => self.push(Token::Nag(number), line),
            Err(_) => self.push(Token::Fault(PdnFaultKind::Nag(digits)), line),
        }
        Ok(())
    }

    fn push_marks(&mut self, marks: &str, line: usize) {
        let number = match marks {
            "" => return,
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            "?!" => 6,
            // Enthusiasm beyond the standard, as far as it can be told.
            _ if marks.starts_with("!?") => 5,
            _ if marks.starts_with("?!") => 6,
            _ if marks.starts_with('!') => 3,
            _ => 4,
        };
        self.push(Token::Nag(number), line);
    }

    /// `/FEN "…"/`.
    fn set_position(&mut self, line: usize) -> io::Result<()> {
        self.source.next()?;
        let text = self.take_while(|c| c != '/' && c != '\n')?;
        let closed = self.source.peek()? == Some('/');
        if closed {
            self.source.next()?;
        }
        let word = text.trim_start();
        let fen = word
            .strip_prefix("FEN")
            .or_else(|| word.strip_prefix("fen"));
        match fen {
            Some(fen) if closed => {
                let fen = fen.trim().trim_matches('"').to_owned();
                self.push(Token::SetPosition(fen), line);
            }
            _ => self.push(Token::Fault(PdnFaultKind::SetPosition), line),
        }
        Ok(())
    }

    /// A move number, a move, a result, or several of them glued together.
    fn word(&mut self, line: usize) -> io::Result<()> {
        let mut length = 0;
        let word = self.take_while(|c| {
            length += 1;
            is_word(c) && length <= LONGEST_WORD
        })?;
        let rest = without_move_number(&word);
        if rest.is_empty() || rest.chars().all(|c| c == '-') && rest.chars().count() == 1 {
            // A number alone, or the dash that stands for an unknown move.
            return Ok(());
        }
        if let Some(outcome) = Outcome::read(rest) {
            self.push(Token::Result(outcome), line);
        } else if let Some((front, outcome)) = Outcome::split_off(rest) {
            self.push(Token::Move(front.to_owned()), line);
            self.push(Token::Result(outcome), line);
        } else {
            self.push(Token::Move(rest.to_owned()), line);
        }
        Ok(())
    }
}

/// Adds a character if there is room; returns whether there was.
fn push(text: &mut String, c: char) -> bool {
    let room = text.len() < LONGEST_TEXT;
    if room {
        text.push(c);
    }
    room
}

/// What may stand in a word. `/` is there for `1/2-1/2` and never begins one.
fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(
            c,
            '-' | ':' | '*' | '.' | '/' | '½' | '–' | '—' | '−' | '×' | '…' | '+' | '#'
        )
}

/// Removes `12.`, `12...` or a bare `12` from the front of a word.
fn without_move_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - behind.len();
    if behind.is_empty() {
        // Up to three digits are a number; four or more are a move such as 2218.
        return if digits <= 3 { "" } else { word };
    }
    let rest = behind.trim_start_matches(['.', '…']);
    let dotted = rest.len() < behind.len();
    // `0.5-0.5` begins like a move number.
    if dotted && Outcome::read(word).is_none() {
        rest
    } else {
        word
    }
}
