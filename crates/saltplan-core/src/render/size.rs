//! How long a printed text may be. Parsers of engines have limits of their own, and fail at them without a word of the
//! reason; so a long text is refused while it is made.

use crate::refusal::Refusal;

/// Most bytes of a printed statement, unless asked otherwise.
pub const DEFAULT_MAX_BYTES: usize = 8 << 20;

/// Room for the rest of a text.
#[derive(Debug, Clone)]
pub struct Room {
    limit: usize,
    used: usize,
}

impl Room {
    /// Room for so many bytes.
    pub fn new(limit: usize) -> Self {
        Room { limit, used: 0 }
    }

    /// Bytes that still go in.
    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.used)
    }

    /// Bytes of the text so far.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Takes room for some more bytes of a text that gets about `in_all`.
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

/// A finished text.
///
/// # Errors
/// It is longer than `limit`.
pub fn limited(text: String, limit: usize) -> Result<String, Refusal> {
    if text.len() <= limit { Ok(text) } else { Err(Refusal::TooLong { bytes: text.len(), limit }) }
}
