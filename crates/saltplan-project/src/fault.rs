//! Errors in flags, in files, and in the output of other programs.

/// What is wrong with a flag or a saved text, and what to write or save instead.
pub type Fault = (String, String);

pub(crate) fn fault<T>(message: impl Into<String>, help: &str) -> Result<T, Fault> {
    Err((message.into(), help.into()))
}

/// All values, so that every fault among them is reported; `None` if there is one.
pub(crate) fn all<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    values.collect::<Vec<_>>().into_iter().collect()
}
