//! What kind of text a file has where keys are expected, one per line.
//!
//! A key may have any bytes, so a line is taken for another kind of text only if it has a [`Mark`] of one: some bytes that keys
//! hardly ever have. A key that has them all the same is written with one of them as `\xNN`, as [`line_of_key`] does.

use crate::key::range::to_string_binary;
use std::fmt;

/// A kind of text that is no list of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Splits,
    Regions,
    RegionNames,
    RegionInfo,
    Scan,
    Describe,
    ShellCommand,
    SplitList,
    ShellOutput,
    WebPage,
    Query,
    Framed,
    Columns,
    Heading,
    Quoted,
    Json,
    Markup,
    Schema,
    Comment,
    Log,
}

impl fmt::Display for TextKind {
    /// With its article, to be read after "this is".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextKind::Splits => "the output of `get_splits`",
            TextKind::Regions => "the output of `list_regions`",
            TextKind::RegionNames => "a list of region names",
            TextKind::RegionInfo => "a description of a region (`STARTKEY => …`)",
            TextKind::Scan => "the output of `scan` or `get`",
            TextKind::Describe => "the output of `describe`",
            TextKind::ShellCommand => "a command of the HBase shell",
            TextKind::SplitList => "the SPLITS of a `create`",
            TextKind::ShellOutput => "output of a shell",
            TextKind::WebPage => "a table of HBase's web pages",
            TextKind::Query => "a statement in SQL",
            TextKind::Framed => "a table with a frame",
            TextKind::Columns => "a table of several columns, with a tab between them",
            TextKind::Heading => "the name of a column",
            TextKind::Quoted => "a list of quoted texts",
            TextKind::Json => "JSON",
            TextKind::Markup => "XML or HTML",
            TextKind::Schema => "a schema file",
            TextKind::Comment => "a comment",
            TextKind::Log => "a line of a log",
        })
    }
}

/// What shows that a line is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub kind: TextKind,
    /// The offset of an ASCII character, in bytes. Written as `\xNN`, it is no longer part of a mark.
    pub at: usize,
}

impl Mark {
    /// How to write a key that has this mark.
    #[must_use]
    pub fn way_out(self, line: &str) -> String {
        let sign = line.as_bytes().get(self.at).copied().unwrap_or_default();
        format!("in a key that looks like this, write character {} as `\\x{sign:02X}`", self.at + 1)
    }
}

/// Marks of a few bytes count in the first lines only: among millions of keys with random bytes, some have them.
pub const HEAD_LINES: u64 = 2;

/// Without one of these, a line has no mark.
const SIGNS: [u8; 10] = *b" \t'\"=<>,+|";

/// The mark in a line that is not empty; lines are counted from 1.
#[must_use]
pub fn mark(line: &str, number: u64) -> Option<Mark> {
    let is_head = number <= HEAD_LINES;
    if number == 1 && is_heading(line) {
        return Some(Mark { kind: TextKind::Heading, at: 0 });
    }
    if number == 1 && begins_json(line) {
        return Some(Mark { kind: TextKind::Json, at: 0 });
    }
    if !line.bytes().any(|byte| SIGNS.contains(&byte)) {
        return None;
    }
    if let Some(at) = line.find('\t') {
        return Some(Mark { kind: TextKind::Columns, at });
    }
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let text = text.trim_end();
    let of_text = whole(text).or_else(|| {
        let kind = at_start(text).or_else(|| is_head.then(|| in_head(text)).flatten())?;
        Some(Mark { kind, at: 0 })
    });
    if let Some(Mark { kind, at }) = of_text {
        return Some(Mark { kind, at: indent + at });
    }
    inside(line)
}

/// What kind of text a file is that has none of what was expected; `None` if nothing shows it. Noise of a shell tells nothing: every
/// command prints it.
#[must_use]
pub fn kind_of_text(text: &str) -> Option<TextKind> {
    let marks = (1..).zip(text.lines()).filter_map(|(number, line)| mark(line, number));
    let is_telling = |kind: &TextKind| !matches!(kind, TextKind::ShellOutput | TextKind::Log);
    marks.map(|mark| mark.kind).find(is_telling)
}

/// A key as a line that has no mark, wherever it stands.
#[must_use]
pub fn line_of_key(key: &[u8]) -> String {
    let mut line = to_string_binary(key);
    // Each round takes a character away from the marks, and what is written in its place has none.
    while let Some(Mark { at, .. }) = mark(&line, 1) {
        let byte = line.as_bytes()[at];
        line.replace_range(at..=at, &format!("\\x{byte:02X}"));
    }
    line
}

/// The name of the column with the keys, as Hive prints it: `rowkey`, `calls_map.rowkey`.
fn is_heading(line: &str) -> bool {
    const NAMES: [&str; 8] =
        ["key", "rowkey", "row_key", "_c0", "start_key", "startkey", "split_key", "split_keys"];
    let name = line.rsplit('.').next().unwrap_or(line);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) && line.bytes().all(is_word)
}

/// The first line of JSON that is laid out in lines, or a list of numbers in one line.
fn begins_json(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(['[', '{']) else { return false };
    let numbers = rest.trim_end().strip_suffix(']');
    rest.trim().is_empty()
        || numbers.is_some_and(|numbers| {
            numbers.bytes().all(|byte| byte.is_ascii_digit() || b" ,.-".contains(&byte))
        })
}

/// A member of a JSON object on a line of its own, `"name": `, with `between` behind the name.
fn is_json_member(text: &str, between: &str) -> bool {
    let name = text.strip_prefix('"').and_then(|rest| rest.split_once(between)).map(|(name, _)| name);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_word))
}

/// Marks that are more than the first character and what follows it.
fn whole(text: &str) -> Option<Mark> {
    if is_framed(text) {
        // Both forms of a row end with the sign.
        let at = if text.ends_with('|') { text.len() - 1 } else { 0 };
        return Some(Mark { kind: TextKind::Framed, at });
    }
    let at = colon_of_log(text)?;
    Some(Mark { kind: TextKind::Log, at })
}

fn at_start(text: &str) -> Option<TextKind> {
    use TextKind::{
        Comment, Describe, Json, Log, Markup, Query, Scan, Schema, ShellCommand, ShellOutput, Splits, WebPage,
    };
    const STARTS: [(&str, TextKind); 20] = [
        ("Total number of splits = ", Splits),
        ("COLUMN FAMILIES DESCRIPTION", Describe),
        ("Table Regions", WebPage),
        ("Regions by Region Server", WebPage),
        ("Region Server", WebPage),
        ("ERROR: ", ShellOutput),
        ("ERROR Java::", ShellOutput),
        ("Time taken: ", ShellOutput),
        ("HBase Shell", ShellOutput),
        ("=> ", ShellOutput),
        ("Exception in thread ", Log),
        ("SLF4J: ", Log),
        ("log4j:", Log),
        ("OpenJDK ", Log),
        ("Java HotSpot", Log),
        ("WARNING: ", Log),
        ("Picked up ", Log),
        ("saltplan: ", Schema),
        ("<TableInfo", Markup),
        ("<?xml ", Markup),
    ];
    if let Some((_, kind)) = STARTS.iter().find(|(start, _)| text.starts_with(start)) {
        return Some(*kind);
    }
    let ends = |end: &str| text.ends_with(end);
    if text.starts_with("ROW ") && ends(" COLUMN+CELL") || text.starts_with("COLUMN ") && ends(" CELL") {
        return Some(Scan);
    }
    if text.starts_with("Table ") && (ends(" is ENABLED") || ends(" is DISABLED")) {
        return Some(Describe);
    }
    if is_prompt(text) || is_timing(text) || is_count(text) {
        return Some(ShellOutput);
    }
    if is_json_member(text, "\": ") {
        return Some(Json);
    }
    if is_shell_command(text) {
        return Some(ShellCommand);
    }
    if is_query(text) {
        return Some(Query);
    }
    is_comment(text).then_some(Comment)
}

/// Marks of a few bytes.
fn in_head(text: &str) -> Option<TextKind> {
    let starts = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    if starts(&["{\"", "{ \"", "[\"", "['", "[{", "[ \""]) || is_json_member(text, "\":") {
        return Some(TextKind::Json);
    }
    if starts(&["<!", "</", "<html", "<table", "<tr", "<td", "<Region"]) {
        return Some(TextKind::Markup);
    }
    if starts(&["# ", "#!", "-- ", "// ", "/*"]) {
        return Some(TextKind::Comment);
    }
    is_quoted(text).then_some(TextKind::Quoted)
}

/// `'01'`, `"01",`, `'01','02']`
fn is_quoted(text: &str) -> bool {
    let end = text.trim_end_matches([',', ';', ' ', ']', ')']);
    ['\'', '"'].iter().any(|quote| end.len() >= 2 && end.starts_with(*quote) && end.ends_with(*quote))
}

/// `# the split keys of t`
fn is_comment(text: &str) -> bool {
    const LETTERS: usize = 3;
    let rest = ["# ", "-- ", "// "].iter().find_map(|start| text.strip_prefix(start));
    rest.is_some_and(|rest| {
        rest.len() >= LETTERS && rest.bytes().take(LETTERS).all(|byte| byte.is_ascii_alphabetic())
    })
}

/// A rule or a row of a table as Beeline and `list_regions` print it: `+---+`, ` --- | --- |`, `| 01 |`, ` a |  b |`
fn is_framed(text: &str) -> bool {
    let is_rule = text.contains("---") && text.bytes().all(|byte| b"+-| =".contains(&byte));
    let is_row =
        text.starts_with("| ") && text.ends_with(" |") || text.ends_with(" |") && text.contains(" | ");
    is_rule || is_row
}

fn is_shell_command(text: &str) -> bool {
    const COMMANDS: [&str; 16] = [
        "create",
        "create_namespace",
        "alter",
        "describe",
        "desc",
        "scan",
        "get",
        "put",
        "count",
        "disable",
        "enable",
        "drop",
        "get_splits",
        "list_regions",
        "split",
        "merge_region",
    ];
    text.split_once(' ').is_some_and(|(command, rest)| {
        COMMANDS.contains(&command) && rest.trim_start().starts_with(['\'', '"'])
    })
}

/// The first words of statements, and of the clauses that SHOW CREATE TABLE prints on lines of their own.
fn is_query(text: &str) -> bool {
    const STARTS: [[&str; 2]; 17] = [
        ["create", "table"],
        ["create", "external"],
        ["create", "view"],
        ["create", "database"],
        ["alter", "table"],
        ["drop", "table"],
        ["insert", "into"],
        ["insert", "overwrite"],
        ["show", "create"],
        ["row", "format"],
        ["stored", "by"],
        ["stored", "as"],
        ["with", "serdeproperties"],
        ["partitioned", "by"],
        ["upsert", "into"],
        ["select", "*"],
        ["select", "distinct"],
    ];
    let mut words = text.split_ascii_whitespace();
    let [Some(first), Some(second)] = [words.next(), words.next()] else { return false };
    STARTS.iter().any(|words| first.eq_ignore_ascii_case(words[0]) && second.eq_ignore_ascii_case(words[1]))
        || first.eq_ignore_ascii_case("select") && words.any(|word| word.eq_ignore_ascii_case("from"))
}

/// `13 row(s)`, `13 row(s) in 0.05 seconds`, `13 rows`, `13 rows selected (0.1 seconds)`
fn is_count(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(count, rest)| {
        !count.is_empty()
            && count.bytes().all(|byte| byte.is_ascii_digit())
            && (["row", "rows", "row(s)"].contains(&rest)
                || ["row(s) in ", "row selected", "rows selected"]
                    .iter()
                    .any(|start| rest.starts_with(start)))
    })
}

/// `hbase:001:0> …`, or `hbase(main):001:0> …` before 2.4
#[must_use]
pub fn is_prompt(line: &str) -> bool {
    let counters = line.strip_prefix("hbase(main):").or_else(|| line.strip_prefix("hbase:"));
    let counters = counters.and_then(|rest| rest.split_once('>'));
    counters.is_some_and(|(counters, rest)| {
        (rest.is_empty() || rest.starts_with(' '))
            && !counters.is_empty()
            && counters.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    })
}

/// `Took 0.1234 seconds`
#[must_use]
pub fn is_timing(line: &str) -> bool {
    let number = line.strip_prefix("Took ").and_then(|rest| rest.trim_end().strip_suffix(" seconds"));
    number.is_some_and(|number| number.parse::<f64>().is_ok())
}

/// `2026-11-21 07:20:12,345 WARN  [main] …` or `07:20:12 WARN …`
#[must_use]
pub fn is_log(line: &str) -> bool {
    colon_of_log(line).is_some()
}

/// The first colon of the time in a line of a log.
fn colon_of_log(line: &str) -> Option<usize> {
    const LEVELS: [&str; 6] = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let time = if first.contains(':') { first } else { words.next()? };
    let is_time = time.len() >= 8 && time.as_bytes()[2] == b':' && time.as_bytes()[5] == b':';
    let has_level = line.split_whitespace().take(4).any(|word| LEVELS.contains(&word));
    (is_time && has_level).then(|| line.find(':'))?
}

/// Marks anywhere in a line.
fn inside(line: &str) -> Option<Mark> {
    if let Some(at) = line.find("timestamp=")
        && (line.contains(" column=") || line.contains(", value="))
    {
        return Some(Mark { kind: TextKind::Scan, at });
    }
    for (at, _) in line.match_indices("=>") {
        if let Some(kind) = ruby_entry(&line[..at], &line[at + 2..]) {
            return Some(Mark { kind, at });
        }
    }
    let heading = ["START_KEY", "STARTKEY", "Start Key"].iter().find_map(|name| line.find(name));
    if let Some(at) =
        heading.filter(|_| ["END_KEY", "ENDKEY", "End Key"].iter().any(|end| line.contains(end)))
    {
        return Some(Mark { kind: TextKind::Regions, at });
    }
    // A region name ends with a point.
    is_region_name(line.trim()).then(|| Mark { kind: TextKind::RegionNames, at: line.trim_end().len() - 1 })
}

/// What a name and a value on the two sides of `=>` belong to.
fn ruby_entry(before: &str, behind: &str) -> Option<TextKind> {
    const LEAST: usize = 3;
    let before = before.trim_end();
    let name = &before[before
        .rfind(|sign: char| !sign.is_ascii_uppercase() && sign != '_')
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..];
    let value = behind.trim_start();
    let is_value =
        value.is_empty() || value.starts_with(|sign: char| "'\"[{-".contains(sign) || sign.is_ascii_digit());
    let is_value = is_value || value.starts_with("true") || value.starts_with("false");
    (name.len() >= LEAST && is_value).then_some(match name {
        "SPLITS" | "SPLITS_FILE" | "NUMREGIONS" | "SPLITALGO" => TextKind::SplitList,
        "STARTKEY" | "ENDKEY" | "ENCODED" => TextKind::RegionInfo,
        _ => TextKind::ShellCommand,
    })
}

/// `table,start key,id.` or `table,start key,id.encoded.`
fn is_region_name(text: &str) -> bool {
    let Some((front, last)) = text.strip_suffix('.').and_then(|text| text.rsplit_once(',')) else {
        return false;
    };
    let id = last.split_once('.').map_or(last, |(id, _)| id);
    front.contains(',') && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::range::from_string_binary;
    use proptest::prelude::*;

    fn kind(line: &str) -> Option<TextKind> {
        mark(line, 9).map(|mark| mark.kind)
    }

    #[test]
    fn lines_of_other_texts_are_recognised() {
        use TextKind::*;
        let lines = [
            ("Total number of splits = 4", Splits),
            ("ROW  COLUMN+CELL", Scan),
            ("ROW                   COLUMN+CELL                           ", Scan),
            (" 10|6 column=f:v, timestamp=2026-11-26T13:26:34.412, value=x", Scan),
            (" f:v timestamp=2026-11-26T13:26:34.412, value=x", Scan),
            ("Table fk:wide is ENABLED", Describe),
            ("hbase:004:0> list_regions 'dr:one'", ShellOutput),
            ("hbase(main):001:0>", ShellOutput),
            ("Took 0.0120 seconds", ShellOutput),
            ("=> [\"10\", \"20\"]", ShellOutput),
            ("13 row(s) in 0.0500 seconds", ShellOutput),
            ("5 rows", ShellOutput),
            ("create 't', 'f',", ShellCommand),
            ("  NUMREGIONS => 15, SPLITALGO => 'HexStringSplit'", SplitList),
            ("SPLITS => ['01','02']", SplitList),
            ("STARTKEY=>'', ENDKEY=>'19999999'", RegionInfo),
            ("STARTKEY => '', ENDKEY => '19999999'}", RegionInfo),
            ("{NAME => 'f', VERSIONS => '3'}", ShellCommand),
            ("Table Regions", WebPage),
            ("t,,1.", RegionNames),
            ("fk:wide,10,1795699564786.31721da603ee3b6ef2c472ecb281ce36.", RegionNames),
            ("CREATE EXTERNAL TABLE `a.b`(", Query),
            ("select rowkey from t", Query),
            ("+-------+", Framed),
            ("| 01 |", Framed),
            (" -------- | ---- |", Framed),
            ("01\t02", Columns),
            ("# the keys of t", Comment),
            ("saltplan: 1", Schema),
            ("2026-11-21 07:20:12,345 WARN  [main] util.NativeCodeLoader: x", Log),
            ("SLF4J: x", Log),
            ("    \"row_id\": \"u1\",", Json),
            ("  \"row_id\": {", Json),
        ];
        for (line, wanted) in lines {
            assert_eq!(kind(line), Some(wanted), "{line}");
        }
        for (line, wanted) in [
            ("'01',", Quoted),
            ("  \"01\",", Quoted),
            ("[\"01\"]", Json),
            ("{\"id\": 1}", Json),
            ("\"id\":1,", Json),
            ("<html>", Markup),
        ] {
            assert_eq!(mark(line, 2).map(|mark| mark.kind), Some(wanted), "{line}");
            assert_eq!(kind(line), None, "{line}");
        }
        assert_eq!(mark("calls_map.rowkey", 1).map(|mark| mark.kind), Some(Heading));
        assert_eq!(mark("rowkey", 2), None);
        for line in ["[", "{", "{ ", "[1, -2.5]", "[]"] {
            assert_eq!(mark(line, 1).map(|mark| mark.kind), Some(Json), "{line}");
            assert_eq!(mark(line, 2), None, "{line}");
        }
        for line in ["[::1]", "{a}", "[a", "\"a b\": 1", "\"\": 1"] {
            assert_eq!(mark(line, 1), None, "{line}");
        }
    }

    #[test]
    fn odd_keys_are_keys() {
        let keys = [
            "0|",
            "a b ",
            "+",
            "=",
            "[",
            "{",
            "a,b",
            "a,,1",
            "cn,sh,20200406",
            "a=>b",
            "KEY=>x",
            "# ",
            "#1",
            "rows",
            "5 rowers",
            "|a|b|",
            "SPLITS",
            "Table",
            "create",
            "select",
            "a.b.c.",
            "x timestamp=1",
            "07:20:12 u1",
            "2020-04-06 10:00:00",
            "'a",
            "\\x09",
            "hbase:001",
            "--",
            "A => B",
        ];
        for key in keys {
            assert_eq!(kind(key), None, "{key}");
        }
    }

    /// The first character is not the one that makes the mark: the advice names another.
    #[test]
    fn one_character_removes_a_mark() {
        for (key, escaped) in [
            ("a | b |", "a | b \\x7C"),
            ("| 01 |", "| 01 \\x7C"),
            ("  | a | b |", "  | a | b \\x7C"),
            ("+---+", "\\x2B---+"),
            (" --- | --- |", " --- | --- \\x7C"),
            ("2026-11-21 07:20:12,345 WARN a", "2026-11-21 07\\x3A20:12,345 WARN a"),
            ("t,a,b,1588.4f.", "t,a,b,1588.4f\\x2E"),
        ] {
            assert_eq!(line_of_key(key.as_bytes()), escaped, "{key}");
            assert_eq!(from_string_binary(escaped), key.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn every_key_can_be_written(key in prop_oneof![
            prop::collection::vec(any::<u8>(), 1..24),
            "(SPLITS|KEY|\\[|\"a\": |# |\\{\"|'| column=|timestamp=|=>|=> |, value=|,1\\.|a,|\\| | \\|){1,5}".prop_map(String::into_bytes),
        ]) {
            let line = line_of_key(&key);
            prop_assert_eq!(from_string_binary(&line), key);
            prop_assert!(mark(&line, 1).is_none() && mark(&line, 9).is_none());
        }
    }
}
