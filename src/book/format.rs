//! Books as bytes and in memory.
//!
//! The bytes of a file, little-endian; positions are in the order of their keys:
//!
//! ```text
//! 0   8  "shashbk" and the version, 1
//! 8   4  positions
//! 12     their Zobrist keys, eight bytes each
//!        how many moves each has, a byte each
//!        the values of the moves, two bytes each, in centi-men from the view of the side that makes them
//! -4  4  CRC-32 of all of the above
//! ```

use crate::book::{GREATEST, moves_in_order};
use crate::rules::{Move, Position};
use std::collections::HashMap;

const MAGIC: [u8; 8] = *b"shashbk\x01";
const HEADER: usize = MAGIC.len() + size_of::<u32>();
const CHECKSUM: usize = size_of::<u32>();

/// A book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// The values of the moves by the key of the position.
    positions: HashMap<u64, Box<[i16]>>,
}

/// Why bytes are no book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadBook {
    /// They are something else.
    #[error("no book of this program")]
    Foreign,
    /// They are cut off, or the checksum does not fit.
    #[error("damaged: length or checksum")]
    Damaged,
}

/// The book of the program.
const BUILT_IN: &[u8] = include_bytes!("openings.book");

impl Book {
    /// The book that is part of the program.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    pub fn built_in() -> Book {
        Book::from_bytes(BUILT_IN).unwrap_or_else(|error| panic!("built-in book: {error}"))
    }

    /// A book with these positions and the values of their moves in order.
    #[must_use]
    pub fn new(positions: impl IntoIterator<Item = (u64, Vec<i16>)>) -> Book {
        let boxed = |(key, values): (u64, Vec<i16>)| (key, values.into_boxed_slice());
        Book {
            positions: positions.into_iter().map(boxed).collect(),
        }
    }

    /// How many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// All legal moves of a position with their values, the best first; `None` if the book does not have it.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<Vec<(Move, i16)>> {
        let values = self.positions.get(&position.key())?;
        let moves = moves_in_order(position);
        // Another position may have the same key.
        if moves.len() != values.len() {
            return None;
        }
        let mut moves: Vec<_> = moves.into_iter().zip(values.iter().copied()).collect();
        moves.sort_by_key(|&(_, value)| -i32::from(value));
        Some(moves)
    }

    /// A move that is no more than `margin` centi-men worse than the best, with its value; the better ones
    /// more often. `random` decides.
    #[must_use]
    pub fn choose(&self, position: &Position, margin: i16, random: u64) -> Option<(Move, i16)> {
        let moves = self.moves(position)?;
        let best = i32::from(moves.first()?.1);
        let weight = |value: i16| i32::from(margin) + 1 - (best - i32::from(value));
        let good = moves.iter().filter(|(_, value)| weight(*value) > 0);
        let sum: i64 = good
            .clone()
            .map(|(_, value)| i64::from(weight(*value)))
            .sum();
        let mut place = (random % sum.unsigned_abs().max(1)) as i64;
        let chosen = good.clone().find(|(_, value)| {
            place -= i64::from(weight(*value));
            place < 0
        });
        chosen.copied()
    }

    /// Reads a book.
    ///
    /// # Errors
    /// The bytes are not a whole book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BadBook> {
        if !bytes.starts_with(&MAGIC) {
            return Err(BadBook::Foreign);
        }
        if bytes.len() < HEADER + CHECKSUM {
            return Err(BadBook::Damaged);
        }
        let (summed, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if crc32fast::hash(summed).to_le_bytes() != *sum {
            return Err(BadBook::Damaged);
        }
        let read = || {
            let (count, rest) = summed[MAGIC.len()..].split_first_chunk()?;
            let count = u32::from_le_bytes(*count) as usize;
            let (keys, rest) = rest.split_at_checked(count.checked_mul(8)?)?;
            let (sizes, mut rest) = rest.split_at_checked(count)?;
            let mut positions = HashMap::with_capacity(count);
            for (key, &size) in keys.chunks_exact(8).zip(sizes) {
                let (values, behind) = rest.split_at_checked(2 * usize::from(size))?;
                rest = behind;
                let values = values.chunks_exact(2);
                let values = values.map(|value| i16::from_le_bytes([value[0], value[1]]));
                let key = u64::from_le_bytes(key.try_into().ok()?);
                let values: Box<[i16]> = values.map(|v| v.clamp(-GREATEST, GREATEST)).collect();
                positions.insert(key, values);
            }
            rest.is_empty().then_some(Book { positions })
        };
        read().ok_or(BadBook::Damaged)
    }

    /// The bytes of a file of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut positions: Vec<_> = self.positions.iter().collect();
        positions.sort_unstable_by_key(|(key, _)| **key);
        let mut bytes = MAGIC.to_vec();
        bytes.extend((positions.len() as u32).to_le_bytes());
        for (key, _) in &positions {
            bytes.extend(key.to_le_bytes());
        }
        bytes.extend(positions.iter().map(|(_, values)| values.len() as u8));
        for value in positions.iter().flat_map(|(_, values)| values.iter()) {
            bytes.extend(value.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(values: &[i16]) -> Book {
        Book::new([(Position::start().key(), values.to_vec())])
    }

    const VALUES: [i16; 7] = [3, -20, 7, 0, 5, 7, -300];

    #[test]
    fn bytes_come_back_and_damage_is_seen() {
        let book = book(&VALUES);
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes), Ok(book));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x40;
            assert!(Book::from_bytes(&bad).is_err(), "byte {at}");
            assert!(Book::from_bytes(&bytes[..at]).is_err(), "{at} bytes");
        }
        // Under a right checksum, but with more positions than there are.
        let mut bad = bytes[..bytes.len() - CHECKSUM].to_vec();
        bad[8] = 200;
        let sum = crc32fast::hash(&bad);
        bad.extend(sum.to_le_bytes());
        assert_eq!(Book::from_bytes(&bad), Err(BadBook::Damaged));
    }

    #[test]
    fn the_margin_says_what_is_played() {
        let (book, start) = (book(&VALUES), Position::start());
        let chosen = |margin| {
            let mut values: Vec<i16> = (0..1_000_u64)
                .map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .filter_map(|random| book.choose(&start, margin, random))
                .map(|(_, value)| value)
                .collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        assert_eq!(chosen(0), [7]);
        assert_eq!(chosen(2), [5, 7]);
        assert_eq!(chosen(10), [0, 3, 5, 7]);
        assert_eq!(chosen(1_000), [-300, -20, 0, 3, 5, 7]);
        let one = &start.legal_moves()[0];
        assert_eq!(book.choose(&start.play(*one), 1_000, 1), None);
    }

    #[test]
    fn a_position_with_another_number_of_moves_is_not_taken_for_this() {
        assert_eq!(book(&VALUES[..6]).moves(&Position::start()), None);
    }
}
