//! Which attribute values the HBase shell and the master accept.

use super::number::{java_number, number};
use super::time_to_live;
use crate::schema::model::AttributeValue;
use saltplan_document::diag::{Severity, did_you_mean};
use saltplan_document::wording::alternatives;

/// The kind of values that an attribute takes.
#[derive(Debug)]
pub enum AllowedValues {
    Flag,
    /// A whole number, from the first to the second, both included.
    Number(i64, i64),
    /// The same, as a number of bytes.
    Bytes(i64, i64),
    /// Seconds, or text with units.
    Time,
    Words(AllowedWords),
    Text,
}

#[derive(Debug)]
pub struct AllowedWords {
    pub list: &'static [AllowedWord],
    /// The shell converts the value to upper case.
    pub any_case: bool,
    /// What HBase does with any other word, if it does not refuse it.
    pub unknown: Option<&'static str>,
}

#[derive(Debug)]
pub struct AllowedWord {
    pub text: &'static str,
    /// The HBase version that introduced the value, if newer than 2.4.
    pub since: Option<&'static str>,
}

/// Why a value is probably not what was intended.
#[derive(Debug, PartialEq, Eq)]
pub struct Doubt {
    pub severity: Severity,
    /// What the shell or the master does with the value.
    pub outcome: &'static str,
    /// What to write instead.
    pub help: String,
    /// The value that was probably intended.
    pub meant: Option<String>,
}

const REFUSED: &str = "HBase refuses it";

impl AllowedValues {
    /// What is wrong with a value; `None` if HBase accepts it as it is.
    pub fn doubt(&self, value: &AttributeValue) -> Option<Doubt> {
        match self {
            AllowedValues::Flag => flag(value),
            AllowedValues::Number(least, most) => {
                out_of_range(value, "a whole number", (*least, *most), whole)
            }
            AllowedValues::Bytes(least, most) => {
                out_of_range(value, "a number of bytes", (*least, *most), bytes)
            }
            AllowedValues::Time => time_to_live::seconds(value).is_none().then(|| {
                let help = "write seconds from 1 to 2147483647, a time such as `'90 DAYS'`, or `FOREVER`";
                refused(help.into(), time_to_live::meant(&value.text()))
            }),
            AllowedValues::Words(words) => words.doubt(value),
            AllowedValues::Text => match value {
                AttributeValue::Text(text) if !text.is_empty() => None,
                _ => Some(refused("put the text in quotes".into(), None)),
            },
        }
    }
}

impl AllowedValues {
    /// A value in a canonical spelling: values that are the same for HBase are equal.
    pub fn canonical(&self, value: &AttributeValue) -> String {
        let same = match self {
            AllowedValues::Flag => Some(value.text().to_ascii_lowercase()),
            AllowedValues::Number(..) | AllowedValues::Bytes(..) => {
                number(value).map(|number| number.to_string())
            }
            AllowedValues::Time => time_to_live::seconds(value).map(|seconds| seconds.to_string()),
            AllowedValues::Words(words) => words.any_case.then(|| value.text().to_ascii_uppercase()),
            AllowedValues::Text => None,
        };
        same.unwrap_or_else(|| value.text())
    }
}

impl AllowedWords {
    fn doubt(&self, value: &AttributeValue) -> Option<Doubt> {
        let text = value.text();
        // The shell calls `upcase` on the value, which only text has. Only for this list does it convert
        // `true` to text first.
        let is_text = matches!(value, AttributeValue::Text(_))
            || self.has(&text) && matches!(value, AttributeValue::Bool(_));
        if is_text && self.has(&text) {
            return None;
        }
        let words = || self.list.iter().map(|word| word.text);
        let help = format!("write {}", alternatives(words()));
        let meant = did_you_mean(&text, words()).map(str::to_string);
        match self.unknown {
            Some(outcome) if is_text => Some(Doubt { severity: Severity::Warning, outcome, help, meant }),
            _ => Some(refused(help, meant)),
        }
    }

    fn has(&self, text: &str) -> bool {
        let same = |word: &AllowedWord| {
            if self.any_case { word.text.eq_ignore_ascii_case(text) } else { word.text == text }
        };
        self.list.iter().any(same)
    }
}

fn refused(help: String, meant: Option<String>) -> Doubt {
    Doubt { severity: Severity::Error, outcome: REFUSED, help, meant }
}

fn flag(value: &AttributeValue) -> Option<Doubt> {
    let text = match value {
        AttributeValue::Bool(_) => return None,
        AttributeValue::Text(text) => text.to_ascii_lowercase(),
        AttributeValue::Number(number) => number.to_string(),
    };
    let meant = match text.as_str() {
        "true" | "false" => return None,
        "yes" | "on" | "y" | "1" => Some("true"),
        "no" | "off" | "n" | "0" => Some("false"),
        other => did_you_mean(other, ["true", "false"]),
    };
    let outcome = if matches!(value, AttributeValue::Number(_)) {
        REFUSED
    } else {
        "the HBase shell reads it as `false`"
    };
    let help = "write `true` or `false`".to_string();
    Some(Doubt { severity: Severity::Error, outcome, help, meant: meant.map(str::to_string) })
}

/// What is wrong with a number outside a range. `meant` is the number that other spellings stand for.
fn out_of_range(
    value: &AttributeValue,
    what: &str,
    (least, most): (i64, i64),
    meant: impl Fn(&AttributeValue) -> Option<String>,
) -> Option<Doubt> {
    let fits = |number: i64| (least..=most).contains(&number);
    if number(value).is_some_and(fits) {
        return None;
    }
    let help = match (least, most) {
        (i64::MIN, i64::MAX) => format!("write {what}"),
        _ => format!("write {what} from {least} to {most}"),
    };
    Some(refused(help, meant(value).filter(|text| java_number(text).is_some_and(fits))))
}

/// The whole number that was intended by `0x10`, `1_000`, `1,000` or `8.0`.
fn whole(value: &AttributeValue) -> Option<String> {
    let text = value.text();
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok().map(|number| number.to_string());
    }
    let plain: String = text.trim().chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let plain = plain.strip_suffix(".0").unwrap_or(&plain);
    java_number(plain).map(|number| number.to_string())
}

/// The number of bytes that was intended by `64k` or `1 MB`.
fn bytes(value: &AttributeValue) -> Option<String> {
    let text = value.text();
    let text = text.trim();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).filter(|_| !text.starts_with("0x"));
    let Some((count, unit)) = unit.map(|at| text.split_at(at)) else { return whole(value) };
    let shift = match unit.to_ascii_lowercase().as_str() {
        "b" | "byte" | "bytes" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        _ => return None,
    };
    let count = java_number(count.trim())?;
    count.checked_mul(1 << shift).map(|bytes| bytes.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::attributes::{AttributesOf, known};

    fn text(text: &str) -> AttributeValue {
        AttributeValue::Text(text.into())
    }

    fn doubt(name: &str, value: AttributeValue) -> Option<Doubt> {
        known(AttributesOf::Family, name).expect("a known attribute").values.doubt(&value)
    }

    fn meant(name: &str, value: AttributeValue) -> Option<String> {
        doubt(name, value).expect("a doubt").meant
    }

    #[test]
    fn what_hbase_takes() {
        for (name, value) in [
            ("versions", AttributeValue::Number(1)),
            ("versions", text("3")),
            ("versions", text("+3")),
            ("block_size", AttributeValue::Number(16 << 20)),
            ("mob_threshold", AttributeValue::Number(-1)),
            ("in_memory", AttributeValue::Bool(false)),
            ("in_memory", text("TRUE")),
            ("compression", text("gz")),
            ("bloomfilter", text("rowcol")),
            ("keep_deleted_cells", AttributeValue::Bool(true)),
            ("keep_deleted_cells", text("ttl")),
            ("encryption_key", text("secret")),
            ("storage_policy", text("one_ssd")),
        ] {
            assert_eq!(doubt(name, value.clone()), None, "{name} {value:?}");
        }
    }

    #[test]
    fn what_was_meant() {
        for (name, value, expected) in [
            ("versions", text("many"), None),
            ("versions", text("1_000"), Some("1000")),
            ("versions", text("0x10"), Some("16")),
            ("versions", AttributeValue::Number(0), None),
            ("versions", AttributeValue::Number(3_000_000_000), None),
            ("blocksize", text("64k"), Some("65536")),
            ("blocksize", text("1 MB"), Some("1048576")),
            ("blocksize", text("1 GB"), None),
            ("blocksize", AttributeValue::Number(64), None),
            ("ttl", text("90d"), Some("90 DAYS")),
            ("ttl", AttributeValue::Number(0), None),
            ("ttl", AttributeValue::Number(2_592_000_000), Some("30 DAYS")),
            ("ttl", AttributeValue::Number(2_592_000_001), None),
            ("in_memory", text("yes"), Some("true")),
            ("in_memory", AttributeValue::Number(0), Some("false")),
            ("in_memory", text("maybe"), None),
            ("bloomfilter", text("ROWS"), Some("ROW")),
            ("data_block_encoding", text("fast_diff"), Some("FAST_DIFF")),
            ("data_block_encoding", AttributeValue::Bool(true), None),
            ("compression", text("SNAPY"), Some("SNAPPY")),
            ("compression", AttributeValue::Bool(true), None),
            ("storage_policy", text("HOTT"), Some("HOT")),
            ("encryption_key", AttributeValue::Number(1), None),
        ] {
            assert_eq!(meant(name, value.clone()).as_deref(), expected, "{name} {value:?}");
        }
    }

    #[test]
    fn words_that_hbase_does_not_check_are_warnings() {
        assert_eq!(
            doubt("storage_policy", text("NOSUCH")).map(|doubt| doubt.severity),
            Some(Severity::Warning)
        );
        assert_eq!(
            doubt("storage_policy", AttributeValue::Number(1)).map(|doubt| doubt.severity),
            Some(Severity::Error)
        );
        assert_eq!(doubt("encryption", text("XOR")).map(|doubt| doubt.severity), Some(Severity::Warning));
    }
}
