//! Parses the output of HBase's own tools that list the regions of a table.

use super::{Dump, LiveRegion, described, rest, shell};
use crate::fault::{Fault, fault};
use saltplan_document::files::without_mark;

/// Which HBase tool printed a text, even without a list of regions: an error of the shell, or another response of the REST
/// server. `None` for a file with one split key per line, and for anything else.
#[must_use]
pub fn dump_kind(text: &str) -> Option<&'static str> {
    let text = without_mark(text);
    match rest::is_answer(text.trim_start()) {
        true => Some("the REST server's list of regions"),
        false => shell::kind_of_list(text).or_else(|| described::kind(text)).or_else(|| shell::kind(text)),
    }
}

/// Parses the output of the shell's `get_splits` or `list_regions`, the REST server's response for `/table/regions` (JSON or XML), or
/// another list of the regions: descriptions of them, or the table of the web page. Surrounding text, such as prompts and warnings, is ignored.
///
/// # Errors
/// What is wrong with the dump, and what to do: the form is unknown, or some regions are missing.
pub fn read(text: &str) -> Result<Dump, Fault> {
    let text = without_mark(text);
    let start = text.trim_start();
    let other = shell::kind_of_list(text).is_none().then(|| described::read(text)).flatten();
    let mut dump = if let Some(read) = other {
        read?
    } else if start.starts_with('{') {
        rest::json(start)?
    } else if start.starts_with('<') {
        rest::xml(start)?
    } else {
        shell::read(text)?
    };
    dump.regions.sort_by(|a, b| a.start.cmp(&b.start));
    if let Some(pair) = dump.regions.windows(2).find(|pair| pair[0].start == pair[1].start) {
        let key = saltplan_core::key::range::to_string_binary(&pair[0].start);
        return fault(
            format!("two regions start at `{key}`"),
            "dump the table again when no region is in transition; pass the dump of one table only",
        );
    }
    match dump.regions.first() {
        Some(LiveRegion { start, .. }) if start.is_empty() => Ok(dump),
        _ => fault(
            "the first region, which starts at the empty key, is not in the dump",
            "dump all regions: call `list_regions` without a server and without LOCALITY_THRESHOLD",
        ),
    }
}
