//! Region lists in the other forms that people have: descriptions of regions (`STARTKEY => '…', ENDKEY => '…'`), as `scan 'hbase:meta'`
//! and the logs of HBase print them, the table of regions of the master's web page, copied, and the value of `get_splits`, `=> ["…"]`,
//! without its list.

use super::dump::RegionName;
use super::{Dump, LiveRegion};
use crate::fault::{Fault, fault};
use crate::init::live::ruby::{Code, Value};
use crate::init::live::values_of_scan;
use saltplan_core::key::range::{from_string_binary, to_string_binary};

const SPLITS: &str = "=> [";

/// Columns of the web page.
const START_COLUMN: &str = "Start Key";
const END_COLUMN: &str = "End Key";

const HELP: &str = "save what `echo \"get_splits 'ns:table'\" | hbase shell -n` prints";

/// Which of the forms a text has.
pub(super) fn kind(text: &str) -> Option<&'static str> {
    if text.lines().any(|line| Description::of(line).is_some()) {
        return Some("descriptions of regions");
    }
    if text.lines().any(is_heading) {
        return Some("the regions of HBase's web page");
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_value = lines.next().is_some_and(|line| line.starts_with(SPLITS)) && lines.next().is_none();
    is_value.then_some("the value of `get_splits`")
}

/// Reads a text that [`kind`] recognises; `None` for other texts.
pub(super) fn read(text: &str) -> Option<Result<Dump, Fault>> {
    Some(match kind(text)? {
        "descriptions of regions" => descriptions(text),
        "the value of `get_splits`" => value(text.trim()),
        _ => web_page(text),
    })
}

fn is_heading(line: &str) -> bool {
    let mut cells = line.split('\t').map(str::trim);
    cells.any(|cell| cell == START_COLUMN) && cells.any(|cell| cell == END_COLUMN)
}

/// A region with the key at which it ends.
type Ended = (LiveRegion, Vec<u8>);

/// The parts of `{… NAME => 'name', STARTKEY => 'start', ENDKEY => 'end', …}`. Keys may have quotes themselves.
struct Description<'t> {
    before: &'t str,
    start: &'t str,
    /// The end and what stands behind it.
    rest: &'t str,
}

impl<'t> Description<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let (before, rest) = quoted_after(line, "STARTKEY")?;
        let (start, rest) = quoted_after(rest, ", ENDKEY")?;
        Some(Description { before, start: start.strip_suffix('\'')?, rest })
    }
}

/// The text before a name, and that behind `name => '`.
fn quoted_after<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let (before, rest) = text.split_once(name)?;
    Some((before, rest.trim_start().strip_prefix("=>")?.trim_start().strip_prefix('\'')?))
}

fn descriptions(text: &str) -> Result<Dump, Fault> {
    let (mut table, mut regions) = (None, Vec::new());
    // A terminal wraps what `scan` prints.
    let lines: Vec<String> = match text.contains("COLUMN+CELL") {
        true => {
            values_of_scan(text, "info", "regioninfo")?.iter().map(|value| to_string_binary(value)).collect()
        }
        false => text.lines().map(str::to_string).collect(),
    };
    for line in lines.iter().filter(|line| line.contains("STARTKEY") || line.contains("ENDKEY")) {
        let Some(Description { before, start, rest }) = Description::of(line) else {
            return Err(broken(line));
        };
        let end = ["'}", "', "].into_iter().filter_map(|mark| rest.find(mark)).min();
        let end = end.or_else(|| rest.rfind('\'')).ok_or_else(|| broken(line))?;
        let (end, behind) = rest.split_at(end);
        // The region that was split is listed beside its halves.
        if behind.contains("OFFLINE => true") || behind.contains("SPLIT => true") {
            continue;
        }
        let name = quoted_after(before, "NAME").and_then(|(_, name)| name.split_once("', "));
        let name = name.and_then(|(name, _)| RegionName::parse(name));
        if name.as_ref().is_some_and(|name| name.is_replica) {
            continue;
        }
        if let Some(name) = &name {
            same_table(&mut table, name.table)?;
        }
        let encoded = name.map(|name| name.encoded.to_string());
        let region = LiveRegion { encoded, ..LiveRegion::starting_at(from_string_binary(start)) };
        regions.push((region, from_string_binary(end)));
    }
    chained(regions, table)
}

fn broken(line: &str) -> Fault {
    let line: String = line.trim().chars().take(60).collect();
    (format!("`{line}` has not the whole description of a region: lines may be wrapped"), HELP.into())
}

fn web_page(text: &str) -> Result<Dump, Fault> {
    let mut lines = text.lines().skip_while(|line| !is_heading(line));
    let heading: Vec<&str> = lines.next().unwrap_or_default().split('\t').map(str::trim).collect();
    let place = |name: &str| heading.iter().position(|cell| *cell == name);
    let (mut table, mut regions) = (None, Vec::new());
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        // Blanks at the ends of keys are lost, but not in the name of the region.
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != heading.len() {
            return fault(
                format!("a line has {} cells below a heading of {}", cells.len(), heading.len()),
                "copy the whole table of regions, with its heading",
            );
        }
        let cell = |name: &str| place(name).map(|at| cells[at].trim()).unwrap_or_default();
        let name = RegionName::parse(cells[0]);
        if name.as_ref().is_some_and(|name| name.is_replica) {
            continue;
        }
        if let Some(name) = &name {
            same_table(&mut table, name.table)?;
        }
        let start = name.as_ref().map_or_else(|| cell(START_COLUMN), |name| name.start);
        let encoded = name.as_ref().map(|name| name.encoded.to_string());
        let region = LiveRegion { encoded, ..LiveRegion::starting_at(from_string_binary(start)) };
        regions.push((region, from_string_binary(cell(END_COLUMN))));
    }
    chained(regions, table)
}

/// `=> ["\\x07\\xFF", "b"]`: texts of Ruby, whose content is written as the shell writes keys.
fn value(text: &str) -> Result<Dump, Fault> {
    let not_keys = || (format!("`{text}` is no list of split keys"), HELP.to_string());
    let mut code = Code::new(text, "=> ".len());
    let Ok(Value::List(keys)) = code.first_argument() else { return Err(not_keys()) };
    let mut regions = vec![LiveRegion::starting_at(Vec::new())];
    for key in keys {
        let Value::Text(key) = key else { return Err(not_keys()) };
        regions.push(LiveRegion::starting_at(from_string_binary(&key)));
    }
    let ascending = regions.windows(2).all(|pair| pair[0].start < pair[1].start);
    match ascending {
        true => Ok(Dump { regions, table: None, is_list: false }),
        false => fault("the split keys do not ascend", HELP),
    }
}

fn same_table(table: &mut Option<String>, own: &str) -> Result<(), Fault> {
    match table {
        Some(known) if known != own => fault(
            format!("the list has regions of two tables, `{known}` and `{own}`"),
            "give the regions of one table only: `scan 'hbase:meta', {ROWPREFIXFILTER => 'ns:table,'}`",
        ),
        _ => {
            *table = Some(own.to_string());
            Ok(())
        }
    }
}

/// Each region ends where the next one starts, the first one starts with the empty key, and the last one ends with it.
fn chained(mut regions: Vec<Ended>, table: Option<String>) -> Result<Dump, Fault> {
    regions.sort_by(|(one, _), (other, _)| one.start.cmp(&other.start));
    let starts = regions.iter().skip(1).map(|(region, _)| region.start.clone()).chain([Vec::new()]);
    // Blanks at the end of a key are lost on a web page.
    let open =
        regions.iter().zip(starts).find(|((_, end), next)| end.trim_ascii_end() != next.trim_ascii_end());
    if let Some(((region, end), next)) = open {
        let [start, end, next] = [&region.start, end, &next].map(|key| to_string_binary(key));
        let whose = match start.is_empty() {
            true => "the first region".to_string(),
            false => format!("the region that starts at `{start}`"),
        };
        let message = match next.is_empty() {
            true => format!("{whose} ends at `{end}`, and no region starts there"),
            false => format!("{whose} ends at `{end}`, but the next one starts at `{next}`"),
        };
        return fault(message, HELP);
    }
    Ok(Dump { regions: regions.into_iter().map(|(region, _)| region).collect(), table, is_list: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Result<Vec<String>, String> {
        let dump = read(text).expect(text).map_err(|(message, _)| message)?;
        Ok(dump.regions.iter().map(|region| to_string_binary(&region.start)).collect())
    }

    const META: &str = "
 w:users,,15861.5b4a1cd2e9a7ea column=info:regioninfo, timestamp=1586168431000, value={ENCODED => 0123456789abcdef0123456789abcdef, NAME => 'w:users,,1586168430000.0123456789abcdef0123456789abcdef.', STARTKEY => '', ENDKEY => 'it's'}
 w:users,it's,1.6b4a1cd2e9a7ea column=info:regioninfo, timestamp=1586168431000, value={ENCODED => 1123456789abcdef0123456789abcdef, NAME => 'w:users,it's,1586168430000.1123456789abcdef0123456789abcdef.', STARTKEY => 'it's', ENDKEY => '\\x7F'}
 w:users,it's,2.6b4a1cd2e9a7ea column=info:regioninfo, timestamp=1586168431000, value={ENCODED => 3123456789abcdef0123456789abcdef, NAME => 'w:users,it's,1586168430001.3123456789abcdef0123456789abcdef.', STARTKEY => 'it's', ENDKEY => '', OFFLINE => true, SPLIT => true}
 w:users,\\x7F,1.7b4a1cd2e9a7e column=info:regioninfo, timestamp=1586168431000, value={ENCODED => 2123456789abcdef0123456789abcdef, NAME => 'w:users,\\x7F,1586168430000.2123456789abcdef0123456789abcdef.', STARTKEY => '\\x7F', ENDKEY => ''}
";

    #[test]
    fn descriptions_of_regions() {
        assert_eq!(keys(META), Ok(vec![String::new(), "it's".into(), "\\x7F".into()]));
        let dump = read(META).expect("descriptions").expect("a dump");
        assert_eq!(dump.table.as_deref(), Some("w:users"));
        assert_eq!(dump.regions[2].encoded.as_deref(), Some("2123456789abcdef0123456789abcdef"));
        let short = "STARTKEY=>'', ENDKEY=>'1'\n{STARTKEY => '1', ENDKEY => ''}\n";
        assert_eq!(keys(short), Ok(vec![String::new(), "1".into()]));
        let of_terminal = include_str!("../../../../tests/testdata/live/meta.txt");
        assert_eq!(keys(of_terminal), Ok(["", "10", "20", "30"].map(String::from).into()));
        // A region is missing, or a line is wrapped.
        let lines: Vec<&str> = META.lines().collect();
        assert!(keys(&[lines[1], lines[4]].join("\n")).unwrap_err().contains("ends at `it's`"));
        assert!(keys(&lines[1..3].join("\n")).unwrap_err().contains("no region starts there"));
        assert!(
            keys(&META.replace("ENDKEY => '\\x7F'", "END\n KEY => '\\x7F'")).unwrap_err().contains("wrapped")
        );
        assert!(
            keys(&META.replacen("NAME => 'w:users,,", "NAME => 'w:other,,", 1))
                .unwrap_err()
                .contains("two tables")
        );
    }

    #[test]
    fn the_regions_of_the_web_page() {
        let heading = "Name\tRegion Server\tReadRequests\tStart Key\tEnd Key\n";
        let row = |start: &str, end: &str| {
            format!(
                "users,{start},1586168430000.0123456789abcdef0123456789abcdef.\thost:16020\t0\t{start}\t{end}\n"
            )
        };
        let text = format!("Table Regions\n{heading}{}{}\nmore\n", row("", "a b"), row("a b", ""));
        assert_eq!(keys(&text), Ok(vec![String::new(), "a b".into()]));
        assert!(keys(&format!("{heading}{}", row("", "a"))).unwrap_err().contains("no region starts there"));
        assert!(keys(&format!("{heading}users\t0\n")).unwrap_err().contains("2 cells"));
    }

    #[test]
    fn the_value_of_get_splits() {
        assert_eq!(
            keys("=> [\"\\\\x07\\\\xFF\", \"b\"]\n"),
            Ok(vec![String::new(), "\\x07\\xFF".into(), "b".into()])
        );
        assert!(keys("=> [\"b\", \"a\"]").unwrap_err().contains("ascend"));
        assert!(keys("=> [1, 2]").unwrap_err().contains("no list"));
        assert_eq!(kind("=> [\"a\"]\nb\n"), None);
        assert_eq!(kind("a\nb\n"), None);
    }
}
