//! Limits the length of printed text. Engines have limits of their own, but fail without saying why, so a text that is too long is
//! refused while it is printed.

use crate::refusal::Refusal;

/// The default maximum of bytes of a printed statement.
pub const DEFAULT_MAX_BYTES: usize = 8 << 20;

/// The bytes that are left for a text.
#[derive(Debug, Clone)]
pub struct Room {
    limit: usize,
    used: usize,
}

impl Room {
    /// Room for `limit` bytes in all.
    pub fn new(limit: usize) -> Self {
        Room { limit, used: 0 }
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.used)
    }

    /// Bytes that are used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Uses some more bytes. `in_all` estimates the bytes of the finished text, for the error.
    ///
    /// # Errors
    /// There is no room for them.
    pub fn take(&mut self, bytes: usize, in_all: usize) -> Result<(), Refusal> {
        self.used = self.used.saturating_add(bytes);
        if self.used <= self.limit {
            Ok(())
        } else {
            Err(Refusal::TooLong { bytes: in_all.max(self.used), limit: self.limit })
        }
    }
}

/// Returns a finished text.
///
/// # Errors
/// It is longer than `limit`.
pub fn limited(text: String, limit: usize) -> Result<String, Refusal> {
    if text.len() <= limit { Ok(text) } else { Err(Refusal::TooLong { bytes: text.len(), limit }) }
}
