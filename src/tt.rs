//! The transposition table, shared by all threads of a search without locks; small ones serve one thread.
//!
//! An entry is two atomic words: the data, and the key combined with the data by exclusive or. A
//! reader that meets two halves of different writes finds a key that is not its own and sees no
//! entry. Orderings are relaxed: an entry stands alone and guards nothing else.

mod memory;

use crate::rules::CompactMove;
use crate::score::{Ply, Score};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing; only the move is known.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The best move found, none if none was.
    pub mv: CompactMove,
    /// The score, as seen from the asking node.
    pub score: Score,
    /// Depth of the search that gave it, in plies.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
}

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries that share a cache line; a position may be in any of them.
const BUCKET: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; BUCKET]);

/// Tables from this size on are made by several threads, MiB.
const BIG_MIB: usize = 256;
const BYTES_PER_MIB: usize = 1 << 20;

/// A table of fixed size.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

/// The table could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not enough memory for a table of {mib} MiB")]
pub struct OutOfMemory {
    /// The size asked for.
    pub mib: usize,
}

// The data word: move 0..16, score 16..32, depth 32..40, bound 40..42, generation 42..48.
const GENERATIONS: u8 = 64;

const fn pack(mv: CompactMove, score: i16, depth: u8, bound: Bound, generation: u8) -> u64 {
    mv.bits() as u64
        | (score as u16 as u64) << 16
        | (depth as u64) << 32
        | (bound as u64) << 40
        | (generation as u64) << 42
}

const fn depth_of(data: u64) -> u8 {
    (data >> 32) as u8
}

const fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 & (GENERATIONS - 1)
}

const fn bound_of(data: u64) -> Bound {
    match (data >> 40) & 3 {
        0 => Bound::None,
        1 => Bound::Upper,
        2 => Bound::Lower,
        _ => Bound::Exact,
    }
}

impl TranspositionTable {
    /// A table of `mib` MiB (1 or more), empty.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(mib: usize) -> Result<TranspositionTable, OutOfMemory> {
        let mib = mib.max(1);
        let out_of_memory = OutOfMemory { mib };
        // A system that promises more memory than it has would end the process while the table is
        // being filled, so the promise alone is not trusted.
        if !TranspositionTable::fits(mib, 0) {
            return Err(out_of_memory);
        }
        let bytes = mib.checked_mul(BYTES_PER_MIB).ok_or(out_of_memory)?;
        let count = bytes / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets
            .try_reserve_exact(count)
            .map_err(|_| out_of_memory)?;
        memory::prefer_large_pages(&mut buckets);
        // Touching the memory for the first time is what takes long, so all processors help with
        // large tables. In a pool of its own: the library shares nothing with its host.
        let pool = (mib >= BIG_MIB).then(|| rayon::ThreadPoolBuilder::new().build());
        if let Some(Ok(pool)) = pool {
            pool.install(|| {
                buckets.par_extend((0..count).into_par_iter().map(|_| Bucket::default()));
            });
        } else {
            buckets.resize_with(count, Bucket::default);
        }
        Ok(TranspositionTable {
            buckets,
            generation: AtomicU8::new(0),
        })
    }

    /// A table of so many bytes (64 or more) for one thread's own use.
    pub(crate) fn small(bytes: usize) -> TranspositionTable {
        let mut buckets = Vec::new();
        buckets.resize_with((bytes / size_of::<Bucket>()).max(1), Bucket::default);
        TranspositionTable {
            buckets,
            generation: AtomicU8::new(0),
        }
    }

    /// Whether there is memory for a table of `mib` MiB once `freed` MiB more are free. Without word
    /// from the system the answer is yes.
    #[must_use]
    pub fn fits(mib: usize, freed: usize) -> bool {
        available_mib().is_none_or(|available| mib <= available.saturating_add(freed))
    }

    /// Forgets everything, with `threads` threads.
    pub fn clear(&self, threads: usize) {
        let share = self.buckets.len().div_ceil(threads.max(1)).max(1);
        let clear = |part: &[Bucket]| {
            for entry in part.iter().flat_map(|bucket| &bucket.0) {
                entry.check.store(0, Ordering::Relaxed);
                entry.data.store(0, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for part in self.buckets.chunks(share) {
                // Where no other thread is asked for or can be had the work is done here.
                let helper = || std::thread::Builder::new().spawn_scoped(scope, || clear(part));
                if threads <= 1 || helper().is_err() {
                    clear(part);
                }
            }
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a new search: what older ones stored is the first to be replaced.
    pub fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let at = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[at as usize]
    }

    /// Asks for the entries of this key to be brought near, since they will be looked at soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.bucket(key));
    }

    /// What is known about the position with this key, for a node at `ply`.
    #[must_use]
    pub fn probe(&self, key: u64, ply: Ply) -> Option<Hit> {
        self.bucket(key).0.iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            if entry.check.load(Ordering::Relaxed) ^ data != key || data == 0 {
                return None;
            }
            Some(Hit {
                mv: CompactMove::from_bits(data as u16),
                score: Score::from_table((data >> 16) as u16 as i16, ply),
                depth: i32::from(depth_of(data)),
                bound: bound_of(data),
            })
        })
    }

    /// Stores what a node at `ply` found. `depth` in plies, 0..=255. Without a move the one that is
    /// already there stays.
    pub fn store(
        &self,
        key: u64,
        ply: Ply,
        mv: CompactMove,
        score: Score,
        depth: i32,
        bound: Bound,
    ) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut mv = mv;
        let mut place = None;
        let mut worst = i32::MAX;
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            if data != 0 && entry.check.load(Ordering::Relaxed) ^ data == key {
                if mv.is_none() {
                    mv = CompactMove::from_bits(data as u16);
                }
                if bound == Bound::None && bound_of(data) != Bound::None {
                    // Only the move is new: what is known about the score stays.
                    let kept = data & !(0xFFFF | u64::from(GENERATIONS - 1) << 42);
                    let data = kept | u64::from(mv.bits()) | u64::from(generation) << 42;
                    entry.check.store(key ^ data, Ordering::Relaxed);
                    entry.data.store(data, Ordering::Relaxed);
                    return;
                }
                place = Some(entry);
                break;
            }
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = if data == 0 {
                -1_000
            } else {
                i32::from(depth_of(data)) - 8 * i32::from(age)
            };
            if worth < worst {
                worst = worth;
                place = Some(entry);
            }
        }
        if let Some(entry) = place {
            let depth = depth.clamp(0, 255) as u8;
            let data = pack(mv, score.to_table(ply), depth, bound, generation);
            entry.check.store(key ^ data, Ordering::Relaxed);
            entry.data.store(data, Ordering::Relaxed);
        }
    }

    /// How full the table is of entries of the current search, in thousandths, from a sample.
    #[must_use]
    pub fn per_mille_full(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(250);
        let entries = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0);
        let used = entries.filter(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            data != 0 && generation_of(data) == generation
        });
        (used.count() * 1000 / (sample * BUCKET)) as u32
    }
}

/// Memory that can be had without harm, in MiB, where the system tells.
fn available_mib() -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_ages() {
        let table = TranspositionTable::new(1).expect("one MiB");
        let mv = CompactMove::from_bits(0x8123);
        table.store(42, 3, mv, Score::evaluation(-55), 7, Bound::Lower);
        let hit = table.probe(42, 3).expect("stored");
        assert_eq!(hit.mv, mv);
        assert_eq!(hit.score, Score::evaluation(-55));
        assert_eq!((hit.depth, hit.bound), (7, Bound::Lower));
        assert!(table.probe(43, 3).is_none());
        // Without a move, the old one stays.
        table.store(42, 3, CompactMove::NONE, Score::DRAW, 9, Bound::Exact);
        assert_eq!(table.probe(42, 3).expect("stored").mv, mv);
        // With a move alone, the score stays.
        let other = CompactMove::from_bits(0x8321);
        table.store(42, 3, other, Score::DRAW, 0, Bound::None);
        let hit = table.probe(42, 3).expect("stored");
        assert_eq!((hit.mv, hit.depth, hit.bound), (other, 9, Bound::Exact));
        table.clear(2);
        assert!(table.probe(42, 3).is_none());
    }

    #[test]
    fn old_shallow_entries_go_first() {
        let table = TranspositionTable::new(1).expect("one MiB");
        // Keys of one bucket: they differ in the low bits only.
        for (i, depth) in [5, 20, 6, 7].into_iter().enumerate() {
            table.store(
                i as u64 + 1,
                0,
                CompactMove::from_bits(1),
                Score::DRAW,
                depth,
                Bound::Exact,
            );
        }
        table.new_search();
        table.store(
            99,
            0,
            CompactMove::from_bits(1),
            Score::DRAW,
            1,
            Bound::Exact,
        );
        assert!(
            table.probe(1, 0).is_none(),
            "the shallowest old entry is replaced"
        );
        assert!(table.probe(2, 0).is_some() && table.probe(99, 0).is_some());
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
