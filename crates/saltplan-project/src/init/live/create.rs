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
use super::ruby::{Code, Value, comment_block};
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
    for command in commands(text)? {
        match command {
            Command::Create(start) => match Code::new(text, start).first_argument() {
                Ok(Value::Text(name)) => found.push((name, start)),
                Ok(_) => return Err(not_a_literal(text, start)),
                Err(at) => return Err(not_a_literal(text, at)),
            },
            Command::Inside(at) => {
                return fault(
                    format!("line {}: this `create` is inside another statement", line_of(text, at)),
                    "put it at the start of a line, or remove it",
                );
            }
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

/// A `create` in a text, with an offset.
enum Command {
    /// Of a statement of its own; its arguments begin here.
    Create(usize),
    /// Whether it runs, or how often, depends on what is around it.
    Inside(usize),
}

/// Each `create` outside of quotes and comments. A text behind `__END__` is not run.
fn commands(text: &str) -> Result<Vec<Command>, Fault> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        if let Some(end) = comment_block(text, at) {
            let Some(end) = end else {
                let message = format!("line {}: the comment `=begin` has no `=end`", line_of(text, at));
                return fault(message, "add a line `=end` where the comment ends");
            };
            at = end;
            continue;
        }
        if line.trim_end() == "__END__" {
            break;
        }
        commands_of_line(line, at, &mut found);
        at += line.len();
    }
    Ok(found)
}

fn commands_of_line(line: &str, at: usize, found: &mut Vec<Command>) {
    let mut statement = behind_prompt(line);
    let mut quote = None;
    let mut is_escaped = false;
    let mut last = ' ';
    for (offset, sign) in line.char_indices() {
        if let Some(open) = quote {
            if !is_escaped && sign == open {
                quote = None;
            }
            is_escaped = !is_escaped && sign == '\\';
        } else {
            match sign {
                '#' => return,
                '\'' | '"' => quote = Some(sign),
                ';' => statement = offset + 1,
                'c' if !last.is_alphanumeric() && !"_.$@:".contains(last) => {
                    if let Some(arguments) = arguments_of(&line[offset..]) {
                        let start = at + line.len() - arguments.len();
                        let is_first = line.get(statement..offset).is_some_and(|text| text.trim().is_empty());
                        // It is a word of English, too.
                        let is_call = arguments.trim_start_matches([' ', '\t', '(']).starts_with(['\'', '"']);
                        if is_first {
                            found.push(Command::Create(start));
                        } else if is_call {
                            found.push(Command::Inside(at + offset));
                        }
                    }
                }
                _ => {}
            }
        }
        last = sign;
    }
}

/// The offset at which the command begins in a line of a session: behind its prompt.
fn behind_prompt(line: &str) -> usize {
    let is_session = line.starts_with("hbase");
    line.find("> ").filter(|_| is_session).map_or(0, |at| at + 2)
}

/// What follows `create`.
fn arguments_of(command: &str) -> Option<&str> {
    let rest = command.strip_prefix("create")?;
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
    for (at, (name, _)) in splitting.iter().enumerate() {
        if splitting[..at].iter().any(|(other, _)| other == name) {
            return fault(place(&format!("{name} is given twice")), "leave one of them out");
        }
    }
    if value("SPLITS").is_some()
        && let Some((other, _)) = splitting.iter().find(|(name, _)| *name != "SPLITS")
    {
        let message =
            place(&format!("SPLITS and {other} both say how the table is split; HBase takes SPLITS"));
        return fault(message, &format!("leave {other} out"));
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
    fn statements_on_one_line_and_comments() {
        let text = "\
=begin of a comment
create 'no', 'f'
=end of it
x = 'it is; create \\'no\\''; create 't',
=begin
'g',
=end
  'f'; create 'u', 'g', SPLITS => [';'] # ; create 'no', 'f'
2026-11-21 07:20:12,345 INFO create the table, then create 'x'
=beginning
";
        assert!(create(text, None).unwrap_err().0.contains("line 9: this `create` is inside"));
        let text = text.replace("create 'x'", "creates");
        let families = |table: &str| -> Vec<String> {
            let created = create(&text, Some(table)).unwrap();
            created.draft.families.into_iter().map(|family| family.name).collect()
        };
        assert_eq!((families("t"), families("u")), (vec!["f".to_string()], vec!["g".to_string()]));
        assert!(create(&text, None).unwrap_err().0.starts_with("2 tables are created here: `t`, `u`"));
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
            ("create 't', 'f'; create 'u', 'g'", None, "2 tables are created here: `t`, `u`"),
            ("create 't', 'f'; create 'u', 'g' if x", Some("u"), "line 1: `if x` is no literal"),
            ("create 't', 'f'\nx.each { create 'u', 'g' }", None, "line 2: this `create` is inside another"),
            ("=begin\ncreate 't', 'f'", None, "line 1: the comment `=begin` has no `=end`"),
            ("create 't',\n=begin\n'f'", None, "line 2: the comment `=begin` has no `=end`"),
            ("__END__\ncreate 't', 'f'", None, "this is a command of the HBase shell, not a `create`"),
            (
                "\ncreate 't', 'f', SPLITS => ['a'], NUMREGIONS => 4, SPLITALGO => 'HexStringSplit'",
                None,
                "line 2: SPLITS and NUMREGIONS both say how the table is split; HBase takes SPLITS",
            ),
            ("create 't', 'f', {SPLITS => ['a']}, SPLITS => ['b']", None, "line 1: SPLITS is given twice"),
            ("CREATE TABLE t (a int)", None, "this is a statement in SQL, not a `create`"),
            ("", None, "this is not a `create`"),
        ] {
            let (message, help) = create(text, table).unwrap_err();
            assert!(message.starts_with(reason) && !help.is_empty(), "{text}: {message}");
        }
    }
}
