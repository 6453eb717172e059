//! The searches of the root that a team makes one after the other, each with its depth and window.
//!
//! All threads search the same tree, so whichever is done with the root first has the result for all: the
//! others drop what they are at and go on from there. Left to themselves they would still have to walk
//! along the best line, where the table cuts nothing off, and the quick one would be at a depth at which it
//! gets no help.

use crate::rules::Move;
use crate::score::Score;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a search of the root has given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Round {
    pub(super) score: Score,
    /// The line to it, if the score is above the lower end of the window.
    pub(super) line: Option<Vec<Move>>,
}

/// The rounds of one search. Each begins from what the one before has given, so that all threads make the
/// same ones.
#[derive(Default)]
pub(super) struct Rounds {
    /// So many have a result: a look at this is all that the threads do meanwhile.
    done: AtomicUsize,
    results: Mutex<Vec<Round>>,
}

impl Rounds {
    /// Whether a thread is done with the round of this number, counted from 0.
    pub(super) fn is_done(&self, number: usize) -> bool {
        self.done.load(Ordering::Relaxed) > number
    }

    /// The result of a round for all threads: that of whichever asked first with one of its own, `None` if
    /// nobody had one yet.
    pub(super) fn agree(&self, number: usize, own: Option<Round>) -> Option<Round> {
        // A thread that broke off leaves no result half written.
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = own
            && results.len() == number
        {
            results.push(own);
            self.done.store(results.len(), Ordering::Relaxed);
        }
        results.get(number).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_result_counts_for_all() {
        let round = |score| Round {
            score: Score::from_raw(score),
            line: None,
        };
        let rounds = Rounds::default();
        assert_eq!(rounds.agree(0, None), None);
        assert!(!rounds.is_done(0));
        assert_eq!(rounds.agree(0, Some(round(7))), Some(round(7)));
        assert!(rounds.is_done(0) && !rounds.is_done(1));
        assert_eq!(rounds.agree(0, Some(round(8))), Some(round(7)));
        assert_eq!(rounds.agree(1, Some(round(9))), Some(round(9)));
        assert_eq!(rounds.agree(0, None), Some(round(7)));
        assert!(rounds.is_done(1) && !rounds.is_done(2));
    }
}
