//! The output of the HBase shell's `describe` (`shell/commands/describe.rb`), of HBase 1 and later.
//!
//! ```text
//! Table ns:t is ENABLED
//! ns:t, {TABLE_ATTRIBUTES => {…}}
//! COLUMN FAMILIES DESCRIPTION
//! {NAME => 'f', BLOOMFILTER => 'ROW', …, CONFIGURATION => {'hbase.…' => '10'}}
//! 1 row(s)
//! ```
//!
//! A terminal breaks long lines anywhere, in the middle of a word too, and drops the blank at the break.

use super::super::draft::{Draft, DraftFamily};
use super::instead;
use crate::fault::{Fault, fault};
use saltplan_core::key::range::from_string_binary;
use saltplan_core::schema::attributes::{AllowedValues, AttributesOf, known};
use saltplan_core::schema::model::AttributeValue;

const HELP: &str = "save the output of `echo \"describe 'ns:table'\" | hbase shell -n`";

/// Default values of a family, which need not be written.
const DEFAULTS: [(&str, &str); 17] = [
    ("BLOOMFILTER", "ROW"),
    ("IN_MEMORY", "false"),
    ("KEEP_DELETED_CELLS", "FALSE"),
    ("DATA_BLOCK_ENCODING", "NONE"),
    ("INDEX_BLOCK_ENCODING", "NONE"),
    ("COMPRESSION", "NONE"),
    ("TTL", "FOREVER"),
    ("MIN_VERSIONS", "0"),
    ("BLOCKCACHE", "true"),
    ("BLOCKSIZE", "65536"),
    ("REPLICATION_SCOPE", "0"),
    ("NEW_VERSION_BEHAVIOR", "false"),
    ("CACHE_DATA_ON_WRITE", "false"),
    ("CACHE_INDEX_ON_WRITE", "false"),
    ("CACHE_BLOOMS_ON_WRITE", "false"),
    ("PREFETCH_BLOCKS_ON_OPEN", "false"),
    ("EVICT_BLOCKS_ON_CLOSE", "false"),
];

/// Default values of a table, and what HBase sets by itself.
const TABLE_DEFAULTS: [(&str, &str); 12] = [
    ("COMPACTION_ENABLED", "true"),
    ("DURABILITY", "USE_DEFAULT"),
    ("IS_META", "false"),
    ("MERGE_ENABLED", "true"),
    ("NORMALIZATION_ENABLED", "false"),
    ("PRIORITY", "0"),
    ("READONLY", "false"),
    ("REGION_MEMSTORE_REPLICATION", "true"),
    ("REGION_REPLICATION", "1"),
    ("SPLIT_ENABLED", "true"),
    ("hbase.store.file-tracker.impl", "DEFAULT"),
    ("hbase.store.file-tracker.impl", "FILE"),
];

/// HBase's default of an attribute, given by a constant of the shell, if it is known.
pub(crate) fn default_of(of: AttributesOf, constant: &str) -> Option<&'static str> {
    let defaults: &[(&str, &str)] = match of {
        AttributesOf::Family => &DEFAULTS,
        AttributesOf::Table => &TABLE_DEFAULTS,
    };
    let listed = defaults.iter().find(|(name, _)| *name == constant).map(|(_, value)| *value);
    listed.or((of == AttributesOf::Family && constant == "VERSIONS").then_some("1"))
}

/// What `describe` shows.
#[derive(Debug, Clone, Default)]
pub struct Described {
    /// The table and its families.
    pub draft: Draft,
    /// Attributes that a schema file has no place for, so that `ddl` creates a table without them.
    pub left_out: Vec<String>,
}

/// The table and its families in the output of `describe`. Surrounding prompts and warnings are ignored.
///
/// # Errors
/// It is something else, or incomplete.
pub fn describe(text: &str) -> Result<Described, Fault> {
    let lines: Vec<&str> = text.lines().collect();
    // In the log of a session the last one counts.
    let named = lines.iter().rposition(|line| table_of(line).is_some());
    let Some((at, table)) = named.and_then(|at| Some((at, table_of(lines[at])?))) else {
        let message = format!("no line `Table … is ENABLED`: {}", instead(text, "the output of `describe`"));
        return fault(message, HELP);
    };
    let Some(head) = lines[at..].iter().position(|line| line.starts_with("COLUMN FAMILIES DESCRIPTION"))
    else {
        return fault("the column families are missing", HELP);
    };
    let mut draft = Draft { table: table.to_string(), ..Draft::default() };
    let mut left_out = table_attributes(&joined(&lines[at + 1..at + head]), &mut draft)?;
    let joined = joined(&lines[at + head + 1..]);
    let mut families = Vec::new();
    let mut rest = joined.trim_start();
    while rest.starts_with('{') {
        let Some((entries, behind)) = group(rest, INNER_BRACES) else {
            return fault("the description of a column family is incomplete", HELP);
        };
        let family = family(entries)?;
        left_out.extend(family.ignored().map(|ignored| format!("{ignored} of the family {}", family.name)));
        families.push(family);
        rest = behind.trim_start();
    }
    match families.is_empty() {
        true => fault("the column families are missing", HELP),
        false => {
            let head = left_out
                .iter()
                .map(|attribute| format!("Not in this file, so `saltplan ddl` leaves it out: {attribute}"));
            (draft.families, draft.head) = (families, head.collect());
            Ok(Described { draft, left_out })
        }
    }
}

/// Lines that a terminal has broken. The shell indents what follows a break, in the middle of a value too.
fn joined(lines: &[&str]) -> String {
    let (mut text, mut is_quoted) = (String::new(), false);
    for line in lines {
        let line = line.trim_end_matches('\r');
        let line = if is_quoted { line.trim_start() } else { line };
        is_quoted ^= line.matches('\'').count() % 2 == 1;
        text.push_str(line);
    }
    text
}

/// The attributes of the table that are no defaults: `ns:t, {TABLE_ATTRIBUTES => {…}}`. Those without a place in the schema file are
/// returned.
fn table_attributes(text: &str, draft: &mut Draft) -> Result<Vec<String>, Fault> {
    let Some(start) = text.find('{') else { return Ok(Vec::new()) };
    let Some((entries, _)) = group(&text[start..], TABLE_BRACES) else {
        return fault("the attributes of the table are incomplete", HELP);
    };
    Ok(take_table_attributes(entries, draft))
}

/// Puts the attributes of a table that are no defaults into a draft; settings have a dot in their names, and what the shell has no
/// constant for is metadata. Those without a place in the schema file are returned.
pub(super) fn take_table_attributes(entries: Vec<(String, String)>, draft: &mut Draft) -> Vec<String> {
    let is_default = |(name, value): &(String, String)| {
        TABLE_DEFAULTS.iter().any(|(known, default)| name == known && value.eq_ignore_ascii_case(default))
    };
    let mut left_out = Vec::new();
    for (name, value) in entries.into_iter().filter(|entry| !is_default(entry)) {
        match known(AttributesOf::Table, &name) {
            Some(known) => draft.attributes.push((known.name(), of_kind(&value, &known.values))),
            None if is_setting(&name) => draft.attributes.push((name, AttributeValue::Text(value))),
            None if !name.is_empty() && !name.contains('.') => draft.metadata.push((name, value)),
            None => left_out.push(format!("{name} => '{value}'")),
        }
    }
    left_out
}

/// Whether a schema file takes it as a setting of HBase.
fn is_setting(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    name.contains('.') && name.chars().all(is_part)
}

/// `Table ns:t is ENABLED`
fn table_of(line: &str) -> Option<&str> {
    let rest = line.trim_end().strip_prefix("Table ")?;
    rest.strip_suffix(" is ENABLED").or_else(|| rest.strip_suffix(" is DISABLED"))
}

/// Braces inside those of a family: its `CONFIGURATION`.
const INNER_BRACES: usize = 1;

/// Braces inside those of a table: its attributes, and their `METADATA`.
const TABLE_BRACES: usize = 2;

/// Names and values between braces, including nested ones, and what follows; `inner` braces may be nested.
fn group(text: &str, inner: usize) -> Option<(Vec<(String, String)>, &str)> {
    let mut entries = Vec::new();
    let mut rest = text.strip_prefix('{')?;
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        if let Some(behind) = rest.strip_prefix('}') {
            return Some((entries, behind));
        }
        let (name, behind) = match literal(rest) {
            Some(name) => name,
            None => {
                let end = rest.find("=>")?;
                (rest[..end].trim().to_string(), &rest[end..])
            }
        };
        rest = behind.trim_start().strip_prefix("=>")?.trim_start();
        if rest.starts_with('{') {
            let (nested, behind) = group(rest, inner.checked_sub(1)?)?;
            entries.extend(nested);
            rest = behind;
        } else {
            let (value, behind) = literal(rest)?;
            entries.push((name, value));
            rest = behind;
        }
    }
}

/// A text in quotes and what follows it. `describe` writes quotes inside a text as they are, so the text ends at a quote behind which
/// something else can begin; bytes that are not printable, and backslashes, are written as `\xNN`.
fn literal(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('\'')?;
    let is_end =
        |behind: &str| behind.is_empty() || [",", "}", "=>"].iter().any(|sign| behind.starts_with(sign));
    let (end, _) = inside.match_indices('\'').find(|(at, _)| is_end(inside[at + 1..].trim_start()))?;
    let value = String::from_utf8(from_string_binary(&inside[..end])).ok()?;
    Some((value, &inside[end + 1..]))
}

/// Before an attribute that the schema file has no place for.
const IGNORED: &str = "ignored: ";

impl DraftFamily {
    pub(super) fn ignored(&self) -> impl Iterator<Item = &str> {
        self.comment.iter().filter_map(|comment| comment.strip_prefix(IGNORED))
    }
}

pub(super) fn family(entries: Vec<(String, String)>) -> Result<DraftFamily, Fault> {
    let Some(name) = entries.iter().find(|(name, _)| name == "NAME").map(|(_, value)| value) else {
        return fault("a column family has no NAME", HELP);
    };
    let mut family = DraftFamily { attributes: Vec::new(), ..DraftFamily::new(name) };
    for (name, value) in entries.iter().filter(|(name, _)| name != "NAME") {
        let Some(known) = known(AttributesOf::Family, name) else {
            // HBase settings of the family, and attributes that are newer than this program.
            match name.contains('.') {
                true => family.attributes.push((name.clone(), AttributeValue::Text(value.clone()))),
                false => family.comment.push(format!("{IGNORED}{name} => '{value}'")),
            }
            continue;
        };
        if !DEFAULTS
            .iter()
            .any(|(default, is)| *default == known.constant && value.split_whitespace().next() == Some(is))
        {
            let name = known.name();
            family.attributes.push((name, of_kind(value, &known.values)));
        }
    }
    Ok(family)
}

fn of_kind(value: &str, kind: &AllowedValues) -> AttributeValue {
    let text = || AttributeValue::Text(value.to_string());
    match kind {
        AllowedValues::Flag => {
            value.to_ascii_lowercase().parse().map_or_else(|_| text(), AttributeValue::Bool)
        }
        // `86400 SECONDS (1 DAY)`, and `65536 B (64KB)` since 2.5. In a `create`, `1 DAY` is another number.
        AllowedValues::Number(..) | AllowedValues::Bytes(..) | AllowedValues::Time => {
            let mut words = value.split_whitespace();
            let number = words.next().and_then(|number| number.parse().ok());
            let number = number.filter(|_| matches!(words.next(), None | Some("SECONDS" | "B")));
            number.map_or_else(text, AttributeValue::Number)
        }
        AllowedValues::Words(words) if words.any_case => AttributeValue::Text(value.to_ascii_uppercase()),
        AllowedValues::Words(_) | AllowedValues::Text => text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the HBase 2 guide, wrapped by a terminal.
    const BROKEN: &str = "\
hbase(main):003:0> describe 'test'
Table test is ENABLED
test
COLUMN FAMILIES DESCRIPTION
{NAME => 'cf', VERSIONS => '1', EVICT_BLOCKS_ON_CLOSE => 'false', NEW_VERSION_BEHAVIOR => 'false', KEEP_DELETED_CELLS => 'FALSE', CACHE_DATA_ON_WRITE =>
'false', DATA_BLOCK_ENCODING => 'NONE', TTL => '86400 SECONDS (1 DAY)', MIN_VERSIONS => '0', REPLICATION_SCOPE => '0', BLOOMFILTER => 'ROW', CACHE_INDEX_ON_WRITE => 'f
alse', IN_MEMORY => 'true', COMPRESSION => 'GZ', BLOCKCACHE => 'true', BLOCKSIZE
 => '65536', FUTURE => 'x', CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}}
{NAME => 'f2', VERSIONS => '3'}
2 row(s)
Took 0.9998 seconds
";

    #[test]
    fn broken_lines_are_put_together() {
        let Described { draft: described, left_out } = describe(BROKEN).unwrap();
        assert_eq!(left_out, ["FUTURE => 'x' of the family cf"]);
        assert_eq!(described.table, "test");
        let [first, second] = &described.families[..] else { panic!("{described:?}") };
        let number = AttributeValue::Number;
        let text = |text: &str| AttributeValue::Text(text.into());
        let wanted = [
            ("versions", number(1)),
            ("ttl", number(86_400)),
            ("in_memory", AttributeValue::Bool(true)),
            ("compression", text("GZ")),
            ("hbase.hstore.blockingStoreFiles", text("10")),
        ];
        assert_eq!(first.attributes, wanted.map(|(name, value)| (name.to_string(), value)));
        assert_eq!(first.comment, ["ignored: FUTURE => 'x'"]);
        assert_eq!((second.name.as_str(), &second.attributes[0].1), ("f2", &number(3)));
        // The shell indents the rest of a value.
        let text = BROKEN
            .replace("'86400 SECONDS (1 DAY)'", "'FOR\n  EVER'")
            .replace("{NAME => 'f2'", "   {NAME => 'f2'");
        let described = describe(&text).unwrap().draft;
        assert!(described.families[0].attributes.iter().all(|(name, _)| name != "ttl"), "{described:?}");
        assert_eq!(described.families.len(), 2);
    }

    /// As HBase 2.4.17 prints it at a terminal of 80 columns.
    #[test]
    fn attributes_of_the_table_are_read() {
        let attributes = "\
test, {TABLE_ATTRIBUTES => {DURABILITY => 'ASYNC_WAL', MAX_FILESIZE => '10737
41824', READONLY => 'false', REGION_REPLICATI
ON => '1', coprocessor$1 => '|org.apache.hadoop.hbase.coprocessor.MultiRowMutati
onEndpoint|1001|arg1=1,arg2=2', METADATA => {'COMPACTION_ENABLED' => 'true', 'x.y' => 'z, {w}'}}}                                    
";
        let text = BROKEN.replace("\ntest\n", &format!("\n{attributes}"));
        let described = describe(&text).unwrap();
        let coprocessor = "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|1001|arg1=1,arg2=2";
        let wanted = ["durability: ASYNC_WAL", "max_file_size: 1073741824", "x.y: z, {w}"];
        let attributes =
            described.draft.attributes.iter().map(|(name, value)| format!("{name}: {}", value.text()));
        assert_eq!(attributes.collect::<Vec<_>>(), wanted);
        assert_eq!(described.draft.metadata, [("coprocessor$1".to_string(), coprocessor.to_string())]);
        assert!(describe(&text.replace("{w}'}}}", "{w}'")).is_err());
    }

    #[test]
    fn texts_are_read_as_hbase_writes_them() {
        let attributes = "t, {TABLE_ATTRIBUTES => {METADATA => {'owner' => 'it's \\x5C \\xC3\\xA4', 'x' => '', 'y' => 'a => b'}}}\n";
        let text = BROKEN.replace("\ntest\n", &format!("\n{attributes}"));
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let wanted = [pair("owner", "it's \\ ä"), pair("x", ""), pair("y", "a => b")];
        assert_eq!(describe(&text).unwrap().draft.metadata, wanted);
        assert!(describe(&text.replace("\\xC3\\xA4", "\\xC3")).is_err());
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let end = BROKEN.find("{NAME => 'f2'").unwrap() + 8;
        assert!(describe(&BROKEN[..end]).unwrap_err().0.contains("incomplete"));
        assert!(describe("COLUMN FAMILIES DESCRIPTION\n{NAME => 'f'}").is_err());
        assert!(describe("Table t is ENABLED\nt\nCOLUMN FAMILIES DESCRIPTION\n0 row(s)\n").is_err());
        let deep = ["{A => ".repeat(100_000), "'1'".into(), "}".repeat(100_000)].concat();
        let deep = BROKEN.replace("{'hbase.hstore.blockingStoreFiles' => '10'}", &deep);
        assert!(describe(&deep).is_err());
    }
}
