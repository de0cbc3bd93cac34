//! Valid names in HBase and Hive. Each check returns a short description of what is wrong.

/// The maximum length of a Hive name that every metastore can store.
const MAX_HIVE_NAME: usize = 128;

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    #[error("is empty")]
    Empty,
    #[error("the namespace is empty")]
    EmptyNamespace,
    #[error("the name is empty")]
    EmptyQualifier,
    #[error("starts with {0}")]
    StartsWith(&'static str),
    #[error("reserved by HBase")]
    Reserved,
    #[error("longer than {MAX_HIVE_NAME} characters")]
    Long,
    #[error("holds {}", character_name(*.0))]
    Holds(char),
    #[error("the namespace contains {}", character_name(*.0))]
    InNamespace(char),
    #[error("the qualifier contains {}, which Hive cannot map", character_name(*.0))]
    InQualifier(char),
}

/// Splits `ns:name` and checks both parts.
pub fn hbase_table(text: &str) -> Result<(Option<String>, String), NameFault> {
    let (namespace, qualifier) = match text.split_once(':') {
        Some((namespace, qualifier)) => (Some(namespace), qualifier),
        None => (None, text),
    };
    if let Some(namespace) = namespace {
        hbase_namespace(namespace)?;
    }
    hbase_qualifier(qualifier)?;
    Ok((namespace.map(str::to_string), qualifier.to_string()))
}

/// Checks that no character is refused. `fault` is the error for the first one that is.
fn without(
    name: &str,
    is_refused: impl Fn(char) -> bool,
    fault: fn(char) -> NameFault,
) -> Result<(), NameFault> {
    name.chars().find(|c| is_refused(*c)).map_or(Ok(()), |c| Err(fault(c)))
}

fn hbase_namespace(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::EmptyNamespace);
    }
    without(name, |c| !(c.is_ascii_alphanumeric() || c == '_'), NameFault::InNamespace)
}

fn hbase_qualifier(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::EmptyQualifier);
    }
    if name.starts_with(['.', '-']) {
        return Err(NameFault::StartsWith("`.` or `-`"));
    }
    without(name, |c| !is_word_part(c), NameFault::Holds)
}

/// Letters, digits and the characters between the words of HBase's names.
fn is_word_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Checks the name of a column family.
pub(crate) fn hbase_family(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    if name.starts_with('.') {
        return Err(NameFault::StartsWith("`.`"));
    }
    if name == "recovered.edits" {
        return Err(NameFault::Reserved);
    }
    // HBase allows `,` and `#` in names, but they have a special meaning in Hive's `hbase.columns.mapping`.
    without(name, |c| matches!(c, ':' | '/' | ',' | '#') || is_blank(c), NameFault::Holds)
}

/// Checks the name of a family attribute, such as `bloom_filter` or `hbase.hstore.blockingStoreFiles`.
pub fn attribute(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    without(name, |c| !is_word_part(c), NameFault::Holds)
}

/// Checks the qualifier of a column for use in Hive's `hbase.columns.mapping`.
pub(crate) fn hbase_column_qualifier(name: &str) -> Result<(), NameFault> {
    without(name, |c| matches!(c, ',' | ':' | '#') || is_blank(c), NameFault::InQualifier)
}

/// Checks the name of a Hive database, table or column, or of a key field; they share one name space in
/// predicates.
pub(crate) fn hive_name(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    if name.chars().count() > MAX_HIVE_NAME {
        return Err(NameFault::Long);
    }
    without(name, |c| !(c.is_alphanumeric() || c == '_'), NameFault::Holds)
}

/// A character that is not allowed in a name, as shown in a message.
fn character_name(c: char) -> String {
    match c {
        '`' => "a backquote".into(),
        c if is_blank(c) => format!("a blank (U+{:04X})", u32::from(c)),
        c => format!("`{c}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hbase_names() {
        assert_eq!(hbase_table("multi:t_log"), Ok((Some("multi".into()), "t_log".into())));
        assert_eq!(hbase_table("t-1.x"), Ok((None, "t-1.x".into())));
        for wrong in ["", ":t", "a:", "a-b:t", ".t", "-t", "t x", "a:b:c", "tä"] {
            assert!(hbase_table(wrong).is_err(), "{wrong}");
        }
        assert!(hbase_family("cf1").is_ok());
        for wrong in ["", ".cf", "a:b", "a/b", "recovered.edits", "a b"] {
            assert!(hbase_family(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hive_names() {
        for right in ["opera_day", "1st", "größe", "列"] {
            assert!(hive_name(right).is_ok(), "{right}");
        }
        for wrong in ["", "a b", "a`b", "a.b", "a'b"] {
            assert!(hive_name(wrong).is_err(), "{wrong}");
        }
        assert!(hive_name(&"x".repeat(129)).is_err());
    }
}
