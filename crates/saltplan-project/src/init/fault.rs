//! Errors in the input of `init`.

/// What is wrong with a flag or a saved text, and what to write or save instead.
pub type Fault = (String, String);

pub(super) fn fault<T>(message: impl Into<String>, help: &str) -> Result<T, Fault> {
    Err((message.into(), help.into()))
}
