//! Which positions the threads of a team are at, so that they look for work elsewhere.
//!
//! A thread that is about to search a move that another one is searching puts it off and takes the
//! next one first; by the time it comes back the answer is in the table (after the simplified ABDADA
//! of T. Kerrigan). A hint and nothing more: entries may overwrite each other, and reads and writes
//! are relaxed.

use std::sync::atomic::{AtomicU64, Ordering};

/// Entries; many times the number of nodes of sufficient depth on the paths of all threads.
const ENTRIES: usize = 1 << 12;

/// From this depth on moves are put off, plies: below it a search is over too soon.
pub(super) const DEFER_DEPTH: i32 = 4;

/// The table of nodes under way, empty for a thread that is alone.
pub(super) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(super) fn new(threads: usize) -> Busy {
        let entries = if threads > 1 { ENTRIES } else { 0 };
        Busy((0..entries).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether there is nobody to get in the way of.
    #[inline(always)]
    pub(super) fn is_alone(&self) -> bool {
        self.0.is_empty()
    }

    fn entry(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get((key >> 32) as usize % ENTRIES)
    }

    /// Whether another thread is at the node with this key.
    pub(super) fn contains(&self, key: u64) -> bool {
        let entry = self.entry(key);
        entry.is_some_and(|entry| entry.load(Ordering::Relaxed) == key)
    }

    /// A thread has come to a node.
    pub(super) fn enter(&self, key: u64) {
        if let Some(entry) = self.entry(key) {
            entry.store(key, Ordering::Relaxed);
        }
    }

    /// A thread has left a node.
    pub(super) fn leave(&self, key: u64) {
        if let Some(entry) = self.entry(key)
            && entry.load(Ordering::Relaxed) == key
        {
            entry.store(0, Ordering::Relaxed);
        }
    }
}

/// The key of a node that is searched to a depth.
pub(super) const fn key(position: u64, depth: i32) -> u64 {
    // Odd, so that it is never the mark of an empty entry.
    position ^ (depth as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1
}
