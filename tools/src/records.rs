//! Files of positions to learn from.
//!
//! A file is a header of 16 bytes, the text `shashki records` and a version byte, and then records of 20
//! bytes, little-endian:
//!
//! ```text
//! 0   4  squares of White, bit 0 is a1, then along the rows upwards
//! 4   4  squares of Black
//! 8   4  squares of kings of both
//! 12  2  score of the search in centi-men, from the view of the side to move
//! 14  2  ply of the game, from 0 at its opening position
//! 16  1  result of the game for the side to move: 0 lost, 1 drawn, 2 won
//! 17  1  side to move: 0 White, 1 Black
//! 18  2  number of the game, its low 16 bits
//! ```
//!
//! The positions are quiet: the side to move cannot capture, and is not threatened with a capture.

use anyhow::{Context, Result, ensure};
use shashki::board::{Bitboard, Side, Square};
use shashki::rules::{Position, Setup};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

/// The header.
pub const MAGIC: [u8; 16] = *b"shashki records\x01";
/// Bytes of a record.
pub const SIZE: usize = 20;

/// One position and what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// Score of the search, centi-men, from the view of the side to move.
    pub score: i16,
    /// Ply of the game.
    pub ply: u16,
    /// Result for the side to move: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// Number of the game, its low 16 bits.
    pub game: u16,
}

fn word(set: Bitboard) -> u32 {
    set.into_iter()
        .fold(0, |word, square| word | 1 << (square.number_a1() - 1))
}

fn set(word: u32) -> Bitboard {
    (0..32)
        .filter(|bit| word >> bit & 1 == 1)
        .filter_map(|bit| Square::from_number_a1(bit + 1))
        .collect()
}

impl Record {
    /// The bytes of a record.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        let position = &self.position;
        let words = [
            word(position.pieces(Side::White)),
            word(position.pieces(Side::Black)),
            word(position.all_kings()),
        ];
        for (at, word) in words.into_iter().enumerate() {
            bytes[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
        }
        bytes[12..14].copy_from_slice(&self.score.to_le_bytes());
        bytes[14..16].copy_from_slice(&self.ply.to_le_bytes());
        bytes[16] = self.result;
        bytes[17] = position.side() as u8;
        bytes[18..20].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    /// A record from its bytes.
    ///
    /// # Errors
    /// They are no record.
    pub fn from_bytes(bytes: &[u8; SIZE]) -> Result<Record> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        ensure!(bytes[16] <= 2 && bytes[17] <= 1, "no record");
        let setup = Setup {
            white: set(word(0)),
            black: set(word(4)),
            kings: set(word(8)),
            side: Side::ALL[usize::from(bytes[17])],
        };
        let position = setup.validate().ok().context("no legal position")?;
        Ok(Record {
            position,
            score: half(12) as i16,
            ply: half(14),
            result: bytes[16],
            game: half(18),
        })
    }
}

/// All records of a file. What an interrupted writer left behind the last whole one is passed over.
///
/// # Errors
/// The file cannot be read or is something else.
pub fn read(path: &Path) -> Result<Vec<Record>> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic).with_context(name)?;
    ensure!(magic == MAGIC, "{}: not a file of records", name());
    let mut records = Vec::new();
    let mut bytes = [0; SIZE];
    loop {
        match file.read_exact(&mut bytes) {
            Ok(()) => records.push(Record::from_bytes(&bytes).with_context(name)?),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(records),
            Err(error) => return Err(error).with_context(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut random = fastrand::Rng::with_seed(3);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut records = Vec::new();
        let mut bytes = Vec::from(MAGIC);
        while records.len() < 500 {
            let pieces = random.u8(2..=16);
            let Some(position) = crate::random::position(&mut random, pieces) else {
                continue;
            };
            let record = Record {
                position,
                score: random.i16(..),
                ply: random.u16(..),
                result: random.u8(..3),
                game: random.u16(..),
            };
            bytes.extend(record.to_bytes());
            records.push(record);
        }
        bytes.extend([1, 2, 3]);
        std::fs::write(&path, &bytes).expect("written");
        assert_eq!(read(&path).expect("readable"), records);
        std::fs::write(&path, b"shashki recordz\x01").expect("written");
        assert!(read(&path).is_err());
    }
}
