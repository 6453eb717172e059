//! Positions as text: FEN, and the 33-character boards of Hub and Kallisto.
//!
//! Read: `W:Wa1,c1,Kd4:Bb8,d8` with squares as letters or as numbers (one of them in one text), the
//! lists in either order and either case, ranges of numbers (`21-32`, `K1-4`), blanks between items,
//! a final full stop, quotes around it, the wrapper `[FEN "…"]`, and further fields behind the lists,
//! of which `H<n>` (plies since the last capture or man's move) is kept and the others are ignored.
//!
//! Written: side, White's list, Black's list, squares from a1 upwards, no ranges, no blanks.

use crate::board::{Bitboard, Kind, Side, Square};
use crate::notation::error::{FenError, FenFault};
use crate::notation::square_names::{Numbering, Spelling, square_name};
use crate::rules::{Position, Setup};

/// A position read from text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fen {
    /// The position.
    pub position: Position,
    /// Plies since the last capture or man's move, 0 if the text does not tell.
    pub half_moves: u16,
}

/// No game goes on for longer without a capture or a man's move, in plies.
const LONGEST_COUNT: u16 = 9999;

/// Reads a position. Numbers are read in `numbering`.
///
/// # Errors
/// What is wrong with the text, and at which character.
pub fn read(text: &str, numbering: Numbering) -> Result<Fen, FenError> {
    let (text, offset) = unwrap_text(text);
    let outcome = if text.contains(':') {
        read_lists(text, numbering)
    } else {
        read_board(text).map(|position| Fen {
            position,
            half_moves: 0,
        })
    };
    outcome.map_err(|error| FenError {
        at: error.at + offset,
        ..error
    })
}

/// Strips blanks, the `[FEN "…"]` wrapper, quotes and a final full stop; also tells how many
/// characters were stripped in front.
fn unwrap_text(text: &str) -> (&str, usize) {
    let mut inner = text.trim();
    if let Some(wrapped) = inner
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        let wrapped = wrapped.trim();
        let named = wrapped
            .get(..3)
            .is_some_and(|name| name.eq_ignore_ascii_case("fen"));
        if let (true, Some(rest)) = (named, wrapped.get(3..)) {
            inner = rest.trim();
        }
    }
    inner = inner.trim_matches('"').trim();
    inner = inner.strip_suffix('.').unwrap_or(inner).trim_end();
    let stripped = inner.as_ptr() as usize - text.as_ptr() as usize;
    (
        inner,
        text.get(..stripped)
            .map_or(0, |front| front.chars().count()),
    )
}

/// The parts of a text between separators, each with its offset in characters, blanks trimmed.
fn parts(text: &str, separator: char, offset: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = offset;
    text.split(separator).map(move |part| {
        let leading = part.chars().take_while(|c| c.is_whitespace()).count();
        let start = at + leading;
        at += part.chars().count() + 1;
        (start, part.trim())
    })
}

fn read_lists(text: &str, numbering: Numbering) -> Result<Fen, FenError> {
    let mut fields = parts(text, ':', 0);
    let (at, side) = fields.next().unwrap_or((0, ""));
    let side = match side {
        "W" | "w" => Side::White,
        "B" | "b" => Side::Black,
        _ => {
            return Err(FenError {
                at,
                fault: FenFault::Side(side.to_owned()),
            });
        }
    };
    let mut reader = ListReader {
        setup: Setup::empty(side),
        numbering,
        numeric: None,
    };
    let mut seen = [false; 2];
    for (at, field) in fields.by_ref().take(2) {
        let color = match field.chars().next() {
            Some('W' | 'w') => Side::White,
            Some('B' | 'b') => Side::Black,
            None if !seen.contains(&true) => {
                return Err(FenError {
                    at,
                    fault: FenFault::NoList(Side::White),
                });
            }
            _ => {
                return Err(FenError {
                    at,
                    fault: FenFault::Color(field.to_owned()),
                });
            }
        };
        if let Some(seen) = seen.get_mut(color as usize) {
            if *seen {
                return Err(FenError {
                    at,
                    fault: FenFault::SecondList(color),
                });
            }
            *seen = true;
        }
        reader.list(color, field.get(1..).unwrap_or(""), at + 1)?;
    }
    for (side, seen) in Side::ALL.into_iter().zip(seen) {
        if !seen {
            let at = text.chars().count();
            return Err(FenError {
                at,
                fault: FenFault::NoList(side),
            });
        }
    }
    let mut half_moves = 0;
    for (at, field) in fields {
        let fault = match field.chars().next() {
            Some('W' | 'w') => FenFault::SecondList(Side::White),
            Some('B' | 'b') => FenFault::SecondList(Side::Black),
            Some('H' | 'h') => match field.get(1..).map(str::parse) {
                Some(Ok(plies @ 0..=LONGEST_COUNT)) => {
                    half_moves = plies;
                    continue;
                }
                _ => FenFault::HalfMoves(field.to_owned()),
            },
            // Other fields are other programs' business.
            _ => continue,
        };
        return Err(FenError { at, fault });
    }
    let position = reader.setup.validate().map_err(|faults| FenError {
        at: 0,
        fault: FenFault::Board(faults),
    })?;
    Ok(Fen {
        position,
        half_moves,
    })
}

struct ListReader {
    setup: Setup,
    numbering: Numbering,
    /// Whether squares are numbers in this text, once one has been seen.
    numeric: Option<bool>,
}

impl ListReader {
    fn list(&mut self, color: Side, list: &str, offset: usize) -> Result<(), FenError> {
        if list.trim().is_empty() {
            return Ok(());
        }
        for (at, item) in parts(list, ',', offset) {
            self.item(color, item)
                .map_err(|fault| FenError { at, fault })?;
        }
        Ok(())
    }

    fn item(&mut self, color: Side, item: &str) -> Result<(), FenFault> {
        let (kind, squares) = match item.strip_prefix(['K', 'k']) {
            Some(rest) => (Kind::King, rest.trim_start()),
            None => (Kind::Man, item),
        };
        if let Some((first, last)) = squares.split_once('-') {
            let number = |text: &str| {
                let text = text.trim();
                let digits = text.chars().all(|c| c.is_ascii_digit());
                text.parse::<usize>()
                    .ok()
                    .filter(|n| digits && (1..=32).contains(n))
            };
            let bounds = number(first)
                .zip(number(last))
                .filter(|(first, last)| first <= last);
            let (first, last) = bounds.ok_or_else(|| FenFault::Range(item.to_owned()))?;
            for number in first..=last {
                self.put(color, kind, &number.to_string())?;
            }
            Ok(())
        } else {
            self.put(color, kind, squares)
        }
    }

    fn put(&mut self, color: Side, kind: Kind, name: &str) -> Result<(), FenFault> {
        let numeric = name.starts_with(|c: char| c.is_ascii_digit());
        let square = if numeric {
            let number = name
                .parse()
                .map_err(|_| FenFault::Square(name.to_owned()))?;
            self.numbering.square(number)
        } else {
            algebraic(name).ok_or_else(|| FenFault::Square(name.to_owned()))?
        };
        let square = square.ok_or_else(|| FenFault::LightSquare(name.to_owned()))?;
        if *self.numeric.get_or_insert(numeric) != numeric {
            return Err(FenFault::Mixed(name.to_owned()));
        }
        let taken = self.setup.white | self.setup.black;
        if taken.contains(square) {
            return Err(FenFault::Duplicate(name.to_owned()));
        }
        let pieces = self.setup.pieces_mut(color);
        *pieces = pieces.with(square);
        if kind == Kind::King {
            self.setup.kings = self.setup.kings.with(square);
        }
        Ok(())
    }
}

/// Reads letter and digit. Outer `None`: not of that form; inner `None`: a light square.
fn algebraic(name: &str) -> Option<Option<Square>> {
    let mut chars = name.chars();
    let file = chars
        .next()
        .map(|c| c.to_ascii_lowercase())
        .filter(|c| ('a'..='h').contains(c))?;
    let rank = chars.next().filter(|c| ('1'..='8').contains(c))?;
    if chars.next().is_some() {
        return None;
    }
    Some(Square::new(
        file as usize - 'a' as usize,
        rank as usize - '1' as usize,
    ))
}

/// Reads 33 characters: Hub's side and 32 squares in the order b8 to g1 (`w b W B e`), or Kallisto's
/// 32 squares (`w b W B .`) and side.
fn read_board(text: &str) -> Result<Position, FenError> {
    let fault = |at, fault| FenError { at, fault };
    let chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return Err(fault(0, FenFault::Empty));
    }
    let side_of = |c: &char| match c {
        'W' | 'w' => Some(Side::White),
        'B' | 'b' => Some(Side::Black),
        _ => None,
    };
    if chars.len() != 33 {
        return Err(fault(0, FenFault::Side(text.chars().take(40).collect())));
    }
    let kallisto = chars.contains(&'.');
    let (side, board, offset) = match chars.as_slice() {
        [board @ .., side] if kallisto => (side, board, 0),
        [side, board @ ..] => (side, board, 1),
        [] => return Err(fault(0, FenFault::Empty)),
    };
    let side_at = if kallisto { 32 } else { 0 };
    let side = side_of(side).ok_or_else(|| fault(side_at, FenFault::Side(side.to_string())))?;
    let mut setup = Setup::empty(side);
    for (i, &c) in board.iter().enumerate() {
        let Some(square) = Square::from_number_b8(i + 1) else {
            continue;
        };
        match c {
            'w' | 'W' => setup.white = setup.white.with(square),
            'b' | 'B' => setup.black = setup.black.with(square),
            'e' if !kallisto => {}
            '.' if kallisto => {}
            _ => return Err(fault(i + offset, FenFault::Character(c))),
        }
        if c.is_ascii_uppercase() {
            setup.kings = setup.kings.with(square);
        }
    }
    setup
        .validate()
        .map_err(|faults| fault(0, FenFault::Board(faults)))
}

/// Writes a position in letters or numbers.
#[must_use]
pub fn write(position: &Position, spelling: Spelling) -> String {
    let list = |side: Side| {
        let pieces: Bitboard = position.pieces(side);
        let mut squares: Vec<Square> = pieces.squares().collect();
        squares.sort_unstable_by_key(|&square| match spelling {
            Spelling::Algebraic => square.number_a1(),
            Spelling::Numeric(numbering) => numbering.number(square),
        });
        let names: Vec<String> = squares
            .into_iter()
            .map(|square| {
                let king = if position.all_kings().contains(square) {
                    "K"
                } else {
                    ""
                };
                format!("{king}{}", square_name(square, spelling))
            })
            .collect();
        format!("{}{}", side.letter(), names.join(","))
    };
    format!(
        "{}:{}:{}",
        position.side().letter(),
        list(Side::White),
        list(Side::Black)
    )
}

/// Writes the 33 characters of Hub: side, then b8 to g1.
#[must_use]
pub fn write_hub(position: &Position) -> String {
    let mut text = String::with_capacity(33);
    text.push(position.side().letter());
    for number in 1..=32 {
        let piece = Square::from_number_b8(number).and_then(|square| position.piece_at(square));
        text.push(match piece.map(|piece| (piece.side, piece.kind)) {
            None => 'e',
            Some((Side::White, Kind::Man)) => 'w',
            Some((Side::White, Kind::King)) => 'W',
            Some((Side::Black, Kind::Man)) => 'b',
            Some((Side::Black, Kind::King)) => 'B',
        });
    }
    text
}
