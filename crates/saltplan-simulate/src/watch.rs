//! Long work, seen from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far some work is, and whether it is to be broken off.
#[derive(Debug, Default)]
pub struct Watch {
    /// Set to break the work off after the keys in hand.
    pub stop: AtomicBool,
    /// Keys dealt with so far.
    pub done: AtomicU64,
}

impl Watch {
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Counts keys that are dealt with.
    pub fn add(&self, keys: u64) {
        self.done.fetch_add(keys, Ordering::Relaxed);
    }
}
