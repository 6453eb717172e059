//! From words to games.

use crate::notation::pdn::game::{Item, PdnGame};
use crate::notation::pdn::lexer::{Lexer, Token};
use crate::notation::pdn::source::{Encoding, Source};
use std::fmt;
use std::io::{self, Read};

/// What is wrong with the text of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PdnFaultKind {
    /// A tag that is not of the form `[Name "value"]`.
    #[error("malformed tag \"{0}\"")]
    Tag(String),
    /// A comment without its closing brace.
    #[error("comment is not closed")]
    OpenComment,
    /// A variation without its closing parenthesis.
    #[error("variation is not closed")]
    OpenVariation,
    /// A closing parenthesis without a variation.
    #[error("closing parenthesis without a variation")]
    CloseWithoutOpen,
    /// Variations nested deeper than any person writes.
    #[error("variations are nested too deeply")]
    TooDeep,
    /// A comment or a tag of more than a million bytes; the rest is dropped.
    #[error("comment or tag is too long")]
    TooLong,
    /// `$` without a number from 0 to 255.
    #[error("\"${0}\" is not an annotation")]
    Nag(String),
    /// Something that begins like `/FEN "…"/` and is not.
    #[error("malformed set-up of a position")]
    SetPosition,
}

/// A fault and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnFault {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: PdnFaultKind,
}

impl fmt::Display for PdnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

/// Deepest nesting of variations that is kept.
const DEEPEST: usize = 50;

/// Reads the games of a file one by one.
///
/// A game begins with tags or with moves and ends with a result, with the next tags, or with the
/// file. Tags without moves are a game of their own, which is told by a tag that comes again.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// A token of the next game, met while looking for the end of this one.
    ahead: Option<(Token, usize)>,
    games: usize,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which need not be buffered.
    pub fn new(input: R) -> Reader<R> {
        Reader::with_encoding(input, Encoding::Detect)
    }

    /// Reads from `input` in a given encoding.
    pub fn with_encoding(input: R, encoding: Encoding) -> Reader<R> {
        Reader {
            lexer: Lexer::new(Source::new(input, encoding)),
            ahead: None,
            games: 0,
        }
    }

    fn next_token(&mut self) -> io::Result<Option<(Token, usize)>> {
        match self.ahead.take() {
            Some(token) => Ok(Some(token)),
            None => self.lexer.next(),
        }
    }

    /// The next game, `None` at the end of the file.
    ///
    /// # Errors
    /// Only what reading the input gives.
    pub fn next_game(&mut self) -> io::Result<Option<PdnGame>> {
        let mut game = PdnGame::default();
        // The items of the main line and of the open variations.
        let mut lines: Vec<Vec<Item>> = vec![Vec::new()];
        let mut dropped = 0;
        let mut empty = true;
        while let Some((token, line)) = self.next_token()? {
            let in_moves = lines.len() > 1 || lines.first().is_some_and(|main| has_moves(main));
            if let Token::Tag(name, _) = &token
                && (in_moves || game.tag(name).is_some())
            {
                self.ahead = Some((token, line));
                break;
            }
            if empty {
                game.line = line;
                empty = false;
            }
            let item = match token {
                Token::Tag(name, value) => {
                    game.tags.push((name, value));
                    continue;
                }
                Token::Result(outcome) => {
                    game.terminator = Some(outcome);
                    break;
                }
                Token::Fault(kind) => {
                    game.faults.push(PdnFault { line, kind });
                    continue;
                }
                Token::Open => {
                    if lines.len() > DEEPEST {
                        if dropped == 0 {
                            game.faults.push(PdnFault {
                                line,
                                kind: PdnFaultKind::TooDeep,
                            });
                        }
                        dropped += 1;
                    } else {
                        lines.push(Vec::new());
                    }
                    continue;
                }
                Token::Close => {
                    if dropped > 0 {
                        dropped -= 1;
                    } else if lines.len() > 1 {
                        close_variation(&mut lines);
                    } else {
                        let kind = PdnFaultKind::CloseWithoutOpen;
                        game.faults.push(PdnFault { line, kind });
                    }
                    continue;
                }
                Token::Comment(text) => Item::Comment(text),
                Token::Nag(number) => Item::Nag(number),
                Token::SetPosition(fen) => Item::SetPosition(fen),
                Token::Move(text) => Item::Move { text, line },
            };
            if dropped == 0
                && let Some(items) = lines.last_mut()
            {
                items.push(item);
            }
        }
        if empty {
            return Ok(None);
        }
        if lines.len() > 1 {
            let line = self.lexer.line();
            game.faults.push(PdnFault {
                line,
                kind: PdnFaultKind::OpenVariation,
            });
            while lines.len() > 1 {
                close_variation(&mut lines);
            }
        }
        game.items = lines.pop().unwrap_or_default();
        self.games += 1;
        game.number = self.games;
        Ok(Some(game))
    }
}

fn close_variation(lines: &mut Vec<Vec<Item>>) {
    if let Some(variation) = lines.pop()
        && let Some(outer) = lines.last_mut()
    {
        outer.push(Item::Variation(variation));
    }
}

/// Comments may stand between tags; moves may not.
fn has_moves(items: &[Item]) -> bool {
    items.iter().any(|item| !matches!(item, Item::Comment(_)))
}

impl<R: Read> Iterator for Reader<R> {
    type Item = io::Result<PdnGame>;

    fn next(&mut self) -> Option<io::Result<PdnGame>> {
        self.next_game().transpose()
    }
}
