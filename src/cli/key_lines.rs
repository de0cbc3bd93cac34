//! Row keys in files and on standard input, one per line.

use std::path::Path;

use super::args::KeyForm;
use super::failure::Failure;
use super::inputs::{Inputs, NamedLines, name_of};
use saltplan_core::key::range::{MAX_KEY_BYTES, from_hex, from_string_binary, to_hex, to_string_binary};
use saltplan_document::diag::Diagnostic;
use saltplan_project::drift::{self, Dump};

/// The maximum memory for keys that are read as a whole, in bytes.
const MAX_KEPT_BYTES: u64 = 1 << 29;

/// The minimum memory overhead of a key in bytes.
const KEY_OVERHEAD: u64 = 56;

/// More than the listing of a hundred thousand regions.
pub const MAX_DUMP_BYTES: u64 = 1 << 28;

/// The key on a line; `None` for an empty line.
pub fn read_line(line: &[u8], form: KeyForm) -> Result<Option<Vec<u8>>, String> {
    if line.is_empty() {
        return Ok(None);
    }
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8 text; write other bytes as `\\xNN`")?;
    let key = match form {
        KeyForm::Text => from_string_binary(text),
        KeyForm::Hex => from_hex(text).ok_or_else(|| format!("`{}` is not hex", start_of(text)))?,
    };
    if key.len() > MAX_KEY_BYTES {
        return Err("longer than a row key can be".into());
    }
    Ok(Some(key))
}

/// The start of a text, as a message shows it.
fn start_of(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

pub fn written(key: &[u8], form: KeyForm) -> String {
    match form {
        KeyForm::Text => to_string_binary(key),
        KeyForm::Hex => to_hex(key),
    }
}

/// All keys of a file; `-` is standard input. Empty lines are skipped.
pub fn read_all(path: &Path, form: KeyForm, inputs: &Inputs) -> Result<Vec<Vec<u8>>, Failure> {
    keys_of(inputs.lines(path)?, form)
}

/// The regions of a live table: the output of HBase's tools, or a file with one split key per line.
pub fn read_splits(path: &Path, form: KeyForm, inputs: &Inputs) -> Result<Dump, Failure> {
    let name = name_of(path);
    let bytes = inputs.bytes(path, MAX_DUMP_BYTES)?;
    // Keys are ASCII in every dump; the rest may be anything.
    let text = String::from_utf8_lossy(&bytes);
    if drift::is_dump(&text) {
        return Ok(drift::read(&text)
            .map_err(|(reason, help)| Diagnostic::error(format!("{name}: {reason}")).with_help(help))?);
    }
    drop(text);
    let keys = keys_of(NamedLines::of(name.clone(), bytes), form)?;
    if keys.is_empty() {
        return Err(Diagnostic::error(format!("{name} contains no split keys"))
            .with_help(
                "write one split key per line, or save the output of `get_splits 'ns:table'`, which also shows when there is a single region",
            )
            .into());
    }
    Ok(Dump::of_split_keys(keys))
}

fn keys_of(mut lines: NamedLines, form: KeyForm) -> Result<Vec<Vec<u8>>, Failure> {
    let mut keys = Vec::new();
    let mut kept = 0;
    while let Some((number, line)) = lines.next_line()? {
        let key = read_line(line, form).map_err(|reason| lines.fault(number, &reason))?;
        kept += key.as_ref().map_or(0, |key| key.len() as u64 + KEY_OVERHEAD);
        keys.extend(key);
        if kept > MAX_KEPT_BYTES {
            let error = format!("{} contains more than {} MiB of keys", lines.name, MAX_KEPT_BYTES >> 20);
            return Err(Diagnostic::error(error)
                .with_help("take a sample, such as one key in a hundred")
                .into());
        }
    }
    Ok(keys)
}
