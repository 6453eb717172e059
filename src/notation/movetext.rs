//! Moves as text.
//!
//! A text names squares, and the legal moves of the position decide what it means. Read are: `c3-d4`,
//! `c3d4`, `a3:c5:e7` (from and landing squares, all or some of them), `a3xe7`, `cd4` and `b:d4`
//! (file and target, the club shorthand), Kallisto's `a3:b4:d6:e7` (from, captured squares, to),
//! Hub's `21x7x10x17` (from, to, captured squares), numbers with or without separator (`2218`),
//! upper case, Cyrillic letters that look like Latin ones, and marks such as `!?` behind the move.

use crate::board::{Bitboard, Direction, Square};
use crate::notation::error::MoveError;
use crate::notation::square_names::{Numbering, Spelling, square_name};
use crate::rules::{Move, Position};

/// The squares a piece touches: from, each landing square, to. For a quiet move from and to.
///
/// Of several paths of the same move one is chosen by a fixed rule; going straight on, a king lands
/// right behind the captured piece.
#[must_use]
pub fn path(position: &Position, mv: Move) -> Vec<Square> {
    let mut squares = vec![mv.from()];
    if mv.is_capture() {
        let tracer = Tracer::new(position, mv);
        if !tracer.follow(
            mv.from(),
            Bitboard::EMPTY,
            None,
            &mut |_| true,
            &mut squares,
        ) {
            // Not a legal move of this position: nothing better can be said.
            squares.push(mv.to());
        }
    } else {
        squares.push(mv.to());
    }
    squares
}

/// Writes a move with its whole path: `c3-d4`, `a3:c5:e7`, or in numbers `22-18`, `21x14x7`.
#[must_use]
pub fn write_full(position: &Position, mv: Move, spelling: Spelling) -> String {
    join(&path(position, mv), mv, spelling)
}

/// Writes a move by from and to, or with its whole path where that would fit several moves.
#[must_use]
pub fn write_short(position: &Position, mv: Move, spelling: Spelling) -> String {
    let same_ends = |other: &Move| other.from() == mv.from() && other.to() == mv.to();
    if position
        .legal_moves()
        .iter()
        .filter(|other| same_ends(other))
        .count()
        > 1
    {
        write_full(position, mv, spelling)
    } else {
        join(&[mv.from(), mv.to()], mv, spelling)
    }
}

fn join(squares: &[Square], mv: Move, spelling: Spelling) -> String {
    let separator = match spelling {
        _ if !mv.is_capture() => "-",
        Spelling::Algebraic => ":",
        Spelling::Numeric(_) => "x",
    };
    let names: Vec<String> = squares
        .iter()
        .map(|&square| square_name(square, spelling))
        .collect();
    names.join(separator)
}

/// The legal moves, a line each in alphabetical order, `move <whole path> captured <squares>` with `-`
/// for no captures, and last `moves <count>`.
#[must_use]
pub fn list(position: &Position, spelling: Spelling) -> Vec<String> {
    let line = |&mv: &Move| {
        let path = write_full(position, mv, spelling);
        let mut captured: Vec<Square> = mv.captured().squares().collect();
        captured.sort_unstable();
        let names: Vec<String> = captured
            .into_iter()
            .map(|square| square_name(square, spelling))
            .collect();
        let captured = if names.is_empty() {
            "-".to_owned()
        } else {
            names.join(",")
        };
        format!("move {path} captured {captured}")
    };
    let mut lines: Vec<String> = position.legal_moves().iter().map(line).collect();
    lines.sort_unstable();
    lines.push(format!("moves {}", lines.len()));
    lines
}

/// Writes a move as Hub wants it: `22-18`, or from, to and every captured square: `21x7x10x17`.
#[must_use]
pub fn write_hub(mv: Move, numbering: Numbering) -> String {
    let number = |square| numbering.number(square);
    let (from, to) = (number(mv.from()), number(mv.to()));
    if !mv.is_capture() {
        return format!("{from}-{to}");
    }
    let mut captured: Vec<usize> = mv.captured().squares().map(number).collect();
    captured.sort_unstable();
    let captured: String = captured.iter().map(|n| format!("x{n}")).collect();
    format!("{from}x{to}{captured}")
}

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

/// Whether some path of the move has `between` among its landing squares, in this order.
fn passes(position: &Position, mv: Move, between: &[Square]) -> bool {
    if between.is_empty() {
        return true;
    }
    if !mv.is_capture() {
        return false;
    }
    let tracer = Tracer::new(position, mv);
    let wanted = between;
    let mut accept = |landings: &[Square]| {
        // Without from and to.
        let inner = landings
            .get(1..landings.len().saturating_sub(1))
            .unwrap_or(&[]);
        let mut wanted = wanted.iter().peekable();
        for square in inner {
            wanted.next_if_eq(&square);
        }
        wanted.peek().is_none()
    };
    tracer.follow(
        mv.from(),
        Bitboard::EMPTY,
        None,
        &mut accept,
        &mut vec![mv.from()],
    )
}

/// Follows the paths of one capture over the board.
struct Tracer {
    mv: Move,
    /// Squares that are empty before the move, and the origin.
    empty: Bitboard,
    king: bool,
    promotion: Bitboard,
}

impl Tracer {
    fn new(position: &Position, mv: Move) -> Tracer {
        Tracer {
            mv,
            empty: !position.occupied() | mv.from().bitboard(),
            king: mv.is_by_king(),
            promotion: position.side().promotion_row(),
        }
    }

    /// Extends `squares`, which end on `at`, to a whole path that `accept` likes; returns whether
    /// there is one. `captured` holds what has been taken on the way, `last` the direction of the
    /// last jump.
    fn follow(
        &self,
        at: Square,
        captured: Bitboard,
        last: Option<Direction>,
        accept: &mut impl FnMut(&[Square]) -> bool,
        squares: &mut Vec<Square>,
    ) -> bool {
        if captured == self.mv.captured() {
            return at == self.mv.to() && accept(squares);
        }
        let wanted = self.mv.captured().without(captured);
        let crowned = squares
            .iter()
            .any(|&square| self.promotion.contains(square));
        let flies = self.king || crowned;
        for direction in Direction::ALL {
            if last == Some(direction.opposite()) {
                continue;
            }
            let here = at.bitboard();
            let approach = if flies {
                here.slide(self.empty, direction)
            } else {
                Bitboard::EMPTY
            };
            let victim = (here | approach).step(direction) & wanted;
            let mut landing = victim.step(direction) & self.empty;
            let Some(taken) = victim.first() else {
                continue;
            };
            while let Some(square) = landing.first() {
                squares.push(square);
                if self.follow(
                    square,
                    captured.with(taken),
                    Some(direction),
                    accept,
                    squares,
                ) {
                    return true;
                }
                squares.pop();
                landing = if flies {
                    landing.step(direction) & self.empty
                } else {
                    Bitboard::EMPTY
                };
            }
        }
        false
    }
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
                let reason = format!("unexpected \"{}\"", c.escape_default());
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
