//! How entries are packed into blocks and compressed, and back.
//!
//! What a table says is kept in two kinds of blocks: outcomes, two bits an entry, and distances, a byte
//! an entry. Entries with a pending capture, which nobody asks for, and distances of draws repeat the
//! entry before them, so that the compressor has less to tell.

use crate::tb::value::{CAPTURE, LIMIT, Value};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// Entries of a block. Larger ones compress better and take longer to open: with 32,768 the outcomes up to
/// five pieces take 3% more room than with 65,536, and a block opens in 11 microseconds instead of 18.
pub(super) const BLOCK: usize = 1 << 15;
/// Entries to a byte of a block of outcomes.
const PER_BYTE: usize = 4;
/// The best that the compressor can do.
const EFFORT: u8 = 10;

/// Who wins, without the distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Draw,
    Win,
    Loss,
    /// Won or lost but for the counter; the block of distances knows which.
    Cursed,
}

/// In a block of distances, a win but for the counter; 0 is a loss.
const CURSED_WIN: u8 = 1;

impl Outcome {
    fn of(value: Value) -> Outcome {
        match value {
            Value::Draw => Outcome::Draw,
            Value::Win(_) => Outcome::Win,
            Value::Loss(_) => Outcome::Loss,
            Value::CursedWin | Value::CursedLoss => Outcome::Cursed,
        }
    }

    fn bits(self) -> u8 {
        match self {
            Outcome::Draw => 0,
            Outcome::Win => 1,
            Outcome::Loss => 2,
            Outcome::Cursed => 3,
        }
    }

    fn from_bits(bits: u8) -> Outcome {
        match bits & 3 {
            0 => Outcome::Draw,
            1 => Outcome::Win,
            2 => Outcome::Loss,
            _ => Outcome::Cursed,
        }
    }

    /// The value, given the entry of the block of distances; `None` if there is no such value.
    pub(super) fn with_distance(self, distance: u8) -> Option<Value> {
        if distance > LIMIT {
            return (self == Outcome::Draw).then_some(Value::Draw);
        }
        let value = match self {
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(distance),
            Outcome::Loss => Value::Loss(distance),
            Outcome::Cursed if distance == CURSED_WIN => Value::CursedWin,
            Outcome::Cursed => Value::CursedLoss,
        };
        (Value::from_byte(value.to_byte()) == value).then_some(value)
    }
}

/// The two kinds of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Outcomes,
    Distances,
}

impl Kind {
    /// Size of an unpacked block with so many entries, bytes.
    pub(super) fn bytes(self, entries: usize) -> usize {
        match self {
            Kind::Outcomes => entries.div_ceil(PER_BYTE),
            Kind::Distances => entries,
        }
    }

    /// Packs and compresses the entries of a block, given as in a [`Solution`](super::Solution).
    pub(super) fn encode(self, values: &[u8]) -> Vec<u8> {
        let mut last = 0;
        let entries = values.iter().map(|&byte| {
            let value = Value::from_byte(byte);
            if byte & CAPTURE == 0 {
                last = match (self, value) {
                    (Kind::Outcomes, value) => Outcome::of(value).bits(),
                    (Kind::Distances, Value::Win(distance) | Value::Loss(distance)) => distance,
                    (Kind::Distances, Value::CursedWin) => CURSED_WIN,
                    (Kind::Distances, Value::CursedLoss) => 0,
                    (Kind::Distances, Value::Draw) => last,
                };
            }
            last
        });
        let entries: Vec<u8> = entries.collect();
        match self {
            Kind::Distances => compress_to_vec(&entries, EFFORT),
            Kind::Outcomes => {
                let pack = |group: &[u8]| group.iter().rev().fold(0, |byte, bits| byte << 2 | bits);
                let packed: Vec<u8> = entries.chunks(PER_BYTE).map(pack).collect();
                compress_to_vec(&packed, EFFORT)
            }
        }
    }

    /// The unpacked block; `None` if the bytes are not what [`encode`](Self::encode) makes of so many
    /// entries.
    pub(super) fn decode(self, compressed: &[u8], entries: usize) -> Option<Box<[u8]>> {
        let mut block = vec![0; self.bytes(entries)].into_boxed_slice();
        let bytes = std::iter::once(compressed);
        let written = decompress_slice_iter_to_slice(&mut block, bytes, false, true).ok()?;
        (written == block.len()).then_some(block)
    }
}

/// An entry of an unpacked block of outcomes.
pub(super) fn outcome(block: &[u8], at: usize) -> Option<Outcome> {
    let byte = block.get(at / PER_BYTE)?;
    Some(Outcome::from_bits(byte >> (2 * (at % PER_BYTE))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any value, a capture pending or not.
    fn entry() -> impl Strategy<Value = u8> {
        let value = prop_oneof![
            Just(Value::Draw),
            (1..=LIMIT).prop_map(Value::Win),
            (0..=LIMIT).prop_map(Value::Loss),
            Just(Value::CursedWin),
            Just(Value::CursedLoss),
        ];
        (value, any::<bool>())
            .prop_map(|(value, capture)| value.to_byte() | if capture { CAPTURE } else { 0 })
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(entries in prop::collection::vec(entry(), 1..200)) {
            let open = |kind: Kind| kind.decode(&kind.encode(&entries), entries.len());
            let outcomes = open(Kind::Outcomes).expect("a block");
            let distances = open(Kind::Distances).expect("a block");
            for (at, &byte) in entries.iter().enumerate() {
                if byte & CAPTURE == 0 {
                    let outcome = outcome(&outcomes, at).expect("an entry");
                    prop_assert_eq!(outcome.with_distance(distances[at]), Some(Value::from_byte(byte)));
                }
            }
        }

        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..300), entries in 1_usize..400) {
            for kind in [Kind::Outcomes, Kind::Distances] {
                if let Some(block) = kind.decode(&bytes, entries) {
                    prop_assert_eq!(block.len(), kind.bytes(entries));
                }
            }
        }
    }

    #[test]
    fn a_block_that_is_too_short_or_too_long_is_none() {
        let entries = vec![1; 100];
        for kind in [Kind::Outcomes, Kind::Distances] {
            let compressed = kind.encode(&entries);
            assert!(kind.decode(&compressed, 100).is_some());
            assert!(kind.decode(&compressed, 90).is_none());
            assert!(kind.decode(&compressed, 110).is_none());
            assert!(
                kind.decode(&compressed[..compressed.len() - 1], 100)
                    .is_none()
            );
        }
    }
}
