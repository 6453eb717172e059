//! From text to moves.

use crate::board::{Bitboard, Square};
use crate::notation::error::MoveError;
use crate::notation::movetext::path::{passes, path};
use crate::notation::movetext::write_full;
use crate::notation::square_names::{Numbering, Spelling};
use crate::rules::{Move, Position};

/// Reads a move; numbers are read in `numbering`.
///
/// # Errors
/// The text cannot be read, means no legal move, or means several.
pub fn read(position: &Position, text: &str, numbering: Numbering) -> Result<Move, MoveError> {
    let words = tokenize(text, numbering)?;
    let legal = position.legal_moves();
    let (origin, squares) = match words.split_first() {
        Some((Word::File(file), rest)) => (Origin::File(*file), only_squares(rest)),
        Some((Word::Square(from), rest)) => (Origin::Square(*from), only_squares(rest)),
        None => (Origin::File(8), Vec::new()),
    };
    let Some((&to, between)) = squares.split_last() else {
        return Err(unreadable(
            text,
            text.chars().count(),
            "a move needs two squares",
        ));
    };
    // The readings in order of trust: a later one is tried only where no earlier one fits. A whole
    // path comes first, since a short form of another move may look the same.
    let whole = |mv: Move| mv.captured().count() as usize <= between.len() + 1;
    let readings: [&dyn Fn(Move) -> bool; 4] = [
        &|mv| mv.to() == to && whole(mv) && passes(position, mv, between),
        &|mv| mv.to() == to && passes(position, mv, between),
        &|mv| hub_reading(mv, &squares),
        &|mv| mv.to() == to && !between.is_empty() && same_set(mv.captured(), between),
    ];
    for fits in readings {
        let matches: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&mv| origin.fits(mv) && fits(mv))
            .collect();
        match matches.as_slice() {
            [] => {}
            [mv] => return Ok(*mv),
            several => {
                let full = |mv: &Move| write_full(position, *mv, Spelling::Algebraic);
                let choices = several.iter().map(full).collect();
                return Err(MoveError::Ambiguous {
                    text: text.to_owned(),
                    choices,
                });
            }
        }
    }
    let hint = hint(position, &legal, &origin, to, between);
    Err(MoveError::Illegal {
        text: text.to_owned(),
        hint,
    })
}

/// Reads a move as Hub writes it, strictly: from, to, and for captures the captured squares in any
/// order. `None` if it cannot be read or is not legal.
#[must_use]
pub fn read_hub(position: &Position, text: &str, numbering: Numbering) -> Option<Move> {
    let numbers: Option<Vec<Square>> = text
        .split(['-', 'x'])
        .map(|number| {
            number
                .parse()
                .ok()
                .and_then(|number| numbering.square(number))
        })
        .collect();
    let numbers = numbers?;
    let (&from, rest) = numbers.split_first()?;
    let legal = position.legal_moves();
    legal
        .into_iter()
        .find(|&mv| mv.from() == from && hub_reading(mv, rest))
}

/// Whether the squares after the origin are the target and all captured squares.
fn hub_reading(mv: Move, squares: &[Square]) -> bool {
    squares
        .split_first()
        .is_some_and(|(&to, captured)| mv.to() == to && same_set(mv.captured(), captured))
}

fn same_set(set: Bitboard, squares: &[Square]) -> bool {
    set.count() as usize == squares.len() && squares.iter().copied().collect::<Bitboard>() == set
}

enum Origin {
    Square(Square),
    /// 0 = a … 7 = h.
    File(usize),
}

impl Origin {
    fn fits(&self, mv: Move) -> bool {
        match *self {
            Origin::Square(square) => mv.from() == square,
            Origin::File(file) => mv.from().file() == file,
        }
    }
}

enum Word {
    Square(Square),
    /// A file without a rank, as the club shorthand has it in front.
    File(usize),
}

fn only_squares(words: &[Word]) -> Vec<Square> {
    let square = |word: &Word| match word {
        Word::Square(square) => Some(*square),
        Word::File(_) => None,
    };
    words.iter().filter_map(square).collect()
}

fn unreadable(text: &str, at: usize, reason: &str) -> MoveError {
    // Garbage of any length may be sent; the message need not repeat all of it.
    let text = text.chars().take(40).collect();
    MoveError::Unreadable {
        text,
        at,
        reason: reason.to_owned(),
    }
}

/// Latin letter for what was typed: lower case, and Cyrillic letters with the shape of Latin ones.
fn fold(c: char) -> char {
    match c {
        'А' | 'а' => 'a',
        'В' => 'b',
        'С' | 'с' => 'c',
        'Е' | 'е' => 'e',
        'Н' => 'h',
        'Х' | 'х' | '×' => 'x',
        '–' | '—' | '−' => '-',
        _ => c.to_ascii_lowercase(),
    }
}

fn tokenize(text: &str, numbering: Numbering) -> Result<Vec<Word>, MoveError> {
    let trimmed = text.trim();
    let marks: &[char] = &['!', '?', '+', '#'];
    let trimmed = match trimmed.split_once('$') {
        Some((before, nag)) if nag.chars().all(|c| c.is_ascii_digit()) => before,
        _ => trimmed,
    };
    let chars: Vec<char> = trimmed
        .trim_end_matches(marks)
        .trim()
        .chars()
        .map(fold)
        .collect();
    if chars.len() > 100 {
        return Err(unreadable(text, 100, "too long"));
    }
    let mut words = Vec::new();
    let mut rest = chars.as_slice();
    let at = |rest: &[char]| chars.len() - rest.len();
    while let Some((&c, tail)) = rest.split_first() {
        match c {
            '-' | 'x' | '*' | ':' => rest = tail,
            'a'..='h' => {
                let file = c as usize - 'a' as usize;
                match tail.split_first() {
                    Some((rank @ '1'..='8', tail)) => {
                        let square = Square::new(file, *rank as usize - '1' as usize);
                        let Some(square) = square else {
                            return Err(unreadable(text, at(rest), "a light square"));
                        };
                        words.push(Word::Square(square));
                        rest = tail;
                    }
                    _ if words.is_empty() => {
                        words.push(Word::File(file));
                        rest = tail;
                    }
                    _ => return Err(unreadable(text, at(rest), "a file without a rank")),
                }
            }
            '0'..='9' => {
                let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
                let (number, tail) = rest.split_at(digits);
                // Without separators every number has two digits.
                let width = if digits <= 2 { digits } else { 2 };
                if digits % width != 0 {
                    return Err(unreadable(text, at(rest), "an odd number of digits"));
                }
                for digits in number.chunks(width) {
                    let number: String = digits.iter().collect();
                    let square = number.parse().ok().and_then(|n| numbering.square(n));
                    let Some(square) = square else {
                        return Err(unreadable(text, at(rest), "a number outside 1 to 32"));
                    };
                    words.push(Word::Square(square));
                }
                rest = tail;
            }
            _ => {
                let shown = if c.is_control() {
                    c.escape_default().to_string()
                } else {
                    c.to_string()
                };
                let reason = format!("unexpected \"{shown}\"");
                return Err(unreadable(text, at(rest), &reason));
            }
        }
    }
    Ok(words)
}

/// Why a readable move is not legal, as far as that can be told in a few words.
fn hint(
    position: &Position,
    legal: &[Move],
    origin: &Origin,
    to: Square,
    between: &[Square],
) -> String {
    if legal.is_empty() {
        return ": there is no legal move".to_owned();
    }
    let unfinished = legal.iter().find(|&&mv| {
        let path = path(position, mv);
        mv.is_capture() && origin.fits(mv) && between.is_empty() && {
            path.get(1..path.len() - 1)
                .is_some_and(|inner| inner.contains(&to))
        }
    });
    if let Some(&mv) = unfinished {
        let whole = write_full(position, mv, Spelling::Algebraic);
        return format!(": the capture goes on, {whole}");
    }
    if legal.iter().any(|mv| mv.is_capture()) {
        let choices: Vec<String> = legal
            .iter()
            .take(3)
            .map(|&mv| write_full(position, mv, Spelling::Algebraic))
            .collect();
        let more = if legal.len() > 3 { " …" } else { "" };
        return format!(": a capture is compulsory, {}{more}", choices.join(" or "));
    }
    let owned = match origin {
        Origin::Square(from) => position.pieces(position.side()).contains(*from),
        Origin::File(_) => true,
    };
    if owned {
        String::new()
    } else {
        format!(": no piece of {} there", position.side())
    }
}
