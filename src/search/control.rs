//! Stopping a search from outside, and telling it that pondering has become thinking.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One search's strings: held by the searcher and by whoever may stop it.
#[derive(Debug)]
pub struct Control {
    begun: Instant,
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the clock started, in microseconds after `begun`.
    clock_started: AtomicU64,
    /// Guards nothing; it lets a searcher with nothing to do sleep until something changes.
    sleep: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// For a search that begins now; a pondering one has no clock until [`ponder_hit`].
    ///
    /// [`ponder_hit`]: Self::ponder_hit
    #[must_use]
    pub fn new(pondering: bool) -> Control {
        Control {
            begun: Instant::now(),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            clock_started: AtomicU64::new(0),
            sleep: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.wake();
    }

    /// The opponent has played the expected move: the clock starts now. A search that is not
    /// pondering goes on as it was.
    pub fn ponder_hit(&self) {
        if !self.is_pondering() {
            return;
        }
        let now = self.begun.elapsed().as_micros() as u64;
        self.clock_started.store(now, Ordering::Release);
        self.pondering.store(false, Ordering::Release);
        self.wake();
    }

    fn wake(&self) {
        let _guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }

    /// Whether the search has been asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search is pondering.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Time on the clock: since the search began, or since the ponder-hit.
    #[must_use]
    pub fn on_the_clock(&self) -> Duration {
        let started = Duration::from_micros(self.clock_started.load(Ordering::Acquire));
        self.begun.elapsed().saturating_sub(started)
    }

    /// Sleeps until stopped, or until the end of pondering unless `until_stopped`.
    pub(super) fn wait(&self, until_stopped: bool) {
        let mut guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (until_stopped || self.is_pondering()) {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
