//! Openings: files of them, the tables that come with the program, and the order of play.
//!
//! A text file has an opening a line, in the words of a UCI `position` command, and behind a
//! semicolon its name: `startpos moves c3-d4 f6-g5 ; 1-I` or `fen W:Wa1,…:Bb8,… moves … ; 2-V`; the
//! word `fen` may be left out. Empty lines and lines that begin with `#` are passed over. A PDN file
//! has an opening a game: its start position and its moves.

use crate::notation::{Numbering, Spelling, fen, movetext, pdn};
use crate::rules::{Move, Position};
use std::io::Read;
use std::path::Path;

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its name, or its number in its file.
    pub name: String,
    /// The position before the moves.
    pub start: Position,
    /// Moves that are played for the engines.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The start position and no moves.
    #[must_use]
    pub fn none() -> Opening {
        Opening {
            name: "start".to_owned(),
            start: Position::start(),
            moves: Vec::new(),
        }
    }
}

/// What is wrong with openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// A line or game cannot be understood.
    #[error("line {line}: {what}")]
    Bad {
        /// Line of the file, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Nothing is there.
    #[error("no openings in it")]
    Empty,
}

/// The tables that come with the program: name, text.
pub const TABLES: &[(&str, &str)] = &[
    (
        "fmjd-moves",
        include_str!("../../positions/openings/fmjd-moves.txt"),
    ),
    (
        "fmjd-flying",
        include_str!("../../positions/openings/fmjd-flying.txt"),
    ),
    (
        "idf-moves",
        include_str!("../../positions/openings/idf-moves.txt"),
    ),
    (
        "idf-flying",
        include_str!("../../positions/openings/idf-flying.txt"),
    ),
    (
        "idf-basic",
        include_str!("../../positions/openings/idf-basic.txt"),
    ),
];

/// Reads a table by its name, or else a file: PDN if its name ends so, otherwise text.
///
/// # Errors
/// The first fault.
pub fn load(source: &str) -> Result<Vec<Opening>, OpeningError> {
    if let Some((_, text)) = TABLES.iter().find(|(name, _)| *name == source) {
        return read_text(text);
    }
    let unreadable = |error: std::io::Error| {
        let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        OpeningError::Unreadable(format!("{error}; the tables of the program are {names}"))
    };
    let mut file = std::fs::File::open(source).map_err(unreadable)?;
    let is_pdn = Path::new(source).extension();
    if is_pdn.is_some_and(|extension| extension.eq_ignore_ascii_case("pdn")) {
        return read_pdn(file);
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(unreadable)?;
    read_text(&text)
}

/// Reads the text of an opening file.
///
/// # Errors
/// The first fault.
pub fn read_text(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = read_line(line, openings.len() + 1);
        openings.push(opening.map_err(|what| OpeningError::Bad { line: number, what })?);
    }
    if openings.is_empty() {
        return Err(OpeningError::Empty);
    }
    Ok(openings)
}

fn read_line(line: &str, number: usize) -> Result<Opening, String> {
    let (line, name) = line.split_once(';').unwrap_or((line, ""));
    let name = match name.trim() {
        "" => number.to_string(),
        name => name.to_owned(),
    };
    let mut words = line.split_whitespace().peekable();
    let mut position = Vec::new();
    while let Some(word) = words.next_if(|word| !word.eq_ignore_ascii_case("moves")) {
        position.push(word);
    }
    let start = match position.as_slice() {
        ["startpos"] | [] => Position::start(),
        ["fen", rest @ ..] | rest => {
            let text = rest.join(" ");
            let read = fen::read(&text, Numbering::B8).map_err(|error| error.to_string())?;
            if read.half_moves > 0 {
                return Err("an opening begins with all counters at zero, without :H".to_owned());
            }
            read.position
        }
    };
    let mut opening = Opening {
        name,
        start,
        moves: Vec::new(),
    };
    let mut at = start;
    for text in words.skip(1) {
        let mv = movetext::read(&at, text, Numbering::B8).map_err(|error| error.to_string())?;
        at = at.play(mv);
        opening.moves.push(mv);
    }
    Ok(opening)
}

fn read_pdn(file: impl Read) -> Result<Vec<Opening>, OpeningError> {
    let mut reader = pdn::Reader::new(file);
    let mut openings = Vec::new();
    loop {
        let game = reader.next_game();
        let game = game.map_err(|error| OpeningError::Unreadable(error.to_string()))?;
        let Some(game) = game else { break };
        let bad = |what: String| OpeningError::Bad {
            line: game.line,
            what,
        };
        let replay = game.replay().map_err(|error| bad(error.to_string()))?;
        let tag = |name| game.tag(name).filter(|value| !matches!(*value, "" | "?"));
        let name = tag("Opening").or_else(|| tag("Event"));
        openings.push(Opening {
            name: name.map_or_else(|| game.number.to_string(), str::to_owned),
            start: replay.start,
            moves: replay.moves,
        });
    }
    if openings.is_empty() {
        return Err(OpeningError::Empty);
    }
    Ok(openings)
}

/// A checksum of openings, their names and their order.
pub(super) fn checksum(openings: &[Opening]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for opening in openings {
        let start = fen::write(&opening.start, Spelling::Algebraic);
        let mut text = format!("{}\n{start}", opening.name);
        let mut at = opening.start;
        for &mv in &opening.moves {
            text.push(' ');
            text.push_str(&movetext::write_full(&at, mv, Spelling::Algebraic));
            at = at.play(mv);
        }
        text.push('\n');
        hasher.update(text.as_bytes());
    }
    hasher.finalize()
}

/// Which opening each pair of games has: in the order of the file, or shuffled by a seed, anew each
/// time all have been played.
#[derive(Clone, Debug)]
pub(super) struct Order {
    count: usize,
    seed: Option<u64>,
}

impl Order {
    pub(super) fn new(count: usize, seed: Option<u64>) -> Order {
        Order { count, seed }
    }

    /// Index of the opening of a round.
    pub(super) fn opening(&self, round: usize) -> usize {
        let count = self.count.max(1);
        let (cycle, at) = (round / count, round % count);
        let Some(seed) = self.seed else { return at };
        // A permutation from keyed sorting: each index gets a random key, the same on all machines.
        let key = |index: usize| mix(mix(seed ^ mix(cycle as u64)) ^ index as u64);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&index| key(index));
        order.get(at).copied().unwrap_or(0)
    }
}

/// The finaliser of the splitmix64 generator (Steele, Lea and Flood 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_program_are_whole() {
        let counts = [344, 392, 349, 396, 150];
        for ((name, _), count) in TABLES.iter().zip(counts) {
            assert_eq!(load(name).expect(name).len(), count, "{name}");
        }
    }

    #[test]
    fn lines_and_their_faults() {
        let text =
            "# comment\n\nstartpos moves c3-d4 f6-g5 ; one\nfen W:Wc3:Bf6\nW:Wc3:Bf6 moves c3-d4\n";
        let openings = read_text(text).expect("good");
        let seen: Vec<_> = openings
            .iter()
            .map(|o| (o.name.as_str(), o.moves.len()))
            .collect();
        assert_eq!(seen, [("one", 2), ("2", 0), ("3", 1)]);
        let fault = |text| read_text(text).expect_err("a fault").to_string();
        assert!(fault("\nstartpos moves c3-d5").starts_with("line 2: "));
        assert!(fault("W:Wx9:B").starts_with("line 1: "));
        assert!(fault("W:WKc3:BKf8:H20").contains("counters at zero"));
        let other = read_text(&text.replace("c3-d4 f6-g5", "c3-d4 f6-e5")).expect("good");
        assert_ne!(checksum(&openings), checksum(&other));
        assert!(fault("# nothing").contains("no openings"));
        assert!(
            load("no such file")
                .expect_err("missing")
                .to_string()
                .contains("fmjd-flying")
        );
    }

    #[test]
    fn shuffled_order_is_a_permutation_that_changes() {
        let order = Order::new(50, Some(7));
        let cycle = |n: usize| {
            (0..50)
                .map(|at| order.opening(n * 50 + at))
                .collect::<Vec<_>>()
        };
        let (first, second) = (cycle(0), cycle(1));
        assert_ne!(first, second);
        for mut cycle in [first, second] {
            cycle.sort_unstable();
            assert_eq!(cycle, (0..50).collect::<Vec<_>>());
        }
        let plain = Order::new(3, None);
        assert_eq!([0, 1, 2, 3].map(|round| plain.opening(round)), [0, 1, 2, 0]);
    }
}
