//! `create` statements of the HBase shell (`shell/commands/create.rb` and `hbase/admin.rb`), as they stand in scripts and in the logs
//! of sessions.
//!
//! ```text
//! create 'ns:t', {NAME => 'f', VERSIONS => 1}, 'g', {MAX_FILESIZE => '10737418240'}, SPLITS => ['10', '20']
//! create 'ns:t', 'f', {NUMREGIONS => 16, SPLITALGO => 'HexStringSplit'}
//! ```
//!
//! The shell is Ruby. Literals, lists and hashes are read; any other expression is refused with its line, because only Ruby knows its
//! value.

use super::super::draft::{Draft, DraftFamily, DraftRegions};
use super::describe::{family, take_table_attributes};
use super::instead;
use super::ruby::{Code, Value};
use crate::drift::is_same_table;
use crate::fault::{Fault, fault};
use saltplan_core::key::range::from_string_binary;

const EXPECTED: &str = "a `create` of the HBase shell";
const HELP: &str = "write it out in literals, or save what `describe` and `get_splits` print for the live table: `--from-describe`, `--from-splits`";

/// What a `create` says.
#[derive(Debug, Clone, Default)]
pub struct Created {
    /// The table, its families, and its regions if an algorithm splits it.
    pub draft: Draft,
    /// The split keys, ascending, if they are listed.
    pub split_keys: Option<Vec<Vec<u8>>>,
    /// Attributes that a schema file has no place for, so that `ddl` creates a table without them.
    pub left_out: Vec<String>,
}

/// The only `create` of a text, or that of the table with this name.
///
/// # Errors
/// There is none, there are several, or it has an expression that is no literal.
pub fn create(text: &str, table: Option<&str>) -> Result<Created, Fault> {
    // Those of other tables need not be literals.
    let mut found: Vec<(String, usize)> = Vec::new();
    for (at, line) in lines(text) {
        let Some(arguments) = arguments_of(line) else { continue };
        let start = at + line.len() - arguments.len();
        match Code::new(text, start).first_argument() {
            Ok(Value::Text(name)) => found.push((name, start)),
            Ok(_) => return Err(not_a_literal(text, start)),
            Err(at) => return Err(not_a_literal(text, at)),
        }
    }
    if found.is_empty() {
        return fault(instead(text, EXPECTED), "save the statement with which the table was created");
    }
    if let Some(table) = table {
        found.retain(|(name, _)| is_same_table(name, table));
    }
    match found.as_slice() {
        [] => fault(
            format!("no `create` of the table `{}`", table.unwrap_or_default()),
            "correct `--table`, or pass the file that creates it",
        ),
        [(name, start)] => {
            let arguments = Code::new(text, *start).arguments().map_err(|at| not_a_literal(text, at))?;
            read(text, name, &arguments[1..], *start)
        }
        several => {
            let names: Vec<String> = several.iter().map(|(name, _)| format!("`{name}`")).collect();
            let message = format!("{} tables are created here: {}", names.len(), shortened(&names));
            let help = if table.is_some() { "remove all but one" } else { "choose one with `--table`" };
            fault(message, help)
        }
    }
}

/// At most ten names.
fn shortened(names: &[String]) -> String {
    const MOST: usize = 10;
    let more = names.len().saturating_sub(MOST);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// The lines with their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

/// What follows `create` at the start of a line, or behind the prompt of a session.
fn arguments_of(line: &str) -> Option<&str> {
    let command = match line.strip_prefix("hbase") {
        Some(prompt) => prompt.split_once("> ").map_or(line, |(_, command)| command),
        None => line,
    };
    let rest = command.trim_start().strip_prefix("create")?;
    rest.starts_with([' ', '\t', '(', '\'', '"']).then_some(rest)
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn not_a_literal(text: &str, at: usize) -> Fault {
    const MOST: usize = 30;
    let rest = text[at..].lines().next().unwrap_or_default();
    let shown: String = rest.chars().take(MOST).collect();
    let more = if shown.len() < rest.len() { "…" } else { "" };
    let line = line_of(text, at);
    let message = match rest.is_empty() {
        true => format!("line {line}: the `create` is incomplete"),
        false => format!("line {line}: `{shown}{more}` is no literal, so its value is not known"),
    };
    (message, HELP.into())
}

/// Keys of hashes that say how the table is split.
const SPLITTING: [&str; 4] = ["SPLITS", "SPLITS_FILE", "NUMREGIONS", "SPLITALGO"];

fn read(text: &str, table: &str, arguments: &[Value], start: usize) -> Result<Created, Fault> {
    let place = |what: &str| format!("line {}: {what}", line_of(text, start));
    let mut created = Created::default();
    created.draft.table = table.to_string();
    let mut splitting: Vec<(&str, &Value)> = Vec::new();
    for argument in arguments {
        match argument {
            Value::Text(name) => created.draft.families.push(DraftFamily::new(name)),
            Value::Hash(entries) if entries.iter().any(|(name, _)| name == "NAME") => {
                let mut flat = flattened(entries).ok_or_else(|| odd(&place("an attribute of a family")))?;
                if !flat.iter().any(|(name, _)| name == "VERSIONS") {
                    flat.push(("VERSIONS".into(), "1".into()));
                }
                let family = family(flat)?;
                created.left_out.extend(
                    family.ignored().map(|ignored| format!("{ignored} of the family {}", family.name)),
                );
                created.draft.families.push(family);
            }
            Value::Hash(entries) => {
                let (split, others): (Vec<_>, Vec<_>) =
                    entries.iter().partition(|(name, _)| SPLITTING.contains(&name.as_str()));
                splitting.extend(split.into_iter().map(|(name, value)| (name.as_str(), value)));
                let others: Vec<(String, Value)> = others.into_iter().cloned().collect();
                let flat = flattened(&others).ok_or_else(|| odd(&place("an attribute of the table")))?;
                let left_out = take_table_attributes(flat, &mut created.draft);
                created.left_out.extend(left_out);
            }
            Value::Word(_) | Value::List(_) => {
                return fault(place("an argument that is no family and no attribute"), HELP);
            }
        }
    }
    if created.draft.families.is_empty() {
        return fault(place("the `create` has no column family"), HELP);
    }
    for left_out in &created.left_out {
        created.draft.head.push(format!("Not in this file, so `saltplan ddl` leaves it out: {left_out}"));
    }
    split(&mut created, &splitting, &place)?;
    Ok(created)
}

fn odd(place: &str) -> Fault {
    (format!("{place} is a list"), HELP.into())
}

/// Names and values, those of nested hashes (`CONFIGURATION`, `METADATA`) included.
fn flattened(entries: &[(String, Value)]) -> Option<Vec<(String, String)>> {
    let mut flat = Vec::new();
    for (name, value) in entries {
        match value {
            Value::Text(value) | Value::Word(value) => flat.push((name.clone(), value.clone())),
            Value::Hash(inner) => flat.extend(flattened(inner)?),
            Value::List(_) => return None,
        }
    }
    Some(flat)
}

fn split(
    created: &mut Created,
    splitting: &[(&str, &Value)],
    place: &dyn Fn(&str) -> String,
) -> Result<(), Fault> {
    let value = |wanted: &str| splitting.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    if value("SPLITS_FILE").is_some() {
        let message = place("the split keys are in another file, which SPLITS_FILE names");
        return fault(message, "pass that file with `--from-splits`, and leave SPLITS_FILE out");
    }
    if let Some(keys) = value("SPLITS") {
        let Value::List(keys) = keys else { return fault(place("SPLITS is no list"), HELP) };
        let mut split_keys = Vec::new();
        for key in keys {
            let (Value::Text(key) | Value::Word(key)) = key else {
                return fault(place("a split key is no text"), HELP);
            };
            if !key.is_ascii() {
                let message =
                    place("a split key has characters beyond ASCII, of which the shell makes other bytes");
                return fault(
                    message,
                    "save what `get_splits` prints for the live table, and pass it with `--from-splits`",
                );
            }
            split_keys.push(from_string_binary(key));
        }
        split_keys.sort();
        split_keys.dedup();
        created.split_keys = Some(split_keys);
    }
    let (count, algorithm) = (value("NUMREGIONS"), value("SPLITALGO"));
    if count.is_none() && algorithm.is_none() {
        return Ok(());
    }
    let text = |value: Option<&Value>| match value {
        Some(Value::Text(text) | Value::Word(text)) => Some(text.clone()),
        _ => None,
    };
    let count = text(count).and_then(|count| count.parse::<u64>().ok()).filter(|count| *count > 1);
    let Some((count, algorithm)) = count.zip(text(algorithm)) else {
        return fault(place("NUMREGIONS and SPLITALGO are a number from 2 on and a name"), HELP);
    };
    let short = algorithm.rsplit(['.', '$']).next().unwrap_or_default();
    created.draft.regions = Some(match short {
        "HexStringSplit" => DraftRegions::HexString(count),
        "DecimalStringSplit" => DraftRegions::DecimalString(count),
        "UniformSplit" => DraftRegions::Uniform(count),
        _ => {
            let message = place(&format!("the split keys of {short} are not known here"));
            return fault(
                message,
                "save what `get_splits` prints for the live table, and pass it with `--from-splits`",
            );
        }
    });
    created.draft.regions_comment = vec![format!("as the `create`: {count} regions of {short}")];
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "\
# create 'no', 'f'
create 'ns:t', {NAME => 'f', TTL => '1 DAY', BLOOMFILTER => 'rowcol', FUTURE => 1}, 'g',
  {MAX_FILESIZE => '9', READONLY => 'false', METADATA => {'k' => 'v'}}, SPLITS => ['b', 'a', '\\x01']
hbase:002:0> create('h', 'f', {NUMREGIONS => 4, SPLITALGO => 'HexStringSplit'})
create 'expression', 'f', SPLITS => (1..3).map { |i| i.to_s }
create 'no_family', SPLITS => ['a']
create 'bytes', 'f', SPLITS => [\"\\x80\"]
create 'file', 'f', SPLITS_FILE => 'splits.txt'
create 'twice', 'f'
create 'default:twice', 'f'
disable 't'
";

    #[test]
    fn families_attributes_and_splits() {
        let Created { draft, split_keys, left_out } = create(SCRIPT, Some("ns:t")).unwrap();
        assert_eq!(left_out, ["FUTURE => '1' of the family f",]);
        assert_eq!(split_keys.unwrap(), [b"\x01".as_slice(), b"a", b"b"]);
        let attributes: Vec<String> =
            draft.families.iter().map(|family| format!("{}: {:?}", family.name, family.attributes)).collect();
        assert_eq!(
            attributes,
            [
                r#"f: [("ttl", Text("1 DAY")), ("bloom_filter", Text("ROWCOL")), ("versions", Number(1))]"#,
                r#"g: [("versions", Number(1))]"#,
            ]
        );
        let by_algorithm = create(SCRIPT, Some("default:h")).unwrap();
        assert_eq!(
            (by_algorithm.draft.regions, by_algorithm.split_keys),
            (Some(DraftRegions::HexString(4)), None)
        );
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, table, reason) in [
            (SCRIPT, None, "8 tables are created here: `ns:t`, `h`, `expression`, "),
            (SCRIPT, Some("twice"), "2 tables are created here"),
            (SCRIPT, Some("other"), "no `create` of the table `other`"),
            (SCRIPT, Some("no"), "no `create` of the table `no`"),
            (SCRIPT, Some("expression"), "line 5: `(1..3).map { |i| i.to_s }` is no literal"),
            (SCRIPT, Some("no_family"), "line 6: the `create` has no column family"),
            (SCRIPT, Some("bytes"), "line 7: a split key has characters beyond ASCII"),
            (SCRIPT, Some("file"), "line 8: the split keys are in another file"),
            ("create 't', 'f', {NUMREGIONS => 0, SPLITALGO => 'HexStringSplit'}", None, "line 1: NUMREGIONS"),
            (
                "create 't', 'f', {NUMREGIONS => 9, SPLITALGO => 'com.x.Own'}",
                None,
                "line 1: the split keys of Own",
            ),
            ("create 't', 'f', SPLITS => 'a'", None, "line 1: SPLITS is no list"),
            ("create 't', ['f']", None, "line 1: an argument that is no family"),
            ("create 't', {NAME => 'f', X => []}", None, "line 1: an attribute of a family is a list"),
            ("create 't', 'f', SPLITS => ['a'", None, "line 1: the `create` is incomplete"),
            ("create name, 'f'", None, "line 1: ` name, 'f'` is no literal"),
            ("CREATE TABLE t (a int)", None, "this is a statement in SQL, not a `create`"),
            ("", None, "this is not a `create`"),
        ] {
            let (message, help) = create(text, table).unwrap_err();
            assert!(message.starts_with(reason) && !help.is_empty(), "{text}: {message}");
        }
    }
}
