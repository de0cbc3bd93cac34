//! What is wrong with a saved text.

/// A fault of what was saved, and what to save instead.
pub type LiveFault = (String, String);

pub fn fault<T>(message: impl Into<String>, help: &str) -> Result<T, LiveFault> {
    Err((message.into(), help.into()))
}
