//! What is wrong with what `init` is given.

/// A fault of a flag or of a saved text, and what to write or save instead.
pub type Fault = (String, String);

pub(super) fn fault<T>(message: impl Into<String>, help: &str) -> Result<T, Fault> {
    Err((message.into(), help.into()))
}
