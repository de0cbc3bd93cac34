//! Progress and cancellation of long work.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The progress of some work, and whether it should stop.
#[derive(Debug, Default)]
pub struct Watch {
    /// Set to stop the work after the current keys.
    pub stop: AtomicBool,
    /// The number of keys processed so far.
    pub done: AtomicU64,
}

impl Watch {
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Counts processed keys.
    pub fn add(&self, keys: u64) {
        self.done.fetch_add(keys, Ordering::Relaxed);
    }
}
