//! What HBase and Hive take as a name. Each check returns what is wrong, in a few words.

/// Longest name of a Hive table, database or column that every metastore can store.
const MAX_HIVE_NAME: usize = 128;

/// Splits `ns:name` and checks both parts.
pub fn hbase_table(text: &str) -> Result<(Option<String>, String), String> {
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

fn hbase_namespace(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("the namespace is empty".into());
    }
    match name.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_')) {
        Some(c) => Err(format!("the namespace holds {}", shown(c))),
        None => Ok(()),
    }
}

fn hbase_qualifier(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("the name is empty".into());
    }
    if name.starts_with(['.', '-']) {
        return Err("starts with `.` or `-`".into());
    }
    match name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))) {
        Some(c) => Err(format!("holds {}", shown(c))),
        None => Ok(()),
    }
}

/// A column family.
pub fn hbase_family(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("is empty".into());
    }
    if name.starts_with('.') {
        return Err("starts with `.`".into());
    }
    if name == "recovered.edits" {
        return Err("reserved by HBase".into());
    }
    // `,` and `#` are HBase names, but have a meaning of their own in Hive's `hbase.columns.mapping`.
    match name.chars().find(|c| matches!(c, ':' | '/' | ',' | '#') || c.is_control() || c.is_whitespace()) {
        Some(c) => Err(format!("holds {}", shown(c))),
        None => Ok(()),
    }
}

/// An attribute of a column family, such as `bloom_filter` or `hbase.hstore.blockingStoreFiles`.
pub fn attribute(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    match name.chars().find(|c| !allowed(*c)) {
        Some(c) => Err(format!("holds {}", shown(c))),
        None if name.is_empty() => Err("is empty".into()),
        None => Ok(()),
    }
}

/// The qualifier of a column, as it can stand in Hive's `hbase.columns.mapping`.
pub fn hbase_column_qualifier(name: &str) -> Result<(), String> {
    match name.chars().find(|c| matches!(c, ',' | ':' | '#') || c.is_control() || c.is_whitespace()) {
        Some(c) => Err(format!("the qualifier holds {}, which Hive cannot map", shown(c))),
        None => Ok(()),
    }
}

/// A Hive database, table or column, and a key field: they share one name space in predicates.
pub fn hive_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("is empty".into());
    }
    if name.chars().count() > MAX_HIVE_NAME {
        return Err(format!("longer than {MAX_HIVE_NAME} characters"));
    }
    match name.chars().find(|c| !(c.is_alphanumeric() || *c == '_')) {
        Some(c) => Err(format!("holds {}", shown(c))),
        None => Ok(()),
    }
}

/// A character that has no place in a name, as a message can show it.
fn shown(c: char) -> String {
    match c {
        '`' => "a backquote".into(),
        c if c.is_whitespace() || c.is_control() => format!("a blank (U+{:04X})", u32::from(c)),
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
