//! Literals, names and bounds as HiveQL text.

use crate::key::range::to_hex;
use crate::schema::model::{HiveTableName, MappingTable};
use saltplan_sql::statement::{Identifier, Setting, TableName};

/// Switches vectorised execution off. Measured on Hive 3.1.3: vectorised, a text that a CASE or an `if` returns is overwritten with
/// bytes of other expressions, without an error.
pub(crate) fn row_by_row() -> Setting {
    Setting::new("hive.vectorized.execution.enabled", "false")
}

/// Switches off the planner in Hive, where Hive has one: its plan leaves out keys that do not fit the layout, and what looks for wrong rows
/// must not trust the plan that may lose them.
pub(crate) fn without_plan(mapping: &MappingTable) -> Option<Setting> {
    mapping.planned.then(|| Setting::new("saltplan.plan", "false"))
}

pub(crate) fn table_name(name: &HiveTableName) -> TableName {
    TableName { database: name.database.as_ref().map(Identifier::new), table: Identifier::new(&name.table) }
}

/// Bytes as Hive's `hex` shows them.
pub(crate) fn hex_digits(bytes: &[u8]) -> String {
    to_hex(bytes).to_ascii_uppercase()
}

/// How a row key is compared: as a text, or by its hex digits, which also show bytes that are not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyForm {
    Text,
    Hex,
}

impl KeyForm {
    /// The text of some bytes.
    pub fn exact(self, bytes: &[u8]) -> String {
        match self {
            KeyForm::Text => String::from_utf8_lossy(bytes).into_owned(),
            KeyForm::Hex => hex_digits(bytes),
        }
    }

    /// The text of the first key that is not below some bytes, if there is one.
    pub fn least(self, bytes: &[u8]) -> Option<String> {
        match self {
            KeyForm::Text => least_text_from(bytes),
            KeyForm::Hex => Some(hex_digits(bytes)),
        }
    }
}

/// The smallest text at or above `bound` in byte order. Keys that are text compare with it as with `bound`. `None` if
/// every text is below.
pub(crate) fn least_text_from(bound: &[u8]) -> Option<String> {
    let valid = match std::str::from_utf8(bound) {
        Ok(text) => return Some(text.to_string()),
        Err(error) => error.valid_up_to(),
    };
    let text = String::from_utf8_lossy(&bound[..valid]).into_owned();
    // The bytes after the valid part do not start a character: look for the first character whose bytes are above them.
    let rest = &bound[valid..];
    let mut low = 0u32;
    let mut high = u32::from(char::MAX) + 1;
    while low < high {
        let middle = low + (high - low) / 2;
        if utf8_is_below(middle, rest) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    match (low..=u32::from(char::MAX)).find_map(char::from_u32) {
        Some(c) => Some(format!("{text}{c}")),
        None => text_successor(&text),
    }
}

/// Whether the UTF-8 form of a code point is below some bytes. Code points and their UTF-8 forms sort alike, the
/// unused surrogates included.
fn utf8_is_below(code: u32, bytes: &[u8]) -> bool {
    let c = char::from_u32(code).unwrap_or('\u{D7FF}');
    let mut buffer = [0; 4];
    c.encode_utf8(&mut buffer).as_bytes() < bytes
}

/// The first text after every text that starts with `prefix`.
fn text_successor(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        if let Some(next) = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32) {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn text_bounds_divide_texts_like_bytes(bound in prop::collection::vec(any::<u8>(), 0..5), text in any::<String>()) {
            let not_below = text.as_bytes() >= bound.as_slice();
            match least_text_from(&bound) {
                Some(least) => prop_assert_eq!(text >= least, not_below, "{:?}", least),
                None => prop_assert!(!not_below),
            }
        }

        #[test]
        fn prefix_successors_are_writable(prefix in "[a-cé-ÿ漢\u{10FFFF}]{1,3}", text in "[a-cé-ÿ漢\u{10FFFF}]{0,5}") {
            let Some(stop) = crate::key::range::prefix_successor(prefix.as_bytes()) else { return Ok(()) };
            let least = least_text_from(&stop);
            let inside = text.as_str() >= prefix.as_str() && least.is_none_or(|least| text < least);
            prop_assert_eq!(inside, text.starts_with(&prefix));
        }
    }
}
