//! Errors in flags, and in the output of other programs.

/// What is wrong with a flag or a saved text, and what to write or save instead.
pub type Fault = (String, String);

pub(crate) fn fault<T>(message: impl Into<String>, help: &str) -> Result<T, Fault> {
    Err((message.into(), help.into()))
}
