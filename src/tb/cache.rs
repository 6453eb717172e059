//! Unpacked blocks of all tables, shared by all threads, under a limit of memory.
//!
//! A map that is read by many and written now and then is what `dashmap` is for. Blocks are handed out
//! as owned pointers, so that no lock of the map is held while one is used. Which block goes when
//! there is no more room is found by the second-chance rule: the oldest that has not been asked for
//! since the hand last passed it.

use dashmap::DashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Which block: of which file, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) file: u32,
    pub(super) block: u32,
}

#[derive(Debug)]
struct Entry {
    bytes: Arc<[u8]>,
    /// Asked for since the hand passed.
    used: AtomicBool,
}

/// The cache.
#[derive(Debug)]
pub(super) struct Cache {
    blocks: DashMap<Key, Entry>,
    /// The blocks in the order in which the hand meets them, and their size in all. Locked only where
    /// a block had to be unpacked.
    hand: Mutex<(VecDeque<Key>, usize)>,
    /// Most bytes that the blocks may take.
    limit: usize,
}

impl Cache {
    /// A cache of so many bytes; one block is always kept.
    pub(super) fn new(limit: usize) -> Cache {
        Cache {
            blocks: DashMap::new(),
            hand: Mutex::default(),
            limit,
        }
    }

    /// The block, if it is there.
    pub(super) fn get(&self, key: Key) -> Option<Arc<[u8]>> {
        let entry = self.blocks.get(&key)?;
        // Only the first one writes: a store would take the cache line from all other threads.
        if !entry.used.load(Ordering::Relaxed) {
            entry.used.store(true, Ordering::Relaxed);
        }
        Some(entry.bytes.clone())
    }

    /// Adds a block, and makes room.
    pub(super) fn add(&self, key: Key, bytes: Box<[u8]>) -> Arc<[u8]> {
        let bytes: Arc<[u8]> = bytes.into();
        let entry = Entry {
            bytes: bytes.clone(),
            used: AtomicBool::new(false),
        };
        let mut hand = self.hand.lock().unwrap_or_else(PoisonError::into_inner);
        let (order, size) = &mut *hand;
        if self.blocks.insert(key, entry).is_none() {
            order.push_back(key);
            *size += bytes.len();
        }
        while *size > self.limit && order.len() > 1 {
            let Some(oldest) = order.pop_front() else {
                break;
            };
            let unused = |_: &Key, entry: &Entry| !entry.used.swap(false, Ordering::Relaxed);
            match self.blocks.remove_if(&oldest, unused) {
                Some((_, entry)) => *size -= entry.bytes.len(),
                None => order.push_back(oldest),
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(block: u32) -> Key {
        Key { file: 1, block }
    }

    #[test]
    fn what_was_asked_for_stays_and_the_oldest_goes() {
        let cache = Cache::new(300);
        for block in 0..3 {
            cache.add(key(block), vec![block as u8; 100].into());
        }
        assert_eq!(cache.get(key(0)).as_deref(), Some(&[0; 100][..]));
        cache.add(key(3), vec![3; 100].into());
        let there: Vec<bool> = (0..4)
            .map(|block| cache.get(key(block)).is_some())
            .collect();
        assert_eq!(there, [true, false, true, true]);
    }

    #[test]
    fn the_limit_holds_however_many_threads_add() {
        let cache = Cache::new(1000);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..2000 {
                        let key = key((round * 7 + thread * 13) % 60);
                        let block = cache.get(key);
                        let block = block
                            .unwrap_or_else(|| cache.add(key, vec![key.block as u8; 50].into()));
                        assert_eq!(*block, [key.block as u8; 50]);
                    }
                });
            }
        });
        let hand = cache.hand.lock().expect("no panic");
        let size: usize = cache.blocks.iter().map(|entry| entry.bytes.len()).sum();
        assert_eq!((hand.1, hand.0.len()), (size, cache.blocks.len()));
        assert!(size <= 1000);
    }
}
