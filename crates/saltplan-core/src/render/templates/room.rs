//! The texts and lists that a template makes, counted while it runs: a template fails before it takes all memory.

use std::cell::Cell;
use std::fmt;

use minijinja::{Error, ErrorKind};

/// The bytes of all texts and lists that a template may make while it runs, unless it prints a larger statement.
const MADE_BYTES: usize = 256 << 20;

/// How often a template may make the bytes of its statement: macros, filters and blocks copy it until it is printed.
const COPIES: usize = 16;

/// The bytes that each printed part counts at least: an empty part takes time as well, and lists in lists can have a billion.
const LEAST_BYTES: usize = 16;

/// The bytes that each item of a list counts.
pub const ITEM_BYTES: usize = 48;

thread_local! {
    /// What the template that runs on this thread may still make.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Limits what is made on this thread until it is dropped.
#[derive(Debug)]
pub struct Limit(usize);

impl Limit {
    /// For a template that prints at most `printed` bytes.
    pub fn for_printed(printed: usize) -> Self {
        Limit(LEFT.replace(printed.saturating_mul(COPIES).max(MADE_BYTES)))
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

/// Counts bytes before they are made.
///
/// # Errors
/// The template has made too many.
pub fn take(bytes: usize) -> Result<(), Error> {
    let left = LEFT.get().checked_sub(bytes).ok_or_else(too_much)?;
    LEFT.set(left);
    Ok(())
}

fn too_much() -> Error {
    let message = format!("it makes more than {} MiB of texts and lists", MADE_BYTES >> 20);
    Error::new(ErrorKind::InvalidOperation, message)
}

/// A text that is counted while it grows.
#[derive(Debug, Default)]
pub struct Text(String);

impl Text {
    /// # Errors
    /// The template has printed more than the limit.
    pub fn push(&mut self, value: &dyn fmt::Display) -> Result<(), Error> {
        fmt::Write::write_fmt(self, format_args!("{value}")).map_err(|_| too_much())
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        take(text.len().max(LEAST_BYTES)).map_err(|_| fmt::Error)?;
        self.0.push_str(text);
        Ok(())
    }
}
