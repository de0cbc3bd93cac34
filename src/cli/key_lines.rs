//! Row keys in files and on standard input, one per line.

use std::path::Path;

use super::args::KeyForm;
use super::failure::Failure;
use super::inputs::{Inputs, NamedLines, name_of};
use super::reporter::Reporter;
use saltplan_core::Table;
use saltplan_core::files::kind::{Mark, TextKind, line_of_key, mark};
use saltplan_core::key::range::{MAX_KEY_BYTES, from_hex, from_string_binary, to_hex};
use saltplan_document::diag::{Diagnostic, counted};
use saltplan_project::drift::{self, Dump, split_list};

/// The maximum memory for keys that are read as a whole, in bytes.
const MAX_KEPT_BYTES: u64 = 1 << 29;

/// The minimum memory overhead of a key in bytes.
const KEY_OVERHEAD: u64 = 56;

/// More than the listing of a hundred thousand regions.
pub const MAX_DUMP_BYTES: u64 = 1 << 28;

/// What each line of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOf {
    RowKeys,
    SplitKeys,
}

impl LineOf {
    fn item(self) -> &'static str {
        match self {
            LineOf::RowKeys => "row key",
            LineOf::SplitKeys => "split key",
        }
    }

    /// How to get the right file.
    fn remedy(self, instead: TextKind) -> &'static str {
        match (self, instead) {
            (LineOf::RowKeys, TextKind::Scan) => {
                "only `init --from-scan` reads this; here each line is one row key, as the HBase shell prints it"
            }
            (LineOf::RowKeys, _) => "write one row key per line, as the HBase shell prints it",
            (LineOf::SplitKeys, _) => SAVE_SPLITS,
        }
    }
}

const SAVE_SPLITS: &str =
    "save what `echo \"get_splits 'ns:table'\" | hbase shell -n` prints, or write one split key per line";

/// Why a line is no key.
pub struct KeyFault {
    pub reason: String,
    pub help: Option<String>,
}

impl<T: Into<String>> From<T> for KeyFault {
    fn from(reason: T) -> Self {
        KeyFault { reason: reason.into(), help: None }
    }
}

impl KeyFault {
    fn of_mark(mark: Mark, line: &str, lines: LineOf) -> Self {
        KeyFault {
            reason: format!("this is {}, not a {}", mark.kind, lines.item()),
            help: Some(format!("{}; {}", lines.remedy(mark.kind), mark.way_out(line))),
        }
    }
}

/// The key on a line, which is counted from 1; `None` for an empty line. A line that shows another kind of text is refused.
pub fn read_line(
    (number, line): (u64, &[u8]),
    form: KeyForm,
    lines: LineOf,
) -> Result<Option<Vec<u8>>, KeyFault> {
    if line.is_empty() {
        return Ok(None);
    }
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8 text; write other bytes as `\\xNN`")?;
    let key = match form {
        KeyForm::Text => match mark(text, number) {
            Some(mark) => return Err(KeyFault::of_mark(mark, text, lines)),
            None => from_string_binary(text),
        },
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
        KeyForm::Text => line_of_key(key),
        KeyForm::Hex => to_hex(key),
    }
}

/// All row keys of a file; `-` is standard input. Empty lines are skipped.
pub fn read_all(path: &Path, form: KeyForm, inputs: &Inputs) -> Result<Vec<Vec<u8>>, Failure> {
    keys_of(inputs.lines(path)?, form, LineOf::RowKeys)
}

/// The regions of a live table: the output of HBase's tools, or a file with one split key per line, which must be keys that the
/// table of the schema can have. A note says which of them it is.
pub fn read_splits(
    path: &Path,
    form: KeyForm,
    table: Option<&Table>,
    reporter: &Reporter,
) -> Result<Dump, Failure> {
    let name = name_of(path);
    let bytes = reporter.inputs.bytes(path, MAX_DUMP_BYTES)?;
    // Keys are ASCII in every dump; the rest may be anything.
    let text = String::from_utf8_lossy(&bytes);
    if let Some(kind) = drift::dump_kind(&text) {
        let dump = drift::read(&text)
            .map_err(|(reason, help)| Diagnostic::error(format!("{name}: {reason}")).with_help(help))?;
        if form == KeyForm::Hex {
            let error = Diagnostic::error(format!("{name} is {kind}, whose keys are not in hex"));
            return Err(error.with_help("omit `--key-form`").into());
        }
        let regions = counted(dump.regions.len() as u128, "region", "regions");
        reporter.note(format!("{name}: {kind}: {regions}"));
        return Ok(dump);
    }
    drop(text);
    let keys = keys_of(NamedLines::of(name.clone(), bytes), form, LineOf::SplitKeys)?;
    if keys.is_empty() {
        return Err(Diagnostic::error(format!("{name} contains no split keys"))
            .with_help(
                "write one split key per line, or save the output of `get_splits 'ns:table'`, which also shows when there is a single region",
            )
            .into());
    }
    let salts = table.map(Table::salts).unwrap_or_default();
    split_list::check(&keys, (form == KeyForm::Text).then_some(salts))
        .map_err(|(reason, help)| Diagnostic::error(format!("{name}: {reason}")).with_help(help))?;
    let count = counted(keys.len() as u128, "split key", "split keys");
    reporter.note(format!("{name}: {count}, one per line"));
    Ok(Dump::of_split_keys(keys))
}

fn keys_of(mut lines: NamedLines, form: KeyForm, of: LineOf) -> Result<Vec<Vec<u8>>, Failure> {
    let mut keys = Vec::new();
    let mut kept = 0;
    while let Some(line) = lines.next_line()? {
        let number = line.0;
        let key = read_line(line, form, of).map_err(|fault| lines.fault_of_key(number, &fault))?;
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

impl NamedLines {
    /// An error about the key of a line.
    pub fn fault_of_key(&self, line: u64, fault: &KeyFault) -> Diagnostic {
        let error = self.fault(line, &fault.reason);
        match &fault.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}
