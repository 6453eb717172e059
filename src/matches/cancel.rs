//! The wish that a match should end, seen from everywhere in it.

use std::sync::atomic::{AtomicBool, Ordering};

/// Two who may call a match off: whoever started it, and the match itself.
#[derive(Clone, Copy)]
pub(super) struct Cancel<'a> {
    pub(super) from_outside: &'a AtomicBool,
    pub(super) from_inside: &'a AtomicBool,
}

impl Cancel<'_> {
    /// Whether one of them has.
    pub(super) fn is_called(&self) -> bool {
        self.from_outside.load(Ordering::Relaxed) || self.from_inside.load(Ordering::Relaxed)
    }
}
