//! What is known about an existing table: HBase's `create`, `describe` and `scan`, Hive's `SHOW CREATE TABLE`, and the split keys.

mod create;
mod describe;
pub(crate) mod ruby;
mod scan;
mod show_create;

pub use create::{Created, create};
pub(crate) use describe::default_of;
pub use describe::{Described, describe};
pub(crate) use scan::values_of_scan;
pub use scan::{Scanned, ScannedColumn, scan};
pub use show_create::{Mapping, show_create};

use super::draft::{Draft, DraftFamily, DraftRegions, mapped_column};
use super::segment::is_text;
use super::write;
use saltplan_core::Table;
use saltplan_core::files::kind::kind_of_text;
use saltplan_core::key::range::to_string_binary;

/// What a text is instead of what was expected.
pub(crate) fn instead(text: &str, expected: &str) -> String {
    match kind_of_text(text) {
        Some(kind) if kind.to_string() != expected => format!("this is {kind}, not {expected}"),
        _ => format!("this is not {expected}"),
    }
}

impl Draft {
    /// Uses the columns of a scan. Their types are not known: text, or any bytes.
    pub fn take_scanned(&mut self, scanned: &Scanned) {
        for ScannedColumn { family, qualifier, values } in &scanned.columns {
            let cell = format!("{family}:{qualifier}");
            let name = qualifier.to_lowercase();
            let is_name =
                !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            let is_taken = self.columns.iter().any(|column| {
                column.name.eq_ignore_ascii_case(&name)
                    || column.family == *family && column.qualifier == *qualifier
            });
            if !is_name || is_taken {
                let reason = if is_name { "the name is there already" } else { "not a name in Hive" };
                self.columns_comment.push(format!("left out: {cell}: {reason}"));
                continue;
            }
            let is_text = values.iter().all(|value| is_text(value));
            let hive_type = if is_text { "string" } else { "binary" };
            self.columns.push(mapped_column(name, hive_type, (family, qualifier), false));
        }
        if !scanned.columns.is_empty() {
            self.columns_comment
                .push("the columns that every row of the scan has; check their types".to_string());
        }
    }

    /// Adds the families of the columns.
    pub fn take_families_of_columns(&mut self) {
        for column in &self.columns {
            if !self.families.iter().any(|family| family.name == column.family) {
                self.families.push(DraftFamily::new(&column.family));
            }
        }
    }

    /// Uses split keys, as the rule that gives exactly these keys if there is one. `source` is where they are from.
    pub fn take_split_keys(&mut self, keys: &[Vec<u8>], source: &str) {
        if keys.is_empty() {
            return;
        }
        let count = keys.len() as u64 + 1;
        let zero_bytes = keys.iter().map(|key| key.iter().rev().take_while(|byte| **byte == 0).count()).min();
        let rules = [
            self.salt.as_ref().map(|_| DraftRegions::PerSalt { zero_bytes: 0 }),
            self.salt.as_ref().and(zero_bytes).map(|zero_bytes| DraftRegions::PerSalt { zero_bytes }),
            Some(DraftRegions::HexString(count)),
            Some(DraftRegions::DecimalString(count)),
            Some(DraftRegions::Uniform(count)),
            Some(DraftRegions::LongRange { from: 1, to: count - 1 }),
            Some(DraftRegions::Shorts(count)),
        ];
        let rule = rules.into_iter().flatten().find(|rule| {
            let draft = Draft { regions: Some(rule.clone()), ..self.clone() };
            let table = Table::from_yaml(&write::yaml(&draft));
            let found = table.as_ref().ok().and_then(|table| table.split_keys().ok().flatten());
            found.is_some_and(|found| found == keys)
        });
        self.regions_comment = vec![match rule {
            Some(_) => format!("exactly the split keys of {source}"),
            None => format!("the split keys of {source}"),
        }];
        let explicit = || DraftRegions::Explicit(keys.iter().map(|key| to_string_binary(key)).collect());
        self.regions = Some(rule.unwrap_or_else(explicit));
    }
}
